// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every entry of many tables against MPFR. DYTQ_LUT_MONOTONE and DYTQ_LUT_OTHERS in the environment are the
// numbers of tables.
#include <cstdio>
#include <cstdlib>
#include <random>

#include <dytq/lut16.hpp>

#include "generator.hpp"
#include "reference.hpp"
#include "support/catch.hpp"

namespace {

int number(const char* name, int by_default) {
  const char* const asked = std::getenv(name);
  return asked == nullptr ? by_default : std::atoi(asked);
}
const int monotone = number("DYTQ_LUT_MONOTONE", 100), others = number("DYTQ_LUT_OTHERS", 40),
          erfinvs = number("DYTQ_LUT_MONOTONE", 20);  // the reference solves erf y = x for each entry

/// The function of a draw: with its parameter, if it has one.
template <class F>
F with_parameter(F f, double) {
  return f;
}
dytq::functions::elu_function with_parameter(dytq::functions::elu_function, double alpha) { return {alpha}; }
dytq::functions::leaky_relu_function with_parameter(dytq::functions::leaky_relu_function, double slope) {
  return {slope};
}

/// The most codes in a row at which f is defined.
dytq::code_range defined_codes(reference::table& t, dytq::code_range of) {
  dytq::code_range best{0, -1}, now{of.lo, of.lo - 1};
  for (std::int64_t code = of.lo; code <= of.hi; ++code) {
    if (!t.defined(code)) {
      now = {code + 1, code};
    } else {
      now.hi = code;
      best = now.hi - now.lo > best.hi - best.lo ? now : best;
    }
  }
  return best;
}

template <class F>
void check(F function, const char* name, int tables, std::uint64_t seed) {
  std::mt19937_64 g(seed);
  const reference::kind kind = reference::kind_of(function);
  const bool everywhere = !dytq::detail::bounded_domain<F>;
  long wrong = 0, undecided = 0, closest = 0, hard = 0, made = 0;
  for (int t = 0; t < tables; ++t) {
    const int bits = t % 16 == 15 ? 16 : 8;
    reference::parameters p = generator::draw(g, kind, bits);
    p.ties_away = t % 5 == 3;
    const F f = with_parameter(function, p.parameter);
    dytq::qparams in{.scale = p.scale_in, .zero_point = static_cast<std::int32_t>(p.zero_point_in)};
    const dytq::qparams out{.scale = p.scale_out, .zero_point = static_cast<std::int32_t>(p.zero_point_out)};
    const dytq::lut_options how{.alpha = p.alpha,
                                .shift = p.shift,
                                .ties = p.ties_away ? dytq::tie_rule::away_from_zero : dytq::tie_rule::to_even};
    reference::table expected(kind, p);
    const dytq::code_range type = bits == 8 ? dytq::int8_range : dytq::int16_range;
    dytq::code_range read = type;
    if (!everywhere) {
      read = defined_codes(expected, type);
      if (read.lo != type.lo || read.hi != type.hi) {
        // What is not defined is refused; the rest of the codes have a table.
        if (bits == 8 && dytq::make_lut8(f, in, out, how).error().why != dytq::reason::outside_domain) {
          UNSCOPED_INFO(name << " is not refused outside its domain");
          ++wrong;
        }
        if (read.empty()) {
          continue;
        }
        in.qmin = static_cast<std::int32_t>(read.lo);
        in.qmax = static_cast<std::int32_t>(read.hi);
      }
      if (bits == 16 && read.hi == type.hi && !expected.defined(32768)) {
        continue;  // the right end of the last interval
      }
    }
    ++made;
    const auto compare = [&](std::int64_t code, std::int64_t got, dytq::code_range range) {
      const std::int64_t want = expected.entry(code, range);
      if (want != got && wrong++ < 5) {
        UNSCOPED_INFO(name << ' ' << bits << " bits, code " << code << ": " << got << " instead of " << want
                           << "; alpha " << std::hexfloat << p.alpha << " shift " << p.shift << " in " << p.scale_in
                           << std::dec << " zp " << p.zero_point_in << " out " << std::hexfloat << p.scale_out
                           << std::dec << " zp " << p.zero_point_out << " parameter " << p.parameter);
      }
    };
    const auto refused = [&](const dytq::rejection& why) {
      if (undecided++ < 5) {
        UNSCOPED_INFO(name << ' ' << dytq::name(why.why) << " at code " << why.code << "; alpha " << std::hexfloat
                           << p.alpha << " shift " << p.shift << " in " << p.scale_in << " out " << p.scale_out);
      }
    };
    if (bits == 8) {
      const auto table = dytq::make_lut8(f, in, out, how);
      if (!table) {
        refused(table.error());
        continue;
      }
      for (int code = -128; code < 128; ++code) {
        compare(read.clamp(code), (*table)[static_cast<std::size_t>(code + 128)], dytq::int8_range);
      }
    } else {
      const auto table = dytq::make_lut16(f, in, out, how);
      if (!table) {
        refused(table.error());
        continue;
      }
      for (int i = 0; i < 513; ++i) {
        const std::int64_t code = 128 * i - 32768;
        compare(code == 32768 && read.hi == 32767 ? code : read.clamp(code), table->table[static_cast<std::size_t>(i)],
                dytq::int16_range);
      }
    }
    closest = expected.closest() < closest ? expected.closest() : closest;
    hard += expected.hard();
  }
  std::printf("%-11s %6ld tables: %ld wrong, %ld undecided; closest boundary 2^%ld%s\n", name, made, wrong, undecided,
              closest, hard != 0 ? " or closer" : "");
  std::fflush(stdout);
  CHECK(wrong == 0);
  CHECK(undecided == 0);
}

}  // namespace

TEST_CASE("tanh agrees with MPFR") { check(dytq::functions::tanh, "tanh", monotone, 1); }
TEST_CASE("logistic agrees with MPFR") { check(dytq::functions::logistic, "logistic", monotone, 2); }
TEST_CASE("exp agrees with MPFR") { check(dytq::functions::exp, "exp", monotone, 3); }
TEST_CASE("erf agrees with MPFR") { check(dytq::functions::erf, "erf", monotone, 4); }
TEST_CASE("isru agrees with MPFR") { check(dytq::functions::isru, "isru", monotone, 5); }
TEST_CASE("arctan agrees with MPFR") { check(dytq::functions::arctan, "arctan", monotone, 6); }
TEST_CASE("log agrees with MPFR") { check(dytq::functions::log, "log", monotone, 7); }
TEST_CASE("log1p agrees with MPFR") { check(dytq::functions::log1p, "log1p", monotone, 8); }
TEST_CASE("log2 agrees with MPFR") { check(dytq::functions::log2, "log2", monotone, 9); }
TEST_CASE("log10 agrees with MPFR") { check(dytq::functions::log10, "log10", monotone, 10); }
TEST_CASE("sqrt agrees with MPFR") { check(dytq::functions::sqrt, "sqrt", monotone, 11); }
TEST_CASE("rsqrt agrees with MPFR") { check(dytq::functions::rsqrt, "rsqrt", monotone, 12); }
TEST_CASE("expm1 agrees with MPFR") { check(dytq::functions::expm1, "expm1", monotone, 13); }
TEST_CASE("exp2 agrees with MPFR") { check(dytq::functions::exp2, "exp2", monotone, 14); }
TEST_CASE("sinh agrees with MPFR") { check(dytq::functions::sinh, "sinh", monotone, 15); }
TEST_CASE("asin agrees with MPFR") { check(dytq::functions::asin, "asin", monotone, 16); }
TEST_CASE("acos agrees with MPFR") { check(dytq::functions::acos, "acos", monotone, 17); }
TEST_CASE("atanh agrees with MPFR") { check(dytq::functions::atanh, "atanh", monotone, 18); }
TEST_CASE("asinh agrees with MPFR") { check(dytq::functions::asinh, "asinh", monotone, 19); }
TEST_CASE("acosh agrees with MPFR") { check(dytq::functions::acosh, "acosh", monotone, 20); }
TEST_CASE("erfinv agrees with MPFR") { check(dytq::functions::erfinv, "erfinv", erfinvs, 21); }
TEST_CASE("softplus agrees with MPFR") { check(dytq::functions::softplus, "softplus", monotone, 22); }
TEST_CASE("hardsigmoid agrees with MPFR") { check(dytq::functions::hardsigmoid, "hardsigmoid", monotone, 23); }
TEST_CASE("relu agrees with MPFR") { check(dytq::functions::relu, "relu", monotone, 24); }
TEST_CASE("ceil agrees with MPFR") { check(dytq::functions::ceil, "ceil", monotone, 25); }
TEST_CASE("floor agrees with MPFR") { check(dytq::functions::floor, "floor", monotone, 26); }
TEST_CASE("round agrees with MPFR") { check(dytq::functions::round, "round", monotone, 27); }
TEST_CASE("gelu agrees with MPFR") { check(dytq::functions::gelu, "gelu", others, 101); }
TEST_CASE("silu agrees with MPFR") { check(dytq::functions::silu, "silu", others, 102); }
TEST_CASE("sin agrees with MPFR") { check(dytq::functions::sin, "sin", others, 103); }
TEST_CASE("cos agrees with MPFR") { check(dytq::functions::cos, "cos", others, 104); }
TEST_CASE("tan agrees with MPFR") { check(dytq::functions::tan, "tan", others, 105); }
TEST_CASE("cosh agrees with MPFR") { check(dytq::functions::cosh, "cosh", others, 106); }
TEST_CASE("reciprocal agrees with MPFR") { check(dytq::functions::reciprocal, "reciprocal", others, 107); }
TEST_CASE("mish agrees with MPFR") { check(dytq::functions::mish, "mish", others, 108); }
TEST_CASE("gelu_tanh agrees with MPFR") { check(dytq::functions::gelu_tanh, "gelu_tanh", others, 109); }
TEST_CASE("hardswish agrees with MPFR") { check(dytq::functions::hardswish, "hardswish", others, 110); }
TEST_CASE("elu agrees with MPFR") { check(dytq::functions::elu, "elu", others, 111); }
TEST_CASE("leaky_relu agrees with MPFR") { check(dytq::functions::leaky_relu, "leaky_relu", others, 112); }
