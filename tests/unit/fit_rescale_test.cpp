// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/fit_rescale.hpp>
#include <dytq/rescale.hpp>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "support/both_worlds.hpp"
#include "support/plain_model.hpp"

using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::rescale_search;
using dytq::rounding_mode;
using dytq::view;
using dytq_tests::opaque;
using dytq_tests::plain_rescale;

namespace {

template <class T>
constexpr bool refused(const dytq::result<T>& r, const rejection& as) {
  return !r && r.error() == as;
}

template <std::size_t N>
constexpr auto fit(const std::array<std::int32_t, N>& codes, const std::array<std::int32_t, N>& values,
                   const rescale_search& search = {}) {
  return dytq::fit_rescale(view<const std::int32_t>(codes), view<const std::int32_t>(values), search);
}

// Does the scale map these codes to these values? By the plain model.
template <class Codes>
constexpr bool maps(const rescale_search& s, std::int64_t multiplier, std::int64_t shift, const Codes& codes,
                    const Codes& values) {
  const dytq::rescale r{.multiplier = static_cast<std::int32_t>(multiplier),
                        .shift = static_cast<std::int32_t>(shift),
                        .input_zp = static_cast<std::int32_t>(s.input_zp),
                        .output_zp = static_cast<std::int32_t>(s.output_zp),
                        .out = s.out,
                        .rounding = s.rounding};
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto got = plain_rescale(r, codes[i]);
    if (!got.ok || got.v != values[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace

TEST_BOTH("the largest shift, and there the smallest multiplier", {
  const auto half = fit<3>({-2, opaque(0), 2}, {-1, 0, 1});
  const auto clamped = fit<3>({-100, 0, 100}, {-128, 0, 127});
  const auto zero = fit<2>({-5, 5}, {0, 0});
  return half && half->shift == 32 && half->multiplier == (std::int32_t{1} << 30) + 1 && clamped && zero &&
         *zero == dytq::multiplier_shift{0, 62} &&
         maps(rescale_search{}, clamped->multiplier, clamped->shift, std::array{-100, 0, 100},
              std::array{-128, 0, 127});
})

TEST_BOTH("what is scaled fits int32 before the zero point is added, with TFLite's one rounding", {
  const auto search = [](std::int64_t output_zp) {
    return rescale_search{.out = dytq::int32_range, .output_zp = output_zp, .rounding = rounding_mode::tflite_single};
  };
  // 2^30 + 60 times almost 2 is 2^31 + 52, or, without the zero point, in the range.
  const auto none = fit<1>({(1 << 30) + opaque(60)}, {2147483600}, search(-100));
  const auto low = fit<1>({-(1 << 30) - 60}, {-2147483600}, search(100));
  const auto fits = fit<1>({(1 << 30) + 60}, {2147483600}, search(0));
  return none.error().why == reason::no_rescale && low.error().why == reason::no_rescale && fits &&
         apply(
             dytq::rescale{
                 .multiplier = fits->multiplier, .shift = fits->shift, .rounding = rounding_mode::tflite_single},
             (1 << 30) + 60)
                 .value() == 2147483600;
})

TEST_BOTH("limits of the search", {
  const rescale_search only{.shifts = {40, 40}};
  const auto f = fit<1>({opaque(1)}, {100}, {.multiplier_max = 399});
  return fit<1>({1}, {0}, only)->shift == 40 && f && f->multiplier <= 399 &&
         fit<1>({1}, {100}, {.multiplier_max = 197, .shifts = {2, 62}}).error().why == reason::no_rescale &&
         fit<1>({1}, {100}, {.multiplier_max = 398})->multiplier == 398 &&
         fit<2>({1, 9}, {7, 7}, {.output_zp = 7, .multiplier_max = 0}).value() == dytq::multiplier_shift{0, 62} &&
         fit<1>({1 << 30}, {1}, {.multiplier_max = 0}).error().why == reason::no_rescale;
})

TEST_BOTH("refusals", {
  const std::array<std::int32_t, 2> two{1, 2};
  const std::array<std::int32_t, 3> three{};
  const auto with = [&](const rescale_search& s) { return fit<2>({1, 2}, {1, 2}, s).error(); };
  const std::array<std::int64_t, 1> wide{opaque(std::int64_t{1} << 31)};
  const std::array<std::int64_t, 1> one{1};
  return refused(dytq::fit_rescale(view<const std::int32_t>(two), view<const std::int32_t>(three)),
                 {.why = reason::size_mismatch, .expected = 2, .got = 3}) &&
         dytq::fit_rescale(view<const int>(), view<const int>()).error().why == reason::empty &&
         with({.out = {1, 0}}) ==
             rejection{.why = reason::range_inverted, .at = place::output, .expected = 1, .got = 0} &&
         with({.out = {0, std::int64_t{1} << 40}}) == rejection{.why = reason::range_inverted,
                                                                .at = place::output,
                                                                .expected = INT32_MAX,
                                                                .got = std::int64_t{1} << 40} &&
         with({.multiplier_max = -1}) == rejection{.why = reason::multiplier_negative, .expected = 0, .got = -1} &&
         with({.multiplier_max = std::int64_t{1} << 31}) ==
             rejection{.why = reason::multiplier_too_large, .expected = INT32_MAX, .got = std::int64_t{1} << 31} &&
         with({.shifts = {1, 62}}) == rejection{.why = reason::shift_out_of_range, .expected = 2, .got = 1} &&
         with({.shifts = {2, 63}}) == rejection{.why = reason::shift_out_of_range, .expected = 62, .got = 63} &&
         with({.shifts = {9, 8}}) == rejection{.why = reason::range_inverted, .expected = 9, .got = 8} &&
         with({.input_zp = -std::int64_t{3000000000}}) == rejection{.why = reason::zero_point_out_of_range,
                                                                    .at = place::input,
                                                                    .expected = INT32_MIN,
                                                                    .got = -std::int64_t{3000000000}} &&
         with({.output_zp = INT64_MAX}) == rejection{.why = reason::zero_point_out_of_range,
                                                     .at = place::output,
                                                     .expected = INT32_MAX,
                                                     .got = INT64_MAX} &&
         with({.rounding = rounding_mode::inexact_round}).why == reason::inexact_round &&
         with({.out = {-200, 100}, .rounding = opaque(rounding_mode::xnnpack_rndnu)}).why == reason::range_inverted &&
         with({.output_zp = 300, .rounding = opaque(rounding_mode::onnx)}).why == reason::zero_point_out_of_range &&
         with({.rounding = opaque(rounding_mode::xnnpack_fp32), .shifts = {2, 15}}) ==
             rejection{.why = reason::range_inverted, .expected = 16, .got = 15} &&
         refused(dytq::fit_rescale(view<const std::int64_t>(wide), view<const std::int64_t>(one)),
                 {.why = reason::code_out_of_range,
                  .at = place::input,
                  .expected = INT32_MAX,
                  .got = std::int64_t{1} << 31}) &&
         refused(dytq::fit_rescale(view<const std::int64_t>(one), view<const std::int64_t>(wide)),
                 {.why = reason::code_out_of_range,
                  .at = place::output,
                  .code = 1,
                  .expected = INT32_MAX,
                  .got = std::int64_t{1} << 31}) &&
         fit<3>({4, 7, 4}, {1, 2, 3}).error() ==
             rejection{.why = reason::contradiction, .code = 4, .expected = 1, .got = 3} &&
         fit<3>({4, 7, 4}, {1, 2, 1}).has_value() && fit<1>({0}, {300}).error().why == reason::no_rescale;
})

TEST_BOTH("a fused chain of two RESCALEs", {
  const dytq::rescale first{
      .multiplier = 1 << 30, .shift = 32, .input_zp = 3, .output_zp = -2, .out = dytq::int8_range};
  const dytq::rescale second{
      .multiplier = 1 << 30, .shift = 30, .input_zp = -2, .output_zp = opaque(5), .out = dytq::int8_range};
  const auto chain = [&](std::int8_t c) -> dytq::result<std::int32_t> {
    const auto between = dytq::apply(first, c);
    return between ? dytq::apply(second, *between) : between;
  };
  const rescale_search search{.input_zp = 3, .output_zp = 5};
  std::array<std::int16_t, 256> codes{};
  std::array<std::int16_t, 256> values{};
  std::array<std::int16_t, 256> squares{};
  for (int c = -128; c < 128; ++c) {
    const auto at = static_cast<std::size_t>(c + 128);
    codes[at] = static_cast<std::int16_t>(c);
    values[at] = static_cast<std::int16_t>(*chain(static_cast<std::int8_t>(c)));
    squares[at] = static_cast<std::int16_t>(c * c / 200);
  }
  const auto fit_all = [&](const std::array<std::int16_t, 256>& map, const rescale_search& how) {
    return dytq::fit_rescale(view<const std::int16_t>(codes), view<const std::int16_t>(map), how);
  };
  const auto f = fit_all(values, search);
  if (!f) {
    return false;
  }
  for (int c = -128; c < 128; ++c) {
    if (plain_rescale(
            {.multiplier = f->multiplier, .shift = f->shift, .input_zp = 3, .output_zp = 5, .out = dytq::int8_range}, c)
            .v != *chain(static_cast<std::int8_t>(c))) {
      return false;
    }
  }
  return fit_all(squares, {}).error().why == reason::no_rescale;
})

TEST_CASE("complete: the fit is the one that brute force over all scales finds, or there is none") {
  std::mt19937 random(3);
  const auto draw = [&](int lo, int hi) {
    return lo + static_cast<int>(random() % (static_cast<unsigned>(hi) - static_cast<unsigned>(lo) + 1u));
  };
  int found = 0;
  int none = 0;
  for (int round = 0; round < 3000; ++round) {
    rescale_search s{.out = {draw(-9, 0), draw(1, 9)},
                     .input_zp = draw(-3, 3),
                     .output_zp = draw(-3, 3),
                     .multiplier_max = draw(1, 63),
                     .shifts = {draw(2, 4), draw(4, 9)}};
    const bool far = draw(0, 3) == 0;  // zero points at the limits, rounding terms that count
    if (far) {
      s.rounding = draw(0, 1) == 0 ? rounding_mode::double_round : rounding_mode::single_round;
      s.shifts = {30, 34};
      s.output_zp = draw(0, 1) == 0 ? INT32_MAX - draw(0, 5) : INT32_MIN + draw(0, 5);
      s.out = s.output_zp > 0 ? dytq::code_range{INT32_MAX - 9, INT32_MAX} : dytq::code_range{INT32_MIN, INT32_MIN + 9};
    }
    const std::size_t n = static_cast<std::size_t>(draw(1, 4));
    std::vector<std::int32_t> codes(n);
    std::vector<std::int32_t> values(n);
    const bool made = draw(0, 1) == 0;
    const dytq::rescale r{.multiplier = draw(0, static_cast<int>(s.multiplier_max)),
                          .shift = draw(static_cast<int>(s.shifts.lo), static_cast<int>(s.shifts.hi)),
                          .input_zp = static_cast<std::int32_t>(s.input_zp),
                          .output_zp = static_cast<std::int32_t>(s.output_zp),
                          .out = s.out,
                          .rounding = s.rounding};
    for (std::size_t i = 0; i < n; ++i) {
      codes[i] = (i == 0 ? -8 : codes[i - 1]) + draw(1, 5);
      if (far) {
        codes[i] = dytq::wrap_int32(std::int64_t{codes[i]} * (1 << 24));
      }
      const auto v = plain_rescale(r, codes[i]);
      values[i] = made && v.ok ? static_cast<std::int32_t>(v.v) : static_cast<std::int32_t>(s.out.lo + draw(0, 9));
    }
    for (std::size_t i = 0; i < n && far; ++i) {
      codes[i] = static_cast<std::int32_t>(i) * (1 << 27) - (1 << 27);
    }
    std::int64_t multiplier = -1;
    std::int64_t shift = s.shifts.hi;
    for (; shift >= s.shifts.lo && multiplier < 0; --shift) {
      for (std::int64_t m = 0; m <= s.multiplier_max && multiplier < 0; ++m) {
        multiplier = maps(s, m, shift, codes, values) ? m : -1;
      }
    }
    ++shift;
    const auto f = dytq::fit_rescale(view<const std::int32_t>(codes), view<const std::int32_t>(values), s);
    CHECK(f.has_value() == (multiplier >= 0));
    if (f) {
      ++found;
      CHECK(f->multiplier == multiplier);
      CHECK(f->shift == shift);
    } else {
      ++none;
      CHECK(f.error().why == reason::no_rescale);
      // With the smallest shift, the codes up to the one shown have no multiplier, and those before it have.
      std::size_t shown = 0;
      while (codes[shown] != f.error().code) {
        ++shown;
      }
      CHECK(values[shown] == f.error().expected);
      bool before = false;
      bool with = false;
      for (std::int64_t m = 0; m <= s.multiplier_max; ++m) {
        using part = std::vector<std::int32_t>;
        const auto upto = [](const part& all, std::size_t k) {
          return part(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k));
        };
        before = before || maps(s, m, s.shifts.lo, upto(codes, shown), upto(values, shown));
        with = with || maps(s, m, s.shifts.lo, upto(codes, shown + 1), upto(values, shown + 1));
      }
      CHECK(before);
      CHECK_FALSE(with);
    }
  }
  CHECK(found > 500);
  CHECK(none > 500);
}

TEST_CASE("float32 scales: complete by brute force, and every map that a scale makes is found") {
  std::mt19937 random(5);
  const auto draw = [&](int lo, int hi) {
    return lo + static_cast<int>(random() % (static_cast<unsigned>(hi) - static_cast<unsigned>(lo) + 1u));
  };
  int found = 0;
  int none = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto rounding = static_cast<rounding_mode>(
        static_cast<int>(rounding_mode::xnnpack_rndnu) +
        draw(0, static_cast<int>(rounding_mode::onnx_multiply) - static_cast<int>(rounding_mode::xnnpack_rndnu)));
    const bool wide = draw(0, 1) == 0;  // all multipliers
    const int lowest = draw(16, 18);
    rescale_search s{.out = {draw(-9, 0), draw(1, 9)},
                     .input_zp = draw(-3, 3),
                     .output_zp = draw(-3, 3),
                     .rounding = rounding,
                     .multiplier_max = wide ? INT32_MAX : draw(1, 40),
                     .shifts = {lowest, wide ? 40 : lowest + draw(0, 2)}};
    const std::int32_t m = wide ? draw(1 << 23, (1 << 24) - 1) : draw(0, static_cast<int>(s.multiplier_max));
    const dytq::rescale r{.multiplier = draw(0, 3) == 0 && wide ? 3 << 22 : m,
                          .shift = wide ? draw(22, 28) : draw(lowest, static_cast<int>(s.shifts.hi)),
                          .input_zp = static_cast<std::int32_t>(s.input_zp),
                          .output_zp = static_cast<std::int32_t>(s.output_zp),
                          .out = s.out,
                          .rounding = rounding};
    std::vector<std::int32_t> codes;
    std::vector<std::int32_t> values;
    for (int i = 0, code = wide ? -30 : -9000; i < draw(1, 6); ++i) {
      code += wide ? draw(1, 12) : draw(1, 5000);
      codes.push_back(code);
      values.push_back(dytq::apply(r, code).value());
    }
    const bool changed = draw(0, 2) == 0;
    if (changed) {
      values[0] = static_cast<std::int32_t>(s.out.clamp(values[0] + draw(-2, 2)));
    }
    const auto right = [&](std::int32_t multiplier, std::int32_t shift) {
      dytq::rescale one = r;
      one.multiplier = multiplier;
      one.shift = shift;
      bool all = true;
      for (std::size_t i = 0; i < codes.size() && all; ++i) {
        all = dytq::apply(one, codes[i]).value() == values[i];
      }
      return all;
    };
    const auto f = dytq::fit_rescale(view<const std::int32_t>(codes), view<const std::int32_t>(values), s);
    found += f ? 1 : 0;
    none += f ? 0 : 1;
    if (f) {
      CHECK(right(f->multiplier, f->shift));
      CHECK((f->multiplier == 0 || !right(f->multiplier - 1, f->shift)));
    } else {
      CHECK(f.error().why == reason::no_rescale);
      CHECK(changed);
    }
    for (auto shift = static_cast<std::int32_t>(s.shifts.hi); shift > (f ? f->shift : lowest - 1) && !wide; --shift) {
      for (std::int32_t multiplier = 0; multiplier <= s.multiplier_max; ++multiplier) {
        CHECK_FALSE(right(multiplier, shift));
      }
    }
  }
  CHECK(found > 1000);
  CHECK(none > 100);
}

TEST_CASE("zero points at the ends of int32: no fit that RESCALE would refuse") {
  for (const std::int64_t input_zp : {std::int64_t{INT32_MIN}, std::int64_t{-1}, std::int64_t{INT32_MAX}}) {
    for (const std::int64_t output_zp : {std::int64_t{INT32_MIN}, std::int64_t{0}, std::int64_t{INT32_MAX}}) {
      for (const std::int32_t c : {INT32_MIN, -1, 0, 1, INT32_MAX}) {
        for (const std::int32_t v : {INT32_MIN, 0, INT32_MAX}) {
          for (const auto rounding : {rounding_mode::single_round, rounding_mode::double_round}) {
            const rescale_search s{
                .out = dytq::int32_range, .input_zp = input_zp, .output_zp = output_zp, .rounding = rounding};
            const std::array<std::int32_t, 1> codes{c};
            const std::array<std::int32_t, 1> values{v};
            if (const auto f = fit(codes, values, s)) {
              CHECK(maps(s, f->multiplier, f->shift, codes, values));
            }
          }
        }
      }
    }
  }
}
