// expect: the frame size of
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plain local, constexpr or not, is copied to the stack at each call.
#include <cstddef>
#include <dytq/lut.hpp>

volatile std::size_t entry;

int main() {
  constexpr dytq::table8 table = dytq::make_lut8(dytq::functions::tanh, {.scale = 0.05}, {.scale = 1.0 / 128}).value();
  return table[entry];
}
