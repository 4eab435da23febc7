// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a table is from its function; and TFLite's int16 tables.
#include <dytq/lut16.hpp>

#include "functions.hpp"

using namespace dytq_c;

dytq_status dytq_lut_error(std::int32_t function, const dytq_qparams* in, const dytq_qparams* out,
                           const dytq_lut_options* how, const dytq_view* table, std::int32_t shift,
                           std::int64_t* largest, std::int64_t* code, dytq_rejection* why) {
  call c(why);
  c.check_output(largest);
  c.check_output(code);
  const dytq::qparams from = qparams_of(c, in);
  const dytq::qparams to = qparams_of(c, out);
  const dytq::lut_options options = options_of(c, how);
  const parameter own = parameter_of(c, how);
  const dytq_view given = c.value(table);
  const bool wide = given.type == DYTQ_INT16;
  const auto narrow_entries =
      wide ? dytq::view<const std::int8_t>{} : c.view<std::int8_t, 1>(given, dytq::place::table);
  const auto wide_entries =
      wide ? c.view<std::int16_t, 1>(given, dytq::place::table) : dytq::view<const std::int16_t>{};
  if (!c.ok()) {
    return c.status();
  }
  if (const dytq::verdict v =
          wide ? dytq::validate(wide_entries, dytq::place::table) : dytq::validate(narrow_entries, dytq::place::table);
      !v) {
    return c.answer(v);
  }
  const std::int64_t count = wide ? wide_entries.extent(0) : narrow_entries.extent(0);
  if (count != (wide ? 513 : 256)) {
    return c.refuse(
        DYTQ_REJECTED,
        {.why = dytq::reason::table_size, .at = dytq::place::table, .expected = wide ? 513 : 256, .got = count});
  }
  dytq::result<dytq::error_enclosure> error = dytq::reason::undecided;
  if (wide) {
    dytq::lut16 entries{.shift = shift};
    for (std::int64_t i = 0; i < 513; ++i) {
      entries.table[static_cast<std::size_t>(i)] = wide_entries(i);
    }
    error = with_function<dytq::error_enclosure>(
        function, own, [&](auto f) { return dytq::interpolation_error(f, from, to, entries, options); });
  } else {
    dytq::table8 entries{};
    for (std::int64_t i = 0; i < 256; ++i) {
      entries[static_cast<std::size_t>(i)] = narrow_entries(i);
    }
    error = with_function<dytq::error_enclosure>(
        function, own, [&](auto f) { return dytq::rounding_error(f, from, to, entries, options); });
  }
  if (error) {
    *largest = error->hi;
    *code = error->code;
  }
  return c.answer(error);
}

dytq_status dytq_tflite_lut16(std::int32_t function, double in_scale, std::int32_t in_zero_point, double out_scale,
                              const dytq_lut_options* how, const dytq_output* table, dytq_rejection* why) {
  call c(why);
  const dytq::lut_options options = options_of(c, how);
  const parameter own = parameter_of(c, how);
  const auto entries = c.view<std::int16_t, 1>(table, dytq::place::output);
  if (!c.ok()) {
    return c.status();
  }
  const auto made = with_function<dytq::tflite_table16>(function, own, [&](auto f) {
    return dytq::make_tflite_lut16(f, in_scale, in_zero_point, out_scale, options.arithmetic);
  });
  return c.store(made ? dytq::result<dytq::table16>(made->entries) : dytq::result<dytq::table16>(made.error()),
                 entries);
}
