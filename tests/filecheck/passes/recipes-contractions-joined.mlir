// Two contractions of which the second takes the elements of the first are one launch, if sizes are right for it.
// RUN: tapeless-opt --recipes-contractions --lower-tile-contractions %s | filecheck %s

// Both use the same shared memory, one after the other. Elements of the first product are not stored.
// CHECK-LABEL: func.func @sum_of_products
// CHECK: %[[T:.*]] = memref.alloc
// CHECK: %[[OUT:.*]] = memref.alloc
// CHECK: scf.if
// CHECK: scf.for %{{.*}} = %{{.*}} to %c256
// CHECK: %[[A:.*]] = memref.alloca() : memref<2x16x68xf32, #gpu.address_space<workgroup>>
// CHECK: %[[B:.*]] = memref.alloca() : memref<2x16x68xf32, #gpu.address_space<workgroup>>
// CHECK-NOT: memref.alloca
// CHECK: memref.load %arg0
// CHECK: gpu.barrier
// CHECK-COUNT-16: math.fma
// CHECK: memref.load %arg2
// CHECK: gpu.barrier
// CHECK-COUNT-16: math.fma
// CHECK-NOT: %[[T]][
// CHECK-COUNT-16: memref.store %{{.*}}, %[[OUT]]
// CHECK: } {tapeless.launch = "each block"}
// CHECK: } else {
// CHECK: memref.store %{{.*}}, %[[T]]
// CHECK: memref.load %[[T]]
func.func @sum_of_products(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %d: memref<?x?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  %q = memref.dim %c, %c1 : memref<?x?xf32>
  %t = memref.alloc(%m, %n) : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %s = scf.for %l = %c0 to %k step %c1 iter_args(%r = %zero) -> (f32) {
        %x = memref.load %a[%i, %l] : memref<?x?xf32>
        %y = memref.load %b[%l, %j] : memref<?x?xf32>
        %u = math.fma %x, %y, %r : f32
        scf.yield %u : f32
      }
      memref.store %s, %t[%i, %j] : memref<?x?xf32>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  %out = memref.alloc(%m, %n) : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %before = memref.load %t[%i, %j] : memref<?x?xf32>
      %s = scf.for %l = %c0 to %q step %c1 iter_args(%r = %zero) -> (f32) {
        %x = memref.load %c[%i, %l] : memref<?x?xf32>
        %y = memref.load %d[%l, %j] : memref<?x?xf32>
        %u = math.fma %x, %y, %r : f32
        scf.yield %u : f32
      }
      %sum = arith.addf %s, %before : f32
      memref.store %sum, %out[%i, %j] : memref<?x?xf32>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  memref.dealloc %t : memref<?x?xf32>
  %element = memref.load %out[%c0, %c0] : memref<?x?xf32>
  memref.dealloc %out : memref<?x?xf32>
  return %element : f32
}

// What the second one writes may be what the first one reads: two launches.
// CHECK-LABEL: func.func @unknown_memory
// CHECK: %[[T:.*]] = memref.alloc()
// CHECK: memref.store %{{.*}}, %[[T]][
// CHECK: tapeless.launch = "each block"
// CHECK: memref.load %[[T]][
// CHECK: tapeless.launch = "each block"
func.func @unknown_memory(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %out: memref<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<32x32xf32>
  scf.for %i = %c0 to %c32 step %c1 {
    scf.for %j = %c0 to %c32 step %c1 {
      %s = scf.for %l = %c0 to %c32 step %c1 iter_args(%r = %zero) -> (f32) {
        %x = memref.load %a[%i, %l] : memref<32x32xf32>
        %y = memref.load %b[%l, %j] : memref<32x32xf32>
        %u = math.fma %x, %y, %r : f32
        scf.yield %u : f32
      }
      memref.store %s, %t[%i, %j] : memref<32x32xf32>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c32 step %c1 {
    scf.for %j = %c0 to %c32 step %c1 {
      %before = memref.load %t[%i, %j] : memref<32x32xf32>
      %s = scf.for %l = %c0 to %c32 step %c1 iter_args(%r = %zero) -> (f32) {
        %x = memref.load %b[%i, %l] : memref<32x32xf32>
        %y = memref.load %b[%l, %j] : memref<32x32xf32>
        %u = math.fma %x, %y, %r : f32
        scf.yield %u : f32
      }
      %sum = arith.addf %s, %before : f32
      memref.store %sum, %out[%i, %j] : memref<32x32xf32>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  memref.dealloc %t : memref<32x32xf32>
  return
}
