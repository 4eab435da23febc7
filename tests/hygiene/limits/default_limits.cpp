// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What must compile within every compiler's default limits on constant expressions: each table by itself, and each fold
// of 64 channels by itself. Compiling this file is the test.
#include <array>
#include <cstddef>
#include <cstdint>
#include <dytq/fold.hpp>
#include <dytq/layer.hpp>
#include <dytq/lut.hpp>
#include <dytq/lut16.hpp>
#include <dytq/plan.hpp>

namespace {

constexpr dytq::qparams in{.scale = 0.05, .zero_point = 3};
constexpr dytq::qparams out{.scale = 1.0 / 128};
constexpr dytq::qparams in16{.scale = 1.0 / 4096};
constexpr dytq::qparams out16{.scale = 1.0 / 32768};

static_assert(dytq::make_lut8(dytq::functions::tanh, in, out));
static_assert(dytq::make_lut8(dytq::functions::logistic, in, out));
static_assert(dytq::make_lut8(dytq::functions::erf, in, out));
static_assert(dytq::make_lut8(dytq::functions::exp, in, out));
static_assert(dytq::make_lut8(dytq::functions::gelu, in, out));
static_assert(dytq::make_lut8(dytq::functions::silu, in, out));
static_assert(dytq::make_lut8(dytq::functions::isru, in, out));
static_assert(dytq::make_lut8(dytq::functions::arctan, in, out));
static_assert(dytq::make_lut8(dytq::functions::tanh, in, out, {.arithmetic = dytq::numerics::float32}));
static_assert(dytq::make_lut16(dytq::functions::tanh, in16, out16));
static_assert(dytq::make_lut16(dytq::functions::erf, in16, out16));

constexpr std::int64_t channels = 64;

// All 256 codes, 64 different gammas.
struct site_data {
  dytq::table8 table{};
  std::array<std::int8_t, channels> gamma{};
  std::array<std::int8_t, channels> beta{};

  constexpr site_data(bool affine) {
    for (std::size_t i = 0; i < 256; ++i) {
      table[i] = static_cast<std::int8_t>(static_cast<int>(i) - 128);
    }
    for (std::size_t c = 0; c < channels; ++c) {
      gamma[c] = static_cast<std::int8_t>(affine ? 1 : 64 + c);
      beta[c] = static_cast<std::int8_t>(affine ? 0 : c);
    }
  }
  constexpr dytq::affine_site site(bool affine) const {
    dytq::affine_site s{.table = table, .gamma = gamma, .beta = beta};
    s.steps.gamma_out = {.shift = affine ? 30 : 36, .out = dytq::int8_range};
    s.steps.add_out = {.out = dytq::int8_range};
    return s;
  }
};

// Into a convolution with `inputs` channels in each of `groups` groups and a kernel of `size` times `size`.
template <std::int64_t Inputs, std::int64_t Groups, std::int64_t Size, bool Padded = false>
constexpr bool folds_into_conv() {
  const site_data data(true);
  constexpr std::size_t count = channels * Size * Size * Inputs;
  std::array<std::int8_t, count> weight{};
  for (std::size_t i = 0; i < count; ++i) {
    weight[i] = static_cast<std::int8_t>(i % 7);
  }
  std::array<std::int8_t, count> new_weight{};
  std::array<std::int32_t, channels> bias{};
  std::array<std::int16_t, 4 * channels> lines{};
  constexpr std::array<std::int64_t, 4> shape{channels, Size, Size, Inputs};
  dytq::convolution conv{.weight = dytq::from_ohwi(dytq::view<const std::int8_t, 4>(weight.data(), shape))};
  conv.groups = Groups;
  conv.axes = dytq::unpadded;
  if (Padded) {
    conv.axes[1] = conv.axes[2] = {.input = 14, .before = 1, .after = 1};
  }
  const auto fold = dytq::fold_affine_into_conv(
      data.site(true), conv, {dytq::from_ohwi(dytq::view<std::int8_t, 4>(new_weight.data(), shape)), bias, lines});
  return fold && !fold->constants_changed();
}
static_assert(folds_into_conv<channels, 1, 1>());
static_assert(folds_into_conv<1, channels, 3>());
static_assert(folds_into_conv<1, channels, 3, true>());

constexpr bool becomes_tables() {
  const site_data data(false);
  std::array<std::int32_t, channels> index{};
  std::array<std::int8_t, channels * 256> tables{};
  return *dytq::make_channel_tables({.affine = data.site(false)}, index,
                                    dytq::view<std::int8_t, 2>(tables.data(), {channels, 256})) == channels;
}
static_assert(becomes_tables());

// A chain of 16 channels and ten operators, from alpha to beta.
constexpr bool plans_chain() {
  constexpr std::int64_t count = 16;
  std::array<std::int8_t, count> gamma{};
  std::array<std::int8_t, count> beta{};
  std::array<std::int8_t, 256> table{};
  const std::int8_t alpha[] = {90};
  for (int c = 0; c < count; ++c) {
    gamma[static_cast<std::size_t>(c)] = static_cast<std::int8_t>(c % 3 == 0 ? -60 - c : 70 + c);
    beta[static_cast<std::size_t>(c)] = static_cast<std::int8_t>(3 * c - 20);
  }
  for (int i = 0; i < 256; ++i) {
    const int x = i - 128;
    const int y = 127 * x * x / (x * x + 2000);
    table[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(x < 0 ? -y : y);
  }
  using dytq::operation;
  const dytq::chain_step steps[] = {
      {.wide = true},
      {.op = operation::mul, .codes = dytq::view<const std::int8_t>(alpha, {count}, {0})},
      {.scale = {.shift = 37, .output_zp = 3, .out = dytq::int8_range}},
      {.op = operation::table, .table = table},
      {.wide = true},
      {.op = operation::mul, .codes = gamma},
      {.scale = {.multiplier = 1500000000, .shift = 38, .output_zp = 1, .out = dytq::int8_range}},
      {.scale = {.multiplier = 1 << 30, .shift = 12, .input_zp = 1}, .wide = true},
      {.op = operation::add, .scale = {.multiplier = 1 << 30, .shift = 13}, .codes = beta},
      {.scale = {.multiplier = 1700000000, .shift = 49, .output_zp = -4, .out = dytq::int8_range}}};
  const dytq::chain chain{.steps = steps, .channels = count};
  std::array<std::int8_t, 256 * (3 + 2 * count)> codes{};
  std::array<std::int32_t, count> numbers{};
  const auto sizes = dytq::plan_workspace_sizes(chain).value();
  const auto p = dytq::plan(chain, {.codes = dytq::view<std::int8_t>(codes.data(), {sizes.codes}), .numbers = numbers});
  return p && p->operators == 5;
}
static_assert(plans_chain());

}  // namespace
