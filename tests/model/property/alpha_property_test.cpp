// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The multiplication by alpha inside the TABLE, against the oracle.
#include <dytq/fold.hpp>

#include "property.hpp"

TEST_CASE("fold_alpha_into_lut is the oracle's composition, entry by entry") {
  CHECK(rc::check("fold_alpha_into_lut", [] {
    using namespace property;
    oracle::source s(*oracle::any_seed());
    const oracle::alpha_site a = alpha_value(s);
    const auto table = narrowed<std::int8_t>(a.table);
    const dytq::alpha_site site{
        .alpha = static_cast<std::int32_t>(a.alpha),
        .steps = {.activation = step_of(a.r_activation), .alpha = step_of(a.r_alpha), .mul_out = step_of(a.r_mul_out)},
        .domain = {a.domain[0], a.domain[1]},
        .function_in = {a.function_min, a.function_max}};
    const auto got = dytq::fold_alpha_into_lut(site, dytq::view<const std::int8_t>(table));
    const auto wanted = oracle::fold_alpha(a);
    RC_LOG() << "alpha " << a.alpha << ", " << text(got) << " against " << wanted.why << "\n";
    RC_ASSERT(got.has_value() == static_cast<bool>(wanted));
    if (!got) {
      RC_ASSERT(word(got.error()) == wanted.why);
      return;
    }
    RC_ASSERT(widened(got->table) == *wanted);
    int changed = 0;
    bool wrapped = false;
    const integer alpha32 = *oracle::apply(a.r_alpha, a.alpha);
    for (integer q = -128; q < 128; ++q) {
      changed += a.table[at(q + 128)] != (*wanted)[at(q + 128)] ? 1 : 0;
      const integer code = std::min(std::max(q, a.domain[0]), a.domain[1]);
      wrapped = wrapped || !oracle::fits_i32(oracle::wide{*oracle::apply(a.r_activation, code)} * alpha32);
    }
    RC_ASSERT(got->changed == changed);
    RC_ASSERT(got->wrapped == wrapped);
  }));
}
