# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chains of elementwise operators, int8 in and int8 out, and the cheapest exact chain: plain Python integers.

steps: list of dicts {"op": ...}, constants an int or a list with one for each channel; TOSA 1.0 to the letter, None = unpredictable.
  RESCALE  multiplier, shift (int or [C]), input_zp, output_zp, out ("i8", "i32"), double (default false)
  MUL      constant                 int32, shift 0: the low 32 bits
  ADD SUB  constant                 int32; SUB: value - constant; beyond int32: unpredictable
  TABLE    table [256]              int8
  CLAMP    min, max                 int8 or int32       MAXIMUM MINIMUM  constant (the value's type)
  ABS                               int32 (of -2^31: unpredictable)
  NEGATE   input_zp, output_zp      int8: clamp(-(v - input_zp) + output_zp)
  ARITHMETIC_RIGHT_SHIFT  constant (0..31), round       int32
and in answers also
  DEPTHWISE      weight [C], bias [C], input_zp         int8 -> int32 accumulator: (v - input_zp) * weight + bias
  CHANNEL_TABLE  index [C], tables [[256]]              a TABLE for each channel
"""
import line_model as LM
import plan_model as P
import spec_model as M

I8 = (-128, 127)


def at(v, c):
    return v[c] if isinstance(v, list) else v


def step(s, v, c, t):
    """Value and type after one step, or None."""
    op = s["op"]
    if op == "RESCALE":
        r = M.rescale(v, {"multiplier": at(s["multiplier"], c), "shift": at(s["shift"], c), "input_zp": s["input_zp"], "output_zp": s["output_zp"], "out": s["out"], "double": s.get("double", False)})
        return None if r is None else (r, s["out"])
    if op in ("MUL", "ADD", "SUB", "ABS", "ARITHMETIC_RIGHT_SHIFT") and t != "i32":
        return None
    if op == "MUL":
        return M.wrap32(v * at(s["constant"], c)), t
    if op in ("ADD", "SUB"):
        k = at(s["constant"], c)
        v = v + k if op == "ADD" else v - k
        return (v, t) if M.I32[0] <= v <= M.I32[1] else None
    if op == "TABLE":
        return (s["table"][v + 128], "i8") if t == "i8" else None
    if op == "CLAMP":
        return min(max(v, s["min"]), s["max"]), t
    if op == "MAXIMUM":
        return max(v, at(s["constant"], c)), t
    if op == "MINIMUM":
        return min(v, at(s["constant"], c)), t
    if op == "ABS":
        return (abs(v), t) if v != M.I32[0] else None
    if op == "NEGATE":
        return (min(max(-(v - s["input_zp"]) + s["output_zp"], -128), 127), t) if t == "i8" else None
    if op == "ARITHMETIC_RIGHT_SHIFT":
        k = at(s["constant"], c)
        if not 0 <= k <= 31:
            return None
        r = v >> k
        return r + ((v >> (k - 1)) & 1 if s["round"] and k > 0 else 0), t
    if op == "DEPTHWISE":
        w = s["weight"][c]
        v = (v - s["input_zp"]) * w + s["bias"][c]
        return (v, "i32") if t == "i8" and -128 <= w <= 127 and M.I32[0] <= v <= M.I32[1] else None
    if op == "CHANNEL_TABLE":
        return (s["tables"][s["index"][c]][v + 128], "i8") if t == "i8" else None
    raise ValueError(op)


def trace(steps, channels, domain):
    """[c][cut] -> {input code: value at that cut}; cuts = 0 and every step's end. None: unpredictable somewhere."""
    out = []
    for c in range(channels):
        rows = [{x: (x, "i8") for x in domain}]
        for s in steps:
            nxt = {}
            for x, (v, t) in rows[-1].items():
                r = step(s, v, c, t)
                if r is None:
                    return None
                nxt[x] = r
            rows.append(nxt)
        out.append(rows)
    return out


def maps(steps, channels, domain):
    t = trace(steps, channels, domain)
    return None if t is None else [{x: v for x, (v, ty) in rows[-1].items()} for rows in t]


def bytes_of(s):
    n = lambda v: len(v) if isinstance(v, list) else 1
    op = s["op"]
    if op == "RESCALE":
        return 4 * n(s["multiplier"]) + n(s["shift"])
    if op == "TABLE":
        return 256
    if op == "CHANNEL_TABLE":
        return 256 * len(s["tables"]) + 4 * len(s["index"])
    if op == "DEPTHWISE":
        return 5 * len(s["weight"])
    return 4 * n(s["constant"]) if "constant" in s else 0


def cost(steps):
    return len(steps), sum(bytes_of(s) for s in steps)


def forms(stretch, seg, channels, target):
    """Ways to compute a stretch: seg[c] = {code at its start: code at its end}. -> lists of steps."""
    yield stretch
    if all(x == y for m in seg for x, y in m.items()):
        yield []
        return
    shared = {}
    if all(shared.setdefault(x, y) == y for m in seg for x, y in m.items()):
        yield [{"op": "TABLE", "table": [shared.get(x, 0) for x in range(-128, 128)]}]
    elif target.get("channel_table"):
        tables, index = [], []
        for m in seg:
            t = [m.get(x, 0) for x in range(-128, 128)]
            if t not in tables:
                tables.append(t)
            index.append(tables.index(t))
        yield [{"op": "CHANNEL_TABLE", "index": index, "tables": tables}]
    res = [s for s in stretch if s["op"] == "RESCALE"]
    izp = res[0]["input_zp"] if res else 0
    ozp = res[-1]["output_zp"] if res else 0
    lo, hi = min(min(m.values()) for m in seg), max(max(m.values()) for m in seg)
    for out, tail in ((I8, []), ((lo, hi), [{"op": "CLAMP", "min": lo, "max": hi}])):
        if out == I8 and tail:
            continue
        fits = [P.fit_rescale(m, izp, ozp, out) for m in seg]
        if None not in fits and -128 <= izp <= 127:
            yield [{"op": "RESCALE", "multiplier": [f[0] for f in fits], "shift": [f[1] for f in fits], "input_zp": izp, "output_zp": ozp, "out": "i8"}] + tail
            continue
        fits = []
        for m in seg:
            try:
                f = LM.fit(list(m), list(m.values()), izp, ozp, 0, out, most=8)      # a reference need not find all
            except (AssertionError, TypeError):
                f = None
            if f is None:
                break
            fits.append(f)
        if len(fits) == channels and -128 <= izp <= 127:
            yield [{"op": "DEPTHWISE", "weight": [f[0] for f in fits], "bias": [f[1] for f in fits], "input_zp": izp},
                   {"op": "RESCALE", "multiplier": [f[2] for f in fits], "shift": [f[3] for f in fits], "input_zp": 0, "output_zp": ozp, "out": "i8"}] + tail


def plan(q):
    """PLAN_CHAIN -> {"steps", "operators", "bytes"} or {"reject"}."""
    steps, C, target = q["steps"], q["channels"], q.get("target", {})
    domain = sorted(set(q.get("domain") or range(-128, 128)))
    t = trace(steps, C, domain)
    if t is None or any(ty != "i8" for rows in t for v, ty in rows[-1].values()):
        return {"reject": "unpredictable"}
    n = len(steps)
    cuts = [k for k in range(n + 1) if all(ty == "i8" for rows in t for v, ty in rows[k].values())]
    kept = set(q.get("observed", []))                 # cut k = the result of step k - 1: somebody else reads it
    best = {0: ((0, 0), [])}
    for b, j in enumerate(cuts[1:], 1):
        for i in cuts[:b]:
            if i not in best or any(i < k < j for k in kept):
                continue
            seg = []
            for rows in t:
                m = {}
                for x in domain:
                    m[rows[i][x][0]] = rows[j][x][0]
                seg.append(m)
            for f in forms(steps[i:j], seg, C, target):
                total = best[i][1] + f
                key = cost(total)
                if j not in best or key < best[j][0]:
                    best[j] = (key, total)
    out = best[n][1]
    assert maps(out, C, domain) == maps(steps, C, domain)
    return {"steps": out, "operators": len(out), "bytes": best[n][0][1]}


def judge(q, vec, a):
    """'' or what is wrong with an answer."""
    if "reject" in vec:
        return "" if "reject" in a else "answered, where a step is unpredictable"
    if "reject" in a:
        return f"refused: {a['reject']}"
    o = a["out"]
    domain = sorted(set(q.get("domain") or range(-128, 128)))
    t = trace(o["steps"], q["channels"], domain)
    if t is None:
        return "the new chain is unpredictable on some code"
    if any(rows[-1][x] != (vec_v, "i8") for rows, m in zip(t, maps(q["steps"], q["channels"], domain)) for x, vec_v in m.items()):
        return "the new chain gives another code"
    if any(s["op"] == "CHANNEL_TABLE" for s in o["steps"]) and not q.get("target", {}).get("channel_table"):
        return "uses an operator that the target lacks"
    old = trace(q["steps"], q["channels"], domain)
    for k in q.get("observed", []):
        if not any(all({x: v[0] for x, v in r2[j].items()} == {x: v[0] for x, v in r1[k].items()} for r1, r2 in zip(old, t)) for j in range(len(o["steps"]) + 1)):
            return f"the observed result of step {k - 1} is gone"
    if len(o["steps"]) != o["operators"] or o["operators"] > vec["operators"]:
        return f"{o['operators']} operators, {vec['operators']} would do"
    return ""
