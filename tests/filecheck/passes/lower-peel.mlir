// lower-peel cuts loops where guards change: what lies between runs without them.
// RUN: tapeless-opt --lower-peel %s | filecheck %s

// CHECK-LABEL: func.func @one_axis
// CHECK: %[[FIRST:.*]] = arith.minsi %{{.*}}, %arg2
// CHECK: %[[LAST:.*]] = arith.maxsi %{{.*}}, %[[FIRST]]
// CHECK: scf.for %[[I:.*]] = %[[FIRST]] to %[[LAST]] step
// CHECK-NOT: scf.if
// CHECK: arith.addf
// CHECK: } {tapeless.parallel}
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step
// CHECK: arith.select
// CHECK: %[[LOW:.*]] = arith.cmpi sge
// CHECK: %[[HIGH:.*]] = arith.cmpi slt
// CHECK: %[[BOTH:.*]] = arith.andi %[[LOW]], %[[HIGH]]
// CHECK: scf.if %[[BOTH]]
// CHECK: } {loop_annotation
// CHECK-NOT: tapeless.guard
// CHECK: return
func.func @one_axis(%x: memref<?xf64>, %y: memref<?xf64>, %n: index, %low: index, %high: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf64>
    %above = arith.cmpi sge, %i, %low {tapeless.guard} : index
    %below = arith.cmpi slt, %i, %high {tapeless.guard} : index
    %both = arith.andi %above, %below : i1
    %b = scf.if %both -> (f64) {
      %k = arith.subi %i, %low : index
      %c = memref.load %y[%k] : memref<?xf64>
      %d = arith.addf %a, %c : f64
      scf.yield %d : f64
    } else {
      scf.yield %a : f64
    }
    memref.store %b, %x[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// Loops that carry values keep their order.
// CHECK-LABEL: func.func @carried
// CHECK: %[[BEFORE:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %cst)
// CHECK: scf.if
// CHECK: %[[MIDDLE:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[BEFORE]])
// CHECK-NOT: scf.if
// CHECK: %[[AFTER:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[MIDDLE]])
// CHECK: scf.if
// CHECK: return %[[AFTER]]
func.func @carried(%x: memref<?xf64>, %n: index, %low: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %above = arith.cmpi sge, %i, %low {tapeless.guard} : index
    %b = scf.if %above -> (f64) {
      %k = arith.subi %i, %low : index
      %c = memref.load %x[%k] : memref<?xf64>
      scf.yield %c : f64
    } else {
      scf.yield %zero : f64
    }
    %t = arith.addf %s, %b : f64
    scf.yield %t : f64
  }
  return %sum : f64
}

// Comparisons of a program are no guards.
// CHECK-LABEL: func.func @not_marked
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @not_marked(%x: memref<?xf64>, %n: index, %low: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %above = arith.cmpi sge, %i, %low : index
    scf.if %above {
      memref.store %zero, %x[%i] : memref<?xf64>
    }
  } {tapeless.parallel}
  return
}

// The innermost loops of a border are cut as well. What guards of the outer axis decide is chosen there without branches.
// CHECK-LABEL: func.func @two_axes
// Inside along both axes:
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: } {tapeless.parallel}
// Borders of rows inside keep their branches:
// CHECK: scf.for
// CHECK: scf.if
// CHECK: } {loop_annotation
// CHECK: } {tapeless.parallel}
// Rows of the border, unless there is nothing to read:
// CHECK: scf.for
// CHECK: %[[SOME:.*]] = arith.cmpi sge
// CHECK: %[[ROWS:.*]] = arith.cmpi sgt, %{{.*}}, %{{.*}} : index
// CHECK: %[[COLUMNS:.*]] = arith.cmpi sgt, %{{.*}}, %{{.*}} : index
// CHECK: %[[BOTH:.*]] = arith.andi %[[ROWS]], %[[COLUMNS]]
// CHECK: %[[LAST:.*]] = arith.select %[[BOTH]]
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[LAST]] step
// CHECK-NOT: scf.if
// CHECK: %[[ROW:.*]] = arith.select %[[SOME]]
// CHECK: memref.load %arg1[%[[ROW]], %{{.*}}]
// CHECK: arith.select %[[SOME]]
// CHECK: } {tapeless.parallel}
// CHECK: scf.for
// CHECK: scf.if
// CHECK: } {loop_annotation
// CHECK: } {loop_annotation
func.func @two_axes(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    %below = arith.cmpi sge, %i, %c2 {tapeless.guard} : index
    %i2 = arith.subi %i, %c2 : index
    scf.for %j = %c0 to %m step %c1 {
      %a = memref.load %x[%i, %j] : memref<?x?xf64>
      %right = arith.cmpi sge, %j, %c1 {tapeless.guard} : index
      %both = arith.andi %below, %right : i1
      %b = scf.if %both -> (f64) {
        %j1 = arith.subi %j, %c1 : index
        %c = memref.load %y[%i2, %j1] : memref<?x?xf64>
        %d = arith.addf %a, %c : f64
        scf.yield %d : f64
      } else {
        scf.yield %a : f64
      }
      memref.store %b, %x[%i, %j] : memref<?x?xf64>
    } {tapeless.parallel}
  } {tapeless.parallel}
  return
}

// What is read under a guard is written in the loop: its borders keep their branches.
// CHECK-LABEL: func.func @written
// CHECK: arith.select
// CHECK: scf.for
// CHECK: scf.if
// CHECK-NOT: scf.for
// CHECK: return
func.func @written(%x: memref<?x?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %below = arith.cmpi sge, %i, %c1 {tapeless.guard} : index
    scf.for %j = %c0 to %m step %c1 {
      %right = arith.cmpi sge, %j, %c1 {tapeless.guard} : index
      %both = arith.andi %below, %right : i1
      %a = memref.load %x[%i, %j] : memref<?x?xf64>
      %b = scf.if %both -> (f64) {
        %c = memref.load %x[%i, %j] : memref<?x?xf64>
        %d = arith.negf %c : f64
        scf.yield %d : f64
      } else {
        scf.yield %a : f64
      }
      memref.store %b, %x[%i, %j] : memref<?x?xf64>
    } {tapeless.parallel}
  } {tapeless.parallel}
  return
}

// What a guard decides by way of choices, alternatives and opposites goes with it, and so does a branch not taken.
// CHECK-LABEL: func.func @decided
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK-NOT: arith.select
// CHECK: %[[K:.*]] = arith.subi
// CHECK: memref.load %{{.*}}[%[[K]]]
// CHECK-NOT: scf.if
// CHECK: } {tapeless.parallel}
// CHECK: scf.for
// CHECK: scf.if
func.func @decided(%x: memref<?xf64>, %y: memref<?xf64>, %n: index, %low: index, %some: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  scf.for %i = %c0 to %n step %c1 {
    %above = arith.cmpi sge, %i, %low {tapeless.guard} : index
    %before = arith.subi %i, %low : index
    %place = arith.select %above, %before, %c0 : index
    %below = arith.xori %above, %true : i1
    %either = arith.ori %above, %some : i1
    %never = arith.andi %below, %either : i1
    %a = memref.load %x[%place] : memref<?xf64>
    scf.if %never {
      memref.store %a, %y[%c0] : memref<?xf64>
    }
    scf.if %either {
      memref.store %a, %y[%i] : memref<?xf64>
    } else {
      memref.store %a, %y[%place] : memref<?xf64>
    }
  } {tapeless.parallel}
  return
}

// Iterations that may end the call keep their order: the first that fails is told of.
// CHECK-LABEL: func.func @failing
// CHECK: scf.for
// CHECK: arith.cmpi sge
// CHECK: scf.for
// CHECK-NOT: arith.cmpi sge
// CHECK: } {tapeless.parallel}
// CHECK: scf.for
// CHECK: arith.cmpi sge
func.func private @tl_fail(i64, i64, !llvm.ptr)
func.func @failing(%x: memref<?xf64>, %n: index, %low: index, %pointer: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %site = arith.constant 0 : i64
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %above = arith.cmpi sge, %i, %low {tapeless.guard} : index
    %place = arith.select %above, %i, %c0 : index
    %a = memref.load %x[%place] : memref<?xf64>
    %bad = arith.cmpf olt, %a, %zero : f64
    scf.if %bad {
      func.call @tl_fail(%site, %site, %pointer) : (i64, i64, !llvm.ptr) -> ()
    }
    memref.store %zero, %x[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}
