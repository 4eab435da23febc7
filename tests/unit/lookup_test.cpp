// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lookups of codes, of every code; the lookup per channel over views: every layout, and what it refuses. The loops per
// channel themselves: channel_tables_test.cpp.
#include <dytq/lookup.hpp>
#include <dytq/rescale.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

#include "support/both_worlds.hpp"

using dytq::interpolate;
using dytq::interpolate_code;
using dytq::lookup_channels_nchw;
using dytq::lookup_channels_nhwc;
using dytq::lookup_code;
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

namespace {

// A table in which every entry is another byte: neighbours and mirror images are told apart.
constexpr dytq::table8 scrambled() {
  dytq::table8 table{};
  for (std::size_t i = 0; i < 256; ++i) {
    table[i] = static_cast<std::int8_t>(static_cast<std::uint8_t>(i * 77 + 13));
  }
  return table;
}

// Entries that go up and down by as much as int16 holds, or by twice as much.
template <class Table>
constexpr Table zigzag(bool steep) {
  Table table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto noise = static_cast<std::int32_t>((i * 2654435761u >> 7) & 0x3fff);
    table[i] =
        static_cast<std::int16_t>(i % 2 == 0 ? (steep ? -32768 : -16384) + noise : (steep ? 32767 : 16383) - noise);
  }
  return table;
}

// The line between two entries, in 64 bits, by division instead of bits.
template <class Table>
constexpr std::int64_t line(const Table& table, std::int64_t code) {
  const auto step = static_cast<std::int64_t>(65536 / (table.size() - 1));
  const std::int64_t i = (code + 32768) / step, place = (code + 32768) % step;
  const std::int64_t left = table[static_cast<std::size_t>(i)], right = table[static_cast<std::size_t>(i) + 1];
  return left * (step - place) + right * place;
}

template <class Table>
constexpr bool all_on_the_line(std::int64_t every) {
  for (const bool steep : {false, true}) {
    const Table table = zigzag<Table>(steep);
    const auto step = static_cast<std::int64_t>(65536 / (table.size() - 1));
    for (std::int64_t code = -32768; code < 32768; code += every) {
      const auto c = opaque(static_cast<std::int16_t>(code));
      const std::int64_t wanted = line(table, code);
      if (interpolate(table, c) != wanted || interpolate_code(table, c) * step > wanted + step / 2 ||
          interpolate_code(table, c) * step <= wanted - step / 2) {
        return false;
      }
    }
  }
  return true;
}

// TFLite's lookup as its source has it, each type spelled out.
constexpr std::int64_t as_tflite(const dytq::tflite_table16& table, std::int64_t code) {
  const auto wrap16 = [](std::int64_t v) {
    v &= 65535;
    return v > 32767 ? v - 65536 : v;
  };
  const std::int64_t shifted = code + 32768, base = table.entries[static_cast<std::size_t>(shifted / 128)];
  const std::int64_t slope = wrap16(table.entries[static_cast<std::size_t>(shifted / 128) + 1] - base);
  const std::int64_t product = slope * (shifted % 128) + 64;
  return wrap16(base + (product >= 0 ? product / 128 : -((127 - product) / 128)));
}

constexpr bool all_as_tflite(std::int64_t every) {
  for (const bool steep : {false, true}) {
    const dytq::tflite_table16 table{zigzag<dytq::table16>(steep)};
    for (std::int64_t code = -32768; code < 32768; code += every) {
      if (interpolate_code(table, opaque(static_cast<std::int16_t>(code))) != as_tflite(table, code)) {
        return false;
      }
    }
  }
  return true;
}

// The codes in two halves, to be read from one buffer: a copy, or in place.
template <class Code, class Table, class Loop, class One>
constexpr bool loop_is_each(const Table& table, Loop loop, One one) {
  std::array<Code, 9> in{}, out{}, place{};
  for (std::size_t i = 0; i < 9; ++i) {
    in[i] = place[i] = static_cast<Code>(i * 29);
    out[i] = 1;
  }
  loop(table, in.data(), out.data(), opaque<std::size_t>(8));
  loop(table, place.data(), place.data(), opaque<std::size_t>(8));
  bool right = out[8] == 1 && place[8] == in[8];
  for (std::size_t i = 0; i < 8; ++i) {
    right = right && out[i] == one(table, in[i]) && place[i] == out[i];
  }
  loop(table, in.data(), out.data(), 0);
  return right && out[0] == one(table, in[0]);
}

}  // namespace

TEST_BOTH("every int8 and uint8 code has its entry, in both orders", {
  const dytq::table8 table = scrambled();
  const dytq::byte_table8 by_byte = dytq::to_byte_order(table);
  for (int code = -128; code < 128; ++code) {
    const auto c = opaque(static_cast<std::int8_t>(code));
    const std::int8_t wanted = table[static_cast<std::size_t>(code + 128)];
    if (lookup_code(table, c) != wanted || lookup_code(by_byte, c) != wanted ||
        by_byte.entries[static_cast<std::size_t>(code < 0 ? code + 256 : code)] != wanted ||
        lookup_code(table, opaque(static_cast<std::uint8_t>(code + 128))) != wanted + 128) {
      return false;
    }
  }
  return dytq::to_code_order(by_byte) == table && by_byte.entries[0] == table[128] &&
         by_byte.entries[255] == table[127];
})

TEST_BOTH("int16 codes are interpolated on the line between two entries, steep ones too", {
  return all_on_the_line<dytq::table16>(331) && all_on_the_line<dytq::stepped_table16<64>>(331) &&
         all_on_the_line<dytq::stepped_table16<32>>(331) && all_as_tflite(331);
})

TEST_CASE("the same for each of 65,536 codes") {
  CHECK(all_on_the_line<dytq::table16>(1));
  CHECK(all_on_the_line<dytq::stepped_table16<64>>(1));
  CHECK(all_on_the_line<dytq::stepped_table16<32>>(1));
  CHECK(all_as_tflite(1));
}

// The checked lookup where it answers, and the RESCALE that follows TABLE in a graph.
TEST_BOTH("it is TABLE, and TABLE with its RESCALE", {
  const auto table = zigzag<dytq::table16>(false);
  const dytq::rescale by_128th{.multiplier = 1 << 30, .shift = 37, .out = dytq::int16_range};
  for (std::int32_t code = -32768; code < 32768; code += 517) {
    const auto c = opaque(static_cast<std::int16_t>(code));
    const auto checked = dytq::lookup(table, c);
    if (checked.value() != interpolate(table, c) ||
        dytq::apply(by_128th, *checked).value() != interpolate_code(table, c)) {
      return false;
    }
  }
  return true;
})

TEST_BOTH("loops do each code once, in place and not", {
  const dytq::table8 table = scrambled();
  const auto codes = [](const auto& t, const auto* in, auto* out, std::size_t n) { dytq::lookup_codes(t, in, out, n); };
  const auto code = [](const auto& t, auto c) { return lookup_code(t, c); };
  const auto points = [](const auto& t, const auto* in, auto* out, std::size_t n) {
    dytq::interpolate_codes(t, in, out, n);
  };
  const auto point = [](const auto& t, std::int16_t c) { return interpolate_code(t, c); };
  return loop_is_each<std::int8_t>(table, codes, code) && loop_is_each<std::uint8_t>(table, codes, code) &&
         loop_is_each<std::int8_t>(dytq::to_byte_order(table), codes, code) &&
         loop_is_each<std::int16_t>(zigzag<dytq::table16>(true), points, point) &&
         loop_is_each<std::int16_t>(zigzag<dytq::stepped_table16<32>>(true), points, point) &&
         loop_is_each<std::int16_t>(dytq::tflite_table16{zigzag<dytq::table16>(true)}, points, point);
})
