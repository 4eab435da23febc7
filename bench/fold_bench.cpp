// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Alpha into a table and the folding of weights, beside what a reader would write first and beside the memory they
// move.
#include <benchmark/benchmark.h>

#include <cstring>
#include <dytq/fold.hpp>
#include <dytq/rescale.hpp>
#include <string>
#include <utility>

#include "sites.hpp"

namespace {

using dytq::view;

void alpha_into_table(benchmark::State& state) {
  const dytq::alpha_site site{.alpha = 100,
                              .steps = {.mul_out = {.multiplier = 1374389535, .shift = 37, .out = dytq::int8_range}}};
  std::vector<std::int8_t> table(256);
  for (int i = 0; i < 256; ++i) {
    table[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(i - 128);
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(dytq::fold_alpha_into_lut(site, table));
  }
}

// What a reader would write first: two nested loops of one checked RESCALE after the other.
void alpha_naive(benchmark::State& state) {
  std::vector<std::int8_t> table(256);
  const dytq::rescale operand{};
  const dytq::rescale mul_out{.multiplier = 1374389535, .shift = 37, .out = dytq::int8_range};
  for (auto _ : state) {
    std::vector<std::int8_t> folded(256);
    for (int q = -128; q < 128; ++q) {
      const auto a = dytq::apply(operand, q);
      const auto b = dytq::apply(operand, 100);
      const auto m = dytq::apply(mul_out, *dytq::mul_int32(*a, *b));
      folded[static_cast<std::size_t>(q + 128)] = table[static_cast<std::size_t>(*m + 128)];
    }
    benchmark::DoNotOptimize(folded.data());
  }
}

struct shape {
  std::int64_t o, h, w, i;
  constexpr std::int64_t size() const { return o * h * w * i; }
};
constexpr shape k3{512, 3, 3, 512};
constexpr shape k1{4096, 1, 1, 4096};
constexpr shape in_cache{128, 3, 3, 128};  // of the second level, with what is read beside it

enum class layout { ohwi, oihw, depthwise };

template <class T>
dytq::weight_view<T> weights_as(layout l, T* data, const shape& s) {
  switch (l) {
    case layout::ohwi: return dytq::from_ohwi(view<T, 4>(data, {s.o, s.h, s.w, s.i}));
    case layout::oihw: return dytq::from_oihw(view<T, 4>(data, {s.o, s.i, s.h, s.w}));
    case layout::depthwise: return *dytq::from_hwim(view<T, 4>(data, {s.h, s.w, s.o * s.i, 1}));
  }
  return {};
}

// Slopes of 1 and -1 in turn, which a second fold in place takes back; or of 1 alone. Nearly all that fold exactly are
// so: of a greater slope every weight of the channel must be small.
std::int16_t slope_of(std::size_t channel, bool all_one) { return all_one || channel % 2 == 0 ? 1 : -1; }

void fold_weights(benchmark::State& state, const shape& s, layout l, bool in_place, bool padded, bool all_one) {
  const bool depthwise = l == layout::depthwise;
  const std::int64_t c = depthwise ? s.o * s.i : s.i;
  constexpr std::int64_t r = -128;
  std::vector<std::int8_t> w = bench::weights(s.size());
  std::vector<std::int8_t> w_out(in_place ? 0 : w.size());
  std::vector<std::int32_t> b_out(static_cast<std::size_t>(depthwise ? c : s.o));
  std::vector<std::int16_t> workspace(4 * static_cast<std::size_t>(c));
  dytq::convolution conv{.weight = weights_as<const std::int8_t>(l, w.data(), s), .axes = dytq::unpadded};
  conv.groups = depthwise ? c : 1;
  conv.input_zp = 3;
  if (in_place) {
    conv.bias = b_out;
  }
  if (padded) {
    conv.axes[1] = conv.axes[2] = {.input = 16, .before = 1, .after = 1};
  }
  const auto out = weights_as<std::int8_t>(l, in_place ? w.data() : w_out.data(), s);
  const dytq::detail::channel_lines lines{workspace};
  for (std::int64_t i = 0; i < c; ++i) {
    const std::int16_t slope = slope_of(static_cast<std::size_t>(i), all_one);
    lines.set(i, {.numerator = slope, .first_value = static_cast<std::int16_t>(conv.input_zp + r * slope)});
  }
  dytq::detail::weight_fold fold(conv, *dytq::validate(conv), lines);
  for (auto _ : state) {
    const auto found = fold.solve({.deltas = {0, 255}, .offsets = {-255, 0}, .preferred = r});
    if (!found || *found != r) {
      state.SkipWithError("no fold");
      return;
    }
    benchmark::DoNotOptimize(fold.write(*found, out, b_out));
  }
  state.SetBytesProcessed(state.iterations() * s.size());
}

// What a reader would write first: the same constants, weight by weight in the order of the memory, with a check of
// each weight and no blocks. Positions and channels of the three layouts differ only in what is next to what.
void fold_weights_naive(benchmark::State& state, const shape& s, layout l) {
  const std::vector<std::int8_t> w = bench::weights(s.size());
  std::vector<std::int8_t> w_out(w.size());
  const bool depthwise = l == layout::depthwise;
  const std::int64_t outputs = depthwise ? s.o * s.i : s.o;
  std::vector<std::int32_t> bias(static_cast<std::size_t>(outputs));
  std::vector<std::int64_t> slope(static_cast<std::size_t>(depthwise ? outputs : s.i));
  for (std::size_t i = 0; i < slope.size(); ++i) {
    slope[i] = slope_of(i, false);
  }
  const std::vector<std::int64_t> offset(slope.size(), 3);
  std::vector<std::int64_t> add(bias.size());
  std::vector<std::int64_t> magnitude(bias.size());
  const std::int64_t taps = s.h * s.w;
  // Three nested loops, slowest first: OHWI o, tap, i; OIHW o, i, tap; HWIM tap, i.
  const std::int64_t loops[3] = {depthwise ? taps : s.o,
                                 depthwise           ? 1
                                 : l == layout::oihw ? s.i
                                                     : taps,
                                 depthwise           ? outputs
                                 : l == layout::oihw ? taps
                                                     : s.i};
  for (auto _ : state) {
    for (std::size_t o = 0; o < bias.size(); ++o) {
      add[o] = magnitude[o] = 0;
    }
    std::size_t at = 0;
    for (std::int64_t a = 0; a < loops[0]; ++a) {
      for (std::int64_t b = 0; b < loops[1]; ++b) {
        for (std::int64_t c = 0; c < loops[2]; ++c, ++at) {
          const auto i = static_cast<std::size_t>(l == layout::oihw ? b : c);
          const auto o = static_cast<std::size_t>(depthwise ? c : a);
          const std::int64_t n = w[at] * slope[i];
          if (n < -128 || n > 127) {
            state.SkipWithError("out of range");
            return;
          }
          w_out[at] = static_cast<std::int8_t>(n);
          add[o] += w[at] * offset[i];
          magnitude[o] += n < 0 ? -n : n;
        }
      }
    }
    for (std::size_t o = 0; o < bias.size(); ++o) {
      bias[o] = static_cast<std::int32_t>(add[o] + (magnitude[o] > 0x7fffffff ? 1 : 0));
    }
    benchmark::DoNotOptimize(w_out.data());
    benchmark::DoNotOptimize(bias.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * s.size());
}

void copy_weights(benchmark::State& state, const shape& s) {
  const std::vector<std::int8_t> w = bench::weights(s.size());
  std::vector<std::int8_t> out(w.size());
  for (auto _ : state) {
    std::memcpy(out.data(), w.data(), w.size());
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * s.size());
}

// What a fold to another place reads and writes, and nothing made of it: weights and lines for the proof; then weights
// and slopes again, and the biases. The best that any fold could be whose constants come from beyond the cache.
void move_alone(benchmark::State& state, const shape& s, layout l) {
  const bool depthwise = l == layout::depthwise;
  const std::vector<std::int8_t> w = bench::weights(s.size());
  std::vector<std::int8_t> w_out(w.size());
  const std::vector<std::int16_t> lines(4 * static_cast<std::size_t>(depthwise ? s.o * s.i : s.i), 1);
  std::vector<std::int32_t> b_out(static_cast<std::size_t>(depthwise ? s.o * s.i : s.o));
  const auto read = [](const auto* from, std::size_t count) {
    char near[4096];
    for (std::size_t at = 0; at < count * sizeof *from; at += sizeof near) {
      const std::size_t left = count * sizeof *from - at;
      std::memcpy(near, reinterpret_cast<const char*>(from) + at, left < sizeof near ? left : sizeof near);
      benchmark::DoNotOptimize(near);
    }
  };
  for (auto _ : state) {
    read(w.data(), w.size());
    read(lines.data(), lines.size());
    read(lines.data(), lines.size() / 4);
    std::memcpy(w_out.data(), w.data(), w.size());
    std::memset(b_out.data(), 0, b_out.size() * sizeof b_out[0]);
    benchmark::DoNotOptimize(w_out.data());
    benchmark::DoNotOptimize(b_out.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * s.size());
}

void sum_weights(benchmark::State& state, const shape& s) {
  const std::vector<std::int8_t> w = bench::weights(s.size());
  for (auto _ : state) {
    std::int32_t sum = 0;
    for (const std::int8_t v : w) {
      sum += v;
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetBytesProcessed(state.iterations() * s.size());
}

// One run of a layout: ours, ours over its own input, and the naive loop.
void add_layout(const std::string& size, const shape& s, const char* name, layout l, bool padded) {
  const std::string prefix = "weights/" + size + "/" + name + "/";
  const auto add = [&](const char* what, auto run) {
    benchmark::RegisterBenchmark((prefix + what).c_str(), run)->Unit(benchmark::kMillisecond);
  };
  add("dytq", [=](benchmark::State& state) { fold_weights(state, s, l, false, false, false); });
  add("dytq_in_place", [=](benchmark::State& state) { fold_weights(state, s, l, true, false, false); });
  add("dytq_slope_1", [=](benchmark::State& state) { fold_weights(state, s, l, false, false, true); });
  if (padded) {
    add("dytq_padded", [=](benchmark::State& state) { fold_weights(state, s, l, false, true, false); });
  }
  add("moved", [=](benchmark::State& state) { move_alone(state, s, l); });
  add("naive", [=](benchmark::State& state) { fold_weights_naive(state, s, l); });
}

const bool registered = [] {
  benchmark::RegisterBenchmark("alpha/dytq", alpha_into_table);
  benchmark::RegisterBenchmark("alpha/naive", alpha_naive);
  for (const auto& [size, s] : {std::pair{std::string("512x512x3x3"), k3},
                                {std::string("4096x4096x1x1"), k1},
                                {std::string("128x128x3x3"), in_cache}}) {
    const auto add = [&](const char* what, auto run) {
      benchmark::RegisterBenchmark(("weights/" + size + "/" + what).c_str(), run, s)->Unit(benchmark::kMillisecond);
    };
    add("memcpy", copy_weights);
    add("read_sum", sum_weights);
    add_layout(size, s, "OHWI", layout::ohwi, s.h > 1);
    add_layout(size, s, "OIHW", layout::oihw, false);
    if (s.h > 1) {
      add_layout(size, s, "depthwise", layout::depthwise, false);
    }
  }
  for (const int bits : {20, 22, 24, 26, 28}) {  // a fold is linear in its weights
    const shape s{std::int64_t{1} << (bits - 12), 1, 1, 4096};
    benchmark::RegisterBenchmark(("linear/2_to_" + std::to_string(bits)).c_str(), [=](benchmark::State& state) {
      fold_weights(state, s, layout::ohwi, true, false, false);
    })->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
