// expect: an initialized variable is in RAM
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Made by the compiler, but not constexpr: it may be written to, so it is copied to RAM.
#include <cstddef>
#include <dytq/lut.hpp>

volatile std::size_t entry;

constinit dytq::table8 table = dytq::make_lut8(dytq::functions::tanh, {.scale = 0.05}, {.scale = 1.0 / 128}).value();

int main() {
  table[entry] = 0;
  return table[entry];
}
