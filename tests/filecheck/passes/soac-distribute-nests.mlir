// soac-distribute-nests distributes outer maps over the operators inside them, and has threads sum what they own.
// RUN: tapeless-opt --soac-distribute-nests %s | filecheck %s
// RUN: tapeless-opt --soac-distribute-nests="least-bytes=0 most-bytes=1000 enough=100" %s | filecheck %s --check-prefix=LIMITS

// The inner products are a grid of their own, their maxima come after them; the host decides by sizes, and memory stays
// inside the branches. Where products are few and long, each has a warp.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%[[N:.*]]: index, %[[K:.*]]: index, %[[D:.*]]: index,
// CHECK: arith.cmpi sle, %{{.*}}, %c4294967296
// CHECK: arith.cmpi sge, %{{.*}}, %c1048576
// CHECK: arith.cmpi slt, %[[N]], %c65536
// CHECK: scf.if
// CHECK: %[[ALL:.*]] = scf.if
// CHECK: tapeless.by_warps
// CHECK: else
// CHECK: "soac.map"(%[[N]], %{{.*}}) ({
// CHECK: "soac.map"(%[[K]], %{{.*}}) ({
// CHECK: "soac.fused"(%[[D]],
// CHECK: (index, tensor<?x?xf64>) -> tensor<?x?xf64>
// CHECK: "soac.map"(%[[N]], %[[ALL]]) ({
// CHECK-NEXT: ^bb0
// CHECK-NEXT: "soac.fused"(%[[K]],
// CHECK: arith.maximumf
// CHECK: else
// CHECK: "soac.map"(%[[N]], %{{.*}}) ({
// CHECK-NEXT: ^bb0
// CHECK-NEXT: "soac.fused"(%[[K]],
// CHECK: {tapeless.variants}
// LIMITS-LABEL: func.func @rows
// LIMITS: arith.cmpi sle, %{{.*}}, %c1000
// LIMITS: arith.cmpi slt, %{{.*}}, %c100
func.func @rows(%n: index, %k: index, %d: index, %xs: tensor<?x?xf64>, %ys: tensor<?x?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %least = arith.constant 0xFFF0000000000000 : f64
  %r = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: tensor<?xf64>):
    %m = "soac.fused"(%k, %ys, %least) ({
    ^bb0(%j: index, %y: tensor<?xf64>):
      %p = "soac.fused"(%d, %x, %y, %zero) ({
      ^bb0(%e: index, %a: f64, %b: f64):
        %ab = arith.mulf %a, %b : f64
        "soac.yield"(%ab) : (f64) -> ()
      }, {
      ^bb0(%a: f64, %b: f64):
        %s = arith.addf %a, %b : f64
        "soac.yield"(%s) : (f64) -> ()
      }, {}) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<?xf64>, tensor<?xf64>, f64) -> f64
      "soac.yield"(%p) : (f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      %s = arith.maximumf %a, %b : f64
      "soac.yield"(%s) : (f64) -> ()
    }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?x?xf64>, f64) -> f64
    "soac.yield"(%m) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// What is added at an inner index is summed by the thread of that index, by parts if there are few of them; also where
// that keeps little, if an iteration has as many operations as the launches take.
// CHECK-LABEL: func.func @owners
// CHECK-SAME: (%[[N:.*]]: index, %[[K:.*]]: index, %[[D:.*]]: index,
// CHECK-NOT: tensor.splat
// CHECK: %[[LONG:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}}
// CHECK: %[[MUCH:.*]] = arith.cmpi sge, %{{.*}}, %c1048576
// CHECK: arith.ori %[[MUCH]], %[[LONG]]
// CHECK: scf.if
// CHECK: %[[W:.*]] = scf.if
// CHECK: tapeless.by_warps
// CHECK: "soac.map"(%[[N]], %{{.*}}) ({
// CHECK: math.exp
// CHECK: (index, tensor<?x?xf64>) -> tensor<?x?xf64>
// CHECK: %[[FEW:.*]] = arith.cmpi slt, %[[K]], %c131072
// Of some numbers of parts, the one that leaves the fewest iterations.
// CHECK: %[[LESS:.*]] = arith.cmpi slt
// CHECK: arith.select %[[LESS]]
// CHECK: scf.if %[[FEW]]
// CHECK: "soac.map"(%[[COUNT:.*]]) ({
// CHECK: "soac.map"(%[[K]]) ({
// CHECK: "soac.fused"
// Runs of the sums of parts, and what is left.
// CHECK: %[[RUNS:.*]] = arith.maxsi
// CHECK: arith.ceildivsi %[[COUNT]], %[[RUNS]]
// CHECK: "soac.map"(%[[RUNS]]) ({
// CHECK: "soac.map"(%[[K]]) ({
// CHECK: "soac.fused"
// CHECK: "soac.map"(%[[K]]
// CHECK: "soac.fused"(%[[RUNS]],
// CHECK: else
// CHECK: "soac.map"(%[[K]]) ({
// CHECK: "soac.fused"(%[[N]], %[[W]],
// CHECK-NOT: soac.update
// CHECK: else
// The zeros that only this variant adds to.
// CHECK: tensor.splat
// CHECK: soac.update
func.func @owners(%n: index, %k: index, %d: index, %xs: tensor<?x?xf64>, %ys: tensor<?x?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %zeros = tensor.splat %zero[%k] : tensor<?xf64>
  %r = "soac.with_acc"(%zeros) ({
  ^bb0(%all: !soac.acc<tensor<?xf64>>):
    %done = "soac.map"(%n, %xs, %all) ({
    ^bb0(%i: index, %x: tensor<?xf64>, %acc: !soac.acc<tensor<?xf64>>):
      %added = "soac.map"(%k, %ys, %acc) ({
      ^bb0(%j: index, %y: tensor<?xf64>, %own: !soac.acc<tensor<?xf64>>):
        %p = "soac.fused"(%d, %x, %y, %zero) ({
        ^bb0(%e: index, %a: f64, %b: f64):
          %ab = arith.mulf %a, %b : f64
          "soac.yield"(%ab) : (f64) -> ()
        }, {
        ^bb0(%a: f64, %b: f64):
          %s = arith.addf %a, %b : f64
          "soac.yield"(%s) : (f64) -> ()
        }, {}) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<?xf64>, tensor<?xf64>, f64) -> f64
        %w = math.exp %p : f64
        %u = "soac.update"(%own, %j, %w) {soac.in_bounds} : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
        "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?x?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%added) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?x?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%done) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// Sums that a thread makes at places that it computes are cut into parts.
// CHECK-LABEL: func.func @places
// CHECK-SAME: (%[[N:.*]]: index, %[[K:.*]]: index,
// CHECK: %[[PARTS:.*]] = arith.maxsi %{{.*}}, %c1
// CHECK: scf.if
// CHECK: "soac.map"(%[[N]], %{{.*}}) ({
// CHECK-NEXT: ^bb0
// CHECK: "soac.map"(%[[PARTS]]) ({
// CHECK: "soac.with_acc"
// CHECK: "soac.map"(%[[N]]
// CHECK: "soac.map"(%[[K]]
// CHECK: "soac.fused"(%[[PARTS]],
// CHECK: else
func.func @places(%n: index, %k: index, %to: tensor<?x?xindex>, %xs: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %r = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: tensor<?xf64>):
    %zeros = tensor.splat %zero[%k] : tensor<?xf64>
    %sums = "soac.with_acc"(%zeros) ({
    ^bb0(%all: !soac.acc<tensor<?xf64>>):
      %done = "soac.map"(%k, %to, %all) ({
      ^bb0(%j: index, %row: tensor<?xindex>, %acc: !soac.acc<tensor<?xf64>>):
        %added = "soac.map"(%k, %x, %row, %acc) ({
        ^bb0(%l: index, %v: f64, %place: index, %own: !soac.acc<tensor<?xf64>>):
          %u = "soac.update"(%own, %place, %v) {soac.in_bounds} : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
          "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
        }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xf64>, tensor<?xindex>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
        "soac.yield"(%added) : (!soac.acc<tensor<?xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?x?xindex>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%done) : (!soac.acc<tensor<?xf64>>) -> ()
    }) : (tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%sums) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// A width that differs from iteration to iteration cannot be an axis: nothing changes.
// CHECK-LABEL: func.func @ragged
// CHECK-NOT: scf.if
// CHECK: return
func.func @ragged(%n: index, %d: index, %widths: tensor<?xindex>, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %r = "soac.map"(%n, %widths) ({
  ^bb0(%i: index, %w: index):
    %m = "soac.fused"(%w, %zero) ({
    ^bb0(%j: index):
      %p = "soac.fused"(%d, %xs, %zero) ({
      ^bb0(%e: index, %a: f64):
        %ab = arith.mulf %a, %a : f64
        "soac.yield"(%ab) : (f64) -> ()
      }, {
      ^bb0(%a: f64, %b: f64):
        %s = arith.addf %a, %b : f64
        "soac.yield"(%s) : (f64) -> ()
      }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf64>, f64) -> f64
      "soac.yield"(%p) : (f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      %s = arith.addf %a, %b : f64
      "soac.yield"(%s) : (f64) -> ()
    }, {}) {operandSegmentSizes = array<i32: 1, 0, 1, 0>} : (index, f64) -> f64
    "soac.yield"(%m) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xindex>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// Few inner iterations, known before, stay in the thread however deep they are nested.
// CHECK-LABEL: func.func @short
// CHECK-NOT: scf.if
// CHECK: return
func.func @short(%n: index, %xs: tensor<?x4x3x2xf64>) -> tensor<?xf64> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  %r = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: tensor<4x3x2xf64>):
    %m = "soac.fused"(%c4, %x, %zero) ({
    ^bb0(%j: index, %y: tensor<3x2xf64>):
      %p = "soac.fused"(%c3, %y, %zero) ({
      ^bb0(%e: index, %z: tensor<2xf64>):
        %q = "soac.fused"(%c2, %z, %zero) ({
        ^bb0(%f: index, %a: f64):
          %aa = math.exp %a : f64
          "soac.yield"(%aa) : (f64) -> ()
        }, {
        ^bb0(%a: f64, %b: f64):
          %s = arith.addf %a, %b : f64
          "soac.yield"(%s) : (f64) -> ()
        }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<2xf64>, f64) -> f64
        "soac.yield"(%q) : (f64) -> ()
      }, {
      ^bb0(%a: f64, %b: f64):
        %s = arith.maximumf %a, %b : f64
        "soac.yield"(%s) : (f64) -> ()
      }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<3x2xf64>, f64) -> f64
      "soac.yield"(%p) : (f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      %s = arith.addf %a, %b : f64
      "soac.yield"(%s) : (f64) -> ()
    }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<4x3x2xf64>, f64) -> f64
    "soac.yield"(%m) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x4x3x2xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// A map whose iterations go through rows, one loop after the other, is distributed, too, up to fewer iterations.
// CHECK-LABEL: func.func @normalised
// CHECK-SAME: (%[[N:.*]]: index, %[[K:.*]]: index,
// CHECK: arith.cmpi sge, %{{.*}}, %c65536
// CHECK: arith.cmpi slt, %[[N]], %c16384
// CHECK: scf.if
// CHECK: %[[SUMS:.*]] = "soac.map"(%[[N]], %{{.*}}) ({
// CHECK: "soac.reduce"(%[[K]],
// CHECK: (index, tensor<?x?xf64>) -> tensor<?xf64>
// CHECK: "soac.map"(%[[N]], %{{.*}}, %[[SUMS]]) ({
// CHECK: "soac.map"(%[[K]],
// CHECK: else
// CHECK: {tapeless.variants}
func.func @normalised(%n: index, %k: index, %xs: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %r = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: tensor<?xf64>):
    %sum = "soac.reduce"(%k, %x, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %s = arith.addf %a, %b : f64
      "soac.yield"(%s) : (f64) -> ()
    }) : (index, tensor<?xf64>, f64) -> f64
    %row = "soac.map"(%k, %x) ({
    ^bb0(%j: index, %a: f64):
      %q = arith.divf %a, %sum : f64
      %e = math.exp %q : f64
      "soac.yield"(%e) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%row) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// A reduction whose elements go through rows: the rows that it yields are a grid of their own, its sum comes after them.
// CHECK-LABEL: func.func @reduced_rows
// CHECK-SAME: (%[[N:.*]]: index, %[[K:.*]]: index,
// CHECK: scf.if
// CHECK: %[[MEANS:.*]] = "soac.map"(%[[N]], %{{.*}}) ({
// CHECK: "soac.reduce"(%[[K]],
// CHECK: (index, tensor<?x?xf64>) -> tensor<?xf64>
// CHECK: "soac.map"(%[[N]], {{.*}}%[[MEANS]]{{.*}}) ({
// CHECK: "soac.map"(%[[K]],
// CHECK: math.exp
// CHECK: "soac.fused"(%[[N]],
// CHECK: else
func.func @reduced_rows(%n: index, %k: index, %xs: tensor<?x?xf64>) -> (f64, tensor<?x?xf64>) {
  %zero = arith.constant 0.0 : f64
  %r:2 = "soac.fused"(%n, %xs, %zero) ({
  ^bb0(%i: index, %x: tensor<?xf64>):
    %m = "soac.reduce"(%k, %x, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %s = arith.addf %a, %b : f64
      "soac.yield"(%s) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    %e = "soac.map"(%k, %x) ({
    ^bb0(%j: index, %a: f64):
      %d = arith.subf %a, %m : f64
      %p = math.exp %d : f64
      "soac.yield"(%p) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%m, %e) : (f64, tensor<?xf64>) -> ()
  }, {
  ^bb0(%a: f64, %b: f64):
    %s = arith.addf %a, %b : f64
    "soac.yield"(%s) : (f64) -> ()
  }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?x?xf64>, f64) -> (f64, tensor<?x?xf64>)
  return %r#0, %r#1 : f64, tensor<?x?xf64>
}

// A row that a few operations make beside the sum of another one is a grid of its own, and the sum has a team.
// CHECK-LABEL: func.func @row_beside_sum
// CHECK: scf.if
// CHECK-NEXT: %[[SUMS:.*]] = "soac.map"(%[[N:.*]], %{{.*}}) ({
// CHECK-NEXT: ^bb0
// CHECK-NEXT: "soac.fused"
// CHECK: (index, tensor<?x?xf64>) -> tensor<?xf64>
// CHECK-NEXT: %[[ROWS:.*]] = "soac.map"(%[[N]], %{{.*}}, %{{.*}}) ({
// CHECK-NEXT: ^bb0
// CHECK-NEXT: "soac.map"
// CHECK: -> tensor<?x?xf64>
// CHECK-NEXT: scf.yield %[[SUMS]], %[[ROWS]]
// CHECK: else
func.func @row_beside_sum(%n: index, %k: index, %xs: tensor<?x?xf64>, %ys: tensor<?x?xf64>)
    -> (tensor<?xf64>, tensor<?x?xf64>) {
  %zero = arith.constant 0.0 : f64
  %r:2 = "soac.map"(%n, %xs, %ys) ({
  ^bb0(%i: index, %x: tensor<?xf64>, %y: tensor<?xf64>):
    %s:2 = "soac.fused"(%k, %x, %y, %zero) ({
    ^bb0(%j: index, %a: f64, %b: f64):
      %ab = arith.addf %a, %b : f64
      "soac.yield"(%a, %ab) : (f64, f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      %t = arith.addf %a, %b : f64
      "soac.yield"(%t) : (f64) -> ()
    }, {}) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<?xf64>, tensor<?xf64>, f64) -> (f64, tensor<?xf64>)
    "soac.yield"(%s#0, %s#1) : (f64, tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?x?xf64>, tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?x?xf64>
}
