// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a plan and its operators by evaluation only.
#ifndef DYTQ_REWRITES_EDIT_CHECK_HPP
#define DYTQ_REWRITES_EDIT_CHECK_HPP

#include <cstdint>

#include "../chain.hpp"
#include "../check_fold.hpp"
#include "../codes.hpp"
#include "../folds/proof.hpp"
#include "../result.hpp"
#include "../site.hpp"
#include "../view.hpp"
#include "form.hpp"
#include "stretch.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// Checks a plan and its operators.
class edit_judge {
 public:
  constexpr edit_judge(const planned_chain& subject, const chain_plan& p, const chain_uses& uses,
                       const view<const chain_step>& steps)
      : subject_(subject), plan_(p), uses_(uses), steps_(steps) {}

  constexpr verdict run(const view<const claimed_fold>& claims) {
    if (const verdict v = validate(plan_, subject_.codes(), uses_); !v) {
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
    return accepted{};
  }

 private:
  // The last stretch before `before` that ends at a cut, or -1.
  constexpr int ends_at(int cut, int before) const {
    for (int i = before; i-- > 0;) {
      if (!is_fold(plan_.stretch(i).how) && plan_.stretch(i).to == cut && plan_.stretch(i).from != cut) {
        return i;
      }
    }
    return -1;
  }
  // Evaluates the new operators from the entrance to the end of stretch i, and compares with the original chain.
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
    // The last stretch may differ by what the plan says, and no more than the tolerance.
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
      claimed_fold claim = claims.data[claims.offset({r})];
      if (retables) {
        claim.table = steps_.data[steps_.offset({s.first})].table;
      } else {
        claim.kept_steps = s.from;
      }
      if (const verdict v = check_fold(site, reader.conv, claim); !v) {
        return of_convolution(v.error(), r);
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
