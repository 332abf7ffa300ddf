// A function that coarsened differentiates again is kept, with its own requests asleep and by redundant.
// RUN: tapeless-opt --ad-keep-originals %s | filecheck %s

func.func private @cube(%x: f64) -> f64 {
  %s = arith.mulf %x, %x : f64
  %c = arith.mulf %s, %x : f64
  return %c : f64
}

// CHECK: func.func private @original_of_slope_0(%{{.*}}: f64) -> f64 attributes {ad.asleep} {
// CHECK: "ad.vjp"
// CHECK-SAME: ad.second_way, callee = @cube, method = "redundant"
// CHECK-LABEL: func.func private @slope(
// CHECK: "ad.vjp"
// CHECK-SAME: callee = @cube, method = "coarsened"
func.func private @slope(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = "ad.vjp"(%x, %one) {callee = @cube, wrt = [0], method = "coarsened", operandSegmentSizes = array<i32: 1, 1>}
    : (f64, f64) -> (f64, f64)
  return %y#1 : f64
}

// CHECK-LABEL: func.func @bend(
// CHECK: "ad.vjp"
// CHECK-SAME: ad.original = @original_of_slope_0, callee = @slope
func.func @bend(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y:2 = "ad.vjp"(%x, %one) {callee = @slope, wrt = [0], method = "coarsened", operandSegmentSizes = array<i32: 1, 1>}
    : (f64, f64) -> (f64, f64)
  return %y#1 : f64
}
