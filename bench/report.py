#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""report.py RESULTS.json    writes the measured parts of docs/speed.md, and docs/speed_*.svg, from results of bench/run
report.py --check         are they what the results that docs/speed.md names give?"""
import json
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/speed.md"
BEGIN = re.compile(r"<!-- bench/report\.py (\S+) -->\n(.*?)<!-- end -->\n", re.S)
CHANNELS = (64, 384, 1024, 4096, 16384)
IN_CACHE = "128x128x3x3"  # of the second level, with what is read beside it
SIZES = ("512x512x3x3", "4096x4096x1x1", IN_CACHE)
FUNCTIONS = "tanh logistic exp silu erf gelu isru arctan".split()
O2, NATIVE = "-O2", "-O2 -march=native"

STYLE = """<style>
text{font-family:system-ui,-apple-system,"Segoe UI","DejaVu Sans",Roboto,sans-serif;font-size:12px;fill:#57606a}
.title{font-size:15px;font-weight:600;fill:#1f2328}
.name{fill:#1f2328}
.end{text-anchor:end}
.middle{text-anchor:middle}
.page{fill:#ffffff;stroke:#d0d7de}
.grid{stroke:#d8dee4;stroke-width:1}
.c0{stroke:#0969da;fill:#0969da}.c1{stroke:#1a7f37;fill:#1a7f37}.c2{stroke:#8250df;fill:#8250df}
.c3{stroke:#6e7781;fill:#6e7781}.c4{stroke:#bc4c00;fill:#bc4c00}.c5{stroke:#cf222e;fill:#cf222e}
.line{fill:none;stroke-width:2}
.label{stroke:none}
@media (prefers-color-scheme:dark){
text{fill:#9198a1}
.title,.name{fill:#f0f6fc}
.page{fill:#0d1117;stroke:#3d444d}
.grid{stroke:#262c34}
.c0{stroke:#4493f8;fill:#4493f8}.c1{stroke:#3fb950;fill:#3fb950}.c2{stroke:#ab7df8;fill:#ab7df8}
.c3{stroke:#9198a1;fill:#9198a1}.c4{stroke:#db6d28;fill:#db6d28}.c5{stroke:#f85149;fill:#f85149}
}
</style>
"""


def ms(v):
    """Three digits, in the unit that suits."""
    if v is None:
        return "-"
    for unit, factor in (("ns", 1e6), ("us", 1e3), ("ms", 1), ("s", 1e-3)):
        scaled = v * factor
        if scaled < 999.5 or unit == "s":
            return f"{scaled:.3g} {unit}"
    return ""


def ratio(a, b):
    return "-" if a is None or not b else f"{a / b:.2g}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def picture(width, height, title, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{title}">\n{STYLE}'
            f'<rect class="page" x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8"/>\n'
            f'<text class="title" x="30" y="36">{title}</text>\n{body}</svg>\n')


def site_series(times):
    return [("dytq, all affine", "c0", lambda c: times[O2].get(f"site/affine/{c}/dytq")),
            ("dytq, none affine", "c1", lambda c: times[O2].get(f"site/rejected/{c}/dytq")),
            ("dytq, trained", "c2", lambda c: times[O2].get(f"site/trained/{c}/dytq")),
            ("C++, operator by operator", "c3", lambda c: times[O2].get(f"site/affine/{c}/naive")),
            ("numpy, whole arrays", "c4", lambda c: times["peers"].get(f"site/affine/{c}/numpy")),
            ("Python, double loop", "c5", lambda c: times["peers"].get(f"site/affine/{c}/python"))]


def sites_picture(times):
    left, top, right, bottom = 80, 70, 640, 420
    low, high = -3, 4  # powers of ten of a millisecond
    x = lambda c: left + (math.log2(c) - 6) / 8 * (right - left)
    y = lambda v: bottom - (math.log10(v) - low) / (high - low) * (bottom - top)
    out = []
    for power in range(low, high + 1):
        at = y(10.0 ** power)
        out.append(f'<path class="grid" d="M{left} {at:.1f}H{right}"/><text class="end" x="{left - 10}" y="{at + 4:.1f}">{ms(10.0 ** power)}</text>')
    for c in CHANNELS:
        out.append(f'<path class="grid" d="M{x(c):.1f} {top}V{bottom}"/><text class="middle" x="{x(c):.1f}" y="{bottom + 20}">{c}</text>')
    out.append(f'<text class="middle" x="{(left + right) / 2}" y="{bottom + 42}">channels, 256 codes each</text>')
    labels = []
    for name, style, f in site_series(times):
        points = [(x(c), y(f(c))) for c in CHANNELS if f(c)]
        if points:
            path = "M" + "L".join(f"{px:.1f} {py:.1f}" for px, py in points)
            out.append(f'<path class="line {style}" d="{path}"/>')
            out += [f'<circle class="{style}" cx="{px:.1f}" cy="{py:.1f}" r="3"/>' for px, py in points]
            labels.append([y(f(max(c for c in CHANNELS if f(c)))), name, style])
    labels.sort()
    for i, label in enumerate(labels):  # none over another
        label[0] = max(label[0], labels[i - 1][0] + 20) if i else label[0]
    out += [f'<text class="label {style}" x="{right + 18}" y="{at + 4:.1f}">{name}</text>' for at, name, style in labels]
    return picture(860, 480, "Gamma and beta of a site: each channel evaluated and fitted (time)", "\n".join(out) + "\n")


def weight_rows(times):
    """(size, layout, {what: ms})."""
    for size in SIZES:
        for layout in ("OHWI", "OIHW", "depthwise"):
            get = lambda what, run=O2: times.get(run, {}).get(f"weights/{size}/{layout}/{what}")
            if get("dytq"):
                yield size, layout, {"in place": get("dytq_in_place"), "to another place": get("dytq"), "naive C++": get("naive"),
                                     "numpy": get("numpy", "peers"), "native": get("dytq", NATIVE), "native, in place": get("dytq_in_place", NATIVE), "slope 1": get("dytq_slope_1"), "slope 1, native": get("dytq_slope_1", NATIVE),
                                     "read": times[O2].get(f"weights/{size}/read_sum"), "memcpy": times[O2].get(f"weights/{size}/memcpy"),
                                     "memcpy, native": times.get(NATIVE, {}).get(f"weights/{size}/memcpy")}


def weights_picture(times):
    names = {"in place": "c0", "to another place": "c2", "naive C++": "c3", "numpy": "c4", "read": "c1"}
    left, right, top = 190, 760, 96
    rows = list(weight_rows(times))
    most = max(v for _, _, row in rows for k, v in row.items() if k in names and v)
    low, high = -2, math.ceil(math.log10(most) * 2) / 2
    x = lambda v: left + max((math.log10(v) - low) / (high - low), 0.002) * (right - left)
    out, at = [], top
    height = top + sum(14 * sum(1 for k in names if row[k]) + 22 for _, _, row in rows)
    for power in range(math.ceil(low), math.floor(high) + 1):
        out.append(f'<path class="grid" d="M{x(10.0 ** power):.1f} {top - 12}V{height - 12}"/>'
                   f'<text class="middle" x="{x(10.0 ** power):.1f}" y="{height + 8}">{ms(10.0 ** power)}</text>')
    legend = left
    for name, style in names.items():
        word = {"in place": "dytq in place", "to another place": "dytq", "read": "reading alone"}.get(name, name)
        out.append(f'<rect class="{style}" x="{legend}" y="52" width="12" height="12" rx="2"/><text x="{legend + 18}" y="62">{word}</text>')
        legend += 40 + 7 * len(word)
    for size, layout, row in rows:
        shown = [(k, row[k]) for k in names if row[k]]
        out.append(f'<text class="end name" x="{left - 14}" y="{at + 7 * len(shown) + 3}">{size} {layout}</text>')
        for name, v in shown:
            out.append(f'<rect class="{names[name]}" x="{left}" y="{at}" width="{x(v) - left:.1f}" height="11" rx="2"/>'
                       f'<text x="{x(v) + 6:.1f}" y="{at + 10}" style="font-size:10px">{ms(v)}</text>')
            at += 14
        at += 22
    return picture(860, height + 26, "Weights folded: proof, new weights and new bias (time, logarithmic)", "\n".join(out) + "\n")


def layouts(times):
    """Depthwise weights beside the best of the other layouts; and what a fold of each moves, moved alone."""
    rows = []
    for size in SIZES:
        def cell(what, run):
            of = lambda layout: times.get(run, {}).get(f"weights/{size}/{layout}/{what}")
            best = [t for t in (of("OHWI"), of("OIHW")) if t]
            return ratio(of("depthwise"), min(best) if best else None)
        if f"weights/{size}/depthwise/dytq" in times[O2]:
            rows.append([size] + [cell(what, run) for run in (O2, NATIVE) for what in ("dytq", "dytq_in_place")] + [cell("moved", NATIVE)])
    return table(["depthwise / the best of the others", "dytq", "in place", "native", "native, in place", "their bytes moved, native"], rows)


def linear(times):
    sizes = {bits: times.get(f"linear/2_to_{bits}") for bits in (20, 22, 24, 26, 28)}
    return "A fold in place, a weight: " + ", ".join(f"{t * 1e9 / 2 ** bits:.3g} ps of 2^{bits}" for bits, t in sizes.items() if t) + ".\n"


def text(results, name):
    times, o2 = results["times"], results["times"][O2]
    native = times.get(NATIVE, {})
    machine = results["machine"]
    how = results["unit"].split(", ")[1]
    out = [f"Measured by `bench/run` on {machine['cpu']}, {machine['cores']} cores, {machine['system']}; {results['compiler']}; commit "
           f"`{results['commit']}`. Times are CPU time, {how}; figures of one machine, so only the ratios mean anything elsewhere. "
           f"All of them are in [bench/results/{name}](../bench/results/{name}).\n",
           "### Sites\n", "![Time of a site's evaluation over its channels](speed_sites.svg)\n"]
    rows = [[label] + [ms(f(c)) for c in CHANNELS] for label, _, f in site_series(times)]
    rows.insert(3, ["dytq, all affine, `-march=native`"] + [ms(native.get(f"site/affine/{c}/dytq")) for c in CHANNELS])
    rows.insert(5, ["C++, operator by operator, trained"] + [ms(o2.get(f"site/trained/{c}/naive")) for c in CHANNELS])
    out += [table(["channels"] + [str(c) for c in CHANNELS], rows),
            "The trained site is the first of the digits network, its channels repeated. The peers in Python do the site whose channels are all affine.\n",
            "### Weights\n", "![Time of folding weights](speed_weights.svg)\n"]
    rows = [[f"{size} {layout}", ms(r["to another place"]), ms(r["in place"]), ms(r["native"]), ms(r["native, in place"]), ms(r["slope 1"]), ms(r["naive C++"]), ms(r["numpy"]),
             ms(r["read"]), ms(r["memcpy"]), ratio(r["to another place"], r["naive C++"]), ratio(r["in place"], r["read"]),
             ratio(r["native"], r["memcpy, native"]), ratio(r["native, in place"], r["memcpy, native"]), ratio(r["slope 1, native"], r["memcpy, native"])] for size, layout, r in weight_rows(times)]
    out += [table(["weights", "dytq", "in place", "native", "native, in place", "slope 1", "naive C++", "numpy", "read sum", "memcpy", "dytq / naive", "in place / read",
                   "native / memcpy", "native, in place / memcpy", "slope 1, native / memcpy"], rows),
            "Slopes of 1 and -1 in turn, where the column does not say otherwise.\n", layouts(times),
            "The last column is what a fold to another place reads and writes, with nothing made of it.\n", linear(o2),
            "### Tables\n",
            table(["function", "exact", "float32", "int16", "libm loop", "exact / libm"],
                  [[f, ms(o2[f"table/{f}/dytq"]), ms(o2[f"table/{f}/dytq_float32"]), ms(o2[f"table/{f}/dytq_int16"]), ms(o2[f"table/{f}/libm"]),
                    ratio(o2[f"table/{f}/dytq"], o2[f"table/{f}/libm"])] for f in FUNCTIONS]),
            f"64 tables of tanh, one for each alpha: {ms(o2['tables/64_alphas/dytq'])}. Alpha into a finished table: {ms(o2['alpha/dytq'])}, "
            f"by checked operators {ms(o2['alpha/naive'])}.\n",
            "### Sites of the digits network\n"]
    layers = sorted(n.split("/")[1] for n in o2 if n.startswith("plan/"))
    out += [table(["site"] + layers, [["every rewrite, by the planner"] + [ms(o2[f"plan/{layer}/dytq"]) for layer in layers],
                                      ["per-channel tables"] + [ms(o2[f"channel_tables/{layer}/dytq"]) for layer in layers]]),
            "### RESCALE over every int32\n"]
    per_value = lambda t, name, count: t[name] / count
    rows = []
    for flags, t in times.items():
        if flags not in (O2, NATIVE):
            continue
        kernel, checked = (per_value(t, f"rescale/{what}/dytq", 1 << 32) for what in ("kernel", "checked"))
        division = per_value(t, "rescale/division/int128", 1 << 28)
        words = per_value(t, "rescale/words/dytq", 1 << 32) if "rescale/words/dytq" in t else None
        rows.append([f"`{flags}`", ms(kernel), ms(words), ms(checked), ms(division), ratio(kernel, division), ratio(words, division), ratio(checked, division)])
    out += [table(["a value", "`rescale_kernel`", "its words", "`apply_scale_32`, checked", "`__int128` and a division", "kernel / division",
                   "words / division", "checked / division"], rows)]
    if "replay_lines_per_second" in results:
        rates = results["replay_lines_per_second"]
        out += ["### Lines of `dytq_replay` a second\n", table(list(rates), [[f"{v:,}" for v in rates.values()]])]
    out += ["### Compile time\n"]
    counts = json.loads((ROOT / "bench/compile/baseline.json").read_text())
    programs = list(next(iter(counts.values())))
    link = lambda p: f"[{p}](../bench/compile/{p}.cpp)" if (ROOT / f"bench/compile/{p}.cpp").exists() else p
    if "compile_seconds" in results:
        seconds = results["compile_seconds"]
        with_array = ["array"] + programs
        out += ["Seconds of user time, `-O2 -c`, the least of three:\n", table(["compiler"] + [link(p) for p in with_array], [[c.split(",")[0]] + [f"{s[p]:.2f}" for p in with_array] for c, s in seconds.items()])]
    out += ["What a test holds to 3 % (`bench/compile_cost.py`): lines of preprocessed text; steps of the costliest constant expression, as a percentage of the "
            "compiler's default limit; millions of instructions of g++.\n"]
    limit = lambda c: 1_048_576 if c.startswith("clang") else 33_554_432
    show = lambda c, n: f"{n['lines']:,}; " + (f"{100 * n['steps'] / limit(c):.2g} %; " if n.get("steps", 0) > 100 else "-; ") + (f"{n['instructions'] / 1e6:,.0f}" if "instructions" in n else "-")
    out += [table(["compiler"] + [link(p) for p in programs], [[c.split(",")[0]] + [show(c, n[p]) for p in programs] for c, n in counts.items()])]
    return "\n".join(out)


def files(path):
    results = json.loads(path.read_text())
    before = PAGE.read_text(encoding="utf-8")
    if not BEGIN.search(before):
        sys.exit(f"{PAGE} has no place for what was measured")
    body = text(results, path.name)
    return {
        PAGE: BEGIN.sub(lambda _: f"<!-- bench/report.py {path.name} -->\n{body}<!-- end -->\n", before),
        ROOT / "docs/speed_sites.svg": sites_picture(results["times"]),
        ROOT / "docs/speed_weights.svg": weights_picture(results["times"])}


def main():
    if sys.argv[1] == "--check":
        name = BEGIN.search(PAGE.read_text(encoding="utf-8"))[1]
        if not (ROOT / "bench/results" / name).exists():
            print("skipped: nothing has been measured yet; bench/run does")
            sys.exit(77)
        wrong = [str(p) for p, content in files(ROOT / "bench/results" / name).items() if p.read_text(encoding="utf-8") != content]
        if wrong:
            sys.exit(f"not what bench/results/{name} gives: {', '.join(wrong)}; bench/report.py bench/results/{name} writes them")
        return
    for path, content in files(pathlib.Path(sys.argv[1])).items():
        path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
