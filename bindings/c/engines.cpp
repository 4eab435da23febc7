// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What inference engines compute.
#include <dytq/engine.hpp>

#include "convert.hpp"

using namespace dytq_c;

namespace {

constexpr auto no_engine = dytq::reason::unknown_dialect;

}  // namespace

dytq_status dytq_engine_arithmetic(std::int32_t engine, std::int32_t kernel, std::int32_t* product,
                                   std::int32_t* dialect, std::int32_t* rounding, dytq_rejection* why) {
  call c(why);
  c.check_output(product);
  c.check_output(dialect);
  c.check_output(rounding);
  const auto whose = c.enumerator<dytq::engine>(engine, no_engine);
  const auto op = c.enumerator<dytq::engine_operator>(kernel, no_engine);
  if (!c.ok()) {
    return c.status();
  }
  const auto how = dytq::arithmetic_of(whose, op);
  if (how) {
    *product = to_c(how->product);
    *dialect = to_c(how->dialect);
    *rounding = to_c(how->rounding);
  }
  return c.answer(how);
}

dytq_status dytq_effective_scale(std::int32_t product, double a, double b, double out, double* scale,
                                 dytq_rejection* why) {
  call c(why);
  c.check_output(scale);
  const auto order = c.enumerator<dytq::scale_product>(product, no_engine);
  if (!c.ok()) {
    return c.status();
  }
  const auto made = dytq::effective_scale(order, a, b, out);
  if (made) {
    *scale = *made;
  }
  return c.answer(made);
}

dytq_status dytq_requantization(std::int32_t engine, std::int32_t kernel, double input_scale, double weight_scale,
                                const dytq_qparams* output, dytq_rescale* step, dytq_rejection* why) {
  call c(why);
  c.check_output(step);
  const auto whose = c.enumerator<dytq::engine>(engine, no_engine);
  const auto op = c.enumerator<dytq::engine_operator>(kernel, no_engine);
  const dytq::qparams to = qparams_of(c, output);
  if (!c.ok()) {
    return c.status();
  }
  const auto made = dytq::requantization(whose, op, input_scale, weight_scale, to);
  if (made) {
    *step = rescale_to_c(*made);
  }
  return c.answer(made);
}

dytq_status dytq_addition(std::int32_t engine, const dytq_qparams* a, const dytq_qparams* b, const dytq_qparams* output,
                          dytq_rescale* steps, dytq_rejection* why) {
  call c(why);
  c.check_output(steps);
  const auto whose = c.enumerator<dytq::engine>(engine, no_engine);
  const dytq::qparams first = qparams_of(c, a);
  const dytq::qparams second = qparams_of(c, b);
  const dytq::qparams to = qparams_of(c, output);
  if (!c.ok()) {
    return c.status();
  }
  const auto made = dytq::addition(whose, first, second, to);
  if (made) {
    steps[0] = rescale_to_c(made->a);
    steps[1] = rescale_to_c(made->b);
    steps[2] = rescale_to_c(made->out);
  }
  return c.answer(made);
}

dytq_status dytq_average_pool(std::int64_t taps, const dytq_range* out, dytq_rescale* step, dytq_rejection* why) {
  call c(why);
  c.check_output(step);
  if (!c.ok()) {
    return c.status();
  }
  const auto made = dytq::average_pool(taps, out == nullptr ? dytq::int8_range : range(*out, dytq::int8_range));
  if (made) {
    *step = rescale_to_c(*made);
  }
  return c.answer(made);
}

dytq_status dytq_activation_range(std::int32_t activation, const dytq_qparams* output, dytq_range* codes,
                                  dytq_rejection* why) {
  call c(why);
  c.check_output(codes);
  const auto kind = c.enumerator<dytq::fused_activation>(activation, dytq::reason::unknown_type);
  const dytq::qparams to = qparams_of(c, output);
  if (!c.ok()) {
    return c.status();
  }
  const auto made = dytq::activation_range(kind, to);
  if (made) {
    *codes = range_to_c(*made);
  }
  return c.answer(made);
}
