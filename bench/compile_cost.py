#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What dytq costs to compile, for the programs in bench/compile and for all headers at once.

compile_cost.py check COMPILER         fails where a count is more than 3 % above bench/compile/baseline.json
compile_cost.py instructions COMPILER  the same of the compiler's own instructions, which callgrind counts (minutes)
compile_cost.py baseline COMPILER...   counts, and writes the baseline of these compilers
compile_cost.py times COMPILER...      seconds, which nothing is gated on, as JSON

Counts are those that do not depend on the machine's load: lines of preprocessed text, steps of the costliest constant
expression (g++: operations), instructions. They depend on the compiler and on the standard library, so that a compiler
of another version than the baseline's is skipped, visibly."""
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/support"))
import foreign  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
ALL_HEADERS = pathlib.Path(FOLDER.name) / "all_headers.cpp"  # but for fmt.hpp, which needs another library
ALL_HEADERS.write_text("".join(f"#include <dytq/{h.name}>\n" for h in sorted((ROOT / "include/dytq").glob("*.hpp")) if h.name != "fmt.hpp"))
PROGRAMS = [ALL_HEADERS, *sorted((ROOT / "bench/compile").glob("*.cpp"))]
BASELINE = ROOT / "bench/compile/baseline.json"
GROWTH = 1.03
LIMITS = {"clang": ("-fconstexpr-steps", 1_048_576), "g++": ("-fconstexpr-ops-limit", 33_554_432)}
HAS_CONSTANTS = {"constexpr_fold", "kernel", "one_table", "tables_32"}


def command(cxx, source, *options):
    return [cxx, "-std=c++20", "-O2", f"-I{ROOT / 'include'}", *options, str(source)]


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, **more)


def key(cxx):
    """The compiler and its standard library, by version."""
    macros = dict(re.findall(r"^#define (\w+) (.*)$", run([cxx, "-dM", "-E", "-x", "c++", "-std=c++20", "-include", "cstddef", "/dev/null"]).stdout, re.M))
    name = "clang" if "__clang__" in macros else "g++"
    version = macros["__clang_version__"].strip('"').split()[0] if name == "clang" else macros["__VERSION__"].strip('"')
    return f"{name} {version}, libstdc++ {macros.get('__GLIBCXX__', '-')}"


def lines(cxx, source):
    return run(command(cxx, source, "-E")).stdout.count("\n")


def compiles_within(cxx, source, steps):
    flag, _ = LIMITS["clang" if "clang" in key(cxx) else "g++"]
    return run(command(cxx, source, "-fsyntax-only", f"{flag}={steps}")).returncode == 0


def steps(cxx, source):
    """The least limit with which it compiles, to 0.1 %."""
    low, high = 0, LIMITS["clang" if "clang" in key(cxx) else "g++"][1]
    if not compiles_within(cxx, source, high):
        sys.exit(f"{cxx}: {source} does not compile")
    while high - low > max(high // 1000, 1):
        middle = (low + high) // 2
        low, high = (low, middle) if compiles_within(cxx, source, middle) else (middle, high)
    return high


def instructions(cxx, source):
    return foreign.instructions(*command(cxx, source, "-c", "-o", "/dev/null"))


def counts_instructions(cxx):
    """Those of cc1plus alone: callgrind takes minutes, and a header that costs one compiler more costs the other more."""
    return "clang" not in key(cxx)


def known(cxx):
    baselines = json.loads(BASELINE.read_text())
    if key(cxx) not in baselines:
        raise foreign.NotHere(f"there is no baseline of {key(cxx)}, but of {', '.join(baselines)}")
    return baselines[key(cxx)]


def compare(name, what, was, now, wrong):
    print(f"{name:16} {what:12} {was:>13,} -> {now:>13,}  {now / was - 1:+.2%}")
    if now > was * GROWTH:
        wrong.append(f"{name}: {what} grew by {now / was - 1:.1%}")


def check(cxx):
    wrong, baseline = [], known(cxx)
    for source in PROGRAMS:
        was = baseline[source.stem]
        compare(source.stem, "lines", was["lines"], lines(cxx, source), wrong)
        if "steps" in was:
            # Whether it compiles with 3 % more is all that the gate asks, and one compilation answers it.
            limit = int(was["steps"] * GROWTH)
            fits = compiles_within(cxx, source, limit)
            print(f"{source.stem:16} steps        {was['steps']:>13,}, {'within' if fits else 'beyond'} {limit:,}")
            if not fits:
                wrong.append(f"{source.stem}: more than {limit:,} steps of constant evaluation")
            if was["steps"] > 100 and compiles_within(cxx, source, 10):
                wrong.append(f"{source.stem}: 10 steps are enough, so nothing is counted")
    return wrong


def check_instructions(cxx):
    wrong, baseline = [], known(cxx)
    if not counts_instructions(cxx) or any("instructions" not in baseline[source.stem] for source in PROGRAMS):
        raise foreign.NotHere(f"the baseline of {key(cxx)} has no instructions")
    foreign.need("valgrind")
    for source in PROGRAMS:
        compare(source.stem, "instructions", baseline[source.stem]["instructions"], instructions(cxx, source), wrong)
    return wrong


def make_baseline(*compilers):
    baselines = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    for cxx in compilers:
        counts = baselines[key(cxx)] = {}
        for source in PROGRAMS:
            counts[source.stem] = {"lines": lines(cxx, source)}
            if source.stem in HAS_CONSTANTS:
                counts[source.stem]["steps"] = steps(cxx, source)
            if counts_instructions(cxx):
                counts[source.stem]["instructions"] = instructions(cxx, source)
            print(key(cxx), source.stem, counts[source.stem], flush=True)
        BASELINE.write_text(json.dumps(baselines, indent=1, sort_keys=True) + "\n")
    return []


def times(*compilers):
    """User time of one compilation, the least of three, beside that of <array> alone."""
    seconds = {}
    for cxx in compilers:
        of_compiler = seconds[key(cxx)] = {}
        for name, arguments in [("array", [cxx, "-std=c++20", "-O2", "-c", "-o", "/dev/null", "-include", "array", "-x", "c++", "/dev/null"])] + [
                (p.stem, command(cxx, p, "-c", "-o", "/dev/null")) for p in PROGRAMS]:
            best = 1e9
            for _ in range(3):
                before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
                subprocess.run(arguments, check=True)
                best = min(best, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
            of_compiler[name] = round(best, 3)
    print(json.dumps(seconds, indent=1))
    return []


if __name__ == "__main__":
    what, *compilers = sys.argv[1:]
    with foreign.skipping():
        wrong = {"check": check, "instructions": check_instructions, "baseline": make_baseline, "times": times}[what](*compilers)
    if wrong:
        sys.exit("\n".join(wrong) + "\nIf that is worth its price: bench/compile_cost.py baseline <compiler>")
