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
#ifndef DYTQ_FOLDS_WEIGHTS_HPP
#define DYTQ_FOLDS_WEIGHTS_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "../conv.hpp"
#include "../numbers/integer.hpp"
#include "../result.hpp"
#include "../view.hpp"
#include "channel_line.hpp"
#include "offset.hpp"
#include "tap_sum.hpp"
#include "weight_panels.hpp"
#include "weight_runs.hpp"

namespace dytq {
inline namespace v0 {

/// A convolution whose weights a fold rewrites, with the lines of its input channels.
///
/// A template, so that only those who fold compile what it takes; `weight_fold` is the one to use. Lanes is a multiple
/// of 256.
template <std::size_t Lanes>
class basic_weight_fold {
  static_assert(Lanes % detail::long_run == 0 && Lanes > 0);
  using weight_panels = detail::weight_panels<Lanes>;

 public:
  constexpr basic_weight_fold() = default;
  /// The convolution must be valid, with this geometry, and have one line for each input channel.
  constexpr basic_weight_fold(const convolution& conv, const conv_geometry& geometry, const channel_lines& lines)
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
  constexpr result<std::int64_t> solve(const offset_request& ask) {
    const std::int64_t expected = single_class_ ? ask.preferred : common_offset(ask.preferred);
    const bool promising = !may_overflow_ && ask.offsets.contains(ask.preferred) && int8_differences.contains(expected);
    const auto proof = promising ? weight_panels(conv_, geometry_, lines_).prove(expected)
                                 : typename weight_panels::proof{.holds = false};
    kind_ = proof.holds ? proof.kind : detail::line_kind::any;
    kind_offset_ = expected;
    detail::offset_conditions<std::int64_t> conditions;
    const bool known = expected == ask.preferred;
    if (proof.holds && is_settled(0, conv_.output_channels(), proof.largest_offset, known)) {
      return conditions.solve(ask);
    }
    tap_sums sums{};
    for (std::int64_t o = 0; o < conv_.output_channels(); ++o) {
      if (proof.holds && is_settled(o, 1, proof.largest_offset, known || conditions.determined())) {
        continue;
      }
      if (const rejection why = require_output(o, sums, conditions); why.exists()) {
        return why;
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
    done.weights = weight_panels(conv_, geometry_, lines_)
                       .write(r, r == kind_offset_ ? kind_ : detail::line_kind::any, weight_out,
                              [&](std::int64_t first, std::int64_t count, const std::uint32_t* added) {
                                done.bias = add_to_bias(first, count, added, bias_out) || done.bias;
                              });
    return done;
  }

 private:
  // Sums of taps that are kept. Those beyond are computed again for each class of positions.
  static constexpr std::int64_t kept_sums = 1024;
  static constexpr code_range int8_differences{-510, 510};

  using tap_sums = std::array<detail::tap_sum, kept_sums>;

  constexpr bool touched(const tap_walk& tap) const { return single_class_ || tap.touched(); }
  /// The r for which no channel adds anything to any bias, if there is one: that of the first channel that has a slope.
  constexpr std::int64_t common_offset(std::int64_t otherwise) const {
    for (std::int64_t c = 0; c < conv_.input_channels(); ++c) {
      const channel_line line = lines_[c];
      if (line.numerator != 0 && line.denominator != 0) {
        const std::int64_t rise = std::int64_t{line.first_value - conv_.input_zp} * line.denominator;
        return rise % line.numerator != 0 ? otherwise : rise / line.numerator - line.first_delta;
      }
    }
    return otherwise;
  }
  /// Do the conditions of some output channels follow from what is known? With no offset in any channel, every class
  /// says that the proof's r is right or that any is; and with one class, small offsets leave the bias in range.
  constexpr bool is_settled(std::int64_t first, std::int64_t count, std::int64_t largest_offset,
                            bool r_is_known) const {
    if (!r_is_known || (largest_offset != 0 && !single_class_)) {
      return false;
    }
    const std::int64_t reach = conv_.taps() * conv_.group_inputs() * 255 * largest_offset;
    const bool shared = conv_.bias.extent(0) == 1;
    const std::int64_t values = reach == 0 || conv_.bias.absent() ? 0 : shared ? 1 : count;
    const std::int32_t* const begin = values == 0 ? nullptr : conv_.bias.data + conv_.bias.offset({shared ? 0 : first});
    std::uint32_t bits = 0;  // a bias is bits or less, and -1 - bits or more
    detail::for_each_run(static_cast<std::size_t>(values), [&]<std::size_t N>(std::size_t at) {
      const auto from = static_cast<std::int64_t>(at);
      if (conv_.bias.strides[0] == 1 && from + std::int64_t{N} <= values) {
        bits |= detail::magnitude_bits<N>(begin + at);
        return;
      }
      for (std::int64_t i = from; i < values && i < from + std::int64_t{N}; ++i) {
        bits |= detail::magnitude_bits<1>(begin + i * conv_.bias.strides[0]);
      }
    });
    return bits + reach < int32_max;
  }

  /// Adds modulo 2^32 to the biases of output channels first, ..., first + count - 1; null: 0. -> does any
  /// change?
  constexpr bool add_to_bias(std::int64_t first, std::int64_t count, const std::uint32_t* added,
                             const view<std::int32_t>& out) const {
    const std::int64_t step = conv_.bias.extent(0) == 1 ? 0 : conv_.bias.strides[0];
    const std::int32_t* const old =
        conv_.bias.absent() ? nullptr : conv_.bias.data + conv_.bias.offset({0}) + first * step;
    std::int32_t* const to = out.data + out.offset({first});
    std::uint32_t any = 0;
    const auto outputs = static_cast<std::size_t>(count);
    const bool side_by_side = (old == nullptr || step == 1) && out.strides[0] == 1;
    if (added == nullptr && side_by_side) {
      if (old == nullptr) {
        for (std::size_t i = 0; i < outputs; ++i) {
          to[i] = 0;
        }
      } else if (old != to) {
        detail::move_numbers(old, to, outputs);
      }
      return false;
    }
    detail::for_each_run(outputs, [&]<std::size_t N>(std::size_t at) {
      if (side_by_side && at + N <= outputs) {
        any |= detail::add_run<N>(old == nullptr ? detail::zeros : old + at, added + at, to + at);
        return;
      }
      for (std::size_t i = at; i < outputs && i < at + N; ++i) {
        const auto o = static_cast<std::ptrdiff_t>(i);
        const std::int32_t before = old == nullptr ? 0 : old[o * step];
        const std::uint32_t more = added == nullptr ? 0 : added[i];
        any |= more;
        to[o * out.strides[0]] = static_cast<std::int32_t>(static_cast<std::uint32_t>(before) + more);
      }
    });
    return any != 0;
  }

  constexpr rejection require_output(std::int64_t o, tap_sums& sums,
                                     detail::offset_conditions<std::int64_t>& conditions) const {
    detail::tap_sum all;
    for (tap_walk tap(geometry_); tap; tap.next()) {
      detail::tap_sum sum;
      const rejection why = touched(tap) ? detail::add_tap(conv_, lines_, o, tap, sum) : rejection{};
      if (why.exists()) {
        return why;
      }
      all.add(sum);
      if (tap.index() < kept_sums) {
        sums[static_cast<std::size_t>(tap.index())] = sum;
      }
    }
    conditions.require_accumulator(o, may_overflow_ ? all.magnitude : 0);
    const std::int64_t bias = bias_value(conv_, o);
    if (single_class_) {
      conditions.require_bias(o, bias + all.value, all.folded);
      return {};
    }
    class_walk positions(geometry_);
    const detail::tap_sum reference = sum_class(o, positions.taps(), sums);
    conditions.require_bias(o, bias + reference.value, reference.folded);
    for (positions.next(); positions; positions.next()) {
      const detail::tap_sum sum = sum_class(o, positions.taps(), sums);
      const rejection why = conditions.require_equal(o, sum.value - reference.value, sum.folded - reference.folded);
      if (why.exists()) {
        return why;
      }
    }
    return {};
  }

  constexpr detail::tap_sum sum_class(std::int64_t o, tap_walk tap, const tap_sums& sums) const {
    detail::tap_sum all;
    for (; tap; tap.next()) {
      if (tap.index() < kept_sums) {
        all.add(sums[static_cast<std::size_t>(tap.index())]);
      } else {
        static_cast<void>(detail::add_tap(conv_, lines_, o, tap, all));  // proven by require_output
      }
    }
    return all;
  }

  convolution conv_;
  conv_geometry geometry_;
  channel_lines lines_;
  bool single_class_ = false;
  detail::line_kind kind_ = detail::line_kind::any;  // what `solve` has found of the lines, for this offset
  std::int64_t kind_offset_ = 0;
  bool may_overflow_ = false;  // else |n| <= 255 and |code - zero point| <= 255 settle the accumulators
};

/// The engine with rows of up to 3 x 3 taps of 512 input channels: longer ones go in parts, which wait for memory. Its
/// lanes take 58 KiB of the stack.
using weight_fold = basic_weight_fold<4608>;

}  // namespace v0
}  // namespace dytq

#endif
