// soac-simplify computes the one element that is read of what a map makes, and not the others.
// RUN: tapeless-opt --soac-simplify %s | filecheck %s

// CHECK-LABEL: func.func @one_element(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf64>, %[[J:.*]]: index
// CHECK-NOT: soac.map
// CHECK: %[[E:.*]] = tensor.extract %[[X]][%[[J]]]
// CHECK: %[[Q:.*]] = arith.mulf %[[E]], %[[E]]
// CHECK: return %[[Q]]
func.func @one_element(%x: tensor<?xf64>, %j: index) -> f64 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %squares = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %q = arith.mulf %e, %e : f64
    "soac.yield"(%q) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %s = tensor.extract %squares[%j] : tensor<?xf64>
  return %s : f64
}

// Of rows too, with their index.
// CHECK-LABEL: func.func @element_of_a_row(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?xf64>, %[[J:[^:]*]]: index, %[[K:[^:]*]]: index
// CHECK-NOT: soac.map
// CHECK: %[[E:.*]] = tensor.extract %[[X]][%[[J]], %[[K]]]
// CHECK: return %[[E]]
func.func @element_of_a_row(%x: tensor<?x?xf64>, %j: index, %k: index) -> f64 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %rows = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    "soac.yield"(%row) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  %s = tensor.extract %rows[%j, %k] : tensor<?x?xf64>
  return %s : f64
}

// What is read twice is made once, what is checked is checked for all, and a loop does not make it in each iteration.
// CHECK-LABEL: func.func @twice(
// CHECK: soac.map
// CHECK-LABEL: func.func @checked(
// CHECK: soac.map
// CHECK: soac.assert
// CHECK-LABEL: func.func @in_a_loop(
// CHECK: soac.map
// CHECK: scf.for
// CHECK: tensor.extract
func.func @twice(%x: tensor<?xf64>, %j: index, %k: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %squares = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %q = arith.mulf %e, %e : f64
    "soac.yield"(%q) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %s = tensor.extract %squares[%j] : tensor<?xf64>
  %t = tensor.extract %squares[%k] : tensor<?xf64>
  return %s, %t : f64, f64
}

func.func @checked(%x: tensor<?xf64>, %j: index) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %roots = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %c = arith.cmpf oge, %e, %zero : f64
    "soac.assert"(%c) {kind = "ShapeMismatch", message = "negative"} : (i1) -> ()
    %q = math.sqrt %e : f64
    "soac.yield"(%q) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %s = tensor.extract %roots[%j] : tensor<?xf64>
  return %s : f64
}

func.func @in_a_loop(%x: tensor<?xf64>, %start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %waves = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %q = math.sin %e : f64
    "soac.yield"(%q) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> f64 {
    %e = tensor.extract %waves[%i] : tensor<?xf64>
    %u = arith.divf %e, %t : f64
    scf.yield %u : f64
  }
  return %s : f64
}
