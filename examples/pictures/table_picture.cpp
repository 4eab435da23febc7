// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dytq/lut.hpp>
#include <dytq/lut16.hpp>

#include "svg.hpp"

namespace pictures {

namespace {

// The table of the README.
constexpr dytq::qparams in{.scale = 0.05, .zero_point = 3};
constexpr dytq::qparams out{.scale = 1.0 / 127};
constexpr dytq::table8 table = dytq::make_lut8(dytq::functions::tanh, in, out).value();

// The same function in 256ths of an output code, certified too: an int16 table whose grid meets every int8 code. Its
// entry 256 + q is for code q.
constexpr int fine = 256;
constexpr dytq::lut16 exact =
    dytq::make_lut16(dytq::functions::tanh, {.scale = in.scale / 128, .zero_point = in.zero_point * 128},
                     {.scale = out.scale / fine})
        .value();

constexpr int entry(int code) { return table[dytq::table_index(static_cast<std::int8_t>(code))]; }
constexpr int exact_at(int code) { return exact[static_cast<std::size_t>(256 + code)]; }

// The codes of the enlargement.
constexpr int from = 3, to = 14;

// A code stands in the middle of its step.
tenths middle(const axis& x, int code) { return (x(code) + x(code + 1)) / 2; }

void draw_steps(svg& s, int first, int last, const axis& x, const axis& y) {
  s.begin_path("codes");
  s.move({x(first), y(entry(first) * fine)});
  for (int code = first + 1; code <= last; ++code) {
    if (entry(code) != entry(code - 1)) {
      s.across(x(code));
      s.down(y(entry(code) * fine));
    }
  }
  s.across(x(last + 1));
  s.end_path();
}

void draw_dots(svg& s, int first, int last, const axis& x, const axis& y) {
  s.begin_path("curve");
  s.move({middle(x, first), y(exact_at(first))});
  for (int code = first + 1; code <= last; ++code) {
    s.to({middle(x, code), y(exact_at(code))});
  }
  s.end_path();
  s.begin_path("dots");
  for (int code = first; code <= last; ++code) {
    s.move({middle(x, code), y(entry(code) * fine)});
    s.to({middle(x, code), y(entry(code) * fine)});
  }
  s.end_path();
}

}  // namespace

std::string table_picture() {
  svg s(9600, 4850, "The int8 table of tanh beside the exact function, and the difference of the two");
  const box upper{700, 1000, 8600, 2300};
  const box lower{700, 3600, 8600, 750};
  const axis x{-128, 128, upper.x, upper.right()};
  const axis y{-140 * fine, 140 * fine, upper.bottom(), upper.y};
  const axis rest{-fine * 6 / 10, fine * 6 / 10, lower.bottom(), lower.y};

  s.text("title", {300, 370}, "tanh as 256 bytes: every entry is the code nearest to the exact function");
  s.text("", {300, 580}, "input scale 0.05, zero point 3; output scale 1/127; amber: saturated");
  s.rectangle("panel", upper);
  s.rectangle("panel", lower);

  // Saturated: the entries at either end that are all one code.
  int first = -128, last = 127;
  while (entry(first + 1) == entry(-128)) {
    ++first;
  }
  while (entry(last - 1) == entry(127)) {
    --last;
  }
  for (const box& b : {upper, lower}) {
    s.rectangle("full", {b.x, b.y, x(first + 1) - b.x, b.height});
    s.rectangle("full", {x(last), b.y, b.right() - x(last), b.height});
  }
  for (const int v : {-127, 0, 127}) {
    s.line("axis", {upper.x, y(v * fine)}, {upper.right(), y(v * fine)});
    s.text("end", {upper.x - 70, y(v * fine) + 40}, std::to_string(v));
  }
  draw_steps(s, -128, 127, x, y);
  s.text("", {upper.x + 100, y(-127 * fine) - 90},
         std::to_string(first + 129) + " codes at " + std::to_string(entry(-128)));
  s.text("end", {upper.right() - 100, y(127 * fine) + 190},
         std::to_string(128 - last) + " codes at " + std::to_string(entry(127)));

  // A few codes, enlarged.
  const box inset{5900, 1640, 2200, 1500};
  const axis inset_x{from, to + 1, inset.x + 60, inset.right() - 60};
  const axis inset_y{(entry(from) - 4) * fine, (entry(to) + 4) * fine, inset.bottom(), inset.y};
  s.rectangle("frame",
              {x(from), y(entry(to) * fine), x(to + 1) - x(from), y(entry(from) * fine) - y(entry(to) * fine)});
  s.rectangle("inset", inset, 40);
  draw_steps(s, from, to, inset_x, inset_y);
  draw_dots(s, from, to, inset_x, inset_y);
  s.text("", {inset.x + 120, inset.y + 210}, "codes " + std::to_string(from) + " to " + std::to_string(to));

  for (const int side : {-fine / 2, fine / 2}) {
    s.line("half", {lower.x, rest(side)}, {lower.right(), rest(side)});
  }
  s.line("axis", {lower.x, rest(0)}, {lower.right(), rest(0)});
  int worst = -128;
  s.begin_path("rest");
  for (int code = -128; code < 128; ++code) {
    const int r = exact_at(code) - entry(code) * fine;
    const int most = exact_at(worst) - entry(worst) * fine;
    worst = r * r > most * most ? code : worst;
    s.move({middle(x, code), rest(0)});
    s.down(rest(r));
  }
  s.end_path();
  s.text("end", {lower.x - 70, rest(fine / 2) + 40}, "+1/2");
  s.text("end", {lower.x - 70, rest(0) + 40}, "0");
  s.text("end", {lower.x - 70, rest(-fine / 2) + 40}, "-1/2");
  for (const int code : {-128, -64, 0, 64, 127}) {
    s.text("middle", {middle(x, code), lower.bottom() + 200}, std::to_string(code));
  }
  const std::int64_t r = exact_at(worst) - entry(worst) * fine;
  s.text("name", {upper.x, upper.y - 80}, "output code; enlarged: the entries, and the exact function as a line");
  s.text("name", {lower.x, lower.y - 80}, "exact less entry, in output codes");
  s.text("end", {lower.right(), lower.y - 80},
         "largest: " + decimal((r * 1000 + (r < 0 ? -fine / 2 : fine / 2)) / fine, 3, true) + " at code " +
             std::to_string(worst));
  s.text("end", {lower.right(), lower.bottom() + 380}, "input code");
  return s.finish();
}

}  // namespace pictures
