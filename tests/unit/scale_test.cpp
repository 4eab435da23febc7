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

namespace {

using dytq::scale_dialect;
using dytq::wide_multiplier_shift;

constexpr bool gives(scale_dialect d, double scale, std::int64_t multiplier, std::int32_t shift,
                     multiplier_width w = w32) {
  const auto r = dytq::quantize_scale_wide(scale, w, d);
  return r && *r == wide_multiplier_shift{multiplier, shift};
}
constexpr reason refuses(scale_dialect d, double scale, multiplier_width w = w32) {
  return dytq::quantize_scale_wide(scale, w, d).error().why;
}

}  // namespace

TEST_CASE("dialects: where half of a unit goes") {
  using enum scale_dialect;
  // 2^30 and a half, 2^30 and three halves.
  DYTQ_CHECK_BOTH(gives(mlir, opaque(1.0 + two_to(-31)), (1 << 30) + 1, 30) &&
                  gives(mlir, 1.0 + 3 * two_to(-31), (1 << 30) + 2, 30));
  DYTQ_CHECK_BOTH(gives(tflite, opaque(1.0 + two_to(-31)), (1 << 30) + 1, 30) &&
                  gives(tflite_single, 1.0 + 3 * two_to(-31), (1 << 30) + 2, 30));
  DYTQ_CHECK_BOTH(gives(tflm, opaque(1.0 + two_to(-31)), 1 << 30, 30) &&
                  gives(tflm, 1.0 + 3 * two_to(-31), (1 << 30) + 1, 30) &&
                  gives(tflm, 1.0 + 3 * two_to(-31) + two_to(-52), (1 << 30) + 2, 30));
  DYTQ_CHECK_BOTH(gives(vela, opaque(1.0 + two_to(-31)), (1 << 30) + 1, 30));
  DYTQ_CHECK_BOTH(gives(mlir, opaque(1.0 + two_to(-15)), (1 << 14) + 1, 14, w16));
}

TEST_CASE("dialects: 2^31") {
  using enum scale_dialect;
  DYTQ_CHECK_BOTH(gives(mlir, opaque(1.0 - two_to(-40)), 1 << 30, 30) &&
                  gives(tflite, 1.0 - two_to(-40), 1 << 30, 30) && gives(tflm, 1.0 - two_to(-40), 1 << 30, 30));
  DYTQ_CHECK_BOTH(gives(vela, opaque(1.0 - two_to(-40)), std::int64_t{1} << 31, 31));
  DYTQ_CHECK_BOTH(
      quantize_scale(opaque(1.0 - two_to(-40)), w32, vela).error() ==
      dytq::rejection{.why = reason::multiplier_too_large, .expected = 2147483647, .got = std::int64_t{1} << 31});
  DYTQ_CHECK_BOTH(quantize_scale(opaque(1.0), w32, vela).value() == multiplier_shift{1 << 30, 30});
}

TEST_CASE("dialects: the smallest and the largest scales") {
  using enum scale_dialect;
  DYTQ_CHECK_BOTH(gives(tflite, opaque(two_to(-32)), 1 << 30, 62) &&
                  gives(tflite, two_to(-32) * (1 - two_to(-50)), 1 << 30, 62));
  DYTQ_CHECK_BOTH(gives(tflite, opaque(two_to(-33)), 0, 31) && gives(tflite, two_to(-32) * (1 - two_to(-30)), 0, 31));
  DYTQ_CHECK_BOTH(gives(tflite, opaque(two_to(30)), 1 << 30, 0) && gives(tflite, limits::max(), 1 << 30, -994));
  DYTQ_CHECK_BOTH(gives(tflite_single, opaque(two_to(30) - 1), 2147483646, 1) &&
                  gives(tflite_single, two_to(30), 2147483647, 1) &&
                  gives(tflite_single, limits::max(), 2147483647, 1));
  DYTQ_CHECK_BOTH(gives(tflm, opaque(limits::denorm_min()), 0, 31) && gives(tflm, 0.0, 0, 31) &&
                  gives(tflite, -0.0, 0, 31));
  DYTQ_CHECK_BOTH(gives(vela, opaque(two_to(-33)), 1 << 30, 63) && gives(vela, two_to(-34), 0, 16) &&
                  gives(vela, two_to(30), 1 << 30, 0) && gives(vela, two_to(31), 0, 16) && gives(vela, 0.0, 0, 31));
  DYTQ_CHECK_BOTH(gives(mlir, opaque(1.75 * two_to(-62)), 1, 62) &&
                  refuses(mlir, two_to(29)) == reason::scale_too_large);
}

TEST_CASE("dialects: XNNPACK's scale is a float32") {
  using enum scale_dialect;
  DYTQ_CHECK_BOTH(gives(xnnpack, opaque(1.0), 1 << 23, 23) && gives(xnnpack, 1.0 + two_to(-23), (1 << 23) + 1, 23));
  DYTQ_CHECK_BOTH(gives(xnnpack, opaque(two_to(-32)), 1 << 23, 55) &&
                  gives(xnnpack, 256.0 - two_to(-16), (1 << 24) - 1, 16));
  DYTQ_CHECK_BOTH(refuses(xnnpack, opaque(256.0)) == reason::scale_too_large &&
                  refuses(xnnpack, 0.0) == reason::scale_not_positive);
  // Times less than 2^-32 no int32 is more than one half: everything is the zero point.
  DYTQ_CHECK_BOTH(gives(xnnpack, opaque(two_to(-32) - two_to(-56)), 0, 24) && gives(xnnpack, two_to(-149), 0, 24) &&
                  refuses(xnnpack, two_to(-149) * 1.5) == reason::scale_not_float32 &&
                  refuses(xnnpack, two_to(-150)) == reason::scale_not_float32);
  DYTQ_CHECK_BOTH(refuses(xnnpack, opaque(1.0 + two_to(-24))) == reason::scale_not_float32);
}

TEST_CASE("dialects: what none takes") {
  using enum scale_dialect;
  DYTQ_CHECK_BOTH(refuses(tflite, opaque(-1.0)) == reason::scale_negative &&
                  refuses(vela, -1.0) == reason::scale_negative &&
                  refuses(tflm, limits::infinity()) == reason::scale_not_finite &&
                  refuses(xnnpack, limits::quiet_NaN()) == reason::scale_not_finite);
  DYTQ_CHECK_BOTH(refuses(tflite, opaque(1.0), w16) == reason::unknown_dialect &&
                  refuses(vela, 1.0, w16) == reason::unknown_dialect);
  DYTQ_CHECK_BOTH(dytq::other_way_shift(opaque(40)) == -9 && dytq::other_way_shift(INT32_MIN) == 2147483679);
}

TEST_BOTH("taken apart", {
  const dytq::detail::dyadic one(opaque(1.0));
  const dytq::detail::dyadic small(-limits::denorm_min());
  const dytq::detail::dyadic zero(0.0);
  return one.mantissa == std::uint64_t{1} << 52 && one.exponent == -52 && !one.negative && one.finite &&
         small.mantissa == 1 && small.exponent == -1074 && small.negative && zero.mantissa == 0 &&
         dytq::detail::dyadic().is_zero() && dytq::detail::dyadic().exponent == 0 && dytq::detail::dyadic().finite &&
         !dytq::detail::dyadic(limits::quiet_NaN()).finite && dytq::detail::shift_right_half_even(5, 1) == 2 &&
         dytq::detail::shift_right_half_even(7, 1) == 4 && dytq::detail::shift_right_half_even(6, 2) == 2 &&
         dytq::detail::shift_right_half_even(~std::uint64_t{0}, 63) == 2;
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

TEST_CASE("ONNX Runtime: a float32") {
  const auto onnx = dytq::scale_dialect::onnx;
  DYTQ_CHECK_BOTH(gives(dytq::scale_dialect::onnx, opaque(1.0), 1 << 23, 23) &&
                  gives(dytq::scale_dialect::onnx, two_to(-39), 1 << 23, 62) &&
                  gives(dytq::scale_dialect::onnx, two_to(22), 1 << 23, 1));
  DYTQ_CHECK_BOTH(gives(dytq::scale_dialect::onnx, opaque(two_to(-40)), 0, 24) &&
                  refuses(dytq::scale_dialect::onnx, two_to(23)) == reason::scale_too_large &&
                  refuses(dytq::scale_dialect::onnx, 0.0) == reason::scale_not_positive &&
                  refuses(dytq::scale_dialect::onnx, 1.0 + two_to(-24)) == reason::scale_not_float32);
  CHECK(dytq::quantize_scale(1.0, dytq::multiplier_width::bits16, onnx).error().why == reason::unknown_dialect);
}
