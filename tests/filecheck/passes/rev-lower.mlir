// rev-lower takes procedures and the inverses that are declared to core IR, and leaves other programs alone.
// RUN: tapeless-opt --rev-lower --split-input-file %s | filecheck %s

// CHECK-LABEL: func.func private @turn.run(
// CHECK: arith.negf
// CHECK: arith.addf
// CHECK-LABEL: func.func private @turn.inv.run(
// CHECK: arith.subf
// CHECK: arith.negf
// CHECK-LABEL: func.func @f(
// CHECK-NOT: rev.
"rev.func"() ({
^bb0(%x: memref<f64>, %c: f64):
  "rev.neg"(%x) : (memref<f64>) -> ()
  "rev.accum"(%x) ({
    "rev.yield"(%c) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
}) {sym_name = "turn", modes = ["inout", "param"]} : () -> ()
func.func private @turn.inv.run(f64, f64) -> f64
func.func @f(%x: f64, %c: f64) -> f64 {
  %r = func.call @turn.inv.run(%x, %c) : (f64, f64) -> f64
  return %r : f64
}

// -----

// CHECK-LABEL: func.func @plain(
// CHECK-NEXT: return
func.func @plain(%x: f64) -> f64 {
  return %x : f64
}
