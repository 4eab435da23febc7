#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""trained_test.py DEMO: what the demo prints of a network that was trained anew.

Its exit status says already that every exact graph gives every logit, and that no bound is exceeded. Here: plain TOSA takes 3 or 4
operators for each layer, 4 at most; with all bounded folds at most one test image fewer is right; and the depthwise convolution's
bound is within one code.
"""
import re
import subprocess
import sys


def main(demo):
    done = subprocess.run([demo], capture_output=True, text=True)
    print(done.stdout, done.stderr)
    if done.returncode != 0:
        sys.exit("the demo fails")
    rows = {m[1].strip(): m for m in re.finditer(r"^(.{26})(?:\d+ of \d+ +|        )(\d+) of (\d+) +(\d+) of (\d+)", done.stdout, re.M)}
    before, exact, near, bounded = (rows[k] for k in ("as quantized", "chains for plain TOSA", "chains within 1 code", "bounded, TABLE alone"))
    wrong = []
    if not before[3] == before[2] == exact[2] == "17970":
        wrong.append(f"logits: {before[2]} as quantized, {exact[2]} planned, of {before[3]}")
    # The plan for plain TOSA of each of the four layers.
    plans = re.findall(r"^dyt\d +10 -> (\d+) .*bytes$", done.stdout, re.M)
    if len(plans) != 4 or max(map(int, plans)) > 4:
        wrong.append(f"operators of plain TOSA: {plans}")
    for row in (near, bounded):
        if int(row[4]) < int(before[4]) - 1:
            wrong.append(f"{row[1].strip()}: {row[4]} test images right, {before[4]} as quantized")
    depthwise = re.search(r"^dyt2 +conv3 +([\d.]+)", done.stdout, re.M)
    if float(depthwise[1]) > 1:
        wrong.append(f"depthwise: {depthwise[1]} codes proven")
    if wrong:
        sys.exit("; ".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
