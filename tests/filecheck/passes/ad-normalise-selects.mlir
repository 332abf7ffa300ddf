// ad-normalise turns choices between arrays into branches; those between numbers stay.
// RUN: tapeless-opt --ad-normalise %s | filecheck %s

// CHECK-LABEL: func.func @choices(
// CHECK-SAME: %[[C:[^:]*]]: i1, %[[A:[^:]*]]: tensor<?xf64>, %[[B:[^:]*]]: tensor<?xf64>
// CHECK-NEXT: %[[R:.*]] = scf.if %[[C]] -> (tensor<?xf64>) {
// CHECK-NEXT: scf.yield %[[A]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[B]]
// CHECK: %[[S:.*]] = arith.select %[[C]], %{{.*}}, %{{.*}} : f64
// CHECK-NEXT: return %[[R]], %[[S]]
func.func @choices(%c: i1, %a: tensor<?xf64>, %b: tensor<?xf64>, %x: f64, %y: f64) -> (tensor<?xf64>, f64) {
  %r = arith.select %c, %a, %b : tensor<?xf64>
  %s = arith.select %c, %x, %y : f64
  return %r, %s : tensor<?xf64>, f64
}

// A choice element by element is no branch.
// CHECK-LABEL: func.func @elements(
// CHECK-NEXT: arith.select %{{.*}} : tensor<4xi1>, tensor<4xf64>
func.func @elements(%c: tensor<4xi1>, %a: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  %r = arith.select %c, %a, %b : tensor<4xi1>, tensor<4xf64>
  return %r : tensor<4xf64>
}
