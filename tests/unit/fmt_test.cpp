// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/fmt.hpp>
#include <dytq/plan.hpp>

#include <cstdint>
#include <string>

#include "support/catch.hpp"

using dytq::place;
using dytq::reason;
using dytq::rejection;

TEST_CASE("names, with the width of any string") {
  CHECK(fmt::format("{}", reason::not_affine) == "not_affine");
  CHECK(fmt::format("[{:>12}]", place::weight) == "[      weight]");
  CHECK(fmt::format("{}", static_cast<reason>(250)) == "unknown");
}

TEST_CASE("rejections and plans, as text.hpp has them") {
  const rejection why{.why = reason::padding, .at = place::input, .expected = -27, .got = -60};
  CHECK(fmt::format("{}", why) == dytq::to_text(why).c_str());
  const dytq::chain_plan plan;
  CHECK(fmt::format("{}", plan) == dytq::to_text(plan).c_str());
}

TEST_CASE("values") {
  CHECK(fmt::format("{}", dytq::multiplier_shift{5, 30}) == "5 >> 30");
  CHECK(fmt::format("{}", dytq::code_range{-8, 7}) == "[-8, 7]");
  CHECK(fmt::format("{}", dytq::affine_fit{-3, 2, 1, 4}) == "4 + -3/2 * (code - 1)");
}

TEST_CASE("a result prints as its value or as its rejection") {
  CHECK(fmt::format("{}", dytq::quantize_scale(1.0)) == "1073741824 >> 30");
  CHECK(fmt::format("{}", dytq::quantize_scale(-1.0)) == "rejected: scale_negative (the scale is negative)");
  CHECK(fmt::format("{}", dytq::result<int>(7)) == "7");
}
