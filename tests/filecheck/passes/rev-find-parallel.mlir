// rev-find-parallel turns loops into parallel ones where every iteration changes elements of its own.
// RUN: tapeless-opt --rev-find-parallel --split-input-file %s | filecheck %s

// Elements 1, 3, ...: the parallel loop counts from 0.
// CHECK: %[[COUNT:.*]] = arith.maxsi
// CHECK: "rev.parallel"(%[[COUNT]]) ({
// CHECK-NEXT: ^bb0(%[[K:.*]]: index):
// CHECK: %[[TWICE:.*]] = arith.muli %[[K]], %{{.*}} : index
// CHECK: %[[I:.*]] = arith.addi %[[TWICE]], %{{.*}} : index
// CHECK: "rev.accum"(%{{.*}}, %[[I]]) ({
// CHECK:   "rev.read"(%{{.*}}, %[[I]])
// CHECK: }) {shadows = "privatize"} : (index) -> ()
// CHECK: sym_name = "odd"
"rev.func"() ({
^bb0(%ys: memref<?xf64>, %xs: memref<?xf64>, %n: index):
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  "rev.for"(%one, %n, %two) ({
  ^bb0(%i: index):
    "rev.accum"(%ys, %i) ({
      %v = "rev.read"(%xs, %i) : (memref<?xf64>, index) -> f64
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<?xf64>, index) -> ()
  }) {reversed = false} : (index, index, index) -> ()
}) {sym_name = "odd", modes = ["inout", "in", "param"]} : () -> ()

// -----

// Sums of floats keep their order, those of integers need not.
// CHECK: "rev.for"
// CHECK: "rev.accum"
// CHECK: "rev.parallel"
// CHECK: "rev.accum"
// CHECK: sym_name = "sums"
"rev.func"() ({
^bb0(%y: memref<f64>, %k: memref<i64>, %xs: memref<?xf64>, %n: index):
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : i64
  "rev.for"(%zero, %n, %one) ({
  ^bb0(%i: index):
    "rev.accum"(%y) ({
      %v = "rev.read"(%xs, %i) : (memref<?xf64>, index) -> f64
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  }) {reversed = false} : (index, index, index) -> ()
  "rev.for"(%zero, %n, %one) ({
  ^bb0(%i: index):
    "rev.accum"(%k) ({
      "rev.yield"(%three) : (i64) -> ()
    }) {kind = "add"} : (memref<i64>) -> ()
  }) {reversed = false} : (index, index, index) -> ()
}) {sym_name = "sums", modes = ["inout", "inout", "in", "param"]} : () -> ()

// -----

// An iteration that reads what another one changes, and a loop that is short.
// CHECK-NOT: "rev.parallel"
// CHECK: sym_name = "others"
"rev.func"() ({
^bb0(%ys: memref<?xf64>, %n: index):
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  "rev.for"(%one, %n, %one) ({
  ^bb0(%i: index):
    %before = arith.subi %i, %one : index
    "rev.accum"(%ys, %i) ({
      %v = "rev.read"(%ys, %before) : (memref<?xf64>, index) -> f64
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<?xf64>, index) -> ()
  }) {reversed = false} : (index, index, index) -> ()
  "rev.for"(%zero, %three, %one) ({
  ^bb0(%i: index):
    %y = "rev.view"(%ys, %i, %one, %one) {drop = [0], operandSegmentSizes = array<i32: 1, 1, 1, 1>}
      : (memref<?xf64>, index, index, index) -> memref<f64, strided<[], offset: ?>>
    "rev.neg"(%y) : (memref<f64, strided<[], offset: ?>>) -> ()
  }) {reversed = false} : (index, index, index) -> ()
}) {sym_name = "others", modes = ["inout", "param"]} : () -> ()
