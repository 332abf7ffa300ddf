// Recurrences in segments get closed forms.
// RUN: tapeless-opt --phi-solve %s | filecheck %s

// d = a * d + b: a power and a geometric sum, from one doubling loop.
// CHECK-LABEL: func.func @affine(
// CHECK-NOT: phi.iterate
// CHECK: %[[PAIR:.*]]:2 = "phi.affine_pow"(%[[N:.*]], %[[A:.*]]) : (index, f64) -> (f64, f64)
// CHECK: "phi.mono"(%{{.*}}, %[[PAIR]]#1)
// CHECK: "phi.mono"(%{{.*}}, %[[PAIR]]#0)
// CHECK: "phi.lin"
func.func @affine(%n: index, %a: f64, %b: f64, %p: f64) -> f64 {
  %r = "phi.segment"(%n, %a, %b, %p) ({
  ^bb0(%steps: index, %u: f64, %v: f64, %first: f64):
    %d = "phi.iterate"(%steps, %first) ({
    ^bb0(%k: index, %x: f64):
      %m = "phi.mono"(%u, %x) {exps = [1, 1], coeff = 1 : i64} : (f64, f64) -> f64
      %y = "phi.lin"(%m, %v) {coeffs = [1, 1], constant = 0 : i64} : (f64, f64) -> f64
      "phi.yield"(%y) : (f64) -> ()
    }) : (index, f64) -> f64
    "phi.yield"(%d) : (f64) -> ()
  }) {label = "s0", active_in = [false, true, true, true], active_out = [true], fm = #phi.fm<"reassoc,nsz">} : (index, f64, f64, f64) -> f64
  return %r : f64
}

// The same without `reassoc` stays a loop.
// CHECK-LABEL: func.func @strict(
// CHECK: phi.iterate
func.func @strict(%n: index, %a: f64, %p: f64) -> f64 {
  %r = "phi.segment"(%n, %a, %p) ({
  ^bb0(%steps: index, %u: f64, %first: f64):
    %d = "phi.iterate"(%steps, %first) ({
    ^bb0(%k: index, %x: f64):
      %y = "phi.lin"(%x, %u) {coeffs = [1, 1], constant = 0 : i64} : (f64, f64) -> f64
      "phi.yield"(%y) : (f64) -> ()
    }) : (index, f64) -> f64
    "phi.yield"(%d) : (f64) -> ()
  }) {label = "s0", active_in = [false, true, true], active_out = [true], fm = #phi.fm<"contract">} : (index, f64, f64) -> f64
  return %r : f64
}

// A loop of core IR that adds elements: a sum over the range, with the factor outside.
// CHECK-LABEL: func.func @sum(
// CHECK: "phi.sum"(%{{.*}}, %{{.*}}) ({
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK-NEXT: %[[X:.*]] = "phi.elem"(%{{.*}}, %[[I]])
// CHECK-NEXT: "phi.yield"(%[[X]])
// CHECK: "phi.mono"
func.func @sum(%n: index, %a: f64, %xs: tensor<?xf64>) -> f64 {
  %r = "phi.segment"(%n, %a, %xs) ({
  ^bb0(%steps: index, %u: f64, %array: tensor<?xf64>):
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %none = arith.constant 0.0 : f64
    %d = scf.for %k = %zero to %steps step %one iter_args(%x = %none) -> f64 {
      %e = tensor.extract %array[%k] : tensor<?xf64>
      %m = arith.mulf %e, %u : f64
      %y = arith.addf %x, %m : f64
      scf.yield %y : f64
    }
    "phi.yield"(%d) : (f64) -> ()
  }) {label = "s0", active_in = [false, true, false], active_out = [true], fm = #phi.fm<"reassoc,nsz">} : (index, f64, tensor<?xf64>) -> f64
  return %r : f64
}

// The values of a loop with a condition are those of as many steps as it did.
// CHECK-LABEL: func.func @while(
// CHECK: %[[LOOP:.*]]:2 = "phi.while"(%{{.*}}) ({
// CHECK: "phi.affine_pow"(%[[LOOP]]#1, %{{.*}})
func.func @while(%a: f64, %p: f64) -> f64 {
  %r = "phi.segment"(%a, %p) ({
  ^bb0(%u: f64, %first: f64):
    %d:2 = "phi.while"(%first) ({
    ^bb0(%x: f64):
      %holds = "phi.cmp"(%x, %u) {predicate = "lt"} : (f64, f64) -> i1
      "phi.yield"(%holds) : (i1) -> ()
    }, {
    ^bb0(%x: f64):
      %y = "phi.mono"(%x, %u) {exps = [1, 1], coeff = 1 : i64} : (f64, f64) -> f64
      "phi.yield"(%y) : (f64) -> ()
    }) : (f64) -> (f64, index)
    "phi.yield"(%d#0) : (f64) -> ()
  }) {label = "s0", active_in = [true, true], active_out = [true], fm = #phi.fm<"reassoc,nsz">} : (f64, f64) -> f64
  return %r : f64
}

// A loop of which no step changes what its condition reads carries nothing: it runs never, or for ever.
// CHECK-LABEL: func.func @unchanged(
// CHECK: %[[STEPS:.*]] = "phi.while"() ({
// CHECK: }) : () -> index
// CHECK: "phi.affine_pow"(%[[STEPS]], %{{.*}})
func.func @unchanged(%a: f64, %p: f64, %c: i1) -> f64 {
  %r = "phi.segment"(%a, %p, %c) ({
  ^bb0(%u: f64, %first: f64, %holds: i1):
    %d:2 = "phi.while"(%first) ({
    ^bb0(%x: f64):
      "phi.yield"(%holds) : (i1) -> ()
    }, {
    ^bb0(%x: f64):
      %y = "phi.mono"(%x, %u) {exps = [1, 1], coeff = 1 : i64} : (f64, f64) -> f64
      "phi.yield"(%y) : (f64) -> ()
    }) : (f64) -> (f64, index)
    "phi.yield"(%d#0) : (f64) -> ()
  }) {label = "s0", active_in = [true, true, false], active_out = [true], fm = #phi.fm<"reassoc,nsz">} : (f64, f64, i1) -> f64
  return %r : f64
}

// A loop whose condition never holds is what it starts from.
// CHECK-LABEL: func.func @never(
// CHECK-NOT: phi.while
// CHECK: "phi.yield"(%[[FIRST:.*]]) : (f64) -> ()
func.func @never(%a: f64, %p: f64) -> f64 {
  %r = "phi.segment"(%a, %p) ({
  ^bb0(%u: f64, %first: f64):
    %d:2 = "phi.while"(%first) ({
    ^bb0(%x: f64):
      %holds = arith.constant false
      "phi.yield"(%holds) : (i1) -> ()
    }, {
    ^bb0(%x: f64):
      %y = "phi.mono"(%x, %u) {exps = [1, 1], coeff = 1 : i64} : (f64, f64) -> f64
      "phi.yield"(%y) : (f64) -> ()
    }) : (f64) -> (f64, index)
    "phi.yield"(%d#0) : (f64) -> ()
  }) {label = "s0", active_in = [true, true], active_out = [true], fm = #phi.fm<"reassoc,nsz">} : (f64, f64) -> f64
  return %r : f64
}
