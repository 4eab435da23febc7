#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pages_test.py python PAGE               each Python block of the page runs, and prints what stands behind it
pages_test.py c PAGE COMPILER LIBRARY      the C block compiles as C99 against the library, and prints what stands behind it"""
import pathlib
import re
import subprocess
import sys
import tempfile

what, page, *rest = sys.argv[1:]
text = pathlib.Path(page).read_text(encoding="utf-8")
blocks = list(re.finditer(r"```%s\n(.*?)```\n(?:\n((?:    [^\n]*\n)+))?" % what, text, re.S))
if not blocks:
    sys.exit("no block")
with tempfile.TemporaryDirectory() as folder:
    for block in blocks:
        promised = re.sub("^    ", "", block[2] or "", flags=re.M)
        if what == "python":
            command = [sys.executable, "-c", block[1]]
        else:
            compiler, library = rest
            source = pathlib.Path(folder) / "page.c"
            source.write_text(block[1])
            header = pathlib.Path(__file__).resolve().parent.parent.parent.parent / "bindings/c"
            subprocess.run([compiler, "-std=c99", "-Wall", "-Wextra", "-Wno-missing-field-initializers", "-pedantic", "-Werror", f"-I{header}", str(source), library,
                            f"-Wl,-rpath,{pathlib.Path(library).parent}", "-o", f"{folder}/page"], check=True)
            command = [f"{folder}/page"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode or done.stdout != promised:
            sys.exit(f"the page promises\n{promised}but there is\n{done.stdout}{done.stderr}")
print(f"{len(blocks)} blocks")
