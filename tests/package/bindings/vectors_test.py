#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""vectors_test.py VECTORS...: what Python answers to each vector is what the vector says, or what the models beside the vectors accept."""
import json
import pathlib
import sys
import tempfile

from dytq import replay

sys.dont_write_bytecode = True
judged = {"fit_line", "plan_chain", "fold_bounded"}  # without constants to compare: check_forms.py judges them
wrong = []
for name in map(pathlib.Path, sys.argv[1:]):
    if name.stem in judged:
        sys.path.insert(0, str(name.parent / "forms"))
        import check_forms
        lines = [json.loads(text) for text in name.read_text().splitlines()]
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as answers:
            answers.writelines(json.dumps(replay.answer(line)) + "\n" for line in lines)
            answers.flush()
            failed = check_forms.main(str(name), answers.name)
    else:
        with name.open() as expected:
            failed = replay.check(expected, None)
    if failed:
        wrong.append(name.name)
if wrong or len(sys.argv) < 20:
    sys.exit(f"wrong: {', '.join(wrong)}")
