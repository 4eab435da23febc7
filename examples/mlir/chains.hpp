// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains of elementwise operators with constants, from one int8 tensor to another: found in a graph, planned by the
// library, rewritten in place. A part of it may be any graph of such operators with that one input (x * clamp(x + 3)).
#ifndef DYTQ_MLIR_CHAINS_HPP
#define DYTQ_MLIR_CHAINS_HPP

#include <mlir/IR/Operation.h>

#include <cstdint>
#include <string>
#include <vector>

#include "rewrite.hpp"

namespace dytq_mlir {

/// What became of the chain that ends at an operator.
struct chain_outcome {
  mlir::Location at;
  std::string function;
  outcome result;
};

/// How many codes may be off; 0: none.
struct tolerances {
  std::int64_t chain = 0;  ///< of a chain's result, where nobody else sees it
  std::int64_t conv = 0;   ///< of the RESCALE after a convolution that reads a chain
};

/// Every chain below `root`: the operators that the library's planner picks for TOSA, if they are fewer. The end of a
/// chain goes into the convolutions that read it, where that is proven; weights outside `weight_range` are refused.
std::vector<chain_outcome> fold_chains(mlir::Operation* root, const tolerances& allowed, dytq::code_range weight_range);

}  // namespace dytq_mlir

#endif
