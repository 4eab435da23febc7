// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TABLE and the chain behind it as one table, where all channels share one map.
#ifndef DYTQ_REWRITES_UNIFORM_TABLE_HPP
#define DYTQ_REWRITES_UNIFORM_TABLE_HPP

#include <cstddef>
#include <cstdint>

#include "../result.hpp"
#include "../site.hpp"
#include "../table.hpp"

namespace dytq {
inline namespace v0 {

/// The TABLE and the chain behind it as one table, if all channels share one map, saturating or nonlinear as it may be.
///
/// Formula: table'[q] = y(table[q]). It holds under any padding and for any number of users of the chain's result.
/// Errors: not_uniform: `channel` maps `code` to `got`, channel 0 to `expected`; those of `site_maps`.
constexpr result<table8> uniform_table(const affine_site& site) {
  const result<site_maps> maps = site_maps::make(site);
  if (!maps) {
    return maps.error();
  }
  site_maps::channel_constants shared;
  for (std::int64_t c = 0; c < site.channels(); ++c) {
    const auto k = maps->channel(c);
    if (!k) {
      return k.error();
    }
    if (c == 0) {
      shared = *k;
    }
    for (int i = 0; i < maps->count(); ++i) {
      if (const int expected = maps->map(shared, i), got = maps->map(*k, i); expected != got) {
        return rejection{
            .why = reason::not_uniform, .channel = c, .code = maps->code(i), .expected = expected, .got = got};
      }
    }
  }
  table8 table{};
  for (std::int64_t q = 0; q < 256; ++q) {
    table[static_cast<std::size_t>(q)] = static_cast<std::int8_t>(maps->map_of_code(shared, site.table(q)));
  }
  return table;
}

}  // namespace v0
}  // namespace dytq

#endif
