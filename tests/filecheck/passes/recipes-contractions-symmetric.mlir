// Batches of sums of products that rows and columns can be exchanged in: warps make one triangle of them.
// RUN: tapeless-opt --recipes-contractions=generation=90 %s | filecheck %s
// RUN: tapeless-opt --recipes-contractions=generation=80 %s | filecheck %s --check-prefix=OLDER

// The weight of a step, times the factor of columns, is that of rows; six small matrices are the triangle of 32 rows.
// CHECK-LABEL: func.func @spreads
// CHECK: %[[TABLE:.*]] = memref.alloc({{.*}}) : memref<?x?x?x?xf64>
// CHECK: scf.for {{.*}} iter_args
// CHECK: %[[W:.*]] = memref.load %arg0[
// CHECK: %[[X:.*]] = memref.load %arg1[
// CHECK: arith.mulf
// CHECK-COUNT-6: llvm.inline_asm has_side_effects "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64
// What is left over of the steps: zeros behind the end.
// CHECK: scf.for {{.*}} iter_args
// CHECK: arith.select
// CHECK-COUNT-6: llvm.inline_asm
// Both triangles are stored, the diagonal and what is near to it once.
// CHECK: %[[LINE:.*]] = memref.collapse_shape %[[TABLE]]
// CHECK-COUNT-32: memref.store {{.*}}, %[[LINE]][
// CHECK: } {tapeless.launch = "each block", tapeless.resident = 4 : i32}
// CHECK: %[[PART:.*]] = memref.load %[[TABLE]][
// CHECK: memref.store {{.*}}, %arg2[
// CHECK: tapeless.launch = "each thread"
// More rows, of which there may be rectangles beside the triangles.
// CHECK: tapeless.resident = 2 : i32
// CHECK-LABEL: func.func @unlike
// OLDER-LABEL: func.func @spreads
// OLDER-NOT: llvm.inline_asm
// OLDER-NOT: tapeless.resident = 4
func.func @spreads(%w: memref<?x200xf64>, %x: memref<?x?xf64>, %s: memref<200x?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %batches = arith.constant 200 : index
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %d = memref.dim %x, %c1 : memref<?x?xf64>
  %zero = arith.constant 0.0 : f64
  scf.for %k = %c0 to %batches step %c1 {
    scf.for %i = %c0 to %d step %c1 {
      scf.for %j = %c0 to %d step %c1 {
        %r = scf.for %l = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
          %weight = memref.load %w[%l, %k] : memref<?x200xf64>
          %y = memref.load %x[%l, %i] : memref<?x?xf64>
          %p = arith.mulf %weight, %y : f64
          %q = arith.addf %p, %p : f64
          %z = memref.load %x[%l, %j] : memref<?x?xf64>
          %u = llvm.intr.fmuladd(%q, %z, %t) {fastmathFlags = #llvm.fastmath<nsz, reassoc>} : (f64, f64, f64) -> f64
          scf.yield %u : f64
        }
        memref.store %r, %s[%k, %i, %j] : memref<200x?x?xf64>
      } {tapeless.parallel}
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// Rows have another array, or a weight of their own.
// CHECK-NOT: tapeless.resident = 4
func.func @unlike(%w: memref<?x200xf64>, %x: memref<?x?xf64>, %v: memref<?x?xf64>, %s: memref<200x?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %batches = arith.constant 200 : index
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %d = memref.dim %x, %c1 : memref<?x?xf64>
  %zero = arith.constant 0.0 : f64
  scf.for %k = %c0 to %batches step %c1 {
    scf.for %i = %c0 to %d step %c1 {
      scf.for %j = %c0 to %d step %c1 {
        %r = scf.for %l = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
          %weight = memref.load %w[%l, %k] : memref<?x200xf64>
          %y = memref.load %v[%l, %i] : memref<?x?xf64>
          %p = arith.mulf %weight, %y : f64
          %z = memref.load %x[%l, %j] : memref<?x?xf64>
          %u = llvm.intr.fmuladd(%p, %z, %t) {fastmathFlags = #llvm.fastmath<nsz, reassoc>} : (f64, f64, f64) -> f64
          scf.yield %u : f64
        }
        memref.store %r, %s[%k, %i, %j] : memref<200x?x?xf64>
      } {tapeless.parallel}
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %k = %c0 to %batches step %c1 {
    scf.for %i = %c0 to %d step %c1 {
      scf.for %j = %c0 to %d step %c1 {
        %r = scf.for %l = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
          %weight = memref.load %w[%i, %k] : memref<?x200xf64>
          %y = memref.load %x[%l, %i] : memref<?x?xf64>
          %p = arith.mulf %weight, %y : f64
          %z = memref.load %x[%l, %j] : memref<?x?xf64>
          %u = llvm.intr.fmuladd(%p, %z, %t) {fastmathFlags = #llvm.fastmath<nsz, reassoc>} : (f64, f64, f64) -> f64
          scf.yield %u : f64
        }
        memref.store %r, %s[%k, %i, %j] : memref<200x?x?xf64>
      } {tapeless.parallel}
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}
