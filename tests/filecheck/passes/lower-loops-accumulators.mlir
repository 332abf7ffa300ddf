// Maps with accumulators: blocks sum into copies of their own, which are added up in order, on any number of threads.
// RUN: tapeless-opt --lower-loops=threads=1 %s | filecheck %s
// RUN: tapeless-opt --lower-loops=threads=4 %s | filecheck %s --check-prefixes CHECK,POOL

// The part keeps the marks of the accumulating loop and sees the sums as memory that overlaps nothing else.
// CHECK-LABEL: func.func private @scatter_add_part0
// CHECK-SAME: (%[[LOW:[^:]*]]: index, %[[HIGH:[^:]*]]: index,
// CHECK: scf.for %{{.*}} = %[[LOW]] to %[[HIGH]] step
// CHECK: arith.addf {{.*}} {tapeless.accumulate}
// CHECK: } {tapeless.accumulating}

// A block clears its copy and sums into it.
// CHECK-LABEL: func.func private @scatter_add_part1
// CHECK: scf.for %[[BLOCK:[^ ]*]] =
// CHECK: scf.for %[[AT:[^ ]*]] =
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[BLOCK]], %[[AT]]] : memref<?x?xf64>
// CHECK: call @scatter_add_part0

// One block sums into the result; several are added to it one after the other.
// CHECK-LABEL: func.func @scatter_add
// CHECK: %[[ONE:.*]] = arith.cmpi sle, %[[BLOCKS:.*]], %c1
// CHECK: scf.if %[[ONE]]
// CHECK: call @scatter_add_part0
// CHECK: else
// CHECK: %[[COPIES:.*]] = memref.alloc(%[[BLOCKS]], %{{.*}}) : memref<?x?xf64>
// POOL: call @tl_parallel
// CHECK: scf.for %[[NUMBER:.*]] = %c0 to %[[BLOCKS]]
// CHECK: scf.for %[[ELEMENT:[^ ]*]] =
// CHECK: memref.load %[[COPIES]][%[[NUMBER]], %[[ELEMENT]]]
// CHECK: arith.addf
// CHECK-NOT: fastmath
// CHECK: memref.store
// CHECK: memref.dealloc %[[COPIES]]
func.func @scatter_add(%keys: tensor<?xindex>, %x: tensor<?xf64>, %bins: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = "soac.with_acc"(%bins) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %m = "soac.map"(%n, %keys, %x, %acc) ({
    ^bb0(%i: index, %k: index, %e: f64, %a: !soac.acc<tensor<?xf64>>):
      %u = "soac.update"(%a, %k, %e) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>}
      : (index, tensor<?xindex>, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%m) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// Few iterations are one plain loop.
// CHECK-LABEL: func.func @few
// CHECK-NOT: call
// CHECK: } {tapeless.accumulating}
// CHECK-NOT: call
// CHECK: return
func.func @few(%x: tensor<8xf64>, %bins: tensor<?xf64>) -> tensor<?xf64> {
  %c8 = arith.constant 8 : index
  %r = "soac.with_acc"(%bins) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %m = "soac.map"(%c8, %x, %acc) ({
    ^bb0(%i: index, %e: f64, %a: !soac.acc<tensor<?xf64>>):
      %u = "soac.update"(%a, %i, %e) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>}
      : (index, tensor<8xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%m) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
