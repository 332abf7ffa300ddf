// rev-invert adds the inverses that calls ask for: statements in reverse order, each replaced by the one that undoes it.
// RUN: tapeless-opt --rev-invert="procedures=all,outer" %s | filecheck %s

// CHECK: sym_name = "all"
// CHECK: "rev.func"() ({
// CHECK-NEXT: ^bb0(%[[N:.*]]: index, %[[X:.*]]: memref<f64>, %[[Y:.*]]: memref<f64>, %[[K:.*]]: memref<index>, %[[XS:.*]]: memref<?xf64>, %[[S:.*]]: !rev.stack<f64>):
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: "rev.pop"(%[[S]], %[[X]]) {mode = "move"}
// CHECK-NEXT: "rev.compute"() ({
// CHECK-NEXT:   "rev.neg"(%[[X]])
// CHECK-NEXT:   "rev.recip"(%[[X]])
// CHECK-NEXT: }, {
// CHECK-NEXT:   "rev.hadamard"(%[[Y]], %{{.*}})
// CHECK-NEXT:   "rev.scale"(%[[Y]]) {divide = true,
// CHECK-NEXT: })
// CHECK:      "rev.if"() ({
// CHECK-NEXT:   "rev.yield"(%false)
// CHECK-NEXT: }, {
// CHECK-NEXT:   "rev.yield"(%true)
// CHECK-NEXT: }, {
// CHECK-NEXT:   "rev.rot"(%[[X]], %[[Y]]) ({
// CHECK:        }) {inv = true}
// CHECK:      "rev.for"
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK-NEXT:   "rev.scale"(%[[X]]) {divide = true
// CHECK-NEXT:   "rev.neg"(%[[X]])
// CHECK-NEXT: }) {reversed = true}
// CHECK:      "rev.accum"(%[[K]])
// CHECK:      {kind = "sub"}
// CHECK-NEXT: %[[AT:.*]] = memref.load %[[K]][]
// CHECK-NEXT: "rev.accum"(%[[XS]], %[[AT]])
// CHECK:      {kind = "sub"}
// CHECK: sym_name = "all.inv"
"rev.func"() ({
^bb0(%n: index, %x: memref<f64>, %y: memref<f64>, %k: memref<index>, %xs: memref<?xf64>, %s: !rev.stack<f64>):
  %one = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %half = arith.constant 0.5 : f64
  %at = memref.load %k[] : memref<index>
  "rev.accum"(%xs, %at) ({
    %v = memref.load %x[] : memref<f64>
    "rev.yield"(%v) : (f64) -> ()
  }) {kind = "add"} : (memref<?xf64>, index) -> ()
  "rev.accum"(%k) ({
    "rev.yield"(%one) : (index) -> ()
  }) {kind = "add"} : (memref<index>) -> ()
  "rev.for"(%one, %n, %one) ({
  ^bb0(%i: index):
    "rev.neg"(%x) : (memref<f64>) -> ()
    "rev.scale"(%x) {factor = 2.000000e+00 : f64, divide = false} : (memref<f64>) -> ()
  }) {reversed = false} : (index, index, index) -> ()
  "rev.if"() ({
    "rev.yield"(%true) : (i1) -> ()
  }, {
    "rev.yield"(%false) : (i1) -> ()
  }, {
    "rev.rot"(%x, %y) ({
      "rev.yield"(%half) : (f64) -> ()
    }) {inv = false} : (memref<f64>, memref<f64>) -> ()
  }, {}) : () -> ()
  %other = "rev.view"(%xs, %one, %one, %one) {drop = [0], operandSegmentSizes = array<i32: 1, 1, 1, 1>}
    : (memref<?xf64>, index, index, index) -> memref<f64, strided<[], offset: ?>>
  "rev.compute"() ({
    "rev.neg"(%x) : (memref<f64>) -> ()
    "rev.recip"(%x) : (memref<f64>) -> ()
  }, {
    "rev.scale"(%y) {factor = 2.000000e+00 : f64, divide = false} : (memref<f64>) -> ()
    "rev.hadamard"(%y, %other) : (memref<f64>, memref<f64, strided<[], offset: ?>>) -> ()
  }) : () -> ()
  "rev.push"(%s, %x) {mode = "move"} : (!rev.stack<f64>, memref<f64>) -> ()
}) {sym_name = "all", modes = ["param", "inout", "inout", "inout", "inout", "inout"]} : () -> ()

// CHECK: "rev.call"(%{{.*}}, %{{.*}}) {callee = @inner, inv = false}
// CHECK: sym_name = "twice"
"rev.func"() ({
^bb0(%x: memref<f64>, %y: memref<f64>):
  "rev.call"(%x, %y) {callee = @inner.inv, inv = true} : (memref<f64>, memref<f64>) -> ()
}) {sym_name = "twice", modes = ["inout", "inout"]} : () -> ()

// CHECK: sym_name = "inner.inv"
"rev.func"() ({
^bb0(%x: memref<f64>, %y: memref<f64>):
  "rev.swap"(%x, %y) : (memref<f64>, memref<f64>) -> ()
  "rev.neg"(%x) : (memref<f64>) -> ()
}) {sym_name = "inner.inv", modes = ["inout", "inout"]} : () -> ()

// CHECK: "rev.neg"
// CHECK-NEXT: "rev.swap"
// CHECK-NEXT: sym_name = "inner"

// CHECK: "rev.call"(%{{.*}}, %{{.*}}) {callee = @inner, inv = false}
// CHECK: sym_name = "outer"
// CHECK: "rev.call"(%{{.*}}, %{{.*}}) {callee = @inner.inv, inv = false}
// CHECK: sym_name = "outer.inv"
"rev.func"() ({
^bb0(%x: memref<f64>, %y: memref<f64>):
  "rev.call"(%x, %y) {callee = @inner.inv, inv = true} : (memref<f64>, memref<f64>) -> ()
}) {sym_name = "outer", modes = ["inout", "inout"]} : () -> ()
