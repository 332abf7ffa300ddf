// rev-expand-compute writes out compute blocks: what they compute, their use, and the way back.
// RUN: tapeless-opt --rev-expand-compute %s | filecheck %s

// CHECK: ^bb0(%[[X:.*]]: memref<f64>, %[[Y:.*]]: memref<f64>, %[[C:.*]]: f64):
// CHECK-NEXT: "rev.neg"(%[[X]])
// CHECK-NEXT: "rev.accum"(%[[X]]) ({
// CHECK-NEXT:   "rev.yield"(%[[C]])
// CHECK-NEXT: }) {kind = "add"}
// CHECK-NEXT: "rev.recip"(%[[Y]])
// CHECK-NEXT: "rev.accum"(%[[X]]) ({
// CHECK-NEXT:   "rev.yield"(%[[C]])
// CHECK-NEXT: }) {kind = "sub"}
// CHECK-NEXT: "rev.neg"(%[[X]])
// CHECK-NEXT: }) {modes
"rev.func"() ({
^bb0(%x: memref<f64>, %y: memref<f64>, %c: f64):
  "rev.compute"() ({
    "rev.neg"(%x) : (memref<f64>) -> ()
    "rev.accum"(%x) ({
      "rev.yield"(%c) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  }, {
    "rev.recip"(%y) : (memref<f64>) -> ()
  }) : () -> ()
}) {sym_name = "f", modes = ["inout", "inout", "param"]} : () -> ()
