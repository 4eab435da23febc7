// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes into the graph what the library has proven. Nothing is decided here.
#ifndef DYTQ_MLIR_REWRITE_HPP
#define DYTQ_MLIR_REWRITE_HPP

#include <string>

#include "match.hpp"

namespace dytq_mlir {

/// What became of a part of a site: `done` names the rewrite (empty: none), `why` the refusal (if there is one).
/// Both are set where a weaker form was found than the one asked for.
struct outcome {
  std::string done = {};
  refusal why = {};
};

/// Alpha into the TABLE; TABLE then reads the activation itself.
outcome fold_alpha(mlir::tosa::TableOp table);

/// The TABLE, gamma and beta in the forms that the library's planner picks: into the convolutions, the TABLE, or one
/// RESCALE per channel. Weights outside `weight_range` are refused.
outcome fold_affine(mlir::tosa::TableOp table, dytq::code_range weight_range);

}  // namespace dytq_mlir

#endif
