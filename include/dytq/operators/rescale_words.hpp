// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A step on words of 32 bits, for loops over many values that a compiler makes vectors of.
#ifndef DYTQ_OPERATORS_RESCALE_WORDS_HPP
#define DYTQ_OPERATORS_RESCALE_WORDS_HPP

#include <cstdint>

#include "../numbers/integer.hpp"
#include "../rescale_step.hpp"
#include "../result.hpp"

namespace dytq {
inline namespace v0 {

/// A step without its clamp: ((value + in) * multiplier + constant >> shift) + out, modulo 2^32 but for the product and
/// its sum, which are unsigned and of 64 bits.
struct rescale_words {
  std::uint32_t in = 0;          ///< added to the value: 2^31 less the input zero point
  std::uint32_t multiplier = 0;  ///< in [0, 2^31)
  std::uint64_t constant = 0;    ///< added to the product: the rounding, and what makes it >= 0
  std::int32_t shift = 0;        ///< to the right
  std::uint32_t out = 0;         ///< added behind the shift: the output zero point, less what made the sum >= 0

  /// Errors: those of `validate`; multiplier_too_large: with the left shift it does not fit int32;
  ///   unknown_rounding_mode: the step rounds negative values in another way than the others.
  /// Exactness: exact for every value that `rescale_kernel` calls legal.
  static constexpr result<rescale_words> make(const rescale& r) {
    if (const verdict v = validate(r); !v) {
      return v.error();
    }
    const std::int64_t multiplier = std::int64_t{r.multiplier} << r.left_shift;
    if (!fits<std::int32_t>(multiplier)) {
      return rejection{.why = reason::multiplier_too_large, .expected = int32_max, .got = multiplier};
    }
    if (!rescale_kernel(r).floors_a_line()) {
      return rejection{.why = reason::unknown_rounding_mode, .got = static_cast<std::int64_t>(r.rounding)};
    }
    // A multiple of 2^shift is added to what would be negative, and taken off behind the shift.
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

}  // namespace v0
}  // namespace dytq

#endif
