// rev-merge-computes joins compute blocks that follow each other and compute the same.
// RUN: tapeless-opt --rev-merge-computes --split-input-file %s | filecheck %s

// CHECK: "rev.compute"() ({
// CHECK:   "rev.accum"(%[[Z:.*]]) ({
// CHECK: }, {
// CHECK:   "rev.accum"(%[[Y:.*]]) ({
// CHECK:     "rev.read"(%[[Z]])
// CHECK:   "rev.swap"(%[[Y]], %{{.*}})
// CHECK: })
// CHECK-NOT: "rev.compute"
// CHECK: sym_name = "same"
"rev.func"() ({
^bb0(%x: memref<f64>, %y: memref<f64>, %w: memref<f64>, %z: memref<f64>):
  "rev.compute"() ({
    "rev.accum"(%z) ({
      %v = "rev.read"(%x) : (memref<f64>) -> f64
      %c = arith.constant 2.0 : f64
      %s = arith.mulf %v, %c : f64
      "rev.yield"(%s) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  }, {
    "rev.accum"(%y) ({
      %v = "rev.read"(%z) : (memref<f64>) -> f64
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  }) : () -> ()
  "rev.compute"() ({
    "rev.accum"(%z) ({
      %v = "rev.read"(%x) : (memref<f64>) -> f64
      %c = arith.constant 2.0 : f64
      %s = arith.mulf %v, %c : f64
      "rev.yield"(%s) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  }, {
    "rev.swap"(%y, %w) : (memref<f64>, memref<f64>) -> ()
  }) : () -> ()
}) {sym_name = "same", modes = ["in", "inout", "inout", "inout"]} : () -> ()

// -----

// Another factor, and a statement in between.
// CHECK-COUNT-3: "rev.compute"()
// CHECK: sym_name = "different"
"rev.func"() ({
^bb0(%x: memref<f64>, %y: memref<f64>, %z: memref<f64>):
  "rev.compute"() ({
    "rev.scale"(%z) {factor = 2.0 : f64, divide = false} : (memref<f64>) -> ()
  }, {
    "rev.neg"(%y) : (memref<f64>) -> ()
  }) : () -> ()
  "rev.compute"() ({
    "rev.scale"(%z) {factor = 3.0 : f64, divide = false} : (memref<f64>) -> ()
  }, {
    "rev.neg"(%y) : (memref<f64>) -> ()
  }) : () -> ()
  "rev.neg"(%z) : (memref<f64>) -> ()
  "rev.compute"() ({
    "rev.scale"(%z) {factor = 3.0 : f64, divide = false} : (memref<f64>) -> ()
  }, {
    "rev.neg"(%y) : (memref<f64>) -> ()
  }) : () -> ()
}) {sym_name = "different", modes = ["in", "inout", "inout"]} : () -> ()
