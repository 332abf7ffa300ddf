// ad-expand of forward mode: reductions, scans and histograms combine pairs of value and tangent.
// RUN: tapeless-opt --ad-expand --canonicalize --cse --soac-simplify --canonicalize --cse %s | filecheck %s

func.func private @product(%n: index, %xs: tensor<?xf64>) -> f64 {
  %one = arith.constant 1.0 : f64
  %y = "soac.reduce"(%n, %xs, %one) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %y : f64
}

// The neutral element does not move.
// CHECK-LABEL: func.func @of_product(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[DXS:[^:]*]]: tensor<?xf64>
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.0
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: %[[PAIR:.*]]:2 = "soac.reduce"(%[[N]], %[[XS]], %[[DXS]], %[[ONE]], %[[ZERO]]) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: f64, %[[DA:.*]]: f64, %[[B:.*]]: f64, %[[DB:.*]]: f64):
// CHECK-NEXT: %[[C:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK-NEXT: %[[LEFT:.*]] = arith.mulf %[[DA]], %[[B]]
// CHECK-NEXT: %[[RIGHT:.*]] = arith.mulf %[[DB]], %[[A]]
// CHECK-NEXT: %[[DC:.*]] = arith.addf %[[LEFT]], %[[RIGHT]]
// CHECK-NEXT: "soac.yield"(%[[C]], %[[DC]])
// CHECK: return %[[PAIR]]#1
func.func @of_product(%n: index, %xs: tensor<?xf64>, %dxs: tensor<?xf64>) -> f64 {
  %r:2 = "ad.jvp"(%n, %xs, %dxs) {
    callee = @product, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (index, tensor<?xf64>, tensor<?xf64>) -> (f64, f64)
  return %r#1 : f64
}

func.func private @smallest(%n: index, %xs: tensor<?xf64>) -> f64 {
  %inf = arith.constant 0x7FF0000000000000 : f64
  %y = "soac.reduce"(%n, %xs, %inf) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.minimumf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %y : f64
}

// The first operand wins on ties.
// CHECK-LABEL: func.func @of_smallest(
// CHECK: "soac.reduce"
// CHECK-NEXT: ^bb0(%[[A:.*]]: f64, %[[DA:.*]]: f64, %[[B:.*]]: f64, %[[DB:.*]]: f64):
// CHECK: %[[C:.*]] = arith.minimumf %[[A]], %[[B]]
// CHECK: %[[FIRST:.*]] = arith.cmpf ole, %[[A]], %[[B]]
// CHECK: "soac.yield"(%[[C]],
func.func @of_smallest(%n: index, %xs: tensor<?xf64>, %dxs: tensor<?xf64>) -> (f64, f64) {
  %r:2 = "ad.jvp"(%n, %xs, %dxs) {
    callee = @smallest, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (index, tensor<?xf64>, tensor<?xf64>) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

func.func private @largest(%n: index, %xs: tensor<?xf64>) -> f64 {
  %inf = arith.constant 0xFFF0000000000000 : f64
  %y = "soac.reduce"(%n, %xs, %inf) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.maximumf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %y : f64
}

// CHECK-LABEL: func.func @of_largest(
// CHECK: "soac.reduce"
// CHECK-NEXT: ^bb0(%[[A:.*]]: f64, %[[DA:.*]]: f64, %[[B:.*]]: f64, %[[DB:.*]]: f64):
// CHECK: arith.maximumf %[[A]], %[[B]]
// CHECK: arith.cmpf oge, %[[A]], %[[B]]
func.func @of_largest(%n: index, %xs: tensor<?xf64>, %dxs: tensor<?xf64>) -> (f64, f64) {
  %r:2 = "ad.jvp"(%n, %xs, %dxs) {
    callee = @largest, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (index, tensor<?xf64>, tensor<?xf64>) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

func.func private @recurrence(%n: index, %as: tensor<?xf64>, %bs: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %r:2 = "soac.scan"(%n, %as, %bs, %one, %zero) ({
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64):
    %e = arith.mulf %a, %c : f64
    %f = arith.mulf %b, %c : f64
    %g = arith.addf %f, %d : f64
    "soac.yield"(%e, %g) : (f64, f64) -> ()
  }) {exclusive = false, reverse = true, operandSegmentSizes = array<i32: 1, 2, 2>}
    : (index, tensor<?xf64>, tensor<?xf64>, f64, f64) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

// Only the second component moves with the second array; the direction of the scan stays.
// CHECK-LABEL: func.func @of_recurrence(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[AS:[^:]*]]: tensor<?xf64>, %[[BS:[^:]*]]: tensor<?xf64>, %[[DBS:[^:]*]]: tensor<?xf64>
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.0
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: %[[R:.*]]:2 = "soac.scan"(%[[N]], %[[AS]], %[[DBS]], %[[ONE]], %[[ZERO]]) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: f64, %[[DB:.*]]: f64, %[[C:.*]]: f64, %[[DD:.*]]: f64):
// CHECK-NEXT: %[[E:.*]] = arith.mulf %[[A]], %[[C]]
// CHECK-NEXT: %[[DF:.*]] = arith.mulf %[[DB]], %[[C]]
// CHECK-NEXT: %[[DG:.*]] = arith.addf %[[DF]], %[[DD]]
// CHECK-NEXT: "soac.yield"(%[[E]], %[[DG]])
// CHECK: reverse = true
// CHECK: return %[[R]]#1
func.func @of_recurrence(%n: index, %as: tensor<?xf64>, %bs: tensor<?xf64>, %dbs: tensor<?xf64>) -> tensor<?xf64> {
  %r:4 = "ad.jvp"(%n, %as, %bs, %dbs) {
    callee = @recurrence, wrt = [2], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#3 : tensor<?xf64>
}

func.func private @products(%n: index, %keys: tensor<?xi64>, %dest: tensor<?xf64>, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y = "soac.hist"(%n, %keys, %dest, %xs, %one) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A destination that does not move starts with tangents of zero.
// CHECK-LABEL: func.func @of_products(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[KEYS:[^:]*]]: tensor<?xi64>, %[[DEST:[^:]*]]: tensor<?xf64>, %[[XS:[^:]*]]: tensor<?xf64>, %[[DXS:[^:]*]]: tensor<?xf64>
// CHECK: %[[FILL:.*]] = tensor.splat
// CHECK: %[[R:.*]]:2 = "soac.hist"(%[[N]], %[[KEYS]], %[[DEST]], %[[FILL]], %[[XS]], %[[DXS]], %{{.*}}, %{{.*}}) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: f64, %[[DA:.*]]: f64, %[[B:.*]]: f64, %[[DB:.*]]: f64):
// CHECK: arith.mulf %[[DA]], %[[B]]
// CHECK: arith.mulf %[[DB]], %[[A]]
// CHECK: return %[[R]]#1
func.func @of_products(%n: index, %keys: tensor<?xi64>, %dest: tensor<?xf64>, %xs: tensor<?xf64>, %dxs: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = "ad.jvp"(%n, %keys, %dest, %xs, %dxs) {
    callee = @products, wrt = [3], method = "redundant", operandSegmentSizes = array<i32: 4, 1>
  } : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
