// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "picture.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "print.hpp"
#include "svg.hpp"

namespace table_tool {

std::string picture(const options& asked, const made_table& made) {
  using pictures::axis;
  using pictures::box;
  const request& table = asked.table;
  pictures::svg s(6400, 4000, table.function + " as a table, and its largest error");
  const box upper{700, 700, 5400, 2000}, lower{700, 3000, 5400, 600};
  const auto last = static_cast<std::int64_t>(made.entries.size()) - 1;
  const axis x{0, last, upper.x, upper.right()};
  const auto [least, most] = std::minmax_element(made.entries.begin(), made.entries.end());
  const std::int64_t margin = (*most - *least) / 12 + 1;
  const axis y{*least - margin, *most + margin, upper.bottom(), upper.y};
  s.text("title", {300, 340},
         table.function + ", " +
             (table.bits == 16    ? "int16"
              : table.is_unsigned ? "uint8"
                                  : "int8"));
  s.text("end", {upper.right(), 340}, "in " + asked.in_scale_text + ", out " + asked.out_scale_text);
  s.rectangle("panel", upper);
  s.rectangle("panel", lower);
  for (const int v : {*least, *most}) {
    s.line("axis", {upper.x, y(v)}, {upper.right(), y(v)});
    s.text("end", {upper.x - 60, y(v) + 40}, std::to_string(v));
  }
  s.begin_path("codes");
  s.move({x(0), y(made.entries[0])});
  for (std::int64_t i = 1; i <= last; ++i) {
    // Only where the line turns: points between two on a level say nothing.
    const auto at = static_cast<std::size_t>(i);
    const bool level = made.entries[at] == made.entries[at - 1] && i < last && made.entries[at] == made.entries[at + 1];
    if (!level) {
      s.to({x(i), y(made.entries[at])});
    }
  }
  s.end_path();

  const std::int64_t worst = std::max<std::int64_t>(made.error.hi, 1);
  const axis column{0, columns, lower.x, lower.right()};
  const axis height{0, worst, lower.bottom(), lower.y};
  s.begin_path("off");
  for (std::size_t i = 0; i < made.by_column.size(); ++i) {
    if (made.by_column[i]) {
      const auto middle = (column(static_cast<std::int64_t>(i)) + column(static_cast<std::int64_t>(i) + 1)) / 2;
      s.move({middle, lower.bottom()});
      s.down(height(*made.by_column[i]));
    }
  }
  s.end_path();
  s.text("name", {upper.x, upper.y - 60}, "entries");
  s.text("name", {lower.x, lower.y - 60}, "largest error, in output codes");
  s.text("end", {lower.right(), lower.y - 60}, "at most " + error_text(made.error.hi));
  s.text("", {lower.x, lower.bottom() + 180}, table.is_unsigned ? "0" : table.bits == 16 ? "-32768" : "-128");
  s.text("end", {lower.right(), lower.bottom() + 180}, table.is_unsigned ? "255" : table.bits == 16 ? "32767" : "127");
  return s.finish();
}

}  // namespace table_tool
