// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What examples/mlir/README.md shows of dyt.mlir.
//
// RUN: %tool %S/../../../examples/mlir/dyt.mlir 2>%t | %FileCheck %s
// RUN: %FileCheck --check-prefix=REMARK %s < %t
//
// CHECK-COUNT-2: "tosa.const"
// CHECK-NEXT: %[[T:.*]] = tosa.table %arg0,
// CHECK-NEXT: %[[WEIGHT:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}20, -60]]]]>
// CHECK-NEXT: %[[BIAS:.*]] = "tosa.const"() <{values = dense<-63>
// CHECK-NEXT: tosa.conv2d %[[T]], %[[WEIGHT]], %[[BIAS]],
// CHECK-NEXT: return
//
// REMARK: [Passed] alpha | Category:dytq | Function=dynamic_tanh | Remark="255 of 256 entries change"
// REMARK: [Passed] affine | Category:dytq | Function=dynamic_tanh | Remark=into_conv
