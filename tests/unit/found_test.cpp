// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What reviews and attacks have found, so that it stays found.
#include <array>
#include <cstdint>
#include <dytq/check_fold.hpp>
#include <dytq/fit_rescale.hpp>
#include <dytq/fold.hpp>
#include <dytq/layer.hpp>
#include <dytq/lut.hpp>
#include <dytq/lut16.hpp>
#include <dytq/plan.hpp>
#include <dytq/rescale.hpp>

#include "support/both_worlds.hpp"

namespace {

using dytq::reason;
using dytq::view;
using dytq_tests::opaque;

// A table read through a domain is the whole table, read at the nearest code of the domain.
template <class F>
constexpr bool reads_nearest(F f, const dytq::qparams& out, const dytq::code_range& domain) {
  const dytq::qparams in{.scale = 0.05};
  const auto whole = dytq::make_lut8(f, in, out);
  const auto limited = dytq::make_lut8(f, in, out, {.domain = domain});
  bool same = whole && limited;
  for (std::int64_t code = -128; code < 128 && same; ++code) {
    same = (*limited)[static_cast<std::size_t>(code + 128)] ==
           (*whole)[static_cast<std::size_t>(domain.clamp(code) + 128)];
  }
  return same;
}

TEST_BOTH("a zero point outside its bounds does not spoil what lies outside the domain", {
  return reads_nearest(dytq::functions::tanh, {.scale = 1.0 / 127, .zero_point = opaque(-100), .qmin = -50},
                       {-100, 100}) &&
         reads_nearest(dytq::functions::tanh, {.scale = 1.0 / 127, .zero_point = -10, .qmin = 0}, {-128, 100}) &&
         reads_nearest(dytq::functions::logistic, {.scale = 1.0 / 256, .zero_point = -128, .qmin = -127}, {-50, 50});
})

TEST_BOTH("the judge takes no claim that it cannot read", {
  const std::array<std::int8_t, 256> zeros{};
  const std::array<std::int8_t, 1> gamma{opaque(std::int8_t{1})};
  const std::array<std::int8_t, 1> weight{2};
  const std::array<std::int32_t, 1> bias{};
  const auto weights = dytq::from_oi(view<const std::int8_t, 2>(weight.data(), {1, 1}));
  const dytq::affine_site site{.table = zeros, .gamma = gamma};
  const dytq::convolution conv{.weight = weights};
  return dytq::check_fold(site, conv, {.weight = weights, .bias = bias, .table = zeros, .keeps_gamma = true})
                 .error()
                 .why == reason::contradiction &&
         dytq::check_fold(site, conv, {.weight = weights, .bias = bias, .keeps_gamma = true});
})

// Identity lines of 3 channels, in a workspace with some stride that ends where its memory does.
constexpr bool folds_with_lines(const view<std::int16_t>& lines) {
  std::array<std::int8_t, 256> table{};
  for (std::size_t i = 0; i < 256; ++i) {
    table[i] = static_cast<std::int8_t>(static_cast<int>(i) - 128);
  }
  const std::array<std::int8_t, 3> gamma{1, 2, 1};
  std::array<std::int8_t, 3> weight{5, 0, -7};
  std::array<std::int32_t, 1> bias{};
  dytq::affine_site site{.table = table, .gamma = gamma};
  site.steps.gamma_out = {.out = dytq::int8_range};
  const dytq::convolution conv{.weight = dytq::from_oi(view<const std::int8_t, 2>(weight.data(), {1, 3}))};
  const auto fold = dytq::fold_affine_into_conv(
      site, conv, {dytq::from_oi(view<std::int8_t, 2>(weight.data(), {1, 3})), bias, lines});
  return fold && !fold->constants_changed();
}

TEST_BOTH("workspaces may be strided, and reversed, up to the end of their memory", {
  std::array<std::int16_t, 34> lines{};
  return folds_with_lines({lines.data(), {12}, {opaque(std::int64_t{3})}}) &&
         folds_with_lines({lines.data() + 33, {12}, {-3}}) && folds_with_lines({lines.data() + 11, {12}, {-1}});
})

TEST_BOTH("a rejection for no reason, or an unknown one, is a rejection", {
  return !dytq::result<int>(reason::none) && !dytq::result<int>(dytq::rejection{}) &&
         !dytq::result<int>(static_cast<reason>(opaque(std::uint8_t{250})));
})

TEST_CASE("the same elements by other strides are the same view") {
  std::array<std::int8_t, 6> w{};
  const auto ohwi = dytq::from_ohwi(view<const std::int8_t, 4>(w.data(), {2, 1, 1, 3}));
  const auto oihw = dytq::from_oihw(view<std::int8_t, 4>(w.data(), {2, 3, 1, 1}));
  CHECK(dytq::validate_in_place(oihw, ohwi));
}

TEST_BOTH("what is beyond int64 is no code", {
  const std::array<std::uint64_t, 2> codes{opaque(UINT64_MAX), 1};
  const std::array<std::int64_t, 2> values{-1, 1};
  const std::array<std::int32_t, 1> multiplier{1 << 30};
  const std::array<std::int32_t, 1> shift{30};
  std::array<std::int8_t, 2> out{7, 7};
  return dytq::fit_affine(view<const std::uint64_t>(codes), view<const std::int64_t>(values)).error().why ==
             reason::code_out_of_range &&
         dytq::fit_rescale(view<const std::uint64_t>(codes), view<const std::int64_t>(values)).error().why ==
             reason::code_out_of_range &&
         dytq::apply(dytq::rescale_operator{}, view<const std::uint64_t>(codes), multiplier, shift,
                     view<std::int8_t>(out))
                 .error()
                 .why == reason::code_out_of_range &&
         out[0] == 7;
})

TEST_BOTH("parameters far outside uint8 stay outside int8", {
  const auto far = dytq::from_uint8({.zero_point = opaque(INT32_MIN), .qmin = INT32_MIN + 1, .qmax = INT32_MIN + 5});
  return far.zero_point < -128 && far.qmin < -128 && far.qmax < -128 && far.qmin != dytq::unset_qmin &&
         dytq::from_uint8({.zero_point = 128}).zero_point == 0;
})

TEST_CASE("the error of a table is asked only of a zero point that it can have") {
  const dytq::qparams in{.scale = 1.0 / 4096};
  const dytq::qparams out{.scale = 1.0 / 32768};
  const auto lut = dytq::make_lut16(dytq::functions::tanh, in, out);
  REQUIRE(lut);
  dytq::qparams absurd = out;
  absurd.zero_point = INT32_MIN;
  CHECK(dytq::interpolation_error(dytq::functions::tanh, in, absurd, *lut).error().why ==
        reason::zero_point_out_of_range);
}

TEST_BOTH("wide int16 tables stay within their bounds", {
  const auto lut = dytq::make_lut16(dytq::functions::tanh, {.scale = 1.0 / 8192},
                                    {.scale = 1.0 / 40000, .qmin = opaque(7), .qmax = 40001});
  return lut && (*lut)[0] * (1 << (7 - lut->shift)) >= 7;
})

TEST_BOTH("a plan with a reader needs a line for each channel, and channels that can be counted", {
  const std::array<std::int8_t, 256> zeros{};
  const std::array<std::int8_t, 2> weight{1, 1};
  dytq::affine_site site{.table = zeros};
  site.reachable = {};
  site.reachable.insert(1);
  site.reachable.insert(2);
  const dytq::site_chain steps(site);
  dytq::chain chain = steps.get();
  chain.channels = 2;
  dytq::chain_reader reader{{.weight = dytq::from_oi(view<const std::int8_t, 2>(weight.data(), {1, 2}))}};
  const auto planned = [&](std::int64_t lines_given) {
    std::array<std::int8_t, 1024> codes{};
    std::array<std::int32_t, 2> numbers{};
    std::array<std::int16_t, 8> lines{};
    return dytq::plan(chain,
                      {.codes = view<std::int8_t>(codes.data(), {dytq::plan_workspace_sizes(chain)->codes}),
                       .numbers = numbers,
                       .lines = view<std::int16_t>(lines.data(), {lines_given})},
                      dytq::targets::tosa, {.readers = view<const dytq::chain_reader>(&reader, {1})});
  };
  const auto sound = planned(8);
  const auto few = planned(4);
  reader.conv.groups = opaque(std::int64_t{1} << 61);
  const auto absurd = planned(8);
  return sound && (*sound)[dytq::form::into_conv].exists() && !few && few.error().why == reason::size_mismatch &&
         absurd && (*absurd)[dytq::form::into_conv].why.why == reason::group_count;
})

TEST_CASE("a channel keeps to the codes that its own alpha lets through") {
  std::array<std::int8_t, 256> table{};
  table.fill(-128);
  table[128] = 5;
  table[129] = 77;
  const std::array<std::int8_t, 2> alpha{1, 127};
  const std::array<std::int8_t, 2> beta{-1, 0};
  dytq::layer_site layer{.affine = {.table = table, .beta = beta}, .alpha = alpha};
  layer.affine.steps.add_in = {.multiplier = 2147483647, .shift = 8, .output_zp = -(1 << 30)};
  layer.affine.steps.beta = {.multiplier = 2147483647, .shift = 8};
  layer.affine.steps.add_out = {.multiplier = 1 << 30, .shift = 54, .out = dytq::int8_range};
  layer.alpha_steps.mul_out = {.multiplier = 1 << 30, .shift = 37, .out = dytq::int8_range};
  layer.affine.reachable = {};
  for (int q = -128; q < 128; ++q) {
    if (q != 1 && q != -1) {
      layer.affine.reachable.insert(static_cast<std::int8_t>(q));
    }
  }
  std::array<std::int32_t, 2> index{};
  std::array<std::int8_t, 512> tables{};
  const auto made = dytq::make_channel_tables(layer, index, view<std::int8_t, 2>(tables.data(), {2, 256}));
  CHECK((made || made.error().why != reason::none));  // the sanitizers have the say
}

}  // namespace
