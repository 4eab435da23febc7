#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The firmware example: firmware.py codes PROGRAM | firmware.py run CMAKE | firmware.py refused."""
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


def figures(text):
    """{core: {way: instructions an element}}"""
    return {core: {way: float(count) for way, count in re.findall(r"([a-zA-Z ]+?) ([\d.]+)(?:, |$)", ways)}
            for core, ways in re.findall(r"^ *(cortex-m\d+): (.*)$", text, re.M)}


def run_cores(cmake, build):
    status, text = run(cmake, "--build", build, "--target", "run_firmware")
    if status != 0:
        sys.exit(text)
    return "".join(line + "\n" for line in text.splitlines() if line.startswith("cortex-"))


def run_all(cmake):
    """Every core gives the host's codes, the same counts each time, and no more instructions than README.md says."""
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
    shown = re.search(r"<!-- what run_firmware prints -->\n(.*?)<!-- end -->", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    shown, measured = figures(shown.group(1) if shown else ""), figures(printed)
    if not shown or shown.keys() != measured.keys():
        sys.exit("README.md does not show these cores")
    wrong = [f"{core}, {way}: {count}, README.md says {shown[core].get(way)}"
             for core, ways in measured.items() for way, count in ways.items()
             if way not in shown[core] or (count > shown[core][way] + SLACK if way in LOOKUPS
                                           else abs(count / shown[core][way] - 1) > 0.1)]
    if wrong or any(set(LOOKUPS) - set(ways) for ways in measured.values()):
        sys.exit("\n".join(wrong or ["a lookup was not measured"]))


def refused(*_):
    """Each table that does not stay in flash is refused, for the reason in the first line of its source."""
    need("arm-none-eabi-g++")
    flags = ["-std=c++20", "-mcpu=cortex-m0", "-mthumb", "-ffreestanding", "-fno-exceptions", "-fno-rtti", "-Os",
             "-Wall", "-Wextra", "-Wframe-larger-than=255", f"-I{ROOT}/include", f"-I{FIRMWARE}"]
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
    checks = {"codes": codes, "run": run_all, "refused": refused}
    with foreign.skipping():
        checks[sys.argv[1]](*sys.argv[2:])
