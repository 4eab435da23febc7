// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MULTIPLIER, RESCALE, MUL, ADD.
#include <array>
#include <dytq/integer.hpp>
#include <dytq/rescale.hpp>
#include <dytq/scale.hpp>
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

}  // namespace

void multiplier(const value& in, std::string& out) {
  const std::int64_t width = in["width"].integer();
  const double scale = in["scale_bits"].from_bits();
  if (width != 16 && width != 32) {
    in["width"].fail("expected 16 or 32, got " + std::to_string(width));
  }
  if (in["dialect"].string() != "executorch") {
    append_rejection(out, {.why = dytq::reason::unknown_dialect});
    return;
  }
  const auto scaled =
      dytq::quantize_scale(scale, width == 16 ? dytq::multiplier_width::bits16 : dytq::multiplier_width::bits32);
  if (scaled) {
    append_out(out, std::array{scaled->multiplier, scaled->shift});
  } else {
    append_rejection(out, scaled.error());
  }
}

void rescale(const value& in, std::string& out) {
  const auto input_type = read_tensor_type(in["in_t"], in["input_unsigned"], dytq::step::input);
  const auto output_type = read_tensor_type(in["out_t"], in["output_unsigned"], dytq::step::output);
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
    append_rejection(out, {.why = dytq::reason::unknown_type, .at = dytq::step::input});
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
