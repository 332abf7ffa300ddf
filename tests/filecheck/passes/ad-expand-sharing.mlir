// What no seed changes is computed once, before the map over seeds; what costs a function or a loop is kept for it.
// RUN: tapeless-opt --ad-expand --canonicalize --cse %s | filecheck %s

func.func private @nest(%x: f64, %as: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %as, %c0 : tensor<?xf64>
  %ys = "soac.map"(%n, %as) ({
  ^bb0(%i: index, %a: f64):
    %inner = "soac.map"(%n, %as) ({
    ^bb0(%j: index, %b: f64):
      %ab = arith.mulf %a, %b : f64
      %p = arith.mulf %ab, %x : f64
      %e = math.exp %p : f64
      "soac.yield"(%e) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    %zero = arith.constant 0.0 : f64
    %sum = "soac.reduce"(%n, %inner, %zero) ({
    ^bb0(%l: f64, %r: f64):
      %s = arith.addf %l, %r : f64
      "soac.yield"(%s) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    %log = math.log %sum : f64
    "soac.yield"(%log) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %ys : tensor<?xf64>
}

// Exponentials and their sums are stored, a row per outer element; the products are made again.
// CHECK-LABEL: func.func @of_nest(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[AS:[^:]*]]: tensor<?xf64>, %[[DXS:[^:]*]]: tensor<3xf64>
// CHECK: %[[PROMISED:.*]]:2 = "soac.map"
// CHECK: math.exp
// CHECK: "soac.reduce"
// CHECK: "soac.map"(%c3, %[[DXS]]) ({
// CHECK-NOT: math.
// CHECK: "soac.map"(%{{.*}}, %[[AS]], %[[PROMISED]]#{{.}}, %[[PROMISED]]#{{.}}) ({
// CHECK-NOT: math.
// CHECK: return
func.func @of_nest(%x: f64, %as: tensor<?xf64>, %dxs: tensor<3xf64>) -> tensor<3x?xf64> {
  %r:2 = "ad.jvp"(%x, %as, %dxs) {
    callee = @nest, wrt = [0], method = "redundant", seed_size = 3 : i64, operandSegmentSizes = array<i32: 2, 1>
  } : (f64, tensor<?xf64>, tensor<3xf64>) -> (tensor<?xf64>, tensor<3x?xf64>)
  return %r#1 : tensor<3x?xf64>
}

func.func private @loop(%x: f64, %n: index, %hints: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %y = scf.for %i = %c0 to %n step %c2 iter_args(%s = %x) -> (f64) {
    %sine = math.sin %s : f64
    %next = arith.mulf %sine, %x : f64
    scf.yield %next : f64
  }
  return %y : f64
}

// A loop's functions are stored per iteration; every seed reads them and computes the states from them.
// CHECK-LABEL: func.func @of_loop(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[N:[^:]*]]: index, %{{.*}}: f64, %[[DXS:[^:]*]]: tensor<3xf64>
// CHECK: %[[END:.*]] = arith.maxsi %[[N]], %c0
// CHECK-NEXT: %[[TRIPS:.*]] = arith.ceildivsi %[[END]], %c2
// CHECK: %[[ROOM:.*]] = tensor.empty(%[[TRIPS]])
// CHECK: %[[TAPE:.*]]:3 = scf.for %{{.*}} = %c0 to %[[N]] step %c2 iter_args({{.*}} = %[[X]], {{.*}} = %[[ROOM]], {{.*}} = %[[ROOM]])
// CHECK: math.sin
// CHECK: math.cos
// CHECK: "soac.map"(%c3, %[[DXS]]) ({
// CHECK: scf.for
// CHECK-NOT: math.
// CHECK: tensor.extract %[[TAPE]]#
// CHECK: tensor.extract %[[TAPE]]#
// CHECK-NOT: math.
// CHECK: return
func.func @of_loop(%x: f64, %n: index, %h: f64, %dxs: tensor<3xf64>) -> tensor<3xf64> {
  %r:2 = "ad.jvp"(%x, %n, %h, %dxs) {
    callee = @loop, wrt = [0], method = "redundant", seed_size = 3 : i64, operandSegmentSizes = array<i32: 3, 1>
  } : (f64, index, f64, tensor<3xf64>) -> (f64, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}

func.func private @lean(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) {
    %sine = math.sin %s : f64
    %next = arith.mulf %sine, %x : f64
    scf.yield %next : f64
  } {ad.stripmine = 2 : i64}
  return %y : f64
}

// A loop that is to save memory stores nothing.
// CHECK-LABEL: func.func @of_lean(
// CHECK-NOT: tensor.empty
// CHECK: return
func.func @of_lean(%x: f64, %n: index, %dxs: tensor<3xf64>) -> tensor<3xf64> {
  %r:2 = "ad.jvp"(%x, %n, %dxs) {
    callee = @lean, wrt = [0], method = "redundant", seed_size = 3 : i64, operandSegmentSizes = array<i32: 2, 1>
  } : (f64, index, tensor<3xf64>) -> (f64, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}

func.func private @ragged(%x: f64, %as: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %as, %c0 : tensor<?xf64>
  %ys = "soac.map"(%n, %as) ({
  ^bb0(%i: index, %a: f64):
    %y = scf.for %j = %c0 to %i step %c1 iter_args(%s = %a) -> (f64) {
      %p = arith.mulf %s, %x : f64
      %e = math.exp %p : f64
      scf.yield %e : f64
    }
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %ys : tensor<?xf64>
}

// Rows of different lengths are no array: such values are computed again.
// CHECK-LABEL: func.func @of_ragged(
// CHECK-NOT: tensor.empty
// CHECK: "soac.map"(%c3
// CHECK: scf.for
// CHECK: math.exp
// CHECK-NOT: scf.for
// CHECK: return
func.func @of_ragged(%x: f64, %as: tensor<?xf64>, %dxs: tensor<3xf64>) -> tensor<3x?xf64> {
  %r:2 = "ad.jvp"(%x, %as, %dxs) {
    callee = @ragged, wrt = [0], method = "redundant", seed_size = 3 : i64, operandSegmentSizes = array<i32: 2, 1>
  } : (f64, tensor<?xf64>, tensor<3xf64>) -> (tensor<?xf64>, tensor<3x?xf64>)
  return %r#1 : tensor<3x?xf64>
}

func.func private @branch(%x: f64, %as: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %as, %c0 : tensor<?xf64>
  %ys = "soac.map"(%n, %as) ({
  ^bb0(%i: index, %a: f64):
    %c = arith.cmpf olt, %a, %zero : f64
    %y = scf.if %c -> (f64) {
      %p = arith.mulf %a, %x : f64
      %e = math.exp %p : f64
      scf.yield %e : f64
    } else {
      %p = arith.mulf %x, %x : f64
      scf.yield %p : f64
    }
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %ys : tensor<?xf64>
}

// What one branch costs is kept, and zero for the other one.
// CHECK-LABEL: func.func @of_branch(
// CHECK: "soac.map"
// CHECK: scf.if
// CHECK: math.exp
// CHECK: else
// CHECK-NEXT: scf.yield %cst
// CHECK: "soac.map"(%c3
// CHECK-NOT: math.
// CHECK: return
func.func @of_branch(%x: f64, %as: tensor<?xf64>, %dxs: tensor<3xf64>) -> tensor<3x?xf64> {
  %r:2 = "ad.jvp"(%x, %as, %dxs) {
    callee = @branch, wrt = [0], method = "redundant", seed_size = 3 : i64, operandSegmentSizes = array<i32: 2, 1>
  } : (f64, tensor<?xf64>, tensor<3xf64>) -> (tensor<?xf64>, tensor<3x?xf64>)
  return %r#1 : tensor<3x?xf64>
}

func.func private @checked(%xs: tensor<?xf64>, %i: index) -> f64 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %ok = arith.cmpi ult, %i, %n : index
  "soac.assert"(%ok) {kind = "IndexOutOfRange", message = "out of range"} : (i1) -> ()
  %x = tensor.extract %xs[%i] : tensor<?xf64>
  %e = math.exp %x : f64
  return %e : f64
}

// Checks run once, before what they guard.
// CHECK-LABEL: func.func @of_checked(
// CHECK: "soac.assert"
// CHECK: %[[X:.*]] = tensor.extract
// CHECK: math.exp %[[X]]
// CHECK: "soac.map"
// CHECK-NOT: "soac.assert"
// CHECK: return
func.func @of_checked(%xs: tensor<?xf64>, %i: index, %dxs: tensor<3x?xf64>) -> tensor<3xf64> {
  %r:2 = "ad.jvp"(%xs, %i, %dxs) {
    callee = @checked, wrt = [0], method = "redundant", seed_size = 3 : i64, operandSegmentSizes = array<i32: 2, 1>
  } : (tensor<?xf64>, index, tensor<3x?xf64>) -> (f64, tensor<3xf64>)
  return %r#1 : tensor<3xf64>
}
