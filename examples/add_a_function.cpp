// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function of your own as a certified table: two of them, one exact and one with a series.
//
// All that a function has to offer is the sign of f(x) - y. Arithmetic on dytq::real carries its own error, so that
// `compare` at the end is never wrong: it knows the sign, or says that it does not, and is asked again with more limbs.
#include <cstdio>

#include <dytq/lut.hpp>

/// softsign x = x / (1 + |x|): the sign of x - y (1 + |x|). Rational, so it has ties, which `compare` finds as zero.
struct softsign_function {
  template <std::size_t N>
  static constexpr dytq::certified_sign sign(const dytq::real<N>& x, const dytq::real<N>& y) {
    const dytq::real<N> one(std::int64_t{1});
    return dytq::compare(x, y * (one + x.magnitude()));
  }
};

/// The Gaussian e^(-x^2), from the library's e^-t.
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
};

static_assert(dytq::certified_function<softsign_function> && dytq::certified_function<gaussian_function>);

static constexpr auto softsign = dytq::make_lut8(softsign_function{}, {.scale = 1.0}, {.scale = 1.0 / 128}).value();
// softsign 3 = 3/4 = 96/128.
static_assert(softsign[128 + 3] == 96);

int main() {
  // A sign with an e^-t in it takes more steps than compilers allow by default for 256 entries (raise
  // -fconstexpr-steps or -fconstexpr-ops-limit), unless the function offers an estimate too: see function.hpp. So `in`
  // is no constant: g++ would try for many seconds.
  dytq::qparams in{.scale = 1.0 / 32};
  const auto made = dytq::make_lut8(gaussian_function{}, in, {.scale = 1.0 / 256, .zero_point = -128});
  if (!made) {
    return 1;
  }
  const dytq::table8& gaussian = *made;
  for (int code = -128; code < 128; code += 32) {
    std::printf("code %4d: softsign %4d, Gaussian %4d\n", code, softsign[static_cast<std::size_t>(code + 128)],
                gaussian[static_cast<std::size_t>(code + 128)]);
  }
  return gaussian[128 + 32] == 94 - 128 ? 0 : 1;  // e^(-1) * 256 = 94.18
}
