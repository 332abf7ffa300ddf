// In operators, derivatives of loops as a whole are taken as they are; outside of them, and of operations, there is a branch.
// RUN: tapeless-opt --soac-take-whole %s | filecheck %s

// CHECK-LABEL: func.func @inside(
// CHECK: "soac.map"
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:.*]]: f64):
// CHECK-NEXT: %[[WHOLE:.*]] = arith.mulf %[[X]], %[[X]] : f64
// CHECK-NEXT: "soac.yield"(%[[WHOLE]])
// CHECK-NOT: scf.if
// CHECK: return
func.func @inside(%a: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %r = "soac.map"(%n, %a) ({
  ^bb0(%i: index, %x: f64):
    %whole = arith.mulf %x, %x : f64
    %nothing = arith.mulf %whole, %zero : f64
    %finite = arith.cmpf oeq, %nothing, %zero {tapeless.guarded, tapeless.solved} : f64
    %y = scf.if %finite -> f64 {
      scf.yield %whole : f64
    } else {
      %s = math.sin %x : f64
      scf.yield %s : f64
    }
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @operations(
// CHECK: scf.if
func.func @operations(%a: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %r = "soac.map"(%n, %a) ({
  ^bb0(%i: index, %x: f64):
    %whole = arith.mulf %x, %x : f64
    %nothing = arith.mulf %whole, %zero : f64
    %finite = arith.cmpf oeq, %nothing, %zero {tapeless.guarded} : f64
    %y = scf.if %finite -> f64 {
      scf.yield %whole : f64
    } else {
      %s = math.sin %x : f64
      scf.yield %s : f64
    }
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @outside(
// CHECK: scf.if
func.func @outside(%x: f64, %whole: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %nothing = arith.mulf %whole, %zero : f64
  %finite = arith.cmpf oeq, %nothing, %zero {tapeless.guarded, tapeless.solved} : f64
  %y = scf.if %finite -> f64 {
    scf.yield %whole : f64
  } else {
    %s = math.sin %x : f64
    scf.yield %s : f64
  }
  return %y : f64
}
