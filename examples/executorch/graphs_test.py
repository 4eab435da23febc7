#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""graphs_test.py [COUNT]: generated graphs are executed before and after the pass: identical codes, and as many operators as the library's plan of the
chain has, asked by way of the numbers that the graph was made of."""
import random
import sys

import dytq
import torch
import tosa_ops as tosa
from fold_chains import FoldChainsPass
from torch.fx import Graph, GraphModule
from torch.fx.passes.shape_prop import ShapeProp


class Made:
    """One graph: a Dynamic Tanh layer and what reads it, and the chain in numbers."""

    def __init__(self, seed):
        self.random = r = random.Random(seed)
        self.graph, self.module, self.count = Graph(), torch.nn.Module(), 0
        self.channels, self.steps, self.observed, self.outputs = r.choice((1, 2, 3, 3, 5)), [], set(), []
        self.plain = r.random() < 0.75  # scales that leave the codes alone, so that folds exist
        x = self.x = self.graph.placeholder("x")
        if r.random() < 0.5:
            x = self.half(x, "mul", [r.choice((64, 100, 127, 1)) if not self.plain else 1], [1, 1, 1, 1])
        if r.random() < 0.8:
            entries = [max(-127, min(127, round(r.choice((1, 1, 2)) * (code + r.choice((0, 0, 1)))))) for code in range(-128, 128)]
            x = self.call(tosa.TABLE, (x, self.buffer(torch.tensor(entries, dtype=torch.int8))))
            self.steps.append(dytq.Step("table", table=bytes(e & 255 for e in entries)))
            self.look(x)
        halves = r.choice(("both", "gamma", "gamma", "beta"))
        shape = r.choice(([1, self.channels, 1, 1], [self.channels, 1, 1]))
        if halves != "beta":
            codes = [r.choice((1, -1) if self.plain else (1, -1, 2, 3, 77, -90)) for _ in range(self.channels)]
            x = self.half(x, "mul", codes, shape)
        if halves != "gamma":
            x = self.half(x, "add", [r.choice((0, 0, 1, -2) if self.plain else (0, 5, -7, 40)) for _ in range(self.channels)], shape)
        self.readers = []
        weights = self.weights()
        for _ in range(r.choice((0, 1, 1, 1, 1, 2))):
            self.read(x, weights if r.random() < 0.3 else self.weights())
        if not self.readers or r.random() < 0.15:
            self.outputs.append(x)
            self.observed.add(len(self.steps))
        self.graph.output(tuple(self.outputs))
        self.fx = GraphModule(self.module, self.graph)
        self.inputs = [torch.tensor([[(code + 37 * c) % 256 - 128 for code in range(256)] for c in range(self.channels)], dtype=torch.int8)
                       .reshape(1, self.channels, 16, 16),
                       torch.randint(-128, 128, (2, self.channels, 16, 16), dtype=torch.int8, generator=torch.Generator().manual_seed(seed))]
        ShapeProp(self.fx).propagate(self.inputs[0])

    def buffer(self, tensor):
        self.count += 1
        self.module.register_buffer(f"constant_{self.count}", tensor)
        return self.graph.get_attr(f"constant_{self.count}")

    def call(self, target, args, **kwargs):
        return self.graph.call_function(target, args, kwargs)

    def rescale(self, x, dtype, scale, in_zp, out_zp):
        return self.call(tosa.RESCALE, (x, dtype, [scale], in_zp, out_zp))

    def step(self, scale, in_zp, out_zp, wide):
        return dytq.Rescale(*tosa.multiplier_and_shift(scale), in_zp, out_zp, out="int32" if wide else "int8")

    def look(self, x):
        """Now and then somebody else reads a result."""
        if self.random.random() < 0.08:
            self.outputs.append(x)
            self.observed.add(len(self.steps))

    def half(self, x, op, codes, shape):
        """RESCALE both operands, MUL or ADD, RESCALE to int8."""
        r = self.random
        first, second, last = (1.0, 1.0, 1.0) if self.plain else (r.choice((1.0, 2.0 ** 18)) if op == "add" else 1.0, 1.0, 1.0)
        if not self.plain:
            second = first if op == "add" else 1.0
            last = r.choice((1.0, 0.5, 0.3, 1 / 127)) / first
        tensor = torch.tensor(codes, dtype=torch.int8).reshape(shape if len(codes) == self.channels else [1])
        operand = self.rescale(self.buffer(tensor), torch.int32, second, 0, 0)
        wide = self.rescale(x, torch.int32, first, 0, 0)
        pair = (wide, operand) if r.random() < 0.8 else (operand, wide)
        x = self.call(tosa.MUL if op == "mul" else tosa.ADD, pair)
        x = self.rescale(x, torch.int8, last, 0, 0)
        each = torch.tensor(codes, dtype=torch.int8).expand(self.channels)  # one number for all channels is one byte, as in the graph
        self.steps += [dytq.Step("rescale", self.step(first, 0, 0, True), True), dytq.Step(op, self.step(second, 0, 0, True), codes=each),
                       dytq.Step("rescale", self.step(last, 0, 0, False))]
        self.look(x)
        return x

    def weights(self):
        kernel = self.random.choice((1, 3))
        weight = torch.tensor([self.random.randint(-60, 60) for _ in range(4 * self.channels * kernel * kernel)], dtype=torch.int8)
        if self.random.random() < 0.2:  # what the backend's symmetric quantization does not have, so that no fold may write it
            weight[self.random.randrange(len(weight))] = -128
        weight = weight.reshape(4, self.channels, kernel, kernel)
        if self.random.random() < 0.3:
            weight = weight.contiguous(memory_format=torch.channels_last)
        return self.buffer(weight), weight

    def read(self, x, weights):
        node, weight = weights
        kernel = weight.shape[2]
        pad = self.random.choice(([0, 0, 0, 0], [1, 1, 1, 1])) if kernel == 3 else [0, 0, 0, 0]
        bias = torch.tensor([self.random.randint(-1000, 1000) for _ in range(4)], dtype=torch.int32)
        conv = self.call(tosa.CONV2D, (x, node, self.buffer(bias), [1, 1], pad, [1, 1]), input_zp=0)
        self.outputs.append(conv)
        self.readers.append(dytq.Convolution(weight, "oihw", bias, weight_range=(-127, 127), axes=[dytq.Axis(16, 1, 1, p, p) for p in pad[:2]]))

    def run(self):
        return [self.fx(x) for x in self.inputs]

    def constants(self):
        """Weight, bias and input zero point of each convolution."""
        convs = [node for node in self.fx.graph.nodes if node.target == tosa.CONV2D]
        return [(*(getattr(self.fx, node.args[i].target) for i in (1, 2)), node.kwargs["input_zp"]) for node in convs]

    def operators(self):
        """Elementwise operators of activations: not those of constants alone."""
        def of_constants(node):
            return node.op == "get_attr" or (node.op == "call_function" and all(map(of_constants, node.all_input_nodes)))
        return sum(node.op == "call_function" and node.target != tosa.CONV2D and not of_constants(node) for node in self.fx.graph.nodes)


def main(count):
    changed = folded = kept = observed = folded_beside = 0
    for seed in range(count):
        made = Made(seed)
        before, operators = made.run(), made.operators()
        addresses = {name: buffer.data_ptr() for name, buffer in made.fx.named_buffers()}
        passed = FoldChainsPass()
        modified = passed.call(made.fx)
        after = made.run()
        for old, new in zip(before, after):
            for a, b in zip(old, new):
                assert a.dtype == b.dtype and torch.equal(a, b), f"graph {seed}: other codes; {passed.log}"
        plan = dytq.plan_chain(dytq.Chain(made.steps, made.channels), target=dytq.Target(depthwise=False), readers=made.readers, observed=made.observed)
        expected = min(plan.operators, len(made.steps))
        assert operators == len(made.steps)
        assert made.operators() == expected, f"graph {seed}: {made.operators()} operators, the plan has {expected}; {passed.log}"
        assert modified == (expected < len(made.steps)), f"graph {seed}: was it modified? {passed.log}"
        into = plan.folds if modified else ()
        for i, (reader, (weight, bias, input_zp)) in enumerate(zip(made.readers, made.constants())):  # folded where the plan says so, and there alone
            new = into[i] if into else reader
            assert torch.equal(weight, torch.as_tensor(new.weight)) and torch.equal(bias, torch.as_tensor(new.bias)) and input_zp == new.input_zp, \
                f"graph {seed}: reader {i} has other constants than {'its fold' if into else 'before'}; {passed.log}"
        assert passed.log, f"graph {seed}: not a word about it"
        for name, buffer in made.fx.named_buffers():  # what is kept is kept where it was
            assert name not in addresses or buffer.data_ptr() == addresses[name], f"graph {seed}: {name} was copied"
        used = {node.target for node in made.fx.graph.nodes if node.op == "get_attr"}
        assert used == {name for name, _ in made.fx.named_buffers()}, f"graph {seed}: constants that nobody reads"
        changed += modified
        folded += bool(into)
        observed += bool(made.observed)
        folded_beside += bool(into and made.observed)  # a result of the chain is read by somebody else, and its end is folded
        kept += not modified
        if not modified:
            assert any("kept" in text for _, text in passed.log)
    print(f"{count} graphs: {changed} changed, {folded} of them into convolutions, {kept} kept; identical codes; of {observed} somebody else reads a result, "
          f"{folded_beside} of them are folded")
    assert changed > count // 3 and folded > count // 20 and kept > 0 and observed > count // 4 and folded_beside > 0


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
