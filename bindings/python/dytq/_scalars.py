# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scales, and the integer operators."""
from __future__ import annotations

import ctypes
import dataclasses
from typing import NamedTuple, Optional, Union

from . import _abi
from ._buffers import Array, Memory, empty, shape_of
from ._library import call, number, struct

Range = tuple[int, int]
"""[lo, hi], both included."""


def range_of(codes: Optional[Range]) -> _abi.dytq_range:
    if codes is None:
        return _abi.dytq_range()
    lo, hi = codes  # two, neither fewer nor more
    return struct(_abi.dytq_range, 1, lo, hi)


_TYPES = {"int8": (-128, 127), "int32": (-(1 << 31), (1 << 31) - 1)}


class Multiplier(NamedTuple):
    """A scale as multiplier * 2^-shift."""

    multiplier: int
    shift: int


def quantize_scale(scale: float, *, width: int = 32, dialect: str = "executorch") -> Multiplier:
    """The integer form of a scale, as the toolchain of a dialect computes it.

    Formula: with scale = f * 2^e, 1/2 <= f < 1, n = width - 1: multiplier = round(f * 2^n), shift = n - e, and the limits of the dialect.
    dialect: executorch, mlir, tflite, tflite_single, tflm, vela, xnnpack, onnx. Shifts are positive to the right in all of them;
        TFLite's and CMSIS-NN's own is 31 - shift.
    Raises Rejected: scale_not_finite, scale_negative, scale_too_large, scale_too_small, scale_not_float32, unknown_dialect.
    """
    multiplier, shift = ctypes.c_int64(), ctypes.c_int32()
    call("quantize_scale", scale, width, number(_abi.NAMES_DIALECT, dialect, "dialect"), multiplier, shift)
    return Multiplier(multiplier.value, shift.value)


def fits_target(target: str, scale: Union[float, Multiplier, tuple[int, int]]) -> None:
    """Does a target take a scale, or a multiplier and shift? Raises Rejected if not.

    target: tosa, tflite, cmsis_nn, vela, xnnpack, xnnpack_multiply, xnnpack_add.
    """
    which = number(_abi.NAMES_TARGET, target, "target")
    if isinstance(scale, tuple):
        call("multiplier_fits", which, *scale)
    else:
        call("scale_fits", which, scale)


@dataclasses.dataclass
class Rescale:
    """A per-tensor RESCALE as one step of a chain: clamp((value - input_zp) * multiplier * 2^-shift + output_zp).

    out: "int8", "int32", a range (lo, hi), or None for what stands at its place: int8 where a half ends, else int32.
    rounding: single_round and double_round are TOSA's; tflite_single, tflite_double, xnnpack_rndnu, xnnpack_fp32; onnx, onnx_multiply.
    left_shift: of the value, first; only the ADD of TFLite and CMSIS-NN has it.
    """

    multiplier: int = 1 << 30
    shift: int = 30
    input_zp: int = 0
    output_zp: int = 0
    out: Union[str, Range, None] = None
    rounding: str = "single_round"
    left_shift: int = 0

    def _c(self) -> _abi.dytq_rescale:
        if isinstance(self.out, str) and self.out not in _TYPES:
            raise ValueError(f"out {self.out!r} is none of {', '.join(_TYPES)}")
        out = _TYPES[self.out] if isinstance(self.out, str) else self.out
        return struct(_abi.dytq_rescale, self.multiplier, self.shift, self.input_zp, self.output_zp,
                                 number(_abi.NAMES_ROUNDING, self.rounding, "rounding"), self.left_shift, 0, range_of(out))

    def __call__(self, value: int) -> int:
        """The result for one value. Raises Rejected: value_exceeds_shift, value_exceeds_int32, and for the step itself."""
        result = ctypes.c_int32()
        call("apply_step", self._c(), value, result)
        return result.value

    def tensor(self, value: Array, out: Optional[Array] = None) -> Array:
        """The results for a tensor of 1 to 5 axes; new memory is int8 if that is what `out` of the step says, else int32."""
        result = empty("int8" if self.out == "int8" else "int32", *shape_of(value)) if out is None else out
        anything = ("int8", "uint8", "int16", "uint16", "int32", "int64")
        with Memory() as m:
            call("step_tensor", self._c(), m.view(value, anything, "value"), m.output(result, anything, "out"))
        return result


@dataclasses.dataclass
class RescaleOperator:
    """TOSA RESCALE with all of its attributes.

    input_type, output_type: i8, u8, i16, u16, i32, i48. bits: of the multipliers, 32 or 16.
    per_channel: one multiplier and shift for each entry of the last axis.
    """

    input_type: str = "i8"
    output_type: str = "i8"
    input_zp: int = 0
    output_zp: int = 0
    bits: int = 32
    rounding: str = "single_round"
    per_channel: bool = False

    def _c(self) -> _abi.dytq_rescale_operator:
        if self.bits not in (16, 32):
            raise ValueError(f"bits: 16 or 32, got {self.bits}")
        return struct(_abi.dytq_rescale_operator, self.input_zp, self.output_zp, number(_abi.NAMES_TYPE, self.input_type, "type"),
            number(_abi.NAMES_TYPE, self.output_type, "type"), self.bits == 16,
            number(_abi.NAMES_ROUNDING, self.rounding, "rounding"), self.per_channel, 0)

    def __call__(self, value: int, multiplier: int, shift: int) -> int:
        """RESCALE of one value. An unsigned code is an unsigned number."""
        result = ctypes.c_int32()
        call("apply_rescale", self._c(), value, multiplier, shift, result)
        return result.value

    def tensor(self, value: Array, multiplier: Array, shift: Array, out: Optional[Array] = None) -> Array:
        """RESCALE of a tensor of 1 to 5 axes. multiplier, shift: int32 [1], or [C] of the last axis.

        The elements may be wider than the codes (int16 for i8). out: where to write, of the shape of value; else new
        memory of the output's type (int32 for i32, int16 for u8, int32 for u16).
        """
        kinds = {"i8": "int8", "u8": "int16", "i16": "int16", "u16": "int32", "i32": "int32"}
        result = empty(kinds.get(self.output_type, "int64"), *shape_of(value)) if out is None else out
        anything = ("int8", "uint8", "int16", "uint16", "int32", "int64")
        with Memory() as m:
            call("rescale_tensor", self._c(), m.view(value, anything, "value"), m.view(multiplier, "int32", "multiplier"),
                 m.view(shift, "int32", "shift"), m.output(result, anything, "out"))
        return result


def mul_int32(a: int, b: int, shift: int = 0) -> int:
    """TOSA MUL of int32: (a * b) >> shift, rounded half up; with shift 0 the low 32 bits. Raises Rejected: mul_overflow."""
    result = ctypes.c_int32()
    call("mul_int32", a, b, shift, result)
    return result.value


def add_int32(a: int, b: int) -> int:
    """TOSA ADD of int32. Raises Rejected: add_overflow."""
    result = ctypes.c_int32()
    call("add_int32", a, b, result)
    return result.value


def fit_rescale(codes: Array, values: Array, *, input_zp: int = 0, output_zp: int = 0, out: Range = (-128, 127),
                rounding: str = "single_round", multiplier_max: int = (1 << 31) - 1, shifts: Optional[Range] = None) -> Multiplier:
    """The RESCALE that gives values[i] for codes[i], all i, clamped ends included.

    Shape: codes and values [N], of one type.
    The largest shift for which a multiplier exists, and there the smallest multiplier; necessary and sufficient.
    Raises Rejected: no_rescale: `code` rules out what the codes before it leave; contradiction; empty; size_mismatch;
        code_out_of_range.
    """
    kinds = ("int8", "int16", "int32", "int64")
    multiplier, shift = ctypes.c_int32(), ctypes.c_int32()
    search = struct(_abi.dytq_rescale_search, input_zp, output_zp,
                                      number(_abi.NAMES_ROUNDING, rounding, "rounding"), range_of(out), range_of((0, multiplier_max)),
                                      range_of(shifts))
    with Memory() as m:
        call("fit_rescale", m.view(codes, kinds, "codes"), m.view(values, kinds, "values"), search, multiplier, shift)
    return Multiplier(multiplier.value, shift.value)
