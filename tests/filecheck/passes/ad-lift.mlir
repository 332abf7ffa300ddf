// ad-lift: operators that read floats from outside become loops, whose rule finds all adjoints.
// RUN: tapeless-opt --ad-lift --canonicalize --cse %s | filecheck %s

// CHECK-LABEL: func.func @reduce(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[W:[^:]*]]: f64
// CHECK-NOT: soac.reduce
// CHECK: %[[RESULT:.*]] = scf.for %[[I:.*]] = %c0 to %[[N]] step %c1 iter_args(%[[STATE:.*]] = %[[E]])
// CHECK-NEXT: %[[ELEMENT:.*]] = tensor.extract %[[XS]][%[[I]]]
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[STATE]], %[[W]]
// CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[SCALED]], %[[ELEMENT]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK: return %[[RESULT]]
func.func @reduce(%n: index, %xs: tensor<?xf64>, %e: f64, %w: f64) -> f64 {
  %y = "soac.reduce"(%n, %xs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.mulf %a, %w : f64
    %d = arith.addf %c, %b : f64
    "soac.yield"(%d) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %y : f64
}

// From the right, the element is the left operand; an exclusive scan stores the state before.
// CHECK-LABEL: func.func @scan(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[W:[^:]*]]: f64
// CHECK-NOT: soac.scan
// CHECK: scf.for %[[I:.*]] = %c0 to %[[N]] step %c1 iter_args(%[[STATE:.*]] = %[[E]], %[[ROOM:.*]] = %{{.*}})
// CHECK: %[[LAST:.*]] = arith.subi %[[N]], %c1
// CHECK-NEXT: %[[PLACE:.*]] = arith.subi %[[LAST]], %[[I]]
// CHECK-NEXT: %[[ELEMENT:.*]] = tensor.extract %[[XS]][%[[PLACE]]]
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[ELEMENT]], %[[W]]
// CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[SCALED]], %[[STATE]]
// CHECK-NEXT: %[[STORED:.*]] = tensor.insert %[[STATE]] into %[[ROOM]][%[[PLACE]]]
// CHECK-NEXT: scf.yield %[[NEXT]], %[[STORED]]
func.func @scan(%n: index, %xs: tensor<?xf64>, %e: f64, %w: f64) -> tensor<?xf64> {
  %y = "soac.scan"(%n, %xs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.mulf %a, %w : f64
    %d = arith.addf %c, %b : f64
    "soac.yield"(%d) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = true, reverse = true} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Keys outside are ignored.
// CHECK-LABEL: func.func @hist(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[KEYS:[^:]*]]: tensor<?xi64>, %[[DEST:[^:]*]]: tensor<?xf64>,
// CHECK-SAME: %[[VS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[W:[^:]*]]: f64
// CHECK-NOT: soac.hist
// CHECK: %[[CHAINS:.*]]:2 = scf.for %{{.*}} iter_args(%[[EARLIER:.*]] = %{{.*}}, %[[LATEST:.*]] = %{{.*}}) -> (tensor<?xi64>, tensor<?xi64>)
// CHECK: %[[ROWS:.*]] = scf.for %[[I:.*]] = %c0 to %[[N]] step %c1 iter_args(%[[MADE:.*]] = %{{.*}})
// CHECK-NEXT: %[[ONCE:.*]] = "ad.promise"(%[[MADE]]) {ad.sure}
// CHECK: %[[KEY:.*]] = arith.index_cast
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[KEY]], %{{.*}}
// CHECK: scf.if %[[INSIDE]]
// CHECK: tensor.extract %[[CHAINS]]#0[%[[I]]]
// CHECK: tensor.extract %[[ONCE]]
// CHECK: tensor.extract %[[DEST]][%[[KEY]]]
// CHECK: tensor.insert %{{.*}} into %[[ONCE]][%[[I]]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[ONCE]]
// CHECK: "soac.map"(%{{.*}}, %[[CHAINS]]#1)
// CHECK: tensor.extract %[[ROWS]]
// CHECK: tensor.extract %[[DEST]]
func.func @hist(%n: index, %keys: tensor<?xi64>, %dest: tensor<?xf64>, %vs: tensor<?xf64>, %e: f64, %w: f64) -> tensor<?xf64> {
  %y = "soac.hist"(%n, %keys, %dest, %vs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.mulf %a, %w : f64
    %d = arith.addf %c, %b : f64
    "soac.yield"(%d) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Constants have no derivative, so this one stays.
// CHECK-LABEL: func.func @constants_only(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64
// CHECK: "soac.reduce"(%[[N]], %[[XS]], %[[E]])
// CHECK-NOT: scf.for
func.func @constants_only(%n: index, %xs: tensor<?xf64>, %e: f64) -> f64 {
  %w = arith.constant 2.0 : f64
  %y = "soac.reduce"(%n, %xs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.mulf %a, %w : f64
    %d = arith.addf %c, %b : f64
    "soac.yield"(%d) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %y : f64
}
