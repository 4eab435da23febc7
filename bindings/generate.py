#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate.py [--check]: what the bindings repeat of the C++ headers and of dytq.h is made here.

  c/dytq.h, between "generated" and "end"   the enumerations; a number once given stays, and new names come after it
  c/enums.inc                               the C++ enumerator of each number, and the functions
  python/dytq/_abi.py                       structs, functions and constants of dytq.h for ctypes

--check writes nothing, and fails if something would change."""
import keyword
import pathlib
import re
import sys
import textwrap

here = pathlib.Path(__file__).resolve().parent
include = here.parent / "include/dytq"

# C++ enumeration, its prefix in C, and what it is.
enums = [("reason", "REASON", "Why a call was refused; dytq_name has each one's class and text"),
         ("place", "AT", "Which operator or argument a rejection speaks of"),
         ("scale_dialect", "DIALECT", "Whose convention of a multiplier and shift"),
         ("scale_target", "TARGET", "Which target is to take a scale"),
         ("rounding_mode", "ROUNDING", "How a scaled product is rounded"),
         ("code_type", "TYPE", "Types of a RESCALE's tensors"),
         ("numerics", "NUMERICS", "Which arithmetic a table stands for"),
         ("affine_half", "HALF", "Which half of an affine site"),
         ("operation", "OPERATION", "Operators of a chain"),
         ("tie_rule", "TIES", "Which code a value takes that lies half way between two"),
         ("form", "FORM", "Ways to compute a stretch of a chain"),
         ("engine", "ENGINE", "Whose kernels run an operator, for int8 tensors"),
         ("engine_operator", "KERNEL", "Which operator of an engine it is"),
         ("scale_product", "PRODUCT", "In which types an engine computes a * b / out of three scales"),
         ("fused_activation", "ACTIVATION", "Activations that TensorFlow Lite fuses into an operator")]


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def headers():
    return {path: without_comments(path.read_text(encoding="utf-8")) for path in sorted(include.rglob("*.hpp"))}


def enumerators(texts, name):
    found = [m[1] for text in texts.values() for m in re.finditer(r"enum class %s\b[^{;]*\{(.*?)\}" % name, text, re.S)]
    if len(found) != 1:
        sys.exit(f"enum class {name} is defined {len(found)} times")
    names = [part.split("=")[0].strip() for part in found[0].split(",")]
    return [n for n in names if n and n != "count_"]


def functions(texts):
    return sorted(name for text in texts.values() for name in re.findall(r"inline constexpr [\w:]+_function (\w+)\{\};", text))


def numbers(header, prefix, names):
    """The numbers that the header has already given, and new ones after them."""
    known = {m[1].lower(): int(m[2]) for m in re.finditer(r"\bDYTQ_%s_(\w+) = (\d+)" % prefix, header)}
    following = max(known.values(), default=-1) + 1
    for name in names:
        if name not in known:
            known[name] = following
            following += 1
    return dict(sorted(known.items(), key=lambda item: item[1]))


def listed(items):
    return "\n    " + textwrap.fill(", ".join(items), 116, subsequent_indent="    ", break_long_words=False)


def replace_between(text, begin, end, inside):
    at = text.index(begin)
    at = text.index("\n", at) + 1
    return text[:at] + inside + text[text.index(end, at):]


def enumerations(header, texts):
    lines, inc = [], ["// Made by bindings/generate.py from the headers and dytq.h.\n"]
    for name, prefix, what in [*enums, ("function", "FUNCTION", "Functions that tables are made of")]:
        there = functions(texts) if name == "function" else enumerators(texts, name)
        all_of = numbers(header, prefix, there)
        lines.append(f"/** {what}. */\nenum {{\n" + ",\n".join(f"  DYTQ_{prefix}_{n.upper()} = {v}" for n, v in all_of.items()) + "\n};\n")
        if name == "function":
            inc.append("#define DYTQ_FUNCTIONS(X) \\\n  " + " ".join(f"X({n})" for n in all_of) + "\n")
            if set(all_of) != set(there):
                sys.exit(f"functions without a header: {set(all_of) - set(there)}")
        else:
            # A number whose name is gone stays, and stands for no enumerator.
            values = (f"dytq::{name}::{n}" if n in there else f"static_cast<dytq::{name}>(255)" for n in all_of)
            names = (f'"{n}"' for n in all_of)
            inc.append(f"template <>\nstruct enumeration<dytq::{name}> {{\n  static constexpr dytq::{name} values[] = {{{listed(values)}}};\n"
                       f"  static constexpr const char* names[] = {{{listed(names)}}};\n}};\n")
    return "\n".join(lines), "".join(inc)


scalars = {"int32_t": "c_int32", "int64_t": "c_int64", "uint64_t": "c_uint64", "double": "c_double", "size_t": "c_size_t",
           "void *": "c_void_p", "char *": "c_char_p", "void": "None", "dytq_status": "c_int32"}


def ctype(text, output=False):
    """C type -> ctypes expression."""
    text = text.replace("const", "").strip()
    text = re.sub(r"\s+", " ", text)
    if text in scalars:
        return scalars[text]
    if text.endswith("*"):
        inner = text[:-1].strip()
        return f"POINTER({ctype(inner)})"
    return text


def abi(header):
    text = re.sub(r"^#.*$", "", without_comments(header.replace("\\\n", "")), flags=re.M)
    out = ["# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n",
           '"""dytq.h for ctypes. Made by bindings/generate.py."""\n',
           "from ctypes import (POINTER, Structure, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint64, c_void_p)\n\n",
           f"ABI_VERSION = {re.search(r'#define DYTQ_ABI_VERSION (.*)', header)[1]}\n"]
    for body in re.findall(r"\benum \{(.*?)\};", text, re.S):
        value = -1
        for part in body.split(","):
            part = part.strip()
            if part:
                name, _, given = part.partition("=")
                value = int(given) if given else value + 1
                out.append(f"{name.strip().removeprefix('DYTQ_')} = {value}\n")
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\} \w+;", text, re.S):
        out.append(f"\n\nclass {name}(Structure):\n    _fields_ = [\n")
        for kind, field, count in re.findall(r"([\w *]+[ *])(\w+)(?:\[(\d+)\])?;", body):
            whole = ctype(kind) + (f" * {count}" if count else "")
            out.append(f'        ("{field + "_" * keyword.iskeyword(field)}", {whole}),\n')
        out.append("    ]\n")
    out.append("\n\n# name: (result, arguments)\nFUNCTIONS = {\n")
    for kind, name, arguments in re.findall(r"DYTQ_API\s+([\w ]+?[ *]+)(dytq_\w+)\((.*?)\);", text, re.S):
        types = [ctype(re.sub(r"\w+$", "", a.strip())) for a in arguments.split(",")] if arguments != "void" else []
        out.append(f'    "{name}": ({ctype(kind)}, [{", ".join(types)}]),\n')
    out.append("}\n")
    return "".join(out)


def check_rejection(header, texts):
    """The numbers of a rejection are the same in both."""
    ours = re.findall(r"\bint64_t (\w+);", re.search(r"typedef struct dytq_rejection \{(.*?)\}", header, re.S)[1])
    body = next(m[1] for text in texts.values() for m in [re.search(r"struct rejection \{(.*?)\n\};", text, re.S)] if m)
    theirs = re.findall(r"std::int64_t (\w+) = unset", body)
    if ours != theirs:
        sys.exit(f"dytq_rejection has {ours}, the library {theirs}")


def main():
    header_path = here / "c/dytq.h"
    header = header_path.read_text(encoding="utf-8")
    texts = headers()
    check_rejection(header, texts)
    inside, inc = enumerations(header, texts)
    header = replace_between(header, "/* generated: enumerations", "/* end */", inside)
    made = {header_path: header, here / "c/enums.inc": inc, here / "python/dytq/_abi.py": abi(header)}
    stale = [path for path, text in made.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv[1:]:
        if stale:
            sys.exit("run bindings/generate.py: " + ", ".join(str(path.relative_to(here)) for path in stale))
        return
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made[path], encoding="utf-8")


if __name__ == "__main__":
    main()
