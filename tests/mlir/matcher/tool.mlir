// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tool and the plugin are one pass. An option reaches it, and it runs on any operation of a pipeline.
//
// RUN: %tool %S/forms.mlir -o %t.tool 2>/dev/null
// RUN: %fold %S/forms.mlir -o %t.plugin 2>/dev/null
// RUN: diff %t.tool %t.plugin
// RUN: %tool --pass-pipeline='builtin.module(func.func(dytq-fold{chains=false}))' %S/forms.mlir -o %t.function 2>/dev/null
// RUN: diff %t.tool %t.function
//
// RUN: %tool --pass-pipeline='builtin.module(dytq-fold{weight-min=-50 chains=false})' %S/readers.mlir 2>&1 >/dev/null | %FileCheck %s
// CHECK: Function=table | Reason="weight_overflow at weight, channel 1, output channel 0, tap 0: expected -50, got -60
