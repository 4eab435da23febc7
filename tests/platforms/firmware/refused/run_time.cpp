// expect: something is initialized when the program starts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of a number that is known at run time only: made before main, in RAM.
#include <cstddef>
#include <cstdint>
#include <dytq/table.hpp>

volatile std::size_t entry;
volatile int divisor;

const dytq::table8 table = *dytq::make_table([](std::int8_t code) { return code / (divisor + 1); });

int main() { return table[entry]; }
