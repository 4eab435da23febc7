// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dyt1 of the network in examples/digits, and its tables: all of them made and proven by the compiler.
#ifndef DYTQ_FIRMWARE_LAYER_HPP
#define DYTQ_FIRMWARE_LAYER_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <dytq/fit_line.hpp>
#include <dytq/fold.hpp>
#include <dytq/layer.hpp>
#include <dytq/lut.hpp>
#include <dytq/rescale.hpp>

#include "network_data.hpp"

namespace firmware {

inline constexpr const demo::dyt_layer& layer = demo::layer1;
inline constexpr std::int64_t channels = layer.shape[2];
inline constexpr std::int64_t pixels = layer.shape[0] * layer.shape[1];

/// The TABLE itself, from its scales as digits_dyt.json has them; it is the one in the network.
inline constexpr dytq::table8 function_table =
    dytq::make_lut8(dytq::functions::tanh, {.scale = 0x1.e923240000000p-7, .zero_point = -4},
                    {.scale = 0x1.e8ae9a0000000p-8, .zero_point = 0})
        .value();
static_assert(function_table ==
              dytq::make_table([](std::int8_t code) { return layer.affine.table(code + 128); }).value());

/// Alpha in the TABLE: four operators become one.
inline constexpr dytq::table8 alpha_table = dytq::fold_alpha_into_lut(layer.alpha, function_table).value().table;

/// Gamma and beta too: ten operators become one lookup, in the table of the channel.
struct channel_tables {
  std::array<std::int32_t, channels> index{};
  std::array<std::int8_t, channels * 256> entries{};
};
inline constexpr channel_tables tables = [] {
  channel_tables made;
  const std::int8_t alpha[] = {static_cast<std::int8_t>(layer.alpha.alpha)};
  const dytq::layer_site site{.affine = layer.affine, .alpha = alpha, .alpha_steps = layer.alpha.steps};
  const dytq::view<std::int8_t, 2> entries(made.entries.data(), {channels, 256});
  (void)dytq::make_channel_tables(site, made.index, entries).value();
  return made;
}();

/// Gamma and beta as a line through one rounding for each channel: after the TABLE a depthwise 1 x 1 convolution and
/// its RESCALE, which every target has. 10 bytes a channel in place of 256.
struct channel_lines {
  static constexpr std::int32_t input_zp = layer.affine.table_zp;

  std::array<std::int8_t, channels> weight{};
  std::array<std::int32_t, channels> bias{};
  std::array<std::int32_t, channels> multiplier{};
  std::array<std::int8_t, channels> shift{};
};
inline constexpr channel_lines lines = [] {
  channel_lines made;
  for (std::size_t c = 0; c < channels; ++c) {
    // What the channel makes of each code that the TABLE emits.
    std::array<std::int16_t, 256> made_of{};
    made_of.fill(1000);
    for (std::size_t i = 0; i < 256; ++i) {
      const std::size_t entry = static_cast<std::size_t>(tables.index[c]) * 256 + i;
      made_of[dytq::table_index(alpha_table[i])] = tables.entries[entry];
    }
    std::array<std::int16_t, 256> codes{};
    std::array<std::int16_t, 256> values{};
    std::int64_t count = 0;
    for (std::size_t q = 0; q < 256; ++q) {
      if (made_of[q] != 1000) {
        codes[static_cast<std::size_t>(count)] = static_cast<std::int16_t>(static_cast<int>(q) - 128);
        values[static_cast<std::size_t>(count++)] = made_of[q];
      }
    }
    const dytq::rounded_line line =
        dytq::fit_line(dytq::view<const std::int16_t>(codes.data(), {count}),
                       dytq::view<const std::int16_t>(values.data(), {count}),
                       {.input_zp = channel_lines::input_zp, .output_zp = layer.affine.steps.add_out.output_zp})
            .value();
    made.weight[c] = static_cast<std::int8_t>(line.weight);
    made.bias[c] = line.bias;
    made.multiplier[c] = line.multiplier;
    made.shift[c] = static_cast<std::int8_t>(line.shift);
  }
  return made;
}();

/// The same for a loop of one's own. Entries are in the order of the codes' bytes, -1 being 255: a byte is an index as
/// it is loaded. One table a channel, shared or not: `at` is where it begins.
struct byte_tables {
  std::array<std::int8_t, channels * 256> entries{};
  std::array<std::uint16_t, channels> at{};
};
inline constexpr byte_tables tables_by_byte = [] {
  byte_tables made;
  for (std::size_t c = 0; c < channels; ++c) {
    made.at[c] = static_cast<std::uint16_t>(tables.index[c] * 256);
  }
  for (std::size_t i = 0; i < made.entries.size(); ++i) {
    made.entries[i] = tables.entries[i ^ 128];
  }
  return made;
}();

}  // namespace firmware

#endif
