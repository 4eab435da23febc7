// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounded folds against plain arithmetic: every weight of a range tried, every input of small layers, random inputs of
// larger ones. With DYTQ_LONG in the environment more of each.
#include <dytq/check_fold.hpp>
#include <dytq/fold_bounded.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "support/catch.hpp"
#include "support/plain_model.hpp"

namespace {

using dytq::code_bound;
using dytq::convolution;
using dytq::view;
using integer = std::int64_t;
__extension__ using wide = __int128;  // sums of products with two scales; the library has integers of its own

const bool in_full = std::getenv("DYTQ_LONG") != nullptr;
const int sites_judged = in_full ? 20000 : 3000, sites_sampled = in_full ? 400 : 200,
          sites_scanned = in_full ? 400 : 60, sites_padded = in_full ? 200 : 20;
constexpr int sites_brute = 4000, sites_exhaustive = 2000;
constexpr int samples = 10000;  // inputs of each sampled site

class source {
 public:
  explicit source(unsigned seed) : engine_(seed) {}
  integer range(integer lo, integer hi) {
    return lo + static_cast<integer>(engine_() % static_cast<std::uint64_t>(hi - lo + 1));
  }
  bool chance(int percent) { return range(0, 99) < percent; }
  double normal() { return normal_(engine_); }
  template <class T>
  T pick(std::initializer_list<T> all) {
    return all.begin()[range(0, static_cast<integer>(all.size()) - 1)];
  }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

struct limits {
  integer channels = 4;
  integer outputs = 3;
  integer kernel = 3;
  integer codes = 256;
  integer input = 6;
};

// A layer: maps of its channels, a convolution of any kind and layout, and its RESCALE.
struct layer {
  std::vector<std::int8_t> table = std::vector<std::int8_t>(256);
  std::vector<std::int8_t> maps;
  dytq::chain_step step;
  std::vector<std::int8_t> weight;
  std::vector<std::int8_t> weight_zp;
  std::vector<std::int32_t> bias;
  std::vector<std::int32_t> multiplier;
  std::vector<std::int32_t> shift;
  dytq::affine_site site;
  convolution conv;
  std::vector<int> codes;  // X

  layer(source& s, const limits& most) {
    const integer groups = s.pick<integer>({1, 1, 2});
    const integer group_inputs = s.chance(30) ? 1 : s.range(1, std::max<integer>(1, most.channels / groups));
    const integer channels = groups * group_inputs;
    const integer outputs = groups * s.range(1, std::max<integer>(1, most.outputs / groups));
    any_codes(s, most.codes);
    for (integer c = 0; c < channels; ++c)
      any_map(s);
    step = {.op = dytq::operation::channel_tables,
            .tables = view<const std::int8_t, 2>(maps.data(), {channels, 256}),
            .output_zp = static_cast<std::int32_t>(s.range(-128, 127))};
    site.table = table;
    site.table_zp = static_cast<std::int32_t>(s.range(-10, 10));
    site.chain = view<const dytq::chain_step>(&step, {1});
    site.chain_channels = channels;
    conv.input_zp = step.output_zp;
    conv.groups = groups;
    std::array<integer, 3> kernel{1, 1, 1};
    conv.kind = s.chance(25) ? dytq::conv_kind::transposed : dytq::conv_kind::forward;
    conv.axes = dytq::unpadded;
    for (std::size_t a = 1; a < 3; ++a) {
      kernel[a] = s.range(1, most.kernel);
      any_axis(s, conv.axes[a], kernel[a], most.input);
    }
    conv.axes[0].input = 1;
    const integer taps = kernel[1] * kernel[2];
    const int width = s.pick({2, 20, 60, 127});
    for (integer i = 0; i < outputs * taps * group_inputs; ++i)
      weight.push_back(static_cast<std::int8_t>(s.chance(10) ? 0 : s.range(-width, width)));
    const std::array<integer, 5> shape{outputs, 1, kernel[1], kernel[2], group_inputs};
    conv.weight = {weight.data(), shape};
    if (s.chance(40))  // input channels before positions
      conv.weight.strides = {taps * group_inputs, 0, kernel[2], 1, taps};
    conv.weight_range = s.pick<dytq::code_range>({{-127, 127}, {-128, 127}, {-7, 7}, {0, 127}});
    if (conv.weight_range.lo < 0 && s.chance(30)) {
      for (integer o = 0; o < outputs; ++o)
        weight_zp.push_back(static_cast<std::int8_t>(s.range(-3, 3)));
      conv.weight_zp = weight_zp;
    }
    for (integer o = 0; o < outputs; ++o) {
      bias.push_back(static_cast<std::int32_t>(s.range(-5000, 5000)));
      multiplier.push_back(static_cast<std::int32_t>(s.range(integer{1} << (s.chance(10) ? 12 : 30), INT32_MAX)));
      shift.push_back(static_cast<std::int32_t>(s.range(36, 43)));
    }
    if (s.chance(80))
      conv.bias = bias;
    else
      std::fill(bias.begin(), bias.end(), 0);
  }
  layer(const layer&) = delete;

  dytq::conv_rescale requantize() const { return {multiplier, shift}; }
  integer outputs() const { return conv.weight.extents[0]; }
  integer y(integer c, integer code) const { return maps[static_cast<std::size_t>(c * 256 + code + 128)]; }
  integer zero(integer o) const { return weight_zp.empty() ? 0 : weight_zp[static_cast<std::size_t>(o)]; }
  integer channel(integer o, integer i) const { return o / (outputs() / conv.groups) * conv.weight.extents[4] + i; }

 private:
  void any_codes(source& s, integer most) {
    const integer first = s.range(-128, 120);
    const integer last = s.chance(60) ? 127 : s.range(first, 127);
    while (codes.empty() || (static_cast<integer>(codes.size()) < most && s.chance(97))) {
      const int code = static_cast<int>(s.range(s.chance(70) ? -128 : first, last));
      if (std::find(codes.begin(), codes.end(), code) == codes.end())
        codes.push_back(code);
      if (codes.size() > 200)
        break;
    }
    std::sort(codes.begin(), codes.end());
    for (std::size_t i = 0; i < 256; ++i)
      table[i] = static_cast<std::int8_t>(codes[i % codes.size()]);
  }
  void any_map(source& s) {
    const int kind = static_cast<int>(s.range(0, 9));
    const double slope = s.normal() * (kind < 3 ? 0.2 : 0.8);
    const double offset = s.normal() * 20;
    for (integer x = -128; x < 128; ++x) {
      double v = slope * static_cast<double>(x) + offset;
      v = kind == 9 ? static_cast<double>(s.range(-128, 127)) : kind == 8 ? v + 0.004 * static_cast<double>(x * x) : v;
      v = kind == 7 ? std::round(slope) * static_cast<double>(x) + std::round(offset) : v;
      maps.push_back(static_cast<std::int8_t>(std::clamp(std::floor(v + 0.5), -128.0, 127.0)));
    }
  }
  void any_axis(source& s, dytq::conv_axis& a, integer kernel, integer most) {
    const bool transposed = conv.kind == dytq::conv_kind::transposed;
    a.stride = s.range(1, 2);
    a.dilation = transposed || s.chance(80) ? 1 : 2;
    a.before = s.chance(50) ? s.range(transposed ? 1 - kernel : 0, kernel - 1) : 0;
    a.after = s.chance(50) ? s.range(transposed ? 1 - kernel : 0, kernel - 1) : 0;
    a.input = s.range(1, most);
    if (transposed) {
      while ((a.input - 1) * a.stride + a.before + a.after + kernel < 1)
        ++a.input;
      return;
    }
    while (a.input - 1 + a.before + a.after < (kernel - 1) * a.dilation ||
           (a.input - 1 + a.before + a.after - (kernel - 1) * a.dilation) % a.stride != 0)
      ++a.input;
  }
};

// A fold of a layer, with memory of its own.
struct folded {
  std::vector<std::int8_t> weight;
  std::vector<std::int32_t> bias, multiplier, shift;
  std::vector<dytq::channel_bound> bounds;
  dytq::result<dytq::bounded_fold> fold{dytq::reason::empty};
  dytq::weight_view<const std::int8_t> view_of_weight;

  explicit folded(const layer& l, const view<const std::uint32_t, 2>& histogram = {})
      : weight(l.weight.size()), bias(n(l)), multiplier(n(l)), shift(n(l)), bounds(n(l)) {
    std::vector<integer> workspace(static_cast<std::size_t>(dytq::bounded_workspace(l.conv)));
    dytq::weight_view<std::int8_t> to{weight.data(), l.conv.weight.extents, l.conv.weight.strides};
    view_of_weight = to;
    fold = dytq::fold_bounded(l.site, l.conv, l.requantize(), INT64_MAX,
                              {.weight = to,
                               .bias = bias,
                               .multiplier = multiplier,
                               .shift = shift,
                               .bounds = bounds,
                               .workspace = workspace},
                              histogram);
  }
  dytq::claimed_bounded_fold claim() const {
    return {.weight = view_of_weight, .bias = bias, .input_zp = fold->input_zp, .requantize = {multiplier, shift}};
  }

 private:
  static std::size_t n(const layer& l) { return static_cast<std::size_t>(l.outputs()); }
};

double real(const code_bound& b) { return std::ldexp(static_cast<double>(b.numerator), -b.shift); }

// v - v' of one output channel, times 2^shift.
struct difference {
  wide a = 0;
  wide b = 0;
  int shift = 0;

  difference(const layer& l, const folded& f, integer o) {
    const auto at = static_cast<std::size_t>(o);
    shift = std::max(l.shift[at], f.shift[at]);
    a = wide{l.multiplier[at]} << (shift - l.shift[at]);
    b = wide{f.multiplier[at]} << (shift - f.shift[at]);
  }
  wide operator()(integer before, integer after) const { return a * before - b * after; }
  // Is |d| / 2^shift at most the bound, and is it the bound?
  bool within(wide d, const code_bound& bound) const { return compare(d, bound) <= 0; }
  bool reaches(wide d, const code_bound& bound) const { return compare(d, bound) == 0; }

 private:
  int compare(wide d, const code_bound& bound) const {
    const wide left = d < 0 ? -d : d;
    const wide right = bound.shift <= shift ? wide{bound.numerator} << (shift - bound.shift) : 0;
    REQUIRE(bound.shift <= shift);
    return left < right ? -1 : left > right ? 1 : 0;
  }
};

// The codes of one input, [height][width][channel].
struct input {
  const layer& l;
  std::vector<int> codes;

  explicit input(const layer& of)
      : l(of),
        codes(static_cast<std::size_t>(l.conv.axes[1].input * l.conv.axes[2].input * l.conv.groups *
                                       l.conv.weight.extents[4])) {}
  integer at(integer y, integer x, integer c) const {
    return codes[static_cast<std::size_t>((y * l.conv.axes[2].input + x) * l.conv.groups * l.conv.weight.extents[4] +
                                          c)];
  }
};

// Both accumulators at an output position, tap by tap.
std::array<integer, 2> accumulators(const input& in, const folded& f, integer o, integer py, integer px) {
  const layer& l = in.l;
  const auto& shape = l.conv.weight.extents;
  std::array<integer, 2> acc{l.bias[static_cast<std::size_t>(o)], f.bias[static_cast<std::size_t>(o)]};
  for (integer ky = 0; ky < shape[2]; ++ky) {
    const integer y = dytq_tests::plain_read(l.conv.kind, l.conv.axes[1], py, ky);
    for (integer kx = 0; kx < shape[3] && y >= 0; ++kx) {
      const integer x = dytq_tests::plain_read(l.conv.kind, l.conv.axes[2], px, kx);
      for (integer i = 0; i < shape[4] && x >= 0; ++i) {
        const integer c = l.channel(o, i);
        const integer code = in.at(y, x, c);
        acc[0] += (l.y(c, code) - l.conv.input_zp) * (l.conv.weight(o, 0, ky, kx, i) - l.zero(o));
        acc[1] += (code - f.fold->input_zp) * (f.view_of_weight(o, 0, ky, kx, i) - l.zero(o));
      }
    }
  }
  return acc;
}

integer positions(const layer& l, std::size_t axis) {
  return dytq_tests::plain_outputs(l.conv.kind, l.conv.axes[axis], l.conv.weight.extents[axis + 1]);
}

// RESCALE to int8: half up, zero point, clamp.
integer output_code(integer acc, std::int32_t multiplier, std::int32_t shift, integer zero) {
  const integer unit = integer{1} << shift;
  return std::clamp<integer>(dytq_tests::floor_quotient(acc * multiplier + unit / 2, unit) + zero, -128, 127);
}

// Widths of single weights, in doubles: what a scan of scales adds up.
struct plain_widths {
  const layer& l;
  std::vector<double> slopes;

  explicit plain_widths(const layer& of) : l(of) {
    for (integer i = 0; i < l.conv.weight.extents[4]; ++i)
      slopes.push_back(slope(i));
  }
  double need(integer i) const {
    const double v =
        static_cast<double>(l.conv.weight(0, 0, 0, 0, i) - l.zero(0)) * slopes[static_cast<std::size_t>(i)];
    const integer limit = v > 0 ? l.conv.weight_range.hi - l.zero(0) : l.zero(0) - l.conv.weight_range.lo;
    return limit < 1 ? 0 : std::abs(v) / static_cast<double>(limit);
  }
  double width(integer i, double r) const {
    const double w = static_cast<double>(l.conv.weight(0, 0, 0, 0, i) - l.zero(0));
    const double n = std::floor(w * slopes[static_cast<std::size_t>(i)] / r);
    return std::min(one(i, w, n, r), one(i, w, n + 1, r));
  }

 private:
  double one(integer i, double w, double n, double r) const {
    n = std::clamp(n, static_cast<double>(l.conv.weight_range.lo - l.zero(0)),
                   static_cast<double>(l.conv.weight_range.hi - l.zero(0)));
    double low = 1e300;
    double high = -1e300;
    for (const int code : l.codes) {
      const double h = w * static_cast<double>(l.y(l.channel(0, i), code)) - n * r * code;
      low = std::min(low, h);
      high = std::max(high, h);
    }
    return high - low;
  }
  // Of the narrowest strip: W is convex in p.
  double slope(integer i) const {
    const auto at = [&](double p) {
      double low = 1e300;
      double high = -1e300;
      for (const int code : l.codes) {
        const double h = static_cast<double>(l.y(l.channel(0, i), code)) - p * code;
        low = std::min(low, h);
        high = std::max(high, h);
      }
      return high - low;
    };
    double low = -256;
    double high = 256;
    for (int k = 0; k < 200; ++k) {
      const double a = low + (high - low) / 3;
      const double b = high - (high - low) / 3;
      (at(a) <= at(b) ? high : low) = at(a) <= at(b) ? b : a;
    }
    return l.codes.size() < 2 ? 0 : (low + high) / 2;
  }
};

}  // namespace

TEST_CASE("bounded folds: of all weights of the range none leaves less than the one that is taken") {
  source s(1);
  int folds = 0;
  for (int site = 0; site < sites_brute; ++site) {
    const layer l(s, {.codes = s.pick<integer>({2, 5, 30, 256})});
    const folded f(l);
    if (!f.fold)
      continue;
    ++folds;
    for (integer o = 0; o < l.outputs(); ++o) {
      const difference d(l, f, o);
      for (integer ky = 0; ky < l.conv.weight.extents[2]; ++ky) {
        for (integer kx = 0; kx < l.conv.weight.extents[3]; ++kx) {
          bool touched = false;
          for (integer py = 0; py < positions(l, 1); ++py)
            for (integer px = 0; px < positions(l, 2); ++px)
              touched = touched || (dytq_tests::plain_read(l.conv.kind, l.conv.axes[1], py, ky) >= 0 &&
                                    dytq_tests::plain_read(l.conv.kind, l.conv.axes[2], px, kx) >= 0);
          for (integer i = 0; i < l.conv.weight.extents[4]; ++i) {
            const integer w = l.conv.weight(o, 0, ky, kx, i) - l.zero(o);
            const integer taken = f.view_of_weight(o, 0, ky, kx, i) - l.zero(o);
            if (!touched) {
              REQUIRE(taken == w);
              continue;
            }
            const auto width = [&](integer n) {
              wide low = 0;
              wide high = 0;
              for (std::size_t k = 0; k < l.codes.size(); ++k) {
                const wide h = d(w * l.y(l.channel(o, i), l.codes[k]), n * l.codes[k]);
                low = k == 0 || h < low ? h : low;
                high = k == 0 || h > high ? h : high;
              }
              return high - low;
            };
            const wide mine = width(taken);
            bool best = true;
            const integer step = l.codes.size() > 30 ? 7 : 1;  // wide maps: a sample, and the neighbours
            for (integer n = l.conv.weight_range.lo - l.zero(o); n <= l.conv.weight_range.hi - l.zero(o); n += step)
              best = best && width(n) >= mine;
            for (integer n = std::max(taken - 3, l.conv.weight_range.lo - l.zero(o));
                 n <= std::min(taken + 3, l.conv.weight_range.hi - l.zero(o)); ++n)
              best = best && width(n) >= mine;
            REQUIRE(best);
            REQUIRE(l.conv.weight_range.contains(taken + l.zero(o)));
          }
        }
      }
    }
  }
  CHECK(folds > sites_brute / 2);
}

TEST_CASE("bounded folds: the bound is the largest difference over all inputs and positions") {
  source s(2);
  int folds = 0;
  int padded = 0;
  while (folds < sites_exhaustive) {
    const layer l(s, {.channels = 2, .outputs = 2, .kernel = 3, .codes = s.range(2, 3), .input = 3});
    input in(l);
    const double inputs = std::pow(static_cast<double>(l.codes.size()), static_cast<double>(in.codes.size()));
    if (inputs > 3000)
      continue;
    const folded f(l);
    if (!f.fold)
      continue;
    ++folds;
    padded += l.conv.axes[1].before != 0 || l.conv.axes[2].after != 0 ? 1 : 0;
    for (integer o = 0; o < l.outputs(); ++o) {
      const difference d(l, f, o);
      wide most = 0;
      for (integer number = 0; number < static_cast<integer>(inputs); ++number) {
        integer rest = number;
        for (int& code : in.codes) {
          code = l.codes[static_cast<std::size_t>(rest % static_cast<integer>(l.codes.size()))];
          rest /= static_cast<integer>(l.codes.size());
        }
        for (integer py = 0; py < positions(l, 1); ++py) {
          for (integer px = 0; px < positions(l, 2); ++px) {
            const auto [before, after] = accumulators(in, f, o, py, px);
            const wide v = d(before, after);
            most = std::max(most, v < 0 ? -v : v);
          }
        }
      }
      REQUIRE(d.reaches(most, f.bounds[static_cast<std::size_t>(o)].bound));
    }
  }
  CHECK(padded > sites_exhaustive / 4);
}

TEST_CASE("bounded folds: the judge finds the same bounds, and no constants go below the lower ones") {
  source s(3);
  int folds = 0;
  int exact = 0;
  std::array<int, 3> kinds{};
  for (int site = 0; site < sites_judged; ++site) {
    const layer l(s, {.channels = 6, .outputs = 4, .kernel = 3, .codes = s.pick<integer>({2, 10, 256})});
    folded f(l);
    if (!f.fold) {
      const auto why = f.fold.error().why;
      REQUIRE((why == dytq::reason::accumulator_overflow || why == dytq::reason::bias_overflow));
      continue;
    }
    ++folds;
    exact += f.fold->exact() ? 1 : 0;
    kinds[l.conv.kind == dytq::conv_kind::transposed ? 0 : l.conv.weight.extents[4] == 1 ? 1 : 2] += 1;
    std::vector<code_bound> judged(static_cast<std::size_t>(l.outputs()));
    const auto largest = dytq::check_bounded(l.site, l.conv, l.requantize(), f.claim(), judged);
    REQUIRE(largest);
    REQUIRE(*largest == f.fold->bound);
    for (std::size_t o = 0; o < judged.size(); ++o) {
      REQUIRE(judged[o] == f.bounds[o].bound);
      REQUIRE(!(f.bounds[o].bound < f.bounds[o].lower_bound));
      REQUIRE(!(f.bounds[o].bound < f.bounds[o].root_mean_square));
    }
    // Anybody's constants: near ours, with another scale or zero point.
    for (int t = 0; t < 3; ++t) {
      folded g = f;
      g.view_of_weight.data = g.weight.data();
      for (std::int8_t& w : g.weight)
        w = static_cast<std::int8_t>(l.conv.weight_range.clamp(w + (s.chance(30) ? s.range(-2, 2) : 0)));
      for (std::size_t o = 0; o < g.bias.size(); ++o) {
        g.bias[o] += static_cast<std::int32_t>(s.range(-5, 5));
        g.multiplier[o] = static_cast<std::int32_t>(g.multiplier[o] - s.range(0, g.multiplier[o] / 50));
      }
      const auto other = dytq::check_bounded(l.site, l.conv, l.requantize(), g.claim(), judged);
      for (std::size_t o = 0; o < judged.size() && other; ++o)
        REQUIRE(!(judged[o] < f.bounds[o].lower_bound));
    }
  }
  CHECK(folds > sites_judged / 2);
  CHECK(exact > 20);
  for (const int k : kinds)
    CHECK(k > sites_judged / 20);
}

TEST_CASE(
    "bounded folds: no output of random inputs is beyond the bound, and what is seen has the stated mean square") {
  source s(4);
  integer seen = 0;
  int sites = 0;
  int measured = 0;
  while (sites < sites_sampled) {
    const layer l(s, {.channels = 8, .outputs = 3, .kernel = 3});
    const bool given = s.chance(50);
    const auto channels = static_cast<std::size_t>(l.conv.groups * l.conv.weight.extents[4]);
    std::vector<std::uint32_t> counts(channels * 256);
    std::vector<std::vector<int>> draw(channels);
    for (std::size_t c = 0; c < channels; ++c) {
      for (const int code : l.codes) {
        const auto n = static_cast<std::uint32_t>(given ? s.range(0, 9) : 1);
        counts[c * 256 + static_cast<std::size_t>(code + 128)] = n;
        draw[c].insert(draw[c].end(), n, code);
      }
      if (draw[c].empty()) {
        counts[c * 256 + static_cast<std::size_t>(l.codes[0] + 128)] = 1;
        draw[c].push_back(l.codes[0]);
      }
    }
    const folded f(l, given ? view<const std::uint32_t, 2>(counts.data(), {static_cast<integer>(channels), 256})
                            : view<const std::uint32_t, 2>{});
    if (!f.fold)
      continue;
    ++sites;
    input in(l);
    const integer o = s.range(0, l.outputs() - 1);
    const auto at = static_cast<std::size_t>(o);
    const difference d(l, f, o);
    const integer zero = s.range(-128, 127);
    const integer tolerance = f.bounds[at].bound.round_up();
    double squares = 0;
    for (int t = 0; t < samples; ++t) {
      for (std::size_t k = 0; k < in.codes.size(); ++k) {
        const auto& from = draw[k % channels];
        in.codes[k] = from[static_cast<std::size_t>(s.range(0, static_cast<integer>(from.size()) - 1))];
      }
      const auto [before, after] =
          accumulators(in, f, o, s.range(0, positions(l, 1) - 1), s.range(0, positions(l, 2) - 1));
      REQUIRE(d.within(d(before, after), f.bounds[at].bound));
      const integer difference = output_code(before, l.multiplier[at], l.shift[at], zero) -
                                 output_code(after, f.multiplier[at], f.shift[at], zero);
      REQUIRE(std::abs(difference) <= tolerance);
      const double v = std::ldexp(static_cast<double>(d(before, after)), -d.shift);
      squares += v * v;
      ++seen;
    }
    bool padded = l.conv.kind == dytq::conv_kind::transposed;
    for (const auto& a : l.conv.axes)
      padded = padded || a.before != 0 || a.after != 0;
    if (!padded) {  // one class of positions
      ++measured;
      const double stated = real(f.bounds[at].root_mean_square);
      CHECK(std::sqrt(squares / samples) == Approx(stated).epsilon(0.06).margin(1e-6));
    }
  }
  CHECK(seen == integer{samples} * sites_sampled);
  CHECK(measured > sites_sampled / 10);
}

// Small padded sites: all weights near the taken ones, with every input zero point and the best bias for each.
TEST_CASE("bounded folds: under padding, how far from the best weights, zero point and bias for the scale") {
  source s(6);
  int sites = 0;
  double sum = 0;
  double most = 1;
  int close = 0;
  while (sites < sites_padded) {
    const layer l(s, {.channels = 2, .outputs = 1, .kernel = 3, .codes = s.pick<integer>({3, 20, 256}), .input = 4});
    const auto& shape = l.conv.weight.extents;
    const bool pads =
        l.conv.axes[1].before > 0 || l.conv.axes[1].after > 0 || l.conv.axes[2].before > 0 || l.conv.axes[2].after > 0;
    if (shape[0] * shape[2] * shape[3] * shape[4] > 3 || shape[0] > 1 || shape[2] * shape[3] < 2 || !pads)
      continue;
    const folded f(l);
    if (!f.fold || f.fold->exact())
      continue;
    ++sites;
    const double a = std::ldexp(static_cast<double>(l.multiplier[0]), -l.shift[0]);
    const double b = std::ldexp(static_cast<double>(f.multiplier[0]), -f.shift[0]);
    struct choice {
      double low, high, n;
    };
    struct weight {
      integer ky, kx;
      std::vector<choice> choices;
    };
    std::vector<weight> weights;
    for (integer ky = 0; ky < shape[2]; ++ky) {
      for (integer kx = 0; kx < shape[3]; ++kx) {
        for (integer i = 0; i < shape[4]; ++i) {
          weight one{ky, kx, {}};
          const integer taken = f.view_of_weight(0, 0, ky, kx, i);
          for (integer code = taken - 3; code <= taken + 3; ++code) {
            if (!l.conv.weight_range.contains(code))
              continue;
            choice c{1e300, -1e300, static_cast<double>(code - l.zero(0))};
            const double w = static_cast<double>(l.conv.weight(0, 0, ky, kx, i) - l.zero(0));
            for (const int x : l.codes) {
              const double h = a * w * static_cast<double>(l.y(l.channel(0, i), x) - l.conv.input_zp) - b * c.n * x;
              c.low = std::min(c.low, h);
              c.high = std::max(c.high, h);
            }
            one.choices.push_back(c);
          }
          if (!one.choices.empty())  // a tap that nothing touches may be out of the range
            weights.push_back(one);
        }
      }
    }
    std::vector<std::vector<bool>> classes;
    for (integer py = 0; py < positions(l, 1); ++py) {
      for (integer px = 0; px < positions(l, 2); ++px) {
        std::vector<bool> inside;
        for (const weight& w : weights)
          inside.push_back(dytq_tests::plain_read(l.conv.kind, l.conv.axes[1], py, w.ky) >= 0 &&
                           dytq_tests::plain_read(l.conv.kind, l.conv.axes[2], px, w.kx) >= 0);
        if (std::find(classes.begin(), classes.end(), inside) == classes.end())
          classes.push_back(inside);
      }
    }
    double best = 1e300;
    std::vector<std::size_t> at(weights.size());
    for (bool more = true; more;) {
      for (integer z = -128; z < 128; ++z) {
        double low = 1e300;
        double high = -1e300;
        for (const auto& inside : classes) {
          double class_low = 0;
          double class_high = 0;
          for (std::size_t k = 0; k < weights.size(); ++k) {
            const choice& c = weights[k].choices[at[k]];
            const double moved = inside[k] ? b * c.n * static_cast<double>(z) : 0;
            class_low += inside[k] ? c.low + moved : 0;
            class_high += inside[k] ? c.high + moved : 0;
          }
          low = std::min(low, class_low);
          high = std::max(high, class_high);
        }
        best = std::min(best, (high - low) / 2);
      }
      more = false;
      for (std::size_t k = 0; k < at.size() && !more; ++k) {
        more = ++at[k] < weights[k].choices.size();
        at[k] = more ? at[k] : 0;
      }
    }
    const double ratio = real(f.bounds[0].bound) / std::max(best, b);  // a bias is rounded to half a step
    sum += ratio;
    close += ratio < 1.01 ? 1 : 0;
    most = std::max(most, ratio);
  }
  WARN("bound over the best at its scale: " << sum / sites << " on average, at most " << most << "; " << close << " of "
                                            << sites << " within 1 %");
  CHECK(sum / sites < 1.5);
  CHECK(close > sites / 2);
}

TEST_CASE("bounded folds: the scale is within 1 % of the best of 1,000") {
  source s(5);
  for (int site = 0; site < sites_scanned; ++site) {
    layer l(s, {.channels = s.pick<integer>({1, 2, 4, 8, 40, 300}), .outputs = 1, .kernel = 1});
    l.conv.axes = dytq::unpadded;
    l.conv.kind = dytq::conv_kind::forward;
    const folded f(l);
    if (!f.fold)
      continue;
    const double sigma = std::ldexp(static_cast<double>(l.multiplier[0]), -l.shift[0]);
    const plain_widths range{l};
    // Sum of the best widths with a ratio r, in the original's accumulator.
    const auto widths = [&](double r, double enough) {
      double total = 0;
      for (integer i = 0; i < l.conv.weight.extents[4] && total < enough; ++i)
        total += range.width(i, r);
      return total;
    };
    double need = 0;
    for (integer i = 0; i < l.conv.weight.extents[4]; ++i)
      need = std::max(need, range.need(i));
    double best = 1e300;
    for (int k = 0; k < 1000 && need > 0; ++k)
      best = std::min(best, widths(need * (0.5 + 0.0015 * k), best));
    if (need > 0) {
      INFO("site " << site << ", weights " << l.conv.weight.extents[4] << ", range " << l.conv.weight_range.lo << " to "
                   << l.conv.weight_range.hi << ", zero point " << l.zero(0) << ", " << l.codes.size()
                   << " codes, need " << need << ", taken "
                   << std::ldexp(static_cast<double>(f.multiplier[0]), -f.shift[0]) / sigma);
      CHECK(real(f.bounds[0].bound) * 2 / sigma <= best * 1.01 + need);  // the bias is rounded to a step
    }
  }
}
