// soac-fuse leaves loops apart, and outside of accumulations, where bringing them together would break an order: code
// that relies on a check stays behind it, and what is needed earlier is computed earlier.
// RUN: tapeless-opt --soac-fuse %s | filecheck %s

// The element may be missing unless the check in the first map holds, so that map cannot join the second one.
// CHECK-LABEL: func.func @read_behind_a_check
// CHECK: "soac.map"
// CHECK: soac.assert
// CHECK: tensor.extract
// CHECK: "soac.map"
func.func @read_behind_a_check(%n: index, %xs: tensor<?xf64>, %table: tensor<?xf64>, %k: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %ys = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %ok = arith.cmpf ogt, %x, %zero : f64
    "soac.assert"(%ok) {kind = "ArgumentError", message = "negative"} : (i1) -> ()
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %c = tensor.extract %table[%k] : tensor<?xf64>
  %zs = "soac.map"(%n, %ys) ({
  ^bb0(%i: index, %y: f64):
    %z = arith.mulf %y, %c : f64
    "soac.yield"(%z) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %zs : tensor<?xf64>
}

// The second map reads what the check between says is there: it cannot join the first one.
// CHECK-LABEL: func.func @map_behind_a_check
// CHECK: "soac.map"
// CHECK: soac.assert
// CHECK: "soac.map"
// CHECK: tensor.extract
func.func @map_behind_a_check(%n: index, %xs: tensor<?xf64>, %table: tensor<?xf64>, %k: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %ys = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %first = tensor.extract %ys[%c0] : tensor<?xf64>
  %ok = arith.cmpf ogt, %first, %zero : f64
  "soac.assert"(%ok) {kind = "ArgumentError", message = "negative"} : (i1) -> ()
  %zs = "soac.map"(%n, %ys) ({
  ^bb0(%i: index, %y: f64):
    %c = tensor.extract %table[%k] : tensor<?xf64>
    %z = arith.mulf %y, %c : f64
    "soac.yield"(%z) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %zs : tensor<?xf64>
}

// What a reduction starts from is made before it, also when both read one array.
// CHECK-LABEL: func.func @neutral_row
// CHECK: %[[ROW:.*]] = "soac.map"
// CHECK: "soac.reduce"(%{{.*}}, %{{.*}}, %{{.*}}, %[[ROW]], %{{.*}})
func.func @neutral_row(%n: index, %xs: tensor<?xf64>, %m: tensor<?x?xf64>) -> (tensor<?xf64>, f64) {
  %zero = arith.constant 0.0 : f64
  %row = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %sums:2 = "soac.reduce"(%n, %m, %xs, %row, %zero) ({
  ^bb0(%a: tensor<?xf64>, %s: f64, %b: tensor<?xf64>, %t: f64):
    %c = "soac.map"(%n, %a, %b) ({
    ^bb0(%i: index, %p: f64, %q: f64):
      %r = arith.addf %p, %q : f64
      "soac.yield"(%r) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %u = arith.addf %s, %t : f64
    "soac.yield"(%c, %u) : (tensor<?xf64>, f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 2>} : (index, tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, f64) -> (tensor<?xf64>, f64)
  return %sums#0, %sums#1 : tensor<?xf64>, f64
}

// Somebody else reads the exponentials too, so they are not made inside.
// CHECK-LABEL: func.func @read_outside_too
// CHECK: %[[YS:.*]] = "soac.map"
// CHECK: math.exp
// CHECK: "soac.with_acc"
// CHECK: return %{{.*}}, %[[YS]]
func.func @read_outside_too(%n: index, %xs: tensor<?xf64>, %bar: tensor<4xf64>, %k: index) -> (tensor<4xf64>, tensor<?xf64>) {
  %ys = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %result = "soac.with_acc"(%bar) ({
  ^bb0(%acc: !soac.acc<tensor<4xf64>>):
    %after = "soac.map"(%n, %ys, %acc) ({
    ^bb0(%i: index, %y: f64, %own: !soac.acc<tensor<4xf64>>):
      %next = "soac.update"(%own, %k, %y) : (!soac.acc<tensor<4xf64>>, index, f64) -> !soac.acc<tensor<4xf64>>
      "soac.yield"(%next) : (!soac.acc<tensor<4xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<4xf64>>) -> !soac.acc<tensor<4xf64>>
    "soac.yield"(%after) : (!soac.acc<tensor<4xf64>>) -> ()
  }) : (tensor<4xf64>) -> tensor<4xf64>
  return %result, %ys : tensor<4xf64>, tensor<?xf64>
}

// A map with a check in it stays where it is.
// CHECK-LABEL: func.func @check_stays_outside
// CHECK: "soac.map"
// CHECK: soac.assert
// CHECK: "soac.with_acc"
// CHECK: "soac.map"
func.func @check_stays_outside(%n: index, %xs: tensor<?xf64>, %bar: tensor<4xf64>, %k: index) -> tensor<4xf64> {
  %zero = arith.constant 0.0 : f64
  %ys = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %ok = arith.cmpf ogt, %x, %zero : f64
    "soac.assert"(%ok) {kind = "ArgumentError", message = "negative"} : (i1) -> ()
    %y = math.exp %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %result = "soac.with_acc"(%bar) ({
  ^bb0(%acc: !soac.acc<tensor<4xf64>>):
    %after = "soac.map"(%n, %ys, %acc) ({
    ^bb0(%i: index, %y: f64, %own: !soac.acc<tensor<4xf64>>):
      %next = "soac.update"(%own, %k, %y) : (!soac.acc<tensor<4xf64>>, index, f64) -> !soac.acc<tensor<4xf64>>
      "soac.yield"(%next) : (!soac.acc<tensor<4xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<4xf64>>) -> !soac.acc<tensor<4xf64>>
    "soac.yield"(%after) : (!soac.acc<tensor<4xf64>>) -> ()
  }) : (tensor<4xf64>) -> tensor<4xf64>
  return %result : tensor<4xf64>
}

// A check of the sines comes before the accumulation, so the sines do.
// CHECK-LABEL: func.func @check_of_a_neighbour
// CHECK: "soac.map"
// CHECK: math.sin
// CHECK: soac.assert
// CHECK: "soac.with_acc"
func.func @check_of_a_neighbour(%n: index, %xs: tensor<?xf64>, %bar: tensor<4xf64>, %k: index) -> (tensor<4xf64>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %sines = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %s = math.sin %x : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %first = tensor.extract %sines[%c0] : tensor<?xf64>
  %ok = arith.cmpf ogt, %first, %zero : f64
  "soac.assert"(%ok) {kind = "ArgumentError", message = "negative"} : (i1) -> ()
  %result = "soac.with_acc"(%bar) ({
  ^bb0(%acc: !soac.acc<tensor<4xf64>>):
    %after = "soac.map"(%n, %xs, %acc) ({
    ^bb0(%i: index, %x: f64, %own: !soac.acc<tensor<4xf64>>):
      %c = math.cos %x : f64
      %next = "soac.update"(%own, %k, %c) : (!soac.acc<tensor<4xf64>>, index, f64) -> !soac.acc<tensor<4xf64>>
      "soac.yield"(%next) : (!soac.acc<tensor<4xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<4xf64>>) -> !soac.acc<tensor<4xf64>>
    "soac.yield"(%after) : (!soac.acc<tensor<4xf64>>) -> ()
  }) : (tensor<4xf64>) -> tensor<4xf64>
  return %result, %sines : tensor<4xf64>, tensor<?xf64>
}

// The accumulation needs the sum of the sines, so they are summed before.
// CHECK-LABEL: func.func @sum_needed_inside
// CHECK: math.sin
// CHECK: arith.addf
// CHECK: "soac.with_acc"
// CHECK: math.cos
func.func @sum_needed_inside(%n: index, %xs: tensor<?xf64>, %bar: tensor<4xf64>, %k: index) -> (tensor<4xf64>, f64) {
  %zero = arith.constant 0.0 : f64
  %sines = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %s = math.sin %x : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %sum = "soac.reduce"(%n, %sines, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %t = arith.addf %a, %b : f64
    "soac.yield"(%t) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  %result = "soac.with_acc"(%bar) ({
  ^bb0(%acc: !soac.acc<tensor<4xf64>>):
    %after = "soac.map"(%n, %xs, %acc) ({
    ^bb0(%i: index, %x: f64, %own: !soac.acc<tensor<4xf64>>):
      %c = math.cos %x : f64
      %scaled = arith.mulf %c, %sum : f64
      %next = "soac.update"(%own, %k, %scaled) : (!soac.acc<tensor<4xf64>>, index, f64) -> !soac.acc<tensor<4xf64>>
      "soac.yield"(%next) : (!soac.acc<tensor<4xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<4xf64>>) -> !soac.acc<tensor<4xf64>>
    "soac.yield"(%after) : (!soac.acc<tensor<4xf64>>) -> ()
  }) : (tensor<4xf64>) -> tensor<4xf64>
  return %result, %sum : tensor<4xf64>, f64
}
