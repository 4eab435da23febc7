// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops whose instructions lookup_cost.py counts. With the argument `time` it prints nanoseconds per element, and
// the ratio to a loop over one table.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <dytq/layer.hpp>
#include <vector>

namespace {

volatile std::int64_t channels_given = 24;  // the loops are compiled for any
volatile std::int64_t pixels_given = 4096;

}  // namespace

extern "C" {

[[gnu::noinline]] void dytq_count_nhwc(const std::int8_t* in, std::int8_t* out, const std::int32_t* index,
                                       const std::int8_t* tables) {
  dytq::lookup_channels_nhwc(in, out, pixels_given, channels_given, index, tables);
}
[[gnu::noinline]] void dytq_count_nchw(const std::int8_t* in, std::int8_t* out, const std::int32_t* index,
                                       const std::int8_t* tables) {
  dytq::lookup_channels_nchw(in, out, 1, channels_given, pixels_given, index, tables);
}
[[gnu::noinline]] void dytq_count_one(const std::int8_t* in, std::int8_t* out, const std::int32_t*,
                                      const std::int8_t* tables) {
  const std::int64_t elements = pixels_given * channels_given;
  for (std::int64_t i = 0; i < elements; ++i) {
    out[i] = tables[in[i] + 128];
  }
}
}

int main(int argc, char** argv) {
  const auto channels = static_cast<std::size_t>(channels_given), pixels = static_cast<std::size_t>(pixels_given);
  std::vector<std::int8_t> in(pixels * channels), out(in.size()), tables(channels * 256);
  std::vector<std::int32_t> index(channels);
  std::uint32_t random = 1;
  for (auto* v : {&in, &tables}) {
    for (std::int8_t& e : *v) {
      random = random * 1664525u + 1013904223u;
      e = static_cast<std::int8_t>(random >> 24);
    }
  }
  for (std::size_t c = 0; c < index.size(); ++c) {
    index[c] = static_cast<std::int32_t>(c);
  }
  using loop = void (*)(const std::int8_t*, std::int8_t*, const std::int32_t*, const std::int8_t*);
  if (argc > 1 && std::strcmp(argv[1], "time") == 0) {
    const auto nanoseconds = [&](loop f) {
      double best = 1e30;
      for (int k = 0; k < 60; ++k) {
        const auto start = std::chrono::steady_clock::now();
        for (int n = 0; n < 20; ++n) {
          f(in.data(), out.data(), index.data(), tables.data());
        }
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        best = took.count() < best ? took.count() : best;
      }
      return best / 20 / static_cast<double>(in.size());
    };
    const double one = nanoseconds(dytq_count_one);
    const double nhwc = nanoseconds(dytq_count_nhwc);
    const double nchw = nanoseconds(dytq_count_nchw);
    std::printf("ns per element: one table %.3f, NHWC %.3f (%.2f x), NCHW %.3f (%.2f x)\n", one, nhwc, nhwc / one, nchw,
                nchw / one);
    return 0;
  }
  dytq_count_one(in.data(), out.data(), index.data(), tables.data());
  dytq_count_nhwc(in.data(), out.data(), index.data(), tables.data());
  dytq_count_nchw(in.data(), out.data(), index.data(), tables.data());
  std::printf("%d\n", static_cast<int>(pixels * channels));
  return out[0] == 99 ? 1 : 0;
}
