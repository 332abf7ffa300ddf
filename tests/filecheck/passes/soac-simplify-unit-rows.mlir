// Rows of one number are read as numbers; those that somebody else reads stay as they are.
// RUN: tapeless-opt --soac-simplify %s | filecheck %s

// CHECK-LABEL: func.func @means
// CHECK: %[[R:.*]]:2 = "soac.map"(%arg0, %arg2)
// CHECK: %[[S:.*]] = "soac.reduce"
// CHECK-NOT: tensor.splat
// CHECK: %[[TWO:.*]] = tensor.from_elements
// CHECK: "soac.yield"(%[[TWO]], %[[S]]) : (tensor<1xf64>, f64) -> ()
// CHECK-NOT: tensor.extract_slice
// CHECK: return %[[R]]#1, %[[R]]#0
func.func @means(%n: index, %m: index, %x: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x1xf64>) {
  %zero = arith.constant 0.0 : f64
  %r:2 = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %s = "soac.reduce"(%m, %row, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      "soac.yield"(%c) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    %one = tensor.splat %s : tensor<1xf64>
    %t = arith.mulf %s, %s : f64
    %two = tensor.from_elements %t : tensor<1xf64>
    "soac.yield"(%one, %two) : (tensor<1xf64>, tensor<1xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> (tensor<?x1xf64>, tensor<?x1xf64>)
  %c = tensor.extract_slice %r#0[0, 0] [%n, 1] [1, 1] : tensor<?x1xf64> to tensor<?xf64>
  return %c, %r#1 : tensor<?xf64>, tensor<?x1xf64>
}

// Accumulators stay the last results; a part of the column is cut from the rows.
// CHECK-LABEL: func.func @beside_sums
// CHECK: %[[M:.*]]:3 = "soac.map"(%arg0, %arg1, %{{.*}}) ({
// CHECK: %[[ROW:.*]] = tensor.splat %[[X:.*]] : tensor<1xf64>
// CHECK: %[[U:.*]] = "soac.update"
// CHECK: "soac.yield"(%[[ROW]], %[[X]], %[[U]])
// CHECK: "soac.yield"(%[[M]]#2, %[[M]]#1, %[[M]]#0)
// CHECK: tensor.extract_slice %{{.*}}[1, 0] [%arg3, 1] [1, 1]
func.func @beside_sums(%n: index, %x: tensor<?xf64>, %start: tensor<?xf64>, %k: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %r:3 = "soac.with_acc"(%start) ({
  ^bb0(%all: !soac.acc<tensor<?xf64>>):
    %m:2 = "soac.map"(%n, %x, %all) ({
    ^bb0(%i: index, %e: f64, %acc: !soac.acc<tensor<?xf64>>):
      %f = math.exp %e : f64
      %row = tensor.splat %f : tensor<1xf64>
      %u = "soac.update"(%acc, %i, %f) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%row, %u) : (tensor<1xf64>, !soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> (tensor<?x1xf64>, !soac.acc<tensor<?xf64>>)
    %c = tensor.extract_slice %m#0[0, 0] [%n, 1] [1, 1] : tensor<?x1xf64> to tensor<?xf64>
    "soac.yield"(%m#1, %c, %m#0) : (!soac.acc<tensor<?xf64>>, tensor<?xf64>, tensor<?x1xf64>) -> ()
  }) : (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?x1xf64>)
  %p = tensor.extract_slice %r#2[1, 0] [%k, 1] [1, 1] : tensor<?x1xf64> to tensor<?xf64>
  return %r#0, %r#1, %p : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
