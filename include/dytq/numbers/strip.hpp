// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strips between straight lines: is there a line above some points and below others, how steep, where is it zero; and
// the narrowest strip around a map. Convex hulls decide, in time linear in the points.
#ifndef DYTQ_NUMBERS_STRIP_HPP
#define DYTQ_NUMBERS_STRIP_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "integer.hpp"

namespace dytq {
inline namespace v0 {
namespace detail {

struct hull_point {
  std::int32_t x = 0;
  std::int32_t y = 0;
};

// num / den with den >= 0; den = 0: plus or minus infinity.
struct fraction {
  std::int64_t num = 0;
  std::int64_t den = 1;
};

// The order of two fractions whose products fit 64 bits. An infinite one is 1/0 or -1/0.
constexpr bool less(const fraction& a, const fraction& b) { return a.num * b.den < b.num * a.den; }
constexpr bool less_equal(const fraction& a, const fraction& b) { return a.num * b.den <= b.num * a.den; }

inline constexpr std::int32_t most_hull_points = 512;

// A convex hull's upper or lower side, of points that come with increasing x. A line is above (below) all points
// exactly if it is above (below) those of the upper (lower) side.
class hull_side {
 public:
  constexpr explicit hull_side(bool upper) : sign_(upper ? 1 : -1) {}

  constexpr void add(std::int32_t x, std::int32_t y) {
    y *= sign_;
    int n = size_;
    // A point stays if the way past it turns toward the inside.
    while (n > 1) {
      const hull_point& a = points_[n - 2];
      const hull_point& b = points_[n - 1];
      if ((b.x - a.x) * (y - b.y) < (b.y - a.y) * (x - b.x)) {
        break;
      }
      --n;
    }
    points_[n] = {x, y};
    size_ = n + 1;
  }
  constexpr void clear() { size_ = 0; }
  constexpr int size() const { return size_; }
  constexpr hull_point operator[](int i) const {
    const hull_point& p = points_[i];
    return {p.x, sign_ * p.y};
  }

 private:
  hull_point points_[most_hull_points];  // of the lower side: upside down
  int size_ = 0;
  std::int32_t sign_;
};

// A side, or its mirror image with -x for x, so that one function serves rising and falling lines.
struct seen_side {
  const hull_side* side = nullptr;
  bool mirrored = false;

  constexpr int size() const { return side->size(); }
  constexpr std::int64_t x(int i) const { return mirrored ? -(*side)[size() - 1 - i].x : (*side)[i].x; }
  constexpr std::int64_t y(int i) const { return (*side)[mirrored ? size() - 1 - i : i].y; }
};

// Three points that no line meets: one of either side, and the edge of the other that it is beyond.
struct strip_conflict {
  std::array<std::int64_t, 3> x{};  // increasing
  std::int64_t below = 0;           // the middle point's bound, and the edge's, which it must keep away from
  fraction edge;
  bool middle_is_lower = false;  // the middle one bounds the line from below
};

// The lines y = a x + b with a x + b >= l for all points (x, l) of `lower`, and < h for all (x, h) of `upper`; or <= h,
// where `closed`. All coordinates are integers of 13 bits at most.
struct strip {
  hull_side lower{true};
  hull_side upper{false};
  bool closed = false;

  constexpr seen_side lower_side(bool mirrored) const { return {&lower, mirrored}; }
  constexpr seen_side upper_side(bool mirrored) const { return {&upper, mirrored}; }
};

// The supremum of the slopes; `exists` is false if there is no line.
struct slope_bound {
  bool exists = true;
  fraction value{1, 0};
};

// Newton's method on max(l - a x) - min(h - a x), which is convex in a, from the right: each step takes the points that
// are active at the slope found, and these only move inward.
constexpr slope_bound steepest(const strip& s, bool mirrored) {
  const seen_side l = s.lower_side(mirrored);
  const seen_side h = s.upper_side(mirrored);
  if (l.size() == 0 || h.size() == 0) {
    return {};
  }
  int i = 0;
  int j = h.size() - 1;
  if (h.x(j) <= l.x(i)) {
    return {};
  }
  for (;;) {
    const fraction a{h.y(j) - l.y(i), h.x(j) - l.x(i)};
    const int from = i - j;
    while (i + 1 < l.size() && (l.y(i + 1) - l.y(i)) * a.den > a.num * (l.x(i + 1) - l.x(i))) {
      ++i;
    }
    while (j > 0 && (h.y(j) - h.y(j - 1)) * a.den > a.num * (h.x(j) - h.x(j - 1))) {
      --j;
    }
    if (i - j == from) {
      return {true, a};
    }
    if (h.x(j) <= l.x(i)) {
      return {false, {}};
    }
  }
}

// The slopes of all lines: between the ends, which they do not reach unless the strip is closed.
struct slope_range {
  bool exists = false;
  fraction lo;
  fraction hi;
};

constexpr slope_range slopes(const strip& s) {
  const slope_bound hi = steepest(s, false);
  const slope_bound lo = steepest(s, true);
  slope_range r{hi.exists && lo.exists, {-lo.value.num, lo.value.den}, hi.value};
  r.exists = r.exists && (r.lo.den == 0 || r.hi.den == 0 || (s.closed ? less_equal(r.lo, r.hi) : less(r.lo, r.hi)));
  return r;
}

// Where no line exists: three points that prove it. The distance of the two sides is concave, so that it is least at a
// point of one of them; there the other has an edge.
constexpr strip_conflict conflict_of(const strip& s) {
  for (const bool middle_is_lower : {true, false}) {
    const hull_side& points = middle_is_lower ? s.lower : s.upper;
    const hull_side& edges = middle_is_lower ? s.upper : s.lower;
    int e = 0;
    for (int i = 0; i < points.size(); ++i) {
      const hull_point p = points[i];
      while (e + 1 < edges.size() && edges[e + 1].x < p.x) {
        ++e;
      }
      if (e + 1 >= edges.size() || edges[e].x > p.x) {
        continue;
      }
      const hull_point a = edges[e];
      const hull_point b = edges[e + 1];
      const std::int64_t width = b.x - a.x;
      const std::int64_t edge = a.y * width + std::int64_t{b.y - a.y} * (p.x - a.x);
      const std::int64_t gap = middle_is_lower ? edge - p.y * width : p.y * width - edge;
      if (gap < 0 || (gap == 0 && !s.closed)) {
        return {{a.x, p.x, b.x}, p.y, {edge, width}, middle_is_lower};
      }
    }
  }
  return {};
}

// The ratio b / a of the lines with a > 0 (or, seen in the mirror, a < 0): minus the x at which they are zero.
// Ends that no line reaches count as reached. `exists` is false if no line rises.
struct ratio_range {
  bool exists = false;
  fraction lo{-1, 0};
  fraction hi{1, 0};
};

constexpr ratio_range ratios(const strip& s, const slope_range& all, bool mirrored) {
  const fraction least = mirrored ? fraction{-all.hi.num, all.hi.den} : all.lo;
  const fraction most = mirrored ? fraction{-all.lo.num, all.lo.den} : all.hi;
  ratio_range r;
  if (!all.exists || most.num <= 0) {
    return r;
  }
  r.exists = true;
  const bool from_zero = least.num <= 0;
  // For a line of slope a, b lies between max(l - a x) and min(h - a x); divided by a both are linear in 1 / a between
  // the slopes of edges, so that the extremes are at edges and at the ends.
  for (const bool is_lower : {true, false}) {
    const seen_side side = is_lower ? s.lower_side(mirrored) : s.upper_side(mirrored);
    if (side.size() == 0) {
      continue;
    }
    fraction best{is_lower ? 1 : -1, 0};
    const auto consider = [&](int i, const fraction& a) {
      const fraction ratio{side.y(i) * a.den - a.num * side.x(i), a.num};
      if (is_lower ? less(ratio, best) : less(best, ratio)) {
        best = ratio;
      }
    };
    // The point that is active at a slope.
    const auto active = [&](const fraction& a) {
      int at = 0;
      for (int i = 1; i < side.size(); ++i) {
        const std::int64_t gain = (side.y(i) - side.y(at)) * a.den - a.num * (side.x(i) - side.x(at));
        at = (is_lower ? gain > 0 : gain < 0) ? i : at;
      }
      return at;
    };
    if (from_zero) {
      const std::int64_t at_zero = side.y(active({0, 1}));
      if (is_lower ? at_zero < 0 : at_zero > 0) {
        best = {is_lower ? -1 : 1, 0};
      }
    } else {
      consider(active(least), least);
    }
    if (best.den != 0 || best.num == (is_lower ? 1 : -1)) {
      consider(active(most), most);
      for (int i = 1; i < side.size(); ++i) {
        const fraction a{side.y(i) - side.y(i - 1), side.x(i) - side.x(i - 1)};
        if (a.num > 0 && (from_zero || less(least, a)) && less(a, most)) {
          consider(i, a);
        }
      }
    }
    (is_lower ? r.lo : r.hi) = best;
  }
  return r;
}

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

// The strip of one input channel. For a slope p, the points (x, y) of its map need a strip of the width
// W(p) = max(y - p x) - min(y - p x): the largest of v - p u over pairs of sides, which are in the order of p.
struct channel_strip {
  static constexpr int fraction_bits = 32;  // of slope and width
  static constexpr int mean_bits = 22;      // of the means
  // Fraction bits of the moments; those of e are small numbers, whose squares are smaller.
  static constexpr int variance_e_bits = 44;
  static constexpr int covariance_bits = 30;
  static constexpr int variance_x_bits = 16;

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
  // From slope -infinity on: the upper point moves from the last code to the first, the lower one the other way. At
  // each edge's slope one of them, or both, take a step.
  static constexpr channel_strip find(const std::int16_t* codes, const std::int16_t* values, std::int64_t count,
                                      std::int64_t* pairs) {
    hull_side above(true);
    hull_side below(false);
    for (std::int64_t i = 0; i < count; ++i) {
      above.add(codes[i], values[i]);
      below.add(codes[i], values[i]);
    }
    channel_strip s;
    int up = above.size() - 1;
    int down = 0;
    std::int64_t best_width = 0;  // times the denominator
    while (true) {
      const hull_point upper = above[up];
      const hull_point lower = below[down];
      const strip_sides sides{upper.x - lower.x, upper.y - lower.y, lower.x, lower.y};
      pairs[s.count++] = sides.pack();
      const bool rises = up > 0;
      const bool falls = down + 1 < below.size();
      if (!rises && !falls) {
        break;
      }
      // The next slopes on both sides, dy / dx.
      const hull_point left = rises ? above[up - 1] : hull_point{upper.x - 1, upper.y};
      const hull_point right = falls ? below[down + 1] : hull_point{lower.x + 1, lower.y};
      const std::int32_t dx0 = upper.x - left.x;
      const std::int32_t dy0 = upper.y - left.y;
      const std::int32_t dx1 = right.x - lower.x;
      const std::int32_t dy1 = right.y - lower.y;
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
    // Shares have 24 bits of fraction, x has 8, and e, which is no larger than the width, as many as fit 16 bits: so no
    // sum leaves 57 bits.
    constexpr int x_cut = channel_strip::mean_bits - 8;
    const std::int64_t width = s.width >> (channel_strip::fraction_bits - channel_strip::mean_bits);
    const int width_bits = 65 - std::countl_zero(static_cast<std::uint64_t>(width + 1));
    const int e_cut = width_bits > 16 ? width_bits - 16 : 0;
    const std::int64_t mean_e = s.mean_y - floor_div(s.mean_x * s.numerator, s.denominator);
    std::int64_t ee = 0;
    std::int64_t ex = 0;
    std::int64_t xx = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t n = weights == nullptr ? 1 : std::int64_t{weights[codes[i] + 128]};
      const std::int64_t share = (n << share_bits) / total;
      const std::int64_t x = ((std::int64_t{codes[i]} << channel_strip::mean_bits) - s.mean_x) >> x_cut;
      const std::int64_t on_line =
          floor_div((std::int64_t{codes[i]} << channel_strip::mean_bits) * s.numerator, s.denominator);
      const std::int64_t e = ((std::int64_t{values[i]} << channel_strip::mean_bits) - on_line - mean_e) >> e_cut;
      ee += share * e * e;
      ex += share * e * x;
      xx += share * x * x;
    }
    const int e_bits = channel_strip::mean_bits - e_cut;
    const int excess = share_bits + 2 * e_bits - channel_strip::variance_e_bits;
    s.variance_e = excess >= 0 ? ee >> excess : ee << -excess;
    s.covariance_ex = ex >> (share_bits + e_bits + 8 - channel_strip::covariance_bits);
    s.variance_x = xx >> (share_bits + 16 - channel_strip::variance_x_bits);
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
