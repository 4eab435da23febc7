// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library and the oracle on the parts of PLAN_AFFINE, for the oracle's own random sites: faults, wrong lengths and
// large kernels included. Equal results bit for bit; equal refusals, and the oracle's word for each.
#include <dytq/fold.hpp>
#include <dytq/layer.hpp>

#include "harness.hpp"
#include "sites.hpp"
#include "support/catch.hpp"

namespace soundness {
namespace {

// The oracle's word for a reason: its own name where folds have one, else its class.
std::string word(const dytq::rejection& r) {
  if (r.why == dytq::reason::bias_count || r.why == dytq::reason::group_count)
    return "channel_count";
  const auto kind = dytq::describe(r.why).kind;
  if (kind == dytq::reason_class::bad_argument)
    return "error";
  return kind == dytq::reason_class::no_fold || r.why == dytq::reason::accumulator_overflow ? dytq::name(r.why)
                                                                                            : dytq::name(kind);
}

TEST_CASE("library and oracle agree on every part of a plan") {
  const integer sites = from_environment("DYTQ_SITES", 5000);
  const integer seed = from_environment("DYTQ_SEED", 20261129);
  const integer only = from_environment("DYTQ_SITE", -1);
  histogram seen;
  for (integer k = 0; k < sites; ++k) {
    if (only >= 0 && k != only)
      continue;
    source s(static_cast<std::uint64_t>(seed) * 1000003u + static_cast<std::uint64_t>(k) + (std::uint64_t{6} << 40));
    test_site t;
    t.graph = oracle::site_value(s, {.large = k % 10 == 0});
    const oracle::site_conv& c = t.graph.conv;
    if (wide(c.weight.size()) != wide(c.out_channels) * c.kernel[0] * c.kernel[1] * c.in_channels_per_group) {
      seen.count("no view has such weights");
      continue;
    }
    const bool up = c.kind == "transpose_conv2d";
    t.shape.transposed = up;
    t.shape.kernel = {1, c.kernel[0], c.kernel[1]};
    for (std::size_t d = 0; d < 2 && c.kind != "linear"; ++d) {
      const auto& pad = up ? c.out_pad : c.pad;
      t.shape.axes[d + 1] = {.input = c.input_hw ? (*c.input_hw)[d] : 0,
                             .stride = c.stride[d],
                             .dilation = up ? 1 : c.dilation[d],
                             .before = pad[2 * d],
                             .after = pad[2 * d + 1]};
    }
    t.raw_table = t.graph.table;
    t.reachable.assign(256, true);
    library_site l(t, layout{}, layout{});
    INFO("DYTQ_SEED=" << seed << " DYTQ_SITE=" << k << "\n" << to_string(t));
    const auto agree = [&](const char* part, const auto& mine, bool theirs, const std::string& why) {
      INFO(part << ": " << (mine ? std::string("yes") : to_string(mine.error()))
                << ", the oracle: " << (theirs ? "yes" : why));
      seen.count(std::string(part) + ": " + (mine ? "yes" : word(mine.error())));
      CHECK(static_cast<bool>(mine) == theirs);
      if (!mine && !theirs)
        CHECK(word(mine.error()) == why);
      return mine && theirs;
    };

    const auto fold = oracle::fold(t.graph);
    const auto into = dytq::fold_affine_into_conv(l.site, l.conv, l.out);
    // Where several conditions fail, any may be named; the oracle does not look for all.
    const bool also =
        !into &&
        (fold.reasons.count(word(into.error())) != 0 ||
         (fold.why == "not_affine" && examine_fold(t, facts_of(t), into.error(), fold_kind::into_conv).empty()));
    if (agree("into_conv", into, fold.value.has_value(), also ? word(into.error()) : fold.why))
      CHECK(l.folded(into->input_zp) == *fold.value);

    l.reset_outputs();
    const auto retabled = oracle::retabled(t.graph);
    const auto with_table = dytq::fold_affine_into_table_and_conv(l.site, l.conv, l.out);
    seen.count(std::string("retabled: ") + (with_table ? "yes" : word(with_table.error())));
    CHECK(static_cast<bool>(with_table) == static_cast<bool>(retabled));
    if (with_table && retabled) {
      CHECK(l.folded(with_table->input_zp) == retabled->constants);
      CHECK(integers(with_table->table.begin(), with_table->table.end()) == retabled->table);
    }

    // What follows is of the chain alone.
    const auto first = [&](const auto& outcome, std::initializer_list<const char*> earlier, const auto& mine) {
      // One channel may settle the question before another one is found to be unpredictable.
      for (const char* w : earlier) {
        if (!mine && outcome.why == "unpredictable" && word(mine.error()) == w)
          return std::string(w);
      }
      return outcome.why;
    };
    const auto same = dytq::is_identity(l.site);
    const auto same_o = oracle::identity(t.graph);
    agree("identity", same, static_cast<bool>(same_o), first(same_o, {"not_identity"}, same));
    const auto half = dytq::is_identity(l.site, dytq::affine_half::gamma);
    const auto half_o = oracle::gamma_identity(t.graph);
    agree("gamma_identity", half, static_cast<bool>(half_o), first(half_o, {"not_identity"}, half));
    const auto table = dytq::fold_affine_into_table(l.site);
    const auto table_o = oracle::uniform_table(t.graph);
    if (agree("uniform_table", table, static_cast<bool>(table_o), first(table_o, {"not_uniform"}, table)))
      CHECK(integers(table->begin(), table->end()) == *table_o);

    const auto deep = dytq::gamma_as_depthwise(l.site, {});
    const auto deep_o = oracle::gamma_depthwise(t.graph);
    if (agree("gamma_depthwise", deep, static_cast<bool>(deep_o), first(deep_o, {"not_scale_one", "no_gamma"}, deep))) {
      std::vector<std::int8_t> weight(l.gamma.size());
      const auto again = dytq::gamma_as_depthwise(l.site, weight);
      REQUIRE(static_cast<bool>(again));
      CHECK(integers(weight.begin(), weight.end()) == deep_o->weight);
      CHECK(again->weight_zp == deep_o->weight_zp);
      CHECK(again->input_zp == deep_o->input_zp);
    }
    if (const auto maps = oracle::maps_of(t.graph); !maps || maps->codes.size() <= 16 || k % 20 == 0) {
      std::vector<std::int32_t> multiplier(l.gamma.size()), shift(l.gamma.size());
      const auto scale = dytq::gamma_as_rescale(l.site, multiplier, shift);
      const auto scale_o = oracle::gamma_rescale(t.graph);
      if (agree("gamma_rescale", scale, static_cast<bool>(scale_o),
                first(scale_o, {"no_rescale", "no_gamma"}, scale))) {
        CHECK(integers(multiplier.begin(), multiplier.end()) == scale_o->multiplier);
        CHECK(integers(shift.begin(), shift.end()) == scale_o->shift);
        CHECK(scale->input_zp == scale_o->input_zp);
        CHECK(scale->output_zp == scale_o->output_zp);
        CHECK((scale->rounding == dytq::rounding_mode::double_round) == scale_o->double_round);
      }
    }
    const integer channels = oracle::channel_count(t.graph);
    const dytq::layer_site layer{.affine = l.site, .channels = channels};
    const auto tables_o = oracle::channel_tables(t.graph);
    const auto count = dytq::count_channel_tables(layer);
    if (agree("channel_tables", count, static_cast<bool>(tables_o), tables_o.why)) {
      std::vector<std::int32_t> index(at(channels));
      std::vector<std::int8_t> memory(at(*count) * 256);
      REQUIRE(dytq::make_channel_tables(layer, index, dytq::view<std::int8_t, 2>(memory.data(), {*count, 256})));
      CHECK(integers(index.begin(), index.end()) == tables_o->index);
      integers all;
      for (const integers& one : tables_o->tables)
        all.insert(all.end(), one.begin(), one.end());
      CHECK(integers(memory.begin(), memory.end()) == all);
    }
  }
  WARN(sites << " sites" << seen.text());
}

}  // namespace
}  // namespace soundness
