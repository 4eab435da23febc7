// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// float32 against the compiler's own: what it makes of float constants is IEEE 754, whatever flags say at run time.
#include <dytq/numbers/float32.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>

#include "support/both_worlds.hpp"

namespace {

using dytq::detail::float32;
using dytq_tests::opaque;

static_assert(std::numeric_limits<float>::is_iec559);

// Zeros, subnormals, the ends of the normal numbers, ties, odd mantissas, infinities, NaN.
constexpr std::array<std::uint32_t, 26> bits{
    0x00000000, 0x80000000, 0x00000001, 0x80000003, 0x007fffff, 0x00800000, 0x00800001, 0x80ffffff, 0x33000000,
    0x33800000, 0x33800001, 0x3effffff, 0x3f000001, 0x3f7fffff, 0x3f800000, 0xbf800001, 0x3fc00000, 0x40490fdb,
    0xc0a00000, 0x4b000001, 0x4b7fffff, 0x5f000003, 0x7f000000, 0x7f7fffff, 0x7f800000, 0x7fc00000};

// The compiler rejects constants that overflow or divide by zero: those are written down by hand below.
constexpr bool is_constant(std::uint32_t a, std::uint32_t b, int operation) {
  const auto finite = [](std::uint32_t v) { return (v & float32::infinity_bits) != float32::infinity_bits; };
  if (!finite(a) || !finite(b) || (operation == 2 && (b & 0x7fffffffu) == 0)) {
    return false;
  }
  const double x = double{std::bit_cast<float>(a)}, y = double{std::bit_cast<float>(b)};
  const double wide = operation == 0 ? x + y : operation == 1 ? x * y : x / y;
  return wide < 3.4028234e38 && wide > -3.4028234e38;
}

template <int Operation>
constexpr bool all_agree() {
  for (const std::uint32_t a : bits) {
    for (const std::uint32_t b : bits) {
      const float32 x{opaque(a)}, y{b};
      if (!is_constant(a, b, Operation)) {
        continue;
      }
      const float p = std::bit_cast<float>(a), q = std::bit_cast<float>(b);
      const float wanted = Operation == 0 ? p + q : Operation == 1 ? p * q : p / q;
      const float32 got = Operation == 0 ? x + y : Operation == 1 ? x * y : x / y;
      if (got.bits != std::bit_cast<std::uint32_t>(wanted)) {
        return false;
      }
    }
  }
  return true;
}

// What was true in a constant expression, asked again at run time without a float.
constexpr std::uint64_t digest() {
  std::uint64_t h = 14695981039346656037u;
  for (const std::uint32_t a : bits) {
    for (const std::uint32_t b : bits) {
      const float32 x{opaque(a)}, y{b};
      for (const float32 v : {x + y, x * y, x / y, -x, float32::from_integer(static_cast<std::int32_t>(a))}) {
        h = (h ^ v.bits) * 1099511628211u;
      }
    }
  }
  return h;
}

constexpr float32 infinity{float32::infinity_bits};
constexpr float32 not_a_number{float32::nan_bits};
constexpr float32 one{0x3f800000};
constexpr float32 largest{0x7f7fffff};

}  // namespace

static_assert(all_agree<0>() && all_agree<1>() && all_agree<2>());

TEST_CASE("at run time what it is in a constant expression") {
  constexpr std::uint64_t wanted = digest();
  CHECK(digest() == wanted);
}

TEST_BOTH("infinities, NaN, and what overflows", {
  const float32 inf{opaque(float32::infinity_bits)};
  const float32 zero{};
  return (inf + one) == inf && (one + inf) == inf && (inf + -inf).is_nan() && (-inf + -inf) == -inf &&
         (not_a_number + one).is_nan() && (one + not_a_number).is_nan() && (inf * -one) == -inf &&
         (zero * inf).is_nan() && (inf * zero).is_nan() && (not_a_number * zero).is_nan() &&
         (zero * not_a_number).is_nan() && (one / zero) == infinity && (-one / zero) == -infinity &&
         (one / -zero) == -infinity && (zero / zero).is_nan() && (inf / inf).is_nan() && (inf / one) == inf &&
         (one / inf) == zero && (-one / inf) == -zero && (zero / one) == zero && (not_a_number / one).is_nan() &&
         (one / not_a_number).is_nan() && (largest + largest) == infinity && (largest * largest) == infinity &&
         (-largest + -largest) == -infinity && (largest / float32{1}) == infinity && !inf.is_finite() &&
         !not_a_number.is_finite() && largest.is_finite() && inf.is_infinite() && !not_a_number.is_infinite() &&
         !largest.is_infinite() && not_a_number.is_nan() && !inf.is_nan();
})

TEST_BOTH("a difference of equal numbers is +0, whatever their signs", {
  const float32 x{opaque(one.bits)};
  return (x + -x).bits == 0 && (-x + x).bits == 0 && (-largest + largest).bits == 0 &&
         (-float32{} + -float32{}) == -float32{};
})

TEST_BOTH("from integers and doubles", {
  return float32::from_integer(opaque(std::int64_t{0})).bits == 0 &&
         float32::from_integer(16777217).bits == 0x4b800000 && float32::from_integer(16777219).bits == 0x4b800002 &&
         float32::from_integer(-5).bits == 0xc0a00000 && float32::from_integer(INT64_MIN).bits == 0xdf000000 &&
         float32::from_integer(INT64_MAX).bits == 0x5f000000 && float32::from_double(0.1).bits == 0x3dcccccd &&
         float32::from_double(-0.0).bits == 0x80000000 && float32::from_double(1e-45).bits == 1 &&
         float32::from_double(-7e-46).bits == 0x80000000 && float32::from_double(0x1p-150).bits == 0 &&
         float32::from_double(0x1.8p-150).bits == 1 && float32::from_double(0x1.fffffefffffffp127) == largest &&
         float32::from_double(0x1.ffffffp127) == infinity &&
         float32::from_double(std::numeric_limits<double>::infinity()) == infinity &&
         float32::from_double(opaque(-std::numeric_limits<double>::infinity())) == -infinity &&
         float32::from_double(std::numeric_limits<double>::quiet_NaN()).is_nan();
})

namespace {

// The last four have a quotient whose 53rd bit tells on which side of a tie it is.
constexpr double divisors[] = {1.0,
                               3.0,
                               0.1,
                               1.0 / 127,
                               0x1.fffffffffffffp0,
                               0x1.0000000000001p0,
                               0x1p-126,
                               0x1.000001p0,
                               12345.678,
                               0x1p149,
                               0x1.8p130,
                               1e-38,
                               0x1.938dbc7b0b7d2p-1,
                               0x1.c69ee50aeb9b0p-1,
                               0x1.530ab61ad91d3p-1,
                               0x1.9e4b4288fe9c0p-1};
constexpr auto reciprocals = [] {
  std::array<std::uint32_t, std::size(divisors)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = std::bit_cast<std::uint32_t>(static_cast<float>(1.0 / divisors[i]));
  }
  return all;
}();

}  // namespace

TEST_BOTH("float(1.0 / v), the quotient in double", {
  for (std::size_t i = 0; i < reciprocals.size(); ++i) {
    if (dytq::detail::reciprocal_float32(opaque(divisors[i])).bits != reciprocals[i]) {
      return false;
    }
  }
  return dytq::detail::reciprocal_float32(0x1p-1074) == infinity &&
         dytq::detail::reciprocal_float32(0x1p-128) == infinity && dytq::detail::reciprocal_float32(0x1p1023).bits == 0;
})
