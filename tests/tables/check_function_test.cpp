// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every function of the library is what it claims: its tables by estimates are those by signs alone.
#include <dytq/function.hpp>

#include "every_function.hpp"
#include "support/catch.hpp"

TEST_CASE("tables by estimates are tables by signs alone") {
  dytq_tests::for_every_function([](auto f, const char* name) {
    const dytq::function_check found = dytq::check_function(f, 96);
    INFO(name << ": table " << found.tables << ", code " << found.why.code << ": " << found.why.expected << ", got "
              << found.why.got << "; in " << std::hexfloat << found.in.scale << " " << found.in.zero_point << " out "
              << found.out.scale << " " << found.out.zero_point << " alpha " << found.alpha << " shift "
              << found.shift);
    CHECK(found);
    CHECK(found.tables >= 40);
  });
}

TEST_CASE("parameters of functions are theirs") {
  CHECK(dytq::check_function(dytq::functions::elu_function{-0.75}, 48));
  CHECK(dytq::check_function(dytq::functions::elu_function{0.0}, 48));
  CHECK(dytq::check_function(dytq::functions::elu_function{0x1p-30}, 48));
  CHECK(dytq::check_function(dytq::functions::leaky_relu_function{-2.5}, 48));
  CHECK(dytq::check_function(dytq::functions::leaky_relu_function{0.0}, 48));
}
