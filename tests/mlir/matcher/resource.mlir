// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fold --verify-diagnostics %s | %FileCheck %s
//
// Weights that are kept apart from the graph are constants as well.

!code = tensor<1x3x3x2xi8>
!wide = tensor<1x3x3x2xi32>
!acc = tensor<1x3x3x1xi32>
!c8 = tensor<1x1x1x2xi8>
!c32 = tensor<1x1x1x2xi32>
!s8 = tensor<1x1x1x1xi8>
!s32 = tensor<1x1x1x1xi32>
!one8 = tensor<1xi8>
!one32 = tensor<1xi32>
!entries = tensor<256xi8>
#scale = {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, scale32 = true}
// -2, 0, 1 and 3, 64 times each
#table = dense<"0xFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFE000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010103030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303"> : !entries

// CHECK-LABEL: func.func @weights_in_a_resource(
// CHECK: %[[TABLE:.*]] = tosa.table %arg0,
// CHECK-NOT: tosa.add
// CHECK: %[[WEIGHT:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}20, -60]]]]>
// CHECK: %[[BIAS:.*]] = "tosa.const"() <{values = dense<-63>
// CHECK: tosa.conv2d %[[TABLE]], %[[WEIGHT]], %[[BIAS]],
func.func @weights_in_a_resource(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Passed] affine | Category:dytq | Function=weights_in_a_resource | Remark=into_conv}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %beta = "tosa.const"() <{values = dense<[[[[3, 5]]]]> : !c8}> : () -> !c8
  %yw = "tosa.rescale"(%g, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %bw = "tosa.rescale"(%beta, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %sum = tosa.add %yw, %bw : (!wide, !c32) -> !wide
  %y = "tosa.rescale"(%sum, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense_resource<weights> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %y, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x010000000AEC"
    }
  }
#-}
