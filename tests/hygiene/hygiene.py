#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the headers promise as text and to every compiler: hygiene.py CHECK [COMPILER...].

CHECK is one of the functions below, as the last lines list them.
"""
import pathlib
import posixpath
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
import foreign  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = ROOT / "include"
FOLDER = INCLUDE / "dytq"
HEADERS = sorted(p.relative_to(FOLDER).as_posix() for p in FOLDER.rglob("*.hpp"))
OPT_IN = {"fmt.hpp"}  # needs the fmt library; nothing else may include it
CORE = [h for h in HEADERS if h not in OPT_IN]

TOP_LEVEL = {".ci", ".clang-format", ".clang-tidy", ".gitignore", "CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md",
             "LICENSE", "README.md", "bench", "bindings", "cmake", "docs", "examples", "include", "packaging", "tests"}
ALLOWED_STD = {"array", "bit", "compare", "concepts", "cstddef", "cstdint", "limits", "type_traits", "utility"}
WARNINGS = ("-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Werror").split()
NO_RUNTIME = "-fno-exceptions -fno-rtti".split()
FOLD_LINES = 20_600  # of preprocessed fold.hpp; <array> alone has 13,560 with g++ 12
FOLD_COST = 2.0  # of fold.hpp, in instructions of the compiler, over that of <array>


def compiler(cxx, *args, source, out=None):
    """Runs cxx on the source text; returns its standard output, or exits with its complaints."""
    command = [cxx, f"-I{INCLUDE}", *args, "-x", "c++", "-"] + (["-o", str(out)] if out else [])
    done = subprocess.run(command, input=source, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr[:4000]}")
    return done.stdout


def include_all(headers):
    return "".join(f"#include <dytq/{h}>\n" for h in headers)


def code_of(text):
    """The text without comments and string literals, line by line as it was."""
    blank = lambda m: re.sub(r"[^\n]", " ", m.group())
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def includes_of(text):
    return re.findall(r'^\s*#\s*include\s*([<"][^>"]+[>"])', text, flags=re.M)


def order_of_headers():
    """The headers from the ground up, as the table in docs/architecture.md lists them."""
    table = (ROOT / "docs/architecture.md").read_text()
    return re.findall(r"^\| *(?:\d|-) *\| *`([\w/]+\.hpp)` *\|", table, flags=re.M)


# Words that have no place in the headers, and why.
FORBIDDEN = {
    r"\b(?:throw|try|catch)\b": "no exceptions",
    r"\b(?:assert|abort|exit|terminate)\s*\(": "a library never ends the program",
    r"\b(?:new|typeid|dynamic_cast)\b|\b(?:malloc|free)\s*\(|\bdelete\b(?!;)": "no allocation, no run-time types",
    r"\bgoto\b|\bconst_cast\b": "nothing needs it",
    r"\busing\s+namespace\b": "would leak names into a user's scope",
    r"#\s*(?:if|ifdef|elif)\b(?!.*__SIZEOF_INT128__)": "no macro selects behaviour; results are the same everywhere",
    r"#\s*pragma\b": "include guards are portable, and nothing else needs one",
    r"\blong double\b": "not the same everywhere",
    r"^(?:<<<<<<<|>>>>>>>)": "a merge was left open",
}


def text():
    """Guards, includes, floors and forbidden words."""
    wrong = []
    order = order_of_headers()
    rank = {name: i for i, name in enumerate(order)}
    for header in HEADERS:
        source = (FOLDER / header).read_text()
        where = f"include/dytq/{header}"
        guard = "DYTQ_" + re.sub(r"[/.]", "_", header).upper()
        if not source.startswith("// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n// "):
            wrong.append(f"{where}: begins with the licence and a line that says what it is for")
        if f"\n#ifndef {guard}\n#define {guard}\n" not in source:
            wrong.append(f"{where}: its include guard is {guard}")
        if header not in rank:
            wrong.append(f"{where}: has no row in the table of docs/architecture.md")
            continue
        for include in includes_of(source):
            name = include[1:-1]
            if include[0] == '"':
                name = posixpath.normpath(posixpath.join(posixpath.dirname(header), name))
                if name not in rank or rank[name] >= rank[header]:
                    wrong.append(f"{where}: includes {name}, which is not below it in docs/architecture.md")
                if name in OPT_IN:
                    wrong.append(f"{where}: includes {name}, which is for users to opt into")
            elif header not in OPT_IN and name not in ALLOWED_STD:
                wrong.append(f"{where}: <{name}> is not on the list of standard headers")
        for number, line in enumerate(code_of(source).splitlines(), 1):
            for pattern, why in FORBIDDEN.items():
                if header not in OPT_IN and re.search(pattern, line):
                    wrong.append(f"{where}:{number}: {why}: {line.strip()}")
    for name in order:
        if not (FOLDER / name).exists():
            wrong.append(f"docs/architecture.md: lists {name}, which does not exist")
    tracked = subprocess.run(["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True).stdout  # none outside a repository
    for name in sorted({path.split("/")[0] for path in tracked.splitlines()} - TOP_LEVEL):
        wrong.append(f"{name}: is not expected at the top")
    if wrong:
        sys.exit("\n".join(wrong))


TOP_HEADERS, ALL_HEADERS, LEVELS = 24, 66, 12
README_LINES, README_COLUMNS = 150, 120


def house():
    """As many headers as a reader can keep in mind, on few levels; and a README of few lines."""
    wrong = []
    below = {}
    for header in HEADERS:
        local = [i[1:-1] for i in includes_of((FOLDER / header).read_text()) if i[0] == '"']
        below[header] = [posixpath.normpath(posixpath.join(posixpath.dirname(header), name)) for name in local]

    def level(header, path=()):
        if header in path:
            sys.exit(f"a circle of includes: {' -> '.join([*path, header])}")
        return 1 + max((level(b, (*path, header)) for b in below[header]), default=0)

    levels = {header: level(header) for header in HEADERS}
    deepest = max(levels, key=levels.get)
    top = [header for header in HEADERS if "/" not in header]
    print(f"{len(top)} headers on top, {len(HEADERS)} in all, {levels[deepest]} levels ({deepest})")
    for what, number, limit in (("headers on top", len(top), TOP_HEADERS), ("headers", len(HEADERS), ALL_HEADERS),
                                ("levels of includes", levels[deepest], LEVELS)):
        if number > limit:
            wrong.append(f"{number} {what}; at most {limit}")
    for folder in sorted({posixpath.dirname(h) for h in HEADERS} - {""}):
        first = next(h for h in HEADERS if posixpath.dirname(h) == folder)
        if not re.search(r"^// (?:Folder|The folder) ", (FOLDER / first).read_text(), flags=re.M):
            wrong.append(f"include/dytq/{first}: the first header of a folder says in a line what lives there and what may not")
    lines = (ROOT / "README.md").read_text().splitlines()
    if len(lines) > README_LINES:
        wrong.append(f"README.md: {len(lines)} lines; at most {README_LINES}")
    wrong += [f"README.md:{n}: {len(line)} columns" for n, line in enumerate(lines, 1) if len(line) > README_COLUMNS]
    if wrong:
        sys.exit("\n".join(wrong))


def public_names():
    """Name -> header, of everything that the headers declare in namespace dytq and outside detail."""
    found = {}

    def record(head, header):
        head = re.sub(r"^template\s*<.*?>\s*(?=requires|constexpr|struct|class|inline|concept|using)", "", head, flags=re.S)
        for pattern in (r"\b(?:struct|class|enum class|enum)\s+(?:\[\[\w+\]\]\s+)?(\w+)", r"\bconcept\s+(\w+)", r"\busing\s+(\w+)\s*=",
                        r"\binline constexpr\b[^=({]*?(\w+)\s*(?:=|\[|$|\{)", r"(\w+)\s*\("):
            name = re.search(pattern, head)
            if name:
                if name[1] not in ("operator", "requires", "decltype"):
                    found.setdefault(name[1], header)
                return

    for header in CORE:
        text = re.sub(r"^\s*#.*(?:\\\n.*)*", "", code_of((FOLDER / header).read_text()), flags=re.M)
        scopes, head = [], ""
        for token in re.findall(r"[{};]|[^{};]+", text):
            in_dytq = all(scope == "open" for scope in scopes)
            if token == "{":
                namespace = re.search(r"\bnamespace\s+(\w+)$", head.strip())
                if not namespace and in_dytq:
                    record(head.strip(), header)
                scopes.append("open" if namespace and namespace[1] != "detail" else "closed")
                head = ""
            elif token == "}":
                scopes.pop()
                head = ""
            elif token == ";":
                if in_dytq:
                    record(head.strip(), header)
                head = ""
            else:
                head += token
    return found


def names():
    """What is outside detail is on a page or in an example; what is in a folder is inside detail."""
    found = public_names()
    pages = [ROOT / "README.md"]
    for folder in ("docs", "examples", "bindings"):
        pages += [p for p in (ROOT / folder).rglob("*") if p.suffix in (".md", ".cpp", ".hpp", ".h") and "generated" not in p.parts]
    text = "\n".join(p.read_text(errors="ignore") for p in pages)
    wrong = [f"include/dytq/{header}: {name} is on no page and in no example" for name, header in found.items()
             if not re.search(rf"\b{name}\b", text)]
    wrong += [f"include/dytq/{header}: {name} is outside detail, in a folder" for name, header in found.items() if "/" in header]
    print(f"{len(found)} public names")
    if wrong:
        sys.exit("\n".join(wrong))


def alone(cxx):
    """Every header compiles as the only one, freestanding, with all warnings."""
    for header in CORE:
        compiler(cxx, "-std=c++20", "-ffreestanding", *NO_RUNTIME, *WARNINGS, "-fsyntax-only", source=include_all([header]))


def two_units(cxx):
    """Two translation units with everything in them link: nothing is defined twice."""
    with tempfile.TemporaryDirectory() as folder:
        objects = [f"{folder}/{i}.o" for i in range(2)]
        for i, main in enumerate(["int main() {}\n", ""]):
            compiler(cxx, "-std=c++20", *NO_RUNTIME, *WARNINGS, "-c", source=include_all(CORE) + main, out=objects[i])
        subprocess.run([cxx, *objects, "-o", f"{folder}/program"], check=True)


def macros(cxx):
    """The headers leave nothing defined but their guards and the version."""
    std = "".join(f"#include <{name}>\n" for name in sorted(ALLOWED_STD))
    names = lambda source: set(re.findall(r"^#define (\w+)", compiler(cxx, "-std=c++20", "-dM", "-E", source=source), re.M))
    left = names(std + include_all(CORE)) - names(std)
    leaked = [m for m in sorted(left) if not re.fullmatch(r"DYTQ_(\w+_HPP|VERSION_\w+)", m)]
    if leaked:
        sys.exit(f"left defined: {', '.join(leaked)}")


def foreign_macros(cxx):
    """Every header reads the same among the macros of other people's headers."""
    macros = HERE / "foreign_macros.hpp"
    std = "".join(f"#include <{name}>\n" for name in sorted(ALLOWED_STD | {"cstdio"}))
    mark = "dytq begins here"
    read = lambda before: compiler(cxx, "-std=c++20", "-E", "-P", source=before + f"{mark}\n" + include_all(CORE)).split(mark)[1].splitlines()
    plain, among = read(std), read(std + f'#include "{macros}"\n')
    for line, other in zip(plain, among):
        if line != other:
            sys.exit(f"a macro of foreign_macros.hpp changes\n  {line.strip()}\nto\n  {other.strip()}")
    if len(plain) != len(among) or not any("namespace dytq" in line for line in plain):
        sys.exit("the headers were not read, or not to their end")

    # Those that the standard headers do not meet may come before anything else.
    text = code_of(compiler(cxx, "-std=c++20", "-E", "-P", source=std))
    meets = lambda name, call: re.search(rf"\b{name}\s*\(" if call else rf"\b{name}\b", text)
    first = [line for line, name, call in re.findall(r"^(#define (\w+)(\(?).*)$", macros.read_text(), re.M) if not meets(name, call)]
    if not any("bit(b)" in line for line in first):
        sys.exit("no macro is left to come before the standard headers")
    compiler(cxx, "-std=c++20", *WARNINGS, "-fsyntax-only", source="\n".join(first) + "\n" + include_all(CORE))


def lines(cxx):
    """fold.hpp stays small: lines of preprocessed text, which do not depend on the machine's load."""
    count = compiler(cxx, "-std=c++20", "-E", source="#include <dytq/fold.hpp>\n").count("\n")
    array = compiler(cxx, "-std=c++20", "-E", source="#include <array>\n").count("\n")
    print(f"fold.hpp: {count} lines of -E output; <array>: {array}; limit: {FOLD_LINES}")
    if count > FOLD_LINES:
        sys.exit("fold.hpp has grown too large")


def compile_cost(cxx):
    """fold.hpp stays cheap: the compiler's instructions, counted by valgrind, which do not depend on the load either."""
    def instructions(header):
        return foreign.instructions(cxx, f"-I{INCLUDE}", "-std=c++20", "-fsyntax-only", "-x", "c++", "-",
                                    input=f"#include <{header}>\n")

    array, fold = instructions("array"), instructions("dytq/fold.hpp")
    print(f"<array>: {array / 1e6:.0f} million instructions; fold.hpp: {fold / 1e6:.0f}; ratio: {fold / array:.2f}")
    if fold > FOLD_COST * array:
        sys.exit(f"fold.hpp costs more than {FOLD_COST} times <array>")


def no_floats(clang):
    """No floating-point arithmetic, comparison or conversion: read off clang's syntax tree.

    A double may be stored, passed, and have its bits looked at. Anything more would depend on -ffast-math and the like.
    """
    tree = compiler(clang, "-std=c++20", "-fsyntax-only", "-Xclang", "-ast-dump", "-Xclang", "-ast-dump-filter=dytq",
                    "-fno-color-diagnostics", source=include_all(CORE))
    floating = re.compile(r"'(?:const )?(?:float|double|long double)'")
    wrong = []
    operators = []  # (depth, line) of the operators that enclose the line at hand
    position = ""
    for line in tree.splitlines():
        depth = len(line) - len(line.lstrip(" |`-"))
        node = line[depth:].split(" ", 1)[0]
        operators = [o for o in operators if o[0] < depth]
        is_operator = node in ("BinaryOperator", "CompoundAssignOperator", "UnaryOperator") and not line.endswith("'='")
        is_floating = bool(floating.search(line))
        if re.search(r"<(?:IntegralToFloating|FloatingToIntegral|FloatingCast|FloatingToBoolean)>", line):
            wrong.append(line.strip(" |`-"))
        elif is_floating and (is_operator or node.endswith(("StaticCastExpr", "FunctionalCastExpr", "CStyleCastExpr"))):
            wrong.append(line.strip(" |`-"))
        elif is_floating and operators and operators[-1][0] == depth - 2:
            wrong.append(operators[-1][1].strip(" |`-") + " of " + line.strip(" |`-"))
        if is_operator:
            operators.append((depth, line))
    if "FunctionDecl" not in tree:
        sys.exit(f"{clang}: no syntax tree to read")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    checks = {f.__name__: f for f in (text, house, names, alone, two_units, macros, foreign_macros, lines, compile_cost, no_floats)}
    with foreign.skipping():
        checks[sys.argv[1]](*sys.argv[2:])
