// rev-adjoint: a cell that a call reads through two parameters has a shadow of its own for the second one.
// RUN: tapeless-opt --rev-adjoint=procedures=f %s | filecheck %s

"rev.func"() ({
^bb0(%p: memref<f64>, %q: memref<f64>, %r: memref<f64>):
  "rev.neg"(%p) : (memref<f64>) -> ()
}) {sym_name = "inner", modes = ["inout", "in", "in"]} : () -> ()

// CHECK:      "rev.func"() ({
// CHECK:      ^bb0(%[[X:[^:]*]]: memref<f64>, %[[Y:[^:]*]]: memref<f64>, %[[X_BAR:[^:]*]]: memref<f64>, %[[Y_BAR:[^:]*]]: memref<f64>):
// CHECK:      "rev.ancilla"() ({
// CHECK:        "rev.yield"(%cst)
// CHECK:      ^bb0(%[[OWN:[^:]*]]: memref<f64>):
// CHECK-NEXT:   "rev.accum"(%[[Y_BAR]]) ({
// CHECK-NEXT:     "rev.read"(%[[OWN]])
// CHECK:        {kind = "sub"
// CHECK-NEXT:   "rev.call"(%[[X]], %[[Y]], %[[Y]], %[[X_BAR]], %[[Y_BAR]], %[[OWN]]) {callee = @inner.adj, inv = false}
// CHECK-NEXT:   "rev.accum"(%[[Y_BAR]]) ({
// CHECK-NEXT:     "rev.read"(%[[OWN]])
// CHECK:        {kind = "add"
// CHECK-NEXT: }) {dropped}
// CHECK:      sym_name = "f.adj"
"rev.func"() ({
^bb0(%x: memref<f64>, %y: memref<f64>):
  "rev.call"(%x, %y, %y) {callee = @inner, inv = false} : (memref<f64>, memref<f64>, memref<f64>) -> ()
}) {sym_name = "f", modes = ["inout", "inout"]} : () -> ()
