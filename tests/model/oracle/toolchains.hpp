// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What other toolchains compute, written down from their descriptions, step by step: floating point where they use it,
// exact fractions where they use integers. Shifts are theirs: to the left for TFLite and CMSIS-NN, else to the right.
#ifndef DYTQ_TESTS_ORACLE_TOOLCHAINS_HPP
#define DYTQ_TESTS_ORACLE_TOOLCHAINS_HPP

#include "oracle.hpp"

namespace oracle {

// "mlir", "tflite", "tflite_single", "tflm", "vela". Refused: "bad_scale", where the toolchain has no answer either.
outcome<multiplier_and_shift> multiplier_in(const std::string& dialect, double scale);

// TFLite and CMSIS-NN: two roundings, or one. Refused: "unpredictable": an intermediate leaves 32 bits.
outcome<integer> requantize_double(integer value, integer multiplier, integer left_shift);
outcome<integer> requantize_single(integer value, integer multiplier, integer left_shift);

// XNNPACK, to int8. The scale is a float32 in [2^-32, 256).
integer requantize_fp32(integer value, double scale, integer zero_point);
integer requantize_rndnu(integer value, double scale, integer zero_point);

}  // namespace oracle

#endif  // DYTQ_TESTS_ORACLE_TOOLCHAINS_HPP
