// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both folds, beside what a reader would write first and beside the memory they move.
#include <benchmark/benchmark.h>

#include <array>
#include <cstring>
#include <dytq/affine.hpp>
#include <dytq/fold.hpp>
#include <dytq/rescale.hpp>

#include "sites.hpp"

namespace {

using dytq::channel_line;
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

// Evaluation and fit of C channels: the whole fold but for the weights, which are one row.
void affine_site(benchmark::State& state, bench::channels kind) {
  const std::int64_t c = state.range(0);
  const bench::site_data data(c, kind);
  const std::vector<std::int8_t> w(static_cast<std::size_t>(c), 1);
  std::vector<std::int8_t> w_out(w.size());
  std::vector<std::int32_t> b_out(1);
  std::vector<channel_line> lines(w.size());
  dytq::convolution conv{.weight = dytq::from_oi(view<const std::int8_t, 2>(w.data(), {1, c}))};
  conv.input_zp = data.site.last_zero_point();
  for (auto _ : state) {
    benchmark::DoNotOptimize(dytq::fold_affine_into_conv(
        data.site, conv, {dytq::from_oi(view<std::int8_t, 2>(w_out.data(), {1, c})), b_out, lines}));
  }
  state.SetItemsProcessed(state.iterations() * c);
}
void affine_site_affine(benchmark::State& state) { affine_site(state, bench::channels::affine); }
void affine_site_realistic(benchmark::State& state) { affine_site(state, bench::channels::realistic); }

// The same channels through the chain of checked operators, code by code, then a fit.
void affine_site_naive(benchmark::State& state) {
  const std::int64_t c = state.range(0);
  const bench::site_data data(c, bench::channels::affine);
  const auto& s = data.site.steps;
  for (auto _ : state) {
    for (std::int64_t i = 0; i < c; ++i) {
      std::vector<std::int32_t> codes;
      std::vector<std::int32_t> values;
      for (int x = -128; x < 128; ++x) {
        const auto product = *dytq::mul_int32(*dytq::apply(s.table, x), *dytq::apply(s.gamma, data.site.gamma(i)));
        const auto sum = *dytq::add_int32(*dytq::apply(s.add_in, *dytq::apply(s.gamma_out, product)),
                                          *dytq::apply(s.beta, data.site.beta(i)));
        codes.push_back(x);
        values.push_back(*dytq::apply(s.add_out, sum));
      }
      benchmark::DoNotOptimize(dytq::fit_affine(view<const std::int32_t>(codes), view<const std::int32_t>(values)));
    }
  }
  state.SetItemsProcessed(state.iterations() * c);
}

struct shape {
  std::int64_t o, h, w, i;
  constexpr std::int64_t size() const { return o * h * w * i; }
};
constexpr shape k3{512, 3, 3, 512};
constexpr shape k1{4096, 1, 1, 4096};
constexpr shape k1_of(std::int64_t outputs) { return {outputs, 1, 1, 4096}; }

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

void fold_weights(benchmark::State& state, const shape& s, layout l, bool in_place, bool padded) {
  const bool depthwise = l == layout::depthwise;
  const std::int64_t c = depthwise ? s.o * s.i : s.i;
  const bench::site_data data(c, bench::channels::affine);
  std::vector<std::int8_t> w = bench::weights(s.size());
  std::vector<std::int8_t> w_out(in_place ? 0 : w.size());
  std::vector<std::int32_t> b_out(static_cast<std::size_t>(depthwise ? c : s.o));
  std::vector<channel_line> lines(static_cast<std::size_t>(c));
  dytq::convolution conv{.weight = weights_as<const std::int8_t>(l, w.data(), s)};
  conv.groups = depthwise ? c : 1;
  conv.input_zp = data.site.last_zero_point();
  if (padded) {
    conv.axes[1] = conv.axes[2] = {.input = 16, .before = 1, .after = 1};
  }
  const auto out = weights_as<std::int8_t>(l, in_place ? w.data() : w_out.data(), s);
  const auto maps = *dytq::site_maps::make(data.site);
  for (std::int64_t i = 0; i < c; ++i) {
    lines[static_cast<std::size_t>(i)] = dytq::fit_channel(maps, *maps.channel(i)).line;
  }
  const dytq::weight_fold fold(conv, *dytq::validate(conv), lines);
  for (auto _ : state) {
    const auto r = fold.solve({.deltas = {0, 255}, .offsets = {-255, 0}, .preferred = -128});
    benchmark::DoNotOptimize(fold.write(*r, out, b_out));
  }
  state.SetBytesProcessed(state.iterations() * s.size());
}

// What a reader would write first: the same proof and the same constants, weight by weight, for any strides.
void fold_weights_naive(benchmark::State& state, const shape& s) {
  std::vector<std::int8_t> w = bench::weights(s.size());
  std::vector<std::int8_t> w_out(w.size());
  std::array<std::int64_t, 3> strides{s.h * s.w * s.i, s.i, 1};
  benchmark::DoNotOptimize(strides);
  std::vector<std::int32_t> bias(static_cast<std::size_t>(s.o));
  const std::vector<std::int64_t> slope(static_cast<std::size_t>(s.i), 1);
  const std::vector<std::int64_t> offset(slope.size(), 3);
  for (auto _ : state) {
    for (std::int64_t o = 0; o < s.o; ++o) {
      std::int64_t add = 0;
      std::int64_t magnitude = 0;
      for (std::int64_t t = 0; t < s.h * s.w; ++t) {
        for (std::int64_t i = 0; i < s.i; ++i) {
          const auto at = static_cast<std::size_t>(o * strides[0] + t * strides[1] + i * strides[2]);
          const std::int64_t n = w[at] * slope[static_cast<std::size_t>(i)];
          if (n < -128 || n > 127) {
            state.SkipWithError("out of range");
            return;
          }
          w_out[at] = static_cast<std::int8_t>(n);
          add += w[at] * offset[static_cast<std::size_t>(i)];
          magnitude += n < 0 ? -n : n;
        }
      }
      bias[static_cast<std::size_t>(o)] = static_cast<std::int32_t>(add + (magnitude > 0x7fffffff ? 1 : 0));
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

BENCHMARK(alpha_into_table);
BENCHMARK(alpha_naive);
BENCHMARK(affine_site_affine)->Arg(64)->Arg(384)->Arg(1024)->Arg(4096);
BENCHMARK(affine_site_realistic)->Arg(64)->Arg(384)->Arg(1024)->Arg(4096);
BENCHMARK(affine_site_naive)->Arg(64)->Arg(384);
BENCHMARK_CAPTURE(copy_weights, 512x3x3x512, k3);
BENCHMARK_CAPTURE(sum_weights, 512x3x3x512, k3);
BENCHMARK_CAPTURE(fold_weights_naive, 512x3x3x512, k3);
BENCHMARK_CAPTURE(fold_weights, 512x3x3x512_ohwi, k3, layout::ohwi, false, false);
BENCHMARK_CAPTURE(fold_weights, 512x3x3x512_ohwi_padded, k3, layout::ohwi, false, true);
BENCHMARK_CAPTURE(fold_weights, 512x3x3x512_ohwi_in_place, k3, layout::ohwi, true, false);
BENCHMARK_CAPTURE(fold_weights, 512x3x3x512_oihw, k3, layout::oihw, false, false);
BENCHMARK_CAPTURE(fold_weights, 512x3x3x512_depthwise, k3, layout::depthwise, false, false);
BENCHMARK_CAPTURE(fold_weights, 512x3x3x512_oihw_in_place, k3, layout::oihw, true, false);
BENCHMARK_CAPTURE(fold_weights, 512x3x3x512_oihw_padded, k3, layout::oihw, false, true);
BENCHMARK_CAPTURE(fold_weights, 512x3x3x512_depthwise_in_place, k3, layout::depthwise, true, false);
BENCHMARK_CAPTURE(copy_weights, 4096x1x1x4096, k1);
BENCHMARK_CAPTURE(sum_weights, 4096x1x1x4096, k1);
BENCHMARK_CAPTURE(fold_weights_naive, 4096x1x1x4096, k1);
BENCHMARK_CAPTURE(fold_weights, 4096x1x1x4096_ohwi, k1, layout::ohwi, false, false);

// As many weights as memory holds: a fold is linear in them.
BENCHMARK_CAPTURE(fold_weights, 2_to_20, k1_of(1 << 8), layout::ohwi, true, false);
BENCHMARK_CAPTURE(fold_weights, 2_to_22, k1_of(1 << 10), layout::ohwi, true, false);
BENCHMARK_CAPTURE(fold_weights, 2_to_24, k1_of(1 << 12), layout::ohwi, true, false);
BENCHMARK_CAPTURE(fold_weights, 2_to_26, k1_of(1 << 14), layout::ohwi, true, false);
BENCHMARK_CAPTURE(fold_weights, 2_to_28, k1_of(1 << 16), layout::ohwi, true, false);

}  // namespace
