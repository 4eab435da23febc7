// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// float32 on integers against the processor's, functions of it against MPFR at 24 bits, and tables step by step.
#include <bit>
#include <cmath>
#include <random>

#include <dytq/lut.hpp>

#include "generator.hpp"
#include "reference.hpp"
#include "support/catch.hpp"

namespace {

using dytq::detail::float32;

float value(float32 v) { return std::bit_cast<float>(v.bits); }
float32 make(float v) { return {std::bit_cast<std::uint32_t>(v)}; }
bool same(float32 got, float want) {
  return std::isnan(want) ? got.is_nan() : got.bits == std::bit_cast<std::uint32_t>(want);
}

/// Bits near the places where rounding goes wrong: subnormals, powers of two, all ones, neighbours, special values.
std::uint32_t draw(std::mt19937_64& g) {
  auto b = static_cast<std::uint32_t>(g());
  switch (g() % 8) {
    case 0: b &= 0x807fffffu; break;
    case 1: b = (b & 0xff800003u) | (g() % 2 == 0 ? 0x7ffffcu : 0); break;
    case 2: b = (b & 0x80ffffffu) | 0x3f000000u; break;
    case 3: b &= 0xff800000u; break;
    default: break;
  }
  return b;
}

/// MPFR's value as the nearest float32, subnormals included.
template <class F>
float rounded(F f, float x) {
  const reference::kind kind = reference::kind_of(f);
  mpfr_set_emin(-148);
  mpfr_set_emax(128);
  reference::number r(24), v(24);
  mpfr_set_flt(v, x, MPFR_RNDN);
  const int ternary = reference::evaluate(kind, r, v);
  mpfr_subnormalize(r, ternary, MPFR_RNDN);
  const float result = mpfr_get_flt(r, MPFR_RNDN);
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
  return result;
}

template <class F>
void check_rounding(F f, std::uint64_t seed) {
  std::mt19937_64 g(seed);
  int wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    // Every exponent, and half of the time those at which something happens.
    const float x = i % 2 == 0 ? std::bit_cast<float>(draw(g)) : static_cast<float>((generator::uniform(g) - 0.5) * 40);
    if (!std::isfinite(x) || x == 0 || std::fabs(x) < 0x1p-130f) {
      continue;
    }
    const auto got = dytq::detail::correctly_rounded<F>(make(x));
    const float want = rounded(f, x);
    // Where there is no value there is a reason.
    const bool good = std::isnan(want) ? got.error().why == dytq::reason::outside_domain : got && same(*got, want);
    if (!good && wrong++ < 5) {
      UNSCOPED_INFO(std::hexfloat << x << ": " << (got ? value(*got) : NAN) << " instead of " << want);
    }
  }
  CHECK(wrong == 0);
}

/// A table by the processor's floats and MPFR's function.
template <class F>
void check_tables(F f, std::uint64_t seed) {
  std::mt19937_64 g(seed);
  namespace functions = dytq::functions;
  int wrong = 0;
  for (int t = 0; t < 60; ++t) {
    const double in = generator::usual_scale(g), out = generator::usual_scale(g);
    const int zero_in = static_cast<int>(generator::between(g, -128, 127)),
              zero_out = static_cast<int>(generator::between(g, -128, 127));
    const double alpha = t % 3 == 0 ? generator::uniform(g) * 3 - 1 : 1.0,
                 shift = t % 5 == 0 ? generator::uniform(g) : 0.0;
    const auto table = dytq::make_lut8(f, {.scale = in, .zero_point = zero_in}, {.scale = out, .zero_point = zero_out},
                                       {.alpha = alpha, .shift = shift, .arithmetic = dytq::numerics::float32});
    REQUIRE(table);
    for (int code = -128; code < 128; ++code) {
      volatile float x = static_cast<float>(code - zero_in) * static_cast<float>(in);
      x = x * static_cast<float>(alpha);
      x = x + static_cast<float>(shift);
      volatile float y = 0;
      if constexpr (std::is_same_v<F, dytq::detail::logistic_function> ||
                    std::is_same_v<F, dytq::detail::silu_function>) {
        volatile float e = rounded(functions::exp, 0.0f - x);
        e = 1.0f + e;
        y = std::is_same_v<F, dytq::detail::silu_function> ? x / e : 1.0f / e;
      } else if constexpr (std::is_same_v<F, dytq::detail::gelu_function>) {
        volatile float e = x * 0.70710678118654752440f, h = x * 0.5f;
        e = rounded(functions::erf, e);
        e = 1.0f + e;
        y = h * e;
      } else if constexpr (std::is_same_v<F, dytq::detail::isru_function>) {
        volatile float d = x * x;
        d = 1.0f + d;
        d = std::sqrt(d);
        y = x / d;
      } else {
        y = x == 0 && !std::is_same_v<F, dytq::detail::exp_function> ? x : rounded(f, x);
      }
      volatile float v = y * static_cast<float>(1.0 / out);
      const float n = std::nearbyint(v) + static_cast<float>(zero_out);
      const int want = n < -128 ? -128 : n > 127 ? 127 : static_cast<int>(n);
      const int got = (*table)[static_cast<std::size_t>(code + 128)];
      if (got != want && wrong++ < 5) {
        UNSCOPED_INFO("code " << code << ": " << got << " instead of " << want << " in " << std::hexfloat << in
                              << " out " << out << " alpha " << alpha << " shift " << shift);
      }
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("float32 operations are the processor's") {
  std::mt19937_64 g(1);
  int wrong = 0;
  for (int i = 0; i < 2000000; ++i) {
    const std::uint32_t a = draw(g);
    const std::uint32_t b =
        i % 4 == 0 ? a ^ (g() % 2 == 0 ? 0x80000000u : 0u) ^ static_cast<std::uint32_t>(g() % 16) : draw(g);
    const auto x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
    const double d = i % 2 == 0 ? std::bit_cast<double>(g())
                                : std::ldexp(static_cast<double>(static_cast<std::int64_t>(g())),
                                             static_cast<int>(generator::between(g, -220, 70)));
    const auto integer = static_cast<std::int64_t>(g() >> (g() % 64));
    bool good = same(float32{a} * float32{b}, x * y) && same(float32{a} + float32{b}, x + y) &&
                same(float32{a} / float32{b}, x / y) && same(dytq::detail::square_root(float32{a}), std::sqrt(x)) &&
                same(float32::from_double(d), static_cast<float>(d)) &&
                same(float32::from_integer(integer), static_cast<float>(integer));
    const double positive = std::fabs(d);
    if (std::isfinite(positive) && positive > 0) {
      good = good && same(dytq::detail::reciprocal_float32(positive), static_cast<float>(1.0 / positive));
    }
    wrong += good ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("float32 functions are correctly rounded") {
  check_rounding(dytq::functions::tanh, 11);
  check_rounding(dytq::functions::exp, 12);
  check_rounding(dytq::functions::erf, 13);
  check_rounding(dytq::functions::arctan, 14);
  check_rounding(dytq::functions::log, 31);
  check_rounding(dytq::functions::log1p, 32);
  check_rounding(dytq::functions::log2, 33);
  check_rounding(dytq::functions::log10, 34);
  check_rounding(dytq::functions::sqrt, 35);
  check_rounding(dytq::functions::rsqrt, 36);
  check_rounding(dytq::functions::reciprocal, 37);
  check_rounding(dytq::functions::expm1, 38);
  check_rounding(dytq::functions::exp2, 39);
  check_rounding(dytq::functions::sin, 40);
  check_rounding(dytq::functions::cos, 41);
  check_rounding(dytq::functions::tan, 42);
  check_rounding(dytq::functions::sinh, 43);
  check_rounding(dytq::functions::cosh, 44);
  check_rounding(dytq::functions::asin, 45);
  check_rounding(dytq::functions::acos, 46);
  check_rounding(dytq::functions::atanh, 47);
  check_rounding(dytq::functions::asinh, 48);
  check_rounding(dytq::functions::acosh, 49);
  check_rounding(dytq::functions::floor, 50);
  check_rounding(dytq::functions::ceil, 51);
  check_rounding(dytq::functions::round, 52);
}

TEST_CASE("float32 tables are what the steps give") {
  check_tables(dytq::functions::tanh, 21);
  check_tables(dytq::functions::exp, 22);
  check_tables(dytq::functions::erf, 23);
  check_tables(dytq::functions::arctan, 24);
  check_tables(dytq::functions::logistic, 25);
  check_tables(dytq::functions::silu, 26);
  check_tables(dytq::functions::gelu, 27);
  check_tables(dytq::functions::isru, 28);
}

TEST_CASE("float32 refuses what it cannot hold") {
  const auto why = [](double in, double out, double alpha = 1.0, double shift = 0.0) {
    return dytq::make_lut8(dytq::functions::tanh, {.scale = in}, {.scale = out},
                           {.alpha = alpha, .shift = shift, .arithmetic = dytq::numerics::float32})
        .error()
        .why;
  };
  using dytq::reason;
  CHECK(why(0x1p-149, 1.0) == reason::none);
  CHECK(why(0x1p-150, 1.0) == reason::scale_not_float32);  // a tie, to the even zero
  CHECK(why(1e39, 1.0) == reason::scale_not_float32);
  CHECK(why(1.0, 1e-39) == reason::scale_not_float32);
  CHECK(why(1.0, 0x1p-1074) == reason::scale_not_float32);
  CHECK(why(1.0, 1e300) == reason::scale_not_float32);
  CHECK(why(1.0, 1e44) == reason::none);
  CHECK(why(1.0, 1.0, 1e39) == reason::scale_not_float32);
  CHECK(why(1.0, 1.0, 1e-50) == reason::scale_not_float32);
  CHECK(why(1.0, 1.0, 0.0) == reason::none);
  CHECK(why(1.0, 1.0, 1.0, 1e39) == reason::scale_not_float32);
  // silu of minus infinity is not a number.
  CHECK(dytq::make_lut8(dytq::functions::silu, {.scale = 3e38}, {.scale = 1.0}, {.arithmetic = dytq::numerics::float32})
            .error()
            .why == reason::undecided);
}
