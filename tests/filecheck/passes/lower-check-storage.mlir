// A plan by which the second map would write over what the sum after it reads is found to be wrong, whoever wrote it.
// RUN: not tapeless-opt --lower-check-storage %s 2>&1 | filecheck %s
// RUN: tapeless-opt --lower-plan-storage --lower-check-storage %s | filecheck %s --check-prefix=RIGHT

// CHECK: 'soac.reduce' {{.*}}would read what 'soac.yield' {{.*}}has overwritten
// RIGHT: func.func @overwritten
func.func @overwritten(%n: index, %x: tensor<?xf64>) -> (tensor<?xf64>, f64) attributes {tapeless.memory = {arguments = array<i64: -1, 0>, constant = array<i64: 0>, makes = array<i64: 0>}} {
  %zero = arith.constant 0.0 : f64
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %s = arith.mulf %e, %e : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>, tapeless.memory = {makes = array<i64: 1>, results = array<i64: 1>}} : (index, tensor<?xf64>) -> tensor<?xf64>
  %z = "soac.map"(%n, %y) ({
  ^bb0(%i: index, %e: f64):
    %s = arith.addf %e, %e : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>, tapeless.memory = {results = array<i64: 1>}} : (index, tensor<?xf64>) -> tensor<?xf64>
  %sum = "soac.reduce"(%n, %y, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %z, %sum : tensor<?xf64>, f64
}
