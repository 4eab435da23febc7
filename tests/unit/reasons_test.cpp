// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every reason has an input that produces it, and what the rejection shows is true: each producer makes one and judges
// its counter-example with arithmetic of its own.
#include <dytq/fold.hpp>
#include <dytq/plan.hpp>
#include <dytq/rescale.hpp>

#include <array>
#include <cstdint>
#include <limits>

#include <dytq/check_fold.hpp>
#include <dytq/conv.hpp>
#include <dytq/fit_line.hpp>
#include <dytq/fit_rescale.hpp>
#include <dytq/fold_bounded.hpp>
#include <dytq/layer.hpp>
#include <dytq/scale.hpp>

#include "support/catch.hpp"
#include "support/plain_model.hpp"

using dytq::code_type;
using dytq::convolution;
using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::rounding_mode;
using dytq::view;
using dytq_tests::halved;
using dytq_tests::plain_beta;
using dytq_tests::plain_chain;
using dytq_tests::plain_gamma;
using dytq_tests::plain_rescale;
using dytq_tests::site_data;
using dytq_tests::table_of;

namespace {

using shape5 = std::array<std::int64_t, 5>;

struct producer {
  reason why;
  bool (*proves)();  // makes the rejection and verifies it
};

template <class T>
bool is(const dytq::result<T>& r, const rejection& as) {
  return !r && r.error() == as;
}

// Reasons that only the functions of tables make: their own tests produce them.
constexpr reason of_functions[] = {reason::undecided,          reason::outside_domain,    reason::estimate_wrong,
                                   reason::scale_not_positive, reason::scale_not_float32, reason::parameter_not_finite};

dytq::verdict of_operator(dytq::rescale_operator op) { return dytq::validate(op); }

dytq::result<dytq::axis_geometry> of_axis(const dytq::conv_axis& axis, std::int64_t kernel) {
  return dytq::axis_geometry::make(dytq::conv_kind::forward, axis, kernel);
}

// A site of two channels, a 1 x 1 convolution of two outputs, and room for a fold.
struct subject {
  site_data<2> data{.table = table_of<4>({-5, 0, 1, 7}), .gamma = {2, -1}, .beta = {3, -1}};
  std::array<std::int8_t, 4> w{1, 2, 3, 4};
  std::array<std::int32_t, 2> b{};
  std::array<std::int8_t, 4> out_w{};
  std::array<std::int32_t, 2> out_b{};
  std::array<std::int16_t, 8> lines{};

  convolution conv() const { return {.weight = {w.data(), shape5{2, 1, 1, 1, 2}}, .bias = b}; }
  dytq::fold_outputs out() {
    return {.weight = {out_w.data(), shape5{2, 1, 1, 1, 2}}, .bias = out_b, .workspace = lines};
  }
  dytq::result<dytq::affine_fold> fold(const convolution& c) {
    return dytq::fold_affine_into_conv(data.site(), c, out());
  }
};

const producer producers[] = {
    // scales
    {reason::scale_not_finite,
     [] {
       return dytq::quantize_scale(std::numeric_limits<double>::infinity()).error().why == reason::scale_not_finite &&
              dytq::quantize_scale(std::numeric_limits<double>::quiet_NaN()).error().why == reason::scale_not_finite;
     }},
    {reason::scale_negative, [] { return is(dytq::quantize_scale(-0.5), {.why = reason::scale_negative}); }},
    {reason::scale_too_large,
     [] {  // 2^29 = 2^30 >> 1
       return is(dytq::quantize_scale(536870912.0), {.why = reason::scale_too_large, .expected = 2, .got = 1}) &&
              dytq::quantize_scale(268435456.0)->shift == 2;
     }},
    {reason::scale_too_small,
     [] {  // 2^-33 = 2^30 >> 63
       return is(dytq::fits_target(dytq::scale_target::tosa, 1.0 / 8589934592.0),
                 {.why = reason::scale_too_small, .expected = 62, .got = 63}) &&
              dytq::fits_target(dytq::scale_target::tosa, 1.0 / 4294967296.0).has_value();
     }},
    {reason::unknown_dialect,
     [] {
       return dytq::quantize_scale(0.5, dytq::multiplier_width::bits32, static_cast<dytq::scale_dialect>(99))
                      .error()
                      .why == reason::unknown_dialect &&
              dytq::quantize_scale(0.5, static_cast<dytq::multiplier_width>(8)).error().why == reason::unknown_dialect;
     }},
    // unpredictable arithmetic
    {reason::multiplier_negative,
     [] {
       return is(dytq::apply_scale_32(1, -1, 30), {.why = reason::multiplier_negative, .expected = 0, .got = -1});
     }},
    {reason::multiplier_too_large,
     [] {
       return is(dytq::apply_scale_16(1, 32768, 15),
                 {.why = reason::multiplier_too_large, .expected = 32767, .got = 32768}) &&
              is(dytq::apply_scale_32(1, std::int64_t{1} << 31, 30),
                 {.why = reason::multiplier_too_large, .expected = INT32_MAX, .got = std::int64_t{1} << 31});
     }},
    {reason::shift_out_of_range,
     [] {
       return is(dytq::apply_scale_32(1, 1, 1), {.why = reason::shift_out_of_range, .expected = 2, .got = 1}) &&
              is(dytq::apply_scale_32(1, 1, 63), {.why = reason::shift_out_of_range, .expected = 62, .got = 63}) &&
              is(dytq::mul_int32(1, 1, 64), {.why = reason::shift_out_of_range, .expected = 63, .got = 64});
     }},
    {reason::left_shift_out_of_range,
     [] {
       const auto left = [](int by, rounding_mode rounding) {
         return dytq::validate(dytq::rescale{.shift = 31, .rounding = rounding, .left_shift = by});
       };
       return is(left(31, rounding_mode::tflite_double),
                 {.why = reason::left_shift_out_of_range, .expected = 30, .got = 31}) &&
              is(left(-1, rounding_mode::tflite_single),
                 {.why = reason::left_shift_out_of_range, .expected = 0, .got = -1}) &&
              is(left(1, rounding_mode::single_round),
                 {.why = reason::left_shift_out_of_range, .expected = 0, .got = 1}) &&
              left(30, rounding_mode::tflite_double).has_value();
     }},
    {reason::value_exceeds_shift,
     [] {
       subject s;
       s.data.steps.gamma_out.shift = 4;  // [-8, 8)
       const rejection why = s.fold(s.conv()).error();
       const auto site = s.data.site();
       // The first channel and code whose product leaves the range, and the product itself.
       return why.why == reason::value_exceeds_shift && why.at == place::gamma_out &&
              why.expected == (why.got < 0 ? -8 : 7) && why.got == why.code * site.gamma(why.channel) &&
              (why.got < -8 || why.got >= 8) && !plain_gamma(site, why.channel, why.code).ok;
     }},
    {reason::value_exceeds_int48,
     [] {
       constexpr std::int64_t top = std::int64_t{1} << 47;
       return is(dytq::apply_scale_16(top, 1, 40),
                 {.why = reason::value_exceeds_int48, .code = top, .expected = top - 1, .got = top}) &&
              is(dytq::apply_scale_16(-top - 1, 1, 40),
                 {.why = reason::value_exceeds_int48, .code = -top - 1, .expected = -top, .got = -top - 1}) &&
              dytq::apply_scale_16(-top, 1, 40).has_value();
     }},
    {reason::value_exceeds_int32,
     [] {
       subject s;
       s.data.steps.add_out.output_zp = INT32_MAX - 5;
       const rejection why = dytq::is_identity(s.data.site()).error();
       const auto site = s.data.site();
       const std::int64_t sum =
           plain_gamma(site, why.channel, why.code).v + site.beta(why.channel) + std::int64_t{INT32_MAX} - 5;
       return why.why == reason::value_exceeds_int32 && why.at == place::add_out && why.got == sum && sum > INT32_MAX &&
              why.expected == INT32_MAX && !plain_chain(site, why.channel, why.code).ok &&
              // too far from the zero point, though not for the shift
              is(dytq::apply({.multiplier = 1, .shift = 62, .input_zp = INT32_MIN}, 0),
                 {.why = reason::value_exceeds_int32,
                  .code = 0,
                  .expected = INT32_MAX,
                  .got = -std::int64_t{INT32_MIN}});
     }},
    {reason::mul_overflow,
     [] {
       const std::int64_t product = (std::int64_t{1} << 40) / 2;
       return is(dytq::mul_int32(1 << 20, 1 << 20, 1),
                 {.why = reason::mul_overflow, .code = 1 << 20, .expected = INT32_MAX, .got = product});
     }},
    {reason::add_overflow,
     [] {
       subject s;
       s.data.steps.beta.output_zp = INT32_MAX - 5;
       s.data.steps.add_out.shift = 62;  // takes every int32
       const rejection why = dytq::is_identity(s.data.site()).error();
       const auto site = s.data.site();
       const std::int64_t sum =
           plain_gamma(site, why.channel, why.code).v + std::int64_t{INT32_MAX} - 5 + site.beta(why.channel);
       return why.why == reason::add_overflow && why.at == place::beta && why.got == sum && sum > INT32_MAX &&
              why.expected == INT32_MAX &&
              is(dytq::add_int32(INT32_MIN, -1), {.why = reason::add_overflow,
                                                  .code = INT32_MIN,
                                                  .expected = INT32_MIN,
                                                  .got = std::int64_t{INT32_MIN} - 1});
     }},
    {reason::table_slope_overflow,
     [] {
       dytq::table16 table{};
       table[256] = -32768;
       table[257] = 1;
       return is(
           dytq::lookup(table, 5),
           {.why = reason::table_slope_overflow, .at = place::table, .code = 5, .expected = 32767, .got = 1 - -32768});
     }},
    // what TOSA calls an error
    {reason::zero_point_not_zero,
     [] {
       return is(of_operator({.in = code_type::i16, .input_zp = 1}),
                 {.why = reason::zero_point_not_zero, .at = place::input, .expected = 0, .got = 1}) &&
              is(of_operator({.out = code_type::u16, .output_zp = 5}),
                 {.why = reason::zero_point_not_zero, .at = place::output, .expected = 0, .got = 5}) &&
              of_operator({.out = code_type::u16, .output_zp = 32768}).has_value();
     }},
    {reason::zero_point_out_of_range,
     [] {
       return is(of_operator({.in = code_type::u8, .input_zp = 256}),
                 {.why = reason::zero_point_out_of_range, .at = place::input, .expected = 255, .got = 256});
     }},
    {reason::scale32_with_int48,
     [] {
       return is(of_operator({.in = code_type::i48, .out = code_type::i32}), {.why = reason::scale32_with_int48});
     }},
    {reason::double_round_without_scale32,
     [] {
       return is(of_operator({.scale32 = false, .rounding = rounding_mode::double_round}),
                 {.why = reason::double_round_without_scale32});
     }},
    {reason::inexact_round,
     [] { return is(of_operator({.rounding = rounding_mode::inexact_round}), {.why = reason::inexact_round}); }},
    {reason::unknown_rounding_mode,
     [] {
       return is(of_operator({.rounding = static_cast<rounding_mode>(9)}),
                 {.why = reason::unknown_rounding_mode, .got = 9});
     }},
    {reason::unknown_type,
     [] {
       return is(of_operator({.in = static_cast<code_type>(77)}),
                 {.why = reason::unknown_type, .at = place::input, .got = 77}) &&
              is(of_operator({.out = code_type::i48}),
                 {.why = reason::unknown_type, .at = place::output, .got = static_cast<std::int64_t>(code_type::i48)});
     }},
    {reason::unsigned_wide_type,
     [] {
       return is(dytq::type_of(48, true), {.why = reason::unsigned_wide_type, .expected = 16, .got = 48}) &&
              dytq::type_of(16, true).value() == code_type::u16 && dytq::type_of(48, false).value() == code_type::i48 &&
              is(dytq::type_of(24, false), {.why = reason::unknown_type, .got = 24});
     }},
    {reason::both_unsigned,
     [] { return is(of_operator({.in = code_type::u8, .out = code_type::u16}), {.why = reason::both_unsigned}); }},
    {reason::unsigned_with_int32,
     [] {
       return is(of_operator({.in = code_type::i32, .out = code_type::u8}), {.why = reason::unsigned_with_int32}) &&
              is(of_operator({.in = code_type::u16, .out = code_type::i32}), {.why = reason::unsigned_with_int32});
     }},
    {reason::int48_to_unsigned,
     [] {
       return is(of_operator({.in = code_type::i48, .out = code_type::u8, .scale32 = false}),
                 {.why = reason::int48_to_unsigned});
     }},
    {reason::per_channel_count,
     [] {
       std::array<std::int8_t, 3> x{};
       const std::array<std::int32_t, 2> two{1, 30};
       const view<std::int8_t> v = x;
       return is(dytq::apply({.per_channel = true}, v, two, two, v),
                 {.why = reason::per_channel_count, .expected = 3, .got = 2});
     }},
    {reason::table_size,
     [] {
       const std::array<std::int8_t, 255> table{};
       return is(dytq::lookup(table, std::int8_t{0}),
                 {.why = reason::table_size, .at = place::table, .expected = 256, .got = 255});
     }},
    {reason::pad_out_of_range,
     [] {
       return is(of_axis({.input = 5, .before = -1}, 3), {.why = reason::pad_out_of_range, .expected = 0, .got = -1});
     }},
    {reason::stride_not_positive,
     [] {
       return is(of_axis({.input = 5, .stride = 0}, 3), {.why = reason::stride_not_positive, .expected = 1, .got = 0});
     }},
    {reason::dilation_not_positive,
     [] {
       return is(of_axis({.input = 5, .dilation = 0}, 3),
                 {.why = reason::dilation_not_positive, .expected = 1, .got = 0});
     }},
    {reason::stride_does_not_divide,
     [] {
       const rejection why = of_axis({.input = 8, .stride = 3, .before = 1}, 2).error();
       return why == rejection{.why = reason::stride_does_not_divide, .expected = 6, .got = 8 - 1 + 1 - 1};
     }},
    {reason::shape_mismatch,
     [] {
       subject s;
       auto out = s.out();
       out.weight.extents[0] = 1;
       return is(dytq::fold_affine_into_conv(s.data.site(), s.conv(), out),
                 {.why = reason::shape_mismatch, .at = place::weight, .expected = 2, .got = 1});
     }},
    {reason::bias_count,
     [] {
       subject s;
       const std::array<std::int32_t, 3> three{};
       auto conv = s.conv();
       conv.bias = three;
       return is(s.fold(conv), {.why = reason::bias_count, .at = place::bias, .expected = 2, .got = 3});
     }},
    {reason::group_count,
     [] {
       subject s;
       auto conv = s.conv();
       conv.groups = 6;
       const rejection six = s.fold(conv).error();
       conv.groups = 0;
       return six == rejection{.why = reason::group_count, .at = place::weight, .expected = 2, .got = 6} &&
              s.fold(conv).error() ==
                  rejection{.why = reason::group_count, .at = place::weight, .expected = 1, .got = 0};
     }},
    // arguments
    {reason::null_view,
     [] {
       return is(dytq::lookup(view<const std::int8_t>(nullptr, {256}), std::int8_t{0}),
                 {.why = reason::null_view, .at = place::table});
     }},
    {reason::negative_extent,
     [] {
       std::int8_t one = 0;
       return is(dytq::validate(view<std::int8_t>(&one, {-3})),
                 {.why = reason::negative_extent, .expected = 0, .got = -3});
     }},
    {reason::extent_overflow,
     [] {
       std::int32_t one = 0;
       constexpr std::int64_t limit = PTRDIFF_MAX / 4;
       return is(dytq::validate(view<std::int32_t>(&one, {limit + 1})),
                 {.why = reason::extent_overflow, .expected = limit, .got = limit + 1});
     }},
    {reason::aliased_output,
     [] {
       std::array<std::int8_t, 9> x{};
       const view<std::int8_t, 2> v(x.data(), {3, 3}, {2, 1});
       return is(dytq::validate_output(v),
                 {.why = reason::aliased_output, .at = place::output, .expected = 3, .got = 2}) &&
              &v(0, 2) == &v(1, 0);
     }},
    {reason::overlapping_views,
     [] {
       subject s;
       auto out = s.out();
       out.weight = {s.w.data(), shape5{2, 1, 1, 1, 2}, shape5{1, 4, 4, 4, 2}};
       return is(dytq::fold_affine_into_conv(s.data.site(), s.conv(), out),
                 {.why = reason::overlapping_views, .at = place::weight});
     }},
    {reason::code_out_of_range,
     [] {
       return is(dytq::make_table([](int c) { return c + 1; }),
                 {.why = reason::code_out_of_range, .code = 127, .expected = 127, .got = 128});
     }},
    {reason::range_inverted,
     [] {
       return is(dytq::clamp(0, {1, 0}), {.why = reason::range_inverted, .expected = 1, .got = 0});
     }},
    {reason::empty, [] { return dytq::fit_affine(view<const int>(), view<const int>()).error().why == reason::empty; }},
    {reason::size_mismatch,
     [] {
       const std::array<int, 2> two{};
       const std::array<int, 3> three{};
       return is(dytq::fit_affine(view<const int>(two), view<const int>(three)),
                 {.why = reason::size_mismatch, .expected = 2, .got = 3});
     }},
    {reason::output_missing,
     [] {
       subject s;
       s.data.gamma = {1, 1};
       const auto conv = s.conv();
       const rejection why = dytq::fold_affine_into_conv(s.data.site(), conv, {.workspace = s.lines}).error();
       return why == rejection{.why = reason::output_missing, .at = place::weight} && s.out_w[0] == 0 &&
              dytq::prove_affine_fold(s.data.site(), conv, s.lines);
     }},
    {reason::geometry_unset,
     [] {
       // The convolution that was meant is padded; nothing said so.
       const subject s;
       convolution conv = s.conv();
       conv.weight.extents = {2, 1, 1, 2, 1};
       const bool unsaid = is(dytq::validate(conv),
                              {.why = reason::geometry_unset, .at = place::weight, .axis = 2, .expected = 1, .got = 2});
       conv.axes = dytq::unpadded;
       const bool unpadded = dytq::validate(conv).has_value();
       conv.axes[2] = {.input = 4, .before = 1};
       return unsaid && unpadded && dytq::validate(conv).has_value();
     }},
    {reason::contradiction,
     [] {
       const std::array<int, 3> codes{4, 5, 4};
       const std::array<int, 3> values{1, 2, 3};
       return is(dytq::fit_affine(view<const int>(codes), view<const int>(values)),
                 {.why = reason::contradiction, .at = place::index, .code = 4, .expected = 1, .got = 3});
     }},
    // folds
    {reason::channel_count,
     [] {
       subject s;
       auto conv = s.conv();
       conv.groups = 2;  // four input channels
       return is(s.fold(conv), {.why = reason::channel_count, .at = place::weight, .expected = 2, .got = 4});
     }},
    {reason::zero_point_mismatch,
     [] {
       subject s;
       auto conv = s.conv();
       conv.input_zp = 4;
       return is(s.fold(conv), {.why = reason::zero_point_mismatch, .at = place::input, .expected = 0, .got = 4});
     }},
    {reason::not_affine,
     [] {
       subject s;
       s.data.gamma = {2, 100};
       const rejection why = s.fold(s.conv()).error();
       const auto site = s.data.site();
       const auto y = [&](std::int64_t x) { return plain_chain(site, why.channel, x).v; };
       return why.why == reason::not_affine && why.channel == 1 && s.w[static_cast<std::size_t>(why.channel)] != 0 &&
              why.got == y(why.code) && (y(why.code) - y(-5)) * 12 != (y(7) - y(-5)) * (why.code + 5);
     }},
    {reason::weight_overflow,
     [] {
       subject s;
       s.w = {1, 2, 64, 4};
       const rejection why = s.fold(s.conv()).error();
       return why == rejection{.why = reason::weight_overflow,
                               .at = place::weight,
                               .channel = 0,
                               .output_channel = 1,
                               .tap = 0,
                               .expected = 127,
                               .got = 64 * 2};
     }},
    {reason::padding,
     [] {
       subject s;
       s.data.gamma = {1, 1};
       auto conv = s.conv();
       for (auto& a : conv.axes) {
         a.input = 1;
       }
       conv.axes[2].before = 1;
       const auto fold = s.fold(conv);
       // Slopes of 1 keep the weights; the border sums to 0, so z' solves w . (beta + z') = 0 in both output channels:
       // 3 - 2 + 3 z' = 0 does not.
       bool solved = false;
       for (int z = -128; z < 128; ++z) {
         solved = solved || s.w[0] * (3 + z) + s.w[1] * (-1 + z) == 0;
       }
       return fold.error().why == reason::padding && fold.error().output_channel == 0 && !solved;
     }},
    {reason::bias_overflow,
     [] {
       subject s;
       s.b = {0, INT32_MAX};
       return is(s.fold(s.conv()), {.why = reason::bias_overflow,
                                    .at = place::bias,
                                    .output_channel = 1,
                                    .expected = INT32_MAX,
                                    .got = std::int64_t{INT32_MAX} + 3 * 3 - 4});
     }},
    {reason::accumulator_overflow,
     [] {
       const std::array<std::int8_t, 1> x{127};
       const std::array<std::int8_t, 1> w{2};
       const std::array<std::int32_t, 1> b{INT32_MAX - 253};
       std::array<std::int32_t, 1> out{};
       const auto done = dytq::evaluate({.weight = {w.data(), shape5{1, 1, 1, 1, 1}}, .bias = b},
                                        {x.data(), shape5{1, 1, 1, 1, 1}}, {out.data(), shape5{1, 1, 1, 1, 1}});
       return is(done, {.why = reason::accumulator_overflow,
                        .at = place::output,
                        .output_channel = 0,
                        .expected = INT32_MAX,
                        .got = std::int64_t{INT32_MAX} + 1});
     }},
    {reason::not_identity,
     [] {
       const subject s;
       const auto site = s.data.site();
       const rejection why = dytq::is_identity(site).error();
       return why.why == reason::not_identity && why.expected == why.code && why.got != why.code &&
              why.got == plain_chain(site, why.channel, why.code).v;
     }},
    {reason::not_uniform,
     [] {
       const subject s;
       const auto site = s.data.site();
       const rejection why = dytq::fold_affine_into_table(site).error();
       return why.why == reason::not_uniform && why.channel == 1 && why.expected == plain_chain(site, 0, why.code).v &&
              why.got == plain_chain(site, 1, why.code).v && why.expected != why.got;
     }},
    {reason::not_parallel,
     [] {
       subject s;
       s.data.gamma = {1, 100};
       const auto site = s.data.site();
       const rejection why = dytq::fold_affine_into_table_and_conv(site, s.conv(), s.out()).error();
       const auto rise = [&](std::int64_t c, std::int64_t x) {
         return plain_chain(site, c, x).v - plain_chain(site, c, -5).v;
       };
       bool crossed = false;
       for (const int x : {0, 1, 7}) {
         crossed = crossed || rise(0, x) * rise(1, why.code) != rise(0, why.code) * rise(1, x);
       }
       return why.why == reason::not_parallel && why.channel == 1 && why.expected != why.got && crossed;
     }},
    {reason::no_rescale,
     [] {
       const std::array<int, 2> codes{1, 2};
       const std::array<int, 2> values{5, 4};  // no multiplier >= 0 falls
       const dytq::rescale_search search{.multiplier_max = 15, .shifts = {2, 5}};
       const auto fit = dytq::fit_rescale(view<const int>(codes), view<const int>(values), search);
       bool exists = false;
       for (std::int32_t shift = 2; shift <= 5; ++shift) {
         for (std::int32_t m = 0; m <= 15; ++m) {
           const dytq::rescale r{.multiplier = m, .shift = shift, .out = dytq::int8_range};
           exists = exists || (plain_rescale(r, 1).ok && plain_rescale(r, 2).ok && plain_rescale(r, 1).v == 5 &&
                               plain_rescale(r, 2).v == 4);
         }
       }
       return fit.error().why == reason::no_rescale && !exists && (fit.error().code == 1 || fit.error().code == 2);
     }},
    {reason::no_line,
     [] {
       const std::array<int, 3> codes{0, 1, 2};
       const std::array<int, 3> values{0, 3, 0};
       const auto fit = dytq::fit_line(view<const int>(codes), view<const int>(values));
       // At 0 and 2 a line is below 1/2, so it is below 1/2 at 1 as well.
       return is(fit, {.why = reason::no_line, .code = 1, .expected = 3, .got = 0});
     }},
    {reason::no_line_weight,
     [] {
       const std::array<int, 2> codes{0, 1};
       const std::array<int, 2> values{5, 4};  // a line, but it falls
       const dytq::line_search rising{.weights = {1, 127}};
       const auto fit = dytq::fit_line(view<const int>(codes), view<const int>(values), rising);
       return is(fit, {.why = reason::no_line_weight}) &&
              dytq::fit_line(view<const int>(codes), view<const int>(values))->weight < 0;
     }},
    {reason::no_gamma,
     [] {
       subject s;
       s.data.has_gamma = false;
       return is(dytq::gamma_as_rescale(s.data.site()), {.why = reason::no_gamma, .at = place::gamma});
     }},
    {reason::no_beta,
     [] {
       subject s;
       s.data.has_beta = false;
       return is(dytq::fold_beta_into_conv(s.data.site(), s.conv(), s.out()),
                 {.why = reason::no_beta, .at = place::beta});
     }},
    {reason::no_chain,
     [] {
       subject s;
       const dytq::chain_step other{.op = dytq::operation::clamp, .range = {-5, 5}};
       dytq::affine_site site = s.data.site();
       site.gamma = site.beta = {};
       site.chain = dytq::view<const dytq::chain_step>(&other, {1});
       site.chain_channels = 2;
       return is(dytq::gamma_as_rescale(site), {.why = reason::no_chain, .at = place::gamma}) &&
              dytq::gamma_as_depthwise(site).error().why == reason::no_chain &&
              dytq::fold_beta_into_conv(site, s.conv(), s.out()).error().why == reason::no_chain &&
              dytq::is_identity(site, dytq::affine_half::gamma).error().why == reason::no_chain;
     }},
    {reason::shared,
     [] {
       subject s;
       const dytq::chain_step step{.op = dytq::operation::clamp, .range = {-5, 5}};
       const dytq::chain c{.steps = view<const dytq::chain_step>(&step, {1}), .channels = 2};
       const dytq::chain_reader reader{.conv = s.conv(), .writable = false};
       std::array<std::int8_t, 512> codes{};
       std::array<std::int32_t, 2> numbers{};
       const auto p = dytq::plan(c, {.codes = codes, .numbers = numbers, .lines = s.lines}, dytq::targets::tosa,
                                 {.readers = view<const dytq::chain_reader>(&reader, {1})});
       return p && (*p)[dytq::form::into_conv].why.why == reason::shared &&
              (*p)[dytq::form::into_conv].why.convolution == 0;
     }},
    {reason::not_scale_one,
     [] {
       subject s;
       s.data.steps.table = halved(1);
       const rejection why = dytq::gamma_as_depthwise(s.data.site()).error();
       return why == rejection{.why = reason::not_scale_one,
                               .at = place::table,
                               .code = -5,
                               .expected = -5,
                               .got = plain_rescale(halved(1), -5).v} &&
              why.got != why.expected;
     }},
    {reason::observable_code,
     [] {
       subject s;
       const dytq::site_chain c(s.data.site());
       const auto sizes = dytq::plan_workspace_sizes(c.get()).value();
       std::array<std::int8_t, 4096> codes{};
       std::array<std::int32_t, 2> numbers{};
       const dytq::chain_reader reader{.conv = s.conv()};
       dytq::chain_uses uses{.readers = view<const dytq::chain_reader>(&reader, {1})};
       uses.observed.insert(c.end());
       const auto p = dytq::plan(
           c.get(), {.codes = view<std::int8_t>(codes.data(), {sizes.codes}), .numbers = numbers, .lines = s.lines},
           dytq::targets::tosa, uses);
       return p && (*p)[dytq::form::into_conv].why ==
                       rejection{.why = reason::observable_code, .at = place::output, .step = c.end() - 1};
     }},
    {reason::target_lacks,
     [] {
       subject s;
       const dytq::site_chain c(s.data.site());
       const auto sizes = dytq::plan_workspace_sizes(c.get()).value();
       std::array<std::int8_t, 4096> codes{};
       std::array<std::int32_t, 2> numbers{};
       const auto p =
           dytq::plan(c.get(), {.codes = view<std::int8_t>(codes.data(), {sizes.codes}), .numbers = numbers});
       return p && (*p)[dytq::form::channel_tables].why == rejection{.why = reason::target_lacks};
     }},
    {reason::fold_differs,
     [] {
       subject s;
       const auto site = s.data.site();
       const auto fold = s.fold(s.conv());
       s.out_w[3] = static_cast<std::int8_t>(s.out_w[3] + 1);
       const dytq::claimed_fold claim{
           .weight = s.out().weight, .bias = view<const std::int32_t>(s.out_b), .input_zp = fold->input_zp};
       const rejection why = dytq::check_fold(site, s.conv(), claim).error();
       const std::int64_t rise =
           plain_chain(site, 1, site.table(why.code + 128)).v - plain_chain(site, 1, site.table(0)).v;
       const std::int64_t claimed = site.table(why.code + 128) - site.table(0);
       return why.why == reason::fold_differs && why.output_channel == 1 && why.channel == 1 && why.tap == 0 &&
              why.got == s.out_w[3] * claimed && why.expected == 4 * rise && why.got != why.expected;
     }},
    {reason::beyond_tolerance,
     [] {  // one channel, x^2 on -4, 0 and 4: no line is nearer than 8, times a weight of 3 and a scale of 1/2
       const std::array<std::int8_t, 256> squares = table_of<3>({-4, 0, 4});
       dytq::affine_site site{.table = squares};
       std::array<std::int8_t, 256> maps{};
       maps[128 - 4] = maps[128 + 4] = 16;
       const std::array<dytq::chain_step, 1> steps{dytq::chain_step{
           .op = dytq::operation::channel_tables, .tables = view<const std::int8_t, 2>(maps.data(), {1, 256})}};
       site.chain = steps;
       site.chain_channels = 1;
       const std::array<std::int8_t, 1> w{3};
       const std::array<std::int32_t, 1> m{1 << 30};
       const std::array<std::int32_t, 1> shift{31};
       std::array<std::int64_t, 300> workspace{};
       const convolution conv{.weight = {w.data(), shape5{1, 1, 1, 1, 1}}};
       const auto fold =
           dytq::prove_bounded_fold(site, conv, {m, shift}, 11, {workspace.data(), {dytq::bounded_workspace(conv)}});
       return is(fold, {.why = reason::beyond_tolerance,
                        .at = place::output,
                        .output_channel = 0,
                        .expected = 11,
                        .got = 12,
                        .least = 12});
     }},
};

}  // namespace

TEST_CASE("every reason has a producer, and each proves its counter-example") {
  for (int i = 1; i < static_cast<int>(reason::count_); ++i) {
    const auto why = static_cast<reason>(i);
    int found = 0;
    for (const reason r : of_functions) {
      found += r == why ? 1 : 0;
    }
    for (const producer& p : producers) {
      if (p.why == why) {
        ++found;
        INFO(dytq::name(why));
        CHECK(p.proves());
      }
    }
    INFO(dytq::name(why));
    CHECK(found == 1);
  }
}

TEST_CASE("beta's own chain is judged too") {
  // The plain model of the beta half is what the refusals above rest on: one value by hand.
  const subject s;
  CHECK(plain_beta(s.data.site(), 0, 10).v == 13);
}
