// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same fold, made by the compiler.
#ifndef DYTQ_DEMO_COMPILE_TIME_HPP
#define DYTQ_DEMO_COMPILE_TIME_HPP

#include <cstddef>
#include <cstdint>
#include <dytq/fold_alpha.hpp>
#include <dytq/integer.hpp>
#include <dytq/rescale.hpp>
#include <dytq/table.hpp>

#include "network_data.hpp"

namespace demo {

constexpr const dyt_layer& first_site(const network& net) {
  std::size_t i = 0;
  while (net.layers(i).dyt == nullptr) {
    ++i;
  }
  return *net.layers(i).dyt;
}

/// What RESCALE, MUL, RESCALE and TABLE make of a code, operator by operator.
constexpr std::int8_t through_operators(const dyt_layer& site, std::int8_t code) {
  const auto& steps = site.alpha.steps;
  const std::int32_t x = *dytq::apply(steps.activation, code);
  const std::int32_t alpha = *dytq::apply(steps.alpha, site.alpha.alpha);
  const std::int32_t m = *dytq::apply(steps.mul_out, *dytq::mul_int32(x, alpha));
  return *dytq::lookup(site.affine.table, static_cast<std::int8_t>(m));
}

inline constexpr dytq::result<dytq::folded_table> folded_by_compiler =
    dytq::fold_alpha_into_lut(first_site(the_network).alpha, first_site(the_network).affine.table);

constexpr bool equals_operators(const dytq::table8& table, const dyt_layer& site) {
  for (int code = -128; code < 128; ++code) {
    const auto c = static_cast<std::int8_t>(code);
    if (table[dytq::table_index(c)] != through_operators(site, c)) {
      return false;
    }
  }
  return true;
}

static_assert(!folded_by_compiler || equals_operators(folded_by_compiler->table, first_site(the_network)));

}  // namespace demo

#endif
