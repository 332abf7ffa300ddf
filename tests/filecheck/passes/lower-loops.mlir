// lower-loops turns bulk operators into loops that write straight into the results.
// RUN: tapeless-opt --loops %s | filecheck %s

// A map writes into the memory the caller provides; the contract says how large that is.
// CHECK-LABEL: func.func @square
// CHECK-SAME: (%[[X:[^:]*]]: memref<?xf64>, %[[OUT:[^:]*]]: memref<?xf64>)
// CHECK-SAME: \22place\22: \22out\22, \22dims\22: [[\22dim\22, 0, 0]]
// CHECK-NOT: memref.alloc
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT: %[[E:.*]] = memref.load %[[X]][%[[I]]]
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[E]], %[[E]]
// CHECK-NEXT: memref.store %[[S]], %[[OUT]][%[[I]]]
// CHECK-NEXT: } {tapeless.parallel}
// CHECK-NEXT: return
func.func @square(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %s = arith.mulf %e, %e : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Nested maps are one nest of loops: rows are built in place, whatever the layout of what they read.
// CHECK-LABEL: func.func @transposed
// CHECK-SAME: (%[[X:[^:]*]]: memref<?x?xf64>, %[[OUT:[^:]*]]: memref<?x?xf64>)
// CHECK-NOT: memref.alloc
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT: %[[E:.*]] = memref.load %[[X]][%[[J]], %[[I]]]
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[E]]
// CHECK-NEXT: memref.store %[[N]], %[[OUT]][%[[I]], %[[J]]]
// CHECK-NEXT: } {tapeless.parallel}
// CHECK-NEXT: } {tapeless.parallel}
// CHECK-NEXT: return
func.func @transposed(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %t = "soac.transpose"(%x) {permutation = [1, 0]} : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %y = "soac.map"(%m, %t) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %r = "soac.map"(%n, %row) ({
    ^bb0(%j: index, %e: f64):
      %s = arith.negf %e : f64
      "soac.yield"(%s) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%r) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// A long reduction runs in blocks that depend on the size only; the sum may be reassociated.
// CHECK-LABEL: func.func private @sum_part0
// CHECK: scf.for %[[BLOCK:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[PART:.*]] = scf.for %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (f64)
// CHECK: arith.addf %[[ACC]], %{{.*}} fastmath<reassoc,nsz,contract>
// CHECK: memref.store %[[PART]], %{{.*}}[%[[BLOCK]]]
// CHECK-LABEL: func.func @sum
// CHECK: call @sum_part0
// CHECK: %[[TOTAL:.*]] = scf.for %{{.*}} iter_args(%[[SO_FAR:.*]] = %{{.*}}) -> (f64)
// CHECK: arith.addf %[[SO_FAR]], %{{.*}} fastmath<reassoc,nsz,contract>
// CHECK: return %[[TOTAL]]
func.func @sum(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = "soac.reduce"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %s : f64
}

// Sums of rows add into one row; the neutral element is written there first.
// CHECK-LABEL: func.func @sum_rows
// CHECK-SAME: (%[[X:[^:]*]]: memref<?x4xf64>, %[[OUT:[^:]*]]: memref<4xf64>)
// CHECK-NOT: memref.alloc
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to
// CHECK-NEXT: scf.for %[[J:.*]] = %{{.*}} to
// CHECK-DAG: %[[A:.*]] = memref.load %[[OUT]][%[[J]]]
// CHECK-DAG: %[[B:.*]] = memref.load %[[X]][%[[I]], %[[J]]]
// CHECK: memref.store %{{.*}}, %[[OUT]][%[[J]]]
func.func @sum_rows(%x: tensor<?x4xf64>) -> tensor<4xf64> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x4xf64>
  %z = tensor.splat %zero : tensor<4xf64>
  %s = "soac.reduce"(%n, %x, %z) ({
  ^bb0(%a: tensor<4xf64>, %b: tensor<4xf64>):
    %c = "soac.map"(%c4, %a, %b) ({
    ^bb0(%i: index, %p: f64, %q: f64):
      %t = arith.addf %p, %q : f64
      "soac.yield"(%t) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    "soac.yield"(%c) : (tensor<4xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?x4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %s : tensor<4xf64>
}

// A map that is fused with a sum writes in iterations that are independent but for the sum.
// CHECK-LABEL: func.func @doubled_and_summed
// CHECK: scf.for {{.*}} -> (f64)
// CHECK: memref.store
// CHECK: } {tapeless.reducing}
func.func @doubled_and_summed(%x: tensor<8xf64>) -> (f64, tensor<8xf64>) {
  %n = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  %r:2 = "soac.fused"(%n, %x, %zero) ({
  ^bb0(%i: index, %e: f64):
    %s = arith.addf %e, %e : f64
    "soac.yield"(%e, %s) : (f64, f64) -> ()
  }, {
  ^bb0(%p: f64, %q: f64):
    %t = arith.addf %p, %q : f64
    "soac.yield"(%t) : (f64) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<8xf64>, f64) -> (f64, tensor<8xf64>)
  return %r#0, %r#1 : f64, tensor<8xf64>
}
