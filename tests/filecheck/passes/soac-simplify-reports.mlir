// A report without a use goes with all that it was made of; equal ones are one; loops move past them.
// RUN: tapeless-opt --soac-simplify --cse %s | filecheck %s

// CHECK-LABEL: func.func @unused(
// CHECK-NOT: soac
// CHECK: return %arg1
func.func @unused(%x: tensor<?xf64>, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %small = arith.cmpf ole, %e, %y : f64
    %ok = "soac.report"(%small, %e) {message = "off by {}; {} times"} : (i1, f64) -> i1
    %s = arith.select %ok, %e, %zero : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %small = arith.cmpf ole, %y, %zero : f64
  %ok = "soac.report"(%small, %y) {message = "off by {}; {} times"} : (i1, f64) -> i1
  return %y : f64
}

// CHECK-LABEL: func.func @twice(
// CHECK-COUNT-1: soac.report
// CHECK-NOT: soac.report
func.func @twice(%ok: i1, %error: f64) -> (i1, i1) {
  %a = "soac.report"(%ok, %error) {message = "off by {}; {} times"} : (i1, f64) -> i1
  %b = "soac.report"(%ok, %error) {message = "off by {}; {} times"} : (i1, f64) -> i1
  return %a, %b : i1, i1
}
