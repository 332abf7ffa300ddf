// rev-gradients gives procedures rules: the adjoint of the inverse, run on what the procedure left.
// RUN: tapeless-opt --rev-gradients --split-input-file %s | filecheck %s

// CHECK-LABEL: func.func private @bend.forward(%arg0: f64, %arg1: f64) -> (f64, f64, f64) {
// CHECK-NEXT: %[[LEFT:.*]] = call @bend.run(%arg0, %arg1)
// CHECK-NEXT: return %[[LEFT]], %[[LEFT]], %arg1
// CHECK-LABEL: func.func private @bend.backward(%arg0: f64, %arg1: f64, %arg2: f64) -> (f64, f64) {
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK-NEXT: %[[BACK:.*]]:3 = call @bend.inv.adj.run(%arg0, %arg1, %arg2, %[[ZERO]])
// CHECK-NEXT: return %[[BACK]]#1, %[[BACK]]#2
// CHECK: "ad.custom_rule"() {functions = [@bend.forward, @bend.backward], kind = "vjp", primal = @bend.run}
// No inverse is made of the adjoint, so that its sum may be rounded freely.
// CHECK: {kind = "add", last_order}
// CHECK: sym_name = "bend.inv.adj"
"rev.func"() ({
^bb0(%y: memref<f64>, %x: memref<f64>):
  "rev.accum"(%y) ({
    %v = memref.load %x[] : memref<f64>
    %s = math.sin %v : f64
    "rev.yield"(%s) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
}) {sym_name = "bend", modes = ["inout", "in"]} : () -> ()
func.func private @bend.run(f64, f64) -> f64
func.func @g(%y: f64, %x: f64) -> f64 {
  %r = func.call @bend.run(%y, %x) : (f64, f64) -> f64
  return %r : f64
}
func.func @f(%y: f64, %x: f64, %seed: f64) -> (f64, f64) {
  %r:2 = "ad.vjp"(%y, %x, %seed) {callee = @g, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>}
    : (f64, f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

// -----

// Without a request there is no rule.
// CHECK: sym_name = "turn"
// CHECK-NOT: turn.forward
"rev.func"() ({
^bb0(%y: memref<f64>):
  "rev.neg"(%y) : (memref<f64>) -> ()
}) {sym_name = "turn", modes = ["inout"]} : () -> ()
func.func private @turn.run(f64) -> f64

// -----

// A cell that statements depend on is compared with what it began as; one that is only added to is not.
// CHECK-LABEL: func.func private @step.forward(%arg0: f64, %arg1: f64) -> (f64, f64, f64, f64, f64) {
// CHECK-NEXT: %[[LEFT:.*]]:2 = call @step.run(%arg0, %arg1)
// CHECK-NEXT: return %[[LEFT]]#0, %[[LEFT]]#1, %[[LEFT]]#0, %[[LEFT]]#1, %arg1
// CHECK-LABEL: func.func private @step.backward(
// CHECK-SAME: %[[Y:[^:]*]]: f64, %[[X:[^:]*]]: f64, %[[FIRST:[^:]*]]: f64, %{{[^:]*}}: f64, %{{[^:]*}}: f64)
// CHECK: %[[BACK:.*]]:4 = call @step.inv.adj.run(%[[Y]], %[[X]],
// CHECK: %[[SIZE:.*]] = math.absf %[[FIRST]]
// CHECK: %[[GAP:.*]] = arith.subf %[[FIRST]], %[[BACK]]#1
// CHECK: %[[SMALL:.*]] = arith.cmpf ole, %[[ERROR:.*]], %{{.*}} : f64
// CHECK-NEXT: %[[FINE:.*]] = "soac.report"(%[[SMALL]], %[[ERROR]]) {message = "the gradient ran 'step' backwards and found parameter 1 off by at most {} of its size
// CHECK: "soac.assert"(%[[FINE]], {{.*}}) {kind = "InvertibilityError", message = "the gradient ran 'step' backwards and found parameter 1 again off by {} of its size
// CHECK-NOT: soac.assert
// CHECK: return %[[BACK]]#2, %[[BACK]]#3
"rev.func"() ({
^bb0(%y: memref<f64>, %x: memref<f64>):
  "rev.accum"(%y) ({
    %v = memref.load %x[] : memref<f64>
    %s = math.sin %v : f64
    "rev.yield"(%s) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
  "rev.neg"(%x) : (memref<f64>) -> ()
}) {sym_name = "step", modes = ["inout", "inout"]} : () -> ()
func.func private @step.run(f64, f64) -> (f64, f64)
func.func @g(%y: f64, %x: f64) -> f64 {
  %r:2 = func.call @step.run(%y, %x) : (f64, f64) -> (f64, f64)
  return %r#0 : f64
}
func.func @f(%y: f64, %x: f64, %seed: f64) -> (f64, f64) {
  %r:2 = "ad.vjp"(%y, %x, %seed) {callee = @g, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>}
    : (f64, f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

// -----

// Right-hand sides are differentiated by the method `coarsened` where all requests that reach procedures name it.
// CHECK: "ad.vjp"({{.*}}) {callee = @bend.inv.adj.value0, method = "coarsened"
// CHECK: sym_name = "bend.inv.adj"
"rev.func"() ({
^bb0(%y: memref<f64>, %x: memref<f64>):
  "rev.accum"(%y) ({
    %v = memref.load %x[] : memref<f64>
    %s = math.sin %v : f64
    "rev.yield"(%s) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
}) {sym_name = "bend", modes = ["inout", "in"]} : () -> ()
func.func private @bend.run(f64, f64) -> f64
func.func @g(%y: f64, %x: f64) -> f64 {
  %r = func.call @bend.run(%y, %x) : (f64, f64) -> f64
  return %r : f64
}
func.func @other(%x: f64) -> f64 {
  return %x : f64
}
func.func @f(%y: f64, %x: f64, %seed: f64) -> (f64, f64, f64) {
  %r:2 = "ad.vjp"(%y, %x, %seed) {callee = @g, wrt = [1], method = "coarsened", operandSegmentSizes = array<i32: 2, 1>}
    : (f64, f64, f64) -> (f64, f64)
  %o:2 = "ad.vjp"(%x, %seed) {callee = @other, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>}
    : (f64, f64) -> (f64, f64)
  return %r#0, %r#1, %o#1 : f64, f64, f64
}

// -----

// Where they name several, by the method `redundant`.
// CHECK: "ad.vjp"({{.*}}) {callee = @bend.inv.adj.value0, method = "redundant"
// CHECK: sym_name = "bend.inv.adj"
"rev.func"() ({
^bb0(%y: memref<f64>, %x: memref<f64>):
  "rev.accum"(%y) ({
    %v = memref.load %x[] : memref<f64>
    %s = math.sin %v : f64
    "rev.yield"(%s) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
}) {sym_name = "bend", modes = ["inout", "in"]} : () -> ()
func.func private @bend.run(f64, f64) -> f64
func.func @g(%y: f64, %x: f64) -> f64 {
  %r = func.call @bend.run(%y, %x) : (f64, f64) -> f64
  return %r : f64
}
func.func @f(%y: f64, %x: f64, %seed: f64) -> (f64, f64) {
  %r:2 = "ad.vjp"(%y, %x, %seed) {callee = @g, wrt = [1], method = "coarsened", operandSegmentSizes = array<i32: 2, 1>}
    : (f64, f64, f64) -> (f64, f64)
  %o:2 = "ad.vjp"(%y, %x, %seed) {callee = @g, wrt = [1], method = "reversible", operandSegmentSizes = array<i32: 2, 1>}
    : (f64, f64, f64) -> (f64, f64)
  return %r#1, %o#1 : f64, f64
}

// -----

// A cell that statements may bring back to where it was: if it seems off, the inverse says how large it was on the way.
// CHECK-LABEL: func.func private @back.backward(
// CHECK-SAME: %[[S:[^:]*]]: f64, %[[X:[^:]*]]: f64, %[[FIRST:[^:]*]]: f64, %{{[^:]*}}: f64, %{{[^:]*}}: f64)
// CHECK: %[[BACK:.*]]:4 = call @back.inv.adj.run(%[[S]], %[[X]],
// CHECK: %[[SMALL:.*]] = arith.cmpf ole,
// CHECK: %[[ERROR:.*]] = scf.if %[[SMALL]] -> (f64) {
// CHECK: } else {
// CHECK-DAG: %[[LEFT:.*]] = "ad.stop_gradient"(%[[S]])
// CHECK-DAG: %[[OTHER:.*]] = "ad.stop_gradient"(%[[X]])
// CHECK: %[[AGAIN:.*]]:3 = {{.*}}call @back.inv.peaks1(%[[LEFT]], %[[OTHER]])
// CHECK: %[[PEAK:.*]] = math.absf %[[AGAIN]]#2
// CHECK: arith.maximumf %{{.*}}, %[[PEAK]]
// CHECK: "soac.report"(%{{.*}}, %[[ERROR]])
// CHECK: func.func private @back.inv.peaks1(f64, f64) -> (f64, f64, f64) attributes {rev.peaks = array<i64: 1>}
"rev.func"() ({
^bb0(%s: memref<f64>, %x: memref<f64>):
  %c = arith.constant 3.0 : f64
  "rev.accum"(%x) ({
    "rev.yield"(%c) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
  "rev.accum"(%s) ({
    %v = memref.load %x[] : memref<f64>
    "rev.yield"(%v) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
  "rev.accum"(%x) ({
    "rev.yield"(%c) : (f64) -> ()
  }) {kind = "sub"} : (memref<f64>) -> ()
}) {sym_name = "back", modes = ["inout", "inout"]} : () -> ()
func.func private @back.run(f64, f64) -> (f64, f64)
func.func @g(%y: f64, %x: f64) -> f64 {
  %r:2 = func.call @back.run(%y, %x) : (f64, f64) -> (f64, f64)
  return %r#0 : f64
}
func.func @f(%y: f64, %x: f64, %seed: f64) -> (f64, f64) {
  %r:2 = "ad.vjp"(%y, %x, %seed) {callee = @g, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>}
    : (f64, f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
