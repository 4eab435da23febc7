// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/site.hpp>

#include "network_data.hpp"
#include "svg.hpp"

namespace pictures {

namespace {

// A slope dy / dx, and how wide the strip of that slope around a map is, times dx.
struct strip {
  std::int64_t dx = 1;
  std::int64_t dy = 0;
  std::int64_t low = 0;  // the least and the largest y * dx - x * dy
  std::int64_t high = 0;

  std::int64_t width() const { return high - low; }
  bool narrower_than(const strip& o) const { return width() * o.dx < o.width() * dx; }
};

struct channel_map {
  const dytq::site_maps& maps;
  dytq::site_maps::channel_constants k;

  int last() const { return maps.count() - 1; }
  int x(int i) const { return maps.code(i); }
  int y(int i) const { return maps.map(k, i); }

  strip of_slope(std::int64_t dy, std::int64_t dx) const {
    strip s{dx, dy, INT64_MAX, INT64_MIN};
    for (int i = 0; i <= last(); ++i) {
      const std::int64_t v = y(i) * dx - x(i) * dy;
      s.low = v < s.low ? v : s.low;
      s.high = v > s.high ? v : s.high;
    }
    return s;
  }
  // The narrowest strip has two points of the map on one side: every pair is tried.
  strip narrowest() const {
    strip best = of_slope(0, 1);
    for (int i = 0; i <= last(); ++i) {
      for (int j = 0; j < i; ++j) {
        const strip s = of_slope(y(i) - y(j), x(i) - x(j));
        best = s.narrower_than(best) ? s : best;
      }
    }
    return best;
  }
};

void draw_map(svg& s, const channel_map& c, const strip& best, const box& b) {
  const axis x{-128, 127, b.x + 40, b.right() - 40};
  const axis y{-134 * best.dx, 133 * best.dx, b.bottom(), b.y};
  s.rectangle("panel", b);
  for (const std::int64_t side : {best.low, best.high}) {
    s.line("exact", {x(c.x(0)), y(side + c.x(0) * best.dy)}, {x(c.x(c.last())), y(side + c.x(c.last()) * best.dy)});
  }
  s.begin_path("codes");
  s.move({x(c.x(0)), y(c.y(0) * best.dx)});
  for (int i = 1; i <= c.last(); ++i) {
    s.to({x(c.x(i)), y(c.y(i) * best.dx)});
  }
  s.end_path();
}

// The same less the strip's slope: what no weight can take away.
void draw_rest(svg& s, const channel_map& c, const strip& best, const box& b) {
  const axis x{-128, 127, b.x + 40, b.right() - 40};
  const std::int64_t margin = best.width() / 4;
  const axis y{best.low - margin, best.high + margin, b.bottom(), b.y};
  s.rectangle("panel", b);
  s.rectangle("full", {b.x, y(best.high), b.width, y(best.low) - y(best.high)});
  s.begin_path("codes");
  for (int i = 0; i <= c.last(); ++i) {
    const point p{x(c.x(i)), y(c.y(i) * best.dx - c.x(i) * best.dy)};
    i == 0 ? s.move(p) : s.to(p);
  }
  s.end_path();
  s.begin_path("dots");  // the three that hold it
  for (int i = 0; i <= c.last(); ++i) {
    const std::int64_t v = c.y(i) * best.dx - c.x(i) * best.dy;
    if (v == best.low || v == best.high) {
      s.move({x(c.x(i)), y(v)});
      s.across(x(c.x(i)) + 1);
    }
  }
  s.end_path();
}

}  // namespace

std::string strip_picture() {
  const demo::dyt_layer* layer = nullptr;
  for (std::int64_t i = 0; i < demo::the_network.layers.extent(0) && layer == nullptr; ++i) {
    layer = demo::the_network.layers(i).dyt;
  }
  const auto maps = dytq::site_maps::make(layer->affine).value();
  const channel_map c{maps, *maps.channel(2)};
  const strip best = c.narrowest();
  constexpr tenths left = 320;
  svg s(9600, 4300, "The narrowest strip around what gamma and beta make of each code");
  s.text("title", {left, 370}, std::string("The narrowest strip around a channel's map: channel 2 of ") + layer->name);
  s.line("codes", {left, 560}, {left + 180, 560});
  s.text("", {left + 250, 600}, "the code that the convolution reads, by the TABLE's");
  s.line("exact", {left + 3760, 560}, {left + 3940, 560});
  s.text("", {left + 4010, 600}, "the strip");
  const box map{left, 900, 4300, 3000};
  const box rest{left + 4660, 900, 4300, 3000};
  draw_map(s, c, best, map);
  draw_rest(s, c, best, rest);
  s.text("name", {map.x, map.y - 60}, "map");
  s.text("name", {rest.x, rest.y - 60}, "less the slope " + decimal((best.dy * 10000 + best.dx / 2) / best.dx, 4));
  s.text("end", {rest.right(), rest.y - 60},
         "width " + decimal((best.width() * 1000 + best.dx / 2) / best.dx, 3) +
             " codes; the points that hold it are dots");
  return s.finish();
}

}  // namespace pictures
