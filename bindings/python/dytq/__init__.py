# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exact quantization mathematics: tables, folds and rewrites of integer graphs, to the bit of TOSA 1.0.

Arrays that are read may be anything with the buffer protocol (bytes, array.array, memoryview, numpy), torch tensors on the CPU, of any strides
and without a copy, or short lists. Arrays that are returned are numpy's where numpy is installed, and memoryviews where it is not.

What has no right answer raises Rejected, which says why and where, and nothing has been written. What is no argument at all (a wrong type of
elements, a name that there is not) raises TypeError or ValueError.

    scales      quantize_scale, fits_target
    operators   Rescale, RescaleOperator, mul_int32, add_int32, lookup
    tables      lut8, lut16, tflite_lut16, lut_error, compose, function_names, Qparams
    folds       fold_alpha, fold_affine, fold_affine_all, fold_beta, fold_retabled, fold_bounded, fold_into_producer; AlphaSite, AffineSite, Convolution, Axis
    judges      check_fold, check_bounded
    chains      Chain, Step; plan_chain, Target, Plan
    forms       is_identity, uniform_table, gamma_as_rescale, gamma_as_depthwise, channel_tables
    engines     engine_arithmetic, effective_scale, requantization, addition, average_pool, activation_range
    fits        fit_rescale, fit_line, find_line_conflict

Programs: python3 -m dytq.replay answers the lines of the replay format, dytq.table prints a table, dytq.plan the plan of a chain.
"""
from ._bounded import BoundedFold, ProducerFold, check_bounded, fold_bounded, fold_into_producer
from ._buffers import Array
from ._chains import Chain, Line, LineConflict, Step, find_line_conflict, fit_line
from ._engines import Addition, EngineArithmetic, activation_range, addition, average_pool, effective_scale, engine_arithmetic, requantization
from ._folds import (AffineSite, Axis, ChannelTables, Convolution, Fold, GammaDepthwise, GammaRescale, channel_tables, check_fold, fold_affine,
                     fold_affine_all, fold_beta, fold_retabled, gamma_as_depthwise, gamma_as_rescale, is_identity, uniform_table)
from ._library import Rejected, library
from ._plans import Plan, Stretch, Target, plan_chain
from ._scalars import Multiplier, Range, Rescale, RescaleOperator, add_int32, fit_rescale, fits_target, mul_int32, quantize_scale
from ._tables import AlphaSite, FoldedTable, Lut16, Qparams, compose, fold_alpha, fold_alpha_function, function_names, lookup, lut8, lut16, lut_error, tflite_lut16

__version__: str = library.dytq_version().decode()

__all__ = ["Addition", "AffineSite", "AlphaSite", "Array", "Axis", "BoundedFold", "Chain", "ChannelTables", "Convolution", "EngineArithmetic", "Fold", "FoldedTable",
           "GammaDepthwise", "GammaRescale", "Line", "LineConflict", "Lut16", "Multiplier", "Plan", "ProducerFold", "Qparams", "Range", "Rejected", "Rescale",
           "RescaleOperator", "Step", "Stretch", "Target", "activation_range", "add_int32", "addition", "average_pool", "channel_tables", "check_bounded", "check_fold", "compose",
           "find_line_conflict", "fit_line", "fit_rescale", "fits_target", "effective_scale", "engine_arithmetic", "fold_affine", "fold_affine_all", "fold_alpha", "fold_alpha_function",
           "fold_beta", "fold_bounded", "fold_into_producer", "fold_retabled", "function_names", "gamma_as_depthwise", "gamma_as_rescale", "is_identity", "lookup",
           "lut16", "lut8", "lut_error", "mul_int32", "plan_chain", "quantize_scale", "requantization", "tflite_lut16", "uniform_table"]
