// soac-rematerialise computes cheap elements again where they are read, so that nothing is stored between.
// RUN: tapeless-opt --soac-rematerialise --soac-fuse %s | filecheck %s
// RUN: tapeless-opt --soac-rematerialise %s | filecheck %s --check-prefix=ALONE

// Both readers of a cheap map have their own copy, next to be merged with it; a costly map stays one.
// ALONE-LABEL: func.func @two_readers
// ALONE: math.exp
// ALONE-COUNT-2: arith.negf
// ALONE-NOT: math.exp
// ALONE: return
// CHECK-LABEL: func.func @two_readers
func.func @two_readers(%n: index, %xs: tensor<?xf64>, %ys: tensor<?xf64>, %zs: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = arith.negf %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %e = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %a = "soac.map"(%n, %c, %ys) ({
  ^bb0(%i: index, %x: f64, %y: f64):
    %z = arith.mulf %x, %y : f64
    "soac.yield"(%z) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %b = "soac.map"(%n, %c, %zs) ({
  ^bb0(%i: index, %x: f64, %y: f64):
    %z = arith.addf %x, %y : f64
    "soac.yield"(%z) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %d = "soac.map"(%n, %e, %ys) ({
  ^bb0(%i: index, %x: f64, %y: f64):
    %z = arith.mulf %x, %y : f64
    "soac.yield"(%z) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %f = "soac.map"(%n, %e, %zs) ({
  ^bb0(%i: index, %x: f64, %y: f64):
    %z = arith.addf %x, %y : f64
    "soac.yield"(%z) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %a, %b, %d, %f : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// An array of indices is never stored: every reader makes its own.
// CHECK-LABEL: func.func @indices
// CHECK-COUNT-1: soac.map
// CHECK-NEXT: ^bb0(%[[I:[^:]*]]: index, %[[X:[^:]*]]: f64):
// CHECK-NEXT: arith.index_cast %[[I]]
// CHECK-NOT: soac.map
// CHECK: return
func.func @indices(%n: index, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %is = "soac.map"(%n) ({
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i64
    "soac.yield"(%k) : (i64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xi64>
  %r = "soac.map"(%n, %is, %xs) ({
  ^bb0(%i: index, %k: i64, %x: f64):
    %f = arith.sitofp %k : i64 to f64
    %y = arith.mulf %f, %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xi64>, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// One element of a map over rows: the body runs for that row alone.
// CHECK-LABEL: func.func @one_row_sum
// CHECK-NOT: soac.map
// CHECK: %[[ROW:.*]] = tensor.extract_slice %{{.*}}[%{{.*}}, 0] [1, %{{.*}}] [1, 1]
// CHECK: "soac.reduce"(%{{.*}}, %[[ROW]],
// CHECK-NOT: tensor.extract %
// CHECK: return
func.func @one_row_sum(%n: index, %k: index, %rows: tensor<?x?xf64>, %z: f64, %i: index) -> f64 {
  %sums = "soac.map"(%n, %rows) ({
  ^bb0(%j: index, %row: tensor<?xf64>):
    %s = "soac.reduce"(%k, %row, %z) ({
    ^bb0(%a: f64, %b: f64):
      %t = arith.addf %a, %b : f64
      "soac.yield"(%t) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
  %e = tensor.extract %sums[%i] : tensor<?xf64>
  return %e : f64
}
