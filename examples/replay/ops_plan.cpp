// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PLAN_AFFINE, CHANNEL_TABLES, FIT_RESCALE, FIT_LINE.
#include <dytq/fit_line.hpp>
#include <dytq/fit_rescale.hpp>
#include <dytq/fold.hpp>
#include <dytq/rescale.hpp>
#include <dytq/layer.hpp>
#include <vector>

#include "answer.hpp"
#include "graph.hpp"
#include "operations.hpp"
#include "read.hpp"

namespace replay {
namespace {

// The parts of a plan, each a member of the answer: a value, or an object with its reject.
class plan_writer {
 public:
  explicit plan_writer(std::string& out) : out_(out) {}

  void reject(std::string_view name, const dytq::rejection& why) {
    append_object(out_, name, [&] { append_rejection(out_, why, naming::by_reason); });
  }
  void verdict(std::string_view name, const dytq::verdict& v) {
    if (v) {
      append_member(out_, name, true);
    } else {
      reject(name, v.error());
    }
  }

 private:
  std::string& out_;
};

void append_tables(std::string& out, const std::vector<std::int32_t>& index, const std::vector<std::int8_t>& tables) {
  append_member(out, "index", index);
  std::vector<std::vector<std::int8_t>> rows;
  for (std::size_t i = 0; i < tables.size(); i += 256) {
    rows.emplace_back(tables.begin() + static_cast<std::ptrdiff_t>(i),
                      tables.begin() + static_cast<std::ptrdiff_t>(i + 256));
  }
  append_member(out, "tables", rows);
}

// `name`: {index, tables}, or what `refuse` makes of the reason.
template <class F>
void append_channel_tables(std::string& out, std::string_view name, const dytq::layer_site& layer, F refuse) {
  const auto count = dytq::count_channel_tables(layer);
  if (!count) {
    refuse(count.error());
    return;
  }
  const std::int64_t channels = layer.affine.channels() != 0 ? layer.affine.channels() : layer.channels;
  std::vector<std::int32_t> index(static_cast<std::size_t>(channels));
  std::vector<std::int8_t> tables(static_cast<std::size_t>(*count) * 256);
  const auto done = dytq::make_channel_tables(layer, index, dytq::view<std::int8_t, 2>(tables.data(), {*count, 256}));
  if (!done) {
    refuse(done.error());
    return;
  }
  append_object(out, name, [&] { append_tables(out, index, tables); });
}

// Is every step defined for every channel and code?
dytq::verdict validate_site(const dytq::affine_site& site) {
  const auto maps = dytq::site_maps::make(site);
  if (!maps) {
    return maps.error();
  }
  for (std::int64_t c = 0; c < site.channels(); ++c) {
    if (const auto k = maps->channel(c); !k) {
      return k.error();
    }
  }
  return dytq::accepted{};
}

void plan_folds(const dytq::affine_site& site, const graph_conv& conv, std::string& out) {
  plan_writer parts(out);
  if (const dytq::verdict v = conv.validate(); !v) {
    parts.reject("into_conv", v.error());
    parts.reject("retabled", v.error());
    return;
  }
  std::vector<std::int8_t> weight(conv.weights());
  std::vector<std::int32_t> bias(conv.output_channels());
  std::vector<std::int16_t> lines(4 * conv.input_channels());
  const dytq::fold_outputs outputs{.weight = conv.weight_view(weight), .bias = bias, .workspace = lines};
  if (const auto folded = dytq::fold_affine_into_conv(site, conv.conv(), outputs)) {
    append_object(out, "into_conv", [&] { append_constants(out, weight, bias, folded->input_zp); });
  } else {
    parts.reject("into_conv", folded.error());
  }
  if (const auto folded = dytq::fold_affine_into_table_and_conv(site, conv.conv(), outputs)) {
    append_object(out, "retabled", [&] {
      append_member(out, "table", folded->table);
      append_constants(out, weight, bias, folded->input_zp);
    });
  } else {
    parts.reject("retabled", folded.error());
  }
}

void plan_gamma(const dytq::affine_site& site, std::string& out) {
  plan_writer parts(out);
  std::vector<std::int32_t> multiplier(static_cast<std::size_t>(site.channels()));
  std::vector<std::int32_t> shift(multiplier.size());
  if (const auto fit = dytq::gamma_as_rescale(site, multiplier, shift)) {
    append_object(out, "gamma_rescale", [&] {
      append_member(out, "multiplier", multiplier);
      append_member(out, "shift", shift);
      append_member(out, "input_zp", fit->input_zp);
      append_member(out, "output_zp", fit->output_zp);
      append_member(out, "double", fit->rounding == dytq::rounding_mode::double_round);
    });
  } else {
    parts.reject("gamma_rescale", fit.error());
  }
  std::vector<std::int8_t> weight(multiplier.size());
  if (const auto depthwise = dytq::gamma_as_depthwise(site, weight)) {
    append_object(out, "gamma_depthwise", [&] {
      append_member(out, "weight", weight);
      append_member(out, "weight_zp", depthwise->weight_zp);
      append_member(out, "input_zp", depthwise->input_zp);
    });
  } else {
    parts.reject("gamma_depthwise", depthwise.error());
  }
}

}  // namespace

void plan_affine(const value& in, std::string& out) {
  const graph_conv conv(in["conv"]);
  const graph_site graph(in);
  const dytq::affine_site& site = graph.site();
  const std::int64_t channels = site.channels() != 0 ? site.channels() : conv.claimed_channels();
  for (const dytq::verdict& v : {graph.validate(), validate_site(site),
                                 channels < 1 ? dytq::verdict(dytq::reason::channel_count) : dytq::accepted{}}) {
    if (!v) {
      append_rejection(out, v.error(), naming::by_reason);
      return;
    }
  }
  append_object(out, "out", [&] {
    plan_writer parts(out);
    parts.verdict("identity", dytq::is_identity(site));
    parts.verdict("gamma_identity", dytq::is_identity(site, dytq::affine_half::gamma));
    if (const auto table = dytq::fold_affine_into_table(site)) {
      append_member(out, "uniform_table", *table);
    } else {
      parts.reject("uniform_table", table.error());
    }
    append_channel_tables(out, "channel_tables", {.affine = site, .channels = channels},
                          [&](const dytq::rejection& why) { parts.reject("channel_tables", why); });
    plan_gamma(site, out);
    plan_folds(site, conv, out);
  });
}

void channel_tables(const value& in, std::string& out) {
  const graph_site graph(in);
  dytq::layer_site layer{.affine = graph.site()};
  std::vector<std::int8_t> alpha;
  if (const auto given = in.find("alpha")) {
    alpha = given->is_array() ? given->list<std::int8_t>() : std::vector{given->as<std::int8_t>()};
    const value steps = in["rescale"];
    layer.alpha = alpha;
    layer.alpha_steps = {.activation = read_step(steps["activation"]),
                         .alpha = read_step(steps["alpha"]),
                         .mul_out = read_step(steps["mul_out"])};
    if (alpha.empty()) {  // to the library that is an absent one
      append_rejection(out, {.why = dytq::reason::channel_count, .at = dytq::place::alpha, .expected = 1, .got = 0},
                       naming::by_reason);
      return;
    }
  }
  const dytq::verdict halves =
      layer.affine.channels() != 0 ? dytq::accepted{} : dytq::verdict(dytq::reason::channel_count);
  for (const dytq::verdict& v : {graph.validate(), halves}) {
    if (!v) {
      append_rejection(out, v.error(), naming::by_reason);
      return;
    }
  }
  append_channel_tables(out, "out", layer,
                        [&](const dytq::rejection& why) { append_rejection(out, why, naming::by_reason); });
}

void fit_rescale(const value& in, std::string& out) {
  const auto input = read_tensor_type(in["in_t"], in["input_unsigned"], dytq::place::input);
  const auto output = read_tensor_type(in["out_t"], in["output_unsigned"], dytq::place::output);
  const std::vector<std::int64_t> codes = in["codes"].list<std::int64_t>();
  const std::vector<std::int64_t> values = in["values"].list<std::int64_t>();
  dytq::rescale_operator op{.input_zp = in["input_zp"].integer(),
                            .output_zp = in["output_zp"].integer(),
                            .rounding = read_rounding_mode(in["rounding_mode"])};
  for (const auto* type : {&input, &output}) {
    if (!*type) {
      append_rejection(out, type->error(), naming::by_reason);
      return;
    }
  }
  op.in = *input;
  op.out = *output;
  dytq::verdict legal = dytq::validate(op);
  if (legal && op.in == dytq::code_type::i32) {
    legal = dytq::rejection{.why = dytq::reason::unknown_type, .at = dytq::place::input};
  }
  for (const std::int64_t code : codes) {
    if (const dytq::code_range r = dytq::range_of(op.in); legal && !r.contains(code)) {
      legal = dytq::rejection{.why = dytq::reason::code_out_of_range,
                              .at = dytq::place::input,
                              .expected = code < r.lo ? r.lo : r.hi,
                              .got = code};
    }
  }
  if (!legal) {
    append_rejection(out, legal.error(), naming::by_reason);
    return;
  }
  const auto fit = dytq::fit_rescale(
      dytq::view<const std::int64_t>(codes), dytq::view<const std::int64_t>(values),
      {.out = dytq::range_of(op.out), .input_zp = op.input_zp, .output_zp = op.output_zp, .rounding = op.rounding});
  if (!fit) {
    append_rejection(out, fit.error(), naming::by_reason);
    return;
  }
  append_object(out, "out", [&] {
    append_member(out, "multiplier", fit->multiplier);
    append_member(out, "shift", fit->shift);
  });
}

void fit_line(const value& in, std::string& out) {
  const std::vector<std::int64_t> codes = in["codes"].list<std::int64_t>();
  const std::vector<std::int64_t> values = in["values"].list<std::int64_t>();
  dytq::line_search search{.input_zp = in["input_zp"].integer(), .output_zp = in["output_zp"].integer()};
  if (const auto range = in.find("weight_range")) {
    const std::vector<std::int64_t> ends = range->list<std::int64_t>(2);
    search.weights = {ends[0], ends[1]};
  }
  if (const auto tolerance = in.find("tolerance")) {
    search.tolerance = tolerance->integer();
  }
  dytq::verdict legal = dytq::accepted{};
  const auto expect_int8 = [&](std::int64_t v, dytq::reason why, dytq::place at) {
    if (legal && !dytq::int8_range.contains(v)) {
      legal = dytq::rejection{.why = why, .at = at, .expected = dytq::int8_range.clamp(v), .got = v};
    }
  };
  expect_int8(search.input_zp, dytq::reason::zero_point_out_of_range, dytq::place::input);
  expect_int8(search.output_zp, dytq::reason::zero_point_out_of_range, dytq::place::output);
  for (const std::int64_t code : codes) {
    expect_int8(code, dytq::reason::code_out_of_range, dytq::place::input);
  }
  if (!legal) {
    append_rejection(out, legal.error(), naming::by_reason);
    return;
  }
  const dytq::view<const std::int64_t> from(codes);
  const dytq::view<const std::int64_t> to(values);
  const auto line = dytq::fit_line(from, to, search);
  if (!line) {
    append_rejection(out, line.error(), naming::by_reason);
    if (const auto conflict = dytq::find_line_conflict(from, to, search); conflict && conflict->exists) {
      append_member(out, "codes", conflict->codes);
    }
    return;
  }
  append_object(out, "out", [&] {
    append_member(out, "weight", line->weight);
    append_member(out, "bias", line->bias);
    append_member(out, "multiplier", line->multiplier);
    append_member(out, "shift", line->shift);
    append_member(out, "max_difference", line->max_difference);
    append_member(out, "differ", line->differ);
  });
}

}  // namespace replay
