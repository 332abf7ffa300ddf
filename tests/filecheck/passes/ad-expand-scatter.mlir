// ad-expand on scatter: the last value of each key gathers the adjoint; what was overwritten has none.
// RUN: tapeless-opt --ad-expand --canonicalize --cse --soac-simplify --canonicalize --cse %s | filecheck %s

func.func private @written(%n: index, %dest: tensor<?xf64>, %keys: tensor<?xi64>, %vs: tensor<?xf64>) -> tensor<?xf64> {
  %y = "soac.scatter"(%n, %dest, %keys, %vs) : (index, tensor<?xf64>, tensor<?xi64>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// CHECK-LABEL: func.func @written_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[DEST:[^:]*]]: tensor<?xf64>, %[[KEYS:[^:]*]]: tensor<?xi64>,
// CHECK-SAME: %[[VS:[^:]*]]: tensor<?xf64>, %[[BAR:[^:]*]]: tensor<?xf64>
// CHECK: %[[LAST:.*]] = "soac.hist"(%{{.*}}, %[[KEYS]],
// CHECK: arith.maxsi
// CHECK: %[[VS_BAR:.*]] = "soac.map"(%{{.*}}, %[[KEYS]])
// CHECK-DAG: tensor.extract %[[BAR]]
// CHECK-DAG: tensor.extract %[[LAST]]
// CHECK: %[[ZEROS:.*]] = tensor.splat
// CHECK: %[[DEST_BAR:.*]] = "soac.scatter"(%[[N]], %[[BAR]], %[[KEYS]], %[[ZEROS]])
// CHECK: return %[[DEST_BAR]], %[[VS_BAR]]
func.func @written_vjp(%n: index, %dest: tensor<?xf64>, %keys: tensor<?xi64>, %vs: tensor<?xf64>, %bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = "ad.vjp"(%n, %dest, %keys, %vs, %bar) {
    callee = @written, wrt = [1, 3], method = "redundant", operandSegmentSizes = array<i32: 4, 1>
  } : (index, tensor<?xf64>, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @written_jvp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[DEST:[^:]*]]: tensor<?xf64>, %[[KEYS:[^:]*]]: tensor<?xi64>,
// CHECK-SAME: %[[VS:[^:]*]]: tensor<?xf64>, %[[DDEST:[^:]*]]: tensor<?xf64>, %[[DVS:[^:]*]]: tensor<?xf64>
// CHECK-NEXT: "soac.scatter"(%[[N]], %[[DDEST]], %[[KEYS]], %[[DVS]])
func.func @written_jvp(%n: index, %dest: tensor<?xf64>, %keys: tensor<?xi64>, %vs: tensor<?xf64>, %ddest: tensor<?xf64>, %dvs: tensor<?xf64>) -> (tensor<?xf64>) {
  %r:2 = "ad.jvp"(%n, %dest, %keys, %vs, %ddest, %dvs) {
    callee = @written, wrt = [1, 3], method = "redundant", operandSegmentSizes = array<i32: 4, 2>
  } : (index, tensor<?xf64>, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
