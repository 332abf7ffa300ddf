// soac-simplify drops zeros that change nothing, as far as the fast-math flags allow.
// RUN: tapeless-opt --soac-simplify %s | filecheck %s

// The sign of a zero sum may change: only with nsz, and in sums of adjoints.
// CHECK-LABEL: func.func @add_zero(
// CHECK-SAME: %[[X:[^:]*]]: f64
// CHECK: %[[PROMISED:.*]] = arith.addf %[[X]], %{{.*}} : f64
// CHECK-NEXT: return %[[PROMISED]], %[[X]], %[[X]]
func.func @add_zero(%x: f64) -> (f64, f64, f64) {
  %zero = arith.constant 0.0 : f64
  %a = arith.addf %x, %zero : f64
  %b = arith.addf %x, %zero fastmath<nsz> : f64
  %c = arith.addf %zero, %x fastmath<reassoc,contract> : f64
  return %a, %b, %c : f64, f64, f64
}

// CHECK-LABEL: func.func @write_into_the_same_fill
// CHECK: %[[FILL:.*]] = tensor.splat
// CHECK-NEXT: return %[[FILL]]
func.func @write_into_the_same_fill(%n: index, %m: index, %i: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %fill = tensor.splat %zero[%n] : tensor<?xf64>
  %part = tensor.splat %zero[%m] : tensor<?xf64>
  %a = tensor.insert %zero into %fill[%i] : tensor<?xf64>
  %b = tensor.insert_slice %part into %a[%i] [%m] [1] : tensor<?xf64> into tensor<?xf64>
  return %b : tensor<?xf64>
}

// CHECK-LABEL: func.func @write_another_value
// CHECK: tensor.insert
func.func @write_another_value(%n: index, %i: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %fill = tensor.splat %zero[%n] : tensor<?xf64>
  %a = tensor.insert %one into %fill[%i] : tensor<?xf64>
  return %a : tensor<?xf64>
}

// An accumulator that only zeros are added to is the array it was made of.
// CHECK-LABEL: func.func @update_by_zero(
// CHECK-SAME: %[[DEST:[^:]*]]: tensor<?xf64>
// CHECK-NOT: soac.with_acc
// CHECK: return %[[DEST]]
func.func @update_by_zero(%dest: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %sum = "soac.with_acc"(%dest) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %all = "soac.map"(%n, %acc) ({
    ^bb0(%i: index, %part: !soac.acc<tensor<?xf64>>):
      %next = "soac.update"(%part, %i, %zero) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%next) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 0, 1>} : (index, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%all) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %sum : tensor<?xf64>
}

// Zeros in which one element was set add that element alone, wherever it is; marks stay.
// CHECK-LABEL: func.func @update_by_element(
// CHECK: "soac.update"(%{{.*}}, %[[I:.*]], %arg2, %[[V:.*]]) {soac.in_bounds} : (!soac.acc<tensor<?x?xf64>>, index, index, f64)
// CHECK-NOT: tensor.insert
func.func @update_by_element(%dest: tensor<?x?xf64>, %n: index, %j: index, %x: tensor<?xf64>) -> tensor<?x?xf64> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %dest, %c1 : tensor<?x?xf64>
  %out = "soac.with_acc"(%dest) ({
  ^bb0(%acc: !soac.acc<tensor<?x?xf64>>):
    %r = "soac.map"(%n, %x, %acc) ({
    ^bb0(%i: index, %v: f64, %part: !soac.acc<tensor<?x?xf64>>):
      %zeros = tensor.splat %zero[%m] : tensor<?xf64>
      %row = tensor.insert %v into %zeros[%j] : tensor<?xf64>
      %next = "soac.update"(%part, %i, %row) {soac.in_bounds} : (!soac.acc<tensor<?x?xf64>>, index, tensor<?xf64>) -> !soac.acc<tensor<?x?xf64>>
      "soac.yield"(%next) : (!soac.acc<tensor<?x?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>>
    "soac.yield"(%r) : (!soac.acc<tensor<?x?xf64>>) -> ()
  }) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %out : tensor<?x?xf64>
}

// Rows that hold something else, or an element on top of another one, are added as they are.
// CHECK-LABEL: func.func @update_by_rows(
// CHECK: "soac.update"(%{{.*}}, %{{.*}}, %{{.*}}) : (!soac.acc<tensor<?x?xf64>>, index, tensor<?xf64>)
// CHECK: "soac.update"(%{{.*}}, %{{.*}}, %{{.*}}) : (!soac.acc<tensor<?x?xf64>>, index, tensor<?xf64>)
func.func @update_by_rows(%dest: tensor<?x?xf64>, %n: index, %j: index, %k: index, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?x?xf64> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %dest, %c1 : tensor<?x?xf64>
  %out = "soac.with_acc"(%dest) ({
  ^bb0(%acc: !soac.acc<tensor<?x?xf64>>):
    %r = "soac.map"(%n, %x, %acc) ({
    ^bb0(%i: index, %v: f64, %part: !soac.acc<tensor<?x?xf64>>):
      %zeros = tensor.splat %zero[%m] : tensor<?xf64>
      %one = tensor.insert %v into %zeros[%j] : tensor<?xf64>
      %two = tensor.insert %v into %one[%k] : tensor<?xf64>
      %next = "soac.update"(%part, %i, %two) : (!soac.acc<tensor<?x?xf64>>, index, tensor<?xf64>) -> !soac.acc<tensor<?x?xf64>>
      %other = tensor.insert %v into %y[%j] : tensor<?xf64>
      %last = "soac.update"(%next, %i, %other) : (!soac.acc<tensor<?x?xf64>>, index, tensor<?xf64>) -> !soac.acc<tensor<?x?xf64>>
      "soac.yield"(%last) : (!soac.acc<tensor<?x?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>>
    "soac.yield"(%r) : (!soac.acc<tensor<?x?xf64>>) -> ()
  }) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %out : tensor<?x?xf64>
}
