// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms that a graph can take: the original, and what each of the library's exact rewrites makes of its sites.
#ifndef DYTQ_DEMO_VARIANTS_HPP
#define DYTQ_DEMO_VARIANTS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <dytq/fold.hpp>
#include <string>
#include <vector>

#include "graph.hpp"

namespace demo {

/// Rewrites the site at a position of the graph, or says why it cannot and leaves the graph as it is.
using site_rewrite = dytq::verdict (*)(graph&, std::size_t position);

/// A form of the graph: every rewrite is tried at every site, in this order.
struct variant {
  std::string name;
  std::vector<site_rewrite> rewrites;
};

/// A variant of a graph. `verdicts` has a line for each site, with an answer from each rewrite.
struct built_variant {
  std::string name;
  graph nodes;
  std::vector<std::vector<dytq::verdict>> verdicts;

  /// At how many sites the last rewrite, the one that makes this variant, applied.
  std::int64_t applied() const {
    std::int64_t n = 0;
    for (const auto& of_site : verdicts) {
      n += !of_site.empty() && of_site.back() ? 1 : 0;
    }
    return n;
  }
};

/// Where the sites are.
std::vector<std::size_t> site_positions(const graph& g);

/// The network as it is. Refused where a constant's RESCALE has no result.
dytq::verdict original_graph(const network& net, graph& g);

built_variant build(const variant& what, const graph& original);

/// Alpha into the TABLE.
dytq::verdict fold_alpha(graph& g, std::size_t position);

/// An exact rewrite of gamma and beta by itself, for a site whose alpha has been folded: one function of the library.
struct single_rewrite {
  const char* name;
  site_rewrite apply;
};
inline constexpr std::size_t single_rewrites = 9;
/// The first is into the convolution.
extern const std::array<single_rewrite, single_rewrites> all_single_rewrites;

}  // namespace demo

#endif
