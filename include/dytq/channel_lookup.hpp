// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Per-channel tables at run time: y[c] = tables[index[c]][x[c]].
#ifndef DYTQ_CHANNEL_LOOKUP_HPP
#define DYTQ_CHANNEL_LOOKUP_HPP

#include <cstddef>
#include <cstdint>

#include "operators/memory.hpp"
#include "result.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

/// The layer at run time: output[..., c, ...] = tables[index[c]][input[..., c, ...]], for tensors that are contiguous.
///
/// Shape: input and output of pixels * C codes, NHWC: [pixels, C]; NCHW: [batch, C, pixels of one image]; index [C]
///   into contiguous tables [K, 256]. Unchecked: it is the inner loop that a backend generates; input may be output.
/// Cost: three memory operations and at most two others an element.
constexpr void lookup_channels_nhwc(const std::int8_t* input, std::int8_t* output, std::int64_t pixels,
                                    std::int64_t channels, const std::int32_t* index, const std::int8_t* tables) {
  const std::int8_t* const middle = tables + 128;
  std::int64_t p = 0;
  for (; p + 4 <= pixels; p += 4) {  // four pixels share what a channel costs
    const std::int8_t* in = input + p * channels;
    std::int8_t* out = output + p * channels;
    const std::int32_t* i = index;
    const std::int32_t* const end = index + channels;
    for (; end - i >= 2; i += 2, in += 2, out += 2) {
      const std::int8_t* table = middle + std::int64_t{i[0]} * 256;
      out[0] = table[in[0]];
      out[channels] = table[in[channels]];
      out[2 * channels] = table[in[2 * channels]];
      out[3 * channels] = table[in[3 * channels]];
      table = middle + std::int64_t{i[1]} * 256;
      out[1] = table[in[1]];
      out[channels + 1] = table[in[channels + 1]];
      out[2 * channels + 1] = table[in[2 * channels + 1]];
      out[3 * channels + 1] = table[in[3 * channels + 1]];
    }
    if (i != end) {
      const std::int8_t* const table = middle + std::int64_t{*i} * 256;
      out[0] = table[in[0]];
      out[channels] = table[in[channels]];
      out[2 * channels] = table[in[2 * channels]];
      out[3 * channels] = table[in[3 * channels]];
    }
  }
  const std::int8_t* in = input + p * channels;
  std::int8_t* out = output + p * channels;
  for (std::int64_t left = pixels - p; left > 0; --left, in += channels, out += channels) {
    for (std::int64_t c = 0; c < channels; ++c) {
      out[c] = (middle + std::int64_t{index[c]} * 256)[in[c]];
    }
  }
}

/// As `lookup_channels_nhwc`, for [batch, C, pixels].
constexpr void lookup_channels_nchw(const std::int8_t* input, std::int8_t* output, std::int64_t batch,
                                    std::int64_t channels, std::int64_t pixels, const std::int32_t* index,
                                    const std::int8_t* tables) {
  for (std::int64_t n = 0; n < batch; ++n) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const std::int8_t* const table = tables + 128 + std::int64_t{index[c]} * 256;
      const std::int8_t* const in = input + (n * channels + c) * pixels;
      std::int8_t* const out = output + (n * channels + c) * pixels;
      std::int64_t p = 0;
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
