#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same results from every compiler, set of flags and machine: those in answers.txt.

one_answer.py row PART COMPILER [FLAG...]   a row: results and one part of the functions' tables, built like this
one_answer.py row all COMPILER [FLAG...]    with the tables of every function
one_answer.py write COMPILER [FLAG...]      writes answers.txt anew, after a function or what is fed to it has changed
"""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
ANSWERS = HERE / "answers.txt"
PARTS = 10
sys.path.insert(0, str(ROOT / "tests/support"))
import foreign  # noqa: E402


def printed_by(source, cxx, *flags):
    with tempfile.TemporaryDirectory() as folder:
        built = subprocess.run([cxx, "-std=c++20", f"-I{ROOT}/include", *flags, HERE / source, "-o", f"{folder}/program"],
                               capture_output=True, text=True)
        if built.returncode != 0:
            sys.exit(f"{source}: {built.stderr}")
        done = foreign.start(f"{folder}/program")
    if done.returncode != 0 or not done.stdout.strip():
        sys.exit(f"{source} ends with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout.splitlines()


def answers(parts, cxx, *flags):
    foreign.need_target(cxx, *flags)
    lines = printed_by("one_answer.cpp", cxx, *flags)
    for part in parts:
        lines += printed_by("table_hash.cpp", cxx, *flags, f"-DDYTQ_PARTS={PARTS}", f"-DDYTQ_PART={part}")
    return lines


def row(part, cxx, *flags):
    expected = set(ANSWERS.read_text(encoding="utf-8").splitlines())
    got = answers(range(PARTS) if part == "all" else [part], cxx, *flags)
    other = [line for line in got if line not in expected]
    if other or (part == "all" and len(got) != len(expected)):
        sys.exit(f"{len(got)} answers of {len(expected)}; these are in no line of {ANSWERS.name}:\n" + "\n".join(other))
    print("\n".join(got))


def write(cxx, *flags):
    ANSWERS.write_text("".join(f"{line}\n" for line in answers(range(PARTS), cxx, *flags)), encoding="utf-8")


if __name__ == "__main__":
    checks = {"row": row, "write": write}
    with foreign.skipping():
        checks[sys.argv[1]](*sys.argv[2:])
