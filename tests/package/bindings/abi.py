#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""abi.py COMPILER [--write]: the names, numbers, sizes and offsets of dytq.h, as a C compiler sees them, are those of abi.txt.

What is in abi.txt stays: a line of it that is gone or has changed is an error unless DYTQ_ABI_VERSION is another one. What is new is an error
until --write has written it down. The size of a struct that starts with its size may grow; those of the others may not. Also: no struct has
padding, since what is unnamed cannot be checked to be 0; and ctypes has the same sizes and offsets."""
import ctypes
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
bindings = here.parent.parent.parent / "bindings"
recorded = here / "abi.txt"


def abi():
    spec = importlib.util.spec_from_file_location("abi", bindings / "python/dytq/_abi.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def structs(module):
    return [s for s in vars(module).values() if isinstance(s, type) and issubclass(s, ctypes.Structure) and s is not ctypes.Structure]


def dumped(compiler, module):
    """The lines, by a C program."""
    lines = ['#include <dytq.h>', '#include <stdio.h>', '#include <stddef.h>', 'int main(void) {', '  printf("version %d\\n", DYTQ_ABI_VERSION);']
    for struct in structs(module):
        name = struct.__name__
        lines.append(f'  printf("size {name} %zu\\n", sizeof({name}));')
        for field, *_ in struct._fields_:
            field = field.rstrip("_")
            lines.append(f'  printf("field {name}.{field} %zu %zu\\n", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));')
    header = (bindings / "c/dytq.h").read_text()
    for constant in re.findall(r"^\s*(DYTQ_\w+) = \d+", re.sub(r"\{ (DYTQ)", r"{\n\1", header).replace(", DYTQ", ",\nDYTQ"), re.M):
        lines.append(f'  printf("number {constant} %d\\n", (int)({constant}));')
    for function, (result, arguments) in module.FUNCTIONS.items():
        prototype = re.search(r"DYTQ_API\s+([^;]*\b%s\([^;]*\));" % function, header)[1]
        lines.append('  printf("function %s\\n", "{}");'.format(re.sub(r"\s+", " ", prototype)))
    lines += ["  return 0;", "}"]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "dump.c"
        source.write_text("\n".join(lines))
        subprocess.run([compiler, "-std=c99", f"-I{bindings / 'c'}", str(source), "-o", f"{folder}/dump"], check=True)
        return subprocess.run([f"{folder}/dump"], check=True, capture_output=True, text=True).stdout.splitlines()


def main(compiler, write):
    module = abi()
    if ctypes.sizeof(ctypes.c_void_p) != 8:
        print("skipped: abi.txt is that of 64 bits")
        return []
    now = dumped(compiler, module)
    wrong = []
    for struct in structs(module):
        size = ctypes.sizeof(struct)
        if f"size {struct.__name__} {size}" not in now:
            wrong.append(f"ctypes has {size} bytes for {struct.__name__}")
        end = 0
        for field, kind, *_ in struct._fields_:
            at = getattr(struct, field).offset
            if f"field {struct.__name__}.{field.rstrip('_')} {at} {ctypes.sizeof(kind)}" not in now:
                wrong.append(f"ctypes has {struct.__name__}.{field} at {at}, {ctypes.sizeof(kind)} bytes")
            if at != end:
                wrong.append(f"{struct.__name__} has padding before {field}")
            end = at + ctypes.sizeof(kind)
        if end != size:
            wrong.append(f"{struct.__name__} has padding at its end")
    before = recorded.read_text().splitlines() if recorded.exists() else [now[0]]
    growing = {s.__name__ for s in structs(module) if s._fields_[0][0] == "size"}
    if before[0] == now[0]:
        sizes = {line.split()[1]: int(line.split()[2]) for line in now if line.startswith("size ")}
        for line in before:
            kind, name, *rest = line.split(" ", 2)
            grew = kind == "size" and name in growing and sizes.get(name, 0) >= int(rest[0])
            if line not in now and not grew:
                wrong.append(f"gone or changed, with the same DYTQ_ABI_VERSION: {line}")
    if wrong:
        return wrong
    if write:
        recorded.write_text("\n".join(now) + "\n")
    elif before != now:
        return [f"not written down (abi.py --write): {line}" for line in now if line not in before] or ["another order (abi.py --write)"]
    print(f"{len(now)} lines")
    return []


if __name__ == "__main__":
    problems = main(sys.argv[1], "--write" in sys.argv[2:])
    if problems:
        sys.exit("\n".join(problems))
