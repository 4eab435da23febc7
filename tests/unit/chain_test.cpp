// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/chain.hpp>
#include <dytq/site.hpp>

#include <array>
#include <cstdint>

#include "support/both_worlds.hpp"
#include "support/plain_chain.hpp"

using dytq::chain_maps;
using dytq::chain_step;
using dytq::operation;
using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::view;
using dytq_tests::opaque;

namespace {

constexpr std::int32_t small[] = {3, -5};
constexpr std::int32_t great[] = {INT32_MAX, 7};
constexpr std::int8_t weights[] = {127, -128};
constexpr std::int8_t codes[] = {-128, 64};

template <std::size_t N>
constexpr dytq::chain of(const chain_step (&steps)[N]) {
  return {.steps = steps, .channels = 2};
}
constexpr view<const std::int32_t> both(const std::int32_t (&v)[2]) { return v; }
constexpr chain_step widen{.wide = true};
constexpr chain_step narrow{.scale = {.shift = 31, .out = dytq::int8_range}};

/// Are the maps those of the plain model, code by code and all at once, and is the first refusal at a code that has
/// none?
constexpr bool as_the_model(const dytq::chain& c) {
  const auto maps = chain_maps::make(c);
  for (std::int64_t k = 0; k < c.channels; ++k) {
    bool defined = true;
    for (int x = -128; x < 128; ++x) {
      defined = defined && (!c.domain.contains(static_cast<std::int8_t>(x)) ||
                            dytq_tests::plain_steps(c.steps, c.steps.extent(0), k, x).ok);
    }
    const auto constants = maps ? maps->channel(k) : dytq::result<chain_maps::channel_constants>(maps.error());
    if (constants.has_value() != defined) {
      return false;
    }
    if (!constants) {
      const std::int64_t code = constants.error().code;
      if (dytq_tests::plain_steps(c.steps, c.steps.extent(0), k, code).ok) {
        return false;
      }
      continue;
    }
    std::int32_t values[256]{};
    maps->values(*constants, values);
    for (int i = 0; i < maps->count(); ++i) {
      const auto y = dytq_tests::plain_steps(c.steps, c.steps.extent(0), k, maps->code(i));
      if (maps->map(*constants, i) != y.v || values[i] != y.v) {
        return false;
      }
    }
  }
  return true;
}

/// The first rejection of a chain, of its steps or of a channel.
constexpr rejection refusal(const dytq::chain& c) {
  const auto maps = chain_maps::make(c);
  for (std::int64_t k = 0; maps && k < c.channels; ++k) {
    if (const auto made = maps->channel(k); !made) {
      return made.error();
    }
  }
  return maps.error();
}

}  // namespace

TEST_BOTH("every step is that of the plain model", {
  const chain_step one[] = {widen, {.op = operation::mul, .constants = both(small)}, narrow};
  const chain_step two[] = {widen, {.op = operation::add, .constant = opaque(9)}, {.op = operation::abs}, narrow};
  const chain_step three[] = {widen,
                              {.op = operation::sub, .constants = both(small)},
                              {.op = operation::arithmetic_right_shift, .constant = 1, .round = true},
                              narrow};
  const chain_step four[] = {{.op = operation::clamp, .range = {-100, 90}},
                             {.op = operation::negate, .input_zp = 3, .output_zp = opaque(-7)},
                             {.op = operation::maximum, .constants = both(small)},
                             {.op = operation::minimum, .constant = 50}};
  const chain_step five[] = {{.op = operation::depthwise, .constants = both(small), .codes = weights, .input_zp = 4},
                             {.scale = {.shift = 37, .out = dytq::int8_range}}};
  const chain_step six[] = {widen, {.op = operation::mul, .scale = {.shift = opaque(29)}, .codes = codes}, narrow};
  return as_the_model(of(one)) && as_the_model(of(two)) && as_the_model(of(three)) && as_the_model(of(four)) &&
         as_the_model(of(five)) && as_the_model(of(six));
})

TEST_BOTH("tables, and maps of each channel", {
  std::array<std::int8_t, 512> maps{};
  for (int i = 0; i < 512; ++i)
    maps[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(i * i % 251 - 125);
  const std::int32_t rows[] = {1, opaque(0)};
  const view<const std::int8_t, 2> tables(maps.data(), {2, 256});
  const chain_step steps[] = {{.op = operation::table, .table = view<const std::int8_t>(maps.data(), {256})},
                              {.op = operation::channel_tables, .constants = rows, .tables = tables},
                              {.op = operation::channel_tables, .tables = tables}};
  return as_the_model(of(steps));
})

TEST_BOTH("products wrap, and what wraps has a result", {
  const chain_step steps[] = {{.scale = {.multiplier = 1 << 30, .shift = opaque(6)}, .wide = true},
                              {.op = operation::mul, .constants = both(great)},
                              {.scale = {.multiplier = 1 << 30, .shift = 54, .out = dytq::int8_range}}};
  return as_the_model(of(steps));
})

TEST_BOTH("what is unpredictable is refused with its step, channel and code", {
  const chain_step sum[] = {
      widen, {.op = operation::add, .constants = both(great)}, {.scale = {.shift = 60, .out = dytq::int8_range}}};
  const rejection why = refusal(of(sum));
  const chain_step shifted[] = {widen,
                                {.op = operation::mul, .constants = both(small)},
                                {.scale = {.shift = opaque(8), .out = dytq::int8_range}}};
  const rejection shift = refusal(of(shifted));
  // ABS of -2^31: a product that is it.
  const std::int32_t half[] = {1 << 24, 0};
  const chain_step least[] = {widen,
                              {.op = operation::mul, .constants = both(half)},
                              {.op = operation::abs},
                              {.scale = {.shift = 60, .out = dytq::int8_range}}};
  const rejection of_least = refusal(of(least));
  return as_the_model(of(sum)) && why.why == reason::add_overflow && why.step == 1 && why.channel == 0 &&
         why.code == 1 && why.got == std::int64_t{INT32_MAX} + 1 && shift.why == reason::value_exceeds_shift &&
         shift.step == 2 && as_the_model(of(shifted)) && of_least.why == reason::value_exceeds_int32 &&
         of_least.step == 2 && of_least.code == -128;
})

TEST_BOTH("what one channel alone cannot compute is refused with that channel", {
  // 40 * 2^28: within the shift of channel 0, beyond that of channel 1.
  const std::int32_t multipliers[] = {1, 1 << 28};
  const std::int32_t shifts[] = {30, 2};
  const chain_step steps[] = {{.scale = {.out = dytq::int8_range},
                               .multiplier = view<const std::int32_t>(multipliers, {2}),
                               .shift = view<const std::int32_t>(shifts, {2})}};
  auto c = of(steps);
  c.domain = {};
  c.domain.insert(0);
  c.domain.insert(static_cast<std::int8_t>(opaque(40)));
  const rejection why = refusal(c);
  return why.why == reason::value_exceeds_shift && why.step == 0 && why.channel == 1 && why.code == 40;
})

TEST_BOTH("steps that do not fit are refused", {
  const auto why = [](const chain_step& step, bool wide = false) {
    const chain_step narrow_steps[] = {step, {.op = operation::clamp}};
    const chain_step wide_steps[] = {widen, step, narrow};
    return wide ? refusal(of(wide_steps)).why : refusal(of(narrow_steps)).why;
  };
  const std::int32_t three[] = {1, 2, opaque(3)};
  const std::int32_t far[] = {5, 200};
  const bool types = why({.op = operation::mul}) == reason::unknown_type &&
                     why({.op = operation::abs}) == reason::unknown_type &&
                     why({.op = operation::negate}, true) == reason::unknown_type &&
                     why({.op = operation::count_}) == reason::unknown_type &&
                     why(widen) == reason::range_inverted;  // CLAMP to int8 is one of int32 too; the end is not int8
  const bool lists =
      why({.op = operation::add, .constants = view<const std::int32_t>(three, {3})}, true) == reason::channel_count &&
      why({.op = operation::add, .constants = view<const std::int32_t>(three, {1})}, true) == reason::channel_count &&
      why({.op = operation::depthwise}) == reason::channel_count &&
      why({.op = operation::table}) == reason::table_size &&
      why({.op = operation::channel_tables, .tables = view<const std::int8_t, 2>(weights, {1, 2})}) ==
          reason::table_size;
  const bool constants =
      why({.op = operation::maximum, .constants = far}) == reason::code_out_of_range &&
      why({.op = operation::arithmetic_right_shift, .constant = 32}, true) == reason::shift_out_of_range &&
      why({.op = operation::clamp, .range = {1, 0}}) == reason::range_inverted &&
      why({.op = operation::negate, .input_zp = 128}) == reason::zero_point_out_of_range &&
      why({.scale = {.shift = 1}}) == reason::shift_out_of_range;
  return (types || why(widen) == reason::unknown_type) && lists && constants;
})

TEST_BOTH("constants given as codes are judged by those that are there", {
  const std::int8_t few[] = {1, opaque<std::int8_t>(2)};
  const std::int8_t many[] = {1, opaque<std::int8_t>(40)};
  const chain_step shifts[] = {widen, {.op = operation::arithmetic_right_shift, .codes = few}, narrow};
  const chain_step doubled[] = {{.op = operation::maximum, .scale = {.shift = 29}, .codes = few}};
  const chain_step far[] = {widen, {.op = operation::arithmetic_right_shift, .codes = many}, narrow};
  const chain_step beyond[] = {{.op = operation::maximum, .scale = {.shift = 28}, .codes = many}};
  return as_the_model(of(shifts)) && as_the_model(of(doubled)) &&
         refusal(of(far)) ==
             rejection{
                 .why = reason::shift_out_of_range, .step = 1, .channel = 1, .code = 40, .expected = 31, .got = 40} &&
         refusal(of(beyond)) ==
             rejection{
                 .why = reason::code_out_of_range, .step = 0, .channel = 1, .code = 40, .expected = 127, .got = 160};
})

TEST_BOTH("chains without channels, codes or an int8 end, and chains that are too long", {
  const chain_step steps[] = {widen};
  dytq::chain c = of(steps);
  const bool end = refusal(c) == rejection{.why = reason::unknown_type, .at = place::output, .step = 0, .got = 32};
  c.channels = opaque<std::int64_t>(0);
  const bool none = refusal(c).why == reason::channel_count;
  dytq::chain empty;
  const bool identity = refusal(empty) == rejection{};
  empty.domain = {};
  const bool codeless = refusal(empty).why == reason::empty && refusal(empty).at == place::input;
  const std::array<chain_step, 33> many{};
  dytq::chain long_one{.steps = many};
  return end && none && identity && codeless && refusal(long_one).why == reason::extent_overflow;
})

TEST_BOTH("zero points: RESCALE, NEGATE and tables set them, others keep them", {
  const chain_step steps[] = {{.op = operation::clamp},
                              {.op = operation::negate, .output_zp = opaque(5)},
                              {.op = operation::maximum, .constant = -128},
                              widen,
                              {.scale = {.output_zp = -9, .out = dytq::int8_range}}};
  dytq::chain c = of(steps);
  c.zero_point = 2;
  const auto maps = chain_maps::make(c).value();
  return maps.zero_point(0) == 2 && maps.zero_point(1) == 2 && maps.zero_point(3) == 5 &&
         maps.last_zero_point() == -9 && maps.is_int8(3) && !maps.is_int8(4) && maps.steps() == 5 &&
         maps.shared_steps() == 5;
})

TEST_BOTH("a list with a stride of 0 is one constant for all", {
  const std::int8_t one[] = {opaque<std::int8_t>(64)};
  const chain_step steps[] = {widen,
                              {.op = operation::mul, .codes = view<const std::int8_t>(one, {2}, {0})},
                              {.scale = {.shift = 36, .out = dytq::int8_range}}};
  return as_the_model(of(steps)) && chain_maps::make(of(steps))->shared_steps() == 3;
})
