// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Real numbers with a certified relative error, and the certified comparison that every table rests on.
#ifndef DYTQ_NUMBERS_REAL_HPP
#define DYTQ_NUMBERS_REAL_HPP

#include <cstddef>
#include <cstdint>

#include "fixed.hpp"

namespace dytq {
inline namespace v0 {
namespace detail {

/// The sign of a real number, as far as it is known for certain.
enum class certified_sign : std::int8_t { negative = -1, zero = 0, positive = 1, unknown = 2 };

/// The sign of the opposite number.
constexpr certified_sign operator-(certified_sign s) {
  return s == certified_sign::unknown ? s : static_cast<certified_sign>(-static_cast<int>(s));
}

/// A real number that is known up to a relative error.
///
/// Formula: true value = (-1)^negative * m * 2^exponent * (1 + d), |d| <= error * 2^(-64 N), where m is the fraction
///   that the limbs spell, 1/2 <= m < 1, or 0 for an exact zero.
/// Range: error <= error_limit, or the number is unknown (error == unknown_error); exponents far beyond double's.
/// Exactness: error == 0 means that the value is the number itself.
template <std::size_t N>
struct real {
  /// Errors above this are not tracked: the second-order terms of the rules below would no longer be below one unit.
  static constexpr std::uint64_t error_limit = 0xffffffffu;
  static constexpr std::uint64_t unknown_error = std::uint64_t{1} << 60;  ///< of a number of which nothing is known

  limbs<N> m{};               ///< the fraction, least significant limb first
  std::int32_t exponent = 0;  ///< of the fraction
  std::uint64_t error = 0;    ///< relative, in 2^(-64 N)
  bool negative = false;      ///< the sign; never of 0

  constexpr real() = default;
  /// (-1)^negative * mantissa * 2^exponent; exact if N > 1 or the mantissa has at most 64 bits.
  constexpr real(wide64 mantissa, std::int32_t e, bool neg) : exponent(e + 128), negative(neg) {
    if (mantissa.hi == 0) {
      mantissa = {mantissa.lo, 0};
      exponent -= 64;
    }
    if (mantissa.hi == 0) {
      exponent = 0;
      negative = false;
      return;
    }
    const int by = std::countl_zero(mantissa.hi);
    if (by != 0) {
      mantissa = {mantissa.hi << by | mantissa.lo >> (64 - by), mantissa.lo << by};
    }
    exponent -= by;
    m[N - 1] = mantissa.hi;
    if constexpr (N > 1) {
      m[N - 2] = mantissa.lo;
    } else {
      error = mantissa.lo != 0 ? 2 : 0;
    }
  }
  /// The number v, exact.
  constexpr explicit real(std::int64_t v)
      : real(wide64{0, v < 0 ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v)}, 0, v < 0) {}
  /// The number v, exact.
  constexpr explicit real(const dyadic& v) : real(wide64{0, v.mantissa}, v.exponent, v.negative) {}
  /// fraction * 2^e, not yet normalised, known up to err ulps of the fraction. Unknown if the error may hide it.
  constexpr real(const limbs<N>& fraction, std::int32_t e, std::uint64_t err, bool neg)
      : exponent(e), error(err), negative(neg) {
    const int by = leading_zeros<N>(fraction);
    if (by > 0 && by < static_cast<int>(64 * N)) {
      m = shift_left<N>(fraction, by);
      exponent -= by;
    } else {
      m = fraction;
    }
    // An ulp is at most 2^(1+by) relative units of a normalised mantissa.
    error = err == 0 ? 0 : by > 30 || err > (error_limit >> (by + 1)) ? unknown_error : err << (by + 1);
  }

  /// Is it certainly 0?
  constexpr bool is_zero() const { return m[N - 1] == 0 && error == 0; }
  /// Is anything known of it?
  constexpr bool known() const { return error <= error_limit; }
  /// |value| * 2^by.
  constexpr real scaled(std::int32_t by) const {
    real r = *this;
    r.exponent += m[N - 1] == 0 ? 0 : by;
    return r;
  }
  /// The opposite.
  constexpr real operator-() const {
    real r = *this;
    r.negative = m[N - 1] != 0 && !negative;
    return r;
  }
  /// The absolute value.
  constexpr real magnitude() const {
    real r = *this;
    r.negative = false;
    return r;
  }
};

constexpr std::uint64_t limited(std::uint64_t error) {
  return error > real<1>::error_limit ? real<1>::unknown_error : error;
}

/// |a| and |b| aligned to the exponent of the greater one, with a limb of guard bits below.
template <std::size_t N>
struct aligned {
  limbs<N + 1> high{}, low{};
  std::uint64_t error = 0;  ///< of high - low and of high + low, in ulps of the greater mantissa
  int distance = 0;
  bool lost = false;

  constexpr aligned(const real<N>& a, const real<N>& b) : distance(a.exponent - b.exponent) {
    limbs<N + 1> wide{};
    for (std::size_t i = 0; i < N; ++i) {
      high[i + 1] = a.m[i];
      wide[i + 1] = b.m[i];
    }
    low = distance > static_cast<int>(64 * (N + 1)) ? limbs<N + 1>{} : shift_right<N + 1>(wide, distance, lost);
    lost = lost || distance > static_cast<int>(64 * (N + 1));
    error = a.error + (b.error >> (distance > 63 ? 63 : distance)) + (b.error != 0 ? 1 : 0) + (lost ? 1 : 0);
  }
};

/// The upper N of N + 1 limbs, normalised.
template <std::size_t N>
constexpr real<N> round_off(limbs<N + 1> wide, std::int32_t exponent, std::uint64_t error, bool negative) {
  const int by = leading_zeros<N + 1>(wide);
  if (by == static_cast<int>(64 * (N + 1))) {
    real<N> r;
    r.error = error == 0 ? 0 : real<N>::unknown_error;
    return r;
  }
  if (by > 0) {
    wide = shift_left<N + 1>(wide, by);
  }
  real<N> r;
  for (std::size_t i = 0; i < N; ++i) {
    r.m[i] = wide[i + 1];
  }
  r.exponent = exponent - by;
  r.negative = negative;
  r.error = error == 0                                              ? 0
            : by > 30 || error > (real<N>::error_limit >> (by + 1)) ? real<N>::unknown_error
                                                                    : error << (by + 1);
  r.error = limited(r.error + (wide[0] != 0 ? 2 : 0));
  return r;
}

/// Sums are known up to: same signs, the greater error of the two and 4 units for cut bits; opposite signs, what the
/// cancellation leaves. Exact if both terms are exact and no bit is cut.
template <std::size_t N>
constexpr real<N> operator+(const real<N>& a, const real<N>& b) {
  if (!a.known() || b.is_zero()) {
    return a;
  }
  if (!b.known() || a.is_zero()) {
    return b;
  }
  if (b.exponent > a.exponent) {
    return b + a;
  }
  aligned<N> t(a, b);
  if (a.negative != b.negative) {
    const bool below = subtract_from<N + 1>(t.high, t.low);
    if (below) {
      negate<N + 1>(t.high);
    }
    return round_off<N>(t.high, a.exponent, t.error, a.negative != below);
  }
  const bool carry = add_to<N + 1>(t.high, t.low);
  if (carry) {
    t.high = shift_right<N + 1>(t.high, 1, t.lost);
    t.high[N] |= std::uint64_t{1} << 63;
  }
  real<N> r = round_off<N>(t.high, a.exponent + (carry ? 1 : 0), 0, a.negative);
  r.error = limited((a.error > b.error ? a.error : b.error) + r.error + (t.lost ? 2 : 0));
  return r;
}

/// As the sum with the opposite of b.
template <std::size_t N>
constexpr real<N> operator-(const real<N>& a, const real<N>& b) {
  return a + (-b);
}

/// Products are known up to the sum of both errors and 4 units; exact if both factors are and nothing is cut.
template <std::size_t N>
constexpr real<N> operator*(const real<N>& a, const real<N>& b) {
  if (a.is_zero() || b.is_zero()) {
    return {};
  }
  limbs<2 * N> p = multiply<N>(a.m, b.m);
  const bool below_half = (p[2 * N - 1] >> 63) == 0;
  real<N> r;
  for (std::size_t i = 0; i < N; ++i) {
    r.m[i] = below_half ? p[N + i] << 1 | p[N + i - 1] >> 63 : p[N + i];
  }
  r.exponent = a.exponent + b.exponent - (below_half ? 1 : 0);
  r.negative = a.negative != b.negative;
  std::uint64_t cut = below_half ? p[N - 1] << 1 : p[N - 1];
  for (std::size_t i = 0; i + 1 < N; ++i) {
    cut |= p[i];
  }
  r.error = a.error == 0 && b.error == 0 && cut == 0 ? 0 : limited(a.error + b.error + 4);
  return r;
}

/// a / n is known up to the error of a and 2 units. Range: 0 < n < 2^32.
template <std::size_t N>
constexpr real<N> divide(const real<N>& a, std::uint32_t n) {
  if (a.is_zero()) {
    return a;
  }
  limbs<N + 1> wide{};
  for (std::size_t i = 0; i < N; ++i) {
    wide[i + 1] = a.m[i];
  }
  // The guard limb keeps 32 bits that the quotient does not need, so that cutting it costs less than one ulp.
  real<N> r = round_off<N>(divide_small<N + 1>(wide, n), a.exponent, 0, a.negative);
  r.error = limited(a.error + 2);
  return r;
}

/// The certified sign of a - b. `zero` only for exact numbers. Exactness: never wrong; unknown if the errors overlap.
template <std::size_t N>
constexpr certified_sign compare(const real<N>& a, const real<N>& b) {
  if (!a.known() || !b.known()) {
    return certified_sign::unknown;
  }
  const certified_sign sign_a = a.negative ? certified_sign::negative : certified_sign::positive;
  if (a.is_zero()) {
    return b.is_zero() ? certified_sign::zero : b.negative ? certified_sign::positive : certified_sign::negative;
  }
  if (b.is_zero() || a.negative != b.negative) {
    return sign_a;
  }
  // A mantissa is in [1/2, 1): two binades apart no error hides the order.
  if (a.exponent > b.exponent + 1) {
    return sign_a;
  }
  if (b.exponent > a.exponent + 1) {
    return -sign_a;
  }
  const bool swapped = b.exponent > a.exponent;
  aligned<N> t(swapped ? b : a, swapped ? a : b);
  const bool below = subtract_from<N + 1>(t.high, t.low);
  if (below) {
    negate<N + 1>(t.high);
  }
  std::uint64_t above = 0;
  for (std::size_t i = 2; i <= N; ++i) {
    above |= t.high[i];
  }
  if (above == 0 && t.high[1] <= t.error && (t.error != 0 || t.high[0] == 0)) {
    return t.error != 0 ? certified_sign::unknown : certified_sign::zero;
  }
  return swapped != below ? -sign_a : sign_a;
}

/// Is a >= b for certain?
template <std::size_t N>
constexpr bool at_least(const real<N>& a, const real<N>& b) {
  const certified_sign s = compare(a, b);
  return s == certified_sign::positive || s == certified_sign::zero;
}

/// a + b, both exact: an argument that no number of limbs could hold (1 + 2^-900) still has exact differences.
template <std::size_t N>
struct exact_sum {
  real<N> a;  ///< one term
  real<N> b;  ///< the other one

  /// a + b + c, added in the order that loses least. Exactness: exact, or of a certain sign, if the terms are exact.
  constexpr real<N> plus(const real<N>& c) const {
    if (b.is_zero()) {
      return a + c;
    }
    real<N> best = (a + c) + b;
    for (int order = 0; best.error != 0 && order < 2; ++order) {
      const real<N> other = order == 0 ? (b + c) + a : (a + b) + c;
      best = other.error < best.error ? other : best;
    }
    return best;
  }
  /// a + b - c; see `plus`.
  constexpr real<N> minus(const real<N>& c) const { return plus(-c); }
  /// Both terms times a factor.
  constexpr exact_sum times(const real<N>& factor) const { return {a * factor, b * factor}; }
};

/// The sign of a number, unknown if its error may hide it.
template <std::size_t N>
constexpr certified_sign sign_of(const real<N>& v) {
  return !v.known()        ? certified_sign::unknown
         : v.is_zero()     ? certified_sign::zero
         : v.m[N - 1] == 0 ? certified_sign::unknown
         : v.negative      ? certified_sign::negative
                           : certified_sign::positive;
}

/// Values that functions are compared with are 0 or between 2^-range_log2 and 2^range_log2; every boundary of a table
/// of doubles is within 2^-1075 and 2^1042.
inline constexpr std::int32_t range_log2 = 8000;

/// `positive` if the gap is wider than 2^-range_log2, which is more than a saturated exponential leaves.
template <std::size_t N>
constexpr certified_sign certified_below_limit(const real<N>& gap) {
  return gap.known() && !gap.negative && !gap.is_zero() && gap.exponent > -range_log2 ? certified_sign::positive
                                                                                      : certified_sign::unknown;
}

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
