// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gamma and beta into convolutions, the judge, and the other exact forms of a site.
#include <dytq/check_fold.hpp>
#include <dytq/conv.hpp>
#include <dytq/fold.hpp>
#include <dytq/layer.hpp>
#include <dytq/lookup.hpp>

#include "convolutions.hpp"

using namespace dytq_c;

namespace {

/// A site, and the convolution that reads it.
class held_reader {
 public:
  held_reader(call& c, const dytq_affine_site* site, const dytq_conv* conv) {
    held_.read(c, site);
    const dytq_conv given = c.read(conv);
    layout_ = given.layout;
    conv_ = conv_of(c, given);
  }
  held_reader(const held_reader&) = delete;

  const dytq::affine_site& site() const { return held_.site; }
  const dytq::convolution& conv() const { return conv_; }
  std::int32_t layout() const { return layout_; }

 private:
  held_site held_;
  dytq::convolution conv_;
  std::int32_t layout_ = 0;
};

/// fold(site, convolution, outputs), whose answer is written to `answer`.
template <class F>
dytq_status fold_one(const dytq_affine_site* site, const dytq_conv* conv, const dytq_fold_outputs* outputs,
                     dytq_fold* answer, dytq_rejection* why, F fold) {
  call c(why);
  c.check_output(answer);
  const held_reader known(c, site, conv);
  const dytq::fold_outputs to = outputs_of(c, c.read(outputs), known.layout());
  return c.ok() ? c.answer(fold(known.site(), known.conv(), to), answer, fold_to_c) : c.status();
}

/// The same for a fold that is only asked whether it exists.
template <class F>
dytq_status prove_one(const dytq_affine_site* site, const dytq_conv* conv, const dytq_output* workspace,
                      dytq_fold* answer, dytq_rejection* why, F prove) {
  call c(why);
  c.check_output(answer);
  const held_reader known(c, site, conv);
  const auto lines = c.view<std::int16_t, 1>(workspace, dytq::place::workspace);
  return c.ok() ? c.answer(prove(known.site(), known.conv(), lines), answer, fold_to_c) : c.status();
}

/// A fold that also makes a TABLE, which goes to `table`. `asks`: there may be no such view, and `to` is a workspace.
dytq_status fold_with_table(call& c, const held_reader& known, const dytq::fold_outputs& to,
                            const dytq::view<std::int8_t>& table, bool asks, dytq_table_and_conv_fold* answer) {
  if (!c.ok()) {
    return c.status();
  }
  // The table is written after the weights, so whether it can be is asked before.
  const dytq::affine_site& site = known.site();
  const dytq::convolution& conv = known.conv();
  for (const dytq::verdict& v :
       {dytq::validate_output(table), dytq::validate_in_place(table, site.table),
        dytq::validate_in_place(table, site.gamma), dytq::validate_in_place(table, site.beta),
        dytq::validate_in_place(table, conv.weight), dytq::validate_in_place(table, conv.bias),
        dytq::validate_in_place(table, conv.weight_zp), dytq::validate_in_place(table, to.weight),
        dytq::validate_in_place(table, to.bias), dytq::validate_in_place(table, to.workspace)}) {
    if (!v) {
      return c.answer(v);
    }
  }
  const bool wanted = !asks || !table.absent();
  if (wanted && table.extent(0) != 256) {
    return c.refuse(
        DYTQ_REJECTED,
        {.why = dytq::reason::table_size, .at = dytq::place::output, .expected = 256, .got = table.extent(0)});
  }
  const auto done = asks ? dytq::prove_table_and_conv_fold(site, conv, to.workspace)
                         : dytq::fold_affine_into_table_and_conv(site, conv, to);
  if (done && wanted) {
    c.store(dytq::result<dytq::table8>(done->table), table);
  }
  return c.answer(done, answer, [](const dytq::table_and_conv_fold& fold) {
    return dytq_table_and_conv_fold{.size = 0,
                                    .weights_changed = fold.weights_changed,
                                    .bias_changed = fold.bias_changed ? 1 : 0,
                                    .input_zp = fold.input_zp,
                                    .multiple = fold.multiple,
                                    .reserved = 0};
  });
}

dytq_gamma_form form_of(const dytq::channel_rescale& made) {
  return {.size = 0,
          .input_zp = made.input_zp,
          .output_zp = made.output_zp,
          .rounding = to_c(made.rounding),
          .weight_zp = 0,
          .out_lo = static_cast<std::int32_t>(made.out.lo),
          .out_hi = static_cast<std::int32_t>(made.out.hi)};
}

dytq_gamma_form form_of(const dytq::gamma_depthwise& made) {
  return {.size = 0,
          .input_zp = made.input_zp,
          .output_zp = 0,
          .rounding = 0,
          .weight_zp = made.weight_zp,
          .out_lo = -128,
          .out_hi = 127};
}

constexpr auto to_form = [](const auto& made) { return form_of(made); };

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

dytq_status dytq_fold_affine_into_conv(const dytq_affine_site* site, const dytq_conv* conv,
                                       const dytq_fold_outputs* outputs, dytq_fold* fold, dytq_rejection* why) {
  return fold_one(site, conv, outputs, fold, why, dytq::fold_affine_into_conv);
}

dytq_status dytq_prove_affine_fold(const dytq_affine_site* site, const dytq_conv* conv, const dytq_output* workspace,
                                   dytq_fold* fold, dytq_rejection* why) {
  return prove_one(site, conv, workspace, fold, why, dytq::prove_affine_fold);
}

dytq_status dytq_fold_beta_into_conv(const dytq_affine_site* site, const dytq_conv* conv,
                                     const dytq_fold_outputs* outputs, dytq_fold* fold, dytq_rejection* why) {
  return fold_one(site, conv, outputs, fold, why, dytq::fold_beta_into_conv);
}

dytq_status dytq_prove_beta_fold(const dytq_affine_site* site, const dytq_conv* conv, const dytq_output* workspace,
                                 dytq_fold* fold, dytq_rejection* why) {
  return prove_one(site, conv, workspace, fold, why, dytq::prove_beta_fold);
}

dytq_status dytq_fold_affine_into_convs(const dytq_affine_site* site, std::int64_t count, const dytq_conv* const* convs,
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

dytq_status dytq_fold_affine_into_table_and_conv(const dytq_affine_site* site, const dytq_conv* conv,
                                                 const dytq_fold_outputs* outputs, const dytq_output* table,
                                                 dytq_table_and_conv_fold* fold, dytq_rejection* why) {
  call c(why);
  c.check_output(fold);
  const held_reader known(c, site, conv);
  const dytq::fold_outputs to = outputs_of(c, c.read(outputs), known.layout());
  return fold_with_table(c, known, to, c.view<std::int8_t, 1>(table, dytq::place::output), false, fold);
}

dytq_status dytq_prove_table_and_conv_fold(const dytq_affine_site* site, const dytq_conv* conv,
                                           const dytq_output* workspace, const dytq_output* table,
                                           dytq_table_and_conv_fold* fold, dytq_rejection* why) {
  call c(why);
  c.check_output(fold);
  const held_reader known(c, site, conv);
  const auto lines = c.view<std::int16_t, 1>(workspace, dytq::place::workspace);
  return fold_with_table(c, known, {.workspace = lines}, c.optional_view<std::int8_t, 1>(table, dytq::place::output),
                         true, fold);
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

dytq_status dytq_fold_affine_into_table(const dytq_affine_site* site, const dytq_output* table, dytq_rejection* why) {
  call c(why);
  held_site held;
  held.read(c, site);
  const dytq::affine_site& known = held.site;
  const auto entries = c.view<std::int8_t, 1>(table, dytq::place::output);
  return c.ok() ? c.store(dytq::fold_affine_into_table(known), entries, known.table, known.gamma, known.beta)
                : c.status();
}

dytq_status dytq_gamma_as_rescale(const dytq_affine_site* site, const dytq_output* multiplier, const dytq_output* shift,
                                  dytq_gamma_form* form, dytq_rejection* why) {
  call c(why);
  c.check_output(form);
  held_site held;
  held.read(c, site);
  const auto m = c.view<std::int32_t, 1>(multiplier, dytq::place::output);
  const auto s = c.view<std::int32_t, 1>(shift, dytq::place::output);
  if (m.absent() || s.absent()) {
    c.refuse(DYTQ_REJECTED, {.why = dytq::reason::output_missing, .at = dytq::place::output});
  }
  return c.ok() ? c.answer(dytq::gamma_as_rescale(held.site, m, s), form, to_form) : c.status();
}

dytq_status dytq_prove_gamma_as_rescale(const dytq_affine_site* site, dytq_gamma_form* form, dytq_rejection* why) {
  call c(why);
  c.check_output(form);
  held_site held;
  held.read(c, site);
  return c.ok() ? c.answer(dytq::gamma_as_rescale(held.site), form, to_form) : c.status();
}

dytq_status dytq_gamma_as_depthwise(const dytq_affine_site* site, const dytq_output* weight, dytq_gamma_form* form,
                                    dytq_rejection* why) {
  call c(why);
  c.check_output(form);
  held_site held;
  held.read(c, site);
  const auto w = c.view<std::int8_t, 1>(weight, dytq::place::weight);
  if (w.absent()) {
    c.refuse(DYTQ_REJECTED, {.why = dytq::reason::output_missing, .at = dytq::place::weight});
  }
  return c.ok() ? c.answer(dytq::gamma_as_depthwise(held.site, w), form, to_form) : c.status();
}

dytq_status dytq_prove_gamma_as_depthwise(const dytq_affine_site* site, dytq_gamma_form* form, dytq_rejection* why) {
  call c(why);
  c.check_output(form);
  held_site held;
  held.read(c, site);
  return c.ok() ? c.answer(dytq::gamma_as_depthwise(held.site), form, to_form) : c.status();
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
