#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate_test.py DIGITS: generate.py reproduces the committed header, and refuses malformed folders in words."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

DIGITS = pathlib.Path(sys.argv.pop())
FILES = ("digits_dyt.json", "digits_images.csv", "digits_expected.json")


def generate(folder, out):
    return subprocess.run([sys.executable, DIGITS / "generate.py", folder, out], capture_output=True, text=True)


class Generate(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name) / "model"
        self.out = pathlib.Path(self.temporary.name) / "network_data.hpp"
        shutil.copytree(DIGITS / "data", self.folder)

    def edit(self, file, change):
        root = json.loads((self.folder / file).read_text())
        change(root)
        (self.folder / file).write_text(json.dumps(root))

    def refused(self, *words):
        run = generate(self.folder, self.out)
        self.assertEqual(run.returncode, 1, run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)
        self.assertNotIn("Traceback", run.stderr)
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        self.assertFalse(self.out.exists())

    def test_committed_header(self):
        committed = DIGITS / "generated" / "network_data.hpp"
        for out in (self.out, self.out.parent):  # a file, or the directory that it goes to
            run = generate(self.folder, out)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertTrue(self.out.read_bytes() == committed.read_bytes(), "run examples/digits/generate.py again")

    def test_attribution(self):
        text = (DIGITS / "generated" / "network_data.hpp").read_text()
        for word in ("E. Alpaydin", "C. Kaynak", "10.24432/C50P49", "CC BY 4.0"):
            self.assertIn(word, text)

    def test_missing_file(self):
        for file in FILES:
            with self.subTest(file):
                (self.folder / file).rename(self.folder / "away")
                self.refused(file)
                (self.folder / "away").rename(self.folder / file)

    def test_not_json(self):
        (self.folder / FILES[0]).write_text('{"layers": [')
        self.refused(FILES[0], "not JSON")
        (self.folder / FILES[0]).write_text("[1]")
        self.refused(FILES[0], "expected an object")

    def test_network(self):
        cases = {
            "weight": (lambda r: r["layers"][2]["weight"].pop(), "layers[2].weight", "expected 3456 entries, got 3455"),
            "code": (lambda r: r["layers"][1]["table"].__setitem__(7, 128), "layers[1].table[7]", "128 is outside"),
            "key": (lambda r: r["layers"][1]["rescale"].pop("mul_out"), "layers[1].rescale", "'mul_out' is missing"),
            "type": (lambda r: r["layers"][1].__setitem__("alpha", "x"), "layers[1].alpha", "expected an integer"),
            "boolean": (lambda r: r["layers"][1].__setitem__("alpha", True), "layers[1].alpha", "expected an integer"),
            "op": (lambda r: r["layers"][1].__setitem__("op", "relu"), "layers[1].op", "expected conv or dyt"),
            "order": (lambda r: r["layers"].pop(0), "layers[0].input_shape", "expected [1, 8, 8, 1]"),
            "groups": (lambda r: r["layers"][2].__setitem__("groups", 5), "layers[2]", "input channels"),
            "stride": (lambda r: r["layers"][2].__setitem__("stride", [2, 1]), "layers[2]", "do not fit"),
            "shape": (lambda r: r["layers"][2].__setitem__("output_shape", [1, 8, 8, 23]), "layers[2].output_shape"),
            "classes": (lambda r: r.__setitem__("classes", 9), "classes", "expected 10, got 9"),
            "layers": (lambda r: r.__setitem__("layers", {}), "layers", "expected a list"),
            "nothing to fold": (lambda r: r.__setitem__("layers", r["layers"][:1]), "layers", "no layer is a dyt"),
            "no object": (lambda r: r["layers"].__setitem__(0, 3), "layers[0]", "expected an object"),
        }
        original = (self.folder / FILES[0]).read_text()
        for name, (change, *words) in cases.items():
            with self.subTest(name):
                self.edit(FILES[0], change)
                self.refused(FILES[0], *words)
                (self.folder / FILES[0]).write_text(original)

    def test_images(self):
        lines = (self.folder / FILES[1]).read_text().splitlines()
        cases = {
            "header": (["index,label"] + lines[1:], "line 1", "p63"),
            "none": (lines[:1], "no images"),
            "columns": (lines[:5] + [lines[5] + ",0"] + lines[6:], "line 6", "expected 67 columns, got 68"),
            "number": (lines[:5] + [lines[5].replace("-128", "x", 1)] + lines[6:], "line 6"),
            "code": (lines[:5] + [lines[5].replace("-128", "-129", 1)] + lines[6:], "line 6", "outside"),
            "order": (lines[:5] + lines[6:], "line 6", "expected image 4, got 5"),
            "split": (lines[:5] + [lines[5].replace("train", "trial")] + lines[6:], "line 6", "trial"),
        }
        for name, (changed, *words) in cases.items():
            with self.subTest(name):
                (self.folder / FILES[1]).write_text("\n".join(changed) + "\n")
                self.refused(FILES[1], *words)

    def test_expectation(self):
        cases = {
            "logits": (lambda r: r["logits"].pop(), "logits", "1797 images, got 1796"),
            "classes": (lambda r: r["logits"][3].pop(), "logits[3]", "expected 10 entries, got 9"),
            "crc": (lambda r: r["checksums"][0]["crc32"].__setitem__(2, "xyz"), "crc32[2]", "8 hex digits"),
            "image": (lambda r: r["checksums"][0].__setitem__("index", 1797), "checksums[0].index", "outside"),
        }
        original = (self.folder / FILES[2]).read_text()
        for name, (change, *words) in cases.items():
            with self.subTest(name):
                self.edit(FILES[2], change)
                self.refused(FILES[2], *words)
                (self.folder / FILES[2]).write_text(original)


if __name__ == "__main__":
    unittest.main()
