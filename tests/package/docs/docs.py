#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs.py reference CMAKE BUILD ROOT    the reference is made without a warning, and has a page for each header
docs.py undocumented DOXYFILE ROOT    a public name without a docstring is an error
docs.py snippets COMPILER ROOT        each C++ block of each page in docs/ is a file of its own and shows what it gives: it
                                      compiles and has a static_assert, or it prints the indented lines after it
docs.py pictures PROGRAM ROOT         docs/*.svg are what the example draws
docs.py links ROOT                    what the pages of all folders link to exists, the headers that they name too, and
                                      README.md links to all of docs/"""
import pathlib
import re
import subprocess
import sys
import tempfile
from xml.etree import ElementTree


def reference(cmake, build, root):
    subprocess.run([cmake, "--build", build, "--target", "docs"], check=True)
    for header in sorted((root / "include/dytq").glob("*.hpp")):
        page = pathlib.Path(build) / "docs/html" / (header.stem.replace("_", "__") + "_8hpp.html")
        if not page.exists() or "Detailed Description" not in page.read_text(encoding="utf-8"):
            sys.exit(f"{header.name} has no page that says what it is for")


def undocumented(doxyfile, root):
    with tempfile.TemporaryDirectory() as folder:
        header = pathlib.Path(folder) / "undocumented.hpp"
        for docstring, wanted in (("/// A name.\n", True), ("", False)):
            header.write_text(f"// licence\n// What it is for.\n\nnamespace dytq {{\ninline namespace v0 {{\n\n{docstring}inline constexpr int name = 0;\n\n}}\n}}\n")
            config = pathlib.Path(doxyfile).read_text() + f'\nINPUT = "{folder}"\nUSE_MDFILE_AS_MAINPAGE =\nOUTPUT_DIRECTORY = "{folder}"\n'
            done = subprocess.run(["doxygen", "-"], input=config, capture_output=True, text=True)
            if (done.returncode == 0) != wanted:
                sys.exit(f"documented: {wanted}, but Doxygen says {done.returncode}: {done.stdout}{done.stderr}")


def pages(root):
    return {page: page.read_text(encoding="utf-8") for page in sorted((root / "docs").glob("*.md"))}


def snippets(compiler, root):
    count = ran = 0
    for page, text in pages(root).items():
        for block in re.finditer(r"```cpp\n(.*?)```\n(?:\n((?:    [^\n]*\n)+))?", text, re.S):
            line = text[: block.start(1)].count("\n") + 1
            # The compiler's messages name the page and its lines.
            source = f'#line {line} "{page}"\n{block[1]}'
            command = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{root / 'include'}", "-x", "c++", "-"]
            count += 1
            if "int main()" not in block[1]:
                subprocess.run([*command, "-fsyntax-only"], input=source, check=True, text=True)
                if "static_assert" not in block[1]:
                    sys.exit(f"{page}:{line}: the block shows no result: it has neither a static_assert nor a main")
                continue
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run([*command, "-o", f"{folder}/block"], input=source, check=True, text=True)
                printed = subprocess.run([f"{folder}/block"], check=True, capture_output=True, text=True).stdout
            promised = re.sub("^    ", "", block[2] or "", flags=re.M)
            if printed != promised:
                sys.exit(f"{page}:{line}: the page promises\n{promised}but the code prints\n{printed}")
            ran += 1
    print(f"{count} blocks, {ran} of them run")
    if count == 0 or ran == 0:
        sys.exit("no C++ block in docs/ is run")


def pictures(program, root):
    for name in ("table", "site", "strip"):
        drawn = subprocess.run([program, name], check=True, capture_output=True, text=True).stdout
        ElementTree.fromstring(drawn)  # well-formed
        if (root / f"docs/{name}.svg").read_text(encoding="utf-8") != drawn:
            sys.exit(f"docs/{name}.svg is not what `{program} {name}` draws")


def links(root):
    texts = {page: page.read_text(encoding="utf-8") for page in sorted(root.rglob("*.md"))
             if not any(part.startswith("build") for part in page.relative_to(root).parts)}
    wrong = []
    for page, text in texts.items():
        text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)  # a lambda is no link
        for target in re.findall(r"\]\(([^)#\s]+)", text) + re.findall(r'(?:src|srcset|href)="([^"#]+)"', text):
            if "://" not in target and not (page.parent / target).exists():
                wrong.append(f"{page}: {target} does not exist")
    headers = {str(h.relative_to(root / folder)) for folder in ("include/dytq", "include", "tests", "examples", ".")
               for h in (root / folder).rglob("*.hpp") if "build" not in h.parts}
    for page, text in texts.items():
        if page.name != "CHANGELOG.md":
            wrong += [f"{page}: there is no {name}" for name in re.findall(r"`(?:dytq/)?([a-z][\w/]*\.hpp)`", text)
                      if name not in headers and not (page.parent / name).exists()]
    for page in pages(root):
        if f"(docs/{page.name})" not in texts[root / "README.md"]:
            wrong.append(f"README.md does not link to docs/{page.name}")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    what, *arguments = sys.argv[1:]
    {"reference": reference, "undocumented": undocumented, "snippets": snippets, "pictures": pictures,
     "links": links}[what](*arguments[:-1], pathlib.Path(arguments[-1]))
