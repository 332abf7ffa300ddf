// soac-slices-to-concat concatenates what is added to slices of zeros that together are all of them.
// RUN: tapeless-opt --split-input-file --soac-slices-to-concat %s | filecheck %s

// Three parts of the columns, as `x[:, :h]`, `x[:, h : 2 * h]` and `x[:, 2 * h :]` are cut, in any order.
// CHECK-LABEL: func.func @three_parts
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x?xf64>, %[[B:[a-z0-9]+]]: tensor<?x?xf64>, %[[C:[a-z0-9]+]]: tensor<?x?xf64>
// CHECK-NOT: soac.map
// CHECK: %[[ALL:.*]] = tensor.concat dim(1) %[[A]], %[[B]], %[[C]]
// CHECK-NEXT: return %[[ALL]]
func.func @three_parts(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x?xf64>, %like: tensor<?x?xf64>, %w: tensor<?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = tensor.dim %like, %c0 : tensor<?x?xf64>
  %n = tensor.dim %like, %c1 : tensor<?x?xf64>
  %h = tensor.dim %w, %c0 : tensor<?xf64>
  %first = arith.minsi %h, %n : index
  %twice = arith.muli %h, %c2 : index
  %second = arith.minsi %twice, %n : index
  %between = arith.subi %second, %h : index
  %middle = arith.maxsi %between, %c0 : index
  %behind = arith.subi %n, %twice : index
  %rest = arith.maxsi %behind, %c0 : index
  %zeros = tensor.splat %zero[%m, %n] : tensor<?x?xf64>
  %0 = tensor.insert_slice %c into %zeros[0, %second] [%m, %rest] [1, 1] : tensor<?x?xf64> into tensor<?x?xf64>
  %1 = tensor.extract_slice %0[0, 0] [%m, %first] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
  %2 = "soac.map"(%m, %1, %a) ({
  ^bb0(%i: index, %r: tensor<?xf64>, %s: tensor<?xf64>):
    %x = "soac.map"(%first, %r, %s) ({
    ^bb0(%j: index, %e: f64, %f: f64):
      %y = arith.addf %e, %f : f64
      "soac.yield"(%y) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%x) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %3 = tensor.insert_slice %2 into %0[0, 0] [%m, %first] [1, 1] : tensor<?x?xf64> into tensor<?x?xf64>
  %4 = tensor.extract_slice %3[0, %first] [%m, %middle] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
  %5 = "soac.map"(%m, %4, %b) ({
  ^bb0(%i: index, %r: tensor<?xf64>, %s: tensor<?xf64>):
    %x = "soac.map"(%middle, %r, %s) ({
    ^bb0(%j: index, %e: f64, %f: f64):
      %y = arith.addf %e, %f : f64
      "soac.yield"(%y) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%x) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %6 = tensor.insert_slice %5 into %3[0, %first] [%m, %middle] [1, 1] : tensor<?x?xf64> into tensor<?x?xf64>
  return %6 : tensor<?x?xf64>
}

// -----

// Known sizes; without the last element the slices are not the array, and zeros stay.
// CHECK-LABEL: func.func @known
// CHECK: tensor.concat dim(0) %arg0, %arg1 : (tensor<3xf64>, tensor<2xf64>) -> tensor<5xf64>
// CHECK-LABEL: func.func @less
// CHECK-NOT: tensor.concat
// CHECK: return
func.func @known(%a: tensor<3xf64>, %b: tensor<2xf64>) -> tensor<5xf64> {
  %zero = arith.constant 0.0 : f64
  %c3 = arith.constant 3 : index
  %0 = tensor.splat %zero : tensor<5xf64>
  %1 = tensor.insert_slice %b into %0[3] [2] [1] : tensor<2xf64> into tensor<5xf64>
  %2 = tensor.extract_slice %1[0] [3] [1] : tensor<5xf64> to tensor<3xf64>
  %3 = "soac.map"(%c3, %2, %a) ({
  ^bb0(%i: index, %e: f64, %f: f64):
    %y = arith.addf %e, %f : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %4 = tensor.insert_slice %3 into %1[0] [3] [1] : tensor<3xf64> into tensor<5xf64>
  return %4 : tensor<5xf64>
}

func.func @less(%a: tensor<3xf64>, %b: tensor<1xf64>) -> tensor<5xf64> {
  %zero = arith.constant 0.0 : f64
  %c3 = arith.constant 3 : index
  %0 = tensor.splat %zero : tensor<5xf64>
  %1 = tensor.insert_slice %b into %0[3] [1] [1] : tensor<1xf64> into tensor<5xf64>
  %2 = tensor.extract_slice %1[0] [3] [1] : tensor<5xf64> to tensor<3xf64>
  %3 = "soac.map"(%c3, %2, %a) ({
  ^bb0(%i: index, %e: f64, %f: f64):
    %y = arith.addf %e, %f : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %4 = tensor.insert_slice %3 into %1[0] [3] [1] : tensor<3xf64> into tensor<5xf64>
  return %4 : tensor<5xf64>
}

// Columns of a fill are elements of its rows, which neighbours write: the others have the number of the fill.
// CHECK-LABEL: func.func @columns_of_fill(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?xf64>, %[[B:[^:]*]]: tensor<?xf64>
// CHECK: "soac.map"(%{{.*}}, %[[B]], %[[A]])
// CHECK: "soac.map"
// CHECK: arith.cmpi eq
// CHECK: arith.select
// CHECK: arith.cmpi eq
// CHECK: arith.select
// CHECK-NOT: tensor.insert_slice
// CHECK: return
func.func @columns_of_fill(%a: tensor<?xf64>, %b: tensor<?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %0 = tensor.splat %one[%n, %m] : tensor<?x?xf64>
  %1 = tensor.insert_slice %a into %0[0, 0] [%n, 1] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
  %2 = tensor.insert_slice %b into %1[0, 2] [%n, 1] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
  return %2 : tensor<?x?xf64>
}
