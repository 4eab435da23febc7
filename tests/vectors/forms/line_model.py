# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One channel as a line through rounding: y = clamp(((b + (x - izp) * w) * m + 2^(s-1) >> s) + ozp), in plain integers.

DEPTHWISE_CONV2D 1x1 with a bias, then RESCALE with a multiplier and shift for each channel: two TOSA operators (one on most
accelerators) for the six of gamma and beta. `fit(X, T, ...)` decides whether integers (w, b, m, s) exist for a map T of the
codes X and returns some; `polygon_empty` returns the codes that no line can meet (a counter-example, at most three)."""
from fractions import Fraction as F

I8 = (-128, 127)
MMAX = (1 << 31) - 1


def evaluate(x, izp, ozp, w, b, m, s, out=I8):
    acc = b + (x - izp) * w
    assert -(1 << 31) <= acc < (1 << 31) and -(1 << (s - 1)) <= acc < (1 << (s - 1))
    return min(out[1], max(out[0], ((acc * m + (1 << (s - 1))) >> s) + ozp))


def hull(points, sign):
    """The points of the upper (sign 1) or lower (-1) convex hull: a line is above (below) all points exactly if it is so there."""
    h = []
    for x, v in sorted(points):
        v *= sign
        while len(h) > 1 and (h[-1][0] - h[-2][0]) * (v - h[-2][1]) >= (h[-1][1] - h[-2][1]) * (x - h[-2][0]):
            h.pop()
        h.append((x, v))
    return {(x, v * sign) for x, v in h}


def strips(X, T, ozp, tol, out=I8):
    """For some codes the half-open interval [lo, hi) in which the line must be (None: open end), tol codes off at most; the other
    codes ask nothing more."""
    lo = hull([(x, F(2 * (t - ozp - tol) - 1, 2)) for x, t in zip(X, T) if t - tol > out[0]], 1)
    hi = hull([(x, F(2 * (t - ozp + tol) + 1, 2)) for x, t in zip(X, T) if t + tol < out[1]], -1)
    lo, hi = dict(lo), dict(hi)
    return [(x, lo.get(x), hi.get(x)) for x in X if x in lo or x in hi]


def line_exists(X, T, ozp, tol=0, out=I8):
    """Is there a real line a * x + b through all strips? -> (True, None) or (False, codes). Helly: three codes decide."""
    S = strips(X, T, ozp, tol, out)
    alo = ahi = None
    wlo = whi = None
    for i, (x1, l1, _) in enumerate(S):       # line >= l1 at x1, < h2 at x2:   a (x2 - x1) < h2 - l1
        if l1 is None:
            continue
        for (x2, _, h2) in S:
            if h2 is None or x1 == x2:
                continue
            q = (h2 - l1) / (x2 - x1)
            if x2 > x1:
                if ahi is None or q < ahi:
                    ahi, whi = q, (x1, x2)
            elif alo is None or q > alo:
                alo, wlo = q, (x1, x2)
    if alo is not None and ahi is not None and not alo < ahi:
        return False, sorted(set(wlo + whi))
    return True, None


def fit_scale(pairs, reach=0):
    """(m, s) with floor((a m + 2^(s-1)) / 2^s) in [lo, hi] for all (a, lo, hi); lo/hi None where open. Largest s first."""
    amax = max([reach] + [max(a, -a - 1) for a, _, _ in pairs])
    low, high = 0.0, 2.0 ** 31                     # a quick look: mu a in [lo - 1/2, hi + 1/2)
    for a, lo, hi in pairs:
        if a and lo is not None:
            q = (lo - .5) / a
            low, high = (max(low, q), high) if a > 0 else (low, min(high, q))
        if a and hi is not None:
            q = (hi + .5) / a
            low, high = (low, min(high, q)) if a > 0 else (max(low, q), high)
    if low > high * (1 + 1e-9) + 1e-300:
        return None
    for s in range(62, 1, -1):
        if amax >= (1 << (s - 1)):
            break
        m_lo, m_hi = 0, MMAX
        half = 1 << (s - 1)
        ok = True
        for a, lo, hi in pairs:
            if a == 0:
                if (lo is not None and lo > 0) or (hi is not None and hi < 0):
                    ok = False
                    break
                continue
            # lo 2^s <= a m + half  and  a m + half < (hi + 1) 2^s
            if lo is not None:
                n = (lo << s) - half            # a m >= n
                if a > 0:
                    m_lo = max(m_lo, -((-n) // a))
                else:
                    m_hi = min(m_hi, (-n) // (-a))
            if hi is not None:
                n = ((hi + 1) << s) - half - 1   # a m <= n
                if a > 0:
                    m_hi = min(m_hi, n // a)
                else:
                    m_lo = max(m_lo, -(n // (-a)))
            if m_lo > m_hi:
                ok = False
                break
        if ok and m_lo <= m_hi:
            return (m_lo + m_hi) // 2, s
    return None


def fit(X, T, izp, ozp, tol=0, out=I8, weights=(-127, 127), most=None):
    """-> (w, b, m, s) with every |evaluate - T| <= tol, or None if there are none with weights in the range. most: try that many weights only."""
    if not line_exists(X, T, ozp, tol, out)[0]:
        return None
    lim = [(None if t - tol <= out[0] else t - tol - ozp, None if t + tol >= out[1] else t + tol - ozp) for t in T]
    # a constant will do
    lo = max([l for l, _ in lim if l is not None], default=-1 << 20)
    hi = min([h for _, h in lim if h is not None], default=1 << 20)
    if lo <= hi and weights[0] <= 0 <= weights[1]:
        b = max(lo, min(hi, 0))
        if b == 0:
            return 0, 0, 0, 2
        m, s = fit_scale([(b, b, b)])
        return 0, b, m, s
    S = strips(X, T, ozp, tol, out)
    half = F(1, 2)
    few = [(x, None if l is None else int(l + half), None if h is None else int(h - half)) for x, l, h in S]
    order = sorted((w for w in range(weights[0], weights[1] + 1) if w), key=lambda w: -abs(w))
    for w in order[:most]:
        # b such that some mu >= 0 serves: mu (w u + b) >= l, < h.  t = b: for l > 0: mu >= l / (w u + b) ...
        # candidates: the zero of the line, from the pairs: scan the integers between the extreme zeros.
        cand = zeros(S, izp, w)
        for b in cand:
            r = fit_scale([(b + (x - izp) * w, l, h) for x, l, h in few], max(max(X) - izp, izp - min(X)) * abs(w) + abs(b))
            if r:
                return w, b, *r
    return None


def zeros(S, izp, w):
    """Integers b for which mu (w (x - izp) + b) could meet all strips, for one mu > 0, nearest the middle first."""
    # mu A >= l and mu A < h for A = w u + b. With k = 1 / mu: A >= l k (l finite), A < h k. b in [l k - w u, h k - w u).
    # For a k the interval of b is [max(l k - w u), min(h k - w u)); that is convex in (k, b). Scan k at vertices.
    L = [(l, -w * (x - izp)) for x, l, _ in S if l is not None]
    H = [(h, -w * (x - izp)) for x, _, h in S if h is not None]
    # feasible (k, b) polygon: l k + c <= b < h k + d. Find k-range by the pair test, then b-range at its ends and middle.
    klo, khi = F(0), None
    for l, c in L:
        for h, d in H:                    # l k + c < h k + d  ->  (h - l) k > c - d
            g = h - l
            if g > 0:
                klo = max(klo, (c - d) / F(g))
            elif g < 0:
                q = (c - d) / F(g)
                khi = q if khi is None else min(khi, q)
            elif c >= d:
                return []
    if khi is None:
        khi = klo + 1000
    if klo > khi:
        return []
    ks = [klo + (khi - klo) * F(i, 8) for i in range(9)]
    lo = min(max(l * k + c for l, c in L) for k in ks) if L else None
    hi = max(min(h * k + d for h, d in H) for k in ks) if H else None
    if lo is None:
        lo = hi - 300
    if hi is None:
        hi = lo + 300
    mid = (max(l * ks[4] + c for l, c in L) + min(h * ks[4] + d for h, d in H)) / 2 if L and H else (lo + hi) / 2
    r = range(int(lo) - 1, int(hi) + 2)
    return sorted(r, key=lambda b: abs(b - mid))[:400]
