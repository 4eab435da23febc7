// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TABLE: lookup in 256 entries (int8) and 513 entries (int16), and the composition of tables.
#ifndef DYTQ_TABLE_HPP
#define DYTQ_TABLE_HPP

#include <cstddef>
#include <cstdint>

#include "codes.hpp"
#include "numbers/integer.hpp"
#include "result.hpp"
#include "tables/make_table.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

/// TOSA TABLE, int8: table[code + 128]. Errors: table_size; those of the view. Source: TOSA 1.0, TABLE.
constexpr result<std::int8_t> lookup(const view<const std::int8_t>& table, std::int8_t code) {
  if (const verdict v = detail::validate_table(table, 256); !v) {
    return v.error();
  }
  return table(table_index(code));
}

/// TOSA TABLE, int16: interpolation between two of 513 entries.
///
/// Formula: i = (code + 32768) >> 7, f = code & 127; 128 * table[i] + (table[i + 1] - table[i]) * f.
/// Range: the result has 23 bits: 16 of the entry, 7 of the fraction.
/// Errors: table_size; table_slope_overflow: neighbouring entries differ by more than int16 holds; those of the view.
/// Source: TOSA 1.0, TABLE.
constexpr result<std::int32_t> lookup(const view<const std::int16_t>& table, std::int16_t code) {
  if (const verdict v = detail::validate_table(table, 513); !v) {
    return v.error();
  }
  const std::int32_t at = (code + 32768) >> 7;
  const std::int32_t fraction = code & 127;
  const std::int32_t base = table(at);
  const std::int32_t slope = table(at + 1) - base;
  if (!fits<std::int16_t>(slope)) {
    return rejection{.why = reason::table_slope_overflow,
                     .at = place::table,
                     .code = code,
                     .expected = int16_range.clamp(slope),
                     .got = slope};
  }
  return base * 128 + slope * fraction;
}

/// The table of outer(inner(code)). Errors: table_size; those of the views.
constexpr result<table8> compose(const view<const std::int8_t>& outer, const view<const std::int8_t>& inner) {
  for (const verdict& v : {detail::validate_table(outer, 256), detail::validate_table(inner, 256)}) {
    if (!v) {
      return v.error();
    }
  }
  table8 table{};
  for (std::int64_t i = 0; i < 256; ++i) {
    table[static_cast<std::size_t>(i)] = outer(table_index(inner(i)));
  }
  return table;
}

}  // namespace v0
}  // namespace dytq

#endif
