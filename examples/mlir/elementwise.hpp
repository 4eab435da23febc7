// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise operators of a graph as steps of the library's chains, and what a graph of them makes of every code.
#ifndef DYTQ_MLIR_ELEMENTWISE_HPP
#define DYTQ_MLIR_ELEMENTWISE_HPP

#include <mlir/Dialect/Tosa/IR/TosaOps.h>
#include <dytq/chain.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace dytq_mlir {

/// An elementwise operator: what it computes with (one value, or two), and its constants.
struct elementwise {
  mlir::Operation* op = {};
  mlir::Value first;
  mlir::Value second;     ///< none, but of MUL, ADD, SUB, MAXIMUM and MINIMUM of two values that are no constants
  bool reversed = false;  ///< SUB: the constant less the value
  dytq::chain_step step;  ///< views of the lists below
  std::vector<std::int32_t> constants;  ///< one, or one for each channel: of RESCALE its multipliers
  std::vector<std::int32_t> shifts;
  std::vector<std::int8_t> table;
  std::int64_t channels = 1;  ///< or as many as its constants

  mlir::Value result() const;
};

/// None: the operator is no such one, or something that it computes with is not known, or TOSA calls it an error.
std::unique_ptr<elementwise> read_elementwise(mlir::Operation* op);

/// What operators make of 256 codes of `input` in channel c: the values of the last of them, which are in the graph's
/// order. None: TOSA calls it unpredictable for a code.
std::optional<std::vector<std::int64_t>> evaluate(const std::vector<const elementwise*>& operators, mlir::Value input,
                                                  std::int64_t channel);

}  // namespace dytq_mlir

#endif
