// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/conv.hpp>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "support/both_worlds.hpp"
#include "support/plain_model.hpp"

using dytq::conv_kind;
using dytq::convolution;
using dytq::place;
using dytq::reason;
using dytq::rejection;
using dytq::view;
using dytq_tests::opaque;

namespace {

using shape5 = std::array<std::int64_t, 5>;
using input_view = dytq::activation_view<const std::int8_t>;
using output_view = dytq::activation_view<std::int32_t>;

// A plain loop over positions, taps and channels. The input extents of the convolution must be given.
template <class At>
constexpr bool as_a_plain_loop(const convolution& conv, const input_view& x, const At& output) {
  const std::int64_t outputs = conv.weight.extents[0];
  for (std::int64_t n = 0; n < x.extents[0]; ++n) {
    for (std::int64_t o = 0; o < outputs; ++o) {
      std::int64_t sum = 0;
      std::array<std::int64_t, 3> at{};
      bool started = false;
      bool right = true;
      const auto judge = [&] { right = right && (!started || output(n, at[0], at[1], at[2], o) == sum); };
      dytq_tests::plain_walk(
          conv,
          [&](const auto& p) {
            judge();
            started = true;
            at = p;
            sum = conv.bias.absent() ? 0 : conv.bias(conv.bias.extents[0] == 1 ? 0 : o);
            return true;
          },
          [&](const auto& p, std::int64_t d, std::int64_t y, std::int64_t t) {
            for (std::int64_t i = 0; i < conv.weight.extents[4]; ++i) {
              const std::int64_t c = o / (outputs / conv.groups) * conv.weight.extents[4] + i;
              const std::int64_t w_zp =
                  conv.weight_zp.absent() ? 0 : conv.weight_zp(conv.weight_zp.extents[0] == 1 ? 0 : o);
              sum += (x(n, dytq_tests::plain_read(conv.kind, conv.axes[0], p[0], d),
                        dytq_tests::plain_read(conv.kind, conv.axes[1], p[1], y),
                        dytq_tests::plain_read(conv.kind, conv.axes[2], p[2], t), c) -
                      conv.input_zp) *
                     (conv.weight(o, d, y, t, i) - w_zp);
            }
            return true;
          });
      judge();
      if (!right) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

TEST_BOTH("two dimensions, padding, stride, dilation", {
  std::array<std::int8_t, 2 * 5 * 4 * 2> x{};
  std::array<std::int8_t, 3 * 2 * 2 * 2> w{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<std::int8_t>(i * 37 % 251 + static_cast<std::size_t>(opaque(3)));
  }
  for (std::size_t i = 0; i < w.size(); ++i) {
    w[i] = static_cast<std::int8_t>(i * 91 % 253);
  }
  const std::array<std::int32_t, 3> b{1, -2, 300};
  const std::array<std::int8_t, 3> w_zp{0, 5, -7};
  convolution conv{.weight = dytq::from_ohwi(view<const std::int8_t, 4>(w.data(), {3, 2, 2, 2})),
                   .weight_zp = w_zp,
                   .bias = b,
                   .input_zp = -3};
  conv.axes = {dytq::conv_axis{.input = 1}, dytq::conv_axis{.input = 5, .stride = 2, .before = 1, .after = 0},
               dytq::conv_axis{.input = 4, .dilation = 2, .before = 1, .after = 2}};
  const auto input = dytq::from_nhwc(view<const std::int8_t, 4>(x.data(), {2, 5, 4, 2}));
  std::array<std::int32_t, 2 * 3 * 5 * 3> out{};
  const output_view output(out.data(), {2, 1, 3, 5, 3});
  return dytq::evaluate(conv, input, output) && as_a_plain_loop(conv, input, output);
})

TEST_CASE("every kind and layout agrees with a plain loop") {
  std::mt19937 random(21);
  const auto draw = [&](int lo, int hi) {
    return lo + static_cast<int>(random() % (static_cast<unsigned>(hi) - static_cast<unsigned>(lo) + 1u));
  };
  int evaluated = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::int64_t groups = draw(1, 3);
    const std::int64_t inputs = draw(1, 3);
    const std::int64_t outputs = groups * draw(1, 2);
    std::array<std::int64_t, 3> k{draw(1, 2), draw(1, 3), draw(1, 3)};
    if (draw(0, 1) == 0) {
      k[0] = 1;
    }
    std::vector<std::int8_t> w(static_cast<std::size_t>(outputs * k[0] * k[1] * k[2] * inputs));
    for (std::int8_t& v : w) {
      v = static_cast<std::int8_t>(draw(-128, 127));
    }
    std::vector<std::int32_t> b(static_cast<std::size_t>(draw(0, 1) == 0 ? 1 : outputs), draw(-9, 9));
    std::vector<std::int8_t> w_zp(static_cast<std::size_t>(outputs), static_cast<std::int8_t>(draw(-128, 127)));
    convolution conv{.weight = {w.data(), shape5{outputs, k[0], k[1], k[2], inputs}}, .groups = groups};
    if (draw(0, 1) == 0) {  // the same elements, stored the other way around
      conv.weight = {w.data() + w.size() - 1, conv.weight.extents,
                     shape5{-conv.weight.strides[0], -conv.weight.strides[1], -conv.weight.strides[2],
                            -conv.weight.strides[3], -conv.weight.strides[4]}};
    }
    if (draw(0, 2) != 0) {
      conv.bias = b;
      conv.weight_zp = w_zp;
    }
    conv.input_zp = draw(-128, 127);
    conv.kind = draw(0, 2) == 0 ? conv_kind::transposed : conv_kind::forward;
    for (std::size_t a = 0; a < 3; ++a) {
      conv.axes[a] = {.input = draw(1, 4), .stride = draw(1, 2), .before = draw(0, 1), .after = draw(0, 1)};
      conv.axes[a].dilation = conv.kind == conv_kind::forward ? draw(1, 2) : 1;
    }
    const auto geometry = dytq::validate(conv);
    if (!geometry) {
      continue;
    }
    ++evaluated;
    const std::int64_t channels = inputs * groups;
    const shape5 in_shape{2, conv.axes[0].input, conv.axes[1].input, conv.axes[2].input, channels};
    const shape5 out_shape{2, geometry->axes[0].outputs(), geometry->axes[1].outputs(), geometry->axes[2].outputs(),
                           outputs};
    std::vector<std::int8_t> x(static_cast<std::size_t>(input_view(nullptr, in_shape).size()));
    for (std::int8_t& v : x) {
      v = static_cast<std::int8_t>(draw(-128, 127));
    }
    std::vector<std::int32_t> y(static_cast<std::size_t>(output_view(nullptr, out_shape).size()));
    const input_view input(x.data(), in_shape);
    const output_view output(y.data(), out_shape);
    REQUIRE(dytq::evaluate(conv, input, output));
    CHECK(as_a_plain_loop(conv, input, output));
  }
  CHECK(evaluated > 300);
}

TEST_BOTH("linear, one dimension, depthwise", {
  const std::array<std::int8_t, 4> w{1, 2, 3, opaque<std::int8_t>(4)};
  const std::array<std::int8_t, 4> x{10, 20, 30, 40};
  std::array<std::int32_t, 4> y{};
  const convolution linear{.weight = dytq::from_oi(view<const std::int8_t, 2>(w.data(), {2, 2}))};
  if (!dytq::evaluate(linear, {x.data(), shape5{2, 1, 1, 1, 2}}, {y.data(), shape5{2, 1, 1, 1, 2}}) ||
      y != std::array<std::int32_t, 4>{50, 110, 110, 250}) {
    return false;
  }
  const convolution line{.weight = dytq::from_owi(view<const std::int8_t, 3>(w.data(), {1, 2, 2}))};
  if (!dytq::evaluate(line, {x.data(), shape5{1, 1, 1, 2, 2}}, {y.data(), shape5{1, 1, 1, 1, 1}}) || y[0] != 300) {
    return false;
  }
  // H = 1, W = 1, C = 2, M = 2
  const convolution depthwise{.weight = dytq::from_hwim(view<const std::int8_t, 4>(w.data(), {1, 1, 2, 2})).value(),
                              .groups = 2};
  return dytq::evaluate(depthwise, {x.data(), shape5{1, 1, 1, 1, 2}}, {y.data(), shape5{1, 1, 1, 1, 4}}) &&
         y == std::array<std::int32_t, 4>{10, 20, 60, 80};
})

TEST_BOTH("an overflow is refused at its limit, nothing is written", {
  const std::array<std::int8_t, 2> x{127, opaque<std::int8_t>(126)};
  const std::array<std::int8_t, 2> w{1, -1};
  std::array<std::int32_t, 2> b{INT32_MAX - 127, INT32_MIN + 126};
  const convolution conv{.weight = {w.data(), shape5{2, 1, 1, 1, 1}}, .bias = b};
  std::array<std::int32_t, 2> y{5, 5};
  const output_view out(y.data(), shape5{1, 1, 1, 1, 2});
  if (!dytq::evaluate(conv, {x.data() + 1, shape5{1, 1, 1, 1, 1}}, out) || y[0] != INT32_MAX - 1 || y[1] != INT32_MIN) {
    return false;
  }
  y = {5, 5};
  return dytq::evaluate(conv, {x.data(), shape5{1, 1, 1, 1, 1}}, out).error() ==
             rejection{.why = reason::accumulator_overflow,
                       .at = place::output,
                       .output_channel = 1,
                       .expected = INT32_MIN,
                       .got = std::int64_t{INT32_MIN} - 1} &&
         y == std::array<std::int32_t, 2>{5, 5};
})

TEST_BOTH("shapes that do not agree", {
  const std::array<std::int8_t, 16> x{};
  std::array<std::int32_t, 16> y{};
  convolution conv{.weight = {x.data(), shape5{2, 1, 1, 2, 2}}, .axes = dytq::unpadded};
  const auto why = [&](const shape5& in, const shape5& out) {
    return dytq::evaluate(conv, {x.data(), in}, {y.data(), out}).error();
  };
  bool ok = why({1, 1, 1, 3, 2}, {1, 1, 1, 2, 2}) == rejection{};
  ok = ok && why({1, 1, 1, 3, 3}, {1, 1, 1, 2, 2}) ==
                 rejection{.why = reason::channel_count, .at = place::input, .expected = 2, .got = 3};
  ok = ok && why({1, 1, 1, 3, 2}, {1, 1, 1, 3, 2}) ==
                 rejection{.why = reason::shape_mismatch, .at = place::output, .expected = 2, .got = 3};
  ok = ok && why({1, 1, 1, 1, 2}, {1, 1, 1, 1, 2}).why == reason::shape_mismatch;
  conv.axes[2].input = opaque<std::int64_t>(4);
  ok = ok && why({1, 1, 1, 3, 2}, {1, 1, 1, 2, 2}) ==
                 rejection{.why = reason::shape_mismatch, .at = place::input, .expected = 4, .got = 3};
  conv.axes[2].input = 0;
  ok = ok && why({1, 1, 0, 3, 2}, {1, 1, 0, 2, 2}).why == reason::shape_mismatch;
  return ok && why({0, 1, 1, 3, 2}, {0, 1, 1, 2, 2}) == rejection{};
})

TEST_CASE("outputs apart from all that is read; hostile views") {
  alignas(4) std::array<std::int8_t, 64> x{};
  std::array<std::int32_t, 8> y{};
  const auto as_words = reinterpret_cast<std::int32_t*>(x.data());
  convolution conv{.weight = {x.data(), shape5{2, 1, 1, 1, 2}}, .bias = view<const std::int32_t>(y.data(), {2})};
  const rejection overlapping{.why = reason::overlapping_views, .at = place::output};
  const input_view in(x.data() + 32, shape5{1, 1, 1, 1, 2});
  CHECK(dytq::evaluate(conv, in, {as_words, shape5{1, 1, 1, 1, 2}}).error() == overlapping);
  CHECK(dytq::evaluate(conv, in, {as_words + 8, shape5{1, 1, 1, 1, 2}}).error() == overlapping);
  CHECK(dytq::evaluate(conv, in, {y.data() + 1, shape5{1, 1, 1, 1, 2}}).error() == overlapping);
  CHECK(dytq::evaluate(conv, in, {y.data() + 2, shape5{1, 1, 1, 1, 2}}));
  conv.weight_zp = view<const std::int8_t>(x.data() + 48, {2});
  CHECK(dytq::evaluate(conv, in, {as_words + 12, shape5{1, 1, 1, 1, 2}}).error() == overlapping);
  for (const std::int64_t v : {INT64_MIN, INT64_MAX, INT64_MAX / 3, std::int64_t{-1}}) {
    convolution wild = conv;
    wild.weight.extents = {v, v, v, v, v};
    CHECK_FALSE(dytq::evaluate(wild, in, {y.data() + 2, shape5{1, 1, 1, 1, 2}}));
    CHECK_FALSE(dytq::evaluate(conv, {x.data(), shape5{v, v, v, v, v}}, {y.data() + 2, shape5{1, 1, 1, 1, 2}}));
    CHECK_FALSE(dytq::evaluate(conv, in, {y.data() + 2, shape5{v, v, v, v, v}}));
    wild = conv;
    wild.groups = v;
    CHECK_FALSE(dytq::evaluate(wild, in, {y.data() + 2, shape5{1, 1, 1, 1, 2}}));
  }
}
