// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables as values, and the table of any map of codes.
#ifndef DYTQ_TABLES_MAKE_TABLE_HPP
#define DYTQ_TABLES_MAKE_TABLE_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../codes.hpp"
#include "../numbers/integer.hpp"
#include "../result.hpp"
#include "../view.hpp"

namespace dytq {
inline namespace v0 {

/// The 256 entries of an int8 TABLE; entry i is for code i - 128.
using table8 = std::array<std::int8_t, 256>;

/// The 513 entries of an int16 TABLE; entry i is for code 128 * i - 32768, the last for the virtual code 32768.
using table16 = std::array<std::int16_t, 513>;

/// Where a code's entry is.
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
  if (domain.empty() || !int8_range.contains(domain)) {
    return rejection{.why = reason::range_inverted, .at = place::domain, .expected = domain.lo, .got = domain.hi};
  }
  table8 table{};
  for (std::int64_t code = domain.lo; code <= domain.hi; ++code) {
    const auto image = f(static_cast<std::int8_t>(code));
    std::int64_t entry = 0;
    if constexpr (std::integral<std::remove_cvref_t<decltype(image)>>) {
      entry = saturate_int64(image);
    } else {
      if (!image) {
        rejection why = image.error();
        why.code = code;
        return why;
      }
      entry = saturate_int64(*image);
    }
    if (!fits<std::int8_t>(entry)) {
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

}  // namespace v0
}  // namespace dytq

#endif
