// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Straight lines that keep above some points and below others: is there one, how steep may it be, where is it zero?
// Convex hulls decide, in time linear in the points, and three points prove that there is none.
#ifndef DYTQ_NUMBERS_STRIP_HPP
#define DYTQ_NUMBERS_STRIP_HPP

#include <array>
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

// A side as it is, or seen in a mirror: x becomes -x. So that what is said of rising lines is said of falling ones.
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

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
