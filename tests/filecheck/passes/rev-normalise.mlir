// rev-normalise brings what is computed to the front of its block, or to the statements that use it.
// RUN: tapeless-opt --rev-normalise --split-input-file %s | filecheck %s

// What reads no changed cell comes to the front; the rest goes into the regions that use it.
// CHECK: ^bb0(%[[X:.*]]: memref<f64>, %[[Y:.*]]: memref<f64>, %[[C:.*]]: memref<f64>):
// CHECK-NEXT: %[[FIXED:.*]] = memref.load %[[C]][]
// CHECK-NEXT: "rev.neg"(%[[Y]])
// CHECK-NEXT: "rev.accum"(%[[X]]) ({
// CHECK-NEXT:   %[[V:.*]] = memref.load %[[Y]][]
// CHECK-NEXT:   %[[P:.*]] = arith.mulf %[[V]], %[[FIXED]]
// CHECK-NEXT:   "rev.yield"(%[[P]])
"rev.func"() ({
^bb0(%x: memref<f64>, %y: memref<f64>, %c: memref<f64>):
  "rev.neg"(%y) : (memref<f64>) -> ()
  %v = memref.load %y[] : memref<f64>
  %fixed = memref.load %c[] : memref<f64>
  %p = arith.mulf %v, %fixed : f64
  "rev.accum"(%x) ({
    "rev.yield"(%p) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
}) {sym_name = "temporary", modes = ["inout", "inout", "in"]} : () -> ()

// -----

// An index that is read from a changed cell stands before each statement that uses it, behind its check.
// CHECK: ^bb0(%[[K:.*]]: memref<index>, %[[XS:.*]]: memref<?xf64>, %[[ONE:.*]]: f64, %[[N:.*]]: index):
// CHECK-NEXT: %[[I:.*]] = memref.load %[[K]][]
// CHECK-NEXT: %[[BELOW:.*]] = arith.cmpi slt, %{{.*}}, %[[N]]
// CHECK-NEXT: "soac.assert"(%[[BELOW]])
// CHECK-NEXT: %[[AT:.*]] = memref.load %[[K]][]
// CHECK-NEXT: "rev.accum"(%[[XS]], %[[AT]])
// CHECK: %[[AGAIN:.*]] = memref.load %[[K]][]
// CHECK-NEXT: "rev.accum"(%[[XS]], %[[AGAIN]])
// CHECK: "rev.accum"(%[[K]])
"rev.func"() ({
^bb0(%k: memref<index>, %xs: memref<?xf64>, %one: f64, %n: index):
  %i = memref.load %k[] : memref<index>
  %below = arith.cmpi slt, %i, %n : index
  "soac.assert"(%below) {kind = "IndexOutOfRange", message = "too large"} : (i1) -> ()
  "rev.accum"(%xs, %i) ({
    "rev.yield"(%one) : (f64) -> ()
  }) {kind = "add"} : (memref<?xf64>, index) -> ()
  "rev.accum"(%xs, %i) ({
    "rev.yield"(%one) : (f64) -> ()
  }) {kind = "add"} : (memref<?xf64>, index) -> ()
  "rev.accum"(%k) ({
    "rev.yield"(%n) : (index) -> ()
  }) {kind = "add"} : (memref<index>) -> ()
}) {sym_name = "index", modes = ["inout", "inout", "param", "param"]} : () -> ()

// -----

// A check that guards no statement becomes one.
// CHECK: "rev.neg"
// CHECK-NEXT: "rev.safe"() ({
// CHECK-NEXT:   memref.load
// CHECK-NEXT:   arith.cmpf
// CHECK-NEXT:   "soac.assert"
"rev.func"() ({
^bb0(%x: memref<f64>, %zero: f64):
  "rev.neg"(%x) : (memref<f64>) -> ()
  %v = memref.load %x[] : memref<f64>
  %ok = arith.cmpf ogt, %v, %zero : f64
  "soac.assert"(%ok) {kind = "InvertibilityError", message = "not positive"} : (i1) -> ()
}) {sym_name = "guard", modes = ["inout", "param"]} : () -> ()
