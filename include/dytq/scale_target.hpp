// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does a target take a scale? Asked before anything is lowered.
#ifndef DYTQ_SCALE_TARGET_HPP
#define DYTQ_SCALE_TARGET_HPP

#include <bit>
#include <cstdint>

#include "numbers/dyadic.hpp"
#include "numbers/integer.hpp"
#include "operators/rounding.hpp"
#include "result.hpp"
#include "scale.hpp"

namespace dytq {
inline namespace v0 {

/// What takes the scale, and which scales those are.
enum class scale_target : std::uint8_t {
  tosa,              ///< RESCALE with 32-bit multipliers: [2^-32, 2^29)
  tflite,            ///< requantization, with single and with double rounding: [2^-32, 2^30)
  cmsis_nn,          ///< arm_nn_requantize, both ways: as tflite
  vela,              ///< Ethos-U: [2^-33, 2^31)
  xnnpack,           ///< qs8 convolution and fully connected, input scale * weight scale / output scale: [2^-32, 2^8)
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
    case scale_target::xnnpack: return {.bits = 24, .min_shift = 16, .max_shift = 55};
    case scale_target::xnnpack_multiply: return {.bits = 24, .min_shift = 16, .max_shift = 39};
    case scale_target::xnnpack_add: return {.bits = 24, .min_shift = 16, .max_shift = 33};
  }
  return {.bits = 0};
}

}  // namespace detail

/// Does the target take this multiplier and shift?
///
/// Errors: unknown_dialect: no such target; multiplier_negative; multiplier_too_large; shift_out_of_range.
///   XNNPACK takes a float32, so there it is the value multiplier * 2^-shift that counts: scale_not_float32: more than
///   24 bits; scale_too_large; scale_too_small: also 0.
/// Exactness: exact. Sources: TOSA 1.0, apply_scale_32; TensorFlow Lite, MultiplyByQuantizedMultiplier; CMSIS-NN,
///   arm_nn_requantize; Vela, quantise_scale; XNNPACK, xnn_create_*_qs8.
constexpr verdict fits_target(scale_target target, wide_multiplier_shift s) {
  const detail::target_limits limits = detail::limits_of(target);
  if (limits.bits == 0) {
    return reason::unknown_dialect;
  }
  if (limits.bits == 31) {
    const std::int64_t most = target == scale_target::vela ? int32_max + 1 : int32_max;
    return detail::validate_scale(s.multiplier, s.shift, {most, limits.min_shift, limits.max_shift}, place::none);
  }
  if (s.multiplier < 0) {
    return rejection{.why = reason::multiplier_negative, .expected = 0, .got = s.multiplier};
  }
  if (s.multiplier == 0) {
    return reason::scale_too_small;
  }
  const auto m = static_cast<std::uint64_t>(s.multiplier);
  const int width = 64 - std::countl_zero(m);
  const std::int64_t shift = std::int64_t{limits.bits} - width + s.shift;
  if (shift < limits.min_shift || shift > limits.max_shift) {
    return detail::needs_shift(shift, limits.min_shift, limits.max_shift);
  }
  return width - std::countr_zero(m) <= limits.bits ? verdict(accepted{}) : reason::scale_not_float32;
}

/// Does the target take this scale, at the full width of its multiplier?
///
/// A scale that has to be rounded is looked at as it is rounded. 0 is a scale, but to XNNPACK.
/// Errors: unknown_dialect: no such target; scale_not_finite; scale_negative; scale_too_large, scale_too_small: `got`
///   is the shift that it needs, `expected` the last one that there is; scale_not_float32: XNNPACK.
/// Exactness: exact.
constexpr verdict fits_target(scale_target target, double scale) {
  const dyadic parts(scale);
  const detail::target_limits limits = detail::limits_of(target);
  if (limits.bits == 0) {
    return reason::unknown_dialect;
  }
  if (const verdict v = detail::validate_real_scale(parts); !v || (parts.is_zero() && limits.bits == 31)) {
    return v;
  }
  if (limits.bits == 24) {
    return fits_target(target, {static_cast<std::int64_t>(parts.mantissa), -parts.exponent});
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
