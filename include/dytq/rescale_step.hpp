// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RESCALE as a graph's chain of operators names it: per tensor, a 32-bit multiplier, made ready for many values.
#ifndef DYTQ_RESCALE_STEP_HPP
#define DYTQ_RESCALE_STEP_HPP

#include <cstdint>

#include "codes.hpp"
#include "numbers/integer.hpp"
#include "operators/rounding.hpp"
#include "result.hpp"

namespace dytq {
inline namespace v0 {

/// A per-tensor RESCALE with a 32-bit multiplier, as one step of a chain: what a graph's constants say of it.
/// `out` is the range that its result is clamped to: int8_range or int32_range.
///
/// Unlike `rescale_operator` it takes a zero point on either side, and the rounding of any toolchain: the chain
/// computes what the constants say.
struct rescale {
  std::int32_t multiplier = std::int32_t{1} << 30;       ///< in [0, 2^31)
  std::int32_t shift = 30;                               ///< to the right, in [2, 62]; others with other roundings
  std::int32_t input_zp = 0;                             ///< subtracted before the scale
  std::int32_t output_zp = 0;                            ///< added behind it
  code_range out = int32_range;                          ///< the result is clamped to it
  rounding_mode rounding = rounding_mode::single_round;  ///< any but inexact_round
  /// The value, less its zero point, is first shifted left in 32 bits: by 20 in the ADD of TFLite and CMSIS-NN, which
  /// alone have this.
  std::int32_t left_shift = 0;

  friend constexpr bool operator==(const rescale&, const rescale&) = default;
};

/// Is the step's scale legal, and its output range not empty and inside int32?
///
/// Errors: inexact_round; unknown_rounding_mode; range_inverted: also an output of XNNPACK that is not of 8 bits;
///   zero_point_out_of_range: the same; multiplier_negative; multiplier_too_large; shift_out_of_range: shift, or
///   left_shift, which must leave a bit of the value.
constexpr verdict validate(const rescale& r, place at = place::none) {
  if (const verdict v = detail::validate_mode(r.rounding, at); !v) {
    return v;
  }
  if (r.out.empty() || !int32_range.contains(r.out)) {
    return rejection{.why = reason::range_inverted, .at = at, .expected = r.out.lo, .got = r.out.hi};
  }
  if (const verdict v = detail::validate_scale(r.multiplier, r.shift, detail::limits_of(r.rounding), at); !v) {
    return v;
  }
  if (r.rounding >= rounding_mode::xnnpack_rndnu) {  // it clamps to a code before it adds the zero point
    constexpr code_range codes{-128, 255};
    if (!codes.contains(r.out)) {
      return rejection{.why = reason::range_inverted, .at = at, .expected = r.out.lo, .got = r.out.hi};
    }
    if (!codes.contains(r.output_zp)) {
      return rejection{
          .why = reason::zero_point_out_of_range, .at = at, .expected = codes.clamp(r.output_zp), .got = r.output_zp};
    }
  }
  if (r.left_shift != 0) {
    const bool shifts = r.rounding == rounding_mode::tflite_single || r.rounding == rounding_mode::tflite_double;
    const std::int32_t most = shifts ? detail::value_bits(r.rounding, r.shift) - 1 : 0;
    if (r.left_shift < 0 || r.left_shift > most) {
      return rejection{
          .why = reason::shift_out_of_range, .at = at, .expected = r.left_shift < 0 ? 0 : most, .got = r.left_shift};
    }
  }
  return accepted{};
}

/// A validated step, made ready for many values: `legal` says whether a value has a result, `operator()` computes it.
/// It is monotone: a larger value never gives a smaller result, so that a range is legal if its ends are.
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
        float32_(r.rounding == rounding_mode::xnnpack_fp32) {}

  /// Does the value have a result? Range: |value| <= 2^62, as in `reject`.
  constexpr bool legal(std::int64_t value) const {
    const std::int64_t centered = value - input_zp_;
    return centered >= -limit_ && centered < limit_ && (fits_sums(unclamped(value)) || float32_);
  }
  /// The result for a legal value.
  constexpr std::int32_t operator()(std::int64_t value) const {
    return is_linear() ? linear(value) : in_float32(value);
  }
  /// Is the result a product, a sum and a shift, so that `linear` gives it? But for float32 it is.
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
    return is_linear() && half_ == half_negative_ && fits<std::int32_t>(multiplier_);
  }
  /// Or is that line no integer for some value, so that its floor is another number?
  constexpr bool rounds() const { return multiplier_ % (std::int64_t{1} << shift_) != 0; }
  /// That floor, for a value that is legal or next to one.
  constexpr std::int64_t unclamped(std::int64_t value) const {
    return (((value - input_zp_) * multiplier_ + (value < input_zp_ ? half_negative_ : half_)) >> shift_) + output_zp_;
  }
  /// The range of the clamp.
  constexpr const code_range& range() const { return out_; }

  /// The rejection of a value that is not legal.
  constexpr rejection reject(std::int64_t value, place at) const {
    const std::int64_t centered = value - input_zp_;
    const bool inside = centered >= -limit_ && centered < limit_;
    if (fits<std::int32_t>(centered) && !inside) {
      return {.why = reason::value_exceeds_shift, .at = at, .expected = shift_, .got = centered};
    }
    const std::int64_t sum = inside ? unclamped(value) : centered;
    const std::int64_t wide = inside && fits<std::int32_t>(sum) ? sum - output_zp_ : sum;
    return {.why = reason::value_exceeds_int32, .at = at, .expected = int32_range.clamp(wide), .got = wide};
  }

 private:
  // What is scaled must fit, and its sum with the zero point. (In TOSA's modes the former always does.)
  constexpr bool fits_sums(std::int64_t sum) const {
    return fits<std::int32_t>(sum) && fits<std::int32_t>(sum - output_zp_);
  }
  // Apart, so that what calls it stays small.
  [[gnu::noinline]] constexpr std::int32_t in_float32(std::int64_t value) const {
    return static_cast<std::int32_t>(
        out_.clamp(detail::scale_in_float32(value - input_zp_, multiplier_, shift_) + output_zp_));
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
};

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
  const rescale_kernel kernel(r);
  if (!fits<std::int32_t>(value) || !kernel.legal(value)) {
    const std::int64_t centered = fits<std::int32_t>(value) ? value - r.input_zp : unset;
    if (r.rounding == rounding_mode::xnnpack_rndnu && fits<std::int32_t>(centered)) {
      const std::int64_t scaled = (centered * r.multiplier + (std::int64_t{1} << (r.shift - 1))) >> r.shift;
      return static_cast<std::int32_t>(r.out.clamp(std::int64_t{wrap_int32(scaled)} + r.output_zp));
    }
    rejection why =
        fits<std::int32_t>(value)
            ? kernel.reject(value, at)
            : rejection{
                  .why = reason::value_exceeds_int32, .at = at, .expected = int32_range.clamp(value), .got = value};
    why.code = value;
    return why;
  }
  return kernel(value);
}

}  // namespace v0
}  // namespace dytq

#endif
