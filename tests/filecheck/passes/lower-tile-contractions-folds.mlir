// Columns of a contraction that are reduced at once stay in registers.
// RUN: tapeless-opt --lower-tile-contractions %s | filecheck %s
// RUN: tapeless-opt --lower-tile-contractions=generation=90 %s | filecheck %s --check-prefix=MATRICES

// A thread keeps the smallest of 4 x 4 distances and its place, for each of its rows; threads side by side combine them.
// CHECK-LABEL: func.func @nearest
// CHECK: scf.for
// CHECK: %[[P:.*]] = memref.alloca() : memref<2x16x{{.*}}xf64, #gpu.address_space<workgroup>>
// CHECK: %[[C:.*]] = memref.alloca() : memref<2x16x{{.*}}xf64, #gpu.address_space<workgroup>>
// Rows are staged once.
// CHECK: memref.store %{{.*}}, %[[P]]
// CHECK: scf.for %{{.*}} iter_args
// CHECK-NOT: memref.store %{{.*}}, %[[P]]{{\[}}
// CHECK: memref.store %{{.*}}, %[[C]]
// CHECK: gpu.barrier
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-16: math.fma
// CHECK-COUNT-3: arith.minimumf
// CHECK: arith.cmpf ule
// CHECK: scf.if
// CHECK-COUNT-3: arith.cmpf ueq
// CHECK: gpu.shuffle down
// CHECK: memref.store %{{.*}}, %arg2
// CHECK: tapeless.resident = 2
// More steps than a tile has: both sides are staged in turns.
// CHECK: gpu.barrier
// CHECK: tapeless.resident = 2
// CHECK: tapeless.launch = "each thread"
func.func @nearest(%p: memref<?x?xf64>, %c: memref<?x?xf64>, %d: memref<?xf64>, %q: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %inf = arith.constant 0x7FF0000000000000 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %steps = memref.dim %p, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %m:2 = scf.for %j = %c0 to %k step %c1 iter_args(%b = %inf, %first = %k) -> (f64, index) {
      %s = scf.for %l = %c0 to %steps step %c1 iter_args(%t = %zero) -> (f64) {
        %x = memref.load %p[%i, %l] : memref<?x?xf64>
        %y = memref.load %c[%j, %l] : memref<?x?xf64>
        %e = arith.subf %x, %y : f64
        %u = math.fma %e, %e, %t : f64
        scf.yield %u : f64
      }
      %best = arith.minimumf %b, %s fastmath<reassoc,nsz,contract> : f64
      %left = arith.cmpf ueq, %b, %best : f64
      %right = arith.cmpf ueq, %s, %best : f64
      %lower = arith.minsi %first, %j : index
      %of_both = arith.select %right, %lower, %first : index
      %place = arith.select %left, %of_both, %j : index
      scf.yield %best, %place : f64, index
    }
    memref.store %m#0, %d[%i] : memref<?xf64>
    memref.store %m#1, %q[%i] : memref<?xindex>
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// A sum whose order is not free stays as it is.
// CHECK-LABEL: func.func @in_order
// CHECK-NOT: workgroup
func.func @in_order(%p: memref<?x?xf64>, %c: memref<?x?xf64>, %d: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %steps = memref.dim %p, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %m = scf.for %j = %c0 to %k step %c1 iter_args(%b = %zero) -> (f64) {
      %s = scf.for %l = %c0 to %steps step %c1 iter_args(%t = %zero) -> (f64) {
        %x = memref.load %p[%i, %l] : memref<?x?xf64>
        %y = memref.load %c[%j, %l] : memref<?x?xf64>
        %u = math.fma %x, %y, %t : f64
        scf.yield %u : f64
      }
      %sum = arith.addf %b, %s : f64
      scf.yield %sum : f64
    }
    memref.store %m, %d[%i] : memref<?xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// Sums over columns of a product of doubles: columns stay in shared memory, rows come straight to registers.
// CHECK-LABEL: func.func @product
// CHECK-NOT: llvm.inline_asm
// MATRICES-LABEL: func.func @product
// MATRICES: %[[C:.*]] = memref.alloca(%{{.*}}) : memref<?x36xf64, #gpu.address_space<workgroup>>
// MATRICES: %[[WORDS:.*]] = memref.alloca() : memref<1xi32, #gpu.address_space<workgroup>>
// MATRICES: memref.store %c1_i32{{.*}}, %[[WORDS]]
// MATRICES: gpu.barrier
// MATRICES: memref.load %arg1
// MATRICES: arith.cmpf une
// MATRICES: memref.store %c0_i32{{.*}}, %[[WORDS]]
// MATRICES: memref.store %{{.*}}, %[[C]]
// MATRICES: gpu.barrier
// MATRICES: memref.load %[[WORDS]]
// Of a lower triangle, ten small matrices of sixteen, unless a number has no end.
// MATRICES: scf.if
// MATRICES-COUNT-20: llvm.inline_asm has_side_effects "mma.sync.aligned.m16n8k8
// MATRICES-NOT: llvm.inline_asm
// MATRICES: gpu.shuffle xor
// MATRICES: arith.cmpi ult
// Else all of them.
// MATRICES: scf.if
// MATRICES: memref.load %arg0
// MATRICES: scf.for {{.*}} iter_args
// MATRICES: memref.load %arg0
// MATRICES: memref.load %[[C]]
// MATRICES: llvm.inline_asm has_side_effects "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64
// MATRICES: gpu.shuffle down
// MATRICES: memref.store %{{.*}}, %arg2
// MATRICES: tapeless.resident = 3
// More columns in tiles; what a row comes to is kept until the last.
// MATRICES: %[[T:.*]] = memref.alloca(%{{.*}}) : memref<?x68xf64, #gpu.address_space<workgroup>>
// MATRICES: %[[KEPT:.*]] = memref.alloca() : memref<1024xf64, #gpu.address_space<workgroup>>
// MATRICES: memref.store %{{.*}}, %[[T]]
// MATRICES: memref.load %[[KEPT]]
// MATRICES: memref.store %{{.*}}, %[[KEPT]]
// MATRICES: tapeless.resident = 2
func.func @product(%p: memref<?x?xf64>, %c: memref<?x?xf64>, %d: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %steps = memref.dim %p, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %m = scf.for %j = %c0 to %k step %c1 iter_args(%b = %zero) -> (f64) {
      %s = scf.for %l = %c0 to %steps step %c1 iter_args(%t = %zero) -> (f64) {
        %x = memref.load %p[%i, %l] : memref<?x?xf64>
        %y = memref.load %c[%j, %l] : memref<?x?xf64>
        %u = llvm.intr.fmuladd(%x, %y, %t) {fastmathFlags = #llvm.fastmath<nsz, reassoc>} : (f64, f64, f64) -> f64
        scf.yield %u : f64
      }
      %sum = llvm.intr.fmuladd(%s, %s, %b) {fastmathFlags = #llvm.fastmath<nsz, reassoc>} : (f64, f64, f64) -> f64
      scf.yield %sum : f64
    }
    memref.store %m, %d[%i] : memref<?xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}
