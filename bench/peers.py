#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""peers.py: the same work as one would do it in Python, as JSON in the form of Google Benchmark's.

Sites: the double loop over channels and codes that a pass over a graph is written as, in plain Python; and whole arrays
of numpy, all channels at once. Weights: whole arrays of numpy. Without numpy its lines are missing."""
import json
import time

try:
    import numpy
except ImportError:
    numpy = None

results = []


def measure(name, f, least=0.2):
    """CPU time of one call, the least of a few."""
    f()
    times = []
    while len(times) < 3 or (sum(times) < least and len(times) < 50):
        start = time.process_time()
        f()
        times.append(time.process_time() - start)
    results.append({"name": name, "cpu_time": min(times) * 1e3, "time_unit": "ms"})


def rescale(v, m, s, zp_in, zp_out, lo, hi):
    scaled = ((v - zp_in) * m + (1 << (s - 1))) >> s
    return min(max(scaled + zp_out, lo), hi)


INT32 = (-(1 << 31), (1 << 31) - 1)
ONE, SHIFT_ONE = 1 << 30, 30
GAMMA_OUT = (1 << 30, 30)  # the site of bench/sites.hpp whose channels are all affine
ADD_IN, BETA, ADD_OUT = (1 << 30, 11), (1425841537, 20), (1 << 30, 49)


def double_loop(channels):
    """For each channel and code the chain of operators; then the first code that leaves the line."""
    gamma, beta = [1] * channels, [0] * channels
    for c in range(channels):
        g = rescale(gamma[c], ONE, SHIFT_ONE, 0, 0, *INT32)
        b = rescale(beta[c], *BETA, 0, 0, *INT32)
        y = []
        for x in range(-128, 128):
            product = rescale(x, ONE, SHIFT_ONE, 0, 0, *INT32) * g
            m = rescale(product, *GAMMA_OUT, 0, 0, -128, 127)
            y.append(rescale(rescale(m, *ADD_IN, 0, 0, *INT32) + b, *ADD_OUT, 0, 0, -128, 127))
        slope = y[-1] - y[0]
        assert all((y[i] - y[0]) * 255 == slope * i for i in range(256))


def whole_arrays(channels):
    codes = numpy.arange(-128, 128, dtype=numpy.int64)
    gamma, beta = numpy.ones(channels, numpy.int64), numpy.zeros(channels, numpy.int64)

    def scale(v, m, s):
        """In place, so that no pass makes an array of its own."""
        v *= m
        v += 1 << (s - 1)
        v >>= s
        return v

    y = numpy.multiply.outer(scale(gamma, ONE, SHIFT_ONE), scale(codes.copy(), ONE, SHIFT_ONE))
    numpy.clip(scale(y, *GAMMA_OUT), -128, 127, out=y)
    scale(y, *ADD_IN)
    y += scale(beta, *BETA)[:, None]
    numpy.clip(scale(y, *ADD_OUT), -128, 127, out=y)
    y = y.astype(numpy.int32)
    y -= y[:, :1].copy()
    assert (y * 255 == y[:, -1:] * numpy.arange(256, dtype=numpy.int32)).all()


def weights(shape, layout):
    """Multiplies, checks, sums and stores: [O, K, I], or [O, I, K]."""
    w = numpy.random.default_rng(11).integers(-127, 128, shape, dtype=numpy.int8)
    inputs = shape[1] if layout == "OIHW" else shape[2]
    slope, offset = 1 - 2 * (numpy.arange(inputs, dtype=numpy.int16) % 2), numpy.full(inputs, 3, numpy.int32)
    along = slope[None, :, None] if layout == "OIHW" else slope[None, None, :]

    def fold():
        n = w * along
        assert n.min() >= -128 and n.max() <= 127
        magnitude = numpy.abs(n).sum(axis=(1, 2), dtype=numpy.int64)
        assert magnitude.max() * 255 < 1 << 31
        by_input = w.sum(axis=2 if layout == "OIHW" else 1, dtype=numpy.int32)
        return n.astype(numpy.int8), by_input @ offset

    return fold


for c in (64, 384, 1024, 4096):
    measure(f"site/affine/{c}/python", lambda: double_loop(c))
if numpy is not None:
    for c in (64, 384, 1024, 4096, 16384):
        measure(f"site/affine/{c}/numpy", lambda: whole_arrays(c))
    for size, (o, k, i) in {"512x512x3x3": (512, 9, 512), "4096x4096x1x1": (4096, 1, 4096), "128x128x3x3": (128, 9, 128)}.items():
        measure(f"weights/{size}/OHWI/numpy", weights((o, k, i), "OHWI"))
        measure(f"weights/{size}/OIHW/numpy", weights((o, i, k), "OIHW"))
print(json.dumps({"numpy": numpy.__version__ if numpy is not None else None, "benchmarks": results}, indent=1))
