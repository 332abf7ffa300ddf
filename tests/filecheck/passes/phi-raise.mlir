// Core IR in a segment becomes expressions; what is not exact under the flags of the segment stays as it is.
// RUN: tapeless-opt --phi-raise %s | filecheck %s

// Products and powers are monomials, sums are linear combinations.
// CHECK-LABEL: func.func @algebra
// CHECK: %[[SQUARE:.*]] = "phi.mono"(%{{.*}}) {coeff = 1 : i64, exps = [2]}
// CHECK: %[[SUM:.*]] = "phi.lin"(%{{.*}}, %[[SQUARE]]) {coeffs = [-1, 1], constant = 0 : i64}
// CHECK: "phi.mono"(%[[SUM]]) {coeff = 1 : i64, exps = [#phi.rat<1 : i64, 2 : i64>]}
func.func @algebra(%a: f64, %b: f64) -> f64 {
  %y = "phi.segment"(%a, %b) ({
  ^bb0(%u: f64, %v: f64):
    %square = arith.mulf %u, %u : f64
    %sum = arith.subf %square, %v : f64
    %root = math.sqrt %sum : f64
    "phi.yield"(%root) : (f64) -> ()
  }) {label = "s0", active_in = [true, true], active_out = [true], fm = #phi.fm<"contract">} : (f64, f64) -> f64
  return %y : f64
}

// A comparison that holds for NaN is the negation of one that does not.
// CHECK-LABEL: func.func @unordered
// CHECK: %[[LESS:.*]] = "phi.cmp"(%[[V:.*]], %[[U:.*]]) {predicate = "le"}
// CHECK: "phi.gamma"(%[[LESS]], %[[V]], %[[U]])
func.func @unordered(%a: f64, %b: f64) -> f64 {
  %y = "phi.segment"(%a, %b) ({
  ^bb0(%u: f64, %v: f64):
    %c = arith.cmpf ult, %u, %v : f64
    %s = arith.select %c, %u, %v : f64
    "phi.yield"(%s) : (f64) -> ()
  }) {label = "s0", active_in = [true, true], active_out = [true], fm = #phi.fm<"contract">} : (f64, f64) -> f64
  return %y : f64
}

// A branch keeps what only its arms compute in them.
// CHECK-LABEL: func.func @branch
// CHECK: "phi.gamma"(%{{.*}}) ({
// CHECK: "phi.fn"(%{{.*}}) {function = "exp"}
// CHECK: }, {
// CHECK: "phi.fn2"(%{{.*}}, %{{.*}}) {function = "maxnum"}
// CHECK: }) : (i1) -> f64
func.func @branch(%a: f64, %b: f64, %p: i1) -> f64 {
  %y = "phi.segment"(%a, %b, %p) ({
  ^bb0(%u: f64, %v: f64, %c: i1):
    %s = scf.if %c -> (f64) {
      %e = math.exp %u : f64
      scf.yield %e : f64
    } else {
      %m = arith.maxnumf %u, %v : f64
      scf.yield %m : f64
    }
    "phi.yield"(%s) : (f64) -> ()
  }) {label = "s0", active_in = [true, true, false], active_out = [true], fm = #phi.fm<"contract">} : (f64, f64, i1) -> f64
  return %y : f64
}

// Two products of the same factors in another order are one with `reassoc`, and two without.
// CHECK-LABEL: func.func @free
// CHECK: "phi.mono"(%{{.*}}, %{{.*}}) {coeff = 3 : i64, exps = [1, 2]}
// CHECK-NEXT: "phi.yield"
func.func @free(%a: f64, %b: f64) -> f64 {
  %y = "phi.segment"(%a, %b) ({
  ^bb0(%u: f64, %v: f64):
    %k = arith.constant 3.0 : f64
    %p = arith.mulf %u, %k : f64
    %q = arith.mulf %p, %v : f64
    %r = arith.mulf %q, %v : f64
    "phi.yield"(%r) : (f64) -> ()
  }) {label = "s0", active_in = [true, true], active_out = [true], fm = #phi.fm<"reassoc">} : (f64, f64) -> f64
  return %y : f64
}
