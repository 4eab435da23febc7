// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans as short tables, in the caller's memory.
#ifndef DYTQ_PLAN_TEXT_HPP
#define DYTQ_PLAN_TEXT_HPP

#include <cstddef>

#include "site_plan.hpp"
#include "target.hpp"
#include "text.hpp"

namespace dytq {
inline namespace v0 {

/// Plans as short tables: one line for each rewrite, the best marked.
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

/// A plan of a chain as a short table: what each stretch becomes, the sum, and why other forms of the whole are none.
constexpr text_buffer<4096> to_text(const chain_plan& p) {
  text_buffer<4096> out;
  for (int i = 0; i < p.count; ++i) {
    const plan_stretch& s = p.stretch(i);
    const std::size_t line = out.size();
    out.add("  steps ").add(std::int64_t{s.from}).add(" to ").add(std::int64_t{s.to}).pad_to(line, 18).add(name(s.how));
    out.pad_to(line, 40).add_right(s.to - s.from, 2).add(" ->").add_right(s.steps, 3);
    if (s.tables > 0) {
      out.add("  ").add(s.tables).add(s.tables == 1 ? " table" : " tables");
    }
    if (s.max_difference > 0) {
      out.add("  within ").add(s.max_difference).add(" of the code, ").add(s.differ).add(" codes differ");
    }
    out.add(s.clamps ? "  and a CLAMP" : "").add(s.beside ? "  beside the chain" : "").add('\n');
  }
  const std::size_t line = out.size();
  out.add("  all").pad_to(line, 40).add_right(p.operators_before, 2).add(" ->").add_right(p.operators, 3);
  out.add("  bytes ").add(p.bytes_before).add(" -> ").add(p.bytes).add('\n');
  for (int i = 0; i < static_cast<int>(form::count_); ++i) {
    const auto f = static_cast<form>(i);
    if (!p[f].exists()) {
      const std::size_t start = out.size();
      out.add("  no ").add(name(f)).pad_to(start, 26).add(to_text(p[f].why).c_str()).add('\n');
    }
  }
  if (p.assumes_domain) {
    out.add("  assumes that only the codes named occur at the entrance\n");
  }
  return out;
}

}  // namespace v0
}  // namespace dytq

#endif
