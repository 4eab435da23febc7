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
  explicit site_chain(const site_node& site) : channels_(site.layer->shape[2]), table_zp_(site.layer->affine.table_zp) {
    for (const element_operator& op : site.chain) {
      steps_.push_back(std::visit([&](const auto& step) { return of(step); }, op));
      steps_.back().at = place_of(op);
    }
  }
  dytq::chain get() const { return {.steps = view<const chain_step>(steps_), .channels = channels_}; }
  /// What follows the TABLE, for the codes that it emits.
  dytq::chain behind_table() const {
    dytq::chain c = get();
    std::int64_t at = 0;
    while (steps_[static_cast<std::size_t>(at)].op != operation::table)
      ++at;
    const chain_step& table = steps_[static_cast<std::size_t>(at)];
    c.steps = view<const chain_step>(steps_.data() + at + 1, {c.steps.extent(0) - at - 1});
    c.domain = {};
    for (std::int64_t i = 0; i < 256; ++i)
      c.domain.insert(table.table(i));
    c.zero_point = table.output_zp;
    return c;
  }

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
  chain_step of(const table_step& s) const {
    return {.op = operation::table, .table = s.tables[0], .output_zp = table_zp_};
  }
  chain_step of(const depthwise_step& s) const {
    return {.op = operation::depthwise, .constants = list(s.bias), .codes = s.weight, .input_zp = s.input_zp};
  }
  view<const std::int32_t> list(const std::vector<std::int32_t>& v) const {
    return v.size() > 1 || channels_ == 1 ? view<const std::int32_t>(v) : view<const std::int32_t>();
  }

  std::int64_t channels_;
  std::int32_t table_zp_;
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

// A chain, who reads it, and memory to plan it in.
class planning {
 public:
  explicit planning(const dytq::chain& chain, const conv_node* next, std::int64_t tolerance)
      : chain_(chain), sizes_(dytq::plan_workspace_sizes(chain)), uses_{.tolerance = tolerance} {
    if (sizes_) {
      codes_.resize(static_cast<std::size_t>(sizes_->codes));
      numbers_.resize(static_cast<std::size_t>(sizes_->numbers));
      lines_.resize(static_cast<std::size_t>(sizes_->lines));
    }
    if (next != nullptr) {
      readers_.push_back({.conv = next->conv()});
    }
    uses_.readers = view<const dytq::chain_reader>(readers_);
  }
  dytq::result<dytq::chain_plan> plan(const dytq::target& target) {
    return sizes_ ? dytq::plan(chain_, workspace(), target, uses_) : dytq::result<dytq::chain_plan>(sizes_.error());
  }
  dytq::result<dytq::chain> apply(const dytq::chain_plan& p, const dytq::plan_outputs& out,
                                  const dytq::target& target) {
    return dytq::apply(chain_, p, out, workspace(), target, uses_);
  }

 private:
  dytq::plan_workspace workspace() { return {.codes = codes_, .numbers = numbers_, .lines = lines_}; }

  dytq::chain chain_;
  dytq::result<dytq::plan_sizes> sizes_;
  std::vector<std::int8_t> codes_;
  std::vector<std::int32_t> numbers_;
  std::vector<std::int16_t> lines_;
  std::vector<dytq::chain_reader> readers_;
  dytq::chain_uses uses_;
};

dytq::verdict verdict_of(const dytq::result<dytq::chain_plan>& plan) {
  return plan ? dytq::verdict(dytq::accepted{}) : dytq::verdict(plan.error());
}

}  // namespace

dytq::result<dytq::chain_plan> offers_behind_table(const graph& g, std::size_t position) {
  const auto& site = std::get<site_node>(g[position]);
  const site_chain from(site);
  const auto* next = position + 1 < g.size() ? std::get_if<conv_node>(&g[position + 1]) : nullptr;
  dytq::target everything = dytq::targets::cmsis_nn;
  everything.max_slices = site.layer->shape[2];
  everything.depthwise_rescale = 2;
  return planning(from.behind_table(), next, 0).plan(everything);
}

dytq::result<dytq::chain_plan> plan_chain(graph& g, std::size_t position, const dytq::target& target,
                                          std::int64_t tolerance) {
  site_node& site = std::get<site_node>(g[position]);
  conv_node* next = position + 1 < g.size() ? std::get_if<conv_node>(&g[position + 1]) : nullptr;
  const std::int64_t channels = site.layer->shape[2];
  const site_chain from(site);
  planning of(from.get(), next, tolerance);
  const auto plan = of.plan(target);
  if (!plan) {
    return plan;
  }
  std::vector<dytq::fold_outputs> outputs;
  std::vector<dytq::affine_fold> folds(next == nullptr ? 0 : 1);
  if (next != nullptr) {
    outputs.push_back({.weight = next->weight_view(), .bias = next->bias});
  }
  std::vector<chain_step> steps(static_cast<std::size_t>(plan->operators));
  std::vector<std::int32_t> new_numbers(static_cast<std::size_t>(plan->numbers));
  std::vector<std::int8_t> new_codes(static_cast<std::size_t>(plan->codes));
  const auto edited = of.apply(*plan,
                               {.steps = steps,
                                .numbers = new_numbers,
                                .codes = new_codes,
                                .readers = view<const dytq::fold_outputs>(outputs),
                                .folds = folds},
                               target);
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
  return verdict_of(plan_chain(g, position, dytq::targets::tosa));
}

dytq::verdict plan_for_cmsis_nn(graph& g, std::size_t position) {
  return verdict_of(plan_chain(g, position, dytq::targets::cmsis_nn));
}

}  // namespace demo
