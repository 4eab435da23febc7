// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds within a bound, into what follows and into what comes before; and the judge.
#include <dytq/check_fold.hpp>
#include <dytq/fold_bounded.hpp>

#include "convolutions.hpp"

using namespace dytq_c;

namespace {

// The workspace ends with the bounds as the library has them; 32-bit x86 pads them less than others.
constexpr std::int64_t numbers_of_bounds =
    (sizeof(dytq::channel_bound) + sizeof(std::int64_t) - 1) / sizeof(std::int64_t);
static_assert(alignof(dytq::channel_bound) <= alignof(std::int64_t));

dytq::conv_rescale rescale_of(call& c, const dytq_view& multiplier, const dytq_view& shift) {
  return {.multiplier = c.view<std::int32_t, 1>(multiplier, dytq::place::output),
          .shift = c.view<std::int32_t, 1>(shift, dytq::place::output)};
}

/// Is it [N, 2], contiguous?
template <class T>
bool are_pairs(const dytq::view<T, 2>& v) {
  return v.extent(1) == 2 && v.strides[1] == 1 && (v.strides[0] == 2 || v.extent(0) <= 1);
}

/// `asks`: is there such a fold? Of the outputs only the workspace and the bounds are then there.
dytq_status bounded(call& c, const dytq_affine_site* site, const dytq_conv* conv, const dytq_view* multiplier,
                    const dytq_view* shift, std::int64_t tolerance, const dytq_view* histogram,
                    const dytq_bounded_outputs& to, bool asks, dytq_bounded_fold* fold) {
  c.check_output(fold);
  held_site held;
  held.read(c, site);
  const dytq_conv given = c.read(conv);
  const dytq::convolution known = conv_of(c, given);
  const dytq::conv_rescale requantize = rescale_of(c, c.value(multiplier), c.value(shift));
  const auto histograms = c.optional_view<std::uint32_t, 2>(histogram, dytq::place::domain);
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
  using dytq::place;
  if (const dytq::verdict v = dytq::detail::validate_arguments(
          {bounds.occupies(place::output), workspace.occupies(place::workspace), into.weight.occupies(place::weight),
           into.bias.occupies(place::bias), into.multiplier.occupies(place::output),
           into.shift.occupies(place::output)},
          {known.weight.occupies(), known.weight_zp.occupies(), known.bias.occupies(), requantize.multiplier.occupies(),
           requantize.shift.occupies(), histograms.occupies(), held.site.table.occupies(), held.site.gamma.occupies(),
           held.site.beta.occupies()});
      !v) {
    return c.answer(v);
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
  const auto done =
      asks ? dytq::prove_bounded_fold(held.site, known, requantize, tolerance, into.workspace, into.bounds, histograms)
           : dytq::fold_bounded(held.site, known, requantize, tolerance, into, histograms);
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

/// `asks`: is there such a fold? Of the outputs only the differences are then there, or not even they.
dytq_status producer(call& c, const dytq_chain* chain, const dytq_conv* conv, const dytq_view* multiplier,
                     const dytq_view* shift, std::int32_t output_zp, std::int64_t tolerance,
                     const dytq_view* accumulators, const dytq_producer_outputs& to, bool asks,
                     dytq_producer_fold* fold) {
  c.check_output(fold);
  held_chain held;
  held.read(c, chain);
  const dytq::convolution known = conv_of(c, c.read(conv));
  const dytq::conv_rescale requantize = rescale_of(c, c.value(multiplier), c.value(shift));
  const auto pairs = c.optional_view<std::int64_t, 2>(accumulators, dytq::place::domain);
  const dytq::producer_outputs into{.bias = c.view<std::int32_t, 1>(to.bias, dytq::place::bias),
                                    .multiplier = c.view<std::int32_t, 1>(to.multiplier, dytq::place::output),
                                    .shift = c.view<std::int32_t, 1>(to.shift, dytq::place::output),
                                    .differences = c.view<std::int32_t, 1>(to.differences, dytq::place::output)};
  if (!c.ok()) {
    return c.status();
  }
  if (!pairs.absent() && !are_pairs(pairs)) {
    return c.refuse(DYTQ_BAD_VIEW, {.at = dytq::place::domain, .expected = 2, .got = pairs.extent(1)});
  }
  static_assert(sizeof(dytq::code_range) == 2 * sizeof(std::int64_t));
  const auto* const ranges = reinterpret_cast<const dytq::code_range*>(pairs.data);
  const auto given = pairs.absent() ? dytq::view<const dytq::code_range>{}
                                    : dytq::view<const dytq::code_range>(ranges, {pairs.extent(0)});
  const auto done =
      asks ? dytq::prove_producer_fold(held.chain, known, requantize, output_zp, tolerance, into.differences, given)
           : dytq::fold_into_producer(held.chain, known, requantize, output_zp, tolerance, into, given);
  return c.answer(done, fold, [](const dytq::producer_fold& made) {
    return dytq_producer_fold{.size = 0,
                              .bound = made.bound,
                              .output_zp = made.output_zp,
                              .assumes_accumulators = made.assumes_accumulators ? 1 : 0};
  });
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
  return bounded(c, site, conv, multiplier, shift, tolerance, histogram, c.read(outputs), false, fold);
}

dytq_status dytq_prove_bounded_fold(const dytq_affine_site* site, const dytq_conv* conv, const dytq_view* multiplier,
                                    const dytq_view* shift, std::int64_t tolerance, const dytq_view* histogram,
                                    const dytq_output* workspace, const dytq_output* bounds, dytq_bounded_fold* fold,
                                    dytq_rejection* why) {
  call c(why);
  dytq_bounded_outputs to{};
  to.workspace = c.value(workspace);
  to.bounds = bounds == nullptr ? dytq_output{} : *bounds;
  return bounded(c, site, conv, multiplier, shift, tolerance, histogram, to, true, fold);
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
  const auto bounds = c.view<std::int64_t, 2>(asked.bounds, dytq::place::output);
  if (!c.ok()) {
    return c.status();
  }
  using dytq::place;
  if (const auto v = dytq::detail::validate_arguments(
          {bounds.occupies(place::output)},
          {known.weight.occupies(), known.weight_zp.occupies(), known.bias.occupies(), requantize.multiplier.occupies(),
           requantize.shift.occupies(), claimed.weight.occupies(), claimed.bias.occupies(),
           claimed.requantize.multiplier.occupies(), claimed.requantize.shift.occupies(), held.site.table.occupies()});
      !v) {
    return c.answer(v);
  }
  if (!bounds.absent() && !are_pairs(bounds)) {
    return c.refuse(DYTQ_BAD_VIEW, {.at = place::output, .expected = 2, .got = bounds.extent(1)});
  }
  // A pair has room for what the library writes in its place.
  static_assert(sizeof(dytq::code_bound) <= 2 * sizeof(std::int64_t));
  auto* const each = reinterpret_cast<dytq::code_bound*>(bounds.data);
  const auto found = dytq::check_bounded(
      held.site, known, requantize, claimed,
      bounds.absent() ? dytq::view<dytq::code_bound>{} : dytq::view<dytq::code_bound>(each, {bounds.extent(0)}));
  if (found) {
    for (std::int64_t o = bounds.extent(0) - 1; o >= 0; --o) {  // the pairs may be longer: the last first
      const dytq::code_bound one = each[o];
      bounds.data[2 * o] = one.numerator;
      bounds.data[2 * o + 1] = one.shift;
    }
    bound[0] = found->numerator;
    bound[1] = found->shift;
  }
  return c.answer(found);
}

dytq_status dytq_fold_into_producer(const dytq_chain* chain, const dytq_conv* conv, const dytq_view* multiplier,
                                    const dytq_view* shift, std::int32_t output_zp, std::int64_t tolerance,
                                    const dytq_view* accumulators, const dytq_producer_outputs* outputs,
                                    dytq_producer_fold* fold, dytq_rejection* why) {
  call c(why);
  return producer(c, chain, conv, multiplier, shift, output_zp, tolerance, accumulators, c.read(outputs), false, fold);
}

dytq_status dytq_prove_producer_fold(const dytq_chain* chain, const dytq_conv* conv, const dytq_view* multiplier,
                                     const dytq_view* shift, std::int32_t output_zp, std::int64_t tolerance,
                                     const dytq_view* accumulators, const dytq_output* differences,
                                     dytq_producer_fold* fold, dytq_rejection* why) {
  call c(why);
  dytq_producer_outputs to{};
  to.differences = differences == nullptr ? dytq_output{} : *differences;
  return producer(c, chain, conv, multiplier, shift, output_zp, tolerance, accumulators, to, true, fold);
}
