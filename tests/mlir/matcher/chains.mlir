// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %chains --split-input-file %s 2>%t | %FileCheck %s
// RUN: %FileCheck --check-prefix=REMARK %s < %t
//
// Chains of elementwise operators with constants that are no Dynamic Tanh.

!code = tensor<1x4x4x3xi8>
!wide = tensor<1x4x4x3xi32>
!c32 = tensor<1x1x1x3xi32>
!one8 = tensor<1xi8>
!one32 = tensor<1xi32>
#scale = {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, scale32 = true}

// Gamma is one RESCALE for each channel.
// CHECK-LABEL: func.func @layer_scale(
// CHECK-NOT: tosa.mul
// CHECK: %[[Y:.*]] = tosa.rescale %arg0,
// CHECK-SAME: per_channel = true
// CHECK-NEXT: return %[[Y]]
func.func @layer_scale(%x: !code) -> !code {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %s36 = "tosa.const"() <{values = dense<36> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %gamma = "tosa.const"() <{values = dense<[[[[20, 77, 110]]]]> : !c32}> : () -> !c32
  %w = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %p = tosa.mul %w, %gamma, %z8 : (!wide, !c32, !one8) -> !wide
  %y = "tosa.rescale"(%p, %m, %s36, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  return %y : !code
}

// Gamma and beta in one accumulation: a depthwise convolution and a RESCALE for four operators. The constants are read
// by others too, who keep them.
// CHECK-LABEL: func.func @line(
// CHECK: dense<{{\[\[\[\[}}1000, -2000, 30]]]]>
// CHECK: %[[LINE:.*]] = tosa.depthwise_conv2d %arg0,
// CHECK: %[[Y:.*]] = tosa.rescale %[[LINE]],
// CHECK-SAME: per_channel = true
// CHECK: return %[[Y]],
func.func @line(%x: !code) -> (!code, !c32) {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %s36 = "tosa.const"() <{values = dense<36> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %gamma = "tosa.const"() <{values = dense<[[[[20, -77, 110]]]]> : !c32}> : () -> !c32
  %beta = "tosa.const"() <{values = dense<[[[[1000, -2000, 30]]]]> : !c32}> : () -> !c32
  %w = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %p = tosa.mul %gamma, %w, %z8 : (!c32, !wide, !one8) -> !wide
  %q = tosa.add %p, %beta : (!wide, !c32) -> !wide
  %y = "tosa.rescale"(%q, %m, %s36, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  return %y, %beta : !code, !c32
}

// x * clamp(x + 3): no chain of operators, but one table of codes.
// CHECK-LABEL: func.func @graph(
// CHECK: %[[T:.*]] = tosa.table %arg0,
// CHECK-NEXT: return %[[T]]
func.func @graph(%x: !code) -> !code {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %s37 = "tosa.const"() <{values = dense<37> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %three = "tosa.const"() <{values = dense<48> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
  %w = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %a = tosa.add %w, %three : (!wide, tensor<1x1x1x1xi32>) -> !wide
  %c = tosa.clamp %a {min_val = 0 : i32, max_val = 96 : i32} : (!wide) -> !wide
  %p = tosa.mul %w, %c, %z8 : (!wide, !wide, !one8) -> !wide
  %y = "tosa.rescale"(%p, %m, %s37, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  return %y : !code
}

// A result between that somebody else reads stays; what is before and after it becomes one operator each.
// CHECK-LABEL: func.func @observed(
// CHECK: %[[A:.*]] = tosa.table %arg0,
// CHECK: %[[B:.*]] = tosa.rescale %[[A]],
// CHECK-SAME: per_channel = true
// CHECK-NEXT: return %[[B]], %[[A]]
func.func @observed(%x: !code) -> (!code, !code) {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %s36 = "tosa.const"() <{values = dense<36> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %gamma = "tosa.const"() <{values = dense<[[[[20, 77, 110]]]]> : !c32}> : () -> !c32
  %w = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %a = tosa.abs %w : (!wide) -> !wide
  %b = "tosa.rescale"(%a, %m, %s, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  %v = "tosa.rescale"(%b, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %p = tosa.mul %v, %gamma, %z8 : (!wide, !c32, !one8) -> !wide
  %y = "tosa.rescale"(%p, %m, %s36, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  return %y, %b : !code, !code
}

// The product is seen, so that a new RESCALE would be one operator more: it takes one away, and adds one.
// CHECK-LABEL: func.func @seen_inside(
// CHECK: tosa.mul
// CHECK: tosa.rescale
// CHECK-SAME: per_channel = false
// CHECK: return
func.func @seen_inside(%x: !code) -> (!code, !wide) {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %s36 = "tosa.const"() <{values = dense<36> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %gamma = "tosa.const"() <{values = dense<[[[[20, 77, 110]]]]> : !c32}> : () -> !c32
  %w = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %p = tosa.mul %w, %gamma, %z8 : (!wide, !c32, !one8) -> !wide
  %y = "tosa.rescale"(%p, %m, %s36, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  return %y, %p : !code, !wide
}

// A constant that is an argument is none.
// CHECK-LABEL: func.func @computed(
// CHECK: tosa.mul
func.func @computed(%x: !code, %gamma: !c32) -> !code {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %s36 = "tosa.const"() <{values = dense<36> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %w = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %p = tosa.mul %w, %gamma, %z8 : (!wide, !c32, !one8) -> !wide
  %y = "tosa.rescale"(%p, %m, %s36, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  return %y : !code
}

// The sum leaves 32 bits for some codes, which TOSA calls unpredictable: nothing is said of it.
// CHECK-LABEL: func.func @unpredictable(
// CHECK: tosa.add
func.func @unpredictable(%x: !code) -> !code {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %s36 = "tosa.const"() <{values = dense<36> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %beta = "tosa.const"() <{values = dense<[[[[0, 2147483600, 0]]]]> : !c32}> : () -> !c32
  %w = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#scale> : (!code, !one32, !one8, !one8, !one32) -> !wide
  %p = tosa.add %w, %beta : (!wide, !c32) -> !wide
  %y = "tosa.rescale"(%p, %m, %s36, %z32, %z8) <#scale> : (!wide, !one32, !one8, !one32, !one8) -> !code
  return %y : !code
}

// How many channels there are is not known: constants for all of them may be, and a table is.
// CHECK-LABEL: func.func @dynamic(
// CHECK: %[[T:.*]] = tosa.table %arg0,
// CHECK-NEXT: return %[[T]]
func.func @dynamic(%x: tensor<?x?x?x?xi8>) -> tensor<?x?x?x?xi8> {
  %m = "tosa.const"() <{values = dense<1073741824> : !one32}> : () -> !one32
  %s = "tosa.const"() <{values = dense<30> : !one8}> : () -> !one8
  %z8 = "tosa.const"() <{values = dense<0> : !one8}> : () -> !one8
  %z32 = "tosa.const"() <{values = dense<0> : !one32}> : () -> !one32
  %w = "tosa.rescale"(%x, %m, %s, %z8, %z32) <#scale> : (tensor<?x?x?x?xi8>, !one32, !one8, !one8, !one32) -> tensor<?x?x?x?xi32>
  %p = tosa.abs %w : (tensor<?x?x?x?xi32>) -> tensor<?x?x?x?xi32>
  %y = "tosa.rescale"(%p, %m, %s, %z32, %z8) <#scale> : (tensor<?x?x?x?xi32>, !one32, !one8, !one32, !one8) -> tensor<?x?x?x?xi8>
  return %y : tensor<?x?x?x?xi8>
}

// REMARK-DAG: [Passed] chain | Category:dytq | Function=layer_scale | Remark=channel_rescale
// REMARK-DAG: [Passed] chain | Category:dytq | Function=line | Remark=line
// REMARK-DAG: [Passed] chain | Category:dytq | Function=graph | Remark=into_table
// REMARK-DAG: [Passed] chain | Category:dytq | Function=observed | Remark="into_table, channel_rescale"
// REMARK-DAG: [Missed] chain | Category:dytq | Function=unpredictable | Reason="add_overflow at {{.*}}channel 1, code 48
// REMARK-DAG: [Passed] chain | Category:dytq | Function=dynamic | Remark=into_table
