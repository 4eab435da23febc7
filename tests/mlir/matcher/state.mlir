// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fold --verify-diagnostics %s | %FileCheck %s
//
// State that is written: a variable is no constant, and writing a code to one makes it seen.

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

tosa.variable @gamma_state = dense<2> : !c8
tosa.variable @weight_state = dense<2> : tensor<1x1x1x2xi8>
tosa.variable @entries_state = dense<2> : !entries
tosa.variable @code = dense<0> : !code

// CHECK-LABEL: func.func @gamma(
// CHECK: tosa.mul
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @gamma(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=gamma | Reason="empty at gamma (there is nothing to work on): a variable is no constant, since its state can be written}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = tosa.variable_read @gamma_state : !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %next = "tosa.const"() <{values = dense<3> : !c8}> : () -> !c8
  tosa.variable_write @gamma_state, %next : !c8
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @weights(
// CHECK: tosa.variable_read
// CHECK: tosa.conv2d
func.func @weights(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+2 {{[Passed] affine | Category:dytq | Function=weights | Remark=channel_rescale}}
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=weights | Reason="empty at weight (there is nothing to work on): a variable is no constant, since its state can be written}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = tosa.variable_read @weight_state : tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @entries(
// CHECK: tosa.mul
// CHECK: tosa.table
func.func @entries(%x: !code) -> !code {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %alpha = "tosa.const"() <{values = dense<-3> : !s8}> : () -> !s8
  %xw = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %aw = "tosa.rescale"(%alpha, %m, %s, %z8, %z32) <#scale> : (!s8, !one32, !one8, !one8, !one32) -> !s32
  %p = tosa.mul %xw, %aw, %z8 : (!wide, !s32, !one8) -> !wide
  %q = "tosa.rescale"(%p, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %entries = tosa.variable_read @entries_state : !entries
  // expected-remark@+1 {{[Missed] alpha | Category:dytq | Function=entries | Reason="empty at table (there is nothing to work on): a variable is no constant, since its state can be written}}
  %t = tosa.table %q, %entries : (!code, !entries) -> !code
  return %t : !code
}

// CHECK-LABEL: func.func @written_result(
// CHECK: %[[G:.*]] = tosa.rescale
// CHECK: tosa.variable_write @code, %[[G]]
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d %[[G]]
func.func @written_result(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+2 {{[Passed] affine | Category:dytq | Function=written_result | Remark=channel_rescale}}
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=written_result | Reason="observable_code at gamma_out (the rewrite would change a code that others see): tosa.variable_write reads the result}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  tosa.variable_write @code, %g : !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// The TABLE stays as it is.
// CHECK-LABEL: func.func @written_table(
// CHECK: %[[T:.*]] = tosa.table
// CHECK: tosa.variable_write @code, %[[T]]
// CHECK: tosa.conv2d %[[T]]
func.func @written_table(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Passed] affine | Category:dytq | Function=written_table | Remark=into_conv}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  tosa.variable_write @code, %t : !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @written_before_table(
// CHECK: tosa.mul
// CHECK: tosa.variable_write
func.func @written_before_table(%x: !code) -> !code {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %alpha = "tosa.const"() <{values = dense<-3> : !s8}> : () -> !s8
  %xw = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %aw = "tosa.rescale"(%alpha, %m, %s, %z8, %z32) <#scale> : (!s8, !one32, !one8, !one8, !one32) -> !s32
  %p = tosa.mul %xw, %aw, %z8 : (!wide, !s32, !one8) -> !wide
  %q = "tosa.rescale"(%p, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  tosa.variable_write @code, %q : !code
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] alpha | Category:dytq | Function=written_before_table | Reason="observable_code at mul_out}}
  %t = tosa.table %q, %entries : (!code, !entries) -> !code
  return %t : !code
}
