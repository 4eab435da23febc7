// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error function, its inverse, and the Gaussian error linear unit in its erf form.
#ifndef DYTQ_FUNCTIONS_ERF_HPP
#define DYTQ_FUNCTIONS_ERF_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "../numbers/estimate.hpp"
#include "../numbers/real.hpp"
#include "erf_series.hpp"
#include "exponential.hpp"
#include "logarithms.hpp"

namespace dytq {
inline namespace v0 {
namespace detail {

/// erf x = 2/sqrt(pi) * integral of e^(-t^2) from 0 to x, odd.
struct erf_function {
  static constexpr bool odd = true;  ///< f(-x) = -f(x)?

  /// The certified sign of erf x - y. Range: y is 0 or between 2^-8000 and 2^8000; |x| < 16 or 1 - |y| > 2^-92, else it
  /// may be unknown.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    if (x.is_zero()) {
      return compare(x, y);
    }
    if (x.negative) {
      return -sign<N>(-x, -y);
    }
    if (y.negative || y.is_zero()) {
      return certified_sign::positive;
    }
    const real<N> one(std::int64_t{1});
    if (at_least(y, one)) {
      return certified_sign::negative;
    }
    // 1 - erf x < e^(-x^2) <= 2^-23, 2^-92 for x >= 4, 8.
    const real<N> gap = one - y;
    if (x.exponent >= 3 && gap.known() && gap.exponent > (x.exponent > 3 ? -91 : -22)) {
      return certified_sign::positive;
    }
    if (x.exponent > 4) {
      return certified_sign::unknown;
    }
    const real<N> square = x * x;
    return compare(two_over_sqrt_pi<N> * x * decay<N>(square).value * kummer(square.scaled(1)), y);
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool x_negative) { return x_negative; }

  /// |erf x| for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool) {
    // 1 - erf x < 2^-64 from x = 6.6 on.
    if (x.exponent > 3 || (x.exponent == 3 && x.m >= 0xd333333333333334u)) {
      return {~std::uint64_t{0}, 0, 4};
    }
    const estimate square = x * x;
    return make_estimate(two_over_sqrt_pi<1>) * x * decay_estimate(square).value *
           kummer_estimate({square.m, square.exponent + 1, square.error});
  }

  /// Tables get q = e^(-2^gauss_log2 x^2) of the next entry by two multiplications.
  static constexpr int gauss_log2 = 0;
  /// A coarser |f(x)|, from q = e^(-2^gauss_log2 x^2); see `gaussian_function`.
  static constexpr estimate quick(const estimate& x, const estimate& q, bool x_negative) {
    if (x.exponent > 2) {
      return magnitude(x, x_negative);
    }
    const estimate square = x * x;
    return make_estimate(two_over_sqrt_pi<1>) * x * q * kummer_quick({square.m, square.exponent + 1, square.error});
  }

  /// Is |f| monotone on this side, with limit() as its bound?
  static constexpr bool has_limit(bool) { return true; }
  /// The bound of |f| on this side.
  static constexpr estimate limit(bool) { return make_estimate(1, 0); }
};

/// gelu x = x/2 (1 + erf(x / sqrt 2)) = x times the normal distribution.
struct gelu_function {
  static constexpr bool odd = false;  ///< f(-x) = -f(x)?

  /// The certified sign of gelu x - y. Range: y is 0 or |y| between 2^-8000 and 2^8000; any x.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs (huge steps and a small shift).
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y, const exact_sum<N>& terms) {
    if (x.is_zero()) {
      return compare(x, y);
    }
    const real<N> t = x.magnitude(), v = y.magnitude(), half = t.scaled(-1);
    if (!x.negative) {
      if (y.negative || y.is_zero()) {
        return certified_sign::positive;
      }
      const real<N> above = terms.minus(y);
      // x/2 < gelu x < x for x > 0; both are boundaries of tables with power-of-two scales.
      if (above.known() && (above.negative || above.is_zero())) {
        return certified_sign::negative;
      }
      if (at_least(half, y)) {
        return certified_sign::positive;
      }
      if (x.exponent > 7) {
        return certified_below_limit(above);
      }
    } else {
      if (!y.negative) {
        return certified_sign::negative;
      }
      if (at_least(v, half)) {
        return certified_sign::positive;
      }
      if (x.exponent > 7) {
        return certified_below_limit(v);
      }
    }
    const real<N> square = x * x, weighted = t * normal_density<N> * decay<N>(square.scaled(-1)).value;
    if (x.exponent > 3) {
      // gelu x is x - t * tail above, and - t * tail below.
      return x.negative ? compare_with_tail(v, weighted, t) : compare_with_tail(terms.minus(y), weighted, t);
    }
    const real<N> part = t * weighted * kummer(square);
    return x.negative ? compare(v + part, half) : compare(half + part, v);
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool x_negative) { return x_negative; }

  /// |gelu(+-x)| for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool x_negative) {
    if (x.exponent > 7) {
      return x_negative ? estimate{std::uint64_t{1} << 63, -range_log2, 0} : estimate{x.m, x.exponent, x.error + 2};
    }
    const estimate square = x * x,
                   weighted = x * make_estimate(normal_density<1>) *
                              decay_estimate({square.m, square.exponent - 1, square.error}).value,
                   half{x.m, x.exponent - 1, x.error};
    if (x.exponent > 2) {
      const estimate tail = weighted * tail_fraction(x);
      return x_negative ? tail : x - tail;
    }
    const estimate part = x * weighted * kummer_estimate(square);
    return x_negative ? half - part : half + part;
  }

  /// Tables get q = e^(-2^gauss_log2 x^2) of the next entry by two multiplications.
  static constexpr int gauss_log2 = -1;
  /// A coarser |f(x)|, from q = e^(-2^gauss_log2 x^2); see `gaussian_function`.
  static constexpr estimate quick(const estimate& x, const estimate& q, bool x_negative) {
    if (x.exponent > 7) {
      return magnitude(x, x_negative);
    }
    const estimate weighted = x * make_estimate(normal_density<1>) * q;
    if (x.exponent > 2 || (x.exponent == 2 && x.m >= 0xa000000000000000u)) {
      const estimate tail = weighted * tail_quick(x);
      return x_negative ? tail : x - tail;
    }
    const estimate part = x * weighted * kummer_quick(x * x), half{x.m, x.exponent - 1, x.error};
    return x_negative ? half - part : half + part;
  }

  /// Is |f| monotone on this side, with limit() as its bound?
  static constexpr bool has_limit(bool x_negative) { return !x_negative; }
  /// The bound of |f| on this side.
  static constexpr estimate limit(bool) { return {std::uint64_t{1} << 63, range_log2, 0}; }

 private:
  /// 1/(x + 1/(x + 2/(x + ...))) for x >= 4, with a relative error below 2^-40 + (error of x).
  static constexpr estimate tail_fraction(const estimate& x) {
    estimate r = x;
    for (std::uint64_t n = 20; n >= 1; --n) {
      r = x + make_estimate(n, 0) / r;
    }
    r = make_estimate(1, 0) / r;
    r.error += std::uint64_t{1} << 24;
    return r;
  }
};

/// erfinv x = x p(w) within 2^-20, w = -log(1 - x^2): coefficients of p in w - 5/2 below 5, and in sqrt(w) - 3 from 5
/// to 17, in 2^-28. The error of the result is bounded without relying on this one. Source: M. Giles, Approximating the
/// erfinv function, 2010.
inline constexpr std::array<std::int64_t, 9> erfinv_middle = {8,       92,       -946,     -1179,    58675,
                                                              -336544, -1121438, 66207116, 403031520};
inline constexpr std::array<std::int64_t, 9> erfinv_tail = {-53745,   27099,   362212,    -986078,  1540687,
                                                            -2046139, 2533727, 268884833, 760471425};

/// The inverse of erf, odd. Defined on [-1, 1], with poles at both ends.
struct erfinv_function {
  static constexpr bool odd = true;      ///< f(-x) = -f(x)?
  static constexpr int domain_min = -1;  ///< the least x
  static constexpr int domain_max = 1;   ///< the greatest x

  /// The certified sign of erfinv x - y: that of x - erf y, or from y = 4 on of erfc y - (1 - x). Range: |x| <= 1; y is
  /// 0 or |y| between 2^-8000 and 2^8000.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y, const exact_sum<N>& terms) {
    if (x.is_zero()) {
      return compare(x, y);
    }
    if (x.negative) {
      return -sign<N>(-x, -y, {-terms.a, -terms.b});
    }
    const real<N> gap = -terms.minus(real<N>(std::int64_t{1}));
    if (y.negative || y.is_zero() || gap.is_zero()) {
      return certified_sign::positive;
    }
    if (y.exponent > 6) {
      // erfc 64 < 2^-5900
      return gap.known() && gap.exponent > -5000 ? certified_sign::negative : certified_sign::unknown;
    }
    const real<N> square = y * y, e = decay<N>(square).value, weighted = two_over_sqrt_pi<N> * e;
    return y.exponent < 3 ? compare(x, y * weighted * kummer(square.scaled(1)))
                          : -compare_with_tail(gap, weighted.scaled(-1), y, y.scaled(1));
  }

  /// erfinv x from an approximation z, and two terms of the series in d = (x - erf z) / erf'(z):
  /// erfinv x = z + d + z d^2 + r, |r| < 1.05 (1 + 4 z^2) / 3 d^3 < 2^9 z (d / z)^3 for z < 4.4.
  template <class X>
  static constexpr signed_estimate value(const X& x) {
    const estimate v = x();
    const signed_estimate unknown{unknown_estimate, x.negative()};
    std::int64_t w = 0;  // in 2^-28
    if (v.exponent > -14) {
      const estimate above = x.offset(1).size, below = x.offset(-1).size;
      if (!above.known() || !below.known()) {
        return unknown;
      }
      if (above.m == 0 || below.m == 0) {
        return {infinite_estimate, x.negative()};
      }
      const estimate of_gap = log_estimate(above * below).size;
      if (!of_gap.known() || of_gap.exponent > 5 || (of_gap.exponent == 5 && of_gap.m > std::uint64_t{17} << 59)) {
        return unknown;
      }
      w = of_gap.exponent > -28 ? static_cast<std::int64_t>(of_gap.m >> (36 - of_gap.exponent)) : 0;
    }
    constexpr std::int64_t unit = std::int64_t{1} << 28;
    const bool tail = w >= 5 * unit;
    if (tail) {
      const estimate root = square_root(make_estimate(static_cast<std::uint64_t>(w), -28));
      w = static_cast<std::int64_t>(root.m >> (36 - root.exponent)) - 3 * unit;
    } else {
      w -= 5 * unit / 2;
    }
    std::int64_t p = 0;
    for (const std::int64_t c : tail ? erfinv_tail : erfinv_middle) {
      p = c + ((p * w) >> 28);
    }
    estimate z = v * make_estimate(static_cast<std::uint64_t>(p), -28);
    z.error = 0;  // z is exact from here on: its distance from erfinv x is bounded below
    const estimate square = z * z, e = decay_estimate(square).value,
                   at_z = make_estimate(two_over_sqrt_pi<1>) * z * e *
                          kummer_estimate({square.m, square.exponent + 1, square.error}),
                   slope = estimate{0xe2dfc48da77b553c, 0, 2} / e;  // sqrt(pi) / 2 e^(z^2)
    if (!at_z.known() || at_z.exponent > v.exponent + 1 || v.exponent > at_z.exponent + 1) {
      return unknown;
    }
    // x - erf z in units of 2^(v.exponent - 62).
    const auto part = [&](const estimate& of) {
      const std::int32_t by = 2 + v.exponent - of.exponent;
      return static_cast<std::int64_t>(of.m >> by);
    };
    const std::int64_t difference = part(v) - part(at_z);
    estimate d{};
    if (difference != 0) {
      d = make_estimate(static_cast<std::uint64_t>(difference < 0 ? -difference : difference), v.exponent - 62) * slope;
    }
    const std::int32_t lower = difference == 0 ? 64 : z.exponent - d.exponent - 1;  // |d| < z 2^-lower
    if (lower < 13) {
      return unknown;
    }
    // The total error: of the difference, amplified; of the slope; and the rest of the series.
    const estimate amplified = v * slope / z;
    const std::uint64_t amplification = amplified.exponent < 1 ? 1 : (amplified.m >> (64 - amplified.exponent)) + 1,
                        error = (v.error + at_z.error + 16) * amplification + (d.error >> (lower < 63 ? lower : 63)) +
                                (lower > 24 ? 2 : std::uint64_t{1} << (74 - 3 * lower)) + 8;
    estimate r = z;
    if (difference != 0) {
      d.error = 0;
      const estimate bend = z * d * d;
      r = (difference < 0 ? z - d : z + d) + bend;
    }
    return {{r.m, r.exponent, r.error + error + 32}, x.negative()};
  }
};

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
