// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FOLD_AFFINE, FOLD_BOUNDED.
#include <array>
#include <dytq/fold.hpp>
#include <dytq/fold_bounded.hpp>
#include <vector>

#include "answer.hpp"
#include "graph.hpp"
#include "operations.hpp"

namespace replay {
namespace {

using pair = std::array<std::int64_t, 2>;

pair number_and_shift(const dytq::code_bound& b) { return {b.numerator, b.shift}; }

}  // namespace

void fold_affine(const value& in, std::string& out) {
  const graph_conv conv(in["conv"]);
  const graph_site site(in);
  for (const dytq::verdict& v : {site.validate(), conv.validate()}) {
    if (!v) {
      append_rejection(out, v.error(), naming::by_reason);
      return;
    }
  }
  std::vector<std::int8_t> weight(conv.weights());
  std::vector<std::int32_t> bias(conv.output_channels());
  std::vector<std::int16_t> lines(4 * conv.input_channels());
  const auto folded = dytq::fold_affine_into_conv(
      site.site(), conv.conv(), {.weight = conv.weight_view(weight), .bias = bias, .workspace = lines});
  if (!folded) {
    append_rejection(out, folded.error(), naming::by_reason);
    return;
  }
  append_object(out, "out", [&] { append_constants(out, weight, bias, folded->input_zp); });
  append_member(out, "weights_changed", folded->weights_changed);
  append_member(out, "bias_changed", folded->bias_changed);
}

// {multiplier [O], shift [O]}: the RESCALE behind the convolution, before and after.
void fold_bounded(const value& in, std::string& out) {
  const graph_conv conv(in["conv"]);
  const graph_site site(in);
  const std::vector<std::int32_t> multiplier = in["requantize"]["multiplier"].list<std::int32_t>();
  const std::vector<std::int32_t> shift = in["requantize"]["shift"].list<std::int32_t>();
  const auto limit = in.find("tolerance");
  const std::int64_t tolerance = limit ? limit->as<std::int32_t>() : INT64_MAX;
  for (const dytq::verdict& v : {site.validate(), conv.validate()}) {
    if (!v) {
      append_rejection(out, v.error(), naming::by_reason);
      return;
    }
  }
  const std::size_t outputs = conv.output_channels();
  std::vector<std::int8_t> weight(conv.weights());
  std::vector<std::int32_t> bias(outputs);
  std::vector<std::int32_t> new_multiplier(outputs);
  std::vector<std::int32_t> new_shift(outputs);
  std::vector<dytq::channel_bound> bounds(outputs);
  std::vector<std::int64_t> workspace(static_cast<std::size_t>(dytq::bounded_workspace(conv.conv())));
  const auto folded =
      dytq::fold_bounded(site.site(), conv.conv(), {.multiplier = multiplier, .shift = shift}, tolerance,
                         {.weight = conv.weight_view(weight),
                          .bias = bias,
                          .multiplier = new_multiplier,
                          .shift = new_shift,
                          .bounds = bounds,
                          .workspace = workspace});
  if (!folded) {
    append_rejection(out, folded.error(), naming::by_reason);
    return;
  }
  std::vector<pair> bound;
  std::vector<pair> lower_bound;
  std::vector<pair> root_mean_square;
  for (const dytq::channel_bound& b : bounds) {
    bound.push_back(number_and_shift(b.bound));
    lower_bound.push_back(number_and_shift(b.lower_bound));
    root_mean_square.push_back(number_and_shift(b.root_mean_square));
  }
  append_object(out, "out", [&] {
    append_constants(out, weight, bias, folded->input_zp);
    append_member(out, "multiplier", new_multiplier);
    append_member(out, "shift", new_shift);
    append_member(out, "bound", bound);
    append_member(out, "lower_bound", lower_bound);
    append_member(out, "root_mean_square", root_mean_square);
  });
}

}  // namespace replay
