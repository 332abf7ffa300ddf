// What rev-to-core has no form for.
// RUN: tapeless-opt --rev-to-core --split-input-file --verify-diagnostics %s

"rev.func"() ({
^bb0(%x: memref<f64>, %y: memref<f64>, %n: index):
  // expected-error @+1 {{'rev.chain' op has no form in core IR yet; write it with other statements}}
  "rev.chain"(%n, %x, %y) ({
  ^bb0(%i: index, %v: f64):
    %next = math.sin %v : f64
    "rev.yield"(%next) : (f64) -> ()
  }) {kind = "add", strategy = "treeverse", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1>}
    : (index, memref<f64>, memref<f64>) -> ()
}) {sym_name = "f", modes = ["in", "inout", "param"]} : () -> ()

// -----

"rev.func"() ({
^bb0(%x: memref<f64>):
  "rev.neg"(%x) : (memref<f64>) -> ()
}) {sym_name = "turn", modes = ["inout"]} : () -> ()
"rev.func"() ({
^bb0(%x: memref<f64>):
  // expected-error @+1 {{'rev.call' op calls an inverse that is not there; run rev-invert first}}
  "rev.call"(%x) {callee = @turn, inv = true} : (memref<f64>) -> ()
}) {sym_name = "back", modes = ["inout"]} : () -> ()
