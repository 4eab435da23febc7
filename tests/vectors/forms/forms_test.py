#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""forms_test.py REPLAY VECTORS: the replayer's answers, judged by check_forms.py."""
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import check_forms

replay, vectors = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    answers = pathlib.Path(folder) / "answers"
    with answers.open("w") as out:
        subprocess.run([replay, vectors], stdout=out, check=True)
    sys.exit(check_forms.main(vectors, answers))
