// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/fit_rescale.hpp>
#include <dytq/site.hpp>

#include "network_data.hpp"
#include "svg.hpp"

namespace pictures {

namespace {

constexpr std::int64_t clip = 384;  // a distance of 1.5 codes, where the strips end

// One channel: a point on the plane for each code of X, the line through its ends, and how far it is from that.
struct channel_panel {
  const dytq::site_maps& maps;
  dytq::site_maps::channel_constants k;

  int code(int i) const { return maps.code(i); }
  int last() const { return maps.count() - 1; }
  int value(int i) const { return maps.map(k, i); }
  /// The value less the line's, in 256ths of a code.
  std::int64_t off(int i) const {
    const std::int64_t span = code(last()) - code(0);
    const std::int64_t line = (value(0) * span + std::int64_t{value(last()) - value(0)} * (code(i) - code(0))) * 256;
    const std::int64_t difference = value(i) * span * 256 - line;
    return (2 * difference + (difference < 0 ? -span : span)) / (2 * span);
  }
};

std::int64_t draw(svg& s, const channel_panel& c, const box& upper, const box& lower, std::string_view name) {
  const axis x{-128, 127, upper.x + 20, upper.right() - 20};
  const axis y{-134, 133, upper.bottom(), upper.y};
  const axis off{-clip, clip, lower.bottom(), lower.y};
  s.rectangle("panel", upper);
  s.rectangle("panel", lower);
  // Saturated at one end or the other: the code repeats although the TABLE's goes on.
  int low = 0, high = c.last();
  while (low < c.last() && c.value(low + 1) == c.value(0) && c.value(0) == -128) {
    ++low;
  }
  while (high > 0 && c.value(high - 1) == c.value(c.last()) && c.value(c.last()) == 127) {
    --high;
  }
  for (const box& b : {upper, lower}) {
    if (low > 0) {
      s.rectangle("full", {b.x, b.y, x(c.code(low)) - b.x, b.height});
    }
    if (high < c.last()) {
      s.rectangle("full", {x(c.code(high)), b.y, b.right() - x(c.code(high)), b.height});
    }
  }
  s.line("exact", {x(c.code(0)), y(c.value(0))}, {x(c.code(c.last())), y(c.value(c.last()))});
  s.begin_path("codes");
  s.move({x(c.code(0)), y(c.value(0))});
  for (int i = 1; i <= c.last(); ++i) {
    s.to({x(c.code(i)), y(c.value(i))});
  }
  s.end_path();
  s.line("axis", {lower.x, off(0)}, {lower.right(), off(0)});
  std::int64_t worst = 0;
  s.begin_path("off");
  for (int i = 0; i <= c.last(); ++i) {
    const std::int64_t d = c.off(i);
    worst = (d < 0 ? -d : d) > worst ? (d < 0 ? -d : d) : worst;
    if (d != 0) {
      s.move({x(c.code(i)), off(0)});
      s.down(off(d > clip ? clip : d < -clip ? -clip : d));
    }
  }
  s.end_path();
  s.text("name", {upper.x, upper.y - 40}, name);
  return worst;
}

}  // namespace

std::string site_picture() {
  const demo::dyt_layer* layer = nullptr;
  for (std::int64_t i = 0; i < demo::the_network.layers.extent(0) && layer == nullptr; ++i) {
    layer = demo::the_network.layers(i).dyt;
  }
  const auto maps = dytq::site_maps::make(layer->affine).value();
  const std::int64_t channels = layer->affine.channels();
  constexpr tenths left = 320, top = 1300, width = 1020, height = 1020, strip = 420, across = 1134, down = 1830;
  constexpr std::int64_t columns = 8;
  const std::int64_t rows = (channels + columns - 1) / columns;
  svg s(9600, top + (rows - 1) * down + height + 60 + strip + 280,
        "What gamma and beta make of each code, channel by channel");
  s.text("title", {left, 370},
         std::string("Gamma and beta as the integers they are: ") + layer->name +
             " of the digits network, channel by channel");
  s.line("codes", {left, 560}, {left + 180, 560});
  s.text("", {left + 250, 600}, "the code that the convolution reads, by the TABLE's");
  s.line("exact", {left + 3760, 560}, {left + 3940, 560});
  s.text("", {left + 4010, 600}, "line through its ends");
  s.rectangle("key-full", {left + 5320, 500, 180, 120});
  s.text("", {left + 5570, 600}, "saturated");
  s.line("off", {left, 760}, {left + 180, 760});
  s.text(
      "", {left + 250, 800},
      "distance to that line, in codes, with its largest value: a fold into a weight other than 0 needs a flat strip");
  for (std::int64_t c = 0; c < channels; ++c) {
    const tenths x = left + c % columns * across, y = top + c / columns * down;
    const box upper{x, y, width, height};
    const box lower{x, y + height + 60, width, strip};
    const channel_panel panel{maps, *maps.channel(c)};
    const std::int64_t worst = draw(s, panel, upper, lower, "channel " + std::to_string(c));
    s.text("end", {upper.right(), upper.y - 40}, decimal((worst * 10 + 128) / 256, 1));
  }
  return s.finish();
}

}  // namespace pictures
