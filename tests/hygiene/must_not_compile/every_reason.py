#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""every_reason.py COMPILER ROOT: a rejection unwrapped in a constant expression shows its reason and its place by name,
whichever they are.

The source names them by their numbers, so that no word of them can come from there."""
import pathlib
import re
import subprocess
import sys

compiler, root = sys.argv[1], pathlib.Path(sys.argv[2])


def enumerators(name):
    enum = re.search(rf"^enum class {name} .*?\{{\n(.*?)^\}};", (root / "include/dytq/result.hpp").read_text(), re.M | re.S)[1]
    return re.findall(r"^  (\w+),?(?:\s*//.*)?$", enum, re.M)


names, places = enumerators("reason"), enumerators("place")
source = "#include <dytq/result.hpp>\n" + "".join(
    f"constexpr int answer_{n} = dytq::result<int>(static_cast<dytq::reason>({n})).value();\n" for n in range(1, len(names)))
spelled = "#include <string_view>\n#include <dytq/result.hpp>\n" + "".join(
    f"static_assert(std::string_view(dytq::name(dytq::reason::{name})) == \"{name}\");\n" for name in names[:-1])
options = ["-fno-caret-diagnostics", "-ferror-limit=0"] if "clang" in compiler else ["-fno-diagnostics-show-caret", "-fmax-errors=0"]


def compiled(text):
    return subprocess.run([compiler, "-std=c++20", "-fsyntax-only", *options, f"-I{root / 'include'}", "-x", "c++", "-"],
                          input=text, capture_output=True, text=True)


named = compiled(spelled)
if named.returncode != 0:
    sys.exit(f"a name is not spelled as its enumerator:\n{named.stderr[:2000]}")
done = compiled(source)
# One error for each, in order: g++ says `rejected() [with dytq::v0::reason R = dytq::v0::reason::name]`, clang `rejected<dytq::reason::name>`.
shown = re.findall(r"(?:error|note): [^\n]*rejected(?:\(\) \[with [\w:]+ R = |<)dytq::(?:v0::)?reason::(\w+)[\]>][^\n]*(?:cannot be used|$)", done.stderr, re.M)
shown = [name for i, name in enumerate(shown) if i == 0 or name != shown[i - 1]]
print(f"{len(shown)} of {len(names) - 1} reasons shown")
if done.returncode == 0 or shown != names[1:]:
    sys.exit(f"expected {names[1:]}\nbut {compiler} shows {shown}\n{done.stderr[:2000]}")

at_place = "#include <dytq/result.hpp>\n" + "".join(
    f"constexpr int answer_{n} = dytq::result<int>(dytq::rejection{{.why = dytq::reason::empty, .at = static_cast<dytq::place>({n})}}).value();\n"
    for n in range(len(places) - 1))
shown = re.findall(r"rejected_at[^ ]*?(?:place::|&\")(\w+)", compiled(at_place).stderr)
shown = [name for i, name in enumerate(shown) if i == 0 or name != shown[i - 1]]
print(f"{len(shown)} of {len(places) - 1} places shown")
if shown != places[:-1] and shown != places[1:-1]:  # what is nowhere has no name
    sys.exit(f"expected {places[:-1]}\nbut {compiler} shows {shown}")
