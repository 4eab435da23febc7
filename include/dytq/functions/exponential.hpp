// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// e^x, e^x - 1 and 2^x, and what most functions are made of: e^-t and 1 - e^-t with certified errors.
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
    limbs<N + 1> wide{};
    for (std::size_t i = 0; i < N; ++i) {
      wide[i] = t.m[i];
    }
    bool lost = false;
    wide = t.exponent >= 0                          ? shift_left<N + 1>(wide, t.exponent)
           : t.exponent < -static_cast<int>(64 * N) ? limbs<N + 1>{}
                                                    : shift_right<N + 1>(wide, -t.exponent, lost);
    // floor(t / ln2), or less: 94548 / 2^16 is just below 1 / ln2.
    const std::uint64_t a = (((wide[N] << 32) | (wide[N - 1] >> 32)) * 94548) >> 48;
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < N; ++i) {
      const wide64 p = multiply_wide(a, ln2_limbs[6 - N + i]);
      const std::uint64_t sub = p.lo + borrow;
      borrow = p.hi + (sub < borrow ? 1 : 0) + (wide[i] < sub ? 1 : 0);
      wide[i] -= sub;
    }
    limbs<N> r{};
    for (std::size_t i = 0; i < N; ++i) {
      r[i] = wide[i];
    }
    const limbs<N> quotient = exp_quotient<N>(r);
    const std::uint64_t argument = t.exponent >= 0 ? t.error << t.exponent : t.error;
    value = real<N>(detail::complement<N>(multiply_fractions<N>(r, quotient)), -static_cast<std::int32_t>(a),
                    ulps(a) + argument, false);
    complement = a == 0 ? t * real<N>(quotient, 0, exp_quotient_ulps, false) : real<N>(std::int64_t{1}) - value;
  }
};

/// e^-t and 1 - e^-t as estimates, t > 0. From t = 2^14 on the value is 2^-range_log2, far below every boundary.
struct decay_estimate {
  estimate value;       ///< e^-t
  estimate complement;  ///< 1 - e^-t

  /// Range: t > 0.
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
                            a * ln2_limbs[5];
    std::uint64_t q = ~std::uint64_t{0};
    for (std::uint64_t n = exp_terms<1>; n >= 2; --n) {
      q = ~(multiply_high(r, q) / n);
    }
    const std::uint64_t e = ~multiply_high(r, q);
    const int by = (e >> 63) == 0 ? 1 : 0;
    value = {e << by, -static_cast<std::int32_t>(a) - by,
             (decay<1>::ulps(a) + (t.exponent > 0 ? t.error << t.exponent : t.error)) << (by + 1)};
    complement = a == 0 ? t * estimate{q, 0, 2 * exp_quotient_ulps} : one_minus(value);
  }
};

/// ln 2 as a real number, and as an estimate.
template <std::size_t N>
inline constexpr real<N> ln2 = real<N>(leading<N>(ln2_limbs), 0, 1, false);
inline constexpr estimate ln2_estimate{0xb17217f7d1cf79ab, 0, 2};

/// The certified sign of e^t - v; v - 1 is given as well, since it may be exact where v is not. Range: any t;
/// v is 0 or |v| between 2^-8000 and 2^8000.
template <std::size_t N>
constexpr certified_sign compare_exp(const real<N>& t, const real<N>& v, const real<N>& less_one) {
  if (v.is_zero() || (v.negative && v.known())) {
    return certified_sign::positive;
  }
  const certified_sign side = sign_of(less_one);
  if (t.is_zero()) {
    return -side;
  }
  if (side == certified_sign::zero || (side == certified_sign::negative) != t.negative) {
    if (side != certified_sign::unknown) {
      return t.negative ? certified_sign::negative : certified_sign::positive;
    }
  }
  if (t.exponent > decay_limit_log2 - 1) {
    const bool within = v.known() && v.exponent > -range_log2 && v.exponent < range_log2;
    return !within ? certified_sign::unknown : t.negative ? certified_sign::negative : certified_sign::positive;
  }
  // Near 1 compare the distances from 1, which keep their precision.
  const decay<N> e(t.magnitude());
  const bool near_one = t.exponent < 0;
  if (!t.negative) {
    return near_one ? compare(e.complement, less_one * e.value) : compare(real<N>(std::int64_t{1}), v * e.value);
  }
  return near_one ? compare(-less_one, e.complement) : compare(e.value, v);
}

/// The integer nearest to v, for |v| < 2^24.
template <std::size_t N>
constexpr std::int64_t nearest_integer(const real<N>& v) {
  if (v.exponent < 0) {
    return 0;
  }
  const auto twice = static_cast<std::int64_t>(v.m[N - 1] >> (63 - v.exponent));
  return v.negative ? -((twice + 1) / 2) : (twice + 1) / 2;
}

/// e^x.
struct exp_function {
  static constexpr bool odd = false;  ///< f(-x) = -f(x)?
  /// f(0).
  static constexpr estimate at_zero = make_estimate(1, 0);

  /// The certified sign of e^x - y. Range: |y| is 0 or between 2^-8000 and 2^8000; any x.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return compare_exp(x, y, y - real<N>(std::int64_t{1}));
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool) { return false; }

  /// e^(+-x) for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool x_negative) {
    if (x.exponent > decay_limit_log2) {
      return beyond(x_negative);
    }
    const estimate e = decay_estimate(x).value;
    return x_negative ? e : make_estimate(1, 0) / e;
  }

  /// Tables get e^(-2^decay_log2 |x|) of the next entry by one multiplication.
  static constexpr int decay_log2 = 0;
  /// |f(x)| from e = e^(-2^decay_log2 |x|); see `decaying_function`.
  template <class Argument>
  static constexpr estimate magnitude_from(const estimate& e, const Argument&, bool x_negative) {
    return x_negative ? e : make_estimate(1, 0) / e;
  }

  /// Is |f| monotone on this side, with limit() as its bound?
  static constexpr bool has_limit(bool) { return true; }
  /// The bound of |f| on this side.
  static constexpr estimate limit(bool x_negative) { return x_negative ? estimate{} : beyond(false); }

 private:
  static constexpr estimate beyond(bool x_negative) {
    return {std::uint64_t{1} << 63, x_negative ? -range_log2 : range_log2, 0};
  }
};

/// e^x - 1.
struct expm1_function {
  /// The certified sign of e^x - 1 - y. Range: |y| is 0 or between 2^-8000 and 2^8000; any x.
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
    // e^x - 1 > x.
    const real<N> above = terms.minus(y), v = y + real<N>(std::int64_t{1});
    if ((above.known() && !above.negative) || (v.negative && v.known()) || v.is_zero()) {
      return certified_sign::positive;
    }
    return compare_exp(x, v, y);
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool x_negative) { return x_negative; }
  /// |e^(+-x) - 1| for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool x_negative) {
    const decay_estimate e(x);
    return x_negative ? e.complement : e.complement / e.value;
  }
  /// Is |f| monotone on this side, with limit() as its bound?
  static constexpr bool has_limit(bool) { return true; }
  /// The bound of |f| on this side.
  static constexpr estimate limit(bool x_negative) {
    return x_negative ? make_estimate(1, 0) : estimate{std::uint64_t{1} << 63, range_log2, 0};
  }
};

/// 2^x.
struct exp2_function {
  static constexpr estimate at_zero = make_estimate(1, 0);  ///< f(0)

  /// The certified sign of 2^x - y. Range: |y| is 0 or between 2^-8000 and 2^8000; any x.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y) {
    return sign<N>(x, y, {x, {}});
  }
  /// The same, with x as two exact terms too: their sum may not fit in N limbs.
  template <std::size_t N>
  static constexpr certified_sign sign(const real<N>& x, const real<N>& y, const exact_sum<N>& terms) {
    if (x.exponent > decay_limit_log2 - 1) {
      return compare_exp(x, y, y - real<N>(std::int64_t{1}));  // as e^x, far out
    }
    // 2^x = 2^n 2^part; exact at whole powers.
    const std::int64_t n = nearest_integer(x);
    const real<N> part = terms.minus(real<N>(n)), v = y.scaled(-static_cast<std::int32_t>(n));
    return compare_exp(part * ln2<N>, v, v - real<N>(std::int64_t{1}));
  }

  /// Is f(x) negative on this side of 0?
  static constexpr bool negative(bool) { return false; }
  /// 2^(+-x) for x > 0.
  static constexpr estimate magnitude(const estimate& x, bool x_negative) {
    return exp_function::magnitude(x * ln2_estimate, x_negative);
  }
  /// Is |f| monotone on this side, with limit() as its bound?
  static constexpr bool has_limit(bool) { return true; }
  /// The bound of |f| on this side.
  static constexpr estimate limit(bool x_negative) { return exp_function::limit(x_negative); }
};

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
