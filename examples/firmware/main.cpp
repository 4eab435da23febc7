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

struct named_way {
  const char* name;
  way f;
};
constexpr named_way ways[] = {{": ten operators ", run_operators},
                              {", alpha in the TABLE ", run_alpha_folded},
                              {", a line a channel ", run_lines},
                              {", a table a channel ", run_lookup},
                              {", by a loop of its own ", run_own_lookup}};

}  // namespace
}  // namespace firmware

int main() {
  using namespace firmware;
  start_clock();
  if (!counts_instructions()) {
    return 2;
  }
  print(DYTQ_CORE);
  for (const named_way& w : ways) {
    for (std::uint32_t i = 0; i < elements; ++i) {
      codes[i] = codes_before[i];
    }
    const std::uint32_t instructions = instructions_of([&w] { w.f(codes); });
    print(w.name);
    print_per_element(instructions, elements);
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
