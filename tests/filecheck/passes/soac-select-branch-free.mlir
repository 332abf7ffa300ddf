// Where the exact way of a guarded branch has no branch, it is taken without a look at the data, but not inside
// operators, nor where it is slow.
// RUN: tapeless-opt --soac-select-branch-free %s | filecheck %s

// CHECK-LABEL: func.func @outside
// CHECK-NOT: soac.guard
// CHECK-NOT: scf.if
// CHECK-NOT: arith.divf
// CHECK: math.exp
// CHECK: return
func.func @outside(%x: tensor<?xf64>, %n: index, %c: i1) -> tensor<?xf64> {
  %ok = "soac.guard"(%c) {exact = "branch-free"} : (i1) -> i1
  %r = scf.if %ok -> (tensor<?xf64>) {
    %a = "soac.map"(%n, %x) ({
    ^bb0(%i: index, %e: f64):
      %y = arith.divf %e, %e : f64
      "soac.yield"(%y) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %a : tensor<?xf64>
  } else {
    %a = "soac.map"(%n, %x) ({
    ^bb0(%i: index, %e: f64):
      %y = math.exp %e : f64
      "soac.yield"(%y) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %a : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @inside
// CHECK: scf.if
func.func @inside(%x: tensor<?xf64>, %n: index, %c: i1) -> tensor<?xf64> {
  %a = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %ok = "soac.guard"(%c) {exact = "branch-free"} : (i1) -> i1
    %r = scf.if %ok -> (f64) {
      scf.yield %e : f64
    } else {
      %y = math.exp %e : f64
      scf.yield %y : f64
    }
    "soac.yield"(%r) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %a : tensor<?xf64>
}

// CHECK-LABEL: func.func @slow
// CHECK: scf.if
func.func @slow(%x: f64, %whole: f64) -> f64 {
  %ok = "soac.guard"(%whole) {exact = "operations"} : (f64) -> i1
  %r = scf.if %ok -> (f64) {
    scf.yield %whole : f64
  } else {
    %y = math.exp %x : f64
    scf.yield %y : f64
  }
  return %r : f64
}
