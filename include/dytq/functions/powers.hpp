// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers: square roots, the reciprocal, the inverse square root unit.
#ifndef DYTQ_FUNCTIONS_POWERS_HPP
#define DYTQ_FUNCTIONS_POWERS_HPP

#include <cstddef>
#include <cstdint>

#include "../numbers/estimate.hpp"
#include "../numbers/real.hpp"

namespace dytq {
inline namespace v0 {
namespace detail {

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

/// sqrt x. Defined from 0 on.
struct sqrt_function {
  static constexpr int domain_min = 0;  ///< the least x

  /// The certified sign of sqrt x - y: that of x - y^2 for y > 0. Range: x >= 0, any y.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>&, const real<N>& y, const exact_sum<N>& terms) {
    return y.negative ? certified_sign::positive : sign_of(terms.minus(y * y));
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool) { return false; }
  /// sqrt x for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool x_negative) {
    return x_negative ? unknown_estimate : square_root(x);
  }
};

/// 1 / sqrt x. Defined from 0 on, where it has a pole.
struct rsqrt_function {
  static constexpr int domain_min = 0;                    ///< the least x
  static constexpr estimate at_zero = infinite_estimate;  ///< f(0)

  /// The certified sign of 1 / sqrt x - y: that of 1 - x y^2 for y > 0. Range: x >= 0, any y.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>&, const real<N>& y, const exact_sum<N>& terms) {
    return y.negative || y.is_zero() ? certified_sign::positive
                                     : -sign_of(terms.times(y * y).minus(real<N>(std::int64_t{1})));
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool) { return false; }
  /// 1 / sqrt x for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool x_negative) {
    return x_negative ? unknown_estimate : make_estimate(1, 0) / square_root(x);
  }
};

/// 1 / x, odd. Not defined at 0.
struct reciprocal_function {
  static constexpr bool odd = true;                ///< f(-x) = -f(x)?
  static constexpr bool undefined_at_zero = true;  ///< is f undefined at 0 (a pole, with another sign on each side)?

  /// The certified sign of 1 / x - y: that of 1 - x y for x > 0. Range: any x but 0, any y.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y, const exact_sum<N>& terms) {
    const certified_sign s = -sign_of(terms.times(y).minus(real<N>(std::int64_t{1})));
    return x.negative ? -s : s;
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool x_negative) { return x_negative; }
  /// 1 / x for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool) { return make_estimate(1, 0) / x; }
};

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
