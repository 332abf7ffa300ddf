// soac-fuse merges maps that add to accumulators, and carries one accumulator through both.
// RUN: tapeless-opt --soac-fuse %s | filecheck %s

!acc = !soac.acc<tensor<?xf64>>

// The elements and the accumulator of the first map go straight into the second.
// CHECK-LABEL: func.func @one_accumulator_through_two_maps
// CHECK-COUNT-1: soac.map
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:[^:]*]]: f64, %[[ACC:[^:]*]]: !soac.acc<tensor<?xf64>>):
// CHECK-NEXT: %[[E:.*]] = math.exp %[[X]]
// CHECK-NEXT: %[[FIRST:.*]] = "soac.update"(%[[ACC]], %{{.*}}, %[[E]])
// CHECK-NEXT: %[[S:.*]] = math.sin %[[E]]
// CHECK-NEXT: %[[SECOND:.*]] = "soac.update"(%[[FIRST]], %{{.*}}, %[[S]])
// CHECK-NEXT: "soac.yield"(%[[SECOND]])
// CHECK-NOT: soac.map
// CHECK: return
func.func @one_accumulator_through_two_maps(%n: index, %xs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %sum = "soac.with_acc"(%dest) ({
  ^bb0(%acc: !acc):
    %es, %acc1 = "soac.map"(%n, %xs, %acc) ({
    ^bb0(%i: index, %x: f64, %a: !acc):
      %e = math.exp %x : f64
      %b = "soac.update"(%a, %i, %e) : (!acc, index, f64) -> !acc
      "soac.yield"(%e, %b) : (f64, !acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !acc) -> (tensor<?xf64>, !acc)
    %acc2 = "soac.map"(%n, %es, %acc1) ({
    ^bb0(%i: index, %e: f64, %a: !acc):
      %s = math.sin %e : f64
      %b = "soac.update"(%a, %i, %s) : (!acc, index, f64) -> !acc
      "soac.yield"(%b) : (!acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !acc) -> !acc
    "soac.yield"(%acc2) : (!acc) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %sum : tensor<?xf64>
}

// Two accumulators side by side in one map.
// CHECK-LABEL: func.func @two_accumulators
// CHECK-COUNT-1: soac.map
// CHECK-COUNT-2: soac.update
// CHECK-NOT: soac.map
// CHECK: return
func.func @two_accumulators(%n: index, %xs: tensor<?xf64>, %p: tensor<?xf64>, %q: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %sums:2 = "soac.with_acc"(%p, %q) ({
  ^bb0(%left: !acc, %right: !acc):
    %left1 = "soac.map"(%n, %xs, %left) ({
    ^bb0(%i: index, %x: f64, %a: !acc):
      %e = math.exp %x : f64
      %b = "soac.update"(%a, %i, %e) : (!acc, index, f64) -> !acc
      "soac.yield"(%b) : (!acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !acc) -> !acc
    %right1 = "soac.map"(%n, %xs, %right) ({
    ^bb0(%i: index, %x: f64, %a: !acc):
      %e = math.sin %x : f64
      %b = "soac.update"(%a, %i, %e) : (!acc, index, f64) -> !acc
      "soac.yield"(%b) : (!acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !acc) -> !acc
    "soac.yield"(%left1, %right1) : (!acc, !acc) -> ()
  }) : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %sums#0, %sums#1 : tensor<?xf64>, tensor<?xf64>
}

// A fused operator has no accumulators: the reduction keeps its own loop.
// CHECK-LABEL: func.func @accumulator_beside_a_reduction
// CHECK: soac.map
// CHECK: soac.reduce
func.func @accumulator_beside_a_reduction(%n: index, %xs: tensor<?xf64>, %dest: tensor<?xf64>, %z: f64) -> (tensor<?xf64>, f64) {
  %sum, %total = "soac.with_acc"(%dest) ({
  ^bb0(%acc: !acc):
    %es, %acc1 = "soac.map"(%n, %xs, %acc) ({
    ^bb0(%i: index, %x: f64, %a: !acc):
      %e = math.exp %x : f64
      %b = "soac.update"(%a, %i, %e) : (!acc, index, f64) -> !acc
      "soac.yield"(%e, %b) : (f64, !acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !acc) -> (tensor<?xf64>, !acc)
    %t = "soac.reduce"(%n, %es, %z) ({
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      "soac.yield"(%c) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%acc1, %t) : (!acc, f64) -> ()
  }) : (tensor<?xf64>) -> (tensor<?xf64>, f64)
  return %sum, %total : tensor<?xf64>, f64
}

// The second map carries on only one of the first map's accumulators: both come back in their places.
// CHECK-LABEL: func.func @one_of_two_carried_on
// CHECK-COUNT-1: soac.map
// CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: f64, %[[LEFT:[^:]*]]: !soac.acc<tensor<?xf64>>, %[[RIGHT:[^:]*]]: !soac.acc<tensor<?xf64>>):
// CHECK: %[[LEFT1:.*]] = "soac.update"(%[[LEFT]],
// CHECK: %[[RIGHT1:.*]] = "soac.update"(%[[RIGHT]],
// CHECK: %[[LEFT2:.*]] = "soac.update"(%[[LEFT1]],
// CHECK: "soac.yield"(%[[LEFT2]], %[[RIGHT1]])
// CHECK-NOT: soac.map
// CHECK: return
func.func @one_of_two_carried_on(%n: index, %xs: tensor<?xf64>, %p: tensor<?xf64>, %q: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %sums:2 = "soac.with_acc"(%p, %q) ({
  ^bb0(%left: !acc, %right: !acc):
    %first:2 = "soac.map"(%n, %xs, %left, %right) ({
    ^bb0(%i: index, %x: f64, %a: !acc, %b: !acc):
      %e = math.exp %x : f64
      %a1 = "soac.update"(%a, %i, %e) : (!acc, index, f64) -> !acc
      %b1 = "soac.update"(%b, %i, %x) : (!acc, index, f64) -> !acc
      "soac.yield"(%a1, %b1) : (!acc, !acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 2>} : (index, tensor<?xf64>, !acc, !acc) -> (!acc, !acc)
    %left2 = "soac.map"(%n, %xs, %first#0) ({
    ^bb0(%i: index, %x: f64, %a: !acc):
      %s = math.sin %x : f64
      %a2 = "soac.update"(%a, %i, %s) : (!acc, index, f64) -> !acc
      "soac.yield"(%a2) : (!acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !acc) -> !acc
    "soac.yield"(%left2, %first#1) : (!acc, !acc) -> ()
  }) : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %sums#0, %sums#1 : tensor<?xf64>, tensor<?xf64>
}
