# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: python3 -m dytq.table --function NAME --in-scale S --out-scale S [option...]

Prints a certified table of a function, as dytq_table does.

  --function NAME        one of those that --list prints
  --parameter X          of elu (alpha) and leaky_relu (slope)
  --in-scale S           0.05, 1/20 or 0x1.999999999999ap-5; the double nearest to it is the scale
  --in-zero-point N      default 0
  --in-min N, --in-max N   codes outside read as the nearest inside
  --out-scale S, --out-zero-point N, --out-min N, --out-max N
  --alpha X, --shift X   the function is taken of alpha * x + shift
  --bits 8|16            default 8
  --unsigned             a uint8 tensor
  --layout tosa|tflite   of 16 bits; default tosa, whose interpolation is TABLE's
  --step 128|64|32       codes from entry to entry, 16 bits; default 128
  --numerics exact|float32, --ties even|away   default exact, even
  --format c|json|python|bin   default c; bin: bytes, int16 the lower one first
  --order code|byte      8 bits: entries by code, or by the code's byte (0 ... 127, -128 ... -1); default code
  --name IDENTIFIER      of the array; default dytq_NAME
  --svg FILE             a picture of the table and its error
  --list, --help

exit status: 0; 1: the table is refused, with the reason; 2: the command line is wrong, or a file cannot be written"""
from __future__ import annotations

import json
import re
import sys
from fractions import Fraction
from typing import NamedTuple, Optional

import dytq
from dytq._picture import COLUMNS, picture


class Wrong(Exception):
    """What is wrong with the command line."""


FLAGS = ("unsigned", "list", "help")
CHOICES = {"bits": ("8", "16"), "layout": ("tosa", "tflite"), "step": ("128", "64", "32"), "numerics": ("exact", "float32"), "ties": ("even", "away"),
           "format": ("c", "json", "python", "bin"), "order": ("code", "byte")}
NUMBERS = ("parameter", "in-scale", "out-scale", "alpha", "shift")
CODES = ("in-zero-point", "in-min", "in-max", "out-zero-point", "out-min", "out-max")


def exact(text: str) -> Fraction:
    hexadecimal = re.fullmatch(r"([+-]?)0[xX]([0-9a-fA-F]+)(?:\.([0-9a-fA-F]*))?(?:[pP]([+-]?\d{1,5}))?", text)
    if hexadecimal:
        sign, whole, part, exponent = hexadecimal.groups()
        value = Fraction(int(whole + (part or ""), 16), 16 ** len(part or "")) * Fraction(2) ** int(exponent or 0)
        return -value if sign == "-" else value
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?", text):
        return Fraction(text)
    raise ValueError(text)


def number(key: str, text: str) -> float:
    """A decimal, a hexadecimal float, or a fraction of two of these, as the double nearest to it."""
    try:
        above, _, below = text.partition("/")
        value = exact(above) / (exact(below) if "/" in text else 1)
        return value.numerator / value.denominator  # of integers: correctly rounded
    except (ValueError, ZeroDivisionError, OverflowError):
        raise Wrong(f"--{key}: '{text}' is no decimal, fraction or hexadecimal float that a double holds") from None


def read(words: list[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    i = 0
    while i < len(words):
        word = words[i]
        i += 1
        if not word.startswith("--"):
            raise Wrong(f"what is '{word}'?")
        key, equals, value = word[2:].partition("=")
        if key in FLAGS:
            if equals:
                raise Wrong(f"--{key} takes no value")
        elif not equals:
            if i == len(words):
                raise Wrong(f"--{key} needs a value")
            value = words[i]
            i += 1
        if key not in (*FLAGS, *CHOICES, *NUMBERS, *CODES, "function", "name", "svg"):
            raise Wrong(f"there is no option --{key}")
        if key in given:
            raise Wrong(f"--{key} is given twice")
        if key in CHOICES and value not in CHOICES[key]:
            raise Wrong(f"--{key}: expected {'|'.join(CHOICES[key])}, got '{value}'")
        if key in CODES and not (re.fullmatch(r"-?[0-9]+", value) and -(1 << 31) < int(value) < (1 << 31) - 1):
            raise Wrong(f"--{key}: '{value}' is no code")
        given[key] = value
    return given


def hexadecimal(v: float) -> str:
    """As the program prints it: without zeros at the end."""
    return re.sub(r"\.?0*p\+?", "p", v.hex())


class Made(NamedTuple):
    """A table: entries in the order of the codes, the shift of an int16 one; its largest error in 2^-32 codes and at which code; and the same for
    each column of a picture."""

    entries: list[int]
    shift: int
    error: int
    at_code: int
    by_column: list[Optional[int]]


class Asked:
    """What is asked of a table."""

    def __init__(self, given: dict[str, str], command: str):
        for key in ("function", "in-scale", "out-scale"):
            if key not in given:
                raise Wrong(f"--{key} is missing")
        self.given, self.command = given, command
        self.function = given["function"]
        if self.function not in dytq.function_names():
            raise Wrong(f"there is no function '{self.function}' (--list prints all)")
        self.parameter = number("parameter", given["parameter"]) if "parameter" in given else None
        if self.parameter is not None and self.function not in ("elu", "leaky_relu"):
            raise Wrong(f"{self.function} has no parameter")
        self.bits = int(given.get("bits", "8"))
        self.unsigned = "unsigned" in given
        self.layout, self.order = given.get("layout", "tosa"), given.get("order", "code")
        self.numerics, self.format = given.get("numerics", "exact"), given.get("format", "c")
        self.alpha, self.shift = number("alpha", given.get("alpha", "1")), number("shift", given.get("shift", "0"))
        self.name = given.get("name", "dytq_" + self.function)
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", self.name):
            raise Wrong(f"--name: '{self.name}' is no identifier")
        if self.bits == 16 and (self.unsigned or self.order == "byte"):
            raise Wrong("--unsigned and --order byte are for 8 bits")
        self.step, self.svg = int(given.get("step", "128")), given.get("svg", "")
        if self.bits == 8 and (self.layout == "tflite" or self.step != 128):
            raise Wrong("--layout and --step are for 16 bits")
        if self.layout == "tflite":
            plain = not {"in-min", "in-max", "out-min", "out-max"} & set(given) and (self.alpha, self.shift, int(given.get("out-zero-point", "0"))) == (1, 0, 0)
            if not plain or self.step != 128 or given.get("ties") == "even":
                raise Wrong("TFLite's table has a step, a range and a rounding of its own, no zero point of the output, no alpha and no shift")
        self.ties = "away_from_zero" if given.get("ties") == "away" or self.layout == "tflite" else "to_even"
        self.sides = [dytq.Qparams(number(f"{side}-scale", given[f"{side}-scale"]), int(given.get(f"{side}-zero-point", "0")),
                                   *(int(given[f"{side}-{end}"]) if f"{side}-{end}" in given else None for end in ("min", "max")))
                      for side in ("in", "out")]
        if self.unsigned:
            for q in self.sides:
                for bound in (q.qmin, q.qmax):
                    if bound is not None and not 0 <= bound <= 255:
                        raise Wrong(f"a uint8 tensor has no code {bound}")

    def make(self) -> Made:
        off = 128 if self.unsigned else 0
        sides = [dytq.Qparams(q.scale, q.zero_point - off, *(None if v is None else v - off for v in (q.qmin, q.qmax))) for q in self.sides]
        how = {"alpha": self.alpha, "shift": self.shift, "numerics": self.numerics, "ties": self.ties, "parameter": self.parameter}
        shift = 0
        if self.layout == "tflite":
            table = dytq.tflite_lut16(self.function, *sides, numerics=self.numerics, parameter=self.parameter)
        elif self.bits == 16:
            table, shift = dytq.lut16(self.function, *sides, step=self.step, **how)
        else:
            table = dytq.lut8(self.function, *sides, **how)

        def error(domain: Optional[dytq.Range] = None) -> tuple[int, int]:
            if self.layout == "tflite":
                return dytq.tflite_lut_error(self.function, *sides, table, domain=domain, parameter=self.parameter)
            return dytq.lut_error(self.function, *sides, table, result_shift=shift, domain=domain, **how)

        largest, code = error()
        made = Made([entry + off for entry in table.tolist()], shift, largest, code + off, [])
        lowest = -(1 << (self.bits - 1))
        lo, hi = (v if given is None else given for v, given in ((lowest, sides[0].qmin), (-lowest - 1, sides[0].qmax)))
        wide = (1 << self.bits) // COLUMNS
        for i in range(COLUMNS if self.svg else 0):
            domain = max(lo, lowest + wide * i), min(hi, lowest + wide * (i + 1) - 1)
            try:
                made.by_column.append(None if domain[0] > domain[1] else error(domain)[0])
            except dytq.Rejected:
                made.by_column.append(None)
        return made


def error_text(error: int) -> str:
    """Rounded up to six digits."""
    whole, rest = error >> 32, ((error & 0xffffffff) * 1000000 + 0xffffffff) >> 32
    digits = whole * 1000000 + rest
    return f"{digits // 1000000}.{digits % 1000000:06}"


def comment(asked: Asked, made: Made) -> list[str]:
    x = ("x" if asked.alpha == 1.0 else f"{hexadecimal(asked.alpha)} x") + ("" if asked.shift == 0.0 else f" + {hexadecimal(asked.shift)}")
    kind = "an int16" if asked.bits == 16 else "a uint8" if asked.unsigned else "an int8"
    if asked.bits == 16:
        places = "entry i is for the code 65535 i / 512 - 32768, for TFLite's lookup" if asked.layout == "tflite" else f"entry i is for the code {asked.step} i - 32768"
    elif asked.unsigned:
        places = "entry i is for the code i"
    else:
        places = "entry i is for the code " + ("whose byte is i: 0 ... 127, -128 ... -1" if asked.order == "byte" else "i - 128")
    own = "" if asked.parameter is None else f", parameter {hexadecimal(asked.parameter)}"

    def side(which: int, name: str) -> str:
        q, given = asked.sides[which], asked.given[f"{name}-scale"]
        written = hexadecimal(q.scale)
        bounds = ("" if q.qmin is None else f", from {q.qmin}") + ("" if q.qmax is None else f", to {q.qmax}")
        return f"{name}: scale {given}" + ("" if written == given else f" ({written})") + f", zero point {q.zero_point}{bounds}"

    if asked.layout == "tflite":
        proof = "Entries are LUTPopulate's on real numbers, each rounding proven" if asked.numerics == "exact" else "Entries are LUTPopulate's in float32"
    else:
        proof = "Every entry is proven to be the real function's" if asked.numerics == "exact" else "Entries are those of a float32 graph"
    lines = [f"{asked.function}({x}){own} as {kind} table; {places}.", f"{side(0, 'in')}; {side(1, 'out')}.",
             f"{proof}, halves {'to even' if asked.ties == 'to_even' else 'away from zero'}."]
    if asked.bits == 16 and asked.layout == "tosa":
        lines.append(f"code = the interpolated result, {asked.step} times an entry, / 2^{made.shift}.")
    lines.append("Largest error" + (", interpolation included" if asked.bits == 16 else "")
                 + f": at most {error_text(made.error)} output codes, at the code {made.at_code}.")
    lines.append(f"By dytq {dytq.__version__}: {asked.command}")
    return lines


def numbers(entries: list[int], indent: str) -> str:
    lines, line = [], indent
    for i, entry in enumerate(entries):
        word = str(entry) + ("," if i + 1 < len(entries) else "")
        if len(line) + len(word) + 1 > 100:
            lines.append(line)
            line = indent
        line += ("" if line == indent else " ") + word
    return "\n".join([*lines, line]) + "\n"


def printed(asked: Asked, made: Made) -> bytes:
    entries, about = made.entries, comment(asked, made)
    if asked.order == "byte" and not asked.unsigned:
        entries = entries[128:] + entries[:128]
    kind = "int16" if asked.bits == 16 else "uint8" if asked.unsigned else "int8"
    if asked.format == "bin":
        return b"".join((entry & (0xffff if asked.bits == 16 else 0xff)).to_bytes(asked.bits // 8, "little") for entry in entries)
    if asked.format == "c":
        text = "/*\n" + "".join(f" * {line}\n" for line in about) + " */\n#include <stdint.h>\n\n" \
            + f"const {kind}_t {asked.name}[{len(entries)}] = {{\n{numbers(entries, '    ')}}};\n"
    elif asked.format == "python":
        text = "".join(f"# {line}\n" for line in about) + f"{asked.name} = [\n{numbers(entries, '    ')}]\n"
    else:
        q = {"name": asked.name, "about": "\n".join(about), "command": asked.command, "function": asked.function}
        if asked.parameter is not None:
            q["parameter"] = hexadecimal(asked.parameter)
        sides = [{"scale": hexadecimal(s.scale), "zero_point": s.zero_point, **({} if s.qmin is None else {"min": s.qmin}),
                  **({} if s.qmax is None else {"max": s.qmax})} for s in asked.sides]
        members = {**q, "alpha": hexadecimal(asked.alpha), "shift": hexadecimal(asked.shift), "type": kind, "in": sides[0], "out": sides[1],
                   "numerics": asked.numerics, "ties": "even" if asked.ties == "to_even" else "away"}
        if asked.bits == 16:
            members["layout"] = asked.layout
            if asked.layout == "tosa":
                members.update(step=asked.step, result_shift=made.shift)
        else:
            members["order"] = asked.order
        text = "{\n" + "".join(f"  {json.dumps(k)}: {json.dumps(v)},\n" for k, v in members.items())
        text += f'  "largest_error": {error_text(made.error)},\n  "at_code": {made.at_code},\n'
        text += f'  "entries": [\n{numbers(entries, "    ")}  ]\n}}\n'
    return text.encode()


def command_of(words: list[str]) -> str:
    """The words that were given, but for the picture."""
    kept, words = ["dytq_table"], iter(words)
    for word in words:
        if word == "--svg":
            next(words, None)
        elif not word.startswith("--svg="):
            kept.append(word)
    return " ".join(kept)


def main(words: list[str]) -> int:
    try:
        given = read(words)
        if given.keys() & {"help", "list"}:
            if more := sorted(given.keys() - {"help", "list"}):
                raise Wrong(f"there is no option --{more[0]} beside it")
            print(__doc__ if "help" in given else "\n".join(dytq.function_names()))
            return 0
        asked = Asked(given, command_of(words))
        made = asked.make()
        text = printed(asked, made)
        if asked.svg:
            with open(asked.svg, "w", encoding="utf-8", newline="\n") as file:
                kind = "int16" if asked.bits == 16 else "uint8" if asked.unsigned else "int8"
                file.write(picture(asked.function, kind, f"in {given['in-scale']}, out {given['out-scale']}", made.entries, made.error,
                                   error_text(made.error), made.by_column))
    except Wrong as what:
        print(f"dytq.table: {what} (--help says more)", file=sys.stderr)
        return 2
    except dytq.Rejected as why:
        print(f"dytq.table: refused: {why}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"dytq.table: cannot write {error.filename}", file=sys.stderr)
        return 2
    if asked.format == "bin":  # the comment has no place in it
        print("\n".join(comment(asked, made)), file=sys.stderr)
    sys.stdout.buffer.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
