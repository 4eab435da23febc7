// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness.hpp"

#include <algorithm>

namespace soundness {

using dytq::place;
using dytq::reason;

// ------------------------------------------------------------------------------------------------ geometry
namespace {

bool is_default(const axis& a) {
  return a.input <= 1 && a.stride == 1 && a.dilation == 1 && a.before == 0 && a.after == 0;
}

struct axis_extents {
  integer in;
  integer out;
};

std::optional<axis_extents> extents_of(const geometry& g, std::size_t d) {
  const axis& a = g.axes[d];
  const integer kernel = g.kernel[d];
  if (kernel < 1 || a.stride < 1 || a.dilation < 1 || a.input < 0)
    return std::nullopt;
  if (g.transposed) {
    if (a.dilation != 1 || a.before <= -kernel || a.after <= -kernel)
      return std::nullopt;
    if (a.input == 0 && (kernel != 1 || a.stride != 1 || a.before != 0 || a.after != 0))
      return std::nullopt;
    const integer in = a.input == 0 ? 1 : a.input;
    const integer out = (in - 1) * a.stride + a.before + a.after + kernel;
    return out < 1 ? std::nullopt : std::optional<axis_extents>({in, out});
  }
  if (a.before < 0 || a.after < 0 || (a.input == 0 && (a.before != 0 || a.after != 0)))
    return std::nullopt;
  if (a.input == 0)
    return axis_extents{(kernel - 1) * a.dilation + 1, 1};
  const integer span = a.input + a.before + a.after - ((kernel - 1) * a.dilation + 1);
  if (span < 0 || span % a.stride != 0)
    return std::nullopt;
  return axis_extents{a.input, span / a.stride + 1};
}

// The input element that tap k reads at output position o, or -1.
integer element_at(const geometry& g, std::size_t d, integer extent, integer o, integer k) {
  const axis& a = g.axes[d];
  if (!g.transposed) {
    const integer i = o * a.stride + k * a.dilation - a.before;
    return i < 0 || i >= extent ? -1 : i;
  }
  for (integer i = 0; i < extent; ++i) {
    if (i * a.stride + a.before + k == o)
      return i;
  }
  return -1;
}

}  // namespace

bool geometry::has_depth() const { return kernel[0] != 1 || !is_default(axes[0]); }

std::array<integer, 3> input_extents(const geometry& g) {
  std::array<integer, 3> e = {0, 0, 0};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto x = extents_of(g, d);
    e[d] = x ? x->in : 0;
  }
  return e;
}

std::optional<std::array<integer, 3>> output_extents(const geometry& g) {
  std::array<integer, 3> e = {0, 0, 0};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto x = extents_of(g, d);
    if (!x)
      return std::nullopt;
    e[d] = x->out;
  }
  return e;
}

std::optional<std::vector<position>> positions_of(const geometry& g) {
  const auto out = output_extents(g);
  if (!out)
    return std::nullopt;
  const auto in = input_extents(g);
  std::vector<position> all;
  for (integer od = 0; od < (*out)[0]; ++od) {
    for (integer oy = 0; oy < (*out)[1]; ++oy) {
      for (integer ox = 0; ox < (*out)[2]; ++ox) {
        position p;
        for (integer kd = 0; kd < g.kernel[0]; ++kd) {
          for (integer ky = 0; ky < g.kernel[1]; ++ky) {
            for (integer kx = 0; kx < g.kernel[2]; ++kx) {
              const integer d = element_at(g, 0, in[0], od, kd), y = element_at(g, 1, in[1], oy, ky),
                            x = element_at(g, 2, in[2], ox, kx);
              if (d >= 0 && y >= 0 && x >= 0)
                p.push_back({at((kd * g.kernel[1] + ky) * g.kernel[2] + kx), at((d * in[1] + y) * in[2] + x)});
            }
          }
        }
        all.push_back(p);
      }
    }
  }
  return all;
}

// ------------------------------------------------------------------------------------------------ sites
void describe_shape(test_site& t) {
  oracle::site_conv& c = t.graph.conv;
  const geometry& g = t.shape;
  const axis &y = g.axes[1], &x = g.axes[2];
  c.kernel = {g.kernel[0] * g.kernel[1], g.kernel[2]};
  c.kind = g.transposed ? "transpose_conv2d" : "conv2d";
  c.listed_positions.reset();
  c.input_hw.reset();
  if (!g.has_depth() && (y.input == 0) == (x.input == 0) && (y.input != 0 || !g.transposed)) {
    const std::array<integer, 4> pad = {y.before, y.after, x.before, x.after};
    c.pad = g.transposed ? std::array<integer, 4>{0, 0, 0, 0} : pad;
    c.out_pad = g.transposed ? pad : std::array<integer, 4>{0, 0, 0, 0};
    c.stride = {y.stride, x.stride};
    c.dilation = {y.dilation, x.dilation};
    if (y.input != 0)
      c.input_hw = std::array<integer, 2>{y.input, x.input};
    return;
  }
  c.listed_positions.emplace();
  for (const position& p : positions_of(g).value_or(std::vector<position>{})) {
    c.listed_positions->emplace_back();
    for (const tap_read& r : p)
      c.listed_positions->back().push_back(r.tap);
  }
}

void apply_reachable(test_site& t) {
  t.graph.table = t.raw_table;
  const auto first = std::find(t.reachable.begin(), t.reachable.end(), true);
  if (first == t.reachable.end())
    return;
  for (std::size_t q = 0; q < 256; ++q) {
    if (!t.reachable[q])
      t.graph.table[q] = t.raw_table[at(first - t.reachable.begin())];
  }
}

// ------------------------------------------------------------------------------------------------ the library's words
namespace {

template <class T>
std::vector<T> narrowed(const integers& v) {
  std::vector<T> r;
  for (const integer e : v)
    r.push_back(static_cast<T>(e));
  return r;
}

// Makes the memory and the view.
dytq::weight_view<std::int8_t> lay_out(const test_site& t, const layout& how, std::vector<std::int8_t>& memory) {
  const oracle::site_conv& c = t.graph.conv;
  const std::array<integer, 5> extents = {c.out_channels, t.shape.kernel[0], t.shape.kernel[1], t.shape.kernel[2],
                                          c.in_channels_per_group};
  integer size = 1;
  for (const integer e : extents)
    size *= e;
  if (how.of_the_rank) {
    memory.assign(at(size), std::int8_t{0});
    const auto [o, d, h, w, i] = extents;
    if (d == 1 && i == 1 && c.groups > 1 && o % c.groups == 0)
      return *dytq::from_hwim(dytq::view<std::int8_t, 4>(memory.data(), {h, w, c.groups, o / c.groups}));
    if (d == 1 && h == 1 && w == 1)
      return dytq::from_oi(dytq::view<std::int8_t, 2>(memory.data(), {o, i}));
    if (d == 1 && h == 1)
      return dytq::from_owi(dytq::view<std::int8_t, 3>(memory.data(), {o, w, i}));
    if (d == 1)
      return dytq::from_ohwi(dytq::view<std::int8_t, 4>(memory.data(), {o, h, w, i}));
    return {memory.data(), extents};
  }
  std::array<integer, 5> strides = {};
  integer step = 1;
  for (std::size_t r = 5; r-- > 0;) {
    strides[how.order[r]] = step;
    step = step * extents[how.order[r]] + how.unused;
  }
  memory.assign(at(step), std::int8_t{77});
  std::int8_t* data = memory.data();
  if (how.reversed) {
    const std::size_t r = how.order[0];
    data += strides[r] * (extents[r] - 1);
    strides[r] = -strides[r];
  }
  return {data, extents, strides};
}

template <class F>
void for_each_weight(const dytq::weight_view<std::int8_t>& v, F f) {
  std::size_t k = 0;
  for (integer o = 0; o < v.extents[0]; ++o) {
    for (integer d = 0; d < v.extents[1]; ++d) {
      for (integer y = 0; y < v.extents[2]; ++y) {
        for (integer x = 0; x < v.extents[3]; ++x) {
          for (integer i = 0; i < v.extents[4]; ++i)
            f(k++, v.data[v.offset({o, d, y, x, i})]);
        }
      }
    }
  }
}

}  // namespace

dytq::rescale step_of(const oracle::stage& s) {
  return {.multiplier = static_cast<std::int32_t>(s.multiplier),
          .shift = static_cast<std::int32_t>(s.shift),
          .input_zp = static_cast<std::int32_t>(s.input_zp),
          .output_zp = static_cast<std::int32_t>(s.output_zp),
          .out = s.to_i8 ? dytq::int8_range : dytq::int32_range,
          .rounding = s.double_round ? dytq::rounding_mode::double_round : dytq::rounding_mode::single_round};
}

library_site::library_site(const test_site& t, const layout& in, const layout& folded) {
  const oracle::site& g = t.graph;
  const oracle::site_conv& c = g.conv;
  table = narrowed<std::int8_t>(t.raw_table);
  site.table = table;
  site.table_zp = static_cast<std::int32_t>(g.table_zp);
  if (g.gamma) {
    gamma = narrowed<std::int8_t>(*g.gamma);
    site.gamma = gamma;
  }
  if (g.beta) {
    beta = narrowed<std::int8_t>(*g.beta);
    site.beta = beta;
  }
  site.steps = {.table = step_of(g.r_table),
                .gamma = step_of(g.r_gamma),
                .gamma_out = step_of(g.r_gamma_out),
                .add_in = step_of(g.r_add_in),
                .beta = step_of(g.r_beta),
                .add_out = step_of(g.r_add_out)};
  site.reachable = {};
  for (std::size_t q = 0; q < 256; ++q) {
    if (t.reachable[q])
      site.reachable.insert(static_cast<std::int8_t>(static_cast<int>(q) - 128));
  }
  const auto weights = lay_out(t, in, weight);
  for_each_weight(weights, [&](std::size_t k, std::int8_t& w) { w = static_cast<std::int8_t>(c.weight[k]); });
  conv.weight = weights;
  weight_zp = narrowed<std::int8_t>(c.weight_zp);
  if (weight_zp.size() != 1 || weight_zp[0] != 0)
    conv.weight_zp = weight_zp;
  if (c.bias) {
    bias = narrowed<std::int32_t>(*c.bias);
    conv.bias = bias;
  }
  conv.groups = c.groups;
  conv.input_zp = static_cast<std::int32_t>(c.input_zp);
  conv.weight_range = {c.weight_min, c.weight_max};
  conv.kind = t.shape.transposed ? dytq::conv_kind::transposed : dytq::conv_kind::forward;
  for (std::size_t d = 0; d < 3; ++d) {
    const axis& a = t.shape.axes[d];
    conv.axes[d] = {.input = a.input, .stride = a.stride, .dilation = a.dilation, .before = a.before, .after = a.after};
  }
  out.weight = lay_out(t, folded, weight_out);
  bias_out.resize(at(c.out_channels));
  out.bias = bias_out;
  lines.resize(4 * at(t.channels()));
  out.workspace = lines;
  reset_outputs();
}

void library_site::reset_outputs() {
  std::fill(weight_out.begin(), weight_out.end(), std::int8_t{-99});
  std::fill(bias_out.begin(), bias_out.end(), -1234567890);
}

bool library_site::outputs_untouched() const {
  return std::all_of(weight_out.begin(), weight_out.end(), [](std::int8_t w) { return w == -99; }) &&
         std::all_of(bias_out.begin(), bias_out.end(), [](std::int32_t b) { return b == -1234567890; });
}

void library_site::write_in_place() {
  out.weight = {weight.data() + (conv.weight.data - weight.data()), conv.weight.extents, conv.weight.strides};
  if (conv.bias.extent(0) == conv.output_channels())
    out.bias = bias;
}

oracle::folded library_site::folded(integer input_zp) const {
  oracle::folded f;
  f.input_zp = input_zp;
  for_each_weight(out.weight, [&](std::size_t, const std::int8_t& w) { f.weight.push_back(w); });
  for (integer o = 0; o < out.bias.extent(0); ++o)
    f.bias.push_back(out.bias(o));
  return f;
}

// ------------------------------------------------------------------------------------------------ judges
integers cases_of(const test_site& t) {
  integers cases;
  for (integer q = 0; q < 256; ++q) {
    if (t.reachable[at(q)])
      cases.push_back(q);
  }
  return cases;
}

namespace {

readings from_maps(const test_site& t, const integers& codes, const std::vector<integers>& of) {
  readings r;
  for (std::size_t c = 0; c < at(t.channels()); ++c) {
    r.emplace_back();
    for (const integer q : cases_of(t)) {
      const auto where = std::lower_bound(codes.begin(), codes.end(), t.raw_table[at(q)]);
      r.back().push_back(of[c][at(where - codes.begin())]);
    }
  }
  return r;
}

}  // namespace

readings chain_readings(const test_site& t, const oracle::site_maps& maps) {
  return from_maps(t, maps.codes, maps.full);
}
readings gamma_readings(const test_site& t, const oracle::site_maps& maps) {
  return from_maps(t, maps.codes, maps.gamma_half);
}
readings table_readings(const test_site& t, const integers& table) {
  integers row;
  for (const integer q : cases_of(t))
    row.push_back(table[at(q)]);
  return readings(at(t.channels()), row);
}

std::string compare(const test_site& t, const readings& before, const readings& after, const oracle::folded& claim) {
  const oracle::site_conv& c = t.graph.conv;
  const integer taps = t.shape.taps(), inputs = c.in_channels_per_group;
  const auto positions = positions_of(t.shape);
  if (!positions)
    return "no such convolution";
  if (claim.weight.size() != c.weight.size() || wide(claim.bias.size()) != c.out_channels)
    return "sizes";
  if (claim.input_zp < -128 || claim.input_zp > 127)
    return "the input zero point";
  std::set<std::vector<std::size_t>> classes;
  std::set<std::size_t> touched;
  for (const position& p : *positions) {
    std::vector<std::size_t> set;
    for (const tap_read& r : p)
      set.push_back(r.tap);
    touched.insert(set.begin(), set.end());
    classes.insert(set);
  }
  // Cases that no channel tells apart are one.
  std::vector<std::size_t> cases;
  std::set<integers> met;
  const std::size_t few = std::min<std::size_t>(before.size(), 64);
  for (std::size_t q = 0; q < before[0].size(); ++q) {
    integers key;
    for (std::size_t k = 0; k < few; ++k) {
      key.push_back(before[k][q]);
      key.push_back(after[k][q]);
    }
    if (before.size() > few || met.insert(key).second)
      cases.push_back(q);
  }
  for (integer o = 0; o < c.out_channels; ++o) {
    std::vector<wide> off(at(taps), 0);  // what the channels of a tap differ by
    for (const integer tap : integers(touched.begin(), touched.end())) {
      for (integer i = 0; i < inputs; ++i) {
        const std::size_t channel = at(t.group(o) * inputs + i);
        const integer w = t.centered(o, tap, i);
        const integer stored = claim.weight[t.weight_index(o, tap, i)];
        if (stored < c.weight_min || stored > c.weight_max)
          return "a weight outside its range";
        const integer n = stored - t.weight_zp(o);
        const auto difference = [&](std::size_t q) {
          return (before[channel][q] - c.input_zp) * w - (after[channel][q] - claim.input_zp) * n;
        };
        for (const std::size_t q : cases) {
          if (difference(q) != difference(cases[0]))
            return "output channel " + std::to_string(o) + ", tap " + std::to_string(tap) + ", channel " +
                   std::to_string(channel) + ": depends on the code";
        }
        off[at(tap)] += difference(cases[0]);
      }
    }
    for (integer tap = 0; tap < taps; ++tap) {
      for (integer i = 0; i < inputs && touched.count(at(tap)) == 0; ++i) {
        if (claim.weight[t.weight_index(o, tap, i)] != c.weight[t.weight_index(o, tap, i)])
          return "a weight that nothing reads has changed";
      }
    }
    for (const auto& set : classes) {
      wide sum = wide(t.bias(o)) - claim.bias[at(o)];
      for (const std::size_t tap : set)
        sum += off[tap];
      if (sum != 0)
        return "output channel " + std::to_string(o) + ": accumulators differ by " + oracle::text(sum);
    }
  }
  return "";
}

std::vector<wide> run(const test_site& t, const integers& weight, const integers& bias, integer input_zp,
                      const readings& codes, const integers& case_of_element) {
  const integer inputs = t.graph.conv.in_channels_per_group;
  const std::vector<position> positions = positions_of(t.shape).value_or(std::vector<position>{});
  std::vector<wide> sums;
  for (const position& p : positions) {
    for (integer o = 0; o < t.graph.conv.out_channels; ++o) {
      wide sum = bias.empty() ? 0 : bias[bias.size() == 1 ? 0 : at(o)];
      for (const tap_read& r : p) {
        for (integer i = 0; i < inputs; ++i) {
          const integer channel = t.group(o) * inputs + i;
          const integer q = case_of_element[r.element * at(t.channels()) + at(channel)];
          sum += wide(codes[at(channel)][at(q)] - input_zp) *
                 wide(weight[t.weight_index(o, static_cast<integer>(r.tap), i)] - t.weight_zp(o));
        }
      }
      sums.push_back(sum);
    }
  }
  return sums;
}

// ------------------------------------------------------------------------------------------------ counter-examples
facts facts_of(const test_site& t) {
  facts f;
  f.maps = oracle::maps_of(t.graph);
  f.positions = positions_of(t.shape);
  if (f.positions) {
    std::set<std::vector<std::size_t>> distinct;
    for (const position& p : *f.positions) {
      std::vector<std::size_t> set;
      for (const tap_read& r : p)
        set.push_back(r.tap);
      distinct.insert(set);
    }
    for (const auto& set : distinct) {
      f.classes.emplace_back(set.begin(), set.end());
      f.touched.insert(set.begin(), set.end());
    }
  }
  return f;
}

namespace {

template <class F>
void for_each_touched(const test_site& t, const facts& f, F visit) {
  for (integer o = 0; o < t.graph.conv.out_channels; ++o) {
    for (const std::size_t tap : f.touched) {
      for (integer i = 0; i < t.graph.conv.in_channels_per_group; ++i) {
        visit(o, static_cast<integer>(tap), i, at(t.group(o) * t.graph.conv.in_channels_per_group + i));
      }
    }
  }
}

// The codes that channel c gives a fold to read, in increasing order, and what the chain makes of each.
std::vector<std::pair<integer, integer>> pairs_of(const oracle::site_maps& m, std::size_t c, fold_kind kind) {
  std::map<integer, integer> of;
  for (std::size_t k = 0; k < m.codes.size(); ++k)
    of[kind == fold_kind::beta ? m.gamma_half[c][k] : m.codes[k]] = m.full[c][k];
  return {of.begin(), of.end()};
}

struct direction {
  std::map<std::size_t, wide> factor;  // of the channels that count
  std::vector<wide> d;
  bool parallel = true;
};

direction direction_of(const test_site& t, const facts& f) {
  direction r;
  const auto& full = f.maps->full;
  for_each_touched(t, f, [&](integer o, integer tap, integer i, std::size_t c) {
    if (t.centered(o, tap, i) != 0)
      r.factor[c] = 0;
  });
  for (auto& [c, factor] : r.factor) {
    std::vector<wide> v;
    wide common = 0;
    for (const integer y : full[c]) {
      v.push_back(y - full[c][0]);
      common = oracle::greatest_common_divisor(common, v.back());
    }
    if (common == 0)
      continue;
    const auto lead = std::find_if(v.begin(), v.end(), [](wide e) { return e != 0; });
    factor = *lead < 0 ? -common : common;
    for (wide& e : v)
      e /= factor;
    if (r.d.empty())
      r.d = v;
    r.parallel = r.parallel && r.d == v;
  }
  return r;
}

}  // namespace

algebra algebra_of(const test_site& t, const facts& f, fold_kind kind) {
  algebra a;
  const oracle::site_maps& m = *f.maps;
  const std::size_t channels = at(t.channels());
  const integer zin = t.graph.conv.input_zp;
  a.folded.resize(t.graph.conv.weight.size());
  a.constant.resize(t.graph.conv.weight.size());
  if (kind == fold_kind::retabled) {
    const direction dir = direction_of(t, f);
    const bool constant = dir.d.empty();
    for_each_touched(t, f, [&](integer o, integer tap, integer i, std::size_t c) {
      const std::size_t j = t.weight_index(o, tap, i);
      const wide w = t.centered(o, tap, i);
      a.constant[j] = w * (m.full[c][0] - zin);
      // The last candidate: k = -1, or r = -1.
      a.folded[j] = constant ? -a.constant[j] : w == 0 ? 0 : -w * dir.factor.at(c);
    });
    for (const wide e : dir.d) {
      a.deltas_lo = std::min(a.deltas_lo, -e);
      a.deltas_hi = std::max(a.deltas_hi, -e);
    }
    a.nearest = !constant;
    if (constant && std::all_of(a.constant.begin(), a.constant.end(), [](wide k) { return k == 0; })) {
      a.preferred = m.codes[0] - t.graph.table_zp;  // there is no candidate but no weights at all
      a.offsets_lo = m.codes[0] - 127;
      a.offsets_hi = m.codes[0] + 128;
      return a;
    }
    a.preferred = constant ? -1 : m.codes[0] - t.graph.table_zp;
    a.offsets_lo = constant ? -1 : -(a.deltas_lo + 255);
    a.offsets_hi = constant ? -1 : 255 - a.deltas_hi;
    return a;
  }
  integer lowest = 127, highest = -128;
  std::vector<std::vector<std::pair<integer, integer>>> pairs;
  for (std::size_t c = 0; c < channels; ++c) {
    pairs.push_back(pairs_of(m, c, kind));
    lowest = std::min(lowest, pairs.back().front().first);
    highest = std::max(highest, pairs.back().back().first);
  }
  for_each_touched(t, f, [&](integer o, integer tap, integer i, std::size_t c) {
    const std::size_t j = t.weight_index(o, tap, i);
    const wide w = t.centered(o, tap, i);
    const auto& p = pairs[c];
    std::optional<wide> n = 0;
    if (p.size() > 1) {
      const wide rise = w * (p.back().second - p.front().second), run = p.back().first - p.front().first;
      n = rise % run == 0 ? std::optional<wide>(rise / run) : std::nullopt;
      for (const auto& [code, value] : p) {
        if (n && w * (value - p.front().second) != *n * (code - p.front().first))
          n = std::nullopt;
      }
    }
    a.folded[j] = n;
    a.constant[j] = w * (p.front().second - zin) - n.value_or(0) * (p.front().first - lowest);
  });
  a.deltas_hi = highest - lowest;
  const integer own = kind == fold_kind::beta && t.graph.gamma ? t.graph.r_gamma_out.output_zp : t.graph.table_zp;
  a.preferred = lowest - own;
  a.offsets_lo = lowest - 127;
  a.offsets_hi = lowest + 128;
  return a;
}

namespace {

struct class_sums {
  std::vector<wide> value, folded;  // per class
  wide magnitude = 0;
};

std::optional<class_sums> sums_of(const test_site& t, const facts& f, const algebra& a, integer o) {
  class_sums s;
  std::map<std::size_t, std::pair<wide, wide>> by_tap;
  for (const std::size_t tap : f.touched) {
    for (integer i = 0; i < t.graph.conv.in_channels_per_group; ++i) {
      const std::size_t j = t.weight_index(o, static_cast<integer>(tap), i);
      if (!a.folded[j])
        return std::nullopt;
      by_tap[tap].first += a.constant[j];
      by_tap[tap].second += *a.folded[j];
      s.magnitude += *a.folded[j] < 0 ? -*a.folded[j] : *a.folded[j];
    }
  }
  for (const auto& set : f.classes) {
    s.value.push_back(0);
    s.folded.push_back(0);
    for (const std::size_t tap : set) {
      s.value.back() += by_tap[tap].first;
      s.folded.back() += by_tap[tap].second;
    }
  }
  return s;
}

// Offsets that make all classes of o agree: those that the first pair of classes that tells asks for.
std::set<std::string> offsets_of(const class_sums& s) {
  std::set<std::string> asked;
  for (std::size_t p = 0; p < s.value.size(); ++p) {
    for (std::size_t q = 0; q < p; ++q) {
      const wide v = s.value[p] - s.value[q], n = s.folded[p] - s.folded[q];
      if (n != 0)
        asked.insert(v % n == 0 ? oracle::text(v / n) : "none");
      if (n == 0 && v != 0)
        asked.insert("none");
    }
  }
  return asked;
}

}  // namespace

std::string beta_fold_refusal(const test_site& t, const facts& f) {
  const algebra a = algebra_of(t, f, fold_kind::beta);
  const oracle::site_conv& c = t.graph.conv;
  integer lowest = 127;
  for (const integers& m : f.maps->gamma_half)
    lowest = std::min(lowest, *std::min_element(m.begin(), m.end()));
  std::vector<class_sums> sums;
  for (integer o = 0; o < c.out_channels; ++o) {
    const auto s = sums_of(t, f, a, o);
    if (!s)
      return "not_affine";
    sums.push_back(*s);
  }
  std::string why;
  for_each_touched(t, f, [&](integer o, integer tap, integer i, std::size_t) {
    const wide n = *a.folded[t.weight_index(o, tap, i)] + t.weight_zp(o);
    if (n < c.weight_min || n > c.weight_max)
      why = "weight_overflow";
  });
  if (!why.empty())
    return why;
  std::vector<integer> zero_points;
  const auto serves = [&](integer z) {
    for (const class_sums& s : sums) {
      for (std::size_t q = 1; q < s.value.size(); ++q) {
        if (s.value[q] - (lowest - z) * s.folded[q] != s.value[0] - (lowest - z) * s.folded[0])
          return false;
      }
    }
    return true;
  };
  for (integer z = -128; z <= 127; ++z) {
    if (serves(z))
      zero_points.push_back(z);
  }
  if (zero_points.empty())
    return "padding";
  const integer own = t.graph.gamma ? t.graph.r_gamma_out.output_zp : t.graph.table_zp;
  const integer z = zero_points.size() == 1 ? zero_points[0] : own;
  if (z < -128 || z > 127)
    return "padding";
  for (integer o = 0; o < c.out_channels; ++o) {
    const wide bias = t.bias(o) + sums[at(o)].value[0] - (lowest - z) * sums[at(o)].folded[0];
    if (!oracle::fits_i32(bias))
      return "bias_overflow";
  }
  for (const class_sums& s : sums) {
    for (const integers& m : f.maps->gamma_half) {
      for (const integer code : m) {
        if (s.magnitude * (code > z ? code - z : z - code) > oracle::i32_max)
          return "accumulator_overflow";
      }
    }
  }
  return "";
}

namespace {

std::string claim(bool holds, const char* what) { return holds ? "" : what; }

const oracle::stage* stage_of(const oracle::site& g, place at) {
  switch (at) {
    case place::table: return &g.r_table;
    case place::gamma: return &g.r_gamma;
    case place::gamma_out: return &g.r_gamma_out;
    case place::add_in: return &g.r_add_in;
    case place::beta: return &g.r_beta;
    case place::add_out: return &g.r_add_out;
    case place::activation: return &g.r_activation;
    case place::alpha: return &g.r_alpha;
    case place::mul_out: return &g.r_mul_out;
    default: return nullptr;
  }
}

// What step `at` of the chain is given in a channel at a code.
std::optional<wide> given_to(const oracle::site& g, place where, integer channel, integer code) {
  const auto c = at(channel);
  const auto both = [&](const oracle::stage& a, integer x, const oracle::stage& b, integer y) -> std::optional<wide> {
    const auto left = oracle::apply(a, x), right = oracle::apply(b, y);
    if (!left || !right)
      return std::nullopt;
    return oracle::wrap32(wide(*left) * wide(*right));
  };
  switch (where) {
    case place::table:
    case place::activation: return code;
    case place::gamma: return (*g.gamma)[c] == code ? std::optional<wide>(code) : std::nullopt;
    case place::gamma_out: return both(g.r_table, code, g.r_gamma, (*g.gamma)[c]);
    case place::add_in: {
      const auto m = oracle::gamma_step(g, c, code);
      return m ? std::optional<wide>(*m) : std::nullopt;
    }
    case place::beta: return (*g.beta)[c] == code ? std::optional<wide>(code) : std::nullopt;
    case place::add_out: {
      const auto m = oracle::gamma_step(g, c, code);
      if (!m)
        return std::nullopt;
      const auto left = oracle::apply(g.r_add_in, *m), right = oracle::apply(g.r_beta, (*g.beta)[c]);
      if (!left || !right)
        return std::nullopt;
      return wide(*left) + *right;
    }
    case place::alpha: return (*g.alpha)[g.alpha->size() == 1 ? 0 : c];
    case place::mul_out: return both(g.r_activation, code, g.r_alpha, (*g.alpha)[g.alpha->size() == 1 ? 0 : c]);
    default: return std::nullopt;
  }
}

}  // namespace

std::string examine_step(const test_site& t, const dytq::rejection& r, bool& known) {
  known = true;
  const oracle::site& g = t.graph;
  const oracle::stage* s = stage_of(g, r.at);
  const integer channel = r.channel == dytq::unset ? 0 : r.channel;
  switch (r.why) {
    case reason::multiplier_negative: return claim(s && s->multiplier == r.got && r.got < 0, "multiplier");
    case reason::shift_out_of_range:
      return claim(s && s->shift == r.got && ((r.got < 2 && r.expected == 2) || (r.got > 62 && r.expected == 62)),
                   "shift");
    case reason::value_exceeds_shift: {
      if (s == nullptr)
        return "no step";
      const auto v = given_to(g, r.at, channel, r.code);
      const wide half = wide(1) << (s->shift < 32 ? s->shift - 1 : 31);
      if (!v || *v - s->input_zp != r.got || r.expected != (r.got < 0 ? -half : half - 1))
        return "value";
      return claim(r.got < -half || r.got >= half || !oracle::fits_i32(r.got), "the value is legal");
    }
    case reason::value_exceeds_int32: {
      if (s == nullptr)
        return "no step";
      const auto v = given_to(g, r.at, channel, r.code);
      if (!v)
        return "value";
      const wide half = wide(1) << (s->shift - 1), centered = *v - s->input_zp;
      const wide extra = s->double_round && s->shift > 31 ? (centered < 0 ? -(wide(1) << 30) : wide(1) << 30) : 0;
      const wide sum = oracle::floor_div(centered * s->multiplier + half + extra, wide(1) << s->shift) + s->output_zp;
      return claim(sum == r.got && !oracle::fits_i32(sum) && centered >= -half && centered < half &&
                       r.expected == (sum < 0 ? oracle::i32_min : oracle::i32_max),
                   "sum");
    }
    case reason::add_overflow: {
      const auto v = g.beta ? given_to(g, place::add_out, channel, r.code) : std::nullopt;
      return claim(r.at == place::beta && v && *v == r.got && !oracle::fits_i32(*v), "sum");
    }
    default: known = false; return "";
  }
}

std::string examine_map(const test_site& t, const facts& f, const dytq::rejection& r) {
  bool known = false;
  if (std::string wrong = examine_step(t, r, known); known)
    return wrong;
  const oracle::site& g = t.graph;
  if (r.why == reason::no_gamma)
    return claim(!g.gamma && r.at == place::gamma, "there is a gamma");
  if (r.why == reason::no_beta)
    return claim(!g.beta && r.at == place::beta, "there is a beta");
  // What counts is one channel and one code; another channel may be unpredictable.
  const std::set<integer> codes(g.table.begin(), g.table.end());
  const bool has_channel = r.channel >= 0 && r.channel < t.channels();
  const auto half = [&](integer channel, integer code) { return oracle::gamma_step(g, at(channel), code); };
  const auto full = [&](integer channel, integer code) { return oracle::full_step(g, at(channel), code); };
  switch (r.why) {
    case reason::not_uniform: {
      if (!has_channel || codes.count(r.code) == 0)
        return "the place";
      const auto expected = full(0, r.code), got = full(r.channel, r.code);
      return claim(expected && got && *expected == r.expected && *got == r.got && r.expected != r.got,
                   "the maps agree there");
    }
    case reason::no_rescale: {
      if (!has_channel || codes.count(r.code) == 0)
        return "the place";
      const auto expected = half(r.channel, r.code);
      return claim(expected && *expected == r.expected, "the value");
    }
    case reason::not_scale_one: {
      const bool of_table = r.at == place::table;
      if (!of_table && !(r.at == place::gamma && has_channel && (*g.gamma)[at(r.channel)] == r.code))
        return "the place";
      const oracle::stage& s = of_table ? g.r_table : g.r_gamma;
      const auto v = oracle::apply(s, r.code);
      return claim((!of_table || codes.count(r.code) != 0) && v && *v == r.got && r.code - s.input_zp == r.expected &&
                       r.got != r.expected,
                   "the value");
    }
    case reason::not_parallel: {
      if (!f.maps)
        return "an unpredictable site";
      const oracle::site_maps& m = *f.maps;
      const direction dir = direction_of(t, f);
      const auto k = static_cast<std::size_t>(std::find(m.codes.begin(), m.codes.end(), r.code) - m.codes.begin());
      if (dir.parallel || !has_channel || dir.factor.count(at(r.channel)) == 0 || k == m.codes.size())
        return "the place";
      const integers& y = m.full[at(r.channel)];
      const wide s = dir.factor.at(at(r.channel));
      return claim(s != 0 && y[k] - y[0] == s * r.got && dir.d[k] == r.expected && r.expected != r.got, "the vectors");
    }
    default: return "an unexpected reason";
  }
}

std::string examine_fold(const test_site& t, const facts& f, const dytq::rejection& r, fold_kind kind) {
  const oracle::site_conv& c = t.graph.conv;
  bool known = false;
  if (std::string wrong = examine_step(t, r, known); known)
    return wrong;
  if (r.why == reason::zero_point_mismatch) {
    const integer read = t.graph.beta    ? t.graph.r_add_out.output_zp
                         : t.graph.gamma ? t.graph.r_gamma_out.output_zp
                                         : t.graph.table_zp;
    return claim(r.expected == read && r.got == c.input_zp && read != c.input_zp, "the zero points agree");
  }
  if (r.why == reason::not_parallel || r.why == reason::no_beta)
    return examine_map(t, f, r);
  if (!f.maps || !f.positions)
    return "an unexpected reason";
  const algebra a = algebra_of(t, f, kind);
  const bool has_o = r.output_channel >= 0 && r.output_channel < c.out_channels;
  const integer first = has_o ? t.group(r.output_channel) * c.in_channels_per_group : 0;
  const bool has_weight = has_o && r.tap >= 0 && f.touched.count(at(r.tap)) != 0 && r.channel >= first &&
                          r.channel < first + c.in_channels_per_group;
  switch (r.why) {
    case reason::not_affine: {
      if (!has_weight)
        return "the place";
      const integer w = t.centered(r.output_channel, r.tap, r.channel - first);
      if (a.folded[t.weight_index(r.output_channel, r.tap, r.channel - first)])
        return "the weight folds";
      const auto pairs = pairs_of(*f.maps, at(r.channel), kind);
      const auto there = std::find_if(pairs.begin(), pairs.end(), [&](const auto& p) { return p.first == r.code; });
      if (there == pairs.end())
        return "the code";
      if (r.at !=
          place::weight) {  // a step clamps it: the codes that share the first or the last value are off the line
        auto begin = pairs.begin(), end = pairs.end();
        while (begin != end && pairs[1].second == pairs[0].second && begin->second == pairs[0].second)
          ++begin;
        while (end != begin && pairs.rbegin()[1].second == pairs.back().second && end[-1].second == pairs.back().second)
          --end;
        if (end - begin < 2 || (there >= begin && there < end))
          return "the clamped code";
        const integer run = end[-1].first - begin->first, rise = end[-1].second - begin->second;
        for (auto p = begin; p != end; ++p)
          if ((p->second - begin->second) * run != rise * (p->first - begin->first))
            return "the line that is clamped";
        const integer value =
            begin->second + static_cast<integer>(oracle::floor_div(rise * (r.code - begin->first), run));
        return claim(r.got == there->second && r.expected == (value == r.got ? value + 1 : value), "the clamp");
      }
      if (there == pairs.begin())
        return "the code";
      const integer run_all = pairs.back().first - pairs[0].first, rise_all = pairs.back().second - pairs[0].second;
      const integer run_here = there->first - pairs[0].first, rise_here = there->second - pairs[0].second;
      bool on_one_line = true;
      for (const auto& [code, value] : pairs) {
        on_one_line = on_one_line && (value - pairs[0].second) * run_all == rise_all * (code - pairs[0].first);
      }
      if (on_one_line) {
        const auto below = static_cast<integer>(oracle::floor_div(w * rise_here, run_here));
        return claim(r.got == w * rise_here && r.expected == below * run_here && r.got != r.expected, "the product");
      }
      const integer below = pairs[0].second + static_cast<integer>(oracle::floor_div(rise_all * run_here, run_all));
      return claim(rise_here * run_all != rise_all * run_here && r.got == there->second &&
                       r.expected == (below == r.got ? below + 1 : below),
                   "the line");
    }
    case reason::weight_overflow: {
      if (!has_weight)
        return "the place";
      const auto n = a.folded[t.weight_index(r.output_channel, r.tap, r.channel - first)];
      return claim(n && *n + t.weight_zp(r.output_channel) == r.got &&
                       ((r.got < c.weight_min && r.expected == c.weight_min) ||
                        (r.got > c.weight_max && r.expected == c.weight_max)),
                   "the weight");
    }
    case reason::padding: {
      std::set<std::string> asked;
      for (integer o = 0; o < c.out_channels; ++o) {
        const auto s = sums_of(t, f, a, o);
        if (s) {
          const auto these = offsets_of(*s);
          asked.insert(these.begin(), these.end());
        }
      }
      // Zero points are this less the offset.
      const wide reference = a.nearest ? pairs_of(*f.maps, 0, kind).front().first : a.offsets_lo + 127;
      if (r.at == place::input && !has_o) {  // the one offset is out of reach
        const wide lo = a.offsets_lo, hi = a.offsets_hi, got = reference - r.got;
        const bool this_one =
            asked.empty() ? !a.nearest && a.preferred == got : asked == std::set<std::string>{oracle::text(got)};
        return claim(this_one && (got < lo || got > hi) && reference - r.expected == (got < lo ? lo : hi),
                     "the zero point");
      }
      if (!has_o)
        return "the place";
      const auto s = sums_of(t, f, a, r.output_channel);
      if (!s)
        return "the sums";
      if (r.at == place::weight) {  // two classes for which no offset does it
        for (std::size_t p = 0; p < s->value.size(); ++p) {
          for (std::size_t q = 0; q < s->value.size(); ++q) {
            const wide v = s->value[p] - s->value[q], n = s->folded[p] - s->folded[q];
            if (n == 0 ? v != 0 : v % n != 0)
              return claim(r.expected == dytq::unset && r.got == dytq::unset, "numbers of what has none");
          }
        }
      }
      const auto mine = offsets_of(*s);
      return claim(r.at == place::input && r.got != r.expected && mine.count(oracle::text(reference - r.got)) != 0 &&
                       asked.count(oracle::text(reference - r.expected)) != 0,
                   "the classes agree");
    }
    case reason::bias_overflow: {
      const auto s = has_o ? sums_of(t, f, a, r.output_channel) : std::nullopt;
      if (!s || oracle::fits_i32(r.got) || r.expected != (r.got < 0 ? oracle::i32_min : oracle::i32_max))
        return "the bias";
      for (wide offset = a.offsets_lo; offset <= a.offsets_hi; ++offset) {
        for (std::size_t q = 0; q < s->value.size(); ++q) {
          if (t.bias(r.output_channel) + s->value[q] - offset * s->folded[q] == r.got)
            return "";
        }
      }
      return "no offset gives this bias";
    }
    case reason::accumulator_overflow: {
      const auto s = has_o ? sums_of(t, f, a, r.output_channel) : std::nullopt;
      if (!s || r.expected != oracle::i32_max || r.got <= r.expected || r.got % s->magnitude != 0)
        return "the magnitude";
      const wide farthest = r.got / s->magnitude;
      const auto reach = [&](wide offset) { return std::max(a.deltas_hi + offset, -(a.deltas_lo + offset)); };
      const auto asked = offsets_of(*s);
      if (!asked.empty())
        return "";  // the offset is determined; the oracle judges whether the fold exists
      if (!a.nearest)
        return claim(reach(a.preferred) == farthest, "the reach");
      return "";
    }
    default: return "an unexpected reason";
  }
}

// ------------------------------------------------------------------------------------------------ text
std::string to_string(const dytq::rejection& r) {
  const auto part = [](const char* what, std::int64_t v) {
    return v == dytq::unset ? std::string() : std::string(" ") + what + " " + std::to_string(v);
  };
  return std::string(dytq::name(r.why)) + " at " + dytq::name(r.at) + part("channel", r.channel) +
         part("output channel", r.output_channel) + part("tap", r.tap) + part("code", r.code) +
         part("expected", r.expected) + part("got", r.got);
}

std::string to_string(const test_site& t) {
  std::string s = t.shape.transposed ? "transposed" : "forward";
  for (std::size_t d = 0; d < 3; ++d) {
    const axis& a = t.shape.axes[d];
    s += " [kernel " + std::to_string(t.shape.kernel[d]) + " input " + std::to_string(a.input) + " stride " +
         std::to_string(a.stride) + " dilation " + std::to_string(a.dilation) + " pad " + std::to_string(a.before) +
         "," + std::to_string(a.after) + "]";
  }
  oracle::site brief = t.graph;  // the table as its distinct codes
  std::sort(brief.table.begin(), brief.table.end());
  brief.table.erase(std::unique(brief.table.begin(), brief.table.end()), brief.table.end());
  return t.graph.conv.weight.size() > 2000 ? s : s + "\n" + oracle::to_json(brief);
}

std::string histogram::text() const {
  std::string t;
  for (const auto& [bucket, n] : seen_) {
    const std::string number = std::to_string(n);
    t += "\n" + std::string(number.size() < 8 ? 8 - number.size() : 0, ' ') + number + "  " + bucket;
  }
  return t;
}

}  // namespace soundness
