// The oracle: every array has memory of its own, every update copies, sums keep their order.
// RUN: tapeless-opt --loops=sequential=true %s | filecheck %s

// CHECK-LABEL: func.func @updated
// CHECK-SAME: %[[OUT:[^:]*]]: memref<4xf64>)
// CHECK: %[[SECOND:.*]] = memref.alloca() : memref<4xf64>
// CHECK: %[[FIRST:.*]] = memref.alloca() : memref<4xf64>
// CHECK: memref.store %{{.*}}, %[[FIRST]]
// CHECK: memref.copy %[[FIRST]], %[[SECOND]]
// CHECK: memref.store %{{.*}}, %[[SECOND]]
// CHECK: memref.copy %[[SECOND]], %[[OUT]]
func.func @updated(%v: f64, %i: index) -> tensor<4xf64> {
  %old = tensor.splat %v : tensor<4xf64>
  %new = tensor.insert %v into %old[%i] : tensor<4xf64>
  return %new : tensor<4xf64>
}

// CHECK-LABEL: func.func @sum
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-NOT: reassoc
// CHECK: return
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

// Accumulators that loops and branches carry are updated where they are.
// CHECK-LABEL: func.func @looked_up
// CHECK: memref.copy %{{.*}}, %[[SUMS:.*]] : memref<?xf64> to memref<?xf64>
// CHECK: arith.cmpf
// CHECK-NEXT: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT: scf.if %{{.*}} {
// CHECK-NEXT: memref.load %[[SUMS]]
// CHECK-NEXT: arith.addf
// CHECK-NEXT: memref.store %{{.*}}, %[[SUMS]]
func.func @looked_up(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %x, %c0 : tensor<?xf64>
  %start = tensor.splat %zero[%m] : tensor<?xf64>
  %sums = "soac.with_acc"(%start) ({
  ^bb0(%whole: !soac.acc<tensor<?xf64>>):
    %mapped = "soac.map"(%m, %x, %whole) ({
    ^bb0(%i: index, %a: f64, %acc: !soac.acc<tensor<?xf64>>):
      %is_positive = arith.cmpf ogt, %a, %zero : f64
      %last = scf.for %j = %c0 to %n step %c1 iter_args(%carried = %acc) -> (!soac.acc<tensor<?xf64>>) {
        %next = scf.if %is_positive -> (!soac.acc<tensor<?xf64>>) {
          %added = "soac.update"(%carried, %i, %a) {soac.in_bounds} : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
          scf.yield %added : !soac.acc<tensor<?xf64>>
        } else {
          scf.yield %carried : !soac.acc<tensor<?xf64>>
        }
        scf.yield %next : !soac.acc<tensor<?xf64>>
      }
      "soac.yield"(%last) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%mapped) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %sums : tensor<?xf64>
}
