// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Piecewise linear and step functions, and hardswish: their signs are exact arithmetic.
#ifndef DYTQ_FUNCTIONS_PIECEWISE_HPP
#define DYTQ_FUNCTIONS_PIECEWISE_HPP

#include <cstddef>
#include <cstdint>

#include "../numbers/estimate.hpp"
#include "../numbers/integer.hpp"
#include "../numbers/real.hpp"

namespace dytq {
inline namespace v0 {
namespace detail {

/// An exact number as an estimate: unknown if it is not.
constexpr signed_estimate estimate_of_exact(const real<2>& v) {
  return v.is_zero()    ? signed_estimate{}
         : v.error != 0 ? signed_estimate{unknown_estimate}
                        : signed_estimate{make_estimate(v), v.negative};
}

/// floor(|v|) for 0 < |v| < 2^62, and how the fraction compares with 0 and 1/2.
struct whole_part {
  std::int64_t n = 0;
  bool rest = false;  ///< |v| > n
  bool half = false;  ///< |v| >= n + 1/2
  bool more = false;  ///< |v| is neither n nor n + 1/2

  template <std::size_t N>
  constexpr explicit whole_part(const real<N>& v) {
    std::uint64_t low = 0;
    for (std::size_t i = 0; i + 1 < N; ++i) {
      low |= v.m[i];
    }
    const std::uint64_t top = v.m[N - 1], middle = std::uint64_t{1} << 63;
    if (v.exponent <= 0) {
      rest = top != 0;
      half = rest && v.exponent == 0;
      more = rest && !(half && top == middle && low == 0);
      return;
    }
    const std::uint64_t part = top << v.exponent;
    n = static_cast<std::int64_t>(top >> (64 - v.exponent));
    rest = part != 0 || low != 0;
    half = part >= middle;
    more = rest && (part != middle || low != 0);
  }
};

/// v rounded towards 0.
template <std::size_t N>
constexpr real<N> whole_of(const real<N>& v) {
  if (v.exponent <= 0) {
    return {};
  }
  real<N> r = v;
  for (std::int32_t i = static_cast<std::int32_t>(64 * N) - v.exponent, at = 0; i > 0; i -= 64, ++at) {
    r.m[static_cast<std::size_t>(at)] &= i >= 64 ? 0 : ~std::uint64_t{0} << i;
  }
  return r;
}

/// Is a whole number odd?
template <std::size_t N>
constexpr bool is_odd_number(const real<N>& v) {
  const std::int32_t at = static_cast<std::int32_t>(64 * N) - v.exponent;
  return v.exponent > 0 && at >= 0 && (v.m[static_cast<std::size_t>(at) / 64] >> (at % 64) & 1) != 0;
}

/// floor, ceil and round. Their values are integers: f(x) > y exactly if f(x) >= floor(y) + 1.
template <class Step>
struct step_function {
  static constexpr estimate at_zero{};         ///< f(0)
  static constexpr bool zero_has_sign = true;  ///< a zero has the sign of x, as IEEE 754 wants it of its roundings

  /// The certified sign of f(x) - y. Range: any x and y.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y, const exact_sum<N>& terms) {
    if (x.error == 0 && x.exponent < 62) {
      const std::int64_t n = Step::of(whole_part(x), x.negative);
      return compare(real<N>(x.negative ? -n : n), y);
    }
    const real<N> one(std::int64_t{1}), whole = whole_of(y);
    const bool is_whole = (y - whole).is_zero();
    const real<N> floor_y = y.negative && !is_whole ? whole - one : whole;
    const bool odd = is_odd_number(floor_y);
    // Is f(x) >= n = floor_y + more? The step up to n is at the edge n - lead. The edge is exact unless floor_y is
    // huge.
    const auto reaches = [&](const real<N>& more, bool n_odd) {
      const real<N> by = more - real<N>(std::int64_t{Step::twice_lead}).scaled(-1), edge = floor_y + by;
      const certified_sign beyond = sign_of(edge.error == 0 ? terms.minus(edge) : terms.minus(floor_y) - by);
      return beyond != certified_sign::zero ? beyond
             : Step::includes_edge(n_odd)   ? certified_sign::positive
                                            : certified_sign::negative;
    };
    const certified_sign above = reaches(one, !odd);
    if (above != certified_sign::negative) {
      return above;
    }
    const certified_sign there = is_whole ? reaches({}, odd) : certified_sign::negative;
    return there == certified_sign::positive ? certified_sign::zero : there;
  }

  /// f(x), exact.
  template <class X>
  static constexpr signed_estimate value(const X& x) {
    const real<2> v = x.exact();
    if (v.error != 0 || v.exponent > 61) {
      return whole_of(v).m == v.m ? estimate_of_exact(v) : signed_estimate{unknown_estimate};
    }
    const std::int64_t n = Step::of(whole_part(v), v.negative);
    return n == 0 ? signed_estimate{} : signed_estimate{make_estimate(static_cast<std::uint64_t>(n), 0), v.negative};
  }
};

/// The greatest integer that is not above x.
struct floor_function : step_function<floor_function> {
  static constexpr int twice_lead = 0;                        ///< f(x) >= n from x = n on
  static constexpr bool includes_edge(bool) { return true; }  ///< f(n) = n
  /// |f(x)| from the parts of |x|.
  static constexpr std::int64_t of(const whole_part& v, bool x_negative) {
    return v.n + (x_negative && v.rest ? 1 : 0);
  }
};

/// The least integer that is not below x.
struct ceil_function : step_function<ceil_function> {
  static constexpr int twice_lead = 2;                         ///< f(x) >= n above x = n - 1
  static constexpr bool includes_edge(bool) { return false; }  ///< f(n - 1) = n - 1
  /// |f(x)| from the parts of |x|.
  static constexpr std::int64_t of(const whole_part& v, bool x_negative) {
    return v.n + (!x_negative && v.rest ? 1 : 0);
  }
};

/// The integer nearest to x; of two the even one. Odd.
struct round_function : step_function<round_function> {
  static constexpr bool odd = true;  ///< f(-x) = -f(x)?

  static constexpr int twice_lead = 1;                                ///< f(x) >= n from about n - 1/2 on
  static constexpr bool includes_edge(bool n_odd) { return !n_odd; }  ///< of two integers the even one
  /// |f(x)| from the parts of |x|.
  static constexpr std::int64_t of(const whole_part& v, bool) {
    return v.n + (v.half && (v.more || v.n % 2 != 0) ? 1 : 0);
  }
};

/// leaky_relu x = x, or slope * x below 0.
struct leaky_relu_function {
  double slope = 0.01;                  ///< finite; any sign
  static constexpr estimate at_zero{};  ///< f(0)

  /// Is the parameter finite?
  constexpr bool valid() const { return dyadic(slope).finite; }

  /// The certified sign of f(x) - y. Range: any x and y.
  template <std::size_t N>
  constexpr certified_sign sign(const real<N>& x, const real<N>& y) const {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  constexpr certified_sign sign(const real<N>& x, const real<N>& y, const exact_sum<N>& terms) const {
    return sign_of((x.negative ? terms.times(real<N>(dyadic(slope))) : terms).minus(y));
  }

  /// f(x).
  template <class X>
  constexpr signed_estimate value(const X& x) const {
    const dyadic s(slope);
    if (!x.negative() || s.is_zero()) {
      return x.negative() ? estimate{} : x();
    }
    return {x() * make_estimate(s.mantissa, s.exponent), !s.negative};
  }
};

/// relu x = max(x, 0).
struct relu_function {
  static constexpr estimate at_zero{};  ///< f(0)

  /// The certified sign of f(x) - y. Range: any x and y.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y, const exact_sum<N>& terms) {
    return x.negative ? -sign_of(y) : sign_of(terms.minus(y));
  }

  /// f(x).
  template <class X>
  static constexpr signed_estimate value(const X& x) {
    return x.negative() ? estimate{} : x();
  }
};

/// hardsigmoid x = clamp(x + 3, 0, 6) / 6.
struct hardsigmoid_function {
  static constexpr estimate at_zero = make_estimate(1, -1);  ///< f(0)

  /// The certified sign of f(x) - y. Range: any x and y.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y, const exact_sum<N>& terms) {
    const real<N> three(std::int64_t{3}), six = three.scaled(1);
    const certified_sign high = x.exponent > 2 ? sign_of(x) : sign_of(terms.minus(three));  // from |x| = 4 on
    if (high == certified_sign::positive || high == certified_sign::zero) {
      return compare(real<N>(std::int64_t{1}), y);
    }
    const certified_sign low = sign_of(terms.plus(three));
    if (low == certified_sign::negative || low == certified_sign::zero) {
      return -sign_of(y);
    }
    if (low == certified_sign::unknown || high == certified_sign::unknown) {
      return certified_sign::unknown;
    }
    return sign_of(terms.minus(y * six - three));
  }

  /// f(x).
  template <class X>
  static constexpr signed_estimate value(const X& x) {
    return part(x).value;
  }
  /// f(x), and the side on which it is constant: -1, 1, or 0.
  struct parts {
    signed_estimate value;
    int side = 0;
  };
  /// See `parts`.
  template <class X>
  static constexpr parts part(const X& x) {
    const signed_estimate v = x.offset(3);
    if (!v.size.known()) {
      return {unknown_estimate};
    }
    if (v.negative || v.size.m == 0) {
      return {estimate{}, -1};
    }
    const signed_estimate beyond = x.offset(-3);
    if (!beyond.size.known()) {
      return {unknown_estimate};
    }
    return !beyond.negative ? parts{make_estimate(1, 0), 1} : parts{v.size / make_estimate(6, 0), 0};
  }
};

/// hardswish x = x hardsigmoid x.
struct hardswish_function {
  static constexpr estimate at_zero{};  ///< f(0)

  /// The certified sign of f(x) - y. Range: any x and y.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y, const exact_sum<N>& terms) {
    const real<N> three(std::int64_t{3}), six_y = y * three.scaled(1);
    const certified_sign low = sign_of(terms.plus(three)), high = sign_of(terms.minus(three));
    if (low == certified_sign::unknown || high == certified_sign::unknown) {
      return certified_sign::unknown;
    }
    if (low != certified_sign::positive) {
      return -sign_of(y);
    }
    if (high != certified_sign::negative) {
      return sign_of(terms.minus(y));
    }
    // x (x + 3) - 6 y. Near 0, where x^2 may be too small a part of 3 x to be kept: (3 x - 6 y) + x^2.
    if (x.exponent < 0) {
      const certified_sign near_zero = sign_of(terms.times(three).minus(six_y) + x * x);
      if (near_zero != certified_sign::unknown) {
        return near_zero;
      }
    }
    // Elsewhere with x = a + b, |a| >= |b|: (a (a + 3) - 6 y) + b ((2 a + 3) + b).
    const bool first = terms.b.is_zero() || (!terms.a.is_zero() && terms.a.exponent >= terms.b.exponent);
    const real<N>&a = first ? terms.a : terms.b, &b = first ? terms.b : terms.a;
    const real<N> of_a = (a * a + a * three) - six_y;
    return sign_of(b.is_zero() ? of_a : of_a + b * ((a.scaled(1) + three) + b));
  }

  /// f(x).
  template <class X>
  static constexpr signed_estimate value(const X& x) {
    const auto part = hardsigmoid_function::part(x);
    return part.side != 0 ? signed_estimate{part.side < 0 ? estimate{} : x()}
                          : signed_estimate{x() * part.value.size, x.negative()};
  }
};

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
