// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bounded.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "chains.hpp"
#include "explain.hpp"
#include "run_graph.hpp"
#include "variants.hpp"
#include "verify.hpp"

namespace demo {
namespace {

bounded_site fold_site(site_node& site, conv_node& conv) {
  bounded_site done{.name = site.layer->name, .conv = conv.layer->name};
  if (conv.layer->to_codes.rounding != dytq::rounding_mode::single_round) {
    done.fold = dytq::reason::unknown_rounding_mode;
    return done;
  }
  const auto table = site.chain.begin() + static_cast<std::ptrdiff_t>(site.table_position());
  dytq::affine_site affine = site.layer->affine;
  affine.table = std::get<table_step>(*table).tables[0];
  const dytq::convolution before = conv.conv();
  const auto outputs = static_cast<std::size_t>(before.output_channels());
  std::vector<std::int32_t> multiplier(outputs);
  std::vector<std::int32_t> shift(outputs);
  std::vector<dytq::channel_bound> bounds(outputs);
  std::vector<std::int64_t> workspace(static_cast<std::size_t>(dytq::bounded_workspace(before)));
  done.fold = dytq::fold_bounded(affine, before, {conv.multiplier, conv.shift}, INT64_MAX,
                                 {.weight = conv.weight_view(),
                                  .bias = conv.bias,
                                  .multiplier = multiplier,
                                  .shift = shift,
                                  .bounds = bounds,
                                  .workspace = workspace});
  if (done.fold) {
    conv.input_zp = done.fold->input_zp;
    conv.multiplier = multiplier;
    conv.shift = shift;
    site.chain.erase(table + 1, site.chain.end());
    for (const dytq::channel_bound& b : bounds) {
      done.root_mean_square = std::max(done.root_mean_square, b.root_mean_square);
    }
  }
  return done;
}

}  // namespace

bool bounded_graph::holds() const {
  return std::all_of(sites.begin(), sites.end(), [](const bounded_site& s) { return s.holds(); });
}

std::int64_t bounded_graph::applied() const {
  return std::count_if(sites.begin(), sites.end(), [](const bounded_site& s) { return s.fold.has_value(); });
}

namespace {

// Runs all images through `before`, and at each site also through so many nodes of `after`. -> the first failure.
std::string observe(const network& net, const graph& before, const graph& after, std::size_t nodes,
                    const std::vector<observation*>& sites) {
  const auto nothing = [](const std::string&, std::int64_t, std::int64_t, const std::vector<std::int32_t>&) {};
  for (std::int64_t first = 0; first < net.images.count(); first += batch_size) {
    codes x = load(net, first);
    std::size_t site = 0;
    for (std::size_t i = 0; i < before.size();) {
      failure at;
      observation* seen = std::holds_alternative<site_node>(before[i]) ? sites[site++] : nullptr;
      const std::size_t end = seen != nullptr && seen->compares ? i + nodes : i + 1;
      const auto part = [&](const graph& g) {
        return graph(g.begin() + static_cast<std::ptrdiff_t>(i), g.begin() + static_cast<std::ptrdiff_t>(end));
      };
      codes y = x;
      if (!run(part(before), x, nothing, at) ||
          (seen != nullptr && seen->compares && !run(part(after), y, nothing, at))) {
        return at.where + ": " + explain(at.why);
      }
      if (seen != nullptr && seen->compares) {
        for (std::size_t k = 0; k < x.data.size(); ++k) {
          const std::int64_t difference = std::abs(int{x.data[k]} - int{y.data[k]});
          seen->differ += difference != 0 ? 1 : 0;
          seen->largest = std::max(seen->largest, difference);
        }
        seen->outputs += static_cast<std::int64_t>(x.data.size());
      }
      i = end;
    }
  }
  return {};
}

template <class Site>
std::vector<observation*> observations(std::vector<Site>& sites) {
  std::vector<observation*> all;
  for (Site& s : sites) {
    all.push_back(&s.seen);
  }
  return all;
}

}  // namespace

bounded_graph fold_bounded(const network& net, const graph& alpha_folded, std::string& failed) {
  bounded_graph g{alpha_folded, {}};
  for (const std::size_t at : site_positions(g.nodes)) {
    auto* const conv = at + 1 < g.nodes.size() ? std::get_if<conv_node>(&g.nodes[at + 1]) : nullptr;
    auto& site = std::get<site_node>(g.nodes[at]);
    g.sites.push_back(conv != nullptr ? fold_site(site, *conv) : bounded_site{.name = site.layer->name});
    g.sites.back().seen.compares = g.sites.back().fold.has_value();
  }
  failed = g.applied() != 0 ? observe(net, alpha_folded, g.nodes, 2, observations(g.sites)) : std::string();
  return g;
}

std::int64_t near_site::proven() const {
  std::int64_t most = 0;
  for (int i = 0; plan && i < plan->count; ++i) {
    most = std::max(most, plan->stretch(i).max_difference);
  }
  return most;
}

bool near_graph::holds() const {
  return std::all_of(sites.begin(), sites.end(), [](const near_site& s) { return s.holds(); });
}

near_graph plan_near(const network& net, const graph& original, std::string& failed) {
  near_graph g{original, {}};
  graph results = original;  // without the convolutions' new constants
  for (const std::size_t at : site_positions(original)) {
    g.sites.push_back({.name = std::get<site_node>(original[at]).layer->name,
                       .plan = plan_chain(g.nodes, at, dytq::targets::tosa, 1)});
    near_site& site = g.sites.back();
    site.seen.compares = site.plan && !site.plan->folds();
    results[at] = site.seen.compares ? g.nodes[at] : original[at];
  }
  failed = observe(net, original, results, 1, observations(g.sites));
  return g;
}

}  // namespace demo
