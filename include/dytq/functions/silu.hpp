// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sigmoid linear unit (swish).
#ifndef DYTQ_FUNCTIONS_SILU_HPP
#define DYTQ_FUNCTIONS_SILU_HPP

#include <cstddef>
#include <cstdint>

#include "../numbers/estimate.hpp"
#include "../numbers/real.hpp"
#include "exponential.hpp"

namespace dytq {
inline namespace v0 {

namespace functions {

/// silu x = x * logistic x = x / (1 + e^-x).
struct silu_function {
  static constexpr bool odd = false;  ///< f(-x) = -f(x)?

  /// The certified sign of silu x - y. Range: |y| is 0 or between 2^-8000 and 2^8000; any x.
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
    const real<N> one(std::int64_t{1});
    if (!x.negative) {
      if (y.negative || y.is_zero()) {
        return certified_sign::positive;
      }
      const real<N> above = terms.minus(y);
      // x/2 < silu x < x for x > 0; both are boundaries of tables with power-of-two scales.
      if (above.known() && (above.negative || above.is_zero())) {
        return certified_sign::negative;
      }
      if (at_least(x.scaled(-1), y)) {
        return certified_sign::positive;
      }
      if (x.exponent > decay_limit_log2 - 1) {
        return certified_below_limit(above);
      }
      return compare(x, y * (one + decay<N>(x).value));
    }
    if (!y.negative) {
      return certified_sign::negative;
    }
    const real<N> t = x.magnitude(), v = y.magnitude();
    if (at_least(v, t.scaled(-1))) {
      return certified_sign::positive;
    }
    if (x.exponent > decay_limit_log2 - 1) {
      return certified_below_limit(v);
    }
    const decay<N> e(t);
    return compare(v * (one + e.value), t * e.value);
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool x_negative) { return x_negative; }

  /// |silu(+-x)| for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool x_negative) {
    if (x.exponent > decay_limit_log2) {
      return x_negative ? estimate{std::uint64_t{1} << 63, -range_log2, 0} : estimate{x.m, x.exponent, x.error + 2};
    }
    const estimate e = decay_estimate(x).value;
    return (x_negative ? x * e : x) / one_plus(e);
  }

  /// The table walks e^(-2^decay_log2 |x|) by multiplication.
  static constexpr int decay_log2 = 0;
  /// |f(x)| from e = e^(-2^decay_log2 |x|); see `decaying_function`.
  template <class Argument>
  static constexpr estimate magnitude_from(const estimate& e, const Argument& x, bool x_negative) {
    const estimate v = x();
    return (x_negative ? v * e : v) / one_plus(e);
  }

  /// Is |f| monotone on this side, with limit() as its bound?
  static constexpr bool has_limit(bool x_negative) { return !x_negative; }
  /// The bound of |f| on this side.
  static constexpr estimate limit(bool) { return {std::uint64_t{1} << 63, range_log2, 0}; }
};

/// x / (1 + e^-x).
inline constexpr silu_function silu{};

}  // namespace functions

}  // namespace v0
}  // namespace dytq

#endif
