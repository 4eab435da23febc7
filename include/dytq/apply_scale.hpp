// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scaling of one value by a multiplier and a shift, to the bit of TOSA 1.0.
#ifndef DYTQ_APPLY_SCALE_HPP
#define DYTQ_APPLY_SCALE_HPP

#include <cstdint>

#include "codes.hpp"
#include "integer.hpp"
#include "result.hpp"

namespace dytq::inline v0 {

/// TOSA's rounding modes. inexact_round leaves the result to the backend, so nothing here computes it.
enum class rounding_mode : std::uint8_t { single_round, double_round, inexact_round };

/// The least shift of a RESCALE. Source: TOSA 1.0, apply_scale_32.
inline constexpr std::int32_t min_shift = 2;
/// The greatest shift of a RESCALE.
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

}  // namespace dytq::inline v0

#endif
