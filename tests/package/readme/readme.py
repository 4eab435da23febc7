#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""readme.py COMPILER ROOT: compiles the first C++ block of README.md, runs it, and compares what it prints with the block behind it.
readme.py --demo DEMO ROOT: what the demo prints is what examples/digits/README.md shows, and what README.md shows are lines of it."""
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[-1])
readme = (root / "README.md").read_text(encoding="utf-8")
if sys.argv[1] == "--demo":
    printed = subprocess.run([sys.argv[2]], check=True, capture_output=True, text=True).stdout
    page = (root / "examples/digits/README.md").read_text(encoding="utf-8")
    shown = re.search(r"<!-- what dytq_demo prints -->\n(.*?)<!-- end -->", page, re.S).group(1)
    if re.sub("^    ", "", shown, flags=re.M) != printed:
        sys.exit(f"examples/digits/README.md does not show what the demo prints:\n{printed}")
    lines = iter(printed.splitlines())
    short = re.search(r"<!-- of what dytq_demo prints -->\n(.*?)<!-- end -->", readme, re.S).group(1)
    for line in filter(None, (line.strip() for line in short.splitlines())):
        if line not in (printed_line.strip() for printed_line in lines):
            sys.exit(f"README.md shows a line that the demo does not print, or not in this order: {line}")
    sys.exit(0)
compiler = sys.argv[1]
match = re.search(r"```cpp\n(.*?)```\n\n((?:    [^\n]*\n)+)", readme, re.S)
if not match:
    sys.exit("README.md: no C++ block with its output behind it")
last_line = readme[: match.start(2)].count("\n")
code, promised = match.group(1), re.sub("^    ", "", match.group(2), flags=re.M)
if readme[: match.end(1)].count("\n") > 35:
    sys.exit(f"README.md: the code block ends in line {readme[:match.end(1)].count(chr(10))}, out of the first screen")
with tempfile.TemporaryDirectory() as folder:
    source = pathlib.Path(folder) / "readme.cpp"
    source.write_text(code, encoding="utf-8")
    subprocess.run([compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{root / 'include'}", str(source), "-o", f"{folder}/readme"], check=True)
    printed = subprocess.run([f"{folder}/readme"], check=True, capture_output=True, text=True).stdout
if printed != promised:
    sys.exit(f"README.md promises\n{promised}but the code prints\n{printed}")
