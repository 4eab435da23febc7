#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""onnx_test.py WORK: the roundings onnx and onnx_multiply against ONNX Runtime itself, and chains of its operators before and after a plan.

WORK is the program of onnx_work.cpp. Graphs are made by Debian's python3-onnx; the runtime is the npm package onnxruntime-node, found by node
or below $DYTQ_ONNXRUNTIME (a folder with node_modules). What is missing is said, and the test skipped."""
import base64
import json
import os
import pathlib
import random
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import foreign  # noqa: E402

DEBIAN = "/usr/bin/python3"
CODES = list(range(-128, 128))
DRAW = random.Random(5)


def runtime():
    """The command that runs models, or NotHere."""
    foreign.need("node")
    environment = dict(os.environ)
    if "DYTQ_ONNXRUNTIME" in environment:
        environment["NODE_PATH"] = environment["DYTQ_ONNXRUNTIME"] + "/node_modules"
    done = subprocess.run(["node", str(HERE / "onnx_run.js"), "version"], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise foreign.NotHere("there is no onnxruntime-node (npm install --ignore-scripts onnxruntime-node; DYTQ_ONNXRUNTIME names the folder)")
    print("node and onnxruntime-node", done.stdout.strip())
    return environment


def graphs():
    try:
        import onnx  # noqa: F401
    except ImportError as none:
        if sys.executable != DEBIAN and os.path.exists(DEBIAN):  # its packages are there for its own Python alone
            os.execv(DEBIAN, [DEBIAN, *sys.argv])
        raise foreign.NotHere("there is no onnx for this Python (Debian: python3-onnx)") from none


def bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def float32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def draw_scale(lo, hi):
    """A float32: any, few bits (so that there are ties), or a power of two."""
    x = 2.0 ** DRAW.uniform(lo, hi)
    kind = DRAW.randrange(3)
    if kind == 0:
        return float32(x)
    exponent = round(DRAW.uniform(lo, hi))
    return 2.0 ** exponent * (1 if kind == 1 else 1 + DRAW.randrange(16) / 16)


class graph:
    """Nodes from x to y, int8 [1, C, 1, 256], opset 10 and ONNX Runtime's own operators."""

    def __init__(self, channels):
        self.channels = channels
        self.nodes = []
        self.constants = []
        self.last = "x"

    def constant(self, kind, dims, values):
        import onnx
        name = f"c{len(self.constants)}"
        values = values if isinstance(values, list) else [values]
        self.constants.append(onnx.helper.make_tensor(name, getattr(onnx.TensorProto, kind), dims, values))
        return name

    def scalar(self, kind, value):
        return self.constant(kind, [], value)

    def add(self, op, inputs, **attributes):
        import onnx
        result = f"t{len(self.nodes)}"
        domain = {} if op in ("QLinearConv", "QLinearMatMul") else {"domain": "com.microsoft"}
        self.nodes.append(onnx.helper.make_node(op, inputs, [result], **domain, **attributes))
        self.last = result

    def conv(self, scale, zp, weights, weight_scales, bias, out_scale, out_zp):
        """Depthwise, 1 x 1, a scale for each channel."""
        c = self.channels
        self.add("QLinearConv", [self.last, self.scalar("FLOAT", scale), self.scalar("INT8", zp), self.constant("INT8", [c, 1, 1, 1], weights),
                                 self.constant("FLOAT", [c], weight_scales), self.constant("INT8", [c], [0] * c),
                                 self.scalar("FLOAT", out_scale), self.scalar("INT8", out_zp), self.constant("INT32", [c], bias)], group=c)

    def binary(self, op, scale, zp, values, value_scale, value_zp, out_scale, out_zp):
        """QLinearMul or QLinearAdd by a constant for each channel, or one for all."""
        dims = [1, self.channels, 1, 1] if len(values) > 1 else []
        self.add(op, [self.last, self.scalar("FLOAT", scale), self.scalar("INT8", zp), self.constant("INT8", dims, values),
                      self.scalar("FLOAT", value_scale), self.scalar("INT8", value_zp), self.scalar("FLOAT", out_scale), self.scalar("INT8", out_zp)])

    def run(self, environment, shape=None):
        return run([self], environment)[0]

    def asked(self):
        import onnx
        self.nodes[-1].output[0] = "y"
        x, y = (onnx.helper.make_tensor_value_info(n, onnx.TensorProto.INT8, self.shape()) for n in "xy")
        made = onnx.helper.make_graph(self.nodes, "g", [x], [y], self.constants)
        model = onnx.helper.make_model(made, opset_imports=[onnx.helper.make_opsetid("", 10), onnx.helper.make_opsetid("com.microsoft", 1)])
        model.ir_version = 7
        return json.dumps({"model": base64.b64encode(model.SerializeToString()).decode(), "input": CODES * self.channels, "shape": self.shape()})

    def shape(self):
        return [1, self.channels, 1, 256]


class matmul(graph):
    """[256, 1] times [1, N]; its answer is turned to N rows of 256."""

    def multiply(self, scale, zp, weights, weight_scale, out_scale, out_zp):
        self.weights = weights
        self.add("QLinearMatMul", [self.last, self.scalar("FLOAT", scale), self.scalar("INT8", zp), self.constant("INT8", [1, len(weights)], weights),
                                   self.scalar("FLOAT", weight_scale), self.scalar("INT8", 0), self.scalar("FLOAT", out_scale), self.scalar("INT8", out_zp)])

    def shape(self):
        return [256, 1]

    def asked(self):
        import onnx
        self.nodes[-1].output[0] = "y"
        x = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.INT8, [256, 1])
        y = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.INT8, [256, len(self.weights)])
        made = onnx.helper.make_graph(self.nodes, "g", [x], [y], self.constants)
        model = onnx.helper.make_model(made, opset_imports=[onnx.helper.make_opsetid("", 10)])
        model.ir_version = 7
        return json.dumps({"model": base64.b64encode(model.SerializeToString()).decode(), "input": CODES, "shape": [256, 1]})


def run(all_graphs, environment):
    """What each graph makes of every code: a list of rows, one for each channel."""
    done = subprocess.run(["node", str(HERE / "onnx_run.js")], input="".join(g.asked() + "\n" for g in all_graphs), capture_output=True, text=True,
                          env=environment)
    if done.returncode != 0:
        sys.exit(done.stderr[-3000:])
    rows = []
    for g, line in zip(all_graphs, done.stdout.splitlines(), strict=True):
        flat = json.loads(line)
        if isinstance(g, matmul):
            n = len(g.weights)
            rows.append([flat[c::n] for c in range(n)])
        else:
            rows.append([flat[256 * c:256 * c + 256] for c in range(g.channels)])
    return rows


def ask(work, lines):
    done = subprocess.run([work], input="".join(line + "\n" for line in lines), capture_output=True, text=True, check=True)
    return [[int(v) if v.lstrip("-").isdigit() else v for v in line.split()] for line in done.stdout.splitlines()]


def compare(what, graphs_of, questions, work, environment):
    """Every row of every graph as the library says; `questions` gives a line for each row."""
    got = [row for rows in run(graphs_of, environment) for row in rows]
    said = ask(work, questions)
    assert len(got) == len(said), (len(got), len(said))
    taken = [(g, s, q) for g, s, q in zip(got, said, questions) if len(s) == 256]
    wrong = [(q, next((CODES[i], a, b) for i, (a, b) in enumerate(zip(g, s)) if a != b)) for g, s, q in taken if g != s]
    print(f"{what}: {len(taken) * 256} values, {len(said) - len(taken)} of {len(said)} scales refused, {len(wrong)} rows differ")
    for q, (code, a, b) in wrong[:3]:
        print(f"  {q[:120]}: code {code}: the runtime {a}, the library {b}")
    return bool(wrong) or len(taken) < len(said) // 2


def convolutions(work, environment):
    all_graphs, questions = [], []
    for _ in range(60):
        c = 16
        g = graph(c)
        scale, out_scale = draw_scale(-10, 0), draw_scale(-10, 0)
        zp, out_zp = DRAW.randrange(-128, 128), DRAW.randrange(-128, 128)
        weights = [DRAW.randrange(-128, 128) for _ in range(c)]
        weight_scales = [draw_scale(-12, 2) for _ in range(c)]
        bias = [DRAW.choice([0, DRAW.randrange(-200, 200), DRAW.randrange(-30000, 30000), DRAW.randrange(-(1 << 30), 1 << 30)]) for _ in range(c)]
        g.conv(scale, zp, weights, weight_scales, bias, out_scale, out_zp)
        all_graphs.append(g)
        questions += [f"conv {bits(scale)} {bits(ws)} {bits(out_scale)} {zp} {out_zp} {w} {b}" for w, ws, b in zip(weights, weight_scales, bias)]
    return compare("QLinearConv", all_graphs, questions, work, environment)


def matmuls(work, environment):
    all_graphs, questions = [], []
    for _ in range(60):
        g = matmul(1)
        scale, weight_scale, out_scale = draw_scale(-10, 0), draw_scale(-10, 0), draw_scale(-10, 0)
        zp, out_zp = DRAW.randrange(-128, 128), DRAW.randrange(-128, 128)
        weights = [DRAW.randrange(-128, 128) for _ in range(16)]
        g.multiply(scale, zp, weights, weight_scale, out_scale, out_zp)
        all_graphs.append(g)
        questions += [f"conv {bits(scale)} {bits(weight_scale)} {bits(out_scale)} {zp} {out_zp} {w} 0" for w in weights]
    return compare("QLinearMatMul", all_graphs, questions, work, environment)


def products(work, environment):
    all_graphs, questions = [], []
    for k in range(120):
        c = 1 if k % 2 else 16
        g = graph(c)
        scale, value_scale, out_scale = draw_scale(-10, 0), draw_scale(-10, 0), draw_scale(-10, 0)
        zp, value_zp, out_zp = (DRAW.randrange(-128, 128) for _ in range(3))
        values = [DRAW.randrange(-128, 128) for _ in range(c)]
        g.binary("QLinearMul", scale, zp, values, value_scale, value_zp, out_scale, out_zp)
        all_graphs.append(g)
        questions += [f"mul {bits(scale)} {bits(value_scale)} {bits(out_scale)} {zp} {value_zp} {out_zp} {v}" for v in values]
    return compare("QLinearMul by a constant", all_graphs, questions, work, environment)


def chains(work, environment):
    """Gamma alone, beta alone, and both: where every channel is a line, one QLinearConv in their place gives the same bytes."""
    kinds = {"QLinearMul": 0, "QLinearAdd": 0, "QLinearMul, QLinearAdd": 0}
    tried = dict(kinds)
    c = 8
    before = []
    for k in range(180):
        kind = list(kinds)[k % 3]
        g = graph(c)
        scale, zp = 2.0 ** DRAW.uniform(-8, -5), DRAW.randrange(-40, 40)
        gamma_scale, beta_scale = 2.0 ** DRAW.uniform(-8, -6), 2.0 ** DRAW.uniform(-9, -7)
        middle, middle_zp = 2.0 ** DRAW.uniform(-7, -5), DRAW.randrange(-40, 40)
        gamma = [DRAW.randrange(20, 128) for _ in range(c)]
        if "Add" in kind and k % 4:  # a product without a rounding: of two roundings few are one line
            zp, middle_zp, middle, gamma_scale, gamma = 0, 0, scale, 2.0 ** -6, [DRAW.choice([64, 64, 64, -64]) for _ in range(c)]
        g.in_zp = zp
        out, g.out_zp = middle * 2.0 ** DRAW.uniform(0, 0.4), DRAW.randrange(-40, 40)
        if "Mul" in kind:
            end, end_zp = (middle, middle_zp) if "Add" in kind else (out, g.out_zp)
            g.binary("QLinearMul", float32(scale), zp, gamma, float32(gamma_scale), 0, float32(end), end_zp)
            scale, zp = end, end_zp
        if "Add" in kind:
            g.binary("QLinearAdd", float32(scale), zp, [DRAW.randrange(-128, 128) for _ in range(c)], float32(beta_scale), 0, float32(out), g.out_zp)
        g.kind = kind
        tried[kind] += 1
        before.append(g)
    maps = run(before, environment)
    said = ask(work, [f"line {g.in_zp} {g.out_zp} {' '.join(map(str, row))}" for g, rows in zip(before, maps) for row in rows])
    after, wanted, lines = [], [], 0
    for i, g in enumerate(before):
        channels = said[i * c:i * c + c]
        lines += sum(len(l) == 4 for l in channels)
        if all(len(l) == 4 for l in channels):
            new = graph(c)
            # Scales of 1 on both sides: what is written for the weights is the whole scale, in 24 bits.
            new.conv(1.0, g.in_zp, [l[0] for l in channels], [l[2] * 2.0 ** -l[3] for l in channels], [l[1] for l in channels], 1.0, g.out_zp)
            after.append(new)
            wanted.append(maps[i])
            kinds[g.kind] += 1
    wrong = sum(a != b for a, b in zip(run(after, environment), wanted))
    print(f"chains: {lines} of {len(said)} channels are lines; one QLinearConv for "
          + ", ".join(f"{n} of {tried[k]} ({k})" for k, n in kinds.items()) + f"; {wrong} differ")
    return bool(wrong) or min(kinds.values()) < 10


def main():
    with foreign.skipping():
        graphs()
        environment = runtime()
        wrong = [f.__name__ for f in (convolutions, matmuls, products, chains) if f(sys.argv[1], environment)]
        sys.exit(f"wrong: {wrong}" if wrong else 0)


main()
