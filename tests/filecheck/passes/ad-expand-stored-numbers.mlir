// ad-expand by the method reversible: numbers that a loop in a map multiplies by data are stored for the way back.
// RUN: tapeless-opt --ad-expand %s | filecheck %s

// The loop stores a number in each iteration of itself, and nothing divides by what may be zero.
// CHECK-LABEL: func.func @request(
// CHECK-NOT: arith.divf
// CHECK-NOT: soac.report
// CHECK: scf.for {{.*}} iter_args(%{{.*}}, %{{.*}}) -> (f64, tensor<?xf64>)
// CHECK: tensor.insert
// CHECK-NOT: arith.divf
// CHECK: return
func.func private @powers(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %y = "soac.map"(%size, %x) ({
  ^bb0(%i: index, %t: f64):
    %power = scf.for %k = %c0 to %n step %c1 iter_args(%p = %one) -> (f64) {
      %next = arith.mulf %p, %t : f64
      scf.yield %next : f64
    }
    "soac.yield"(%power) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
func.func @request(%x: tensor<?xf64>, %n: index, %seed: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %y, %bar = "ad.vjp"(%x, %n, %seed) {method = "reversible", callee = @powers, wrt = [0],
    operandSegmentSizes = array<i32: 2, 1>} : (tensor<?xf64>, index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %y, %bar : tensor<?xf64>, tensor<?xf64>
}
