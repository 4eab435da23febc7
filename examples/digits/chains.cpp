// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chains.hpp"

#include <cstdint>
#include <variant>
#include <vector>

namespace demo {
namespace {

using dytq::chain_step;
using dytq::operation;
using dytq::view;

// The operators of a site, as steps that refer to their constants.
class site_chain {
 public:
  site_chain(const site_node& site, std::int64_t channels) : channels_(channels) {
    for (const element_operator& op : site.chain) {
      steps_.push_back(std::visit([&](const auto& step) { return of(step); }, op));
      steps_.back().at = place_of(op);
    }
  }
  dytq::chain get() const { return {.steps = view<const chain_step>(steps_), .channels = channels_}; }

 private:
  static dytq::place place_of(const element_operator& op) {
    const auto* step = std::get_if<rescale_step>(&op);
    return step != nullptr ? step->at : dytq::place::none;
  }
  static chain_step of(const rescale_step& s) {
    return {.scale = s.scale[0]};
  }  // of all channels, in a trained network
  static chain_step of(const clamp_step& s) { return {.op = operation::clamp, .range = s.range}; }
  chain_step of(const mul_step& s) const {
    return {.op = operation::mul, .constant = s.factor[0], .constants = list(s.factor)};
  }
  chain_step of(const add_step& s) const {
    return {.op = operation::add, .constant = s.term[0], .constants = list(s.term)};
  }
  static chain_step of(const table_step& s) { return {.op = operation::table, .table = s.tables[0]}; }
  chain_step of(const depthwise_step& s) const {
    return {.op = operation::depthwise, .constants = list(s.bias), .codes = s.weight, .input_zp = s.input_zp};
  }
  view<const std::int32_t> list(const std::vector<std::int32_t>& v) const {
    return v.size() > 1 || channels_ == 1 ? view<const std::int32_t>(v) : view<const std::int32_t>();
  }

  std::int64_t channels_;
  std::vector<chain_step> steps_;
};

template <class T>
std::vector<T> copied(const view<const T>& v) {
  return {v.data, v.data + v.extent(0)};
}

// A step of the new chain as an operator of the graph, with constants of its own.
element_operator operator_of(const chain_step& s, std::int64_t channels) {
  switch (s.op) {
    case operation::mul: return mul_step{s.constants.absent() ? std::vector{s.constant} : copied(s.constants)};
    case operation::add: return add_step{s.constants.absent() ? std::vector{s.constant} : copied(s.constants)};
    case operation::clamp: return clamp_step{s.range};
    case operation::depthwise: return depthwise_step{copied(s.codes), 0, s.input_zp, copied(s.constants)};
    case operation::table:
    case operation::channel_tables: {
      const bool one = s.op == operation::table;
      table_step table{.index = {0},
                       .tables = std::vector<dytq::table8>(one ? 1 : static_cast<std::size_t>(s.tables.extent(0)))};
      for (std::size_t k = 0; k < table.tables.size(); ++k) {
        for (std::size_t i = 0; i < 256; ++i)
          table.tables[k][i] = one ? s.table(i) : s.tables(k, i);
      }
      if (!one) {
        table.index.assign(s.constants.data, s.constants.data + channels);
      }
      return table;
    }
    default: {
      rescale_step step{s.at, {}};
      for (std::int64_t c = 0; c < (s.multiplier.absent() ? 1 : channels); ++c) {
        step.scale.push_back(s.scale);
        if (!s.multiplier.absent()) {
          step.scale.back().multiplier = s.multiplier(c);
          step.scale.back().shift = s.shift(c);
        }
      }
      return step;
    }
  }
}

}  // namespace

dytq::result<dytq::chain_plan> plan_chain(graph& g, std::size_t position, const dytq::target& target) {
  site_node& site = std::get<site_node>(g[position]);
  conv_node* next = position + 1 < g.size() ? std::get_if<conv_node>(&g[position + 1]) : nullptr;
  const std::int64_t channels = site.layer->shape[2];
  const site_chain from(site, channels);
  const dytq::chain chain = from.get();
  const auto sizes = dytq::plan_workspace_sizes(chain);
  if (!sizes) {
    return sizes.error();
  }
  std::vector<std::int8_t> codes(static_cast<std::size_t>(sizes->codes));
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(sizes->numbers));
  std::vector<std::int16_t> lines(static_cast<std::size_t>(sizes->lines));
  const dytq::plan_workspace workspace{.codes = codes, .numbers = numbers, .lines = lines};
  std::vector<dytq::chain_reader> readers;
  std::vector<dytq::fold_outputs> outputs;
  std::vector<dytq::affine_fold> folds(next == nullptr ? 0 : 1);
  if (next != nullptr) {
    readers.push_back({.conv = next->conv()});
    outputs.push_back({.weight = next->weight_view(), .bias = next->bias});
  }
  const dytq::chain_uses uses{.readers = view<const dytq::chain_reader>(readers)};
  const auto plan = dytq::plan(chain, workspace, target, uses);
  if (!plan) {
    return plan;
  }
  std::vector<chain_step> steps(static_cast<std::size_t>(plan->operators));
  std::vector<std::int32_t> new_numbers(static_cast<std::size_t>(plan->numbers));
  std::vector<std::int8_t> new_codes(static_cast<std::size_t>(plan->codes));
  const auto edited = dytq::apply(chain, *plan,
                                  {.steps = steps,
                                   .numbers = new_numbers,
                                   .codes = new_codes,
                                   .readers = view<const dytq::fold_outputs>(outputs),
                                   .folds = folds},
                                  workspace, target, uses);
  if (!edited) {
    return edited.error();
  }
  std::vector<element_operator> operators;
  for (const chain_step& step : steps) {
    operators.push_back(operator_of(step, channels));
  }
  site.chain = operators;
  if (plan->folds()) {
    next->input_zp = folds[0].input_zp;
  }
  return plan;
}

dytq::verdict plan_for_tosa(graph& g, std::size_t position) {
  const auto plan = plan_chain(g, position, dytq::targets::tosa);
  return plan ? dytq::verdict(dytq::accepted{}) : dytq::verdict(plan.error());
}

dytq::verdict plan_for_cmsis_nn(graph& g, std::size_t position) {
  const auto plan = plan_chain(g, position, dytq::targets::cmsis_nn);
  return plan ? dytq::verdict(dytq::accepted{}) : dytq::verdict(plan.error());
}

}  // namespace demo
