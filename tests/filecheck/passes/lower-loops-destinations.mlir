// lower-loops builds arrays where they end: in slices of larger arrays, in results, in the parts of a concatenation.
// RUN: tapeless-opt --loops %s | filecheck %s

// The row is built inside the matrix.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[OUT:[^:]*]]: memref<?x3xf64>)
// CHECK-NOT: memref.alloc
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT: scf.for %[[J:.*]] =
// CHECK-NEXT: memref.store %{{.*}}, %[[OUT]][%[[I]], %[[J]]]
// CHECK-NOT: memref.load
// CHECK: return
func.func @rows(%n: index, %v: f64) -> tensor<?x3xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = tensor.empty(%n) : tensor<?x3xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start) -> tensor<?x3xf64> {
    %row = tensor.splat %v : tensor<3xf64>
    %b = tensor.insert_slice %row into %a[%i, 0] [1, 3] [1, 1] : tensor<3xf64> into tensor<?x3xf64>
    scf.yield %b : tensor<?x3xf64>
  }
  return %r : tensor<?x3xf64>
}

// A slice rewritten element by element needs no temporary.
// CHECK-LABEL: func.func @scale_row
// CHECK: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK-NEXT: memref.load %[[OUT:.*]][
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: memref.store %{{.*}}, %[[OUT]][
// CHECK-NOT: scf.for
// CHECK: return
func.func @scale_row(%x: tensor<4x5xf64>, %i: index, %v: f64) -> tensor<4x5xf64> {
  %c5 = arith.constant 5 : index
  %a = tensor.insert %v into %x[%i, %i] : tensor<4x5xf64>
  %row = tensor.extract_slice %a[%i, 0] [1, 5] [1, 1] : tensor<4x5xf64> to tensor<5xf64>
  %scaled = "soac.map"(%c5, %row) ({
  ^bb0(%j: index, %e: f64):
    %s = arith.mulf %e, %v : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<5xf64>) -> tensor<5xf64>
  %b = tensor.insert_slice %scaled into %a[%i, 0] [1, 5] [1, 1] : tensor<5xf64> into tensor<4x5xf64>
  return %b : tensor<4x5xf64>
}

// The parts of a concatenation are built side by side.
// CHECK-LABEL: func.func @joined
// CHECK-SAME: %[[OUT:[^:]*]]: memref<?xf64>)
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.load
// CHECK-COUNT-2: memref.store %{{.*}}, %[[OUT]]
// CHECK-NOT: memref.store
// CHECK: return
func.func @joined(%n: index, %v: f64, %w: f64) -> tensor<?xf64> {
  %a = tensor.splat %v[%n] : tensor<?xf64>
  %b = tensor.splat %w[%n] : tensor<?xf64>
  %c = tensor.concat dim(0) %a, %b : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %c : tensor<?xf64>
}

// Both branches build the result in the same place.
// CHECK-LABEL: func.func @either
// CHECK-SAME: %[[OUT:[^:]*]]: memref<3xf64>)
// CHECK-NOT: memref.alloc
// CHECK: scf.if
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK: } else {
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @either(%c: i1, %v: f64, %w: f64) -> tensor<3xf64> {
  %r = scf.if %c -> tensor<3xf64> {
    %a = tensor.splat %v : tensor<3xf64>
    scf.yield %a : tensor<3xf64>
  } else {
    %b = tensor.splat %w : tensor<3xf64>
    scf.yield %b : tensor<3xf64>
  }
  return %r : tensor<3xf64>
}

// An argument returned unchanged and an array returned twice are copied into the results.
// CHECK-LABEL: func.func @again
// CHECK-SAME: (%[[X:[^:]*]]: memref<?xf64>, %{{.*}}: f64, %[[SAME:[^:]*]]: memref<?xf64>, %[[ONE:[^:]*]]: memref<2xf64>, %[[TWO:[^:]*]]: memref<2xf64>)
// CHECK: memref.store %{{.*}}, %[[ONE]]
// CHECK: memref.copy %[[X]], %[[SAME]]
// CHECK-NEXT: memref.copy %[[ONE]], %[[TWO]]
// CHECK-NEXT: return
func.func @again(%x: tensor<?xf64>, %v: f64) -> (tensor<?xf64>, tensor<2xf64>, tensor<2xf64>) {
  %a = tensor.splat %v : tensor<2xf64>
  return %x, %a, %a : tensor<?xf64>, tensor<2xf64>, tensor<2xf64>
}
