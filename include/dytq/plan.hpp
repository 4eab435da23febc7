// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cheapest exact form of a chain for a target: `plan` finds it, `apply` writes its operators and the readers' new
// constants, `check` verifies both by evaluation, `to_text` prints it.
#ifndef DYTQ_PLAN_HPP
#define DYTQ_PLAN_HPP

#include <cstddef>
#include <cstdint>

#include "chain.hpp"
#include "check_fold.hpp"
#include "result.hpp"
#include "rewrites/edit.hpp"
#include "rewrites/edit_check.hpp"
#include "rewrites/form.hpp"
#include "rewrites/planner.hpp"
#include "text.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// The name of the enumerator; "none" for count_.
constexpr const char* name(form f) {
  switch (f) {
    case form::keep: return "keep";
    case form::drop: return "drop";
    case form::into_conv: return "into_conv";
    case form::into_table: return "into_table";
    case form::channel_rescale: return "channel_rescale";
    case form::line: return "line";
    case form::into_table_and_conv: return "into_table_and_conv";
    case form::channel_tables: return "channel_tables";
    case form::sliced_tables: return "sliced_tables";
    case form::count_: break;
  }
  return "none";
}

/// A plan as a short table: the form of each stretch, the totals, and the reason for each form that does not exist.
constexpr text_buffer<4096> to_text(const chain_plan& p) {
  text_buffer<4096> out;
  for (int i = 0; i < p.count; ++i) {
    const plan_stretch& s = p.stretch(i);
    const std::size_t line = out.size();
    out.add("  steps ").add(std::int64_t{s.from}).add(" to ").add(std::int64_t{s.to}).pad_to(line, 18).add(name(s.how));
    out.pad_to(line, 40).add_right(s.to - s.from, 2).add(" ->").add_right(s.steps, 3);
    if (s.tables > 0) {
      out.add("  ").add(s.tables).add(s.tables == 1 ? " table" : " tables");
    }
    if (s.max_difference > 0) {
      const std::int64_t rms = (s.root_mean_square.numerator * 1000 >> s.root_mean_square.shift) + 1;
      out.add("  at most ").add(s.max_difference).add(" off, rms ").add(rms / 1000).add('.');
      out.add(rms / 100 % 10).add(rms / 10 % 10).add(rms % 10).add(", ").add(s.differ).add(" codes differ");
    }
    out.add(s.clamps ? "  and a CLAMP" : "").add(s.beside ? "  beside the chain" : "").add('\n');
  }
  const std::size_t line = out.size();
  out.add("  all").pad_to(line, 40).add_right(p.operators_before, 2).add(" ->").add_right(p.operators, 3);
  out.add("  bytes ").add(p.bytes_before).add(" -> ").add(p.bytes).add('\n');
  for (int i = 0; i < static_cast<int>(form::count_); ++i) {
    const auto f = static_cast<form>(i);
    if (!p[f].exists()) {
      const std::size_t start = out.size();
      out.add("  no ").add(name(f)).pad_to(start, 26).add(to_text(p[f].why).c_str()).add('\n');
    }
  }
  if (p.assumes_domain) {
    out.add("  assumes that only the codes named occur at the entrance\n");
  }
  return out;
}

}  // namespace detail

using detail::chain_plan;
using detail::chain_reader;
using detail::chain_uses;
using detail::cut_set;
using detail::form;
using detail::form_offer;
using detail::name;
using detail::plan_outputs;
using detail::plan_sizes;
using detail::plan_stretch;
using detail::plan_workspace;
using detail::target;
using detail::to_text;

/// Costs of targets.
namespace targets {
/// Every operator of TOSA is one pass.
inline constexpr target tosa{};
/// A DEPTHWISE and the RESCALE that follows it are one pass, as on most accelerators.
inline constexpr target tosa_fused_rescale{.depthwise_rescale = 1};
/// CMSIS-NN: a convolution rescales its own result; a table for each channel is the loop of `apply_channel_tables`.
inline constexpr target cmsis_nn{.depthwise_rescale = 1, .channel_tables = true};
}  // namespace targets

/// Sizes of the workspace for a chain, in elements. Errors: those of `chain_maps`.
constexpr result<plan_sizes> plan_workspace_sizes(const chain& c) {
  const result<chain_maps> maps = chain_maps::make(c);
  if (!maps) {
    return maps.error();
  }
  return plan_sizes{detail::cut_codes::size_of(*maps), c.channels, detail::channel_lines::numbers_of(c.channels)};
}

namespace detail {

/// Validates the chain, the readers' view and the workspace. -> f(planned_chain).
template <class T, class F>
constexpr result<T> with_planned_chain(const chain& c, const plan_workspace& workspace, const chain_uses& uses, F f) {
  const result<chain_maps> maps = chain_maps::make(c);
  if (!maps) {
    return maps.error();
  }
  if (const verdict v = validate(uses.readers, place::weight); !v) {
    return v.error();
  }
  planned_chain subject(c, *maps);
  if (const verdict v = subject.fill(workspace, uses.readers.extent(0) != 0); !v) {
    return v.error();
  }
  return f(subject);
}

}  // namespace detail

/// The cheapest exact form of a chain for a target.
///
/// Every channel has the same result as in the chain for every code of the domain, no step is unpredictable in the
/// sense of TOSA, and observed results are kept.
/// Order: least cost; then fewest bytes of constants; then the undivided stretch, the earliest cut, and the first of
///   `form`.
/// Errors: those of `chain_maps`, for every channel; size_mismatch, null_view: the workspace; those of the readers'
///   views. Why a form does not exist is in its offer: not_identity, not_uniform, no_rescale, no_line, the reasons of
///   the folds, each with channel and code; `shared`: a reader that cannot be written; observable_code; target_lacks.
/// Exactness: proven on every code of every channel. No partition of the chain at its int8 cuts into the forms of
///   `form` costs less.
/// Cost: steps * channels * codes, and a fit for each stretch that can gain by one.
constexpr result<chain_plan> plan(const chain& c, const plan_workspace& workspace, const target& t = targets::tosa,
                                  const chain_uses& uses = {}) {
  return detail::with_planned_chain<chain_plan>(c, workspace, uses, [&](const detail::planned_chain& subject) {
    return detail::chain_planner(subject, t, uses, workspace).run();
  });
}

/// Writes the new operators of a plan and each reader's new constants. -> the new chain; its steps are the first of
/// outputs.steps, before those of the branches.
///
/// The operators of stretch i start at steps[first]. They read the code at cut `from` and compute the code at cut `to`.
/// If the plan folds, the readers read the code at cut `reads`, with the constants in outputs.readers and the input
/// zero point in outputs.folds.
/// Shape: sizes as in the plan: steps [operators], numbers [numbers], codes [codes]; readers and folds one for each
///   reader, if the plan folds.
/// Errors: those of `plan`; size_mismatch; contradiction: the plan is not of this chain; shared: it folds, and a reader
///   cannot be written; observable_code: an observed result would be lost; overlapping_views, except that a reader's
///   new constants may overwrite its old ones; those of `fold_affine_into_conv` for a reader's outputs.
///   A refusal leaves the outputs untouched, but not the workspace.
/// Exactness: as `plan`. New steps refer to `outputs`, kept steps to the constants of `c`.
constexpr result<chain> apply(const chain& c, const chain_plan& p, const plan_outputs& outputs,
                              const plan_workspace& workspace, const target& t = targets::tosa,
                              const chain_uses& uses = {}) {
  return detail::with_planned_chain<chain>(c, workspace, uses, [&](const detail::planned_chain& subject) {
    return detail::chain_editor(subject, p, t, uses, outputs, workspace).run();
  });
}

/// Is a plan, applied as `steps`, exact? By evaluation only: every stretch, from the entrance, on every code of every
/// channel; every observed result; and the readers' claimed constants by `check_fold`.
///
/// Shape: steps [operators], as `apply` writes them; claims: one for each reader, if the plan folds.
/// Errors: those of `chain_maps`, for both chains, and of the views; contradiction: the stretches do not lead from the
///   entrance to the end; fold_differs: for `code` at the entrance, `channel` has `got` instead of `expected` after
///   step `step` of the chain; observable_code: the observed result of `step` is lost; shared: a reader that cannot be
///   written has new constants; those of `check_fold`; size_mismatch.
constexpr verdict check(const chain& c, const chain_plan& p, const view<const chain_step>& steps,
                        const plan_workspace& workspace, const chain_uses& uses = {},
                        const view<const claimed_fold>& claims = {}) {
  if (const verdict v = validate(steps, place::output); !v) {
    return v;
  }
  return detail::with_planned_chain<accepted>(c, workspace, uses, [&](const detail::planned_chain& subject) {
    return detail::edit_judge(subject, p, uses, steps).run(claims);
  });
}

}  // namespace v0
}  // namespace dytq

#endif
