#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tolerance_test.py REPLAY VECTORS: the vectors of PLAN_CHAIN, planned within one and within two codes, judged by evaluating both chains
with chain_model.py: what the answer says of differences is what they are, and no answer has more operators than the exact one."""
import json
import subprocess
import sys
from fractions import Fraction

sys.dont_write_bytecode = True
import chain_model as model


def differences(q, o):
    """[c] -> {code: how far the new chain's result is off}; the old chain's trace; a string where the answer is wrong."""
    domain = sorted(set(q.get("domain") or range(-128, 128)))
    old, new = (model.trace(s["steps"], q["channels"], domain) for s in (q, o))
    if new is None or any(t != "i8" for rows in new for _, t in rows[-1].values()):
        return "the new chain is unpredictable on some code, or ends in int32", old
    return [{x: new_rows[-1][x][0] - old_rows[-1][x][0] for x in domain} for old_rows, new_rows in zip(old, new)], old


def says_what_is(q, o):
    off, old = differences(q, o)
    if isinstance(off, str):
        return off
    largest = max(abs(d) for of_channel in off for d in of_channel.values())
    if largest > q["tolerance"] or o["max_difference"] != largest:
        return f"off by {largest}, says {o['max_difference']}, may be {q['tolerance']}"
    if len(q["steps"]) in q.get("observed", []) and largest != 0:
        return "the result is observed, and off"
    # Counted by the codes at the entrance of the last stretch, which is one of the cuts.
    n, s = o["root_mean_square"]
    for cut in range(len(q["steps"]) + 1):
        seen = {(c, rows[cut][x]): d for c, (rows, of_channel) in enumerate(zip(old, off)) for x, d in of_channel.items()}
        squares = Fraction(sum(d * d for d in seen.values()), len(seen))
        low = max(Fraction(n, 2**s) - Fraction(1, 1024) - Fraction(1, 4096), 0)
        if sum(1 for d in seen.values() if d) == o["differ"] and low * low <= squares <= Fraction(n, 2**s) ** 2:
            return ""
    return f"says that {o['differ']} codes differ, root mean square {n / 2**s:.4f}"


def main(replay, vectors):
    rows = [json.loads(line) for line in open(vectors)]
    wrong = shorter = off = 0
    for tolerance in (1, 2):
        asked = [{**row["in"], "tolerance": tolerance} for row in rows]
        lines = "".join(json.dumps({"in": q}) + "\n" for q in asked)
        exact = "".join(json.dumps({"in": row["in"]}) + "\n" for row in rows)
        answers, exact_answers = ([json.loads(a) for a in subprocess.run([replay], input=text, capture_output=True, text=True,
                                                                        check=True).stdout.splitlines()] for text in (lines, exact))
        for i, (q, row, a, e) in enumerate(zip(asked, rows, answers, exact_answers, strict=True)):
            why = "" if "reject" in a and "reject" in row else "refused" if "out" not in a else says_what_is(q, a["out"])
            if not why and "out" in a and a["out"]["operators"] > e["out"]["operators"]:
                why = "more operators than exactly"
            if "out" in a and not why:
                shorter += a["out"]["operators"] < e["out"]["operators"]
                off += a["out"]["max_difference"] > 0
            wrong += bool(why)
            if why:
                print(f"line {i + 1}, within {tolerance}: {why}")
    print(f"{2 * len(rows) - wrong} of {2 * len(rows)} right; {off} are off, {shorter} have fewer operators than exactly")
    return 1 if wrong or off == 0 or shorter == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
