#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions of the folds' inner work at -O2, counted by valgrind, and their stack: speed_checks.py CHECK COMPILER

CHECK is one of the functions that the last lines list: `stack`, or `instructions`, which builds one program for what the others count.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/support"))
import foreign  # noqa: E402
WORK = pathlib.Path(__file__).resolve().parent / "work.cpp"

# Instructions of a fold, proof and writing, of those of the naive loop at most.
WEIGHTS = {"ohwi_integers": 0.15, "oihw_integers": 0.15, "ohwi_halves": 0.3, "ohwi_zps": 0.6, "ohwi_offset": 0.3, "hwim_integers": 0.65}
GROWTH = 1.1  # of the instructions for each weight, from 2^16 to 2^21 weights
STACK = 32 * 1024
STACK_OF_PLANS = {"plan": 72 * 1024, "apply": 40 * 1024}
REJECTED = 0.02  # of the walk over all codes, at most
ON_A_LINE = 0.06  # the same
LINES = {"fit_line": (73000, 92000), "fit_near": (275000, 320000), "fit_bent": (63000, 78000)}  # instructions for 256 codes
# Instructions a channel of a layer's ten operators: for plain TOSA, within one code, with tables, these within one code.
PLANS = {"plan_tosa": (82000, 88000), "plan_near": (325000, 360000), "plan_tables": (106000, 106000), "plan_near_tables": (265000, 265000)}
BOUNDED = (40000, 40000)  # instructions a weight of a short sum, which takes the most


def program(cxx, folder, *flags):
    built = subprocess.run([cxx, "-std=c++20", "-O2", *flags, f"-I{ROOT}/include", str(WORK), "-o", f"{folder}/work"],
                           capture_output=True, text=True)
    if built.returncode != 0:
        sys.exit(built.stderr)
    return f"{folder}/work"


def instructions(work, kind, *size, times=1):
    """Of one time of the work."""
    def count(n):
        return foreign.instructions(work, kind, n, *size)
    return (count(times) - count(0)) / times


def report(wrong, what, value, bar, at_least=False):
    print(f"{what}: {value:.3f}, {'at least' if at_least else 'at most'} {bar}", flush=True)
    if (value < bar) if at_least else not 0 < value <= bar:
        wrong.append(what)


def size_of(kind):
    return (1024, 1) if "hwim" in kind else (256, 128)


def weights(cxx, work):
    """Each layout within its bar beside the naive loop, and as many instructions a weight for many as for few."""
    wrong = []
    for kind, bar in WEIGHTS.items():
        fold, naive = (instructions(work, f"{who}_{kind}", *size_of(kind)) for who in ("fold", "naive"))
        report(wrong, f"{kind}, of the naive loop", fold / naive, bar)
    few, many = (instructions(work, "fold_ohwi_integers", o, 256) / (o * 9 * 256) for o in (64, 1024))
    report(wrong, "1024 outputs of 64, a weight", many / few, GROWTH)
    return wrong


def stack(cxx):
    """What folds and plans take of the stack, painted before they run."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for level in ("-O0", "-O2"):
            command = [cxx, "-std=c++20", level, f"-I{ROOT}/include", str(WORK.parent / "stack.cpp"), "-o", f"{folder}/stack"]
            subprocess.run(command, check=True)
            said = subprocess.run([f"{folder}/stack"], capture_output=True, text=True, check=True).stdout
            for name, used in re.findall(r"(\w+): (\d+)", said):
                report(wrong, f"{level}: {name}, bytes", int(used), STACK_OF_PLANS.get(name, STACK))
    return wrong


def channels(_, work):
    """A channel that is no line costs little of the walk over all its codes, and one that is a line not all of it."""
    wrong = []
    walk = instructions(work, "channel_walk", times=100)
    for kind, bar in {"middle": REJECTED, "end": REJECTED, "line": ON_A_LINE}.items():
        part = instructions(work, f"channel_{kind}", times=100) / walk
        report(wrong, f"channel_{kind}, of the walk's {walk:.0f}", part, bar)
    return wrong


def lines(cxx, work):
    """A line of 256 codes, one within a tolerance, and a proof that there is none."""
    wrong = []
    for kind, bars in LINES.items():
        report(wrong, f"{kind}, a channel", instructions(work, kind, times=20), bars["clang" in cxx])
    return wrong


def plans(cxx, work):
    """A plan, each channel, and as many instructions a channel for many as for few."""
    wrong = []
    for kind, bars in PLANS.items():
        report(wrong, f"{kind}, a channel", instructions(work, kind, 64) / 64, bars["clang" in cxx])
    few, many = (instructions(work, "plan_near", n) / n for n in (32, 128))
    report(wrong, "128 channels of 32, a channel", many / few, GROWTH)
    return wrong


def bounded(cxx, work):
    """A bounded fold, each weight, and as many instructions a weight for many outputs as for few."""
    wrong = []
    few, many = (instructions(work, "bounded", o, 16) / (o * 9 * 16) for o in (4, 16))
    report(wrong, "bounded, a weight", few, BOUNDED["clang" in cxx])
    report(wrong, "16 outputs of 4, a weight", many / few, GROWTH)
    return wrong


def memory(_, work):
    """A fold, and a plan, allocate nothing: as many allocations as without it."""
    wrong = []
    for kind in ["fold_ohwi_offset", "fold_oihw_offset", "fold_hwim_offset", "plan_near", "plan_near_tables", "bounded"]:
        none, one = (re.search(r"total heap usage: ([\d,]+) allocs", foreign.valgrind(work, kind, times).stderr)[1] for times in (0, 1))
        print(f"{kind}: {one} allocations, without the fold {none}", flush=True)
        if none != one:
            wrong.append(kind)
    return wrong


def count(cxx):
    """All that is counted by instructions or allocations."""
    with tempfile.TemporaryDirectory() as folder:
        work = program(cxx, folder)
        return [what for check in (weights, channels, lines, plans, bounded, memory) for what in check(cxx, work)]


if __name__ == "__main__":
    with foreign.skipping():
        if too_much := {"instructions": count, "stack": stack}[sys.argv[1]](sys.argv[2]):
            sys.exit(f"{sys.argv[2]}: too much: {too_much}")
