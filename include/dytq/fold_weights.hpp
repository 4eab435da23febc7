// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine of every fold into a convolution: each channel is a line in some new code, each weight takes the slope,
// the bias takes the rest, and one input zero point must serve every class of output positions.
//
// For a touched tap let w be its centered weight, n = w * numerator / denominator its folded one, and D(x) the new code
// of x less that of x0. The accumulators are the same for every x if and only if, in every class of positions,
//   bias' = bias + A - r * B,   A = sum of w * (y_c(x0) - input_zp) - n * D(x0),   B = sum of n,
//   r = (the reference code) - input_zp'
// over the class's taps. A, B differ between classes: that determines r, leaves it free, or rules the fold out.
// What else must hold (input_zp' is a code, bias' and the accumulators fit int32) are intervals of r.
#ifndef DYTQ_FOLD_WEIGHTS_HPP
#define DYTQ_FOLD_WEIGHTS_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "channel_block.hpp"
#include "channel_line.hpp"
#include "conv.hpp"
#include "fold_offset.hpp"
#include "integer.hpp"
#include "result.hpp"
#include "view.hpp"
#include "weight_panels.hpp"

namespace dytq::inline v0 {

namespace detail {

// f(input channel, centered weight) for every weight on a touched tap.
template <class F>
constexpr void for_each_touched_weight(const convolution& conv, const conv_geometry& geometry, F f) {
  for (std::int64_t o = 0; o < conv.output_channels(); ++o) {
    const std::int64_t first = o / (conv.output_channels() / conv.groups) * conv.group_inputs();
    const std::int32_t w_zp = weight_zero_point(conv, o);
    for (tap_walk tap(geometry); tap; tap.next()) {
      const std::int8_t* w = conv.weight.data + conv.weight.offset({o, tap.d, tap.y, tap.x, 0});
      const std::int64_t inputs = tap.touched() ? conv.group_inputs() : 0;
      for (std::int64_t i = 0; i < inputs; ++i) {
        f(first + i, w[i * conv.weight.strides[4]] - w_zp);
      }
    }
  }
}

}  // namespace detail

/// A convolution whose weights a fold rewrites, with the lines of its input channels.
///
/// Lines are unpacked once for a block of input channels and then serve all taps of a tile of output channels. A
/// template, so that only those who fold compile what it takes; `weight_fold` is the one to use.
template <class Lanes>
class basic_weight_fold {
  using weight_panels = detail::weight_panels<Lanes>;
  using channel_block = detail::channel_block<static_cast<std::size_t>(Lanes::capacity)>;

 public:
  constexpr basic_weight_fold() = default;
  /// The convolution must be valid, with this geometry, and have one line for each input channel.
  constexpr basic_weight_fold(const convolution& conv, const conv_geometry& geometry,
                              const view<const channel_line>& lines)
      : conv_(conv),
        geometry_(geometry),
        lines_(lines),
        single_class_(geometry.single_class()),
        may_overflow_(conv.taps() * conv.group_inputs() > int32_max / (255 * 255)) {}

  /// The offset r that makes the fold exact.
  ///
  /// Errors: not_affine: a weight that is not 0 meets a channel on no line, or its product is not an integer;
  ///   weight_overflow; padding; bias_overflow; accumulator_overflow; each where it happens.
  /// Cost: one pass over the weights, if the lines say enough of the sums; else a second one.
  constexpr result<std::int64_t> solve(const offset_request& ask) const {
    const std::int64_t expected = single_class_ ? ask.preferred : common_offset(ask.preferred);
    const bool promising = !may_overflow_ && ask.offsets.contains(ask.preferred) && int8_differences.contains(expected);
    const auto proof = promising ? weight_panels(conv_, geometry_, lines_).prove(expected)
                                 : typename weight_panels::proof{.holds = false};
    detail::offset_conditions<std::int64_t> conditions;
    const bool known = expected == ask.preferred;
    if (proof.holds && is_settled({0, conv_.output_channels()}, proof.largest_offset, known)) {
      return conditions.solve(ask);
    }
    scratch work;
    for (tile t = first_tile(); t.count > 0; t = next_tile(t)) {
      if (proof.holds && is_settled(t, proof.largest_offset, known || conditions.determined())) {
        continue;
      }
      if (const rejection why = sum_tile(t, work); why.exists()) {
        return why;
      }
      for (std::int64_t i = 0; i < t.count; ++i) {
        conditions.require_accumulator(t.first + i, work.magnitudes[static_cast<std::size_t>(i)]);
        if (const rejection why = require_classes(t.first + i, i, work, conditions); why.exists()) {
          return why;
        }
      }
    }
    return conditions.solve(ask);
  }

  /// What `write` did.
  struct changes {
    std::int64_t weights = 0;  ///< weights that differ from the original ones
    bool bias = false;         ///< some bias differs
  };

  /// Writes the constants for an offset from `solve`. weight_out has the shape of the weights, bias_out has O entries;
  /// each is the view it replaces, or disjoint from everything that is read.
  constexpr changes write(std::int64_t r, const weight_view<std::int8_t>& weight_out,
                          const view<std::int32_t>& bias_out) const {
    changes done;
    const std::int64_t step = conv_.bias.extent(0) == 1 ? 0 : conv_.bias.strides[0];
    const std::int32_t* const old = conv_.bias.absent() ? nullptr : conv_.bias.data;
    done.weights =
        weight_panels(conv_, geometry_, lines_).write(r, weight_out, [&](std::int64_t o, std::uint32_t added) {
          const std::int32_t before = old == nullptr ? 0 : old[static_cast<std::ptrdiff_t>(o * step)];
          done.bias = done.bias || added != 0;
          bias_out.data[bias_out.offset({o})] = static_cast<std::int32_t>(static_cast<std::uint32_t>(before) + added);
        });
    return done;
  }

 private:
  // Sums that are kept: one for each output channel of a tile if there is one class of positions, else one for each
  // tap. Sums of taps beyond that are computed again for each class.
  static constexpr std::int64_t kept_sums = 1024;
  static constexpr std::int64_t tile_limit = 16;
  static constexpr code_range int8_differences{-510, 510};

  struct scratch {
    channel_block block;
    std::array<detail::tap_sum, kept_sums> sums{};
    std::array<std::int64_t, tile_limit> magnitudes{};
  };
  // Output channels first, ..., first + count - 1, all of one group.
  struct tile {
    std::int64_t first = 0;
    std::int64_t count = 0;
  };

  constexpr tile first_tile() const { return next_tile({0, 0}); }
  /// The tile behind t; its count is 0 behind the last.
  constexpr tile next_tile(const tile& t) const {
    const std::int64_t first = t.first + t.count;
    const std::int64_t group_outputs = conv_.output_channels() / conv_.groups;
    const std::int64_t fitting = kept_sums / sums_per_output();
    const std::int64_t most = fitting < 1 ? 1 : fitting < tile_limit ? fitting : tile_limit;
    const std::int64_t left = first < conv_.output_channels() ? group_outputs - first % group_outputs : 0;
    return {first, left < most ? left : most};
  }
  constexpr std::int64_t sums_per_output() const { return single_class_ ? 1 : conv_.taps(); }
  constexpr std::int64_t slot(std::int64_t in_tile, const tap_walk& tap) const {
    return single_class_ ? in_tile : in_tile * conv_.taps() + tap.index();
  }
  constexpr code_range centered_range(std::int64_t o) const {
    const std::int64_t w_zp = weight_zero_point(conv_, o);
    return {conv_.weight_range.lo - w_zp, conv_.weight_range.hi - w_zp};
  }
  constexpr const std::int8_t* weights_at(std::int64_t o, const tap_walk& tap, std::int64_t i) const {
    return conv_.weight.data + conv_.weight.offset({o, tap.d, tap.y, tap.x, i});
  }
  constexpr bool touched(const tap_walk& tap) const { return single_class_ || tap.touched(); }
  /// The r for which no channel adds anything to any bias, if there is one: that of the first channel that has a slope.
  constexpr std::int64_t common_offset(std::int64_t otherwise) const {
    for (std::int64_t c = 0; c < conv_.input_channels(); ++c) {
      const channel_line& line = lines_.data[lines_.offset({c})];
      if (line.numerator != 0 && line.denominator != 0) {
        const std::int64_t rise = std::int64_t{line.first_value - conv_.input_zp} * line.denominator;
        return rise % line.numerator != 0 ? otherwise : rise / line.numerator - line.first_delta;
      }
    }
    return otherwise;
  }
  /// Do the conditions of a tile follow from what is known? With no offset in any channel, every class says that the
  /// proof's r is right or that any is; and with one class, small offsets leave the bias in range.
  constexpr bool is_settled(const tile& t, std::int64_t largest_offset, bool r_is_known) const {
    if (!r_is_known || (largest_offset != 0 && !single_class_)) {
      return false;
    }
    const std::int64_t reach = conv_.taps() * conv_.group_inputs() * 255 * largest_offset;
    const std::int64_t values = reach == 0 || conv_.bias.absent() ? 0 : conv_.bias.extent(0) == 1 ? 1 : t.count;
    code_range biases{0, 0};
    for (std::int64_t i = 0; i < values; ++i) {
      const std::int64_t bias = conv_.bias.data[conv_.bias.offset({conv_.bias.extent(0) == 1 ? 0 : t.first + i})];
      biases = {bias < biases.lo ? bias : biases.lo, bias > biases.hi ? bias : biases.hi};
    }
    return fits<std::int32_t>(biases.hi + reach) && fits<std::int32_t>(biases.lo - reach);
  }

  /// Loads the lines of the input channels from `begin` on in the group of output channel o. -> how many
  constexpr std::int64_t load(channel_block& block, std::int64_t o, std::int64_t begin) const {
    const std::int64_t inputs = conv_.group_inputs();
    const std::int64_t group = o / (conv_.output_channels() / conv_.groups);
    const std::int64_t left = inputs - begin;
    const std::int64_t count = left < channel_block::capacity ? left : channel_block::capacity;
    block.load_lines(lines_, group * inputs + begin, count, conv_.input_zp);
    return count;
  }

  constexpr bool add_block(const channel_block& block, std::int64_t begin, std::int64_t o, const tap_walk& tap,
                           detail::tap_sum& sum, std::int64_t* magnitudes) const {
    return block.add_to(sum, magnitudes, weights_at(o, tap, begin), conv_.weight.strides[4],
                        weight_zero_point(conv_, o), centered_range(o));
  }

  constexpr rejection sum_tile(const tile& t, scratch& work) const {
    for (std::int64_t s = 0; s < t.count * sums_per_output() && s < kept_sums; ++s) {
      work.sums[static_cast<std::size_t>(s)] = {};
    }
    work.magnitudes = {};
    for (std::int64_t begin = 0; begin < conv_.group_inputs(); begin += channel_block::capacity) {
      load(work.block, t.first, begin);
      for (std::int64_t i = 0; i < t.count; ++i) {
        const std::int64_t o = t.first + i;
        std::int64_t* const magnitudes = may_overflow_ ? &work.magnitudes[static_cast<std::size_t>(i)] : nullptr;
        for (tap_walk tap(geometry_); tap; tap.next()) {
          detail::tap_sum dropped;
          const std::int64_t s = slot(i, tap);
          if (touched(tap) &&
              !add_block(work.block, begin, o, tap, s < kept_sums ? work.sums[static_cast<std::size_t>(s)] : dropped,
                         magnitudes)) {
            rejection why = work.block.objection(weights_at(o, tap, begin), conv_.weight.strides[4],
                                                 weight_zero_point(conv_, o), centered_range(o));
            why.output_channel = o;
            why.tap = tap.index();
            return why;
          }
        }
      }
    }
    return {};
  }

  constexpr rejection require_classes(std::int64_t o, std::int64_t in_tile, scratch& work,
                                      detail::offset_conditions<std::int64_t>& conditions) const {
    const std::int64_t bias = bias_value(conv_, o);
    if (single_class_) {
      const detail::tap_sum& sum = work.sums[static_cast<std::size_t>(in_tile)];
      conditions.require_bias(o, bias + sum.value, sum.folded);
      return {};
    }
    class_walk positions(geometry_);
    const detail::tap_sum reference = sum_class(o, in_tile, positions.taps(), work);
    conditions.require_bias(o, bias + reference.value, reference.folded);
    for (positions.next(); positions; positions.next()) {
      const detail::tap_sum sum = sum_class(o, in_tile, positions.taps(), work);
      const rejection why = conditions.require_equal(o, sum.value - reference.value, sum.folded - reference.folded);
      if (why.exists()) {
        return why;
      }
    }
    return {};
  }

  constexpr detail::tap_sum sum_class(std::int64_t o, std::int64_t in_tile, tap_walk tap, scratch& work) const {
    detail::tap_sum sum;
    for (; tap; tap.next()) {
      const std::int64_t s = slot(in_tile, tap);
      if (s < kept_sums) {
        sum.add(work.sums[static_cast<std::size_t>(s)]);
        continue;
      }
      for (std::int64_t begin = 0; begin < conv_.group_inputs(); begin += channel_block::capacity) {
        load(work.block, o, begin);
        add_block(work.block, begin, o, tap, sum, nullptr);
      }
    }
    return sum;
  }

  convolution conv_;
  conv_geometry geometry_;
  view<const channel_line> lines_;
  bool single_class_ = false;
  bool may_overflow_ = false;  // else |n| <= 255 and |code - zero point| <= 255 settle the accumulators
};

/// The engine with the lanes that fit the first-level caches of today.
using weight_fold = basic_weight_fold<detail::weight_lanes<256>>;

}  // namespace dytq::inline v0

#endif
