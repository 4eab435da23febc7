// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fits a map of codes by a 1 x 1 depthwise convolution with a bias and a RESCALE: the constants, or three codes that
// prove that there are none.
#ifndef DYTQ_FIT_LINE_HPP
#define DYTQ_FIT_LINE_HPP

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "codes.hpp"
#include "numbers/integer.hpp"
#include "numbers/strip.hpp"
#include "operators/rounding.hpp"
#include "rescale.hpp"
#include "result.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

/// Options of `fit_line`: the operators without their constants, and the allowed difference.
struct line_search {
  code_range out = int8_range;                           ///< range that the result is clamped to, of 8 bits
  std::int64_t input_zp = 0;                             ///< subtracted before the weight
  std::int64_t output_zp = 0;                            ///< added after the scale
  rounding_mode rounding = rounding_mode::single_round;  ///< any but inexact_round
  code_range weights = {-127, 127};                      ///< allowed weights
  std::int64_t tolerance = 0;                            ///< allowed difference of a value in codes
};

/// One channel's constants: value = clamp(rescale(bias + (code - input_zp) * weight)).
struct rounded_line {
  std::int32_t weight = 0;          ///< of the depthwise convolution
  std::int32_t bias = 0;            ///< in the accumulator
  std::int32_t multiplier = 0;      ///< of the RESCALE
  std::int32_t shift = 0;           ///< to the right
  std::int32_t max_difference = 0;  ///< largest difference of a value in codes
  std::int32_t differ = 0;          ///< entries whose value differs

  friend constexpr bool operator==(const rounded_line&, const rounded_line&) = default;
};

/// Three codes that no line meets.
struct line_conflict {
  bool exists = false;                  ///< false: some line meets all codes
  std::array<std::int64_t, 3> codes{};  ///< increasing
  std::int64_t expected = 0;            ///< the value wanted of the middle one
  std::int64_t got = 0;                 ///< the nearest value there of a line that meets the two others
};

namespace detail {

inline constexpr code_range line_codes{-256, 255};

// The map by code, and how often each occurs.
struct line_map {
  std::int16_t value[512]{};  // not std::array: a constant expression pays for every call
  bool wanted[512]{};
  std::int64_t lo = line_codes.hi;  // the least and the greatest code
  std::int64_t hi = line_codes.lo;

  static constexpr std::size_t at(std::int64_t code) { return static_cast<std::size_t>(code - line_codes.lo); }
};

// Bounds of the line in half codes, if values may differ by `off`. A clamped value bounds one side only.
constexpr void add_points(strip& all, const line_map& map, const line_search& s, std::int64_t off) {
  const auto zero = static_cast<std::int32_t>(s.input_zp);
  // value > lowest: value - off is no clamp.
  const auto lowest = static_cast<std::int32_t>(s.out.lo + off);
  const auto highest = static_cast<std::int32_t>(s.out.hi - off);
  const auto lower = static_cast<std::int32_t>(-2 * (off + s.output_zp) - 1);
  const auto upper = static_cast<std::int32_t>(2 * (off - s.output_zp) + 1);
  for (auto code = static_cast<std::int32_t>(map.lo); code <= map.hi; ++code) {
    const std::int64_t at = code - line_codes.lo;
    if (!map.wanted[at]) {
      continue;
    }
    const std::int32_t value = map.value[at];
    if (value > lowest) {
      all.lower.add(code - zero, 2 * value + lower);
    }
    if (value < highest) {
      all.upper.add(code - zero, 2 * value + upper);
    }
  }
}

// The interval of scales for one weight and bias; an open end is not included.
struct scale_range {
  bool exists = true;
  fraction lo{0, 1};
  fraction hi{1, 0};
  bool lo_closed = true;
  bool hi_closed = true;
};

// The accumulator is v = weight * x + bias; the line is v * scale.
class line_row {
 public:
  constexpr line_row(const strip& s, bool mirrored, std::int64_t weight, std::int64_t bias) {
    const seen_side l = s.lower_side(mirrored);
    const seen_side h = s.upper_side(mirrored);
    for (int i = 0; i < l.size() && scales_.exists; ++i) {
      meet(weight * l.x(i) + bias, l.y(i), true);
    }
    for (int i = 0; i < h.size() && scales_.exists; ++i) {
      // v * scale < y is -v * scale > -y.
      meet(-(weight * h.x(i) + bias), -h.y(i), s.closed);
    }
  }
  constexpr const scale_range& scales() const { return scales_; }

 private:
  // scale * 2 v >= y, or > y if not closed.
  constexpr void meet(std::int64_t v, std::int64_t y, bool closed) {
    if (v == 0 || (v < 0 && y > 0)) {
      scales_.exists = v == 0 ? (closed ? y <= 0 : y < 0) : false;
    } else if (v > 0) {
      const fraction f{y, 2 * v};
      if (y > 0 && (less(scales_.lo, f) || (!closed && !less(f, scales_.lo)))) {
        scales_.lo_closed = closed;
        scales_.lo = f;
      }
    } else {
      const fraction f{-y, -2 * v};
      if (less(f, scales_.hi) || (!closed && !less(scales_.hi, f))) {
        scales_.hi_closed = closed;
        scales_.hi = f;
      }
    }
    scales_.exists = scales_.exists && (less(scales_.lo, scales_.hi) ||
                                        (scales_.lo_closed && scales_.hi_closed && !less(scales_.hi, scales_.lo)));
  }

  scale_range scales_;
};

// The multipliers within a range of scales, with the shift that leaves most of them: the largest with a multiplier. If
// any shift has one, so has this one: from one shift to the next, a multiplier may be doubled.
struct multiplier_range {
  std::int64_t lo = 1;
  std::int64_t hi = 0;
  std::int32_t shift = 0;
};

constexpr multiplier_range multipliers_in(const scale_range& scales, const scale_limits& limits) {
  multiplier_range m;
  const auto most = static_cast<std::uint64_t>(limits.multiplier_max);
  const auto num = static_cast<std::uint64_t>(scales.lo.num);
  const auto den = static_cast<std::uint64_t>(scales.lo.den);
  // num * 2^shift <= most * den; both are below 2^64, since den <= 2^32.
  const std::uint64_t room = num == 0 ? 0 : most * den / num;
  const std::int32_t largest_shift = 63 - std::countl_zero(room);
  m.shift = num == 0 || largest_shift > limits.max_shift ? limits.max_shift : largest_shift;
  for (;; --m.shift) {
    if (m.shift < limits.min_shift) {
      return {};
    }
    const std::uint64_t scaled = num << m.shift;
    const bool whole = scaled % den == 0;
    m.lo = static_cast<std::int64_t>(scaled / den + (whole && scales.lo_closed ? 0 : 1));
    if (m.lo <= limits.multiplier_max) {
      break;
    }
  }
  m.hi = limits.multiplier_max;
  const auto top = static_cast<std::uint64_t>(scales.hi.num);
  const auto below = static_cast<std::uint64_t>(scales.hi.den);
  if (below != 0 && top <= (most * below) >> m.shift) {
    const std::uint64_t scaled = top << m.shift;
    const auto hi = static_cast<std::int64_t>(scaled / below) - (scaled % below == 0 && !scales.hi_closed ? 1 : 0);
    m.hi = hi < m.hi ? hi : m.hi;
  }
  return m;
}

// The search for one tolerance.
class line_fit {
 public:
  constexpr line_fit(const line_map& map, const line_search& search) : map_(map), search_(search) {
    strip_.closed = rounds_in_float32(search.rounding);
  }

  // Does a real line meet all codes with differences of at most `off`?
  constexpr bool meets(std::int64_t off) {
    strip_.lower.clear();
    strip_.upper.clear();
    add_points(strip_, map_, search_, off);
    slopes_ = slopes(strip_);
    off_ = off;
    return slopes_.exists;
  }
  constexpr const strip& asked() const { return strip_; }
  constexpr std::int64_t off() const { return off_; }

  // Integers for it. Where codes may be off, few of them.
  constexpr bool find(rounded_line& line) const {
    const bool found = constant(line) || with_weight(line);
    if (found && line.differ > 0) {
      improve(line);
    }
    return found;
  }

  // Computes the differences; false if one exceeds the tolerance or a value is unpredictable.
  constexpr bool judge(rounded_line& line) const {
    const rescale step{.multiplier = line.multiplier,
                       .shift = line.shift,
                       .output_zp = static_cast<std::int32_t>(search_.output_zp),
                       .out = search_.out,
                       .rounding = search_.rounding};
    const rescale_kernel kernel(step);
    const auto accumulator = [&](std::int64_t code) { return line.bias + (code - search_.input_zp) * line.weight; };
    for (const std::int64_t code : {map_.lo, map_.hi}) {
      if (!fits<std::int32_t>(accumulator(code)) || !kernel.legal(accumulator(code))) {
        return false;
      }
    }
    line.max_difference = 0;
    line.differ = 0;
    const bool linear = kernel.is_linear();
    for (std::int64_t code = map_.lo; code <= map_.hi; ++code) {
      const std::int64_t at = code - line_codes.lo;
      if (map_.wanted[at]) {
        const std::int64_t v = line.bias + (code - search_.input_zp) * line.weight;
        const std::int32_t d = (linear ? kernel.linear(v) : kernel(v)) - map_.value[at];
        const std::int32_t size = d < 0 ? -d : d;
        line.max_difference = size > line.max_difference ? size : line.max_difference;
        line.differ += d != 0 ? 1 : 0;
      }
    }
    return line.max_difference <= off_;
  }

 private:
  static constexpr std::int64_t larger(std::int64_t a, std::int64_t b) { return a > b ? a : b; }

  // One value for all codes.
  constexpr bool constant(rounded_line& line) const {
    std::int64_t least = -2 * line_codes.hi;
    std::int64_t most = 2 * line_codes.hi;
    for (int i = 0; i < strip_.lower.size(); ++i) {
      least = larger(least, (strip_.lower[i].y + 1) / 2);
    }
    for (int i = 0; i < strip_.upper.size(); ++i) {
      most = -larger(-most, -((strip_.upper[i].y - 1) / 2));
    }
    if (least > most) {
      return false;
    }
    const std::int64_t value = code_range{least, most}.clamp(0);
    const bool free = search_.weights.contains(0);
    line.shift = value == 0 ? 31 : 22;
    line.multiplier = value == 0 ? 0 : std::int32_t{1} << line.shift;
    line.weight = free ? 0 : static_cast<std::int32_t>(search_.weights.clamp(0));
    line.bias = static_cast<std::int32_t>(value);
    return (free || value == 0) && judge(line);
  }

  constexpr bool with_weight(rounded_line& line) const {
    const ratio_range rising = ratios(strip_, slopes_, false);
    const ratio_range falling = ratios(strip_, slopes_, true);
    const std::int64_t most = larger(search_.weights.hi, -search_.weights.lo);
    for (std::int64_t weight = most; weight > 0; --weight) {
      if ((search_.weights.contains(weight) && rising.exists && biases(weight, rising, false, line)) ||
          (search_.weights.contains(-weight) && falling.exists && biases(weight, falling, true, line))) {
        return true;
      }
    }
    return false;
  }

  // Tries all biases that are possible with the weight, from the middle, where the interval of scales is widest.
  constexpr bool biases(std::int64_t weight, const ratio_range& r, bool mirrored, rounded_line& line) const {
    // No accumulator may leave what the rounding takes: at most int32, whatever the shift.
    const scale_limits limits = limits_of(search_.rounding);
    const code_range taken = values_of(search_.rounding, limits.max_shift);
    const std::int64_t first = (mirrored ? -weight : weight) * (map_.lo - search_.input_zp);
    const std::int64_t last = (mirrored ? -weight : weight) * (map_.hi - search_.input_zp);
    const std::int64_t least = taken.lo - (first < last ? first : last);
    const std::int64_t most = taken.hi - (first < last ? last : first);
    const std::int64_t lo = r.lo.den == 0 ? least : larger(least, ceil_div(weight * r.lo.num, r.lo.den));
    const std::int64_t hi = r.hi.den == 0 ? most : -larger(-most, -floor_div(weight * r.hi.num, r.hi.den));
    if (lo > hi) {
      return false;
    }
    const std::int64_t middle = r.lo.den != 0 && r.hi.den != 0 ? lo + (hi - lo) / 2
                                : r.lo.den != 0                ? lo + 2 * weight
                                : r.hi.den != 0                ? hi - 2 * weight
                                                               : 0;
    for (std::int64_t away = 0; middle - away >= lo || middle + away <= hi; ++away) {
      if ((middle - away >= lo && middle - away <= hi && scales(weight, middle - away, mirrored, line)) ||
          (away != 0 && middle + away >= lo && middle + away <= hi && scales(weight, middle + away, mirrored, line))) {
        return true;
      }
    }
    return false;
  }

  // All scales for a weight and a bias.
  constexpr bool scales(std::int64_t weight, std::int64_t bias, bool mirrored, rounded_line& line) const {
    const line_row row(strip_, mirrored, weight, bias);
    if (!row.scales().exists) {
      return false;
    }
    line.weight = static_cast<std::int32_t>(mirrored ? -weight : weight);
    line.bias = static_cast<std::int32_t>(bias);
    scale_limits limits = limits_of(search_.rounding);
    if (multiplier(row.scales(), limits, line)) {
      return true;
    }
    limits.max_shift = 31;  // up to there, two roundings are one
    return rounds_twice(search_.rounding) && multiplier(row.scales(), limits, line);
  }

  // A slope, and the offset with which most codes are exact, both in units of 2^-20 half codes.
  struct sample {
    std::int64_t slope = 0;
    std::int64_t offset = 0;
    std::int32_t exact = -1;
  };
  static constexpr int fine = 20;

  // The codes of a map, in half codes: exact from `least` to below `most`, where a clamp has no bound.
  struct exact_ranges {
    static constexpr std::int32_t none = 1 << 22;

    std::int16_t x[512]{};
    std::int32_t least[512]{};
    std::int32_t most[512]{};
    int size = 0;
  };
  constexpr void read_ranges(exact_ranges& r) const {
    for (std::int64_t code = map_.lo; code <= map_.hi; ++code) {
      if (map_.wanted[line_map::at(code)]) {
        const std::int32_t value = map_.value[line_map::at(code)];
        const auto y = static_cast<std::int32_t>(2 * (value - search_.output_zp));
        r.x[r.size] = static_cast<std::int16_t>(code - search_.input_zp);
        r.least[r.size] = value > search_.out.lo ? y - 1 : -exact_ranges::none;
        r.most[r.size] = value < search_.out.hi ? y + 1 : exact_ranges::none;
        ++r.size;
      }
    }
  }

  // For one slope, each code is exact for an interval of offsets. Finds the offset, of 64, with most exact codes.
  constexpr sample best_offset(const exact_ranges& r, std::int64_t slope) const {
    constexpr std::int64_t farthest = std::int64_t{1} << 40;
    constexpr std::int64_t unit = std::int64_t{1} << fine;
    std::int64_t lo = -farthest;
    std::int64_t hi = farthest;
    for (int i = 0; i < strip_.lower.size(); ++i) {
      lo = larger(lo, strip_.lower[i].y * unit - slope * strip_.lower[i].x);
    }
    for (int i = 0; i < strip_.upper.size(); ++i) {
      hi = -larger(-hi, slope * strip_.upper[i].x - strip_.upper[i].y * unit);
    }
    if (lo >= hi || hi - lo >= farthest) {
      return {};
    }
    const int width = 64 - std::countl_zero(static_cast<std::uint64_t>(hi - lo) >> 6);
    const std::int64_t places = ((hi - lo - 1) >> width) + 1;
    const std::int64_t up = (std::int64_t{1} << width) - 1 - lo;  // an end is rounded up to a place
    std::int32_t change[66]{};  // not std::array: a constant expression pays for every call
    for (int i = 0; i < r.size; ++i) {
      const std::int64_t at = up - slope * r.x[i];
      const std::int64_t first = (at + r.least[i] * unit) >> width;
      const std::int64_t end = (at + r.most[i] * unit) >> width;
      ++change[first < 0 ? 0 : first < places ? first : places];
      --change[end < 0 ? 0 : end < places ? end : places];
    }
    sample best{.slope = slope};
    std::int32_t exact = 0;
    for (std::int64_t i = 0; i < places; ++i) {
      exact += change[i];
      if (exact > best.exact) {
        best.exact = exact;
        best.offset = lo + i * (std::int64_t{1} << width);
      }
    }
    return best;
  }

  // Among lines within the tolerance, one that is exact on more codes: slopes across their range, then nearer to the
  // best of them.
  constexpr void improve(rounded_line& line) const {
    if (slopes_.lo.den == 0 || slopes_.hi.den == 0) {
      return;
    }
    const std::int64_t lo = floor_div(slopes_.lo.num * (std::int64_t{1} << fine), slopes_.lo.den);
    const std::int64_t step = (floor_div(slopes_.hi.num * (std::int64_t{1} << fine), slopes_.hi.den) - lo) / 6;
    exact_ranges ranges;
    read_ranges(ranges);
    sample best;
    for (std::int64_t i = 1; i < 6; ++i) {
      const sample s = best_offset(ranges, lo + i * step);
      best = s.exact > best.exact ? s : best;
    }
    for (std::int64_t half = step / 2; half > step / 16; half /= 2) {
      for (const std::int64_t slope : {best.slope - half, best.slope + half}) {
        const sample s = best_offset(ranges, slope);
        best = s.exact > best.exact ? s : best;
      }
    }
    const bool mirrored = best.slope < 0;
    const std::int64_t weight = mirrored ? -search_.weights.lo : search_.weights.hi;
    const std::int64_t slope = mirrored ? -best.slope : best.slope;
    if (best.exact <= 0 || weight <= 0 || slope == 0) {
      return;
    }
    const std::int64_t bias = floor_div(best.offset * weight, slope);
    for (const std::int64_t b : {bias, bias + 1}) {
      rounded_line other = line;
      if (b >= -int32_max && b <= int32_max && nearest_line(weight, b, mirrored, slope, other) &&
          other.differ < line.differ) {
        line = other;
      }
    }
  }

  // The scale that is nearest to the slope with this weight and bias.
  constexpr bool nearest_line(std::int64_t weight, std::int64_t bias, bool mirrored, std::int64_t slope,
                              rounded_line& line) const {
    const line_row row(strip_, mirrored, weight, bias);
    const scale_limits limits = limits_of(search_.rounding);
    const multiplier_range m = row.scales().exists ? multipliers_in(row.scales(), limits) : multiplier_range{};
    if (m.lo > m.hi) {
      return false;
    }
    // slope / (2 weight), in units of 2^-shift.
    const int up = m.shift - fine - 1;
    const std::int64_t wanted = up < 0                               ? (slope >> -up) / weight
                                : slope > (int32_max * weight) >> up ? m.hi
                                                                     : (slope << up) / weight;
    line.weight = static_cast<std::int32_t>(mirrored ? -weight : weight);
    line.bias = static_cast<std::int32_t>(bias);
    line.shift = m.shift;
    line.multiplier = static_cast<std::int32_t>(code_range{m.lo, m.hi}.clamp(wanted));
    return judge(line);
  }

  // Any multiplier is right where the rounding is that of a line: the middle first, which leaves most room to others.
  constexpr bool multiplier(const scale_range& scales, const scale_limits& limits, rounded_line& line) const {
    const multiplier_range m = multipliers_in(scales, limits);
    line.shift = m.shift;
    for (const std::int64_t value : {m.lo + (m.hi - m.lo) / 2, m.lo, m.hi}) {
      line.multiplier = static_cast<std::int32_t>(value);
      if (m.lo <= m.hi && judge(line)) {
        return true;
      }
    }
    return false;
  }

  const line_map& map_;
  const line_search& search_;
  strip strip_;
  slope_range slopes_{};
  std::int64_t off_ = 0;
};

constexpr verdict validate(const line_search& s) {
  if (const verdict v = validate_mode(s.rounding, place::none); !v) {
    return v;
  }
  if (const verdict v = detail::validate_range(s.out, line_codes, place::output); !v) {
    return v;
  }
  if (const verdict v = detail::validate_range(s.weights, line_codes, place::weight); !v) {
    return v;
  }
  for (const std::int64_t zp : {s.input_zp, s.output_zp}) {
    if (!line_codes.contains(zp)) {
      return rejection{.why = reason::zero_point_out_of_range, .expected = line_codes.clamp(zp), .got = zp};
    }
  }
  if (s.tolerance < 0) {
    return rejection{.why = reason::code_out_of_range, .expected = 0, .got = s.tolerance};
  }
  return validate(rescale{.multiplier = 1 << 22,
                          .shift = 22,
                          .output_zp = static_cast<std::int32_t>(s.output_zp),
                          .out = s.out,
                          .rounding = s.rounding},
                  place::output);
}

// The map that the views hold.
template <class Code, class Value>
constexpr verdict read_map(const view<Code>& codes, const view<Value>& values, const line_search& s, line_map& map) {
  for (const verdict& v : {validate(s), validate(codes, place::input), validate(values, place::output)}) {
    if (!v) {
      return v;
    }
  }
  if (codes.extent(0) != values.extent(0)) {
    return rejection{.why = reason::size_mismatch, .expected = codes.extent(0), .got = values.extent(0)};
  }
  if (codes.empty()) {
    return rejection{.why = reason::empty, .expected = 1, .got = 0};
  }
  const std::int64_t count = codes.extent(0);
  const std::int64_t code_stride = codes.strides[0];
  const std::int64_t value_stride = values.strides[0];
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t code = saturate_int64(codes.data[i * code_stride]);
    const std::int64_t value = saturate_int64(values.data[i * value_stride]);
    if (code < line_codes.lo || code > line_codes.hi) {
      return rejection{
          .why = reason::code_out_of_range, .at = place::input, .expected = line_codes.clamp(code), .got = code};
    }
    if (value < s.out.lo || value > s.out.hi) {
      return rejection{.why = reason::code_out_of_range,
                       .at = place::output,
                       .code = code,
                       .expected = s.out.clamp(value),
                       .got = value};
    }
    const std::int64_t at = code - line_codes.lo;
    if (map.wanted[at] && map.value[at] != value) {
      return rejection{.why = reason::contradiction, .code = code, .expected = map.value[at], .got = value};
    }
    map.wanted[at] = true;
    map.value[at] = static_cast<std::int16_t>(value);
    map.lo = code < map.lo ? code : map.lo;
    map.hi = code > map.hi ? code : map.hi;
  }
  return accepted{};
}

constexpr line_conflict conflict_in(const strip& asked, const line_search& s) {
  const strip_conflict c = conflict_of(asked);
  line_conflict out{.exists = true};
  for (std::size_t i = 0; i < 3; ++i) {
    out.codes[i] = c.x[i] + s.input_zp;
  }
  // In half codes the line must be at least `bound` and below `edge`, or the other way round.
  const std::int64_t value = (c.below + (c.middle_is_lower ? 1 : -1)) / 2;
  const std::int64_t nearest = c.middle_is_lower ? ceil_div(c.edge.num + c.edge.den, 2 * c.edge.den) - 1
                                                 : floor_div(c.edge.num - c.edge.den, 2 * c.edge.den) + 1;
  out.expected = value + s.output_zp;
  out.got = nearest + s.output_zp;
  return out;
}

}  // namespace detail

/// Three codes that prove that no line meets a map, if none does (three suffice by Helly's theorem).
///
/// Formula, shape, range, errors: those of `fit_line`; with a tolerance, `expected` and `got` are the nearest values
///   within it.
/// Exactness: necessary and sufficient: a real line is within half a code (and the tolerance) of every value, or a
///   conflict exists. Cost: linear in the codes.
template <class Code, class Value>
requires(std::integral<std::remove_const_t<Code>>&& std::integral<std::remove_const_t<Value>>) constexpr result<
    line_conflict> find_line_conflict(const view<Code>& codes, const view<Value>& values,
                                      const line_search& search = {}) {
  detail::line_map map;
  if (const verdict v = detail::read_map(codes, values, search, map); !v) {
    return v.error();
  }
  detail::line_fit fit(map, search);
  constexpr std::int64_t all = 512;
  return fit.meets(search.tolerance < all ? search.tolerance : all) ? line_conflict{}
                                                                    : detail::conflict_in(fit.asked(), search);
}

/// The line that gives values[i] for codes[i], all i, clamped ends included: DEPTHWISE_CONV2D 1 x 1 with a bias, then
/// RESCALE.
///
/// Formula: acc = bias + (code - input_zp) * weight; value = clamp_out(apply_scale_32(acc, multiplier, shift) +
///   output_zp). With a tolerance values may be off: the smallest largest difference for which there are constants.
/// Shape: codes and values alike; codes in any order, and several times.
/// Range: codes, zero points, weights and `out` in [-256, 255]: int8, uint8, and their differences.
/// Errors: empty; size_mismatch; code_out_of_range: a code, a value outside `out`, or a negative tolerance;
///   range_inverted: out, or weights; zero_point_out_of_range; contradiction: one code with two values; no_line: no
///   straight line is within half a code (and the tolerance) of every value: at `code`, lines that meet two other codes
///   miss `expected` (nearest: `got`), see `find_line_conflict`; no_line_weight: such a line exists, but not with a
///   weight in range; inexact_round; unknown_rounding_mode; those of the views.
/// Exactness: the constants are right on every code. With single_round, tflite_single and xnnpack_rndnu a refusal is
///   right too: for each weight the biases and scales of all lines are one polygon, and every integer bias in it is
///   tried with every multiplier and shift. With double_round and tflite_double, that holds for shifts up to 31, where
///   they round once. A map that only two roundings, or those of float32, could make may be refused.
/// Cost: linear in the codes, and a few steps for each weight.
template <class Code, class Value>
requires(std::integral<std::remove_const_t<Code>>&& std::integral<std::remove_const_t<Value>>) constexpr result<
    rounded_line> fit_line(const view<Code>& codes, const view<Value>& values, const line_search& search = {}) {
  detail::line_map map;
  if (const verdict v = detail::read_map(codes, values, search, map); !v) {
    return v.error();
  }
  detail::line_fit fit(map, search);
  const std::int64_t most = search.tolerance < 512 ? search.tolerance : 512;
  // The smallest tolerance for which there is a real line; then the smallest with integers.
  std::int64_t off = 0;
  if (!fit.meets(0)) {
    std::int64_t without = 0;
    off = most;
    if (most == 0 || !fit.meets(most)) {
      const line_conflict c = detail::conflict_in(fit.asked(), search);
      return rejection{.why = reason::no_line, .code = c.codes[1], .expected = c.expected, .got = c.got};
    }
    while (off - without > 1) {
      const std::int64_t between = without + (off - without) / 2;
      (fit.meets(between) ? off : without) = between;
    }
    if (off != fit.off()) {
      fit.meets(off);
    }
  }
  rounded_line line;
  while (!fit.find(line)) {
    if (off == most) {
      return reason::no_line_weight;
    }
    fit.meets(++off);
  }
  line.differ = 0;
  const rescale_kernel kernel({.multiplier = line.multiplier,
                               .shift = line.shift,
                               .output_zp = static_cast<std::int32_t>(search.output_zp),
                               .out = search.out,
                               .rounding = search.rounding});
  for (std::int64_t i = 0; i < codes.extent(0) && line.max_difference != 0; ++i) {
    const std::int64_t code = detail::saturate_int64(codes.data[codes.offset({i})]);
    const std::int64_t value = detail::saturate_int64(values.data[values.offset({i})]);
    line.differ += kernel(line.bias + (code - search.input_zp) * line.weight) != value ? 1 : 0;
  }
  return line;
}

}  // namespace v0
}  // namespace dytq

#endif
