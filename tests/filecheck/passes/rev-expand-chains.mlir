// rev-expand-chains: chains become accumulations of what a loop makes.
// RUN: tapeless-opt --rev-expand-chains %s | filecheck %s

// One accumulation per state; each has the whole loop.
// CHECK: ^bb0(%[[X:.*]]: memref<f64>, %[[US:.*]]: memref<?xf64>, %[[Y:.*]]: memref<f64>, %[[VS:.*]]: memref<?xf64>, %[[N:.*]]: index):
// CHECK: "rev.accum"(%[[Y]]) ({
// CHECK: %[[A:.*]] = memref.load %[[X]][]
// CHECK: %[[B:.*]] = "rev.read"(%[[US]])
// CHECK: %[[LAST:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[V:.*]] = %[[A]], %[[W:.*]] = %[[B]]) -> (f64, tensor<?xf64>) {
// CHECK-NEXT: %[[NEXT:.*]] = math.sin %[[V]]
// CHECK-NEXT: scf.yield %[[NEXT]], %[[W]]
// CHECK-NEXT: } {ad.bennett, ad.budget = 3 : i64}
// CHECK-NEXT: "rev.yield"(%[[LAST]]#0)
// CHECK: }) {kind = "sub"}
// CHECK: "rev.accum"(%[[VS]]) ({
// CHECK: "rev.yield"(%{{.*}}#1)
// CHECK-NOT: rev.chain
"rev.func"() ({
^bb0(%x: memref<f64>, %us: memref<?xf64>, %y: memref<f64>, %vs: memref<?xf64>, %n: index):
  "rev.chain"(%n, %x, %us, %y, %vs) ({
  ^bb0(%i: index, %v: f64, %w: tensor<?xf64>):
    %next = math.sin %v : f64
    "rev.yield"(%next, %w) : (f64, tensor<?xf64>) -> ()
  }) {kind = "sub", strategy = "bennett", budget = 3 : i64, operandSegmentSizes = array<i32: 1, 2, 2>}
    : (index, memref<f64>, memref<?xf64>, memref<f64>, memref<?xf64>) -> ()
}) {sym_name = "march", modes = ["in", "in", "inout", "inout", "param"]} : () -> ()
