// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of a chain in the convolutions that read it and in the RESCALE after each, within a proven bound.
#ifndef DYTQ_MLIR_BOUNDED_HPP
#define DYTQ_MLIR_BOUNDED_HPP

#include <mlir/Dialect/Tosa/IR/TosaOps.h>
#include <dytq/chain.hpp>
#include <dytq/fold_bounded.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "operators.hpp"

namespace dytq_mlir {

/// A bounded fold into all readers of a chain.
class bounded_readers {
 public:
  /// What comes after `from` steps of the chain goes into `convs`; a TABLE stands for the steps before, which are the
  /// same in all channels. Nothing is changed in the graph. Refused: a convolution has no RESCALE of its own, or its
  /// output would be more than `tolerance` codes off.
  refusal make(const dytq::chain& chain, int from, const std::vector<constant_conv>& convs, std::int64_t tolerance);
  /// The entries that stand for the first steps.
  const std::vector<std::int8_t>& table() const { return table_; }
  /// Gives the convolutions and their RESCALEs the new constants.
  void write(const std::vector<constant_conv>& convs) const;
  /// The proven numbers of each convolution.
  std::string text() const;

 private:
  struct reader {
    mlir::tosa::RescaleOp rescale;
    std::vector<std::int8_t> weight;
    std::vector<std::int32_t> bias, multiplier, shift;
    dytq::bounded_fold fold;
    dytq::code_bound root_mean_square;
  };

  refusal fold(const dytq::affine_site& site, const constant_conv& conv, std::int64_t tolerance);

  std::vector<std::int8_t> table_;
  std::vector<reader> readers_;
};

}  // namespace dytq_mlir

#endif
