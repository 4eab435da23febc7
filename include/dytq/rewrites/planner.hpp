// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for the cheapest plan: shortest paths over the int8 cuts of a chain, and folds of its end into the
// readers.
#ifndef DYTQ_REWRITES_PLANNER_HPP
#define DYTQ_REWRITES_PLANNER_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "../chain.hpp"
#include "../codes.hpp"
#include "../conv.hpp"
#include "../folds/proof.hpp"
#include "../folds/retable.hpp"
#include "../result.hpp"
#include "../site.hpp"
#include "../table.hpp"
#include "../view.hpp"
#include "form.hpp"
#include "forms.hpp"
#include "stretch.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// Can a tap of a convolution fall outside its input? In a transposed one also at borders and between strides.
constexpr bool pads(const convolution& conv) {
  const result<conv_geometry> geometry = validate(conv);
  if (!geometry) {
    return false;
  }
  bool padded = conv.kind == conv_kind::transposed && !geometry->single_class();
  for (const conv_axis& a : conv.axes) {
    padded = padded || a.before != 0 || a.after != 0;
  }
  return padded;
}

/// Finds the cheapest plan by shortest paths over the int8 cuts.
class chain_planner {
 public:
  constexpr chain_planner(const planned_chain& subject, const target& t, const chain_uses& uses,
                          const plan_workspace& workspace)
      : subject_(subject),
        codes_(subject.codes()),
        target_(t),
        uses_(uses),
        workspace_(workspace),
        forms_(subject.given().steps, subject.codes(), t, workspace.numbers.data, tolerance_of(uses, subject.codes())) {
  }

  constexpr result<chain_plan> run() {
    const int last = codes_.cuts() - 1;
    const stretch_form before = forms_.kept(0, last);
    plan_.operators_before = before.steps;
    plan_.cost_before = before.price.cost;
    plan_.bytes_before = before.price.bytes;
    plan_.assumes_domain = !(subject_.given().domain == code_set::all());
    for (int length = 1; length <= last; ++length) {
      for (int a = 0; a + length <= last; ++a) {
        find_way(a, a + length);
      }
    }
    offer_whole(last);
    walk(last);
    return plan_;
  }

 private:
  // The cheapest way between two cuts: one form, or two ways that meet at the cut `through`.
  struct way {
    bill price = {};
    std::int8_t through = -1;
    form how = form::keep;
    bool clamps = false;
    std::int32_t tables = 0;
    std::int32_t max_difference = 0;
    std::int32_t differ = 0;
  };
  constexpr way& at(int a, int b) { return ways_[b * (b - 1) / 2 + a]; }

  constexpr void find_way(int a, int b) {
    way best{.price = forms_.kept(a, b).price};
    for (int m = a + 1; m < b; ++m) {
      if (const bill both = at(a, m).price + at(m, b).price; both.less_than(best.price)) {
        best = {.price = both, .through = static_cast<std::int8_t>(m)};
      }
    }
    const stretch_form whole = forms_.best(a, b, best.price);
    if (whole.how != form::keep) {
      best = {.price = whole.price,
              .how = whole.how,
              .clamps = whole.clamps,
              .tables = static_cast<std::int32_t>(whole.tables),
              .max_difference = static_cast<std::int32_t>(whole.max_difference),
              .differ = static_cast<std::int32_t>(whole.differ)};
    }
    at(a, b) = best;
  }
  constexpr bill price(int a, int b) { return a == b ? bill{} : at(a, b).price; }

  // Fills the offers of all forms but the folds, for the whole chain.
  constexpr void offer_whole(int last) {
    for (const form f : {form::keep, form::drop, form::into_table, form::channel_rescale, form::line,
                         form::channel_tables, form::sliced_tables}) {
      const result<stretch_form> made =
          last == 0 && f != form::drop ? result<stretch_form>(stretch_form{}) : forms_.find(f, 0, last);
      if (made) {
        offer(f) = {.cost = made->price.cost, .bytes = made->price.bytes};
      } else {
        offer(f) = {.why = made.error()};
      }
    }
  }
  constexpr form_offer& offer(form f) { return plan_.offers[static_cast<std::size_t>(f)]; }

  constexpr bool observed(int a) const { return uses_.observed.contains(codes_.cut(a)); }
  // The cheapest cut to compute cut m from: `a`, or an observed cut between them.
  constexpr int source(int a, int m) {
    int best = a;
    for (int from = a + 1; from < m; ++from) {
      if (observed(from) && price(from, m).less_than(price(best, m))) {
        best = from;
      }
    }
    return best;
  }
  // The cost of branches for the observed results strictly between two cuts.
  constexpr bill beside(int a, int b) {
    bill all;
    for (int m = a + 1; m < b; ++m) {
      if (observed(m)) {
        all = all + price(source(a, m), m);
      }
    }
    return all;
  }
  constexpr bool passes(int a, int b) const {
    for (int m = a + 1; m < b && !uses_.branches; ++m) {
      if (observed(m)) {
        return false;
      }
    }
    return true;
  }

  // Finds the shortest path, with the cost of branches; then tries folds of each end; then writes the plan.
  constexpr void walk(int last) {
    bill total[max_chain_steps + 1]{};
    int previous[max_chain_steps + 1]{};
    for (int b = 1; b <= last; ++b) {
      bool found = false;
      for (int a = 0; a < b; ++a) {
        if (!passes(a, b)) {
          continue;
        }
        if (const bill t = total[a] + price(a, b) + beside(a, b); !found || t.less_than(total[b])) {
          total[b] = t;
          previous[b] = a;
          found = true;
        }
      }
    }
    bill best = total[last];
    int fold_from = -1;
    form fold = form::count_;
    for (const form f : {form::into_conv, form::into_table_and_conv}) {
      bool exists = false;
      for (int a = 0; a < last || a == 0; ++a) {  // an empty end has nothing to fold
        const result<bill> made = fold_end(f, a, last);
        if (!made) {
          // Reports the reason for the end after the last TABLE.
          if (!exists && (a == 0 || (codes_.cut(a) > 0 && step_before(a).op == operation::table))) {
            offer(f) = {.why = made.error()};
          }
          continue;
        }
        const bill t = total[a] + *made + beside(a, last);
        if (!exists) {
          offer(f) = {.cost = t.cost, .bytes = t.bytes};
          exists = true;
        }
        if (t.less_than(best)) {
          best = t;
          fold_from = a;
          fold = f;
        }
      }
    }
    plan_.cost = best.cost;
    plan_.bytes = best.bytes;
    const int end = fold_from >= 0 ? fold_from : last;
    emit_path(end, previous);
    if (fold_from >= 0) {
      add({.from = codes_.cut(end), .to = codes_.cut(last), .how = fold, .steps = fold == form::into_conv ? 0 : 1});
      plan_.codes += fold == form::into_conv ? 0 : 256;
    }
    plan_.reads = fold == form::into_table_and_conv || fold_from < 0 ? codes_.cut(last) : codes_.cut(end);
    emit_branches(end, previous, fold_from >= 0 ? last : end);
  }
  constexpr const chain_step& step_before(int a) const {
    const view<const chain_step>& steps = subject_.given().steps;
    return steps.data[steps.offset({codes_.cut(a) - 1})];
  }

  // The stretches of the path to `b`, first to last.
  constexpr void emit_path(int b, const int* previous) {
    int path[max_chain_steps + 1]{};
    int length = 0;
    for (; b > 0; b = previous[b])
      path[length++] = b;
    for (int from = 0; length-- > 0; from = path[length])
      emit(from, path[length], false);
  }
  // Branches for the observed results that the path to `end` and the fold from there to `last` leave out.
  constexpr void emit_branches(int end, const int* previous, int last) {
    if (last > end) {
      emit_beside(end, last);
    }
    for (int b = end; b > 0; b = previous[b])
      emit_beside(previous[b], b);
  }
  constexpr void emit_beside(int a, int b) {
    for (int m = a + 1; m < b; ++m) {
      if (observed(m)) {
        emit(source(a, m), m, true);
      }
    }
  }
  constexpr void emit(int a, int b, bool is_beside) {
    if (a == b) {
      return;
    }
    const way w = at(a, b);
    if (w.through >= 0) {
      emit(a, w.through, is_beside);
      emit(w.through, b, is_beside);
      return;
    }
    const stretch_form made = forms_.as_found(w.how, w.clamps, w.tables, a, b);
    add({.from = codes_.cut(a),
         .to = codes_.cut(b),
         .how = made.how,
         .beside = is_beside,
         .clamps = made.clamps,
         .range = made.range,
         .steps = made.steps,
         .tables = made.tables,
         .max_difference = w.max_difference,
         .differ = w.differ,
         .root_mean_square = w.max_difference != 0 ? forms_.root_mean_square(made, a, b) : code_bound{}});
    plan_.numbers += made.numbers;
    plan_.codes += made.codes;
  }
  constexpr void add(const plan_stretch& s) {
    // Merges neighbouring kept stretches.
    if (plan_.count > 0) {
      plan_stretch& before = plan_.stretches[static_cast<std::size_t>(plan_.count - 1)];
      if (before.how == form::keep && s.how == form::keep && before.to == s.from && before.beside == s.beside &&
          !uses_.observed.contains(s.from)) {
        before.to = s.to;
        before.steps += s.steps;
        plan_.operators += s.steps;
        return;
      }
    }
    plan_stretch& added = plan_.stretches[static_cast<std::size_t>(plan_.count++)];
    added = s;
    added.first = plan_.operators;
    plan_.operators += s.steps;
  }

  // The cost of folding the steps from a cut to the end into all readers.
  constexpr result<bill> fold_end(form f, int a, int last) {
    const view<const chain_reader>& readers = uses_.readers;
    const bool retables = f == form::into_table_and_conv;
    if (readers.extent(0) == 0) {
      return rejection{.why = reason::empty, .at = place::weight, .expected = 1, .got = 0};
    }
    if (observed(last)) {
      return rejection{.why = reason::observable_code, .at = place::output, .step = codes_.cut(last) - 1};
    }
    if (!passes(a, last)) {
      return rejection{.why = reason::observable_code, .step = codes_.cut(a)};
    }
    for (std::int64_t r = 0; r < readers.extent(0); ++r) {
      if (!readers.data[readers.offset({r})].writable) {
        return rejection{.why = reason::shared, .at = place::weight, .convolution = r};
      }
    }
    std::int64_t biases = 0;
    // into_conv uses each channel's own codes at the cut; a new TABLE is shared by all channels.
    const affine_site site = subject_.end_from(retables ? a : 0);
    const result<site_maps> maps = site_maps::make(site);
    if (!maps) {
      return maps.error();
    }
    const fold_outputs asked{.workspace = workspace_.lines};
    const result<std::int64_t> most = retables ? shared_multiple(site, *maps, readers, asked) : 0;
    if (!most) {
      return most.error();
    }
    for (std::int64_t r = 0; r < readers.extent(0); ++r) {
      const chain_reader& reader = readers.data[readers.offset({r})];
      std::int32_t input_zp = 0;
      rejection why;
      if (retables) {
        if (!target_.moves_input_zp && pads(reader.conv)) {
          input_zp = fold_with_table(site, *maps, reader.conv, asked, true, *most)->input_zp;
        }
      } else {
        const auto made = fold_after(site, *maps, codes_.cut(a), reader.conv, asked, true);
        why = made.error();
        input_zp = made ? made->input_zp : 0;
      }
      if (!why.exists() && !target_.moves_input_zp && input_zp != reader.conv.input_zp && pads(reader.conv)) {
        why = {.why = reason::target_lacks, .at = place::input};
      }
      if (why.exists()) {
        why.convolution = readers.extent(0) > 1 ? r : unset;
        return why;
      }
      biases += reader.conv.output_channels() - reader.conv.bias.extent(0);
    }
    return bill_of(target_, retables ? cost_of(target_, operation::table) : 0, 4 * biases + (retables ? 256 : 0));
  }

  const planned_chain& subject_;
  const cut_codes& codes_;
  target target_;
  chain_uses uses_;
  plan_workspace workspace_;
  stretch_forms forms_;
  way ways_[(max_chain_steps + 1) * max_chain_steps / 2]{};
  chain_plan plan_;
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
