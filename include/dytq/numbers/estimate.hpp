// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast first look: non-negative numbers of one limb with a certified relative error. What they cannot decide goes
// to `real`, so their precision is a matter of cost, never of correctness.
#ifndef DYTQ_NUMBERS_ESTIMATE_HPP
#define DYTQ_NUMBERS_ESTIMATE_HPP

#include <bit>
#include <cstdint>

#include "fixed.hpp"
#include "real.hpp"

namespace dytq {
inline namespace v0 {
namespace detail {

/// A number >= 0 that is known up to a relative error.
///
/// Formula: true value = m * 2^(exponent - 64) * (1 + d), |d| <= error * 2^(-64).
/// Range: m is 0 or at least 2^62. Errors are meaningful up to 2^error_limit_log2; above, the number is unknown. The
///   rules below hold while the product of the two errors is below 2^64.
struct estimate {
  static constexpr int error_limit_log2 = 48;                             ///< greater errors are not tracked
  static constexpr std::uint64_t unknown_error = std::uint64_t{1} << 56;  ///< of a number of which nothing is known

  std::uint64_t m = 0;        ///< the mantissa
  std::int32_t exponent = 0;  ///< of the mantissa as a fraction
  std::uint64_t error = 0;    ///< relative, in 2^-64

  /// Is anything known of it?
  constexpr bool known() const { return error <= std::uint64_t{1} << error_limit_log2; }
};

/// An estimate of a number of either sign.
struct signed_estimate {
  estimate size;          ///< of the absolute value
  bool negative = false;  ///< the sign; certain if the size is known

  constexpr signed_estimate() = default;
  /// A number of that size; not below 0 unless told.
  constexpr signed_estimate(const estimate& of_size, bool is_negative = false) : size(of_size), negative(is_negative) {}
};

/// A number of which nothing is known.
inline constexpr estimate unknown_estimate{std::uint64_t{1} << 63, 0, estimate::unknown_error};

/// Stands for an infinite value, and for anything that is beyond every scale.
inline constexpr estimate infinite_estimate{std::uint64_t{1} << 63, range_log2, 0};

/// v * 2^e, v > 0, exact.
constexpr estimate make_estimate(std::uint64_t v, std::int32_t e) {
  const int by = std::countl_zero(v);
  return {v << by, e + 64 - by, 0};
}

/// |x| * 2^e, x != 0.
template <std::size_t N>
constexpr estimate make_estimate(const real<N>& x, std::int32_t e = 0) {
  return {x.m[N - 1], x.exponent + e, N == 1 ? x.error : 3};
}

/// Error of a product beyond the errors of its factors.
inline constexpr std::uint64_t estimate_product_error = 6;

/// The product; see `estimate` for what the error may be.
constexpr estimate operator*(const estimate& a, const estimate& b) {
  const std::uint64_t h = multiply_high(a.m, b.m);
  return (h >> 63) != 0 ? estimate{h, a.exponent + b.exponent, a.error + b.error + estimate_product_error}
                        : estimate{h << 1, a.exponent + b.exponent - 1, a.error + b.error + estimate_product_error};
}

/// Error of a quotient beyond the errors of its operands.
inline constexpr std::uint64_t estimate_quotient_error = 48;

/// a / b from two 32-bit digits, each by a divisor that is rounded up so that the digits are never too great.
constexpr estimate operator/(const estimate& a, const estimate& b) {
  const std::int32_t up = (b.m >> 63) == 0 ? 1 : 0;
  const std::uint64_t divisor = b.m << up;
  const std::int32_t carry = a.m >= divisor ? 1 : 0;
  const std::uint64_t n = a.m >> carry, top = divisor >> 32, above = top + 1, high = n / above,
                      rest = n - (high * top + ((high * (divisor & 0xffffffffu)) >> 32));
  return {(high << 32) + (((rest << 30) / above) << 2), a.exponent - b.exponent + carry + up,
          a.error + b.error + estimate_quotient_error};
}

/// a + b, known up to the greater error of the two and 8 units.
constexpr estimate operator+(const estimate& a, const estimate& b) {
  if (a.exponent < b.exponent) {
    return b + a;
  }
  const int d = a.exponent - b.exponent;
  const std::uint64_t low = d > 62 ? 0 : b.m >> (d + 1), sum = (a.m >> 1) + low;
  const int spare = (sum >> 63) == 0 ? 1 : 0;
  return {sum << spare, a.exponent + 1 - spare, (a.error > b.error ? a.error : b.error) + 8};
}

/// a - b, or unknown if the difference may be <= 0 or drowns in the error.
constexpr estimate operator-(const estimate& a, const estimate& b) {
  const int d = a.exponent - b.exponent;
  const std::uint64_t low = d > 63 || d < 0 ? 0 : b.m >> d, difference = a.m - low;
  if (d < 0 || a.m <= low || !a.known() || !b.known()) {
    return {std::uint64_t{1} << 63, 0, estimate::unknown_error};
  }
  const int by = std::countl_zero(difference);
  const std::uint64_t error = a.error + (b.error >> (d > 63 ? 63 : d)) + 2;
  return {difference << by, a.exponent - by,
          by > 46 || error >> (47 - by) != 0 ? estimate::unknown_error : error << (by + 1)};
}

/// 1 - a for a < 1; unknown if the difference drowns in the error.
constexpr estimate one_minus(const estimate& a) {
  const std::uint64_t difference = a.exponent > -64 ? 0 - (a.m >> -a.exponent) : 0;
  if (difference == 0) {
    return {~std::uint64_t{0}, 0, 4};
  }
  const int by = std::countl_zero(difference);
  const std::uint64_t error = a.error + 2;
  return {difference << by, -by, by > 46 || error >> (47 - by) != 0 ? estimate::unknown_error : error << (by + 1)};
}

/// 1 + a for a < 1 (or a little above through its own rounding).
constexpr estimate one_plus(const estimate& a) {
  return {(std::uint64_t{1} << 63) | (a.exponent > -63 ? a.m >> (1 - a.exponent) : 0), 1, a.error + 4};
}

/// The square root. Source: the first 32 bits by Newton's iteration on integers, the rest by one division.
constexpr estimate square_root(const estimate& a) {
  const int odd = a.exponent & 1;
  const std::uint64_t m = a.m >> odd;
  // A line within 5 % of the root; three iterations square that error three times.
  std::uint64_t r = (m >> 32) / 3 * 2 + 1521134251u;
  r = (r + m / r) >> 1;
  r = (r + m / r) >> 1;
  r = (r + m / r) >> 1;
  r = r > 0xffffffffu ? 0xffffffffu : r;
  r = r * r > m ? r - 1 : r;
  const std::uint64_t low = ((m - r * r) << 30) / r << 1;
  return {(r << 32) + (low > 0xffffffffu ? 0xffffffffu : low), (a.exponent + odd) / 2, a.error / 2 + 24};
}

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
