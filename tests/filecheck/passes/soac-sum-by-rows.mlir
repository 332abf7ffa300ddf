// Sums over the columns of a matrix are taken row by row, all of them together, where it is large.
// RUN: tapeless-opt --soac-sum-by-rows %s | filecheck %s

// A transposed matrix by a vector, of sizes that a call tells.
// CHECK-LABEL: func.func @turned(
// CHECK-SAME: %[[A:.*]]: tensor<?x?xf64>, %[[V:.*]]: tensor<?xf64>, %[[N:.*]]: index, %[[M:.*]]: index)
// CHECK: %[[ELEMENTS:.*]] = arith.muli %[[M]], %[[N]]
// CHECK: %[[LARGE:.*]] = arith.cmpi sge, %[[ELEMENTS]], %c65536
// CHECK: scf.if %[[LARGE]]
// CHECK: %[[ZEROS:.*]] = tensor.splat %{{.*}}[%[[M]]]
// CHECK: "soac.with_acc"(%[[ZEROS]])
// CHECK: "soac.map"(%[[N]], %[[A]], %[[V]], %{{.*}}) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[ROW:.*]]: tensor<?xf64>, %[[Y:.*]]: f64, %{{.*}}):
// CHECK: "soac.map"(%[[M]], %[[ROW]], %{{.*}}) ({
// CHECK-NEXT: ^bb0(%[[J:.*]]: index, %[[X:.*]]: f64, %[[ACC:.*]]: !soac.acc<tensor<?xf64>>):
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[X]], %[[Y]]
// CHECK: "soac.update"(%[[ACC]], %[[J]], %[[PRODUCT]]) {soac.in_bounds}
// CHECK: } else {
// CHECK: "soac.fused"
func.func @turned(%a: tensor<?x?xf64>, %v: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %t = "soac.transpose"(%a) {permutation = [1, 0]} : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = "soac.map"(%m, %t) ({
  ^bb0(%j: index, %column: tensor<?xf64>):
    %s = "soac.fused"(%n, %column, %v, %zero) ({
    ^bb0(%k: index, %x: f64, %y: f64):
      %p = arith.mulf %x, %y : f64
      "soac.yield"(%p) : (f64) -> ()
    }, {
    ^bb0(%c: f64, %d: f64):
      %e = arith.addf %c, %d : f64
      "soac.yield"(%e) : (f64) -> ()
    }, {
    }) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<?xf64>, tensor<?xf64>, f64) -> f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// Sums that do not start from zero, that depend on the column, or of which more is made, stay.
// CHECK-LABEL: func.func @from_one
// CHECK-NOT: soac.with_acc
// CHECK-LABEL: func.func @numbered
// CHECK-NOT: soac.with_acc
// CHECK-LABEL: func.func @doubled
// CHECK-NOT: soac.with_acc
func.func @from_one(%a: tensor<?x?xf64>, %v: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %t = "soac.transpose"(%a) {permutation = [1, 0]} : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = "soac.map"(%m, %t) ({
  ^bb0(%j: index, %column: tensor<?xf64>):
    %s = "soac.fused"(%n, %column, %v, %one) ({
    ^bb0(%k: index, %x: f64, %y: f64):
      %p = arith.mulf %x, %y : f64
      "soac.yield"(%p) : (f64) -> ()
    }, {
    ^bb0(%c: f64, %d: f64):
      %e = arith.addf %c, %d : f64
      "soac.yield"(%e) : (f64) -> ()
    }, {
    }) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<?xf64>, tensor<?xf64>, f64) -> f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
func.func @numbered(%a: tensor<?x?xf64>, %v: tensor<?xi1>, %n: index, %m: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %t = "soac.transpose"(%a) {permutation = [1, 0]} : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = "soac.map"(%m, %t) ({
  ^bb0(%j: index, %column: tensor<?xf64>):
    %s = "soac.fused"(%n, %column, %zero) ({
    ^bb0(%k: index, %x: f64):
      %is_later = arith.cmpi sgt, %k, %j : index
      %p = arith.select %is_later, %x, %zero : f64
      "soac.yield"(%p) : (f64) -> ()
    }, {
    ^bb0(%c: f64, %d: f64):
      %e = arith.addf %c, %d : f64
      "soac.yield"(%e) : (f64) -> ()
    }, {
    }) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
func.func @doubled(%a: tensor<?x?xf64>, %v: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %t = "soac.transpose"(%a) {permutation = [1, 0]} : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = "soac.map"(%m, %t) ({
  ^bb0(%j: index, %column: tensor<?xf64>):
    %s = "soac.fused"(%n, %column, %v, %zero) ({
    ^bb0(%k: index, %x: f64, %y: f64):
      %p = arith.mulf %x, %y : f64
      "soac.yield"(%p) : (f64) -> ()
    }, {
    ^bb0(%c: f64, %d: f64):
      %e = arith.addf %c, %d : f64
      "soac.yield"(%e) : (f64) -> ()
    }, {
    }) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<?xf64>, tensor<?xf64>, f64) -> f64
    %twice = arith.addf %s, %s : f64
    "soac.yield"(%twice) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
