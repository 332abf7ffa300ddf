// Runs of scalar operations become segments where their derivative as a whole costs less.
// RUN: tapeless-opt --phi-segments %s | filecheck %s
// RUN: tapeless-opt --phi-segments=gated=false %s | filecheck %s --check-prefix=ALL

// x^2 / (x^2 + 1) * exp(x) is one; its operations stay as they are.
// CHECK-LABEL: func.func @quotient
// CHECK: "phi.segment"(%{{.*}}) ({
// CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<contract>
// CHECK: "phi.yield"
// CHECK: }) {active_in = [true], active_out = [true], cost = {{.*}}, cost_by_operation = {{.*}}, fm = #phi.fm<"contract">, label = "s0"}
func.func @quotient(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %a = arith.mulf %x, %x fastmath<contract> : f64
  %b = arith.addf %a, %one fastmath<contract> : f64
  %c = arith.divf %a, %b fastmath<contract> : f64
  %d = arith.mulf %a, %x fastmath<contract> : f64
  %e = arith.divf %d, %b fastmath<contract> : f64
  %f = arith.mulf %e, %c fastmath<contract> : f64
  %g = arith.divf %f, %b fastmath<contract> : f64
  return %g : f64
}

// A sum has nothing to gain.
// CHECK-LABEL: func.func @plain
// CHECK-NOT: phi.segment
// ALL-LABEL: func.func @plain
// ALL: phi.segment
func.func @plain(%x: f64, %y: f64) -> f64 {
  %a = arith.addf %x, %y fastmath<contract> : f64
  %b = arith.addf %a, %y fastmath<contract> : f64
  return %b : f64
}

// What something else reads ends a run; a small branch belongs to it.
// ALL-LABEL: func.func @cut
// ALL: %[[FIRST:.*]] = "phi.segment"
// ALL: tensor.insert %[[FIRST]]
// ALL: "phi.segment"
// ALL: scf.if
// ALL: "phi.yield"
func.func @cut(%x: f64, %xs: tensor<?xf64>, %i: index, %p: i1) -> (f64, tensor<?xf64>) {
  %a = math.sin %x : f64
  %b = arith.mulf %a, %x : f64
  %ys = tensor.insert %b into %xs[%i] : tensor<?xf64>
  %c = scf.if %p -> (f64) {
    %e = math.exp %b : f64
    scf.yield %e : f64
  } else {
    scf.yield %x : f64
  }
  %d = arith.mulf %c, %x : f64
  return %d, %ys : f64, tensor<?xf64>
}

// The body of a map is looked through, the operator of a reduction is not.
// ALL-LABEL: func.func @bodies
// ALL: soac.map
// ALL: phi.segment
// ALL: soac.reduce
// ALL-NOT: phi.segment
func.func @bodies(%n: index, %xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %ys = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %a = arith.mulf %x, %x : f64
    %b = math.exp %a : f64
    "soac.yield"(%b) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %s = "soac.reduce"(%n, %ys, %zero) ({
  ^bb0(%l: f64, %r: f64):
    %a = arith.mulf %l, %r : f64
    %b = arith.addf %l, %a : f64
    "soac.yield"(%b) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %s : f64
}
