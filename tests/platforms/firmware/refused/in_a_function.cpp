// expect: undefined reference to .__cxa_guard_acquire
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A static of a function, of a number that is known at run time only: made at the first call, in RAM.
#include <cstddef>
#include <cstdint>
#include <dytq/table.hpp>

volatile std::size_t entry;
volatile int divisor;

int main() {
  static const dytq::table8 table = *dytq::make_table([](std::int8_t code) { return code / (divisor + 1); });
  return table[entry];
}
