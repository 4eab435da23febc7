// expect: links
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As it should be: the control of the others.
#include <cstddef>
#include <dytq/lut.hpp>

volatile std::size_t entry;

static constexpr dytq::table8 table =
    dytq::make_lut8(dytq::functions::tanh, {.scale = 0.05}, {.scale = 1.0 / 128}).value();

int main() { return table[entry]; }
