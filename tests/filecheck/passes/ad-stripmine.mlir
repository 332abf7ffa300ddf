// ad-stripmine: marked loops become nests that visit the same indices in the same order.
// RUN: tapeless-opt --ad-stripmine --canonicalize --cse %s | filecheck %s
// RUN: tapeless-opt --ad-stripmine=budgets=false %s | filecheck %s --check-prefix=KEPT

// Chunks of m iterations, where m is the root of the number of iterations, rounded up; the last one is cut off.
// CHECK-LABEL: func.func @depth_2(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[X:[^:]*]]: f64
// CHECK: %[[LAST:.*]] = arith.maxsi %[[N]], %c0
// CHECK-NEXT: %[[TRIPS:.*]] = arith.maxsi %[[LAST]], %c1
// CHECK: %[[ESTIMATE:.*]] = math.powf
// CHECK: %[[SQUARE:.*]] = arith.muli %[[M:.*]], %[[M]]
// CHECK-NEXT: arith.cmpi slt, %[[SQUARE]], %[[TRIPS]]
// CHECK: scf.for %[[CHUNK:.*]] = %c0 to %[[N]] step %[[SIZE:.*]] iter_args(%[[OUTER:.*]] = %[[X]])
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[CHUNK]], %[[SIZE]]
// CHECK-NEXT: %[[END:.*]] = arith.minsi %[[NEXT]], %[[N]]
// CHECK-NEXT: %[[INNER:.*]] = scf.for %[[I:.*]] = %[[CHUNK]] to %[[END]] step %c1 iter_args(%[[STATE:.*]] = %[[OUTER]])
// CHECK-NEXT: arith.index_cast %[[I]]
// CHECK: } {ad.lean}
// CHECK-NEXT: scf.yield %[[INNER]]
// CHECK-NEXT: } {ad.lean}
// CHECK-NOT: ad.stripmine
func.func @depth_2(%n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (f64) {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %a = arith.mulf %t, %f : f64
    scf.yield %a : f64
  } {ad.stripmine = 2 : i64}
  return %y : f64
}

// At depth 3 the steps are those of m * m and m iterations; the innermost index is the index of the loop.
// CHECK-LABEL: func.func @depth_3(
// CHECK-SAME: %[[A:[^:]*]]: index, %[[B:[^:]*]]: index, %[[S:[^:]*]]: index, %[[X:[^:]*]]: f64
// CHECK: %[[LAST:.*]] = arith.maxsi %[[B]], %[[A]]
// CHECK-NEXT: %[[RANGE:.*]] = arith.subi %[[LAST]], %[[A]]
// CHECK-NEXT: %[[COUNT:.*]] = arith.ceildivsi %[[RANGE]], %[[S]]
// CHECK: %[[SQUARE:.*]] = arith.muli %[[M:.*]], %[[M]]
// CHECK: %[[LONG:.*]] = arith.muli %{{.*}}, %[[S]]
// CHECK-NEXT: scf.for %[[I:.*]] = %[[A]] to %[[B]] step %[[LONG]] iter_args(%[[OUTER:.*]] = %[[X]])
// CHECK-NEXT: %[[AFTER_I:.*]] = arith.addi %[[I]], %[[LONG]]
// CHECK-NEXT: %[[END_I:.*]] = arith.minsi %[[AFTER_I]], %[[B]]
// CHECK-NEXT: %[[SHORT:.*]] = arith.muli %[[ROOT:.*]], %[[S]]
// CHECK-NEXT: scf.for %[[J:.*]] = %[[I]] to %[[END_I]] step %[[SHORT]] iter_args(%[[MIDDLE:.*]] = %[[OUTER]])
// CHECK-NEXT: %[[AFTER_J:.*]] = arith.addi %[[J]], %[[SHORT]]
// CHECK-NEXT: %[[END_J:.*]] = arith.minsi %[[AFTER_J]], %[[END_I]]
// CHECK-NEXT: scf.for %[[K:.*]] = %[[J]] to %[[END_J]] step %[[S]] iter_args(%[[INNER:.*]] = %[[MIDDLE]])
// CHECK-NEXT: arith.index_cast %[[K]]
func.func @depth_3(%a: index, %b: index, %s: index, %x: f64) -> f64 {
  %y = scf.for %i = %a to %b step %s iter_args(%t = %x) -> (f64) {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %p = arith.mulf %t, %f : f64
    scf.yield %p : f64
  } {ad.stripmine = 3 : i64}
  return %y : f64
}

// A budget chooses the sizes of a nest of depth 4 when running; a budget that is too small is an error.
// KEPT-LABEL: func.func @budget(
// KEPT: } {ad.budget = 100 : i64}
// CHECK-LABEL: func.func @budget(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[X:[^:]*]]: f64
// CHECK-NOT: ad.budget
// CHECK: "soac.assert"(%{{.*}}) {kind = "ArgumentError", message = "a budget of 100 states is too small for a loop of {} iterations; give at least {}"}
// CHECK: scf.for %[[I:.*]] = %c0 to %[[N]] step %[[FIRST:.*]] iter_args
// CHECK: scf.for %[[J:.*]] = %[[I]] to %{{.*}} step %[[SECOND:.*]] iter_args
// CHECK: scf.for %[[K:.*]] = %[[J]] to %{{.*}} step %[[THIRD:.*]] iter_args
// CHECK: scf.for %{{.*}} = %[[K]] to %{{.*}} step %c1 iter_args
func.func @budget(%n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (f64) {
    %a = arith.mulf %t, %t : f64
    scf.yield %a : f64
  } {ad.budget = 100 : i64}
  return %y : f64
}
