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

// The second accumulation reads what the first one makes beside its sums, and goes on with these: they are one.
// CHECK-LABEL: func.func @joined
// CHECK: %[[S:.*]]:2 = "soac.with_acc"(%{{[^,]*}}) ({
// CHECK: %[[E:.*]]:2 = "soac.map"
// CHECK: math.exp
// CHECK: %[[L:.*]] = "soac.map"(%{{[^,]*}}, %[[E]]#0, %[[E]]#1)
// CHECK: math.log
// CHECK: "soac.yield"(%[[L]], %[[E]]#0)
// CHECK-NOT: soac.with_acc
// CHECK: return %[[S]]#0, %[[S]]#1
func.func @joined(%n: index, %xs: tensor<?xf64>, %sums: tensor<?xf64>, %k: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = "soac.with_acc"(%sums) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %a:2 = "soac.map"(%n, %xs, %acc) ({
    ^bb0(%i: index, %x: f64, %inner: !soac.acc<tensor<?xf64>>):
      %e = math.exp %x : f64
      %u = "soac.update"(%inner, %k, %x) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%e, %u) : (f64, !soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, !soac.acc<tensor<?xf64>>)
    "soac.yield"(%a#1, %a#0) : (!soac.acc<tensor<?xf64>>, tensor<?xf64>) -> ()
  }) : (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %s = "soac.with_acc"(%r#0) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %a = "soac.map"(%n, %r#1, %acc) ({
    ^bb0(%i: index, %x: f64, %inner: !soac.acc<tensor<?xf64>>):
      %l = math.log %x : f64
      %u = "soac.update"(%inner, %k, %l) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%a) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %s, %r#1 : tensor<?xf64>, tensor<?xf64>
}

// The second one needs an element of the finished sums: they stay two.
// CHECK-LABEL: func.func @sum_needed
// CHECK: "soac.with_acc"
// CHECK: tensor.extract
// CHECK: "soac.with_acc"
func.func @sum_needed(%n: index, %xs: tensor<?xf64>, %sums: tensor<?xf64>, %k: index) -> tensor<?xf64> {
  %r:2 = "soac.with_acc"(%sums) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %a:2 = "soac.map"(%n, %xs, %acc) ({
    ^bb0(%i: index, %x: f64, %inner: !soac.acc<tensor<?xf64>>):
      %e = math.exp %x : f64
      %u = "soac.update"(%inner, %k, %x) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%e, %u) : (f64, !soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, !soac.acc<tensor<?xf64>>)
    "soac.yield"(%a#1, %a#0) : (!soac.acc<tensor<?xf64>>, tensor<?xf64>) -> ()
  }) : (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %one = tensor.extract %r#0[%k] : tensor<?xf64>
  %s = "soac.with_acc"(%r#0) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %a = "soac.map"(%n, %r#1, %acc) ({
    ^bb0(%i: index, %x: f64, %inner: !soac.acc<tensor<?xf64>>):
      %l = arith.mulf %x, %one : f64
      %u = "soac.update"(%inner, %k, %l) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%a) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %s : tensor<?xf64>
}

// The elements are made outside of the loop in which the second accumulation stands: they stay two.
// CHECK-LABEL: func.func @made_before_a_loop
// CHECK: "soac.with_acc"
// CHECK: scf.for
// CHECK: "soac.with_acc"
func.func @made_before_a_loop(%n: index, %xs: tensor<?xf64>, %sums: tensor<?xf64>, %k: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = "soac.with_acc"(%sums) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %a:2 = "soac.map"(%n, %xs, %acc) ({
    ^bb0(%i: index, %x: f64, %inner: !soac.acc<tensor<?xf64>>):
      %e = math.exp %x : f64
      %u = "soac.update"(%inner, %k, %x) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%e, %u) : (f64, !soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, !soac.acc<tensor<?xf64>>)
    "soac.yield"(%a#1, %a#0) : (!soac.acc<tensor<?xf64>>, tensor<?xf64>) -> ()
  }) : (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %s = scf.for %j = %c0 to %k step %c1 iter_args(%t = %xs) -> (tensor<?xf64>) {
    %next = "soac.with_acc"(%t) ({
    ^bb0(%acc: !soac.acc<tensor<?xf64>>):
      %a = "soac.map"(%n, %r#1, %acc) ({
      ^bb0(%i: index, %x: f64, %inner: !soac.acc<tensor<?xf64>>):
        %u = "soac.update"(%inner, %j, %x) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
        "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%a) : (!soac.acc<tensor<?xf64>>) -> ()
    }) : (tensor<?xf64>) -> tensor<?xf64>
    scf.yield %next : tensor<?xf64>
  }
  return %s, %r#0 : tensor<?xf64>, tensor<?xf64>
}
