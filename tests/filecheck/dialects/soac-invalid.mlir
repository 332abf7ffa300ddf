// Invalid uses of `soac`: each message says what is wrong and what to do.
// RUN: tapeless-opt %s --split-input-file --verify-diagnostics

func.func @invalid() {
  // expected-error @+1 {{'soac.transpose' op has 0 operands but needs 1; give them in the order: operand}}
  "soac.transpose"() {permutation = [0]} : () -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.argsort' op has 2 operands but needs 1; give them in the order: operand}}
  "soac.argsort"(%xs, %xs) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xi64>
  return
}

// -----

func.func @invalid(%xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.argsort' op has 0 results but needs 1; give them in the order: out}}
  "soac.argsort"(%xs) : (tensor<?xf64>) -> ()
  return
}

// -----

func.func @invalid(%n: index, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op lacks operandSegmentSizes; add operandSegmentSizes = array<i32: ...> with the sizes of: width, inputs..., accs...}}
  %r = "soac.map"(%n, %xs) ({
    ^bb0(%i2: index, %x: f64, %y: f64):
      "soac.yield"(%x) : (f64) -> ()
    }) : (index, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op has operandSegmentSizes = [1, 2, 0] for 2 operands; give 3 sizes that sum to it, for: width, inputs..., accs...}}
  %r = "soac.map"(%n, %xs) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op has 2 values for width; give exactly one}}
  %r = "soac.map"(%n, %xs) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 2, 0, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op has operandSegmentSizes = [3, -1, 0] for 2 operands; give 3 sizes that sum to it, for: width, inputs..., accs...}}
  %r = "soac.map"(%n, %xs) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 3, -1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op has operandSegmentSizes = array<i64: 1, 1, 0>; make it array<i32: ...> with the sizes of: width, inputs..., accs...}}
  %r = "soac.map"(%n, %xs) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }) {operandSegmentSizes = array<i64: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%m: tensor<?x3xf64>) {
  // expected-error @+1 {{'soac.transpose' op lacks the attribute permutation; add permutation = [...]}}
  %r = "soac.transpose"(%m) : (tensor<?x3xf64>) -> tensor<3x?xf64>
  return
}

// -----

func.func @invalid(%m: tensor<?x3xf64>) {
  // expected-error @+1 {{'soac.transpose' op has permutation = 1 : i64; make it [...]}}
  %r = "soac.transpose"(%m) {permutation = 1 : i64} : (tensor<?x3xf64>) -> tensor<3x?xf64>
  return
}

// -----

func.func @invalid(%c: f64, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op has width of type f64; give index}}
  %r = "soac.map"(%c, %xs) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (f64, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%c: f64) {
  // expected-error @+1 {{'soac.assert' op has condition of type f64; give i1}}
  "soac.assert"(%c) {kind = "IndexOutOfRange", message = "m"} : (f64) -> ()
  return
}

// -----

func.func @invalid(%xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.argsort' op has 1 regions but needs 0; give them in the order: none}}
  %r = "soac.argsort"(%xs) ({}) : (tensor<?xf64>) -> tensor<?xi64>
  return
}

// -----

func.func @invalid(%n: index, %c: f64) {
  // expected-error @+1 {{'soac.map' op has an input of type f64; give a ranked tensor of rank 1 or more}}
  %r = "soac.map"(%n, %c) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, f64) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op has a result of type f64; give a ranked tensor of rank 1 or more}}
  %r = "soac.map"(%n, %xs) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> f64
  return
}

// -----

func.func @invalid(%n: index, %xs: tensor<?xf64>, %dest: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op has an accumulator of type tensor<?xf64>; give a !soac.acc}}
  %r = "soac.map"(%n, %xs, %dest) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %xs: tensor<?xf64>, %acc: !soac.acc<tensor<?xf64>>) {
  // expected-error @+1 {{'soac.map' op has results that end in (tensor<?xf64>); end them with its accumulators (!soac.acc<tensor<?xf64>>)}}
  %r = "soac.map"(%n, %xs, %acc) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %three: tensor<3xf64>) {
  // expected-error @+1 {{'soac.map' op has arrays (tensor<3xf64>, tensor<4xf64>) of different widths; make the sizes of axis 0 equal}}
  %r = "soac.map"(%n, %three) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<3xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @invalid(%n: index, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op has 0 blocks in the region body; give it exactly one}}
  %r = "soac.map"(%n, %xs) ({}) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op has a region body that does not end in soac.yield; end it with one}}
  %r = "soac.map"(%n, %xs) ({
    ^bb0(%i2: index, %x: f64):
      %y = arith.mulf %x, %x : f64
      "ad.yield"(%y) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op has body arguments (f64); make them (index, f64): the index, one element per input, then the accumulators}}
  %r = "soac.map"(%n, %xs) ({
    ^bb0(%x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %c: f64, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op has body arguments (index, f32); make them (index, f64): the index, one element per input, then the accumulators}}
  %r = "soac.map"(%n, %xs) ({
    ^bb0(%i2: index, %x: f32):
      "soac.yield"(%c) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op yields (f64, f64) from body; yield (f64): one row per array result, then the accumulators}}
  %r = "soac.map"(%n, %xs) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"(%x, %x) : (f64, f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %m: tensor<?x3xf64>) {
  // expected-error @+1 {{'soac.map' op has body arguments (index, f64); make them (index, tensor<3xf64>): the index, one element per input, then the accumulators}}
  %r = "soac.map"(%n, %m) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x3xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index) {
  // expected-error @+1 {{'soac.reduce' op has no inputs; give at least one array to combine}}
  "soac.reduce"(%n) ({
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> ()
  return
}

// -----

func.func @invalid(%n: index, %c: f64, %zero: f64) {
  // expected-error @+1 {{'soac.reduce' op has an input of type f64; give a ranked tensor of rank 1 or more}}
  %r = "soac.reduce"(%n, %c, %zero) ({
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, f64, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %three: tensor<3xf64>, %four: tensor<4xf64>) {
  // expected-error @+1 {{'soac.reduce' op has arrays (tensor<3xf64>, tensor<4xf64>) of different widths; make the sizes of axis 0 equal}}
  %r:2 = "soac.reduce"(%n, %three, %four, %zero, %zero) ({
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 2>} : (index, tensor<3xf64>, tensor<4xf64>, f64, f64) -> (f64, f64)
  return
}

// -----

func.func @invalid(%n: index, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.reduce' op has neutral elements (); make them (f64): one row per array}}
  %r = "soac.reduce"(%n, %xs) ({
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> f64
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.reduce' op has combine arguments (f64); make them (f64, f64): the left operands, then the right ones}}
  %r = "soac.reduce"(%n, %xs, %zero) ({
    ^bb0(%a: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.reduce' op yields () from combine; yield (f64): one value per operand pair}}
  %r = "soac.reduce"(%n, %xs, %zero) ({
    ^bb0(%a: f64, %b: f64):
      "soac.yield"() : () -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.reduce' op has results (tensor<?xf64>); make them (f64): one row per input}}
  %r = "soac.reduce"(%n, %xs, %zero) ({
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.scan' op has a result of type f64; give a ranked tensor of rank 1 or more}}
  %r = "soac.scan"(%n, %xs, %zero) ({
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = false} : (index, tensor<?xf64>, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.scan' op has results (tensor<?xf32>); make them like the inputs (tensor<?xf64>)}}
  %r = "soac.scan"(%n, %xs, %zero) ({
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = false} : (index, tensor<?xf64>, f64) -> tensor<?xf32>
  return
}

// -----

func.func @invalid(%n: index, %c: f64, %zero: f64) {
  // expected-error @+1 {{'soac.fused' op has an input of type f64; give a ranked tensor of rank 1 or more}}
  %r = "soac.fused"(%n, %c, %zero) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, f64, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.fused' op has results (tensor<?xf64>); begin them with the reduced values (f64)}}
  %r = "soac.fused"(%n, %xs, %zero) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.fused' op has array results (tensor<?xf32>); begin them with stacks of (f64)}}
  %r = "soac.fused"(%n, %xs, %zero) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }, {}, {
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (index, tensor<?xf64>, f64) -> tensor<?xf32>
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.fused' op has lift arguments (f64); make them (index, f64): the index, then one element per input}}
  %r = "soac.fused"(%n, %xs, %zero) ({
    ^bb0(%x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf64>, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.fused' op yields () from lift; yield (f64): the reduced, the scanned, then the mapped values}}
  %r = "soac.fused"(%n, %xs, %zero) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"() : () -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf64>, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.fused' op has 0 blocks in the region reduce; give it exactly one}}
  %r = "soac.fused"(%n, %xs, %zero) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }, {}, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf64>, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.fused' op has a region scan but no scan_neutral; leave the region empty}}
  %r = "soac.fused"(%n, %xs, %zero) ({
    ^bb0(%i2: index, %x: f64):
      "soac.yield"(%x) : (f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf64>, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %keys: tensor<?xi64>) {
  // expected-error @+1 {{'soac.hist' op has no dests; give at least one array to write into}}
  "soac.hist"(%n, %keys) ({
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (index, tensor<?xi64>) -> ()
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %dest: tensor<?xf64>, %values: tensor<?xf64>) {
  // expected-error @+1 {{'soac.hist' op has keys of type tensor<?xf64>; give a rank-1 tensor of integers}}
  %r = "soac.hist"(%n, %values, %dest, %values, %zero) ({
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %values: tensor<?xf64>, %keys: tensor<?xi64>, %three: tensor<3xf64>, %four: tensor<4xf64>) {
  // expected-error @+1 {{'soac.hist' op has dests (tensor<3xf64>, tensor<4xf64>) with different numbers of bins; make the sizes of axis 0 equal}}
  %r:2 = "soac.hist"(%n, %keys, %three, %four, %values, %values, %zero, %zero) ({
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 2, 2, 2>} : (index, tensor<?xi64>, tensor<3xf64>, tensor<4xf64>, tensor<?xf64>, tensor<?xf64>, f64, f64) -> (tensor<3xf64>, tensor<4xf64>)
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %dest: tensor<?xf64>, %keys: tensor<?xi64>, %m: tensor<?x3xf64>) {
  // expected-error @+1 {{'soac.hist' op has values (tensor<?x3xf64>) for dests (tensor<?xf64>); make their rows equal}}
  %r = "soac.hist"(%n, %keys, %dest, %m, %zero) ({
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, tensor<?xi64>, tensor<?xf64>, tensor<?x3xf64>, f64) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %dest: tensor<?xf64>, %values: tensor<?xf64>, %keys: tensor<?xi64>) {
  // expected-error @+1 {{'soac.hist' op has results (tensor<4xf64>); make them the types of the dests (tensor<?xf64>)}}
  %r = "soac.hist"(%n, %keys, %dest, %values, %zero) ({
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<4xf64>
  return
}

// -----

func.func @invalid(%n: index, %dest: tensor<?xf64>, %keys: tensor<?xi64>, %m: tensor<?x3xf64>) {
  // expected-error @+1 {{'soac.scatter' op has values tensor<?x3xf64> for dest tensor<?xf64>; make their rows equal}}
  %r = "soac.scatter"(%n, %dest, %keys, %m) : (index, tensor<?xf64>, tensor<?xi64>, tensor<?x3xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %dest: tensor<?xf64>, %values: tensor<?xf64>, %keys: tensor<?xi64>) {
  // expected-error @+1 {{'soac.scatter' op has result tensor<4xf64>; make it the type of dest tensor<?xf64>}}
  %r = "soac.scatter"(%n, %dest, %keys, %values) : (index, tensor<?xf64>, tensor<?xi64>, tensor<?xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @invalid(%dest: tensor<?xf64>) {
  // expected-error @+1 {{'soac.with_acc' op has results (f64); begin them with the types of its dests (tensor<?xf64>)}}
  %r = "soac.with_acc"(%dest) ({
    ^bb0(%a: !soac.acc<tensor<?xf64>>):
      "soac.yield"(%a) : (!soac.acc<tensor<?xf64>>) -> ()
    }) : (tensor<?xf64>) -> f64
  return
}

// -----

func.func @invalid(%dest: tensor<?xf64>) {
  // expected-error @+1 {{'soac.with_acc' op has body arguments (f64); make them (!soac.acc<tensor<?xf64>>): one accumulator per dest}}
  %r = "soac.with_acc"(%dest) ({
    ^bb0(%a: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%c: f64, %dest: tensor<?xf64>) {
  // expected-error @+1 {{'soac.with_acc' op yields (f64) from body; yield (!soac.acc<tensor<?xf64>>): the accumulators, then the extra results}}
  %r = "soac.with_acc"(%dest) ({
    ^bb0(%a: !soac.acc<tensor<?xf64>>):
      "soac.yield"(%c) : (f64) -> ()
    }) : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %c: f64, %p: tensor<?xf64>, %q: tensor<?xf64>) {
  // expected-error @+1 {{'soac.with_acc' op yields accumulator 1 in place 0; yield accumulators in the order of the arguments}}
  %r:2 = "soac.with_acc"(%p, %q) ({
    ^bb0(%a: !soac.acc<tensor<?xf64>>, %b: !soac.acc<tensor<?xf64>>):
      %b2 = "soac.update"(%b, %n, %c) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%b2, %a) : (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) -> ()
    }) : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return
}

// -----

func.func @invalid(%n: index, %p: tensor<?xf64>, %q: tensor<?xf64>) {
  %r:2 = "soac.with_acc"(%p, %q) ({
    ^bb0(%a: !soac.acc<tensor<?xf64>>, %b: !soac.acc<tensor<?xf64>>):
      // expected-error @+1 {{'soac.map' op yields accumulator 1 in place 0; yield accumulators in the order of the arguments}}
      %s:2 = "soac.map"(%n, %a, %b) ({
        ^bb0(%i: index, %ai: !soac.acc<tensor<?xf64>>, %bi: !soac.acc<tensor<?xf64>>):
          "soac.yield"(%bi, %ai) : (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 0, 2>} : (index, !soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) -> (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>)
      "soac.yield"(%s#0, %s#1) : (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) -> ()
    }) : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return
}

// -----

func.func @invalid(%i: index, %c: f64) {
  // expected-error @+1 {{'soac.update' op has acc of type f64; give a !soac.acc}}
  %r = "soac.update"(%c, %i, %c) : (f64, index, f64) -> f64
  return
}

// -----

func.func @invalid(%i: index, %c: f64, %odd: !soac.acc<f64>) {
  // expected-error @+1 {{'soac.update' op has an accumulator over f64; make it one over a ranked tensor of rank 1 or more}}
  %r = "soac.update"(%odd, %i, %c) : (!soac.acc<f64>, index, f64) -> !soac.acc<f64>
  return
}

// -----

func.func @invalid(%i: index, %c: f64, %acc: !soac.acc<tensor<?xf64>>) {
  // expected-error @+1 {{'soac.update' op has 2 indices into tensor<?xf64>; give at most 1}}
  %r = "soac.update"(%acc, %i, %i, %c) : (!soac.acc<tensor<?xf64>>, index, index, f64) -> !soac.acc<tensor<?xf64>>
  return
}

// -----

func.func @invalid(%i: index, %xs: tensor<?xf64>, %acc: !soac.acc<tensor<?xf64>>) {
  // expected-error @+1 {{'soac.update' op adds a value of type tensor<?xf64>; with 1 indices give f64}}
  %r = "soac.update"(%acc, %i, %xs) : (!soac.acc<tensor<?xf64>>, index, tensor<?xf64>) -> !soac.acc<tensor<?xf64>>
  return
}

// -----

func.func @invalid(%i: index, %c: f64, %acc: !soac.acc<tensor<?xf64>>) {
  // expected-error @+1 {{'soac.update' op has result tensor<?xf64>; make it the type of acc !soac.acc<tensor<?xf64>>}}
  %r = "soac.update"(%acc, %i, %c) : (!soac.acc<tensor<?xf64>>, index, f64) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%m: tensor<?x3xf64>) {
  // expected-error @+1 {{'soac.transpose' op has permutation = ["a", 0]; give an array of integers}}
  %r = "soac.transpose"(%m) {permutation = ["a", 0]} : (tensor<?x3xf64>) -> tensor<3x?xf64>
  return
}

// -----

func.func @invalid(%m: tensor<?x3xf64>) {
  // expected-error @+1 {{'soac.transpose' op has permutation = [1, 1] for tensor<?x3xf64>; give each axis from 0 to 1 once}}
  %r = "soac.transpose"(%m) {permutation = [1, 1]} : (tensor<?x3xf64>) -> tensor<3x?xf64>
  return
}

// -----

func.func @invalid(%m: tensor<?x3xf64>) {
  // expected-error @+1 {{'soac.transpose' op has result tensor<3x?xf32> for operand tensor<?x3xf64>; keep the element type and the rank}}
  %r = "soac.transpose"(%m) {permutation = [1, 0]} : (tensor<?x3xf64>) -> tensor<3x?xf32>
  return
}

// -----

func.func @invalid(%m: tensor<?x3xf64>) {
  // expected-error @+1 {{'soac.transpose' op has result tensor<4x?xf64> for operand tensor<?x3xf64>; permute the sizes as the axes}}
  %r = "soac.transpose"(%m) {permutation = [1, 0]} : (tensor<?x3xf64>) -> tensor<4x?xf64>
  return
}

// -----

func.func @invalid(%xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.reverse' op has axis = 1 for tensor<?xf64>; give one from 0 to 0}}
  %r = "soac.reverse"(%xs) {axis = 1 : i64} : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.reverse' op has result tensor<4xf64>; make it the type of the operand tensor<?xf64>}}
  %r = "soac.reverse"(%xs) {axis = 0 : i64} : (tensor<?xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @invalid(%m: tensor<?x3xf64>) {
  // expected-error @+1 {{'soac.argsort' op sorts tensor<?x3xf64>; give a rank-1 tensor of f64, f32, i64, i32}}
  %r = "soac.argsort"(%m) : (tensor<?x3xf64>) -> tensor<?xi64>
  return
}

// -----

func.func @invalid(%xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.argsort' op has result tensor<?xi32> for operand tensor<?xf64>; make it a rank-1 tensor of i64 of the same size}}
  %r = "soac.argsort"(%xs) : (tensor<?xf64>) -> tensor<?xi32>
  return
}

// -----

func.func @invalid(%c: f64) {
  // expected-error @+1 {{'soac.fn' op has the unknown function 'gamma'; use one of sigmoid, softplus, sign, lgamma, digamma, trigamma, erfinv, round_f16, round_bf16, hypot}}
  %r = "soac.fn"(%c) {function = "gamma"} : (f64) -> f64
  return
}

// -----

func.func @invalid(%c: f64) {
  // expected-error @+1 {{'soac.fn' op has 1 operands; give hypot 2}}
  %r = "soac.fn"(%c) {function = "hypot"} : (f64) -> f64
  return
}

// -----

func.func @invalid(%i: index) {
  // expected-error @+1 {{'soac.fn' op maps (index) to index; make them all f64 or all f32}}
  %r = "soac.fn"(%i) {function = "sign"} : (index) -> index
  return
}

// -----

func.func @invalid(%ok: i1) {
  // expected-error @+1 {{'soac.assert' op has the unknown kind 'Oops'; name an error class of tapeless.errors}}
  "soac.assert"(%ok) {kind = "Oops", message = "m"} : (i1) -> ()
  return
}

// -----

func.func @invalid(%i: index, %ok: i1) {
  // expected-error @+1 {{'soac.assert' op has 1 values for 0 placeholders; give one value per {} of the message}}
  "soac.assert"(%ok, %i) {kind = "IndexOutOfRange", message = "m"} : (i1, index) -> ()
  return
}

// -----

func.func @invalid(%ok: i1) {
  // expected-error @+1 {{'soac.assert' op shows a value of type i1; cast it to one of index, i64, f64}}
  "soac.assert"(%ok, %ok) {kind = "IndexOutOfRange", message = "{}"} : (i1, i1) -> ()
  return
}

// -----

func.func @invalid(%ok: i1, %c: f64) {
  // expected-error @+1 {{'soac.report' op has the message 'off by {}'; give a {} for the largest error and one for how often the condition was false}}
  %same = "soac.report"(%ok, %c) {message = "off by {}"} : (i1, f64) -> i1
  return
}

// -----

func.func @invalid(%xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.widen' op has result tensor<1xf64> for operand tensor<?xf64>; keep each size or make it `?`}}
  %r = "soac.widen"(%xs) : (tensor<?xf64>) -> tensor<1xf64>
  return
}

// -----

func.func @invalid(%xs: tensor<2xf64>) {
  // expected-error @+1 {{'soac.widen' op has result tensor<?xf32> for operand tensor<2xf64>; keep the element type and the rank}}
  %r = "soac.widen"(%xs) : (tensor<2xf64>) -> tensor<?xf32>
  return
}

// -----

func.func @invalid(%n: index, %keys: tensor<?xi64>) {
  // expected-error @+1 {{'soac.fused_hist' op has no dests; give at least one array to write into}}
  "soac.fused_hist"(%n, %keys) ({
    ^bb0(%i: index, %key: i64):
      "soac.yield"(%i) : (index) -> ()
    }, {
      "soac.yield"() : () -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (index, tensor<?xi64>) -> ()
  return
}

// -----

func.func @invalid(%n: index, %row: tensor<3xf64>, %keys: tensor<?xi64>, %dest: tensor<?x3xf64>) {
  // expected-error @+1 {{'soac.fused_hist' op has dests (tensor<?x3xf64>); give arrays of numbers, of rank 1}}
  %r = "soac.fused_hist"(%n, %keys, %dest, %row) ({
    ^bb0(%i: index, %key: i64):
      "soac.yield"(%i, %row) : (index, tensor<3xf64>) -> ()
    }, {
    ^bb0(%a: tensor<3xf64>, %b: tensor<3xf64>):
      "soac.yield"(%a) : (tensor<3xf64>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (index, tensor<?xi64>, tensor<?x3xf64>, tensor<3xf64>) -> tensor<?x3xf64>
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %keys: tensor<?xi64>, %dest: tensor<?xf64>) {
  // expected-error @+1 {{the key, then one value per dest}}
  %r = "soac.fused_hist"(%n, %keys, %dest, %zero) ({
    ^bb0(%i: index, %key: i64):
      "soac.yield"(%zero) : (f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (index, tensor<?xi64>, tensor<?xf64>, f64) -> tensor<?xf64>
  return
}

// -----

func.func @invalid() {
  // expected-error @+1 {{'soac.guard' op tests nothing; give the numbers that must be finite, or conditions that must hold}}
  %ok = "soac.guard"() {exact = "operations"} : () -> i1
  return
}

// -----

func.func @invalid(%n: index) {
  // expected-error @+1 {{'soac.guard' op tests a value of type index; give f64, f32 or i1}}
  %ok = "soac.guard"(%n) {exact = "operations"} : (index) -> i1
  return
}

// -----

func.func @invalid(%x: f64) {
  // expected-error @+1 {{'soac.guard' op has an unknown exact way 'slow'; use one of operations, steps, branch-free}}
  %ok = "soac.guard"(%x) {exact = "slow"} : (f64) -> i1
  return
}

// -----

func.func @invalid(%x: tensor<3xf64>) {
  // expected-error @+1 {{'soac.reverse' op has soac.schedule; give schedules to operators alone}}
  %y = "soac.reverse"(%x) {axis = 0 : i64, soac.schedule = {form = "in order"}} : (tensor<3xf64>) -> tensor<3xf64>
  return
}

// -----

func.func @invalid(%n: index, %x: tensor<?xf64>, %zero: f64) {
  // expected-error @+1 {{'soac.reduce' op has soac.schedule = {smallest = 8 : i64}; make it {form = "..."} with the fields of the form}}
  %s = "soac.reduce"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    "soac.yield"(%a) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, soac.schedule = {smallest = 8}} : (index, tensor<?xf64>, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %x: tensor<?xf64>, %zero: f64) {
  // expected-error @+1 {{'soac.reduce' op has a schedule of the form 'launch'; give one of: in order, blocks, copies, tree}}
  %s = "soac.reduce"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    "soac.yield"(%a) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, soac.schedule = {form = "launch"}} : (index, tensor<?xf64>, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %x: tensor<?xf64>, %zero: f64) {
  // expected-error @+1 {{'soac.reduce' op has a schedule with strands, which the form 'tree' has not; it has: is_free, nest}}
  %s = "soac.reduce"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    "soac.yield"(%a) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, soac.schedule = {form = "tree", is_free = true, strands = 4}} : (index, tensor<?xf64>, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %x: tensor<?xf64>, %zero: f64) {
  // expected-error @+1 {{'soac.reduce' op lacks smallest in its schedule of the form 'blocks'; add smallest = a positive integer}}
  %s = "soac.reduce"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    "soac.yield"(%a) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, soac.schedule = {form = "blocks", asks_first = true}} : (index, tensor<?xf64>, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %x: tensor<?xf64>, %zero: f64) {
  // expected-error @+1 {{'soac.reduce' op has smallest = -1 : i64 in its schedule; make it a positive integer}}
  %s = "soac.reduce"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    "soac.yield"(%a) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, soac.schedule = {form = "blocks", smallest = -1}} : (index, tensor<?xf64>, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %x: tensor<?xf64>, %zero: f64) {
  // expected-error @+1 {{'soac.reduce' op has finds = "nearest" in its schedule; make it "smallest" or "largest"}}
  %s = "soac.reduce"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    "soac.yield"(%a) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, soac.schedule = {form = "in order", finds = "nearest"}} : (index, tensor<?xf64>, f64) -> f64
  return
}

// -----

// A map that adds to no sums has no copies of them.
func.func @invalid(%n: index, %x: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op has a schedule of the form 'own copies'; give one of: in order, column, deferred, parts, launch, picked, teams, tiles}}
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>, soac.schedule = {form = "own copies", most = 64}} : (index, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%k: tensor<?xf64>, %v: tensor<?xf64>, %d: tensor<?xf64>) {
  // expected-error @+1 {{'soac.arg_hist' op has keys tensor<?xf64>; give a rank-1 tensor of integers}}
  %first = "soac.arg_hist"(%k, %v, %d, %d) : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xi64>
  return
}

// -----

func.func @invalid(%k: tensor<3xi64>, %v: tensor<4xf64>, %d: tensor<?xf64>) {
  // expected-error @+1 {{'soac.arg_hist' op has values tensor<4xf64> for keys tensor<3xi64>; give a rank-1 tensor of the same size}}
  %first = "soac.arg_hist"(%k, %v, %d, %d) : (tensor<3xi64>, tensor<4xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xi64>
  return
}

// -----

func.func @invalid(%k: tensor<?xi64>, %v: tensor<?xi64>, %d: tensor<?xi64>) {
  // expected-error @+1 {{'soac.arg_hist' op has values tensor<?xi64>; give floats}}
  %first = "soac.arg_hist"(%k, %v, %d, %d) : (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  return
}

// -----

func.func @invalid(%k: tensor<?xi64>, %v: tensor<?xf64>, %d: tensor<?xf32>) {
  // expected-error @+1 {{'soac.arg_hist' op has bins tensor<?xf32> for values tensor<?xf64>; make them rank-1 tensors of the same element type}}
  %first = "soac.arg_hist"(%k, %v, %d, %d) : (tensor<?xi64>, tensor<?xf64>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xi64>
  return
}

// -----

func.func @invalid(%k: tensor<?xi64>, %v: tensor<?xf64>, %d: tensor<?xf64>) {
  // expected-error @+1 {{'soac.arg_hist' op has result tensor<?xf64> for bins tensor<?xf64>; make it a rank-1 tensor of i64 of the same size}}
  %first = "soac.arg_hist"(%k, %v, %d, %d) : (tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %keys: tensor<?xi64>, %dest: tensor<?xf64>) {
  // expected-error @+1 {{'soac.fused_hist' op keeps first places, but has rows (f64); give it a float and an i64}}
  %r = "soac.fused_hist"(%n, %keys, %dest, %zero) ({
    ^bb0(%i: index, %key: i64):
      "soac.yield"(%i, %zero) : (index, f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64):
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1, 1>, soac.first = "min"} : (index, tensor<?xi64>, tensor<?xf64>, f64) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %zero: f64, %keys: tensor<?xi64>, %dest: tensor<?xf64>, %places: tensor<?xi64>, %none: i64) {
  // expected-error @+1 {{'soac.fused_hist' op has soac.first = "median"; make it "min" or "max"}}
  %r:2 = "soac.fused_hist"(%n, %keys, %dest, %places, %zero, %none) ({
    ^bb0(%i: index, %key: i64):
      "soac.yield"(%i, %zero, %none) : (index, f64, i64) -> ()
    }, {
    ^bb0(%a: f64, %p: i64, %b: f64, %q: i64):
      "soac.yield"(%a, %p) : (f64, i64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 2, 2>, soac.first = "median"} : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xi64>, f64, i64) -> (tensor<?xf64>, tensor<?xi64>)
  return
}
