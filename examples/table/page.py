#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""page.py PROGRAM FOLDER: writes FOLDER/tables.md, and FOLDER/tables/ with a picture of each function's table, by `dytq_table`.

    examples/table/page.py build/dev/examples/table/dytq_table docs

A function that the program has and this file does not know is given usual scales.
"""
import json
import pathlib
import subprocess
import sys

# What goes in, [lo, hi) in real units, and what an output code of 16 bits stands for.
USUAL = ((-8, 8), "1/4096")
UNIT = ((-8, 8), "1/32768")
RANGES = {
    "tanh": UNIT, "logistic": UNIT, "erf": ((-4, 4), "1/32768"), "isru": UNIT, "hardsigmoid": UNIT,
    "sin": UNIT, "cos": UNIT, "arctan": ((-8, 8), "1/16384"),
    "exp": ((-10, 0), "1/32768"), "expm1": ((-10, 0), "1/32768"), "exp2": ((-14, 0), "1/32768"),
    "sinh": ((-4, 4), "1/1024"), "cosh": ((-4, 4), "1/1024"), "tan": ((-1.5, 1.5), "1/2048"),
    "asin": ((-1, 1), "1/16384"), "acos": ((-1, 1), "1/8192"), "atanh": ((-1, 1), "1/4096"), "erfinv": ((-1, 1), "1/4096"),
    "acosh": ((1, 9), "1/8192"), "log": ((1, 17), "1/8192"), "log2": ((1, 17), "1/4096"), "log10": ((1, 17), "1/16384"),
    "log1p": ((0, 16), "1/8192"), "sqrt": ((0, 16), "1/8192"), "rsqrt": ((1, 17), "1/32768"), "reciprocal": ((1, 17), "1/32768"),
}


def number(v):
    n, d = float(v).as_integer_ratio()
    return str(n) if d == 1 else f"{n}/{d}"


def arguments(function, bits):
    """A range that is not around 0 is shifted there: its middle is the code 0."""
    (lo, hi), out = RANGES.get(function, USUAL)
    codes = 2**bits
    n, d = out.split("/")
    words = ["--function", function, "--in-scale", number((hi - lo) / codes), "--out-scale", f"{n}/{int(d) // (65536 // codes)}", "--bits", str(bits)]
    return words + (["--shift", number((lo + hi) / 2)] if lo + hi else [])


def made(program, *words):
    done = subprocess.run([program, *words, "--format", "json"], capture_output=True, text=True)
    if done.returncode != 0 and not done.stderr.startswith("dytq_table: refused"):
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return json.loads(done.stdout) if done.returncode == 0 else None


def error(table):
    return f"{table['largest_error']:.6f}" if table else "-"


def row(program, function):
    (lo, hi), out = RANGES.get(function, USUAL)
    sixteen = arguments(function, 16)
    tosa, dense, eight = made(program, *sixteen), made(program, *sixteen, "--step", "32"), made(program, *arguments(function, 8))
    tflite = made(program, *sixteen, "--layout", "tflite") if lo + hi == 0 else None  # it takes no shift
    return (f"| [{function}](tables/{function}.svg) | [{lo}, {hi}) | {out} | {error(tosa)} | {tosa['at_code']} | {error(dense)} | "
            f"{error(tflite)} | {error(eight)} |")


def picture(program, function, folder):
    made(program, *arguments(function, 8), "--svg", str(pathlib.Path(folder) / f"{function}.svg"))


def main(program, folder):
    folder = pathlib.Path(folder)
    (folder / "tables").mkdir(exist_ok=True)
    functions = sorted(subprocess.run([program, "--list"], check=True, capture_output=True, text=True).stdout.split())
    for function in functions:
        picture(program, function, folder / "tables")
    rows = "\n".join(row(program, function) for function in functions)
    pictures = "\n".join(f"![{function}](tables/{function}.svg)" for function in functions)
    (folder / "tables.md").write_text(PAGE.format(rows=rows, pictures=pictures), encoding="utf-8")


PAGE = """# Tables

How far a table of each function is from the function, and what it looks like. All of this page is made by `dytq_table`, which prints
tables as C, JSON, Python, bytes and pictures, and is built with the examples without any other library:

    dytq_table --function gelu --in-scale 0.05 --in-zero-point 3 --out-scale 1/127 --bits 8 --format c
    dytq_table --help

`examples/table/page.py build/dev/examples/table/dytq_table docs` writes the page again; a test compares rows and pictures.

## 16 bits: the certified largest interpolation error over all 65,536 codes

In output codes: a proven upper bound, rounded up (`interpolation_error`, `rounding_error`). The function is clamped to the output's range, as
entries are. The input covers the range that is given; where that is not around 0, `--shift` moves its middle to the code 0.

* **TOSA's**: 513 entries 128 codes apart (`make_lut16`), and where it is farthest off. What a line between entries adds is largest where f bends
  most; a root, a pole or a step is what no line follows.
* **dense**: 2,049 entries 32 codes apart (`make_lut16<32>`). Where f is smooth, that divides what interpolation adds by 16.
* **TFLite's**: 513 entries 65535 / 512 codes apart (`make_tflite_lut16`), with its own lookup, which steps by 128. It takes no shift: a dash there, and
  where it is refused.
* **int8**: over the same range, with codes 256 times as wide. Every entry is the nearest: at most half a code (0.500001 is a half, rounded up).

| function | input | an int16 code is | TOSA's | at the code | dense | TFLite's | int8 |
| --- | --- | --- | --- | --- | --- | --- | --- |
{rows}

elu and leaky_relu have a parameter (`--parameter`): they are here with their usual ones.

`pow` with a constant exponent is not in the library. For a whole or half exponent the sign of f(x) - y is exact arithmetic, so that it is a
[function of your own](add_a_function.md) of five lines, sign and estimate: x * x against y, or x * x * x against y * y. A table of x^2 then takes 1.6
and one of x^(3/2) 2.0 times the instructions of a loop over `std::tanh`, and `check_function` finds both right. Other exponents do not fit the frame:
x^p > y asks for p log x > log y, and logarithms are known here as the sign of e^y - x, not as numbers of 2 to 6 limbs that p could multiply; the ties
are at the perfect powers that p's denominator asks for; and whether x < 0 is in the domain would depend on the parameter, where a domain belongs to the type.

## Pictures

The int8 tables, and below each how far the worst code of every column is from its function.

{pictures}
"""

if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
