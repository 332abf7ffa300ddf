// ad-expand with several seeds at once, with seeds that are zero, and on derivatives of derivatives.
// RUN: tapeless-opt --ad-expand --canonicalize --cse --soac-simplify --canonicalize --cse %s | filecheck %s

func.func private @f(%x: f64, %y: f64) -> (f64, f64) {
  %a = math.exp %x : f64
  %b = arith.mulf %a, %y : f64
  return %a, %b : f64, f64
}

// The function runs once, for all rows of seeds.
// CHECK-LABEL: func.func @several_vjp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[Y:[^:]*]]: f64, %[[A_BARS:[^:]*]]: tensor<3xf64>, %[[B_BARS:[^:]*]]: tensor<3xf64>
// CHECK: %[[VALUE:.*]] = math.exp %[[X]]
// CHECK: "soac.map"(%c3, %[[A_BARS]], %[[B_BARS]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[A_BAR:.*]]: f64, %[[B_BAR:.*]]: f64):
// CHECK-NEXT: %[[PART:.*]] = arith.mulf %[[B_BAR]], %[[Y]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[A_BAR]], %[[PART]]
// CHECK-NEXT: arith.mulf %[[SUM]], %[[VALUE]]
// CHECK-NOT: math.exp
func.func @several_vjp(%x: f64, %y: f64, %a_bars: tensor<3xf64>, %b_bars: tensor<3xf64>) -> tensor<3xf64> {
  %r:3 = "ad.vjp"(%x, %y, %a_bars, %b_bars) {
    callee = @f, wrt = [0], method = "redundant", seed_size = 3 : i64, operandSegmentSizes = array<i32: 2, 2>
  } : (f64, f64, tensor<3xf64>, tensor<3xf64>) -> (f64, f64, tensor<3xf64>)
  return %r#2 : tensor<3xf64>
}

// CHECK-LABEL: func.func @several_jvp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[Y:[^:]*]]: f64, %[[DXS:[^:]*]]: tensor<3xf64>
// CHECK: %[[VALUE:.*]] = math.exp %[[X]]
// CHECK: "soac.map"(%c3, %[[DXS]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[DX:.*]]: f64):
// CHECK-NEXT: %[[DA:.*]] = arith.mulf %[[DX]], %[[VALUE]]
// CHECK-NEXT: arith.mulf %[[DA]], %[[Y]]
func.func @several_jvp(%x: f64, %y: f64, %dxs: tensor<3xf64>) -> tensor<3xf64> {
  %r:4 = "ad.jvp"(%x, %y, %dxs) {
    callee = @f, wrt = [0], method = "redundant", seed_size = 3 : i64, operandSegmentSizes = array<i32: 2, 1>
  } : (f64, f64, tensor<3xf64>) -> (f64, f64, tensor<3xf64>, tensor<3xf64>)
  return %r#3 : tensor<3xf64>
}

// What is seeded with zero takes no part.
// CHECK-LABEL: func.func @zero_vjp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[Y:[^:]*]]: f64, %[[A_BAR:[^:]*]]: f64
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-NEXT: %[[VALUE:.*]] = math.exp %[[X]]
// CHECK-NEXT: %[[X_BAR:.*]] = arith.mulf %[[A_BAR]], %[[VALUE]]
// CHECK-NEXT: return %[[X_BAR]], %[[ZERO]]
func.func @zero_vjp(%x: f64, %y: f64, %a_bar: f64) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %r:4 = "ad.vjp"(%x, %y, %a_bar, %zero) {
    callee = @f, wrt = [0, 1], method = "redundant", operandSegmentSizes = array<i32: 2, 2>
  } : (f64, f64, f64, f64) -> (f64, f64, f64, f64)
  return %r#2, %r#3 : f64, f64
}

func.func private @slope(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = "ad.vjp"(%x, %one) {
    callee = @sine, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}

func.func private @sine(%x: f64) -> f64 {
  %y = math.sin %x : f64
  return %y : f64
}

// The inner derivative is expanded first: minus sine.
// CHECK-LABEL: func.func @curvature(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[DX:[^:]*]]: f64
// CHECK-NEXT: %[[SINE:.*]] = math.sin %[[X]]
// CHECK-NEXT: %[[SLOPE:.*]] = arith.negf %[[SINE]]
// CHECK-NEXT: arith.mulf %[[DX]], %[[SLOPE]]
func.func @curvature(%x: f64, %dx: f64) -> f64 {
  %r:2 = "ad.jvp"(%x, %dx) {
    callee = @slope, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}
