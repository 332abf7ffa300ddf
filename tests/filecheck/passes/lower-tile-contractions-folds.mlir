// Columns of a contraction that are reduced at once stay in registers.
// RUN: tapeless-opt --lower-tile-contractions %s | filecheck %s

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
