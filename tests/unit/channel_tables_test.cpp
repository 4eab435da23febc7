// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/layer.hpp>

#include <array>
#include <cstdint>
#include <vector>

#include "support/both_worlds.hpp"
#include "support/plain_model.hpp"

using dytq::layer_site;
using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::view;
using dytq_tests::halved;
using dytq_tests::identity_table;
using dytq_tests::opaque;
using dytq_tests::plain_chain;
using dytq_tests::site_data;

namespace {

// Channels 0, 2 and 3 are alike.
constexpr site_data<4> subject() {
  site_data<4> data{.table = identity_table(), .gamma = {25, 37, 25, 25}, .beta = {3, 3, 3, 3}};
  data.steps.gamma_out = halved(5, 0, 0, dytq::int8_range);
  return data;
}

}  // namespace

TEST_BOTH("equal channels share a table, in order of first appearance", {
  const auto data = subject();
  const layer_site layer{.affine = data.site()};
  std::array<std::int32_t, 4> index{};
  std::array<std::int8_t, 512> memory{};
  const view<std::int8_t, 2> tables(memory.data(), {2, 256});
  if (dytq::count_channel_tables(layer).value() != 2 ||
      dytq::make_channel_tables(layer, index, tables).value() != opaque(2) ||
      index != std::array<std::int32_t, 4>{0, 1, 0, 0}) {
    return false;
  }
  for (std::int64_t q = -128; q < 128; q += 5) {
    for (std::int64_t c = 0; c < 2; ++c) {
      if (tables(c, q + 128) != plain_chain(layer.affine, c, q).v) {
        return false;
      }
    }
  }
  return true;
})

TEST_CASE("the multiplication by alpha comes before, one for all channels or each its own") {
  auto data = subject();
  data.gamma = {25, 25, 25, 25};
  const std::array<std::int8_t, 4> alphas{16, 24, 16, -9};
  layer_site layer{.affine = data.site(), .alpha = alphas};
  layer.alpha_steps = {.activation = halved(0), .alpha = halved(0), .mul_out = halved(4, 0, 0, dytq::int8_range)};
  layer.domain = {-100, 90};
  std::array<std::int32_t, 4> index{};
  std::array<std::int8_t, 4 * 256> memory{};
  const view<std::int8_t, 2> tables(memory.data(), {4, 256});
  REQUIRE(dytq::count_channel_tables(layer).value() == 3);
  REQUIRE(dytq::make_channel_tables(layer, index, tables).value() == 3);
  CHECK(index == std::array<std::int32_t, 4>{0, 1, 0, 2});
  for (std::int64_t c = 0; c < 4; ++c) {
    for (std::int64_t q = -128; q < 128; ++q) {
      const std::int64_t inside = q < -100 ? -100 : q > 90 ? 90 : q;
      std::int64_t at = dytq_tests::floor_quotient(inside * alphas[static_cast<std::size_t>(c)] + 8, 16);
      at = at < -128 ? -128 : at > 127 ? 127 : at;
      CHECK(tables(index[static_cast<std::size_t>(c)], q + 128) == plain_chain(layer.affine, c, at).v);
    }
  }
  layer.alpha = view<const std::int8_t>(alphas.data(), {1});
  CHECK(dytq::count_channel_tables(layer).value() == 1);
}

TEST_BOTH("channels that nothing tells apart are a number only", {
  const auto table = identity_table();
  const layer_site many{.affine = {.table = table}, .channels = opaque(INT64_MAX)};
  return dytq::count_channel_tables(many).value() == 1 &&
         dytq::count_channel_tables({.affine = {.table = table}}).error() ==
             rejection{.why = reason::channel_count, .at = place::alpha, .expected = 0, .got = 0};
})

TEST_BOTH("refusals leave index and tables as they were", {
  auto data = subject();
  const layer_site good{.affine = data.site()};
  std::array<std::int32_t, 4> index{9, 9, 9, 9};
  std::array<std::int8_t, 512> memory{};
  memory[5] = 77;
  const view<std::int8_t, 2> tables(memory.data(), {2, 256});
  const auto why = [&](const layer_site& l, const view<std::int32_t>& i, const view<std::int8_t, 2>& t) {
    return dytq::make_channel_tables(l, i, t).error();
  };
  bool ok = why(good, view<std::int32_t>(index.data(), {3}), tables) ==
            rejection{.why = reason::size_mismatch, .at = place::index, .expected = 4, .got = 3};
  ok = ok && why(good, index, view<std::int8_t, 2>(memory.data(), {1, 256})) ==
                 rejection{.why = reason::size_mismatch, .at = place::output, .expected = 2, .got = 1};
  ok = ok && why(good, index, view<std::int8_t, 2>(memory.data(), {2, 255})) ==
                 rejection{.why = reason::table_size, .at = place::output, .expected = 256, .got = 255};
  ok = ok && why(good, index, view<std::int8_t, 2>(memory.data(), {2, 256}, {0, 1})).why == reason::aliased_output;
  auto layer = good;
  layer.domain = {1, 0};
  ok = ok && why(layer, index, tables) ==
                 rejection{.why = reason::range_inverted, .at = place::domain, .expected = 1, .got = 0};
  const std::array<std::int8_t, 3> alphas{1, 2, 3};
  layer = good;
  layer.alpha = alphas;
  ok = ok && why(layer, index, tables) ==
                 rejection{.why = reason::channel_count, .at = place::alpha, .expected = 4, .got = 3};
  layer.alpha = view<const std::int8_t>(alphas.data(), {1});
  layer.alpha_steps.alpha.shift = opaque(1);
  ok = ok && why(layer, index, tables).at == place::alpha;
  layer.alpha_steps.alpha = halved(0);
  layer.function_in = {5, 4};
  ok = ok && why(layer, index, tables).at == place::function_in;
  layer.function_in = dytq::int8_range;
  layer.alpha_steps.activation.shift = 7;
  ok = ok && why(layer, index, tables) == rejection{.why = reason::value_exceeds_shift,
                                                    .at = place::activation,
                                                    .channel = 0,
                                                    .code = -128,
                                                    .expected = -64,
                                                    .got = -128};
  data.steps.gamma_out.shift = 12;
  layer = {.affine = data.site()};
  ok = ok && why(layer, index, tables).why == reason::value_exceeds_shift && why(layer, index, tables).channel == 0;
  // Tables for all channels, of which none is counted.
  std::array<std::int8_t, 1024> room{};
  ok = ok && why(layer, index, view<std::int8_t, 2>(room.data(), {4, 256})).why == reason::value_exceeds_shift;
  return ok && room == std::array<std::int8_t, 1024>{} && index == std::array<std::int32_t, 4>{9, 9, 9, 9} &&
         memory[5] == 77 && memory[0] == 0;
})

TEST_CASE("outputs that overlap") {
  auto data = subject();
  alignas(4) std::array<std::int8_t, 2048> memory{};
  std::array<std::int32_t, 4> index{};
  const auto as_words = reinterpret_cast<std::int32_t*>(memory.data());
  const view<std::int8_t, 2> tables(memory.data(), {2, 256});
  const layer_site layer{.affine = data.site()};
  CHECK(dytq::make_channel_tables(layer, view<std::int32_t>(as_words + 10, {4}), tables).error() ==
        rejection{.why = reason::overlapping_views, .at = place::output});
  auto in_tables = layer;
  in_tables.affine.table = view<const std::int8_t>(memory.data() + 300, {256});
  CHECK(dytq::make_channel_tables(in_tables, index, tables).error() ==
        rejection{.why = reason::overlapping_views, .at = place::output});
  auto gamma = layer;
  gamma.affine.gamma = view<const std::int8_t>(memory.data() + 511, {4});
  CHECK(dytq::make_channel_tables(gamma, index, tables).error().why == reason::overlapping_views);
  CHECK(dytq::make_channel_tables(layer, index, tables));
}

TEST_BOTH("lookup in both orders, for every rest of the blocks of four", {
  std::array<std::int8_t, 512> tables{};
  for (std::size_t i = 0; i < 256; ++i) {
    tables[i] = static_cast<std::int8_t>(127 - static_cast<int>(i));
    tables[256 + i] = static_cast<std::int8_t>(static_cast<int>(i) / 2 - 64);
  }
  const std::array<std::int32_t, 3> index{1, 0, opaque(1)};
  for (std::int64_t pixels = 0; pixels <= 9; ++pixels) {
    std::array<std::int8_t, 60> x{};
    std::array<std::int8_t, 60> y{};
    for (std::size_t i = 0; i < 60; ++i) {
      x[i] = static_cast<std::int8_t>(i * 83);
      y[i] = 55;
    }
    auto in_place = x;
    dytq::lookup_channels_nhwc(x.data(), y.data(), pixels, 3, index.data(), tables.data());
    dytq::lookup_channels_nhwc(in_place.data(), in_place.data(), pixels, 3, index.data(), tables.data());
    for (std::int64_t i = 0; i < 60; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto table = static_cast<std::size_t>(index[static_cast<std::size_t>(i % 3)]) * 256;
      const std::int8_t wanted = tables[table + static_cast<std::size_t>(x[at] + 128)];
      if (i < pixels * 3 ? y[at] != wanted || in_place[at] != wanted : y[at] != 55 || in_place[at] != x[at]) {
        return false;
      }
    }
    y.fill(55);
    dytq::lookup_channels_nchw(x.data(), y.data(), 2, 3, pixels, index.data(), tables.data());
    for (std::int64_t i = 0; i < 60; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::int64_t c = pixels == 0 ? 0 : i / pixels % 3;
      const auto table = static_cast<std::size_t>(index[static_cast<std::size_t>(c)]) * 256;
      if (y[at] != (i < pixels * 6 ? tables[table + static_cast<std::size_t>(x[at] + 128)] : 55)) {
        return false;
      }
    }
  }
  return true;
})

TEST_BOTH("the first and the last code of the domain are proven like those between", {
  // 14 * 4 fits the shift and 14 * 5 does not, with either sign.
  site_data<1> data{.table = identity_table(), .gamma = {14}};
  data.steps.gamma_out = {.multiplier = 4, .shift = 7, .out = dytq::int8_range};
  const std::array<std::int8_t, 1> alpha{opaque<std::int8_t>(16)};
  layer_site layer{.affine = data.site(), .alpha = alpha};
  layer.alpha_steps = {.activation = halved(0), .alpha = halved(0), .mul_out = halved(4, 0, 0, dytq::int8_range)};
  const auto why = [&](std::int64_t lo, std::int64_t hi) {
    layer.domain = {lo, hi};
    return dytq::count_channel_tables(layer).error();
  };
  return why(-4, 4) == rejection{} && why(-4, 5).why == reason::value_exceeds_shift && why(-4, 5).code == 5 &&
         why(-4, 5).got == 70 && why(-5, 4).why == reason::value_exceeds_shift && why(-5, 4).got == -70 &&
         why(5, 5).why == reason::value_exceeds_shift;
})
