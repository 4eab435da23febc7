// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/codes.hpp>
#include <dytq/numbers/integer.hpp>

#include <cstdint>
#include <limits>

#include "support/both_worlds.hpp"

using dytq::reason;
using dytq_tests::opaque;

namespace {

constexpr std::int32_t min32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t max32 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t min64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t max64 = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t two_to_32 = std::int64_t{1} << 32;

// Rejected for this reason, with this limit and this value?
template <class T>
constexpr bool refused(const dytq::result<T>& r, reason why, std::int64_t expected, std::int64_t got) {
  return !r && r.error().why == why && r.error().expected == expected && r.error().got == got;
}

// floor(v / 2^shift + 1/2) by division alone: the quotient toward zero, put right by the remainder.
constexpr std::int64_t round_half_up(std::int64_t v, int shift) {
  const std::int64_t unit = std::int64_t{1} << shift;
  const std::int64_t floor = v / unit - (v % unit < 0 ? 1 : 0);
  const std::int64_t rest = v - floor * unit;
  return floor + (rest >= unit / 2 ? 1 : 0);
}

}  // namespace

TEST_CASE("wrap_int32 keeps the low 32 bits") {
  DYTQ_CHECK_BOTH(dytq::wrap_int32(opaque<std::int64_t>(0)) == 0);
  DYTQ_CHECK_BOTH(dytq::wrap_int32(opaque<std::int64_t>(max32)) == max32);
  DYTQ_CHECK_BOTH(dytq::wrap_int32(opaque<std::int64_t>(min32)) == min32);
  DYTQ_CHECK_BOTH(dytq::wrap_int32(opaque(std::int64_t{max32} + 1)) == min32);
  DYTQ_CHECK_BOTH(dytq::wrap_int32(opaque(std::int64_t{min32} - 1)) == max32);
  DYTQ_CHECK_BOTH(dytq::wrap_int32(opaque(two_to_32)) == 0);
  DYTQ_CHECK_BOTH(dytq::wrap_int32(opaque(two_to_32 - 1)) == -1);
  DYTQ_CHECK_BOTH(dytq::wrap_int32(opaque(max64)) == -1);
  DYTQ_CHECK_BOTH(dytq::wrap_int32(opaque(min64)) == 0);
  // The largest product of two int32: 2^62.
  DYTQ_CHECK_BOTH(dytq::wrap_int32(opaque(std::int64_t{min32} * min32)) == 0);
}

TEST_CASE("fits knows both limits of every width") {
  DYTQ_CHECK_BOTH(dytq::detail::fits<std::int8_t>(opaque<std::int64_t>(-128)) &&
                  dytq::detail::fits<std::int8_t>(opaque<std::int64_t>(127)));
  DYTQ_CHECK_BOTH(!dytq::detail::fits<std::int8_t>(opaque<std::int64_t>(-129)) &&
                  !dytq::detail::fits<std::int8_t>(opaque<std::int64_t>(128)));
  DYTQ_CHECK_BOTH(dytq::detail::fits<std::uint8_t>(opaque<std::int64_t>(0)) &&
                  dytq::detail::fits<std::uint8_t>(opaque<std::int64_t>(255)));
  DYTQ_CHECK_BOTH(!dytq::detail::fits<std::uint8_t>(opaque<std::int64_t>(-1)) &&
                  !dytq::detail::fits<std::uint8_t>(opaque<std::int64_t>(256)));
  DYTQ_CHECK_BOTH(dytq::detail::fits<std::int16_t>(opaque<std::int64_t>(-32768)) &&
                  dytq::detail::fits<std::int16_t>(opaque<std::int64_t>(32767)));
  DYTQ_CHECK_BOTH(!dytq::detail::fits<std::int16_t>(opaque<std::int64_t>(-32769)) &&
                  !dytq::detail::fits<std::int16_t>(opaque<std::int64_t>(32768)));
  DYTQ_CHECK_BOTH(dytq::detail::fits<std::uint16_t>(opaque<std::int64_t>(65535)) &&
                  !dytq::detail::fits<std::uint16_t>(opaque<std::int64_t>(65536)));
  DYTQ_CHECK_BOTH(dytq::detail::fits<std::int32_t>(opaque<std::int64_t>(min32)) &&
                  dytq::detail::fits<std::int32_t>(opaque<std::int64_t>(max32)));
  DYTQ_CHECK_BOTH(!dytq::detail::fits<std::int32_t>(opaque(std::int64_t{min32} - 1)) &&
                  !dytq::detail::fits<std::int32_t>(opaque(std::int64_t{max32} + 1)));
  DYTQ_CHECK_BOTH(dytq::detail::fits<std::uint32_t>(opaque(two_to_32 - 1)) &&
                  !dytq::detail::fits<std::uint32_t>(opaque(two_to_32)));
  DYTQ_CHECK_BOTH(!dytq::detail::fits<std::uint32_t>(opaque<std::int64_t>(-1)));
  DYTQ_CHECK_BOTH(dytq::detail::fits<std::int64_t>(opaque(min64)) && dytq::detail::fits<std::int64_t>(opaque(max64)));
  DYTQ_CHECK_BOTH(dytq::detail::fits<std::uint64_t>(opaque(max64)) &&
                  dytq::detail::fits<std::uint64_t>(opaque<std::int64_t>(0)));
  DYTQ_CHECK_BOTH(!dytq::detail::fits<std::uint64_t>(opaque<std::int64_t>(-1)) &&
                  !dytq::detail::fits<std::uint64_t>(opaque(min64)));
}

TEST_CASE("narrow gives the value, or the limit that was crossed") {
  DYTQ_CHECK_BOTH(dytq::narrow<std::int8_t>(opaque<std::int64_t>(-128)).value() == -128);
  DYTQ_CHECK_BOTH(dytq::narrow<std::int8_t>(opaque<std::int64_t>(127)).value() == 127);
  DYTQ_CHECK_BOTH(refused(dytq::narrow<std::int8_t>(opaque<std::int64_t>(128)), reason::code_out_of_range, 127, 128));
  DYTQ_CHECK_BOTH(
      refused(dytq::narrow<std::int8_t>(opaque<std::int64_t>(-129)), reason::code_out_of_range, -128, -129));
  DYTQ_CHECK_BOTH(refused(dytq::narrow<std::uint8_t>(opaque<std::int64_t>(-1)), reason::code_out_of_range, 0, -1));
  DYTQ_CHECK_BOTH(
      refused(dytq::narrow<std::uint16_t>(opaque<std::int64_t>(65536)), reason::code_out_of_range, 65535, 65536));
  DYTQ_CHECK_BOTH(refused(dytq::narrow<std::int32_t>(opaque(max64)), reason::code_out_of_range, max32, max64));
  DYTQ_CHECK_BOTH(refused(dytq::narrow<std::int32_t>(opaque(min64)), reason::code_out_of_range, min32, min64));
  DYTQ_CHECK_BOTH(dytq::narrow<std::int64_t>(opaque(min64)).value() == min64);
  DYTQ_CHECK_BOTH(refused(dytq::narrow<std::uint64_t>(opaque<std::int64_t>(-1)), reason::code_out_of_range, 0, -1));
}

TEST_CASE("mul_overflows_nonnegative at the limit of 64 bits") {
  DYTQ_CHECK_BOTH(!dytq::detail::mul_overflows_nonnegative(opaque(max64), 0) &&
                  !dytq::detail::mul_overflows_nonnegative(0, opaque(max64)));
  DYTQ_CHECK_BOTH(!dytq::detail::mul_overflows_nonnegative(opaque(max64), 1) &&
                  !dytq::detail::mul_overflows_nonnegative(1, opaque(max64)));
  DYTQ_CHECK_BOTH(dytq::detail::mul_overflows_nonnegative(opaque(max64), 2) &&
                  dytq::detail::mul_overflows_nonnegative(2, opaque(max64)));
  DYTQ_CHECK_BOTH(!dytq::detail::mul_overflows_nonnegative(opaque(max64 / 2), 2));
  DYTQ_CHECK_BOTH(dytq::detail::mul_overflows_nonnegative(opaque(max64 / 2 + 1), 2));
  // 2^31 * (2^32 - 1) < 2^63 = 2^31 * 2^32, and 7 * 7^-1 of max64 is exact: 2^63 - 1 = 7 * 1317624576693539401.
  DYTQ_CHECK_BOTH(!dytq::detail::mul_overflows_nonnegative(opaque(two_to_32 / 2), two_to_32 - 1));
  DYTQ_CHECK_BOTH(dytq::detail::mul_overflows_nonnegative(opaque(two_to_32 / 2), two_to_32));
  DYTQ_CHECK_BOTH(max64 % 7 == 0 && !dytq::detail::mul_overflows_nonnegative(opaque(max64 / 7), 7));
  DYTQ_CHECK_BOTH(dytq::detail::mul_overflows_nonnegative(opaque(max64 / 7), 8));
}

TEST_BOTH("floor_div and ceil_div enclose the quotient", {
  for (std::int64_t a = -40; a <= 40; ++a) {
    for (std::int64_t b = 1; b <= 9; ++b) {
      const std::int64_t floor = dytq::detail::floor_div(opaque(a), b);
      const std::int64_t ceil = dytq::detail::ceil_div(opaque(a), b);
      if (floor * b > a || (floor + 1) * b <= a || ceil * b < a || (ceil - 1) * b >= a) {
        return false;
      }
    }
  }
  return dytq::detail::floor_div(min64, 1) == min64 && dytq::detail::ceil_div(min64, 1) == min64 &&  //
         dytq::detail::floor_div(max64, max64) == 1 && dytq::detail::ceil_div(max64, 2) == max64 / 2 + 1 &&
         dytq::detail::floor_div(min64, 2) == min64 / 2 && dytq::detail::floor_div(min64 + 1, 2) == min64 / 2;
})

TEST_CASE("magnitude reaches 2^63") {
  DYTQ_CHECK_BOTH(dytq::detail::magnitude(opaque<std::int64_t>(0)) == 0);
  DYTQ_CHECK_BOTH(dytq::detail::magnitude(opaque<std::int64_t>(-1)) == 1 &&
                  dytq::detail::magnitude(opaque<std::int64_t>(1)) == 1);
  DYTQ_CHECK_BOTH(dytq::detail::magnitude(opaque(max64)) == (std::uint64_t{1} << 63) - 1);
  DYTQ_CHECK_BOTH(dytq::detail::magnitude(opaque(min64)) == std::uint64_t{1} << 63);
  DYTQ_CHECK_BOTH(dytq::detail::magnitude(opaque(min64 + 1)) == (std::uint64_t{1} << 63) - 1);
}

TEST_BOTH("greatest_common_divisor divides both and is divided by every common divisor", {
  for (std::uint64_t a = 0; a <= 36; ++a) {
    for (std::uint64_t b = 0; b <= 36; ++b) {
      const std::uint64_t g = dytq::detail::greatest_common_divisor(opaque(a), b);
      if (a == 0 && b == 0) {
        if (g != 0)
          return false;
        continue;
      }
      std::uint64_t largest = 0;
      for (std::uint64_t d = 1; d <= 36; ++d) {
        if (a % d == 0 && b % d == 0)
          largest = d;
      }
      if (g != largest)
        return false;
    }
  }
  constexpr std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
  return dytq::detail::greatest_common_divisor(max, max) == max &&
         dytq::detail::greatest_common_divisor(max, 0) == max &&
         dytq::detail::greatest_common_divisor(std::uint64_t{1} << 63, 1u << 20) == 1u << 20;
})

TEST_CASE("rounding_shift_right: ties go up, and the sum does not overflow") {
  DYTQ_CHECK_BOTH(dytq::detail::rounding_shift_right(opaque<std::int64_t>(1), 1) == 1);
  DYTQ_CHECK_BOTH(dytq::detail::rounding_shift_right(opaque<std::int64_t>(-1), 1) == 0);
  DYTQ_CHECK_BOTH(dytq::detail::rounding_shift_right(opaque<std::int64_t>(3), 1) == 2);
  DYTQ_CHECK_BOTH(dytq::detail::rounding_shift_right(opaque<std::int64_t>(-3), 1) == -1);
  DYTQ_CHECK_BOTH(dytq::detail::rounding_shift_right(opaque(max64), 1) == std::int64_t{1} << 62);
  DYTQ_CHECK_BOTH(dytq::detail::rounding_shift_right(opaque(min64), 1) == -(std::int64_t{1} << 62));
  DYTQ_CHECK_BOTH(dytq::detail::rounding_shift_right(opaque(max64), 63) == 1);
  DYTQ_CHECK_BOTH(dytq::detail::rounding_shift_right(opaque((std::int64_t{1} << 62) - 1), 63) == 0);
  DYTQ_CHECK_BOTH(dytq::detail::rounding_shift_right(opaque(std::int64_t{1} << 62), 63) == 1);
  DYTQ_CHECK_BOTH(dytq::detail::rounding_shift_right(opaque(min64), 63) == -1);
  DYTQ_CHECK_BOTH(dytq::detail::rounding_shift_right(opaque(-(std::int64_t{1} << 62)), 63) == 0);
  DYTQ_CHECK_BOTH(dytq::detail::rounding_shift_right(opaque(-(std::int64_t{1} << 62) - 1), 63) == -1);
}

TEST_BOTH("rounding_shift_right agrees with division at powers of two and ties, within 2 of each", {
  for (int shift = 1; shift <= 61; ++shift) {
    for (int power = 0; power <= 61; ++power) {
      for (std::int64_t off = -2; off <= 2; ++off) {
        const std::int64_t v = (std::int64_t{1} << power) + off;
        const std::int64_t tie = (std::int64_t{1} << power) / 2 * 3 + off;
        if (dytq::detail::rounding_shift_right(opaque(v), shift) != round_half_up(v, shift) ||
            dytq::detail::rounding_shift_right(opaque(-v), shift) != round_half_up(-v, shift) ||
            dytq::detail::rounding_shift_right(opaque(tie), shift) != round_half_up(tie, shift) ||
            dytq::detail::rounding_shift_right(opaque(-tie), shift) != round_half_up(-tie, shift)) {
          return false;
        }
      }
    }
  }
  return true;
})

TEST_CASE("mul_int32 wraps at shift 0") {
  DYTQ_CHECK_BOTH(dytq::mul_int32(opaque(7), -6).value() == -42);
  DYTQ_CHECK_BOTH(dytq::mul_int32(opaque(max32), 2).value() == -2);
  DYTQ_CHECK_BOTH(dytq::mul_int32(opaque(min32), -1).value() == min32);
  DYTQ_CHECK_BOTH(dytq::mul_int32(opaque(min32), min32).value() == 0);
  DYTQ_CHECK_BOTH(dytq::mul_int32(opaque(65536), 32768).value() == min32);
  DYTQ_CHECK_BOTH(dytq::mul_int32(opaque(65536), 65536).value() == 0);
}

TEST_CASE("mul_int32 rounds half up and refuses what leaves int32") {
  DYTQ_CHECK_BOTH(dytq::mul_int32(opaque(3), 1, 1).value() == 2);
  DYTQ_CHECK_BOTH(dytq::mul_int32(opaque(-3), 1, 1).value() == -1);
  DYTQ_CHECK_BOTH(dytq::mul_int32(opaque(max32), 2, 1).value() == max32);
  DYTQ_CHECK_BOTH(dytq::mul_int32(opaque(min32), 2, 1).value() == min32);
  DYTQ_CHECK_BOTH(dytq::mul_int32(opaque(min32), min32, 63).value() == 1);
  DYTQ_CHECK_BOTH(dytq::mul_int32(opaque(min32), max32, 63).value() == 0);
  DYTQ_CHECK_BOTH(dytq::mul_int32(opaque(max32), max32, 31).value() == max32 - 1);
  DYTQ_CHECK_BOTH(
      refused(dytq::mul_int32(opaque(min32), min32, 31), reason::mul_overflow, max32, std::int64_t{max32} + 1));
  DYTQ_CHECK_BOTH(refused(dytq::mul_int32(opaque(max32), 3, 1), reason::mul_overflow, max32, 3221225471));
  DYTQ_CHECK_BOTH(refused(dytq::mul_int32(opaque(min32), 3, 1), reason::mul_overflow, min32, -3221225472));
  DYTQ_CHECK_BOTH(dytq::mul_int32(opaque(max32), 3, 1).error().code == max32);
  // The rounding alone crosses the limit: (2^32 - 1) / 2 = 2^31 - 1/2 is a tie.
  DYTQ_CHECK_BOTH(
      refused(dytq::mul_int32(opaque(65537), 65535, 1), reason::mul_overflow, max32, std::int64_t{max32} + 1));
}

TEST_CASE("mul_int32 takes shifts 0 to 63") {
  DYTQ_CHECK_BOTH(refused(dytq::mul_int32(1, 1, opaque(-1)), reason::shift_out_of_range, 0, -1));
  DYTQ_CHECK_BOTH(refused(dytq::mul_int32(1, 1, opaque(64)), reason::shift_out_of_range, 63, 64));
  DYTQ_CHECK_BOTH(refused(dytq::mul_int32(1, 1, opaque(min32)), reason::shift_out_of_range, 0, min32));
  DYTQ_CHECK_BOTH(refused(dytq::mul_int32(1, 1, opaque(max32)), reason::shift_out_of_range, 63, max32));
  DYTQ_CHECK_BOTH(dytq::mul_int32(1, 1, opaque(63)).value() == 0);
}

TEST_CASE("add_int32 is checked on both sides") {
  DYTQ_CHECK_BOTH(dytq::add_int32(opaque(max32), 0).value() == max32);
  DYTQ_CHECK_BOTH(dytq::add_int32(opaque(min32), 0).value() == min32);
  DYTQ_CHECK_BOTH(dytq::add_int32(opaque(max32), min32).value() == -1);
  DYTQ_CHECK_BOTH(refused(dytq::add_int32(opaque(max32), 1), reason::add_overflow, max32, std::int64_t{max32} + 1));
  DYTQ_CHECK_BOTH(refused(dytq::add_int32(opaque(min32), -1), reason::add_overflow, min32, std::int64_t{min32} - 1));
  DYTQ_CHECK_BOTH(refused(dytq::add_int32(opaque(max32), max32), reason::add_overflow, max32, 2 * std::int64_t{max32}));
  DYTQ_CHECK_BOTH(dytq::add_int32(opaque(max32), 1).error().code == max32);
}

TEST_BOTH("saturating leaves every number of 64 bits alone, negative ones too", {
  return dytq::detail::saturate_int64(opaque(-1)) == -1 && dytq::detail::saturate_int64(INT64_MIN) == INT64_MIN &&
         dytq::detail::saturate_int64(INT64_MAX) == INT64_MAX && dytq::detail::saturate_int64(std::uint64_t{5}) == 5 &&
         dytq::detail::saturate_int64(std::uint64_t{1} << 63) == INT64_MAX;
})
