// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The borders of certified arithmetic: zeros, numbers of which nothing is known, differences in the last bit.
// bounds_test compares what lies between with MPFR.
#include <dytq/numbers/real.hpp>
#include <dytq/tables/argument.hpp>

#include <cstdint>

#include "support/both_worlds.hpp"

using dytq::detail::certified_sign;
using dytq::detail::compare;
using dytq::detail::dyadic;
using dytq::detail::real;
using dytq::detail::wide64;
using dytq_tests::opaque;

namespace {

constexpr std::uint64_t top = std::uint64_t{1} << 63;

template <std::size_t N>
constexpr real<N> number(double v) {
  return real<N>(dyadic(opaque(v)));
}
/// A number of which nothing is known but that it is there.
template <std::size_t N>
constexpr real<N> unknown(double v) {
  real<N> r = number<N>(v);
  r.error = real<N>::unknown_error;
  return r;
}

}  // namespace

TEST_BOTH("the opposite of a sign", {
  return -opaque(certified_sign::negative) == certified_sign::positive &&
         -opaque(certified_sign::zero) == certified_sign::zero &&
         -opaque(certified_sign::unknown) == certified_sign::unknown;
})

TEST_BOTH("from integers of 64 and of 128 bits", {
  const real<2> three(opaque(std::int64_t{-3}));
  const real<2> least(opaque(INT64_MIN));
  const real<2> wide(wide64{opaque(top), 5}, 7, false);
  const real<1> cut(wide64{opaque(top), 5}, 0, false), whole(wide64{opaque(top), 0}, 0, false);
  return three.negative && three.exponent == 2 && three.m[1] == std::uint64_t{3} << 62 && three.m[0] == 0 &&
         three.error == 0 && least.negative && least.exponent == 64 && least.m[1] == top && wide.exponent == 135 &&
         wide.m[1] == top && wide.m[0] == 5 && !wide.negative && cut.m[0] == top && cut.error != 0 && cut.known() &&
         whole.m[0] == top && whole.error == 0;
})

TEST_BOTH("a fraction is known as far as its leading zeros leave its error", {
  // An ulp of a fraction with 31 leading zeros is more than 2^31 units of what is left.
  const real<2> near({0, top >> 30}, 0, opaque(1u), false), far({0, top >> 31}, 0, opaque(1u), false);
  const real<2> little({0, top >> 2}, 0, opaque(std::uint64_t{1} << 28), false);
  const real<2> much({0, top >> 2}, 0, opaque(std::uint64_t{1} << 29), false);
  return near.known() && near.error == std::uint64_t{1} << 31 && !far.known() && little.known() && !much.known();
})

TEST_BOTH("zero is zero, scaled, added, multiplied and divided", {
  const real<2> zero = number<2>(0.0), a = number<2>(0.75);
  const real<2> scaled = zero.scaled(opaque(5));
  return scaled.is_zero() && scaled.exponent == 0 && (a * zero).is_zero() && (zero * a).is_zero() &&
         divide(zero, opaque(3u)).is_zero() && compare(zero + a, a) == certified_sign::zero &&
         compare(a + zero, a) == certified_sign::zero && compare(zero, zero) == certified_sign::zero &&
         compare(zero, a) == certified_sign::negative && compare(zero, -a) == certified_sign::positive &&
         compare(a, zero) == certified_sign::positive && compare(-a, zero) == certified_sign::negative;
})

TEST_BOTH("what cancels is zero if it was exact, else unknown and no zero", {
  const real<2> a = number<2>(0.75);
  real<2> b = a;
  b.error = opaque(1u);
  const real<2> nothing = a - a, lost = b - b;
  return nothing.is_zero() && !lost.is_zero() && !lost.known() && compare(a, a) == certified_sign::zero &&
         compare(a, b) == certified_sign::unknown && compare(b, b) == certified_sign::unknown;
})

TEST_BOTH("exact numbers differ by their last bit, and across a power of two by half of it", {
  const real<2> one(std::int64_t{1});
  const real<2> below({~std::uint64_t{0}, opaque(~std::uint64_t{0})}, 0, 0, false);  // 1 - 2^-128
  const real<2> above({1, opaque(top)}, 1, 0, false);                                // 1 + 2^-127
  return compare(one, below) == certified_sign::positive && compare(below, one) == certified_sign::negative &&
         compare(-one, -below) == certified_sign::negative && compare(one, above) == certified_sign::negative &&
         compare(above, below) == certified_sign::positive && compare(below, below) == certified_sign::zero;
})

TEST_BOTH("nothing is certain of what is unknown", {
  const real<2> a = number<2>(0.75), what = unknown<2>(1.0);
  return compare(a, what) == certified_sign::unknown && compare(what, a) == certified_sign::unknown &&
         !(a + what).known() && !(what + a).known() && !(what * a).known();
})

TEST_BOTH("a gap below the limit is one wider than 2^-8000", {
  const real<2> gap = number<2>(1.0);
  return certified_below_limit(gap) == certified_sign::positive &&
         certified_below_limit(-gap) == certified_sign::unknown &&
         certified_below_limit(real<2>()) == certified_sign::unknown &&
         certified_below_limit(unknown<2>(1.0)) == certified_sign::unknown &&
         certified_below_limit(gap.scaled(-7999)) == certified_sign::positive &&
         certified_below_limit(gap.scaled(-8001)) == certified_sign::unknown;
})

TEST_BOTH("an argument less a boundary is exact where either term of the argument is the boundary", {
  // 2^500 k + 2^-500 fits no number of limbs.
  const dytq::detail::argument x(dyadic(opaque(1.0)), dyadic(0x1p500), dyadic(0x1p-500));
  const auto of_term = x.terms<2>(1).minus(number<2>(0x1p500));
  const auto of_shift = x.terms<2>(1).minus(number<2>(0x1p-500));
  const auto of_neither = x.terms<2>(1).minus(number<2>(0x1p499));
  return of_term.error == 0 && compare(of_term, number<2>(0x1p-500)) == certified_sign::zero && of_shift.error == 0 &&
         compare(of_shift, number<2>(0x1p500)) == certified_sign::zero && of_neither.error != 0 && of_neither.known() &&
         compare(of_neither, number<2>(0x1p498)) == certified_sign::positive &&
         compare(of_neither, number<2>(0x1p500)) == certified_sign::negative;
})

TEST_BOTH("where an argument passes zero, in the direction in which it grows", {
  const dytq::detail::argument rises(dyadic(opaque(1.0)), dyadic(0.5), dyadic(1.0));
  const dytq::detail::argument falls(dyadic(opaque(-1.0)), dyadic(0.5), dyadic(1.0));
  return !rises.beyond_zero(-3) && rises.beyond_zero(-2) && rises.beyond_zero(-1) && !falls.beyond_zero(1) &&
         falls.beyond_zero(2) && falls.beyond_zero(3);
})
