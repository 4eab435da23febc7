// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The smooth units of networks: logistic, silu, mish, gelu in its tanh form, elu.
#ifndef DYTQ_FUNCTIONS_UNITS_HPP
#define DYTQ_FUNCTIONS_UNITS_HPP

#include <cstddef>
#include <cstdint>

#include "../numbers/estimate.hpp"
#include "../numbers/fixed.hpp"
#include "../numbers/integer.hpp"
#include "../numbers/real.hpp"
#include "erf_series.hpp"
#include "exponential.hpp"
#include "hyperbolic.hpp"

namespace dytq {
inline namespace v0 {
namespace detail {

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

  /// Tables get e^(-2^decay_log2 |x|) of the next entry by one multiplication.
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

/// silu x = x * logistic x = x / (1 + e^-x).
struct silu_function {
  static constexpr bool odd = false;  ///< f(-x) = -f(x)?

  /// The certified sign of silu x - y. Range: |y| is 0 or between 2^-8000 and 2^8000; any x.
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

  /// Tables get e^(-2^decay_log2 |x|) of the next entry by one multiplication.
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

/// mish x = x tanh(softplus x) = x (w^2 + 2w) / (w^2 + 2w + 2) with w = e^x.
struct mish_function {
  /// The certified sign of mish x - y. Range: |y| is 0 or between 2^-8000 and 2^8000; any x.
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
    const bool falls = !y.negative && !y.is_zero();
    if (x.negative ? !y.negative : !falls) {
      return x.negative ? certified_sign::negative : certified_sign::positive;
    }
    // mish x > 3x/5 for 0 < |x| < 1/4: the next term of the series, 8x^2/25, exceeds the rest.
    if (x.exponent < -1) {
      const real<N> below = terms.times(real<N>(std::int64_t{3})).minus(y * real<N>(std::int64_t{5}));
      if (below.is_zero() || (!below.negative && below.known())) {
        return certified_sign::positive;
      }
    }
    const real<N> t = x.magnitude(), v = y.magnitude(), one(std::int64_t{1});
    if (!x.negative) {
      // mish x < x for x > 0. Compare x - y with x - mish x = 2 x E^2 / (1 + 2 E + 2 E^2).
      const real<N> above = terms.minus(y);
      if (above.is_zero() || (above.negative && above.known())) {
        return certified_sign::negative;
      }
      if (x.exponent > decay_limit_log2 - 1) {
        return certified_below_limit(above);
      }
      const real<N> e = decay<N>(t).value, square = (e * e).scaled(1), rest = one + e.scaled(1);
      return x.exponent > 0 ? compare(above * (rest + square), t * square) : compare(t * rest, y * (rest + square));
    }
    if (x.exponent > decay_limit_log2 - 1) {
      return certified_below_limit(v);
    }
    const real<N> w = decay<N>(t).value, part = w * (w + one.scaled(1));
    return compare(v * (part + one.scaled(1)), t * part);
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool x_negative) { return x_negative; }
  /// |mish(+-x)| for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool x_negative) {
    if (x.exponent > decay_limit_log2) {
      return x_negative ? estimate{std::uint64_t{1} << 63, -range_log2, 0} : estimate{x.m, x.exponent, x.error + 2};
    }
    const estimate e = decay_estimate(x).value, two = make_estimate(1, 1);
    if (x_negative) {
      const estimate part = e * (two + e);
      return x * (part / (two + part));
    }
    const estimate part = make_estimate(1, 0) + estimate{e.m, e.exponent + 1, e.error}, square = e * e;
    return x * (part / (part + estimate{square.m, square.exponent + 1, square.error}));
  }
};

/// gelu in its tanh form: x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) = x logistic(2 sqrt(2/pi) (x + 0.044715 x^3)).
struct gelu_tanh_function {
  /// The certified sign of f(x) - y, as for silu. Range: |y| is 0 or between 2^-8000 and 2^8000; any x.
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
    const real<N> t = x.magnitude(), v = y.magnitude(), one(std::int64_t{1});
    if (!x.negative) {
      if (y.negative || y.is_zero()) {
        return certified_sign::positive;
      }
      // x/2 < f(x) < x for x > 0.
      const real<N> above = terms.minus(y);
      if (above.is_zero() || (above.negative && above.known())) {
        return certified_sign::negative;
      }
      if (at_least(x.scaled(-1), y)) {
        return certified_sign::positive;
      }
      // From 8 on, x - f(x) = x E / (1 + E) is below 16 e^-49 < 2^-66.
      if (x.exponent > 3 && above.known() && above.exponent > -60) {
        return certified_sign::positive;
      }
      const real<N> g = inner(t);
      if (g.exponent > decay_limit_log2 - 1) {
        return certified_below_limit(above);
      }
      const real<N> e = decay<N>(g).value;
      // x - f(x) = x E / (1 + E).
      return x.exponent > 0 ? compare(above * (one + e), t * e) : compare(x, y * (one + e));
    }
    if (!y.negative) {
      return certified_sign::negative;
    }
    if (at_least(v, t.scaled(-1))) {
      return certified_sign::positive;
    }
    const real<N> g = inner(t);
    if (g.exponent > decay_limit_log2 - 1) {
      return certified_below_limit(v);
    }
    const real<N> e = decay<N>(g).value;
    return compare(v * (one + e), t * e);
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool x_negative) { return x_negative; }
  /// |f(+-x)| for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool x_negative) {
    if (x.exponent > 7) {
      return x_negative ? estimate{std::uint64_t{1} << 63, -range_log2, 0} : estimate{x.m, x.exponent, x.error + 2};
    }
    const estimate cube = x * x * x * estimate{0xb727136a400fba88, -4, 2};
    const estimate e = decay_estimate((x + cube) * estimate{0xcc42299ea1b28468, 1, 2}).value;
    return (x_negative ? x * e : x) / one_plus(e);
  }

 private:
  /// 2 sqrt(2/pi) (t + 8943/200000 t^3).
  template <std::size_t N>
  static constexpr real<N> inner(const real<N>& t) {
    const real<N> cube = divide(t * t * t * real<N>(std::int64_t{8943}), 200000);
    return (t + cube) * normal_density<N>.scaled(2);
  }
};

/// elu x = x, or alpha (e^x - 1) below 0.
struct elu_function {
  double alpha = 1.0;  ///< finite; any sign

  /// Is the parameter finite?
  constexpr bool valid() const { return dyadic(alpha).finite; }

  /// The certified sign of elu x - y. Range: |y| is 0 or between 2^-8000 and 2^8000; any x.
  template <std::size_t N>
  constexpr certified_sign sign(const real<N>& x, const real<N>& y) const {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  constexpr certified_sign sign(const real<N>& x, const real<N>& y, const exact_sum<N>& terms) const {
    if (!x.negative) {
      return sign_of(terms.minus(y));
    }
    const real<N> a{dyadic(alpha)};
    if (a.is_zero()) {
      return -sign_of(y);
    }
    return a.negative ? -below_zero<N>(x, -y, -a, terms) : below_zero<N>(x, y, a, terms);
  }

  /// elu x.
  template <class X>
  constexpr signed_estimate value(const X& x) const {
    const estimate v = x();
    const dyadic a(alpha);
    if (!x.negative() || a.is_zero()) {
      return x.negative() ? estimate{} : v;
    }
    return {make_estimate(a.mantissa, a.exponent) * decay_estimate(v).complement, !a.negative};
  }
  static constexpr estimate at_zero{};  ///< f(0)

 private:
  /// The sign of a (e^x - 1) - y for x < 0, a > 0.
  template <std::size_t N>
  static constexpr certified_sign below_zero(const real<N>& x, const real<N>& y, const real<N>& a,
                                             const exact_sum<N>& terms) {
    if (!y.negative) {
      return certified_sign::negative;
    }
    // f(x) > -a, and a x < f(x) < 0.
    const real<N> gap = y + a;
    if (gap.is_zero() || (gap.negative && gap.known())) {
      return certified_sign::positive;
    }
    const real<N> line = terms.times(a).minus(y);
    if (line.is_zero() || (!line.negative && line.known())) {
      return certified_sign::positive;
    }
    if (x.exponent > decay_limit_log2 - 1) {
      return -certified_below_limit(gap);
    }
    const decay<N> e(x.magnitude());
    return x.exponent < 1 ? compare(y.magnitude(), a * e.complement) : compare(a * e.value, gap);
  }
};

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
