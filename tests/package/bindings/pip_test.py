#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pip_test.py ROOT [COMPILER]: `pip install` into a virtual environment, and a wheel, by that compiler if one is given, into one that has nothing
else; both without an index. The package works from any folder."""
import os
import pathlib
import subprocess
import sys
import tempfile

package = pathlib.Path(sys.argv[1]) / "bindings/python"
environment = {k: v for k, v in os.environ.items() if k not in ("DYTQ_LIBRARY", "PYTHONPATH")}
# How fast it is is no matter here.
environment["CXXFLAGS"] = "-O0 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Werror"
environment.update(PIP_ROOT_USER_ACTION="ignore", PIP_DISABLE_PIP_VERSION_CHECK="1")
offline = ["--no-index", "--no-deps"]
try_it = "import dytq, pathlib; print(dytq.__version__, dytq.quantize_scale(0.5), type(dytq.lut8('tanh', dytq.Qparams(0.05), dytq.Qparams(1 / 128))).__name__)"


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
    where = run(python, "-c", "import dytq; print(dytq.__file__)", capture_output=True).stdout
    assert where.startswith(str(python.parent.parent)), where


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name).resolve()
    before = set(package.rglob("*"))
    building = made(folder / "building", "--system-site-packages")  # Debian's setuptools, and its numpy
    pip(building, "install", "--no-build-isolation", *offline, package)
    have_numpy = subprocess.run([building, "-c", "import numpy"], capture_output=True).returncode == 0
    answers(building, "ndarray" if have_numpy else "memoryview")
    if "".join(sys.argv[2:]):
        environment["CXX"] = sys.argv[2]
    run(building, "-m", "pip", "--quiet", "wheel", "--no-build-isolation", *offline, "--wheel-dir", folder, package)
    wheels = list(folder.glob("dytq-*-py3-none-*.whl"))
    assert len(wheels) == 1, list(folder.iterdir())
    empty = made(folder / "empty")
    pip(empty, "install", *offline, wheels[0])
    answers(empty, "memoryview")
    left = {path for path in package.rglob("*") if "__pycache__" not in path.parts} - before
    for path in sorted(left, reverse=True):  # of the build, in the source tree
        path.rmdir() if path.is_dir() else path.unlink()
print(wheels[0].name)
