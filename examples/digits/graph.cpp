// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graph.hpp"

namespace demo {

conv_node::conv_node(const conv_layer& from) : layer(&from), input_zp(from.conv.input_zp) {
  const auto& w = from.conv.weight;
  for (std::int64_t i = 0; i < from.multiplier.extent(0); ++i) {
    multiplier.push_back(from.multiplier(i));
    shift.push_back(from.shift(i));
  }
  for (std::int64_t o = 0; o < w.extents[0]; ++o) {
    bias.push_back(dytq::bias_value(from.conv, o));
    for (std::int64_t d = 0; d < w.extents[1]; ++d) {
      for (std::int64_t y = 0; y < w.extents[2]; ++y) {
        for (std::int64_t x = 0; x < w.extents[3]; ++x) {
          for (std::int64_t i = 0; i < w.extents[4]; ++i) {
            weight.push_back(w(o, d, y, x, i));
          }
        }
      }
    }
  }
}

dytq::convolution conv_node::conv() const {
  dytq::convolution c = layer->conv;
  c.weight = {weight.data(), c.weight.extents};
  c.bias = bias;
  c.input_zp = input_zp;
  return c;
}

int integer_operations(const element_operator& op) {
  const auto unless_zero = [](std::int64_t zero_point) { return zero_point != 0 ? 1 : 0; };
  if (const auto* d = std::get_if<depthwise_step>(&op)) {
    return unless_zero(d->input_zp) + 1 + (d->bias.empty() ? 0 : 1);
  }
  if (const auto* r = std::get_if<rescale_step>(&op)) {
    const dytq::rescale& s = r->scale.front();  // zero points and limits are the same in all channels
    const int multiply_round_shift = s.rounding == dytq::rounding_mode::double_round ? 4 : 3;  // or two rounding terms
    return unless_zero(s.input_zp) + multiply_round_shift + unless_zero(s.output_zp) +
           (s.out.lo > dytq::int32_range.lo ? 1 : 0) + (s.out.hi < dytq::int32_range.hi ? 1 : 0);
  }
  return std::holds_alternative<clamp_step>(op) ? 2 : 1;
}

cost cost_of_sites(const graph& g) {
  cost sum;
  for (const node& n : g) {
    if (const auto* site = std::get_if<site_node>(&n)) {
      const std::int64_t elements = size_of(site->layer->shape);
      sum.elements += elements;
      for (const element_operator& op : site->chain) {
        sum.operators += elements;
        sum.operations += elements * integer_operations(op);
      }
    }
  }
  return sum;
}

}  // namespace demo
