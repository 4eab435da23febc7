// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/scale.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "support/both_worlds.hpp"

using dytq::multiplier_shift;
using dytq::multiplier_width;
using dytq::quantize_scale;
using dytq::reason;
using dytq_tests::opaque;

namespace {

using limits = std::numeric_limits<double>;
constexpr multiplier_width w16 = multiplier_width::bits16;
constexpr multiplier_width w32 = multiplier_width::bits32;

constexpr bool gives(double scale, std::int32_t multiplier, std::int32_t shift, multiplier_width w = w32) {
  const auto r = quantize_scale(scale, w);
  return r && *r == multiplier_shift{multiplier, shift};
}

constexpr double two_to(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

}  // namespace

TEST_CASE("powers of two, and the mantissa's rounding") {
  DYTQ_CHECK_BOTH(gives(opaque(1.0), 1 << 30, 30) && gives(0.5, 1 << 30, 31) && gives(2.0, 1 << 30, 29));
  DYTQ_CHECK_BOTH(gives(opaque(1.0), 1 << 14, 14, w16) && gives(0.75, 3 << 13, 15, w16));
  // 2^31 is renormalized.
  DYTQ_CHECK_BOTH(gives(opaque(1.0 - two_to(-40)), 1 << 30, 30) && gives(1.0 - two_to(-20), 1 << 14, 14, w16));
  // Half way goes to the even neighbour.
  DYTQ_CHECK_BOTH(gives(opaque(1.0 + two_to(-31)), 1 << 30, 30) && gives(1.0 + 3 * two_to(-31), (1 << 30) + 2, 30));
  DYTQ_CHECK_BOTH(gives(opaque(1.0 + two_to(-31) + two_to(-52)), (1 << 30) + 1, 30));
  DYTQ_CHECK_BOTH(gives(opaque(1.0 + two_to(-31) - two_to(-52)), 1 << 30, 30));
}

TEST_CASE("zeros, and what is no scale") {
  DYTQ_CHECK_BOTH(gives(opaque(0.0), 0, 31) && gives(-0.0, 0, 31) && gives(0.0, 0, 15, w16));
  DYTQ_CHECK_BOTH(quantize_scale(opaque(-1.0)).error().why == reason::scale_negative);
  DYTQ_CHECK_BOTH(quantize_scale(opaque(-limits::denorm_min())).error().why == reason::scale_negative);
  DYTQ_CHECK_BOTH(quantize_scale(limits::infinity()).error().why == reason::scale_not_finite);
  DYTQ_CHECK_BOTH(quantize_scale(-limits::infinity()).error().why == reason::scale_not_finite);
  DYTQ_CHECK_BOTH(quantize_scale(limits::quiet_NaN()).error().why == reason::scale_not_finite);
  DYTQ_CHECK_BOTH(quantize_scale(1.0, static_cast<multiplier_width>(31)).error().why == reason::unknown_dialect);
  DYTQ_CHECK_BOTH(quantize_scale(1.0, w32, static_cast<dytq::scale_dialect>(50)).error().why ==
                  reason::unknown_dialect);
}

TEST_CASE("the shift's limits") {
  DYTQ_CHECK_BOTH(gives(opaque(two_to(28)), 1 << 30, 2) && !quantize_scale(two_to(29)));
  DYTQ_CHECK_BOTH(quantize_scale(opaque(two_to(29))).error() ==
                  dytq::rejection{.why = reason::scale_too_large, .expected = 2, .got = 1});
  DYTQ_CHECK_BOTH(!quantize_scale(opaque(two_to(29) - two_to(-10))) && !quantize_scale(limits::max()));
  DYTQ_CHECK_BOTH(gives(opaque(two_to(-32)), 1 << 30, 62) && gives(two_to(-33), 1 << 29, 62));
  DYTQ_CHECK_BOTH(gives(opaque(1.75 * two_to(-62)), 1, 62) && gives(1.75 * two_to(-63), 0, 62));
  DYTQ_CHECK_BOTH(gives(opaque(limits::min()), 0, 62) && gives(limits::denorm_min(), 0, 62));
  DYTQ_CHECK_BOTH(gives(opaque(two_to(-48)), 1 << 14, 62, w16) && gives(two_to(-62), 1, 62, w16) &&
                  gives(two_to(-63), 0, 62, w16));
}

TEST_BOTH("taken apart", {
  const dytq::dyadic one(opaque(1.0));
  const dytq::dyadic small(-limits::denorm_min());
  const dytq::dyadic zero(0.0);
  return one.mantissa == std::uint64_t{1} << 52 && one.exponent == -52 && !one.negative && one.finite &&
         small.mantissa == 1 && small.exponent == -1074 && small.negative &&
         zero.mantissa == 0 && !dytq::dyadic(limits::quiet_NaN()).finite &&
         dytq::shift_right_half_even(5, 1) == 2 && dytq::shift_right_half_even(7, 1) == 4 &&
         dytq::shift_right_half_even(6, 2) == 2 && dytq::shift_right_half_even(~std::uint64_t{0}, 63) == 2;
})

TEST_CASE("as frexp and the library's rounding have it") {
  std::mt19937_64 random(9);
  for (int i = 0; i < 100000; ++i) {
    const int wanted = static_cast<int>(random() % 110) - 80;
    const double scale = std::ldexp(1.0 + static_cast<double>(random() >> 12) * two_to(-52), wanted);
    for (const int n : {31, 15}) {
      int exponent = 0;
      const double fraction = std::frexp(scale, &exponent);
      double m = std::nearbyint(std::ldexp(fraction, n));  // half to even
      int shift = n - exponent;
      if (m == std::ldexp(1.0, n)) {
        m /= 2;
        --shift;
      }
      auto multiplier = static_cast<std::int64_t>(m);
      if (shift > 62) {
        multiplier >>= shift - 62 < 31 ? shift - 62 : 31;
        shift = 62;
      }
      const auto r = quantize_scale(scale, n == 31 ? w32 : w16);
      const bool right = shift < 2 ? !r : r && r->multiplier == multiplier && r->shift == shift;
      if (!right) {
        FAIL(scale);
      }
    }
  }
}
