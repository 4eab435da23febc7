// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose line and whose zero point each of many weights side by side has.
#ifndef DYTQ_LANE_LINES_HPP
#define DYTQ_LANE_LINES_HPP

#include <cstddef>
#include <cstdint>

#include "channel_line.hpp"
#include "integer.hpp"
#include "view.hpp"
#include "weight_runs.hpp"

namespace dytq::inline v0 {

namespace detail {

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

  /// f(lines of lanes at, ..., at + N - 1): where they lie, or copied; behind the last lane, lines that add nothing.
  template <std::size_t N, class F>
  constexpr void with_lines(std::size_t at, F f) const {
    const std::int64_t from = begin + static_cast<std::int64_t>(at);
    const std::int64_t left = count - static_cast<std::int64_t>(at);
    const auto stride = static_cast<std::ptrdiff_t>(step * lines.numbers.strides[0]);
    const auto part = static_cast<std::ptrdiff_t>(lines.part());
    const std::int16_t* const start = lines.numbers.data + first * lines.numbers.strides[0];
    std::int64_t index = from / repeat % period;
    constexpr auto lanes = static_cast<std::int64_t>(N);
    if (repeat == 1 && stride == 1 && left >= lanes && index + lanes <= period) {
      const std::int16_t* const there = start + index;
      f(line_run{there, there + part, there + 2 * part, there + 3 * part});
      return;
    }
    std::int16_t copies[4][N];
    std::int64_t sub = from % repeat;
    const bool is_one_line = sub + lanes <= repeat && left >= lanes;
    for (std::ptrdiff_t k = 0; k < 4 && is_one_line; ++k) {
      fill_run<N>(start[static_cast<std::ptrdiff_t>(index) * stride + k * part], copies[k]);
    }
    for (std::size_t i = 0; i < N && !is_one_line; ++i) {
      if (static_cast<std::int64_t>(i) >= left) {
        copies[0][i] = 1;
        copies[1][i] = 1;
        copies[2][i] = static_cast<std::int16_t>(input_zp);
        copies[3][i] = static_cast<std::int16_t>(-r);
        continue;
      }
      const std::int16_t* const there = start + static_cast<std::ptrdiff_t>(index) * stride;
      copies[0][i] = there[0];
      copies[1][i] = there[part];
      copies[2][i] = there[2 * part];
      copies[3][i] = there[3 * part];
      sub = sub + 1 == repeat ? 0 : sub + 1;
      index = sub != 0 ? index : index + 1 == period ? 0 : index + 1;
    }
    f(line_run{copies[0], copies[1], copies[2], copies[3]});
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

}  // namespace dytq::inline v0

#endif
