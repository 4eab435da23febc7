// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RESCALE, to the bit of TOSA 1.0: the scaling of one value, the operator over every legal pair of types, and the
// form in which a graph's chain of operators names it.
#ifndef DYTQ_RESCALE_HPP
#define DYTQ_RESCALE_HPP

#include <cstdint>

#include "codes.hpp"
#include "integer.hpp"
#include "result.hpp"
#include "scale.hpp"
#include "view.hpp"

namespace dytq::inline v0 {

/// TOSA's rounding modes. inexact_round leaves the result to the backend, so nothing here computes it.
enum class rounding_mode : std::uint8_t { single_round, double_round, inexact_round };

inline constexpr std::int32_t min_shift = 2;
inline constexpr std::int32_t max_shift = 62;

namespace detail {

constexpr verdict validate_scale(std::int64_t multiplier, std::int64_t multiplier_max, std::int64_t shift, step at) {
  if (multiplier < 0) {
    return rejection{.why = reason::multiplier_negative, .at = at, .expected = 0, .got = multiplier};
  }
  if (multiplier > multiplier_max) {
    return rejection{.why = reason::multiplier_too_large, .at = at, .expected = multiplier_max, .got = multiplier};
  }
  if (shift < min_shift || shift > max_shift) {
    return rejection{.why = reason::shift_out_of_range,
                     .at = at,
                     .expected = shift < min_shift ? min_shift : max_shift,
                     .got = shift};
  }
  return accepted{};
}

constexpr verdict validate_rounding(rounding_mode r, step at) {
  switch (r) {
    case rounding_mode::single_round:
    case rounding_mode::double_round: return accepted{};
    case rounding_mode::inexact_round: return rejection{.why = reason::inexact_round, .at = at};
  }
  return rejection{.why = reason::unknown_rounding_mode, .at = at};
}

// What is added before the shift, for a value >= 0 and for a value < 0.
constexpr std::int64_t rounding_term(bool value_negative, std::int32_t shift, rounding_mode r) {
  const std::int64_t half = std::int64_t{1} << (shift - 1);
  return r == rounding_mode::double_round && shift > 31
             ? half + (value_negative ? -(std::int64_t{1} << 30) : std::int64_t{1} << 30)
             : half;
}

constexpr bool fits_shift(std::int64_t value, std::int32_t shift) {
  const std::int64_t half = std::int64_t{1} << (shift - 1);
  return value >= -half && value < half && fits<std::int32_t>(value);
}

}  // namespace detail

/// value * multiplier * 2^-shift, rounded.
///
/// Formula: (value * multiplier + 2^(shift-1)) >> shift; double_round with shift > 31 adds 2^30 if value >= 0, else
///   subtracts it.
/// Range: multiplier in [0, 2^31), shift in [2, 62], value in [-2^(shift-1), 2^(shift-1)) and in int32.
/// Errors: multiplier_negative; multiplier_too_large; shift_out_of_range; value_exceeds_shift; value_exceeds_int32;
///   inexact_round; unknown_rounding_mode.
/// Exactness: exact. Source: TOSA 1.0, apply_scale_32.
constexpr result<std::int32_t> apply_scale_32(std::int64_t value, std::int64_t multiplier, std::int64_t shift,
                                              rounding_mode rounding = rounding_mode::single_round) {
  if (const verdict v = detail::validate_rounding(rounding, step::none); !v) {
    return v.error();
  }
  if (const verdict v = detail::validate_scale(multiplier, int32_max, shift, step::none); !v) {
    return v.error();
  }
  const auto s = static_cast<std::int32_t>(shift);
  if (!fits<std::int32_t>(value)) {
    return rejection{
        .why = reason::value_exceeds_int32, .code = value, .expected = value < 0 ? int32_min : int32_max, .got = value};
  }
  if (!detail::fits_shift(value, s)) {
    return rejection{.why = reason::value_exceeds_shift, .code = value, .expected = s, .got = value};
  }
  return static_cast<std::int32_t>((value * multiplier + detail::rounding_term(value < 0, s, rounding)) >> s);
}

/// value * multiplier * 2^-shift for values of 48 bits and multipliers of 16, rounded half up.
///
/// Formula: (value * multiplier + 2^(shift-1)) >> shift.
/// Range: multiplier in [0, 2^15), shift in [2, 62], value in [-2^47, 2^47).
/// Errors: multiplier_negative; multiplier_too_large; shift_out_of_range; value_exceeds_int48; value_exceeds_int32: the
///   result does not fit int32.
/// Exactness: exact. Source: TOSA 1.0, apply_scale_16.
constexpr result<std::int32_t> apply_scale_16(std::int64_t value, std::int64_t multiplier, std::int64_t shift) {
  if (const verdict v = detail::validate_scale(multiplier, int16_range.hi, shift, step::none); !v) {
    return v.error();
  }
  if (constexpr code_range int48 = range_of(code_type::i48); !int48.contains(value)) {
    return rejection{
        .why = reason::value_exceeds_int48, .code = value, .expected = value < 0 ? int48.lo : int48.hi, .got = value};
  }
  const std::int64_t scaled = (value * multiplier + (std::int64_t{1} << (shift - 1))) >> shift;
  if (!fits<std::int32_t>(scaled)) {
    return rejection{.why = reason::value_exceeds_int32,
                     .code = value,
                     .expected = scaled < 0 ? int32_min : int32_max,
                     .got = scaled};
  }
  return static_cast<std::int32_t>(scaled);
}

/// Everything of a RESCALE operator but its multipliers, shifts and tensors.
struct rescale_operator {
  code_type in = code_type::i8;
  code_type out = code_type::i8;
  std::int64_t input_zp = 0;
  std::int64_t output_zp = 0;
  bool scale32 = true;  ///< multipliers of 32 bits; else of 16
  rounding_mode rounding = rounding_mode::single_round;
  bool per_channel = false;  ///< one multiplier and shift for each entry of the last dimension
};

namespace detail {

constexpr bool is_unsigned(code_type t) { return t == code_type::u8 || t == code_type::u16; }

constexpr verdict validate_zero_point(code_type t, std::int64_t zero_point, step at) {
  if (t == code_type::i8 || t == code_type::u8) {
    if (const code_range r = range_of(t); !r.contains(zero_point)) {
      return rejection{.why = reason::zero_point_out_of_range,
                       .at = at,
                       .expected = zero_point < r.lo ? r.lo : r.hi,
                       .got = zero_point};
    }
  } else if (zero_point != 0 && !(t == code_type::u16 && zero_point == 32768)) {
    return rejection{.why = reason::zero_point_not_zero, .at = at, .expected = 0, .got = zero_point};
  }
  return accepted{};
}

}  // namespace detail

/// Is the operator one that TOSA defines?
///
/// Errors: unknown_type; inexact_round; unknown_rounding_mode; scale32_with_int48; double_round_without_scale32;
///   both_unsigned; unsigned_with_int32; int48_to_unsigned; zero_point_not_zero: not 0 with int16, int32 or int48,
///   neither 0 nor 32768 with uint16; zero_point_out_of_range.
/// Source: TOSA 1.0, RESCALE (ERROR_IF).
constexpr verdict validate(const rescale_operator& op) {
  using enum code_type;
  if (range_of(op.in).empty() || range_of(op.out).empty() || op.out == i48) {
    return rejection{.why = reason::unknown_type, .at = range_of(op.in).empty() ? step::input : step::output};
  }
  if (const verdict v = detail::validate_rounding(op.rounding, step::none); !v) {
    return v;
  }
  if (op.scale32 && op.in == i48) {
    return reason::scale32_with_int48;
  }
  if (!op.scale32 && op.rounding == rounding_mode::double_round) {
    return reason::double_round_without_scale32;
  }
  const bool in_unsigned = detail::is_unsigned(op.in);
  const bool out_unsigned = detail::is_unsigned(op.out);
  if (in_unsigned && out_unsigned) {
    return reason::both_unsigned;
  }
  if ((in_unsigned && op.out == i32) || (out_unsigned && op.in == i32)) {
    return reason::unsigned_with_int32;
  }
  if (op.in == i48 && out_unsigned) {
    return reason::int48_to_unsigned;
  }
  if (const verdict v = detail::validate_zero_point(op.in, op.input_zp, step::input); !v) {
    return v;
  }
  return detail::validate_zero_point(op.out, op.output_zp, step::output);
}

namespace detail {

// The operator, validated, with the ranges of its types.
constexpr result<std::int32_t> apply_valid(const rescale_operator& op, code_range in, code_range out,
                                           std::int64_t value, std::int64_t multiplier, std::int64_t shift) {
  if (!in.contains(value)) {
    return rejection{
        .why = reason::code_out_of_range, .at = step::input, .expected = value < in.lo ? in.lo : in.hi, .got = value};
  }
  const std::int64_t centered = value - op.input_zp;
  const result<std::int32_t> scaled = op.scale32 ? apply_scale_32(centered, multiplier, shift, op.rounding)
                                                 : apply_scale_16(centered, multiplier, shift);
  if (!scaled) {
    return scaled.error();
  }
  const std::int64_t sum = *scaled + op.output_zp;
  if (!fits<std::int32_t>(sum)) {
    return rejection{.why = reason::value_exceeds_int32,
                     .at = step::output,
                     .code = value,
                     .expected = sum < 0 ? int32_min : int32_max,
                     .got = sum};
  }
  return static_cast<std::int32_t>(out.clamp(sum));
}

}  // namespace detail

/// RESCALE of one value.
///
/// Formula: clamp_out(apply_scale(value - input_zp) + output_zp); unsigned codes are unsigned numbers. A negative sum
///   becomes 0 with an unsigned output, as in the reference model.
/// Errors: those of `validate` and of apply_scale_32 or apply_scale_16; code_out_of_range: value outside the input
/// type. Exactness: exact. Source: TOSA 1.0, RESCALE.
constexpr result<std::int32_t> apply(const rescale_operator& op, std::int64_t value, std::int64_t multiplier,
                                     std::int64_t shift) {
  if (const verdict v = validate(op); !v) {
    return v.error();
  }
  return detail::apply_valid(op, range_of(op.in), range_of(op.out), value, multiplier, shift);
}

/// RESCALE of a tensor. Element types are any integers wide enough for the codes.
///
/// Shape: input and output alike; multiplier and shift: 1 entry, or with per_channel one for each entry of the last
///   dimension.
/// Errors: those of `apply` and of the views; shape_mismatch; per_channel_count; overlapping_views; code_out_of_range:
///   the output elements cannot hold the output type. The output is written only if every element has a result.
template <class In, class Out, std::size_t Rank>
constexpr verdict apply(const rescale_operator& op, const view<In, Rank>& input,
                        const view<const std::int32_t>& multiplier, const view<const std::int32_t>& shift,
                        const view<Out, Rank>& output) {
  if (const verdict v = validate(op); !v) {
    return v;
  }
  if (const verdict v = validate_arguments({output.occupies(step::output)},
                                           {input.occupies(step::input), multiplier.occupies(), shift.occupies()});
      !v) {
    return v;
  }
  if (!same_extents(input, output)) {
    return rejection{.why = reason::shape_mismatch, .at = step::output};
  }
  const std::int64_t count = op.per_channel ? input.extent(Rank - 1) : 1;
  if (multiplier.extent(0) != count || shift.extent(0) != count) {
    return rejection{.why = reason::per_channel_count,
                     .expected = count,
                     .got = multiplier.extent(0) != count ? multiplier.extent(0) : shift.extent(0)};
  }
  const code_range in = range_of(op.in);
  const code_range out = range_of(op.out);
  if (!fits<Out>(out.lo) || !fits<Out>(out.hi)) {
    return rejection{.why = reason::code_out_of_range, .at = step::output, .expected = out.lo, .got = out.hi};
  }
  const std::int64_t size = input.empty() ? 0 : input.size();
  for (const bool writing : {false, true}) {
    std::array<std::int64_t, Rank> index{};
    for (std::int64_t n = 0; n < size; ++n) {
      const std::int64_t channel = index[Rank - 1];
      const std::int64_t c = op.per_channel ? channel : 0;
      const result<std::int32_t> code = detail::apply_valid(
          op, in, out, static_cast<std::int64_t>(input.data[input.offset(index)]), multiplier(c), shift(c));
      if (!code) {
        rejection why = code.error();
        why.channel = channel;
        return why;
      }
      if (writing) {
        output.data[output.offset(index)] = static_cast<Out>(*code);
      }
      for (std::size_t r = Rank; r-- > 0 && ++index[r] == input.extents[r];) {
        index[r] = 0;
      }
    }
  }
  return accepted{};
}

/// A per-tensor RESCALE with a 32-bit multiplier, as one step of a chain: what a graph's constants say of it.
/// `out` is the range that its result is clamped to: int8_range or int32_range.
///
/// Unlike `rescale_operator` it takes a zero point on either side: the chain computes what the constants say.
struct rescale {
  std::int32_t multiplier = std::int32_t{1} << 30;
  std::int32_t shift = 30;
  std::int32_t input_zp = 0;
  std::int32_t output_zp = 0;
  code_range out = int32_range;
  rounding_mode rounding = rounding_mode::single_round;

  friend constexpr bool operator==(const rescale&, const rescale&) = default;
};

/// Is the step's scale legal, and its output range not empty and inside int32?
constexpr verdict validate(const rescale& r, step at = step::none) {
  if (const verdict v = detail::validate_rounding(r.rounding, at); !v) {
    return v;
  }
  if (r.out.empty() || !int32_range.contains(r.out)) {
    return rejection{.why = reason::range_inverted, .at = at, .expected = r.out.lo, .got = r.out.hi};
  }
  return detail::validate_scale(r.multiplier, int32_max, r.shift, at);
}

/// A validated step, made ready for many values: `legal` says whether a value has a result, `operator()` computes it.
/// It is monotone: a larger value never gives a smaller result, so that a range is legal if its ends are.
class rescale_kernel {
 public:
  constexpr rescale_kernel() = default;
  constexpr explicit rescale_kernel(const rescale& r)
      : multiplier_(r.multiplier),
        shift_(r.shift),
        half_(detail::rounding_term(false, r.shift, r.rounding)),
        half_negative_(detail::rounding_term(true, r.shift, r.rounding)),
        input_zp_(r.input_zp),
        output_zp_(r.output_zp),
        out_(r.out) {}

  constexpr bool legal(std::int64_t value) const {
    return detail::fits_shift(value - input_zp_, shift_) && fits<std::int32_t>(unclamped(value));
  }
  /// The result for a legal value.
  constexpr std::int32_t operator()(std::int64_t value) const {
    return static_cast<std::int32_t>(out_.clamp(unclamped(value)));
  }

  /// The rejection of a value that is not legal.
  constexpr rejection reject(std::int64_t value, step at) const {
    const std::int64_t centered = value - input_zp_;
    if (fits<std::int32_t>(centered) && !detail::fits_shift(centered, shift_)) {
      return {.why = reason::value_exceeds_shift, .at = at, .expected = shift_, .got = centered};
    }
    const std::int64_t wide = fits<std::int32_t>(centered) ? unclamped(value) : centered;
    return {.why = reason::value_exceeds_int32, .at = at, .expected = wide < 0 ? int32_min : int32_max, .got = wide};
  }

 private:
  constexpr std::int64_t unclamped(std::int64_t value) const {
    return (((value - input_zp_) * multiplier_ + (value < input_zp_ ? half_negative_ : half_)) >> shift_) + output_zp_;
  }

  std::int64_t multiplier_ = std::int64_t{1} << 30;
  std::int32_t shift_ = 30;
  std::int64_t half_ = std::int64_t{1} << 29;
  std::int64_t half_negative_ = std::int64_t{1} << 29;
  std::int64_t input_zp_ = 0;
  std::int64_t output_zp_ = 0;
  code_range out_ = int32_range;
};

/// One step for one value. Errors: those of `validate`; value_exceeds_shift; value_exceeds_int32: the value, the
/// difference to input_zp, or the sum with output_zp.
constexpr result<std::int32_t> apply(const rescale& r, std::int64_t value, step at = step::none) {
  if (const verdict v = validate(r, at); !v) {
    return v.error();
  }
  const rescale_kernel kernel(r);
  if (!fits<std::int32_t>(value) || !kernel.legal(value)) {
    rejection why = fits<std::int32_t>(value) ? kernel.reject(value, at)
                                              : rejection{.why = reason::value_exceeds_int32,
                                                          .at = at,
                                                          .expected = value < 0 ? int32_min : int32_max,
                                                          .got = value};
    why.code = value;
    return why;
  }
  return kernel(value);
}

}  // namespace dytq::inline v0

#endif
