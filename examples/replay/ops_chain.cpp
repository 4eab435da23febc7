// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PLAN_CHAIN.
#include <cstdint>
#include <deque>
#include <dytq/plan.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "answer.hpp"
#include "graph.hpp"
#include "operations.hpp"
#include "read.hpp"

namespace replay {
namespace {

// The steps of a line, and the memory of their constants.
class graph_chain {
 public:
  explicit graph_chain(const value& in) : channels_(in["channels"].integer()) {
    in["steps"].for_each([&](const value& step) { steps_.push_back(read(step)); });
    if (const auto domain = in.find("domain")) {
      domain_ = {};
      for (const std::int8_t code : domain->list<std::int8_t>())
        domain_.insert(code);
    }
  }
  dytq::chain get() const {
    return {.steps = dytq::view<const dytq::chain_step>(steps_), .channels = channels_, .domain = domain_};
  }

 private:
  // A number, or a list with one for each channel.
  template <class T>
  void constants(const value& v, T& one, dytq::view<const std::int32_t>& list) {
    if (!v.is_array()) {
      one = v.as<std::int32_t>();
      return;
    }
    list = numbers_.emplace_back(v.list<std::int32_t>());
    if (list.empty()) {  // an absent one to the library
      v.fail("expected at least one entry");
    }
  }
  dytq::chain_step read(const value& v) {
    dytq::chain_step step;
    const std::string_view op = v["op"].string();
    for (int i = 0; i < static_cast<int>(dytq::operation::count_); ++i) {
      if (op == dytq::name(static_cast<dytq::operation>(i))) {
        step.op = static_cast<dytq::operation>(i);
        return read(v, step);
      }
    }
    v["op"].fail("no operator of a chain: " + quoted(op));
  }
  dytq::chain_step read(const value& v, dytq::chain_step step) {
    using enum dytq::operation;
    switch (step.op) {
      case rescale: {
        const std::string_view out = v["out"].string();
        if (out != "i8" && out != "i32") {
          v["out"].fail("expected \"i8\" or \"i32\", got " + quoted(out));
        }
        step.scale.out = out == "i8" ? dytq::int8_range : dytq::int32_range;
        constants(v["multiplier"], step.scale.multiplier, step.multiplier);
        constants(v["shift"], step.scale.shift, step.shift);
        step.scale.input_zp = v["input_zp"].as<std::int32_t>();
        step.scale.output_zp = v["output_zp"].as<std::int32_t>();
        if (const auto twice = v.find("double"); twice && twice->boolean()) {
          step.scale.rounding = dytq::rounding_mode::double_round;
        }
        break;
      }
      case mul:
      case add:
      case sub:
      case maximum:
      case minimum: constants(v["constant"], step.constant, step.constants); break;
      case arithmetic_right_shift:
        constants(v["constant"], step.constant, step.constants);
        step.round = v["round"].boolean();
        break;
      case table: step.table = codes_.emplace_back(v["table"].list<std::int8_t>(256)); break;
      case clamp: step.range = {v["min"].integer(), v["max"].integer()}; break;
      case negate:
        step.input_zp = v["input_zp"].as<std::int32_t>();
        step.output_zp = v["output_zp"].as<std::int32_t>();
        break;
      case depthwise:
        step.codes = codes_.emplace_back(v["weight"].list<std::int8_t>());
        step.constants = numbers_.emplace_back(v["bias"].list<std::int32_t>());
        step.input_zp = v["input_zp"].as<std::int32_t>();
        break;
      case channel_tables: {
        step.constants = numbers_.emplace_back(v["index"].list<std::int32_t>());
        std::vector<std::int8_t>& tables = codes_.emplace_back();
        v["tables"].for_each([&](const value& table) {
          const std::vector<std::int8_t> entries = table.list<std::int8_t>(256);
          tables.insert(tables.end(), entries.begin(), entries.end());
        });
        step.tables = {tables.data(), {static_cast<std::int64_t>(tables.size() / 256), 256}};
        break;
      }
      case abs:
      case count_: break;
    }
    return step;
  }

  std::vector<dytq::chain_step> steps_;
  std::deque<std::vector<std::int32_t>> numbers_;
  std::deque<std::vector<std::int8_t>> codes_;
  std::int64_t channels_;
  dytq::code_set domain_ = dytq::code_set::all();
};

template <class T>
std::vector<T> list_of(const dytq::view<const T>& v) {
  std::vector<T> list;
  for (std::int64_t i = 0; i < v.extent(0); ++i)
    list.push_back(v(i));
  return list;
}
void append_word(std::string& out, std::string_view name, std::string_view word) {
  out += out.back() == '{' ? "\"" : ",\"";
  out += name;
  out += "\":";
  append_string(out, word);
}
void append_constants(std::string& out, std::string_view name, std::int32_t one,
                      const dytq::view<const std::int32_t>& list) {
  if (list.absent()) {
    append_member(out, name, one);
  } else {
    append_member(out, name, list_of(list));
  }
}

void append_step(std::string& out, const dytq::chain_step& step) {
  using enum dytq::operation;
  append_word(out, "op", dytq::name(step.op));
  switch (step.op) {
    case rescale:
      append_constants(out, "multiplier", step.scale.multiplier, step.multiplier);
      append_constants(out, "shift", step.scale.shift, step.shift);
      append_member(out, "input_zp", step.scale.input_zp);
      append_member(out, "output_zp", step.scale.output_zp);
      append_word(out, "out", step.scale.out == dytq::int8_range ? "i8" : "i32");
      append_member(out, "double", step.scale.rounding == dytq::rounding_mode::double_round);
      break;
    case mul:
    case add:
    case sub:
    case maximum:
    case minimum: append_constants(out, "constant", step.constant, step.constants); break;
    case arithmetic_right_shift:
      append_constants(out, "constant", step.constant, step.constants);
      append_member(out, "round", step.round);
      break;
    case table: append_member(out, "table", list_of(step.table)); break;
    case clamp:
      append_member(out, "min", step.range.lo);
      append_member(out, "max", step.range.hi);
      break;
    case negate:
      append_member(out, "input_zp", step.input_zp);
      append_member(out, "output_zp", step.output_zp);
      break;
    case depthwise:
      append_member(out, "weight", list_of(step.codes));
      append_member(out, "bias", list_of(step.constants));
      append_member(out, "input_zp", step.input_zp);
      break;
    case channel_tables: {
      append_member(out, "index", list_of(step.constants));
      std::vector<std::vector<std::int8_t>> tables;
      for (std::int64_t k = 0; k < step.tables.extent(0); ++k) {
        const std::int8_t* const first = step.tables.data + step.tables.offset({k, 0});
        tables.emplace_back(first, first + 256);
      }
      append_member(out, "tables", tables);
      break;
    }
    case abs:
    case count_: break;
  }
}

}  // namespace

void plan_chain(const value& in, std::string& out) {
  const graph_chain graph(in);
  const dytq::chain chain = graph.get();
  dytq::target target = dytq::targets::tosa;
  if (const auto t = in.find("target")) {
    const auto tables = t->find("channel_table");
    target.channel_tables = tables && tables->boolean();
  }
  // The answer is one chain: what is observed stays in it.
  dytq::chain_uses uses{.branches = false};
  if (const auto observed = in.find("observed")) {
    observed->for_each([&](const value& k) {
      uses.observed.insert(static_cast<int>(k.integer({0, static_cast<std::int64_t>(chain.steps.extent(0))})));
    });
  }
  if (const auto tolerance = in.find("tolerance")) {
    uses.tolerance = tolerance->integer({0, 255});
  }
  const auto sizes = dytq::plan_workspace_sizes(chain);
  if (!sizes) {
    append_rejection(out, sizes.error(), naming::by_reason);
    return;
  }
  std::vector<std::int8_t> codes(static_cast<std::size_t>(sizes->codes));
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(sizes->numbers));
  const dytq::plan_workspace workspace{.codes = codes, .numbers = numbers};
  const auto plan = dytq::plan(chain, workspace, target, uses);
  if (!plan) {
    append_rejection(out, plan.error(), naming::by_reason);
    return;
  }
  std::vector<dytq::chain_step> new_steps(static_cast<std::size_t>(plan->operators));
  std::vector<std::int32_t> new_numbers(static_cast<std::size_t>(plan->numbers));
  std::vector<std::int8_t> new_codes(static_cast<std::size_t>(plan->codes));
  const auto edited = dytq::apply(chain, *plan, {.steps = new_steps, .numbers = new_numbers, .codes = new_codes},
                                  workspace, target, uses);
  if (!edited) {
    append_rejection(out, edited.error(), naming::by_reason);
    return;
  }
  append_object(out, "out", [&] {
    out += "\"steps\":[";
    for (const dytq::chain_step& step : new_steps) {
      out += out.back() == '[' ? "{" : ",{";
      append_step(out, step);
      out += '}';
    }
    out += ']';
    append_member(out, "operators", plan->operators);
    append_member(out, "bytes", plan->bytes);
    if (uses.tolerance > 0) {
      const dytq::plan_stretch& last = plan->stretch(plan->count > 0 ? plan->count - 1 : 0);
      append_member(out, "max_difference", last.max_difference);
      append_member(out, "differ", last.differ);
      append_member(out, "root_mean_square",
                    std::vector<std::int64_t>{last.root_mean_square.numerator, last.root_mean_square.shift});
    }
  });
}

}  // namespace replay
