// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way of a fold through the weights: along the axis that lies side by side in memory, whichever it is.
//
// Lanes run along the input channels of one tap, along input channels and taps as one axis, or along output channels.
// A panel is a set of output channels that share what is loaded for them; a slice is a part of it with one set of
// lanes; its rows are what these lanes meet.
#ifndef DYTQ_WEIGHT_PANELS_HPP
#define DYTQ_WEIGHT_PANELS_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "channel_line.hpp"
#include "conv.hpp"
#include "view.hpp"
#include "weight_lanes.hpp"

namespace dytq::inline v0 {

namespace detail {

template <class Lanes>
class weight_panels {
 public:
  /// The convolution must be valid, with this geometry, and have one line for each input channel.
  constexpr weight_panels(const convolution& conv, const conv_geometry& geometry, const view<const channel_line>& lines)
      : conv_(conv), geometry_(geometry), lines_(lines), single_class_(geometry.single_class()) {}

  /// Whether every folded weight is an integer and in its range; and the largest magnitude of what a weight of 1 adds
  /// to the bias beside its channel's line, for the offset r.
  struct proof {
    bool holds = true;
    std::int64_t largest_offset = 0;
  };
  constexpr proof prove(std::int64_t r) {
    growing_ = true;
    axis_ = axis_of(conv_.weight.strides);
    proof found;
    for (panel p = next_panel({0, 0}); p.count > 0; p = next_panel(p)) {
      for (std::int64_t s = 0; s < slices(); ++s) {
        load(p, s, r);
        found.largest_offset =
            found.largest_offset > lanes_.largest_offset() ? found.largest_offset : lanes_.largest_offset();
        if (!prove_slice(p, s)) {
          return {.holds = false};
        }
      }
    }
    return found;
  }

  /// Writes what `prove` has proven, for the offset that solves the fold. -> how many weights change
  /// bias(output channel, what is added to its bias, modulo 2^32).
  template <class F>
  constexpr std::int64_t write(std::int64_t r, const weight_view<std::int8_t>& out, F bias) {
    growing_ = false;
    axis_ = axis_of(out.strides);
    for (panel p = next_panel({0, 0}); p.count > 0; p = next_panel(p)) {
      std::array<std::uint32_t, static_cast<std::size_t>(panel_limit)> sums{};
      for (std::int64_t s = 0; s < slices(); ++s) {
        load(p, s, r);
        write_slice(p, s, out, sums);
      }
      for (std::int64_t j = 0; j < p.count; ++j) {
        bias(p.first + j, sums[static_cast<std::size_t>(j)]);
      }
    }
    return lanes_.changed();
  }

 private:
  static constexpr std::int64_t panel_limit = Lanes::capacity;
  static constexpr std::int64_t few = 32;  // fewer lanes are not worth a run of loops

  enum class axis : std::uint8_t { inputs, taps_and_inputs, inputs_and_taps, outputs };

  // Output channels first, ..., first + count - 1. Unless lanes run along them, they are of one group and have one zero
  // point. Panels double, so that a refusal near the start is cheap.
  struct panel {
    std::int64_t first = 0;
    std::int64_t count = 0;
  };

  constexpr panel next_panel(const panel& behind) const {
    const std::int64_t first = behind.first + behind.count;
    const std::int64_t outputs = conv_.output_channels();
    const std::int64_t group = axis_ == axis::outputs ? outputs : outputs / conv_.groups;
    const std::int64_t left = first < outputs ? group - first % group : 0;
    const std::int64_t most = axis_ == axis::outputs || !growing_ || first >= few ? panel_limit : 7 * first + 1;
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
    if (in[4] == 1 && inputs >= few) {
      return axis::inputs;
    }
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
    return in[0] == 1 || inputs < few ? axis::outputs : axis::inputs;
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
    return axis_ == axis::outputs ? conv_.group_inputs() : (lanes_in_all() + Lanes::capacity - 1) / Lanes::capacity;
  }
  constexpr std::int64_t first_lane(std::int64_t s) const { return s * Lanes::capacity; }

  constexpr void load(const panel& p, std::int64_t s, std::int64_t r) {
    const std::int64_t inputs = conv_.group_inputs();
    const std::int64_t group_outputs = conv_.output_channels() / conv_.groups;
    const bool across = axis_ != axis::outputs;
    const std::int64_t left = lanes_in_all() - first_lane(s);
    lanes_.load({.lines = lines_,
                 .zero_points = conv_.weight_zp,
                 .input_zp = conv_.input_zp,
                 .first = across ? p.first / group_outputs * inputs : s,
                 .repeat = axis_ == axis::inputs_and_taps ? conv_.taps()
                           : across                       ? 1
                                                          : group_outputs,
                 .period = across ? inputs : conv_.groups,
                 .step = across ? 1 : inputs,
                 .output = p.first,
                 .across = across},
                across ? first_lane(s) : p.first,
                !across                  ? p.count
                : left < Lanes::capacity ? left
                                         : Lanes::capacity,
                r);
  }

  // f(number of the row's output channel in the panel, its tap, index of its first weight), for each row.
  template <class F>
  constexpr void for_each_row(const panel& p, std::int64_t s, F f) const {
    const std::int64_t outputs = axis_ == axis::outputs ? 1 : p.count;
    const std::int64_t input = axis_ == axis::outputs ? s : is_joined() ? 0 : first_lane(s);
    for (std::int64_t j = 0; j < outputs; ++j) {
      for (tap_walk tap(geometry_); tap; tap.next()) {
        f(j, tap, std::array<std::int64_t, 5>{p.first + j, tap.d, tap.y, tap.x, input});
        if (is_joined()) {
          break;
        }
      }
    }
  }
  constexpr std::ptrdiff_t offset_in_joined(std::int64_t s) const {
    return static_cast<std::ptrdiff_t>(is_joined() ? first_lane(s) : 0);
  }
  constexpr std::int64_t lane_step(const std::array<std::int64_t, 5>& strides) const {
    return axis_ == axis::outputs ? strides[0] : axis_ == axis::inputs ? strides[4] : 1;
  }
  constexpr bool touched(const tap_walk& tap) const { return single_class_ || is_joined() || tap.touched(); }
  constexpr bool in_first_class(const tap_walk& tap) const {
    return single_class_ || (geometry_.axes[0].reads(0, tap.d) && geometry_.axes[1].reads(0, tap.y) &&
                             geometry_.axes[2].reads(0, tap.x));
  }

  constexpr bool prove_slice(const panel& p, std::int64_t s) {
    const std::int64_t step = lane_step(conv_.weight.strides);
    std::array<const std::int8_t*, Lanes::batch> rows{};
    std::size_t count = 0;
    bool divides = true;
    bool empty = true;
    lanes_.forget_extremes();
    for_each_row(p, s, [&](std::int64_t, const tap_walk& tap, const std::array<std::int64_t, 5>& at) {
      if (!touched(tap)) {
        return;
      }
      empty = false;
      rows[count++] = conv_.weight.data + conv_.weight.offset(at) + offset_in_joined(s);
      divides = divides && (!lanes_.has_quotient() || lanes_.divides(rows[count - 1], step));
      if (count == Lanes::batch) {
        lanes_.widen(rows, step);
        count = 0;
      }
    });
    if (count > 0) {
      for (std::size_t b = count; b < Lanes::batch; ++b) {
        rows[b] = rows[0];
      }
      lanes_.widen(rows, step);
    }
    return empty || (divides && lanes_.contained_in(conv_.weight_range));
  }

  constexpr void write_slice(const panel& p, std::int64_t s, const weight_view<std::int8_t>& out,
                             std::array<std::uint32_t, static_cast<std::size_t>(panel_limit)>& sums) {
    if (!single_class_ && is_joined() && lanes_.largest_offset() != 0) {
      leave_out_lanes(s);
    }
    lanes_.begin_sums();
    const std::int64_t in_step = lane_step(conv_.weight.strides);
    const std::int64_t out_step = lane_step(out.strides);
    for_each_row(p, s, [&](std::int64_t j, const tap_walk& tap, const std::array<std::int64_t, 5>& at) {
      const std::int8_t* const from = conv_.weight.data + conv_.weight.offset(at) + offset_in_joined(s);
      std::int8_t* const to = out.data + out.offset(at) + offset_in_joined(s);
      if (!touched(tap)) {
        lanes_.pass(from, in_step, to, out_step);
        return;
      }
      lanes_.write(from, in_step, to, out_step, is_joined() || in_first_class(tap));
      if (axis_ != axis::outputs) {
        sums[static_cast<std::size_t>(j)] += lanes_.take_sum();
      } else if (lanes_.rows() == Lanes::row_limit) {
        lanes_.take_sums(sums);
      }
    });
    if (axis_ == axis::outputs) {
      lanes_.take_sums(sums);
    }
  }
  // In the joined axis, lanes whose tap the first class does not read.
  constexpr void leave_out_lanes(std::int64_t s) {
    for (tap_walk tap(geometry_); tap; tap.next()) {
      for (std::int64_t i = 0; i < conv_.group_inputs() && !in_first_class(tap); ++i) {
        const std::int64_t lane =
            axis_ == axis::inputs_and_taps ? i * conv_.taps() + tap.index() : tap.index() * conv_.group_inputs() + i;
        if (lane >= first_lane(s) && lane < first_lane(s) + Lanes::capacity) {
          lanes_.leave_out(static_cast<std::size_t>(lane - first_lane(s)));
        }
      }
    }
  }

  const convolution& conv_;
  const conv_geometry& geometry_;
  view<const channel_line> lines_;
  bool single_class_ = false;
  axis axis_ = axis::inputs;
  bool growing_ = false;
  Lanes lanes_;
};

}  // namespace detail

}  // namespace dytq::inline v0

#endif
