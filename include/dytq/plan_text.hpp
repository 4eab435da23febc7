// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plan as a short table, in the caller's memory.
#ifndef DYTQ_PLAN_TEXT_HPP
#define DYTQ_PLAN_TEXT_HPP

#include <cstddef>

#include "site_plan.hpp"
#include "text.hpp"

namespace dytq {
inline namespace v0 {

/// A plan as a short table: one line for each rewrite, the best marked.
constexpr text_buffer<4096> to_text(const site_plan& p) {
  text_buffer<4096> out;
  out.add("  rewrite          operators   bytes  \n");
  for (int i = 0; i < rewrite_count; ++i) {
    const auto r = static_cast<rewrite>(i);
    const std::size_t line = out.size();
    out.add(r == p.best || r == p.companion ? "* " : "  ").add(name(r)).pad_to(line, 19);
    if (p[r].exists()) {
      out.add_right(p.operators, 3).add(" ->").add_right(p.operators - p[r].operators_saved(), 3);
      out.add_right(-p[r].bytes_saved(), 8).pad_to(line, 37);
      if (r == rewrite::channel_tables) {
        out.add(" ").add(p.tables).add(p.tables == 1 ? " table" : " tables");
      }
    } else {
      out.add(" -").pad_to(line, 38).add(to_text(p[r].why).c_str());
    }
    out.add('\n');
  }
  if (p.assumes_reachable) {
    out.add("  assumes that only the codes named as reachable occur\n");
  }
  return out;
}

}  // namespace v0
}  // namespace dytq

#endif
