// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <dytq/fold.hpp>
#include <dytq/plan.hpp>
#include <dytq/text.hpp>
#include <string>
#include <variant>
#include <vector>

#include "bounded.hpp"
#include "chains.hpp"
#include "explain.hpp"
#include "graph.hpp"
#include "variants.hpp"
#include "verify.hpp"

namespace demo {
namespace {

std::string of(std::int64_t part, std::int64_t whole) { return std::to_string(part) + " of " + std::to_string(whole); }

// Original, alpha folded, on top of that each rewrite of gamma and beta by itself, and what is planned for a target.
std::vector<variant> all_variants() {
  std::vector<variant> variants{{"as quantized", {}}, {"alpha folded", {fold_alpha}}};
  for (const single_rewrite& r : all_single_rewrites) {
    variants.push_back({std::string("+ ") + r.name, {fold_alpha, r.apply}});
  }
  variants.push_back({"chains for plain TOSA", {plan_for_tosa}});
  variants.push_back({"chains for CMSIS-NN", {plan_for_cmsis_nn}});
  return variants;
}
constexpr std::size_t alpha_folded = 1;
constexpr std::size_t first_rewrite = 2;
constexpr std::size_t into_conv = first_rewrite;

const site_node& site_at(const graph& g, std::size_t position) { return std::get<site_node>(g[position]); }

void print_network(const network& net, const graph& g) {
  const std::size_t sites = site_positions(g).size();
  std::printf("%s: %zu convolutions, %zu Dynamic Tanh sites, %lld images\n\n", net.name, g.size() - sites, sites,
              static_cast<long long>(net.images.count()));
}

std::string alpha_text(const dyt_layer& layer) {
  const auto table = dytq::fold_alpha_into_lut(layer.alpha, layer.affine.table);
  return table ? "folded, " + of(table->changed, 256) + " entries change" + (table->wrapped ? " (MUL wraps)" : "")
               : explain(table.error());
}

std::string consumer(const graph& g, std::size_t position) {
  const auto* next = position + 1 < g.size() ? std::get_if<conv_node>(&g[position + 1]) : nullptr;
  return next == nullptr ? "nothing" : next->layer->name;
}

// One line for each site: what folded, or why not. Then what the reasons mean.
void print_sites(const built_variant& v) {
  std::printf("%-8s%-4s%-35s%s\n", "site", "C", "alpha into the TABLE",
              "gamma and beta into the convolution behind it");
  const std::vector<std::size_t> positions = site_positions(v.nodes);
  std::vector<dytq::reason> reasons;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const dyt_layer& layer = *site_at(v.nodes, positions[i]).layer;
    const dytq::verdict& affine = v.verdicts[i].back();
    std::printf("%-8s%-4lld%-35s%s: %s\n", layer.name, static_cast<long long>(layer.shape[2]),
                alpha_text(layer).c_str(), consumer(v.nodes, positions[i]).c_str(),
                affine ? "folded" : explain(affine.error()).c_str());
    for (const dytq::verdict& answer : v.verdicts[i]) {
      if (!answer && std::find(reasons.begin(), reasons.end(), answer.error().why) == reasons.end()) {
        reasons.push_back(answer.error().why);
      }
    }
  }
  for (const dytq::reason r : reasons) {
    std::printf("%s: %s\n", dytq::name(r), dytq::describe(r).text);
  }
}

std::string offer_text(const dytq::chain_plan& plan, dytq::form f) {
  if (!plan[f].exists()) {
    return dytq::name(plan[f].why.why);
  }
  return std::to_string(plan.cost_before) + " -> " + std::to_string(plan[f].cost);
}

// A line for each form, a column for each site; as many sites as a terminal is wide.
void print_forms(const graph& alpha_folded_graph) {
  const std::vector<std::size_t> positions = site_positions(alpha_folded_graph);
  constexpr std::size_t columns = 5;
  for (std::size_t begin = 0; begin < positions.size(); begin += columns) {
    const std::size_t end = std::min(begin + columns, positions.size());
    std::vector<dytq::result<dytq::chain_plan>> plans;
    std::printf("\n%-21s", "form");
    for (std::size_t i = begin; i < end; ++i) {
      plans.push_back(offers_behind_table(alpha_folded_graph, positions[i]));
      std::printf("%-15s", site_at(alpha_folded_graph, positions[i]).layer->name);
    }
    std::printf("%s\n", begin == 0 ? "(operators behind the TABLE)" : "");
    for (int f = 1; f < static_cast<int>(dytq::form::count_); ++f) {  // all but `keep`
      std::string line = dytq::name(static_cast<dytq::form>(f));
      for (std::size_t i = 0; i < plans.size(); ++i) {
        line.resize(std::max(line.size() + 1, 21 + 15 * i), ' ');
        line += plans[i] ? offer_text(*plans[i], static_cast<dytq::form>(f)) : dytq::name(plans[i].error().why);
      }
      std::printf("%s\n", line.c_str());
    }
  }
}

std::string steps_text(const dytq::chain_plan& plan) {
  std::string text;
  for (int i = 0; i < plan.count; ++i) {
    const dytq::plan_stretch& s = plan.stretch(i);
    text += (i > 0 ? ", " : "") + std::to_string(s.from) + "-" + std::to_string(s.to) + " " + dytq::name(s.how);
  }
  return text;
}

// Each site as a chain, and what plain TOSA makes of it.
void print_chains(const graph& original) {
  graph planned = original;
  std::printf("\n%-8s%-12s%s\n", "chain", "operators", "for plain TOSA: steps and what they become; constants");
  for (const std::size_t position : site_positions(original)) {
    const char* const name = site_at(original, position).layer->name;
    const auto plan = plan_chain(planned, position, dytq::targets::tosa);
    if (!plan) {
      std::printf("%-8s%s\n", name, explain(plan.error()).c_str());
      continue;
    }
    std::printf("%-8s%2d -> %-6d%s; %lld bytes\n", name, plan->operators_before, plan->operators,
                steps_text(*plan).c_str(), static_cast<long long>(plan->bytes));
  }
}

void print_plans_in_full(const graph& original) {
  for (const std::int64_t tolerance : {0, 1}) {
    graph planned = original;
    for (const std::size_t position : site_positions(original)) {
      const auto plan = plan_chain(planned, position, dytq::targets::tosa, tolerance);
      std::printf("\n%s%s\n%s", site_at(original, position).layer->name, tolerance == 0 ? "" : ", within one code",
                  plan ? dytq::to_text(*plan).c_str() : dytq::to_text(plan.error()).c_str());
    }
  }
}

void print_run(const built_variant& v, const verification& result) {
  const cost c = cost_of_sites(v.nodes);
  const auto each = [&](std::int64_t sum) { return static_cast<double>(sum) / static_cast<double>(c.elements); };
  const bool rewritten = !v.verdicts.front().empty();
  std::printf("%-26s%-8s%-18s%-13s%9.1f%20.1f\n", v.name.c_str(),
              rewritten ? of(v.applied(), static_cast<std::int64_t>(v.verdicts.size())).c_str() : "",
              of(result.identical, result.logits).c_str(), of(result.test.correct, result.test.total).c_str(),
              each(c.operators), each(c.operations));
  for (const std::string& text : result.differences) {
    std::printf("  DIFFERENCE: %s\n", text.c_str());
  }
}

// A graph that need not be exact: its row in the same table.
void print_inexact(const network& net, const char* name, const graph& g, std::int64_t applied, std::size_t sites) {
  const verification all = verify(net, g, false);
  const cost c = cost_of_sites(g);
  const auto each = [&](std::int64_t sum) { return static_cast<double>(sum) / static_cast<double>(c.elements); };
  std::printf("%-26s%-8s%-18s%-13s%9.1f%20.1f\n", name, of(applied, static_cast<std::int64_t>(sites)).c_str(),
              of(all.identical, all.logits).c_str(), of(all.test.correct, all.test.total).c_str(), each(c.operators),
              each(c.operations));
}

double number(const dytq::code_bound& b) { return std::ldexp(static_cast<double>(b.numerator), -b.shift); }

// Gamma and beta into the convolutions with a bound: what is proven of each site, and what the images show.
void print_bounded(const bounded_graph& g) {
  std::printf("\n%-8s%-9s%10s%10s%10s%10s   %s\n", "site", "bounded", "proven", "no less", "rms", "seen",
              "codes of the convolution's output; of these differ");
  for (const bounded_site& s : g.sites) {
    if (!s.fold) {
      std::printf("%-8s%-9s%s\n", s.name.c_str(), s.conv.c_str(), explain(s.fold.error()).c_str());
      continue;
    }
    std::printf("%-8s%-9s%10.3f%10.3f%10.3f%10lld   %s%s\n", s.name.c_str(), s.conv.c_str(), number(s.fold->bound),
                number(s.fold->lower_bound), number(s.root_mean_square), static_cast<long long>(s.seen.largest),
                of(s.seen.differ, s.seen.outputs).c_str(), s.holds() ? "" : "  FAILED: more than what is proven");
  }
}

// Chains within one code, the same way.
void print_near(const near_graph& g) {
  std::printf("\n%-8s%-12s%-52s%7s%8s%6s   %s\n", "site", "operators", "within 1 code", "proven", "rms", "seen",
              "codes of the site's output; of these differ");
  for (const near_site& s : g.sites) {
    if (!s.plan) {
      std::printf("%-8s%s\n", s.name.c_str(), explain(s.plan.error()).c_str());
      continue;
    }
    double rms = 0;
    for (int i = 0; i < s.plan->count; ++i) {
      rms = std::max(rms, number(s.plan->stretch(i).root_mean_square));
    }
    std::printf("%-8s%2d -> %-6d%-52s", s.name.c_str(), s.plan->operators_before, s.plan->operators,
                steps_text(*s.plan).c_str());
    if (!s.seen.compares) {
      std::printf("  exact    its end is in the convolution's weights: no code of the site is left to compare\n");
      continue;
    }
    std::printf("%7lld%8.3f%6lld   %s%s\n", static_cast<long long>(s.proven()), rms,
                static_cast<long long>(s.seen.largest), of(s.seen.differ, s.seen.outputs).c_str(),
                s.holds() ? "" : "  FAILED: more than what is proven");
  }
}

// What is not exact, where the network has it.
bool print_inexact_graphs(const network& net, const graph& original, const graph& with_alpha_folded) {
  std::string near_failed;
  std::string bounded_failed;
  const near_graph near = plan_near(net, original, near_failed);
  const bounded_graph bounded = fold_bounded(net, with_alpha_folded, bounded_failed);
  const auto planned =
      std::count_if(near.sites.begin(), near.sites.end(), [](const near_site& s) { return s.plan.has_value(); });
  print_inexact(net, "chains within 1 code", near.nodes, planned, near.sites.size());
  if (bounded.applied() != 0) {
    print_inexact(net, "bounded, TABLE alone", bounded.nodes, bounded.applied(), bounded.sites.size());
  }
  for (const std::string& failed : {near_failed, bounded_failed}) {
    if (!failed.empty()) {
      std::printf("  FAILED: %s\n", failed.c_str());
      return false;
    }
  }
  print_near(near);
  if (bounded.applied() != 0) {
    print_bounded(bounded);
  }
  return near.holds() && bounded.holds();
}

}  // namespace

bool report(const network& net, const dytq::result<dytq::folded_table>& by_compiler, bool plans_in_full) {
  graph original;
  if (const dytq::verdict v = original_graph(net, original); !v) {
    std::printf("FAILED: the graph has no meaning: %s\n", dytq::to_text(v.error()).c_str());
    return false;
  }
  std::vector<built_variant> built;
  for (const variant& v : all_variants()) {
    built.push_back(build(v, original));
  }
  print_network(net, original);
  print_sites(built[into_conv]);
  print_forms(built[alpha_folded].nodes);
  print_chains(original);
  if (plans_in_full) {
    print_plans_in_full(original);
  }
  std::printf("\n%-26s%-8s%-18s%-13s%s\n", "graph", "sites", "logits identical", "tests right",
              "operators, integer operations per DyT element");
  bool ok = true;
  std::string tensors;
  std::vector<verification> results(built.size());
  for (std::size_t i = 0; i < built.size(); ++i) {
    if (i >= first_rewrite && built[i].applied() == 0) {
      continue;  // the same graph as without that rewrite
    }
    // Two rewrites can make the same graph; it is not run again.
    const auto twin = std::find_if(built.begin(), built.begin() + static_cast<std::ptrdiff_t>(i),
                                   [&](const built_variant& v) { return v.nodes == built[i].nodes; });
    const auto index = static_cast<std::size_t>(twin - built.begin());
    results[i] = index < i ? results[index] : verify(net, built[i].nodes, i == 0);
    const verification& result = results[i];
    print_run(built[i], result);
    ok = ok && result.ok();
    tensors = i == 0 ? of(result.tensors_identical, result.tensors) : tensors;
  }
  ok = print_inexact_graphs(net, original, built[alpha_folded].nodes) && ok;
  const auto& site = site_at(built[alpha_folded].nodes, site_positions(original).front());
  const bool same =
      built[alpha_folded].verdicts.front().back().error() == by_compiler.error() &&
      (!by_compiler || std::get<table_step>(site.chain[site.table_position()]).tables[0] == by_compiler->table);
  std::printf("\n%s checksums of tensors inside the original graph are identical.\n", tensors.c_str());
  std::printf("%s's table as the compiler folded it (static_assert): %s.\n", site.layer->name,
              same ? "identical" : "DIFFERENT");
  ok = ok && same;
  std::printf("%s\n", ok ? "Every exact graph gives every expected logit; no bound is exceeded." : "FAILED");
  return ok;
}

}  // namespace demo
