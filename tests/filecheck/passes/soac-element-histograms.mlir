// Histograms of rows whose operator is elementwise: sums of floats are accumulations, others histograms of elements.
// RUN: tapeless-opt --soac-element-histograms %s | filecheck %s

// CHECK-LABEL: func.func @sums
// CHECK: "soac.with_acc"(%arg2)
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: !soac.acc<tensor<?x?xf64>>):
// CHECK: "soac.map"(%arg0, %arg1, %arg3, %[[ACC]])
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[KEY:.*]]: i64, %[[ROW:.*]]: tensor<?xf64>, %[[INNER:.*]]: !soac.acc
// CHECK: %[[PLACE:.*]] = arith.index_cast %[[KEY]]
// CHECK: "soac.map"(%{{.*}}, %[[ROW]], %[[INNER]])
// CHECK-NEXT: ^bb0(%[[J:.*]]: index, %[[X:.*]]: f64, %[[LAST:.*]]: !soac.acc
// CHECK-NEXT: "soac.update"(%[[LAST]], %[[PLACE]], %[[J]], %[[X]])
// CHECK-NOT: "soac.hist"
// CHECK: return
func.func @sums(%n: index, %keys: tensor<?xi64>, %dest: tensor<?x?xf64>, %rows: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %dest, %c1 : tensor<?x?xf64>
  %zeros = tensor.splat %zero[%m] : tensor<?xf64>
  %h = "soac.hist"(%n, %keys, %dest, %rows, %zeros) ({
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>):
    %s = "soac.map"(%m, %a, %b) ({
    ^bb0(%i: index, %x: f64, %y: f64):
      %z = arith.addf %x, %y : f64
      "soac.yield"(%z) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%s) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, tensor<?xi64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return %h : tensor<?x?xf64>
}

// Keys outside stay outside, also with a column in them.
// CHECK-LABEL: func.func @largest
// CHECK: %[[TOTAL:.*]] = arith.muli %arg0, %[[COLUMNS:.*]] : index
// CHECK: %[[KEYS:.*]] = "soac.map"(%[[TOTAL]])
// CHECK: %[[ROW:.*]] = arith.divsi %{{.*}}, %[[COLUMNS]]
// CHECK: %[[COLUMN:.*]] = arith.remsi %{{.*}}, %[[COLUMNS]]
// CHECK: tensor.extract %arg1[%[[ROW]]]
// CHECK: %[[BY:.*]] = arith.muli %{{.*}}, %[[COLUMNS]]
// CHECK: %[[PLACE:.*]] = arith.addi %[[BY]], %[[COLUMN]]
// CHECK: arith.select %{{.*}}, %[[PLACE]], %{{.*}}
// CHECK: %[[VALUES:.*]] = tensor.reshape %arg3
// CHECK: %[[BINS:.*]] = tensor.reshape %arg2
// CHECK: %[[OUT:.*]] = "soac.hist"(%[[TOTAL]], %[[KEYS]], %[[BINS]], %[[VALUES]], %{{.*}})
// CHECK-NEXT: ^bb0(%[[A:.*]]: f64, %[[B:.*]]: f64):
// CHECK-NEXT: arith.maximumf %[[A]], %[[B]] : f64
// CHECK: tensor.reshape %[[OUT]]
func.func @largest(%n: index, %keys: tensor<?xi64>, %dest: tensor<?x4xf64>, %rows: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %c4 = arith.constant 4 : index
  %low = arith.constant dense<-1.0e3> : tensor<4xf64>
  %h = "soac.hist"(%n, %keys, %dest, %rows, %low) ({
  ^bb0(%a: tensor<4xf64>, %b: tensor<4xf64>):
    %s = "soac.map"(%c4, %a, %b) ({
    ^bb0(%i: index, %x: f64, %y: f64):
      %z = arith.maximumf %x, %y : f64
      "soac.yield"(%z) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    "soac.yield"(%s) : (tensor<4xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, tensor<?xi64>, tensor<?x4xf64>, tensor<?x4xf64>, tensor<4xf64>) -> tensor<?x4xf64>
  return %h : tensor<?x4xf64>
}

// An operator that looks at the index of an element, or at whole rows, stays as it is.
// CHECK-LABEL: func.func @whole_rows
// CHECK-NOT: tensor.reshape
// CHECK: "soac.hist"(%arg0, %arg1, %arg2, %arg3
func.func @whole_rows(%n: index, %keys: tensor<?xi64>, %dest: tensor<?x4xf64>, %rows: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %ones = arith.constant dense<1.0> : tensor<4xf64>
  %h = "soac.hist"(%n, %keys, %dest, %rows, %ones) ({
  ^bb0(%a: tensor<4xf64>, %b: tensor<4xf64>):
    %s = "soac.map"(%c4, %b) ({
    ^bb0(%i: index, %y: f64):
      %x = tensor.extract %a[%c0] : tensor<4xf64>
      %z = arith.mulf %x, %y : f64
      "soac.yield"(%z) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<4xf64>) -> tensor<4xf64>
    "soac.yield"(%s) : (tensor<4xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, tensor<?xi64>, tensor<?x4xf64>, tensor<?x4xf64>, tensor<4xf64>) -> tensor<?x4xf64>
  return %h : tensor<?x4xf64>
}
