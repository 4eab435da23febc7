// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables: of functions, composed, looked up, with alpha folded into them, and how far they are from their functions.
#include <dytq/folds/alpha.hpp>
#include <dytq/lut.hpp>
#include <dytq/lut16.hpp>
#include <dytq/table.hpp>

#include "functions.hpp"

using namespace dytq_c;

namespace {

dytq::alpha_site site_of(call& c, const dytq_alpha_site* given) {
  const dytq_alpha_site s = c.read(given);
  if (s.reserved != 0) {
    c.refuse(DYTQ_UNKNOWN_FIELD);
  }
  return {.alpha = s.alpha,
          .steps = {.activation = c.rescale(s.activation),
                    .alpha = c.rescale(s.alpha_step),
                    .mul_out = c.rescale(s.mul_out, dytq::int8_range)},
          .domain = range(s.domain, dytq::int8_range),
          .function_in = range(s.function_in, dytq::int8_range)};
}

template <class... In>
dytq_status store_fold(call& c, const dytq::result<dytq::folded_table>& folded, const dytq::view<std::int8_t>& to,
                       dytq_alpha_fold* info, const In&... in) {
  const dytq_status status = c.store(
      folded ? dytq::result<dytq::table8>(folded->table) : dytq::result<dytq::table8>(folded.error()), to, in...);
  if (status == DYTQ_OK) {
    write(info, dytq_alpha_fold{.size = 0, .changed = folded->changed, .wrapped = folded->wrapped ? 1 : 0});
  }
  return status;
}

template <int Step>
dytq_status store_lut16(call& c, std::int32_t function, const dytq_lut_options* how, const dytq::qparams& in,
                        const dytq::qparams& out, const dytq::view<std::int16_t>& to, std::int32_t* shift) {
  const auto made = make_lut16<Step>(function, parameter_of(c, how), in, out, options_of(c, how));
  using entries = dytq::stepped_table16<Step>;
  const dytq_status status =
      c.store(made ? dytq::result<entries>(made->table) : dytq::result<entries>(made.error()), to);
  if (status == DYTQ_OK) {
    *shift = made->shift;
  }
  return status;
}

/// Entries that a caller has as a view: `table` has as many.
template <class T, class Table>
void read_entries(const dytq::view<const T>& from, Table& table) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = from(static_cast<std::int64_t>(i));
  }
}

/// What dytq_lut_error and its like are told of a table.
struct table_of_function {
  std::int32_t function;
  parameter own;
  dytq::qparams in, out;
  dytq::lut_options how;

  table_of_function(call& c, std::int32_t number, const dytq_qparams* from, const dytq_qparams* to,
                    const dytq_lut_options* given)
      : function(number),
        own(parameter_of(c, given)),
        in(qparams_of(c, from)),
        out(qparams_of(c, to)),
        how(options_of(c, given)) {}
};

template <int Step>
dytq::result<dytq::error_enclosure> error_of(const table_of_function& known,
                                             const dytq::view<const std::int16_t>& given, std::int32_t shift) {
  dytq::stepped_lut16<Step> entries{.shift = shift};
  read_entries(given, entries.table);
  return interpolation_error(known.function, known.own, known.in, known.out, entries, known.how);
}

/// The largest error goes to the caller.
dytq_status report(call& c, const dytq::result<dytq::error_enclosure>& error, std::int64_t* largest,
                   std::int64_t* code) {
  if (error) {
    *largest = error->hi;
    *code = error->code;
  }
  return c.answer(error);
}

template <class Code, class Entry, class Out>
dytq_status look_up(call& c, const dytq_view& table, const dytq_view& codes, const dytq_output& output) {
  const auto entries = c.view<Entry, 1>(table, dytq::place::table);
  const auto in = c.view_of_any_rank<Code>(codes, dytq::place::input);
  const auto out = c.view_of_any_rank<Out>(output, dytq::place::output);
  if (!c.ok()) {
    return c.status();
  }
  for (const dytq::verdict& v :
       {dytq::validate(entries, dytq::place::table), dytq::validate(in, dytq::place::input), dytq::validate_output(out),
        dytq::validate_in_place(out, in), dytq::validate_in_place(out, entries)}) {
    if (!v) {
      return c.answer(v);
    }
  }
  if (codes.rank != output.rank || !dytq::same_extents(in, out)) {
    return c.refuse(DYTQ_REJECTED, {.why = dytq::reason::shape_mismatch, .at = dytq::place::output});
  }
  if (const auto any = dytq::lookup(entries, Code{}); !any && any.error().why == dytq::reason::table_size) {
    return c.answer(any);
  }
  for (const bool writing : {false, true}) {
    for (std::int64_t n = 0; n < in.size(); ++n) {
      std::array<std::int64_t, 5> index{};
      std::int64_t rest = n;
      for (std::size_t r = 5; r-- > 0;) {
        index[r] = rest % in.extents[r];
        rest /= in.extents[r];
      }
      const auto looked = dytq::lookup(entries, in.data[in.offset(index)]);
      if (!looked) {
        return c.answer(looked);
      }
      if (writing) {
        out.data[out.offset(index)] = *looked;
      }
    }
  }
  return c.status();
}

}  // namespace

dytq_status dytq_lookup(const dytq_view* table, const dytq_view* codes, const dytq_output* output,
                        dytq_rejection* why) {
  call c(why);
  const dytq_view entries = c.value(table);
  const dytq_view in = c.value(codes);
  const dytq_output out = c.value(output);
  if (!c.ok()) {
    return c.status();
  }
  return entries.type == DYTQ_INT16 ? look_up<std::int16_t, std::int16_t, std::int32_t>(c, entries, in, out)
                                    : look_up<std::int8_t, std::int8_t, std::int8_t>(c, entries, in, out);
}

dytq_status dytq_lut8(std::int32_t function, const dytq_qparams* in, const dytq_qparams* out,
                      const dytq_lut_options* how, const dytq_output* table, dytq_rejection* why) {
  call c(why);
  const dytq::qparams from = qparams_of(c, in);
  const dytq::qparams to = qparams_of(c, out);
  const dytq::lut_options options = options_of(c, how);
  const auto entries = c.view<std::int8_t, 1>(table, dytq::place::output);
  if (!c.ok()) {
    return c.status();
  }
  return c.store(make_lut8(function, parameter_of(c, how), from, to, options), entries);
}

dytq_status dytq_lut16(std::int32_t function, const dytq_qparams* in, const dytq_qparams* out,
                       const dytq_lut_options* how, const dytq_output* table, std::int32_t* shift,
                       dytq_rejection* why) {
  call c(why);
  c.check_output(shift);
  const dytq::qparams from = qparams_of(c, in);
  const dytq::qparams to = qparams_of(c, out);
  options_of(c, how);
  const std::int32_t step = how == nullptr ? 0 : c.read(how).step;
  const auto entries = c.view<std::int16_t, 1>(table, dytq::place::output);
  if (!c.ok()) {
    return c.status();
  }
  return step == 32   ? store_lut16<32>(c, function, how, from, to, entries, shift)
         : step == 64 ? store_lut16<64>(c, function, how, from, to, entries, shift)
                      : store_lut16<128>(c, function, how, from, to, entries, shift);
}

dytq_status dytq_compose(const dytq_view* outer, const dytq_view* inner, const dytq_output* table,
                         dytq_rejection* why) {
  call c(why);
  const auto second = c.view<std::int8_t, 1>(outer, dytq::place::table);
  const auto first = c.view<std::int8_t, 1>(inner, dytq::place::table);
  const auto entries = c.view<std::int8_t, 1>(table, dytq::place::output);
  return c.ok() ? c.store(dytq::compose(second, first), entries, second, first) : c.status();
}

dytq_status dytq_fold_alpha_into_lut(const dytq_alpha_site* site, const dytq_view* table, const dytq_output* folded,
                                     dytq_alpha_fold* info, dytq_rejection* why) {
  call c(why);
  c.check_output(info, false);
  const dytq::alpha_site known = site_of(c, site);
  const auto entries = c.view<std::int8_t, 1>(table, dytq::place::table);
  const auto to = c.view<std::int8_t, 1>(folded, dytq::place::output);
  return c.ok() ? store_fold(c, dytq::fold_alpha_into_lut(known, entries), to, info, entries) : c.status();
}

dytq_status dytq_fold_alpha_into_function(const dytq_alpha_site* site, std::int32_t function, const dytq_qparams* in,
                                          const dytq_qparams* out, const dytq_lut_options* how,
                                          const dytq_output* folded, dytq_alpha_fold* info, dytq_rejection* why) {
  call c(why);
  c.check_output(info, false);
  const dytq::alpha_site known = site_of(c, site);
  const dytq::qparams from = qparams_of(c, in);
  const dytq::qparams to = qparams_of(c, out);
  const dytq::lut_options options = options_of(c, how);
  const auto entries = c.view<std::int8_t, 1>(folded, dytq::place::output);
  if (!c.ok()) {
    return c.status();
  }
  return store_fold(c, fold_alpha_into_lut(function, parameter_of(c, how), known, from, to, options), entries, info);
}

dytq_status dytq_lut_error(std::int32_t function, const dytq_qparams* in, const dytq_qparams* out,
                           const dytq_lut_options* how, const dytq_view* table, std::int32_t shift,
                           std::int64_t* largest, std::int64_t* code, dytq_rejection* why) {
  call c(why);
  c.check_output(largest);
  c.check_output(code);
  const table_of_function known(c, function, in, out, how);
  const dytq_view given = c.value(table);
  if (given.type != DYTQ_INT16) {
    const auto entries = c.view<std::int8_t, 1>(given, dytq::place::table);
    if (!c.ok()) {
      return c.status();
    }
    if (const dytq::verdict v = dytq::validate(entries, dytq::place::table); !v) {
      return c.answer(v);
    }
    if (entries.extent(0) != 256) {
      return c.refuse(
          DYTQ_REJECTED,
          {.why = dytq::reason::table_size, .at = dytq::place::table, .expected = 256, .got = entries.extent(0)});
    }
    dytq::table8 known_entries{};
    read_entries(entries, known_entries);
    return report(c, rounding_error(function, known.own, known.in, known.out, known_entries, known.how), largest, code);
  }
  const auto entries = c.view<std::int16_t, 1>(given, dytq::place::table);
  if (!c.ok()) {
    return c.status();
  }
  if (const dytq::verdict v = dytq::validate(entries, dytq::place::table); !v) {
    return c.answer(v);
  }
  switch (entries.extent(0)) {
    case 513: return report(c, error_of<128>(known, entries, shift), largest, code);
    case 1025: return report(c, error_of<64>(known, entries, shift), largest, code);
    case 2049: return report(c, error_of<32>(known, entries, shift), largest, code);
    default:
      return c.refuse(
          DYTQ_REJECTED,
          {.why = dytq::reason::table_size, .at = dytq::place::table, .expected = 513, .got = entries.extent(0)});
  }
}

dytq_status dytq_tflite_lut_error(std::int32_t function, const dytq_qparams* in, const dytq_qparams* out,
                                  const dytq_lut_options* how, const dytq_view* table, std::int64_t* largest,
                                  std::int64_t* code, dytq_rejection* why) {
  call c(why);
  c.check_output(largest);
  c.check_output(code);
  const table_of_function known(c, function, in, out, how);
  const auto entries = c.view<std::int16_t, 1>(table, dytq::place::table);
  if (!c.ok()) {
    return c.status();
  }
  if (const dytq::verdict v = dytq::validate(entries, dytq::place::table); !v) {
    return c.answer(v);
  }
  if (entries.extent(0) != 513) {
    return c.refuse(
        DYTQ_REJECTED,
        {.why = dytq::reason::table_size, .at = dytq::place::table, .expected = 513, .got = entries.extent(0)});
  }
  dytq::tflite_table16 known_entries{};
  read_entries(entries, known_entries.entries);
  return report(c, interpolation_error(function, known.own, known.in, known.out, known_entries, known.how), largest,
                code);
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
  const auto made = make_tflite_lut16(function, own, in_scale, in_zero_point, out_scale, options.arithmetic);
  return c.store(made ? dytq::result<dytq::table16>(made->entries) : dytq::result<dytq::table16>(made.error()),
                 entries);
}
