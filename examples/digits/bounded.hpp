// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of a graph that are not exact, with what is proven of each and what is seen of it: gamma and beta into the
// convolutions within a bound, and chains within one code.
#ifndef DYTQ_DEMO_BOUNDED_HPP
#define DYTQ_DEMO_BOUNDED_HPP

#include <cstdint>
#include <dytq/fold_bounded.hpp>
#include <dytq/plan.hpp>
#include <string>
#include <vector>

#include "graph.hpp"
#include "network.hpp"

namespace demo {

/// What the images showed of one site, with this site alone changed.
struct observation {
  bool compares = false;     ///< is there anything to compare?
  std::int64_t outputs = 0;  ///< codes, over all images
  std::int64_t differ = 0;   ///< of those
  std::int64_t largest = 0;  ///< their largest difference
};

/// One site and the convolution that reads it.
struct bounded_site {
  std::string name;
  std::string conv = {};
  dytq::result<dytq::bounded_fold> fold{dytq::reason::empty};
  dytq::code_bound root_mean_square = {};  ///< the largest of its output channels
  observation seen = {};                   ///< of the convolution's codes

  /// Is what was seen within what was proven?
  bool holds() const { return !fold || seen.largest <= fold->bound.round_up(); }
};

/// All sites of a graph whose alpha is folded, each with the TABLE alone left where the fold exists.
struct bounded_graph {
  graph nodes;
  std::vector<bounded_site> sites;

  bool holds() const;
  std::int64_t applied() const;
};

/// With what is seen of it. `failed`: the first failure, or empty.
bounded_graph fold_bounded(const network& net, const graph& alpha_folded, std::string& failed);

/// One site as a chain whose result may be one code off.
struct near_site {
  std::string name;
  dytq::result<dytq::chain_plan> plan{dytq::reason::empty};
  observation seen = {};  ///< of the chain's result

  /// Codes that the result may be off.
  std::int64_t proven() const;
  bool holds() const { return !plan || seen.largest <= proven(); }
};

/// All sites of a graph, planned for plain TOSA within one code.
struct near_graph {
  graph nodes;
  std::vector<near_site> sites;

  bool holds() const;
};

near_graph plan_near(const network& net, const graph& original, std::string& failed);

}  // namespace demo

#endif
