// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scaling of one value by a multiplier and a shift, to the bit of TOSA 1.0.
#ifndef DYTQ_OPERATORS_APPLY_SCALE_HPP
#define DYTQ_OPERATORS_APPLY_SCALE_HPP

#include <cstdint>

#include "../codes.hpp"
#include "../numbers/integer.hpp"
#include "../result.hpp"
#include "rounding.hpp"

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
  const auto s = static_cast<std::int32_t>(shift);
  if (!fits<std::int32_t>(value)) {
    return rejection{
        .why = reason::value_exceeds_int32, .code = value, .expected = int32_range.clamp(value), .got = value};
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
  if (const verdict v = detail::validate_scale(multiplier, shift, {.multiplier_max = int16_range.hi}, place::none);
      !v) {
    return v.error();
  }
  if (constexpr code_range int48 = range_of(code_type::i48); !int48.contains(value)) {
    return rejection{
        .why = reason::value_exceeds_int48, .code = value, .expected = value < 0 ? int48.lo : int48.hi, .got = value};
  }
  const std::int64_t scaled = (value * multiplier + (std::int64_t{1} << (shift - 1))) >> shift;
  if (!fits<std::int32_t>(scaled)) {
    return rejection{
        .why = reason::value_exceeds_int32, .code = value, .expected = int32_range.clamp(scaled), .got = scaled};
  }
  return static_cast<std::int32_t>(scaled);
}

}  // namespace v0
}  // namespace dytq

#endif
