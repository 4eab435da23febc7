// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Claims: apply_scale_32 and the chain's RESCALE are right, and refuse what they must, for every int32 value, in both
// rounding modes, at 44 pairs of multiplier and shift; apply_scale_16 for every 16-bit value and every 16-bit
// multiplier at every shift. The reference works in 128 bits, on doubled numbers.
#include <dytq/rescale.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

#include "support/catch.hpp"

namespace {

__extension__ using int128 = __int128;

constexpr std::int64_t lowest = INT32_MIN;
constexpr std::int64_t highest = INT32_MAX;

/// What is added to v * m before the shift, doubled, so that a half is whole.
constexpr int128 doubled_rounding(bool negative, int shift, bool twice) {
  const int128 half = int128{1} << shift;
  return twice && shift > 31 ? half + (negative ? -(int128{1} << 31) : int128{1} << 31) : half;
}
/// floor((v * m + rounding) / 2^shift).
constexpr int128 scaled(std::int64_t v, std::int64_t m, int shift, int128 doubled_rounding) {
  return (int128{v} * m * 2 + doubled_rounding) >> (shift + 1);
}

struct pair {
  std::int32_t multiplier;
  std::int32_t shift;
};

// Every border of the rules is beside one of these: shifts 2, 31, 32, 62; multipliers 0, 1, powers of two and their
// neighbours; what quantize_scale gives (2^30 <= m < 2^31); thirds, whose products end in every pattern of bits.
constexpr pair pairs[] = {
    {0, 2},           {0, 62},          {1, 2},           {1, 31},          {1, 32},          {1, 62},
    {2, 2},           {3, 3},           {3, 33},          {127, 8},         {128, 9},         {255, 16},
    {32767, 15},      {32768, 17},      {65535, 30},      {65537, 31},      {16777215, 24},   {715827883, 31},
    {715827883, 32},  {1073741823, 30}, {1073741824, 30}, {1073741824, 31}, {1073741824, 32}, {1073741824, 61},
    {1073741824, 62}, {1073741825, 31}, {1073741825, 33}, {1374389535, 36}, {1431655765, 32}, {1431655765, 33},
    {1431655765, 34}, {1431655766, 35}, {1518500250, 37}, {1610612736, 33}, {1717986918, 38}, {1840700269, 40},
    {2147483646, 31}, {2147483646, 62}, {2147483647, 2},  {2147483647, 30}, {2147483647, 31}, {2147483647, 32},
    {2147483647, 33}, {2147483647, 62},
};
static_assert(std::size(pairs) >= 40);

constexpr std::int64_t refused = INT64_MIN;

/// How many int32 values are wrong. In passes over blocks: each pass is a loop that the compiler sees through.
std::int64_t wrong_values(pair p, bool twice) {
  const auto rounding = twice ? dytq::rounding_mode::double_round : dytq::rounding_mode::single_round;
  const dytq::rescale_kernel step(dytq::rescale{.multiplier = p.multiplier, .shift = p.shift, .rounding = rounding});
  const std::int64_t limit = std::int64_t{1} << (p.shift - 1);
  const int128 above = doubled_rounding(false, p.shift, twice);
  const int128 below = doubled_rounding(true, p.shift, twice);
  constexpr std::int64_t block = 4096;
  std::array<std::int64_t, block> wanted, got, stepped;
  std::int64_t wrong = 0;
  for (std::int64_t begin = lowest; begin <= highest; begin += block) {
    for (std::int64_t i = 0; i < block; ++i) {
      const std::int64_t v = begin + i;
      const auto exact = static_cast<std::int64_t>(scaled(v, p.multiplier, p.shift, v < 0 ? below : above));
      wanted[static_cast<std::size_t>(i)] = v >= -limit && v < limit ? exact : refused;
    }
    for (std::int64_t i = 0; i < block; ++i) {
      const auto r = dytq::apply_scale_32(begin + i, p.multiplier, p.shift, rounding);
      got[static_cast<std::size_t>(i)] = r ? *r : refused;
    }
    for (std::int64_t i = 0; i < block; ++i) {
      stepped[static_cast<std::size_t>(i)] = step.legal(begin + i) ? step(begin + i) : refused;
    }
    if (wanted == got && wanted == stepped) {
      continue;
    }
    for (std::size_t i = 0; i < block; ++i) {
      wrong += wanted[i] != got[i] || wanted[i] != stepped[i] ? 1 : 0;
    }
  }
  return wrong;
}

bool scale_16_agrees(std::int64_t v, std::int64_t m, int shift) {
  const auto got = dytq::apply_scale_16(v, m, shift);
  bool legal = m >= 0 && m <= 32767 && shift >= 2 && shift <= 62;
  const int128 wanted = legal ? scaled(v, m, shift, doubled_rounding(false, shift, false)) : 0;
  legal = legal && wanted >= lowest && wanted <= highest;
  return legal ? got && *got == wanted : !got;
}

}  // namespace

TEST_CASE("scale16: every 16-bit value at every shift, and every 16-bit multiplier at every shift") {
  constexpr std::int64_t multipliers[] = {0,    1,    2,     3,     5,     127,   128,   129,   255,   256,   10923,
                                          8191, 8192, 16383, 16384, 16385, 21845, 21846, 32766, 32767, 32768, -1};
  constexpr std::int64_t values[] = {0,
                                     1,
                                     -1,
                                     2,
                                     -2,
                                     127,
                                     -128,
                                     32767,
                                     -32768,
                                     65535,
                                     1LL << 31,
                                     -1LL << 31,
                                     1LL << 32,
                                     0x7fffffff,
                                     (1LL << 46) + 1,
                                     (1LL << 47) - 1,
                                     -(1LL << 47),
                                     46910000000001,
                                     -93824992236885};
  std::int64_t wrong = 0;
  for (int shift = 0; shift <= 64; ++shift) {
    for (std::int64_t n = -32768; n <= 32767; ++n) {
      for (const std::int64_t m : multipliers) {
        wrong += scale_16_agrees(n, m, shift) ? 0 : 1;
      }
      for (const std::int64_t v : values) {
        wrong += scale_16_agrees(v, n, shift) ? 0 : 1;
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("single and double rescale of every int32 value", "[.][long]") {
  for (const pair p : pairs) {  // with --success, each pair is named as it is done
    for (const bool twice : {false, true}) {
      CAPTURE(p.multiplier, p.shift, twice);
      CHECK(wrong_values(p, twice) == 0);
    }
  }
}
