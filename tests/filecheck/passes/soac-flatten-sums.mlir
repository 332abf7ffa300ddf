// Nests of sums over all axes of an array are one sum over its elements.
// RUN: tapeless-opt --soac-flatten-sums %s | filecheck %s

// CHECK-LABEL: func.func @all_axes
// CHECK: %[[NM:.*]] = arith.muli
// CHECK: %[[FLAT:.*]] = tensor.reshape %arg0
// CHECK: "soac.fused"(%[[NM]], %[[FLAT]],
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:.*]]: f64):
// CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT: "soac.yield"(%[[Y]])
// CHECK-NOT: "soac.fused"
// CHECK: return
func.func @all_axes(%x: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %s = "soac.fused"(%n, %x, %zero) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %r = "soac.fused"(%m, %row, %zero) ({
    ^bb0(%j: index, %e: f64):
      %y = arith.mulf %e, %e : f64
      "soac.yield"(%y) : (f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      "soac.yield"(%c) : (f64) -> ()
    }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%r) : (f64) -> ()
  }, {
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?x?xf64>, f64) -> f64
  return %s : f64
}

// The largest of sums is not the sum of all, and an index of a row is not one of an element.
// CHECK-LABEL: func.func @largest_sum
// CHECK-NOT: tensor.reshape
// CHECK: return
func.func @largest_sum(%x: tensor<?x?xf64>, %least: f64) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %s = "soac.fused"(%n, %x, %least) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %r = "soac.reduce"(%m, %row, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      "soac.yield"(%c) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%r) : (f64) -> ()
  }, {
  ^bb0(%a: f64, %b: f64):
    %c = arith.maximumf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?x?xf64>, f64) -> f64
  %t = "soac.fused"(%n, %x, %zero) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %r = "soac.fused"(%m, %row, %zero) ({
    ^bb0(%j: index, %e: f64):
      %k = arith.index_cast %j : index to i64
      %f = arith.sitofp %k : i64 to f64
      %y = arith.mulf %e, %f : f64
      "soac.yield"(%y) : (f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      "soac.yield"(%c) : (f64) -> ()
    }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%r) : (f64) -> ()
  }, {
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?x?xf64>, f64) -> f64
  return %s, %t : f64, f64
}

// The innermost body reads an element of an array that has no last axis: there is none of it for every element.
// CHECK-LABEL: func.func @scaled_rows
// CHECK-NOT: tensor.reshape
// CHECK: return
func.func @scaled_rows(%x: tensor<?x?xf64>, %v: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %s = "soac.fused"(%n, %x, %v, %zero) ({
  ^bb0(%i: index, %row: tensor<?xf64>, %scale: f64):
    %r = "soac.fused"(%m, %row, %zero) ({
    ^bb0(%j: index, %e: f64):
      %y = arith.mulf %scale, %e : f64
      "soac.yield"(%y) : (f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      "soac.yield"(%c) : (f64) -> ()
    }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%r) : (f64) -> ()
  }, {
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }, {}) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<?x?xf64>, tensor<?xf64>, f64) -> f64
  return %s : f64
}
