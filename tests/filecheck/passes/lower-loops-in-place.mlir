// lower-loops updates arrays in place when nothing reads the old contents afterwards, and copies once otherwise.
// RUN: tapeless-opt --loops %s | filecheck %s

// An array built by a loop of element writes: no memory but the result's, no copy.
// CHECK-LABEL: func.func @fill
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT: memref.load
// CHECK-NEXT: arith.addf
// CHECK-NEXT: memref.store
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @fill(%n: index, %v: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = tensor.splat %v[%n] : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start) -> tensor<?xf64> {
    %e = tensor.extract %a[%i] : tensor<?xf64>
    %s = arith.addf %e, %v : f64
    %b = tensor.insert %s into %a[%i] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Arguments are never written: one copy into the result, then in place; also under a condition.
// CHECK-LABEL: func.func @clamp
// CHECK-SAME: (%[[X:[^:]*]]: memref<?xf64>, %{{.*}}: f64, %[[OUT:[^:]*]]: memref<?xf64>)
// CHECK-NOT: memref.alloc
// CHECK: memref.copy %[[X]], %[[OUT]]
// CHECK-NOT: memref.copy
// CHECK: scf.if
// CHECK-NEXT: memref.store %{{.*}}, %[[OUT]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @clamp(%x: tensor<?xf64>, %v: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf64> {
    %e = tensor.extract %a[%i] : tensor<?xf64>
    %large = arith.cmpf ogt, %e, %v : f64
    %b = scf.if %large -> tensor<?xf64> {
      %w = tensor.insert %v into %a[%i] : tensor<?xf64>
      scf.yield %w : tensor<?xf64>
    } else {
      scf.yield %a : tensor<?xf64>
    }
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// The old array is returned too: the update works on a copy.
// CHECK-LABEL: func.func @both
// CHECK-SAME: %[[OLD:[^:]*]]: memref<4xf64>, %[[NEW:[^:]*]]: memref<4xf64>)
// CHECK: memref.store %{{.*}}, %[[OLD]]
// CHECK: memref.copy %[[OLD]], %[[NEW]]
// CHECK: memref.store %{{.*}}, %[[NEW]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @both(%v: f64, %i: index) -> (tensor<4xf64>, tensor<4xf64>) {
  %old = tensor.splat %v : tensor<4xf64>
  %new = tensor.insert %v into %old[%i] : tensor<4xf64>
  return %old, %new : tensor<4xf64>, tensor<4xf64>
}

// A loop that makes a new array from the old one swaps two buffers, one of them the result's memory, in such an order
// that the last array ends there; nothing is allocated inside, nothing copied afterwards.
// CHECK-LABEL: func.func @smooth
// CHECK-SAME: %[[OUT:[^:]*]]: memref<?xf64>)
// CHECK: %[[OTHER:.*]] = memref.alloc(
// CHECK: %[[FIRST:.*]] = arith.select %[[ODD:.*]], %[[OTHER]], %[[OUT]]
// CHECK: %[[SECOND:.*]] = arith.select %[[ODD]], %[[OUT]], %[[OTHER]]
// CHECK: memref.copy %{{.*}}, %[[FIRST]]
// CHECK: scf.for %{{.*}} iter_args(%[[NOW:.*]] = %[[FIRST]], %[[NEXT:.*]] = %[[SECOND]])
// CHECK-NOT: memref.alloc
// CHECK: memref.store %{{.*}}, %[[NEXT]]
// CHECK: scf.yield %[[NEXT]], %[[NOW]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @smooth(%x: tensor<?xf64>, %steps: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%u = %x) -> tensor<?xf64> {
    %v = "soac.map"(%n) ({
    ^bb0(%i: index):
      %j = arith.subi %n, %i : index
      %k = arith.subi %j, %c1 : index
      %e = tensor.extract %u[%k] : tensor<?xf64>
      "soac.yield"(%e) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf64>
    scf.yield %v : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// A row that was read is handed on as well: it lies beside the one that is written, so that the states stay in place.
// CHECK-LABEL: func.func @two_states
// CHECK: scf.for %[[K:.*]] = {{.*}} iter_args(%[[OLD:.*]] = %{{.*}}, %{{.*}} = %{{.*}}) -> (memref<?xf64>, memref<?xf64>) {
// CHECK-NOT: memref<?x?xf64>, memref<?x?xf64>
// CHECK: memref.store %{{.*}}, %[[STATES:.*]][%{{.*}}, %{{.*}}] : memref<?x?xf64>
// CHECK: memref.load %[[STATES]][%[[K]], %{{.*}}] : memref<?x?xf64>
// CHECK: scf.yield
func.func @two_states(%x: tensor<?xf64>, %start: tensor<?x?xf64>, %steps: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r:2 = scf.for %k = %c0 to %steps step %c1 iter_args(%before = %x, %h = %start) -> (tensor<?xf64>, tensor<?x?xf64>) {
    %row = tensor.extract_slice %h[%k, 0] [1, %n] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %next = "soac.map"(%n, %row, %before) ({
    ^bb0(%i: index, %e: f64, %f: f64):
      %g = arith.subf %e, %f : f64
      "soac.yield"(%g) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %k1 = arith.addi %k, %c1 : index
    %h1 = tensor.insert_slice %next into %h[%k1, 0] [1, %n] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    scf.yield %row, %h1 : tensor<?xf64>, tensor<?x?xf64>
  }
  return %r#1 : tensor<?x?xf64>
}
