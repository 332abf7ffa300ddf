// What generic passes may do with bulk operators: drop unused ones, merge equal ones, but neither lose checks nor run
// a body where the program would not.
// RUN: tapeless-opt %s --pass-pipeline='builtin.module(func.func(loop-invariant-code-motion),canonicalize,cse)' | filecheck %s

// An unused map goes, unless a check is in its body.
// CHECK-LABEL: func.func @unused(
// CHECK-NOT: math.exp
// CHECK: "soac.assert"
// CHECK: math.log
func.func @unused(%n: index, %ok: i1, %xs: tensor<?xf64>) {
  %a = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %b = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    "soac.assert"(%ok) {kind = "IndexOutOfRange", message = "no"} : (i1) -> ()
    %y = math.log %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return
}

// Equal maps are merged.
// CHECK-LABEL: func.func @equal(
// CHECK: %[[MAP:.*]] = "soac.map"
// CHECK-NOT: "soac.map"
// CHECK: return %[[MAP]], %[[MAP]]
func.func @equal(%n: index, %xs: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %a = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %b = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %a, %b : tensor<?xf64>, tensor<?xf64>
}

// The loop may have no iterations, and then `%where` may be out of range: the map and the sort stay inside. What reads
// no element at a computed place may leave.
// CHECK-LABEL: func.func @guarded(
// CHECK: "soac.reverse"
// CHECK: scf.for
// CHECK: "soac.map"
// CHECK: "soac.argsort"
func.func @guarded(%n: index, %where: index, %xs: tensor<?xf64>, %all: tensor<?xi64>) -> tensor<?xi64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = scf.for %k = %zero to %n step %one iter_args(%carried = %all) -> tensor<?xi64> {
    %back = "soac.reverse"(%xs) {axis = 0 : i64} : (tensor<?xf64>) -> tensor<?xf64>
    %gathered = "soac.map"(%n) ({
    ^bb0(%i: index):
      %x = tensor.extract %back[%where] : tensor<?xf64>
      "soac.yield"(%x) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf64>
    %order = "soac.argsort"(%gathered) : (tensor<?xf64>) -> tensor<?xi64>
    scf.yield %order : tensor<?xi64>
  }
  return %last : tensor<?xi64>
}
