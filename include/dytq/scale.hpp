// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A real scale as (multiplier, shift), in the conventions of the toolchains; and which of them a target takes.
#ifndef DYTQ_SCALE_HPP
#define DYTQ_SCALE_HPP

#include <bit>
#include <cstdint>

#include "numbers/integer.hpp"
#include "operators/rounding.hpp"
#include "result.hpp"

namespace dytq {
inline namespace v0 {

/// scale ~ multiplier * 2^-shift; positive shifts go right.
struct multiplier_shift {
  std::int32_t multiplier = 0;  ///< >= 0
  std::int32_t shift = 0;       ///< to the right

  friend constexpr bool operator==(multiplier_shift, multiplier_shift) = default;
};

/// The same, for any toolchain: Vela's multiplier may be 2^31.
struct wide_multiplier_shift {
  std::int64_t multiplier = 0;  ///< >= 0
  std::int32_t shift = 0;       ///< to the right

  constexpr wide_multiplier_shift() = default;
  /// m * 2^-s.
  constexpr wide_multiplier_shift(std::int64_t m, std::int32_t s) : multiplier(m), shift(s) {}
  /// The same pair.
  constexpr wide_multiplier_shift(multiplier_shift s) : multiplier(s.multiplier), shift(s.shift) {}

  friend constexpr bool operator==(const wide_multiplier_shift&, const wide_multiplier_shift&) = default;
};

/// The width of a multiplier, its sign bit included.
enum class multiplier_width : std::uint8_t { bits16 = 16, bits32 = 32 };

/// Whose convention: which rounding, which limits. docs/requantization.md compares them.
enum class scale_dialect : std::uint8_t {
  executorch,     ///< half to even; shifts above 62 truncate, shifts below 2 are refused
  mlir,           ///< the TOSA lowerings of MLIR: half away from zero, else as executorch
  tflite,         ///< half away from zero; shifts above 62 give (0, 31)
  tflite_single,  ///< as tflite, for its single rounding: a shift below 1 becomes (2^31 - 1, 1)
  tflm,           ///< TFLite without floating point, as microcontrollers build it: half toward zero, else as tflite
  vela,           ///< half away from zero; 2^31 stays, a shift outside [0, 63] gives (0, 16)
  xnnpack,        ///< the 24 bits of a float32; shifts below 16 are refused, those above 55 give (0, 24)
  onnx            ///< the same; shifts below 1 are refused, those above 62 give (0, 24)
};

/// TFLite and CMSIS-NN write a scale as multiplier * 2^(left - 31): their shift for ours, and ours for theirs.
constexpr std::int64_t other_way_shift(std::int32_t shift) { return std::int64_t{31} - shift; }

namespace detail {

enum class tie : std::uint8_t { to_even, away, toward_zero };

constexpr tie tie_of(scale_dialect d) {
  return d == scale_dialect::executorch ? tie::to_even : d == scale_dialect::tflm ? tie::toward_zero : tie::away;
}

// A scale > 0 with a multiplier of n bits, 2^(n-1) at least; the shift may be any. 2^n too, unless renormalized.
constexpr wide_multiplier_shift normalized(const dyadic& scale, int n, tie ties, bool renormalize) {
  const int up = std::countl_zero(scale.mantissa) - 11;  // 0 unless the scale is subnormal
  const std::uint64_t mantissa = scale.mantissa << up;
  const int drop = 53 - n;
  const std::uint64_t half = std::uint64_t{1} << (drop - 1);
  const std::uint64_t rounded = ties == tie::to_even ? shift_right_half_even(mantissa, drop)
                                                     : (mantissa + half - (ties == tie::away ? 0 : 1)) >> drop;
  wide_multiplier_shift s{static_cast<std::int64_t>(rounded), n - (scale.exponent - up + 53)};
  if (renormalize && s.multiplier == std::int64_t{1} << n) {
    s.multiplier >>= 1;
    --s.shift;
  }
  return s;
}

constexpr rejection needs_shift(std::int64_t shift, std::int64_t lowest, std::int64_t highest) {
  return {.why = shift < lowest ? reason::scale_too_large : reason::scale_too_small,
          .expected = shift < lowest ? lowest : highest,
          .got = shift};
}

// Has a number no more bits than a float32, and none below the last of the smallest one?
constexpr bool is_float32(const dyadic& v) {
  const int low = std::countr_zero(v.mantissa);
  return v.is_zero() || (64 - std::countl_zero(v.mantissa) - low <= 24 && v.exponent + low >= -149);
}

// Is it a scale at all?
constexpr verdict validate_real_scale(const dyadic& scale) {
  return !scale.finite                        ? verdict(reason::scale_not_finite)
         : scale.negative && !scale.is_zero() ? verdict(reason::scale_negative)
                                              : verdict(accepted{});
}

}  // namespace detail

/// The integer form of a scale, as the toolchain of a dialect computes it.
///
/// Formula: with scale = f * 2^e, 1/2 <= f < 1, and n = 31 (15 for 16 bits; xnnpack, onnx: 24):
///   multiplier = round(f * 2^n), shift = n - e, ties as the dialect says; 2^n becomes 2^(n-1) and shift - 1, but in
///   vela. Then the limits of the dialect:
///   executorch, mlir: a shift above 62 becomes 62 and the multiplier is shifted right by min(31, shift - 62),
///     truncating; tflite, tflm: a shift above 62 gives (0, 31), and one below 1 stays, though no kernel takes it;
///   tflite_single: the same, and a shift below 1 becomes (2^31 - 1, 1); vela: a shift outside [0, 63] gives (0, 16);
///   xnnpack, onnx: a shift above 55 or 62 gives (0, 24): times so small a scale, no int32 is more than one half.
/// Range: multiplier in [0, 2^n), in vela [0, 2^31]. A scale of 0, or -0, gives (0, n), but in xnnpack and onnx.
/// Errors: scale_not_finite; scale_negative; scale_too_large: a shift below 2 in executorch and mlir, below 16 in
///   xnnpack, below 1 in onnx; scale_not_positive: 0 in xnnpack and onnx; scale_not_float32: the same; unknown_dialect:
///   also 16 bits in a dialect other than executorch and mlir.
/// Exactness: exact. Sources: ExecuTorch, Arm backend; MLIR, computeMultiplierAndShift; TensorFlow Lite,
///   QuantizeMultiplier and IntegerFrExp; Vela, quantise_scale; XNNPACK, requantization of qs8.
constexpr result<wide_multiplier_shift> quantize_scale_wide(double scale,
                                                            multiplier_width width = multiplier_width::bits32,
                                                            scale_dialect dialect = scale_dialect::executorch) {
  using enum scale_dialect;
  const bool for_tosa = dialect == executorch || dialect == mlir;
  const bool in_float32 = dialect == xnnpack || dialect == onnx;
  if (dialect > onnx || !(width == multiplier_width::bits32 || (width == multiplier_width::bits16 && for_tosa))) {
    return reason::unknown_dialect;
  }
  const detail::dyadic parts(scale);
  const int n = in_float32 ? 24 : static_cast<int>(width) - 1;
  if (const verdict v = detail::validate_real_scale(parts); !v) {
    return v.error();
  }
  if (parts.is_zero()) {
    return in_float32 ? result<wide_multiplier_shift>(reason::scale_not_positive) : wide_multiplier_shift{0, n};
  }
  wide_multiplier_shift s = detail::normalized(parts, n, detail::tie_of(dialect), dialect != vela);
  if (in_float32) {
    const std::int32_t lowest = dialect == xnnpack ? 16 : 1;
    const std::int32_t highest = dialect == xnnpack ? 55 : 62;
    if (s.shift < lowest) {
      return detail::needs_shift(s.shift, lowest, highest);
    }
    if (!detail::is_float32(parts)) {
      return reason::scale_not_float32;
    }
    return s.shift > highest ? wide_multiplier_shift{0, n} : s;
  }
  if (for_tosa) {
    if (s.shift < 2) {
      return detail::needs_shift(s.shift, 2, 62);
    }
    if (s.shift > 62) {
      s = {s.multiplier >> (s.shift - 62 < 31 ? s.shift - 62 : 31), 62};
    }
  } else if (dialect == vela) {
    if (s.shift < 0 || s.shift > 63) {
      s = {0, 16};
    }
  } else if (s.shift > 62) {
    s = {0, 31};
  } else if (s.shift < 1 && dialect == tflite_single) {
    s = {int32_range.hi, 1};
  }
  return s;
}

/// `quantize_scale_wide` in 32 bits.
/// Errors: those of it; multiplier_too_large: Vela's 2^31.
constexpr result<multiplier_shift> quantize_scale(double scale, multiplier_width width = multiplier_width::bits32,
                                                  scale_dialect dialect = scale_dialect::executorch) {
  const result<wide_multiplier_shift> wide = quantize_scale_wide(scale, width, dialect);
  if (!wide) {
    return wide.error();
  }
  if (!detail::fits<std::int32_t>(wide->multiplier)) {
    return rejection{.why = reason::multiplier_too_large, .expected = int32_range.hi, .got = wide->multiplier};
  }
  return multiplier_shift{static_cast<std::int32_t>(wide->multiplier), wide->shift};
}

/// What takes the scale, and which scales those are.
enum class scale_target : std::uint8_t {
  tosa,              ///< RESCALE with 32-bit multipliers: [2^-32, 2^29)
  tflite,            ///< requantization, with single and with double rounding: [2^-32, 2^30)
  cmsis_nn,          ///< arm_nn_requantize, both ways: as tflite
  vela,              ///< Ethos-U: [2^-33, 2^31)
  xnnpack,           ///< qs8 convolution and fully connected, input scale * weight scale / output scale: (0, 2^8)
  xnnpack_multiply,  ///< scale of a * scale of b / output scale: [2^-16, 2^8)
  xnnpack_add        ///< scale of a, and of b, / output scale: [2^-10, 2^8)
};

namespace detail {

struct target_limits {
  int bits = 31;  // of the multiplier
  std::int32_t min_shift = dytq::min_shift;
  std::int32_t max_shift = dytq::max_shift;
};

constexpr target_limits limits_of(scale_target t) {
  switch (t) {
    case scale_target::tosa: return {};
    case scale_target::tflite:
    case scale_target::cmsis_nn: return {.min_shift = 1};
    case scale_target::vela: return {.min_shift = 0, .max_shift = 63};
    case scale_target::xnnpack: return {.bits = 24, .min_shift = 16, .max_shift = 172};  // all float32
    case scale_target::xnnpack_multiply: return {.bits = 24, .min_shift = 16, .max_shift = 39};
    case scale_target::xnnpack_add: return {.bits = 24, .min_shift = 16, .max_shift = 33};
  }
  return {.bits = 0};
}

}  // namespace detail

/// Does the target take this multiplier and shift?
///
/// Errors: unknown_dialect: no such target; multiplier_negative; multiplier_too_large; shift_out_of_range.
///   XNNPACK takes a float32, so there it is the value multiplier * 2^-shift that counts: scale_not_float32;
///   scale_too_large; scale_too_small; scale_not_positive: 0, but a convolution's is what became of a tiny scale.
/// Exactness: exact. Sources: TOSA 1.0, apply_scale_32; TensorFlow Lite, MultiplyByQuantizedMultiplier; CMSIS-NN,
///   arm_nn_requantize; Vela, quantise_scale; XNNPACK, xnn_create_*_qs8.
constexpr verdict fits_target(scale_target target, wide_multiplier_shift s) {
  const detail::target_limits limits = detail::limits_of(target);
  if (limits.bits == 0) {
    return reason::unknown_dialect;
  }
  if (limits.bits == 31) {
    const std::int64_t most = target == scale_target::vela ? int32_range.hi + 1 : int32_range.hi;
    return detail::validate_scale(s.multiplier, s.shift, {most, limits.min_shift, limits.max_shift}, place::none);
  }
  if (s.multiplier < 0) {
    return rejection{.why = reason::multiplier_negative, .expected = 0, .got = s.multiplier};
  }
  if (s.multiplier == 0) {  // what a scale below 2^-32 becomes, where there may be one
    return target == scale_target::xnnpack ? verdict(accepted{}) : reason::scale_not_positive;
  }
  const auto m = static_cast<std::uint64_t>(s.multiplier);
  const int width = 64 - std::countl_zero(m);
  const std::int64_t shift = std::int64_t{limits.bits} - width + s.shift;
  if (shift < limits.min_shift || shift > limits.max_shift) {
    return detail::needs_shift(shift, limits.min_shift, limits.max_shift);
  }
  const int low = std::countr_zero(m);
  return width - low <= 24 && low - s.shift >= -149 ? verdict(accepted{}) : reason::scale_not_float32;
}

/// Does the target take this scale, at the full width of its multiplier?
///
/// A scale that has to be rounded is looked at as it is rounded. 0 is a scale, but to XNNPACK.
/// Errors: unknown_dialect: no such target; scale_not_finite; scale_negative; scale_too_large, scale_too_small: `got`
///   is the shift that it needs, `expected` the last one that there is; scale_not_float32, scale_not_positive: XNNPACK.
/// Exactness: exact.
constexpr verdict fits_target(scale_target target, double scale) {
  const detail::dyadic parts(scale);
  const detail::target_limits limits = detail::limits_of(target);
  if (limits.bits == 0) {
    return reason::unknown_dialect;
  }
  if (const verdict v = detail::validate_real_scale(parts); !v || (parts.is_zero() && limits.bits == 31)) {
    return v;
  }
  if (limits.bits == 24) {
    return parts.is_zero() ? verdict(reason::scale_not_positive)
                           : fits_target(target, {static_cast<std::int64_t>(parts.mantissa), -parts.exponent});
  }
  const std::int32_t shift =
      detail::normalized(parts, limits.bits, detail::tie::away, target != scale_target::vela).shift;
  return shift < limits.min_shift || shift > limits.max_shift
             ? verdict(detail::needs_shift(shift, limits.min_shift, limits.max_shift))
             : verdict(accepted{});
}

}  // namespace v0
}  // namespace dytq

#endif
