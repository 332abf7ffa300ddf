// Folds of products of doubles: the columns of a batch stay in shared memory while rows go by, from generation 90 on.
// RUN: tapeless-opt --recipes-contractions=generation=90 %s | filecheck %s
// RUN: tapeless-opt --recipes-contractions=generation=80 %s | filecheck %s --check-prefix=OLDER
// RUN: tapeless-opt --recipes-contractions='generation=90 recipes=false' %s | filecheck %s --check-prefix=OLDER

// Sums over columns of a product of doubles: columns stay in shared memory, rows come straight to registers.
// OLDER-LABEL: func.func @product
// OLDER-NOT: llvm.inline_asm
// CHECK-LABEL: func.func @product
// CHECK: %[[C:.*]] = memref.alloca(%{{.*}}) : memref<?x36xf64, #gpu.address_space<workgroup>>
// CHECK: %[[WORDS:.*]] = memref.alloca() : memref<1xi32, #gpu.address_space<workgroup>>
// CHECK: memref.store %c1_i32{{.*}}, %[[WORDS]]
// CHECK: gpu.barrier
// CHECK: memref.load %arg1
// CHECK: arith.cmpf une
// CHECK: memref.store %c0_i32{{.*}}, %[[WORDS]]
// CHECK: memref.store %{{.*}}, %[[C]]
// CHECK: gpu.barrier
// CHECK: memref.load %[[WORDS]]
// Of a lower triangle, ten small matrices of sixteen, unless a number has no end.
// CHECK: scf.if
// CHECK-COUNT-20: llvm.inline_asm has_side_effects "mma.sync.aligned.m16n8k8
// CHECK-NOT: llvm.inline_asm
// CHECK: gpu.shuffle xor
// CHECK: arith.cmpi ult
// Else all of them.
// CHECK: scf.if
// CHECK: memref.load %arg0
// CHECK: scf.for {{.*}} iter_args
// CHECK: memref.load %arg0
// CHECK: memref.load %[[C]]
// CHECK: llvm.inline_asm has_side_effects "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64
// CHECK: gpu.shuffle down
// CHECK: memref.store %{{.*}}, %arg2
// CHECK: tapeless.resident = 3
// More columns in tiles; what a row comes to is kept until the last.
// CHECK: %[[T:.*]] = memref.alloca(%{{.*}}) : memref<?x68xf64, #gpu.address_space<workgroup>>
// CHECK: %[[KEPT:.*]] = memref.alloca() : memref<1024xf64, #gpu.address_space<workgroup>>
// CHECK: memref.store %{{.*}}, %[[T]]
// CHECK: memref.load %[[KEPT]]
// CHECK: memref.store %{{.*}}, %[[KEPT]]
// CHECK: tapeless.resident = 2
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
