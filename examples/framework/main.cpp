// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three graphs, run before and after every chain in them was planned: the same numbers from fewer operators.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "graph.hpp"

namespace {

using framework::graph;
using framework::kind;
using framework::node;

constexpr int channels = 3;

int add(graph& g, node n) {
  n.input = static_cast<int>(g.nodes.size()) - 1;
  g.nodes.push_back(n);
  return n.input + 1;
}
node rescale(int shift, int output_zp, bool to_int8, int input_zp = 0) {
  return {.op = kind::rescale,
          .multiplier = {1 << 30},
          .shift = {shift},
          .input_zp = input_zp,
          .output_zp = output_zp,
          .to_int8 = to_int8};
}
std::vector<std::int8_t> softsign() {
  std::vector<std::int8_t> table;
  for (int x = -128; x < 128; ++x)
    table.push_back(static_cast<std::int8_t>(127 * x / (30 + (x < 0 ? -x : x))));
  return table;
}

// A Dynamic Tanh layer with alpha, gamma and beta before a convolution. `seen`: the TABLE's result is an output too.
graph layer(std::vector<std::int32_t> gamma, int gamma_shift, bool seen) {
  graph g{{node{}}, {}};
  add(g, rescale(30, 0, false));
  add(g, {.op = kind::mul, .constant = {90}});
  add(g, rescale(36, 2, true));
  const int table = add(g, {.op = kind::table, .weight = softsign()});
  add(g, rescale(30, 0, false, -1));
  add(g, {.op = kind::mul, .constant = gamma});
  add(g, rescale(gamma_shift, 0, true));
  add(g, rescale(20, 0, false));
  add(g, {.op = kind::add, .constant = {5 << 10, -7 << 10, 11 << 10}});
  add(g, rescale(40, 3, true));
  const int conv = add(g, {.op = kind::conv, .constant = {100, -200}, .weight = {3, -5, 7, 2, 9, -4}, .input_zp = 3});
  g.outputs = {conv};
  if (seen)
    g.outputs.push_back(table);
  return g;
}

bool show(const char* name, graph g) {
  std::vector<std::int64_t> input;
  for (int x = -128; x < 128; ++x) {
    for (int c = 0; c < channels; ++c)
      input.push_back((x * (2 * c + 1) + 640) % 256 - 128);
  }
  std::vector<std::vector<std::int64_t>> before;
  std::string from;
  for (const int id : g.outputs) {
    before.push_back(framework::run(g, id, input, channels));
    from += " " + std::to_string(framework::operators(g, id));
  }
  const int cheaper = framework::optimize(g, channels);
  bool same = true;
  std::string to;
  for (std::size_t i = 0; i < g.outputs.size(); ++i) {
    same = same && framework::run(g, g.outputs[i], input, channels) == before[i];
    to += " " + std::to_string(framework::operators(g, g.outputs[i]));
  }
  std::printf("%-28s operators%s ->%s, %d chain, %s\n", name, from.c_str(), to.c_str(), cheaper,
              same ? "every number the same" : "DIFFERENT");
  return same && cheaper == 1;
}

}  // namespace

int main() {
  const bool ok = show("gamma of any kind", layer({70, -90, 50}, 37, false)) &
                  show("gamma of 1, 2 and -1", layer({1, 2, -1}, 30, false)) &
                  show("the TABLE is an output too", layer({70, -90, 50}, 37, true));
  return ok ? 0 : 1;
}
