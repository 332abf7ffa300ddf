// rev-to-core makes functions of procedures: cells become the values they hold.
// RUN: tapeless-opt --rev-to-core --split-input-file %s | filecheck %s

// CHECK-LABEL: func.func private @norm.run(
// CHECK-SAME: %[[Y:.*]]: f64, %[[XS:.*]]: tensor<?xf64>, %[[N:.*]]: index) -> f64
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = {{.*}} iter_args(%[[HELD:.*]] = %[[Y]]) -> (f64) {
// CHECK:   %[[X:.*]] = tensor.extract %[[XS]]
// CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]] : f64
// CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[HELD]], %[[SQUARE]] : f64
// CHECK-NEXT: scf.yield %[[NEXT]] : f64
// CHECK: return %[[SUM]] : f64
// CHECK-LABEL: func.func @f(
"rev.func"() ({
^bb0(%y: memref<f64>, %xs: memref<?xf64>, %n: index):
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  "rev.for"(%zero, %n, %one) ({
  ^bb0(%i: index):
    "rev.accum"(%y) ({
      %v = "rev.read"(%xs, %i) : (memref<?xf64>, index) -> f64
      %w = arith.mulf %v, %v fastmath<contract> : f64
      "rev.yield"(%w) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  }) {reversed = false} : (index, index, index) -> ()
}) {sym_name = "norm", modes = ["inout", "in", "param"]} : () -> ()
func.func private @norm.run(f64, tensor<?xf64>, index) -> f64
func.func @f(%y: f64, %xs: tensor<?xf64>, %n: index) -> f64 {
  %r = func.call @norm.run(%y, %xs, %n) : (f64, tensor<?xf64>, index) -> f64
  return %r : f64
}

// -----

// An ancilla is a value that is checked at the end.
// CHECK-LABEL: func.func private @scratch.run(%arg0: f64) -> f64
// CHECK: %[[Z:.*]] = arith.addf
// CHECK: %[[DIFFERENCE:.*]] = arith.subf %[[Z]]
// CHECK: %[[GAP:.*]] = math.absf %[[DIFFERENCE]]
// CHECK: %[[FINE:.*]] = arith.cmpf ole, %[[GAP]]
// CHECK: "soac.assert"(%[[FINE]], %[[Z]], %{{.*}}) {kind = "InvertibilityError", message = "an ancilla does not hold its last value: it is {} and not {}"}
"rev.func"() ({
^bb0(%y: memref<f64>):
  %zero = arith.constant 0.0 : f64
  "rev.ancilla"() ({
    "rev.yield"(%zero) : (f64) -> ()
  }, {}, {
  ^bb0(%z: memref<f64>):
    "rev.accum"(%z) ({
      %v = memref.load %y[] : memref<f64>
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  }) : () -> ()
}) {sym_name = "scratch", modes = ["inout"]} : () -> ()

// -----

// Elements with indices that may be equal are compared at run time; with known different ones they are not.
// CHECK-LABEL: func.func private @elements.run(%arg0: tensor<?xf64>, %arg1: index, %arg2: index)
// CHECK: %[[DIFFER:.*]] = arith.cmpi ne, %arg2, %arg1
// CHECK-NEXT: "soac.assert"(%[[DIFFER]], %arg2) {kind = "InvertibilityError", message = "a statement reads what it changes, at index {}"}
// CHECK-NOT: soac.assert
// CHECK: return
"rev.func"() ({
^bb0(%xs: memref<?xf64>, %i: index, %j: index):
  %one = arith.constant 1 : index
  "rev.accum"(%xs, %i) ({
    %v = "rev.read"(%xs, %j) : (memref<?xf64>, index) -> f64
    %next = arith.addi %i, %one : index
    %w = "rev.read"(%xs, %next) : (memref<?xf64>, index) -> f64
    %p = arith.mulf %v, %w : f64
    "rev.yield"(%p) : (f64) -> ()
  }) {kind = "add"} : (memref<?xf64>, index) -> ()
}) {sym_name = "elements", modes = ["inout", "param", "param"]} : () -> ()

// -----

// Fixed-point numbers are rounded to, added as integers, and given with the float that they stand for.
// CHECK-LABEL: func.func private @grid.run(%arg0: i64, %arg1: f64, %arg2: f64) -> (i64, f64)
// CHECK: %[[FITS:.*]] = arith.cmpf olt, %{{.*}}, %{{.*}} : f64
// CHECK: "soac.assert"(%[[FITS]], %arg2) {kind = "InvertibilityError", message = "{} is no fixed-point number: those are smaller than 2**20", tapeless.needed}
// CHECK: %[[SCALED:.*]] = arith.mulf %arg2, %{{.*}} : f64
// CHECK: %[[WHOLE:.*]] = math.roundeven %[[SCALED]] : f64
// CHECK: %[[UNITS:.*]] = arith.fptosi %[[WHOLE]] : f64 to i64
// CHECK: %[[SUM:.*]] = arith.addi %arg0, %[[UNITS]] : i64
// CHECK: message = "a fixed-point number leaves its range of 2**20: {} is added to {}"
// CHECK: %[[FLOAT:.*]] = arith.sitofp %[[SUM]] : i64 to f64
// CHECK: %[[VALUE:.*]] = arith.mulf %[[FLOAT]], %{{.*}} : f64
// CHECK: return %[[SUM]], %[[VALUE]] : i64, f64
"rev.func"() ({
^bb0(%y: memref<si64>, %x: memref<f64>):
  "rev.accum"(%y) ({
    %v = "rev.read"(%x) : (memref<f64>) -> f64
    "rev.yield"(%v) : (f64) -> ()
  }) {kind = "add"} : (memref<si64>) -> ()
}) {sym_name = "grid", modes = ["inout", "in"]} : () -> ()

// -----

// Where derivatives are asked for, the float is carried along: it has the value of the integer, and the derivative.
// CHECK-LABEL: func.func private @carried.run(%arg0: i64, %arg1: f64, %arg2: f64) -> (i64, f64)
// CHECK: %[[STOPPED:.*]] = "ad.stop_gradient"(%arg1) : (f64) -> f64
// CHECK: %[[NOTHING:.*]] = arith.subf %arg1, %[[STOPPED]] : f64
// CHECK: %[[FIRST:.*]] = arith.addf %{{.*}}, %[[NOTHING]] : f64
// CHECK: %[[SUM:.*]] = arith.addi %arg0, %{{.*}} : i64
// CHECK: %[[TOTAL:.*]] = arith.addf %[[FIRST]], %arg2 : f64
// CHECK: "ad.stop_gradient"(%[[TOTAL]])
// CHECK: %[[LAST:.*]] = arith.addf
// CHECK: return %[[SUM]], %[[LAST]] : i64, f64
"rev.func"() ({
^bb0(%y: memref<si64>, %x: memref<f64>):
  "rev.accum"(%y) ({
    %v = "rev.read"(%x) : (memref<f64>) -> f64
    "rev.yield"(%v) : (f64) -> ()
  }) {kind = "add"} : (memref<si64>) -> ()
}) {sym_name = "carried", modes = ["inout", "in"]} : () -> ()
func.func @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
func.func @f(%x: f64, %dx: f64) -> (f64, f64) {
  %r:2 = "ad.jvp"(%x, %dx) {callee = @square, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>} : (f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

// -----

// Sums of adjoints that no inverse takes back are sums in any order, from a zero of no sign.
// CHECK-LABEL: func.func private @last.run(%arg0: f64, %arg1: f64)
// CHECK-NEXT: arith.addf %arg0, %arg1 fastmath<reassoc,contract> : f64
// CHECK-NEXT: arith.subf %{{.*}}, %arg1 fastmath<reassoc,contract> : f64
"rev.func"() ({
^bb0(%x_bar: memref<f64>, %y_bar: memref<f64>):
  "rev.accum"(%x_bar) ({
    %v = memref.load %y_bar[] : memref<f64>
    "rev.yield"(%v) : (f64) -> ()
  }) {kind = "add", last_order} : (memref<f64>) -> ()
  "rev.accum"(%x_bar) ({
    %v = memref.load %y_bar[] : memref<f64>
    "rev.yield"(%v) : (f64) -> ()
  }) {kind = "sub", last_order} : (memref<f64>) -> ()
}) {sym_name = "last", modes = ["inout", "in"]} : () -> ()

// -----

// A parallel loop is a map: an iteration has its own element of %ys, and all add to an element of %ts and to %total.
// CHECK-LABEL: func.func private @together.run(
// CHECK-SAME: %[[YS:.*]]: tensor<?xf64>, %[[TS:.*]]: tensor<?xf64>, %[[TOTAL:.*]]: f64, %[[XS:.*]]: tensor<?xf64>)
// CHECK: %[[ALL:.*]]:3 = "soac.with_acc"(%[[TS]]) ({
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: !soac.acc<tensor<?xf64>>):
// CHECK: %[[ROWS:.*]]:3 = "soac.map"(%{{.*}}, %[[YS]], %[[ACC]]) ({
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %[[Y:.*]]: f64, %[[HERE:.*]]: !soac.acc<tensor<?xf64>>):
// CHECK: tensor.extract %[[XS]][%[[I]]] : tensor<?xf64>
// CHECK: arith.addf %[[Y]], %{{.*}} : f64
// CHECK: "soac.update"(%[[HERE]], %{{.*}}, %{{.*}}) {soac.in_bounds}
// CHECK: "soac.yield"
// CHECK: %[[SUM:.*]] = "soac.reduce"(%{{.*}}, %[[ROWS]]#1, %{{.*}})
// CHECK: %[[LAST:.*]] = arith.addf %[[TOTAL]], %[[SUM]] : f64
// CHECK: "soac.yield"(%[[ROWS]]#2, %[[ROWS]]#0, %[[LAST]])
// CHECK: return %[[ALL]]#1, %[[ALL]]#0, %[[ALL]]#2
"rev.func"() ({
^bb0(%ys: memref<?xf64>, %ts: memref<?xf64>, %total: memref<f64>, %xs: memref<?xf64>):
  %zero = arith.constant 0 : index
  %n = memref.dim %ys, %zero : memref<?xf64>
  "rev.parallel"(%n) ({
  ^bb0(%i: index):
    "rev.accum"(%ys, %i) ({
      %v = "rev.read"(%xs, %i) : (memref<?xf64>, index) -> f64
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<?xf64>, index) -> ()
    "rev.accum"(%ts, %zero) ({
      %v = "rev.read"(%xs, %i) : (memref<?xf64>, index) -> f64
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "sub"} : (memref<?xf64>, index) -> ()
    "rev.accum"(%total) ({
      %v = "rev.read"(%xs, %i) : (memref<?xf64>, index) -> f64
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  }) {shadows = "privatize"} : (index) -> ()
}) {sym_name = "together", modes = ["inout", "inout", "inout", "in"]} : () -> ()

// -----

// With checks = "status" a failure is noted; a stack that is full ends the call in any case.
// CHECK-LABEL: func.func private @leave.run(
// CHECK: message = "a stack of {} entries is full", tapeless.needed}
// CHECK: message = "a stack still has {} entries at its end", tapeless.noted}
"rev.func"() ({
^bb0(%y: memref<f64>):
  %two = arith.constant 2 : index
  "rev.ancilla"() ({
    "rev.yield"(%two) : (index) -> ()
  }, {
  }, {
  ^bb0(%s: !rev.stack<f64>):
    "rev.push"(%s, %y) {mode = "move"} : (!rev.stack<f64>, memref<f64>) -> ()
  }) : () -> ()
}) {sym_name = "leave", modes = ["inout"], checks = "status"} : () -> ()

// -----

// What is written to an ancilla raises its peak when the next write comes; the callee says how large it was in there.
// What is off by more than the tolerances may be small next to the peak.
// CHECK-LABEL: func.func private @there_and_back.peaks0(%arg0: f64, %arg1: f64) -> (f64, f64)
// CHECK: %[[UP:.*]] = arith.addf %arg0, %arg1
// CHECK: %[[DOWN:.*]] = arith.subf %[[UP]], %arg1
// CHECK: %[[HIGH:.*]] = math.absf %[[UP]]
// CHECK: return %[[DOWN]], %{{.*}} : f64, f64
// CHECK-LABEL: func.func private @large.run(%arg0: f64) -> f64
// CHECK: %[[Z:.*]] = arith.addf %{{.*}}, %arg0
// CHECK: %[[CALL:.*]]:2 = {{.*}}call @there_and_back.peaks0(%[[Z]]
// CHECK: %[[FIRST:.*]] = math.absf %[[Z]]
// CHECK: %[[INSIDE:.*]] = math.absf %[[CALL]]#1
// CHECK: %[[HIGHER:.*]] = arith.cmpf ogt, %[[INSIDE]], %[[FIRST]]
// CHECK: %[[PEAK:.*]] = arith.select %[[HIGHER]], %[[INSIDE]], %[[FIRST]]
// CHECK: %[[GAP:.*]] = math.absf
// CHECK: %[[CLOSE:.*]] = arith.cmpf ole, %[[GAP]]
// CHECK: %[[FINE:.*]] = scf.if %[[CLOSE]] -> (i1) {
// CHECK: } else {
// CHECK: arith.mulf %{{.*}}, %[[PEAK]]
// CHECK: arith.cmpf olt, %[[PEAK]]
// CHECK: "soac.assert"(%[[FINE]],
"rev.func"() ({
^bb0(%z: memref<f64>, %y: memref<f64>):
  "rev.accum"(%z) ({
    %v = memref.load %y[] : memref<f64>
    "rev.yield"(%v) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
  "rev.accum"(%z) ({
    %v = memref.load %y[] : memref<f64>
    "rev.yield"(%v) : (f64) -> ()
  }) {kind = "sub"} : (memref<f64>) -> ()
}) {sym_name = "there_and_back", modes = ["inout", "in"]} : () -> ()
"rev.func"() ({
^bb0(%y: memref<f64>):
  %zero = arith.constant 0.0 : f64
  "rev.ancilla"() ({
    "rev.yield"(%zero) : (f64) -> ()
  }, {}, {
  ^bb0(%z: memref<f64>):
    "rev.accum"(%z) ({
      %v = memref.load %y[] : memref<f64>
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
    "rev.call"(%z, %y) {callee = @there_and_back, inv = false} : (memref<f64>, memref<f64>) -> ()
  }) : () -> ()
}) {sym_name = "large", modes = ["inout"]} : () -> ()
