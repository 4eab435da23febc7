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
#include <cstdint>

#include "channel_block.hpp"
#include "channel_line.hpp"
#include "conv.hpp"
#include "fold_offset.hpp"
#include "integer.hpp"
#include "result.hpp"
#include "view.hpp"

namespace dytq::inline v0 {

namespace detail {

// f(input channel, centered weight) for every weight on a touched tap.
template <class F>
constexpr void for_each_touched_weight(const convolution& conv, const conv_geometry& geometry, F f) {
  for (std::int64_t o = 0; o < conv.output_channels(); ++o) {
    const std::int64_t first = o / (conv.output_channels() / conv.groups) * conv.group_inputs();
    const std::int32_t w_zp = weight_zero_point(conv, o);
    for_each_tap(geometry, [&](std::int64_t, std::int64_t d, std::int64_t y, std::int64_t x, bool touched) {
      const std::int8_t* w = conv.weight.data + conv.weight.offset({o, d, y, x, 0});
      for (std::int64_t i = 0; i < conv.group_inputs() && touched; ++i) {
        f(first + i, w[i * conv.weight.strides[4]] - w_zp);
      }
      return true;
    });
  }
}

}  // namespace detail

/// A convolution whose weights a fold rewrites, with the lines of its input channels.
///
/// Lines are unpacked once for a block of input channels and then serve all taps of a tile of output channels.
class weight_fold {
  // Sums that are kept: one for each output channel of a tile if there is one class of positions, else one for each
  // tap. Sums of taps beyond that are computed again for each class.
  static constexpr std::int64_t kept_sums = 1024;
  static constexpr std::int64_t tile_limit = 16;

  struct scratch {
    detail::channel_block block;
    std::array<detail::tap_sum, kept_sums> sums{};
    std::array<std::int64_t, tile_limit> magnitudes{};
  };
  struct tap_position {
    std::int64_t index = 0;
    std::int64_t d = 0;
    std::int64_t y = 0;
    std::int64_t x = 0;
  };

  constexpr std::int64_t sums_per_output() const { return single_class_ ? 1 : conv_.taps(); }
  constexpr std::int64_t slot(std::int64_t in_tile, std::int64_t tap) const {
    return single_class_ ? in_tile : in_tile * conv_.taps() + tap;
  }
  constexpr std::int64_t group_of(std::int64_t o) const { return o / (conv_.output_channels() / conv_.groups); }
  constexpr code_range centered_range(std::int64_t o) const {
    const std::int64_t w_zp = weight_zero_point(conv_, o);
    return {conv_.weight_range.lo - w_zp, conv_.weight_range.hi - w_zp};
  }
  constexpr const std::int8_t* weights_at(std::int64_t o, const tap_position& tap, std::int64_t i) const {
    return conv_.weight.data + conv_.weight.offset({o, tap.d, tap.y, tap.x, i});
  }
  constexpr bool in_first_class(const tap_position& tap) const {
    const auto inside = [](const axis_geometry& a, std::int64_t t) {
      const std::int64_t i = a.input_at(0, t);
      return i >= 0 && i < a.inputs();
    };
    return single_class_ ||
           (inside(geometry_.axes[0], tap.d) && inside(geometry_.axes[1], tap.y) && inside(geometry_.axes[2], tap.x));
  }

  // f(tap, touched) until it returns false.
  template <class F>
  constexpr bool for_each_position(F f) const {
    tap_position tap;
    for (tap.d = 0; tap.d < conv_.weight.extents[1]; ++tap.d) {
      for (tap.y = 0; tap.y < conv_.weight.extents[2]; ++tap.y) {
        for (tap.x = 0; tap.x < conv_.weight.extents[3]; ++tap.x, ++tap.index) {
          const bool touched = all_touched_ || (geometry_.axes[0].touches(tap.d) && geometry_.axes[1].touches(tap.y) &&
                                                geometry_.axes[2].touches(tap.x));
          if (!f(tap, touched)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  // f(first input channel of the block within the group, number of channels), its lines loaded, until it returns false.
  template <class F>
  constexpr bool for_each_block(std::int64_t o, detail::channel_block& block, F f) const {
    const std::int64_t inputs = conv_.group_inputs();
    for (std::int64_t begin = 0; begin < inputs; begin += detail::channel_block::capacity) {
      const std::int64_t left = inputs - begin;
      const std::int64_t count = left < detail::channel_block::capacity ? left : detail::channel_block::capacity;
      block.load_lines(lines_, group_of(o) * inputs + begin, count, conv_.input_zp);
      if (!f(begin, count)) {
        return false;
      }
    }
    return true;
  }

  // f(first output channel, number of output channels), all of one group, until it returns false.
  template <class F>
  constexpr bool for_each_tile(F f) const {
    const std::int64_t group_outputs = conv_.output_channels() / conv_.groups;
    const std::int64_t fitting = kept_sums / sums_per_output();
    const std::int64_t tile = fitting < 1 ? 1 : fitting < tile_limit ? fitting : tile_limit;
    for (std::int64_t o = 0, count = 0; o < conv_.output_channels(); o += count) {
      const std::int64_t left = group_outputs - o % group_outputs;
      count = left < tile ? left : tile;
      if (!f(o, count)) {
        return false;
      }
    }
    return true;
  }

  constexpr bool add_block(detail::channel_block& block, std::int64_t begin, std::int64_t o, const tap_position& tap,
                           detail::tap_sum& sum, std::int64_t* magnitudes) const {
    return block.add_to(sum, magnitudes, weights_at(o, tap, begin), conv_.weight.strides[4],
                        weight_zero_point(conv_, o), centered_range(o));
  }

  constexpr rejection sum_tile(std::int64_t first, std::int64_t count, scratch& work) const {
    for (std::int64_t s = 0; s < count * sums_per_output() && s < kept_sums; ++s) {
      work.sums[static_cast<std::size_t>(s)] = {};
    }
    work.magnitudes = {};
    rejection why;
    for_each_block(first, work.block, [&](std::int64_t begin, std::int64_t) {
      for (std::int64_t t = 0; t < count && why.why == reason::none; ++t) {
        const std::int64_t o = first + t;
        for_each_position([&](const tap_position& tap, bool touched) {
          detail::tap_sum dropped;
          const std::int64_t s = slot(t, tap.index);
          std::int64_t* const magnitudes = may_overflow_ ? &work.magnitudes[static_cast<std::size_t>(t)] : nullptr;
          if (touched && !add_block(work.block, begin, o, tap,
                                    s < kept_sums ? work.sums[static_cast<std::size_t>(s)] : dropped, magnitudes)) {
            why = work.block.objection(weights_at(o, tap, begin), conv_.weight.strides[4], weight_zero_point(conv_, o),
                                       centered_range(o));
            why.output_channel = o;
            why.tap = tap.index;
          }
          return why.why == reason::none;
        });
      }
      return why.why == reason::none;
    });
    return why;
  }

  constexpr rejection require_classes(std::int64_t o, std::int64_t in_tile, scratch& work,
                                      detail::offset_conditions& conditions) const {
    const std::int64_t bias = bias_value(conv_, o);
    if (single_class_) {
      const detail::tap_sum& sum = work.sums[static_cast<std::size_t>(in_tile)];
      conditions.require_bias(o, bias + sum.value, sum.folded);
      return {};
    }
    rejection why;
    detail::tap_sum reference;
    bool first = true;
    detail::for_each_class(geometry_, [&](const tap_set& depth, const tap_set& rows, const tap_set& columns) {
      const detail::tap_sum sum = sum_class(o, in_tile, depth, rows, columns, work);
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

  constexpr detail::tap_sum sum_class(std::int64_t o, std::int64_t in_tile, const tap_set& depth, const tap_set& rows,
                                      const tap_set& columns, scratch& work) const {
    detail::tap_sum sum;
    tap_position tap;
    for (tap.d = depth.first; tap.d <= depth.last; tap.d += depth.step) {
      for (tap.y = rows.first; tap.y <= rows.last; tap.y += rows.step) {
        for (tap.x = columns.first; tap.x <= columns.last; tap.x += columns.step) {
          const std::int64_t s =
              slot(in_tile, (tap.d * conv_.weight.extents[2] + tap.y) * conv_.weight.extents[3] + tap.x);
          if (s < kept_sums) {
            sum.add(work.sums[static_cast<std::size_t>(s)]);
            continue;
          }
          for_each_block(o, work.block, [&](std::int64_t begin, std::int64_t) {
            return add_block(work.block, begin, o, tap, sum, nullptr);
          });
        }
      }
    }
    return sum;
  }

 public:
  constexpr weight_fold() = default;
  /// The convolution must be valid, with this geometry, and have one line for each input channel.
  constexpr weight_fold(const convolution& conv, const conv_geometry& geometry, const view<const channel_line>& lines)
      : conv_(conv),
        geometry_(geometry),
        lines_(lines),
        single_class_(geometry.single_class()),
        all_touched_(single_class_ && geometry.first_class_is_whole()),
        may_overflow_(conv.taps() * conv.group_inputs() > int32_max / (255 * 255)) {}

  /// The offset r that makes the fold exact.
  ///
  /// Errors: not_affine: a weight that is not 0 meets a channel on no line, or its product is not an integer;
  ///   weight_overflow; padding; bias_overflow; accumulator_overflow; each where it happens.
  /// Cost: one pass over the weights, and the classes of output positions for each output channel.
  constexpr result<std::int64_t> solve(const offset_request& ask) const {
    detail::offset_conditions conditions;
    scratch work;
    rejection why;
    for_each_tile([&](std::int64_t first, std::int64_t count) {
      why = sum_tile(first, count, work);
      for (std::int64_t t = 0; t < count && why.why == reason::none; ++t) {
        conditions.require_accumulator(first + t, work.magnitudes[static_cast<std::size_t>(t)]);
        why = require_classes(first + t, t, work, conditions);
      }
      return why.why == reason::none;
    });
    if (why.why != reason::none) {
      return why;
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
    for_each_tile([&](std::int64_t first, std::int64_t count) {
      std::array<detail::tap_sum, tile_limit> totals{};
      for_each_block(first, block, [&](std::int64_t begin, std::int64_t channels) {
        for (std::int64_t t = 0; t < count; ++t) {
          const std::int64_t o = first + t;
          for_each_position([&](const tap_position& tap, bool touched) {
            const std::int8_t* in = weights_at(o, tap, begin);
            std::int8_t* out = weight_out.data + weight_out.offset({o, tap.d, tap.y, tap.x, begin});
            for (std::int64_t i = 0; i < channels && !touched; ++i) {
              out[i * weight_out.strides[4]] = in[i * conv_.weight.strides[4]];
            }
            if (touched) {
              detail::tap_sum elsewhere;
              detail::tap_sum& sum = in_first_class(tap) ? totals[static_cast<std::size_t>(t)] : elsewhere;
              done.weights += block.store(in, conv_.weight.strides[4], out, weight_out.strides[4],
                                          weight_zero_point(conv_, o), sum);
            }
            return true;
          });
        }
        return true;
      });
      for (std::int64_t t = 0; t < count; ++t) {
        const detail::tap_sum& total = totals[static_cast<std::size_t>(t)];
        const std::int32_t before = bias_value(conv_, first + t);
        const auto after = static_cast<std::int32_t>(before + total.value - r * total.folded);
        done.bias = done.bias || after != before;
        bias_out.data[bias_out.offset({first + t})] = after;
      }
      return true;
    });
    return done;
  }

 private:
  convolution conv_;
  conv_geometry geometry_;
  view<const channel_line> lines_;
  bool single_class_ = false;
  bool all_touched_ = false;
  bool may_overflow_ = false;  // else |n| <= 255 and |code - zero point| <= 255 settle the accumulators
};

}  // namespace dytq::inline v0

#endif
