#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which lines of the headers, and which outcomes of their conditions, does no test reach at run time?

  run.py            builds the tests in build/coverage, runs them, prints a line for each header and every outcome of a
                    condition that nothing reached; exit status 1 if unreached.txt does not explain one, or explains too much
  run.py --check    only that the list is in order: each text occurs once. Takes no time; an ordinary test.

clang's source-based coverage: a condition is an operand of && and ||, or what decides an if, a loop, a ?: or a case, as
it is written; template instances are merged. Conditions that are constants in every instance have no outcomes. A function
that never runs is one more outcome, "it runs is true", at its first line. Templates that no test names are not seen.
Needs clang++-19, llvm-profdata-19 and llvm-cov-19 (or CXX, LLVM_PROFDATA and LLVM_COV), and MPFR.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/support"))
import foreign  # noqa: E402

HEADERS = ROOT / "include/dytq"
LIST = pathlib.Path(__file__).with_name("unreached.txt")
BUILD = ROOT / "build/coverage"
CXX, PROFDATA, COV = (os.environ.get(name, tool + "-19") for name, tool in
                      (("CXX", "clang++"), ("LLVM_PROFDATA", "llvm-profdata"), ("LLVM_COV", "llvm-cov")))
JOBS = os.environ.get("JOBS", str(os.cpu_count()))
KINDS = "^(unit|vectors|replay|property|tables|soundness|hostile|fuzz)$"  # labels, as in CMakeLists.txt here
UNLESS = "^(long|compiler|oracle)$"

# One outcome of a condition that begins in a line, by its number.
Outcome = collections.namedtuple("Outcome", "file line condition value")


def joined(text):
    return " ".join(text.split())


def source_of(file):
    path = HEADERS / file
    return [joined(line) for line in path.read_text().splitlines()] if path.exists() else []


def told(outcome):
    return f"{outcome.file}:{outcome.line}: {source_of(outcome.file)[outcome.line - 1]}\n    never: {outcome.condition} is {outcome.value}"


def read_list():
    """The outcomes that are explained, and what is wrong with the list itself. It names lines by their text, so that it
    outlives other changes of a header."""
    outcomes, faults = [], []
    text = re.sub(r"^#.*\n", "", LIST.read_text(), flags=re.M)
    for block in filter(str.strip, re.split(r"\n\s*\n", text)):
        fields = re.findall(r"^(file|line|never|why): *(.*)$", block, flags=re.M)
        names = [name for name, _ in fields]
        if names[0] != "file" or names[-1] != "why" or "never" not in names or len(fields) != len(block.strip().splitlines()):
            faults.append(f"a block needs its file, lines with what never happens there, and why:\n{block}")
            continue
        file, source, lines, number = fields[0][1], source_of(fields[0][1]), [], 0
        for (name, value), before in zip(fields[1:], names):
            if name == "line":
                lines = [*lines, joined(value)] if before == "line" else [joined(value)]
                places = [n for n in range(len(source)) if source[n : n + len(lines)] == lines]
                number = places[0] + len(lines) if len(places) == 1 else 0
            elif name == "never":
                if number == 0:
                    faults.append(f"{file}: not at one place: {' '.join(lines)}")
                condition, _, outcome = value.rpartition(" is ")
                if not condition or outcome not in ("true", "false"):
                    faults.append(f"{file}: not `never: condition is true|false`: {value}")
                outcomes.append(Outcome(file, number, joined(condition), outcome))
    faults += [f"{file}: explained twice" for file, n in collections.Counter(outcomes).items() if n > 1]
    return outcomes, faults


def command(*arguments, **options):
    return subprocess.run([str(a) for a in arguments], check=True, **options)


def programs():
    tests = json.loads(command("ctest", "--test-dir", BUILD, "--show-only=json-v1", "-L", KINDS, "-LE", UNLESS,
                               stdout=subprocess.PIPE).stdout)["tests"]
    return sorted({t["command"][0] for t in tests if str(BUILD) in t["command"][0]})


def build_and_run():
    """Builds, runs, and gives the merged profile."""
    # The compile-time half of the tests would cost the most and count for nothing. The counters are in the file while
    # a program runs, so that what ends in a trap counts too.
    flags = "-O0 -fprofile-instr-generate -fcoverage-mapping -mllvm -runtime-counter-relocation -w"
    command("cmake", "-S", ROOT, "-B", BUILD, "-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_CXX_COMPILER={CXX}",
            "-DDYTQ_BUILD_BENCH=OFF", f"-DCMAKE_CXX_FLAGS={flags}", "-DDYTQ_TEST_OPTIONS=-Dstatic_assert(...)=", stdout=subprocess.DEVNULL)
    log = BUILD / "build.log"
    with open(log, "w", encoding="utf-8") as out:
        built = subprocess.run(["cmake", "--build", BUILD, "--parallel", JOBS, "--target", "dytq_coverage_tests"], stdout=out, stderr=out)
    if built.returncode != 0:
        sys.exit(f"it does not build: {log}")
    profiles = BUILD / "profiles"
    profiles.mkdir(exist_ok=True)
    for old in profiles.glob("*.profraw"):
        old.unlink()
    ran = subprocess.run(["ctest", "--test-dir", BUILD, "--parallel", JOBS, "--output-on-failure", "-L", KINDS,
                          "-LE", UNLESS], env={**os.environ, "LLVM_PROFILE_FILE": f"{profiles}/%p%c.profraw", "RC_PARAMS": "seed=1"},
                         stdout=subprocess.PIPE, text=True)
    print("\n".join(ran.stdout.splitlines()[-4:]))
    if ran.returncode != 0:
        print("some tests fail: what they reach counts all the same")
    profile = BUILD / "coverage.profdata"
    command(PROFDATA, "merge", "--failure-mode=warn", "-o", profile, *profiles.glob("*.profraw"))
    return profile


def read_lines(segments, hits):
    """Adds what llvm-cov's segments (line, column, count, has a count, begins a region, is a gap) say of each line."""
    at = 0
    wrapped = None  # the last segment of earlier lines
    for line in range(segments[0][0], segments[-1][0] + 1) if segments else []:
        here = []
        while at < len(segments) and segments[at][0] == line:
            here.append(segments[at])
            at += 1
        counts = [s[2] for s in here if s[3] and s[4] and not s[5]]
        if wrapped and wrapped[3] and not (here and here[0][4] and not here[0][3]):
            counts.append(wrapped[2])
        if counts:
            hits[line] = max(hits.get(line, 0), *counts)
        wrapped = here[-1] if here else wrapped


def read_branches(function, seen):
    """Adds to seen[file][place] the outcomes that the function's conditions had: True, False, or "constant"."""
    for branch in function["branches"]:
        place, file = tuple(branch[:4]), function["filenames"][branch[6]]
        outcomes = seen[file].setdefault(place, set())
        begin = place[:2]
        around = [r for r in function["regions"] if r[7] == 0 and r[5] == branch[6] and tuple(r[:2]) <= begin < tuple(r[2:4])]
        entered = min(around, key=lambda r: (r[2] - r[0], r[3] - r[1]))[4] if around else 0
        outcomes |= {value for value, count in ((True, branch[4]), (False, branch[5])) if count}
        if entered and not branch[4] and not branch[5]:
            outcomes.add("constant")


def measure(profile):
    lines = collections.defaultdict(dict)  # of a file: line -> how often
    branches = collections.defaultdict(dict)  # of a file: place of a condition -> outcomes
    functions = collections.defaultdict(dict)  # of a file: where a function ends -> its first line, how often it ran
    for program in programs():
        exported = command(COV, "export", program, f"--instr-profile={profile}", HEADERS,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        data = json.loads(exported)["data"][0]
        for file in data["files"]:
            read_lines(file["segments"], lines[file["filename"]])
        for function in data["functions"]:
            read_branches(function, branches)
            # By its end: a program that does not use a constructor knows nothing of what it initializes before its body.
            ran, end = functions[function["filenames"][0]], max(tuple(r[2:4]) for r in function["regions"] if r[5] == 0)
            first, count = ran.get(end, (function["regions"][0][0], 0))
            ran[end] = min(first, function["regions"][0][0]), count + function["count"]
    return lines, branches, functions


def text_of(source, place):
    """The condition as it is written."""
    first, begin, last, end = place
    rows = source[first - 1 : last]
    rows[-1] = rows[-1][: end - 1]
    rows[0] = rows[0][begin - 1 :]
    switch = "no case of " if source[first - 1][: begin - 1].endswith("switch (") else ""
    return switch + joined("\n".join(rows))


def outcomes_of(header, branches, functions):
    """Each outcome that a test could reach, and was it reached."""
    source = header.read_text().splitlines()
    found = {}
    for place, outcomes in branches.items():
        condition = text_of(source, place)
        if outcomes == {"constant"} or source[place[0] - 1].endswith("= default;"):
            continue
        one = re.match(r"(case|default|no case of)\b", condition)
        for value in (True,) if one else (True, False):
            outcome = Outcome(header.name, place[0], condition, str(value).lower())
            found[outcome] = found.get(outcome, True) and value in outcomes
    for first, count in functions.values():
        if count == 0 and not source[first - 1].endswith("= default;"):
            found[Outcome(header.name, first, "it runs", "true")] = False
    return found


def report(profile):
    lines, branches, functions = measure(profile)
    explained, faults = read_list()
    found, idle, totals = {}, [], [0, 0, 0, 0]
    print(f"{'header':24} {'lines':>6} {'run':>6} {'':>7} {'outcomes':>9} {'met':>6}")
    for header in sorted(HEADERS.glob("*.hpp")):
        source = header.read_text().splitlines()
        # llvm-cov counts a comment that follows a return as a line.
        hits = {n: hit for n, hit in lines[str(header)].items() if source[n - 1].strip() and not source[n - 1].strip().startswith("//")}
        idle += [f"{header.name}:{n}: {source[n - 1].strip()}" for n, hit in sorted(hits.items()) if not hit]
        here = outcomes_of(header, branches[str(header)], functions[str(header)])
        found.update(here)
        counts = len(hits), sum(1 for n in hits.values() if n), len(here), sum(here.values())
        totals = [a + b for a, b in zip(totals, counts)]
        print_row(header.name, counts)
    print_row("all", totals)
    print(f"\nLines that did not run: {len(idle)}")
    print("".join(f"  {row}\n" for row in idle))
    unreached = {outcome for outcome, met in found.items() if not met}
    unexplained = unreached - set(explained)
    print(f"Outcomes that nothing reached: {len(unreached)}, of which {len(unreached) - len(unexplained)} are explained.")
    for o in sorted(unexplained):
        print(f"not explained: {told(o)}")
    for o in explained:
        if o.line and o not in unreached:
            faults.append(f"explained, but {'reached' if o in found else 'there is no such outcome'}: {told(o)}")
    print("\n".join(faults))
    return 1 if unexplained or faults else 0


def print_row(name, counts):
    def percent(part, whole):
        return f"{100 * part / whole:6.1f}%" if whole else f"{'-':>7}"
    total, ran, outcomes, met = counts
    print(f"{name:24} {total:6} {ran:6} {percent(ran, total)} {outcomes:9} {met:6} {percent(met, outcomes)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        faults = read_list()[1]
        print("\n".join(faults) or "each text occurs once")
        return 1 if faults else 0
    foreign.need(CXX, PROFDATA, COV)
    return report(build_and_run())


if __name__ == "__main__":
    with foreign.skipping():
        sys.exit(main())
