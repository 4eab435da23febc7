// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// int16 tables of other steps than TOSA's, and how far these and TFLite's are from their functions.
#include "every_function.hpp"

namespace dytq_c {

template result<dytq::stepped_lut16<64>> make_lut16<64>(std::int32_t number, const parameter& own, const qparams& in,
                                                        const qparams& out, const lut_options& how);
template result<dytq::stepped_lut16<32>> make_lut16<32>(std::int32_t number, const parameter& own, const qparams& in,
                                                        const qparams& out, const lut_options& how);
template result<error_enclosure> interpolation_error(std::int32_t number, const parameter& own, const qparams& in,
                                                     const qparams& out, const dytq::stepped_lut16<64>& table,
                                                     const lut_options& how);
template result<error_enclosure> interpolation_error(std::int32_t number, const parameter& own, const qparams& in,
                                                     const qparams& out, const dytq::stepped_lut16<32>& table,
                                                     const lut_options& how);
template result<error_enclosure> interpolation_error(std::int32_t number, const parameter& own, const qparams& in,
                                                     const qparams& out, const dytq::tflite_table16& table,
                                                     const lut_options& how);

}  // namespace dytq_c
