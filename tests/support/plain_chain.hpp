// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second, slow statement of a chain's steps: one value at a time, divisions in place of shifts. It shares no
// arithmetic with the library.
#ifndef DYTQ_TESTS_SUPPORT_PLAIN_CHAIN_HPP
#define DYTQ_TESTS_SUPPORT_PLAIN_CHAIN_HPP

#include <cstdint>

#include <dytq/chain.hpp>

#include "support/plain_model.hpp"

namespace dytq_tests {

/// One step for one value of channel c; none where TOSA calls it unpredictable.
constexpr maybe plain_step(const dytq::chain_step& s, std::int64_t c, std::int64_t v) {
  const auto in_int32 = [](std::int64_t r) { return r < INT32_MIN || r > INT32_MAX ? maybe{} : maybe{true, r}; };
  const auto wrapped = [](std::int64_t r) {
    r %= std::int64_t{1} << 32;
    return r > INT32_MAX ? r - (std::int64_t{1} << 32) : r < INT32_MIN ? r + (std::int64_t{1} << 32) : r;
  };
  maybe k{true, s.constant};
  if (s.op != dytq::operation::rescale && !s.constants.absent()) {
    k.v = s.constants(c);
  } else if (!s.codes.absent() && s.op != dytq::operation::depthwise) {
    k = plain_rescale(s.scale, s.codes(c));
  }
  if (!k.ok) {
    return {};
  }
  switch (s.op) {
    case dytq::operation::rescale: {
      dytq::rescale r = s.scale;
      r.multiplier = s.multiplier.absent() ? r.multiplier : s.multiplier(c);
      r.shift = s.shift.absent() ? r.shift : s.shift(c);
      return plain_rescale(r, v);
    }
    case dytq::operation::mul: return {true, wrapped(v * k.v)};
    case dytq::operation::add: return in_int32(v + k.v);
    case dytq::operation::sub: return in_int32(v - k.v);
    case dytq::operation::table: return {true, s.table(v + 128)};
    case dytq::operation::clamp: return {true, v < s.range.lo ? s.range.lo : v > s.range.hi ? s.range.hi : v};
    case dytq::operation::maximum: return {true, v > k.v ? v : k.v};
    case dytq::operation::minimum: return {true, v < k.v ? v : k.v};
    case dytq::operation::abs: return in_int32(v < 0 ? -v : v);
    case dytq::operation::negate: {
      const std::int64_t r = -(v - s.input_zp) + s.output_zp;
      return {true, r < -128 ? -128 : r > 127 ? 127 : r};
    }
    case dytq::operation::arithmetic_right_shift: {
      const std::int64_t unit = std::int64_t{1} << k.v;
      const std::int64_t down = floor_quotient(v, unit);
      // The bit below the last one that stays.
      const bool half = s.round && k.v > 0 && floor_quotient(v, unit / 2) - 2 * down == 1;
      return {true, down + (half ? 1 : 0)};
    }
    case dytq::operation::depthwise:
      return in_int32((v - s.input_zp) * s.codes(c) + (s.constants.absent() ? 0 : s.constants(c)));
    case dytq::operation::channel_tables: return {true, s.tables(s.constants.absent() ? c : s.constants(c), v + 128)};
    case dytq::operation::count_: break;
  }
  return {};
}

/// The first `count` steps.
constexpr maybe plain_steps(const dytq::view<const dytq::chain_step>& steps, std::int64_t count, std::int64_t c,
                            std::int64_t v) {
  maybe m{true, v};
  for (std::int64_t s = 0; s < count && m.ok; ++s) {
    m = plain_step(steps(s), c, m.v);
  }
  return m;
}

}  // namespace dytq_tests

#endif
