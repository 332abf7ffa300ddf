// lower-vectorise runs the iterations of an outer loop as vector lanes.
// RUN: tapeless-opt --lower-vectorise="vector-bits=256 unroll=1" %s | filecheck %s

// A matrix product: columns are lanes, four rows share the loads, few columns run one by one.
// CHECK-LABEL: func.func @matmul
// CHECK: scf.if
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[SUMS:.*]]:4 = scf.for {{.*}} -> (vector<4xf64>, vector<4xf64>, vector<4xf64>, vector<4xf64>)
// CHECK-COUNT-4: memref.load %{{.*}} : memref<?x?xf64>
// CHECK: vector.load %{{.*}} : memref<?x?xf64>, vector<4xf64>
// CHECK-COUNT-4: vector.store %[[SUMS]]#
// CHECK: } else {
// CHECK-NOT: vector
// CHECK: return
func.func @matmul(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> f64 {
        %x = memref.load %a[%i, %k] : memref<?x?xf64>
        %y = memref.load %b[%k, %j] : memref<?x?xf64>
        %p = arith.mulf %x, %y : f64
        %q = arith.addf %acc, %p : f64
        scf.yield %q : f64
      }
      memref.store %s, %c[%i, %j] : memref<?x?xf64>
    } {tapeless.parallel}
  } {tapeless.parallel}
  return
}

// A sum over points of products with every row of a table: points are lanes, their coordinates are copied lane-major
// once per block, lanes that ran before add the neutral element, and the partial sums are added at the end.
// CHECK-LABEL: func.func @points
// CHECK: %[[COPY:.*]] = memref.alloc(%{{.*}}) {{.*}}memref<?x4xf64>
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %[[COPY]]
// CHECK: vector.load %[[COPY]]
// CHECK: %[[FRESH:.*]] = arith.select %{{.*}} : vector<4xi1>, vector<4xf64>
// CHECK: arith.addf %{{.*}}, %[[FRESH]]
// CHECK: memref.dealloc %[[COPY]]
// CHECK: vector.reduction <add>
func.func @points(%x: memref<?x?xf64>, %table: memref<?x?xf64>, %n: index, %m: index, %d: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%total = %zero) -> f64 {
    %b = scf.for %j = %c0 to %m step %c1 iter_args(%product = %zero) -> f64 {
      %s = scf.for %l = %c0 to %d step %c1 iter_args(%acc = %product) -> f64 {
        %u = memref.load %x[%i, %l] : memref<?x?xf64>
        %v = memref.load %table[%j, %l] : memref<?x?xf64>
        %p = arith.mulf %u, %v : f64
        %q = arith.addf %acc, %p : f64
        scf.yield %q : f64
      }
      scf.yield %s : f64
    }
    %next = arith.addf %total, %b fastmath<reassoc> : f64
    scf.yield %next : f64
  }
  return %r : f64
}

// A loop that reads rows once is left to LLVM: gathering its elements would cost more than it gives.
// CHECK-LABEL: func.func @row_sums
// CHECK-NOT: vector
// CHECK: return
func.func @row_sums(%x: memref<?x?xf64>, %out: memref<?xf64>, %n: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %s = scf.for %l = %c0 to %d step %c1 iter_args(%acc = %zero) -> f64 {
      %u = memref.load %x[%i, %l] : memref<?x?xf64>
      %q = arith.addf %acc, %u : f64
      scf.yield %q : f64
    }
    memref.store %s, %out[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}
