// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reference evaluation of a convolution over views: every kind and layout, int32 results, overflow refused.
#ifndef DYTQ_CONV_EVAL_HPP
#define DYTQ_CONV_EVAL_HPP

#include <array>
#include <cstdint>

#include "codes.hpp"
#include "conv.hpp"
#include "numbers/integer.hpp"
#include "result.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

/// Activations as [N, D, H, W, C].
template <class T>
using activation_view = view<T, 5>;

/// 2-D activations stored [N, H, W, C].
template <class T>
constexpr activation_view<T> from_nhwc(const view<T, 4>& x) {
  return {x.data,
          {x.extents[0], 1, x.extents[1], x.extents[2], x.extents[3]},
          {x.strides[0], 0, x.strides[1], x.strides[2], x.strides[3]}};
}

namespace detail {

// sum of (x - x_zp) * (w - w_zp) over n channels; products of centered codes have 17 bits, so blocks of 2^13 fit int32.
constexpr std::int64_t centered_dot(const std::int8_t* x, std::int64_t x_stride, std::int32_t x_zp,
                                    const std::int8_t* w, std::int64_t w_stride, std::int32_t w_zp, std::int64_t n) {
  constexpr std::int64_t block = 1 << 13;
  std::int64_t sum = 0;
  for (std::int64_t begin = 0; begin < n; begin += block) {
    const std::int64_t end = n - begin < block ? n : begin + block;
    std::int32_t partial = 0;
    if (x_stride == 1 && w_stride == 1) {  // the usual layout, without the multiplications of the general one
      for (std::int64_t i = begin; i < end; ++i) {
        partial += (x[i] - x_zp) * (w[i] - w_zp);
      }
    } else {
      for (std::int64_t i = begin; i < end; ++i) {
        partial += (x[i * x_stride] - x_zp) * (w[i * w_stride] - w_zp);
      }
    }
    sum += partial;
  }
  return sum;
}

struct output_position {
  std::int64_t n = 0;
  std::array<std::int64_t, 3> at{};
  std::array<tap_set, 3> taps{};  // those inside the input at this position
  std::int64_t o = 0;
};

constexpr std::int64_t accumulate(const convolution& conv, const conv_geometry& geometry,
                                  const activation_view<const std::int8_t>& input, const output_position& p) {
  const std::int32_t w_zp = weight_zero_point(conv, p.o);
  const std::int64_t first_channel = p.o / (conv.output_channels() / conv.groups) * conv.group_inputs();
  const auto& axes = geometry.axes;
  const auto& x_steps = input.strides;
  const auto& w_steps = conv.weight.strides;
  const std::int64_t x_start = p.n * x_steps[0] + first_channel * x_steps[4];
  const std::int64_t w_start = p.o * w_steps[0];
  std::int64_t sum = bias_value(conv, p.o);
  for (std::int64_t d = p.taps[0].first; d <= p.taps[0].last; d += p.taps[0].step) {
    const std::int64_t x_depth = x_start + axes[0].input_at(p.at[0], d) * x_steps[1];
    for (std::int64_t y = p.taps[1].first; y <= p.taps[1].last; y += p.taps[1].step) {
      const std::int64_t x_row = x_depth + axes[1].input_at(p.at[1], y) * x_steps[2];
      const std::int64_t w_row = w_start + d * w_steps[1] + y * w_steps[2];
      for (std::int64_t x = p.taps[2].first; x <= p.taps[2].last; x += p.taps[2].step) {
        const std::int64_t x_at = x_row + axes[2].input_at(p.at[2], x) * x_steps[3];
        sum += centered_dot(input.data + x_at, x_steps[4], conv.input_zp, conv.weight.data + w_row + x * w_steps[3],
                            w_steps[4], w_zp, conv.group_inputs());
      }
    }
  }
  return sum;
}

// Can no input make an accumulator leave 32 bits?
constexpr bool never_overflows(const convolution& conv) {
  const auto farthest = static_cast<std::int64_t>(conv.input_zp < 0 ? 127 - conv.input_zp : conv.input_zp + 128);
  for (std::int64_t o = 0; o < conv.output_channels(); ++o) {
    std::int64_t sum = 0;
    for (std::int64_t d = 0; d < conv.weight.extents[1]; ++d) {
      for (std::int64_t y = 0; y < conv.weight.extents[2]; ++y) {
        for (std::int64_t x = 0; x < conv.weight.extents[3]; ++x) {
          for (std::int64_t i = 0; i < conv.group_inputs(); ++i) {
            sum += static_cast<std::int64_t>(
                magnitude(conv.weight.data[conv.weight.offset({o, d, y, x, i})] - weight_zero_point(conv, o)));
          }
        }
      }
    }
    if (sum * farthest + static_cast<std::int64_t>(magnitude(bias_value(conv, o))) > int32_max) {
      return false;
    }
  }
  return true;
}

template <class F>
constexpr void for_each_output(const conv_geometry& geometry, const activation_view<std::int32_t>& output, F f) {
  output_position p;
  const auto move = [&](std::size_t axis) { p.taps[axis] = geometry.axes[axis].taps_at(p.at[axis]); };
  for (p.n = 0; p.n < output.extents[0]; ++p.n) {
    for (p.at[0] = 0; p.at[0] < output.extents[1]; ++p.at[0]) {
      move(0);
      for (p.at[1] = 0; p.at[1] < output.extents[2]; ++p.at[1]) {
        move(1);
        for (p.at[2] = 0; p.at[2] < output.extents[3]; ++p.at[2]) {
          move(2);
          for (p.o = 0; p.o < output.extents[4]; ++p.o) {
            if (!f(p)) {
              return;
            }
          }
        }
      }
    }
  }
}

}  // namespace detail

/// CONV2D, CONV3D, DEPTHWISE_CONV2D, TRANSPOSE_CONV2D and linear layers over int8 codes.
///
/// Formula: output[n, p, o] = bias[o] + sum over taps t inside the input, channels i of o's group, of
///   (input[n, position(p, t), i] - input_zp) * (weight[o, t, i] - weight_zp[o]).
/// Shape: input [N, D, H, W, C], output [N, D', H', W', O]; 2-D tensors have D = 1.
/// Errors: those of `validate(conv)` and of the views; shape_mismatch; channel_count; accumulator_overflow: a result
///   (`got`) outside int32, at output_channel. The output is written only if every element fits.
/// Exactness: exact. Source: TOSA 1.0.
constexpr verdict evaluate(convolution conv, const activation_view<const std::int8_t>& input,
                           const activation_view<std::int32_t>& output) {
  if (const verdict v =
          detail::validate_arguments({output.occupies(place::output)},
                                     {input.occupies(place::input), conv.weight.occupies(place::weight),
                                      conv.weight_zp.occupies(place::weight_zp), conv.bias.occupies(place::bias)});
      !v) {
    return v;
  }
  for (std::size_t a = 0; a < 3; ++a) {
    if (conv.axes[a].input == conv_axis::any_input || conv.axes[a].input == conv_axis::unset_input) {
      conv.axes[a].input = input.extents[a + 1];
    }
    if (conv.axes[a].input != input.extents[a + 1] || input.extents[a + 1] < 1) {
      return rejection{.why = reason::shape_mismatch,
                       .at = place::input,
                       .expected = conv.axes[a].input,
                       .got = input.extents[a + 1]};
    }
  }
  const result<conv_geometry> geometry = validate(conv);
  if (!geometry) {
    return geometry.error();
  }
  if (input.extents[4] != conv.input_channels()) {
    return rejection{
        .why = reason::channel_count, .at = place::input, .expected = conv.input_channels(), .got = input.extents[4]};
  }
  const std::array<std::int64_t, 5> shape{input.extents[0], geometry->axes[0].outputs(), geometry->axes[1].outputs(),
                                          geometry->axes[2].outputs(), conv.output_channels()};
  for (std::size_t r = 0; r < 5; ++r) {
    if (output.extents[r] != shape[r]) {
      return rejection{
          .why = reason::shape_mismatch, .at = place::output, .expected = shape[r], .got = output.extents[r]};
    }
  }
  if (!detail::never_overflows(conv)) {
    rejection why;
    detail::for_each_output(*geometry, output, [&](const detail::output_position& p) {
      const std::int64_t sum = detail::accumulate(conv, *geometry, input, p);
      if (!detail::fits<std::int32_t>(sum)) {
        why = {.why = reason::accumulator_overflow,
               .at = place::output,
               .output_channel = p.o,
               .expected = int32_range.clamp(sum),
               .got = sum};
      }
      return detail::fits<std::int32_t>(sum);
    });
    if (why.why != reason::none) {
      return why;
    }
  }
  detail::for_each_output(*geometry, output, [&](const detail::output_position& p) {
    output.data[output.offset({p.n, p.at[0], p.at[1], p.at[2], p.o})] =
        static_cast<std::int32_t>(detail::accumulate(conv, *geometry, input, p));
    return true;
  });
  return accepted{};
}

}  // namespace v0
}  // namespace dytq

#endif
