// Invalid uses of `rev`: each message says what is wrong and what to do.
// RUN: tapeless-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%c: f64) {
  // expected-error @+1 {{'rev.accum' op has target of type f64; give a cell, a memref}}
  "rev.accum"(%c) ({
      "rev.yield"(%c) : (f64) -> ()
    }) {kind = "add"} : (f64) -> ()
  return
}

// -----

func.func @invalid(%i: index, %c: f64, %y: memref<f64>) {
  // expected-error @+1 {{'rev.accum' op has 1 indices into memref<f64>; give at most 0}}
  "rev.accum"(%y, %i) ({
      "rev.yield"(%c) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>, index) -> ()
  return
}

// -----

func.func @invalid(%c: f64, %y: memref<f64>) {
  // expected-error @+1 {{'rev.accum' op has the unknown kind 'pow'; use one of add, sub, xor}}
  "rev.accum"(%y) ({
      "rev.yield"(%c) : (f64) -> ()
    }) {kind = "pow"} : (memref<f64>) -> ()
  return
}

// -----

func.func @invalid(%c: f64, %y: memref<f64>) {
  // expected-error @+1 {{'rev.accum' op cannot xor in place on f64; use a type on which xor has an inverse}}
  "rev.accum"(%y) ({
      "rev.yield"(%c) : (f64) -> ()
    }) {kind = "xor"} : (memref<f64>) -> ()
  return
}

// -----

// Fixed-point numbers are no integers.
func.func @invalid(%c: f64, %y: memref<si64>) {
  // expected-error @+1 {{'rev.accum' op cannot xor in place on si64; use a type on which xor has an inverse}}
  "rev.accum"(%y) ({
      "rev.yield"(%c) : (f64) -> ()
    }) {kind = "xor"} : (memref<si64>) -> ()
  return
}

// -----

func.func @invalid(%i: index, %y: memref<f64>) {
  // expected-error @+1 {{'rev.accum' op yields (index) from value; yield (f64): what is accumulated}}
  "rev.accum"(%y) ({
      "rev.yield"(%i) : (index) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  return
}

// -----

func.func @invalid(%c: f64, %ys: memref<?xf64>) {
  // expected-error @+1 {{'rev.accum' op yields (f64) from value; yield (tensor<?xf64>): what is accumulated}}
  "rev.accum"(%ys) ({
      "rev.yield"(%c) : (f64) -> ()
    }) {kind = "add"} : (memref<?xf64>) -> ()
  return
}

// -----

func.func @invalid(%y: memref<f64>) {
  // expected-error @+1 {{'rev.accum' op reads its target by memref.load; accumulate from other cells only}}
  "rev.accum"(%y) ({
      %v = memref.load %y[] : memref<f64>
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  return
}

// -----

func.func @invalid(%ys: memref<?xf64>) {
  // expected-error @+1 {{'rev.accum' op reads its target by rev.read; accumulate from other cells only}}
  "rev.accum"(%ys) ({
      %all = "rev.read"(%ys) : (memref<?xf64>) -> tensor<?xf64>
      "rev.yield"(%all) : (tensor<?xf64>) -> ()
    }) {kind = "add"} : (memref<?xf64>) -> ()
  return
}

// -----

func.func @invalid(%i: index, %ys: memref<?xf64>) {
  // expected-error @+1 {{'rev.accum' op reads its target by rev.read; accumulate from other cells only}}
  "rev.accum"(%ys, %i) ({
      %all = "rev.read"(%ys) : (memref<?xf64>) -> tensor<?xf64>
      %v = tensor.extract %all[%i] : tensor<?xf64>
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<?xf64>, index) -> ()
  return
}

// -----

func.func @invalid(%c: f64, %x: memref<f64>, %y: memref<f64>) {
  // expected-error @+1 {{'rev.accum' op has rev.neg in the pure region value; only compute and read there}}
  "rev.accum"(%y) ({
      "rev.neg"(%x) : (memref<f64>) -> ()
      "rev.yield"(%c) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  return
}

// -----

func.func @invalid(%c: f64, %y: memref<f64>) {
  // expected-error @+1 {{'rev.accum' op has checks = "maybe"; use one of on, off, status}}
  "rev.accum"(%y) ({
      "rev.yield"(%c) : (f64) -> ()
    }) {kind = "add", checks = "maybe"} : (memref<f64>) -> ()
  return
}

// -----

func.func @invalid(%c: f64, %y: memref<f64>) {
  // expected-error @+1 {{'rev.accum' op has atol = -1.000000e+00 : f64; give a float of at least 0}}
  "rev.accum"(%y) ({
      "rev.yield"(%c) : (f64) -> ()
    }) {kind = "add", atol = -1.0 : f64} : (memref<f64>) -> ()
  return
}

// -----

func.func @invalid(%k: memref<i64>) {
  // expected-error @+1 {{'rev.scale' op has cell of type memref<i64>; give a cell of f64 or f32}}
  "rev.scale"(%k) {factor = 2.0 : f64, divide = false} : (memref<i64>) -> ()
  return
}

// -----

func.func @invalid(%y: memref<f64>) {
  // expected-error @+1 {{'rev.scale' op has factor = 0.000000e+00 : f64; give a float constant other than 0}}
  "rev.scale"(%y) {factor = 0.0 : f64, divide = false} : (memref<f64>) -> ()
  return
}

// -----

func.func @invalid(%x: memref<f64>, %s: memref<f32>) {
  // expected-error @+1 {{'rev.swap' op has cells memref<f64> and memref<f32>; make their shapes and element types equal}}
  "rev.swap"(%x, %s) : (memref<f64>, memref<f32>) -> ()
  return
}

// -----

func.func @invalid(%x: memref<f64>) {
  // expected-error @+1 {{'rev.swap' op names one cell twice; give two different cells}}
  "rev.swap"(%x, %x) : (memref<f64>, memref<f64>) -> ()
  return
}

// -----

func.func @invalid(%c: f64, %x: memref<f64>) {
  // expected-error @+1 {{'rev.swap' op has b of type f64; give a cell, a memref}}
  "rev.swap"(%x, %c) : (memref<f64>, f64) -> ()
  return
}

// -----

func.func @invalid(%c: f64) {
  // expected-error @+1 {{'rev.neg' op has cell of type f64; give a cell, a memref}}
  "rev.neg"(%c) : (f64) -> ()
  return
}

// -----

func.func @invalid(%k: memref<i64>) {
  // expected-error @+1 {{'rev.recip' op has cell of type memref<i64>; give a cell of f64 or f32}}
  "rev.recip"(%k) : (memref<i64>) -> ()
  return
}

// -----

func.func @invalid(%k: memref<i64>) {
  // expected-error @+1 {{'rev.hadamard' op has a of type memref<i64>; give a cell of f64 or f32}}
  "rev.hadamard"(%k, %k) : (memref<i64>, memref<i64>) -> ()
  return
}

// -----

func.func @invalid(%i: index, %x: memref<f64>, %y: memref<f64>) {
  // expected-error @+1 {{'rev.rot' op yields (index) from angle; yield (f64): the angle}}
  "rev.rot"(%x, %y) ({
      "rev.yield"(%i) : (index) -> ()
    }) {inv = false} : (memref<f64>, memref<f64>) -> ()
  return
}

// -----

func.func @invalid(%x: memref<f64>, %y: memref<f64>) {
  // expected-error @+1 {{'rev.rot' op reads a rotated cell in its angle; compute the angle from other cells}}
  "rev.rot"(%x, %y) ({
      %v = memref.load %y[] : memref<f64>
      "rev.yield"(%v) : (f64) -> ()
    }) {inv = false} : (memref<f64>, memref<f64>) -> ()
  return
}

// -----

func.func @invalid(%c: f64, %y: memref<f64>) {
  // expected-error @+1 {{'rev.ancilla' op has no cell as the argument of its body; give the body one block with one argument}}
  "rev.ancilla"() ({
      "rev.yield"(%c) : (f64) -> ()
    }, {}, {
      "rev.neg"(%y) : (memref<f64>) -> ()
    }) : () -> ()
  return
}

// -----

func.func @invalid(%c: f64, %y: memref<f64>) {
  // expected-error @+1 {{'rev.ancilla' op makes an ancilla of type f64; make it a memref or a !rev.stack}}
  "rev.ancilla"() ({
      "rev.yield"(%c) : (f64) -> ()
    }, {}, {
    ^bb0(%z: f64):
      "rev.neg"(%y) : (memref<f64>) -> ()
    }) : () -> ()
  return
}

// -----

func.func @invalid(%c: f64, %y: memref<f64>) {
  // expected-error @+1 {{'rev.ancilla' op yields (f64) from init; yield (i64): the first value, or the capacity of a stack}}
  "rev.ancilla"() ({
      "rev.yield"(%c) : (f64) -> ()
    }, {}, {
    ^bb0(%z: memref<i64>):
      "rev.neg"(%y) : (memref<f64>) -> ()
    }) : () -> ()
  return
}

// -----

func.func @invalid(%i: index, %c: f64, %y: memref<f64>) {
  // expected-error @+1 {{'rev.ancilla' op yields (index) from exit; yield (f64): the last value}}
  "rev.ancilla"() ({
      "rev.yield"(%c) : (f64) -> ()
    }, {
      "rev.yield"(%i) : (index) -> ()
    }, {
    ^bb0(%z: memref<f64>):
      "rev.neg"(%y) : (memref<f64>) -> ()
    }) : () -> ()
  return
}

// -----

func.func @invalid(%y: memref<f64>) {
  // expected-error @+1 {{'rev.compute' op writes in use a cell that compute writes; use a cell of its own}}
  "rev.compute"() ({
      "rev.neg"(%y) : (memref<f64>) -> ()
    }, {
      "rev.neg"(%y) : (memref<f64>) -> ()
    }) : () -> ()
  return
}

// -----

func.func @invalid(%c: f64, %y: memref<f64>) {
  // expected-error @+1 {{'rev.compute' op has memref.store in the region compute; only statements of rev and pure computations go there}}
  "rev.compute"() ({
      memref.store %c, %y[] : memref<f64>
    }, {
      "rev.neg"(%y) : (memref<f64>) -> ()
    }) : () -> ()
  return
}

// -----

func.func @invalid(%y: memref<f64>) {
  // expected-error @+1 {{'rev.compute' op has 0 blocks in the region use; give it exactly one}}
  "rev.compute"() ({
      "rev.neg"(%y) : (memref<f64>) -> ()
    }, {}) : () -> ()
  return
}

// -----

func.func @invalid(%y: memref<f64>) {
  // expected-error @+1 {{'rev.safe' op writes a cell; use statements outside rev.safe for that}}
  "rev.safe"() ({
      "rev.neg"(%y) : (memref<f64>) -> ()
    }) : () -> ()
  return
}

// -----

func.func @invalid(%c: f64, %y: memref<f64>) {
  // expected-error @+1 {{'rev.if' op yields (f64) from pre; yield (i1): the condition}}
  "rev.if"() ({
      "rev.yield"(%c) : (f64) -> ()
    }, {}, {
      "rev.neg"(%y) : (memref<f64>) -> ()
    }, {}) : () -> ()
  return
}

// -----

func.func @invalid(%c: f64, %y: memref<f64>) {
  // expected-error @+1 {{'rev.if' op changes a cell that its condition reads; give a post condition}}
  "rev.if"() ({
      %v = memref.load %y[] : memref<f64>
      %p = arith.cmpf olt, %v, %c : f64
      "rev.yield"(%p) : (i1) -> ()
    }, {}, {
      "rev.neg"(%y) : (memref<f64>) -> ()
    }, {}) : () -> ()
  return
}

// -----

func.func @invalid(%ok: i1, %y: memref<f64>) {
  // expected-error @+1 {{'rev.if' op has then arguments (index); make them (): nothing}}
  "rev.if"() ({
      "rev.yield"(%ok) : (i1) -> ()
    }, {}, {
    ^bb0(%z: index):
      "rev.neg"(%y) : (memref<f64>) -> ()
    }, {}) : () -> ()
  return
}

// -----

func.func @invalid(%n: index, %lo: index, %one: index, %y: memref<f64>) {
  // expected-error @+1 {{'rev.for' op has body arguments (); make them (index): the index}}
  "rev.for"(%lo, %n, %one) ({
      "rev.neg"(%y) : (memref<f64>) -> ()
    }) {reversed = false} : (index, index, index) -> ()
  return
}

// -----

func.func @invalid(%ok: i1, %y: memref<f64>) {
  // expected-error @+1 {{'rev.while' op has 0 blocks in the region post; give it exactly one}}
  "rev.while"() ({
      "rev.yield"(%ok) : (i1) -> ()
    }, {}, {
      "rev.neg"(%y) : (memref<f64>) -> ()
    }) : () -> ()
  return
}

// -----

func.func @invalid(%n: index, %y: memref<f64>) {
  // expected-error @+1 {{'rev.parallel' op has shadows = 'none'; use one of atomic, privatize, disjoint}}
  "rev.parallel"(%n) ({
    ^bb0(%j: index):
      "rev.neg"(%y) : (memref<f64>) -> ()
    }) {shadows = "none"} : (index) -> ()
  return
}

// -----

func.func @invalid(%n: index, %y: memref<f64>) {
  // expected-error @+1 {{'rev.parallel' op has body arguments (index); make them (index, index): one index per bound}}
  "rev.parallel"(%n, %n) ({
    ^bb0(%j: index):
      "rev.neg"(%y) : (memref<f64>) -> ()
    }) {shadows = "atomic"} : (index, index) -> ()
  return
}

// -----

func.func @invalid(%n: index, %x: memref<f64>, %y: memref<f64>) {
  // expected-error @+1 {{'rev.chain' op has the unknown strategy 'all'; use one of treeverse, bennett}}
  "rev.chain"(%n, %x, %y) ({
    ^bb0(%i: index, %v: f64):
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add", strategy = "all", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1>} : (index, memref<f64>, memref<f64>) -> ()
  return
}

// -----

func.func @invalid(%n: index, %x: memref<f64>, %y: memref<f64>) {
  // expected-error @+1 {{'rev.chain' op has budget = 1; allow at least 2 with bennett}}
  "rev.chain"(%n, %x, %y) ({
    ^bb0(%i: index, %v: f64):
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add", strategy = "bennett", budget = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1>} : (index, memref<f64>, memref<f64>) -> ()
  return
}

// -----

func.func @invalid(%n: index, %x: memref<f64>, %y: memref<f64>) {
  // expected-error @+1 {{'rev.chain' op has step arguments (f64); make them (index, f64): nothing else}}
  "rev.chain"(%n, %x, %y) ({
    ^bb0(%v: f64):
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add", strategy = "bennett", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1>} : (index, memref<f64>, memref<f64>) -> ()
  return
}

// -----

func.func @invalid(%n: index, %x: memref<f64>, %y: memref<f64>) {
  // expected-error @+1 {{'rev.chain' op has the unknown kind 'mul'; use one of add, sub}}
  "rev.chain"(%n, %x, %y) ({
    ^bb0(%i: index, %v: f64):
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "mul", strategy = "bennett", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1>} : (index, memref<f64>, memref<f64>) -> ()
  return
}

// -----

func.func @invalid(%n: index, %x: memref<f64>, %y: memref<f32>) {
  // expected-error @+1 {{'rev.chain' op has targets (memref<f32>); make them (memref<f64>): one for each state}}
  "rev.chain"(%n, %x, %y) ({
    ^bb0(%i: index, %v: f64):
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add", strategy = "bennett", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1>} : (index, memref<f64>, memref<f32>) -> ()
  return
}

// -----

func.func @invalid(%n: index, %x: memref<f64>, %y: memref<f64>) {
  // expected-error @+1 {{'rev.chain' op has a target that it reads, or twice; give each state a target of its own}}
  "rev.chain"(%n, %x, %x) ({
    ^bb0(%i: index, %v: f64):
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add", strategy = "bennett", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1>} : (index, memref<f64>, memref<f64>) -> ()
  return
}

// -----

func.func @invalid(%i: index, %xs: memref<?xf64>) {
  // expected-error @+1 {{'rev.read' op has result tensor<?xf64>; make it f64}}
  %v = "rev.read"(%xs, %i) : (memref<?xf64>, index) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%i: index, %xs: memref<?xf64>) {
  // expected-error @+1 {{'rev.view' op has [1, 0, 0] offsets, sizes and strides; give 1 of each, one per axis of memref<?xf64>}}
  %v = "rev.view"(%xs, %i) {drop = [0], operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (memref<?xf64>, index) -> memref<f64>
  return
}

// -----

func.func @invalid(%i: index, %one: index, %xs: memref<?xf64>) {
  // expected-error @+1 {{'rev.view' op has drop = [1]; list different axes of memref<?xf64>}}
  %v = "rev.view"(%xs, %i, %one, %one) {drop = [1], operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (memref<?xf64>, index, index, index) -> memref<f64>
  return
}

// -----

func.func @invalid(%i: index, %one: index, %xs: memref<?xf64>) {
  // expected-error @+1 {{'rev.view' op has result memref<f64>; make it a memref of f64 of rank 1}}
  %v = "rev.view"(%xs, %i, %one, %one) {drop = [], operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (memref<?xf64>, index, index, index) -> memref<f64>
  return
}

// -----

func.func @invalid(%c: f64, %y: memref<f64>) {
  // expected-error @+1 {{'rev.push' op has stack of type f64; give a !rev.stack}}
  "rev.push"(%c, %y) {mode = "move"} : (f64, memref<f64>) -> ()
  return
}

// -----

func.func @invalid(%stack: !rev.stack<f64>, %k: memref<i64>) {
  // expected-error @+1 {{'rev.push' op has cell of type memref<i64> for !rev.stack<f64>; give a rank-0 memref of f64}}
  "rev.push"(%stack, %k) {mode = "move"} : (!rev.stack<f64>, memref<i64>) -> ()
  return
}

// -----

func.func @invalid(%y: memref<f64>, %stack: !rev.stack<f64>) {
  // expected-error @+1 {{'rev.pop' op has the unknown mode 'steal'; use one of move, copy}}
  "rev.pop"(%stack, %y) {mode = "steal"} : (!rev.stack<f64>, memref<f64>) -> ()
  return
}

// -----

// expected-error @+1 {{'rev.func' op has 0 blocks in the region body; give it exactly one}}
"rev.func"() ({}) {sym_name = "f", modes = []} : () -> ()

// -----

// expected-error @+1 {{'rev.func' op has modes = ["out"] for 1 arguments; give each one of inout, in, param}}
"rev.func"() ({
  ^bb0(%a: memref<f64>):

  }) {sym_name = "f", modes = ["out"]} : () -> ()

// -----

// expected-error @+1 {{'rev.func' op has a parameter of type memref<f64> with mode param; use inout or in}}
"rev.func"() ({
  ^bb0(%a: memref<f64>):

  }) {sym_name = "f", modes = ["param"]} : () -> ()

// -----

// expected-error @+1 {{'rev.func' op has a parameter of type f64 with mode in; use param}}
"rev.func"() ({
  ^bb0(%a: f64):

  }) {sym_name = "f", modes = ["in"]} : () -> ()

// -----

// expected-error @+1 {{'rev.func' op writes argument 0, which it may only read; make its mode inout}}
"rev.func"() ({
  ^bb0(%a: memref<f64>):
    "rev.neg"(%a) : (memref<f64>) -> ()
  }) {sym_name = "f", modes = ["in"]} : () -> ()

// -----

func.func @invalid(%x: memref<f64>, %y: memref<f64>) {
  // expected-error @+1 {{'rev.call' op names @nobody, which is no rev.func or rev.prim of this module; define it}}
  "rev.call"(%x, %y) {callee = @nobody, inv = false} : (memref<f64>, memref<f64>) -> ()
  return
}

// -----

"rev.func"() ({
^bb0(%p: memref<f64>, %q: memref<f64>):
  "rev.swap"(%p, %q) : (memref<f64>, memref<f64>) -> ()
}) {sym_name = "move", modes = ["inout", "inout"]} : () -> ()
func.func @invalid(%x: memref<f64>) {
  // expected-error @+1 {{'rev.call' op has arguments (memref<f64>); give (memref<f64>, memref<f64>): the parameters of @move}}
  "rev.call"(%x) {callee = @move, inv = false} : (memref<f64>) -> ()
  return
}

// -----

"rev.func"() ({
^bb0(%p: memref<f64>, %q: memref<f64>):
  "rev.swap"(%p, %q) : (memref<f64>, memref<f64>) -> ()
}) {sym_name = "move", modes = ["inout", "inout"]} : () -> ()
func.func @invalid(%x: memref<f64>) {
  // expected-error @+1 {{'rev.call' op passes a cell twice although the procedure changes it; pass different cells}}
  "rev.call"(%x, %x) {callee = @move, inv = true} : (memref<f64>, memref<f64>) -> ()
  return
}

// -----

func.func private @twist(memref<f64>)
func.func private @untwist(memref<f64>)
// expected-error @+1 {{'rev.prim' op names @nobody, which is no func.func of this module; define it or declare it}}
"rev.prim"() {primal = @twist, dual = @untwist, adjoint = @nobody, parameters = [memref<f64>]} : () -> ()

// -----

func.func private @twist(memref<f64>)
func.func private @untwist(memref<f64>)
func.func private @twist_adjoint(memref<f64>, memref<f64>)
// expected-error @+1 {{'rev.prim' op has 1 : i64 among its parameters; give types}}
"rev.prim"() {primal = @twist, dual = @untwist, adjoint = @twist_adjoint, parameters = [1]} : () -> ()

// -----

func.func private @twist(memref<f64>)
func.func private @untwist(memref<f64>)
func.func private @twist_adjoint(memref<f64>, memref<f64>)
// expected-error @+1 {{'rev.prim' op has no cell among its parameters; a primitive changes at least one memref}}
"rev.prim"() {primal = @twist, dual = @untwist, adjoint = @twist_adjoint, parameters = [f64]} : () -> ()

// -----

func.func @invalid(%n: index, %c: f64, %k: i64) {
  // expected-error @+1 {{'rev.retrace' op has results (i64); make them (f64): what is carried}}
  %r = "rev.retrace"(%n, %n, %n, %c, %c) ({
  ^bb0(%i: index, %x: f64):
    "soac.yield"(%c) : (f64) -> ()
  }, {
  ^bb0(%i: index, %x: f64, %bar: f64):
    "soac.yield"(%bar) : (f64) -> ()
  }) {strategy = "treeverse", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, index, index, f64, f64) -> i64
  return
}

// -----

func.func @invalid(%n: index, %c: f64, %k: i64) {
  // expected-error @+1 {{'rev.retrace' op has budget = 0; allow at least 1 with treeverse}}
  %r = "rev.retrace"(%n, %n, %n, %c, %c) ({
  ^bb0(%i: index, %x: f64):
    "soac.yield"(%c) : (f64) -> ()
  }, {
  ^bb0(%i: index, %x: f64, %bar: f64):
    "soac.yield"(%bar) : (f64) -> ()
  }) {strategy = "treeverse", budget = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, index, index, f64, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %c: f64) {
  // expected-error @+1 {{'rev.retrace' op has the unknown strategy 'all'; use one of treeverse, bennett, bisection}}
  %r = "rev.retrace"(%n, %n, %n, %c, %c) ({
  ^bb0(%i: index, %x: f64):
    "soac.yield"(%c) : (f64) -> ()
  }, {
  ^bb0(%i: index, %x: f64, %bar: f64):
    "soac.yield"(%bar) : (f64) -> ()
  }) {strategy = "all", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, index, index, f64, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %c: f64, %k: i64) {
  // expected-error @+1 {{'rev.retrace' op has step arguments (index, i64); make them (index, f64): the index, then the states}}
  %r = "rev.retrace"(%n, %n, %n, %c, %c) ({
  ^bb0(%i: index, %x: i64):
    "soac.yield"(%c) : (f64) -> ()
  }, {
  ^bb0(%i: index, %x: f64, %bar: f64):
    "soac.yield"(%bar) : (f64) -> ()
  }) {strategy = "treeverse", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, index, index, f64, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %c: f64, %k: i64) {
  // expected-error @+1 {{'rev.retrace' op yields (i64) from visit; yield (f64): what is carried}}
  %r = "rev.retrace"(%n, %n, %n, %c, %c) ({
  ^bb0(%i: index, %x: f64):
    "soac.yield"(%c) : (f64) -> ()
  }, {
  ^bb0(%i: index, %x: f64, %bar: f64):
    "soac.yield"(%k) : (i64) -> ()
  }) {strategy = "treeverse", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, index, index, f64, f64) -> f64
  return
}

// -----

// Elements that are known to be the same, through views.
func.func @invalid(%xs: memref<?xf64>, %i: index, %one: index) {
  %a = "rev.view"(%xs, %i, %one, %one) {drop = [0], operandSegmentSizes = array<i32: 1, 1, 1, 1>}
    : (memref<?xf64>, index, index, index) -> memref<f64, strided<[], offset: ?>>
  %b = "rev.view"(%xs, %i, %one, %one) {drop = [0], operandSegmentSizes = array<i32: 1, 1, 1, 1>}
    : (memref<?xf64>, index, index, index) -> memref<f64, strided<[], offset: ?>>
  // expected-error @+1 {{'rev.swap' op names one cell twice; give two different cells}}
  "rev.swap"(%a, %b) : (memref<f64, strided<[], offset: ?>>, memref<f64, strided<[], offset: ?>>) -> ()
  return
}

// -----

// A part of the target is read as a whole.
func.func @invalid(%xs: memref<?xf64>, %i: index) {
  // expected-error @+1 {{'rev.accum' op reads its target by rev.read; accumulate from other cells only}}
  "rev.accum"(%xs, %i) ({
    %all = "rev.read"(%xs) : (memref<?xf64>) -> tensor<?xf64>
    %v = tensor.extract %all[%i] : tensor<?xf64>
    "rev.yield"(%v) : (f64) -> ()
  }) {kind = "add"} : (memref<?xf64>, index) -> ()
  return
}

// -----

// Indices that are equal after constants were added.
func.func @invalid(%xs: memref<?xf64>, %i: index) {
  %one = arith.constant 1 : index
  %next = arith.addi %i, %one : index
  // expected-error @+1 {{'rev.accum' op reads its target by memref.load; accumulate from other cells only}}
  "rev.accum"(%xs, %next) ({
    %again = arith.addi %one, %i : index
    %v = memref.load %xs[%again] : memref<?xf64>
    "rev.yield"(%v) : (f64) -> ()
  }) {kind = "add"} : (memref<?xf64>, index) -> ()
  return
}

// -----

func.func @invalid(%x: memref<f64>, %y: memref<f64>) {
  // expected-error @+1 {{'rev.compute' op writes in use a cell that compute reads; copy it into an ancilla first}}
  "rev.compute"() ({
    "rev.accum"(%x) ({
      %v = memref.load %y[] : memref<f64>
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  }, {
    "rev.neg"(%y) : (memref<f64>) -> ()
  }) : () -> ()
  return
}

// -----

func.func @invalid(%x: memref<f64>, %ys: memref<?xf64>, %i: index, %n: index, %c: f64) {
  // expected-error @+1 {{'rev.compute' op writes in use an array that compute reads at indices that are not known before; copy it first}}
  "rev.compute"() ({
    "rev.for"(%i, %n, %i) ({
    ^bb0(%k: index):
      "rev.accum"(%x) ({
        %v = memref.load %ys[%k] : memref<?xf64>
        "rev.yield"(%v) : (f64) -> ()
      }) {kind = "add"} : (memref<f64>) -> ()
    }) {reversed = false} : (index, index, index) -> ()
  }, {
    "rev.accum"(%ys, %n) ({
      "rev.yield"(%c) : (f64) -> ()
    }) {kind = "add"} : (memref<?xf64>, index) -> ()
  }) : () -> ()
  return
}

// -----

// Calls read what they are given.
"rev.func"() ({
^bb0(%p: memref<f64>, %q: memref<f64>):
  "rev.accum"(%p) ({
    %v = memref.load %q[] : memref<f64>
    "rev.yield"(%v) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
}) {sym_name = "shift", modes = ["inout", "in"]} : () -> ()
func.func @invalid(%x: memref<f64>, %y: memref<f64>) {
  // expected-error @+1 {{'rev.compute' op writes in use a cell that compute reads; copy it into an ancilla first}}
  "rev.compute"() ({
    "rev.call"(%x, %y) {callee = @shift, inv = false} : (memref<f64>, memref<f64>) -> ()
  }, {
    "rev.neg"(%y) : (memref<f64>) -> ()
  }) : () -> ()
  return
}

// -----

"rev.func"() ({
^bb0(%y: memref<f64>):
  // expected-error @+1 {{'rev.ancilla' op has a value of init that depends on a float cell or parameter; begin with a constant}}
  "rev.ancilla"() ({
    %v = memref.load %y[] : memref<f64>
    "rev.yield"(%v) : (f64) -> ()
  }, {}, {
  ^bb0(%z: memref<f64>):
    "rev.neg"(%z) : (memref<f64>) -> ()
    "rev.neg"(%z) : (memref<f64>) -> ()
  }) : () -> ()
}) {sym_name = "f", modes = ["inout"]} : () -> ()

// -----

"rev.func"() ({
^bb0(%y: memref<f64>, %c: f64):
  %twice = arith.addf %c, %c : f64
  %zero = arith.constant 0.0 : f64
  // expected-error @+1 {{'rev.ancilla' op has a value of exit that depends on a float cell or parameter; begin with a constant}}
  "rev.ancilla"() ({
    "rev.yield"(%zero) : (f64) -> ()
  }, {
    "rev.yield"(%twice) : (f64) -> ()
  }, {
  ^bb0(%z: memref<f64>):
    "rev.neg"(%z) : (memref<f64>) -> ()
  }) : () -> ()
}) {sym_name = "f", modes = ["inout", "param"]} : () -> ()

// -----

func.func @invalid(%x: memref<f64>, %y: memref<f64>, %ok: i1) {
  // expected-error @+1 {{'rev.safe' op has arith.select on a cell in the region body; read the cell first}}
  "rev.safe"() ({
    %either = arith.select %ok, %x, %y : memref<f64>
  }) : () -> ()
  return
}

// -----

func.func private @peek(memref<f64>) -> f64
func.func @invalid(%x: memref<f64>, %y: memref<f64>) {
  // expected-error @+1 {{'rev.accum' op has func.call on a cell in the region value; read the cell first}}
  "rev.accum"(%x) ({
    %v = func.call @peek(%y) : (memref<f64>) -> f64
    "rev.yield"(%v) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
  return
}

// -----

func.func @invalid(%n: index, %y: memref<f64>, %xs: memref<?xf64>) {
  // expected-error @+1 {{'rev.parallel' op has shadows = 'disjoint', but iterations add to elements that they share; use privatize or atomic}}
  "rev.parallel"(%n) ({
  ^bb0(%i: index):
    "rev.accum"(%y) ({
      %v = memref.load %xs[%i] : memref<?xf64>
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  }) {shadows = "disjoint"} : (index) -> ()
  return
}

// -----

func.func @invalid(%n: index, %y: memref<f64>, %xs: memref<?xf64>) {
  // expected-error @+1 {{'rev.parallel' op changes elements that several iterations may use; index them by its own indices, or use rev.for}}
  "rev.parallel"(%n) ({
  ^bb0(%i: index):
    "rev.accum"(%y) ({
      %v = memref.load %xs[%i] : memref<?xf64>
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
    "rev.neg"(%y) : (memref<f64>) -> ()
  }) {shadows = "privatize"} : (index) -> ()
  return
}

// -----

func.func @invalid(%n: index, %x: memref<f64>, %s: !rev.stack<f64>) {
  // expected-error @+1 {{'rev.parallel' op changes elements that several iterations may use; index them by its own indices, or use rev.for}}
  "rev.parallel"(%n) ({
  ^bb0(%i: index):
    "rev.push"(%s, %x) {mode = "copy"} : (!rev.stack<f64>, memref<f64>) -> ()
  }) {shadows = "privatize"} : (index) -> ()
  return
}

// -----

func.func @invalid(%n: index, %xs: memref<?xf64>) {
  %one = arith.constant 1 : index
  // expected-error @+1 {{'rev.parallel' op changes elements that several iterations may use; index them by its own indices, or use rev.for}}
  "rev.parallel"(%n) ({
  ^bb0(%i: index):
    %next = arith.addi %i, %one : index
    "rev.accum"(%xs, %i) ({
      %v = memref.load %xs[%next] : memref<?xf64>
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<?xf64>, index) -> ()
  }) {shadows = "privatize"} : (index) -> ()
  return
}

// -----

func.func @invalid(%y: memref<f64>) {
  // expected-error @+1 {{'rev.stretch' op reads the cell in its factor; compute the factor from other cells}}
  "rev.stretch"(%y) ({
    %v = memref.load %y[] : memref<f64>
    "rev.yield"(%v) : (f64) -> ()
  }) {divide = false} : (memref<f64>) -> ()
  return
}
