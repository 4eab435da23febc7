#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same results from every compiler, set of flags and machine.

one_answer.py first ANSWERS COMPILER [FLAG...]  writes what the programs print to the file ANSWERS
one_answer.py same ANSWERS COMPILER [FLAG...]   a row: they print the same when built like this
"""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
import foreign  # noqa: E402


def answers(cxx, *flags):
    foreign.need_target(cxx, *flags)
    printed = ""
    for source in sorted(HERE.glob("*.cpp")):
        with tempfile.TemporaryDirectory() as folder:
            built = subprocess.run([cxx, "-std=c++20", f"-I{ROOT}/include", *flags, source, "-o", f"{folder}/program"],
                                   capture_output=True, text=True)
            if built.returncode != 0:
                sys.exit(f"{source.name}: {built.stderr}")
            done = foreign.start(f"{folder}/program")
        if done.returncode != 0 or not done.stdout.strip():
            sys.exit(f"{source.name} ends with {done.returncode}: {done.stdout}{done.stderr}")
        printed += f"{source.stem} {done.stdout}"
    return printed


def first(file, cxx, *flags):
    pathlib.Path(file).write_text(answers(cxx, "-O0", *flags), encoding="utf-8")


def same(file, cxx, *flags):
    expected, got = pathlib.Path(file).read_text(encoding="utf-8"), answers(cxx, *flags)
    if got != expected:
        sys.exit(f"another answer:\n{got}not\n{expected}")
    print(got, end="")


if __name__ == "__main__":
    checks = {"first": first, "same": same}
    with foreign.skipping():
        checks[sys.argv[1]](*sys.argv[2:])
