# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""dytq.h for ctypes. Made by bindings/generate.py."""
from ctypes import (POINTER, Structure, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint64, c_void_p)

ABI_VERSION = 2
OK = 0
REJECTED = 1
NULL_ARGUMENT = 2
BAD_SIZE = 3
UNKNOWN_FIELD = 4
BAD_VIEW = 5
REASON_NONE = 0
REASON_SCALE_NOT_FINITE = 1
REASON_SCALE_NEGATIVE = 2
REASON_SCALE_NOT_POSITIVE = 3
REASON_SCALE_TOO_LARGE = 4
REASON_SCALE_NOT_FLOAT32 = 5
REASON_SCALE_TOO_SMALL = 6
REASON_PARAMETER_NOT_FINITE = 7
REASON_MULTIPLIER_NEGATIVE = 8
REASON_MULTIPLIER_TOO_LARGE = 9
REASON_SHIFT_OUT_OF_RANGE = 10
REASON_VALUE_EXCEEDS_SHIFT = 11
REASON_VALUE_EXCEEDS_INT48 = 12
REASON_VALUE_EXCEEDS_INT32 = 13
REASON_MUL_OVERFLOW = 14
REASON_ADD_OVERFLOW = 15
REASON_TABLE_SLOPE_OVERFLOW = 16
REASON_ZERO_POINT_NOT_ZERO = 17
REASON_ZERO_POINT_OUT_OF_RANGE = 18
REASON_SCALE32_WITH_INT48 = 19
REASON_DOUBLE_ROUND_WITHOUT_SCALE32 = 20
REASON_INEXACT_ROUND = 21
REASON_UNKNOWN_ROUNDING_MODE = 22
REASON_UNKNOWN_TYPE = 23
REASON_BOTH_UNSIGNED = 24
REASON_UNSIGNED_WIDE_TYPE = 25
REASON_UNSIGNED_WITH_INT32 = 26
REASON_INT48_TO_UNSIGNED = 27
REASON_PER_CHANNEL_COUNT = 28
REASON_TABLE_SIZE = 29
REASON_PAD_OUT_OF_RANGE = 30
REASON_STRIDE_NOT_POSITIVE = 31
REASON_DILATION_NOT_POSITIVE = 32
REASON_STRIDE_DOES_NOT_DIVIDE = 33
REASON_SHAPE_MISMATCH = 34
REASON_BIAS_COUNT = 35
REASON_UNKNOWN_DIALECT = 36
REASON_NULL_VIEW = 37
REASON_NEGATIVE_EXTENT = 38
REASON_EXTENT_OVERFLOW = 39
REASON_ALIASED_OUTPUT = 40
REASON_OVERLAPPING_VIEWS = 41
REASON_CODE_OUT_OF_RANGE = 42
REASON_RANGE_INVERTED = 43
REASON_EMPTY = 44
REASON_SIZE_MISMATCH = 45
REASON_CONTRADICTION = 46
REASON_UNDECIDED = 47
REASON_CHANNEL_COUNT = 48
REASON_ZERO_POINT_MISMATCH = 49
REASON_NOT_AFFINE = 50
REASON_WEIGHT_OVERFLOW = 51
REASON_PADDING = 52
REASON_BIAS_OVERFLOW = 53
REASON_ACCUMULATOR_OVERFLOW = 54
REASON_NOT_IDENTITY = 55
REASON_NOT_UNIFORM = 56
REASON_NOT_PARALLEL = 57
REASON_NO_RESCALE = 58
REASON_NO_GAMMA = 59
REASON_NO_BETA = 60
REASON_NOT_SCALE_ONE = 61
REASON_OBSERVABLE_CODE = 62
REASON_TARGET_LACKS = 63
REASON_FOLD_DIFFERS = 64
REASON_NO_LINE = 65
REASON_NO_LINE_WEIGHT = 66
REASON_LEFT_SHIFT_OUT_OF_RANGE = 67
REASON_GEOMETRY_UNSET = 68
REASON_NO_CHAIN = 69
REASON_OUTSIDE_DOMAIN = 70
REASON_ESTIMATE_WRONG = 71
REASON_SHARED = 72
REASON_BEYOND_TOLERANCE = 73
REASON_GROUP_COUNT = 74
REASON_OUTPUT_MISSING = 75
AT_NONE = 0
AT_ACTIVATION = 1
AT_ALPHA = 2
AT_MUL_OUT = 3
AT_TABLE = 4
AT_GAMMA = 5
AT_GAMMA_OUT = 6
AT_ADD_IN = 7
AT_BETA = 8
AT_ADD_OUT = 9
AT_INPUT = 10
AT_WEIGHT = 11
AT_WEIGHT_ZP = 12
AT_BIAS = 13
AT_OUTPUT = 14
AT_WORKSPACE = 15
AT_DOMAIN = 16
AT_FUNCTION_IN = 17
AT_FUNCTION_OUT = 18
AT_INDEX = 19
DIALECT_EXECUTORCH = 0
DIALECT_MLIR = 1
DIALECT_TFLITE = 2
DIALECT_TFLITE_SINGLE = 3
DIALECT_TFLM = 4
DIALECT_VELA = 5
DIALECT_XNNPACK = 6
DIALECT_ONNX = 7
TARGET_TOSA = 0
TARGET_TFLITE = 1
TARGET_CMSIS_NN = 2
TARGET_VELA = 3
TARGET_XNNPACK = 4
TARGET_XNNPACK_MULTIPLY = 5
TARGET_XNNPACK_ADD = 6
ROUNDING_SINGLE_ROUND = 0
ROUNDING_DOUBLE_ROUND = 1
ROUNDING_INEXACT_ROUND = 2
ROUNDING_TFLITE_SINGLE = 3
ROUNDING_TFLITE_DOUBLE = 4
ROUNDING_XNNPACK_RNDNU = 5
ROUNDING_XNNPACK_FP32 = 6
ROUNDING_ONNX = 7
ROUNDING_ONNX_MULTIPLY = 8
TYPE_I8 = 0
TYPE_U8 = 1
TYPE_I16 = 2
TYPE_U16 = 3
TYPE_I32 = 4
TYPE_I48 = 5
NUMERICS_EXACT = 0
NUMERICS_FLOAT32 = 1
HALF_BOTH = 0
HALF_GAMMA = 1
HALF_BETA = 2
OPERATION_RESCALE = 0
OPERATION_MUL = 1
OPERATION_ADD = 2
OPERATION_SUB = 3
OPERATION_TABLE = 4
OPERATION_CLAMP = 5
OPERATION_MAXIMUM = 6
OPERATION_MINIMUM = 7
OPERATION_ABS = 8
OPERATION_NEGATE = 9
OPERATION_ARITHMETIC_RIGHT_SHIFT = 10
OPERATION_DEPTHWISE = 11
OPERATION_CHANNEL_TABLES = 12
TIES_TO_EVEN = 0
TIES_AWAY_FROM_ZERO = 1
FORM_KEEP = 0
FORM_DROP = 1
FORM_INTO_CONV = 2
FORM_INTO_TABLE = 3
FORM_CHANNEL_RESCALE = 4
FORM_LINE = 5
FORM_INTO_TABLE_AND_CONV = 6
FORM_CHANNEL_TABLES = 7
FORM_SLICED_TABLES = 8
ENGINE_TFLITE = 0
ENGINE_TFLITE_MICRO = 1
ENGINE_TFLITE_MICRO_SINGLE = 2
ENGINE_XNNPACK = 3
ENGINE_ONNX_RUNTIME = 4
KERNEL_CONV_2D = 0
KERNEL_DEPTHWISE_CONV_2D = 1
KERNEL_FULLY_CONNECTED = 2
KERNEL_MUL = 3
KERNEL_ADD = 4
KERNEL_MEAN = 5
KERNEL_QUANTIZE = 6
PRODUCT_IN_DOUBLE = 0
PRODUCT_IN_FLOAT32_AND_DOUBLE = 1
PRODUCT_IN_FLOAT32 = 2
ACTIVATION_NONE = 0
ACTIVATION_RELU = 1
ACTIVATION_RELU6 = 2
ACTIVATION_RELU_N1_TO_1 = 3
FUNCTION_ARCTAN = 0
FUNCTION_ERF = 1
FUNCTION_EXP = 2
FUNCTION_GELU = 3
FUNCTION_ISRU = 4
FUNCTION_LOGISTIC = 5
FUNCTION_SILU = 6
FUNCTION_TANH = 7
FUNCTION_ACOS = 8
FUNCTION_ACOSH = 9
FUNCTION_ASIN = 10
FUNCTION_ASINH = 11
FUNCTION_ATANH = 12
FUNCTION_CEIL = 13
FUNCTION_COS = 14
FUNCTION_COSH = 15
FUNCTION_ELU = 16
FUNCTION_ERFINV = 17
FUNCTION_EXP2 = 18
FUNCTION_EXPM1 = 19
FUNCTION_FLOOR = 20
FUNCTION_GELU_TANH = 21
FUNCTION_HARDSIGMOID = 22
FUNCTION_HARDSWISH = 23
FUNCTION_LEAKY_RELU = 24
FUNCTION_LOG = 25
FUNCTION_LOG10 = 26
FUNCTION_LOG1P = 27
FUNCTION_LOG2 = 28
FUNCTION_MISH = 29
FUNCTION_RECIPROCAL = 30
FUNCTION_RELU = 31
FUNCTION_ROUND = 32
FUNCTION_RSQRT = 33
FUNCTION_SIN = 34
FUNCTION_SINH = 35
FUNCTION_SOFTPLUS = 36
FUNCTION_SQRT = 37
FUNCTION_TAN = 38
NAMES_STATUS = 0
NAMES_REASON = 1
NAMES_CLASS = 2
NAMES_TEXT = 3
NAMES_AT = 4
NAMES_FUNCTION = 5
NAMES_DIALECT = 6
NAMES_TARGET = 7
NAMES_ROUNDING = 8
NAMES_TYPE = 9
NAMES_NUMERICS = 10
NAMES_HALF = 11
NAMES_LAYOUT = 12
NAMES_OPERATION = 13
NAMES_TIES = 14
NAMES_FORM = 15
NAMES_ENGINE = 16
NAMES_KERNEL = 17
NAMES_PRODUCT = 18
NAMES_ACTIVATION = 19
INT8 = 0
UINT8 = 1
INT16 = 2
UINT16 = 3
INT32 = 4
INT64 = 5
UINT32 = 6
LAYOUT_ODHWI = 0
LAYOUT_OHWI = 1
LAYOUT_OIHW = 2
LAYOUT_HWIO = 3
LAYOUT_HWIM = 4
LAYOUT_IOHW = 5
LAYOUT_OI = 6
LAYOUT_OWI = 7
LAYOUT_OIW = 8
LAYOUT_OIDHW = 9
COSTS_TOSA = 0
COSTS_TOSA_FUSED_RESCALE = 1
COSTS_CMSIS_NN = 2


class dytq_rejection(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("reason", c_int32),
        ("at", c_int32),
        ("step", c_int64),
        ("convolution", c_int64),
        ("channel", c_int64),
        ("output_channel", c_int64),
        ("tap", c_int64),
        ("axis", c_int64),
        ("code", c_int64),
        ("expected", c_int64),
        ("got", c_int64),
        ("least", c_int64),
    ]


class dytq_view(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("type", c_int32),
        ("rank", c_int32),
        ("extents", c_int64 * 5),
        ("strides", c_int64 * 5),
    ]


class dytq_output(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("type", c_int32),
        ("rank", c_int32),
        ("extents", c_int64 * 5),
        ("strides", c_int64 * 5),
    ]


class dytq_range(Structure):
    _fields_ = [
        ("is_set", c_int32),
        ("lo", c_int32),
        ("hi", c_int32),
    ]


class dytq_rescale(Structure):
    _fields_ = [
        ("multiplier", c_int32),
        ("shift", c_int32),
        ("input_zp", c_int32),
        ("output_zp", c_int32),
        ("rounding", c_int32),
        ("left_shift", c_int32),
        ("reserved", c_int32),
        ("out", dytq_range),
    ]


class dytq_rescale_operator(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("input_zp", c_int64),
        ("output_zp", c_int64),
        ("in_", c_int32),
        ("out", c_int32),
        ("scale16", c_int32),
        ("rounding", c_int32),
        ("per_channel", c_int32),
        ("reserved", c_int32),
    ]


class dytq_qparams(Structure):
    _fields_ = [
        ("scale", c_double),
        ("zero_point", c_int32),
        ("codes", dytq_range),
    ]


class dytq_lut_options(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("alpha", c_double),
        ("shift", c_double),
        ("numerics", c_int32),
        ("domain", dytq_range),
        ("ties", c_int32),
        ("step", c_int32),
        ("has_parameter", c_int64),
        ("parameter", c_double),
    ]


class dytq_alpha_site(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("alpha", c_int32),
        ("domain", dytq_range),
        ("function_in", dytq_range),
        ("reserved", c_int32),
        ("activation", dytq_rescale),
        ("alpha_step", dytq_rescale),
        ("mul_out", dytq_rescale),
    ]


class dytq_alpha_fold(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("changed", c_int32),
        ("wrapped", c_int32),
    ]


class dytq_chain_step(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("op", c_int32),
        ("wide", c_int32),
        ("scale", dytq_rescale),
        ("multiplier", dytq_view),
        ("shift", dytq_view),
        ("constants", dytq_view),
        ("codes", dytq_view),
        ("table", dytq_view),
        ("tables", dytq_view),
        ("constant", c_int32),
        ("range", dytq_range),
        ("input_zp", c_int32),
        ("output_zp", c_int32),
        ("round", c_int32),
        ("sliced", c_int32),
    ]


class dytq_chain(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("steps", POINTER(dytq_chain_step)),
        ("count", c_int64),
        ("channels", c_int64),
        ("zero_point", c_int32),
        ("has_domain", c_int32),
        ("domain", c_uint64 * 4),
    ]


class dytq_affine_site(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("table", dytq_view),
        ("gamma", dytq_view),
        ("beta", dytq_view),
        ("table_zp", c_int32),
        ("has_reachable", c_int32),
        ("reachable", c_uint64 * 4),
        ("table_step", dytq_rescale),
        ("gamma_step", dytq_rescale),
        ("gamma_out", dytq_rescale),
        ("add_in", dytq_rescale),
        ("beta_step", dytq_rescale),
        ("add_out", dytq_rescale),
        ("chain", POINTER(dytq_chain)),
    ]


class dytq_axis(Structure):
    _fields_ = [
        ("input", c_int64),
        ("stride", c_int64),
        ("dilation", c_int64),
        ("before", c_int64),
        ("after", c_int64),
    ]


class dytq_conv(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("weight", dytq_view),
        ("weight_zp", dytq_view),
        ("bias", dytq_view),
        ("groups", c_int64),
        ("layout", c_int32),
        ("transposed", c_int32),
        ("input_zp", c_int32),
        ("weight_range", dytq_range),
        ("axes", dytq_axis * 3),
    ]


class dytq_fold_outputs(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("weight", dytq_output),
        ("bias", dytq_output),
        ("workspace", dytq_output),
    ]


class dytq_fold(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("weights_changed", c_int64),
        ("bias_changed", c_int32),
        ("input_zp", c_int32),
        ("first_code", c_int32),
        ("reserved", c_int32),
    ]


class dytq_table_and_conv_fold(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("weights_changed", c_int64),
        ("bias_changed", c_int32),
        ("input_zp", c_int32),
        ("multiple", c_int32),
        ("reserved", c_int32),
    ]


class dytq_claim(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("weight", dytq_view),
        ("bias", dytq_view),
        ("table", dytq_view),
        ("input_zp", c_int32),
        ("keeps_gamma", c_int32),
    ]


class dytq_gamma_form(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("input_zp", c_int32),
        ("output_zp", c_int32),
        ("rounding", c_int32),
        ("weight_zp", c_int32),
        ("out_lo", c_int32),
        ("out_hi", c_int32),
    ]


class dytq_layer(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("affine", POINTER(dytq_affine_site)),
        ("alpha", dytq_view),
        ("activation", dytq_rescale),
        ("alpha_step", dytq_rescale),
        ("mul_out", dytq_rescale),
        ("channels", c_int64),
        ("domain", dytq_range),
        ("function_in", dytq_range),
    ]


class dytq_bounded_outputs(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("weight", dytq_output),
        ("bias", dytq_output),
        ("multiplier", dytq_output),
        ("shift", dytq_output),
        ("bounds", dytq_output),
        ("workspace", dytq_output),
    ]


class dytq_bounded_fold(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("bound", c_int64 * 2),
        ("lower_bound", c_int64 * 2),
        ("input_zp", c_int32),
        ("exact", c_int32),
    ]


class dytq_bounded_claim(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("weight", dytq_view),
        ("bias", dytq_view),
        ("multiplier", dytq_view),
        ("shift", dytq_view),
        ("input_zp", c_int32),
        ("reserved", c_int32),
        ("bounds", dytq_output),
    ]


class dytq_producer_outputs(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("bias", dytq_output),
        ("multiplier", dytq_output),
        ("shift", dytq_output),
        ("differences", dytq_output),
    ]


class dytq_producer_fold(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("bound", c_int64),
        ("output_zp", c_int32),
        ("assumes_accumulators", c_int32),
    ]


class dytq_plan_target(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("byte_cost", c_int64),
        ("max_slices", c_int64),
        ("costs", c_int32),
        ("channel_tables", c_int32),
        ("no_channel_rescale", c_int32),
        ("no_depthwise", c_int32),
        ("fixed_input_zp", c_int32),
        ("has_cost", c_int32),
        ("cost", c_int32 * 16),
        ("depthwise_rescale", c_int32),
        ("slice", c_int32),
    ]


class dytq_chain_uses(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("readers", POINTER(POINTER(dytq_conv))),
        ("count", c_int64),
        ("fixed_readers", c_uint64),
        ("observed", c_uint64),
        ("no_branches", c_int64),
        ("tolerance", c_int64),
    ]


class dytq_plan(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("stretches", c_int64),
        ("reads", c_int64),
        ("operators_before", c_int64),
        ("operators", c_int64),
        ("cost_before", c_int64),
        ("cost", c_int64),
        ("bytes_before", c_int64),
        ("bytes", c_int64),
        ("numbers", c_int64),
        ("codes", c_int64),
        ("assumes_domain", c_int64),
        ("folds", c_int64),
    ]


class dytq_stretch(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("from_", c_int32),
        ("to", c_int32),
        ("form", c_int32),
        ("beside", c_int32),
        ("clamps", c_int32),
        ("lo", c_int32),
        ("hi", c_int32),
        ("first", c_int32),
        ("steps", c_int32),
        ("tables", c_int32),
        ("max_difference", c_int64),
        ("differ", c_int64),
    ]


class dytq_plan_workspace(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("codes", dytq_output),
        ("numbers", dytq_output),
        ("lines", dytq_output),
    ]


class dytq_plan_outputs(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("steps", POINTER(dytq_chain_step)),
        ("count", c_int64),
        ("numbers", dytq_output),
        ("codes", dytq_output),
        ("readers", POINTER(POINTER(dytq_fold_outputs))),
        ("folds", POINTER(POINTER(dytq_fold))),
    ]


class dytq_rescale_search(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("input_zp", c_int64),
        ("output_zp", c_int64),
        ("rounding", c_int32),
        ("out", dytq_range),
        ("multipliers", dytq_range),
        ("shifts", dytq_range),
    ]


class dytq_line_search(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("input_zp", c_int64),
        ("output_zp", c_int64),
        ("tolerance", c_int64),
        ("rounding", c_int32),
        ("out", dytq_range),
        ("weights", dytq_range),
        ("reserved", c_int32),
    ]


class dytq_line(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("weight", c_int32),
        ("bias", c_int32),
        ("multiplier", c_int32),
        ("shift", c_int32),
        ("max_difference", c_int32),
        ("differ", c_int32),
    ]


class dytq_line_conflict(Structure):
    _fields_ = [
        ("size", c_uint64),
        ("exists", c_int64),
        ("codes", c_int64 * 3),
        ("expected", c_int64),
        ("got", c_int64),
    ]


# name: (result, arguments)
FUNCTIONS = {
    "dytq_name": (c_char_p, [c_int32, c_int32]),
    "dytq_number": (c_int32, [c_int32, c_char_p]),
    "dytq_text": (c_size_t, [c_int32, POINTER(dytq_rejection), c_char_p, c_size_t]),
    "dytq_version": (c_char_p, []),
    "dytq_abi_version": (c_int32, []),
    "dytq_quantize_scale": (c_int32, [c_double, c_int32, c_int32, POINTER(c_int64), POINTER(c_int32), POINTER(dytq_rejection)]),
    "dytq_scale_fits": (c_int32, [c_int32, c_double, POINTER(dytq_rejection)]),
    "dytq_multiplier_fits": (c_int32, [c_int32, c_int64, c_int32, POINTER(dytq_rejection)]),
    "dytq_apply_step": (c_int32, [POINTER(dytq_rescale), c_int64, POINTER(c_int32), POINTER(dytq_rejection)]),
    "dytq_step_tensor": (c_int32, [POINTER(dytq_rescale), POINTER(dytq_view), POINTER(dytq_output), POINTER(dytq_rejection)]),
    "dytq_apply_rescale": (c_int32, [POINTER(dytq_rescale_operator), c_int64, c_int64, c_int64, POINTER(c_int32), POINTER(dytq_rejection)]),
    "dytq_rescale_tensor": (c_int32, [POINTER(dytq_rescale_operator), POINTER(dytq_view), POINTER(dytq_view), POINTER(dytq_view), POINTER(dytq_output), POINTER(dytq_rejection)]),
    "dytq_mul_int32": (c_int32, [c_int32, c_int32, c_int32, POINTER(c_int32), POINTER(dytq_rejection)]),
    "dytq_add_int32": (c_int32, [c_int32, c_int32, POINTER(c_int32), POINTER(dytq_rejection)]),
    "dytq_lookup": (c_int32, [POINTER(dytq_view), POINTER(dytq_view), POINTER(dytq_output), POINTER(dytq_rejection)]),
    "dytq_lut8": (c_int32, [c_int32, POINTER(dytq_qparams), POINTER(dytq_qparams), POINTER(dytq_lut_options), POINTER(dytq_output), POINTER(dytq_rejection)]),
    "dytq_lut16": (c_int32, [c_int32, POINTER(dytq_qparams), POINTER(dytq_qparams), POINTER(dytq_lut_options), POINTER(dytq_output), POINTER(c_int32), POINTER(dytq_rejection)]),
    "dytq_tflite_lut16": (c_int32, [c_int32, c_double, c_int32, c_double, POINTER(dytq_lut_options), POINTER(dytq_output), POINTER(dytq_rejection)]),
    "dytq_lut_error": (c_int32, [c_int32, POINTER(dytq_qparams), POINTER(dytq_qparams), POINTER(dytq_lut_options), POINTER(dytq_view), c_int32, POINTER(c_int64), POINTER(c_int64), POINTER(dytq_rejection)]),
    "dytq_tflite_lut_error": (c_int32, [c_int32, POINTER(dytq_qparams), POINTER(dytq_qparams), POINTER(dytq_lut_options), POINTER(dytq_view), POINTER(c_int64), POINTER(c_int64), POINTER(dytq_rejection)]),
    "dytq_compose": (c_int32, [POINTER(dytq_view), POINTER(dytq_view), POINTER(dytq_output), POINTER(dytq_rejection)]),
    "dytq_engine_arithmetic": (c_int32, [c_int32, c_int32, POINTER(c_int32), POINTER(c_int32), POINTER(c_int32), POINTER(dytq_rejection)]),
    "dytq_effective_scale": (c_int32, [c_int32, c_double, c_double, c_double, POINTER(c_double), POINTER(dytq_rejection)]),
    "dytq_requantization": (c_int32, [c_int32, c_int32, c_double, c_double, POINTER(dytq_qparams), POINTER(dytq_rescale), POINTER(dytq_rejection)]),
    "dytq_addition": (c_int32, [c_int32, POINTER(dytq_qparams), POINTER(dytq_qparams), POINTER(dytq_qparams), POINTER(dytq_rescale), POINTER(dytq_rejection)]),
    "dytq_average_pool": (c_int32, [c_int64, POINTER(dytq_range), POINTER(dytq_rescale), POINTER(dytq_rejection)]),
    "dytq_activation_range": (c_int32, [c_int32, POINTER(dytq_qparams), POINTER(dytq_range), POINTER(dytq_rejection)]),
    "dytq_fold_alpha_into_lut": (c_int32, [POINTER(dytq_alpha_site), POINTER(dytq_view), POINTER(dytq_output), POINTER(dytq_alpha_fold), POINTER(dytq_rejection)]),
    "dytq_fold_alpha_into_function": (c_int32, [POINTER(dytq_alpha_site), c_int32, POINTER(dytq_qparams), POINTER(dytq_qparams), POINTER(dytq_lut_options), POINTER(dytq_output), POINTER(dytq_alpha_fold), POINTER(dytq_rejection)]),
    "dytq_chain_maps": (c_int32, [POINTER(dytq_chain), POINTER(dytq_output), POINTER(dytq_rejection)]),
    "dytq_chain_apply": (c_int32, [POINTER(dytq_chain), POINTER(dytq_view), POINTER(dytq_output), POINTER(dytq_rejection)]),
    "dytq_fold_affine_into_conv": (c_int32, [POINTER(dytq_affine_site), POINTER(dytq_conv), POINTER(dytq_fold_outputs), POINTER(dytq_fold), POINTER(dytq_rejection)]),
    "dytq_prove_affine_fold": (c_int32, [POINTER(dytq_affine_site), POINTER(dytq_conv), POINTER(dytq_output), POINTER(dytq_fold), POINTER(dytq_rejection)]),
    "dytq_fold_affine_into_convs": (c_int32, [POINTER(dytq_affine_site), c_int64, POINTER(POINTER(dytq_conv)), POINTER(POINTER(dytq_fold_outputs)), POINTER(POINTER(dytq_fold)), POINTER(dytq_rejection)]),
    "dytq_fold_beta_into_conv": (c_int32, [POINTER(dytq_affine_site), POINTER(dytq_conv), POINTER(dytq_fold_outputs), POINTER(dytq_fold), POINTER(dytq_rejection)]),
    "dytq_prove_beta_fold": (c_int32, [POINTER(dytq_affine_site), POINTER(dytq_conv), POINTER(dytq_output), POINTER(dytq_fold), POINTER(dytq_rejection)]),
    "dytq_fold_affine_into_table_and_conv": (c_int32, [POINTER(dytq_affine_site), POINTER(dytq_conv), POINTER(dytq_fold_outputs), POINTER(dytq_output), POINTER(dytq_table_and_conv_fold), POINTER(dytq_rejection)]),
    "dytq_prove_table_and_conv_fold": (c_int32, [POINTER(dytq_affine_site), POINTER(dytq_conv), POINTER(dytq_output), POINTER(dytq_output), POINTER(dytq_table_and_conv_fold), POINTER(dytq_rejection)]),
    "dytq_check_fold": (c_int32, [POINTER(dytq_affine_site), POINTER(dytq_conv), POINTER(dytq_claim), POINTER(dytq_rejection)]),
    "dytq_convolve": (c_int32, [POINTER(dytq_conv), POINTER(dytq_view), POINTER(dytq_output), POINTER(dytq_rejection)]),
    "dytq_is_identity": (c_int32, [POINTER(dytq_affine_site), c_int32, POINTER(dytq_rejection)]),
    "dytq_fold_affine_into_table": (c_int32, [POINTER(dytq_affine_site), POINTER(dytq_output), POINTER(dytq_rejection)]),
    "dytq_gamma_as_rescale": (c_int32, [POINTER(dytq_affine_site), POINTER(dytq_output), POINTER(dytq_output), POINTER(dytq_gamma_form), POINTER(dytq_rejection)]),
    "dytq_prove_gamma_as_rescale": (c_int32, [POINTER(dytq_affine_site), POINTER(dytq_gamma_form), POINTER(dytq_rejection)]),
    "dytq_gamma_as_depthwise": (c_int32, [POINTER(dytq_affine_site), POINTER(dytq_output), POINTER(dytq_gamma_form), POINTER(dytq_rejection)]),
    "dytq_prove_gamma_as_depthwise": (c_int32, [POINTER(dytq_affine_site), POINTER(dytq_gamma_form), POINTER(dytq_rejection)]),
    "dytq_count_channel_tables": (c_int32, [POINTER(dytq_layer), POINTER(c_int64), POINTER(dytq_rejection)]),
    "dytq_channel_tables": (c_int32, [POINTER(dytq_layer), POINTER(dytq_output), POINTER(dytq_output), POINTER(c_int64), POINTER(dytq_rejection)]),
    "dytq_channel_lookup": (c_int32, [POINTER(dytq_view), POINTER(dytq_output), POINTER(dytq_view), POINTER(dytq_view), POINTER(dytq_rejection)]),
    "dytq_bounded_workspace": (c_int32, [POINTER(dytq_conv), POINTER(c_int64), POINTER(dytq_rejection)]),
    "dytq_fold_bounded": (c_int32, [POINTER(dytq_affine_site), POINTER(dytq_conv), POINTER(dytq_view), POINTER(dytq_view), c_int64, POINTER(dytq_view), POINTER(dytq_bounded_outputs), POINTER(dytq_bounded_fold), POINTER(dytq_rejection)]),
    "dytq_prove_bounded_fold": (c_int32, [POINTER(dytq_affine_site), POINTER(dytq_conv), POINTER(dytq_view), POINTER(dytq_view), c_int64, POINTER(dytq_view), POINTER(dytq_output), POINTER(dytq_output), POINTER(dytq_bounded_fold), POINTER(dytq_rejection)]),
    "dytq_check_bounded": (c_int32, [POINTER(dytq_affine_site), POINTER(dytq_conv), POINTER(dytq_view), POINTER(dytq_view), POINTER(dytq_bounded_claim), POINTER(c_int64), POINTER(dytq_rejection)]),
    "dytq_fold_into_producer": (c_int32, [POINTER(dytq_chain), POINTER(dytq_conv), POINTER(dytq_view), POINTER(dytq_view), c_int32, c_int64, POINTER(dytq_view), POINTER(dytq_producer_outputs), POINTER(dytq_producer_fold), POINTER(dytq_rejection)]),
    "dytq_prove_producer_fold": (c_int32, [POINTER(dytq_chain), POINTER(dytq_conv), POINTER(dytq_view), POINTER(dytq_view), c_int32, c_int64, POINTER(dytq_view), POINTER(dytq_output), POINTER(dytq_producer_fold), POINTER(dytq_rejection)]),
    "dytq_plan_workspace_sizes": (c_int32, [POINTER(dytq_chain), POINTER(c_int64), POINTER(c_int64), POINTER(c_int64), POINTER(dytq_rejection)]),
    "dytq_plan_chain": (c_int32, [POINTER(dytq_chain), POINTER(dytq_plan_target), POINTER(dytq_chain_uses), POINTER(dytq_plan_workspace), POINTER(dytq_plan), POINTER(dytq_stretch), POINTER(dytq_rejection), POINTER(dytq_rejection)]),
    "dytq_apply_plan": (c_int32, [POINTER(dytq_chain), POINTER(dytq_plan_target), POINTER(dytq_chain_uses), POINTER(dytq_plan_workspace), POINTER(dytq_plan_outputs), POINTER(dytq_rejection)]),
    "dytq_fit_rescale": (c_int32, [POINTER(dytq_view), POINTER(dytq_view), POINTER(dytq_rescale_search), POINTER(c_int32), POINTER(c_int32), POINTER(dytq_rejection)]),
    "dytq_fit_line": (c_int32, [POINTER(dytq_view), POINTER(dytq_view), POINTER(dytq_line_search), POINTER(dytq_line), POINTER(dytq_rejection)]),
    "dytq_find_line_conflict": (c_int32, [POINTER(dytq_view), POINTER(dytq_view), POINTER(dytq_line_search), POINTER(dytq_line_conflict), POINTER(dytq_rejection)]),
}
