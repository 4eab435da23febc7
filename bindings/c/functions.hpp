// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions by their number, and what tables of them are told.
#ifndef DYTQ_BINDINGS_C_FUNCTIONS_HPP
#define DYTQ_BINDINGS_C_FUNCTIONS_HPP

#include <dytq/function.hpp>
#include <dytq/lut.hpp>
#include <dytq/lut16.hpp>
#include <tuple>

#include "convert.hpp"

namespace dytq_c {

inline dytq::lut_options options_of(call& c, const dytq_lut_options* given) {
  if (given == nullptr) {
    return {};
  }
  const dytq_lut_options how = c.read(given);
  if (how.step != 0 && how.step != 32 && how.step != 64 && how.step != 128) {
    c.refuse(DYTQ_REJECTED, {.why = dytq::reason::unknown_type, .at = dytq::place::table, .got = how.step});
  }
  for (const auto& [names, number, reason] :
       {std::tuple{DYTQ_NAMES_NUMERICS, how.numerics, dytq::reason::unknown_type},
        std::tuple{DYTQ_NAMES_TIES, how.ties, dytq::reason::unknown_rounding_mode}}) {
    if (dytq_name(names, number) == nullptr) {
      c.refuse(DYTQ_REJECTED, {.why = reason, .got = number});
    }
  }
  return {.alpha = how.alpha,
          .shift = how.shift,
          .arithmetic = from_c<dytq::numerics>(how.numerics),
          .domain = range(how.domain, {dytq::unset, dytq::unset}),
          .ties = from_c<dytq::tie_rule>(how.ties)};
}

/// The function's own parameter, if the caller gives one.
struct parameter {
  bool given = false;
  double value = 0;
};

inline parameter parameter_of(call& c, const dytq_lut_options* given) {
  const dytq_lut_options how = given == nullptr ? dytq_lut_options{} : c.read(given);
  return {how.has_parameter != 0, how.parameter};
}

// Of the function with that number: every function is compiled in functions_*.cpp, and nowhere else.
using dytq::error_enclosure, dytq::lut_options, dytq::qparams, dytq::result;
result<dytq::table8> make_lut8(std::int32_t number, const parameter& own, const qparams& in, const qparams& out,
                               const lut_options& how);
template <int Step>
result<dytq::stepped_lut16<Step>> make_lut16(std::int32_t number, const parameter& own, const qparams& in,
                                             const qparams& out, const lut_options& how);
result<dytq::tflite_table16> make_tflite_lut16(std::int32_t number, const parameter& own, double in_scale,
                                               std::int32_t in_zero_point, double out_scale, dytq::numerics how);
result<dytq::folded_table> fold_alpha_into_lut(std::int32_t number, const parameter& own, const dytq::alpha_site& site,
                                               const qparams& in, const qparams& out, const lut_options& how);
result<error_enclosure> rounding_error(std::int32_t number, const parameter& own, const qparams& in, const qparams& out,
                                       const dytq::table8& table, const lut_options& how);
/// Of a stepped_lut16, or of a tflite_table16.
template <class Table>
result<error_enclosure> interpolation_error(std::int32_t number, const parameter& own, const qparams& in,
                                            const qparams& out, const Table& table, const lut_options& how);

}  // namespace dytq_c

#endif
