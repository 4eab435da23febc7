# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What inference engines compute for their operators, as steps with integers."""
from __future__ import annotations

import ctypes
from typing import NamedTuple, Optional

from . import _abi
from ._library import call, names, number, of_type
from ._scalars import Range, Rescale, range_of
from ._tables import Qparams

_INT8 = (-128, 127)


def _name(which: int, value: int) -> str:
    return next(name for name, known in names(which).items() if known == value)


def rescale_from(r: _abi.dytq_rescale) -> Rescale:
    """A step of the library."""
    return Rescale(r.multiplier, r.shift, r.input_zp, r.output_zp, (r.out.lo, r.out.hi), _name(_abi.NAMES_ROUNDING, r.rounding), r.left_shift)


def _engine(name: str) -> int:
    return number(_abi.NAMES_ENGINE, name, "engine")


def _kernel(name: str) -> int:
    return number(_abi.NAMES_KERNEL, name, "operator")


class EngineArithmetic(NamedTuple):
    """How an engine's operator multiplies its scales (see effective_scale), makes integers of them (dialect, see quantize_scale), and rounds."""

    product: str
    dialect: str
    rounding: str


def engine_arithmetic(engine: str, operator: str) -> EngineArithmetic:
    """The arithmetic of an engine's operator on int8 tensors.

    engine: tflite, tflite_micro, tflite_micro_single, xnnpack, onnx_runtime.
    operator: conv_2d, depthwise_conv_2d, fully_connected, mul, add, mean, quantize.
    Raises Rejected: unknown_dialect: none that multiplies by one scale, or none that is offered.
    """
    made = [ctypes.c_int32() for _ in range(3)]
    call("engine_arithmetic", _engine(engine), _kernel(operator), *made)
    return EngineArithmetic(_name(_abi.NAMES_PRODUCT, made[0].value), _name(_abi.NAMES_DIALECT, made[1].value), _name(_abi.NAMES_ROUNDING, made[2].value))


def effective_scale(product: str, a: float, b: float, out: float) -> float:
    """a * b / out, to the bit of an engine that computes it so.

    product: in_double, in_float32_and_double, in_float32. Scales are float32 numbers.
    Raises Rejected: scale_not_finite, scale_negative, scale_not_positive, scale_not_float32, at input (a), weight (b) or output.
    """
    made = ctypes.c_double()
    call("effective_scale", number(_abi.NAMES_PRODUCT, product, "product"), a, b, out, made)
    return made.value


def requantization(engine: str, operator: str, input_scale: float, weight_scale: float, output: Qparams) -> Rescale:
    """The step from an accumulator or product to a code, as an engine's operator does it. mean and quantize have a weight scale of 1.

    Raises Rejected: as engine_arithmetic, effective_scale and quantize_scale; range_inverted; zero_point_out_of_range.
    """
    made = _abi.dytq_rescale()
    call("requantization", _engine(engine), _kernel(operator), input_scale, weight_scale, of_type(output, Qparams, "output")._c(_INT8), made)
    return rescale_from(made)


class Addition(NamedTuple):
    """The steps of an int8 ADD: out(a(code of a) + b(code of b))."""

    a: Rescale
    b: Rescale
    out: Rescale


def addition(engine: str, a: Qparams, b: Qparams, output: Qparams) -> Addition:
    """ADD of two int8 tensors, as an engine computes it; exact for every pair of codes.

    Raises Rejected: as effective_scale; scale_too_large, scale_too_small: what the engine does not take; unknown_dialect: onnx_runtime, which
        adds in float32.
    """
    made = (_abi.dytq_rescale * 3)()
    call("addition", _engine(engine), *(of_type(q, Qparams, name)._c(_INT8) for q, name in ((a, "a"), (b, "b"), (output, "output"))), made)
    return Addition(*map(rescale_from, made))


def average_pool(taps: int, out: Optional[Range] = None) -> Rescale:
    """TensorFlow Lite's AVERAGE_POOL_2D: from the sum of the codes of `taps` taps, 1 to 1024, to their mean, half away from zero. out: int8 if None.

    Raises Rejected: shape_mismatch, extent_overflow: taps; range_inverted.
    """
    made = _abi.dytq_rescale()
    call("average_pool", taps, None if out is None else range_of(out), made)
    return rescale_from(made)


def activation_range(activation: str, output: Qparams) -> Range:
    """The codes that are left by an activation that TensorFlow Lite fuses into an operator: none, relu, relu6, relu_n1_to_1.

    Raises Rejected: range_inverted: nothing is left; and those of the quantization.
    """
    made = _abi.dytq_range()
    call("activation_range", number(_abi.NAMES_ACTIVATION, activation, "activation"), of_type(output, Qparams, "output")._c(_INT8), made)
    return (made.lo, made.hi)
