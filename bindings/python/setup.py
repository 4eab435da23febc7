# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the package: Python as it is, and libdytq.so by the C++ compiler ($CXX, or g++, with $CXXFLAGS), which is all
that it needs."""
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sysconfig
import tempfile

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from wheel.bdist_wheel import bdist_wheel
except ImportError:  # newer setuptools bring their own
    from setuptools.command.bdist_wheel import bdist_wheel

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent


def version():
    text = (root / "include/dytq/version.hpp").read_text(encoding="utf-8")
    return ".".join(re.findall(r"#define DYTQ_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text))


class Build(build_py):
    def run(self):
        super().run()
        target = pathlib.Path(self.build_lib) / "dytq/libdytq.so"
        target.parent.mkdir(parents=True, exist_ok=True)
        compiler = shlex.split(os.environ.get("CXX", "g++"))
        options = ["-std=c++20", "-O2", "-fPIC", "-fvisibility=hidden", "-fno-exceptions", "-fno-rtti", f"-I{root / 'include'}",
                   *shlex.split(os.environ.get("CXXFLAGS", ""))]
        with tempfile.TemporaryDirectory() as folder:
            def compiled(source):
                made = pathlib.Path(folder) / (source.stem + ".o")
                subprocess.run([*compiler, *options, "-c", str(source), "-o", str(made)], check=True)
                return str(made)

            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                objects = list(pool.map(compiled, sorted((here.parent / "c").glob("*.cpp"))))
            subprocess.run([*compiler, "-shared", "-Wl,--as-needed", f"-Wl,--version-script={here.parent / 'c/dytq.map'}", *objects, "-o", str(target)], check=True)


class BinaryDistribution(Distribution):
    def has_ext_modules(self):  # the wheel is of this machine
        return True


class Wheel(bdist_wheel):
    def get_tag(self):  # of any Python: nothing is built against one
        return "py3", "none", sysconfig.get_platform().replace("-", "_").replace(".", "_")


setup(version=version(), distclass=BinaryDistribution, cmdclass={"build_py": Build, "bdist_wheel": Wheel})
