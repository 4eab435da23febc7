# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Legal chains of elementwise operators with constants, made from a number: what networks have, and graphs of operators.

Every value is kept inside what TOSA takes: operand RESCALEs are by 1, products stay below 2^24, and sums below 2^26.
"""
import random

import tosa

ONE = 2**30
CODES = list(range(-128, 128))


class Maker:
    """Draws one chain of a kind. After `make`: function, inputs."""

    def __init__(self, seed, number, channels=0):
        self.r = random.Random(f"chain {seed} {number}")
        self.kind = list(KINDS)[number % len(KINDS)]
        self.name = f"chain{number}"
        self.channels = channels or self.r.choice([1, 2, 3, 5])
        self.f = tosa.Function(self.name, [((1, 16, 16, self.channels), "i8")])

    # Constants.
    def zero_point(self):
        return self.r.choice([0, 0, self.r.randint(-30, 30)])

    def step(self, out, input_zp=0, output_zp=0, multiplier=ONE, shift=30, double=False):
        return {"multiplier": multiplier, "shift": shift, "input_zp": input_zp, "output_zp": output_zp, "out": out, "double": double}

    def per_channel(self, draw):
        return [draw() for _ in range(self.channels)]

    def constant(self, values):
        """int32: as it is, or int8 through a RESCALE, as quantizing frontends write it; one for all if they are equal."""
        if len(set(values)) == 1 and self.r.random() < 0.5:
            values = values[:1]
        shape = [1, 1, 1, len(values)]
        if all(-128 <= v <= 127 for v in values) and self.r.random() < 0.5:
            return self.f.rescale(self.f.const(values, shape, "i8"), self.step("i32"))
        return self.f.const(values, shape, "i32")

    # Operators.
    def wide(self, v, zp):
        return self.f.rescale(v, self.step("i32", zp))

    def narrow(self, v, zp, shift=None, double=None):
        shift = self.r.randint(30, 37) if shift is None else shift
        return self.f.rescale(v, self.step("i8", 0, zp, self.r.choice([ONE, self.r.randint(ONE, 2**31 - 1)]), shift,
                                           self.r.random() < 0.25 if double is None else double))

    def binary(self, name, v, values):
        return self.f.combine(name, v, self.constant(values), name != "sub" and self.r.random() < 0.3)

    def op(self, name, operands, attributes="", element="i32"):
        return self.f.op(name, operands, attributes, operands[0][1], element)

    def clamp(self, v, lo, hi):
        return self.op("clamp", [v], f"min_val = {lo} : {v[2]}, max_val = {hi} : {v[2]}", v[2])

    def table(self, v, f=None):
        bend = self.r.uniform(0.01, 0.05)
        f = f or (lambda x: int(127 * x * bend / (1 + abs(x * bend))))
        return self.f.table(v, [max(-128, min(127, f(x))) for x in CODES])

    # Kinds.
    def layer_scale(self, x):
        v = self.binary("mul", self.wide(x, self.zero_point()), self.per_channel(lambda: self.r.randint(-100, 127)))
        return self.narrow(v, self.zero_point(), self.r.randint(34, 38))

    def batch_norm(self, x):
        """Behind an activation: gamma, beta, in two halves with a rounding between."""
        z = self.zero_point()
        v = self.layer_scale(self.table(x))
        v = self.binary("add", self.wide(v, z), self.per_channel(lambda: self.r.randint(-60, 60)))
        return self.narrow(v, self.zero_point(), self.r.randint(30, 31))

    def fused_norm(self, x):
        """One accumulation: x * gamma + beta, then one rounding."""
        v = self.binary("mul", self.wide(x, self.zero_point()), self.per_channel(lambda: self.r.randint(20, 127)))
        v = self.binary("add", v, self.per_channel(lambda: self.r.randint(-9000, 9000)))
        return self.narrow(v, self.zero_point(), self.r.randint(36, 38))

    def prelu(self, x):
        """max(x, 0) + slope * min(x, 0)."""
        w = self.wide(x, self.zero_point())
        up = self.op("mul", [self.f.combine("maximum", w, self.constant([0]), False), self.constant([64]), self.f.const([0], [1], "i8")])
        down = self.binary("mul", self.f.combine("minimum", w, self.constant([0]), False), self.per_channel(lambda: self.r.randint(1, 60)))
        return self.narrow(self.op("add", [up, down]), self.zero_point(), self.r.randint(36, 37))

    def hard_swish(self, x):
        """x * clamp(x + 3, 0, 6), in parts."""
        w = self.wide(x, self.zero_point())
        part = self.clamp(self.binary("add", w, [self.r.randint(40, 60)]), 0, 100)
        if self.r.random() < 0.5:  # the part is a tensor of its own
            part = self.wide(self.narrow(part, 0, 30, False), 0)
        v = self.op("mul", [w, part, self.f.const([0], [1], "i8")])
        return self.narrow(v, self.zero_point(), self.r.randint(36, 38))

    def rescales(self, x):
        v = x
        for _ in range(self.r.randint(2, 4)):
            v = self.f.rescale(v, self.step("i8", self.zero_point(), self.zero_point(), self.r.randint(ONE, 2**31 - 1), self.r.randint(30, 32)))
        return v

    def derf(self, x):
        """erf(alpha x + s): MUL, ADD, TABLE, then gamma and beta."""
        v = self.binary("mul", self.wide(x, self.zero_point()), [self.r.randint(20, 120)])
        v = self.narrow(self.binary("add", v, [self.r.randint(-900, 900)]), 0, self.r.randint(36, 37))
        v = self.layer_scale(self.table(v))
        return self.narrow(self.binary("add", self.wide(v, self.zero_point()), self.per_channel(lambda: self.r.randint(-50, 50))), 0, 30)

    def tanh(self, x):
        v = self.narrow(self.binary("mul", self.wide(x, self.zero_point()), [self.r.randint(20, 120)]), 0, self.r.randint(36, 37))
        return self.batch_norm(v)

    def residual(self, x):
        """A constant added: its own RESCALE and that of the sum."""
        w = self.f.rescale(x, self.step("i32", self.zero_point(), 0, self.r.randint(ONE, 2**31 - 1), self.r.randint(20, 24)))
        v = self.binary("sub" if self.r.random() < 0.5 else "add", w, self.per_channel(lambda: self.r.randint(-30000, 30000)))
        return self.narrow(v, self.zero_point(), self.r.randint(38, 41))

    def limits(self, x):
        """MAXIMUM and MINIMUM per channel, a CLAMP, ABS."""
        w = self.binary("maximum", self.wide(x, self.zero_point()), self.per_channel(lambda: self.r.randint(-90, -20)))
        w = self.binary("minimum", w, self.per_channel(lambda: self.r.randint(20, 90)))
        if self.r.random() < 0.4:
            w = self.op("abs", [w])
        v = self.narrow(w, self.zero_point(), 30)
        return self.clamp(v, -100, self.r.randint(30, 100))

    def negated(self, x):
        v = self.op("negate", [x, self.f.const([3], [1], "i8"), self.f.const([-2], [1], "i8")], "", "i8")
        return self.layer_scale(v) if self.r.random() < 0.5 else self.rescales(v)

    def shifts(self, x):
        w = self.binary("mul", self.wide(x, self.zero_point()), self.per_channel(lambda: self.r.randint(-120, 120)))
        by = [self.r.randint(5, 8)]
        w = self.op("arithmetic_right_shift", [w, self.constant(by)], f"round = {'true' if self.r.random() < 0.5 else 'false'}")
        return self.narrow(w, self.zero_point(), 30)

    def square(self, x):
        """x * x, times a constant, which may be one for each channel: a graph, and no line."""
        w = self.wide(x, self.zero_point())
        v = self.op("mul", [w, w, self.f.const([0], [1], "i8")])
        return self.narrow(self.binary("mul", v, self.r.choice([self.per_channel(lambda: self.r.randint(1, 100)), [50]])), self.zero_point(),
                           self.r.randint(43, 45))

    def reciprocal_bias(self, x):
        """c - x, and a multiplication behind it."""
        w = self.wide(x, self.zero_point())
        v = self.f.combine("sub", w, self.f.const([self.r.randint(-100, 100)], [1, 1, 1, 1], "i32"), True)
        return self.narrow(self.binary("mul", v, self.per_channel(lambda: self.r.randint(1, 100))), self.zero_point(), self.r.randint(36, 38))

    def per_channel_rescale(self, x):
        many = self.step("i8", self.zero_point(), self.zero_point(), self.per_channel(lambda: self.r.randint(ONE, 2**31 - 1)),
                         self.per_channel(lambda: self.r.randint(30, 32)))
        v = self.f.rescale(x, many)
        return self.batch_norm(v) if self.r.random() < 0.5 else self.rescales(v)

    def gate(self, x):
        """x * table(x), the sigmoid linear unit in parts."""
        w = self.wide(x, self.zero_point())
        t = self.wide(self.table(x), 0)
        return self.narrow(self.op("mul", [w, t, self.f.const([0], [1], "i8")]), self.zero_point(), self.r.randint(36, 38))

    def make(self):
        x = self.f.arguments[0]
        inside = []
        if self.r.random() < 0.3:  # another chain before, whose result may be seen
            x = getattr(self, KINDS[self.r.choice(list(KINDS))])(x)
            inside = [x] if self.r.random() < 0.5 else []
        y = getattr(self, KINDS[self.kind])(x)
        if self.r.random() < 0.25:  # two that read the same
            inside.append(getattr(self, KINDS[self.r.choice(list(KINDS))])(x))
        self.function = self.f
        self.f.results = [y, *inside]
        self.inputs = [[code for code in CODES for _ in range(self.channels)]]
        return self


class Read(Maker):
    """The same, read by a convolution and its RESCALE; the codes of the channels are shuffled."""

    def make(self):
        super().make()
        r, (y, *inside) = self.r, self.f.results
        size, outputs = r.choice([1, 3]), r.randint(1, 3)
        pad = r.choice([0, 1]) if size == 3 else 0
        depthwise = r.random() < 0.3
        shape = [size, size, self.channels, 1] if depthwise else [outputs, size, size, self.channels]
        total = self.channels if depthwise else outputs
        sums = self.f.conv(y, {"weight": [r.randint(-60, 60) for _ in range(shape[0] * shape[1] * shape[2] * shape[3])],
                               "weight_shape": shape, "bias": [r.randint(-3000, 3000) for _ in range(total)], "input_zp": 0,
                               "weight_zp": 0, "pad": [pad] * 4, "stride": [1, 1], "dilation": [1, 1], "depthwise": depthwise})
        out = self.step("i8", 0, self.zero_point(), [r.randint(ONE, 2**31 - 1) for _ in range(total)],
                        [r.randint(36, 41) for _ in range(total)])
        self.f.results = [self.f.rescale(sums, out), *inside]
        columns = [r.sample(CODES, 256) for _ in range(self.channels)]
        self.inputs = [[columns[c][p] for p in range(256) for c in range(self.channels)]]
        return self


KINDS = {"LayerScale": "layer_scale", "batch normalization": "batch_norm", "one accumulation": "fused_norm", "PReLU": "prelu",
         "hard-swish from parts": "hard_swish", "RESCALEs": "rescales", "Derf": "derf", "Dynamic Tanh": "tanh", "residual's constant": "residual",
         "limits": "limits", "NEGATE": "negated", "shifts": "shifts", "square": "square", "constant less x": "reciprocal_bias",
         "RESCALE per channel": "per_channel_rescale", "gate": "gate"}


def make(seed, count, channels=0, maker=Maker):
    return [maker(seed, number, channels).make() for number in range(count)]
