// soac-mark-borders lets comparisons and clamps of an index be what they are away from the ends, under a guard.
// RUN: tapeless-opt --soac-mark-borders %s | filecheck %s

// CHECK-LABEL: func.func @clamped(
// CHECK: tensor.dim
// CHECK: arith.subi
// CHECK: %[[FIRST:.*]] = arith.constant 1 : index
// CHECK: %[[LAST:.*]] = arith.subi %{{.*}}, %{{.*}} : index
// CHECK: ^bb0(%[[I:.*]]: index
// CHECK: %[[LOW:.*]] = arith.cmpi sge, %[[I]], %[[FIRST]] {tapeless.guard} : index
// CHECK: %[[HIGH:.*]] = arith.cmpi slt, %[[I]], %[[LAST]] {tapeless.guard} : index
// CHECK: %[[IN:.*]] = arith.andi %[[LOW]], %[[HIGH]] : i1
// CHECK: %[[BEFORE:.*]] = arith.subi %[[I]], %{{.*}} : index
// CHECK: %[[LEFT:.*]] = arith.maxsi %[[BEFORE]], %{{.*}} : index
// CHECK: %[[L:.*]] = arith.select %[[IN]], %[[BEFORE]], %[[LEFT]] : index
// CHECK: %[[AFTER:.*]] = arith.addi %[[I]], %{{.*}} : index
// CHECK: %[[RIGHT:.*]] = arith.minsi %[[AFTER]], %{{.*}} : index
// CHECK: %[[R:.*]] = arith.select %[[IN]], %[[AFTER]], %[[RIGHT]] : index
// CHECK: tensor.extract %{{.*}}[%[[L]]]
// CHECK: tensor.extract %{{.*}}[%[[R]]]
func.func @clamped(%u: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %u, %c0 : tensor<?xf64>
  %end = arith.subi %n, %c1 : index
  %y = "soac.map"(%n) ({
  ^bb0(%i: index):
    %before = arith.subi %i, %c1 : index
    %left = arith.maxsi %before, %c0 : index
    %after = arith.addi %i, %c1 : index
    %right = arith.minsi %after, %end : index
    %a = tensor.extract %u[%left] : tensor<?xf64>
    %b = tensor.extract %u[%right] : tensor<?xf64>
    %s = arith.addf %a, %b : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A periodic neighbour, and a branch at the first element by an integer of the program.
// CHECK-LABEL: func.func @periodic(
// CHECK: %[[ROUND:.*]] = arith.remsi %[[NEXT:.*]], %{{.*}} : index
// CHECK: arith.select %[[IN:.*]], %[[NEXT]], %[[ROUND]] : index
// CHECK: %[[AT:.*]] = arith.cmpi eq
// CHECK: %[[NEVER:.*]] = arith.constant false
// CHECK: %[[C:.*]] = arith.select %[[IN]], %[[NEVER]], %[[AT]] : i1
// CHECK: scf.if %[[C]]
func.func @periodic(%u: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %n = tensor.dim %u, %c0 : tensor<?xf64>
  %y = "soac.map"(%n) ({
  ^bb0(%i: index):
    %next = arith.addi %i, %c1 : index
    %round = arith.remsi %next, %n : index
    %a = tensor.extract %u[%round] : tensor<?xf64>
    %j = arith.index_cast %i : index to i64
    %at = arith.cmpi eq, %j, %zero : i64
    %s = scf.if %at -> f64 {
      %b = tensor.extract %u[%i] : tensor<?xf64>
      scf.yield %b : f64
    } else {
      scf.yield %a : f64
    }
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Nothing is marked where a bound is far from both ends, is not one for sure, is of an integer that cannot hold an
// index, where numbers are chosen alone, and where a loop is short.
// CHECK-LABEL: func.func @unmarked(
// CHECK-NOT: tapeless.guard
// CHECK: return
func.func @unmarked(%u: tensor<?xf64>, %some: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xi32>, tensor<?xf64>, tensor<6xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : i32
  %c6 = arith.constant 6 : index
  %c50 = arith.constant 50 : index
  %x = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %u, %c0 : tensor<?xf64>
  %far = "soac.map"(%n) ({
  ^bb0(%i: index):
    %p = arith.maxsi %i, %c50 : index
    %a = tensor.extract %u[%p] : tensor<?xf64>
    "soac.yield"(%a) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf64>
  %unknown = "soac.map"(%n) ({
  ^bb0(%i: index):
    %p = arith.minsi %i, %some : index
    %a = tensor.extract %u[%p] : tensor<?xf64>
    "soac.yield"(%a) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf64>
  %narrow = "soac.map"(%n) ({
  ^bb0(%i: index):
    %j = arith.index_cast %i : index to i32
    %p = arith.maxsi %j, %c3 : i32
    "soac.yield"(%p) : (i32) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xi32>
  %chosen = "soac.map"(%n) ({
  ^bb0(%i: index):
    %at = arith.cmpi eq, %i, %c0 : index
    %a = arith.select %at, %x, %one : f64
    "soac.yield"(%a) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf64>
  %short = "soac.map"(%c6) ({
  ^bb0(%i: index):
    %p = arith.subi %i, %c1 : index
    %q = arith.maxsi %p, %c0 : index
    %a = tensor.extract %u[%q] : tensor<?xf64>
    "soac.yield"(%a) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<6xf64>
  return %far, %unknown, %narrow, %chosen, %short : tensor<?xf64>, tensor<?xf64>, tensor<?xi32>, tensor<?xf64>, tensor<6xf64>
}

// Clamped rows need no cut, for their elements are neighbours; the loop over these has a border of its own.
// CHECK-LABEL: func.func @rows(
// CHECK: "soac.map"
// CHECK: ^bb0(%[[R:.*]]: index
// CHECK-NOT: arith.cmpi sge, %[[R]]
// CHECK: "soac.map"
// CHECK: ^bb0(%[[K:.*]]: index
// CHECK: arith.cmpi sge, %[[K]], %{{.*}} {tapeless.guard}
func.func @rows(%u: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %u, %c0 : tensor<?x?xf64>
  %m = tensor.dim %u, %c1 : tensor<?x?xf64>
  %y = "soac.map"(%n) ({
  ^bb0(%i: index):
    %above = arith.subi %i, %c1 : index
    %up = arith.maxsi %above, %c0 : index
    %row = "soac.map"(%m) ({
    ^bb0(%k: index):
      %before = arith.subi %k, %c1 : index
      %left = arith.maxsi %before, %c0 : index
      %a = tensor.extract %u[%up, %left] : tensor<?x?xf64>
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf64>
    "soac.yield"(%row) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}
