#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""unseen_test.py REPLAY VECTORS SEED COUNT: bounded folds of sites that no vector has, against those of the model.

The convolutions have the shapes of the vectors (of every kind); tables, maps, weights and scales are drawn. Each bound is the one that the model
finds for the constants. Exit 1: the model's fold is better in more than one of ten sites, or once by more than 3 %."""
import collections
import copy
import json
import math
import pathlib
import random
import subprocess
import sys
from fractions import Fraction as F

sys.dont_write_bytecode = True
import bounded_model as model
import plan_model

ONE = 1 << 30
CLOSE = F(1, 1 << 10)  # a bound may be stated this much above


def draw(r, shapes):
    conv = copy.deepcopy(r.choice(shapes))
    outputs, inputs = conv["weight_shape"][0], conv["weight_shape"][-1]
    channels = inputs * conv.get("groups", 1)
    wide = r.uniform(0.01, 0.05)
    step = r.choice([1, 1, 1, 40])  # few codes, or all of tanh's
    table = [int(127 * math.tanh(wide * x) / step) * step for x in range(-128, 128)]
    zero = r.choice([0, 0, r.randint(-30, 30)])
    one = {"multiplier": ONE, "shift": 30, "input_zp": 0, "output_zp": 0, "out": "i32", "double": False}
    coarse = {**one, "multiplier": r.randint(ONE, 2**31 - 1), "out": "i8"}
    rescale = {"table": {**one, "multiplier": ONE}, "gamma": one, "gamma_out": {**coarse, "shift": r.randint(36, 37)},
               "add_in": one, "beta": one, "add_out": {**coarse, "shift": r.choice([30, 31, 31]), "output_zp": zero}}
    range_ = r.choice([[-127, 127], [-127, 127], [-128, 127], [-7, 7]])
    most = min(r.choice([7, 40, 127]), range_[1])
    conv.update(weight=[r.choice([r.randint(-most, most), round(r.gauss(0, most / 3))]) for _ in conv["weight"]],
                weight_range=range_, weight_zp=[r.choice([0, 0, 0, r.randint(-2, 2)]) for _ in range(outputs)], input_zp=zero)
    conv["weight"] = [min(max(w, range_[0]), range_[1]) for w in conv["weight"]]
    conv["bias"] = [r.randint(-5000, 5000) for _ in range(outputs)]
    taps = len(conv["weight"]) // outputs
    shift = 37 + max(0, taps.bit_length() // 2)
    return {"op": "FOLD_BOUNDED", "table": table, "table_zp": r.choice([0, r.randint(-9, 9)]),
            "gamma": [r.choice([r.randint(-127, 127), r.randint(20, 127)]) for _ in range(channels)],
            "beta": [r.randint(-60, 60) for _ in range(channels)], "rescale": rescale, "conv": conv,
            "requantize": {"multiplier": [r.randint(ONE, 2**31 - 1) for _ in range(outputs)],
                           "shift": [r.randint(shift - 2, shift + 2) for _ in range(outputs)], "output_zp": 0}}


def kind_of(conv):
    return conv.get("kind") or ("depthwise" if conv.get("groups", 1) > 1 and conv["weight_shape"][-1] == 1 else "conv2d")


def main(replay, vectors, seed, count):
    rows = [json.loads(line) for line in pathlib.Path(vectors).open()]
    shapes = [row["in"]["conv"] for row in rows if "reject" not in row]
    r = random.Random(f"unseen {seed}")
    sites, refused = [], 0
    while len(sites) < int(count):
        site = draw(r, shapes)
        try:
            sites.append((site, model.fold_bounded(site, site["requantize"])))
        except (plan_model.Reject, AssertionError):  # the model has nothing to compare with
            refused += 1
    text = "".join(json.dumps({"in": site}) + "\n" for site, _ in sites)
    answers = subprocess.run([replay], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    ratios, kinds, wrong = [], collections.Counter(), 0
    for (site, found), line in zip(sites, answers, strict=True):
        answer = json.loads(line)
        if "out" not in answer:
            print(f"refused: {line}")
            wrong += 1
            continue
        worst = [max(F(n, 2**s) for n, s in bounds)
                 for bounds in (model.certificate(site, site["requantize"], answer["out"]), found["bound"])]
        kinds[kind_of(site["conv"])] += 1
        ratios.append(worst[0] / worst[1] if worst[1] > CLOSE else F(1) if worst[0] <= worst[1] + CLOSE else F(2))
    ratios.sort()
    better, equal = sum(q < F(999, 1000) for q in ratios), sum(F(999, 1000) <= q <= 1 for q in ratios)
    worse = len(ratios) - better - equal
    print(f"seed {seed}: {len(ratios)} sites ({', '.join(f'{n} {kind}' for kind, n in sorted(kinds.items()))}): {better} better than the model's "
          f"by more than 0.1 %, {equal} as good, {worse} worse; ratios {float(ratios[0]):.3f}, median {float(ratios[len(ratios) // 2]):.4f}, "
          f"worst {float(ratios[-1]):.4f}; {refused} more that the model refuses were drawn")
    return 1 if wrong or worse > len(ratios) / 10 or ratios[-1] > F(103, 100) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
