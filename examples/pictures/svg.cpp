// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "svg.hpp"

namespace pictures {

namespace {

// Two palettes; the reader's system chooses.
constexpr std::string_view style_sheet = R"(<style>
text{font-family:system-ui,-apple-system,"Segoe UI","DejaVu Sans",Roboto,sans-serif;font-size:11px;fill:#57606a}
.title{font-size:15px;font-weight:600;fill:#1f2328}
.end{text-anchor:end}
.middle{text-anchor:middle}
.name{fill:#1f2328;font-weight:600}
.page{fill:#ffffff;stroke:#d0d7de}
.panel{fill:#f6f8fa}
.full{fill:#d4a72c;fill-opacity:.18}
.half{stroke:#8c959f;stroke-width:1;stroke-dasharray:2 3;fill:none}
.inset{fill:#ffffff;stroke:#d0d7de}
.dots{stroke:#0969da;stroke-width:5;stroke-linecap:round;fill:none}
.frame{fill:none;stroke:#57606a}
.axis{stroke:#afb8c1;stroke-width:1;fill:none}
.exact{stroke:#8c959f;stroke-width:1;stroke-dasharray:3 2;fill:none}
.curve{stroke:#1f2328;stroke-width:1;fill:none;stroke-opacity:.8}
.codes{stroke:#0969da;stroke-width:1.6;fill:none;stroke-linejoin:round}
.rest{stroke:#0969da;stroke-width:1.6;fill:none}
.off{stroke:#cf222e;stroke-width:1;fill:none}
.key-full{fill:#d4a72c;fill-opacity:.45}
@media (prefers-color-scheme:dark){
text{fill:#9198a1}
.title,.name{fill:#f0f6fc}
.page{fill:#0d1117;stroke:#3d444d}
.panel{fill:#151b23}
.full{fill:#d29922;fill-opacity:.22}
.half{stroke:#656c76}
.inset{fill:#0d1117;stroke:#3d444d}
.dots{stroke:#4493f8}
.frame{stroke:#9198a1}
.axis{stroke:#3d444d}
.exact{stroke:#656c76}
.curve{stroke:#f0f6fc}
.codes,.rest{stroke:#4493f8}
.off{stroke:#f85149}
.key-full{fill:#d29922;fill-opacity:.45}
}
</style>
)";

}  // namespace

std::string decimal(std::int64_t v, int digits, bool sign) {
  std::uint64_t scale = 1;
  for (int i = 0; i < digits; ++i) {
    scale *= 10;
  }
  const auto magnitude = static_cast<std::uint64_t>(v < 0 ? -v : v);
  std::string fraction = std::to_string(magnitude % scale);
  fraction.insert(0, static_cast<std::size_t>(digits) - fraction.size(), '0');
  return (v < 0 ? "-" : sign ? "+" : "") + std::to_string(magnitude / scale) + (digits > 0 ? "." + fraction : "");
}

svg::svg(tenths width, tenths height, std::string_view label) {
  text_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ";
  number(width);
  text_ += ' ';
  number(height);
  text_ += "\" role=\"img\" aria-label=\"";
  text_ += label;
  text_ += "\">\n";
  text_ += style_sheet;
  rectangle("page", {5, 5, width - 10, height - 10}, 80);
}

void svg::number(tenths v) { text_ += v % 10 == 0 ? std::to_string(v / 10) : decimal(v, 1); }

void svg::rectangle(std::string_view style, const box& b, tenths radius) {
  text_ += "<rect class=\"";
  text_ += style;
  text_ += "\" x=\"";
  number(b.x);
  text_ += "\" y=\"";
  number(b.y);
  text_ += "\" width=\"";
  number(b.width);
  text_ += "\" height=\"";
  number(b.height);
  if (radius != 0) {
    text_ += "\" rx=\"";
    number(radius);
  }
  text_ += "\"/>\n";
}

void svg::line(std::string_view style, point a, point b) {
  begin_path(style);
  move(a);
  to(b);
  end_path();
}

void svg::text(std::string_view style, point at, std::string_view words) {
  text_ += "<text";
  if (!style.empty()) {
    text_ += " class=\"";
    text_ += style;
    text_ += '"';
  }
  text_ += " x=\"";
  number(at.x);
  text_ += "\" y=\"";
  number(at.y);
  text_ += "\">";
  text_ += words;
  text_ += "</text>\n";
}

void svg::begin_path(std::string_view style) {
  text_ += "<path class=\"";
  text_ += style;
  text_ += "\" d=\"";
}
void svg::move(point p) {
  text_ += 'M';
  number(p.x);
  text_ += ' ';
  number(p.y);
}
void svg::to(point p) {
  text_ += 'L';
  number(p.x);
  text_ += ' ';
  number(p.y);
}
void svg::across(tenths x) {
  text_ += 'H';
  number(x);
}
void svg::down(tenths y) {
  text_ += 'V';
  number(y);
}
void svg::end_path() { text_ += "\"/>\n"; }

std::string svg::finish() { return text_ + "</svg>\n"; }

}  // namespace pictures
