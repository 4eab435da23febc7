// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A picture as SVG text, with integer coordinates in tenths of a pixel, so that it is the same on every machine.
#ifndef DYTQ_PICTURES_SVG_HPP
#define DYTQ_PICTURES_SVG_HPP

#include <cstdint>
#include <string>
#include <string_view>

namespace pictures {

/// A place or a length, in tenths of a pixel.
using tenths = std::int64_t;

struct point {
  tenths x, y;
};

struct box {
  tenths x, y, width, height;
  constexpr tenths right() const { return x + width; }
  constexpr tenths bottom() const { return y + height; }
};

/// Maps numbers [from_lo, from_hi] to [to_lo, to_hi], to the nearest tenth.
struct axis {
  std::int64_t from_lo, from_hi;
  tenths to_lo, to_hi;
  constexpr tenths operator()(std::int64_t v) const {
    const std::int64_t span = from_hi - from_lo;
    const std::int64_t twice = 2 * (v - from_lo) * (to_hi - to_lo) + span;
    const std::int64_t q = twice / (2 * span);
    return to_lo + q - (twice % (2 * span) < 0 ? 1 : 0);
  }
};

class svg {
 public:
  /// `label` is read aloud by screen readers.
  svg(tenths width, tenths height, std::string_view label);

  void rectangle(std::string_view style, const box& b, tenths radius = 0);
  void line(std::string_view style, point a, point b);
  void text(std::string_view style, point at, std::string_view words);
  /// A path of its own: begin, points, end.
  void begin_path(std::string_view style);
  void move(point p);
  void to(point p);
  void across(tenths x);
  void down(tenths y);
  void end_path();

  /// The finished text.
  std::string finish();

 private:
  void number(tenths v);
  std::string text_;
};

/// v / 10^digits in decimal, with a sign if asked.
std::string decimal(std::int64_t v, int digits, bool sign = false);

/// The int8 table of tanh, the exact function beside it, and what rounding took away.
std::string table_picture();

/// What gamma and beta make of each code, for each channel of a layer of the digits network.
std::string site_picture();

/// The narrowest strip around one of these maps, and what it leaves.
std::string strip_picture();

}  // namespace pictures

#endif
