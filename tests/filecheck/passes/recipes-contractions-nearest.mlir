// The nearest of many points in single precision: looked for by products of small matrices, proved, and summed as written.
// RUN: tapeless-opt --recipes-contractions=generation=90 %s | filecheck %s

// CHECK-LABEL: func.func @nearest
// CHECK-SAME: (%[[P:.*]]: memref<?x?xf32>, %[[C:.*]]: memref<?x?xf32>, %[[D:.*]]: memref<?xf32>, %[[Q:.*]]: memref<?xindex>)
// Up to ten steps:
// CHECK: arith.cmpi slt, %{{.*}}, %c11
// Halves of columns, two tiles in turns, and what is known of them:
// CHECK: memref.alloca() : memref<2x128x36xf32, #gpu.address_space<workgroup>>
// CHECK: memref.alloca() : memref<2x128xf32, #gpu.address_space<workgroup>>
// CHECK-COUNT-16: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// The best group of four columns and the one after, of all threads of a row:
// CHECK-COUNT-4: arith.cmpf olt
// CHECK: gpu.shuffle
// CHECK: gpu.barrier
// Its four sums as they are written:
// CHECK: memref.load %[[P]]
// CHECK-COUNT-4: llvm.intr.fmuladd
// Taken if the scores are further apart than they can be off:
// CHECK: arith.cmpf ogt
// CHECK: scf.if
// CHECK: memref.store %{{.*}}, %[[D]]
// CHECK: memref.store %{{.*}}, %[[Q]]
// CHECK: } else {
// All sums of rows that are left:
// CHECK: arith.cmpi ne
// CHECK: memref.load %[[P]]
// CHECK: llvm.intr.fmuladd
// CHECK: memref.store %{{.*}}, %[[D]]
// CHECK: memref.store %{{.*}}, %[[Q]]
// CHECK: } {tapeless.launch = "each block", tapeless.resident = 2 : i32}
// CHECK: } else {
func.func @nearest(%p: memref<?x?xf32>, %c: memref<?x?xf32>, %d: memref<?xf32>, %q: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0x7F800000 : f32
  %n = memref.dim %p, %c0 : memref<?x?xf32>
  %k = memref.dim %c, %c0 : memref<?x?xf32>
  %steps = memref.dim %p, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %m:2 = scf.for %j = %c0 to %k step %c1 iter_args(%b = %inf, %first = %k) -> (f32, index) {
      %s = scf.for %l = %c0 to %steps step %c1 iter_args(%t = %zero) -> (f32) {
        %x = memref.load %p[%i, %l] : memref<?x?xf32>
        %y = memref.load %c[%j, %l] : memref<?x?xf32>
        %e = arith.subf %x, %y : f32
        %u = llvm.intr.fmuladd(%e, %e, %t) : (f32, f32, f32) -> f32
        scf.yield %u : f32
      }
      %best = arith.minimumf %b, %s fastmath<reassoc,nsz,contract> : f32
      %left = arith.cmpf ueq, %b, %best : f32
      %right = arith.cmpf ueq, %s, %best : f32
      %lower = arith.minsi %first, %j : index
      %of_both = arith.select %right, %lower, %first : index
      %place = arith.select %left, %of_both, %j : index
      scf.yield %best, %place : f32, index
    }
    memref.store %m#0, %d[%i] : memref<?xf32>
    memref.store %m#1, %q[%i] : memref<?xindex>
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// Other sums are no distances.
// CHECK-LABEL: func.func @of_others
// CHECK-NOT: tf32
func.func @of_others(%p: memref<?x?xf32>, %c: memref<?x?xf32>, %d: memref<?xf32>, %q: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0x7F800000 : f32
  %n = memref.dim %p, %c0 : memref<?x?xf32>
  %k = memref.dim %c, %c0 : memref<?x?xf32>
  %steps = memref.dim %p, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %m:2 = scf.for %j = %c0 to %k step %c1 iter_args(%b = %inf, %first = %k) -> (f32, index) {
      %s = scf.for %l = %c0 to %steps step %c1 iter_args(%t = %zero) -> (f32) {
        %x = memref.load %p[%i, %l] : memref<?x?xf32>
        %y = memref.load %c[%j, %l] : memref<?x?xf32>
        %e = arith.subf %x, %y : f32
        %u = llvm.intr.fmuladd(%e, %x, %t) : (f32, f32, f32) -> f32
        scf.yield %u : f32
      }
      %best = arith.minimumf %b, %s fastmath<reassoc,nsz,contract> : f32
      %left = arith.cmpf ueq, %b, %best : f32
      %right = arith.cmpf ueq, %s, %best : f32
      %lower = arith.minsi %first, %j : index
      %of_both = arith.select %right, %lower, %first : index
      %place = arith.select %left, %of_both, %j : index
      scf.yield %best, %place : f32, index
    }
    memref.store %m#0, %d[%i] : memref<?xf32>
    memref.store %m#1, %q[%i] : memref<?xindex>
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}
