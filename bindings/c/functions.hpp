// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions by their number, and what tables of them are told.
#ifndef DYTQ_BINDINGS_C_FUNCTIONS_HPP
#define DYTQ_BINDINGS_C_FUNCTIONS_HPP

#include <dytq/function.hpp>
#include <dytq/lut.hpp>
#include <tuple>

#include "convert.hpp"

namespace dytq_c {

inline dytq::qparams qparams_of(call& c, const dytq_qparams* given) {
  const dytq_qparams q = c.value(given);
  // A bound that the library would read as an unset one is none of a type of 16 bits: its neighbour is refused as well.
  const auto bound = [&](std::int32_t given_bound, std::int32_t unset) {
    return q.codes.is_set == 0 ? unset : given_bound;
  };
  return {.scale = q.scale,
          .zero_point = q.zero_point,
          .qmin = bound(q.codes.lo == dytq::unset_qmin ? dytq::unset_qmin + 1 : q.codes.lo, dytq::unset_qmin),
          .qmax = bound(q.codes.hi == dytq::unset_qmax ? dytq::unset_qmax - 1 : q.codes.hi, dytq::unset_qmax)};
}

inline dytq::lut_options options_of(call& c, const dytq_lut_options* given) {
  if (given == nullptr) {
    return {};
  }
  const dytq_lut_options how = c.read(given);
  if (how.reserved != 0) {
    c.refuse(DYTQ_UNKNOWN_FIELD);
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

/// f(function) of that number.
template <class R, class F>
dytq::result<R> with_function(std::int32_t number, const parameter& own, F f) {
  std::int32_t at = 0;
  dytq::result<R> made = dytq::rejection{.why = dytq::reason::unknown_type, .at = dytq::place::table, .got = number};
  const auto attempt = [&](auto function) {
    if (number != at++) {
      return;
    }
    if (!own.given) {
      made = f(function);
    } else if constexpr (requires { decltype(function){own.value}; }) {
      made = f(decltype(function){own.value});
    }
  };
#define DYTQ_TRY(name) attempt(dytq::functions::name);
  DYTQ_FUNCTIONS(DYTQ_TRY)
#undef DYTQ_TRY
  return made;
}

}  // namespace dytq_c

#endif
