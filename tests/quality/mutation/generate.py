#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Do the tests bite everywhere? Draws errors from all headers, makes each alone in a copy of the tree, and expects some
test to fail. What survives is a hole in the tests, or changes nothing that a test could see: read each.

  generate.py                 draws 320 errors, makes them, prints one line each and the sums
  generate.py --list          only shows the draw; takes no time
  generate.py --only REGEX    those of the draw in whose file or line the expression is found

Which errors: a comparison moved by one or turned around; an operator replaced by its opposite; a constant one more or
one less; a truth value or a negation inverted; a condition that never holds; a statement deleted. The draw depends on
the seed and on the text of each line alone, so that an edit changes the draw where the edit is.

An error that no test can be compiled with is no error of the program and is drawn anew; a failed static_assert, or a
constant expression that is none any more, is a test that fails. Tests are asked in the order of their cost, those of
the header first; the first failure ends it. Exit status 1: less than 95 % killed.
"""
import argparse
import hashlib
import pathlib
import re
import signal
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import run as listed

ROOT = listed.ROOT
HEADERS = ROOT / "include/dytq"
WANTED = 0.95
# Beside the unit tests, from cheap to dear.
LATE = ["lut_test"]
DEAR = ["lut_bounds_test", "lut_golden_test", "lut_float32_test", "lut_mpfr_test", "hostile_test", "golden_test",
        "scalar_property_test", "alpha_property_test", "conv_property_test", "retable_property_test",
        "rewrites_property_test", "fold_property_test", "fit_completeness", "plan", "agreement", "fold_completeness",
        "soundness"]
LUT = {"lut_bounds_test": "bounds", "lut_golden_test": "golden", "lut_float32_test": "float32", "lut_mpfr_test": "mpfr_tables"}
# Tests that count instructions, whichever program has them, and the header whose work they count.
COUNTED = {"speed.instructions.g++": "fold.hpp", "lookup_cost": "lookup.hpp"}
NEAREST = 3  # tests that are only compiled before any is built
FEW = {"RC_PARAMS": "max_success=60"}  # enough for what random tests find at all

OPPOSITE = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
            "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"], "<<": [">>"], ">>": ["<<"], "&": ["|"],
            "|": ["&"], "^": ["|"], "&&": ["||"], "||": ["&&"], "+=": ["-="], "-=": ["+="], "*=": ["+="],
            "|=": ["&="], "&=": ["|="], "<<=": [">>="], ">>=": ["<<="], "++": ["--"], "--": ["++"]}
TOKEN = re.compile(r"""(?P<skip>//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+'|^[ ]*\#[^\n]*)
                     |(?P<number>\b(?:0x[0-9a-fA-F']+|[0-9][0-9']*)(?:[uUlL]*)\b)
                     |(?P<word>[A-Za-z_]\w*)
                     |(?P<op><<=|>>=|<=>|->|::|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|\|=|&=|\^=|[-+*/%<>=!&|^~?:;,.(){}\[\]])
                  """, re.X | re.S | re.M)


class Mutant:
    def __init__(self, path, text, start, end, new, kind):
        self.file, self.start, self.end, self.new, self.kind = path.name, start, end, new, kind
        first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
        line, before = text[first:last], text[first:start]
        self.number = text.count("\n", 0, first) + 1
        self.line = " ".join(line.split())
        self.becomes = " ".join((text[first:start] + new + text[end:last]).split())
        same = sum(" ".join(l.split()) == self.line for l in text[:first].splitlines())
        self.key = f"{self.file}|{self.line}|{same}|{len(before.split())}|{before.count(text[start:end])}|{self.becomes}"

    def order(self, seed):
        return hashlib.sha256(f"{seed}|{self.key}".encode()).hexdigest()

    def identity(self):
        return self.order("")[:10]

    def apply(self, tree):
        path = tree / "include/dytq" / self.file
        text = path.read_text()
        path.write_text(text[:self.start] + self.new + text[self.end:])
        return lambda: path.write_text(text)


def closing(text, at, pair="()"):
    """Where the bracket that opens at `at` closes."""
    depth = 0
    for m in TOKEN.finditer(text, at):
        depth += {pair[0]: 1, pair[1]: -1}.get(m.group(), 0)
        if depth == 0:
            return m.start()
    return len(text)


def no_program(text):
    """Stretches whose change is none of what the program does: assertions, declarations of templates, unit names."""
    out = [(m.start(), m.end()) for m in TOKEN.finditer(text) if m.lastgroup == "skip"]
    for m in re.finditer(r"\b(static_assert|requires|decltype|alignas)\s*\(", text):
        out.append((m.start(), closing(text, m.end() - 1)))
    for m in re.finditer(r"(=|&&|\|\||\()\s*requires\b\s*(\([^()]*\)\s*)?\{", text):  # what stands in it is never evaluated
        out.append((m.start(), closing(text, m.end() - 1, "{}")))
    out += [m.span() for m in re.finditer(r"\btemplate <[^\n]*>$", text, flags=re.M)]
    out += [m.span() for m in re.finditer(r"^(concept |requires|enum class |  requires)[^\n]*$", text, flags=re.M)]
    return sorted(out)


def mutants_of(path):
    text = path.read_text()
    skips = no_program(text)
    skipped = lambda at: any(a <= at < b for a, b in skips)
    out = []
    add = lambda a, b, new, kind: out.append(Mutant(path, text, a, b, new, kind))
    tokens = [m for m in TOKEN.finditer(text) if m.lastgroup != "skip" and not skipped(m.start())]
    for i, m in enumerate(tokens):
        word, (a, b) = m.group(), m.span()
        before, after = text[a - 1], text[b:b + 1]
        if m.lastgroup == "op" and word in OPPOSITE:
            binary = before in " \n" and after in " \n"
            crement = word in ("++", "--")
            if (binary or crement) and tokens[i - 1].group() != "operator":
                for new in OPPOSITE[word]:
                    add(a, b, new, "operator")
        elif word == "!" and after != "=":
            add(a, b, "", "negation")
        elif m.lastgroup == "number":
            digits = re.sub(r"[uUlL']", "", word)
            value = int(digits, 0)
            for new in {value + 1, value - 1 if value > 0 else value + 1}:
                add(a, b, str(new) + re.sub(r"^[0-9a-fA-FxX']*", "", word), "constant")
        elif word in ("true", "false"):
            add(a, b, {"true": "false", "false": "true"}[word], "truth")
        elif word in ("if", "while") and tokens[i + 1].group() == "(":
            opened = tokens[i + 1].start()
            closed = closing(text, opened)
            condition = text.rfind(";", opened, closed) + 1 or opened + 1
            add(condition, closed, " false" if text[condition - 1] == ";" else "false", "condition")
    # Statements that stand alone: assignments, calls, break and continue. A declaration has two words side by side.
    for m in re.finditer(r"(?<=[;{}\n])[ ]*\n?[ ]{2,}((?:\+\+|--|\*)?[a-z_][\w.]*(?:(?:->|\.|\[|\()[^;{}]*|[ ]*[-+*|&^<>]*= [^;{}]*|\+\+|--)?);(?=\n)", text):
        statement = m.group(1)
        if re.match(r"(return|using|const|constexpr|static|friend|throw|namespace|typename|template|auto)\b", statement):
            continue
        simple = statement in ("break", "continue") or re.match(r"[\w.\[\]>()*+-]+? [-+*|&^<>]*= ", statement) or \
            re.match(r"[\w.]+(->|\.)?\w*\(.*\)$", statement, flags=re.S) or re.match(r"(\+\+|--)[\w.]+$|[\w.]+(\+\+|--)$", statement)
        if simple and not skipped(m.start(1)) and text.rfind("{", 0, m.start(1)) > 0 and m.start(1) > text.find("{"):
            add(m.start(1), m.end(1), "", "deletion")
    return out


def all_mutants():
    return [m for path in sorted(HEADERS.glob("*.hpp")) if path.name != "version.hpp" for m in mutants_of(path)]


def draw(mutants, seed):
    """All of them in the order of the draw: first three of every header, then wherever the draw falls."""
    ordered = sorted(mutants, key=lambda m: m.order(seed))
    first, taken = [], {}
    for m in ordered:
        taken[m.file] = taken.get(m.file, 0) + 1
        if taken[m.file] <= 3:
            first.append(m)
    chosen = set(map(id, first))
    return first + [m for m in ordered if id(m) not in chosen]


class Programs:
    """The test programs of the tree and the headers that each reads."""

    def __init__(self, tree, late, most):
        self.tree, self.most = tree, most
        units = sorted(p.stem for p in (ROOT / "tests/unit").glob("*_test.cpp"))
        self.names = [n for n in units + late if n in tree.tests]
        self.late = set(late)
        self.closures, self.sound, self.compiled = {}, set(), set()
        self.direct = {n: self.includes(n) for n in self.names}
        self.headers = {n: set().union(*map(self.closure, self.direct[n])) for n in self.names}

    def closure(self, header):
        """A header and all below it."""
        if header not in self.closures:
            below = re.findall(r'^#include "(\w+\.hpp)"', (HEADERS / header).read_text(), flags=re.M)
            self.closures[header] = {header}.union(*map(self.closure, below))
        return self.closures[header]

    @staticmethod
    def source(name):
        """The one source of a program; none if it has more."""
        return next((p for p in (ROOT / f"tests/{kind}/{name}.cpp" for kind in ("unit", "tables")) if p.exists()), None)

    def includes(self, name):
        """What the program's source includes; a program that is not made of one source has them all."""
        source = ROOT / f"tests/tables/{LUT[name]}_test.cpp" if name in LUT else self.source(name)
        if name in COUNTED:
            return {COUNTED[name]}
        if source is None:
            return {p.name for p in HEADERS.glob("*.hpp")} - {"fmt.hpp", "version.hpp"}
        return set(re.findall(r"<dytq/(\w+\.hpp)>", source.read_text()))

    def order(self, header):
        """The header's own test, those that include it, those that include more; the small before the great."""
        own = header[:-4] + "_test"
        asked = [n for n in self.names if header in self.headers[n]]
        asked.sort(key=lambda n: (n in self.late, n != own, self.names.index(n) if n in self.late else
                                  (header not in self.direct[n], len(self.headers[n]))))
        return asked[:self.most - 1] + [n for n in asked[self.most - 1:] if n in self.late] if self.most else asked

    def expect_compiles(self, name):
        if name not in self.sound and name not in self.compiled and self.source(name):
            error = self.tree.syntax_error(self.source(name))
            if error:
                sys.exit(f"{name} does not compile before anything is changed: {error[-2000:]}")
            self.compiled.add(name)

    def expect_sound(self, name):
        """It must pass before anything is changed."""
        if name not in self.sound:
            how = self.tree.failure(name)
            if how:
                sys.exit(f"{name} fails before anything is changed: {how[-2000:]}")
            self.sound.add(name)


def found_by_compiler(error):
    """What a compiler's text says of the error that was made."""
    if "timed out" in error:
        return "timeout"
    found = re.search(r"static assertion|constant expression|exceeds (limit|maximum)|-fconstexpr", error)
    return "killed at compile time" if found else "no program"


def verdict(tree, programs, m):
    """(what happened, by which test)"""
    names = programs.order(m.file)
    for name in names[:NEAREST]:
        programs.expect_compiles(name)
    restore = m.apply(tree.root)
    try:
        for name in names[:NEAREST]:  # the compile-time half of a test costs a third of it all, and finds the most
            source = programs.source(name)
            error = tree.syntax_error(source) if source else None
            if error:
                return found_by_compiler(error), name
    finally:
        restore()
    for name in names:
        programs.expect_sound(name)
        restore = m.apply(tree.root)
        try:
            error = tree.build_error({name} & tree.targets)
            if error:
                return found_by_compiler(error), name
            done = tree.ctest(name)
            if done.returncode != 0:
                return ("timeout" if "Timeout" in done.stdout or done.returncode == 124 else "killed at run time"), name
        finally:
            restore()
    return "SURVIVES", ""


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--count", type=int, default=320)
    arguments.add_argument("--seed", default="1")
    arguments.add_argument("--only", default="")
    arguments.add_argument("--list", action="store_true")
    arguments.add_argument("--skip", type=int, default=0, help="begin behind the first so many of the draw")
    arguments.add_argument("--cheap", action="store_true", help="the nearest tests alone: a first look")
    arguments.add_argument("--folder", help="keep the copy and its build here, for the next run")
    arguments.add_argument("cmake_arguments", nargs="*", help="after --, for instance -- -DCMAKE_CXX_COMPILER=clang++-19")
    arguments = arguments.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # so that the header is restored

    drawn = draw(all_mutants(), arguments.seed)
    if arguments.list:
        for m in drawn[:arguments.count]:
            print(f"{m.identity()} {m.file}:{m.number} {m.kind}: {m.line}  ->  {m.becomes}")
        return

    with tempfile.TemporaryDirectory(prefix="dytq-mutation-") as temporary:
        folder = pathlib.Path(arguments.folder or temporary)
        tree = listed.Tree(folder, arguments.cmake_arguments, FEW)
        programs = Programs(tree, [] if arguments.cheap else LATE + DEAR + list(COUNTED), 4 if arguments.cheap else 0)
        counts = {}
        made = 0
        for m in drawn[arguments.skip:]:
            if made == arguments.count:
                break
            if not re.search(arguments.only, m.file + " " + m.line):
                made += 1
                continue
            start = time.monotonic()
            what, by = verdict(tree, programs, m)
            if what != "no program":
                made += 1
                counts[what] = counts.get(what, 0) + 1
            print(f"{time.monotonic() - start:5.1f} s  {m.identity()} {m.file}:{m.number} {m.kind}: {m.line}  ->  {m.becomes}  "
                  f"[{what}: {by}]", flush=True)
        total = sum(counts.values())
        killed = total - counts.get("SURVIVES", 0)
        print(", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
        print(f"{killed} of {total} killed ({100 * killed / max(total, 1):.1f} %)")
        sys.exit(killed < WANTED * total)


if __name__ == "__main__":
    main()
