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

}  // namespace dytq_c

#endif
