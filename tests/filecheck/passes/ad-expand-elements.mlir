// Seeds that are the rows of an identity, on a function that reads its argument element by element.
// RUN: tapeless-opt --ad-expand --canonicalize --cse %s | filecheck %s

func.func private @apart(%xs: tensor<4xf64>, %as: tensor<?xf64>) -> (f64, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %as, %c0 : tensor<?xf64>
  %x0 = tensor.extract %xs[%c0] : tensor<4xf64>
  %x1 = tensor.extract %xs[%c1] : tensor<4xf64>
  %x2 = tensor.extract %xs[%c2] : tensor<4xf64>
  %y = math.exp %x0 : f64
  %ys = "soac.map"(%n, %as) ({
  ^bb0(%i: index, %a: f64):
    %p = arith.mulf %a, %x1 : f64
    %q = arith.mulf %p, %x2 : f64
    "soac.yield"(%q) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %y, %ys : f64, tensor<?xf64>
}

// Element 0 moves the first result, elements 1 and 2 the second, element 3 none.
// CHECK-LABEL: func.func @of_apart(
// CHECK-SAME: %[[XS:[^:]*]]: tensor<4xf64>, %[[AS:[^:]*]]: tensor<?xf64>
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: %[[EXP:.*]] = math.exp
// CHECK: %[[DYS:.*]]:2 = "soac.map"(%{{.*}}, %[[AS]]) ({
// CHECK-NOT: "soac.map"
// CHECK: %[[FIRST:.*]] = tensor.from_elements %[[EXP]], %[[ZERO]], %[[ZERO]], %[[ZERO]] : tensor<4xf64>
// CHECK: %[[FILL:.*]] = tensor.splat %[[ZERO]]
// CHECK: %[[ONE:.*]] = tensor.insert_slice %[[DYS]]#0 into %[[FILL]][1, 0]
// CHECK: %[[TWO:.*]] = tensor.insert_slice %[[DYS]]#1 into %[[ONE]][2, 0]
// CHECK: return %[[FIRST]], %[[TWO]]
func.func @of_apart(%xs: tensor<4xf64>, %as: tensor<?xf64>, %dxs: tensor<4x4xf64>) -> (tensor<4xf64>, tensor<4x?xf64>) {
  %r:4 = "ad.jvp"(%xs, %as, %dxs) {
    callee = @apart, wrt = [0], method = "redundant", seed_size = 4 : i64, identity, operandSegmentSizes = array<i32: 2, 1>
  } : (tensor<4xf64>, tensor<?xf64>, tensor<4x4xf64>) -> (f64, tensor<?xf64>, tensor<4xf64>, tensor<4x?xf64>)
  return %r#2, %r#3 : tensor<4xf64>, tensor<4x?xf64>
}

func.func private @computed(%xs: tensor<4xf64>, %i: index) -> f64 {
  %x = tensor.extract %xs[%i] : tensor<4xf64>
  %y = math.exp %x : f64
  return %y : f64
}

// A place known only at run time may be any element: one map over seeds.
// CHECK-LABEL: func.func @of_computed(
// CHECK: math.exp
// CHECK: "soac.map"(%c4
func.func @of_computed(%xs: tensor<4xf64>, %i: index, %dxs: tensor<4x4xf64>) -> tensor<4xf64> {
  %r:2 = "ad.jvp"(%xs, %i, %dxs) {
    callee = @computed, wrt = [0], method = "redundant", seed_size = 4 : i64, identity, operandSegmentSizes = array<i32: 2, 1>
  } : (tensor<4xf64>, index, tensor<4x4xf64>) -> (f64, tensor<4xf64>)
  return %r#1 : tensor<4xf64>
}
