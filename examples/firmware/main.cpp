// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One layer of a real network on a microcontroller: by its ten operators, and by tables that the compiler made. Each
// way must give the host's codes; the host is told how many instructions each takes.
//
// Exit code: 0; 1: another code than the host's; 2: the clock does not count instructions.
#include <cstddef>
#include <cstdint>

#include "board.hpp"
#include "layer.hpp"
#include "layer_codes.hpp"
#include "ways.hpp"

namespace firmware {
namespace {

constexpr std::uint32_t elements = pixels * channels;
static_assert(elements == sizeof codes_before && elements == sizeof codes_after);

std::int8_t codes[elements];

void nothing(std::int8_t*) {}
void thousand_nops(std::int8_t*) { asm volatile(".rept 1000\n\tnop\n\t.endr"); }

[[gnu::noinline]] std::uint32_t ticks_of(way f) {
  for (std::uint32_t i = 0; i < elements; ++i) {
    codes[i] = codes_before[i];
  }
  const std::uint32_t start = clock_value();
  f(codes);
  return (start - clock_value()) & 0xffffff;
}

/// An instruction takes 2^DYTQ_ICOUNT_SHIFT nanoseconds of a clock of DYTQ_CLOCK_HZ: several ticks, so that none is
/// lost.
std::uint32_t instructions_of(way f) {
  constexpr std::uint64_t ticks_per_billion = std::uint64_t{DYTQ_CLOCK_HZ} << DYTQ_ICOUNT_SHIFT;
  static_assert(ticks_per_billion > 2'000'000'000);
  const std::uint64_t empty = ticks_of(nothing);  // first: the codes stay as the way leaves them
  const std::uint64_t ticks = ticks_of(f) - empty;
  return static_cast<std::uint32_t>((ticks * 1'000'000'000 + ticks_per_billion / 2) / ticks_per_billion);
}

void print_per_element(std::uint32_t instructions) {
  const std::uint32_t hundredths = (instructions * 100 + elements / 2) / elements;
  print(hundredths / 100);
  print(hundredths % 100 < 10 ? ".0" : ".");
  print(hundredths % 100);
}

struct named_way {
  const char* name;
  way f;
};
constexpr named_way ways[] = {{": ten operators ", run_operators},
                              {", alpha in the TABLE ", run_alpha_folded},
                              {", a table a channel ", run_lookup},
                              {", by a loop of its own ", run_own_lookup}};

}  // namespace
}  // namespace firmware

int main() {
  using namespace firmware;
  start_clock();
  if (instructions_of(thousand_nops) != 1000) {
    print("The clock does not count instructions.\n");
    return 2;
  }
  print(DYTQ_CORE);
  for (const named_way& w : ways) {
    const std::uint32_t instructions = instructions_of(w.f);
    print(w.name);
    print_per_element(instructions);
    for (std::uint32_t i = 0; i < elements; ++i) {
      if (codes[i] != codes_after[i]) {
        print(", but not the host's code at element ");
        print(i);
        print("\n");
        return 1;
      }
    }
  }
  print("\n");
  return 0;
}
