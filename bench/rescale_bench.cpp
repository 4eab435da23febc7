// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RESCALE over every int32, beside the definition in 128 bits with a division, which is too slow for all of them: it
// takes every 16th, and items per second compare.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <dytq/rescale.hpp>

namespace {

constexpr std::int32_t multiplier = 1374389535;
constexpr std::int32_t shift = 38;

// Not constants to the compiler: a graph's are not either.
template <class T>
T opaque(T v) {
  benchmark::DoNotOptimize(v);
  return v;
}

// In blocks of a fixed length, which is what a compiler vectorizes at -O2.
template <class F>
std::int64_t sweep(std::int64_t step, F f) {
  constexpr int block = 256;
  std::int64_t sum = 0;
  for (std::int64_t v = INT32_MIN; v <= INT32_MAX; v += block * step) {
    std::int32_t results[block];
    for (int i = 0; i < block; ++i) {
      results[i] = static_cast<std::int32_t>(f(static_cast<std::int32_t>(v + i * step)));
    }
    for (const std::int32_t r : results) {
      sum += r;
    }
  }
  return sum;
}

std::int64_t by_kernel(std::int64_t step) {
  const dytq::rescale_kernel kernel(dytq::rescale{.multiplier = opaque(multiplier), .shift = opaque(shift)});
  return sweep(step, [&](std::int32_t v) { return kernel(v); });
}
// The form for inner loops that vectorize.
std::int64_t by_words(std::int64_t step) {
  const auto words = *dytq::rescale_words::make({.multiplier = opaque(multiplier), .shift = opaque(shift)});
  return sweep(step, [&](std::int32_t v) { return words(v); });
}
std::int64_t by_operator(std::int64_t step) {
  const std::int32_t m = opaque(multiplier), s = opaque(shift);
  return sweep(step, [&](std::int32_t v) { return dytq::apply_scale_32(v, m, s).value_or(0); });
}
std::int64_t by_division(std::int64_t step) {
  __extension__ using wide = __int128;
  const wide m = opaque(multiplier);
  const wide unit = wide{1} << opaque(shift);
  return sweep(step, [&](std::int32_t v) {
    const wide n = v * m + unit / 2;
    return static_cast<std::int64_t>(n / unit - (n % unit < 0 ? 1 : 0));
  });
}

void run(benchmark::State& state, std::int64_t (*f)(std::int64_t), std::int64_t step) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(f(step));
  }
  state.SetItemsProcessed(state.iterations() * ((std::int64_t{1} << 32) / step));
  // The forms agree, or their times say nothing.
  if (f(4096) != by_division(4096)) {
    state.SkipWithError("a sum differs from that of the division");
  }
}

const bool registered = [] {
  const auto add = [](const char* name, auto f, std::int64_t step) {
    benchmark::RegisterBenchmark(name, run, f, step)->Unit(benchmark::kMillisecond)->Iterations(1)->Repetitions(1);
  };
  add("rescale/kernel/dytq", by_kernel, 1);
  add("rescale/words/dytq", by_words, 1);
  add("rescale/checked/dytq", by_operator, 1);
  add("rescale/division/int128", by_division, 16);
  return true;
}();

}  // namespace
