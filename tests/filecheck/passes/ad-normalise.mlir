// ad-normalise: accumulators become arrays that loops carry.
// RUN: tapeless-opt --ad-normalise=backwards=true --canonicalize --cse %s | filecheck %s

// CHECK-LABEL: func.func @histogram(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[KEYS:[^:]*]]: tensor<?xindex>, %[[DEST:[^:]*]]: tensor<?xf64>,
// CHECK-SAME: %[[VS:[^:]*]]: tensor<?xf64>
// CHECK-NOT: soac.with_acc
// CHECK: %[[RESULT:.*]] = scf.for %[[I:.*]] = %c0 to %[[N]] step %c1 iter_args(%[[SUMS:.*]] = %[[DEST]])
// CHECK-NEXT: %[[KEY:.*]] = tensor.extract %[[KEYS]][%[[I]]]
// CHECK-NEXT: %[[VALUE:.*]] = tensor.extract %[[VS]][%[[I]]]
// CHECK-NEXT: %[[OLD:.*]] = tensor.extract %[[SUMS]][%[[KEY]]]
// CHECK-NEXT: %[[NEW:.*]] = arith.addf %[[OLD]], %[[VALUE]]
// CHECK-NEXT: %[[NEXT:.*]] = tensor.insert %[[NEW]] into %[[SUMS]][%[[KEY]]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK: return %[[RESULT]]
func.func @histogram(%n: index, %keys: tensor<?xindex>, %dest: tensor<?xf64>, %vs: tensor<?xf64>) -> tensor<?xf64> {
  %r = "soac.with_acc"(%dest) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %s = "soac.map"(%n, %keys, %vs, %acc) ({
    ^bb0(%i: index, %k: index, %v: f64, %part: !soac.acc<tensor<?xf64>>):
      %u = "soac.update"(%part, %k, %v) {soac.in_bounds} : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {
      operandSegmentSizes = array<i32: 1, 2, 1>
    } : (index, tensor<?xindex>, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%s) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// Without the promise that places are inside, those outside are ignored.
// CHECK-LABEL: func.func @places_outside(
// CHECK-SAME: %[[K:[^:]*]]: index, %[[DEST:[^:]*]]: tensor<?xf64>, %[[V:[^:]*]]: f64
// CHECK: %[[SIZE:.*]] = tensor.dim %[[DEST]]
// CHECK-NEXT: %[[INSIDE:.*]] = arith.cmpi ult, %[[K]], %[[SIZE]]
// CHECK-NEXT: scf.if %[[INSIDE]]
// CHECK: tensor.insert
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[DEST]]
func.func @places_outside(%k: index, %dest: tensor<?xf64>, %v: f64) -> tensor<?xf64> {
  %r = "soac.with_acc"(%dest) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %u = "soac.update"(%acc, %k, %v) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// What the map gives besides is stored row by row.
// CHECK-LABEL: func.func @with_results(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[DEST:[^:]*]]: tensor<?xf64>, %[[VS:[^:]*]]: tensor<?xf64>
// CHECK: %[[ROOM:.*]] = tensor.empty(%[[N]])
// CHECK: %[[MADE:.*]]:2 = scf.for %[[I:.*]] = {{.*}} iter_args(%[[ROWS:.*]] = %[[ROOM]], %[[SUMS:.*]] = %[[DEST]])
// CHECK: %[[VALUE:.*]] = math.exp
// CHECK: tensor.insert %{{.*}} into %[[SUMS]][%[[I]]]
// CHECK: tensor.insert %[[VALUE]] into %[[ROWS]][%[[I]]]
// CHECK: return %[[MADE]]#1, %[[MADE]]#0
func.func @with_results(%n: index, %dest: tensor<?xf64>, %vs: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = "soac.with_acc"(%dest) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %s:2 = "soac.map"(%n, %vs, %acc) ({
    ^bb0(%i: index, %v: f64, %part: !soac.acc<tensor<?xf64>>):
      %w = math.exp %v : f64
      %u = "soac.update"(%part, %i, %w) {soac.in_bounds} : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%w, %u) : (f64, !soac.acc<tensor<?xf64>>) -> ()
    }) {
      operandSegmentSizes = array<i32: 1, 1, 1>
    } : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, !soac.acc<tensor<?xf64>>)
    "soac.yield"(%s#1, %s#0) : (!soac.acc<tensor<?xf64>>, tensor<?xf64>) -> ()
  }) : (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}
