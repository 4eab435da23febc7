// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What engines compute, against the same in the processor's own floating point, and the numbers that real models gave.
#include <dytq/engine.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "support/both_worlds.hpp"

using dytq::engine;
using dytq::engine_operator;
using dytq::fused_activation;
using dytq::place;
using dytq::qparams;
using dytq::reason;
using dytq::rejection;
using dytq::rounding_mode;
using dytq::scale_product;
using dytq_tests::opaque;

namespace {

// Does this processor, under these flags, round each operation to its type?
#if defined(__FAST_MATH__) || FLT_EVAL_METHOD != 0
constexpr bool rounds_each = false;
#else
constexpr bool rounds_each = true;
#endif

// A positive float32 with an exponent in [lowest, highest], of few bits or many.
float any_scale(std::mt19937& random, int lowest, int highest) {
  const auto exponent = static_cast<std::uint32_t>(lowest + 127) +
                        static_cast<std::uint32_t>(random()) % static_cast<unsigned>(highest - lowest + 1);
  const auto fraction = static_cast<std::uint32_t>(random() >> 9);
  return std::bit_cast<float>(exponent << 23 | (random() % 4 == 0 ? fraction & 0x7c0000u : fraction));
}

constexpr int code(const dytq::result<dytq::rescale>& step, std::int64_t value) {
  return dytq::apply(step.value(), value).value();
}

}  // namespace

TEST_CASE("the product of scales is the processor's own") {
  std::mt19937 random(3);
  for (int n = 0; rounds_each && n < 200'000; ++n) {
    const int wide = n % 2 == 0 ? 40 : 8;
    const float a = any_scale(random, -wide, wide), b = any_scale(random, -wide, wide),
                out = any_scale(random, -wide, wide);
    const volatile float product = a * b;
    const volatile float ratio = product / out;
    const volatile double in_double = double{a} * double{b} / double{out};
    const volatile double of_float = double{product} / double{out};
    CHECK(dytq::effective_scale(scale_product::in_double, a, b, out).value() == in_double);
    CHECK(dytq::effective_scale(scale_product::in_float32_and_double, a, b, out).value() == of_float);
    CHECK(dytq::effective_scale(scale_product::in_float32, a, b, out).value() == double{ratio});
  }
}

TEST_CASE("the orders differ, and at the ends of float32 a scale is refused") {
  constexpr double third = 0x1.555556p-2, tenth = 0x1.99999ap-4, most = 0x1.fffffep127, least = 0x1p-149;
  DYTQ_CHECK_BOTH(dytq::effective_scale(scale_product::in_double, opaque(third), tenth, tenth).value() == third);
  DYTQ_CHECK_BOTH(dytq::effective_scale(opaque(scale_product::in_double), third, tenth, third).value() !=
                  dytq::effective_scale(scale_product::in_float32_and_double, third, tenth, third).value());
  const auto in_float32 = [](double a, double b, double out) {
    return dytq::effective_scale(scale_product::in_float32, a, b, out);
  };
  CHECK(dytq::effective_scale(scale_product::in_double, most, most, least).value() == most * most / least);
  CHECK(dytq::effective_scale(scale_product::in_double, least, least, most).value() == least * least / most);
  DYTQ_CHECK_BOTH(in_float32(opaque(most), 2, 1).error() == rejection{.why = reason::scale_not_float32});
  DYTQ_CHECK_BOTH(in_float32(opaque(least), 0.25, 1).error() == rejection{.why = reason::scale_not_float32});
  DYTQ_CHECK_BOTH(in_float32(opaque(1.0), 0x1p-100, most).error() == rejection{.why = reason::scale_not_float32});
  DYTQ_CHECK_BOTH(in_float32(opaque(0.1), 1, 1).error() ==
                  rejection{.why = reason::scale_not_float32, .at = place::input});
  DYTQ_CHECK_BOTH(in_float32(1, opaque(0.0), 1).error() ==
                  rejection{.why = reason::scale_not_positive, .at = place::weight});
  DYTQ_CHECK_BOTH(in_float32(1, 1, opaque(-1.0)).error() ==
                  rejection{.why = reason::scale_negative, .at = place::output});
  DYTQ_CHECK_BOTH(in_float32(1, 1, opaque(std::numeric_limits<double>::infinity())).error() ==
                  rejection{.why = reason::scale_not_finite, .at = place::output});
  DYTQ_CHECK_BOTH(in_float32(opaque(0x1p128), 1, 1).error() ==
                  rejection{.why = reason::scale_not_float32, .at = place::input});
  DYTQ_CHECK_BOTH(dytq::effective_scale(opaque(static_cast<scale_product>(3)), 1, 1, 1).error().why ==
                  reason::unknown_dialect);
}

TEST_CASE("each engine's operators round as those of real models did") {
  // 1/256 = 2^30 >> 38, 1/128 = 2^30 >> 37.
  const auto step = [](engine e, engine_operator op, double scale, int zero_point) {
    return dytq::requantization(e, op, scale, 1.0, {.scale = 1.0, .zero_point = zero_point});
  };
  using enum engine_operator;
  DYTQ_CHECK_BOTH(code(step(engine::tflite, conv_2d, opaque(0x1p-8), -128), 895) == -125);
  DYTQ_CHECK_BOTH(code(step(engine::tflite_micro, conv_2d, opaque(0x1p-8), -128), 895) == -124);
  DYTQ_CHECK_BOTH(code(step(engine::tflite_micro_single, conv_2d, opaque(0x1p-8), -128), 895) == -125);
  DYTQ_CHECK_BOTH(code(step(engine::tflite, depthwise_conv_2d, opaque(0x1p-7), -128), 11199) == -40);
  DYTQ_CHECK_BOTH(code(step(engine::tflite, fully_connected, opaque(0x1p-7), -128), 11199) == -41);
  DYTQ_CHECK_BOTH(step(engine::tflite, opaque(mul), 0.5, 0)->rounding == rounding_mode::tflite_double &&
                  step(engine::tflite, mean, 0.5, 0)->rounding == rounding_mode::tflite_double &&
                  step(engine::xnnpack, conv_2d, 0.5, 0)->rounding == rounding_mode::xnnpack_fp32 &&
                  step(engine::xnnpack, mul, 0.5, 0)->rounding == rounding_mode::xnnpack_fp32);
  DYTQ_CHECK_BOTH(dytq::arithmetic_of(engine::tflite, opaque(fully_connected))->product ==
                      scale_product::in_float32_and_double &&
                  dytq::arithmetic_of(engine::tflite, mul)->product == scale_product::in_float32 &&
                  dytq::arithmetic_of(engine::tflite, depthwise_conv_2d)->product == scale_product::in_double &&
                  dytq::arithmetic_of(engine::tflite_micro_single, add)->dialect == dytq::scale_dialect::tflite_single);
  for (const engine_operator op : {add, mean, quantize}) {
    CHECK(dytq::arithmetic_of(engine::xnnpack, op).error().why == reason::unknown_dialect);
    CHECK(dytq::arithmetic_of(engine::onnx_runtime, op).error().why == reason::unknown_dialect);
  }
  DYTQ_CHECK_BOTH(step(engine::onnx_runtime, opaque(conv_2d), 0.5, 0)->rounding == rounding_mode::onnx &&
                  step(engine::onnx_runtime, mul, 0.5, 0)->rounding == rounding_mode::onnx_multiply &&
                  code(step(engine::onnx_runtime, conv_2d, 0x1p-60, 3), INT32_MAX) == 3);
  DYTQ_CHECK_BOTH(dytq::arithmetic_of(opaque(static_cast<engine>(9)), conv_2d).error().why == reason::unknown_dialect &&
                  dytq::arithmetic_of(engine::tflite, static_cast<engine_operator>(9)).error().why ==
                      reason::unknown_dialect);
  DYTQ_CHECK_BOTH(dytq::requantization(engine::tflite, conv_2d, 1, 1, {.zero_point = opaque(200)}).error() ==
                  rejection{.why = reason::zero_point_out_of_range, .at = place::output, .expected = 127, .got = 200});
  // An output channel whose weights are all 0: a scale that brings every accumulator to the zero point.
  DYTQ_CHECK_BOTH(code(step(engine::xnnpack, conv_2d, opaque(double{2.29e-10F}), 7), INT32_MIN) == 7 &&
                  code(step(engine::xnnpack, conv_2d, double{1e-11F}, 7), INT32_MAX) == 7);
}

TEST_CASE("an addition of TensorFlow Lite: its multipliers are those of the doubles that it computes") {
  std::mt19937 random(5);
  for (int n = 0; rounds_each && n < 20'000; ++n) {
    const float a = any_scale(random, -12, 2), b = any_scale(random, -12, 2), out = any_scale(random, -10, 3);
    const auto steps = dytq::addition(engine::tflite, {.scale = a, .zero_point = 3}, {.scale = b, .zero_point = -5},
                                      {.scale = out, .zero_point = 9});
    const double twice = 2 * (a < b ? b : a);
    const double scales[] = {a / twice, b / twice, twice / (double{1 << 20} * out)};
    if (scales[2] >= 1) {
      CHECK(steps.error().why == reason::scale_too_large);
      continue;
    }
    const dytq::rescale* const made[] = {&steps->a, &steps->b, &steps->out};
    for (int i = 0; i < 3; ++i) {
      int left = 0;
      const auto multiplier = std::llround(std::frexp(scales[i], &left) * 2147483648.0);
      if (left < -31) {  // flushed
        CHECK((made[i]->multiplier == 0 && made[i]->shift == 31));
        continue;
      }
      const bool carry = multiplier == INT64_C(2147483648);
      CHECK(made[i]->multiplier == (carry ? multiplier / 2 : multiplier));
      CHECK(made[i]->shift == 31 - left - (carry ? 1 : 0));
      CHECK(made[i]->left_shift == (i < 2 ? 20 : 0));
      CHECK(made[i]->rounding == rounding_mode::tflite_double);
      CHECK(dytq::validate(*made[i]));
    }
    CHECK((steps->a.input_zp == 3 && steps->b.input_zp == -5 && steps->out.output_zp == 9));
  }
}

TEST_CASE("an addition of XNNPACK, by its formula") {
  std::mt19937 random(6);
  int taken = 0;
  for (int n = 0; rounds_each && n < 200; ++n) {
    const float a = any_scale(random, -9, 3), b = any_scale(random, -9, 3), out = any_scale(random, -3, 3);
    const int az = static_cast<int>(random() % 256) - 128, bz = static_cast<int>(random() % 256) - 128, oz = 4;
    const auto steps = dytq::addition(engine::xnnpack, {.scale = a, .zero_point = az}, {.scale = b, .zero_point = bz},
                                      {.scale = out, .zero_point = oz});
    const float ao = a / out, bo = b / out, most = ao < bo ? bo : ao;
    if (ao < 0x1p-10F || bo < 0x1p-10F || most >= 256) {
      CHECK(!steps);
      continue;
    }
    ++taken;
    const int shift = 20 - std::ilogb(most);
    const auto ma = static_cast<std::int64_t>(std::nearbyint(std::ldexp(double{ao}, shift)));
    const auto mb = static_cast<std::int64_t>(std::nearbyint(std::ldexp(double{bo}, shift)));
    // All pairs of codes for nine sets of scales, a pair for each code for the others.
    const int each = taken <= 9 ? 256 : 1;
    int wrong = 0;
    for (int n_pair = 0; n_pair < 256 * each; ++n_pair) {
      const int x = n_pair % 256 - 128;
      const int y = each == 256 ? n_pair / 256 - 128 : static_cast<int>(random() % 256) - 128;
      const std::int64_t sum = ((x - az) * ma + (y - bz) * mb + (std::int64_t{1} << (shift - 1))) >> shift;
      const std::int64_t expected = sum + oz < -128 ? -128 : sum + oz > 127 ? 127 : sum + oz;
      const std::int64_t operands = std::int64_t{dytq::apply(steps->a, x).value()} + dytq::apply(steps->b, y).value();
      wrong += dytq::apply(steps->out, operands).value() == expected ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
  CHECK((taken > 100 || !rounds_each));
}

TEST_CASE("additions that are refused") {
  const auto why = [](engine e, qparams a, qparams b, qparams out) { return dytq::addition(e, a, b, out).error(); };
  DYTQ_CHECK_BOTH(why(engine::tflite, {.scale = opaque(0.1)}, {}, {}) ==
                  rejection{.why = reason::scale_not_float32, .at = place::input});
  DYTQ_CHECK_BOTH(why(engine::tflite, {}, {.scale = opaque(0.0)}, {}) ==
                  rejection{.why = reason::scale_not_positive, .at = place::weight});
  DYTQ_CHECK_BOTH(why(engine::tflite, {}, {}, {.zero_point = opaque(128)}) ==
                  rejection{.why = reason::zero_point_out_of_range, .at = place::output, .expected = 127, .got = 128});
  DYTQ_CHECK_BOTH(why(engine::tflite, {.scale = opaque(0x1p20)}, {}, {}) ==
                  rejection{.why = reason::scale_too_large, .at = place::output, .expected = 31, .got = 29});
  DYTQ_CHECK_BOTH(why(engine::tflite, {.scale = opaque(0x1p127)}, {}, {}).why == reason::scale_not_float32);
  DYTQ_CHECK_BOTH(why(engine::tflite, {}, {}, {.scale = opaque(0x1p120)}).why == reason::scale_not_float32);
  DYTQ_CHECK_BOTH(why(engine::xnnpack, {}, {.scale = opaque(0x1p8)}, {}) ==
                  rejection{.why = reason::scale_too_large, .at = place::weight, .expected = 16, .got = 15});
  DYTQ_CHECK_BOTH(why(engine::xnnpack, {.scale = opaque(0x1p-11)}, {}, {}) ==
                  rejection{.why = reason::scale_too_small, .at = place::input, .expected = 33, .got = 34});
  DYTQ_CHECK_BOTH(why(opaque(engine::onnx_runtime), {}, {}, {}).why == reason::unknown_dialect);
}

TEST_CASE("an average pool's step") {
  DYTQ_CHECK_BOTH(code(dytq::average_pool(opaque(9)), 4 * 9 + 4) == 4 &&
                  code(dytq::average_pool(9), -(4 * 9 + 5)) == -5);
  DYTQ_CHECK_BOTH(code(dytq::average_pool(opaque(2)), 3) == 2 && code(dytq::average_pool(2), -3) == -2);
  DYTQ_CHECK_BOTH(dytq::average_pool(opaque(1)).value().multiplier == 1 << 30 && code(dytq::average_pool(1), -7) == -7);
  DYTQ_CHECK_BOTH(dytq::average_pool(opaque(0)).error() ==
                  rejection{.why = reason::shape_mismatch, .at = place::input, .expected = 1, .got = 0});
  DYTQ_CHECK_BOTH(dytq::average_pool(opaque(1025)).error() ==
                  rejection{.why = reason::extent_overflow, .at = place::input, .expected = 1024, .got = 1025});
  DYTQ_CHECK_BOTH(dytq::average_pool(9, {0, opaque(256)}).error() ==
                  rejection{.why = reason::range_inverted, .at = place::output, .expected = 255, .got = 256});
}

TEST_CASE("fused activations clamp to the codes of their bounds") {
  using enum fused_activation;
  const auto range = [](fused_activation a, double scale, int zero_point) {
    return dytq::activation_range(a, {.scale = scale, .zero_point = zero_point});
  };
  DYTQ_CHECK_BOTH(range(opaque(none), 0.5, 3).value() == dytq::int8_range);
  DYTQ_CHECK_BOTH(range(opaque(relu), 0.5, 3).value() == dytq::code_range{3, 127});
  DYTQ_CHECK_BOTH(range(opaque(relu6), 0x1.8p-6, -128).value() == dytq::code_range{-128, 127});
  DYTQ_CHECK_BOTH(range(opaque(relu6), 0.5, -100).value() == dytq::code_range{-100, -88});
  DYTQ_CHECK_BOTH(range(opaque(relu_n1_to_1), 0.25, 3).value() == dytq::code_range{-1, 7});
  DYTQ_CHECK_BOTH(range(opaque(relu_n1_to_1), 2, 3).value() == dytq::code_range{2, 4});  // halves, away from zero
  DYTQ_CHECK_BOTH(
      range(opaque(relu6), 0x1p-40, 0).error() ==
      rejection{.why = reason::range_inverted, .at = place::output, .expected = INT32_MAX, .got = INT64_C(2147483648)});
  DYTQ_CHECK_BOTH(range(opaque(static_cast<fused_activation>(9)), 1, 0).error() ==
                  rejection{.why = reason::unknown_type, .got = 9});
  DYTQ_CHECK_BOTH(range(opaque(relu), 0.1, 0).error().why == reason::scale_not_float32);
  DYTQ_CHECK_BOTH(range(opaque(relu), 0.5, 128).error().why == reason::zero_point_out_of_range);
  DYTQ_CHECK_BOTH(dytq::activation_range(opaque(relu_n1_to_1), {.scale = 0.5, .qmin = 10, .qmax = 20}).error() ==
                  rejection{.why = reason::range_inverted, .at = place::output, .expected = 10, .got = 2});
  std::mt19937 random(7);
  for (int n = 0; rounds_each && n < 20'000; ++n) {
    const float scale = any_scale(random, -20, 6);
    const int zero_point = static_cast<int>(random() % 256) - 128;
    const auto code_of = [&](float x) {
      const volatile float ratio = x / scale;
      return zero_point + static_cast<std::int64_t>(std::round(ratio));
    };
    const auto least = std::max<std::int64_t>(-128, code_of(-1)), most = std::min<std::int64_t>(127, code_of(1));
    CHECK(range(relu_n1_to_1, scale, zero_point).value() == dytq::code_range{least, most});
    CHECK(range(relu6, scale, zero_point).value().hi == std::min<std::int64_t>(127, code_of(6)));
  }
}

TEST_CASE("SAME padding, and what is left of the activation") {
  const auto same = [](std::int64_t extent, std::int64_t kernel, std::int64_t stride, std::int64_t dilation) {
    const dytq::conv_axis a = dytq::same_padding(extent, kernel, stride, dilation).value();
    return std::array{a.input, a.before, a.after};
  };
  using expected = std::array<std::int64_t, 3>;
  DYTQ_CHECK_BOTH(same(opaque(5), 3, 1, 1) == expected{5, 1, 1});
  DYTQ_CHECK_BOTH(same(opaque(224), 3, 2, 1) == expected{224, 0, 1});
  DYTQ_CHECK_BOTH(same(opaque(5), 1, 2, 1) == expected{5, 0, 0});
  DYTQ_CHECK_BOTH(same(opaque(6), 1, 2, 1) == expected{5, 0, 0});  // the last is read by nobody
  DYTQ_CHECK_BOTH(same(opaque(7), 3, 1, 2) == expected{7, 2, 2});
  DYTQ_CHECK_BOTH(same(opaque(10), 2, 4, 1) == expected{10, 0, 0});
  DYTQ_CHECK_BOTH(same(opaque(12), 2, 4, 1) == expected{10, 0, 0});
  // A convolution takes every one of them, with ceil(extent / stride) outputs, and centered to half a position.
  for (std::int64_t extent = 1; extent < 20; ++extent)
    for (std::int64_t kernel = 1; kernel < 7; ++kernel)
      for (std::int64_t stride = 1; stride < 6; ++stride)
        for (std::int64_t dilation = 1; dilation < 4; ++dilation) {
          const dytq::conv_axis a = dytq::same_padding(extent, kernel, stride, dilation).value();
          const std::int64_t span = a.input + a.before + a.after - (kernel - 1) * dilation - 1;
          CHECK(span % stride == 0);
          CHECK(span / stride + 1 == (extent + stride - 1) / stride);
          CHECK((a.input <= extent && extent - a.input < stride && a.after - a.before <= 1 && a.after >= a.before));
          CHECK((a.input == extent || a.before + a.after == 0));
        }
  DYTQ_CHECK_BOTH(dytq::same_padding(opaque(0), 1).error() ==
                  rejection{.why = reason::shape_mismatch, .at = place::input, .expected = 1, .got = 0});
  DYTQ_CHECK_BOTH(dytq::same_padding(1, opaque(-2)).error() ==
                  rejection{.why = reason::shape_mismatch, .at = place::weight, .expected = 1, .got = -2});
  DYTQ_CHECK_BOTH(dytq::same_padding(1, 1, opaque(0)).error().why == reason::stride_not_positive &&
                  dytq::same_padding(1, 1, 1, opaque(0)).error().why == reason::dilation_not_positive &&
                  dytq::same_padding(INT64_MAX, 1).error().expected == INT32_MAX);
}
