// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A site as a chain for the library, and its plan as operators of the graph again.
#ifndef DYTQ_DEMO_CHAINS_HPP
#define DYTQ_DEMO_CHAINS_HPP

#include <cstddef>
#include <cstdint>
#include <dytq/plan.hpp>

#include "graph.hpp"

namespace demo {

/// The plan of the site at a position, and of the convolution that reads it. The graph becomes what it says.
/// `tolerance`: codes that its result may be off.
dytq::result<dytq::chain_plan> plan_chain(graph& g, std::size_t position, const dytq::target& target,
                                          std::int64_t tolerance = 0);

/// What is known of each form of the operators behind the TABLE, on a target that has them all.
dytq::result<dytq::chain_plan> offers_behind_table(const graph& g, std::size_t position);

/// Whatever operators plain TOSA has.
dytq::verdict plan_for_tosa(graph& g, std::size_t position);
/// A depthwise convolution with its RESCALE is one operator; there are tables for each channel.
dytq::verdict plan_for_cmsis_nn(graph& g, std::size_t position);

}  // namespace demo

#endif
