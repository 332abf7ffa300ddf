// What a reverse sweep runs once more has been checked, but checks that tell sizes are made again where it needs them: in a branch of its own.
// RUN: tapeless-opt --ad-expand %s | filecheck %s

func.func @f(%w: tensor<?xf64>, %x: tensor<?xf64>, %c: i1, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w_size = tensor.dim %w, %c0 : tensor<?xf64>
  %y = scf.if %c -> (tensor<?xf64>) {
    %x_size = tensor.dim %x, %c0 : tensor<?xf64>
    %same = arith.cmpi eq, %w_size, %x_size : index
    %idle = arith.cmpi sle, %n, %c0 : index
    %either = arith.ori %same, %idle : i1
    "soac.assert"(%either, %w_size, %x_size) {kind = "ShapeMismatch", message = "sizes {} and {}"} : (i1, index, index) -> ()
    %few = arith.cmpi sle, %n, %w_size : index
    "soac.assert"(%few, %n) {kind = "IndexOutOfRange", message = "more than there are: {}"} : (i1, index) -> ()
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%z = %x) -> (tensor<?xf64>) {
      %next = "soac.map"(%w_size, %w, %z) ({
      ^bb0(%k: index, %one: f64, %other: f64):
        %product = arith.mulf %one, %other : f64
        "soac.yield"(%product) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      scf.yield %next : tensor<?xf64>
    }
    scf.yield %last : tensor<?xf64>
  } else {
    scf.yield %x : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}

// CHECK-LABEL: func.func @vjp
// CHECK: scf.if
// CHECK: "soac.assert"{{.*}}"sizes {} and {}"
// CHECK: "soac.assert"{{.*}}"more than there are: {}"
// CHECK: scf.if
// CHECK-NOT: "more than there are: {}"
// CHECK: arith.ori
// CHECK: "soac.assert"{{.*}}"sizes {} and {}"
// CHECK-NOT: "more than there are: {}"
// CHECK: return
func.func @vjp(%w: tensor<?xf64>, %x: tensor<?xf64>, %c: i1, %n: index, %y_bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %0:3 = "ad.vjp"(%w, %x, %c, %n, %y_bar) {callee = @f, method = "redundant", operandSegmentSizes = array<i32: 4, 1>, wrt = [0, 1]} : (tensor<?xf64>, tensor<?xf64>, i1, index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %0#1, %0#2 : tensor<?xf64>, tensor<?xf64>
}
