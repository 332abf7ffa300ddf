// ad-interchange: operators on rows become maps of scalar operators over columns; sums of rows stay.
// RUN: tapeless-opt --ad-interchange --canonicalize --cse %s | filecheck %s

// CHECK-LABEL: func.func @reduce(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[M:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?x?xf64>, %[[ES:[^:]*]]: tensor<?xf64>
// CHECK: %[[COLUMNS:.*]] = "soac.transpose"(%[[XS]]) {permutation = [1, 0]}
// CHECK-NEXT: %[[RESULT:.*]] = "soac.map"(%{{.*}}, %[[COLUMNS]], %[[ES]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[COLUMN:.*]]: tensor<?xf64>, %[[E:.*]]: f64):
// CHECK-NEXT: "soac.reduce"(%[[N]], %[[COLUMN]], %[[E]]) ({
// CHECK-NEXT: ^bb0(%[[LEFT:.*]]: f64, %[[RIGHT:.*]]: f64):
// CHECK-NEXT: arith.mulf %[[LEFT]], %[[RIGHT]]
// CHECK: return %[[RESULT]]
func.func @reduce(%n: index, %m: index, %xs: tensor<?x?xf64>, %es: tensor<?xf64>) -> tensor<?xf64> {
  %y = "soac.reduce"(%n, %xs, %es) ({
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>):
    %c = "soac.map"(%m, %a, %b) ({
    ^bb0(%i: index, %p: f64, %q: f64):
      %r = arith.mulf %p, %q : f64
      "soac.yield"(%r) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%c) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// The direction stays, and the result is transposed back.
// CHECK-LABEL: func.func @scan(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[M:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?x?xf64>, %[[ES:[^:]*]]: tensor<?xf64>
// CHECK: %[[COLUMNS:.*]] = "soac.transpose"(%[[XS]]) {permutation = [1, 0]}
// CHECK-NEXT: %[[SCANNED:.*]] = "soac.map"(%{{.*}}, %[[COLUMNS]], %[[ES]])
// CHECK: "soac.scan"(%[[N]], %{{.*}}, %{{.*}})
// CHECK: arith.maximumf
// CHECK: exclusive = true{{.*}}reverse = false
// CHECK: %[[RESULT:.*]] = "soac.transpose"(%[[SCANNED]]) {permutation = [1, 0]}
// CHECK-NEXT: return %[[RESULT]]
func.func @scan(%n: index, %m: index, %xs: tensor<?x?xf64>, %es: tensor<?xf64>) -> tensor<?x?xf64> {
  %y = "soac.scan"(%n, %xs, %es) ({
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>):
    %c = "soac.map"(%m, %a, %b) ({
    ^bb0(%i: index, %p: f64, %q: f64):
      %r = arith.maximumf %p, %q : f64
      "soac.yield"(%r) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%c) : (tensor<?xf64>) -> ()
  }) {
    operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = true, reverse = false
  } : (index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @hist(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[M:[^:]*]]: index, %[[KEYS:[^:]*]]: tensor<?xi64>,
// CHECK-SAME: %[[DEST:[^:]*]]: tensor<?x?xf64>, %[[VS:[^:]*]]: tensor<?x?xf64>, %[[ES:[^:]*]]: tensor<?xf64>
// CHECK-DAG: %[[BINS:.*]] = "soac.transpose"(%[[DEST]]) {permutation = [1, 0]}
// CHECK-DAG: %[[COLUMNS:.*]] = "soac.transpose"(%[[VS]]) {permutation = [1, 0]}
// CHECK: %[[MADE:.*]] = "soac.map"(%{{.*}}, %[[BINS]], %[[COLUMNS]], %[[ES]])
// CHECK: "soac.hist"(%[[N]], %[[KEYS]], %{{.*}})
// CHECK: %[[RESULT:.*]] = "soac.transpose"(%[[MADE]]) {permutation = [1, 0]}
// CHECK-NEXT: return %[[RESULT]]
func.func @hist(%n: index, %m: index, %keys: tensor<?xi64>, %dest: tensor<?x?xf64>, %vs: tensor<?x?xf64>, %es: tensor<?xf64>) -> tensor<?x?xf64> {
  %y = "soac.hist"(%n, %keys, %dest, %vs, %es) ({
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>):
    %c = "soac.map"(%m, %a, %b) ({
    ^bb0(%i: index, %p: f64, %q: f64):
      %r = arith.mulf %p, %q : f64
      "soac.yield"(%r) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%c) : (tensor<?xf64>) -> ()
  }) {
    operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>
  } : (index, tensor<?xi64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @sums_stay(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[M:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?x?xf64>, %[[ES:[^:]*]]: tensor<?xf64>
// CHECK-NOT: soac.transpose
// CHECK: "soac.reduce"(%[[N]], %[[XS]], %[[ES]])
func.func @sums_stay(%n: index, %m: index, %xs: tensor<?x?xf64>, %es: tensor<?xf64>) -> tensor<?xf64> {
  %y = "soac.reduce"(%n, %xs, %es) ({
  ^bb0(%a: tensor<?xf64>, %b: tensor<?xf64>):
    %c = "soac.map"(%m, %a, %b) ({
    ^bb0(%i: index, %p: f64, %q: f64):
      %r = arith.addf %p, %q : f64
      "soac.yield"(%r) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%c) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
