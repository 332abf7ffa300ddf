// lower-vectorise gives every lane a copy of the buffers that hold an iteration's temporaries.
// RUN: tapeless-opt --lower-vectorise="vector-bits=256 unroll=1" %s | filecheck %s

// An element at a place that is data, of a buffer that the iteration also fills: each lane has its own place in its own copy.
// CHECK-LABEL: func.func @picked
// CHECK: memref.alloc(%{{.*}}) : memref<?xf64>
// CHECK: %[[COPIES:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?x4xf64>
// CHECK: vector.store %{{.*}}, %[[COPIES]]
// CHECK: %[[FIRST:.*]] = vector.extract %[[PLACES:.*]][0] : index from vector<4xindex>
// CHECK: memref.store %{{.*}}, %[[COPIES]][%[[FIRST]], %c0{{.*}}]
// CHECK: %[[SECOND:.*]] = vector.extract %[[PLACES]][1] : index from vector<4xindex>
// CHECK: memref.store %{{.*}}, %[[COPIES]][%[[SECOND]], %c1{{.*}}]
// CHECK: vector.load %[[COPIES]]
// CHECK-COUNT-4: memref.load %[[COPIES]]
// CHECK: vector.from_elements
func.func @picked(%a: memref<?xf64>, %keys: memref<?xindex>, %others: memref<?xindex>, %c: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %own = memref.alloc(%m) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    scf.for %k = %c0 to %m step %c1 {
      memref.store %x, %own[%k] : memref<?xf64>
    } {tapeless.parallel}
    %key = memref.load %keys[%i] : memref<?xindex>
    memref.store %one, %own[%key] : memref<?xf64>
    %s = scf.for %k = %c0 to %m step %c1 iter_args(%acc = %x) -> f64 {
      %u = memref.load %own[%k] : memref<?xf64>
      %v = arith.mulf %acc, %u : f64
      scf.yield %v : f64
    }
    %other = memref.load %others[%i] : memref<?xindex>
    %y = memref.load %own[%other] : memref<?xf64>
    %z = arith.addf %s, %y : f64
    memref.store %z, %c[%i] : memref<?xf64>
  } {tapeless.parallel}
  memref.dealloc %own : memref<?xf64>
  return
}

// A buffer that iterations reach at such places only may be as long as there are places: no lane gets a copy of it.
// CHECK-LABEL: func.func @never_walked
// CHECK-NOT: vector
// CHECK: return
func.func @never_walked(%a: memref<?xf64>, %keys: memref<?xindex>, %c: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %own = memref.alloc(%m) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %key = memref.load %keys[%i] : memref<?xindex>
    memref.store %x, %own[%key] : memref<?xf64>
    %s = scf.for %k = %c0 to %m step %c1 iter_args(%acc = %x) -> f64 {
      %v = arith.mulf %acc, %x : f64
      scf.yield %v : f64
    }
    %y = memref.load %own[%key] : memref<?xf64>
    %z = arith.addf %s, %y : f64
    memref.store %z, %c[%i] : memref<?xf64>
  } {tapeless.parallel}
  memref.dealloc %own : memref<?xf64>
  return
}

// A bool is a byte in a lane's copy, and a bit in a vector.
// CHECK-LABEL: func.func @bools
// CHECK: %[[COPIES:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?x4xi8>
// CHECK: %[[BITS:.*]] = arith.cmpf ogt, %{{.*}} : vector<4xf64>
// CHECK: %[[BYTES:.*]] = arith.extui %[[BITS]] : vector<4xi1> to vector<4xi8>
// CHECK: vector.store %[[BYTES]], %[[COPIES]]
// CHECK: %[[READ:.*]] = vector.load %[[COPIES]]{{.*}} : memref<?x4xi8>, vector<4xi8>
// CHECK: %[[FLAG:.*]] = arith.trunci %[[READ]] : vector<4xi8> to vector<4xi1>
// CHECK: arith.select %[[FLAG]]
func.func @bools(%a: memref<?xf64>, %b: memref<?xf64>, %c: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %own = memref.alloc(%m) : memref<?xi1>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    scf.for %k = %c0 to %m step %c1 {
      %y = memref.load %b[%k] : memref<?xf64>
      %above = arith.cmpf ogt, %x, %y : f64
      memref.store %above, %own[%k] : memref<?xi1>
    } {tapeless.parallel}
    %s = scf.for %k = %c0 to %m step %c1 iter_args(%acc = %zero) -> f64 {
      %flag = memref.load %own[%k] : memref<?xi1>
      %u = arith.select %flag, %x, %zero : f64
      %v = arith.addf %acc, %u : f64
      scf.yield %v : f64
    }
    memref.store %s, %c[%i] : memref<?xf64>
  } {tapeless.parallel}
  memref.dealloc %own : memref<?xi1>
  return
}
