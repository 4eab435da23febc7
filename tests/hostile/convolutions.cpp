// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of impossible geometry, and accumulators of 2^31.
#include "hostile.hpp"

#include <dytq/conv.hpp>

namespace hostile {
namespace {

using dytq::conv_axis;
using dytq::conv_kind;
using dytq::convolution;

template <class F>
constexpr reason of(F spoil) {
  convolution conv = good_conv();
  spoil(conv);
  return why(dytq::validate(conv));
}
constexpr reason of_axis(const conv_axis& axis, std::int64_t kernel, conv_kind kind = conv_kind::forward) {
  return why(dytq::axis_geometry::make(kind, axis, kernel));
}

// Two inputs of two channels, and the convolution's two outputs.
constexpr std::array<std::int8_t, 4> inputs{1, 2, 3, 4};
constexpr dytq::activation_view<const std::int8_t> good_input() { return {inputs.data(), {2, 1, 1, 1, 2}}; }
constexpr dytq::activation_view<std::int32_t> good_output(outputs& to) { return {to.words.data(), {2, 1, 1, 1, 2}}; }

constexpr std::array plain{
    hostile_case{"validate(convolution)", "no weights", reason::null_view,
                 [](outputs&, int, int) { return of([](auto& c) { c.weight.data = nullptr; }); }},
    hostile_case{"validate(convolution)", "absent weights", reason::empty,
                 [](outputs&, int, int) { return of([](auto& c) { c.weight = {}; }); }},
    hostile_case{"validate(convolution)", "weights beyond size_t", reason::extent_overflow,
                 [](outputs&, int, int) {
                   return of([](auto& c) { c.weight.extents = {huge, huge, huge, huge, huge}; });
                 }},
    hostile_case{"validate(convolution)", "a negative kernel", reason::negative_extent,
                 [](outputs&, int, int) { return of([](auto& c) { c.weight.extents[2] = -1; }); }},
    hostile_case{"validate(convolution)", "no groups", reason::group_count,
                 [](outputs&, int, int) { return of([](auto& c) { c.groups = 0; }); }},
    hostile_case{"validate(convolution)", "the least number of groups", reason::group_count,
                 [](outputs&, int, int) { return of([](auto& c) { c.groups = least; }); }},
    hostile_case{"validate(convolution)", "more groups than outputs", reason::group_count,
                 [](outputs&, int, int) { return of([](auto& c) { c.groups = most; }); }},
    hostile_case{"validate(convolution)", "groups that do not divide", reason::group_count,
                 [](outputs&, int, int) { return of([](auto& c) { c.groups = 3; }); }},
    hostile_case{"validate(convolution)", "a bias from nowhere", reason::null_view,
                 [](outputs&, int, int) { return of([](auto& c) { c.bias.data = nullptr; }); }},
    hostile_case{"validate(convolution)", "three biases for two outputs", reason::bias_count,
                 [](outputs&, int, int) { return of([](auto& c) { c.bias.extents[0] = 3; }); }},
    hostile_case{"validate(convolution)", "no biases at an address", reason::bias_count,
                 [](outputs&, int, int) { return of([](auto& c) { c.bias.extents[0] = 0; }); }},
    hostile_case{
        "validate(convolution)", "weight zero points from nowhere", reason::null_view,
        [](outputs&, int, int) { return of([](auto& c) { c.weight_zp = view<const std::int8_t>(nullptr, {2}); }); }},
    hostile_case{"validate(convolution)", "three weight zero points for two outputs", reason::channel_count,
                 [](outputs&, int, int) {
                   return of([](auto& c) { c.weight_zp = view<const std::int8_t>(weights.data(), {3}); });
                 }},
    hostile_case{"validate(convolution)", "an input zero point of 9 bits", reason::zero_point_out_of_range,
                 [](outputs&, int, int) { return of([](auto& c) { c.input_zp = 128; }); }},
    hostile_case{"validate(convolution)", "the least input zero point", reason::zero_point_out_of_range,
                 [](outputs&, int, int) { return of([](auto& c) { c.input_zp = INT32_MIN; }); }},
    hostile_case{"validate(convolution)", "an inverted weight range", reason::range_inverted,
                 [](outputs&, int, int) { return of([](auto& c) {
                                            c.weight_range = {127, -128};
                                          }); }},
    hostile_case{"validate(convolution)", "a weight range of 64 bits", reason::range_inverted,
                 [](outputs&, int, int) { return of([](auto& c) {
                                            c.weight_range = {least, most};
                                          }); }},
    hostile_case{"validate(convolution)", "a kind without a name", reason::unknown_type,
                 [](outputs&, int, int) { return of([](auto& c) { c.kind = static_cast<conv_kind>(2); }); }},
    hostile_case{"validate(convolution)", "the largest stride of the last axis", reason::extent_overflow,
                 [](outputs&, int, int) { return of([](auto& c) { c.axes[2].stride = most; }); }},
    hostile_case{"axis_geometry", "stride 0", reason::stride_not_positive,
                 [](outputs&, int, int) { return of_axis({.input = 4, .stride = 0}, 1); }},
    hostile_case{"axis_geometry", "dilation 0", reason::dilation_not_positive,
                 [](outputs&, int, int) { return of_axis({.input = 4, .dilation = 0}, 1); }},
    hostile_case{"axis_geometry", "a dilated transposed convolution", reason::dilation_not_positive,
                 [](outputs&, int, int) { return of_axis({.input = 4, .dilation = 2}, 3, conv_kind::transposed); }},
    hostile_case{"axis_geometry", "padding -1", reason::pad_out_of_range,
                 [](outputs&, int, int) { return of_axis({.input = 4, .before = -1}, 1); }},
    hostile_case{"axis_geometry", "the largest padding", reason::extent_overflow,
                 [](outputs&, int, int) { return of_axis({.input = 4, .before = most, .after = most}, 1); }},
    hostile_case{"axis_geometry", "padding and input that add up beyond int32", reason::none,
                 [](outputs&, int, int) {
                   const auto g = dytq::axis_geometry::make(
                       conv_kind::forward, {.input = INT32_MAX, .before = INT32_MAX, .after = INT32_MAX}, 1);
                   return right(g && g->outputs() == 3 * std::int64_t{INT32_MAX} && g->next_class(0) > 0);
                 }},
    hostile_case{"axis_geometry", "the largest transposed convolution", reason::none,
                 [](outputs&, int, int) {
                   constexpr std::int64_t far = INT32_MAX;
                   const auto g = dytq::axis_geometry::make(
                       conv_kind::transposed, {.input = far, .stride = far, .before = far, .after = far}, far);
                   return right(g && g->outputs() == (far - 1) * far + 3 * far && !g->reads(0, far - 1) &&
                                g->touches(far - 1));
                 }},
    hostile_case{"axis_geometry", "no kernel", reason::shape_mismatch,
                 [](outputs&, int, int) { return of_axis({.input = 4}, 0); }},
    hostile_case{"axis_geometry", "the least kernel", reason::extent_overflow,
                 [](outputs&, int, int) { return of_axis({.input = 4}, least); }},
    hostile_case{"axis_geometry", "a negative input", reason::shape_mismatch,
                 [](outputs&, int, int) { return of_axis({.input = -4}, 1); }},
    hostile_case{"axis_geometry", "any input, but padded", reason::shape_mismatch,
                 [](outputs&, int, int) { return of_axis({.input = conv_axis::any_input, .before = 1}, 3); }},
    hostile_case{"axis_geometry", "a kernel wider than what it reads", reason::shape_mismatch,
                 [](outputs&, int, int) { return of_axis({.input = 4, .dilation = INT32_MAX}, 3); }},
    hostile_case{"axis_geometry", "a stride that does not divide", reason::stride_does_not_divide,
                 [](outputs&, int, int) { return of_axis({.input = 4, .stride = 2}, 1); }},
    hostile_case{
        "axis_geometry", "a transposed convolution padded away", reason::shape_mismatch,
        [](outputs&, int, int) { return of_axis({.input = 1, .before = -2, .after = -2}, 3, conv_kind::transposed); }},
    hostile_case{"from_hwim", "no data", reason::null_view,
                 [](outputs&, int, int) {
                   return why(dytq::from_hwim(view<const std::int8_t, 4>(nullptr, {1, 1, 2, 2})));
                 }},
    hostile_case{"from_hwim", "extents beyond size_t", reason::extent_overflow,
                 [](outputs&, int, int) {
                   return why(dytq::from_hwim(view<const std::int8_t, 4>(weights.data(), {1, 1, huge, huge})));
                 }},
    hostile_case{"from_hwim", "a slice that is no single axis", reason::shape_mismatch,
                 [](outputs&, int, int) {
                   return why(dytq::from_hwim(view<const std::int8_t, 4>(weights.data(), {1, 1, 2, 2}, {0, 0, 3, 1})));
                 }},
    hostile_case{"from_hwim", "strides at the ends of int64, which nothing steps over", reason::none,
                 [](outputs&, int, int) {
                   const auto w = dytq::from_hwim(
                       view<const std::int8_t, 4>(weights.data(), {1, 1, 1, 1}, {most, least, most, least}));
                   return right(w && w->extents[0] == 1);
                 }},
    hostile_case{
        "from_ohwi, from_oihw, from_oi, from_owi, from_nhwc", "views of nowhere stay refused", reason::null_view,
        [](outputs&, int, int) {
          using dytq::validate;
          const std::int8_t* const none = nullptr;
          const reason all[] = {why(validate(dytq::from_ohwi(view<const std::int8_t, 4>(none, {1, 1, 1, 1})))),
                                why(validate(dytq::from_oihw(view<const std::int8_t, 4>(none, {1, 1, 1, 1})))),
                                why(validate(dytq::from_oi(view<const std::int8_t, 2>(none, {1, 1})))),
                                why(validate(dytq::from_owi(view<const std::int8_t, 3>(none, {1, 1, 1})))),
                                why(validate(dytq::from_nhwc(view<const std::int8_t, 4>(none, {1, 1, 1, 1}))))};
          reason common = all[0];
          for (const reason r : all) {
            common = r == common ? common : reason::count_;
          }
          return common;
        }},
    hostile_case{"weight_zero_point, bias_value", "one for all, at the last output", reason::none,
                 [](outputs&, int, int) {
                   convolution c = good_conv();
                   c.weight_zp = view<const std::int8_t>(weights.data() + 3, {1});
                   c.bias = view<const std::int32_t>(biases.data() + 1, {1});
                   return right(dytq::weight_zero_point(c, 1) == 4 && dytq::bias_value(c, 1) == 6);
                 }},
    hostile_case{"evaluate", "no input", reason::null_view,
                 [](outputs& to, int, int) {
                   auto input = good_input();
                   input.data = nullptr;
                   return why(dytq::evaluate(good_conv(), input, good_output(to)));
                 }},
    hostile_case{"evaluate", "no output", reason::null_view,
                 [](outputs& to, int, int) {
                   auto output = good_output(to);
                   output.data = nullptr;
                   return why(dytq::evaluate(good_conv(), good_input(), output));
                 }},
    hostile_case{"evaluate", "an input beyond size_t", reason::extent_overflow,
                 [](outputs& to, int, int) {
                   auto input = good_input();
                   input.extents = {huge, huge, 1, 1, 2};
                   return why(dytq::evaluate(good_conv(), input, good_output(to)));
                 }},
    hostile_case{"evaluate", "outputs that share memory", reason::aliased_output,
                 [](outputs& to, int, int) {
                   auto output = good_output(to);
                   output.strides = {0, 0, 0, 0, 1};
                   return why(dytq::evaluate(good_conv(), good_input(), output));
                 }},
    hostile_case{"evaluate", "an input of no rows", reason::shape_mismatch,
                 [](outputs& to, int, int) {
                   auto input = good_input();
                   input.extents[2] = 0;
                   return why(dytq::evaluate(good_conv(), input, good_output(to)));
                 }},
    hostile_case{"evaluate", "another channel count", reason::channel_count,
                 [](outputs& to, int, int) {
                   auto input = good_input();
                   input.extents = {2, 1, 1, 1, 1};
                   return why(dytq::evaluate(good_conv(), input, good_output(to)));
                 }},
    hostile_case{"evaluate", "an output of another shape", reason::shape_mismatch,
                 [](outputs& to, int, int) {
                   auto output = good_output(to);
                   output.extents[4] = 1;
                   return why(dytq::evaluate(good_conv(), good_input(), output));
                 }},
    hostile_case{"evaluate", "no weights", reason::null_view,
                 [](outputs& to, int, int) {
                   convolution conv = good_conv();
                   conv.weight.data = nullptr;
                   return why(dytq::evaluate(conv, good_input(), good_output(to)));
                 }},
    hostile_case{"evaluate", "an accumulator of 2^31", reason::accumulator_overflow,
                 [](outputs& to, int, int) {
                   const std::int32_t bias[] = {0, INT32_MAX};  // + 3 * 1 + 4 * 2
                   convolution conv = good_conv();
                   conv.bias = bias;
                   return why(dytq::evaluate(conv, good_input(), good_output(to)));
                 }},
    hostile_case{"evaluate", "an accumulator of -2^31 - 1", reason::accumulator_overflow,
                 [](outputs& to, int, int) {
                   const std::int32_t bias[] = {0, INT32_MIN};
                   convolution conv = good_conv();
                   conv.bias = bias;
                   conv.input_zp = 127;
                   return why(dytq::evaluate(conv, good_input(), good_output(to)));
                 }},
};
static_assert(!at_compile_time || all_hold(plain));

// What a constant expression cannot see (addresses), or not pay for.
constexpr std::array at_run_time{
    hostile_case{"evaluate", "33,026 products of one weight and one input", reason::accumulator_overflow,
                 [](outputs& to, int, int) {
                   // 33,026 times 255 * 255 is beyond 2^31; nothing but strides makes tensors of that size.
                   constexpr std::int64_t n = 33026;
                   const std::int8_t lowest = -128, zp = 127;
                   const convolution conv{.weight = {&lowest, {1, 1, 1, 1, n}, {0, 0, 0, 0, 0}},
                                          .weight_zp = view<const std::int8_t>(&zp, {1}),
                                          .input_zp = 127};
                   return why(dytq::evaluate(conv, {&lowest, {1, 1, 1, 1, n}, {0, 0, 0, 0, 0}},
                                             {to.words.data(), {1, 1, 1, 1, 1}}));
                 }},
    hostile_case{"evaluate", "one product less fits", reason::none,
                 [](outputs& to, int, int) {
                   constexpr std::int64_t n = 33025;
                   const std::int8_t lowest = -128, zp = 127;
                   const convolution conv{.weight = {&lowest, {1, 1, 1, 1, n}, {0, 0, 0, 0, 0}},
                                          .weight_zp = view<const std::int8_t>(&zp, {1}),
                                          .input_zp = 127};
                   const auto done = dytq::evaluate(conv, {&lowest, {1, 1, 1, 1, n}, {0, 0, 0, 0, 0}},
                                                    {to.words.data(), {1, 1, 1, 1, 1}});
                   return right(done && to.words[0] == n * 255 * 255);
                 }},
    hostile_case{"evaluate", "the output in the bias", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   convolution conv = good_conv();
                   conv.bias = view<const std::int32_t>(to.words.data() + 1, {2});
                   return why(dytq::evaluate(conv, good_input(), good_output(to)));
                 }},
    hostile_case{"evaluate", "the output in the input", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   auto input = good_input();
                   input.data = reinterpret_cast<const std::int8_t*>(to.words.data());
                   return why(dytq::evaluate(good_conv(), input, good_output(to)));
                 }},
};

}  // namespace

std::size_t check_convolutions() { return check(plain) + check(at_run_time); }

}  // namespace hostile
