// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far tables are from every function; and TFLite's tables.
#include "every_function.hpp"

namespace dytq_c {

result<dytq::tflite_table16> make_tflite_lut16(std::int32_t number, const parameter& own, double in_scale,
                                               std::int32_t in_zero_point, double out_scale, dytq::numerics how) {
  return with_function<dytq::tflite_table16>(
      number, own, [&](auto f) { return dytq::make_tflite_lut16(f, in_scale, in_zero_point, out_scale, how); });
}

result<error_enclosure> rounding_error(std::int32_t number, const parameter& own, const qparams& in, const qparams& out,
                                       const dytq::table8& table, const lut_options& how) {
  return with_function<error_enclosure>(number, own,
                                        [&](auto f) { return dytq::rounding_error(f, in, out, table, how); });
}

template result<error_enclosure> interpolation_error(std::int32_t number, const parameter& own, const qparams& in,
                                                     const qparams& out, const dytq::lut16& table,
                                                     const lut_options& how);

}  // namespace dytq_c
