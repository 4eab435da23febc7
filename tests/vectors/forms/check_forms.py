#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges answers to FIT_LINE, PLAN_CHAIN and FOLD_BOUNDED (../FORMS.md): check_forms.py VECTORS ANSWERS. Exit 1 if any answer is wrong.

Constants are not compared with the vector's: any that do what they claim are right. What is judged is the claim."""
import json
import sys
from fractions import Fraction as F
import bounded_model as B
import chain_model as K
import line_model as LM
import plan_model as P

SLACK = F(103, 100)      # a bound may be this much above the vector's (which is one good fold's, not the best)


def judge_line(q, vec, a):
    if vec["exists"] is False:
        return "" if "reject" in a else "a line where there is none"
    if "reject" in a:
        return "no line found, but one exists"
    o = a["out"]
    wr = q.get("weight_range", [-127, 127])
    if not wr[0] <= o["weight"] <= wr[1] or not -(1 << 31) <= o["bias"] < 1 << 31 or not 0 <= o["multiplier"] < 1 << 31 or not 2 <= o["shift"] <= 62:
        return "a constant outside its range"
    got = [LM.evaluate(x, q["input_zp"], q["output_zp"], o["weight"], o["bias"], o["multiplier"], o["shift"]) for x in q["codes"]]
    d = [abs(g - v) for g, v in zip(got, q["values"])]
    if max(d) > q.get("tolerance", 0):
        return f"{max(d)} codes off"
    if o.get("max_difference", 0) != max(d) or o.get("differ", 0) != sum(1 for v in d if v):
        return "max_difference or differ is not what the constants do"
    return ""


def judge_bounded(q, vec, a):
    if "reject" in vec:
        return "" if "reject" in a else "a fold where the site is refused"
    ref = [F(n, 2 ** s) for n, s in vec["reference_bound"]]
    low = [F(n, 2 ** s) for n, s in vec["lower_bound"]]            # rounded down
    t = q.get("tolerance")
    if "reject" in a:
        return "" if t is not None and max(ref) > t else "refused, but a fold within the tolerance exists"
    o = a["out"]
    try:
        true = B.certificate(q, q["requantize"], o)
    except (P.Reject, AssertionError) as e:
        return f"not legal: {e}"
    for i, (n, s) in enumerate(true):
        claimed = F(o["bound"][i][0], 2 ** o["bound"][i][1])
        if claimed < F(n, 2 ** s):
            return f"channel {i}: claims {float(claimed):.6f}, is {n / 2 ** s:.6f}"
        if claimed > F(n, 2 ** s) + F(1, 1 << 10):
            return f"channel {i}: the bound is not tight: claims {float(claimed):.6f}, is {n / 2 ** s:.6f}"
        lb = F(o["lower_bound"][i][0], 2 ** o["lower_bound"][i][1])
        if lb > F(n, 2 ** s) or not low[i] - F(1, 1 << 10) <= lb <= low[i] + F(1, 1 << 10):
            return f"channel {i}: lower bound {float(lb):.6f}, is {float(low[i]):.6f}"
        if t is not None and F(n, 2 ** s) > t:
            return f"channel {i}: beyond the tolerance"
    worst = max(F(n, 2 ** s) for n, s in true)
    if worst > max(ref) * SLACK + F(1, 1 << 10):
        return f"worst bound {float(worst):.4f}, a fold with {float(max(ref)):.4f} exists"
    return ""


def main(vectors, answers):
    bad = n = 0
    for line, got in zip(open(vectors), open(answers)):
        vec, a = json.loads(line), json.loads(got)
        n += 1
        if "out" not in a and "reject" not in a:
            a = {"reject": "neither out nor reject"}
        why = {"FIT_LINE": judge_line, "PLAN_CHAIN": K.judge, "FOLD_BOUNDED": judge_bounded}[vec["in"]["op"]](vec["in"], vec, a)
        if why:
            bad += 1
            if bad <= 5:
                print(f"line {n}: {why}")
    left = sum(1 for _ in open(vectors)) - n
    print(f"{n - bad} of {n} right" + (f", {left} not answered" if left else ""))
    return 1 if bad or left else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
