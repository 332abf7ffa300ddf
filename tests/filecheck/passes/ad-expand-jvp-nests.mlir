// ad-expand of forward mode: maps with free values, nested maps, checkpoints, and loops with hints for reverse mode.
// RUN: tapeless-opt --ad-expand --canonicalize --cse --soac-simplify --canonicalize --cse %s | filecheck %s

func.func private @scaled(%n: index, %s: f64, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = arith.mulf %s, %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %ys : tensor<?xf64>
}

// The tangent of a free scalar is free as well, and an input that does not move brings no tangents.
// CHECK-LABEL: func.func @of_scaled(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[S:[^:]*]]: f64, %[[XS:[^:]*]]: tensor<?xf64>, %[[DS:[^:]*]]: f64
// CHECK-NEXT: %[[DYS:.*]] = "soac.map"(%[[N]], %[[XS]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:.*]]: f64):
// CHECK-NEXT: %[[DY:.*]] = arith.mulf %[[DS]], %[[X]]
// CHECK-NEXT: "soac.yield"(%[[DY]])
// CHECK: return %[[DYS]]
func.func @of_scaled(%n: index, %s: f64, %xs: tensor<?xf64>, %ds: f64) -> tensor<?xf64> {
  %r:2 = "ad.jvp"(%n, %s, %xs, %ds) {
    callee = @scaled, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, f64, tensor<?xf64>, f64) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @outer(%n: index, %m: index, %xs: tensor<?xf64>, %ys: tensor<?xf64>) -> tensor<?x?xf64> {
  %rows = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %row = "soac.map"(%m, %ys) ({
    ^bb0(%j: index, %y: f64):
      %z = arith.mulf %x, %y : f64
      "soac.yield"(%z) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%row) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?x?xf64>
  return %rows : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @of_outer(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[M:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[YS:[^:]*]]: tensor<?xf64>, %[[DXS:[^:]*]]: tensor<?xf64>, %[[DYS:[^:]*]]: tensor<?xf64>
// CHECK-NEXT: "soac.map"(%[[N]], %[[XS]], %[[DXS]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:.*]]: f64, %[[DX:.*]]: f64):
// CHECK-NEXT: "soac.map"(%[[M]], %[[YS]], %[[DYS]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[Y:.*]]: f64, %[[DY:.*]]: f64):
// CHECK-NEXT: %[[LEFT:.*]] = arith.mulf %[[DX]], %[[Y]]
// CHECK-NEXT: %[[RIGHT:.*]] = arith.mulf %[[DY]], %[[X]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[LEFT]], %[[RIGHT]]
// CHECK-NEXT: "soac.yield"(%[[SUM]])
func.func @of_outer(%n: index, %m: index, %xs: tensor<?xf64>, %ys: tensor<?xf64>, %dxs: tensor<?xf64>, %dys: tensor<?xf64>) -> tensor<?x?xf64> {
  %r:2 = "ad.jvp"(%n, %m, %xs, %ys, %dxs, %dys) {
    callee = @outer, wrt = [2, 3], method = "redundant", operandSegmentSizes = array<i32: 4, 2>
  } : (index, index, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}

func.func private @again(%x: f64) -> f64 {
  %y = "ad.checkpoint"() ({
    %e = math.exp %x : f64
    "ad.yield"(%e) : (f64) -> ()
  }) : () -> f64
  return %y : f64
}

// Forward mode has nothing to run again: the body stands in place.
// CHECK-LABEL: func.func @of_again(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[DX:[^:]*]]: f64
// CHECK-NEXT: %[[E:.*]] = math.exp %[[X]]
// CHECK-NEXT: %[[DE:.*]] = arith.mulf %[[DX]], %[[E]]
// CHECK-NEXT: return %[[DE]]
func.func @of_again(%x: f64, %dx: f64) -> f64 {
  %r:2 = "ad.jvp"(%x, %dx) {
    callee = @again, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}

func.func private @long(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) {
    %t = arith.mulf %s, %s : f64
    scf.yield %t : f64
  } {ad.stripmine = 3 : i64}
  return %y : f64
}

// One loop that stores nothing; the hint stays for derivatives of the derivative.
// CHECK-LABEL: func.func @of_long(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[N:[^:]*]]: index, %[[DX:[^:]*]]: f64
// CHECK: %[[R:.*]]:2 = scf.for %{{.*}} = %c0 to %[[N]] step %c1 iter_args(%[[S:.*]] = %[[X]], %[[DS:.*]] = %[[DX]]) -> (f64, f64) {
// CHECK-NEXT: %[[T:.*]] = arith.mulf %[[S]], %[[S]]
// CHECK-NEXT: %[[HALF:.*]] = arith.mulf %[[DS]], %[[S]]
// CHECK-NEXT: %[[DT:.*]] = arith.addf %[[HALF]], %[[HALF]]
// CHECK-NEXT: scf.yield %[[T]], %[[DT]]
// CHECK-NEXT: } {ad.stripmine = 3 : i64}
// CHECK-NEXT: return %[[R]]#1
func.func @of_long(%x: f64, %n: index, %dx: f64) -> f64 {
  %r:2 = "ad.jvp"(%x, %n, %dx) {
    callee = @long, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (f64, index, f64) -> (f64, f64)
  return %r#1 : f64
}
