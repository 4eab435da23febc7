// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/check_fold.hpp>

#include <array>
#include <cstdint>
#include <random>

#include <dytq/fold.hpp>

#include "support/both_worlds.hpp"
#include "support/plain_model.hpp"

using dytq::claimed_fold;
using dytq::convolution;
using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::view;
using dytq_tests::fold_memory;
using dytq_tests::halved;
using dytq_tests::opaque;
using dytq_tests::plain_chain;
using dytq_tests::plain_exact;
using dytq_tests::site_data;
using dytq_tests::table_of;

namespace {

using shape5 = std::array<std::int64_t, 5>;

// y_0 = 2x + 4, y_1 = x - 2, and weights with which the offsets cancel in each tap, under padding.
struct padded_site {
  site_data<2> data{.table = table_of<4>({-5, 0, 1, 7}), .gamma = {2, 1}, .beta = {4, -2}};
  std::array<std::int8_t, 6> w{1, 2, -3, -6, 5, 10};
  std::array<std::int32_t, 1> b{11};

  constexpr convolution conv() const {
    convolution c{.weight = {w.data(), shape5{1, 1, 1, 3, 2}}, .bias = b, .axes = dytq::unpadded};
    c.axes[0].input = c.axes[1].input = 1;
    c.axes[2] = {.input = 4, .before = 1, .after = 1};
    return c;
  }
};

constexpr bool refused(const dytq::verdict& v, const rejection& as) { return !v && v.error() == as; }

}  // namespace

TEST_BOTH("a fold is accepted; every single change of it is found, and shown truly", {
  const padded_site p;
  const auto site = p.data.site();
  const auto conv = p.conv();
  fold_memory<6, 1, 2> out;
  const auto fold = dytq::fold_affine_into_conv(site, conv, out.views(conv.weight.extents));
  claimed_fold claim{.weight = {out.weight.data(), conv.weight.extents}, .bias = out.bias, .input_zp = fold->input_zp};
  if (!dytq::check_fold(site, conv, claim)) {
    return false;
  }
  for (std::size_t i = 0; i < 6; ++i) {
    for (const int by : {-1, 1, opaque(7)}) {
      out.weight[i] = static_cast<std::int8_t>(out.weight[i] + by);
      const rejection why = dytq::check_fold(site, conv, claim).error();
      const auto c = static_cast<std::int64_t>(i % 2);
      const std::int64_t w = p.w[i];
      const std::int64_t n = out.weight[i];
      const std::int64_t rise =
          plain_chain(site, c, site.table(why.code + 128)).v - plain_chain(site, c, site.table(0)).v;
      const std::int64_t claimed = site.table(why.code + 128) - site.table(0);
      if (why.why != reason::fold_differs || why.at != place::weight || why.channel != c || why.output_channel != 0 ||
          why.tap != static_cast<std::int64_t>(i / 2) || why.expected != w * rise || why.got != n * claimed ||
          why.expected == why.got) {
        return false;
      }
      out.weight[i] = static_cast<std::int8_t>(out.weight[i] - by);
    }
  }
  out.bias[0] += 1;
  if (!refused(dytq::check_fold(site, conv, claim), {.why = reason::fold_differs,
                                                     .at = place::bias,
                                                     .output_channel = 0,
                                                     .expected = out.bias[0] - 1,
                                                     .got = out.bias[0]})) {
    return false;
  }
  out.bias[0] -= 1;
  claim.input_zp += 1;
  const rejection why = dytq::check_fold(site, conv, claim).error();
  return why.why == reason::fold_differs && why.at == place::bias && why.got == out.bias[0] && why.expected != why.got;
})

TEST_BOTH("a changed entry of a new table is found", {
  const padded_site p;
  const auto site = p.data.site();
  const auto conv = p.conv();
  fold_memory<6, 1, 2> out;
  const auto fold = dytq::fold_affine_into_table_and_conv(site, conv, out.views(conv.weight.extents));
  if (!fold) {
    return false;
  }
  dytq::table8 table = fold->table;
  const claimed_fold claim{
      .weight = {out.weight.data(), conv.weight.extents}, .bias = out.bias, .input_zp = fold->input_zp, .table = table};
  if (!dytq::check_fold(site, conv, claim) || !plain_exact(site, conv, claim)) {
    return false;
  }
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{130}, std::size_t{255}}) {
    table[i] = static_cast<std::int8_t>(table[i] + opaque(1));
    if (dytq::check_fold(site, conv, claim).error().why != reason::fold_differs) {
      return false;
    }
    table[i] = static_cast<std::int8_t>(table[i] - 1);
  }
  return true;
})

TEST_CASE("every entry of the table counts, if its code is reachable") {
  const padded_site p;
  auto site = p.data.site();
  const auto conv = p.conv();
  fold_memory<6, 1, 2> out;
  const auto fold = dytq::fold_affine_into_table_and_conv(site, conv, out.views(conv.weight.extents));
  REQUIRE(fold);
  dytq::table8 table = fold->table;
  const claimed_fold claim{
      .weight = {out.weight.data(), conv.weight.extents}, .bias = out.bias, .input_zp = fold->input_zp, .table = table};
  dytq::code_set but_one;
  for (int q = -128; q < 127; ++q) {
    but_one.insert(static_cast<std::int8_t>(q));
  }
  for (std::size_t i = 0; i < 256; ++i) {
    for (const int by : {-1, 1}) {
      table[i] = static_cast<std::int8_t>(table[i] + by);
      const rejection why = dytq::check_fold(site, conv, claim).error();
      CHECK(why.why == reason::fold_differs);
      if (i > 0) {
        CHECK(why.code == static_cast<std::int64_t>(i) - 128);
      }
      auto fewer = site;
      fewer.reachable = but_one;
      CHECK(dytq::check_fold(fewer, conv, claim).has_value() == (i == 255));
      table[i] = static_cast<std::int8_t>(table[i] - by);
    }
  }
}

TEST_BOTH("weights that are never read may be anything", {
  site_data<1> data{.table = table_of<2>({1, 2}), .gamma = {2}};
  const std::array<std::int8_t, 3> w{9, 3, 9};
  convolution conv{.weight = {w.data(), shape5{1, 1, 1, 3, 1}}, .axes = dytq::unpadded};
  conv.axes[2] = {.input = 1, .before = 1, .after = 1};
  const std::array<std::int8_t, 3> n{opaque<std::int8_t>(-77), 6, 0};
  const std::array<std::int32_t, 1> bias{};
  return dytq::check_fold(data.site(), conv, {.weight = {n.data(), conv.weight.extents}, .bias = bias}).has_value();
})

TEST_BOTH("a fold of beta alone reads gamma's result", {
  site_data<1> data{.table = table_of<3>({-4, 1, 5}), .gamma = {opaque<std::int8_t>(3)}, .beta = {7}};
  data.steps.gamma_out = halved(1, 0, 0, dytq::int8_range);  // not affine
  const std::array<std::int8_t, 1> w{5};
  const convolution conv{.weight = {w.data(), shape5{1, 1, 1, 1, 1}}};
  const std::array<std::int32_t, 1> bias{35};
  claimed_fold claim{.weight = conv.weight, .bias = bias, .keeps_gamma = true};
  const bool kept = dytq::check_fold(data.site(), conv, claim).has_value();
  claim.keeps_gamma = false;
  return kept && dytq::check_fold(data.site(), conv, claim).error().why == reason::fold_differs;
})

TEST_BOTH("claims that are none", {
  const padded_site p;
  const auto site = p.data.site();
  auto conv = p.conv();
  const std::array<std::int8_t, 7> w{};
  const std::array<std::int32_t, 2> bias{};
  const view<const std::int32_t> one_bias(bias.data(), {1});
  const claimed_fold good{.weight = {w.data(), conv.weight.extents}, .bias = one_bias};
  const auto refuses = [&](const claimed_fold& claim, const rejection& as) {
    return refused(dytq::check_fold(site, conv, claim), as);
  };
  auto claim = good;
  claim.weight = {w.data(), shape5{1, 1, 1, 2, 2}};
  bool ok = refuses(claim, {.why = reason::shape_mismatch, .at = place::weight, .expected = 1, .got = 1});
  claim = good;
  claim.weight.data = nullptr;
  ok = ok && refuses(claim, {.why = reason::null_view, .at = place::weight});
  claim = good;
  claim.bias = bias;
  ok = ok && refuses(claim, {.why = reason::bias_count, .at = place::bias, .expected = 1, .got = 2});
  claim = good;
  claim.input_zp = opaque(128);
  ok = ok && refuses(claim, {.why = reason::zero_point_out_of_range, .at = place::input, .expected = 127, .got = 128});
  claim.input_zp = -129;
  ok =
      ok && refuses(claim, {.why = reason::zero_point_out_of_range, .at = place::input, .expected = -128, .got = -129});
  claim = good;
  claim.table = w;
  ok = ok && refuses(claim, {.why = reason::table_size, .at = place::table, .expected = 256, .got = 7});
  auto narrow = site;
  narrow.steps.gamma_out.shift = opaque(4);  // takes [-8, 8), and 2 * -5 is not in it
  ok = ok && refused(dytq::check_fold(narrow, conv, good), {.why = reason::value_exceeds_shift,
                                                            .at = place::gamma_out,
                                                            .channel = 0,
                                                            .code = -5,
                                                            .expected = -8,
                                                            .got = -10});
  conv.weight_range = {-7, 7};
  std::array<std::int8_t, 6> n{1, 2, 3, 8, 5, 6};
  claim = good;
  claim.weight = {n.data(), conv.weight.extents};
  conv.weight_range = {-12, 7};
  const rejection why = dytq::check_fold(site, conv, claim).error();
  return ok && (why.why == reason::fold_differs || why.why == reason::weight_overflow);
})

TEST_BOTH("a claimed weight outside the weights' range", {
  site_data<1> data{.table = table_of<2>({1, 2}), .gamma = {2}};
  const std::array<std::int8_t, 1> w{4};
  convolution conv{.weight = {w.data(), shape5{1, 1, 1, 1, 1}}, .weight_range = {-8, 7}};
  const std::array<std::int8_t, 1> n{opaque<std::int8_t>(8)};
  const std::array<std::int32_t, 1> bias{};
  const claimed_fold claim{.weight = {n.data(), conv.weight.extents}, .bias = bias};
  const bool outside = refused(dytq::check_fold(data.site(), conv, claim), {.why = reason::weight_overflow,
                                                                            .at = place::weight,
                                                                            .channel = 0,
                                                                            .output_channel = 0,
                                                                            .tap = 0,
                                                                            .expected = 7,
                                                                            .got = 8});
  conv.weight_range = {-8, 8};
  return outside && dytq::check_fold(data.site(), conv, claim).has_value();
})

TEST_CASE("the judge agrees with the plain model on random claims") {
  std::mt19937 random(7);
  const auto draw = [&](int lo, int hi) {
    return lo + static_cast<int>(random() % (static_cast<unsigned>(hi) - static_cast<unsigned>(lo) + 1u));
  };
  int exact = 0;
  for (int round = 0; round < 3000; ++round) {
    site_data<2> data{.table = table_of<2>({draw(-2, 0), draw(1, 2)})};
    data.gamma = {static_cast<std::int8_t>(draw(-1, 1)), static_cast<std::int8_t>(draw(0, 1))};
    data.beta = {static_cast<std::int8_t>(draw(0, 1)), static_cast<std::int8_t>(draw(0, 1))};
    std::array<std::int8_t, 4> w{};
    std::array<std::int8_t, 4> n{};
    for (std::size_t i = 0; i < 4; ++i) {
      w[i] = static_cast<std::int8_t>(draw(-1, 1));
      n[i] = static_cast<std::int8_t>(w[i] * data.gamma[i % 2] + (draw(0, 15) == 0 ? 1 : 0));
    }
    convolution conv{.weight = {w.data(), shape5{1, 1, 1, 2, 2}}, .axes = dytq::unpadded};
    conv.axes[0].input = conv.axes[1].input = 1;
    conv.axes[2] = {.input = 2, .before = draw(0, 1), .after = draw(0, 1)};
    if (draw(0, 2) == 0) {
      conv.kind = dytq::conv_kind::transposed;
    }
    const std::array<std::int32_t, 1> bias{draw(-1, 1)};
    const claimed_fold claim{.weight = {n.data(), conv.weight.extents}, .bias = bias, .input_zp = draw(-1, 0)};
    const bool plain = plain_exact(data.site(), conv, claim);
    CHECK(dytq::check_fold(data.site(), conv, claim).has_value() == plain);
    exact += plain ? 1 : 0;
  }
  CHECK(exact > 100);
}
