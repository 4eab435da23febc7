// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <dytq/fold.hpp>
#include <dytq/plan_text.hpp>
#include <dytq/site_plan.hpp>
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

// Original, alpha folded, and on top of that each rewrite of gamma and beta by itself and the planner's choice.
std::vector<variant> all_variants() {
  std::vector<variant> variants{{"as quantized", {}}, {"alpha folded", {fold_alpha}}};
  for (int i = 0; i < dytq::rewrite_count; ++i) {
    const auto r = static_cast<dytq::rewrite>(i);
    variants.push_back({std::string("+ ") + dytq::name(r), {fold_alpha, function_of(r)}});
  }
  variants.push_back({"+ what the planner picks", {fold_alpha, apply_plan}});
  variants.push_back({"chains for plain TOSA", {plan_for_tosa}});
  variants.push_back({"chains for CMSIS-NN", {plan_for_cmsis_nn}});
  return variants;
}
constexpr std::size_t alpha_folded = 1;
constexpr std::size_t first_rewrite = 2;
constexpr std::size_t into_conv = first_rewrite + static_cast<std::size_t>(dytq::rewrite::into_conv);

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

std::string offer_text(const dytq::site_plan& plan, dytq::rewrite r) {
  if (!plan[r].exists()) {
    return dytq::name(plan[r].why.why);
  }
  std::string text =
      std::to_string(plan.operators) + " -> " + std::to_string(plan.operators - plan[r].operators_saved());
  if (r == dytq::rewrite::channel_tables) {
    text += ", k=" + std::to_string(plan.tables);
  }
  return text + (r == plan.best || r == plan.companion ? " *" : "");
}

// A line for each rewrite, a column for each site; as many sites as a terminal is wide.
void print_plans(const graph& original) {
  built_variant folded = build({"", {fold_alpha}}, original);
  const std::vector<std::size_t> positions = site_positions(folded.nodes);
  constexpr std::size_t columns = 5;
  for (std::size_t begin = 0; begin < positions.size(); begin += columns) {
    const std::size_t end = std::min(begin + columns, positions.size());
    std::vector<dytq::result<dytq::site_plan>> plans;
    std::printf("\n%-18s", "planner");
    for (std::size_t i = begin; i < end; ++i) {
      plans.push_back(plan_of(folded.nodes, positions[i]));
      std::printf("%-16s", site_at(folded.nodes, positions[i]).layer->name);
    }
    std::printf("%s\n", begin == 0 ? "(operators behind the TABLE; * the best)" : "");
    for (int r = 0; r < dytq::rewrite_count; ++r) {
      std::string line = dytq::name(static_cast<dytq::rewrite>(r));
      for (std::size_t i = 0; i < plans.size(); ++i) {
        line.resize(std::max(line.size() + 1, 18 + 16 * i), ' ');
        line += plans[i] ? offer_text(*plans[i], static_cast<dytq::rewrite>(r)) : dytq::name(plans[i].error().why);
      }
      std::printf("%s\n", line.c_str());
    }
  }
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
    std::string text;
    for (int i = 0; i < plan->count; ++i) {
      const dytq::plan_stretch& s = plan->stretch(i);
      text += (i > 0 ? ", " : "") + std::to_string(s.from) + "-" + std::to_string(s.to) + " " + dytq::name(s.how);
    }
    std::printf("%-8s%2d -> %-6d%s; %lld bytes\n", name, plan->operators_before, plan->operators, text.c_str(),
                static_cast<long long>(plan->bytes));
  }
}

void print_plans_in_full(const graph& original) {
  built_variant folded = build({"", {fold_alpha}}, original);
  for (const std::size_t position : site_positions(folded.nodes)) {
    const auto plan = plan_of(folded.nodes, position);
    std::printf("\n%s\n%s", site_at(folded.nodes, position).layer->name,
                plan ? dytq::to_text(*plan).c_str() : dytq::to_text(plan.error()).c_str());
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

double number(const dytq::code_bound& b) { return std::ldexp(static_cast<double>(b.numerator), -b.shift); }

// Gamma and beta into the convolutions with a bound: what is proven of each site, and what the images show.
bool print_bounded(const network& net, const graph& original) {
  bounded_graph g = fold_bounded(original);
  if (g.applied() == 0) {
    return true;
  }
  const verification all = verify(net, g.nodes, false);
  const cost c = cost_of_sites(g.nodes);
  const auto each = [&](std::int64_t sum) { return static_cast<double>(sum) / static_cast<double>(c.elements); };
  std::printf("%-26s%-8s%-18s%-13s%9.1f%20.1f\n", "bounded, TABLE alone",
              of(g.applied(), static_cast<std::int64_t>(g.sites.size())).c_str(), of(all.identical, all.logits).c_str(),
              of(all.test.correct, all.test.total).c_str(), each(c.operators), each(c.operations));
  if (const std::string failed = observe(net, original, g); !failed.empty()) {
    std::printf("  FAILED: %s\n", failed.c_str());
    return false;
  }
  std::printf("\n%-8s%-9s%10s%10s%10s%10s   %s\n", "site", "bounded", "proven", "no less", "rms", "seen",
              "codes of the convolution's output; of these differ");
  for (const bounded_site& s : g.sites) {
    if (!s.fold) {
      std::printf("%-8s%-9s%s\n", s.name.c_str(), s.conv.c_str(), explain(s.fold.error()).c_str());
      continue;
    }
    std::printf("%-8s%-9s%10.3f%10.3f%10.3f%10lld   %s%s\n", s.name.c_str(), s.conv.c_str(), number(s.fold->bound),
                number(s.fold->lower_bound), number(s.root_mean_square), static_cast<long long>(s.largest),
                of(s.differ, s.outputs).c_str(), s.holds() ? "" : "  FAILED: more than what is proven");
  }
  return g.holds();
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
  print_plans(original);
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
  ok = print_bounded(net, built[alpha_folded].nodes) && ok;
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
