// What small launches leave of arrays is written by the large launch before them.
// RUN: tapeless-opt --split-input-file --recipes-borders %s | filecheck %s

// A thread for each element: the middle is computed, the border loaded, and one store writes both.
// CHECK-LABEL: func.func @kept(
// CHECK-SAME: %[[OLD:.*]]: memref<6x9xf32>, %[[NEW:.*]]: memref<6x9xf32>
// CHECK: scf.for %[[X:.*]] = %{{.*}} to %c6
// CHECK: scf.for %[[Y:.*]] = %{{.*}} to %c9
// CHECK: arith.cmpi uge, %[[X]], %c1
// CHECK: %[[MIDDLE:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK: memref.load %[[OLD]]
// CHECK: memref.load %[[OLD]]
// CHECK: arith.addf
// CHECK: } else {
// CHECK: %[[BORDER:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK: memref.load %[[OLD]][%[[X]], %[[Y]]]
// CHECK: arith.select
// CHECK: memref.store %{{.*}}, %[[NEW]][%[[X]], %[[Y]]]
// CHECK-NOT: memref.store
// CHECK: } {tapeless.launch = "each thread", tapeless.parallel}
// CHECK-NOT: scf.for
func.func @kept(%old: memref<6x9xf32>, %new: memref<6x9xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = arith.addi %i, %c1 : index
    %below = arith.addi %i, %c2 : index
    scf.for %j = %c0 to %c7 step %c1 {
      %y = arith.addi %j, %c1 : index
      %a = memref.load %old[%i, %y] : memref<6x9xf32>
      %b = memref.load %old[%below, %y] : memref<6x9xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %new[%x, %y] : memref<6x9xf32>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c1 step %c1 {
    scf.for %j = %c0 to %c9 step %c1 {
      %a = memref.load %old[%i, %j] : memref<6x9xf32>
      memref.store %a, %new[%i, %j] : memref<6x9xf32>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c1 step %c1 {
    %x = arith.addi %c5, %i : index
    scf.for %j = %c0 to %c9 step %c1 {
      %a = memref.load %old[%x, %j] : memref<6x9xf32>
      memref.store %a, %new[%x, %j] : memref<6x9xf32>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %k = %c0 to %c1 step %c1 {
    scf.for %i = %c0 to %c4 step %c1 {
      %x = arith.addi %i, %c1 : index
      %a = memref.load %old[%x, %k] : memref<6x9xf32>
      memref.store %a, %new[%x, %k] : memref<6x9xf32>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %k = %c0 to %c1 step %c1 {
    %y = arith.addi %c8, %k : index
    scf.for %i = %c0 to %c4 step %c1 {
      %x = arith.addi %i, %c1 : index
      %a = memref.load %old[%x, %y] : memref<6x9xf32>
      memref.store %a, %new[%x, %y] : memref<6x9xf32>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// -----

// A sum on the border by way of an array of its own: the array goes, and the sum is of what the thread has.
// CHECK-LABEL: func.func @added(
// CHECK-SAME: %[[OLD:.*]]: memref<8xf64>, %[[NEW:.*]]: memref<8xf64>
// CHECK-NOT: memref.alloc
// CHECK: scf.for %[[T:.*]] = %{{.*}} to %c8
// CHECK: %[[MIDDLE:.*]] = scf.if %{{.*}} -> (f64) {
// CHECK: arith.mulf
// CHECK: %[[BEFORE:.*]] = scf.if %{{.*}} -> (f64) {
// CHECK: memref.load %[[OLD]][%[[T]]]
// CHECK: %[[SUM:.*]] = arith.addf %[[BEFORE]], %[[MIDDLE]]
// CHECK: %[[FIRST:.*]] = arith.select %{{.*}}, %[[SUM]], %[[MIDDLE]]
// CHECK: %[[LAST:.*]] = arith.select %{{.*}}, %cst{{.*}}, %[[FIRST]]
// CHECK: memref.store %[[LAST]], %[[NEW]][%[[T]]]
// CHECK-NOT: scf.for
memref.global "private" constant @zeros : memref<1xf64> = dense<0.0>
func.func @added(%old: memref<8xf64>, %new: memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zeros = memref.get_global @zeros : memref<1xf64>
  %sums = memref.alloc() : memref<1xf64>
  scf.for %i = %c0 to %c7 step %c1 {
    %a = memref.load %old[%i] : memref<8xf64>
    %b = arith.mulf %a, %a : f64
    memref.store %b, %new[%i] : memref<8xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c1 step %c1 {
    %a = memref.load %old[%i] : memref<8xf64>
    %b = memref.load %new[%i] : memref<8xf64>
    %s = arith.addf %a, %b : f64
    memref.store %s, %sums[%i] : memref<1xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c1 step %c1 {
    %s = memref.load %sums[%i] : memref<1xf64>
    memref.store %s, %new[%i] : memref<8xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c1 step %c1 {
    %x = arith.addi %i, %c7 : index
    %z = memref.load %zeros[%i] : memref<1xf64>
    memref.store %z, %new[%x] : memref<8xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  memref.dealloc %sums : memref<1xf64>
  return
}

// -----

// A border that is computed from what the large launch writes elsewhere has to wait for it.
// CHECK-LABEL: func.func @waits(
// CHECK: scf.for
// CHECK: } {tapeless.launch = "each thread", tapeless.parallel}
// CHECK: scf.for
// CHECK: } {tapeless.launch = "each thread", tapeless.parallel}
func.func @waits(%old: memref<8xf64>, %new: memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    %a = memref.load %old[%i] : memref<8xf64>
    memref.store %a, %new[%i] : memref<8xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c1 step %c1 {
    %x = arith.addi %i, %c7 : index
    %a = memref.load %new[%i] : memref<8xf64>
    memref.store %a, %new[%x] : memref<8xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// -----

// Without the rest of the array, nothing changes: elements that nobody writes must stay what they are.
// CHECK-LABEL: func.func @partly(
// CHECK: to %c6
// CHECK: } {tapeless.launch = "each thread", tapeless.parallel}
// CHECK: to %c1
func.func @partly(%old: memref<8xf64>, %new: memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c6 step %c1 {
    %a = memref.load %old[%i] : memref<8xf64>
    memref.store %a, %new[%i] : memref<8xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c1 step %c1 {
    %x = arith.addi %i, %c6 : index
    %a = memref.load %old[%x] : memref<8xf64>
    memref.store %a, %new[%x] : memref<8xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// -----

// A launch that reads what it writes elsewhere in the array, in other threads, stays as it is.
// CHECK-LABEL: func.func @moved(
// CHECK: scf.for
// CHECK: } {tapeless.launch = "each thread", tapeless.parallel}
// CHECK: scf.for
func.func @moved(%new: memref<2x8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    %x = arith.addi %i, %c1 : index
    %a = memref.load %new[%c0, %x] : memref<2x8xf64>
    memref.store %a, %new[%c0, %i] : memref<2x8xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c1 step %c1 {
    %x = arith.addi %i, %c7 : index
    %a = memref.load %new[%c1, %x] : memref<2x8xf64>
    memref.store %a, %new[%c0, %x] : memref<2x8xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// -----

// An array that the large launch fills is stored to where it was, by threads that have an element of the middle.
// CHECK-LABEL: func.func @beside(
// CHECK-SAME: %[[OLD:.*]]: memref<9xf32>, %[[NEW:.*]]: memref<9xf32>, %[[KEPT:.*]]: memref<5x7xf32>, %[[ROW:.*]]: index
// CHECK: scf.for %[[X:.*]] = %{{.*}} to %c9
// CHECK: %[[I:.*]] = arith.subi %[[X]], %c1
// CHECK: scf.if %{{.*}} -> (f32) {
// CHECK: memref.store %{{.*}}, %[[KEPT]][%[[ROW]], %[[I]]]
// CHECK: } else {
// CHECK: memref.store %{{.*}}, %[[NEW]][%[[X]]]
// CHECK-NOT: memref.store
// CHECK: return
func.func @beside(%old: memref<9xf32>, %new: memref<9xf32>, %kept: memref<5x7xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c7 step %c1 {
    %x = arith.addi %i, %c1 : index
    %a = memref.load %old[%i] : memref<9xf32>
    %b = memref.load %old[%x] : memref<9xf32>
    %s = arith.addf %a, %b : f32
    %t = arith.mulf %s, %s : f32
    memref.store %s, %kept[%row, %i] : memref<5x7xf32>
    memref.store %t, %new[%x] : memref<9xf32>
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c1 step %c1 {
    %a = memref.load %old[%i] : memref<9xf32>
    memref.store %a, %new[%i] : memref<9xf32>
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c1 step %c1 {
    %x = arith.addi %i, %c8 : index
    %a = memref.load %old[%x] : memref<9xf32>
    memref.store %a, %new[%x] : memref<9xf32>
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// -----

// What was stored beside is looked at by the next launch: they stay apart.
// CHECK-LABEL: func.func @looked_at(
// CHECK: scf.for %{{.*}} to %c7
// CHECK: scf.for
// CHECK: return
func.func @looked_at(%old: memref<9xf32>, %new: memref<9xf32>, %kept: memref<7xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    %a = memref.load %old[%i] : memref<9xf32>
    memref.store %a, %kept[%i] : memref<7xf32>
    memref.store %a, %new[%i] : memref<9xf32>
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c2 step %c1 {
    %x = arith.addi %i, %c7 : index
    %a = memref.load %kept[%i] : memref<7xf32>
    memref.store %a, %new[%x] : memref<9xf32>
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// -----

// Threads in the middle, far enough from all borders that are added to or kept, do without a look at these.
// CHECK-LABEL: func.func @middle(
// CHECK-SAME: %[[OLD:.*]]: memref<100xf32>, %[[NEW:.*]]: memref<100xf32>
// CHECK: scf.for %[[X:.*]] = %{{.*}} to %c100
// CHECK: %[[INNER:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK: arith.cmpi uge, %[[X]], %c2
// CHECK: arith.cmpi ult, %[[X]], %c99
// CHECK: %[[FINAL:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK-NEXT: scf.yield %[[INNER]] : f32
// CHECK-NEXT: } else {
// CHECK: arith.addf
// CHECK: memref.store %[[FINAL]], %[[NEW]][%[[X]]]
// CHECK-NOT: memref.store
// CHECK: return
func.func @middle(%old: memref<100xf32>, %new: memref<100xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c98 = arith.constant 98 : index
  %c99 = arith.constant 99 : index
  scf.for %i = %c0 to %c98 step %c1 {
    %x = arith.addi %i, %c1 : index
    %a = memref.load %old[%i] : memref<100xf32>
    memref.store %a, %new[%x] : memref<100xf32>
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c1 step %c1 {
    %a = memref.load %old[%i] : memref<100xf32>
    memref.store %a, %new[%i] : memref<100xf32>
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c1 step %c1 {
    %x = arith.addi %i, %c99 : index
    %a = memref.load %old[%x] : memref<100xf32>
    memref.store %a, %new[%x] : memref<100xf32>
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c1 step %c1 {
    %x = arith.addi %i, %c1 : index
    %a = memref.load %new[%x] : memref<100xf32>
    %b = memref.load %old[%i] : memref<100xf32>
    %s = arith.addf %a, %b : f32
    memref.store %s, %new[%x] : memref<100xf32>
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}
