// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What single operators of a graph say, in the library's terms; or why one is not what a fold can take.
#ifndef DYTQ_MLIR_OPERATORS_HPP
#define DYTQ_MLIR_OPERATORS_HPP

#include <mlir/Dialect/Tosa/IR/TosaOps.h>
#include <dytq/conv.hpp>
#include <dytq/rescale.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dytq_mlir {

/// The library's reason, and what the graph has instead of what was looked for.
struct refusal {
  dytq::rejection why = {};
  std::string detail = {};

  bool refused() const { return why.why != dytq::reason::none; }
  std::string text() const;
};

/// Sets the refusal of a match that returns none.
std::nullopt_t refuse(refusal& why, const dytq::rejection& rejected, std::string detail = {});

/// CONV2D or DEPTHWISE_CONV2D with constant weights, bias and zero points.
struct constant_conv {
  mlir::Operation* op = {};
  std::vector<std::int8_t> weight;
  std::vector<std::int32_t> bias;
  std::int8_t weight_zp = 0;
  dytq::convolution form;  ///< of everything but weights, bias and weight_zp

  bool depthwise() const { return llvm::isa<mlir::tosa::DepthwiseConv2DOp>(op); }
  llvm::ArrayRef<std::int64_t> weight_shape() const;
  /// Entries in the graph's layout, as the library's view of them.
  template <class T>
  dytq::weight_view<T> as_weights(T* entries) const {
    const llvm::ArrayRef<std::int64_t> s = weight_shape();
    const dytq::view<T, 4> graph(entries, {s[0], s[1], s[2], s[3]});
    return depthwise() ? dytq::from_hwim(graph).value_or({}) : dytq::from_ohwi(graph);
  }
  /// Views of this object's own entries.
  dytq::convolution as_convolution() const;
};

/// The RESCALE and the codes behind an operand of MUL or ADD; a constant may be reshaped on its way.
struct constant_operand {
  mlir::tosa::RescaleOp scale;
  std::vector<std::int8_t> codes;
};

/// None: the operand is no such constant.
std::optional<constant_operand> read_constant_operand(mlir::Value operand);
/// A RESCALE as a step of the chain.
std::optional<dytq::rescale> read_step(mlir::tosa::RescaleOp op, dytq::place at, refusal& why);
/// The shift of a MUL; only 0 is taken.
bool shifts_nothing(mlir::tosa::MulOp op, dytq::place at, refusal& why);
std::optional<std::vector<std::int8_t>> read_table(mlir::tosa::TableOp op, refusal& why);
/// A CONV2D or DEPTHWISE_CONV2D.
std::optional<constant_conv> read_conv(mlir::Operation* op, refusal& why);

/// Extents; none if the rank is unknown.
llvm::ArrayRef<std::int64_t> shape_of(mlir::Value value);
std::string shape_text(llvm::ArrayRef<std::int64_t> shape);
std::string name_of(mlir::Operation* op);
/// Why a value that should be a constant is none.
std::string origin_text(mlir::Value value);
mlir::Value through_reshapes(mlir::Value value);

/// A tensor of integers of so many bits.
bool has_elements(mlir::Value value, unsigned width);
/// A RESCALE of int8 to int32 (before MUL or ADD), or of int32 to int8 (after it).
bool widens(mlir::tosa::RescaleOp op);
bool narrows(mlir::tosa::RescaleOp op);

}  // namespace dytq_mlir

#endif
