// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/rescale.hpp>

#include <array>
#include <cstdint>
#include <random>

#include "support/both_worlds.hpp"
#include "support/plain_model.hpp"

using dytq::apply_scale_16;
using dytq::apply_scale_32;
using dytq::code_type;
using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::rescale_operator;
using dytq::rounding_mode;
using dytq::view;
using dytq_tests::opaque;
using dytq_tests::plain_rescale;

namespace {

constexpr std::int64_t two(int n) { return std::int64_t{1} << n; }

template <class T>
constexpr bool refused(const dytq::result<T>& r, const rejection& as) {
  return !r && r.error() == as;
}

/// What a step's words make of a value, modulo 2^32.
constexpr std::int32_t by_words(const dytq::rescale& r, std::int64_t value) {
  return dytq::rescale_words::make(r).value()(static_cast<std::int32_t>(value));
}

}  // namespace

TEST_CASE("ties round up, both signs; DOUBLE_ROUND moves them away from zero") {
  DYTQ_CHECK_BOTH(apply_scale_32(opaque<std::int64_t>(1), two(30), 31).value() == 1);
  DYTQ_CHECK_BOTH(apply_scale_32(opaque<std::int64_t>(-1), two(30), 31).value() == 0);
  DYTQ_CHECK_BOTH(apply_scale_32(opaque<std::int64_t>(3), two(30), 31).value() == 2);
  DYTQ_CHECK_BOTH(apply_scale_32(opaque<std::int64_t>(-3), two(30), 31).value() == -1);
  // Beyond shift 31, 2^30 more or less: 2^31 - 2^30 of half 2^31 at shift 32.
  DYTQ_CHECK_BOTH(apply_scale_32(opaque<std::int64_t>(1), two(30), 32, rounding_mode::double_round).value() == 1);
  DYTQ_CHECK_BOTH(apply_scale_32(opaque<std::int64_t>(1), two(30), 32).value() == 0);
  DYTQ_CHECK_BOTH(apply_scale_32(opaque<std::int64_t>(1), two(30) - 1, 32, rounding_mode::double_round).value() == 0);
  DYTQ_CHECK_BOTH(apply_scale_32(opaque<std::int64_t>(-1), two(30), 32, rounding_mode::double_round).value() == 0);
  DYTQ_CHECK_BOTH(apply_scale_32(opaque<std::int64_t>(-1), two(30) + 1, 32, rounding_mode::double_round).value() == -1);
  // At shift 31 it is no different.
  DYTQ_CHECK_BOTH(apply_scale_32(opaque<std::int64_t>(-1), two(30), 31, rounding_mode::double_round).value() == 0);
  DYTQ_CHECK_BOTH(apply_scale_32(opaque<std::int64_t>(-2), two(30) + 1, 31, rounding_mode::double_round).value() == -1);
}

TEST_CASE("the limits of apply_scale_32") {
  DYTQ_CHECK_BOTH(apply_scale_32(opaque<std::int64_t>(1), 1, 2).value() == 0);
  DYTQ_CHECK_BOTH(apply_scale_32(opaque<std::int64_t>(-2), INT32_MAX, 2).value() == -1073741823);
  DYTQ_CHECK_BOTH(refused(apply_scale_32(opaque<std::int64_t>(2), 1, 2),
                          {.why = reason::value_exceeds_shift, .code = 2, .expected = 1, .got = 2}));
  DYTQ_CHECK_BOTH(refused(apply_scale_32(opaque<std::int64_t>(-3), 1, 2),
                          {.why = reason::value_exceeds_shift, .code = -3, .expected = -2, .got = -3}));
  DYTQ_CHECK_BOTH(apply_scale_32(opaque<std::int64_t>(INT32_MIN), INT32_MAX, 32).value() == -1073741823);
  DYTQ_CHECK_BOTH(apply_scale_32(opaque<std::int64_t>(INT32_MAX), INT32_MAX, 62).value() == 1);
  DYTQ_CHECK_BOTH(apply_scale_32(opaque<std::int64_t>(INT32_MIN), INT32_MAX, 62).value() == -1);
  DYTQ_CHECK_BOTH(
      refused(apply_scale_32(opaque(two(31)), 1, 62),
              {.why = reason::value_exceeds_int32, .code = two(31), .expected = INT32_MAX, .got = two(31)}));
  DYTQ_CHECK_BOTH(apply_scale_32(opaque<std::int64_t>(INT64_MIN), 1, 62).error().expected == INT32_MIN);
  DYTQ_CHECK_BOTH(apply_scale_32(0, opaque<std::int64_t>(INT64_MIN), 30).error().why == reason::multiplier_negative);
  DYTQ_CHECK_BOTH(apply_scale_32(0, opaque<std::int64_t>(INT64_MAX), 30).error().why == reason::multiplier_too_large);
  DYTQ_CHECK_BOTH(apply_scale_32(0, 0, opaque<std::int64_t>(INT64_MAX)).error().why == reason::shift_out_of_range);
  DYTQ_CHECK_BOTH(apply_scale_32(0, 0, opaque<std::int64_t>(1)).error().expected == 2);
}

TEST_CASE("the limits of apply_scale_16") {
  DYTQ_CHECK_BOTH(apply_scale_16(opaque<std::int64_t>(1), two(14), 15).value() == 1);
  DYTQ_CHECK_BOTH(apply_scale_16(opaque<std::int64_t>(-1), two(14), 15).value() == 0);
  DYTQ_CHECK_BOTH(apply_scale_16(opaque<std::int64_t>(7), 1, 2).value() == 2);
  DYTQ_CHECK_BOTH(apply_scale_16(opaque(two(47) - 1), 32767, 62).value() == 1);
  DYTQ_CHECK_BOTH(apply_scale_16(opaque(-two(47)), 32767, 62).value() == -1);
  DYTQ_CHECK_BOTH(apply_scale_16(opaque(two(47) - 1), 32767, 30).error().why == reason::value_exceeds_int32);
  DYTQ_CHECK_BOTH(
      refused(apply_scale_16(opaque(two(32)), 2, 2),
              {.why = reason::value_exceeds_int32, .code = two(32), .expected = INT32_MAX, .got = two(31)}));
  DYTQ_CHECK_BOTH(apply_scale_16(opaque(two(32) - 2), 2, 2).value() == INT32_MAX);
  DYTQ_CHECK_BOTH(apply_scale_16(opaque(-two(32)), 2, 2).value() == INT32_MIN);
}

TEST_BOTH("which operators exist", {
  constexpr std::array types{code_type::i8,  code_type::u8,  code_type::i16,
                             code_type::u16, code_type::i32, code_type::i48};
  int legal = 0;
  for (const code_type in : types) {
    for (const code_type out : types) {
      for (const bool scale32 : {false, opaque(true)}) {
        for (const rounding_mode r : {rounding_mode::single_round, rounding_mode::double_round}) {
          const bool in_u = in == code_type::u8 || in == code_type::u16;
          const bool out_u = out == code_type::u8 || out == code_type::u16;
          const bool expected = out != code_type::i48 && !(in_u && out_u) && !(in_u && out == code_type::i32) &&
                                !(out_u && (in == code_type::i32 || in == code_type::i48)) &&
                                !(scale32 && in == code_type::i48) && (scale32 || r == rounding_mode::single_round);
          if (dytq::validate({.in = in, .out = out, .scale32 = scale32, .rounding = r}).has_value() != expected) {
            return false;
          }
          legal += expected ? 1 : 0;
        }
      }
    }
  }
  return legal > 0;
})

TEST_CASE("one value, over types and zero points") {
  constexpr std::int32_t one = 1 << 30;
  constexpr rescale_operator to_u8{.in = code_type::i8, .out = code_type::u8, .input_zp = -128, .output_zp = 3};
  DYTQ_CHECK_BOTH(dytq::apply(to_u8, opaque<std::int64_t>(-128), one, 30).value() == 3);
  DYTQ_CHECK_BOTH(dytq::apply(to_u8, opaque<std::int64_t>(127), one, 30).value() == 255);
  constexpr rescale_operator below{.in = code_type::i8, .out = code_type::u8};
  DYTQ_CHECK_BOTH(dytq::apply(below, opaque<std::int64_t>(-5), one, 30).value() == 0);
  constexpr rescale_operator u16{.in = code_type::u16, .out = code_type::i16, .input_zp = 32768};
  DYTQ_CHECK_BOTH(dytq::apply(u16, opaque<std::int64_t>(0), one, 30).value() == -32768);
  DYTQ_CHECK_BOTH(dytq::apply(u16, opaque<std::int64_t>(65535), one, 30).value() == 32767);
  DYTQ_CHECK_BOTH(refused(dytq::apply(u16, opaque<std::int64_t>(65536), one, 30),
                          {.why = reason::code_out_of_range, .at = place::input, .expected = 65535, .got = 65536}));
  DYTQ_CHECK_BOTH(refused(dytq::apply(below, opaque<std::int64_t>(-129), one, 30),
                          {.why = reason::code_out_of_range, .at = place::input, .expected = -128, .got = -129}));
  constexpr rescale_operator wide{.in = code_type::i48, .out = code_type::i8, .output_zp = -1, .scale32 = false};
  DYTQ_CHECK_BOTH(dytq::apply(wide, opaque(two(40)), 1, 40).value() == 0);
  DYTQ_CHECK_BOTH(refused(dytq::apply(wide, opaque(-two(33)), 1, 2), {.why = reason::value_exceeds_int32,
                                                                      .at = place::output,
                                                                      .code = -two(33),
                                                                      .expected = INT32_MIN,
                                                                      .got = -two(31) - 1}));
  DYTQ_CHECK_BOTH(
      dytq::validate(rescale_operator{.in = code_type::i32, .input_zp = opaque<std::int64_t>(INT64_MIN)}).error().why ==
      reason::zero_point_not_zero);
  DYTQ_CHECK_BOTH(dytq::validate(rescale_operator{.input_zp = opaque<std::int64_t>(INT64_MIN)}).error().expected ==
                  -128);
}

TEST_BOTH("per channel tensors; a refusal leaves the output as it was", {
  const std::array<std::int8_t, 6> in{10, 20, 30, -10, -20, opaque<std::int8_t>(-30)};
  std::array<std::int16_t, 6> out{7, 7, 7, 7, 7, 7};
  const std::array<std::int32_t, 3> m{1 << 30, 1 << 30, 1 << 30};
  std::array<std::int32_t, 3> s{30, 31, 32};
  const view<const std::int8_t, 2> x(in.data(), {2, 3});
  const view<std::int16_t, 2> y(out.data(), {2, 3});
  const rescale_operator op{.in = code_type::i8, .out = code_type::i16, .per_channel = true};
  if (!dytq::apply(op, x, m, s, y) || out != std::array<std::int16_t, 6>{10, 10, 8, -10, -10, -7}) {
    return false;
  }
  s[2] = 5;
  const auto kept = out;
  return refused(dytq::apply(op, x, m, s, y),
                 {.why = reason::value_exceeds_shift, .channel = 2, .code = 30, .expected = 15, .got = 30}) &&
         out == kept &&
         refused(dytq::apply(op, x, view<const std::int32_t>(m.data(), {1}), s, y),
                 {.why = reason::per_channel_count, .expected = 3, .got = 1}) &&
         dytq::apply({.in = code_type::i8, .out = code_type::i16}, x, m, s, y).error().why == reason::per_channel_count;
})

TEST_BOTH("tensors that do not agree, or cannot hold the codes", {
  std::array<std::int8_t, 4> a{};
  std::array<std::int8_t, 6> b{};
  const std::array<std::int32_t, 1> m{1 << 30};
  const std::array<std::int32_t, 1> s{opaque(30)};
  const view<const std::int8_t> x = a;
  const view<std::int8_t> y = a;
  const view<std::int8_t> longer = b;
  return dytq::apply({}, x, m, s, longer).error() ==
             rejection{.why = reason::shape_mismatch, .at = place::output, .axis = 0, .expected = 4, .got = 6} &&
         dytq::apply({.out = code_type::i16}, x, m, s, y).error() ==
             rejection{.why = reason::code_out_of_range, .at = place::output, .expected = -128, .got = -32768} &&
         dytq::apply({.out = code_type::u8}, x, m, s, y).error() ==
             rejection{.why = reason::code_out_of_range, .at = place::output, .expected = 127, .got = 255} &&
         dytq::apply({}, x, m, s, view<std::int8_t>(a.data(), {4}, {0})).error().why == reason::aliased_output &&
         dytq::apply({}, x, m, s, y).has_value() &&
         dytq::apply({}, view<const std::int8_t>(), m, s, view<std::int8_t>()).has_value();
})

TEST_CASE("outputs in place, or apart") {
  std::array<std::int8_t, 8> a{1, 2, 3, 4, 5, 6, 7, 8};
  const std::array<std::int32_t, 1> m{1 << 30};
  const std::array<std::int32_t, 1> s{31};
  CHECK(dytq::apply({}, view<const std::int8_t>(a.data(), {4}), m, s, view<std::int8_t>(a.data(), {4})));
  CHECK(a[3] == 2);
  CHECK(dytq::apply({}, view<const std::int8_t>(a.data(), {4}), m, s, view<std::int8_t>(a.data() + 1, {4})).error() ==
        rejection{.why = reason::overlapping_views, .at = place::output});
  const view<std::int8_t> wild(a.data(), {INT64_MAX}, {INT64_MAX});
  CHECK(dytq::apply({}, view<const std::int8_t>(a), m, s, wild).error().why == reason::extent_overflow);
  CHECK(dytq::apply({}, view<const std::int8_t>(wild), m, s, view<std::int8_t>(a)).error().why ==
        reason::extent_overflow);
}

TEST_CASE("a step of a chain: every refusal at its limit") {
  constexpr dytq::rescale r{.multiplier = 1 << 30, .shift = 30};
  DYTQ_CHECK_BOTH(dytq::apply(r, opaque(two(29) - 1)).value() == two(29) - 1);
  DYTQ_CHECK_BOTH(refused(dytq::apply(r, opaque(two(29)), place::gamma), {.why = reason::value_exceeds_shift,
                                                                          .at = place::gamma,
                                                                          .code = two(29),
                                                                          .expected = two(29) - 1,
                                                                          .got = two(29)}));
  DYTQ_CHECK_BOTH(dytq::apply(r, opaque(-two(29))).value() == -two(29));
  DYTQ_CHECK_BOTH(refused(dytq::apply({.multiplier = 0, .shift = 62, .input_zp = INT32_MIN}, opaque<std::int64_t>(0)),
                          {.why = reason::value_exceeds_int32, .code = 0, .expected = INT32_MAX, .got = two(31)}));
  DYTQ_CHECK_BOTH(
      dytq::apply({.multiplier = 0, .shift = 62, .input_zp = INT32_MIN}, opaque<std::int64_t>(-1)).has_value());
  DYTQ_CHECK_BOTH(
      refused(dytq::apply(r, opaque(two(31))),
              {.why = reason::value_exceeds_int32, .code = two(31), .expected = INT32_MAX, .got = two(31)}));
  DYTQ_CHECK_BOTH(dytq::apply({.output_zp = INT32_MAX}, opaque<std::int64_t>(0)).value() == INT32_MAX);
  DYTQ_CHECK_BOTH(refused(dytq::apply({.output_zp = INT32_MAX}, opaque<std::int64_t>(1)),
                          {.why = reason::value_exceeds_int32, .code = 1, .expected = INT32_MAX, .got = two(31)}));
  DYTQ_CHECK_BOTH(dytq::apply({.output_zp = INT32_MIN}, opaque<std::int64_t>(-1)).error().expected == INT32_MIN);
  DYTQ_CHECK_BOTH(dytq::validate(dytq::rescale{.out = {3, 2}}).error().why == reason::range_inverted);
  DYTQ_CHECK_BOTH(dytq::validate(dytq::rescale{.out = {INT64_MIN, 2}}).error().why == reason::range_inverted);
  DYTQ_CHECK_BOTH(dytq::validate(dytq::rescale{.multiplier = opaque(-1)}).error().why == reason::multiplier_negative);
  DYTQ_CHECK_BOTH(dytq::validate(dytq::rescale{.shift = opaque(63)}).error().expected == 62);
  DYTQ_CHECK_BOTH(dytq::validate(dytq::rescale{.rounding = rounding_mode::inexact_round}, place::beta).error() ==
                  rejection{.why = reason::inexact_round, .at = place::beta});
}

TEST_CASE("a step agrees with the plain model, near every limit") {
  std::mt19937_64 random(1);
  const auto near = [&]() -> std::int64_t {
    const std::int64_t power = two(static_cast<int>(random() % 32));
    const auto by = static_cast<std::int64_t>(random() % 5) - 2;
    return random() % 2 == 0 ? power + by : -power + by;
  };
  const auto fit32 = [](std::int64_t v) {
    return static_cast<std::int32_t>(v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v);
  };
  int legal = 0;
  int in_words = 0;
  for (int round = 0; round < 200000; ++round) {
    const std::int32_t m = fit32(near());
    dytq::rescale r{.multiplier = m < 0 ? fit32(-std::int64_t{m}) : m,
                    .shift = 2 + static_cast<std::int32_t>(random() % 61),
                    .input_zp = random() % 2 == 0 ? 0 : fit32(near()),
                    .output_zp = random() % 2 == 0 ? 0 : fit32(near()),
                    .out = random() % 2 == 0 ? dytq::int8_range : dytq::int32_range,
                    .rounding = random() % 2 == 0 ? rounding_mode::single_round : rounding_mode::double_round};
    const std::int64_t v = fit32(near());
    const auto got = dytq::apply(r, v);
    const auto plain = plain_rescale(r, v);
    if (got.has_value() != plain.ok || (plain.ok && *got != plain.v)) {
      FAIL(r.multiplier << ' ' << r.shift << ' ' << r.input_zp << ' ' << r.output_zp << ' ' << v);
    }
    legal += plain.ok ? 1 : 0;
    const dytq::rescale_kernel kernel(r);
    if (plain.ok && dytq::rescale_words::make(r) && kernel.range().contains(kernel.unclamped(v))) {
      ++in_words;
      if (by_words(r, v) != plain.v) {
        FAIL("words of " << r.multiplier << ' ' << r.shift << ' ' << r.input_zp << ' ' << r.output_zp << ' ' << v);
      }
    }
  }
  CHECK(legal > 20000);
  CHECK(in_words > 10000);
}

TEST_BOTH("a step that words cannot say", {
  using dytq::rescale_words;
  const auto why = [](const dytq::rescale& r) { return rescale_words::make(r).error(); };
  const dytq::rescale by_sign{.shift = opaque(40), .rounding = rounding_mode::double_round};
  const dytq::rescale wide{.shift = opaque(30), .rounding = rounding_mode::tflite_single, .left_shift = 20};
  return why(by_sign) == rejection{.why = reason::unknown_rounding_mode,
                                   .got = static_cast<std::int64_t>(rounding_mode::double_round)} &&
         why(wide) == rejection{.why = reason::multiplier_too_large, .expected = INT32_MAX, .got = two(50)} &&
         why({.shift = opaque(1)}).why == reason::shift_out_of_range && rescale_words::make({.shift = opaque(40)});
})

TEST_BOTH("a step in words: what would be negative, at shifts below and above that of a word", {
  for (const int shift : {2, 20, 31, 33, 40, 62}) {
    const std::int64_t limit = two(shift < 32 ? shift - 1 : 31);
    for (const std::int64_t value : {-limit, std::int64_t{-1}, std::int64_t{1}, limit - 1}) {
      const dytq::rescale r{.multiplier = opaque(INT32_MAX - 5), .shift = shift};
      if (const auto plain = plain_rescale(r, value); !plain.ok || by_words(r, value) != plain.v) {
        return false;
      }
    }
  }
  return true;
})

TEST_BOTH("the least value of a shift is legal, the one below and the one above the greatest are not", {
  return dytq::apply_scale_32(dytq_tests::opaque(-2), 4, 2).value_or(9) == -2 &&
         dytq::apply_scale_32(1, 4, 2).value_or(9) == 1 && !dytq::apply_scale_32(-3, 4, 2) &&
         !dytq::apply_scale_32(2, 4, 2);
})
