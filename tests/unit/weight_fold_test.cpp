// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine of the folds, in every layout, against a weight-by-weight model that tries every offset.
#include <dytq/folds/weights.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/both_worlds.hpp"

using dytq::convolution;
using dytq::detail::channel_line;
using dytq_tests::opaque;

namespace {

using index5 = std::array<std::int64_t, 5>;

// Writes lines as a fold's workspace has them.
template <class Lines, class Numbers>
constexpr void put(const Lines& lines, Numbers& numbers) {
  for (std::size_t c = 0; c < lines.size(); ++c) {
    dytq::detail::channel_lines{numbers}.set(static_cast<std::int64_t>(c), lines[c]);
  }
}
template <std::size_t C>
constexpr std::array<std::int16_t, 4 * C> workspace_of(const std::array<channel_line, C>& lines) {
  std::array<std::int16_t, 4 * C> numbers{};
  put(lines, numbers);
  return numbers;
}

class dice {
 public:
  explicit dice(unsigned seed) : random_(seed) {}
  std::int64_t pick(std::int64_t lo, std::int64_t hi) {
    return lo + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(hi - lo + 1));
  }
  bool chance(int percent) { return pick(0, 99) < percent; }

 private:
  std::mt19937 random_;
};

// Row-major in a random order of the axes.
index5 any_strides(dice& d, const index5& extents) {
  std::array<std::size_t, 5> order{0, 1, 2, 3, 4};
  for (std::size_t i = 4; i > 0; --i) {
    std::swap(order[i], order[static_cast<std::size_t>(d.pick(0, static_cast<std::int64_t>(i)))]);
  }
  index5 strides{};
  std::int64_t step = 1;
  for (const std::size_t axis : order) {
    strides[axis] = step;
    step *= extents[axis];
  }
  return strides;
}

struct trial {
  std::vector<std::int8_t> weight, out, zero_points;
  std::vector<std::int32_t> bias, new_bias;
  std::vector<channel_line> lines;
  convolution conv;
  dytq::weight_view<std::int8_t> to;

  explicit trial(dice& d) {
    const bool depthwise = d.chance(40);
    const bool wide = d.chance(25);
    const std::int64_t inputs = depthwise ? 1 : d.pick(1, wide ? 600 : 40);
    const bool multiplied = depthwise && d.chance(30);  // many outputs of a channel
    const std::int64_t groups = multiplied ? d.pick(1, 5) : depthwise ? d.pick(1, wide ? 300 : 40) : d.pick(1, 2);
    const index5 extents{groups * d.pick(1, multiplied  ? wide ? 300 : 40
                                            : depthwise ? 2
                                            : wide      ? 3
                                                        : 20),
                         d.pick(1, 2), d.pick(1, 3), d.pick(1, 3), inputs};
    std::int64_t size = 1;
    for (const std::int64_t e : extents) {
      size *= e;
    }
    weight.resize(static_cast<std::size_t>(size));
    out.resize(weight.size(), 99);
    const index5 strides = any_strides(d, extents);
    conv.weight = {weight.data(), extents, strides};
    conv.groups = groups;
    conv.input_zp = static_cast<std::int32_t>(d.pick(-3, 3));
    const int in_place = static_cast<int>(d.pick(0, 2));
    to = {in_place == 0 ? weight.data() : out.data(), extents, in_place == 2 ? any_strides(d, extents) : strides};
    for (std::size_t a = 0; a < 3; ++a) {
      conv.axes[a].input = d.pick(1, 4);
      conv.axes[a].before = conv.axes[a].after = d.chance(40) ? d.pick(0, 2) : 0;
      const std::int64_t least = extents[a + 1] - conv.axes[a].before - conv.axes[a].after;
      conv.axes[a].input = conv.axes[a].input < least ? least : conv.axes[a].input;
    }
    zero_points.resize(static_cast<std::size_t>(d.chance(50) ? 0 : d.chance(50) ? 1 : extents[0]));
    for (std::int8_t& z : zero_points) {
      z = static_cast<std::int8_t>(d.pick(-2, 2));
    }
    conv.weight_zp = zero_points;
    bias.resize(static_cast<std::size_t>(d.chance(50) ? 0 : extents[0]));
    for (std::int32_t& b : bias) {
      b = static_cast<std::int32_t>(d.chance(2) ? INT32_MAX - d.pick(0, 50) : d.pick(-1000, 1000));
    }
    conv.bias = bias;
    new_bias.resize(static_cast<std::size_t>(extents[0]), 99);
    if (d.chance(20)) {
      conv.weight_range = {-100, 127};
    }
    make_lines(d);
    make_weights(d, d.chance(85));
  }

  channel_line line_of(std::int64_t o, std::int64_t i) const {
    const std::int64_t group = o / (conv.output_channels() / conv.groups);
    return lines[static_cast<std::size_t>(group * conv.group_inputs() + i)];
  }

 private:
  void make_lines(dice& d) {
    lines.resize(static_cast<std::size_t>(conv.input_channels()));
    const bool fractions = d.chance(30);
    const int zero_at = d.chance(70) ? static_cast<int>(d.pick(-6, 6)) : 99;  // where all lines meet the zero point
    for (channel_line& l : lines) {
      l.numerator = static_cast<std::int16_t>(d.chance(50) ? d.pick(-3, 3) : d.chance(90) ? 1 : d.pick(-130, 130));
      l.denominator = static_cast<std::int16_t>(fractions && d.chance(60) ? d.pick(-8, 12) : 1);
      l.first_delta = static_cast<std::int16_t>(d.chance(10) ? d.pick(-5, 5) : 0);
      const int rise = l.denominator == 0 ? 0 : l.numerator * (zero_at + l.first_delta) / l.denominator;
      l.first_value = static_cast<std::int16_t>(zero_at == 99 ? d.pick(-128, 127) : conv.input_zp + rise);
    }
  }
  // Weights that fold, mostly.
  void make_weights(dice& d, bool kind) {
    index5 at{};
    for (std::size_t n = 0; n < weight.size(); ++n) {
      const channel_line l = line_of(at[0], at[4]);
      const std::int64_t zp = dytq::weight_zero_point(conv, at[0]);
      const std::int64_t most = l.numerator == 0 ? 120
                                                 : 90 * (l.denominator < 0 ? -l.denominator : l.denominator) /
                                                       (l.numerator < 0 ? -l.numerator : l.numerator);
      std::int64_t w = d.pick(-(most < 90 ? most : 90), most < 90 ? most : 90);
      if (l.denominator == 0) {
        w = 0;
      } else {
        w -= w % l.denominator;
      }
      if (!kind && d.chance(1)) {
        w = d.pick(-125, 125);
      }
      weight[static_cast<std::size_t>(conv.weight.offset(at))] = static_cast<std::int8_t>(w + zp);
      for (std::size_t a = 5; a-- > 0;) {
        if (++at[a] < conv.weight.extents[a]) {
          break;
        }
        at[a] = 0;
      }
    }
  }
};

// What is true of a trial, weight by weight and position by position.
struct model {
  bool weights_fold = true;
  std::vector<std::int64_t> offsets;              // those under which all positions agree, of -20 ... 20
  std::vector<std::vector<std::int64_t>> folded;  // [O][taps * I], before the zero point
  std::vector<std::vector<bool>> touched;
  std::vector<std::int64_t> added, slope;  // [O]: the bias takes added - r * slope at the first position

  explicit model(const trial& t) {
    const auto geometry = *dytq::validate(t.conv);
    const auto& g = geometry.axes;
    const auto& e = t.conv.weight.extents;
    std::vector<bool> agrees(41, true);
    for (std::int64_t o = 0; o < e[0]; ++o) {
      const std::int64_t zp = dytq::weight_zero_point(t.conv, o);
      std::vector<std::int64_t> value, n;
      std::vector<bool> reached;
      for (std::int64_t z = 0; z < e[1]; ++z) {
        for (std::int64_t y = 0; y < e[2]; ++y) {
          for (std::int64_t x = 0; x < e[3]; ++x) {
            bool ever = false;
            for (std::int64_t p = 0; p < g[0].outputs(); ++p) {
              for (std::int64_t q = 0; q < g[1].outputs(); ++q) {
                for (std::int64_t r = 0; r < g[2].outputs(); ++r) {
                  ever = ever || (g[0].reads(p, z) && g[1].reads(q, y) && g[2].reads(r, x));
                }
              }
            }
            for (std::int64_t i = 0; i < e[4]; ++i) {
              const channel_line l = t.line_of(o, i);
              const std::int64_t w = t.conv.weight.data[t.conv.weight.offset({o, z, y, x, i})] - zp;
              const bool whole = w == 0 || (l.denominator != 0 && w * l.numerator % l.denominator == 0);
              const std::int64_t m = w == 0 || !whole ? 0 : w * l.numerator / l.denominator;
              weights_fold = weights_fold && (!ever || (whole && t.conv.weight_range.contains(m + zp)));
              value.push_back(w * (l.first_value - t.conv.input_zp) - m * l.first_delta);
              n.push_back(ever ? m : w);
              reached.push_back(ever);
            }
          }
        }
      }
      std::optional<std::array<std::int64_t, 2>> first;
      for (std::int64_t p = 0; p < g[0].outputs(); ++p) {
        for (std::int64_t q = 0; q < g[1].outputs(); ++q) {
          for (std::int64_t r = 0; r < g[2].outputs(); ++r) {
            std::array<std::int64_t, 2> sum{};
            for (std::size_t k = 0; k < n.size(); ++k) {
              const auto tap = static_cast<std::int64_t>(k) / e[4];
              if (g[0].reads(p, tap / (e[2] * e[3])) && g[1].reads(q, tap / e[3] % e[2]) && g[2].reads(r, tap % e[3])) {
                sum[0] += value[k];
                sum[1] += n[k];
              }
            }
            first = first ? first : sum;
            for (std::int64_t offset = -20; offset <= 20; ++offset) {
              const bool same = sum[0] - offset * sum[1] == (*first)[0] - offset * (*first)[1];
              agrees[static_cast<std::size_t>(offset + 20)] = agrees[static_cast<std::size_t>(offset + 20)] && same;
            }
          }
        }
      }
      added.push_back((*first)[0]);
      slope.push_back((*first)[1]);
      folded.push_back(n);
      touched.push_back(reached);
    }
    for (std::int64_t offset = -20; offset <= 20; ++offset) {
      if (agrees[static_cast<std::size_t>(offset + 20)]) {
        offsets.push_back(offset);
      }
    }
  }
};

}  // namespace

TEST_CASE("every layout folds to what a weight-by-weight model says") {
  int folds = 0, weights = 0, classes = 0, determined = 0, biases = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    dice d(seed);
    trial t(d);
    const auto geometry = dytq::validate(t.conv);
    if (!geometry) {
      continue;
    }
    INFO("seed " << seed);
    const model m(t);
    const std::int64_t preferred = d.pick(-6, 6);
    const auto count = static_cast<std::int64_t>(4 * t.lines.size());
    std::vector<std::int16_t> numbers(2 * static_cast<std::size_t>(count));
    const std::int64_t stride = d.chance(70) ? 1 : d.chance(50) ? 2 : -1;
    const dytq::view<std::int16_t> workspace(numbers.data() + (stride < 0 ? count - 1 : 0), {count}, {stride});
    put(t.lines, workspace);
    dytq::detail::weight_fold fold(t.conv, *geometry, {workspace});
    std::vector<std::int32_t>& bias_out = !t.bias.empty() && d.chance(50) ? t.bias : t.new_bias;
    const std::vector<std::int8_t> before = t.weight;
    const std::vector<std::int32_t> old_bias = t.bias;
    const dytq::detail::offset_request ask{.deltas = {0, 9}, .offsets = {-20, 20}, .preferred = preferred};
    const auto r = fold.solve(ask);
    REQUIRE(t.weight == before);
    const bool free = m.offsets.size() == 41;
    const std::int64_t expected = free || m.offsets.empty() ? preferred : m.offsets[0];
    bool fits = true;
    for (std::size_t o = 0; o < m.added.size(); ++o) {
      const std::int64_t b = (old_bias.empty() ? 0 : old_bias[o]) + m.added[o] - expected * m.slope[o];
      fits = fits && dytq::detail::fits<std::int32_t>(b);
    }
    REQUIRE(r.has_value() == (m.weights_fold && !m.offsets.empty() && fits));
    weights += m.weights_fold ? 0 : 1;
    classes += m.weights_fold && m.offsets.empty() ? 1 : 0;
    biases += m.weights_fold && !m.offsets.empty() && !fits ? 1 : 0;
    determined += r && !free ? 1 : 0;
    if (!r) {
      continue;
    }
    ++folds;
    REQUIRE(*r == expected);
    const auto original = t.conv.weight;
    std::int64_t changed = 0;
    bool bias_changed = false;
    std::vector<std::int8_t> now;
    const auto told = fold.write(*r, {}, {});
    REQUIRE(t.weight == before);
    const auto wrote = fold.write(*r, t.to, bias_out);
    const auto done = std::pair(wrote.weights, wrote.bias);
    REQUIRE(std::pair(told.weights, told.bias) == done);
    const auto& e = original.extents;
    for (std::int64_t o = 0; o < e[0]; ++o) {
      const std::int64_t zp = dytq::weight_zero_point(t.conv, o);
      for (std::int64_t k = 0; k < e[1] * e[2] * e[3] * e[4]; ++k) {
        const index5 at{o, k / (e[4] * e[3] * e[2]), k / (e[4] * e[3]) % e[2], k / e[4] % e[3], k % e[4]};
        const std::int64_t code = m.folded[static_cast<std::size_t>(o)][static_cast<std::size_t>(k)] + zp;
        REQUIRE(t.to.data[t.to.offset(at)] == code);
        changed += before[static_cast<std::size_t>(original.offset(at))] != code ? 1 : 0;
      }
      const std::int64_t old = old_bias.empty() ? 0 : old_bias[static_cast<std::size_t>(o)];
      const std::int64_t bias = old + m.added[static_cast<std::size_t>(o)] - *r * m.slope[static_cast<std::size_t>(o)];
      REQUIRE(bias_out[static_cast<std::size_t>(o)] == bias);
      bias_changed = bias_changed || bias != old;
    }
    REQUIRE(done == std::pair(changed, bias_changed));
  }
  // Each outcome has been met.
  CHECK(folds > 500);
  CHECK(weights > 50);
  CHECK(classes > 50);
  CHECK(determined > 20);
  CHECK(biases > 5);
}

TEST_BOTH("no position reads every tap: the bias takes those of one class", {
  // Kernel 3 over 2 inputs, padded by 1: taps {1, 2} or {0, 1}, alike in their sums. Weights [O, I, W].
  std::array<std::int8_t, 48> w{};
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < 48; ++i) {
    w[i] = static_cast<std::int8_t>(i % 3 == 1 ? i : opaque<std::size_t>(5));
    sum += i % 3 == 0 ? 0 : w[i];
  }
  std::array<channel_line, 16> lines{};
  for (channel_line& l : lines) {
    l = {.numerator = 1, .denominator = 1, .first_value = 3};
  }
  convolution conv{.weight = {w.data(), index5{1, 1, 1, 3, 16}, index5{48, 48, 48, 1, 3}}, .axes = dytq::unpadded};
  conv.axes[2] = {.input = 2, .before = 1, .after = 1};
  std::array<std::int8_t, 48> out{};
  std::array<std::int32_t, 1> bias{};
  const auto geometry = dytq::validate(conv).value();
  auto workspace = workspace_of(lines);
  dytq::detail::weight_fold fold(conv, geometry, {workspace});
  const auto r = fold.solve({.deltas = {0, 9}, .offsets = {-20, 20}});
  const dytq::detail::weight_fold again(conv, geometry, {workspace});  // which has solved nothing
  const auto done = again.write(r.value(), {out.data(), conv.weight.extents, conv.weight.strides}, bias);
  return *r == 0 && out == w && bias[0] == 3 * sum && done.weights == 0 && done.bias;
})

TEST_BOTH("what a channel adds to the bias may leave 16 bits", {
  std::array<std::int8_t, 32> w{};
  w[3] = 1;
  w[31] = opaque<std::int8_t>(-1);
  w[7] = 1;
  std::array<channel_line, 32> lines{};
  for (channel_line& l : lines) {
    l = {.numerator = 100, .denominator = 1, .first_value = 7};
  }
  const convolution conv{.weight = {w.data(), index5{1, 1, 1, 1, 32}}};
  std::array<std::int8_t, 32> out{};
  std::array<std::int32_t, 1> bias{};
  const auto geometry = dytq::validate(conv).value();
  auto workspace = workspace_of(lines);
  dytq::detail::weight_fold fold(conv, geometry, {workspace});
  const auto r = fold.solve({.deltas = {0, 9}, .offsets = {-510, 510}, .preferred = -400});
  (void)fold.write(r.value(), {out.data(), conv.weight.extents}, bias);
  return *r == -400 && bias[0] == 7 + 400 * 100 && out[3] == 100 && out[31] == -100 && out[7] == 100 && out[0] == 0;
})

namespace {

// Kernel 3 over 2 inputs, padded by 1, 100 channels: the first position leaves out tap 0, whichever of taps and
// channels is the faster axis.
constexpr bool leaves_out_a_tap(const index5& strides) {
  std::array<std::int8_t, 300> w{};
  std::int32_t sum = 0;
  for (std::int64_t tap = 0; tap < 3; ++tap) {
    for (std::int64_t i = 0; i < 100; ++i) {
      const std::int64_t v = tap == 1 ? i % 7 : opaque<std::int64_t>(5);
      w[static_cast<std::size_t>(tap * strides[3] + i * strides[4])] = static_cast<std::int8_t>(v);
      sum += tap == 0 ? 0 : static_cast<std::int32_t>(v);
    }
  }
  std::array<channel_line, 100> lines{};
  for (channel_line& l : lines) {
    l = {.numerator = 1, .denominator = 1, .first_value = 3};
  }
  convolution conv{.weight = {w.data(), index5{1, 1, 1, 3, 100}, strides}, .axes = dytq::unpadded};
  conv.axes[2] = {.input = 2, .before = 1, .after = 1};
  std::array<std::int8_t, 300> out{};
  std::array<std::int32_t, 1> bias{};
  const auto geometry = dytq::validate(conv).value();
  auto workspace = workspace_of(lines);
  dytq::detail::weight_fold fold(conv, geometry, {workspace});
  const auto r = fold.solve({.deltas = {0, 9}, .offsets = {-20, 20}});
  const auto done = fold.write(r.value(), {out.data(), conv.weight.extents, strides}, bias);
  return *r == 0 && out == w && bias[0] == 3 * sum && done.weights == 0 && done.bias;
}

}  // namespace

TEST_CASE("a tap that the first position leaves out, with taps and channels either way round") {
  DYTQ_CHECK_BOTH(leaves_out_a_tap({300, 300, 300, 1, 3}));
  DYTQ_CHECK_BOTH(leaves_out_a_tap({300, 300, 300, 100, 1}));
}

TEST_BOTH("a bias that changes in the first group alone, into a strided view", {
  std::array<std::int8_t, 160> w{};
  w.fill(opaque<std::int8_t>(1));
  std::array<channel_line, 80> lines{};
  for (std::size_t i = 0; i < 80; ++i) {
    lines[i] = {.numerator = 1, .denominator = 1, .first_value = static_cast<std::int16_t>(i < 40 ? 3 : 0)};
  }
  const std::array<std::int32_t, 4> bias{1, 2, 3, 4};
  const convolution conv{.weight = {w.data(), index5{4, 1, 1, 1, 40}}, .bias = bias, .groups = 2};
  std::array<std::int32_t, 8> to{};
  to.fill(99);
  const auto geometry = dytq::validate(conv).value();
  auto workspace = workspace_of(lines);
  dytq::detail::weight_fold fold(conv, geometry, {workspace});
  const auto r = fold.solve({.deltas = {0, 9}, .offsets = {-20, 20}});
  std::array<std::int8_t, 160> out{};
  const auto done = fold.write(r.value(), {out.data(), conv.weight.extents}, {to.data(), {4}, {2}});
  return *r == 0 && out == w && done.weights == 0 && done.bias &&
         to == std::array<std::int32_t, 8>{1 + 120, 99, 2 + 120, 99, 3, 99, 4, 99};
})

TEST_BOTH("a denominator that divides no weight but 0", {
  std::array<std::int8_t, 32> w{};
  w.fill(opaque<std::int8_t>(6));
  const std::array<std::int8_t, 1> zero_point{5};
  std::array<channel_line, 32> lines{};
  for (channel_line& l : lines) {
    l = {.numerator = 2, .denominator = 1};
  }
  lines[3] = {.numerator = 3, .denominator = 512};
  w[3] = 5;
  const convolution conv{.weight = {w.data(), index5{1, 1, 1, 1, 32}}, .weight_zp = zero_point};
  std::array<std::int8_t, 32> out{};
  std::array<std::int32_t, 1> bias{};
  const auto geometry = dytq::validate(conv).value();
  auto workspace = workspace_of(lines);
  dytq::detail::weight_fold fold(conv, geometry, {workspace});
  const auto r = fold.solve({.deltas = {0, 9}, .offsets = {-20, 20}});
  const auto done = fold.write(r.value(), {out.data(), conv.weight.extents}, bias);
  const bool folded = *r == 0 && done.weights == 31 && out[0] == 7 && out[3] == 5 && out[31] == 7;
  w[3] = 127;  // 122 * 3 / 512 is no integer, nor is any other
  return folded && fold.solve({.deltas = {0, 9}, .offsets = {-20, 20}}).error().why == dytq::reason::not_affine;
})

namespace {

TEST_BOTH("what a weight adds beside its line does not fit 16 bits: a far code, or a steep slope", {
  struct far {
    std::int16_t slope = 0;
    std::int16_t first_delta = 0;
    std::int64_t r = 0;
    std::int8_t zero_point = 0;
  };
  for (const far& f : {far{60, 200, opaque<std::int64_t>(400), 0}, far{200, 0, opaque<std::int64_t>(200), -128}}) {
    std::array<std::int8_t, 32> w{};
    w.fill(f.zero_point);
    w[5] = static_cast<std::int8_t>(f.zero_point + 1);
    std::array<channel_line, 32> lines{};
    for (channel_line& l : lines) {
      l = {.numerator = f.slope, .denominator = 1, .first_value = 7, .first_delta = f.first_delta};
    }
    const std::array<std::int8_t, 1> zero_points{f.zero_point};
    const convolution conv{.weight = {w.data(), index5{1, 1, 1, 1, 32}}, .weight_zp = zero_points};
    std::array<std::int8_t, 32> out{};
    std::array<std::int32_t, 1> bias{};
    const auto geometry = dytq::validate(conv).value();
    auto workspace = workspace_of(lines);
    dytq::detail::weight_fold fold(conv, geometry, {workspace});
    const auto r = fold.solve({.deltas = {0, 9}, .offsets = {-510, 510}, .preferred = f.r});
    (void)fold.write(r.value(), {out.data(), conv.weight.extents}, bias);
    if (*r != f.r || bias[0] != 7 - f.slope * (f.first_delta + f.r) || out[5] != f.zero_point + f.slope ||
        out[4] != f.zero_point) {
      return false;
    }
  }
  return true;
})

TEST_BOTH("lines that are too many to count have no workspace", {
  return dytq::detail::channel_lines::numbers_of(opaque<std::int64_t>(3)) == 12 &&
         dytq::detail::channel_lines::numbers_of(opaque<std::int64_t>(INT64_MAX)) == -1;
})

TEST_BOTH("biases with a stride, more than a run of them, beside small offsets", {
  constexpr std::size_t outputs = 40;
  std::array<std::int8_t, 32 * outputs> w{};
  w.fill(1);
  std::array<channel_line, 32> lines{};
  for (channel_line& l : lines) {
    l = {.numerator = 1, .denominator = 1, .first_value = 3};
  }
  std::array<std::int32_t, 2 * outputs> old{};
  for (std::size_t o = 0; o < outputs; ++o) {
    old[2 * o] = opaque(5) + static_cast<int>(o);
  }
  convolution conv{.weight = {w.data(), index5{outputs, 1, 1, 1, 32}}};
  conv.bias = dytq::view<const std::int32_t>(old.data(), {outputs}, {2});
  std::array<std::int8_t, 32 * outputs> out{};
  std::array<std::int32_t, outputs> bias{};
  auto workspace = workspace_of(lines);
  dytq::detail::weight_fold fold(conv, dytq::validate(conv).value(), {workspace});
  const auto r = fold.solve({.deltas = {0, 9}, .offsets = {-20, 20}});
  (void)fold.write(r.value(), {out.data(), conv.weight.extents}, bias);
  bool exact = *r == 0;
  for (std::size_t o = 0; o < outputs; ++o) {
    exact = exact && bias[o] == 5 + static_cast<int>(o) + 96;
  }
  return exact;
})

TEST_BOTH("where outputs have zero points of their own, each is asked for itself", {
  const std::array<std::int8_t, 2> w{27, 27};
  const std::array<std::int8_t, 2> zero_points{0, opaque<std::int8_t>(-100)};  // 2 * (27 + 100) - 100 is no code
  std::array<channel_line, 2> lines{};
  for (channel_line& l : lines) {
    l = {.numerator = 2, .denominator = 1};
  }
  convolution conv{.weight = {w.data(), index5{2, 1, 1, 1, 1}}, .weight_zp = zero_points};
  conv.groups = 2;
  auto workspace = workspace_of(lines);
  dytq::detail::weight_fold fold(conv, dytq::validate(conv).value(), {workspace});
  const auto why = fold.solve({.deltas = {0, 9}, .offsets = {-20, 20}}).error();
  return why.why == dytq::reason::weight_overflow && why.output_channel == 1 && why.got == 154;
})

// One tap, and lines that are all alike.
template <std::size_t Outputs, std::size_t Inputs>
struct pointwise {
  channel_line line;
  std::array<std::int8_t, Outputs * Inputs> w{};
  std::array<std::int8_t, Outputs> zero_points{};
  std::array<std::int32_t, Outputs> bias{};
  dytq::code_range range = dytq::int8_range;

  /// Of an offset of 0; writes where that is the solution.
  constexpr dytq::result<std::int64_t> fold() {
    std::array<channel_line, Inputs> lines{};
    lines.fill(line);
    const index5 shape{Outputs, 1, 1, 1, Inputs};
    const convolution conv{.weight = {w.data(), shape}, .weight_zp = zero_points, .bias = bias, .weight_range = range};
    const auto geometry = dytq::validate(conv).value();
    auto workspace = workspace_of(lines);
    dytq::detail::weight_fold fold(conv, geometry, {workspace});
    const auto r = fold.solve({.deltas = {0, 9}, .offsets = {-20, 20}});
    if (r) {
      (void)fold.write(*r, {w.data(), shape}, bias);
    }
    return r;
  }
};

}  // namespace

TEST_BOTH("each output channel has its own zero point, if there are but two", {
  pointwise<2, 32> p{.line = {.numerator = 2}, .zero_points = {0, opaque<std::int8_t>(5)}};
  p.w.fill(9);
  if (!p.fold()) {
    return false;
  }
  for (std::size_t i = 0; i < 32; ++i) {
    if (p.w[i] != 2 * 9 || p.w[32 + i] != 2 * (9 - 5) + 5) {
      return false;
    }
  }
  return true;
})

TEST_BOTH("half of an odd weight is no integer, be they all odd", {
  pointwise<1, 32> p{.line = {.numerator = 1, .denominator = 2}};
  p.w.fill(opaque<std::int8_t>(3));
  const auto odd = p.fold().error();
  p.w.fill(-2);
  return odd.why == dytq::reason::not_affine && odd.channel == 0 && odd.expected == 2 && odd.got == 3 && p.fold() &&
         p.w[0] == -1 && p.w[31] == -1;
})

TEST_BOTH("a weight of 0 is not what is objected to, though no weight may be above it", {
  pointwise<1, 2> p{.line = {.numerator = -1}, .w = {127, opaque<std::int8_t>(100)}, .zero_points = {127}};
  const auto why = p.fold().error();
  return why.why == dytq::reason::weight_overflow && why.channel == 1 && why.expected == 127 && why.got == 127 + 27;
})

TEST_BOTH("sums of one output channel are not those of another", {
  // 3 w onto biases near both ends of int32, so that no bound says that they fit.
  pointwise<17, 1> p{.line = {.numerator = 1, .first_value = 3}};
  p.w = {100};
  p.bias[0] = INT32_MIN;
  p.w[16] = 1;
  p.bias[16] = opaque(INT32_MAX - 5);
  return p.fold() && p.bias[0] == INT32_MIN + 300 && p.bias[16] == INT32_MAX - 2;
})

TEST_BOTH("what a slope of 1 leaves as it is may be out of range all the same", {
  pointwise<1, 32> p{.line = {.numerator = 1}, .range = {-100, 127}};
  p.w[5] = -100;
  if (!p.fold() || p.w[5] != -100) {
    return false;
  }
  p.w[31] = opaque<std::int8_t>(-101);
  const auto why = p.fold().error();
  return why.why == dytq::reason::weight_overflow && why.channel == 31 && why.expected == -100 && why.got == -101;
})

TEST_CASE("sums of output channels over more taps than int16 takes") {
  // Depthwise [tap, channel]: 300 taps, each weight -128 with zero point 127, so -255; the slope is 0, the offset 7.
  std::array<std::int8_t, 300 * 32> w{};
  for (std::int8_t& code : w) {
    code = opaque<std::int8_t>(-128);
  }
  const std::array<std::int8_t, 1> zero_point{127};
  std::array<channel_line, 32> lines{};
  for (channel_line& l : lines) {
    l = {.first_value = 7};
  }
  convolution conv{.weight = {w.data(), index5{32, 1, 1, 300, 1}, index5{1, 9600, 9600, 32, 1}},
                   .axes = dytq::unpadded};
  conv.groups = 32;
  conv.weight_zp = zero_point;
  std::array<std::int8_t, 300 * 32> out{};
  std::array<std::int32_t, 32> bias{};
  const auto geometry = dytq::validate(conv).value();
  auto workspace = workspace_of(lines);
  dytq::detail::weight_fold fold(conv, geometry, {workspace});
  const auto r = fold.solve({.deltas = {0, 9}, .offsets = {-20, 20}});
  (void)fold.write(r.value(), {out.data(), conv.weight.extents, conv.weight.strides}, bias);
  bool right = true;
  for (const std::int32_t b : bias) {
    right = right && b == 7 * -255 * 300;
  }
  CHECK(right);
  CHECK(out[0] == 127);
  CHECK(out[300 * 32 - 1] == 127);
}
