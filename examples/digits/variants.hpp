// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms that a graph can take: the original, and what exact rewrites make of its sites.
#ifndef DYTQ_DEMO_VARIANTS_HPP
#define DYTQ_DEMO_VARIANTS_HPP

#include <cstddef>
#include <cstdint>
#include <dytq/fold.hpp>
#include <vector>

#include "graph.hpp"

namespace demo {

/// Rewrites the site at a position of the graph, or says why it cannot and leaves the graph as it is.
using rewrite = dytq::verdict (*)(graph&, std::size_t position);

/// A form of the graph: every rewrite is tried at every site, in this order.
struct variant {
  const char* name;
  std::vector<rewrite> rewrites;
};

// Constants go through their RESCALE once, when the graph is made.
inline dytq::verdict rescale_constants(const dytq::rescale& r, const dytq::view<const std::int8_t>& codes,
                                       dytq::step at, per_channel<std::int32_t>& out) {
  for (std::int64_t c = 0; c < codes.extent(0); ++c) {
    const dytq::result<std::int32_t> value = dytq::apply(r, codes(c), at);
    if (!value) {
      dytq::rejection why = value.error();
      why.channel = c;
      return why;
    }
    out.push_back(*value);
  }
  return dytq::accepted{};
}

/// A site as the network has it: ten operators per element if it has gamma and beta.
inline dytq::verdict original_site(const dyt_layer& layer, site_node& site) {
  using dytq::step;
  const auto& before = layer.alpha.steps;
  const auto& after = layer.affine.steps;
  const std::int8_t alpha_code[] = {static_cast<std::int8_t>(layer.alpha.alpha)};
  mul_step alpha;
  mul_step gamma;
  add_step beta;
  for (const dytq::verdict& v : {rescale_constants(before.alpha, alpha_code, step::alpha, alpha.factor),
                                 rescale_constants(after.gamma, layer.affine.gamma, step::gamma, gamma.factor),
                                 rescale_constants(after.beta, layer.affine.beta, step::beta, beta.term)}) {
    if (!v) {
      return v;
    }
  }
  table_step table{.index = {0}, .tables = {{}}};
  for (std::size_t i = 0; i < table.tables[0].size(); ++i) {
    table.tables[0][i] = layer.affine.table(i);
  }
  site = {&layer,
          {rescale_step{step::activation, {before.activation}}, alpha, rescale_step{step::mul_out, {before.mul_out}},
           table}};
  if (layer.affine.has_gamma()) {
    site.chain.insert(site.chain.end(), {rescale_step{step::none, {after.table}}, gamma,
                                         rescale_step{step::gamma_out, {after.gamma_out}}});
  }
  if (layer.affine.has_beta()) {
    site.chain.insert(site.chain.end(),
                      {rescale_step{step::add_in, {after.add_in}}, beta, rescale_step{step::add_out, {after.add_out}}});
  }
  return dytq::accepted{};
}

/// The network as it is.
inline dytq::verdict original_graph(const network& net, graph& g) {
  for (std::int64_t i = 0; i < net.layers.extent(0); ++i) {
    const layer& l = net.layers(i);
    if (l.conv != nullptr) {
      g.emplace_back(conv_node(*l.conv));
      continue;
    }
    site_node site;
    if (const dytq::verdict v = original_site(*l.dyt, site); !v) {
      return v;
    }
    g.emplace_back(site);
  }
  return dytq::accepted{};
}

/// Alpha into the TABLE: the operators before it go.
inline dytq::verdict fold_alpha(graph& g, std::size_t position) {
  auto& site = std::get<site_node>(g[position]);
  const std::size_t at = site.table_position();
  auto& table = std::get<table_step>(site.chain[at]);
  const dytq::result<dytq::folded_table> folded = dytq::fold_alpha_into_lut(site.layer->alpha, table.tables[0]);
  if (!folded) {
    return folded.error();
  }
  table.tables[0] = folded->table;
  site.chain.erase(site.chain.begin(), site.chain.begin() + static_cast<std::ptrdiff_t>(at));
  return dytq::accepted{};
}

/// Gamma and beta into the convolution behind the site: the operators after the TABLE go.
inline dytq::verdict fold_affine(graph& g, std::size_t position) {
  auto& site = std::get<site_node>(g[position]);
  auto* next = position + 1 < g.size() ? std::get_if<conv_node>(&g[position + 1]) : nullptr;
  if (next == nullptr) {
    return dytq::rejection{.why = dytq::reason::empty, .at = dytq::step::weight};
  }
  const std::size_t at = site.table_position();
  dytq::affine_site affine = site.layer->affine;
  affine.table = std::get<table_step>(site.chain[at]).tables[0];
  std::vector<dytq::channel_line> lines(static_cast<std::size_t>(next->layer->conv.input_channels()));
  const dytq::result<dytq::affine_fold> folded =
      dytq::fold_affine_into_conv(affine, next->conv(), {next->weight_view(), next->bias, lines});
  if (!folded) {
    return folded.error();
  }
  next->input_zp = folded->input_zp;
  site.chain.resize(at + 1);
  return dytq::accepted{};
}

/// What became of a variant at one site: a verdict for each of its rewrites.
struct site_outcome {
  std::size_t position;
  std::vector<dytq::verdict> verdicts;
};

struct built_variant {
  const char* name;
  graph nodes;
  std::vector<site_outcome> sites;

  /// At how many sites the last rewrite, the one that makes this variant, applied.
  std::size_t applied() const {
    std::size_t n = 0;
    for (const site_outcome& s : sites) {
      n += !s.verdicts.empty() && s.verdicts.back() ? 1u : 0u;
    }
    return n;
  }
};

inline built_variant build(const variant& what, const graph& original) {
  built_variant built{what.name, original, {}};
  for (std::size_t i = 0; i < built.nodes.size(); ++i) {
    if (std::holds_alternative<site_node>(built.nodes[i])) {
      site_outcome outcome{i, {}};
      for (const rewrite r : what.rewrites) {
        outcome.verdicts.push_back(r(built.nodes, i));
      }
      built.sites.push_back(outcome);
    }
  }
  return built;
}

}  // namespace demo

#endif
