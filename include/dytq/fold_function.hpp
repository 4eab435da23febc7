// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Alpha into a TABLE that does not exist yet: the function's own table is made here, certified, and then folded.
#ifndef DYTQ_FOLD_FUNCTION_HPP
#define DYTQ_FOLD_FUNCTION_HPP

#include "codes.hpp"
#include "fold.hpp"
#include "function.hpp"
#include "lut.hpp"
#include "result.hpp"

namespace dytq {
inline namespace v0 {

/// `fold_alpha_into_lut` for a function with its quantization parameters in place of a finished table.
///
/// The table of `make_lut8(f, in, out, how)` is folded with `site`; the TABLE's input is clamped to the range of `in`,
/// so site.function_in is not read.
/// Errors: those of `make_lut8` and of `fold_alpha_into_lut`.
template <certified_function F>
constexpr result<folded_table> fold_alpha_into_lut(alpha_site site, F f, const qparams& in, const qparams& out,
                                                   const lut_options& how = {}) {
  const result<code_range> read = range_in(in, int8_range, place::function_in);
  if (!read) {
    return read.error();
  }
  const result<table8> table = make_lut8(f, in, out, how);
  if (!table) {
    return table.error();
  }
  site.function_in = *read;
  return fold_alpha_into_lut(site, *table);
}

}  // namespace v0
}  // namespace dytq

#endif
