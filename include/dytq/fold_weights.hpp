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
  constexpr weight_fold() = default;
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
