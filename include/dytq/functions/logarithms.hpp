// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logarithms, and softplus: log x > y where x > e^y.
#ifndef DYTQ_FUNCTIONS_LOGARITHMS_HPP
#define DYTQ_FUNCTIONS_LOGARITHMS_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../numbers/estimate.hpp"
#include "../numbers/fixed.hpp"
#include "../numbers/real.hpp"
#include "exponential.hpp"

namespace dytq {
inline namespace v0 {
namespace detail {

/// ln 10 / 4 as a fraction.
inline constexpr limbs<6> quarter_ln10_limbs = {0xcc70cbc02c5f0d68, 0x962f02d7b1a8105c, 0x83c61e8201f02d72,
                                                0xe28fecf9da5df90e, 0xea56d62b82d30a28, 0x935d8dddaaa8ac16};
template <std::size_t N>
inline constexpr real<N> ln10 = real<N>(leading<N>(quarter_ln10_limbs), 2, 1, false);

/// 1 / 3, 1 / 5, ... 1 / 25 as fractions of 64 bits.
inline constexpr std::array<std::uint64_t, 12> odd_reciprocals = {
    0x5555555555555555, 0x3333333333333333, 0x2492492492492492, 0x1c71c71c71c71c71,
    0x1745d1745d1745d1, 0x13b13b13b13b13b1, 0x1111111111111111, 0x0f0f0f0f0f0f0f0f,
    0x0d79435e50d79435, 0x0c30c30c30c30c30, 0x0b21642c8590b216, 0x0a3d70a3d70a3d70};

/// Error of twice_artanh beyond twice that of its argument.
inline constexpr std::uint64_t twice_artanh_error = 16;

/// 2 artanh t = 2 t (1 + t^2/3 + t^4/5 + ...) for 0 < t < 0.1716.
constexpr estimate twice_artanh(const estimate& t) {
  const estimate square = t * t;
  const std::uint64_t w = square.exponent > -64 ? square.m >> -square.exponent : 0;
  std::uint64_t p = 0;
  for (std::size_t k = w == 0 ? 0 : odd_reciprocals.size(); k-- > 0;) {
    p = odd_reciprocals[k] + multiply_high(w, p);
  }
  const estimate series{(std::uint64_t{1} << 63) | (multiply_high(w, p) >> 1), 1, twice_artanh_error - 6 + t.error};
  estimate r = t * series;
  r.exponent += 1;
  return r;
}

/// log x for x > 0. The error of x is one of the same size in the logarithm.
constexpr signed_estimate log_estimate(const estimate& x) {
  // x = 2^e m with m between sqrt(1/2) and sqrt 2; log m = 2 artanh((m - 1) / (m + 1)).
  const std::int32_t up = (x.m >> 63) == 0 ? 1 : 0;
  const std::uint64_t fraction = x.m << up;
  const bool above = fraction < 0xb504f333f9de6484;  // then m is twice the fraction
  const std::int32_t e = x.exponent - up - (above ? 1 : 0);
  const std::uint64_t n = above ? fraction << 1 : 0 - fraction;
  estimate part{};
  if (n != 0) {
    const estimate d = above ? estimate{(std::uint64_t{1} << 63) | (n >> 2), 2, 2}
                             : estimate{(std::uint64_t{1} << 63) | (fraction >> 1), 1, 2};
    part = twice_artanh(make_estimate(n, -64) / d);
  }
  if (e == 0) {
    // An absolute error of x.error, relative to a number above 2^(exponent - 1).
    if (x.error != 0) {
      const std::int32_t by = 1 - part.exponent;
      const bool hidden = n == 0 || by > 48 || x.error >> (48 - by) != 0;
      part.error = hidden ? estimate::unknown_error : part.error + (x.error << by);
    }
    return {part, !above};
  }
  const estimate whole =
      make_estimate(e < 0 ? static_cast<std::uint64_t>(-e) : static_cast<std::uint64_t>(e), 0) * ln2_estimate;
  estimate sum = n == 0 ? whole : above == (e > 0) ? whole + part : whole - part;
  sum.error += 4 * x.error;  // the sum is above 0.34
  return {sum, e < 0};
}

/// log(1 + d) for d > -1.
constexpr signed_estimate log1p_estimate(const signed_estimate& d) {
  const estimate& v = d.size;
  if (!v.known() || v.m == 0) {
    return d;
  }
  // t = d / (2 + d) below 0.1716: for d up to 0.4142, and down to -0.2928.
  const bool middle =
      v.exponent < -1 || (v.exponent == -1 && v.m < (d.negative ? 0x95f619980c4336f7 : 0xd413cccfe7799211));
  if (middle) {
    const estimate two = make_estimate(1, 1);
    return {twice_artanh(v / (d.negative ? two - v : two + v)), d.negative};
  }
  return log_estimate(d.negative ? make_estimate(1, 0) - v : make_estimate(1, 0) + v);
}

/// log of an argument: near 1 from its distance from 1.
template <class X>
constexpr signed_estimate log_at(const X& x) {
  if (x.negative()) {
    return {unknown_estimate};
  }
  const estimate v = x();
  const bool near_one = (v.exponent == 1 && v.m < 0x8200000000000000) || (v.exponent == 0 && v.m > 0xfc00000000000000);
  return near_one ? log1p_estimate(x.offset(-1)) : log_estimate(v);
}

/// The certified sign of log x - y, with x - 1 given.
template <std::size_t N>
constexpr certified_sign compare_log(const real<N>& x, const real<N>& y, const real<N>& less_one) {
  if (less_one.is_zero()) {
    return compare(less_one, y);
  }
  // log x < x - 1.
  return at_least(y, less_one) ? certified_sign::negative : -compare_exp(y, x, less_one);
}

/// log x, natural. Defined from 0 on, where it has a pole.
struct log_function {
  static constexpr int domain_min = 0;                                ///< the least x
  static constexpr signed_estimate at_zero{infinite_estimate, true};  ///< f(0)
  static constexpr bool logarithmic = true;  ///< is f(infinity) infinite, although f grows slowly?

  /// The certified sign of log x - y: that of x - e^y. Range: x >= 0; y is 0 or |y| between 2^-8000 and 2^8000.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y, const exact_sum<N>& terms) {
    return compare_log(x, y, terms.minus(real<N>(std::int64_t{1})));
  }
  /// log x.
  template <class X>
  static constexpr signed_estimate value(const X& x) {
    return log_at(x);
  }
  /// log of an estimate of x > 0, for functions made of it. An error of x is one of the same size in the logarithm.
  static constexpr signed_estimate of(const estimate& x) { return log_estimate(x); }
};

/// log(1 + x), natural. Defined from -1 on, where it has a pole.
struct log1p_function {
  static constexpr int domain_min = -1;      ///< the least x
  static constexpr bool logarithmic = true;  ///< is f(infinity) infinite, although f grows slowly?

  /// The certified sign of log(1 + x) - y. Range: x >= -1; y is 0 or |y| between 2^-8000 and 2^8000.
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
    // log(1 + x) < x.
    const real<N> above = terms.minus(y);
    if (above.is_zero() || (above.negative && above.known())) {
      return certified_sign::negative;
    }
    return -compare_exp(y, terms.plus(real<N>(std::int64_t{1})), x);
  }
  /// log(1 + x).
  template <class X>
  static constexpr signed_estimate value(const X& x) {
    const estimate v = x();
    // Near the pole at -1 the estimate needs a precise 1 + x.
    if (!x.negative() || v.exponent < -1) {
      return log1p_estimate({v, x.negative()});
    }
    const signed_estimate above = x.offset(1);
    return above.negative || !above.size.known() ? signed_estimate{unknown_estimate}
           : above.size.m == 0                   ? signed_estimate{infinite_estimate, true}
                                                 : log_estimate(above.size);
  }
};

/// log x to the base 2. Defined from 0 on, where it has a pole.
struct log2_function {
  static constexpr int domain_min = 0;                                ///< the least x
  static constexpr signed_estimate at_zero{infinite_estimate, true};  ///< f(0)
  static constexpr bool logarithmic = true;  ///< is f(infinity) infinite, although f grows slowly?

  /// The certified sign of log2 x - y: that of x - 2^y. Range: x >= 0; y is 0 or |y| between 2^-8000 and 2^8000.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y, const exact_sum<N>& terms) {
    if (y.exponent > decay_limit_log2 - 1) {
      return -compare_exp(y, x, x - real<N>(std::int64_t{1}));  // as e^y, far out
    }
    // Compares x 2^-n with 2^part; exact at whole powers.
    const std::int64_t n = nearest_integer(y);
    const auto down = -static_cast<std::int32_t>(n);
    const real<N> part = y - real<N>(n), less_power = terms.minus(real<N>(std::int64_t{1}).scaled(-down));
    return -compare_exp(part * ln2<N>, x.scaled(down), less_power.scaled(down));
  }
  /// log2 x.
  template <class X>
  static constexpr signed_estimate value(const X& x) {
    const signed_estimate v = log_at(x);
    return {v.size * estimate{0xb8aa3b295c17f0bb, 1, 2}, v.negative};
  }
};

/// log x to the base 10. Defined from 0 on, where it has a pole.
struct log10_function {
  static constexpr int domain_min = 0;                                ///< the least x
  static constexpr signed_estimate at_zero{infinite_estimate, true};  ///< f(0)
  static constexpr bool logarithmic = true;  ///< is f(infinity) infinite, although f grows slowly?

  /// The certified sign of log10 x - y: that of x - 10^y. Range: x >= 0; y is 0 or |y| between 2^-8000 and 2^8000.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y, const exact_sum<N>& terms) {
    const real<N> one(std::int64_t{1});
    if (!y.negative && y.exponent > 0 && y.exponent < 8 && y.error == 0) {
      // At whole powers of 10 the comparison is exact, if 5^n fits.
      const std::int64_t n = nearest_integer(y);
      if ((y - real<N>(n)).is_zero()) {
        real<N> power = one;
        for (std::int64_t i = 0; i < n; ++i) {
          power = power * real<N>(std::int64_t{10});
        }
        if (power.error == 0) {
          return sign_of(terms.minus(power));
        }
      }
    }
    return -compare_exp(y * ln10<N>, x, terms.minus(one));
  }
  /// log10 x.
  template <class X>
  static constexpr signed_estimate value(const X& x) {
    const signed_estimate v = log_at(x);
    return {v.size * estimate{0xde5bd8a937287195, -1, 2}, v.negative};
  }
};

/// softplus x = log(1 + e^x).
struct softplus_function {
  static constexpr estimate at_zero = ln2_estimate;  ///< f(0)

  /// The certified sign of softplus x - y: that of E(x) E(d) - (1 - E(d)) with d = y - x for x > 0, and with d = y
  /// below. Range: y is 0 or |y| between 2^-8000 and 2^8000; any x.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y, const exact_sum<N>& terms) {
    // max(x, 0) < softplus x < max(x, 0) + 1.
    const real<N> d = x.negative ? y : -terms.minus(y);
    if (d.is_zero() || (d.negative && d.known())) {
      return certified_sign::positive;
    }
    if (!d.known()) {
      return certified_sign::unknown;
    }
    if (at_least(d, real<N>(std::int64_t{1}))) {
      return certified_sign::negative;
    }
    if (x.exponent > decay_limit_log2 - 1) {
      return -certified_below_limit(d);
    }
    const decay<N> e(d), of_x(x.magnitude());
    return compare(of_x.value * e.value, e.complement);
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool) { return false; }
  /// softplus(+-x) for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool x_negative) {
    const estimate small_part = log1p_estimate(decay_estimate(x).value).size;
    return x_negative ? small_part : x + small_part;
  }
  /// Is |f| monotone on this side, with limit() as its bound?
  static constexpr bool has_limit(bool) { return true; }
  /// The bound of |f| on this side.
  static constexpr estimate limit(bool x_negative) {
    return x_negative ? estimate{} : estimate{std::uint64_t{1} << 63, range_log2, 0};
  }
};

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
