/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * dytq from C99: exact quantization mathematics, as one small library.
 *
 *   #include <dytq.h>          cc program.c $(pkg-config --cflags --libs dytq-c)
 *
 * Every function returns a status, and fills a rejection (which may be NULL) when it refuses: the reason, the place, and
 * a counter-example. A refusal writes nothing else. Nothing is allocated, nothing is global, and nothing is locked: any
 * number of threads may call anything. docs/from_c.md has a whole program; the C++ reference has each formula.
 *
 * Structs that are arguments or results start with their `size`, in bytes: sizeof of the caller's. One that is shorter
 * than the library's reads as if 0 followed, and is filled as far as it goes; one that is longer must hold 0 beyond what
 * the library knows, or the call is refused (DYTQ_UNKNOWN_FIELD). So programs and libraries of different versions meet.
 * Without that care are only the small types that others are made of, which never change: dytq_range, dytq_view,
 * dytq_output, dytq_rescale, dytq_qparams, dytq_axis.
 */
#ifndef DYTQ_H
#define DYTQ_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef DYTQ_API
#if defined(_WIN32)
#define DYTQ_API
#else
#define DYTQ_API __attribute__((visibility("default")))
#endif
#endif

/** Changes with any name, number, size or offset of this header that a program could rely on. */
#define DYTQ_ABI_VERSION 2

/* ---- what a call can answer ---------------------------------------------------------------------------------- */

/** What a call answers. */
typedef int32_t dytq_status;
enum {
  DYTQ_OK = 0,             /**< done */
  DYTQ_REJECTED = 1,       /**< refused: the rejection has the reason */
  DYTQ_NULL_ARGUMENT = 2,  /**< a pointer that must be given is NULL */
  DYTQ_BAD_SIZE = 3,       /**< the size of a struct is no multiple of 8, less than 8, or more than 65536 */
  DYTQ_UNKNOWN_FIELD = 4,  /**< a struct is longer than this library knows it, and not 0 there */
  DYTQ_BAD_VIEW = 5        /**< a view has not the type or the rank that is taken (`expected`, `got`), or is misaligned */
};

/** Marks a number of a rejection that does not apply. */
#define DYTQ_UNSET INT64_MIN

/** Why a call was refused. `dytq_text` writes it. Numbers that do not apply are DYTQ_UNSET. */
typedef struct dytq_rejection {
  uint64_t size;          /**< sizeof(dytq_rejection) */
  int32_t reason;         /**< DYTQ_REASON_...; DYTQ_REASON_NONE: no objection */
  int32_t at;             /**< DYTQ_AT_...: the operator or argument */
  int64_t step;           /**< number of the chain's step */
  int64_t convolution;    /**< number of the convolution, where several are given */
  int64_t channel;        /**< input channel */
  int64_t output_channel; /**< output channel of the convolution */
  int64_t tap;            /**< kernel position, flat */
  int64_t axis;           /**< of a view; of a convolution's geometry: 0 depth, 1 height, 2 width */
  int64_t code;           /**< the code (or value) at which it happens */
  int64_t expected;       /**< the value asked for, or the limit that was crossed */
  int64_t got;            /**< the value met instead */
  int64_t least;          /**< what nothing could go below: above `expected`, it is proof that nothing does */
} dytq_rejection;

/* generated: enumerations (bindings/generate.py; numbers are never reused) */
/** Why a call was refused; dytq_name has each one's class and text. */
enum {
  DYTQ_REASON_NONE = 0,
  DYTQ_REASON_SCALE_NOT_FINITE = 1,
  DYTQ_REASON_SCALE_NEGATIVE = 2,
  DYTQ_REASON_SCALE_NOT_POSITIVE = 3,
  DYTQ_REASON_SCALE_TOO_LARGE = 4,
  DYTQ_REASON_SCALE_NOT_FLOAT32 = 5,
  DYTQ_REASON_SCALE_TOO_SMALL = 6,
  DYTQ_REASON_PARAMETER_NOT_FINITE = 7,
  DYTQ_REASON_MULTIPLIER_NEGATIVE = 8,
  DYTQ_REASON_MULTIPLIER_TOO_LARGE = 9,
  DYTQ_REASON_SHIFT_OUT_OF_RANGE = 10,
  DYTQ_REASON_VALUE_EXCEEDS_SHIFT = 11,
  DYTQ_REASON_VALUE_EXCEEDS_INT48 = 12,
  DYTQ_REASON_VALUE_EXCEEDS_INT32 = 13,
  DYTQ_REASON_MUL_OVERFLOW = 14,
  DYTQ_REASON_ADD_OVERFLOW = 15,
  DYTQ_REASON_TABLE_SLOPE_OVERFLOW = 16,
  DYTQ_REASON_ZERO_POINT_NOT_ZERO = 17,
  DYTQ_REASON_ZERO_POINT_OUT_OF_RANGE = 18,
  DYTQ_REASON_SCALE32_WITH_INT48 = 19,
  DYTQ_REASON_DOUBLE_ROUND_WITHOUT_SCALE32 = 20,
  DYTQ_REASON_INEXACT_ROUND = 21,
  DYTQ_REASON_UNKNOWN_ROUNDING_MODE = 22,
  DYTQ_REASON_UNKNOWN_TYPE = 23,
  DYTQ_REASON_BOTH_UNSIGNED = 24,
  DYTQ_REASON_UNSIGNED_WIDE_TYPE = 25,
  DYTQ_REASON_UNSIGNED_WITH_INT32 = 26,
  DYTQ_REASON_INT48_TO_UNSIGNED = 27,
  DYTQ_REASON_PER_CHANNEL_COUNT = 28,
  DYTQ_REASON_TABLE_SIZE = 29,
  DYTQ_REASON_PAD_OUT_OF_RANGE = 30,
  DYTQ_REASON_STRIDE_NOT_POSITIVE = 31,
  DYTQ_REASON_DILATION_NOT_POSITIVE = 32,
  DYTQ_REASON_STRIDE_DOES_NOT_DIVIDE = 33,
  DYTQ_REASON_SHAPE_MISMATCH = 34,
  DYTQ_REASON_BIAS_COUNT = 35,
  DYTQ_REASON_UNKNOWN_DIALECT = 36,
  DYTQ_REASON_NULL_VIEW = 37,
  DYTQ_REASON_NEGATIVE_EXTENT = 38,
  DYTQ_REASON_EXTENT_OVERFLOW = 39,
  DYTQ_REASON_ALIASED_OUTPUT = 40,
  DYTQ_REASON_OVERLAPPING_VIEWS = 41,
  DYTQ_REASON_CODE_OUT_OF_RANGE = 42,
  DYTQ_REASON_RANGE_INVERTED = 43,
  DYTQ_REASON_EMPTY = 44,
  DYTQ_REASON_SIZE_MISMATCH = 45,
  DYTQ_REASON_CONTRADICTION = 46,
  DYTQ_REASON_UNDECIDED = 47,
  DYTQ_REASON_CHANNEL_COUNT = 48,
  DYTQ_REASON_ZERO_POINT_MISMATCH = 49,
  DYTQ_REASON_NOT_AFFINE = 50,
  DYTQ_REASON_WEIGHT_OVERFLOW = 51,
  DYTQ_REASON_PADDING = 52,
  DYTQ_REASON_BIAS_OVERFLOW = 53,
  DYTQ_REASON_ACCUMULATOR_OVERFLOW = 54,
  DYTQ_REASON_NOT_IDENTITY = 55,
  DYTQ_REASON_NOT_UNIFORM = 56,
  DYTQ_REASON_NOT_PARALLEL = 57,
  DYTQ_REASON_NO_RESCALE = 58,
  DYTQ_REASON_NO_GAMMA = 59,
  DYTQ_REASON_NO_BETA = 60,
  DYTQ_REASON_NOT_SCALE_ONE = 61,
  DYTQ_REASON_OBSERVABLE_CODE = 62,
  DYTQ_REASON_TARGET_LACKS = 63,
  DYTQ_REASON_FOLD_DIFFERS = 64,
  DYTQ_REASON_NO_LINE = 65,
  DYTQ_REASON_NO_LINE_WEIGHT = 66,
  DYTQ_REASON_LEFT_SHIFT_OUT_OF_RANGE = 67,
  DYTQ_REASON_GEOMETRY_UNSET = 68,
  DYTQ_REASON_NO_CHAIN = 69,
  DYTQ_REASON_OUTSIDE_DOMAIN = 70,
  DYTQ_REASON_ESTIMATE_WRONG = 71,
  DYTQ_REASON_SHARED = 72,
  DYTQ_REASON_BEYOND_TOLERANCE = 73,
  DYTQ_REASON_GROUP_COUNT = 74,
  DYTQ_REASON_OUTPUT_MISSING = 75
};

/** Which operator or argument a rejection speaks of. */
enum {
  DYTQ_AT_NONE = 0,
  DYTQ_AT_ACTIVATION = 1,
  DYTQ_AT_ALPHA = 2,
  DYTQ_AT_MUL_OUT = 3,
  DYTQ_AT_TABLE = 4,
  DYTQ_AT_GAMMA = 5,
  DYTQ_AT_GAMMA_OUT = 6,
  DYTQ_AT_ADD_IN = 7,
  DYTQ_AT_BETA = 8,
  DYTQ_AT_ADD_OUT = 9,
  DYTQ_AT_INPUT = 10,
  DYTQ_AT_WEIGHT = 11,
  DYTQ_AT_WEIGHT_ZP = 12,
  DYTQ_AT_BIAS = 13,
  DYTQ_AT_OUTPUT = 14,
  DYTQ_AT_WORKSPACE = 15,
  DYTQ_AT_DOMAIN = 16,
  DYTQ_AT_FUNCTION_IN = 17,
  DYTQ_AT_FUNCTION_OUT = 18,
  DYTQ_AT_INDEX = 19
};

/** Whose convention of a multiplier and shift. */
enum {
  DYTQ_DIALECT_EXECUTORCH = 0,
  DYTQ_DIALECT_MLIR = 1,
  DYTQ_DIALECT_TFLITE = 2,
  DYTQ_DIALECT_TFLITE_SINGLE = 3,
  DYTQ_DIALECT_TFLM = 4,
  DYTQ_DIALECT_VELA = 5,
  DYTQ_DIALECT_XNNPACK = 6,
  DYTQ_DIALECT_ONNX = 7
};

/** Which target is to take a scale. */
enum {
  DYTQ_TARGET_TOSA = 0,
  DYTQ_TARGET_TFLITE = 1,
  DYTQ_TARGET_CMSIS_NN = 2,
  DYTQ_TARGET_VELA = 3,
  DYTQ_TARGET_XNNPACK = 4,
  DYTQ_TARGET_XNNPACK_MULTIPLY = 5,
  DYTQ_TARGET_XNNPACK_ADD = 6
};

/** How a scaled product is rounded. */
enum {
  DYTQ_ROUNDING_SINGLE_ROUND = 0,
  DYTQ_ROUNDING_DOUBLE_ROUND = 1,
  DYTQ_ROUNDING_INEXACT_ROUND = 2,
  DYTQ_ROUNDING_TFLITE_SINGLE = 3,
  DYTQ_ROUNDING_TFLITE_DOUBLE = 4,
  DYTQ_ROUNDING_XNNPACK_RNDNU = 5,
  DYTQ_ROUNDING_XNNPACK_FP32 = 6,
  DYTQ_ROUNDING_ONNX = 7,
  DYTQ_ROUNDING_ONNX_MULTIPLY = 8
};

/** Types of a RESCALE's tensors. */
enum {
  DYTQ_TYPE_I8 = 0,
  DYTQ_TYPE_U8 = 1,
  DYTQ_TYPE_I16 = 2,
  DYTQ_TYPE_U16 = 3,
  DYTQ_TYPE_I32 = 4,
  DYTQ_TYPE_I48 = 5
};

/** Which arithmetic a table stands for. */
enum {
  DYTQ_NUMERICS_EXACT = 0,
  DYTQ_NUMERICS_FLOAT32 = 1
};

/** Which half of an affine site. */
enum {
  DYTQ_HALF_BOTH = 0,
  DYTQ_HALF_GAMMA = 1,
  DYTQ_HALF_BETA = 2
};

/** Operators of a chain. */
enum {
  DYTQ_OPERATION_RESCALE = 0,
  DYTQ_OPERATION_MUL = 1,
  DYTQ_OPERATION_ADD = 2,
  DYTQ_OPERATION_SUB = 3,
  DYTQ_OPERATION_TABLE = 4,
  DYTQ_OPERATION_CLAMP = 5,
  DYTQ_OPERATION_MAXIMUM = 6,
  DYTQ_OPERATION_MINIMUM = 7,
  DYTQ_OPERATION_ABS = 8,
  DYTQ_OPERATION_NEGATE = 9,
  DYTQ_OPERATION_ARITHMETIC_RIGHT_SHIFT = 10,
  DYTQ_OPERATION_DEPTHWISE = 11,
  DYTQ_OPERATION_CHANNEL_TABLES = 12
};

/** Which code a value takes that lies half way between two. */
enum {
  DYTQ_TIES_TO_EVEN = 0,
  DYTQ_TIES_AWAY_FROM_ZERO = 1
};

/** Ways to compute a stretch of a chain. */
enum {
  DYTQ_FORM_KEEP = 0,
  DYTQ_FORM_DROP = 1,
  DYTQ_FORM_INTO_CONV = 2,
  DYTQ_FORM_INTO_TABLE = 3,
  DYTQ_FORM_CHANNEL_RESCALE = 4,
  DYTQ_FORM_LINE = 5,
  DYTQ_FORM_INTO_TABLE_AND_CONV = 6,
  DYTQ_FORM_CHANNEL_TABLES = 7,
  DYTQ_FORM_SLICED_TABLES = 8
};

/** Whose kernels run an operator, for int8 tensors. */
enum {
  DYTQ_ENGINE_TFLITE = 0,
  DYTQ_ENGINE_TFLITE_MICRO = 1,
  DYTQ_ENGINE_TFLITE_MICRO_SINGLE = 2,
  DYTQ_ENGINE_XNNPACK = 3,
  DYTQ_ENGINE_ONNX_RUNTIME = 4
};

/** Which operator of an engine it is. */
enum {
  DYTQ_KERNEL_CONV_2D = 0,
  DYTQ_KERNEL_DEPTHWISE_CONV_2D = 1,
  DYTQ_KERNEL_FULLY_CONNECTED = 2,
  DYTQ_KERNEL_MUL = 3,
  DYTQ_KERNEL_ADD = 4,
  DYTQ_KERNEL_MEAN = 5,
  DYTQ_KERNEL_QUANTIZE = 6
};

/** In which types an engine computes a * b / out of three scales. */
enum {
  DYTQ_PRODUCT_IN_DOUBLE = 0,
  DYTQ_PRODUCT_IN_FLOAT32_AND_DOUBLE = 1,
  DYTQ_PRODUCT_IN_FLOAT32 = 2
};

/** Activations that TensorFlow Lite fuses into an operator. */
enum {
  DYTQ_ACTIVATION_NONE = 0,
  DYTQ_ACTIVATION_RELU = 1,
  DYTQ_ACTIVATION_RELU6 = 2,
  DYTQ_ACTIVATION_RELU_N1_TO_1 = 3
};

/** Functions that tables are made of. */
enum {
  DYTQ_FUNCTION_ARCTAN = 0,
  DYTQ_FUNCTION_ERF = 1,
  DYTQ_FUNCTION_EXP = 2,
  DYTQ_FUNCTION_GELU = 3,
  DYTQ_FUNCTION_ISRU = 4,
  DYTQ_FUNCTION_LOGISTIC = 5,
  DYTQ_FUNCTION_SILU = 6,
  DYTQ_FUNCTION_TANH = 7,
  DYTQ_FUNCTION_ACOS = 8,
  DYTQ_FUNCTION_ACOSH = 9,
  DYTQ_FUNCTION_ASIN = 10,
  DYTQ_FUNCTION_ASINH = 11,
  DYTQ_FUNCTION_ATANH = 12,
  DYTQ_FUNCTION_CEIL = 13,
  DYTQ_FUNCTION_COS = 14,
  DYTQ_FUNCTION_COSH = 15,
  DYTQ_FUNCTION_ELU = 16,
  DYTQ_FUNCTION_ERFINV = 17,
  DYTQ_FUNCTION_EXP2 = 18,
  DYTQ_FUNCTION_EXPM1 = 19,
  DYTQ_FUNCTION_FLOOR = 20,
  DYTQ_FUNCTION_GELU_TANH = 21,
  DYTQ_FUNCTION_HARDSIGMOID = 22,
  DYTQ_FUNCTION_HARDSWISH = 23,
  DYTQ_FUNCTION_LEAKY_RELU = 24,
  DYTQ_FUNCTION_LOG = 25,
  DYTQ_FUNCTION_LOG10 = 26,
  DYTQ_FUNCTION_LOG1P = 27,
  DYTQ_FUNCTION_LOG2 = 28,
  DYTQ_FUNCTION_MISH = 29,
  DYTQ_FUNCTION_RECIPROCAL = 30,
  DYTQ_FUNCTION_RELU = 31,
  DYTQ_FUNCTION_ROUND = 32,
  DYTQ_FUNCTION_RSQRT = 33,
  DYTQ_FUNCTION_SIN = 34,
  DYTQ_FUNCTION_SINH = 35,
  DYTQ_FUNCTION_SOFTPLUS = 36,
  DYTQ_FUNCTION_SQRT = 37,
  DYTQ_FUNCTION_TAN = 38
};
/* end */

/** The lists that dytq_name knows. */
enum {
  DYTQ_NAMES_STATUS = 0,   /**< "ok", "rejected", ... */
  DYTQ_NAMES_REASON = 1,   /**< "not_affine", ... */
  DYTQ_NAMES_CLASS = 2,    /**< by reason, too: the class of its reason, "unpredictable", "error", "no_fold", ... */
  DYTQ_NAMES_TEXT = 3,     /**< by reason, too: one line of what it means */
  DYTQ_NAMES_AT = 4,       /**< "gamma_out", ... */
  DYTQ_NAMES_FUNCTION = 5, /**< "tanh", ... */
  DYTQ_NAMES_DIALECT = 6,  /**< "executorch", ... */
  DYTQ_NAMES_TARGET = 7,   /**< "tosa", ... */
  DYTQ_NAMES_ROUNDING = 8, /**< "single_round", ... */
  DYTQ_NAMES_TYPE = 9,     /**< "i8", ... */
  DYTQ_NAMES_NUMERICS = 10, /**< "exact", ... */
  DYTQ_NAMES_HALF = 11,    /**< "both", ... */
  DYTQ_NAMES_LAYOUT = 12,  /**< "oihw", ... */
  DYTQ_NAMES_OPERATION = 13, /**< "rescale", ... */
  DYTQ_NAMES_TIES = 14,    /**< "to_even", ... */
  DYTQ_NAMES_FORM = 15,    /**< "keep", ... */
  DYTQ_NAMES_ENGINE = 16,  /**< "tflite", ... */
  DYTQ_NAMES_KERNEL = 17,  /**< "conv_2d", ... */
  DYTQ_NAMES_PRODUCT = 18, /**< "in_double", ... */
  DYTQ_NAMES_ACTIVATION = 19 /**< "none", "relu", ... */
};

/** The name of a number, or NULL if the list does not have it (the numbers of a list are 0, 1, 2, ... without a gap). */
DYTQ_API const char *dytq_name(int32_t names, int32_t number);
/** The number of a name, or -1. */
DYTQ_API int32_t dytq_number(int32_t names, const char *name);
/** What a call answered, as a line of text: at most `capacity` characters, the terminating 0 included, are written.
 *  Returns the length of the whole line, without the 0. */
DYTQ_API size_t dytq_text(dytq_status status, const dytq_rejection *why, char *buffer, size_t capacity);
/** "0.1.0". */
DYTQ_API const char *dytq_version(void);
/** DYTQ_ABI_VERSION of the library. */
DYTQ_API int32_t dytq_abi_version(void);

/* ---- views ----------------------------------------------------------------------------------------------------- */

/** Types of elements. */
enum { DYTQ_INT8 = 0, DYTQ_UINT8 = 1, DYTQ_INT16 = 2, DYTQ_UINT16 = 3, DYTQ_INT32 = 4, DYTQ_INT64 = 5, DYTQ_UINT32 = 6 };

/** A tensor that is read. All zero: it is not there. */
typedef struct dytq_view {
  const void *data;   /**< the element at index 0, 0, ... */
  int32_t type;       /**< DYTQ_INT8, ... */
  int32_t rank;       /**< number of axes, 1 to 5 */
  int64_t extents[5]; /**< elements along each axis; the first `rank` count */
  int64_t strides[5]; /**< from one element to the next, in elements; may be 0 or negative */
} dytq_view;

/** A tensor that is written: the same with memory that can be. */
typedef struct dytq_output {
  void *data;         /**< the element at index 0, 0, ... */
  int32_t type;       /**< DYTQ_INT8, ... */
  int32_t rank;       /**< number of axes, 1 to 5 */
  int64_t extents[5]; /**< elements along each axis; the first `rank` count */
  int64_t strides[5]; /**< from one element to the next, in elements */
} dytq_output;

/** A closed range of codes, or the default of where it stands. */
typedef struct dytq_range {
  int32_t is_set; /**< 0: the default */
  int32_t lo;     /**< the least */
  int32_t hi;     /**< the greatest, itself included */
} dytq_range;

/* ---- scales ---------------------------------------------------------------------------------------------------- */

/** A scale as multiplier * 2^-shift, as the toolchain of `dialect` computes it. width: 32, or 16. */
DYTQ_API dytq_status dytq_quantize_scale(double scale, int32_t width, int32_t dialect, int64_t *multiplier,
                                         int32_t *shift, dytq_rejection *why);
/** Does the target take this scale? */
DYTQ_API dytq_status dytq_scale_fits(int32_t target, double scale, dytq_rejection *why);
/** Does the target take this multiplier and shift? */
DYTQ_API dytq_status dytq_multiplier_fits(int32_t target, int64_t multiplier, int32_t shift, dytq_rejection *why);

/* ---- integer operators ----------------------------------------------------------------------------------------- */

/** A per-tensor RESCALE as a graph's chain names it: (value - input_zp) * multiplier * 2^-shift + output_zp, clamped. */
typedef struct dytq_rescale {
  int32_t multiplier; /**< in [0, 2^31) */
  int32_t shift;      /**< to the right, in [2, 62]; others with other roundings */
  int32_t input_zp;   /**< subtracted before the scale */
  int32_t output_zp;  /**< added after it */
  int32_t rounding;   /**< DYTQ_ROUNDING_... */
  int32_t left_shift; /**< of the value, in 32 bits, first: the ADD of TFLite and CMSIS-NN alone has it */
  int32_t reserved;   /**< 0 */
  dytq_range out;     /**< the result is clamped to it; default: int32, or int8 for what ends a half (mul_out, gamma_out,
                           add_out) */
} dytq_rescale;

/** TOSA RESCALE with all of its attributes. */
typedef struct dytq_rescale_operator {
  uint64_t size;       /**< sizeof(dytq_rescale_operator) */
  int64_t input_zp;    /**< subtracted before the scale */
  int64_t output_zp;   /**< added after it */
  int32_t in;          /**< DYTQ_TYPE_... of the input */
  int32_t out;         /**< DYTQ_TYPE_... of the output */
  int32_t scale16;     /**< multipliers of 16 bits? */
  int32_t rounding;    /**< DYTQ_ROUNDING_SINGLE_ROUND or DYTQ_ROUNDING_DOUBLE_ROUND */
  int32_t per_channel; /**< a multiplier and shift for each entry of the last axis? */
  int32_t reserved;    /**< 0 */
} dytq_rescale_operator;

/** One step for one value. */
DYTQ_API dytq_status dytq_apply_step(const dytq_rescale *step, int64_t value, int32_t *result, dytq_rejection *why);
/** One step for a tensor of any rank and types. */
DYTQ_API dytq_status dytq_step_tensor(const dytq_rescale *step, const dytq_view *input, const dytq_output *output,
                                      dytq_rejection *why);
/** TOSA RESCALE of one value. */
DYTQ_API dytq_status dytq_apply_rescale(const dytq_rescale_operator *op, int64_t value, int64_t multiplier,
                                        int64_t shift, int32_t *result, dytq_rejection *why);
/** TOSA RESCALE of a tensor; multiplier and shift [1], or [C] of the last axis. Elements may be wider than their codes. */
DYTQ_API dytq_status dytq_rescale_tensor(const dytq_rescale_operator *op, const dytq_view *input,
                                         const dytq_view *multiplier, const dytq_view *shift,
                                         const dytq_output *output, dytq_rejection *why);
/** TOSA MUL of int32: (a * b) >> shift, rounded half up; the low 32 bits if shift is 0. */
DYTQ_API dytq_status dytq_mul_int32(int32_t a, int32_t b, int32_t shift, int32_t *result, dytq_rejection *why);
/** TOSA ADD of int32. */
DYTQ_API dytq_status dytq_add_int32(int32_t a, int32_t b, int32_t *result, dytq_rejection *why);
/** TOSA TABLE: int8 codes with 256 entries give int8; int16 codes with 513 entries give int32. Any rank. */
DYTQ_API dytq_status dytq_lookup(const dytq_view *table, const dytq_view *codes, const dytq_output *output,
                                 dytq_rejection *why);

/* ---- tables of functions --------------------------------------------------------------------------------------- */

/** Affine quantization: real = scale * (code - zero_point). */
typedef struct dytq_qparams {
  double scale;       /**< taken as the exact number that its bits denote */
  int32_t zero_point; /**< the code of 0 */
  dytq_range codes;   /**< default: all of the type */
} dytq_qparams;

/** What a table may be told beside its two quantizations. Where NULL is given in its place: alpha 1, and all else 0. */
typedef struct dytq_lut_options {
  uint64_t size;     /**< sizeof(dytq_lut_options) */
  double alpha;      /**< the function is taken of alpha * x + shift: 1 for x itself */
  double shift;      /**< see alpha */
  int32_t numerics;  /**< DYTQ_NUMERICS_EXACT: the real function, rounded once; or as a float32 graph computes it */
  dytq_range domain; /**< codes outside read as the nearest inside; default: the range of the input */
  int32_t ties;      /**< DYTQ_TIES_...: to which code a value half way between two goes */
  int32_t step;      /**< of dytq_lut16 alone: codes from entry to entry, 128, 64 or 32; 0: 128, as TOSA has it */
  int64_t has_parameter; /**< is the function's own parameter given? Refused for a function that has none */
  double parameter;  /**< of elu: alpha; of leaky_relu: slope. Taken exactly */
} dytq_lut_options;

/** The int8 table [256] of a function (DYTQ_FUNCTION_...), every entry proven; entry i is for code i - 128. */
DYTQ_API dytq_status dytq_lut8(int32_t function, const dytq_qparams *in, const dytq_qparams *out,
                               const dytq_lut_options *how, const dytq_output *table, dytq_rejection *why);
/** The int16 table [65536 / step + 1] of a function; entry i is for code step * i - 32768. TABLE's result / 2^shift is the
 *  code. */
DYTQ_API dytq_status dytq_lut16(int32_t function, const dytq_qparams *in, const dytq_qparams *out,
                                const dytq_lut_options *how, const dytq_output *table, int32_t *shift,
                                dytq_rejection *why);
/** The int16 table [513] that TFLite and CMSIS-NN make of a function for their own lookup; of `how` only numerics and the
 *  parameter are read. */
DYTQ_API dytq_status dytq_tflite_lut16(int32_t function, double in_scale, int32_t in_zero_point, double out_scale,
                                       const dytq_lut_options *how, const dytq_output *table, dytq_rejection *why);
/** How far a table (int8 [256], or int16 [513], [1025] or [2049] with its shift, interpolation included) is from its
 *  function: at most largest * 2^-32 codes of the output, at that input code. */
DYTQ_API dytq_status dytq_lut_error(int32_t function, const dytq_qparams *in, const dytq_qparams *out,
                                    const dytq_lut_options *how, const dytq_view *table, int32_t shift,
                                    int64_t *largest, int64_t *code, dytq_rejection *why);
/** The same for a table [513] of TFLite's kind and its own lookup. */
DYTQ_API dytq_status dytq_tflite_lut_error(int32_t function, const dytq_qparams *in, const dytq_qparams *out,
                                           const dytq_lut_options *how, const dytq_view *table, int64_t *largest,
                                           int64_t *code, dytq_rejection *why);
/** The table [256] of outer(inner(code)). */
DYTQ_API dytq_status dytq_compose(const dytq_view *outer, const dytq_view *inner, const dytq_output *table,
                                  dytq_rejection *why);

/* ---- what inference engines compute ---------------------------------------------------------------------------- */

/** How an engine's operator multiplies its scales (DYTQ_PRODUCT_...), makes integers of them (DYTQ_DIALECT_...) and
 *  rounds (DYTQ_ROUNDING_...). */
DYTQ_API dytq_status dytq_engine_arithmetic(int32_t engine, int32_t kernel, int32_t *product, int32_t *dialect,
                                            int32_t *rounding, dytq_rejection *why);
/** a * b / out, to the bit of an engine that computes it so. */
DYTQ_API dytq_status dytq_effective_scale(int32_t product, double a, double b, double out, double *scale,
                                          dytq_rejection *why);
/** The step from an accumulator or product to a code, as an engine's operator does it. MEAN and QUANTIZE have a weight
 *  scale of 1. */
DYTQ_API dytq_status dytq_requantization(int32_t engine, int32_t kernel, double input_scale, double weight_scale,
                                         const dytq_qparams *output, dytq_rescale *step, dytq_rejection *why);
/** ADD of two int8 tensors, as an engine computes it: steps[3] of the first, of the second, and of their sum. */
DYTQ_API dytq_status dytq_addition(int32_t engine, const dytq_qparams *a, const dytq_qparams *b,
                                   const dytq_qparams *output, dytq_rescale *steps, dytq_rejection *why);
/** TensorFlow Lite's AVERAGE_POOL_2D: from the sum of the codes of so many taps, at most 1024, to the mean. out: int8 if
 *  NULL. */
DYTQ_API dytq_status dytq_average_pool(int64_t taps, const dytq_range *out, dytq_rescale *step, dytq_rejection *why);
/** The codes that are left by an activation (DYTQ_ACTIVATION_...) that TensorFlow Lite fuses into an operator. */
DYTQ_API dytq_status dytq_activation_range(int32_t activation, const dytq_qparams *output, dytq_range *codes,
                                           dytq_rejection *why);

/* ---- alpha into a table ---------------------------------------------------------------------------------------- */

/** The chain before a TABLE: mul_out(wrap32(activation(code) * alpha_step(alpha))), clamped to function_in. */
typedef struct dytq_alpha_site {
  uint64_t size;           /**< sizeof(dytq_alpha_site) */
  int32_t alpha;           /**< the code of alpha, int8 */
  dytq_range domain;       /**< codes outside read as the nearest inside; default: int8 */
  dytq_range function_in;  /**< range of the TABLE's input codes; default: int8 */
  int32_t reserved;        /**< 0 */
  dytq_rescale activation; /**< of the code that enters */
  dytq_rescale alpha_step; /**< of alpha's code */
  dytq_rescale mul_out;    /**< of the product, to int8 */
} dytq_alpha_site;

/** What happened while a table was folded. */
typedef struct dytq_alpha_fold {
  uint64_t size;   /**< sizeof(dytq_alpha_fold) */
  int32_t changed; /**< entries that differ from the original table's */
  int32_t wrapped; /**< some product left 32 bits, as MUL defines it */
} dytq_alpha_fold;

/** Folds the multiplication by alpha into the TABLE [256] after it. `folded` may be the table's memory; `info` NULL. */
DYTQ_API dytq_status dytq_fold_alpha_into_lut(const dytq_alpha_site *site, const dytq_view *table,
                                              const dytq_output *folded, dytq_alpha_fold *info, dytq_rejection *why);
/** The same for a function in place of a finished table; function_in is the range of `in`. */
DYTQ_API dytq_status dytq_fold_alpha_into_function(const dytq_alpha_site *site, int32_t function,
                                                   const dytq_qparams *in, const dytq_qparams *out,
                                                   const dytq_lut_options *how, const dytq_output *folded,
                                                   dytq_alpha_fold *info, dytq_rejection *why);

/* ---- chains ---------------------------------------------------------------------------------------------------- */

/** One operator of a chain. What its operation does not name is ignored. A constant of MUL, ADD, SUB, MAXIMUM, MINIMUM and
 *  ARITHMETIC_RIGHT_SHIFT is `constants` where that is there; else `codes` through the RESCALE `scale`; else `constant`. */
typedef struct dytq_chain_step {
  uint64_t size;        /**< sizeof(dytq_chain_step) */
  int32_t op;           /**< DYTQ_OPERATION_... */
  int32_t wide;         /**< RESCALE: the result is int32 (its range defaults to int32 then, else to int8) */
  dytq_rescale scale;   /**< RESCALE: the operator; else what makes `codes` int32 */
  dytq_view multiplier; /**< RESCALE: [C] int32, in place of scale.multiplier */
  dytq_view shift;      /**< RESCALE: [C] int32, in place of scale.shift */
  dytq_view constants;  /**< [C] int32; DEPTHWISE: the biases; CHANNEL_TABLES: each one's row */
  dytq_view codes;      /**< [C] int8; DEPTHWISE: the weights */
  dytq_view table;      /**< TABLE: [256] int8 */
  dytq_view tables;     /**< CHANNEL_TABLES: [K, 256] int8; without `constants` K is C */
  int32_t constant;     /**< the constant of all channels */
  dytq_range range;     /**< CLAMP; default: int8 */
  int32_t input_zp;     /**< NEGATE, DEPTHWISE */
  int32_t output_zp;    /**< NEGATE; of a TABLE's codes, if it is known */
  int32_t round;        /**< ARITHMETIC_RIGHT_SHIFT: half up instead of down */
  int32_t sliced;       /**< CHANNEL_TABLES: by SLICE, TABLE and CONCAT */
} dytq_chain_step;

/** A chain of at most 32 steps, int8 in and int8 out. */
typedef struct dytq_chain {
  uint64_t size;                /**< sizeof(dytq_chain) */
  const dytq_chain_step *steps; /**< in the order of the graph; the size of the first is that of all */
  int64_t count;                /**< how many there are */
  int64_t channels;             /**< C */
  int32_t zero_point;           /**< of the codes at the entrance */
  int32_t has_domain;           /**< 0: every code can occur at the entrance */
  uint64_t domain[4];           /**< else these: bit (code + 128) % 64 of word (code + 128) / 64 */
} dytq_chain;

/** What the chain makes of each code: maps [C, 256] int8; entry i is for code i - 128, 0 where that cannot occur. */
DYTQ_API dytq_status dytq_chain_maps(const dytq_chain *chain, const dytq_output *maps, dytq_rejection *why);
/** The chain over a tensor: input and output [batch, C, pixels] int8, which may be one. */
DYTQ_API dytq_status dytq_chain_apply(const dytq_chain *chain, const dytq_view *input, const dytq_output *output,
                                      dytq_rejection *why);

/* ---- gamma and beta into convolutions -------------------------------------------------------------------------- */

/** The chain after a TABLE, for each channel c:
 *  m = gamma_out(wrap32(table_step(x) * gamma_step(gamma[c]))), y = add_out(add_in(m) + beta_step(beta[c])).
 *  Without gamma or beta its half, RESCALEs included, does not exist. */
typedef struct dytq_affine_site {
  uint64_t size;           /**< sizeof(dytq_affine_site) */
  dytq_view table;         /**< [256] int8 */
  dytq_view gamma;         /**< [C] int8 codes, or not there */
  dytq_view beta;          /**< [C] int8 codes, or not there */
  int32_t table_zp;        /**< zero point of the table's output */
  int32_t has_reachable;   /**< 0: every code can occur at the TABLE's input */
  uint64_t reachable[4];   /**< else these: bit (code + 128) % 64 of word (code + 128) / 64 */
  dytq_rescale table_step; /**< of the TABLE's code, to MUL */
  dytq_rescale gamma_step; /**< of gamma's codes, to MUL */
  dytq_rescale gamma_out;  /**< of the product, to int8 */
  dytq_rescale add_in;     /**< of the gamma half's code, to ADD */
  dytq_rescale beta_step;  /**< of beta's codes, to ADD */
  dytq_rescale add_out;    /**< of the sum, to int8 */
  const dytq_chain *chain; /**< in place of gamma and beta: other steps that follow the TABLE (its domain and zero_point
                                are not read); NULL: none */
} dytq_affine_site;

/** In which order weights are stored. O output, I input channels of a group, D H W kernel. */
enum {
  DYTQ_LAYOUT_ODHWI = 0, /**< rank 5 */
  DYTQ_LAYOUT_OHWI = 1,  /**< TOSA CONV2D and TRANSPOSE_CONV2D, TFLite */
  DYTQ_LAYOUT_OIHW = 2,  /**< PyTorch */
  DYTQ_LAYOUT_HWIO = 3,  /**< linalg _hwcf, TVM */
  DYTQ_LAYOUT_HWIM = 4,  /**< TOSA DEPTHWISE_CONV2D: [H, W, C, M], groups C */
  DYTQ_LAYOUT_IOHW = 5,  /**< PyTorch's ConvTranspose2d */
  DYTQ_LAYOUT_OI = 6,    /**< a linear layer */
  DYTQ_LAYOUT_OWI = 7,   /**< 1-D */
  DYTQ_LAYOUT_OIW = 8,   /**< PyTorch's Conv1d */
  DYTQ_LAYOUT_OIDHW = 9  /**< PyTorch's Conv3d */
};

/** One spatial axis. All zero: it is not given, which suits a kernel of 1 and no other. */
typedef struct dytq_axis {
  int64_t input;    /**< extent of the input; 0: any, where nothing is padded */
  int64_t stride;   /**< at least 1 */
  int64_t dilation; /**< at least 1 */
  int64_t before;   /**< padding; if transposed, out_pad of the output */
  int64_t after;    /**< the same at the other end */
} dytq_axis;

/** A convolution with constant weights: bias + sum over taps inside the input of (x - input_zp) * (weight - weight_zp). */
typedef struct dytq_conv {
  uint64_t size;           /**< sizeof(dytq_conv) */
  dytq_view weight;        /**< int8, as `layout` says */
  dytq_view weight_zp;     /**< [1] or [O] int8; not there: 0 */
  dytq_view bias;          /**< [1] or [O] int32; not there: 0 */
  int64_t groups;          /**< at least 1 */
  int32_t layout;          /**< DYTQ_LAYOUT_... of the weights, and of the folded ones */
  int32_t transposed;      /**< TOSA TRANSPOSE_CONV2D? */
  int32_t input_zp;        /**< zero point of the codes that it reads */
  dytq_range weight_range; /**< a fold writes no weight outside it; default: int8 */
  dytq_axis axes[3];       /**< depth, height, width */
} dytq_conv;

/** Where a fold writes: all three must be there. */
typedef struct dytq_fold_outputs {
  uint64_t size;         /**< sizeof(dytq_fold_outputs) */
  dytq_output weight;    /**< shape and layout of the convolution's weights; may be their memory */
  dytq_output bias;      /**< [O] int32; may be the convolution's */
  dytq_output workspace; /**< [4 C] int16: scribbled on, also by a refusal */
} dytq_fold_outputs;

/** What a fold into convolutions did beside writing the constants, or would do. */
typedef struct dytq_fold {
  uint64_t size;           /**< sizeof(dytq_fold) */
  int64_t weights_changed; /**< weights that differ from the original ones */
  int32_t bias_changed;    /**< some bias differs (one that was not there counts as zeros) */
  int32_t input_zp;        /**< the convolution's new input zero point */
  int32_t first_code;      /**< the smallest code that the convolution can read */
  int32_t reserved;        /**< 0 */
} dytq_fold;

/** Folds gamma and beta into the weights, the bias and the input zero point of the convolution that reads them. */
DYTQ_API dytq_status dytq_fold_affine_into_conv(const dytq_affine_site *site, const dytq_conv *conv,
                                                const dytq_fold_outputs *outputs, dytq_fold *fold,
                                                dytq_rejection *why);
/** Is there such a fold? The same answer, in every field; nothing else is written but the workspace, [4 C] int16. */
DYTQ_API dytq_status dytq_prove_affine_fold(const dytq_affine_site *site, const dytq_conv *conv,
                                            const dytq_output *workspace, dytq_fold *fold, dytq_rejection *why);
/** Into all of `count` convolutions that read the site, or into none; at most 32. The workspaces may be one. Pointers to
 *  `count` pointers. */
DYTQ_API dytq_status dytq_fold_affine_into_convs(const dytq_affine_site *site, int64_t count,
                                                 const dytq_conv *const *convs,
                                                 const dytq_fold_outputs *const *outputs, dytq_fold *const *folds,
                                                 dytq_rejection *why);
/** Folds beta alone; gamma stays, and the convolution reads its result. */
DYTQ_API dytq_status dytq_fold_beta_into_conv(const dytq_affine_site *site, const dytq_conv *conv,
                                              const dytq_fold_outputs *outputs, dytq_fold *fold, dytq_rejection *why);
/** Is there such a fold? The same answer, in every field; nothing else is written but the workspace, [4 C] int16. */
DYTQ_API dytq_status dytq_prove_beta_fold(const dytq_affine_site *site, const dytq_conv *conv,
                                          const dytq_output *workspace, dytq_fold *fold, dytq_rejection *why);

/** What a fold that also replaces the TABLE did beside writing the constants, or would do. */
typedef struct dytq_table_and_conv_fold {
  uint64_t size;           /**< sizeof(dytq_table_and_conv_fold) */
  int64_t weights_changed; /**< weights that differ from the original ones */
  int32_t bias_changed;    /**< some bias differs (one that was not there counts as zeros) */
  int32_t input_zp;        /**< the convolution's new input zero point */
  int32_t multiple;        /**< of the direction that all channels have in common, in the new table */
  int32_t reserved;        /**< 0 */
} dytq_table_and_conv_fold;

/** Folds gamma and beta into a new TABLE [256] and the convolution together. */
DYTQ_API dytq_status dytq_fold_affine_into_table_and_conv(const dytq_affine_site *site, const dytq_conv *conv,
                                                          const dytq_fold_outputs *outputs, const dytq_output *table,
                                                          dytq_table_and_conv_fold *fold, dytq_rejection *why);
/** Is there such a fold? The same answer, in every field, and the new TABLE, unless `table` is NULL; nothing else is
 *  written but the workspace, [4 C] int16. */
DYTQ_API dytq_status dytq_prove_table_and_conv_fold(const dytq_affine_site *site, const dytq_conv *conv,
                                                    const dytq_output *workspace, const dytq_output *table,
                                                    dytq_table_and_conv_fold *fold, dytq_rejection *why);

/** Constants that somebody claims can replace a site and its convolution's. */
typedef struct dytq_claim {
  uint64_t size;       /**< sizeof(dytq_claim) */
  dytq_view weight;    /**< shape and layout of the convolution's */
  dytq_view bias;      /**< [O] int32 */
  dytq_view table;     /**< a new TABLE [256]; not there: the site's */
  int32_t input_zp;    /**< of the folded convolution */
  int32_t keeps_gamma; /**< the folded convolution reads gamma_out's code, not the TABLE's */
} dytq_claim;

/** The judge of a fold, which does not know how it was made: is every accumulator the same? */
DYTQ_API dytq_status dytq_check_fold(const dytq_affine_site *site, const dytq_conv *conv, const dytq_claim *claim,
                                     dytq_rejection *why);
/** The convolution itself, int32 accumulators: input [N, D, H, W, C] or [N, H, W, C], output likewise. */
DYTQ_API dytq_status dytq_convolve(const dytq_conv *conv, const dytq_view *input, const dytq_output *output,
                                   dytq_rejection *why);

/* ---- other exact forms of a site ------------------------------------------------------------------------------- */

/** Does the chain, or one half of it (DYTQ_HALF_...), return every code that it can meet? It then can be dropped. */
DYTQ_API dytq_status dytq_is_identity(const dytq_affine_site *site, int32_t half, dytq_rejection *why);
/** Folds gamma and beta into the TABLE [256], where all channels have the same map. */
DYTQ_API dytq_status dytq_fold_affine_into_table(const dytq_affine_site *site, const dytq_output *table,
                                                 dytq_rejection *why);

/** The RESCALE that replaces the gamma half, beside its multipliers and shifts. */
typedef struct dytq_gamma_form {
  uint64_t size;     /**< sizeof(dytq_gamma_form) */
  int32_t input_zp;  /**< of the new operator */
  int32_t output_zp; /**< of a RESCALE */
  int32_t rounding;  /**< of a RESCALE: DYTQ_ROUNDING_... */
  int32_t weight_zp; /**< of a depthwise convolution */
  int32_t out_lo;    /**< of a RESCALE: its range; narrower than int8, it is a CLAMP after it */
  int32_t out_hi;    /**< its greatest code */
} dytq_gamma_form;

/** The gamma half as one RESCALE per channel: multiplier, shift [C] int32. */
DYTQ_API dytq_status dytq_gamma_as_rescale(const dytq_affine_site *site, const dytq_output *multiplier,
                                           const dytq_output *shift, dytq_gamma_form *form, dytq_rejection *why);
/** Is there such a RESCALE? The same answer, in every field; nothing else is written. */
DYTQ_API dytq_status dytq_prove_gamma_as_rescale(const dytq_affine_site *site, dytq_gamma_form *form,
                                                 dytq_rejection *why);
/** RESCALE and MUL of the gamma half as a depthwise 1x1: weight [C] int8. */
DYTQ_API dytq_status dytq_gamma_as_depthwise(const dytq_affine_site *site, const dytq_output *weight,
                                             dytq_gamma_form *form, dytq_rejection *why);
/** Is there such a convolution? The same answer, in every field; nothing else is written. */
DYTQ_API dytq_status dytq_prove_gamma_as_depthwise(const dytq_affine_site *site, dytq_gamma_form *form,
                                                   dytq_rejection *why);

/** A whole layer: an affine site, and alpha before its TABLE. */
typedef struct dytq_layer {
  uint64_t size;                 /**< sizeof(dytq_layer) */
  const dytq_affine_site *affine; /**< TABLE, gamma, beta */
  dytq_view alpha;               /**< [1] or [C] int8 codes; not there: the layer is entered at the TABLE */
  dytq_rescale activation;       /**< of the code that enters */
  dytq_rescale alpha_step;       /**< of alpha's codes */
  dytq_rescale mul_out;          /**< of the product, to int8 */
  int64_t channels;              /**< C where neither gamma, beta nor alpha says it */
  dytq_range domain;             /**< as in dytq_alpha_site */
  dytq_range function_in;        /**< as in dytq_alpha_site */
} dytq_layer;

/** How many different per-channel tables a layer has. */
DYTQ_API dytq_status dytq_count_channel_tables(const dytq_layer *layer, int64_t *count, dytq_rejection *why);
/** The layer as one table for each channel: index [C] int32, tables [count, 256] int8. Equal tables are shared. */
DYTQ_API dytq_status dytq_channel_tables(const dytq_layer *layer, const dytq_output *index, const dytq_output *tables,
                                         int64_t *count, dytq_rejection *why);
/** y[..., c, ...] = tables[index[c]][x[..., c, ...] + 128], for input and output [batch, C, pixels]. */
DYTQ_API dytq_status dytq_channel_lookup(const dytq_view *input, const dytq_output *output, const dytq_view *index,
                                         const dytq_view *tables, dytq_rejection *why);

/* ---- folds within a bound -------------------------------------------------------------------------------------- */

/** Where a bounded fold writes. */
typedef struct dytq_bounded_outputs {
  uint64_t size;          /**< sizeof(dytq_bounded_outputs) */
  dytq_output weight;     /**< shape and layout of the convolution's weights; may be their memory */
  dytq_output bias;       /**< [O] int32 */
  dytq_output multiplier; /**< [O] int32: of the convolution's RESCALE */
  dytq_output shift;      /**< [O] int32 */
  dytq_output bounds;     /**< [O, 6] int64, or not there: bound, lower bound and root mean square, each n and s of n / 2^s */
  dytq_output workspace;  /**< [dytq_bounded_workspace] int64, contiguous: scribbled on, also by a refusal */
} dytq_bounded_outputs;

/** What is proven of a bounded fold, in codes of the convolution's output: each n and s of n / 2^s. */
typedef struct dytq_bounded_fold {
  uint64_t size;          /**< sizeof(dytq_bounded_fold) */
  int64_t bound[2];       /**< the largest difference of all output channels */
  int64_t lower_bound[2]; /**< no constants of this shape have a smaller one */
  int32_t input_zp;       /**< the convolution's new input zero point */
  int32_t exact;          /**< every code of the output is the original's */
} dytq_bounded_fold;

/** How many numbers of workspace dytq_fold_bounded needs. */
DYTQ_API dytq_status dytq_bounded_workspace(const dytq_conv *conv, int64_t *count, dytq_rejection *why);
/** Folds gamma and beta into the convolution and its RESCALE (multiplier, shift: int32 [1] or [O]), with the largest
 *  difference that can come of it; refused beyond `tolerance`, in codes of the output. histogram: [C, 256] uint32, how
 *  often each code of the TABLE occurs, or NULL. */
DYTQ_API dytq_status dytq_fold_bounded(const dytq_affine_site *site, const dytq_conv *conv, const dytq_view *multiplier,
                                       const dytq_view *shift, int64_t tolerance, const dytq_view *histogram,
                                       const dytq_bounded_outputs *outputs, dytq_bounded_fold *fold,
                                       dytq_rejection *why);
/** Is there such a fold? The same answer, in every field, and its bounds, as in dytq_bounded_outputs, unless `bounds` is
 *  NULL; nothing else is written but the workspace, [dytq_bounded_workspace] int64, contiguous. */
DYTQ_API dytq_status dytq_prove_bounded_fold(const dytq_affine_site *site, const dytq_conv *conv,
                                             const dytq_view *multiplier, const dytq_view *shift, int64_t tolerance,
                                             const dytq_view *histogram, const dytq_output *workspace,
                                             const dytq_output *bounds, dytq_bounded_fold *fold, dytq_rejection *why);

/** Constants that somebody claims to be near the original's. */
typedef struct dytq_bounded_claim {
  uint64_t size;        /**< sizeof(dytq_bounded_claim) */
  dytq_view weight;     /**< shape and layout of the convolution's */
  dytq_view bias;       /**< [O] int32 */
  dytq_view multiplier; /**< [1] or [O] int32 */
  dytq_view shift;      /**< [1] or [O] int32 */
  int32_t input_zp;     /**< of the folded convolution */
  int32_t reserved;     /**< 0 */
  dytq_output bounds;   /**< written: [O, 2] int64, contiguous, or not there: n and s of n / 2^s of each output channel */
} dytq_bounded_claim;

/** The judge: by how much can they differ? bound[0] / 2^bound[1] codes of the output, exact. */
DYTQ_API dytq_status dytq_check_bounded(const dytq_affine_site *site, const dytq_conv *conv,
                                        const dytq_view *multiplier, const dytq_view *shift,
                                        const dytq_bounded_claim *claim, int64_t *bound, dytq_rejection *why);

/** Where a fold into the producer writes. */
typedef struct dytq_producer_outputs {
  uint64_t size;           /**< sizeof(dytq_producer_outputs) */
  dytq_output bias;        /**< [O] int32; may be the convolution's */
  dytq_output multiplier;  /**< [O] int32; may be the RESCALE's */
  dytq_output shift;       /**< [O] int32; may be the RESCALE's */
  dytq_output differences; /**< [O] int32, or not there: the largest difference of each channel's codes */
} dytq_producer_outputs;

/** What a fold into the producer did beside writing the constants. */
typedef struct dytq_producer_fold {
  uint64_t size;                /**< sizeof(dytq_producer_fold) */
  int64_t bound;                /**< the largest difference of codes; 0: every code is the original's */
  int32_t output_zp;            /**< of the RESCALE's codes now: that of the chain's */
  int32_t assumes_accumulators; /**< it holds for the accumulators that the caller named */
} dytq_producer_fold;

/** Folds a chain into the RESCALE before it (multiplier, shift: int32 [1] or [O]; output_zp) and into the bias of that
 *  RESCALE's convolution; refused beyond `tolerance`, in codes of the chain's end. accumulators: [1, 2] or [O, 2] int64,
 *  contiguous, the least and the greatest that can occur; NULL: all that the weights allow. */
DYTQ_API dytq_status dytq_fold_into_producer(const dytq_chain *chain, const dytq_conv *conv,
                                             const dytq_view *multiplier, const dytq_view *shift, int32_t output_zp,
                                             int64_t tolerance, const dytq_view *accumulators,
                                             const dytq_producer_outputs *outputs, dytq_producer_fold *fold,
                                             dytq_rejection *why);
/** Is there such a fold? The same answer, in every field, and its differences, as in dytq_producer_outputs, unless
 *  `differences` is NULL; nothing else is written. */
DYTQ_API dytq_status dytq_prove_producer_fold(const dytq_chain *chain, const dytq_conv *conv,
                                              const dytq_view *multiplier, const dytq_view *shift, int32_t output_zp,
                                              int64_t tolerance, const dytq_view *accumulators,
                                              const dytq_output *differences, dytq_producer_fold *fold,
                                              dytq_rejection *why);

/* ---- plans of chains ------------------------------------------------------------------------------------------- */

/** Costs to start from. */
enum {
  DYTQ_COSTS_TOSA = 0,               /**< every operator of TOSA is one pass */
  DYTQ_COSTS_TOSA_FUSED_RESCALE = 1, /**< a DEPTHWISE and the RESCALE after it are one pass */
  DYTQ_COSTS_CMSIS_NN = 2            /**< so they are there, and there is a table for each channel */
};

/** What operators cost on a target, and which it has. */
typedef struct dytq_plan_target {
  uint64_t size;               /**< sizeof(dytq_plan_target) */
  int64_t byte_cost;           /**< of a byte of constants; 0: bytes decide among equals only */
  int64_t max_slices;          /**< slices of channels with a TABLE each; less than 2: none */
  int32_t costs;               /**< DYTQ_COSTS_...: the numbers that are not given here */
  int32_t channel_tables;      /**< has a TABLE for each channel, in one operator */
  int32_t no_channel_rescale;  /**< has no RESCALE with a multiplier and shift for each channel */
  int32_t no_depthwise;        /**< has no DEPTHWISE_CONV2D */
  int32_t fixed_input_zp;      /**< a padded convolution's input zero point cannot move */
  int32_t has_cost;            /**< are the costs that follow given? */
  int32_t cost[16];            /**< of each DYTQ_OPERATION_..., per element */
  int32_t depthwise_rescale;   /**< of a DEPTHWISE and the RESCALE that follows it */
  int32_t slice;               /**< of SLICE and of CONCAT */
} dytq_plan_target;

/** Who reads what of a chain. */
typedef struct dytq_chain_uses {
  uint64_t size;                   /**< sizeof(dytq_chain_uses) */
  const dytq_conv *const *readers; /**< pointers to the convolutions that read the result; at most 16 */
  int64_t count;                   /**< how many readers */
  uint64_t fixed_readers;          /**< bit i: the constants of reader i must stay */
  uint64_t observed;               /**< bit k: cut k, the result of step k - 1, is read by somebody else */
  int64_t no_branches;             /**< an observed result must be on the way, and not beside it */
  int64_t tolerance;               /**< codes that the result may be off, if that costs less */
} dytq_chain_uses;

/** What a plan comes to. */
typedef struct dytq_plan {
  uint64_t size;            /**< sizeof(dytq_plan) */
  int64_t stretches;        /**< how many; those of the chain in order, then the branches */
  int64_t reads;            /**< the cut whose codes the readers read */
  int64_t operators_before; /**< steps of the chain */
  int64_t operators;        /**< steps of the new one, and of what stays beside it */
  int64_t cost_before;      /**< the target's, per element */
  int64_t cost;             /**< now */
  int64_t bytes_before;     /**< of constants */
  int64_t bytes;            /**< now */
  int64_t numbers;          /**< int32 constants that dytq_apply_plan writes */
  int64_t codes;            /**< int8 constants that it writes */
  int64_t assumes_domain;   /**< holds only for the codes that the caller named */
  int64_t folds;            /**< the readers get new constants */
} dytq_plan;

/** One stretch of a plan: the operators between two cuts become a form. */
typedef struct dytq_stretch {
  uint64_t size;  /**< sizeof(dytq_stretch) */
  int32_t from;   /**< steps before it */
  int32_t to;     /**< steps before its end */
  int32_t form;   /**< DYTQ_FORM_... */
  int32_t beside; /**< a branch, for somebody else's sake */
  int32_t clamps; /**< a CLAMP to lo, hi follows the form's operators */
  int32_t lo;     /**< of that CLAMP */
  int32_t hi;     /**< of that CLAMP */
  int32_t first;  /**< its first operator among the new ones */
  int32_t steps;  /**< how many they are */
  int32_t tables; /**< distinct tables of channel_tables and sliced_tables */
  int64_t max_difference; /**< codes that the worst result is off; 0: it is exact */
  int64_t differ; /**< codes of all channels whose result is off */
} dytq_stretch;

/** The most stretches, and the most new steps, that a plan can have. */
#define DYTQ_MAX_STRETCHES 64

/** Memory that plans work in, contiguous. */
typedef struct dytq_plan_workspace {
  uint64_t size;       /**< sizeof(dytq_plan_workspace) */
  dytq_output codes;   /**< int8 */
  dytq_output numbers; /**< int32 */
  dytq_output lines;   /**< int16, if there are readers */
} dytq_plan_workspace;

/** How much of it: elements of codes, numbers and lines. */
DYTQ_API dytq_status dytq_plan_workspace_sizes(const dytq_chain *chain, int64_t *codes, int64_t *numbers,
                                               int64_t *lines, dytq_rejection *why);
/** The cheapest form of a chain, exact unless `uses` has a tolerance. target, uses: may be NULL. stretches: an array of DYTQ_MAX_STRETCHES, or NULL;
 *  reasons: an array with one for each DYTQ_FORM_..., why that form is not there, or NULL. Each has its size. */
DYTQ_API dytq_status dytq_plan_chain(const dytq_chain *chain, const dytq_plan_target *target,
                                     const dytq_chain_uses *uses, const dytq_plan_workspace *workspace,
                                     dytq_plan *plan, dytq_stretch *stretches, dytq_rejection *reasons,
                                     dytq_rejection *why);

/** Where the plan's constants go. The sizes are those of dytq_plan. */
typedef struct dytq_plan_outputs {
  uint64_t size;                           /**< sizeof(dytq_plan_outputs) */
  dytq_chain_step *steps;                  /**< [operators]; each has its size */
  int64_t count;                           /**< how many there are */
  dytq_output numbers;                     /**< [numbers] int32, contiguous */
  dytq_output codes;                       /**< [codes] int8, contiguous */
  const dytq_fold_outputs *const *readers; /**< one for each reader, if the plan folds; their workspaces are not used */
  dytq_fold *const *folds;                 /**< one for each reader */
} dytq_plan_outputs;

/** Plans again, and makes it: the new steps, which refer to `numbers`, `codes` and what stays of the old constants; and
 *  the readers' new constants. */
DYTQ_API dytq_status dytq_apply_plan(const dytq_chain *chain, const dytq_plan_target *target,
                                     const dytq_chain_uses *uses, const dytq_plan_workspace *workspace,
                                     const dytq_plan_outputs *outputs, dytq_rejection *why);

/* ---- fits ------------------------------------------------------------------------------------------------------ */

/** What a sought RESCALE may be. */
typedef struct dytq_rescale_search {
  uint64_t size;          /**< sizeof(dytq_rescale_search) */
  int64_t input_zp;       /**< subtracted before the scale */
  int64_t output_zp;      /**< added after it */
  int32_t rounding;       /**< DYTQ_ROUNDING_... */
  dytq_range out;         /**< range of the result; default: int8 */
  dytq_range multipliers; /**< hi is the greatest that counts; default: 2^31 - 1 */
  dytq_range shifts;      /**< default: all that the rounding has */
} dytq_rescale_search;

/** The RESCALE that gives values[i] for codes[i], clamped ends included, or the code that rules every one out. Both of
 *  one type, int8 to int64. `search` may be NULL. */
DYTQ_API dytq_status dytq_fit_rescale(const dytq_view *codes, const dytq_view *values,
                                      const dytq_rescale_search *search, int32_t *multiplier, int32_t *shift,
                                      dytq_rejection *why);

/** What a sought line may be. */
typedef struct dytq_line_search {
  uint64_t size;      /**< sizeof(dytq_line_search) */
  int64_t input_zp;   /**< subtracted before the weight */
  int64_t output_zp;  /**< added after the scale */
  int64_t tolerance;  /**< codes that a value may be off */
  int32_t rounding;   /**< DYTQ_ROUNDING_... */
  dytq_range out;     /**< range of the result; default: int8 */
  dytq_range weights; /**< the weights that count; default: -127 to 127 */
  int32_t reserved;   /**< 0 */
} dytq_line_search;

/** One channel as a line through one rounding: clamp(rescale(bias + (code - input_zp) * weight)). */
typedef struct dytq_line {
  uint64_t size;          /**< sizeof(dytq_line) */
  int32_t weight;         /**< of the depthwise convolution */
  int32_t bias;           /**< in the accumulator */
  int32_t multiplier;     /**< of the RESCALE */
  int32_t shift;          /**< to the right */
  int32_t max_difference; /**< codes that the worst value is off */
  int32_t differ;         /**< entries whose value is off */
} dytq_line;

/** Three codes that no line meets. */
typedef struct dytq_line_conflict {
  uint64_t size;    /**< sizeof(dytq_line_conflict) */
  int64_t exists;   /**< 0: a line meets all codes */
  int64_t codes[3]; /**< increasing */
  int64_t expected; /**< the value wanted of the middle one */
  int64_t got;      /**< the nearest that lines make of it which serve the two others */
} dytq_line_conflict;

/** The line that gives values[i] for codes[i], clamped ends included: a depthwise 1x1 with a bias, then a RESCALE. */
DYTQ_API dytq_status dytq_fit_line(const dytq_view *codes, const dytq_view *values, const dytq_line_search *search,
                                   dytq_line *line, dytq_rejection *why);
/** Three codes that prove that there is none, or the answer that a line exists. */
DYTQ_API dytq_status dytq_find_line_conflict(const dytq_view *codes, const dytq_view *values,
                                             const dytq_line_search *search, dytq_line_conflict *conflict,
                                             dytq_rejection *why);

#ifdef __cplusplus
}
#endif

#endif
