// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hyperbolic functions and their inverses.
#ifndef DYTQ_FUNCTIONS_HYPERBOLIC_HPP
#define DYTQ_FUNCTIONS_HYPERBOLIC_HPP

#include <cstddef>
#include <cstdint>

#include "../numbers/estimate.hpp"
#include "../numbers/real.hpp"
#include "exponential.hpp"
#include "logarithms.hpp"

namespace dytq {
inline namespace v0 {
namespace detail {

/// The certified sign of sinh t - v for t, v > 0: that of (1 - E^2) - 2 v E with E = e^-t.
template <std::size_t N>
constexpr certified_sign compare_sinh(const real<N>& t, const real<N>& v) {
  // sinh t > t.
  if (at_least(t, v)) {
    return certified_sign::positive;
  }
  if (t.exponent > decay_limit_log2 - 1) {
    return v.known() && v.exponent < range_log2 ? certified_sign::positive : certified_sign::unknown;
  }
  const decay<N> e(t);
  return compare(e.complement * (real<N>(std::int64_t{1}) + e.value), (v * e.value).scaled(1));
}

/// The certified sign of cosh t - v for t > 0, by v - 1: that of (1 - E)^2 - 2 E (v - 1).
template <std::size_t N>
constexpr certified_sign compare_cosh(const real<N>& t, const real<N>& less_one) {
  if (less_one.is_zero() || (less_one.negative && less_one.known())) {
    return certified_sign::positive;
  }
  if (t.exponent > decay_limit_log2 - 1) {
    return less_one.known() && less_one.exponent < range_log2 ? certified_sign::positive : certified_sign::unknown;
  }
  const decay<N> e(t);
  return compare(e.complement * e.complement, (less_one * e.value).scaled(1));
}

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
    // 0 < tanh x < x decides what no precision can: near 0, tanh x differs from the boundary x by x^3 / 3 only.
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

  /// Tables get E of the next entry by one multiplication: E(k + 1) = E(k) * E(1).
  static constexpr int decay_log2 = 1;
  /// |f(x)| from e = e^(-2^decay_log2 |x|); see `decaying_function`.
  template <class Argument>
  static constexpr estimate magnitude_from(const estimate& e, const Argument& x, bool) {
    if (e.exponent == 0 && 0 - e.m < std::uint64_t{1} << 55) {
      // Below x = 2^-9.9 the cancellation of 1 - E costs too much; x - x^3/3 + 2x^5/15 is good to 2^-58 there.
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

/// sinh x, odd.
struct sinh_function {
  static constexpr bool odd = true;  ///< f(-x) = -f(x)?

  /// The certified sign of sinh x - y. Range: |y| is 0 or between 2^-8000 and 2^8000; any x.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    if (x.is_zero()) {
      return compare(x, y);
    }
    if (x.negative) {
      return -sign<N>(-x, -y);
    }
    return y.negative || y.is_zero() ? certified_sign::positive : compare_sinh(x, y);
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool x_negative) { return x_negative; }
  /// |sinh x| for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool) {
    const decay_estimate e(x);
    const estimate twice = e.complement * one_plus(e.value) / e.value;
    return {twice.m, twice.exponent - 1, twice.error};
  }
  /// Is |f| monotone on this side, with limit() as its bound?
  static constexpr bool has_limit(bool) { return true; }
  /// The bound of |f| on this side.
  static constexpr estimate limit(bool) { return {std::uint64_t{1} << 63, range_log2, 0}; }
};

/// cosh x.
struct cosh_function {
  static constexpr estimate at_zero = make_estimate(1, 0);  ///< f(0)

  /// The certified sign of cosh x - y. Range: |y| is 0 or between 2^-8000 and 2^8000; any x.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    const real<N> less_one = y - real<N>(std::int64_t{1});
    return x.is_zero() ? -sign_of(less_one) : compare_cosh(x.magnitude(), less_one);
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool) { return false; }
  /// cosh x for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool) {
    const estimate e = decay_estimate(x).value, twice = one_plus(e * e) / e;
    return {twice.m, twice.exponent - 1, twice.error};
  }
  /// Is |f| monotone on this side, with limit() as its bound?
  static constexpr bool has_limit(bool) { return true; }
  /// The bound of |f| on this side.
  static constexpr estimate limit(bool) { return {std::uint64_t{1} << 63, range_log2, 0}; }
};

/// arsinh x, odd.
struct asinh_function {
  static constexpr bool odd = true;          ///< f(-x) = -f(x)?
  static constexpr bool logarithmic = true;  ///< is f(infinity) infinite, although f grows slowly?

  /// The certified sign of arsinh x - y: that of x - sinh y. Range: |y| is 0 or between 2^-8000 and 2^8000; any x.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return -sinh_function::sign<N>(y, x);
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool x_negative) { return x_negative; }
  /// |arsinh x| = log(1 + (x + x^2 / (1 + sqrt(1 + x^2)))) for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool) {
    const estimate square = x * x, one = make_estimate(1, 0);
    return log1p_estimate(x + square / (one + square_root(one + square))).size;
  }
};

/// arcosh x. Defined from 1 on.
struct acosh_function {
  static constexpr int domain_min = 1;       ///< the least x
  static constexpr bool logarithmic = true;  ///< is f(infinity) infinite, although f grows slowly?

  /// The certified sign of arcosh x - y: that of x - cosh y for y > 0. Range: x >= 1; |y| is 0 or between 2^-8000 and
  /// 2^8000.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>&, const real<N>& y, const exact_sum<N>& terms) {
    const real<N> less_one = terms.minus(real<N>(std::int64_t{1}));
    return y.negative ? certified_sign::positive : y.is_zero() ? sign_of(less_one) : -compare_cosh(y, less_one);
  }

  /// arcosh x = log(1 + (d + sqrt(d (d + 2)))) with d = x - 1.
  template <class X>
  static constexpr signed_estimate value(const X& x) {
    const signed_estimate above = x.offset(-1);
    const estimate& d = above.size;
    if (above.negative || d.m == 0 || !d.known()) {
      return above.negative ? signed_estimate{unknown_estimate} : above;
    }
    return log1p_estimate(d + square_root(d * (d + make_estimate(1, 1))));
  }
};

/// artanh x, odd. Defined on [-1, 1], with poles at both ends.
struct atanh_function {
  static constexpr bool odd = true;      ///< f(-x) = -f(x)?
  static constexpr int domain_min = -1;  ///< the least x
  static constexpr int domain_max = 1;   ///< the greatest x

  /// The certified sign of artanh x - y: that of x - tanh y; near 1, of E (1 + x) - (1 - x) with E = e^(-2 y).
  /// Range: |x| <= 1; |y| is 0 or between 2^-8000 and 2^8000.
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
    const real<N> one(std::int64_t{1}), gap = -terms.minus(one), above = terms.minus(y);
    // artanh x > x, and infinite at 1.
    if (y.negative || y.is_zero() || gap.is_zero() || above.is_zero() || (!above.negative && above.known())) {
      return certified_sign::positive;
    }
    if (y.exponent > decay_limit_log2 - 2) {
      return -certified_below_limit(gap);
    }
    const decay<N> e(y.scaled(1));
    return x.exponent < 0 ? compare(x * (one + e.value), e.complement) : compare(e.value * (one + x), gap);
  }

  /// artanh x: half of log((1 + x) / (1 - x)), or the series of a small x.
  template <class X>
  static constexpr signed_estimate value(const X& x) {
    const estimate v = x();
    estimate twice;
    if (v.exponent < -2) {
      twice = twice_artanh(v);
    } else {
      const signed_estimate above = x.offset(1), below = x.offset(-1);
      if (!above.size.known() || !below.size.known()) {
        return {unknown_estimate};
      }
      if (above.size.m == 0 || below.size.m == 0) {
        return {infinite_estimate, x.negative()};
      }
      twice = log_estimate(x.negative() ? below.size / above.size : above.size / below.size).size;
    }
    return {{twice.m, twice.exponent - 1, twice.error}, x.negative()};
  }
};

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
