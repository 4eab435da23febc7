#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pip_test.py ROOT OBJECT...: what README.md says, `pip install` and a first result, in a virtual environment; and a wheel into one that has nothing
else. Both without an index, and by the compiler that CXX names. The package works from any folder.

The compiler takes all files but one from OBJECT..., which the build made of the same sources with stricter options: what setup.py asks for is the
same for each file."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

root, objects = pathlib.Path(sys.argv[1]), sys.argv[2:]
compiler = f"""#!{sys.executable}
import pathlib, shutil, subprocess, sys
words, objects = sys.argv[1:], {objects}
known = []
if "-c" in words:
    source = pathlib.Path(words[words.index("-c") + 1])
    print(source.name, file=open(pathlib.Path(__file__).with_name("compiled"), "a"))
    known = [name for name in objects if pathlib.Path(name).name.startswith(source.name + ".") and source.name != "call.cpp"]
if known:
    shutil.copy(known[0], words[words.index("-o") + 1])
else:
    sys.exit(subprocess.run(["g++", *words]).returncode)
"""
environment = {k: v for k, v in os.environ.items() if k not in ("DYTQ_LIBRARY", "PYTHONPATH")}
environment["CXXFLAGS"] = "-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Werror"
environment.update(PIP_ROOT_USER_ACTION="ignore", PIP_DISABLE_PIP_VERSION_CHECK="1")
offline = ["--no-index", "--no-deps"]
try_it = "import dytq; print(*dytq.function_names()); print(dytq.__version__, dytq.quantize_scale(0.5), type(dytq.lut8('tanh', dytq.Qparams(0.05), dytq.Qparams(1 / 128))).__name__)"


functions = re.findall(r"X\((\w+)\)", re.search(r"DYTQ_FUNCTIONS\(X\) \\\n(.*)", (root / "bindings/c/enums.inc").read_text(encoding="utf-8"))[1])
readme = (root / "README.md").read_text(encoding="utf-8")
commands, entries = re.search(r"^    pip (install .*) \./dytq/bindings/python\n    python3 (-c '.*')$", readme, re.M), re.search(r"which are (\[[-\d, ]+\]):", readme)
assert commands and entries, "README.md: no pip install, or no result"


def run(*command, **more):
    return subprocess.run(list(map(str, command)), cwd="/", env=environment, check=True, text=True, **more)


def pip(python, *arguments):
    run(sys.executable, "-m", "pip", "--quiet", "--python", python, *arguments)


def made(at, *options):
    """A virtual environment; it needs no pip of its own."""
    run(sys.executable, "-m", "venv", "--without-pip", *options, at)
    return at / "bin/python"


def answers(python, array):
    for command, text, expected in ((("-c", try_it), None, f"Multiplier(multiplier=1073741824, shift=31) {array}\n"),
                                    (("-m", "dytq.replay"), '{"in": {"op": "ADD", "a": 1, "b": 2}}\n', '{"out":3}\n')):
        done = run(python, *command, input=text, capture_output=True)
        assert done.stdout.endswith(expected), done.stdout
        assert command[0] == "-m" or done.stdout.split("\n")[0].split() == functions, done.stdout
    where = run(python, "-c", "import dytq; print(dytq.__file__)", capture_output=True).stdout
    assert where.startswith(str(python.parent.parent)), where


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name).resolve()
    for part in ("bindings", "include"):
        shutil.copytree(root / part, folder / "source" / part, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    package = folder / "source/bindings/python"
    environment["CXX"] = str(folder / "objects/compiler")
    (folder / "objects").mkdir()
    pathlib.Path(environment["CXX"]).write_text(compiler)
    pathlib.Path(environment["CXX"]).chmod(0o755)
    building = made(folder / "building", "--system-site-packages")  # Debian's setuptools, and its numpy
    pip(building, *shlex.split(commands[1]), package)
    printed = run(building, *shlex.split(commands[2]), capture_output=True).stdout
    assert printed == entries[1] + "\n", printed
    have_numpy = subprocess.run([building, "-c", "import numpy"], capture_output=True).returncode == 0
    answers(building, "ndarray" if have_numpy else "memoryview")
    run(building, "-m", "pip", "--quiet", "wheel", "--no-build-isolation", *offline, "--wheel-dir", folder, package)
    wheels = list(folder.glob("dytq-*-py3-none-*.whl"))
    assert len(wheels) == 1, list(folder.iterdir())
    empty = made(folder / "empty")
    pip(empty, "install", *offline, wheels[0])
    answers(empty, "memoryview")
    compiled = (folder / "objects/compiled").read_text().split()
    assert sorted(compiled) == sorted(2 * [source.name for source in (package.parent / "c").glob("*.cpp")]), compiled  # by CXX, for either
print(wheels[0].name)
