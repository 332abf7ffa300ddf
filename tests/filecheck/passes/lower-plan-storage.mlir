// Where arrays live, as text: numbers of pieces of memory on the operations that make, use and free them.
// RUN: tapeless-opt --lower-plan-storage %s | filecheck %s --check-prefixes CHECK,SHARED
// RUN: tapeless-opt --lower-plan-storage=sequential=true %s | filecheck %s --check-prefixes CHECK,OWN

// An argument is read alone. The last result is built where the caller wants it, but by the oracle.
// CHECK-LABEL: func.func @overwritten
// CHECK-SAME: tapeless.memory = {arguments = array<i64: -1, 0>, constant = array<i64: 0>, makes = array<i64: 0>}
// CHECK: tapeless.memory = {makes = array<i64: 1>, results = array<i64: 1>}
// CHECK: tapeless.memory = {makes = array<i64: 2>, results = array<i64: 2>}
// CHECK: tapeless.memory = {frees = array<i64: 1>}
// SHARED: return {tapeless.memory = {ends = {out = array<i64: 0, 2>}, frees = array<i64: 2>}}
// OWN: return {tapeless.memory = {frees = array<i64: 2>}}
func.func @overwritten(%n: index, %x: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %zero = arith.constant 0.0 : f64
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %s = arith.mulf %e, %e : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %z = "soac.map"(%n, %y) ({
  ^bb0(%i: index, %e: f64):
    %s = arith.addf %e, %e : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %sum = "soac.reduce"(%n, %y, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %z, %sum : tensor<?xf64>, f64
}

// The reverse is a part of the carried array: of its memory, in another order.
// CHECK-LABEL: func.func @turning
// CHECK: "soac.reverse"
// CHECK-SAME: tapeless.memory = {part = array<i64: 0>, results = array<i64: 2>}
// CHECK: "soac.map"
// CHECK: tapeless.memory = {makes = array<i64: 3>, results = array<i64: 3>}
// CHECK: scf.yield {tapeless.memory = {frees = array<i64: 3>}}
// SHARED: carries = {resized = array<i64: 0>}, ends = {next = array<i64: 0, 3>}, frees = array<i64: 2>
func.func @turning(%steps: index, %n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%u = %x) -> tensor<?xf64> {
    %back = "soac.reverse"(%u) {axis = 0 : i64} : (tensor<?xf64>) -> tensor<?xf64>
    %next = "soac.map"(%n, %u, %back) ({
    ^bb0(%i: index, %a: f64, %b: f64):
      %s = arith.addf %a, %b : f64
      "soac.yield"(%s) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %next : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// What iterations make is built in the rows of the result; a write takes over the memory of an array that dies.
// CHECK-LABEL: func.func @rows
// SHARED: tensor.splat {{.*}}{tapeless.memory = {makes = array<i64: [[ROW:[0-9]+]]>, results = array<i64: [[ROW]]>}}
// SHARED: tensor.insert {{.*}}{tapeless.memory = {results = array<i64: [[ROW]]>}}
// SHARED: tapeless.memory = {ends = {row = array<i64: 0, [[ROW]]>}
func.func @rows(%n: index, %m: index, %x: tensor<?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %row = tensor.splat %zero[%m] : tensor<?xf64>
    %set = tensor.insert %e into %row[%c0] : tensor<?xf64>
    "soac.yield"(%set) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// The map reads a transposition with more axes than its result: rows that are turned back are not built in the result.
// CHECK-LABEL: func.func @of_more_axes
// CHECK: "soac.map"
// CHECK: return
// CHECK-NOT: turned
func.func @of_more_axes(%x: tensor<2x3x4xf64>, %c: f64) -> tensor<3x2xf64> {
  %n = arith.constant 2 : index
  %m = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %t = "soac.transpose"(%x) {permutation = [0, 2, 1]} : (tensor<2x3x4xf64>) -> tensor<2x4x3xf64>
  %y = "soac.map"(%n, %t) ({
  ^bb0(%i: index, %rows: tensor<4x3xf64>):
    %r = "soac.map"(%m) ({
    ^bb0(%j: index):
      %e = tensor.extract %rows[%c0, %j] : tensor<4x3xf64>
      %s = arith.mulf %e, %c : f64
      "soac.yield"(%s) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<3xf64>
    "soac.yield"(%r) : (tensor<3xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<2x4x3xf64>) -> tensor<2x3xf64>
  %z = "soac.transpose"(%y) {permutation = [1, 0]} : (tensor<2x3xf64>) -> tensor<3x2xf64>
  return %z : tensor<3x2xf64>
}
