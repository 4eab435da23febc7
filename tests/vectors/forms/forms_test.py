#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""forms_test.py REPLAY VECTORS [--maps]: the replayer's answers, judged by check_forms.py. With --maps the sites are handed over as maps
of their channels, and the answers are judged as those of the vectors' own steps."""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import check_forms
import maps_test

replay, vectors, *maps = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    lines, answers = pathlib.Path(folder) / "lines", pathlib.Path(folder) / "answers"
    nonsense = random.Random(1)
    asked = pathlib.Path(vectors)
    if maps:
        rows = [json.loads(line) for line in asked.open()]
        lines.write_text("".join(json.dumps({**row, "in": maps_test.as_maps(row["in"], nonsense) or row["in"]}) + "\n" for row in rows))
        asked = lines
    with answers.open("w") as out:
        subprocess.run([replay, asked], stdout=out, check=True)
    sys.exit(check_forms.main(vectors, answers))
