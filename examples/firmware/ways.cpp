// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ways.hpp"

#include <cstddef>
#include <cstdint>
#include <dytq/layer.hpp>
#include <dytq/table.hpp>

#include "chain.hpp"
#include "layer.hpp"

#if defined(__ARM_FEATURE_MVE)
#include <arm_mve.h>
#endif

namespace firmware {
namespace {

template <class F>
void each_element(std::int8_t* codes, F f) {
  for (std::int64_t p = 0; p < pixels; ++p) {
    for (std::size_t c = 0; c < channels; ++c, ++codes) {
      *codes = static_cast<std::int8_t>(f(*codes, c));
    }
  }
}

}  // namespace

void run_operators(std::int8_t* codes) {
  each_element(codes, [](std::int8_t x, std::size_t c) { return operators.affine(operators.enter(x), c); });
}

void run_alpha_folded(std::int8_t* codes) {
  each_element(codes,
               [](std::int8_t x, std::size_t c) { return operators.affine(alpha_table[dytq::table_index(x)], c); });
}

void run_lines(std::int8_t* codes) {
  each_element(codes, [](std::int8_t x, std::size_t c) {
    const std::int32_t code = alpha_table[dytq::table_index(x)] - channel_lines::input_zp;
    const std::int64_t sum = lines.bias[c] + code * lines.weight[c];
    const int shift = lines.shift[c];
    const std::int64_t scaled = (sum * lines.multiplier[c] + (std::int64_t{1} << (shift - 1))) >> shift;
    return dytq::int8_range.clamp(static_cast<std::int32_t>(scaled) + layer.affine.steps.add_out.output_zp);
  });
}

void run_lookup(std::int8_t* codes) {
  dytq::lookup_channels_nhwc(codes, codes, pixels, channels, tables.index.data(), tables.entries.data());
}

#if defined(__ARM_FEATURE_MVE)

void run_own_lookup(std::int8_t* codes) {
  static_assert(channels % 8 == 0);
  const auto* const entries = reinterpret_cast<const std::uint8_t*>(tables_by_byte.entries.data());
  auto* const bytes = reinterpret_cast<std::uint8_t*>(codes);
  for (std::int64_t c = 0; c < channels; c += 8) {
    const uint16x8_t at = vldrhq_u16(&tables_by_byte.at[static_cast<std::size_t>(c)]);
    std::uint8_t* x = bytes + c;
    for (std::int64_t p = 0; p < pixels; ++p, x += channels) {
      vstrbq_u16(x, vldrbq_gather_offset_u16(entries, vaddq_u16(at, vldrbq_u16(x))));
    }
  }
}

#else

// Channel by channel, so that the table stays in a register.
void run_own_lookup(std::int8_t* codes) {
  static_assert(pixels % 4 == 0);
  auto* bytes = reinterpret_cast<std::uint8_t*>(codes);
  for (const std::uint16_t at : tables_by_byte.at) {
    const auto* const table = reinterpret_cast<const std::uint8_t*>(tables_by_byte.entries.data()) + at;
    std::uint8_t* x = bytes++;
    for (int n = pixels / 4; n != 0; --n) {
      x[0] = table[x[0]];
      x[channels] = table[x[channels]];
      x[2 * channels] = table[x[2 * channels]];
      x[3 * channels] = table[x[3 * channels]];
      x += 4 * channels;
    }
  }
}

#endif

}  // namespace firmware
