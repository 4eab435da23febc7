// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The start-up code of a Cortex-M, and the few registers that the example touches.
#include "board.hpp"

#include <cstddef>
#include <cstdint>

int main();

namespace {

volatile std::uint32_t& at(std::uintptr_t address) { return *reinterpret_cast<volatile std::uint32_t*>(address); }

// Register numbers of the Armv6-M and later system control space.
constexpr std::uintptr_t systick_control = 0xe000e010;
constexpr std::uintptr_t systick_reload = 0xe000e014;
constexpr std::uintptr_t systick_value = 0xe000e018;
constexpr std::uintptr_t coprocessor_access = 0xe000ed88;

// Arm semihosting, version 2: the operation in r0, its argument in r1, a breakpoint that the host answers.
enum class host_call : int { write0 = 0x04, exit_extended = 0x20 };

int ask_host(host_call operation, const void* argument) {
  register int r0 asm("r0") = static_cast<int>(operation);
  register const void* r1 asm("r1") = argument;
  asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

}  // namespace

namespace firmware {

void print(const char* text) { ask_host(host_call::write0, text); }

void print(std::uint32_t number) {
  char digits[11];
  char* at = digits + 10;
  *at = '\0';
  do {
    *--at = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  print(at);
}

void leave(int code) {
  const std::uint32_t block[] = {0x20026, static_cast<std::uint32_t>(code)};  // "the application ended", and how
  ask_host(host_call::exit_extended, block);
  for (;;) {
  }
}

void start_clock() {
  at(systick_reload) = 0xffffff;
  at(systick_value) = 0;
  at(systick_control) = 5;  // on, with the processor's clock, without an interrupt
}
std::uint32_t clock_value() { return at(systick_value); }

std::uint32_t instructions_in(std::uint32_t ticks) {
  constexpr std::uint64_t ticks_per_billion = std::uint64_t{DYTQ_CLOCK_HZ} << DYTQ_ICOUNT_SHIFT;
  static_assert(ticks_per_billion > 2'000'000'000);
  return static_cast<std::uint32_t>((std::uint64_t{ticks} * 1'000'000'000 + ticks_per_billion / 2) / ticks_per_billion);
}

// Not inlined: a jump of a Cortex-M0 does not reach over it.
[[gnu::noinline]] static void thousand_nops() { asm volatile(".rept 1000\n\tnop\n\t.endr"); }
[[gnu::noinline]] static void nothing() { asm volatile(""); }

bool counts_instructions() {
  if (instructions_of(thousand_nops) - instructions_of(nothing) == 1000) {
    return true;
  }
  print("The clock does not count instructions.\n");
  return false;
}

void print_per_element(std::uint32_t instructions, std::uint32_t elements) {
  const std::uint32_t hundredths = (instructions * 100 + elements / 2) / elements;
  print(hundredths / 100);
  print(hundredths % 100 < 10 ? ".0" : ".");
  print(hundredths % 100);
}

}  // namespace firmware

// ---- start-up ----

extern "C" {

extern std::uint32_t bss_begin[], bss_end[], stack_top[];

[[noreturn]] void reset() {
#ifdef __ARM_FP
  at(coprocessor_access) = 0xfu << 20;  // the floating-point and vector registers
  asm volatile("dsb\n\tisb" ::: "memory");
#endif
  for (std::uint32_t* p = bss_begin; p != bss_end; ++p) {
    *p = 0;
  }
  firmware::leave(main());
}

[[noreturn]] void fault() {
  firmware::print("a fault\n");
  firmware::leave(3);
}

using handler = void (*)();
struct vector_table {
  const void* stack;
  handler handlers[15];
};
[[gnu::section(".vectors"), gnu::used]] extern constexpr vector_table vectors{
    stack_top,
    {reset, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault}};
}
