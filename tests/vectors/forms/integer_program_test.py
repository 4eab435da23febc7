#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""integer_program_test.py REPLAY VECTORS [COUNT]: how far the bounds of padded sites are from the optimum of an integer program.

For the scales and the input zero point of an answer, weights and bias are integer unknowns; the bound is a largest of linear functions of
them, one for each class of positions and each choice of codes, so that CBC (Debian: coinor-cbc) finds the smallest. Skipped without it.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import bounded_model as model


def program(q, rescale, new, o):
    """The integer program of output channel o, in CPLEX's format."""
    cv = q.cv
    a, b, S = model.scaled(o, rescale, new)
    a, b = a / 2**S, b / 2**S
    z, z2 = cv.zin, new["input_zp"]
    rows, of_tap = [], {}
    integers = ["bias"]
    bounds = ["-2147483648 <= bias <= 2147483647"]
    for k, t, c, w in q.taps[o]:
        of_tap.setdefault(t, []).append(k)
        integers.append(f"n{k}")
        bounds += [f"{cv.lo - cv.wz[o]} <= n{k} <= {cv.hi - cv.wz[o]}", f"u{k} free", f"l{k} free"]
        for x in q.X:
            value = a * w * (q.Y[c][x] - z)  # h(x) = value - b (x - z') n
            for name, sign in ((f"u{k}", ">="), (f"l{k}", "<=")):
                rows.append(f"{name} + {b * (x - z2):.17g} n{k} {sign} {value:.17g}")
    for cl in cv.classes:
        for name, sign in (("u", "-"), ("l", "+")):
            terms = " + ".join(f"{name}{k}" for t in cl for k in of_tap.get(t, []))
            rows.append(f"{terms} - {b:.17g} bias {sign} D {'<=' if name == 'u' else '>='} {-a * cv.bias[o]:.17g}")
    text = "Minimize\n obj: D\nSubject To\n" + "\n".join(rows).replace("+ -", "- ") + "\nBounds\n" + "\n".join(bounds)
    return text + "\nGenerals\n" + " ".join(integers) + "\nEnd\n"


def main(replay, vectors, count=200):
    if shutil.which("cbc") is None:
        print("skipped: cbc is not here (Debian: coinor-cbc)")
        return 77
    rows = [json.loads(line) for line in open(vectors)]
    done = subprocess.run([replay], input="".join(json.dumps({"in": r["in"]}) + "\n" for r in rows), capture_output=True, text=True, check=True)
    ratios, unsolved, wrong = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "site.lp"
        for row, text in zip(rows, done.stdout.splitlines()):
            answer = json.loads(text)
            if "out" not in answer or "reject" in row:
                continue
            new, q = answer["out"], model.Site(row["in"], row["in"]["requantize"])
            for o in range(q.cv.oc):
                if len(q.cv.classes) < 2 or not 0 < len(q.taps[o]) <= 24 or len(ratios) >= int(count):
                    continue
                n, s = new["bound"][o]
                file.write_text(program(q, row["in"]["requantize"], new, o))
                said = subprocess.run(["cbc", file, "sec", "5", "ratio", "0.001", "solve"], capture_output=True, text=True).stdout
                best = re.search(r"Objective value: +([-\d.e+]+)", said)
                if best is None or "Optimal solution found" not in said:
                    unsolved += 1
                    continue
                best, is_ = float(best[1]), n / 2**s
                wrong += best > is_ + 2**-9 + 1e-3 * is_  # ours is one of the program's
                ratios.append(1.0 if is_ <= best + 2**-9 else is_ / max(best, 2**-9))
    ratios.sort()
    if not ratios:
        print("no padded site was solved")
        return 1
    near = sum(r <= 1.01 for r in ratios)
    print(f"{len(ratios)} output channels of padded sites solved, {unsolved} not within 5 s: {near} are within 1 % of the best weights and bias for their "
          f"scale and zero point; mean {sum(ratios) / len(ratios):.3f} times that, median {ratios[len(ratios) // 2]:.3f}, worst {ratios[-1]:.2f}")
    return 1 if wrong or near < 0.9 * len(ratios) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
