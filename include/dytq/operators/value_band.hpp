// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What steps make of every code, from what they make of two: a proof that costs the same however many codes there are.
//
// Let Z be a straight line in the code x and z = floor(Z). Where z(x1) - z(x0) is a multiple of x1 - x0, z is a
// straight line between them: Z less that line is in [0, 1) at both ends, hence between them. Else z is less than 1
// away from the chord through its ends, on either side. Where no result is rounded, it stays between what it was
// between.
#ifndef DYTQ_OPERATORS_VALUE_BAND_HPP
#define DYTQ_OPERATORS_VALUE_BAND_HPP

#include <cstdint>

#include "../rescale_step.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// The values at codes x0 and x1, and two straight lines in the code, given by their values there, between which the
/// values of all codes from x0 to x1 are.
///
/// A template, so that only those who ask compile it.
template <class Kernel = rescale_kernel>
struct value_band {
  std::int64_t span;  ///< x1 - x0, at least 1
  std::int64_t value[2];
  std::int64_t low[2];
  std::int64_t high[2];

  /// The codes themselves.
  static constexpr value_band of_codes(std::int64_t x0, std::int64_t x1) {
    return {.span = x1 - x0, .value = {x0, x1}, .low = {x0, x1}, .high = {x0, x1}};
  }

  /// Are all values on the line of `value`, and is its slope an integer?
  constexpr bool is_line() const { return (value[1] - value[0]) % span == 0 && low[0] == high[0] && low[1] == high[1]; }

  constexpr void multiply(std::int64_t factor) {
    for (int e = 0; e < 2; ++e) {
      value[e] *= factor;
      const std::int64_t product = low[e] * factor;
      low[e] = factor < 0 ? high[e] * factor : product;
      high[e] = factor < 0 ? product : high[e] * factor;
    }
  }
  constexpr void add(std::int64_t term) {
    for (int e = 0; e < 2; ++e) {
      value[e] += term;
      low[e] += term;
      high[e] += term;
    }
  }
  /// Through a step that is legal for every value. -> false: it clamps some or rounds by the sign, or the band is too
  /// wide, and nobody knows.
  constexpr bool pass(const Kernel& step) {
    for (int e = 0; e < 2; ++e) {
      const std::int64_t before = value[e];
      value[e] = step.unclamped(before);
      if (!step.floors_a_line() || !step.range().contains(value[e])) {
        return false;
      }
      for (std::int64_t* const bound : {&low[e], &high[e]}) {
        if (*bound != before && !step.legal(*bound)) {
          return false;
        }
        *bound = *bound == before ? value[e] : step.unclamped(*bound);
      }
    }
    const std::int64_t below = !step.rounds() || (low[1] - low[0]) % span == 0 ? 0 : 1;
    const std::int64_t above = !step.rounds() || (high[1] - high[0]) % span == 0 ? 0 : 1;
    for (int e = 0; e < 2; ++e) {
      low[e] -= below;
      high[e] += above;
    }
    return true;
  }
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
