// Segments and their derivatives become core IR where they stand.
// RUN: tapeless-opt --phi-lower %s | filecheck %s

// A power is a chain of multiplications, a negative one a division; what else there is comes in before the last square.
// CHECK-LABEL: func.func @powers(
// CHECK-SAME: %[[A:.*]]: f64, %[[B:.*]]: f64
// CHECK: %[[ROOT:.*]] = math.sqrt %[[B]] fastmath<contract>
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[A]], %[[A]] fastmath<contract>
// CHECK: %[[PART:.*]] = arith.divf %[[SQUARE]], %[[ROOT]] fastmath<contract>
// CHECK: %[[Y:.*]] = arith.mulf %[[PART]], %[[SQUARE]] fastmath<contract>
// CHECK: return %[[Y]]
func.func @powers(%a: f64, %b: f64) -> f64 {
  %y = "phi.segment"(%a, %b) ({
  ^bb0(%u: f64, %v: f64):
    %m = "phi.mono"(%u, %v) {coeff = 1 : i64, exps = [4, #phi.rat<-1 : i64, 2 : i64>]} : (f64, f64) -> f64
    "phi.yield"(%m) : (f64) -> ()
  }) {label = "s0", active_in = [true, true], active_out = [true], fm = #phi.fm<"contract">} : (f64, f64) -> f64
  return %y : f64
}

// With `arcp`, a reciprocal that two products need is computed once.
// CHECK-LABEL: func.func @reciprocals(
// CHECK: %[[ONCE:.*]] = arith.divf
// CHECK: arith.mulf %{{.*}}, %[[ONCE]]
// CHECK: %[[PART:.*]] = arith.mulf %[[ONCE]], %{{.*}}
// CHECK: arith.mulf %[[PART]], %[[ONCE]]
// CHECK-NOT: arith.divf
func.func @reciprocals(%a: f64, %b: f64, %s: f64) -> (f64, f64) {
  %y, %z = "phi.adjoint"(%a, %b, %s) ({
  ^bb0(%u: f64, %v: f64, %seed: f64):
    %m = "phi.mono"(%seed, %v) {coeff = 1 : i64, exps = [1, -1]} : (f64, f64) -> f64
    %n = "phi.mono"(%u, %v, %seed) {coeff = -1 : i64, exps = [1, -2, 1]} : (f64, f64, f64) -> f64
    "phi.yield"(%m, %n) : (f64, f64) -> ()
  }) {segment = "s0", form = "vjp", fm = #phi.fm<"arcp,contract,nsz,reassoc,stable">, operandSegmentSizes = array<i32: 2, 0, 0, 1>}
    : (f64, f64, f64) -> (f64, f64)
  return %y, %z : f64, f64
}

// A quotient less one, times a factor, is a product less the factor: one instruction where they are fused.
// CHECK-LABEL: func.func @quotient_less_one(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[B:[^:]*]]: f64, %[[K:[^:]*]]: f64
// CHECK: %[[Q:.*]] = arith.divf %[[A]], %[[B]]
// CHECK: %[[KQ:.*]] = arith.mulf %[[K]], %[[Q]]
// CHECK: %[[Y:.*]] = arith.subf %[[KQ]], %[[K]]
// CHECK: return %[[Y]]
func.func @quotient_less_one(%a: f64, %b: f64, %k: f64) -> f64 {
  %y = "phi.adjoint"(%a, %b, %k) ({
  ^bb0(%u: f64, %v: f64, %seed: f64):
    %q = "phi.mono"(%u, %v) {coeff = 1 : i64, exps = [1, -1]} : (f64, f64) -> f64
    %d = "phi.lin"(%q) {coeffs = [1], constant = -1 : i64} : (f64) -> f64
    %m = "phi.mono"(%d, %seed) {coeff = 1 : i64, exps = [1, 1]} : (f64, f64) -> f64
    "phi.yield"(%m) : (f64) -> ()
  }) {segment = "s0", form = "vjp", fm = #phi.fm<"arcp,contract,nsz,reassoc,stable">, operandSegmentSizes = array<i32: 2, 0, 0, 1>}
    : (f64, f64, f64) -> f64
  return %y : f64
}

// Not where a function reads it, which may be finite for an infinite factor.
// CHECK-LABEL: func.func @read_by_a_function(
// CHECK: %[[D:.*]] = arith.addf %{{.*}}, %{{.*}}
// CHECK: %[[M:.*]] = arith.mulf {{.*}}%[[D]]
// CHECK: math.exp %[[M]]
func.func @read_by_a_function(%a: f64, %b: f64, %k: f64) -> f64 {
  %y = "phi.adjoint"(%a, %b, %k) ({
  ^bb0(%u: f64, %v: f64, %seed: f64):
    %q = "phi.mono"(%u, %v) {coeff = 1 : i64, exps = [1, -1]} : (f64, f64) -> f64
    %d = "phi.lin"(%q) {coeffs = [1], constant = -1 : i64} : (f64) -> f64
    %m = "phi.mono"(%seed, %d) {coeff = 1 : i64, exps = [1, 1]} : (f64, f64) -> f64
    %e = "phi.fn"(%m) {function = "exp"} : (f64) -> f64
    "phi.yield"(%e) : (f64) -> ()
  }) {segment = "s0", form = "vjp", fm = #phi.fm<"arcp,contract,nsz,reassoc,stable">, operandSegmentSizes = array<i32: 2, 0, 0, 1>}
    : (f64, f64, f64) -> f64
  return %y : f64
}

// Of a branch with a costly arm one arm runs; cheap arms are both computed.
// CHECK-LABEL: func.func @branches(
// CHECK: scf.if
// CHECK: math.exp
// CHECK: arith.select
func.func @branches(%a: f64, %p: i1) -> (f64, f64) {
  %y, %z = "phi.segment"(%a, %p) ({
  ^bb0(%u: f64, %c: i1):
    %costly = "phi.gamma"(%c) ({
      %e = "phi.fn"(%u) {function = "exp"} : (f64) -> f64
      "phi.yield"(%e) : (f64) -> ()
    }, {
      "phi.yield"(%u) : (f64) -> ()
    }) : (i1) -> f64
    %cheap = "phi.gamma"(%c) ({
      %d = "phi.lin"(%costly) {coeffs = [2], constant = 0 : i64} : (f64) -> f64
      "phi.yield"(%d) : (f64) -> ()
    }, {
      "phi.yield"(%u) : (f64) -> ()
    }) : (i1) -> f64
    "phi.yield"(%costly, %cheap) : (f64, f64) -> ()
  }) {label = "s0", active_in = [true, false], active_out = [true, true], fm = #phi.fm<"contract">} : (f64, i1) -> (f64, f64)
  return %y, %z : f64, f64
}

// What is core IR stays as it was written.
// CHECK-LABEL: func.func @core(
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<nnan> : f64
func.func @core(%a: f64) -> f64 {
  %y = "phi.segment"(%a) ({
  ^bb0(%u: f64):
    %s = arith.addf %u, %u fastmath<nnan> : f64
    "phi.yield"(%s) : (f64) -> ()
  }) {label = "s0", active_in = [true], active_out = [true], fm = #phi.fm<"contract">} : (f64) -> f64
  return %y : f64
}

// An element that two branches read is read in the arms of both: neither need run.
// CHECK-LABEL: func.func @elements(
// CHECK-NOT: tensor.extract
// CHECK: scf.if
// CHECK: tensor.extract
// CHECK: else
// CHECK-NOT: tensor.extract
// CHECK: scf.if
// CHECK: tensor.extract
// CHECK: else
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @elements(%i: index, %xs: tensor<?xf64>, %p: i1, %q: i1) -> (f64, f64) {
  %y, %z = "phi.segment"(%i, %xs, %p, %q) ({
  ^bb0(%k: index, %array: tensor<?xf64>, %c: i1, %d: i1):
    %zero = "phi.const"() {value = 0 : i64} : () -> f64
    %u = "phi.gamma"(%c) ({
      %e = "phi.elem"(%array, %k) : (tensor<?xf64>, index) -> f64
      "phi.yield"(%e) : (f64) -> ()
    }, {
      "phi.yield"(%zero) : (f64) -> ()
    }) : (i1) -> f64
    %v = "phi.gamma"(%d) ({
      %e = "phi.elem"(%array, %k) : (tensor<?xf64>, index) -> f64
      %s = "phi.fn"(%e) {function = "sin"} : (f64) -> f64
      "phi.yield"(%s) : (f64) -> ()
    }, {
      "phi.yield"(%zero) : (f64) -> ()
    }) : (i1) -> f64
    "phi.yield"(%u, %v) : (f64, f64) -> ()
  }) {label = "s0", active_in = [false, true, false, false], active_out = [true, true], fm = #phi.fm<"contract">}
    : (index, tensor<?xf64>, i1, i1) -> (f64, f64)
  return %y, %z : f64, f64
}

// A power of a quotient is the quotient raised: nothing overflows that does not in the end.
// CHECK-LABEL: func.func @quotient(
// CHECK: %[[Q:.*]] = arith.divf %{{.*}}, %{{.*}}
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[Q]], %[[Q]]
// CHECK: arith.mulf %[[SQUARE]], %[[SQUARE]]
// CHECK-NOT: arith.mulf
// CHECK: return
func.func @quotient(%a: f64, %b: f64) -> f64 {
  %y = "phi.segment"(%a, %b) ({
  ^bb0(%u: f64, %v: f64):
    %m = "phi.mono"(%u, %v) {coeff = 1 : i64, exps = [4, -4]} : (f64, f64) -> f64
    "phi.yield"(%m) : (f64) -> ()
  }) {label = "s0", active_in = [true, true], active_out = [true], fm = #phi.fm<"arcp,contract,reassoc">} : (f64, f64) -> f64
  return %y : f64
}
