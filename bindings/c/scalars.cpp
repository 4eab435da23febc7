// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scales, the integer operators, and the fit of a RESCALE.
#include <dytq/fit_line.hpp>
#include <dytq/fit_rescale.hpp>
#include <dytq/rescale.hpp>
#include <dytq/scale.hpp>

#include "convert.hpp"

using namespace dytq_c;

namespace {

/// A result for one pointer.
template <class T, class Out>
dytq_status give(call& c, const dytq::result<T>& r, Out* out) {
  if (c.ok() && r) {
    *out = *r;
  }
  return c.ok() ? c.answer(r) : c.status();
}

dytq::rescale_operator operator_of(call& c, const dytq_rescale_operator* given) {
  const dytq_rescale_operator op = c.read(given);
  if (op.reserved != 0) {
    c.refuse(DYTQ_UNKNOWN_FIELD);
  }
  return {.in = from_c<dytq::code_type>(op.in),
          .out = from_c<dytq::code_type>(op.out),
          .input_zp = op.input_zp,
          .output_zp = op.output_zp,
          .scale32 = op.scale16 == 0,
          .rounding = from_c<dytq::rounding_mode>(op.rounding),
          .per_channel = op.per_channel != 0};
}

}  // namespace

dytq_status dytq_quantize_scale(double scale, std::int32_t width, std::int32_t dialect, std::int64_t* multiplier,
                                std::int32_t* shift, dytq_rejection* why) {
  call c(why);
  c.check_output(multiplier);
  c.check_output(shift);
  const auto convention = c.enumerator<dytq::scale_dialect>(dialect, dytq::reason::unknown_dialect);
  if (!c.ok()) {
    return c.status();
  }
  const auto bits = width == 16   ? dytq::multiplier_width::bits16
                    : width == 32 ? dytq::multiplier_width::bits32
                                  : dytq::multiplier_width{};
  const auto s = dytq::quantize_scale_wide(scale, bits, convention);
  if (s) {
    *multiplier = s->multiplier;
    *shift = s->shift;
  }
  return c.answer(s);
}

dytq_status dytq_scale_fits(std::int32_t target, double scale, dytq_rejection* why) {
  call c(why);
  const auto of = c.enumerator<dytq::scale_target>(target, dytq::reason::unknown_dialect);
  return c.ok() ? c.answer(dytq::fits_target(of, scale)) : c.status();
}

dytq_status dytq_multiplier_fits(std::int32_t target, std::int64_t multiplier, std::int32_t shift,
                                 dytq_rejection* why) {
  call c(why);
  const auto of = c.enumerator<dytq::scale_target>(target, dytq::reason::unknown_dialect);
  return c.ok() ? c.answer(dytq::fits_target(of, dytq::wide_multiplier_shift{multiplier, shift})) : c.status();
}

dytq_status dytq_apply_step(const dytq_rescale* step, std::int64_t value, std::int32_t* result, dytq_rejection* why) {
  call c(why);
  c.check_output(result);
  const dytq::rescale r = c.rescale(c.value(step));
  return c.ok() ? give(c, dytq::apply(r, value), result) : c.status();
}

dytq_status dytq_step_tensor(const dytq_rescale* step, const dytq_view* input, const dytq_output* output,
                             dytq_rejection* why) {
  call c(why);
  const dytq::rescale r = c.rescale(c.value(step));
  const dytq_view in = c.value(input);
  const dytq_output out = c.value(output);
  if (c.ok() && in.rank != out.rank) {
    return c.refuse(DYTQ_BAD_VIEW, {.at = dytq::place::output, .expected = in.rank, .got = out.rank});
  }
  return with_type(in.type, [&](auto from) {
    return with_type(out.type, [&](auto to) {
      const auto source = c.view_of_any_rank<decltype(from)>(in, dytq::place::input);
      const auto sink = c.view_of_any_rank<decltype(to)>(out, dytq::place::output);
      return c.ok() ? c.answer(dytq::apply(dytq::view<const dytq::rescale>(&r, {1}), source, sink)) : c.status();
    });
  });
}

dytq_status dytq_apply_rescale(const dytq_rescale_operator* op, std::int64_t value, std::int64_t multiplier,
                               std::int64_t shift, std::int32_t* result, dytq_rejection* why) {
  call c(why);
  c.check_output(result);
  const dytq::rescale_operator known = operator_of(c, op);
  return c.ok() ? give(c, dytq::apply(known, value, multiplier, shift), result) : c.status();
}

dytq_status dytq_rescale_tensor(const dytq_rescale_operator* op, const dytq_view* input, const dytq_view* multiplier,
                                const dytq_view* shift, const dytq_output* output, dytq_rejection* why) {
  call c(why);
  const dytq::rescale_operator known = operator_of(c, op);
  const dytq_view in = c.value(input);
  const dytq_output out = c.value(output);
  const auto m = c.view<std::int32_t, 1>(multiplier, dytq::place::none);
  const auto s = c.view<std::int32_t, 1>(shift, dytq::place::none);
  if (c.ok() && in.rank != out.rank) {
    return c.refuse(DYTQ_BAD_VIEW, {.at = dytq::place::output, .expected = in.rank, .got = out.rank});
  }
  return with_type(in.type, [&](auto from) {
    return with_type(out.type, [&](auto to) {
      const auto source = c.view_of_any_rank<decltype(from)>(in, dytq::place::input);
      const auto sink = c.view_of_any_rank<decltype(to)>(out, dytq::place::output);
      return c.ok() ? c.answer(dytq::apply(known, source, m, s, sink)) : c.status();
    });
  });
}

dytq_status dytq_mul_int32(std::int32_t a, std::int32_t b, std::int32_t shift, std::int32_t* result,
                           dytq_rejection* why) {
  call c(why);
  c.check_output(result);
  return c.ok() ? give(c, dytq::mul_int32(a, b, shift), result) : c.status();
}

dytq_status dytq_add_int32(std::int32_t a, std::int32_t b, std::int32_t* result, dytq_rejection* why) {
  call c(why);
  c.check_output(result);
  return c.ok() ? give(c, dytq::add_int32(a, b), result) : c.status();
}

dytq_status dytq_fit_rescale(const dytq_view* codes, const dytq_view* values, const dytq_rescale_search* search,
                             std::int32_t* multiplier, std::int32_t* shift, dytq_rejection* why) {
  call c(why);
  c.check_output(multiplier);
  c.check_output(shift);
  const dytq_view xs = c.value(codes);
  const dytq_view ys = c.value(values);
  const dytq_rescale_search asked = c.read(search, false);
  const auto rounding = from_c<dytq::rounding_mode>(asked.rounding);
  const dytq::rescale_search known{
      .out = range(asked.out, dytq::int8_range),
      .input_zp = asked.input_zp,
      .output_zp = asked.output_zp,
      .rounding = rounding,
      .multiplier_max = range(asked.multipliers, {0, dytq::int32_range.hi}).hi,
      .shifts = range(asked.shifts, {rounding >= dytq::rounding_mode::tflite_single ? 1 : 2, 62})};
  return with_type(xs.type, [&](auto code) {
    const auto x = c.view<decltype(code), 1>(xs, dytq::place::input);
    const auto y = c.view<decltype(code), 1>(ys, dytq::place::output);
    if (!c.ok()) {
      return c.status();
    }
    const auto fit = dytq::fit_rescale(x, y, known);
    if (fit) {
      *multiplier = fit->multiplier;
      *shift = fit->shift;
    }
    return c.answer(fit);
  });
}

namespace {

/// f(codes, values, search) of the type of the codes.
template <class F>
dytq_status with_line(call& c, const dytq_view* codes, const dytq_view* values, const dytq_line_search* search, F f) {
  const dytq_view xs = c.value(codes);
  const dytq_view ys = c.value(values);
  const dytq_line_search asked = c.read(search, false);
  if (asked.reserved != 0) {
    c.refuse(DYTQ_UNKNOWN_FIELD);
  }
  const dytq::line_search known{.out = range(asked.out, dytq::int8_range),
                                .input_zp = asked.input_zp,
                                .output_zp = asked.output_zp,
                                .rounding = from_c<dytq::rounding_mode>(asked.rounding),
                                .weights = range(asked.weights, {-127, 127}),
                                .tolerance = asked.tolerance};
  return with_type(xs.type, [&](auto code) {
    const auto x = c.view<decltype(code), 1>(xs, dytq::place::input);
    const auto y = c.view<decltype(code), 1>(ys, dytq::place::output);
    return c.ok() ? f(x, y, known) : c.status();
  });
}

}  // namespace

dytq_status dytq_fit_line(const dytq_view* codes, const dytq_view* values, const dytq_line_search* search,
                          dytq_line* line, dytq_rejection* why) {
  call c(why);
  c.check_output(line);
  return with_line(c, codes, values, search, [&](const auto& x, const auto& y, const dytq::line_search& known) {
    const auto fit = dytq::fit_line(x, y, known);
    if (fit) {
      write(line, dytq_line{.size = 0,
                            .weight = fit->weight,
                            .bias = fit->bias,
                            .multiplier = fit->multiplier,
                            .shift = fit->shift,
                            .max_difference = fit->max_difference,
                            .differ = fit->differ});
    }
    return c.answer(fit);
  });
}

dytq_status dytq_find_line_conflict(const dytq_view* codes, const dytq_view* values, const dytq_line_search* search,
                                    dytq_line_conflict* conflict, dytq_rejection* why) {
  call c(why);
  c.check_output(conflict);
  return with_line(c, codes, values, search, [&](const auto& x, const auto& y, const dytq::line_search& known) {
    const auto found = dytq::find_line_conflict(x, y, known);
    if (found) {
      write(conflict, dytq_line_conflict{.size = 0,
                                         .exists = found->exists ? 1 : 0,
                                         .codes = {found->codes[0], found->codes[1], found->codes[2]},
                                         .expected = found->expected,
                                         .got = found->got});
    }
    return c.answer(found);
  });
}
