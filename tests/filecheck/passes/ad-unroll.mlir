// ad-unroll writes out the iterations of marked loops; others stay.
// RUN: tapeless-opt --ad-unroll --canonicalize %s | filecheck %s

// CHECK-LABEL: func.func @marked(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf64>
// CHECK-DAG: %[[START:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[NEXT:.*]] = arith.constant 5 : index
// CHECK-NOT: scf.for
// CHECK: %[[FIRST:.*]] = tensor.extract %[[X]][%[[START]]]
// CHECK-NEXT: %[[ONE:.*]] = arith.mulf %{{.*}}, %[[FIRST]]
// CHECK-NEXT: %[[SECOND:.*]] = tensor.extract %[[X]][%[[NEXT]]]
// CHECK-NEXT: %[[TWO:.*]] = arith.mulf %[[ONE]], %[[SECOND]]
// CHECK-NEXT: return %[[TWO]]
func.func @marked(%x: tensor<?xf64>, %start: f64) -> f64 {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %y = scf.for %i = %c2 to %c7 step %c3 iter_args(%t = %start) -> (f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %a = arith.mulf %t, %e : f64
    scf.yield %a : f64
  } {ad.unroll}
  return %y : f64
}

// CHECK-LABEL: func.func @plain(
// CHECK: scf.for
func.func @plain(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (f64) {
    %a = arith.mulf %t, %x : f64
    scf.yield %a : f64
  }
  return %y : f64
}

// The loop's variable keeps its type.
// CHECK-LABEL: func.func @of_integers(
// CHECK-NOT: scf.for
// CHECK: arith.addi %{{.*}}, %{{.*}} : i64
func.func @of_integers(%x: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %y = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x) -> (i64) : i64 {
    %a = arith.addi %t, %i : i64
    %b = arith.muli %a, %x : i64
    scf.yield %b : i64
  } {ad.unroll}
  return %y : i64
}

// A short loop that changes the size of an array is written out without a mark: sizes of straight code are known.
// CHECK-LABEL: func.func @grows(
// CHECK-NOT: scf.for
// CHECK-COUNT-2: tensor.concat
// CHECK-NOT: tensor.concat
// CHECK: return
func.func @grows(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = "soac.widen"(%x) : (tensor<?xf64>) -> tensor<?xf64>
  %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %w) -> (tensor<?xf64>) {
    %a = tensor.concat dim(0) %t, %x : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %a : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}

// One of more iterations stays a loop, and so does one with a hint.
// CHECK-LABEL: func.func @grows_longer(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: ad.stripmine
func.func @grows_longer(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %w = "soac.widen"(%x) : (tensor<?xf64>) -> tensor<?xf64>
  %y = scf.for %i = %c0 to %c5 step %c1 iter_args(%t = %w) -> (tensor<?xf64>) {
    %a = tensor.concat dim(0) %t, %x : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %a : tensor<?xf64>
  }
  %v = "soac.widen"(%x) : (tensor<?xf64>) -> tensor<?xf64>
  %z = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %v) -> (tensor<?xf64>) {
    %a = tensor.concat dim(0) %t, %x : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %a : tensor<?xf64>
  } {ad.stripmine = 2 : i64}
  return %y, %z : tensor<?xf64>, tensor<?xf64>
}
