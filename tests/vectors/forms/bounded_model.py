# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A fold of gamma and beta into a convolution with a proven bound, where no exact one exists: plain Python integers, on plan_model.

The convolution and its RESCALE (per output channel: multiplier m, shift s) become others of the same shape (n, bias', input_zp', m', s').
Let v = acc * m / 2^s and v' = acc' * m' / 2^s' be what the two RESCALEs round. Per output channel and class of positions

    v - v' = (bias * m / 2^s - bias' * m' / 2^s') + sum over the class's taps of  h(x) = w (y_c(x) - zin) m / 2^s - n (x - zin') m' / 2^s'

Each tap's code x is any of X, independently of the others, so the largest and the smallest v - v' are sums of the taps' own: exact, no
search. With D = max |v - v'| the output codes differ by at most ceil(D): rounding moves no difference beyond the next integer, and a clamp
enlarges none.  Width over X of w y_c(x) m / 2^s - n x m' / 2^s' is convex in n, so that the best n is the floor or the ceiling of
w * slope_c * (m / 2^s) / (m' / 2^s'), slope_c being that of the narrowest strip around channel c's map (from its convex hull).
Whatever n, bias', m', s' are: D >= sum of |w| * strip_c * (m / 2^s) / 2, strip_c = the vertical width of that strip. (Of v, v': before the clamp.)
"""
from fractions import Fraction as F
import math
import plan_model as P
import spec_model as M

MMAX = (1 << 31) - 1


def strip(X, y):
    """Narrowest vertical strip around the points: -> (width, slope), exact."""
    pts = list(zip(X, y))
    if len(pts) < 2:
        return F(0), F(0)
    def hull(sign):
        h = []
        for x, v in pts:
            v *= sign
            while len(h) > 1 and (h[-1][0] - h[-2][0]) * (v - h[-2][1]) - (h[-1][1] - h[-2][1]) * (x - h[-2][0]) >= 0:
                h.pop()
            h.append((x, v))
        return [(x, v * sign) for x, v in h]
    best = None
    for h in (hull(1), hull(-1)):
        for (x0, y0), (x1, y1) in zip(h, h[1:]):
            p = F(y1 - y0, x1 - x0)
            d = [v - p * x for x, v in pts]
            w = max(d) - min(d)
            if best is None or w < best[0] or (w == best[0] and abs(p) < abs(best[1])):
                best = (w, p)
    return best


def scale_of(q):
    """A positive Fraction as (multiplier, shift), multiplier in [2^30, 2^31) where the shift allows it; None: no shift does."""
    e = 0
    while q * 2 ** e < 1 << 30 if e >= 0 else q < (1 << 30) * 2 ** -e:
        e += 1
        if e > 62:
            break
    while e > -40 and q * F(2) ** e >= MMAX + 1:
        e -= 1
    e = min(e, 62)
    m = round(q * F(2) ** e)
    if m > MMAX:
        m, e = (m + 1) // 2, e - 1
    return (m, e) if 2 <= e <= 62 and m > 0 else None


class Site:
    def __init__(self, site, rescale):
        site = P.normal_site(site)
        if not P.count(site):
            raise P.Reject("channel_count")
        self.X, _, self.Y = M.site_maps(site)
        if self.X is None:
            raise P.Reject("unpredictable")
        self.cv = P.Conv(site)
        if not self.cv.classes:
            raise P.Reject("error")
        self.site, self.r = site, rescale
        self.y = [[m[x] for x in self.X] for m in self.Y]
        self.strip = [strip(self.X, y) for y in self.y]
        self.taps = [[] for _ in range(self.cv.oc)]
        for k, o, t, c, w in self.cv.taps():
            self.taps[o].append((k, t, c, w))

    def sigma(self, o):
        return F(self.r["multiplier"][o], 2 ** self.r["shift"][o])

    def lower_bound(self, o):
        """No fold of this shape has a smaller D for output channel o."""
        best = F(0)
        for cl in self.cv.classes:
            inside = set(cl)
            best = max(best, sum((abs(w) * self.strip[c][0] for _, t, c, w in self.taps[o] if t in inside), F(0)))
        return best * self.sigma(o) / 2

    def spread(self, c, w, n, a, b):
        """(min, max) over X of a w y_c(x) - b n x."""
        v = [a * w * y - b * n * x for x, y in zip(self.X, self.y[c])]
        return min(v), max(v)


def scaled(o, r, new):
    m, s = r["multiplier"][o], r["shift"][o]
    m2, s2 = new["multiplier"][o], new["shift"][o]
    S = max(s, s2)
    return m << (S - s), m2 << (S - s2), S


def certificate(site, rescale, new):
    """The exact D of each output channel for given constants: [(N, S)], D = N / 2^S. new: weight, bias, input_zp, multiplier, shift.
    Raises Reject if a sum or a RESCALE leaves its range."""
    q = Site(site, rescale)
    cv, out = q.cv, []
    z, z2 = cv.zin, new["input_zp"]
    for o in range(cv.oc):
        a, b, S = scaled(o, rescale, new)
        tap = {}
        reach = abs(new["bias"][o])
        for k, t, c, w in q.taps[o]:
            n = new["weight"][k] - cv.wz[o]
            lo, hi = q.spread(c, w, n, a, b)
            fix = -a * w * z + b * n * z2
            l, h = tap.get(t, (0, 0))
            tap[t] = (l + lo + fix, h + hi + fix)
            reach += abs(n) * max(abs(x - z2) for x in q.X)
        if reach > M.I32[1] or reach >= 1 << (new["shift"][o] - 1):
            raise P.Reject("accumulator_overflow")
        D = 0
        for cl in cv.classes:
            base = a * cv.bias[o] - b * new["bias"][o]
            D = max(D, abs(base + sum(tap[t][0] for t in cl)), abs(base + sum(tap[t][1] for t in cl)))
        out.append((D, S))
    return out


def fold_bounded(site, rescale, steps=26):
    """A good fold: per output channel the best of some output scales, best weights for each. -> dict or Reject."""
    q = Site(site, rescale)
    cv = q.cv
    lo_w, hi_w = cv.lo, cv.hi
    oc = cv.oc
    chosen = []
    for o in range(oc):
        sig = q.sigma(o)
        need = F(0)
        for _, t, c, w in q.taps[o]:
            v = w * q.strip[c][1]
            lim = (hi_w - cv.wz[o]) if v > 0 else -(lo_w - cv.wz[o])
            if v:
                need = max(need, abs(v) / max(lim, 1))
        best = None
        for i in range(steps):
            rho = (need if need else F(1)) * (1 + F(i, 100))
            ms = scale_of(rho * sig)
            if ms is None:
                continue
            r2 = {"multiplier": [ms[0]] * oc, "shift": [ms[1]] * oc}
            a, b, S = scaled(o, rescale, r2)
            memo, total = {}, 0
            for k, t, c, w in q.taps[o]:
                if (c, w) not in memo:
                    x = w * q.strip[c][1] * F(a, b)
                    cand = []
                    for n in {math.floor(x), math.ceil(x)}:
                        n = min(max(n, lo_w - cv.wz[o]), hi_w - cv.wz[o])
                        l, h = q.spread(c, w, n, a, b)
                        cand.append((h - l, abs(n), n))
                    memo[c, w] = min(cand)
                total += memo[c, w][0]
            key = F(total, 2 ** S)
            if best is None or key < best[0]:
                best = (key, ms, {cw: v[2] for cw, v in memo.items()})
            if not need:
                break
        if best is None:
            raise P.Reject("scale")
        chosen.append(best)
    weight = list(cv.W)
    for o in range(oc):
        for k, t, c, w in q.taps[o]:
            weight[k] = chosen[o][2][c, w] + cv.wz[o]
    new = {"weight": weight, "multiplier": [c[1][0] for c in chosen], "shift": [c[1][1] for c in chosen]}
    rows = []
    for o in range(oc):
        a, b, S = scaled(o, rescale, new)
        tap = {}
        for k, t, c, w in q.taps[o]:
            n = weight[k] - cv.wz[o]
            l, h = q.spread(c, w, n, a, b)
            L, H, N = tap.get(t, (0, 0, 0))
            tap[t] = (L + l - a * w * cv.zin, H + h - a * w * cv.zin, N + n)
        rows.append((a, b, S, [(sum(tap[t][0] for t in cl), sum(tap[t][1] for t in cl), sum(tap[t][2] for t in cl)) for cl in cv.classes]))
    best = None
    tz = q.site["table_zp"]
    for z2 in ([tz] if len(cv.classes) == 1 else sorted(range(-128, 128), key=lambda z: abs(z - tz))):
        bias, worst = [], F(0)
        for o, (a, b, S, cls) in enumerate(rows):
            lo = min(l + b * n * z2 for l, h, n in cls)
            hi = max(h + b * n * z2 for l, h, n in cls)
            nb = round(F(2 * a * cv.bias[o] + lo + hi, 2 * b))
            D = max(abs(a * cv.bias[o] - b * nb + lo), abs(a * cv.bias[o] - b * nb + hi))
            bias.append(nb)
            worst = max(worst, F(D, 2 ** S))
        if best is None or worst < best[0]:
            best = (worst, z2, bias)
    new.update(input_zp=best[1], bias=best[2])
    if any(not M.I32[0] <= v <= M.I32[1] for v in new["bias"]):
        raise P.Reject("bias_overflow")
    new["bound"] = certificate(site, rescale, new)
    new["lower_bound"] = [q.lower_bound(o) for o in range(oc)]
    return new
