// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The int8 tanh and logistic of TFLite Micro, whose kernels compute with gemmlowp's fixed point, beside certified
// tables; and LUTPopulate, which computes with the C library's float functions. Differences are counted.
// DYTQ_TABLE_SCALES in the environment is the number of scales.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include <fixedpoint/fixedpoint.h>
#include <dytq/lut.hpp>

#include "support/catch.hpp"

namespace {

const int scales = std::getenv("DYTQ_TABLE_SCALES") != nullptr ? std::atoi(std::getenv("DYTQ_TABLE_SCALES")) : 400;

/// The kernels' procedure: the input in 4.27 bits by a 32-bit multiplier, gemmlowp's function, and 7 or 8 bits of it.
class kernel {
 public:
  explicit kernel(double scale) {
    const double mantissa = std::frexp(scale * static_cast<double>(1 << 27), &left_shift_);
    multiplier_ = static_cast<std::int32_t>(std::round(mantissa * static_cast<double>(std::int64_t{1} << 31)));
    radius_ = static_cast<int>(
        std::floor(15.0 * static_cast<double>(1 << 27) / static_cast<double>(std::int64_t{1} << left_shift_)));
  }
  int tanh(int centered) const {
    return beyond(centered) ? end(centered)
                            : clamp(gemmlowp::RoundingDivideByPOT(gemmlowp::tanh(in_q4(centered)).raw(), 24));
  }
  int logistic(int centered) const {
    return beyond(centered) ? end(centered)
                            : clamp(gemmlowp::RoundingDivideByPOT(gemmlowp::logistic(in_q4(centered)).raw(), 23) - 128);
  }

 private:
  using q4 = gemmlowp::FixedPoint<std::int32_t, 4>;
  static int clamp(int v) { return v < -128 ? -128 : v > 127 ? 127 : v; }
  static int end(int centered) { return centered < 0 ? -128 : 127; }
  bool beyond(int centered) const { return centered <= -radius_ || centered >= radius_; }
  q4 in_q4(int centered) const {
    return q4::FromRaw(gemmlowp::SaturatingRoundingDoublingHighMul(centered * (1 << left_shift_), multiplier_));
  }

  int left_shift_ = 0, radius_ = 0;
  std::int32_t multiplier_ = 0;
};

std::int8_t entry(const dytq::table8& table, int code) { return table[static_cast<std::size_t>(code + 128)]; }

/// LUTPopulate for int8: every step a float.
template <class F>
int populated(F f, float in_scale, int in_zero_point, float out_scale, int out_zero_point, int code) {
  const volatile float inverse = 1.0f / out_scale;
  const volatile float x = in_scale * static_cast<float>(code - in_zero_point);
  const volatile float y = f(x);
  const volatile float scaled = y * inverse;
  const float v = std::round(scaled) + static_cast<float>(out_zero_point);
  return v < -128.0f ? -128 : v > 127.0f ? 127 : static_cast<int>(v);
}

float draw(std::mt19937_64& g, double lo, double hi) {
  return static_cast<float>(std::exp(std::uniform_real_distribution<double>(std::log(lo), std::log(hi))(g)));
}

}  // namespace

TEST_CASE("int8 tanh and logistic of gemmlowp's kernels: a few entries in a million are not the nearest code") {
  std::mt19937_64 g(1);
  long entries = 0, tanh_off = 0, logistic_off = 0;
  for (int t = 0; t < scales; ++t) {
    const double scale = static_cast<double>(draw(g, 0.002, 0.12));
    const int zero_point = static_cast<int>(g() % 256) - 128;
    const kernel theirs(scale);
    const dytq::qparams in{.scale = scale, .zero_point = zero_point};
    const dytq::lut_options how{.ties = dytq::tie_rule::away_from_zero};
    const auto tanh = dytq::make_lut8(dytq::functions::tanh, in, {.scale = 1.0 / 128}, how).value();
    const auto logistic =
        dytq::make_lut8(dytq::functions::logistic, in, {.scale = 1.0 / 256, .zero_point = -128}, how).value();
    for (int code = -128; code < 128; ++code, ++entries) {
      const int t_off = entry(tanh, code) - theirs.tanh(code - zero_point),
                l_off = entry(logistic, code) - theirs.logistic(code - zero_point);
      tanh_off += t_off != 0 ? 1 : 0;
      logistic_off += l_off != 0 ? 1 : 0;
      REQUIRE(std::abs(t_off) <= 1);
      REQUIRE(std::abs(l_off) <= 1);
    }
  }
  std::printf("gemmlowp, %ld entries each: tanh differs in %ld, logistic in %ld, by one code\n", entries, tanh_off,
              logistic_off);
  CHECK(tanh_off * 100000 <= entries);
  CHECK(logistic_off * 100000 <= entries);
}

TEST_CASE("int8 tables of LUTPopulate are float32 tables whose halves go away from zero") {
  std::mt19937_64 g(2);
  long entries = 0, off = 0, even = 0;
  for (int t = 0; t < scales / 2; ++t) {
    const float in_scale = draw(g, 0.002, 0.12), out_scale = draw(g, 0.002, 0.05);
    const int in_zero_point = static_cast<int>(g() % 256) - 128, out_zero_point = static_cast<int>(g() % 256) - 128;
    const auto count = [&](auto f, auto libm) {
      const dytq::qparams in{.scale = static_cast<double>(in_scale), .zero_point = in_zero_point},
          out{.scale = static_cast<double>(out_scale), .zero_point = out_zero_point};
      dytq::lut_options how{.arithmetic = dytq::numerics::float32, .ties = dytq::tie_rule::away_from_zero};
      const auto ours = dytq::make_lut8(f, in, out, how).value();
      how.ties = dytq::tie_rule::to_even;
      const auto other = dytq::make_lut8(f, in, out, how).value();
      for (int code = -128; code < 128; ++code, ++entries) {
        const int theirs = populated(libm, in_scale, in_zero_point, out_scale, out_zero_point, code);
        off += entry(ours, code) != theirs ? 1 : 0;
        even += entry(other, code) != theirs ? 1 : 0;
      }
    };
    count(dytq::functions::tanh, [](float x) { return std::tanh(x); });
    count(dytq::functions::exp, [](float x) { return std::exp(x); });
  }
  std::printf("LUTPopulate, %ld entries: %ld differ; with halves to even %ld\n", entries, off, even);
  CHECK(off * 20000 <= entries);
}
