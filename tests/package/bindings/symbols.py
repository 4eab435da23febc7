#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""symbols.py LIBRARY: it shows the functions of dytq.h and nothing else, and needs nothing that allocates, throws or locks."""
import pathlib
import re
import subprocess
import sys

library = sys.argv[1]
header = (pathlib.Path(__file__).resolve().parent.parent.parent.parent / "bindings/c/dytq.h").read_text()
promised = set(re.findall(r"DYTQ_API[^;]*?\b(dytq_\w+)\(", header))


def names(which):
    lines = subprocess.run(["nm", "--dynamic", which, library], check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split()[-1].split("@")[0] for line in lines}


shown = names("--defined-only")
wrong = [f"{name} is promised, and not there" for name in promised - shown] + [f"{name} is visible" for name in shown - promised]
allowed = re.compile(r"mem(cpy|move|set|cmp)|_ITM_\w+|__cxa_finalize|__gmon_start__|__(asan|ubsan|sanitizer)_\w+|__stack_chk_fail|_Unwind_Resume")
wrong += [f"{name} is needed" for name in names("--undefined-only") if not allowed.fullmatch(name)]
if wrong:
    sys.exit("\n".join(sorted(wrong)))
print(f"{len(shown)} functions")
