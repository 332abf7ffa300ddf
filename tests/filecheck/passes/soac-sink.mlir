// soac-sink moves loops into the accumulation after them.
// RUN: tapeless-opt --soac-sink %s | filecheck %s

// Only the accumulation reads the exponentials: they are computed inside, by a loop that is still one of its own.
// CHECK-LABEL: func.func @into_accumulation
// CHECK-NOT: soac.map
// CHECK: "soac.with_acc"
// CHECK: %[[E:.*]] = "soac.map"
// CHECK-NEXT: ^bb0
// CHECK-NEXT: math.exp
// CHECK: "soac.map"(%{{[^,]*}}, %[[E]], %{{.*}})
// CHECK: "soac.update"
func.func @into_accumulation(%n: index, %xs: tensor<?xf64>, %sums: tensor<?xf64>, %k: index) -> tensor<?xf64> {
  %e = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %r = "soac.with_acc"(%sums) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %a = "soac.map"(%n, %e, %acc) ({
    ^bb0(%i: index, %x: f64, %inner: !soac.acc<tensor<?xf64>>):
      %u = "soac.update"(%inner, %k, %x) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%a) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// The exponentials are a result, too, and the accumulation reads other arrays: they stay.
// CHECK-LABEL: func.func @wanted_outside
// CHECK: "soac.map"
// CHECK: math.exp
// CHECK: "soac.with_acc"
// CHECK-NOT: math.exp
func.func @wanted_outside(%n: index, %xs: tensor<?xf64>, %sums: tensor<?xf64>, %k: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %e = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %r = "soac.with_acc"(%sums) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %a = "soac.map"(%n, %e, %acc) ({
    ^bb0(%i: index, %x: f64, %inner: !soac.acc<tensor<?xf64>>):
      %u = "soac.update"(%inner, %k, %x) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%a) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %e, %r : tensor<?xf64>, tensor<?xf64>
}

// A map with a check goes along where nothing that may only run after it stands between.
// CHECK-LABEL: func.func @with_a_check
// CHECK-NOT: soac.map
// CHECK: "soac.with_acc"
// CHECK: soac.assert
func.func @with_a_check(%n: index, %xs: tensor<?xf64>, %sums: tensor<?xf64>, %k: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %e = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %low = arith.cmpi slt, %i, %k : index
    "soac.assert"(%low) {kind = "ShapeMismatch", message = "too far"} : (i1) -> ()
    "soac.yield"(%x) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %r = "soac.with_acc"(%sums) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %a = "soac.map"(%n, %xs, %acc) ({
    ^bb0(%i: index, %x: f64, %inner: !soac.acc<tensor<?xf64>>):
      %u = "soac.update"(%inner, %k, %x) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%a) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %e, %r : tensor<?xf64>, tensor<?xf64>
}

// Another check between them would be the first to fail.
// CHECK-LABEL: func.func @before_another_check
// CHECK: "soac.map"
// CHECK: soac.assert
// CHECK: soac.assert
// CHECK: "soac.with_acc"
// CHECK-NOT: soac.assert
func.func @before_another_check(%n: index, %xs: tensor<?xf64>, %sums: tensor<?xf64>, %k: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %e = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %low = arith.cmpi slt, %i, %k : index
    "soac.assert"(%low) {kind = "ShapeMismatch", message = "too far"} : (i1) -> ()
    "soac.yield"(%x) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %some = arith.cmpi sgt, %k, %n : index
  "soac.assert"(%some) {kind = "ShapeMismatch", message = "too few"} : (i1) -> ()
  %r = "soac.with_acc"(%sums) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %a = "soac.map"(%n, %xs, %acc) ({
    ^bb0(%i: index, %x: f64, %inner: !soac.acc<tensor<?xf64>>):
      %u = "soac.update"(%inner, %k, %x) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%a) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %e, %r : tensor<?xf64>, tensor<?xf64>
}
