// ad-expand on maps: adjoints are a map too; what all iterations read is summed.
// RUN: tapeless-opt --ad-expand --canonicalize --cse --soac-simplify --canonicalize --cse %s | filecheck %s

func.func private @plain(%n: index, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = arith.mulf %x, %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %ys : tensor<?xf64>
}

// One map over elements and adjoints, which runs the body again and back.
// CHECK-LABEL: func.func @plain_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: %[[XS_BAR:.*]] = "soac.map"(%[[N]], %[[XS]], %[[BAR]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:.*]]: f64, %[[Y_BAR:.*]]: f64):
// CHECK-NEXT: %[[PART:.*]] = arith.mulf %[[Y_BAR]], %[[X]]
// CHECK-NEXT: %[[X_BAR:.*]] = arith.addf %[[PART]], %[[PART]]
// CHECK-NEXT: "soac.yield"(%[[X_BAR]])
// CHECK: return %[[XS_BAR]]
func.func @plain_vjp(%n: index, %xs: tensor<?xf64>, %bar: tensor<?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.vjp"(%n, %xs, %bar) {
    callee = @plain, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (index, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// CHECK-LABEL: func.func @plain_jvp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[DXS:[^:]*]]: tensor<?xf64>
// CHECK: "soac.map"(%[[N]], %[[XS]], %[[DXS]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:.*]]: f64, %[[DX:.*]]: f64):
// CHECK-NEXT: arith.mulf %[[DX]], %[[X]]
func.func @plain_jvp(%n: index, %xs: tensor<?xf64>, %dxs: tensor<?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.jvp"(%n, %xs, %dxs) {
    callee = @plain, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (index, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @free_scalar(%n: index, %xs: tensor<?xf64>, %s: f64) -> tensor<?xf64> {
  %ys = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = arith.mulf %x, %s : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %ys : tensor<?xf64>
}

// A free scalar: every iteration gives its contribution, and they are summed.
// CHECK-LABEL: func.func @free_scalar_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[S:[^:]*]]: f64, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: %[[PARTS:.*]] = "soac.map"(%[[N]], %[[XS]], %[[BAR]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:.*]]: f64, %[[Y_BAR:.*]]: f64):
// CHECK-NEXT: arith.mulf %[[Y_BAR]], %[[X]]
// CHECK: %[[S_BAR:.*]] = "soac.reduce"(%[[N]], %[[PARTS]], %{{.*}})
// CHECK: arith.addf
// CHECK: return %[[S_BAR]]
func.func @free_scalar_vjp(%n: index, %xs: tensor<?xf64>, %s: f64, %bar: tensor<?xf64>) -> (f64) {
  %r:2 = "ad.vjp"(%n, %xs, %s, %bar) {
    callee = @free_scalar, wrt = [2], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, f64)
  return %r#1 : f64
}

func.func private @free_array(%n: index, %keys: tensor<?xindex>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %ys = "soac.map"(%n, %keys) ({
  ^bb0(%i: index, %k: index):
    %y = tensor.extract %w[%k] : tensor<?xf64>
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xindex>) -> tensor<?xf64>
  return %ys : tensor<?xf64>
}

// A free array: all iterations add to one accumulator.
// CHECK-LABEL: func.func @free_array_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[KEYS:[^:]*]]: tensor<?xindex>, %[[W:[^:]*]]: tensor<?xf64>,
// CHECK-SAME: %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: %[[ZEROS:.*]] = tensor.splat
// CHECK: %[[W_BAR:.*]] = "soac.with_acc"(%[[ZEROS]]) ({
// CHECK-NEXT: ^bb0(%[[SUM:.*]]: !soac.acc<tensor<?xf64>>):
// CHECK-NEXT: "soac.map"(%[[N]], %[[KEYS]], %[[BAR]], %[[SUM]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[KEY:.*]]: index, %[[Y_BAR:.*]]: f64, %[[PART:.*]]: !soac.acc<tensor<?xf64>>):
// CHECK-NEXT: "soac.update"(%[[PART]], %[[KEY]], %[[Y_BAR]]) {soac.in_bounds}
// CHECK: return %[[W_BAR]]
func.func @free_array_vjp(%n: index, %keys: tensor<?xindex>, %w: tensor<?xf64>, %bar: tensor<?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.vjp"(%n, %keys, %w, %bar) {
    callee = @free_array, wrt = [2], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xindex>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// The tangent is read where the array is.
// CHECK-LABEL: func.func @free_array_jvp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[KEYS:[^:]*]]: tensor<?xindex>, %[[W:[^:]*]]: tensor<?xf64>,
// CHECK-SAME: %[[DW:[^:]*]]: tensor<?xf64>
// CHECK: "soac.map"(%[[N]], %[[KEYS]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[KEY:.*]]: index):
// CHECK-NEXT: tensor.extract %[[DW]][%[[KEY]]]
func.func @free_array_jvp(%n: index, %keys: tensor<?xindex>, %w: tensor<?xf64>, %dw: tensor<?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.jvp"(%n, %keys, %w, %dw) {
    callee = @free_array, wrt = [2], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xindex>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @nested(%n: index, %m: index, %keys: tensor<?x?xindex>, %w: tensor<?xf64>) -> tensor<?x?xf64> {
  %ys = "soac.map"(%n, %keys) ({
  ^bb0(%i: index, %row: tensor<?xindex>):
    %y = "soac.map"(%m, %row) ({
    ^bb0(%j: index, %k: index):
      %z = tensor.extract %w[%k] : tensor<?xf64>
      "soac.yield"(%z) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xindex>) -> tensor<?xf64>
    "soac.yield"(%y) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xindex>) -> tensor<?x?xf64>
  return %ys : tensor<?x?xf64>
}

// The inner map adds to the accumulator of the outer one.
// CHECK-LABEL: func.func @nested_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[M:[^:]*]]: index, %[[KEYS:[^:]*]]: tensor<?x?xindex>,
// CHECK-SAME: %[[W:[^:]*]]: tensor<?xf64>, %[[BAR:[^:]*]]: tensor<?x?xf64>
// CHECK: "soac.with_acc"
// CHECK: "soac.map"(%[[N]], %[[KEYS]], %[[BAR]], %{{.*}})
// CHECK: ^bb0(%{{.*}}: index, %[[ROW:.*]]: tensor<?xindex>, %[[ROW_BAR:.*]]: tensor<?xf64>, %[[SUM:.*]]: !soac.acc<tensor<?xf64>>):
// CHECK-NEXT: "soac.map"(%[[M]], %[[ROW]], %[[ROW_BAR]], %[[SUM]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[KEY:.*]]: index, %[[Y_BAR:.*]]: f64, %[[PART:.*]]: !soac.acc<tensor<?xf64>>):
// CHECK-NEXT: "soac.update"(%[[PART]], %[[KEY]], %[[Y_BAR]])
// CHECK-NOT: "soac.with_acc"
func.func @nested_vjp(%n: index, %m: index, %keys: tensor<?x?xindex>, %w: tensor<?xf64>, %bar: tensor<?x?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.vjp"(%n, %m, %keys, %w, %bar) {
    callee = @nested, wrt = [3], method = "redundant", operandSegmentSizes = array<i32: 4, 1>
  } : (index, index, tensor<?x?xindex>, tensor<?xf64>, tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
