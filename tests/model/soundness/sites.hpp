// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random sites of every rank, weighted so that every rewrite exists often and every reason is met often.
#ifndef DYTQ_TESTS_SOUNDNESS_SITES_HPP
#define DYTQ_TESTS_SOUNDNESS_SITES_HPP

#include <algorithm>

#include "generators.hpp"
#include "harness.hpp"

namespace soundness {

using oracle::source;

inline axis any_axis(source& s, bool transposed, bool padded, integer kernel, integer most_outputs) {
  axis a;
  a.stride = s.range(1, transposed ? 3 : 2);
  if (transposed) {
    a.input = s.range(1, 3);
    const integer cut = std::min<integer>(kernel - 1, 2);
    if (padded) {
      a.before = s.range(-cut, 2);
      a.after = s.range(-cut, 2);
      if ((a.input - 1) * a.stride + a.before + a.after + kernel < 1)
        a.before = 0;
    }
    return a;
  }
  a.dilation = s.chance(75) ? 1 : 2;
  if (padded) {
    a.before = s.below(std::min<integer>(kernel * a.dilation, 4));
    a.after = s.below(std::min<integer>(kernel * a.dilation, 4));
  }
  a.input = (s.range(1, most_outputs) - 1) * a.stride + (kernel - 1) * a.dilation + 1 - a.before - a.after;
  while (a.input < 1)
    a.input += a.stride;
  return a;
}

// Another shape for the same chain, weights drawn from the ones that are there.
inline void reshape(source& s, test_site& t, int rank, bool transposed, bool padded) {
  const integer before = t.shape.taps(), inputs = t.graph.conv.in_channels_per_group;
  t.shape = {};
  t.shape.transposed = transposed;
  for (std::size_t d = at(3 - rank); d < 3; ++d) {
    t.shape.kernel[d] = s.range(1, rank == 1 ? 5 : rank == 2 ? 3 : 2);
    t.shape.axes[d] = any_axis(s, transposed, padded, t.shape.kernel[d], rank == 1 ? 6 : rank == 2 ? 4 : 3);
  }
  if (!transposed && !padded && s.chance(20)) {
    for (std::size_t d = at(3 - rank); d < 3; ++d)
      t.shape.axes[d].input = 0;
  }
  integers weight;
  for (integer o = 0; o < t.graph.conv.out_channels; ++o) {
    for (integer k = 0; k < t.shape.taps() * inputs; ++k) {
      // of the same channel, so that pairs of channels that cancel keep doing so more often than not
      const integer old = k < before * inputs ? k : s.below(before) * inputs + k % inputs;
      weight.push_back(t.graph.conv.weight[at(o * before * inputs + old)]);
    }
  }
  t.graph.conv.weight = weight;
  describe_shape(t);
}

inline void take_shape(test_site& t) {
  const oracle::site_conv& c = t.graph.conv;
  t.shape = {};
  t.shape.transposed = c.kind == "transpose_conv2d";
  t.shape.kernel = {1, c.kernel[0], c.kernel[1]};
  for (std::size_t d = 0; d < 2 && c.kind != "linear"; ++d) {
    const auto& pad = t.shape.transposed ? c.out_pad : c.pad;
    t.shape.axes[d + 1] = {.input = c.input_hw ? (*c.input_hw)[d] : 0,
                           .stride = c.stride[d],
                           .dilation = t.shape.transposed ? 1 : c.dilation[d],
                           .before = pad[2 * d],
                           .after = pad[2 * d + 1]};
  }
  if (!output_extents(t.shape)) {  // cut to nothing
    for (axis& a : t.shape.axes)
      a.before = a.after = 0;
  }
}

inline void any_reachable(source& s, test_site& t) {
  t.reachable.assign(256, true);
  if (s.chance(25)) {
    const int percent = s.pick<int>({1, 5, 20, 60});
    for (std::size_t q = 0; q < 256; ++q)
      t.reachable[q] = s.chance(percent);
    t.reachable[at(s.below(256))] = true;
  }
  apply_reachable(t);
}

// Both halves as real numbers: gamma = centered * 2^-power, beta = centered * 2^0, all steps powers of two.
inline void plain_chain(source& s, test_site& t, bool has_gamma, bool has_beta) {
  oracle::site& g = t.graph;
  const integer channels = t.channels(), power = s.range(0, 6);
  g.gamma.reset();
  g.beta.reset();
  g.r_table = oracle::detail::plain(g.table_zp, 0, false);
  g.r_gamma = oracle::detail::plain(0, 0, false);
  g.r_gamma_out = oracle::detail::halving(power, 0, g.table_zp, true);
  g.r_add_in = oracle::detail::plain(g.table_zp, 0, false);
  g.r_beta = oracle::detail::plain(0, 0, false);
  g.r_add_out = oracle::detail::plain(0, g.table_zp, true);
  if (has_gamma)
    g.gamma = integers(at(channels), integer(1) << power);
  if (has_beta)
    g.beta = integers(at(channels), 0);
  g.conv.input_zp = g.table_zp;
}

// What a site is drawn for.
enum class recipe {
  any,
  identity,
  gamma_identity,
  beta_identity,
  uniform,
  rescale,
  scaled_operand,
  wide_zero_point,
  heavy,
  large_kernel,
  edge_bias,
  parallel,
  constant,
  mirrored,
  tight_weights,
  beta_line,
  count_
};

inline recipe any_recipe(source& s) {
  return static_cast<recipe>(s.weighted({310, 35, 25, 25, 60, 60, 35, 16, 11, 5, 85, 70, 35, 110, 70, 60}));
}

inline test_site any_site(source& s, recipe r) {
  test_site t;
  const auto redraw = [&] {
    t.graph =
        oracle::site_value(s, {.large = false, .wrong_channels = false, .other_kinds = true, .percent_broken = 0});
  };
  redraw();
  take_shape(t);
  t.raw_table = t.graph.table;
  oracle::site& g = t.graph;
  oracle::site_conv& c = g.conv;
  const auto clamp8 = [](integer v) { return std::min<integer>(127, std::max<integer>(-128, v)); };
  switch (r) {
    case recipe::identity: plain_chain(s, t, s.chance(70), s.chance(70)); break;
    case recipe::gamma_identity:
      plain_chain(s, t, true, true);
      for (integer& b : *g.beta)
        b = s.range(-5, 5);
      break;
    case recipe::beta_identity:
      plain_chain(s, t, true, true);
      for (integer& e : *g.gamma)
        e = clamp8(e * s.range(-3, 3));
      break;
    case recipe::uniform: {  // one map for all, of any form
      for (auto* list : {&g.gamma, &g.beta}) {
        if (*list)
          **list = integers((*list)->size(), (**list)[0]);
      }
      break;
    }
    case recipe::rescale:
      plain_chain(s, t, true, s.chance(50));
      g.r_gamma_out.multiplier = oracle::multiplier_value(s);
      g.r_gamma_out.double_round = s.chance(50);
      for (integer& e : *g.gamma)
        e = s.chance(10) ? oracle::int8_value(s) : s.range(0, 127);
      break;
    case recipe::scaled_operand:
      if (s.chance(50)) {
        g.r_table.shift = s.range(22, 36);
      } else {
        g.r_gamma.shift = s.range(22, 36);
      }
      break;
    case recipe::wide_zero_point:
      plain_chain(s, t, true, s.chance(50));
      if (s.chance(50)) {
        g.r_table.input_zp = s.pick<integer>({-129, 128, 200, -300});
      } else {
        g.r_gamma.input_zp = s.pick<integer>({-129, 128, 200, -300});
      }
      break;
    case recipe::heavy: {  // accumulators that may overflow: few other things vary
      g.table_zp = s.pick<integer>({-128, 127});
      t.raw_table = integers(256, g.table_zp);
      for (integer q = 0; q < 40; ++q)
        t.raw_table[at(q)] = g.table_zp == 127 ? -128 + s.below(3) : 127 - s.below(3);
      t.raw_table[0] = -1 - g.table_zp;
      t.shape = {};
      t.shape.kernel = {1, s.range(259, 262), s.range(259, 262)};
      t.shape.axes[1] = {.input = t.shape.kernel[1], .before = 1};
      t.shape.axes[2] = {.input = t.shape.kernel[2]};
      if (s.chance(15))
        t.shape.axes[1].before = 0;
      c.groups = c.in_channels_per_group = 1;
      c.out_channels = 1;
      c.weight_zp = {0};
      c.weight_min = -127, c.weight_max = 127;
      c.weight = integers(at(t.shape.taps()), s.pick<integer>({-127, 127}));
      c.weight[at(s.below(t.shape.taps()))] = 126;
      c.bias = integers{s.range(-1000, 1000)};
      plain_chain(s, t, s.chance(30), true);
      break;
    }
    case recipe::large_kernel:
      t.shape = {};
      t.shape.kernel = {1, s.range(33, 36), s.range(33, 36)};
      for (std::size_t d = 1; d < 3; ++d)
        t.shape.axes[d] = {.input = t.shape.kernel[d] + s.range(0, 1), .before = s.below(2), .after = s.below(2)};
      c.groups = c.in_channels_per_group = 1;
      c.out_channels = s.range(1, 2);
      c.weight.clear();
      for (integer k = 0; k < c.out_channels * t.shape.taps(); ++k)
        c.weight.push_back(std::min(c.weight_max, std::max(c.weight_min, s.range(-4, 4))));
      if (c.weight_zp.size() > 1)
        c.weight_zp = {c.weight_zp[0]};
      if (c.bias)
        c.bias = integers{(*c.bias)[0]};
      plain_chain(s, t, s.chance(50), s.chance(50));
      if (g.gamma && s.chance(50))
        (*g.gamma)[0] = clamp8(2 * (*g.gamma)[0]);
      break;
    default: break;
  }
  if (r != recipe::heavy && r != recipe::large_kernel) {
    const int how = s.weighted({45, 16, 6, 17, 8, 8});
    const bool padded = s.chance(55);
    switch (how) {
      case 1: reshape(s, t, 1, false, padded); break;
      case 2: reshape(s, t, 1, true, padded); break;
      case 3: reshape(s, t, 3, false, padded); break;
      case 4: reshape(s, t, 3, true, padded); break;
      case 5: reshape(s, t, 2, true, padded); break;
      default: break;
    }
  }
  switch (r) {
    case recipe::edge_bias: {  // a bias at the ends of int32, and offsets to push it over
      c.bias = integers{};
      for (integer o = 0; o < c.out_channels; ++o) {
        c.bias->push_back(s.chance(50) ? oracle::i32_max - s.below(200) : oracle::i32_min + s.below(200));
      }
      plain_chain(s, t, s.chance(70), true);
      for (integer& b : *g.beta)
        b = s.range(-40, 40);
      if (s.chance(60)) {
        t.raw_table.assign(256, 0);
        for (integer q = 0; q < 256; ++q)
          t.raw_table[at(q)] = q % 5 - 2;
      }
      break;
    }
    case recipe::parallel: {  // maps of one direction, affine or not
      plain_chain(s, t, true, s.chance(60));
      const integer k = g.gamma->at(0);
      for (integer& e : *g.gamma)
        e = s.chance(8) ? oracle::int8_value(s) : clamp8(k * s.pick<integer>({-2, -1, 1, 2, 3, 0}));
      if (g.beta) {
        for (integer& b : *g.beta)
          b = s.chance(60) ? 0 : s.range(-5, 5);
      }
      t.raw_table.assign(256, 0);
      const integer n = s.range(1, 6), reach = s.range(2, 30);
      integers codes;
      for (integer i = 0; i < n; ++i)
        codes.push_back(clamp8(g.table_zp + s.range(-reach, reach)));
      for (integer& e : t.raw_table)
        e = codes[at(s.below(n))];
      break;
    }
    case recipe::constant:
      if (s.chance(20)) {  // nothing to keep, and no weight of 0 to put
        plain_chain(s, t, s.chance(50), s.chance(50));
        t.raw_table.assign(256, g.table_zp);
        c.weight_zp = {0};
        c.weight_min = 1, c.weight_max = 127;
        for (integer& w : c.weight)
          w = std::max<integer>(1, w);
      } else if (s.chance(50)) {
        t.raw_table.assign(256, oracle::int8_value(s));
      } else if (g.gamma) {
        for (integer& e : *g.gamma)
          e = g.r_gamma.input_zp < -128 || g.r_gamma.input_zp > 127 ? 0 : g.r_gamma.input_zp;
      }
      break;
    case recipe::mirrored:  // contributions that cancel over taps: no offset can move the constants
      plain_chain(s, t, s.chance(60), true);
      for (integer& b : *g.beta)
        b = s.range(-30, 30);
      for (integer o = 0; o < c.out_channels; ++o) {
        const integer z = t.weight_zp(o), each = t.shape.taps() * c.in_channels_per_group;
        for (integer k = 0; k + 1 < each; k += 2) {
          integer& w = c.weight[at(o * each + k + 1)];
          w = std::min(c.weight_max, std::max(c.weight_min, 2 * z - c.weight[at(o * each + k)]));
        }
      }
      if (s.chance(75)) {
        c.bias = integers(at(c.out_channels), 0);
        for (integer& b : *c.bias)
          b = s.chance(50) ? oracle::i32_max - s.below(9) : oracle::i32_min + s.below(9);
      }
      break;
    case recipe::tight_weights:  // weights at the ends of their range, slopes above one, zero points that shift it
      plain_chain(s, t, true, s.chance(60));
      for (integer& e : *g.gamma)
        e = clamp8(e * s.pick<integer>({-1, 1, 2, 3}));
      g.r_add_in.shift -= g.beta ? s.below(2) : 0;
      c.weight_min = s.pick<integer>({-8, -7, -128, -127}), c.weight_max = c.weight_min < -8 ? 127 : 7;
      for (integer& z : c.weight_zp)
        z = s.chance(60) ? 0 : s.range(-5, 5);
      for (integer& w : c.weight)
        w = s.chance(20) ? (s.chance(50) ? c.weight_min : c.weight_max)
                         : std::min(c.weight_max, std::max(c.weight_min, w));
      if (s.chance(60)) {
        for (integer& e : t.raw_table)
          e = g.table_zp + s.range(-3, 3) - (g.table_zp > 120 ? 8 : g.table_zp < -120 ? -8 : 0);
      }
      break;
    case recipe::beta_line: {  // beta on codes that differ between channels, with slopes of its own
      plain_chain(s, t, true, true);
      for (integer& e : *g.gamma)
        e = clamp8(e * s.pick<integer>({-1, 1, 2, 3, 5}));
      const integer lift = s.range(-1, 2);
      g.r_add_in.shift -= lift;
      for (integer& b : *g.beta)
        b = s.chance(50) ? 0 : s.range(-9, 9);
      if (s.chance(50)) {
        for (integer& e : t.raw_table)
          e = clamp8(g.table_zp + s.range(-6, 6) * s.pick<integer>({1, 2}));
      }
      break;
    }
    default: break;
  }
  any_reachable(s, t);
  describe_shape(t);
  return t;
}

}  // namespace soundness

#endif
