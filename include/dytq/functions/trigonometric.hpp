// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sine, cosine, tangent and their inverses.
#ifndef DYTQ_FUNCTIONS_TRIGONOMETRIC_HPP
#define DYTQ_FUNCTIONS_TRIGONOMETRIC_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../numbers/angle.hpp"
#include "../numbers/estimate.hpp"
#include "../numbers/fixed.hpp"
#include "../numbers/real.hpp"

namespace dytq {
inline namespace v0 {
namespace detail {

/// Terms of the series of sine and cosine after which the rest is below half an ulp, for z^2 < 0.67.
template <std::size_t N>
inline constexpr std::uint64_t sine_terms = N == 1   ? 11
                                            : N == 2 ? 18
                                            : N == 4 ? 29
                                                     : 39;

/// Error of sine_quotient, in ulps.
inline constexpr std::uint64_t sine_quotient_ulps = 8;

/// first = 1: sin(z) / z; first = 0: cos(z), of the square of z < 0.82: 1 - w/(a b) (1 - w/(c d) (1 - ...)).
template <std::size_t N>
constexpr limbs<N> sine_quotient(const limbs<N>& square, std::uint64_t first) {
  limbs<N> t{};
  for (std::size_t i = 0; i < N; ++i) {
    t[i] = ~std::uint64_t{0};
  }
  for (std::uint64_t k = sine_terms<N>; k >= 1; --k) {
    const std::uint64_t a = 2 * k - 1 + first;
    t = complement<N>(divide_small<N>(multiply_fractions<N>(square, t), a * (a + 1)));
  }
  return t;
}

/// sin z and cos z for |z| < 0.8125. The sine has a small relative error for small z as well.
template <std::size_t N>
struct sine_cosine {
  real<N> sine, cosine;

  constexpr explicit sine_cosine(const real<N>& z) {
    const real<N> square = z * z;
    bool lost = false;
    const limbs<N> w =
        square.exponent < -static_cast<int>(64 * N) ? limbs<N>{} : shift_right<N>(square.m, -square.exponent, lost);
    // An error of w by e ulps moves either quotient by less than e / 2.
    const std::uint64_t err = sine_quotient_ulps + square.error;
    sine = z * real<N>(sine_quotient<N>(w, 1), 0, err, false);
    cosine = real<N>(sine_quotient<N>(w, 0), 0, err, false);
  }
};

/// pi / 2.
template <std::size_t N>
inline constexpr real<N> half_pi = real<N>(leading<N>(quarter_pi_limbs), 1, 1, false);

/// pi / 2 as an estimate.
inline constexpr estimate half_pi_estimate{0xc90fdaa22168c234, 1, 2};

/// Error of sine_estimate and cosine_estimate beyond that of the argument.
inline constexpr std::uint64_t sine_estimate_error = 24;

/// first = 1: sin(z) / z; first = 0: cos(z), as fractions, of z <= pi / 4.
constexpr std::uint64_t sine_quotient_64(const estimate& z, std::uint64_t first) {
  const estimate square = z * z;
  const std::uint64_t w = square.exponent > -64 ? square.m >> -square.exponent : 0;
  std::uint64_t t = ~std::uint64_t{0};
  for (std::uint64_t k = w == 0 ? 0 : sine_terms<1>; k >= 1; --k) {
    const std::uint64_t a = 2 * k - 1 + first;
    t = ~(multiply_high(w, t) / (a * (a + 1)));
  }
  return t;
}
constexpr estimate sine_estimate(const estimate& z) {
  return z * estimate{sine_quotient_64(z, 1), 0, sine_estimate_error + z.error};
}
constexpr estimate cosine_estimate(const estimate& z) {
  const std::uint64_t c = sine_quotient_64(z, 0);  // above 0.7
  return {c, 0, sine_estimate_error + z.error};
}

/// The sine of quadrant * pi/2 + rest.
template <std::size_t N>
constexpr real<N> quadrant_sine(unsigned quadrant, const sine_cosine<N>& of_rest) {
  const real<N>& v = (quadrant & 1) == 0 ? of_rest.sine : of_rest.cosine;
  return (quadrant & 2) == 0 ? v : -v;
}

/// x = quadrant * pi/2 + rest modulo 2 pi, as estimates.
struct estimated_angle {
  unsigned quadrant = 0;
  signed_estimate rest;

  template <class X>
  constexpr explicit estimated_angle(const X& x) {
    rest = {x(), x.negative()};
    if (rest.size.exponent < 0) {
      return;
    }
    const wide64 turn = x.turn();
    const std::uint64_t hi = turn.hi + (std::uint64_t{1} << 61);
    quadrant = static_cast<unsigned>(hi >> 62);
    // The distance from the nearest quadrant: at most an eighth of a turn.
    wide64 part{turn.hi - (std::uint64_t{quadrant} << 62), turn.lo};
    rest.negative = (part.hi >> 63) != 0;
    if (rest.negative) {
      part = {~part.hi + (part.lo == 0 ? 1 : 0), 0 - part.lo};
    }
    const int by = part.hi != 0 ? std::countl_zero(part.hi) : 64;
    // The turn has an error of 2^28 in units of 2^-128.
    if (by > 62) {
      rest.size = unknown_estimate;
      return;
    }
    const std::uint64_t m = (part.hi << by) | (by != 0 ? part.lo >> (64 - by) : 0);
    rest.size = estimate{m, -by, 2 + (std::uint64_t{1} << by >> 35)} * estimate{0xc90fdaa22168c234, 3, 2};
  }
};

/// atan(i / 8) as fractions of 64 bits.
inline constexpr std::array<std::uint64_t, 9> arctan_anchors = {0,
                                                                0x1fd5ba9aac2f6dc6,
                                                                0x3eb6ebf25901bac5,
                                                                0x5bd86507937bc239,
                                                                0x76b19c1586ed3da2,
                                                                0x8f005d5ef7f59f9b,
                                                                0xa4bc7d1934f70924,
                                                                0xb8053e2bc2319e73,
                                                                0xc90fdaa22168c234};

/// arctan x, odd.
struct arctan_function {
  static constexpr bool odd = true;  ///< f(-x) = -f(x)?

  /// The certified sign of arctan x - y: that of x cos y - sin y for x > 0 and 0 < y < 1.625, by half angles so that
  /// only positive terms are added. Range: y is 0 or |y| above 2^-8000; any x.
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
    // 0 < arctan x < x, and arctan x < pi/2 < 1.625.
    if (at_least(y, x) || at_least(y, real<N>(std::int64_t{13}).scaled(-3))) {
      return certified_sign::negative;
    }
    if (!y.known()) {
      return certified_sign::unknown;
    }
    const sine_cosine<N> half(y.scaled(-1));
    const real<N>&s = half.sine, &c = half.cosine;
    return compare(x * (c * c), x * (s * s) + (s * c).scaled(1));
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool x_negative) { return x_negative; }

  /// |arctan x| for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool = false) {
    const bool above = x.exponent > 0;
    if (above && x.exponent > 64) {
      return {arctan_anchors[8], 1, 8};
    }
    // arctan x = anchor +- arctan t: for x < 1, t = (8x - i) / (8 + ix); for x >= 1, t = (8 - ix) / (8x + i).
    const std::uint64_t i = above ? (x.exponent > 3 ? 0 : (std::uint64_t{8} << 56) / (x.m >> (8 - x.exponent)))
                                  : (x.exponent > -3 ? x.m >> (61 - x.exponent) : 0);
    estimate t = above ? make_estimate(1, 0) / x : x;
    if (i != 0) {
      const std::uint64_t v = above ? x.m >> (8 - x.exponent) : x.m >> (8 - x.exponent), eight = std::uint64_t{8} << 56;
      const std::uint64_t n = above ? eight - i * v : 8 * v - (i << 56), d = above ? 8 * v + (i << 56) : eight + i * v;
      if (n == 0) {
        t = {};
      } else {
        t = make_estimate(n, 0) / make_estimate(d, 0);
      }
    }
    const estimate square = t * t;
    const std::uint64_t w = square.exponent > -64 ? square.m >> -square.exponent : 0;
    std::uint64_t p = 0;
    for (std::uint64_t k = 10; k >= 1; --k) {
      p = ~std::uint64_t{0} / (2 * k + 1) - multiply_high(w, p);
    }
    const std::uint64_t q = ~multiply_high(w, p);
    estimate part{multiply_high(t.m, q), t.exponent, t.error + 64};
    if (i == 0 && !above) {
      return {part.m, part.exponent, part.error};
    }
    // Sum of fractions; t has an absolute error of 2^-55, since its numerator and denominator have 56 bits.
    const std::uint64_t rest = part.exponent > -62 ? part.m >> (1 - part.exponent) : 0;
    const std::uint64_t anchor = arctan_anchors[static_cast<std::size_t>(i)] >> 1;
    const std::uint64_t sum = above ? arctan_anchors[8] - anchor - rest : anchor + rest;
    const int by = std::countl_zero(sum);
    return {sum << by, 1 - by, ((std::uint64_t{1} << 12) + x.error) << by};
  }

  /// Is |f| monotone on this side, with limit() as its bound?
  static constexpr bool has_limit(bool) { return true; }
  /// The bound of |f| on this side.
  static constexpr estimate limit(bool) { return {arctan_anchors[8], 1, 4}; }
};

/// sin x, odd, of period 2 pi.
struct sin_function {
  static constexpr bool odd = true;       ///< f(-x) = -f(x)?
  static constexpr bool periodic = true;  ///< do estimates read the argument in turns (argument.hpp)?

  /// The certified sign of sin x - y. Range: any x below 2^2200, any y.
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
    // |sin x| < 1 and, near 0, |sin x| < |x|.
    if (x.negative) {
      return -sign<N>(-x, -y, {-terms.a, -terms.b});
    }
    const real<N> one(std::int64_t{1});
    if (at_least(y, one) || at_least(-y, one)) {
      return y.negative ? certified_sign::positive : certified_sign::negative;
    }
    if (x.exponent < 0 && at_least(y, x)) {
      return certified_sign::negative;
    }
    const reduced_angle<N> angle(x, terms);
    return !angle.rest.known() ? certified_sign::unknown
                               : compare(quadrant_sine<N>(angle.quadrant, sine_cosine<N>(angle.rest)), y);
  }

  /// sin x.
  template <class X>
  static constexpr signed_estimate value(const X& x) {
    return from(estimated_angle(x));
  }
  /// The sine of an angle in quadrants.
  static constexpr signed_estimate from(const estimated_angle& a) {
    const bool flip = (a.quadrant & 2) != 0;
    return (a.quadrant & 1) != 0 ? signed_estimate{cosine_estimate(a.rest.size), flip}
                                 : signed_estimate{sine_estimate(a.rest.size), a.rest.negative != flip};
  }
};

/// cos x, of period 2 pi.
struct cos_function {
  static constexpr bool periodic = true;                    ///< do estimates read the argument in turns (argument.hpp)?
  static constexpr estimate at_zero = make_estimate(1, 0);  ///< f(0)

  /// The certified sign of cos x - y. Range: any x below 2^2200, any y.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y, const exact_sum<N>& terms) {
    const real<N> one(std::int64_t{1});
    if (x.is_zero()) {
      return compare(one, y);
    }
    if (at_least(y, one) || at_least(-y, one)) {
      return y.negative ? certified_sign::positive : certified_sign::negative;
    }
    const reduced_angle<N> angle(x, terms);
    return !angle.rest.known() ? certified_sign::unknown
                               : compare(quadrant_sine<N>(angle.quadrant + 1, sine_cosine<N>(angle.rest)), y);
  }

  /// cos x.
  template <class X>
  static constexpr signed_estimate value(const X& x) {
    estimated_angle a(x);
    a.quadrant += 1;
    return sin_function::from(a);
  }
};

/// tan x, odd, of period pi. No double is at a pole.
struct tan_function {
  static constexpr bool odd = true;       ///< f(-x) = -f(x)?
  static constexpr bool periodic = true;  ///< do estimates read the argument in turns (argument.hpp)?

  /// The certified sign of tan x - y. Range: any x below 2^2200, any y.
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
    // Near 0, tan x > x.
    if (x.exponent < 0 && at_least(x, y)) {
      return certified_sign::positive;
    }
    const reduced_angle<N> angle(x, terms);
    if (!angle.rest.known()) {
      return certified_sign::unknown;
    }
    const sine_cosine<N> at(angle.rest);
    if ((angle.quadrant & 1) == 0) {
      return compare(at.sine, y * at.cosine);
    }
    // tan x = - cos / sin of the rest: multiply by the sine, and by its sign.
    const certified_sign s = compare(-at.cosine, y * at.sine);
    return at.sine.negative ? -s : s;
  }

  /// tan x.
  template <class X>
  static constexpr signed_estimate value(const X& x) {
    const estimated_angle a(x);
    if (!a.rest.size.known()) {
      return {a.rest.size};
    }
    const estimate s = sine_estimate(a.rest.size), c = cosine_estimate(a.rest.size);
    return (a.quadrant & 1) == 0 ? signed_estimate{s / c, a.rest.negative} : signed_estimate{c / s, !a.rest.negative};
  }
};

/// arcsin x, odd. Defined on [-1, 1].
struct asin_function {
  static constexpr bool odd = true;      ///< f(-x) = -f(x)?
  static constexpr int domain_min = -1;  ///< the least x
  static constexpr int domain_max = 1;   ///< the greatest x

  /// The certified sign of arcsin x - y: that of x - sin y for 0 < y < pi/2. Range: |x| <= 1, any y.
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
    // arcsin x > x.
    const real<N> above = terms.minus(y);
    if (y.negative || y.is_zero() || (above.known() && !above.negative)) {
      return certified_sign::positive;
    }
    const certified_sign right = compare(half_pi<N>, y);
    if (right != certified_sign::positive) {
      return right;
    }
    const sine_cosine<N> half(y.scaled(-1));
    return terms.minus(real<N>(std::int64_t{1})).is_zero() ? certified_sign::positive
                                                           : compare(x, (half.sine * half.cosine).scaled(1));
  }

  /// arcsin x = arctan(x / sqrt(1 - x^2)).
  template <class X>
  static constexpr signed_estimate value(const X& x) {
    const estimate above = x.offset(1).size, below = x.offset(-1).size;
    if (!above.known() || !below.known()) {
      return {unknown_estimate};
    }
    if (above.m == 0 || below.m == 0) {
      return {half_pi_estimate, x.negative()};
    }
    const estimate &gap = x.negative() ? above : below, root = square_root(above * below);
    return {arctan_function::magnitude((gap.exponent < 0 ? one_minus(gap) : x()) / root), x.negative()};
  }
};

/// arccos x, between 0 and pi. Defined on [-1, 1].
struct acos_function {
  static constexpr int domain_min = -1;                  ///< the least x
  static constexpr int domain_max = 1;                   ///< the greatest x
  static constexpr estimate at_zero = half_pi_estimate;  ///< f(0)

  /// The certified sign of arccos x - y: that of (1 - x) - 2 sin^2(y/2) for 0 < y < pi. Range: |x| <= 1, any y.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>&, const real<N>& y, const exact_sum<N>& terms) {
    const real<N> one(std::int64_t{1}), below_one = -terms.minus(one);
    if (y.negative) {
      return certified_sign::positive;
    }
    if (y.is_zero() || below_one.is_zero()) {
      return below_one.is_zero() ? compare(below_one, y) : certified_sign::positive;
    }
    const certified_sign right = compare(half_pi<N>.scaled(1), y);
    if (right != certified_sign::positive || terms.plus(one).is_zero()) {
      return right;
    }
    const sine_cosine<N> quarter(y.scaled(-2));
    const real<N> s = quarter.sine * quarter.cosine;  // half of sin(y/2)
    return compare(below_one, (s * s).scaled(3));
  }

  /// arccos x = 2 arctan(sqrt((1 - x) / (1 + x))).
  template <class X>
  static constexpr signed_estimate value(const X& x) {
    const estimate n = x.offset(-1).size, d = x.offset(1).size;
    if (!n.known() || !d.known()) {
      return {unknown_estimate};
    }
    if (n.m == 0 || d.m == 0) {
      return {n.m == 0 ? n : estimate{half_pi_estimate.m, 2, half_pi_estimate.error}};
    }
    estimate half = arctan_function::magnitude(square_root(n / d));
    half.exponent += 1;
    return {half};
  }
};

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
