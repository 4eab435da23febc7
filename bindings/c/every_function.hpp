// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number as the function that it stands for. Whoever includes this compiles every function.
#ifndef DYTQ_BINDINGS_C_EVERY_FUNCTION_HPP
#define DYTQ_BINDINGS_C_EVERY_FUNCTION_HPP

#include "functions.hpp"

namespace dytq_c {

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

template <int Step>
result<dytq::stepped_lut16<Step>> make_lut16(std::int32_t number, const parameter& own, const qparams& in,
                                             const qparams& out, const lut_options& how) {
  return with_function<dytq::stepped_lut16<Step>>(number, own,
                                                  [&](auto f) { return dytq::make_lut16<Step>(f, in, out, how); });
}

template <class Table>
result<error_enclosure> interpolation_error(std::int32_t number, const parameter& own, const qparams& in,
                                            const qparams& out, const Table& table, const lut_options& how) {
  return with_function<error_enclosure>(number, own,
                                        [&](auto f) { return dytq::interpolation_error(f, in, out, table, how); });
}

}  // namespace dytq_c

#endif
