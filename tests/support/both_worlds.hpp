// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A check that is written once and holds in both worlds: in a constant expression, and at run time.
// Compiling such a test is passing its first half.
#ifndef DYTQ_TESTS_SUPPORT_BOTH_WORLDS_HPP
#define DYTQ_TESTS_SUPPORT_BOTH_WORLDS_HPP

#include <type_traits>

#include "support/catch.hpp"

namespace dytq_tests {

/// v, which the optimizer does not know at run time, so that the code under test really runs there. Not as the
/// initializer of a const integer, which is a constant expression in both worlds.
template <class T>
constexpr T opaque(T v) {
  if (std::is_constant_evaluated()) {
    return v;
  }
  volatile T hidden = v;
  return hidden;
}

}  // namespace dytq_tests

/// DYTQ_CHECK_BOTH(expression): inside a test case. It is a constant expression but for `opaque`.
#define DYTQ_CHECK_BOTH(...)               \
  do {                                     \
    static_assert(__VA_ARGS__);            \
    CHECK(static_cast<bool>(__VA_ARGS__)); \
  } while (false)

/// TEST_BOTH("name", { statements; return condition; }): a test case of its own.
#define TEST_BOTH(name, ...)                             \
  TEST_CASE(name) {                                      \
    constexpr auto dytq_body = []() -> bool __VA_ARGS__; \
    static_assert(dytq_body());                          \
    CHECK(dytq_body());                                  \
  }

#endif
