// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The planner against its own documentation: what exists, what the target or an observer rules out, the bills, and
// the choice, all worked out again from the rewrites themselves.
#include <dytq/site_plan.hpp>

#include "harness.hpp"
#include "sites.hpp"
#include "support/catch.hpp"

namespace soundness {
namespace {

using dytq::place;
using dytq::reason;
using dytq::rewrite;

// Which of the codes that somebody may see are gone, or others, after a rewrite.
struct fate {
  bool table = false, gamma_out = false, chain = false;
};
fate fate_of(rewrite r, const oracle::site& g) {
  switch (r) {
    // Beta may undo what gamma does.
    case rewrite::identity: return {.gamma_out = !oracle::gamma_identity(g)};
    // The TABLE emits something else. What the chain ended with may be what it emits now.
    case rewrite::uniform_table:
    case rewrite::channel_tables: return {.table = g.gamma || g.beta, .gamma_out = g.gamma && g.beta};
    case rewrite::retabled: return {.table = true, .gamma_out = g.gamma.has_value(), .chain = true};
    // The chain is gone, and nothing has its codes.
    case rewrite::into_conv: return {.gamma_out = g.gamma.has_value(), .chain = g.gamma || g.beta};
    case rewrite::beta_into_conv: return {.chain = true};
    // The others give every code that they replace, under another name.
    default: return {};
  }
}

struct bill {
  integer operators_removed, operators_added, bytes_removed, bytes_added;
};
bill bill_of(rewrite r, const test_site& t, integer tables) {
  const integer c = t.channels(), rescale = 4 + 1;
  const integer half = c + 3 * rescale;  // three RESCALEs and a code for each channel
  const integer gammas = t.graph.gamma ? 1 : 0, betas = t.graph.beta ? 1 : 0;
  const integer biases =
      4 * (t.graph.conv.out_channels - (t.graph.conv.bias ? static_cast<integer>(t.graph.conv.bias->size()) : 0));
  switch (r) {
    case rewrite::identity:
    case rewrite::uniform_table: return {3 * (gammas + betas), 0, half * (gammas + betas), 0};
    case rewrite::into_conv:
    case rewrite::retabled: return {3 * (gammas + betas), 0, half * (gammas + betas), biases};
    case rewrite::channel_tables:
      return {3 * (gammas + betas) + 1, 1, half * (gammas + betas) + 256, 256 * tables + 4 * c};
    case rewrite::gamma_identity: return {3 * gammas, 0, half * gammas, 0};
    case rewrite::beta_into_conv: return {3 * betas, 0, half * betas, biases};
    case rewrite::gamma_rescale: return {3, 1, half * gammas, rescale * c};
    case rewrite::gamma_depthwise: return {2, 1, c + 2 * rescale, c};
    case rewrite::count_: break;
  }
  return {0, 0, 0, 0};
}

TEST_CASE("the plan lists what exists, refuses by the right name, and picks the best") {
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
    dytq::site_target backend;
    dytq::observed_codes observed;
    for (bool* flag : {&backend.channel_table, &backend.channel_rescale, &backend.depthwise, &backend.table_exclusive,
                       &backend.conv_exclusive, &backend.moves_input_zp})
      *flag = s.chance(80);
    for (bool* flag : {&observed.table, &observed.gamma_out, &observed.add_out})
      *flag = s.chance(15);
    INFO("DYTQ_SEED=" << seed << " DYTQ_SITE=" << k << "\n" << to_string(t));
    const auto p = dytq::plan(l.site, l.conv, l.lines, backend, observed);
    if (!maps) {
      REQUIRE(!p);
      INFO(to_string(p.error()));
      seen.count("unpredictable as a whole");
      bool known = false;
      CHECK(examine_step(t, p.error(), known) == "");
      CHECK(known);
      continue;
    }
    REQUIRE(static_cast<bool>(p));
    CHECK(p->assumes_reachable == (std::find(t.reachable.begin(), t.reachable.end(), false) != t.reachable.end()));
    CHECK(p->operators == (t.graph.gamma ? 3 : 0) + (t.graph.beta ? 3 : 0));

    // What each rewrite itself says.
    const auto into = dytq::prove_affine_fold(l.site, l.conv, l.lines);
    const auto with_table = dytq::prove_table_and_conv_fold(l.site, l.conv, l.lines);
    const auto beta = dytq::prove_beta_fold(l.site, l.conv, l.lines);
    const auto tables = dytq::count_channel_tables({.affine = l.site, .channels = t.channels()});
    REQUIRE(static_cast<bool>(tables));
    CHECK(p->tables == *tables);
    // A tap may be outside the input: at a border, or between the strides of a transposed convolution.
    const bool padded = std::any_of(t.shape.axes.begin(), t.shape.axes.end(),
                                    [](const axis& a) { return a.before != 0 || a.after != 0; }) ||
                        (t.shape.transposed && facts_of(t).classes.size() > 1);
    const auto stays = [&](const auto& fold) {
      return !fold || backend.moves_input_zp || !padded || fold->input_zp == t.graph.conv.input_zp;
    };
    std::vector<std::pair<dytq::rejection, bool>> own(dytq::rewrite_count);  // why not; does the target offer it?
    const auto put = [&](rewrite r, const dytq::rejection& why, bool offered) {
      own[static_cast<std::size_t>(r)] = {why, offered};
    };
    put(rewrite::identity, dytq::is_identity(l.site).error(), true);
    put(rewrite::into_conv, into.error(), stays(into) && backend.conv_exclusive);
    put(rewrite::uniform_table, dytq::fold_affine_into_table(l.site).error(), backend.table_exclusive);
    put(rewrite::retabled, with_table.error(), stays(with_table) && backend.table_exclusive && backend.conv_exclusive);
    put(rewrite::channel_tables, tables.error(), backend.channel_table && backend.table_exclusive);
    put(rewrite::gamma_identity, dytq::is_identity(l.site, dytq::affine_half::gamma).error(), true);
    put(rewrite::beta_into_conv, beta.error(), stays(beta) && backend.conv_exclusive);
    put(rewrite::gamma_rescale, dytq::gamma_as_rescale(l.site).error(), backend.channel_rescale);
    put(rewrite::gamma_depthwise, dytq::gamma_as_depthwise(l.site).error(), backend.depthwise);

    struct choice {
      integer operators, bytes;
      int order;
    };
    std::vector<choice> choices;
    for (int i = 0; i < dytq::rewrite_count; ++i) {
      const auto r = static_cast<rewrite>(i);
      INFO(dytq::name(r));
      const auto& offer = (*p)[r];
      const auto& [why, offered] = own[static_cast<std::size_t>(i)];
      const fate f = fate_of(r, t.graph);
      const bool seen_codes =
          (f.table && observed.table) || (f.gamma_out && observed.gamma_out) || (f.chain && observed.add_out);
      INFO(to_string(offer.why));
      seen.count(std::string(dytq::name(r)) + ": " + (offer.exists() ? "yes" : dytq::name(offer.why.why)));
      if (why.why != reason::none) {
        CHECK(offer.why == why);
      } else if (!offered) {
        CHECK(offer.why.why == reason::target_lacks);
      } else if (seen_codes) {
        CHECK(offer.why.why == reason::observable_code);
        CHECK(((offer.why.at == place::table && f.table && observed.table) ||
               (offer.why.at == place::gamma_out && f.gamma_out && observed.gamma_out) ||
               (offer.why.at == place::add_out && f.chain && observed.add_out)));
      } else {
        CHECK(offer.exists());
      }
      const bill b = bill_of(r, t, *tables);
      CHECK(offer.operators_removed == b.operators_removed);
      CHECK(offer.operators_added == b.operators_added);
      CHECK(offer.bytes_removed == b.bytes_removed);
      CHECK(offer.bytes_added == b.bytes_added);
      const choice c{b.operators_removed - b.operators_added, b.bytes_removed - b.bytes_added, i};
      if (offer.exists() && (c.operators > 0 || p->operators == 0))
        choices.push_back(c);
    }
    std::sort(choices.begin(), choices.end(), [](const choice& a, const choice& b) {
      return a.operators != b.operators ? a.operators > b.operators
             : a.bytes != b.bytes       ? a.bytes > b.bytes
                                        : a.order < b.order;
    });
    // Gamma alone and beta alone together, where that is more.
    int best = choices.empty() ? dytq::rewrite_count : choices[0].order;
    int companion = dytq::rewrite_count;
    integer most = choices.empty() ? 0 : choices[0].operators;
    for (const choice& c : choices) {
      const bool gamma_alone = c.order == static_cast<int>(rewrite::gamma_identity) ||
                               c.order == static_cast<int>(rewrite::gamma_rescale) ||
                               c.order == static_cast<int>(rewrite::gamma_depthwise);
      if (gamma_alone && (*p)[rewrite::beta_into_conv].exists() && c.operators + 3 > most && t.graph.beta) {
        most = c.operators + 3;
        best = c.order;
        companion = static_cast<int>(rewrite::beta_into_conv);
      }
    }
    CHECK(static_cast<int>(p->best) == best);
    CHECK(static_cast<int>(p->companion) == companion);
    seen.count(std::string("best: ") + dytq::name(p->best) + (companion != dytq::rewrite_count ? " and beta" : ""));
  }
  WARN(sites << " sites" << seen.text());
  if (only >= 0)
    return;
  for (const char* bucket : {"into_conv: target_lacks",
                             "into_conv: observable_code",
                             "uniform_table: target_lacks",
                             "uniform_table: observable_code",
                             "retabled: target_lacks",
                             "retabled: observable_code",
                             "channel_tables: target_lacks",
                             "channel_tables: observable_code",
                             "beta_into_conv: target_lacks",
                             "beta_into_conv: observable_code",
                             "gamma_rescale: target_lacks",
                             "gamma_depthwise: target_lacks",
                             "unpredictable as a whole",
                             "best: identity",
                             "best: into_conv",
                             "best: uniform_table",
                             "best: retabled",
                             "best: channel_tables",
                             "best: beta_into_conv",
                             "best: gamma_identity",
                             "best: gamma_rescale",
                             "best: gamma_depthwise",
                             "best: gamma_identity and beta",
                             "best: gamma_rescale and beta",
                             "best: none"}) {
    INFO(bucket);
    CHECK(seen.of(bucket) * 1000 >= sites);
  }
}

}  // namespace
}  // namespace soundness
