// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roots and quotients of estimates, multiplied back; bounds_test compares the rest with MPFR.
#include <dytq/numbers/estimate.hpp>

#include <array>
#include <cstdint>

#include "support/both_worlds.hpp"

using dytq::detail::estimate;
using dytq_tests::opaque;

namespace {

// Mantissas at the ends of the range, and between.
constexpr std::array<std::uint64_t, 8> mantissas{
    std::uint64_t{1} << 63, (std::uint64_t{1} << 63) + 1, 0x9249249249249249u,   0xb504f333f9de6484u,
    0xc000000000000000u,    0xfffffffe00000001u,          ~std::uint64_t{0} - 1, ~std::uint64_t{0}};

/// The upper half of a * b, digit by digit.
constexpr std::uint64_t upper_half(std::uint64_t a, std::uint64_t b) {
  std::uint64_t high = 0, low = 0;
  for (int i = 63; i >= 0; --i) {
    high = (high << 1) | (low >> 63);
    low <<= 1;
    if (((a >> i) & 1) != 0) {
      low += b;
      high += low < b ? 1 : 0;
    }
  }
  return high;
}
constexpr std::uint64_t distance(std::uint64_t a, std::uint64_t b) { return a < b ? b - a : a - b; }

}  // namespace

TEST_BOTH("the square of a root is what the root is of", {
  bool near = true;
  for (const std::uint64_t m : mantissas) {
    const estimate even = dytq::detail::square_root({opaque(m), 0, 10}),
                   odd = dytq::detail::square_root({opaque(m), -5, 10});
    near = near && even.exponent == 0 && even.error == 29 && distance(upper_half(even.m, even.m), m) <= 50 &&
           odd.exponent == -2 && distance(upper_half(odd.m, odd.m), m / 2) <= 50;
  }
  return near;
})

TEST_BOTH("a quotient times the divisor is the dividend", {
  bool near = true;
  for (const std::uint64_t a : mantissas) {
    for (const std::uint64_t b : mantissas) {
      const estimate q = estimate{opaque(a), 3, 5} / estimate{b, 1, 7};
      near = near && q.exponent == (a >= b ? 3 : 2) && q.error == 12 + dytq::detail::estimate_quotient_error &&
             distance(upper_half(q.m, b), a >= b ? a / 2 : a) <= dytq::detail::estimate_quotient_error + 2;
    }
  }
  return near;
})

TEST_BOTH("a difference is known as long as its error can be told; 0 is 0 at every scale", {
  dytq::detail::real<2> one(opaque(std::int64_t{1}));
  one.error = 1;
  // 1 - (1 - 2^-k) loses k bits, and an error of one unit is 2^(k + 1) of them.
  const auto difference = [&](int k) {
    return one - (dytq::detail::real<2>(std::int64_t{1}) - dytq::detail::real<2>(std::int64_t{1}).scaled(-k));
  };
  return difference(30).known() && difference(30).error == std::uint64_t{1} << 31 && !difference(31).known() &&
         dytq::detail::real<2>().scaled(opaque(5)).exponent == 0;
})

TEST_BOTH("1 - a, where a is a fraction", {
  const estimate half = dytq::detail::one_minus({std::uint64_t{1} << 63, opaque(0), 1});
  const estimate most = dytq::detail::one_minus({std::uint64_t{1} << 63, opaque(-1), 1});
  return half.m == std::uint64_t{1} << 63 && half.exponent == 0 && half.error == 6 &&
         most.m == std::uint64_t{3} << 62 && most.exponent == 0 && most.error == 6 &&
         dytq::detail::one_minus({std::uint64_t{1} << 63, opaque(-64), 1}).m == ~std::uint64_t{0};
})

TEST_BOTH("a difference that is not above 0 for certain is unknown", {
  const estimate one = dytq::detail::make_estimate(opaque(std::uint64_t{1}), 0),
                 half = dytq::detail::make_estimate(1, -1);
  estimate hidden = half;
  hidden.error = estimate::unknown_error;
  const estimate left = one - half, tiny = one - estimate{half.m, -100, 0};
  return left.m == std::uint64_t{1} << 63 && left.exponent == 0 && left.known() && tiny.known() &&
         tiny.m == std::uint64_t{1} << 63 && tiny.exponent == 1 && !(half - one).known() && !(one - one).known() &&
         !(one - hidden).known() && !(hidden - dytq::detail::make_estimate(1, -2)).known();
})
