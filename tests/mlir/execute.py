#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proof by execution: a graph and what dytq-fold makes of it are lowered to LLVM, run, and must print the same numbers.

    execute.py generated SEED COUNT REPLAY   generated graphs; REPLAY (dytq_replay) says what has to fold
    execute.py chains SEED COUNT             generated chains of other operators; none becomes dearer
    execute.py bounded SEED COUNT            both, read by convolutions with a RESCALE: no code beyond what is proven
    execute.py digits FOLDER                 the trained network of examples/digits on all of its images

Options of both: --opt mlir-opt, --runner mlir-runner, --plugin dytq_mlir.so, --lib MLIR's library folder, --work folder.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import chains  # noqa: E402
import digits  # noqa: E402
import foreign  # noqa: E402
import graphs  # noqa: E402
import tosa  # noqa: E402

LOWERING = ",".join([
    "func.func(tosa-to-linalg-named,canonicalize,tosa-to-linalg)",
    "func.func(tosa-to-arith{include-apply-rescale=true},tosa-to-tensor)",
    "one-shot-bufferize{bufferize-function-boundaries}", "expand-strided-metadata", "convert-linalg-to-loops",
    "lower-affine", "convert-scf-to-cf", "convert-arith-to-llvm", "convert-index-to-llvm", "finalize-memref-to-llvm",
    "convert-func-to-llvm", "convert-cf-to-llvm", "reconcile-unrealized-casts"])
REMARK = re.compile(r"remark: \[(Passed|Missed)\] (alpha|affine|chain) \| Category:dytq \| Function=(\w+) \| "
                    r"(?:Remark|Reason)=\"?(.*?)\"?$", re.M)
WHOLE = {"drop", "into_table", "into_conv", "into_table_and_conv"}  # the TABLE alone is left, or what it becomes


def run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))[:300]}\nexited with {done.returncode}\n{done.stderr[-3000:]}")
    return done


def fold(tools, module, options=""):
    """-> the folded module, and its remarks as {function: {part: {"Passed" or "Missed": text of each}}}."""
    done = run([tools.opt, f"--load-pass-plugin={tools.plugin}", f"--pass-pipeline=builtin.module(dytq-fold{options})",
                "--remarks-filter=dytq", "-"], module)
    remarks = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
    for outcome, part, function, text in REMARK.findall(done.stderr):
        remarks[function][part][outcome].append(text)
    return done.stdout, remarks


def execute(tools, module):
    """-> every tensor that the module's main prints."""
    lowered = run([tools.opt, f"--pass-pipeline=builtin.module({LOWERING})", "-"], module).stdout
    libraries = ",".join(f"{tools.lib}/libmlir_{name}runner_utils.so" for name in ("", "c_"))
    command = [tools.runner, "-O0", "-e", "main", "--entry-point-result=void", f"--shared-libs={libraries}", "-"]
    printed = run(command, lowered).stdout
    return [part.split("data =", 1)[1].strip() for part in printed.split("Unranked Memref ")[1:]]  # without the address


def execute_both(tools, before, after):
    with concurrent.futures.ThreadPoolExecutor() as pool:
        return list(pool.map(lambda module: execute(tools, module), (before, after)))


def exists(part):
    return not (isinstance(part, dict) and "reject" in part)


def ask_library(replay, made):
    """-> {graph's name: PLAN_AFFINE's answer for each convolution}."""
    lines = [json.dumps({"id": graph.name, "in": record}) for graph in made for record in graph.records]
    answers = collections.defaultdict(list)
    for line in run([replay], "\n".join(lines) + "\n").stdout.splitlines():
        answer = json.loads(line)
        assert "out" in answer, f"not a legal graph: {line[:300]}"
        answers[answer["id"]].append(answer["out"])
    return answers


def is_gone(done):
    """Is one operator left, or none?"""
    if done[0].startswith("table: "):  # the TABLE, which became another operator
        done = done[1:]
    both = len(done) == 2 and done[1] == "beta: into_conv"
    return (len(done) == 1 and (done[0] in WHOLE or done[0].startswith("all: "))
            or both and (done[0] in ("gamma: drop", "gamma: into_table") or done[0].startswith("table and gamma: ")))


def check_decision(graph, answers, remarks):
    """The pass must have done what the library says exists, and refused what it refuses. -> what was done."""
    def expect(condition, text):
        if not condition:
            sys.exit(f"{graph.name} ({graph.style}): {text}\nremarks: {json.dumps(remarks)}\n"
                     f"library: {json.dumps(answers)[:2000]}")

    alpha = [f"{graph.changed} of 256 entries change"] if graph.folds_alpha else []
    expect(remarks["alpha"]["Passed"] == alpha, f"expected {alpha}")
    expect(not remarks["alpha"]["Missed"], "alpha was refused")
    done = re.sub(r" \(\d convolutions\)", "", ", ".join(remarks["affine"]["Passed"])).split(", ")
    gone = is_gone(done)
    expect(not (gone and remarks["affine"]["Missed"]), "a refusal beside a whole fold")
    whole = set()
    if not graph.observed:
        whole |= {"into_conv"} if all(exists(a["into_conv"]) for a in answers) else set()
        whole |= {"into_table_and_conv"} if all(exists(a["retabled"]) for a in answers) else set()
    if exists(answers[0]["identity"]):
        whole |= {"drop"}
    elif exists(answers[0]["uniform_table"]):
        whole |= {"into_table"}
    if gone:
        folds = any("conv" in part for part in done)
        expect(not (graph.observed and folds), "folded what the caller sees")
        expect(not WHOLE & set(done) or done[-1] in whole, f"expected one of {whole}")
        return done
    # What two convolutions have in common is not in the answer for each.
    expect(whole <= {"into_table_and_conv"} and not (whole and len(answers) == 1), f"expected one of {whole}")
    gamma = {form for form, part in (("drop", "gamma_identity"), ("channel_rescale", "gamma_rescale"))
             if exists(answers[0][part])}
    if graph.records[0]["gamma"] is not None and gamma:
        expect(any("gamma: " in part or part == "channel_rescale" for part in done), f"expected one of {gamma}")
    if "gamma: drop" in done:
        expect("drop" in gamma, "dropped a gamma that is no identity")
    refused = " ".join(remarks["affine"]["Missed"]).split(" ")[0]
    refusals = {a["into_conv"]["reject"] for a in answers if not exists(a["into_conv"])}
    wanted = {"observable_code"} if graph.observed else refusals
    expect(refused in wanted, f"expected a refusal: {wanted}")
    return done


def check_text(name, body, whole):
    """Nothing is left over: no operator of a folded chain, and no constant without a reader."""
    if whole and re.search(r"tosa\.(mul|add) ", body):
        sys.exit(f"{name}: a folded chain has operators left\n{body}")
    for value in re.findall(r"^\s*(%\w+) = \"tosa\.const\"", body, re.M):
        if len(re.findall(rf"{value}\b", body)) < 2:
            sys.exit(f"{name}: nobody reads the constant {value}\n{body}")


def generated(tools):
    made = graphs.make(tools.seed, tools.count)
    before = tosa.module([graph.function for graph in made], {graph.name: graph.inputs for graph in made})
    after, remarks = fold(tools, before)
    answers = ask_library(tools.replay, made)
    bodies = dict(re.findall(r"func\.func private @(graph\d+)\((.*?)\n  }", after, re.S))
    kinds = collections.Counter()
    for graph in made:
        done = check_decision(graph, answers[graph.name], remarks[graph.name])
        check_text(graph.name, bodies[graph.name], is_gone(done))
        kinds.update(filter(None, done))
        kinds["alpha"] += graph.folds_alpha
        kinds["refusals"] += len(remarks[graph.name]["affine"]["Missed"])
        if "into_conv" in done:
            for conv in (record["conv"] for record in graph.records):
                kinds.update(f"into_conv, {what}" for what, is_so in [
                    ("padded", any(conv["pad"])), ("strided", conv["stride"] != [1, 1]),
                    ("dilated", conv["dilation"] != [1, 1]), ("depthwise", graph.depthwise)] if is_so)
    (tools.work / f"generated{tools.seed}.before.mlir").write_text(before)
    (tools.work / f"generated{tools.seed}.after.mlir").write_text(after)
    results = execute_both(tools, before, after)
    names = [graph.name for graph in made for _ in graph.function.results]
    assert len(names) == len(results[0]) == len(results[1]), "not every tensor was printed"
    for name, a, b in zip(names, *results):
        if a != b:
            sys.exit(f"{name}: the outputs differ\n{a[:300]}\n{b[:300]}")
    print(f"{len(made)} graphs, {len(names)} tensors: identical")
    print(", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))
    for kind in [*WHOLE, "gamma: channel_rescale", "beta: into_conv", "alpha", "refusals", "into_conv, padded",
                 "into_conv, strided", "into_conv, dilated", "into_conv, depthwise"]:
        if kinds[kind] == 0:
            sys.exit(f"no graph shows {kind}: the generator has become too narrow")


def operators(text):
    """How many there are, but for constants."""
    return len(re.findall(r"= (?:\")?tosa\.(?!const)", text))


def chained(tools):
    made = chains.make(tools.seed, tools.count)
    before = tosa.module([graph.function for graph in made], {graph.name: graph.inputs for graph in made})
    after, _ = fold(tools, before)
    (tools.work / f"chains{tools.seed}.before.mlir").write_text(before)
    (tools.work / f"chains{tools.seed}.after.mlir").write_text(after)
    bodies = [dict(re.findall(r"func\.func private @(chain\d+)\((.*?)\n *}", text, re.S)) for text in (before, after)]
    fewer = collections.Counter()
    for graph in made:
        counts = [operators(body[graph.name]) for body in bodies]
        check_text(graph.name, bodies[1][graph.name], False)
        if counts[1] > counts[0]:
            sys.exit(f"{graph.name} ({graph.kind}): {counts[0]} operators became {counts[1]}")
        fewer[graph.kind] += counts[1] < counts[0]
        fewer["before"] += counts[0]
        fewer["after"] += counts[1]
    results = execute_both(tools, before, after)
    names = [graph.name for graph in made for _ in graph.function.results]
    assert len(names) == len(results[0]) == len(results[1]), "not every tensor was printed"
    for name, a, b in zip(names, *results):
        if a != b:
            sys.exit(f"{name}: the outputs differ\n{a[:300]}\n{b[:300]}")
    print(f"{len(made)} chains, {len(names)} tensors: identical; {fewer.pop('before')} operators became {fewer.pop('after')}; "
          "fewer in " + ", ".join(f"{n} {kind}" for kind, n in sorted(fewer.items())))
    for kind in chains.KINDS:
        if fewer[kind] == 0:
            sys.exit(f"no {kind} becomes cheaper")


BOUND = re.compile(r"([\d.]+) off at most \(([\d.]+) with any constants\), root mean square ([\d.]+)")


def numbers(tensor):
    return [int(v) for v in re.findall(r"-?\d+", tensor)]


def bounded(tools):
    """Lines stay exact, so that what differs is the bounded folds': as many codes as the remark's number, rounded up."""
    made = [*graphs.make(tools.seed, tools.count, graphs.Requantized), *chains.make(tools.seed, tools.count, maker=chains.Read)]
    before = tosa.module([graph.function for graph in made], {graph.name: graph.inputs for graph in made})
    tolerance = [1, 3, 40][tools.seed % 3]
    exact, _ = fold(tools, before)
    after, remarks = fold(tools, before, f"{{conv-tolerance={tolerance}}}")
    (tools.work / f"bounded{tools.seed}.before.mlir").write_text(before)
    (tools.work / f"bounded{tools.seed}.after.mlir").write_text(after)
    bodies = [dict(re.findall(r"func\.func private @((?:graph|chain)\d+)\((.*?)\n  }", text, re.S)) for text in (exact, after)]
    results = execute_both(tools, before, after)
    names = [graph.name for graph in made for _ in graph.function.results]
    assert len(names) == len(results[0]) == len(results[1]), "not every tensor was printed"
    seen = collections.defaultdict(int)
    for name, a, b in zip(names, *results):
        seen[name] = max([seen[name], *(abs(x - y) for x, y in zip(numbers(a), numbers(b), strict=True))])
    count = collections.Counter()
    for graph in made:
        kind, name = graph.name.rstrip("0123456789"), graph.name
        passed = [text for text in remarks[name]["chain"]["Passed"] if "bounded: " in text]
        proven = [tuple(map(float, m)) for text in passed for m in BOUND.findall(text)]
        allowed = math.ceil(max((bound for bound, _, _ in proven), default=0))
        counts = [operators(body[name]) for body in bodies]
        check_text(name, bodies[1][name], False)
        for bound, least, rms in proven:
            if not 0 <= least <= bound <= tolerance or rms > bound:
                sys.exit(f"{name}: {bound}, {least} and {rms} are no bounds within {tolerance}")
        if seen[name] > allowed:
            sys.exit(f"{name}: {seen[name]} codes off, {allowed} proven\n{json.dumps(remarks[name])}")
        if counts[1] > counts[0] or (passed and counts[1] == counts[0]):
            sys.exit(f"{name}: {counts[0]} operators without a tolerance are {counts[1]} with one")
        count["fewer operators"] += counts[0] - counts[1]
        count.update({f"{kind}s bounded": bool(passed), f"{kind}s refused": "beyond_tolerance" in str(remarks[name]["chain"]["Missed"]),
                      "exact": "bounded: exact" in str(passed), "two convolutions": any("; " in text for text in passed),
                      "off": seen[name] > 0, "as far off as proven": 0 < allowed == seen[name], "into_table": "into_table, bounded" in str(passed),
                      "not writable": "the accumulator is not" in str(remarks[name]["chain"]["Missed"])})
    print(f"{len(made)} graphs, tolerance {tolerance}: no code beyond its bound; " + ", ".join(f"{n} {kind}" for kind, n in sorted(count.items())))
    for kind in ["graphs bounded", "chains bounded", "chains refused", "off", "as far off as proven", "fewer operators"]:
        if count[kind] == 0:
            sys.exit(f"no graph shows {kind}: the generator has become too narrow")


def trained(tools):
    network, images, expected = digits.load(tools.folder)
    labels = digits.test_labels(tools.folder)
    before = digits.module(network, images)
    after, remarks = fold(tools, before)
    sites = sum(layer["op"] == "dyt" for layer in network["layers"])
    folded = len(remarks["digits"]["alpha"]["Passed"])
    (original,), (rewritten,) = execute_both(tools, before, after)
    if original != rewritten:
        sys.exit("the logits of the folded network differ")
    logits = [int(v) for v in re.findall(r"-?\d+", rewritten)]
    if logits != [v for image in expected["logits"] for v in image]:
        sys.exit("the logits are not the expected ones")
    count = [operators(text) for text in (before, after)]
    print(f"{len(images)} images, {len(logits)} logits: identical, and as expected; "
          f"{count[0]} operators became {count[1]}")
    if folded != sites:
        sys.exit(f"alpha folded at {folded} of {sites} sites")
    # Every layer a TABLE alone, which is what the demo's row "bounded, TABLE alone" does in C++, on the same weights.
    most = 33
    bound, remarks = fold(tools, before, f"{{conv-tolerance={most} weight-min=-127}}")
    proven = [text for text in remarks["digits"]["chain"]["Passed"] if "bounded: " in text]
    got = numbers(execute(tools, bound)[0])
    classes = len(expected["logits"][0])
    same = sum(a == b for a, b in zip(got, logits, strict=True))
    right = {name: sum(label == max(range(classes), key=lambda i: row[i]) for label, row in zip(labels, rows) if label is not None)
             for name, rows in (("original", expected["logits"]), ("bounded", list(zip(*[iter(got)] * classes))))}
    print(f"conv-tolerance={most}: {operators(bound)} operators, {same} logits identical, {right['bounded']} test images right where "
          f"{right['original']} were: " + "; ".join(proven))
    if len(proven) != sites or operators(bound) >= count[1]:
        sys.exit(f"{len(proven)} of {sites} layers became a TABLE, {operators(bound)} operators after {count[1]}")
    page = tools.folder.parents[2] / "README.md"  # the demo's rows, if it is the demo's network
    demo = re.search(r"bounded, TABLE alone +\d+ of \d+ +(\d+) of ", page.read_text(encoding="utf-8"))[1] if page.exists() else same
    if same != int(demo):
        sys.exit(f"the demo has {demo} logits identical")
    if right["original"] != expected["int8_accuracy"]["test_correct"] or right["bounded"] < right["original"] - 1:
        sys.exit("more than one test image is lost")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("opt", "runner", "plugin", "lib"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("generated")
    command.add_argument("seed", type=int)
    command.add_argument("count", type=int)
    command.add_argument("replay")
    command.set_defaults(run=generated)
    command = commands.add_parser("chains")
    command.add_argument("seed", type=int)
    command.add_argument("count", type=int)
    command.set_defaults(run=chained)
    command = commands.add_parser("bounded")
    command.add_argument("seed", type=int)
    command.add_argument("count", type=int)
    command.set_defaults(run=bounded)
    command = commands.add_parser("digits")
    command.add_argument("folder", type=pathlib.Path)
    command.set_defaults(run=trained)
    tools = parser.parse_args()
    tools.work.mkdir(parents=True, exist_ok=True)
    with foreign.skipping():
        foreign.need(tools.opt, tools.runner)
        tools.run(tools)
