// Memory that every iteration of a loop takes and gives back is taken once.
// RUN: tapeless-opt --lower-hoist-buffers %s | filecheck %s

// Sizes are computed in front of the outermost loop that does not change them, past branches; there they are at least
// zero. The loops are no longer independent.
// CHECK-LABEL: func.func @panels(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[M:[^:]*]]: index
// CHECK: %[[TWICE:.*]] = arith.addi %[[M]], %[[M]]
// CHECK: %[[SIZE:.*]] = arith.maxsi %[[TWICE]], %{{.*}} : index
// CHECK: %[[PANEL:.*]] = memref.alloc(%[[SIZE]]) : memref<?x8xf64>
// CHECK: scf.for
// CHECK: scf.if
// CHECK-NOT: memref.alloc
// CHECK: memref.store %{{.*}}, %[[PANEL]]
// CHECK-NOT: tapeless.parallel
// CHECK: memref.dealloc %[[PANEL]]
// CHECK-NEXT: return
func.func @panels(%n: index, %m: index, %x: memref<?xf64>, %is_long: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %e = memref.load %x[%i] : memref<?xf64>
    scf.if %is_long {
      %size = arith.addi %m, %m : index
      %panel = memref.alloc(%size) : memref<?x8xf64>
      scf.for %j = %c0 to %size step %c1 {
        memref.store %e, %panel[%j, %c0] : memref<?x8xf64>
      }
      memref.dealloc %panel : memref<?x8xf64>
    }
  } {tapeless.parallel}
  return
}

// A size that every iteration changes stays in the loop; the loop inside does not change it.
// CHECK-LABEL: func.func @growing(
// CHECK: scf.for %[[I:.*]] = {{.*}} {
// CHECK: %[[SIZE:.*]] = arith.maxsi %[[I]], %{{.*}} : index
// CHECK-NEXT: %[[ROW:.*]] = memref.alloc(%[[SIZE]]) : memref<?xf64>
// CHECK-NEXT: scf.for
// CHECK: memref.dealloc %[[ROW]]
// CHECK-NEXT: } {tapeless.parallel}
func.func @growing(%n: index, %e: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %row = memref.alloc(%i) : memref<?xf64>
      memref.store %e, %row[%c0] : memref<?xf64>
      memref.dealloc %row : memref<?xf64>
    } {tapeless.parallel}
  } {tapeless.parallel}
  return
}

// A division by what may be zero, a size that is read from memory, memory of no loop, and memory that another block
// gives back stay.
// CHECK-LABEL: func.func @kept(
// CHECK: memref.alloc(%{{.*}}) : memref<?xf64>
// CHECK: scf.for
// CHECK: arith.divui
// CHECK-NEXT: memref.alloc
// CHECK: memref.load
// CHECK-NEXT: memref.alloc
// CHECK: memref.alloc
// CHECK: scf.if
// CHECK: memref.dealloc
// CHECK: return
func.func @kept(%n: index, %m: index, %sizes: memref<?xindex>, %is_last: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %outside = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %part = arith.divui %n, %m : index
    %a = memref.alloc(%part) : memref<?xf64>
    memref.dealloc %a : memref<?xf64>
    %size = memref.load %sizes[%c0] : memref<?xindex>
    %b = memref.alloc(%size) : memref<?xf64>
    memref.dealloc %b : memref<?xf64>
    %c = memref.alloc(%n) : memref<?xf64>
    scf.if %is_last {
      memref.dealloc %c : memref<?xf64>
    }
  }
  memref.dealloc %outside : memref<?xf64>
  return
}

// A loop that carries memory takes its own in every iteration: LLVM could not tell it from what is carried.
// CHECK-LABEL: func.func @carried(
// CHECK: scf.for
// CHECK: memref.alloc
// CHECK: memref.dealloc
// CHECK: return
func.func @carried(%n: index, %start: memref<?xf64>, %e: f64) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%state = %start) -> memref<?xf64> {
    %panel = memref.alloc(%n) : memref<?xf64>
    memref.store %e, %panel[%c0] : memref<?xf64>
    memref.dealloc %panel : memref<?xf64>
    scf.yield %state : memref<?xf64>
  }
  return %last : memref<?xf64>
}
