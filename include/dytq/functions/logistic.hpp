// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The logistic function.
#ifndef DYTQ_FUNCTIONS_LOGISTIC_HPP
#define DYTQ_FUNCTIONS_LOGISTIC_HPP

#include <cstddef>
#include <cstdint>

#include "../numbers/estimate.hpp"
#include "../numbers/real.hpp"
#include "exponential.hpp"
#include "tanh.hpp"

namespace dytq {
inline namespace v0 {

namespace functions {

/// logistic x = 1 / (1 + e^-x).
struct logistic_function {
  static constexpr bool odd = false;  ///< f(-x) = -f(x)?
  /// f(0).
  static constexpr estimate at_zero = make_estimate(1, -1);

  /// The certified sign of logistic x - y. Range: y is 0 or |y| between 2^-8000 and 2^8000; any x.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    if (y.negative || y.is_zero()) {
      return certified_sign::positive;
    }
    const real<N> one(std::int64_t{1}), half = one.scaled(-1);
    if (x.is_zero()) {
      return compare(half, y);
    }
    if (at_least(y, one)) {
      return certified_sign::negative;
    }
    // logistic x = (1 + tanh(x/2)) / 2: near 1/2 the precision is that of tanh near 0, since 2y - 1 is exact there.
    if (!x.negative) {
      return at_least(half, y) ? certified_sign::positive : tanh_function::sign<N>(x.scaled(-1), y.scaled(1) - one);
    }
    if (at_least(y, half)) {
      return certified_sign::negative;
    }
    if (x.exponent > decay_limit_log2 - 1) {
      return -certified_below_limit(y);
    }
    if (y.exponent > -2) {
      return -tanh_function::sign<N>(x.magnitude().scaled(-1), one - y.scaled(1));
    }
    const decay<N> e(x.magnitude());
    return compare(e.value, y * (one + e.value));
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool) { return false; }

  /// logistic(+-x) for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool x_negative) {
    if (x.exponent > decay_limit_log2) {
      return x_negative ? estimate{std::uint64_t{1} << 63, -range_log2, 0} : estimate{~std::uint64_t{0}, 0, 4};
    }
    const estimate e = decay_estimate(x).value;
    return x_negative ? e / one_plus(e) : make_estimate(1, 0) / one_plus(e);
  }

  /// The table walks e^(-2^decay_log2 |x|) by multiplication.
  static constexpr int decay_log2 = 0;
  /// |f(x)| from e = e^(-2^decay_log2 |x|); see `decaying_function`.
  template <class Argument>
  static constexpr estimate magnitude_from(const estimate& e, const Argument&, bool x_negative) {
    return (x_negative ? e : make_estimate(1, 0)) / one_plus(e);
  }

  /// Is |f| monotone on this side, with limit() as its bound?
  static constexpr bool has_limit(bool) { return true; }
  /// The bound of |f| on this side.
  static constexpr estimate limit(bool x_negative) { return x_negative ? estimate{} : make_estimate(1, 0); }
};

/// 1 / (1 + e^-x).
inline constexpr logistic_function logistic{};

}  // namespace functions

}  // namespace v0
}  // namespace dytq

#endif
