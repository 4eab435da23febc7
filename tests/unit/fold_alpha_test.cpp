// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/fold.hpp>

#include <array>
#include <cstdint>
#include <random>

#include "support/both_worlds.hpp"
#include "support/plain_model.hpp"

using dytq::alpha_site;
using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::table8;
using dytq_tests::halved;
using dytq_tests::identity_table;
using dytq_tests::opaque;
using dytq_tests::plain_rescale;

namespace {

// code -> code * alpha / 16, clamped.
constexpr alpha_site sixteenths(std::int32_t alpha) {
  return {.alpha = alpha,
          .steps = {.activation = halved(0), .alpha = halved(0), .mul_out = halved(4, 0, 0, dytq::int8_range)}};
}

constexpr rejection refusal(const alpha_site& site) {
  const auto table = identity_table();
  return dytq::fold_alpha_into_lut(site, table).error();
}

}  // namespace

TEST_BOTH("every code goes through the chain, then the table", {
  table8 squares{};
  for (int c = -128; c < 128; ++c) {
    squares[static_cast<std::size_t>(c + 128)] = static_cast<std::int8_t>(c * c / 130);
  }
  const auto folded = dytq::fold_alpha_into_lut(sixteenths(opaque(24)), squares).value();
  int changed = 0;
  for (int c = -128; c < 128; ++c) {
    const auto at = static_cast<std::size_t>(c + 128);
    std::int64_t input = dytq_tests::floor_quotient(c * 24 + 8, 16);
    input = input < -128 ? -128 : input > 127 ? 127 : input;
    if (folded.table[at] != squares[static_cast<std::size_t>(input + 128)]) {
      return false;
    }
    changed += folded.table[at] != squares[at] ? 1 : 0;
  }
  return folded.changed == changed && changed > 0 && !folded.wrapped;
})

TEST_BOTH("domain and function_in narrow both ends", {
  auto site = sixteenths(16);
  site.domain = {-5, 6};
  site.function_in = {-3, opaque<std::int64_t>(9)};
  const auto table = identity_table();
  const auto folded = dytq::fold_alpha_into_lut(site, table).value();
  return folded.table[0] == -3 && folded.table[123] == -3 && folded.table[126] == -2 && folded.table[134] == 6 &&
         folded.table[255] == 6 && folded.changed == 123 + 2 + 121;
})

TEST_BOTH("a domain of one code", {
  auto site = sixteenths(opaque(32));
  site.domain = {5, 5};
  const auto table = identity_table();
  const auto folded = dytq::fold_alpha_into_lut(site, table).value();
  bool alike = folded.changed == 255 && dytq::detail::alpha_map::make(site)->accepts(site.domain);
  for (const std::int8_t code : folded.table) {
    alike = alike && code == 10;
  }
  return alike;
})

TEST_BOTH("a product that wraps is computed as MUL does, and reported", {
  alpha_site site = sixteenths(opaque(2));
  site.steps.activation = {.multiplier = 1 << 30, .shift = 30, .output_zp = INT32_MAX - 200};
  site.steps.mul_out.shift = 60;
  const auto table = identity_table();
  const auto folded = dytq::fold_alpha_into_lut(site, table);
  return folded && folded->wrapped;
})

TEST_CASE("refusals, each at its step and first code") {
  DYTQ_CHECK_BOTH(refusal(sixteenths(opaque(128))) ==
                  rejection{.why = reason::code_out_of_range, .at = place::alpha, .expected = 127, .got = 128});
  DYTQ_CHECK_BOTH(refusal(sixteenths(opaque(INT32_MIN))).expected == -128);
  constexpr auto with = [](auto change) {
    alpha_site site = sixteenths(16);
    change(site);
    return refusal(site);
  };
  DYTQ_CHECK_BOTH(with([](alpha_site& s) {
                    s.domain = {3, opaque<std::int64_t>(2)};
                  }) == rejection{.why = reason::range_inverted, .at = place::domain, .expected = 3, .got = 2});
  DYTQ_CHECK_BOTH(with([](alpha_site& s) { s.domain = {INT64_MIN, INT64_MAX}; }).at == place::domain);
  DYTQ_CHECK_BOTH(with([](alpha_site& s) {
                    s.function_in = {3, opaque<std::int64_t>(2)};
                  }) == rejection{.why = reason::range_inverted, .at = place::function_in, .expected = 3, .got = 2});
  DYTQ_CHECK_BOTH(with([](alpha_site& s) {
                    s.function_in = {-128, opaque<std::int64_t>(128)};
                  }).at == place::function_in);
  DYTQ_CHECK_BOTH(with([](alpha_site& s) { s.steps.mul_out.out = dytq::int32_range; }) ==
                  rejection{.why = reason::range_inverted, .at = place::mul_out, .expected = -128, .got = INT32_MIN});
  DYTQ_CHECK_BOTH(with([](alpha_site& s) { s.steps.activation.shift = opaque(1); }).at == place::activation);
  DYTQ_CHECK_BOTH(with([](alpha_site& s) { s.steps.alpha.multiplier = opaque(-1); }).at == place::alpha);
  DYTQ_CHECK_BOTH(
      with([](alpha_site& s) { s.steps.alpha.shift = opaque(4); }) ==
      rejection{.why = reason::value_exceeds_shift, .at = place::alpha, .code = 16, .expected = 7, .got = 16});
  DYTQ_CHECK_BOTH(
      with([](alpha_site& s) { s.steps.activation.shift = opaque(7); }) ==
      rejection{
          .why = reason::value_exceeds_shift, .at = place::activation, .code = -128, .expected = -64, .got = -128});
  DYTQ_CHECK_BOTH(
      with([](alpha_site& s) {
        s.steps.mul_out.shift = opaque(7);
        s.domain = {-3, 5};
      }) == rejection{.why = reason::value_exceeds_shift, .at = place::mul_out, .code = 4, .expected = 63, .got = 64});
  constexpr std::array<std::int8_t, 255> small{};
  DYTQ_CHECK_BOTH(dytq::fold_alpha_into_lut(sixteenths(opaque(1)), small).error().why == reason::table_size);
}

TEST_BOTH("`accepts` names the code next to the first as well", {
  alpha_site site = sixteenths(16);
  site.steps.activation = {.multiplier = 1, .shift = opaque(3)};  // values below 4
  const auto map = dytq::detail::alpha_map::make(site).value();
  return map.accepts({2, 3}).has_value() && map.accepts({3, 4}).error().code == 4;
})

TEST_CASE("random sites agree with the plain model; `accepts` speaks for all codes of a range") {
  std::mt19937 random(4);
  const auto draw = [&](int lo, int hi) {
    return lo + static_cast<int>(random() % (static_cast<unsigned>(hi) - static_cast<unsigned>(lo) + 1u));
  };
  const auto table = identity_table();
  int folds = 0;
  for (int round = 0; round < 3000; ++round) {
    alpha_site site{.alpha = draw(-128, 127)};
    site.steps.activation = {.multiplier = draw(1, 1 << 20), .shift = draw(2, 20), .input_zp = draw(-128, 127)};
    site.steps.alpha = {.multiplier = draw(1, 1 << 20), .shift = draw(5, 20), .input_zp = draw(-9, 9)};
    site.steps.mul_out = {
        .multiplier = draw(1, 1 << 30), .shift = draw(20, 62), .output_zp = draw(-20, 20), .out = dytq::int8_range};
    site.domain = {draw(-128, 0), draw(0, 127)};
    const auto alpha = plain_rescale(site.steps.alpha, site.alpha);
    bool legal = alpha.ok;
    table8 expected{};
    for (std::int64_t q = -128; q < 128 && legal; ++q) {
      const auto a = plain_rescale(site.steps.activation, q < site.domain.lo   ? site.domain.lo
                                                          : q > site.domain.hi ? site.domain.hi
                                                                               : q);
      std::int64_t product = a.v * alpha.v % (std::int64_t{1} << 32);
      product += product > INT32_MAX ? -(std::int64_t{1} << 32) : product < INT32_MIN ? std::int64_t{1} << 32 : 0;
      const auto m = plain_rescale(site.steps.mul_out, product);
      legal = a.ok && m.ok;
      expected[static_cast<std::size_t>(q + 128)] = static_cast<std::int8_t>(m.v);
    }
    const auto folded = dytq::fold_alpha_into_lut(site, table);
    CHECK(folded.has_value() == legal);
    if (const auto map = dytq::detail::alpha_map::make(site)) {
      CHECK(map->accepts(site.domain).has_value() == legal);
    }
    if (folded) {
      ++folds;
      CHECK(folded->table == expected);
    }
  }
  CHECK(folds > 300);
}
