// lower-fuse-reductions lets loops that sum into memory carry the sums of what they would store for the next loop.
// RUN: tapeless-opt --lower-fuse-reductions %s | filecheck %s

// CHECK-LABEL: func.func @two_sums
// CHECK-NOT: memref.alloc
// CHECK: %[[SUMS:.*]]:2 = scf.for %[[I:.*]] = %c0 to %{{.*}} step %c1 iter_args(%[[A:.*]] = %cst, %[[B:.*]] = %cst)
// CHECK: %[[X:.*]] = memref.load %arg0[%[[I]]]
// CHECK: memref.store %{{.*}}, %arg1[%c0]
// CHECK: %[[P:.*]] = arith.addf %[[A]], %[[X]]
// CHECK: %[[Q:.*]] = arith.addf %{{.*}}, %[[B]]
// CHECK: scf.yield %[[P]], %[[Q]]
// CHECK: } {tapeless.accumulating}
// CHECK-NEXT: return %[[SUMS]]#0, %[[SUMS]]#1
func.func @two_sums(%x: memref<?xf64>, %y: memref<?xf64>) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %s = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf64>
    %b = arith.mulf %a, %a : f64
    %old = memref.load %y[%c0] : memref<?xf64>
    %new = arith.addf %old, %a {tapeless.accumulate} : f64
    memref.store %new, %y[%c0] : memref<?xf64>
    memref.store %a, %s[%i] : memref<?xf64>
    memref.store %b, %t[%i] : memref<?xf64>
  } {tapeless.accumulating}
  %p = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> f64 {
    %a = memref.load %s[%i] : memref<?xf64>
    %b = arith.addf %sum, %a : f64
    scf.yield %b : f64
  }
  memref.dealloc %s : memref<?xf64>
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> f64 {
    %a = memref.load %t[%i] : memref<?xf64>
    %b = arith.addf %a, %sum : f64
    scf.yield %b : f64
  }
  memref.dealloc %t : memref<?xf64>
  return %p, %q : f64, f64
}

// What is read twice, over other iterations, or in a loop that LLVM vectorises stays in memory.
// CHECK-LABEL: func.func @kept
// CHECK: memref.alloc
// CHECK: } {tapeless.accumulating}
// CHECK: %[[P:.*]] = scf.for
// CHECK: %[[Q:.*]] = scf.for
// CHECK: scf.for
// CHECK: } {tapeless.parallel}
// CHECK: %[[R:.*]] = scf.for
// CHECK: return %[[P]], %[[Q]], %[[R]]
func.func @kept(%x: memref<?xf64>, %y: memref<?xf64>, %m: index) -> (f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %s = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n) : memref<?xf64>
  %u = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf64>
    %old = memref.load %y[%c0] : memref<?xf64>
    %new = arith.addf %old, %a {tapeless.accumulate} : f64
    memref.store %new, %y[%c0] : memref<?xf64>
    memref.store %a, %s[%i] : memref<?xf64>
    memref.store %a, %t[%i] : memref<?xf64>
  } {tapeless.accumulating}
  %p = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> f64 {
    %a = memref.load %s[%i] : memref<?xf64>
    %b = arith.addf %sum, %a : f64
    scf.yield %b : f64
  }
  %first = memref.load %s[%c0] : memref<?xf64>
  %q = scf.for %i = %c0 to %m step %c1 iter_args(%sum = %first) -> f64 {
    %a = memref.load %t[%i] : memref<?xf64>
    %b = arith.addf %sum, %a : f64
    scf.yield %b : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf64>
    memref.store %a, %u[%i] : memref<?xf64>
  } {tapeless.parallel}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> f64 {
    %a = memref.load %u[%i] : memref<?xf64>
    %b = arith.addf %sum, %a : f64
    scf.yield %b : f64
  }
  return %p, %q, %r : f64, f64, f64
}
