#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions per element of the per-channel lookup loops, at -O2, with valgrind.

  lookup_cost.py INCLUDE COMPILER...
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "tests/support"))
import foreign  # noqa: E402

LIMIT = 5.0
SOURCE = pathlib.Path(__file__).with_name("lookup_cost.cpp")
LAYOUTS = ("nhwc", "nchw")


def own_costs(text):
    """Function -> instructions of its own, from callgrind's output; what it calls is not counted."""
    names, costs, current, skip = {}, {}, None, False
    for line in text.splitlines():
        if match := re.match(r"fn=\((\d+)\)(?: (.*))?$", line):
            if match[2]:
                names[match[1]] = match[2]
            current = names[match[1]]
        elif match := re.match(r"cfn=\((\d+)\)(?: (.*))?$", line):
            if match[2]:
                names[match[1]] = match[2]
        elif line.startswith("calls="):
            skip = True  # the next line is the cost of the call
        elif match := re.match(r"[+\-*\d]\S* (\d+)$", line):
            if not skip and current:
                costs[current] = costs.get(current, 0) + int(match[1])
            skip = False
    return costs


def main():
    include, compilers = sys.argv[1], sys.argv[2:]
    failed = False
    with tempfile.TemporaryDirectory(prefix="dytq-lookup-") as folder:
        for compiler in compilers:
            program, counts = f"{folder}/lookup", f"{folder}/counts"
            subprocess.run([compiler, "-std=c++20", "-O2", f"-I{include}", str(SOURCE), "-o", program], check=True)
            done = foreign.valgrind("--tool=callgrind", f"--callgrind-out-file={counts}", program)
            elements = int(done.stdout)
            costs = own_costs(pathlib.Path(counts).read_text())
            for layout in LAYOUTS:
                # The loop itself, inlined or not.
                cost = sum(n for f, n in costs.items() if f"count_{layout}" in f or f"lookup_channels_{layout}" in f)
                cost /= elements
                failed |= not 1 < cost <= LIMIT  # less than one would mean that nothing was measured
                print(f"{layout.upper()} {cost:.2f} instructions per element, at most {LIMIT:.0f}: {compiler}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    with foreign.skipping():
        main()
