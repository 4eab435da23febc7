// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FOLD_AFFINE.
#include <dytq/folds/affine.hpp>
#include <vector>

#include "answer.hpp"
#include "graph.hpp"
#include "operations.hpp"

namespace replay {
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

}  // namespace replay
