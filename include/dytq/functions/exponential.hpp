// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// e^-t and 1 - e^-t with certified errors: what tanh, logistic, exp, silu and the error functions are made of.
#ifndef DYTQ_FUNCTIONS_EXPONENTIAL_HPP
#define DYTQ_FUNCTIONS_EXPONENTIAL_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "../numbers/estimate.hpp"
#include "../numbers/fixed.hpp"
#include "../numbers/real.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// The leading N limbs of a constant of six limbs: below it by less than 1 ulp.
template <std::size_t N>
constexpr limbs<N> leading(const limbs<6>& c) {
  static_assert(N <= 6);
  limbs<N> r{};
  for (std::size_t i = 0; i < N; ++i) {
    r[i] = c[6 - N + i];
  }
  return r;
}

inline constexpr limbs<6> ln2_limbs = {0x559552fb4afa1b10, 0xe7b876206debac98, 0x8a0d175b8baafa2b,
                                       0x40f343267298b62d, 0xc9e3b39803f2f6af, 0xb17217f7d1cf79ab};

/// Terms of the Taylor series after which the rest is below half an ulp, for arguments up to exp_reduced_limit.
template <std::size_t N>
inline constexpr std::uint64_t exp_terms = N == 1   ? 19
                                           : N == 2 ? 32
                                           : N == 4 ? 54
                                                    : 74;

/// The reduced argument is below 0.78 = exp_reduced_limit / 100.
inline constexpr int exp_reduced_limit = 78;

/// Error of exp_quotient, in ulps.
inline constexpr std::uint64_t exp_quotient_ulps = 8;

/// (1 - e^-r) / r for a fraction r < 0.78: 1 - r/2 (1 - r/3 (1 - ...)), from the innermost bracket outwards.
/// Exactness: |error| <= exp_quotient_ulps ulps (2^(-64 N)).
template <std::size_t N>
constexpr limbs<N> exp_quotient(const limbs<N>& r) {
  limbs<N> t{};
  for (std::size_t i = 0; i < N; ++i) {
    t[i] = ~std::uint64_t{0};
  }
  for (std::uint64_t n = exp_terms<N>; n >= 2; --n) {
    t = complement<N>(divide_small<N>(multiply_fractions<N>(r, t), n));
  }
  return t;
}

}  // namespace detail

/// Arguments of `decay` are below 2^decay_limit_log2.
inline constexpr int decay_limit_log2 = 14;

/// e^-t and 1 - e^-t.
template <std::size_t N>
struct decay {
  real<N> value;       ///< e^-t
  real<N> complement;  ///< 1 - e^-t, with a small relative error for small t as well

  /// Error of e^-t before normalisation, in ulps, for an exact t from which a * ln2 has been subtracted.
  static constexpr std::uint64_t ulps(std::uint64_t a) { return a + 11; }

  /// Range: 0 <= t < 2^14, else both are unknown. Exactness: `real`'s errors are proven in docs/certified_functions.md.
  /// Cost: exp_terms<N> multiplications of N limbs.
  constexpr explicit decay(const real<N>& t) {
    if (!t.known() || t.negative || t.exponent > decay_limit_log2) {
      value.error = complement.error = real<N>::unknown_error;
      return;
    }
    if (t.is_zero()) {
      value = real<N>(std::int64_t{1});
      return;
    }
    // t as a whole limb and N fraction limbs.
    detail::limbs<N + 1> wide{};
    for (std::size_t i = 0; i < N; ++i) {
      wide[i] = t.m[i];
    }
    bool lost = false;
    wide = t.exponent >= 0                          ? detail::shift_left<N + 1>(wide, t.exponent)
           : t.exponent < -static_cast<int>(64 * N) ? detail::limbs<N + 1>{}
                                                    : detail::shift_right<N + 1>(wide, -t.exponent, lost);
    // floor(t / ln2), or less: 94548 / 2^16 is just below 1 / ln2.
    const std::uint64_t a = (((wide[N] << 32) | (wide[N - 1] >> 32)) * 94548) >> 48;
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < N; ++i) {
      const wide64 p = multiply_wide(a, detail::ln2_limbs[6 - N + i]);
      const std::uint64_t sub = p.lo + borrow;
      borrow = p.hi + (sub < borrow ? 1 : 0) + (wide[i] < sub ? 1 : 0);
      wide[i] -= sub;
    }
    detail::limbs<N> r{};
    for (std::size_t i = 0; i < N; ++i) {
      r[i] = wide[i];
    }
    const detail::limbs<N> quotient = detail::exp_quotient<N>(r);
    const std::uint64_t argument = t.exponent >= 0 ? t.error << t.exponent : t.error;
    value = real<N>(detail::complement<N>(detail::multiply_fractions<N>(r, quotient)), -static_cast<std::int32_t>(a),
                    ulps(a) + argument, false);
    complement = a == 0 ? t * real<N>(quotient, 0, detail::exp_quotient_ulps, false) : real<N>(std::int64_t{1}) - value;
  }
};

/// e^-t and 1 - e^-t as estimates, t > 0. From t = 2^14 on, the value 2^-range_log2 stands for anything below it:
/// beside doubles it is nothing.
struct decay_estimate {
  estimate value;       ///< e^-t
  estimate complement;  ///< 1 - e^-t

  /// Of t > 0.
  constexpr explicit decay_estimate(const estimate& t) {
    if (t.exponent > decay_limit_log2) {
      value = {std::uint64_t{1} << 63, -range_log2, 0};
      complement = {~std::uint64_t{0}, 0, 4};
      return;
    }
    // floor(t / ln2) or less, as in `decay`; the reduced argument is a fraction, so that arithmetic modulo 1 is enough.
    const std::uint64_t a = t.exponent > -32 ? ((t.m >> (32 - t.exponent)) * 94548) >> 48 : 0;
    const std::uint64_t r = (t.exponent >= 0    ? t.m << t.exponent
                             : t.exponent > -64 ? t.m >> -t.exponent
                                                : 0) -
                            a * detail::ln2_limbs[5];
    std::uint64_t q = ~std::uint64_t{0};
    for (std::uint64_t n = detail::exp_terms<1>; n >= 2; --n) {
      q = ~(multiply_high(r, q) / n);
    }
    const std::uint64_t e = ~multiply_high(r, q);
    const int by = (e >> 63) == 0 ? 1 : 0;
    value = {e << by, -static_cast<std::int32_t>(a) - by,
             (decay<1>::ulps(a) + (t.exponent > 0 ? t.error << t.exponent : t.error)) << (by + 1)};
    complement = a == 0 ? t * estimate{q, 0, 2 * detail::exp_quotient_ulps} : one_minus(value);
  }
};

}  // namespace v0
}  // namespace dytq

#endif
