// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/check_fold.hpp>
#include <dytq/fold.hpp>

#include <array>
#include <cstdint>
#include <random>

#include "support/both_worlds.hpp"
#include "support/plain_model.hpp"

using dytq::convolution;
using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq_tests::fold_memory;
using dytq_tests::halved;
using dytq_tests::opaque;
using dytq_tests::plain_chain;
using dytq_tests::site_data;
using dytq_tests::table_of;

namespace {

using shape5 = std::array<std::int64_t, 5>;

template <std::size_t W, std::size_t O, std::size_t C>
constexpr bool exact(const dytq::affine_site& site, const convolution& conv, const fold_memory<W, O, C>& out,
                     const dytq::table_and_conv_fold& fold) {
  const dytq::claimed_fold claim{.weight = {out.weight.data(), conv.weight.extents},
                                 .bias = out.bias,
                                 .input_zp = fold.input_zp,
                                 .table = fold.table};
  return dytq::check_fold(site, conv, claim).has_value() && dytq_tests::plain_exact(site, conv, claim);
}

constexpr convolution padded(const dytq::weight_view<const std::int8_t>& w, std::int64_t input) {
  convolution conv{.weight = w};
  conv.axes[0].input = conv.axes[1].input = 1;
  conv.axes[2] = {.input = input, .before = 1, .after = 1};
  return conv;
}

}  // namespace

TEST_BOTH("a nonlinear map that all channels share goes into the table, its multiples into the weights", {
  // y_c = +-clamp(6x): on {-30, 0, 10, 25} that is {-128, 0, 60, 127} and {127, 0, -60, -128}: not parallel; on
  // {-20, 0, 10, 25}: {-120, 0, 60, 127} and its negative.
  site_data<2> data{.table = table_of<4>({-20, 0, 10, opaque(25)}), .gamma = {6, -6}};
  data.steps.gamma_out.out = {-127, 127};
  const std::array<std::int8_t, 4> w{3, 5, -2, 0};
  convolution conv{.weight = {w.data(), shape5{2, 1, 1, 1, 2}}};
  for (auto& a : conv.axes) {
    a.input = 1;
  }
  fold_memory<4, 2, 2> out;
  if (dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents)).error().why !=
      reason::not_affine) {
    return false;
  }
  const auto fold = dytq::fold_affine_into_table_and_conv(data.site(), conv, out.views(conv.weight.extents));
  return fold && fold->multiple == 1 && out.weight == std::array<std::int8_t, 4>{3, -5, -2, 0} &&
         fold->weights_changed == 1 && exact(data.site(), conv, out, *fold) && fold->table[0] - fold->table[1] == -120;
})

TEST_BOTH("the largest multiple that divides all products, and fits", {
  // y_c = 2x and 4x on {0, 1, 3}: d = (0, 1, 3), s = 2, 4. w * s: 12, 24, so k divides 12, and 3k <= 255.
  const site_data<2> data{.table = table_of<3>({0, 1, 3}), .gamma = {2, 4}};
  const std::array<std::int8_t, 2> w{6, opaque<std::int8_t>(6)};
  convolution conv{.weight = {w.data(), shape5{1, 1, 1, 1, 2}}};
  for (auto& a : conv.axes) {
    a.input = 1;
  }
  fold_memory<2, 1, 2> out;
  const auto fold = dytq::fold_affine_into_table_and_conv(data.site(), conv, out.views(conv.weight.extents));
  return fold && fold->multiple == 12 && out.weight == std::array<std::int8_t, 2>{1, 2} &&
         exact(data.site(), conv, out, *fold) && fold->table[2] - fold->table[0] == 36;
})

TEST_BOTH("a table that needs all 256 codes", {
  const site_data<1> data{.table = table_of<3>({-128, -127, opaque(127)}), .gamma = {1}};
  const std::array<std::int8_t, 1> w{6};
  convolution conv{.weight = {w.data(), shape5{1, 1, 1, 1, 1}}};
  for (auto& a : conv.axes) {
    a.input = 1;
  }
  fold_memory<1, 1, 1> out;
  const auto fold = dytq::fold_affine_into_table_and_conv(data.site(), conv, out.views(conv.weight.extents));
  return fold && fold->multiple == 1 && fold->table == data.table && exact(data.site(), conv, out, *fold);
})

TEST_BOTH("a new table that begins one code below the limit of its zero point", {
  // y_c = 6 * (x - 127) on {122, 123}: D = {0, 6}, so the new codes end at 127 and begin at 121; r = 122 - 127 = -5
  // would let them begin at 122.
  site_data<1> data{.table = table_of<2>({122, opaque(123)}), .gamma = {6}, .table_zp = 127, .has_beta = false};
  const std::array<std::int8_t, 1> w{1};
  convolution conv{.weight = {w.data(), shape5{1, 1, 1, 1, 1}}};
  for (auto& a : conv.axes) {
    a.input = 1;
  }
  fold_memory<1, 1, 1> out;
  const auto fold = dytq::fold_affine_into_table_and_conv(data.site(), conv, out.views(conv.weight.extents));
  return fold && fold->multiple == 6 && fold->input_zp == 126 && fold->table[0] == 121 && fold->table[1] == 127 &&
         exact(data.site(), conv, out, *fold);
})

TEST_BOTH("a multiple may be negative where only that fits the weights", {
  // w * s = -2 and -1 with weights in [-8, 0] would need n = -2, -1; here n must be in [0, 7].
  const site_data<1> data{.table = table_of<2>({0, 1}), .gamma = {-1}};
  const std::array<std::int8_t, 2> w{2, 3};
  convolution conv{.weight = {w.data(), shape5{1, 1, 1, 2, 1}},
                   .weight_range = {0, opaque<std::int64_t>(7)},
                   .axes = dytq::unpadded};
  conv.axes[0].input = conv.axes[1].input = 1;
  conv.axes[2].input = 2;
  fold_memory<2, 1, 1> out;
  const auto fold = dytq::fold_affine_into_table_and_conv(data.site(), conv, out.views(conv.weight.extents));
  return fold && fold->multiple == -1 && out.weight == w && exact(data.site(), conv, out, *fold);
})

TEST_BOTH("channels that are not parallel, with a code that says so", {
  site_data<3> data{.table = table_of<3>({-1, 0, 2}), .gamma = {1, 3, 100}};
  std::array<std::int8_t, 3> w{1, 1, opaque<std::int8_t>(1)};
  const convolution conv{.weight = {w.data(), shape5{1, 1, 1, 1, 3}}};
  fold_memory<3, 1, 3> out;
  const auto site = data.site();
  const rejection why = dytq::fold_affine_into_table_and_conv(site, conv, out.views(conv.weight.extents)).error();
  // Channel 2: -100, 0, 127: (0, 100, 227) is no multiple of (0, 1, 3).
  if (why !=
          rejection{
              .why = reason::not_parallel, .at = place::table, .channel = 2, .code = 0, .expected = 1, .got = 100} ||
      !out.untouched()) {
    return false;
  }
  const auto rise = [&](std::int64_t c, std::int64_t x) {
    return plain_chain(site, c, x).v - plain_chain(site, c, -1).v;
  };
  bool crossed = false;
  for (const std::int64_t x : {0, 2}) {
    for (const std::int64_t z : {0, 2}) {
      crossed = crossed || rise(0, x) * rise(2, z) != rise(0, z) * rise(2, x);
    }
  }
  w[2] = 0;  // pruned: it asks for nothing
  return crossed && dytq::fold_affine_into_table_and_conv(site, conv, out.views(conv.weight.extents)).has_value();
})

TEST_BOTH("under padding the new zero point stands for what the old one did", {
  const site_data<2> data{.table = table_of<3>({-3, 2, 8}), .gamma = {2, 2}, .beta = {6, 6}};
  const std::array<std::int8_t, 6> w{1, 2, 3, opaque<std::int8_t>(-4), 5, 6};
  const auto conv = padded({w.data(), shape5{1, 1, 1, 3, 2}}, 4);
  fold_memory<6, 1, 2> out;
  const auto fold = dytq::fold_affine_into_table_and_conv(data.site(), conv, out.views(conv.weight.extents));
  return fold && exact(data.site(), conv, out, *fold);
})

TEST_BOTH("constant channels: weights become 0, or the table constant", {
  site_data<1> data{.table = table_of<1>({5}), .gamma = {2}, .beta = {4}};
  const std::array<std::int8_t, 3> w{6, -9, opaque<std::int8_t>(3)};
  auto conv = padded({w.data(), shape5{1, 1, 1, 3, 1}}, 4);
  fold_memory<3, 1, 1> out;
  // y = 14 and padding means 0: no weights of 0 do that; 14 * w is a multiple of 42.
  const auto fold = dytq::fold_affine_into_table_and_conv(data.site(), conv, out.views(conv.weight.extents));
  if (!fold || fold->multiple != 0 || out.weight != std::array<std::int8_t, 3>{2, -3, 1} || fold->bias_changed ||
      !exact(data.site(), conv, out, *fold)) {
    return false;
  }
  conv.axes[2] = {.input = 3};
  fold_memory<3, 1, 1> plain;
  const auto none = dytq::fold_affine_into_table_and_conv(data.site(), conv, plain.views(conv.weight.extents));
  return none && none->multiple == 0 && plain.weight == std::array<std::int8_t, 3>{0, 0, 0} && plain.bias[0] == 0 &&
         none->table == data.table && none->input_zp == 0 && exact(data.site(), conv, plain, *none);
})

TEST_BOTH("what has no fold is refused and leaves everything as it was", {
  const site_data<1> data{.table = table_of<2>({0, 1}), .gamma = {1}, .beta = {3}};
  const std::array<std::int8_t, 2> w{127, opaque<std::int8_t>(126)};
  auto conv = padded({w.data(), shape5{1, 1, 1, 2, 1}}, 3);
  conv.weight_range = {-8, 7};  // 127 * 1 / 1 does not fit, and no k divides both
  fold_memory<2, 1, 1> out;
  const auto none = dytq::fold_affine_into_table_and_conv(data.site(), conv, out.views(conv.weight.extents));
  if (none.error().why != reason::weight_overflow || !out.untouched()) {
    return false;
  }
  conv.weight_range = dytq::int8_range;
  const std::array<std::int32_t, 1> b{INT32_MAX};
  conv.bias = b;
  conv.axes[2] = {.input = 2};
  const auto some = dytq::fold_affine_into_table_and_conv(data.site(), conv, out.views(conv.weight.extents));
  // A free zero point is moved until the bias fits.
  return some && exact(data.site(), conv, out, *some);
})

TEST_BOTH("asking only, in place, guards", {
  const site_data<1> data{.table = table_of<2>({0, 1}), .gamma = {2}, .beta = {3}};
  std::array<std::int8_t, 1> w{opaque<std::int8_t>(5)};
  std::array<std::int32_t, 1> b{1};
  std::array<std::int16_t, 4> lines{};
  const dytq::weight_view<std::int8_t> wv{w.data(), shape5{1, 1, 1, 1, 1}};
  convolution conv{.weight = wv, .bias = b};
  const auto asked = dytq::prove_table_and_conv_fold(data.site(), conv, lines);
  if (!asked || w[0] != 5 || b[0] != 1 || asked->multiple != 10) {
    return false;
  }
  const auto made =
      dytq::fold_affine_into_table_and_conv(data.site(), conv, {.weight = wv, .bias = b, .workspace = lines});
  if (!made || w[0] != 1 || made->table != asked->table || made->weights_changed != 1 || asked->weights_changed != 1 ||
      asked->bias_changed != made->bias_changed || asked->input_zp != made->input_zp) {
    return false;
  }
  conv.input_zp = 1;
  return dytq::prove_table_and_conv_fold(data.site(), conv, lines).error().why == reason::zero_point_mismatch &&
         dytq::fold_affine_into_table_and_conv(data.site(), conv, {}).error().why == reason::zero_point_mismatch;
})

TEST_CASE("random sites: every fold is exact, and contains the plain one") {
  std::mt19937 random(11);
  const auto draw = [&](int lo, int hi) {
    return lo + static_cast<int>(random() % (static_cast<unsigned>(hi) - static_cast<unsigned>(lo) + 1u));
  };
  int folds = 0;
  int refusals = 0;
  for (int round = 0; round < 3000; ++round) {
    site_data<2> data{.table = table_of<3>({draw(-9, -1), draw(0, 2), draw(3, 9)})};
    data.table_zp = draw(-2, 2);
    data.gamma = {static_cast<std::int8_t>(draw(-40, 40)), static_cast<std::int8_t>(draw(-2, 2))};
    if (draw(0, 1) == 0) {
      data.gamma[1] = static_cast<std::int8_t>(draw(-1, 1) * data.gamma[0]);
    }
    data.beta = {static_cast<std::int8_t>(draw(-3, 3)), static_cast<std::int8_t>(draw(-3, 3))};
    data.steps.gamma_out.shift += draw(0, 1);
    std::array<std::int8_t, 4> w{};
    for (std::int8_t& v : w) {
      v = static_cast<std::int8_t>(draw(-6, 6));
    }
    auto conv = padded({w.data(), shape5{1, 1, 1, 2, 2}}, draw(2, 3));
    conv.axes[2].before = draw(0, 1);
    conv.axes[2].after = draw(0, 1);
    fold_memory<4, 1, 2> out;
    const auto fold = dytq::fold_affine_into_table_and_conv(data.site(), conv, out.views(conv.weight.extents));
    if (fold) {
      ++folds;
      CHECK(exact(data.site(), conv, out, *fold));
    } else {
      ++refusals;
      CHECK(out.untouched());
      CHECK_FALSE(dytq::prove_affine_fold(data.site(), conv, out.lines));
    }
  }
  CHECK(folds > 300);
  CHECK(refusals > 300);
}
