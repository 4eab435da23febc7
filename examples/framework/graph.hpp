// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small graph framework of its own, as a stranger to the library would have one: nodes, and a way to run them.
#ifndef DYTQ_EXAMPLES_FRAMEWORK_GRAPH_HPP
#define DYTQ_EXAMPLES_FRAMEWORK_GRAPH_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace framework {

enum class kind { input, rescale, mul, add, table, clamp, depthwise, conv };

/// One operator on a tensor [N, C]. Lists have one entry, or one for each channel. A graph only grows: what nobody
/// reads any more is dead.
struct node {
  kind op = kind::input;
  int input = -1;                             ///< the node that it reads
  std::vector<std::int32_t> multiplier = {};  ///< rescale
  std::vector<std::int32_t> shift = {};       ///< rescale
  std::vector<std::int32_t> constant = {};    ///< mul, add; bias of depthwise and conv
  std::vector<std::int8_t> weight = {};       ///< depthwise [C]; conv [O, C]; table [256], or [C, 256]
  int input_zp = 0;                           ///< rescale, depthwise, conv
  int output_zp = 0;                          ///< rescale
  bool to_int8 = false;                       ///< rescale
  int lo = -128;                              ///< clamp
  int hi = 127;                               ///< clamp
};

struct graph {
  std::vector<node> nodes;
  std::vector<int> outputs = {};

  int size() const { return static_cast<int>(nodes.size()); }
  node& operator[](int id) { return nodes[static_cast<std::size_t>(id)]; }
  const node& operator[](int id) const { return nodes[static_cast<std::size_t>(id)]; }
};

/// The values of a node for an input [N, C] of int8 codes.
std::vector<std::int64_t> run(const graph& g, int id, const std::vector<std::int64_t>& input, int channels);

/// Operators that a node's value takes.
int operators(const graph& g, int id);

/// Plans every chain of elementwise operators in the graph, and puts the plan in its place. -> chains that got cheaper.
int optimize(graph& g, int channels);

}  // namespace framework

#endif
