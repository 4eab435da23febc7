// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a board offers: a text on the host's terminal, an exit code, and a count of executed instructions.
#ifndef DYTQ_FIRMWARE_BOARD_HPP
#define DYTQ_FIRMWARE_BOARD_HPP

#include <cstdint>

namespace firmware {

/// Writes a text to the host (semihosting).
void print(const char* text);
/// In decimal.
void print(std::uint32_t number);

/// Ends the program; the host sees the code.
[[noreturn]] void leave(int code);

/// SysTick, counting down from 2^24 - 1 with the clock of the processor.
void start_clock();
std::uint32_t clock_value();

/// f(), in instructions. It takes less than 2^24 ticks, and nothing else runs.
template <class F>
std::uint32_t instructions_of(F f);

/// Does `instructions_of` count? Says so if not.
bool counts_instructions();

/// Instructions per element, with two decimals.
void print_per_element(std::uint32_t instructions, std::uint32_t elements);

// ---- details ----

/// An instruction takes 2^DYTQ_ICOUNT_SHIFT nanoseconds of a clock of DYTQ_CLOCK_HZ: several ticks, so that none is
/// lost.
std::uint32_t instructions_in(std::uint32_t ticks);

template <class F>
[[gnu::noinline]] std::uint32_t ticks_of(F f) {
  const std::uint32_t start = clock_value();
  f();
  return (start - clock_value()) & 0xffffff;
}

template <class F>
std::uint32_t instructions_of(F f) {
  const std::uint32_t empty = ticks_of([] {});
  return instructions_in(ticks_of(f) - empty);
}

}  // namespace firmware

#endif
