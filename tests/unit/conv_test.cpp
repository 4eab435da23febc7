// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/conv.hpp>

#include <array>
#include <cstdint>

#include "support/both_worlds.hpp"

using dytq::convolution;
using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::view;
using dytq_tests::opaque;

namespace {

using shape5 = std::array<std::int64_t, 5>;

constexpr std::array<std::int8_t, 24> numbered() {
  std::array<std::int8_t, 24> w{};
  for (std::size_t i = 0; i < 24; ++i) {
    w[i] = static_cast<std::int8_t>(i);
  }
  return w;
}

constexpr rejection refusal(const convolution& conv) { return dytq::validate(conv).error(); }

}  // namespace

TEST_BOTH("layouts are strides", {
  const auto w = numbered();
  const auto ohwi = dytq::from_ohwi(view<const std::int8_t, 4>(w.data(), {2, 1, 3, 4}));
  const auto oihw = dytq::from_oihw(view<const std::int8_t, 4>(w.data(), {2, 4, 1, 3}));
  const auto hwim = dytq::from_hwim(view<const std::int8_t, 4>(w.data(), {1, 3, 2, 4})).value();
  const auto oi = dytq::from_oi(view<const std::int8_t, 2>(w.data(), {4, 6}));
  const auto owi = dytq::from_owi(view<const std::int8_t, 3>(w.data(), {2, 3, 4}));
  return ohwi.extents == shape5{2, 1, 1, 3, 4} && ohwi(1, 0, 0, 2, opaque(3)) == 23 && ohwi(0, 0, 0, 1, 2) == 6 &&
         oihw.extents == shape5{2, 1, 1, 3, 4} && oihw(1, 0, 0, 2, 3) == 23 && oihw(0, 0, 0, 1, 2) == 7 &&
         hwim.extents == shape5{8, 1, 1, 3, 1} && hwim(6, 0, 0, 1, 0) == 8 + 6 && oi(2, 0, 0, 0, 5) == 17 &&
         owi(1, 0, 0, 2, 3) == 23;
})

TEST_BOTH("depthwise weights are one axis only if C steps over M", {
  const auto w = numbered();
  const view<const std::int8_t, 4> all(w.data(), {1, 2, 3, 4});
  const auto channels = dytq::slice(all, 2, opaque<std::int64_t>(1), 2).value();
  const auto some = dytq::slice(all, 3, 1, 2).value();
  const auto one = dytq::slice(all, 3, 1, 1).value();
  const auto single = dytq::slice(some, 2, 1, 1).value();
  return dytq::from_hwim(channels).value()(3, 0, 0, 1, 0) == 12 + 4 + 3 &&
         dytq::from_hwim(some).error() ==
             rejection{.why = reason::shape_mismatch, .at = place::weight, .expected = 2, .got = 4} &&
         dytq::from_hwim(one).value()(2, 0, 0, 1, 0) == 12 + 8 + 1 && dytq::from_hwim(single).has_value() &&
         dytq::from_hwim(view<const std::int8_t, 4>(w.data() + 23, {1, 2, 3, 4}, {-24, -12, -4, -1}))
                 .value()(11, 0, 0, 1, 0) == 0;
})

TEST_CASE("hostile depthwise weights") {
  static const auto w = numbered();  // not near the end of the address space, as a stack may be
  const auto why = [&](const std::array<std::int64_t, 4>& extents, const std::array<std::int64_t, 4>& strides) {
    return dytq::from_hwim(view<const std::int8_t, 4>(w.data(), extents, strides)).error().why;
  };
  CHECK(why({1, 1, 2, 2}, {0, 0, 0, PTRDIFF_MAX}) == reason::shape_mismatch);  // what a view may reach
  CHECK(why({1, 1, 2, 2}, {0, 0, INT64_MIN, INT64_MIN}) == reason::extent_overflow);
  CHECK(why({1, 1, 3, 3}, {0, 0, INT64_MAX, INT64_MAX / 2}) == reason::extent_overflow);
  CHECK(why({1, 1, INT64_MAX, INT64_MAX}, {0, 0, 0, 0}) == reason::extent_overflow);
  CHECK(why({1, 1, -1, 2}, {0, 0, 0, 0}) == reason::negative_extent);
  CHECK(why({0, 1, INT64_MAX, INT64_MAX}, {0, 0, 0, 0}) == reason::none);
}

TEST_CASE("every refusal") {
  // The memory lies in the evaluation itself: g++'s sanitizers know no constant about static addresses.
  constexpr auto with = [](auto change) {
    const std::array<std::int8_t, 24> w{};
    const std::array<std::int32_t, 4> b{};
    convolution conv{.weight = {w.data(), shape5{4, 1, 1, 1, 2}}};
    change(conv, w, b);
    return refusal(conv);
  };
  DYTQ_CHECK_BOTH(with([](const auto&...) {}) == rejection{});
  DYTQ_CHECK_BOTH(with([](convolution& c, const auto&, const auto&) { c.weight = {}; }) ==
                  rejection{.why = reason::empty, .at = place::weight, .axis = 0, .expected = 1, .got = 0});
  // Outputs that were counted by a bias that there is not.
  DYTQ_CHECK_BOTH(with([](convolution& c, const auto&, const auto&) { c.weight.extents[0] = c.bias.extent(0); }) ==
                  rejection{.why = reason::empty, .at = place::weight, .axis = 0, .expected = 1, .got = 0});
  DYTQ_CHECK_BOTH(with([](convolution& c, const auto&, const auto&) { c.groups = opaque(3); }) ==
                  rejection{.why = reason::group_count, .at = place::weight, .expected = 1, .got = 3});
  DYTQ_CHECK_BOTH(with([](convolution& c, const auto&, const auto&) { c.groups = opaque(0); }).got == 0);
  DYTQ_CHECK_BOTH(with([](convolution& c, const auto&, const auto&) { c.groups = opaque(4); }) == rejection{});
  DYTQ_CHECK_BOTH(with([](convolution& c, const auto& w, const auto&) {
                    c.weight_zp = view<const std::int8_t>(w.data(), {3});
                  }) == rejection{.why = reason::channel_count, .at = place::weight_zp, .expected = 4, .got = 3});
  DYTQ_CHECK_BOTH(with([](convolution& c, const auto& w, const auto&) {
                    c.weight_zp = view<const std::int8_t>(w.data(), {0});
                  }).got == 0);
  DYTQ_CHECK_BOTH(with([](convolution& c, const auto& w, const auto&) {
                    c.weight_zp = view<const std::int8_t>(w.data(), {1});
                  }) == rejection{});
  DYTQ_CHECK_BOTH(with([](convolution& c, const auto&, const auto& b) {
                    c.bias = view<const std::int32_t>(b.data(), {3});
                  }) == rejection{.why = reason::bias_count, .at = place::bias, .expected = 4, .got = 3});
  DYTQ_CHECK_BOTH(with([](convolution& c, const auto&, const auto& b) { c.bias = b; }) == rejection{});
  DYTQ_CHECK_BOTH(with([](convolution& c, const auto&, const auto&) { c.input_zp = opaque(128); }) ==
                  rejection{.why = reason::zero_point_out_of_range, .at = place::input, .expected = 127, .got = 128});
  DYTQ_CHECK_BOTH(with([](convolution& c, const auto&, const auto&) { c.input_zp = opaque(-129); }).expected == -128);
  DYTQ_CHECK_BOTH(with([](convolution& c, const auto&, const auto&) {
                    c.weight_range = {1, 0};
                  }) == rejection{.why = reason::range_inverted, .at = place::weight, .expected = 1, .got = 0});
  DYTQ_CHECK_BOTH(with([](convolution& c, const auto&, const auto&) {
                    c.weight_range = {-128, opaque<std::int64_t>(128)};
                  }).got == 128);
  DYTQ_CHECK_BOTH(with([](convolution& c, const auto&, const auto&) { c.axes[1].before = opaque(-1); }) ==
                  rejection{.why = reason::pad_out_of_range, .axis = 1, .expected = 0, .got = -1});
  DYTQ_CHECK_BOTH(with([](convolution& c, const auto&, const auto&) {
                    c.axes[2] = {.input = 6, .stride = opaque(3)};
                  }) == rejection{.why = reason::stride_does_not_divide, .axis = 2, .expected = 3, .got = 5});
  DYTQ_CHECK_BOTH(with([](convolution& c, const auto&, const auto&) {
                    c.kind = static_cast<dytq::conv_kind>(opaque(2));
                  }).why == reason::unknown_type);
}

TEST_BOTH("zero points and biases of 0, 1 and O entries", {
  const std::array<std::int8_t, 4> zp{5, 6, 7, 8};
  const std::array<std::int32_t, 4> b{50, 60, 70, opaque(80)};
  const convolution none{};
  const convolution one{.weight_zp = view<const std::int8_t>(zp.data(), {1}),
                        .bias = view<const std::int32_t>(b.data(), {1})};
  const convolution all{.weight_zp = zp, .bias = b};
  return dytq::weight_zero_point(none, 2) == 0 && dytq::bias_value(none, 2) == 0 &&
         dytq::weight_zero_point(one, 2) == 5 && dytq::bias_value(one, 2) == 50 &&
         dytq::weight_zero_point(all, 2) == 7 && dytq::bias_value(all, 2) == 70;
})

TEST_CASE("the default axes are what they say, whatever a constant evaluation did to a convolution") {
  // g++ 12 once took an axis that a constant evaluation assigned for the default of all that follow.
  constexpr auto changed = [] {
    convolution conv;
    conv.axes[2] = {.input = 4, .before = 1, .after = 1};
    return conv.axes[2].input;
  };
  static_assert(changed() == 4);
  const convolution fresh;
  CHECK(changed() == 4);
  for (const dytq::conv_axis& a : fresh.axes) {
    CHECK(a.input == dytq::conv_axis::unset_input);
    CHECK(a.stride == 1);
    CHECK(a.dilation == 1);
    CHECK(a.before == 0);
    CHECK(a.after == 0);
  }
}
