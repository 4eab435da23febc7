// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of every function, beside a loop over libm in double that proves nothing; per-channel tables; and the planner
// on every site of the digits network.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <dytq/layer.hpp>
#include <dytq/lut16.hpp>
#include <string>
#include <vector>

#include "chains.hpp"
#include "network_data.hpp"
#include "variants.hpp"

namespace {

// Not constants to the compiler, which would make the tables itself.
dytq::qparams opaque(dytq::qparams q) {
  benchmark::DoNotOptimize(q);
  return q;
}
const dytq::qparams in = opaque({.scale = 0.05, .zero_point = 3});
const dytq::qparams out = opaque({.scale = 1.0 / 128});
const dytq::qparams in16 = opaque({.scale = 1e-4});
const dytq::qparams out16 = opaque({.scale = 0x1p-15});

template <class Function>
void add_function(const std::string& name, Function f, double (*libm)(double)) {
  const auto add = [&](const char* what, auto run) {
    benchmark::RegisterBenchmark(("table/" + name + "/" + what).c_str(), run)->Unit(benchmark::kMicrosecond);
  };
  add("dytq", [=](benchmark::State& state) {
    for (auto _ : state) {
      benchmark::DoNotOptimize(dytq::make_lut8(f, opaque(in), out));
    }
  });
  add("dytq_float32", [=](benchmark::State& state) {
    for (auto _ : state) {
      benchmark::DoNotOptimize(dytq::make_lut8(f, opaque(in), out, {.arithmetic = dytq::numerics::float32}));
    }
  });
  add("dytq_int16", [=](benchmark::State& state) {
    for (auto _ : state) {
      benchmark::DoNotOptimize(dytq::make_lut16(f, opaque(in16), out16));
    }
  });
  add("libm", [=](benchmark::State& state) {
    std::vector<std::int8_t> table(256);
    for (auto _ : state) {
      for (int i = 0; i < 256; ++i) {
        const double v = std::nearbyint(libm(in.scale * (i - 128 - in.zero_point)) / out.scale);
        table[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(v < -128 ? -128 : v > 127 ? 127 : v);
      }
      benchmark::DoNotOptimize(table.data());
      benchmark::ClobberMemory();
    }
  });
}

const bool functions_registered = [] {
  namespace f = dytq::functions;
  add_function("tanh", f::tanh, [](double x) { return std::tanh(x); });
  add_function("logistic", f::logistic, [](double x) { return 1 / (1 + std::exp(-x)); });
  add_function("exp", f::exp, [](double x) { return std::exp(x); });
  add_function("silu", f::silu, [](double x) { return x / (1 + std::exp(-x)); });
  add_function("erf", f::erf, [](double x) { return std::erf(x); });
  add_function("gelu", f::gelu, [](double x) { return x / 2 * std::erfc(-x / std::sqrt(2.0)); });
  add_function("isru", f::isru, [](double x) { return x / std::sqrt(1 + x * x); });
  add_function("arctan", f::arctan, [](double x) { return std::atan(x); });
  benchmark::RegisterBenchmark("tables/64_alphas/dytq", [](benchmark::State& state) {
    std::array<double, 64> alpha{};
    for (std::size_t i = 0; i < alpha.size(); ++i) {
      alpha[i] = 0.5 + static_cast<double>(i) / 64;
    }
    for (auto _ : state) {
      benchmark::DoNotOptimize(dytq::make_lut8_per_channel(dytq::functions::tanh, opaque(in), out, alpha));
    }
  })->Unit(benchmark::kMicrosecond);
  return true;
}();

// Every site of the network, with its alpha folded: its tables, one for each channel, and what the planner knows of
// each form.
const bool network_registered = [] {
  static demo::graph graph;
  if (!demo::original_graph(demo::the_network, graph)) {
    return false;
  }
  graph = demo::build({"alpha folded", {demo::fold_alpha}}, graph).nodes;
  for (const std::size_t position : demo::site_positions(graph)) {
    const demo::dyt_layer* layer = std::get<demo::site_node>(graph[position]).layer;
    benchmark::RegisterBenchmark((std::string("plan/") + layer->name + "/dytq").c_str(), [=](benchmark::State& state) {
      for (auto _ : state) {
        benchmark::DoNotOptimize(demo::offers_behind_table(graph, position));
      }
    })->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark((std::string("channel_tables/") + layer->name + "/dytq").c_str(), [=](benchmark::State&
                                                                                                           state) {
      const auto channels = static_cast<std::size_t>(layer->affine.channels());
      std::vector<std::int32_t> index(channels);
      std::vector<std::int8_t> tables(channels * 256);
      for (auto _ : state) {
        benchmark::DoNotOptimize(dytq::make_channel_tables(
            {.affine = layer->affine}, index, {tables.data(), {static_cast<std::int64_t>(channels), 256}}));
      }
    })->Unit(benchmark::kMicrosecond);
  }
  return true;
}();

}  // namespace
