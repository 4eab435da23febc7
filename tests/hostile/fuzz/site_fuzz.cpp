// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sites and the convolutions behind them, of any constants: what the library makes of each code is what the plain model
// makes of it, and each fold that it accepts is exact at every output position; its judge says the same.
#include <array>
#include <cstdint>

#include <dytq/check_fold.hpp>
#include <dytq/fold.hpp>
#include <dytq/layer.hpp>
#include <dytq/plan.hpp>

#include "fuzz.hpp"
#include "support/plain_model.hpp"

namespace {

using fuzz::require;

constexpr std::int64_t most_channels = 4;
constexpr std::size_t most_weights = 4 * 3 * 3 * 4;

struct problem {
  std::array<std::int8_t, 256> table{};
  std::array<std::int8_t, most_channels> gamma{}, beta{}, weight_zp{};
  std::array<std::int32_t, 4> bias{};
  std::array<std::int8_t, most_weights> weight{};
  dytq::affine_site site;
  dytq::convolution conv;
};

dytq::rescale rescale_from(fuzz::bytes& in) {
  dytq::rescale r;
  r.multiplier = in.i32();
  r.shift = in.i8();
  r.input_zp = in.i32();
  r.output_zp = in.i32();
  const std::uint64_t how = in.bits(1);
  r.out = (how & 1) != 0 ? dytq::int8_range : dytq::int32_range;
  using enum dytq::rounding_mode;
  constexpr dytq::rounding_mode modes[] = {single_round, double_round, inexact_round,
                                           static_cast<dytq::rounding_mode>(99)};
  r.rounding = modes[how >> 1 & 3];
  return r;
}

/// The order of the bytes is that of corpus.py.
void read(fuzz::bytes in, problem& p) {
  const std::uint64_t flags = in.bits(1);
  const std::int64_t channels = in.range(1, most_channels);
  for (std::int8_t& t : p.table) {
    t = in.i8();
  }
  p.site.table = p.table;
  p.site.table_zp = in.i32();
  for (auto* codes : {&p.gamma, &p.beta}) {
    for (std::int8_t& code : *codes) {
      code = in.i8();
    }
  }
  if ((flags & 1) != 0) {
    p.site.gamma = {p.gamma.data(), {channels}};
  }
  if ((flags & 2) != 0) {
    p.site.beta = {p.beta.data(), {channels}};
  }
  auto& s = p.site.steps;
  for (dytq::rescale* r : {&s.table, &s.gamma, &s.gamma_out, &s.add_in, &s.beta, &s.add_out}) {
    *r = rescale_from(in);
  }
  if ((flags & 4) != 0) {  // only some codes occur
    p.site.reachable = {};
    for (int i = 0; i < 4; ++i) {
      p.site.reachable.insert(in.i8());
    }
  }
  const std::int64_t outputs = in.range(1, 4), height = in.range(1, 3), width = in.range(1, 3);
  p.conv.groups = (flags & 8) != 0 ? channels : 1;
  p.conv.kind = (flags & 16) != 0 ? dytq::conv_kind::transposed : dytq::conv_kind::forward;
  for (std::int8_t& w : p.weight) {
    w = in.i8();
  }
  p.conv.weight = {p.weight.data(), {outputs, 1, height, width, channels / p.conv.groups}};
  for (std::int8_t& zp : p.weight_zp) {
    zp = in.i8();
  }
  for (std::int32_t& b : p.bias) {
    b = in.i32();
  }
  if (const std::int64_t n = in.range(0, 2); n != 0) {
    p.conv.weight_zp = {p.weight_zp.data(), {n == 1 ? 1 : outputs}};
  }
  if (const std::int64_t n = in.range(0, 2); n != 0) {
    p.conv.bias = {p.bias.data(), {n == 1 ? 1 : outputs}};
  }
  p.conv.weight_range.lo = in.i8();
  p.conv.axes[0].input = 1;
  for (dytq::conv_axis* axis : {&p.conv.axes[1], &p.conv.axes[2]}) {
    axis->input = in.range(1, 5);
    axis->stride = in.range(1, 3);
    axis->dilation = in.range(1, 3);
    axis->before = in.range(-2, 3);
    axis->after = in.range(-2, 3);
  }
  p.conv.input_zp = (flags & 32) != 0 ? in.i8() : p.site.last_zero_point();
}

/// A site that is refused for a value has one that the plain model refuses; else every code agrees.
void compare_maps(const problem& p) {
  const auto maps = dytq::site_maps::make(p.site);
  if (!maps) {
    return;
  }
  for (std::int64_t c = 0; c < p.site.channels(); ++c) {
    const auto k = maps->channel(c);
    bool defined = true;
    for (int i = 0; i < maps->count(); ++i) {
      const dytq_tests::maybe plain = dytq_tests::plain_chain(p.site, c, maps->code(i));
      defined = defined && plain.ok;
      require(!k || (plain.ok && maps->map(*k, i) == plain.v), "the chain at a code");
    }
    require(k.has_value() == defined, "a channel is refused where it is undefined, and nowhere else");
  }
}

void compare_tables(const problem& p) {
  std::array<std::int32_t, most_channels> index{};
  std::array<std::int8_t, most_channels * 256> tables{};
  const std::int64_t channels = p.site.channels();
  const dytq::layer_site layer{.affine = p.site};
  const auto counted = dytq::count_channel_tables(layer);
  const auto made = dytq::make_channel_tables(layer, {index.data(), {channels}}, {tables.data(), {most_channels, 256}});
  require(channels == 0 || counted.has_value() == made.has_value(), "counting and making agree");
  if (!made) {
    return;
  }
  require(*made == *counted, "as many tables as were counted");
  for (std::int64_t c = 0; c < channels; ++c) {
    for (int q = 0; q < 256; ++q) {
      if (p.site.reachable.contains(static_cast<std::int8_t>(q - 128))) {
        const auto at = static_cast<std::size_t>(index[static_cast<std::size_t>(c)] * 256 + q);
        const auto plain = dytq_tests::plain_chain(p.site, c, p.table[static_cast<std::size_t>(q)]);
        require(plain.ok && tables[at] == plain.v, "an entry of a channel's table");
      }
    }
  }
}

template <class Fold, class Ask, class Claim>
void compare_fold(const problem& p, Fold fold, Ask ask, Claim claim, const char* what) {
  std::array<std::int8_t, most_weights> weight{};
  std::array<std::int32_t, 4> bias{};
  std::array<std::int16_t, 4 * most_channels> lines{};
  weight.fill(99);
  bias.fill(-99);
  const auto untouched_weight = weight;
  const auto untouched_bias = bias;
  const dytq::fold_outputs out{.weight = {weight.data(), p.conv.weight.extents},
                               .bias = {bias.data(), {p.conv.weight.extents[0]}},
                               .workspace = {lines.data(), {4 * p.conv.input_channels()}}};
  const auto folded = fold(p.site, p.conv, out);
  const auto asked = ask(p.site, p.conv, out.workspace);
  require(folded.has_value() == asked.has_value() &&
              (folded ? folded->input_zp == asked->input_zp && folded->weights_changed == asked->weights_changed &&
                            folded->bias_changed == asked->bias_changed
                      : folded.error() == asked.error()),
          "asking and folding agree");
  if (!folded) {
    require(weight == untouched_weight && bias == untouched_bias, "a refusal writes nothing");
    return;
  }
  dytq::claimed_fold claimed{.weight = {weight.data(), p.conv.weight.extents},
                             .bias = {bias.data(), {p.conv.weight.extents[0]}},
                             .input_zp = folded->input_zp};
  claim(*folded, claimed);
  require(dytq_tests::plain_exact(p.site, p.conv, claimed), what);
  require(dytq::check_fold(p.site, p.conv, claimed).has_value(), "the judge accepts what is exact");
}

/// A plan of the whole site: what it says is what its steps do, by the library's own judge, and by the plain model
/// where it folds nothing.
void compare_plan(const problem& p) {
  const dytq::site_chain site(p.site);
  const auto sizes = dytq::plan_workspace_sizes(site.get());
  if (!sizes) {
    return;
  }
  static std::array<std::int8_t, 8 * 256 * most_channels> codes;
  std::array<std::int32_t, most_channels> numbers{};
  std::array<std::int16_t, 4 * most_channels> lines{};
  require(sizes->codes <= static_cast<std::int64_t>(codes.size()), "room for the codes of every cut");
  const dytq::plan_workspace workspace{.codes = {codes.data(), {sizes->codes}},
                                       .numbers = {numbers.data(), {sizes->numbers}},
                                       .lines = {lines.data(), {sizes->lines}}};
  const dytq::chain_reader reader{.conv = p.conv};
  const dytq::chain_uses uses{.readers = {&reader, {1}}};
  const auto plan = dytq::plan(site.get(), workspace, dytq::targets::tosa, uses);
  if (!plan) {
    return;
  }
  require(plan->cost <= plan->cost_before, "never dearer");
  std::array<dytq::chain_step, 64> steps{};
  std::array<std::int32_t, 64 * most_channels> new_numbers{};
  std::array<std::int8_t, 64 * 256> new_codes{};
  std::array<std::int8_t, most_weights> weight{};
  std::array<std::int32_t, 4> bias{};
  dytq::affine_fold fold{};
  const dytq::fold_outputs out{.weight = {weight.data(), p.conv.weight.extents},
                               .bias = {bias.data(), {p.conv.weight.extents[0]}}};
  const auto made = dytq::apply(site.get(), *plan,
                                {.steps = {steps.data(), {plan->operators}},
                                 .numbers = {new_numbers.data(), {plan->numbers}},
                                 .codes = {new_codes.data(), {plan->codes}},
                                 .readers = {&out, {1}},
                                 .folds = {&fold, {1}}},
                                workspace, dytq::targets::tosa, uses);
  require(made.has_value(), "a plan can be applied");
  const dytq::claimed_fold claimed{.weight = {weight.data(), p.conv.weight.extents},
                                   .bias = {bias.data(), {p.conv.weight.extents[0]}},
                                   .input_zp = fold.input_zp};
  require(dytq::check(site.get(), *plan, {steps.data(), {plan->operators}}, workspace, uses,
                      {&claimed, {plan->folds() ? 1 : 0}})
              .has_value(),
          "the judge accepts the plan");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  problem p;
  read(fuzz::bytes(data, size), p);
  compare_maps(p);
  compare_tables(p);
  compare_fold(
      p, [](const auto&... of) { return dytq::fold_affine_into_conv(of...); },
      [](const auto&... of) { return dytq::prove_affine_fold(of...); }, [](const auto&, auto&) {}, "the whole fold");
  compare_fold(
      p, [](const auto&... of) { return dytq::fold_beta_into_conv(of...); },
      [](const auto&... of) { return dytq::prove_beta_fold(of...); },
      [](const auto&, dytq::claimed_fold& claimed) { claimed.keeps_gamma = true; }, "the fold of beta");
  compare_fold(
      p, [](const auto&... of) { return dytq::fold_affine_into_table_and_conv(of...); },
      [](const auto&... of) { return dytq::prove_table_and_conv_fold(of...); },
      [](const dytq::table_and_conv_fold& fold, dytq::claimed_fold& claimed) { claimed.table = fold.table; },
      "the fold with a new table");
  compare_plan(p);
  return 0;
}
