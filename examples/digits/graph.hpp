// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph that can be run and rewritten: convolutions, and between them chains of operators on single elements.
#ifndef DYTQ_DEMO_GRAPH_HPP
#define DYTQ_DEMO_GRAPH_HPP

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "network.hpp"

namespace demo {

/// A parameter of an operator: 1 entry for all channels, or one for each.
template <class T>
using per_channel = std::vector<T>;

template <class T>
const T& of_channel(const per_channel<T>& v, std::size_t channel) {
  return v[v.size() == 1 ? 0 : channel];
}

struct rescale_step {
  dytq::place at;  ///< also the name of the tensor that it makes
  per_channel<dytq::rescale> scale;
  friend bool operator==(const rescale_step&, const rescale_step&) = default;
};
struct mul_step {
  per_channel<std::int32_t> factor;
  friend bool operator==(const mul_step&, const mul_step&) = default;
};
struct add_step {
  per_channel<std::int32_t> term;
  friend bool operator==(const add_step&, const add_step&) = default;
};
struct table_step {
  per_channel<std::size_t> index;  ///< which of the tables
  std::vector<dytq::table8> tables;
  friend bool operator==(const table_step&, const table_step&) = default;
};
struct clamp_step {
  dytq::code_range range;
  friend bool operator==(const clamp_step&, const clamp_step&) = default;
};
/// DEPTHWISE_CONV2D with a 1x1 kernel; its bias may be absent.
struct depthwise_step {
  per_channel<std::int8_t> weight;
  std::int8_t weight_zp;
  std::int32_t input_zp;
  per_channel<std::int32_t> bias = {};
  friend bool operator==(const depthwise_step&, const depthwise_step&) = default;
};

/// An operator on one element of channel c.
using element_operator = std::variant<rescale_step, mul_step, table_step, add_step, clamp_step, depthwise_step>;

/// A Dynamic Tanh layer as operators.
struct site_node {
  const dyt_layer* layer = nullptr;
  std::vector<element_operator> chain;

  /// Where the TABLE is. Every form of a site has one.
  std::size_t table_position() const {
    std::size_t i = 0;
    while (!std::holds_alternative<table_step>(chain[i])) {
      ++i;
    }
    return i;
  }
  friend bool operator==(const site_node&, const site_node&) = default;
};

/// A convolution with constants of its own, so that a fold can replace them.
struct conv_node {
  const conv_layer* layer;
  std::vector<std::int8_t> weight;  ///< dense, in the order of the layer's extents
  std::vector<std::int32_t> bias;
  std::vector<std::int32_t> multiplier;  ///< of its accumulators, for all channels or for each
  std::vector<std::int32_t> shift;
  std::int32_t input_zp;

  explicit conv_node(const conv_layer& from);
  dytq::weight_view<std::int8_t> weight_view() { return {weight.data(), layer->conv.weight.extents}; }
  dytq::convolution conv() const;
  friend bool operator==(const conv_node&, const conv_node&) = default;
};

using node = std::variant<conv_node, site_node>;
using graph = std::vector<node>;

/// Integer operations that one element costs.
///
/// Counted as the operators define them: a RESCALE subtracts its input zero point, multiplies, adds the rounding term,
/// shifts, adds its output zero point, and clamps with a minimum and a maximum; a 1x1 depthwise convolution subtracts
/// its input zero point and multiplies; MUL, ADD and a lookup in a TABLE are one operation each. Zero points of 0 and
/// limits at the ends of int32 do nothing and are not counted. RESCALEs of constants (alpha, gamma, beta) happen once
/// per network, not per element.
int integer_operations(const element_operator& op);

/// What the Dynamic Tanh layers of a graph cost per image.
struct cost {
  std::int64_t elements = 0;
  std::int64_t operators = 0;   ///< summed over the elements
  std::int64_t operations = 0;  ///< summed over the elements
};

cost cost_of_sites(const graph& g);

}  // namespace demo

#endif
