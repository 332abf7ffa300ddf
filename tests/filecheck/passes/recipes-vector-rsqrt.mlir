// recipes-vector-rsqrt computes reciprocal roots of several iterations in lanes.
// RUN: tapeless-opt --recipes-vector-rsqrt="vector-bits=128" %s | filecheck %s
// RUN: tapeless-opt --recipes-vector-rsqrt="vector-bits=512" %s | filecheck %s --check-prefix=WIDE

// What roots need is read for all of eight iterations first, what is computed of them runs in lanes, and the rest in turn.
// CHECK-LABEL: func.func @chain(
// CHECK: %[[LEFT:.*]] = arith.remsi
// CHECK: %[[WHOLE:.*]] = arith.subi %{{.*}}, %[[LEFT]]
// CHECK: %[[STOP:.*]] = arith.addi %{{.*}}, %[[WHOLE]]
// CHECK: %[[LAST:.*]] = scf.for %{{.*}} = %{{.*}} to %[[STOP]] step %{{.*}} iter_args(%[[CELL:.*]] = %arg3) -> (f64) {
// CHECK-COUNT-8: memref.load %arg0
// CHECK-NEXT: %[[ALL:.*]] = vector.from_elements {{.*}} : vector<8xf64>
// CHECK-NEXT: %[[ROOTS:.*]] = math.rsqrt %[[ALL]] {tapeless.normal} : vector<8xf64>
// CHECK-NEXT: %[[FACTOR:.*]] = vector.broadcast %arg3 : f64 to vector<8xf64>
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[ROOTS]], %[[FACTOR]] : vector<8xf64>
// CHECK-NEXT: %[[FIRST:.*]] = vector.extract %[[SCALED]][0] : f64 from vector<8xf64>
// CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[CELL]], %[[FIRST]]
// CHECK-NEXT: memref.store %[[NEXT]], %arg1
// CHECK-COUNT-7: memref.store {{.*}}, %arg1
// CHECK-NEXT: scf.yield
// CHECK: scf.for %{{.*}} = %[[STOP]] to %arg2 step %{{.*}} iter_args(%{{.*}} = %[[LAST]]) -> (f64) {
// CHECK: math.rsqrt %{{.*}} {tapeless.normal} : f64
// CHECK: } {loop_annotation
// Of such a chain LLVM makes wide lanes by itself.
// WIDE-LABEL: func.func @chain(
// WIDE-NOT: vector.
// WIDE: return
func.func @chain(%a: memref<?xf64>, %g: memref<?xf64>, %n: index, %k: f64) -> f64
    attributes {tapeless.abi = ""} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%cell = %k) -> (f64) {
    %x = memref.load %a[%i] : memref<?xf64>
    %r = math.rsqrt %x {tapeless.normal} : f64
    %s = arith.mulf %r, %k : f64
    %next = arith.addf %cell, %s : f64
    memref.store %next, %g[%i] : memref<?xf64>
    scf.yield %next : f64
  }
  return %last : f64
}

// Products that become one instruction with sums of the rest stay with these; an element that a root picks is read apart.
// CHECK-LABEL: func.func @picked(
// CHECK: math.rsqrt {{.*}} : vector<8xf64>
// CHECK: %[[PLACES:.*]] = arith.index_cast {{.*}} : vector<8xi64> to vector<8xindex>
// CHECK: %[[PLACE:.*]] = vector.extract %[[PLACES]][0] : index from vector<8xindex>
// CHECK: memref.load %arg0[%[[PLACE]]]
// CHECK-COUNT-8: arith.mulf {{.*}} {tapeless.fused} : f64
func.func @picked(%a: memref<?xf64>, %g: memref<?xf64>, %n: index, %k: f64) -> f64
    attributes {tapeless.abi = ""} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%cell = %k) -> (f64) {
    %x = memref.load %a[%i] : memref<?xf64>
    %r = math.rsqrt %x {tapeless.normal} : f64
    %whole = arith.fptosi %r : f64 to i64
    %place = arith.index_cast %whole : i64 to index
    %y = memref.load %a[%place] : memref<?xf64>
    %p = arith.mulf %y, %k fastmath<contract> {tapeless.fused} : f64
    %next = arith.addf %cell, %p fastmath<contract> : f64
    memref.store %next, %g[%i] : memref<?xf64>
    scf.yield %next : f64
  }
  return %last : f64
}

// LLVM makes lanes of a map of neighbours, four of them beside each other where they are pairs; of rows it does not.
// CHECK-LABEL: func.func @maps(
// CHECK: scf.for
// CHECK-NOT: vector.
// CHECK: } {loop_annotation = #{{.*}}, tapeless.parallel}
// CHECK: scf.for
// CHECK: math.rsqrt {{.*}} : vector<8xf64>
// CHECK: scf.for
// CHECK-NOT: tapeless.parallel
// WIDE-LABEL: func.func @maps(
// WIDE: } {tapeless.parallel}
// WIDE: math.rsqrt {{.*}} : vector<8xf64>
// WIDE: return
func.func @maps(%a: memref<?xf64>, %b: memref<?xf64>, %c: memref<?x2xf64>, %n: index)
    attributes {tapeless.abi = ""} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %r = math.rsqrt %x {tapeless.normal} : f64
    memref.store %r, %b[%i] : memref<?xf64>
  } {tapeless.parallel}
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %c[%i, %c1] : memref<?x2xf64>
    %r = math.rsqrt %x {tapeless.normal} : f64
    memref.store %r, %b[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// Where an iteration decides what a later one reads, nothing is done ahead; nor for roots that have to be right everywhere.
// CHECK-LABEL: func.func @recurrences(
// CHECK-NOT: vector.
// CHECK: return
func.func @recurrences(%a: memref<?xf64>, %b: memref<?xf64>, %n: index)
    attributes {tapeless.abi = ""} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %next = arith.addi %i, %c1 : index
    %x = memref.load %a[%i] : memref<?xf64>
    %r = math.rsqrt %x {tapeless.normal} : f64
    memref.store %r, %a[%next] : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %r = math.rsqrt %x : f64
    memref.store %r, %b[%i] : memref<?xf64>
  }
  return
}
