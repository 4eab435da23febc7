// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The certified sign of every function at its borders: where the argument or the boundary is 0, at the brackets that
// precision cannot settle, beyond the reach of the exponential, and where nothing is known. The tables are compared
// with MPFR in tests/tables.
#include <dytq/function.hpp>

#include <cstdint>

#include "support/both_worlds.hpp"

namespace functions = dytq::functions;
using dytq::certified_sign;
using dytq::dyadic;
using dytq::estimate;
using dytq::real;
using dytq_tests::opaque;

namespace {

constexpr certified_sign negative = certified_sign::negative;
constexpr certified_sign zero = certified_sign::zero;
constexpr certified_sign positive = certified_sign::positive;
constexpr certified_sign unknown = certified_sign::unknown;

template <class F, std::size_t N>
constexpr bool sign_is(const real<N>& x, const real<N>& y, certified_sign wanted) {
  return F::template sign<N>(x, y) == wanted;
}
template <std::size_t N>
constexpr real<N> number(double v, std::int32_t scaled = 0) {
  return real<N>(dyadic(opaque(v))).scaled(scaled);
}
template <std::size_t N>
constexpr real<N> hidden(double v) {
  real<N> r = number<N>(v);
  r.error = real<N>::unknown_error;
  return r;
}
/// Is it the sign of f(x) - y by 2, 4 and 6 limbs?
template <class F>
constexpr bool has_sign(F, double x, double y, certified_sign wanted) {
  return sign_is<F, 2>(number<2>(x), number<2>(y), wanted) && sign_is<F, 4>(number<4>(x), number<4>(y), wanted) &&
         sign_is<F, 6>(number<6>(x), number<6>(y), wanted);
}
/// The same for a y of which nothing is known.
template <class F>
constexpr bool has_unknown_sign(F, double x, double y) {
  return sign_is<F, 2>(number<2>(x), hidden<2>(y), unknown) && sign_is<F, 4>(number<4>(x), hidden<4>(y), unknown) &&
         sign_is<F, 6>(number<6>(x), hidden<6>(y), unknown);
}
/// f(0) = 0, f has the sign of x, and |f(x)| < |x|: so for y = 0, 1 and x itself.
template <class F>
constexpr bool has_sign_of_argument(F f) {
  return has_sign(f, 0.0, 0.0, zero) && has_sign(f, 0.0, 0.5, negative) && has_sign(f, 0.0, -0.5, positive) &&
         has_sign(f, 1.0, 0.0, positive) && has_sign(f, 1.0, -1.0, positive) && has_sign(f, -1.0, 0.0, negative) &&
         has_sign(f, -1.0, 1.0, negative);
}

constexpr double far = 0x1p14;  // e^-far is less than anything that a double can stand beside

}  // namespace

TEST_CASE("functions that have the sign of their argument") {
  DYTQ_CHECK_BOTH(has_sign_of_argument(functions::tanh));
  DYTQ_CHECK_BOTH(has_sign_of_argument(functions::erf));
  DYTQ_CHECK_BOTH(has_sign_of_argument(functions::isru));
  DYTQ_CHECK_BOTH(has_sign_of_argument(functions::arctan));
  DYTQ_CHECK_BOTH(has_sign_of_argument(functions::gelu));
  DYTQ_CHECK_BOTH(has_sign_of_argument(functions::silu));
  DYTQ_CHECK_BOTH(has_sign(functions::tanh, 0.5, 0.5, negative));
  DYTQ_CHECK_BOTH(has_sign(functions::isru, 0.5, 0.5, negative));
  DYTQ_CHECK_BOTH(has_sign(functions::arctan, 0.5, 0.5, negative));
  DYTQ_CHECK_BOTH(has_sign(functions::silu, 0.5, 0.5, negative));
  DYTQ_CHECK_BOTH(has_sign(functions::gelu, 0.5, 0.5, negative));
  DYTQ_CHECK_BOTH(has_sign(functions::silu, 0.5, 0.25, positive));
  DYTQ_CHECK_BOTH(has_sign(functions::gelu, 0.5, 0.25, positive));
}

TEST_CASE("limits") {
  DYTQ_CHECK_BOTH(has_sign(functions::tanh, far, 1.0, negative));
  DYTQ_CHECK_BOTH(has_sign(functions::tanh, far, 0x1.fffffffffffffp-1, positive));
  DYTQ_CHECK_BOTH(has_sign(functions::isru, far, 1.0, negative));
  DYTQ_CHECK_BOTH(has_sign(functions::erf, far, 1.0, negative));
  DYTQ_CHECK_BOTH(has_sign(functions::erf, far, 0x1.fffffffffffffp-1, positive));
  // arctan 2 = 1.107, and pi/2 = 1.571
  DYTQ_CHECK_BOTH(has_sign(functions::arctan, 2.0, 1.625, negative));
  DYTQ_CHECK_BOTH(has_sign(functions::arctan, 2.0, 1.125, negative));
  DYTQ_CHECK_BOTH(has_sign(functions::arctan, 2.0, 1.0, positive));
  DYTQ_CHECK_BOTH(has_sign(functions::arctan, far, 1.5707, positive));
  DYTQ_CHECK_BOTH(has_sign(functions::silu, far, far - 1, positive));
  DYTQ_CHECK_BOTH(has_sign(functions::silu, -far, -1.0, positive));
  DYTQ_CHECK_BOTH(has_sign(functions::gelu, far, far - 1, positive));
  DYTQ_CHECK_BOTH(has_sign(functions::gelu, -far, -1.0, positive));
  DYTQ_CHECK_BOTH(has_sign(functions::logistic, far, 1.0, negative));
  DYTQ_CHECK_BOTH(has_sign(functions::logistic, far, 0.75, positive));
  DYTQ_CHECK_BOTH(has_sign(functions::logistic, -far, 0.25, negative));
  DYTQ_CHECK_BOTH(has_sign(functions::logistic, -far, 0.0, positive));
  DYTQ_CHECK_BOTH(has_sign(functions::exp, far, 0x1p1000, positive));
  DYTQ_CHECK_BOTH(has_sign(functions::exp, -far, 0x1p-1000, negative));
  DYTQ_CHECK_BOTH(has_sign(functions::exp, -far, 0.0, positive));
  DYTQ_CHECK_BOTH(has_sign(functions::exp, 0.0, 1.0, zero));
}

TEST_CASE("what the range of a sign leaves out is unknown") {
  // y beyond 2^-8000 ... 2^8000, beside an exponential that nothing computes.
  DYTQ_CHECK_BOTH(sign_is<dytq::detail::exp_function>(number<2>(far), number<2>(1.0, 9000), unknown));
  DYTQ_CHECK_BOTH(sign_is<dytq::detail::exp_function>(number<2>(-far), number<2>(1.0, -9000), unknown));
  DYTQ_CHECK_BOTH(sign_is<dytq::detail::logistic_function>(number<2>(-far), number<2>(1.0, -9000), unknown));
  DYTQ_CHECK_BOTH(sign_is<dytq::detail::silu_function>(number<2>(-far), number<2>(-1.0, -9000), unknown));
  DYTQ_CHECK_BOTH(sign_is<dytq::detail::gelu_function>(number<2>(-far), number<2>(-1.0, -9000), unknown));
  // erf 16 = 1 - 2^-375, and erf 8 = 1 - 2^-96: what is within 2^-92 of 1 is left open from 16 on.
  const auto below_one = [](std::int32_t by) { return real<2>(std::int64_t{1}) - number<2>(1.0, by); };
  DYTQ_CHECK_BOTH(sign_is<dytq::detail::erf_function>(number<2>(16.0), below_one(-100), unknown));
  DYTQ_CHECK_BOTH(sign_is<dytq::detail::erf_function>(number<2>(16.0), below_one(-90), positive));
  DYTQ_CHECK_BOTH(sign_is<dytq::detail::erf_function>(number<2>(8.0), below_one(-80), positive));
}

TEST_CASE("nothing is certain beside a boundary of which nothing is known") {
  DYTQ_CHECK_BOTH(has_unknown_sign(functions::tanh, 1.0, 0.5));
  DYTQ_CHECK_BOTH(has_unknown_sign(functions::erf, 1.0, 0.5));
  DYTQ_CHECK_BOTH(has_unknown_sign(functions::erf, 5.0, 0.5));
  DYTQ_CHECK_BOTH(has_unknown_sign(functions::erf, 16.0, 0.5));
  DYTQ_CHECK_BOTH(has_unknown_sign(functions::isru, 1.0, 0.5));
  DYTQ_CHECK_BOTH(has_unknown_sign(functions::arctan, 1.0, 0.5));
  DYTQ_CHECK_BOTH(has_unknown_sign(functions::silu, 1.0, 0.5));
  DYTQ_CHECK_BOTH(has_unknown_sign(functions::gelu, 1.0, 0.5));
  DYTQ_CHECK_BOTH(has_unknown_sign(functions::logistic, 1.0, 0.5));
  DYTQ_CHECK_BOTH(has_unknown_sign(functions::exp, 1.0, 0.5));
  DYTQ_CHECK_BOTH(has_unknown_sign(functions::exp, far, 2.0));
}

TEST_BOTH("e^-t outside its range, and at 0", {
  const dytq::decay<2> of_hidden(hidden<2>(1.0)), of_negative(number<2>(-1.0)), of_much(number<2>(0x1p15)),
      of_zero(number<2>(0.0));
  return !of_hidden.value.known() && !of_hidden.complement.known() && !of_negative.value.known() &&
         !of_negative.complement.known() && !of_much.value.known() && !of_much.complement.known() &&
         compare(of_zero.value, number<2>(1.0)) == zero && of_zero.complement.is_zero();
})

TEST_BOTH("the series of erf and the fraction of its tail outside their range", {
  const estimate w = dytq::make_estimate(opaque(std::uint64_t{1}), 8);
  const real<2> one(std::int64_t{1});
  return !dytq::detail::kummer(number<2>(2048.0)).known() && dytq::detail::kummer(number<2>(512.0)).known() &&
         !dytq::detail::kummer_estimate(w).known() && !dytq::detail::kummer_quick(w).known() &&
         dytq::detail::kummer_estimate({w.m, 7, 0}).known() && dytq::detail::kummer_quick({w.m, 7, 0}).known() &&
         dytq::detail::compare_with_tail(hidden<2>(1.0), one, number<2>(4.0)) == unknown &&
         // 1 / (4 + 1 / (4 + ...)) is between 4/17 and 1/4
         dytq::detail::compare_with_tail(number<2>(0.25), one, number<2>(4.0)) == positive &&
         dytq::detail::compare_with_tail(number<2>(0.234375), one, number<2>(4.0)) == negative;
})

TEST_BOTH("a quick estimate far out on the negative side is as good as 0, on the positive side the limit", {
  const estimate x = dytq::make_estimate(opaque(std::uint64_t{1}), 15);
  const estimate least{std::uint64_t{1} << 63, -dytq::detail::range_log2, 0};
  const auto same = [](const estimate& a, const estimate& b) { return a.m == b.m && a.exponent == b.exponent; };
  const estimate nearly_one = dytq::detail::logistic_function::magnitude(x, false);
  return same(dytq::detail::logistic_function::magnitude(x, true), least) &&
         same(dytq::detail::silu_function::magnitude(x, true), least) &&
         same(dytq::detail::gelu_function::magnitude(x, true), least) &&
         same(dytq::detail::exp_function::magnitude(x, true), least) && nearly_one.exponent == 0 &&
         nearly_one.m + nearly_one.error < nearly_one.m &&  // 1 is within the error
         same(dytq::detail::silu_function::magnitude(x, false), x) &&
         same(dytq::detail::gelu_function::magnitude(x, false), x);
})
