// soac-simplify moves invariant code out of bodies, unless that could read out of range.
// RUN: tapeless-opt --soac-simplify %s | filecheck %s

// Out of two operators at once.
// CHECK-LABEL: func.func @invariant_scalar
// CHECK: math.exp
// CHECK: soac.map
// CHECK: soac.map
// CHECK-NOT: math.exp
// CHECK: return
func.func @invariant_scalar(%n: index, %a: tensor<?x?xf64>, %c: f64) -> tensor<?x?xf64> {
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c1 : tensor<?x?xf64>
  %b = "soac.map"(%n, %a) ({
  ^bb0(%i: index, %r: tensor<?xf64>):
    %row = "soac.map"(%m, %r) ({
    ^bb0(%j: index, %x: f64):
      %e = math.exp %c : f64
      %y = arith.mulf %x, %e : f64
      "soac.yield"(%y) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%row) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %b : tensor<?x?xf64>
}

// A whole reduction that no iteration changes.
// CHECK-LABEL: func.func @invariant_reduction
// CHECK: soac.reduce
// CHECK: scf.for
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @invariant_reduction(%n: index, %xs: tensor<?xf64>, %z: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = tensor.dim %xs, %c0 : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> (f64) {
    %s = "soac.reduce"(%w, %xs, %z) ({
    ^bb0(%a: f64, %b: f64):
      %t = arith.addf %a, %b : f64
      "soac.yield"(%t) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    %next = math.fma %acc, %s, %s : f64
    scf.yield %next : f64
  }
  return %r : f64
}

// The read may be out of range when the loop does not run.
// CHECK-LABEL: func.func @read_that_may_not_run
// CHECK: scf.for
// CHECK: tensor.extract
func.func @read_that_may_not_run(%n: index, %xs: tensor<?xf64>, %k: index, %z: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> (f64) {
    %x = tensor.extract %xs[%k] : tensor<?xf64>
    %next = arith.addf %acc, %x : f64
    scf.yield %next : f64
  }
  return %r : f64
}

// The loop runs, and no check comes first.
// CHECK-LABEL: func.func @read_that_surely_runs
// CHECK: tensor.extract
// CHECK: scf.for
func.func @read_that_surely_runs(%xs: tensor<?xf64>, %k: index, %z: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %z) -> (f64) {
    %x = tensor.extract %xs[%k] : tensor<?xf64>
    %next = arith.addf %acc, %x : f64
    scf.yield %next : f64
  }
  return %r : f64
}

// A check that is the same in every iteration comes before the loop, and what it guards after it.
// CHECK-LABEL: func.func @read_behind_a_check
// CHECK: soac.assert
// CHECK: tensor.extract
// CHECK: scf.for
func.func @read_behind_a_check(%xs: tensor<?xf64>, %k: index, %ok: i1, %z: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %z) -> (f64) {
    "soac.assert"(%ok, %k) {kind = "IndexOutOfRange", message = "index {} is out of range"} : (i1, index) -> ()
    %x = tensor.extract %xs[%k] : tensor<?xf64>
    %next = arith.addf %acc, %x : f64
    scf.yield %next : f64
  }
  return %r : f64
}

// A read behind a check of another kind stays behind it.
// CHECK-LABEL: func.func @read_behind_a_varying_check
// CHECK: scf.for
// CHECK: soac.assert
// CHECK: tensor.extract
func.func @read_behind_a_varying_check(%xs: tensor<?xf64>, %k: index, %z: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %z) -> (f64) {
    %ok = arith.cmpf oge, %acc, %z : f64
    "soac.assert"(%ok, %k) {kind = "ArgumentError", message = "{} is too small"} : (i1, index) -> ()
    %x = tensor.extract %xs[%k] : tensor<?xf64>
    %next = arith.addf %acc, %x : f64
    scf.yield %next : f64
  }
  return %r : f64
}

// A check of the loop index becomes one of the loop bounds; it passes when the loop does not run. Nothing is added to the
// bounds, which may be any integers.
// CHECK-LABEL: func.func @range_check(
// CHECK-SAME: %[[HIGH:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>
// CHECK: %[[SIZE:.*]] = tensor.dim %[[XS]]
// CHECK: %[[BEYOND:.*]] = arith.addi %[[SIZE]], %c-1
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[HIGH]], %[[BEYOND]]
// CHECK: %[[FAILING:.*]] = arith.maxsi %[[SIZE]]
// CHECK: %[[IDLE:.*]] = arith.cmpi sle, %[[HIGH]]
// CHECK: %[[OK:.*]] = arith.ori %[[FITS]], %[[IDLE]]
// CHECK-NEXT: "soac.assert"(%[[OK]], %[[FAILING]], %[[SIZE]])
// CHECK: scf.for
// CHECK-NOT: soac.assert
// CHECK: return
func.func @range_check(%high: index, %xs: tensor<?xf64>, %z: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %r = scf.for %i = %c0 to %high step %c1 iter_args(%acc = %z) -> (f64) {
    %next = arith.addi %i, %c1 : index
    %ok = arith.cmpi ult, %next, %n : index
    "soac.assert"(%ok, %next, %n) {kind = "IndexOutOfRange", message = "index {} is not below {}"} : (i1, index, index) -> ()
    %x = tensor.extract %xs[%next] : tensor<?xf64>
    %sum = arith.addf %acc, %x : f64
    scf.yield %sum : f64
  }
  return %r : f64
}

// The step leaves indices out: nothing is said about those.
// CHECK-LABEL: func.func @range_check_with_a_step
// CHECK: scf.for
// CHECK: soac.assert
func.func @range_check_with_a_step(%high: index, %xs: tensor<?xf64>, %z: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %r = scf.for %i = %c0 to %high step %c2 iter_args(%acc = %z) -> (f64) {
    %ok = arith.cmpi ult, %i, %n : index
    "soac.assert"(%ok, %i, %n) {kind = "IndexOutOfRange", message = "index {} is not below {}"} : (i1, index, index) -> ()
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    %sum = arith.addf %acc, %x : f64
    scf.yield %sum : f64
  }
  return %r : f64
}

// A division may be by zero when the loop does not run.
// CHECK-LABEL: func.func @integer_division
// CHECK: scf.for
// CHECK: arith.divsi
func.func @integer_division(%n: index, %a: i64, %b: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %a) -> (i64) {
    %q = arith.divsi %a, %b : i64
    %next = arith.addi %acc, %q : i64
    scf.yield %next : i64
  }
  return %r : i64
}

// What a check reports is the iteration it fails in, so it stays there.
// CHECK-LABEL: func.func @check_that_reports_the_iteration
// CHECK: scf.for
// CHECK: soac.assert
func.func @check_that_reports_the_iteration(%n: index, %ok: i1, %z: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> (f64) {
    "soac.assert"(%ok, %i) {kind = "ArgumentError", message = "wrong in iteration {}"} : (i1, index) -> ()
    %next = arith.addf %acc, %z : f64
    scf.yield %next : f64
  }
  return %r : f64
}

// The array may be shorter than the reduction is wide, which only matters when the loop runs.
// CHECK-LABEL: func.func @reduction_that_may_not_fit
// CHECK: scf.for
// CHECK: soac.reduce
func.func @reduction_that_may_not_fit(%n: index, %w: index, %xs: tensor<?xf64>, %z: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> (f64) {
    %s = "soac.reduce"(%w, %xs, %z) ({
    ^bb0(%a: f64, %b: f64):
      %t = arith.addf %a, %b : f64
      "soac.yield"(%t) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    %next = math.fma %acc, %s, %s : f64
    scf.yield %next : f64
  }
  return %r : f64
}

// The least integer divided by -1 is none, which only matters when the loop runs; division by 2 is always defined.
// CHECK-LABEL: func.func @division_that_may_overflow
// CHECK: arith.divsi %{{.*}}, %c2
// CHECK: scf.for
// CHECK: arith.divsi %{{.*}}, %c-1
func.func @division_that_may_overflow(%x: i64, %n: index, %z: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i64
  %minus_one = arith.constant -1 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i64) {
    %half = arith.divsi %x, %two : i64
    %negative = arith.divsi %x, %minus_one : i64
    %both = arith.xori %half, %negative : i64
    %next = arith.xori %a, %both : i64
    scf.yield %next : i64
  }
  return %r : i64
}
