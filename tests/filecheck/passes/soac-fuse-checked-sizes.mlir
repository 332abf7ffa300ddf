// soac-fuse takes sizes for equal that a check before the loops has compared.
// RUN: tapeless-opt --soac-fuse %s | filecheck %s

// The map stands before the check, the reduction behind it: one loop behind the check.
// CHECK-LABEL: func.func @behind_the_check
// CHECK: "soac.assert"
// CHECK: "soac.fused"
// CHECK-NOT: soac.map
// CHECK: return
func.func @behind_the_check(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %m = tensor.dim %ys, %c0 : tensor<?xf64>
  %squares = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %xx = arith.mulf %x, %x : f64
    "soac.yield"(%xx) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %same = arith.cmpi eq, %m, %n : index
  "soac.assert"(%same, %m, %n) {kind = "ShapeMismatch", message = "sizes {} and {}"} : (i1, index, index) -> ()
  %sum = "soac.fused"(%m, %ys, %squares, %zero) ({
  ^bb0(%i: index, %y: f64, %s: f64):
    %p = arith.mulf %y, %s : f64
    "soac.yield"(%p) : (f64) -> ()
  }, {
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<?xf64>, tensor<?xf64>, f64) -> f64
  return %sum : f64
}

// The check comes only after both loops, and the first one's result is read before it: nothing may move there.
// CHECK-LABEL: func.func @before_the_check
// CHECK: "soac.map"
// CHECK: "soac.fused"
// CHECK: "soac.assert"
func.func @before_the_check(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %m = tensor.dim %ys, %c0 : tensor<?xf64>
  %squares = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %xx = arith.mulf %x, %x : f64
    "soac.yield"(%xx) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %sum = "soac.fused"(%m, %ys, %squares, %zero) ({
  ^bb0(%i: index, %y: f64, %s: f64):
    %p = arith.mulf %y, %s : f64
    "soac.yield"(%p) : (f64) -> ()
  }, {
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<?xf64>, tensor<?xf64>, f64) -> f64
  %same = arith.cmpi eq, %m, %n : index
  "soac.assert"(%same, %m, %n) {kind = "ShapeMismatch", message = "sizes {} and {}"} : (i1, index, index) -> ()
  return %sum : f64
}

// A check outside holds inside; one inside says nothing about the loops after it.
// CHECK-LABEL: func.func @inside_and_after
// CHECK: "soac.assert"
// CHECK: scf.if
// CHECK: "soac.map"
// CHECK-NOT: "soac.map"
// CHECK: } else {
// CHECK: "soac.assert"
// CHECK: }
// CHECK: "soac.map"
// CHECK: "soac.map"
func.func @inside_and_after(
    %xs: tensor<?xf64>, %ys: tensor<?xf64>, %zs: tensor<?xf64>, %k: index, %wanted: i1)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %m = tensor.dim %ys, %c0 : tensor<?xf64>
  %same = arith.cmpi eq, %m, %n : index
  "soac.assert"(%same, %m, %n) {kind = "ShapeMismatch", message = "sizes {} and {}"} : (i1, index, index) -> ()
  %r = scf.if %wanted -> (tensor<?xf64>) {
    %a = "soac.map"(%n, %xs) ({
    ^bb0(%i: index, %x: f64):
      %xx = math.exp %x : f64
      "soac.yield"(%xx) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    %b = "soac.map"(%m, %ys, %a) ({
    ^bb0(%i: index, %y: f64, %x: f64):
      %p = arith.mulf %y, %x : f64
      "soac.yield"(%p) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  } else {
    %other = arith.cmpi eq, %m, %k : index
    "soac.assert"(%other, %m, %k) {kind = "ShapeMismatch", message = "sizes {} and {}"} : (i1, index, index) -> ()
    scf.yield %ys : tensor<?xf64>
  }
  %c = "soac.map"(%k, %zs) ({
  ^bb0(%i: index, %x: f64):
    %xx = math.exp %x : f64
    "soac.yield"(%xx) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %d = "soac.map"(%m, %ys, %c) ({
  ^bb0(%i: index, %y: f64, %x: f64):
    %p = arith.mulf %y, %x : f64
    "soac.yield"(%p) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %r, %d : tensor<?xf64>, tensor<?xf64>
}

// A check that one size is at most the other does not make them equal.
// CHECK-LABEL: func.func @at_most
// CHECK: "soac.map"
// CHECK: "soac.fused"
func.func @at_most(%xs: tensor<?xf64>, %ys: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %m = tensor.dim %ys, %c0 : tensor<?xf64>
  %squares = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %xx = math.powf %x, %x : f64
    "soac.yield"(%xx) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %fits = arith.cmpi ule, %m, %n : index
  "soac.assert"(%fits, %m, %n) {kind = "ShapeMismatch", message = "sizes {} and {}"} : (i1, index, index) -> ()
  %sum = "soac.fused"(%m, %ys, %squares, %zero) ({
  ^bb0(%i: index, %y: f64, %s: f64):
    %p = arith.mulf %y, %s : f64
    "soac.yield"(%p) : (f64) -> ()
  }, {
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<?xf64>, tensor<?xf64>, f64) -> f64
  return %sum : f64
}

// A check before a loop, for when it runs, tells of the loops inside of it.
// CHECK-LABEL: func.func @in_a_loop
// CHECK: "soac.assert"
// CHECK: scf.for
// CHECK-COUNT-1: "soac.map"
// CHECK-NOT: "soac.map"
// CHECK: return
func.func @in_a_loop(%xs: tensor<?xf64>, %ys: tensor<?xf64>, %steps: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %m = tensor.dim %ys, %c0 : tensor<?xf64>
  %same = arith.cmpi eq, %m, %n : index
  %idle = arith.cmpi sle, %steps, %c0 : index
  %either = arith.ori %same, %idle : i1
  "soac.assert"(%either, %m, %n) {kind = "ShapeMismatch", message = "sizes {} and {}"} : (i1, index, index) -> ()
  %end = arith.maxsi %steps, %c0 : index
  %r = scf.for %k = %c0 to %end step %c1 iter_args(%a = %ys) -> tensor<?xf64> {
    %squares = "soac.map"(%n, %xs) ({
    ^bb0(%i: index, %x: f64):
      %xx = arith.mulf %x, %x : f64
      "soac.yield"(%xx) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    %next = "soac.map"(%m, %a, %squares) ({
    ^bb0(%i: index, %x: f64, %y: f64):
      %z = arith.addf %x, %y : f64
      "soac.yield"(%z) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %next : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
