// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Is there a RESCALE that fit_rescale does not find, or a larger shift, or a smaller multiplier? By trying every
// multiplier of a reduced width at every shift, and at full width by the intervals of a second implementation.
#include <dytq/fit_rescale.hpp>

#include "generators.hpp"
#include "harness.hpp"
#include "support/catch.hpp"

namespace soundness {
namespace {

using oracle::source;

struct question {
  oracle::rescale_op op;  // types, zero points and rounding
  dytq::rescale_search search;
  integers codes, values;
};

dytq::code_range range_of(const std::string& type) {
  return type == "i8" ? dytq::int8_range : type == "i16" ? dytq::int16_range : dytq::int32_range;
}

std::optional<integer> rescaled(const question& q, integer code, integer multiplier, integer shift) {
  const auto v = oracle::apply_scale_32(code - q.op.input_zp, multiplier, shift, q.op.rounding_mode == "DOUBLE_ROUND");
  if (!v || !oracle::fits_i32(wide(*v) + q.op.output_zp))
    return std::nullopt;
  return q.search.out.clamp(*v + q.op.output_zp);
}

// Codes and the values that a RESCALE of the search's own range gives them; now and then one value is another.
question ask(source& s, integer multiplier_max, dytq::code_range shifts, int code_bits) {
  question q;
  q.op.out_t = s.pick<const char*>({"i8", "i8", "i16", "i32"});
  q.op.rounding_mode = s.chance(50) ? "DOUBLE_ROUND" : "SINGLE_ROUND";
  q.op.input_zp = code_bits == 8 ? oracle::detail::small_zero_point(s) : 0;
  q.op.output_zp = q.op.out_t == "i8" ? oracle::detail::small_zero_point(s) : 0;
  q.search = {.out = range_of(q.op.out_t),
              .input_zp = q.op.input_zp,
              .output_zp = q.op.output_zp,
              .rounding = q.op.rounding_mode == "DOUBLE_ROUND" ? dytq::rounding_mode::double_round
                                                               : dytq::rounding_mode::single_round,
              .multiplier_max = multiplier_max,
              .shifts = shifts};
  const integer shift = s.range(shifts.lo, shifts.hi);
  const integer multiplier = s.chance(20) ? s.pick<integer>({0, 1, multiplier_max}) : s.range(0, multiplier_max);
  const integer n = s.chance(20) ? 1 : s.range(2, 7);
  const integer reach = std::min(integer(1) << (code_bits - 1), integer(1) << (shift - 1));
  for (integer k = 0; k < n; ++k) {
    integer code = q.op.input_zp + (s.chance(50) ? s.range(-reach, reach - 1)
                                                 : s.pick<integer>({-1, 1}) * s.below(std::min<integer>(reach, 9)));
    if (s.chance(20) && code_bits == 32)
      code = oracle::near_tie(s, multiplier, shift);
    const integer half = integer(1) << (code_bits - 1);
    code = std::min(half - 1, std::max(-half, code));
    q.codes.push_back(code);
    const auto value = rescaled(q, code, multiplier, shift);
    q.values.push_back(value ? *value : s.range(-3, 3));
  }
  if (s.chance(35)) {
    integer& v = q.values[at(s.below(n))];
    v = q.search.out.clamp(v + s.pick<integer>({-1, 1, 2}));
  }
  return q;
}

dytq::result<dytq::multiplier_shift> answer(const question& q) {
  std::vector<std::int32_t> codes(q.codes.begin(), q.codes.end()), values(q.values.begin(), q.values.end());
  return dytq::fit_rescale(dytq::view<const std::int32_t>(codes), dytq::view<const std::int32_t>(values), q.search);
}

std::string text(const question& q) {
  std::string t = q.op.rounding_mode + " zp " + std::to_string(q.op.input_zp) + " " + std::to_string(q.op.output_zp) +
                  " out " + q.op.out_t + " max " + std::to_string(q.search.multiplier_max) + " shifts " +
                  std::to_string(q.search.shifts.lo) + ".." + std::to_string(q.search.shifts.hi);
  for (std::size_t k = 0; k < q.codes.size(); ++k)
    t += " " + std::to_string(q.codes[k]) + "->" + std::to_string(q.values[k]);
  return t;
}

// The multipliers in [0, max] that are right for all pairs but those from `end` on, at one shift.
std::optional<std::pair<integer, integer>> interval(const question& q, integer shift, std::size_t end) {
  return oracle::fit_interval(q.op, integers(q.codes.begin(), q.codes.begin() + static_cast<std::ptrdiff_t>(end)),
                              integers(q.values.begin(), q.values.begin() + static_cast<std::ptrdiff_t>(end)), shift,
                              q.search.multiplier_max);
}

void examine_refusal(const question& q, const dytq::rejection& why) {
  if (why.why == dytq::reason::contradiction) {
    bool first = false, second = false;
    for (std::size_t k = 0; k < q.codes.size(); ++k) {
      first = first || (q.codes[k] == why.code && q.values[k] == why.expected);
      second = second || (q.codes[k] == why.code && q.values[k] == why.got);
    }
    CHECK((first && second && why.expected != why.got));
    return;
  }
  REQUIRE(why.why == dytq::reason::no_rescale);
  bool found = false;  // with the smallest shift, this code rules out what those before it leave
  for (std::size_t k = 0; k < q.codes.size(); ++k) {
    if (q.codes[k] == why.code && q.values[k] == why.expected)
      found = found || (interval(q, q.search.shifts.lo, k) && !interval(q, q.search.shifts.lo, k + 1));
  }
  CHECK(found);
}

TEST_CASE("fit_rescale of reduced widths finds what trying every multiplier finds") {
  const integer questions = from_environment("DYTQ_SITES", 2500) * 2;
  const integer seed = from_environment("DYTQ_SEED", 20261129);
  histogram seen;
  for (integer k = 0; k < questions; ++k) {
    source s(static_cast<std::uint64_t>(seed) * 1000003u + static_cast<std::uint64_t>(k));
    // DOUBLE_ROUND differs from shift 32 on: there 32-bit codes make products that reach a rounding boundary.
    const bool high = s.chance(50);
    const integer lo = high ? s.range(28, 34) : s.range(2, 12);
    const question q = ask(s, s.pick<integer>({1, 3, 15, 63, 200, 511}), {lo, lo + s.range(0, 6)}, high ? 32 : 8);
    INFO("DYTQ_SEED=" << seed << " question " << k << ": " << text(q));
    std::optional<oracle::multiplier_and_shift> tried;
    for (integer shift = q.search.shifts.hi; shift >= q.search.shifts.lo && !tried; --shift) {
      for (integer m = 0; m <= q.search.multiplier_max && !tried; ++m) {
        bool all = true;
        for (std::size_t j = 0; j < q.codes.size() && all; ++j)
          all = rescaled(q, q.codes[j], m, shift) == std::optional<integer>(q.values[j]);
        if (all)
          tried = oracle::multiplier_and_shift{m, shift};
      }
    }
    const auto r = answer(q);
    const std::string kind = std::string(high ? "high shifts, " : "low shifts, ") + q.op.rounding_mode + ": ";
    seen.count(kind + (r ? "fit" : dytq::name(r.error().why)));
    CHECK(static_cast<bool>(r) == tried.has_value());
    if (r && tried) {
      CHECK(r->multiplier == tried->multiplier);
      CHECK(r->shift == tried->shift);
    }
    if (!r)
      examine_refusal(q, r.error());
    // Would the other rounding answer otherwise? Then this question tells them apart.
    question other = q;
    other.search.rounding = q.search.rounding == dytq::rounding_mode::double_round ? dytq::rounding_mode::single_round
                                                                                   : dytq::rounding_mode::double_round;
    const auto o = answer(other);
    if (static_cast<bool>(o) != static_cast<bool>(r) || (r && !(*o == *r)))
      seen.count("the rounding mode decides");
  }
  WARN(questions << " questions of reduced width" << seen.text());
  for (const std::string kind : {"high shifts, SINGLE_ROUND: ", "high shifts, DOUBLE_ROUND: ",
                                 "low shifts, SINGLE_ROUND: ", "low shifts, DOUBLE_ROUND: "}) {
    INFO(kind);
    CHECK(seen.of(kind + "fit") * 20 >= questions);
    CHECK(seen.of(kind + "no_rescale") * 40 >= questions);
  }
  CHECK(seen.of("the rounding mode decides") * 100 >= questions);
}

TEST_CASE("fit_rescale of full width has the largest shift and there the smallest multiplier") {
  const integer questions = from_environment("DYTQ_SITES", 2500);
  const integer seed = from_environment("DYTQ_SEED", 20261129);
  histogram seen;
  for (integer k = 0; k < questions; ++k) {
    source s(static_cast<std::uint64_t>(seed) * 1000003u + static_cast<std::uint64_t>(k) + (std::uint64_t{1} << 41));
    question q = ask(s, oracle::i32_max, {2, 62}, s.pick({8, 8, 16, 32}));
    if (s.chance(40)) {  // scales as they occur
      const integer m = oracle::multiplier_value(s), shift = s.range(28, 40);
      for (std::size_t j = 0; j < q.codes.size(); ++j)
        q.values[j] = rescaled(q, q.codes[j], m, shift).value_or(0);
    }
    INFO("DYTQ_SEED=" << seed << " question " << k << ": " << text(q));
    const auto r = answer(q);
    seen.count(r ? "fit" : dytq::name(r.error().why));
    const integer last = r ? r->shift : 1;
    for (integer shift = 62; shift > last; --shift)
      CHECK(!interval(q, shift, q.codes.size()));
    if (r) {
      const auto here = interval(q, r->shift, q.codes.size());
      REQUIRE(here);
      CHECK(here->first == r->multiplier);
      for (std::size_t j = 0; j < q.codes.size(); ++j)
        CHECK(rescaled(q, q.codes[j], r->multiplier, r->shift) == std::optional<integer>(q.values[j]));
    } else {
      examine_refusal(q, r.error());
    }
  }
  WARN(questions << " questions of full width" << seen.text());
  CHECK(seen.of("fit") * 4 >= questions);
  CHECK(seen.of("no_rescale") * 10 >= questions);
}

}  // namespace
}  // namespace soundness
