// soac-fold applies the rules of soac-simplify once, and moves nothing.
// RUN: tapeless-opt --soac-fold %s | filecheck %s

// The size of a map is its width; the function stays where it is, although it is the same in every iteration.
// CHECK-LABEL: func.func @size_of_map(
// CHECK-SAME: %[[N:[^:]*]]: index
// CHECK: "soac.map"(%[[N]], %{{.*}})
// CHECK-NEXT: ^bb0
// CHECK-NEXT: math.exp
// CHECK-NOT: tensor.dim
// CHECK: "soac.map"(%[[N]], %{{.*}})
func.func @size_of_map(%n: index, %xs: tensor<?xf64>, %a: f64) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %ys = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %e = math.exp %a : f64
    %y = arith.mulf %x, %e : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %m = tensor.dim %ys, %zero : tensor<?xf64>
  %zs = "soac.map"(%m, %ys) ({
  ^bb0(%i: index, %x: f64):
    %y = math.sin %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %zs : tensor<?xf64>
}
