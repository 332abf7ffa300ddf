// Accumulators to which a map adds numbers at places that are data become histograms.
// RUN: tapeless-opt --soac-accumulators-to-histograms=of-stored --soac-fuse --soac-accumulators-to-histograms %s | filecheck %s

!acc = !soac.acc<tensor<?xf64>>
!row_acc = !soac.acc<tensor<?x?xf64>>
!int_acc = !soac.acc<tensor<?xi64>>

// Keys and values are computed in the histogram, and the promise about the places goes with them.
// CHECK-LABEL: func.func @weighted
// CHECK-NOT: soac.with_acc
// CHECK: "soac.fused_hist"(%[[N:.*]], %[[KEYS:.*]], %[[WS:.*]], %[[DEST:.*]], %{{.*}}) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[KEY:.*]]: i64, %[[W:.*]]: f64):
// CHECK-NEXT: %[[K:.*]] = arith.index_cast %[[KEY]]
// CHECK-NEXT: %[[V:.*]] = arith.mulf %[[W]], %{{.*}}
// CHECK-NEXT: "soac.yield"(%[[K]], %[[V]])
// CHECK: arith.addf
// CHECK: soac.in_bounds
func.func @weighted(%n: index, %keys: tensor<?xi64>, %ws: tensor<?xf64>, %scale: f64, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %sum = "soac.with_acc"(%dest) ({
  ^bb0(%acc: !acc):
    %next = "soac.map"(%n, %keys, %ws, %acc) ({
    ^bb0(%i: index, %key: i64, %w: f64, %a: !acc):
      %k = arith.index_cast %key : i64 to index
      %v = arith.mulf %w, %scale : f64
      %b = "soac.update"(%a, %k, %v) {soac.in_bounds} : (!acc, index, f64) -> !acc
      "soac.yield"(%b) : (!acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xi64>, tensor<?xf64>, !acc) -> !acc
    "soac.yield"(%next) : (!acc) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %sum : tensor<?xf64>
}

// What a loop beside computes is merged first.
// CHECK-LABEL: func.func @merged_first
// CHECK-NOT: soac.map
// CHECK: "soac.fused_hist"
// CHECK: arith.mulf
// CHECK-NOT: soac.in_bounds
// CHECK: return
func.func @merged_first(%n: index, %keys: tensor<?xi64>, %ws: tensor<?xf64>, %scale: f64, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %vs = "soac.map"(%n, %ws) ({
  ^bb0(%i: index, %w: f64):
    %v = arith.mulf %w, %scale : f64
    "soac.yield"(%v) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %sum = "soac.with_acc"(%dest) ({
  ^bb0(%acc: !acc):
    %next = "soac.map"(%n, %keys, %vs, %acc) ({
    ^bb0(%i: index, %key: i64, %v: f64, %a: !acc):
      %k = arith.index_cast %key : i64 to index
      %b = "soac.update"(%a, %k, %v) : (!acc, index, f64) -> !acc
      "soac.yield"(%b) : (!acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xi64>, tensor<?xf64>, !acc) -> !acc
    "soac.yield"(%next) : (!acc) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %sum : tensor<?xf64>
}

// One histogram for all values with the same key in arrays of the same size; integers, too.
// CHECK-LABEL: func.func @two_sums
// CHECK-COUNT-1: soac.fused_hist
// CHECK: arith.addf
// CHECK: arith.addi
// CHECK-NOT: soac.fused_hist
// CHECK: return
func.func @two_sums(%n: index, %bins: index, %keys: tensor<?xi64>, %ws: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xi64>) {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %sums = tensor.splat %zero[%bins] : tensor<?xf64>
  %counts = tensor.splat %none[%bins] : tensor<?xi64>
  %r:2 = "soac.with_acc"(%sums, %counts) ({
  ^bb0(%acc: !acc, %count: !int_acc):
    %next:2 = "soac.map"(%n, %keys, %ws, %acc, %count) ({
    ^bb0(%i: index, %key: i64, %w: f64, %a: !acc, %c: !int_acc):
      %k = arith.index_cast %key : i64 to index
      %b = "soac.update"(%a, %k, %w) : (!acc, index, f64) -> !acc
      %d = "soac.update"(%c, %k, %one) : (!int_acc, index, i64) -> !int_acc
      "soac.yield"(%b, %d) : (!acc, !int_acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 2>} : (index, tensor<?xi64>, tensor<?xf64>, !acc, !int_acc) -> (!acc, !int_acc)
    "soac.yield"(%next#0, %next#1) : (!acc, !int_acc) -> ()
  }) : (tensor<?xf64>, tensor<?xi64>) -> (tensor<?xf64>, tensor<?xi64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xi64>
}

// Arrays that may differ in size have histograms of their own.
// CHECK-LABEL: func.func @two_sizes
// CHECK-COUNT-2: soac.fused_hist
// CHECK: return
func.func @two_sizes(%n: index, %keys: tensor<?xi64>, %ws: tensor<?xf64>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = "soac.with_acc"(%x, %y) ({
  ^bb0(%acc: !acc, %other: !acc):
    %next:2 = "soac.map"(%n, %keys, %ws, %acc, %other) ({
    ^bb0(%i: index, %key: i64, %w: f64, %a: !acc, %c: !acc):
      %k = arith.index_cast %key : i64 to index
      %b = "soac.update"(%a, %k, %w) : (!acc, index, f64) -> !acc
      %d = "soac.update"(%c, %k, %w) : (!acc, index, f64) -> !acc
      "soac.yield"(%b, %d) : (!acc, !acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 2>} : (index, tensor<?xi64>, tensor<?xf64>, !acc, !acc) -> (!acc, !acc)
    "soac.yield"(%next#0, %next#1) : (!acc, !acc) -> ()
  }) : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

// Functions are computed for many elements at once, so their values stay with an accumulator.
// CHECK-LABEL: func.func @costly
// CHECK-NOT: soac.fused_hist
// CHECK: soac.with_acc
// CHECK: math.exp
func.func @costly(%n: index, %keys: tensor<?xi64>, %ws: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %sum = "soac.with_acc"(%dest) ({
  ^bb0(%acc: !acc):
    %next = "soac.map"(%n, %keys, %ws, %acc) ({
    ^bb0(%i: index, %key: i64, %w: f64, %a: !acc):
      %k = arith.index_cast %key : i64 to index
      %v = math.exp %w : f64
      %b = "soac.update"(%a, %k, %v) : (!acc, index, f64) -> !acc
      "soac.yield"(%b) : (!acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xi64>, tensor<?xf64>, !acc) -> !acc
    "soac.yield"(%next) : (!acc) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %sum : tensor<?xf64>
}

// Updates under a branch and several updates of one accumulator do not happen once per iteration.
// CHECK-LABEL: func.func @sometimes
// CHECK-NOT: soac.fused_hist
// CHECK: return
func.func @sometimes(%n: index, %keys: tensor<?xi64>, %ws: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %none = arith.constant 0 : i64
  %sum = "soac.with_acc"(%dest) ({
  ^bb0(%acc: !acc):
    %next = "soac.map"(%n, %keys, %ws, %acc) ({
    ^bb0(%i: index, %key: i64, %w: f64, %a: !acc):
      %k = arith.index_cast %key : i64 to index
      %positive = arith.cmpi sgt, %key, %none : i64
      %b = scf.if %positive -> (!acc) {
        %c = "soac.update"(%a, %k, %w) : (!acc, index, f64) -> !acc
        scf.yield %c : !acc
      } else {
        scf.yield %a : !acc
      }
      "soac.yield"(%b) : (!acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xi64>, tensor<?xf64>, !acc) -> !acc
    "soac.yield"(%next) : (!acc) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %sum : tensor<?xf64>
}

// CHECK-LABEL: func.func @twice
// CHECK-NOT: soac.fused_hist
// CHECK: return
func.func @twice(%n: index, %keys: tensor<?xi64>, %ws: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %sum = "soac.with_acc"(%dest) ({
  ^bb0(%acc: !acc):
    %next = "soac.map"(%n, %keys, %ws, %acc) ({
    ^bb0(%i: index, %key: i64, %w: f64, %a: !acc):
      %k = arith.index_cast %key : i64 to index
      %b = "soac.update"(%a, %k, %w) : (!acc, index, f64) -> !acc
      %l = arith.addi %k, %c1 : index
      %c = "soac.update"(%b, %l, %w) : (!acc, index, f64) -> !acc
      "soac.yield"(%c) : (!acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xi64>, tensor<?xf64>, !acc) -> !acc
    "soac.yield"(%next) : (!acc) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %sum : tensor<?xf64>
}

// Rows, and places that a loop counts.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: soac.fused_hist
// CHECK: return
func.func @rows(%n: index, %keys: tensor<?xi64>, %ws: tensor<?x?xf64>, %dest: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %sum = "soac.with_acc"(%dest) ({
  ^bb0(%acc: !row_acc):
    %next = "soac.map"(%n, %keys, %ws, %acc) ({
    ^bb0(%i: index, %key: i64, %w: tensor<?xf64>, %a: !row_acc):
      %k = arith.index_cast %key : i64 to index
      %b = "soac.update"(%a, %k, %w) : (!row_acc, index, tensor<?xf64>) -> !row_acc
      "soac.yield"(%b) : (!row_acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xi64>, tensor<?x?xf64>, !row_acc) -> !row_acc
    "soac.yield"(%next) : (!row_acc) -> ()
  }) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %sum : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @shifted
// CHECK-NOT: soac.fused_hist
// CHECK: return
func.func @shifted(%n: index, %ws: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %sum = "soac.with_acc"(%dest) ({
  ^bb0(%acc: !acc):
    %next = "soac.map"(%n, %ws, %acc) ({
    ^bb0(%i: index, %w: f64, %a: !acc):
      %k = arith.addi %i, %c1 : index
      %b = "soac.update"(%a, %k, %w) : (!acc, index, f64) -> !acc
      "soac.yield"(%b) : (!acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !acc) -> !acc
    "soac.yield"(%next) : (!acc) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %sum : tensor<?xf64>
}
