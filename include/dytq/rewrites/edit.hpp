// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the operators and constants of a plan.
//
// The folder rewrites/ holds the forms of a stretch, the search for the cheapest plan, and the edit. Proofs of folds
// are in folds/.
#ifndef DYTQ_REWRITES_EDIT_HPP
#define DYTQ_REWRITES_EDIT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../chain.hpp"
#include "../codes.hpp"
#include "../folds/proof.hpp"
#include "../folds/retable.hpp"
#include "../result.hpp"
#include "../site.hpp"
#include "../view.hpp"
#include "form.hpp"
#include "forms.hpp"
#include "stretch.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// Writes a plan's operators and constants.
class chain_editor {
 public:
  constexpr chain_editor(const planned_chain& subject, const chain_plan& p, const target& t, const chain_uses& uses,
                         const plan_outputs& out, const plan_workspace& workspace)
      : subject_(subject),
        plan_(p),
        uses_(uses),
        out_(out),
        workspace_(workspace),
        forms_(subject.given().steps, subject.codes(), t, workspace.numbers.data, tolerance_of(uses, subject.codes())) {
  }

  constexpr result<chain> run() {
    const cut_codes& codes = subject_.codes();
    if (const verdict v = validate(plan_, codes, uses_); !v) {
      return v.error();
    }
    stretch_form made[chain_plan::max_stretches];
    const int fold = fold_of(plan_);
    std::int64_t numbers = 0;
    std::int64_t bytes = fold >= 0 && plan_.stretch(fold).how == form::into_table_and_conv ? 256 : 0;
    for (int i = 0; i < plan_.count; ++i) {
      const plan_stretch& s = plan_.stretch(i);
      if (i == fold) {
        continue;
      }
      const result<stretch_form> found = forms_.find(s.how, number_of(codes, s.from), number_of(codes, s.to));
      if (!found) {
        return found.error();
      }
      made[i] = *found;
      numbers += found->numbers;
      bytes += found->codes;
      if (found->steps != s.steps) {
        return rejection{.why = reason::contradiction, .at = place::index, .step = s.from};
      }
    }
    if (const verdict v = validate_sizes(numbers, bytes, fold >= 0); !v) {
      return v.error();
    }
    if (fold >= 0) {
      const auto conv_of_reader = [this](std::int64_t r) { return conv_of(r); };
      const auto outputs_of_reader = [this](std::int64_t r) { return outputs_of(r); };
      const verdict v = validate_all_outputs(fold_site(plan_.stretch(fold)), uses_.readers.extent(0), conv_of_reader,
                                             outputs_of_reader);
      if (!v) {
        return v.error();
      }
    }
    if (overlaps(fold >= 0 ? uses_.readers.extent(0) : 0)) {
      return rejection{.why = reason::overlapping_views, .at = place::output};
    }
    for (std::int64_t r = 0; fold >= 0 && r < uses_.readers.extent(0); ++r) {
      if (const verdict v = fold_reader(plan_.stretch(fold), r, false, nullptr); !v) {
        return v.error();
      }
    }
    stretch_forms::writer to{out_.steps.data, out_.numbers.data, out_.codes.data};
    int main_steps = 0;
    for (int i = 0; i < plan_.count; ++i) {
      const plan_stretch& s = plan_.stretch(i);
      main_steps += s.beside ? 0 : s.steps;
      if (i != fold) {
        forms_.write(made[i], number_of(codes, s.from), number_of(codes, s.to), to);
        continue;
      }
      std::int8_t* const table = s.how == form::into_table_and_conv ? to.take_codes(256) : nullptr;
      for (std::int64_t r = 0; r < uses_.readers.extent(0); ++r) {
        static_cast<void>(fold_reader(s, r, true, table));  // proven above
      }
      if (table != nullptr) {
        to.add({.op = operation::table,
                .table = view<const std::int8_t>(table, {256}),
                .output_zp = out_.folds.data[0].input_zp});
      }
    }
    chain edited = subject_.given();
    edited.steps = view<const chain_step>(out_.steps.data, {main_steps});
    return edited;
  }

 private:
  constexpr verdict validate_sizes(std::int64_t numbers, std::int64_t bytes, bool folds) const {
    const auto sized = [](const auto& v, std::int64_t size, place at) -> verdict {
      if (v.extent(0) != size || (size > 1 && v.strides[0] != 1)) {
        return rejection{.why = reason::size_mismatch, .at = at, .expected = size, .got = v.extent(0)};
      }
      return validate_output(v, at);
    };
    const std::int64_t readers = folds ? uses_.readers.extent(0) : 0;
    for (const verdict& v : {sized(out_.steps, plan_.operators, place::output),
                             sized(out_.numbers, numbers, place::output), sized(out_.codes, bytes, place::table)}) {
      if (!v) {
        return v;
      }
    }
    if (folds) {
      if (const verdict v = dytq::validate(out_.readers, place::weight); !v) {
        return v;
      }
      for (const std::int64_t count : {out_.readers.extent(0), out_.folds.extent(0)}) {
        if (count != readers) {
          return rejection{.why = reason::size_mismatch, .at = place::weight, .expected = readers, .got = count};
        }
      }
      if (const verdict v = validate_output(out_.folds, place::weight); !v) {
        return v;
      }
    }
    return accepted{};
  }

  // Does an output overlap the chain or the workspace?
  constexpr bool meets_inputs(const footprint& out) const {
    return overlap(out, workspace_.codes.occupies()) || overlap(out, workspace_.numbers.occupies()) ||
           overlap(out, workspace_.lines.occupies()) || !validate_apart({out}, subject_.given().steps);
  }
  // Do outputs overlap each other or inputs? A reader's new constants may overwrite its old ones.
  constexpr bool overlaps(std::int64_t readers) const {
    if (std::is_constant_evaluated()) {  // cannot compare addresses
      return false;
    }
    const footprint outs[] = {out_.steps.occupies(), out_.numbers.occupies(), out_.codes.occupies(),
                              out_.folds.occupies()};
    const auto meets_outputs = [&](const footprint& other) {
      return overlap(outs[0], other) || overlap(outs[1], other) || overlap(outs[2], other) || overlap(outs[3], other);
    };
    bool shared = readers != 0 && (meets_outputs(out_.readers.occupies()) || meets_outputs(uses_.readers.occupies()));
    for (std::size_t i = 0; i < 4; ++i) {
      shared = shared || meets_inputs(outs[i]);
      for (std::size_t j = 0; j < i; ++j) {
        shared = shared || overlap(outs[i], outs[j]);
      }
    }
    for (std::int64_t r = 0; r < readers && !shared; ++r) {
      const fold_outputs to = outputs_of(r);
      const convolution& conv = conv_of(r);
      for (const footprint& written : {to.weight.occupies(), to.bias.occupies()}) {
        shared = shared || meets_outputs(written) || meets_inputs(written);
      }
      for (const footprint& read : {conv.weight.occupies(), conv.bias.occupies(), conv.weight_zp.occupies()}) {
        shared = shared || meets_outputs(read);
      }
    }
    return shared;
  }

  constexpr const convolution& conv_of(std::int64_t r) const {
    return uses_.readers.data[uses_.readers.offset({r})].conv;
  }
  constexpr fold_outputs outputs_of(std::int64_t r) const {
    const fold_outputs& to = out_.readers.data[out_.readers.offset({r})];
    return {.weight = to.weight, .bias = to.bias, .workspace = workspace_.lines};
  }

  // The site of a fold: with a new TABLE, only the steps after its cut; else the whole chain.
  constexpr affine_site fold_site(const plan_stretch& s) const {
    return subject_.end_from(s.how == form::into_table_and_conv ? number_of(subject_.codes(), s.from) : 0);
  }
  // Folds into one reader; without `writes` only proves that the fold exists.
  constexpr verdict fold_reader(const plan_stretch& s, std::int64_t r, bool writes, std::int8_t* table) {
    const bool retables = s.how == form::into_table_and_conv;
    const affine_site site = fold_site(s);
    const convolution& conv = conv_of(r);
    const fold_outputs to = writes ? outputs_of(r) : fold_outputs{.workspace = workspace_.lines};
    const result<site_maps> maps = site_maps::make(site);
    if (!maps) {
      return maps.error();
    }
    rejection why;
    if (retables) {
      if (r == 0 && !writes) {  // before new weights may overwrite the old ones
        const auto most = shared_multiple(site, *maps, uses_.readers, fold_outputs{.workspace = workspace_.lines});
        if (!most) {
          return most.error();
        }
        most_multiple_ = *most;
      }
      const auto made = fold_with_table(site, *maps, conv, to, !writes, most_multiple_);
      why = made.error();
      for (std::size_t i = 0; i < 256 && made && table != nullptr; ++i) {
        table[i] = made->table[i];
      }
      if (made && writes) {
        out_.folds.data[out_.folds.offset({r})] = {
            .input_zp = made->input_zp, .weights_changed = made->weights_changed, .bias_changed = made->bias_changed};
      }
    } else {
      const auto made = fold_after(site, *maps, s.from, conv, to, !writes);
      why = made.error();
      if (made && writes) {
        out_.folds.data[out_.folds.offset({r})] = *made;
      }
    }
    if (!why.exists()) {
      return accepted{};
    }
    return of_convolution(why, uses_.readers.extent(0) > 1 ? r : unset);
  }

  const planned_chain& subject_;
  const chain_plan& plan_;
  chain_uses uses_;
  plan_outputs out_;
  plan_workspace workspace_;
  stretch_forms forms_;
  std::int64_t most_multiple_ = 0;  // the one for which all readers share one new TABLE
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
