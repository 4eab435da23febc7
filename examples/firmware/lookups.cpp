// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a lookup takes, in instructions, and a number made of what all lookups answer: it is the host's on each core.
//
// Exit code: 0; 2: the clock does not count instructions.
#include <array>
#include <cstddef>
#include <cstdint>
#include <dytq/lookup.hpp>
#include <dytq/lut.hpp>
#include <dytq/lut16.hpp>

#ifdef __arm__
#include "board.hpp"
#else
#include <cstdio>
#endif

namespace firmware {
namespace {

constexpr dytq::qparams in8{.scale = 0.05, .zero_point = 3}, out8{.scale = 1.0 / 127};
constexpr dytq::qparams in16{.scale = 0x1p-13}, out16{.scale = 0x1p-15};

constexpr dytq::table8 table = dytq::make_lut8(dytq::functions::tanh, in8, out8).value();
constexpr dytq::byte_table8 table_by_byte = dytq::to_byte_order(table);
constexpr dytq::table8 table_u8 =
    dytq::make_lut8(dytq::functions::logistic, dytq::from_uint8({.scale = 0.05, .zero_point = 131}),
                    dytq::from_uint8({.scale = 1.0 / 256}))
        .value();
constexpr dytq::table16 table_tosa = dytq::make_lut16(dytq::functions::tanh, in16, out16).value().table;

constexpr std::uint32_t elements = 1024;

// Codes before and after a loop, of whatever type; what is after them must stay.
template <class Code>
struct buffers {
  static inline Code before[elements], after[elements];
};

class digest {
 public:
  void feed(std::uint32_t v) { state_ = (state_ ^ v) * 16777619u; }
  std::uint32_t value() const { return state_; }

 private:
  std::uint32_t state_ = 2166136261u;
};

/// Loops over every code of the type, and feeds the answers to the digest. Returns the instructions of one loop.
template <class Code, class Loop>
std::uint32_t look_up_all(Loop loop, digest& all) {
  constexpr std::uint32_t codes = sizeof(Code) == 1 ? 256 : 65536;
  std::uint32_t instructions = 0;
  for (std::uint32_t first = 0; first < codes; first += elements) {
    for (std::uint32_t i = 0; i < elements; ++i) {
      buffers<Code>::before[i] = static_cast<Code>(first + i);
    }
    const auto once = [&loop] { loop(buffers<Code>::before, buffers<Code>::after, std::size_t{elements}); };
#ifdef __arm__
    instructions = instructions_of(once);
#else
    once();
#endif
    for (const Code code : buffers<Code>::after) {
      all.feed(static_cast<std::uint32_t>(code));
    }
  }
  return instructions;
}

#ifdef __arm__
void print_cost(const char* name, std::uint32_t instructions) {
  print(name);
  print_per_element(instructions, elements);
}
#else
void print(const char* text) { std::fputs(text, stdout); }
void print(std::uint32_t number) { std::printf("%lu", static_cast<unsigned long>(number)); }
void print_cost(const char*, std::uint32_t) {}
#endif

void look_up_everything() {
  const auto codes = [](const auto& of) {
    return [&of](const auto* from, auto* to, std::size_t count) { dytq::lookup_codes(of, from, to, count); };
  };
  const auto points = [](const auto& of) {
    return [&of](const auto* from, auto* to, std::size_t count) { dytq::interpolate_codes(of, from, to, count); };
  };
  digest all;
  print_cost(": int8 ", look_up_all<std::int8_t>(codes(table), all));
  print_cost(", int8 by byte ", look_up_all<std::int8_t>(codes(table_by_byte), all));
  print_cost(", uint8 ", look_up_all<std::uint8_t>(codes(table_u8), all));
  print_cost(", int16 ", look_up_all<std::int16_t>(points(table_tosa), all));
  print("\nanswers: ");
  print(all.value());
  print("\n");
}

}  // namespace
}  // namespace firmware

int main() {
  using namespace firmware;
#ifdef __arm__
  start_clock();
  if (!counts_instructions()) {
    return 2;
  }
  print("lookups on " DYTQ_CORE);
#endif
  look_up_everything();
  return 0;
}
