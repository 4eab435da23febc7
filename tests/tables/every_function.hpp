// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every function of the library, by name: a test that goes through this list leaves none out.
#ifndef DYTQ_TESTS_TABLES_EVERY_FUNCTION_HPP
#define DYTQ_TESTS_TABLES_EVERY_FUNCTION_HPP

#include <cstddef>
#include <dytq/function.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

namespace dytq_tests {

template <class F>
struct named_function {
  F function;
  const char* name;
};
template <class F>
named_function(F, const char*) -> named_function<F>;  // clang 14 asks for it

namespace every {

namespace f = dytq::functions;

inline constexpr std::tuple functions{named_function{f::tanh, "tanh"},
                                      named_function{f::logistic, "logistic"},
                                      named_function{f::exp, "exp"},
                                      named_function{f::silu, "silu"},
                                      named_function{f::erf, "erf"},
                                      named_function{f::gelu, "gelu"},
                                      named_function{f::isru, "isru"},
                                      named_function{f::arctan, "arctan"},
                                      named_function{f::log, "log"},
                                      named_function{f::log1p, "log1p"},
                                      named_function{f::log2, "log2"},
                                      named_function{f::log10, "log10"},
                                      named_function{f::sqrt, "sqrt"},
                                      named_function{f::rsqrt, "rsqrt"},
                                      named_function{f::reciprocal, "reciprocal"},
                                      named_function{f::expm1, "expm1"},
                                      named_function{f::exp2, "exp2"},
                                      named_function{f::sin, "sin"},
                                      named_function{f::cos, "cos"},
                                      named_function{f::tan, "tan"},
                                      named_function{f::sinh, "sinh"},
                                      named_function{f::cosh, "cosh"},
                                      named_function{f::asin, "asin"},
                                      named_function{f::acos, "acos"},
                                      named_function{f::atanh, "atanh"},
                                      named_function{f::asinh, "asinh"},
                                      named_function{f::acosh, "acosh"},
                                      named_function{f::erfinv, "erfinv"},
                                      named_function{f::softplus, "softplus"},
                                      named_function{f::mish, "mish"},
                                      named_function{f::gelu_tanh, "gelu_tanh"},
                                      named_function{f::hardsigmoid, "hardsigmoid"},
                                      named_function{f::hardswish, "hardswish"},
                                      named_function{f::elu, "elu"},
                                      named_function{f::leaky_relu, "leaky_relu"},
                                      named_function{f::relu, "relu"},
                                      named_function{f::ceil, "ceil"},
                                      named_function{f::floor, "floor"},
                                      named_function{f::round, "round"}};

}  // namespace every

/// call(f, "name") for every function; or for those of one of `Parts` parts, since a compiler takes seconds for each.
template <std::size_t Part = 0, std::size_t Parts = 1, class Call>
void for_every_function(Call call) {
  const auto in_part = [&]<std::size_t I>() {
    if constexpr (I % Parts == Part) {
      const auto& f = std::get<I>(every::functions);
      call(f.function, f.name);
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) { (in_part.template operator()<I>(), ...); }
  (std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(every::functions)>>>{});
}

}  // namespace dytq_tests

#endif
