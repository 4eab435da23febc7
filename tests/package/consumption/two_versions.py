#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two versions of dytq in one program: two_versions.py COMPILER.

The other version is a copy of the headers whose inline namespace has another name, and in which other_way_shift is wrong, so
that a call which reaches the wrong version is seen. Where the namespace keeps its name they are mistaken for each other.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
UNIT = """
#include <dytq/fold.hpp>
#include <dytq/lut.hpp>
#include <dytq/scale.hpp>
long NAME(long shift) { return static_cast<long>(dytq::other_way_shift(static_cast<std::int32_t>(shift))); }
bool NAME_table(double scale) { return dytq::make_lut8(dytq::functions::tanh, {.scale = scale}, {.scale = 0.01}).has_value(); }
bool NAME_fold(const dytq::alpha_site& s, const dytq::table8& t) { return dytq::fold_alpha_into_lut(s, t).has_value(); }
"""
MAIN = "long ours(long), theirs(long);\nint main() { return ours(40) == -9 && theirs(40) == 9 ? 0 : 1; }\n"
RIGHT, WRONG = "return std::int64_t{31} - shift;", "return shift - std::int64_t{31};"


def copy(folder, namespace):
    shutil.copytree(ROOT / "include", folder)
    for header in (folder / "dytq").rglob("*.hpp"):
        text = header.read_text(encoding="utf-8").replace("inline namespace v0 {", f"inline namespace {namespace} {{")
        if header.name == "scale.hpp":
            if RIGHT not in text:
                sys.exit("other_way_shift is not written as this test knows it")
            text = text.replace(RIGHT, WRONG)
        header.write_text(text, encoding="utf-8")


def compile_text(cxx, text, out, include):
    # Without optimization, so that functions are called and not inlined.
    subprocess.run([cxx, "-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", f"-I{include}", "-c", "-x", "c++", "-", "-o", out],
                   input=text, text=True, check=True)


def symbols(unit):
    """What the unit defines of dytq's own."""
    listed = subprocess.run(["nm", "--defined-only", unit], check=True, capture_output=True, text=True).stdout
    return {name for name in re.findall(r" [A-Za-z] (\S+)$", listed, re.M) if re.match(r"_ZNK?4dytq", name)}


def link(cxx, folder, ours, other):
    """The exit status of a program with both, and the names that both define."""
    theirs, program = folder / f"{other}.o", folder / f"{other}.program"
    compile_text(cxx, UNIT.replace("NAME", "theirs"), theirs, folder / other)
    subprocess.run([cxx, ours, theirs, folder / "main.o", "-o", program], check=True)
    return subprocess.run([program]).returncode, symbols(ours) & symbols(theirs)


def main(cxx):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        copy(folder / "other", "v9")
        copy(folder / "same", "v0")
        ours = folder / "ours.o"
        compile_text(cxx, UNIT.replace("NAME", "ours"), ours, ROOT / "include")
        compile_text(cxx, MAIN, folder / "main.o", folder)
        if len(symbols(ours)) < 20:
            sys.exit("nm lists hardly any function")
        status, shared = link(cxx, folder, ours, "other")
        if status != 0 or shared:
            sys.exit(f"the versions collide: {sorted(shared)[:5]}")
        status, shared = link(cxx, folder, ours, "same")
        if status == 0 or not shared:
            sys.exit("versions in one namespace do not collide: this test sees nothing")
        # In one translation unit there is one version: that of the header which came first.
        both = f'#include "{ROOT}/include/dytq/scale.hpp"\n#include "{folder}/other/dytq/scale.hpp"\n'
        compile_text(cxx, both + "static_assert(dytq::v0::other_way_shift(40) == -9 && dytq::other_way_shift(40) == -9);\n",
                     folder / "one.o", folder)


if __name__ == "__main__":
    main(sys.argv[1])
