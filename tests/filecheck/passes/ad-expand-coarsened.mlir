// A segment goes back as one expression, and nothing of `phi` is left.
// RUN: tapeless-opt --ad-expand %s | filecheck %s

// All quotients have the same denominator: two reciprocals of it are enough for the gradient.
// CHECK-LABEL: func.func @gradient
// CHECK-NOT: phi.
// CHECK-COUNT-2: arith.divf
// CHECK-NOT: {{phi\.|arith.divf}}
// CHECK: return
func.func private @quotients(%x: f64, %y: f64) -> f64 {
  %s = arith.addf %x, %y fastmath<contract> : f64
  %a = arith.divf %x, %s fastmath<contract> : f64
  %b = arith.divf %y, %s fastmath<contract> : f64
  %c = arith.mulf %a, %b fastmath<contract> : f64
  %d = arith.divf %c, %s fastmath<contract> : f64
  return %d : f64
}
func.func @gradient(%x: f64, %y: f64, %bar: f64) -> (f64, f64) {
  %r:3 = "ad.vjp"(%x, %y, %bar) {
    callee = @quotients, wrt = [0, 1], method = "coarsened", operandSegmentSizes = array<i32: 2, 1>
  } : (f64, f64, f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}
