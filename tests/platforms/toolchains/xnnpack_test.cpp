// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// XNNPACK through its public interface. A fully connected layer whose input is its zero point accumulates nothing but
// its bias, so that any int32 can be requantized; MUL requantizes a product. Which of the two roundings it uses depends
// on the processor: it must be one of them, throughout.
#include <xnnpack.h>

#include <cmath>
#include <dytq/engine.hpp>
#include <dytq/rescale.hpp>
#include <dytq/scale.hpp>
#include <vector>

#include "generators.hpp"
#include "support/catch.hpp"

namespace {

using dytq::rounding_mode;
using dytq::scale_dialect;
using dytq::scale_target;
using oracle::integer;

// A result has no default: XNNPACK must be there.
bool ready() {
  static const bool done = xnn_initialize(nullptr) == xnn_status_success;
  return done;
}

float float32_value(oracle::source& s, int lowest, int highest) {
  const auto fraction = static_cast<double>((1 << 23) + s.pick<integer>({s.below(1 << 23), 0, (1 << 23) - 1, 1}));
  return static_cast<float>(std::ldexp(fraction, static_cast<int>(s.range(lowest, highest)) - 23));
}

dytq::rescale step_of(float scale, int zero_point, rounding_mode rounding) {
  const auto parts = dytq::quantize_scale(scale, dytq::multiplier_width::bits32, scale_dialect::xnnpack).value();
  return {.multiplier = parts.multiplier,
          .shift = parts.shift,
          .output_zp = zero_point,
          .out = dytq::int8_range,
          .rounding = rounding};
}

// How many answers are not those of each rounding.
struct tally {
  long long asked = 0, not_fp32 = 0, not_rndnu = 0;

  void ask(float scale, int zero_point, integer value, std::int8_t got) {
    asked += 1;
    not_fp32 += apply(step_of(scale, zero_point, rounding_mode::xnnpack_fp32), value).value() == got ? 0 : 1;
    not_rndnu += apply(step_of(scale, zero_point, rounding_mode::xnnpack_rndnu), value).value() == got ? 0 : 1;
  }
  void judge() const {
    WARN(asked << " values; not as xnnpack_fp32: " << not_fp32 << ", not as xnnpack_rndnu: " << not_rndnu);
    CHECK((not_fp32 == 0 || not_rndnu == 0));
  }
};

bool takes_multiply(float scale) {
  xnn_operator_t op = nullptr;
  const bool done = xnn_create_multiply_nd_qs8(0, scale, 0, 1.0F, 0, 1.0F, -128, 127, 0, &op) == xnn_status_success;
  xnn_delete_operator(op);
  return done;
}
bool takes_add(float scale) {
  xnn_operator_t op = nullptr;
  const bool done = xnn_create_add_nd_qs8(0, scale, 0, 1.0F, 0, 1.0F, -128, 127, 0, &op) == xnn_status_success;
  xnn_delete_operator(op);
  return done;
}
bool takes_fully_connected(float scale) {
  const std::int8_t kernel = 1;
  const std::int32_t bias = 0;
  xnn_operator_t op = nullptr;
  const bool done = xnn_create_fully_connected_nc_qs8(1, 1, 1, 1, 0, scale, 1.0F, &kernel, &bias, 0, 1.0F, -128, 127, 0,
                                                      &op) == xnn_status_success;
  xnn_delete_operator(op);
  return done;
}

}  // namespace

TEST_CASE("any accumulator, through the bias of a fully connected layer") {
  REQUIRE(ready());
  oracle::source s(1);
  tally t;
  for (int n = 0; n < 400; ++n) {
    const float scale = float32_value(s, -32, 7);
    const auto zero_point = static_cast<std::int8_t>(oracle::int8_value(s));
    constexpr std::size_t channels = 64;
    std::vector<std::int8_t> kernel(channels, 1), output(channels);
    std::vector<std::int32_t> bias(channels);
    for (auto& b : bias) {
      const double edge = (static_cast<double>(s.range(-260, 260)) + 0.5) / static_cast<double>(scale);
      b = static_cast<std::int32_t>(s.chance(80) && std::fabs(edge) < 2147483000.0
                                        ? static_cast<integer>(std::nearbyint(edge)) + s.range(-1, 1)
                                        : oracle::int32_value(s));
    }
    xnn_operator_t op = nullptr;
    REQUIRE(xnn_create_fully_connected_nc_qs8(1, channels, 1, channels, 0, scale, 1.0F, kernel.data(), bias.data(),
                                              zero_point, 1.0F, -128, 127, 0, &op) == xnn_status_success);
    const std::vector<std::int8_t> input(16, 0);  // it may read beyond the first
    REQUIRE(xnn_setup_fully_connected_nc_qs8(op, 1, input.data(), output.data(), nullptr) == xnn_status_success);
    REQUIRE(xnn_run_operator(op, nullptr) == xnn_status_success);
    xnn_delete_operator(op);
    for (std::size_t c = 0; c < channels; ++c)
      t.ask(scale, zero_point, bias[c], output[c]);
  }
  t.judge();
}

TEST_CASE("the product of MUL, for every pair of codes") {
  REQUIRE(ready());
  oracle::source s(2);
  tally t;
  for (int n = 0; n < 12; ++n) {
    const float scale = float32_value(s, -16, n % 2 == 0 ? -7 : 7);
    const auto a_zp = static_cast<std::int8_t>(oracle::int8_value(s)),
               b_zp = static_cast<std::int8_t>(oracle::int8_value(s)),
               zero_point = static_cast<std::int8_t>(oracle::int8_value(s));
    constexpr std::size_t count = 65536;
    std::vector<std::int8_t> a(count + 16), b(count + 16), output(count + 16);
    for (std::size_t i = 0; i < count; ++i) {
      a[i] = static_cast<std::int8_t>(i >> 8);
      b[i] = static_cast<std::int8_t>(i & 255);
    }
    xnn_operator_t op = nullptr;
    REQUIRE(xnn_create_multiply_nd_qs8(a_zp, scale, b_zp, 1.0F, zero_point, 1.0F, -128, 127, 0, &op) ==
            xnn_status_success);
    REQUIRE(xnn_setup_multiply_nd_qs8(op, 1, &count, 1, &count, a.data(), b.data(), output.data(), nullptr) ==
            xnn_status_success);
    REQUIRE(xnn_run_operator(op, nullptr) == xnn_status_success);
    xnn_delete_operator(op);
    for (std::size_t i = 0; i < count; i += 3)
      t.ask(scale, zero_point, integer{a[i] - a_zp} * (b[i] - b_zp), output[i]);
  }
  t.judge();
}

TEST_CASE("the scales that its operators take are those that fits_target says") {
  REQUIRE(ready());
  for (int exponent = -20; exponent <= 10; ++exponent) {
    const float exact = std::ldexp(1.0F, exponent);
    for (const float scale : {std::nextafter(exact, 0.0F), exact, std::nextafter(exact, 1e9F)}) {
      INFO(scale);
      CHECK(takes_multiply(scale) == fits_target(scale_target::xnnpack_multiply, double{scale}).has_value());
      CHECK(takes_add(scale) == fits_target(scale_target::xnnpack_add, double{scale}).has_value());
      CHECK(takes_fully_connected(scale) == fits_target(scale_target::xnnpack, double{scale}).has_value());
    }
  }
}

TEST_CASE("ADD, for every pair of codes") {
  REQUIRE(ready());
  // Scale of each input, and of the output; zero points.
  constexpr struct {
    float a, b, out;
    int a_zp, b_zp, out_zp;
  } sets[] = {{1.0F, 1.0F, 1.0F, 0, 0, 0},
              {0.05F, 0.05F, 0.1F, 0, 0, 0},
              {0.0235F, 0.0471F, 0.0588F, -128, -1, 4},
              {0.0078125F, 0.015625F, 0.0078125F, 3, -7, 11},
              {0.1F, 0.003F, 0.09F, 127, -128, -128},
              {1.7F, 0.9F, 0.011F, 5, 6, 7},
              {0.001F, 0.0011F, 0.9F, -5, 17, -20},
              {0.33333334F, 0.66666669F, 1.3333334F, -128, 127, 127},
              {3.3F, 0.0077F, 0.019F, 1, 2, 3}};
  constexpr std::size_t count = 65536;
  std::vector<std::int8_t> a(count + 16), b(count + 16), output(count + 16);
  for (std::size_t i = 0; i < count; ++i) {
    a[i] = static_cast<std::int8_t>(i >> 8);
    b[i] = static_cast<std::int8_t>(i & 255);
  }
  for (const auto& s : sets) {
    INFO(s.a << ' ' << s.b << ' ' << s.out);
    xnn_operator_t op = nullptr;
    REQUIRE(xnn_create_add_nd_qs8(static_cast<std::int8_t>(s.a_zp), s.a, static_cast<std::int8_t>(s.b_zp), s.b,
                                  static_cast<std::int8_t>(s.out_zp), s.out, -128, 127, 0, &op) == xnn_status_success);
    REQUIRE(xnn_setup_add_nd_qs8(op, 1, &count, 1, &count, a.data(), b.data(), output.data(), nullptr) ==
            xnn_status_success);
    REQUIRE(xnn_run_operator(op, nullptr) == xnn_status_success);
    xnn_delete_operator(op);
    const auto steps = dytq::addition(dytq::engine::xnnpack, {.scale = s.a, .zero_point = s.a_zp},
                                      {.scale = s.b, .zero_point = s.b_zp}, {.scale = s.out, .zero_point = s.out_zp})
                           .value();
    const dytq::rescale_kernel of_a(steps.a), of_b(steps.b), of_sum(steps.out);
    int wrong = 0;
    for (std::size_t i = 0; i < count; ++i)
      wrong += of_sum(std::int64_t{of_a(a[i])} + of_b(b[i])) == output[i] ? 0 : 1;
    CHECK(wrong == 0);
  }
}

TEST_CASE("scales are multiplied in its own order") {
  REQUIRE(ready());
  oracle::source s(4);
  constexpr std::size_t channels = 64;
  int asked = 0, in_double = 0;
  for (int n = 0; n < 600; ++n) {
    const float input = float32_value(s, -9, 1), out = float32_value(s, -9, 1);
    const float weight = float32_value(s, -14, -2);
    const auto step = dytq::requantization(dytq::engine::xnnpack, dytq::engine_operator::fully_connected, input, weight,
                                           {.scale = out, .zero_point = 3});
    if (!step)
      continue;
    std::vector<std::int8_t> kernel(channels, 1), output(channels);
    std::vector<std::int32_t> bias(channels);
    for (auto& b : bias)
      b = static_cast<std::int32_t>(s.chance(50) ? s.range(-100000, 100000) : oracle::int32_value(s));
    bias[0] = INT32_MIN;
    bias[1] = INT32_MAX;
    xnn_operator_t op = nullptr;
    REQUIRE(xnn_create_fully_connected_nc_qs8(1, channels, 1, channels, 0, input, weight, kernel.data(), bias.data(), 3,
                                              out, -128, 127, 0, &op) == xnn_status_success);
    const std::vector<std::int8_t> zeros(16, 0);
    REQUIRE(xnn_setup_fully_connected_nc_qs8(op, 1, zeros.data(), output.data(), nullptr) == xnn_status_success);
    REQUIRE(xnn_run_operator(op, nullptr) == xnn_status_success);
    xnn_delete_operator(op);
    for (std::size_t c = 0; c < channels; ++c) {
      CHECK(int{output[c]} == apply(*step, bias[c]).value());
      ++asked;
    }
    in_double += dytq::effective_scale(dytq::scale_product::in_double, input, weight, out).value() !=
                         dytq::effective_scale(dytq::scale_product::in_float32, input, weight, out).value()
                     ? 1
                     : 0;
  }
  WARN(asked << " values; " << in_double << " scales that another order would change");
  CHECK((asked > 20000 && in_double > 100));
}
