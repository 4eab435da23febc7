// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans whose result may be some codes off: lines near a chain's maps, and tables that channels share.
#include <dytq/plan.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/plain_chain.hpp"

using dytq::chain_step;
using dytq::form;
using dytq::operation;
using dytq::view;

namespace {

constexpr std::int64_t channels = 5;

/// A chain of five channels and what was asked of it.
struct asked {
  std::vector<chain_step> steps;
  dytq::target target = dytq::targets::tosa;
  dytq::chain_uses uses{};
  std::vector<std::int8_t> codes;
  std::vector<std::int32_t> numbers;
  std::vector<chain_step> new_steps;
  std::vector<std::int32_t> new_numbers;
  std::vector<std::int8_t> new_codes;

  dytq::chain chain() const {
    return {.steps = view<const chain_step>(steps.data(), {static_cast<std::int64_t>(steps.size())}),
            .channels = channels};
  }
  dytq::plan_workspace workspace() {
    const auto sizes = dytq::plan_workspace_sizes(chain()).value();
    codes.resize(static_cast<std::size_t>(sizes.codes));
    numbers.resize(static_cast<std::size_t>(sizes.numbers));
    return {.codes = codes, .numbers = numbers};
  }
  dytq::result<dytq::chain_plan> plan() { return dytq::plan(chain(), workspace(), target, uses); }
  dytq::result<dytq::chain> apply(const dytq::chain_plan& p) {
    new_steps.assign(static_cast<std::size_t>(p.operators), {});
    new_numbers.assign(static_cast<std::size_t>(p.numbers), 0);
    new_codes.assign(static_cast<std::size_t>(p.codes), 0);
    return dytq::apply(chain(), p, {.steps = new_steps, .numbers = new_numbers, .codes = new_codes}, workspace(),
                       target, uses);
  }
  dytq::verdict check(const dytq::chain_plan& p, std::int64_t tolerance) {
    dytq::chain_uses other = uses;
    other.tolerance = tolerance;
    return dytq::check(chain(), p, view<const chain_step>(new_steps), workspace(), other);
  }
};

/// Largest difference of two chains over all codes and channels, how many differ, and the sum of their squares; by the
/// plain model.
std::array<std::int64_t, 3> difference(const dytq::chain& a, const dytq::chain& b) {
  std::array<std::int64_t, 3> found{};
  for (std::int64_t c = 0; c < channels; ++c) {
    for (int x = -128; x < 128; ++x) {
      const auto one = dytq_tests::plain_steps(a.steps, static_cast<int>(a.steps.extent(0)), c, x);
      const auto other = dytq_tests::plain_steps(b.steps, static_cast<int>(b.steps.extent(0)), c, x);
      REQUIRE(one.ok);
      REQUIRE(other.ok);
      found[0] = std::max<std::int64_t>(found[0], std::abs(one.v - other.v));
      found[1] += one.v != other.v ? 1 : 0;
      found[2] += (one.v - other.v) * (one.v - other.v);
    }
  }
  return found;
}

/// Is a root mean square that of these squares, or at most 2 / 1024 more?
bool is_root(const dytq::code_bound& rms, std::int64_t squares) {
  const double exact = std::sqrt(static_cast<double>(squares) / (256.0 * channels));
  const double said = std::ldexp(static_cast<double>(rms.numerator), -rms.shift);
  return said >= exact && said <= exact + 2.0 / 1024;
}

/// Gamma and beta with a rounding after each, as trained; the constants are in `memory`.
asked two_halves(std::mt19937& random, std::vector<std::int32_t>& memory) {
  memory.resize(2 * channels);
  for (std::size_t c = 0; c < channels; ++c) {
    memory[c] = 70 + static_cast<int>(random() % 58);
    memory[c + channels] = static_cast<int>(random() % 41) - 20;
  }
  const chain_step widen{.wide = true};
  const chain_step narrow{.scale = {.multiplier = static_cast<std::int32_t>(1500000000 + random() % 500000000),
                                    .shift = 38,
                                    .out = dytq::int8_range}};
  const chain_step sum{.scale = {.multiplier = static_cast<std::int32_t>(1700000000 + random() % 300000000),
                                 .shift = 31,
                                 .out = dytq::int8_range}};
  asked a;
  a.steps = {widen,
             {.op = operation::mul, .constants = view<const std::int32_t>(memory.data(), {channels})},
             narrow,
             widen,
             {.op = operation::add, .constants = view<const std::int32_t>(memory.data() + channels, {channels})},
             sum};
  return a;
}

}  // namespace

TEST_CASE("a line near the chain is taken where no exact form costs as little, and says how far off it is") {
  std::mt19937 random(3);
  int near = 0;
  int exact = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<std::int32_t> memory;
    asked a = two_halves(random, memory);
    const auto without = a.plan().value();
    a.uses.tolerance = 1 + round % 2;
    const auto p = a.plan().value();
    const auto edited = a.apply(p);
    REQUIRE(edited);
    const auto off = difference(a.chain(), *edited);
    std::int64_t most = 0;
    std::int64_t differ = 0;
    for (int i = 0; i < p.count; ++i) {
      most = std::max(most, p.stretch(i).max_difference);
      differ += p.stretch(i).differ;
      // Only the last may be off.
      CHECK((p.stretch(i).max_difference == 0 || p.stretch(i).to == 6));
    }
    CHECK(off[0] == most);
    CHECK(off[0] <= a.uses.tolerance);
    CHECK(p.cost <= without.cost);
    CHECK(a.check(p, a.uses.tolerance));
    if (most == 0) {
      ++exact;
      CHECK(p.cost == without.cost);
      CHECK(a.check(p, 0));
    } else {
      ++near;
      CHECK(p.cost < without.cost);
      CHECK(p.count == 1);
      CHECK(off[1] == differ);
      CHECK(is_root(p.stretch(0).root_mean_square, off[2]));
      CHECK(p.stretch(0).how == form::line);
      CHECK(a.check(p, 0).error().why == dytq::reason::fold_differs);
      // Somebody else reads the result: it stays exact.
      a.uses.observed.insert(6);
      CHECK(a.plan()->cost == without.cost);
    }
  }
  CHECK(near > 30);
  CHECK(near + exact == 60);
}

TEST_CASE("channels share a table that is near their own, the first that is") {
  std::array<std::int8_t, 5 * 256> tables{};
  for (std::size_t i = 0; i < 256; ++i) {
    const int x = static_cast<int>(i) - 128;
    const int base = x * x / 200;
    const std::array<int, 5> rows{base, base + 3, base + (x > 100 ? 1 : 0), base + 4, -x / 2};
    for (std::size_t c = 0; c < 5; ++c) {
      tables[256 * c + i] = static_cast<std::int8_t>(rows[c]);
    }
  }
  asked a;
  a.steps = {{.op = operation::channel_tables, .tables = view<const std::int8_t, 2>(tables.data(), {5, 256})}};
  a.target = dytq::targets::cmsis_nn;
  a.target.depthwise = false;
  CHECK(a.plan()->stretch(0).how == form::keep);
  a.uses.tolerance = 1;
  const auto p = a.plan().value();
  REQUIRE(p.count == 1);
  REQUIRE(p.stretch(0).how == form::channel_tables);
  // 0 and 2 share, and 1 and 3.
  CHECK(p.stretch(0).tables == 3);
  CHECK(p.stretch(0).max_difference == 1);
  CHECK(p.stretch(0).differ == 27 + 256);
  const auto edited = a.apply(p);
  REQUIRE(edited);
  CHECK(difference(a.chain(), *edited) == std::array<std::int64_t, 3>{1, 27 + 256, 27 + 256});
  CHECK(is_root(p.stretch(0).root_mean_square, 27 + 256));
  CHECK(a.check(p, 1));
  CHECK(a.check(p, 0).error().why == dytq::reason::fold_differs);
  a.uses.tolerance = 4;
  CHECK(a.plan()->stretch(0).tables == 2);
}
