// soac-unroll-taps has operators over rows take the columns that are written one after the other, until all are.
// RUN: tapeless-opt --soac-unroll-taps --soac-simplify %s | filecheck %s

// CHECK-LABEL: func.func @stacked(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?xf64>, %[[B:[^:]*]]: tensor<?xf64>
// CHECK-NOT: insert_slice
// CHECK: "soac.map"(%{{.*}}, %[[A]], %[[B]])
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:.*]]: f64, %[[Y:.*]]: f64):
// CHECK-NEXT: %[[ROW:.*]] = tensor.from_elements %[[X]], %[[Y]] : tensor<2xf64>
// CHECK-NEXT: "soac.reduce"(%{{.*}}, %[[ROW]], %{{.*}})
func.func @stacked(%a: tensor<?xf64>, %b: tensor<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %size = tensor.dim %a, %c0 : tensor<?xf64>
  %0 = tensor.empty(%size) : tensor<?x2xf64>
  %1 = tensor.insert_slice %b into %0[0, 1] [%size, 1] [1, 1] : tensor<?xf64> into tensor<?x2xf64>
  %2 = tensor.insert_slice %a into %1[0, 0] [%size, 1] [1, 1] : tensor<?xf64> into tensor<?x2xf64>
  %sums = "soac.map"(%size, %2) ({
  ^bb0(%i: index, %row: tensor<2xf64>):
    %s = "soac.reduce"(%c2, %row, %zero) ({
    ^bb0(%l: f64, %r: f64):
      %t = arith.addf %l, %r : f64
      "soac.yield"(%t) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<2xf64>, f64) -> f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x2xf64>) -> tensor<?xf64>
  return %sums : tensor<?xf64>
}

// A column that is missing, one that is written twice, and an array that is a result stay.
// CHECK-LABEL: func.func @some(
// CHECK: tensor.insert_slice
// CHECK-LABEL: func.func @given(
// CHECK: tensor.insert_slice
// CHECK: tensor.insert_slice
func.func @some(%a: tensor<?xf64>, %whole: tensor<?x2xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = tensor.dim %whole, %c0 : tensor<?x2xf64>
  %1 = tensor.insert_slice %a into %whole[0, 1] [%size, 1] [1, 1] : tensor<?xf64> into tensor<?x2xf64>
  %sums = "soac.map"(%size, %1) ({
  ^bb0(%i: index, %row: tensor<2xf64>):
    %x = tensor.extract %row[%c0] : tensor<2xf64>
    %y = tensor.extract %row[%c1] : tensor<2xf64>
    %s = arith.addf %x, %y : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x2xf64>) -> tensor<?xf64>
  return %sums : tensor<?xf64>
}

func.func @given(%a: tensor<?xf64>, %b: tensor<?xf64>, %size: index) -> tensor<?x2xf64> {
  %0 = tensor.empty(%size) : tensor<?x2xf64>
  %1 = tensor.insert_slice %b into %0[0, 1] [%size, 1] [1, 1] : tensor<?xf64> into tensor<?x2xf64>
  %2 = tensor.insert_slice %a into %1[0, 0] [%size, 1] [1, 1] : tensor<?xf64> into tensor<?x2xf64>
  return %2 : tensor<?x2xf64>
}
