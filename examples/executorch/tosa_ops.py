# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators of the names and arguments that ExecuTorch's Arm backend uses, with plain integer implementations, so that a graph of them runs.

    tosa.RESCALE(x, dtype, scale[], in_zp, out_zp)    one scale, or one for each channel (NCHW: axis 1)
    tosa.TABLE(x, table)                              int8 [256]
    tosa.CONV2D(x, weight, bias, stride, pad, dilation)   NCHW and OIHW; pad [top, bottom, left, right]; int32 accumulators; the zero
                                                      point of x is in node.meta["input_qparams"][0], as in the backend, and reaches the
                                                      implementation as the constant of pad: x is padded with it and has it subtracted
    aten.mul.Tensor, aten.add.Tensor                  of int32, as they are

Nothing here calls dytq's folds: it is what the graphs are judged by."""
import fractions

import torch
from torch.library import Library

library = Library("tosa", "DEF")
library.define("RESCALE(Tensor input1, ScalarType dtype, float[] scale, int in_zp, int out_zp) -> Tensor")
library.define("TABLE(Tensor input1, Tensor table) -> Tensor")
library.define("CONV2D(Tensor input, Tensor weight, Tensor bias, int[2] stride, int[4] pad, int[2] dilation, int input_zp=0) -> Tensor")


def multiplier_and_shift(scale):
    """As the backend computes them: a mantissa of 31 bits, half to even."""
    exact = fractions.Fraction(scale)
    shift = 0
    while exact * 2 ** shift < 1 << 30:
        shift += 1
    while exact * fractions.Fraction(2) ** shift >= 1 << 31:
        shift -= 1
    multiplier = round(exact * fractions.Fraction(2) ** shift)  # half to even
    return (multiplier >> 1, shift - 1) if multiplier == 1 << 31 else (multiplier, shift)


def rescale(x, dtype, scale, in_zp, out_zp):
    wide = x.to(torch.int64) - in_zp
    pairs = [multiplier_and_shift(s) for s in scale]
    shape = [1, -1] + [1] * (x.dim() - 2) if len(pairs) > 1 else [1]
    multiplier = torch.tensor([m for m, _ in pairs], dtype=torch.int64).reshape(shape)
    shift = torch.tensor([s for _, s in pairs], dtype=torch.int64).reshape(shape)
    limit = torch.ones_like(shift) << (shift - 1)
    if bool(((wide < -limit) | (wide >= limit)).any()):
        raise ArithmeticError("RESCALE: unpredictable")
    value = ((wide * multiplier + limit) >> shift) + out_zp
    limits = torch.iinfo(dtype)
    return value.clamp(limits.min, limits.max).to(dtype)


def table(x, entries):
    return entries[x.to(torch.int64) + 128]


def conv2d(x, weight, bias, stride, pad, dilation, input_zp=0):
    centered = torch.nn.functional.pad(x.to(torch.float64) - input_zp, (pad[2], pad[3], pad[0], pad[1]))
    sums = torch.nn.functional.conv2d(centered, weight.to(torch.float64), None, stride, 0, dilation)  # exact: below 2^53
    sums = sums.to(torch.int64) + bias.to(torch.int64).reshape(1, -1, 1, 1)
    if bool((sums != sums.to(torch.int32)).any()):
        raise ArithmeticError("CONV2D: unpredictable")
    return sums.to(torch.int32)


library.impl("RESCALE", rescale, "CPU")
library.impl("TABLE", table, "CPU")
library.impl("CONV2D", conv2d, "CPU")

RESCALE = torch.ops.tosa.RESCALE.default
TABLE = torch.ops.tosa.TABLE.default
CONV2D = torch.ops.tosa.CONV2D.default
MUL = torch.ops.aten.mul.Tensor
ADD = torch.ops.aten.add.Tensor
