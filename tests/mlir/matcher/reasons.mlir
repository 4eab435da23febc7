// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fold --verify-diagnostics %s | %FileCheck %s
//
// The library's own reasons reach the reader of the graph.

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

// CHECK-LABEL: func.func @not_affine(
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @not_affine(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+2 {{[Passed] affine | Category:dytq | Function=not_affine | Remark=channel_rescale}}
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=not_affine | Reason="not_affine at weight, channel 0, output channel 0, tap 0, code }}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %s31 = "tosa.const"() <{values = dense<31> : !one8}> : () -> !one8
  %gamma = "tosa.const"() <{values = dense<[[[[3, 5]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s31, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @padding(
// CHECK: tosa.add
// CHECK: tosa.conv2d
func.func @padding(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+2 {{[Passed] affine | Category:dytq | Function=padding | Remark="gamma: drop"}}
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=padding | Reason="padding at weight}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<1> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %beta = "tosa.const"() <{values = dense<[[[[3, 5]]]]> : !c8}> : () -> !c8
  %yw = "tosa.rescale"(%g, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %bw = "tosa.rescale"(%beta, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %sum = tosa.add %yw, %bw : (!wide, !c32) -> !wide
  %y = "tosa.rescale"(%sum, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]], [[13, 14], [15, 16], [17, 18]]]]> : tensor<1x3x3x2xi8>}> : () -> tensor<1x3x3x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %y, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (!code, tensor<1x3x3x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @weight_overflow(
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @weight_overflow(%x: !code) -> (!acc, !code) {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+2 {{[Passed] affine | Category:dytq | Function=weight_overflow | Remark=channel_rescale}}
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=weight_overflow | Reason="weight_overflow at weight}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 9]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r, %t : !acc, !code
}

// The TABLE stays for who sees it; in another after it, the bias has room.
// CHECK-LABEL: func.func @bias_overflow(
// CHECK: %[[T:.*]] = tosa.table %arg0,
// CHECK: %[[U:.*]] = tosa.table %[[T]],
// CHECK: dense<{{\[\[\[\[}}1, 2]]]]>
// CHECK: dense<2147483645>
// CHECK: tosa.conv2d %[[U]]
func.func @bias_overflow(%x: !code) -> (!acc, !code) {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+2 {{[Passed] affine | Category:dytq | Function=bias_overflow | Remark=into_table_and_conv}}
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=bias_overflow | Reason="bias_overflow at bias}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<1> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %beta = "tosa.const"() <{values = dense<[[[[3, 5]]]]> : !c8}> : () -> !c8
  %yw = "tosa.rescale"(%g, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %bw = "tosa.rescale"(%beta, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %sum = tosa.add %yw, %bw : (!wide, !c32) -> !wide
  %y = "tosa.rescale"(%sum, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, 20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<2147483647> : !one32}> : () -> !one32
  %r = tosa.conv2d %y, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r, %t : !acc, !code
}

// CHECK-LABEL: func.func @zero_point_mismatch(
// CHECK: dense<{{\[\[\[\[}}10, -20]]]]>
// CHECK: tosa.conv2d
func.func @zero_point_mismatch(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %z1 = "tosa.const"() <{values = dense<1> : !one8}> : () -> !one8
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+2 {{[Passed] affine | Category:dytq | Function=zero_point_mismatch | Remark=channel_rescale}}
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=zero_point_mismatch | Reason="zero_point_mismatch at input: expected 0, got 1}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %g, %weight, %bias, %z1, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}

// CHECK-LABEL: func.func @nobody_reads(
// CHECK: tosa.table
func.func @nobody_reads(%x: !code) -> !code {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+2 {{[Passed] affine | Category:dytq | Function=nobody_reads | Remark=channel_rescale}}
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=nobody_reads | Reason="empty at input (there is nothing to work on): nobody reads the result}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<[[[[2, 3]]]]> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  return %t : !code
}

// A chain that is unpredictable anywhere is left alone.
// CHECK-LABEL: func.func @exceeding_sum(
// CHECK: tosa.mul
// CHECK: tosa.add
// CHECK: tosa.conv2d
func.func @exceeding_sum(%x: !code) -> !acc {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %big = "tosa.const"() <{values = dense<2147483647> : !one32}> : () -> !one32
  %s8 = "tosa.const"() <{values = dense<8> : !one8}> : () -> !one8
  %entries = "tosa.const"() <{values = #table}> : () -> !entries
  // expected-remark@+1 {{[Missed] affine | Category:dytq | Function=exceeding_sum | Reason="value_exceeds_shift at add_out}}
  %t = tosa.table %x, %entries : (!code, !entries) -> !code
  %gamma = "tosa.const"() <{values = dense<1> : !c8}> : () -> !c8
  %tw = "tosa.rescale"(%t, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %gw = "tosa.rescale"(%gamma, %m, %s, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %gm = tosa.mul %tw, %gw, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%gm, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %beta = "tosa.const"() <{values = dense<127> : !c8}> : () -> !c8
  %yw = "tosa.rescale"(%g, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %bw = "tosa.rescale"(%beta, %big, %s8, %z8, %z32) <#scale> : (!c8, !one32, !one8, !one8, !one32) -> !c32
  %sum = tosa.add %yw, %bw : (!wide, !c32) -> !wide
  %y = "tosa.rescale"(%sum, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %weight = "tosa.const"() <{values = dense<[[[[10, -20]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
  %bias = "tosa.const"() <{values = dense<7> : !one32}> : () -> !one32
  %r = tosa.conv2d %y, %weight, %bias, %z8, %z8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (!code, tensor<1x1x1x2xi8>, !one32, !one8, !one8) -> !acc
  return %r : !acc
}
