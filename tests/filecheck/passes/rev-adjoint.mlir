// rev-adjoint adds the adjoints of procedures: value and shadow cells side by side.
// RUN: tapeless-opt --rev-adjoint=procedures=f %s | filecheck %s

// What is called gets an adjoint too.
// CHECK: sym_name = "inner"
// CHECK: "rev.func"() ({
// CHECK-NEXT: ^bb0(%[[U:.*]]: memref<f64>, %[[U_BAR:.*]]: memref<f64>):
// CHECK-NEXT: "rev.scale"(%[[U]]) {divide = true,
// CHECK-NEXT: "rev.scale"(%[[U_BAR]]) {divide = false,
// CHECK: sym_name = "inner.adj"
"rev.func"() ({
^bb0(%u: memref<f64>):
  "rev.scale"(%u) {factor = 2.000000e+00 : f64, divide = true} : (memref<f64>) -> ()
}) {sym_name = "inner", modes = ["inout"]} : () -> ()

// The right-hand side becomes a function, whose derivative goes to the shadows of what it reads.
// CHECK: func.func private @f.adj.value0(%[[A:.*]]: f64) -> f64 {
// CHECK-NEXT: %[[S:.*]] = math.sin %[[A]]
// CHECK-NEXT: return %[[S]]
// CHECK: "rev.func"() ({
// CHECK-NEXT: ^bb0(%[[Y:.*]]: memref<f64>, %[[X:.*]]: memref<f64>, %[[K:.*]]: memref<i64>, %[[Y_BAR:.*]]: memref<f64>, %[[X_BAR:.*]]: memref<f64>):
// CHECK-NEXT: "rev.accum"(%[[X_BAR]]) ({
// CHECK-NEXT:   %[[V:.*]] = memref.load %[[X]][]
// CHECK-NEXT:   %[[SEED:.*]] = "rev.read"(%[[Y_BAR]])
// CHECK-NEXT:   %[[PULLED:.*]]:2 = "ad.vjp"(%[[V]], %[[SEED]]) {callee = @f.adj.value0
// CHECK-NEXT:   "rev.yield"(%[[PULLED]]#1)
// CHECK-NEXT: }) {kind = "sub"}
// CHECK-NEXT: "rev.accum"(%[[Y]]) ({
// CHECK:      }) {kind = "add"}
// CHECK-NEXT: "rev.call"(%[[Y]], %[[Y_BAR]]) {callee = @inner.adj, inv = false}
// CHECK-NEXT: "rev.neg"(%[[K]])
// CHECK-NEXT: "rev.ancilla"() ({
// CHECK:      }, {
// CHECK-NEXT: }, {
// CHECK-NEXT: ^bb0(%[[Z_BAR:.*]]: memref<f64>):
// CHECK-NEXT:   "rev.ancilla"() ({
// CHECK:        ^bb0(%[[Z:.*]]: memref<f64>):
// CHECK-NEXT:     "rev.swap"(%[[Z]], %[[X]])
// CHECK-NEXT:     "rev.swap"(%[[Z_BAR]], %[[X_BAR]])
// CHECK:      }) {dropped}
// CHECK: {modes = ["inout", "inout", "inout", "inout", "inout"], sym_name = "f.adj"}
"rev.func"() ({
^bb0(%y: memref<f64>, %x: memref<f64>, %k: memref<i64>):
  "rev.accum"(%y) ({
    %v = memref.load %x[] : memref<f64>
    %s = math.sin %v : f64
    "rev.yield"(%s) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
  "rev.call"(%y) {callee = @inner, inv = false} : (memref<f64>) -> ()
  "rev.neg"(%k) : (memref<i64>) -> ()
  "rev.ancilla"() ({
    %zero = arith.constant 0.0 : f64
    "rev.yield"(%zero) : (f64) -> ()
  }, {}, {
  ^bb0(%z: memref<f64>):
    "rev.swap"(%z, %x) : (memref<f64>, memref<f64>) -> ()
    "rev.swap"(%z, %x) : (memref<f64>, memref<f64>) -> ()
  }) : () -> ()
}) {sym_name = "f", modes = ["inout", "inout", "inout"]} : () -> ()
