// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way of a fold through the weights: along the axis that lies side by side in memory, whichever it is.
//
// Lanes run along the input channels of one tap, along input channels and taps as one axis, or along output channels.
// A panel is a set of output channels that share what is loaded for them; a slice is a part of it with one set of
// lanes; its rows are what these lanes meet.
#ifndef DYTQ_FOLDS_WEIGHT_PANELS_HPP
#define DYTQ_FOLDS_WEIGHT_PANELS_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "../conv.hpp"
#include "../view.hpp"
#include "channel_line.hpp"
#include "lane_lines.hpp"
#include "weight_lanes.hpp"
#include "weight_runs.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

template <std::size_t Lanes>
class weight_panels {
 public:
  /// The convolution must be valid, with this geometry, and have one line for each input channel.
  constexpr weight_panels(const convolution& conv, const conv_geometry& geometry, const channel_lines& lines)
      : conv_(conv), geometry_(geometry), lines_(lines), single_class_(geometry.single_class()) {}

  /// Whether every folded weight is an integer and in its range; and the largest magnitude of what a weight of 1 adds
  /// to the bias beside its channel's line, for the offset r.
  struct proof {
    bool holds = true;
    line_kind kind = line_kind::identity;  // of all lines
    std::int64_t largest_offset = 0;
  };
  constexpr proof prove(std::int64_t r) {
    proof_lanes<Lanes> lanes;
    growing_ = true;
    set_axis(axis_of(conv_.weight.strides));
    proof found;
    for (panel p = next_panel({0, 0}); p.count > 0; p = next_panel(p)) {
      for (std::int64_t s = 0; s < slices(); ++s) {
        const lane_source<> from = source(p, s, r);
        lanes.load(from);
        found.largest_offset =
            found.largest_offset > lanes.largest_offset() ? found.largest_offset : lanes.largest_offset();
        found.kind = lanes.kind() < found.kind ? lanes.kind() : found.kind;
        if (!lanes.holds_for_any(conv_.weight_range) && !prove_slice(p, s, from, lanes)) {
          return {.holds = false};
        }
      }
    }
    return found;
  }

  /// Writes what `prove` has proven, for the offset that solves the fold; `kind`: what it has found for this offset.
  /// -> how many weights change
  /// bias(output channel, how many from there on, what is added to the bias of each, modulo 2^32; null: nothing).
  template <class F>
  constexpr std::int64_t write(std::int64_t r, line_kind kind, const weight_view<std::int8_t>& out, F bias) {
    write_lanes<Lanes> lanes;
    const bool adds = kind == line_kind::any;
    growing_ = false;
    set_axis(axis_of(out.strides));
    for (panel p = next_panel({0, 0}); p.count > 0; p = next_panel(p)) {
      std::uint32_t sums[panel_outputs<Lanes>];
      for_each_run(adds ? static_cast<std::size_t>(p.count) : 0,
                   [&]<std::size_t N>(std::size_t at) { fill_run<N, std::uint32_t>(0, sums + at); });
      for (std::int64_t s = 0; s < slices(); ++s) {
        lanes.load(source(p, s, r), kind);
        write_slice(p, s, out, lanes, sums);
      }
      bias(p.first, p.count, adds ? sums : nullptr);
    }
    return lanes.changed();
  }

 private:
  static constexpr std::int64_t lane_limit = static_cast<std::int64_t>(Lanes);
  static constexpr std::int64_t panel_limit = static_cast<std::int64_t>(panel_outputs<Lanes>);
  static constexpr std::int64_t few = static_cast<std::int64_t>(short_run);  // fewer lanes are not worth a run of loops

  enum class axis : std::uint8_t { inputs, taps_and_inputs, inputs_and_taps, outputs };

  // Output channels first, ..., first + count - 1. Unless lanes run along them, they are of one group and have one zero
  // point. The first is one channel, where most refusals are met.
  struct panel {
    std::int64_t first = 0;
    std::int64_t count = 0;
  };

  constexpr panel next_panel(const panel& behind) const {
    const std::int64_t first = behind.first + behind.count;
    const std::int64_t outputs = conv_.output_channels();
    const std::int64_t group = axis_ == axis::outputs ? outputs : outputs / conv_.groups;
    const std::int64_t left = first < outputs ? group - first % group : 0;
    const std::int64_t most = axis_ == axis::outputs || !growing_ || first > 0 ? panel_limit : 1;
    const std::int64_t limit = left < most ? left : most;
    const bool one_zero_point = axis_ == axis::outputs || conv_.weight_zp.extent(0) <= 1;
    std::int64_t count = one_zero_point || limit < 1 ? limit : 1;
    while (count < limit && weight_zero_point(conv_, first + count) == weight_zero_point(conv_, first)) {
      ++count;
    }
    return {first, count};
  }

  // The axis along which weights lie side by side, in the input and, as far as it matters, in an output of these
  // strides.
  constexpr axis axis_of(const std::array<std::int64_t, 5>& out) const {
    const auto& in = conv_.weight.strides;
    const std::int64_t inputs = conv_.group_inputs();
    bool joined = conv_.taps() > 1 && conv_.taps() * inputs >= few && all_touched();
    std::int64_t tap_step = 0;
    std::int64_t next_step = 0;
    for (std::size_t a = 3; a > 0; --a) {
      if (conv_.weight.extents[a] > 1) {
        joined = joined && in[a] == out[a] && (tap_step == 0 || in[a] == next_step);
        tap_step = tap_step == 0 ? in[a] : tap_step;
        next_step = in[a] * conv_.weight.extents[a];
      }
    }
    joined = joined && (inputs == 1 || in[4] == out[4]);
    if (joined && tap_step == 1 && (inputs == 1 || in[4] == conv_.taps())) {
      return axis::inputs_and_taps;
    }
    if (joined && tap_step == inputs && in[4] == 1) {
      return axis::taps_and_inputs;
    }
    const bool in_order = in[4] == 1 && inputs >= few;
    return !in_order && (in[0] == 1 || inputs < few) ? axis::outputs : axis::inputs;
  }
  // Slices are as long as each other, in whole runs: a short last one would read little of each row.
  constexpr void set_axis(axis a) {
    axis_ = a;
    const std::int64_t run_of_each = slices() * static_cast<std::int64_t>(long_run);
    slice_lanes_ = (lanes_in_all() + run_of_each - 1) / run_of_each * static_cast<std::int64_t>(long_run);
  }
  constexpr bool all_touched() const {
    for (tap_walk tap(geometry_); tap && !single_class_; tap.next()) {
      if (!tap.touched()) {
        return false;
      }
    }
    return true;
  }
  constexpr bool is_joined() const { return axis_ == axis::taps_and_inputs || axis_ == axis::inputs_and_taps; }

  constexpr std::int64_t lanes_in_all() const {
    return is_joined() ? conv_.taps() * conv_.group_inputs() : conv_.group_inputs();
  }
  constexpr std::int64_t slices() const {
    return axis_ == axis::outputs ? conv_.group_inputs() : (lanes_in_all() + lane_limit - 1) / lane_limit;
  }
  constexpr std::int64_t first_lane(std::int64_t s) const { return s * slice_lanes_; }

  constexpr lane_source<> source(const panel& p, std::int64_t s, std::int64_t r) const {
    const std::int64_t inputs = conv_.group_inputs();
    const std::int64_t group_outputs = conv_.output_channels() / conv_.groups;
    const bool across = axis_ != axis::outputs;
    const std::int64_t left = lanes_in_all() - first_lane(s);
    return {.lines = lines_,
            .zero_points = conv_.weight_zp,
            .input_zp = conv_.input_zp,
            .first = across ? p.first / group_outputs * inputs : s,
            .repeat = axis_ == axis::inputs_and_taps ? conv_.taps()
                      : across                       ? 1
                                                     : group_outputs,
            .period = across ? inputs : conv_.groups,
            .step = across ? 1 : inputs,
            .begin = across ? first_lane(s) : p.first,
            .count = !across               ? p.count
                     : left < slice_lanes_ ? left
                                           : slice_lanes_,
            .output = p.first,
            .across = across,
            .r = static_cast<std::int16_t>(r)};
  }

  // f(number of the row's output channel in the panel, its tap), for each row.
  template <class F>
  constexpr void for_each_row(const panel& p, const F& f) const {
    const std::int64_t outputs = axis_ == axis::outputs ? 1 : p.count;
    const tap_walk first_tap(geometry_);
    for (std::int64_t j = 0; j < outputs; ++j) {
      for (tap_walk tap = first_tap; tap; tap.next()) {
        f(j, tap);
        if (is_joined()) {
          break;
        }
      }
    }
  }
  // The first weight of the slice; and how far from there the row of an output channel and a tap begins.
  template <class T>
  constexpr T* slice_of(const weight_view<T>& weight, const panel& p, std::int64_t s) const {
    const std::int64_t input = axis_ == axis::outputs ? s : is_joined() ? 0 : first_lane(s);
    const std::int64_t joined = is_joined() ? first_lane(s) : 0;
    return weight.data + static_cast<std::ptrdiff_t>(p.first * weight.strides[0] + input * weight.strides[4] + joined);
  }
  static constexpr std::ptrdiff_t row_offset(const std::array<std::int64_t, 5>& strides, std::int64_t j,
                                             const tap_walk& tap) {
    return static_cast<std::ptrdiff_t>(j * strides[0] + tap.d * strides[1] + tap.y * strides[2] + tap.x * strides[3]);
  }
  constexpr std::int64_t lane_step(const std::array<std::int64_t, 5>& strides) const {
    return axis_ == axis::outputs ? strides[0] : axis_ == axis::inputs ? strides[4] : 1;
  }
  constexpr bool touched(const tap_walk& tap) const { return single_class_ || is_joined() || tap.touched(); }
  constexpr bool in_first_class(const tap_walk& tap) const {
    return single_class_ || (geometry_.axes[0].reads(0, tap.d) && geometry_.axes[1].reads(0, tap.y) &&
                             geometry_.axes[2].reads(0, tap.x));
  }

  constexpr bool prove_slice(const panel& p, std::int64_t s, const lane_source<>& from,
                             proof_lanes<Lanes>& lanes) const {
    const std::int64_t step = lane_step(conv_.weight.strides);
    const std::int8_t* rows[widen_batch]{};
    std::size_t count = 0;
    bool divides = true;
    bool empty = true;
    const std::int8_t* const slice = slice_of(conv_.weight, p, s);
    for_each_row(p, [&](std::int64_t j, const tap_walk& tap) {
      if (!touched(tap)) {
        return;
      }
      empty = false;
      rows[count++] = slice + row_offset(conv_.weight.strides, j, tap);
      divides = divides && (!lanes.has_quotient() || lanes.divides(rows[count - 1], step));
      if (count == widen_batch) {
        lanes.widen(rows, step);
        count = 0;
      }
    });
    if (count > 0) {
      for (std::size_t b = count; b < widen_batch; ++b) {
        rows[b] = rows[0];
      }
      lanes.widen(rows, step);
    }
    return empty || (divides && lanes.contained_in(conv_.weight_range, from));
  }

  constexpr void write_slice(const panel& p, std::int64_t s, const weight_view<std::int8_t>& out,
                             write_lanes<Lanes>& lanes, std::uint32_t* sums) const {
    if (!single_class_ && is_joined() && lanes.has_offset()) {
      leave_out_lanes(s, lanes);
    }
    lanes.begin_sums();
    const std::int64_t in_step = lane_step(conv_.weight.strides);
    const std::int64_t out_step = lane_step(out.strides);
    const std::int8_t* const slice = slice_of(conv_.weight, p, s);
    std::int8_t* const out_slice = slice_of(out, p, s);
    for_each_row(p, [&](std::int64_t j, const tap_walk& tap) {
      const std::int8_t* const from = slice + row_offset(conv_.weight.strides, j, tap);
      std::int8_t* const to = out_slice + row_offset(out.strides, j, tap);
      if (!touched(tap)) {
        lanes.pass(from, in_step, to, out_step);
        return;
      }
      lanes.write(from, in_step, to, out_step, is_joined() || in_first_class(tap));
      if (!lanes.has_offset()) {
        return;
      }
      if (axis_ != axis::outputs) {
        sums[static_cast<std::size_t>(j)] += lanes.take_sum();
      } else if (lanes.rows() == tally_limit) {
        lanes.take_sums(sums);
      }
    });
    if (axis_ == axis::outputs && lanes.has_offset()) {
      lanes.take_sums(sums);
    }
  }
  // In the joined axis, lanes whose tap the first class does not read.
  constexpr void leave_out_lanes(std::int64_t s, write_lanes<Lanes>& lanes) const {
    for (tap_walk tap(geometry_); tap; tap.next()) {
      for (std::int64_t i = 0; i < conv_.group_inputs() && !in_first_class(tap); ++i) {
        const std::int64_t lane =
            axis_ == axis::inputs_and_taps ? i * conv_.taps() + tap.index() : tap.index() * conv_.group_inputs() + i;
        if (lane >= first_lane(s) && lane < first_lane(s + 1)) {
          lanes.leave_out(static_cast<std::size_t>(lane - first_lane(s)));
        }
      }
    }
  }

  const convolution& conv_;
  const conv_geometry& geometry_;
  channel_lines lines_;
  bool single_class_ = false;
  axis axis_ = axis::inputs;
  std::int64_t slice_lanes_ = lane_limit;
  bool growing_ = false;
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
