#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tools_test.py VECTORS [DYTQ_TABLE]: python3 -m dytq.table prints what dytq_table prints, where that is there; python3 -m dytq.plan the plans of the vectors."""
import contextlib
import difflib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import dytq.plan
import dytq.table


def run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True)
    return done.returncode, done.stdout


class Captured(io.TextIOWrapper):
    def __init__(self):
        super().__init__(io.BytesIO(), encoding="utf-8")


def answer(module, words, text=b""):
    """What `python3 -m dytq.MODULE` answers, without another Python for each line: status, standard output, standard error."""
    out, error, stdin = Captured(), Captured(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(text), encoding="utf-8")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
            status = module.main(list(words))
    finally:
        sys.stdin = stdin
    out.flush(), error.flush()
    return status, out.buffer.getvalue(), error.buffer.getvalue()


asked = [line.split() for line in """
--function tanh --in-scale 0.05 --out-scale 1/128
--function logistic --in-scale 1/20 --out-scale 0x1p-8 --out-zero-point -128 --format python
--function gelu --in-scale 0.05 --in-zero-point 3 --out-scale .05 --alpha 0.7 --shift -1e-2 --format json --ties away
--function exp --in-scale 0.03 --out-scale 0.1 --in-min -100 --in-max 90 --out-max 100 --format bin
--function silu --in-scale 0.05 --out-scale 0.05 --unsigned --in-zero-point 128 --out-zero-point 10 --order byte
--function erf --in-scale 0.05 --out-scale 0.01 --order byte --name some_name
--function elu --parameter 0.5 --in-scale 0.05 --out-scale 0.05
--function tanh --in-scale 0.05 --out-scale 0.01 --numerics float32
--function tanh --in-scale 1e-4 --out-scale 1/32768 --bits 16 --in-min -900 --in-max 1000 --svg FILE
--function isru --in-scale 0.001 --out-scale 0.0001 --bits 16 --format json --step 64 --in-max -32000
--function sin --in-scale 0.001 --out-scale 0.0001 --bits 16 --step=32 --in-min 31000 --format bin
--function tanh --in-scale 1/8192 --out-scale 1/32768 --bits 16 --layout tflite --out-zero-point 0
--function tanh --in-scale 0.05 --out-scale 1/128 --in-min -90 --svg=FILE
--function silu --in-scale 0.05 --out-scale 0.05 --unsigned --in-zero-point 128 --out-zero-point 10 --in-max 200 --svg FILE
--function relu --in-scale 1 --out-scale 1 --svg /no/such/folder/file
--function tanh --in-scale 1 --out-scale 1 --step 64
--function tanh --in-scale 1 --out-scale 1 --bits 16 --step 16
--function tanh --in-scale 1 --out-scale 1 --bits 16 --layout tflite --step 32
--function tanh --in-scale 1 --out-scale 1 --bits 16 --layout tflite --out-zero-point 1
--function tanh --in-scale 1 --out-scale 1 --svg
--list
--list --svg FILE
--function log --in-scale 0.05 --out-scale 1
--function no_such --in-scale 1 --out-scale 1
--function tanh --in-scale 1
--function tanh --in-scale x --out-scale 1
--function tanh --in-scale -1 --out-scale 1
--function tanh --parameter 1 --in-scale 1 --out-scale 1
--function tanh --in-scale 1 --out-scale 1 --bits 9
--function tanh --in-scale 1 --out-scale 1 --bits 16 --unsigned
--function tanh --in-scale 1 --out-scale 1 --name 9
tanh
""".strip().splitlines()]
statuses, pictures = set(), 0
with tempfile.TemporaryDirectory() as folder:
    for words in asked:
        ours, theirs = ([word.replace("FILE", os.path.join(folder, who)) for word in words] for who in ("ours", "theirs"))
        status, printed, said = answer(dytq.table, ours)
        statuses.add(status)
        assert (status == 0) == bool(printed), words
        assert (status == 0) == (not said or "bin" in words), words
        if len(sys.argv) > 2:
            expected = run([sys.argv[2], *theirs])
            if expected != (status, printed):
                lines = difflib.unified_diff(*(text.decode(errors="replace").splitlines() for text in (expected[1], printed)), "dytq_table", "dytq.table", lineterm="")
                sys.exit(f"{words}: status {expected[0]} and {status}\n" + "\n".join(lines))
            drawn = [pathlib.Path(folder, who).read_text() if os.path.exists(os.path.join(folder, who)) else "" for who in ("theirs", "ours")]
            if drawn[0] != drawn[1]:
                sys.exit(f"{words}: another picture\n" + "\n".join(difflib.unified_diff(*(d.splitlines() for d in drawn), "dytq_table", "dytq.table", lineterm="")))
            pictures += bool(drawn[0])
        for who in ("ours", "theirs"):
            pathlib.Path(folder, who).unlink(missing_ok=True)
assert statuses == {0, 1, 2}, statuses
assert len(sys.argv) <= 2 or pictures == 3, pictures
# As a program, too.
assert run([sys.executable, "-m", "dytq.table", *asked[0]]) == answer(dytq.table, asked[0])[:2]
assert run([sys.executable, "-m", "dytq.plan"], b"{}")[0] == 2

for text in pathlib.Path(sys.argv[1]).read_text().splitlines()[:12]:
    line = json.loads(text)
    status, printed, _ = answer(dytq.plan, ["--json"], json.dumps(line["in"]).encode())
    assert status == ("reject" in line), text[:300]
    if status == 0:
        assert json.loads(printed)["operators"] <= line["out"]["operators"] if "operators" in line.get("out", {}) else True
        status, printed, _ = answer(dytq.plan, ["-"], text.encode())
        assert status == 0 and printed.startswith((b"steps ", b"beside ", b"operators ")), printed
assert answer(dytq.plan, [], b"{}")[0] == answer(dytq.plan, [], b"no json")[0] == answer(dytq.plan, ["/no/such/file"])[0] == 2
huge = json.dumps({"channels": 1 << 40, "steps": [{"op": "CLAMP", "min": -128, "max": 127}]}).encode()  # more than a machine can address
status, printed, said = answer(dytq.plan, [], huge)
assert (status, printed) == (2, b"") and said.startswith(b"dytq.plan: "), said
print(f"{len(asked)} tables, {pictures} pictures, 12 plans" + ("" if len(sys.argv) > 2 else "; there is no dytq_table to compare with"))
