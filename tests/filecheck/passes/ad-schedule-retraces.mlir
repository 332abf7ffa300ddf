// ad-schedule-retraces: chains visited backwards become loops that keep few states.
// RUN: tapeless-opt --ad-schedule-retraces --canonicalize --cse %s | filecheck %s

// Rows for kept states, each with its position and the rounds left; the first row is the state at the start. Before each
// visit, further states are kept on the way from the newest one; the steps left follow.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[X:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK: %[[ROUNDS:.*]]:2 = scf.while
// CHECK: arith.cmpi slt, %{{.*}}, %[[N]]
// CHECK: tensor.empty() : tensor<8xindex>
// CHECK: %[[FIRST:.*]] = tensor.insert %[[X]] into %{{.*}}[%c0] : tensor<8xf64>
// CHECK: scf.for %[[K:.*]] = %c0 to %[[N]] step %c1 iter_args(%[[TOP:.*]] = %c0, {{.*}} %[[B:.*]] = %[[BAR]])
// CHECK: %[[LAST:.*]] = arith.subi %[[N]], %c1
// CHECK: %[[STEP:.*]] = arith.subi %[[LAST]], %[[K]]
// CHECK: %[[KEPT:.*]]:5 = scf.while
// CHECK: %[[POSITION:.*]] = arith.minsi
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[POSITION]], %[[STEP]]
// CHECK: scf.condition(%[[MORE]])
// CHECK: %[[STATE:.*]] = scf.for
// CHECK: math.sin
// CHECK: tensor.insert %[[STATE]] into %{{.*}} : tensor<8xf64>
// CHECK: %[[AT:.*]] = scf.for %{{.*}} = %{{.*}} to %[[STEP]]
// CHECK: math.sin
// CHECK: %[[SLOPE:.*]] = math.cos %[[AT]]
// CHECK: %[[BEFORE:.*]] = arith.mulf %[[B]], %[[SLOPE]]
// CHECK: scf.yield {{.*}}, %[[BEFORE]]
// CHECK-NOT: rev.retrace
func.func @chain(%n: index, %x: f64, %bar: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = "rev.retrace"(%c0, %n, %c1, %x, %bar) ({
  ^bb0(%i: index, %v: f64):
    %next = math.sin %v : f64
    "soac.yield"(%next) : (f64) -> ()
  }, {
  ^bb0(%i: index, %v: f64, %b: f64):
    %slope = math.cos %v : f64
    %before = arith.mulf %b, %slope : f64
    "soac.yield"(%before) : (f64) -> ()
  }) {strategy = "treeverse", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, index, index, f64, f64) -> f64
  return %r : f64
}

// By bisection, rows hold states at multiples of powers of two: those that the lowest digit of the position changes are
// made again, from the row above them or from the start.
// CHECK-LABEL: func.func @halves(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[X:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK: tensor.empty() : tensor<8xf64>
// CHECK: scf.for %[[K:.*]] = %c0 to %[[N]] step %c1 iter_args({{.*}} %[[B:.*]] = %[[BAR]])
// CHECK-NOT: arith.div
// CHECK: math.ctlz
// CHECK: scf.if
// CHECK-NEXT: scf.yield %c0, %[[X]]
// CHECK: arith.shli
// CHECK: tensor.extract
// CHECK: scf.for
// CHECK: %[[STATE:.*]] = scf.for
// CHECK: math.sin
// CHECK: tensor.insert %[[STATE]] into %{{.*}} : tensor<8xf64>
// CHECK: math.cos
// CHECK-NOT: rev.retrace
func.func @halves(%n: index, %x: f64, %bar: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = "rev.retrace"(%c0, %n, %c1, %x, %bar) ({
  ^bb0(%i: index, %v: f64):
    %next = math.sin %v : f64
    "soac.yield"(%next) : (f64) -> ()
  }, {
  ^bb0(%i: index, %v: f64, %b: f64):
    %slope = math.cos %v : f64
    %before = arith.mulf %b, %slope : f64
    "soac.yield"(%before) : (f64) -> ()
  }) {strategy = "bisection", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, index, index, f64, f64) -> f64
  return %r : f64
}

// Arrays have as many rows as there are steps, if these are fewer.
// CHECK-LABEL: func.func @arrays(
// CHECK-SAME: %[[N:[^:]*]]: index,
// CHECK: %[[FEWER:.*]] = arith.minsi %[[N]], %c8 : index
// CHECK: %[[ROOM:.*]] = arith.maxsi %[[FEWER]], %c1 : index
// CHECK: tensor.empty(%[[ROOM]]) : tensor<?x3xf64>
func.func @arrays(%n: index, %x: tensor<3xf64>, %bar: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = "rev.retrace"(%c0, %n, %c1, %x, %bar) ({
  ^bb0(%i: index, %v: tensor<3xf64>):
    %next = tensor.insert %bar into %v[%c0] : tensor<3xf64>
    "soac.yield"(%next) : (tensor<3xf64>) -> ()
  }, {
  ^bb0(%i: index, %v: tensor<3xf64>, %b: f64):
    %at = tensor.extract %v[%c1] : tensor<3xf64>
    %before = arith.mulf %b, %at : f64
    "soac.yield"(%before) : (f64) -> ()
  }) {strategy = "treeverse", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, index, index, tensor<3xf64>, f64) -> f64
  return %r : f64
}

// A budget far above the number of steps takes no more room than these.
// CHECK-LABEL: func.func @large_budget(
// CHECK-SAME: %[[N:[^:]*]]: index,
// CHECK: %[[FEWER:.*]] = arith.minsi %[[N]], %c100000000 : index
// CHECK: %[[ROOM:.*]] = arith.maxsi %[[FEWER]], %c1 : index
// CHECK: tensor.empty(%[[ROOM]]) : tensor<?xindex>
// CHECK: tensor.empty(%[[ROOM]]) : tensor<?xf64>
// CHECK-NOT: tensor<100000000x
func.func @large_budget(%n: index, %x: f64, %bar: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = "rev.retrace"(%c0, %n, %c1, %x, %bar) ({
  ^bb0(%i: index, %v: f64):
    %next = math.sin %v : f64
    "soac.yield"(%next) : (f64) -> ()
  }, {
  ^bb0(%i: index, %v: f64, %b: f64):
    %before = arith.mulf %b, %v : f64
    "soac.yield"(%before) : (f64) -> ()
  }) {strategy = "treeverse", budget = 100000000 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, index, index, f64, f64) -> f64
  return %r : f64
}
