// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps in the arithmetic of other toolchains: their rounding, their limits, and what they refuse.
#include <dytq/operators/rounding.hpp>
#include <dytq/rescale.hpp>

#include <cstdint>

#include "support/both_worlds.hpp"

using dytq::apply;
using dytq::int8_range;
using dytq::reason;
using dytq::rescale;
using dytq::rescale_kernel;
using dytq::rounding_mode;
using dytq_tests::opaque;

namespace {

constexpr std::int64_t least = INT32_MIN, most = INT32_MAX;

constexpr rescale step(rounding_mode r, std::int32_t multiplier, std::int32_t shift) {
  return {.multiplier = multiplier, .shift = shift, .rounding = r};
}
constexpr rescale xnnpack(rounding_mode r, std::int32_t multiplier, std::int32_t shift, std::int32_t zp = 0) {
  return {.multiplier = multiplier, .shift = shift, .output_zp = zp, .out = int8_range, .rounding = r};
}
constexpr bool gives(const rescale& r, std::int64_t value, std::int32_t wanted) {
  const auto got = apply(r, value);
  return got && *got == wanted;
}
constexpr reason refused(const rescale& r, std::int64_t value) { return apply(r, value).error().why; }

}  // namespace

TEST_CASE("one rounding and two") {
  using enum rounding_mode;
  DYTQ_CHECK_BOTH(gives(step(tflite_double, 1583594044, 40), opaque(7984), 12) &&
                  gives(step(tflite_single, 1583594044, 40), 7984, 11));
  DYTQ_CHECK_BOTH(gives(step(tflite_double, 1583594044, 40), opaque(-7984), -12) &&
                  gives(step(tflite_single, 1583594044, 40), -7984, -11));
  // A tie: away from zero with two roundings, up with one.
  DYTQ_CHECK_BOTH(gives(step(tflite_double, 1 << 30, 32), opaque(-2), -1) &&
                  gives(step(tflite_double, 1 << 30, 32), 2, 1) && gives(step(tflite_single, 1 << 30, 32), -2, 0) &&
                  gives(step(tflite_single, 1 << 30, 32), 2, 1));
  // Up to a shift of 31 there is one rounding.
  DYTQ_CHECK_BOTH(gives(step(tflite_double, 1 << 30, 31), opaque(-1), 0) &&
                  gives(step(tflite_double, 1 << 30, 31), 1, 1));
}

TEST_CASE("values that TOSA does not take") {
  using enum rounding_mode;
  DYTQ_CHECK_BOTH(gives(step(tflite_double, 1 << 30, 31), opaque(most), 1 << 30) &&
                  refused(step(single_round, 1 << 30, 31), most) == reason::value_exceeds_shift);
  DYTQ_CHECK_BOTH(gives(step(tflite_double, 1 << 30, 30), opaque((1 << 30) - 1), (1 << 30) - 1) &&
                  gives(step(tflite_double, 1 << 30, 30), -(1 << 30), -(1 << 30)) &&
                  refused(step(tflite_double, 1 << 30, 30), 1 << 30) == reason::value_exceeds_shift &&
                  refused(step(tflite_double, 1 << 30, 30), -(1 << 30) - 1) == reason::value_exceeds_shift);
  DYTQ_CHECK_BOTH(gives(step(tflite_double, 2147483647, 1), opaque(1), 1073741824) &&
                  gives(step(tflite_double, 0, 1), -2, 0) &&
                  refused(step(tflite_double, 0, 1), 2) == reason::value_exceeds_shift);
  DYTQ_CHECK_BOTH(gives(step(tflite_single, 1 << 30, 30), opaque(most), INT32_MAX) &&
                  gives(step(tflite_single, 1 << 30, 30), least, INT32_MIN) &&
                  refused(step(tflite_single, (1 << 30) + 1, 30), most) == reason::value_exceeds_int32);
  DYTQ_CHECK_BOTH(refused(step(tflite_single, 1, 62), opaque(most + 1)) == reason::value_exceeds_int32 &&
                  refused(step(tflite_double, 1, 62), least - 1) == reason::value_exceeds_int32);
}

TEST_CASE("multipliers and shifts") {
  using enum rounding_mode;
  DYTQ_CHECK_BOTH(refused(step(tflite_double, opaque(-1), 31), 0) == reason::multiplier_negative &&
                  refused(step(tflite_single, 1, 0), 0) == reason::shift_out_of_range &&
                  refused(step(tflite_single, 1, 63), 0) == reason::shift_out_of_range &&
                  gives(step(tflite_single, 1, 62), 0, 0));
  DYTQ_CHECK_BOTH(refused(xnnpack(xnnpack_fp32, opaque(1 << 24), 30), 0) == reason::multiplier_too_large &&
                  refused(xnnpack(xnnpack_fp32, 1, 15), 0) == reason::shift_out_of_range &&
                  refused(xnnpack(xnnpack_rndnu, 1, 56), 0) == reason::shift_out_of_range &&
                  gives(xnnpack(xnnpack_rndnu, 1, 16), 65536, 1) &&
                  gives(xnnpack(xnnpack_fp32, (1 << 24) - 1, 55), most, 1));
  DYTQ_CHECK_BOTH(refused(step(inexact_round, opaque(1), 30), 0) == reason::inexact_round &&
                  refused(step(static_cast<rounding_mode>(9), 1, 30), 0) == reason::unknown_rounding_mode);
}

TEST_CASE("XNNPACK: float32, and half up") {
  using enum rounding_mode;
  constexpr std::int32_t half = 1 << 23;  // a scale of 1/2 with a shift of 24
  DYTQ_CHECK_BOTH(gives(xnnpack(xnnpack_fp32, half, 24), opaque(1), 0) &&
                  gives(xnnpack(xnnpack_fp32, half, 24), 3, 2) && gives(xnnpack(xnnpack_fp32, half, 24), -1, 0) &&
                  gives(xnnpack(xnnpack_fp32, half, 24), -3, -2));
  DYTQ_CHECK_BOTH(gives(xnnpack(xnnpack_rndnu, half, 24), opaque(1), 1) &&
                  gives(xnnpack(xnnpack_rndnu, half, 24), -1, 0) && gives(xnnpack(xnnpack_rndnu, half, 24), -3, -1));
  // The product is rounded to 24 bits first: what is a little above a half becomes one, and that goes to the even 0.
  DYTQ_CHECK_BOTH(gives(xnnpack(xnnpack_fp32, 11184811, 26), opaque(3), 0) &&
                  gives(xnnpack(xnnpack_rndnu, 11184811, 26), 3, 1));
  DYTQ_CHECK_BOTH(gives(xnnpack(xnnpack_fp32, 11744051, 24), opaque(5), 4) &&
                  gives(xnnpack(xnnpack_rndnu, 11744051, 24), 5, 3));
  // The value itself is a float32: 2^24 + 1 is 2^24.
  DYTQ_CHECK_BOTH(gives(xnnpack(xnnpack_fp32, half, 41), opaque((1 << 24) + 1), 64) &&
                  gives(xnnpack(xnnpack_fp32, half, 47), (1 << 24) + 1, 1));
  // 23068669 is 23068668 as a float32, and then the product is below five and a half.
  DYTQ_CHECK_BOTH(gives(xnnpack(xnnpack_fp32, 8388609, 45), opaque(23068669), 5) &&
                  gives(xnnpack(xnnpack_fp32, 8388609, 45), opaque(31457275), 8));
  // The product has 24 bits: with 22, 23, 25 or 26 each of these would be the next code.
  DYTQ_CHECK_BOTH(gives(xnnpack(xnnpack_fp32, 13329376, 38), opaque(1866288), 91) &&
                  gives(xnnpack(xnnpack_fp32, 11007279, 36), 633674, 101) &&
                  gives(xnnpack(xnnpack_fp32, 12282832, 36), 405620, 72) &&
                  gives(xnnpack(xnnpack_fp32, 13325953, 37), 809620, 78));
  // 2^24 + 3 goes to the even 2^24 + 4.
  DYTQ_CHECK_BOTH(dytq::detail::scale_in_float32(opaque((1 << 24) + 3), half, 23) == (1 << 24) + 4 &&
                  dytq::detail::scale_in_float32((1 << 24) + 1, half, 23) == 1 << 24 &&
                  dytq::detail::scale_in_float32(-(1 << 24) - 3, half, 23) == -(1 << 24) - 4);
  // Saturation, with any value.
  DYTQ_CHECK_BOTH(gives(xnnpack(xnnpack_fp32, (1 << 24) - 1, 16, 100), opaque(most), 127) &&
                  gives(xnnpack(xnnpack_fp32, (1 << 24) - 1, 16, 100), least, -128));
  // Beyond 32 bits XNNPACK's rndnu wraps; a chain of steps refuses such a value.
  DYTQ_CHECK_BOTH(gives(xnnpack(xnnpack_rndnu, half, 22), opaque(1 << 30), -128) &&
                  !rescale_kernel(xnnpack(xnnpack_rndnu, half, 22)).legal(1 << 30) &&
                  gives(xnnpack(xnnpack_rndnu, half, 22), (1 << 30) - 1, 127));
  DYTQ_CHECK_BOTH(refused(xnnpack(xnnpack_rndnu, half, 24), opaque(most + 1)) == reason::value_exceeds_int32);
  // It is the scaled value that wraps, whatever the zero point makes of it.
  DYTQ_CHECK_BOTH(gives(xnnpack(xnnpack_rndnu, half, 22, -5), opaque(1 << 30), -128) &&
                  !rescale_kernel(xnnpack(xnnpack_rndnu, half, 22, -5)).legal(1 << 30));
  rescale far = step(tflite_single, (1 << 30) + 1, 30);
  far.output_zp = -100;
  CHECK(apply(far, most).error() ==
        dytq::rejection{.why = reason::value_exceeds_int32, .code = most, .expected = most, .got = most + 2});
}

TEST_CASE("ONNX Runtime: as xnnpack_fp32 for any shift; QLinearMul rounds after the zero point") {
  using enum rounding_mode;
  constexpr std::int32_t half = 1 << 23;
  DYTQ_CHECK_BOTH(gives(xnnpack(onnx, half, 24), opaque(1), 0) && gives(xnnpack(onnx, half, 24), 3, 2) &&
                  gives(xnnpack(onnx, half, 24, 1), 1, 1) && gives(xnnpack(onnx, 11184811, 26), 3, 0));
  // Shifts that XNNPACK does not have.
  DYTQ_CHECK_BOTH(gives(xnnpack(onnx, half, 62, 3), opaque(most), 3) && gives(xnnpack(onnx, half, 1), 1, 127) &&
                  gives(xnnpack(onnx, (1 << 24) - 1, 1), least, -128) &&
                  refused(xnnpack(onnx, half, 0), 1) == reason::shift_out_of_range &&
                  refused(xnnpack(onnx, 1 << 24, 24), 1) == reason::multiplier_too_large);
  // A half goes to the even code: 1/2 + 1 to 2, where the even multiple, 0, would give 1.
  DYTQ_CHECK_BOTH(
      gives(xnnpack(onnx_multiply, half, 24, 1), opaque(1), 2) && gives(xnnpack(onnx_multiply, half, 24, 1), 3, 2) &&
      gives(xnnpack(onnx_multiply, half, 24, 1), -1, 0) && gives(xnnpack(onnx_multiply, half, 24, 0), 3, 2) &&
      gives(xnnpack(onnx_multiply, half, 24, -128), -65536, -128));
  // The sum is rounded to float32 first: 1/2 + 2^-24 + 100 is 100 and a half.
  DYTQ_CHECK_BOTH(gives(xnnpack(onnx_multiply, half + 1, 24, 100), opaque(1), 100) &&
                  gives(xnnpack(onnx, half + 1, 24, 100), 1, 101) &&
                  gives(xnnpack(onnx_multiply, half + 1, 24, 101), 1, 102));
  // A product that the sum does not see; one that is far beyond the codes; values of 17 bits.
  DYTQ_CHECK_BOTH(gives(xnnpack(onnx_multiply, half, 62, 7), opaque(65535), 7) &&
                  gives(xnnpack(onnx_multiply, half, 1, 7), 65535, 127) &&
                  gives(xnnpack(onnx_multiply, half, 1, 7), -65536, -128) &&
                  gives(xnnpack(onnx_multiply, 0, 1, 7), -65536, 7) &&
                  refused(xnnpack(onnx_multiply, half, 24), 65536) == reason::value_exceeds_shift);
}

TEST_CASE("XNNPACK ends in codes of 8 bits") {
  using enum rounding_mode;
  DYTQ_CHECK_BOTH(refused(step(xnnpack_fp32, opaque(1), 30), 0) == reason::range_inverted);
  DYTQ_CHECK_BOTH(refused(xnnpack(xnnpack_rndnu, 1, 30, opaque(-129)), 0) == reason::zero_point_out_of_range &&
                  refused(xnnpack(xnnpack_fp32, 1, 30, 256), 0) == reason::zero_point_out_of_range);
}

TEST_CASE("the left shift of TFLite's ADD") {
  using enum rounding_mode;
  constexpr auto left = [](rounding_mode r, std::int32_t multiplier, std::int32_t shift, std::int32_t by) {
    rescale s = step(r, multiplier, shift);
    s.left_shift = by;
    return s;
  };
  // (v << 20) * 2^30 / 2^31.
  DYTQ_CHECK_BOTH(gives(left(tflite_double, 1 << 30, 31, 20), opaque(3), 3 << 19) &&
                  gives(left(tflite_single, 1 << 30, 31, 20), -3, -(3 << 19)));
  DYTQ_CHECK_BOTH(gives(left(tflite_double, 1 << 30, 31, 20), opaque(2047), 2047 << 19) &&
                  gives(left(tflite_double, 1 << 30, 31, 20), -2048, -(1 << 30)) &&
                  refused(left(tflite_double, 1 << 30, 31, 20), 2048) == reason::value_exceeds_shift &&
                  refused(left(tflite_single, 1 << 30, 31, 20), -2049) == reason::value_exceeds_shift);
  // Two roundings look at what was shifted: this differs from a shift that is 20 less.
  DYTQ_CHECK_BOTH(gives(left(tflite_double, 1583594044, 60, 20), opaque(798), 1) &&
                  gives(left(tflite_double, 1583594044, 60, 20), -798, -1));
  DYTQ_CHECK_BOTH(refused(left(tflite_double, 1, 31, opaque(31)), 0) == reason::left_shift_out_of_range &&
                  refused(left(tflite_double, 1, 31, opaque(-1)), 0) == reason::left_shift_out_of_range &&
                  refused(left(tflite_double, 1, 20, 20), 0) == reason::left_shift_out_of_range &&
                  gives(left(tflite_double, 1, 20, 19), 0, 0) && gives(left(tflite_single, 1, 31, 30), 0, 0));
  DYTQ_CHECK_BOTH(refused(left(single_round, 1, 31, opaque(1)), 0) == reason::left_shift_out_of_range &&
                  refused(left(double_round, 1, 31, 1), 0) == reason::left_shift_out_of_range);
}

TEST_BOTH("half to even, in one place", {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  return dytq::detail::shift_right_half_even(opaque(std::uint64_t{5}), 1) == 2 &&
         dytq::detail::shift_right_half_even(7, 1) == 4 && dytq::detail::shift_right_half_even(5, 1, true) == 3 &&
         dytq::detail::shift_right_half_even(4, 1, true) == 2 && dytq::detail::shift_right_half_even(all, 64) == 1 &&
         dytq::detail::shift_right_half_even(std::uint64_t{1} << 63, 64) == 0 &&
         dytq::detail::shift_right_half_even(std::uint64_t{1} << 63, 64, true) == 1;
})
