// Sizes that run-time checks have compared are one: soac-simplify finds the size of what loops and branches make.
// RUN: tapeless-opt --soac-simplify %s | filecheck %s

// The check comes before the loop, which makes rows of %m elements and starts with one of %n.
// CHECK-LABEL: func.func @before(
// CHECK-SAME: %[[N:.*]]: index, %[[M:.*]]: index, %[[STEPS:.*]]: index
// CHECK: return %{{.*}}, %[[N]]
func.func @before(%n: index, %m: index, %steps: index, %c: f64) -> (tensor<?xf64>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.splat %c[%n] : tensor<?xf64>
  %same = arith.cmpi eq, %m, %n : index
  "soac.assert"(%same, %m, %n) {kind = "ShapeMismatch", message = "sizes {} and {}"} : (i1, index, index) -> ()
  %r = scf.for %i = %c0 to %steps step %c1 iter_args(%a = %x) -> (tensor<?xf64>) {
    %b = "soac.map"(%m, %a) ({
    ^bb0(%j: index, %e: f64):
      %h = arith.mulf %e, %c : f64
      "soac.yield"(%h) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  %d = tensor.dim %r, %c0 : tensor<?xf64>
  return %r, %d : tensor<?xf64>, index
}

// A check whose failure is only noted says nothing.
// CHECK-LABEL: func.func @noted(
// CHECK: %[[R:.*]] = scf.for
// CHECK: %[[D:.*]] = tensor.dim %[[R]]
// CHECK: return %[[R]], %[[D]]
func.func @noted(%n: index, %m: index, %steps: index, %c: f64) -> (tensor<?xf64>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.splat %c[%n] : tensor<?xf64>
  %same = arith.cmpi eq, %m, %n : index
  "soac.assert"(%same) {kind = "InvertibilityError", message = "other sizes", tapeless.noted} : (i1) -> ()
  %r = scf.for %i = %c0 to %steps step %c1 iter_args(%a = %x) -> (tensor<?xf64>) {
    %b = tensor.splat %c[%m] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  %d = tensor.dim %r, %c0 : tensor<?xf64>
  return %r, %d : tensor<?xf64>, index
}

// A check that comes after the loop says nothing about it.
// CHECK-LABEL: func.func @after(
// CHECK: %[[R:.*]] = scf.for
// CHECK: %[[D:.*]] = tensor.dim %[[R]]
// CHECK: return %[[R]], %[[D]]
func.func @after(%n: index, %m: index, %steps: index, %c: f64) -> (tensor<?xf64>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.splat %c[%n] : tensor<?xf64>
  %r = scf.for %i = %c0 to %steps step %c1 iter_args(%a = %x) -> (tensor<?xf64>) {
    %b = tensor.splat %c[%m] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  %same = arith.cmpi eq, %m, %n : index
  "soac.assert"(%same, %m, %n) {kind = "ShapeMismatch", message = "sizes {} and {}"} : (i1, index, index) -> ()
  %d = tensor.dim %r, %c0 : tensor<?xf64>
  return %r, %d : tensor<?xf64>, index
}

// The check moves out of the loop, which may not run; in it, the sizes are equal.
// CHECK-LABEL: func.func @inside(
// CHECK-SAME: %[[N:.*]]: index, %[[M:.*]]: index, %[[STEPS:.*]]: index
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[N]], %[[M]]
// CHECK: %[[IDLE:.*]] = arith.cmpi sle, %[[STEPS]]
// CHECK: %[[EITHER:.*]] = arith.ori %[[SAME]], %[[IDLE]]
// CHECK: "soac.assert"(%[[EITHER]]
// CHECK: scf.for
// CHECK: return %{{.*}}, %[[N]]
func.func @inside(%n: index, %m: index, %steps: index, %c: f64) -> (tensor<?xf64>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.splat %c[%n] : tensor<?xf64>
  %r = scf.for %i = %c0 to %steps step %c1 iter_args(%a = %x) -> (tensor<?xf64>) {
    %k = tensor.dim %a, %c0 : tensor<?xf64>
    %same = arith.cmpi eq, %k, %m : index
    "soac.assert"(%same, %k, %m) {kind = "ShapeMismatch", message = "sizes {} and {}"} : (i1, index, index) -> ()
    %e = tensor.extract %a[%i] : tensor<?xf64>
    %b = tensor.splat %e[%m] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  %d = tensor.dim %r, %c0 : tensor<?xf64>
  return %r, %d : tensor<?xf64>, index
}

// Another loop need not run when this one does: what is checked for it says nothing here.
// CHECK-LABEL: func.func @unless_another_is_idle(
// CHECK: %[[R:.*]] = scf.for
// CHECK: tensor.dim %[[R]]
func.func @unless_another_is_idle(%n: index, %m: index, %steps: index, %others: index, %c: f64) -> (tensor<?xf64>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.splat %c[%n] : tensor<?xf64>
  %same = arith.cmpi eq, %m, %n : index
  %idle = arith.cmpi sle, %others, %c0 : index
  %either = arith.ori %same, %idle : i1
  "soac.assert"(%either, %m, %n) {kind = "ShapeMismatch", message = "sizes {} and {}"} : (i1, index, index) -> ()
  %r = scf.for %i = %c0 to %steps step %c1 iter_args(%a = %x) -> (tensor<?xf64>) {
    %b = tensor.splat %c[%m] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  %d = tensor.dim %r, %c0 : tensor<?xf64>
  return %r, %d : tensor<?xf64>, index
}

// One branch compares: the size is that of the other, which is not compared.
// CHECK-LABEL: func.func @in_a_branch(
// CHECK-SAME: %[[FLAG:.*]]: i1, %[[N:.*]]: index, %[[M:.*]]: index
// CHECK: return %{{.*}}, %[[N]]
func.func @in_a_branch(%flag: i1, %n: index, %m: index, %c: f64, %e: f64) -> (tensor<?xf64>, index) {
  %c0 = arith.constant 0 : index
  %r = scf.if %flag -> (tensor<?xf64>) {
    %same = arith.cmpi eq, %n, %m : index
    "soac.assert"(%same, %n, %m) {kind = "ShapeMismatch", message = "sizes {} and {}"} : (i1, index, index) -> ()
    %x = tensor.splat %c[%m] : tensor<?xf64>
    scf.yield %x : tensor<?xf64>
  } else {
    %y = tensor.splat %e[%n] : tensor<?xf64>
    scf.yield %y : tensor<?xf64>
  }
  %d = tensor.dim %r, %c0 : tensor<?xf64>
  return %r, %d : tensor<?xf64>, index
}
