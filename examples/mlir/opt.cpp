// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass as a tool of its own, for graphs of TOSA: dytq-opt --dytq-fold graph.mlir
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Tosa/IR/TosaOps.h>
#include <mlir/Tools/mlir-opt/MlirOptMain.h>

#include "pass.hpp"

int main(int argc, char** argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::func::FuncDialect, mlir::tosa::TosaDialect>();
  dytq_mlir::register_pass();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "dytq folding of TOSA graphs\n", registry));
}
