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

// What a compute block calls is undone by the inverse.
// CHECK: "rev.call"(%{{.*}}) {callee = @up, inv = false}
// CHECK: "rev.recip"
// CHECK: "rev.call"(%{{.*}}) {callee = @up.inv, inv = false}
"rev.func"() ({
^bb0(%x: memref<f64>, %y: memref<f64>):
  "rev.compute"() ({
    "rev.call"(%x) {callee = @up, inv = false} : (memref<f64>) -> ()
  }, {
    "rev.recip"(%y) : (memref<f64>) -> ()
  }) : () -> ()
}) {sym_name = "calling", modes = ["inout", "inout"]} : () -> ()

"rev.func"() ({
^bb0(%x: memref<f64>):
  %c = arith.constant 1.0 : f64
  "rev.accum"(%x) ({
    "rev.yield"(%c) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
}) {sym_name = "up", modes = ["inout"]} : () -> ()
