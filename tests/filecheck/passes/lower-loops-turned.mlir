// lower-loops builds a result that is the transposition of what a map makes from a transposed array in its own order.
// RUN: tapeless-opt --loops %s | filecheck %s

// CHECK-LABEL: func.func private @columns_part0(
// CHECK: scf.for %[[COLUMN:[^ ]*]] =
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK-NEXT: memref.load %{{.*}}[%[[I]], %[[COLUMN]]]
// CHECK: scf.for %[[ROW:[^ ]*]] =
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[ROW]], %[[COLUMN]]]
// CHECK-LABEL: func.func @columns(
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @columns(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %rows = tensor.dim %x, %c0 : tensor<?x?xf64>
  %columns = tensor.dim %x, %c1 : tensor<?x?xf64>
  %turned = "soac.transpose"(%x) {permutation = [1, 0]} : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %made = "soac.map"(%columns, %turned) ({
  ^bb0(%i: index, %column: tensor<?xf64>):
    %total = "soac.reduce"(%rows, %column, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %sum = arith.addf %a, %b : f64
      "soac.yield"(%sum) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    %shares = "soac.map"(%rows, %column) ({
    ^bb0(%k: index, %e: f64):
      %share = arith.divf %e, %total : f64
      "soac.yield"(%share) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%shares) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  %back = "soac.transpose"(%made) {permutation = [1, 0]} : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %back : tensor<?x?xf64>
}

// A map that reads its rows as they lie in memory writes them so, and the result is a copy.
// CHECK-LABEL: func.func @rows(
// CHECK: memref.alloc
func.func @rows(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xf64>
  %columns = tensor.dim %x, %c1 : tensor<?x?xf64>
  %made = "soac.map"(%rows, %x) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %doubled = "soac.map"(%columns, %row) ({
    ^bb0(%k: index, %e: f64):
      %b = arith.addf %e, %e : f64
      "soac.yield"(%b) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%doubled) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  %back = "soac.transpose"(%made) {permutation = [1, 0]} : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %back : tensor<?x?xf64>
}
