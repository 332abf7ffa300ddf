// ad-normalise: exclusive and reversed scans by inclusive ones from the left; sums have rules for all.
// RUN: tapeless-opt --ad-normalise=backwards=true --canonicalize --cse %s | filecheck %s

// One place later, with the neutral element first.
// CHECK-LABEL: func.func @exclusive(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64
// CHECK: %[[SCANNED:.*]] = "soac.scan"(%[[N]], %[[XS]], %[[E]])
// CHECK: exclusive = false{{.*}}reverse = false
// CHECK: "soac.map"(%[[N]]) ({
// CHECK-NEXT: ^bb0(%[[I:.*]]: index):
// CHECK-NEXT: %[[FIRST:.*]] = arith.cmpi eq, %[[I]], %c0
// CHECK-NEXT: scf.if %[[FIRST]]
// CHECK-NEXT: scf.yield %[[E]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[BEFORE:.*]] = arith.subi %[[I]], %c1
// CHECK-NEXT: tensor.extract %[[SCANNED]][%[[BEFORE]]]
func.func @exclusive(%n: index, %xs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %y = "soac.scan"(%n, %xs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.divf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = true, reverse = false} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// The operands are exchanged.
// CHECK-LABEL: func.func @reversed(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64
// CHECK: %[[TURNED:.*]] = "soac.reverse"(%[[XS]]) {axis = 0 : i64}
// CHECK-NEXT: %[[SCANNED:.*]] = "soac.scan"(%[[N]], %[[TURNED]], %[[E]]) ({
// CHECK-NEXT: ^bb0(%[[LEFT:.*]]: f64, %[[RIGHT:.*]]: f64):
// CHECK-NEXT: arith.divf %[[RIGHT]], %[[LEFT]]
// CHECK: exclusive = false{{.*}}reverse = false
// CHECK: %[[RESULT:.*]] = "soac.reverse"(%[[SCANNED]]) {axis = 0 : i64}
// CHECK-NEXT: return %[[RESULT]]
func.func @reversed(%n: index, %xs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %y = "soac.scan"(%n, %xs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.divf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = true} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: func.func @sums_stay(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64
// CHECK: exclusive = true{{.*}}reverse = true
// CHECK-NOT: soac.map
func.func @sums_stay(%n: index, %xs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %y = "soac.scan"(%n, %xs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = true, reverse = true} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: func.func @inclusive_stays(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64
// CHECK: "soac.scan"(%[[N]], %[[XS]], %[[E]])
// CHECK-NOT: soac.reverse
func.func @inclusive_stays(%n: index, %xs: tensor<?xf64>, %e: f64) -> tensor<?xf64> {
  %y = "soac.scan"(%n, %xs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = false} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
