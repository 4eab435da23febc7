// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All that a framework has to write: its nodes as steps, the chains in its graph, and new steps as nodes.
#include <dytq/plan.hpp>
#include <map>
#include <vector>

#include "graph.hpp"

namespace framework {
namespace {

using dytq::operation;
using dytq::view;

// ---- convert ----

// One number for all channels is a list with a stride of 0.
view<const std::int32_t> list(const std::vector<std::int32_t>& v, int channels) {
  return {v.data(), {v.empty() ? 0 : channels}, {v.size() == 1 ? 0 : 1}};
}
dytq::chain_step step_of(const node& n, int channels) {
  switch (n.op) {
    case kind::rescale:
      return {.scale = {.input_zp = n.input_zp,
                        .output_zp = n.output_zp,
                        .out = n.to_int8 ? dytq::int8_range : dytq::int32_range},
              .multiplier = list(n.multiplier, channels),
              .shift = list(n.shift, channels)};
    case kind::mul: return {.op = operation::mul, .constants = list(n.constant, channels)};
    case kind::add: return {.op = operation::add, .constants = list(n.constant, channels)};
    case kind::table: return {.op = operation::table, .table = n.weight};
    case kind::clamp: return {.op = operation::clamp, .range = {n.lo, n.hi}};
    default: break;
  }
  const auto bias = list(n.constant, channels);
  return {.op = operation::depthwise, .constants = bias, .codes = n.weight, .input_zp = n.input_zp};
}

template <class T>
std::vector<T> copied(const view<const T>& v, T one = {}) {
  return v.absent() || v.strides[0] == 0 ? std::vector<T>{v.absent() ? one : v(0)}
                                         : std::vector<T>(v.data, v.data + v.extent(0));
}
node node_of(const dytq::chain_step& s, int input) {
  switch (s.op) {
    case operation::rescale:
      return {.op = kind::rescale,
              .input = input,
              .multiplier = copied(s.multiplier, s.scale.multiplier),
              .shift = copied(s.shift, s.scale.shift),
              .input_zp = s.scale.input_zp,
              .output_zp = s.scale.output_zp,
              .to_int8 = s.scale.out == dytq::int8_range};
    case operation::mul: return {.op = kind::mul, .input = input, .constant = copied(s.constants)};
    case operation::add: return {.op = kind::add, .input = input, .constant = copied(s.constants)};
    case operation::table: return {.op = kind::table, .input = input, .weight = copied(s.table)};
    case operation::clamp:
      return {
          .op = kind::clamp, .input = input, .lo = static_cast<int>(s.range.lo), .hi = static_cast<int>(s.range.hi)};
    default: break;
  }
  return {.op = kind::depthwise,
          .input = input,
          .constant = copied(s.constants),
          .weight = copied(s.codes),
          .input_zp = s.input_zp};
}

// ---- apply ----

template <class T>
std::vector<T> memory(std::int64_t count) {
  return std::vector<T>(static_cast<std::size_t>(count));
}
bool replace(graph& g, const std::vector<int>& ids, const std::vector<int>& convs, dytq::cut_set observed,
             int channels) {
  std::vector<dytq::chain_step> steps;
  std::vector<dytq::chain_reader> readers;
  std::vector<dytq::fold_outputs> outputs;
  std::vector<node> folded;
  for (const int id : ids)
    steps.push_back(step_of(g[id], channels));
  for (const int id : convs)
    folded.push_back(g[id]);
  for (std::size_t r = 0; r < convs.size(); ++r) {
    const node& old = g[convs[r]];
    const std::array<std::int64_t, 2> shape{static_cast<std::int64_t>(old.weight.size()) / channels, channels};
    const view<const std::int8_t, 2> weight(old.weight.data(), shape);
    readers.push_back({{.weight = dytq::from_oi(weight), .bias = old.constant, .input_zp = old.input_zp}});
    folded[r].constant.resize(static_cast<std::size_t>(shape[0]));
    outputs.push_back({dytq::from_oi(view<std::int8_t, 2>(folded[r].weight.data(), shape)), folded[r].constant});
  }
  const dytq::chain chain{.steps = view<const dytq::chain_step>(steps), .channels = channels};
  const dytq::chain_uses uses{.readers = view<const dytq::chain_reader>(readers), .observed = observed};
  const dytq::plan_sizes sizes = dytq::plan_workspace_sizes(chain).value_or({});
  auto codes = memory<std::int8_t>(sizes.codes);
  auto numbers = memory<std::int32_t>(sizes.numbers);
  auto lines = memory<std::int16_t>(sizes.lines);
  const dytq::plan_workspace workspace{codes, numbers, lines};
  const auto plan = dytq::plan(chain, workspace, dytq::targets::tosa, uses);
  if (!plan || plan->cost >= plan->cost_before)
    return false;
  auto made = memory<dytq::chain_step>(plan->operators);
  auto new_numbers = memory<std::int32_t>(plan->numbers);
  auto new_codes = memory<std::int8_t>(plan->codes);
  std::vector<dytq::affine_fold> folds(convs.size());
  const dytq::plan_outputs to{made, new_numbers, new_codes, view<const dytq::fold_outputs>(outputs), folds};
  if (!dytq::apply(chain, *plan, to, workspace, dytq::targets::tosa, uses))
    return false;
  std::map<int, int> at{{0, g[ids[0]].input}};  // the node of each cut
  for (int i = 0; i < plan->count; ++i) {
    const dytq::plan_stretch& s = plan->stretch(i);
    at[s.to] = at[s.from];
    for (int k = s.first; k < s.first + s.steps; ++k) {
      g.nodes.push_back(node_of(made[static_cast<std::size_t>(k)], at[s.to]));
      at[s.to] = g.size() - 1;
    }
  }
  for (const int& id : ids) {  // others read what they read, from the new nodes
    const int cut = static_cast<int>(&id - ids.data()) + 1;
    for (node& n : g.nodes)
      n.input = observed.contains(cut) && n.op == kind::conv && n.input == id ? at[cut] : n.input;
    for (int& out : g.outputs)
      out = out == id ? at[cut] : out;
  }
  for (std::size_t r = 0; r < convs.size(); ++r) {
    if (plan->folds()) {
      folded[r].input_zp = folds[r].input_zp;
      g[convs[r]] = folded[r];
    }
    g[convs[r]].input = at[plan->reads];
  }
  return true;
}

}  // namespace

// ---- match ----

int optimize(graph& g, int channels) {
  const auto elementwise = [&](int id) { return g[id].op != kind::input && g[id].op != kind::conv; };
  int cheaper = 0;
  for (int last = 0, count = g.size(); last < count; ++last) {
    std::map<int, int> cut;  // of each node of the chain that ends here
    std::vector<int> ids;
    for (int id = last; elementwise(id); id = g[id].input)
      ids.insert(ids.begin(), id);
    for (const int id : ids)
      cut.insert({id, static_cast<int>(cut.size()) + 1});
    std::vector<int> convs;  // who reads what of it
    dytq::cut_set observed;
    bool ends = !ids.empty();
    for (int id = 0; id < count; ++id) {
      ends = ends && (g[id].input != last || !elementwise(id));
      if (g[id].op == kind::conv && g[id].input == last)
        convs.push_back(id);
      if (g[id].op == kind::conv && g[id].input != last)
        observed.insert(cut[g[id].input]);
    }
    for (const int out : g.outputs)
      observed.insert(cut[out]);
    cheaper += ends && replace(g, ids, convs, observed, channels) ? 1 : 0;
  }
  return cheaper;
}

}  // namespace framework
