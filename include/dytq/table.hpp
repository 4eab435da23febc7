// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TABLE: tables as values, the table of any map of codes, checked lookups, and composition.
#ifndef DYTQ_TABLE_HPP
#define DYTQ_TABLE_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "codes.hpp"
#include "numbers/integer.hpp"
#include "result.hpp"
#include "view.hpp"

namespace dytq {
inline namespace v0 {

/// The 256 entries of an int8 TABLE; entry i is for code i - 128.
using table8 = std::array<std::int8_t, 256>;

/// The entries of an int16 table with one for every `Step` codes: entry i is for code Step * i - 32768, the last for
/// the virtual code 32768, the right end of the last interval. Range: Step is 32, 64 or 128.
template <int Step>
requires(Step == 32 || Step == 64 ||
         Step == 128) using stepped_table16 = std::array<std::int16_t, static_cast<std::size_t>(65536 / Step) + 1>;

/// The 513 entries of TOSA's int16 TABLE.
using table16 = stepped_table16<128>;

/// Index of a code's entry.
constexpr std::size_t table_index(std::int8_t code) { return static_cast<std::size_t>(code + 128); }

namespace detail {

template <class T>
constexpr verdict validate_table(const view<const T>& table, std::int64_t entries) {
  if (const verdict v = validate(table, place::table); !v) {
    return v;
  }
  if (table.extent(0) != entries) {
    return rejection{.why = reason::table_size, .at = place::table, .expected = entries, .got = table.extent(0)};
  }
  return accepted{};
}

// Of a type, not of an expression: clang 14 would ask an int for its value_type.
template <class T>
concept code_image = std::integral<T> || std::integral<typename T::value_type>;

}  // namespace detail

/// A map of codes: from int8 to an integer, or to a result of one if it may be undefined.
template <class F>
concept code_map = requires(F f, std::int8_t code) {
  requires detail::code_image<decltype(f(code))>;
};

/// The 256-entry table of any map of codes. Codes outside `domain` read as the nearest code inside.
///
/// Errors: range_inverted: no domain; code_out_of_range: an image outside int8 (`code`, `got`); what the map refuses,
///   with the code.
/// Exactness: exact; f is called for the codes of the domain only.
template <code_map F>
constexpr result<table8> make_table(F f, code_range domain = int8_range) {
  if (const verdict v = detail::validate_range(domain, int8_range, place::domain); !v) {
    return v.error();
  }
  table8 table{};
  for (std::int64_t code = domain.lo; code <= domain.hi; ++code) {
    const auto image = f(static_cast<std::int8_t>(code));
    std::int64_t entry = 0;
    if constexpr (std::integral<std::remove_cvref_t<decltype(image)>>) {
      entry = detail::saturate_int64(image);
    } else {
      if (!image) {
        rejection why = image.error();
        why.code = code;
        return why;
      }
      entry = detail::saturate_int64(*image);
    }
    if (!detail::fits<std::int8_t>(entry)) {
      return rejection{
          .why = reason::code_out_of_range, .code = code, .expected = int8_range.clamp(entry), .got = entry};
    }
    table[static_cast<std::size_t>(code + 128)] = static_cast<std::int8_t>(entry);
  }
  for (std::int64_t code = -128; code < 128; ++code) {
    table[static_cast<std::size_t>(code + 128)] = table[static_cast<std::size_t>(domain.clamp(code) + 128)];
  }
  return table;
}

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
  if (!detail::fits<std::int16_t>(slope)) {
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
