// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graph.hpp"

#include <algorithm>
#include <array>

#include "answer.hpp"
#include "read.hpp"

namespace replay {
namespace {

std::optional<std::vector<std::int8_t>> read_codes(const value& codes) {
  if (codes.is_null()) {
    return std::nullopt;
  }
  return codes.list<std::int8_t>();
}

std::vector<std::int8_t> one_or_more(const value& v) {
  return v.is_array() ? v.list<std::int8_t>() : std::vector{v.as<std::int8_t>()};
}

}  // namespace

dytq::rescale read_step(const value& step) {
  dytq::rescale r{.multiplier = step["multiplier"].as<std::int32_t>(),
                  .shift = step["shift"].as<std::int32_t>(),
                  .input_zp = step["input_zp"].as<std::int32_t>(),
                  .output_zp = step["output_zp"].as<std::int32_t>()};
  const std::string_view type = step["out"].string();
  if (type != "i8" && type != "i32") {
    step["out"].fail("expected \"i8\" or \"i32\", got " + quoted(type));
  }
  r.out = type == "i8" ? dytq::int8_range : dytq::int32_range;
  if (const auto twice = step.find("double"); twice && twice->boolean()) {
    r.rounding = dytq::rounding_mode::double_round;
  }
  return r;
}

void append_constants(std::string& out, const std::vector<std::int8_t>& weight, const std::vector<std::int32_t>& bias,
                      std::int64_t input_zp) {
  append_member(out, "weight", weight);
  append_member(out, "bias", bias);
  append_member(out, "input_zp", input_zp);
}

dytq::code_range read_range(const value& range) {
  const std::vector<std::int64_t> ends = range.list<std::int64_t>(2);
  return {ends[0], ends[1]};
}

graph_site::graph_site(const value& in) : table_(in["table"].list<std::int8_t>()) {
  site_.table = table_;
  if (in.find("conv")) {
    site_.table_zp = in["table_zp"].as<std::int32_t>();
  }
  if (const auto maps = in.find("maps")) {
    const auto channels = static_cast<std::int64_t>(maps->size());
    maps->for_each([&](const value& map) {
      const std::vector<std::int8_t> entries = map.list<std::int8_t>(256);
      maps_.insert(maps_.end(), entries.begin(), entries.end());
    });
    mapped_ = {.op = dytq::operation::channel_tables,
               .tables = dytq::view<const std::int8_t, 2>(maps_.data(), {channels, 256}),
               .output_zp = in["output_zp"].as<std::int32_t>()};
    site_.chain = dytq::view<const dytq::chain_step>(&mapped_, {1});
    site_.chain_channels = channels;
    return;
  }
  gamma_ = read_codes(in["gamma"]);
  beta_ = read_codes(in["beta"]);
  const value steps = in["rescale"];
  if (gamma_) {
    site_.gamma = *gamma_;
    site_.steps.table = read_step(steps["table"]);
    site_.steps.gamma = read_step(steps["gamma"]);
    site_.steps.gamma_out = read_step(steps["gamma_out"]);
  }
  if (beta_) {
    site_.beta = *beta_;
    site_.steps.add_in = read_step(steps["add_in"]);
    site_.steps.beta = read_step(steps["beta"]);
    site_.steps.add_out = read_step(steps["add_out"]);
  }
}

dytq::verdict graph_site::validate() const {
  for (const auto& [codes, at] : {std::pair{&gamma_, dytq::place::gamma}, {&beta_, dytq::place::beta}}) {
    if (*codes && (*codes)->empty()) {
      return dytq::rejection{.why = dytq::reason::channel_count, .at = at, .expected = 1, .got = 0};
    }
  }
  return dytq::accepted{};
}

graph_conv::graph_conv(const value& conv)
    : weight_(conv["weight"].list<std::int8_t>()), weight_zp_(one_or_more(conv["weight_zp"])) {
  const auto kind = conv.find("kind");
  const std::string_view name = kind ? kind->string() : "conv2d";
  const bool linear = name == "linear";
  const bool transposed = name == "transpose_conv2d";
  if (!linear && !transposed && name != "conv2d") {
    kind->fail("expected \"conv2d\", \"transpose_conv2d\" or \"linear\", got " + quoted(name));
  }
  const std::vector<std::int64_t> shape = read_shape(conv["weight_shape"], linear ? 2 : 4);
  extents_ = {shape[0], linear ? 1 : shape[1], linear ? 1 : shape[2], shape.back()};
  if (const value bias = conv["bias"]; !bias.is_null()) {
    bias_ = bias.list<std::int32_t>();
    conv_.bias = *bias_;
  }
  conv_.weight = dytq::from_ohwi(dytq::view<const std::int8_t, 4>(weight_.data(), extents_));
  conv_.weight_zp = weight_zp_;
  conv_.weight_range = read_range(conv["weight_range"]);
  conv_.input_zp = conv["input_zp"].as<std::int32_t>();
  conv_.kind = transposed ? dytq::conv_kind::transposed : dytq::conv_kind::forward;
  if (name == "conv2d" || conv.find("groups")) {
    conv_.groups = conv["groups"].integer();
  }
  if (!linear) {
    read_axes(conv, transposed ? "out_pad" : "pad");
  }
  if (name == "conv2d") {
    const std::vector<std::int64_t> dilation = conv["dilation"].list<std::int64_t>(2);
    conv_.axes[1].dilation = dilation[0];
    conv_.axes[2].dilation = dilation[1];
  }
}

void graph_conv::read_axes(const value& conv, std::string_view padding) {
  const std::vector<std::int64_t> pad = conv[padding].list<std::int64_t>(4);
  const std::vector<std::int64_t> stride = conv["stride"].list<std::int64_t>(2);
  const std::vector<std::int64_t> input = conv["input_hw"].list<std::int64_t>(2);
  for (std::size_t a = 0; a < 2; ++a) {
    conv_.axes[a + 1] = {.input = input[a], .stride = stride[a], .before = pad[2 * a], .after = pad[2 * a + 1]};
  }
  has_geometry_ = true;
}

std::size_t graph_conv::input_channels() const {
  const bool sensible = conv_.groups >= 1 && conv_.groups <= extents_[0];
  return sensible ? static_cast<std::size_t>(conv_.groups * extents_[3]) : 0;
}

std::int64_t graph_conv::claimed_channels() const {
  constexpr std::int64_t most = std::int64_t{1} << 20;
  if (conv_.groups < 1) {
    return 0;
  }
  if (conv_.groups > most / extents_[3]) {
    throw bad_input("conv: more input channels than this program takes");
  }
  return conv_.groups * extents_[3];
}

dytq::verdict graph_conv::validate() const {
  using dytq::rejection;
  const std::int64_t elements = extents_[0] * extents_[1] * extents_[2] * extents_[3];
  if (const auto given = static_cast<std::int64_t>(weight_.size()); given != elements) {
    return rejection{.why = dytq::reason::channel_count, .at = dytq::place::weight, .expected = elements, .got = given};
  }
  if (weight_zp_.empty() || (bias_ && bias_->empty())) {  // to the library they are absent
    return rejection{.why = dytq::reason::channel_count,
                     .at = weight_zp_.empty() ? dytq::place::weight_zp : dytq::place::bias,
                     .expected = 1,
                     .got = 0};
  }
  for (std::size_t a = 1; a < 3 && has_geometry_; ++a) {
    if (conv_.axes[a].input < 1) {  // to the library 0 means any
      return rejection{
          .why = dytq::reason::shape_mismatch, .at = dytq::place::input, .expected = 1, .got = conv_.axes[a].input};
    }
  }
  // A fold adds up every tap for every class of positions; a long kernel has as many classes as taps.
  const auto geometry = dytq::validate(conv_);
  if (!geometry) {
    return dytq::accepted{};  // the fold itself refuses it, after what comes before it
  }
  constexpr std::int64_t work_limit = std::int64_t{1} << 33;
  std::int64_t work = elements;
  for (const dytq::axis_geometry& axis : geometry->axes) {
    const std::int64_t classes = std::min(axis.outputs(), 4 * axis.kernel() + 4);
    if (work > work_limit / classes) {
      throw bad_input("conv: more classes of output positions than this program walks through for one line");
    }
    work *= classes;
  }
  return dytq::accepted{};
}

dytq::weight_view<std::int8_t> graph_conv::weight_view(std::vector<std::int8_t>& weight) const {
  return dytq::from_ohwi(dytq::view<std::int8_t, 4>(weight.data(), extents_));
}

}  // namespace replay
