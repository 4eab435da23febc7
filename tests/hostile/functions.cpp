// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of functions with parameters from the whole of the doubles.
#include "hostile.hpp"

#include <bit>

#include <dytq/lut.hpp>
#include <dytq/lut16.hpp>

namespace hostile {
namespace {

using dytq::make_lut16;
using dytq::make_lut8;
using dytq::qparams;
namespace functions = dytq::functions;

constexpr qparams in{.scale = 0.05};
constexpr qparams out{.scale = 1.0 / 127};

/// What int8, int16 and a fold say: they must agree.
constexpr reason of(const qparams& i, const qparams& o, const dytq::lut_options& how = {}) {
  const reason narrow = why(make_lut8(functions::tanh, i, o, how));
  const reason folded = why(dytq::fold_alpha_into_lut(dytq::alpha_site{}, functions::tanh, i, o, how));
  return narrow == folded && narrow == why(make_lut16(functions::tanh, i, o, how)) ? narrow : reason::count_;
}
constexpr dytq::lut_options in_float32 = {.arithmetic = dytq::numerics::float32};

/// A function that never knows its sign.
struct clueless {
  template <std::size_t N>
  static constexpr dytq::certified_sign sign(const dytq::real<N>&, const dytq::real<N>&) {
    return dytq::certified_sign::unknown;
  }
};

constexpr std::array plain{
    hostile_case{"table", "an input scale of NaN", reason::scale_not_finite,
                 [](outputs&, int, int) { return of({.scale = not_a_number}, out); }},
    hostile_case{"table", "an infinite input scale", reason::scale_not_finite,
                 [](outputs&, int, int) { return of({.scale = infinite}, out); }},
    hostile_case{"table", "an infinite output scale", reason::scale_not_finite,
                 [](outputs&, int, int) { return of(in, {.scale = -infinite}); }},
    hostile_case{"table", "an output scale of NaN with every bit", reason::scale_not_finite,
                 [](outputs&, int, int) { return of(in, {.scale = std::bit_cast<double>(~std::uint64_t{0})}); }},
    hostile_case{"table", "an input scale of 0", reason::scale_not_positive,
                 [](outputs&, int, int) { return of({.scale = 0.0}, out); }},
    hostile_case{"table", "an output scale of -0", reason::scale_not_positive,
                 [](outputs&, int, int) { return of(in, {.scale = -0.0}); }},
    hostile_case{"table", "the least negative scale", reason::scale_not_positive,
                 [](outputs&, int, int) { return of({.scale = -denormal}, out); }},
    hostile_case{"table", "the largest negative scale", reason::scale_not_positive,
                 [](outputs&, int, int) { return of(in, {.scale = -greatest}); }},
    hostile_case{"table", "alpha is NaN", reason::parameter_not_finite,
                 [](outputs&, int, int) { return of(in, out, {.alpha = not_a_number}); }},
    hostile_case{"table", "an infinite shift", reason::parameter_not_finite,
                 [](outputs&, int, int) { return of(in, out, {.shift = -infinite}); }},
    hostile_case{"table", "an inverted domain", reason::range_inverted,
                 [](outputs&, int, int) {
                   return of(in, out, {.domain = {1, 0}});
                 }},
    hostile_case{"table", "a domain of 64 bits", reason::range_inverted,
                 [](outputs&, int, int) {
                   return of(in, out, {.domain = {least + 1, most}});
                 }},
    hostile_case{"table", "inverted input bounds", reason::range_inverted,
                 [](outputs&, int, int) { return of({.scale = 0.05, .qmin = 1, .qmax = 0}, out); }},
    hostile_case{"table", "inverted output bounds", reason::range_inverted,
                 [](outputs&, int, int) { return of(in, {.scale = 0.05, .qmin = 1, .qmax = 0}); }},
    hostile_case{"table", "the least input zero point", reason::zero_point_out_of_range,
                 [](outputs&, int, int) { return of({.scale = 0.05, .zero_point = INT32_MIN}, out); }},
    hostile_case{"table", "the largest output zero point", reason::zero_point_out_of_range,
                 [](outputs&, int, int) { return of(in, {.scale = 0.05, .zero_point = INT32_MAX}); }},
    hostile_case{"table, float32", "an input scale that float32 has not", reason::scale_not_float32,
                 [](outputs&, int, int) { return of({.scale = denormal}, out, in_float32); }},
    hostile_case{"table, float32", "the largest output scale", reason::scale_not_float32,
                 [](outputs&, int, int) { return of(in, {.scale = greatest}, in_float32); }},
    hostile_case{"table, float32", "the least output scale", reason::scale_not_float32,
                 [](outputs&, int, int) { return of(in, {.scale = denormal}, in_float32); }},
    hostile_case{
        "table, float32", "an alpha that float32 has not", reason::scale_not_float32,
        [](outputs&, int, int) { return of(in, out, {.alpha = greatest, .arithmetic = dytq::numerics::float32}); }},
    hostile_case{
        "table, float32", "a shift that float32 has not", reason::scale_not_float32,
        [](outputs&, int, int) { return of(in, out, {.shift = -greatest, .arithmetic = dytq::numerics::float32}); }},
    hostile_case{"make_lut8", "the largest scale, the least denormal", reason::none,
                 [](outputs&, int, int) {
                   return right(make_lut8(functions::tanh, {.scale = greatest}, {.scale = denormal}) &&
                                make_lut8(functions::tanh, {.scale = denormal}, {.scale = greatest}));
                 }},
    hostile_case{"make_lut8", "the largest alpha, scale and shift", reason::none,
                 [](outputs&, int, int) {
                   return right(
                       make_lut8(functions::logistic, {.scale = greatest}, out,
                                 {.alpha = greatest, .shift = -greatest}) &&
                       make_lut8(functions::erf, {.scale = denormal}, out, {.alpha = denormal, .shift = denormal}));
                 }},
    hostile_case{"make_lut8", "a function that never knows", reason::undecided,
                 [](outputs&, int, int) { return why(make_lut8(clueless{}, in, out)); }},
    hostile_case{"make_lut8", "a function that never knows, in float32", reason::undecided,
                 [](outputs&, int, int) { return why(make_lut8(clueless{}, in, out, in_float32)); }},
    hostile_case{"make_lut8_per_channel", "the last alpha is NaN", reason::parameter_not_finite,
                 [](outputs&, int, int) {
                   return why(dytq::make_lut8_per_channel(functions::tanh, in, out, std::array{1.0, not_a_number}));
                 }},
    hostile_case{"from_uint8", "zero points at the ends of int32", reason::zero_point_out_of_range,
                 [](outputs&, int, int) {
                   const reason low = of(dytq::from_uint8({.scale = 1.0, .zero_point = INT32_MIN}), out);
                   return low == of(dytq::from_uint8({.scale = 1.0, .zero_point = INT32_MAX}), out) ? low
                                                                                                    : reason::count_;
                 }},
    hostile_case{
        "from_uint8", "bounds at the ends of int32", reason::range_inverted,
        [](outputs&, int, int) {
          return of(dytq::from_uint8({.scale = 1.0, .zero_point = 128, .qmin = INT32_MIN + 1, .qmax = INT32_MAX - 1}),
                    out);
        }},
    hostile_case{"make_lut16", "a wide output with a zero point", reason::zero_point_not_zero,
                 [](outputs&, int, int) {
                   return why(make_lut16(functions::tanh, in, {.scale = 1.0, .zero_point = 1, .qmax = 40000}));
                 }},
    hostile_case{"make_lut16", "a wide output in float32", reason::range_inverted,
                 [](outputs&, int, int) {
                   return why(make_lut16(functions::tanh, in, {.scale = 1.0, .qmax = 40000}, in_float32));
                 }},
    hostile_case{"make_lut16", "a wide output of inverted bounds", reason::range_inverted,
                 [](outputs&, int, int) {
                   return why(make_lut16(functions::tanh, in, {.scale = 1.0, .qmin = 50000, .qmax = 40000}));
                 }},
    hostile_case{"make_lut16", "a wide output of scale NaN", reason::scale_not_finite,
                 [](outputs&, int, int) {
                   return why(make_lut16(functions::tanh, in, {.scale = not_a_number, .qmax = 40000}));
                 }},
    hostile_case{"multiply_wide, multiply_high", "all bits", reason::none,
                 [](outputs&, int, int) {
                   const dytq::detail::wide64 p = dytq::detail::multiply_wide(UINT64_MAX, UINT64_MAX);
                   return right(p.hi == UINT64_MAX - 1 && p.lo == 1 &&
                                dytq::detail::multiply_high(UINT64_MAX, UINT64_MAX) == p.hi);
                 }},
    hostile_case{"compare, at_least", "numbers of unknown error are not compared", reason::none,
                 [](outputs&, int, int) {
                   dytq::real<2> unknown(std::int64_t{1});
                   unknown.error = dytq::real<2>::unknown_error;
                   const dytq::real<2> one(std::int64_t{1}), far{dytq::dyadic(greatest)}, zero;
                   return right(dytq::compare(unknown, one) == dytq::certified_sign::unknown &&
                                !dytq::at_least(one, unknown) && dytq::at_least(far, one) &&
                                dytq::at_least(zero, zero) && !(unknown + one).known() && !(unknown * one).known() &&
                                !(one - unknown).known());
                 }},
    hostile_case{"divide, certified_below_limit", "zero, and what is unknown", reason::none,
                 [](outputs&, int, int) {
                   dytq::real<2> unknown(std::int64_t{1});
                   unknown.error = dytq::real<2>::unknown_error;
                   return right(dytq::detail::divide(dytq::real<2>(), UINT32_MAX).is_zero() &&
                                !dytq::detail::divide(unknown, 1).known() &&
                                dytq::detail::certified_below_limit(unknown) == dytq::certified_sign::unknown &&
                                dytq::detail::certified_below_limit(dytq::real<2>()) == dytq::certified_sign::unknown);
                 }},
    hostile_case{"make_estimate, one_minus, one_plus, square_root", "the ends of the exponent", reason::none,
                 [](outputs&, int, int) {
                   const dytq::estimate tiny = dytq::make_estimate(1, -100000),
                                        far = dytq::make_estimate(UINT64_MAX, 100000);
                   return right(dytq::one_minus(tiny).exponent == 0 && dytq::one_plus(tiny).exponent == 1 &&
                                !(tiny - far).known() && (far + tiny).exponent == far.exponent &&
                                dytq::square_root(far).exponent == 50032 && (far * far).exponent == 200128);
                 }},
    hostile_case{"decay_estimate, decay", "arguments without end", reason::none,
                 [](outputs&, int, int) {
                   const dytq::decay_estimate e(dytq::make_estimate(1, 100000));
                   const dytq::decay<2> far(dytq::real<2>(std::int64_t{1}).scaled(100000));
                   return right(e.value.exponent == -dytq::detail::range_log2 && !far.value.known() &&
                                !far.complement.known());
                 }},
    hostile_case{
        "kummer, kummer_estimate, kummer_quick, tail_quick, compare_with_tail", "beyond their range", reason::none,
        [](outputs&, int, int) {
          const dytq::estimate far = dytq::make_estimate(1, 100);
          const dytq::real<2> one(std::int64_t{1}), tiny = one.scaled(-100000);
          return right(!dytq::detail::kummer_estimate(far).known() && !dytq::detail::kummer_quick(far).known() &&
                       !dytq::detail::kummer(one.scaled(100)).known() &&
                       dytq::detail::tail_quick(dytq::make_estimate(127, 0)).m != 0 &&
                       dytq::detail::compare_with_tail(one, one, one) != dytq::certified_sign::zero &&
                       dytq::detail::compare_with_tail(tiny, one, one.scaled(2)) == dytq::certified_sign::negative);
        }},
    hostile_case{"float32", "NaN and infinities", reason::none,
                 [](outputs&, int, int) {
                   using dytq::detail::float32;
                   const float32 nan{float32::nan_bits}, inf{float32::infinity_bits}, zero{}, payload{0xffffffffu};
                   return right((nan + zero).is_nan() && (inf + -inf).is_nan() && (inf * zero).is_nan() &&
                                (inf / inf).is_nan() && (zero / zero).is_nan() && (payload * zero).is_nan() &&
                                (payload / inf).is_nan() && (inf / zero).is_infinite() && (zero / inf).is_zero() &&
                                (inf * -inf).negative() && float32::from_double(not_a_number).is_nan() &&
                                float32::from_double(greatest).is_infinite() &&
                                float32::from_double(denormal).is_zero() && float32::from_integer(least).negative());
                 }},
    hostile_case{"reciprocal_float32", "the ends of the doubles", reason::none,
                 [](outputs&, int, int) {
                   return right(dytq::detail::reciprocal_float32(denormal).is_infinite() &&
                                dytq::detail::reciprocal_float32(greatest).is_zero());
                 }},
    hostile_case{"correctly_rounded, float32_function", "NaN and infinities", reason::none,
                 [](outputs&, int, int) {
                   using dytq::detail::float32;
                   const float32 nan{float32::nan_bits}, inf{float32::infinity_bits};
                   return right(dytq::detail::correctly_rounded<dytq::detail::tanh_function>(nan)->is_nan() &&
                                dytq::detail::correctly_rounded<dytq::detail::tanh_function>(-inf)->bits ==
                                    0xbf800000u &&
                                dytq::detail::float32_function(functions::logistic, inf)->bits == 0x3f800000u &&
                                dytq::detail::float32_function(functions::silu, -inf)->is_nan() &&
                                dytq::detail::float32_function(functions::gelu, nan)->is_nan() &&
                                dytq::detail::float32_function(functions::isru, inf)->is_nan());
                 }},
};

constexpr std::array at_run_time{
    hostile_case{"interpolation_error", "an output scale of NaN", reason::scale_not_finite,
                 [](outputs&, int, int) {
                   return why(dytq::interpolation_error(functions::tanh, in, {.scale = not_a_number}, dytq::lut16{}));
                 }},
    hostile_case{"interpolation_error", "a shift of 8", reason::shift_out_of_range,
                 [](outputs&, int, int) {
                   return why(dytq::interpolation_error(functions::tanh, in, out, dytq::lut16{.shift = 8}));
                 }},
    hostile_case{"interpolation_error", "the least shift", reason::shift_out_of_range,
                 [](outputs&, int, int) {
                   return why(dytq::interpolation_error(functions::tanh, in, out, dytq::lut16{.shift = INT32_MIN}));
                 }},
    hostile_case{"interpolation_error", "a cliff", reason::table_slope_overflow,
                 [](outputs&, int, int) {
                   dytq::lut16 cliff;
                   cliff.table[1] = 32767;
                   cliff.table[0] = -1;
                   return why(dytq::interpolation_error(functions::tanh, in, out, cliff));
                 }},
    hostile_case{"interpolation_error", "a zero point of 32 bits", reason::zero_point_out_of_range,
                 [](outputs&, int, int) {
                   return why(dytq::interpolation_error(functions::tanh, in, {.scale = 1.0, .zero_point = INT32_MIN},
                                                        dytq::lut16{}));
                 }},
    hostile_case{"interpolation_error", "the least output scale: what leaves the range is its bound", reason::none,
                 [](outputs&, int, int) {
                   const auto error =
                       dytq::interpolation_error(functions::tanh, in, {.scale = denormal}, dytq::lut16{});
                   return right(error && error->lo == std::int64_t{32768} << 32 && error->hi == error->lo);
                 }},
    hostile_case{"interpolation_error", "a range of 32 bits for a table of TFLite", reason::range_inverted,
                 [](outputs&, int, int) {
                   return why(dytq::interpolation_error(functions::tanh, in, {.scale = 1.0, .qmin = -40000},
                                                        dytq::tflite_table16{}));
                 }},
    hostile_case{"rounding_error", "an inverted range", reason::range_inverted,
                 [](outputs&, int, int) {
                   return why(
                       dytq::rounding_error(functions::tanh, in, {.scale = 1.0, .qmin = 1, .qmax = 0}, dytq::table8{}));
                 }},
    hostile_case{"rounding_error", "an input scale of infinity", reason::scale_not_finite,
                 [](outputs&, int, int) {
                   return why(dytq::rounding_error(functions::tanh, {.scale = infinite}, out, dytq::table8{}));
                 }},
    hostile_case{
        "make_tflite_lut16", "scales of NaN and 0", reason::scale_not_finite,
        [](outputs&, int, int) { return why(dytq::make_tflite_lut16(functions::tanh, not_a_number, 0, 0.0)); }},
    hostile_case{"make_tflite_lut16", "the greatest input scale of e^x", reason::value_exceeds_int32,
                 [](outputs&, int, int) { return why(dytq::make_tflite_lut16(functions::exp, greatest, 0, 1.0)); }},
    hostile_case{"make_tflite_lut16", "the least scales", reason::none,
                 [](outputs&, int, int) {
                   return right(dytq::make_tflite_lut16(functions::tanh, denormal, 0, greatest).value() ==
                                dytq::tflite_table16{});
                 }},
    hostile_case{"make_tflite_lut16", "the least zero point", reason::zero_point_out_of_range,
                 [](outputs&, int, int) { return why(dytq::make_tflite_lut16(functions::tanh, 1.0, INT32_MIN, 1.0)); }},
    hostile_case{
        "make_tflite_softmax_exp", "its ends", reason::none,
        [](outputs&, int, int) { return right(dytq::make_tflite_softmax_exp().value().entries[512] == 32767); }},
    hostile_case{
        "make_tflite_softmax_reciprocal", "its ends", reason::none,
        [](outputs&, int, int) { return right(dytq::make_tflite_softmax_reciprocal().value().entries[512] == 16384); }},
    hostile_case{"interpolation_error", "an inverted domain", reason::range_inverted,
                 [](outputs&, int, int) {
                   return why(dytq::interpolation_error(functions::tanh, in, out, dytq::lut16{}, {.domain = {1, 0}}));
                 }},
};

// One by one, since each has a compiler's limit of steps to itself.
template <std::size_t... I>
constexpr bool each_holds(std::index_sequence<I...>) {
  static_assert(((std::integral_constant<bool, plain[I].holds()>::value) && ...));
  return true;
}
static_assert(each_holds(std::make_index_sequence<plain.size()>{}));

}  // namespace

std::size_t check_functions() { return check(plain) + check(at_run_time); }

}  // namespace hostile
