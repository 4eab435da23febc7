// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes one table, or the same with std::tanh in double: its instructions are counted from outside.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dytq/lut.hpp>

namespace {

volatile double scale_in = 0.05, scale_out = 1.0 / 128;

template <class F>
int table(F f) {
  const auto t = dytq::make_lut8(f, {.scale = scale_in, .zero_point = 3}, {.scale = scale_out});
  return t ? t->at(17) : 0;
}

int libm() {
  std::int8_t t[256];
  for (int i = 0; i < 256; ++i) {
    const double v = std::nearbyint(std::tanh(scale_in * (i - 131)) / scale_out);
    t[i] = static_cast<std::int8_t>(v < -128 ? -128 : v > 127 ? 127 : v);
  }
  volatile int at = 17;
  return t[at];
}

}  // namespace

int main(int argc, char** argv) {
  namespace functions = dytq::functions;
  const char* name = argc > 1 ? argv[1] : "";
  int times = argc > 2 ? std::atoi(argv[2]) : 1, sum = 0;
  for (; times > 0; --times) {
    if (std::strcmp(name, "libm") == 0)
      sum += libm();
    if (std::strcmp(name, "tanh") == 0)
      sum += table(functions::tanh);
    if (std::strcmp(name, "logistic") == 0)
      sum += table(functions::logistic);
    if (std::strcmp(name, "exp") == 0)
      sum += table(functions::exp);
    if (std::strcmp(name, "silu") == 0)
      sum += table(functions::silu);
    if (std::strcmp(name, "erf") == 0)
      sum += table(functions::erf);
    if (std::strcmp(name, "gelu") == 0)
      sum += table(functions::gelu);
    if (std::strcmp(name, "isru") == 0)
      sum += table(functions::isru);
    if (std::strcmp(name, "arctan") == 0)
      sum += table(functions::arctan);
  }
  std::printf("%d\n", sum);
}
