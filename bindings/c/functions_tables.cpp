// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every function as a table.
#include "every_function.hpp"

namespace dytq_c {

result<dytq::table8> make_lut8(std::int32_t number, const parameter& own, const qparams& in, const qparams& out,
                               const lut_options& how) {
  return with_function<dytq::table8>(number, own, [&](auto f) { return dytq::make_lut8(f, in, out, how); });
}

template result<dytq::lut16> make_lut16<128>(std::int32_t number, const parameter& own, const qparams& in,
                                             const qparams& out, const lut_options& how);

result<dytq::folded_table> fold_alpha_into_lut(std::int32_t number, const parameter& own, const dytq::alpha_site& site,
                                               const qparams& in, const qparams& out, const lut_options& how) {
  return with_function<dytq::folded_table>(number, own,
                                           [&](auto f) { return dytq::fold_alpha_into_lut(site, f, in, out, how); });
}

}  // namespace dytq_c
