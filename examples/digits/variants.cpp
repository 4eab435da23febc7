// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "variants.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <dytq/fold.hpp>
#include <dytq/layer.hpp>
#include <dytq/rescale.hpp>
#include <variant>
#include <vector>

namespace demo {

std::vector<std::size_t> site_positions(const graph& g) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (std::holds_alternative<site_node>(g[i])) {
      positions.push_back(i);
    }
  }
  return positions;
}

built_variant build(const variant& what, const graph& original) {
  built_variant built{what.name, original, {}};
  for (const std::size_t position : site_positions(original)) {
    built.verdicts.emplace_back();
    for (const site_rewrite r : what.rewrites) {
      built.verdicts.back().push_back(r(built.nodes, position));
    }
  }
  return built;
}

// ---- the network as it is ----

namespace {

// Constants go through their RESCALE once, when the graph is made.
dytq::verdict rescale_constants(const dytq::rescale& r, const dytq::view<const std::int8_t>& codes, dytq::place at,
                                per_channel<std::int32_t>& out) {
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

// A site as the network has it: ten operators per element if it has gamma and beta.
dytq::verdict original_site(const dyt_layer& layer, site_node& site) {
  using dytq::place;
  const auto& before = layer.alpha.steps;
  const auto& after = layer.affine.steps;
  const std::int8_t alpha_code[] = {static_cast<std::int8_t>(layer.alpha.alpha)};
  mul_step alpha;
  mul_step gamma;
  add_step beta;
  for (const dytq::verdict& v : {rescale_constants(before.alpha, alpha_code, place::alpha, alpha.factor),
                                 rescale_constants(after.gamma, layer.affine.gamma, place::gamma, gamma.factor),
                                 rescale_constants(after.beta, layer.affine.beta, place::beta, beta.term)}) {
    if (!v) {
      return v;
    }
  }
  table_step table{.index = {0}, .tables = {{}}};
  for (std::size_t i = 0; i < table.tables[0].size(); ++i) {
    table.tables[0][i] = layer.affine.table(i);
  }
  site = {&layer,
          {rescale_step{place::activation, {before.activation}}, alpha, rescale_step{place::mul_out, {before.mul_out}},
           table}};
  if (layer.affine.has_gamma()) {
    site.chain.insert(site.chain.end(), {rescale_step{place::none, {after.table}}, gamma,
                                         rescale_step{place::gamma_out, {after.gamma_out}}});
  }
  if (layer.affine.has_beta()) {
    site.chain.insert(site.chain.end(), {rescale_step{place::add_in, {after.add_in}}, beta,
                                         rescale_step{place::add_out, {after.add_out}}});
  }
  return dytq::accepted{};
}

}  // namespace

dytq::verdict original_graph(const network& net, graph& g) {
  for (std::int64_t i = 0; i < net.layers.extent(0); ++i) {
    const layer& l = net.layers(i);
    if (l.kind == layer_kind::conv) {
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

// ---- the rewrites ----

namespace {

// A site between its graph and the library: what it has of constants, and where its answers go.
class site_editor {
 public:
  site_editor(graph& g, std::size_t position)
      : site_(std::get<site_node>(g[position])),
        next_(position + 1 < g.size() ? std::get_if<conv_node>(&g[position + 1]) : nullptr),
        lines_(4 * static_cast<std::size_t>(site_.layer->shape[2])) {}

  const dyt_layer& layer() const { return *site_.layer; }
  std::int64_t channels() const { return layer().shape[2]; }
  table_step& table() { return std::get<table_step>(site_.chain[site_.table_position()]); }
  /// The site behind its TABLE, which holds alpha already if that was folded.
  dytq::affine_site affine() {
    dytq::affine_site a = layer().affine;
    a.table = table().tables[0];
    return a;
  }
  /// The convolution behind the site; none if there is none.
  dytq::convolution conv() const { return next_ == nullptr ? dytq::convolution{} : next_->conv(); }
  dytq::view<std::int16_t> lines() { return lines_; }
  dytq::fold_outputs outputs() {
    return next_ == nullptr ? dytq::fold_outputs{.workspace = lines_}
                            : dytq::fold_outputs{next_->weight_view(), next_->bias, lines_};
  }
  void set_input_zp(std::int32_t zp) { next_->input_zp = zp; }

  void drop_before_table() { site_.chain.erase(site_.chain.begin(), table_iterator()); }
  /// The operators of a half in the original chain; what a rewrite puts in their place.
  void replace_gamma(std::size_t operators, const std::vector<element_operator>& by) {
    const auto at =
        site_.chain.erase(table_iterator() + 1, table_iterator() + 1 + static_cast<std::ptrdiff_t>(operators));
    site_.chain.insert(at, by.begin(), by.end());
  }
  void drop_beta() {
    if (layer().affine.has_beta()) {
      site_.chain.resize(site_.chain.size() - 3);
    }
  }
  void drop_after_table() { site_.chain.erase(table_iterator() + 1, site_.chain.end()); }

 private:
  std::vector<element_operator>::iterator table_iterator() {
    return site_.chain.begin() + static_cast<std::ptrdiff_t>(site_.table_position());
  }

  site_node& site_;
  conv_node* next_;
  std::vector<std::int16_t> lines_;
};

template <class T>
dytq::verdict verdict_of(const dytq::result<T>& r) {
  return r ? dytq::verdict(dytq::accepted{}) : dytq::verdict(r.error());
}

}  // namespace

dytq::verdict fold_alpha(graph& g, std::size_t position) {
  site_editor site(g, position);
  const auto folded = dytq::fold_alpha_into_lut(site.layer().alpha, site.table().tables[0]);
  if (folded) {
    site.table().tables[0] = folded->table;
    site.drop_before_table();
  }
  return verdict_of(folded);
}

namespace {

dytq::verdict drop(graph& g, std::size_t position) {
  site_editor site(g, position);
  const dytq::verdict same = dytq::is_identity(site.affine());
  if (same) {
    site.drop_after_table();
  }
  return same;
}

dytq::verdict into_conv(graph& g, std::size_t position) {
  site_editor site(g, position);
  const auto folded = dytq::fold_affine_into_conv(site.affine(), site.conv(), site.outputs());
  if (folded) {
    site.set_input_zp(folded->input_zp);
    site.drop_after_table();
  }
  return verdict_of(folded);
}

dytq::verdict into_table(graph& g, std::size_t position) {
  site_editor site(g, position);
  const auto table = dytq::fold_affine_into_table(site.affine());
  if (table) {
    site.table().tables[0] = *table;
    site.drop_after_table();
  }
  return verdict_of(table);
}

dytq::verdict into_table_and_conv(graph& g, std::size_t position) {
  site_editor site(g, position);
  const auto folded = dytq::fold_affine_into_table_and_conv(site.affine(), site.conv(), site.outputs());
  if (folded) {
    site.table().tables[0] = folded->table;
    site.set_input_zp(folded->input_zp);
    site.drop_after_table();
  }
  return verdict_of(folded);
}

dytq::verdict channel_tables(graph& g, std::size_t position) {
  site_editor site(g, position);
  const dytq::layer_site layer{.affine = site.affine(), .channels = site.channels()};
  const dytq::result<std::int64_t> count = dytq::count_channel_tables(layer);
  if (!count) {
    return count.error();
  }
  std::vector<std::int32_t> index(static_cast<std::size_t>(site.channels()));
  table_step step{.index = {}, .tables = std::vector<dytq::table8>(static_cast<std::size_t>(*count))};
  const auto made = dytq::make_channel_tables(layer, index, {step.tables.front().data(), {*count, 256}});
  if (made) {
    step.index.assign(index.begin(), index.end());
    site.table() = step;
    site.drop_after_table();
  }
  return verdict_of(made);
}

dytq::verdict drop_gamma(graph& g, std::size_t position) {
  site_editor site(g, position);
  const dytq::verdict same = dytq::is_identity(site.affine(), dytq::affine_half::gamma);
  if (same && site.layer().affine.has_gamma()) {
    site.replace_gamma(3, {});
  }
  return same;
}

dytq::verdict beta_into_conv(graph& g, std::size_t position) {
  site_editor site(g, position);
  const auto folded = dytq::fold_beta_into_conv(site.affine(), site.conv(), site.outputs());
  if (folded) {
    site.set_input_zp(folded->input_zp);
    site.drop_beta();
  }
  return verdict_of(folded);
}

dytq::verdict gamma_as_rescale(graph& g, std::size_t position) {
  site_editor site(g, position);
  std::vector<std::int32_t> multiplier(static_cast<std::size_t>(site.channels()));
  std::vector<std::int32_t> shift(multiplier.size());
  const auto found = dytq::gamma_as_rescale(site.affine(), multiplier, shift);
  if (found) {
    rescale_step step{dytq::place::gamma_out, {}};
    for (std::size_t c = 0; c < multiplier.size(); ++c) {
      step.scale.push_back({multiplier[c], shift[c], found->input_zp, found->output_zp,
                            site.layer().affine.steps.gamma_out.out, found->rounding});
    }
    site.replace_gamma(3, {step});
  }
  return verdict_of(found);
}

dytq::verdict gamma_as_depthwise(graph& g, std::size_t position) {
  site_editor site(g, position);
  std::vector<std::int8_t> weight(static_cast<std::size_t>(site.channels()));
  const auto found = dytq::gamma_as_depthwise(site.affine(), weight);
  if (found) {  // the RESCALE after it stays
    site.replace_gamma(2, {depthwise_step{weight, static_cast<std::int8_t>(found->weight_zp), found->input_zp}});
  }
  return verdict_of(found);
}

}  // namespace

const std::array<single_rewrite, single_rewrites> all_single_rewrites = {{{"into_conv", into_conv},
                                                                          {"drop", drop},
                                                                          {"into_table", into_table},
                                                                          {"into_table_and_conv", into_table_and_conv},
                                                                          {"channel_tables", channel_tables},
                                                                          {"gamma: drop", drop_gamma},
                                                                          {"beta: into_conv", beta_into_conv},
                                                                          {"gamma: channel_rescale", gamma_as_rescale},
                                                                          {"gamma: depthwise", gamma_as_depthwise}}};

}  // namespace demo
