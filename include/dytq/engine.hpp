// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of inference engines: product of the scales, rounding and clamp of an operator.
#ifndef DYTQ_ENGINE_HPP
#define DYTQ_ENGINE_HPP

#include <bit>
#include <cstdint>

#include "codes.hpp"
#include "conv.hpp"
#include "numbers/float32.hpp"
#include "numbers/integer.hpp"
#include "rescale.hpp"
#include "result.hpp"
#include "scale.hpp"

namespace dytq {
inline namespace v0 {

/// Whose kernels run the operator, for int8 tensors.
enum class engine : std::uint8_t {
  tflite,               ///< TensorFlow Lite's own kernels, without the XNNPACK delegate
  tflite_micro,         ///< TensorFlow Lite Micro, its kernels or CMSIS-NN's, as they are built by default
  tflite_micro_single,  ///< the same, built with TFLITE_SINGLE_ROUNDING and CMSIS_NN_USE_SINGLE_ROUNDING
  xnnpack,              ///< XNNPACK, the delegate included, on x86: other processors may use xnnpack_rndnu
  onnx_runtime          ///< ONNX Runtime's QLinear operators on the CPU
};

/// Which operator it is.
enum class engine_operator : std::uint8_t { conv_2d, depthwise_conv_2d, fully_connected, mul, add, mean, quantize };

/// Types and order in which a * b / out is computed. Every step rounds to nearest, ties to even.
enum class scale_product : std::uint8_t {
  in_double,              ///< double(a) * double(b) / double(out)
  in_float32_and_double,  ///< double(float32(a * b)) / double(out)
  in_float32              ///< float32(float32(a * b) / out)
};

/// How an engine requantizes an operator's result.
struct engine_arithmetic {
  scale_product product = scale_product::in_double;       ///< of the scales
  scale_dialect dialect = scale_dialect::tflite;          ///< conversion of the product to multiplier and shift
  rounding_mode rounding = rounding_mode::tflite_double;  ///< rounding of the scaled accumulator

  friend constexpr bool operator==(const engine_arithmetic&, const engine_arithmetic&) = default;
};

/// The arithmetic of an engine's operator.
///
/// Errors: unknown_dialect: no such engine or operator, or none that multiplies by one scale: ADD of XNNPACK is
///   `addition`'s; ADD of ONNX Runtime, and MEAN and QUANTIZE of both, are not offered.
/// Sources: TensorFlow Lite, PopulateConvolutionQuantizationParams, GetQuantizedConvolutionMultipler, the Prepare of
///   MUL, ADD and REDUCE; ruy, which rounds once; XNNPACK, xnn_create_*_qs8; docs/requantization.md has the table.
constexpr result<engine_arithmetic> arithmetic_of(engine e, engine_operator op) {
  using enum engine_operator;
  if (e > engine::onnx_runtime || op > quantize ||
      (e >= engine::xnnpack && (op == add || op == mean || op == quantize))) {
    return reason::unknown_dialect;
  }
  if (e == engine::xnnpack) {
    return engine_arithmetic{scale_product::in_float32, scale_dialect::xnnpack, rounding_mode::xnnpack_fp32};
  }
  if (e == engine::onnx_runtime) {
    return engine_arithmetic{scale_product::in_float32, scale_dialect::onnx,
                             op == mul ? rounding_mode::onnx_multiply : rounding_mode::onnx};
  }
  const scale_product product = op == fully_connected ? scale_product::in_float32_and_double
                                : op == mul           ? scale_product::in_float32
                                                      : scale_product::in_double;
  const bool single =
      e == engine::tflite_micro_single || (e == engine::tflite && (op == conv_2d || op == fully_connected));
  return engine_arithmetic{product,
                           e == engine::tflite_micro_single ? scale_dialect::tflite_single : scale_dialect::tflite,
                           single ? rounding_mode::tflite_single : rounding_mode::tflite_double};
}

namespace detail {

// A scale that a model's file can hold, as its bits.
constexpr result<float32> float32_scale(double v, place at) {
  const dyadic parts(v);
  if (!parts.finite) {
    return rejection{.why = reason::scale_not_finite, .at = at};
  }
  if (parts.negative || parts.is_zero()) {
    return rejection{.why = parts.is_zero() ? reason::scale_not_positive : reason::scale_negative, .at = at};
  }
  const float32 f = float32::from_double(v);
  if (!is_float32(parts) || !f.is_finite()) {
    return rejection{.why = reason::scale_not_float32, .at = at};
  }
  return f;
}

// mantissa * 2^exponent as a double. Range: below 2^53, and the value a normal double or 0.
constexpr double double_of(std::uint64_t mantissa, std::int32_t exponent) {
  if (mantissa == 0) {
    return 0.0;
  }
  const int up = std::countl_zero(mantissa) - 11;
  const std::uint64_t fraction = (mantissa << up) & ((std::uint64_t{1} << 52) - 1);
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent - up + 1075) << 52 | fraction);
}

constexpr double double_of(float32 v) { return double_of(v.mantissa(), v.exponent()); }

// a / b in double precision, where a has 48 bits at most and b has 24: no quotient of float32's products is subnormal.
constexpr double quotient(std::uint64_t a, std::int32_t a_exponent, float32 b) {
  const std::uint64_t divisor = b.mantissa() << std::countl_zero(b.mantissa()) >> 1;  // in [2^62, 2^63)
  const int up = std::countl_zero(a) - 1;
  std::uint64_t rest = a << up;
  std::uint64_t q = 0;
  for (int i = 0; i < 56; ++i) {  // one digit before the point, 55 after it
    const bool one = rest >= divisor;
    q = 2 * q + (one ? 1 : 0);
    rest = 2 * (one ? rest - divisor : rest);
  }
  const int drop = static_cast<int>(std::bit_width(q)) - 53;
  const std::int32_t exponent = a_exponent - up - (b.exponent() - std::countl_zero(b.mantissa()) + 1) - 55;
  return double_of(shift_right_half_even(q, drop, rest != 0), exponent + drop);
}

}  // namespace detail

/// a * b / out, bit for bit as the engine computes it.
///
/// Errors: scale_not_finite, scale_negative, scale_not_positive, scale_not_float32: of a (place::input), b
///   (place::weight) or out (place::output); scale_not_float32: a product or quotient in float32 is 0 or infinite;
///   unknown_dialect: no such order.
/// Exactness: exact: the same bits as IEEE 754 arithmetic that keeps subnormals, without it.
constexpr result<double> effective_scale(scale_product order, double a, double b, double out) {
  if (order > scale_product::in_float32) {
    return reason::unknown_dialect;
  }
  const result<detail::float32> parts[] = {detail::float32_scale(a, place::input),
                                           detail::float32_scale(b, place::weight),
                                           detail::float32_scale(out, place::output)};
  for (const result<detail::float32>& part : parts) {
    if (!part) {
      return part.error();
    }
  }
  if (order == scale_product::in_double) {
    return detail::quotient(parts[0]->mantissa() * parts[1]->mantissa(), parts[0]->exponent() + parts[1]->exponent(),
                            *parts[2]);
  }
  const detail::float32 product = *parts[0] * *parts[1];
  if (product.is_zero() || !product.is_finite()) {
    return reason::scale_not_float32;
  }
  if (order == scale_product::in_float32_and_double) {
    return detail::quotient(product.mantissa(), product.exponent(), *parts[2]);
  }
  const detail::float32 scale = product / *parts[2];
  if (scale.is_zero() || !scale.is_finite()) {
    return reason::scale_not_float32;
  }
  return detail::double_of(scale);
}

/// The requantization of an accumulator or product as an engine's operator computes it, from the scales of the input,
/// the weight (or second input) and the output. MEAN and QUANTIZE have a weight scale of 1; for MEAN it is of the mean,
/// not of the sum.
///
/// Errors: those of `arithmetic_of`, `effective_scale`, `quantize_scale` and `range_in`.
/// Exactness: exact.
constexpr result<rescale> requantization(engine e, engine_operator op, double input_scale, double weight_scale,
                                         const qparams& output, code_range type = int8_range) {
  const result<engine_arithmetic> how = arithmetic_of(e, op);
  if (!how) {
    return how.error();
  }
  const result<code_range> out = range_in(output, type, place::output);
  if (!out) {
    return out.error();
  }
  // A double that is carried, never computed with: it was put together from bits, and is read as bits.
  const result<double> scale = effective_scale(how->product, input_scale, weight_scale, output.scale);
  if (!scale) {
    return scale.error();
  }
  const result<multiplier_shift> parts = quantize_scale(*scale, multiplier_width::bits32, how->dialect);
  if (!parts) {
    return parts.error();
  }
  const rescale step{.multiplier = parts->multiplier,
                     .shift = parts->shift,
                     .output_zp = output.zero_point,
                     .out = *out,
                     .rounding = how->rounding};
  if (const verdict v = validate(step, place::output); !v) {
    return v.error();
  }
  return step;
}

/// The three steps of an int8 ADD: out(a(code of a) + b(code of b)).
struct add_steps {
  rescale a;    ///< of the first input: `add_in` of a site
  rescale b;    ///< of the second: `beta`
  rescale out;  ///< of their sum: `add_out`
};

/// ADD of two int8 tensors, as an engine computes it.
///
/// Formula: TensorFlow Lite: with t = 2 * max(scales), both codes less their zero points are shifted left by 20 and
///   multiplied by scale / t, in double, and their sum by t / (2^20 * output scale).
///   XNNPACK: with sh = 20 - exponent of the larger of float32(scale / output scale), each code is multiplied by
///   round(that * 2^sh), half to even, and the sum is divided by 2^sh, half up.
/// Errors: those of `range_in`; scale_not_finite, scale_negative, scale_not_positive, scale_not_float32: at input,
///   weight (the second input) or output; scale_too_large: a sum's scale of 1 or more in TensorFlow Lite, an operand's
///   of 2^8 or more in XNNPACK; scale_too_small: an operand's below 2^-10 there; unknown_dialect: no such engine,
///   or onnx_runtime.
/// Exactness: exact for every pair of codes. Sources: TensorFlow Lite, add.cc; XNNPACK, xnn_create_add_nd_qs8.
constexpr result<add_steps> addition(engine e, const qparams& a, const qparams& b, const qparams& output) {
  const qparams* const sides[] = {&a, &b, &output};
  constexpr place places[] = {place::input, place::weight, place::output};
  detail::float32 scales[3];
  for (int i = 0; i < 3; ++i) {
    if (const result<code_range> range = range_in(*sides[i], int8_range, places[i]); !range) {
      return range.error();
    }
    const result<detail::float32> scale = detail::float32_scale(sides[i]->scale, places[i]);
    if (!scale) {
      return scale.error();
    }
    scales[i] = *scale;
  }
  if (e > engine::xnnpack) {  // no such engine, or ONNX Runtime, which adds in float32
    return reason::unknown_dialect;
  }
  add_steps steps;
  steps.a.input_zp = a.zero_point;
  steps.b.input_zp = b.zero_point;
  steps.out.output_zp = output.zero_point;
  steps.out.out = *range_in(output, int8_range);
  if (e == engine::xnnpack) {
    const detail::float32 ratios[] = {scales[0] / scales[2], scales[1] / scales[2]};
    for (int i = 0; i < 2; ++i) {
      if (const verdict v = fits_target(scale_target::xnnpack_add, detail::double_of(ratios[i])); !v) {
        rejection why = v.error();
        why.at = places[i];
        return why;
      }
    }
    const detail::float32 larger = ratios[ratios[0].bits < ratios[1].bits ? 1 : 0];
    const std::int32_t shift = 20 - (larger.exponent() + 23);  // its exponent: 2^e <= larger < 2^(e + 1)
    rescale* const operands[] = {&steps.a, &steps.b};
    for (int i = 0; i < 2; ++i) {
      const std::int32_t down = -(ratios[i].exponent() + shift);
      operands[i]->multiplier =
          static_cast<std::int32_t>(2 * detail::shift_right_half_even(ratios[i].mantissa(), down));
      operands[i]->shift = 1;
      operands[i]->rounding = rounding_mode::tflite_single;
    }
    steps.out.multiplier = std::int32_t{1} << 30;
    steps.out.shift = 30 + shift;
    steps.out.rounding = rounding_mode::tflite_single;
    return steps;
  }
  // Twice the larger scale, and 2^20 times the output's: both are exact, but for an infinite one.
  const detail::float32 larger = scales[scales[0].bits < scales[1].bits ? 1 : 0];
  const detail::float32 twice = larger + larger;
  const detail::float32 shifted = scales[2] * detail::float32::from_integer(1 << 20);
  if (!twice.is_finite() || !shifted.is_finite()) {
    return rejection{.why = reason::scale_not_float32, .at = twice.is_finite() ? place::output : place::input};
  }
  const engine_arithmetic how = *arithmetic_of(e, engine_operator::add);
  const double products[] = {detail::quotient(scales[0].mantissa(), scales[0].exponent(), twice),
                             detail::quotient(scales[1].mantissa(), scales[1].exponent(), twice),
                             detail::quotient(twice.mantissa(), twice.exponent(), shifted)};
  rescale* const made[] = {&steps.a, &steps.b, &steps.out};
  for (int i = 0; i < 3; ++i) {
    const result<multiplier_shift> parts = quantize_scale(products[i], multiplier_width::bits32, how.dialect);
    if (!parts) {
      return parts.error();
    }
    if (parts->shift < 31) {  // the kernel takes scales below 1
      return rejection{.why = reason::scale_too_large, .at = places[i], .expected = 31, .got = parts->shift};
    }
    made[i]->multiplier = parts->multiplier;
    made[i]->shift = parts->shift;
    made[i]->rounding = how.rounding;
    made[i]->left_shift = i < 2 ? 20 : 0;
  }
  return steps;
}

/// AVERAGE_POOL_2D of TensorFlow Lite: from the sum of the codes of n taps inside the input, zero points left in, to
/// the mean, half away from zero.
///
/// Formula: {round(2^(30 + b) / n), shift 31 + b, left_shift 1, tflite_double}, b = ceil(log2 n).
/// Errors: shape_mismatch: n below 1; extent_overflow: n above 1024; range_inverted: `out` not in int8 or uint8.
/// Exactness: exact for every sum of n codes of int8 or uint8, n = 1 ... 1024. Source: TensorFlow Lite,
///   reference_integer_ops::AveragePool.
constexpr result<rescale> average_pool(std::int64_t n, code_range out = int8_range) {
  if (n < 1 || n > 1024) {
    return rejection{.why = n < 1 ? reason::shape_mismatch : reason::extent_overflow,
                     .at = place::input,
                     .expected = n < 1 ? 1 : 1024,
                     .got = n};
  }
  if (const verdict v = detail::validate_range(out, {-128, 255}, place::output); !v) {
    return v.error();
  }
  const int b = 64 - std::countl_zero(static_cast<std::uint64_t>(n - 1));
  return rescale{.multiplier = static_cast<std::int32_t>(((std::int64_t{2} << (30 + b)) / n + 1) / 2),
                 .shift = 31 + b,
                 .out = out,
                 .rounding = rounding_mode::tflite_double,
                 .left_shift = 1};
}

/// The activations that TensorFlow Lite fuses into an operator: a clamp of its codes.
enum class fused_activation : std::uint8_t { none, relu, relu6, relu_n1_to_1 };

/// The range of codes after a fused activation: `out` of the operator's last RESCALE.
///
/// Formula: [max(lowest, q(low)), min(greatest, q(high))] with q(x) = zero_point + round(float32(x / scale)), half away
///   from zero.
/// Errors: those of `range_in`, and of a scale that is no positive float32; range_inverted: nothing is left, or a bound
///   is beyond 32 bits; unknown_type: no such activation.
/// Exactness: exact. Source: TensorFlow Lite, CalculateActivationRangeQuantized.
constexpr result<code_range> activation_range(fused_activation a, const qparams& output, code_range type = int8_range) {
  if (a > fused_activation::relu_n1_to_1) {
    return rejection{.why = reason::unknown_type, .got = static_cast<std::int64_t>(a)};
  }
  const result<code_range> all = range_in(output, type, place::output);
  const result<detail::float32> scale = detail::float32_scale(output.scale, place::output);
  if (!all || !scale || a == fused_activation::none) {
    return !all ? all.error() : !scale ? result<code_range>(scale.error()) : all;
  }
  const auto code_of = [&](std::int64_t real) {
    const detail::float32 ratio = detail::float32::from_integer(real) / *scale;
    if (!ratio.is_finite() || ratio.exponent() > 8) {
      return real < 0 ? int32_range.lo - 1 : int32_range.hi + 1;  // 2^32 or more
    }
    const int down = -ratio.exponent();
    const auto rounded =
        static_cast<std::int64_t>(down <= 0   ? ratio.mantissa() << -down
                                  : down > 25 ? 0
                                              : (ratio.mantissa() + (std::uint64_t{1} << (down - 1))) >> down);
    return output.zero_point + (real < 0 ? -rounded : rounded);
  };
  code_range left = *all;
  const std::int64_t low = a == fused_activation::relu_n1_to_1 ? code_of(-1) : output.zero_point;
  left.lo = detail::larger(left.lo, low);
  if (a != fused_activation::relu) {
    const std::int64_t high = code_of(a == fused_activation::relu6 ? 6 : 1);
    if (high > int32_range.hi) {
      return outside(reason::range_inverted, place::output, int32_range, high);
    }
    left.hi = detail::smaller(left.hi, high);
  }
  if (low < int32_range.lo) {
    return outside(reason::range_inverted, place::output, int32_range, low);
  }
  if (left.empty()) {
    return rejection{.why = reason::range_inverted, .at = place::output, .expected = left.lo, .got = left.hi};
  }
  return left;
}

/// One axis of a convolution with TensorFlow Lite's SAME padding: `input` is what the kernel reads of the activation.
/// Where that is less than the extent, the stride leaves a remainder, and the activation is to be cut to it, since
/// TOSA's convolution takes none.
///
/// Formula: outputs = ceil(extent / stride); total = max(0, (outputs - 1) * stride + (kernel - 1) * dilation + 1 -
///   extent); before = total / 2, after = total - before.
/// Errors: shape_mismatch: extent or kernel below 1; stride_not_positive; dilation_not_positive; extent_overflow: a
///   number above 2^31 - 1.
/// Exactness: exact. Source: TensorFlow Lite, ComputePaddingHeightWidth.
constexpr result<conv_axis> same_padding(std::int64_t extent, std::int64_t kernel, std::int64_t stride = 1,
                                         std::int64_t dilation = 1) {
  const std::int64_t numbers[] = {extent, kernel, stride, dilation};
  constexpr reason below_one[] = {reason::shape_mismatch, reason::shape_mismatch, reason::stride_not_positive,
                                  reason::dilation_not_positive};
  for (int i = 0; i < 4; ++i) {
    if (numbers[i] < 1 || numbers[i] > int32_range.hi) {
      return outside(numbers[i] < 1 ? below_one[i] : reason::extent_overflow, i == 1 ? place::weight : place::input,
                     {1, int32_range.hi}, numbers[i]);
    }
  }
  const std::int64_t outputs = (extent + stride - 1) / stride;
  const std::int64_t reach = (outputs - 1) * stride + (kernel - 1) * dilation + 1;
  const std::int64_t total = reach > extent ? reach - extent : 0;
  return conv_axis{.input = reach < extent ? reach : extent,
                   .stride = stride,
                   .dilation = dilation,
                   .before = total / 2,
                   .after = total - total / 2};
}

}  // namespace v0
}  // namespace dytq

#endif
