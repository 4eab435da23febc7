// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every function of the library is what it claims: its tables by estimates are those by signs alone. DYTQ_CHECK_TABLES
// in the environment is the number of tables.
#include <cstdlib>

#include <dytq/function.hpp>

#include "every_function.hpp"
#include "support/catch.hpp"

TEST_CASE("tables by estimates are tables by signs alone") {
  const char* const asked = std::getenv("DYTQ_CHECK_TABLES");
  const int tables = asked == nullptr ? 64 : std::atoi(asked);
  dytq_tests::for_every_function([tables](auto f, const char* name) {
    const dytq::function_check found = dytq::check_function(f, tables);
    INFO(name << ": table " << found.tables << ", code " << found.why.code << ": " << found.why.expected << ", got "
              << found.why.got << "; in " << std::hexfloat << found.in.scale << " " << found.in.zero_point << " out "
              << found.out.scale << " " << found.out.zero_point << " alpha " << found.alpha << " shift "
              << found.shift);
    CHECK(found);
    CHECK(found.tables >= 40 * tables / 64);
  });
}

TEST_CASE("parameters of functions are theirs") {
  CHECK(dytq::check_function(dytq::functions::elu_function{-0.75}, 48));
  CHECK(dytq::check_function(dytq::functions::elu_function{0.0}, 48));
  CHECK(dytq::check_function(dytq::functions::elu_function{0x1p-30}, 48));
  CHECK(dytq::check_function(dytq::functions::leaky_relu_function{-2.5}, 48));
  CHECK(dytq::check_function(dytq::functions::leaky_relu_function{0.0}, 48));
}
