module {
  func.func private @printMemrefI32(tensor<*xi32>)
  func.func private @graph4(%arg0: tensor<22x4x3x4xi8>) -> tensor<22x4x2x4xi32> {
    %0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %4 = tosa.rescale %arg0, %0, %1, %2, %3 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<22x4x3x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<22x4x3x4xi32>
    %5 = "tosa.const"() <{values = dense<-77> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
    %6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %7 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %10 = tosa.rescale %5, %6, %7, %8, %9 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %11 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = tosa.mul %4, %10, %11 : (tensor<22x4x3x4xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<22x4x3x4xi32>
    %13 = "tosa.const"() <{values = dense<1579375304> : tensor<1xi32>}> : () -> tensor<1xi32>
    %14 = "tosa.const"() <{values = dense<39> : tensor<1xi8>}> : () -> tensor<1xi8>
    %15 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %16 = "tosa.const"() <{values = dense<-10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %17 = tosa.rescale %12, %13, %14, %15, %16 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<22x4x3x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<22x4x3x4xi8>
    %18 = "tosa.const"() <{values = dense<"0x080808080808080808080808080808080808080808080808080808080808080808080808080808080808080808080808080808080808080808080808080808080B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F10101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010"> : tensor<256xi8>}> : () -> tensor<256xi8>
    %19 = tosa.table %17, %18 : (tensor<22x4x3x4xi8>, tensor<256xi8>) -> tensor<22x4x3x4xi8>
    %20 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %21 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %22 = "tosa.const"() <{values = dense<12> : tensor<1xi8>}> : () -> tensor<1xi8>
    %23 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %24 = tosa.rescale %19, %20, %21, %22, %23 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<22x4x3x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<22x4x3x4xi32>
    %25 = "tosa.const"() <{values = dense<0> : tensor<1x1x1x4xi8>}> : () -> tensor<1x1x1x4xi8>
    %26 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %27 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %28 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %29 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %30 = tosa.rescale %25, %26, %27, %28, %29 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x4xi32>
    %31 = tosa.add %24, %30 : (tensor<22x4x3x4xi32>, tensor<1x1x1x4xi32>) -> tensor<22x4x3x4xi32>
    %32 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %33 = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
    %34 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %35 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %36 = tosa.rescale %31, %32, %33, %34, %35 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<22x4x3x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<22x4x3x4xi8>
    %37 = "tosa.const"() <{values = dense<[[[[-32], [2], [26], [34]], [[2], [2], [30], [-14]]], [[[-5], [35], [9], [2]], [[2], [13], [-32], [-32]]], [[[2], [2], [37], [-11]], [[-14], [37], [19], [2]]]]> : tensor<3x2x4x1xi8>}> : () -> tensor<3x2x4x1xi8>
    %38 = "tosa.const"() <{values = dense<[187, -446, -733, -189]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %39 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %40 = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
    %41 = tosa.depthwise_conv2d %36, %37, %38, %39, %40 {acc_type = i32, dilation = array<i64: 1, 2>, pad = array<i64: 2, 0, 1, 0>, stride = array<i64: 1, 1>} : (tensor<22x4x3x4xi8>, tensor<3x2x4x1xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<22x4x2x4xi32>
    return %41 : tensor<22x4x2x4xi32>
  }
  func.func private @graph5(%arg0: tensor<13x5x4x1xi8>) -> tensor<13x3x5x3xi32> {
    %0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %4 = tosa.rescale %arg0, %0, %1, %2, %3 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<13x5x4x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<13x5x4x1xi32>
    %5 = "tosa.const"() <{values = dense<-69> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
    %6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %7 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %10 = tosa.rescale %5, %6, %7, %8, %9 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %11 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = tosa.mul %4, %10, %11 : (tensor<13x5x4x1xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<13x5x4x1xi32>
    %13 = "tosa.const"() <{values = dense<1648735690> : tensor<1xi32>}> : () -> tensor<1xi32>
    %14 = "tosa.const"() <{values = dense<38> : tensor<1xi8>}> : () -> tensor<1xi8>
    %15 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %16 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %17 = tosa.rescale %12, %13, %14, %15, %16 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<13x5x4x1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<13x5x4x1xi8>
    %18 = "tosa.const"() <{values = dense<"0xFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFE"> : tensor<256xi8>}> : () -> tensor<256xi8>
    %19 = tosa.table %17, %18 : (tensor<13x5x4x1xi8>, tensor<256xi8>) -> tensor<13x5x4x1xi8>
    %20 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %21 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %22 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %23 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %24 = tosa.rescale %19, %20, %21, %22, %23 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<13x5x4x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<13x5x4x1xi32>
    %25 = "tosa.const"() <{values = dense<8> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
    %26 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %27 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %28 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
    %29 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %30 = tosa.rescale %25, %26, %27, %28, %29 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %31 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %32 = tosa.mul %24, %30, %31 : (tensor<13x5x4x1xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<13x5x4x1xi32>
    %33 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %34 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %35 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %36 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %37 = tosa.rescale %32, %33, %34, %35, %36 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<13x5x4x1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<13x5x4x1xi8>
    %38 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %39 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %40 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %41 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %42 = tosa.rescale %37, %38, %39, %40, %41 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<13x5x4x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<13x5x4x1xi32>
    %43 = "tosa.const"() <{values = dense<6> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
    %44 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %45 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %46 = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
    %47 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %48 = tosa.rescale %43, %44, %45, %46, %47 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %49 = tosa.add %42, %48 : (tensor<13x5x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<13x5x4x1xi32>
    %50 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %51 = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
    %52 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %53 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %54 = tosa.rescale %49, %50, %51, %52, %53 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<13x5x4x1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<13x5x4x1xi8>
    %55 = "tosa.const"() <{values = dense<0> : tensor<3x3x2x1xi8>}> : () -> tensor<3x3x2x1xi8>
    %56 = "tosa.const"() <{values = dense<[214, -727, -438]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %57 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %58 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %59 = tosa.conv2d %54, %55, %56, %57, %58 {acc_type = i32, dilation = array<i64: 2, 2>, pad = array<i64: 1, 1, 2, 1>, stride = array<i64: 1, 1>} : (tensor<13x5x4x1xi8>, tensor<3x3x2x1xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<13x3x5x3xi32>
    return %59 : tensor<13x3x5x3xi32>
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
  func.func private @graph41(%arg0: tensor<11x5x5x4xi8>) -> tensor<11x1x3x3xi32> {
    %0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %4 = tosa.rescale %arg0, %0, %1, %2, %3 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<11x5x5x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<11x5x5x4xi32>
    %5 = "tosa.const"() <{values = dense<56> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
    %6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %7 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %10 = tosa.rescale %5, %6, %7, %8, %9 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %11 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = tosa.mul %10, %4, %11 : (tensor<1x1x1x1xi32>, tensor<11x5x5x4xi32>, tensor<1xi8>) -> tensor<11x5x5x4xi32>
    %13 = "tosa.const"() <{values = dense<1979538120> : tensor<1xi32>}> : () -> tensor<1xi32>
    %14 = "tosa.const"() <{values = dense<37> : tensor<1xi8>}> : () -> tensor<1xi8>
    %15 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %16 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %17 = tosa.rescale %12, %13, %14, %15, %16 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<11x5x5x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<11x5x5x4xi8>
    %18 = "tosa.const"() <{values = dense<"0xFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFCFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFDFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000000000000000000000000000000000000000000000000000000101010101010101010101010101010101010101010101010101010102020202020202020202020202020202020202020202020202020202020303030303030303030303030303030303030303030303030303030304040404040404040404040404040404040404040404040404040404"> : tensor<256xi8>}> : () -> tensor<256xi8>
    %19 = tosa.table %17, %18 : (tensor<11x5x5x4xi8>, tensor<256xi8>) -> tensor<11x5x5x4xi8>
    %20 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %21 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %22 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %23 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %24 = tosa.rescale %19, %20, %21, %22, %23 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<11x5x5x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<11x5x5x4xi32>
    %25 = "tosa.const"() <{values = dense<10> : tensor<1x1x1x4xi8>}> : () -> tensor<1x1x1x4xi8>
    %26 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %27 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %28 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
    %29 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %30 = tosa.rescale %25, %26, %27, %28, %29 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x4xi32>
    %31 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %32 = tosa.mul %30, %24, %31 : (tensor<1x1x1x4xi32>, tensor<11x5x5x4xi32>, tensor<1xi8>) -> tensor<11x5x5x4xi32>
    %33 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %34 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
    %35 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %36 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %37 = tosa.rescale %32, %33, %34, %35, %36 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<11x5x5x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<11x5x5x4xi8>
    %38 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %39 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %40 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %41 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %42 = tosa.rescale %37, %38, %39, %40, %41 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<11x5x5x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<11x5x5x4xi32>
    %43 = "tosa.const"() <{values = dense<[[[[5, 3, -11, -11]]]]> : tensor<1x1x1x4xi8>}> : () -> tensor<1x1x1x4xi8>
    %44 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %45 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %46 = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
    %47 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %48 = tosa.rescale %43, %44, %45, %46, %47 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x4xi32>
    %49 = tosa.add %42, %48 : (tensor<11x5x5x4xi32>, tensor<1x1x1x4xi32>) -> tensor<11x5x5x4xi32>
    %50 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %51 = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
    %52 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %53 = "tosa.const"() <{values = dense<-1> : tensor<1xi8>}> : () -> tensor<1xi8>
    %54 = tosa.rescale %49, %50, %51, %52, %53 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<11x5x5x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<11x5x5x4xi8>
    %55 = "tosa.const"() <{values = dense<"0x0CEC000000251BF308E220F704F8E8FCF112EDDE210E0D10DC00000024E42012000014F00000F4000004000000ECF6E9E027000000E51918160000002604E32500EA0000002100000B12000E2400D8001CF42016E4F4DC00E32501E4F4FCDCFCDAE6080000E024E305E100D8"> : tensor<3x3x3x4xi8>}> : () -> tensor<3x3x3x4xi8>
    %56 = "tosa.const"() <{values = dense<[691, -700, -92]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %57 = "tosa.const"() <{values = dense<-1> : tensor<1xi8>}> : () -> tensor<1xi8>
    %58 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %59 = tosa.conv2d %54, %55, %56, %57, %58 {acc_type = i32, dilation = array<i64: 2, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<11x5x5x4xi8>, tensor<3x3x3x4xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<11x1x3x3xi32>
    return %59 : tensor<11x1x3x3xi32>
  }
  func.func private @graph42(%arg0: tensor<18x3x5x3xi8>) -> tensor<18x2x3x1xi32> {
    %0 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %4 = tosa.rescale %arg0, %0, %1, %2, %3 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<18x3x5x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<18x3x5x3xi32>
    %5 = "tosa.const"() <{values = dense<-93> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1xi8>
    %6 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %7 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %10 = tosa.rescale %5, %6, %7, %8, %9 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %11 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = tosa.mul %4, %10, %11 : (tensor<18x3x5x3xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<18x3x5x3xi32>
    %13 = "tosa.const"() <{values = dense<1204219909> : tensor<1xi32>}> : () -> tensor<1xi32>
    %14 = "tosa.const"() <{values = dense<37> : tensor<1xi8>}> : () -> tensor<1xi8>
    %15 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %16 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %17 = tosa.rescale %12, %13, %14, %15, %16 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<18x3x5x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<18x3x5x3xi8>
    %18 = "tosa.const"() <{values = dense<"0xD2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2D2F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F90B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B0B"> : tensor<256xi8>}> : () -> tensor<256xi8>
    %19 = tosa.table %17, %18 : (tensor<18x3x5x3xi8>, tensor<256xi8>) -> tensor<18x3x5x3xi8>
    %20 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %21 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %22 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %23 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %24 = tosa.rescale %19, %20, %21, %22, %23 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<18x3x5x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<18x3x5x3xi32>
    %25 = "tosa.const"() <{values = dense<[[[[100, 127, 127]]]]> : tensor<1x1x1x3xi8>}> : () -> tensor<1x1x1x3xi8>
    %26 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %27 = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
    %28 = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
    %29 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %30 = tosa.rescale %25, %26, %27, %28, %29 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x3xi32>
    %31 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %32 = tosa.mul %24, %30, %31 : (tensor<18x3x5x3xi32>, tensor<1x1x1x3xi32>, tensor<1xi8>) -> tensor<18x3x5x3xi32>
    %33 = "tosa.const"() <{values = dense<1739101276> : tensor<1xi32>}> : () -> tensor<1xi32>
    %34 = "tosa.const"() <{values = dense<38> : tensor<1xi8>}> : () -> tensor<1xi8>
    %35 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %36 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %37 = tosa.rescale %32, %33, %34, %35, %36 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<18x3x5x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<18x3x5x3xi8>
    %38 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %39 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %40 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %41 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %42 = tosa.rescale %37, %38, %39, %40, %41 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<18x3x5x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<18x3x5x3xi32>
    %43 = "tosa.const"() <{values = dense<[[[[18, 4, 16]]]]> : tensor<1x1x1x3xi8>}> : () -> tensor<1x1x1x3xi8>
    %44 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %45 = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
    %46 = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
    %47 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %48 = tosa.rescale %43, %44, %45, %46, %47 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x1x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x1x1x3xi32>
    %49 = tosa.add %48, %42 : (tensor<1x1x1x3xi32>, tensor<18x3x5x3xi32>) -> tensor<18x3x5x3xi32>
    %50 = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
    %51 = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
    %52 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %53 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %54 = tosa.rescale %49, %50, %51, %52, %53 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<18x3x5x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<18x3x5x3xi8>
    %55 = "tosa.const"() <{values = dense<[[[[2, 2, 2]], [[12, 2, 2]]]]> : tensor<1x2x1x3xi8>}> : () -> tensor<1x2x1x3xi8>
    %56 = "tosa.const"() <{values = dense<-7> : tensor<1xi32>}> : () -> tensor<1xi32>
    %57 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %58 = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
    %59 = tosa.conv2d %54, %55, %56, %57, %58 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 2>} : (tensor<18x3x5x3xi8>, tensor<1x2x1x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<18x2x3x1xi32>
    return %59 : tensor<18x2x3x1xi32>
  }
  func.func @main() {
    %0 = "tosa.const"() <{values = dense<"0x271375DBC5F07EAF3742D4B3E2D69497508815DC21F7E1CA477C1283C4DFD884132EAF5EEABA8FE5E3AC290E40BB38C6D81E9636F177915045E571AA0ECFE5F918279AF8738B1D37B33CCF42F77DCCD9BFC1598A0F54A0A8E7C209E3E896BF03EDFB6F6D4A8EBCA0F64CACDCCD43C56B7E4D522BCEA44367FD68671CD99E3FBA051948F492E899067676287EB45F8690EF32DF01D4C0027C3A0E49A1DB8880BB24167D7D40B6BD863B47371F4337145403747F59B7623187A3DD823179C847ECD3184CD4EED459EE6BB2DCC28FA8907430851041E607FAE0B54FABFA98C673A3D201EFFB397A65BA420BB87B54AFDBE66748853D810F6A72AF75CDDE8904C200B284F073D6300CBE16F9955506A39F138A2FC0EACFFADD1A8605EBF3F0907822825962577C1EE3E4C1CD440812D8B28F5F7EDE9126EAD7B81492B7803F243ED86E8723EBE5664E4359311B169F1B76C1AA58BACB752AAECDB62B6914447FF1DDA0862F5DBACAA7BFEB6037C5CCE477E933005B89616C676F0CDB571BE080E7CE35C90346A1BEB54F0767649832BC7C9BA46DCE406C8F745A36D9B3B5BB830AABCBBF45440071B43A85CEED7A8B3BE9F2879D6C0CF24E84A608C4936174B86117FB066392E14535D1D082F70A9EE3D319B169045F88435CEDC7FFD110090CEEC33CDA80BD93EC5E0B4E6E50D23D8CFB4C0B28011DF30D6B35C9A039A5AD5E8415E90AF6A7BE52337038DA3056FE557A9F1E26C6C411B0A909AC6F2DC8C6F48E2E4678FC60DA813B298CED40E89AF1569A8DD78D9C3B23C3CF64E72E247BFC98184C6B0B96CD491E532F8905482E9C92A21BB7B1E753A64BDADF932F814894A2AE78B5F585F835134E203A363994B108D602640EA923B31876316AC8825D6527118497A4F025A1C188B87342B26F36D54B562224491E21875B344AF98B01795F475EC588D58EA7A1F15C615463FFB9C49E4F8D4FA465D53C45589F003F499BE23370AD1C2AC0E2FF0D101C5A04C3DCF86268D4198C292C4130A6BD513D998A2A3CAE8FE49D971A0D6A7A4B70771529E893A5A9B6287DEEBE44B8506E994D34AA32C22DEA715AD2A8B4193FFE21BC3853D095FE26EFB0332BBC6DA2DA58A8983D5CDE40A5F757E1170FF5035D2C521258B6A257810569F3837955C3A3FF605C9EB95B709BE21CD106AD1A154A342A9A4D64965E07C7903E16CC2CB4BBB1FA10558DD5258AD71DFD320666F6B9452B09F468DC20602D3E911FD3771DB0C07214E0B06239973EABCB6D380DF5207FFCD3CB95914421269DAB2525D1E62C27D79511656A110EAC7B63C7B783326C75C8568BF5145D8C3B22A5F2FCA902F34AB941D2024B5A796EBDE0ECFE2DAA1A52F93DD61E17AE46200AF2346951D0682304EFA6F6CA5372C963080F129CCCE66CA799D9787FEB8907DDC7D0662872CAE11F1F9C40F4467BDF9B516694ECDE9D8E4D7B3A51E417C9F7415B22FD80E9FD4D71F8AD2F"> : tensor<22x4x3x4xi8>}> : () -> tensor<22x4x3x4xi8>
    %1 = call @graph4(%0) : (tensor<22x4x3x4xi8>) -> tensor<22x4x2x4xi32>
    %cast = tensor.cast %1 : tensor<22x4x2x4xi32> to tensor<*xi32>
    call @printMemrefI32(%cast) : (tensor<*xi32>) -> ()
    %2 = "tosa.const"() <{values = dense<"0xF0802264CE07DA83458A7C43A75E5ABEFA8651C4A0EF722C4F0DBDDB3841EC508F1FD2683113D0F7E655AE33A26D7809AF06DF7048C6ED58E48928FF54C5C74EAAB5652A2EE5F2D4EE0860AD579D013A9E255C53277616B8C3843942231888E26D2F746E0BA3143DF9967EB1E0D81B40FB49FC3C307BF1D9C89CB7D3BFA8265BE7B2D7DA3FE3E89A6B10CB93A11AB497522D4B850FE97A47C0C220004A7381127D8298CA0599DD6AC9BC670E1971F8CDB3D59B5F8B3437AB5979FE2403698E940AA4152B9F1D0C778D3BA9B66F21DCACD13592361C4CCC11B9B0CF4DF691C1F3903EE1625D8CBA61321E29EB5DA004D66344667F756C17EABBA5F5954656DEF487FDA602"> : tensor<13x5x4x1xi8>}> : () -> tensor<13x5x4x1xi8>
    %3 = call @graph5(%2) : (tensor<13x5x4x1xi8>) -> tensor<13x3x5x3xi32>
    %cast_0 = tensor.cast %3 : tensor<13x3x5x3xi32> to tensor<*xi32>
    call @printMemrefI32(%cast_0) : (tensor<*xi32>) -> ()
    %4 = "tosa.const"() <{values = dense<"0xC0C63B38AEC12282527EA95DFEDF10210A2DE90301ED7DF437F3A4544BD06C7D8B62867F5A0BC3B640DED3970E866ABA57D98FCEC523BBC2F83AF6128E5E4D7C96B3AF4FEC65DDD8099C20E92E53FD88CF933E8B9515F4CA42708801E3B05CD2C1A1FF75799AF9E30B8E4348659017119C39B63213F798FB5852243067C0D42C29CC99CD41F12A4BCCAC30BCEADBB8F007AD4F8FF7149BFC3166F0AAD2A961B4DE9D8207FAE185D4AAD336FD276CF3B945FAEE16B2FF3DFE534E59A521999491CA79731CC77ABE36DC253CEF3F3D262E874A566B1A3148896B69038416D1B7630D4C15619D062DDAD1CB7B8581021D052887B9C59A8D60DAB0BAD872E276836DD0980CEA5FF9A1F5FBC3913B7A2AF5E69EBE9064E50AC619A8A61244753C7FAE745A2308E0E27E424C0F76C8029FB40E1FA8B5C44973EB5663F869DD708A3358DB046FD65DA2CDA0C55C34F22C22C835C9BDD641A513E76E4A818AA47218BC6F44551192AB1FBF47A2D55E40391B622678CFCB28FA950646CEE8A05FEFAF71E447DF4EEEB1673200461E9FEBE4B82BB1D509D79B250D3A9480B789338DDC770C0445B3F692601EAB384D931D1B68E6E0FC3FE8A78C24A6962FBBC4D7A3806EE555BF5B5B00C9AC6A5478DF10C22B19507C1A189E352714A39771A717D920F2B266376449DA8C5151AD34E22F0F83E14D085968EC844350E705C7ED7BBA741C29BDB503776D57F13E"> : tensor<13x4x5x2xi8>}> : () -> tensor<13x4x5x2xi8>
    %5 = call @graph6(%4) : (tensor<13x4x5x2xi8>) -> tensor<13x4x5x1xi32>
    %cast_1 = tensor.cast %5 : tensor<13x4x5x1xi32> to tensor<*xi32>
    call @printMemrefI32(%cast_1) : (tensor<*xi32>) -> ()
    %6 = "tosa.const"() <{values = dense<"0x8657C5B54B54F67EB1A0414D1DDF0542DE9B7B2929621F87AFE8CE694F3352B0C323274860281606EAD9150265DC12B77CD0D8D5D2649834BD74ECEB0FA3B6BCDDCB5CF7AFADFAA9A1739E6D2F3F17A86F2AD18D914E00E7447F36FD3B3D47AB7AF284C7507DF93E5E254363F86E58803CB21BBE92BF932434762D0BE49AB3CC45C9CF2EE98EFCE671F08E629F8CC2906AC196405A9C95E1C4532C26E57022BF6B0A823511671A68CDF366BADA99A25A2CF4B9C12ED4723213215F038161CAFF79C509374C8A3A6C78A78946DFC6C030C81EA5568F07140E5DFB2BA63883ACD0EFF55B0CA5F108E2D6AE01B41949A4EE9777598B181E5120AA5039EDBB5510754AD3E30D9D5D94E0DB041C5388D7D531FEB885"> : tensor<11x5x5x1xi8>}> : () -> tensor<11x5x5x1xi8>
    %7 = call @graph7(%6) : (tensor<11x5x5x1xi8>) -> tensor<11x6x5x2xi32>
    %cast_2 = tensor.cast %7 : tensor<11x6x5x2xi32> to tensor<*xi32>
    call @printMemrefI32(%cast_2) : (tensor<*xi32>) -> ()
    %8 = "tosa.const"() <{values = dense<"0xB36A46491AE9B1E60081058F67849B3B18B828FE7BA95D380808C7061931F99D02C34E3226FDC8A1336B0E2F8F3F4B939C8EDBACF6D22FF3CAC8D010241F16B38E9E503AC0CDF55075BF8CAE54D0E9DC8DE35AB1A73674F54525CFF470F8E7EE418D37238BC166535BA2F0A61EABDE33DAB2B407C52AC2FF626C7B24E81A7EBDDC37BF5B5FE7E28C7796E0857605FA835139F4B06C1B87DDF2ECA526AC4B9D55382B09A4E6DA6DEF64049201F14785ED9F7F0D9AAF6D88E8ECD42DF7FF164BA77346C1B9368A3563CBCB1022FD7323981758AEB74CCFABD9D588987EA82F3A66312E7F82B80E607B94972B75D835582042EAC18046094EB40C0AE492C64053513EBC2EDB4D7156D3953C96FA4A172A996F98FCC20A764FD89045DF60442704CAC3B5EB418390E1485554A9B927F92CA072FBB72CD9D6710CA161ABC420560BF19EAFE57D1D12637CBC19E35E40E561F243133DF0B07257799994EAA53F112174AA7A93142277ED91031C48CC65E2DD34D2DEEE4CCD675C3DFBBB304D7FB659DF810D324FB64ABA6F0F1ED69CA40BBBC2A0BA15C52995B21DD757809BF8EB975C25448ACD06166B43AD156EAA5E4E7A028621C9691B03F352346E82E0145F84D507BE912DBEA36AAD898449C9A6C77DE11165FEC6D368EF9F9A623BD1D130BD8BA2A8C45DAD296987B528011839FC47CE7878120F1C00CED77C59D40C1FE4B9C07942A364F7F65286135A68893C3ECC70"> : tensor<22x3x4x2xi8>}> : () -> tensor<22x3x4x2xi8>
    %9 = call @graph9(%8) : (tensor<22x3x4x2xi8>) -> tensor<22x3x1x3xi32>
    %cast_3 = tensor.cast %9 : tensor<22x3x1x3xi32> to tensor<*xi32>
    call @printMemrefI32(%cast_3) : (tensor<*xi32>) -> ()
    %10 = "tosa.const"() <{values = dense<"0xAEB50C35813A6C0257306043037FC125CBE125413B90B3274E05AE12AC59620A1D69F0910BAC0861841D028A46B0D403421E61E82441462E65447AFAC19EF4C136A181A9B5FAECEFC7D4F447515077BE7D5B7DD5BB618D7ED094F233EC0F514C33E50BD6C85616D8EC71B1E53CB79306696ACBCFFF158BE2D7A4303DE8551FA0D95794E100228554E42D114FFB77CD2AF29F83D248740AC9B7C93CD79A996FEA86BDDEA806FC172449B19BDEB9E635AD2047EB7BE396155754B463E04F2DC434B80EAF11C966C7BFEB438673C3135C9979F4BFDA23798C12C45CA84AF2B24D68FC48D99BFEAD9F5573D878D0623D323F76045DC08937372F883C7CF682CDDF5074BF212BA50D98B943DADAF7560C2AED9D39B23B186B045F01DF5732341BEF4E5A87C6BCBC8B016997E4289B1B73A9F980DE64392C99E971D62E7272A8580D49539D54B556B3A6F483EBA04D2D420EEC41D568763F08D2B2C0B9A7FF22A5EFCB92BA6986B4E7CD198CD9E17785E29B9E381192DD28E8ADFBA96E22820C51BA0CB34613F132EC248F21EE738DE02BE704CD2C4033269C2BA7DE0B491FF0AAFCFE7085B07ABA9252D3CF07CC48AA2AC5A6F64DCA4593F19E88B105C5AC0778F85A2BB667F017365A138D2389834BA649B4F1DD91AF9DD0381557819D87A48D793E9FEA4E0D16605E9D661984DF8AA2C1E3DDE0275C301F9AAA5898D3B640AE2FA310FDB46F47686D0E688CFBB85EF81200AD88C26B59DCF5AED4D3828C61BC998BDAB8D742CC7C4B56BD65FD3E0E202E8190C5B76A058A20707809AA16137D806CA3824E3145A8E31A441053944EEF39F51989A11BEAC397CB527A3ED1A03375380A70DC8E1F7276A5E9C6D001F45AE608E19BB8179E63057FD2F2ABC263D65BDFA64BCF1D0919062D7C1C836775E98AC550DB2C07B14D1BB15B12665E1C28FF64F3A9EAF3023B552C8CC856F8FA34E463A27E8ECA7BF0D623EEA095CCA745C814C2C47F89B0181E603E2107F8114F14D4608EBC4D672109EBCE319066550336956E168809E69544A27F027B29AB67DD4625D1BB26374E58666475265027C010981A14F5F2BFF75030B600F6E9E7ED3A93D8765F8939BE10BD9BF6EEE6876C6EC3DC4C96C619D742477F01B520D10070D91EA38FB3B26F3153DFFB4344E75E2D3C4CCB338D5D27A5BB3D3F6A9FF8621AFCBE0671A43DCEB6D06AE5E8A129D2FA7D28C21C97F5976BE74D2BE274D5499C0B5A76595B7A0A4175E2AF2710ED5FC9626C40F95D8E82184B42E33FDB15503479D3F3C0CE96AA1D1C9CEDCE6D91354B905FF5195212FE606D6B38ED0F2EF9D551C58E3D187232A4C4F724FF22110029849452E5E4716D48593526DB966F91A52104C1F780E586D1CDFD5DD89A6DCC65C851CA45DC318474585C25AC9C1480B93698D6E11EAF5400EE3A9A877C221A3BB78FFFF165C6CFE0829583A3BA2A53BEAB9964BD6E2F084F3AA13203C7F93E4AFD0F2F2385CA934C404A17F3050DBBB6767E8F7E70DB7BA27ED12947378BABFEB0084AC392EFC70F2877A7C778"> : tensor<11x5x5x4xi8>}> : () -> tensor<11x5x5x4xi8>
    %11 = call @graph41(%10) : (tensor<11x5x5x4xi8>) -> tensor<11x1x3x3xi32>
    %cast_4 = tensor.cast %11 : tensor<11x1x3x3xi32> to tensor<*xi32>
    call @printMemrefI32(%cast_4) : (tensor<*xi32>) -> ()
    %12 = "tosa.const"() <{values = dense<"0x70B3BFDC5ED037C8EEE210C999A45790C6DCA428DFFEA12ABD557C1992A707CE5ACE8F38B18C458BE83361D38E69DFD88CEC04EC8BF01158D3D967406C848CD70B307D7B262D0751814775630E9127F5F7914DF1A3389EB7904B2CA5B615C571A8E202227815E4509C4B1AAE7C1FB730EE1323CDD75A69E8A6D63724D061DE6F10941DC42E5C86FC328BE039C116BA1938C1094972DEE79034446C27FFEB950FDCFAF5B07A501E99B698894297285B04F572661B1421521A3A0D1DA84F1C2CCA6A96326D263DE8BDCC299F1DC218AA4C7714F3343B2070AF100A2FB81469522023AB231F86A07FC55FB8714AFF26029A0AAF3FBBE0E7BA59B3A5BF0BD0DD60DDC25FB56F843D9A63A76462060601AFEFEC1729D4F642BA89950A0076FDD4DA2D2899CF9F63C60C19E53A459F6474E69A57183CE1A89CF70996D97BD6093A214CE373D1FE5F9BB1339EB5138DC76F9CFB7FD4ABB0B41A820C24F0242CEB7981F20358C697A541B593783D537917B9B9C49839CB64E6514A32F997FAA368D38E924FC3DD5E27AD95A78298E3087E30EFCF6858A8D5679E252908B856A23CCB8F3E111FB2F25573D2D2FD6A0F4685057A4EF8BE35183FA13B3989AA56F4F4EA2235FEE2FB41B057CAA9F9EDD965367448B6CD5D4B496287CE4E6FE99F62734A444CC36E07013BD10B1B007A433158191CB45AE0EE606B15CF213E93B476860CCADE5DCD358FA9AC9B4AE55C2FF370DBCCEA7CE7C8250DA08DF654312DBBAD4E43C0B16FCEFFDA02F4876B124577BCF6F7002560316DDF0FCC34E45BBFAB426E3380C1087D0416F946E64D595347C4002E0DBBC5457576BE6A20C9853E122A789DFA41C88A0EEFC0776688A3B281652B713C36156675A9B288C99DA9E812096D1ECBA3D58749A403FC593E2205474F8D43D294A1B9F354C4FE80137E8ED8BC8A7D5EBCF1F8DA87721E61DBAC05E440E9039701C074940F649DBDED8216935BC8E155B2FD7E88851CC2E4ADA2D1DB9092917CB3C7965348031D8306E37F83CCAABE5CA6ACD837D683A2174D6B502AFBA6BBF2EBE580C39B2E59F1AEFC676539AE548A56B7F93F5D6C0EF055D54E2B7BF8CA685246847C6EE9D79DC71136A02F44EA2B485189ED8B40791B1FE1"> : tensor<18x3x5x3xi8>}> : () -> tensor<18x3x5x3xi8>
    %13 = call @graph42(%12) : (tensor<18x3x5x3xi8>) -> tensor<18x2x3x1xi32>
    %cast_5 = tensor.cast %13 : tensor<18x2x3x1xi32> to tensor<*xi32>
    call @printMemrefI32(%cast_5) : (tensor<*xi32>) -> ()
    return
  }
}

