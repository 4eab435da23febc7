// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gamma and beta into convolutions, the judge, and the other exact forms of a site.
#include <dytq/check_fold.hpp>
#include <dytq/conv.hpp>
#include <dytq/fold.hpp>
#include <dytq/lookup.hpp>
#include <dytq/layer.hpp>

#include "convolutions.hpp"

using namespace dytq_c;

namespace {

// Without outputs a fold is only asked whether it exists.
bool asks(const dytq::fold_outputs& to) { return to.weight.absent() && to.bias.absent(); }

/// f(site, convolution, outputs), whose fold is written to `fold`.
template <class F>
dytq_status fold_one(const dytq_affine_site* site, const dytq_conv* conv, const dytq_fold_outputs* outputs,
                     dytq_fold* fold, dytq_rejection* why, F f) {
  call c(why);
  c.check_output(fold);
  held_site held;
  held.read(c, site);
  const dytq::affine_site& known = held.site;
  const dytq_conv given = c.read(conv);
  const dytq::convolution reader = conv_of(c, given);
  const dytq::fold_outputs to = outputs_of(c, c.read(outputs), given.layout);
  if (!c.ok()) {
    return c.status();
  }
  const dytq::result<dytq::affine_fold> done = f(known, reader, to);
  if (done) {
    write(fold, fold_to_c(*done));
  }
  return c.answer(done);
}

dytq::layer_site layer_of(call& c, const dytq_layer* given, held_site& held) {
  const dytq_layer l = c.read(given);
  held.read(c, l.affine);
  return {.affine = held.site,
          .alpha = c.view<std::int8_t, 1>(l.alpha, dytq::place::alpha),
          .alpha_steps = {.activation = c.rescale(l.activation),
                          .alpha = c.rescale(l.alpha_step),
                          .mul_out = c.rescale(l.mul_out, dytq::int8_range)},
          .channels = l.channels,
          .domain = range(l.domain, dytq::int8_range),
          .function_in = range(l.function_in, dytq::int8_range)};
}

constexpr std::int64_t most_convolutions = 32;

}  // namespace

dytq_status dytq_fold_affine(const dytq_affine_site* site, const dytq_conv* conv, const dytq_fold_outputs* outputs,
                             dytq_fold* fold, dytq_rejection* why) {
  return fold_one(site, conv, outputs, fold, why, [](const auto& s, const auto& reader, const auto& to) {
    return asks(to) ? dytq::prove_affine_fold(s, reader, to.workspace) : dytq::fold_affine_into_conv(s, reader, to);
  });
}

dytq_status dytq_fold_beta(const dytq_affine_site* site, const dytq_conv* conv, const dytq_fold_outputs* outputs,
                           dytq_fold* fold, dytq_rejection* why) {
  return fold_one(site, conv, outputs, fold, why, [](const auto& s, const auto& reader, const auto& to) {
    return asks(to) ? dytq::prove_beta_fold(s, reader, to.workspace) : dytq::fold_beta_into_conv(s, reader, to);
  });
}

dytq_status dytq_fold_affine_convs(const dytq_affine_site* site, std::int64_t count, const dytq_conv* const* convs,
                                   const dytq_fold_outputs* const* outputs, dytq_fold* const* folds,
                                   dytq_rejection* why) {
  call c(why);
  held_site held;
  held.read(c, site);
  const dytq::affine_site& known = held.site;
  if (count < 0 || count > most_convolutions) {
    c.refuse(
        DYTQ_REJECTED,
        {.why = dytq::reason::size_mismatch, .at = dytq::place::output, .expected = most_convolutions, .got = count});
  }
  if (count > 0 && (convs == nullptr || outputs == nullptr || folds == nullptr)) {
    c.refuse(DYTQ_NULL_ARGUMENT);
  }
  std::array<dytq::convolution, most_convolutions> readers;
  std::array<dytq::fold_outputs, most_convolutions> to;
  std::array<dytq::affine_fold, most_convolutions> done;
  for (std::int64_t i = 0; i < count && c.ok(); ++i) {
    const dytq_conv given = c.read(convs[i]);
    const auto at = static_cast<std::size_t>(i);
    readers[at] = conv_of(c, given);
    to[at] = outputs_of(c, c.read(outputs[i]), given.layout);
    c.check_output(folds[i]);
  }
  if (!c.ok()) {
    return c.status();
  }
  const dytq::verdict all = dytq::fold_affine_into_convs(
      known, dytq::view<const dytq::convolution>(readers.data(), {count}),
      dytq::view<const dytq::fold_outputs>(to.data(), {count}), dytq::view<dytq::affine_fold>(done.data(), {count}));
  for (std::int64_t i = 0; i < count && all; ++i) {
    write(folds[i], fold_to_c(done[static_cast<std::size_t>(i)]));
  }
  return c.answer(all);
}

dytq_status dytq_fold_retabled(const dytq_affine_site* site, const dytq_conv* conv, const dytq_fold_outputs* outputs,
                               const dytq_output* table, dytq_fold* fold, dytq_rejection* why) {
  call c(why);
  c.check_output(fold);
  held_site held;
  held.read(c, site);
  const dytq::affine_site& known = held.site;
  const dytq_conv given = c.read(conv);
  const dytq::convolution reader = conv_of(c, given);
  const dytq::fold_outputs to = outputs_of(c, c.read(outputs), given.layout);
  const auto entries = c.view<std::int8_t, 1>(table, dytq::place::output);
  if (!c.ok()) {
    return c.status();
  }
  // The table is written after the weights, so whether it can be is asked before.
  for (const dytq::verdict& v :
       {dytq::validate_output(entries), dytq::validate_in_place(entries, known.table),
        dytq::validate_in_place(entries, known.gamma), dytq::validate_in_place(entries, known.beta),
        dytq::validate_in_place(entries, reader.weight), dytq::validate_in_place(entries, reader.bias),
        dytq::validate_in_place(entries, reader.weight_zp), dytq::validate_in_place(entries, to.weight),
        dytq::validate_in_place(entries, to.bias), dytq::validate_in_place(entries, to.workspace)}) {
    if (!v) {
      return c.answer(v);
    }
  }
  if (entries.extent(0) != 256) {
    return c.refuse(
        DYTQ_REJECTED,
        {.why = dytq::reason::table_size, .at = dytq::place::output, .expected = 256, .got = entries.extent(0)});
  }
  const auto done = asks(to) ? dytq::prove_table_and_conv_fold(known, reader, to.workspace)
                             : dytq::fold_affine_into_table_and_conv(known, reader, to);
  if (!done) {
    return c.answer(done);
  }
  write(fold, dytq_fold{.size = 0,
                        .weights_changed = done->weights_changed,
                        .bias_changed = done->bias_changed ? 1 : 0,
                        .input_zp = done->input_zp,
                        .first_code = 0,
                        .multiple = done->multiple});
  return c.store(dytq::result<dytq::table8>(done->table), entries);
}

dytq_status dytq_check_fold(const dytq_affine_site* site, const dytq_conv* conv, const dytq_claim* claim,
                            dytq_rejection* why) {
  call c(why);
  held_site held;
  held.read(c, site);
  const dytq::affine_site& known = held.site;
  const dytq_conv given = c.read(conv);
  const dytq::convolution reader = conv_of(c, given);
  const dytq_claim asked = c.read(claim);
  const dytq::claimed_fold claimed{.weight = weight_of<const std::int8_t>(c, asked.weight, given.layout),
                                   .bias = c.view<std::int32_t, 1>(asked.bias, dytq::place::bias),
                                   .input_zp = asked.input_zp,
                                   .table = c.view<std::int8_t, 1>(asked.table, dytq::place::table),
                                   .keeps_gamma = asked.keeps_gamma != 0};
  return c.ok() ? c.answer(dytq::check_fold(known, reader, claimed)) : c.status();
}

dytq_status dytq_convolve(const dytq_conv* conv, const dytq_view* input, const dytq_output* output,
                          dytq_rejection* why) {
  call c(why);
  const dytq::convolution known = conv_of(c, c.read(conv));
  const dytq_view x = c.value(input);
  const dytq_output y = c.value(output);
  if (x.rank == 5) {
    const auto from = c.view<std::int8_t, 5>(x, dytq::place::input);
    const auto to = c.view<std::int32_t, 5>(y, dytq::place::output);
    return c.ok() ? c.answer(dytq::evaluate(known, from, to)) : c.status();
  }
  const auto from = c.view<std::int8_t, 4>(x, dytq::place::input);
  const auto to = c.view<std::int32_t, 4>(y, dytq::place::output);
  return c.ok() ? c.answer(dytq::evaluate(known, dytq::from_nhwc(from), dytq::from_nhwc(to))) : c.status();
}

dytq_status dytq_is_identity(const dytq_affine_site* site, std::int32_t half, dytq_rejection* why) {
  call c(why);
  held_site held;
  held.read(c, site);
  if (dytq_name(DYTQ_NAMES_HALF, half) == nullptr) {
    c.refuse(DYTQ_REJECTED, {.why = dytq::reason::unknown_type, .got = half});
  }
  return c.ok() ? c.answer(dytq::is_identity(held.site, from_c<dytq::affine_half>(half))) : c.status();
}

dytq_status dytq_uniform_table(const dytq_affine_site* site, const dytq_output* table, dytq_rejection* why) {
  call c(why);
  held_site held;
  held.read(c, site);
  const dytq::affine_site& known = held.site;
  const auto entries = c.view<std::int8_t, 1>(table, dytq::place::output);
  return c.ok() ? c.store(dytq::fold_affine_into_table(known), entries, known.table, known.gamma, known.beta) : c.status();
}

dytq_status dytq_gamma_as_rescale(const dytq_affine_site* site, const dytq_output* multiplier, const dytq_output* shift,
                                  dytq_gamma_form* form, dytq_rejection* why) {
  call c(why);
  c.check_output(form);
  held_site held;
  held.read(c, site);
  const dytq::affine_site& known = held.site;
  const auto m = c.view<std::int32_t, 1>(multiplier, dytq::place::output);
  const auto s = c.view<std::int32_t, 1>(shift, dytq::place::output);
  if (!c.ok()) {
    return c.status();
  }
  const auto made = dytq::gamma_as_rescale(known, m, s);
  if (made) {
    write(form, dytq_gamma_form{.size = 0,
                                .input_zp = made->input_zp,
                                .output_zp = made->output_zp,
                                .rounding = to_c(made->rounding),
                                .weight_zp = 0,
                                .out_lo = static_cast<std::int32_t>(made->out.lo),
                                .out_hi = static_cast<std::int32_t>(made->out.hi)});
  }
  return c.answer(made);
}

dytq_status dytq_gamma_as_depthwise(const dytq_affine_site* site, const dytq_output* weight, dytq_gamma_form* form,
                                    dytq_rejection* why) {
  call c(why);
  c.check_output(form);
  held_site held;
  held.read(c, site);
  const dytq::affine_site& known = held.site;
  const auto w = c.view<std::int8_t, 1>(weight, dytq::place::output);
  if (!c.ok()) {
    return c.status();
  }
  const auto made = dytq::gamma_as_depthwise(known, w);
  if (made) {
    write(form, dytq_gamma_form{.size = 0,
                                .input_zp = made->input_zp,
                                .output_zp = 0,
                                .rounding = 0,
                                .weight_zp = made->weight_zp,
                                .out_lo = -128,
                                .out_hi = 127});
  }
  return c.answer(made);
}

dytq_status dytq_count_channel_tables(const dytq_layer* layer, std::int64_t* count, dytq_rejection* why) {
  call c(why);
  c.check_output(count);
  held_site held;
  const dytq::layer_site known = layer_of(c, layer, held);
  if (!c.ok()) {
    return c.status();
  }
  const auto counted = dytq::count_channel_tables(known);
  if (counted) {
    *count = *counted;
  }
  return c.answer(counted);
}

dytq_status dytq_channel_tables(const dytq_layer* layer, const dytq_output* index, const dytq_output* tables,
                                std::int64_t* count, dytq_rejection* why) {
  call c(why);
  c.check_output(count);
  held_site held;
  const dytq::layer_site known = layer_of(c, layer, held);
  const auto of_channel = c.view<std::int32_t, 1>(index, dytq::place::index);
  const auto entries = c.view<std::int8_t, 2>(tables, dytq::place::output);
  if (!c.ok()) {
    return c.status();
  }
  const auto made = dytq::make_channel_tables(known, of_channel, entries);
  if (made) {
    *count = *made;
  }
  return c.answer(made);
}

dytq_status dytq_channel_lookup(const dytq_view* input, const dytq_output* output, const dytq_view* index,
                                const dytq_view* tables, dytq_rejection* why) {
  call c(why);
  const auto from = c.view<std::int8_t, 3>(input, dytq::place::input);
  const auto to = c.view<std::int8_t, 3>(output, dytq::place::output);
  const auto of_channel = c.view<std::int32_t, 1>(index, dytq::place::index);
  const auto entries = c.view<std::int8_t, 2>(tables, dytq::place::table);
  return c.ok() ? c.answer(dytq::lookup_channels_nchw(from, to, of_channel, entries)) : c.status();
}
