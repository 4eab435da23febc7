#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions of the folds' inner work at -O2, counted by valgrind, and their stack: speed_checks.py CHECK COMPILER

CHECK is `stack` or `instructions`.
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
CHANNELS = {"middle": 0.02, "end": 0.02, "line": 0.06}  # of the walk over all codes, at most; rejected, rejected, on a line
LINES = {"fit_line": (50000, 64500), "fit_near": (248000, 281000), "fit_bent": (38700, 49800)}  # instructions for 256 codes
# Instructions a channel of a layer's ten operators: for plain TOSA, within one code, with tables, these within one code.
PLANS = {"plan_tosa": (82000, 88000), "plan_near": (325000, 360000), "plan_tables": (106000, 106000), "plan_near_tables": (265000, 265000)}
BOUNDED = (40000, 40000)  # instructions a weight of a short sum, which takes the most


def program(cxx, folder, *flags):
    built = subprocess.run([cxx, "-std=c++20", "-O2", *flags, f"-I{ROOT}/include", str(WORK), "-o", f"{folder}/work"],
                           capture_output=True, text=True)
    if built.returncode != 0:
        sys.exit(built.stderr)
    return f"{folder}/work"


def counts(work, jobs):
    """{job: instructions of its work}, all in one run: callgrind writes a file each time that `measured` ends."""
    with tempfile.TemporaryDirectory() as folder:
        foreign.valgrind("--tool=callgrind", "--toggle-collect=*::counted(*", "--dump-after=*::measured(*",
                         f"--callgrind-out-file={folder}/counts", work, *map(of, jobs))
        return {job: int(re.search(r"^totals: (\d+)", pathlib.Path(f"{folder}/counts.{n}").read_text(), re.M)[1])
                for n, job in enumerate(jobs, 1)}


def allocations(work, jobs):
    """{job: how often its work allocates}, all in one run: each call is a line of valgrind's, between those of the program."""
    said = foreign.valgrind("--trace-malloc=yes", work, *map(of, jobs)).stderr
    if "malloc" not in said[:said.index("begin\n")]:
        sys.exit(f"valgrind tells no allocation: {said[:2000]}")
    return {job: len(re.findall(r"^--\d+-- (?!free|_ZdlPv|_ZdaPv)", part, re.M))
            for job, part in zip(jobs, re.findall(r"^begin\n(.*?)^end\n", said, re.M | re.S), strict=True)}


def report(wrong, what, value, bar, at_least=False):
    print(f"{what}: {value:.3f}, {'at least' if at_least else 'at most'} {bar}", flush=True)
    if (value < bar) if at_least else not 0 < value <= bar:
        wrong.append(what)


def of(job):
    """What the program calls it: the kind of work, how often, and the sizes."""
    return ",".join(map(str, job))


def layer(kind, outputs=256, inputs=128):
    return (kind, 1, *((1024, 1) if "hwim" in kind else (outputs, inputs)))


FEW, MANY = (layer("fold_ohwi_integers", outputs, 256) for outputs in (64, 1024))
PLAN_FEW, PLAN_MANY = ("plan_near", 1, 32), ("plan_near", 1, 128)
BOUNDED_FEW, BOUNDED_MANY = ("bounded", 1, 4, 16), ("bounded", 1, 16, 16)
JOBS = [*(layer(f"{who}_{kind}") for kind in WEIGHTS for who in ("fold", "naive")), FEW, MANY,
        *((f"channel_{kind}", 100) for kind in ("walk", *CHANNELS)), *((kind, 20) for kind in LINES),
        *((kind, 1, 64) for kind in PLANS), PLAN_FEW, PLAN_MANY, BOUNDED_FEW, BOUNDED_MANY]
ALLOCATING = [*(layer(f"fold_{layout}_offset", 64) for layout in ("ohwi", "oihw", "hwim")), *((kind, 1, 64) for kind in ("plan_near", "plan_near_tables")),
              BOUNDED_MANY]


def weights(taken, wrong, clang):
    """Each layout within its bar beside the naive loop, and as many instructions a weight for many as for few."""
    for kind, bar in WEIGHTS.items():
        report(wrong, f"{kind}, of the naive loop", taken[layer(f"fold_{kind}")] / taken[layer(f"naive_{kind}")], bar)
    report(wrong, "1024 outputs of 64, a weight", taken[MANY] / taken[FEW] * 64 / 1024, GROWTH)


def channels(taken, wrong, clang):
    """A channel that is no line costs little of the walk over all its codes, and one that is a line not all of it."""
    for kind, bar in CHANNELS.items():
        report(wrong, f"channel_{kind}, of the walk", taken[f"channel_{kind}", 100] / taken["channel_walk", 100], bar)


def lines(taken, wrong, clang):
    """A line of 256 codes, one within a tolerance, and a proof that there is none."""
    for kind, bars in LINES.items():
        report(wrong, f"{kind}, a channel", taken[kind, 20] / 20, bars[clang])


def plans(taken, wrong, clang):
    """A plan, each channel, and as many instructions a channel for many as for few."""
    for kind, bars in PLANS.items():
        report(wrong, f"{kind}, a channel", taken[kind, 1, 64] / 64, bars[clang])
    report(wrong, "128 channels of 32, a channel", taken[PLAN_MANY] / taken[PLAN_FEW] / 4, GROWTH)


def bounded(taken, wrong, clang):
    """A bounded fold, each weight, and as many instructions a weight for many outputs as for few."""
    report(wrong, "bounded, a weight", taken[BOUNDED_FEW] / (4 * 9 * 16), BOUNDED[clang])
    report(wrong, "16 outputs of 4, a weight", taken[BOUNDED_MANY] / taken[BOUNDED_FEW] / 4, GROWTH)


def instructions(cxx):
    """All that is counted by instructions; and that folds and plans allocate nothing."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        work = program(cxx, folder)
        taken = counts(work, JOBS)
        for check in (weights, channels, lines, plans, bounded):
            check(taken, wrong, "clang" in cxx)
        for job, times in allocations(work, ALLOCATING).items():
            print(f"{job[0]}: {times} allocations", flush=True)
            wrong += [f"{job[0]} allocates"] * (times != 0)
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


if __name__ == "__main__":
    with foreign.skipping():
        if too_much := {"instructions": instructions, "stack": stack}[sys.argv[1]](sys.argv[2]):
            sys.exit(f"{sys.argv[2]}: too much: {too_much}")
