// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fold --verify-diagnostics %s | %FileCheck %s
//
// Rank and broadcast: alpha has one entry, gamma and beta are 1x1x1xC with C the channels of the activation, which is
// neither broadcast nor reshaped.

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

// CHECK-LABEL: func.func @alpha_per_channel(
// CHECK: tosa.mul
// CHECK: tosa.table
func.func @alpha_per_channel(%x: !code) -> !code {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %alpha = "tosa.const"() <{values = dense<[[[[3, 4]]]]> : !c8}> : () -> !c8
  %xw = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %aw = "tosa.rescale"(%alpha, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %p = tosa.mul %xw, %aw, %z8 : (!wide, !c32, !one8) -> !wide
  %q = "tosa.rescale"(%p, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] alpha | Category:dytq | Function=alpha_per_channel | Reason="shape_mismatch at alpha (the shapes of the tensors do not agree): the constant is 1x1x1x2, the activation 1x3x3x2}}
  %t = tosa.table %q, %entries : (!code, !entries) -> !code
  return %t : !code
}

// CHECK-LABEL: func.func @alpha_broadcasts_the_activation(
// CHECK: tosa.mul
// CHECK: tosa.table
func.func @alpha_broadcasts_the_activation(%x: tensor<1x3x3x1xi8>) -> !code {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %alpha = "tosa.const"() <{values = dense<3> : !c8}> : () -> !c8
  %xw = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#scale> : (tensor<1x3x3x1xi8>, !one32, !one8, !one8, !one32) -> tensor<1x3x3x1xi32>
  %aw = "tosa.rescale"(%alpha, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %p = tosa.mul %xw, %aw, %z8 : (tensor<1x3x3x1xi32>, !c32, !one8) -> !wide
  %q = "tosa.rescale"(%p, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] alpha | Category:dytq | Function=alpha_broadcasts_the_activation | Reason="shape_mismatch at alpha}}
  %t = tosa.table %q, %entries : (!code, !entries) -> !code
  return %t : !code
}

// CHECK-LABEL: func.func @gamma_on_another_axis(
// CHECK: tosa.mul
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @gamma_on_another_axis(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=gamma_on_another_axis | Reason="shape_mismatch at gamma (the shapes of the tensors do not agree): the constant is 1x3x1x1, the activation 1x3x3x2}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[1]], [[2]], [[3]]]]> : tensor<1x3x1x1xi8>}> : () -> tensor<1x3x1x1xi8>
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (tensor<1x3x1x1xi8>, !one32, !one8, !one8, !one32) -> tensor<1x3x1x1xi32>
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, tensor<1x3x1x1xi32>, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @gamma_of_one_entry(
// CHECK: tosa.mul
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @gamma_of_one_entry(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=gamma_of_one_entry | Reason="shape_mismatch at gamma (the shapes of the tensors do not agree): the constant is 1x1x1x1, the activation 1x3x3x2}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<2> : !s8}> : () -> !s8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!s8, !one32, !one8, !one8, !one32) -> !s32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !s32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @gamma_of_every_element(
// CHECK: tosa.mul
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @gamma_of_every_element(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=gamma_of_every_element | Reason="shape_mismatch at gamma}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<2> : !code}> : () -> !code
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !wide, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @beta_of_one_entry(
// CHECK: tosa.add
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @beta_of_one_entry(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+2 {{[Passed] affine | Category:dytq | Function=beta_of_one_entry | Remark=channel_rescale}}
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=beta_of_one_entry | Reason="shape_mismatch at beta}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %beta = "tosa.const"() <{values = dense<3> : !s8}> : () -> !s8
  %yw = "tosa.rescale"(%g, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %bw = "tosa.rescale"(%beta, %m, %s, %z8, %z32) <#scale> : (!s8, !one32, !one8, !one8, !one32) -> !s32
  %sum = tosa.add %yw, %bw : (!wide, !s32) -> !wide
  %y = "tosa.rescale"(%sum, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %y, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @beta_on_another_axis(
// CHECK: tosa.add
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @beta_on_another_axis(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+2 {{[Passed] affine | Category:dytq | Function=beta_on_another_axis | Remark=channel_rescale}}
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=beta_on_another_axis | Reason="shape_mismatch at beta}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %beta = "tosa.const"() <{values = dense<[[[[1], [2], [3]]]]> : tensor<1x1x3x1xi8>}> : () -> tensor<1x1x3x1xi8>
  %yw = "tosa.rescale"(%g, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %bw = "tosa.rescale"(%beta, %m, %s, %z8, %z32) <#scale> : (tensor<1x1x3x1xi8>, !one32, !one8, !one8, !one32) -> tensor<1x1x3x1xi32>
  %sum = tosa.add %yw, %bw : (!wide, tensor<1x1x3x1xi32>) -> !wide
  %y = "tosa.rescale"(%sum, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %y, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// A channel of one entry would be broadcast.
// CHECK-LABEL: func.func @activation_of_one_channel(
// CHECK: tosa.mul
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @activation_of_one_channel(%x: tensor<1x3x3x1xi8>) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=activation_of_one_channel | Reason="shape_mismatch at gamma (the shapes of the tensors do not agree): the constant is 1x1x1x2, the activation 1x3x3x1}}
  %t = tosa.table %x, %entries : (tensor<1x3x3x1xi8>, !entries) -> tensor<1x3x3x1xi8>
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (tensor<1x3x3x1xi8>, !one32, !one8, !one8, !one32) -> tensor<1x3x3x1xi32>
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (tensor<1x3x3x1xi32>, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @rank_3(
// CHECK: tosa.mul
func.func @rank_3(%x: tensor<1x9x2xi8>) -> tensor<1x9x2xi8> {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=rank_3 | Reason="shape_mismatch at table (the shapes of the tensors do not agree): the activation is 1x9x2, not of rank 4}}
  %t = tosa.table %x, %entries : (tensor<1x9x2xi8>, !entries) -> tensor<1x9x2xi8>
  %gamma = "tosa.const"() <{values = dense<[[[2, 3]]]> : tensor<1x1x2xi8>}> : () -> tensor<1x1x2xi8>
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (tensor<1x9x2xi8>, !one32, !one8, !one8, !one32) -> tensor<1x9x2xi32>
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (tensor<1x1x2xi8>, !one32, !one8, !one8, !one32) -> tensor<1x1x2xi32>
  %gm = tosa.mul %tw, %gw, %z8 : (tensor<1x9x2xi32>, tensor<1x1x2xi32>, !one8) -> tensor<1x9x2xi32>
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (tensor<1x9x2xi32>, !one32, !one8, !one32, !one8) -> tensor<1x9x2xi8>
  return %g : tensor<1x9x2xi8>
}

// CHECK-LABEL: func.func @reshape_before_table(
// CHECK: tosa.mul
// CHECK: tosa.table
func.func @reshape_before_table(%x: !code) -> !code {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %shape = tosa.const_shape {values = dense<[1, 3, 3, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %alpha = "tosa.const"() <{values = dense<-3> : !s8}> : () -> !s8
  %xw = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %aw = "tosa.rescale"(%alpha, %m, %s, %z8, %z32) <#scale> : (!s8, !one32, !one8, !one8, !one32) -> !s32
  %p = tosa.mul %xw, %aw, %z8 : (!wide, !s32, !one8) -> !wide
  %q = "tosa.rescale"(%p, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %q2 = tosa.reshape %q, %shape : (!code, !tosa.shape<4>) -> !code
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] alpha | Category:dytq | Function=reshape_before_table | Reason="shape_mismatch at mul_out (the shapes of the tensors do not agree): the activation is reshaped}}
  %t = tosa.table %q2, %entries : (!code, !entries) -> !code
  return %t : !code
}

// CHECK-LABEL: func.func @reshape_of_the_product(
// CHECK: tosa.mul
// CHECK: tosa.table
func.func @reshape_of_the_product(%x: !code) -> !code {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %shape = tosa.const_shape {values = dense<[1, 3, 3, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %alpha = "tosa.const"() <{values = dense<-3> : !s8}> : () -> !s8
  %xw = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %aw = "tosa.rescale"(%alpha, %m, %s, %z8, %z32) <#scale> : (!s8, !one32, !one8, !one8, !one32) -> !s32
  %p = tosa.mul %xw, %aw, %z8 : (!wide, !s32, !one8) -> !wide
  %p2 = tosa.reshape %p, %shape : (!wide, !tosa.shape<4>) -> !wide
  %q = "tosa.rescale"(%p2, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] alpha | Category:dytq | Function=reshape_of_the_product | Reason="shape_mismatch at mul_out}}
  %t = tosa.table %q, %entries : (!code, !entries) -> !code
  return %t : !code
}

// CHECK-LABEL: func.func @reshape_before_mul(
// CHECK: tosa.mul
// CHECK: tosa.table
func.func @reshape_before_mul(%x: !code) -> !code {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %shape = tosa.const_shape {values = dense<[1, 3, 3, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %alpha = "tosa.const"() <{values = dense<3> : !s8}> : () -> !s8
  %xw = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %xw2 = tosa.reshape %xw, %shape : (!wide, !tosa.shape<4>) -> !wide
  %aw = "tosa.rescale"(%alpha, %m, %s, %z8, %z32) <#scale> : (!s8, !one32, !one8, !one8, !one32) -> !s32
  %p = tosa.mul %xw2, %aw, %z8 : (!wide, !s32, !one8) -> !wide
  %q = "tosa.rescale"(%p, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] alpha | Category:dytq | Function=reshape_before_mul | Reason="shape_mismatch at activation}}
  %t = tosa.table %q, %entries : (!code, !entries) -> !code
  return %t : !code
}

// CHECK-LABEL: func.func @reshape_behind_table(
// CHECK: tosa.mul
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @reshape_behind_table(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %shape = tosa.const_shape {values = dense<[1, 3, 3, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=reshape_behind_table | Reason="shape_mismatch at table (the shapes of the tensors do not agree): the activation is reshaped}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %t2 = tosa.reshape %t, %shape : (!code, !tosa.shape<4>) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t2, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @reshape_before_beta(
// CHECK: tosa.add
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @reshape_before_beta(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %shape = tosa.const_shape {values = dense<[1, 3, 3, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+2 {{[Passed] affine | Category:dytq | Function=reshape_before_beta | Remark=channel_rescale}}
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=reshape_before_beta | Reason="shape_mismatch at gamma_out (the shapes of the tensors do not agree): the activation is reshaped}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %g2 = tosa.reshape %g, %shape : (!code, !tosa.shape<4>) -> !code
  %beta = "tosa.const"() <{values = dense<[[[[3, 5]]]]> : !c8}> : () -> !c8
  %yw = "tosa.rescale"(%g2, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %bw = "tosa.rescale"(%beta, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %sum = tosa.add %yw, %bw : (!wide, !c32) -> !wide
  %y = "tosa.rescale"(%sum, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %y, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @reshape_before_the_convolution(
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @reshape_before_the_convolution(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %shape = tosa.const_shape {values = dense<[1, 3, 3, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+2 {{[Passed] affine | Category:dytq | Function=reshape_before_the_convolution | Remark=channel_rescale}}
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=reshape_before_the_convolution | Reason="observable_code at gamma_out (the rewrite would change a code that others see): tosa.reshape reads the result}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %g2 = tosa.reshape %g, %shape : (!code, !tosa.shape<4>) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g2, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// A constant may be reshaped: it counts how it arrives.
// CHECK-LABEL: func.func @reshaped_constant(
// CHECK: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}20, -60]]]]>
// CHECK: tosa.conv2d {{.*}}, %[[W]]
func.func @reshaped_constant(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Passed] affine | Category:dytq | Function=reshaped_constant | Remark=into_conv}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[2, 3]> : tensor<2xi8>}> : () -> tensor<2xi8>
  %shape = tosa.const_shape {values = dense<[1, 1, 1, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %gr = tosa.reshape %gamma, %shape : (tensor<2xi8>, !tosa.shape<4>) -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gr, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}
