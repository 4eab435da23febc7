# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Legal graphs with one Dynamic Tanh site and what reads it, made from a number. Most of them fold.

Nothing in the lowering checks what TOSA requires of values, so the ranges are chosen such that nothing can leave them:
operand RESCALEs have shifts of 10 and more for codes of 9 bits; products stay below 2^17 and sums below 2^30.
"""
import random

import tosa

CODES = range(-128, 128)
ONE = 2**30  # the multiplier of scale 1 at shift 30
STYLES = ["exact",       # gamma of whole numbers: lines
          "exact",
          "whole",       # gamma of halves, whole on the codes that occur or times the weights
          "gamma",       # no beta
          "beta",        # no gamma
          "cancelling",  # offsets that cancel between channels, so that padding does not matter
          "identity",
          "uniform",     # one map for all channels, not a line
          "parallel",    # one such map but for offsets
          "mixed",       # gamma as trained, beta exact
          "trained"]     # nothing fits


def clamp(value, lo, hi):
    return max(lo, min(hi, value))


def rescale(step, value):
    """RESCALE of one value, as TOSA 1.0 writes it."""
    v, shift = value - step["input_zp"], step["shift"]
    assert -(2 ** (shift - 1)) <= v < 2 ** (shift - 1)
    half = 1 << (shift - 1)
    if step.get("double") and shift > 31:
        half += (1 << 30) if v >= 0 else -(1 << 30)
    result = ((v * step["multiplier"] + half) >> shift) + step["output_zp"]
    assert -(2**31) <= result < 2**31
    return clamp(result, *(tosa.INT8 if step["out"] == "i8" else tosa.INT32))


def combined(steps, value, constant, op):
    """One half of the chain for one code. Neither MUL nor ADD leaves 32 bits here."""
    result = op(rescale(steps[0], value), rescale(steps[1], constant))
    assert -(2**31) <= result < 2**31
    return rescale(steps[2], result)


def mul(a, b):
    return a * b


class Maker:
    """Draws one graph. After `make`: function, inputs (of the call), records (what the library
    is asked), observed (does the caller see the chain's result?), folds_alpha and the table entries that changes."""

    def __init__(self, seed, number):
        self.r = random.Random(f"{seed} {number}")
        self.name = f"graph{number}"
        self.style = STYLES[number % len(STYLES)]
        self.depthwise = self.flip(0.35)

    def flip(self, chance=0.5):
        return self.r.random() < chance

    def as_trained(self):
        return self.style in ("trained", "mixed")

    def zero_point(self):
        return self.r.choice([0, 0, self.r.randint(-20, 20)])

    def step(self, out, input_zp=0, output_zp=0, multiplier=ONE, shift=30, double=False):
        return {"multiplier": multiplier, "shift": shift, "input_zp": input_zp, "output_zp": output_zp, "out": out,
                "double": double}

    def alpha_steps(self):
        alpha, wide = self.r.randint(-128, 127), self.r.randint(2**30, 2**31 - 1)
        return alpha, [self.step("i32", self.zero_point()), self.step("i32", self.r.choice([-128, 0, 5])),
                       self.step("i8", 0, self.zero_point(), wide, self.r.randint(36, 40), self.flip(0.3))]

    def emitted_table(self):
        """256 codes of few values around the zero point, as a saturated function emits them."""
        zp, spread = self.zero_point(), self.r.choice([4, 12, 30])
        if self.as_trained():
            spread = 90
        few = sorted({clamp(zp + self.r.randint(-spread, spread), *tosa.INT8) for _ in range(self.r.choice([3, 8, 40]))})
        grid = 2 if self.style == "whole" else 1  # so that gamma = 1/2 does not round
        few = [clamp(zp + (v - zp) // grid * grid, *tosa.INT8) for v in few]
        return zp, [few[(q + 128) * len(few) // 256] for q in CODES]

    def gamma_half(self, table_zp, channels):
        zp, gamma_zp = self.zero_point(), self.r.choice([-128, 0, 7])
        scale = 31 if self.style == "whole" else self.r.randint(36, 38) if self.as_trained() else 30
        if self.as_trained():
            gamma = [clamp(gamma_zp + self.r.randint(90, 127), *tosa.INT8) for _ in range(channels)]
        elif self.style == "whole":
            gamma = [gamma_zp + self.r.choice([1, 3, 2, -1 if gamma_zp > -128 else 1]) for _ in range(channels)]
        elif self.style == "identity":
            zp, gamma = table_zp, [gamma_zp + 1] * channels
        elif self.style in ("uniform", "parallel"):
            gamma, scale = [gamma_zp + 3] * channels, 31
        elif self.style == "cancelling":
            gamma = [gamma_zp + 1] * channels
        else:
            gamma = [gamma_zp + self.r.choice([0, 1, 1, 2, 1 if gamma_zp == -128 else -1]) for _ in range(channels)]
        wide = self.r.randint(2**30, 2**31 - 1) if self.as_trained() else ONE
        return gamma, [self.step("i32", table_zp), self.step("i32", gamma_zp),
                       self.step("i8", 0, zp, wide, scale, self.flip(0.3))]

    def beta_half(self, in_zp, channels, may_shift):
        """Exact additions but for the trained style; where the border is padded, mostly such as fold there."""
        beta_zp = self.r.choice([-3, 0, 11])
        out_zp = in_zp if self.style == "identity" else self.zero_point()
        if self.style == "trained":
            steps = [self.step("i32", in_zp, 0, self.r.randint(ONE, 2**31 - 1), 11),
                     self.step("i32", beta_zp, 0, self.r.randint(ONE, 2**31 - 1), self.r.randint(11, 17)),
                     self.step("i8", 0, out_zp, self.r.randint(ONE, 2**31 - 1), 51)]
            return [self.r.randint(-128, 127) for _ in range(channels)], steps
        steps = [self.step("i32", in_zp, 0, ONE, 10), self.step("i32", beta_zp, 0, ONE, 10),
                 self.step("i8", 0, out_zp, ONE, 50, self.flip(0.3))]
        if self.style == "identity":
            return [beta_zp] * channels, steps
        if self.style == "cancelling":  # pairs of channels, whose weights are equal: nothing is left of the offsets
            offset = self.r.randint(1, 9)
            return [beta_zp + (offset if c % 2 == 0 else -offset) for c in range(channels)], steps
        if self.style == "uniform":
            return [beta_zp + 2] * channels, steps
        return [beta_zp + (self.r.randint(-9, 9) if may_shift else 0) for _ in range(channels)], steps

    def draw_conv(self, channels, size, input_zp, padded):
        kernel, pad, stride, dilation = [0, 0], [0, 0, 0, 0], [1, 1], [1, 1]
        for a in (0, 1):
            while True:
                kernel[a], stride[a], dilation[a] = self.r.randint(1, 3), self.r.choice([1, 1, 2]), self.r.choice([1, 1, 2])
                pad[2 * a], pad[2 * a + 1] = padded * self.r.choice([0, 1, 2]), padded * self.r.choice([0, 0, 1])
                room = size[a] - 1 + pad[2 * a] + pad[2 * a + 1] - (kernel[a] - 1) * dilation[a]
                if room >= 0 and room % stride[a] == 0:
                    break
        outputs = self.r.randint(1, 2) if self.depthwise else self.r.randint(1, 4)
        shape = [*kernel, channels, outputs] if self.depthwise else [outputs, *kernel, channels]
        count = shape[0] * shape[1] * shape[2] * shape[3]
        weight_zp = self.r.choice([0, 0, 0, 2])
        weight = [self.r.choice([weight_zp, self.r.randint(-40, 40), 2 * self.r.randint(-20, 20)]) for _ in range(count)]
        if self.style == "whole":  # even, so that half of a weight times gamma is one
            weight = [weight_zp + 2 * ((w - weight_zp) // 2) for w in weight]
        if self.style == "cancelling" and not self.depthwise:
            weight = [weight[i - i % channels + (i % channels) // 2] if i % channels < channels // 2 * 2 else weight_zp
                      for i in range(count)]
        total = channels * outputs if self.depthwise else outputs
        bias = [self.r.randint(-1000, 1000) for _ in range(self.r.choice([1, total, total]))]
        return {"weight": weight, "weight_shape": shape, "bias": bias, "input_zp": input_zp, "weight_zp": weight_zp,
                "pad": pad, "stride": stride, "dilation": dilation, "depthwise": self.depthwise}

    def asked_conv(self, conv, size):
        """The convolution as a FOLD_AFFINE line has it: weights [O, KH, KW, I of a group]."""
        weight, shape = conv["weight"], conv["weight_shape"]
        asked = {k: conv[k] for k in ("bias", "input_zp", "pad", "stride", "dilation")}
        groups = 1
        if conv["depthwise"]:
            kh, kw, groups, m = shape
            weight = [weight[tap * groups * m + o] for o in range(groups * m) for tap in range(kh * kw)]
            shape = [groups * m, kh, kw, 1]
        return {**asked, "weight": weight, "weight_shape": shape, "weight_zp": [conv["weight_zp"]],
                "weight_range": [-128, 127], "groups": groups, "input_hw": list(size)}

    def make(self):
        r = self.r
        channels = r.choice([1, 2, 2, 3, 4])
        size = [r.randint(3, 5), r.randint(3, 5)]
        batch = -(-256 // (size[0] * size[1]))  # every channel meets every code
        has_gamma = self.style != "beta"
        has_beta = self.style != "gamma" and (self.style == "beta" or self.flip(0.8))
        f = self.function = tosa.Function(self.name, [((batch, *size, channels), "i8")])
        value = x = f.arguments[0]
        # alpha
        table_zp, table = self.emitted_table()
        self.folds_alpha = self.flip(0.7)
        effective = table
        if self.folds_alpha:
            alpha, steps = self.alpha_steps()
            value = tosa.half(f, value, steps, [alpha], "mul", self.flip())
            effective = [table[combined(steps, q, alpha, mul) + 128] for q in CODES]
        self.changed = sum(a != b for a, b in zip(effective, table))
        value = f.table(value, table)
        # gamma and beta
        last_zp, gamma, beta, named = table_zp, None, None, {}
        if has_gamma:
            gamma, steps = self.gamma_half(table_zp, channels)
            named.update(zip(("table", "gamma", "gamma_out"), steps))
            last_zp = steps[2]["output_zp"]
            value = tosa.half(f, value, steps, gamma, "mul", self.flip())
        padded = self.style not in ("parallel", "mixed") and self.flip(0.8)
        if has_beta:
            beta, steps = self.beta_half(last_zp, channels, not padded or self.flip(0.2))
            named.update(zip(("add_in", "beta", "add_out"), steps))
            last_zp = steps[2]["output_zp"]
            value = tosa.half(f, value, steps, beta, "add", self.flip())
        # what reads it
        self.observed = self.flip(0.1)
        if self.observed:
            f.results.append(value)
        if self.flip(0.15):
            value = f.transpose(value, [0, 2, 1, 3])
            size = size[::-1]
        if self.flip(0.15):
            start = [r.randint(0, 1), r.randint(0, 1)]
            size = [size[a] - start[a] for a in (0, 1)]
            value = f.slice(value, [0, *start, 0], [batch, *size, channels])
        asked = []
        for _ in range(1 if self.flip(0.85) else 2):
            conv = self.draw_conv(channels, size, last_zp, padded)
            f.results.append(self.read_by(value, conv))
            asked.append(self.asked_conv(conv, size))
        self.inputs = [self.every_code(x[1])]
        self.records = [{"op": "PLAN_AFFINE", "table": effective, "table_zp": table_zp, "gamma": gamma, "beta": beta,
                         "rescale": named, "conv": conv} for conv in asked]
        return self

    def read_by(self, value, conv):
        """What stands behind the site: the convolution, whose accumulators are the graph's results."""
        return self.function.conv(value, conv)

    def every_code(self, shape):
        positions, channels = shape[0] * shape[1] * shape[2], shape[3]
        columns = []
        for _ in range(channels):
            column = [*CODES, *(self.r.randint(-128, 127) for _ in range(positions - 256))]
            self.r.shuffle(column)
            columns.append(column)
        return [columns[c][p] for p in range(positions) for c in range(channels)]


class Requantized(Maker):
    """The same with a RESCALE to int8 behind each convolution, mostly one that a bounded fold can change."""

    def read_by(self, value, conv):
        r, sums = self.r, super().read_by(value, conv)
        kind = r.choice(["per channel", "per channel", "per channel", "per tensor", "double", "seen"])
        many = kind in ("per channel", "seen")
        scales = [(r.randint(ONE, 2**31 - 1), r.randint(35, 40)) for _ in range(sums[1][3] if many else 1)]
        multiplier, shift = ([s[i] for s in scales] if many else scales[0][i] for i in (0, 1))
        if kind == "seen":
            self.function.results.append(sums)
        return self.function.rescale(sums, self.step("i8", 0, self.zero_point(), multiplier, shift, kind == "double"))


def make(seed, count, maker=Maker):
    return [maker(seed, number).make() for number in range(count)]
