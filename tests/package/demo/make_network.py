#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a random legal network in the demo's format, and runs it.

    make_network.py SEED DIR [--wrong IMAGE] [--images N]

Widths, kernels, strides, dilations, groups, paddings and classes follow from SEED. The expected logits and checksums
come from the integer interpreter below, which shares nothing with the library. Sites are of several kinds, so that
every exact rewrite exists somewhere. --wrong changes one expected logit of that image afterwards: the demo must notice.
Keys of the format that only speak of real scales are left out.
"""
import argparse
import json
import math
import pathlib
import random
import zlib

I8, I32 = (-128, 127), (-(2**31), 2**31 - 1)


# ---- integer arithmetic of TOSA, everything that it leaves undefined asserted away ----


def quantized_scale(scale):
    mantissa, exponent = math.frexp(scale)
    multiplier, shift = round(mantissa * 2**31), 31 - exponent
    if multiplier == 2**31:
        multiplier, shift = 2**30, shift - 1
    assert 2 <= shift <= 62
    return {"multiplier": multiplier, "shift": shift}


def rescale(v, r, limits=None):
    v -= r["input_zp"]
    assert -(1 << (r["shift"] - 1)) <= v < 1 << (r["shift"] - 1)
    v = ((v * r["multiplier"] + (1 << (r["shift"] - 1))) >> r["shift"]) + r["output_zp"]
    lo, hi = I8 if r["out"] == "i8" else I32
    assert I32[0] <= v <= I32[1]
    return min(max(v, lo), hi)


def run_conv(layer, x):
    (_, h, w, _), (_, oh, ow, oc) = layer["input_shape"], layer["output_shape"]
    _, kh, kw, ci = layer["weight_shape"]
    cin, per_group = layer["input_shape"][3], oc // layer["groups"]
    (top, _, left, _), (sy, sx), (dy, dx) = layer["pad"], layer["stride"], layer["dilation"]
    zp, weight = layer["input_zp"], layer["weight"]
    accumulators = []
    for oy in range(oh):
        for ox in range(ow):
            for o in range(oc):
                acc = layer["bias"][o]
                for ky in range(kh):
                    y = oy * sy - top + ky * dy
                    for kx in range(kw):
                        xx = ox * sx - left + kx * dx
                        if 0 <= y < h and 0 <= xx < w:
                            source = (y * w + xx) * cin + o // per_group * ci
                            tap = ((o * kh + ky) * kw + kx) * ci
                            acc += sum((x[source + i] - zp) * weight[tap + i] for i in range(ci))
                assert I32[0] <= acc <= I32[1]
                accumulators.append(acc)
    return accumulators


def conv_codes(layer, accumulators):
    r, oc = layer["rescale"], layer["output_shape"][3]
    return [rescale(a, {**r, "multiplier": r["multiplier"][i % oc], "shift": r["shift"][i % oc]})
            for i, a in enumerate(accumulators)]


def run_dyt(layer, x):
    """-> the tensors mul_out, table, gamma_out and the layer's output."""
    r, channels = layer["rescale"], layer["channels"]
    alpha = rescale(layer["alpha"], r["alpha"])
    m = [rescale(rescale(v, r["activation"]) * alpha, r["mul_out"]) for v in x]
    t = [layer["table"][v + 128] for v in m]
    g = t
    if layer["gamma"] is not None:
        gamma = [rescale(v, r["gamma"]) for v in layer["gamma"]]
        g = [rescale(rescale(v, r["table"]) * gamma[i % channels], r["gamma_out"]) for i, v in enumerate(t)]
    y = g
    if layer["beta"] is not None:
        beta = [rescale(v, r["beta"]) for v in layer["beta"]]
        y = [rescale(rescale(v, r["add_in"]) + beta[i % channels], r["add_out"]) for i, v in enumerate(g)]
    return m, t, g, y


# ---- a random network ----


def step(scale, input_zp, output_zp, out):
    return {**quantized_scale(scale), "input_zp": input_zp, "output_zp": output_zp, "out": out}


def make_conv(rng, name, shape, input_zp, kernel=None, channels=None, padded=True, even=False):
    """`even`: small even weights, which a slope of 1/2 or 3/2 still makes integers."""
    _, h, w, cin = shape
    groups = 1 if channels else rng.choice([d for d in range(1, cin + 1) if cin % d == 0])
    oc = channels or groups * rng.randint(1, max(1, 8 // groups))
    size, pads, strides, dilations, kernels = [], [], [], [], []
    for n in (h, w):
        k = kernel[len(size)] if kernel else rng.randint(1, 3)
        dilation = rng.randint(1, 2) if (k - 1) * 2 < n and not kernel else 1
        stride = rng.randint(1, 2) if not kernel else 1
        before, after = (rng.randint(0, 2), rng.randint(0, 1)) if padded and not kernel else (0, 0)
        span = n - 1 + before + after - (k - 1) * dilation
        if span < 0:
            k, span = 1, n - 1 + before + after
        if span % stride:
            stride = 1
        size.append(span // stride + 1)
        pads += [before, after]
        strides.append(stride)
        dilations.append(dilation)
        kernels.append(k)
    count = oc * kernels[0] * kernels[1] * (cin // groups)
    span = 30 if even else 127
    weight = [0 if rng.random() < 0.1 else rng.randint(-span, span) * (2 if even else 1) for _ in range(count)]
    return {"op": "conv", "name": name, "input_shape": shape, "output_shape": [1, *size, oc], "groups": groups,
            "pad": pads, "stride": strides, "dilation": dilations, "input_zp": input_zp,
            "weight_shape": [oc, *kernels, cin // groups], "weight": weight, "weight_zp": [0],
            "weight_range": [-127, 127], "bias": [rng.randint(-3000, 3000) for _ in range(oc)]}


def scale_conv(rng, layer, accumulators):
    """A RESCALE per channel that spreads what the images made of the accumulators over the codes."""
    oc = layer["output_shape"][3]
    largest = [max(max(abs(a) for image in accumulators for a in image[o::oc]), 1) for o in range(oc)]
    scales = [quantized_scale(rng.uniform(60, 160) / v) for v in largest]
    layer["rescale"] = {"per_channel": True, "multiplier": [s["multiplier"] for s in scales],
                        "shift": [s["shift"] for s in scales], "input_zp": 0, "output_zp": rng.randint(-20, 20),
                        "out": "i8"}


KINDS = ("trained", "affine", "shared", "identity", "no gamma", "no beta", "beta only folds")


def make_dyt(rng, name, shape, activation_zp, kind):
    channels = shape[3]
    exact = kind in ("affine", "identity", "beta only folds")
    function_zp, table_zp = rng.randint(-10, 10), rng.randint(-8, 8) * 2
    steep = rng.uniform(1, 4)
    reach = 30 if exact else 60
    codes = [round(reach * math.tanh(steep * (q - function_zp) / 128)) for q in range(-128, 128)]
    table = [min(max(2 * c + table_zp, -128), 127) for c in codes]  # even, as far as exact slopes need it
    gamma_out_zp, output_zp = rng.randint(-8, 8), rng.randint(-8, 8)
    if exact:
        numerators = [128] if kind == "identity" else [64, 128, 192] if kind == "affine" else [141, 167, 190]
        gamma = [rng.choice(numerators) - 128 for _ in range(channels)]
        gamma_out = step(1 / 128, 0, gamma_out_zp, "i8")
        add_out = step(2.0**-19, 0, output_zp, "i8")
        beta = [0 if kind == "identity" else rng.randint(-9, 9) for _ in range(channels)]
        if kind == "identity":
            gamma_out["output_zp"] = add_out["output_zp"] = table_zp
    else:
        gamma = [rng.randint(-28, 127) for _ in range(channels)]
        gamma_out = step(rng.uniform(0.6, 1.0) / 128, 0, gamma_out_zp, "i8")
        add_out = step(rng.uniform(0.7, 1.0) * 2.0**-19, 0, output_zp, "i8")
        beta = [rng.randint(-15, 15) for _ in range(channels)]
        if kind == "shared":
            gamma, beta = gamma[:1] * channels, beta[:1] * channels
    layer = {"op": "dyt", "name": name, "input_shape": shape, "output_shape": shape, "channels": channels,
             "alpha": rng.randint(60, 127), "function": "tanh", "table_zp": table_zp, "table": table,
             "gamma": None if kind == "no gamma" else gamma, "beta": None if kind == "no beta" else beta,
             "rescale": {"activation": step(1, activation_zp, 0, "i32"), "alpha": step(1, -128, 0, "i32"),
                         "mul_out": step(rng.uniform(0.6, 1.2) / 255, 0, function_zp, "i8"),
                         "table": step(1, table_zp, 0, "i32"), "gamma": step(1, -128, 0, "i32"),
                         "gamma_out": gamma_out, "add_in": step(2.0**19, gamma_out["output_zp"], 0, "i32"),
                         "beta": step(2.0**19, 0, 0, "i32"), "add_out": add_out}}
    r = layer["rescale"]
    if kind == "no gamma":  # the beta half reads the TABLE
        r["add_in"]["input_zp"] = table_zp
        for key in ("table", "gamma", "gamma_out"):
            del r[key]
    if kind == "no beta":
        for key in ("add_in", "beta", "add_out"):
            del r[key]
    zero_point = r["gamma_out"]["output_zp"] if kind == "no beta" else r["add_out"]["output_zp"]
    return layer, zero_point


def make(seed, count):
    """-> the network, the images as rows of the CSV file, the expectation."""
    rng = random.Random(seed)
    shape = [1, rng.randint(4, 8), rng.randint(4, 8), rng.randint(1, 3)]
    size = shape[1] * shape[2] * shape[3]
    images = [[rng.randint(-128, 127) for _ in range(size)] for _ in range(count)]
    labels = [rng.randint(0, 2) for _ in images]
    classes, stages = rng.randint(3, 12), rng.randint(2, 4)
    root = {"format": "digits-dyt 1", "license": "random weights and images", "source": f"make_network.py, seed {seed}",
            "input_shape": shape, "classes": classes, "layers": []}
    tensors = {"input": images}
    kinds = rng.sample(KINDS, stages)
    zero_point, kind = rng.randint(-128, -100), ""

    def add_conv(index, **options):
        nonlocal shape
        easy = kind in ("affine", "beta only folds")  # what such a site needs to fold
        layer = make_conv(rng, f"conv{index}", shape, zero_point, padded=not easy, even=easy, **options)
        accumulators = [run_conv(layer, x) for x in current]
        scale_conv(rng, layer, accumulators)
        root["layers"].append(layer)
        shape = layer["output_shape"]
        tensors[layer["name"]] = [conv_codes(layer, a) for a in accumulators]
        return tensors[layer["name"]]

    current = images
    for index, next_kind in enumerate(kinds, 1):
        current = add_conv(index)
        kind = next_kind
        activation_zp = root["layers"][-1]["rescale"]["output_zp"]
        layer, zero_point = make_dyt(rng, f"dyt{index}", shape, activation_zp, kind)
        root["layers"].append(layer)
        runs = [run_dyt(layer, x) for x in current]
        for part, suffix in enumerate((".mul_out", ".table", ".gamma_out", "")):
            if suffix != ".gamma_out" or layer["gamma"] is not None:
                tensors[layer["name"] + suffix] = [run[part] for run in runs]
        current = tensors[layer["name"]]
    logits = add_conv(stages + 1, kernel=shape[1:3], channels=classes)

    predicted = [row.index(max(row)) for row in logits]
    split = ["train" if i < count // 2 else "test" for i in range(count)]
    accuracy = {}
    for part in ("train", "test"):
        of_part = [i for i in range(count) if split[i] == part]
        accuracy[part + "_correct"] = sum(predicted[i] == labels[i] for i in of_part)
        accuracy[part + "_total"] = len(of_part)
    code_bytes = lambda codes: bytes(c & 255 for c in codes)
    crc = lambda codes: f"{zlib.crc32(code_bytes(codes)):08x}"
    expected = {"format": "digits-dyt-expected 1", "int8_accuracy": accuracy, "logits": logits, "predicted": predicted,
                "all_logits_crc32": crc([c for row in logits for c in row]), "tensors": list(tensors),
                "checksums": [{"index": i, "sum": [sum(t[i]) for t in tensors.values()],
                               "crc32": [crc(t[i]) for t in tensors.values()]} for i in range(min(count, 3))]}
    rows = [["index", "split", "label", *(f"p{i}" for i in range(size))]]
    rows += [[i, split[i], labels[i], *images[i]] for i in range(count)]
    return root, rows, expected


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("seed", type=int)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--wrong", type=int, metavar="IMAGE")
    parser.add_argument("--images", type=int, default=8)
    options = parser.parse_args()
    root, rows, expected = make(options.seed, options.images)
    if options.wrong is not None:
        row = expected["logits"][options.wrong]
        row[-1] += -1 if row[-1] > 0 else 1
    options.directory.mkdir(parents=True, exist_ok=True)
    (options.directory / "digits_dyt.json").write_text(json.dumps(root) + "\n")
    (options.directory / "digits_expected.json").write_text(json.dumps(expected) + "\n")
    (options.directory / "digits_images.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in rows))


if __name__ == "__main__":
    main()
