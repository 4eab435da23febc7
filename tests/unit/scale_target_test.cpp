// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/scale.hpp>

#include <bit>
#include <cstdint>
#include <limits>

#include "support/both_worlds.hpp"

using dytq::fits_target;
using dytq::reason;
using dytq::rejection;
using dytq::scale_target;
using dytq_tests::opaque;
using enum scale_target;

namespace {

constexpr double two_to(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}
constexpr double below(double v) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(v) - 1); }
constexpr double float_below(double v) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(v) - (std::uint64_t{1} << 29));
}

// The scales taken are [2^lo, 2^hi), and what rounds into it.
constexpr bool takes(scale_target t, int lo, int hi) {
  return fits_target(t, two_to(lo)) && fits_target(t, two_to(hi) * (1 - two_to(-20))) &&
         fits_target(t, two_to(hi)).error().why == reason::scale_too_large &&
         fits_target(t, two_to(lo) * (1 - two_to(-20))).error().why == reason::scale_too_small;
}
// The shifts of a normalized multiplier.
constexpr bool takes_shifts(scale_target t, std::int64_t multiplier, int lo, int hi) {
  return fits_target(t, {multiplier, lo}) && fits_target(t, {multiplier, hi}) &&
         !fits_target(t, {multiplier, lo - 1}) && !fits_target(t, {multiplier, hi + 1});
}

constexpr auto infinite = std::numeric_limits<double>::infinity();
constexpr scale_target none = static_cast<scale_target>(7);

}  // namespace

TEST_CASE("the first and the last scale of each target") {
  DYTQ_CHECK_BOTH(takes(opaque(tosa), -32, 29) && takes(tflite, -32, 30) && takes(cmsis_nn, -32, 30) &&
                  takes(vela, -33, 31));
  // A convolution of XNNPACK takes every float32 below 2^8: below 2^-32 all that it gives is the zero point.
  DYTQ_CHECK_BOTH(fits_target(opaque(xnnpack), two_to(-32)) && fits_target(xnnpack, two_to(-33)) &&
                  fits_target(xnnpack, 0x1.f7b2p-33) && fits_target(xnnpack, two_to(-149)) &&
                  fits_target(xnnpack, 3 * two_to(-149)) &&
                  fits_target(xnnpack, 1.5 * two_to(-149)).error().why == reason::scale_not_float32 &&
                  fits_target(xnnpack, two_to(-150)).error().why == reason::scale_too_small &&
                  fits_target(xnnpack, two_to(8)).error().why == reason::scale_too_large);
  DYTQ_CHECK_BOTH(takes(xnnpack_multiply, -16, 8) && takes(xnnpack_add, -10, 8));
}

TEST_CASE("the first and the last shift of each target") {
  DYTQ_CHECK_BOTH(takes_shifts(opaque(tosa), 1 << 30, 2, 62) && takes_shifts(tflite, 1 << 30, 1, 62) &&
                  takes_shifts(cmsis_nn, 1 << 30, 1, 62) && takes_shifts(vela, 1 << 30, 0, 63));
  DYTQ_CHECK_BOTH(takes_shifts(opaque(xnnpack), 1 << 23, 16, 172) && takes_shifts(xnnpack_multiply, 1 << 23, 16, 39) &&
                  takes_shifts(xnnpack_add, 1 << 23, 16, 33));
}

TEST_CASE("rounding decides at the limits") {
  // It rounds up to 2^29, which needs a shift of 1; and up to 2^-32, which has one of 62.
  DYTQ_CHECK_BOTH(fits_target(tosa, below(opaque(two_to(29)))).error() ==
                  rejection{.why = reason::scale_too_large, .expected = 2, .got = 1});
  DYTQ_CHECK_BOTH(fits_target(tosa, below(opaque(two_to(-32)))).has_value() &&
                  fits_target(tosa, opaque(two_to(-33))).error() ==
                      rejection{.why = reason::scale_too_small, .expected = 62, .got = 63});
  // Vela keeps 2^31.
  DYTQ_CHECK_BOTH(fits_target(vela, below(opaque(two_to(31)))).has_value() && !fits_target(tflite, below(two_to(30))));
  DYTQ_CHECK_BOTH(fits_target(xnnpack_add, float_below(opaque(256.0))).has_value() &&
                  !fits_target(xnnpack_add, float_below(two_to(-10))));
  DYTQ_CHECK_BOTH(fits_target(xnnpack, below(opaque(1.0))).error().why == reason::scale_not_float32);
}

TEST_CASE("multipliers") {
  DYTQ_CHECK_BOTH(fits_target(tosa, {opaque(std::int64_t{0}), 30}).has_value() &&
                  fits_target(tosa, {2147483647, 30}).has_value() &&
                  fits_target(tosa, {std::int64_t{1} << 31, 30}).error().why == reason::multiplier_too_large &&
                  fits_target(tflite, {-1, 30}).error().why == reason::multiplier_negative);
  DYTQ_CHECK_BOTH(fits_target(vela, {opaque(std::int64_t{1} << 31), 0}).has_value() &&
                  fits_target(vela, {(std::int64_t{1} << 31) + 1, 30}).error().why == reason::multiplier_too_large);
  // To XNNPACK it is the value that counts: 2^30 / 2^30 is 1, and so is 1 / 1.
  DYTQ_CHECK_BOTH(fits_target(xnnpack, dytq::multiplier_shift{opaque(1 << 30), 30}).has_value() &&
                  fits_target(xnnpack, {1, 0}).has_value() &&
                  fits_target(xnnpack, {(1 << 30) + 64, 30}).error().why == reason::scale_not_float32 &&
                  fits_target(xnnpack, {(1 << 30) + 128, 30}).has_value());
  DYTQ_CHECK_BOTH(fits_target(xnnpack, {opaque(std::int64_t{0}), 24}).has_value() &&
                  fits_target(xnnpack_add, {0, 24}).error().why == reason::scale_not_positive &&
                  fits_target(xnnpack_add, {-1, 30}).error().why == reason::multiplier_negative &&
                  fits_target(xnnpack, {1, INT32_MAX}).error().why == reason::scale_too_small &&
                  fits_target(xnnpack, {INT64_MAX, INT32_MIN}).error().why == reason::scale_too_large);
}

TEST_CASE("what is no scale, and no target") {
  for (const scale_target t : {tosa, tflite, cmsis_nn, vela, xnnpack, xnnpack_multiply, xnnpack_add}) {
    CHECK(fits_target(t, infinite).error().why == reason::scale_not_finite);
    CHECK(fits_target(t, -1.0).error().why == reason::scale_negative);
    CHECK(fits_target(t, std::numeric_limits<double>::denorm_min()).error().why == reason::scale_too_small);
    CHECK(fits_target(t, std::numeric_limits<double>::max()).error().why == reason::scale_too_large);
  }
  DYTQ_CHECK_BOTH(fits_target(tosa, opaque(0.0)).has_value() && fits_target(vela, -0.0).has_value() &&
                  fits_target(xnnpack, 0.0).error().why == reason::scale_not_positive &&
                  fits_target(xnnpack_multiply, 0.0).error().why == reason::scale_not_positive);
  DYTQ_CHECK_BOTH(fits_target(opaque(none), 1.0).error().why == reason::unknown_dialect &&
                  fits_target(none, {1, 30}).error().why == reason::unknown_dialect);
}
