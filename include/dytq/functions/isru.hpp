// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inverse square root unit.
#ifndef DYTQ_FUNCTIONS_ISRU_HPP
#define DYTQ_FUNCTIONS_ISRU_HPP

#include <cstddef>
#include <cstdint>

#include "../numbers/estimate.hpp"
#include "../numbers/real.hpp"

namespace dytq {
inline namespace v0 {

namespace functions {

/// isru x = x / sqrt(1 + x^2), odd.
struct isru_function {
  static constexpr bool odd = true;  ///< f(-x) = -f(x)?

  /// The certified sign of isru x - y: that of x^2 - y^2 (1 + x^2) for x, y > 0. Range: any x and y.
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
    // 0 < isru x < x, and isru x < 1.
    if (at_least(y, x) || at_least(y, one)) {
      return certified_sign::negative;
    }
    const real<N> square = x * x;
    return compare(square, y * y * (one + square));
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool x_negative) { return x_negative; }

  /// |isru x| for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool) { return x / square_root(make_estimate(1, 0) + x * x); }

  /// Is |f| monotone on this side, with limit() as its bound?
  static constexpr bool has_limit(bool) { return true; }
  /// The bound of |f| on this side.
  static constexpr estimate limit(bool) { return make_estimate(1, 0); }
};

/// x / sqrt(1 + x^2).
inline constexpr isru_function isru{};

}  // namespace functions

}  // namespace v0
}  // namespace dytq

#endif
