// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arc tangent.
#ifndef DYTQ_FUNCTIONS_ARCTAN_HPP
#define DYTQ_FUNCTIONS_ARCTAN_HPP

#include <array>
#include <cstddef>
#include <cstdint>

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

}  // namespace detail

namespace functions {

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
    const real<N> z = y.scaled(-1), square = z * z;
    bool lost = false;
    const detail::limbs<N> w = square.exponent < -static_cast<int>(64 * N)
                                   ? detail::limbs<N>{}
                                   : detail::shift_right<N>(square.m, -square.exponent, lost);
    // An error of w by e ulps moves either quotient by less than e / 2.
    const std::uint64_t err = detail::sine_quotient_ulps + square.error;
    const real<N> s = z * real<N>(detail::sine_quotient<N>(w, 1), 0, err, false),
                  c = real<N>(detail::sine_quotient<N>(w, 0), 0, err, false);
    return compare(x * (c * c), x * (s * s) + (s * c).scaled(1));
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool x_negative) { return x_negative; }

  /// |arctan x| for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool) {
    const bool above = x.exponent > 0;
    if (above && x.exponent > 64) {
      return {detail::arctan_anchors[8], 1, 8};
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
    // As fractions: an absolute error of 2^-55 from t, whose numerator and denominator have 56 bits.
    const std::uint64_t rest = part.exponent > -62 ? part.m >> (1 - part.exponent) : 0;
    const std::uint64_t anchor = detail::arctan_anchors[static_cast<std::size_t>(i)] >> 1;
    const std::uint64_t sum = above ? detail::arctan_anchors[8] - anchor - rest : anchor + rest;
    const int by = std::countl_zero(sum);
    return {sum << by, 1 - by, std::uint64_t{1} << (12 + by)};
  }

  /// Is |f| monotone on this side, with limit() as its bound?
  static constexpr bool has_limit(bool) { return true; }
  /// The bound of |f| on this side.
  static constexpr estimate limit(bool) { return {detail::arctan_anchors[8], 1, 4}; }
};

/// The arc tangent.
inline constexpr arctan_function arctan{};

}  // namespace functions

}  // namespace v0
}  // namespace dytq

#endif
