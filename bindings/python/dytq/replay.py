# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python3 -m dytq.replay [--check EXPECTED] [FILE]: answers JSON Lines, one operator, table, fold or plan a line, as dytq_replay does.

The operations and their keys: tests/vectors/README.md, PLAN.md and FORMS.md of the source tree."""
from __future__ import annotations

import array as numbers
import json
import struct as bits
import sys
from typing import Any, Callable, Iterable, Optional, TextIO

import dytq
from dytq import Rejected
from dytq._buffers import empty


class BadInput(Exception):
    """The line itself is wrong."""


class Refused(Exception):
    """A refusal with more to say than the library's rejection."""

    def __init__(self, why: Rejected, more: dict[str, Any]):
        super().__init__(str(why))
        self.why = why
        self.more = more


def members_of(why: Rejected, by_reason: bool) -> dict[str, Any]:
    """A rejection as members of an answer. Operators name its class, and folds the reason, but for the specification's own words."""
    if by_reason:
        special = {"accumulator_overflow": "accumulator_overflow", "bias_count": "channel_count"}
        name = special.get(why.reason, why.kind if why.kind in ("unpredictable", "error", "bad_scale") else why.reason)
    else:
        name = "error" if why.kind == "no_fold" else why.kind
    out: dict[str, Any] = {"reject": name, "reason": why.reason, "text": why.text}
    if why.at is not None:
        out["step"] = why.at
    for part in ("channel", "output_channel", "tap", "axis", "code", "expected", "got", "least"):
        if getattr(why, part) is not None:
            out[part] = getattr(why, part)
    return out


def answered(f: Callable[[], Any]) -> Any:
    """One part of a plan: its result, or an object with its reject."""
    try:
        return f()
    except Rejected as why:
        return members_of(why, True)


def integers(value: Any, what: str) -> list[int]:
    if not isinstance(value, list) or not all(type(v) is int for v in value):
        raise BadInput(f"{what}: expected a list of integers")
    return value


def integer(value: Any, what: str) -> int:
    if type(value) is not int:
        raise BadInput(f"{what}: expected an integer, got {json.dumps(value)}")
    return value


def array(value: Any, kind: str, what: str, *shape: int) -> memoryview:
    """A list as an array of a shape."""
    flat = integers(value, what)
    code = {"int8": "b", "int16": "h", "int32": "i", "int64": "q"}[kind]
    try:
        made = memoryview(numbers.array(code, flat))
    except OverflowError as error:
        raise BadInput(f"{what}: {error}") from None
    if shape and len(flat) != product(shape):
        raise BadInput(f"{what} has {len(flat)} entries, its shape {product(shape)}")
    return made.cast("B").cast(code, shape=list(shape)) if shape and flat else made


def product(shape: Iterable[int]) -> int:
    n = 1
    for extent in shape:
        n *= extent
    return n


def plain(value: Any) -> list[Any]:
    return value.tolist()


def flat(value: Any) -> list[int]:
    return value.reshape(-1).tolist() if hasattr(value, "reshape") else value.cast("B").cast(value.format).tolist()


def real(value: Any) -> float:
    """A double that is written as its 64 bits in hex."""
    if not isinstance(value, str) or not value.startswith("0x") or not 3 <= len(value) <= 18:
        raise BadInput(f"expected 64 bits in hex, got {json.dumps(value)}")
    return bits.unpack("<d", int(value[2:], 16).to_bytes(8, "little"))[0]


def step_of(step: dict[str, Any]) -> dytq.Rescale:
    if step["out"] not in ("i8", "i32"):
        raise BadInput(f"out: expected i8 or i32, got {step['out']}")
    return dytq.Rescale(*(integer(step[k], k) for k in ("multiplier", "shift", "input_zp", "output_zp")), out={"i8": "int8", "i32": "int32"}[step["out"]],
                        rounding="double_round" if step.get("double") else "single_round")


def rounding_of(name: Any) -> str:
    known = {"SINGLE_ROUND": "single_round", "DOUBLE_ROUND": "double_round", "INEXACT_ROUND": "inexact_round"}
    if name not in known:
        raise Rejected("unknown_rounding_mode", got=255)  # as a number that no enumerator has
    return known[name]


def type_of(name: str, is_unsigned: bool, at: str) -> str:
    if name not in ("i8", "i16", "i32", "i48"):
        raise Rejected("unknown_type", at=at)
    if is_unsigned and name in ("i32", "i48"):
        raise Rejected("unsigned_wide_type", at=at, expected=16, got=int(name[1:]))
    return ("u" if is_unsigned else "i") + name[1:]


def multiplier(q: dict[str, Any]) -> list[int]:
    if q["width"] not in (16, 32):
        raise BadInput(f"width: expected 16 or 32, got {q['width']}")
    if q["dialect"] not in ("executorch", "mlir", "tflite", "tflite_single", "tflm", "vela", "xnnpack"):
        raise Rejected("unknown_dialect")
    m, s = dytq.quantize_scale(real(q["scale_bits"]), width=q["width"], dialect=q["dialect"])
    return [m, 31 - s if q["dialect"] in ("tflite", "tflite_single", "tflm") else s]


def rescale(q: dict[str, Any]) -> Any:
    op = dytq.RescaleOperator(type_of(q["in_t"], q["input_unsigned"], "input"), type_of(q["out_t"], q["output_unsigned"], "output"),
                              integer(q["input_zp"], "input_zp"), integer(q["output_zp"], "output_zp"), 32 if q["scale32"] else 16,
                              rounding_of(q.get("rounding_mode", "SINGLE_ROUND")), q["per_channel"])
    if isinstance(q["value"], list):
        shape = integers(q["shape"], "shape")
        value = array(q["value"], "int64", "value", product(shape[:-1]), shape[-1])
        lists = [v if isinstance(v, list) else [v] for v in (q["multiplier"], q["shift"])]
        out = empty("int32", *value.shape)
        return flat(op.tensor(value, array(lists[0], "int32", "multiplier"), array(lists[1], "int32", "shift"), out))
    scalar = [v[0] if isinstance(v, list) and len(v) == 1 else integer(v, "multiplier or shift") for v in (q["multiplier"], q["shift"])]
    return op(integer(q["value"], "value"), *scalar)


def requantize(q: dict[str, Any]) -> int:
    dialect = q["dialect"]
    if dialect in ("xnnpack_fp32", "xnnpack_rndnu"):
        m, s = dytq.quantize_scale(real(q["scale_bits"]), dialect="xnnpack")
        if not -128 <= integer(q["zp"], "zp") <= 127:
            raise Rejected("zero_point_out_of_range", got=q["zp"])
        return dytq.Rescale(m, s, 0, q["zp"], out="int8", rounding=dialect)(integer(q["value"], "value"))
    if dialect not in ("tflite_double", "tflite_single", "cmsis_double", "cmsis_single"):
        raise Rejected("unknown_dialect")
    shift = 31 - integer(q["left_shift"], "left_shift")
    if shift >= 1 << 31:
        raise Rejected("shift_out_of_range", got=shift)
    rounding = "tflite_double" if dialect.endswith("double") else "tflite_single"
    return dytq.Rescale(integer(q["multiplier"], "multiplier"), shift, rounding=rounding)(integer(q["value"], "value"))


def mul(q: dict[str, Any]) -> int:
    limits = {"i8": 7, "i16": 15, "i32": 31}
    if q["in_t"] not in limits:
        raise Rejected("unknown_type", at="input")
    for key in ("a", "b"):
        if not -(1 << limits[q["in_t"]]) <= integer(q[key], key) < 1 << limits[q["in_t"]]:
            raise BadInput(f"{key}: {q[key]} is no {q['in_t']}")
    if q["in_t"] != "i32" and q["shift"] != 0:
        raise BadInput("shift: only i32 has a shift")
    return dytq.mul_int32(q["a"], q["b"], integer(q["shift"], "shift"))


def table(q: dict[str, Any]) -> list[int]:
    if q["in_t"] not in ("i8", "i16"):
        raise Rejected("unknown_type", at="input")
    kind = {"i8": "int8", "i16": "int16"}[q["in_t"]]
    return plain(dytq.lookup(array(q["table"], kind, "table"), array(q["value"], kind, "value")))


def convolve(q: dict[str, Any], layout: str, groups: Callable[[list[int]], int], padding: str, transposed: bool = False) -> list[int]:
    shape = integers(q["input_shape"], "input_shape")
    weight, bias = array(q["weight"], "int8", "weight", *q["weight_shape"]), array(q["bias"], "int32", "bias")
    x = array(q["input"], "int8", "input", *shape)
    for key, at in (("input_zp", "input"), ("weight_zp", "weight_zp")):
        if not -128 <= integer(q[key], key) <= 127:
            raise Rejected("zero_point_out_of_range", at=at, expected=-128 if q[key] < 0 else 127, got=q[key])
    if not q["bias"]:
        raise Rejected("bias_count", at="bias", expected=1, got=0)
    pad, stride, dilation = q[padding], q["stride"], q.get("dilation", [1, 1])
    conv = dytq.Convolution(weight, layout, bias, q["weight_zp"],
                            groups(q["weight_shape"]), q["input_zp"], transposed=transposed,
                            axes=[dytq.Axis(shape[a + 1], stride[a], dilation[a], pad[2 * a], pad[2 * a + 1]) for a in (0, 1)])
    if product(q["output_shape"]) > 1 << 24:
        raise BadInput("output_shape: more than this program computes for one line")
    out = empty("int32", *q["output_shape"])
    return flat(conv(x, out))


def qparams(q: dict[str, Any], bits: int = 8) -> dytq.Qparams:
    for key in ("qmin", "qmax"):
        if not -(1 << (bits - 1)) <= integer(q[key], key) < 1 << (bits - 1):
            raise BadInput(f"{key}: {q[key]} is no int{bits}")
    return dytq.Qparams(real(q["scale_bits"]), integer(q["zp"], "zp"), integer(q["qmin"], "qmin"), integer(q["qmax"], "qmax"))


def alpha_steps(steps: dict[str, Any]) -> list[dytq.Rescale]:
    return [step_of(steps[name]) for name in ("activation", "alpha", "mul_out")]


def fold_alpha(q: dict[str, Any]) -> tuple[list[int], dict[str, Any]]:
    site = dytq.AlphaSite(integer(q["alpha"], "alpha"), *alpha_steps(q["rescale"]), domain=tuple(q["domain"]) if "domain" in q else None)
    if "table" in q:
        within = q.get("function_in", {})
        if "qmin" in within or "qmax" in within:
            site.function_in = (within.get("qmin", -128), within.get("qmax", 127))
        folded = dytq.fold_alpha_into_lut(site, array(q["table"], "int8", "table"))
    else:
        folded = dytq.fold_alpha_into_function(site, function_of(q), qparams(q["function_in"]), qparams(q["function_out"]), numerics=q.get("numerics", "exact"), ties=ties_of(q), parameter=parameter_of(q))
    return plain(folded.table), {"changed": folded.changed, "wrapped": folded.wrapped}


def function_of(q: dict[str, Any]) -> str:
    if q["function"] not in dytq.function_names():
        raise BadInput(f"function: {q['function']} is not a function of this program")
    return q["function"]


def parameter_of(q: dict[str, Any]) -> Optional[float]:
    return real(q["parameter_bits"]) if q["function"] in ("elu", "leaky_relu") else None


def ties_of(q: dict[str, Any]) -> str:
    known = {"even": "to_even", "away": "away_from_zero"}
    if q.get("ties", "even") not in known:
        raise BadInput(f"ties: expected even or away, got {q['ties']}")
    return known[q.get("ties", "even")]


def lut(q: dict[str, Any]) -> list[int]:
    if q["bits"] not in (8, 16):
        raise BadInput(f"bits: expected 8 or 16, got {q['bits']}")
    how = {"alpha": real(q["alpha_bits"]), "shift": real(q["shift_bits"]), "numerics": q["numerics"], "ties": ties_of(q),
           "parameter": parameter_of(q)}
    arguments = function_of(q), qparams(q["function_in"], q["bits"]), qparams(q["function_out"], q["bits"])
    return plain(dytq.lut8(*arguments, **how) if q["bits"] == 8 else dytq.lut16(*arguments, **how).table)


def site_of(q: dict[str, Any]) -> dytq.AffineSite:
    if "maps" in q:
        rows = [array(row, "int8", "maps", 256) for row in q["maps"]]
        maps = memoryview(b"".join(row.tobytes() for row in rows)).cast("b", shape=[len(rows), 256]) if rows else empty("int8", 0, 256)
        return dytq.AffineSite(array(q["table"], "int8", "table"), q["table_zp"] if "conv" in q else 0, maps=maps,
                               maps_zp=integer(q["output_zp"], "output_zp"))
    for key in ("gamma", "beta"):
        if q[key] == []:
            raise Rejected("channel_count", at=key, expected=1, got=0)
    codes = {key: None if q.get(key) is None else array(q[key], "int8", key) for key in ("gamma", "beta")}
    site = dytq.AffineSite(array(q["table"], "int8", "table"), q["table_zp"] if "conv" in q else 0, codes["gamma"], codes["beta"])
    for half, names in (("gamma", (("table", "table_step"), ("gamma", "gamma_step"), ("gamma_out", "gamma_out"))),
                        ("beta", (("add_in", "add_in"), ("beta", "beta_step"), ("add_out", "add_out")))):
        for key, field in names:
            if q[half] is not None:
                setattr(site, field, step_of(q["rescale"][key]))
    return site


def conv_of(c: dict[str, Any]) -> dytq.Convolution:
    kind = c.get("kind", "conv2d")
    if kind not in ("conv2d", "transpose_conv2d", "linear"):
        raise BadInput(f"kind: expected conv2d, transpose_conv2d or linear, got {kind}")
    shape = integers(c["weight_shape"], "weight_shape")
    if len(shape) != (2 if kind == "linear" else 4):
        raise BadInput("weight_shape: wrong number of dimensions")
    if len(c["weight"]) != product(shape):
        raise Rejected("channel_count", at="weight", expected=product(shape), got=len(c["weight"]))
    weight_zp = c["weight_zp"] if isinstance(c["weight_zp"], list) else [c["weight_zp"]]
    for key, value in (("weight_zp", weight_zp), ("bias", c["bias"])):
        if value == []:
            raise Rejected("channel_count", at=key, expected=1, got=0)
    conv = dytq.Convolution(array(c["weight"], "int8", "weight", *shape), "oi" if kind == "linear" else "ohwi",
                            None if c["bias"] is None else array(c["bias"], "int32", "bias"), array(weight_zp, "int8", "weight_zp"),
                            c["groups"] if kind == "conv2d" or "groups" in c else 1, integer(c["input_zp"], "input_zp"),
                            tuple(integers(c["weight_range"], "weight_range")), kind == "transpose_conv2d")
    if kind != "linear":
        pad = integers(c["out_pad" if conv.transposed else "pad"], "pad")
        dilation = c["dilation"] if kind == "conv2d" else [1, 1]
        for extent in c["input_hw"]:
            if extent < 1:
                raise Rejected("shape_mismatch", at="input", expected=1, got=extent)
        conv.axes = [dytq.Axis(c["input_hw"][a], c["stride"][a], dilation[a], pad[2 * a], pad[2 * a + 1]) for a in (0, 1)]
    return conv


def constants(fold: dytq.Fold) -> dict[str, Any]:
    out = {"weight": flat(fold.weight), "bias": plain(fold.bias), "input_zp": fold.input_zp}
    return out if fold.table is None else {"table": plain(fold.table), **out}


def fold_affine(q: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    fold = dytq.fold_affine_into_conv(site_of(q), conv_of(q["conv"]))
    return constants(fold), {"weights_changed": fold.weights_changed, "bias_changed": fold.bias_changed}


def tables_of(made: dytq.ChannelTables) -> dict[str, Any]:
    return {"index": plain(made.index), "tables": plain(made.tables)}


def plan_affine(q: dict[str, Any]) -> dict[str, Any]:
    site = site_of(q)
    conv, refused = None, None
    try:
        conv = conv_of(q["conv"])
        channels = site._channels() or conv.input_channels
    except Rejected as why:
        refused = why
        c = q["conv"]
        channels = site._channels() or max(0, c.get("groups", 1)) * c["weight_shape"][-1]
    if channels < 1:
        raise Rejected("channel_count")
    dytq.channel_tables(site, channels=channels)  # is every step defined?

    def of_conv(fold: Callable[..., dytq.Fold]) -> Any:
        if conv is None:
            raise refused  # type: ignore[misc]
        return constants(fold(site, conv))

    def yes(f: Callable[..., None], *arguments: Any) -> Callable[[], bool]:
        return lambda: f(*arguments) is None

    def gamma_rescale() -> dict[str, Any]:
        made = dytq.gamma_as_rescale(site)
        return {"multiplier": plain(made.multiplier), "shift": plain(made.shift), "input_zp": made.input_zp, "output_zp": made.output_zp,
                "double": made.rounding == "double_round"}

    def gamma_depthwise() -> dict[str, Any]:
        made = dytq.gamma_as_depthwise(site)
        return {"weight": plain(made.weight), "weight_zp": made.weight_zp, "input_zp": made.input_zp}

    return {"identity": answered(yes(dytq.is_identity, site)), "gamma_identity": answered(yes(dytq.is_identity, site, "gamma")),
            "uniform_table": answered(lambda: plain(dytq.fold_affine_into_table(site))),
            "channel_tables": answered(lambda: tables_of(dytq.channel_tables(site, channels=channels))),
            "gamma_rescale": answered(gamma_rescale), "gamma_depthwise": answered(gamma_depthwise),
            "into_conv": answered(lambda: of_conv(dytq.fold_affine_into_conv)), "retabled": answered(lambda: of_conv(dytq.fold_affine_into_table_and_conv))}


def channel_tables(q: dict[str, Any]) -> dict[str, Any]:
    more: dict[str, Any] = {}
    alpha: Optional[list[int]] = None
    site = site_of(q)
    if "alpha" in q:
        alpha = q["alpha"] if isinstance(q["alpha"], list) else [q["alpha"]]
        more = dict(zip(("activation", "alpha_step", "mul_out"), alpha_steps(q["rescale"])), alpha=array(alpha, "int8", "alpha"))
    if alpha == []:
        raise Rejected("channel_count", at="alpha", expected=1, got=0)
    if not site._channels():
        raise Rejected("channel_count")
    return tables_of(dytq.channel_tables(site, **more))


def fit_rescale(q: dict[str, Any]) -> dict[str, int]:
    limits = {"i8": (-128, 127), "u8": (0, 255), "i16": (-32768, 32767), "u16": (0, 65535), "i32": (-(1 << 31), (1 << 31) - 1)}
    in_t, out_t = type_of(q["in_t"], q["input_unsigned"], "input"), type_of(q["out_t"], q["output_unsigned"], "output")
    op = dytq.RescaleOperator(in_t, out_t, q["input_zp"], q["output_zp"], rounding=rounding_of(q["rounding_mode"]))
    op(q["input_zp"] if q["input_zp"] in range(-32768, 65536) else 0, 1 << 30, 30)  # is the operator one that TOSA defines?
    if in_t == "i32":
        raise Rejected("unknown_type", at="input")
    for code in integers(q["codes"], "codes"):
        if not limits[in_t][0] <= code <= limits[in_t][1]:
            raise Rejected("code_out_of_range", at="input", expected=limits[in_t][code >= 0], got=code)
    fit = dytq.fit_rescale(array(q["codes"], "int64", "codes"), array(q["values"], "int64", "values"), input_zp=q["input_zp"],
                           output_zp=q["output_zp"], out=limits[out_t], rounding=op.rounding)
    return fit._asdict()


def fit_line(q: dict[str, Any]) -> dict[str, int]:
    def int8(value: Any, what: str, reason: str) -> None:
        if not -128 <= integer(value, what) <= 127:
            raise Rejected(reason, at="output" if what == "output_zp" else "input", expected=127 if value > 0 else -128, got=value)

    int8(q["input_zp"], "input_zp", "zero_point_out_of_range")
    int8(q["output_zp"], "output_zp", "zero_point_out_of_range")
    for code in integers(q["codes"], "codes"):
        int8(code, "codes", "code_out_of_range")
    codes, values = (array(q[key], "int64", key) for key in ("codes", "values"))
    how = {"input_zp": q["input_zp"], "output_zp": q["output_zp"], "tolerance": q.get("tolerance", 0),
           "weights": tuple(q.get("weight_range", (-127, 127)))}
    try:
        return dytq.fit_line(codes, values, **how)._asdict()
    except Rejected as why:
        if why.reason != "no_line":
            raise
        conflict = dytq.find_line_conflict(codes, values, **how)
        raise Refused(why, {"codes": list(conflict.codes)} if conflict else {}) from None


def of_channel(value: Any, what: str) -> tuple[int, Any]:
    """A number, or a list with one for each channel."""
    if not isinstance(value, list):
        number = integer(value, what)
        if not -(1 << 31) <= number < 1 << 31:
            raise BadInput(f"{what}: {number} is no int32")
        return number, None
    if not value:
        raise BadInput(f"{what}: expected at least one entry")
    return 0, array(value, "int32", what)


def chain_step(s: dict[str, Any]) -> dytq.Step:
    """A step of the format."""
    op = {"CHANNEL_TABLE": "channel_tables"}.get(s["op"], s["op"].lower())
    if op not in OPERATORS or s["op"] == "CHANNEL_TABLES":
        raise BadInput(f"op: {s['op']} is no operator of a chain")
    step = dytq.Step(op)
    if op == "rescale":
        if s["out"] not in ("i8", "i32"):
            raise BadInput(f"out: expected i8 or i32, got {s['out']}")
        m, step.multiplier = of_channel(s["multiplier"], "multiplier")
        shift, step.shift = of_channel(s["shift"], "shift")
        default = dytq.Rescale()
        step.scale = dytq.Rescale(m if step.multiplier is None else default.multiplier, shift if step.shift is None else default.shift,
                                  integer(s["input_zp"], "input_zp"), integer(s["output_zp"], "output_zp"),
                                  {"i8": "int8", "i32": "int32"}[s["out"]], "double_round" if s.get("double") else "single_round")
    elif op in ("mul", "add", "sub", "maximum", "minimum", "arithmetic_right_shift"):
        step.constant, step.constants = of_channel(s["constant"], "constant")
        step.round = bool(s["round"]) if op == "arithmetic_right_shift" else False
    elif op == "table":
        step.table = array(s["table"], "int8", "table", 256)
    elif op == "clamp":
        step.range = (integer(s["min"], "min"), integer(s["max"], "max"))
    elif op == "negate":
        step.input_zp, step.output_zp = integer(s["input_zp"], "input_zp"), integer(s["output_zp"], "output_zp")
    elif op == "depthwise":
        step.codes, step.constants = array(s["weight"], "int8", "weight"), array(s["bias"], "int32", "bias")
        step.input_zp = integer(s["input_zp"], "input_zp")
    elif op == "channel_tables":
        step.constants = array(s["index"], "int32", "index")
        rows = [array(row, "int8", "tables", 256) for row in s["tables"]]
        step.tables = memoryview(b"".join(row.tobytes() for row in rows)).cast("b", shape=[len(rows), 256])
    return step


OPERATORS = ("rescale", "mul", "add", "sub", "table", "clamp", "maximum", "minimum", "abs", "negate", "arithmetic_right_shift", "depthwise",
             "channel_tables")


def step_json(step: dytq.Step) -> dict[str, Any]:
    """A step as the format has it."""
    s: dict[str, Any] = {"op": {"channel_tables": "CHANNEL_TABLE"}.get(step.op, step.op.upper())}
    if step.op == "rescale":
        r = step.scale
        s.update(multiplier=r.multiplier if step.multiplier is None else plain(step.multiplier),
                 shift=r.shift if step.shift is None else plain(step.shift), input_zp=r.input_zp, output_zp=r.output_zp,
                 out="i8" if r.out in ("int8", (-128, 127)) else "i32", double=r.rounding == "double_round")
    elif step.op in ("mul", "add", "sub", "maximum", "minimum", "arithmetic_right_shift"):
        s["constant"] = step.constant if step.constants is None else plain(step.constants)
        if step.op == "arithmetic_right_shift":
            s["round"] = step.round
    elif step.op == "table":
        s["table"] = plain(step.table)
    elif step.op == "clamp":
        s["min"], s["max"] = step.range if step.range is not None else (-128, 127)
    elif step.op == "negate":
        s.update(input_zp=step.input_zp, output_zp=step.output_zp)
    elif step.op == "depthwise":
        s.update(weight=plain(step.codes), bias=plain(step.constants), input_zp=step.input_zp)
    elif step.op == "channel_tables":
        s.update(index=plain(step.constants), tables=plain(step.tables))
    return s


def chain_of(q: dict[str, Any]) -> dytq.Chain:
    """The chain of a PLAN_CHAIN line."""
    domain = q.get("domain")
    return dytq.Chain([chain_step(s) for s in q["steps"]], integer(q["channels"], "channels"),
                      None if domain is None else plain(array(domain, "int8", "domain")))


def plan_chain(q: dict[str, Any]) -> dict[str, Any]:
    target = dytq.Target(channel_tables=bool(q.get("target", {}).get("channel_table", False)))
    plan = dytq.plan_chain(chain_of(q), target=target, observed=integers(q.get("observed", []), "observed"), branches=False)
    return {"steps": [step_json(s) for s in plan.steps], "operators": plan.operators, "bytes": plan.bytes}


def fold_bounded(q: dict[str, Any]) -> dict[str, Any]:
    conv, site = conv_of(q["conv"]), site_of(q)
    scale = [array(q["requantize"][key], "int32", key) for key in ("multiplier", "shift")]
    fold = dytq.fold_bounded(site, conv, *scale, tolerance=q.get("tolerance"))
    bounds = plain(fold.bounds)
    return {"weight": flat(fold.weight), "bias": plain(fold.bias), "input_zp": fold.input_zp, "multiplier": plain(fold.multiplier),
            "shift": plain(fold.shift), "bound": [b[0:2] for b in bounds], "lower_bound": [b[2:4] for b in bounds],
            "root_mean_square": [b[4:6] for b in bounds]}


# operation: (what answers it, does a refusal name the reason?)
OPERATIONS: dict[str, tuple[Callable[[dict[str, Any]], Any], bool]] = {
    "MULTIPLIER": (multiplier, False),
    "RESCALE": (rescale, False),
    "REQUANTIZE": (requantize, False),
    "MUL": (mul, False),
    "ADD": (lambda q: dytq.add_int32(integer(q["a"], "a"), integer(q["b"], "b")), False),
    "TABLE": (table, False),
    "CONV2D": (lambda q: convolve(q, "ohwi", lambda shape: 1, "pad"), False),
    "DEPTHWISE_CONV2D": (lambda q: convolve(q, "hwim", lambda shape: shape[2], "pad"), False),
    "TRANSPOSE_CONV2D": (lambda q: convolve(q, "ohwi", lambda shape: 1, "out_pad", True), False),
    "FOLD_ALPHA": (fold_alpha, True),
    "FOLD_AFFINE": (fold_affine, True),
    "LUT": (lut, False),
    "PLAN_AFFINE": (plan_affine, True),
    "CHANNEL_TABLES": (channel_tables, True),
    "FIT_RESCALE": (fit_rescale, True),
    "FIT_LINE": (fit_line, True),
    "PLAN_CHAIN": (plan_chain, True),
    "FOLD_BOUNDED": (fold_bounded, True),
}


def answer(line: Any) -> dict[str, Any]:
    """The answer to one line: {"out": ...} or {"reject": ...}, with its id."""
    out: dict[str, Any] = {"id": line["id"]} if isinstance(line, dict) and "id" in line else {}
    by_reason = False
    try:
        q = line["in"]
        if q["op"] not in OPERATIONS:
            raise BadInput(f"op: {q['op']} is not an operation of this program")
        run, by_reason = OPERATIONS[q["op"]]
        made = run(q)
        more = {}
        if isinstance(made, tuple) and len(made) == 2 and isinstance(made[1], dict):
            made, more = made
        out.update(out=made, **more)
    except Rejected as why:
        out.update(members_of(why, by_reason))
    except Refused as refused:
        out.update(members_of(refused.why, by_reason), **refused.more)
    except (BadInput, OverflowError) as error:
        out.update(reject="bad_input", text=str(error))
    except KeyError as error:
        out.update(reject="bad_input", text=f"key {error} is missing, or its value is not known")
    except (TypeError, ValueError, AttributeError, IndexError) as error:
        out.update(reject="bad_input", text=str(error))
    return out


def answer_text(text: str) -> dict[str, Any]:
    """The answer to one line of text."""
    try:
        return answer(json.loads(text))
    except (ValueError, RecursionError) as error:
        return {"reject": "bad_input", "text": str(error)}


def meets(expected: Any, got: Any) -> bool:
    """Is an expected value met? One with `reject`: by any refusal; another object: by one that meets each member."""
    if not isinstance(expected, dict):
        return type(expected) is type(got) and expected == got
    if "reject" in expected:
        return got is None or got is False or (isinstance(got, dict) and "reject" in got)
    if not isinstance(got, dict) or "reject" in got:
        return False
    return all(meets(v, got[k]) if k in got else isinstance(v, dict) and "reject" in v for k, v in expected.items())


def check(expected: TextIO, given: Optional[TextIO]) -> int:
    """Compares answers with expected ones, prints a summary, and returns how many differ."""
    tally: dict[str, list[int]] = {}
    wrong = 0
    for number, text in enumerate(filter(str.strip, expected), 1):
        line = json.loads(text)
        got = line
        if given is not None:
            text = next(filter(str.strip, given), "{}")
            got = json.loads(text)
        got = answer(got) if given is None or "in" in got else got
        # What could not be read has not been refused, but for a line that says "any".
        refused = "reject" in got and (got["reject"] != "bad_input" or line.get("reject") == "any")
        met = refused if "reject" in line else "out" in got and meets(line["out"], got["out"])
        op = line.get("in", {}).get("op", "?")
        tally.setdefault(op, [0, 0])
        tally[op][0] += 1
        tally[op][1] += met
        wrong += not met
        if not met and wrong <= 10:
            print(f"line {number}, {op}: expected {json.dumps(line.get('out', line.get('reject')))[:300]}, got {json.dumps(got)[:300]}")
    for op, (lines, met) in sorted(tally.items()):
        print(f"{op:20} {met:6} of {lines}")
    return wrong


def main(arguments: list[str]) -> int:
    if arguments[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    expected = None
    if arguments[:1] == ["--check"]:
        if len(arguments) < 2:
            print("dytq.replay: --check needs a file; see --help", file=sys.stderr)
            return 2
        expected, arguments = arguments[1], arguments[2:]
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-") and arguments[0] != "-"):
        print("dytq.replay: one file at most; see --help", file=sys.stderr)
        return 2
    try:
        given = None
        if arguments or expected is None:
            given = sys.stdin if not arguments or arguments[0] == "-" else open(arguments[0], encoding="utf-8", errors="replace")
        if expected is not None:
            with open(expected, encoding="utf-8") as lines:
                return min(1, check(lines, given))
    except OSError as error:
        print(f"dytq.replay: {error}", file=sys.stderr)
        return 2
    for text in given:  # type: ignore[union-attr]
        if text.strip():
            print(json.dumps(answer_text(text), separators=(",", ":")), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
