// Maps with accumulators: blocks sum into copies of the result, which are added up in order, on any number of threads.
// RUN: tapeless-opt --loops=threads=1 %s | filecheck %s
// RUN: tapeless-opt --loops=threads=4 %s | filecheck %s --check-prefixes CHECK,POOL

// The part keeps the marks of the accumulating loop and sees the sums as memory that overlaps nothing else.
// CHECK-LABEL: func.func private @scatter_add_part0
// CHECK-SAME: (%[[LOW:[^:]*]]: index, %[[HIGH:[^:]*]]: index,
// CHECK: scf.for %{{.*}} = %[[LOW]] to %[[HIGH]] step
// CHECK: arith.addf {{.*}} {tapeless.accumulate}
// CHECK: } {tapeless.accumulating}

// A block sums into its copy, which it clears; the first has none and sums into the result.
// CHECK-LABEL: func.func private @scatter_add_part1
// CHECK: scf.for %[[BLOCK:[^ ]*]] =
// CHECK: %[[HAS_COPY:.*]] = arith.cmpi sle, %{{.*}}, %[[BLOCK]]
// CHECK: scf.if %[[HAS_COPY]]
// CHECK: memref.store %{{.*}} : memref<?x?xf64>
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[BLOCK]], %{{.*}}
// CHECK: arith.select %[[FIRST]]
// CHECK: call @scatter_add_part0

// One block sums into the result; copies are added to it one after the other.
// CHECK-LABEL: func.func @scatter_add
// CHECK: %[[ONE:.*]] = arith.cmpi sle, %[[BLOCKS:.*]], %c1
// CHECK: %[[ROWS:.*]] = arith.subi %[[BLOCKS]], %c1
// CHECK: scf.if %[[ONE]]
// CHECK: call @scatter_add_part0
// CHECK: else
// CHECK: %[[COPIES:.*]] = memref.alloc(%[[ROWS]], %{{.*}}) : memref<?x?xf64>
// POOL: call @tl_parallel
// CHECK: scf.for %[[NUMBER:.*]] = %c0 to %[[ROWS]]
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

// A reduction to rows: blocks start from the neutral row, and the result, still neutral, is combined with each in order.
// CHECK-LABEL: func.func private @sum_of_rows_part0
// CHECK: scf.for %[[BLOCK:[^ ]*]] =
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[BLOCK]], %{{.*}}] : memref<?x?xf64>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: arith.addf
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[BLOCK]], %{{.*}}] : memref<?x?xf64>
// CHECK-LABEL: func.func @sum_of_rows
// CHECK: scf.if
// CHECK: else
// CHECK: %[[ROWS:.*]] = memref.alloc(
// POOL: call @tl_parallel
// CHECK: scf.for %[[NUMBER:.*]] = %c0
// CHECK: memref.load %[[ROWS]][%[[NUMBER]],
// CHECK: arith.addf
// CHECK: memref.dealloc %[[ROWS]]
func.func @sum_of_rows(%x: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %z = tensor.splat %zero[%m] : tensor<?xf64>
  %r = "soac.reduce"(%n, %x, %z) ({
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>):
    %s = "soac.map"(%m, %a, %b) ({
    ^bb0(%i: index, %p: f64, %q: f64):
      %t = arith.addf %p, %q : f64
      "soac.yield"(%t) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%s) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
