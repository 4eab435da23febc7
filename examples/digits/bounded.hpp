// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The form of a graph that is not exact: gamma and beta into the convolutions with a proven bound, and what is seen of
// it.
#ifndef DYTQ_DEMO_BOUNDED_HPP
#define DYTQ_DEMO_BOUNDED_HPP

#include <cstdint>
#include <dytq/fold_bounded.hpp>
#include <string>
#include <vector>

#include "graph.hpp"
#include "network.hpp"

namespace demo {

/// One site and the convolution that reads it.
struct bounded_site {
  std::string name;
  std::string conv = {};
  dytq::result<dytq::bounded_fold> fold{dytq::reason::empty};
  dytq::code_bound root_mean_square = {};  ///< the largest of its output channels
  std::int64_t outputs = 0;                ///< codes of the convolution, over all images
  std::int64_t differ = 0;                 ///< of those, with this site alone folded
  std::int64_t largest = 0;                ///< their largest difference

  /// Is what was seen within what was proven?
  bool holds() const { return !fold || largest <= fold->bound.round_up(); }
};

/// All sites of a graph whose alpha is folded, each with the TABLE alone left where the fold exists.
struct bounded_graph {
  graph nodes;
  std::vector<bounded_site> sites;

  bool holds() const;
  std::int64_t applied() const;
};

bounded_graph fold_bounded(const graph& alpha_folded);

/// Runs all images and fills in what is seen at each site. -> the first failure, or empty.
std::string observe(const network& net, const graph& alpha_folded, bounded_graph& g);

}  // namespace demo

#endif
