// Where one way of a marked branch is always right, it is taken without a look at the data, but not inside operators.
// RUN: tapeless-opt --soac-take-general %s | filecheck %s

// CHECK-LABEL: func.func @outside
// CHECK-NOT: scf.if
// CHECK-NOT: arith.divf
// CHECK: math.exp
// CHECK: return
func.func @outside(%x: tensor<?xf64>, %n: index, %c: i1) -> tensor<?xf64> {
  %r = scf.if %c -> (tensor<?xf64>) {
    %a = "soac.map"(%n, %x) ({
    ^bb0(%i: index, %e: f64):
      %y = math.exp %e : f64
      "soac.yield"(%y) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %a : tensor<?xf64>
  } else {
    %a = "soac.map"(%n, %x) ({
    ^bb0(%i: index, %e: f64):
      %y = arith.divf %e, %e : f64
      "soac.yield"(%y) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %a : tensor<?xf64>
  } {tapeless.general}
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @inside
// CHECK: scf.if
func.func @inside(%x: tensor<?xf64>, %n: index, %c: i1) -> tensor<?xf64> {
  %a = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %r = scf.if %c -> (f64) {
      %y = math.exp %e : f64
      scf.yield %y : f64
    } else {
      scf.yield %e : f64
    } {tapeless.general}
    "soac.yield"(%r) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}
