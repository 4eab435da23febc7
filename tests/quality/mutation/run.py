#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Do the tests bite? Makes each error of mutations.txt alone, in a copy of the tree, and expects its tests to fail.

  run.py                 every mutation; prints a table; exit status 1 if one survives
  run.py --only TEXT...  those whose name or file contains one of the texts
  run.py --check         only that the list is in order: each text occurs once. Takes no time; an ordinary test.

The copy is configured and built once, and all tests named in the list must pass there before the first error is made.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
LIST = pathlib.Path(__file__).with_name("mutations.txt")
TIMEOUT = 300  # seconds; an endless loop is caught by it, and counts as found


class Mutation:
    def __init__(self, block):
        fields = dict(re.findall(r"^(name|file|kill|build): *(.*)$", block, flags=re.M))
        self.name, self.tests = fields["name"], fields["kill"].split()
        self.file = fields["file"] if fields["file"].startswith("bindings/") else "include/dytq/" + fields["file"]
        self.targets = fields.get("build", "").split()
        self.old = "\n".join(re.findall(r"^- ?(.*)$", block, flags=re.M))
        self.new = "\n".join(re.findall(r"^\+ ?(.*)$", block, flags=re.M))

    def apply(self, tree):
        path = tree / self.file
        text = path.read_text()
        path.write_text(text.replace(self.old, self.new))
        return lambda: path.write_text(text)

    def fault(self):
        """What is wrong with the entry itself."""
        path = ROOT / self.file
        count = path.read_text().count(self.old) if path.exists() else 0
        if not self.old or not self.tests or self.old == self.new:
            return "needs name, file, kill, - and +"
        return None if count == 1 else f"the text occurs {count} times in {self.file}"


def read_list():
    text = re.sub(r"^#.*\n", "", LIST.read_text(), flags=re.M)
    return [Mutation(block) for block in re.split(r"\n\s*\n", text) if block.strip()]


def run(*command, cwd, env=None):
    try:
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=TIMEOUT, env=env)
    except subprocess.TimeoutExpired as expired:
        return subprocess.CompletedProcess(command, 124, "", str(expired))


def copy_changed(to):
    """Copies what git would, and leaves alone what is there already, so that a kept copy's build is not done again."""
    for source in ROOT.rglob("*"):
        parts = source.relative_to(ROOT).parts
        if source.is_file() and not any(p in (".git", "out", "__pycache__") or p.startswith("build") for p in parts):
            copy = to.joinpath(*parts)
            copy.parent.mkdir(parents=True, exist_ok=True)
            if not copy.exists() or copy.read_bytes() != source.read_bytes():
                shutil.copy(source, copy)


class Tree:
    """A copy of the sources and its build."""

    def __init__(self, folder, cmake_arguments, environment=None):
        self.root, self.build = folder / "dytq", folder / "build"
        self.environment = {**os.environ, **(environment or {})}
        copy_changed(self.root)
        # -w: an error that makes a compiler warn must still be found by a test. Catch2 is parsed once, by g++ at least.
        self.catch = catch = folder / "catch.hpp"
        catch.write_text(f'#include "{self.root}/tests/support/catch.hpp"\n')
        done = run("cmake", "-S", self.root, "-B", self.build, "-DCMAKE_BUILD_TYPE=None",
                   "-DCMAKE_CXX_FLAGS=-O0 -w", f"-DDYTQ_TEST_OPTIONS=-include;{catch}", "-DDYTQ_BUILD_BENCH=OFF",
                   *cmake_arguments, cwd=folder)
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        cache = (self.build / "CMakeCache.txt").read_text()
        self.compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, flags=re.M).group(1)
        run(self.compiler, "-std=c++20", "-O0", "-w", "-I", self.root / "tests", "-x", "c++-header", catch, cwd=folder)
        known = run("ctest", "-N", cwd=self.build).stdout
        self.tests = set(re.findall(r"^\s*Test +#\d+: (\S+)$", known, flags=re.M))
        targets = run("cmake", "--build", ".", "--target", "help", cwd=self.build).stdout
        self.targets = set(re.findall(r"[\w.+-]+", targets))

    def build_error(self, targets):
        """None, or the compiler's text."""
        if not targets:
            return None
        done = run("cmake", "--build", ".", "--target", *targets, cwd=self.build)
        return None if done.returncode == 0 else done.stdout + done.stderr

    def syntax_error(self, source):
        """None, or the compiler's text, of a test's source compiled for its constant expressions alone."""
        done = run(self.compiler, "-std=c++20", "-O0", "-w", "-fsyntax-only", "-I", "include", "-I", "tests", "-include",
                   self.catch, self.root / source.relative_to(ROOT), cwd=self.root)
        return None if done.returncode == 0 else done.stdout + done.stderr

    def compiles(self, file):
        command = [self.compiler, "-std=c++20", "-fsyntax-only", "-w", "-I", "include", "-x", "c++", file]
        if file.endswith(".py"):
            command = [sys.executable, "-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", file]
        return run(*command, cwd=self.root).returncode == 0

    def ctest(self, test):
        return run("ctest", "-R", f"^{re.escape(test)}$", "--no-tests=error", "--timeout", str(TIMEOUT - 60), cwd=self.build,
                   env=self.environment)

    def failure(self, test, targets=()):
        """How the test fails: while its program is built, or when it runs. None if it passes."""
        error = self.build_error([*targets, *({test} & self.targets)])
        if error:
            # Only a failed static_assert finds something.
            return "at compile time" if re.search(r"static assertion|constant expression", error) else "BUILD " + error
        done = self.ctest(test)
        return None if done.returncode == 0 else "timed out" if "Timeout" in done.stdout else "at run time"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--only", nargs="+", default=[""], metavar="TEXT")
    arguments.add_argument("cmake_arguments", nargs="*", help="after --, for instance -- -DCMAKE_CXX_COMPILER=clang++-19")
    arguments = arguments.parse_args()

    mutations = read_list()
    faults = [f"{m.name}: {m.fault()}" for m in mutations if m.fault()]
    if faults:
        sys.exit("\n".join(faults))
    if arguments.check:
        print(f"{len(mutations)} mutations, each at one place")
        return
    mutations = [m for m in mutations if any(text in m.name + " " + m.file for text in arguments.only)]

    with tempfile.TemporaryDirectory(prefix="dytq-mutation-") as folder:
        tree = Tree(pathlib.Path(folder), arguments.cmake_arguments)
        passed = set()
        for m in mutations:
            for test in m.tests:
                if test not in tree.tests:
                    sys.exit(f"{m.name}: there is no test {test}")
                how = None if (test, *m.targets) in passed else tree.failure(test, m.targets)
                if how:
                    sys.exit(f"{test} fails before anything is changed: {how}")
                passed.add((test, *m.targets))

        survivors = 0
        for m in mutations:
            start = time.monotonic()
            restore = m.apply(tree.root)
            if tree.compiles(m.file):
                how = {test: tree.failure(test, m.targets) or "PASSES" for test in m.tests}
            else:
                how = {m.file: "BROKEN: it does not compile, which proves nothing about a test"}
            restore()
            survives = any(h.startswith(("PASSES", "BUILD", "BROKEN")) for h in how.values())
            survivors += survives
            verdict = ("SURVIVES  " if survives else "killed  ") + ", ".join(f"{t} {h}" for t, h in how.items())
            print(f"{time.monotonic() - start:5.1f} s  {m.file.removeprefix('include/dytq/'):18} {m.name:52} {verdict}", flush=True)
        print(f"{len(mutations) - survivors} of {len(mutations)} mutations killed")
        sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
