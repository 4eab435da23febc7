#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""doxygen_filter.py HEADER: prints the header as Doxygen is to read it, line for line, so that the sources stay plain.

* The comment behind the licence becomes the description of the file.
* The parts of a docstring (Formula, Errors, ...) begin in a new line, in bold.
* A reason's text is what `describe` says of it.
* What says nothing is hidden: comparisons that compare every member, specializations for fmt.
"""
import pathlib
import re
import sys

PARTS = r"(Formula|Shape|Units|Range|Errors|Exactness|Cost|Sources?)( \([^)]*\))?:"


def docstring(text):
    """One line of a comment: nothing in it is a command or markup but what we put there."""
    text = re.sub(r"([\\@#<>&%*_~])", r"\\\1", text)
    text = re.sub(r"`([^`]*)`", lambda m: "<code>" + m[1] + "</code>", text)
    return re.sub(r"(^\s*|[.;] )" + PARTS, r"\1<br><b>\2\3:</b>", text)


def main():
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    text = re.sub(r"^\ntemplate <>\nstruct fmt::.*?(?=^#endif)", lambda m: "\n" * m[0].count("\n"), text, flags=re.M | re.S)
    reasons = dict(re.findall(r"""\{"(\w+)", reason_class::\w+,\s*"([^"]*)"\}""", text))
    lines = text.split("\n")
    for number in range(1, len(lines)):
        if not lines[number].startswith("// "):
            break
        lines[number] = "//! " + docstring(lines[number][3:])
    lines[0] = "//! \\file"
    for number, line in enumerate(lines):
        if re.search(r"operator==\(.*= default;", line):
            line = ""
        value = re.fullmatch(r"  (\w+),", line)
        if value and value[1] in reasons:
            line += "  ///< " + reasons[value[1]]
        lines[number] = re.sub(r"///(<?)(.*)", lambda m: "///" + m[1] + docstring(m[2]), line)
    sys.stdout.write("\n".join(lines))


if __name__ == "__main__":
    main()
