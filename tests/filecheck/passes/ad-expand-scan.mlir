// ad-expand on scans: sums from the other end, one component by linear maps, several by triples.
// RUN: tapeless-opt --ad-expand --canonicalize --cse --soac-simplify --canonicalize --cse %s | filecheck %s

func.func private @sums(%n: index, %xs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %y = "soac.scan"(%n, %xs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = false} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Sums from the other end; the scan itself is not run.
// CHECK-LABEL: func.func @sums_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: "soac.scan"(%[[N]], %[[BAR]], %{{.*}})
// CHECK: exclusive = false{{.*}}reverse = true
// CHECK-NOT: soac.scan
func.func @sums_vjp(%n: index, %xs: tensor<?xf64>, %e: f64, %bar: tensor<?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.vjp"(%n, %xs, %e, %bar) {
    callee = @sums, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// CHECK-LABEL: func.func @sums_jvp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[DXS:[^:]*]]: tensor<?xf64>
// CHECK: "soac.scan"(%[[N]], %[[DXS]], %{{.*}})
// CHECK: exclusive = false{{.*}}reverse = false
// CHECK-NOT: soac.scan
func.func @sums_jvp(%n: index, %xs: tensor<?xf64>, %e: f64, %dxs: tensor<?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.jvp"(%n, %xs, %e, %dxs) {
    callee = @sums, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @sums_from_the_right(%n: index, %xs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %y = "soac.scan"(%n, %xs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = true, reverse = true} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: func.func @sums_from_the_right_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: "soac.scan"(%[[N]], %[[BAR]], %{{.*}})
// CHECK: exclusive = true{{.*}}reverse = false
// CHECK-NOT: soac.scan
func.func @sums_from_the_right_vjp(%n: index, %xs: tensor<?xf64>, %e: f64, %bar: tensor<?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.vjp"(%n, %xs, %e, %bar) {
    callee = @sums_from_the_right, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @general(%n: index, %xs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %y = "soac.scan"(%n, %xs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    %d = arith.addf %a, %b : f64
    %g = arith.addf %c, %d : f64
    "soac.yield"(%g) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = false} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// One component: the slopes of the operator, then a scan of linear maps from the right.
// CHECK-LABEL: func.func @general_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: %[[YS:.*]] = "soac.scan"(%[[N]], %[[XS]], %[[E]])
// CHECK: %[[SLOPES:.*]] = "soac.map"(%[[N]])
// CHECK: tensor.extract %[[XS]]
// CHECK: %[[TOTALS:.*]]:2 = "soac.scan"(%[[N]], %[[BAR]], %[[SLOPES]], %{{.*}}) ({
// CHECK-NEXT: ^bb0(%[[SHIFT:.*]]: f64, %[[FACTOR:.*]]: f64, %[[NEXT_SHIFT:.*]]: f64, %[[NEXT_FACTOR:.*]]: f64):
// CHECK-NEXT: %[[MOVED:.*]] = arith.mulf %[[FACTOR]], %[[NEXT_SHIFT]]
// CHECK-NEXT: arith.addf %[[SHIFT]], %[[MOVED]]
// CHECK-NEXT: arith.mulf %[[FACTOR]], %[[NEXT_FACTOR]]
// CHECK: exclusive = false{{.*}}reverse = true
// CHECK: "soac.map"(%[[N]], %[[TOTALS]]#0)
// CHECK: tensor.extract %[[YS]]
func.func @general_vjp(%n: index, %xs: tensor<?xf64>, %e: f64, %bar: tensor<?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.vjp"(%n, %xs, %e, %bar) {
    callee = @general, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @pairs(%n: index, %xs: tensor<?xf64>, %ys: tensor<?xf64>, %e: f64, %z: f64) -> tensor<?xf64> {
  %s:2 = "soac.scan"(%n, %xs, %ys, %e, %z) ({
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64):
    %p = arith.mulf %a, %c : f64
    %q = arith.mulf %b, %c : f64
    %r = arith.addf %q, %d : f64
    "soac.yield"(%p, %r) : (f64, f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 2>, exclusive = false, reverse = false} : (index, tensor<?xf64>, tensor<?xf64>, f64, f64) -> (tensor<?xf64>, tensor<?xf64>)
  return %s#1 : tensor<?xf64>
}

// Several components: a scan of states, steps and adjoints from the right, without a Jacobian.
// CHECK-LABEL: func.func @pairs_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[YS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64,
// CHECK-SAME: %[[Z:[^:]*]]: f64, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: %[[RESULTS:.*]]:2 = "soac.scan"(%[[N]], %[[XS]], %[[YS]], %[[E]], %[[Z]])
// CHECK: %[[STEPS:.*]] = "soac.map"(%[[N]])
// CHECK: tensor.extract %[[XS]]
// CHECK: %[[TOTALS:.*]]:{{[0-9]+}} = "soac.scan"(%[[N]], {{.*}}%[[STEPS]], {{.*}}%[[BAR]]
// CHECK: exclusive = false{{.*}}reverse = true
// CHECK: "soac.map"(%[[N]], {{.*}}%[[TOTALS]]#
// CHECK: tensor.extract %[[RESULTS]]#1
func.func @pairs_vjp(%n: index, %xs: tensor<?xf64>, %ys: tensor<?xf64>, %e: f64, %z: f64, %bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = "ad.vjp"(%n, %xs, %ys, %e, %z, %bar) {
    callee = @pairs, wrt = [1, 2], method = "redundant", operandSegmentSizes = array<i32: 5, 1>
  } : (index, tensor<?xf64>, tensor<?xf64>, f64, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

func.func private @minima(%n: index, %xs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %y = "soac.scan"(%n, %xs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.minimumf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = false} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Adjoints of equal minima add up from the right; the element with which a run begins gets the sum.
// CHECK-LABEL: func.func @minima_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: %[[Y:.*]] = "soac.scan"(%[[N]], %[[XS]], %[[E]])
// CHECK: %[[SUMS:.*]]:2 = "soac.scan"(%[[N]], %[[BAR]], %[[Y]], %{{.*}}, %{{.*}}) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: f64, %[[YA:.*]]: f64, %[[B:.*]]: f64, %[[YB:.*]]: f64):
// CHECK-DAG: %[[EMPTY:.*]] = arith.cmpf olt, %[[YA]], %[[YB]]
// CHECK-DAG: %[[SAME:.*]] = arith.cmpf oge, %[[YB]], %[[YA]]
// CHECK-DAG: arith.select %[[EMPTY]], %{{.*}}, %[[A]]
// CHECK-DAG: arith.select %[[SAME]], %[[B]], %{{.*}}
// CHECK: reverse = true
// CHECK: "soac.map"(%[[N]], %[[SUMS]]#0, %[[Y]])
// CHECK: tensor.extract %[[Y]]
// CHECK: arith.cmpf oeq
func.func @minima_vjp(%n: index, %xs: tensor<?xf64>, %e: f64, %bar: tensor<?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.vjp"(%n, %xs, %e, %bar) {
    callee = @minima, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
