// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lookup over views: every layout, and what it refuses. The loops themselves: channel_tables_test.cpp.
#include <dytq/channel_lookup.hpp>

#include <array>
#include <cstdint>

#include "support/both_worlds.hpp"

using dytq::lookup_channels_nchw;
using dytq::lookup_channels_nhwc;
using dytq::reason;
using dytq::view;
using dytq_tests::opaque;

namespace {

// Two tables, x + 1 and -x - 1 as bytes; three channels, five pixels.
struct layer {
  static constexpr std::int64_t pixels = 5, channels = 3;

  std::array<std::int8_t, 512> tables{};
  std::array<std::int32_t, 3> index{1, 0, 1};
  std::array<std::int8_t, 15> input{};
  std::array<std::int8_t, 40> output{};

  constexpr layer() {
    for (int i = 0; i < 256; ++i) {
      tables[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(static_cast<std::uint8_t>(i - 128 + 1));
      tables[static_cast<std::size_t>(i + 256)] = static_cast<std::int8_t>(128 - 1 - i);
    }
    for (std::size_t i = 0; i < 15; ++i) {
      input[i] = static_cast<std::int8_t>(static_cast<int>(i) * 17 - 128);
    }
  }
  static constexpr std::int8_t wanted(std::int64_t channel, std::int8_t x) {
    return channel == 1 ? static_cast<std::int8_t>(static_cast<std::uint8_t>(x + 1)) : static_cast<std::int8_t>(-1 - x);
  }
  constexpr view<const std::int8_t, 2> all_tables() const { return {tables.data(), {2, 256}}; }
  constexpr view<const std::int8_t, 2> nhwc() const { return {input.data(), {pixels, channels}}; }
  constexpr view<const std::int8_t, 3> nchw() const { return {input.data(), {1, channels, pixels}}; }

  // Is every element of the output that of the tables, and nothing else written?
  constexpr bool right(const view<const std::int8_t, 2>& in, const view<std::int8_t, 2>& out) {
    output = {};
    if (!lookup_channels_nhwc(in, out, index, all_tables())) {
      return false;
    }
    int zeros = 0;
    for (std::int64_t p = 0; p < pixels; ++p) {
      for (std::int64_t c = 0; c < channels; ++c) {
        if (out(p, c) != wanted(c, in(p, c))) {
          return false;
        }
        zeros += out(p, c) == 0 ? 1 : 0;
      }
    }
    for (const std::int8_t v : output) {
      zeros -= v == 0 ? 1 : 0;
    }
    return zeros == 15 - 40;
  }
  constexpr reason refused(const view<const std::int8_t, 2>& in, const view<std::int8_t, 2>& out,
                           const view<const std::int32_t>& k, const view<const std::int8_t, 2>& t) {
    output = {};
    const reason why = lookup_channels_nhwc(in, out, k, t).error().why;
    return output == std::array<std::int8_t, 40>{} ? why : reason::count_;
  }
};

}  // namespace

TEST_BOTH("contiguous, padded, and transposed tensors", {
  layer l;
  return l.right(l.nhwc(), {l.output.data(), {opaque(5), 3}}) && l.right(l.nhwc(), {l.output.data(), {5, 3}, {8, 2}}) &&
         l.right(l.nhwc(), {l.output.data(), {5, 3}, {1, 5}}) &&
         l.right({l.input.data(), {5, 3}, {1, 5}}, {l.output.data(), {5, 3}}) &&
         l.right({l.input.data() + 14, {5, 3}, {-3, -1}}, {l.output.data(), {5, 3}}) &&
         l.right({l.input.data(), {5, 3}, {0, 1}}, {l.output.data(), {5, 3}});
})

TEST_BOTH("NCHW is NHWC with other strides", {
  layer l;
  const view<std::int8_t, 3> out(l.output.data(), {opaque(1), 3, 5});
  if (!lookup_channels_nchw(l.nchw(), out, l.index, l.all_tables())) {
    return false;
  }
  for (std::int64_t c = 0; c < 3; ++c) {
    for (std::int64_t p = 0; p < 5; ++p) {
      if (out(0, c, p) != layer::wanted(c, l.nchw()(0, c, p))) {
        return false;
      }
    }
  }
  const view<std::int8_t, 3> padded(l.output.data(), {1, 3, 5}, {40, 10, 2});
  return lookup_channels_nchw(l.nchw(), padded, l.index, l.all_tables()) &&
         padded(0, 2, 4) == layer::wanted(2, l.input[14]) &&
         lookup_channels_nchw({nullptr, {0, 3, 5}}, {nullptr, {0, 3, 5}}, l.index, l.all_tables()) &&
         lookup_channels_nchw(l.nchw(), {l.output.data(), {1, 5, 3}}, l.index, l.all_tables()).error().why ==
             reason::shape_mismatch;
})

TEST_BOTH("tables and indices with strides", {
  layer l;
  std::array<std::int8_t, 1024> apart{};
  for (std::size_t i = 0; i < 512; ++i) {
    apart[2 * i] = l.tables[i];
  }
  const std::array<std::int32_t, 6> every_second{1, 9, 0, 9, 1, 9};
  const view<std::int8_t, 2> out(l.output.data(), {opaque(5), 3});
  return lookup_channels_nhwc(l.nhwc(), out, view<const std::int32_t>(every_second.data(), {3}, {2}),
                              {apart.data(), {2, 256}, {512, 2}}) &&
         out(4, 2) == layer::wanted(2, l.input[14]) && out(4, 1) == layer::wanted(1, l.input[13]);
})

TEST_BOTH("one strided argument is enough for the other loop, in both layouts", {
  layer l;
  std::array<std::int8_t, 1024> apart{};
  for (std::size_t i = 0; i < 512; ++i) {
    apart[2 * i] = l.tables[i];
  }
  const std::array<std::int32_t, 6> every_second{1, 9, 0, 9, 1, 9};
  const view<const std::int32_t> strided_index(every_second.data(), {3}, {opaque<std::int64_t>(2)});
  const view<const std::int8_t, 2> strided_tables(apart.data(), {2, 256}, {512, opaque<std::int64_t>(2)});
  const view<const std::int8_t, 3> strided_input(l.input.data(), {1, 3, 5}, {15, 1, opaque<std::int64_t>(3)});
  const auto nhwc = [&](const view<const std::int32_t>& index, const view<const std::int8_t, 2>& tables) {
    l.output = {};
    const view<std::int8_t, 2> out(l.output.data(), {5, 3});
    bool right = lookup_channels_nhwc(l.nhwc(), out, index, tables).has_value();
    for (std::size_t i = 0; i < 15; ++i) {
      right = right && l.output[i] == layer::wanted(static_cast<std::int64_t>(i % 3), l.input[i]);
    }
    return right;
  };
  const auto nchw = [&](const view<const std::int8_t, 3>& input, const view<const std::int32_t>& index,
                        const view<const std::int8_t, 2>& tables) {
    l.output = {};
    const view<std::int8_t, 3> out(l.output.data(), {1, 3, 5});
    bool right = lookup_channels_nchw(input, out, index, tables).has_value();
    for (std::int64_t c = 0; c < 3; ++c) {
      for (std::int64_t p = 0; p < 5; ++p) {
        right = right && out(0, c, p) == layer::wanted(c, input(0, c, p));
      }
    }
    return right;
  };
  return nhwc(l.index, l.all_tables()) && nhwc(strided_index, l.all_tables()) && nhwc(l.index, strided_tables) &&
         nchw(l.nchw(), l.index, l.all_tables()) && nchw(strided_input, l.index, l.all_tables()) &&
         nchw(l.nchw(), strided_index, l.all_tables()) && nchw(l.nchw(), l.index, strided_tables) &&
         lookup_channels_nhwc({nullptr, {opaque<std::int64_t>(0), 3}}, {nullptr, {0, 3}}, l.index, l.all_tables());
})

TEST_BOTH("in place", {
  layer l;
  const view<std::int8_t, 2> both(l.input.data(), {opaque(5), 3});
  const layer before;
  return lookup_channels_nhwc(both, both, l.index, l.all_tables()) && both(3, 1) == layer::wanted(1, before.input[10]);
})

// A pixel that is mapped twice would show: a table of a table.
TEST_BOTH("in place, every pixel once", {
  layer l;
  const view<std::int8_t, 3> both(l.input.data(), {1, 3, opaque(5)});
  const layer before;
  bool once = lookup_channels_nchw(both, both, l.index, l.all_tables()).has_value();
  for (std::size_t i = 0; i < 15; ++i) {
    once = once && l.input[i] == layer::wanted(static_cast<std::int64_t>(i / 5), before.input[i]);
  }
  return once;
})

TEST_BOTH("what it refuses leaves the output as it was", {
  layer l;
  const view<std::int8_t, 2> out(l.output.data(), {opaque(5), 3});
  const std::array<std::int32_t, 3> beyond{0, 2, 0}, negative{0, 1, -1};
  return l.refused(l.nhwc(), out, l.index, l.all_tables()) == reason::count_ &&  // it does not
         l.refused(l.nhwc(), {l.output.data(), {3, 5}}, l.index, l.all_tables()) == reason::shape_mismatch &&
         l.refused(l.nhwc(), out, view<const std::int32_t>(l.index.data(), {2}), l.all_tables()) ==
             reason::size_mismatch &&
         l.refused(l.nhwc(), out, l.index, {l.tables.data(), {2, 255}}) == reason::table_size &&
         l.refused(l.nhwc(), out, beyond, l.all_tables()) == reason::code_out_of_range &&
         l.refused(l.nhwc(), out, negative, l.all_tables()) == reason::code_out_of_range &&
         l.refused({nullptr, {5, 3}}, out, l.index, l.all_tables()) == reason::null_view &&
         l.refused(l.nhwc(), {l.output.data(), {5, 3}, {0, 1}}, l.index, l.all_tables()) == reason::aliased_output &&
         l.refused({l.input.data(), {-1, 3}}, out, l.index, l.all_tables()) == reason::negative_extent &&
         lookup_channels_nhwc(l.nhwc(), out, beyond, l.all_tables()).error() ==
             dytq::rejection{
                 .why = reason::code_out_of_range, .at = dytq::place::index, .channel = 1, .expected = 1, .got = 2};
})

TEST_CASE("an output that overlaps the input in part") {
  layer l;
  const view<std::int8_t, 2> shifted(l.input.data() + 1, {4, 3});
  CHECK(lookup_channels_nhwc({l.input.data(), {4, 3}}, shifted, l.index, l.all_tables()).error().why ==
        reason::overlapping_views);
}
