#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints dytq as one header:  python3 cmake/amalgamate.py > dytq.hpp

With names of headers as arguments, those and what they include:  python3 cmake/amalgamate.py fold.hpp > dytq_fold.hpp

Each header keeps its include guard, so the result may meet the separate headers in one program.
"""
import pathlib
import re
import sys

HEADERS = pathlib.Path(__file__).resolve().parents[1] / "include/dytq"


def emit(path, done, out):
    """The header after everything that it includes, each once."""
    if path in done:
        return
    done.add(path)
    text = path.read_text()
    for below in re.findall(r'^#include "(.+)"$', text, flags=re.M):
        emit((path.parent / below).resolve(), done, out)
    out.append(re.sub(r'^#include ".+"\n', "", text, flags=re.M))


def main():
    paths = [HEADERS / name for name in sys.argv[1:]] or sorted(p for p in HEADERS.rglob("*.hpp") if p.name != "fmt.hpp")
    done, out = set(), []
    for path in paths:
        emit(path, done, out)
    sys.stdout.write("\n".join(out))


if __name__ == "__main__":
    main()
