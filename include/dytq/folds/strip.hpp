// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The narrowest strip around a channel's map, and how wide a strip of any other slope must be.
#ifndef DYTQ_FOLDS_STRIP_HPP
#define DYTQ_FOLDS_STRIP_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "../codes.hpp"
#include "../numbers/integer.hpp"
#include "../result.hpp"
#include "../view.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

// Two points of a map, one on each side of a strip: u and v are the upper one's code and value less the lower one's.
// The strip of slope p with these two on its sides is v - p * u wide.
struct strip_sides {
  std::int32_t u = 0;
  std::int32_t v = 0;
  std::int32_t lower_code = 0;
  std::int32_t lower_value = 0;

  static constexpr strip_sides unpack(std::int64_t packed) {
    return {static_cast<std::int16_t>(packed), static_cast<std::int16_t>(packed >> 16),
            static_cast<std::int16_t>(packed >> 32), static_cast<std::int16_t>(packed >> 48)};
  }
  constexpr std::int64_t pack() const {
    return (((std::int64_t{lower_value} * 65536 + (lower_code & 0xffff)) * 65536 + (v & 0xffff)) * 65536) +
           (u & 0xffff);
  }
};

// What a fold asks of one input channel. Its map's points (x, y) need, for a slope p, a strip of the width
// W(p) = max(y - p x) - min(y - p x): the largest of v - p u over pairs of sides, which are in the order of p.
struct channel_strip {
  static constexpr int fraction_bits = 32;  // of slope and width
  static constexpr int mean_bits = 22;      // of the means
  static constexpr int variance_bits = 16;  // of variances and the covariance

  // Of the narrowest strip.
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  std::int64_t home =
      0;  // its pair of sides; the next one is as wide, but where the strip has the slope of one pair alone
  std::int64_t count = 0;  // pairs
  std::int64_t slope = 0;  // numerator / denominator, rounded down
  std::int64_t width = 0;  // rounded down
  // Moments of the codes: x, y, and e = y - slope * x.
  std::int64_t mean_x = 0;
  std::int64_t mean_y = 0;
  std::int64_t variance_e = 0;
  std::int64_t covariance_ex = 0;
  std::int64_t variance_x = 0;
};

// The widest pair for the slope step / size, both times any factor: values are size * v - step * u.
struct widest_sides {
  std::int64_t width = 0;
  std::int64_t index = 0;
};

// From the narrowest strip's sides to those of the slope: the values only rise on the way.
constexpr widest_sides climb(const std::int64_t* pairs, std::int64_t home, std::int64_t count, std::int64_t size,
                             std::int64_t step) {
  const auto at = [&](std::int64_t k) {
    return size * static_cast<std::int16_t>(pairs[k] >> 16) - step * static_cast<std::int16_t>(pairs[k]);
  };
  widest_sides best{at(home), home};
  for (const std::int64_t way : {1, -1}) {
    const std::int64_t from = best.index;
    for (std::int64_t k = home + way; k >= 0 && k < count; k += way) {
      const std::int64_t width = at(k);
      if (width <= best.width) {
        break;
      }
      best = {width, k};
    }
    if (best.index != from) {
      break;
    }
  }
  return best;
}

// The strips of all input channels, in a caller's memory.
class channel_strips {
 public:
  // The edges of a hull have different slopes. Its codes rise by 255 at most, and its values by 255 and fall by 255, so
  // that the sum of 2 * rise of code + |rise of value| is 1020 at most: the 88 cheapest slopes use it up.
  static constexpr std::int64_t most_edges = 88;
  static constexpr std::int64_t most_pairs = 2 * most_edges + 1;
  static constexpr std::int64_t fields = 11;
  static constexpr std::int64_t numbers_each = fields + most_pairs;

  constexpr channel_strips() = default;
  constexpr explicit channel_strips(std::int64_t* memory) : memory_(memory) {}

  constexpr channel_strip operator[](std::int64_t c) const {
    const std::int64_t* const f = memory_ + c * numbers_each;
    return {.numerator = f[0],
            .denominator = f[1],
            .home = f[2],
            .count = f[3],
            .slope = f[4],
            .width = f[5],
            .mean_x = f[6],
            .mean_y = f[7],
            .variance_e = f[8],
            .covariance_ex = f[9],
            .variance_x = f[10]};
  }
  constexpr const std::int64_t* pairs(std::int64_t c) const { return memory_ + c * numbers_each + fields; }

  // Of the map `values` of `codes`, both `count` long, the codes increasing. `weights`: how often each occurs; null:
  // equally often.
  constexpr void set(std::int64_t c, const std::int16_t* codes, const std::int16_t* values, std::int64_t count,
                     const std::uint32_t* weights) const {
    std::int64_t* const f = memory_ + c * numbers_each;
    channel_strip s = find(codes, values, count, f + fields);
    add_moments(s, codes, values, count, weights);
    const std::int64_t all[] = {s.numerator, s.denominator, s.home,       s.count,         s.slope,     s.width,
                                s.mean_x,    s.mean_y,      s.variance_e, s.covariance_ex, s.variance_x};
    for (std::int64_t i = 0; i < fields; ++i) {
      f[i] = all[i];
    }
  }

 private:
  // A hull's corners, as indices of points.
  struct hull {
    std::array<std::int16_t, 256> corner{};
    int size = 0;

    // side 1: above the points; -1: below.
    constexpr hull(const std::int16_t* codes, const std::int16_t* values, std::int64_t count, int side) {
      for (std::int64_t i = 0; i < count; ++i) {
        while (size > 1) {
          const auto a = corner[static_cast<std::size_t>(size - 2)];
          const auto b = corner[static_cast<std::size_t>(size - 1)];
          const std::int32_t turn =
              (codes[b] - codes[a]) * (values[i] - values[a]) - (values[b] - values[a]) * (codes[i] - codes[a]);
          if (turn * side < 0) {
            break;
          }
          --size;
        }
        corner[static_cast<std::size_t>(size++)] = static_cast<std::int16_t>(i);
      }
    }
    constexpr int operator[](int i) const { return corner[static_cast<std::size_t>(i)]; }
  };

  // From slope -infinity on: the upper point moves from the last code to the first, the lower one the other way. At
  // each edge's slope one of them, or both, take a step.
  static constexpr channel_strip find(const std::int16_t* codes, const std::int16_t* values, std::int64_t count,
                                      std::int64_t* pairs) {
    const hull above(codes, values, count, 1);
    const hull below(codes, values, count, -1);
    channel_strip s;
    int up = above.size - 1;
    int down = 0;
    std::int64_t best_width = 0;  // times the denominator
    while (true) {
      const int upper = above[up];
      const int lower = below[down];
      const strip_sides sides{codes[upper] - codes[lower], values[upper] - values[lower], codes[lower], values[lower]};
      pairs[s.count++] = sides.pack();
      const bool rises = up > 0;
      const bool falls = down + 1 < below.size;
      if (!rises && !falls) {
        break;
      }
      // The next slopes on both sides, dy / dx.
      const std::int32_t dx0 = rises ? codes[upper] - codes[above[up - 1]] : 1;
      const std::int32_t dy0 = rises ? values[upper] - values[above[up - 1]] : 0;
      const std::int32_t dx1 = falls ? codes[below[down + 1]] - codes[lower] : 1;
      const std::int32_t dy1 = falls ? values[below[down + 1]] - values[lower] : 0;
      const std::int32_t order = rises && falls ? dy0 * dx1 - dy1 * dx0 : rises ? -1 : 1;
      const std::int32_t dx = order <= 0 ? dx0 : dx1;
      const std::int32_t dy = order <= 0 ? dy0 : dy1;
      const std::int64_t width = std::int64_t{sides.v} * dx - std::int64_t{sides.u} * dy;
      // The narrower strip; of two that are as narrow, the flatter one.
      const std::int64_t difference = width * s.denominator - best_width * dx;
      const std::int64_t steepness =
          std::int64_t{dy < 0 ? -dy : dy} * s.denominator - (s.numerator < 0 ? -s.numerator : s.numerator) * dx;
      if (s.count == 1 || difference < 0 || (difference == 0 && steepness < 0)) {
        s.numerator = dy;
        s.denominator = dx;
        s.home = s.count - 1;
        best_width = width;
      }
      up -= order <= 0 ? 1 : 0;
      down += order >= 0 ? 1 : 0;
    }
    s.slope = floor_div(s.numerator << channel_strip::fraction_bits, s.denominator);
    s.width = (best_width << channel_strip::fraction_bits) / s.denominator;
    return s;
  }

  static constexpr void add_moments(channel_strip& s, const std::int16_t* codes, const std::int16_t* values,
                                    std::int64_t count, const std::uint32_t* weights) {
    constexpr int share_bits = 24;
    std::int64_t total = 0;
    std::int64_t sum_x = 0;
    std::int64_t sum_y = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t n = weights == nullptr ? 1 : std::int64_t{weights[codes[i] + 128]};
      total += n;
      sum_x += n * codes[i];
      sum_y += n * values[i];
    }
    s.mean_x = mean(sum_x, total);
    s.mean_y = mean(sum_y, total);
    // Deviations with 8 bits of fraction, shares with 24: the sums have 32, and 16 remain.
    constexpr int cut = channel_strip::mean_bits - 8;
    const std::int64_t mean_e = s.mean_y - floor_div(s.mean_x * s.numerator, s.denominator);
    std::int64_t ee = 0;
    std::int64_t ex = 0;
    std::int64_t xx = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t n = weights == nullptr ? 1 : std::int64_t{weights[codes[i] + 128]};
      const std::int64_t share = (n << share_bits) / total;
      const std::int64_t x = ((std::int64_t{codes[i]} << channel_strip::mean_bits) - s.mean_x) >> cut;
      const std::int64_t on_line =
          floor_div((std::int64_t{codes[i]} << channel_strip::mean_bits) * s.numerator, s.denominator);
      const std::int64_t e = ((std::int64_t{values[i]} << channel_strip::mean_bits) - on_line - mean_e) >> cut;
      ee += share * e * e;
      ex += share * e * x;
      xx += share * x * x;
    }
    s.variance_e = ee >> share_bits;
    s.covariance_ex = ex >> share_bits;
    s.variance_x = xx >> share_bits;
  }
  static constexpr std::int64_t mean(std::int64_t sum, std::int64_t total) {
    const std::int64_t whole = floor_div(sum, total);
    return (whole << channel_strip::mean_bits) + (((sum - whole * total) << channel_strip::mean_bits) / total);
  }

  std::int64_t* memory_ = nullptr;
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
