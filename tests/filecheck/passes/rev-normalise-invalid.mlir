// What rev-normalise refuses: values that outlive a change of what they read.
// RUN: tapeless-opt --rev-normalise --split-input-file --verify-diagnostics %s

"rev.func"() ({
^bb0(%x: memref<f64>, %y: memref<f64>):
  // expected-error @+1 {{'memref.load' op reads a cell that is changed before rev.accum uses it; compute it again behind the change}}
  %v = memref.load %y[] : memref<f64>
  "rev.neg"(%y) : (memref<f64>) -> ()
  "rev.accum"(%x) ({
    "rev.yield"(%v) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
}) {sym_name = "outlived", modes = ["inout", "inout"]} : () -> ()

// -----

"rev.func"() ({
^bb0(%n: memref<index>, %zero: index, %one: index):
  // expected-error @+1 {{'memref.load' op is used by rev.for, which changes a cell that it reads; read it from a cell that stays as it is}}
  %upper = memref.load %n[] : memref<index>
  "rev.for"(%zero, %upper, %one) ({
  ^bb0(%i: index):
    "rev.accum"(%n) ({
      "rev.yield"(%one) : (index) -> ()
    }) {kind = "add"} : (memref<index>) -> ()
  }) {reversed = false} : (index, index, index) -> ()
}) {sym_name = "bound", modes = ["inout", "param", "param"]} : () -> ()

// -----

"rev.func"() ({
^bb0(%y: memref<f64>):
  // expected-error @+1 {{'memref.load' op is used by rev.accum, which changes a cell that it reads; read it from a cell that stays as it is}}
  %v = memref.load %y[] : memref<f64>
  "rev.accum"(%y) ({
    "rev.yield"(%v) : (f64) -> ()
  }) {kind = "add"} : (memref<f64>) -> ()
}) {sym_name = "target", modes = ["inout"]} : () -> ()

// -----

"rev.func"() ({
^bb0(%y: memref<f64>, %zero: f64):
  // expected-error @+1 {{'memref.load' op is used by rev.if, which changes a cell that it reads; read it from a cell that stays as it is}}
  %v = memref.load %y[] : memref<f64>
  %c = arith.cmpf olt, %v, %zero : f64
  "rev.if"() ({
    "rev.yield"(%c) : (i1) -> ()
  }, {}, {
    "rev.neg"(%y) : (memref<f64>) -> ()
  }, {}) : () -> ()
}) {sym_name = "condition", modes = ["inout", "param"]} : () -> ()
