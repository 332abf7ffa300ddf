// soac-simplify removes the dead components of operators, loops and accumulators, not only dead operations.
// RUN: tapeless-opt --soac-simplify %s | filecheck %s

// The second result of the map and with it the second input.
// CHECK-LABEL: func.func @dead_map_result(
// CHECK-SAME: %{{.*}}: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[YS:[^:]*]]: tensor<?xf64>
// CHECK: "soac.map"(%{{[^,]*}}, %[[XS]])
// CHECK-NOT: math.exp
// CHECK: return
func.func @dead_map_result(%n: index, %xs: tensor<?xf64>, %ys: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = "soac.map"(%n, %xs, %ys) ({
  ^bb0(%i: index, %x: f64, %y: f64):
    %a = math.sin %x : f64
    %b = math.exp %y : f64
    "soac.yield"(%a, %b) : (f64, f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0 : tensor<?xf64>
}

// A component of a reduction that no other component reads.
// CHECK-LABEL: func.func @dead_reduce_component
// CHECK: "soac.reduce"
// CHECK-NEXT: ^bb0(%{{[^,]*}}: f64, %{{[^,]*}}: f64):
// CHECK-NEXT: arith.addf
// CHECK-NEXT: soac.yield
func.func @dead_reduce_component(%n: index, %xs: tensor<?xf64>, %z: f64) -> f64 {
  %r:2 = "soac.reduce"(%n, %xs, %xs, %z, %z) ({
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64):
    %s = arith.addf %a, %c : f64
    %t = arith.addf %b, %d : f64
    %u = arith.addf %t, %s : f64
    "soac.yield"(%s, %u) : (f64, f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 2>} : (index, tensor<?xf64>, tensor<?xf64>, f64, f64) -> (f64, f64)
  return %r#0 : f64
}

// A component that a live one reads stays.
// CHECK-LABEL: func.func @needed_reduce_component
// CHECK: "soac.reduce"
// CHECK-NEXT: ^bb0(%{{.*}}: f64, %{{.*}}: f64, %{{.*}}: f64, %{{.*}}: f64):
func.func @needed_reduce_component(%n: index, %xs: tensor<?xf64>, %z: f64) -> f64 {
  %r:2 = "soac.reduce"(%n, %xs, %xs, %z, %z) ({
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64):
    %s = arith.addf %a, %c : f64
    %t = arith.addf %b, %d : f64
    %u = arith.addf %t, %s : f64
    "soac.yield"(%s, %u) : (f64, f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 2>} : (index, tensor<?xf64>, tensor<?xf64>, f64, f64) -> (f64, f64)
  return %r#1 : f64
}

// A fused operator that only maps any more has no combine region.
// CHECK-LABEL: func.func @dead_fused_reduction
// CHECK: "soac.fused"
// CHECK-NOT: arith.addf
// CHECK: operandSegmentSizes = array<i32: 1, 1, 0, 0>
func.func @dead_fused_reduction(%n: index, %xs: tensor<?xf64>, %z: f64) -> tensor<?xf64> {
  %r:2 = "soac.fused"(%n, %xs, %z) ({
  ^bb0(%i: index, %x: f64):
    %y = math.exp %x : f64
    "soac.yield"(%x, %y) : (f64, f64) -> ()
  }, {
  ^bb0(%a: f64, %b: f64):
    %s = arith.addf %a, %b : f64
    "soac.yield"(%s) : (f64) -> ()
  }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf64>, f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// Two carried values that only feed each other, although both change.
// CHECK-LABEL: func.func @dead_carried_values
// CHECK: scf.for {{.*}} iter_args(%{{[^,]*}} = %{{[^,]*}}) -> (f64)
func.func @dead_carried_values(%n: index, %z: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z, %b = %z, %c = %z) -> (f64, f64, f64) {
    %x = math.exp %a : f64
    %y = math.sin %c : f64
    %w = math.cos %b : f64
    scf.yield %x, %y, %w : f64, f64, f64
  }
  return %r#0 : f64
}

// Updates of an accumulator whose sum nobody reads.
// CHECK-LABEL: func.func @dead_accumulator
// CHECK: "soac.with_acc"
// CHECK-COUNT-1: soac.update
// CHECK-NOT: soac.update
// CHECK: return
func.func @dead_accumulator(%n: index, %d: tensor<?xf64>, %e: tensor<?xf64>, %v: f64) -> tensor<?xf64> {
  %r:2 = "soac.with_acc"(%d, %e) ({
  ^bb0(%p: !soac.acc<tensor<?xf64>>, %q: !soac.acc<tensor<?xf64>>):
    %s:2 = "soac.map"(%n, %p, %q) ({
    ^bb0(%i: index, %pp: !soac.acc<tensor<?xf64>>, %qq: !soac.acc<tensor<?xf64>>):
      %p1 = "soac.update"(%pp, %i, %v) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      %q1 = "soac.update"(%qq, %i, %v) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%p1, %q1) : (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 0, 2>} : (index, !soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) -> (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>)
    "soac.yield"(%s#0, %s#1) : (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// A run-time check keeps its operator although nothing reads the results.
// CHECK-LABEL: func.func @checks_stay
// CHECK: soac.map
// CHECK: soac.assert
func.func @checks_stay(%n: index, %xs: tensor<?xf64>, %z: f64) {
  %r = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %ok = arith.cmpf oge, %x, %z : f64
    "soac.assert"(%ok, %x) {kind = "ArgumentError", message = "{} is negative"} : (i1, f64) -> ()
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return
}

// Nobody wants the sum, but it has to be tried: the check in its operator may fail. Its inputs stay.
// CHECK-LABEL: func.func @checking_reduce(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>
// CHECK: %[[SINES:.*]] = "soac.map"(%[[N]], %[[XS]])
// CHECK: "soac.reduce"(%[[N]], %[[SINES]], %{{.*}}) ({
// CHECK: "soac.assert"
func.func @checking_reduce(%n: index, %xs: tensor<?xf64>, %z: f64) {
  %sines = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.sin %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %r = "soac.reduce"(%n, %sines, %z) ({
  ^bb0(%a: f64, %b: f64):
    %ok = arith.cmpf olt, %z, %z : f64
    "soac.assert"(%ok) {kind = "TapelessError", message = "no"} : (i1) -> ()
    %s = arith.addf %a, %b : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return
}
