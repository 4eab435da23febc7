// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What follows a convolution's RESCALE into that RESCALE and the bias: one line through all accumulators.
#ifndef DYTQ_FOLDS_PRODUCER_HPP
#define DYTQ_FOLDS_PRODUCER_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../codes.hpp"
#include "../conv.hpp"
#include "../numbers/integer.hpp"
#include "../operators/geometry.hpp"
#include "../rescale.hpp"
#include "../result.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

// The accumulators that an output channel's weights allow, for any codes at any position.
constexpr code_range possible_accumulators(const convolution& conv, const conv_geometry& geometry, std::int64_t o) {
  const std::int64_t zero = weight_zero_point(conv, o);
  code_range all{INT64_MAX, INT64_MIN};
  for (class_walk positions(geometry); positions; positions.next()) {
    code_range sum{bias_value(conv, o), bias_value(conv, o)};
    for (tap_walk tap = positions.taps(); tap; tap.next()) {
      for (std::int64_t i = 0; i < conv.group_inputs(); ++i) {
        const std::int64_t w = conv.weight.data[conv.weight.offset({o, tap.d, tap.y, tap.x, i})] - zero;
        const std::int64_t first = w * (int8_range.lo - conv.input_zp);
        const std::int64_t last = w * (int8_range.hi - conv.input_zp);
        sum.lo += first < last ? first : last;
        sum.hi += first < last ? last : first;
      }
    }
    all = {all.lo < sum.lo ? all.lo : sum.lo, all.hi > sum.hi ? all.hi : sum.hi};
  }
  return all;
}

// The accumulators that one channel's RESCALE makes each code of, and what the chain makes of that code.
class rescaled_codes {
 public:
  // `value_of(code, value)`: false if the code does not occur.
  template <class F>
  constexpr rescaled_codes(const rescale_kernel& kernel, const code_range& accumulators, F value_of) {
    for (std::int64_t first = accumulators.lo; first <= accumulators.hi;) {
      const std::int64_t code = kernel(first);
      std::int64_t last = first;  // the last one with this code
      std::int64_t most = accumulators.hi;
      while (last < most) {
        const std::int64_t middle = last + (most - last + 1) / 2;
        if (kernel(middle) == code) {
          last = middle;
        } else {
          most = middle - 1;
        }
      }
      std::int32_t value = 0;
      if (value_of(code, value)) {
        all_[count_++] = {first, last, value, code > kernel.range().lo && code < kernel.range().hi};
      }
      first = last + 1;
    }
  }

  struct piece {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int32_t value = 0;
    bool inside = true;  // the code is not one that the RESCALE clamps to
  };
  constexpr std::size_t count() const { return count_; }
  constexpr const piece& operator[](std::size_t i) const { return all_[i]; }

 private:
  std::array<piece, 256> all_{};
  std::size_t count_ = 0;
};

// A line through the pieces: (acc + offset) * multiplier / 2^shift + output_zp, rounded half up. `largest` is INT64_MAX
// where the bias or some sum leaves what a RESCALE takes: then `offset` is the one that fits best.
struct producer_line {
  std::int32_t multiplier = 0;
  std::int32_t shift = 0;
  std::int64_t offset = 0;
  std::int64_t largest = INT64_MAX;  // difference of codes, over all pieces
  std::int64_t least = 0;            // no line has less, over the pieces inside
};

// Slopes are counted in 2^-50 of a code for each accumulator, values in 2^-51 codes. Accumulators are taken from their
// middle on, and no slope that is tried rises by more than 2^10 codes over all of them, so that no product leaves 2^61:
// steeper ones only step from -128 to 127, as that one does.
class producer_fit {
 public:
  constexpr producer_fit(const rescaled_codes& pieces, std::int32_t output_zp)
      : pieces_(pieces), output_zp_(output_zp) {
    int inside = 0;
    for (std::size_t i = 0; i < pieces.count(); ++i) {
      inside += pieces[i].inside ? 1 : 0;
    }
    all_ = inside < 2;  // else what the RESCALE clamps to says nothing of the slope
    bool from_below = false;
    bool from_above = false;
    std::int64_t first = INT64_MAX;
    std::int64_t last = INT64_MIN;
    for (std::size_t i = 0; i < pieces.count(); ++i) {
      const auto& p = pieces[i];
      if (p.inside || all_) {
        first = p.first < first ? p.first : first;
        last = p.last > last ? p.last : last;
        from_below = from_below || p.value > int8_range.lo;
        from_above = from_above || p.value < int8_range.hi;
      }
    }
    clamps_ = from_below && from_above;
    center_ = floor_div(first + last, 2);
    steepest_ = (std::int64_t{1} << (slope_bits + 10)) / (last - first + 1);
  }

  // `old_bias`: the offset is added to it, and the sum must fit int32.
  constexpr producer_line best(std::int64_t old_bias) const {
    // A slope s asks that y - 1/2 - s * first <= b and b < y + 1/2 - s * last for one b: what is missing of that is
    // convex in s, and its derivative is a difference of accumulators.
    std::int64_t high = 1;
    while (high < steepest_ && falls(high)) {
      high *= 2;
    }
    std::int64_t low = high == 1 ? 0 : high / 2;
    high = high < steepest_ ? high : steepest_;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (falls(middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const ends exact = at(low);
    producer_line found = line_of(low > 0 ? low : 1, old_bias);
    // The flatter a line, the farther its offset: where that is out of reach, the flattest line with one in reach.
    for (high = steepest_; found.largest == INT64_MAX && low < high;) {
      const std::int64_t middle = low + (high - low) / 2;
      if (line_of(middle > 0 ? middle : 1, old_bias).largest == INT64_MAX) {
        low = middle + 1;
      } else {
        high = middle;
      }
      if (low == high) {
        found = line_of(low, old_bias);
      }
    }
    found.least = exact.below > exact.above ? ceil_div(exact.below - exact.above, std::int64_t{4} << slope_bits) : 0;
    return found;
  }

 private:
  static constexpr int slope_bits = 50;

  struct ends {
    std::int64_t below = INT64_MIN;  // the largest y - 1/2 - s * first
    std::int64_t above = INT64_MAX;  // the least y + 1/2 - s * last
    std::int64_t first = 0;          // where they are
    std::int64_t last = 0;
  };
  constexpr bool falls(std::int64_t slope) const {
    const ends e = at(slope);
    return e.last < e.first;
  }
  // The line of a slope that is not 0, with the better of the two offsets next to the middle.
  constexpr producer_line line_of(std::int64_t m, std::int64_t old_bias) const {
    producer_line found{.shift = slope_bits};
    if (const int bits = 64 - std::countl_zero(static_cast<std::uint64_t>(m)); bits > 31) {
      m = rounding_shift_right(m, bits - 31);
      found.shift -= bits - 31;
    }
    if (m > int32_max) {
      m >>= 1;
      --found.shift;
    }
    found.multiplier = static_cast<std::int32_t>(m);
    // The middle of what is left for b, over the slope.
    const std::int64_t slope = m << (slope_bits - found.shift);
    const ends rounded = at(slope);
    const std::int64_t nearest = floor_div(rounded.below + rounded.above, 4 * slope) - center_;
    found.offset = nearest;
    for (const std::int64_t offset : {nearest, nearest + 1}) {
      const std::int64_t difference = largest_difference(found, offset, old_bias);
      if (difference < found.largest) {
        found.largest = difference;
        found.offset = offset;
      }
    }
    return found;
  }
  constexpr ends at(std::int64_t slope) const {
    ends e;
    for (std::size_t i = 0; i < pieces_.count(); ++i) {
      const auto& p = pieces_[i];
      if (!p.inside && !all_) {
        continue;
      }
      const std::int64_t y = std::int64_t{p.value} - output_zp_;
      const std::int64_t below = (2 * y - 1) * (std::int64_t{1} << slope_bits) - 2 * slope * (p.first - center_);
      const std::int64_t above = (2 * y + 1) * (std::int64_t{1} << slope_bits) - 2 * slope * (p.last - center_);
      if (below > e.below && (p.value > int8_range.lo || !clamps_)) {  // a value that is clamped to bounds one side
        e.below = below;
        e.first = p.first;
      }
      if (above < e.above && (p.value < int8_range.hi || !clamps_)) {
        e.above = above;
        e.last = p.last;
      }
    }
    return e;
  }
  // Over all pieces, at both ends: the line is monotone. INT64_MAX: some sum is not what a RESCALE takes.
  constexpr std::int64_t largest_difference(const producer_line& line, std::int64_t offset,
                                            std::int64_t old_bias) const {
    if (!fits<std::int32_t>(old_bias + offset)) {
      return INT64_MAX;
    }
    const rescale_kernel kernel(
        {.multiplier = line.multiplier, .shift = line.shift, .output_zp = output_zp_, .out = int8_range});
    std::int64_t largest = 0;
    for (std::size_t i = 0; i < pieces_.count(); ++i) {
      for (const std::int64_t acc : {pieces_[i].first + offset, pieces_[i].last + offset}) {
        if (!fits<std::int32_t>(acc) || !kernel.legal(acc)) {
          return INT64_MAX;
        }
        const std::int64_t d = std::int64_t{kernel(acc)} - pieces_[i].value;
        largest = d > largest ? d : -d > largest ? -d : largest;
      }
    }
    return largest;
  }

  const rescaled_codes& pieces_;
  std::int32_t output_zp_;
  std::int64_t center_ = 0;
  std::int64_t steepest_ = 0;
  bool all_ = false;
  bool clamps_ = false;
};

// The line of one output channel. Errors: range_inverted; accumulator_overflow; those of the chain's channel.
template <class Maps>
constexpr result<producer_line> fit_producer(const Maps& maps, std::int64_t o, const code_range& accumulators,
                                             std::int64_t bias, const conv_rescale& requantize,
                                             std::int32_t output_zp) {
  if (accumulators.empty()) {
    return rejection{.why = reason::range_inverted,
                     .at = place::domain,
                     .output_channel = o,
                     .expected = accumulators.lo,
                     .got = accumulators.hi};
  }
  const auto constants = maps.channel(o);
  if (!constants) {
    return constants.error();
  }
  const rescale_kernel kernel({.multiplier = requantize.multiplier_of(o),
                               .shift = requantize.shift_of(o),
                               .output_zp = output_zp,
                               .out = int8_range});
  for (const std::int64_t end : {accumulators.lo, accumulators.hi}) {
    if (!fits<std::int32_t>(end) || !kernel.legal(end)) {
      return rejection{.why = reason::accumulator_overflow,
                       .at = place::input,
                       .output_channel = o,
                       .expected = int32_range.clamp(end),
                       .got = end};
    }
  }
  int next = 0;  // of the chain's codes, which increase as the RESCALE's do
  const rescaled_codes pieces(kernel, accumulators, [&](std::int64_t code, std::int32_t& value) {
    while (next < maps.count() && maps.code(next) < code) {
      ++next;
    }
    const bool occurs = next < maps.count() && maps.code(next) == code;
    value = occurs ? maps.map(*constants, next) : 0;
    return occurs;
  });
  if (pieces.count() == 0) {
    return rejection{.why = reason::empty, .at = place::domain, .output_channel = o, .expected = 1, .got = 0};
  }
  const std::int32_t last_zp = maps.last_zero_point();
  const producer_line line = producer_fit(pieces, last_zp).best(bias);
  if (line.largest == INT64_MAX) {
    if (const std::int64_t sum = bias + line.offset; !fits<std::int32_t>(sum)) {
      rejection why = outside(reason::bias_overflow, place::bias, int32_range, sum);
      why.output_channel = o;
      return why;
    }
    const std::int64_t lo = accumulators.lo + line.offset;
    const std::int64_t limit = std::int64_t{1} << value_bits(rounding_mode::single_round, line.shift);
    const code_range room{-limit, limit - 1};
    rejection why = outside(reason::accumulator_overflow, place::bias, room,
                            room.contains(lo) ? accumulators.hi + line.offset : lo);
    why.output_channel = o;
    return why;
  }
  return line;
}

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
