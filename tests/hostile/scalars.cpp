// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One value: integers at their limits, scales from everywhere in the doubles, RESCALEs that TOSA does not define.
#include "hostile.hpp"

#include <bit>

#include <dytq/engine.hpp>
#include <dytq/numbers/integer.hpp>
#include <dytq/rescale.hpp>
#include <dytq/scale.hpp>
#include <dytq/text.hpp>

namespace hostile {
namespace {

using dytq::code_type;
using dytq::rounding_mode;

constexpr dytq::rescale_operator op(code_type in, code_type out, std::int64_t in_zp = 0, std::int64_t out_zp = 0) {
  return {.in = in, .out = out, .input_zp = in_zp, .output_zp = out_zp};
}
constexpr reason of(const dytq::rescale_operator& r) { return why(dytq::apply(r, 0, 1 << 30, 30)); }

constexpr std::
    array
        plain{
            hostile_case{"name", "a reason without a name", reason::none,
                         [](outputs&, int, int) {
                           return right(dytq::name(static_cast<reason>(255))[0] == 'u' &&
                                        dytq::describe(static_cast<reason>(200)).kind == dytq::reason_class::error);
                         }},
            hostile_case{"name", "a class and a step without a name", reason::none,
                         [](outputs&, int, int) {
                           return right(dytq::name(static_cast<dytq::reason_class>(77))[0] == 'u' &&
                                        dytq::name(static_cast<dytq::place>(77))[0] == 'u');
                         }},
            hostile_case{"effective_scale", "no result scale", reason::scale_not_positive,
                         [](outputs&, int, int) { return why(dytq::effective_scale(dytq::scale_product::in_float32, 1.0, 1.0, 0.0)); }},
            hostile_case{"effective_scale", "not a number", reason::scale_not_finite,
                         [](outputs&, int, int) { return why(dytq::effective_scale(dytq::scale_product::in_float32, not_a_number, 1.0, 1.0)); }},
            hostile_case{"effective_scale", "the greatest double", reason::scale_not_float32,
                         [](outputs&, int, int) { return why(dytq::effective_scale(dytq::scale_product::in_float32, 1.0, greatest, 1.0)); }},
            hostile_case{"effective_scale", "a denormal", reason::scale_not_float32,
                         [](outputs&, int, int) { return why(dytq::effective_scale(dytq::scale_product::in_float32, denormal, 1.0, 1.0)); }},
            hostile_case{"effective_scale", "an order without a name", reason::unknown_dialect,
                         [](outputs&, int, int) {
                           return why(dytq::effective_scale(static_cast<dytq::scale_product>(77), 1.0, 1.0, 1.0));
                         }},
            hostile_case{"effective_scale", "a product beyond float32", reason::scale_not_float32,
                         [](outputs&, int, int) { return why(dytq::effective_scale(dytq::scale_product::in_float32, 0x1p100, 0x1p100, 1.0)); }},
            hostile_case{"arithmetic_of", "an engine and an operator without a name", reason::unknown_dialect,
                         [](outputs&, int, int) {
                           return why(dytq::arithmetic_of(static_cast<dytq::engine>(77), static_cast<dytq::engine_operator>(77)));
                         }},
            hostile_case{"requantization", "an operator that an engine does not have", reason::unknown_dialect,
                         [](outputs&, int, int) {
                           return why(dytq::requantization(dytq::engine::xnnpack, dytq::engine_operator::mean, 1.0, 1.0, {}));
                         }},
            hostile_case{"requantization", "a scale that no step has", reason::shift_out_of_range,
                         [](outputs&, int, int) {
                           return why(dytq::requantization(dytq::engine::tflite, dytq::engine_operator::conv_2d, 0x1p100,
                                                           1.0, {.scale = 1.0}));
                         }},
            hostile_case{"requantization", "a zero point outside its type", reason::zero_point_out_of_range,
                         [](outputs&, int, int) {
                           return why(dytq::requantization(dytq::engine::tflite, dytq::engine_operator::conv_2d, 1.0, 1.0,
                                                           {.scale = 1.0, .zero_point = INT32_MIN}));
                         }},
            hostile_case{"addition", "an engine without a name", reason::unknown_dialect,
                         [](outputs&, int, int) { return why(dytq::addition(static_cast<dytq::engine>(77), {}, {}, {})); }},
            hostile_case{"addition", "scales at both ends of float32", reason::scale_not_float32,
                         [](outputs&, int, int) {
                           return why(dytq::addition(dytq::engine::tflite, {.scale = 0x1.fffffep127}, {.scale = 0x1p-149}, {}));
                         }},
            hostile_case{"addition", "a quotient beyond float32", reason::scale_too_large,
                         [](outputs&, int, int) {
                           return why(dytq::addition(dytq::engine::xnnpack, {.scale = 0x1p127}, {}, {.scale = 0x1p-149}));
                         }},
            hostile_case{"average_pool", "no tap", reason::shape_mismatch,
                         [](outputs&, int, int) { return why(dytq::average_pool(INT64_MIN)); }},
            hostile_case{"average_pool", "every tap there could be", reason::extent_overflow,
                         [](outputs&, int, int) { return why(dytq::average_pool(INT64_MAX)); }},
            hostile_case{"average_pool", "a range of nothing", reason::range_inverted,
                         [](outputs&, int, int) { return why(dytq::average_pool(1, {1, 0})); }},
            hostile_case{"activation_range", "an activation without a name", reason::unknown_type,
                         [](outputs&, int, int) {
                           return why(dytq::activation_range(static_cast<dytq::fused_activation>(77), {}));
                         }},
            hostile_case{"activation_range", "a scale of which 6 are beyond 32 bits", reason::range_inverted,
                         [](outputs&, int, int) {
                           return why(dytq::activation_range(dytq::fused_activation::relu6, {.scale = 0x1p-149}));
                         }},
            hostile_case{"same_padding", "an extent below zero", reason::shape_mismatch,
                         [](outputs&, int, int) { return why(dytq::same_padding(INT64_MIN, 1)); }},
            hostile_case{"same_padding", "a stride of nothing", reason::stride_not_positive,
                         [](outputs&, int, int) { return why(dytq::same_padding(1, 1, 0)); }},
            hostile_case{"same_padding", "numbers whose product leaves 64 bits", reason::extent_overflow,
                         [](outputs&, int, int) { return why(dytq::same_padding(INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX)); }},
            hostile_case{"numbers", "a reason without a name", reason::none,
                         [](outputs&, int, int) { return right(dytq::numbers(static_cast<reason>(255)).got[0] == '\0'); }},
            hostile_case{"result", "a rejection for no reason", reason::count_,
                         [](outputs&, int, int) { return why(dytq::result<int>(reason::none)); }},
            hostile_case{"result", "a rejection for a reason without a name", reason::count_,
                         [](outputs&, int, int) { return why(dytq::result<int>(static_cast<reason>(255))); }},
            hostile_case{"to_text", "every part at its limit", reason::none,
                         [](outputs&, int, int) {
                           const auto text = dytq::to_text({.why = static_cast<reason>(255),
                                                            .at = static_cast<dytq::place>(255),
                                                            .channel = most,
                                                            .output_channel = -most,
                                                            .tap = most,
                                                            .code = -most,
                                                            .expected = most,
                                                            .got = -most});
                           return right(text.size() > 0 && text.c_str()[text.size()] == '\0');
                         }},
            hostile_case{
                "wrap_int32", "both ends of int64", reason::none,
                [](outputs&, int, int) { return right(dytq::wrap_int32(least) == 0 && dytq::wrap_int32(most) == -1); }},
            hostile_case{"fits", "both ends of int64", reason::none,
                         [](outputs&, int, int) {
                           return right(!dytq::detail::fits<std::int32_t>(least) && !dytq::detail::fits<std::uint64_t>(-1) &&
                                        dytq::detail::fits<std::int64_t>(least));
                         }},
            hostile_case{"saturate_int64", "the largest unsigned number", reason::none,
                         [](outputs&, int, int) { return right(dytq::detail::saturate_int64(UINT64_MAX) == most); }},
            hostile_case{"narrow", "the least int64 into int8", reason::code_out_of_range,
                         [](outputs&, int, int) { return why(dytq::narrow<std::int8_t>(least)); }},
            hostile_case{"narrow", "-1 into an unsigned type", reason::code_out_of_range,
                         [](outputs&, int, int) { return why(dytq::narrow<std::uint64_t>(-1)); }},
            hostile_case{"mul_overflows_nonnegative", "the largest number twice", reason::none,
                         [](outputs&, int, int) {
                           return right(dytq::detail::mul_overflows_nonnegative(most, most) &&
                                        !dytq::detail::mul_overflows_nonnegative(most, 0));
                         }},
            hostile_case{"floor_div, ceil_div", "the ends of int64", reason::none,
                         [](outputs&, int, int) {
                           return right(dytq::detail::floor_div(least, most) == -2 && dytq::detail::ceil_div(most, most - 1) == 2 &&
                                        dytq::detail::floor_div(least, 1) == least);
                         }},
            hostile_case{"magnitude", "the least number", reason::none,
                         [](outputs&, int, int) { return right(dytq::detail::magnitude(least) == std::uint64_t{1} << 63); }},
            hostile_case{"greatest_common_divisor", "zeros, and the largest numbers", reason::none,
                         [](outputs&, int, int) {
                           return right(dytq::detail::greatest_common_divisor(0, 0) == 0 &&
                                        dytq::detail::greatest_common_divisor(UINT64_MAX, UINT64_MAX) == UINT64_MAX);
                         }},
            hostile_case{"rounding_shift_right", "the ends of int64", reason::none,
                         [](outputs&, int, int) {
                           return right(dytq::detail::rounding_shift_right(most, 63) == 1 &&
                                        dytq::detail::rounding_shift_right(least, 63) == -1 &&
                                        dytq::detail::rounding_shift_right(most, 1) == std::int64_t{1} << 62);
                         }},
            hostile_case{"shift_right_half_even", "all bits", reason::none,
                         [](outputs&, int, int) { return right(dytq::detail::shift_right_half_even(UINT64_MAX, 63) == 2); }},
            hostile_case{"mul_int32", "shift -1", reason::shift_out_of_range,
                         [](outputs&, int, int) { return why(dytq::mul_int32(1, 1, -1)); }},
            hostile_case{"mul_int32", "shift 64", reason::shift_out_of_range,
                         [](outputs&, int, int) { return why(dytq::mul_int32(1, 1, 64)); }},
            hostile_case{"mul_int32", "shift INT_MIN", reason::shift_out_of_range,
                         [](outputs&, int, int) { return why(dytq::mul_int32(1, 1, INT32_MIN)); }},
            hostile_case{"mul_int32", "the least number squared, halved", reason::mul_overflow,
                         [](outputs&, int, int) { return why(dytq::mul_int32(INT32_MIN, INT32_MIN, 1)); }},
            hostile_case{
                "mul_int32", "the least number squared wraps", reason::none,
                [](outputs&, int, int) { return right(dytq::mul_int32(INT32_MIN, INT32_MIN).value_or(1) == 0); }},
            hostile_case{"add_int32", "beyond the top", reason::add_overflow,
                         [](outputs&, int, int) { return why(dytq::add_int32(INT32_MAX, 1)); }},
            hostile_case{"add_int32", "the least number twice", reason::add_overflow,
                         [](outputs&, int, int) { return why(dytq::add_int32(INT32_MIN, INT32_MIN)); }},
            hostile_case{"clamp", "an empty range", reason::range_inverted,
                         [](outputs&, int, int) {
                           return why(dytq::clamp(0, {1, 0}));
                         }},
            hostile_case{"clamp", "the widest inverted range", reason::range_inverted,
                         [](outputs&, int, int) {
                           return why(dytq::clamp(0, {most, least}));
                         }},
            hostile_case{"range_of", "a type without a name", reason::none,
                         [](outputs&, int, int) { return right(dytq::range_of(static_cast<code_type>(99)).empty()); }},
            hostile_case{"type_of", "0 bits", reason::unknown_type,
                         [](outputs&, int, int) { return why(dytq::type_of(0, false)); }},
            hostile_case{"type_of", "INT_MIN bits", reason::unknown_type,
                         [](outputs&, int, int) { return why(dytq::type_of(INT32_MIN, true)); }},
            hostile_case{"type_of", "unsigned 48 bits", reason::unsigned_wide_type,
                         [](outputs&, int, int) { return why(dytq::type_of(48, true)); }},
            hostile_case{
                "range_in", "bounds the wrong way round", reason::range_inverted,
                [](outputs&, int, int) { return why(dytq::range_in({.qmin = 1, .qmax = 0}, dytq::int8_range)); }},
            hostile_case{"range_in", "bounds outside the type", reason::range_inverted,
                         [](outputs&, int, int) { return why(dytq::range_in({.qmin = -129}, dytq::int8_range)); }},
            hostile_case{
                "range_in", "the largest zero point", reason::zero_point_out_of_range,
                [](outputs&, int, int) { return why(dytq::range_in({.zero_point = INT32_MAX}, dytq::int8_range)); }},
            hostile_case{
                "range_in", "the least zero point", reason::zero_point_out_of_range,
                [](outputs&, int, int) { return why(dytq::range_in({.zero_point = INT32_MIN}, dytq::int16_range)); }},
            hostile_case{"dyadic", "NaN with every payload bit", reason::none,
                         [](outputs&, int, int) {
                           return right(!dytq::detail::dyadic(std::bit_cast<double>(~std::uint64_t{0})).finite &&
                                        !dytq::detail::dyadic(infinite).finite && dytq::detail::dyadic(-0.0).is_zero());
                         }},
            hostile_case{"quantize_scale", "NaN", reason::scale_not_finite,
                         [](outputs&, int, int) { return why(dytq::quantize_scale(not_a_number)); }},
            hostile_case{
                "quantize_scale", "a negative NaN with every bit", reason::scale_not_finite,
                [](outputs&, int, int) { return why(dytq::quantize_scale(std::bit_cast<double>(~std::uint64_t{0}))); }},
            hostile_case{"quantize_scale", "infinity", reason::scale_not_finite,
                         [](outputs&, int, int) { return why(dytq::quantize_scale(infinite)); }},
            hostile_case{"quantize_scale", "negative infinity", reason::scale_not_finite,
                         [](outputs&, int, int) { return why(dytq::quantize_scale(-infinite)); }},
            hostile_case{"quantize_scale", "the least negative denormal", reason::scale_negative,
                         [](outputs&, int, int) { return why(dytq::quantize_scale(-denormal)); }},
            hostile_case{"quantize_scale", "the largest double", reason::scale_too_large,
                         [](outputs&, int, int) { return why(dytq::quantize_scale(greatest)); }},
            hostile_case{
                "quantize_scale", "the largest double, 16 bits", reason::scale_too_large,
                [](outputs&, int, int) { return why(dytq::quantize_scale(greatest, dytq::multiplier_width::bits16)); }},
            hostile_case{"quantize_scale", "the least denormal is 0 >> 62", reason::none,
                         [](outputs&, int, int) {
                           const auto r = dytq::quantize_scale(denormal);
                           return right(r && *r == dytq::multiplier_shift{0, 62});
                         }},
            hostile_case{"quantize_scale", "-0 is 0", reason::none,
                         [](outputs&, int, int) { return right(dytq::quantize_scale(-0.0).has_value()); }},
            hostile_case{"quantize_scale", "a multiplier of 0 bits", reason::unknown_dialect,
                         [](outputs&, int, int) { return why(dytq::quantize_scale(1.0, dytq::multiplier_width{})); }},
            hostile_case{"quantize_scale", "a dialect without a name", reason::unknown_dialect,
                         [](outputs&, int, int) {
                           return why(dytq::quantize_scale(1.0, dytq::multiplier_width::bits32,
                                                           static_cast<dytq::scale_dialect>(255)));
                         }},
            hostile_case{"other_way_shift", "the ends of int32", reason::none,
                         [](outputs&, int, int) {
                           return right(dytq::other_way_shift(INT32_MIN) == std::int64_t{31} - INT32_MIN &&
                                        dytq::other_way_shift(INT32_MAX) == std::int64_t{31} - INT32_MAX);
                         }},
            hostile_case{"fits_target", "a target without a name", reason::unknown_dialect,
                         [](outputs&, int, int) {
                           constexpr auto none = static_cast<dytq::scale_target>(77);
                           return why(dytq::fits_target(none, 1.0)) == why(dytq::fits_target(none, {1, 31}))
                                      ? why(dytq::fits_target(none, 1.0))
                                      : reason::count_;
                         }},
            hostile_case{
                "fits_target", "NaN", reason::scale_not_finite,
                [](outputs&, int, int) { return why(dytq::fits_target(dytq::scale_target::xnnpack, not_a_number)); }},
            hostile_case{"fits_target", "the largest double", reason::scale_too_large,
                         [](outputs&, int, int) { return why(dytq::fits_target(dytq::scale_target::vela, greatest)); }},
            hostile_case{
                "fits_target", "the least negative denormal", reason::scale_negative,
                [](outputs&, int, int) { return why(dytq::fits_target(dytq::scale_target::tosa, -denormal)); }},
            hostile_case{"fits_target", "the least multiplier", reason::multiplier_negative,
                         [](outputs&, int, int) {
                           return why(dytq::fits_target(dytq::scale_target::xnnpack_add, {least, 31}));
                         }},
            hostile_case{"fits_target", "the largest multiplier", reason::multiplier_too_large,
                         [](outputs&, int, int) {
                           return why(dytq::fits_target(dytq::scale_target::tflite, {most, 31}));
                         }},
            hostile_case{"fits_target", "the least shift", reason::shift_out_of_range,
                         [](outputs&, int, int) {
                           return why(dytq::fits_target(dytq::scale_target::cmsis_nn, {1, INT32_MIN}));
                         }},
            hostile_case{"apply_scale_32", "multiplier -1", reason::multiplier_negative,
                         [](outputs&, int, int) { return why(dytq::apply_scale_32(0, -1, 31)); }},
            hostile_case{"apply_scale_32", "the least multiplier", reason::multiplier_negative,
                         [](outputs&, int, int) { return why(dytq::apply_scale_32(0, least, 31)); }},
            hostile_case{"apply_scale_32", "a multiplier of 33 bits", reason::multiplier_too_large,
                         [](outputs&, int, int) { return why(dytq::apply_scale_32(0, std::int64_t{1} << 31, 31)); }},
            hostile_case{"apply_scale_32", "shift 1", reason::shift_out_of_range,
                         [](outputs&, int, int) { return why(dytq::apply_scale_32(0, 1, 1)); }},
            hostile_case{"apply_scale_32", "shift 63", reason::shift_out_of_range,
                         [](outputs&, int, int) { return why(dytq::apply_scale_32(0, 1, 63)); }},
            hostile_case{
                "apply_scale_32", "a shift that wraps to 31", reason::shift_out_of_range,
                [](outputs&, int, int) { return why(dytq::apply_scale_32(0, 1, (std::int64_t{1} << 32) + 31)); }},
            hostile_case{"apply_scale_32", "the least shift", reason::shift_out_of_range,
                         [](outputs&, int, int) { return why(dytq::apply_scale_32(0, 1, least)); }},
            hostile_case{"apply_scale_32", "a value that wraps to 0", reason::value_exceeds_int32,
                         [](outputs&, int, int) { return why(dytq::apply_scale_32(std::int64_t{1} << 32, 1, 62)); }},
            hostile_case{"apply_scale_32", "the least value", reason::value_exceeds_int32,
                         [](outputs&, int, int) { return why(dytq::apply_scale_32(least, INT32_MAX, 62)); }},
            hostile_case{"apply_scale_32", "2^(shift-1)", reason::value_exceeds_shift,
                         [](outputs&, int, int) { return why(dytq::apply_scale_32(2, 1, 2)); }},
            hostile_case{"apply_scale_32", "-2^(shift-1) - 1", reason::value_exceeds_shift,
                         [](outputs&, int, int) { return why(dytq::apply_scale_32(-3, 1, 2)); }},
            hostile_case{
                "apply_scale_32", "INEXACT_ROUND", reason::inexact_round,
                [](outputs&, int, int) { return why(dytq::apply_scale_32(0, 1, 31, rounding_mode::inexact_round)); }},
            hostile_case{
                "apply_scale_32", "a rounding mode without a name", reason::unknown_rounding_mode,
                [](outputs&, int, int) { return why(dytq::apply_scale_32(0, 1, 31, static_cast<rounding_mode>(99))); }},
            hostile_case{"apply_scale_16", "multiplier -1", reason::multiplier_negative,
                         [](outputs&, int, int) { return why(dytq::apply_scale_16(0, -1, 31)); }},
            hostile_case{"apply_scale_16", "a multiplier of 17 bits", reason::multiplier_too_large,
                         [](outputs&, int, int) { return why(dytq::apply_scale_16(0, 32768, 31)); }},
            hostile_case{"apply_scale_16", "shift 63", reason::shift_out_of_range,
                         [](outputs&, int, int) { return why(dytq::apply_scale_16(0, 1, 63)); }},
            hostile_case{"apply_scale_16", "2^47", reason::value_exceeds_int48,
                         [](outputs&, int, int) { return why(dytq::apply_scale_16(std::int64_t{1} << 47, 1, 31)); }},
            hostile_case{"apply_scale_16", "the least value", reason::value_exceeds_int48,
                         [](outputs&, int, int) { return why(dytq::apply_scale_16(least, 32767, 2)); }},
            hostile_case{
                "apply_scale_16", "a result of 60 bits", reason::value_exceeds_int32,
                [](outputs&, int, int) { return why(dytq::apply_scale_16((std::int64_t{1} << 47) - 1, 32767, 2)); }},
            hostile_case{
                "apply_scale_16", "a negative result of 60 bits", reason::value_exceeds_int32,
                [](outputs&, int, int) { return why(dytq::apply_scale_16(-(std::int64_t{1} << 47), 32767, 2)); }},
            hostile_case{"apply(rescale)", "a value of 33 bits", reason::value_exceeds_int32,
                         [](outputs&, int, int) { return why(dytq::apply(dytq::rescale{}, std::int64_t{1} << 32)); }},
            hostile_case{"apply(rescale)", "the least int64", reason::value_exceeds_int32,
                         [](outputs&, int, int) { return why(dytq::apply(dytq::rescale{}, least)); }},
            hostile_case{
                "apply(rescale)", "a zero point that the difference leaves int32 with", reason::value_exceeds_int32,
                [](outputs&, int, int) { return why(dytq::apply(dytq::rescale{.input_zp = INT32_MIN}, INT32_MAX)); }},
            hostile_case{"apply(rescale)", "a zero point that the sum leaves int32 with", reason::value_exceeds_int32,
                         [](outputs&, int, int) {
                           return why(dytq::apply(dytq::rescale{.shift = 33, .output_zp = INT32_MAX}, INT32_MAX));
                         }},
            hostile_case{"apply(rescale)", "an output range of 64 bits", reason::range_inverted,
                         [](outputs&, int, int) {
                           return why(dytq::apply(dytq::rescale{.out = {least, most}}, 0));
                         }},
            hostile_case{"validate(rescale_operator)", "an input type without a name", reason::unknown_type,
                         [](outputs&, int, int) { return of(op(static_cast<code_type>(77), code_type::i8)); }},
            hostile_case{"validate(rescale_operator)", "an output type without a name", reason::unknown_type,
                         [](outputs&, int, int) { return of(op(code_type::i8, static_cast<code_type>(77))); }},
            hostile_case{"validate(rescale_operator)", "to int48", reason::unknown_type,
                         [](outputs&, int, int) { return of(op(code_type::i8, code_type::i48)); }},
            hostile_case{"validate(rescale_operator)", "uint8 to uint16", reason::both_unsigned,
                         [](outputs&, int, int) { return of(op(code_type::u8, code_type::u16)); }},
            hostile_case{"validate(rescale_operator)", "int32 to uint8", reason::unsigned_with_int32,
                         [](outputs&, int, int) { return of(op(code_type::i32, code_type::u8)); }},
            hostile_case{"validate(rescale_operator)", "uint16 to int32", reason::unsigned_with_int32,
                         [](outputs&, int, int) { return of(op(code_type::u16, code_type::i32)); }},
            hostile_case{"validate(rescale_operator)", "int48 with a 32-bit multiplier", reason::scale32_with_int48,
                         [](outputs&, int, int) { return of(op(code_type::i48, code_type::i8)); }},
            hostile_case{"validate(rescale_operator)", "int48 to uint8", reason::int48_to_unsigned,
                         [](outputs&, int, int) {
                           return why(dytq::validate(
                               dytq::rescale_operator{.in = code_type::i48, .out = code_type::u8, .scale32 = false}));
                         }},
            hostile_case{
                "validate(rescale_operator)", "DOUBLE_ROUND with a 16-bit multiplier",
                reason::double_round_without_scale32,
                [](outputs&, int, int) { return of({.scale32 = false, .rounding = rounding_mode::double_round}); }},
            hostile_case{"validate(rescale_operator)", "a zero point of int32", reason::zero_point_not_zero,
                         [](outputs&, int, int) { return of(op(code_type::i32, code_type::i8, 1)); }},
            hostile_case{"validate(rescale_operator)", "a zero point of uint16 that is no middle",
                         reason::zero_point_not_zero,
                         [](outputs&, int, int) { return of(op(code_type::u16, code_type::i8, 32767)); }},
            hostile_case{"validate(rescale_operator)", "the least zero point", reason::zero_point_out_of_range,
                         [](outputs&, int, int) { return of(op(code_type::i8, code_type::i8, least)); }},
            hostile_case{"validate(rescale_operator)", "the largest output zero point", reason::zero_point_out_of_range,
                         [](outputs&, int, int) { return of(op(code_type::i8, code_type::i8, 0, most)); }},
            hostile_case{
                "apply(rescale_operator)", "a code outside its type", reason::code_out_of_range,
                [](outputs&, int, int) { return why(dytq::apply(dytq::rescale_operator{}, 128, 1 << 30, 30)); }},
            hostile_case{
                "apply(rescale_operator)", "the largest value and multiplier", reason::code_out_of_range,
                [](outputs&, int, int) { return why(dytq::apply(dytq::rescale_operator{}, most, most, most)); }},
            hostile_case{"apply(rescale_operator)", "the least multiplier", reason::multiplier_negative,
                         [](outputs&, int, int) { return why(dytq::apply(dytq::rescale_operator{}, 0, least, 30)); }},
            hostile_case{"line_through, on_line, floor_value", "the steepest line there is", reason::none,
                         [](outputs&, int, int) {
                           constexpr std::int64_t far = std::int64_t{1} << 30;
                           const auto line = dytq::detail::line_through(0, -far, -1, far - 1);
                           return right(dytq::detail::on_line(line, -1, far - 1) && dytq::detail::floor_value(line, 0) == -far);
                         }},
        };
static_assert(!at_compile_time || all_hold(plain));

// Every fault of a RESCALE, alone.
constexpr auto faults = [] {
  std::array<hostile_case, rescale_faults.size()> all{};
  for (std::size_t f = 0; f < all.size(); ++f) {
    all[f] = {"validate(rescale)", rescale_faults[f].what, rescale_faults[f].why,
              [](outputs&, int fault, int) {
                const dytq::rescale r = spoiled({}, fault);
                return why(dytq::validate(r)) == why(dytq::apply(r, 0)) ? why(dytq::apply(r, 0)) : reason::count_;
              },
              static_cast<int>(f)};
  }
  return all;
}();
static_assert(!at_compile_time || all_hold(faults));

}  // namespace

std::size_t check_scalars() { return check(plain) + check(faults); }

}  // namespace hostile
