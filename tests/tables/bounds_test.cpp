// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every claimed error against MPFR: the arithmetic, e^-t, the series, the functions, and the certified signs.
// docs/certified_functions.md derives the constants that are read here.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <random>
#include <string_view>
#include <type_traits>
#include <vector>

#include <dytq/function.hpp>

#include "every_function.hpp"
#include "generator.hpp"
#include "reference.hpp"
#include "support/catch.hpp"

namespace {

using dytq::estimate;
using dytq::real;
using generator::between;
using reference::number;

constexpr mpfr_prec_t wide = 1200;

void put(mpfr_ptr r, const estimate& v) {
  mpfr_set_ui(r, v.m, MPFR_RNDN);
  mpfr_mul_2si(r, r, long{v.exponent} - 64, MPFR_RNDN);
}
template <std::size_t N>
void put(mpfr_ptr r, const real<N>& v) {
  mpfr_set_ui(r, 0, MPFR_RNDN);
  for (std::size_t i = N; i-- > 0;) {
    mpfr_mul_2ui(r, r, 64, MPFR_RNDN);
    mpfr_add_ui(r, r, v.m[i], MPFR_RNDN);
  }
  mpfr_mul_2si(r, r, long{v.exponent} - 64 * static_cast<long>(N), MPFR_RNDN);
  if (v.negative) {
    mpfr_neg(r, r, MPFR_RNDN);
  }
}
template <std::size_t N>
constexpr int limbs_of(const real<N>&) {
  return static_cast<int>(N);
}
constexpr int limbs_of(const estimate&) { return 1; }

/// The largest part of its claimed error that a number has used.
struct use {
  double most = 0;
  int unknown = 0;
  int all = 0;

  template <class V>
  void look(const V& got, mpfr_srcptr truth) {
    ++all;
    if (!got.known()) {
      ++unknown;
      return;
    }
    number mid(wide), d(wide);
    put(mid, got);
    mpfr_sub(d, truth, mid, MPFR_RNDN);
    if (mpfr_zero_p(d)) {
      return;
    }
    if (mpfr_zero_p(mid)) {
      most = INFINITY;
      return;
    }
    mpfr_div(d, d, mid, MPFR_RNDN);
    mpfr_mul_2si(d, d, 64 * limbs_of(got), MPFR_RNDN);
    most = std::max(most, std::fabs(mpfr_get_d(d, MPFR_RNDN)) / (static_cast<double>(got.error) + 1e-300));
  }
};

estimate any_estimate(std::mt19937_64& g) {
  std::uint64_t v = g() >> (g() % 2 == 0 ? 0 : g() % 60);
  v = g() % 5 == 0 ? ~(g() >> (30 + g() % 34)) : v;
  return dytq::make_estimate(v | 1, static_cast<std::int32_t>(between(g, -70, -50)));
}

template <std::size_t N>
real<N> any_real(std::mt19937_64& g) {
  dytq::detail::limbs<N> m{};
  for (std::size_t i = 0; i < N; ++i) {
    m[i] = g() % 4 == 0 ? 0 : g() % 4 == 0 ? ~std::uint64_t{0} : g();
  }
  m[N - 1] |= std::uint64_t{1} << 63;
  return real<N>(m, static_cast<std::int32_t>(between(g, -4, 4)), 0, g() % 2 == 0);
}

template <std::size_t N>
void check_real() {
  std::mt19937_64 g(N);
  use sum, product, quotient, chain;
  int wrong_signs = 0;
  for (int i = 0; i < 20000; ++i) {
    const real<N> a = any_real<N>(g);
    real<N> b = any_real<N>(g);
    if (i % 3 == 0) {  // a cancellation
      b = a;
      b.negative = !a.negative;
      b.m[static_cast<std::size_t>(between(g, 0, N - 1))] ^= g() >> 1 >> (g() % 60);
      b.m[N - 1] |= std::uint64_t{1} << 63;
    }
    number x(wide), y(wide), r(wide);
    put(x, a);
    put(y, b);
    mpfr_add(r, x, y, MPFR_RNDN);
    sum.look(a + b, r);
    const auto s = compare(a, -b);
    wrong_signs += s == dytq::certified_sign::unknown || static_cast<int>(s) == mpfr_sgn(r) ? 0 : 1;
    wrong_signs += s == dytq::certified_sign::unknown ? 1 : 0;  // exact numbers always compare
    mpfr_mul(r, x, y, MPFR_RNDN);
    product.look(a * b, r);
    const auto n = static_cast<std::uint32_t>(g() | 1);
    mpfr_div_ui(r, x, n, MPFR_RNDN);
    quotient.look(divide(a, n), r);
    // Errors upon errors.
    mpfr_mul(r, x, y, MPFR_RNDN);
    mpfr_mul(r, r, r, MPFR_RNDN);
    mpfr_add(r, r, x, MPFR_RNDN);
    mpfr_sub(r, r, y, MPFR_RNDN);
    const real<N> p = a * b;
    chain.look(p * p + a - b, r);
  }
  CHECK(sum.most <= 1);
  CHECK(product.most <= 1);
  CHECK(quotient.most <= 1);
  CHECK(chain.most <= 1);
  CHECK(sum.unknown == 0);
  CHECK(wrong_signs == 0);
}

template <std::size_t N>
void check_decay() {
  std::mt19937_64 g(N);
  use value, complement;
  double most_ulps = 0, most_quotient = 0;
  for (int i = 0; i < 4000; ++i) {
    const double t = i % 2 == 0 ? std::exp(generator::uniform(g) * 20 - 10) : std::exp2(-generator::uniform(g) * 300);
    if (t >= 16384) {
      continue;
    }
    const dytq::decay<N> d{real<N>(dytq::dyadic(t))};
    number x(wide), r(wide);
    mpfr_set_d(x, -t, MPFR_RNDN);
    mpfr_exp(r, x, MPFR_RNDN);
    value.look(d.value, r);
    // The reduced value is 2^a e^-t: its error in ulps is below decay::ulps(a).
    number scaled(wide);
    put(scaled, d.value);
    mpfr_sub(scaled, scaled, r, MPFR_RNDN);
    const auto a = static_cast<long>(t * 94548 / 65536);
    mpfr_mul_2si(scaled, scaled, a + 64 * static_cast<long>(N), MPFR_RNDN);
    most_ulps = std::max(most_ulps, std::fabs(mpfr_get_d(scaled, MPFR_RNDN)) -
                                        static_cast<double>(dytq::decay<N>::ulps(static_cast<std::uint64_t>(a))));
    mpfr_expm1(r, x, MPFR_RNDN);
    mpfr_neg(r, r, MPFR_RNDN);
    complement.look(d.complement, r);
    // (1 - e^-r) / r of a fraction.
    dytq::detail::limbs<N> f{};
    for (std::size_t j = 0; j < N; ++j)
      f[j] = g();
    f[N - 1] = f[N - 1] % (~std::uint64_t{0} / 100 * dytq::detail::exp_reduced_limit) >> (i % 3 == 0 ? g() % 64 : 0);
    real<N> exact(f, 0, 0, false);
    if (exact.is_zero()) {
      continue;
    }
    put(x, exact);
    mpfr_neg(r, x, MPFR_RNDN);
    mpfr_expm1(r, r, MPFR_RNDN);
    mpfr_div(r, r, x, MPFR_RNDN);
    mpfr_neg(r, r, MPFR_RNDN);
    put(scaled, real<N>(dytq::detail::exp_quotient<N>(f), 0, 0, false));
    mpfr_sub(scaled, scaled, r, MPFR_RNDN);
    mpfr_mul_2si(scaled, scaled, 64 * static_cast<long>(N), MPFR_RNDN);
    most_quotient = std::max(most_quotient, std::fabs(mpfr_get_d(scaled, MPFR_RNDN)));
  }
  CHECK(value.most <= 1);
  CHECK(complement.most <= 1);
  CHECK(value.unknown == 0);
  CHECK(complement.unknown == 0);
  CHECK(most_ulps <= 0);
  CHECK(most_quotient <= static_cast<double>(dytq::detail::exp_quotient_ulps));
}

/// x where something happens to f: ordinary, tiny, on a grid, beyond.
double any_argument(std::mt19937_64& g) {
  const double u = generator::uniform(g) + 0x1p-60;
  switch (g() % 4) {
    case 0: return std::ldexp(u, static_cast<int>(between(g, -3, 4)));
    case 1: return std::ldexp(u, -static_cast<int>(between(g, 0, 200)));
    case 2: return static_cast<double>(between(g, 1, 1000)) / 64;
    default: return std::ldexp(u + 0.01, static_cast<int>(between(g, 0, 30)));
  }
}

/// x near a place where an estimate changes its way: the ends of a domain, a multiple of pi/2, 1, the kinks.
double edge_argument(std::mt19937_64& g, reference::kind f) {
  const reference::interval in = reference::domain(f);
  const double tiny = std::ldexp(generator::uniform(g) + 0x1p-60, -static_cast<int>(between(g, 0, 50)));
  const double sign = g() % 2 == 0 ? 1 : -1;
  switch (g() % 4) {
    case 0:
      return std::isfinite(in.lo) && (!std::isfinite(in.hi) || g() % 2 == 0) ? in.lo + tiny
             : std::isfinite(in.hi)                                          ? in.hi - tiny
                                                                             : sign * tiny;
    case 1: return 1 + sign * tiny;
    case 2: return sign * (1.5707963267948966 * static_cast<double>(between(g, 1, 1000)) + tiny);
    default: return sign * (static_cast<double>(between(g, 0, 64)) / 8 + tiny);
  }
}

/// The largest part of its claimed error that each function's estimates have used here: its own, the quick one, the one
/// from e^-x. What is above is a margin that became smaller; what is far below 1 is slack, mostly since the claims are
/// sums of worst cases.
struct share {
  std::string_view name;
  double estimates, quick, walked;
};
constexpr share shares[] = {
    {"tanh", 0.250, 0.000, 0.143},      {"logistic", 0.250, 0.000, 0.154},    {"exp", 0.107, 0.000, 0.128},
    {"silu", 0.085, 0.000, 0.245},      {"erf", 0.250, 0.250, 0.000},         {"gelu", 0.876, 0.174, 0.000},
    {"isru", 0.158, 0.000, 0.000},      {"arctan", 0.035, 0.000, 0.000},      {"log", 0.114, 0.000, 0.000},
    {"log1p", 0.350, 0.000, 0.000},     {"log2", 0.124, 0.000, 0.000},        {"log10", 0.121, 0.000, 0.000},
    {"sqrt", 0.139, 0.000, 0.000},      {"rsqrt", 0.118, 0.000, 0.000},       {"reciprocal", 0.175, 0.000, 0.000},
    {"expm1", 0.250, 0.000, 0.000},     {"exp2", 0.104, 0.000, 0.000},        {"sin", 0.127, 0.000, 0.000},
    {"cos", 0.132, 0.000, 0.000},       {"tan", 0.115, 0.000, 0.000},         {"sinh", 0.079, 0.000, 0.000},
    {"cosh", 0.067, 0.000, 0.000},      {"asin", 0.489, 0.000, 0.000},        {"acos", 0.489, 0.000, 0.000},
    {"atanh", 0.157, 0.000, 0.000},     {"asinh", 0.024, 0.000, 0.000},       {"acosh", 0.057, 0.000, 0.000},
    {"erfinv", 0.007, 0.000, 0.000},    {"softplus", 0.050, 0.000, 0.000},    {"mish", 0.059, 0.000, 0.000},
    {"gelu_tanh", 0.237, 0.000, 0.000}, {"hardsigmoid", 0.261, 0.000, 0.000}, {"hardswish", 0.236, 0.000, 0.000},
    {"elu", 0.200, 0.000, 0.000},       {"leaky_relu", 0.201, 0.000, 0.000},  {"relu", 0.000, 0.000, 0.000},
    {"ceil", 0.000, 0.000, 0.000},      {"floor", 0.000, 0.000, 0.000},       {"round", 0.000, 0.000, 0.000},
};

template <class F>
void check_function(F f, const char* name) {
  std::mt19937_64 g(77);
  const reference::kind kind = reference::kind_of(f);
  const reference::interval in = reference::domain(kind);
  use estimates, quick, walked;
  int wrong = 0, undecided = 0, looked = 0;
  double parameter = 1.0;
  if constexpr (requires { f.slope; }) {
    parameter = f.slope;
  }
  for (int i = 0; i < 5000; ++i) {
    const double signed_v = i % 2 == 0 ? any_argument(g) * (g() % 2 == 0 ? 1 : -1) : edge_argument(g, kind);
    const double v = std::fabs(signed_v);
    const bool negative = signed_v < 0;
    if (v == 0 || signed_v < in.lo || signed_v > in.hi || (in.pole && (signed_v == in.lo || signed_v == in.hi))) {
      continue;
    }
    // Signs of six limbs are asked at two arguments of eight; estimates have one limb.
    const mpfr_prec_t bits = i % 8 < 2 ? wide : 300;
    number x(wide), truth(bits), side(bits);
    mpfr_set_d(x, signed_v, MPFR_RNDN);
    reference::evaluate(kind, truth, x, parameter);
    if (mpfr_inf_p(truth) || (!mpfr_zero_p(truth) && std::labs(mpfr_get_exp(truth)) > 7000)) {
      continue;
    }
    ++looked;
    mpfr_abs(side, truth, MPFR_RNDN);
    dytq::detail::argument of(dytq::dyadic(signed_v), dytq::dyadic(1.0), dytq::dyadic{});
    dytq::detail::prepare(f, of);
    const dytq::signed_estimate got = dytq::detail::estimate_of(f, dytq::detail::abscissa(of, 1, negative));
    if (mpfr_zero_p(truth) && got.size.m != 0 && got.size.exponent < -7000) {
      continue;  // MPFR's own range ends at 2^-2^30
    }
    estimates.look(got.size, side);
    wrong += got.size.known() && !mpfr_zero_p(truth) && got.negative != (mpfr_sgn(truth) < 0) ? 1 : 0;
    const estimate at = dytq::make_estimate(real<2>(dytq::dyadic(v)));
    if constexpr (dytq::detail::gaussian_function<F>) {
      const estimate square = at * at;
      quick.look(
          F::quick(at, dytq::decay_estimate({square.m, square.exponent + F::gauss_log2, square.error}).value, negative),
          side);
    }
    if constexpr (dytq::detail::decaying_function<F>) {
      const estimate e = dytq::decay_estimate({at.m, at.exponent + F::decay_log2, at.error}).value;
      walked.look(F::magnitude_from(
                      e, [&] { return at; }, negative),
                  side);
    }
    // The sign at f's neighbours among the doubles.
    const double y = mpfr_get_d(truth, MPFR_RNDN);
    if (i % 8 >= 2 || !std::isfinite(y)) {
      continue;
    }
    for (const double boundary : {y, std::nextafter(y, 1e308), std::nextafter(y, -1e308)}) {
      const int want = mpfr_cmp_d(truth, boundary);
      if (want == 0) {
        continue;  // the reference itself has been rounded to the boundary
      }
      const dytq::dyadic dx(signed_v), dy(boundary);
      const dytq::certified_sign s[] = {f.template sign<2>(real<2>(dx), real<2>(dy)),
                                        f.template sign<4>(real<4>(dx), real<4>(dy)),
                                        f.template sign<6>(real<6>(dx), real<6>(dy))};
      for (const dytq::certified_sign one : s) {
        wrong += one == dytq::certified_sign::unknown || static_cast<int>(one) == (want > 0 ? 1 : -1) ? 0 : 1;
      }
      undecided += s[2] == dytq::certified_sign::unknown ? 1 : 0;
    }
  }
  std::printf("%-11s estimates use %.3f of their error, quick ones %.3f, from e^-x %.3f; %d of %d unknown\n", name,
              estimates.most, quick.most, walked.most, estimates.unknown, looked);
  INFO(name);
  CHECK(estimates.most <= 1);
  CHECK(walked.most <= 1);
  CHECK(quick.most <= 1);
  const auto* const known =
      std::find_if(std::begin(shares), std::end(shares), [&](const share& s) { return s.name == name; });
  REQUIRE(known != std::end(shares));
  const auto as_before = [](double now, double then) { return now <= then * 1.01 + 0.0006; };
  CHECK(as_before(estimates.most, known->estimates));
  CHECK(as_before(quick.most, known->quick));
  CHECK(as_before(walked.most, known->walked));
  CHECK(estimates.unknown * 3 <= looked);
  CHECK(wrong == 0);
  CHECK(undecided == 0);
}

/// A side on which f is monotone says so, since its tables then end at the limit; the limit bounds f, and f comes near
/// it or is 0 or beyond every scale.
template <class F>
void check_limit(F f, bool x_negative, bool monotone) {
  const reference::kind kind = reference::kind_of(f);
  CHECK(F::has_limit(x_negative) == monotone);
  if (!monotone) {
    return;
  }
  const estimate limit = F::limit(x_negative);
  number x(wide), far(wide), bound(wide);
  mpfr_set_d(x, x_negative ? -0x1p40 : 0x1p40, MPFR_RNDN);
  reference::evaluate(kind, far, x);
  mpfr_abs(far, far, MPFR_RNDN);
  put(bound, limit);
  if (limit.m == 0) {
    CHECK(mpfr_cmp_d(far, 0x1p-1074) < 0);
  } else if (limit.exponent == dytq::detail::range_log2) {
    CHECK(mpfr_cmp_d(far, 0x1p39) >= 0);
  } else {
    mpfr_sub(far, far, bound, MPFR_RNDN);
    CHECK(std::fabs(mpfr_get_d(far, MPFR_RNDN)) < 0x1p-39);
  }
}

}  // namespace

TEST_CASE("the rules of estimates hold") {
  std::mt19937_64 g(1);
  use product, quotient, sum, difference, root, complement, above;
  for (int i = 0; i < 200000; ++i) {
    const estimate a = any_estimate(g), b = any_estimate(g);
    number x(wide), y(wide), r(wide);
    put(x, a);
    put(y, b);
    mpfr_mul(r, x, y, MPFR_RNDN);
    product.look(a * b, r);
    mpfr_div(r, x, y, MPFR_RNDN);
    quotient.look(a / b, r);
    mpfr_add(r, x, y, MPFR_RNDN);
    sum.look(a + b, r);
    mpfr_sub(r, x, y, MPFR_RNDN);
    if (mpfr_sgn(r) > 0) {
      difference.look(a - b, r);
    }
    mpfr_sqrt(r, x, MPFR_RNDN);
    root.look(dytq::square_root(a), r);
    if (a.exponent <= 0) {
      mpfr_ui_sub(r, 1, x, MPFR_RNDN);
      complement.look(dytq::one_minus(a), r);
      mpfr_add_ui(r, x, 1, MPFR_RNDN);
      above.look(dytq::one_plus(a), r);
    }
  }
  CHECK(product.most <= 1);
  CHECK(quotient.most <= 1);
  CHECK(sum.most <= 1);
  CHECK(difference.most <= 1);
  CHECK(root.most <= 1);
  CHECK(complement.most <= 1);
  CHECK(above.most <= 1);
}

TEST_CASE("the rules of real hold") {
  check_real<1>();
  check_real<2>();
  check_real<4>();
  check_real<6>();
}

TEST_CASE("e^-t is within its bounds") {
  check_decay<1>();
  check_decay<2>();
  check_decay<4>();
  check_decay<6>();
}

TEST_CASE("a progression stays within its error") {
  std::mt19937_64 g(5);
  use all;
  for (int t = 0; t < 100; ++t) {
    const double step = std::exp(-generator::uniform(g) * 12);
    const estimate ratio = dytq::decay_estimate(dytq::make_estimate(real<2>(dytq::dyadic(step)))).value;
    estimate e{std::uint64_t{1} << 63, 1, 0};
    number x(wide), r(wide);
    for (int k = 1; k < 513; ++k) {
      e = e * ratio;
      mpfr_set_d(x, -step, MPFR_RNDN);
      mpfr_mul_si(x, x, k, MPFR_RNDN);
      mpfr_exp(r, x, MPFR_RNDN);
      all.look(e, r);
    }
  }
  CHECK(all.most <= 1);
}

TEST_CASE("functions and their signs are within their bounds") {
  dytq_tests::for_every_function([](auto f, const char* name) { check_function(f, name); });
}

TEST_CASE("sides that have a limit, and the limit") {
  for (const bool x_negative : {false, true}) {
    check_limit(dytq::functions::tanh, x_negative, true);
    check_limit(dytq::functions::logistic, x_negative, true);
    check_limit(dytq::functions::exp, x_negative, true);
    check_limit(dytq::functions::erf, x_negative, true);
    check_limit(dytq::functions::isru, x_negative, true);
    check_limit(dytq::functions::arctan, x_negative, true);
    check_limit(dytq::functions::expm1, x_negative, true);
    check_limit(dytq::functions::exp2, x_negative, true);
    check_limit(dytq::functions::sinh, x_negative, true);
    check_limit(dytq::functions::cosh, x_negative, true);
    check_limit(dytq::functions::softplus, x_negative, true);
    // Below 0 these two fall and rise again.
    check_limit(dytq::functions::silu, x_negative, !x_negative);
    check_limit(dytq::functions::gelu, x_negative, !x_negative);
  }
}

TEST_CASE("the arc tangents of the eighths are cut after 64 bits") {
  for (std::size_t i = 0; i < dytq::detail::arctan_anchors.size(); ++i) {
    number x(wide), truth(wide);
    mpfr_set_ui_2exp(x, i, -3, MPFR_RNDN);
    mpfr_atan(truth, x, MPFR_RNDN);
    mpfr_mul_2ui(truth, truth, 64, MPFR_RNDN);
    CHECK(dytq::detail::arctan_anchors[i] == mpfr_get_ui(truth, MPFR_RNDD));
  }
}

TEST_CASE("terms of the series are enough, and hardly more") {
  // exp: r^n / (n + 1)! at r = 0.78 is below 2^(-64 N - 1). sine: 0.67^n / (2n)! likewise.
  const auto below = [](double log2_of_rest, int limbs) { return log2_of_rest < -64 * limbs - 1; };
  const auto check = [&](auto rest, int limbs, std::uint64_t terms, std::uint64_t fewer) {
    CHECK(below(rest(static_cast<double>(terms)), limbs));
    CHECK_FALSE(below(rest(static_cast<double>(fewer)), limbs));
  };
  const auto exp_rest = [](double n) { return n * std::log2(0.78) - std::lgamma(n + 2) / std::log(2.0); };
  const auto sine_rest = [](double n) { return n * std::log2(0.67) - std::lgamma(2 * n + 1) / std::log(2.0); };
  const auto check_both = [&]<std::size_t N>(std::integral_constant<std::size_t, N>) {
    const std::uint64_t e = dytq::detail::exp_terms<N>, s = dytq::detail::sine_terms<N>;
    check(exp_rest, static_cast<int>(N), e, e - 1);
    check(sine_rest, static_cast<int>(N), s, s - 2);
  };
  check_both(std::integral_constant<std::size_t, 1>{});
  check_both(std::integral_constant<std::size_t, 2>{});
  check_both(std::integral_constant<std::size_t, 4>{});
  check_both(std::integral_constant<std::size_t, 6>{});
  // Kummer: K is increasing in the number of terms and convex between the table's arguments.
  double most_units = 0;  // of 2^-64
  for (int i = 0; i < 600; ++i) {
    const double w = std::exp2(-12.0 + 19.0 * i / 600);
    number x(wide), truth(wide), term(wide);
    mpfr_set_d(x, w, MPFR_RNDN);
    mpfr_set_ui(term, 1, MPFR_RNDN);
    mpfr_set_ui(truth, 1, MPFR_RNDN);
    for (unsigned n = 3; n < 1600; n += 2) {
      mpfr_mul(term, term, x, MPFR_RNDN);
      mpfr_div_ui(term, term, n, MPFR_RNDN);
      mpfr_add(truth, truth, term, MPFR_RNDN);
    }
    use slow, quick, four;
    const estimate e = dytq::make_estimate(real<2>(dytq::dyadic(w)));
    slow.look(dytq::detail::kummer_estimate(e), truth);
    quick.look(dytq::detail::kummer_quick(e), truth);
    four.look(dytq::detail::kummer(real<4>(dytq::dyadic(w))), truth);
    CHECK(slow.most <= 1);
    CHECK(quick.most <= 1);
    CHECK(four.most <= 1);
    most_units = std::max(most_units, slow.most * static_cast<double>(dytq::detail::kummer_estimate(e).error));
  }
  CHECK(most_units < 0x1p14);  // of 2^19 that are claimed: a term too few shows
}

TEST_CASE("Kummer's tables have the fewest terms that leave as little as they say") {
  const auto check = [](const auto& terms, int bits) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const double w = std::ldexp(1.0, static_cast<int>(i) - 11);
      std::vector<double> all{1.0};  // of the sum, until they are nothing
      while (all.back() > 1e-40) {
        all.push_back(all.back() * w / static_cast<double>(2 * all.size() + 1));
      }
      double rest = 0, sum = std::accumulate(all.begin(), all.end(), 0.0);
      std::size_t n = all.size();
      while (rest + all[n - 1] < std::ldexp(sum, -bits)) {
        rest += all[--n];
      }
      CHECK(terms[i] == n);
    }
  };
  check(dytq::detail::kummer_terms, 52);
  check(dytq::detail::kummer_quick_terms, 27);
}
