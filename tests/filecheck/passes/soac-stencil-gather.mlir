// soac-stencil-gather makes one loop of what is added to overlapping slices of an array.
// RUN: tapeless-opt --split-input-file --soac-stencil-gather %s | filecheck %s

// Every element takes what the slices add to it, in order; the negation is computed from the element that is read.
// CHECK-LABEL: func.func @two_sums
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[M:.*]] = arith.maxsi
// CHECK: soac.map
// CHECK: ^bb0(%[[I:.*]]: index, %[[X:.*]]: f64):
// CHECK-NEXT: %[[LOW:.*]] = arith.cmpi slt, %[[I]], %[[M]] {tapeless.guard}
// CHECK-NEXT: %[[FIRST:.*]] = scf.if %[[LOW]] -> (f64) {
// CHECK-NEXT: %[[A:.*]] = tensor.extract %arg1[%[[I]]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[X]], %[[A]]
// CHECK-NEXT: scf.yield %[[SUM]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[X]]
// CHECK: arith.cmpi sge, %[[I]], %{{.*}} {tapeless.guard}
// CHECK: scf.if
// CHECK: %[[K:.*]] = arith.subi %[[I]]
// CHECK: %[[B:.*]] = tensor.extract %arg1[%[[K]]]
// CHECK: %[[N:.*]] = arith.negf %[[B]]
// CHECK: arith.addf %[[FIRST]], %[[N]]
// CHECK-NOT: soac.map
// CHECK: return
func.func @two_sums(%x: tensor<?xf64>, %a: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %less = arith.subi %n, %c2 : index
  %m = arith.maxsi %less, %c0 : index
  %o = arith.minsi %n, %c2 : index
  %b = "soac.map"(%m, %a) ({
  ^bb0(%i: index, %e: f64):
    %y = arith.negf %e : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %0 = tensor.extract_slice %x[0] [%m] [1] : tensor<?xf64> to tensor<?xf64>
  %1 = "soac.map"(%m, %0, %a) ({
  ^bb0(%i: index, %e: f64, %f: f64):
    %y = arith.addf %e, %f : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %2 = tensor.insert_slice %1 into %x[0] [%m] [1] : tensor<?xf64> into tensor<?xf64>
  %3 = tensor.extract_slice %2[%o] [%m] [1] : tensor<?xf64> to tensor<?xf64>
  %4 = "soac.map"(%m, %3, %b) ({
  ^bb0(%i: index, %e: f64, %f: f64):
    %y = arith.addf %e, %f : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %5 = tensor.insert_slice %4 into %2[%o] [%m] [1] : tensor<?xf64> into tensor<?xf64>
  return %5 : tensor<?xf64>
}

// -----

// What starts from zeros needs no array of them; rows and columns have their own bounds.
// CHECK-LABEL: func.func @rows_and_columns
// CHECK-NOT: tensor.splat
// CHECK-COUNT-2: soac.map
// CHECK: scf.if
// CHECK: tensor.extract %arg0
// CHECK: } else {
// CHECK-NEXT: scf.yield %cst
// CHECK: scf.if
// CHECK: tensor.extract %arg1
// CHECK-NOT: tensor.insert_slice
// CHECK: return
func.func @rows_and_columns(%a: tensor<7x9xf64>, %b: tensor<8x8xf64>) -> tensor<8x9xf64> {
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  %x = tensor.splat %zero : tensor<8x9xf64>
  %0 = tensor.insert_slice %a into %x[1, 0] [7, 9] [1, 1] : tensor<7x9xf64> into tensor<8x9xf64>
  %1 = tensor.extract_slice %0[0, 1] [8, 8] [1, 1] : tensor<8x9xf64> to tensor<8x8xf64>
  %2 = "soac.map"(%c8, %1, %b) ({
  ^bb0(%i: index, %r: tensor<8xf64>, %s: tensor<8xf64>):
    %t = "soac.map"(%c8, %r, %s) ({
    ^bb0(%j: index, %e: f64, %f: f64):
      %y = arith.addf %e, %f : f64
      "soac.yield"(%y) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
    "soac.yield"(%t) : (tensor<8xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  %3 = tensor.insert_slice %2 into %0[0, 1] [8, 8] [1, 1] : tensor<8x8xf64> into tensor<8x9xf64>
  return %3 : tensor<8x9xf64>
}

// -----

// Small parts of an array are updated in place, and so is a single slice; what is looked at in between stays.
// CHECK-LABEL: func.func @left_alone
// CHECK-NOT: scf.if
// CHECK-COUNT-2: tensor.insert_slice
// CHECK: return
func.func @left_alone(%x: tensor<9xf64>, %a: tensor<3xf64>) -> tensor<9xf64> {
  %c3 = arith.constant 3 : index
  %0 = tensor.extract_slice %x[0] [3] [1] : tensor<9xf64> to tensor<3xf64>
  %1 = "soac.map"(%c3, %0, %a) ({
  ^bb0(%i: index, %e: f64, %f: f64):
    %y = arith.addf %e, %f : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %2 = tensor.insert_slice %1 into %x[0] [3] [1] : tensor<3xf64> into tensor<9xf64>
  %3 = tensor.extract_slice %2[2] [3] [1] : tensor<9xf64> to tensor<3xf64>
  %4 = "soac.map"(%c3, %3, %a) ({
  ^bb0(%i: index, %e: f64, %f: f64):
    %y = arith.addf %e, %f : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %5 = tensor.insert_slice %4 into %2[2] [3] [1] : tensor<3xf64> into tensor<9xf64>
  return %5 : tensor<9xf64>
}

// -----

// What is added to both slices is computed where it is read, from the element that the map reads, not from what it
// makes as well; beside the map, which also makes a sum, nothing changes.
// CHECK-LABEL: func.func @from_the_same_element
// CHECK: %[[MADE:.*]] = "soac.map"
// CHECK: "soac.reduce"(%{{.*}}, %[[MADE]]
// CHECK: "soac.map"
// CHECK: tensor.extract %arg1
// CHECK: arith.mulf
// CHECK: tensor.extract %arg1
// CHECK: arith.mulf
// CHECK: arith.negf
// CHECK: arith.subf
// CHECK-NOT: tensor.extract %[[MADE]]
// CHECK: return
func.func @from_the_same_element(%x: tensor<8xf64>, %g: tensor<6xf64>, %h: tensor<6xf64>) -> (tensor<8xf64>, f64) {
  %c6 = arith.constant 6 : index
  %two = arith.constant 2.0 : f64
  %zero = arith.constant 0.0 : f64
  %m:3 = "soac.map"(%c6, %g, %h) ({
  ^bb0(%i: index, %e: f64, %f: f64):
    %a = arith.mulf %e, %two : f64
    %n = arith.negf %a : f64
    %b = arith.subf %n, %e : f64
    %c = arith.mulf %e, %f : f64
    "soac.yield"(%a, %b, %c) : (f64, f64, f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<6xf64>, tensor<6xf64>) -> (tensor<6xf64>, tensor<6xf64>, tensor<6xf64>)
  %s = "soac.reduce"(%c6, %m#2, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<6xf64>, f64) -> f64
  %0 = tensor.extract_slice %x[0] [6] [1] : tensor<8xf64> to tensor<6xf64>
  %1 = "soac.map"(%c6, %0, %m#0) ({
  ^bb0(%i: index, %e: f64, %f: f64):
    %y = arith.addf %e, %f : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %2 = tensor.insert_slice %1 into %x[0] [6] [1] : tensor<6xf64> into tensor<8xf64>
  %3 = tensor.extract_slice %2[2] [6] [1] : tensor<8xf64> to tensor<6xf64>
  %4 = "soac.map"(%c6, %3, %m#1) ({
  ^bb0(%i: index, %e: f64, %f: f64):
    %y = arith.addf %e, %f : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %5 = tensor.insert_slice %4 into %2[2] [6] [1] : tensor<6xf64> into tensor<8xf64>
  return %5, %s : tensor<8xf64>, f64
}

// -----

// A check that counts only if there are iterations, asked before a loop over stretches of them, counts in that loop.
// CHECK-LABEL: func.func @in_stretches
// CHECK: scf.for
// CHECK-NOT: tensor.insert_slice
// CHECK: tapeless.guard
// CHECK: return
func.func @in_stretches(%x0: tensor<?xf64>, %a: tensor<?xf64>, %trips: index, %length: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %size = tensor.dim %x0, %c0 : tensor<?xf64>
  %other = tensor.dim %a, %c0 : tensor<?xf64>
  %less = arith.subi %other, %c2 : index
  %m = arith.maxsi %less, %c0 : index
  %same = arith.cmpi eq, %size, %other : index
  %idle = arith.cmpi sle, %trips, %c0 : index
  %either = arith.ori %same, %idle : i1
  "soac.assert"(%either, %size, %other) {kind = "ShapeMismatch", message = "sizes {} and {} do not match"} : (i1, index, index) -> ()
  %whole = arith.maxsi %trips, %c0 : index
  %count = arith.ceildivsi %whole, %length : index
  %y = scf.for %s = %c0 to %count step %c1 iter_args(%x = %x0) -> (tensor<?xf64>) {
    %part = tensor.extract_slice %a[1] [%m] [1] : tensor<?xf64> to tensor<?xf64>
    %0 = tensor.extract_slice %x[0] [%m] [1] : tensor<?xf64> to tensor<?xf64>
    %1 = "soac.map"(%m, %0, %part) ({
    ^bb0(%i: index, %e: f64, %f: f64):
      %s0 = arith.addf %e, %f : f64
      "soac.yield"(%s0) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %2 = tensor.insert_slice %1 into %x[0] [%m] [1] : tensor<?xf64> into tensor<?xf64>
    %3 = tensor.extract_slice %2[2] [%m] [1] : tensor<?xf64> to tensor<?xf64>
    %4 = "soac.map"(%m, %3, %part) ({
    ^bb0(%i: index, %e: f64, %f: f64):
      %s1 = arith.addf %e, %f : f64
      "soac.yield"(%s1) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %5 = tensor.insert_slice %4 into %2[2] [%m] [1] : tensor<?xf64> into tensor<?xf64>
    scf.yield %5 : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}

// -----

// Products of two elements of vectors are computed again for up to three slices; with `most-products` less, they are read.
// RUN: tapeless-opt --split-input-file --soac-stencil-gather=most-products=1 %s | filecheck %s --check-prefix=READ
// CHECK-LABEL: func.func @products
// CHECK-NOT: tensor.insert_slice
// CHECK: "soac.map"(%c8
// CHECK-DAG: tensor.extract %arg1[%[[I:.*]]]
// CHECK-DAG: tensor.extract %arg2[%[[I]]]
// CHECK: arith.mulf
// CHECK: %[[K:.*]] = arith.subi
// CHECK-DAG: tensor.extract %arg1[%[[K]]]
// CHECK-DAG: tensor.extract %arg2[%[[K]]]
// CHECK: arith.mulf
// CHECK-NOT: soac.map
// CHECK: return
// READ-LABEL: func.func @products
// READ: %[[M:.*]] = "soac.map"(%c6
// READ: "soac.map"(%c8
// READ: tensor.extract %[[M]]
// READ: tensor.extract %[[M]]
func.func @products(%x: tensor<8xf64>, %a: tensor<6xf64>, %b: tensor<6xf64>) -> tensor<8xf64> {
  %c6 = arith.constant 6 : index
  %m = "soac.map"(%c6, %a, %b) ({
  ^bb0(%i: index, %e: f64, %f: f64):
    %p = arith.mulf %e, %f : f64
    "soac.yield"(%p) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %0 = tensor.extract_slice %x[0] [6] [1] : tensor<8xf64> to tensor<6xf64>
  %1 = "soac.map"(%c6, %0, %m) ({
  ^bb0(%i: index, %e: f64, %f: f64):
    %y = arith.addf %e, %f : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %2 = tensor.insert_slice %1 into %x[0] [6] [1] : tensor<6xf64> into tensor<8xf64>
  %3 = tensor.extract_slice %2[2] [6] [1] : tensor<8xf64> to tensor<6xf64>
  %4 = "soac.map"(%c6, %3, %m) ({
  ^bb0(%i: index, %e: f64, %f: f64):
    %y = arith.addf %e, %f : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
  %5 = tensor.insert_slice %4 into %2[2] [6] [1] : tensor<6xf64> into tensor<8xf64>
  return %5 : tensor<8xf64>
}
