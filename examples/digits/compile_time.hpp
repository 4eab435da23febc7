// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same fold, made by the compiler.
#ifndef DYTQ_DEMO_COMPILE_TIME_HPP
#define DYTQ_DEMO_COMPILE_TIME_HPP

#include <cstddef>
#include <cstdint>
#include <dytq/codes.hpp>
#include <dytq/fold.hpp>
#include <dytq/rescale.hpp>
#include <dytq/table.hpp>

#include "network_data.hpp"

namespace demo {

constexpr const dyt_layer& first_site(const network& net) {
  std::size_t i = 0;
  while (net.layers(i).kind != layer_kind::dyt) {
    ++i;
  }
  return *net.layers(i).dyt;
}

/// The entries of a site's TABLE. A copy, since g++ with -fsanitize=undefined cannot compare the address of a static
/// array with null in a constant expression, as every check of a view does.
constexpr dytq::table8 entries_of(const dyt_layer& site) {
  dytq::table8 table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = site.affine.table(i);
  }
  return table;
}

constexpr dytq::result<dytq::folded_table> fold_alpha_of(const dyt_layer& site) {
  const dytq::table8 table = entries_of(site);
  return dytq::fold_alpha_into_lut(site.alpha, table);
}

inline constexpr dytq::result<dytq::folded_table> folded_by_compiler = fold_alpha_of(first_site(the_network));

/// Is every entry what RESCALE, MUL, RESCALE and TABLE make of its code, operator by operator?
constexpr bool equals_operators(const dytq::table8& folded, const dyt_layer& site) {
  const dytq::table8 table = entries_of(site);
  const auto& steps = site.alpha.steps;
  const std::int32_t alpha = *dytq::apply(steps.alpha, site.alpha.alpha);
  for (int code = -128; code < 128; ++code) {
    const std::int32_t x = *dytq::apply(steps.activation, code);
    const std::int32_t m = *dytq::apply(steps.mul_out, *dytq::mul_int32(x, alpha));
    if (folded[static_cast<std::size_t>(code + 128)] != *dytq::lookup(table, static_cast<std::int8_t>(m))) {
      return false;
    }
  }
  return true;
}

static_assert(!folded_by_compiler || equals_operators(folded_by_compiler->table, first_site(the_network)));

}  // namespace demo

#endif
