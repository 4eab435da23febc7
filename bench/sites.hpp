// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sites and convolutions of a given size for the benchmarks, the same on every run.
#ifndef DYTQ_BENCH_SITES_HPP
#define DYTQ_BENCH_SITES_HPP

#include <cstdint>
#include <dytq/fold.hpp>
#include <random>
#include <vector>

namespace bench {

/// affine: every channel is on a line; rejected: none is.
enum class channels { affine, rejected };

// A site with |X| = 256: the worst case, since a trained tanh emits fewer codes.
struct site_data {
  std::vector<std::int8_t> table;
  std::vector<std::int8_t> gamma;
  std::vector<std::int8_t> beta;
  dytq::affine_site site;

  site_data(std::int64_t c, channels kind) : table(256), gamma(static_cast<std::size_t>(c)), beta(gamma.size()) {
    std::mt19937 random(7);
    for (int i = 0; i < 256; ++i) {
      table[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(i - 128);
    }
    for (std::size_t i = 0; i < gamma.size(); ++i) {
      gamma[i] = static_cast<std::int8_t>(kind == channels::affine ? 1 : random() % 128);
      beta[i] = static_cast<std::int8_t>(kind == channels::affine ? 0 : random() % 256);
    }
    site.table = table;
    site.gamma = gamma;
    site.beta = beta;
    site.steps.table = {.multiplier = 1 << 30, .shift = 30};
    site.steps.gamma = {.multiplier = 1 << 30, .shift = 30, .input_zp = kind == channels::affine ? 0 : -128};
    site.steps.gamma_out = {.multiplier = kind == channels::affine ? 1 << 30 : 1077952576,
                            .shift = kind == channels::affine ? 30 : 38,
                            .out = dytq::int8_range};
    site.steps.add_in = {.multiplier = 1 << 30, .shift = 11};
    site.steps.beta = {.multiplier = 1425841537, .shift = kind == channels::affine ? 20 : 17};
    site.steps.add_out = {.multiplier = 1 << 30, .shift = 49, .out = dytq::int8_range};
  }
};

inline std::vector<std::int8_t> weights(std::int64_t count) {
  std::mt19937 random(11);
  std::vector<std::int8_t> w(static_cast<std::size_t>(count));
  for (std::int8_t& v : w) {
    v = static_cast<std::int8_t>(static_cast<int>(random() % 255) - 127);
  }
  return w;
}

}  // namespace bench

#endif
