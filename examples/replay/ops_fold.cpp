// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FOLD_ALPHA, FOLD_AFFINE.
#include <dytq/fold_affine.hpp>
#include <dytq/fold_alpha.hpp>
#include <vector>

#include "answer.hpp"
#include "graph.hpp"
#include "operations.hpp"

namespace replay {
namespace {

dytq::alpha_site read_alpha_site(const value& in) {
  const value steps = in["rescale"];
  dytq::alpha_site site{.alpha = in["alpha"].as<std::int32_t>(),
                        .steps = {.activation = read_step(steps["activation"]),
                                  .alpha = read_step(steps["alpha"]),
                                  .mul_out = read_step(steps["mul_out"])}};
  if (const auto domain = in.find("domain")) {
    site.domain = read_range(*domain);
  }
  return site;
}

}  // namespace

void fold_alpha(const value& in, std::string& out) {
  dytq::alpha_site site = read_alpha_site(in);
  const auto given = in.find("table");
  if (!given) {
    in.fail(in.find("function") ? "'function' is not supported yet, give the 256 codes as 'table'"
                                : "key 'table' or 'function' is missing");
  }
  if (const auto function_in = in.find("function_in")) {
    if (const auto qmin = function_in->find("qmin")) {
      site.function_in.lo = qmin->integer();
    }
    if (const auto qmax = function_in->find("qmax")) {
      site.function_in.hi = qmax->integer();
    }
  }
  const std::vector<std::int8_t> table = given->list<std::int8_t>();
  const auto folded = dytq::fold_alpha_into_lut(site, table);
  if (!folded) {
    append_rejection(out, folded.error(), naming::by_reason);
    return;
  }
  append_out(out, folded->table);
  append_member(out, "changed", folded->changed);
  append_member(out, "wrapped", folded->wrapped);
}

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
  std::vector<dytq::channel_line> lines(conv.input_channels());
  const auto folded = dytq::fold_affine_into_conv(site.site(), conv.conv(),
                                                  {.weight = conv.weight_view(weight), .bias = bias, .lines = lines});
  if (!folded) {
    append_rejection(out, folded.error(), naming::by_reason);
    return;
  }
  append_object(out, "out", [&] { append_constants(out, weight, bias, folded->input_zp); });
  append_member(out, "weights_changed", folded->weights_changed);
  append_member(out, "bias_changed", folded->bias_changed);
}

}  // namespace replay
