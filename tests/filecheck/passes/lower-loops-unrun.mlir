// RUN: tapeless-opt %s --loops | filecheck %s
// Memory of a loop is allocated in front of it; where the loop does not run, its size may be a quotient of a negative number.

// CHECK-LABEL: func.func @halves(
// CHECK:         %[[HALF:.*]] = arith.divui
// CHECK:         %[[SIZE:.*]] = arith.maxsi %[[HALF]], %c0
// CHECK:         %[[RUNS:.*]] = arith.cmpi slt, %c1, %[[N:.*]] : index
// CHECK:         %[[TAKEN:.*]] = arith.select %[[RUNS]], %[[SIZE]], %c0
// CHECK:         memref.alloc(%[[TAKEN]]) : memref<?xf64>
// CHECK:         scf.for %{{.*}} = %c1 to %[[N]]
func.func @halves(%xs: tensor<?xf64>, %start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %less = arith.subi %n, %c1 : index
  %half = arith.divui %less, %c2 : index
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%carried = %start) -> (f64) {
    %ys = "soac.map"(%half) ({
    ^bb0(%j: index):
      %y = tensor.extract %xs[%j] : tensor<?xf64>
      %z = arith.mulf %y, %carried : f64
      "soac.yield"(%z) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf64>
    %order = "soac.argsort"(%ys) : (tensor<?xf64>) -> tensor<?xi64>
    %k = tensor.extract %order[%c0] : tensor<?xi64>
    %at = arith.index_cast %k : i64 to index
    %next = tensor.extract %ys[%at] : tensor<?xf64>
    scf.yield %next : f64
  }
  return %r : f64
}
