// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error function.
#ifndef DYTQ_FUNCTIONS_ERF_HPP
#define DYTQ_FUNCTIONS_ERF_HPP

#include <cstddef>
#include <cstdint>

#include "../numbers/estimate.hpp"
#include "../numbers/real.hpp"
#include "error_series.hpp"
#include "exponential.hpp"

namespace dytq {
inline namespace v0 {

namespace functions {

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

  /// The table walks q = e^(-2^gauss_log2 x^2) by multiplication.
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

/// The error function.
inline constexpr erf_function erf{};

}  // namespace functions

}  // namespace v0
}  // namespace dytq

#endif
