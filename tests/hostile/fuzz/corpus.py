#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the corpus of the fuzz targets from the golden vectors; the files of `corpus` with other names were found by
fuzzing, and are kept.

  corpus.py            writes golden_* into corpus/replay, corpus/site and corpus/view
  corpus.py --check    is that what is there?
"""
import json
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).parent
GOLDEN = HERE.parents[1] / "vectors"


def vectors(name):
    return (GOLDEN / name).read_text().splitlines()


def replay_files():
    """Of each file the shortest lines, without their answers."""
    for path in sorted(GOLDEN.glob("*.jsonl")):
        text = ""
        for line in sorted(set(vectors(path.name)), key=lambda l: (len(l), l))[:12]:
            asked = json.dumps({"in": json.loads(line)["in"]}, separators=(",", ":")) + "\n"
            if len(text) + len(asked) <= 3000 or not text:
                text += asked
        yield f"replay/golden_{path.stem}", text.encode()


def rescale_bytes(r):
    how = (1 if r["out"] == "i8" else 0) | (2 if r.get("double") else 0)
    return struct.pack("<ibiib", r["multiplier"], r["shift"], r["input_zp"], r["output_zp"], how)


def site_files():
    """The sites that are small enough, in the order of bytes that site_fuzz.cpp reads."""
    byte = lambda v, low: bytes([v - low])
    codes = lambda values, n: bytes(v & 255 for v in (list(values or []) + [0] * n)[:n])
    steps = ("table", "gamma", "gamma_out", "add_in", "beta", "add_out")
    absent = {"multiplier": 1 << 30, "shift": 30, "input_zp": 0, "output_zp": 0, "out": "i8"}
    taken = 0
    for name in ("fold_affine.jsonl", "fold_affine_more.jsonl"):
        for number, line in enumerate(vectors(name)):
            site = json.loads(line)["in"]
            conv = site["conv"]
            shape = conv.get("weight_shape", [])
            channels = len(site.get("gamma") or site.get("beta") or [])
            kind = conv.get("kind", "conv2d")
            if kind != "conv2d" or len(shape) != 4 or not 1 <= channels <= 4 or shape[0] > 4 or max(shape[1:3]) > 3:
                continue
            if max(conv["input_hw"]) > 5 or max(conv["pad"]) > 3 or max(conv["stride"]) > 3 or conv["groups"] not in (1, channels):
                continue
            flags = bool(site.get("gamma")) | bool(site.get("beta")) << 1 | (8 if conv["groups"] > 1 else 0)
            out = bytes([flags, channels - 1]) + codes(site["table"], 256) + struct.pack("<i", site["table_zp"])
            out += codes(site.get("gamma"), 4) + codes(site.get("beta"), 4)
            out += b"".join(rescale_bytes((site["rescale"].get(s) or absent)) for s in steps)
            out += byte(shape[0], 1) + byte(shape[1], 1) + byte(shape[2], 1) + codes(conv["weight"], 4 * 3 * 3 * 4)
            out += codes(conv.get("weight_zp"), 4) + struct.pack("<4i", *(list(conv.get("bias") or []) + [0] * 4)[:4])
            for values in (conv.get("weight_zp"), conv.get("bias")):
                out += bytes([0 if not values else 1 if len(values) == 1 else 2])
            out += bytes([conv["weight_range"][0] & 255])
            pad = conv["pad"]
            for a in range(2):
                out += byte(conv["input_hw"][a], 1) + byte(conv["stride"][a], 1) + byte(conv["dilation"][a], 1)
                out += byte(pad[2 * a], -2) + byte(pad[2 * a + 1], -2)
            taken += 1
            if taken % 2 == 1:
                yield f"site/golden_{name.split('.')[0]}_{number}", out


def view_files():
    """Shapes of the per-channel vectors, dense, as slices, backwards, in place and one element further."""
    number = lambda v: bytes([v % 16 + 5 if v >= 0 else v + 5])
    for rows, columns, channels in ((1, 2, 3), (2, 2, 4), (1, 1, 8), (3, 1, 5)):
        for strides in ((columns * channels, channels, 1), (channels, 1, 0), (-1, -3, 1), (1, 2, 4)):
            for offset, like in ((0, 2), (1, 2), (9, 1)):
                view = b"".join(number(e) + number(s) for e, s in zip((rows, columns, channels), strides))
                name = f"view/golden_{rows}{columns}{channels}_{'_'.join(map(str, strides))}_{offset}".replace("-", "m")
                yield name, b"\x01\x20" + view + b"\x01" + bytes([32 + offset]) + view + bytes([like, 2, 5, 7])


def main():
    wrong = []
    for name, content in [*replay_files(), *site_files(), *view_files()]:
        path = HERE / "corpus" / name
        if "--check" in sys.argv:
            if not path.exists() or path.read_bytes() != content:
                wrong.append(name)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if wrong:
        sys.exit("other than the golden vectors make it; run tests/fuzz/corpus.py:\n  " + "\n  ".join(wrong))


if __name__ == "__main__":
    main()
