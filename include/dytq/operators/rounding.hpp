// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a scaled product is rounded, and on which values: TOSA, and other toolchains (docs/requantization.md).
#ifndef DYTQ_OPERATORS_ROUNDING_HPP
#define DYTQ_OPERATORS_ROUNDING_HPP

#include <cstdint>

#include "../codes.hpp"
#include "../numbers/integer.hpp"
#include "../result.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

// The scales that a rounding or a target takes.
struct scale_limits {
  std::int64_t multiplier_max = int32_max;
  std::int32_t min_shift = dytq::min_shift;
  std::int32_t max_shift = dytq::max_shift;
};

constexpr verdict validate_scale(std::int64_t multiplier, std::int64_t shift, const scale_limits& limits, place at) {
  if (multiplier < 0) {
    return rejection{.why = reason::multiplier_negative, .at = at, .expected = 0, .got = multiplier};
  }
  if (multiplier > limits.multiplier_max) {
    return rejection{
        .why = reason::multiplier_too_large, .at = at, .expected = limits.multiplier_max, .got = multiplier};
  }
  if (shift < limits.min_shift || shift > limits.max_shift) {
    return rejection{.why = reason::shift_out_of_range,
                     .at = at,
                     .expected = shift < limits.min_shift ? limits.min_shift : limits.max_shift,
                     .got = shift};
  }
  return accepted{};
}

// The scales that a mode takes.
constexpr scale_limits limits_of(rounding_mode r) {
  return r >= rounding_mode::onnx ? scale_limits{.multiplier_max = (1 << 24) - 1, .min_shift = 1}
         : r >= rounding_mode::xnnpack_rndnu
             ? scale_limits{.multiplier_max = (1 << 24) - 1, .min_shift = 16, .max_shift = 55}
         : r >= rounding_mode::tflite_single ? scale_limits{.min_shift = 1}
                                             : scale_limits{};
}

// Is there such a mode, and does it define a result?
constexpr verdict validate_mode(rounding_mode r, place at) {
  if (r == rounding_mode::inexact_round) {
    return rejection{.why = reason::inexact_round, .at = at};
  }
  return r <= rounding_mode::onnx_multiply
             ? verdict(accepted{})
             : rejection{.why = reason::unknown_rounding_mode, .at = at, .got = static_cast<std::int64_t>(r)};
}

// The same of TOSA's modes.
constexpr verdict validate_rounding(rounding_mode r, place at) {
  return r <= rounding_mode::inexact_round
             ? validate_mode(r, at)
             : rejection{.why = reason::unknown_rounding_mode, .at = at, .got = static_cast<std::int64_t>(r)};
}

// Is the arithmetic that of float32?
constexpr bool rounds_in_float32(rounding_mode r) { return r >= rounding_mode::xnnpack_fp32; }

constexpr bool rounds_twice(rounding_mode r) {
  return r == rounding_mode::double_round || r == rounding_mode::tflite_double;
}

// What is added before the shift, for a value >= 0 and for a value < 0.
constexpr std::int64_t rounding_term(bool value_negative, std::int32_t shift, rounding_mode r) {
  const std::int64_t half = std::int64_t{1} << (shift - 1);
  return rounds_twice(r) && shift > 31 ? half + (value_negative ? -(std::int64_t{1} << 30) : std::int64_t{1} << 30)
                                       : half;
}

// Values must be in [-2^n, 2^n): this n.
constexpr std::int32_t value_bits(rounding_mode r, std::int32_t shift) {
  const std::int32_t n = r <= rounding_mode::inexact_round   ? shift - 1
                         : r == rounding_mode::tflite_double ? shift
                         : r == rounding_mode::onnx_multiply ? 16
                                                             : 31;
  return n < 31 ? n : 31;
}

constexpr code_range values_of(rounding_mode r, std::int32_t shift) {
  const std::int64_t limit = std::int64_t{1} << value_bits(r, shift);
  return {-limit, limit - 1};
}

// v, rounded half to even to `bits` bits; the bits that went are added to `gone`.
constexpr std::uint64_t leading_bits(std::uint64_t v, int bits, int& gone) {
  int by = 0;
  while (v >> by >> bits != 0) {
    ++by;
  }
  gone += by;
  return by == 0 ? v : shift_right_half_even(v, by);
}

// float(value) * scale + added in float32, rounded half to even, for the scale multiplier / 2^shift; every step in
// integers. Cut off at +-2^30. |value| <= 2^32, 0 <= multiplier < 2^24, 1 <= shift <= 62, |added| <= 2^9: no step
// leaves float32's normal numbers.
constexpr std::int64_t scale_in_float32(std::int64_t value, std::int64_t multiplier, std::int32_t shift,
                                        std::int64_t added = 0) {
  int exponent = -shift;
  const std::uint64_t as_float = leading_bits(magnitude(value), 24, exponent);
  std::uint64_t scaled = leading_bits(as_float * static_cast<std::uint64_t>(multiplier), 24, exponent);
  bool negative = value < 0;
  if (added != 0 && exponent < 16) {
    if (exponent < -50) {
      return added;  // what is scaled is below 2^-26
    }
    const int up = exponent > 0 ? exponent : 0;
    const auto product = static_cast<std::int64_t>(scaled << up);
    exponent -= up;
    const std::int64_t sum = (negative ? -product : product) + added * (std::int64_t{1} << -exponent);
    negative = sum < 0;
    scaled = leading_bits(magnitude(sum), 24, exponent);
  }
  constexpr std::int64_t most = std::int64_t{1} << 30;
  auto rounded =
      static_cast<std::int64_t>(exponent < 0 ? shift_right_half_even(scaled, -exponent) : scaled << exponent);
  rounded = rounded < most ? rounded : most;
  return negative ? -rounded : rounded;
}

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
