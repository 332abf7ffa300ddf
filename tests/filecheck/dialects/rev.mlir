// Every operation of `rev` parses, verifies and prints as it was read.
// RUN: tapeless-opt %s | tapeless-opt | filecheck %s

func.func private @twist(memref<f64>)
func.func private @untwist(memref<f64>)
func.func private @twist_adjoint(memref<f64>, memref<f64>)

"rev.func"() ({
^bb0(%p: memref<f64>, %q: memref<f64>):
  "rev.swap"(%p, %q) : (memref<f64>, memref<f64>) -> ()
}) {sym_name = "move", modes = ["inout", "inout"]} : () -> ()

// Ends a pure region and gives its values to the statement around it.
// CHECK-LABEL: func.func @yield(
// CHECK: "rev.yield"(%{{.*}}) : (f64) -> ()
func.func @yield(%c: f64, %y: memref<f64>) {
  "rev.accum"(%y) ({
    "rev.yield"(%c) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
  return
}

// Runs `then` or `otherwise` as `pre` says; `post` must give the same answer afterwards.
// CHECK-LABEL: func.func @if(
// CHECK: "rev.if"() ({
// CHECK: }) : () -> ()
func.func @if(%ok: i1, %y: memref<f64>) {
  "rev.if"() ({
    "rev.yield"(%ok) : (i1) -> ()
  }, {}, {
    "rev.neg"(%y) : (memref<f64>) -> ()
  }, {}) : () -> ()
  return
}

// Runs the body for lower, lower + step, ... below upper; `reversed` visits the same indices backwards.
// CHECK-LABEL: func.func @for(
// CHECK: "rev.for"(%{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK: }) {reversed = false} : (index, index, index) -> ()
func.func @for(%n: index, %lo: index, %one: index, %y: memref<f64>, %xs: memref<?xf64>) {
  "rev.for"(%lo, %n, %one) ({
  ^bb0(%i: index):
    "rev.accum"(%y) ({
      %v = memref.load %xs[%i] : memref<?xf64>
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  }) {reversed = false} : (index, index, index) -> ()
  return
}

// Runs the body while `pre` holds; `post` must be false before the first iteration and true after each one.
// CHECK-LABEL: func.func @while(
// CHECK: "rev.while"() ({
// CHECK: }) : () -> ()
func.func @while(%c: f64, %zero: f64, %y: memref<f64>) {
  "rev.while"() ({
    %v = memref.load %y[] : memref<f64>
    %small = arith.cmpf olt, %v, %c : f64
    "rev.yield"(%small) : (i1) -> ()
  }, {
    %v = memref.load %y[] : memref<f64>
    %began = arith.cmpf ogt, %v, %zero : f64
    "rev.yield"(%began) : (i1) -> ()
  }, {
    "rev.accum"(%y) ({
      "rev.yield"(%c) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  }) : () -> ()
  return
}

// Runs the body for every index tuple below `upper`, in any order; iterations change different elements.
// CHECK-LABEL: func.func @parallel(
// CHECK: "rev.parallel"(%{{.*}}) ({
// CHECK: }) {shadows = "privatize"} : (index) -> ()
func.func @parallel(%n: index, %xs: memref<?xf64>, %ys: memref<?xf64>) {
  "rev.parallel"(%n) ({
  ^bb0(%i: index):
    "rev.accum"(%ys, %i) ({
      %v = memref.load %xs[%i] : memref<?xf64>
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<?xf64>, index) -> ()
  }) {shadows = "privatize"} : (index) -> ()
  return
}

// Adds to some cells what n steps make of others, although a step has no inverse.
// CHECK-LABEL: func.func @chain(
// CHECK: "rev.chain"(%{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK: }) {budget = 8 : i64, kind = "add", operandSegmentSizes = array<i32: 1, 1, 1>, strategy = "treeverse"} : (index, memref<f64>, memref<f64>) -> ()
func.func @chain(%n: index, %x: memref<f64>, %y: memref<f64>) {
  "rev.chain"(%n, %x, %y) ({
  ^bb0(%i: index, %v: f64):
    %next = math.sin %v : f64
    "rev.yield"(%next) : (f64) -> ()
  }) {kind = "add", strategy = "treeverse", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1>}
    : (index, memref<f64>, memref<f64>) -> ()
  return
}

// Visits the steps of a chain from the last to the first, each with the state before it.
// CHECK-LABEL: func.func @retrace(
// CHECK: "rev.retrace"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK: }, {
// CHECK: }) {budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>, strategy = "treeverse"} : (index, index, index, f64, f64) -> f64
func.func @retrace(%lo: index, %n: index, %one: index, %c: f64) {
  %x_bar = "rev.retrace"(%lo, %n, %one, %c, %c) ({
  ^bb0(%i: index, %x: f64):
    %next = math.sin %x : f64
    "soac.yield"(%next) : (f64) -> ()
  }, {
  ^bb0(%i: index, %x: f64, %bar: f64):
    %slope = math.cos %x : f64
    %before = arith.mulf %bar, %slope : f64
    "soac.yield"(%before) : (f64) -> ()
  }) {strategy = "treeverse", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, index, index, f64, f64) -> f64
  return
}

// A reversible procedure: one block of statements, no results.
// CHECK: "rev.func"() ({
// CHECK: }) {modes = ["inout", "in"], sym_name = "shift"} : () -> ()
"rev.func"() ({
^bb0(%p: memref<f64>, %q: memref<f64>):
  "rev.accum"(%p) ({
    %v = memref.load %q[] : memref<f64>
    "rev.yield"(%v) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
}) {sym_name = "shift", modes = ["inout", "in"]} : () -> ()

// Runs a procedure, or with `inv` its inverse.
// CHECK-LABEL: func.func @call(
// CHECK: "rev.call"(%{{.*}}, %{{.*}}) {callee = @move, inv = false} : (memref<f64>, memref<f64>) -> ()
func.func @call(%x: memref<f64>, %y: memref<f64>) {
  "rev.call"(%x, %y) {callee = @move, inv = false} : (memref<f64>, memref<f64>) -> ()
  return
}

// Declares that a function changes cells reversibly, and names its inverse and its adjoint.
// CHECK: "rev.prim"() {adjoint = @twist_adjoint, dual = @untwist, parameters = [memref<f64>], primal = @twist} : () -> ()
"rev.prim"() {primal = @twist, dual = @untwist, adjoint = @twist_adjoint, parameters = [memref<f64>]} : () -> ()

// A cell that lives for the duration of the body: it starts as `init` and must hold `exit` at the end.
// CHECK-LABEL: func.func @ancilla(
// CHECK: "rev.ancilla"() ({
// CHECK: }) : () -> ()
func.func @ancilla(%c: f64, %y: memref<f64>) {
  "rev.ancilla"() ({
    "rev.yield"(%c) : (f64) -> ()
  }, {}, {
  ^bb0(%z: memref<f64>):
    "rev.swap"(%z, %y) : (memref<f64>, memref<f64>) -> ()
    "rev.swap"(%z, %y) : (memref<f64>, memref<f64>) -> ()
  }) : () -> ()
  return
}

// Runs `compute`, then `use`, then the inverse of `compute`.
// CHECK-LABEL: func.func @compute(
// CHECK: "rev.compute"() ({
// CHECK: }) : () -> ()
func.func @compute(%c: f64, %x: memref<f64>, %y: memref<f64>) {
  "rev.compute"() ({
    "rev.accum"(%x) ({
      "rev.yield"(%c) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  }, {
    "rev.accum"(%y) ({
      %v = memref.load %x[] : memref<f64>
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
  }) : () -> ()
  return
}

// Code outside the reversible world that changes no cell, such as a run-time check; runs in both directions.
// CHECK-LABEL: func.func @safe(
// CHECK: "rev.safe"() ({
// CHECK: }) : () -> ()
func.func @safe(%ok: i1) {
  "rev.safe"() ({
    "soac.assert"(%ok) {kind = "InvertibilityError", message = "not positive"} : (i1) -> ()
  }) : () -> ()
  return
}

// Adds a pure value to a cell (or subtracts, xors, multiplies, divides).
// CHECK-LABEL: func.func @accum(
// CHECK: "rev.accum"(%{{.*}}, %{{.*}}) ({
// CHECK: }) {kind = "add"} : (memref<?xf64>, index) -> ()
func.func @accum(%i: index, %xs: memref<?xf64>, %ys: memref<?xf64>) {
  "rev.accum"(%ys, %i) ({
    %a = memref.load %xs[%i] : memref<?xf64>
    %b = arith.mulf %a, %a : f64
    "rev.yield"(%b) : (f64) -> ()
  }) {kind = "add"} : (memref<?xf64>, index) -> ()
  return
}

// Multiplies a cell by a non-zero constant, or divides by it.
// CHECK-LABEL: func.func @scale(
// CHECK: "rev.scale"(%{{.*}}) {divide = false, factor = 2.000000e+00 : f64} : (memref<f64>) -> ()
func.func @scale(%y: memref<f64>) {
  "rev.scale"(%y) {factor = 2.000000e+00 : f64, divide = false} : (memref<f64>) -> ()
  return
}

// Multiplies a cell by a pure value other than 0, elementwise, or divides by it.
// CHECK-LABEL: func.func @stretch(
// CHECK: "rev.stretch"(%{{.*}}) ({
// CHECK: }) {divide = false} : (memref<f64>) -> ()
func.func @stretch(%c: f64, %y: memref<f64>) {
  "rev.stretch"(%y) ({
    "rev.yield"(%c) : (f64) -> ()
  }) {divide = false} : (memref<f64>) -> ()
  return
}

// Exchanges two cells; its own inverse.
// CHECK-LABEL: func.func @swap(
// CHECK: "rev.swap"(%{{.*}}, %{{.*}}) : (memref<f64>, memref<f64>) -> ()
func.func @swap(%x: memref<f64>, %y: memref<f64>) {
  "rev.swap"(%x, %y) : (memref<f64>, memref<f64>) -> ()
  return
}

// Negates a cell; its own inverse.
// CHECK-LABEL: func.func @neg(
// CHECK: "rev.neg"(%{{.*}}) : (memref<f64>) -> ()
func.func @neg(%y: memref<f64>) {
  "rev.neg"(%y) : (memref<f64>) -> ()
  return
}

// Replaces a cell by its reciprocal; its own inverse up to rounding.
// CHECK-LABEL: func.func @recip(
// CHECK: "rev.recip"(%{{.*}}) : (memref<f64>) -> ()
func.func @recip(%y: memref<f64>) {
  "rev.recip"(%y) : (memref<f64>) -> ()
  return
}

// Maps two cells to ((a + b) / sqrt 2, (a - b) / sqrt 2); its own inverse up to rounding.
// CHECK-LABEL: func.func @hadamard(
// CHECK: "rev.hadamard"(%{{.*}}, %{{.*}}) : (memref<f64>, memref<f64>) -> ()
func.func @hadamard(%x: memref<f64>, %y: memref<f64>) {
  "rev.hadamard"(%x, %y) : (memref<f64>, memref<f64>) -> ()
  return
}

// Rotates two cells by a pure angle t: (a cos t - b sin t, a sin t + b cos t); `inv` rotates by -t.
// CHECK-LABEL: func.func @rot(
// CHECK: "rev.rot"(%{{.*}}, %{{.*}}) ({
// CHECK: }) {inv = false} : (memref<f64>, memref<f64>) -> ()
func.func @rot(%c: f64, %x: memref<f64>, %y: memref<f64>) {
  "rev.rot"(%x, %y) ({
    "rev.yield"(%c) : (f64) -> ()
  }) {inv = false} : (memref<f64>, memref<f64>) -> ()
  return
}

// The value of a cell, or of what it holds at leading indices, for use in a pure region.
// CHECK-LABEL: func.func @read(
// CHECK: "rev.read"(%{{.*}}, %{{.*}}) : (memref<?xf64>, index) -> f64
func.func @read(%i: index, %y: memref<f64>, %xs: memref<?xf64>) {
  "rev.accum"(%y) ({
    %first = "rev.read"(%xs, %i) : (memref<?xf64>, index) -> f64
    "rev.yield"(%first) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
  return
}

// A part of a cell as a cell of its own: per axis an offset, a size and a stride; axes in `drop` are left out.
// CHECK-LABEL: func.func @view(
// CHECK: "rev.view"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {drop = [0], operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (memref<?xf64>, index, index, index) -> memref<f64, strided<[], offset: ?>>
func.func @view(%i: index, %one: index, %xs: memref<?xf64>) {
  %element = "rev.view"(%xs, %i, %one, %one) {drop = [0], operandSegmentSizes = array<i32: 1, 1, 1, 1>}
    : (memref<?xf64>, index, index, index) -> memref<f64, strided<[], offset: ?>>
  return
}

// Puts the value of a scalar cell on a stack; `mode = "move"` leaves 0 in the cell, `"copy"` leaves it as it is.
// CHECK-LABEL: func.func @push(
// CHECK: "rev.push"(%{{.*}}, %{{.*}}) {mode = "move"} : (!rev.stack<f64>, memref<f64>) -> ()
func.func @push(%y: memref<f64>, %stack: !rev.stack<f64>) {
  "rev.push"(%stack, %y) {mode = "move"} : (!rev.stack<f64>, memref<f64>) -> ()
  return
}

// Takes the top of a stack into a scalar cell, which must hold 0 (`mode = "move"`) or the same value (`"copy"`).
// CHECK-LABEL: func.func @pop(
// CHECK: "rev.pop"(%{{.*}}, %{{.*}}) {mode = "move"} : (!rev.stack<f64>, memref<f64>) -> ()
func.func @pop(%y: memref<f64>, %stack: !rev.stack<f64>) {
  "rev.pop"(%stack, %y) {mode = "move"} : (!rev.stack<f64>, memref<f64>) -> ()
  return
}
