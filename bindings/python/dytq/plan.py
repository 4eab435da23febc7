# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python3 -m dytq.plan [--json] [FILE]: prints the plan of a chain, its cheapest exact form, and why other forms are not there.

FILE, or standard input: a JSON object {"channels": C, "steps": [{"op": "RESCALE", ...}, ...]}, as PLAN_CHAIN in tests/vectors/FORMS.md has it; optional
"domain" (codes that occur at the entrance), "target" {"costs": "tosa", "tosa_fused_rescale" or "cmsis_nn", "channel_table", "depthwise", "channel_rescale",
"max_slices"}, "observed" (cuts that somebody else reads). A line of the replay format, {"in": {...}}, is taken as well.
--json prints the new steps in the same form."""
from __future__ import annotations

import json
import sys
from typing import Any

import dytq
from dytq.replay import BadInput, chain_of, integers, step_json


def target_of(t: dict[str, Any]) -> dytq.Target:
    known = {"costs", "channel_table", "depthwise", "channel_rescale", "max_slices"}
    if set(t) - known:
        raise BadInput(f"target: {', '.join(sorted(set(t) - known))} is none of {', '.join(sorted(known))}")
    return dytq.Target(t.get("costs", "tosa"), bool(t.get("channel_table", False)), bool(t.get("channel_rescale", True)), bool(t.get("depthwise", True)),
                       max_slices=t.get("max_slices", 0))


def main(arguments: list[str]) -> int:
    if "-h" in arguments or "--help" in arguments:
        print(__doc__)
        return 0
    as_json = "--json" in arguments
    files = [a for a in arguments if a != "--json"]
    if len(files) > 1 or any(f.startswith("-") and f != "-" for f in files):
        print("dytq.plan: one file at most; see --help", file=sys.stderr)
        return 2
    try:
        with (open(files[0], encoding="utf-8") if files and files[0] != "-" else sys.stdin) as text:
            q = json.load(text)
        q = q.get("in", q)
        plan = dytq.plan_chain(chain_of(q), target=target_of(q.get("target", {})), observed=integers(q.get("observed", []), "observed"))
    except dytq.Rejected as why:
        print(f"dytq.plan: {why}", file=sys.stderr)
        return 1
    except KeyError as error:
        print(f"dytq.plan: key {error} is missing", file=sys.stderr)
        return 2
    except MemoryError:
        print("dytq.plan: there is not as much memory as the chain's channels take", file=sys.stderr)
        return 2
    except (OSError, BadInput, ValueError, TypeError, AttributeError, OverflowError) as error:
        print(f"dytq.plan: {error}", file=sys.stderr)
        return 2
    if as_json:
        print(json.dumps({"steps": [step_json(s) for s in plan.steps], "operators": plan.operators, "bytes": plan.bytes}))
    else:
        print(plan)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
