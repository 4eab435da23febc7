// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/lut.hpp>

static constexpr dytq::table8 table =
    dytq::make_lut8(dytq::functions::tanh, {.scale = 0.05}, {.scale = 1.0 / 127}).value();
static_assert(table[128] == 0 && table[255] == 127);

int main() { return table[0] == -127 ? 0 : 1; }
