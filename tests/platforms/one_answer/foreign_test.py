#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests/support/foreign.py calls "not here", and that nothing which is wrong is called so."""
import os
import pathlib
import subprocess
import sys
import tempfile

import one_answer  # puts foreign in reach
import foreign


def left_out(call, *arguments):
    try:
        call(*arguments)
    except foreign.NotHere:
        return True
    return False


def script(path, text):
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # 20 bytes of an ELF header for a machine that nobody has.
        alien = folder / "alien"
        alien.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00\xfe\xff" + bytes(44))
        alien.chmod(0o755)
        assert left_out(foreign.start, alien) and left_out(foreign.need, str(alien))
        assert left_out(foreign.need, "no-such-tool-of-dytq")
        fails = script(folder / "fails", "#!/bin/sh\nexit 3\n")
        assert left_out(foreign.need, fails)
        assert foreign.start(fails).returncode == 3
        try:
            foreign.start(folder / "missing")
            raise AssertionError("a program that was never built is an error")
        except FileNotFoundError:
            pass
        # A compiler that does not know the flag is left out; one whose program ends badly is wrong.
        cxx = os.environ.get("CXX", "g++")
        assert left_out(foreign.need_target, cxx, "-mno-such-flag-of-dytq")
        if not left_out(foreign.need_target, cxx):
            got = one_answer.answers("0", cxx, "-O0")
            one_answer.answers = lambda *_: got
            one_answer.row("0", cxx, "-O0")
            answers = folder / "answers"
            text = one_answer.ANSWERS.read_text(encoding="utf-8")
            answers.write_text(text.replace(text.split()[1], "0" * 16), encoding="utf-8")
            one_answer.ANSWERS = answers
            try:
                one_answer.row("0", cxx, "-O0")
                raise AssertionError("another answer is an error")
            except SystemExit as error:
                assert "are in no line" in str(error)
            row = [sys.executable, one_answer.__file__, "row", "0", cxx, "-mno-such-flag-of-dytq"]
            assert subprocess.run(row, capture_output=True, check=False).returncode == foreign.SKIPPED


if __name__ == "__main__":
    main()
