// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// IEEE 754 binary32 on integers: the same bits whatever the processor, the compiler or its flags do to floats.
#ifndef DYTQ_NUMBERS_FLOAT32_HPP
#define DYTQ_NUMBERS_FLOAT32_HPP

#include <bit>
#include <cstdint>

#include "integer.hpp"

namespace dytq {
inline namespace v0 {
namespace detail {

/// A binary32 number as its bits. Operations round to nearest, ties to even; subnormals are kept.
/// Exactness: correctly rounded, as IEEE 754 asks; a NaN has one form.
struct float32 {
  std::uint32_t bits = 0;  ///< sign, 8 of the exponent, 23 of the fraction

  static constexpr std::uint32_t infinity_bits = 0x7f800000u;  ///< of +infinity
  static constexpr std::uint32_t nan_bits = 0x7fc00000u;       ///< of the one NaN that operations give

  /// Is the sign bit set?
  constexpr bool negative() const { return (bits >> 31) != 0; }
  /// Is it 0 or -0?
  constexpr bool is_zero() const { return (bits << 1) == 0; }
  /// Is it infinite, on either side?
  constexpr bool is_infinite() const { return (bits & 0x7fffffffu) == infinity_bits; }
  /// Is it not a number?
  constexpr bool is_nan() const { return (bits & 0x7fffffffu) > infinity_bits; }
  /// Is it neither infinite nor NaN?
  constexpr bool is_finite() const { return (bits & infinity_bits) != infinity_bits; }

  /// |value| = mantissa * 2^exponent, for finite numbers.
  constexpr std::uint64_t mantissa() const {
    return (bits & 0x7fffffu) | ((bits & infinity_bits) != 0 ? 0x800000u : 0u);
  }
  /// See `mantissa`.
  constexpr std::int32_t exponent() const {
    const auto field = static_cast<std::int32_t>((bits >> 23) & 0xffu);
    return (field != 0 ? field : 1) - 150;
  }

  /// The float nearest to (-1)^neg * m * 2^e; `rest` says that the value is a little greater in magnitude, by less than
  /// 1 of m. A value with a rest needs m >= 2^25.
  static constexpr float32 nearest(bool neg, std::uint64_t m, std::int32_t e, bool rest = false) {
    const std::uint32_t sign = neg ? 0x80000000u : 0;
    if (m == 0) {
      return {sign};
    }
    const int by = std::countl_zero(m);
    m <<= by;
    e += 64 - by;  // m / 2^64 * 2^e, with m / 2^64 in [1/2, 1)
    if (e > 128) {
      return {sign | infinity_bits};
    }
    if (e < -149) {
      return {sign};  // below half of the smallest number
    }
    const int drop = e >= -125 ? 40 : 40 + (-125 - e);
    // A carry increments the exponent field; from the largest number it gives infinity, as IEEE 754 asks.
    const auto field = static_cast<std::uint32_t>(e >= -125 ? e + 125 : 0);
    return {sign | ((field << 23) + static_cast<std::uint32_t>(shift_right_half_even(m, drop, rest)))};
  }
  /// The float nearest to an integer.
  static constexpr float32 from_integer(std::int64_t v) {
    return nearest(v < 0, v < 0 ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v), 0);
  }
  /// The float nearest to a double.
  static constexpr float32 from_double(double v) {
    const dyadic d(v);
    const std::uint32_t sign = d.negative ? 0x80000000u : 0;
    if (!d.finite) {
      return {(d.mantissa << 12) != 0 ? nan_bits : sign | infinity_bits};
    }
    return nearest(d.negative, d.mantissa, d.exponent);
  }

  /// The opposite; flips the sign bit.
  constexpr float32 operator-() const { return {bits ^ 0x80000000u}; }

  /// The product, correctly rounded.
  friend constexpr float32 operator*(float32 a, float32 b) {
    const bool neg = a.negative() != b.negative();
    if (a.is_nan() || b.is_nan() || (a.is_infinite() && b.is_zero()) || (a.is_zero() && b.is_infinite())) {
      return {nan_bits};
    }
    if (a.is_infinite() || b.is_infinite()) {
      return {(neg ? 0x80000000u : 0u) | infinity_bits};
    }
    return nearest(neg, a.mantissa() * b.mantissa(), a.exponent() + b.exponent());
  }

  /// The sum, correctly rounded.
  friend constexpr float32 operator+(float32 a, float32 b) {
    if (a.is_nan() || b.is_nan() || (a.is_infinite() && b.is_infinite() && a.negative() != b.negative())) {
      return {nan_bits};
    }
    if (a.is_infinite()) {
      return a;
    }
    if (b.is_infinite()) {
      return b;
    }
    if (a.is_zero() && b.is_zero()) {
      return {a.bits & b.bits};
    }
    if ((a.bits << 1) < (b.bits << 1)) {
      return b + a;
    }
    // 38 bits below the greater number, and whether anything of the smaller one lies below them.
    const int d = a.exponent() - b.exponent();
    const std::uint64_t high = a.mantissa() << 38, low = d > 62 ? 0 : (b.mantissa() << 38) >> d;
    const bool rest = d > 62 ? !b.is_zero() : d > 0 && (low << d) != b.mantissa() << 38;
    if (a.negative() == b.negative()) {
      return nearest(a.negative(), high + low, a.exponent() - 38, rest);
    }
    const std::uint64_t difference = high - low - (rest ? 1 : 0);
    return nearest(difference != 0 && a.negative(), difference, a.exponent() - 38, rest);
  }

  /// The quotient, correctly rounded.
  friend constexpr float32 operator/(float32 a, float32 b) {
    const bool neg = a.negative() != b.negative();
    const std::uint32_t sign = neg ? 0x80000000u : 0;
    if (a.is_nan() || b.is_nan() || (a.is_infinite() && b.is_infinite()) || (a.is_zero() && b.is_zero())) {
      return {nan_bits};
    }
    if (a.is_infinite() || b.is_zero()) {
      return {sign | infinity_bits};
    }
    if (b.is_infinite() || a.is_zero()) {
      return {sign};
    }
    const int by = std::countl_zero(a.mantissa());
    const std::uint64_t n = a.mantissa() << by, q = n / b.mantissa();
    return nearest(neg, q, a.exponent() - by - b.exponent(), q * b.mantissa() != n);
  }

  friend constexpr bool operator==(float32, float32) = default;
};

/// 1 / v in double precision, rounded to nearest even, then to float32: `float(1.0 / v)`. Range: v > 0, finite.
/// Errors: a reciprocal beyond double's normal numbers gives infinity or 0, as float32 does.
constexpr float32 reciprocal_float32(double v) {
  const dyadic d(v);
  const int by = std::countl_zero(d.mantissa) - 11;
  const std::uint64_t m = d.mantissa << by;
  // 2^106 / m by long division: 54 bits or, for a power of two, 55.
  std::uint64_t q = 0, rest = std::uint64_t{1} << 52;
  for (int i = 0; i <= 54; ++i) {
    const bool one = rest >= m;
    q = 2 * q + (one ? 1 : 0);
    rest = 2 * (one ? rest - m : rest);
  }
  const int drop = static_cast<int>(std::bit_width(q)) - 53;
  return float32::nearest(false, shift_right_half_even(q, drop, rest != 0), drop - 106 - d.exponent + by);
}

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
