// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DYTQ_MLIR_PASS_HPP
#define DYTQ_MLIR_PASS_HPP

namespace dytq_mlir {

/// Makes the pass `dytq-fold` known to pipelines.
void register_pass();

}  // namespace dytq_mlir

#endif
