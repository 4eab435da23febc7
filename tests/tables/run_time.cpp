// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a table of each function, one with std::tanh in double, and the certified error of one of gelu: lut_checks.py
// counts the instructions of each call.
#include <cmath>
#include <cstdint>
#include <cstdio>

#include <dytq/lut16.hpp>

#include "every_function.hpp"

namespace {

volatile double scale_in = 0.05, scale_out = 1.0 / 128, small_scale_in = 1.0 / 256;

template <class F>
[[gnu::noinline]] int table(F f) {
  // Where f is not defined everywhere, from its end on, or around 0.
  constexpr bool ends = dytq::detail::bounded_domain<F>, both = requires { F::domain_max; };
  const dytq::qparams in{.scale = both ? small_scale_in : scale_in, .zero_point = ends && !both ? -128 : 3};
  double shift = 0.0;
  if constexpr (requires { F::domain_min; }) {
    shift = both ? 0.0 : F::domain_min;
  } else if constexpr (ends) {
    shift = 1.0;
  }
  // What make_lut8 does for exact numerics: the other ones would take as long to compile again.
  const dytq::detail::quantizer out(dytq::detail::dyadic(scale_out), 0, dytq::int8_range);
  dytq::table8 t{};
  const auto made = dytq::detail::make_exact_lut(f, in, out, {.shift = shift}, dytq::int8_range, {-128, 1, 256}, t);
  return made ? t.at(17) : 0;
}

[[gnu::noinline]] int libm() {
  std::int8_t t[256];
  for (int i = 0; i < 256; ++i) {
    const double v = std::nearbyint(std::tanh(scale_in * (i - 131)) / scale_out);
    t[i] = static_cast<std::int8_t>(v < -128 ? -128 : v > 127 ? 127 : v);
  }
  volatile int at = 17;
  return t[at];
}

// By estimates: by signs, as gelu's codes below -2 once went, it takes hundreds of times as many.
[[gnu::noinline]] std::int64_t error() {
  const dytq::qparams in{.scale = scale_in}, out{.scale = scale_out};
  return dytq::rounding_error(dytq::functions::gelu, in, out, dytq::table8{})->code;
}

}  // namespace

int main() {
  int sum = libm();  // the first call links std::tanh
  sum = libm();
  dytq_tests::for_every_function([&](auto f, const char*) { sum += table(f); });
  sum += static_cast<int>(error());
  std::printf("%d\n", sum);
}
