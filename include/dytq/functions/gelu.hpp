// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Gaussian error linear unit, in its erf form.
#ifndef DYTQ_FUNCTIONS_GELU_HPP
#define DYTQ_FUNCTIONS_GELU_HPP

#include <cstddef>
#include <cstdint>

#include "../numbers/estimate.hpp"
#include "../numbers/real.hpp"
#include "error_series.hpp"
#include "exponential.hpp"

namespace dytq {
inline namespace v0 {

namespace functions {

/// gelu x = x/2 (1 + erf(x / sqrt 2)) = x times the normal distribution.
struct gelu_function {
  static constexpr bool odd = false;  ///< f(-x) = -f(x)?

  /// The certified sign of gelu x - y. Range: y is 0 or |y| between 2^-8000 and 2^8000; any x.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same of an x that no number of limbs may hold: huge steps and a small shift.
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
    if (x.exponent > 3 || (x_negative && x.exponent > 1)) {
      const estimate tail = weighted * tail_fraction(x);
      return x_negative ? tail : x - tail;
    }
    const estimate part = x * weighted * kummer_estimate(square);
    return x_negative ? half - part : half + part;
  }

  /// The table walks q = e^(-2^gauss_log2 x^2) by multiplication.
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
  /// 1/(x + 1/(x + 2/(x + ...))) for x >= 2, with a relative error below 2^-20 + (error of x).
  static constexpr estimate tail_fraction(const estimate& x) {
    estimate r = x;
    for (std::uint64_t n = 20; n >= 1; --n) {
      r = x + make_estimate(n, 0) / r;
    }
    r = make_estimate(1, 0) / r;
    r.error += std::uint64_t{1} << 44;
    return r;
  }
};

/// x/2 (1 + erf(x / sqrt 2)).
inline constexpr gelu_function gelu{};

}  // namespace functions

}  // namespace v0
}  // namespace dytq

#endif
