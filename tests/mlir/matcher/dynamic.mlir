// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fold --verify-diagnostics %s | %FileCheck %s
//
// Extents that are not known: a fold asks for the channels, and for height and width where there is a border.

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
!codes = tensor<?x3x3x2xi8>
!wides = tensor<?x3x3x2xi32>
!accs = tensor<?x3x3x1xi32>

// CHECK-LABEL: func.func @batch(
// CHECK-NOT: tosa.mul
// CHECK: tosa.table
// CHECK: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}20, -60]]]]>
// CHECK: tosa.conv2d
func.func @batch(%x: !codes) -> !accs {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %alpha = "tosa.const"() <{values = dense<-3> : !s8}> : () -> !s8
  %xw = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#scale> : (!codes, !one32, !one8, !one8, !one32) -> !wides
  %aw = "tosa.rescale"(%alpha, %m, %s, %z8, %z32) <#scale> : (!s8, !one32, !one8, !one8, !one32) -> !s32
  %p = tosa.mul %xw, %aw, %z8 : (!wides, !s32, !one8) -> !wides
  %q = "tosa.rescale"(%p, %m, %s, %z32, %z8) <#scale> : (!wides, !one32, !one8, !one32, !one8) -> !codes
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+2 {{[Passed] alpha}}
  // expected-remark@+1 {{[Passed] affine | Category:dytq | Function=batch | Remark=into_conv}}
  %t = tosa.table %q, %entries : (!codes, !entries) -> !codes
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!codes, !one32, !one8, !one8, !one32) -> !wides
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wides, !c32, !one8) -> !wides
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wides, !one32, !one8, !one32, !one8) -> !codes
  %beta = "tosa.const"() <{values = dense<[[[[3, 5]]]]> : !c8}> : () -> !c8
  %yw = "tosa.rescale"(%g, %m, %s, %z8, %z32) <#scale> : (!codes, !one32, !one8, !one8, !one32) -> !wides
  %bw = "tosa.rescale"(%beta, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %sum = tosa.add %yw, %bw : (!wides, !c32) -> !wides
  %y = "tosa.rescale"(%sum, %m, %s, %z32, %z8) <#scale> : (!wides, !one32, !one8, !one32, !one8) -> !codes
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %y, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!codes, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !accs
  return %r : !accs
}

// Without a border the extents do not matter.
// CHECK-LABEL: func.func @unpadded_extents(
// CHECK-NOT: tosa.mul
// CHECK: tosa.table
// CHECK: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}20, -60]]]]>
// CHECK: tosa.conv2d
func.func @unpadded_extents(%x: tensor<1x?x?x2xi8>) -> tensor<1x?x?x1xi32> {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Passed] affine | Category:dytq | Function=unpadded_extents | Remark=into_conv}}
  %t = tosa.table %x, %entries : (tensor<1x?x?x2xi8>, !entries) -> tensor<1x?x?x2xi8>
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (tensor<1x?x?x2xi8>, !one32, !one8, !one8, !one32) -> tensor<1x?x?x2xi32>
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (tensor<1x?x?x2xi32>, !c32, !one8) -> tensor<1x?x?x2xi32>
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (tensor<1x?x?x2xi32>, !one32, !one8, !one32, !one8) -> tensor<1x?x?x2xi8>
  %beta = "tosa.const"() <{values = dense<[[[[3, 5]]]]> : !c8}> : () -> !c8
  %yw = "tosa.rescale"(%g, %m, %s, %z8, %z32) <#scale> : (tensor<1x?x?x2xi8>, !one32, !one8, !one8, !one32) -> tensor<1x?x?x2xi32>
  %bw = "tosa.rescale"(%beta, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %sum = tosa.add %yw, %bw : (tensor<1x?x?x2xi32>, !c32) -> tensor<1x?x?x2xi32>
  %y = "tosa.rescale"(%sum, %m, %s, %z32, %z8) <#scale> : (tensor<1x?x?x2xi32>, !one32, !one8, !one32, !one8) -> tensor<1x?x?x2xi8>
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %y, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x?x?x2xi8>, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> tensor<1x?x?x1xi32>
  return %r : tensor<1x?x?x1xi32>
}

// With one they do.
// CHECK-LABEL: func.func @padded_extents(
// CHECK-NOT: tosa.mul
// CHECK: tosa.rescale
// CHECK: tosa.conv2d
func.func @padded_extents(%x: tensor<1x?x?x2xi8>) -> tensor<1x?x?x1xi32> {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+2 {{[Passed] affine | Category:dytq | Function=padded_extents | Remark=channel_rescale}}
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=padded_extents | Reason="shape_mismatch at input}}
  %t = tosa.table %x, %entries : (tensor<1x?x?x2xi8>, !entries) -> tensor<1x?x?x2xi8>
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (tensor<1x?x?x2xi8>, !one32, !one8, !one8, !one32) -> tensor<1x?x?x2xi32>
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (tensor<1x?x?x2xi32>, !c32, !one8) -> tensor<1x?x?x2xi32>
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (tensor<1x?x?x2xi32>, !one32, !one8, !one32, !one8) -> tensor<1x?x?x2xi8>
  %weight = "tosa.const"() <{values = dense<[[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]], [[13, 14], [15, 16], [17, 18]]]]> : tensor<1x3x3x2xi8>}> : () -> tensor<1x3x3x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x?x?x2xi8>, tensor<1x3x3x2xi8>, !one32, !one8, !one8) -> tensor<1x?x?x1xi32>
  return %r : tensor<1x?x?x1xi32>
}

// CHECK-LABEL: func.func @channels(
// CHECK: tosa.mul
func.func @channels(%x: tensor<1x3x3x?xi8>) -> tensor<1x3x3x?xi8> {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=channels | Reason="shape_mismatch at gamma (the shapes of the tensors do not agree): the constant is 1x1x1x2, the activation 1x3x3x?}}
  %t = tosa.table %x, %entries : (tensor<1x3x3x?xi8>, !entries) -> tensor<1x3x3x?xi8>
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (tensor<1x3x3x?xi8>, !one32, !one8, !one8, !one32) -> tensor<1x3x3x?xi32>
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (tensor<1x3x3x?xi32>, !c32, !one8) -> tensor<1x3x3x?xi32>
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (tensor<1x3x3x?xi32>, !one32, !one8, !one32, !one8) -> tensor<1x3x3x?xi8>
  return %g : tensor<1x3x3x?xi8>
}

// A value that another replaces has its type.
// CHECK-LABEL: func.func @known_at_one_end(
// CHECK: tosa.mul
func.func @known_at_one_end(%x: !codes) -> !code {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=known_at_one_end | Reason="shape_mismatch at gamma_out (the shapes of the tensors do not agree): what is known of the activation}}
  %t = tosa.table %x, %entries : (!codes, !entries) -> !codes
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!codes, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  return %g : !code
}
