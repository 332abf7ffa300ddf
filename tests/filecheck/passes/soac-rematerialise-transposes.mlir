// soac-rematerialise builds products of vectors in the order in which they are read.
// RUN: tapeless-opt --soac-rematerialise --soac-simplify %s | filecheck %s

// Columns outside, rows inside, and no transposition.
// CHECK-LABEL: func.func @outer_product
// CHECK-NOT: soac.transpose
// CHECK: "soac.map"(%{{[^,]*}}, %arg1)
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[Y:.*]]: f64):
// CHECK: "soac.map"(%{{[^,]*}}, %arg0)
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:.*]]: f64):
// CHECK: arith.mulf %[[X]], %[[Y]]
// CHECK-NOT: soac.transpose
// CHECK: return
func.func @outer_product(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?xf64>
  %columns = tensor.dim %y, %c0 : tensor<?xf64>
  %outer = "soac.map"(%rows, %x) ({
  ^bb0(%i: index, %a: f64):
    %row = "soac.map"(%columns, %y) ({
    ^bb0(%j: index, %b: f64):
      %p = arith.mulf %a, %b : f64
      "soac.yield"(%p) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%row) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?x?xf64>
  %turned = "soac.transpose"(%outer) {permutation = [1, 0]} : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %turned : tensor<?x?xf64>
}

// Elements of a matrix would be read across its rows, a function would run in another order of loops for nothing, and
// what is read as it is must be there anyway.
// CHECK-LABEL: func.func @left_alone
// CHECK-COUNT-3: soac.transpose
// CHECK: return
func.func @left_alone(%matrix: tensor<4x5xf64>, %x: tensor<4xf64>)
    -> (tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<4x5xf64>) {
  %n = arith.constant 4 : index
  %m = arith.constant 5 : index
  %doubled = "soac.map"(%n, %matrix) ({
  ^bb0(%i: index, %r: tensor<5xf64>):
    %row = "soac.map"(%m, %r) ({
    ^bb0(%j: index, %b: f64):
      %p = arith.addf %b, %b : f64
      "soac.yield"(%p) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<5xf64>) -> tensor<5xf64>
    "soac.yield"(%row) : (tensor<5xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<4x5xf64>) -> tensor<4x5xf64>
  %a = "soac.transpose"(%doubled) {permutation = [1, 0]} : (tensor<4x5xf64>) -> tensor<5x4xf64>
  %costly = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %s: f64):
    %row = "soac.map"(%m) ({
    ^bb0(%j: index):
      %p = math.exp %s : f64
      "soac.yield"(%p) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<5xf64>
    "soac.yield"(%row) : (tensor<5xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<4xf64>) -> tensor<4x5xf64>
  %b = "soac.transpose"(%costly) {permutation = [1, 0]} : (tensor<4x5xf64>) -> tensor<5x4xf64>
  %wanted = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %s: f64):
    %row = "soac.map"(%m) ({
    ^bb0(%j: index):
      %p = arith.mulf %s, %s : f64
      "soac.yield"(%p) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<5xf64>
    "soac.yield"(%row) : (tensor<5xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<4xf64>) -> tensor<4x5xf64>
  %c = "soac.transpose"(%wanted) {permutation = [1, 0]} : (tensor<4x5xf64>) -> tensor<5x4xf64>
  return %a, %b, %c, %wanted : tensor<5x4xf64>, tensor<5x4xf64>, tensor<5x4xf64>, tensor<4x5xf64>
}
