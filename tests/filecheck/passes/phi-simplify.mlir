// Expressions become simpler as far as the flags of their segment allow: one case per class of rules.
// RUN: tapeless-opt --phi-simplify %s | filecheck %s

// S, no flag: the cosine is even.
// CHECK-LABEL: func.func @exact(
// CHECK: ^bb0(%[[X:.*]]: f64):
// CHECK-NEXT: %[[Y:.*]] = "phi.fn"(%[[X]]) {function = "cos"}
// CHECK-NEXT: "phi.yield"(%[[Y]])
func.func @exact(%x: f64) -> f64 {
  %r = "phi.segment"(%x) ({
  ^bb0(%x_: f64):
    %n = "phi.lin"(%x_) {coeffs = [-1], constant = 0 : i64} : (f64) -> f64
    %y = "phi.fn"(%n) {function = "cos"} : (f64) -> f64
    "phi.yield"(%y) : (f64) -> ()
  }) {label = "exact", active_in = [true], active_out = [true], fm = #phi.fm<"contract">} : (f64) -> f64
  return %r : f64
}

// Z, nsz: a square is its own absolute value.
// CHECK-LABEL: func.func @unsigned_zeros(
// CHECK: ^bb0(%[[X:.*]]: f64):
// CHECK-NEXT: %[[Y:.*]] = "phi.mono"(%[[X]])
// CHECK-NEXT: "phi.yield"(%[[Y]])
func.func @unsigned_zeros(%x: f64) -> f64 {
  %r = "phi.segment"(%x) ({
  ^bb0(%x_: f64):
    %s = "phi.mono"(%x_) {coeff = 1 : i64, exps = [2]} : (f64) -> f64
    %y = "phi.fn"(%s) {function = "abs"} : (f64) -> f64
    "phi.yield"(%y) : (f64) -> ()
  }) {label = "unsigned_zeros", active_in = [true], active_out = [true], fm = #phi.fm<"nsz">} : (f64) -> f64
  return %r : f64
}

// N, nnan and nsz: a choice of the smaller value.
// CHECK-LABEL: func.func @no_nans(
// CHECK-NOT: phi.gamma
// CHECK: "phi.fn2"(%{{.*}}, %{{.*}}) {function = "min"}
func.func @no_nans(%x: f64, %y: f64) -> f64 {
  %r = "phi.segment"(%x, %y) ({
  ^bb0(%x_: f64, %y_: f64):
    %c = "phi.cmp"(%x_, %y_) {predicate = "lt"} : (f64, f64) -> i1
    %m = "phi.gamma"(%c, %x_, %y_) ({}, {}) : (i1, f64, f64) -> f64
    "phi.yield"(%m) : (f64) -> ()
  }) {label = "no_nans", active_in = [true, true], active_out = [true], fm = #phi.fm<"nnan,nsz">} : (f64, f64) -> f64
  return %r : f64
}

// R, reassoc: a * (b + 1) - a * b is a.
// CHECK-LABEL: func.func @regrouped(
// CHECK: ^bb0(%[[A:.*]]: f64, %{{.*}}: f64):
// CHECK-NEXT: "phi.yield"(%[[A]])
func.func @regrouped(%a: f64, %b: f64) -> f64 {
  %r = "phi.segment"(%a, %b) ({
  ^bb0(%a_: f64, %b_: f64):
    %s = "phi.lin"(%b_) {coeffs = [1], constant = 1 : i64} : (f64) -> f64
    %p = "phi.mono"(%a_, %s) {coeff = 1 : i64, exps = [1, 1]} : (f64, f64) -> f64
    %q = "phi.mono"(%a_, %b_) {coeff = 1 : i64, exps = [1, 1]} : (f64, f64) -> f64
    %y = "phi.lin"(%p, %q) {coeffs = [1, -1], constant = 0 : i64} : (f64, f64) -> f64
    "phi.yield"(%y) : (f64) -> ()
  }) {label = "regrouped", active_in = [true, true], active_out = [true], fm = #phi.fm<"reassoc,nsz">} : (f64, f64) -> f64
  return %r : f64
}

// A, arcp and reassoc: one division by the common divisor.
// CHECK-LABEL: func.func @reciprocals(
// CHECK: %[[SUM:.*]] = "phi.lin"(%{{.*}}, %{{.*}}) {coeffs = [1, 1], constant = 0 : i64}
// CHECK-NEXT: "phi.mono"(%{{.*}}, %[[SUM]]) {coeff = 1 : i64, exps = [-1, 1]}
// CHECK-NEXT: "phi.yield"
func.func @reciprocals(%a: f64, %b: f64, %c: f64) -> f64 {
  %r = "phi.segment"(%a, %b, %c) ({
  ^bb0(%a_: f64, %b_: f64, %c_: f64):
    %p = "phi.mono"(%a_, %c_) {coeff = 1 : i64, exps = [1, -1]} : (f64, f64) -> f64
    %q = "phi.mono"(%b_, %c_) {coeff = 1 : i64, exps = [1, -1]} : (f64, f64) -> f64
    %y = "phi.lin"(%p, %q) {coeffs = [1, 1], constant = 0 : i64} : (f64, f64) -> f64
    "phi.yield"(%y) : (f64) -> ()
  }) {label = "reciprocals", active_in = [true, true, true], active_out = [true], fm = #phi.fm<"arcp,reassoc,nsz">} : (f64, f64, f64) -> f64
  return %r : f64
}

// A difference with a root, over the root: the quotient less one.
// CHECK-LABEL: func.func @root_divided_out(
// CHECK: %[[Q:.*]] = "phi.mono"(%{{.*}}, %{{.*}}) {coeff = 1 : i64, exps = [1, #phi.rat<-1 : i64, 2 : i64>]}
// CHECK-NEXT: "phi.lin"(%[[Q]]) {coeffs = [1], constant = -1 : i64}
// CHECK-NEXT: "phi.yield"
func.func @root_divided_out(%a: f64, %b: f64) -> f64 {
  %r = "phi.segment"(%a, %b) ({
  ^bb0(%a_: f64, %b_: f64):
    %root = "phi.mono"(%b_) {coeff = 1 : i64, exps = [#phi.rat<1 : i64, 2 : i64>]} : (f64) -> f64
    %d = "phi.lin"(%a_, %root) {coeffs = [1, -1], constant = 0 : i64} : (f64, f64) -> f64
    %y = "phi.mono"(%d, %b_) {coeff = 1 : i64, exps = [1, #phi.rat<-1 : i64, 2 : i64>]} : (f64, f64) -> f64
    "phi.yield"(%y) : (f64) -> ()
  }) {label = "roots", active_in = [true, true], active_out = [true], fm = #phi.fm<"arcp,reassoc,nsz">} : (f64, f64) -> f64
  return %r : f64
}

// F, afn and reassoc: the squares of sine and cosine are one together.
// CHECK-LABEL: func.func @functions(
// CHECK-NOT: phi.fn
// CHECK: "phi.yield"
func.func @functions(%x: f64) -> f64 {
  %r = "phi.segment"(%x) ({
  ^bb0(%x_: f64):
    %s = "phi.fn"(%x_) {function = "sin"} : (f64) -> f64
    %c = "phi.fn"(%x_) {function = "cos"} : (f64) -> f64
    %p = "phi.mono"(%s) {coeff = 1 : i64, exps = [2]} : (f64) -> f64
    %q = "phi.mono"(%c) {coeff = 1 : i64, exps = [2]} : (f64) -> f64
    %y = "phi.lin"(%p, %q) {coeffs = [1, 1], constant = 0 : i64} : (f64, f64) -> f64
    "phi.yield"(%y) : (f64) -> ()
  }) {label = "functions", active_in = [true], active_out = [true], fm = #phi.fm<"afn,reassoc">} : (f64) -> f64
  return %r : f64
}

// Without afn they stay.
// CHECK-LABEL: func.func @functions_without_flag(
// CHECK-COUNT-2: phi.fn
// CHECK: "phi.yield"
func.func @functions_without_flag(%x: f64) -> f64 {
  %r = "phi.segment"(%x) ({
  ^bb0(%x_: f64):
    %s = "phi.fn"(%x_) {function = "sin"} : (f64) -> f64
    %c = "phi.fn"(%x_) {function = "cos"} : (f64) -> f64
    %p = "phi.mono"(%s) {coeff = 1 : i64, exps = [2]} : (f64) -> f64
    %q = "phi.mono"(%c) {coeff = 1 : i64, exps = [2]} : (f64) -> f64
    %y = "phi.lin"(%p, %q) {coeffs = [1, 1], constant = 0 : i64} : (f64, f64) -> f64
    "phi.yield"(%y) : (f64) -> ()
  }) {label = "functions_without_flag", active_in = [true], active_out = [true], fm = #phi.fm<"arcp,contract,nsz,reassoc,stable">} : (f64) -> f64
  return %r : f64
}

// D, cancel: the pole of (x * x - 1) / (x - 1) goes.
// CHECK-LABEL: func.func @cancelled(
// CHECK: ^bb0(%[[X:.*]]: f64):
// CHECK-NEXT: %[[Y:.*]] = "phi.lin"(%[[X]]) {coeffs = [1], constant = 1 : i64}
// CHECK-NEXT: "phi.yield"(%[[Y]])
func.func @cancelled(%x: f64) -> f64 {
  %r = "phi.segment"(%x) ({
  ^bb0(%x_: f64):
    %s = "phi.mono"(%x_) {coeff = 1 : i64, exps = [2]} : (f64) -> f64
    %p = "phi.lin"(%s) {coeffs = [1], constant = -1 : i64} : (f64) -> f64
    %q = "phi.lin"(%x_) {coeffs = [1], constant = -1 : i64} : (f64) -> f64
    %y = "phi.mono"(%p, %q) {coeff = 1 : i64, exps = [1, -1]} : (f64, f64) -> f64
    "phi.yield"(%y) : (f64) -> ()
  }) {label = "cancelled", active_in = [true], active_out = [true], fm = #phi.fm<"arcp,cancel,nsz,reassoc">} : (f64) -> f64
  return %r : f64
}

// Without cancel it stays.
// CHECK-LABEL: func.func @poles_stay(
// CHECK: exps = [1, -1]
func.func @poles_stay(%x: f64) -> f64 {
  %r = "phi.segment"(%x) ({
  ^bb0(%x_: f64):
    %s = "phi.mono"(%x_) {coeff = 1 : i64, exps = [2]} : (f64) -> f64
    %p = "phi.lin"(%s) {coeffs = [1], constant = -1 : i64} : (f64) -> f64
    %q = "phi.lin"(%x_) {coeffs = [1], constant = -1 : i64} : (f64) -> f64
    %y = "phi.mono"(%p, %q) {coeff = 1 : i64, exps = [1, -1]} : (f64, f64) -> f64
    "phi.yield"(%y) : (f64) -> ()
  }) {label = "poles_stay", active_in = [true], active_out = [true], fm = #phi.fm<"arcp,contract,nsz,reassoc,stable">} : (f64) -> f64
  return %r : f64
}

// St, stable: a quotient of exponentials that stays finite.
// CHECK-LABEL: func.func @stable(
// CHECK: ^bb0(%[[X:.*]]: f64):
// CHECK-NEXT: %[[Y:.*]] = "phi.fn"(%[[X]]) {function = "sigmoid"}
// CHECK-NEXT: "phi.yield"(%[[Y]])
func.func @stable(%x: f64) -> f64 {
  %r = "phi.segment"(%x) ({
  ^bb0(%x_: f64):
    %e = "phi.fn"(%x_) {function = "exp"} : (f64) -> f64
    %s = "phi.lin"(%e) {coeffs = [1], constant = 1 : i64} : (f64) -> f64
    %y = "phi.mono"(%e, %s) {coeff = 1 : i64, exps = [1, -1]} : (f64, f64) -> f64
    "phi.yield"(%y) : (f64) -> ()
  }) {label = "stable", active_in = [true], active_out = [true], fm = #phi.fm<"arcp,contract,nsz,reassoc,stable">} : (f64) -> f64
  return %r : f64
}

// In the arm of x > 0, x is positive.
// CHECK-LABEL: func.func @facts_of_conditions(
// CHECK-NOT: "abs"
// CHECK: phi.gamma
// CHECK-NOT: "abs"
// CHECK: return
func.func @facts_of_conditions(%x: f64, %y: f64) -> f64 {
  %r = "phi.segment"(%x, %y) ({
  ^bb0(%x_: f64, %y_: f64):
    %z = "phi.const"() {value = 0 : i64} : () -> f64
    %c = "phi.cmp"(%x_, %z) {predicate = "gt"} : (f64, f64) -> i1
    %a = "phi.fn"(%x_) {function = "abs"} : (f64) -> f64
    %m = "phi.gamma"(%c, %a, %y_) ({}, {}) : (i1, f64, f64) -> f64
    "phi.yield"(%m) : (f64) -> ()
  }) {label = "facts_of_conditions", active_in = [true, true], active_out = [true], fm = #phi.fm<"nsz">} : (f64, f64) -> f64
  return %r : f64
}

// A over several results: x / s**3 - 3 x y / s**4 and y / s**3 - 3 x y / s**4, each over s**4, which only both gain by.
// CHECK-LABEL: func.func @one_divisor_of_all(
// CHECK-NOT: -3]
// CHECK: "phi.mono"({{.*}}) {coeff = -1 : i64, exps = [-4, 1]}
// CHECK-NOT: -3]
// CHECK: "phi.mono"({{.*}}) {coeff = -1 : i64, exps = [-4, 1]}
// CHECK-NOT: -3]
// CHECK: "phi.yield"
func.func @one_divisor_of_all(%x: f64, %y: f64) -> (f64, f64) {
  %r:2 = "phi.segment"(%x, %y) ({
  ^bb0(%x_: f64, %y_: f64):
    %s = "phi.lin"(%x_, %y_) {coeffs = [1, 1], constant = 0 : i64} : (f64, f64) -> f64
    %a = "phi.mono"(%x_, %s) {coeff = 1 : i64, exps = [1, -3]} : (f64, f64) -> f64
    %b = "phi.mono"(%y_, %s) {coeff = 1 : i64, exps = [1, -3]} : (f64, f64) -> f64
    %c = "phi.mono"(%x_, %y_, %s) {coeff = 3 : i64, exps = [1, 1, -4]} : (f64, f64, f64) -> f64
    %d = "phi.lin"(%a, %c) {coeffs = [1, -1], constant = 0 : i64} : (f64, f64) -> f64
    %e = "phi.lin"(%b, %c) {coeffs = [1, -1], constant = 0 : i64} : (f64, f64) -> f64
    "phi.yield"(%d, %e) : (f64, f64) -> ()
  }) {label = "one_divisor_of_all", active_in = [true, true], active_out = [true, true], fm = #phi.fm<"arcp,contract,nsz,reassoc">} : (f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
