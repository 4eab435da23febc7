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

}  // namespace firmware

#endif
