// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognizes Dynamic Tanh in TOSA: the graph's side of what the library takes, or why a graph that looks like it is
// not.
//
//   alpha:  RESCALE(x), RESCALE(alpha), MUL, RESCALE -> TABLE
//   affine: TABLE -> RESCALE, RESCALE(gamma), MUL, RESCALE -> RESCALE, RESCALE(beta), ADD, RESCALE -> convolutions
//
// Either half of the affine part may be missing. Nothing is changed here.
#ifndef DYTQ_MLIR_MATCH_HPP
#define DYTQ_MLIR_MATCH_HPP

#include <mlir/Dialect/Tosa/IR/TosaOps.h>
#include <dytq/fold.hpp>
#include <dytq/plan.hpp>

#include <cstdint>
#include <optional>
#include <vector>

#include "operators.hpp"

namespace dytq_mlir {

/// A multiplication by constants, or an addition of them, in its three RESCALEs.
struct half {
  mlir::tosa::RescaleOp operand;  ///< of the activation
  mlir::tosa::RescaleOp out;
  std::vector<std::int8_t> codes;  ///< 1 (alpha) or C entries
  dytq::rescale operand_step;
  dytq::rescale constant_step;
  dytq::rescale out_step;

  mlir::Value input() const { return mlir::tosa::RescaleOp(operand).getInput(); }
  mlir::Value result() const { return mlir::tosa::RescaleOp(out).getOutput(); }
};

/// What stands before a TABLE.
struct alpha_match {
  half alpha;
  std::vector<std::int8_t> table;

  dytq::alpha_site as_site() const;
};

/// What stands after a TABLE.
struct affine_match {
  mlir::tosa::TableOp table_op;
  std::vector<std::int8_t> table;
  std::optional<half> gamma;
  std::optional<half> beta;
  std::vector<constant_conv> convs;  ///< all that read the chain, if nothing else does; else none
  refusal no_convs;                  ///< why there are none
  /// Does anything but this chain read the TABLE's result, or that of the gamma half where there is a beta half?
  bool table_is_read = false;
  bool gamma_is_read = false;

  mlir::Value table_result() const { return mlir::tosa::TableOp(table_op).getOutput(); }
  mlir::Value gamma_result() const { return gamma ? gamma->result() : table_result(); }
  mlir::Value result() const { return beta ? beta->result() : gamma_result(); }
  /// Views of this object's own entries.
  dytq::affine_site as_site() const;
};

/// The chain before a TABLE. None without a refusal: there is no such chain.
std::optional<alpha_match> match_alpha(mlir::tosa::TableOp table, refusal& why);

/// The chain after a TABLE. None without a refusal: there is none. A match with one: `beta` was not taken.
std::optional<affine_match> match_affine(mlir::tosa::TableOp table, refusal& why);

/// The convolutions with constants that read a value, through transposes and slices that leave the channels as they
/// are; none, and why, if anything else does.
std::vector<constant_conv> convs_that_read(mlir::Value value, dytq::place at, refusal& why);

}  // namespace dytq_mlir

#endif
