#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The committed graphs of golden/, without MLIR: golden.py REPLAY checks, with dytq_replay, that

* a graph and its folded form give the same tensors in an interpreter of plain integers, those that MLIR gave;
* the folded constants are those that the library computes from the original's; where a fold also has a new TABLE, which
  is not the only one that there could be, each product is the original's but for what the bias makes up.

golden.py --check OPT RUNNER PLUGIN LIB WORK checks that MLIR and the pass give these files today; --write writes them.
"""
import json
import operator
import pathlib
import re
import sys
import types

import execute  # puts foreign in reach
import foreign
import graphs
import interpreter
import tosa

GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
FORMS = {"drop", "into_conv", "into_table", "into_table_and_conv", "channel_rescale"}
PARTS = {"drop": "identity", "into_table": "uniform_table", "into_table_and_conv": "retabled",
         "channel_rescale": "gamma_rescale"}  # in the answer to PLAN_AFFINE; others have the form's name
SEED, NUMBERS = "golden", (3, 6, 7, 9, 13, 16, 35)


class Graph:
    """One function as its operators by their results."""

    def __init__(self, ops):
        self.ops = [op for op in ops if op.name.startswith("tosa.")]
        self.by_result = {op.result: op for op in self.ops}

    def find(self, *names):
        return [op for op in self.ops if op.name.removeprefix("tosa.") in names]

    def source(self, op, i):
        """What computes operand i of op; None: an argument."""
        return self.by_result.get(op.operands[i])

    def values(self, op, i):
        return self.source(op, i).values()

    def step(self, op):
        """A RESCALE as the replay format writes it."""
        m, s, zi, zo = (self.values(op, i) for i in (1, 2, 3, 4))
        return {"multiplier": m[0], "shift": s[0], "input_zp": zi[0], "output_zp": zo[0], "out": op.element,
                "double": op.attribute("rounding_mode") == "DOUBLE_ROUND"}

    def half(self, name, behind_table):
        """-> codes, the three steps and the result of the MUL or ADD behind the TABLE, or of the MUL before it."""
        table = self.ops.index(self.find("table")[0])
        for combine in self.find(name):
            if (self.ops.index(combine) > table) != behind_table:
                continue
            scales = [self.source(combine, i) for i in (0, 1)]
            scales.sort(key=lambda r: self.source(r, 0) is not None and self.source(r, 0).name == "tosa.const")
            out = next(op for op in self.find("rescale") if op.operands[0] == combine.result)
            return self.values(scales[1], 0), [self.step(op) for op in (*scales, out)]
        return None, []

    def table(self):
        return self.values(self.find("table")[0], 1)

    def conv(self):
        """The first convolution as a FOLD_AFFINE line has it: weights [O, KH, KW, I of a group]."""
        op = self.find("conv2d", "depthwise_conv2d")[0]
        shape, weight, groups = self.source(op, 1).shape, self.values(op, 1), 1
        if op.name == "tosa.depthwise_conv2d":
            kh, kw, groups, m = shape
            weight = [weight[tap * groups * m + o] for o in range(groups * m) for tap in range(kh * kw)]
            shape = [groups * m, kh, kw, 1]
        return {"weight": weight, "weight_shape": shape, "groups": groups, "weight_range": [-128, 127],
                "input_hw": self.source(op, 0).shape[1:3],
                "bias": self.values(op, 2), "input_zp": self.values(op, 3)[0], "weight_zp": self.values(op, 4),
                "pad": op.attribute("pad"), "stride": op.attribute("stride"), "dilation": op.attribute("dilation")}


def ask(replay, line):
    answer = json.loads(execute.run([replay], json.dumps({"in": line}) + "\n").stdout)
    return answer["out"] if "out" in answer else sys.exit(f"dytq_replay refuses: {answer}")


def maps(table, gamma, gamma_steps, beta, beta_steps):
    """What each channel makes of each code at the TABLE's input."""
    channels = []
    for c in range(len(gamma or beta)):
        codes = table
        if gamma:
            codes = [graphs.combined(gamma_steps, code, gamma[c], graphs.mul) for code in codes]
        if beta:
            codes = [graphs.combined(beta_steps, code, beta[c], operator.add) for code in codes]
        channels.append(codes)
    return channels


def check_table_and_conv(name, channels, table, old, new):
    """Each new weight times each new code is the old product, but for a constant; these are what the biases differ by.
    What padding adds is judged by the tensors."""
    outputs, taps, inside = old["weight_shape"][0], old["weight_shape"][1] * old["weight_shape"][2], old["weight_shape"][3]
    for output in range(outputs):
        total = 0
        first = output // (outputs // old["groups"]) * inside  # the group's first channel
        zp = [conv["weight_zp"][output % len(conv["weight_zp"])] for conv in (old, new)]
        for k in range(taps * inside):
            weights = [conv["weight"][output * taps * inside + k] - z for conv, z in zip((old, new), zp)]
            differences = {weights[0] * (y - old["input_zp"]) - weights[1] * (t - new["input_zp"])
                           for y, t in zip(channels[first + k % inside], table)}
            if len(differences) != 1:
                sys.exit(f"{name}: output channel {output}, weight {k}: the products differ by {sorted(differences)[:9]}")
            total += differences.pop()
        bias = [conv["bias"][output % len(conv["bias"])] for conv in (old, new)]
        if not any(old["pad"]) and bias[1] - bias[0] != total:
            sys.exit(f"{name}: output channel {output}: the bias is off by {bias[1] - bias[0] - total}")


def check_constants(name, before, after, replay):
    """Which form the folded graph has is read off it; its constants must be the library's."""
    def same(what, got, expected):
        if got != expected:
            sys.exit(f"{name}: {what}: the file has {got}, the library says {expected}")

    table = before.table()
    alpha, steps = before.half("mul", behind_table=False)
    if alpha:
        code = {"scale_bits": "0x3ff0000000000000", "zp": 0, "qmin": -128, "qmax": 127}
        table = ask(replay, {"op": "FOLD_ALPHA", "table": table, "alpha": alpha[0], "function_in": code,
                             "function_out": code, "rescale": dict(zip(("activation", "alpha", "mul_out"), steps))})
    gamma, gamma_steps = before.half("mul", behind_table=True)
    beta, beta_steps = before.half("add", behind_table=True)
    named = dict(zip(("table", "gamma", "gamma_out"), gamma_steps))
    named.update(zip(("add_in", "beta", "add_out"), beta_steps))
    table_zp = (gamma_steps or beta_steps)[0]["input_zp"]
    parts = ask(replay, {"op": "PLAN_AFFINE", "table": table, "table_zp": table_zp, "gamma": gamma, "beta": beta,
                         "rescale": named, "conv": before.conv()})
    parts = {form: parts[PARTS.get(form, form)] for form in FORMS}
    if after.find("add", "mul"):
        form = "channel_rescale"
        rescale = next(op for op in after.find("rescale") if op.attribute("per_channel") == "true")
        same("multiplier", after.values(rescale, 1), parts[form]["multiplier"])
        same("shift", after.values(rescale, 2), parts[form]["shift"])
        same("TABLE", after.table(), table)
        return form
    new, old = ({k: graph.conv()[k] for k in ("weight", "bias", "input_zp")} for graph in (after, before))
    kept_table, kept_conv = after.table() == table, new == old
    if kept_table and kept_conv and parts["drop"] is True:
        return "drop"
    form = "into_conv" if kept_table else "into_table" if kept_conv else "into_table_and_conv"
    if form == "into_table_and_conv":  # not the library's own: a plan may begin before the TABLE
        same("its existence", True, "reject" not in parts[form])
        check_table_and_conv(name, maps(table, gamma, gamma_steps, beta, beta_steps), after.table(), before.conv(),
                             after.conv())
    elif form == "into_table":
        same("TABLE", after.table(), parts[form])
    else:
        outputs = after.conv()["weight_shape"][0]
        new["bias"] *= outputs if len(new["bias"]) == 1 else 1
        same("constants", new, {k: parts[form][k] for k in new})
    return form


def check(replay):
    texts = [(GOLDEN / f"graphs.{which}.mlir").read_text() for which in ("before", "after")]
    expected = [[int(v) for v in line.split(",")] for line in (GOLDEN / "graphs.out").read_text().splitlines()]
    for text in texts:
        if interpreter.run(text) != expected:
            sys.exit("the interpreter does not give the tensors that MLIR gave")
    before, after = (interpreter.parse(text) for text in texts)
    forms = set()
    for name in filter(lambda name: name != "main", before):
        original, folded = (Graph(parsed[name][1]) for parsed in (before, after))
        forms.add(check_constants(name, original, folded, replay))
    if forms != FORMS:
        sys.exit(f"the graphs show {forms}, not {FORMS}")
    print(f"{len(expected)} tensors: identical; {', '.join(sorted(forms))}")


def make(opt, runner, plugin, lib, work):
    tools = types.SimpleNamespace(opt=opt, runner=runner, plugin=plugin, lib=lib, work=pathlib.Path(work))
    made = [graphs.Maker(SEED, number).make() for number in NUMBERS]
    module = tosa.module([graph.function for graph in made], {graph.name: graph.inputs for graph in made})
    before = execute.run([opt, "-"], module).stdout
    after, _ = execute.fold(tools, before, "{chains=false}")
    tensors = execute.execute_both(tools, before, after)
    assert tensors[0] == tensors[1]
    lines = [",".join(re.findall(r"-?\d+", tensor)) + "\n" for tensor in tensors[0]]
    return {"graphs.before.mlir": before, "graphs.after.mlir": after, "graphs.out": "".join(lines)}


if __name__ == "__main__":
    if sys.argv[1] not in ("--check", "--write"):
        check(sys.argv[1])
    else:
        with foreign.skipping():
            foreign.need(*sys.argv[2:4])
            made = make(*sys.argv[2:])
        for file, text in made.items():
            if sys.argv[1] == "--write":
                (GOLDEN / file).write_text(text)
            elif (GOLDEN / file).read_text() != text:
                sys.exit(f"golden/{file} is not what MLIR and the pass give; golden.py --write makes it anew")
