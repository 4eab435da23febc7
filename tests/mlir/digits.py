# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The trained network of examples/digits as a TOSA module over all of its images."""
import csv
import json

import tosa


def load(folder):
    network = json.loads((folder / "digits_dyt.json").read_text(encoding="utf-8"))
    expected = json.loads((folder / "digits_expected.json").read_text(encoding="utf-8"))
    with open(folder / "digits_images.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    pixels = sum(key.startswith("p") and key[1:].isdigit() for key in rows[0])
    images = [[int(row[f"p{i}"]) for i in range(pixels)] for row in rows]
    return network, images, expected


def test_labels(folder):
    """The digit of each image that is a test's, None of the others."""
    with open(folder / "digits_images.csv", encoding="utf-8", newline="") as file:
        return [int(row["label"]) if row["split"] == "test" else None for row in csv.DictReader(file)]


def chain(function, value, layer):
    """One Dynamic Tanh layer as the quantized graph computes it."""
    steps = layer["rescale"]
    value = tosa.half(function, value, [steps[k] for k in ("activation", "alpha", "mul_out")], [layer["alpha"]], "mul")
    value = function.table(value, layer["table"])
    value = tosa.half(function, value, [steps[k] for k in ("table", "gamma", "gamma_out")], layer["gamma"], "mul")
    return tosa.half(function, value, [steps[k] for k in ("add_in", "beta", "add_out")], layer["beta"], "add")


def convolution(function, value, layer):
    weight, (o, kh, kw, i) = layer["weight"], layer["weight_shape"]
    conv = {k: layer[k] for k in ("weight", "weight_shape", "bias", "input_zp", "pad", "stride", "dilation")}
    conv.update(weight_zp=layer["weight_zp"][0], depthwise=layer["groups"] != 1)
    if conv["depthwise"]:  # stored [C, KH, KW, 1]; TOSA stores [KH, KW, C, 1]
        assert layer["groups"] == o and i == 1
        conv["weight"] = [weight[c * kh * kw + tap] for tap in range(kh * kw) for c in range(o)]
        conv["weight_shape"] = [kh, kw, o, 1]
    return function.rescale(function.conv(value, conv), layer["rescale"])


def module(network, images):
    _, *shape = network["input_shape"]
    function = tosa.Function("digits", [((len(images), *shape), "i8")])
    value = function.arguments[0]
    for layer in network["layers"]:
        value = (convolution if layer["op"] == "conv" else chain)(function, value, layer)
    function.results = [value]
    return tosa.module([function], {"digits": [[code for image in images for code in image]]})
