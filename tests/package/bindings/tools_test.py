#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tools_test.py VECTORS [DYTQ_TABLE]: python3 -m dytq.table prints what dytq_table prints, where that is there; python3 -m dytq.plan the plans of the vectors."""
import difflib
import json
import pathlib
import subprocess
import sys


def run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True)
    return done.returncode, done.stdout


table, plan = ([sys.executable, "-m", f"dytq.{name}"] for name in ("table", "plan"))
asked = [line.split() for line in """
--function tanh --in-scale 0.05 --out-scale 1/128
--function logistic --in-scale 1/20 --out-scale 0x1p-8 --out-zero-point -128 --format python
--function gelu --in-scale 0.05 --in-zero-point 3 --out-scale .05 --alpha 0.7 --shift -1e-2 --format json --ties away
--function exp --in-scale 0.03 --out-scale 0.1 --in-min -100 --in-max 90 --out-max 100 --format bin
--function silu --in-scale 0.05 --out-scale 0.05 --unsigned --in-zero-point 128 --out-zero-point 10 --order byte
--function erf --in-scale 0.05 --out-scale 0.01 --order byte --name some_name
--function elu --parameter 0.5 --in-scale 0.05 --out-scale 0.05
--function tanh --in-scale 0.05 --out-scale 0.01 --numerics float32
--function tanh --in-scale 1e-4 --out-scale 1/32768 --bits 16
--function isru --in-scale 0.001 --out-scale 0.0001 --bits 16 --format json
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
statuses = set()
for words in asked:
    status, printed = run([*table, *words])
    statuses.add(status)
    assert (status == 0) == bool(printed), words
    if len(sys.argv) > 2:
        theirs = run([sys.argv[2], *words])
        if theirs != (status, printed):
            lines = difflib.unified_diff(*(text.decode(errors="replace").splitlines() for text in (theirs[1], printed)), "dytq_table", "dytq.table", lineterm="")
            sys.exit(f"{words}: status {theirs[0]} and {status}\n" + "\n".join(lines))
assert statuses == {0, 1, 2}, statuses

for text in pathlib.Path(sys.argv[1]).read_text().splitlines()[:12]:
    line = json.loads(text)
    status, printed = run([*plan, "--json"], json.dumps(line["in"]).encode())
    assert status == ("reject" in line), text[:300]
    if status == 0:
        assert json.loads(printed)["operators"] <= line["out"]["operators"] if "operators" in line.get("out", {}) else True
        status, printed = run([*plan, "-"], text.encode())
        assert status == 0 and printed.startswith((b"steps ", b"beside ", b"operators ")), printed
assert run([*plan], b"{}")[0] == 2 and run([*plan], b"no json")[0] == 2 and run([*plan, "/no/such/file"])[0] == 2
print(f"{len(asked)} tables, 12 plans" + ("" if len(sys.argv) > 2 else "; there is no dytq_table to compare with"))
