// Slices that fill an array between them are built in a new one when they are computed from the old one.
// RUN: tapeless-opt --loops %s | filecheck %s

// Two rows less their ends: the loop writes into the result, and what is copied are the ends.
// CHECK-LABEL: func.func @both_rows
// CHECK-SAME: (%[[X:[^:]*]]: memref<2x?xf64>, %[[OUT:[^:]*]]: memref<2x?xf64>)
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: memref.store %{{.*}}, %[[OUT]][%c0
// CHECK-NEXT: memref.store %{{.*}}, %[[OUT]][%c1
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @both_rows(%x: tensor<2x?xf64>) -> tensor<2x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c1 : tensor<2x?xf64>
  %less = arith.subi %n, %c2 : index
  %m = arith.maxsi %less, %c0 : index
  %a = tensor.extract_slice %x[0, 0] [1, %m] [1, 1] : tensor<2x?xf64> to tensor<?xf64>
  %b = tensor.extract_slice %x[1, 0] [1, %m] [1, 1] : tensor<2x?xf64> to tensor<?xf64>
  %p:2 = "soac.map"(%m, %a, %b) ({
  ^bb0(%i: index, %u: f64, %v: f64):
    %s = arith.addf %u, %v : f64
    %t = arith.mulf %u, %v : f64
    "soac.yield"(%s, %t) : (f64, f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %y = tensor.insert_slice %p#0 into %x[0, 1] [1, %m] [1, 1] : tensor<?xf64> into tensor<2x?xf64>
  %z = tensor.insert_slice %p#1 into %y[1, 1] [1, %m] [1, 1] : tensor<?xf64> into tensor<2x?xf64>
  return %z : tensor<2x?xf64>
}

// One row of two is not the whole array, and a slice that lies in two rows cannot come before the others.
// CHECK-LABEL: func.func @one_row
// CHECK: memref.alloc
// CHECK: return
func.func @one_row(%x: tensor<2x?xf64>) -> tensor<2x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<2x?xf64>
  %less = arith.subi %n, %c1 : index
  %m = arith.maxsi %less, %c0 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%w = %x) -> tensor<2x?xf64> {
    %a = tensor.extract_slice %w[0, 0] [1, %m] [1, 1] : tensor<2x?xf64> to tensor<?xf64>
    %p = "soac.map"(%m, %a) ({
    ^bb0(%i: index, %u: f64):
      %s = arith.addf %u, %u : f64
      "soac.yield"(%s) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    %y = tensor.insert_slice %p into %w[0, 1] [1, %m] [1, 1] : tensor<?xf64> into tensor<2x?xf64>
    scf.yield %y : tensor<2x?xf64>
  }
  return %r : tensor<2x?xf64>
}

// The first row is looked at between the writes: what is returned is as if they happened one after the other.
// CHECK-LABEL: func.func @looked_at
// CHECK: memref.alloc
// CHECK: return
func.func @looked_at(%x: tensor<2x?xf64>) -> (tensor<2x?xf64>, tensor<2x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<2x?xf64>
  %less = arith.subi %n, %c1 : index
  %m = arith.maxsi %less, %c0 : index
  %a = tensor.extract_slice %x[0, 0] [1, %m] [1, 1] : tensor<2x?xf64> to tensor<?xf64>
  %p:2 = "soac.map"(%m, %a) ({
  ^bb0(%i: index, %u: f64):
    %s = arith.addf %u, %u : f64
    %t = arith.mulf %u, %u : f64
    "soac.yield"(%s, %t) : (f64, f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %y = tensor.insert_slice %p#0 into %x[0, 1] [1, %m] [1, 1] : tensor<?xf64> into tensor<2x?xf64>
  %z = tensor.insert_slice %p#1 into %y[1, 1] [1, %m] [1, 1] : tensor<?xf64> into tensor<2x?xf64>
  return %y, %z : tensor<2x?xf64>, tensor<2x?xf64>
}
