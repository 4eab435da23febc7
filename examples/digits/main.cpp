// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds the Dynamic Tanh layers of a quantized network, and shows on real images that not one logit changes.
// Exit status: 0 if every graph gives every expected logit, else 1.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <dytq/fold.hpp>
#include <string>
#include <variant>
#include <vector>

#include "compile_time.hpp"
#include "explain.hpp"
#include "graph.hpp"
#include "network_data.hpp"
#include "variants.hpp"
#include "verify.hpp"

namespace demo {
namespace {

const std::vector<variant> variants = {
    {"as quantized", {}},
    {"alpha folded", {fold_alpha}},
    {"alpha, gamma, beta folded", {fold_alpha, fold_affine}},
};
constexpr std::size_t folded = 2;  // the variant that the table of sites speaks of

std::string of(std::int64_t part, std::int64_t whole) { return std::to_string(part) + " of " + std::to_string(whole); }

void print_network(const network& net, const graph& g) {
  const auto sites = std::count_if(g.begin(), g.end(), [](const node& n) { return n.index() == 1; });
  std::printf("%s: %d convolutions, %d Dynamic Tanh sites, %d images\n\n", net.name,
              static_cast<int>(g.size()) - static_cast<int>(sites), static_cast<int>(sites),
              static_cast<int>(net.images.count()));
}

std::string alpha_text(const dyt_layer& layer) {
  const auto table = dytq::fold_alpha_into_lut(layer.alpha, layer.affine.table);
  return table ? "folded, " + of(table->changed, 256) + " entries change" + (table->wrapped ? " (MUL wraps)" : "")
               : explain(table.error());
}

std::string affine_text(const built_variant& v, const site_outcome& s) {
  const auto* next = s.position + 1 < v.nodes.size() ? std::get_if<conv_node>(&v.nodes[s.position + 1]) : nullptr;
  return std::string(next == nullptr ? "nothing" : next->layer->name) + ": " +
         (s.verdicts.back() ? "folded" : explain(s.verdicts.back().error()));
}

// One line for each site, then the reasons that occurred in full.
void print_sites(const built_variant& v) {
  std::printf("%-6s %8s  %-33s %s\n", "site", "channels", "alpha into the TABLE",
              "gamma and beta into the convolution");
  std::vector<dytq::reason> reasons;
  for (const site_outcome& s : v.sites) {
    const dyt_layer& layer = *std::get<site_node>(v.nodes[s.position]).layer;
    std::printf("%-6s %8d  %-33s %s\n", layer.name, static_cast<int>(layer.shape[2]), alpha_text(layer).c_str(),
                affine_text(v, s).c_str());
    for (const dytq::verdict& verdict : s.verdicts) {
      if (!verdict && std::find(reasons.begin(), reasons.end(), verdict.error().why) == reasons.end()) {
        reasons.push_back(verdict.error().why);
      }
    }
  }
  for (const dytq::reason r : reasons) {
    std::printf("%s: %s\n", dytq::name(r), dytq::describe(r).text);
  }
  std::printf("\n");
}

void print_run(const built_variant& v, const verification& result) {
  const cost c = cost_of_sites(v.nodes);
  const auto each = [&](std::int64_t sum) { return static_cast<double>(sum) / static_cast<double>(c.elements); };
  const std::string sites = of(static_cast<std::int64_t>(v.applied()), static_cast<std::int64_t>(v.sites.size()));
  std::printf("%-26s %-8s %-16s %-12s %9.1f %10.1f\n", v.name, v.sites.front().verdicts.empty() ? "" : sites.c_str(),
              of(result.identical, result.logits).c_str(), of(result.test.correct, result.test.total).c_str(),
              each(c.operators), each(c.operations));
}

// The compiler's fold of the first site against the one that was just run.
bool print_compile_time(const built_variant& alpha_folded) {
  const auto& site = std::get<site_node>(alpha_folded.nodes[alpha_folded.sites.front().position]);
  const auto& table = std::get<table_step>(site.chain[site.table_position()]).tables[0];
  const bool same = table == folded_by_compiler->table;
  std::printf("%s's table was also folded by the compiler (static_assert): %s\n", site.layer->name,
              same ? "identical" : "DIFFERENT");
  return same;
}

int run_demo(const network& net) {
  graph original;
  if (const dytq::verdict v = original_graph(net, original); !v) {
    std::fprintf(stderr, "the graph is not defined: %s\n", explain(v.error()).c_str());
    return 1;
  }
  std::vector<built_variant> built;
  for (const variant& v : variants) {
    built.push_back(build(v, original));
  }
  print_network(net, original);
  print_sites(built[folded]);
  std::printf("%-26s %-8s %-16s %-12s %20s\n", "", "", "logits as", "test images", "per DyT element");
  std::printf("%-26s %-8s %-16s %-12s %9s %10s\n", "graph", "sites", "expected", "right", "operators", "operations");
  bool ok = true;
  std::string tensors;
  for (const built_variant& v : built) {
    const bool is_original = &v == &built.front();
    const verification result = verify(net, v.nodes, is_original);
    print_run(v, result);
    for (const std::string& text : result.differences) {
      std::printf("  DIFFERENCE: %s\n", text.c_str());
    }
    ok = ok && result.ok();
    if (is_original) {
      tensors = of(result.tensors_identical, result.tensors);
    }
  }
  std::printf("\nchecksums of tensors inside the original graph: %s identical\n", tensors.c_str());
  ok = print_compile_time(built[1]) && ok;
  std::printf("%s\n", ok ? "every graph gives every expected logit" : "FAILED");
  return ok ? 0 : 1;
}

}  // namespace
}  // namespace demo

int main() { return demo::run_demo(demo::the_network); }
