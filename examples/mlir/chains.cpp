// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chains.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <mlir/Interfaces/FunctionInterfaces.h>
#include <dytq/plan.hpp>

#include "bounded.hpp"
#include "constants.hpp"
#include "elementwise.hpp"
#include "match.hpp"
#include "write.hpp"

namespace dytq_mlir {

namespace tosa = mlir::tosa;
using dytq::operation;

namespace {

/// The operators between two int8 values, in the graph's order.
struct stretch {
  mlir::Value from, to;
  std::vector<const elementwise*> operators;

  /// Is each step read by the next alone, so that the library can follow it?
  bool is_line() const {
    mlir::Value last = from;
    for (const elementwise* e : operators) {
      if (e->first != last || e->second || e->reversed) {
        return false;
      }
      last = e->result();
    }
    return true;
  }
};

/// A chain of stretches, and what the library is asked of it. Kept where it is: the steps are views of it.
struct graph_chain {
  std::vector<stretch> stretches;
  std::vector<dytq::chain_step> steps;
  std::vector<mlir::Value> cuts;      ///< [steps + 1]; none where the value is no int8 or inside a stretch
  std::vector<const stretch*> whole;  ///< [steps]: of a step that stands for all of a stretch
  std::vector<std::vector<std::int8_t>> made_tables;  ///< of such
  dytq::chain chain;
  dytq::target target = dytq::targets::tosa;
  dytq::chain_uses uses{.branches = false};
  std::size_t operators = 0;
  std::vector<constant_conv> convs;  ///< all that read the result, if nothing else does
  refusal no_convs;                  ///< why there are none
  written_plan made;
  bounded_readers bounded;
  int bounded_from = -1;  ///< the cut from which the chain is in `bounded`; none: it is not
};

mlir::Value input_of(const graph_chain& c) { return c.stretches.front().from; }

/// Finds chains; nothing is changed.
class chain_finder {
 public:
  /// The longest chain that ends at `value`, through operators that no other chain has.
  std::unique_ptr<graph_chain> find(mlir::Value value) {
    auto found = std::make_unique<graph_chain>();
    std::size_t steps = 0;
    while (auto part = expand(value)) {
      steps += part->is_line() ? part->operators.size() : 1;
      if (steps > dytq::max_chain_steps) {
        break;
      }
      value = part->from;
      found->stretches.insert(found->stretches.begin(), std::move(*part));
    }
    for (const stretch& part : found->stretches) {
      for (const elementwise* e : part.operators) {
        taken_.insert(e->op);
        found->operators += 1;
      }
    }
    return found->stretches.empty() ? nullptr : std::move(found);
  }

 private:
  const elementwise* read(mlir::Operation* op) {
    if (op == nullptr || taken_.contains(op)) {
      return nullptr;
    }
    auto [entry, is_new] = known_.try_emplace(op);
    if (is_new) {
      entry->second = read_elementwise(op);
    }
    return entry->second.get();
  }

  /// The operators from the nearest one int8 value that `to` depends on.
  std::optional<stretch> expand(mlir::Value to) {
    stretch found;
    found.to = to;
    llvm::SetVector<mlir::Value> open;
    mlir::Value next = to;
    do {
      const elementwise* e = read(next.getDefiningOp());
      if (e == nullptr || e->op->getBlock() != to.getParentBlock() || found.operators.size() == 64) {
        return std::nullopt;
      }
      found.operators.push_back(e);
      open.remove(next);
      for (const mlir::Value v : {e->first, e->second}) {
        if (v) {
          open.insert(v);
        }
      }
      // The latest: what comes before it may be what it depends on.
      next = open.front();
      for (const mlir::Value v : open) {
        mlir::Operation* const a = next.getDefiningOp();
        mlir::Operation* const b = v.getDefiningOp();
        next = b != nullptr && (a == nullptr || (a->getBlock() == b->getBlock() && a->isBeforeInBlock(b))) ? v : next;
      }
    } while (open.size() > 1 || !has_elements(next, 8));
    found.from = next;
    std::reverse(found.operators.begin(), found.operators.end());
    return found;
  }

  llvm::DenseMap<mlir::Operation*, std::unique_ptr<elementwise>> known_;
  llvm::DenseSet<mlir::Operation*> taken_;
};

std::int32_t zero_point_before(const stretch& part) {
  const dytq::chain_step& first = part.operators.front()->step;
  return first.op == operation::rescale ? first.scale.input_zp : first.op == operation::negate ? first.input_zp : 0;
}

/// The one table, or one for each channel, of a stretch that is no line of operators. False: unpredictable.
bool make_whole(graph_chain& c, const stretch& part, std::int64_t channels) {
  const bool shared = llvm::all_of(part.operators, [](const elementwise* e) { return e->channels == 1; });
  std::vector<std::int8_t>& tables = c.made_tables.emplace_back();
  for (std::int64_t channel = 0; channel < (shared ? 1 : channels); ++channel) {
    const auto values = evaluate(part.operators, part.from, channel);
    if (!values) {
      return false;
    }
    tables.insert(tables.end(), values->begin(), values->end());
  }
  const dytq::chain_step& last = part.operators.back()->step;
  dytq::chain_step step{.op = shared ? operation::table : operation::channel_tables,
                        .output_zp = last.op == operation::rescale ? last.scale.output_zp : 0};
  if (shared) {
    step.table = dytq::view<const std::int8_t>(tables.data(), {256});
  } else {
    step.tables = dytq::view<const std::int8_t, 2>(tables.data(), {channels, 256});
    // It stays as it is, for what its operators cost; of several the least, so that no plan is dearer than it says.
    std::int32_t& cost = c.target.cost[static_cast<std::size_t>(operation::channel_tables)];
    const auto operators = static_cast<std::int32_t>(part.operators.size());
    cost = c.made_tables.size() == 1 || operators < cost ? operators : cost;
  }
  c.steps.push_back(step);
  c.whole.push_back(&part);
  return true;
}

/// The convolutions that read the result, if they are all that does.
void find_readers(graph_chain& c, dytq::code_range weight_range) {
  const mlir::Value result = c.stretches.back().to;
  c.convs = convs_that_read(result, dytq::place::output, c.no_convs);
  for (constant_conv& conv : c.convs) {
    conv.form.weight_range = weight_range;
  }
  if (!c.convs.empty() && c.chain.channels == 1) {  // no constant says how many
    c.chain.channels = shape_of(result).back();
  }
  if (!c.convs.empty() && c.steps.back().op == operation::table) {  // what a TABLE's codes stand for is what is read
    c.steps.back().output_zp = c.convs.front().form.input_zp;
  }
}

/// The steps of a chain. False: it is unpredictable somewhere, so that nothing can be said.
bool make_steps(graph_chain& c) {
  const llvm::ArrayRef<std::int64_t> shape = shape_of(input_of(c));
  std::int64_t channels = 1;
  for (const stretch& part : c.stretches) {
    for (const elementwise* e : part.operators) {
      channels = std::max(channels, e->channels);
    }
  }
  c.made_tables.reserve(c.stretches.size());
  c.cuts.push_back(input_of(c));
  for (std::size_t i = 0; i < c.stretches.size(); ++i) {
    const stretch& part = c.stretches[i];
    if (!part.is_line()) {
      if (!make_whole(c, part, channels)) {
        return false;
      }
    } else {
      for (const elementwise* e : part.operators) {
        c.steps.push_back(e->step);
        c.whole.push_back(nullptr);
        // A TABLE does not say what its codes stand for; who reads them does.
        if (e->step.op == operation::table && i + 1 < c.stretches.size()) {
          c.steps.back().output_zp = zero_point_before(c.stretches[i + 1]);
        }
      }
    }
    c.cuts.resize(c.steps.size() + 1);
    c.cuts.back() = part.to;
  }
  c.chain = {.steps = dytq::view<const dytq::chain_step>(c.steps.data(), {static_cast<std::int64_t>(c.steps.size())}),
             .channels = channels,
             .zero_point = zero_point_before(c.stretches.front())};
  c.target.depthwise = channels > 1 && shape.size() == 4;
  // Results that somebody else reads.
  llvm::DenseSet<mlir::Operation*> own;
  for (const stretch& part : c.stretches) {
    for (const elementwise* e : part.operators) {
      own.insert(e->op);
    }
  }
  for (std::size_t cut = 1; cut + 1 < c.cuts.size(); ++cut) {
    if (c.cuts[cut] && llvm::any_of(c.cuts[cut].getUsers(), [&](mlir::Operation* op) { return !own.contains(op); })) {
      c.uses.observed.insert(static_cast<int>(cut));
    }
  }
  return true;
}

/// A part of the chain that gets new operators.
struct edit {
  int from = 0, to = 0;          ///< cuts
  int first = 0, operators = 0;  ///< of the new steps
  std::string form;
};

/// What a plan changes. Where it keeps a table that stands for several operators, the graph gets that table.
std::vector<edit> edits_of(const graph_chain& c) {
  std::vector<edit> edits;
  for (int i = 0; i < c.made.plan().count; ++i) {
    const dytq::plan_stretch& s = c.made.plan().stretch(i);
    if (s.how != dytq::form::keep) {
      const std::string off = s.max_difference == 0 ? ""
                                                    : " (" + std::to_string(s.max_difference) + " off at most, " +
                                                          std::to_string(s.differ) + " codes of all channels are)";
      edits.push_back({s.from, s.to, s.first, s.steps, name(s.how) + off});
      continue;
    }
    for (int step = s.from; step < s.to; ++step) {
      const auto at = static_cast<std::size_t>(step);
      if (c.whole[at] != nullptr && c.steps[at].op == operation::table) {
        edits.push_back({step, step + 1, s.first + step - s.from, 1, name(dytq::form::into_table)});
      }
    }
  }
  return edits;
}

/// The operators that the graph loses where the values at `replaced` get others; what somebody else reads stays. Those
/// before cut `kept` are not asked.
std::ptrdiff_t count_lost(const graph_chain& c, const llvm::DenseSet<mlir::Value>& replaced, int kept = 0) {
  llvm::DenseSet<mlir::Operation*> lost;
  for (const stretch& part : llvm::reverse(c.stretches)) {
    if (kept != 0 && part.to == c.cuts[static_cast<std::size_t>(kept)]) {
      break;
    }
    for (const elementwise* e : llvm::reverse(part.operators)) {
      if (replaced.contains(e->result()) ||
          llvm::all_of(e->result().getUsers(), [&](mlir::Operation* op) { return lost.contains(op); })) {
        lost.insert(e->op);
      }
    }
  }
  return static_cast<std::ptrdiff_t>(lost.size());
}

/// How many operators fewer the graph has with the plan; it is written if that is more than 0.
std::ptrdiff_t saved_by_plan(const graph_chain& c) {
  llvm::DenseSet<mlir::Value> replaced;
  std::ptrdiff_t made = 0;
  for (const edit& e : edits_of(c)) {
    replaced.insert(c.cuts[static_cast<std::size_t>(e.to)]);
    made += e.operators;
  }
  return count_lost(c, replaced) - made;
}

/// Is what comes before a cut one TABLE already?
bool is_table(const graph_chain& c, int cut) {
  return cut == 1 && c.whole.front() == nullptr && c.steps.front().op == operation::table;
}

/// And with a bounded fold of all that comes after `from`, a TABLE standing for what comes before.
std::ptrdiff_t saved_by_bounded(const graph_chain& c, int from) {
  llvm::DenseSet<mlir::Value> replaced{c.cuts.back()};
  if (from == 0 || is_table(c, from)) {
    return count_lost(c, replaced, from);
  }
  replaced.insert(c.cuts[static_cast<std::size_t>(from)]);
  return count_lost(c, replaced) - 1;
}

/// A bounded fold into the readers that saves more than the plan: of all of the chain, or of what comes after the
/// longest part that is one TABLE. -> why there is none; a refusal of the former alone is not worth a word.
refusal find_bounded(graph_chain& c, std::ptrdiff_t saved, std::int64_t tolerance) {
  int table = 0;
  for (int cut = 1; cut < static_cast<int>(c.steps.size()); ++cut) {
    if (!c.steps[static_cast<std::size_t>(cut - 1)].per_tensor()) {
      break;
    }
    table = c.cuts[static_cast<std::size_t>(cut)] ? cut : table;
  }
  const auto is_conv = [](mlir::Operation* op) { return llvm::isa<tosa::Conv2DOp, tosa::DepthwiseConv2DOp>(op); };
  refusal why;
  if (c.convs.empty()) {
    return llvm::any_of(c.cuts.back().getUsers(), is_conv) ? c.no_convs : why;
  }
  for (const int from : {0, table}) {
    if (saved_by_bounded(c, from) <= saved || (from == 0 && table != 0 && why.refused())) {
      continue;
    }
    why = c.bounded.make(c.chain, from, c.convs, tolerance);
    if (!why.refused()) {
      c.bounded_from = from;
      return {};
    }
  }
  return why;
}

/// Writes a plan, or the bounded fold; `now` says what stands for a value of the graph that is gone.
void write_bounded(const graph_chain& c, llvm::DenseMap<mlir::Value, mlir::Value>& now) {
  const mlir::Value from = c.cuts.front();
  mlir::Value value = now.contains(from) ? now.lookup(from) : from;
  const auto replace = [&](mlir::Value before) {
    before.replaceAllUsesWith(value);
    now[before] = value;
  };
  if (is_table(c, c.bounded_from)) {
    value = c.cuts[1];
  } else if (c.bounded_from != 0) {
    const mlir::Value to = c.cuts[static_cast<std::size_t>(c.bounded_from)];
    value = make_operator(to.getDefiningOp(), value,
                          {.op = operation::table, .table = dytq::view<const std::int8_t>(c.bounded.table())});
    replace(to);
  }
  replace(c.cuts.back());
  c.bounded.write(c.convs);
}
void write(const graph_chain& c, llvm::DenseMap<mlir::Value, mlir::Value>& now) {
  if (c.bounded_from >= 0) {
    return write_bounded(c, now);
  }
  for (const edit& e : edits_of(c)) {
    const mlir::Value from = c.cuts[static_cast<std::size_t>(e.from)];
    mlir::Value to = c.cuts[static_cast<std::size_t>(e.to)];
    mlir::Value value = now.contains(from) ? now.lookup(from) : from;
    for (int k = e.first; k < e.first + e.operators; ++k) {
      value = make_operator(to.getDefiningOp(), value, c.made.step(k));
    }
    to.replaceAllUsesWith(value);
    now[to] = value;
  }
  if (c.made.plan().folds()) {
    c.made.write_convs(c.convs);
  }
}

std::string summary(const graph_chain& c) {
  if (c.bounded_from >= 0) {
    const bool makes_table = c.bounded_from != 0 && !is_table(c, c.bounded_from);
    return (makes_table ? "into_table, " : "") + c.bounded.text();
  }
  std::string forms;
  for (const edit& e : edits_of(c)) {
    forms += (forms.empty() ? "" : ", ") + e.form;
  }
  return forms;
}

}  // namespace

std::vector<chain_outcome> fold_chains(mlir::Operation* root, const tolerances& allowed,
                                       dytq::code_range weight_range) {
  llvm::SmallVector<mlir::Operation*> ends;
  root->walk([&](mlir::Operation* op) {
    if (op->getNumResults() == 1 && has_elements(op->getResult(0), 8)) {
      ends.push_back(op);
    }
  });
  chain_finder finder;
  std::vector<std::unique_ptr<graph_chain>> chains;
  std::vector<chain_outcome> outcomes;
  for (mlir::Operation* op : llvm::reverse(ends)) {  // a chain is found at its last end
    auto c = finder.find(op->getResult(0));
    if (!c || op->getResult(0).use_empty() || !make_steps(*c)) {
      continue;
    }
    find_readers(*c, weight_range);
    outcome result;
    std::ptrdiff_t saved = 0;
    if (c->operators > 1) {  // one alone becomes nothing cheaper, unless it goes into a convolution
      c->uses.tolerance = allowed.chain;
      if (const dytq::verdict v = c->made.make(c->chain, c->target, c->uses, c->convs); !v) {
        result.why.why = v.error();
      } else {
        saved = std::max<std::ptrdiff_t>(saved_by_plan(*c), 0);
      }
    }
    if (allowed.conv > 0 && !result.why.refused()) {
      result.why = find_bounded(*c, saved, allowed.conv);
    }
    if (c->operators < 2 && c->bounded_from < 0) {
      continue;
    }
    if (saved > 0 || c->bounded_from >= 0) {
      result.done = summary(*c);
    } else if (c->operators > 2 && !result.why.refused()) {
      result.why.why = c->made.plan()[dytq::form::line].why;
    }
    auto function = op->getParentOfType<mlir::FunctionOpInterface>();
    const bool is_written = !result.done.empty();
    outcomes.push_back({op->getLoc(), function ? function.getName().str() : "", std::move(result)});
    if (is_written) {
      chains.push_back(std::move(c));
    }
  }
  llvm::DenseMap<mlir::Value, mlir::Value> now;
  llvm::SmallVector<mlir::Operation*> before;
  for (const auto& c : llvm::reverse(chains)) {
    write(*c, now);
    for (const stretch& part : c->stretches) {
      for (const elementwise* e : part.operators) {
        before.push_back(e->op);
      }
    }
  }
  erase_unused(before);
  std::reverse(outcomes.begin(), outcomes.end());
  return outcomes;
}

}  // namespace dytq_mlir
