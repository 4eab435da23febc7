// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one walk through a chain's steps can compute: one value, a checked value, all codes at once, a range, a proof
// that the result is a line. Each visitor offers the same seven operations; a step of a chain is one to three of them.
// An operation that returns false ends the walk.
// Folder operators: what operators share: roundings, geometry, memory, the visitors of a chain. Not here: a fold.
#ifndef DYTQ_OPERATORS_CHAIN_VISITORS_HPP
#define DYTQ_OPERATORS_CHAIN_VISITORS_HPP

#include <cstdint>

#include "../codes.hpp"
#include "../numbers/integer.hpp"
#include "../rescale.hpp"
#include "../result.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// The entries of a TABLE, for the codes -128 to 127.
struct table_entries {
  const std::int8_t* first = nullptr;
  std::int64_t stride = 1;

  constexpr std::int8_t operator()(std::int64_t code) const { return first[(code + 128) * stride]; }
};

/// ARITHMETIC_RIGHT_SHIFT. Range: by in [0, 31].
constexpr std::int32_t shift_right(std::int32_t v, std::int32_t by, bool round) {
  return (v >> by) + (round && by > 0 ? (v >> (by - 1)) & 1 : 0);
}

/// One value, for which every step is known to be defined.
struct chain_value {
  std::int32_t value;

  constexpr bool rescale(const rescale_kernel& step) {
    value = step(value);
    return true;
  }
  constexpr bool multiply(std::int64_t factor) {
    value = wrap_int32(value * factor);
    return true;
  }
  constexpr bool add(std::int64_t term) {
    value = static_cast<std::int32_t>(value + term);
    return true;
  }
  constexpr bool clamp(const code_range& range) {
    value = static_cast<std::int32_t>(range.clamp(value));
    return true;
  }
  constexpr bool absolute() {
    value = value < 0 ? -value : value;
    return true;
  }
  constexpr bool shift(std::int32_t by, bool round) {
    value = shift_right(value, by, round);
    return true;
  }
  constexpr bool lookup(const table_entries& table) {
    value = table(value);
    return true;
  }
};

/// One value; the walk ends at the first step that is not defined for it, and `why` says so.
struct checked_value {
  std::int32_t value;
  rejection why = {};

  constexpr bool rescale(const rescale_kernel& step) {
    if (!step.legal(value)) {
      why = step.reject(value, place::none);
      return false;
    }
    value = step(value);
    return true;
  }
  constexpr bool multiply(std::int64_t factor) {
    value = wrap_int32(value * factor);
    return true;
  }
  constexpr bool add(std::int64_t term) {
    const std::int64_t sum = value + term;
    if (!fits<std::int32_t>(sum)) {
      why = {.why = reason::add_overflow, .expected = int32_range.clamp(sum), .got = sum};
      return false;
    }
    value = static_cast<std::int32_t>(sum);
    return true;
  }
  constexpr bool clamp(const code_range& range) {
    value = static_cast<std::int32_t>(range.clamp(value));
    return true;
  }
  constexpr bool absolute() {
    if (value == int32_min) {
      why = {.why = reason::value_exceeds_int32, .expected = int32_max, .got = -std::int64_t{value}};
      return false;
    }
    value = value < 0 ? -value : value;
    return true;
  }
  constexpr bool shift(std::int32_t by, bool round) {
    value = shift_right(value, by, round);
    return true;
  }
  constexpr bool lookup(const table_entries& table) {
    value = table(value);
    return true;
  }
};

/// The values of many codes, step after step, each step a loop over all codes. Every step is known to be defined.
struct chain_values {
  std::int32_t* values;
  int count;

  constexpr bool rescale(const rescale_kernel& step) {
    if (step.is_linear()) {
      for (int i = 0; i < count; ++i)
        values[i] = step.linear(values[i]);
    } else {
      for (int i = 0; i < count; ++i)
        values[i] = step(values[i]);
    }
    return true;
  }
  constexpr bool multiply(std::int64_t factor) {
    for (int i = 0; i < count; ++i)
      values[i] = wrap_int32(values[i] * factor);
    return true;
  }
  constexpr bool add(std::int64_t term) {
    for (int i = 0; i < count; ++i)
      values[i] = static_cast<std::int32_t>(values[i] + term);
    return true;
  }
  constexpr bool clamp(const code_range& range) {
    const auto lo = static_cast<std::int32_t>(range.lo);
    const auto hi = static_cast<std::int32_t>(range.hi);
    for (int i = 0; i < count; ++i)
      values[i] = values[i] < lo ? lo : values[i] > hi ? hi : values[i];
    return true;
  }
  constexpr bool absolute() {
    for (int i = 0; i < count; ++i)
      values[i] = values[i] < 0 ? -values[i] : values[i];
    return true;
  }
  constexpr bool shift(std::int32_t by, bool round) {
    for (int i = 0; i < count; ++i)
      values[i] = shift_right(values[i], by, round);
    return true;
  }
  constexpr bool lookup(const table_entries& table) {
    for (int i = 0; i < count; ++i)
      values[i] = table(values[i]);
    return true;
  }
};

/// A range that holds the values of all codes. Factors and terms may be ranges too, those of all channels. The walk
/// ends where a step could be undefined, or a product could wrap, for a value of the range.
struct chain_range {
  code_range values;

  constexpr bool rescale(const rescale_kernel& step) {  // monotone: a range is legal if its ends are
    if (!step.legal(values.lo) || !step.legal(values.hi)) {
      return false;
    }
    values = {step(values.lo), step(values.hi)};
    return true;
  }
  constexpr bool multiply(const code_range& factor) {
    const std::int64_t first = values.lo * factor.lo;
    values = code_range{first, first}
                 .extended_to(values.lo * factor.hi)
                 .extended_to(values.hi * factor.lo)
                 .extended_to(values.hi * factor.hi);
    return int32_range.contains(values);
  }
  constexpr bool multiply(std::int64_t factor) { return multiply(code_range{factor, factor}); }
  constexpr bool add(std::int64_t term) { return add(code_range{term, term}); }
  constexpr bool add(const code_range& term) {
    values = {values.lo + term.lo, values.hi + term.hi};
    return int32_range.contains(values);
  }
  constexpr bool clamp(const code_range& range) {
    values = {range.clamp(values.lo), range.clamp(values.hi)};
    return true;
  }
  constexpr bool absolute() {
    if (values.lo == int32_min) {
      return false;
    }
    const std::int64_t lo = values.lo < 0 ? -values.lo : values.lo;
    const std::int64_t hi = values.hi < 0 ? -values.hi : values.hi;
    values = {values.lo < 0 && values.hi > 0 ? 0 : lo < hi ? lo : hi, lo > hi ? lo : hi};
    return true;
  }
  constexpr bool shift(std::int32_t by, bool round) {
    values = {shift_right(static_cast<std::int32_t>(values.lo), by, round),
              shift_right(static_cast<std::int32_t>(values.hi), by, round)};
    return true;
  }
  constexpr bool lookup(const table_entries&) {
    values = int8_range;
    return true;
  }
};

/// A proof that the values of all codes are on one line, from the values of two: it costs the same however many codes
/// there are.
///
/// The values at codes x0 and x1, and two straight lines in the code, given by their values there, between which the
/// values of all codes from x0 to x1 are. Let Z be a straight line in the code x and z = floor(Z). Where z(x1) - z(x0)
/// is a multiple of x1 - x0, z is a straight line between them: Z less that line is in [0, 1) at both ends, hence
/// between them. Else z is less than 1 away from the chord through its ends, on either side. Where no result is
/// rounded, it stays between what it was between. Every operation that it passes is monotone, so that what holds for
/// the values at both ends (no clamp, no overflow) holds for all.
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

  /// False: not known to be a line, since it clamps some values, rounds by the sign, or the band is too wide.
  constexpr bool rescale(const rescale_kernel& step) {
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
  constexpr bool multiply(std::int64_t factor) {
    for (int e = 0; e < 2; ++e) {
      if (!fits<std::int32_t>(low[e]) || !fits<std::int32_t>(high[e]) || !fits<std::int32_t>(value[e] * factor)) {
        return false;
      }
      value[e] *= factor;
      const std::int64_t product = low[e] * factor;
      low[e] = factor < 0 ? high[e] * factor : product;
      high[e] = factor < 0 ? product : high[e] * factor;
    }
    return true;
  }
  constexpr bool add(std::int64_t term) {
    for (int e = 0; e < 2; ++e) {
      value[e] += term;
      low[e] += term;
      high[e] += term;
    }
    return true;
  }
  constexpr bool clamp(const code_range& range) { return range.contains(value[0]) && range.contains(value[1]); }
  constexpr bool absolute() {
    return value[0] >= 0 && value[1] >= 0 ? true : value[0] <= 0 && value[1] <= 0 && multiply(-1);
  }
  constexpr bool shift(std::int32_t by, bool) { return by == 0; }
  constexpr bool lookup(const table_entries&) { return false; }
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
