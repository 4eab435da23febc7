// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RESCALE, to the bit of TOSA 1.0 and of other toolchains: one step of a chain, and the operator over every legal pair
// of types; one value or a tensor.
#ifndef DYTQ_RESCALE_HPP
#define DYTQ_RESCALE_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "codes.hpp"
#include "numbers/integer.hpp"
#include "operators/rounding.hpp"
#include "result.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

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
  if (const verdict v = detail::validate_rounding(rounding, place::none); !v) {
    return v.error();
  }
  if (const verdict v = detail::validate_scale(multiplier, shift, {}, place::none); !v) {
    return v.error();
  }
  if (!detail::fits<std::int32_t>(value)) {
    return outside(reason::value_exceeds_int32, place::none, int32_range, value, value);
  }
  const auto s = static_cast<std::int32_t>(shift);
  if (const code_range taken = detail::values_of(rounding, s); !taken.contains(value)) {
    return outside(reason::value_exceeds_shift, place::none, taken, value, value);
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
  if (const verdict v = detail::validate_scale(multiplier, shift, {.multiplier_max = int16_range.hi}, place::none);
      !v) {
    return v.error();
  }
  if (constexpr code_range int48 = range_of(code_type::i48); !int48.contains(value)) {
    return outside(reason::value_exceeds_int48, place::none, int48, value, value);
  }
  const std::int64_t scaled = (value * multiplier + (std::int64_t{1} << (shift - 1))) >> shift;
  if (!detail::fits<std::int32_t>(scaled)) {
    return outside(reason::value_exceeds_int32, place::none, int32_range, scaled, value);
  }
  return static_cast<std::int32_t>(scaled);
}

/// The constants of a per-tensor RESCALE with a 32-bit multiplier, as one step of a chain.
/// `out` is the range that its result is clamped to: int8_range or int32_range, or that of a fused activation.
///
/// Unlike `rescale_operator` it takes a zero point on either side, and the rounding of any toolchain: the chain
/// computes what the constants say.
struct rescale {
  std::int32_t multiplier = std::int32_t{1} << 30;       ///< in [0, 2^31)
  std::int32_t shift = 30;                               ///< to the right, in [2, 62]; others with other roundings
  std::int32_t input_zp = 0;                             ///< subtracted before the scale
  std::int32_t output_zp = 0;                            ///< added after it
  code_range out = int32_range;                          ///< the result is clamped to it
  rounding_mode rounding = rounding_mode::single_round;  ///< any but inexact_round
  /// The value, less its zero point, is first shifted left in 32 bits: by 20 in the ADD of TFLite and CMSIS-NN, which
  /// alone have this.
  std::int32_t left_shift = 0;

  friend constexpr bool operator==(const rescale&, const rescale&) = default;
};

/// Is the step's scale legal, and its output range not empty and inside int32?
///
/// Errors: inexact_round; unknown_rounding_mode; range_inverted: also an output of XNNPACK or ONNX Runtime that is not
/// of 8 bits;
///   zero_point_out_of_range: the same; multiplier_negative; multiplier_too_large; shift_out_of_range: shift;
///   left_shift_out_of_range: it must leave a bit of the value, and only TFLite's roundings have one.
constexpr verdict validate(const rescale& r, place at = place::none) {
  if (const verdict v = detail::validate_mode(r.rounding, at); !v) {
    return v;
  }
  if (const verdict v = detail::validate_range(r.out, int32_range, at); !v) {
    return v;
  }
  if (const verdict v = detail::validate_scale(r.multiplier, r.shift, detail::limits_of(r.rounding), at); !v) {
    return v;
  }
  if (r.rounding >= rounding_mode::xnnpack_rndnu) {  // it clamps to a code before it adds the zero point
    constexpr code_range codes{-128, 255};
    if (const verdict v = detail::validate_range(r.out, codes, at); !v) {
      return v;
    }
    if (!codes.contains(r.output_zp)) {
      return outside(reason::zero_point_out_of_range, at, codes, r.output_zp);
    }
  }
  if (r.left_shift != 0) {
    const bool shifts = r.rounding == rounding_mode::tflite_single || r.rounding == rounding_mode::tflite_double;
    if (const code_range legal{0, shifts ? detail::value_bits(r.rounding, r.shift) - 1 : 0};
        !legal.contains(r.left_shift)) {
      return outside(reason::left_shift_out_of_range, at, legal, r.left_shift);
    }
  }
  return accepted{};
}

/// A validated step for many values: `legal` says whether a value has a result, `operator()` computes it. It is
/// monotone, and a range is legal if its ends are.
class rescale_kernel {
 public:
  constexpr rescale_kernel() = default;
  /// Of a step that `validate` accepts.
  constexpr explicit rescale_kernel(const rescale& r)
      : multiplier_(std::int64_t{r.multiplier} << r.left_shift),
        shift_(r.shift),
        half_(detail::rounding_term(false, r.shift, r.rounding)),
        half_negative_(detail::rounding_term(true, r.shift, r.rounding)),
        limit_(std::int64_t{1} << (detail::value_bits(r.rounding, r.shift) - r.left_shift)),
        input_zp_(r.input_zp),
        output_zp_(r.output_zp),
        out_(r.out),
        float32_(detail::rounds_in_float32(r.rounding)),
        added_(r.rounding == rounding_mode::onnx_multiply ? r.output_zp : 0) {}

  /// Does the value have a result? Range: |value| <= 2^62, as in `reject`.
  constexpr bool legal(std::int64_t value) const {
    const std::int64_t centered = value - input_zp_;
    return centered >= -limit_ && centered < limit_ && (fits_sums(unclamped(value)) || float32_);
  }
  /// The result for a legal value.
  constexpr std::int32_t operator()(std::int64_t value) const {
    return is_linear() ? linear(value) : in_float32(value);
  }
  /// Is the result a product, a sum and a shift, so that `linear` applies? All but float32 roundings are.
  constexpr bool is_linear() const { return !float32_; }
  /// The result of a linear step for a legal value. Written out, since a constant expression pays for every call.
  constexpr std::int32_t linear(std::int64_t value) const {
    const std::int64_t r =
        (((value - input_zp_) * multiplier_ + (value < input_zp_ ? half_negative_ : half_)) >> shift_) + output_zp_;
    return static_cast<std::int32_t>(r < out_.lo ? out_.lo : r > out_.hi ? out_.hi : r);
  }

  /// Is a result, but for its clamp, the floor of a straight line in the value? Not where negative values round in
  /// another way than the others do.
  constexpr bool floors_a_line() const {
    return is_linear() && half_ == half_negative_ && detail::fits<std::int32_t>(multiplier_);
  }
  /// Or is that line no integer for some value, so that its floor is another number?
  constexpr bool rounds() const { return multiplier_ % (std::int64_t{1} << shift_) != 0; }
  /// That floor, for a value that is legal or next to one.
  constexpr std::int64_t unclamped(std::int64_t value) const {
    return (((value - input_zp_) * multiplier_ + (value < input_zp_ ? half_negative_ : half_)) >> shift_) + output_zp_;
  }
  /// The range of the clamp.
  constexpr const code_range& range() const { return out_; }

  /// The rejection of a value that is not legal: value_exceeds_shift or value_exceeds_int32.
  constexpr rejection reject(std::int64_t value, place at) const {
    const std::int64_t centered = value - input_zp_;
    const code_range taken{-limit_, limit_ - 1};
    if (detail::fits<std::int32_t>(centered) && !taken.contains(centered)) {
      return outside(reason::value_exceeds_shift, at, taken, centered);
    }
    const std::int64_t sum = taken.contains(centered) ? unclamped(value) : centered;
    const bool before_zero_point = taken.contains(centered) && detail::fits<std::int32_t>(sum);
    return outside(reason::value_exceeds_int32, at, int32_range, before_zero_point ? sum - output_zp_ : sum);
  }

 private:
  // What is scaled must fit, and its sum with the zero point. (In TOSA's modes the former always does.)
  constexpr bool fits_sums(std::int64_t sum) const {
    return detail::fits<std::int32_t>(sum) && detail::fits<std::int32_t>(sum - output_zp_);
  }
  // Apart, so that what calls it stays small.
  [[gnu::noinline]] constexpr std::int32_t in_float32(std::int64_t value) const {
    return static_cast<std::int32_t>(
        out_.clamp(detail::scale_in_float32(value - input_zp_, multiplier_, shift_, added_) + (output_zp_ - added_)));
  }

  std::int64_t multiplier_ = std::int64_t{1} << 30;
  std::int32_t shift_ = 30;
  std::int64_t half_ = std::int64_t{1} << 29;
  std::int64_t half_negative_ = std::int64_t{1} << 29;
  std::int64_t limit_ = std::int64_t{1} << 29;  // centered values are in [-limit_, limit_)
  std::int64_t input_zp_ = 0;
  std::int64_t output_zp_ = 0;
  code_range out_ = int32_range;
  bool float32_ = false;
  std::int64_t added_ = 0;  // of output_zp_, before the rounding
};

/// A step without its clamp on words of 32 bits, for loops over many values that a compiler makes vectors of:
/// ((value + in) * multiplier + constant >> shift) + out, modulo 2^32 but for the product and its sum, which are
/// unsigned and of 64 bits.
struct rescale_words {
  std::uint32_t in = 0;          ///< added to the value: 2^31 less the input zero point
  std::uint32_t multiplier = 0;  ///< in [0, 2^31)
  std::uint64_t constant = 0;    ///< added to the product: the rounding, and what makes it >= 0
  std::int32_t shift = 0;        ///< to the right
  std::uint32_t out = 0;         ///< added after the shift: the output zero point, less what made the sum >= 0

  /// Errors: those of `validate`; multiplier_too_large: with the left shift it does not fit int32;
  ///   unknown_rounding_mode: the step rounds negative values in another way than the others.
  /// Exactness: exact for every value that `rescale_kernel` calls legal.
  static constexpr result<rescale_words> make(const rescale& r) {
    if (const verdict v = validate(r); !v) {
      return v.error();
    }
    const std::int64_t multiplier = std::int64_t{r.multiplier} << r.left_shift;
    if (!detail::fits<std::int32_t>(multiplier)) {
      return rejection{.why = reason::multiplier_too_large, .expected = int32_range.hi, .got = multiplier};
    }
    if (!rescale_kernel(r).floors_a_line()) {
      return rejection{.why = reason::unknown_rounding_mode, .got = static_cast<std::int64_t>(r.rounding)};
    }
    // A multiple of 2^shift is added to what would be negative, and taken off after the shift.
    const auto m = static_cast<std::uint64_t>(multiplier);
    const auto half = static_cast<std::uint64_t>(detail::rounding_term(false, r.shift, r.rounding));
    const std::uint64_t bias = m << 31;
    const std::uint64_t filled = ((bias + (std::uint64_t{1} << r.shift) - 1) >> r.shift) << r.shift;
    return rescale_words{
        .in = (std::uint32_t{1} << 31) - static_cast<std::uint32_t>(r.input_zp),
        .multiplier = static_cast<std::uint32_t>(m),
        .constant = half + (filled - bias),
        .shift = r.shift,
        .out = static_cast<std::uint32_t>(r.output_zp) - static_cast<std::uint32_t>(filled >> r.shift)};
  }
  /// The result for a legal value that the clamp would leave.
  constexpr std::int32_t operator()(std::int32_t value) const {
    const std::uint64_t product = std::uint64_t{static_cast<std::uint32_t>(value) + in} * multiplier + constant;
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(product >> shift) + out);
  }
};

namespace detail {

// One value by a validated step and its kernel.
constexpr result<std::int32_t> apply_valid(const rescale& r, const rescale_kernel& kernel, std::int64_t value,
                                           place at) {
  if (!fits<std::int32_t>(value)) {
    return outside(reason::value_exceeds_int32, at, int32_range, value, value);
  }
  if (kernel.legal(value)) {
    return kernel(value);
  }
  const std::int64_t centered = value - r.input_zp;
  if (r.rounding == rounding_mode::xnnpack_rndnu && fits<std::int32_t>(centered)) {
    const std::int64_t scaled = (centered * r.multiplier + (std::int64_t{1} << (r.shift - 1))) >> r.shift;
    return static_cast<std::int32_t>(r.out.clamp(std::int64_t{wrap_int32(scaled)} + r.output_zp));
  }
  rejection why = kernel.reject(value, at);
  why.code = value;
  return why;
}

// Every element by apply_to(channel)(value), where the channel is the index in the last dimension, or 0 if all share
// one. Nothing is written unless every element has a result.
template <class In, class Out, std::size_t Rank, class ApplyTo>
constexpr verdict apply_elements(const view<In, Rank>& input, const view<Out, Rank>& output, bool per_channel,
                                 const ApplyTo& apply_to) {
  if (input.empty()) {
    return accepted{};
  }
  const std::int64_t channels = per_channel ? input.extent(Rank - 1) : 1;
  const std::int64_t each = input.size() / channels;
  for (const bool writing : {false, true}) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const auto apply_one = apply_to(c);
      std::array<std::int64_t, Rank> index{};
      index[Rank - 1] = c;
      for (std::int64_t n = 0; n < each; ++n) {
        const result<std::int32_t> code = apply_one(saturate_int64(input.data[input.offset(index)]));
        if (!code) {
          rejection why = code.error();
          why.channel = index[Rank - 1];
          return why;
        }
        if (writing) {
          output.data[output.offset(index)] = static_cast<Out>(*code);
        }
        for (std::size_t r = per_channel ? Rank - 1 : Rank; r-- > 0 && ++index[r] == input.extents[r];) {
          index[r] = 0;
        }
      }
    }
  }
  return accepted{};
}

// Do the tensors have one shape, and can Out hold these codes?
template <class In, class Out, std::size_t Rank>
constexpr verdict validate_elements(const view<In, Rank>& input, const view<Out, Rank>& output,
                                    const code_range& codes) {
  if (const verdict v = validate_same_extents(output, input, place::output); !v) {
    return v;
  }
  if (!fits<Out>(codes.lo) || !fits<Out>(codes.hi)) {
    const code_range held{smallest<Out>, largest<Out>};
    return outside(reason::code_out_of_range, place::output, held, fits<Out>(codes.lo) ? codes.hi : codes.lo);
  }
  return accepted{};
}

}  // namespace detail

/// One step for one value. Where xnnpack_rndnu leaves 32 bits it wraps, as XNNPACK does; the kernel above, which must
/// be monotone, refuses such a value.
///
/// Errors: those of `validate`; value_exceeds_shift; value_exceeds_int32: the value, its difference to input_zp,
///   what is scaled, or its sum with output_zp.
/// Exactness: exact. Sources: as of `rounding_mode`, docs/requantization.md.
constexpr result<std::int32_t> apply(const rescale& r, std::int64_t value, place at = place::none) {
  if (const verdict v = validate(r, at); !v) {
    return v.error();
  }
  return detail::apply_valid(r, rescale_kernel(r), value, at);
}

/// A tensor by a step of any rounding: one step for all elements, or one for each channel.
///
/// Shape: input and output alike; steps: 1, or one for each entry of the last dimension. A layout whose channels are
///   another dimension is a permuted view.
/// Errors: those of `apply` for a value, and of the views; shape_mismatch; per_channel_count; overlapping_views;
///   code_out_of_range: the output elements cannot hold a step's range. `channel` says whose step or element it is. The
///   output is written only if every element has a result.
/// Exactness: exact. Cost: two passes.
template <class In, class Out, std::size_t Rank>
requires(std::integral<std::remove_const_t<In>>&& std::integral<Out>) constexpr verdict
    apply(const view<const rescale>& steps, const view<In, Rank>& input, const view<Out, Rank>& output) {
  if (const verdict v = detail::validate_arguments({output.occupies(place::output)},
                                                   {input.occupies(place::input), steps.occupies(place::gamma_out)});
      !v) {
    return v;
  }
  const std::int64_t channels = input.extent(Rank - 1);
  const std::int64_t count = steps.extent(0);
  if (count != 1 && count != channels) {
    return rejection{.why = reason::per_channel_count, .expected = channels, .got = count};
  }
  if (const verdict v = detail::validate_elements(input, output, {0, 0}); !v) {
    return v;
  }
  for (std::int64_t c = 0; c < count; ++c) {
    verdict v = validate(steps(c));
    if (v) {
      v = detail::validate_elements(input, output, steps(c).out);
    }
    if (!v) {
      rejection why = v.error();
      why.channel = c;
      return why;
    }
  }
  return detail::apply_elements(input, output, count != 1, [&](std::int64_t c) {
    return [step = steps(c), kernel = rescale_kernel(steps(c))](std::int64_t value) {
      return detail::apply_valid(step, kernel, value, place::input);
    };
  });
}

/// Everything of a RESCALE operator but its multipliers, shifts and tensors.
struct rescale_operator {
  code_type in = code_type::i8;   ///< type of the input
  code_type out = code_type::i8;  ///< type of the output
  std::int64_t input_zp = 0;      ///< subtracted before the scale
  std::int64_t output_zp = 0;     ///< added after it
  bool scale32 = true;            ///< multipliers of 32 bits; else of 16
  /// DOUBLE_ROUND needs scale32.
  rounding_mode rounding = rounding_mode::single_round;
  bool per_channel = false;  ///< one multiplier and shift for each entry of the last dimension
};

namespace detail {

constexpr bool is_unsigned(code_type t) { return t == code_type::u8 || t == code_type::u16; }

constexpr verdict validate_zero_point(code_type t, std::int64_t zero_point, place at) {
  if (t == code_type::i8 || t == code_type::u8) {
    if (const code_range r = range_of(t); !r.contains(zero_point)) {
      return outside(reason::zero_point_out_of_range, at, r, zero_point);
    }
  } else if (zero_point != 0 && !(t == code_type::u16 && zero_point == 32768)) {
    return rejection{.why = reason::zero_point_not_zero,
                     .at = at,
                     .expected = t == code_type::u16 && zero_point > 16384 ? 32768 : 0,
                     .got = zero_point};
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
    const bool of_input = range_of(op.in).empty();
    return rejection{.why = reason::unknown_type,
                     .at = of_input ? place::input : place::output,
                     .got = static_cast<std::int64_t>(of_input ? op.in : op.out)};
  }
  if (const verdict v = detail::validate_rounding(op.rounding, place::none); !v) {
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
  if (const verdict v = detail::validate_zero_point(op.in, op.input_zp, place::input); !v) {
    return v;
  }
  return detail::validate_zero_point(op.out, op.output_zp, place::output);
}

namespace detail {

// The operator, validated, with the ranges of its types.
constexpr result<std::int32_t> apply_valid(const rescale_operator& op, code_range in, code_range out,
                                           std::int64_t value, std::int64_t multiplier, std::int64_t shift) {
  if (!in.contains(value)) {
    return outside(reason::code_out_of_range, place::input, in, value);
  }
  const std::int64_t centered = value - op.input_zp;
  const result<std::int32_t> scaled = op.scale32 ? apply_scale_32(centered, multiplier, shift, op.rounding)
                                                 : apply_scale_16(centered, multiplier, shift);
  if (!scaled) {
    rejection why = scaled.error();
    why.code = why.code == unset ? unset : value;
    return why;
  }
  const std::int64_t sum = *scaled + op.output_zp;
  if (!fits<std::int32_t>(sum)) {
    return outside(reason::value_exceeds_int32, place::output, int32_range, sum, value);
  }
  return static_cast<std::int32_t>(out.clamp(sum));
}

}  // namespace detail

/// RESCALE of one value.
///
/// Formula: clamp_out(apply_scale(value - input_zp) + output_zp); unsigned codes are unsigned numbers. A negative sum
///   becomes 0 with an unsigned output, as in the reference model.
/// Errors: those of `validate` and of apply_scale_32 or apply_scale_16; code_out_of_range: value outside the input
///   type.
/// Exactness: exact. Source: TOSA 1.0, RESCALE.
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
requires(std::integral<std::remove_const_t<In>>&& std::integral<Out>) constexpr verdict
    apply(const rescale_operator& op, const view<In, Rank>& input, const view<const std::int32_t>& multiplier,
          const view<const std::int32_t>& shift, const view<Out, Rank>& output) {
  if (const verdict v = validate(op); !v) {
    return v;
  }
  if (const verdict v = detail::validate_arguments(
          {output.occupies(place::output)}, {input.occupies(place::input), multiplier.occupies(), shift.occupies()});
      !v) {
    return v;
  }
  const std::int64_t count = op.per_channel ? input.extent(Rank - 1) : 1;
  for (const std::int64_t entries : {multiplier.extent(0), shift.extent(0)}) {
    if (entries != count) {
      return rejection{.why = reason::per_channel_count, .expected = count, .got = entries};
    }
  }
  const code_range in = range_of(op.in);
  const code_range out = range_of(op.out);
  if (const verdict v = detail::validate_elements(input, output, out); !v) {
    return v;
  }
  return detail::apply_elements(input, output, op.per_channel, [&](std::int64_t c) {
    return [&, m = multiplier(c), s = shift(c)](std::int64_t value) {
      return detail::apply_valid(op, in, out, value, m, s);
    };
  });
}

}  // namespace v0
}  // namespace dytq

#endif
