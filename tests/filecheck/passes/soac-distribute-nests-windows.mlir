// Sizes that a check of each iteration finds equal to one from outside are this one behind it.
// RUN: tapeless-opt --soac-distribute-nests %s | filecheck %s

// CHECK-LABEL: func.func @windows
// CHECK-SAME: (%[[N:.*]]: index, %[[X:.*]]: tensor<?xf64>, %[[W:.*]]: tensor<?x?xf64>, %[[FIRST:.*]]: tensor<?xindex>)
// CHECK: %[[K:.*]] = tensor.dim %[[W]], %c1
// CHECK: "soac.map"(%[[N]], %[[FIRST]])
// CHECK: %[[OWN:.*]] = arith.minsi
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[K]], %[[OWN]]
// CHECK: "soac.assert"(%[[SAME]], %[[OWN]])
// CHECK: tensor.extract_slice %[[X]][%{{.*}}] [%[[K]]] [1]
// CHECK: "soac.map"
// CHECK: "soac.map"
// CHECK: "soac.fused"(%[[K]]
func.func @windows(%n: index, %x: tensor<?xf64>, %w: tensor<?x?xf64>, %firsts: tensor<?xindex>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %rows = tensor.dim %w, %c0 : tensor<?x?xf64>
  %k = tensor.dim %w, %c1 : tensor<?x?xf64>
  %y = "soac.map"(%n, %firsts) ({
  ^bb0(%f: index, %first: index):
    %left = arith.subi %size, %first : index
    %own = arith.minsi %left, %k : index
    %window = tensor.extract_slice %x[%first] [%own] [1] : tensor<?xf64> to tensor<?xf64>
    %same = arith.cmpi eq, %k, %own : index
    "soac.assert"(%same, %own) {kind = "ShapeMismatch", message = "size {}"} : (i1, index) -> ()
    %all = "soac.map"(%rows, %w) ({
    ^bb0(%i: index, %row: tensor<?xf64>):
      %s = "soac.fused"(%own, %row, %window, %zero) ({
      ^bb0(%j: index, %one: f64, %other: f64):
        %p = arith.mulf %one, %other fastmath<contract> : f64
        "soac.yield"(%p) : (f64) -> ()
      }, {
      ^bb0(%one: f64, %other: f64):
        %t = arith.addf %one, %other fastmath<contract> : f64
        "soac.yield"(%t) : (f64) -> ()
      }, {}) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<?xf64>, tensor<?xf64>, f64) -> f64
      %e = math.exp %s : f64
      "soac.yield"(%e) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
    "soac.yield"(%all) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xindex>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// A failure that is only noted tells nothing of what comes after it, nor does a check behind what reads the slice.
// CHECK-LABEL: func.func @unknown
// CHECK: %[[SIZE:.*]] = arith.minsi
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}] [%[[SIZE]]] [1]
// CHECK: "soac.map"(%[[SIZE]]
func.func @unknown(%n: index, %k: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %y = "soac.map"(%n) ({
  ^bb0(%first: index):
    %left = arith.subi %size, %first : index
    %own = arith.minsi %left, %k : index
    %window = tensor.extract_slice %x[%first] [%own] [1] : tensor<?xf64> to tensor<?xf64>
    %same = arith.cmpi eq, %k, %own : index
    "soac.assert"(%same, %own) {kind = "ShapeMismatch", message = "size {}", tapeless.noted} : (i1, index) -> ()
    %squares = "soac.map"(%own, %window) ({
    ^bb0(%j: index, %one: f64):
      %p = math.exp %one : f64
      "soac.yield"(%p) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    %s = "soac.reduce"(%own, %squares, %zero) ({
    ^bb0(%one: f64, %other: f64):
      %t = arith.addf %one, %other : f64
      "soac.yield"(%t) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    "soac.assert"(%same, %own) {kind = "ShapeMismatch", message = "size {}"} : (i1, index) -> ()
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
