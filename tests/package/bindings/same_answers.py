#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_answers.py REPLAY VECTORS...: python3 -m dytq.replay answers as dytq_replay does, to the last member, on the vectors and on lines that nobody
has seen: the vectors with some of their numbers changed."""
import json
import pathlib
import random
import subprocess
import sys

random_numbers = random.Random(20)
limits = [-128, -127, -1, 0, 1, 2, 126, 127, 30, 31, 62, 63, 1 << 30, (1 << 31) - 1, -(1 << 31)]


def leaves(value, path=()):
    """Paths to all numbers."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        if type(inner) is int:
            yield path + (key,)
        else:
            yield from leaves(inner, path + (key,))


# What a change of these would ask for is memory or time, not an answer.
left_alone = {"input_shape", "weight_shape", "output_shape", "shape", "input_hw", "stride", "dilation", "pad", "out_pad", "groups", "channels", "bits", "width"}


def changed(line):
    line = json.loads(json.dumps(line))
    paths = [p for p in leaves(line["in"]) if not left_alone & set(map(str, p))]
    for _ in range(random_numbers.choice((1, 1, 2, 5))):
        if paths:
            path = random_numbers.choice(paths)
            at = line["in"]
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = random_numbers.choice((at[path[-1]] + random_numbers.choice((-1, 1)), -at[path[-1]], random_numbers.choice(limits)))
    return line


replay, *files = sys.argv[1:]
lines = []
for file in files:
    of_file = [json.loads(text) for text in pathlib.Path(file).read_text().splitlines()]
    chosen = random_numbers.sample(of_file, min(60, len(of_file)))
    lines += chosen + [changed(line) for line in chosen for _ in range(2)]
text = "".join(json.dumps({"in": line["in"], "id": i}) + "\n" for i, line in enumerate(lines))
answers = [subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.splitlines()
           for command in ([replay], [sys.executable, "-m", "dytq.replay"])]
assert len(answers[0]) == len(answers[1]) == len(lines)
different = 0
refused = 0
for line, theirs, ours in zip(lines, *map(lambda a: map(json.loads, a), answers)):
    if theirs.get("reject") == "bad_input" or ours.get("reject") == "bad_input":
        same = ours.get("reject") == theirs.get("reject")  # each says it in its own words
    else:
        same = ours == theirs
    refused += "reject" in theirs
    different += not same
    if not same and different <= 5:
        print(json.dumps(line["in"])[:400], "\n  dytq_replay:", json.dumps(theirs)[:400], "\n  python:     ", json.dumps(ours)[:400])
print(f"{len(lines)} lines, {refused} refused, {different} answered differently")
sys.exit(different != 0 or refused in (0, len(lines)))
