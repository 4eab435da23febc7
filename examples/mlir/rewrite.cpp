// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite.hpp"

#include <dytq/fold.hpp>

#include <algorithm>
#include <optional>

#include "constants.hpp"
#include "write.hpp"

namespace dytq_mlir {

namespace tosa = mlir::tosa;

namespace {

void write_table(tosa::TableOp op, const dytq::table8& table) {
  reassign(op.getTableMutable(), make_constant<std::int8_t>(op, {256}, table));
}

/// A site as a chain, with the graph's value at each of its cuts.
struct affine_chain {
  dytq::site_chain chain;
  const affine_match& match;

  mlir::Value at(int cut) const {
    return cut == 0                   ? mlir::tosa::TableOp(match.table_op).getInput1()
           : cut == chain.table_cut() ? match.table_result()
           : cut == chain.end()       ? match.result()
                                      : match.gamma_result();
  }
  dytq::chain_uses uses() const {
    dytq::chain_uses u{.branches = false};
    if (match.table_is_read) {
      u.observed.insert(chain.table_cut());
    }
    if (match.gamma_is_read) {
      u.observed.insert(chain.gamma_cut());
    }
    return u;
  }
  /// The entries of the TABLE that a stretch from the entrance becomes; none: it becomes something else.
  std::optional<dytq::table8> new_table(const written_plan& made, const dytq::plan_stretch& s) const {
    if (s.how == dytq::form::keep || s.from != 0 || s.steps != 1 || made.step(s.first).op != dytq::operation::table) {
      return std::nullopt;
    }
    dytq::table8 table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
      table[i] = made.step(s.first).table(static_cast<std::int64_t>(i));
    }
    return table;
  }
  bool keeps_entries(const dytq::table8& table) const {
    return std::equal(table.begin(), table.end(), match.table.begin(), match.table.end());
  }
  /// What became of a stretch. A TABLE that stays as it is has nothing to do with it: what follows goes.
  std::string text(const written_plan& made, const dytq::plan_stretch& s) const {
    const auto table = new_table(made, s);
    const char* how = name(table && keeps_entries(*table) ? dytq::form::drop : s.how);
    const bool goes = s.from == 0 && !table;  // does the TABLE?
    std::string what;
    if (s.from <= chain.table_cut() && s.to == chain.end()) {
      what = goes ? "all: " : "";
    } else if (s.to == chain.table_cut()) {
      what = "table: ";
    } else if (s.to <= chain.gamma_cut()) {
      what = goes ? "table and gamma: " : "gamma: ";
    } else {
      what = "beta: ";
    }
    return what + how;
  }
};

/// The plan's operators and constants, in place of those that there are.
void write(const affine_chain& site, const written_plan& made) {
  if (made.plan().folds()) {
    made.write_convs(site.match.convs);
  }
  mlir::Value value = site.at(0);
  for (int i = 0; i < made.plan().count; ++i) {
    const dytq::plan_stretch& s = made.plan().stretch(i);
    mlir::Value before = site.at(s.to);
    if (s.how == dytq::form::keep) {
      value = before;
    } else if (const auto table = site.new_table(made, s)) {  // the TABLE stays, with these entries
      if (!site.keeps_entries(*table)) {
        write_table(site.match.table_op, *table);
      }
      value = site.match.table_result();
    } else {
      for (int k = s.first; k < s.first + s.steps; ++k) {
        value = make_operator(before.getDefiningOp(), value, made.step(k));
      }
    }
    if (before != value) {
      before.replaceAllUsesWith(value);
      erase_unused(before.getDefiningOp());
    }
  }
}

/// Why not all of the site is in the convolutions.
refusal why_not_in_convs(const affine_match& match, const dytq::affine_site& site) {
  if (match.convs.empty()) {
    return match.no_convs;
  }
  if (match.gamma_is_read) {
    return {{.why = dytq::reason::observable_code, .at = dytq::place::gamma_out}};
  }
  std::vector<std::int16_t> lines(4 * static_cast<std::size_t>(site.channels()));
  for (std::size_t i = 0; i < match.convs.size(); ++i) {
    if (const auto fold = dytq::prove_affine_fold(site, match.convs[i].as_convolution(), lines); !fold) {
      dytq::rejection why = fold.error();
      why.convolution = match.convs.size() > 1 ? static_cast<std::int64_t>(i) : dytq::unset;
      return {why};
    }
  }
  return {};
}

}  // namespace

outcome fold_alpha(tosa::TableOp table) {
  outcome result;
  const auto match = match_alpha(table, result.why);
  if (!match) {
    return result;
  }
  const auto folded = dytq::fold_alpha_into_lut(match->as_site(), match->table);
  if (!folded) {
    result.why.why = folded.error();
    return result;
  }
  result.done = std::to_string(folded->changed) + " of 256 entries change";
  if (folded->changed != 0) {
    write_table(table, folded->table);
  }
  reassign(table.getInput1Mutable(), match->alpha.input());
  return result;
}

outcome fold_affine(tosa::TableOp table, dytq::code_range weight_range) {
  outcome result;
  auto match = match_affine(table, result.why);
  if (!match) {
    return result;
  }
  const dytq::affine_site site = match->as_site();
  for (constant_conv& conv : match->convs) {
    conv.form.weight_range = weight_range;
  }
  const affine_chain chain{dytq::site_chain(site), *match};
  dytq::target target = dytq::targets::tosa;
  target.depthwise = false;  // lines are for the chain that is left
  written_plan made;
  if (const dytq::verdict v = made.make(chain.chain.get(), target, chain.uses(), match->convs); !v) {
    result.why.why = v.error();
    return result;
  }
  for (int i = 0; i < made.plan().count; ++i) {
    const dytq::plan_stretch& s = made.plan().stretch(i);
    if (s.how != dytq::form::keep) {
      result.done += (result.done.empty() ? "" : ", ") + chain.text(made, s);
    }
  }
  if (made.plan().folds() && match->convs.size() > 1) {
    result.done += " (" + std::to_string(match->convs.size()) + " convolutions)";
  }
  if (!result.why.refused() && made.plan().operators > 1) {  // more than the TABLE is left
    result.why = why_not_in_convs(*match, site);
  }
  write(chain, made);
  return result;
}

}  // namespace dytq_mlir
