// Every operation of `soac` parses, verifies and prints as it was read.
// RUN: tapeless-opt %s | tapeless-opt | filecheck %s

// Ends a region and gives its values to the operator around it.
// CHECK-LABEL: func.func @yield(
// CHECK: "soac.yield"(%{{.*}}, %{{.*}}) : (f64, index) -> ()
func.func @yield(%n: index, %c: f64) {
  %ys, %indices = "soac.map"(%n) ({
  ^bb0(%i: index):
    "soac.yield"(%c, %i) : (f64, index) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> (tensor<?xf64>, tensor<?xindex>)
  return
}

// Permutes axes: result axis k is operand axis `permutation[k]`.
// CHECK-LABEL: func.func @transpose(
// CHECK: "soac.transpose"(%{{.*}}) {permutation = [1, 0]} : (tensor<?x3xf64>) -> tensor<3x?xf64>
func.func @transpose(%m: tensor<?x3xf64>) {
  %t = "soac.transpose"(%m) {permutation = [1, 0]} : (tensor<?x3xf64>) -> tensor<3x?xf64>
  return
}

// Reverses one axis.
// CHECK-LABEL: func.func @reverse(
// CHECK: "soac.reverse"(%{{.*}}) {axis = 0 : i64} : (tensor<?xf64>) -> tensor<?xf64>
func.func @reverse(%xs: tensor<?xf64>) {
  %backwards = "soac.reverse"(%xs) {axis = 0 : i64} : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// The same array with sizes forgotten by its type: what a loop starts from that changes them.
// CHECK-LABEL: func.func @widen(
// CHECK: "soac.widen"(%{{.*}}) : (tensor<?x3xf64>) -> tensor<?x?xf64>
func.func @widen(%m: tensor<?x3xf64>) {
  %start = "soac.widen"(%m) : (tensor<?x3xf64>) -> tensor<?x?xf64>
  return
}

// The stable sorting permutation of a rank-1 array, NaN last.
// CHECK-LABEL: func.func @argsort(
// CHECK: "soac.argsort"(%{{.*}}) : (tensor<?xf64>) -> tensor<?xi64>
func.func @argsort(%xs: tensor<?xf64>) {
  %order = "soac.argsort"(%xs) : (tensor<?xf64>) -> tensor<?xi64>
  return
}

// Applies the body to every index; element arguments are slices of axis 0, results are stacked along a new axis 0.
// CHECK-LABEL: func.func @map(
// CHECK: "soac.map"(%{{.*}}, %{{.*}}) ({
// CHECK: }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
func.func @map(%n: index, %c: f64, %xs: tensor<?xf64>) {
  %ys = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = arith.mulf %x, %c : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return
}

// Combines the elements of d arrays with an associative operator on d-tuples, starting from `neutral`.
// CHECK-LABEL: func.func @reduce(
// CHECK: "soac.reduce"(%{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK: }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
func.func @reduce(%n: index, %zero: f64, %xs: tensor<?xf64>) {
  %s = "soac.reduce"(%n, %xs, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %sum = arith.addf %a, %b : f64
    "soac.yield"(%sum) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return
}

// All prefixes (or, with `reverse`, suffixes) of a reduction; `exclusive` starts from `neutral`.
// CHECK-LABEL: func.func @scan(
// CHECK: "soac.scan"(%{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK: }) {exclusive = false, operandSegmentSizes = array<i32: 1, 1, 1>, reverse = false} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
func.func @scan(%n: index, %zero: f64, %xs: tensor<?xf64>) {
  %ys = "soac.scan"(%n, %xs, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %sum = arith.addf %a, %b : f64
    "soac.yield"(%sum) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = false}
    : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  return
}

// One loop that maps, reduces and scans: what fusion makes of the other operators.
// CHECK-LABEL: func.func @fused(
// CHECK: "soac.fused"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK: }) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<?xf64>, tensor<?xf64>, f64) -> (f64, tensor<?xf64>)
func.func @fused(%n: index, %zero: f64, %xs: tensor<?xf64>, %ys: tensor<?xf64>) {
  %dot, %squares = "soac.fused"(%n, %xs, %ys, %zero) ({
  ^bb0(%i: index, %x: f64, %y: f64):
    %xy = arith.mulf %x, %y : f64
    %xx = arith.mulf %x, %x : f64
    "soac.yield"(%xy, %xx) : (f64, f64) -> ()
  }, {
  ^bb0(%a: f64, %b: f64):
    %sum = arith.addf %a, %b : f64
    "soac.yield"(%sum) : (f64) -> ()
  }, {}) {operandSegmentSizes = array<i32: 1, 2, 1, 0>}
    : (index, tensor<?xf64>, tensor<?xf64>, f64) -> (f64, tensor<?xf64>)
  return
}

// `result[k] = dest[k] op (the values whose key is k, in order)`; keys outside `dest` are ignored.
// CHECK-LABEL: func.func @hist(
// CHECK: "soac.hist"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK: }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
func.func @hist(%n: index, %zero: f64, %dest: tensor<?xf64>, %values: tensor<?xf64>, %keys: tensor<?xi64>) {
  %h = "soac.hist"(%n, %keys, %dest, %values, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %sum = arith.addf %a, %b : f64
    "soac.yield"(%sum) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}
    : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  return
}

// CHECK: "soac.fused_hist"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK: }) {operandSegmentSizes = array<i32: 1, 2, 1, 1>, soac.in_bounds}
func.func @fused_hist(%n: index, %zero: f64, %dest: tensor<?xf64>, %values: tensor<?xf64>, %keys: tensor<?xi64>) {
  %h = "soac.fused_hist"(%n, %keys, %values, %dest, %zero) ({
  ^bb0(%i: index, %key: i64, %x: f64):
    %k = arith.index_cast %key : i64 to index
    "soac.yield"(%k, %x) : (index, f64) -> ()
  }, {
  ^bb0(%a: f64, %b: f64):
    %sum = arith.addf %a, %b : f64
    "soac.yield"(%sum) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 1, 1>, soac.in_bounds}
    : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  return
}

// `dest` with `result[keys[i]] = values[i]`; keys outside are ignored, duplicate keys carry equal values.
// CHECK-LABEL: func.func @scatter(
// CHECK: "soac.scatter"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (index, tensor<?xf64>, tensor<?xi64>, tensor<?xf64>) -> tensor<?xf64>
func.func @scatter(%n: index, %dest: tensor<?xf64>, %values: tensor<?xf64>, %keys: tensor<?xi64>) {
  %r = "soac.scatter"(%n, %dest, %keys, %values)
    : (index, tensor<?xf64>, tensor<?xi64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// Turns arrays into accumulators for the duration of the body; results are the summed arrays, then extra values.
// CHECK-LABEL: func.func @with_acc(
// CHECK: "soac.with_acc"(%{{.*}}) ({
// CHECK: }) : (tensor<?xf64>) -> tensor<?xf64>
func.func @with_acc(%n: index, %c: f64, %dest: tensor<?xf64>) {
  %sum = "soac.with_acc"(%dest) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %next = "soac.update"(%acc, %n, %c) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%next) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// Adds a value at an index of an accumulator; indices outside are ignored.
// CHECK-LABEL: func.func @update(
// CHECK: "soac.update"(%{{.*}}, %{{.*}}, %{{.*}}) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
func.func @update(%n: index, %c: f64, %acc: !soac.acc<tensor<?xf64>>) {
  %next = "soac.update"(%acc, %n, %c) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
  return
}

// A scalar function that `math` lacks.
// CHECK-LABEL: func.func @fn(
// CHECK: "soac.fn"(%{{.*}}) {function = "sigmoid"} : (f64) -> f64
func.func @fn(%c: f64) {
  %y = "soac.fn"(%c) {function = "sigmoid"} : (f64) -> f64
  return
}

// Raises when the condition is false.
// CHECK-LABEL: func.func @assert(
// CHECK: "soac.assert"(%{{.*}}, %{{.*}}, %{{.*}}) {kind = "IndexOutOfRange", message = "index {} is out of range for size {}"} : (i1, index, index) -> ()
func.func @assert(%n: index, %i: index, %ok: i1) {
  "soac.assert"(%ok, %i, %n) {kind = "IndexOutOfRange", message = "index {} is out of range for size {}"}
    : (i1, index, index) -> ()
  return
}

// Gives its condition and reports an error.
// CHECK-LABEL: func.func @report(
// CHECK: "soac.report"(%{{.*}}, %{{.*}}) {message = "off by {}; {} times"} : (i1, f64) -> i1
func.func @report(%ok: i1, %c: f64) {
  %same = "soac.report"(%ok, %c) {message = "off by {}; {} times"} : (i1, f64) -> i1
  return
}

// The first position of a value that is the extreme of its bin.
// CHECK-LABEL: func.func @arg_hist(
// CHECK: "soac.arg_hist"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xi64>
func.func @arg_hist(%keys: tensor<?xi64>, %values: tensor<?xf64>, %dest: tensor<?xf64>, %best: tensor<?xf64>) {
  %first = "soac.arg_hist"(%keys, %values, %dest, %best)
    : (tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xi64>
  return
}

// Whether fast code may be used: all numbers are finite, and all conditions hold.
// CHECK-LABEL: func.func @guard(
// CHECK: "soac.guard"(%{{.*}}, %{{.*}}) {exact = "operations"} : (f64, f32) -> i1
// CHECK: "soac.guard"(%{{.*}}) {exact = "branch-free"} : (i1) -> i1
// CHECK: "soac.guard"(%{{.*}}) {exact = "steps"} : (f64) -> i1
func.func @guard(%c: f64, %d: f32, %p: i1) {
  %ok = "soac.guard"(%c, %d) {exact = "operations"} : (f64, f32) -> i1
  %other = "soac.guard"(%p) {exact = "branch-free"} : (i1) -> i1
  %loop = "soac.guard"(%c) {exact = "steps"} : (f64) -> i1
  return
}

// Groups may hold values of several types; sizes of axis 0 may be static in one place and `?` in another.
// CHECK-LABEL: func.func @mixed(
// CHECK: "soac.map"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK: }) {operandSegmentSizes = array<i32: 1, 3, 0>} : (index, tensor<?xf64>, tensor<4x3xf32>, tensor<?xi64>) -> (tensor<?xi64>, tensor<4xf64>, tensor<?x3xf32>)
func.func @mixed(%n: index, %xs: tensor<?xf64>, %rows: tensor<4x3xf32>, %keys: tensor<?xi64>) {
  %r:3 = "soac.map"(%n, %xs, %rows, %keys) ({
  ^bb0(%i: index, %x: f64, %row: tensor<3xf32>, %key: i64):
    "soac.yield"(%key, %x, %row) : (i64, f64, tensor<3xf32>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 3, 0>}
    : (index, tensor<?xf64>, tensor<4x3xf32>, tensor<?xi64>) -> (tensor<?xi64>, tensor<4xf64>, tensor<?x3xf32>)
  return
}

// An update without indices adds a whole array, with one index of two a row.
// CHECK-LABEL: func.func @slices(
// CHECK: "soac.update"(%{{.*}}, %{{.*}}) : (!soac.acc<tensor<?x3xf64>>, tensor<?x3xf64>) -> !soac.acc<tensor<?x3xf64>>
// CHECK: "soac.update"(%{{.*}}, %{{.*}}, %{{.*}}) : (!soac.acc<tensor<?x3xf64>>, index, tensor<3xf64>) -> !soac.acc<tensor<?x3xf64>>
func.func @slices(%acc: !soac.acc<tensor<?x3xf64>>, %m: tensor<?x3xf64>, %i: index, %row: tensor<3xf64>) {
  %a = "soac.update"(%acc, %m) : (!soac.acc<tensor<?x3xf64>>, tensor<?x3xf64>) -> !soac.acc<tensor<?x3xf64>>
  %b = "soac.update"(%a, %i, %row)
    : (!soac.acc<tensor<?x3xf64>>, index, tensor<3xf64>) -> !soac.acc<tensor<?x3xf64>>
  return
}
