// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/fold.hpp>

#include <array>
#include <cstdint>
#include <random>

#include <dytq/check_fold.hpp>

#include "support/both_worlds.hpp"
#include "support/plain_model.hpp"

using dytq::convolution;
using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq_tests::fold_memory;
using dytq_tests::halved;
using dytq_tests::opaque;
using dytq_tests::plain_beta;
using dytq_tests::plain_gamma;
using dytq_tests::site_data;
using dytq_tests::table_of;

namespace {

using shape5 = std::array<std::int64_t, 5>;

template <std::size_t W, std::size_t O, std::size_t C>
constexpr bool exact(const dytq::affine_site& site, const convolution& conv, const fold_memory<W, O, C>& out,
                     std::int32_t input_zp) {
  const dytq::claimed_fold claim{
      .weight = {out.weight.data(), conv.weight.extents}, .bias = out.bias, .input_zp = input_zp, .keeps_gamma = true};
  return dytq::check_fold(site, conv, claim).has_value() && dytq_tests::plain_exact(site, conv, claim);
}

// Gamma's maps are no lines; beta's are.
constexpr site_data<2> subject() {
  site_data<2> data{.table = table_of<4>({-50, -3, 1, 77}), .gamma = {25, 37}, .beta = {3, -1}};
  data.steps.gamma_out = halved(5, 0, 0, dytq::int8_range);
  return data;
}

}  // namespace

TEST_BOTH("beta goes into the bias, gamma stays", {
  const auto data = subject();
  const std::array<std::int8_t, 4> w{1, 2, opaque<std::int8_t>(3), 4};
  convolution conv{.weight = {w.data(), shape5{2, 1, 1, 1, 2}}};
  for (auto& a : conv.axes) {
    a.input = 1;
  }
  fold_memory<4, 2, 2> out;
  const auto fold = dytq::fold_beta_into_conv(data.site(), conv, out.views(conv.weight.extents));
  return fold && out.weight == w && out.bias == std::array<std::int32_t, 2>{3 - 2, 9 - 4} && fold->input_zp == 0 &&
         exact(data.site(), conv, out, fold->input_zp);
})

TEST_BOTH("under padding the zero point moves where beta is alike in all channels", {
  auto data = subject();
  data.beta = {4, 4};
  const std::array<std::int8_t, 4> w{1, 2, 3, opaque<std::int8_t>(5)};
  convolution conv{.weight = {w.data(), shape5{1, 1, 1, 2, 2}}, .axes = dytq::unpadded};
  conv.axes[0].input = conv.axes[1].input = 1;
  conv.axes[2] = {.input = 2, .before = 1};
  fold_memory<4, 1, 2> out;
  const auto fold = dytq::fold_beta_into_conv(data.site(), conv, out.views(conv.weight.extents));
  if (!fold || fold->input_zp != -4 || !exact(data.site(), conv, out, -4)) {
    return false;
  }
  data.beta = {4, 5};
  fold_memory<4, 1, 2> kept;
  return dytq::fold_beta_into_conv(data.site(), conv, kept.views(conv.weight.extents)).error().why == reason::padding &&
         kept.untouched();
})

TEST_BOTH("a map that leaves its line is shown at a code of gamma", {
  auto data = subject();
  data.beta = {3, 100};  // clamps
  const std::array<std::int8_t, 2> w{1, opaque<std::int8_t>(1)};
  const convolution conv{.weight = {w.data(), shape5{1, 1, 1, 1, 2}}};
  fold_memory<2, 1, 2> out;
  const auto site = data.site();
  const rejection why = dytq::fold_beta_into_conv(site, conv, out.views(conv.weight.extents)).error();
  if (why.why != reason::not_affine || why.channel != 1 || !out.untouched()) {
    return false;
  }
  // The code is one that gamma emits, and beta's values there and at the ends are on no line.
  const std::int64_t lo = plain_gamma(site, 1, -50).v;
  const std::int64_t hi = plain_gamma(site, 1, 77).v;
  const auto y = [&](std::int64_t m) { return plain_beta(site, 1, m).v; };
  bool emitted = false;
  for (const int x : {-50, -3, 1, 77}) {
    emitted = emitted || plain_gamma(site, 1, x).v == why.code;
  }
  return emitted && (y(why.code) - y(lo)) * (hi - lo) != (y(hi) - y(lo)) * (why.code - lo);
})

TEST_BOTH("only the codes that gamma emits must be on a line", {
  auto data = subject();
  data.table = table_of<2>({-50, -40});
  data.steps.add_out.out = {-128, opaque(-10)};  // 0 is beyond it, and does not occur
  const std::array<std::int8_t, 2> w{1, 1};
  convolution conv{.weight = {w.data(), shape5{1, 1, 1, 1, 2}}};
  for (auto& a : conv.axes) {
    a.input = 1;
  }
  fold_memory<2, 1, 2> out;
  const auto fold = dytq::fold_beta_into_conv(data.site(), conv, out.views(conv.weight.extents));
  return fold && exact(data.site(), conv, out, fold->input_zp);
})

TEST_BOTH("no beta, no gamma, guards", {
  auto data = subject();
  const std::array<std::int8_t, 2> w{1, 1};
  convolution conv{.weight = {w.data(), shape5{1, 1, 1, 1, 2}}};
  fold_memory<2, 1, 2> out;
  data.has_gamma = opaque(false);
  const bool alone =
      dytq::fold_beta_into_conv(data.site(), conv, out.views(conv.weight.extents)).has_value() && out.bias[0] == 2;
  data.has_gamma = true;
  data.has_beta = false;
  const bool none = dytq::fold_beta_into_conv(data.site(), conv, out.views(conv.weight.extents)).error() ==
                    rejection{.why = reason::no_beta, .at = place::beta};
  data.has_beta = true;
  conv.input_zp = 1;
  return alone && none &&
         dytq::prove_beta_fold(data.site(), conv, out.lines).error().why == reason::zero_point_mismatch;
})

TEST_CASE("random sites: every fold of beta is exact") {
  std::mt19937 random(31);
  const auto draw = [&](int lo, int hi) {
    return lo + static_cast<int>(random() % (static_cast<unsigned>(hi) - static_cast<unsigned>(lo) + 1u));
  };
  int folds = 0;
  int refusals = 0;
  for (int round = 0; round < 2000; ++round) {
    site_data<2> data{.table = table_of<3>({draw(-60, -1), draw(0, 20), draw(30, 60)})};
    data.gamma = {static_cast<std::int8_t>(draw(-60, 60)), static_cast<std::int8_t>(draw(-60, 60))};
    data.beta = {static_cast<std::int8_t>(draw(-3, 3)), static_cast<std::int8_t>(draw(-3, 3))};
    data.steps.gamma_out = halved(5, 0, draw(-2, 2), dytq::int8_range);
    data.steps.add_in = halved(0, data.steps.gamma_out.output_zp);
    data.steps.add_out = halved(draw(0, 1), 0, draw(-2, 2), dytq::int8_range);
    std::array<std::int8_t, 4> w{};
    for (std::int8_t& v : w) {
      v = static_cast<std::int8_t>(draw(-3, 3) * 2);
    }
    convolution conv{
        .weight = {w.data(), shape5{1, 1, 1, 2, 2}}, .input_zp = data.steps.add_out.output_zp, .axes = dytq::unpadded};
    conv.axes[0].input = conv.axes[1].input = 1;
    conv.axes[2] = {.input = draw(2, 3), .before = draw(0, 1), .after = draw(0, 1)};
    fold_memory<4, 1, 2> out;
    const auto fold = dytq::fold_beta_into_conv(data.site(), conv, out.views(conv.weight.extents));
    if (fold) {
      ++folds;
      CHECK(exact(data.site(), conv, out, fold->input_zp));
    } else {
      ++refusals;
      CHECK(out.untouched());
    }
  }
  CHECK(folds > 100);
  CHECK(refusals > 100);
}
