# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts programs of other machines, and tools that a machine may lack; tells "cannot run here" from "wrong".

A check that cannot run raises NotHere, and skipping() turns that into the status that ctest counts as skipped.
"""
import contextlib
import errno
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile

SKIPPED = 77

# Machine of an ELF header: the program of qemu-user that runs its programs.
EMULATORS = {3: "qemu-i386", 22: "qemu-s390x", 40: "qemu-arm", 62: "qemu-x86_64", 183: "qemu-aarch64"}

# Starts wherever the compiler's flags can: it says itself that the processor lacks what -march lets the compiler use.
PROBE = """#include <cstdio>
int main() {
#ifdef __AVX2__
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 0 : 1;
#endif
}
"""


class NotHere(Exception):
    """What this machine lacks."""


@contextlib.contextmanager
def skipping():
    """Around a check: where it raises NotHere, it ends as skipped and says what is missing."""
    try:
        yield
    except NotHere as missing:
        print(f"skipped: {missing}")
        sys.exit(SKIPPED)


def need(*tools):
    """That they are here, and that the kernel starts them."""
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        raise NotHere(f"there is no {', no '.join(missing)}")
    for tool in tools:
        try:
            status = subprocess.run([tool, "--version"], capture_output=True, check=False).returncode
        except OSError as error:
            raise NotHere(f"{tool} does not start: {error.strerror}") from error
        if status != 0:
            raise NotHere(f"{tool} --version ends with {status}")


def emulator(program):
    """The emulator for a program that the kernel does not start."""
    header = pathlib.Path(program).read_bytes()[:20]
    if header[:4] != b"\x7fELF" or len(header) < 20:
        raise NotHere(f"{program} is no program")
    machine = struct.unpack(">H" if header[5] == 2 else "<H", header[18:20])[0]
    name = EMULATORS.get(machine)
    if not name or not shutil.which(name):
        raise NotHere(f"the kernel starts no such program, and there is no {name or f'emulator of machine {machine}'}")
    return name


def start(program, *arguments, **options):
    """The finished process of a program just built: by the kernel, or else by qemu-user."""
    return start_by(None, program, *arguments, **options) or start_by(emulator(program), program, *arguments, **options)


def start_by(emulator, program, *arguments, **options):
    """The same by this emulator, or by the kernel if it is None; None if the kernel does not start it."""
    command = [str(program), *map(str, arguments)]
    options = {"capture_output": True, "text": True} | options
    if not emulator:
        try:
            done = subprocess.run(command, **options)
        except OSError as error:
            # ENOENT of a program that exists: its loader is missing.
            if error.errno in (errno.ENOEXEC, errno.ENOENT) and pathlib.Path(program).exists():
                return None
            raise
        return None if done.returncode == -signal.SIGSYS else done  # a sandbox that forbids the calls of 32 bits
    done = subprocess.run([emulator, *command], **options)
    if done.returncode != 0 and re.search(r"^qemu[^:]*: Could not open '", done.stderr or "", re.M):
        raise NotHere(done.stderr.strip().splitlines()[0])
    return done


def need_target(cxx, *flags):
    """That the compiler takes the flags, has libraries for them, and that what it builds starts here: the emulator it takes."""
    need(cxx)
    with tempfile.TemporaryDirectory() as folder:
        built = subprocess.run([cxx, *flags, "-x", "c++", "-", "-o", f"{folder}/probe"], input=PROBE, capture_output=True, text=True)
        if built.returncode != 0:
            raise NotHere(f"{cxx} {' '.join(flags)} builds no program: {built.stderr.strip().splitlines()[0]}")
        by = None if start_by(None, f"{folder}/probe") else emulator(f"{folder}/probe")
        if start_by(by, f"{folder}/probe").returncode != 0:
            raise NotHere(f"{cxx} {' '.join(flags)}: the processor has no such instructions")
        return by


def valgrind(*command, **options):
    """The finished process under valgrind, which must be here and work."""
    need("valgrind")
    done = subprocess.run(["valgrind", *map(str, command)], **{"capture_output": True, "text": True} | options)
    if done.returncode != 0 and subprocess.run(["valgrind", "--tool=none", "true"], capture_output=True, check=False).returncode != 0:
        raise NotHere("valgrind starts no program")
    if done.returncode != 0:
        sys.exit(f"valgrind {' '.join(map(str, command))}: {done.stderr[-2000:]}")
    return done


def instructions(*command, counts="/dev/null", **options):
    """How many the command takes, those of its children included; callgrind's file goes to `counts`."""
    done = valgrind("--tool=callgrind", f"--callgrind-out-file={counts}", "--trace-children=yes", *command, **options)
    return sum(map(int, re.findall(r"Collected : (\d+)", done.stderr)))
