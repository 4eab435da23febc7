// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TFLite's int16 tables against its published procedure: on real numbers by MPFR, and in float32 by this processor.
// DYTQ_TFLITE_SCALES in the environment is the number of scales of each function.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>

#include <dytq/lut16.hpp>

#include "generator.hpp"
#include "reference.hpp"
#include "support/both_worlds.hpp"

using dytq::make_tflite_lut16;
using dytq::numerics;
using dytq::reason;
using dytq_tests::opaque;
using table = std::array<std::int16_t, 513>;

namespace {

const int scales = std::getenv("DYTQ_TFLITE_SCALES") != nullptr ? std::atoi(std::getenv("DYTQ_TFLITE_SCALES")) : 40;

std::int16_t limited(long v) { return static_cast<std::int16_t>(v < -32768 ? -32768 : v > 32767 ? 32767 : v); }

/// The procedure on numbers of 300 bits: f(v, x) for x between two ends.
class procedure {
 public:
  using function = std::function<void(mpfr_ptr, mpfr_srcptr)>;

  /// lo and hi are the ends of the input; v is f * by.
  procedure(function f, mpfr_srcptr lo, mpfr_srcptr hi, mpfr_srcptr by) : f_(std::move(f)) {
    mpfr_set(lo_, lo, MPFR_RNDN);
    mpfr_set(hi_, hi, MPFR_RNDN);
    mpfr_set(by_, by, MPFR_RNDN);
  }
  table populate() {
    table made{};
    for (unsigned long i = 0; i < 512; ++i) {
      point(2 * i, left_);
      point(2 * i + 1, middle_);
      point(2 * i + 2, right_);
      mpfr_round(sample_, left_);
      mpfr_add(right_, right_, sample_, MPFR_RNDN);
      mpfr_div_2ui(right_, right_, 1, MPFR_RNDN);
      mpfr_round(right_, right_);
      mpfr_round(middle_, middle_);
      mpfr_sub(right_, right_, middle_, MPFR_RNDN);
      mpfr_div_2ui(right_, right_, 1, MPFR_RNDN);
      mpfr_round(right_, right_);  // halves away from zero
      mpfr_sub(sample_, sample_, right_, MPFR_RNDN);
      made[i] = limited(mpfr_get_si(sample_, MPFR_RNDN));
    }
    point(1024, left_);
    mpfr_round(left_, left_);
    made[512] = limited(mpfr_get_si(left_, MPFR_RNDN));
    return made;
  }

 private:
  void point(unsigned long j, mpfr_ptr v) {
    mpfr_sub(x_, hi_, lo_, MPFR_RNDN);
    mpfr_mul_ui(x_, x_, j, MPFR_RNDN);
    mpfr_div_2ui(x_, x_, 10, MPFR_RNDN);
    mpfr_add(x_, x_, lo_, MPFR_RNDN);
    f_(v, x_);
    mpfr_mul(v, v, by_, MPFR_RNDN);
  }

  function f_;
  reference::number lo_, hi_, by_, x_, left_, middle_, right_, sample_;
};

table by_mpfr(const procedure::function& f, double in_scale, long zero_point, double out_scale) {
  reference::number lo, hi, by;
  mpfr_set_d(lo, in_scale, MPFR_RNDN);
  mpfr_mul_si(hi, lo, 32767 - zero_point, MPFR_RNDN);
  mpfr_mul_si(lo, lo, -32768 - zero_point, MPFR_RNDN);
  mpfr_set_d(by, out_scale, MPFR_RNDN);
  mpfr_mul_ui(by, by, 65535, MPFR_RNDN);
  mpfr_ui_div(by, 65536, by, MPFR_RNDN);
  return procedure(f, lo, hi, by).populate();
}

/// The procedure in float, each step by the processor; volatile, so that nothing is fused or kept in longer registers.
template <class F>
table by_float(F f, float in_scale, int zero_point, float out_scale) {
  const auto once = [](float v) {
    volatile float kept = v;
    return kept;
  };
  const float in_min = once(in_scale * static_cast<float>(-32768 - zero_point)),
              in_max = once(in_scale * static_cast<float>(32767 - zero_point)), out_min = once(out_scale * -32768.0f),
              out_max = once(out_scale * 32767.0f), step = once(once(in_max - in_min) / 512.0f),
              half = once(step / 2.0f), by = once(65536.0f / once(out_max - out_min));
  const auto rounded = [&](float v) { return once(std::round(v)); };
  const auto entry = [](float v) {
    return static_cast<std::int16_t>(v < -32768.0f ? -32768.0f : v > 32767.0f ? 32767.0f : v);
  };
  table made{};
  for (int i = 0; i < 512; ++i) {
    const float x = once(in_min + once(static_cast<float>(i) * step)),
                next = once(in_min + once(static_cast<float>(i + 1) * step));
    const float sample = rounded(once(once(f(x)) * by)),
                line = rounded(once(once(once(once(f(next)) * by) + sample) / 2.0f)),
                middle = rounded(once(once(f(once(x + half))) * by));
    made[static_cast<std::size_t>(i)] = entry(once(sample - rounded(once(once(line - middle) / 2.0f))));
  }
  made[512] = entry(rounded(once(once(f(in_max)) * by)));
  return made;
}

/// What LUTLookup answers.
int plain_lookup(const table& of, int code) {
  const int i = (code + 32768) / 128, base = of[static_cast<std::size_t>(i)];
  const auto slope = static_cast<std::int16_t>(of[static_cast<std::size_t>(i + 1)] - base);
  const int product = slope * ((code + 32768) % 128) + 64;
  return static_cast<std::int16_t>(base + (product >= 0 ? product / 128 : -((127 - product) / 128)));
}

bool every_lookup_is_right(const dytq::tflite_table16& ours, const table& theirs) {
  for (int code = -32768; code < 32768; ++code) {
    if (dytq::interpolate_code(ours, static_cast<std::int16_t>(code)) != plain_lookup(theirs, code)) {
      return false;
    }
  }
  return true;
}

int differing(const table& a, const table& b) {
  int n = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    n += a[i] != b[i] ? 1 : 0;
  }
  return n;
}

struct counts {
  long tables = 0, entries = 0, exact_to_float = 0, float_to_libm = 0;
};

/// `scales` tables of f: exact ones are MPFR's, entry by entry and lookup by lookup; float32 ones are counted against
/// those of the C library's function.
template <class F, class Float>
counts check(F f, const char* name, Float libm, std::uint64_t seed) {
  std::mt19937_64 g(seed);
  constexpr reference::kind kind = reference::kind_of(F{});
  counts all;
  while (all.tables < scales) {
    // Whole codes, and scales as a converter finds them; the function may leave the range, but not 26 bits.
    const auto in = static_cast<float>(all.tables % 4 == 0 ? generator::power_of_two(g, -16, -10)
                                                           : std::exp(-7.0 - 4.0 * generator::uniform(g)));
    const auto out =
        static_cast<float>(all.tables % 3 == 0 ? 1.0 / 32768 : std::exp(-10.0 * generator::uniform(g)) / 1000);
    const int zero_point = all.tables % 2 == 0 ? 0 : static_cast<int>(generator::between(g, -32768, 32767));
    const auto ours = make_tflite_lut16(f, double{in}, zero_point, double{out});
    if (!ours) {
      REQUIRE(ours.error().why == reason::value_exceeds_int32);
      continue;
    }
    const table real = by_mpfr([](mpfr_ptr v, mpfr_srcptr x) { reference::evaluate(kind, v, x); }, double{in},
                               zero_point, double{out});
    INFO(name << " in " << in << " zero point " << zero_point << " out " << out);
    REQUIRE(ours->entries == real);
    REQUIRE(every_lookup_is_right(*ours, real));
    const auto ours32 = make_tflite_lut16(f, double{in}, zero_point, double{out}, numerics::float32).value();
    const table libms = by_float(libm, in, zero_point, out);
    ++all.tables;
    all.entries += 513;
    all.exact_to_float += differing(ours->entries, ours32.entries);
    all.float_to_libm += differing(ours32.entries, libms);
  }
  std::printf("%s: %ld tables, %ld entries; exact and float32 differ in %ld, float32 and this libm in %ld\n", name,
              all.tables, all.entries, all.exact_to_float, all.float_to_libm);
  return all;
}

/// numerator / denominator * x, exact.
template <int Numerator, int Denominator>
struct slanted {
  template <std::size_t N>
  static constexpr dytq::certified_sign sign(const dytq::real<N>& x, const dytq::real<N>& y) {
    return compare(x * dytq::real<N>(Numerator), y * dytq::real<N>(Denominator));
  }
};

/// n / d, halves away from zero.
constexpr std::int64_t divide_away(std::int64_t n, std::int64_t d) {
  const std::int64_t q = (2 * (n < 0 ? -n : n) + d) / (2 * d);
  return n < 0 ? -q : q;
}

/// The procedure on a line through zero whose values are n(j) / 64: half of all roundings are ties. The input's zero
/// point -32768 makes point j the code 65535 j / 1024, and v = 65536 / 1024 * slope * j.
constexpr bool line_is_right(bool falling) {
  const auto made = falling ? make_tflite_lut16(slanted<-3, 256>{}, 1.0, opaque(-32768), 1.0)
                            : make_tflite_lut16(slanted<3, 256>{}, 1.0, opaque(-32768), 1.0);
  const auto quarters = [&](std::int64_t j) { return (falling ? -3 : 3) * j; };  // v = 3 j / 4
  for (std::int64_t i = 0; i <= 512; ++i) {
    const std::int64_t sample = divide_away(quarters(2 * i), 4);
    const std::int64_t on_line = divide_away(quarters(2 * i + 2) + 4 * sample, 8);
    const std::int64_t off = on_line - divide_away(quarters(2 * i + 1), 4);
    const std::int64_t wanted = i == 512 ? sample : sample - divide_away(off, 2);
    if (made.value().entries[static_cast<std::size_t>(i)] != wanted) {
      return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("int16 tables are what the published procedure gives on real numbers; float32 and libm are counted") {
  const counts tanh = check(
      dytq::functions::tanh, "tanh", [](float x) { return std::tanh(x); }, 1);
  const counts exp = check(
      dytq::functions::exp, "exp", [](float x) { return std::exp(x); }, 2);
  const counts erf = check(
      dytq::functions::erf, "erf", [](float x) { return std::erf(x); }, 3);
  const counts logistic = check(
      dytq::functions::logistic, "logistic", [](float x) { return 1.0f / (1.0f + std::exp(0.0f - x)); }, 4);
  const counts arctan = check(
      dytq::functions::arctan, "arctan", [](float x) { return std::atan(x); }, 5);
  for (const counts& c : {tanh, exp, erf, logistic, arctan}) {
    // A correctly rounded function and this libm's are a unit in the last place apart at most, which moves few entries.
    CHECK(c.float_to_libm * 200 < c.entries);
    CHECK(c.exact_to_float * 4 < c.entries);
  }
}

TEST_CASE("softmax's tables: e^x over [-10, 0] and 1 / (1 + x) over [0, 1]") {
  reference::number lo, hi, by;
  mpfr_set_si(lo, -10, MPFR_RNDN);
  mpfr_set_si(hi, 0, MPFR_RNDN);
  mpfr_set_si(by, 32768, MPFR_RNDN);
  const auto exp = dytq::make_tflite_softmax_exp(dytq_tests::opaque(numerics::exact)).value();
  const table real_exp = procedure([](mpfr_ptr v, mpfr_srcptr x) { mpfr_exp(v, x, MPFR_RNDN); }, lo, hi, by).populate();
  CHECK(exp.entries == real_exp);
  CHECK(every_lookup_is_right(exp, real_exp));
  mpfr_set_si(lo, 0, MPFR_RNDN);
  mpfr_set_si(hi, 1, MPFR_RNDN);
  const auto reciprocal = dytq::make_tflite_softmax_reciprocal(dytq_tests::opaque(numerics::exact)).value();
  const auto one_over_one_plus = [](mpfr_ptr v, mpfr_srcptr x) {
    mpfr_add_ui(v, x, 1, MPFR_RNDN);
    mpfr_ui_div(v, 1, v, MPFR_RNDN);
  };
  const table real_reciprocal = procedure(one_over_one_plus, lo, hi, by).populate();
  CHECK(reciprocal.entries == real_reciprocal);
  CHECK(every_lookup_is_right(reciprocal, real_reciprocal));

  const auto exp32 = dytq::make_tflite_softmax_exp(dytq_tests::opaque(numerics::float32)).value();
  const auto reciprocal32 = dytq::make_tflite_softmax_reciprocal(dytq_tests::opaque(numerics::float32)).value();
  const float unit = 1.0f / 65535.0f, ten = 10.0f / 65535.0f, two = 2.0f / 65535.0f;
  const int libm = differing(exp32.entries, by_float([](float x) { return std::exp(x); }, ten, 32767, two));
  std::printf(
      "softmax: exp %d and 1 / (1 + x) %d of 513 entries in float32 are not the exact ones; exp of this libm %d\n",
      differing(exp.entries, exp32.entries), differing(reciprocal.entries, reciprocal32.entries), libm);
  CHECK(libm <= 2);
  // Division needs no library: the same to the bit.
  CHECK(reciprocal32.entries == by_float([](float x) { return 1.0f / (1.0f + x); }, unit, -32768, two));
}

TEST_CASE("ties in every rounding of the procedure, on both sides of zero") {
  CHECK(line_is_right(false));
  CHECK(line_is_right(true));
}

TEST_BOTH("the half steps of a number say how it is rounded", {
  using dytq::detail::half_away;
  using dytq::detail::half_steps;
  const half_steps half{opaque(1), true}, more{1, false}, less{0, false}, minus_half{-1, true}, minus_less{-1, false},
      minus_more{-2, false};
  return half.round_away() == 1 && more.round_away() == 1 && less.round_away() == 0 && minus_half.round_away() == -1 &&
         minus_less.round_away() == 0 && minus_more.round_away() == -1 && half_away(3) == 2 && half_away(-3) == -2 &&
         half_away(-4) == -2 && half.halved_with(0).round_away() == 0 &&
         half_steps{2, true}.halved_with(0).round_away() == 1 &&
         half_steps{-2, true}.halved_with(0).round_away() == -1 &&
         half_steps{-2, false}.halved_with(0).round_away() == 0 &&
         half_steps{-2, false}.halved_with(2).round_away() == 1;
})

TEST_CASE("what is refused") {
  namespace functions = dytq::functions;
  const auto why = [](const auto& r) { return r.error().why; };
  CHECK(why(make_tflite_lut16(functions::tanh, 0.0, 0, 1.0)) == reason::scale_not_positive);
  // Next to a pole, where no estimate says how large the value is.
  CHECK(why(make_tflite_lut16(functions::tan, 0x1.989fd3f3af7bep+4, 13336, 0x1.4efbbcebcab6dp-29)) ==
        reason::value_exceeds_int32);
  static_assert(make_tflite_lut16(functions::tan, 0x1.989fd3f3af7bep+4, 13336, 0x1.4efbbcebcab6dp-29).error().why ==
                reason::value_exceeds_int32);
  CHECK(why(make_tflite_lut16(functions::tanh, 1.0, 0, HUGE_VAL)) == reason::scale_not_finite);
  CHECK(make_tflite_lut16(functions::tanh, 1.0, 0, -1.0).error().at == dytq::place::function_out);
  CHECK(why(make_tflite_lut16(functions::tanh, 1.0, 32768, 1.0)) == reason::zero_point_out_of_range);
  CHECK(make_tflite_lut16(functions::tanh, 1.0, -32769, 1.0).error().expected == -32768);
  CHECK(why(make_tflite_lut16(functions::exp, 1.0, 0, 1.0)) == reason::value_exceeds_int32);
  CHECK(why(make_tflite_lut16(slanted<1, 1>{}, 0x1p11, 0, 1.0)) == reason::value_exceeds_int32);
  CHECK(make_tflite_lut16(functions::exp, 1.0, 0, 1.0).error().code > 0);
  CHECK(why(make_tflite_lut16(functions::tanh, 0x1p-200, 0, 1.0, numerics::float32)) == reason::scale_not_float32);
  CHECK(make_tflite_lut16(functions::tanh, 1.0, 0, 0x1p-200, numerics::float32).error().at ==
        dytq::place::function_out);
  CHECK(make_tflite_lut16(functions::tanh, 0x1p-1000, 0, 0x1p-1000).has_value());
  CHECK(make_tflite_lut16(functions::tanh, 0x1p1000, 5, 0x1p-15).has_value());
}

TEST_CASE("within the default limits of a constant expression") {
  static constexpr auto tanh = make_tflite_lut16(dytq::functions::tanh, 4.0 / 32768, 0, 1.0 / 32768).value();
  CHECK(tanh == make_tflite_lut16(dytq::functions::tanh, opaque(4.0 / 32768), 0, 1.0 / 32768).value());
}
