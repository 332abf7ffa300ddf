// soac-simplify: reads become elements, sizes come from producers, fills need no loop, index checks are decided.
// RUN: tapeless-opt --soac-simplify %s | filecheck %s

// Reads at the operator's own index become elements, through two levels; the sizes are those of the argument.
// CHECK-LABEL: func.func @reads_become_elements(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xf64>
// CHECK: "soac.map"(%{{.*}}, %[[A]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[ROW:[^:]*]]: tensor<?xf64>):
// CHECK-NEXT: "soac.map"(%{{.*}}, %[[ROW]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:[^:]*]]: f64):
// CHECK-NEXT: math.exp %[[X]]
// CHECK-NOT: tensor.extract
func.func @reads_become_elements(%a: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf64>
  %m = tensor.dim %a, %c1 : tensor<?x?xf64>
  %b = "soac.map"(%n) ({
  ^bb0(%i: index):
    %row = "soac.map"(%m) ({
    ^bb0(%j: index):
      %x = tensor.extract %a[%i, %j] : tensor<?x?xf64>
      %y = math.exp %x : f64
      "soac.yield"(%y) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf64>
    "soac.yield"(%row) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?x?xf64>
  return %b : tensor<?x?xf64>
}

// An array that may be longer than the operator is wide is still read by index.
// CHECK-LABEL: func.func @reads_of_another_size
// CHECK: tensor.extract
func.func @reads_of_another_size(%n: index, %a: tensor<?xf64>) -> tensor<?xf64> {
  %b = "soac.map"(%n) ({
  ^bb0(%i: index):
    %x = tensor.extract %a[%i] : tensor<?xf64>
    "soac.yield"(%x) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf64>
  return %b : tensor<?xf64>
}

// Elements of a fill are a scalar; a body that yields one scalar every time is a fill.
// CHECK-LABEL: func.func @fills(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[C:[^:]*]]: f64
// CHECK-NOT: soac.map
// CHECK: %[[SUM:.*]] = arith.addf %[[C]], %[[C]]
// CHECK-NEXT: tensor.splat %[[SUM]][%[[N]]]
func.func @fills(%n: index, %c: f64) -> tensor<?xf64> {
  %cs = tensor.splat %c[%n] : tensor<?xf64>
  %b = "soac.map"(%n, %cs) ({
  ^bb0(%i: index, %x: f64):
    %y = arith.addf %x, %x : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %b : tensor<?xf64>
}

// Rows of a constant fill are fills made in the body; their sum with a row needs no second array.
// CHECK-LABEL: func.func @rows_of_a_constant
// CHECK: "soac.map"(%{{[^,]*}}, %{{[^,]*}}) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[ROW:[^:]*]]: tensor<3xf64>):
// CHECK-NEXT: "soac.map"(%{{[^,]*}}, %[[ROW]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:[^:]*]]: f64):
// CHECK-NEXT: arith.addf %[[X]], %{{.*}}
func.func @rows_of_a_constant(%a: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ones = arith.constant dense<1.0> : tensor<2x3xf64>
  %b = "soac.map"(%c2, %a, %ones) ({
  ^bb0(%i: index, %r: tensor<3xf64>, %one: tensor<3xf64>):
    %row = "soac.map"(%c3, %r, %one) ({
    ^bb0(%j: index, %x: f64, %y: f64):
      %z = arith.addf %x, %y : f64
      "soac.yield"(%z) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    "soac.yield"(%row) : (tensor<3xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  return %b : tensor<2x3xf64>
}

// An element on the diagonal: the index is used twice by one read.
// CHECK-LABEL: func.func @diagonal(
// CHECK: ^bb0(%[[I:[^:]*]]: index, %[[ROW:[^:]*]]: tensor<?xf64>):
// CHECK-NEXT: tensor.extract %[[ROW]][%[[I]]]
func.func @diagonal(%a: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf64>
  %d = "soac.map"(%n) ({
  ^bb0(%i: index):
    %x = tensor.extract %a[%i, %i] : tensor<?x?xf64>
    "soac.yield"(%x) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf64>
  return %d : tensor<?xf64>
}

// A map that yields its element is its input.
// CHECK-LABEL: func.func @identity(
// CHECK-SAME: %{{.*}}: index, %[[XS:[^:]*]]: tensor<?xf64>
// CHECK-NEXT: return %[[XS]]
func.func @identity(%n: index, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %b = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    "soac.yield"(%x) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %b : tensor<?xf64>
}

// An element of a view is an element of the array behind it.
// CHECK-LABEL: func.func @views(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xf64>, %[[I:[^:]*]]: index, %[[J:[^:]*]]: index
// CHECK-NOT: soac.transpose
// CHECK: tensor.extract %[[A]][%[[J]], %[[I]]]
func.func @views(%a: tensor<?x?xf64>, %i: index, %j: index, %n: index) -> f64 {
  %t = "soac.transpose"(%a) {permutation = [1, 0]} : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %row = tensor.extract_slice %t[%i, 0] [1, %n] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
  %x = tensor.extract %row[%j] : tensor<?xf64>
  return %x : f64
}

// Index checks that the loop bounds decide go away.
// CHECK-LABEL: func.func @index_checks
// CHECK-NOT: soac.assert
// CHECK: return
func.func @index_checks(%xs: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %last = arith.subi %n, %c1 : index
  %s = scf.for %i = %c1 to %last step %c1 iter_args(%acc = %zero) -> (f64) {
    %next = arith.addi %i, %c1 : index
    %before = arith.subi %i, %c1 : index
    %below = arith.cmpi slt, %next, %n : index
    %above = arith.cmpi sge, %before, %c0 : index
    "soac.assert"(%below, %next, %n) {kind = "IndexOutOfRange", message = "index {} is not below {}"} : (i1, index, index) -> ()
    "soac.assert"(%above, %before) {kind = "IndexOutOfRange", message = "index {} is negative"} : (i1, index) -> ()
    %x = tensor.extract %xs[%next] : tensor<?xf64>
    %y = tensor.extract %xs[%before] : tensor<?xf64>
    %z = arith.addf %x, %y : f64
    %sum = arith.addf %acc, %z : f64
    scf.yield %sum : f64
  }
  return %s : f64
}

// A check one past the end stays.
// CHECK-LABEL: func.func @check_past_the_end
// CHECK: soac.assert
func.func @check_past_the_end(%xs: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f64) {
    %next = arith.addi %i, %c1 : index
    %below = arith.cmpi slt, %next, %n : index
    "soac.assert"(%below, %next, %n) {kind = "IndexOutOfRange", message = "index {} is not below {}"} : (i1, index, index) -> ()
    %x = tensor.extract %xs[%next] : tensor<?xf64>
    %sum = arith.addf %acc, %x : f64
    scf.yield %sum : f64
  }
  return %s : f64
}

// A row of a fill with a size that is known, though its type does not say so.
// CHECK-LABEL: func.func @rows_of_a_fill
// CHECK: %[[SIZE:.*]] = arith.constant 3 : index
// CHECK: "soac.map"
// CHECK: tensor.splat %{{.*}}[%[[SIZE]]] : tensor<?xf64>
func.func @rows_of_a_fill(%n: index, %v: f64, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %z = tensor.splat %v[%n, %c3] : tensor<?x?xf64>
  %ys = "soac.map"(%n, %z, %xs) ({
  ^bb0(%i: index, %row: tensor<?xf64>, %x: f64):
    %t = tensor.insert %x into %row[%c0] : tensor<?xf64>
    %s = tensor.extract %t[%i] : tensor<?xf64>
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %ys : tensor<?xf64>
}
