// Rows that are added up become columns that are, first in runs of rows, then runs of their sums, then all of these.
// RUN: tapeless-opt --soac-reduce-columns %s | filecheck %s

// CHECK-LABEL: func.func @sum_of_rows
// CHECK: %[[SOME:.*]] = arith.minsi
// CHECK: %[[RUNS:.*]] = arith.maxsi %[[SOME]]
// CHECK: %[[P:.*]] = "soac.map"(%[[RUNS]])
// CHECK: "soac.map"(%[[M:.*]]) ({
// CHECK-NEXT: ^bb0(%[[J:.*]]: index):
// CHECK: "soac.fused"
// CHECK: %[[I:.*]] = arith.addi
// CHECK: tensor.extract %arg0[%[[I]], %[[J]]]
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: %[[FEW:.*]] = arith.cmpi slt, %[[RUNS]], %c2048
// CHECK: %[[LENGTH:.*]] = arith.select %[[FEW]], %c16{{.*}}, %c64
// CHECK: arith.ceildivsi %[[RUNS]], %[[LENGTH]]
// CHECK: %[[LEFT:.*]] = arith.maxsi
// CHECK: %[[Q:.*]] = "soac.map"(%[[LEFT]])
// CHECK: "soac.map"(%[[M]]) ({
// CHECK: "soac.fused"
// CHECK: tensor.extract %[[P]]
// CHECK: arith.addf
// CHECK: "soac.map"(%[[M]]) ({
// CHECK: "soac.fused"(%[[LEFT]],
// CHECK: tensor.extract %[[Q]]
// CHECK: arith.addf
func.func @sum_of_rows(%x: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %zeros = tensor.splat %zero[%m] : tensor<?xf64>
  %s = "soac.fused"(%n, %x, %zeros) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %e = "soac.map"(%m, %row) ({
    ^bb0(%j: index, %a: f64):
      %c = math.exp %a : f64
      "soac.yield"(%c) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%e) : (tensor<?xf64>) -> ()
  }, {
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>):
    %r = "soac.map"(%m, %a, %b) ({
    ^bb0(%j: index, %e: f64, %f: f64):
      %c = arith.addf %e, %f : f64
      "soac.yield"(%c) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%r) : (tensor<?xf64>) -> ()
  }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %s : tensor<?xf64>
}

// What looks at other elements of the rows stays as it is.
// CHECK-LABEL: func.func @first_elements
// CHECK: "soac.reduce"
func.func @first_elements(%x: tensor<?x4xf64>, %zeros: tensor<4xf64>) -> tensor<4xf64> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf64>
  %s = "soac.reduce"(%n, %x, %zeros) ({
  ^bb0(%a: tensor<4xf64>, %b: tensor<4xf64>):
    %r = "soac.map"(%c4, %a) ({
    ^bb0(%j: index, %e: f64):
      %f = tensor.extract %b[%c0] : tensor<4xf64>
      %c = arith.addf %e, %f : f64
      "soac.yield"(%c) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<4xf64>) -> tensor<4xf64>
    "soac.yield"(%r) : (tensor<4xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?x4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %s : tensor<4xf64>
}

// Rows that a reduction leaves beside, here what it reduces and what that is made of, are made by a map of their own.
// CHECK-LABEL: func.func @beside
// CHECK: %[[P:.*]] = "soac.map"(%{{.*}}) ({
// CHECK: "soac.fused"
// CHECK: math.exp
// CHECK: "soac.map"(%{{.*}}) ({
// CHECK: "soac.map"(%{{.*}}) ({
// CHECK: %[[S:.*]] = "soac.map"
// CHECK: %[[ROWS:.*]]:2 = "soac.map"(%{{.*}}, %arg0) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[ROW:.*]]: tensor<?xf64>):
// CHECK-NEXT: %[[E:.*]] = "soac.map"(%{{.*}}, %[[ROW]])
// CHECK: "soac.yield"(%[[E]], %[[ROW]])
// CHECK: return %[[S]], %[[ROWS]]#0, %[[ROWS]]#1
func.func @beside(%x: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %zeros = tensor.splat %zero[%m] : tensor<?xf64>
  %s:3 = "soac.fused"(%n, %x, %zeros) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %e = "soac.map"(%m, %row) ({
    ^bb0(%j: index, %a: f64):
      %c = math.exp %a : f64
      "soac.yield"(%c) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%e, %e, %row) : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> ()
  }, {
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>):
    %r = "soac.map"(%m, %a, %b) ({
    ^bb0(%j: index, %e: f64, %f: f64):
      %c = arith.addf %e, %f : f64
      "soac.yield"(%c) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%r) : (tensor<?xf64>) -> ()
  }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?x?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %s#0, %s#1, %s#2 : tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

// A fused reduction may only hand on the rows that it is given.
// CHECK-LABEL: func.func @handed_on
// CHECK-NOT: "soac.fused"(%{{.*}}, %arg0, %{{.*}}) ({
// CHECK: "soac.map"
// CHECK: "soac.map"
// CHECK: tensor.extract %arg0[%{{.*}}, %{{.*}}]
// CHECK: return
func.func @handed_on(%x: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %zeros = tensor.splat %zero[%m] : tensor<?xf64>
  %s = "soac.fused"(%n, %x, %zeros) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    "soac.yield"(%row) : (tensor<?xf64>) -> ()
  }, {
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>):
    %r = "soac.map"(%m, %a, %b) ({
    ^bb0(%j: index, %e: f64, %f: f64):
      %c = arith.addf %e, %f : f64
      "soac.yield"(%c) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%r) : (tensor<?xf64>) -> ()
  }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %s : tensor<?xf64>
}

// What reduces nothing stays as it is.
// CHECK-LABEL: func.func @nothing_reduced
// CHECK: "soac.fused"
// CHECK-NOT: "soac.reduce"
// CHECK: return
func.func @nothing_reduced(%n: index, %k: index, %x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = "soac.fused"(%n, %x) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %m = "soac.map"(%k, %row) ({
    ^bb0(%j: index, %a: f64):
      %b = arith.mulf %a, %a : f64
      "soac.yield"(%b) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%m) : (tensor<?xf64>) -> ()
  }, {}, {}) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}
