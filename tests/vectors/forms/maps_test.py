#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sites given as maps are answered as those of gamma and beta: maps_test.py REPLAYER VECTORS...

The vectors of FOLD_AFFINE, PLAN_AFFINE and CHANNEL_TABLES, with `maps` and `output_zp` in place of gamma, beta and rescale. Entries at
codes that the TABLE does not emit are nonsense on purpose."""
import json
import random
import subprocess
import sys

sys.dont_write_bytecode = True
import spec_model as model

OF_STEPS = ("gamma_identity", "gamma_rescale", "gamma_depthwise")  # they need gamma and beta's own steps: no_chain


def as_maps(q, nonsense):
    """The line with maps; None where the steps say no map."""
    if q.get("alpha") is not None:
        return None
    try:
        found = model.site_maps(q)
    except (IndexError, KeyError, TypeError):
        return None
    if found[0] is None:
        return None
    halves = [q.get(h) for h in ("gamma", "beta") if q.get(h) is not None]
    if len({len(h) for h in halves}) > 1 or any(not h for h in halves):
        return None
    codes, _, maps = found
    new = {k: v for k, v in q.items() if k not in ("gamma", "beta", "rescale")}
    new["maps"] = [[m.get(x, nonsense.randint(-128, 127)) for x in range(-128, 128)] for m in maps]
    zero = q if "table_zp" in q else {**q, "table_zp": 0}
    new["output_zp"] = model.last_zero_point(zero)
    return new


def met(wanted, got):
    """Is the answer the vector's? Extra keys are ignored; a refusal is met by any."""
    if isinstance(wanted, dict):
        if "reject" in wanted:
            return got is None or got is False or (isinstance(got, dict) and "reject" in got)
        return isinstance(got, dict) and "reject" not in got and all(met(v, got.get(k)) for k, v in wanted.items())
    return type(wanted) is type(got) and wanted == got


def main(replayer, files):
    nonsense = random.Random(1)
    lines, wanted = [], []
    for file in files:
        for text in open(file):
            row = json.loads(text)
            q = as_maps(row["in"], nonsense)
            if q is None:
                continue
            if "out" in row and q["op"] == "PLAN_AFFINE":
                row = {"out": {k: {"reject": "no_chain"} if k in OF_STEPS else v for k, v in row["out"].items()}}
            lines.append(json.dumps({"in": q}))
            wanted.append(row)
    done = subprocess.run([replayer], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    answers = [json.loads(a) for a in done.stdout.splitlines()]
    wrong = 0
    for i, (row, a) in enumerate(zip(wanted, answers)):
        right = "reject" in a if "reject" in row else "out" in a and met(row["out"], a["out"])
        if right and "out" in a and "gamma_rescale" in a["out"]:
            right = all(a["out"][k]["reject"] == "no_chain" for k in OF_STEPS)
        if not right:
            wrong += 1
            print(f"line {i + 1}, {json.loads(lines[i])['in']['op']}: wanted {json.dumps(row)[:300]}\n  got {json.dumps(a)[:300]}")
    print(f"{len(wanted) - wrong} of {len(wanted)} sites given as maps answered as their vectors")
    return 1 if wrong or len(answers) != len(wanted) or len(wanted) < 300 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
