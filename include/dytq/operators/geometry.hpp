// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The geometry of a convolution: which taps of the kernel are inside the input at which output position, and the
// classes of positions that have the same taps.
#ifndef DYTQ_OPERATORS_GEOMETRY_HPP
#define DYTQ_OPERATORS_GEOMETRY_HPP

#include <array>
#include <cstdint>

#include "../codes.hpp"
#include "../numbers/integer.hpp"
#include "../result.hpp"

namespace dytq {
inline namespace v0 {
namespace detail {

/// Does the kernel gather inputs, or scatter them (TOSA TRANSPOSE_CONV2D)?
enum class conv_kind : std::uint8_t { forward, transposed };

/// One spatial axis of a convolution.
///
/// Left as it is, an axis suits a kernel of 1 and no other: unset padding is not padding of 0. For a
/// larger kernel give the input's extent, or `any_input`.
struct conv_axis {
  static constexpr std::int64_t any_input = 0;     ///< an extent that does not matter, since nothing is padded
  static constexpr std::int64_t unset_input = -1;  ///< the extent is not given

  std::int64_t input = unset_input;  ///< extent of the input
  std::int64_t stride = 1;           ///< in input positions; if transposed, in output positions
  std::int64_t dilation = 1;         ///< must be 1 if transposed
  std::int64_t before = 0;           ///< padding of the input; if transposed, out_pad of the output (may be negative)
  std::int64_t after = 0;            ///< as `before`, at the other end
};

/// Taps first, first + step, ..., last; none if first > last.
struct tap_set {
  std::int64_t first = 0;  ///< the least tap
  std::int64_t last = -1;  ///< the greatest, itself included
  std::int64_t step = 1;   ///< from one to the next

  /// Is there no tap?
  constexpr bool empty() const { return first > last; }
  friend constexpr bool operator==(const tap_set&, const tap_set&) = default;
};

/// The geometry of one axis, validated.
class axis_geometry {
 public:
  static constexpr std::int64_t extent_limit = int32_max;  ///< no extent, padding, stride or dilation is above it

  constexpr axis_geometry() = default;

  /// Errors (TOSA's ERROR_IF): unknown_type: a kind that has no name; pad_out_of_range; stride_not_positive;
  ///   dilation_not_positive; stride_does_not_divide; shape_mismatch: no output position, or no input;
  ///   extent_overflow: a number above `extent_limit`. And geometry_unset: a kernel larger than 1 (`got`) on an axis
  ///   whose input is not given.
  static constexpr result<axis_geometry> make(conv_kind kind, const conv_axis& axis, std::int64_t kernel) {
    for (const std::int64_t v : {axis.input, axis.stride, axis.dilation, axis.before, axis.after, kernel}) {
      if (v > extent_limit || v < -extent_limit) {
        return rejection{.why = reason::extent_overflow, .at = place::input, .expected = extent_limit, .got = v};
      }
    }
    const bool transposed = kind == conv_kind::transposed;
    if (!transposed && kind != conv_kind::forward) {
      return rejection{.why = reason::unknown_type, .got = static_cast<std::int64_t>(kind)};
    }
    if (axis.stride < 1) {
      return rejection{.why = reason::stride_not_positive, .expected = 1, .got = axis.stride};
    }
    if (axis.dilation < 1 || (transposed && axis.dilation != 1)) {
      return rejection{.why = reason::dilation_not_positive, .expected = 1, .got = axis.dilation};
    }
    const std::int64_t least_pad = transposed ? 1 - kernel : 0;
    if (axis.before < least_pad || axis.after < least_pad) {
      return rejection{.why = reason::pad_out_of_range,
                       .expected = least_pad,
                       .got = axis.before < least_pad ? axis.before : axis.after};
    }
    if (kernel < 1 || axis.input < conv_axis::unset_input) {
      return rejection{
          .why = reason::shape_mismatch, .at = place::input, .expected = 1, .got = kernel < 1 ? kernel : axis.input};
    }
    if (kernel > 1 && axis.input == conv_axis::unset_input) {
      return rejection{.why = reason::geometry_unset, .at = place::weight, .expected = 1, .got = kernel};
    }
    axis_geometry g;
    g.transposed_ = transposed;
    g.axis_ = axis;
    g.kernel_ = kernel;
    if (axis.input <= conv_axis::any_input) {
      const bool borderless = !transposed || (kernel == 1 && axis.stride == 1);
      if (!borderless || axis.before != 0 || axis.after != 0) {
        return rejection{.why = reason::shape_mismatch, .at = place::input, .expected = 1, .got = 0};
      }
      g.axis_.input = (kernel - 1) * axis.dilation + 1;  // any extent has the one class of the smallest
      g.axis_.stride = 1;
    }
    const std::int64_t room = g.axis_.input - 1 + axis.before + axis.after;
    if (transposed) {
      g.outputs_ = (g.axis_.input - 1) * axis.stride + axis.before + axis.after + kernel;
    } else {
      if (kernel - 1 > room / axis.dilation) {
        return rejection{.why = reason::shape_mismatch,
                         .at = place::output,
                         .expected = room + 1,
                         .got = (kernel - 1) * axis.dilation + 1};
      }
      const std::int64_t span = room - (kernel - 1) * axis.dilation;
      if (span % g.axis_.stride != 0) {
        return rejection{.why = reason::stride_does_not_divide, .expected = span - span % g.axis_.stride, .got = span};
      }
      g.outputs_ = span / g.axis_.stride + 1;
    }
    if (g.outputs_ < 1) {
      return rejection{.why = reason::shape_mismatch, .at = place::output, .expected = 1, .got = g.outputs_};
    }
    return g;
  }

  /// Input positions; of `any_input`, the fewest there can be.
  constexpr std::int64_t inputs() const { return axis_.input; }
  /// Output positions.
  constexpr std::int64_t outputs() const { return outputs_; }
  /// Taps.
  constexpr std::int64_t kernel() const { return kernel_; }

  /// The input position that tap t reads at output position o; outside [0, inputs()) or -1: none.
  constexpr std::int64_t input_at(std::int64_t o, std::int64_t t) const {
    if (!transposed_) {
      return o * axis_.stride - axis_.before + t * axis_.dilation;
    }
    const std::int64_t shifted = o - axis_.before - t;
    return shifted >= 0 && shifted % axis_.stride == 0 ? shifted / axis_.stride : -1;
  }

  /// Is tap t inside the input at output position o?
  constexpr bool reads(std::int64_t o, std::int64_t t) const {
    const std::int64_t i = input_at(o, t);
    return i >= 0 && i < axis_.input;
  }

  /// The taps that are inside the input at output position o.
  constexpr tap_set taps_at(std::int64_t o) const {
    if (!transposed_) {  // 0 <= origin + t * dilation < inputs
      const std::int64_t origin = o * axis_.stride - axis_.before;
      return {code_range{0, kernel_}.clamp(ceil_div(-origin, axis_.dilation)),
              code_range{-1, kernel_ - 1}.clamp(floor_div(axis_.input - 1 - origin, axis_.dilation)), 1};
    }
    // t = highest - i * stride for the inputs i
    const std::int64_t highest = o - axis_.before;
    const std::int64_t lowest = highest - (axis_.input - 1) * axis_.stride;
    const std::int64_t too_low = lowest < 0 ? ceil_div(-lowest, axis_.stride) * axis_.stride : 0;
    const std::int64_t too_high =
        highest >= kernel_ ? ceil_div(highest - (kernel_ - 1), axis_.stride) * axis_.stride : 0;
    return {lowest + too_low, highest - too_high, axis_.stride};
  }

  /// The next output position whose taps may be a set not met before it, or outputs(). Starting from 0 it meets every
  /// set in at most 4 * kernel + 4 steps, however many positions there are.
  constexpr std::int64_t next_class(std::int64_t o) const {
    std::int64_t next = outputs_;
    if (!transposed_) {
      // Both ends of the set only fall as o grows. Where does one fall next?
      const auto consider = [&](std::int64_t position) { next = position < next ? position : next; };
      const tap_set here = taps_at(o);
      if (here.first > 0) {
        consider(ceil_div(axis_.before - (here.first - 1) * axis_.dilation, axis_.stride));
      }
      if (here.last >= 0) {
        consider(floor_div(axis_.input - 1 + axis_.before - here.last * axis_.dilation, axis_.stride) + 1);
      }
      return next;
    }
    // Before the first input and after the last the sets are empty; where every input is in reach they repeat with
    // the stride; and within a period they are empty from the kernel's length on.
    const std::int64_t all_in = axis_.before + kernel_ - 1;
    const std::int64_t last_in = axis_.before + (axis_.input - 1) * axis_.stride;
    const std::int64_t phase = o - axis_.before < 0 ? kernel_ : (o - axis_.before) % axis_.stride;
    next = o + 1;
    if (o < axis_.before) {
      next = axis_.before;
    } else if (phase >= kernel_) {
      next = o + axis_.stride - phase;
    }
    if (o >= last_in + kernel_) {
      next = outputs_;
    }
    const std::int64_t period_end = (all_in > 0 ? all_in : 0) + axis_.stride;
    if (next >= period_end && next <= last_in) {
      next = last_in + 1;
    }
    return next < outputs_ ? next : outputs_;
  }

  /// Is tap t inside the input at some output position?
  constexpr bool touches(std::int64_t t) const {
    const std::int64_t earliest =
        transposed_ ? axis_.before + t : ceil_div(axis_.before - t * axis_.dilation, axis_.stride);
    if (!transposed_) {
      const std::int64_t o = earliest < 0 ? 0 : earliest;
      return o < outputs_ && input_at(o, t) < axis_.input;
    }
    const std::int64_t i = earliest < 0 ? ceil_div(-earliest, axis_.stride) : 0;
    return i < axis_.input && earliest + i * axis_.stride < outputs_;
  }

 private:
  bool transposed_ = false;
  conv_axis axis_{.input = 1};
  std::int64_t kernel_ = 1;
  std::int64_t outputs_ = 1;
};

/// The geometry of a convolution's three axes.
struct conv_geometry {
  /// Spelled out: {} is a default that g++ 12 changes with the first constant evaluation that assigns to an axis.
  std::array<axis_geometry, 3> axes = {axis_geometry{}, axis_geometry{}, axis_geometry{}};

  /// Are all taps inside the input at all output positions?
  constexpr bool single_class() const {
    for (const axis_geometry& a : axes) {
      const tap_set taps = a.taps_at(0);
      const bool all = taps.first == 0 && taps.last == a.kernel() - 1 && (taps.step == 1 || a.kernel() == 1);
      if (a.next_class(0) < a.outputs() || !all) {  // all positions may miss the same taps
        return false;
      }
    }
    return true;
  }
};

/// Walks the taps of a product of sets, the last axis fastest: `for (tap_walk tap(g, sets); tap; tap.next())`.
class tap_walk {
 public:
  /// One for each axis: depth, height, width.
  using tap_sets = std::array<tap_set, 3>;

  /// All taps of the kernel.
  constexpr explicit tap_walk(const conv_geometry& geometry)
      : tap_walk(geometry, {tap_set{0, geometry.axes[0].kernel() - 1}, tap_set{0, geometry.axes[1].kernel() - 1},
                            tap_set{0, geometry.axes[2].kernel() - 1}}) {}
  /// The taps of the product of the sets.
  constexpr tap_walk(const conv_geometry& geometry, const tap_sets& sets)
      : geometry_(geometry), sets_(sets), d(sets[0].first), y(sets[1].first), x(sets[2].first) {
    left_ = !sets[0].empty() && !sets[1].empty() && !sets[2].empty();
  }
  /// Is there a tap left?
  constexpr explicit operator bool() const { return left_; }
  /// Goes to the next tap.
  constexpr void next() {
    x += sets_[2].step;
    if (x > sets_[2].last) {
      x = sets_[2].first;
      y += sets_[1].step;
    }
    if (y > sets_[1].last) {
      y = sets_[1].first;
      d += sets_[0].step;
    }
    left_ = d <= sets_[0].last;
  }
  /// Flat over depth, height and width.
  constexpr std::int64_t index() const { return (d * geometry_.axes[1].kernel() + y) * geometry_.axes[2].kernel() + x; }
  /// Is the tap inside the input at some output position?
  constexpr bool touched() const {
    return geometry_.axes[0].touches(d) && geometry_.axes[1].touches(y) && geometry_.axes[2].touches(x);
  }

 private:
  const conv_geometry& geometry_;
  tap_sets sets_;
  bool left_ = true;

 public:
  std::int64_t d = 0;  ///< the tap's place along the depth
  std::int64_t y = 0;  ///< along the height
  std::int64_t x = 0;  ///< along the width
};

/// Walks the classes of output positions: `for (class_walk c(g); c; c.next())`. A class may come up more than once.
class class_walk {
 public:
  /// From the class of the first output position on.
  constexpr explicit class_walk(const conv_geometry& geometry) : geometry_(geometry) {
    for (std::size_t a = 0; a < 3; ++a) {
      sets_[a] = geometry.axes[a].taps_at(0);
    }
  }
  /// Is there a class left?
  constexpr explicit operator bool() const { return at_[0] < geometry_.axes[0].outputs(); }
  /// Goes to the next class.
  constexpr void next() {
    for (std::size_t a = 2;; --a) {
      const axis_geometry& axis = geometry_.axes[a];
      at_[a] = axis.next_class(at_[a]);
      const bool wraps = a != 0 && at_[a] >= axis.outputs();
      at_[a] = wraps ? 0 : at_[a];
      sets_[a] = axis.taps_at(at_[a]);
      if (!wraps) {
        return;
      }
    }
  }
  /// The taps inside the input.
  constexpr tap_walk taps() const { return {geometry_, sets_}; }

 private:
  const conv_geometry& geometry_;
  std::array<std::int64_t, 3> at_{};
  tap_walk::tap_sets sets_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace dytq

#endif
