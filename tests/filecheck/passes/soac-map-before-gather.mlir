// Functions of gathered rows are computed once per row.
// RUN: tapeless-opt --soac-map-before-gather --canonicalize --cse %s | filecheck %s

// CHECK-LABEL: func.func @constant_sizes(
// CHECK-SAME: %[[ROWS:[^:]*]]: tensor<4x2xf64>, %[[KEYS:[^:]*]]: tensor<100xindex>
// CHECK: %[[TABLE:.*]] = "soac.map"(%c4, %[[ROWS]]) ({
// CHECK: math.exp
// CHECK: "soac.map"(%c100, %[[KEYS]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[KEY:.*]]: index):
// CHECK-NOT: math.exp
// CHECK: tensor.extract %[[TABLE]][%[[KEY]]]
// CHECK: return
func.func @constant_sizes(%rows: tensor<4x2xf64>, %keys: tensor<100xindex>) -> tensor<100xf64> {
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %ys = "soac.map"(%n, %keys) ({
  ^bb0(%i: index, %k: index):
    %a = tensor.extract %rows[%k, %c1] : tensor<4x2xf64>
    %e = math.exp %a : f64
    %f = arith.index_cast %i : index to i64
    %g = arith.sitofp %f : i64 to f64
    %y = arith.mulf %e, %g : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<100xindex>) -> tensor<100xf64>
  return %ys : tensor<100xf64>
}

// Sizes known at run time are compared then; with fewer picks than rows there is one entry per pick, and every read is in
// range whatever the keys are.
// CHECK-LABEL: func.func @run_time_sizes(
// CHECK-SAME: %[[ROWS:[^:]*]]: tensor<?xf64>, %[[KEYS:[^:]*]]: tensor<?xindex>
// CHECK: %[[M:.*]] = tensor.dim %[[ROWS]]
// CHECK: %[[FEWER:.*]] = arith.cmpi slt, %[[M]], %{{.*}} : index
// CHECK: %[[TABLE:.*]] = scf.if %[[FEWER]] -> (tensor<?xf64>) {
// CHECK: "soac.map"(%[[M]], %[[ROWS]])
// CHECK: } else {
// CHECK: "soac.map"(%{{.*}}, %[[KEYS]])
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: "soac.map"(%{{.*}}, %[[KEYS]]) ({
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %[[KEY:.*]]: index):
// CHECK: %[[ENTRY:.*]] = arith.select %[[FEWER]], %[[KEY]], %[[I]]
// CHECK: tensor.extract %[[TABLE]][%[[ENTRY]]]
// CHECK: return
func.func @run_time_sizes(%rows: tensor<?xf64>, %keys: tensor<?xindex>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %keys, %c0 : tensor<?xindex>
  %ys = "soac.map"(%n, %keys) ({
  ^bb0(%i: index, %k: index):
    %a = tensor.extract %rows[%k] : tensor<?xf64>
    %e = math.exp %a : f64
    %f = arith.index_cast %i : index to i64
    %g = arith.sitofp %f : i64 to f64
    %y = arith.mulf %e, %g : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xindex>) -> tensor<?xf64>
  return %ys : tensor<?xf64>
}

// As many rows as picks, cheap bodies, reads that not every row has, and checks stay where they are.
// CHECK-LABEL: func.func @kept(
// CHECK-COUNT-4: "soac.map"
// CHECK-NOT: "soac.map"
// CHECK: return
func.func @kept(%rows: tensor<100xf64>, %more: tensor<4x?xf64>, %keys: tensor<100xindex>, %at: index)
    -> (tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>) {
  %c2 = arith.constant 2 : index
  %n = arith.constant 100 : index
  %as_many = "soac.map"(%n, %keys) ({
  ^bb0(%i: index, %k: index):
    %a = tensor.extract %rows[%k] : tensor<100xf64>
    %e = math.exp %a : f64
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<100xindex>) -> tensor<100xf64>
  %cheap = "soac.map"(%n, %keys) ({
  ^bb0(%i: index, %k: index):
    %row = tensor.extract %rows[%k] : tensor<100xf64>
    %e = arith.mulf %row, %row : f64
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<100xindex>) -> tensor<100xf64>
  %unproven = "soac.map"(%n, %keys) ({
  ^bb0(%i: index, %k: index):
    %a = tensor.extract %more[%k, %at] : tensor<4x?xf64>
    %e = math.exp %a : f64
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<100xindex>) -> tensor<100xf64>
  %checked = "soac.map"(%n, %keys) ({
  ^bb0(%i: index, %k: index):
    %a = tensor.extract %rows[%k] : tensor<100xf64>
    %zero = arith.constant 0.0 : f64
    %positive = arith.cmpf ogt, %a, %zero : f64
    %e = scf.if %positive -> (f64) {
      "soac.assert"(%positive) {kind = "IndexOutOfRange", message = "no"} : (i1) -> ()
      %l = math.log %a : f64
      scf.yield %l : f64
    } else {
      scf.yield %zero : f64
    }
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<100xindex>) -> tensor<100xf64>
  return %as_many, %cheap, %unproven, %checked : tensor<100xf64>, tensor<100xf64>, tensor<100xf64>, tensor<100xf64>
}

// An array with another number of rows has no place in the table.
// CHECK-LABEL: func.func @other_length
// CHECK-NOT: math.exp
// CHECK: math.sin
// CHECK: "soac.map"(%{{.*}}, %arg2)
// CHECK: tensor.extract %arg0
// CHECK: math.exp
func.func @other_length(%rows: tensor<3xf64>, %few: tensor<2xf64>, %keys: tensor<100xindex>) -> tensor<100xf64> {
  %n = arith.constant 100 : index
  %ys = "soac.map"(%n, %keys) ({
  ^bb0(%i: index, %k: index):
    %a = tensor.extract %rows[%k] : tensor<3xf64>
    %b = tensor.extract %few[%k] : tensor<2xf64>
    %e = math.exp %a : f64
    %s = math.sin %b : f64
    %p = arith.mulf %e, %s : f64
    "soac.yield"(%p) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<100xindex>) -> tensor<100xf64>
  return %ys : tensor<100xf64>
}

// Products of whole rows of any length are tabulated as well, where a check before the map compares the sizes.
// CHECK-LABEL: func.func @products_of_rows
// CHECK: %[[FEWER:.*]] = arith.cmpi slt
// CHECK: %[[TABLE:.*]] = scf.if %[[FEWER]]
// CHECK: "soac.reduce"
// CHECK: else
// CHECK: "soac.reduce"
// CHECK: "soac.map"(%{{.*}}, %arg2)
// CHECK-NOT: "soac.reduce"
// CHECK: tensor.extract{{.*}} %[[TABLE]]
// CHECK: return
func.func @products_of_rows(%rows: tensor<?x?xf64>, %w: tensor<?xf64>, %keys: tensor<?xindex>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %keys, %c0 : tensor<?xindex>
  %columns = tensor.dim %rows, %c1 : tensor<?x?xf64>
  %length = tensor.dim %w, %c0 : tensor<?xf64>
  %same = arith.cmpi eq, %columns, %length : index
  "soac.assert"(%same, %columns, %length) {kind = "ShapeMismatch", message = "{} and {}"} : (i1, index, index) -> ()
  %sums = "soac.map"(%n, %keys) ({
  ^bb0(%i: index, %k: index):
    %row = tensor.extract_slice %rows[%k, 0] [1, %columns] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %products = "soac.map"(%length, %row, %w) ({
    ^bb0(%j: index, %a: f64, %b: f64):
      %p = arith.mulf %a, %b : f64
      "soac.yield"(%p) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %sum = "soac.reduce"(%length, %products, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %s = arith.addf %a, %b : f64
      "soac.yield"(%s) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%sum) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xindex>) -> tensor<?xf64>
  return %sums : tensor<?xf64>
}

// Sizes that nothing has compared keep the products where they are: a row that is not picked need not fit.
// CHECK-LABEL: func.func @rows_that_may_not_fit
// CHECK-NOT: scf.if
// CHECK: return
func.func @rows_that_may_not_fit(%rows: tensor<?x?xf64>, %w: tensor<?xf64>, %keys: tensor<?xindex>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %keys, %c0 : tensor<?xindex>
  %columns = tensor.dim %rows, %c1 : tensor<?x?xf64>
  %length = tensor.dim %w, %c0 : tensor<?xf64>
  %sums = "soac.map"(%n, %keys) ({
  ^bb0(%i: index, %k: index):
    %row = tensor.extract_slice %rows[%k, 0] [1, %columns] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %products = "soac.map"(%length, %row, %w) ({
    ^bb0(%j: index, %a: f64, %b: f64):
      %p = arith.mulf %a, %b : f64
      "soac.yield"(%p) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %sum = "soac.reduce"(%length, %products, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %s = arith.addf %a, %b : f64
      "soac.yield"(%s) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%sum) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xindex>) -> tensor<?xf64>
  return %sums : tensor<?xf64>
}

// A slice that an index moves along another axis picks no rows.
// CHECK-LABEL: func.func @columns_of_one_row
// CHECK: "soac.map"(%{{.*}}, %arg1)
// CHECK: tensor.extract %arg0[
// CHECK: math.exp
// CHECK: return
func.func @columns_of_one_row(%rows: tensor<5x4xf64>, %keys: tensor<?xindex>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %keys, %c0 : tensor<?xindex>
  %r = "soac.map"(%n, %keys) ({
  ^bb0(%i: index, %k: index):
    %part = tensor.extract_slice %rows[0, %k] [1, 3] [1, 1] : tensor<5x4xf64> to tensor<3xf64>
    %second = tensor.extract %part[%c1] : tensor<3xf64>
    %e = math.exp %second : f64
    %y = math.sin %e : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xindex>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
