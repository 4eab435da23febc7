// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RESCALE as a graph's chain of operators names it: per tensor, a 32-bit multiplier, made ready for many values.
#ifndef DYTQ_RESCALE_STEP_HPP
#define DYTQ_RESCALE_STEP_HPP

#include <cstdint>

#include "apply_scale.hpp"
#include "codes.hpp"
#include "integer.hpp"
#include "result.hpp"

namespace dytq::inline v0 {

/// A per-tensor RESCALE with a 32-bit multiplier, as one step of a chain: what a graph's constants say of it.
/// `out` is the range that its result is clamped to: int8_range or int32_range.
///
/// Unlike `rescale_operator` it takes a zero point on either side: the chain computes what the constants say.
struct rescale {
  std::int32_t multiplier = std::int32_t{1} << 30;       ///< in [0, 2^31)
  std::int32_t shift = 30;                               ///< to the right, in [2, 62]
  std::int32_t input_zp = 0;                             ///< subtracted before the scale
  std::int32_t output_zp = 0;                            ///< added behind it
  code_range out = int32_range;                          ///< the result is clamped to it
  rounding_mode rounding = rounding_mode::single_round;  ///< single_round or double_round

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
  /// Of a step that `validate` accepts.
  constexpr explicit rescale_kernel(const rescale& r)
      : multiplier_(r.multiplier),
        shift_(r.shift),
        half_(detail::rounding_term(false, r.shift, r.rounding)),
        half_negative_(detail::rounding_term(true, r.shift, r.rounding)),
        input_zp_(r.input_zp),
        output_zp_(r.output_zp),
        out_(r.out) {}

  /// Does the value have a result?
  constexpr bool legal(std::int64_t value) const {
    return detail::fits_shift(value - input_zp_, shift_) && fits<std::int32_t>(unclamped(value));
  }
  /// The result for a legal value. Written out, since a constant expression pays for every call.
  constexpr std::int32_t operator()(std::int64_t value) const {
    const std::int64_t r =
        (((value - input_zp_) * multiplier_ + (value < input_zp_ ? half_negative_ : half_)) >> shift_) + output_zp_;
    return static_cast<std::int32_t>(r < out_.lo ? out_.lo : r > out_.hi ? out_.hi : r);
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
