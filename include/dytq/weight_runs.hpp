// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of a fixed length over weights that lie side by side, each with the line of its channel.
//
// A line is proven from the extremes that its lane meets over many rows of weights, and a folded code is one multiply:
// where n = w * numerator / denominator is an integer, the denominator's odd part is divided by multiplying with its
// inverse modulo 2^16, and its powers of two by multiplying with 2^(8 - s) and taking the upper byte. So every line
// costs the same. Each loop writes to arrays that nothing else can be, and keeps to one or two widths: that is what
// compilers vectorize at -O2. Nearly all are templates, so that only those who fold compile them.
#ifndef DYTQ_WEIGHT_RUNS_HPP
#define DYTQ_WEIGHT_RUNS_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "channel_line.hpp"
#include "codes.hpp"
#include "integer.hpp"

namespace dytq::inline v0 {

namespace detail {

/// Lanes of a long run: as many products of a code and an int16 fit int32.
inline constexpr std::size_t long_run = 256;
/// Lanes of a short run, of which the last may go beyond the lanes that there are.
inline constexpr std::size_t short_run = 32;

/// Output channels that share what is loaded for them, where rows have at most Lanes lanes.
template <std::size_t Lanes>
inline constexpr std::size_t panel_outputs = Lanes < 1024 ? Lanes : 1024;

/// f(the length of a run as a type, its first lane), for runs that cover some lanes.
template <class F>
constexpr void for_each_run(std::size_t lanes, F f) {
  std::size_t at = 0;
  for (; at + long_run <= lanes; at += long_run) {
    f(std::integral_constant<std::size_t, long_run>{}, at);
  }
  for (; at < lanes; at += short_run) {
    f(std::integral_constant<std::size_t, short_run>{}, at);
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

template <std::size_t N, class T>
constexpr void copy_run(const T* from, T* to) {
  for (std::size_t i = 0; i < N; ++i) {
    to[i] = from[i];
  }
}

// The same, where compilers cannot know that the two are apart.
template <std::size_t N, class T>
constexpr void move_run(const T* from, T* to) {
  T copy[N];
  copy_run<N>(from, copy);
  copy_run<N>(copy, to);
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

// Writes sums modulo 2^32; `out` may be what is added to. -> bits of what is added
template <std::size_t N>
constexpr std::uint32_t add_run(const std::int32_t* to, const std::uint32_t* added, std::int32_t* out) {
  std::int32_t sum[N];
  std::uint32_t any = 0;
  for (std::size_t i = 0; i < N; ++i) {
    any |= added[i];
    sum[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(to[i]) + added[i]);
  }
  copy_run<N>(sum, out);
  return any;
}

// Rows that `widen` takes at a time; most kernels have 3 x 3 taps.
inline constexpr std::size_t widen_batch = 3;

// Widens the extremes of each lane, biased codes, by some rows.
template <std::size_t N, std::size_t Capacity>
constexpr void widen(const std::int8_t* const (&rows)[widen_batch], std::size_t first,
                     lane_array<std::uint8_t, Capacity>& low, lane_array<std::uint8_t, Capacity>& high) {
  const std::size_t at = start_of<N>(first);
  std::uint8_t new_low[N];
  std::uint8_t new_high[N];
  for (std::size_t i = 0; i < N; ++i) {
    const std::uint8_t a = biased(rows[0][i]);
    const std::uint8_t b = biased(rows[1][i]);
    const std::uint8_t c = biased(rows[2][i]);
    const std::uint8_t lower = a < b ? a : b;
    const std::uint8_t upper = a > b ? a : b;
    const std::uint8_t least = lower < c ? lower : c;
    const std::uint8_t most = upper > c ? upper : c;
    new_low[i] = least < low.lane[at + i] ? least : low.lane[at + i];
    new_high[i] = most > high.lane[at + i] ? most : high.lane[at + i];
  }
  copy_run<N>(new_low, low.lane + at);
  copy_run<N>(new_high, high.lane + at);
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

/// numerator / denominator * 2^8 modulo 2^16, where the denominator divides every weight after cancelling.
template <class Int>
constexpr std::uint16_t factor_of(Int numerator, Int denominator) {
  if (denominator == 0) {
    return 0;  // its weights are 0
  }
  const std::uint64_t divisor = greatest_common_divisor(magnitude(numerator), magnitude(denominator));
  const auto rest = static_cast<std::uint32_t>(magnitude(denominator) / divisor);
  const std::uint32_t twos = rest & (0 - rest);
  const std::uint32_t odd = rest / twos;
  std::uint32_t factor = odd;  // 1 / odd modulo 2^3, then 2^6, 2^12, 2^24
  for (int i = 0; i < 3; ++i) {
    factor *= 2 - odd * factor;
  }
  factor *= static_cast<std::uint32_t>(magnitude(numerator) / divisor);
  factor = (numerator < 0) != (denominator < 0) ? 0 - factor : factor;
  return static_cast<std::uint16_t>(twos > 256 ? 0 : factor * (256 / twos));  // |w| < 2^8: beyond, every weight is 0
}
/// What makes (w + zp + 128) * factor + addend the folded code in the upper byte.
constexpr std::uint16_t addend_of(std::int16_t zero_point, std::uint16_t factor) {
  const auto zp = static_cast<std::uint32_t>(std::int32_t{zero_point});
  return static_cast<std::uint16_t>((zp << 8) - (zp + 128) * factor);
}
// Both, of slopes that are integers.
template <std::size_t N>
constexpr void set_factors(const std::int16_t* slopes, const std::int16_t* zero_points, std::uint16_t* factors,
                           std::uint16_t* addends) {
  std::uint16_t new_factors[N];
  std::uint16_t new_addends[N];
  for (std::size_t i = 0; i < N; ++i) {
    new_factors[i] = static_cast<std::uint16_t>(static_cast<std::uint32_t>(slopes[i]) << 8);
    new_addends[i] = addend_of(zero_points[i], new_factors[i]);
  }
  copy_run<N>(new_factors, factors);
  copy_run<N>(new_addends, addends);
}
/// For slopes of -1, 0 and 1: what makes ((code & keep) ^ flip) + shift the folded code.
template <std::size_t Capacity>
struct byte_lanes {
  lane_array<std::uint8_t, Capacity> keep;
  lane_array<std::uint8_t, Capacity> flip;
  lane_array<std::uint8_t, Capacity> shift;

  constexpr byte_lanes() {}  // filled before they are read

  template <std::size_t N>
  constexpr void set(const std::int16_t* slopes, const std::int16_t* zero_points, std::size_t first) {
    std::int8_t slope[N];
    std::uint8_t zero_point[N];
    for (std::size_t i = 0; i < N; ++i) {
      slope[i] = static_cast<std::int8_t>(slopes[i]);
      zero_point[i] = static_cast<std::uint8_t>(zero_points[i]);
    }
    std::uint8_t new_keep[N];
    std::uint8_t new_flip[N];
    std::uint8_t new_shift[N];
    for (std::size_t i = 0; i < N; ++i) {
      new_keep[i] = slope[i] == 0 ? 0 : 255;
      new_flip[i] = slope[i] < 0 ? 255 : 0;
      const auto turned = static_cast<std::uint8_t>((2 * zero_point[i] + 1) & new_flip[i]);
      new_shift[i] = static_cast<std::uint8_t>((zero_point[i] & ~new_keep[i]) + turned);
    }
    copy_run<N>(new_keep, keep.lane + first);
    copy_run<N>(new_flip, flip.lane + first);
    copy_run<N>(new_shift, shift.lane + first);
  }
};

// Writes the folded codes; `out` may be `in`. -> how many differ
template <std::size_t N, class F>
constexpr std::int64_t write_codes(const std::int8_t* in, std::int8_t* out, F fold) {
  std::int8_t made[N];
  std::uint8_t equal = 0;
  std::uint8_t also_equal = 0;
  constexpr std::size_t half = N / 2;  // two lanes a step: g++ unrolls nothing at -O2, and each count fits a byte
  for (std::size_t i = 0; i < half; ++i) {
    made[i] = fold(i);
    made[i + half] = fold(i + half);
  }
  for (std::size_t i = 0; i < half; ++i) {
    equal = static_cast<std::uint8_t>(equal + (in[i] == made[i] ? 1 : 0));
    also_equal = static_cast<std::uint8_t>(also_equal + (in[i + half] == made[i + half] ? 1 : 0));
  }
  const std::int64_t differ = static_cast<std::int64_t>(N) - equal - also_equal;
  copy_run<N>(made, out);
  return differ;
}
template <std::size_t N, std::size_t Capacity>
constexpr std::int64_t fold_codes(const std::int8_t* in, std::size_t first,
                                  const lane_array<std::uint16_t, Capacity>& factors,
                                  const lane_array<std::uint16_t, Capacity>& addends, std::int8_t* out) {
  const std::size_t at = start_of<N>(first);
  return write_codes<N>(in, out, [&](std::size_t i) {
    const auto product = static_cast<std::uint16_t>(std::uint32_t{biased(in[i])} * factors.lane[at + i]);
    return static_cast<std::int8_t>(static_cast<std::uint16_t>(product + addends.lane[at + i]) >> 8);
  });
}

template <std::size_t N, std::size_t Capacity>
constexpr std::int64_t fold_bytes(const std::int8_t* in, std::size_t first, const byte_lanes<Capacity>& lanes,
                                  std::int8_t* out) {
  const std::size_t at = start_of<N>(first);
  return write_codes<N>(in, out, [&](std::size_t i) {
    const auto code = static_cast<std::uint8_t>(in[i]);
    const auto flipped = static_cast<std::uint8_t>((code & lanes.keep.lane[at + i]) ^ lanes.flip.lane[at + i]);
    return static_cast<std::int8_t>(static_cast<std::uint8_t>(flipped + lanes.shift.lane[at + i]));
  });
}

// The sum of biased codes times factors below 2^15.
template <std::size_t N, std::size_t Capacity>
constexpr std::int32_t dot(const std::int8_t* codes, std::size_t first,
                           const lane_array<std::int16_t, Capacity>& factors) {
  static_assert(N <= long_run);
  const std::size_t at = start_of<N>(first);
  const auto product = [&](std::size_t i) {
    return static_cast<std::int16_t>(biased(codes[i])) * factors.lane[at + i];
  };
  std::int32_t sum = 0;
  std::int32_t other = 0;
  constexpr std::size_t half = N / 2;
  for (std::size_t i = 0; i < half; ++i) {
    sum += product(i);
    other += product(i + half);
  }
  return sum + other;
}

// Adds biased codes to sums, each lane for itself.
template <std::size_t N>
constexpr void tally(const std::int8_t* codes, std::uint16_t* sums) {
  std::uint16_t sum[N];
  const auto add = [&](std::size_t i) { sum[i] = static_cast<std::uint16_t>(sums[i] + biased(codes[i])); };
  constexpr std::size_t half = N / 2;
  for (std::size_t i = 0; i < half; ++i) {
    add(i);
    add(i + half);
  }
  copy_run<N>(sum, sums);
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
  copy_run<N>(sum, sums);
}

/// Lines of lanes that lie side by side.
struct line_run {
  const std::int16_t* numerators;
  const std::int16_t* denominators;
  const std::int16_t* first_values;
  const std::int16_t* first_deltas;

  constexpr channel_line operator[](std::size_t lane) const {
    return {numerators[lane], denominators[lane], first_values[lane], first_deltas[lane]};
  }
};

/// What some lines have in common.
template <class Int = std::int16_t>
struct line_kinds {
  std::uint16_t fractions = 0;  // bits of denominators other than 1
  std::uint16_t distances = 0;  // of deltas and values, each plus 256
  Int slope[2] = {1, 1};
  Int offset[2] = {0, 0};

  /// Are they integers, slope in [-64, 64), delta and value in [-256, 256)? Then products and offsets fit int16.
  constexpr bool simple() const { return fractions == 0 && distances < 512 && slope[0] >= -64 && slope[1] < 64; }
  constexpr bool identity() const { return simple() && slope[0] == 1 && slope[1] == 1; }
  /// Do bytes hold all of their arithmetic?
  constexpr bool in_bytes() const { return simple() && slope[0] >= -1 && slope[1] <= 1; }
  constexpr std::int64_t largest_offset() const { return -offset[0] > offset[1] ? -offset[0] : offset[1]; }
};
// Slopes of N lines that are simple and add nothing.
template <std::size_t N>
constexpr void copy_slopes(const line_run& lines, std::int16_t* slopes, line_kinds<>& met) {
  std::int16_t new_slopes[N];
  line_kinds<> k = met;
  for (std::size_t i = 0; i < N; ++i) {
    new_slopes[i] = lines.numerators[i];
    k.slope[0] = new_slopes[i] < k.slope[0] ? new_slopes[i] : k.slope[0];
    k.slope[1] = new_slopes[i] > k.slope[1] ? new_slopes[i] : k.slope[1];
  }
  met = k;
  copy_run<N>(new_slopes, slopes);
}
// Slopes and offsets of N lines, as if they were simple: what a weight adds beside its channel's line.
template <std::size_t N>
constexpr void split_lines(const line_run& lines, std::int16_t r, std::int16_t input_zp, std::int16_t* slopes,
                           std::int16_t* offsets, line_kinds<>& met) {
  std::int16_t new_slopes[N];
  std::int16_t new_offsets[N];
  line_kinds<> k = met;
  for (std::size_t i = 0; i < N; ++i) {
    const std::int16_t slope = lines.numerators[i];
    const auto delta = static_cast<std::int16_t>(lines.first_deltas[i] + r);
    const auto value = static_cast<std::int16_t>(lines.first_values[i] - input_zp);
    const auto offset = static_cast<std::int16_t>(value - delta * slope);
    k.fractions = static_cast<std::uint16_t>(k.fractions | (lines.denominators[i] ^ 1));
    k.distances = static_cast<std::uint16_t>(k.distances | (delta + 256) | (value + 256));
    k.slope[0] = slope < k.slope[0] ? slope : k.slope[0];
    k.slope[1] = slope > k.slope[1] ? slope : k.slope[1];
    k.offset[0] = offset < k.offset[0] ? offset : k.offset[0];
    k.offset[1] = offset > k.offset[1] ? offset : k.offset[1];
    new_slopes[i] = slope;
    new_offsets[i] = offset;
  }
  met = k;
  copy_run<N>(new_slopes, slopes);
  copy_run<N>(new_offsets, offsets);
}

}  // namespace detail

}  // namespace dytq::inline v0

#endif
