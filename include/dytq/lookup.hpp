// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables at run time, per tensor and per channel. Lookups are unchecked: every code of the type has an entry.
#ifndef DYTQ_LOOKUP_HPP
#define DYTQ_LOOKUP_HPP

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "operators/footprint.hpp"
#include "result.hpp"
#include "table.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

/// The int8 table in the order of the codes' bytes, 0 ... 127, -128 ... -1: a byte is an index as it is loaded.
/// TFLite's tables have this order.
struct byte_table8 {
  std::array<std::int8_t, 256> entries{};  ///< entry i is for the code whose byte is i

  friend constexpr bool operator==(const byte_table8&, const byte_table8&) = default;
};

/// The same table in the order of the bytes.
constexpr byte_table8 to_byte_order(const table8& table) {
  byte_table8 by_byte;
  for (std::size_t i = 0; i < 256; ++i) {
    by_byte.entries[i ^ 128] = table[i];
  }
  return by_byte;
}

/// The same table in the order of the codes.
constexpr table8 to_code_order(const byte_table8& table) {
  table8 by_code{};
  for (std::size_t i = 0; i < 256; ++i) {
    by_code[i] = table.entries[i ^ 128];
  }
  return by_code;
}

/// The entry of an int8 code.
constexpr std::int8_t lookup_code(const table8& table, std::int8_t code) { return (table.data() + 128)[code]; }

/// The entry of an int8 code, in the table that has the order of the bytes.
constexpr std::int8_t lookup_code(const byte_table8& table, std::int8_t code) {
  return table.entries.data()[static_cast<std::uint8_t>(code)];
}

/// The entry of a uint8 code, in a table that was made from `from_uint8` parameters.
constexpr std::uint8_t lookup_code(const table8& table, std::uint8_t code) {
  return static_cast<std::uint8_t>(table.data()[code] + 128);
}

/// The 513 entries of TFLite's int16 lookup: entry i is for the code (65535 / 512) i - 32768, which is no integer, and
/// corrected by half of the interpolation's error in the middle of its interval. See `make_tflite_lut16`.
struct tflite_table16 {
  std::array<std::int16_t, 513> entries{};  ///< in the order of the codes

  friend constexpr bool operator==(const tflite_table16&, const tflite_table16&) = default;
};

/// An int16 table in the order of the codes: a `stepped_table16`.
template <class Table>
concept interpolated_table = std::same_as<Table, table16> || std::same_as<Table, stepped_table16<64>> ||
    std::same_as<Table, stepped_table16<32>>;

namespace detail {

/// The interval of a code and its position in it, in units of 2^-Bits.
template <int Bits>
struct table_interval {
  std::int32_t base;      // the left entry
  std::int32_t slope;     // the right one less the left one
  std::int32_t fraction;  // the position

  constexpr table_interval(const std::int16_t* entries, std::int16_t code) {
    const std::int32_t from_zero = code + 32768;
    const std::int16_t* const entry = entries + (from_zero >> Bits);
    base = entry[0];
    slope = entry[1] - base;
    fraction = from_zero & ((std::int32_t{1} << Bits) - 1);
  }
};

template <class Table>
inline constexpr int fraction_bits = 17 - std::bit_width(std::tuple_size_v<Table> - 1);

}  // namespace detail

/// TOSA TABLE, int16, without the check of the slope: interpolation between two entries.
///
/// Formula: Step * table[i] + (table[i + 1] - table[i]) * fraction; i is the interval, fraction the place in it.
/// Range: any table, any code. The result has the entries' 16 bits and log2(Step) more: 7 for TOSA's table. Between
///   neighbours that differ by more than int16 holds, where TOSA's result is unpredictable, it is on the line too.
/// Source: TOSA 1.0, TABLE.
template <interpolated_table Table>
constexpr std::int32_t interpolate(const Table& table, std::int16_t code) {
  constexpr int bits = detail::fraction_bits<Table>;
  const detail::table_interval<bits> at(table.data(), code);
  return at.base * (std::int32_t{1} << bits) + at.slope * at.fraction;
}

/// The interpolated value as an int16 code, rounded half up.
///
/// Formula: (interpolate(table, code) + Step / 2) >> log2(Step).
/// Source: TOSA 1.0, TABLE, then RESCALE to int16 by 1 / Step with SINGLE_ROUND.
template <interpolated_table Table>
constexpr std::int16_t interpolate_code(const Table& table, std::int16_t code) {
  constexpr int bits = detail::fraction_bits<Table>;
  return static_cast<std::int16_t>((interpolate(table, code) + (std::int32_t{1} << (bits - 1))) >> bits);
}

/// TFLite's lookup of an int16 code.
///
/// Formula: table[i] + ((table[i + 1] - table[i]) * fraction + 64) >> 7, the difference as an int16.
/// Range: any table, any code. A difference that leaves int16 wraps, as it does there; so does the sum.
/// Source: LUTLookup in tensorflow/lite/kernels/internal/common.h.
constexpr std::int16_t interpolate_code(const tflite_table16& table, std::int16_t code) {
  const detail::table_interval<7> at(table.entries.data(), code);
  return static_cast<std::int16_t>(at.base + ((static_cast<std::int16_t>(at.slope) * at.fraction + 64) >> 7));
}

/// `lookup_code` for each of `count` codes. Shape: input and output of `count` codes, the same or disjoint.
/// Table: a table8 or a byte_table8.
template <class Table, class Code>
requires requires(const Table& table, Code code) { lookup_code(table, code); }
constexpr void lookup_codes(const Table& table, const Code* input, Code* output, std::size_t count) {
  for (; count != 0; --count) {
    *output++ = lookup_code(table, *input++);
  }
}

/// `interpolate_code` for each of `count` codes. Shape: input and output of `count` codes, the same or disjoint.
template <class Table>
requires requires(const Table& table, std::int16_t code) { interpolate_code(table, code); }
constexpr void interpolate_codes(const Table& table, const std::int16_t* input, std::int16_t* output,
                                 std::size_t count) {
  for (; count != 0; --count) {
    *output++ = interpolate_code(table, *input++);
  }
}

/// The layer at run time: output[..., c, ...] = tables[index[c]][input[..., c, ...]], for tensors that are contiguous.
///
/// Shape: input and output of pixels * C codes, NHWC: [pixels, C]; NCHW: [batch, C, pixels of one image]; index [C]
///   into contiguous tables [K, 256]. Unchecked: it is the inner loop that a backend generates; input may be output.
/// Cost: three memory operations and at most two others an element.
constexpr void lookup_channels_nhwc(const std::int8_t* input, std::int8_t* output, std::int64_t pixel_count,
                                    std::int64_t channel_count, const std::int32_t* index, const std::int8_t* tables) {
  // Where a pointer has 32 bits, so have the counts: products of 64 would ask for the compiler's library.
  const auto channels = static_cast<std::ptrdiff_t>(channel_count);
  auto left = static_cast<std::ptrdiff_t>(pixel_count);
  const std::int8_t* const middle = tables + 128;
  for (; left >= 4; left -= 4, input += 4 * channels, output += 4 * channels) {  // they share what a channel costs
    const std::int8_t* in = input;
    std::int8_t* out = output;
    const std::int32_t* i = index;
    const std::int32_t* const end = index + channels;
    for (; end - i >= 2; i += 2, in += 2, out += 2) {
      const std::int8_t* table = middle + std::ptrdiff_t{i[0]} * 256;
      out[0] = table[in[0]];
      out[channels] = table[in[channels]];
      out[2 * channels] = table[in[2 * channels]];
      out[3 * channels] = table[in[3 * channels]];
      table = middle + std::ptrdiff_t{i[1]} * 256;
      out[1] = table[in[1]];
      out[channels + 1] = table[in[channels + 1]];
      out[2 * channels + 1] = table[in[2 * channels + 1]];
      out[3 * channels + 1] = table[in[3 * channels + 1]];
    }
    if (i != end) {
      const std::int8_t* const table = middle + std::ptrdiff_t{*i} * 256;
      out[0] = table[in[0]];
      out[channels] = table[in[channels]];
      out[2 * channels] = table[in[2 * channels]];
      out[3 * channels] = table[in[3 * channels]];
    }
  }
  for (; left > 0; --left, input += channels, output += channels) {
    for (std::ptrdiff_t c = 0; c < channels; ++c) {
      output[c] = (middle + std::ptrdiff_t{index[c]} * 256)[input[c]];
    }
  }
}

/// As `lookup_channels_nhwc`, for [batch, C, pixels].
constexpr void lookup_channels_nchw(const std::int8_t* input, std::int8_t* output, std::int64_t batch_count,
                                    std::int64_t channel_count, std::int64_t pixel_count, const std::int32_t* index,
                                    const std::int8_t* tables) {
  const auto batch = static_cast<std::ptrdiff_t>(batch_count), pixels = static_cast<std::ptrdiff_t>(pixel_count),
             channels = static_cast<std::ptrdiff_t>(channel_count);
  for (std::ptrdiff_t n = 0; n < batch; ++n) {
    for (std::ptrdiff_t c = 0; c < channels; ++c) {
      const std::int8_t* const table = tables + 128 + std::ptrdiff_t{index[c]} * 256;
      const std::int8_t* const in = input + (n * channels + c) * pixels;
      std::int8_t* const out = output + (n * channels + c) * pixels;
      std::ptrdiff_t p = 0;
      for (; p + 4 <= pixels; p += 4) {
        out[p] = table[in[p]];
        out[p + 1] = table[in[p + 1]];
        out[p + 2] = table[in[p + 2]];
        out[p + 3] = table[in[p + 3]];
      }
      for (; p < pixels; ++p) {
        out[p] = table[in[p]];
      }
    }
  }
}

namespace detail {

template <class T, std::size_t Rank>
constexpr bool is_row_major(const view<T, Rank>& v) {
  return v == view<T, Rank>(v.data, v.extents);
}

// The arguments of a lookup over [batch, C, pixels] in any layout. Nothing is written before all is right.
constexpr verdict validate_lookup(const view<const std::int8_t, 3>& input, const view<std::int8_t, 3>& output,
                                  const view<const std::int32_t>& index, const view<const std::int8_t, 2>& tables) {
  if (const verdict v = validate_arguments(
          {output.occupies(place::output)},
          {input.occupies(place::input), index.occupies(place::index), tables.occupies(place::table)});
      !v) {
    return v;
  }
  if (!same_extents(input, output)) {
    return rejection{.why = reason::shape_mismatch, .at = place::output};
  }
  if (index.extent(0) != input.extent(1)) {
    return rejection{
        .why = reason::size_mismatch, .at = place::index, .expected = input.extent(1), .got = index.extent(0)};
  }
  if (tables.extent(1) != 256) {
    return rejection{.why = reason::table_size, .at = place::table, .expected = 256, .got = tables.extent(1)};
  }
  for (std::int64_t c = 0; c < index.extent(0); ++c) {
    const std::int64_t k = index.data[index.offset({c})];
    if (k < 0 || k >= tables.extent(0)) {
      return rejection{.why = reason::code_out_of_range,
                       .at = place::index,
                       .channel = c,
                       .expected = k < 0 ? 0 : tables.extent(0) - 1,
                       .got = k};
    }
  }
  return accepted{};
}

// Any strides, one element after the other.
constexpr void lookup_strided(const view<const std::int8_t, 3>& input, const view<std::int8_t, 3>& output,
                              const view<const std::int32_t>& index, const view<const std::int8_t, 2>& tables) {
  for (std::int64_t n = 0; n < input.extent(0); ++n) {
    for (std::int64_t c = 0; c < input.extent(1); ++c) {
      const std::int8_t* const middle = tables.data + tables.offset({index.data[index.offset({c})], 128});
      for (std::int64_t p = 0; p < input.extent(2); ++p) {
        output.data[output.offset({n, c, p})] = middle[input.data[input.offset({n, c, p})] * tables.strides[1]];
      }
    }
  }
}

}  // namespace detail

/// The layer at run time, over tensors of any strides: output(p, c) = tables(index(c), input(p, c) + 128).
///
/// Shape: input and output [pixels, C], index [C], tables [K, 256]. The output may be the input.
/// Errors: those of the views; overlapping_views; shape_mismatch; size_mismatch: index; table_size; code_out_of_range:
///   an index that no table has, with its channel. A refusal leaves the output untouched.
/// Cost: that of the loop above where input, output, index and tables are contiguous.
constexpr verdict lookup_channels_nhwc(const view<const std::int8_t, 2>& input, const view<std::int8_t, 2>& output,
                                       const view<const std::int32_t>& index,
                                       const view<const std::int8_t, 2>& tables) {
  // [pixels, C] as [1, C, pixels].
  const view<const std::int8_t, 3> from(input.data, {1, input.extents[1], input.extents[0]},
                                        {0, input.strides[1], input.strides[0]});
  const view<std::int8_t, 3> to(output.data, {1, output.extents[1], output.extents[0]},
                                {0, output.strides[1], output.strides[0]});
  if (const verdict v = detail::validate_lookup(from, to, index, tables); !v || input.empty()) {
    return v;
  }
  if (detail::is_row_major(input) && detail::is_row_major(output) && detail::is_row_major(index) &&
      detail::is_row_major(tables)) {
    lookup_channels_nhwc(input.data, output.data, input.extent(0), input.extent(1), index.data, tables.data);
  } else {
    detail::lookup_strided(from, to, index, tables);
  }
  return accepted{};
}

/// The same for input and output [batch, C, pixels].
constexpr verdict lookup_channels_nchw(const view<const std::int8_t, 3>& input, const view<std::int8_t, 3>& output,
                                       const view<const std::int32_t>& index,
                                       const view<const std::int8_t, 2>& tables) {
  if (const verdict v = detail::validate_lookup(input, output, index, tables); !v || input.empty()) {
    return v;
  }
  if (detail::is_row_major(input) && detail::is_row_major(output) && detail::is_row_major(index) &&
      detail::is_row_major(tables)) {
    lookup_channels_nchw(input.data, output.data, input.extent(0), input.extent(1), input.extent(2), index.data,
                         tables.data);
  } else {
    detail::lookup_strided(input, output, index, tables);
  }
  return accepted{};
}

}  // namespace v0
}  // namespace dytq

#endif
