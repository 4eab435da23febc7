// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of a graph: read them, make them, erase those that nobody reads any more.
#ifndef DYTQ_MLIR_CONSTANTS_HPP
#define DYTQ_MLIR_CONSTANTS_HPP

#include <llvm/ADT/SetVector.h>
#include <mlir/Dialect/Tosa/IR/TosaOps.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/Matchers.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace dytq_mlir {

/// The entries of a constant tensor of T. None: the value is computed, an argument or state, or its type is another.
template <class T>
std::optional<std::vector<T>> read_constant(mlir::Value value) {
  mlir::ElementsAttr attribute;
  const auto type = llvm::dyn_cast<mlir::ShapedType>(value.getType());
  if (!type || !type.getElementType().isSignlessInteger(8 * sizeof(T)) ||
      !mlir::matchPattern(value, mlir::m_Constant(&attribute))) {
    return std::nullopt;
  }
  if (const auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(attribute)) {
    const auto entries = dense.getValues<T>();
    return std::vector<T>(entries.begin(), entries.end());
  }
  if (const auto resource = llvm::dyn_cast<mlir::detail::DenseResourceElementsAttrBase<T>>(attribute)) {
    if (const auto entries = resource.tryGetAsArrayRef()) {
      return std::vector<T>(entries->begin(), entries->end());
    }
  }
  return std::nullopt;
}

/// A constant of one entry.
template <class T>
std::optional<T> read_scalar(mlir::Value value) {
  const auto entries = read_constant<T>(value);
  return entries && entries->size() == 1 ? std::optional(entries->front()) : std::nullopt;
}

/// A zero point, which has the type of the tensor that it belongs to.
inline std::optional<std::int64_t> read_zero_point(mlir::Value value) {
  if (const auto narrow = read_scalar<std::int8_t>(value)) {
    return *narrow;
  }
  if (const auto wide = read_scalar<std::int32_t>(value)) {
    return *wide;
  }
  return std::nullopt;
}

/// A new constant before `user`. Never a changed one: others may read that.
template <class T>
mlir::Value make_constant(mlir::Operation* user, llvm::ArrayRef<std::int64_t> shape, llvm::ArrayRef<T> entries) {
  mlir::OpBuilder builder(user);
  const auto type = mlir::RankedTensorType::get(shape, builder.getIntegerType(8 * sizeof(T)));
  return mlir::tosa::ConstOp::create(builder, user->getLoc(), type, mlir::DenseElementsAttr::get(type, entries));
}

/// Erases those of `candidates` that nobody reads, and what they alone have read.
inline void erase_unused(llvm::ArrayRef<mlir::Operation*> candidates) {
  llvm::SetVector<mlir::Operation*> work(candidates.begin(), candidates.end());
  while (!work.empty()) {
    mlir::Operation* op = work.pop_back_val();
    if (op == nullptr || !mlir::isOpTriviallyDead(op)) {
      continue;
    }
    for (const mlir::Value read : op->getOperands()) {
      work.insert(read.getDefiningOp());
    }
    op->erase();
  }
}

/// Lets `operand` read `value`; what it read before goes if it was the last reader.
inline void reassign(mlir::OpOperand& operand, mlir::Value value) {
  mlir::Operation* before = operand.get().getDefiningOp();
  operand.set(value);
  erase_unused(before);
}

}  // namespace dytq_mlir

#endif
