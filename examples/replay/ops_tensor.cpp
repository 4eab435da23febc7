// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TABLE, and the convolutions.
#include <array>
#include <dytq/conv.hpp>
#include <dytq/table.hpp>
#include <vector>

#include "answer.hpp"
#include "operations.hpp"
#include "read.hpp"

namespace replay {
namespace {

template <class Entry, class Looked>
void look_up(const value& in, std::string& out) {
  const std::vector<Entry> entries = in["table"].list<Entry>();
  const std::vector<Entry> codes = in["value"].list<Entry>();
  std::vector<Looked> looked;
  looked.reserve(codes.size());
  for (const Entry code : codes) {
    const auto r = dytq::lookup(dytq::view<const Entry>(entries), code);
    if (!r) {
      append_rejection(out, r.error());
      return;
    }
    looked.push_back(*r);
  }
  if (const auto r = dytq::detail::validate_table(dytq::view<const Entry>(entries), sizeof(Entry) == 1 ? 256 : 513);
      !r) {
    append_rejection(out, r.error());
    return;
  }
  append_out(out, looked);
}

/// The operands of a convolution line.
struct operands {
  explicit operands(const value& in)
      : input_shape(read_shape(in["input_shape"], 4)),
        weight_shape(read_shape(in["weight_shape"], 4)),
        output_shape(read_shape(in["output_shape"], 4)),
        input(in["input"].list<std::int8_t>()),
        weight(in["weight"].list<std::int8_t>()),
        bias(in["bias"].list<std::int32_t>()),
        stride(in["stride"].list<std::int64_t>(2)),
        input_zp(in["input_zp"].integer()),
        weight_zp(in["weight_zp"].integer()) {
    expect_elements(in["input"], input_shape);
    expect_elements(in["weight"], weight_shape);
  }

  std::vector<std::int64_t> input_shape;
  std::vector<std::int64_t> weight_shape;
  std::vector<std::int64_t> output_shape;
  std::vector<std::int8_t> input;
  std::vector<std::int8_t> weight;
  std::vector<std::int32_t> bias;
  std::vector<std::int64_t> stride;
  std::vector<std::int64_t> padding;  // top, bottom, left, right
  std::vector<std::int64_t> dilation = {1, 1};
  std::int64_t input_zp;
  std::int64_t weight_zp;

  std::array<std::int64_t, 4> weight_extents() const {
    return {weight_shape[0], weight_shape[1], weight_shape[2], weight_shape[3]};
  }
};

// A line of a few bytes can ask for an output, or for work, that no machine has.
constexpr std::int64_t output_limit = std::int64_t{1} << 24;
constexpr std::int64_t work_limit = std::int64_t{1} << 32;

dytq::verdict validate_zero_points(const operands& x) {
  for (const auto& [zero_point, at] :
       {std::pair{x.input_zp, dytq::place::input}, {x.weight_zp, dytq::place::weight_zp}}) {
    if (!dytq::int8_range.contains(zero_point)) {
      return dytq::rejection{.why = dytq::reason::zero_point_out_of_range,
                             .at = at,
                             .expected = zero_point < 0 ? -128 : 127,
                             .got = zero_point};
    }
  }
  return dytq::accepted{};
}

void convolve(const value& in, const operands& x, dytq::convolution conv, std::string& out) {
  if (const dytq::verdict v = validate_zero_points(x); !v) {
    append_rejection(out, v.error());
    return;
  }
  const std::array weight_zp{static_cast<std::int8_t>(x.weight_zp)};
  conv.weight_zp = weight_zp;
  conv.input_zp = static_cast<std::int32_t>(x.input_zp);
  conv.bias = x.bias;
  if (x.bias.empty()) {  // to the library that is an absent one
    append_rejection(out, {.why = dytq::reason::bias_count, .at = dytq::place::bias, .expected = 1, .got = 0});
    return;
  }
  for (std::size_t a = 0; a < 2; ++a) {
    conv.axes[a + 1] = {.input = x.input_shape[a + 1],
                        .stride = x.stride[a],
                        .dilation = x.dilation[a],
                        .before = x.padding[2 * a],
                        .after = x.padding[2 * a + 1]};
  }
  const auto geometry = dytq::validate(conv);
  if (!geometry) {
    append_rejection(out, geometry.error());
    return;
  }
  const std::array<std::int64_t, 4> shape{x.input_shape[0], geometry->axes[1].outputs(), geometry->axes[2].outputs(),
                                          conv.output_channels()};
  std::int64_t elements = 1;
  for (std::size_t r = 0; r < 4; ++r) {
    if (x.output_shape[r] != shape[r]) {
      append_rejection(out, {.why = dytq::reason::shape_mismatch,
                             .at = dytq::place::output,
                             .expected = shape[r],
                             .got = x.output_shape[r]});
      return;
    }
    elements *= shape[r];  // read_shape has seen that the product fits
  }
  if (elements > output_limit || elements > work_limit / (conv.taps() * conv.group_inputs())) {
    in["output_shape"].fail("more than this program computes for one line");
  }
  std::vector<std::int32_t> output(static_cast<std::size_t>(elements));
  const std::array<std::int64_t, 4> input_extents{x.input_shape[0], x.input_shape[1], x.input_shape[2],
                                                  x.input_shape[3]};
  const dytq::verdict done =
      dytq::evaluate(conv, dytq::from_nhwc(dytq::view<const std::int8_t, 4>(x.input.data(), input_extents)),
                     dytq::from_nhwc(dytq::view<std::int32_t, 4>(output.data(), shape)));
  if (done) {
    append_out(out, output);
  } else {
    append_rejection(out, done.error());
  }
}

}  // namespace

void table(const value& in, std::string& out) {
  const std::string_view type = in["in_t"].string();
  if (type == "i8") {
    look_up<std::int8_t, std::int8_t>(in, out);
  } else if (type == "i16") {
    look_up<std::int16_t, std::int32_t>(in, out);
  } else {
    append_rejection(out, {.why = dytq::reason::unknown_type, .at = dytq::place::input});
  }
}

void conv2d(const value& in, std::string& out) {
  operands x(in);
  x.padding = in["pad"].list<std::int64_t>(4);
  x.dilation = in["dilation"].list<std::int64_t>(2);
  dytq::convolution conv;
  conv.weight = dytq::from_ohwi(dytq::view<const std::int8_t, 4>(x.weight.data(), x.weight_extents()));
  convolve(in, x, conv, out);
}

void depthwise_conv2d(const value& in, std::string& out) {
  operands x(in);
  x.padding = in["pad"].list<std::int64_t>(4);
  x.dilation = in["dilation"].list<std::int64_t>(2);
  dytq::convolution conv;
  conv.weight = *dytq::from_hwim(dytq::view<const std::int8_t, 4>(x.weight.data(), x.weight_extents()));
  conv.groups = x.weight_shape[2];
  convolve(in, x, conv, out);
}

void transpose_conv2d(const value& in, std::string& out) {
  operands x(in);
  x.padding = in["out_pad"].list<std::int64_t>(4);
  dytq::convolution conv;
  conv.weight = dytq::from_ohwi(dytq::view<const std::int8_t, 4>(x.weight.data(), x.weight_extents()));
  conv.kind = dytq::conv_kind::transposed;
  convolve(in, x, conv, out);
}

}  // namespace replay
