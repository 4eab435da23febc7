// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass as a plugin: mlir-opt-22 --load-pass-plugin=dytq_mlir.so --pass-pipeline='builtin.module(dytq-fold)'
#include <mlir/Tools/Plugins/PassPlugin.h>

#include "pass.hpp"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "dytq", DYTQ_MLIR_VERSION, dytq_mlir::register_pass};
}
