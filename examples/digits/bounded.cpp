// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bounded.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

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

bounded_graph fold_bounded(const graph& alpha_folded) {
  bounded_graph g{alpha_folded, {}};
  for (const std::size_t at : site_positions(g.nodes)) {
    auto* const conv = at + 1 < g.nodes.size() ? std::get_if<conv_node>(&g.nodes[at + 1]) : nullptr;
    auto& site = std::get<site_node>(g.nodes[at]);
    g.sites.push_back(conv != nullptr ? fold_site(site, *conv) : bounded_site{.name = site.layer->name});
  }
  return g;
}

std::string observe(const network& net, const graph& alpha_folded, bounded_graph& g) {
  const auto nothing = [](const std::string&, std::int64_t, std::int64_t, const std::vector<std::int32_t>&) {};
  for (std::int64_t first = 0; first < net.images.count(); first += batch_size) {
    codes x = load(net, first);
    std::size_t site = 0;
    for (std::size_t i = 0; i < alpha_folded.size(); ++i) {
      failure at;
      const bool folds = std::holds_alternative<site_node>(alpha_folded[i]) && site < g.sites.size();
      const bool compares = folds && g.sites[site].fold.has_value();
      codes y = x;  // through the folded site, if it is one
      if (compares &&
          !run({g.nodes.begin() + static_cast<std::ptrdiff_t>(i), g.nodes.begin() + static_cast<std::ptrdiff_t>(i + 2)},
               y, nothing, at)) {
        return at.where + ": " + explain(at.why);
      }
      const std::size_t last = compares ? i + 1 : i;
      for (; i <= last; ++i) {
        if (!run({alpha_folded[i]}, x, nothing, at)) {
          return at.where + ": " + explain(at.why);
        }
      }
      --i;
      if (compares) {
        bounded_site& s = g.sites[site];
        for (std::size_t k = 0; k < x.data.size(); ++k) {
          const std::int64_t difference = std::abs(int{x.data[k]} - int{y.data[k]});
          s.differ += difference != 0 ? 1 : 0;
          s.largest = std::max(s.largest, difference);
        }
        s.outputs += static_cast<std::int64_t>(x.data.size());
      }
      site += folds ? 1 : 0;
    }
  }
  return {};
}

}  // namespace demo
