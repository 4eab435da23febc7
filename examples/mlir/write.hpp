// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes into the graph what a plan says: its operators, and the new constants of the convolutions that read it.
#ifndef DYTQ_MLIR_WRITE_HPP
#define DYTQ_MLIR_WRITE_HPP

#include <mlir/Dialect/Tosa/IR/TosaOps.h>
#include <dytq/plan.hpp>

#include <cstdint>
#include <vector>

#include "operators.hpp"

namespace dytq_mlir {

/// A plan of a chain, with its operators and the new constants of its readers. Kept where it is: it is views of itself.
class written_plan {
 public:
  written_plan() = default;
  written_plan(const written_plan&) = delete;
  written_plan& operator=(const written_plan&) = delete;

  /// Plans the chain and makes its operators; uses.readers become `convs`. Errors: those of the library.
  dytq::verdict make(const dytq::chain& chain, const dytq::target& target, dytq::chain_uses uses,
                     const std::vector<constant_conv>& convs);
  const dytq::chain_plan& plan() const { return plan_; }
  const dytq::chain_step& step(int i) const { return steps_[static_cast<std::size_t>(i)]; }
  /// Gives the convolutions the constants of a plan that folds; those that stay the same are not touched.
  void write_convs(const std::vector<constant_conv>& convs) const;

 private:
  dytq::chain_plan plan_;
  std::vector<dytq::chain_step> steps_;
  std::vector<std::int32_t> numbers_;
  std::vector<std::int8_t> codes_;
  std::vector<std::vector<std::int8_t>> weight_;
  std::vector<std::vector<std::int32_t>> bias_;
  std::vector<dytq::affine_fold> folds_;
};

/// Gives a convolution new constants of its own; those that stay the same are not touched.
void write_constants(const constant_conv& conv, const std::vector<std::int8_t>& weight,
                     const std::vector<std::int32_t>& bias, const dytq::affine_fold& fold);

/// One operator that reads `input`, before `user`.
mlir::Value make_operator(mlir::Operation* user, mlir::Value input, const dytq::chain_step& step);

}  // namespace dytq_mlir

#endif
