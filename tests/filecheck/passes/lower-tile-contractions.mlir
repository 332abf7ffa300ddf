// Launched nests that read their operands like a product of matrices become launches of blocks with tiles.
// RUN: tapeless-opt --lower-tile-contractions %s | filecheck %s

// Sizes decide at run time. A thread of 256 has 4 x 4 sums in registers, and loads the next tiles while it works on these.
// CHECK-LABEL: func.func @product
// CHECK: %[[ROWS:.*]] = arith.cmpi sge, %{{.*}}, %c16
// CHECK: scf.if
// CHECK: scf.for %[[BLOCK:.*]] =
// CHECK: scf.for %[[THREAD:.*]] = %{{.*}} to %c256
// CHECK: %[[A:.*]] = memref.alloca() : memref<2x16x66xf64, #gpu.address_space<workgroup>>
// CHECK: %[[B:.*]] = memref.alloca() : memref<2x16x66xf64, #gpu.address_space<workgroup>>
// CHECK-COUNT-8: memref.load %arg{{[01]}}
// CHECK: scf.for {{.*}} iter_args
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK: memref.store %{{.*}}, %[[B]]
// CHECK: gpu.barrier
// CHECK-COUNT-8: memref.load %arg{{[01]}}
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-4: memref.load %[[A]]
// CHECK-COUNT-4: memref.load %[[B]]
// CHECK-COUNT-16: math.fma
// CHECK: loop_annotation
// What is left over of the steps.
// CHECK: gpu.barrier
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-16: math.fma
// CHECK: arith.andi
// CHECK-COUNT-16: memref.store %{{.*}}, %arg2
// CHECK: } {tapeless.threads}
// CHECK: } {tapeless.launch = "each block"}
// CHECK: } else {
// CHECK: tapeless.launch = "each thread"
func.func @product(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = memref.dim %a, %c0 : memref<?x?xf64>
  %k = memref.dim %a, %c1 : memref<?x?xf64>
  %n = memref.dim %b, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %s = scf.for %l = %c0 to %k step %c1 iter_args(%t = %zero) -> (f64) {
        %x = memref.load %a[%i, %l] : memref<?x?xf64>
        %y = memref.load %b[%l, %j] : memref<?x?xf64>
        %u = math.fma %x, %y, %t : f64
        scf.yield %u : f64
      }
      memref.store %s, %c[%i, %j] : memref<?x?xf64>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// Known sizes are not asked for. What is done to one operand alone is done before it is staged.
// CHECK-LABEL: func.func @prepared
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK: %[[A:.*]] = memref.alloca() : memref<2x16x132xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for {{.*}} iter_args
// CHECK: %[[E:.*]] = math.absf
// CHECK: memref.store %[[E]], %[[A]]
// CHECK: gpu.barrier
// CHECK-NOT: math.absf
// CHECK: loop_annotation
// CHECK: tapeless.launch = "each block"
// CHECK-NOT: tapeless.launch
// CHECK: return
func.func @prepared(%a: memref<4096x64xf32>, %b: memref<4096x64xf32>, %c: memref<4096x4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 64 : index
  %n = arith.constant 4096 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %s = scf.for %l = %c0 to %k step %c1 iter_args(%t = %zero) -> (f32) {
        %x = memref.load %a[%i, %l] : memref<4096x64xf32>
        %e = math.absf %x : f32
        %y = memref.load %b[%j, %l] : memref<4096x64xf32>
        %u = math.fma %e, %y, %t : f32
        scf.yield %u : f32
      }
      memref.store %s, %c[%i, %j] : memref<4096x4096xf32>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// Few elements have a thread each.
// CHECK-LABEL: func.func @few
// CHECK-NOT: each block
// CHECK: tapeless.launch = "each thread"
func.func @few(%a: memref<8x64xf64>, %b: memref<8x64xf64>, %c: memref<8x8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 64 : index
  %n = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %s = scf.for %l = %c0 to %k step %c1 iter_args(%t = %zero) -> (f64) {
        %x = memref.load %a[%i, %l] : memref<8x64xf64>
        %y = memref.load %b[%j, %l] : memref<8x64xf64>
        %u = math.fma %x, %y, %t : f64
        scf.yield %u : f64
      }
      memref.store %s, %c[%i, %j] : memref<8x8xf64>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// So have those of a product that is written where a factor is read.
// CHECK-LABEL: func.func @replaced
// CHECK-NOT: each block
// CHECK: tapeless.launch = "each thread"
func.func @replaced(%a: memref<?x?xf64>, %b: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %a, %c0 : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %s = scf.for %l = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
        %x = memref.load %a[%i, %l] : memref<?x?xf64>
        %y = memref.load %b[%l, %j] : memref<?x?xf64>
        %u = math.fma %x, %y, %t : f64
        scf.yield %u : f64
      }
      memref.store %s, %a[%i, %j] : memref<?x?xf64>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// Many steps for few elements are divided into parts; where these are many, runs of them are added up into the first
// of each run, and the nest adds up what is left.
// CHECK-LABEL: func.func @long
// CHECK-NOT: scf.if
// CHECK: %[[EACH:.*]] = arith.ceildivsi
// CHECK: %[[PARTS:.*]] = arith.ceildivsi
// CHECK: %[[TABLE:.*]] = memref.alloc(%[[PARTS]], {{.*}} : memref<?x?x?x?xf32>
// CHECK: memref.store %{{.*}}, %[[TABLE]]
// CHECK: tapeless.launch = "each block"
// CHECK: %[[MANY:.*]] = arith.cmpi sge, %[[PARTS]], %c33
// CHECK: scf.if %[[MANY]]
// CHECK: %[[FIRST:.*]] = arith.muli %{{.*}}, %c16
// CHECK: memref.load %[[TABLE]][%[[FIRST]],
// CHECK: %[[OWN:.*]] = scf.for
// CHECK: memref.load %[[TABLE]]
// CHECK: arith.addf
// CHECK: memref.store %[[OWN]], %[[TABLE]][%[[FIRST]],
// CHECK: tapeless.launch = "each thread"
// CHECK: %[[LEFT:.*]] = arith.select %[[MANY]], %{{.*}}, %[[PARTS]]
// CHECK: %[[STEP:.*]] = arith.select %[[MANY]], %c16{{.*}}, %c1
// CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %{{.*}} to %[[LEFT]] {{.*}} iter_args(%[[RUNNING:.*]] = %{{.*}})
// CHECK: %[[PART:.*]] = arith.muli %[[I]], %[[STEP]]
// CHECK: %[[NEXT:.*]] = memref.load %[[TABLE]][%[[PART]], %{{.*}}, %[[ROW:.*]], %[[COLUMN:.*]]]
// CHECK: arith.addf %[[RUNNING]], %[[NEXT]]
// CHECK: memref.store %[[SUM]], %{{.*}}[%[[ROW]], %[[COLUMN]]]
// CHECK: tapeless.launch = "each thread"
// CHECK: memref.dealloc %[[TABLE]]
// CHECK-NOT: tapeless.launch
// CHECK: return
func.func @long(%a: memref<100000x8xf32>, %b: memref<100000x40xf32>, %c: memref<8x40xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 100000 : index
  %m = arith.constant 8 : index
  %n = arith.constant 40 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %s = scf.for %l = %c0 to %k step %c1 iter_args(%t = %zero) -> (f32) {
        %x = memref.load %a[%l, %i] : memref<100000x8xf32>
        %y = memref.load %b[%l, %j] : memref<100000x40xf32>
        %u = llvm.intr.fmuladd(%x, %y, %t) {fastmathFlags = #llvm.fastmath<nsz, reassoc>} : (f32, f32, f32) -> f32
        scf.yield %u : f32
      }
      memref.store %s, %c[%i, %j] : memref<8x40xf32>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}
