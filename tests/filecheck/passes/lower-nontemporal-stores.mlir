// lower-nontemporal-stores writes large results past the caches.
// RUN: tapeless-opt --lower-nontemporal-stores="vector-bits=256 large-bytes=1024" %s | filecheck %s

// The last block comes first, what fills no block runs one by one before it, and small results are written as before.
// CHECK-LABEL: func.func @scaled
// CHECK: %[[LARGE:.*]] = arith.cmpi sge, %{{.*}}, %c128 : index
// CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %arg1
// CHECK: arith.andi %[[ADDRESS]], %c63
// CHECK: scf.if
// CHECK: memref.store
// CHECK: scf.for %[[STEP:.*]] = %c0 to %{{.*}} step %c4
// CHECK: %[[FIRST:.*]] = arith.subi %{{.*}}, %[[STEP]]
// CHECK: vector.load %arg0[%[[FIRST]]] : memref<?xf64>, vector<4xf64>
// CHECK: vector.store %{{.*}}, %arg1[%[[FIRST]]] {alignment = 32 : i64, nontemporal = true}
// CHECK: llvm.fence seq_cst
// CHECK: } else {
// CHECK: memref.store
// CHECK: } {tapeless.parallel}
func.func @scaled(%x: memref<?xf64>, %y: memref<?xf64>) attributes {tapeless.abi = ""} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf64>
    %b = arith.mulf %a, %two : f64
    memref.store %b, %y[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// Divisions go by Newton's method where all lanes are of ordinary size.
// CHECK-LABEL: func.func @reciprocals
// CHECK: %[[SINGLE:.*]] = arith.divf %{{.*}} : vector<4xf32>
// CHECK: arith.extf %[[SINGLE]]
// CHECK: vector.reduction <and>
// CHECK: scf.if
// CHECK-COUNT-5: math.fma
// CHECK: } else {
// CHECK-NEXT: arith.divf %{{.*}} : vector<4xf64>
// CHECK: nontemporal
func.func @reciprocals(%x: memref<?xf64>, %y: memref<?xf64>) attributes {tapeless.abi = ""} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf64>
    %b = arith.divf %one, %a : f64
    memref.store %b, %y[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// What is read again, or is no result, stays in the caches.
// CHECK-LABEL: func.func @read_again
// CHECK-NOT: nontemporal
// CHECK: return
func.func @read_again(%x: memref<?xf64>, %y: memref<?xf64>) -> f64 attributes {tapeless.abi = ""} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %t = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf64>
    memref.store %a, %y[%i] : memref<?xf64>
  } {tapeless.parallel}
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf64>
    memref.store %a, %t[%i] : memref<?xf64>
  } {tapeless.parallel}
  %first = memref.load %y[%c0] : memref<?xf64>
  memref.dealloc %t : memref<?xf64>
  return %first : f64
}

// A loop around would read it in its next iteration.
// CHECK-LABEL: func.func @repeated
// CHECK-NOT: nontemporal
// CHECK: return
func.func @repeated(%x: memref<?xf64>, %y: memref<?xf64>) -> f64 attributes {tapeless.abi = ""} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %zero) -> f64 {
    %old = memref.load %y[%k] : memref<?xf64>
    %next = arith.addf %sum, %old : f64
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.load %x[%i] : memref<?xf64>
      memref.store %a, %y[%i] : memref<?xf64>
    } {tapeless.parallel}
    scf.yield %next : f64
  }
  return %s : f64
}
