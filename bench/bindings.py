#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench/bindings.py [CXX]: what the way through Python costs, beside C++ in one run; it asserts nothing.

DYTQ_LIBRARY names the library, PYTHONPATH has bindings/python. C++ is compiled with -O2, as `pip install` compiles the library; one that
CMake built with -O3 is faster, which is not Python's merit. Each turn times both, one after the other; the ratio is the median of the turns'
ratios, since others use the machine as well."""
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import dytq
import numpy as np

root = pathlib.Path(__file__).resolve().parent.parent
IN, OUT = 0.05, 1 / 128  # scales of the table
program = r"""
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dytq/fold.hpp>
#include <dytq/lut.hpp>
#include <vector>
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
int main(int, char** argv) {
  const std::int64_t o = std::atoi(argv[1]), i = std::atoi(argv[2]), k = std::atoi(argv[3]);
  std::vector<std::int8_t> table(256), gamma(i), weight(o * k * k * i), out(weight.size());
  std::vector<std::int32_t> bias(o), new_bias(o);
  std::vector<std::int16_t> lines(4 * i);
  for (int c = 0; c < 256; ++c) table[c] = static_cast<std::int8_t>(c < 1 ? -127 : c - 128);
  for (std::int64_t c = 0; c < i; ++c) gamma[c] = c % 2 ? -1 : 1;
  for (std::size_t w = 0; w < weight.size(); ++w) weight[w] = static_cast<std::int8_t>(w * 7 % 127 - 63);
  const dytq::rescale one{.multiplier = 1 << 30, .shift = 30}, last{.multiplier = 1 << 30, .shift = 30, .out = dytq::int8_range};
  const dytq::affine_site site{.table = table, .gamma = gamma, .steps = {.table = one, .gamma = one, .gamma_out = last}};
  const dytq::view<const std::int8_t, 4> from(weight.data(), {o, k, k, i});
  const dytq::view<std::int8_t, 4> to(out.data(), {o, k, k, i});
  const dytq::convolution conv{.weight = dytq::from_ohwi(from), .bias = bias, .axes = dytq::unpadded};
  double best = 1e9, lut = 1e9;
  for (int n = 0; n < std::atoi(argv[4]); ++n) {
    const double t = now();
    if (!dytq::fold_affine_into_conv(site, conv, {dytq::from_ohwi(to), new_bias, lines})) return 1;
    best = std::min(best, now() - t);
  }
  int sum = 0;
  const double in = std::atof(argv[5]), to_scale = std::atof(argv[6]);  // not known to the compiler, which would make the table
  for (int n = 0; n < 300; ++n) {
    const double t = now();
    sum += (*dytq::make_lut8(dytq::functions::tanh, {.scale = in}, {.scale = to_scale}))[static_cast<std::size_t>(n % 256)];
    lut = std::min(lut, now() - t);
  }
  std::printf("%.9f %.9f %d\n", best, lut, sum);
}
"""


def best(f, turns):
    times = []
    for _ in range(turns):
        start = time.perf_counter()
        f()
        times.append(time.perf_counter() - start)
    return min(times)


with tempfile.TemporaryDirectory() as folder:
    source = pathlib.Path(folder) / "bench.cpp"
    source.write_text(program)
    subprocess.run([sys.argv[1] if len(sys.argv) > 1 else "g++", "-std=c++20", "-O2", f"-I{root / 'include'}", str(source), "-o", f"{folder}/bench"], check=True)
    one = dytq.Rescale(1 << 30, 30)
    table = bytes([129, *range(129, 256), *range(128)])
    tables = []
    for o, i, k, turns in ((512, 512, 3, 20), (4096, 4096, 1, 6)):
        weight = (np.arange(o * k * k * i, dtype=np.int64) * 7 % 127 - 63).astype(np.int8).reshape(o, k, k, i)
        site = dytq.AffineSite(table, gamma=np.resize(np.array([1, -1], np.int8), i), table_step=one, gamma_step=one, gamma_out=one)
        conv = dytq.Convolution(weight, "ohwi", np.zeros(o, np.int32), axes=[dytq.Axis()] * 2)
        new_weight, new_bias = np.empty_like(weight), np.empty(o, np.int32)
        address = new_weight.ctypes.data
        pairs = []
        for _ in range(11):
            done = subprocess.run([f"{folder}/bench", *map(str, (o, i, k, turns, IN, OUT))], capture_output=True, text=True, check=True)
            theirs, their_table, _ = map(float, done.stdout.split())
            pairs.append((best(lambda: dytq.fold_affine_into_conv(site, conv, weight=new_weight, bias=new_bias), turns), theirs))
            tables.append((best(lambda: dytq.lut8("tanh", dytq.Qparams(IN), dytq.Qparams(OUT)), 300), their_table))
        assert new_weight.ctypes.data == address and (new_weight[:, :, :, 1] == -weight[:, :, :, 1]).all()
        ratios = sorted(ours / theirs for ours, theirs in pairs)
        ours, theirs = (statistics.median(times) * 1e6 for times in zip(*pairs))
        print(f"fold {o}x{i}x{k}x{k}: Python {ours:.0f} us, C++ {theirs:.0f} us; ratio {statistics.median(ratios):.2f}, "
              f"{ratios[0]:.2f} to {ratios[-1]:.2f} in {len(ratios)} turns")
    more = sorted((ours - theirs) * 1e6 for ours, theirs in tables)
    ours, theirs = (statistics.median(times) * 1e6 for times in zip(*tables))
    print(f"table of tanh: Python {ours:.1f} us, C++ {theirs:.1f} us; {statistics.median(more):.1f} us more, "
          f"{more[0]:.1f} to {more[-1]:.1f} in {len(more)} turns")
