// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Claims: quantize_scale is right at every exponent of a double and at every rounding boundary's neighbours;
// apply_scale_32 is right for every centered int8 code at every shift; TABLE int16 is right for every code.
#include <cstring>
#include <dytq/rescale.hpp>
#include <dytq/scale.hpp>
#include <dytq/table.hpp>

#include "property.hpp"

namespace {

using namespace property;

double from_bits(std::uint64_t bits) {
  double d = 0;
  std::memcpy(&d, &bits, sizeof d);
  return d;
}

bool scale_agrees(double scale, int width) {
  const auto got =
      dytq::quantize_scale(scale, width == 16 ? dytq::multiplier_width::bits16 : dytq::multiplier_width::bits32);
  const auto wanted = oracle::multiplier_shift(scale, width);
  if (got.has_value() != static_cast<bool>(wanted))
    return false;
  return !got || (got->multiplier == wanted->multiplier && got->shift == wanted->shift);
}

}  // namespace

TEST_CASE("quantize_scale at every exponent, beside every kind of rounding boundary") {
  const std::uint64_t all = (std::uint64_t{1} << 52) - 1;
  long long wrong = 0, asked = 0;
  for (std::uint64_t exponent = 0; exponent < 2048; ++exponent) {
    oracle::source s(exponent);
    for (int k = 0; k < 60; ++k) {
      // a 31-bit or 15-bit multiplier, half way to the next, and the doubles beside that
      const int dropped = k % 2 == 0 ? 22 : 38;
      std::uint64_t fraction = ((s.bits() & all) >> dropped) << dropped | std::uint64_t{1} << (dropped - 1);
      if (k < 4)
        fraction = k < 2 ? 0 : all;
      for (const std::uint64_t beside : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
        for (const int width : {16, 32}) {
          for (const std::uint64_t sign : {0u, 1u}) {
            if (sign == 1 && k > 6)
              continue;
            asked += 1;
            wrong += scale_agrees(from_bits(sign << 63 | exponent << 52 | ((fraction + beside) & all)), width) ? 0 : 1;
          }
        }
      }
    }
  }
  WARN(asked << " scales");
  CHECK(wrong == 0);
}

TEST_CASE("apply_scale_32 for every difference of two int8 codes at every shift") {
  long long wrong = 0, asked = 0;
  for (integer shift = 0; shift <= 64; ++shift) {
    oracle::source s(static_cast<std::uint64_t>(shift));
    for (int k = 0; k < 60; ++k) {
      const integer m = k == 0 ? 0 : k == 1 ? 2147483647 : k == 2 ? 1073741824 : k == 3 ? -1 : multiplier_value(s);
      for (integer v = -255; v <= 255; ++v) {
        for (const bool twice : {false, true}) {
          const auto got = dytq::apply_scale_32(
              v, m, shift, twice ? dytq::rounding_mode::double_round : dytq::rounding_mode::single_round);
          const auto wanted = oracle::apply_scale_32(v, m, shift, twice);
          asked += 1;
          wrong += got.has_value() == static_cast<bool>(wanted) && (!got || *got == *wanted) ? 0 : 1;
        }
      }
    }
  }
  WARN(asked << " values");
  CHECK(wrong == 0);
}

TEST_CASE("TABLE int16 for every code") {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    oracle::source s(seed);
    integers table(513);
    for (integer i = 0; i < 513; ++i) {
      // no slope, the steepest legal rises, the steepest legal falls, random
      table[at(i)] = seed == 0   ? 32767
                     : seed == 1 ? (i % 2 == 0 ? -16384 : 16383)
                     : seed == 2 ? (i % 3 == 0   ? 16384
                                    : i % 3 == 1 ? -16384
                                                 : 0)
                                 : s.range(-16384, 16383);
    }
    const auto entries = narrowed<std::int16_t>(table);
    long long wrong = 0, refused = 0;
    for (integer code = -32768; code <= 32767; ++code) {
      const auto got = dytq::lookup(dytq::view<const std::int16_t>(entries), static_cast<std::int16_t>(code));
      const auto wanted = oracle::table_16(table, {code});
      wrong += got.has_value() == static_cast<bool>(wanted) && (!got || *got == (*wanted)[0]) ? 0 : 1;
      refused += got ? 0 : 1;
    }
    CHECK(wrong == 0);
    CHECK(refused == 0);
  }
}

TEST_CASE("apply_scale_32 for every int32 value", "[.][long]") {
  const struct {
    integer multiplier, shift;
    bool twice;
  } cases[] = {{1431655765, 33, true}, {2147483647, 62, false}};
  for (const auto& c : cases) {
    long long wrong = 0;
    for (integer v = oracle::i32_min; v <= oracle::i32_max; ++v) {
      const auto got = dytq::apply_scale_32(
          v, c.multiplier, c.shift, c.twice ? dytq::rounding_mode::double_round : dytq::rounding_mode::single_round);
      const auto wanted = oracle::apply_scale_32(v, c.multiplier, c.shift, c.twice);
      wrong += got.has_value() == static_cast<bool>(wanted) && (!got || *got == *wanted) ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("quantize_scale for every float32 mantissa at five exponents", "[.][long]") {
  long long wrong = 0;
  for (const std::uint64_t exponent : {1023u, 1022u, 970u, 1000u, 960u}) {
    for (std::uint64_t mantissa = 0; mantissa < (1u << 23); ++mantissa) {
      wrong += scale_agrees(from_bits(exponent << 52 | mantissa << 29), 32) ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
}
