// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values half way between two codes: to the even one or away from zero, in tables of both widths and both numerics.
#include <cstddef>
#include <cstdint>

#include <dytq/lut16.hpp>

#include "support/both_worlds.hpp"

using dytq::numerics;
using dytq::qparams;
using dytq::tie_rule;
using dytq_tests::opaque;

namespace {

/// x itself: its tables are made of ties.
struct line_function {
  template <std::size_t N>
  static constexpr dytq::certified_sign sign(const dytq::real<N>& x, const dytq::real<N>& y) {
    return compare(x, y);
  }
};

/// The same with an estimate, and odd, so that one half of the table mirrors the other.
struct estimated_line : line_function {
  static constexpr bool odd = true;
  static constexpr bool negative(bool x_negative) { return x_negative; }
  static constexpr dytq::estimate magnitude(const dytq::estimate& x, bool) { return x; }
};

/// v / 4 in integers.
constexpr int quarter(int v, tie_rule ties) {
  const int size = v < 0 ? -v : v, cut = size / 4, rest = size % 4;
  const bool up = rest == 2 ? ties == tie_rule::away_from_zero || cut % 2 != 0 : rest > 2;
  return (v < 0 ? -1 : 1) * (cut + (up ? 1 : 0));
}

constexpr int clamp(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }

template <class F>
constexpr bool right8(numerics arithmetic, int in_zero_point, int out_zero_point) {
  for (const tie_rule ties : {tie_rule::to_even, tie_rule::away_from_zero}) {
    const auto table =
        dytq::make_lut8(F{}, {.scale = 0.25, .zero_point = opaque(in_zero_point)},
                        {.scale = 1.0, .zero_point = out_zero_point}, {.arithmetic = arithmetic, .ties = ties});
    for (int code = -128; code < 128; ++code) {
      const int wanted = clamp(quarter(code - in_zero_point, ties) + out_zero_point, -128, 127);
      if (table.value()[static_cast<std::size_t>(code + 128)] != wanted) {
        return false;
      }
    }
  }
  return true;
}

template <class F>
constexpr bool right16(numerics arithmetic, int in_zero_point) {
  for (const tie_rule ties : {tie_rule::to_even, tie_rule::away_from_zero}) {
    // Every code is 128 of the int16 grid's: neighbours differ by a quarter.
    const auto table = dytq::make_lut16(F{}, {.scale = 0x1p-9, .zero_point = opaque(128 * in_zero_point)},
                                        {.scale = 1.0}, {.arithmetic = arithmetic, .ties = ties});
    for (int i = 0; i <= 512; ++i) {
      if (table.value()[static_cast<std::size_t>(i)] != quarter(i - 256 - in_zero_point, ties)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

TEST_BOTH("exact int8: ties by signs alone and by estimates", {
  return right8<line_function>(numerics::exact, 0, 0) && right8<estimated_line>(numerics::exact, 0, 0) &&
         right8<estimated_line>(numerics::exact, 3, 5) && right8<estimated_line>(numerics::exact, -7, -100);
})

TEST_BOTH("exact int16, and a wide output whose entries stand for two codes", {
  const qparams in{.scale = 1.0 + 1.0 / 128}, out{.scale = opaque(1.0), .qmin = -40000, .qmax = 40000};
  const auto even = dytq::make_lut16(estimated_line{}, in, out).value(),
             away = dytq::make_lut16(estimated_line{}, in, out, {.ties = tie_rule::away_from_zero}).value();
  // At the codes +-128 it is +-129, 64.5 entries.
  return right16<line_function>(numerics::exact, 0) && right16<estimated_line>(numerics::exact, 5) && even.shift == 6 &&
         away.shift == 6 && even[257] == 64 && even[255] == -64 && away[257] == 65 && away[255] == -65;
})

TEST_BOTH("float32: the last rounding", { return right8<estimated_line>(numerics::float32, -3, 20); })
TEST_CASE("float32: the same by signs alone, and int16") {
  CHECK(right8<line_function>(numerics::float32, 0, 0));
  CHECK(right16<estimated_line>(numerics::float32, 0));
}

// A half at the argument 0, where the table starts its walk.
TEST_BOTH("half of a code at zero", {
  const qparams in{.scale = 0.05, .zero_point = 3}, whole{.scale = opaque(1.0)}, two{.scale = opaque(2.0)};
  const auto at_zero = [&](const auto& table) { return int{table.value()[128 + 3]}; };
  const dytq::lut_options away{.ties = tie_rule::away_from_zero};
  return at_zero(dytq::make_lut8(dytq::functions::logistic, in, whole)) == 0 &&
         at_zero(dytq::make_lut8(dytq::functions::logistic, in, whole, away)) == 1 &&
         at_zero(dytq::make_lut8(dytq::functions::exp, in, two)) == 0 &&
         at_zero(dytq::make_lut8(dytq::functions::exp, in, two, away)) == 1;
})
