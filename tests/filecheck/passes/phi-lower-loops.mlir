// Loops become code: doubling for powers, maps for sums that have no order, `scf.for` for the rest.
// RUN: tapeless-opt --phi-lower %s | filecheck %s

// As many rounds as the number of steps has binary digits after the first; the derivative comes out of the same loop.
// CHECK-LABEL: func.func @powers(
// CHECK: math.ctlz
// CHECK: arith.select
// CHECK: scf.for
// CHECK: scf.if
// CHECK-NOT: arith.divf
// CHECK-NOT: math.powf
// CHECK: return
func.func @powers(%n: index, %a: f64) -> f64 {
  %r = "phi.segment"(%n, %a) ({
  ^bb0(%steps: index, %u: f64):
    %p:4 = "phi.affine_pow"(%steps, %u) : (index, f64) -> (f64, f64, f64, f64)
    "phi.yield"(%p#3) : (f64) -> ()
  }) {label = "s0", active_in = [false, true], active_out = [true], fm = #phi.fm<"reassoc">} : (index, f64) -> f64
  return %r : f64
}

// What does not change in a loop is computed before it, but no element of an array.
// CHECK-LABEL: func.func @outside(
// CHECK: math.exp
// CHECK: scf.for
// CHECK-NOT: math.exp
// CHECK: tensor.extract
// CHECK: return
func.func @outside(%n: index, %a: f64, %xs: tensor<?xf64>) -> f64 {
  %r = "phi.segment"(%n, %a, %xs) ({
  ^bb0(%steps: index, %u: f64, %array: tensor<?xf64>):
    %zero = "phi.const"() {value = 0 : i64} : () -> index
    %e = "phi.fn"(%u) {function = "exp"} : (f64) -> f64
    %s = "phi.prod"(%zero, %steps) ({
    ^bb0(%k: index):
      %x = "phi.elem"(%array, %zero) : (tensor<?xf64>, index) -> f64
      %y = "phi.elem"(%array, %k) : (tensor<?xf64>, index) -> f64
      %t = "phi.lin"(%x, %y, %e) {coeffs = [1, 1, 1], constant = 0 : i64} : (f64, f64, f64) -> f64
      "phi.yield"(%t) : (f64) -> ()
    }) : (index, index) -> f64
    "phi.yield"(%s) : (f64) -> ()
  }) {label = "s0", active_in = [false, true, false], active_out = [true], fm = #phi.fm<"reassoc">} : (index, f64, tensor<?xf64>) -> f64
  return %r : f64
}

// The first place of the largest term.
// CHECK-LABEL: func.func @place(
// CHECK: scf.for {{.*}} -> (f64, index)
// CHECK: arith.cmpf ugt
func.func @place(%n: index, %xs: tensor<?xf64>) -> index {
  %r = "phi.segment"(%n, %xs) ({
  ^bb0(%steps: index, %array: tensor<?xf64>):
    %zero = "phi.const"() {value = 0 : i64} : () -> index
    %s = "phi.fold"(%zero, %steps) ({
    ^bb0(%k: index):
      %y = "phi.elem"(%array, %k) : (tensor<?xf64>, index) -> f64
      "phi.yield"(%y) : (f64) -> ()
    }) {kind = "argmax"} : (index, index) -> index
    "phi.yield"(%s) : (index) -> ()
  }) {label = "s0", active_in = [false, false], active_out = [false], fm = #phi.fm<"">} : (index, tensor<?xf64>) -> index
  return %r : index
}

// An array of values is a map.
// CHECK-LABEL: func.func @array(
// CHECK: "soac.map"
func.func @array(%n: index, %a: f64) -> tensor<?xf64> {
  %r = "phi.segment"(%n, %a) ({
  ^bb0(%steps: index, %u: f64):
    %s = "phi.map"(%steps) ({
    ^bb0(%k: index):
      "phi.yield"(%u) : (f64) -> ()
    }) : (index) -> tensor<?xf64>
    "phi.yield"(%s) : (tensor<?xf64>) -> ()
  }) {label = "s0", active_in = [false, true], active_out = [true], fm = #phi.fm<"">} : (index, f64) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// What a branch guards may be read before a loop.
// CHECK-LABEL: func.func @guarded(
// CHECK: scf.if
// CHECK: tensor.extract
// CHECK: scf.for
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @guarded(%n: index, %ok: i1, %a: f64, %xs: tensor<?xf64>) -> f64 {
  %r = "phi.segment"(%n, %ok, %a, %xs) ({
  ^bb0(%steps: index, %there: i1, %u: f64, %array: tensor<?xf64>):
    %zero = "phi.const"() {value = 0 : i64} : () -> index
    %s = "phi.iterate"(%steps, %u) ({
    ^bb0(%k: index, %x: f64):
      %e = "phi.gamma"(%there) ({
        %first = "phi.elem"(%array, %zero) : (tensor<?xf64>, index) -> f64
        "phi.yield"(%first) : (f64) -> ()
      }, {
        "phi.yield"(%u) : (f64) -> ()
      }) : (i1) -> f64
      %y = "phi.mono"(%x, %e) {exps = [1, 1], coeff = 1 : i64} : (f64, f64) -> f64
      "phi.yield"(%y) : (f64) -> ()
    }) : (index, f64) -> f64
    "phi.yield"(%s) : (f64) -> ()
  }) {label = "s0", active_in = [false, false, true, true], active_out = [true], fm = #phi.fm<"contract">} : (index, i1, f64, tensor<?xf64>) -> f64
  return %r : f64
}

// A sum that may be taken in any order is that of a map; with its order, a loop.
// CHECK-LABEL: func.func @free_sum(
// CHECK-NOT: scf.for
// CHECK: %[[TERMS:.*]] = "soac.map"(
// CHECK: tensor.extract
// CHECK: "soac.reduce"({{.*}}, %[[TERMS]],
// CHECK: return
func.func @free_sum(%n: index, %xs: tensor<?xf64>) -> f64 {
  %r = "phi.segment"(%n, %xs) ({
  ^bb0(%steps: index, %array: tensor<?xf64>):
    %zero = "phi.const"() {value = 0 : i64} : () -> index
    %s = "phi.sum"(%zero, %steps) ({
    ^bb0(%k: index):
      %x = "phi.elem"(%array, %k) : (tensor<?xf64>, index) -> f64
      "phi.yield"(%x) : (f64) -> ()
    }) : (index, index) -> f64
    "phi.yield"(%s) : (f64) -> ()
  }) {label = "s0", active_in = [false, true], active_out = [true], fm = #phi.fm<"reassoc">} : (index, tensor<?xf64>) -> f64
  return %r : f64
}

// CHECK-LABEL: func.func @sum_in_order(
// CHECK-NOT: soac.map
// CHECK: scf.for
// CHECK: return
func.func @sum_in_order(%n: index, %xs: tensor<?xf64>) -> f64 {
  %r = "phi.segment"(%n, %xs) ({
  ^bb0(%steps: index, %array: tensor<?xf64>):
    %zero = "phi.const"() {value = 0 : i64} : () -> index
    %s = "phi.sum"(%zero, %steps) ({
    ^bb0(%k: index):
      %x = "phi.elem"(%array, %k) : (tensor<?xf64>, index) -> f64
      "phi.yield"(%x) : (f64) -> ()
    }) : (index, index) -> f64
    "phi.yield"(%s) : (f64) -> ()
  }) {label = "s0", active_in = [false, true], active_out = [true], fm = #phi.fm<"contract">} : (index, tensor<?xf64>) -> f64
  return %r : f64
}
