// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %chains %s 2>/dev/null | %FileCheck --check-prefix=EXACT %s
// RUN: %near %s 2>%t | %FileCheck %s
// RUN: %FileCheck --check-prefix=REMARK %s < %t
//
// Gamma and beta with a rounding after each: no line, but within one code of one. That is asked for by name.

!code = tensor<1x4x4x3xi8>
!wide = tensor<1x4x4x3xi32>
!c32 = tensor<1x1x1x3xi32>
!one8 = tensor<1xi8>
!one32 = tensor<1xi32>
#scale = {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, scale32 = true}

// EXACT-LABEL: func.func @two_roundings(
// EXACT: %[[GAMMA:.*]] = tosa.rescale %arg0,
// EXACT: tosa.depthwise_conv2d %[[GAMMA]],
// CHECK-LABEL: func.func @two_roundings(
// CHECK: %[[LINE:.*]] = tosa.depthwise_conv2d %arg0,
// CHECK: %[[Y:.*]] = tosa.rescale %[[LINE]],
// CHECK-NEXT: return %[[Y]]
func.func @two_roundings(%x: !code) -> !code {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %m2 = "tosa.const"() <{values = dense<1832519379> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %s31 = "tosa.const"() <{values = dense<31> : !one8}> : () -> !one8
  %s37 = "tosa.const"() <{values = dense<37> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %gamma = "tosa.const"() <{values = dense<[[[[97, 111, 120]]]]> : !c32}> : () -> !c32
  %beta = "tosa.const"() <{values = dense<[[[[3, -5, 11]]]]> : !c32}> : () -> !c32
  %w = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %p = tosa.mul %w, %gamma, %z8 : (!wide, !c32, !one8) -> !wide
  %g = "tosa.rescale"(%p, %m, %s37, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %v = "tosa.rescale"(%g, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %q = tosa.add %v, %beta : (!wide, !c32) -> !wide
  %y = "tosa.rescale"(%q, %m2, %s31, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  return %y : !code
}

// REMARK: [Passed] chain | Category:dytq | Function=two_roundings | Remark="line (1 off at most, {{[0-9]+}} codes of all channels are)"
