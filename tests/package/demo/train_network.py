#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains a network with four Dynamic Tanh layers on the digits, and quantizes it, in the demo's format.

    train_network.py SEED DIR [--widths 16,24,32] [--epochs N]

The way is that of the network that is committed (examples/digits/README.md), with other weights, widths and therefore other scales: a
3 x 3 convolution, another one, a depthwise one, a 1 x 1, and one over all that is left. Ranges are those of the training images, weights
have a scale for each output channel. The expected logits come from the integers below, which share nothing with the library.
Needs numpy; a seed gives the same network on the same machine.
"""
import argparse
import csv
import json
import math
import pathlib
import zlib

import numpy as np

IMAGES = pathlib.Path(__file__).resolve().parents[3] / "examples/digits/data/digits_images.csv"


# ---- training, in floats ----


def patches(x, k, pad):
    """[N, H, W, C] -> [N, OH, OW, k, k, C]."""
    x = np.pad(x, ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    return np.lib.stride_tricks.sliding_window_view(x, (k, k), axis=(1, 2)).transpose(0, 1, 2, 4, 5, 3)


class Conv:
    def __init__(self, rng, k, cin, cout, pad=0, depthwise=False):
        self.k, self.pad, self.depthwise = k, pad, depthwise
        fan = k * k * (1 if depthwise else cin)
        self.w = rng.normal(0, math.sqrt(1.5 / fan), (k, k, cin) if depthwise else (k, k, cin, cout)).astype(np.float32)
        self.b = np.zeros(cout, np.float32)
        self.parameters = ["w", "b"]

    def forward(self, x):
        self.shape = x.shape
        self.p = patches(x, self.k, self.pad)
        return np.einsum("nyxabc,abc->nyxc", self.p, self.w) + self.b if self.depthwise else np.tensordot(self.p, self.w, 3) + self.b

    def backward(self, g):
        self.db = g.sum((0, 1, 2))
        n, h, w, c = self.shape
        dx = np.zeros((n, h + 2 * self.pad, w + 2 * self.pad, c), np.float32)
        oh, ow = g.shape[1:3]
        if self.depthwise:
            self.dw = np.einsum("nyxabc,nyxc->abc", self.p, g)
        else:
            self.dw = np.tensordot(self.p, g, ((0, 1, 2), (0, 1, 2)))
        for a in range(self.k):
            for b in range(self.k):
                dx[:, a : a + oh, b : b + ow] += g * self.w[a, b] if self.depthwise else g @ self.w[a, b].T
        return dx[:, self.pad : self.pad + h, self.pad : self.pad + w]


class DynamicTanh:
    def __init__(self, channels):
        self.alpha = np.array(0.5, np.float32)
        self.gamma, self.beta = np.ones(channels, np.float32), np.zeros(channels, np.float32)
        self.parameters = ["alpha", "gamma", "beta"]

    def forward(self, x):
        self.x, self.t = x, np.tanh(self.alpha * x)
        return self.gamma * self.t + self.beta

    def backward(self, g):
        self.dbeta, self.dgamma = g.sum((0, 1, 2)), (g * self.t).sum((0, 1, 2))
        inner = g * self.gamma * (1 - self.t * self.t)
        self.dalpha = (inner * self.x).sum()
        return inner * self.alpha


def train(rng, layers, x, labels, epochs):
    slots, step = {}, 0
    for epoch in range(epochs):
        rate = 4e-3 * 0.5 * (1 + math.cos(math.pi * epoch / epochs))
        order = rng.permutation(len(x))
        for batch in np.array_split(order, len(x) // 60):
            out = np.roll(x[batch], rng.integers(-1, 2, 2), (1, 2))  # shifts by a pixel
            for layer in layers:
                out = layer.forward(out)
            z = out.reshape(len(batch), -1)
            p = np.exp(z - z.max(1, keepdims=True))
            p /= p.sum(1, keepdims=True)
            p[np.arange(len(batch)), labels[batch]] -= 1
            grad = (p / len(batch)).reshape(out.shape).astype(np.float32)
            for layer in reversed(layers):
                grad = layer.backward(grad)
            step += 1
            for i, layer in enumerate(layers):
                for name in layer.parameters:
                    d = getattr(layer, "d" + name)
                    m, v = slots.get((i, name), (0, 0))
                    m, v = 0.9 * m + 0.1 * d, 0.999 * v + 0.001 * d * d
                    slots[i, name] = m, v
                    change = rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
                    setattr(layer, name, (getattr(layer, name) - change).astype(np.float32))


# ---- quantization ----


def quantized(lo, hi):
    """-> scale, zero point of a range that 0 is in."""
    lo, hi = min(float(lo), 0.0), max(float(hi), 0.0)
    scale = (hi - lo) / 255 or 1.0
    return scale, int(np.clip(-128 - round(lo / scale), -128, 127))


def codes(x, scale, zp):
    return np.clip(np.rint(np.asarray(x, np.float64) / scale) + zp, -128, 127).astype(np.int64)


def multiplier_shift(scale):
    mantissa, exponent = math.frexp(scale)
    m, shift = round(mantissa * 2**31), 31 - exponent
    if m == 2**31:
        m, shift = 2**30, shift - 1
    assert 2 <= shift <= 62
    return m, shift


def step(scale, input_zp, output_zp, out):
    m, shift = multiplier_shift(scale)
    return {"multiplier": m, "shift": shift, "input_zp": input_zp, "output_zp": output_zp, "out": out}


def rescale(v, r, multiplier=None, shift=None):
    m = np.asarray(r["multiplier"] if multiplier is None else multiplier, np.int64)
    s = np.asarray(r["shift"] if shift is None else shift, np.int64)
    v = v - r["input_zp"]
    half = np.int64(1) << (s - 1)
    assert ((-half <= v) & (v < half)).all()
    v = ((v * m + half) >> s) + r["output_zp"]
    return np.clip(v, -128, 127) if r["out"] == "i8" else v


def quantize_conv(name, layer, x, shapes, q_in, q_out):
    cin, cout = shapes[0][3], shapes[1][3]
    w = layer.w.astype(np.float64)
    w = w.transpose(2, 0, 1)[..., None] if layer.depthwise else w.transpose(3, 0, 1, 2)
    s_w = np.maximum(np.abs(w).reshape(cout, -1).max(1), 1e-9) / 127
    weight = np.clip(np.rint(w / s_w[:, None, None, None]), -127, 127).astype(np.int64)
    bias = np.rint(layer.b / (q_in[0] * s_w)).astype(np.int64)
    scales = [multiplier_shift(q_in[0] * s / q_out[0]) for s in s_w]
    node = {"op": "conv", "name": name, "input_shape": shapes[0], "output_shape": shapes[1], "groups": cin if layer.depthwise else 1,
            "pad": [layer.pad] * 4, "stride": [1, 1], "dilation": [1, 1], "input_zp": q_in[1], "weight_shape": list(weight.shape),
            "weight": weight.reshape(-1).tolist(), "weight_zp": [0], "weight_range": [-127, 127], "bias": bias.tolist(),
            "rescale": {"per_channel": True, "multiplier": [m for m, _ in scales], "shift": [s for _, s in scales], "input_zp": 0,
                        "output_zp": q_out[1], "out": "i8"}}
    p = patches(x - q_in[1], layer.k, layer.pad)
    acc = np.einsum("nyxabc,cab->nyxc", p, weight[..., 0]) if layer.depthwise else np.tensordot(p, weight.transpose(1, 2, 3, 0), 3)
    acc = acc + bias
    assert np.abs(acc).max() < 2**31
    return node, rescale(acc, node["rescale"])


def quantize_dyt(name, layer, x, shape, q_in, ranges):
    """ranges: of alpha * x, of tanh, of gamma * tanh, of the result."""
    q_fin, q_fout, q_gout, q_out = (quantized(*r) for r in ranges)
    q_alpha, q_gamma, q_beta = (quantized(np.min(v), np.max(v)) for v in (layer.alpha, layer.gamma, layer.beta))
    alpha = int(codes(layer.alpha, *q_alpha))
    gamma, beta = codes(layer.gamma, *q_gamma), codes(layer.beta, *q_beta)
    common = 2 * max(q_gout[0], q_beta[0]) / 2**20
    table = codes(np.tanh(q_fin[0] * (np.arange(-128, 128) - q_fin[1])), *q_fout)
    r = {"activation": step(1, q_in[1], 0, "i32"), "alpha": step(1, q_alpha[1], 0, "i32"),
         "mul_out": step(q_in[0] * q_alpha[0] / q_fin[0], 0, q_fin[1], "i8"), "table": step(1, q_fout[1], 0, "i32"),
         "gamma": step(1, q_gamma[1], 0, "i32"), "gamma_out": step(q_fout[0] * q_gamma[0] / q_gout[0], 0, q_gout[1], "i8"),
         "add_in": step(q_gout[0] / common, q_gout[1], 0, "i32"), "beta": step(q_beta[0] / common, q_beta[1], 0, "i32"),
         "add_out": step(common / q_out[0], 0, q_out[1], "i8")}
    node = {"op": "dyt", "name": name, "input_shape": shape, "output_shape": shape, "channels": shape[3], "alpha": alpha,
            "function": "tanh", "table_zp": q_fout[1], "table": table.tolist(), "gamma": gamma.tolist(), "beta": beta.tolist(), "rescale": r}
    m = rescale(rescale(x, r["activation"]) * rescale(np.int64(alpha), r["alpha"]), r["mul_out"])
    g = rescale(rescale(table[m + 128], r["table"]) * rescale(gamma, r["gamma"]), r["gamma_out"])
    return node, rescale(rescale(g, r["add_in"]) + rescale(beta, r["beta"]), r["add_out"]), q_out


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("seed", type=int)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--widths", default="16,24,32")
    parser.add_argument("--epochs", type=int, default=40)
    options = parser.parse_args()
    rows = list(csv.reader(IMAGES.open()))
    pixels = np.array([[int(v) for v in row[3:]] for row in rows[1:]], np.int64).reshape(-1, 8, 8, 1)
    labels = np.array([int(row[2]) for row in rows[1:]])
    of_training = np.array([row[1] == "train" for row in rows[1:]])
    x = ((pixels + 128) / 255).astype(np.float32)

    rng = np.random.default_rng(options.seed)
    a, b, c = (int(v) for v in options.widths.split(","))
    layers = [Conv(rng, 3, 1, a, pad=1), DynamicTanh(a), Conv(rng, 3, a, b, pad=1), DynamicTanh(b), Conv(rng, 3, b, b, depthwise=True),
              DynamicTanh(b), Conv(rng, 1, b, c), DynamicTanh(c), Conv(rng, 6, c, 10)]
    train(rng, layers, x[of_training], labels[of_training], options.epochs)

    root = {"format": "digits-dyt 1", "license": "images as in examples/digits/README.md", "source": f"train_network.py, seed {options.seed}",
            "input_shape": [1, 8, 8, 1], "classes": 10, "layers": []}
    q, now, real = (1 / 255, -128), pixels, x[of_training]
    for i, layer in enumerate(layers):
        shape = [1, *real.shape[1:]]
        name = f"{'dyt' if i % 2 else 'conv'}{i // 2 + 1}"
        before, real = real, layer.forward(real)
        if i % 2 == 0:
            q_out = quantized(real.min(), real.max())
            node, now = quantize_conv(name, layer, now, (shape, [1, *real.shape[1:]]), q, q_out)
            q = q_out
        else:
            parts = [layer.alpha * before, layer.t, layer.gamma * layer.t, real]
            node, now, q = quantize_dyt(name, layer, now, shape, q, [(p.min(), p.max()) for p in parts])
        root["layers"].append(node)
    logits = now.reshape(len(now), 10)
    predicted = logits.argmax(1)
    right = predicted == labels
    accuracy = {f"{part}_{what}": int(v) for part, of in (("train", of_training), ("test", ~of_training))
                for what, v in (("correct", right[of].sum()), ("total", of.sum()))}
    expected = {"format": "digits-dyt-expected 1", "int8_accuracy": accuracy, "logits": logits.tolist(), "predicted": predicted.tolist(),
                "all_logits_crc32": f"{zlib.crc32(logits.astype(np.int8).tobytes()):08x}"}
    options.directory.mkdir(parents=True, exist_ok=True)
    (options.directory / "digits_dyt.json").write_text(json.dumps(root) + "\n")
    (options.directory / "digits_expected.json").write_text(json.dumps(expected) + "\n")
    (options.directory / "digits_images.csv").write_text(IMAGES.read_text())
    print(f"seed {options.seed}, widths {options.widths}: {accuracy['test_correct']} of {accuracy['test_total']} test images right")


if __name__ == "__main__":
    main()
