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

/// Every chain below `root`: the operators that the library's planner picks for TOSA, if they are fewer. Where nobody
/// else sees it, a chain's result may be `tolerance` codes off. The end of a chain goes into the convolutions that read
/// it, where that is proven; weights outside `weight_range` are refused.
std::vector<chain_outcome> fold_chains(mlir::Operation* root, std::int64_t tolerance, dytq::code_range weight_range);

}  // namespace dytq_mlir

#endif
