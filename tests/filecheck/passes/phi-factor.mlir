// Sums and products with fewer operations.
// RUN: tapeless-opt --phi-factor %s | filecheck %s

// A common factor is taken out of a sum.
// CHECK-LABEL: func.func @common_factor(
// CHECK: ^bb0(%[[A:.*]]: f64, %[[B:.*]]: f64, %[[C:.*]]: f64):
// CHECK-NEXT: %[[S:.*]] = "phi.lin"(%[[B]], %[[C]]) {coeffs = [1, 1], constant = 0 : i64}
// CHECK-NEXT: "phi.mono"(%[[A]], %[[S]]) {coeff = 1 : i64, exps = [1, 1]}
func.func @common_factor(%a: f64, %b: f64, %c: f64) -> f64 {
  %r = "phi.segment"(%a, %b, %c) ({
  ^bb0(%a_: f64, %b_: f64, %c_: f64):
    %p = "phi.mono"(%a_, %b_) {coeff = 1 : i64, exps = [1, 1]} : (f64, f64) -> f64
    %q = "phi.mono"(%a_, %c_) {coeff = 1 : i64, exps = [1, 1]} : (f64, f64) -> f64
    %y = "phi.lin"(%p, %q) {coeffs = [1, 1], constant = 0 : i64} : (f64, f64) -> f64
    "phi.yield"(%y) : (f64) -> ()
  }) {label = "common_factor", active_in = [true, true, true], active_out = [true], fm = #phi.fm<"arcp,nsz,reassoc">} : (f64, f64, f64) -> f64
  return %r : f64
}

// A polynomial in Horner's form: no power is left.
// CHECK-LABEL: func.func @horner(
// CHECK-NOT: exps = [2]
// CHECK-NOT: exps = [3]
// CHECK: "phi.yield"
func.func @horner(%x: f64) -> f64 {
  %r = "phi.segment"(%x) ({
  ^bb0(%x_: f64):
    %s = "phi.mono"(%x_) {coeff = 1 : i64, exps = [2]} : (f64) -> f64
    %t = "phi.mono"(%x_) {coeff = 1 : i64, exps = [3]} : (f64) -> f64
    %y = "phi.lin"(%x_, %s, %t) {coeffs = [3, 5, 7], constant = 2 : i64} : (f64, f64, f64) -> f64
    "phi.yield"(%y) : (f64) -> ()
  }) {label = "horner", active_in = [true], active_out = [true], fm = #phi.fm<"arcp,nsz,reassoc">} : (f64) -> f64
  return %r : f64
}

// A divisor of two products is inverted once, and its square is the square of the inverse.
// CHECK-LABEL: func.func @divisor(
// CHECK: %[[ONCE:.*]] = "phi.mono"(%{{.*}}) {coeff = 1 : i64, exps = [-1]}
// CHECK: "phi.mono"(%[[ONCE]], %{{.*}}) {coeff = 1 : i64, exps = [2, 1]}
func.func @divisor(%a: f64, %b: f64, %c: f64) -> f64 {
  %r = "phi.segment"(%a, %b, %c) ({
  ^bb0(%a_: f64, %b_: f64, %c_: f64):
    %p = "phi.mono"(%a_, %c_) {coeff = 1 : i64, exps = [1, -1]} : (f64, f64) -> f64
    %f = "phi.fn"(%p) {function = "sin"} : (f64) -> f64
    %q = "phi.mono"(%b_, %c_) {coeff = 1 : i64, exps = [1, -2]} : (f64, f64) -> f64
    %y = "phi.lin"(%f, %q) {coeffs = [1, 1], constant = 0 : i64} : (f64, f64) -> f64
    "phi.yield"(%y) : (f64) -> ()
  }) {label = "divisor", active_in = [true, true, true], active_out = [true], fm = #phi.fm<"arcp,nsz,reassoc">} : (f64, f64, f64) -> f64
  return %r : f64
}

// Without flags nothing changes.
// CHECK-LABEL: func.func @strict(
// CHECK-COUNT-2: phi.mono
// CHECK: "phi.lin"(%{{.*}}, %{{.*}}) {coeffs = [1, 1], constant = 0 : i64}
func.func @strict(%a: f64, %b: f64, %c: f64) -> f64 {
  %r = "phi.segment"(%a, %b, %c) ({
  ^bb0(%a_: f64, %b_: f64, %c_: f64):
    %p = "phi.mono"(%a_, %b_) {coeff = 1 : i64, exps = [1, 1]} : (f64, f64) -> f64
    %q = "phi.mono"(%a_, %c_) {coeff = 1 : i64, exps = [1, 1]} : (f64, f64) -> f64
    %y = "phi.lin"(%p, %q) {coeffs = [1, 1], constant = 0 : i64} : (f64, f64) -> f64
    "phi.yield"(%y) : (f64) -> ()
  }) {label = "strict", active_in = [true, true, true], active_out = [true], fm = #phi.fm<"contract">} : (f64, f64, f64) -> f64
  return %r : f64
}
