#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The firmware example: firmware.py codes PROGRAM | firmware.py run CMAKE CXX | firmware.py refused | firmware.py symbols."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "tests/support"))
import foreign  # noqa: E402
FIRMWARE = ROOT / "examples/firmware"
LOOKUPS = ("a table a channel", "by a loop of its own")
MOST = {"cortex-m0": 30, "cortex-m4": 20, "cortex-m55": 20}  # instructions an element of any lookup of lookups.cpp
SLACK = 0.25  # instructions an element that another version of the compiler may add to a lookup


def run(*command):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def need(*tools):
    foreign.need(*tools)
    source = ["-std=c++20", "-ffreestanding", "-fsyntax-only", "-include", "array", "-x", "c++", "/dev/null"]
    if run("arm-none-eabi-g++", *source)[0] != 0:
        raise foreign.NotHere("there is no libstdc++ for arm-none-eabi")


def codes(program):
    """The committed codes are those that the host computes."""
    made = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    if made != (FIRMWARE / "generated/layer_codes.hpp").read_text(encoding="utf-8"):
        sys.exit("generated/layer_codes.hpp is not what dytq_firmware_codes prints")


def figures(text, before=""):
    """{core: {way: instructions an element}}"""
    return {core: {way: float(count) for way, count in re.findall(r"([a-zA-Z0-9 ]+?) ([\d.]+)(?:, |$)", ways)}
            for core, ways in re.findall(rf"^ *{before}(cortex-m\d+): (.*)$", text, re.M)}


def shown_in(page, comment):
    """The lines that a page shows after a comment."""
    block = re.search(rf"<!-- {comment} -->\n(.*?)<!-- end -->", (ROOT / page).read_text(encoding="utf-8"), re.S)
    return block.group(1) if block else ""


def run_cores(cmake, build):
    status, text = run(cmake, "--build", build, "--target", "run_firmware")
    if status != 0:
        sys.exit(text)
    return "".join(line + "\n" for line in text.splitlines() if line.startswith(("cortex-", "lookups on cortex-", "answers: ")))


def lookups(printed, cxx):
    """Every core gives the host's answers, in no more instructions than the limit, and those of the page."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([cxx, "-std=c++20", f"-I{ROOT}/include", FIRMWARE / "lookups.cpp", "-o", f"{folder}/host"], check=True)
        answers = {subprocess.run([f"{folder}/host"], check=True, capture_output=True, text=True).stdout.strip()}
    answers |= set(re.findall(r"^answers: \d+$", printed, re.M))
    shown, measured = (figures(text, "lookups on ") for text in (shown_in("docs/firmware.md", "what the lookups print"), printed))
    if len(answers) != 1 or shown.keys() != measured.keys() or measured.keys() != MOST.keys():
        sys.exit(f"the answers, or the cores of docs/firmware.md, are others: {answers}")
    wrong = [f"{core}, {way}: {count}, docs/firmware.md says {shown[core].get(way)}, the limit is {MOST[core]}"
             for core, ways in measured.items() for way, count in ways.items()
             if count > MOST[core] or abs(count - shown[core].get(way, 0)) > SLACK]
    if wrong:
        sys.exit("\n".join(wrong))


def run_all(cmake, cxx):
    """Every core gives the host's codes, the same counts each time, and no more instructions than docs/firmware.md says."""
    need("arm-none-eabi-g++", "qemu-system-arm")
    with tempfile.TemporaryDirectory() as build:
        status, text = run(cmake, "-S", ROOT, "-B", build, "--toolchain", FIRMWARE / "arm-none-eabi.cmake",
                           "-DDYTQ_BUILD_TESTS=OFF", "-DDYTQ_BUILD_BENCH=OFF", "-DDYTQ_INSTALL=OFF")
        if status != 0:
            sys.exit(text)
        printed = run_cores(cmake, build)
        print(printed, end="")
        if run_cores(cmake, build) != printed:
            sys.exit("another run counts other instructions")
    shown, measured = figures(shown_in("docs/firmware.md", "what run_firmware prints")), figures(printed)
    if not shown or shown.keys() != measured.keys():
        sys.exit("docs/firmware.md does not show these cores")
    wrong = [f"{core}, {way}: {count}, docs/firmware.md says {shown[core].get(way)}"
             for core, ways in measured.items() for way, count in ways.items()
             if way not in shown[core] or (count > shown[core][way] + SLACK if way in LOOKUPS
                                           else abs(count / shown[core][way] - 1) > 0.1)]
    if wrong or any(set(LOOKUPS) - set(ways) for ways in measured.values()):
        sys.exit("\n".join(wrong or ["a lookup was not measured"]))
    lookups(printed, cxx)


def symbols(*_):
    """Unchecked lookups ask nothing of the linker, however they are compiled."""
    need("arm-none-eabi-g++", "arm-none-eabi-nm")
    for core in MOST:
        for flags in ("-Os", "-O2", "-O0", "-Os -D_GLIBCXX_ASSERTIONS"):
            with tempfile.TemporaryDirectory() as folder:
                status, text = run("arm-none-eabi-g++", "-std=c++20", f"-mcpu={core}", "-mthumb", "-ffreestanding",
                                   "-fno-exceptions", *flags.split(),
                                   f"-I{ROOT}/include", "-c", HERE / "lookup_symbols.cpp", "-o", f"{folder}/lookups.o")
                asked = run("arm-none-eabi-nm", "--undefined-only", f"{folder}/lookups.o")[1].strip() if status == 0 else text
                defined = run("arm-none-eabi-nm", "--defined-only", f"{folder}/lookups.o")[1]
            print(f"{core} {flags}: {asked or 'nothing'}")
            if asked or " points_tflite" not in defined:
                sys.exit("a lookup asks something of the linker")


def refused(*_):
    """Each table that does not stay in flash is refused, for the reason in the first line of its source."""
    need("arm-none-eabi-g++")
    flags = ["-std=c++20", "-mcpu=cortex-m0", "-mthumb", "-ffreestanding", "-fno-exceptions", "-fno-rtti", "-Os",
             "-Wall", "-Wextra", "-Wframe-larger-than=255", "-DDYTQ_CLOCK_HZ=16000000", "-DDYTQ_ICOUNT_SHIFT=8",
             f"-I{ROOT}/include", f"-I{FIRMWARE}"]
    link = ["-nostdlib", f"-L{FIRMWARE}/boards", "-Tmicrobit.ld", FIRMWARE / "board.cpp", "-lgcc"]
    for source in sorted((HERE / "refused").glob("*.cpp")):
        with tempfile.TemporaryDirectory() as folder:
            status, text = run("arm-none-eabi-g++", *flags, source, *link, "-o", f"{folder}/program.elf")
        expected = re.match(r"// expect: (.*)", source.read_text(encoding="utf-8")).group(1)
        is_refused = status != 0 or "warning: " in text
        print(f"{source.stem}: {'refused' if is_refused else 'links'}")
        if is_refused == (expected == "links") or (is_refused and not re.search(expected, text)):
            sys.exit(f"{source.name}: expected '{expected}', got\n{text or 'a program'}")


if __name__ == "__main__":
    checks = {"codes": codes, "run": run_all, "refused": refused, "symbols": symbols}
    with foreign.skipping():
        checks[sys.argv[1]](*sys.argv[2:])
