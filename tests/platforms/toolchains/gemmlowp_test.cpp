// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TFLite's double rounding as gemmlowp's own functions compute it.
#include <fixedpoint/fixedpoint.h>

#include <dytq/rescale.hpp>

#include "generators.hpp"
#include "support/catch.hpp"

namespace {

using dytq::rounding_mode;
using oracle::integer;

// MultiplyByQuantizedMultiplier, as TensorFlow Lite composes it.
std::int32_t tflite_double(std::int32_t value, std::int32_t multiplier, int left_shift) {
  const int left = left_shift > 0 ? left_shift : 0, right = left_shift > 0 ? 0 : -left_shift;
  return gemmlowp::RoundingDivideByPOT(
      gemmlowp::SaturatingRoundingDoublingHighMul(value * (std::int32_t{1} << left), multiplier), right);
}

struct tally {
  long long asked = 0, wrong = 0, wrong_in_tosa = 0, in_tosa = 0;

  void ask(integer value, integer multiplier, int left_shift) {
    const integer shifted = left_shift > 0 ? value * (integer{1} << left_shift) : value;
    const dytq::rescale step{.multiplier = static_cast<std::int32_t>(multiplier),
                             .shift = 31 - left_shift,
                             .rounding = rounding_mode::tflite_double};
    const auto got = apply(step, value);
    const auto tosa = dytq::apply_scale_32(value, multiplier, 31 - left_shift, rounding_mode::double_round);
    asked += 1;
    if (!oracle::fits_i32(shifted)) {
      wrong += got || tosa ? 1 : 0;
      return;
    }
    const std::int32_t wanted =
        tflite_double(static_cast<std::int32_t>(value), static_cast<std::int32_t>(multiplier), left_shift);
    wrong += got && *got == wanted ? 0 : 1;
    in_tosa += tosa ? 1 : 0;
    wrong_in_tosa += !tosa || *tosa == wanted ? 0 : 1;
  }
};

}  // namespace

TEST_CASE("the counter-example: two roundings give 12, one gives 11") {
  CHECK(tflite_double(7984, 1583594044, -9) == 12);
  dytq::rescale step{.multiplier = 1583594044, .shift = 40, .rounding = rounding_mode::tflite_double};
  CHECK(apply(step, 7984).value() == 12);
  step.rounding = rounding_mode::tflite_single;
  CHECK(apply(step, 7984).value() == 11);
}

TEST_CASE("tflite_double is gemmlowp's, and so is TOSA's DOUBLE_ROUND where it has a result") {
  tally t;
  oracle::source s(1);
  for (int n = 0; n < 400000; ++n) {
    const integer m = oracle::multiplier_value(s), left = s.range(-31, 30);
    t.ask(s.chance(50) ? oracle::near_tie(s, m, 31 - left) : oracle::int32_value(s), m, static_cast<int>(left));
  }
  // Every product of two int8 codes, at every shift.
  for (const std::int32_t m : {1 << 30, (1 << 30) + 1, 1583594044, INT32_MAX}) {
    for (integer v = -65025; v <= 65025; v += 7) {
      for (int left = -31; left <= 14; ++left)
        t.ask(v, m, left);
    }
  }
  WARN(t.asked << " values, " << t.in_tosa << " of them TOSA's");
  CHECK(t.wrong == 0);
  CHECK(t.wrong_in_tosa == 0);
  CHECK(t.in_tosa > 100000);
}
