// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of a fixed length over weights that lie side by side, and what belongs to each of them.
//
// A line is proven from the extremes that its lane meets over many rows of weights. Each loop writes to arrays that
// nothing else can be, and keeps to one or two widths: that is what compilers vectorize at -O2. Nearly all are
// templates, so that only those who fold compile them.
#ifndef DYTQ_FOLDS_WEIGHT_RUNS_HPP
#define DYTQ_FOLDS_WEIGHT_RUNS_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../codes.hpp"
#include "../numbers/integer.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// Lanes of a long run: as many products of a code and an int16 fit int32.
inline constexpr std::size_t long_run = 256;
/// Lanes of a short run, of which the last may go beyond the lanes that there are.
inline constexpr std::size_t short_run = 32;

/// Steps of a loop over N lanes, two lanes each: g++ unrolls nothing at -O2, and counts of equal codes fit a byte. But
/// as few as 16 steps it takes apart at -O3 before it vectorizes, so those of a short run have one lane.
template <std::size_t N>
inline constexpr std::size_t steps = N > short_run ? N / 2 : N;

/// Output channels that share what is loaded for them, where rows have at most Lanes lanes.
template <std::size_t Lanes>
inline constexpr std::size_t panel_outputs = Lanes < 2048 ? Lanes : 2048;

/// f<the length of a run>(its first lane), for runs that cover some lanes.
template <class F>
constexpr void for_each_run(std::size_t lanes, const F& f) {
  std::size_t at = 0;
  for (; at + long_run <= lanes; at += long_run) {
    f.template operator()<long_run>(at);
  }
  for (; at < lanes; at += short_run) {
    f.template operator()<short_run>(at);
  }
}

/// A number for each lane, whose alignment compilers see.
template <class T, std::size_t Capacity>
struct alignas(32) lane_array {
  T lane[Capacity];
};
// The first lane of a run, which is a multiple of N; compilers see that too.
template <std::size_t N>
constexpr std::size_t start_of(std::size_t lane) {
  return lane / N * N;
}

constexpr std::uint8_t biased(std::int8_t code) { return static_cast<std::uint8_t>(code + 128); }

// Some numbers, to where they are or to where nothing is read.
template <class T>
constexpr void move_numbers(const T* from, T* to, std::size_t count) {
  if (!std::is_constant_evaluated()) {
    __builtin_memmove(to, from, count * sizeof(T));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = from[i];
  }
}

template <std::size_t N, class T>
constexpr void fill_run(T value, T* to) {
  for (std::size_t i = 0; i < N; ++i) {
    to[i] = value;
  }
}

// The bits in which some number differs from its sign.
template <std::size_t N>
constexpr std::uint32_t magnitude_bits(const std::int32_t* numbers) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < N; ++i) {
    bits |= static_cast<std::uint32_t>(numbers[i] < 0 ? ~numbers[i] : numbers[i]);
  }
  return bits;
}

/// Biases of as many lanes as a run has, where there are none.
inline constexpr std::int32_t zeros[long_run]{};

// Writes sums modulo 2^32; `out` may be what is added to. -> bits of what is added
template <std::size_t N>
constexpr std::uint32_t add_run(const std::int32_t* to, const std::uint32_t* added, std::int32_t* out) {
  std::int32_t sum[N];
  std::uint32_t any = 0;
  for (std::size_t i = 0; i < N; ++i) {
    any |= added[i];
    sum[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(to[i]) + added[i]);
  }
  move_numbers(sum, out, N);
  return any;
}

constexpr std::uint8_t least(std::uint8_t a, std::uint8_t b) { return a < b ? a : b; }
constexpr std::uint8_t most(std::uint8_t a, std::uint8_t b) { return a > b ? a : b; }

struct code_pair {
  std::uint8_t low;
  std::uint8_t high;
};
constexpr code_pair extremes_of(std::uint8_t a, std::uint8_t b, std::uint8_t c) {
  return {least(least(a, b), c), most(most(a, b), c)};
}

// Rows that `widen` takes at a time; most kernels have 3 x 3 taps.
inline constexpr std::size_t widen_batch = 9;

// Widens the extremes of each lane, biased codes, by some rows.
template <std::size_t N, std::size_t Capacity>
constexpr void widen(const std::int8_t* const (&rows)[widen_batch], std::size_t first,
                     lane_array<std::uint8_t, Capacity>& low, lane_array<std::uint8_t, Capacity>& high) {
  const std::size_t at = start_of<N>(first);
  std::uint8_t new_low[N];
  std::uint8_t new_high[N];
  for (std::size_t i = 0; i < N; ++i) {
    const code_pair a = extremes_of(biased(rows[0][i]), biased(rows[1][i]), biased(rows[2][i]));
    const code_pair b = extremes_of(biased(rows[3][i]), biased(rows[4][i]), biased(rows[5][i]));
    const code_pair c = extremes_of(biased(rows[6][i]), biased(rows[7][i]), biased(rows[8][i]));
    new_low[i] = least(least(low.lane[at + i], a.low), least(b.low, c.low));
    new_high[i] = most(most(high.lane[at + i], a.high), most(b.high, c.high));
  }
  move_numbers(new_low, low.lane + at, N);
  move_numbers(new_high, high.lane + at, N);
}

/// Widens a range by the extremes of N lanes, biased codes.
template <std::size_t N>
constexpr void widen_range(const std::uint8_t* low, const std::uint8_t* high, code_range& codes) {
  std::uint8_t least = 255;
  std::uint8_t most = 0;
  for (std::size_t i = 0; i < N; ++i) {
    least = low[i] < least ? low[i] : least;
    most = high[i] > most ? high[i] : most;
  }
  codes.lo = least - 128 < codes.lo ? least - 128 : codes.lo;
  codes.hi = most - 128 > codes.hi ? most - 128 : codes.hi;
}
// What the extremes of N lanes become, where lines are integers: the least and the greatest code.
template <std::size_t N>
constexpr code_range extremes(const std::uint8_t* low, const std::uint8_t* high, const std::int16_t* numerators,
                              const std::int16_t* zero_points) {
  auto least = static_cast<std::int16_t>(int16_range.hi);
  auto most = static_cast<std::int16_t>(int16_range.lo);
  for (std::size_t i = 0; i < N; ++i) {
    const auto a = static_cast<std::int16_t>((low[i] - 128 - zero_points[i]) * numerators[i] + zero_points[i]);
    const auto b = static_cast<std::int16_t>((high[i] - 128 - zero_points[i]) * numerators[i] + zero_points[i]);
    const std::int16_t lower = a < b ? a : b;
    const std::int16_t upper = a > b ? a : b;
    least = lower < least ? lower : least;
    most = upper > most ? upper : most;
  }
  return {least, most};
}

// The sum of biased codes times factors below 2^15.
template <std::size_t N, std::size_t Capacity>
constexpr std::int32_t dot(const std::int8_t* codes, std::size_t first,
                           const lane_array<std::int16_t, Capacity>& factors) {
  static_assert(N <= long_run);
  const std::size_t at = start_of<N>(first);
  std::int32_t sum = 0;
  std::int32_t other = 0;
  for (std::size_t i = 0; i < steps<N>; ++i) {
    sum += std::int16_t{biased(codes[i])} * factors.lane[at + i];
    if constexpr (steps<N> < N) {
      other += std::int16_t{biased(codes[i + steps<N>])} * factors.lane[at + i + steps<N>];
    }
  }
  return sum + other;
}

// Adds biased codes to sums, each lane for itself.
template <std::size_t N>
constexpr void tally(const std::int8_t* codes, std::uint16_t* sums) {
  std::uint16_t sum[N];
  for (std::size_t i = 0; i < steps<N>; ++i) {
    sum[i] = static_cast<std::uint16_t>(sums[i] + biased(codes[i]));
    if constexpr (steps<N> < N) {
      sum[i + steps<N>] = static_cast<std::uint16_t>(sums[i + steps<N>] + biased(codes[i + steps<N>]));
    }
  }
  move_numbers(sum, sums, N);
}
/// Rows that such sums take: their sums of weights fit int16.
inline constexpr std::int64_t tally_limit = 128;
// Adds such sums, of weights and each times its factor, to others.
template <std::size_t N>
constexpr void add_tallies(const std::uint16_t* tallies, std::int64_t rows, const std::int16_t* zero_points,
                           const std::int16_t* factors, std::uint32_t* sums) {
  std::uint32_t sum[N];
  const auto count = static_cast<std::int16_t>(rows);
  for (std::size_t i = 0; i < N; ++i) {
    const auto weights = static_cast<std::int16_t>(tallies[i] - count * (128 + zero_points[i]));
    sum[i] = sums[i] + static_cast<std::uint32_t>(weights * factors[i]);
  }
  move_numbers(sum, sums, N);
}

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
