// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/check_fold.hpp>
#include <dytq/fold.hpp>

#include <array>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "support/both_worlds.hpp"
#include "support/plain_model.hpp"

using dytq::conv_axis;
using dytq::convolution;
using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::view;
using dytq_tests::fold_memory;
using dytq_tests::halved;
using dytq_tests::opaque;
using dytq_tests::plain_chain;
using dytq_tests::plain_exact;
using dytq_tests::site_data;
using dytq_tests::table_of;

namespace {

using shape5 = std::array<std::int64_t, 5>;

// Two channels: y_0 = 2x + 3, y_1 = -x - 1, on X = {-5, 0, 1, 7}.
constexpr site_data<2> two_slopes() { return {.table = table_of<4>({-5, 0, 1, 7}), .gamma = {2, -1}, .beta = {3, -1}}; }

template <class T>
constexpr bool refused(const dytq::result<T>& r, const rejection& as) {
  return !r && r.error() == as;
}

// Is the written fold the one that the library's judge and the plain model accept?
template <std::size_t W, std::size_t O, std::size_t C>
constexpr bool accepted_by_both(const dytq::affine_site& site, const convolution& conv, const fold_memory<W, O, C>& out,
                                const dytq::affine_fold& fold) {
  const dytq::claimed_fold claim{
      .weight = {out.weight.data(), conv.weight.extents}, .bias = out.bias, .input_zp = fold.input_zp};
  return dytq::check_fold(site, conv, claim).has_value() && plain_exact(site, conv, claim);
}

}  // namespace

TEST_BOTH("slopes go into the weights, the rest into the bias", {
  const auto data = two_slopes();
  const std::array<std::int8_t, 4> w{3, -4, opaque<std::int8_t>(0), 5};  // O = 2, I = 2
  const std::array<std::int32_t, 2> b{10, 20};
  const convolution conv{.weight = {w.data(), shape5{2, 1, 1, 1, 2}}, .bias = b};
  fold_memory<4, 2, 2> out;
  const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
  return fold && out.weight == std::array<std::int8_t, 4>{6, 4, 0, -5} &&
         // 10 + 3 * 3 - 4 * (-1); 20 + 0 + 5 * (-1)
         out.bias == std::array<std::int32_t, 2>{23, 15} && fold->input_zp == 0 && fold->weights_changed == 3 &&
         fold->bias_changed && fold->constants_changed() && fold->first_code == -5 &&
         dytq::detail::channel_lines{out.lines}[0] == dytq::detail::channel_line{2, 1, -7, 0} &&
         dytq::detail::channel_lines{out.lines}[1] == dytq::detail::channel_line{-1, 1, 4, 0};
})

TEST_BOTH("an input zero point and a table zero point", {
  site_data<1> data{.table = table_of<3>({10, 11, 14}), .gamma = {3}, .beta = {5}, .table_zp = 12};
  data.steps.add_out.output_zp = opaque(-4);
  const std::array<std::int8_t, 1> w{7};
  convolution conv{.weight = {w.data(), shape5{1, 1, 1, 1, 1}}, .input_zp = -4};
  for (conv_axis& a : conv.axes) {
    a.input = 1;
  }
  fold_memory<1, 1, 1> out;
  const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
  // 7 * (3 * (x - 12) + 5 - 4 + 4) = 21 * (x - 12) + 35
  return fold && fold->input_zp == 12 && out.weight[0] == 21 && out.bias[0] == 35 &&
         accepted_by_both(data.site(), conv, out, *fold);
})

TEST_BOTH("an input zero point that nothing determines is the table's, or the fold is refused", {
  site_data<1> data{.table = table_of<3>({10, 11, 14}), .gamma = {3}, .table_zp = opaque(130), .has_beta = false};
  const std::array<std::int8_t, 1> w{7};
  const convolution conv{.weight = {w.data(), shape5{1, 1, 1, 1, 1}}};
  fold_memory<1, 1, 1> out;
  return refused(dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents)),
                 {.why = reason::padding, .at = place::input, .expected = 127, .got = 130}) &&
         out.untouched();
})

TEST_BOTH("a rational slope folds where the weights make it integral", {
  site_data<1> data{.table = table_of<4>({-4, -2, 0, 6}), .gamma = {3}};
  data.steps.gamma_out = halved(1, 0, 0, dytq::int8_range);  // 3/2
  const std::array<std::int8_t, 2> w{-4, 2};
  const convolution conv{.weight = {w.data(), shape5{2, 1, 1, 1, 1}}};
  fold_memory<2, 2, 1> out;
  const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
  return fold && out.weight == std::array<std::int8_t, 2>{-6, 3} && out.bias == std::array<std::int32_t, 2>{0, 0} &&
         dytq::detail::channel_lines{out.lines}[0] == dytq::detail::channel_line{3, 2, -6, 0} && !fold->bias_changed &&
         fold->weights_changed == 2;
})

TEST_BOTH("a rational slope is refused where a weight does not make it integral", {
  site_data<1> data{.table = table_of<4>({-4, -2, 0, 6}), .gamma = {3}};
  data.steps.gamma_out = halved(1, 0, 0, dytq::int8_range);
  const std::array<std::int8_t, 3> w{2, opaque<std::int8_t>(5), 4};
  const convolution conv{.weight = {w.data(), shape5{1, 1, 1, 3, 1}}, .axes = dytq::unpadded};
  fold_memory<3, 1, 1> out;
  const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
  const rejection why = fold.error();
  if (!refused(fold, {.why = reason::not_affine,
                      .at = place::weight,
                      .channel = 0,
                      .output_channel = 0,
                      .tap = 1,
                      .code = -2,
                      .expected = 7 * 2,
                      .got = 15}) ||
      !out.untouched()) {
    return false;
  }
  // A counter-example: no integer n has 5 * (y(-2) - y(-4)) = n * (-2 - -4).
  const auto site = data.site();
  const std::int64_t rise = plain_chain(site, 0, why.code).v - plain_chain(site, 0, -4).v;
  return 5 * rise % (why.code + 4) != 0;
})

TEST_BOTH("a channel on no line is refused, unless its weights are pruned", {
  auto data = two_slopes();
  data.gamma = {2, 100};  // channel 1 saturates: -128, -1, 99, 126 - clamps at -5 and 7
  std::array<std::int8_t, 4> w{3, 0, 2, opaque<std::int8_t>(0)};
  const convolution conv{.weight = {w.data(), shape5{2, 1, 1, 1, 2}}};
  fold_memory<4, 2, 2> out;
  if (const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
      !fold || out.weight != std::array<std::int8_t, 4>{6, 0, 4, 0} ||
      dytq::detail::channel_lines{out.lines}[1].exists()) {
    return false;
  }
  w[3] = 1;
  fold_memory<4, 2, 2> kept;
  const auto fold = dytq::fold_affine_into_conv(data.site(), conv, kept.views(conv.weight.extents));
  const rejection why = fold.error();
  // The code leaves the line through the ends of the map.
  const auto site = data.site();
  const auto y = [&](std::int64_t x) { return plain_chain(site, 1, x).v; };
  const std::int64_t along = (y(7) - y(-5)) * (why.code + 5);
  return why.why == reason::not_affine && why.channel == 1 && why.output_channel == 1 && why.tap == 0 &&
         kept.untouched() && why.got == y(why.code) && (why.got - y(-5)) * 12 != along &&
         why.expected == y(-5) + dytq_tests::floor_quotient(along, 12);
})

TEST_BOTH("reachable codes shrink X, so that more folds exist", {
  auto data = two_slopes();
  data.gamma = {2, 50};  // saturates at -5 and 7
  const std::array<std::int8_t, 4> w{1, 1, 1, 1};
  const convolution conv{.weight = {w.data(), shape5{2, 1, 1, 1, 2}}};
  fold_memory<4, 2, 2> out;
  auto site = data.site();
  if (dytq::fold_affine_into_conv(site, conv, out.views(conv.weight.extents)).error().why != reason::not_affine) {
    return false;
  }
  site.reachable = {};
  site.reachable.insert(static_cast<std::int8_t>(opaque(1)));  // the table has 0 there, and 1 behind it
  site.reachable.insert(2);
  site.reachable.insert(-2);
  const auto fold = dytq::fold_affine_into_conv(site, conv, out.views(conv.weight.extents));
  return fold && out.weight == std::array<std::int8_t, 4>{2, 50, 2, 50};
})

TEST_BOTH("one code: the weights become zero points", {
  site_data<1> data{.table = table_of<1>({opaque(9)}), .gamma = {2}, .beta = {1}};
  const std::array<std::int8_t, 2> w{5, -6};
  const std::array<std::int8_t, 1> w_zp{1};
  const convolution conv{.weight = {w.data(), shape5{1, 1, 1, 2, 1}}, .weight_zp = w_zp, .axes = dytq::unpadded};
  fold_memory<2, 1, 1> out;
  const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
  return fold && out.weight == std::array<std::int8_t, 2>{1, 1} && out.bias[0] == (4 - 7) * 19 && fold->input_zp == 0;
})

TEST_BOTH("padding: offsets are absorbed by the input zero point, alike in all channels", {
  // y = x + 6 in every channel; the padding of the original stands for y = 6, so the new one does for x = 0.
  site_data<2> data{.table = table_of<3>({-3, 2, 8}), .gamma = {1, 1}, .beta = {6, 6}, .table_zp = 0};
  data.steps.add_out.output_zp = 0;
  data.table_zp = opaque(2);
  data.steps.gamma_out.output_zp = 0;
  // gamma's half: x - 2; beta: + 6; so y = x + 4, and the conv's zero point is 0: z' = -4 is not the table's own 2.
  const std::array<std::int8_t, 6> w{1, 2, 3, -4, 5, 6};
  convolution conv{.weight = {w.data(), shape5{1, 1, 1, 3, 2}}, .axes = dytq::unpadded};
  conv.axes[0].input = conv.axes[1].input = 1;
  conv.axes[2] = {.input = 4, .before = 1, .after = 1};
  fold_memory<6, 1, 2> out;
  const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
  return fold && fold->input_zp == -4 && fold->weights_changed == 0 && !fold->constants_changed() && out.weight == w &&
         out.bias[0] == 0 && accepted_by_both(data.site(), conv, out, *fold);
})

TEST_BOTH("padding: offsets that differ are refused, and no zero point does it", {
  site_data<2> data{.table = table_of<3>({-3, 2, 8}), .gamma = {1, 1}, .beta = {6, opaque<std::int8_t>(5)}};
  const std::array<std::int8_t, 6> w{1, 2, 3, -4, 5, 6};
  convolution conv{.weight = {w.data(), shape5{1, 1, 1, 3, 2}}, .axes = dytq::unpadded};
  conv.axes[0].input = conv.axes[1].input = 1;
  conv.axes[2] = {.input = 4, .before = 1, .after = 1};
  fold_memory<6, 1, 2> out;
  const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
  if (fold.error().why != reason::padding || fold.error().output_channel != 0 || !out.untouched()) {
    return false;
  }
  // Both slopes are 1, so the weights must stay; the bias is what the middle needs. No z' serves the borders too.
  std::int32_t reach = 128;
  if (std::is_constant_evaluated()) {
    reach = 8;
  }
  for (std::int32_t z = -reach; z < reach; ++z) {
    const std::array<std::int32_t, 1> bias{(1 + 3 + 5) * (6 + z) + (2 - 4 + 6) * (5 + z)};
    if (plain_exact(data.site(), conv, {.weight = conv.weight, .bias = bias, .input_zp = z})) {
      return false;
    }
  }
  return true;
})

TEST_BOTH("padding: offsets that cancel within each tap fold", {
  site_data<2> data{.table = table_of<3>({-3, 2, 8}), .gamma = {1, 2}, .beta = {4, opaque<std::int8_t>(-4)}};
  const std::array<std::int8_t, 6> w{1, 1, 3, 3, -5, -5};
  convolution conv{.weight = {w.data(), shape5{1, 1, 3, 1, 2}}, .axes = dytq::unpadded};
  conv.axes[0].input = conv.axes[2].input = 1;
  conv.axes[1] = {.input = 5, .before = 1, .after = 1};
  fold_memory<6, 1, 2> out;
  const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
  return fold && out.weight == std::array<std::int8_t, 6>{1, 2, 3, 6, -5, -10} && fold->input_zp == 0 &&
         accepted_by_both(data.site(), conv, out, *fold);
})

TEST_BOTH("a zero point that is determined but is no code is refused", {
  // y = x + 100 under padding needs z' = z - 100.
  site_data<1> data{.table = table_of<2>({-100, 20}), .gamma = {1}, .beta = {opaque<std::int8_t>(100)}};
  data.steps.add_out.output_zp = -100;  // y = x, in codes, but the padding stands for -100
  data.table_zp = 0;
  const std::array<std::int8_t, 2> w{1, 2};
  convolution conv{.weight = {w.data(), shape5{1, 1, 1, 2, 1}}, .input_zp = -100, .axes = dytq::unpadded};
  conv.axes[0].input = conv.axes[1].input = 1;
  conv.axes[2] = {.input = 3, .before = 1};
  fold_memory<2, 1, 1> out;
  if (const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
      !fold || fold->input_zp != -100) {
    return false;
  }
  data.beta = {50};
  data.steps.add_out.output_zp = 120;
  conv.input_zp = 120;
  data.table = table_of<2>({-120, -100});  // y = x + 170: 50, 70; z' = -50
  if (const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
      !fold || fold->input_zp != -50) {
    return false;
  }
  data.gamma = {-1};  // y = -x - 110, the padding 120 stands for x = -230
  data.beta = {-100};
  data.steps.add_out.output_zp = -10;
  conv.input_zp = -10;
  data.steps.add_out.output_zp = -10;
  data.table = table_of<2>({-120, -100});  // y = 10, -10; y = -10 is x = -100: fine
  if (const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
      !fold || fold->input_zp != -100) {
    return false;
  }
  data.beta = {120};
  data.steps.add_out.output_zp = -120;  // y = -x + 0 for small x; the padding -120 is x = 120
  conv.input_zp = -120;
  data.table = table_of<2>({1, 9});
  if (const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
      !fold || fold->input_zp != 120) {
    return false;
  }
  data.beta = {-20};
  data.steps.add_out.output_zp = 127;  // y = x + 107 with slope 1: the padding 127 is x = 20
  conv.input_zp = 127;
  data.gamma = {1};
  data.table = table_of<2>({-128, -120});
  data.table_zp = 0;
  if (const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
      !fold || fold->input_zp != 20) {
    return false;
  }
  data.steps.gamma_out.output_zp = -100;  // y = clamp(x - 100) + 0: x = 100 and 110 give 0 and 10
  data.table = table_of<2>({100, 110});
  data.beta = {0};
  data.steps.add_out.output_zp = 127 - 100;  // y = x - 73 = 27, 37
  data.steps.add_out.output_zp = 27;
  data.steps.add_out.input_zp = 0;
  conv.input_zp = 27;
  if (const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
      !fold || fold->input_zp != 100) {
    return false;
  }
  data.steps.add_out.output_zp = 90;  // y = x - 10: the padding 90 is x = 100
  conv.input_zp = 90;
  data.steps.add_in.output_zp = -60;  // y = x - 70: the padding 90 is x = 160, which is no code
  fold_memory<2, 1, 1> kept;
  const auto fold = dytq::fold_affine_into_conv(data.site(), conv, kept.views(conv.weight.extents));
  return refused(fold, {.why = reason::padding, .at = place::input, .expected = 127, .got = 160}) && kept.untouched();
})

TEST_BOTH("a missing bias is zeros and is made real; one entry serves all", {
  auto data = two_slopes();
  const std::array<std::int8_t, 4> w{1, 0, 0, 1};
  convolution conv{.weight = {w.data(), shape5{2, 1, 1, 1, 2}}};
  fold_memory<4, 2, 2> out;
  if (!dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents)) ||
      out.bias != std::array<std::int32_t, 2>{3, -1}) {
    return false;
  }
  const std::array<std::int32_t, 1> one{opaque(100)};
  conv.bias = one;
  return dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents)) &&
         out.bias == std::array<std::int32_t, 2>{103, 99};
})

TEST_BOTH("groups read their own channels", {
  const site_data<4> data{
      .table = table_of<2>({0, 1}), .gamma = {1, 2, 3, 4}, .beta = {10, 20, 30, opaque<std::int8_t>(40)}};
  const std::array<std::int8_t, 8> w{1, 1, 2, 2, 3, 3, 4, 4};  // O = 4, I = 2, two groups
  const convolution conv{.weight = {w.data(), shape5{4, 1, 1, 1, 2}}, .groups = 2};
  fold_memory<8, 4, 4> out;
  return dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents)) &&
         out.weight == std::array<std::int8_t, 8>{1, 2, 2, 4, 9, 12, 12, 16} &&
         out.bias == std::array<std::int32_t, 4>{30, 60, 210, 280};
})

TEST_BOTH("depthwise weights in every layout give the same fold", {
  // C = 2, M = 2, H = 2, W = 1: w[c][m][h]
  const site_data<2> data{.table = table_of<3>({-1, 0, 2}), .gamma = {3, -2}, .beta = {5, opaque<std::int8_t>(7)}};
  const auto logical = [](std::int64_t o, std::int64_t h) { return static_cast<std::int8_t>(1 + o * 2 + h * 5); };
  std::array<std::int8_t, 64> in{};
  std::array<std::int8_t, 64> written{};
  std::array<std::int32_t, 4> bias{};
  std::array<std::int16_t, 8> lines{};
  for (int layout = 0; layout < 5; ++layout) {
    const auto view_of = [&](auto* p) -> dytq::weight_view<std::remove_pointer_t<decltype(p)>> {
      using T = std::remove_pointer_t<decltype(p)>;
      switch (layout) {
        case 0: return dytq::from_ohwi(view<T, 4>(p, {4, 2, 1, 1}));
        case 1: return dytq::from_oihw(view<T, 4>(p, {4, 1, 2, 1}));
        case 2: return dytq::from_hwim(view<T, 4>(p, {2, 1, 2, 2})).value();
        case 3: return {p + 3, {4, 1, 2, 1, 1}, {16, 0, 2, 0, 0}};  // every other element of a slice
        default: return {p + 63, {4, 1, 2, 1, 1}, {-7, 0, -31, 0, 1}};
      }
    };
    in.fill(77);
    written.fill(88);
    const auto w = view_of(in.data());
    for (std::int64_t o = 0; o < 4; ++o) {
      for (std::int64_t h = 0; h < 2; ++h) {
        w(o, 0, h, 0, 0) = logical(o, h);
      }
    }
    const auto out = view_of(written.data());
    const convolution conv{.weight = w, .groups = 2, .axes = dytq::unpadded};
    const auto fold = dytq::fold_affine_into_conv(data.site(), conv, {.weight = out, .bias = bias, .workspace = lines});
    if (!fold || fold->weights_changed != 8) {
      return false;
    }
    int elsewhere = 0;
    for (const std::int8_t v : written) {
      elsewhere += v == 88 ? 1 : 0;
    }
    for (std::int64_t o = 0; o < 4; ++o) {
      const int slope = o < 2 ? 3 : -2;
      const int offset = o < 2 ? 5 : 7;
      if (out(o, 0, 0, 0, 0) != logical(o, 0) * slope || out(o, 0, 1, 0, 0) != logical(o, 1) * slope ||
          bias[static_cast<std::size_t>(o)] != offset * (logical(o, 0) + logical(o, 1))) {
        return false;
      }
    }
    if (elsewhere != 56) {
      return false;
    }
  }
  return true;
})

TEST_BOTH("weight zero points and ranges", {
  const site_data<1> data{.table = table_of<2>({0, 1}), .gamma = {2}, .beta = {1}};
  const std::array<std::int8_t, 2> w{3, opaque<std::int8_t>(-6)};
  const std::array<std::int8_t, 2> w_zp{-1, -4};
  convolution conv{.weight = {w.data(), shape5{2, 1, 1, 1, 1}}, .weight_zp = w_zp, .weight_range = {-8, 7}};
  fold_memory<2, 2, 1> out;
  // (3 + 1) * 2 - 1 = 7; (-6 + 4) * 2 - 4 = -8: both at a limit of int4
  if (!dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents)) ||
      out.weight != std::array<std::int8_t, 2>{7, -8} || out.bias != std::array<std::int32_t, 2>{4, -2}) {
    return false;
  }
  fold_memory<2, 2, 1> kept;
  conv.weight_range = {-8, 6};
  if (!refused(dytq::fold_affine_into_conv(data.site(), conv, kept.views(conv.weight.extents)),
               {.why = reason::weight_overflow,
                .at = place::weight,
                .channel = 0,
                .output_channel = 0,
                .tap = 0,
                .expected = 6,
                .got = 7})) {
    return false;
  }
  conv.weight_range = {-7, 7};
  return refused(dytq::fold_affine_into_conv(data.site(), conv, kept.views(conv.weight.extents)),
                 {.why = reason::weight_overflow,
                  .at = place::weight,
                  .channel = 0,
                  .output_channel = 1,
                  .tap = 0,
                  .expected = -7,
                  .got = -8}) &&
         kept.untouched();
})

TEST_BOTH("a bias is refused exactly from the first one that does not fit", {
  const site_data<1> data{.table = table_of<2>({0, 1}), .gamma = {1}, .beta = {5}};
  const std::array<std::int8_t, 1> w{opaque<std::int8_t>(3)};
  std::array<std::int32_t, 1> b{INT32_MAX - 15};
  const convolution conv{.weight = {w.data(), shape5{1, 1, 1, 1, 1}}, .bias = b};
  fold_memory<1, 1, 1> out;
  if (!dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents)) || out.bias[0] != INT32_MAX) {
    return false;
  }
  b[0] += 1;
  fold_memory<1, 1, 1> kept;
  if (!refused(dytq::fold_affine_into_conv(data.site(), conv, kept.views(conv.weight.extents)),
               {.why = reason::bias_overflow,
                .at = place::bias,
                .output_channel = 0,
                .expected = INT32_MAX,
                .got = std::int64_t{INT32_MAX} + 1}) ||
      !kept.untouched()) {
    return false;
  }
  auto negative = data;
  negative.beta = {-5};
  b[0] = INT32_MIN + 15;
  if (!dytq::fold_affine_into_conv(negative.site(), conv, out.views(conv.weight.extents)) || out.bias[0] != INT32_MIN) {
    return false;
  }
  b[0] -= 1;
  return refused(dytq::fold_affine_into_conv(negative.site(), conv, kept.views(conv.weight.extents)),
                 {.why = reason::bias_overflow,
                  .at = place::bias,
                  .output_channel = 0,
                  .expected = INT32_MIN,
                  .got = std::int64_t{INT32_MIN} - 1});
})

TEST_CASE("an accumulator is refused exactly from the first one that may not fit") {
  // 255 * |n| summed: 2^31 - 1 = 255 * 8421504 + 127, so sum |n| may be 8421504. n = 127: 66311 taps and a rest of 7.
  const site_data<1> data{.table = table_of<2>({-128, 127}), .table_zp = -128, .has_gamma = false, .has_beta = false};
  constexpr std::int64_t taps = 66312;
  std::vector<std::int8_t> w(taps, 127);
  w.back() = 7;
  convolution conv{.weight = {w.data(), shape5{1, 1, 1, taps, 1}}, .input_zp = -128, .axes = dytq::unpadded};
  std::array<std::int32_t, 1> bias{1};
  std::array<std::int16_t, 4> lines{};
  const dytq::fold_outputs out{.weight = {w.data(), shape5{1, 1, 1, taps, 1}}, .bias = bias, .workspace = lines};
  REQUIRE(dytq::fold_affine_into_conv(data.site(), conv, out));
  w.back() = 8;
  bias[0] = 1;
  CHECK(refused(dytq::fold_affine_into_conv(data.site(), conv, out), {.why = reason::accumulator_overflow,
                                                                      .at = place::output,
                                                                      .output_channel = 0,
                                                                      .expected = INT32_MAX,
                                                                      .got = std::int64_t{8421505} * 255}));
  CHECK(std::int64_t{255} * 8421505 > INT32_MAX);
  CHECK(bias[0] == 1);
}

TEST_BOTH("in place, asking only, and constants that need no change", {
  site_data<2> data = two_slopes();
  std::array<std::int8_t, 4> w{3, -4, 0, opaque<std::int8_t>(5)};
  std::array<std::int32_t, 2> b{10, 20};
  std::array<std::int16_t, 8> lines{};
  const dytq::weight_view<std::int8_t> wv{w.data(), shape5{2, 1, 1, 1, 2}};
  const convolution conv{.weight = wv, .bias = b};
  const auto asked = dytq::prove_affine_fold(data.site(), conv, lines);
  if (!asked || asked->weights_changed != 3 || !asked->bias_changed || w[0] != 3 || b[0] != 10) {
    return false;
  }
  const auto fold = dytq::fold_affine_into_conv(data.site(), conv, {.weight = wv, .bias = b, .workspace = lines});
  if (!fold || fold->weights_changed != asked->weights_changed || fold->bias_changed != asked->bias_changed ||
      fold->input_zp != asked->input_zp || fold->first_code != asked->first_code ||
      w != std::array<std::int8_t, 4>{6, 4, 0, -5} || b != std::array<std::int32_t, 2>{23, 15}) {
    return false;
  }
  data.gamma = {1, 1};
  data.beta = {0, 0};
  const auto same = dytq::fold_affine_into_conv(data.site(), conv, {.weight = wv, .bias = b, .workspace = lines});
  return same && !same->constants_changed() && same->input_zp == 0;
})

TEST_BOTH("gamma or beta alone, or neither", {
  site_data<2> data = two_slopes();
  const std::array<std::int8_t, 2> w{3, opaque<std::int8_t>(2)};
  const convolution conv{.weight = {w.data(), shape5{1, 1, 1, 1, 2}}};
  fold_memory<2, 1, 2> out;
  data.has_beta = false;
  if (!dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents)) ||
      out.weight != std::array<std::int8_t, 2>{6, -2} || out.bias[0] != 0) {
    return false;
  }
  data.has_beta = true;
  data.has_gamma = false;
  if (!dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents)) || out.weight != w ||
      out.bias[0] != 3 * 3 - 2) {
    return false;
  }
  data.has_beta = false;
  const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
  return fold && !fold->constants_changed() && out.weight == w && out.bias[0] == 0;
})

TEST_BOTH("every guard, each with its place; the outputs stay as they were", {
  const auto data = two_slopes();
  const auto site = data.site();
  const std::array<std::int8_t, 6> w{};
  const convolution good{.weight = {w.data(), shape5{2, 1, 1, 1, 2}}};
  fold_memory<4, 2, 2> out;
  const dytq::fold_outputs good_out = out.views(good.weight.extents);
  const auto refuses = [&](const dytq::affine_site& s, const convolution& c, const dytq::fold_outputs& to,
                           const rejection& as) { return refused(dytq::fold_affine_into_conv(s, c, to), as); };
  convolution conv = good;
  conv.weight = {w.data(), shape5{2, 1, 1, 1, 3}};
  bool ok = refuses(site, conv, good_out, {.why = reason::channel_count, .at = place::weight, .expected = 2, .got = 3});
  for (const bool gamma_alone : {true, false}) {
    auto half = site;
    (gamma_alone ? half.beta : half.gamma) = {};
    ok = ok &&
         refuses(half, conv, good_out, {.why = reason::channel_count, .at = place::weight, .expected = 2, .got = 3});
  }
  conv = good;
  conv.input_zp = opaque(1);
  ok = ok &&
       refuses(site, conv, good_out, {.why = reason::zero_point_mismatch, .at = place::input, .expected = 0, .got = 1});
  auto short_beta = site;
  short_beta.beta = view<const std::int8_t>(data.beta.data(), {1});
  ok = ok &&
       refuses(short_beta, good, good_out, {.why = reason::channel_count, .at = place::beta, .expected = 2, .got = 1});
  auto nothing = site;
  nothing.reachable = {};
  ok = ok && refuses(nothing, good, good_out, {.why = reason::empty, .at = place::input, .expected = 1, .got = 0});
  conv = good;
  conv.groups = 3;
  ok = ok && refuses(site, conv, good_out, {.why = reason::group_count, .at = place::weight, .expected = 1, .got = 3});
  auto to = good_out;
  to.weight = {out.weight.data(), shape5{1, 1, 1, 2, 2}};
  ok = ok && refuses(site, good, to, {.why = reason::shape_mismatch, .at = place::weight, .expected = 2, .got = 1});
  to = good_out;
  to.weight = {};
  ok = ok && refuses(site, good, to, {.why = reason::output_missing, .at = place::weight});
  to = good_out;
  to.bias = {};
  ok = ok && refuses(site, good, to, {.why = reason::output_missing, .at = place::bias});
  to = good_out;
  to.bias = view<std::int32_t>(out.bias.data(), {1});
  ok = ok && refuses(site, good, to, {.why = reason::bias_count, .at = place::bias, .expected = 2, .got = 1});
  to = good_out;
  to.workspace = view<std::int16_t>(out.lines.data(), {7});
  ok = ok && refuses(site, good, to, {.why = reason::size_mismatch, .at = place::workspace, .expected = 8, .got = 7});
  to = good_out;
  to.weight.strides[0] = 0;
  ok = ok && refuses(site, good, to, {.why = reason::aliased_output, .at = place::weight, .expected = 1, .got = 0});
  return ok && out.untouched();
})

TEST_CASE("outputs that overlap what is read, or each other, in part") {
  auto data = two_slopes();
  std::array<std::int8_t, 64> memory{};
  const convolution conv{.weight = {memory.data(), shape5{2, 1, 1, 1, 2}}};
  alignas(8) std::array<std::int32_t, 64> words{};
  std::array<std::int16_t, 8> lines{};
  const auto refuses = [&](const dytq::affine_site& site, const convolution& c, const dytq::fold_outputs& to,
                           place at) {
    return refused(dytq::fold_affine_into_conv(site, c, to), {.why = reason::overlapping_views, .at = at});
  };
  const auto bytes = reinterpret_cast<std::int8_t*>(words.data());
  const dytq::weight_view<std::int8_t> shifted{memory.data() + 1, shape5{2, 1, 1, 1, 2}};
  const view<std::int32_t> bias(words.data(), {2});
  CHECK(refuses(data.site(), conv, {.weight = shifted, .bias = bias, .workspace = lines}, place::weight));
  const dytq::weight_view<std::int8_t> in_bias{bytes + 2, shape5{2, 1, 1, 1, 2}};
  CHECK(refuses(data.site(), conv, {.weight = in_bias, .bias = bias, .workspace = lines}, place::bias));
  convolution with_bias = conv;
  with_bias.bias = view<const std::int32_t>(words.data() + 1, {2});
  CHECK(refuses(data.site(), with_bias,
                {.weight = in_bias, .bias = view<std::int32_t>(words.data() + 9, {2}), .workspace = lines},
                place::weight));
  const dytq::weight_view<std::int8_t> apart{memory.data() + 8, shape5{2, 1, 1, 1, 2}};
  CHECK(refuses(data.site(), with_bias, {.weight = apart, .bias = bias, .workspace = lines}, place::bias));
  CHECK(dytq::fold_affine_into_conv(
      data.site(), with_bias,
      {.weight = apart, .bias = view<std::int32_t>(words.data() + 1, {2}), .workspace = lines}));
  convolution with_zp = conv;
  with_zp.weight_zp = view<const std::int8_t>(memory.data() + 10, {2});
  CHECK(refuses(data.site(), with_zp, {.weight = apart, .bias = bias, .workspace = lines}, place::weight));
  const view<std::int16_t> in_words(reinterpret_cast<std::int16_t*>(words.data() + 1), {8});
  CHECK(refuses(data.site(), conv, {.weight = apart, .bias = bias, .workspace = in_words}, place::workspace));
  auto site = data.site();
  site.gamma = view<const std::int8_t>(memory.data() + 11, {2});
  CHECK(refuses(site, conv, {.weight = apart, .bias = bias, .workspace = lines}, place::weight));
  site = data.site();
  site.table = view<const std::int8_t>(bytes, {256}, {0});
  CHECK(refuses(site, conv, {.weight = apart, .bias = bias, .workspace = lines}, place::bias));
}

TEST_CASE("hostile metadata has a reason, and no undefined behaviour") {
  const auto data = two_slopes();
  std::array<std::int8_t, 4> w{};
  std::array<std::int32_t, 2> b{};
  std::array<std::int16_t, 8> lines{};
  for (const std::int64_t v : {INT64_MIN, INT64_MIN + 1, INT64_MAX, std::int64_t{-1}, INT64_MAX / 2}) {
    for (int what = 0; what < 28; ++what) {
      auto site = data.site();
      convolution conv{.weight = {w.data(), shape5{2, 1, 1, 1, 2}}, .bias = b};
      dytq::fold_outputs out{.weight = {w.data(), shape5{2, 1, 1, 1, 2}}, .bias = b, .workspace = lines};
      const auto v32 = static_cast<std::int32_t>(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
      switch (what) {
        case 0: conv.weight.extents[0] = v; break;
        case 1: conv.weight.extents[4] = v; break;
        case 2: conv.weight.strides[0] = INT64_MIN; break;
        case 3: conv.weight.extents = {v, v, v, v, v}; break;
        case 4: conv.bias.extents[0] = v; break;
        case 5: conv.bias.strides[0] = v == -1 ? INT64_MIN : v; break;
        case 6: conv.groups = v; break;
        case 7: conv.input_zp = v32; break;
        case 8: conv.weight_range.lo = v; break;
        case 9: conv.weight_range.hi = v; break;
        case 10: conv.axes[2].input = v; break;
        case 11: conv.axes[1].before = v; break;
        case 12: conv.axes[1].after = v; break;
        case 13: conv.axes[1].dilation = v; break;
        case 14:
          conv.axes[1].stride = v;
          conv.axes[1].input = 5;
          break;
        case 15: out.weight.extents[1] = v; break;
        case 16: out.weight.strides[4] = INT64_MIN; break;
        case 17: out.bias.strides[0] = v == -1 ? INT64_MIN : v; break;
        case 18: out.workspace.extents[0] = v; break;
        case 19: out.workspace.strides[0] = v == -1 ? INT64_MIN : v; break;
        case 20: site.gamma.strides[0] = INT64_MIN; break;
        case 21: site.beta.extents[0] = v; break;
        case 22: site.table.strides[0] = v == -1 ? INT64_MIN : v; break;
        case 23:
          site.steps.table.input_zp = v32;
          site.table_zp = v32;
          break;
        case 24: site.steps.gamma_out.shift = v32; break;
        case 25: site.steps.add_out.out.lo = v; break;
        case 26:
          site.steps.add_in.output_zp = v32;
          site.steps.beta.output_zp = v32;
          break;
        default: site.steps.gamma_out.multiplier = v32; break;
      }
      CAPTURE(v, what);
      const auto fold = dytq::fold_affine_into_conv(site, conv, out);
      const bool harmless = fold.has_value() && w == std::array<std::int8_t, 4>{};
      CHECK((harmless || (!fold && fold.error().why != reason::none)));
      w = {};
      b = {};
    }
  }
}

TEST_CASE("kernels beyond 1024 taps fold as small ones do") {
  constexpr std::int64_t taps = 1100;
  // y = x + 4 with z' = -4, as above; and one weight that breaks it.
  site_data<1> data{.table = table_of<3>({-3, 2, 8}), .gamma = {1}, .beta = {6}, .table_zp = 2};
  std::vector<std::int8_t> w(taps);
  for (std::size_t i = 0; i < w.size(); ++i) {
    w[i] = static_cast<std::int8_t>(i * 37 % 127 - 60);
  }
  convolution conv{.weight = {w.data(), shape5{1, 1, 1, taps, 1}}, .axes = dytq::unpadded};
  conv.axes[0].input = conv.axes[1].input = 1;
  conv.axes[2] = {.input = taps + 1, .before = 2, .after = 1};
  std::vector<std::int8_t> folded(taps);
  std::array<std::int32_t, 1> bias{};
  std::array<std::int16_t, 4> lines{};
  const dytq::fold_outputs out{.weight = {folded.data(), conv.weight.extents}, .bias = bias, .workspace = lines};
  const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out);
  REQUIRE(fold);
  CHECK(fold->input_zp == -4);
  CHECK(folded == w);
  CHECK(plain_exact(data.site(), conv, {.weight = conv.weight, .bias = bias, .input_zp = -4}));

  data.gamma = {3};  // 3 * (x - 2) + 6: z' = 0, and weights of at most 42 in magnitude
  for (std::int8_t& v : w) {
    v = static_cast<std::int8_t>(v / 2);
  }
  const auto tripled = dytq::fold_affine_into_conv(data.site(), conv, out);
  REQUIRE(tripled);
  CHECK(tripled->input_zp == 0);
  CHECK(plain_exact(data.site(), conv,
                    {.weight = {folded.data(), conv.weight.extents}, .bias = bias, .input_zp = tripled->input_zp}));
  data.steps.add_out.output_zp = 1;  // y = 3 * (x - 2) + 7 against padding of 1: 3 z' = 0, still
  conv.input_zp = 1;
  CHECK(dytq::fold_affine_into_conv(data.site(), conv, out));
  data.beta = {5};  // 3 * (x - 2) + 6 against 1: z' is a third
  CHECK(dytq::fold_affine_into_conv(data.site(), conv, out).error().why == reason::padding);
}

TEST_CASE("more than one block of channels") {
  constexpr std::size_t channels = 600;
  std::vector<std::int8_t> gamma(channels), beta(channels), w(channels * 2);
  for (std::size_t c = 0; c < channels; ++c) {
    gamma[c] = static_cast<std::int8_t>(c % 5) - 2;
    beta[c] = static_cast<std::int8_t>(c % 31) - 15;
    w[c] = static_cast<std::int8_t>(c % 100) - 50;
    w[c + channels] = static_cast<std::int8_t>(c % 90) - 40;
  }
  site_data<1> one{.table = table_of<4>({-9, -2, 3, 11}), .table_zp = 3};
  auto site = one.site();
  site.gamma = gamma;
  site.beta = beta;
  convolution conv{.weight = {w.data(), shape5{2, 1, 1, 1, channels}}};
  for (conv_axis& a : conv.axes) {
    a.input = 1;
  }
  std::vector<std::int8_t> out(w.size());
  std::array<std::int32_t, 2> bias{};
  std::vector<std::int16_t> lines(4 * channels);
  const auto fold = dytq::fold_affine_into_conv(
      site, conv, {.weight = {out.data(), conv.weight.extents}, .bias = bias, .workspace = lines});
  REQUIRE(fold);
  CHECK(
      plain_exact(site, conv, {.weight = {out.data(), conv.weight.extents}, .bias = bias, .input_zp = fold->input_zp}));
  gamma[300] = 2;
  w[300] = 100;
  CHECK(refused(dytq::prove_affine_fold(site, conv, lines), {.why = reason::weight_overflow,
                                                             .at = place::weight,
                                                             .channel = 300,
                                                             .output_channel = 0,
                                                             .tap = 0,
                                                             .expected = 127,
                                                             .got = 200}));
  w[300] = 1;
  gamma[513] = 127;
  w[513] = 3;
  CHECK(dytq::prove_affine_fold(site, conv, lines).error().channel == 513);
}

TEST_BOTH("two padded dimensions", {
  // Offsets of 4 and -2 cancel in each tap: the second weight is twice the first.
  const site_data<2> data{.table = table_of<3>({-5, 1, 7}), .gamma = {2, opaque<std::int8_t>(1)}, .beta = {4, -2}};
  std::array<std::int8_t, 24> w{};
  for (std::size_t i = 0; i < 12; ++i) {
    w[2 * i] = static_cast<std::int8_t>(static_cast<int>(i * i) % 11 - 5);
    w[2 * i + 1] = static_cast<std::int8_t>(2 * w[2 * i]);
  }
  convolution conv{.weight = {w.data(), shape5{2, 1, 3, 2, 2}}, .axes = dytq::unpadded};
  conv.axes[0].input = 1;
  conv.axes[1] = {.input = 4, .before = 1, .after = 1};
  conv.axes[2] = {.input = 3, .before = 1};
  fold_memory<24, 2, 2> out;
  const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
  if (!fold || fold->input_zp != 0 || !accepted_by_both(data.site(), conv, out, *fold)) {
    return false;
  }
  w[7] = static_cast<std::int8_t>(w[7] + 1);  // the tap that is inside everywhere
  const auto middle = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
  if (!middle || out.bias[0] != -2 || !accepted_by_both(data.site(), conv, out, *middle)) {
    return false;
  }
  w[1] = static_cast<std::int8_t>(w[1] + 1);
  return dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents)).error().why == reason::padding;
})

TEST_BOTH("taps that take turns: the bias takes those of one position", {
  const site_data<1> data{.table = table_of<2>({0, 1}), .gamma = {1}, .beta = {3}};
  const std::array<std::int8_t, 2> w{5, opaque<std::int8_t>(5)};
  convolution conv{.weight = {w.data(), shape5{1, 1, 1, 2, 1}}, .axes = dytq::unpadded};
  conv.axes[0].input = conv.axes[1].input = 1;
  conv.axes[2] = {.input = 1, .before = 1, .after = 1};
  fold_memory<2, 1, 1> out;
  const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
  return fold && out.weight == w && out.bias[0] == 15 && accepted_by_both(data.site(), conv, out, *fold);
})

TEST_BOTH("taps that are never inside keep their weights", {
  const site_data<1> data{.table = table_of<2>({0, 1}), .gamma = {2}};
  const std::array<std::int8_t, 3> w{100, 3, opaque<std::int8_t>(-101)};
  convolution conv{.weight = {w.data(), shape5{1, 1, 1, 3, 1}}, .axes = dytq::unpadded};
  conv.axes[2] = {.input = 1, .before = 1, .after = 1};
  fold_memory<3, 1, 1> out;
  const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
  return fold && out.weight == std::array<std::int8_t, 3>{100, 6, -101} && fold->weights_changed == 1;
})

TEST_BOTH("several consumers: all of them, each with its own input zero point", {
  const site_data<1> data{.table = table_of<3>({-3, 2, 8}), .gamma = {1}, .beta = {6}, .table_zp = 2};
  std::array<std::int8_t, 3> w0{1, 2, 3};
  std::array<std::int8_t, 1> w1{opaque<std::int8_t>(7)};
  std::array<convolution, 2> convs{convolution{.weight = {w0.data(), shape5{1, 1, 1, 3, 1}}},
                                   convolution{.weight = {w1.data(), shape5{1, 1, 1, 1, 1}}}};
  convs[0].axes[2] = {.input = 4, .before = 1, .after = 1};
  fold_memory<3, 1, 1> out0;
  fold_memory<1, 1, 1> out1;
  std::array<dytq::fold_outputs, 2> outs{out0.views(convs[0].weight.extents), out1.views(convs[1].weight.extents)};
  outs[1].workspace = outs[0].workspace;  // one workspace serves all
  std::array<dytq::affine_fold, 2> folds{};
  if (!dytq::fold_affine_into_convs(data.site(), convs, outs, folds) || folds[0].input_zp != -4 ||
      folds[1].input_zp != 2 || out1.bias[0] != 7 * 6 || out0.bias[0] != 0 || folds[1].weights_changed != 0 ||
      !folds[1].constants_changed()) {
    return false;
  }
  // None, if one has none.
  convs[1].weight_range = {-5, 5};
  out0 = {};
  out1 = {};
  folds[0].input_zp = 77;
  const auto none = dytq::fold_affine_into_convs(data.site(), convs, outs, folds);
  if (none.error().why != reason::weight_overflow || none.error().got != 7 || none.error().convolution != 1 ||
      !out0.untouched() || !out1.untouched() || folds[0].input_zp != 77) {
    return false;
  }
  convs[1].weight_range = dytq::int8_range;
  outs[1].bias = {};  // refused before any algebra
  if (const auto bias = dytq::fold_affine_into_convs(data.site(), convs, outs, folds);
      bias.error().why != reason::output_missing || bias.error().convolution != 1) {
    return false;
  }
  const view<const convolution> one(convs.data(), {1});
  return refused(dytq::fold_affine_into_convs(data.site(), one, outs, folds),
                 {.why = reason::size_mismatch, .at = place::output, .expected = 1, .got = 2}) &&
         refused(dytq::fold_affine_into_convs(data.site(), convs, outs, view<dytq::affine_fold>(folds.data(), {1})),
                 {.why = reason::size_mismatch, .at = place::output, .expected = 2, .got = 1}) &&
         dytq::fold_affine_into_convs(data.site(), {}, {}, {}).has_value();
})

TEST_CASE("more consumers than offsets are remembered") {
  const site_data<1> data{.table = table_of<3>({-3, 2, 8}), .gamma = {1}, .beta = {6}, .table_zp = 2};
  constexpr std::size_t count = 70;
  const std::array<std::int8_t, 3> w{1, 2, 3};
  std::array<std::array<std::int8_t, 3>, count> weights{};
  std::array<std::int32_t, count> biases{};
  std::array<std::int16_t, 4> lines{};
  std::array<convolution, count> convs{};
  std::array<dytq::fold_outputs, count> outs{};
  std::array<dytq::affine_fold, count> folds{};
  for (std::size_t i = 0; i < count; ++i) {
    convs[i] = {.weight = {w.data(), shape5{1, 1, 1, 3, 1}}, .axes = dytq::unpadded};
    if (i % 2 == 1) {
      convs[i].axes[2] = {.input = 4, .before = 1, .after = 1};  // determines the input zero point
    }
    outs[i] = {.weight = {weights[i].data(), shape5{1, 1, 1, 3, 1}},
               .bias = view<std::int32_t>(&biases[i], {1}),
               .workspace = lines};
  }
  REQUIRE(dytq::fold_affine_into_convs(data.site(), convs, outs, folds));
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(folds[i].input_zp == (i % 2 == 1 ? -4 : 2));
    CHECK(biases[i] == (i % 2 == 1 ? 0 : 6 * 6));
    CHECK(weights[i] == w);
  }
}

TEST_CASE("several consumers must not write what another one reads") {
  const site_data<1> data{.table = table_of<3>({-3, 2, 8}), .gamma = {1}, .beta = {6}};
  std::array<std::int8_t, 3> w{1, 2, 3};
  alignas(std::int16_t) std::array<std::int8_t, 4 * sizeof(std::int16_t)> apart{};
  std::array<std::int32_t, 2> bias{};
  std::array<std::int16_t, 4> lines{};
  const convolution conv{.weight = {w.data(), shape5{1, 1, 1, 3, 1}}, .axes = dytq::unpadded};
  const std::array<convolution, 2> convs{conv, conv};
  const dytq::weight_view<std::int8_t> here{w.data(), conv.weight.extents};
  const dytq::weight_view<std::int8_t> there{apart.data(), conv.weight.extents};
  std::array<dytq::affine_fold, 2> folds{};
  std::array<dytq::fold_outputs, 2> outs{
      dytq::fold_outputs{.weight = there, .bias = view<std::int32_t>(bias.data(), {1}), .workspace = lines},
      dytq::fold_outputs{.weight = here, .bias = view<std::int32_t>(bias.data() + 1, {1}), .workspace = lines}};
  CHECK(refused(dytq::fold_affine_into_convs(data.site(), convs, outs, folds),
                {.why = reason::overlapping_views, .at = place::output, .convolution = 1, .expected = 0, .got = 1}));
  outs[1].weight = there;
  CHECK(refused(dytq::fold_affine_into_convs(data.site(), convs, outs, folds),
                {.why = reason::overlapping_views, .at = place::output, .convolution = 0, .expected = 1, .got = 0}));
  // A workspace may be another's workspace, but not its weights.
  outs[1] = {.workspace = view<std::int16_t>(reinterpret_cast<std::int16_t*>(apart.data()), {4})};
  CHECK(refused(dytq::fold_affine_into_convs(data.site(), convs, outs, folds),
                {.why = reason::overlapping_views, .at = place::output, .convolution = 0, .expected = 1, .got = 0}));
  outs[0].weight = {};
  outs[0].bias = {};
  std::swap(outs[0], outs[1]);
  std::array<std::int8_t, 3> own{};
  outs[0].weight = {own.data(), conv.weight.extents};
  outs[0].bias = view<std::int32_t>(bias.data() + 1, {1});
  outs[1].weight = there;
  outs[1].bias = view<std::int32_t>(bias.data(), {1});
  CHECK(refused(dytq::fold_affine_into_convs(data.site(), convs, outs, folds),
                {.why = reason::overlapping_views, .at = place::output, .convolution = 0, .expected = 1, .got = 0}));
  std::swap(outs[0], outs[1]);
  outs[1] = {.workspace = lines};  // nothing to write the second one to
  CHECK(refused(dytq::fold_affine_into_convs(data.site(), convs, outs, folds),
                {.why = reason::output_missing, .at = place::weight, .convolution = 1}));
  std::array<convolution, 4> room{conv, conv, conv, conv};
  const view<dytq::affine_fold> in_convs(reinterpret_cast<dytq::affine_fold*>(room.data()), {2});
  CHECK(refused(dytq::fold_affine_into_convs(data.site(), view<const convolution>(room.data(), {2}), outs, in_convs),
                {.why = reason::overlapping_views, .at = place::index}));
  // The answers over a bias, and over the weights that are read.
  alignas(dytq::affine_fold) std::array<std::int8_t, 2 * sizeof(dytq::affine_fold)> both{};
  const view<dytq::affine_fold> answers(reinterpret_cast<dytq::affine_fold*>(both.data()), {2});
  outs[0] = {.weight = {own.data(), conv.weight.extents},
             .bias = view<std::int32_t>(reinterpret_cast<std::int32_t*>(both.data()), {1}),
             .workspace = lines};
  outs[1] = {.weight = there, .bias = view<std::int32_t>(bias.data(), {1}), .workspace = lines};
  CHECK(refused(dytq::fold_affine_into_convs(data.site(), convs, outs, answers),
                {.why = reason::overlapping_views, .at = place::index, .convolution = 0}));
  outs[0].bias = view<std::int32_t>(bias.data() + 1, {1});
  std::array<convolution, 2> inside = convs;
  inside[1].weight.data = both.data();
  CHECK(refused(dytq::fold_affine_into_convs(data.site(), inside, outs, answers),
                {.why = reason::overlapping_views, .at = place::index, .convolution = 1}));
}

TEST_CASE("random small sites: a fold is exact, and a refused one does not exist") {
  std::mt19937 random(20240607);
  const auto draw = [&](int lo, int hi) {
    return lo + static_cast<int>(random() % (static_cast<unsigned>(hi) - static_cast<unsigned>(lo) + 1u));
  };
  int folds = 0;
  int none = 0;
  for (int round = 0; round < 2000; ++round) {
    site_data<2> data{.table = table_of<3>({draw(-4, -1), draw(0, 2), draw(3, 6)})};
    data.table_zp = draw(-2, 2);
    data.gamma = {static_cast<std::int8_t>(draw(-2, 2)), static_cast<std::int8_t>(draw(-2, 2))};
    data.beta = {static_cast<std::int8_t>(draw(-3, 3)), static_cast<std::int8_t>(draw(-3, 3))};
    data.steps.gamma_out.shift += draw(0, 1);
    data.steps.add_out.output_zp = draw(-2, 2);
    std::array<std::int8_t, 4> w{};
    for (std::int8_t& v : w) {
      v = static_cast<std::int8_t>(draw(-2, 2));
    }
    const std::array<std::int32_t, 1> b{draw(-5, 5)};
    convolution conv{
        .weight = {w.data(), shape5{1, 1, 1, 2, 2}}, .bias = b, .weight_range = {-3, 3}, .axes = dytq::unpadded};
    conv.input_zp = data.steps.add_out.output_zp;
    conv.axes[0].input = conv.axes[1].input = 1;
    conv.kind = draw(0, 3) == 0 ? dytq::conv_kind::transposed : dytq::conv_kind::forward;
    conv.axes[2] = {.input = draw(2, 3), .before = draw(0, 1), .after = draw(0, 1)};
    fold_memory<4, 1, 2> out;
    const auto fold = dytq::fold_affine_into_conv(data.site(), conv, out.views(conv.weight.extents));
    if (fold) {
      ++folds;
      CHECK(accepted_by_both(data.site(), conv, out, *fold));
      continue;
    }
    ++none;
    CHECK(out.untouched());
    // Every weight is determined by its term alone; if all are found, every zero point is tried with the bias that the
    // first position asks for.
    const auto site = data.site();
    std::array<std::int8_t, 4> found{};
    bool exists = true;
    for (std::size_t i = 0; i < 4 && exists; ++i) {
      bool some = false;
      for (std::int64_t n = -3; n <= 3; ++n) {
        bool all = true;
        for (std::int64_t q = 0; q < 3; ++q) {
          const auto c = static_cast<std::int64_t>(i % 2);
          all = all && w[i] * (plain_chain(site, c, site.table(q)).v - plain_chain(site, c, site.table(0)).v) ==
                           n * (site.table(q) - site.table(0));
        }
        if (all) {
          some = true;
          found[i] = static_cast<std::int8_t>(n);
        }
      }
      exists = some;
    }
    bool seen = false;
    for (std::int32_t z = -30; z <= 30 && exists; ++z) {  // (y - zin) / slope is far inside
      std::array<std::int32_t, 1> bias{};
      const auto exact = [&](std::int64_t* needs) {
        return plain_exact(site, conv, {.weight = {found.data(), conv.weight.extents}, .bias = bias, .input_zp = z},
                           needs);
      };
      std::int64_t needs = 0;
      exact(&needs);
      bias[0] = static_cast<std::int32_t>(needs);
      seen = seen || exact(nullptr);
    }
    CHECK_FALSE(seen);
  }
  CHECK(folds > 300);
  CHECK(none > 300);
}

TEST_CASE("refusals in a user's numbers: what was seen, with the right values") {
  std::array<std::int8_t, 256> table = dytq_tests::identity_table();
  const auto refusal = [&](std::int8_t gamma, std::int32_t shift, std::int8_t weight, std::int8_t beta,
                           dytq::code_range out) {
    const std::array<std::int8_t, 1> g{gamma}, b{beta};
    std::array<std::int8_t, 1> w{weight};
    std::array<std::int32_t, 1> bias{};
    std::array<std::int16_t, 4> lines{};
    dytq::affine_site site{.table = table, .gamma = g, .beta = b};
    site.steps.gamma_out = {.shift = shift, .out = dytq::int8_range};
    site.steps.add_out.out = out;
    const auto weights = dytq::from_oi(view<std::int8_t, 2>(w.data(), {1, 1}));
    return dytq::fold_affine_into_conv(site, {.weight = weights}, {weights, bias, lines}).error();
  };
  const auto not_affine = [](place at, std::int64_t code, std::int64_t expected, std::int64_t got) {
    return rejection{.why = reason::not_affine,
                     .at = at,
                     .channel = 0,
                     .output_channel = 0,
                     .tap = 0,
                     .code = code,
                     .expected = expected,
                     .got = got};
  };
  // clamp(4x): the ends clamp, at gamma_out; clamp(x + 100) at add_out; a narrower range there too.
  CHECK(refusal(4, 30, 1, 0, dytq::int8_range) == not_affine(place::gamma_out, -33, -132, -128));
  CHECK(refusal(-4, 30, 1, 0, dytq::int8_range) == not_affine(place::gamma_out, -32, 128, 127));
  CHECK(refusal(1, 30, 1, 100, dytq::int8_range) == not_affine(place::add_out, 28, 128, 127));
  CHECK(refusal(1, 30, 1, 0, {-50, 60}) == not_affine(place::add_out, -51, -51, -50));
  // x / 2 rounds: no step is named but the weight.
  CHECK(refusal(1, 31, 1, 0, dytq::int8_range).at == place::weight);
  // A line of slope 1/2 on even codes, times 3: the map rises by 1 to the next code, 3 times that is 3, not 2 or 4.
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = static_cast<std::int8_t>(2 * (static_cast<int>(i) / 2) % 100);
  }
  CHECK(refusal(1, 31, 3, 0, dytq::int8_range) == not_affine(place::weight, 2, 2, 3));
  CHECK(refusal(1, 31, 4, 0, dytq::int8_range) == rejection{});
}
