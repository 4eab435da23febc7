#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""readme.py COMPILER ROOT: compiles the first C++ block of README.md, runs it, and compares what it prints with the block behind it."""
import pathlib
import re
import subprocess
import sys
import tempfile

compiler, root = sys.argv[1], pathlib.Path(sys.argv[2])
readme = (root / "README.md").read_text(encoding="utf-8")
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
