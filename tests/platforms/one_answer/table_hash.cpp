// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints for each function one number made of many tables. It must be the same for every compiler, flag and machine.
// -DDYTQ_PARTS=13 -DDYTQ_PART=2: of 13 parts of the functions the third, since a compiler takes seconds for each.
#include <bit>
#include <cstdint>
#include <cstdio>

#include <dytq/lut16.hpp>

#include "../../tables/every_function.hpp"

namespace {

std::uint64_t state = 0;  // FNV-1a

void feed(std::int64_t v) {
  for (int i = 0; i < 8; ++i) {
    state = (state ^ (static_cast<std::uint64_t>(v) >> (8 * i) & 0xff)) * 1099511628211u;
  }
}

std::uint64_t seed = 0;
std::uint64_t next() {
  seed += 0x9e3779b97f4a7c15u;
  std::uint64_t z = seed;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// A double put together from bits, so that no floating-point arithmetic of the host takes part: 2^lo to 2^hi.
double number(int lo, int hi, bool sign) {
  const std::uint64_t bits = next(),
                      exponent = static_cast<std::uint64_t>(lo + 1023) + next() % static_cast<std::uint64_t>(hi - lo);
  return std::bit_cast<double>((sign ? bits & (std::uint64_t{1} << 63) : 0) | exponent << 52 | bits >> 12);
}

template <class F>
void tables(F f) {
  for (int i = 0; i < 24; ++i) {
    const bool any = i % 6 == 5;
    const dytq::qparams in{.scale = number(any ? -1020 : -9, any ? 1020 : 1, false),
                           .zero_point = static_cast<std::int32_t>(next() % 256) - 128},
        out{.scale = number(any ? -1020 : -9, any ? 1020 : -2, false),
            .zero_point = static_cast<std::int32_t>(next() % 256) - 128};
    for (const dytq::numerics n : {dytq::numerics::exact, dytq::numerics::float32}) {
      const dytq::lut_options how{.alpha = i % 3 == 0 ? number(-2, 2, true) : 1.0,
                                  .shift = i % 4 == 0 ? number(-4, 2, true) : 0.0,
                                  .arithmetic = n};
      const auto t = dytq::make_lut8(f, in, out, how);
      feed(static_cast<std::int64_t>(t.error().why));
      for (int k = 0; t && k < 256; ++k) {
        feed((*t)[static_cast<std::size_t>(k)]);
      }
      if (i % 8 == 0) {
        const auto wide = dytq::make_lut16(f, in, out, how);
        feed(static_cast<std::int64_t>(wide.error().why));
        for (int k = 0; wide && k < 513; ++k) {
          feed((*wide)[static_cast<std::size_t>(k)]);
        }
      }
    }
  }
  const dytq::qparams in{.scale = 0x1p-13}, out{.scale = 0x1p-12};
  const auto wide = dytq::make_lut16(f, in, out);
  feed(static_cast<std::int64_t>(wide.error().why));
  if (wide) {
    const auto error = dytq::interpolation_error(f, in, out, *wide);
    feed(error ? error->lo : -1);
    feed(error ? error->hi : -1);
  }
}

}  // namespace

int main() {
  dytq_tests::for_every_function<DYTQ_PART, DYTQ_PARTS>([](auto f, const char* name) {
    state = 14695981039346656037u, seed = 1;
    tables(f);
    std::printf("%s %08lx%08lx\n", name, static_cast<unsigned long>(state >> 32),
                static_cast<unsigned long>(state & 0xffffffffu));
  });
}
