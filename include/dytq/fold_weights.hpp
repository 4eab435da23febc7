// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine of every fold into a convolution: each channel is a line in some new code, each weight takes the slope,
// the bias takes the rest, and one input zero point must serve every class of output positions.
//
// For a touched tap let w be its centered weight, n = w * numerator / denominator its folded one, and D(x) the new code
// of x less that of x0. The accumulators are the same for every x if and only if, in every class of positions,
//   bias' = bias + A - r * B,   A = sum of w * (y_c(x0) - input_zp),   B = sum of n,   r = (new code of x0) - input_zp'
// over the class's taps. A, B differ between classes: that determines r, leaves it free, or rules the fold out.
// What else must hold (input_zp' is a code, bias' and the accumulators fit int32) are intervals of r.
#ifndef DYTQ_FOLD_WEIGHTS_HPP
#define DYTQ_FOLD_WEIGHTS_HPP

#include <array>
#include <cstdint>

#include "channel_line.hpp"
#include "conv.hpp"
#include "integer.hpp"
#include "result.hpp"
#include "view.hpp"

namespace dytq::inline v0 {

/// How a fold chooses r where the classes leave it free.
enum class free_offset : std::uint8_t {
  keep,    ///< r is `preferred`, or the fold is refused
  nearest  ///< r is the nearest to `preferred` that every condition allows
};

/// What the lines are lines in: the range of D over X, and what is known of r.
struct offset_request {
  code_range deltas;           ///< min and max of D(x); both contain D(x0) = 0
  code_range offsets;          ///< r for which some input zero point is a code
  std::int64_t preferred = 0;  ///< r if nothing determines it
  free_offset when_free = free_offset::keep;
};

namespace detail {

// Contribution of one tap, summed over the input channels of an output channel.
struct tap_sum {
  std::int64_t value = 0;   // w * (y_c(x0) - input_zp)
  std::int64_t folded = 0;  // n

  constexpr void add(const tap_sum& other) {
    value += other.value;
    folded += other.folded;
  }
};

// Collects the conditions on r, output channel by output channel.
class offset_conditions {
 public:
  /// Two classes of output channel o: A and B of one less those of the other.
  constexpr rejection require_equal(std::int64_t o, std::int64_t value, std::int64_t folded) {
    if (folded == 0) {
      return value == 0 ? rejection{} : conflict(o, 0, value);
    }
    const std::int64_t r = value / folded;
    if (value % folded != 0) {
      return conflict(o, folded, value);
    }
    if (determined_ && r != offset_) {
      return conflict(o, offset_, r);
    }
    determined_ = true;
    offset_ = r;
    return {};
  }
  /// One class of output channel o: bias + A - r * B must fit int32. `value` is bias + A.
  constexpr void require_bias(std::int64_t o, std::int64_t value, std::int64_t folded) {
    if (folded == 0) {
      if (!fits<std::int32_t>(value) && bias_.why == reason::none) {
        bias_ = overflow(o, value);
      }
      return;
    }
    const bool up = folded > 0;
    const std::int64_t step = up ? folded : -folded;
    const std::int64_t lo = up ? ceil_div(value - int32_max, step) : ceil_div(int32_min - value, step);
    const std::int64_t hi = up ? floor_div(value - int32_min, step) : floor_div(int32_max - value, step);
    if (lo > bias_offsets_.lo) {
      bias_offsets_.lo = lo;
      lowest_ = {o, value, folded};
    }
    if (hi < bias_offsets_.hi) {
      bias_offsets_.hi = hi;
      highest_ = {o, value, folded};
    }
  }
  /// Sum of |n| over the touched taps of output channel o.
  constexpr void require_accumulator(std::int64_t o, std::int64_t magnitude_sum) {
    if (magnitude_sum > magnitude_) {
      magnitude_ = magnitude_sum;
      heaviest_ = o;
    }
  }

  constexpr result<std::int64_t> solve(const offset_request& ask) const {
    code_range allowed = ask.offsets;
    if (determined_ || ask.when_free == free_offset::keep) {
      const std::int64_t r = determined_ ? offset_ : ask.preferred;
      if (!allowed.contains(r)) {
        return rejection{
            .why = reason::padding, .at = step::input, .expected = r < allowed.lo ? allowed.lo : allowed.hi, .got = r};
      }
      allowed = {r, r};
    }
    if (bias_.why != reason::none) {
      return bias_;
    }
    if (const code_range both = meet(allowed, bias_offsets_); both.empty()) {
      const bool from_below = allowed.hi < bias_offsets_.lo;
      const line& o = from_below ? lowest_ : highest_;
      return overflow(o.channel, o.value - (from_below ? allowed.hi : allowed.lo) * o.folded);
    } else {
      allowed = both;
    }
    if (magnitude_ > 0) {
      const std::int64_t reach = int32_max / magnitude_;  // |D(x) + r| <= reach
      const code_range both = meet(allowed, {-reach - ask.deltas.lo, reach - ask.deltas.hi});
      if (both.empty()) {
        return rejection{.why = reason::accumulator_overflow,
                         .at = step::output,
                         .output_channel = heaviest_,
                         .expected = reach,
                         .got = magnitude_};
      }
      allowed = both;
    }
    return allowed.clamp(ask.preferred);
  }

 private:
  struct line {
    std::int64_t channel = 0;
    std::int64_t value = 0;
    std::int64_t folded = 0;
  };
  static constexpr code_range meet(const code_range& a, const code_range& b) {
    return {a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
  }
  static constexpr rejection conflict(std::int64_t o, std::int64_t expected, std::int64_t got) {
    return {.why = reason::padding, .at = step::weight, .output_channel = o, .expected = expected, .got = got};
  }
  static constexpr rejection overflow(std::int64_t o, std::int64_t bias) {
    return {.why = reason::bias_overflow,
            .at = step::bias,
            .output_channel = o,
            .expected = bias < 0 ? int32_min : int32_max,
            .got = bias};
  }

  static constexpr std::int64_t far = std::int64_t{1} << 62;
  bool determined_ = false;
  std::int64_t offset_ = 0;
  rejection bias_;
  code_range bias_offsets_{-far, far};
  line lowest_;
  line highest_;
  std::int64_t magnitude_ = 0;
  std::int64_t heaviest_ = 0;
};

// The lines of up to 256 channels, and the weights of one tap for them, in separate arrays: passes over those
// vectorize.
class channel_block {
 public:
  static constexpr std::int64_t capacity = 256;

  constexpr channel_block() {}  // the arrays are filled before they are read

  constexpr void load_lines(const view<const channel_line>& lines, std::int64_t begin, std::int64_t count,
                            std::int32_t input_zp) {
    if (begin == begin_ && count == count_) {
      return;
    }
    begin_ = begin;
    count_ = count;
    integral_ = true;
    const channel_line* line = lines.data + lines.offset({begin});
    for (std::int64_t i = 0; i < count; ++i, line += lines.strides[0]) {
      numerator_[i] = line->numerator;
      denominator_[i] = line->denominator;
      value_[i] = static_cast<std::int16_t>(line->first_value - input_zp);
      integral_ = integral_ && line->denominator == 1;
    }
  }
  /// Centers the weights and computes n; false if some n is not an integer, or not in `allowed` (centered range).
  constexpr bool fold(const std::int8_t* weight, std::int64_t stride, std::int32_t weight_zp,
                      const code_range& allowed) {
    for (std::int64_t i = 0; i < count_; ++i) {
      weight_[i] = static_cast<std::int16_t>(weight[i * stride] - weight_zp);
    }
    for (std::int64_t i = 0; i < count_; ++i) {
      folded_[i] = weight_[i] * numerator_[i];
    }
    bool exact = true;
    if (!integral_) {
      for (std::int64_t i = 0; i < count_; ++i) {
        const std::int32_t d = denominator_[i];
        exact = exact && (weight_[i] == 0 || (d != 0 && folded_[i] % d == 0));
        folded_[i] = weight_[i] == 0 || d == 0 ? 0 : folded_[i] / d;
      }
    }
    const auto lo = static_cast<std::int32_t>(allowed.lo);
    const auto hi = static_cast<std::int32_t>(allowed.hi);
    std::int32_t outside = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      outside |= static_cast<std::int32_t>(folded_[i] < lo) | static_cast<std::int32_t>(folded_[i] > hi);
    }
    return exact && outside == 0;
  }
  /// Adds up what `fold` accepted: |n| <= 255, so 256 products fit int32.
  constexpr void add_to(tap_sum& sum, std::int64_t& magnitude_sum) const {
    std::int32_t value = 0;
    std::int32_t folded = 0;
    std::int32_t absolute = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      value += weight_[i] * value_[i];
      folded += folded_[i];
      absolute += folded_[i] < 0 ? -folded_[i] : folded_[i];
    }
    sum.value += value;
    sum.folded += folded;
    magnitude_sum += absolute;
  }
  /// Writes n + weight_zp and returns how many weights that changes. `out` may be `weight`.
  constexpr std::int64_t store(const std::int8_t* weight, std::int64_t stride, std::int8_t* out,
                               std::int64_t out_stride, std::int32_t weight_zp) const {
    std::int32_t changed = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      changed += static_cast<std::int32_t>(weight[i * stride] != folded_[i] + weight_zp);
      out[i * out_stride] = static_cast<std::int8_t>(folded_[i] + weight_zp);
    }
    return changed;
  }
  /// Why `fold` said no, and for which channel of the block.
  constexpr rejection objection(std::int32_t weight_zp, const code_range& allowed) const {
    for (std::int64_t i = 0; i < count_; ++i) {
      const std::int64_t product = std::int64_t{weight_[i]} * numerator_[i];
      if (weight_[i] != 0 && (denominator_[i] == 0 || product % denominator_[i] != 0)) {
        return {.why = reason::not_affine,
                .at = step::weight,
                .channel = begin_ + i,
                .expected = denominator_[i],
                .got = product};
      }
      if (!allowed.contains(folded_[i])) {
        return {.why = reason::weight_overflow,
                .at = step::weight,
                .channel = begin_ + i,
                .expected = (folded_[i] < allowed.lo ? allowed.lo : allowed.hi) + weight_zp,
                .got = std::int64_t{folded_[i]} + weight_zp};
      }
    }
    return {};
  }

 private:
  std::int64_t begin_ = -1;
  std::int64_t count_ = 0;
  bool integral_ = true;
  std::int16_t numerator_[capacity];
  std::int16_t denominator_[capacity];
  std::int16_t value_[capacity];
  std::int16_t weight_[capacity];
  std::int32_t folded_[capacity];
};

// The taps of a kernel, in order; f(flat index, depth, row, column, touched) until it returns false.
template <class F>
constexpr bool for_each_tap(const conv_geometry& geometry, F f) {
  const auto& axes = geometry.axes;
  std::int64_t tap = 0;
  for (std::int64_t d = 0; d < axes[0].kernel(); ++d) {
    for (std::int64_t y = 0; y < axes[1].kernel(); ++y) {
      const bool row_touched = axes[0].touches(d) && axes[1].touches(y);
      for (std::int64_t x = 0; x < axes[2].kernel(); ++x, ++tap) {
        if (!f(tap, d, y, x, row_touched && axes[2].touches(x))) {
          return false;
        }
      }
    }
  }
  return true;
}

// The classes of output positions, as products of tap sets; f(depth, rows, columns) until it returns false.
template <class F>
constexpr bool for_each_class(const conv_geometry& geometry, F f) {
  const auto& axes = geometry.axes;
  for (std::int64_t d = 0; d < axes[0].outputs(); d = axes[0].next_class(d)) {
    for (std::int64_t y = 0; y < axes[1].outputs(); y = axes[1].next_class(y)) {
      for (std::int64_t x = 0; x < axes[2].outputs(); x = axes[2].next_class(x)) {
        if (!f(axes[0].taps_at(d), axes[1].taps_at(y), axes[2].taps_at(x))) {
          return false;
        }
      }
    }
  }
  return true;
}

}  // namespace detail

/// A convolution whose weights a fold rewrites, with the lines of its input channels.
class weight_fold {
  // Kernels of up to this many taps have their sums kept; larger ones compute them again for each class.
  static constexpr std::int64_t kept_taps = 1024;

  struct scratch {
    detail::channel_block block;
    std::array<detail::tap_sum, kept_taps> kept{};
  };

  constexpr code_range centered_range(std::int64_t o) const {
    const std::int64_t w_zp = weight_zero_point(conv_, o);
    return {conv_.weight_range.lo - w_zp, conv_.weight_range.hi - w_zp};
  }

  constexpr bool in_first_class(std::int64_t d, std::int64_t y, std::int64_t x) const {
    const auto inside = [](const axis_geometry& a, std::int64_t t) {
      const std::int64_t i = a.input_at(0, t);
      return i >= 0 && i < a.inputs();
    };
    return single_class_ ||
           (inside(geometry_.axes[0], d) && inside(geometry_.axes[1], y) && inside(geometry_.axes[2], x));
  }

  template <class F>
  constexpr bool for_each_block(std::int64_t o, detail::channel_block& block, F f) const {
    const std::int64_t inputs = conv_.group_inputs();
    const std::int64_t first = o / (conv_.output_channels() / conv_.groups) * inputs;
    for (std::int64_t begin = 0; begin < inputs; begin += detail::channel_block::capacity) {
      const std::int64_t left = inputs - begin;
      const std::int64_t count = left < detail::channel_block::capacity ? left : detail::channel_block::capacity;
      block.load_lines(lines_, first + begin, count, conv_.input_zp);
      if (!f(begin, count)) {
        return false;
      }
    }
    return true;
  }

  constexpr rejection sum_tap(std::int64_t o, std::int64_t tap, std::int64_t d, std::int64_t y, std::int64_t x,
                              detail::channel_block& block, detail::tap_sum& sum, std::int64_t& magnitude_sum) const {
    rejection why;
    const std::int32_t w_zp = weight_zero_point(conv_, o);
    const code_range allowed = centered_range(o);
    for_each_block(o, block, [&](std::int64_t begin, std::int64_t) {
      if (!block.fold(conv_.weight.data + conv_.weight.offset({o, d, y, x, begin}), conv_.weight.strides[4], w_zp,
                      allowed)) {
        why = block.objection(w_zp, allowed);
        why.output_channel = o;
        why.tap = tap;
        return false;
      }
      block.add_to(sum, magnitude_sum);
      return true;
    });
    return why;
  }

  constexpr rejection add_output_channel(std::int64_t o, scratch& work, detail::offset_conditions& conditions) const {
    detail::tap_sum total;
    std::int64_t magnitude_sum = 0;
    rejection why;
    detail::for_each_tap(geometry_,
                         [&](std::int64_t tap, std::int64_t d, std::int64_t y, std::int64_t x, bool touched) {
                           if (!touched) {
                             return true;
                           }
                           detail::tap_sum sum;
                           why = sum_tap(o, tap, d, y, x, work.block, sum, magnitude_sum);
                           total.add(sum);
                           if (tap < kept_taps) {
                             work.kept[static_cast<std::size_t>(tap)] = sum;
                           }
                           return why.why == reason::none;
                         });
    if (why.why != reason::none) {
      return why;
    }
    conditions.require_accumulator(o, magnitude_sum);
    const std::int64_t bias = bias_value(conv_, o);
    if (single_class_) {
      conditions.require_bias(o, bias + total.value, total.folded);
      return why;
    }
    detail::tap_sum reference;
    bool first = true;
    detail::for_each_class(geometry_, [&](const tap_set& depth, const tap_set& rows, const tap_set& columns) {
      const detail::tap_sum sum = sum_class(o, depth, rows, columns, work);
      if (first) {
        conditions.require_bias(o, bias + sum.value, sum.folded);
        reference = sum;
        first = false;
        return true;
      }
      why = conditions.require_equal(o, sum.value - reference.value, sum.folded - reference.folded);
      return why.why == reason::none;
    });
    return why;
  }

  constexpr detail::tap_sum sum_class(std::int64_t o, const tap_set& depth, const tap_set& rows, const tap_set& columns,
                                      scratch& work) const {
    detail::tap_sum sum;
    for (std::int64_t d = depth.first; d <= depth.last; d += depth.step) {
      for (std::int64_t y = rows.first; y <= rows.last; y += rows.step) {
        for (std::int64_t x = columns.first; x <= columns.last; x += columns.step) {
          const std::int64_t tap = (d * geometry_.axes[1].kernel() + y) * geometry_.axes[2].kernel() + x;
          if (tap < kept_taps) {
            sum.add(work.kept[static_cast<std::size_t>(tap)]);
          } else {
            std::int64_t ignored = 0;
            sum_tap(o, tap, d, y, x, work.block, sum, ignored);
          }
        }
      }
    }
    return sum;
  }

 public:
  /// The convolution must be valid, with this geometry, and have one line for each input channel.
  constexpr weight_fold(const convolution& conv, const conv_geometry& geometry, const view<const channel_line>& lines)
      : conv_(conv), geometry_(geometry), lines_(lines), single_class_(geometry.single_class()) {}

  /// The offset r that makes the fold exact.
  ///
  /// Errors: not_affine: a weight that is not 0 meets a channel on no line, or its product is not an integer;
  ///   weight_overflow; padding; bias_overflow; accumulator_overflow; each where it happens.
  /// Cost: one pass over the weights, and the classes of output positions for each output channel.
  constexpr result<std::int64_t> solve(const offset_request& ask) const {
    detail::offset_conditions conditions;
    scratch work;
    for (std::int64_t o = 0; o < conv_.output_channels(); ++o) {
      if (const rejection why = add_output_channel(o, work, conditions); why.why != reason::none) {
        return why;
      }
    }
    return conditions.solve(ask);
  }

  /// What `write` did.
  struct changes {
    std::int64_t weights = 0;
    bool bias = false;
  };

  /// Writes the constants for an offset from `solve`. weight_out has the shape of the weights, bias_out has O entries;
  /// each is the view it replaces, or disjoint from everything that is read.
  constexpr changes write(std::int64_t r, const weight_view<std::int8_t>& weight_out,
                          const view<std::int32_t>& bias_out) const {
    changes done;
    detail::channel_block block;
    for (std::int64_t o = 0; o < conv_.output_channels(); ++o) {
      detail::tap_sum total;
      const std::int32_t w_zp = weight_zero_point(conv_, o);
      detail::for_each_tap(geometry_, [&](std::int64_t, std::int64_t d, std::int64_t y, std::int64_t x, bool touched) {
        for_each_block(o, block, [&](std::int64_t begin, std::int64_t count) {
          const std::int8_t* in = conv_.weight.data + conv_.weight.offset({o, d, y, x, begin});
          std::int8_t* out = weight_out.data + weight_out.offset({o, d, y, x, begin});
          if (!touched) {
            for (std::int64_t i = 0; i < count; ++i) {
              out[i * weight_out.strides[4]] = in[i * conv_.weight.strides[4]];
            }
            return true;
          }
          block.fold(in, conv_.weight.strides[4], w_zp, {-256, 255});
          if (std::int64_t magnitude_sum = 0; in_first_class(d, y, x)) {
            block.add_to(total, magnitude_sum);
          }
          done.weights += block.store(in, conv_.weight.strides[4], out, weight_out.strides[4], w_zp);
          return true;
        });
        return true;
      });
      const std::int32_t before = bias_value(conv_, o);
      const auto after = static_cast<std::int32_t>(before + total.value - r * total.folded);
      done.bias = done.bias || after != before;
      bias_out.data[bias_out.offset({o})] = after;
    }
    return done;
  }

 private:
  convolution conv_;
  conv_geometry geometry_;
  view<const channel_line> lines_;
  bool single_class_ = false;
};

}  // namespace dytq::inline v0

#endif
