// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A convolution as one form: 1-D to 3-D, grouped, depthwise, linear and transposed are shapes and strides of it; and
// its evaluation, with overflow refused.
#ifndef DYTQ_CONV_HPP
#define DYTQ_CONV_HPP

#include <array>
#include <cstdint>

#include "codes.hpp"
#include "numbers/integer.hpp"
#include "operators/geometry.hpp"
#include "operators/rounding.hpp"
#include "result.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

/// Does the kernel gather inputs (`forward`), or scatter them (`transposed`: TOSA TRANSPOSE_CONV2D)?
using conv_kind = detail::conv_kind;

/// One spatial axis of a convolution: `input`, the extent of the input; `stride` and `dilation`, 1 if not given;
/// `before` and `after`, the padding (of the output if transposed, and then possibly negative).
///
/// A default axis is valid only for a kernel of 1: unset padding is not padding of 0. For a larger kernel give the
/// input's extent, or `conv_axis::any_input` without padding.
using conv_axis = detail::conv_axis;

/// Axes without padding, of stride 1: `.axes = unpadded` for a kernel larger than 1.
inline constexpr std::array<conv_axis, 3> unpadded = {conv_axis{.input = conv_axis::any_input},
                                                      conv_axis{.input = conv_axis::any_input},
                                                      conv_axis{.input = conv_axis::any_input}};

/// The geometry of one axis: `make(kind, axis, kernel)` checks it; `inputs()`, `outputs()`, `kernel()`; `input_at(o,
/// t)`, the input position that tap t reads at output position o.
using axis_geometry = detail::axis_geometry;
/// The geometry of a convolution: `axes`, depth, height and width.
using conv_geometry = detail::conv_geometry;

/// Weights as [O, KD, KH, KW, I], I input channels per group.
template <class T>
using weight_view = view<T, 5>;

/// 2-D weights stored output channel first, input channel last (TOSA CONV2D, TRANSPOSE_CONV2D).
template <class T>
constexpr weight_view<T> from_ohwi(const view<T, 4>& w) {
  return {w.data,
          {w.extents[0], 1, w.extents[1], w.extents[2], w.extents[3]},
          {w.strides[0], 0, w.strides[1], w.strides[2], w.strides[3]}};
}

/// 2-D weights stored [O, I, H, W] (PyTorch).
template <class T>
constexpr weight_view<T> from_oihw(const view<T, 4>& w) {
  return from_ohwi(permute(w, {0, 2, 3, 1}));
}

/// Depthwise weights stored [H, W, C, M] (TOSA DEPTHWISE_CONV2D); output channel c * M + m, groups C, I = 1.
/// Errors: shape_mismatch: C does not step over M, as in a slice along M; it then is no single axis; those of the view.
template <class T>
constexpr result<weight_view<T>> from_hwim(const view<T, 4>& w) {
  if (const verdict v = validate(w, place::weight); !v) {
    return v.error();
  }
  const bool joined = w.empty() || w.extents[3] == 1 || w.extents[2] == 1 ||
                      w.strides[2] - w.strides[3] == w.strides[3] * (w.extents[3] - 1);
  if (!joined) {
    return rejection{.why = reason::shape_mismatch, .at = place::weight, .expected = w.extents[3], .got = w.strides[2]};
  }
  const std::int64_t step_o = w.extents[3] == 1 ? w.strides[2] : w.strides[3];
  return weight_view<T>{w.data,
                        {w.empty() ? 0 : w.extents[2] * w.extents[3], 1, w.extents[0], w.extents[1], 1},
                        {step_o, 0, w.strides[0], w.strides[1], 0}};
}

/// Weights of a linear layer, [O, I].
template <class T>
constexpr weight_view<T> from_oi(const view<T, 2>& w) {
  return {w.data, {w.extents[0], 1, 1, 1, w.extents[1]}, {w.strides[0], 0, 0, 0, w.strides[1]}};
}

/// 1-D weights, [O, W, I].
template <class T>
constexpr weight_view<T> from_owi(const view<T, 3>& w) {
  return {w.data, {w.extents[0], 1, 1, w.extents[1], w.extents[2]}, {w.strides[0], 0, 0, w.strides[1], w.strides[2]}};
}

inline constexpr code_range int8_weights = int8_range;          ///< every int8 code
inline constexpr code_range int8_narrow_weights = {-127, 127};  ///< symmetric, as TFLite's and CMSIS-NN's kernels want
inline constexpr code_range int4_weights = {-8, 7};             ///< int4 stored in int8
inline constexpr code_range int4_narrow_weights = {-7, 7};      ///< symmetric int4 stored in int8

/// A convolution with constant weights: acc = bias + sum over taps inside the input of
/// (x - input_zp) * (weight - weight_zp).
struct convolution {
  weight_view<const std::int8_t> weight = {};  ///< codes, any layout by its strides
  view<const std::int8_t> weight_zp = {};      ///< 1 or O entries; absent: 0
  view<const std::int32_t> bias = {};          ///< 1 or O entries; absent: zeros
  /// Input and output channels fall into as many groups; depthwise: one for each input channel.
  std::int64_t groups = 1;
  std::int32_t input_zp = 0;  ///< zero point of the codes that it reads, int8
  /// The codes that the storage or the kernels allow: a fold writes no weight outside. Weights of int4 in int8 need
  /// `int4_weights`.
  code_range weight_range = int8_weights;
  conv_kind kind = conv_kind::forward;  ///< transposed: TOSA TRANSPOSE_CONV2D, with the same weights
  /// Depth, height, width. Those with a kernel larger than 1 must be given; `unpadded` does it for all. Spelled out: a
  /// constant evaluation that changes an axis would change the default of the whole program in g++ 12, were it {}.
  std::array<conv_axis, 3> axes = {conv_axis{}, conv_axis{}, conv_axis{}};

  /// O.
  constexpr std::int64_t output_channels() const { return weight.extents[0]; }
  /// I, the input channels of one group.
  constexpr std::int64_t group_inputs() const { return weight.extents[4]; }
  /// Those of all groups.
  constexpr std::int64_t input_channels() const { return weight.extents[4] * groups; }
  /// The positions of the kernel.
  constexpr std::int64_t taps() const { return weight.extents[1] * weight.extents[2] * weight.extents[3]; }
};

/// The RESCALE that a convolution's accumulators go through, to codes of its output: SINGLE_ROUND, 32-bit multipliers.
struct conv_rescale {
  view<const std::int32_t> multiplier = {};  ///< 1 or O entries, in [0, 2^31)
  view<const std::int32_t> shift = {};       ///< as many, to the right, in [2, 62]

  /// The multiplier of output channel o. The views must be valid.
  constexpr std::int32_t multiplier_of(std::int64_t o) const {
    return multiplier.data[multiplier.offset({multiplier.extent(0) == 1 ? 0 : o})];
  }
  /// The shift of output channel o. The views must be valid.
  constexpr std::int32_t shift_of(std::int64_t o) const {
    return shift.data[shift.offset({shift.extent(0) == 1 ? 0 : o})];
  }
};

/// Does the RESCALE fit a convolution of so many output channels?
///
/// Errors: those of the views; per_channel_count; multiplier_negative; shift_out_of_range, with the output channel.
constexpr verdict validate(const conv_rescale& r, std::int64_t output_channels) {
  for (const view<const std::int32_t>* list : {&r.multiplier, &r.shift}) {
    if (const verdict v = validate(*list, place::output); !v) {
      return v;
    }
    if (const std::int64_t n = list->extent(0); n != 1 && n != output_channels) {
      return rejection{.why = reason::per_channel_count, .at = place::output, .expected = output_channels, .got = n};
    }
  }
  for (std::int64_t o = 0; o < output_channels; ++o) {
    if (const verdict v = detail::validate_scale(r.multiplier_of(o), r.shift_of(o), {}, place::output); !v) {
      rejection why = v.error();
      why.output_channel = o;
      return why;
    }
  }
  return accepted{};
}

/// Where a fold into a convolution writes. To ask whether there is one is a call of its own, `prove_...`.
struct fold_outputs {
  weight_view<std::int8_t> weight = {};  ///< shape of the convolution's weights; may be the same view
  view<std::int32_t> bias = {};          ///< [O], also where the convolution has none; may be the same view
  view<std::int16_t> workspace = {};     ///< [4 * C]: scribbled on as soon as the arguments have been accepted
};

/// What a fold into a convolution did, or would do, beside writing the constants.
struct affine_fold {
  std::int32_t input_zp = 0;         ///< the convolution's new input zero point
  std::int64_t weights_changed = 0;  ///< weights that differ from the original ones
  bool bias_changed = false;         ///< some bias differs (an absent one counts as zeros)
  std::int32_t first_code = 0;       ///< x0 of the lines: the smallest code of X

  /// Do the constants differ from the original ones? If not, a framework can keep its own, shared ones.
  constexpr bool constants_changed() const { return weights_changed != 0 || bias_changed; }
};

/// What a fold that also replaces the TABLE did, or would do.
struct table_and_conv_fold {
  std::array<std::int8_t, 256> table{};  ///< replaces the site's table, which must have no other reader
  std::int32_t input_zp = 0;             ///< the convolution's new input zero point
  std::int64_t weights_changed = 0;      ///< weights that differ from the original ones
  bool bias_changed = false;             ///< some bias differs
  std::int32_t multiple = 0;             ///< k; 0 if no code makes a difference in any channel that counts
};

/// Is the convolution one that TOSA defines? -> its geometry.
///
/// Errors: those of the views and of `axis_geometry`, with the axis; empty: no weights along an axis, so that O is 0
///   where it was taken from a bias that there is not; group_count: groups do not divide the output channels;
///   channel_count: weight_zp is neither 1 nor O long; bias_count; zero_point_out_of_range: input_zp outside int8;
///   range_inverted: weight_range empty or outside int8.
constexpr result<conv_geometry> validate(const convolution& conv) {
  for (const verdict& v : {validate(conv.weight, place::weight), validate(conv.weight_zp, place::weight_zp),
                           validate(conv.bias, place::bias)}) {
    if (!v) {
      return v.error();
    }
  }
  for (std::size_t r = 0; r < 5; ++r) {
    if (conv.weight.extents[r] == 0) {
      return rejection{
          .why = reason::empty, .at = place::weight, .axis = static_cast<std::int64_t>(r), .expected = 1, .got = 0};
    }
  }
  const std::int64_t outputs = conv.output_channels();
  if (conv.groups < 1 || outputs % conv.groups != 0) {  // so I * groups is no more than the number of weights
    const std::int64_t some = conv.groups < 1 ? 1 : conv.groups;
    return rejection{.why = reason::group_count,
                     .at = place::weight,
                     .expected = static_cast<std::int64_t>(
                         detail::greatest_common_divisor(detail::magnitude(some), detail::magnitude(outputs))),
                     .got = conv.groups};
  }
  if (const std::int64_t n = conv.weight_zp.extent(0); !conv.weight_zp.absent() && n != 1 && n != outputs) {
    return rejection{.why = reason::channel_count, .at = place::weight_zp, .expected = outputs, .got = n};
  }
  if (const std::int64_t n = conv.bias.extent(0); !conv.bias.absent() && n != 1 && n != outputs) {
    return rejection{.why = reason::bias_count, .at = place::bias, .expected = outputs, .got = n};
  }
  if (!int8_range.contains(conv.input_zp)) {
    return outside(reason::zero_point_out_of_range, place::input, int8_range, conv.input_zp);
  }
  if (const verdict v = detail::validate_range(conv.weight_range, int8_range, place::weight); !v) {
    return v.error();
  }
  conv_geometry geometry;
  for (std::size_t a = 0; a < 3; ++a) {
    const result<axis_geometry> axis = axis_geometry::make(conv.kind, conv.axes[a], conv.weight.extents[a + 1]);
    if (!axis) {
      rejection why = axis.error();
      why.axis = static_cast<std::int64_t>(a);
      return why;
    }
    geometry.axes[a] = *axis;
  }
  return geometry;
}

/// The zero point of output channel o's weights. The convolution must be valid.
constexpr std::int32_t weight_zero_point(const convolution& conv, std::int64_t o) {
  return conv.weight_zp.absent() ? 0
                                 : conv.weight_zp.data[conv.weight_zp.offset({conv.weight_zp.extent(0) == 1 ? 0 : o})];
}
/// The bias of output channel o; 0 if there is none. The convolution must be valid.
constexpr std::int32_t bias_value(const convolution& conv, std::int64_t o) {
  return conv.bias.absent() ? 0 : conv.bias.data[conv.bias.offset({conv.bias.extent(0) == 1 ? 0 : o})];
}

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

// Do all accumulators fit int32 for every input?
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
