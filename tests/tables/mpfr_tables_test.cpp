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
const int monotone = number("DYTQ_LUT_MONOTONE", 100), others = number("DYTQ_LUT_OTHERS", 40);

template <class F>
void check(F f, const char* name, int tables, std::uint64_t seed) {
  std::mt19937_64 g(seed);
  const reference::kind kind = reference::kind_of(f);
  long wrong = 0, undecided = 0, closest = 0, hard = 0;
  for (int t = 0; t < tables; ++t) {
    const int bits = t % 16 == 15 ? 16 : 8;
    const reference::parameters p = generator::draw(g, kind, bits);
    const dytq::qparams in{.scale = p.scale_in, .zero_point = static_cast<std::int32_t>(p.zero_point_in)},
        out{.scale = p.scale_out, .zero_point = static_cast<std::int32_t>(p.zero_point_out)};
    const dytq::lut_options how{.alpha = p.alpha, .shift = p.shift};
    reference::table expected(kind, p);
    const auto compare = [&](std::int64_t code, std::int64_t got, dytq::code_range range) {
      const std::int64_t want = expected.entry(code, range);
      if (want != got && wrong++ < 5) {
        UNSCOPED_INFO(name << ' ' << bits << " bits, code " << code << ": " << got << " instead of " << want
                           << "; alpha " << std::hexfloat << p.alpha << " shift " << p.shift << " in " << p.scale_in
                           << std::dec << " zp " << p.zero_point_in << " out " << std::hexfloat << p.scale_out
                           << std::dec << " zp " << p.zero_point_out);
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
        compare(code, (*table)[static_cast<std::size_t>(code + 128)], dytq::int8_range);
      }
    } else {
      const auto table = dytq::make_lut16(f, in, out, how);
      if (!table) {
        refused(table.error());
        continue;
      }
      for (int i = 0; i < 513; ++i) {
        compare(128 * i - 32768, table->table[static_cast<std::size_t>(i)], dytq::int16_range);
      }
    }
    closest = expected.closest() < closest ? expected.closest() : closest;
    hard += expected.hard();
  }
  std::printf("%-9s %6d tables: %ld wrong, %ld undecided; closest boundary 2^%ld%s\n", name, tables, wrong, undecided,
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
TEST_CASE("gelu agrees with MPFR") { check(dytq::functions::gelu, "gelu", others, 7); }
TEST_CASE("silu agrees with MPFR") { check(dytq::functions::silu, "silu", others, 8); }
