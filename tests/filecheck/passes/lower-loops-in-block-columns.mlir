// Sequential loops whose launches have the same independent iterations are one launch, whose threads go through the loop.
// RUN: tapeless-opt --lower-loops-in-block %s | filecheck %s

// Rows of a triangular system: a column of the right-hand sides needs that column alone.
// CHECK-LABEL: func.func @columns
// CHECK: arith.cmpi sle
// CHECK: %[[LITTLE:.*]] = arith.andi
// CHECK: scf.if %[[LITTLE]] {
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step
// CHECK: scf.for %[[T:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[D:.*]] = memref.load %{{.*}}[%[[T]]] : memref<?xf64>
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[T]] step
// CHECK: memref.load %{{.*}}[%[[K]], %[[J]]] : memref<?x?xf64>
// CHECK: arith.divf %{{.*}}, %[[D]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[J]]] : memref<?xf64>
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[T]], %[[J]]] : memref<?x?xf64>
// CHECK: } {tapeless.launch = "each thread", tapeless.parallel}
// CHECK-NEXT: } else {
// CHECK-NOT: tapeless.meeting
// CHECK: return
func.func @columns(%l: memref<?x?xf64>, %d: memref<?xf64>, %x: memref<?x?xf64>, %row: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  scf.for %t = %c0 to %n step %c1 {
    %diagonal = memref.load %d[%t] : memref<?xf64>
    scf.for %j = %c0 to %m step %c1 {
      %b = memref.load %x[%t, %j] : memref<?x?xf64>
      %s = scf.for %k = %c0 to %t step %c1 iter_args(%sum = %zero) -> (f64) {
        %e = memref.load %l[%t, %k] : memref<?x?xf64>
        %f = memref.load %x[%k, %j] : memref<?x?xf64>
        %g = arith.mulf %e, %f : f64
        %h = arith.addf %sum, %g : f64
        scf.yield %h : f64
      }
      %r = arith.subf %b, %s : f64
      %q = arith.divf %r, %diagonal : f64
      memref.store %q, %row[%j] : memref<?xf64>
    } {tapeless.launch = "each thread", tapeless.parallel}
    scf.for %j = %c0 to %m step %c1 {
      %q = memref.load %row[%j] : memref<?xf64>
      memref.store %q, %x[%t, %j] : memref<?x?xf64>
    } {tapeless.launch = "each thread", tapeless.parallel}
  }
  return
}

// A column that is read at another distance, a distance that changes with the loop, a number that the host reads of what
// the loop writes, and launches of different widths leave launches in sequence: no thread has a column for itself.
// CHECK-LABEL: func.func @neighbours
// CHECK: tapeless.meeting
func.func @neighbours(%x: memref<?x?xf64>, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  scf.for %t = %c1 to %n step %c1 {
    %before = arith.subi %t, %c1 : index
    scf.for %j = %c0 to %m step %c1 {
      %next = arith.addi %j, %c1 : index
      %a = memref.load %x[%before, %next] : memref<?x?xf64>
      memref.store %a, %x[%t, %j] : memref<?x?xf64>
    } {tapeless.launch = "each thread", tapeless.parallel}
  }
  return
}

// CHECK-LABEL: func.func @moving
// CHECK: tapeless.meeting
func.func @moving(%x: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %at = arith.addi %j, %t : index
      %a = memref.load %x[%at] : memref<?xf64>
      %b = arith.addf %a, %a : f64
      memref.store %b, %x[%at] : memref<?xf64>
    } {tapeless.launch = "each thread", tapeless.parallel}
  }
  return
}

// CHECK-LABEL: func.func @read_by_the_host
// CHECK: tapeless.meeting
func.func @read_by_the_host(%x: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %n step %c1 {
    %first = memref.load %x[%c0] : memref<?xf64>
    scf.for %j = %c0 to %m step %c1 {
      %a = memref.load %x[%j] : memref<?xf64>
      %b = arith.addf %a, %first : f64
      memref.store %b, %x[%j] : memref<?xf64>
    } {tapeless.launch = "each thread", tapeless.parallel}
  }
  return
}

// CHECK-LABEL: func.func @of_two_widths
// CHECK: tapeless.meeting
func.func @of_two_widths(%x: memref<?xf64>, %n: index, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %a = memref.load %x[%j] : memref<?xf64>
      %b = arith.addf %a, %a : f64
      memref.store %b, %x[%j] : memref<?xf64>
    } {tapeless.launch = "each thread", tapeless.parallel}
    scf.for %j = %c0 to %k step %c1 {
      %a = memref.load %x[%j] : memref<?xf64>
      %b = arith.mulf %a, %a : f64
      memref.store %b, %x[%j] : memref<?xf64>
    } {tapeless.launch = "each thread", tapeless.parallel}
  }
  return
}
