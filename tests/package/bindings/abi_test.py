#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""abi_test.py COMPILER: abi.py notices what it must, on copies of dytq.h that have been changed."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent.parent.parent
changes = {
    "a field moves": ("  int32_t multiplier; /**< in [0, 2^31) */\n  int32_t shift;      /**< to the right, in [2, 62]; others with other roundings */\n",
                      "  int32_t shift;\n  int32_t multiplier;\n"),
    "a field goes": ("  int64_t tap;            /**< kernel position, flat */\n", ""),
    "a number changes": ("DYTQ_BAD_SIZE = 3,", "DYTQ_BAD_SIZE = 9,"),
    "a function goes": ("DYTQ_API int32_t dytq_abi_version(void);\n", ""),
    "an argument changes": ("dytq_add_int32(int32_t a, int32_t b,", "dytq_add_int32(int64_t a, int64_t b,"),
    "a small type grows": ("  int64_t after;    /**< the same at the other end */\n", "  int64_t after;\n  int64_t more;\n"),
    "something new": ("  int32_t first_code;      /**<", "  int32_t first_code;\n  int64_t more;        /**<"),
    "padding": ("  int32_t reserved;        /**< 0 */\n  dytq_rescale activation;", "  dytq_rescale activation;"),
}
with tempfile.TemporaryDirectory() as folder:
    copy = pathlib.Path(folder)
    for part in ("bindings", "tests/package/bindings", "include"):
        shutil.copytree(root / part, copy / part)
    header = copy / "bindings/c/dytq.h"
    original = header.read_text()
    check = [sys.executable, str(copy / "tests/package/bindings/abi.py"), sys.argv[1]]
    unnoticed = []
    for name, (old, new) in changes.items():
        if original.count(old) != 1:
            sys.exit(f"{name}: the text to change is there {original.count(old)} times")
        header.write_text(original.replace(old, new))
        subprocess.run([sys.executable, str(copy / "bindings/generate.py")], capture_output=True)
        if subprocess.run(check, capture_output=True).returncode == 0:
            unnoticed.append(name)
    # With another version all of it may change.
    header.write_text(original.replace("#define DYTQ_ABI_VERSION ", "#define DYTQ_ABI_VERSION 9").replace("DYTQ_BAD_SIZE = 3,", "DYTQ_BAD_SIZE = 9,"))
    subprocess.run([sys.executable, str(copy / "bindings/generate.py")], check=True)
    subprocess.run([*check, "--write"], check=True, stdout=subprocess.DEVNULL)
    if unnoticed:
        sys.exit("not noticed: " + ", ".join(unnoticed))
    print(f"{len(changes)} changes are noticed")
