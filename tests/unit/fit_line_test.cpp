// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/fit_line.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include "support/both_worlds.hpp"
#include "support/plain_model.hpp"

using dytq::line_search;
using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::rounded_line;
using dytq::rounding_mode;
using dytq::view;
using dytq_tests::opaque;
using dytq_tests::plain_rescale;

namespace {

template <std::size_t N>
constexpr auto fit(const std::array<int, N>& codes, const std::array<int, N>& values, const line_search& search = {}) {
  return dytq::fit_line(view<const int>(codes), view<const int>(values), search);
}

// What the constants make of a code, or no value: TOSA's roundings by the plain model; those of other toolchains, which
// are compared with the toolchains themselves elsewhere, by the library.
constexpr dytq_tests::maybe made(const line_search& s, const rounded_line& l, std::int64_t code) {
  const dytq::rescale r{.multiplier = l.multiplier,
                        .shift = l.shift,
                        .output_zp = static_cast<std::int32_t>(s.output_zp),
                        .out = s.out,
                        .rounding = s.rounding};
  const std::int64_t accumulator = l.bias + (code - s.input_zp) * l.weight;
  if (s.rounding < rounding_mode::inexact_round) {
    return plain_rescale(r, accumulator);
  }
  const auto v = dytq::apply(r, accumulator);
  return {v.has_value(), v.value_or(0)};
}

// Do the constants do what they claim?
template <class Codes>
constexpr bool holds(const line_search& s, const rounded_line& l, const Codes& codes, const Codes& values) {
  std::int64_t most = 0;
  int differ = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto got = made(s, l, codes[i]);
    if (!got.ok) {
      return false;
    }
    const std::int64_t off = got.v < values[i] ? values[i] - got.v : got.v - values[i];
    most = off > most ? off : most;
    differ += off != 0 ? 1 : 0;
  }
  return s.weights.contains(l.weight) && most <= s.tolerance && l.max_difference == most && l.differ == differ;
}

// All codes, and floor((w x + b) / 2^s + 1/2), clamped.
constexpr std::array<int, 256> all_codes() {
  std::array<int, 256> codes{};
  for (int i = 0; i < 256; ++i) {
    codes[static_cast<std::size_t>(i)] = i - 128;
  }
  return codes;
}
constexpr std::array<int, 256> line(int w, int b, int s) {
  std::array<int, 256> values{};
  for (int i = 0; i < 256; ++i) {
    const int v = (w * (i - 128) + b + (1 << (s - 1))) >> s;
    values[static_cast<std::size_t>(i)] = v < -128 ? -128 : v > 127 ? 127 : v;
  }
  return values;
}

struct question {
  line_search search;
  std::vector<int> codes;
  std::vector<int> values;
};

dytq::result<rounded_line> answer(const question& q) {
  return dytq::fit_line(view<const int>(q.codes), view<const int>(q.values), q.search);
}

std::string text(const question& q) {
  std::string t = "zp " + std::to_string(q.search.input_zp) + " " + std::to_string(q.search.output_zp) + " out " +
                  std::to_string(q.search.out.lo) + ".." + std::to_string(q.search.out.hi) + " weights " +
                  std::to_string(q.search.weights.lo) + ".." + std::to_string(q.search.weights.hi) + " tolerance " +
                  std::to_string(q.search.tolerance) + " rounding " +
                  std::to_string(static_cast<int>(q.search.rounding));
  for (std::size_t i = 0; i < q.codes.size(); ++i) {
    t += " " + std::to_string(q.codes[i]) + "->" + std::to_string(q.values[i]);
  }
  return t;
}

// Is there a scale m / 2^s for this weight and bias, for values at most `off` away? Every code bounds it by a fraction:
// compared pair by pair, in another order than the library's.
bool scale_exists(const question& q, std::int64_t weight, std::int64_t bias, std::int64_t off) {
  struct bound {
    std::int64_t num, den;
    bool closed;
  };
  std::vector<bound> least{{0, 1, true}};
  std::vector<bound> most;
  for (std::size_t i = 0; i < q.codes.size(); ++i) {
    const std::int64_t v = 2 * (weight * (q.codes[i] - q.search.input_zp) + bias);
    const auto above = [&](std::int64_t y) {  // v mu >= y
      if (v > 0) {
        least.push_back({y, v, true});
      } else if (v < 0) {
        most.push_back({-y, -v, true});
      }
      return v != 0 || y <= 0;
    };
    const auto below = [&](std::int64_t y) {  // v mu < y
      if (v > 0) {
        most.push_back({y, v, false});
      } else if (v < 0) {
        least.push_back({-y, -v, false});
      }
      return v != 0 || y > 0;
    };
    const std::int64_t value = q.values[i] - q.search.output_zp;
    if ((q.values[i] - off > q.search.out.lo && !above(2 * (value - off) - 1)) ||
        (q.values[i] + off < q.search.out.hi && !below(2 * (value + off) + 1))) {
      return false;
    }
  }
  for (const bound& a : least) {
    for (const bound& b : most) {
      const std::int64_t left = a.num * b.den;
      const std::int64_t right = b.num * a.den;
      if (left > right || (left == right && !(a.closed && b.closed))) {
        return false;
      }
      // One scale alone: is it a multiple of a power of two?
      if (const std::int64_t den = a.den / std::gcd(a.num, a.den); left == right && (den & (den - 1)) != 0) {
        return false;
      }
    }
  }
  return true;
}

bool line_exists(const question& q, std::int64_t off, std::int64_t most_bias) {
  for (std::int64_t w = q.search.weights.lo; w <= q.search.weights.hi; ++w) {
    for (std::int64_t b = -most_bias; b <= most_bias; ++b) {
      if (scale_exists(q, w, b, off)) {
        return true;
      }
    }
  }
  return false;
}

// Do slopes and offsets exist at all? By all pairs of codes, as the definition has it.
bool real_line_exists(const question& q, std::int64_t off) {
  for (std::size_t i = 0; i < q.codes.size(); ++i) {
    for (std::size_t j = 0; j < q.codes.size(); ++j) {
      for (std::size_t k = 0; k < q.codes.size(); ++k) {
        // A slope from i (from above) to j (from below), and one to k: both must leave one between them.
        const auto lower = [&](std::size_t n) { return 2 * (q.values[n] - off) - 1; };
        const auto upper = [&](std::size_t n) { return 2 * (q.values[n] + off) + 1; };
        const auto bounded_below = [&](std::size_t n) { return q.values[n] - off > q.search.out.lo; };
        const auto bounded_above = [&](std::size_t n) { return q.values[n] + off < q.search.out.hi; };
        if (!(q.codes[j] < q.codes[i] && q.codes[i] < q.codes[k])) {
          continue;
        }
        const std::int64_t left = q.codes[i] - q.codes[j];
        const std::int64_t right = q.codes[k] - q.codes[i];
        // The middle must be >= its bound, and below the chord of the two others; or the other way round.
        if (bounded_below(i) && bounded_above(j) && bounded_above(k) &&
            lower(i) * (left + right) >= upper(j) * right + upper(k) * left) {
          return false;
        }
        if (bounded_above(i) && bounded_below(j) && bounded_below(k) &&
            upper(i) * (left + right) <= lower(j) * right + lower(k) * left) {
          return false;
        }
      }
    }
  }
  return true;
}

class drawer {
 public:
  explicit drawer(unsigned seed) : random_(seed) {}
  int operator()(int lo, int hi) {
    return lo + static_cast<int>(random_() % (static_cast<unsigned>(hi) - static_cast<unsigned>(lo) + 1u));
  }

 private:
  std::mt19937 random_;
};

// Few codes, small constants; half of the maps are made by a line, some of those changed.
question ask(drawer& draw) {
  question q;
  line_search& s = q.search;
  s.out = {draw(-9, 0), draw(1, 9)};
  s.input_zp = draw(-4, 4);
  s.output_zp = draw(-4, 4);
  s.weights = draw(0, 2) == 0 ? dytq::code_range{draw(-5, 5), 5} : dytq::code_range{draw(-6, 0), draw(0, 6)};
  s.tolerance = draw(0, 3) == 0 ? draw(1, 2) : 0;
  const int n = draw(1, 9);
  rounded_line l{.weight = draw(static_cast<int>(s.weights.lo), static_cast<int>(s.weights.hi)),
                 .bias = draw(-40, 40),
                 .multiplier = draw(0, 40),
                 .shift = draw(5, 9)};
  const bool is_line = draw(0, 3) != 0;
  for (int i = 0, code = -9; i < n; ++i) {
    code += draw(1, 3);
    q.codes.push_back(code);
    const auto v = made(s, l, code);
    q.values.push_back(is_line && v.ok ? static_cast<int>(v.v)
                                       : draw(static_cast<int>(s.out.lo), static_cast<int>(s.out.hi)));
  }
  if (draw(0, 2) == 0) {
    int& v = q.values[static_cast<std::size_t>(draw(0, n - 1))];
    v = static_cast<int>(s.out.clamp(v + draw(-1, 1)));
  }
  return q;
}

}  // namespace

TEST_BOTH("a line of all codes: clamped, falling, flat, constant", {
  for (const auto [w, b, s] : {std::array{45, 7, 6}, std::array{-45, 700, 6}, std::array{3, -50, 8},
                               std::array{0, opaque(640), 7}, std::array{127, 0, 1}, std::array{0, 0, 1}}) {
    const auto values = line(w, b, s);
    const auto found = fit(all_codes(), values);
    if (!found || !holds(line_search{}, *found, all_codes(), values)) {
      return false;
    }
  }
  return true;
})

TEST_BOTH("the largest weight comes first, since it places the zero best", {
  const auto found = fit(all_codes(), line(45, opaque(7), 6));
  const auto small = fit(all_codes(), line(2, 0, 2), {.weights = {-7, 7}});
  const auto none = fit(all_codes(), line(45, 7, 6), {.weights = {opaque(1), 2}});
  return found->weight == 127 && small->weight == 7 && none.error() == rejection{.why = reason::no_line_weight};
})

TEST_BOTH("zero points and ranges of uint8", {
  const std::array<int, 5> codes{0, 64, opaque(128), 200, 255};
  const std::array<int, 5> values{255, 192, 128, 56, 0};
  const line_search search{.out = {0, 255}, .input_zp = 128, .output_zp = 128};
  const auto found = fit(codes, values, search);
  return found && holds(search, *found, codes, values) && found->weight == -127;
})

TEST_BOTH("no line: three codes prove it, and what they allow the middle one is said", {
  // The third is above what the others let be.
  const std::array<int, 4> codes{-3, 0, opaque(5), 9};
  const std::array<int, 4> values{0, 0, 2, 0};
  const auto found = fit(codes, values);
  const auto conflict =
      dytq::find_line_conflict(view<const int>(codes), view<const int>(values), line_search{}).value();
  const auto one_off = fit(codes, values, {.tolerance = 1});
  return found.error() == rejection{.why = reason::no_line, .code = 5, .expected = 2, .got = 0} && conflict.exists &&
         conflict.codes == std::array<std::int64_t, 3>{-3, 5, 9} && conflict.expected == 2 && conflict.got == 0 &&
         one_off && one_off->max_difference == 1 && holds({.tolerance = 1}, *one_off, codes, values) &&
         !dytq::find_line_conflict(view<const int>(codes), view<const int>(values), {.tolerance = 1})->exists;
})

TEST_BOTH("codes in any order and several times; the same value each time", {
  const std::array<int, 6> codes{9, -3, 0, 9, opaque(-3), 5};
  const std::array<int, 6> values{9, -3, 1, 9, -3, 5};
  const auto found = fit(codes, values, {.tolerance = 2});
  return found && holds({.tolerance = 2}, *found, codes, values) &&
         fit<3>({4, 7, 4}, {1, 2, 3}, {.tolerance = 2}).error() ==
             rejection{.why = reason::contradiction, .code = 4, .expected = 1, .got = 3};
})

TEST_BOTH("refusals", {
  const auto with = [](const line_search& s) { return fit<2>({1, 2}, {1, opaque(2)}, s).error(); };
  const std::array<int, 2> two{1, 2};
  const std::array<int, 3> three{};
  return dytq::fit_line(view<const int>(two), view<const int>(three)).error() ==
             rejection{.why = reason::size_mismatch, .expected = 2, .got = 3} &&
         dytq::fit_line(view<const int>(), view<const int>()).error().why == reason::empty &&
         with({.out = {1, 0}}) ==
             rejection{.why = reason::range_inverted, .at = place::output, .expected = 1, .got = 0} &&
         with({.out = {0, 256}}).why == reason::range_inverted &&
         with({.out = {-257, 9}}).why == reason::range_inverted &&
         with({.weights = {1, 0}}) ==
             rejection{.why = reason::range_inverted, .at = place::weight, .expected = 1, .got = 0} &&
         with({.weights = {0, 32768}}).why == reason::range_inverted &&
         with({.input_zp = -257}) == rejection{.why = reason::zero_point_out_of_range, .expected = -256, .got = -257} &&
         with({.output_zp = 256}).why == reason::zero_point_out_of_range &&
         with({.tolerance = -1}) == rejection{.why = reason::code_out_of_range, .expected = 0, .got = -1} &&
         with({.rounding = rounding_mode::inexact_round}).why == reason::inexact_round &&
         with({.rounding = static_cast<rounding_mode>(200)}).why == reason::unknown_rounding_mode &&
         with({.out = {-200, 100}, .rounding = rounding_mode::xnnpack_fp32}).why == reason::range_inverted &&
         fit<1>({256}, {0}).error() ==
             rejection{.why = reason::code_out_of_range, .at = place::input, .expected = 255, .got = 256} &&
         fit<1>({5}, {128}).error() ==
             rejection{.why = reason::code_out_of_range, .at = place::output, .code = 5, .expected = 127, .got = 128} &&
         fit<1>({5}, {127}, {.tolerance = INT64_MAX}).has_value();
})

TEST_CASE("complete: a line is found exactly if trying every weight and bias finds one") {
  drawer draw(7);
  int found = 0;
  int no_line = 0;
  int no_weight = 0;
  int off = 0;
  for (int round = 0; round < 20000; ++round) {
    const question q = ask(draw);
    INFO(text(q));
    const auto line = answer(q);
    if (line) {
      ++found;
      REQUIRE(holds(q.search, *line, q.codes, q.values));
      // Not with a smaller largest difference.
      if (line->max_difference > 0) {
        ++off;
        REQUIRE_FALSE(line_exists(q, line->max_difference - 1, 60));
      }
      continue;
    }
    const bool real = real_line_exists(q, q.search.tolerance);
    REQUIRE(line.error().why == (real ? reason::no_line_weight : reason::no_line));
    (real ? no_weight : no_line) += 1;
    REQUIRE_FALSE(line_exists(q, q.search.tolerance, real ? 150 : 40));
  }
  CHECK(found > 8000);
  CHECK(no_line > 3000);
  CHECK(no_weight > 300);
  CHECK(off > 500);
}

TEST_CASE("a conflict is one of its three codes alone") {
  drawer draw(11);
  int conflicts = 0;
  for (int round = 0; round < 20000; ++round) {
    const question q = ask(draw);
    const auto c = dytq::find_line_conflict(view<const int>(q.codes), view<const int>(q.values), q.search).value();
    INFO(text(q));
    REQUIRE(c.exists == !real_line_exists(q, q.search.tolerance));
    if (!c.exists) {
      continue;
    }
    ++conflicts;
    question three{q.search, {}, {}};
    for (const std::int64_t code : c.codes) {
      const auto at = std::find(q.codes.begin(), q.codes.end(), code) - q.codes.begin();
      REQUIRE(static_cast<std::size_t>(at) < q.codes.size());
      three.codes.push_back(static_cast<int>(code));
      three.values.push_back(q.values[static_cast<std::size_t>(at)]);
    }
    REQUIRE(c.codes[0] < c.codes[1]);
    REQUIRE(c.codes[1] < c.codes[2]);
    REQUIRE_FALSE(real_line_exists(three, q.search.tolerance));
    // `got` is in the reach of a line that serves the two others, and one nearer to `expected` is not.
    const auto reaches = [&](std::int64_t v) {
      question other = three;
      other.search.tolerance = 0;
      other.search.out = {-1000, 1000};
      other.codes.clear();
      other.values.clear();
      const std::int64_t t = q.search.tolerance;
      // Each outer code within its tolerance and clamps: try all.
      for (std::int64_t a = three.values[0] - t; a <= three.values[0] + t; ++a) {
        for (std::int64_t b = three.values[2] - t; b <= three.values[2] + t; ++b) {
          other.codes = three.codes;
          other.values = {static_cast<int>(a), static_cast<int>(v), static_cast<int>(b)};
          if (real_line_exists(other, 0)) {
            return true;
          }
        }
      }
      return false;
    };
    REQUIRE(std::abs(c.expected - three.values[1]) <= q.search.tolerance);
    REQUIRE(reaches(c.got));
    REQUIRE_FALSE(reaches(c.got + (c.expected > c.got ? 1 : -1)));
  }
  CHECK(conflicts > 3000);
}

TEST_CASE("every rounding: what a line makes with one rounding is found, and right in its own arithmetic") {
  drawer draw(13);
  constexpr std::array modes{rounding_mode::single_round,  rounding_mode::double_round,  rounding_mode::tflite_single,
                             rounding_mode::tflite_double, rounding_mode::xnnpack_rndnu, rounding_mode::xnnpack_fp32,
                             rounding_mode::onnx,          rounding_mode::onnx_multiply};
  std::array<int, 9> found{};
  for (int round = 0; round < 3000; ++round) {
    question q;
    q.search.rounding = modes[static_cast<std::size_t>(draw(0, 7))];
    q.search.input_zp = draw(-128, 127);
    q.search.output_zp = draw(-128, 127);
    const int shift = draw(18, 30);
    const rounded_line l{.weight = draw(-127, 127),
                         .bias = draw(-3000, 3000),
                         .multiplier = draw(1 << (shift - 12), 1 << std::min(shift - 3, 23)),
                         .shift = shift};
    for (int code = -128; code < 128; code += draw(1, 1 + round % 3)) {
      const auto v = made({.output_zp = q.search.output_zp}, l, code);
      if (v.ok) {
        q.codes.push_back(code);
        q.values.push_back(static_cast<int>(v.v));
      }
    }
    if (q.codes.empty()) {
      continue;
    }
    q.search.input_zp = 0;
    INFO(text(q));
    const auto line = answer(q);
    REQUIRE(line);
    ++found[static_cast<std::size_t>(q.search.rounding)];
    REQUIRE(holds(q.search, *line, q.codes, q.values));
  }
  for (const rounding_mode mode : modes) {
    CHECK(found[static_cast<std::size_t>(mode)] > 200);
  }
}

TEST_CASE("within a tolerance: about as few codes are off as by the best of many lines") {
  drawer draw(17);
  std::int64_t all = 0;
  std::int64_t least = 0;
  for (int round = 0; round < 40; ++round) {
    question q;
    q.search.tolerance = 2;
    const int gain = draw(20, 62);
    const int offset = draw(-30, 30);
    for (int code = -128; code < 128; ++code) {  // two roundings
      const int first = (code * gain + 32) >> 6;
      q.codes.push_back(code);
      q.values.push_back(std::clamp(((first + offset) * 200 + 128) >> 8, -128, 127));
    }
    INFO(text(q));
    const auto line = answer(q);
    REQUIRE(line);
    REQUIRE(holds(q.search, *line, q.codes, q.values));
    // Slopes and offsets in units of 2^-16 and 1/40 code.
    int fewest = line->differ;
    const int slope = gain * 200 * 4;
    for (int a = slope - slope / 50; a <= slope + slope / 50; a += slope / 1000) {
      for (int b = -60; b <= 60; ++b) {
        int differ = 0;
        int most = 0;
        for (std::size_t i = 0; i < 256; ++i) {
          const int v = (a * q.codes[i] + ((offset * 200) << 8) + b * (65536 / 40) + 32768) >> 16;
          const int off = std::abs(std::clamp(v, -128, 127) - q.values[i]);
          differ += off != 0 ? 1 : 0;
          most = std::max(most, off);
        }
        fewest = most <= line->max_difference ? std::min(fewest, differ) : fewest;
      }
    }
    all += line->differ;
    least += fewest;
  }
  CHECK(all > 0);
  CHECK(all * 10 <= least * 11);
}

TEST_BOTH("half to even where float32 rounds: a line through the halves, which half up cannot make", {
  const std::array<int, 6> codes{0, 1, 2, opaque(3), 4, 5};
  const std::array<int, 6> values{0, 0, 1, 2, 2, 2};
  const line_search fp32{.rounding = rounding_mode::xnnpack_fp32};
  const auto found = fit(codes, values, fp32);
  return fit(codes, values).error().why == reason::no_line && found && holds(fp32, *found, codes, values);
})
