// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds within a bound, and their judge.
#include <dytq/check_fold.hpp>
#include <dytq/fold_bounded.hpp>

#include "convolutions.hpp"

using namespace dytq_c;

namespace {

// The workspace ends with the bounds as the library has them.
constexpr std::int64_t numbers_of_bounds = sizeof(dytq::channel_bound) / sizeof(std::int64_t);
static_assert(sizeof(dytq::channel_bound) % sizeof(std::int64_t) == 0);
static_assert(alignof(dytq::channel_bound) <= alignof(std::int64_t));

dytq::conv_rescale rescale_of(call& c, const dytq_view& multiplier, const dytq_view& shift) {
  return {.multiplier = c.view<std::int32_t, 1>(multiplier, dytq::place::output),
          .shift = c.view<std::int32_t, 1>(shift, dytq::place::output)};
}

}  // namespace

dytq_status dytq_bounded_workspace(const dytq_conv* conv, std::int64_t* count, dytq_rejection* why) {
  call c(why);
  c.check_output(count);
  const dytq::convolution known = conv_of(c, c.read(conv));
  if (!c.ok()) {
    return c.status();
  }
  const auto geometry = dytq::validate(known);
  if (geometry) {
    *count = dytq::bounded_workspace(known) + known.output_channels() * numbers_of_bounds;
  }
  return c.answer(geometry);
}

dytq_status dytq_fold_bounded(const dytq_affine_site* site, const dytq_conv* conv, const dytq_view* multiplier,
                              const dytq_view* shift, std::int64_t tolerance, const dytq_view* histogram,
                              const dytq_bounded_outputs* outputs, dytq_bounded_fold* fold, dytq_rejection* why) {
  call c(why);
  c.check_output(fold);
  held_site held;
  held.read(c, site);
  const dytq_conv given = c.read(conv);
  const dytq::convolution known = conv_of(c, given);
  const dytq::conv_rescale requantize = rescale_of(c, c.value(multiplier), c.value(shift));
  const dytq_bounded_outputs to = c.read(outputs);
  const auto histograms = histogram == nullptr ? dytq::view<const std::uint32_t, 2>{}
                                               : c.view<std::uint32_t, 2>(*histogram, dytq::place::domain);
  const auto bounds = c.view<std::int64_t, 2>(to.bounds, dytq::place::output);
  const auto workspace = c.view<std::int64_t, 1>(to.workspace, dytq::place::workspace);
  dytq::bounded_outputs into{.weight = weight_of<std::int8_t>(c, to.weight, given.layout),
                             .bias = c.view<std::int32_t, 1>(to.bias, dytq::place::bias),
                             .multiplier = c.view<std::int32_t, 1>(to.multiplier, dytq::place::output),
                             .shift = c.view<std::int32_t, 1>(to.shift, dytq::place::output),
                             .workspace = workspace};
  if (!c.ok()) {
    return c.status();
  }
  if (const auto geometry = dytq::validate(known); !geometry) {
    return c.answer(geometry);
  }
  const std::int64_t own = known.output_channels() * numbers_of_bounds;
  const std::int64_t needed = dytq::bounded_workspace(known) + own;
  if (workspace.extent(0) != needed || workspace.strides[0] != 1) {
    return c.refuse(DYTQ_REJECTED, {.why = dytq::reason::size_mismatch,
                                    .at = dytq::place::workspace,
                                    .expected = needed,
                                    .got = workspace.extent(0)});
  }
  for (const dytq::verdict& v :
       {dytq::validate_output(workspace, dytq::place::workspace), dytq::validate_output(bounds, dytq::place::output),
        dytq::validate_in_place(bounds, workspace), dytq::validate_in_place(bounds, into.weight),
        dytq::validate_in_place(bounds, into.bias), dytq::validate_in_place(bounds, into.multiplier),
        dytq::validate_in_place(bounds, into.shift), dytq::validate_in_place(bounds, known.weight),
        dytq::validate_in_place(bounds, known.bias), dytq::validate_in_place(bounds, held.site.table)}) {
    if (!v) {
      return c.answer(v);
    }
  }
  if (!bounds.absent() && (bounds.extent(0) != known.output_channels() || bounds.extent(1) != 6)) {
    return c.refuse(DYTQ_REJECTED, {.why = dytq::reason::size_mismatch,
                                    .at = dytq::place::output,
                                    .expected = known.output_channels(),
                                    .got = bounds.extent(0)});
  }
  into.workspace.extents[0] = needed - own;
  auto* const found = reinterpret_cast<dytq::channel_bound*>(workspace.data + (needed - own));
  into.bounds = {found, {known.output_channels()}};
  const auto done = dytq::fold_bounded(held.site, known, requantize, tolerance, into, histograms);
  if (!done) {
    return c.answer(done);
  }
  for (std::int64_t o = 0; o < bounds.extent(0); ++o) {
    std::int64_t i = 0;
    for (const dytq::code_bound& b : {found[o].bound, found[o].lower_bound, found[o].root_mean_square}) {
      bounds.data[bounds.offset({o, i++})] = b.numerator;
      bounds.data[bounds.offset({o, i++})] = b.shift;
    }
  }
  write(fold, dytq_bounded_fold{.size = 0,
                                .bound = {done->bound.numerator, done->bound.shift},
                                .lower_bound = {done->lower_bound.numerator, done->lower_bound.shift},
                                .input_zp = done->input_zp,
                                .exact = done->exact() ? 1 : 0});
  return c.status();
}

dytq_status dytq_check_bounded(const dytq_affine_site* site, const dytq_conv* conv, const dytq_view* multiplier,
                               const dytq_view* shift, const dytq_bounded_claim* claim, std::int64_t* bound,
                               dytq_rejection* why) {
  call c(why);
  c.check_output(bound);
  held_site held;
  held.read(c, site);
  const dytq_conv given = c.read(conv);
  const dytq::convolution known = conv_of(c, given);
  const dytq::conv_rescale requantize = rescale_of(c, c.value(multiplier), c.value(shift));
  const dytq_bounded_claim asked = c.read(claim);
  if (asked.reserved != 0) {
    c.refuse(DYTQ_UNKNOWN_FIELD);
  }
  const dytq::claimed_bounded_fold claimed{.weight = weight_of<const std::int8_t>(c, asked.weight, given.layout),
                                           .bias = c.view<std::int32_t, 1>(asked.bias, dytq::place::bias),
                                           .input_zp = asked.input_zp,
                                           .requantize = rescale_of(c, asked.multiplier, asked.shift)};
  if (!c.ok()) {
    return c.status();
  }
  const auto found = dytq::check_bounded(held.site, known, requantize, claimed);
  if (found) {
    bound[0] = found->numerator;
    bound[1] = found->shift;
  }
  return c.answer(found);
}
