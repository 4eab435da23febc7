// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass `dytq-fold`: every TABLE of a graph with what stands before and after it, and a remark for each outcome.
#include "pass.hpp"

#include <mlir/IR/Remarks.h>
#include <mlir/Interfaces/FunctionInterfaces.h>
#include <mlir/Pass/Pass.h>

#include <string>

#include "chains.hpp"
#include "rewrite.hpp"

namespace dytq_mlir {

namespace {

namespace tosa = mlir::tosa;

/// `--remarks-filter=dytq` shows these.
void report(mlir::Location at, llvm::StringRef function, llvm::StringRef part, const outcome& result) {
  mlir::remark::RemarkOpts options = mlir::remark::RemarkOpts::name(part).category("dytq");
  if (!function.empty()) {
    options = options.function(function);
  }
  if (!result.done.empty()) {
    mlir::remark::passed(at, options) << mlir::remark::add("{0}", result.done);
  }
  if (result.why.refused()) {
    mlir::remark::missed(at, options) << mlir::remark::reason("{0}", result.why.text());
  }
}
llvm::StringRef function_of(mlir::Operation* op) {
  auto function = op->getParentOfType<mlir::FunctionOpInterface>();
  return function ? function.getName() : llvm::StringRef{};
}

class fold_pass : public mlir::PassWrapper<fold_pass, mlir::OperationPass<>> {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(fold_pass)

  fold_pass() = default;
  fold_pass(const fold_pass& other) : PassWrapper(other) {}
  llvm::StringRef getArgument() const override { return "dytq-fold"; }
  llvm::StringRef getDescription() const override {
    return "Folds quantized Dynamic Tanh into TABLEs and convolutions, exactly or not at all";
  }

  void runOnOperation() override {
    llvm::SmallVector<tosa::TableOp> tables;
    getOperation()->walk([&](tosa::TableOp table) { tables.push_back(table); });
    const auto each = [&](llvm::StringRef part, auto fold) {
      for (const tosa::TableOp& table : tables) {
        // Read first: a TABLE that is folded into its convolutions is gone.
        const mlir::Location at = tosa::TableOp(table).getLoc();
        const std::string function = function_of(tosa::TableOp(table)).str();
        report(at, function, part, fold(table));
      }
    };
    // Alpha first: the codes that a folded TABLE can emit are all that gamma and beta must be exact on.
    each("alpha", [](tosa::TableOp table) { return fold_alpha(table); });
    each("affine", [&](tosa::TableOp table) { return fold_affine(table, {weight_min, dytq::int8_range.hi}); });
    const tolerances allowed{.chain = tolerance, .conv = conv_tolerance < 0 ? tolerance : conv_tolerance};
    if (chains) {  // what is left, and every other chain
      for (const chain_outcome& chain : fold_chains(getOperation(), allowed, {weight_min, dytq::int8_range.hi})) {
        report(chain.at, chain.function, "chain", chain.result);
      }
    }
  }

 private:
  Option<bool> chains{*this, "chains", llvm::cl::init(true),
                      llvm::cl::desc("Every chain of elementwise operators with constants, not only Dynamic Tanh")};
  Option<std::int32_t> tolerance{*this, "tolerance", llvm::cl::init(0),
                                 llvm::cl::desc("Codes that a chain's result may be off; 0: none")};
  Option<std::int32_t> conv_tolerance{
      *this, "conv-tolerance", llvm::cl::init(-1),
      llvm::cl::desc("Codes that the RESCALE after a convolution may be off for a chain that goes into both; "
                     "-1: as many as tolerance says")};
  Option<std::int32_t> weight_min{*this, "weight-min", llvm::cl::init(dytq::int8_range.lo),
                                  llvm::cl::desc("The smallest weight that the target takes (-127 where it must be)")};
};

}  // namespace

void register_pass() { mlir::PassRegistration<fold_pass>(); }

}  // namespace dytq_mlir
