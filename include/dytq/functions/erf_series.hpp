// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The series and the continued fraction of erf and gelu.
#ifndef DYTQ_FUNCTIONS_ERF_SERIES_HPP
#define DYTQ_FUNCTIONS_ERF_SERIES_HPP

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

/// 1 / sqrt(pi), and 2 / sqrt(2 pi), as fractions.
inline constexpr limbs<6> inverse_sqrt_pi = {0x40c036096cc79aeb, 0xc0759cf859270f11, 0x39a15830cce620b0,
                                             0x1409a0ebac3e7517, 0x71d48a7f6bfec344, 0x906eba8214db688d};
inline constexpr limbs<6> sqrt_2_over_pi = {0x47eba75766e9d11b, 0x3bf158aa88fa7b6e, 0x808e369004c73a5d,
                                            0xa7053e60a24e0db1, 0x7e59e2805d5c717f, 0xcc42299ea1b28468};

/// 2 / sqrt(pi), and the density 1 / sqrt(2 pi).
template <std::size_t N>
inline constexpr real<N> two_over_sqrt_pi = real<N>(detail::leading<N>(detail::inverse_sqrt_pi), 1, 1, false);
/// The density of the normal distribution at 0, 1 / sqrt(2 pi).
template <std::size_t N>
inline constexpr real<N> normal_density = real<N>(detail::leading<N>(detail::sqrt_2_over_pi), -1, 1, false);

/// K(w) = sum of w^n / (1 * 3 * 5 ... (2n + 1)), w > 0: Kummer's series, in which nothing cancels:
/// erf x = 2/sqrt(pi) x e^(-x^2) K(2 x^2), and the normal distribution is 1/2 + x density(x) K(x^2).
/// Exactness: the rest after a term t is below t once 2n + 1 > 2w, and the series goes on until that is below 2^(-64 N)
/// of the sum. Range: w < 2^10, else unknown.
template <std::size_t N>
constexpr real<N> kummer(const real<N>& w) {
  real<N> term(std::int64_t{1}), sum = term;
  if (w.exponent > 10) {
    sum.error = real<N>::unknown_error;
    return sum;
  }
  const std::int64_t w2 = w.exponent < 1 ? 2 : std::int64_t{2} << w.exponent;
  for (std::int64_t n = 3; n <= w2 || term.exponent > sum.exponent - static_cast<int>(64 * N) - 1; n += 2) {
    term = divide(term * w, static_cast<std::uint32_t>(n));
    sum = sum + term;
  }
  sum.error = detail::limited(sum.error + 2);
  return sum;
}

/// The certified sign of a - b / (x + 1/(x + 2/(x + 3/(x + ...)))) for a, b > 0: the tail of the normal distribution is
/// density(x) times that fraction (Laplace). Its convergents lie below and above the limit in turn.
/// Range: x >= 4, or many steps are needed; unknown if mill_steps do not decide.
inline constexpr int mill_steps = 1200;
/// The comparison. With every second x of the fraction another one, `even`: with 2x it is
/// sqrt(pi) e^(x^2) erfc x.
template <std::size_t N>
constexpr certified_sign compare_with_tail(const real<N>& a, const real<N>& b, const real<N>& x, const real<N>& even) {
  // Numerators p and denominators q of two convergents that follow each other.
  real<N> p0{}, q0(std::int64_t{1}), p1 = q0, q1 = x;
  certified_sign before = certified_sign::unknown;
  for (int n = 1; n <= mill_steps; ++n) {
    const real<N>& by = n % 2 == 0 ? x : even;
    const real<N> factor(std::int64_t{n}), p2 = by * p1 + factor * p0, q2 = by * q1 + factor * q0;
    p0 = p1;
    q0 = q1;
    p1 = p2;
    q1 = q2;
    if (n % 8 >= 6) {
      const certified_sign s = compare(a * q1, b * p1);
      if (n % 8 == 7 && s != certified_sign::unknown && s == before) {
        return s;
      }
      before = s;
    }
  }
  return certified_sign::unknown;
}

/// The same with one x.
template <std::size_t N>
constexpr certified_sign compare_with_tail(const real<N>& a, const real<N>& b, const real<N>& x) {
  return compare_with_tail(a, b, x, x);
}

/// Terms of Kummer's series that leave less than 2^-52 of the sum, for w = 2^(i - 11).
inline constexpr std::array<std::uint8_t, 19> kummer_terms = {4,  5,  5,  5,  6,  6,  7,  8,  9,  10,
                                                              12, 14, 18, 22, 30, 41, 59, 88, 140};

/// Error of kummer_estimate beyond 128 times that of w.
inline constexpr std::uint64_t kummer_estimate_error = std::uint64_t{1} << 19;

/// K(w) by Horner's scheme on 57 bits. Range: w < 2^7, else unknown.
constexpr estimate kummer_estimate(const estimate& w) {
  if (w.exponent > 7) {
    return {std::uint64_t{1} << 63, 0, estimate::unknown_error};
  }
  // The number of terms between two powers of two is almost linear in w.
  const int at = w.exponent < -10 ? 0 : w.exponent + 10;
  const int low = detail::kummer_terms[static_cast<std::size_t>(at)],
            high = detail::kummer_terms[static_cast<std::size_t>(at + 1)];
  const auto terms = static_cast<std::uint64_t>(low + 1 + (high - low) * (static_cast<int>(w.m >> 59 & 15) + 1) / 16);
  std::uint64_t h = std::uint64_t{1} << 56, one = h;
  std::int32_t exponent = 8;
  const int up = w.exponent > 0 ? w.exponent : 0;
  const std::uint64_t x = w.exponent > 0 ? w.m : w.exponent > -64 ? w.m >> -w.exponent : 0;
  for (std::uint64_t n = 2 * terms + 1; n >= 3; n -= 2) {
    h = one + (multiply_high(h, x) << up) / n;
    if ((h >> 57) != 0) {
      const int by = 7 - std::countl_zero(h);
      h >>= by;
      one >>= by;
      exponent += by;
    }
  }
  const int by = std::countl_zero(h);
  return {h << by, exponent - by, kummer_estimate_error + 128 * w.error};
}

/// Terms of Kummer's series that leave less than 2^-27 of the sum, for w = 2^(i - 11).
inline constexpr std::array<std::uint8_t, 19> kummer_quick_terms = {3, 3, 3,  3,  3,  4,  4,  5,  5,  6,
                                                                    7, 9, 11, 15, 20, 29, 44, 69, 115};

/// Error of kummer_quick beyond 128 times that of w.
inline constexpr std::uint64_t kummer_quick_error = std::uint64_t{1} << 44;

/// K(w) by Horner's scheme on 31 bits: a third of the instructions, and enough for most entries of an int8 table.
/// Range: w < 2^7, else unknown.
constexpr estimate kummer_quick(const estimate& w) {
  if (w.exponent > 7) {
    return {std::uint64_t{1} << 63, 0, estimate::unknown_error};
  }
  const auto at = static_cast<std::size_t>(w.exponent < -10 ? 0 : w.exponent + 10);
  const std::uint64_t low = detail::kummer_quick_terms[at], high = detail::kummer_quick_terms[at + 1],
                      terms = low + 1 + (high - low) * ((w.m >> 59 & 15) + 1) / 16;
  std::uint64_t h = std::uint64_t{1} << 30, one = h;
  std::int32_t exponent = 34;
  const int down = w.exponent > -30 ? 32 - w.exponent : 62;
  const std::uint64_t x = w.exponent > -30 ? w.m >> 32 : 0;
  for (std::uint64_t n = 2 * terms + 1; n >= 3; n -= 2) {
    h = one + ((h * x) >> down) / n;
    if ((h >> 31) != 0) {
      const int by = 33 - std::countl_zero(h);
      h >>= by;
      one >>= by;
      exponent += by;
    }
  }
  const int by = std::countl_zero(h);
  return {h << by, exponent - by, kummer_quick_error + 128 * w.error};
}

/// Error of tail_quick beyond that of x.
inline constexpr std::uint64_t tail_quick_error = std::uint64_t{1} << 44;

/// 1/(x + 1/(x + 2/(x + ...))) on 32 bits. Range: 2.5 <= x < 2^7.
constexpr estimate tail_quick(const estimate& x) {
  const std::uint64_t v = x.m >> (40 - x.exponent);  // 24 fraction bits
  std::uint64_t r = v;
  for (std::uint64_t n = x.exponent < 3 ? 16 : x.exponent < 4 ? 8 : 4; n >= 1; --n) {
    r = v + (n << 48) / r;
  }
  const std::uint64_t q = (std::uint64_t{1} << 63) / r;  // 39 fraction bits
  const int by = std::countl_zero(q);
  return {q << by, 25 - by, tail_quick_error + x.error};
}

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
