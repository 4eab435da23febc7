# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the TOSA that these tests write and the pass prints, and runs it on plain integers: no MLIR needed.

It knows the operators of a quantized Dynamic Tanh graph and no more, and shares nothing with the library or with MLIR.
What TOSA calls unpredictable is an assertion.
"""
import itertools
import math
import re
import struct

WIDTH = {"i8": 1, "i16": 2, "i32": 4}


class Op:
    """One line of a function; `shape` and `element` are those of its result."""

    LINE = re.compile(r'(?:(%\w+)(?::\d+)? = )?"?([\w.]+)"?(.*)')
    RESULT = re.compile(r"-> tensor<((?:\d+x)*)(i8|i16|i32)>$")

    def __init__(self, line):
        self.result, self.name, self.rest = self.LINE.fullmatch(line).groups()
        self.operands = re.findall(r"%[\w#]+", self.rest)
        shape, self.element = self.RESULT.search(line).groups() if self.RESULT.search(line) else ("", "")
        self.shape = [int(v) for v in shape.split("x")[:-1]]

    def attribute(self, name):
        """Its integers, or its word."""
        text = re.search(rf"\b{name} = (array<i\d+: ([^>]*)>|\w+)", self.rest)
        return [int(v) for v in text[2].split(",")] if text[2] else text[1]

    def values(self):
        """Those of a constant: one for all, hexadecimal, or nested lists."""
        text = re.search(r"dense<(.*?)> :", self.rest)[1]
        if text.startswith('"'):
            raw = bytes.fromhex(text[3:-1])
            return list(struct.unpack(f"<{len(raw) // WIDTH[self.element]}{'-bh-i'[WIDTH[self.element]]}", raw))
        numbers = [int(v) for v in re.findall(r"-?\d+", text)]
        return numbers if "[" in text else numbers * math.prod(self.shape)


def parse(text):
    """-> {function: (arguments, operators)}, main with its calls and prints among them."""
    functions = re.findall(r"^  func\.func (?:private )?@(\w+)\(([^\n]*?)\)[^\n]*{\n(.*?)^  }", text, re.S | re.M)
    return {name: (re.findall(r"(%\w+):", arguments), [Op(line.strip()) for line in body.splitlines()])
            for name, arguments, body in functions}


def clamp(value, element):
    limit = 2 ** (8 * WIDTH[element] - 1)
    return max(-limit, min(limit - 1, value))


def checked(value):
    assert -(2**31) <= value < 2**31, "leaves 32 bits"
    return value


def scale(value, multiplier, shift, double):
    assert multiplier >= 0 and 2 <= shift <= 62 and -(2 ** (shift - 1)) <= value < 2 ** (shift - 1)
    rounding = 1 << (shift - 1)
    if double and shift > 31:
        rounding += (1 << 30) if value >= 0 else -(1 << 30)
    return (value * multiplier + rounding) >> shift


def positions(shape):
    return itertools.product(*map(range, shape))


def offset(shape, index):
    """Row-major; an extent of 1 is broadcast."""
    at = 0
    for extent, i in zip(shape, index):
        at = at * extent + (i if extent > 1 else 0)
    return at


def convolve(op, x, w, bias, input_zp, weight_zp):
    (xs, x), (ws, w), bias = x, w, bias[1]
    depthwise = "depthwise" in op.name
    kh, kw = ws[:2] if depthwise else ws[1:3]
    pad, stride, dilation = (op.attribute(k) for k in ("pad", "stride", "dilation"))
    result = []
    for n, oy, ox, o in positions(op.shape):
        acc = bias[o if len(bias) > 1 else 0]
        for ky, kx in positions([kh, kw]):
            y = oy * stride[0] - pad[0] + ky * dilation[0]
            z = ox * stride[1] - pad[2] + kx * dilation[1]
            if not (0 <= y < xs[1] and 0 <= z < xs[2]):
                continue
            for c in [o // ws[3]] if depthwise else range(xs[3]):
                weight = w[offset(ws, (ky, kx, c, o % ws[3]) if depthwise else (o, ky, kx, c))]
                acc += (x[offset(xs, (n, y, z, c))] - input_zp[1][0]) * (weight - weight_zp[1][0])
        result.append(checked(acc))
    return result


def evaluate(op, operands):
    """One operator of TOSA; tensors are (shape, flat list)."""
    name = op.name.removeprefix("tosa.")
    if name in ("const", "const_shape"):
        return op.values()
    shape, x = operands[0]
    if name == "rescale":
        (_, m), (_, s), (_, (zi,)), (_, (zo,)) = operands[1:]
        double = op.attribute("rounding_mode") == "DOUBLE_ROUND"
        channel = [i % shape[-1] if len(m) > 1 else 0 for i in range(len(x))]
        return [clamp(checked(scale(v - zi, m[c], s[c], double) + zo), op.element) for v, c in zip(x, channel)]
    if name in ("mul", "add"):
        (xs, x), (ys, y) = operands[:2]
        pairs = ((x[offset(xs, i)], y[offset(ys, i)]) for i in positions(op.shape))
        if name == "add":
            return [checked(a + b) for a, b in pairs]
        assert operands[2][1] == [0]
        return [(a * b + 2**31) % 2**32 - 2**31 for a, b in pairs]
    if name == "table":
        return [operands[1][1][v + 128] for v in x]
    if name.endswith("conv2d"):
        return convolve(op, *operands)
    if name == "transpose":
        perms = op.attribute("perms")
        return [x[offset(shape, [index[perms.index(a)] for a in range(len(perms))])] for index in positions(op.shape)]
    if name == "slice":
        start = operands[1][1]
        return [x[offset(shape, [i + s for i, s in zip(index, start)])] for index in positions(op.shape)]
    if name == "cast":
        return x
    raise NotImplementedError(op.name)


def call(functions, name, arguments, prints):
    parameters, ops = functions[name]
    values = dict(zip(parameters, arguments))
    for op in ops:
        operands = [values[v] for v in op.operands]
        callee = re.match(r" @(\w+)", op.rest)
        if op.name == "return":
            return operands
        if op.name == "tensor.cast":
            values[op.result] = operands[0]
        elif callee and callee[1] == "printMemrefI32":
            prints.append(operands[0][1])
        elif callee:
            results = call(functions, callee[1], operands, prints)
            values.update({f"{op.result}#{i}": r for i, r in enumerate(results)} | {op.result: results[0]})
        else:
            values[op.result] = (op.shape, evaluate(op, operands))
    return []


def run(text):
    """Every tensor that main prints, flat."""
    prints = []
    call(parse(text), "main", [], prints)
    return prints
