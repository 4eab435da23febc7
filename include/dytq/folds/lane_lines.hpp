// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose line and whose zero point each of many weights side by side has, and what these lines have in common.
#ifndef DYTQ_FOLDS_LANE_LINES_HPP
#define DYTQ_FOLDS_LANE_LINES_HPP

#include <cstddef>
#include <cstdint>

#include "../numbers/integer.hpp"
#include "../view.hpp"
#include "channel_line.hpp"
#include "weight_runs.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// Lines of lanes that lie side by side.
struct line_run {
  const std::int16_t* numerators;
  const std::int16_t* denominators;
  const std::int16_t* first_values;
  const std::int16_t* first_deltas;
};

/// What is known of all lines of a fold: nothing; they are integers that add nothing beside themselves; they are that
/// and change no weight.
enum class line_kind : std::uint8_t { any, plain, identity };

/// What some lines have in common.
template <class Int = std::int16_t>
struct line_summary {
  std::uint16_t fractions = 0;  // bits of denominators other than 1
  std::uint16_t distances = 0;  // of deltas and values, each plus 256
  Int slope[2] = {1, 1};
  Int offset[2] = {0, 0};

  /// Are they integers, slope in [-64, 64), delta and value in [-256, 256)? Then products and offsets fit int16.
  constexpr bool simple() const { return fractions == 0 && distances < 512 && slope[0] >= -64 && slope[1] < 64; }
  constexpr bool identity() const { return simple() && slope[0] == 1 && slope[1] == 1; }
  constexpr std::int64_t largest_offset() const { return -offset[0] > offset[1] ? -offset[0] : offset[1]; }
};
// Of N lines that are simple, what a weight adds beside its channel's line is value - delta * slope.
struct simple_offset {
  std::int16_t r;
  std::int16_t input_zp;

  constexpr std::int16_t operator()(const line_run& lines, std::size_t i) const {
    const auto delta = static_cast<std::int16_t>(lines.first_deltas[i] + r);
    const auto value = static_cast<std::int16_t>(lines.first_values[i] - input_zp);
    return static_cast<std::int16_t>(value - delta * lines.numerators[i]);
  }
};
// Adds N lines to what some have in common. Two loops, since compilers have registers for one of them at a time.
template <std::size_t N>
constexpr void judge_lines(const line_run& lines, const simple_offset& offset_of, line_summary<>& met) {
  line_summary<> k = met;
  const auto to_delta = static_cast<std::uint16_t>(offset_of.r + 256);
  const auto to_value = static_cast<std::uint16_t>(256 - offset_of.input_zp);
  for (std::size_t i = 0; i < N; ++i) {
    const auto delta = static_cast<std::uint16_t>(lines.first_deltas[i] + to_delta);
    const auto value = static_cast<std::uint16_t>(lines.first_values[i] + to_value);
    k.fractions = static_cast<std::uint16_t>(k.fractions | (lines.denominators[i] ^ 1));
    k.distances = static_cast<std::uint16_t>(k.distances | delta | value);
  }
  for (std::size_t i = 0; i < N; ++i) {
    const std::int16_t slope = lines.numerators[i];
    const std::int16_t offset = offset_of(lines, i);
    k.slope[0] = slope < k.slope[0] ? slope : k.slope[0];
    k.slope[1] = slope > k.slope[1] ? slope : k.slope[1];
    k.offset[0] = offset < k.offset[0] ? offset : k.offset[0];
    k.offset[1] = offset > k.offset[1] ? offset : k.offset[1];
  }
  met = k;
}
// The offsets.
template <std::size_t N>
constexpr void set_offsets(const line_run& lines, const simple_offset& offset_of, std::int16_t* offsets) {
  std::int16_t made[N];
  for (std::size_t i = 0; i < N; ++i) {
    made[i] = offset_of(lines, i);
  }
  move_numbers(made, offsets, N);
}

/// Whose weights the lanes are: lane l has the line of channel first + l / repeat % period * step. Either all lanes
/// belong to one output channel (`across`), or lane 0 belongs to `output` and the others to those behind it.
///
/// A template, so that only those who fold compile it.
template <class Lines = channel_lines>
struct lane_source {
  Lines lines;
  view<const std::int8_t> zero_points;  ///< of the weights, as in a convolution
  std::int32_t input_zp = 0;
  std::int64_t first = 0;
  std::int64_t repeat = 1;
  std::int64_t period = 1;
  std::int64_t step = 1;
  std::int64_t begin = 0;  ///< l of the first lane
  std::int64_t count = 0;  ///< lanes
  std::int64_t output = 0;
  bool across = true;
  std::int16_t r = 0;  ///< the offset of the fold; |first_delta|, |r| < 2^14

  /// Lanes that have each line of these once.
  constexpr lane_source each_line_once() const {
    lane_source lanes = *this;
    const std::int64_t lines_met = (begin + count - 1) / repeat - begin / repeat + 1;
    lanes.begin = begin / repeat;
    lanes.count = lines_met < period ? lines_met : period;
    lanes.repeat = 1;
    return lanes;
  }

  /// The line of a lane; behind the last, one that adds nothing.
  constexpr channel_line line(std::size_t at) const {
    const auto lane = static_cast<std::int64_t>(at);
    if (lane < count) {
      return lines[first + index_of(begin + lane) * step];
    }
    return {.numerator = 1,
            .first_value = static_cast<std::int16_t>(input_zp),
            .first_delta = static_cast<std::int16_t>(-r)};
  }

  /// f(lines of lanes at, ..., at + N - 1): where they lie, or copied; behind the last lane as `line` has them. Of each
  /// there are the first `parts` numbers at least, of numerator, denominator, first value and first delta.
  template <std::size_t N, class F>
  constexpr void with_lines(std::size_t at, std::ptrdiff_t parts, F f) const {
    const std::int64_t lane = begin + static_cast<std::int64_t>(at);
    const std::int64_t left = count - static_cast<std::int64_t>(at);
    const auto part = static_cast<std::ptrdiff_t>(lines.part());
    const std::int16_t* numbers = lines.numbers.data + first * lines.numbers.strides[0];
    constexpr auto lanes = static_cast<std::int64_t>(N);
    if (side_by_side() && left >= lanes && index_of(lane) + lanes <= period) {
      numbers += index_of(lane);
      f(line_run{numbers, numbers + part, numbers + 2 * part, numbers + 3 * part});
      return;
    }
    std::int16_t copies[4][N + fill_step];
    for (std::ptrdiff_t k = 0; k < parts; ++k) {
      copy_numbers(numbers + k * part, lane, left < lanes ? left : lanes, copies[k]);
    }
    const channel_line none = line(static_cast<std::size_t>(count));
    for (std::int64_t i = left; i < lanes; ++i) {
      copies[0][i] = none.numerator;
      copies[1][i] = none.denominator;
      copies[2][i] = none.first_value;
      copies[3][i] = none.first_delta;
    }
    f(line_run{copies[0], copies[1], copies[2], copies[3]});
  }

 private:
  static constexpr std::int64_t fill_step = 8;

  /// Are the lines of lanes side by side, from each line to the last of the period?
  constexpr bool side_by_side() const { return repeat == 1 && step * lines.numbers.strides[0] == 1; }
  constexpr std::int64_t index_of(std::int64_t lane) const { return (repeat == 1 ? lane : lane / repeat) % period; }

  // One number of each lane's line. Lines that are not side by side are filled in, each in whole steps, of which the
  // next overwrites what is too much.
  constexpr void copy_numbers(const std::int16_t* numbers, std::int64_t lane, std::int64_t lanes,
                              std::int16_t* to) const {
    std::int64_t index = index_of(lane);
    std::int64_t at = 0;
    for (std::int64_t end = period - index; at < lanes && side_by_side(); end += period) {
      end = end < lanes ? end : lanes;
      move_numbers(numbers + index, to + at, static_cast<std::size_t>(end - at));
      at = end;
      index = 0;
    }
    const std::int64_t stride = step * lines.numbers.strides[0];
    for (std::int64_t end = repeat - lane % repeat; at < lanes; end += repeat) {
      const std::int16_t number = numbers[index * stride];
      end = end < lanes ? end : lanes;
      for (; at < end; at += fill_step) {
        fill_run<fill_step>(number, to + at);
      }
      at = end;
      index = index + 1 == period ? 0 : index + 1;
    }
  }
};

/// What a weight of 1 adds to the bias beside its channel's line, times the denominator of the slope.
template <class Source>
constexpr std::int64_t offset_of(const channel_line& line, const Source& of) {
  const std::int64_t delta = line.first_delta + of.r;
  return line.denominator == 0
             ? 0
             : std::int64_t{line.first_value - of.input_zp} * line.denominator - delta * line.numerator;
}

/// Zero points of weights: one for all lanes, or one for each of at most Capacity, which is no less than `long_run`.
template <std::size_t Capacity>
class lane_zero_points {
 public:
  constexpr lane_zero_points() {}  // the array is filled before it is read

  constexpr void load(const lane_source<>& from) {
    const view<const std::int8_t>& zps = from.zero_points;
    const std::int64_t entry = zps.extent(0) == 1 ? 0 : from.output;
    is_shared_ = from.across || zps.extent(0) <= 1;
    if (is_shared_) {
      const std::int32_t zero_point = zps.absent() ? 0 : zps.data[zps.offset({entry})];
      for (std::size_t i = 0; i < long_run && zero_point != shared_; ++i) {
        zero_point_[i] = static_cast<std::int16_t>(zero_point);
      }
      shared_ = zero_point;
      return;
    }
    shared_ = int32_min;
    for (std::size_t i = 0; i < Capacity; ++i) {
      const auto lane = static_cast<std::int64_t>(i);
      zero_point_[i] = lane < from.count ? zps.data[zps.offset({entry + lane})] : std::int8_t{0};
    }
  }
  constexpr bool is_shared() const { return is_shared_; }
  /// May one of them be other than 0?
  constexpr bool any() const { return !is_shared_ || shared_ != 0; }
  /// Those of a run that begins at a lane.
  constexpr const std::int16_t* run(std::size_t lane) const { return is_shared_ ? zero_point_ : zero_point_ + lane; }
  constexpr std::int16_t operator[](std::size_t lane) const { return zero_point_[is_shared_ ? 0 : lane]; }

 private:
  bool is_shared_ = true;
  std::int32_t shared_ = int32_min;  // what the array is filled with, if with one
  alignas(32) std::int16_t zero_point_[Capacity];
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
