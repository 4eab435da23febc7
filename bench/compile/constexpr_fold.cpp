// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both folds by the compiler: a table, and a linear layer of 64 by 16.
#include <array>
#include <dytq/fold.hpp>

struct folded {
  dytq::table8 table{};
  std::array<std::int8_t, 64 * 16> weight{};
  std::array<std::int32_t, 16> bias{};
};

constexpr folded make() {
  folded f;
  dytq::table8 identity{};
  for (int i = 0; i < 256; ++i) {
    identity[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(i == 0 ? -127 : i - 128);  // -(-128) is no code
  }
  f.table = dytq::fold_alpha_into_lut(
                {.alpha = 100, .steps = {.mul_out = {.multiplier = 1374389535, .shift = 37, .out = dytq::int8_range}}},
                identity)
                .value()
                .table;
  std::array<std::int8_t, 64> gamma{};
  for (std::size_t i = 0; i < 64; ++i) {
    gamma[i] = static_cast<std::int8_t>(i % 2 == 0 ? 64 : -64);
  }
  for (std::size_t i = 0; i < f.weight.size(); ++i) {
    f.weight[i] = static_cast<std::int8_t>(i % 200 - 100);
  }
  dytq::affine_site site{.table = identity, .gamma = gamma};
  site.steps.gamma_out = {.multiplier = 1 << 30, .shift = 36, .out = dytq::int8_range};
  std::array<std::int16_t, 256> lines{};
  const dytq::view<std::int8_t, 2> weight(f.weight.data(), {16, 64});
  dytq::fold_affine_into_conv(site, {.weight = dytq::from_oi(dytq::view<const std::int8_t, 2>(weight))},
                              {dytq::from_oi(weight), f.bias, lines})
      .value();
  return f;
}
static constexpr folded all = make();

int at(int i) { return all.table[static_cast<std::size_t>(i)] + all.weight[static_cast<std::size_t>(i)]; }
