// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both folds on the caller's memory, as a compiler backend has them.
#include <dytq/fold.hpp>

bool alpha(const dytq::alpha_site& site, const std::int8_t (&table)[256], dytq::table8& out) {
  const auto folded = dytq::fold_alpha_into_lut(site, table);
  out = folded ? folded->table : dytq::table8{};
  return folded.has_value();
}

bool affine(const dytq::affine_site& site, const dytq::convolution& conv, const dytq::fold_outputs& outputs) {
  return dytq::fold_affine_into_conv(site, conv, outputs).has_value();
}
