// Sums of products of doubles are made by instructions for small matrices where GPUs have them, if their order is free.
// RUN: tapeless-opt --lower-tile-contractions=generation=90 %s | filecheck %s
// RUN: tapeless-opt --lower-tile-contractions=generation=80 %s | filecheck %s --check-prefix=OLDER

// A warp has 64 x 32 sums of 128 x 128, in four times four small matrices; their factors are read from four steps at once.
// CHECK-LABEL: func.func @product
// CHECK: %[[A:.*]] = memref.alloca() : memref<2x8x132xf64, #gpu.address_space<workgroup>>
// CHECK: %[[B:.*]] = memref.alloca() : memref<2x8x132xf64, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK-COUNT-16: memref.load %[[A]]
// CHECK-COUNT-8: memref.load %[[B]]
// CHECK-COUNT-16: llvm.inline_asm has_side_effects "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64
// What is left over of the steps: zeros behind the end.
// CHECK: scf.if
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt
// CHECK: %[[STAGED:.*]] = arith.select %[[INSIDE]]
// CHECK: memref.store %[[STAGED]], %[[A]]
// CHECK: gpu.barrier
// CHECK-COUNT-16: llvm.inline_asm
// CHECK-NOT: llvm.intr.fmuladd
// CHECK-LABEL: func.func @ordered
// OLDER-LABEL: func.func @product
// OLDER-NOT: llvm.inline_asm
// OLDER: tapeless.launch = "each block"
func.func @product(%a: memref<2048x70xf64>, %b: memref<70x2048xf64>, %c: memref<2048x2048xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 70 : index
  %n = arith.constant 2048 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %s = scf.for %l = %c0 to %k step %c1 iter_args(%t = %zero) -> (f64) {
        %x = memref.load %a[%i, %l] : memref<2048x70xf64>
        %y = memref.load %b[%l, %j] : memref<70x2048xf64>
        %u = llvm.intr.fmuladd(%x, %y, %t) {fastmathFlags = #llvm.fastmath<nsz, reassoc>} : (f64, f64, f64) -> f64
        scf.yield %u : f64
      }
      memref.store %s, %c[%i, %j] : memref<2048x2048xf64>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// A sum whose order is fixed is not.
// CHECK-NOT: llvm.inline_asm
// CHECK: tapeless.launch = "each block"
func.func @ordered(%a: memref<2048x70xf64>, %b: memref<70x2048xf64>, %c: memref<2048x2048xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 70 : index
  %n = arith.constant 2048 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %s = scf.for %l = %c0 to %k step %c1 iter_args(%t = %zero) -> (f64) {
        %x = memref.load %a[%i, %l] : memref<2048x70xf64>
        %y = memref.load %b[%l, %j] : memref<70x2048xf64>
        %u = math.fma %x, %y, %t : f64
        scf.yield %u : f64
      }
      memref.store %s, %c[%i, %j] : memref<2048x2048xf64>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// What is loaded for rows and columns shares a loop only after it was combined: that one is a loop of batches.
// CHECK-LABEL: func.func @shifted
// CHECK: arith.subf
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: llvm.inline_asm
// OLDER-LABEL: func.func @shifted
// OLDER-NOT: llvm.inline_asm
func.func @shifted(
    %w: memref<500x10xf64>, %y: memref<500x10x64xf64>, %x: memref<500x64xf64>, %m: memref<10x64xf64>, %g: memref<10x64x64xf64>
) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c64 = arith.constant 64 : index
  %c500 = arith.constant 500 : index
  %zero = arith.constant 0.0 : f64
  scf.for %k = %c0 to %c10 step %c1 {
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %s = scf.for %n = %c0 to %c500 step %c1 iter_args(%t = %zero) -> (f64) {
          %a = memref.load %w[%n, %k] : memref<500x10xf64>
          %b = memref.load %y[%n, %k, %i] : memref<500x10x64xf64>
          %ab = arith.mulf %a, %b : f64
          %c = memref.load %x[%n, %j] : memref<500x64xf64>
          %d = memref.load %m[%k, %j] : memref<10x64xf64>
          %cd = arith.subf %c, %d : f64
          %u = llvm.intr.fmuladd(%ab, %cd, %t) {fastmathFlags = #llvm.fastmath<nsz, reassoc>} : (f64, f64, f64) -> f64
          scf.yield %u : f64
        }
        memref.store %s, %g[%k, %i, %j] : memref<10x64x64xf64>
      } {tapeless.parallel}
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}
