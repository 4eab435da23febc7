// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a site makes of each code, and whether that is a line, channel by channel: all of them affine, none of them, and
// as in a trained network.
#include <benchmark/benchmark.h>

#include <dytq/fit_rescale.hpp>
#include <dytq/fold.hpp>
#include <dytq/rescale.hpp>
#include <string>
#include <vector>

#include "network_data.hpp"
#include "sites.hpp"

namespace {

using dytq::view;

// The first site of the digits network, its channels repeated until there are C.
struct trained_data {
  std::vector<std::int8_t> gamma;
  std::vector<std::int8_t> beta;
  dytq::affine_site site = first()->affine;

  explicit trained_data(std::int64_t c) {
    for (std::int64_t i = 0; i < c; ++i) {
      gamma.push_back(site.gamma(i % first()->affine.channels()));
      beta.push_back(site.beta(i % first()->affine.channels()));
    }
    site.gamma = gamma;
    site.beta = beta;
  }

 private:
  static const demo::dyt_layer* first() {
    const demo::dyt_layer* layer = nullptr;
    for (std::int64_t i = 0; layer == nullptr; ++i) {
      layer = demo::the_network.layers(i).dyt;
    }
    return layer;
  }
};

// The whole fold but for the weights, which are one row.
void fold(benchmark::State& state, const dytq::affine_site& site) {
  const std::int64_t c = site.channels();
  const std::vector<std::int8_t> w(static_cast<std::size_t>(c), 1);
  std::vector<std::int8_t> w_out(w.size());
  std::vector<std::int32_t> b_out(1);
  std::vector<std::int16_t> lines(4 * w.size());
  dytq::convolution conv{.weight = dytq::from_oi(view<const std::int8_t, 2>(w.data(), {1, c}))};
  conv.input_zp = site.last_zero_point();
  for (auto _ : state) {
    benchmark::DoNotOptimize(dytq::fold_affine_into_conv(
        site, conv, {dytq::from_oi(view<std::int8_t, 2>(w_out.data(), {1, c})), b_out, lines}));
  }
  state.SetItemsProcessed(state.iterations() * c);
}

// The same channels through the chain of checked operators, code by code, then a fit.
void naive(benchmark::State& state, const dytq::affine_site& site) {
  const auto& s = site.steps;
  const dytq::site_maps maps = *dytq::site_maps::make(site);
  for (auto _ : state) {
    for (std::int64_t i = 0; i < site.channels(); ++i) {
      std::vector<std::int32_t> codes;
      std::vector<std::int32_t> values;
      for (int j = 0; j < maps.count(); ++j) {
        const int x = maps.code(j);
        const auto product = *dytq::mul_int32(*dytq::apply(s.table, x), *dytq::apply(s.gamma, site.gamma(i)));
        const auto sum = *dytq::add_int32(*dytq::apply(s.add_in, *dytq::apply(s.gamma_out, product)),
                                          *dytq::apply(s.beta, site.beta(i)));
        codes.push_back(x);
        values.push_back(*dytq::apply(s.add_out, sum));
      }
      benchmark::DoNotOptimize(dytq::fit_affine(view<const std::int32_t>(codes), view<const std::int32_t>(values)));
    }
  }
  state.SetItemsProcessed(state.iterations() * site.channels());
}

const bool registered = [] {
  for (const std::int64_t c : {64, 384, 1024, 4096, 16384}) {
    const auto add = [&](const char* kind, const char* what, auto run) {
      benchmark::RegisterBenchmark(("site/" + std::string(kind) + "/" + std::to_string(c) + "/" + what).c_str(), run)
          ->Unit(benchmark::kMillisecond);
    };
    for (const bool affine : {true, false}) {
      const auto kind = affine ? bench::channels::affine : bench::channels::rejected;
      add(affine ? "affine" : "rejected", "dytq",
          [=](benchmark::State& state) { fold(state, bench::site_data(c, kind).site); });
    }
    add("affine", "naive",
        [=](benchmark::State& state) { naive(state, bench::site_data(c, bench::channels::affine).site); });
    add("trained", "dytq", [=](benchmark::State& state) { fold(state, trained_data(c).site); });
    add("trained", "naive", [=](benchmark::State& state) { naive(state, trained_data(c).site); });
  }
  return true;
}();

}  // namespace
