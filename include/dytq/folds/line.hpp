// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line through codes and values, with a rational slope.
#ifndef DYTQ_FOLDS_LINE_HPP
#define DYTQ_FOLDS_LINE_HPP

#include <cstdint>

#include "../numbers/integer.hpp"

namespace dytq {
inline namespace v0 {

/// value(code) = first_value + numerator / denominator * (code - first_code), in lowest terms, denominator >= 1.
struct affine_fit {
  std::int64_t numerator = 0;    ///< of the slope
  std::int64_t denominator = 1;  ///< of the slope
  std::int64_t first_code = 0;   ///< the reference
  std::int64_t first_value = 0;  ///< the value there

  /// Is it slope * code + offset with both integers?
  constexpr bool integral() const { return denominator == 1; }
  /// The slope of an integral fit.
  constexpr std::int64_t slope() const { return numerator; }
  /// The value at code 0 of an integral fit.
  constexpr std::int64_t offset() const { return first_value - numerator * first_code; }

  friend constexpr bool operator==(const affine_fit&, const affine_fit&) = default;
};

/// The line through (code0, value0) and (code1, value1), code0 != code1.
/// Range: differences of codes and of values below 2^31 in magnitude.
constexpr affine_fit line_through(std::int64_t code0, std::int64_t value0, std::int64_t code1, std::int64_t value1) {
  const std::int64_t run = code1 > code0 ? code1 - code0 : code0 - code1;
  const std::int64_t rise = code1 > code0 ? value1 - value0 : value0 - value1;
  const auto divisor = static_cast<std::int64_t>(
      detail::greatest_common_divisor(static_cast<std::uint64_t>(run), detail::magnitude(rise)));
  return {.numerator = rise / divisor, .denominator = run / divisor, .first_code = code0, .first_value = value0};
}

/// Does the point lie on the line? Range: differences from the line's first point below 2^31 in magnitude.
constexpr bool on_line(const affine_fit& line, std::int64_t code, std::int64_t value) {
  return (value - line.first_value) * line.denominator == line.numerator * (code - line.first_code);
}

/// floor of the line's value at a code.
constexpr std::int64_t floor_value(const affine_fit& line, std::int64_t code) {
  return line.first_value + detail::floor_div(line.numerator * (code - line.first_code), line.denominator);
}

}  // namespace v0
}  // namespace dytq

#endif
