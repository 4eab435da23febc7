// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The weights and the bias of a fold into a convolution. Each channel is a line of the code that the convolution will
// read: the weights take the slope, the bias takes the rest, and one input zero point must serve every class of output
// positions.
//
// For a touched tap let w be its centered weight, n = w * numerator / denominator its folded one, and D(x) the new code
// of x less that of x0. The accumulators are the same for every x if and only if, in every class of positions,
//   bias' = bias + A - r * B,   A = sum of w * (y_c(x0) - input_zp) - n * first_delta,   B = sum of n,
//   r = (the reference code) - input_zp'
// over the class's taps. A and B differ between classes: that determines r, leaves it free, or rules the fold out. What
// else must hold (input_zp' is a code, bias' and the accumulators fit int32) are intervals of r.
//
// `require_output` states these conditions term by term, for any layout, and names the counter-example. Where weights
// are contiguous, `rows_hold` proves them for many at a time; what it cannot prove is left to `require_output`.
// Constant expressions go term by term throughout.
#ifndef DYTQ_FOLDS_WEIGHTS_HPP
#define DYTQ_FOLDS_WEIGHTS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../conv.hpp"
#include "../numbers/integer.hpp"
#include "../result.hpp"
#include "../view.hpp"
#include "channel_line.hpp"
#include "padding_offset.hpp"
#include "weight_rows.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// Summed over weights of one output channel.
struct weight_sum {
  std::int64_t value = 0;      // A: w * (first_value - input_zp) - n * first_delta
  std::int64_t folded = 0;     // B: n
  std::int64_t magnitude = 0;  // |n|
};

/// A convolution whose weights a fold rewrites, with the lines of its input channels.
class weight_fold {
 public:
  constexpr weight_fold() = default;
  /// The convolution must be valid, with this geometry, and have one line for each input channel.
  constexpr weight_fold(const convolution& conv, const conv_geometry& geometry, const channel_lines& lines)
      : conv_(conv),
        geometry_(geometry),
        lines_(lines),
        group_outputs_(conv.output_channels() / conv.groups),
        single_class_(geometry.single_class()),
        may_overflow_(conv.taps() * conv.group_inputs() > int32_max / (255 * 255)) {}

  /// The offset r that makes the fold exact.
  ///
  /// Errors: not_affine: a weight that is not 0 meets a channel on no line, or its product is not an integer;
  ///   weight_overflow; padding; bias_overflow; accumulator_overflow; each where it happens.
  constexpr result<std::int64_t> solve(const offset_request& ask) const {
    const std::int64_t expected = single_class_ ? ask.preferred : common_offset(ask.preferred);
    const bool proven = !may_overflow_ && rows_hold(expected);
    offset_conditions conditions;
    tap_sums sums{};
    for (std::int64_t o = 0; o < conv_.output_channels(); ++o) {
      // At `expected` no channel adds to any bias, so no class asks for another r.
      if (proven && (expected == ask.preferred || conditions.determined())) {
        break;
      }
      if (const rejection why = require_output(o, sums, conditions); why.exists()) {
        return why;
      }
    }
    return conditions.solve(ask);
  }

  /// What `write` changes.
  struct changes {
    std::int64_t weights = 0;  ///< weights that differ from the original ones
    bool bias = false;         ///< some bias differs
  };

  /// Writes the constants for an offset from `solve`. weight_out has the shape of the weights, bias_out has O entries;
  /// each is the view it replaces, or disjoint from everything that is read. Absent views: only what would change.
  constexpr changes write(std::int64_t r, const weight_view<std::int8_t>& weight_out,
                          const view<std::int32_t>& bias_out) const {
    const contiguous_axis axis = axis_of(weight_out);
    changes done;
    if (axis != contiguous_axis::none) {
      write_rows(axis, r, weight_out, bias_out, done);
      return done;
    }
    for (std::int64_t o = 0; o < conv_.output_channels(); ++o) {
      write_output(o, r, weight_out, bias_out, done);
    }
    return done;
  }

 private:
  // Taps whose sums are stored. Those of further taps are computed again for each class of positions.
  static constexpr std::int64_t kept_sums = 128;
  using tap_sums = std::array<weight_sum, kept_sums>;

  static constexpr auto row_limit = static_cast<std::int64_t>(detail::row_limit);
  static constexpr auto block = static_cast<std::int64_t>(detail::weight_block);
  static constexpr std::int64_t fewest = 32;  // fewer weights side by side are not worth a block

  /// Which weights are contiguous: all of an output channel, in whatever order; those of all output channels at one tap
  /// and input; or none.
  enum class contiguous_axis : std::uint8_t { none, taps_and_inputs, outputs };

  constexpr bool touched(const tap_walk& tap) const { return single_class_ || tap.touched(); }
  constexpr bool in_first_class(const tap_walk& tap) const {
    return single_class_ || (geometry_.axes[0].reads(0, tap.d) && geometry_.axes[1].reads(0, tap.y) &&
                             geometry_.axes[2].reads(0, tap.x));
  }
  constexpr std::int64_t inputs() const { return conv_.group_inputs(); }
  constexpr std::int64_t weights_of_output() const { return conv_.taps() * inputs(); }

  /// The r for which no channel adds anything to any bias, if there is one: that of the first channel that has a slope.
  constexpr std::int64_t common_offset(std::int64_t otherwise) const {
    for (std::int64_t c = 0; c < conv_.input_channels(); ++c) {
      const channel_line line = lines_[c];
      if (line.numerator != 0 && line.exists()) {
        const std::int64_t rise = std::int64_t{line.first_value - conv_.input_zp} * line.denominator;
        return rise % line.numerator != 0 ? otherwise : rise / line.numerator - line.first_delta;
      }
    }
    return otherwise;
  }

  // ---- weight by weight ----

  // An output channel: its first input channel, its weights' zero point, the centered weights that it allows.
  struct output {
    std::int64_t o = 0;
    std::int64_t first_channel = 0;
    std::int64_t w_zp = 0;
    std::int64_t lo = 0;
    std::int64_t hi = 0;
  };
  constexpr output output_at(std::int64_t o) const {
    const std::int64_t w_zp = weight_zero_point(conv_, o);
    return {o, o / group_outputs_ * inputs(), w_zp, conv_.weight_range.lo - w_zp, conv_.weight_range.hi - w_zp};
  }
  constexpr std::int64_t offset_of(const output& out, const tap_walk& tap) const {
    return conv_.weight.offset({out.o, tap.d, tap.y, tap.x, 0});
  }

  /// Adds a tap's part to a sum. Refused, with the sum in an undefined state, if some n is not an integer or leaves its
  /// range.
  constexpr rejection add_tap(const output& out, const tap_walk& tap, weight_sum& sum) const {
    const std::int8_t* weight = conv_.weight.data + offset_of(out, tap);
    for (std::int64_t i = 0; i < inputs(); ++i, weight += i < inputs() ? conv_.weight.strides[4] : 0) {
      const channel_line line = lines_[out.first_channel + i];
      const std::int64_t w = *weight - out.w_zp;
      std::int64_t n = w * line.numerator;
      if (line.denominator != 1 && w != 0) {
        if (line.denominator == 0 || n % line.denominator != 0) {
          return located({.why = reason::not_affine, .at = place::weight, .expected = line.denominator, .got = n}, out,
                         tap, i);
        }
        n /= line.denominator;
      }
      if (n < out.lo || n > out.hi) {
        return located(outside(reason::weight_overflow, place::weight, conv_.weight_range, n + out.w_zp), out, tap, i);
      }
      sum.value += w * (line.first_value - conv_.input_zp) - n * line.first_delta;
      sum.folded += n;
      sum.magnitude += n < 0 ? -n : n;
    }
    return {};
  }
  static constexpr rejection located(rejection why, const output& out, const tap_walk& tap, std::int64_t i) {
    why.channel = out.first_channel + i;
    why.output_channel = out.o;
    why.tap = tap.index();
    return why;
  }

  constexpr rejection require_output(std::int64_t o, tap_sums& sums, offset_conditions& conditions) const {
    const output out = output_at(o);
    weight_sum all;
    for (tap_walk tap(geometry_); tap; tap.next()) {
      if (!touched(tap)) {
        continue;
      }
      const weight_sum before = all;
      if (const rejection why = add_tap(out, tap, all); why.exists()) {
        return why;
      }
      if (!single_class_ && tap.index() < kept_sums) {
        sums[static_cast<std::size_t>(tap.index())] = {all.value - before.value, all.folded - before.folded};
      }
    }
    conditions.require_accumulator(o, may_overflow_ ? all.magnitude : 0);
    const std::int64_t bias = bias_value(conv_, o);
    if (single_class_) {
      conditions.require_bias(o, bias + all.value, all.folded);
      return {};
    }
    class_walk positions(geometry_);
    const weight_sum reference = sum_class(out, positions.taps(), sums);
    conditions.require_bias(o, bias + reference.value, reference.folded);
    for (positions.next(); positions; positions.next()) {
      const weight_sum sum = sum_class(out, positions.taps(), sums);
      const rejection why = conditions.require_equal(o, sum.value - reference.value, sum.folded - reference.folded);
      if (why.exists()) {
        return why;
      }
    }
    return {};
  }

  constexpr weight_sum sum_class(const output& out, tap_walk tap, const tap_sums& sums) const {
    weight_sum all;
    for (; tap; tap.next()) {
      if (tap.index() < kept_sums) {
        const weight_sum& one = sums[static_cast<std::size_t>(tap.index())];
        all.value += one.value;
        all.folded += one.folded;
      } else {
        static_cast<void>(add_tap(out, tap, all));  // proven by require_output
      }
    }
    return all;
  }

  constexpr void write_output(std::int64_t o, std::int64_t r, const weight_view<std::int8_t>& weight_out,
                              const view<std::int32_t>& bias_out, changes& done) const {
    const output out = output_at(o);
    std::uint32_t sum = 0;
    for (tap_walk tap(geometry_); tap; tap.next()) {
      const bool is_touched = touched(tap);
      const bool counts = in_first_class(tap);
      const std::int8_t* const from = conv_.weight.data + offset_of(out, tap);
      std::int8_t* const to =
          weight_out.absent() ? nullptr : weight_out.data + weight_out.offset({o, tap.d, tap.y, tap.x, 0});
      for (std::int64_t i = 0; i < inputs(); ++i) {
        const std::int8_t code = from[i * conv_.weight.strides[4]];
        std::int8_t made = code;
        if (is_touched) {
          const channel_line line = lines_[out.first_channel + i];
          const std::int64_t w = code - out.w_zp;
          const std::int64_t product = w * line.numerator;
          const std::int64_t n = line.denominator == 1 ? product : line.exists() ? product / line.denominator : 0;
          made = static_cast<std::int8_t>(n + out.w_zp);
          done.weights += made != code ? 1 : 0;
          if (counts) {
            sum += static_cast<std::uint32_t>(w * (line.first_value - conv_.input_zp) - n * (line.first_delta + r));
          }
        }
        if (to != nullptr) {
          to[i * weight_out.strides[4]] = made;
        }
      }
    }
    write_biases(o, 1, &sum, bias_out, done);
  }
  // Of output channels first, ..., first + count - 1: adds modulo 2^32.
  constexpr void write_biases(std::int64_t first, std::int64_t count, const std::uint32_t* added,
                              const view<std::int32_t>& out, changes& done) const {
    const bool is_absent = conv_.bias.absent();
    const std::int64_t step = conv_.bias.extent(0) == 1 ? 0 : conv_.bias.strides[0];
    std::int32_t* const to = out.absent() ? nullptr : out.data + out.offset({first});
    std::uint32_t any = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      any |= added[i];
      if (to != nullptr) {
        const std::int32_t old = is_absent ? 0 : conv_.bias.data[(first + i) * step];
        to[i * out.strides[0]] = static_cast<std::int32_t>(static_cast<std::uint32_t>(old) + added[i]);
      }
    }
    done.bias = done.bias || any != 0;
  }

  // ---- row by row ----

  // Output channels that are folded together, and the part of each one's row for which lines are loaded. The channels
  // are of one group, but where rows run along outputs: then `part` is the input channel.
  struct rows {
    std::int64_t first_output = 0;
    std::int64_t outputs = 0;
    std::int64_t part = 0;
    std::int64_t first = 0;   // weight of the row
    std::int64_t length = 0;  // in weights
  };

  // The axis that is contiguous in the weights and, where they are written, in the output.
  constexpr contiguous_axis axis_of(const weight_view<std::int8_t>& out) const {
    if (std::is_constant_evaluated()) {
      return contiguous_axis::none;
    }
    const auto& in = conv_.weight.strides;
    const auto& to = out.absent() ? in : out.strides;
    std::int64_t reach = 1;
    bool dense = weights_of_output() >= fewest;
    for (std::size_t a = 1; a < 5; ++a) {  // positive strides that divide the size and reach all of it leave no gap
      const std::int64_t extent = conv_.weight.extents[a];
      dense = dense && (extent == 1 || (in[a] > 0 && in[a] == to[a] && weights_of_output() % in[a] == 0));
      reach += extent == 1 ? 0 : in[a] * (extent - 1);
    }
    if (dense && reach == weights_of_output()) {
      return contiguous_axis::taps_and_inputs;
    }
    const bool side_by_side = in[0] == 1 && to[0] == 1 && conv_.output_channels() >= fewest;
    return side_by_side ? contiguous_axis::outputs : contiguous_axis::none;
  }

  /// f(rows, their lines), until it says false; and done(the output channels) after all parts of their rows.
  template <class F, class Done>
  constexpr bool for_all_rows(contiguous_axis axis, std::int64_t r, F f, Done done) const {
    const bool along_outputs = axis == contiguous_axis::outputs;
    const std::int64_t outputs = conv_.output_channels();
    const std::int64_t parts = along_outputs ? inputs() : (weights_of_output() + row_limit - 1) / row_limit;
    row_of_lines lines;
    std::int64_t prepared = -1;  // the group, where its one part can serve all its output channels
    for (std::int64_t o = 0; o < outputs;) {
      const std::int64_t in_group = along_outputs ? outputs - o : group_outputs_ - o % group_outputs_;
      rows part{.first_output = o, .outputs = smaller(in_group, row_limit)};
      for (part.part = 0; part.part < parts; ++part.part) {
        part.first = along_outputs ? o : part.part * row_limit;
        part.length = along_outputs ? part.outputs : smaller(weights_of_output() - part.first, row_limit);
        if (along_outputs || parts > 1 || prepared != o / group_outputs_) {
          load(axis, part, r, lines);
          prepared = o / group_outputs_;
        }
        if (!f(part, lines)) {
          return false;
        }
      }
      done(part);
      o += part.outputs;
    }
    return true;
  }

  constexpr void load(contiguous_axis axis, const rows& part, std::int64_t r, row_of_lines& lines) const {
    lines.begin(conv_.input_zp, r);
    if (axis == contiguous_axis::outputs) {
      std::int64_t channel = part.first_output / group_outputs_ * inputs() + part.part;
      std::int64_t left = group_outputs_ - part.first_output % group_outputs_;
      for (std::int64_t i = 0; i < part.length; ++i, --left) {
        if (left == 0) {
          left = group_outputs_;
          channel += inputs();
        }
        lines.set(static_cast<std::size_t>(i), lines_[channel], true);
      }
      for (std::int64_t i = 0; i < part.length && own_zero_points(); ++i) {
        lines.set_zero_point(static_cast<std::size_t>(i), weight_zero_point(conv_, part.first_output + i));
      }
    } else {
      const std::int64_t first = part.first_output / group_outputs_ * inputs();
      const auto& step = conv_.weight.strides;
      for (tap_walk tap(geometry_); tap; tap.next()) {
        const bool is_touched = touched(tap);
        const bool counts = in_first_class(tap);
        std::int64_t at = tap.d * step[1] + tap.y * step[2] + tap.x * step[3] - part.first;
        for (std::int64_t i = 0; i < inputs(); ++i, at += step[4]) {
          if (at < 0 || at >= part.length) {
            continue;
          }
          if (is_touched) {
            lines.set(static_cast<std::size_t>(at), lines_[first + i], counts);
          } else {
            lines.keep(static_cast<std::size_t>(at));
          }
        }
      }
    }
    for (std::int64_t i = part.length; i % block != 0; ++i) {  // the rest of the last block
      lines.keep(static_cast<std::size_t>(i));
      if (axis == contiguous_axis::outputs && own_zero_points()) {
        lines.set_zero_point(static_cast<std::size_t>(i), 0);
      }
    }
  }

  /// f(the row's first weight in the input, its offset from there in the output, its tap, its output channel).
  template <class F>
  constexpr bool for_each_row(contiguous_axis axis, const rows& part, row_of_lines& lines, F f) const {
    const auto& step = conv_.weight.strides;
    if (axis == contiguous_axis::outputs) {
      if (!own_zero_points()) {
        lines.set_zero_points(weight_zero_point(conv_, 0));
      }
      for (tap_walk tap(geometry_); tap; tap.next()) {
        const std::int64_t at = part.first + tap.d * step[1] + tap.y * step[2] + tap.x * step[3] + part.part * step[4];
        if (!f(conv_.weight.data + at, tap, part.first_output)) {
          return false;
        }
      }
      return true;
    }
    const tap_walk all_taps(geometry_);
    for (std::int64_t o = part.first_output; o < part.first_output + part.outputs; ++o) {
      if (own_zero_points() || o == part.first_output) {
        lines.set_zero_points(weight_zero_point(conv_, o));
      }
      if (!f(conv_.weight.data + (o * step[0] + part.first), all_taps, o)) {
        return false;
      }
    }
    return true;
  }

  constexpr bool own_zero_points() const { return conv_.weight_zp.extent(0) > 1; }
  // The code after the end of a row.
  constexpr std::int8_t zero_weight(contiguous_axis axis, std::int64_t o) const {
    const bool unset = axis == contiguous_axis::outputs && own_zero_points();
    return static_cast<std::int8_t>(unset ? 0 : weight_zero_point(conv_, o));
  }

  // f(a block of codes, where it begins in the row, how many of its codes are the row's). The rest of the last block
  // are weights of 0.
  template <class F>
  static constexpr bool for_each_block(const std::int8_t* row, std::int64_t length, std::int8_t zp_after, F f) {
    std::int64_t at = 0;
    for (; at + block <= length; at += block) {
      if (!f(row + at, static_cast<std::size_t>(at), block)) {
        return false;
      }
    }
    if (at == length) {
      return true;
    }
    std::int8_t last[detail::weight_block];
    for (std::int64_t i = 0; i < block; ++i) {
      last[i] = at + i < length ? row[at + i] : zp_after;
    }
    return f(last, static_cast<std::size_t>(at), length - at);
  }

  /// Is every folded weight an integer and in its range, and does every bias stay in int32, with no channel adding
  /// anything that depends on the class? false: not known.
  constexpr bool rows_hold(std::int64_t r) const {
    const contiguous_axis axis = axis_of({});
    if (axis == contiguous_axis::none) {
      return false;
    }
    const bool along_outputs = axis == contiguous_axis::outputs;
    std::int64_t largest_offset = 0;
    const bool hold = for_all_rows(
        axis, r,
        [&](const rows& part, row_of_lines& lines) {
          largest_offset = larger(largest_offset, lines.largest_offset());
          if (!single_class_ && largest_offset != 0) {
            return false;
          }
          return for_each_row(axis, part, lines, [&](const std::int8_t* row, const tap_walk& tap, std::int64_t o) {
            return (along_outputs && !touched(tap)) ||
                   for_each_block(row, part.length, zero_weight(axis, o),
                                  [&](const std::int8_t* codes, std::size_t at, std::int64_t) {
                                    return lines.holds(codes, at, conv_.weight_range);
                                  });
          });
        },
        [](const rows&) {});
    return hold && biases_fit(largest_offset);
  }
  /// Does every bias stay in int32, whatever the weights are?
  constexpr bool biases_fit(std::int64_t largest_offset) const {
    const std::int64_t reach = weights_of_output() * 255 * largest_offset;
    for (std::int64_t o = 0; o < conv_.bias.extent(0) && reach != 0; ++o) {
      if (static_cast<std::int64_t>(magnitude(bias_value(conv_, o))) + reach > int32_max) {
        return false;
      }
    }
    return reach <= int32_max;
  }

  constexpr void write_rows(contiguous_axis axis, std::int64_t r, const weight_view<std::int8_t>& out,
                            const view<std::int32_t>& bias_out, changes& done) const {
    const bool along_outputs = axis == contiguous_axis::outputs;
    std::uint32_t sums[detail::row_limit];  // of the output channels
    for_all_rows(
        axis, r,
        [&](const rows& part, row_of_lines& lines) {
          const std::int64_t padded = (part.outputs + block - 1) / block * block;
          for (std::int64_t i = 0; i < padded && part.part == 0; ++i) {
            sums[i] = 0;
          }
          const bool adds = lines.largest_offset() != 0;
          return for_each_row(axis, part, lines, [&](const std::int8_t* row, const tap_walk& tap, std::int64_t o) {
            std::int8_t* const to = out.absent() ? nullptr
                                    : along_outputs
                                        ? out.data + out.offset({part.first, tap.d, tap.y, tap.x, part.part})
                                        : out.data + (o * out.strides[0] + part.first);
            const bool is_touched = !along_outputs || touched(tap);
            const bool counts = adds && (!along_outputs || in_first_class(tap));
            return for_each_block(row, part.length, zero_weight(axis, o),
                                  [&](const std::int8_t* codes, std::size_t at, std::int64_t count) {
                                    std::int8_t made[detail::weight_block];
                                    if (is_touched) {
                                      done.weights += lines.fold(codes, at, made);
                                    }
                                    if (counts && along_outputs) {
                                      lines.add_each(codes, made, at, sums);
                                    } else if (counts) {
                                      sums[o - part.first_output] += lines.sum(codes, made, at);
                                    }
                                    if (to != nullptr) {
                                      move_numbers(is_touched ? made : codes, to + at, static_cast<std::size_t>(count));
                                    }
                                    return true;
                                  });
          });
        },
        [&](const rows& part) { write_biases(part.first_output, part.outputs, sums, bias_out, done); });
  }
  // memmove.
  static constexpr void move_numbers(const std::int8_t* from, std::int8_t* to, std::size_t count) {
    __builtin_memmove(to, from, count);
  }

  convolution conv_;
  conv_geometry geometry_;
  channel_lines lines_;
  std::int64_t group_outputs_ = 1;
  bool single_class_ = false;
  bool may_overflow_ = false;  // else |n| <= 255 and |code - zero point| <= 255 settle the accumulators
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
