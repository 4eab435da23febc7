// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work to be counted: work KIND TIMES [OUTPUTS INPUTS].
//
// KIND is <layout>_<lines> for a fold of OUTPUTS x 3 x 3 x INPUTS weights: layouts ohwi, oihw, hwio, hwim (depthwise),
// hwm2, hwm4, hwm8 (depthwise, as many outputs a channel), each also with `_here` (in place); lines plain (slope 1),
// mixed (slopes -1, 1, 2, 3), shifted (mixed, and the weights have a zero point) or offset (mixed, and the bias
// changes). Or it is `naive`, the loop that a reader would write first; or channel_<map>: one channel of a site, where
// the map is a line, leaves it in the middle or at an end; or channel_walk: all its codes, with no exit.
#include <dytq/fold.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using dytq::view;

// Of a depthwise layout.
std::int64_t multiplier_of(const std::string& layout) { return layout == "hwim" ? 1 : layout[3] - '0'; }

dytq::weight_view<std::int8_t> as(const std::string& layout, std::int8_t* data, std::int64_t o, std::int64_t i) {
  if (layout == "ohwi") {
    return dytq::from_ohwi(view<std::int8_t, 4>(data, {o, 3, 3, i}));
  }
  if (layout == "oihw") {
    return dytq::from_oihw(view<std::int8_t, 4>(data, {o, i, 3, 3}));
  }
  if (layout == "hwio") {
    return dytq::from_ohwi(dytq::permute(view<std::int8_t, 4>(data, {3, 3, i, o}), {3, 0, 1, 2}));
  }
  const std::int64_t multiplier = multiplier_of(layout);
  return *dytq::from_hwim(view<std::int8_t, 4>(data, {3, 3, o * i / multiplier, multiplier}));
}

// A read and a write of each weight in the order of the loops, whatever the strides; a check, and the bias.
bool fold_naively(const dytq::weight_view<const std::int8_t>& w, const dytq::weight_view<std::int8_t>& out,
                  const std::vector<dytq::channel_line>& lines, std::vector<std::int32_t>& bias) {
  for (std::int64_t o = 0; o < w.extents[0]; ++o) {
    std::int64_t sum = 0;
    for (std::int64_t y = 0; y < 3; ++y) {
      for (std::int64_t x = 0; x < 3; ++x) {
        for (std::int64_t i = 0; i < w.extents[4]; ++i) {
          const dytq::channel_line& line = lines[static_cast<std::size_t>(w.extents[4] == 1 ? o : i)];
          const std::int64_t v = w.data[w.offset({o, 0, y, x, i})];
          const std::int64_t n = v * line.numerator;
          if (n < -128 || n > 127) {
            return false;
          }
          sum += v * line.first_value;
          out.data[out.offset({o, 0, y, x, i})] = static_cast<std::int8_t>(n);
        }
      }
    }
    bias[static_cast<std::size_t>(o)] = static_cast<std::int32_t>(sum);
  }
  return true;
}

int fold(const std::string& kind, int times, std::int64_t outputs, std::int64_t inputs) {
  const std::string layout = kind.substr(0, 4) == "naiv" ? "ohwi" : kind.substr(0, 4);
  const auto has = [&](const char* word) { return kind.find(word) != std::string::npos; };
  const bool depthwise = layout == "hwim" || layout.substr(0, 3) == "hwm";
  const std::int64_t channels = depthwise ? outputs * inputs / multiplier_of(layout) : inputs;
  std::vector<std::int8_t> weight(static_cast<std::size_t>(outputs * 9 * inputs));
  std::vector<std::int8_t> out(has("here") ? 0 : weight.size());
  std::vector<dytq::channel_line> lines(static_cast<std::size_t>(channels));
  unsigned random = 7;
  for (std::int8_t& w : weight) {
    random = random * 1664525u + 1013904223u;
    w = static_cast<std::int8_t>(static_cast<int>(random >> 24) % 81 - 40);
  }
  const bool plain = has("plain");
  const bool offset = !plain && !has("mixed") && !has("shifted");
  for (std::size_t c = 0; c < lines.size(); ++c) {
    const int slope = c % 4 == 0 ? -1 : static_cast<int>(c % 4);
    lines[c].numerator = static_cast<std::int16_t>(plain ? 1 : slope);
    lines[c].first_value = offset ? std::int16_t{3} : std::int16_t{0};
  }
  std::vector<std::int16_t> workspace(4 * lines.size());
  for (std::size_t c = 0; c < lines.size(); ++c) {
    dytq::channel_lines{workspace}.set(static_cast<std::int64_t>(c), lines[c]);
  }
  const auto from = as(layout, weight.data(), outputs, inputs);
  const auto to = as(layout, has("here") ? weight.data() : out.data(), outputs, inputs);
  std::vector<std::int32_t> bias(static_cast<std::size_t>(from.extents[0]));
  const std::vector<std::int32_t> old_bias(bias.size());
  const std::int8_t zero_point[] = {3};
  dytq::convolution conv{.weight = from, .axes = dytq::unpadded};
  if (has("shifted")) {
    conv.weight_zp = zero_point;
  }
  conv.groups = depthwise ? channels : 1;
  conv.bias = old_bias;
  dytq::weight_fold folding(conv, *dytq::validate(conv), {workspace});
  for (int t = 0; t < times; ++t) {
    if (has("naive")) {
      if (!fold_naively(from, to, lines, bias)) {
        return 1;
      }
      continue;
    }
    const auto r = folding.solve({.deltas = {0, 255}, .offsets = {-255, 0}, .preferred = 0});
    if (!r) {
      return 1;
    }
    (void)folding.write(*r, to, bias);
  }
  return 0;
}

int channel(const std::string& kind, int times) {
  std::vector<std::int8_t> table(256);
  for (int i = 0; i < 256; ++i) {
    table[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(i - 128);
  }
  // x, in steps that scale by powers of two; or 0.9 x, off its line at once; or x, but for its smallest code.
  const std::int8_t gamma[] = {64};
  const std::int8_t beta[] = {0};
  dytq::affine_site site{.table = table, .gamma = gamma, .beta = beta};
  site.steps.gamma_out = {.shift = 36, .out = dytq::int8_range};
  site.steps.add_in = {.shift = 11};
  site.steps.beta = {.shift = 11};
  site.steps.add_out = {.shift = 49, .out = dytq::int8_range};
  if (kind == "channel_middle") {
    site.steps.gamma_out.multiplier = 966367642;
  }
  if (kind == "channel_end") {
    site.steps.gamma_out.out = {-127, 127};
  }
  const auto maps = dytq::site_maps::make(site);
  const bool walks = kind == "channel_walk";
  int off = 0;
  for (int t = 0; t < times; ++t) {
    const auto k = *maps->channel(t & 0);
    if (walks) {
      for (int i = 0; i < maps->count(); ++i) {
        off |= maps->map(k, i) - maps->code(i);
      }
    } else {
      off |= dytq::fit_channel(*maps, k).index + 1;
    }
  }
  const bool line = kind == "channel_line" || kind == "channel_walk";
  return times == 0 || (off == 0) == line ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    return 2;
  }
  const std::string kind = argv[1];
  const int times = std::atoi(argv[2]);
  if (kind.substr(0, 7) == "channel") {
    return channel(kind, times);
  }
  return fold(kind, times, argc > 3 ? std::atol(argv[3]) : 64, argc > 4 ? std::atol(argv[4]) : 512);
}
