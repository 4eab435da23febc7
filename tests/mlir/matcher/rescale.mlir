// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fold --verify-diagnostics %s | %FileCheck %s
//
// The RESCALEs: unsigned ones are refused, the rounding mode counts, and so does everything else that they say.

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
#unsigned_in = {input_unsigned = true, output_unsigned = false, per_channel = false, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, scale32 = true}
#unsigned_out = {input_unsigned = false, output_unsigned = true, per_channel = false, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, scale32 = true}
#double = {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, scale32 = true}
#inexact = {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = #tosa.rounding_mode<INEXACT_ROUND>, scale32 = true}
#channels = {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, scale32 = true}
#narrow = {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, scale32 = false}
#narrow_double = {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, scale32 = false}

// CHECK-LABEL: func.func @unsigned_input(
// CHECK: tosa.mul
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @unsigned_input(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=unsigned_input | Reason="unsigned_with_int32 at table}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#unsigned_in> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @unsigned_constant(
// CHECK: tosa.mul
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @unsigned_constant(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=unsigned_constant | Reason="unsigned_with_int32 at gamma}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#unsigned_in> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @unsigned_output(
// CHECK: tosa.mul
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @unsigned_output(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=unsigned_output | Reason="unsigned_with_int32 at gamma_out}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#unsigned_out> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @unsigned_wide_input(
// CHECK: tosa.mul
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @unsigned_wide_input(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=unsigned_wide_input | Reason="unsigned_wide_type at gamma_out}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#unsigned_in> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @unsigned_wide_output(
// CHECK: tosa.mul
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @unsigned_wide_output(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=unsigned_wide_output | Reason="unsigned_wide_type at table}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#unsigned_out> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @unsigned_before_table(
// CHECK: tosa.mul
// CHECK: tosa.table
func.func @unsigned_before_table(%x: !code) -> !code {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %alpha = "tosa.const"() <{values = dense<3> : !s8}> : () -> !s8
  %xw = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#unsigned_in> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %aw = "tosa.rescale"(%alpha, %m, %s, %z8, %z32) <#scale> : (!s8, !one32, !one8, !one8, !one32) -> !s32
  %p = tosa.mul %xw, %aw, %z8 : (!wide, !s32, !one8) -> !wide
  %q = "tosa.rescale"(%p, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] alpha | Category:dytq | Function=unsigned_before_table | Reason="unsigned_with_int32 at activation}}
  %t = tosa.table %q, %entries : (!code, !entries) -> !code
  return %t : !code
}

// -2, 0, 1 and 3 quarters.
// CHECK-LABEL: func.func @single_round(
// CHECK: dense<"0x{{(00){64}(00){64}(00){64}((01){64})}}">
// CHECK: tosa.table
func.func @single_round(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Passed] affine | Category:dytq | Function=single_round | Remark=into_table}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %s32 = "tosa.const"() <{values = dense<32> : !one8}> : () -> !one8
  %gamma = "tosa.const"() <{values = dense<1> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s32, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @double_round(
// CHECK: dense<"0x{{(FF){64}(00){64}(01){64}((01){64})}}">
// CHECK: tosa.table
func.func @double_round(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Passed] affine | Category:dytq | Function=double_round | Remark=into_table}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %s32 = "tosa.const"() <{values = dense<32> : !one8}> : () -> !one8
  %gamma = "tosa.const"() <{values = dense<1> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s32, %z32, %z8) <#double> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}


// CHECK-LABEL: func.func @inexact_round(
// CHECK: tosa.mul
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @inexact_round(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=inexact_round | Reason="inexact_round at gamma_out}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#inexact> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @per_channel(
// CHECK: tosa.mul
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @per_channel(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=per_channel | Reason="per_channel_count at gamma_out: expected 1, got 2}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %m2 = "tosa.const"() <{values = dense<[1073741824, 1073741824]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %s2 = "tosa.const"() <{values = dense<30> : tensor<2xi8>}> : () -> tensor<2xi8>
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m2, %s2, %z32, %z8) <#channels> : (!wide, tensor<2xi32>, tensor<2xi8>, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// It scales by the same formula.
// CHECK-LABEL: func.func @multiplier_of_16_bits(
// CHECK: %[[W:.*]] = "tosa.const"() <{values = dense<{{\[\[\[\[}}20, -60]]]]>
func.func @multiplier_of_16_bits(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Passed] affine | Category:dytq | Function=multiplier_of_16_bits | Remark=into_conv}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %m16 = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
  %s14 = "tosa.const"() <{values = dense<14> : !one8}> : () -> !one8
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m16, %s14, %z8, %z32) <#narrow> : (!code, tensor<1xi16>, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @multiplier_of_16_bits_and_double_round(
// CHECK: tosa.mul
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @multiplier_of_16_bits_and_double_round(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=multiplier_of_16_bits_and_double_round | Reason="double_round_without_scale32 at table}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %m16 = "tosa.const"() <{values = dense<16384> : tensor<1xi16>}> : () -> tensor<1xi16>
  %s14 = "tosa.const"() <{values = dense<14> : !one8}> : () -> !one8
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m16, %s14, %z8, %z32) <#narrow_double> : (!code, tensor<1xi16>, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @shift_of_mul(
// CHECK: tosa.mul
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @shift_of_mul(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=shift_of_mul | Reason="shift_out_of_range at gamma: expected 0, got 1 (the shift is outside its legal range): MUL shifts its result}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %one = "tosa.const"() <{values = dense<1> : !one8}> : () -> !one8
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %one : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @value_beyond_the_shift(
// CHECK: tosa.mul
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @value_beyond_the_shift(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=value_beyond_the_shift | Reason="value_exceeds_shift at table}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %s2 = "tosa.const"() <{values = dense<2> : !one8}> : () -> !one8
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s2, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @negative_multiplier(
// CHECK: tosa.mul
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @negative_multiplier(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=negative_multiplier | Reason="multiplier_negative at table}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %negative = "tosa.const"() <{values = dense<-1> : !one32}> : () -> !one32
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %negative, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}
