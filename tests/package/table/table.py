#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""table.py CHECK PROGRAM [COMPILER]: dytq_table as its users run it. CHECK is one of the functions below."""
import ast
import json
import math
import os
import pathlib
import random
import re
import shlex
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction
from xml.etree import ElementTree

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
USUAL = "--in-scale 0.05 --in-zero-point 3 --out-scale 1/127"
WORDS16 = "--in-scale 0x1p-13 --out-scale 1/32768 --bits 16"
# The arrays of library.cpp.
TABLES = {
    "dytq_gelu": f"--function gelu {USUAL} --bits 8 --format c",
    "by_byte": f"--function gelu {USUAL} --order byte",
    "away": "--function logistic --in-scale 1/20 --in-zero-point 3 --out-scale 1 --numerics float32 --ties away",
    "slower": "--function tanh --in-scale=5e-2 --in-zero-point=3 --in-min -100 --in-max 90 --out-scale 0.01 --out-zero-point -5 "
              "--out-min -90 --out-max 80 --alpha 3/4 --shift -0x1p-3",
    "logistic_u8": "--function logistic --unsigned --in-scale 0.05 --in-zero-point 131 --out-scale 1/256",
    "tanh_tosa": f"--function tanh {WORDS16}",
    "tanh_64": f"--function tanh {WORDS16} --step 64",
    "tanh_tflite": f"--function tanh {WORDS16} --layout tflite",
    "wide": "--function tanh --in-scale 1/8192 --out-scale 0x1p-20 --out-min -16777216 --out-max 16777216 --bits 16",
}


def run(program, words, text=True):
    # A locale with a decimal comma, where there is one.
    return subprocess.run([program, *words], capture_output=True, text=text, env={**os.environ, "LC_ALL": "de_DE.UTF-8"})


def printed(program, words, text=True):
    done = run(program, words, text)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(words)}: {done.returncode}: {done.stderr}")
    return done.stdout


def formats(program, compiler):
    """C compiles and is the library's table; JSON, Python and bytes are the same; the comment makes it again."""
    with tempfile.TemporaryDirectory() as folder:
        sources = []
        for name, command in TABLES.items():
            words = command.split() + ([] if name == "dytq_gelu" else ["--name", name])
            c = printed(program, words)
            source = pathlib.Path(folder) / f"{name}.c"
            source.write_text(c)
            subprocess.run([compiler, "-x", "c", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-c", source, "-o", f"{source}.o"], check=True)
            sources.append(f"{source}.o")
            again = re.search(r"^ \* By dytq [\d.]+: dytq_table (.*)$", c, re.M).group(1)
            if printed(program, shlex.split(again)) != c:
                sys.exit(f"{name}: the command in the comment makes another table")
            words = [w for w in words if w not in ("--format", "c")]
            entries = [int(n) for n in re.search(r"\{(.*)\}", c, re.S).group(1).split(",")]
            about = json.loads(printed(program, [*words, "--format", "json"]))
            python = printed(program, [*words, "--format", "python"])
            raw = printed(program, [*words, "--format", "bin"], text=False)
            letter = "h" if "--bits 16" in command else "B" if "--unsigned" in command else "b"
            if not about["entries"] == ast.literal_eval("[" + python.split(" = [", 1)[1]) == entries == list(struct.unpack(f"<{len(entries)}{letter}", raw)):
                sys.exit(f"{name}: the formats differ")
            if not python.startswith("# ") or about["name"] != name or about["largest_error"] <= 0:
                sys.exit(f"{name}: {python[:100]} {about['name']}")
            svg = pathlib.Path(folder) / "picture.svg"
            if printed(program, [*words, "--svg", str(svg)]) != printed(program, words):
                sys.exit(f"{name}: the picture changes the table")
            ElementTree.fromstring(svg.read_text())
            if svg.stat().st_size > 20000:
                sys.exit(f"{name}: a picture of {svg.stat().st_size} bytes")
        subprocess.run([compiler, "-std=c++20", f"-I{ROOT}/include", HERE / "library.cpp", *sources, "-o", f"{folder}/same"], check=True)
        done = subprocess.run([f"{folder}/same"])
        if done.returncode != 0:
            sys.exit(f"table {done.returncode} of library.cpp is not the library's")
    if json.loads(printed(program, [*TABLES["wide"].split(), "--format", "json"]))["result_shift"] != 2:
        sys.exit("the shift of a wide output")


def numbers(program, *_):
    """A scale is the double nearest to what was written, whatever the notation."""
    chance = random.Random(1)

    def decimal():
        kind = chance.randrange(4)
        if kind == 0:
            return str(chance.randrange(1, 10 ** chance.randrange(1, 20)))
        if kind == 1:
            return f"0.{chance.randrange(1, 10 ** 20):020}"
        if kind == 2:
            return f"{chance.randrange(1, 10)}.{chance.randrange(10 ** 17)}e{chance.randrange(-300, 290)}"
        return f"0x{chance.getrandbits(60) | 1:x}p{chance.randrange(-1100, 900)}"

    def value(text):
        if "/" in text:
            over, under = text.split("/")
            return value(over) / value(under)
        if text.startswith("0x"):
            mantissa, exponent = text[2:].split("p")
            return Fraction(int(mantissa, 16)) * Fraction(2) ** int(exponent)
        return Fraction(text)

    tried = 0
    while tried < 150:
        text = decimal() + ("/" + decimal() if chance.random() < 0.5 else "")
        if chance.random() < 0.3:  # half way between two doubles
            half = Fraction(2 * (chance.getrandbits(52) | 1 << 52) + 1) * Fraction(2) ** chance.randrange(-200, 60)
            text = f"{half.numerator}/{half.denominator}"
        try:
            wanted = float(value(text))
        except OverflowError:
            continue
        if wanted == 0:
            continue
        made = json.loads(printed(program, ["--function", "tanh", "--in-scale", text, "--out-scale", "1/128", "--format", "json"]))
        if float.fromhex(made["in"]["scale"]) != wanted:
            sys.exit(f"{text} became {made['in']['scale']}, not {wanted.hex()}")
        tried += 1


REFUSALS = [
    ("--function tanh --in-scale 0 --out-scale 1", 1, "scale_not_positive at function_in"),
    ("--function tanh --in-scale -1 --out-scale 1", 1, "scale_not_positive"),
    ("--function tanh --in-scale 1 --out-scale 1 --out-zero-point 200", 1, "zero_point_out_of_range at function_out"),
    ("--function tanh --in-scale 1 --out-scale 1 --in-min 5 --in-max 4", 1, "range_inverted at function_in"),
    ("--function tanh --in-scale 0x1p-200 --out-scale 1 --numerics float32", 1, "scale_not_float32"),
    ("--function exp --in-scale 1 --out-scale 1 --bits 16 --layout tflite", 1, "value_exceeds_int32"),
    ("--function tanh --in-scale 1e400 --out-scale 1", 2, "'1e400' is no decimal"),
    ("--function tanh --in-scale 0,5 --out-scale 1", 2, "'0,5' is no decimal"),
    ("--function tanh --in-scale 1/0 --out-scale 1", 2, "'1/0'"),
    ("--function tanh --in-scale nan --out-scale 1", 2, "'nan'"),
    ("--function tanh --in-scale 1 --out-scale 1 --in-zero-point 1.5", 2, "--in-zero-point: '1.5' is no code"),
    ("--function tanh --in-scale 1 --out-scale 1 --in-min -2147483648", 2, "is no code"),
    ("--function tanh --in-scale 1 --out-scale 1 --bits 4", 2, "expected 8|16, got '4'"),
    ("--function tanh --in-scale 1 --out-scale 1 --format elf", 2, "expected c|json|python|bin"),
    ("--function tanh --in-scale 1 --out-scale 1 --ties up", 2, "expected even|away"),
    ("--function tanh --in-scale 1 --out-scale 1 --name 2x", 2, "'2x' is no identifier"),
    ("--function tanh --in-scale 1 --out-scale 1 --parameter 1", 2, "tanh has no parameter"),
    ("--function tanh --in-scale 1 --out-scale 1 --bits 16 --order byte", 2, "for 8 bits"),
    ("--function tanh --in-scale 1 --out-scale 1 --step 64", 2, "for 16 bits"),
    ("--function tanh --in-scale 1 --out-scale 1 --bits 16 --layout tflite --ties even", 2, "of its own"),
    ("--function tanh --in-scale 1 --out-scale 1 --unsigned --in-zero-point 131 --in-max 256", 2, "no code 256"),
    ("--function tanh --in-scale 1 --out-scale 1 --svg /nowhere/at/all.svg", 2, "cannot write /nowhere"),
    ("--function tan_h --in-scale 1 --out-scale 1", 2, "no function 'tan_h'"),
    ("--function tanh --in-scale 1", 2, "--out-scale is missing"),
    ("--function tanh --in-scale 1 --in-scale 1 --out-scale 1", 2, "given twice"),
    ("--function tanh --in-scale 1 --out-scale", 2, "needs a value"),
    ("--function tanh --in-scale 1 --out-scale 1 --colour red", 2, "no option --colour"),
    ("--list=1", 2, "takes no value"),
    ("table", 2, "what is 'table'"),
]


def refusals(program, *_):
    """What cannot be made is refused by status and message, and nothing is printed."""
    for words, status, message in REFUSALS:
        done = run(program, words.split())
        if done.returncode != status or message not in done.stderr or done.stdout:
            sys.exit(f"{words}: {done.returncode}, {done.stderr!r}, {len(done.stdout)} characters; expected {status}, {message!r}")
    with open("/dev/full", "w", encoding="utf-8") as full:
        if subprocess.run([program, "--list"], stdout=full, stderr=subprocess.DEVNULL).returncode != 2:
            sys.exit("a full disk goes unnoticed")
    if "usage: dytq_table" not in printed(program, ["--help"]):
        sys.exit("--help")


def errors(program, *_):
    """The largest error is that of the printed entries, as far as doubles can tell."""
    real = {"tanh": math.tanh, "exp": math.exp, "erf": math.erf, "arctan": math.atan}
    for function, f in real.items():
        made = json.loads(printed(program, f"--function {function} --in-scale 0.05 --in-zero-point 3 --out-scale 1/100 --format json".split()))
        off = [abs(min(127, max(-128, f(0.05 * (code - 3)) * 100)) - made["entries"][code + 128]) for code in range(-128, 128)]
        if not -1e-9 < made["largest_error"] - max(off) < 2e-6 or abs(off[made["at_code"] + 128] - max(off)) > 1e-9:
            sys.exit(f"{function}: {made['largest_error']}, but {max(off)}")
        made = json.loads(printed(program, f"--function {function} --in-scale 0x1p-13 --out-scale 1/8192 --bits 16 --format json".split()))
        e = made["entries"]
        off = [abs(min(32767, max(-32768, f(code / 8192) * 8192)) - (e[i] + (e[i + 1] - e[i]) * (code % 128) / 128))
               for code in range(-32768, 32768) for i in [(code + 32768) // 128]]
        if not -1e-7 < made["largest_error"] - max(off) < 2e-6:
            sys.exit(f"{function}: {made['largest_error']}, but {max(off)} at 16 bits")


def page(program, *_):
    """docs/tables.md has every function, and its rows and pictures are what examples/table/page.py makes: of some that take a second."""
    sys.path.insert(0, str(ROOT / "examples/table"))
    import page as maker
    text = (ROOT / "docs/tables.md").read_text(encoding="utf-8")
    for function in printed(program, ["--list"]).split():
        if f"| [{function}](tables/{function}.svg) |" not in text or not (ROOT / f"docs/tables/{function}.svg").exists():
            sys.exit(f"docs/tables.md has no {function}")
    for function in ("arctan", "tanh", "relu"):
        if maker.row(program, function) + "\n" not in text:
            sys.exit(f"{function}: examples/table/page.py makes another row: {maker.row(program, function)}")
        with tempfile.TemporaryDirectory() as folder:
            maker.picture(program, function, folder)
            if (pathlib.Path(folder) / f"{function}.svg").read_text() != (ROOT / f"docs/tables/{function}.svg").read_text():
                sys.exit(f"docs/tables/{function}.svg is not what examples/table/page.py draws")


if __name__ == "__main__":
    {"formats": formats, "numbers": numbers, "refusals": refusals, "errors": errors, "page": page}[sys.argv[1]](*sys.argv[2:])
