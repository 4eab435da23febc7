#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions of the folds' inner work at -O2, counted by valgrind: speed_checks.py CHECK COMPILER...

CHECK is one of the functions that the last lines list.
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

# Instructions for each weight at most: of g++, of clang.
WEIGHTS = {
    "ohwi_plain": (0.25, 0.25), "ohwi_plain_here": (0.15, 0.15), "ohwi_mixed": (1.95, 1.8), "ohwi_offset": (2.9, 4.3),
    "oihw_plain": (0.25, 0.25), "oihw_plain_here": (0.15, 0.15), "oihw_mixed": (1.95, 1.8), "oihw_offset": (3, 4.3),
    "hwim_plain": (0.8, 0.8), "hwim_plain_here": (0.7, 0.7), "hwim_mixed": (2.7, 2.45), "hwim_offset": (5.7, 5.5),
    "ohwi_shifted": (2.85, 2.45), "hwim_shifted": (3.85, 3.25),
    "hwm8_mixed": (2.75, 2.5), "hwm8_offset": (6.7, 6.7), "hwm4_mixed": (3.1, 2.9), "hwm2_mixed": (3.9, 3.8), "hwm2_offset": (10.9, 11.1),
    "hwio_mixed": (3.6, 3.5), "hwio_offset": (6.1, 6.2),
}
LAYOUTS = ["ohwi", "oihw", "hwim", "hwm8"]
OF_THE_BEST = 1.5  # times the best of them at most, for several slopes
NAIVE = 5  # the loop that a reader would write first takes this many times the instructions of ohwi_mixed, or more
GROWTH = 1.1  # of the instructions for each weight, from 2^16 to 2^22 weights
REJECTED = 0.02  # of the walk over all codes, at most
ON_A_LINE = 0.06  # the same
LINES = {"fit_line": (73000, 92000), "fit_near": (340000, 350000), "fit_bent": (63000, 78000)}  # instructions for 256 codes


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


def weights(*compilers):
    """Each layout within its bar, far from the naive loop, and as many instructions a weight for many as for few."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for cxx in compilers:
            work = program(cxx, folder)
            cost = {}
            for kind, bars in WEIGHTS.items():
                cost[kind] = instructions(work, kind, 256, 256) / (256 * 9 * 256)
                report(wrong, f"{cxx}: {kind}, a weight", cost[kind], bars["clang" in cxx])
            mixed = [cost[f"{layout}_mixed"] for layout in LAYOUTS]
            report(wrong, f"{cxx}: {LAYOUTS}, the worst of the best", max(mixed) / min(mixed), OF_THE_BEST)
            naive = instructions(work, "naive", 256, 256) / (256 * 9 * 256)
            report(wrong, f"{cxx}: naive, of ohwi_mixed", naive / cost["ohwi_mixed"], NAIVE, at_least=True)
            for layout in LAYOUTS:
                few, many = (instructions(work, f"{layout}_mixed", o, 256) / (o * 9 * 256) for o in (32, 2048))
                report(wrong, f"{cxx}: {layout}, 2048 outputs of 32", many / few, GROWTH)
    if wrong:
        sys.exit(f"too slow: {wrong}")


def channels(*compilers):
    """A channel that is no line costs little of the walk over all its codes, and one that is a line not all of it."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for cxx in compilers:
            work = program(cxx, folder)
            walk = instructions(work, "channel_walk", times=100)
            for kind, bar in {"middle": REJECTED, "end": REJECTED, "line": ON_A_LINE}.items():
                part = instructions(work, f"channel_{kind}", times=100) / walk
                report(wrong, f"{cxx}: channel_{kind}, of the walk's {walk:.0f}", part, bar)
    if wrong:
        sys.exit(f"too slow: {wrong}")


def lines(*compilers):
    """A line of 256 codes, one within a tolerance, and a proof that there is none."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for cxx in compilers:
            work = program(cxx, folder)
            for kind, bars in LINES.items():
                report(wrong, f"{cxx}: {kind}, a channel", instructions(work, kind, times=20), bars["clang" in cxx])
    if wrong:
        sys.exit(f"too slow: {wrong}")


def memory(cxx, *_):
    """A fold allocates nothing: as many allocations as without it."""
    with tempfile.TemporaryDirectory() as folder:
        work = program(cxx, folder)
        for kind in ["ohwi_offset", "oihw_offset", "hwim_offset"]:
            none, one = (re.search(r"total heap usage: ([\d,]+) allocs", foreign.valgrind(work, kind, times).stderr)[1] for times in (0, 1))
            print(f"{kind}: {one} allocations, without the fold {none}", flush=True)
            if none != one:
                sys.exit("a fold allocates")


if __name__ == "__main__":
    checks = {f.__name__: f for f in (weights, channels, lines, memory)}
    with foreign.skipping():
        checks[sys.argv[1]](*sys.argv[2:])
