// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A site as a chain for the library, and its plan as operators of the graph again.
#ifndef DYTQ_DEMO_CHAINS_HPP
#define DYTQ_DEMO_CHAINS_HPP

#include <cstddef>
#include <dytq/plan.hpp>

#include "graph.hpp"

namespace demo {

/// The plan of the site at a position, and of the convolution that reads it. The graph becomes what it says.
dytq::result<dytq::chain_plan> plan_chain(graph& g, std::size_t position, const dytq::target& target);

/// Whatever operators plain TOSA has.
dytq::verdict plan_for_tosa(graph& g, std::size_t position);
/// A depthwise convolution with its RESCALE is one operator; there are tables for each channel.
dytq::verdict plan_for_cmsis_nn(graph& g, std::size_t position);

}  // namespace demo

#endif
