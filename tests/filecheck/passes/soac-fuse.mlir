// soac-fuse merges loops of equal width.
// RUN: tapeless-opt --soac-simplify --soac-fuse %s | filecheck %s
// RUN: tapeless-opt --soac-simplify --fuse %s | filecheck %s

// A map into the reduction of its elements: one loop, and no array between.
// CHECK-LABEL: func.func @dot
// CHECK-NOT: soac.map
// CHECK: "soac.fused"
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:[^:]*]]: f64, %[[Y:[^:]*]]: f64):
// CHECK-NEXT: %[[XY:.*]] = arith.mulf %[[X]], %[[Y]]
// CHECK-NEXT: "soac.yield"(%[[XY]])
// CHECK: arith.addf
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @dot(%n: index, %xs: tensor<?xf64>, %ys: tensor<?xf64>, %z: f64) -> f64 {
  %p = "soac.map"(%n, %xs, %ys) ({
  ^bb0(%i: index, %x: f64, %y: f64):
    %xy = arith.mulf %x, %y : f64
    "soac.yield"(%xy) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %s = "soac.reduce"(%n, %p, %z) ({
  ^bb0(%a: f64, %b: f64):
    %t = arith.addf %a, %b : f64
    "soac.yield"(%t) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %s : f64
}

// Two reductions of one array: one loop with two components.
// CHECK-LABEL: func.func @two_sums
// CHECK-COUNT-1: soac.fused
// CHECK: ^bb0(%{{.*}}: f64, %{{.*}}: f64, %{{.*}}: f64, %{{.*}}: f64):
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.maximumf
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @two_sums(%n: index, %xs: tensor<?xf64>, %z: f64, %low: f64) -> (f64, f64) {
  %s = "soac.reduce"(%n, %xs, %z) ({
  ^bb0(%a: f64, %b: f64):
    %t = arith.addf %a, %b : f64
    "soac.yield"(%t) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  %m = "soac.reduce"(%n, %xs, %low) ({
  ^bb0(%a: f64, %b: f64):
    %t = arith.maximumf %a, %b : f64
    "soac.yield"(%t) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %s, %m : f64, f64
}

// The second loop needs the first one's sum: two loops, and the exponential is computed once.
// CHECK-LABEL: func.func @softmax
// CHECK: soac.fused
// CHECK: math.exp
// CHECK: soac.map
// CHECK-NOT: math.exp
// CHECK: return
func.func @softmax(%n: index, %xs: tensor<?xf64>, %z: f64) -> tensor<?xf64> {
  %e = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %s = "soac.reduce"(%n, %e, %z) ({
  ^bb0(%a: f64, %b: f64):
    %t = arith.addf %a, %b : f64
    "soac.yield"(%t) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  %r = "soac.map"(%n, %e) ({
  ^bb0(%i: index, %x: f64):
    %y = arith.divf %x, %s : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// Rows made and summed in one body once the outer maps are one.
// CHECK-LABEL: func.func @row_sums
// CHECK-COUNT-1: soac.map
// CHECK: soac.fused
// CHECK-NOT: soac.map
// CHECK: return
func.func @row_sums(%n: index, %a: tensor<?x?xf64>, %z: f64) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c1 : tensor<?x?xf64>
  %b = "soac.map"(%n, %a) ({
  ^bb0(%i: index, %r: tensor<?xf64>):
    %row = "soac.map"(%m, %r) ({
    ^bb0(%j: index, %x: f64):
      %y = math.exp %x : f64
      "soac.yield"(%y) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%row) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  %w = tensor.dim %b, %c1 : tensor<?x?xf64>
  %s = "soac.map"(%n, %b) ({
  ^bb0(%i: index, %r: tensor<?xf64>):
    %sum = "soac.reduce"(%w, %r, %z) ({
    ^bb0(%p: f64, %q: f64):
      %t = arith.addf %p, %q : f64
      "soac.yield"(%t) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%sum) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
  return %s : tensor<?xf64>
}

// Loops whose widths may differ stay apart.
// CHECK-LABEL: func.func @other_width
// CHECK-COUNT-2: soac.map
func.func @other_width(%n: index, %m: index, %xs: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %a = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %b = "soac.map"(%m, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.sin %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %a, %b : tensor<?xf64>, tensor<?xf64>
}

// A map that only the loop of a with_acc reads moves in and is merged with it.
// CHECK-LABEL: func.func @into_accumulation
// CHECK-NOT: soac.map
// CHECK: "soac.with_acc"
// CHECK-COUNT-1: "soac.map"
// CHECK: math.exp
// CHECK: "soac.update"
// CHECK-NOT: soac.map
// CHECK: return
func.func @into_accumulation(%n: index, %xs: tensor<?xf64>, %sums: tensor<?xf64>, %k: index) -> tensor<?xf64> {
  %e = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %r = "soac.with_acc"(%sums) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %a = "soac.map"(%n, %e, %acc) ({
    ^bb0(%i: index, %x: f64, %inner: !soac.acc<tensor<?xf64>>):
      %u = "soac.update"(%inner, %k, %x) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%a) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// The value of a sum beside its return sweep: both run in one loop, exp runs once.
// CHECK-LABEL: func.func @beside_accumulation
// CHECK: "soac.with_acc"
// CHECK-COUNT-1: math.exp
// CHECK-NOT: math.exp
// CHECK: "soac.reduce"
// CHECK: return
func.func @beside_accumulation(%n: index, %xs: tensor<?xf64>, %sums: tensor<?xf64>, %k: index, %z: f64) -> (f64, tensor<?xf64>) {
  %e = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %sum = "soac.reduce"(%n, %e, %z) ({
  ^bb0(%a: f64, %b: f64):
    %t = arith.addf %a, %b : f64
    "soac.yield"(%t) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  %r = "soac.with_acc"(%sums) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %a = "soac.map"(%n, %xs, %acc) ({
    ^bb0(%i: index, %x: f64, %inner: !soac.acc<tensor<?xf64>>):
      %y = math.exp %x : f64
      %u = "soac.update"(%inner, %k, %y) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%a) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %sum, %r : f64, tensor<?xf64>
}

// Sums over indices alone are merged if they have the same width.
// CHECK-LABEL: func.func @of_indices
// CHECK: "soac.fused"
// CHECK: math.exp
// CHECK-NOT: {{soac.fused|math.exp}}
// CHECK: return
func.func @of_indices(%x: f64, %n: index) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %a = "soac.fused"(%n, %zero) ({
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i64
    %t = arith.sitofp %k : i64 to f64
    %m = arith.mulf %t, %x : f64
    %e = math.exp %m : f64
    "soac.yield"(%e) : (f64) -> ()
  }, {
  ^bb0(%p: f64, %q: f64):
    %s = arith.addf %p, %q : f64
    "soac.yield"(%s) : (f64) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 0, 1, 0>} : (index, f64) -> f64
  %b = "soac.fused"(%n, %zero) ({
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i64
    %t = arith.sitofp %k : i64 to f64
    %m = arith.mulf %t, %x : f64
    %e = math.exp %m : f64
    %u = arith.mulf %t, %e : f64
    "soac.yield"(%u) : (f64) -> ()
  }, {
  ^bb0(%p: f64, %q: f64):
    %s = arith.addf %p, %q : f64
    "soac.yield"(%s) : (f64) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 0, 1, 0>} : (index, f64) -> f64
  return %a, %b : f64, f64
}
