// Rows that a gather picks are computed alone, where they are at most three quarters of all.
// RUN: tapeless-opt --soac-gather-before-map --canonicalize --cse %s | filecheck %s

// The map before the one that is picked from makes the same rows; what is read of arrays are copies.
// CHECK-LABEL: func.func @constant_sizes(
// CHECK-SAME: %[[ROWS:[^:]*]]: tensor<100x3xf64>, %[[KEYS:[^:]*]]: tensor<10xindex>
// CHECK: %[[PLACES:.*]] = "soac.map"(%c10) ({
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: -> tensor<10xindex>
// CHECK: %[[PICKED:.*]] = "soac.map"(%c10, %[[PLACES]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[PLACE:.*]]: index):
// CHECK-NEXT: tensor.extract_slice %[[ROWS]][%[[PLACE]], 0] [1, 3]
// CHECK: tapeless.copies_rows
// CHECK: %[[DOUBLED:.*]] = "soac.map"(%c10, %[[PICKED]]) ({
// CHECK: %[[SUMS:.*]] = "soac.map"(%c10, %[[DOUBLED]]) ({
// CHECK: "soac.reduce"
// CHECK: "soac.map"(%c10, %[[KEYS]]) ({
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %{{.*}}: index):
// CHECK-NEXT: tensor.extract %[[SUMS]][%[[I]]]
// CHECK-NOT: "soac.map"(%c100
// CHECK: return
func.func @constant_sizes(%rows: tensor<100x3xf64>, %keys: tensor<10xindex>) -> tensor<10xf64> {
  %zero = arith.constant 0.0 : f64
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  %doubled = "soac.map"(%c100, %rows) ({
  ^bb0(%i: index, %row: tensor<3xf64>):
    %r = "soac.map"(%c3, %row) ({
    ^bb0(%j: index, %e: f64):
      %d = arith.addf %e, %e : f64
      "soac.yield"(%d) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<3xf64>) -> tensor<3xf64>
    "soac.yield"(%r) : (tensor<3xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<100x3xf64>) -> tensor<100x3xf64>
  %sums = "soac.map"(%c100, %doubled) ({
  ^bb0(%i: index, %row: tensor<3xf64>):
    %s = "soac.reduce"(%c3, %row, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      "soac.yield"(%c) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<3xf64>, f64) -> f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<100x3xf64>) -> tensor<100xf64>
  %ys = "soac.map"(%c10, %keys) ({
  ^bb0(%i: index, %k: index):
    %y = tensor.extract %sums[%k] : tensor<100xf64>
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<10xindex>) -> tensor<10xf64>
  return %ys : tensor<10xf64>
}

// Sizes known at run time are compared then; an iteration may pick several rows, whose numbers follow each other.
// CHECK-LABEL: func.func @two_places(
// CHECK-SAME: %[[XS:[^:]*]]: tensor<?xf64>, %[[PAIRS:[^:]*]]: tensor<?x2xindex>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[XS]]
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[PAIRS]]
// CHECK: %[[PICKS:.*]] = arith.muli %[[M]], %c2
// CHECK: %[[FEWER:.*]] = arith.cmpi sle
// CHECK: %[[COUNT:.*]] = arith.select %[[FEWER]], %[[PICKS]], %[[N]]
// CHECK: %[[PLACES:.*]] = "soac.map"(%[[COUNT]]) ({
// CHECK-NEXT: ^bb0(%[[R:.*]]: index):
// CHECK: arith.divui %[[R]], %c2
// CHECK: arith.remui %[[R]], %c2
// CHECK: arith.select %[[FEWER]], %{{.*}}, %[[R]]
// CHECK: %[[PICKED:.*]] = "soac.map"(%[[COUNT]], %[[PLACES]]) ({
// CHECK: %[[TABLE:.*]] = "soac.map"(%[[COUNT]], %[[PICKED]]) ({
// CHECK: math.exp
// CHECK: "soac.map"(%[[M]], %[[PAIRS]]) ({
// CHECK-COUNT-2: arith.select %[[FEWER]]
// CHECK-COUNT-2: tensor.extract %[[TABLE]]
// CHECK: return
func.func @two_places(%xs: tensor<?xf64>, %pairs: tensor<?x2xindex>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %m = tensor.dim %pairs, %c0 : tensor<?x2xindex>
  %es = "soac.map"(%n, %xs) ({
  ^bb0(%i: index, %x: f64):
    %e = math.exp %x : f64
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %ys = "soac.map"(%m, %pairs) ({
  ^bb0(%i: index, %pair: tensor<2xindex>):
    %k = tensor.extract %pair[%c0] : tensor<2xindex>
    %l = tensor.extract %pair[%c1] : tensor<2xindex>
    %a = tensor.extract %es[%k] : tensor<?xf64>
    %b = tensor.extract %es[%l] : tensor<?xf64>
    %y = arith.subf %a, %b : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x2xindex>) -> tensor<?xf64>
  return %ys : tensor<?xf64>
}

// Cheap maps, maps with checks, maps with other readers, rows in order, and most of the rows are left as they are.
// CHECK-LABEL: func.func @kept(
// CHECK-COUNT-9: "soac.map"
// CHECK-NOT: "soac.map"
// CHECK: return
func.func @kept(%xs: tensor<100xf64>, %keys: tensor<10xindex>, %many: tensor<80xindex>)
    -> (tensor<10xf64>, tensor<10xf64>, tensor<10xf64>, tensor<100xf64>, tensor<80xf64>) {
  %zero = arith.constant 0.0 : f64
  %c10 = arith.constant 10 : index
  %c80 = arith.constant 80 : index
  %c100 = arith.constant 100 : index
  %cheap = "soac.map"(%c100, %xs) ({
  ^bb0(%i: index, %x: f64):
    %e = arith.mulf %x, %x : f64
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<100xf64>) -> tensor<100xf64>
  %of_cheap = "soac.map"(%c10, %keys) ({
  ^bb0(%i: index, %k: index):
    %y = tensor.extract %cheap[%k] : tensor<100xf64>
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<10xindex>) -> tensor<10xf64>
  %checked = "soac.map"(%c100, %xs) ({
  ^bb0(%i: index, %x: f64):
    %is_positive = arith.cmpf ogt, %x, %zero : f64
    "soac.assert"(%is_positive) {kind = "ShapeMismatch", message = "no"} : (i1) -> ()
    %e = math.exp %x : f64
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<100xf64>) -> tensor<100xf64>
  %of_checked = "soac.map"(%c10, %keys) ({
  ^bb0(%i: index, %k: index):
    %y = tensor.extract %checked[%k] : tensor<100xf64>
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<10xindex>) -> tensor<10xf64>
  %shared = "soac.map"(%c100, %xs) ({
  ^bb0(%i: index, %x: f64):
    %e = math.exp %x : f64
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<100xf64>) -> tensor<100xf64>
  %in_order = "soac.map"(%c100, %xs) ({
  ^bb0(%i: index, %x: f64):
    %e = math.sin %x : f64
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<100xf64>) -> tensor<100xf64>
  %of_shared = "soac.map"(%c10, %keys) ({
  ^bb0(%i: index, %k: index):
    %y = tensor.extract %shared[%k] : tensor<100xf64>
    %place = arith.addi %i, %c80 : index
    %z = tensor.extract %in_order[%place] : tensor<100xf64>
    %p = arith.mulf %y, %z : f64
    "soac.yield"(%p) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<10xindex>) -> tensor<10xf64>
  %most = "soac.map"(%c100, %xs) ({
  ^bb0(%i: index, %x: f64):
    %e = math.cos %x : f64
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<100xf64>) -> tensor<100xf64>
  %of_most = "soac.map"(%c80, %many) ({
  ^bb0(%i: index, %k: index):
    %y = tensor.extract %most[%k] : tensor<100xf64>
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<80xindex>) -> tensor<80xf64>
  return %of_cheap, %of_checked, %of_shared, %shared, %of_most
      : tensor<10xf64>, tensor<10xf64>, tensor<10xf64>, tensor<100xf64>, tensor<80xf64>
}
