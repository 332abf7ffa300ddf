// What rev-adjoint refuses.
// RUN: tapeless-opt --rev-adjoint=procedures=f --split-input-file --verify-diagnostics %s

// expected-error @+1 {{'rev.func' op has a float parameter, which has no adjoint; make it a cell of mode in}}
"rev.func"() ({
^bb0(%y: memref<f64>, %c: f64):
  "rev.neg"(%y) : (memref<f64>) -> ()
}) {sym_name = "f", modes = ["inout", "param"]} : () -> ()

// -----

"rev.func"() ({
^bb0(%s: !rev.stack<f64>, %y: memref<f64>):
  // expected-error @+1 {{'rev.push' op copies a float, which has no adjoint yet; move it, and copy with rev.accum}}
  "rev.push"(%s, %y) {mode = "copy"} : (!rev.stack<f64>, memref<f64>) -> ()
}) {sym_name = "f", modes = ["inout", "inout"]} : () -> ()

// -----

"rev.func"() ({
^bb0(%y: memref<f64>, %x: memref<f64>, %n: index):
  // expected-error @+1 {{'rev.chain' op has no adjoint yet; write it with other statements}}
  "rev.chain"(%n, %x, %y) ({
  ^bb0(%i: index, %v: f64):
    "rev.yield"(%v) : (f64) -> ()
  }) {kind = "add", strategy = "treeverse", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1>}
    : (index, memref<f64>, memref<f64>) -> ()
}) {sym_name = "f", modes = ["inout", "in", "param"]} : () -> ()

// -----

"rev.func"() ({
^bb0(%ys: memref<?xf64>, %i: index, %n: index):
  // expected-error @+1 {{'rev.accum' op reads elements of the array it changes inside of an operator, which has no adjoint yet; use a loop of statements}}
  "rev.accum"(%ys, %i) ({
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %start = arith.constant 0.0 : f64
    %sum = scf.for %k = %zero to %n step %one iter_args(%before = %start) -> f64 {
      %v = "rev.read"(%ys, %k) : (memref<?xf64>, index) -> f64
      %next = arith.addf %before, %v : f64
      scf.yield %next : f64
    }
    "rev.yield"(%sum) : (f64) -> ()
  }) {kind = "add"} : (memref<?xf64>, index) -> ()
}) {sym_name = "f", modes = ["inout", "param", "param"]} : () -> ()

// -----

// All iterations read %a, and so add to its adjoint.
"rev.func"() ({
^bb0(%ys: memref<?xf64>, %a: memref<f64>, %xs: memref<?xf64>, %n: index):
  // expected-error @+1 {{'rev.parallel' op has shadows = 'disjoint', but iterations read a common element and add to its adjoint; use privatize or atomic}}
  "rev.parallel"(%n) ({
  ^bb0(%i: index):
    "rev.accum"(%ys, %i) ({
      %u = "rev.read"(%a) : (memref<f64>) -> f64
      %w = "rev.read"(%xs, %i) : (memref<?xf64>, index) -> f64
      %v = arith.mulf %u, %w : f64
      "rev.yield"(%v) : (f64) -> ()
    }) {kind = "add"} : (memref<?xf64>, index) -> ()
  }) {shadows = "disjoint"} : (index) -> ()
}) {sym_name = "f", modes = ["inout", "in", "in", "param"]} : () -> ()
