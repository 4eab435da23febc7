# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exact quantization mathematics: tables, folds and rewrites of integer graphs, to the bit of TOSA 1.0.

Arrays that are read may be anything with the buffer protocol (bytes, array.array, memoryview, numpy), torch tensors on the CPU, of any strides
and without a copy, or short lists. Arrays that are returned are numpy's where numpy is installed, and memoryviews where it is not.

What has no right answer raises Rejected, which says why and where, and nothing has been written. What is no argument at all (a wrong type of
elements, a name that there is not) raises TypeError or ValueError.

    scales      quantize_scale, fits_target
    operators   Rescale, RescaleOperator, mul_int32, add_int32, lookup
    tables      lut8, lut16, tflite_lut16, lut_error, tflite_lut_error, compose, function_names, Qparams
    folds       fold_alpha_into_lut, fold_alpha_into_function, fold_affine_into_conv, fold_affine_into_convs, fold_beta_into_conv, fold_affine_into_table,
                fold_affine_into_table_and_conv, fold_bounded, fold_into_producer; AlphaSite, AffineSite, Convolution, Axis
    asking      prove_affine_fold, prove_beta_fold, prove_table_and_conv_fold, prove_bounded_fold, prove_producer_fold: is there such a fold?
    judges      check_fold, check_bounded
    chains      Chain, Step; plan_chain, Target, Plan
    forms       is_identity, gamma_as_rescale, gamma_as_depthwise, channel_tables; prove_gamma_as_rescale, prove_gamma_as_depthwise
    engines     engine_arithmetic, effective_scale, requantization, addition, average_pool, activation_range
    fits        fit_rescale, fit_line, find_line_conflict

Programs: python3 -m dytq.replay answers the lines of the replay format, dytq.table prints a table, dytq.plan the plan of a chain.
"""
from ._bounded import (BoundedFold, ProducerFold, check_bounded, fold_bounded, fold_into_producer, prove_bounded_fold,
                       prove_producer_fold)
from ._buffers import Array
from ._chains import Chain, Line, LineConflict, Step, find_line_conflict, fit_line
from ._engines import Addition, EngineArithmetic, activation_range, addition, average_pool, effective_scale, engine_arithmetic, requantization
from ._folds import (AffineSite, Axis, ChannelTables, Convolution, Fold, GammaDepthwise, GammaRescale, channel_tables, check_fold,
                     fold_affine_into_conv, fold_affine_into_convs, fold_affine_into_table, fold_affine_into_table_and_conv, fold_beta_into_conv,
                     gamma_as_depthwise, gamma_as_rescale, is_identity, prove_affine_fold, prove_beta_fold, prove_gamma_as_depthwise,
                     prove_gamma_as_rescale, prove_table_and_conv_fold)
from ._library import Rejected, library
from ._plans import Plan, Stretch, Target, plan_chain
from ._scalars import Multiplier, Range, Rescale, RescaleOperator, add_int32, fit_rescale, fits_target, mul_int32, quantize_scale
from ._tables import (AlphaSite, FoldedTable, Lut16, Qparams, compose, fold_alpha_into_function, fold_alpha_into_lut, function_names, lookup, lut8, lut16,
                      lut_error, tflite_lut16, tflite_lut_error)

__version__: str = library.dytq_version().decode()

__all__ = ["Addition", "AffineSite", "AlphaSite", "Array", "Axis", "BoundedFold", "Chain", "ChannelTables", "Convolution",
           "EngineArithmetic", "Fold", "FoldedTable", "GammaDepthwise", "GammaRescale", "Line", "LineConflict", "Lut16", "Multiplier",
           "Plan", "ProducerFold", "Qparams", "Range", "Rejected", "Rescale", "RescaleOperator", "Step", "Stretch", "Target",
           "activation_range", "add_int32", "addition", "average_pool", "channel_tables", "check_bounded", "check_fold", "compose",
           "effective_scale", "engine_arithmetic", "find_line_conflict", "fit_line", "fit_rescale", "fits_target", "fold_affine_into_conv",
           "fold_affine_into_convs", "fold_affine_into_table", "fold_affine_into_table_and_conv", "fold_alpha_into_function",
           "fold_alpha_into_lut", "fold_beta_into_conv", "fold_bounded", "fold_into_producer", "function_names", "gamma_as_depthwise",
           "gamma_as_rescale", "is_identity", "lookup", "lut16", "lut8", "lut_error", "mul_int32", "plan_chain", "prove_affine_fold",
           "prove_beta_fold", "prove_bounded_fold", "prove_gamma_as_depthwise", "prove_gamma_as_rescale", "prove_producer_fold",
           "prove_table_and_conv_fold", "quantize_scale", "requantization", "tflite_lut16", "tflite_lut_error"]
