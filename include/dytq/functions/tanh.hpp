// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hyperbolic tangent.
#ifndef DYTQ_FUNCTIONS_TANH_HPP
#define DYTQ_FUNCTIONS_TANH_HPP

#include <cstddef>
#include <cstdint>

#include "../numbers/estimate.hpp"
#include "../numbers/real.hpp"
#include "exponential.hpp"

namespace dytq {
inline namespace v0 {

namespace functions {

/// tanh x = (1 - E) / (1 + E) with E = e^(-2 |x|), odd.
struct tanh_function {
  static constexpr bool odd = true;  ///< f(-x) = -f(x)?

  /// The certified sign of tanh x - y. Range: |y| is 0 or between 2^-8000 and 2^8000; any x.
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
    // 0 < tanh x < x settles what no precision could: tiny arguments lie on a boundary but for x^3 / 3.
    if (at_least(y, x) || at_least(y, one)) {
      return certified_sign::negative;
    }
    if (x.exponent > decay_limit_log2 - 2) {
      return certified_below_limit(one - y);
    }
    const decay<N> e(x.scaled(1));
    return compare(e.complement, y * (one + e.value));
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool x_negative) { return x_negative; }

  /// |tanh x| for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool) {
    if (x.exponent > 6) {
      return {~std::uint64_t{0}, 0, 4};
    }
    const decay_estimate e(estimate{x.m, x.exponent + 1, x.error});
    return e.complement / (one_plus(e.value));
  }

  /// The table walks E by multiplication: E(k + 1) = E(k) * E(1).
  static constexpr int decay_log2 = 1;
  /// |f(x)| from e = e^(-2^decay_log2 |x|); see `decaying_function`.
  template <class Argument>
  static constexpr estimate magnitude_from(const estimate& e, const Argument& x, bool) {
    if (e.exponent == 0 && 0 - e.m < std::uint64_t{1} << 55) {
      // 1 - E has lost its precision below x = 2^-9.9; x - x^3/3 + 2x^5/15 has 2^-58 there.
      const estimate v = x();
      const estimate square = v * v;
      const std::uint64_t t = square.exponent > -64 ? square.m >> -square.exponent : 0,
                          u = t / 3 - multiply_high(t, t) / 15 * 2;
      return v * estimate{~u, 0, 128};
    }
    return one_minus(e) / one_plus(e);
  }

  /// Is |f| monotone on this side, with limit() as its bound?
  static constexpr bool has_limit(bool) { return true; }
  /// The bound of |f| on this side.
  static constexpr estimate limit(bool) { return make_estimate(1, 0); }
};

/// The hyperbolic tangent.
inline constexpr tanh_function tanh{};

}  // namespace functions

}  // namespace v0
}  // namespace dytq

#endif
