// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MULTIPLIER, RESCALE, REQUANTIZE, MUL, ADD.
#include <algorithm>
#include <array>
#include <dytq/codes.hpp>
#include <dytq/rescale.hpp>
#include <dytq/scale.hpp>
#include <iterator>
#include <vector>

#include "answer.hpp"
#include "operations.hpp"
#include "read.hpp"

namespace replay {
namespace {

// Appends a scalar's value, or why there is none.
template <class T>
void append_result(std::string& out, const dytq::result<T>& r) {
  if (r) {
    append_out(out, *r);
  } else {
    append_rejection(out, r.error());
  }
}

// One value, or a list of exactly one.
std::int64_t scalar(const value& v) {
  if (!v.is_array()) {
    return v.integer();
  }
  return v.list<std::int64_t>(1)[0];
}

std::vector<std::int32_t> scales(const value& v) {
  return v.is_array() ? v.list<std::int32_t>() : std::vector{v.as<std::int32_t>()};
}

// RESCALE of a tensor. For multipliers and shifts only the last dimension counts, so it is taken as [rows, channels].
void rescale_tensor(const dytq::rescale_operator& op, const value& in, std::string& out) {
  const std::vector<std::int64_t> input = in["value"].list<std::int64_t>();
  const std::vector<std::int64_t> shape = read_shape(in["shape"]);
  expect_elements(in["value"], shape);
  const std::vector<std::int32_t> multiplier = scales(in["multiplier"]);
  const std::vector<std::int32_t> shift = scales(in["shift"]);
  std::vector<std::int32_t> output(input.size());
  const std::int64_t channels = shape.back();
  const std::array<std::int64_t, 2> extents{static_cast<std::int64_t>(input.size()) / channels, channels};
  const dytq::verdict done = dytq::apply(op, dytq::view<const std::int64_t, 2>(input.data(), extents), multiplier,
                                         shift, dytq::view<std::int32_t, 2>(output.data(), extents));
  if (done) {
    append_out(out, output);
  } else {
    append_rejection(out, done.error());
  }
}

struct named_dialect {
  std::string_view name;
  dytq::scale_dialect means;
  bool shifts_left;
};
constexpr named_dialect dialects[] = {
    {"executorch", dytq::scale_dialect::executorch, false},
    {"mlir", dytq::scale_dialect::mlir, false},
    {"tflite", dytq::scale_dialect::tflite, true},
    {"tflite_single", dytq::scale_dialect::tflite_single, true},
    {"tflm", dytq::scale_dialect::tflm, true},
    {"vela", dytq::scale_dialect::vela, false},
    {"xnnpack", dytq::scale_dialect::xnnpack, false},
    {"onnx", dytq::scale_dialect::onnx, false},
};

struct named_rounding {
  std::string_view name;
  dytq::rounding_mode means;
  bool takes_scale;
};
constexpr named_rounding roundings[] = {
    {"tflite_double", dytq::rounding_mode::tflite_double, false},
    {"tflite_single", dytq::rounding_mode::tflite_single, false},
    {"cmsis_double", dytq::rounding_mode::tflite_double, false},
    {"cmsis_single", dytq::rounding_mode::tflite_single, false},
    {"xnnpack_rndnu", dytq::rounding_mode::xnnpack_rndnu, true},
    {"xnnpack_fp32", dytq::rounding_mode::xnnpack_fp32, true},
    {"onnx", dytq::rounding_mode::onnx, true},
    {"onnx_multiply", dytq::rounding_mode::onnx_multiply, true},
};

template <class Named, std::size_t N>
const Named* find(const Named (&all)[N], std::string_view name) {
  const Named* const found =
      std::find_if(std::begin(all), std::end(all), [&](const Named& n) { return n.name == name; });
  return found == std::end(all) ? nullptr : found;
}

}  // namespace

void multiplier(const value& in, std::string& out) {
  const std::int64_t width = in["width"].integer();
  const double scale = in["scale_bits"].from_bits();
  if (width != 16 && width != 32) {
    in["width"].fail("expected 16 or 32, got " + std::to_string(width));
  }
  const named_dialect* const dialect = find(dialects, in["dialect"].string());
  if (dialect == nullptr) {
    append_rejection(out, {.why = dytq::reason::unknown_dialect});
    return;
  }
  const auto scaled = dytq::quantize_scale_wide(
      scale, width == 16 ? dytq::multiplier_width::bits16 : dytq::multiplier_width::bits32, dialect->means);
  if (scaled) {
    append_out(out, std::array{scaled->multiplier,
                               dialect->shifts_left ? dytq::other_way_shift(scaled->shift) : scaled->shift});
  } else {
    append_rejection(out, scaled.error());
  }
}

void requantize(const value& in, std::string& out) {
  const named_rounding* const rounding = find(roundings, in["dialect"].string());
  if (rounding == nullptr) {
    append_rejection(out, {.why = dytq::reason::unknown_dialect});
    return;
  }
  dytq::rescale step{.rounding = rounding->means};
  if (rounding->takes_scale) {
    const auto scale = dytq::quantize_scale(
        in["scale_bits"].from_bits(), dytq::multiplier_width::bits32,
        rounding->means >= dytq::rounding_mode::onnx ? dytq::scale_dialect::onnx : dytq::scale_dialect::xnnpack);
    step.output_zp = in["zp"].as<std::int32_t>();
    const std::int64_t v = in["value"].integer();
    dytq::verdict legal = scale ? dytq::accepted{} : dytq::verdict(scale.error());
    if (legal && !dytq::int8_range.contains(step.output_zp)) {
      legal = dytq::rejection{.why = dytq::reason::zero_point_out_of_range, .got = step.output_zp};
    }
    if (!legal) {
      append_rejection(out, legal.error());
      return;
    }
    step.multiplier = scale->multiplier;
    step.shift = scale->shift;
    step.out = dytq::int8_range;
    append_result(out, dytq::apply(step, v));
    return;
  }
  step.multiplier = in["multiplier"].as<std::int32_t>();
  const std::int64_t shift = dytq::other_way_shift(in["left_shift"].as<std::int32_t>());
  const std::int64_t v = in["value"].integer();
  if (!dytq::int32_range.contains(shift)) {
    append_rejection(out, {.why = dytq::reason::shift_out_of_range, .got = shift});
    return;
  }
  step.shift = static_cast<std::int32_t>(shift);
  append_result(out, dytq::apply(step, v));
}

void rescale(const value& in, std::string& out) {
  const auto input_type = read_tensor_type(in["in_t"], in["input_unsigned"], dytq::place::input);
  const auto output_type = read_tensor_type(in["out_t"], in["output_unsigned"], dytq::place::output);
  dytq::rescale_operator op{.input_zp = in["input_zp"].integer(),
                            .output_zp = in["output_zp"].integer(),
                            .scale32 = in["scale32"].boolean(),
                            .per_channel = in["per_channel"].boolean()};
  if (const auto mode = in.find("rounding_mode")) {
    op.rounding = read_rounding_mode(*mode);
  }
  const value v = in["value"];
  const value m = in["multiplier"];
  const value s = in["shift"];
  for (const auto* type : {&input_type, &output_type}) {
    if (!*type) {
      append_rejection(out, type->error());
      return;
    }
  }
  op.in = *input_type;
  op.out = *output_type;
  if (v.is_array()) {
    rescale_tensor(op, in, out);
  } else {
    append_result(out, dytq::apply(op, v.integer(), scalar(m), scalar(s)));
  }
}

void mul(const value& in, std::string& out) {
  const std::string_view type = in["in_t"].string();
  const auto shift = in["shift"].as<std::int32_t>();
  if (type != "i32" && type != "i16" && type != "i8") {
    append_rejection(out, {.why = dytq::reason::unknown_type, .at = dytq::place::input});
    return;
  }
  const dytq::code_range range = type == "i32"   ? dytq::int32_range
                                 : type == "i16" ? dytq::int16_range
                                                 : dytq::int8_range;
  const auto a = static_cast<std::int32_t>(in["a"].integer(range));
  const auto b = static_cast<std::int32_t>(in["b"].integer(range));
  if (type != "i32" && shift != 0) {
    in["shift"].fail("only i32 has a shift");
  }
  append_result(out, dytq::mul_int32(a, b, shift));
}

void add(const value& in, std::string& out) {
  append_result(out, dytq::add_int32(in["a"].as<std::int32_t>(), in["b"].as<std::int32_t>()));
}

}  // namespace replay
