#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pip_test.py ROOT: `pip install` and a wheel, without an index, and the package from any folder."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

package = pathlib.Path(sys.argv[1]) / "bindings/python"
environment = {k: v for k, v in os.environ.items() if k not in ("DYTQ_LIBRARY", "PYTHONPATH")}
if shutil.which("ccache"):  # the second build is the first one's
    environment["CXX"] = "ccache " + environment.get("CXX", "g++")
environment["CXXFLAGS"] = "-O0"  # it is built twice
environment.update(PIP_ROOT_USER_ACTION="ignore", PIP_DISABLE_PIP_VERSION_CHECK="1")
pip = [sys.executable, "-m", "pip", "--quiet"]
offline = ["--no-build-isolation", "--no-index", "--no-deps"]
try_it = "import dytq, pathlib; print(dytq.__version__, dytq.quantize_scale(0.5), pathlib.Path(dytq.__file__).parent.parent)"


def answers(target):
    done = subprocess.run([sys.executable, "-c", try_it], cwd="/", env={**environment, "PYTHONPATH": str(target)}, check=True, capture_output=True, text=True)
    assert done.stdout.split()[1:4] == ["Multiplier(multiplier=1073741824,", "shift=31)", str(target)], done.stdout
    done = subprocess.run([sys.executable, "-m", "dytq.replay"], input='{"in": {"op": "ADD", "a": 1, "b": 2}}\n', cwd="/",
                          env={**environment, "PYTHONPATH": str(target)}, check=True, capture_output=True, text=True)
    assert done.stdout == '{"out":3}\n', done.stdout


with tempfile.TemporaryDirectory() as folder:
    before = {path for path in package.rglob("*")}
    target = pathlib.Path(folder).resolve() / "installed"
    subprocess.run([*pip, "install", *offline, "--target", str(target), str(package)], env=environment, cwd="/", check=True)
    answers(target)
    subprocess.run([*pip, "wheel", *offline, "--wheel-dir", folder, str(package)], env=environment, cwd="/", check=True)
    wheels = list(pathlib.Path(folder).glob("dytq-*-py3-none-*.whl"))
    assert len(wheels) == 1, list(pathlib.Path(folder).iterdir())
    other = pathlib.Path(folder).resolve() / "from_wheel"
    subprocess.run([*pip, "install", "--no-index", "--no-deps", "--target", str(other), str(wheels[0])], env=environment, cwd="/", check=True)
    answers(other)
    left = {path for path in package.rglob("*") if "__pycache__" not in path.parts} - before
    for path in sorted(left, reverse=True):  # of the build, in the source tree
        path.rmdir() if path.is_dir() else path.unlink()
print(wheels[0].name)
