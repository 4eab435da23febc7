// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plan made into operators and constants, and the judge of both.
//
// The folder rewrites/ holds the forms of a stretch of a chain, the search for the cheapest, and the edit. A fold's
// proof may not live here: it is in folds/.
#ifndef DYTQ_REWRITES_EDIT_HPP
#define DYTQ_REWRITES_EDIT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../chain.hpp"
#include "../check_fold.hpp"
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

constexpr bool is_fold(form f) { return f == form::into_conv || f == form::into_table_and_conv; }

/// The number of the int8 cut that has `cut` steps before it, or -1.
constexpr int number_of(const cut_codes& codes, int cut) {
  for (int a = 0; a < codes.cuts(); ++a) {
    if (codes.cut(a) == cut) {
      return a;
    }
  }
  return -1;
}

/// Do the stretches of a plan lie between cuts of the chain that are int8, each after the one before, from the entrance
/// to the end, and the branches between cuts that the chain or a branch before them passes? A fold is the last of them,
/// and has readers. Errors: contradiction.
constexpr verdict validate(const chain_plan& p, const cut_codes& codes, const chain_uses& uses) {
  const auto broken = [](int i) { return rejection{.why = reason::contradiction, .at = place::index, .step = i}; };
  if (p.count < 0 || p.count > chain_plan::max_stretches) {
    return broken(p.count);
  }
  cut_set passed;
  passed.insert(0);
  int end = 0;
  int steps = 0;
  bool folded = false;
  for (int i = 0; i < p.count; ++i) {
    const plan_stretch& s = p.stretch(i);
    const bool folds = is_fold(s.how);
    const int needed = s.how == form::into_conv ? 0 : s.how == form::into_table_and_conv ? 1 : s.steps;
    const bool follows = s.beside ? passed.contains(s.from) && !folds : s.from == end && !folded;
    const bool has_readers = !folds || uses.readers.extent(0) > 0;
    if (number_of(codes, s.from) < 0 || number_of(codes, s.to) < 0 || s.from > s.to || !follows || !has_readers ||
        s.steps < 0 || s.steps > max_chain_steps || s.steps != needed || s.first != steps) {
      return broken(i);
    }
    end = s.beside ? end : s.to;
    folded = folded || folds;
    if (!folds) {
      passed.insert(s.to);
    }
    steps += s.steps;
  }
  return end == codes.cut(codes.cuts() - 1) && steps == p.operators ? verdict(accepted{}) : broken(p.count);
}

/// Which is the fold at the end of the chain? -1: none.
constexpr int fold_of(const chain_plan& p) {
  for (int i = 0; i < p.count; ++i) {
    if (is_fold(p.stretch(i).how)) {
      return i;
    }
  }
  return -1;
}

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
      if (const verdict v = validate_readers(fold_site(plan_.stretch(fold))); !v) {
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
        static_cast<void>(fold_reader(s, r, true, table));  // proven above, and may be written
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
      if (out_.readers.extent(0) != readers || out_.folds.extent(0) != readers) {
        return rejection{
            .why = reason::size_mismatch, .at = place::weight, .expected = readers, .got = out_.readers.extent(0)};
      }
      if (const verdict v = validate_output(out_.folds, place::weight); !v) {
        return v;
      }
    }
    return accepted{};
  }

  // Does an output share memory with the chain, or with the workspace?
  constexpr bool meets_inputs(const footprint& out) const {
    return overlap(out, workspace_.codes.occupies()) || overlap(out, workspace_.numbers.occupies()) ||
           overlap(out, workspace_.lines.occupies()) || !validate_apart({out}, subject_.given().steps);
  }
  // Do the outputs share memory with each other, or with anything that is read? A reader's own may replace its
  // constants.
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

  // May the new constants of every reader be written, beside those of the others?
  constexpr verdict validate_readers(const affine_site& site) const {
    const auto of_reader = [](rejection why, std::int64_t r) {
      why.convolution = r;
      return why;
    };
    for (std::int64_t r = 0; r < uses_.readers.extent(0); ++r) {
      if (const verdict v = validate_outputs(site, conv_of(r), outputs_of(r), false); !v) {
        return of_reader(v.error(), r);
      }
      for (std::int64_t other = 0; other < uses_.readers.extent(0); ++other) {
        if (other != r && interferes(outputs_of(r), conv_of(other), outputs_of(other))) {
          return of_reader({.why = reason::overlapping_views, .at = place::output, .expected = other, .got = r}, r);
        }
      }
    }
    return accepted{};
  }
  constexpr const convolution& conv_of(std::int64_t r) const {
    return uses_.readers.data[uses_.readers.offset({r})].conv;
  }
  constexpr fold_outputs outputs_of(std::int64_t r) const {
    const fold_outputs& to = out_.readers.data[out_.readers.offset({r})];
    return {.weight = to.weight, .bias = to.bias, .workspace = workspace_.lines};
  }

  // What a fold reads: a new TABLE takes the place of the steps after its cut alone.
  constexpr affine_site fold_site(const plan_stretch& s) const {
    return subject_.end_from(s.how == form::into_table_and_conv ? number_of(subject_.codes(), s.from) : 0);
  }
  // New constants of a reader; without `writes` only whether there are.
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
      const result<std::int64_t> most = shared_multiple(site, *maps, uses_.readers, {.workspace = workspace_.lines});
      const auto made = most ? fold_with_table(site, *maps, conv, to, !writes, *most) : most.error();
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
    why.convolution = uses_.readers.extent(0) > 1 ? r : unset;
    return why;
  }

  const planned_chain& subject_;
  const chain_plan& plan_;
  chain_uses uses_;
  plan_outputs out_;
  plan_workspace workspace_;
  stretch_forms forms_;
};

/// Judges a plan and the operators that it became.
class edit_judge {
 public:
  constexpr edit_judge(const planned_chain& subject, const chain_plan& p, const chain_uses& uses,
                       const view<const chain_step>& steps)
      : subject_(subject), plan_(p), uses_(uses), steps_(steps) {}

  constexpr verdict run(const view<const claimed_fold>& claims) {
    const cut_codes& codes = subject_.codes();
    if (const verdict v = validate(plan_, codes, uses_); !v) {
      return v;
    }
    if (steps_.extent(0) != plan_.operators) {
      return rejection{
          .why = reason::size_mismatch, .at = place::output, .expected = plan_.operators, .got = steps_.extent(0)};
    }
    const int fold = fold_of(plan_);
    for (int i = 0; i < plan_.count; ++i) {
      if (const verdict v = i == fold ? judge_readers(plan_.stretch(i), claims) : judge_end(i); !v) {
        return v;
      }
    }
    for (int a = 0; a < codes.cuts(); ++a) {
      if (uses_.observed.contains(codes.cut(a)) && !computes(codes.cut(a))) {
        return rejection{.why = reason::observable_code, .step = codes.cut(a) - 1};
      }
    }
    return accepted{};
  }

 private:
  // Is the code at a cut still there?
  constexpr bool computes(int cut) const {
    bool found = cut == 0;
    for (int i = 0; i < plan_.count; ++i) {
      found = found || (!is_fold(plan_.stretch(i).how) && plan_.stretch(i).to == cut);
    }
    return found;
  }
  // The stretch that ends at a cut.
  constexpr int ends_at(int cut, int before) const {
    for (int i = before; i-- > 0;) {
      if (!is_fold(plan_.stretch(i).how) && plan_.stretch(i).to == cut && plan_.stretch(i).from != cut) {
        return i;
      }
    }
    return -1;
  }
  // From the entrance to the end of stretch i, as new operators: the codes there are the chain's own.
  constexpr verdict judge_end(int i) {
    int path[chain_plan::max_stretches]{};
    int length = 0;
    int count = 0;
    for (int at = i; at >= 0; at = plan_.stretch(at).from == 0 ? -1 : ends_at(plan_.stretch(at).from, at)) {
      path[length++] = at;
      count += plan_.stretch(at).steps;
    }
    if (count > max_chain_steps) {
      return rejection{.why = reason::extent_overflow, .at = place::output, .expected = max_chain_steps, .got = count};
    }
    count = 0;
    while (length-- > 0) {
      const plan_stretch& s = plan_.stretch(path[length]);
      for (int k = 0; k < s.steps; ++k) {
        path_[count++] = steps_.data[steps_.offset({s.first + k})];
      }
    }
    chain walked = subject_.given();
    walked.steps = view<const chain_step>(path_, {count});
    const result<chain_maps> maps = chain_maps::make(walked);
    if (!maps) {
      return maps.error();
    }
    const cut_codes& codes = subject_.codes();
    const int end = number_of(codes, plan_.stretch(i).to);
    // What the plan says of its last stretch, if that was asked for.
    const std::int64_t said = end == codes.cuts() - 1 && !plan_.stretch(i).beside ? plan_.stretch(i).max_difference : 0;
    const std::int64_t asked = tolerance_of(uses_, codes);
    const std::int64_t allowed = said < asked ? said : asked;
    std::int32_t values[256]{};
    for (std::int64_t c = 0; c < walked.channels; ++c) {
      const result<chain_maps::channel_constants> k = maps->channel(c);
      if (!k) {
        return k.error();
      }
      maps->values(*k, values);
      for (int n = 0; n < codes.count(); ++n) {
        const int off =
            values[n] < codes.row(end, c)[n] ? codes.row(end, c)[n] - values[n] : values[n] - codes.row(end, c)[n];
        if (off > allowed) {
          return rejection{.why = reason::fold_differs,
                           .at = place::output,
                           .step = plan_.stretch(i).to - 1,
                           .channel = c,
                           .code = codes.row(0, c)[n],
                           .expected = codes.row(end, c)[n],
                           .got = values[n]};
        }
      }
    }
    return accepted{};
  }
  constexpr verdict judge_readers(const plan_stretch& s, const view<const claimed_fold>& claims) {
    if (const verdict v = dytq::validate(claims, place::weight); !v) {
      return v;
    }
    if (claims.extent(0) != uses_.readers.extent(0)) {
      return rejection{.why = reason::size_mismatch,
                       .at = place::weight,
                       .expected = uses_.readers.extent(0),
                       .got = claims.extent(0)};
    }
    const bool retables = s.how == form::into_table_and_conv;
    const affine_site site = subject_.end_from(retables ? number_of(subject_.codes(), s.from) : 0);
    for (std::int64_t r = 0; r < claims.extent(0); ++r) {
      const chain_reader& reader = uses_.readers.data[uses_.readers.offset({r})];
      if (!reader.writable) {
        return rejection{.why = reason::shared, .at = place::weight, .convolution = r};
      }
      claimed_fold claim = claims.data[claims.offset({r})];
      if (retables) {
        claim.table = steps_.data[steps_.offset({s.first})].table;
      } else {
        claim.kept_steps = s.from;
      }
      if (const verdict v = check_fold(site, reader.conv, claim); !v) {
        rejection why = v.error();
        why.convolution = r;
        return why;
      }
    }
    return accepted{};
  }

  const planned_chain& subject_;
  const chain_plan& plan_;
  chain_uses uses_;
  view<const chain_step> steps_;
  chain_step path_[max_chain_steps]{};
};

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
