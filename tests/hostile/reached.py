#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is every public function of the library named by a hostile case?"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
HEADERS = HERE.parents[1] / "include/dytq"


def public_functions(text):
    """Functions of namespace scope, outside `detail`: clang-format keeps them at the start of a line."""
    text = re.sub(r"^namespace detail \{.*?^\}  // namespace detail", "", text, flags=re.M | re.S)
    for declared in re.finditer(r"^(?:constexpr|inline|template|requires)\b[^;{}]*\{", text, flags=re.M):
        head = re.sub(r"^template <.*>$", "", declared.group(), flags=re.M)
        head = re.sub(r"requires.*?(?=constexpr)", "", head, flags=re.S)
        name = re.search(r"\b(\w+)\(", head)
        if name and name.group(1) != "requires" and "operator" not in head and not re.search(r"^(struct|class)\b| = ", head, flags=re.M):
            yield name.group(1)


def main():
    cases = "\n".join(p.read_text() for p in HERE.glob("*.cpp"))
    functions = {(h.name, f) for h in sorted(HEADERS.glob("*.hpp")) if h.name != "fmt.hpp" for f in public_functions(h.read_text())}
    missing = [f"{h}: {f}" for h, f in sorted(functions) if not re.search(rf"\b{f}\b", cases)]
    if missing:
        sys.exit("no hostile case names\n  " + "\n  ".join(missing))
    print(f"{len(functions)} public functions, each in a hostile case")


if __name__ == "__main__":
    main()
