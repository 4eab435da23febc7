# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Independent plain-integer model of what the library must do (TOSA 1.0 arithmetic
and exact folding). Shares no code with the project; used to judge it.

Everything is Python ints; 'None' from a rescale means that the TOSA specification
calls the result unpredictable.
"""
from fractions import Fraction
import itertools, math, struct

I32 = (-(1 << 31), (1 << 31) - 1)
RANGE = {"i8": (-128, 127), "u8": (0, 255), "i16": (-32768, 32767), "u16": (0, 65535), "i32": I32}


def bits_to_double(text):
    return struct.unpack(">d", int(text, 16).to_bytes(8, "big"))[0]


def wrap32(v):
    return (v + (1 << 31)) % (1 << 32) - (1 << 31)


def multiplier_shift(scale, width=32):
    """ExecuTorch convention: mantissa half-to-even, shift>62 truncates, shift<2 refused."""
    if not math.isfinite(scale) or scale < 0:
        return None
    offset = 31 if width == 32 else 15
    mant, exp = math.frexp(scale)
    m = round(mant * (1 << offset))
    if m == 1 << offset:
        m //= 2
        exp += 1
    shift = offset - exp
    if shift > 62:
        m >>= min(31, shift - 62)
        shift = 62
    if shift < 2:
        return None
    return m, shift


def apply_scale_32(value, m, s, double=False):
    if not 0 <= m <= I32[1] or not 2 <= s <= 62 or not -(1 << (s - 1)) <= value < (1 << (s - 1)):
        return None
    r = 1 << (s - 1)
    if double and s > 31:
        r += (1 << 30) if value >= 0 else -(1 << 30)
    return (value * m + r) >> s


def rescale(value, r):
    """r: dict(multiplier, shift, input_zp, output_zp, out) -> code or None (unpredictable)."""
    v = apply_scale_32(value - r["input_zp"], r["multiplier"], r["shift"], r.get("double", False))
    if v is None:
        return None
    v += r["output_zp"]
    if not I32[0] <= v <= I32[1]:
        return None
    lo, hi = RANGE[r.get("out", "i32")]
    return min(max(v, lo), hi)


STEPS = ("table", "gamma", "gamma_out", "add_in", "beta", "add_out")


def site_maps(site):
    """-> (X, gamma_maps, maps) or (None, reason, channel). maps[c][x] is the conv's input code.

    gamma or beta may be None: that half does not exist (its rescales are absent)."""
    X = sorted(set(site["table"]))
    R = site["rescale"]
    G, B = site.get("gamma"), site.get("beta")
    gm, ym = [], []
    for c in range(channels(site)):
        g32 = rescale(G[c], R["gamma"]) if G is not None else 0
        b32 = rescale(B[c], R["beta"]) if B is not None else 0
        if g32 is None or b32 is None:
            return None, "unpredictable", c
        a, y = {}, {}
        for x in X:
            m = x
            if G is not None:
                t = rescale(x, R["table"])
                m = None if t is None else rescale(wrap32(t * g32), R["gamma_out"])
            z = m
            if B is not None and m is not None:
                k = rescale(m, R["add_in"])
                z = None if k is None or not I32[0] <= k + b32 <= I32[1] else rescale(k + b32, R["add_out"])
            if m is None or z is None:
                return None, "unpredictable", c
            a[x], y[x] = m, z
        gm.append(a)
        ym.append(y)
    return X, gm, ym


def channels(site):
    for k in ("gamma", "beta"):
        if site.get(k) is not None:
            return len(site[k])
    cv = site["conv"]
    return cv["weight_shape"][3] * cv.get("groups", 1)


def last_zero_point(site):
    """zero point of the code that the convolution reads."""
    if site.get("beta") is not None:
        return site["rescale"]["add_out"]["output_zp"]
    return site["rescale"]["gamma_out"]["output_zp"] if site.get("gamma") is not None else site["table_zp"]


def tap_masks(n_in, n_out, k, stride, dil, pad):
    """distinct in-bounds tap sets along one axis over all output positions."""
    out = set()
    for o in range(n_out):
        out.add(tuple(t for t in range(k) if 0 <= o * stride - pad + t * dil < n_in))
    return out


def conv_classes(conv):
    """Distinct sets of in-bounds spatial taps (ky,kx), from geometry; None: unpadded (all taps always)."""
    pad = conv.get("pad", [0, 0, 0, 0])
    if not any(pad):
        kh, kw = conv["weight_shape"][1:3]
        return [tuple(itertools.product(range(kh), range(kw)))]
    (kh, kw), (h, w) = conv["weight_shape"][1:3], conv["input_hw"]
    sy, sx = conv.get("stride", [1, 1])
    dy, dx = conv.get("dilation", [1, 1])
    sh, sw = h - 1 + pad[0] + pad[1] - (kh - 1) * dy, w - 1 + pad[2] + pad[3] - (kw - 1) * dx
    if sh < 0 or sw < 0 or sh % sy or sw % sx:      # no output position, or a stride that does not divide (TOSA: error)
        return []
    oh, ow = sh // sy + 1, sw // sx + 1
    rows = tap_masks(h, oh, kh, sy, dy, pad[0])
    cols = tap_masks(w, ow, kw, sx, dx, pad[2])
    return [tuple(itertools.product(r, c)) for r in rows for c in cols]


def fold_exists(site):
    """The necessary and sufficient condition. -> dict(weight, bias, input_zp) or reason string.

    weight layout OHWI per group: weight[o][ky][kx][i] flat, input channel = group*ICg + i.
    """
    cv = site["conv"]
    oc, kh, kw, icg = cv["weight_shape"]
    groups = cv.get("groups", 1)
    G, B = site.get("gamma"), site.get("beta")
    if groups < 1 or oc % groups or icg * groups != channels(site) or (G is not None and B is not None and len(G) != len(B)):
        return "channel_count"
    X, gm, ym = site_maps(site)
    if X is None:
        return "unpredictable"
    if cv["input_zp"] != last_zero_point(site):
        return "zero_point_mismatch"
    wz = cv.get("weight_zp", [0])
    wz = wz * oc if len(wz) == 1 else wz
    lo, hi = cv.get("weight_range", [-128, 127])
    bias = cv.get("bias") or [0] * oc
    bias = bias * oc if len(bias) == 1 else bias
    if len(cv["weight"]) != oc * kh * kw * icg or len(wz) != oc or len(bias) != oc:
        return "channel_count"
    classes = conv_classes(cv)
    if not classes:
        return "error"
    touched = sorted(set(itertools.chain(*classes)))
    x0 = X[0]
    slopes = []
    for c in range(channels(site)):
        if len(X) == 1:
            slopes.append(Fraction(0))
            continue
        s = Fraction(ym[c][X[1]] - ym[c][x0], X[1] - x0)
        slopes.append(s if all(ym[c][x] - ym[c][x0] == s * (x - x0) for x in X) else None)
    W = cv["weight"]
    at = lambda o, y, x, i: W[((o * kh + y) * kw + x) * icg + i]
    new = list(W)
    A = [dict() for _ in range(oc)]      # per spatial tap: constant part with zp' = table_zp
    B = [dict() for _ in range(oc)]      # per spatial tap: d/dzp'
    zpt = site["table_zp"]
    for o in range(oc):
        g = o // (oc // groups)
        for y, x in touched:
            a = b = 0
            for i in range(icg):
                c = g * icg + i
                wc = at(o, y, x, i) - wz[o]
                if wc == 0:
                    n = 0
                elif slopes[c] is None:
                    return "not_affine"
                else:
                    n = wc * slopes[c]
                    if n.denominator != 1:
                        return "not_affine"
                    n = int(n)
                if not lo <= n + wz[o] <= hi:
                    return "weight_overflow"
                new[((o * kh + y) * kw + x) * icg + i] = n + wz[o]
                a += wc * (ym[c][x0] - cv["input_zp"]) - n * (x0 - zpt)
                b += n
            A[o][(y, x)] = a
            B[o][(y, x)] = b
    # constant per class: K(delta) = sum A + delta * sum B, zp' = zpt + delta
    delta = None
    rows = [[(sum(A[o][t] for t in cl), sum(B[o][t] for t in cl)) for cl in classes] for o in range(oc)]
    free = all(k[1] == r[0][1] for r in rows for k in r)
    if free:
        if any(k[0] != r[0][0] for r in rows for k in r):
            return "padding"
        delta = 0
    else:
        for r in rows:
            for k in r[1:]:
                db, da = k[1] - r[0][1], k[0] - r[0][0]
                if db == 0:
                    if da:
                        return "padding"
                    continue
                if da % db:
                    return "padding"
                d = -da // db
                if delta is None:
                    delta = d
                elif delta != d:
                    return "padding"
    if not -128 <= zpt + delta <= 127:
        return "padding"
    nb = [bias[o] + rows[o][0][0] + delta * rows[o][0][1] for o in range(oc)]
    if any(not I32[0] <= v <= I32[1] for v in nb):
        return "bias_overflow"
    xm = max(abs(x - zpt - delta) for x in X)
    for o in range(oc):
        s = sum(abs(new[((o * kh + y) * kw + x) * icg + i] - wz[o]) for y, x in touched for i in range(icg))
        if s * xm > I32[1]:
            return "accumulator_overflow"
    return {"weight": new, "bias": nb, "input_zp": zpt + delta}


def check_fold(site, out):
    """Is this claimed fold exact, on every code, channel and border class? -> '' or what is wrong."""
    X, gm, ym = site_maps(site)
    if X is None:
        return "folded an unpredictable site"
    cv = site["conv"]
    oc, kh, kw, icg = cv["weight_shape"]
    groups = cv.get("groups", 1)
    wz = cv.get("weight_zp", [0])
    wz = wz * oc if len(wz) == 1 else wz
    lo, hi = cv.get("weight_range", [-128, 127])
    bias = cv.get("bias") or [0] * oc
    bias = bias * oc if len(bias) == 1 else bias
    W, N, zp = cv["weight"], out["weight"], out["input_zp"]
    if len(N) != len(W) or len(out["bias"]) != oc or not -128 <= zp <= 127:
        return "shape or zero point"
    if any(not lo <= w <= hi for w in N) or any(not I32[0] <= b <= I32[1] for b in out["bias"]):
        return "out of range"
    if len(wz) != oc or len(bias) != oc or not conv_classes(cv):
        return "illegal convolution"
    for o in range(oc):
        g = o // (oc // groups)
        for cl in conv_classes(cv):
            const = bias[o] - out["bias"][o]
            for y, x in cl:
                for i in range(icg):
                    k = ((o * kh + y) * kw + x) * icg + i
                    c = g * icg + i
                    d = [(ym[c][v] - cv["input_zp"]) * (W[k] - wz[o]) - (v - zp) * (N[k] - wz[o]) for v in X]
                    if any(e != d[0] for e in d):
                        return f"o={o} tap=({y},{x}) i={i}: depends on the code"
                    const += d[0]
            if const:
                return f"o={o} class={cl}: accumulator off by {const}"
    return ""
