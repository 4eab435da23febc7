// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every function of the library, by name: a test that goes through this list leaves none out.
#ifndef DYTQ_TESTS_TABLES_EVERY_FUNCTION_HPP
#define DYTQ_TESTS_TABLES_EVERY_FUNCTION_HPP

#include <dytq/function.hpp>

namespace dytq_tests {

/// call(f, "name") for every function.
template <class Call>
void for_every_function(Call call) {
  namespace f = dytq::functions;
  call(f::tanh, "tanh");
  call(f::logistic, "logistic");
  call(f::exp, "exp");
  call(f::silu, "silu");
  call(f::erf, "erf");
  call(f::gelu, "gelu");
  call(f::isru, "isru");
  call(f::arctan, "arctan");
  call(f::log, "log");
  call(f::log1p, "log1p");
  call(f::log2, "log2");
  call(f::log10, "log10");
  call(f::sqrt, "sqrt");
  call(f::rsqrt, "rsqrt");
  call(f::reciprocal, "reciprocal");
  call(f::expm1, "expm1");
  call(f::exp2, "exp2");
  call(f::sin, "sin");
  call(f::cos, "cos");
  call(f::tan, "tan");
  call(f::sinh, "sinh");
  call(f::cosh, "cosh");
  call(f::asin, "asin");
  call(f::acos, "acos");
  call(f::atanh, "atanh");
  call(f::asinh, "asinh");
  call(f::acosh, "acosh");
  call(f::erfinv, "erfinv");
  call(f::softplus, "softplus");
  call(f::mish, "mish");
  call(f::gelu_tanh, "gelu_tanh");
  call(f::hardsigmoid, "hardsigmoid");
  call(f::hardswish, "hardswish");
  call(f::elu, "elu");
  call(f::leaky_relu, "leaky_relu");
  call(f::relu, "relu");
  call(f::ceil, "ceil");
  call(f::floor, "floor");
  call(f::round, "round");
}

}  // namespace dytq_tests

#endif
