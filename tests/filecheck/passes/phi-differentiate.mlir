// The derivative of a segment as a function beside it, in each of its forms.
// RUN: tapeless-opt --phi-differentiate %s | filecheck %s --check-prefix=VJP
// RUN: tapeless-opt --phi-differentiate=form=jvp %s | filecheck %s --check-prefix=JVP
// RUN: tapeless-opt --phi-differentiate=form=jacobian %s | filecheck %s --check-prefix=JACOBIAN

// y = a^2 b, z = sin a; b is not active.
func.func @two(%a: f64, %b: f64) -> (f64, f64) {
  %y, %z = "phi.segment"(%a, %b) ({
  ^bb0(%u: f64, %v: f64):
    %m = "phi.mono"(%u, %v) {coeff = 1 : i64, exps = [2, 1]} : (f64, f64) -> f64
    %s = "phi.fn"(%u) {function = "sin"} : (f64) -> f64
    "phi.yield"(%m, %s) : (f64, f64) -> ()
  }) {label = "s0", active_in = [true, false], active_out = [true, true], fm = #phi.fm<"contract">} : (f64, f64) -> (f64, f64)
  return %y, %z : f64, f64
}

// Two seeds give one adjoint.
// VJP-LABEL: func.func @s0_vjp(
// VJP-SAME: %{{.*}}: f64, %{{.*}}: f64, %{{.*}}: f64, %{{.*}}: f64) -> f64
// VJP: ^bb0(%[[U:.*]]: f64, %[[V:.*]]: f64, %[[SY:.*]]: f64, %[[SZ:.*]]: f64):
// VJP: %[[COS:.*]] = "phi.fn"(%[[U]]) {function = "cos"}
// VJP: "phi.lin"(%{{.*}}, %{{.*}}) {coeffs = [1, 1], constant = 0 : i64}
// VJP: form = "vjp"

// One direction gives two tangents.
// JVP-LABEL: func.func @s0_jvp(
// JVP-SAME: %{{.*}}: f64, %{{.*}}: f64, %{{.*}}: f64) -> (f64, f64)
// JVP: form = "jvp"

// No seeds, and one partial derivative per result.
// JACOBIAN-LABEL: func.func @s0_jacobian(
// JACOBIAN-SAME: %{{.*}}: f64, %{{.*}}: f64) -> (f64, f64)
// JACOBIAN: "phi.mono"(%{{.*}}, %{{.*}}, %{{.*}}) {coeff = 1 : i64, exps = [1, 1, 1]}
// JACOBIAN: form = "jacobian"
