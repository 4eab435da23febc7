// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/table.hpp>

#include <array>
#include <cstdint>

#include "support/both_worlds.hpp"

using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::result;
using dytq::table16;
using dytq::table8;
using dytq::view;
using dytq_tests::opaque;

namespace {

constexpr table8 negated() {
  return dytq::make_table([](int c) { return c == -128 ? 127 : -c; }).value();
}

}  // namespace

TEST_BOTH("lookup of every code", {
  const table8 t = negated();
  for (int c = -128; c < 128; ++c) {
    if (dytq::lookup(t, static_cast<std::int8_t>(opaque(c))).value() != (c == -128 ? 127 : -c)) {
      return false;
    }
  }
  return dytq::lookup(view<const std::int8_t>(t.data(), {255}), 0).error() ==
         rejection{.why = reason::table_size, .at = place::table, .expected = 256, .got = 255};
})

TEST_BOTH("interpolation between 513 entries", {
  table16 t{};
  t[0] = -32768;
  t[1] = -1;
  t[2] = 32766;  // slopes of 32767
  t[256] = 100;
  t[257] = 228;
  t[511] = 5;
  t[512] = -3;
  return dytq::lookup(t, -32768).value() == -32768 * 128 && dytq::lookup(t, -32767).value() == -32768 * 128 + 32767 &&
         dytq::lookup(t, opaque<std::int16_t>(-32641)).value() == -32768 * 128 + 32767 * 127 &&
         dytq::lookup(t, -32640).value() == -128 && dytq::lookup(t, 0).value() == 12800 &&
         dytq::lookup(t, 127).value() == 12800 + 128 * 127 && dytq::lookup(t, 32767).value() == 5 * 128 - 8 * 127;
})

TEST_BOTH("a slope outside 16 bits is refused, at its limit", {
  table16 t{};
  t[0] = 16384;
  t[1] = -16384;
  if (!dytq::lookup(t, opaque<std::int16_t>(-32768))) {  // -32768
    return false;
  }
  t[1] = -16385;
  const bool down =
      dytq::lookup(t, -32768).error() ==
      rejection{
          .why = reason::table_slope_overflow, .at = place::table, .code = -32768, .expected = -32768, .got = -32769};
  t[0] = -16384;
  t[1] = 16383;
  const bool fits = dytq::lookup(t, -32768).has_value();
  t[1] = 16384;
  return down && fits && dytq::lookup(t, -32768).error().expected == 32767 &&
         dytq::lookup(view<const std::int16_t>(t.data(), {512}), 0).error().why == reason::table_size;
})

TEST_BOTH("tables of maps, over a domain", {
  int calls = 0;
  const table8 t = dytq::make_table(
                       [&](std::int8_t c) -> result<std::int8_t> {
                         ++calls;
                         return static_cast<std::int8_t>(c / 2);
                       },
                       {-10, opaque<std::int64_t>(20)})
                       .value();
  return calls == 31 && t[0] == -5 && t[117] == -5 && t[118] == -5 && t[120] == -4 && t[148] == 10 && t[255] == 10;
})

TEST_BOTH("maps that leave int8, or have no value", {
  const auto refuses = [](auto f, std::int64_t code, std::int64_t expected, std::int64_t got) {
    return dytq::make_table(f).error() ==
           rejection{.why = reason::code_out_of_range, .code = code, .expected = expected, .got = got};
  };
  const auto wide = [](int c) -> result<std::uint64_t> { return c == 3 ? UINT64_MAX : std::uint64_t{0}; };
  const auto unsigned_map = [](int c) { return c == 3 ? 200u : 0u; };
  const auto huge = [](int c) { return c == 5 ? UINT64_MAX : std::uint64_t{127}; };
  const auto none = [](int c) -> result<int> {
    return c == 7 ? result<int>(rejection{.why = reason::undecided, .channel = 2}) : result<int>(0);
  };
  return refuses([](int c) { return c - opaque(1); }, -128, -128, -129) &&
         refuses([](int c) { return c + 1; }, 127, 127, 128) && refuses(unsigned_map, 3, 127, 200) &&
         refuses(huge, 5, 127, INT64_MAX) && refuses(wide, 3, 127, INT64_MAX) &&
         dytq::make_table(none).error() == rejection{.why = reason::undecided, .channel = 2, .code = 7} &&
         dytq::make_table([](int c) { return c; }, {4, opaque<std::int64_t>(3)}).error() ==
             rejection{.why = reason::range_inverted, .at = place::domain, .expected = 4, .got = 3} &&
         dytq::make_table([](int c) { return c; }, {-129, 3}).error().why == reason::range_inverted &&
         dytq::make_table([](int c) { return c; }, {INT64_MIN, INT64_MAX}).error().why == reason::range_inverted;
})

TEST_BOTH("composition", {
  const table8 n = negated();
  const table8 plus = dytq::make_table([](int c) { return c == 127 ? 127 : c + opaque(1); }).value();
  const table8 both = dytq::compose(n, plus).value();
  for (int c = -128; c < 127; ++c) {
    if (both[static_cast<std::size_t>(c + 128)] != -(c + 1)) {
      return false;
    }
  }
  return dytq::compose(n, view<const std::int8_t>()).error().why == reason::table_size &&
         dytq::compose(view<const std::int8_t>(n.data(), {3}), n).error().got == 3;
})
