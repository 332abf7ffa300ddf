// The result of a map takes the place of an input that nothing needs afterwards, element by element.
// RUN: tapeless-opt --loops %s | filecheck %s

// The sums are made where the result ends, and divided there.
// CHECK-LABEL: func.func @means
// CHECK-SAME: f64, %[[OUT:[^:]*]]: memref<?xf64>)
// CHECK-NOT: memref.alloc
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK: vector.store %{{.*}}, %[[OUT]]
// CHECK: %[[S:.*]] = memref.load %[[OUT]][%[[I:.*]]]
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[S]]
// CHECK-NEXT: memref.store %[[M]], %[[OUT]][%[[I]]]
func.func @means(%x: tensor<?xf64>, %weight: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %sums = "soac.scan"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = false}
    : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  %means = "soac.map"(%n, %sums) ({
  ^bb0(%i: index, %s: f64):
    %m = arith.mulf %s, %weight : f64
    "soac.yield"(%m) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %means : tensor<?xf64>
}

// Here an iteration also reads the element before its own, which would be gone.
// CHECK-LABEL: func.func @differences
// CHECK: %[[SUMS:.*]] = memref.alloc
// CHECK: memref.load %[[SUMS]]
func.func @differences(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %sums = "soac.scan"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = false}
    : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  %d = "soac.map"(%n, %sums) ({
  ^bb0(%i: index, %s: f64):
    %j = arith.subi %i, %c1 : index
    %k = arith.maxsi %j, %c0 : index
    %before = tensor.extract %sums[%k] : tensor<?xf64>
    %m = arith.subf %s, %before : f64
    "soac.yield"(%m) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %d : tensor<?xf64>
}

// Arguments belong to the caller, and what is read later stays.
// CHECK-LABEL: func.func @kept
// CHECK: memref.alloc
func.func @kept(%x: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %e = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %s: f64):
    %m = math.exp %s : f64
    "soac.yield"(%m) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %q = "soac.map"(%n, %e) ({
  ^bb0(%i: index, %s: f64):
    %m = arith.mulf %s, %s : f64
    "soac.yield"(%m) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %first = tensor.extract %e[%c0] : tensor<?xf64>
  return %q, %first : tensor<?xf64>, f64
}

// The rows of `%7` lie in `%acc`. A row of squares is not made there: the row of `%acc` is still to be read.
// CHECK-LABEL: func.func @rows
// CHECK: %[[ROW:.*]] = memref.alloca() : memref<500xf64>
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: memref.store %{{.*}}, %[[ROW]]
// CHECK: memref.load %{{.*}} : memref<?x4x500xf64>
// CHECK-NEXT: memref.load %[[ROW]]
// CHECK: memref.store %{{.*}} : memref<?x4x500xf64>
func.func @rows(%p: tensor<4x600xf64>, %planes: index, %b: index, %fill: f64) -> tensor<?x4x500xf64> {
  %zero = arith.constant 0.0 : f64
  %c4 = arith.constant 4 : index
  %c500 = arith.constant 500 : index
  %acc = tensor.splat %fill[%planes] : tensor<?x4x500xf64>
  %q = tensor.extract_slice %p[0, 0] [4, 500] [1, 1] : tensor<4x600xf64> to tensor<4x500xf64>
  %old = tensor.extract_slice %acc[%b, 0, 0] [1, 4, 500] [1, 1, 1] : tensor<?x4x500xf64> to tensor<4x500xf64>
  %7 = "soac.map"(%c4, %q, %old) ({
  ^bb0(%i: index, %row: tensor<500xf64>, %old_row: tensor<500xf64>):
    %sum, %squares = "soac.fused"(%c500, %row, %zero) ({
    ^bb0(%j: index, %x: f64):
      %square = arith.mulf %x, %x : f64
      "soac.yield"(%square, %square) : (f64, f64) -> ()
    }, {
    ^bb0(%l: f64, %r: f64):
      %s = arith.addf %l, %r : f64
      "soac.yield"(%s) : (f64) -> ()
    }, {
    }) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<500xf64>, f64) -> (f64, tensor<500xf64>)
    %new_row = "soac.map"(%c500, %old_row, %squares) ({
    ^bb0(%j: index, %o: f64, %square: f64):
      %s = arith.addf %square, %sum : f64
      %n = arith.addf %o, %s : f64
      "soac.yield"(%n) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<500xf64>, tensor<500xf64>) -> tensor<500xf64>
    "soac.yield"(%new_row) : (tensor<500xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<4x500xf64>, tensor<4x500xf64>) -> tensor<4x500xf64>
  %new = tensor.insert_slice %7 into %acc[%b, 0, 0] [1, 4, 500] [1, 1, 1] : tensor<4x500xf64> into tensor<?x4x500xf64>
  return %new : tensor<?x4x500xf64>
}

// What one way of a branch leaves as it is, the other one writes over: there is one place for both.
// CHECK-LABEL: func.func @left_or_written_over(
// CHECK-SAME: %[[X:[^:]*]]: memref<?xf64>, %{{.*}}: i1, %[[OUT:[^:]*]]: memref<?xf64>)
// CHECK-NOT: memref.alloc
// CHECK: math.exp
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK: scf.if
// CHECK-NEXT: } else {
// CHECK: memref.load %[[OUT]]
// CHECK: math.sin
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK: return
func.func @left_or_written_over(%x: tensor<?xf64>, %stays: i1) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %a = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %y = math.exp %e : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %r = scf.if %stays -> tensor<?xf64> {
    scf.yield %a : tensor<?xf64>
  } else {
    %b = "soac.map"(%n, %a) ({
    ^bb0(%i: index, %e: f64):
      %y = math.sin %e : f64
      "soac.yield"(%y) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// A branch with one way leaves nothing in the place of what is made in it.
// CHECK-LABEL: func.func @one_way
// CHECK: scf.if
// CHECK: scf.for
// CHECK: return
func.func @one_way(%x: tensor<8xf64>, %c: i1) -> f64 {
  %n = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  %a = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %s = arith.mulf %e, %e : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<8xf64>) -> tensor<8xf64>
  scf.if %c {
    %b = "soac.map"(%n, %a) ({
    ^bb0(%i: index, %e: f64):
      %s = arith.addf %e, %e : f64
      "soac.yield"(%s) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<8xf64>) -> tensor<8xf64>
    %m = "soac.reduce"(%n, %b, %zero) ({
    ^bb0(%p: f64, %q: f64):
      %t = arith.addf %p, %q : f64
      "soac.yield"(%t) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<8xf64>, f64) -> f64
    %ok = arith.cmpf ogt, %m, %zero : f64
    "soac.assert"(%ok) {kind = "IndexOutOfRange", message = "no"} : (i1) -> ()
  }
  return %zero : f64
}
