#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""installed_test.py CMAKE BUILD CC: a C program against the installed library, by pkg-config and by find_package, shared and static."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

cmake, build, compiler = sys.argv[1:]
here = pathlib.Path(__file__).resolve().parent
project = """cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C CXX)
find_package(dytq REQUIRED)
find_package(Threads REQUIRED)
foreach(library IN ITEMS c c_static)
  add_executable(with_${library} c_test.c)
  target_link_libraries(with_${library} PRIVATE dytq::${library} Threads::Threads)
endforeach()
"""


def run(*command, **more):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, **more).stdout


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    run(cmake, "--install", build, "--prefix", work / "installed")
    (work / "installed").rename(work / "prefix")  # no path of the build is in it
    package = next((work / "prefix").rglob("dytq-c.pc"))
    libraries = package.parent.parent
    environment = {**os.environ, "LD_LIBRARY_PATH": str(libraries), "PKG_CONFIG_PATH": str(package.parent)}
    if shutil.which("pkg-config"):
        flags = run("pkg-config", "--cflags", "--libs", "dytq-c", env=environment).split()
        run(compiler, "-std=c99", here / "c_test.c", *flags, "-lpthread", "-o", work / "by_pkg_config")
        print(run(work / "by_pkg_config", env=environment), end="")
    (work / "CMakeLists.txt").write_text(project)
    shutil.copy(here / "c_test.c", work)
    run(cmake, "-S", work, "-B", work / "build", f"-DCMAKE_PREFIX_PATH={work / 'prefix'}")
    run(cmake, "--build", work / "build")
    for name in ("with_c", "with_c_static"):
        print(run(work / "build" / name), end="")
