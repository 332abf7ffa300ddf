// soac-inline puts function bodies in place of calls, also inside operators, and removes what is left over.
// RUN: tapeless-opt --soac-inline %s | filecheck %s

// A call inside a map, of a function that calls another one.
// CHECK-LABEL: func.func @calls_in_a_body
// CHECK: "soac.map"
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:[^:]*]]: f64):
// CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]] : f64
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[SQUARE]], %[[X]] : f64
// CHECK-NEXT: "soac.yield"(%[[SUM]])
func.func @calls_in_a_body(%n: index, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = func.call @outer(%x) : (f64) -> f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %ys : tensor<?xf64>
}

// CHECK-NOT: @outer
func.func private @outer(%x: f64) -> f64 {
  %square = func.call @inner(%x) : (f64) -> f64
  %sum = arith.addf %square, %x : f64
  return %sum : f64
}

// CHECK-NOT: @inner
func.func private @inner(%x: f64) -> f64 {
  %square = arith.mulf %x, %x : f64
  return %square : f64
}

// A function marked no_inline keeps its calls, and stays.
// CHECK-LABEL: func.func @keeps_a_call
// CHECK: call @opaque
func.func @keeps_a_call(%x: f64) -> f64 {
  %y = func.call @opaque(%x) : (f64) -> f64
  return %y : f64
}

// CHECK: func.func private @opaque
func.func private @opaque(%x: f64) -> f64 attributes {no_inline} {
  return %x : f64
}
