# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables: of functions, composed, looked up, and with alpha folded into them."""
from __future__ import annotations

import ctypes
import dataclasses
from typing import NamedTuple, Optional

from . import _abi
from ._buffers import Array, Memory, empty, shape_of
from ._library import call, names, number, of_type, struct
from ._scalars import Range, Rescale, range_of


@dataclasses.dataclass
class Qparams:
    """Affine quantization: real = scale * (code - zero_point), qmin <= code <= qmax (None: the type's own bounds)."""

    scale: float
    zero_point: int = 0
    qmin: Optional[int] = None
    qmax: Optional[int] = None

    def _c(self, type_range: Range) -> _abi.dytq_qparams:
        if self.qmin is None and self.qmax is None:
            return struct(_abi.dytq_qparams, self.scale, self.zero_point)
        lo = type_range[0] if self.qmin is None else self.qmin
        hi = type_range[1] if self.qmax is None else self.qmax
        return struct(_abi.dytq_qparams, self.scale, self.zero_point, struct(_abi.dytq_range, 1, lo, hi))


_INT8 = (-128, 127)
_INT16 = (-(1 << 15), (1 << 15) - 1)


def _quantizations(input: Qparams, output: Qparams, type_range: Range) -> tuple[_abi.dytq_qparams, _abi.dytq_qparams]:
    return of_type(input, Qparams, "input")._c(type_range), of_type(output, Qparams, "output")._c(type_range)


def function_names() -> tuple[str, ...]:
    """The functions that tables are made of."""
    return tuple(names(_abi.NAMES_FUNCTION))


def _options(alpha: float, shift: float, numerics: str, domain: Optional[Range], ties: str, parameter: Optional[float],
             step: int = 0) -> _abi.dytq_lut_options:
    return struct(_abi.dytq_lut_options, alpha, shift,
                                 number(_abi.NAMES_NUMERICS, numerics, "numerics"), range_of(domain),
                  number(_abi.NAMES_TIES, ties, "ties"), step, parameter is not None, 0.0 if parameter is None else parameter)


def lut8(function: str, input: Qparams, output: Qparams, *, alpha: float = 1.0, shift: float = 0.0, numerics: str = "exact",
         domain: Optional[Range] = None, ties: str = "to_even", parameter: Optional[float] = None) -> Array:
    """The int8 table of a function, every entry proven: int8 [256], entry i for code i - 128.

    Formula: clamp(round(f(alpha * input.scale * (code - input.zero_point) + shift) / output.scale) + output.zero_point).
    function: one of function_names(). numerics: "exact" (the real function, rounded once) or "float32" (as a float32 graph computes it).
    domain: codes outside read as the nearest inside. ties: to which code a value half way between two goes: "to_even" or "away_from_zero".
    parameter: of elu: alpha; of leaky_relu: slope. A function that has none refuses one.
    Raises Rejected: scale_not_finite, scale_not_positive, scale_not_float32, parameter_not_finite, range_inverted,
        zero_point_out_of_range, outside_domain, undecided.
    """
    table = empty("int8", 256)
    with Memory() as m:
        call("lut8", number(_abi.NAMES_FUNCTION, function, "function"), *_quantizations(input, output, _INT8),
             _options(alpha, shift, numerics, domain, ties, parameter), m.output(table, "int8", "table"))
    return table


class Lut16(NamedTuple):
    """An int16 table [65536 / step + 1], and the power of two that its consumer applies: TABLE's result / 2^shift is the code."""

    table: Array
    shift: int


def lut16(function: str, input: Qparams, output: Qparams, *, alpha: float = 1.0, shift: float = 0.0, numerics: str = "exact",
          domain: Optional[Range] = None, ties: str = "to_even", parameter: Optional[float] = None, step: int = 128) -> Lut16:
    """The int16 table of a function: int16 [65536 / step + 1], entry i for code step * i - 32768, the last for the virtual code 32768.

    step: codes from entry to entry: 128 (TOSA's TABLE, with 513 entries), 64 or 32. Everything else as in lut8. Bounds of `output` beyond int16 give entries that stand for 2^(7 - shift) codes each.
    """
    if step not in (128, 64, 32):
        raise ValueError(f"step {step!r} is none of 128, 64, 32")
    table = empty("int16", 65536 // step + 1)
    by = ctypes.c_int32()
    with Memory() as m:
        call("lut16", number(_abi.NAMES_FUNCTION, function, "function"), *_quantizations(input, output, _INT16),
             _options(alpha, shift, numerics, domain, ties, parameter, step), m.output(table, "int16", "table"), by)
    return Lut16(table, by.value)


def tflite_lut16(function: str, input: Qparams, output: Qparams, *, numerics: str = "exact", parameter: Optional[float] = None) -> Array:
    """The int16 table [513] that TFLite and CMSIS-NN make of a function for their own lookup; halves go away from zero.

    Only the scales and the input's zero point are read. Raises Rejected: as lut8, value_exceeds_int32.
    """
    table = empty("int16", 513)
    of_type(input, Qparams, "input"), of_type(output, Qparams, "output")
    with Memory() as m:
        call("tflite_lut16", number(_abi.NAMES_FUNCTION, function, "function"), input.scale, input.zero_point, output.scale,
             _options(1.0, 0.0, numerics, None, "to_even", parameter), m.output(table, "int16", "table"))
    return table


def lut_error(function: str, input: Qparams, output: Qparams, table: Array, *, result_shift: int = 7, alpha: float = 1.0, shift: float = 0.0,
              numerics: str = "exact", domain: Optional[Range] = None, ties: str = "to_even",
              parameter: Optional[float] = None) -> tuple[int, int]:
    """How far a table is from its function: at most the first number * 2^-32 output codes, at the input code that is the second.

    table: int8 [256], or int16 [513], [1025] or [2049] with result_shift (Lut16.shift), interpolation included. Whoever made it.
    Raises Rejected: as lut8; table_size; table_slope_overflow; value_exceeds_int32.
    """
    largest, code = ctypes.c_int64(), ctypes.c_int64()
    with Memory() as m:
        entries = m.view(table, ("int16", "int8"), "table")
        type_range = _INT16 if entries.type == _abi.INT16 else _INT8
        call("lut_error", number(_abi.NAMES_FUNCTION, function, "function"), *_quantizations(input, output, type_range),
             _options(alpha, shift, numerics, domain, ties, parameter), entries, result_shift, largest, code)
    return largest.value, code.value


def tflite_lut_error(function: str, input: Qparams, output: Qparams, table: Array, *, domain: Optional[Range] = None,
                     parameter: Optional[float] = None) -> tuple[int, int]:
    """lut_error for a table of TFLite's kind, int16 [513], and its own lookup, whose answers are codes. The output has no zero point."""
    largest, code = ctypes.c_int64(), ctypes.c_int64()
    with Memory() as m:
        call("tflite_lut_error", number(_abi.NAMES_FUNCTION, function, "function"), *_quantizations(input, output, _INT16),
             _options(1.0, 0.0, "exact", domain, "to_even", parameter), m.view(table, "int16", "table"), largest, code)
    return largest.value, code.value


def lookup(table: Array, codes: Array, out: Optional[Array] = None) -> Array:
    """TOSA TABLE: int8 codes with int8 [256] give int8; int16 codes with int16 [513] give int32. Codes of 1 to 5 axes.

    Raises Rejected: table_size; table_slope_overflow: neighbouring entries differ by more than int16 holds.
    """
    with Memory() as m:
        entries = m.view(table, ("int16", "int8"), "table")
        wide = entries.type == _abi.INT16
        result = empty("int32" if wide else "int8", *shape_of(codes)) if out is None else out
        call("lookup", entries, m.view(codes, "int16" if wide else "int8", "codes"), m.output(result, "int32" if wide else "int8", "out"))
    return result


def compose(outer: Array, inner: Array) -> Array:
    """The table of outer[inner[code]]: int8 [256], of two of them."""
    table = empty("int8", 256)
    with Memory() as m:
        call("compose", m.view(outer, "int8", "outer"), m.view(inner, "int8", "inner"), m.output(table, "int8", "table"))
    return table


@dataclasses.dataclass
class AlphaSite:
    """The chain before a TABLE: mul_out(wrap32(activation(code) * alpha_step(alpha))), clamped to function_in.

    alpha: its int8 code. domain: codes outside read as the nearest inside. Ranges default to int8.
    """

    alpha: int
    activation: Rescale
    alpha_step: Rescale
    mul_out: Rescale
    domain: Optional[Range] = None
    function_in: Optional[Range] = None

    def _c(self) -> _abi.dytq_alpha_site:
        return struct(_abi.dytq_alpha_site, self.alpha, range_of(self.domain), range_of(self.function_in), 0,
                      *(of_type(getattr(self, name), Rescale, name)._c() for name in ("activation", "alpha_step", "mul_out")))


class FoldedTable(NamedTuple):
    """A folded table int8 [256]; how many entries changed; and whether some product left 32 bits, as MUL defines it."""

    table: Array
    changed: int
    wrapped: bool


def fold_alpha_into_lut(site: AlphaSite, table: Array, out: Optional[Array] = None) -> FoldedTable:
    """Folds the multiplication by alpha into the TABLE after it. Exact, for any table.

    Formula: new[c] = table[mul_out(wrap32(activation(c) * alpha_step(alpha)))] for every code c.
    Shape: table int8 [256]. out: where to write; may be the table itself.
    Raises Rejected: table_size; range_inverted; code_out_of_range: alpha; value_exceeds_shift, value_exceeds_int32: at the code.
    """
    result = empty("int8", 256) if out is None else out
    info = struct(_abi.dytq_alpha_fold)
    with Memory() as m:
        call("fold_alpha_into_lut", of_type(site, AlphaSite, "site")._c(), m.view(table, "int8", "table"), m.output(result, "int8", "out"), info)
    return FoldedTable(result, info.changed, bool(info.wrapped))


def fold_alpha_into_function(site: AlphaSite, function: str, input: Qparams, output: Qparams, *, numerics: str = "exact",
                        ties: str = "to_even", parameter: Optional[float] = None) -> FoldedTable:
    """fold_alpha for a function with its quantization parameters in place of a finished table."""
    result = empty("int8", 256)
    info = struct(_abi.dytq_alpha_fold)
    with Memory() as m:
        call("fold_alpha_into_function", of_type(site, AlphaSite, "site")._c(), number(_abi.NAMES_FUNCTION, function, "function"),
             *_quantizations(input, output, _INT8), _options(1.0, 0.0, numerics, None, ties, parameter), m.output(result, "int8", "out"), info)
    return FoldedTable(result, info.changed, bool(info.wrapped))
