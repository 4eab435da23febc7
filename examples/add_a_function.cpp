// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of your own as certified tables: one that is monotone, one that is not, one with a pole, one with a
// parameter. docs/add_a_function.md goes through them step by step.
//
// All that a function has to offer is the sign of f(x) - y. Arithmetic on dytq::real carries its own error, so that
// `compare` at the end is never wrong: it knows the sign, or says that it does not, and is asked again with more limbs.
// An estimate decides most entries more cheaply; `check_function` says whether it holds.
#include <cstdio>

#include <dytq/lut.hpp>

/// Monotone: softsign x = x / (1 + |x|). The sign of x - y (1 + |x|); rational, so it has ties, which `compare` finds.
struct softsign_function {
  template <std::size_t N>
  static constexpr dytq::certified_sign sign(const dytq::real<N>& x, const dytq::real<N>& y) {
    const dytq::real<N> one(std::int64_t{1});
    return dytq::compare(x, y * (one + x.magnitude()));
  }
  static constexpr bool odd = true;  // half of the entries follow from the others
  static constexpr dytq::estimate magnitude(const dytq::estimate& x, bool) {
    return x / (dytq::make_estimate(1, 0) + x);
  }
  static constexpr bool negative(bool x_negative) { return x_negative; }
  // |f| grows to 1 on both sides: entries from which on nothing changes need not be computed.
  static constexpr bool has_limit(bool) { return true; }
  static constexpr dytq::estimate limit(bool) { return dytq::make_estimate(1, 0); }
};

/// Not monotone: the Gaussian e^(-x^2), from the library's e^-t.
struct gaussian_function {
  template <std::size_t N>
  static constexpr dytq::certified_sign sign(const dytq::real<N>& x, const dytq::real<N>& y) {
    const dytq::real<N> one(std::int64_t{1});
    if (y.negative || y.is_zero())
      return dytq::certified_sign::positive;
    if (x.is_zero())
      return dytq::compare(one, y);
    // What no precision could settle comes first: e^(-x^2) < 1 for x != 0, however close.
    if (dytq::at_least(y, one))
      return dytq::certified_sign::negative;
    const dytq::real<N> square = x * x;
    // Far out, e^(-x^2) is below every boundary that a double scale can make.
    if (square.exponent >= dytq::decay_limit_log2)
      return dytq::certified_sign::negative;
    const dytq::decay<N> e(square);
    // Near 1 compare 1 - y with 1 - e^(-x^2), which keeps its precision for small x.
    return square.exponent < 0 ? dytq::compare(one - y, e.complement) : dytq::compare(e.value, y);
  }
  static constexpr dytq::estimate magnitude(const dytq::estimate& x, bool) { return dytq::decay_estimate(x * x).value; }
  static constexpr bool negative(bool) { return false; }
};

/// With poles: logit x = log(x / (1 - x)), defined on [0, 1]. It is above y where x is above logistic y.
struct logit_function {
  static constexpr int domain_min = 0, domain_max = 1;
  template <std::size_t N>
  static constexpr dytq::certified_sign sign(const dytq::real<N>& x, const dytq::real<N>& y) {
    return -dytq::functions::logistic.sign<N>(y, x);  // at 0 and 1 this is the sign of -infinity and infinity
  }
  // Its sign changes inside a side of 0, so that the estimate comes with a sign.
  template <class X>
  static constexpr dytq::signed_estimate value(const X& x) {
    const dytq::real<2> rest = dytq::real<2>(std::int64_t{1}) - x.exact();
    if (rest.is_zero())
      return dytq::unknown_estimate;  // asked of the sign
    return dytq::functions::log.of(x() / dytq::make_estimate(rest));
  }
};

/// With a parameter: swish x = x logistic(beta x) = silu(beta x) / beta for beta > 0.
struct swish_function {
  double beta = 1.0;
  constexpr bool valid() const { return dytq::dyadic(beta).finite && beta > 0; }

  template <std::size_t N>
  constexpr dytq::certified_sign sign(const dytq::real<N>& x, const dytq::real<N>& y) const {
    const dytq::real<N> b{dytq::dyadic(beta)};
    return dytq::functions::silu.sign<N>(b * x, b * y);
  }
  constexpr dytq::estimate magnitude(const dytq::estimate& x, bool x_negative) const {
    const dytq::dyadic b(beta);
    const dytq::estimate of_beta = dytq::make_estimate(b.mantissa, b.exponent);
    return dytq::functions::silu.magnitude(x * of_beta, x_negative) / of_beta;
  }
  static constexpr bool negative(bool x_negative) { return x_negative; }
};

// Tables in constant expressions, within the compilers' default limits.
static constexpr auto softsign = dytq::make_lut8(softsign_function{}, {.scale = 1.0}, {.scale = 1.0 / 128}).value();
static constexpr auto gaussian =
    dytq::make_lut8(gaussian_function{}, {.scale = 1.0 / 32}, {.scale = 1.0 / 256, .zero_point = -128}).value();
static constexpr auto logit =
    dytq::make_lut8(logit_function{}, {.scale = 1.0 / 255, .zero_point = -128}, {.scale = 1.0 / 16}).value();
static constexpr auto swish = dytq::make_lut8(swish_function{1.5}, {.scale = 1.0 / 16}, {.scale = 1.0 / 16}).value();

static_assert(softsign[128 + 3] == 96);                                   // 3/4 * 128
static_assert(gaussian[128] == 127);                                      // 256 - 128, clamped
static_assert(gaussian[128 + 32] == 94 - 128);                            // e^-1 * 256 = 94.18
static_assert(logit[0] == -128 && logit[255] == 127 && logit[127] == 0);  // the poles, and 127/255, just below 1/2
static_assert(swish[128 + 16] == 13);                                     // logistic 1.5 * 16 = 13.08

template <class Function>
bool check(const char* name, Function f) {
  const dytq::function_check found = dytq::check_function(f);
  std::printf("%s: %lld tables by estimates and by signs alone, %s\n", name, static_cast<long long>(found.tables),
              found ? "the same" : "not the same");
  return static_cast<bool>(found);
}

int main() {
  const bool all = check("softsign", softsign_function{}) & check("Gaussian", gaussian_function{}) &
                   check("logit", logit_function{}) & check("swish", swish_function{1.5});
  for (int code = -128; code < 128; code += 32) {
    const auto at = static_cast<std::size_t>(code + 128);
    std::printf("code %4d: softsign %4d, Gaussian %4d, logit %4d, swish %4d\n", code, softsign[at], gaussian[at],
                logit[at], swish[at]);
  }
  return all ? 0 : 1;
}
