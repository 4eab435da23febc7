module {
  func.func private @printMemrefI32(tensor<*xi32>)
  func.func private @graph3(%arg0: tensor<13x5x4x2xi8>) -> tensor<13x2x2x4xi32> {
    %0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = "tosa.const"() <{values = dense<-19> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %4 = tosa.rescale %arg0, %0, %1, %2, %3 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<13x5x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<13x5x4x2xi32>
    %5 = "tosa.const"() <{values = dense<121> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
    %6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %7 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %10 = tosa.rescale %5, %6, %7, %8, %9 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %11 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = tosa.mul %10, %4, %11 : (tensor<1x1x1x1xi32>, tensor<13x5x4x2xi32>, tensor<1xi8>) -> tensor<13x5x4x2xi32>
    %13 = "tosa.const"() <{values = dense<1886310996> : tensor<1xi32>}> : () -> tensor<1xi32>
    %14 = "tosa.const"() <{values = dense<39> : tensor<1xi8>}> : () -> tensor<1xi8>
    %15 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %16 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %17 = tosa.rescale %12, %13, %14, %15, %16 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<13x5x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<13x5x4x2xi8>
    %18 = "tosa.const"() <{values = dense<"0xFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF0000000000000000000000000000000000000000000000000000000001010101010101010101010101010101010101010101010101010101010202020202020202020202020202020202020202020202020202020203030303030303030303030303030303030303030303030303030303030404040404040404040404040404040404040404040404040404040405050505050505050505050505050505050505050505050505050505"> : tensor<256xi8>}> : () -> tensor<256xi8>
    %19 = tosa.table %17, %18 : (tensor<13x5x4x2xi8>, tensor<256xi8>) -> tensor<13x5x4x2xi8>
    %20 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %21 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %22 = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
    %23 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %24 = tosa.rescale %19, %20, %21, %22, %23 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<13x5x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<13x5x4x2xi32>
    %25 = "tosa.const"() <{values = dense<[[[[6, 9]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
    %26 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %27 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %28 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
    %29 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %30 = tosa.rescale %25, %26, %27, %28, %29 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x2xi32>
    %31 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %32 = tosa.mul %30, %24, %31 : (tensor<1x1x1x2xi32>, tensor<13x5x4x2xi32>, tensor<1xi8>) -> tensor<13x5x4x2xi32>
    %33 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %34 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %35 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %36 = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
    %37 = tosa.rescale %32, %33, %34, %35, %36 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<13x5x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<13x5x4x2xi8>
    %38 = tosa.transpose %37 {perms = array<i32: 0, 2, 1, 3>} : (tensor<13x5x4x2xi8>) -> tensor<13x4x5x2xi8>
    %39 = "tosa.const"() <{values = dense<[[[[-27, -1], [-38, -12], [0, 0]], [[18, 26], [0, 0], [-20, 0]]], [[[0, -26], [0, 0], [-16, 0]], [[0, -40], [22, 16], [-20, 0]]], [[[32, -5], [-4, 0], [-10, 0]], [[0, 0], [0, 0], [-35, 31]]], [[[0, 10], [0, -15], [0, -6]], [[3, 30], [-30, 0], [0, 0]]]]> : tensor<4x2x3x2xi8>}> : () -> tensor<4x2x3x2xi8>
    %40 = "tosa.const"() <{values = dense<-727> : tensor<1xi32>}> : () -> tensor<1xi32>
    %41 = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
    %42 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %43 = tosa.conv2d %38, %39, %40, %41, %42 {acc_type = i32, dilation = array<i64: 2, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 2>} : (tensor<13x4x5x2xi8>, tensor<4x2x3x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<13x2x2x4xi32>
    return %43 : tensor<13x2x2x4xi32>
  }
  func.func private @graph6(%arg0: tensor<13x4x5x2xi8>) -> tensor<13x4x5x1xi32> {
    %0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %4 = tosa.rescale %arg0, %0, %1, %2, %3 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<13x4x5x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<13x4x5x2xi32>
    %5 = "tosa.const"() <{values = dense<-51> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
    %6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %7 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %10 = tosa.rescale %5, %6, %7, %8, %9 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %11 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = tosa.mul %4, %10, %11 : (tensor<13x4x5x2xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<13x4x5x2xi32>
    %13 = "tosa.const"() <{values = dense<1369792629> : tensor<1xi32>}> : () -> tensor<1xi32>
    %14 = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
    %15 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %16 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %17 = tosa.rescale %12, %13, %14, %15, %16 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<13x4x5x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<13x4x5x2xi8>
    %18 = "tosa.const"() <{values = dense<"0xFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFC0303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030304040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404040404"> : tensor<256xi8>}> : () -> tensor<256xi8>
    %19 = tosa.table %17, %18 : (tensor<13x4x5x2xi8>, tensor<256xi8>) -> tensor<13x4x5x2xi8>
    %20 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %21 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %22 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %23 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %24 = tosa.rescale %19, %20, %21, %22, %23 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<13x4x5x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<13x4x5x2xi32>
    %25 = "tosa.const"() <{values = dense<-127> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
    %26 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %27 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %28 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
    %29 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %30 = tosa.rescale %25, %26, %27, %28, %29 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x2xi32>
    %31 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %32 = tosa.mul %24, %30, %31 : (tensor<13x4x5x2xi32>, tensor<1x1x1x2xi32>, tensor<1xi8>) -> tensor<13x4x5x2xi32>
    %33 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %34 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %35 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %36 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %37 = tosa.rescale %32, %33, %34, %35, %36 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<13x4x5x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<13x4x5x2xi8>
    %38 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %39 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %40 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %41 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %42 = tosa.rescale %37, %38, %39, %40, %41 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<13x4x5x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<13x4x5x2xi32>
    %43 = "tosa.const"() <{values = dense<-3> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
    %44 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %45 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %46 = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
    %47 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %48 = tosa.rescale %43, %44, %45, %46, %47 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x2xi32>
    %49 = tosa.add %48, %42 : (tensor<1x1x1x2xi32>, tensor<13x4x5x2xi32>) -> tensor<13x4x5x2xi32>
    %50 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %51 = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
    %52 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %53 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %54 = tosa.rescale %49, %50, %51, %52, %53 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<13x4x5x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<13x4x5x2xi8>
    %55 = "tosa.const"() <{values = dense<[[[[0, 31]], [[-1, -38]], [[-30, -36]]]]> : tensor<1x3x1x2xi8>}> : () -> tensor<1x3x1x2xi8>
    %56 = "tosa.const"() <{values = dense<581> : tensor<1xi32>}> : () -> tensor<1xi32>
    %57 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %58 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %59 = tosa.conv2d %54, %55, %56, %57, %58 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 2, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<13x4x5x2xi8>, tensor<1x3x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<13x4x5x1xi32>
    return %59 : tensor<13x4x5x1xi32>
  }
  func.func private @graph7(%arg0: tensor<11x5x5x1xi8>) -> tensor<11x6x5x2xi32> {
    %0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %4 = tosa.rescale %arg0, %0, %1, %2, %3 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<11x5x5x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<11x5x5x1xi32>
    %5 = "tosa.const"() <{values = dense<122> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
    %6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %7 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %10 = tosa.rescale %5, %6, %7, %8, %9 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %11 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = tosa.mul %10, %4, %11 : (tensor<1x1x1x1xi32>, tensor<11x5x5x1xi32>, tensor<1xi8>) -> tensor<11x5x5x1xi32>
    %13 = "tosa.const"() <{values = dense<1164282547> : tensor<1xi32>}> : () -> tensor<1xi32>
    %14 = "tosa.const"() <{values = dense<39> : tensor<1xi8>}> : () -> tensor<1xi8>
    %15 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %16 = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
    %17 = tosa.rescale %12, %13, %14, %15, %16 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<11x5x5x1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<11x5x5x1xi8>
    %18 = "tosa.const"() <{values = dense<"0xE5E5E5E5E5E5E5E5E5E5E5E5E5E5E5E5E5E5E5E5E5E5E5E5E5E5E5E5E5E5E5E5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5FCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFD0000000000000000000000000000000000000000000000000000000000000000040404040404040404040404040404040404040404040404040404040404040405050505050505050505050505050505050505050505050505050505050505051717171717171717171717171717171717171717171717171717171717171717"> : tensor<256xi8>}> : () -> tensor<256xi8>
    %19 = tosa.table %17, %18 : (tensor<11x5x5x1xi8>, tensor<256xi8>) -> tensor<11x5x5x1xi8>
    %20 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %21 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %22 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %23 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %24 = tosa.rescale %19, %20, %21, %22, %23 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<11x5x5x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<11x5x5x1xi32>
    %25 = "tosa.const"() <{values = dense<10> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
    %26 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %27 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %28 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
    %29 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %30 = tosa.rescale %25, %26, %27, %28, %29 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %31 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %32 = tosa.mul %24, %30, %31 : (tensor<11x5x5x1xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<11x5x5x1xi32>
    %33 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %34 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
    %35 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %36 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %37 = tosa.rescale %32, %33, %34, %35, %36 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<11x5x5x1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<11x5x5x1xi8>
    %38 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %39 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %40 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %41 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %42 = tosa.rescale %37, %38, %39, %40, %41 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<11x5x5x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<11x5x5x1xi32>
    %43 = "tosa.const"() <{values = dense<13> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
    %44 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %45 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %46 = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
    %47 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %48 = tosa.rescale %43, %44, %45, %46, %47 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %49 = tosa.add %48, %42 : (tensor<1x1x1x1xi32>, tensor<11x5x5x1xi32>) -> tensor<11x5x5x1xi32>
    %50 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %51 = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
    %52 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %53 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %54 = tosa.rescale %49, %50, %51, %52, %53 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<11x5x5x1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<11x5x5x1xi8>
    %55 = "tosa.const"() <{values = dense<[[[[39, 6]], [[-7, 26]], [[12, 0]]]]> : tensor<1x3x1x2xi8>}> : () -> tensor<1x3x1x2xi8>
    %56 = "tosa.const"() <{values = dense<[-133, 942]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %57 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %58 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %59 = tosa.depthwise_conv2d %54, %55, %56, %57, %58 {acc_type = i32, dilation = array<i64: 2, 1>, pad = array<i64: 1, 0, 2, 0>, stride = array<i64: 1, 1>} : (tensor<11x5x5x1xi8>, tensor<1x3x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<11x6x5x2xi32>
    return %59 : tensor<11x6x5x2xi32>
  }
  func.func private @graph9(%arg0: tensor<22x3x4x2xi8>) -> tensor<22x3x1x3xi32> {
    %0 = "tosa.const"() <{values = dense<"0xAAAAAAAAAAAAAAACACACACACACACAFAFAFAFAFAFAFB3B3B3B3B3B3B3BCBCBCBCBCBCBCC2C2C2C2C2C2C2C4C4C4C4C4C4C4C9C9C9C9C9C9C9CECECECECECECED3D3D3D3D3D3D3D4D4D4D4D4D4D4D6D6D6D6D6D6D6D9D9D9D9D9D9E9E9E9E9E9E9E9F8F8F8F8F8F8F8FBFBFBFBFBFBFBFEFEFEFEFEFEFE040404040404040E0E0E0E0E0E0E0F0F0F0F0F0F0F14141414141414191919191919191B1B1B1B1B1B1B1D1D1D1D1D1D1D2626262626262A2A2A2A2A2A2A2E2E2E2E2E2E2E2F2F2F2F2F2F2F353535353535353F3F3F3F3F3F3F42424242424242444444444444444B4B4B4B4B4B4B4C4C4C4C4C4C4C4F4F4F4F4F4F4F555555555555555A5A5A5A5A5A"> : tensor<256xi8>}> : () -> tensor<256xi8>
    %1 = tosa.table %arg0, %0 : (tensor<22x3x4x2xi8>, tensor<256xi8>) -> tensor<22x3x4x2xi8>
    %2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %6 = tosa.rescale %1, %2, %3, %4, %5 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<22x3x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<22x3x4x2xi32>
    %7 = "tosa.const"() <{values = dense<[[[[113, 97]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
    %8 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %9 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %11 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %12 = tosa.rescale %7, %8, %9, %10, %11 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x2xi32>
    %13 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %14 = tosa.mul %12, %6, %13 : (tensor<1x1x1x2xi32>, tensor<22x3x4x2xi32>, tensor<1xi8>) -> tensor<22x3x4x2xi32>
    %15 = "tosa.const"() <{values = dense<1974407416> : tensor<1xi32>}> : () -> tensor<1xi32>
    %16 = "tosa.const"() <{values = dense<37> : tensor<1xi8>}> : () -> tensor<1xi8>
    %17 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %18 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %19 = tosa.rescale %14, %15, %16, %17, %18 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<22x3x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<22x3x4x2xi8>
    %20 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %21 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %22 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %23 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %24 = tosa.rescale %19, %20, %21, %22, %23 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<22x3x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<22x3x4x2xi32>
    %25 = "tosa.const"() <{values = dense<[[[[-6, -3]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
    %26 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %27 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %28 = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
    %29 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %30 = tosa.rescale %25, %26, %27, %28, %29 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x2xi32>
    %31 = tosa.add %24, %30 : (tensor<22x3x4x2xi32>, tensor<1x1x1x2xi32>) -> tensor<22x3x4x2xi32>
    %32 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %33 = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
    %34 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %35 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %36 = tosa.rescale %31, %32, %33, %34, %35 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<22x3x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<22x3x4x2xi8>
    %37 = tosa.const_shape  {values = dense<[0, 0, 1, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %38 = tosa.const_shape  {values = dense<[22, 3, 3, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %39 = tosa.slice %36, %37, %38 : (tensor<22x3x4x2xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<22x3x3x2xi8>
    %40 = "tosa.const"() <{values = dense<[[[[-26, -20], [39, 18], [0, -16]]], [[[11, -10], [0, -36], [-12, 0]]], [[[-12, 5], [18, 0], [18, 0]]]]> : tensor<3x1x3x2xi8>}> : () -> tensor<3x1x3x2xi8>
    %41 = "tosa.const"() <{values = dense<[-983, 657, 47]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %42 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %43 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %44 = tosa.conv2d %39, %40, %41, %42, %43 {acc_type = i32, dilation = array<i64: 2, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<22x3x3x2xi8>, tensor<3x1x3x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<22x3x1x3xi32>
    return %44 : tensor<22x3x1x3xi32>
  }
  func.func private @graph13(%arg0: tensor<22x4x3x3xi8>) -> tensor<22x5x3x3xi32> {
    %0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %4 = tosa.rescale %arg0, %0, %1, %2, %3 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<22x4x3x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<22x4x3x3xi32>
    %5 = "tosa.const"() <{values = dense<-40> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
    %6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %7 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %10 = tosa.rescale %5, %6, %7, %8, %9 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %11 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = tosa.mul %4, %10, %11 : (tensor<22x4x3x3xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<22x4x3x3xi32>
    %13 = "tosa.const"() <{values = dense<1561993086> : tensor<1xi32>}> : () -> tensor<1xi32>
    %14 = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
    %15 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %16 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %17 = tosa.rescale %12, %13, %14, %15, %16 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<22x4x3x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<22x4x3x3xi8>
    %18 = "tosa.const"() <{values = dense<"0xDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBDBE1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E1E10F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F"> : tensor<256xi8>}> : () -> tensor<256xi8>
    %19 = tosa.table %17, %18 : (tensor<22x4x3x3xi8>, tensor<256xi8>) -> tensor<22x4x3x3xi8>
    %20 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %21 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %22 = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
    %23 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %24 = tosa.rescale %19, %20, %21, %22, %23 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<22x4x3x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<22x4x3x3xi32>
    %25 = "tosa.const"() <{values = dense<[[[[-1, 1, 2]]]]> : tensor<1x1x1x3xi8>}> : () -> tensor<1x1x1x3xi8>
    %26 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %27 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %28 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %29 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %30 = tosa.rescale %25, %26, %27, %28, %29 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x3xi32>
    %31 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %32 = tosa.mul %30, %24, %31 : (tensor<1x1x1x3xi32>, tensor<22x4x3x3xi32>, tensor<1xi8>) -> tensor<22x4x3x3xi32>
    %33 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %34 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
    %35 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %36 = "tosa.const"() <{values = dense<19> : tensor<1xi8>}> : () -> tensor<1xi8>
    %37 = tosa.rescale %32, %33, %34, %35, %36 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<22x4x3x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<22x4x3x3xi8>
    %38 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %39 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %40 = "tosa.const"() <{values = dense<19> : tensor<1xi8>}> : () -> tensor<1xi8>
    %41 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %42 = tosa.rescale %37, %38, %39, %40, %41 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<22x4x3x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<22x4x3x3xi32>
    %43 = "tosa.const"() <{values = dense<0> : tensor<1x1x1x3xi8>}> : () -> tensor<1x1x1x3xi8>
    %44 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %45 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %46 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %47 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %48 = tosa.rescale %43, %44, %45, %46, %47 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x3xi32>
    %49 = tosa.add %42, %48 : (tensor<22x4x3x3xi32>, tensor<1x1x1x3xi32>) -> tensor<22x4x3x3xi32>
    %50 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %51 = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
    %52 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %53 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %54 = tosa.rescale %49, %50, %51, %52, %53 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<22x4x3x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<22x4x3x3xi8>
    %55 = "tosa.const"() <{values = dense<[[[[-6, -14, 0]]], [[[-10, 0, 30]]], [[[0, 16, -12]]]]> : tensor<3x1x1x3xi8>}> : () -> tensor<3x1x1x3xi8>
    %56 = "tosa.const"() <{values = dense<[-938, 354, 87]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %57 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %58 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %59 = tosa.conv2d %54, %55, %56, %57, %58 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<22x4x3x3xi8>, tensor<3x1x1x3xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<22x5x3x3xi32>
    return %59 : tensor<22x5x3x3xi32>
  }
  func.func private @graph16(%arg0: tensor<18x3x5x2xi8>) -> tensor<18x5x6x2xi32> {
    %0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %4 = tosa.rescale %arg0, %0, %1, %2, %3 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<18x3x5x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<18x3x5x2xi32>
    %5 = "tosa.const"() <{values = dense<-32> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
    %6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %7 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %10 = tosa.rescale %5, %6, %7, %8, %9 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %11 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = tosa.mul %10, %4, %11 : (tensor<1x1x1x1xi32>, tensor<18x3x5x2xi32>, tensor<1xi8>) -> tensor<18x3x5x2xi32>
    %13 = "tosa.const"() <{values = dense<1244026407> : tensor<1xi32>}> : () -> tensor<1xi32>
    %14 = "tosa.const"() <{values = dense<36> : tensor<1xi8>}> : () -> tensor<1xi8>
    %15 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %16 = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
    %17 = tosa.rescale %12, %13, %14, %15, %16 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<18x3x5x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<18x3x5x2xi8>
    %18 = "tosa.const"() <{values = dense<"0xEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFF6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F7F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8FCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFE010101010101010101010101010101010101010101010101010101010101010101010101"> : tensor<256xi8>}> : () -> tensor<256xi8>
    %19 = tosa.table %17, %18 : (tensor<18x3x5x2xi8>, tensor<256xi8>) -> tensor<18x3x5x2xi8>
    %20 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %21 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %22 = "tosa.const"() <{values = dense<-9> : tensor<1xi8>}> : () -> tensor<1xi8>
    %23 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %24 = tosa.rescale %19, %20, %21, %22, %23 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<18x3x5x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<18x3x5x2xi32>
    %25 = "tosa.const"() <{values = dense<8> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
    %26 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %27 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %28 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
    %29 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %30 = tosa.rescale %25, %26, %27, %28, %29 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x2xi32>
    %31 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %32 = tosa.mul %30, %24, %31 : (tensor<1x1x1x2xi32>, tensor<18x3x5x2xi32>, tensor<1xi8>) -> tensor<18x3x5x2xi32>
    %33 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %34 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %35 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %36 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %37 = tosa.rescale %32, %33, %34, %35, %36 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<18x3x5x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<18x3x5x2xi8>
    %38 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %39 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %40 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %41 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %42 = tosa.rescale %37, %38, %39, %40, %41 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<18x3x5x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<18x3x5x2xi32>
    %43 = "tosa.const"() <{values = dense<[[[[7, -7]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
    %44 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %45 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %46 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %47 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %48 = tosa.rescale %43, %44, %45, %46, %47 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x2xi32>
    %49 = tosa.add %48, %42 : (tensor<1x1x1x2xi32>, tensor<18x3x5x2xi32>) -> tensor<18x3x5x2xi32>
    %50 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %51 = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
    %52 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %53 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %54 = tosa.rescale %49, %50, %51, %52, %53 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<18x3x5x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<18x3x5x2xi8>
    %55 = "tosa.const"() <{values = dense<[[[[18, 18]]], [[[2, 2]]]]> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
    %56 = "tosa.const"() <{values = dense<[-775, -505]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %57 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %58 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %59 = tosa.conv2d %54, %55, %56, %57, %58 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 2, 0, 1, 0>, stride = array<i64: 1, 1>} : (tensor<18x3x5x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<18x5x6x2xi32>
    return %59 : tensor<18x5x6x2xi32>
  }
  func.func private @graph35(%arg0: tensor<22x4x3x2xi8>) -> tensor<22x5x4x1xi32> {
    %0 = "tosa.const"() <{values = dense<"0xF6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F6F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8F8FAFAFAFAFAFAFAFAFAFAFAFAFAFAFAFAFAFAFAFAFAFAFAFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFE0000000000000000000000000000000000000000000000020202020202020202020202020202020202020202020204040404040404040404040404040404040404040404040406060606060606060606060808080808080808080808080808080808080808080808080A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0C0C0C0C0C0C0C0C0C0C0C"> : tensor<256xi8>}> : () -> tensor<256xi8>
    %1 = tosa.table %arg0, %0 : (tensor<22x4x3x2xi8>, tensor<256xi8>) -> tensor<22x4x3x2xi8>
    %2 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %6 = tosa.rescale %1, %2, %3, %4, %5 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<22x4x3x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<22x4x3x2xi32>
    %7 = "tosa.const"() <{values = dense<[[[[1, -1]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
    %8 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %9 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %11 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %12 = tosa.rescale %7, %8, %9, %10, %11 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x2xi32>
    %13 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %14 = tosa.mul %12, %6, %13 : (tensor<1x1x1x2xi32>, tensor<22x4x3x2xi32>, tensor<1xi8>) -> tensor<22x4x3x2xi32>
    %15 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %16 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
    %17 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %18 = "tosa.const"() <{values = dense<8> : tensor<1xi8>}> : () -> tensor<1xi8>
    %19 = tosa.rescale %14, %15, %16, %17, %18 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<22x4x3x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<22x4x3x2xi8>
    %20 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %21 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %22 = "tosa.const"() <{values = dense<8> : tensor<1xi8>}> : () -> tensor<1xi8>
    %23 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %24 = tosa.rescale %19, %20, %21, %22, %23 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<22x4x3x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<22x4x3x2xi32>
    %25 = "tosa.const"() <{values = dense<[[[[-9, -4]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
    %26 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %27 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %28 = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
    %29 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %30 = tosa.rescale %25, %26, %27, %28, %29 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x2xi32>
    %31 = tosa.add %24, %30 : (tensor<22x4x3x2xi32>, tensor<1x1x1x2xi32>) -> tensor<22x4x3x2xi32>
    %32 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %33 = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
    %34 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %35 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %36 = tosa.rescale %31, %32, %33, %34, %35 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<22x4x3x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<22x4x3x2xi8>
    %37 = tosa.const_shape  {values = dense<[0, 1, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %38 = tosa.const_shape  {values = dense<[22, 3, 3, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %39 = tosa.slice %36, %37, %38 : (tensor<22x4x3x2xi8>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<22x3x3x2xi8>
    %40 = "tosa.const"() <{values = dense<[[[[10, 0]]]]> : tensor<1x1x1x2xi8>}> : () -> tensor<1x1x1x2xi8>
    %41 = "tosa.const"() <{values = dense<137> : tensor<1xi32>}> : () -> tensor<1xi32>
    %42 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %43 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %44 = tosa.conv2d %39, %40, %41, %42, %43 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 2, 0, 0, 1>, stride = array<i64: 1, 1>} : (tensor<22x3x3x2xi8>, tensor<1x1x1x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<22x5x4x1xi32>
    return %44 : tensor<22x5x4x1xi32>
  }
  func.func @main() {
    %0 = "tosa.const"() <{values = dense<"0x6E5BC8D04387FA19250A7B22D61F3FFC8EF4F770357AD715E5522856514CE78BC9E5C77322C69BB41FB560CE763CE1D2DF623D0F5FF813C70ABB80847E0955347579C2F21E35B5DB8BD1D49ABF3A883600AAAF086654682C83C24B0E10A154BDF385B80D91CF2BBE5EE827E717D7032A7D4AA927481D6B301169AA75746D05946C18955102F60B8C4CAEBEF3FF2B41714574591EE9D88682CAB99F5AEB5DA183C41453953328B2A431FE4F532ED5C1612464ACC0069E72B2F06AEA7E445C5D4F7150AE3ECFE19AA8BC24C0F0B67889A58A7B5C81186593DA7FE2464EA77C8F0581DCCDF419D992AB0ECBB4DF08B7ADBF7CA0F24847263BE4CB41F8F9EE559E38B9EFD106094B23597A8A8792FE2E39C42FB9A53B73805225ECDE1AA75B763ECA569BA438C393E4E0261C8243FF12343912310F88EF049D01E34DCE3D646837E6E833960249DD296BD8BA67B098866247FD200D2F1C0C4D8D3072F5EB78C314C8DA89BD7D2C991D5F704265A2D3A9C6ED6DA6DFFF9044B0AC3A1357167903F11A6123F4BCB15E84FDA32D9C6EAB66FCFA0763CCC940406A8E5ACCCA970C21E260FBB33CAFA89F01E34AC56F3FDCC1B3F7E6D3500B1B45D0CD21EC041B1546A298BB5863FB3217F932E0B1DDF13811DE77D26799102AEAD907A67F699C28B6C5B8976F8CD6A0554E9177969400B72985F5ED90D5A336E94257F6498DD4DB6C209D58ADBAEE2D37168F"> : tensor<13x5x4x2xi8>}> : () -> tensor<13x5x4x2xi8>
    %1 = call @graph3(%0) : (tensor<13x5x4x2xi8>) -> tensor<13x2x2x4xi32>
    %cast = tensor.cast %1 : tensor<13x2x2x4xi32> to tensor<*xi32>
    call @printMemrefI32(%cast) : (tensor<*xi32>) -> ()
    %2 = "tosa.const"() <{values = dense<"0xC0C63B38AEC12282527EA95DFEDF10210A2DE90301ED7DF437F3A4544BD06C7D8B62867F5A0BC3B640DED3970E866ABA57D98FCEC523BBC2F83AF6128E5E4D7C96B3AF4FEC65DDD8099C20E92E53FD88CF933E8B9515F4CA42708801E3B05CD2C1A1FF75799AF9E30B8E4348659017119C39B63213F798FB5852243067C0D42C29CC99CD41F12A4BCCAC30BCEADBB8F007AD4F8FF7149BFC3166F0AAD2A961B4DE9D8207FAE185D4AAD336FD276CF3B945FAEE16B2FF3DFE534E59A521999491CA79731CC77ABE36DC253CEF3F3D262E874A566B1A3148896B69038416D1B7630D4C15619D062DDAD1CB7B8581021D052887B9C59A8D60DAB0BAD872E276836DD0980CEA5FF9A1F5FBC3913B7A2AF5E69EBE9064E50AC619A8A61244753C7FAE745A2308E0E27E424C0F76C8029FB40E1FA8B5C44973EB5663F869DD708A3358DB046FD65DA2CDA0C55C34F22C22C835C9BDD641A513E76E4A818AA47218BC6F44551192AB1FBF47A2D55E40391B622678CFCB28FA950646CEE8A05FEFAF71E447DF4EEEB1673200461E9FEBE4B82BB1D509D79B250D3A9480B789338DDC770C0445B3F692601EAB384D931D1B68E6E0FC3FE8A78C24A6962FBBC4D7A3806EE555BF5B5B00C9AC6A5478DF10C22B19507C1A189E352714A39771A717D920F2B266376449DA8C5151AD34E22F0F83E14D085968EC844350E705C7ED7BBA741C29BDB503776D57F13E"> : tensor<13x4x5x2xi8>}> : () -> tensor<13x4x5x2xi8>
    %3 = call @graph6(%2) : (tensor<13x4x5x2xi8>) -> tensor<13x4x5x1xi32>
    %cast_0 = tensor.cast %3 : tensor<13x4x5x1xi32> to tensor<*xi32>
    call @printMemrefI32(%cast_0) : (tensor<*xi32>) -> ()
    %4 = "tosa.const"() <{values = dense<"0x8657C5B54B54F67EB1A0414D1DDF0542DE9B7B2929621F87AFE8CE694F3352B0C323274860281606EAD9150265DC12B77CD0D8D5D2649834BD74ECEB0FA3B6BCDDCB5CF7AFADFAA9A1739E6D2F3F17A86F2AD18D914E00E7447F36FD3B3D47AB7AF284C7507DF93E5E254363F86E58803CB21BBE92BF932434762D0BE49AB3CC45C9CF2EE98EFCE671F08E629F8CC2906AC196405A9C95E1C4532C26E57022BF6B0A823511671A68CDF366BADA99A25A2CF4B9C12ED4723213215F038161CAFF79C509374C8A3A6C78A78946DFC6C030C81EA5568F07140E5DFB2BA63883ACD0EFF55B0CA5F108E2D6AE01B41949A4EE9777598B181E5120AA5039EDBB5510754AD3E30D9D5D94E0DB041C5388D7D531FEB885"> : tensor<11x5x5x1xi8>}> : () -> tensor<11x5x5x1xi8>
    %5 = call @graph7(%4) : (tensor<11x5x5x1xi8>) -> tensor<11x6x5x2xi32>
    %cast_1 = tensor.cast %5 : tensor<11x6x5x2xi32> to tensor<*xi32>
    call @printMemrefI32(%cast_1) : (tensor<*xi32>) -> ()
    %6 = "tosa.const"() <{values = dense<"0xB36A46491AE9B1E60081058F67849B3B18B828FE7BA95D380808C7061931F99D02C34E3226FDC8A1336B0E2F8F3F4B939C8EDBACF6D22FF3CAC8D010241F16B38E9E503AC0CDF55075BF8CAE54D0E9DC8DE35AB1A73674F54525CFF470F8E7EE418D37238BC166535BA2F0A61EABDE33DAB2B407C52AC2FF626C7B24E81A7EBDDC37BF5B5FE7E28C7796E0857605FA835139F4B06C1B87DDF2ECA526AC4B9D55382B09A4E6DA6DEF64049201F14785ED9F7F0D9AAF6D88E8ECD42DF7FF164BA77346C1B9368A3563CBCB1022FD7323981758AEB74CCFABD9D588987EA82F3A66312E7F82B80E607B94972B75D835582042EAC18046094EB40C0AE492C64053513EBC2EDB4D7156D3953C96FA4A172A996F98FCC20A764FD89045DF60442704CAC3B5EB418390E1485554A9B927F92CA072FBB72CD9D6710CA161ABC420560BF19EAFE57D1D12637CBC19E35E40E561F243133DF0B07257799994EAA53F112174AA7A93142277ED91031C48CC65E2DD34D2DEEE4CCD675C3DFBBB304D7FB659DF810D324FB64ABA6F0F1ED69CA40BBBC2A0BA15C52995B21DD757809BF8EB975C25448ACD06166B43AD156EAA5E4E7A028621C9691B03F352346E82E0145F84D507BE912DBEA36AAD898449C9A6C77DE11165FEC6D368EF9F9A623BD1D130BD8BA2A8C45DAD296987B528011839FC47CE7878120F1C00CED77C59D40C1FE4B9C07942A364F7F65286135A68893C3ECC70"> : tensor<22x3x4x2xi8>}> : () -> tensor<22x3x4x2xi8>
    %7 = call @graph9(%6) : (tensor<22x3x4x2xi8>) -> tensor<22x3x1x3xi32>
    %cast_2 = tensor.cast %7 : tensor<22x3x1x3xi32> to tensor<*xi32>
    call @printMemrefI32(%cast_2) : (tensor<*xi32>) -> ()
    %8 = "tosa.const"() <{values = dense<"0x9D5E5F0C00B1C9979EC63C4D5B4B04B79BCDDE0B43CE875437204E11D123F28C97ECB88D498D99FE6B88836F2A05414497E20FBFBF6C3F84160928D1CAB2D4A02C8F7CFE2ECFCC07046A947FB6E320A322935B2B1AB5E13E30D5EDF85B8D7B059612693BD235C207D6A49A2006AB06BB89A4C5CAE5ABF37147CDF9F01508C4ECAB9C29755F903BAF3B86BC35AA0EBA7CD4D452E1E9FC6D22B86373CF6369E9F44BD8B42AEB64544F0B9C77B2DC828896DAC3683601138491F4F01536CED5F08552EFA884965C57C55A72990DA532815021A55DDFF7DA5D42FB6C27442BB0331059F5B730226E0A673A4705AC6519831B178BC255B1BB71708018AA79D31815A779BF7595C923596B2991B79B407E8E551131F7F5F1267F1B5AF6C8BE899FF9336EFBF3EEBD98FA5632ACED68C761A014AE2182080E53862C302EA15CEB147A5761462DD06B0CC0D7E7E2994AC4D267BEEA46C62637FB48A60861F601DF1D46A375F43ABB26251431A6FD72A2B4F80033DFFFFB10F85CE88174CA869E387343CE2DC4BAB1B9CB7B504A2C7792564BE0D0CB9AB5FF7028EAB4A91F6AEB3D0C79D6EC954428E427A6CB1C872E3828F6850070646E98881AE8FC341ED00B10348B51021E59EEF194E1FF0760564CA5CC39F2131C19787DAF95D9623F907C50607612E903830D3E74B83FC3F3B947C09803D863C5492F64B372B654E576EF6DADA15229857DDB669FEAE704963CC28C1D23B22BDB533506FAE6DD4B02482438B3F2CCFA9DDDC7DD38D9C8BD81669AC61CB0E33D3D1BB321719CB48ADE165358124C624AD8E7928FE48792D303491D419DAE24CE2FE3D319760163AE4D6FADE38E4517C7083E55D642C6E2A7D24ED57B74CFD92751AFCD1A602FADACF931A789BC48DC7E4C34856736943E7758410F1137404E9BFCC8026C7A17B98239580EFEB625A3324FB94265570F803A4DD7094B0D2578E03C1FF19FE0161F4FDE0D9E45A968C0A78FA2ED43A07AA8DA5D8BA1D75EB0916978B5BA66407E938AE509E6D1056DAEE6BD5AA9EF657F7DFD24DC808E938A0F738CE82D6AE4C17D0A45DBC9BCAA47516FF5A2F7C11D0AC39062A85EC13918BEA4EE2A1E49135FFD"> : tensor<22x4x3x3xi8>}> : () -> tensor<22x4x3x3xi8>
    %9 = call @graph13(%8) : (tensor<22x4x3x3xi8>) -> tensor<22x5x3x3xi32>
    %cast_3 = tensor.cast %9 : tensor<22x5x3x3xi32> to tensor<*xi32>
    call @printMemrefI32(%cast_3) : (tensor<*xi32>) -> ()
    %10 = "tosa.const"() <{values = dense<"0x1D98DC61279F0711F8561B239379AC553040B124489CB375A45A9D83B20758ABD26C12B34F3C882FF5B3555C1AE557A90FFEDDDFA1628EF185F961315FE6464C2E4E9278013AD33285ABAB6E409450AFCF7315A729A8706B64EFF677E59257DC760595ED4567C37DDA638D5BC2E9892897CB0BAC677B87F286F4FCA404FCA39984844A031C8B82AA433DF0CF4E1E2C1B521CD50D98814CBD776A753B0ABC901D560663C5B5099CC09A13FF9AEB2224C3D471E71F3D0223918BE0EF10321854C8E18EC590B7C9DB6F425FB9E1EC6D098DD0F83E43139EE8509988494280BBF189CBBFB080D72EB6192DD28A558C3733CE7F1762DA81D96B14ED1A94E70849F9D0F74AFDCDEA340C7B41A57BE49E364BEC003F3FB8C09922D6838F1F157CFF5ECD47CAAF656544B40CA2CCD80B164FBEA2BBB76A41910F360FC9F2E3C72ABA1E68EE58C1D5CEB15104A7489B14E9722501389DAE29E0FBC79611EADE2B30034CBEA54773A1E6EB5A85D1873597DFF0022D5938A1FD5BDB3BD74BB996B66336062AAAA0A0707AADE2DDCA546FB48F66FE0E749BFA30B9526D7A17A618267DE2B81672602676A8C6F474A9862BAE10F7C427A64D147C342CF3C14469C812C68A6EC4BA395C5137C2E43E665E8ED1BDEE39354D5D217F7EA33CDED90871B02F46200A0E1209F3BC8CADF5BFF678B596D3FBD4C3B25DFA53203A7E9F95934B28E8F24531D868530D596957D6E319210333CD8F6C647925CC8260933A00059C"> : tensor<18x3x5x2xi8>}> : () -> tensor<18x3x5x2xi8>
    %11 = call @graph16(%10) : (tensor<18x3x5x2xi8>) -> tensor<18x5x6x2xi32>
    %cast_4 = tensor.cast %11 : tensor<18x5x6x2xi32> to tensor<*xi32>
    call @printMemrefI32(%cast_4) : (tensor<*xi32>) -> ()
    %12 = "tosa.const"() <{values = dense<"0xBFED0A388F7FCFFE6470A66AF1D068F6EF699F1C548FCEAE6A4E5E7A9B4D2D6BEEF25132A329BD0F6267067D73D109065824DEB4C1994E731463B5BE3D5FD6425D82E23C206C1919E7D6B1255B20434F8356172CE4A553EA564334D2905C98A33FEE33FF38B84A1E99EBF39CED405C91CA1BDF2F244CDA50C6F96133768E8B8736CF920BBC1F67B7F6E20E5BD3D5A7C8759F8A032FA9F977ECF5C9C2E810D876630084CC1353818463016DC5C3853CE0B0C903EF007E9A09451110450575FCCA1C9A8CC0F7FD29E757CBFA60823B3057D8A72B83FD16A9447BCDD054F2590834663AAA23F0AA35B994667078027465B9E6C7AC47E5ACAB391C55EBA0B9300C6F26584B280F72313797BAE3D4B37B9EF7BA64F86572C11A4AB651D504598CD40D7AF4C5147149BB485A173ADF6E4B8DBC254685E9C7907EA4C8BB18418E1DA56101D7FBF81B22A13DF51855973B68ADA622F1B27AF4D8AF21322E2A123E5EA29E4FD35F94E90E740A7F08AEB14D96E1FA44869DE6278A4605CB5A52A249C6BE6207DE7DEC4CE4803E149569A1A889478850271E1AB8819626376E608086A879D415B339DA28B60479EA356CDB774ECCFB128BC4AF238D6BC395E1A015410C2E13FFD9882BD197CD980DB24292F4BFC0DC0B2D7C71939DFEE5D23F747CB7B5B936C25D1D3140E32C02DDCE1DFC2152B4F3D973789B48B06FDD9CADDCF0892A169391E8D76DA4071F9287C4E0ABDBBD1137"> : tensor<22x4x3x2xi8>}> : () -> tensor<22x4x3x2xi8>
    %13 = call @graph35(%12) : (tensor<22x4x3x2xi8>) -> tensor<22x5x4x1xi32>
    %cast_5 = tensor.cast %13 : tensor<22x5x4x1xi32> to tensor<*xi32>
    call @printMemrefI32(%cast_5) : (tensor<*xi32>) -> ()
    return
  }
}

