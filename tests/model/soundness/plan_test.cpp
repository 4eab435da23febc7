// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a site and its convolution against the single folds: what one of them proves the plan has, what the
// target or a reader rules out it says by name, and what it makes holds by evaluation.
#include <dytq/layer.hpp>
#include <dytq/plan.hpp>

#include "harness.hpp"
#include "sites.hpp"
#include "support/catch.hpp"

namespace soundness {
namespace {

using dytq::form;
using dytq::place;
using dytq::reason;

// The codes that the plan's steps give, with an interpreter of its own; judged against the chain's.
struct planned_site {
  std::vector<std::int8_t> codes, new_codes, weight;
  std::vector<std::int32_t> numbers, new_numbers, bias;
  std::vector<std::int16_t> lines;
  std::vector<dytq::chain_step> steps;
  dytq::affine_fold fold;

  dytq::plan_workspace workspace(const dytq::chain& c) {
    const auto sizes = dytq::plan_workspace_sizes(c);
    codes.resize(at(sizes ? sizes->codes : 0));
    numbers.resize(at(c.channels));
    lines.resize(at(4 * c.channels));
    return {.codes = dytq::view<std::int8_t>(codes),
            .numbers = dytq::view<std::int32_t>(numbers),
            .lines = dytq::view<std::int16_t>(lines)};
  }
  static std::size_t at(std::int64_t n) { return static_cast<std::size_t>(n); }
};

TEST_CASE("the plan of a site has what the single folds prove, and holds") {
  const integer sites = from_environment("DYTQ_SITES", 5000);
  const integer seed = from_environment("DYTQ_SEED", 20261129);
  const integer only = from_environment("DYTQ_SITE", -1);
  histogram seen;
  for (integer k = 0; k < sites; ++k) {
    if (only >= 0 && k != only)
      continue;
    source s(static_cast<std::uint64_t>(seed) * 1000003u + static_cast<std::uint64_t>(k) + (std::uint64_t{5} << 40));
    recipe drawn = any_recipe(s);
    while (drawn == recipe::heavy || drawn == recipe::large_kernel)
      drawn = any_recipe(s);
    test_site t = any_site(s, drawn);
    if (s.chance(6)) {  // one channel that is unpredictable, often after one that is no identity
      t.graph.r_gamma.shift = 7;
      t.graph.r_gamma.input_zp = 0;
      if (t.graph.gamma)
        t.graph.gamma->back() = 127;
    }
    const auto maps = oracle::maps_of(t.graph);
    library_site l(t, layout{}, layout{});
    const dytq::site_chain site(l.site);
    dytq::chain chain = site.get();
    chain.channels = t.channels();
    dytq::target target = dytq::targets::tosa;
    target.channel_tables = s.chance(50);
    target.channel_rescale = s.chance(80);
    target.depthwise = s.chance(60);
    target.moves_input_zp = s.chance(80);
    const dytq::chain_reader reader{.conv = l.conv, .writable = !s.chance(15)};
    dytq::chain_uses uses{.readers = dytq::view<const dytq::chain_reader>(&reader, {1}), .branches = s.chance(50)};
    const bool table_drawn = s.chance(15), gamma_drawn = s.chance(15), end_drawn = s.chance(15);
    // Without gamma its result is the TABLE's, without beta the chain's.
    const bool gamma_last = !t.graph.beta, table_last = gamma_last && !t.graph.gamma;
    const bool table_read = table_drawn || (gamma_drawn && !t.graph.gamma),
               gamma_read = gamma_drawn || (table_drawn && !t.graph.gamma),
               end_read = end_drawn || (gamma_drawn && gamma_last) || (table_drawn && table_last);
    if (table_read)
      uses.observed.insert(dytq::site_chain::table_cut());
    if (gamma_read)
      uses.observed.insert(site.gamma_cut());
    if (end_read)
      uses.observed.insert(site.end());
    INFO("DYTQ_SEED=" << seed << " DYTQ_SITE=" << k << "\n" << to_string(t));
    planned_site room;
    const dytq::plan_workspace workspace = room.workspace(chain);
    const auto p = dytq::plan(chain, workspace, target, uses);
    if (!maps) {
      REQUIRE(!p);
      INFO(to_string(p.error()));
      seen.count("unpredictable as a whole");
      bool known = false;
      dytq::rejection why = p.error();  // a chain's code is the TABLE's input, a site's its result
      if (why.code != dytq::unset && why.at != place::gamma && why.at != place::beta)
        why.code = t.raw_table[planned_site::at(why.code + 128)];
      CHECK(examine_step(t, why, known) == "");
      CHECK(known);
      continue;
    }
    REQUIRE(static_cast<bool>(p));
    CHECK(p->assumes_domain == (std::find(t.reachable.begin(), t.reachable.end(), false) != t.reachable.end()));
    CHECK(p->operators_before == 1 + (t.graph.gamma ? 3 : 0) + (t.graph.beta ? 3 : 0));
    CHECK(p->cost <= p->cost_before);

    // What the single folds say.
    const auto into = dytq::prove_affine_fold(l.site, l.conv, l.lines);
    const auto with_table = dytq::prove_table_and_conv_fold(l.site, l.conv, l.lines);
    const auto beta = dytq::prove_beta_fold(l.site, l.conv, l.lines);
    const auto table = dytq::fold_affine_into_table(l.site);
    const bool padded = std::any_of(t.shape.axes.begin(), t.shape.axes.end(),
                                    [](const axis& a) { return a.before != 0 || a.after != 0; }) ||
                        (t.shape.transposed && facts_of(t).classes.size() > 1);
    const auto stays = [&](const auto& made) {
      return target.moves_input_zp || !padded || made->input_zp == t.graph.conv.input_zp;
    };
    const auto& conv_offer = (*p)[form::into_conv];
    const auto& table_and_conv = (*p)[form::into_table_and_conv];
    for (const auto* offer : {&conv_offer, &table_and_conv}) {
      if (end_read) {
        CHECK(offer->why.why == reason::observable_code);
      } else if (!reader.writable) {
        CHECK((offer->why.why == reason::shared || offer->why.why == reason::observable_code));
      }
    }
    // A fold that no reader and no target rules out, from a cut that the chain may end at.
    const bool free = reader.writable && !end_read;
    const bool past_table = uses.branches || (!gamma_read || !t.graph.gamma || !t.graph.beta);
    if (free && into && stays(into) && (t.graph.gamma || t.graph.beta) && past_table) {
      CHECK(conv_offer.exists());
      const bool beside = uses.branches && gamma_read;  // gamma stays, beside the fold
      CHECK((beside || p->operators <= 1 + p->count));
      CHECK(p->cost <= (beside ? p->cost_before : 1));
    }
    if (free && beta && stays(beta) && t.graph.beta) {
      CHECK(conv_offer.exists());
    }
    // Of the zero points that serve, the plan may have found another one, to which a padded input does not move.
    if (free && with_table && (target.moves_input_zp || !padded) && !table_read && past_table) {
      CHECK(table_and_conv.exists());
    }
    if (!conv_offer.exists() && free && past_table && target.moves_input_zp) {
      CHECK(!beta);
      CHECK((!into || !(t.graph.gamma || t.graph.beta)));
    }
    CHECK((*p)[form::into_table].exists() == static_cast<bool>(table));
    CHECK(((*p)[form::channel_tables].why.why == reason::target_lacks) == !target.channel_tables);
    if (target.channel_tables) {
      CHECK((*p)[form::channel_tables].exists());
      CHECK((table_read || gamma_read || p->cost <= 1));
    }
    for (int i = 0; i < static_cast<int>(form::count_); ++i) {
      const auto f = static_cast<form>(i);
      seen.count(std::string(dytq::name(f)) + ": " + ((*p)[f].exists() ? "yes" : dytq::name((*p)[f].why.why)));
    }
    for (int i = 0; i < p->count; ++i) {
      const dytq::plan_stretch& part = p->stretch(i);
      const bool second = t.graph.beta && part.from == site.gamma_cut() && part.from > 1;
      seen.count(std::string("taken: ") + (second ? "beta: " : "") + dytq::name(part.how));
    }

    // What it makes holds: every code, every observed result, every accumulator.
    room.steps.resize(planned_site::at(p->operators));
    room.new_numbers.resize(planned_site::at(p->numbers));
    room.new_codes.resize(planned_site::at(p->codes));
    room.weight.resize(l.weight.size());
    room.bias.resize(planned_site::at(l.conv.output_channels()));
    dytq::weight_view<std::int8_t> weight{room.weight.data(), l.conv.weight.extents, l.conv.weight.strides};
    const dytq::fold_outputs out{.weight = weight, .bias = dytq::view<std::int32_t>(room.bias)};
    const auto made = dytq::apply(chain, *p,
                                  {.steps = dytq::view<dytq::chain_step>(room.steps),
                                   .numbers = dytq::view<std::int32_t>(room.new_numbers),
                                   .codes = dytq::view<std::int8_t>(room.new_codes),
                                   .readers = dytq::view<const dytq::fold_outputs>(&out, {1}),
                                   .folds = dytq::view<dytq::affine_fold>(&room.fold, {1})},
                                  workspace, target, uses);
    REQUIRE(static_cast<bool>(made));
    const dytq::claimed_fold claim{.weight = {weight.data, weight.extents, weight.strides},
                                   .bias = dytq::view<const std::int32_t>(room.bias),
                                   .input_zp = room.fold.input_zp};
    const dytq::view<const dytq::chain_step> steps(room.steps.data(), {p->operators});
    const dytq::view<const dytq::claimed_fold> claims(&claim, {p->folds() ? 1 : 0});
    CHECK(dytq::check(chain, *p, steps, workspace, uses, claims).has_value());
  }
  WARN(sites << " sites" << seen.text());
  if (only >= 0)
    return;
  for (const char* bucket :
       {"into_conv: yes", "into_conv: shared", "into_conv: observable_code", "into_conv: not_affine", "into_table: yes",
        "into_table_and_conv: yes", "channel_tables: yes", "channel_tables: target_lacks", "unpredictable as a whole",
        "taken: drop", "taken: into_conv", "taken: into_table", "taken: into_table_and_conv", "taken: channel_tables",
        "taken: channel_rescale", "taken: line", "taken: keep", "taken: beta: into_conv"}) {
    INFO(bucket);
    CHECK(seen.of(bucket) * 1000 >= sites);
  }
}

}  // namespace
}  // namespace soundness
