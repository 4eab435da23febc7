#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The unit tests, the vectors and the tables on other machines, and under flags that are said to break such code.

    run.py [FOLDER] [CONFIGURATION...]      FOLDER: where it builds; build/portability if not given
"""
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests/platforms/one_answer")]
import foreign  # noqa: E402
import one_answer  # noqa: E402

# Name: compiler, flags, standard, machine if it is another. -m32 alone does not find the kernel's headers where cross
# compilers are installed, since Debian's gcc-multilib, which links them, excludes those.
CONFIGURATIONS = {
    "m32": ("g++", "-m32 -idirafter /usr/include/x86_64-linux-gnu", 20, "i386"),
    "s390x": ("s390x-linux-gnu-g++", "-static", 20, "s390x"),
    "armhf": ("arm-linux-gnueabihf-g++", "-static", 20, "arm"),
    "unsigned_char": ("g++", "-funsigned-char", 20, ""),
    "fast_math": ("g++", "-ffast-math", 20, ""),
    "single_constants": ("g++", "-fsingle-precision-constant", 20, ""),
    "cxx23": ("g++", "", 23, ""),
    "libcxx": ("clang++-19", "-stdlib=libc++", 20, ""),
    "clang14": ("clang++-14", "", 20, ""),  # the oldest clang that is meant to work
}


def run(log, *command):
    """Its standard output; None if it failed. Everything goes to the log."""
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    log.write(f"$ {' '.join(map(str, command))}\n{done.stdout}\n")
    return done.stdout if done.returncode == 0 else None


def test(name, build):
    """What came out of the tests, and of the two programs that must print the same everywhere."""
    cxx, flags, standard, machine = CONFIGURATIONS[name]
    emulator = foreign.need_target(cxx, *flags.split())
    build.mkdir(parents=True, exist_ok=True)
    options = ["-DDYTQ_PORTABILITY=ON", "-DDYTQ_BUILD_EXAMPLES=OFF", "-DDYTQ_BUILD_BENCH=OFF", f"-DCMAKE_CXX_COMPILER={cxx}",
               f"-DCMAKE_CXX_FLAGS=-O1 {flags}", f"-DCMAKE_CXX_STANDARD={standard}", "-DCMAKE_CXX_STANDARD_REQUIRED=ON"]
    if machine:
        options += ["-DCMAKE_SYSTEM_NAME=Linux", f"-DCMAKE_SYSTEM_PROCESSOR={machine}", f"-DCMAKE_CROSSCOMPILING_EMULATOR={emulator or ''}"]
    jobs = os.environ.get("JOBS", str(os.cpu_count()))
    with open(build / "log.txt", "w", encoding="utf-8") as log:
        if run(log, "cmake", "-S", ROOT, "-B", build, *options) is None:
            return "does not configure"
        if run(log, "cmake", "--build", build, "--parallel", jobs) is None:
            return "does not compile"
        if run(log, "ctest", "--test-dir", build, "--parallel", jobs, "--output-on-failure", "--no-tests=error") is None:
            return "tests fail"
    parts = range(one_answer.PARTS)
    same = one_answer.answers(parts, cxx, "-O1", *flags.split(), f"-std=c++{standard}") == one_answer.answers(parts, "g++", "-O0")
    return "passes" if same else "other answers than here"


def main(arguments):
    if any(a.startswith("-") for a in arguments):
        sys.exit(__doc__.strip())
    folder = ROOT / "build/portability"
    if arguments and arguments[0] not in CONFIGURATIONS:
        folder = pathlib.Path(arguments.pop(0)).resolve()
    unknown = set(arguments) - CONFIGURATIONS.keys()
    if unknown:
        sys.exit(f"{', '.join(sorted(unknown))}: the configurations are {', '.join(CONFIGURATIONS)}")
    wrong, left_out = [], []
    for name in arguments or CONFIGURATIONS:
        start = time.monotonic()
        try:
            outcome = test(name, folder / name)
            if outcome != "passes":
                wrong.append(f"{name}: {folder / name / 'log.txt'}")
        except foreign.NotHere as missing:
            outcome = f"left out: {missing}"
            left_out.append(name)
        print(f"{name:18}{time.monotonic() - start:6.0f} s  {outcome}", flush=True)
    if wrong:
        sys.exit("\n".join(wrong))
    if left_out:
        raise foreign.NotHere(f"{len(left_out)} left out: {', '.join(left_out)}")


if __name__ == "__main__":
    with foreign.skipping():
        main(sys.argv[1:])
