# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executable specification of every exact rewrite of a Dynamic Tanh site: plain Python integers, on top of spec_model.

Notation (that of docs/theorem.md)
  X        the sorted distinct codes that the TABLE can emit; x0 = X[0]
  y_c      the six-step map of channel c on X (table code -> the convolution's input code); m_c its gamma half (-> gamma_out code)
  w        a centered weight; zin the convolution's input zero point; a tap is TOUCHED if it is inside the input at one position at least
  RELEVANT channel: one with a nonzero centered weight on a touched tap
  class    the set of taps inside the input at some output position

A part that does not exist is {"reject": reason}.
"""
from fractions import Fraction
from math import gcd
import itertools
import spec_model as M

I8 = (-128, 127)
NEVER = (-(1 << 200), 1 << 200)


class Reject(Exception):
    pass


# ---------------------------------------------------------------- geometry: conv, transposed conv, linear
def axis_masks(kind, n_in, k, stride, dil, before, after):
    """-> the taps inside the input, for each output position of one axis, in order. Reject("error") if TOSA calls it an error."""
    if n_in < 1 or k < 1 or stride < 1 or dil < 1:
        raise Reject("error")
    if kind == "transpose_conv2d":
        if before <= -k or after <= -k:
            raise Reject("error")
        n_out = (n_in - 1) * stride + before + after + k
        inside = lambda o, t: 0 <= o - before - t < n_in * stride and (o - before - t) % stride == 0
    else:
        if before < 0 or after < 0:
            raise Reject("error")
        span = n_in - 1 + before + after - (k - 1) * dil
        if span < 0 or span % stride:
            raise Reject("error")
        n_out = span // stride + 1
        inside = lambda o, t: 0 <= o * stride - before + t * dil < n_in
    if n_out < 1:
        raise Reject("error")
    return [tuple(t for t in range(k) if inside(o, t)) for o in range(n_out)]


def conv_classes(cv):
    """Distinct sets of touched taps over all output positions. Generalises spec_model.conv_classes by cv["kind"]."""
    kind = cv.get("kind", "conv2d")
    kh, kw = cv["weight_shape"][1:3] if kind != "linear" else (1, 1)
    if kind == "linear" or (kind == "conv2d" and not any(cv.get("pad", [0] * 4)) and "input_hw" not in cv):
        return [tuple(itertools.product(range(kh), range(kw)))]
    p = cv["out_pad"] if kind == "transpose_conv2d" else cv.get("pad", [0] * 4)
    s, d, hw = cv.get("stride", [1, 1]), cv.get("dilation", [1, 1]), cv["input_hw"]
    rows = axis_masks(kind, hw[0], kh, s[0], d[0], p[0], p[1])
    cols = axis_masks(kind, hw[1], kw, s[1], d[1], p[2], p[3])
    return [tuple(itertools.product(r, c)) for r in dict.fromkeys(rows) for c in dict.fromkeys(cols)]


spec_conv_classes = M.conv_classes       # the original, for comparison
M.conv_classes = conv_classes            # so that spec_model.fold_exists and check_fold judge the new kinds too


def normal_site(site):
    """A copy with a linear layer's weights as [O, 1, 1, I]."""
    cv = dict(site["conv"])
    if cv.get("kind") == "linear":
        s = cv["weight_shape"]
        cv["weight_shape"] = [s[0], 1, 1, s[-1]]
    return {**site, "conv": cv}


class Conv:
    """The convolution of a site, read once. Raises Reject for the guards of a fold."""

    def __init__(self, site):
        site = normal_site(site)
        cv = site["conv"]
        self.oc, self.kh, self.kw, self.icg = cv["weight_shape"]
        self.groups = cv.get("groups", 1)
        if self.groups < 1 or self.oc % self.groups or self.icg * self.groups != M.channels(site):
            raise Reject("channel_count")
        if cv["input_zp"] != M.last_zero_point(site):
            raise Reject("zero_point_mismatch")
        spread = lambda v: list(v) * self.oc if len(v) == 1 else list(v)
        self.W, self.zin = cv["weight"], cv["input_zp"]
        self.wz = spread(cv.get("weight_zp") or [0])
        self.lo, self.hi = cv.get("weight_range", I8)
        self.bias = spread(cv.get("bias") or [0])
        if len(self.W) != self.oc * self.kh * self.kw * self.icg or len(self.wz) != self.oc or len(self.bias) != self.oc:
            raise Reject("channel_count")
        self.classes = conv_classes(cv)
        self.touched = sorted(set(itertools.chain(*self.classes)))

    def taps(self):
        """Every weight on a touched tap: (flat index, o, tap, channel, centered weight)."""
        for o in range(self.oc):
            g = o // (self.oc // self.groups)
            for y, x in self.touched:
                for i in range(self.icg):
                    k = ((o * self.kh + y) * self.kw + x) * self.icg + i
                    yield k, o, (y, x), g * self.icg + i, self.W[k] - self.wz[o]


def solve_offset(cv, A, n, deltas, r_star, r_range, acc=M.I32):
    """The unknown r = (new code of x0) - (new input zero point).

    The folded accumulator minus the wanted one is, in each class, constant in the codes: bias' - bias - sum A + r * sum N with
    A = w * (y_c(x0) - zin) and N = sum of n per tap. One bias' must serve all classes, so all classes give the same sum A - r * sum N:
    r is determined, free, or does not exist. If free, r is the nearest to r_star in an intersection of intervals (input zero point,
    bias and accumulator bound are all intervals in r), so the choice is complete.  -> r, bias' or Reject.
    """
    N = [dict.fromkeys(cv.touched, 0) for _ in range(cv.oc)]
    S = [0] * cv.oc
    for k, o, t, c, w in cv.taps():
        N[o][t] += n[k]
        S[o] += abs(n[k])
    rows = [[(sum(A[o][t] for t in cl), sum(N[o][t] for t in cl)) for cl in cv.classes] for o in range(cv.oc)]
    r = None
    for row in rows:
        for a, b in row[1:]:
            da, db = a - row[0][0], b - row[0][1]
            if db == 0 and da:
                raise Reject("padding")
            if db:
                if da % db or r not in (None, da // db):
                    raise Reject("padding")
                r = da // db
    lo, hi = r_range if r is None else (max(r, r_range[0]), min(r, r_range[1]))
    if lo > hi:
        raise Reject("padding")
    for o, row in enumerate(rows):                         # acc[0] <= bias + a - r*b <= acc[1]
        a, b = cv.bias[o] + row[0][0], row[0][1]
        if b == 0:
            if not acc[0] <= a <= acc[1]:
                raise Reject("bias_overflow")
            continue
        e = sorted((Fraction(a - acc[0], b), Fraction(a - acc[1], b)))
        lo, hi = max(lo, -(-e[0].numerator // e[0].denominator)), min(hi, e[1].numerator // e[1].denominator)
    if lo > hi:
        raise Reject("bias_overflow")
    s = max(S)
    if s:
        m = acc[1] // s                                     # |delta + r| <= m for every code
        lo, hi = max(lo, -m - min(deltas)), min(hi, m - max(deltas))
        if lo > hi:
            raise Reject("accumulator_overflow")
    r = min(max(r_star, lo), hi)
    return r, [cv.bias[o] + row[0][0] - r * row[0][1] for o, row in enumerate(rows)]


# ---------------------------------------------------------------- the convolution fold
def into_conv(site):
    """spec_model.fold_exists, with illegal geometry and short lists refused instead of a crash."""
    try:
        Conv(site)
    except Reject as e:
        return {"reject": str(e)}
    a = M.fold_exists(normal_site(site))
    return a if isinstance(a, dict) else {"reject": a}


def fold_general(site, zp=I8, acc=M.I32, free_zp=False):
    """The same theorem, written a second time, with the ranges as arguments (for exhaustive checks).

    free_zp=False: an undetermined z' is the table's own (condition 3 of docs/theorem.md). True: it is the nearest to it for which bias and accumulator fit.
    """
    try:
        site = normal_site(site)
        if not count(site):
            raise Reject("channel_count")
        X, gm, ym = M.site_maps(site)
        if X is None:
            raise Reject("unpredictable")
        cv = Conv(site)
        x0 = X[0]
        slope = []
        for y in ym:
            s = Fraction(y[X[1]] - y[x0], X[1] - x0) if len(X) > 1 else Fraction(0)
            slope.append(s if all(y[x] - y[x0] == s * (x - x0) for x in X) else None)
        n, A = {}, [dict.fromkeys(cv.touched, 0) for _ in range(cv.oc)]
        for k, o, t, c, w in cv.taps():
            if w and (slope[c] is None or (w * slope[c]).denominator != 1):
                raise Reject("not_affine")
            n[k] = int(w * slope[c]) if w else 0
            if not cv.lo <= n[k] + cv.wz[o] <= cv.hi:
                raise Reject("weight_overflow")
            A[o][t] += w * (ym[c][x0] - cv.zin)
        own = x0 - site["table_zp"]
        r_range = (x0 - zp[1], x0 - zp[0])
        if not free_zp:                                     # the theorem's rule, exactly: solve without the late conditions, then judge them
            r, _ = solve_offset(cv, A, n, [x - x0 for x in X], own, NEVER, NEVER)
            if not r_range[0] <= r <= r_range[1]:
                raise Reject("padding")
            r_range = (r, r)
        r, bias = solve_offset(cv, A, n, [x - x0 for x in X], own, r_range, acc)
        new = list(cv.W)
        for k, o, t, c, w in cv.taps():
            new[k] = n[k] + cv.wz[o]
        return {"weight": new, "bias": bias, "input_zp": x0 - r}
    except Reject as e:
        return {"reject": str(e)}


def count(site):
    """Number of channels, or 0 if gamma and beta disagree, or nothing says it."""
    G, B = site.get("gamma"), site.get("beta")
    if G is None and B is None:
        return M.channels(site) if "conv" in site else 0
    return 0 if G is not None and B is not None and len(G) != len(B) else len(B if G is None else G)


# ---------------------------------------------------------------- identity, uniform table, per-channel tables
def identity(maps, X):
    return all(m[x] == x for m in maps for x in X)


def compose(site, y):
    return [y[t] for t in site["table"]]


def uniform_table(site, X, ym):
    return compose(site, ym[0]) if all(m == ym[0] for m in ym) else None


def channel_tables(tables):
    """Equal tables shared; tables in order of first appearance."""
    seen, index = {}, []
    for t in map(tuple, tables):
        index.append(seen.setdefault(t, len(seen)))
    return {"index": index, "tables": [list(t) for t in seen]}


def layer_tables(site):
    """CHANNEL_TABLES: alpha (optional, one code or one per channel), table, gamma, beta (one may be None) -> {index, tables}, or a reason string.

    Entry q + 128 is for code q at the entrance (of the TABLE, or of the activation RESCALE if alpha is given)."""
    C, R = count(site), site["rescale"]
    if not C:
        return "channel_count"
    X, gm, ym = M.site_maps(site)
    if "alpha" not in site:
        return "unpredictable" if X is None else channel_tables(compose(site, y) for y in ym)
    alpha = site["alpha"] if isinstance(site["alpha"], list) else [site["alpha"]]
    alpha = alpha * C if len(alpha) == 1 else alpha
    if len(alpha) != C:
        return "channel_count"
    out = []
    for c in range(C):
        a, row = M.rescale(alpha[c], R["alpha"]), []
        for q in range(-128, 128):
            v = M.rescale(q, R["activation"])
            m = None if a is None or v is None else M.rescale(M.wrap32(v * a), R["mul_out"])
            if m is None:
                return "unpredictable"
            one = {**site, "table": [site["table"][m + 128]], **{k: site[k] and [site[k][c]] for k in ("gamma", "beta")}}
            x, _, y = one_map(one)
            if x is None:
                return "unpredictable"
            row.append(y)
        out.append(row)
    return channel_tables(out)


_cache = {}


def one_map(one):
    """(x, m, y) of the single code one["table"][0] in the single channel; memoised."""
    key = (one["table"][0], one["gamma"] and one["gamma"][0], one["beta"] and one["beta"][0], id(one["rescale"]))
    if key not in _cache:
        X, gm, ym = M.site_maps(one)
        x = one["table"][0]
        _cache[key] = (None, None, None, one["rescale"]) if X is None else (x, gm[0][x], ym[0][x], one["rescale"])
    return _cache[key][:3]


# ---------------------------------------------------------------- re-tabled fold
def retabled(site, codes=I8):
    """A new TABLE, new weights, new bias, new input zero point with the same accumulators, or Reject.

    THEOREM. Let T' = f o T with f: X -> code (a T' that tells apart two inputs with the same T is of use only if every n = 0). Accumulators are
    equal exactly if for every touched tap, w * v_c = n * D, v_c = (y_c(x) - y_c(x0)) over X, D = (f(x) - f(x0)) over X, and the
    constants agree in every class. If some w * v_c != 0, all v_c of relevant channels lie on one line: v_c = s_c * d with d primitive
    (its entries have no common divisor; sign: the first nonzero entry in increasing x is positive). D is on it too: D = k * d with an
    integer k != 0, and n = w * s_c / k. So k runs over the divisors of G = gcd of all w * s_c, with |k| * (max d - min d) <= 255:
    at most 510 candidates, and each leaves only r = f(x0) - z', which solve_offset decides. That is complete.

    CANONICAL CHOICE: |k| from the largest to 1, +k before -k; the first that passes the weights' range, classes, bias and bound wins.
    (Largest |k| = smallest weights.) r is determined by the classes, or else the nearest to x0 - table_zp; then the translation:
    t0 = f(x0) is the nearest to x0 for which all codes t0 + k*d and z' = t0 - r fit; f(x) = t0 + k*d(x); z' = t0 - r.

    It CONTAINS THE PLAIN FOLD: X's own differences are g*d, g = gcd(x - x0), so the plain fold is candidate k = +g with t0 = x0
    and T' = T; if it wins, the result is the plain fold's, bit for bit. It CONTAINS THE UNIFORM TABLE: with one map y for all channels v_c = s*d, candidate
    k = s gives n = w (weights untouched) and r = y(x0) - zin (bias untouched) under any padding. So if one of the two exists, a
    re-tabled fold exists (a larger k may win it; the uniform one needs the original conv's own accumulator bound).

    CONSTANT SITE (every relevant channel is constant on X, also |X| = 1): D is arbitrary if n = 0, and n if D = 0. Two forms, in this order:
    (a) n = 0, table unchanged, z' = table_zp, if every class has the same constant; (b) T' constant = t0, and each weight's contribution is
    kept: n = w * (y_c(x0) - zin) / r, r over the divisors of the gcd of those products, |r| from 255 to 1, + before -; bias untouched,
    t0 nearest to x0, z' = t0 - r. (b) contains the uniform table. For a constant site this is sufficient, not necessary.
    """
    site = normal_site(site)
    X, gm, ym = M.site_maps(site)
    cv = Conv(site)
    x0, width = X[0], codes[1] - codes[0]
    taps = list(cv.taps())
    d, s = None, {}
    for c in sorted({c for _, _, _, c, w in taps if w}):
        v = [ym[c][x] - ym[c][x0] for x in X]
        s[c] = gcd(*v)
        if s[c]:
            if next(e for e in v if e) < 0:
                s[c] = -s[c]
            p = [e // s[c] for e in v]
            if d is None:
                d = p
            elif d != p:
                raise Reject("not_parallel")
    prod = {k: w * s[c] if w else 0 for k, o, t, c, w in taps}
    A = [dict.fromkeys(cv.touched, 0) for _ in range(cv.oc)]
    for k, o, t, c, w in taps:
        A[o][t] += w * (ym[c][x0] - cv.zin)

    def scaled(prod, k):
        n = {j: e // k for j, e in prod.items()}
        if any(not cv.lo <= n[j] + cv.wz[o] <= cv.hi for j, o, t, c, w in taps):
            raise Reject("weight_overflow")
        return n

    def result(f, n, bias, z):
        new = list(cv.W)
        for j, o, t, c, w in taps:
            new[j] = n[j] + cv.wz[o]
        return {"table": [f[x] for x in site["table"]], "weight": new, "bias": bias, "input_zp": z}

    def translate(r, dmin, dmax):
        t0 = min(max(x0, codes[0] - dmin, codes[0] + r), codes[1] - dmax, codes[1] + r)
        return t0, t0 - r

    why = "weight_overflow"
    if d is not None:
        G = gcd(*prod.values())
        for k in (e * q for q in range(width // (max(d) - min(d)), 0, -1) if G % q == 0 for e in (1, -1)):
            D = [k * e for e in d]
            lo, hi = min(D), max(D)
            try:
                n = scaled(prod, k)
                r, bias = solve_offset(cv, A, n, D, x0 - site["table_zp"], (-(lo + width), width - hi))
            except Reject as e:
                why = str(e)
                continue
            t0, z = translate(r, lo, hi)
            return result({x: t0 + e for x, e in zip(X, D)}, n, bias, z)
        raise Reject(why)
    try:
        n = scaled(prod, 1)                                 # all zero
        own = x0 - site["table_zp"]
        r, bias = solve_offset(cv, A, n, [0], own, (own, own))
        return result({x: x for x in X}, n, bias, site["table_zp"])
    except Reject as e:
        why = str(e)
    prod = {k: w * (ym[c][x0] - cv.zin) for k, o, t, c, w in taps}
    H = gcd(*prod.values())
    for r in (e * q for q in range(width, 0, -1) if H and H % q == 0 for e in (1, -1)):
        try:
            n = scaled(prod, r)
            if max(sum(abs(n[j] * r) for j, oo, t, c, w in taps if oo == o) for o in range(cv.oc)) > M.I32[1]:
                raise Reject("accumulator_overflow")
        except Reject as e:
            why = str(e)
            continue
        t0, z = translate(r, 0, 0)
        return result(dict.fromkeys(X, t0), n, list(cv.bias), z)
    raise Reject(why)


def check_retabled(site, out, codes=I8):
    """Independent of retabled(): is it exact for all 256 table inputs, every channel and class? -> '' or what is wrong."""
    site = normal_site(site)
    X, gm, ym = M.site_maps(site)
    cv = Conv(site)
    N, T, z = out["weight"], out["table"], out["input_zp"]
    if len(N) != len(cv.W) or len(T) != 256 or any(not codes[0] <= v <= codes[1] for v in T + [z]):
        return "shape or code"
    if any(not cv.lo <= v <= cv.hi for v in N) or any(not M.I32[0] <= b <= M.I32[1] for b in out["bias"]):
        return "range"
    pairs = sorted(set(zip(site["table"], T)))
    for o in range(cv.oc):
        g = o // (cv.oc // cv.groups)
        for cl in cv.classes:
            const = cv.bias[o] - out["bias"][o]
            for y, x in cl:
                for i in range(cv.icg):
                    k, c = ((o * cv.kh + y) * cv.kw + x) * cv.icg + i, g * cv.icg + i
                    e = {(ym[c][u] - cv.zin) * (cv.W[k] - cv.wz[o]) - (v - z) * (N[k] - cv.wz[o]) for u, v in pairs}
                    if len(e) != 1:
                        return f"o={o} tap=({y},{x}) i={i}: depends on the code"
                    const += e.pop()
            if const:
                return f"o={o} class={cl}: off by {const}"
    return ""


# ---------------------------------------------------------------- RESCALE fits
def scale_intervals(points, out_zp, out_range, double, shift, mmax, threshold=31):
    """Multipliers m in [0, mmax] for which RESCALE with this shift maps every (v, code) right: [lo, hi], empty if lo > hi.

    v is centered. For fixed shift, (v*m + round(v)) >> shift is monotone in m, so each point allows one interval; a code at an end of the
    range is a clamp and bounds one side only. threshold: 31 in TOSA (DOUBLE_ROUND adds +-2^30 if shift > 31)."""
    lo, hi = 0, mmax
    for v, code in points:
        if not -(1 << (shift - 1)) <= v < (1 << (shift - 1)):
            return 1, 0
        rnd = 1 << (shift - 1)
        if double and shift > threshold:
            rnd += (1 << (threshold - 1)) if v >= 0 else -(1 << (threshold - 1))
        t = code - out_zp
        # a <= v*m <= b
        a = (t << shift) - rnd if code > out_range[0] else None
        b = ((t + 1) << shift) - 1 - rnd if code < out_range[1] else None
        if v < 0:
            v, a, b = -v, (None if b is None else -b), (None if a is None else -a)
        if v == 0:
            if (a is not None and a > 0) or (b is not None and b < 0):
                return 1, 0
            continue
        if a is not None:
            lo = max(lo, -(-a // v))
        if b is not None:
            hi = min(hi, b // v)
        if lo > hi:
            return 1, 0
    return lo, hi


def fit_all(mapping, in_zp, out_zp, out_range=I8, double=False, mmax=(1 << 31) - 1, shifts=(2, 62), threshold=31):
    """All RESCALEs that agree with mapping {code: code}: [(shift, m_lo, m_hi)], largest shift first. [] is the proof of none:
    each shift's interval is an intersection of intervals, and intervals that meet pairwise meet, so at each shift two codes already disagree (or a code is illegal)."""
    pts = [(x - in_zp, y) for x, y in mapping.items()]
    if any(not out_range[0] <= y <= out_range[1] for _, y in pts):
        return []
    out = []
    for s in range(shifts[1], shifts[0] - 1, -1):
        lo, hi = scale_intervals(pts, out_zp, out_range, double, s, mmax, threshold)
        if lo <= hi:
            out.append((s, lo, hi))
    return out


def fit_rescale(mapping, in_zp, out_zp, out_range=I8, double=False):
    """CANONICAL: the largest shift that has a solution, and there the smallest multiplier. -> (multiplier, shift) or None."""
    pts = [(x - in_zp, y) for x, y in mapping.items()]
    if any(not out_range[0] <= y <= out_range[1] for _, y in pts):
        return None
    for s in range(62, 1, -1):
        lo, hi = scale_intervals(pts, out_zp, out_range, double, s, (1 << 31) - 1)
        if lo <= hi:
            return lo, s
    return None


def fit_line(r):
    """The FIT_RESCALE replay op. -> [multiplier, shift] as dict, or a reason string."""
    it, ot, iu, ou = r.get("in_t", "i8"), r.get("out_t", "i8"), r.get("input_unsigned", False), r.get("output_unsigned", False)
    mode = r.get("rounding_mode", "SINGLE_ROUND")
    if it not in ("i8", "i16") or ot not in ("i8", "i16", "i32") or (iu and ou) or (ot == "i32" and (iu or ou)) or mode not in ("SINGLE_ROUND", "DOUBLE_ROUND"):
        return "error"
    rng = {n: M.RANGE[n] for n in M.RANGE}
    ir, orr = rng[("u" if iu else "i") + it[1:]], rng[("u" if ou else "i") + ot[1:]]
    for t, u, z, zr in ((it, iu, r["input_zp"], ir), (ot, ou, r["output_zp"], orr)):
        legal = zr[0] <= z <= zr[1] if t == "i8" else z in ((0, 32768) if t == "i16" and u else (0,))
        if not legal:
            return "error"
    if len(r["codes"]) != len(r["values"]) or not r["codes"] or any(not ir[0] <= x <= ir[1] for x in r["codes"]):
        return "error"
    m = {}
    for x, y in zip(r["codes"], r["values"]):
        if m.setdefault(x, y) != y:
            return "contradiction"
    f = fit_rescale(m, r["input_zp"], r["output_zp"], orr, mode == "DOUBLE_ROUND")
    return {"multiplier": f[0], "shift": f[1]} if f else "no_rescale"


def gamma_rescale(site, X, gm):
    """The gamma half as one per-channel RESCALE int8 -> int8: zero points and rounding are the graph's own (input_zp of the table's
    RESCALE, output_zp and rounding of gamma_out); multiplier and shift per channel by fit_rescale."""
    if site.get("gamma") is None:
        return {"reject": "no_gamma"}
    R = site["rescale"]
    zi, zo, dbl = R["table"]["input_zp"], R["gamma_out"]["output_zp"], R["gamma_out"].get("double", False)
    fits = [fit_rescale(m, zi, zo, I8, dbl) for m in gm]
    if None in fits:
        return {"reject": "no_rescale", "channel": fits.index(None)}
    return {"multiplier": [f[0] for f in fits], "shift": [f[1] for f in fits], "input_zp": zi, "output_zp": zo, "double": dbl}


def gamma_depthwise(site, X):
    """The gamma half as DEPTHWISE 1x1 (no bias) and the original gamma_out RESCALE. Exists if both operand RESCALEs are plain subtractions on
    the codes that occur: RESCALE_table(x) = x - zp on X, RESCALE_gamma(gamma_c) = gamma_c - zp. The weights are the centered gammas with weight_zp 0 if all fit int8, else the
    gamma codes with weight_zp = gamma's zero point."""
    if site.get("gamma") is None:
        return {"reject": "no_gamma"}
    R = site["rescale"]
    zt, zg = R["table"]["input_zp"], R["gamma"]["input_zp"]
    if any(M.rescale(x, R["table"]) != x - zt for x in X) or any(M.rescale(g, R["gamma"]) != g - zg for g in site["gamma"]):
        return {"reject": "not_scale_one"}
    w = [g - zg for g in site["gamma"]]
    if all(I8[0] <= v <= I8[1] for v in w):
        return {"weight": w, "weight_zp": 0, "input_zp": zt}
    return {"weight": list(site["gamma"]), "weight_zp": zg, "input_zp": zt}


# ---------------------------------------------------------------- the plan
PARTS = ("into_conv", "identity", "gamma_identity", "uniform_table", "channel_tables", "gamma_rescale", "gamma_depthwise", "retabled")


def plan(site):
    """PLAN_AFFINE -> dict of parts, or a reason string for the whole site."""
    if not count(normal_site(site)):
        return "channel_count"
    X, gm, ym = M.site_maps(normal_site(site))
    if X is None:
        return "unpredictable"
    u = uniform_table(site, X, ym)
    try:
        re = retabled(site)
    except Reject as e:
        re = {"reject": str(e)}
    return {
        "into_conv": into_conv(site),
        "identity": True if identity(ym, X) else {"reject": "not_identity"},
        "gamma_identity": True if identity(gm, X) else {"reject": "not_identity"},
        "uniform_table": u if u is not None else {"reject": "not_uniform"},
        "channel_tables": channel_tables(compose(site, y) for y in ym),
        "gamma_rescale": gamma_rescale(site, X, gm),
        "gamma_depthwise": gamma_depthwise(site, X),
        "retabled": re,
    }
