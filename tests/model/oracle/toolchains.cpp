// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchains.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace oracle {
namespace {

wide two_to(integer n) { return wide(1) << n; }

// Rounding of an exact fraction; ties as said.
integer half_up(const rational& r) { return static_cast<integer>(floor_div(2 * r.num + r.den, 2 * r.den)); }
integer half_away(const rational& r) { return r.num < 0 ? -half_up(rational(-r.num, r.den)) : half_up(r); }

integer to_int8(wide v) { return static_cast<integer>(std::min<wide>(127, std::max<wide>(-128, v))); }

}  // namespace

outcome<multiplier_and_shift> multiplier_in(const std::string& dialect, double scale) {
  if (!std::isfinite(scale) || scale < 0)
    return refusal{"bad_scale", "not a scale"};
  int exponent = 0;
  const double mantissa = std::frexp(scale, &exponent);
  const double fixed = mantissa * 2147483648.0;  // exact
  double rounded = std::round(fixed);
  if (dialect == "tflm" && fixed - std::floor(fixed) == 0.5)
    rounded = std::floor(fixed);
  integer multiplier = static_cast<integer>(rounded);
  if (dialect == "vela") {
    const integer shift = 31 - exponent;
    return shift < 0 || shift > 63 ? multiplier_and_shift{0, 16} : multiplier_and_shift{multiplier, shift};
  }
  if (multiplier == integer(1) << 31) {
    multiplier /= 2;
    exponent += 1;
  }
  if (dialect == "mlir") {
    integer shift = 31 - exponent;
    if (shift < 2)
      return refusal{"bad_scale", "too large"};
    for (integer n = 0; shift > 62; ++n, --shift)
      multiplier = n < 31 ? multiplier / 2 : multiplier;
    return multiplier_and_shift{multiplier, shift};
  }
  if (exponent < -31)
    return multiplier_and_shift{0, 0};
  if (exponent > 30 && dialect == "tflite_single")
    return multiplier_and_shift{2147483647, 30};
  return multiplier_and_shift{multiplier, exponent};
}

outcome<integer> requantize_double(integer value, integer multiplier, integer left_shift) {
  if (multiplier < 0 || multiplier > i32_max || left_shift < -31 || left_shift > 30)
    return refusal{"unpredictable", "scale"};
  const wide shifted = left_shift > 0 ? wide(value) * two_to(left_shift) : wide(value);
  if (!fits_i32(shifted))
    return refusal{"unpredictable", "left shift"};
  const integer high = half_up(rational(shifted * multiplier, two_to(31)));
  return left_shift < 0 ? half_away(rational(high, two_to(-left_shift))) : high;
}

outcome<integer> requantize_single(integer value, integer multiplier, integer left_shift) {
  if (multiplier < 0 || multiplier > i32_max || left_shift < -31 || left_shift > 30 || !fits_i32(value))
    return refusal{"unpredictable", "scale"};
  const integer result = half_up(rational(wide(value) * multiplier, two_to(31 - left_shift)));
  if (!fits_i32(result))
    return refusal{"unpredictable", "result"};
  return result;
}

integer requantize_fp32(integer value, double scale, integer zero_point) {
  static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1 || FLT_EVAL_METHOD == 2);
  volatile float as_float = static_cast<float>(static_cast<std::int32_t>(value));
  volatile float scaled = as_float * static_cast<float>(scale);
  const float least = static_cast<float>(-128 - zero_point), most = static_cast<float>(127 - zero_point);
  const float clamped = std::min(std::max(static_cast<float>(scaled), least), most);
  return static_cast<integer>(std::nearbyint(clamped)) + zero_point;
}

integer requantize_rndnu(integer value, double scale, integer zero_point) {
  int exponent = 0;
  const wide multiplier = static_cast<wide>(std::frexp(scale, &exponent) * 16777216.0);
  const integer scaled = half_up(rational(wide(value) * multiplier, two_to(24 - exponent)));
  return to_int8(wide(wrap32(scaled)) + zero_point);
}

}  // namespace oracle
