// RUN: tapeless-opt %s --soac-simplify | filecheck %s
// A read of what no write has touched is a part of the fill at the start, also where a later read keeps the writes from
// moving; a map over it, whose body does not vary then, is a fill as well, and so is the next one in the same round.

// CHECK-LABEL: func.func @rows
// CHECK-NOT: soac.map
// CHECK: return
func.func @rows(%n: index, %m: index, %a: f64, %b: f64) -> (tensor<?x?xf64>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %fill = tensor.splat %a[%n, %m] : tensor<?x?xf64>
  %zeros = tensor.splat %zero[%m] : tensor<?xf64>
  %0 = tensor.insert_slice %zeros into %fill[5, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
  %x = tensor.extract_slice %0[4, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
  %1 = tensor.insert_slice %zeros into %0[4, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
  %y = tensor.extract_slice %1[3, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
  %2 = tensor.insert_slice %zeros into %1[3, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
  %p = "soac.map"(%m, %x) ({
  ^bb0(%i: index, %e: f64):
    %s = arith.mulf %e, %b : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %q = "soac.map"(%m, %y, %p) ({
  ^bb0(%i: index, %e: f64, %g: f64):
    %s = arith.addf %e, %g : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %2, %q : tensor<?x?xf64>, tensor<?xf64>
}
