// lower-scalar-replacement keeps what an iteration stores for the next one to load in registers.
// RUN: tapeless-opt --lower-scalar-replacement %s | filecheck %s --check-prefixes=CHECK,WIDE
// RUN: tapeless-opt --lower-scalar-replacement="vector-bits=128" %s | filecheck %s --check-prefixes=CHECK,PAIR

// What the next iteration stores again is stored once, after the last iteration for the last cell.
// CHECK-LABEL: func.func @neighbours
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %c0, %{{.*}} : index
// CHECK: scf.if %[[RUNS]] {
// CHECK: %[[FIRST:.*]] = memref.load %arg0[%c0, %c1]
// CHECK: %[[LAST:.*]] = scf.for %[[I:.*]] = %c0 to %[[N:.*]] step %c1 iter_args(%[[KEPT:.*]] = %[[FIRST]]) -> (f64) {
// CHECK: %[[NEXT:.*]] = memref.load %arg0[%{{.*}}, %c1]
// CHECK-NOT: memref.load
// CHECK: memref.store %{{.*}}, %arg0[%[[I]], %c1]
// CHECK-NOT: memref.store
// CHECK: scf.yield
// CHECK: %[[END:.*]] = arith.subi %[[N]]
// CHECK: %[[PLACE:.*]] = arith.addi %[[END]], %c1
// CHECK: memref.store %[[LAST]], %arg0[%[[PLACE]], %c1]
func.func @neighbours(%d: memref<?x3xf64>, %v: f64) attributes {tapeless.abi = ""} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %d, %c0 : memref<?x3xf64>
  %n = arith.subi %m, %c1 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c1 : index
    %a = memref.load %d[%j, %c1] : memref<?x3xf64>
    %b = memref.load %d[%i, %c1] : memref<?x3xf64>
    %p = arith.addf %a, %v : f64
    %q = arith.subf %b, %v : f64
    memref.store %p, %d[%j, %c1] : memref<?x3xf64>
    memref.store %q, %d[%i, %c1] : memref<?x3xf64>
  }
  return
}

// A recurrence stores every cell, and loads none but the first; what the loop carried before it still does. Stores come
// last where registers hold more than two numbers.
// CHECK-LABEL: func.func @recurrence
// CHECK: %[[SUM:.*]] = scf.if %{{.*}} -> (f64) {
// CHECK: %[[R:.*]]:2 = scf.for %{{.*}} iter_args(%[[S:.*]] = %arg1, %[[Y:.*]] = %{{.*}}) -> (f64, f64) {
// CHECK: %[[NEW:.*]] = arith.mulf %[[Y]], %arg1
// PAIR: memref.store %[[NEW]]
// CHECK: %[[T:.*]] = arith.addf %[[S]], %[[NEW]]
// WIDE: memref.store %[[NEW]]
// CHECK: scf.yield %[[T]], %[[NEW]]
// CHECK: scf.yield %[[R]]#0
// CHECK: } else {
// CHECK: scf.yield %arg1
// CHECK: return %[[SUM]]
func.func @recurrence(%y: memref<?xf64>, %v: f64) -> f64 attributes {tapeless.abi = ""} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : memref<?xf64>
  %sum = scf.for %i = %c1 to %n step %c1 iter_args(%s = %v) -> f64 {
    %j = arith.subi %i, %c1 : index
    %a = memref.load %y[%j] : memref<?xf64>
    %b = arith.mulf %a, %v : f64
    memref.store %b, %y[%i] : memref<?xf64>
    %c = memref.load %y[%i] : memref<?xf64>
    %t = arith.addf %s, %c : f64
    scf.yield %t : f64
  }
  return %sum : f64
}

// Loops stay where another array may be the same memory, where an index is data, where iterations stand apart or move by
// two, and where a cell that is loaded was not stored by the iteration before.
// CHECK-LABEL: func.func @untouched
// CHECK-NOT: iter_args
// CHECK: return
func.func @untouched(%y: memref<?xf64>, %d: memref<?x3xf64>, %k: memref<?xindex>, %v: f64) attributes {tapeless.abi = ""} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %y, %c0 : memref<?xf64>
  %part = memref.subview %y[0] [%n] [1] : memref<?xf64> to memref<?xf64, strided<[1]>>
  scf.for %i = %c1 to %n step %c1 {
    %j = arith.subi %i, %c1 : index
    %a = memref.load %y[%j] : memref<?xf64>
    %x = memref.load %part[%i] : memref<?xf64, strided<[1]>>
    %b = arith.addf %a, %x : f64
    memref.store %b, %y[%i] : memref<?xf64>
  }
  scf.for %i = %c1 to %n step %c1 {
    %j = arith.subi %i, %c1 : index
    %at = memref.load %k[%i] : memref<?xindex>
    %a = memref.load %d[%j, %c0] : memref<?x3xf64>
    memref.store %a, %d[%i, %at] : memref<?x3xf64>
  }
  scf.for %i = %c1 to %n step %c1 {
    %j = arith.subi %i, %c1 : index
    %a = memref.load %y[%j] : memref<?xf64>
    memref.store %a, %y[%i] : memref<?xf64>
  } {tapeless.parallel}
  scf.for %i = %c1 to %n step %c2 {
    %j = arith.subi %i, %c1 : index
    %a = memref.load %y[%j] : memref<?xf64>
    memref.store %a, %y[%i] : memref<?xf64>
  }
  scf.for %i = %c2 to %n step %c1 {
    %j = arith.subi %i, %c2 : index
    %a = memref.load %y[%j] : memref<?xf64>
    memref.store %a, %y[%i] : memref<?xf64>
  }
  scf.for %i = %c1 to %n step %c1 {
    %j = arith.subi %i, %c1 : index
    %a = memref.load %d[%j, %c0] : memref<?x3xf64>
    memref.store %a, %d[%i, %c1] : memref<?x3xf64>
  }
  return
}

// Iterations that hand on a cell wait for one another: the marks of sums into memory in any order go.
// CHECK-LABEL: func.func @sums_of_neighbours
// CHECK: scf.for %{{.*}} iter_args
// CHECK-NOT: tapeless.accumulat
// CHECK: return
func.func @sums_of_neighbours(%x: memref<?xf64>, %d: memref<?xf64>) attributes {tapeless.abi = ""} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %j = arith.addi %i, %c1 : index
    %v = memref.load %x[%i] : memref<?xf64>
    %a = memref.load %d[%j] : memref<?xf64>
    %p = arith.addf %a, %v {tapeless.accumulate} : f64
    memref.store %p, %d[%j] : memref<?xf64>
    %b = memref.load %d[%i] : memref<?xf64>
    %q = arith.addf %b, %v {tapeless.accumulate} : f64
    memref.store %q, %d[%i] : memref<?xf64>
  } {tapeless.accumulating}
  return
}

// Arguments of a function that is no kernel may be parts of one array.
// CHECK-LABEL: func.func @part
// CHECK-NOT: iter_args
// CHECK: return
func.func @part(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %y, %c0 : memref<?xf64>
  scf.for %i = %c1 to %n step %c1 {
    %j = arith.subi %i, %c1 : index
    %a = memref.load %y[%j] : memref<?xf64>
    %b = memref.load %x[%i] : memref<?xf64>
    %c = arith.addf %a, %b : f64
    memref.store %c, %y[%i] : memref<?xf64>
  }
  return
}

// The function of a part has pointers that overlap no others, too; where threads add to the same cells, they stay there.
// CHECK-LABEL: func.func private @pointers
// CHECK: scf.for %{{.*}} iter_args
// CHECK: scf.for %{{[^(]*}} {
// CHECK: tapeless.atomic
func.func private @pointers(%p: !llvm.ptr {llvm.noalias}, %n: index, %v: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %all = llvm.insertvalue %p, %none[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %y = builtin.unrealized_conversion_cast %all : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c1 : index
    %a = memref.load %y[%i] : memref<?xf64>
    %b = arith.addf %a, %v : f64
    memref.store %b, %y[%j] : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c1 : index
    %a = memref.load %y[%i] : memref<?xf64>
    %b = arith.addf %a, %v {tapeless.atomic} : f64
    memref.store %b, %y[%i] : memref<?xf64>
    %c = memref.load %y[%j] : memref<?xf64>
    %d = arith.addf %c, %v {tapeless.atomic} : f64
    memref.store %d, %y[%j] : memref<?xf64>
  }
  return
}
