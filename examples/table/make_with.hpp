// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of one function: each is compiled in a file of its own (function.cpp.in).
#ifndef DYTQ_TABLE_MAKE_WITH_HPP
#define DYTQ_TABLE_MAKE_WITH_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "table.hpp"

namespace table_tool {

/// Fills in the errors of a table. error(how): the largest one over the codes of how.domain.
template <class Error>
void measure(const request& asked, const dytq::qparams& in, dytq::code_range type, Error error, made_table& made) {
  const auto all = error(asked.how);
  if (!all) {
    made.refused = all.error();
    return;
  }
  made.error = *all;
  if (!asked.error_by_column) {
    return;
  }
  const std::int64_t lo = in.qmin == dytq::unset_qmin ? type.lo : in.qmin,
                     hi = in.qmax == dytq::unset_qmax ? type.hi : in.qmax, wide = (type.hi - type.lo + 1) / columns;
  for (std::int64_t i = 0; i < columns; ++i) {
    dytq::lut_options how = asked.how;
    how.domain = {std::max(lo, type.lo + wide * i), std::min(hi, type.lo + wide * (i + 1) - 1)};
    const auto part = how.domain.empty() ? dytq::result<dytq::error_enclosure>(dytq::reason::empty) : error(how);
    made.by_column.push_back(part ? std::optional(part->hi) : std::nullopt);
  }
}

template <class F>
made_table make8(F f, const request& asked) {
  made_table made;
  const dytq::qparams in = asked.is_unsigned ? dytq::from_uint8(asked.in) : asked.in,
                      out = asked.is_unsigned ? dytq::from_uint8(asked.out) : asked.out;
  const auto table = dytq::make_lut8(f, in, out, asked.how);
  if (!table) {
    made.refused = table.error();
    return made;
  }
  made.entries.assign(table->begin(), table->end());
  measure(
      asked, in, dytq::int8_range,
      [&](const dytq::lut_options& how) { return dytq::rounding_error(f, in, out, *table, how); }, made);
  if (asked.is_unsigned) {
    made.error.code += 128;
    for (int& entry : made.entries) {
      entry += 128;
    }
  }
  return made;
}

template <int Step, class F>
made_table make16(F f, const request& asked) {
  made_table made;
  const auto table = dytq::make_lut16<Step>(f, asked.in, asked.out, asked.how);
  if (!table) {
    made.refused = table.error();
    return made;
  }
  made.entries.assign(table->table.begin(), table->table.end());
  made.shift = table->shift;
  measure(
      asked, asked.in, dytq::int16_range,
      [&](const dytq::lut_options& how) { return dytq::interpolation_error(f, asked.in, asked.out, *table, how); },
      made);
  return made;
}

template <class F>
made_table make_tflite(F f, const request& asked) {
  made_table made;
  const auto table =
      dytq::make_tflite_lut16(f, asked.in.scale, asked.in.zero_point, asked.out.scale, asked.how.arithmetic);
  if (!table) {
    made.refused = table.error();
    return made;
  }
  made.entries.assign(table->entries.begin(), table->entries.end());
  measure(
      asked, asked.in, dytq::int16_range,
      [&](const dytq::lut_options& how) { return dytq::interpolation_error(f, asked.in, asked.out, *table, how); },
      made);
  return made;
}

/// A function with a parameter is a struct of one double.
template <class F>
made_table make_with(F f, const request& asked) {
  if constexpr (!std::is_empty_v<F>) {
    if (asked.parameter) {
      f = F{*asked.parameter};
    }
  } else if (asked.parameter) {
    made_table made;
    made.takes_no_parameter = true;
    return made;
  }
  if (asked.bits == 8) {
    return make8(f, asked);
  }
  if (asked.of_int16 == layout::tflite) {
    return make_tflite(f, asked);
  }
  return asked.step == 128 ? make16<128>(f, asked) : asked.step == 64 ? make16<64>(f, asked) : make16<32>(f, asked);
}

}  // namespace table_tool

#endif
