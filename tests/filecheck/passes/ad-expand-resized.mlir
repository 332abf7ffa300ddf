// ad-expand on loops that change the sizes of what they carry: the largest sizes are found first, states have theirs.
// RUN: tapeless-opt --ad-expand --canonicalize --cse --soac-simplify --canonicalize --cse %s | filecheck %s

func.func private @shrinking(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = "soac.widen"(%x) : (tensor<?xf64>) -> tensor<?xf64>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> (tensor<?xf64>) {
    %size = tensor.dim %t, %c0 : tensor<?xf64>
    %less = arith.subi %size, %c1 : index
    %first = tensor.extract_slice %t[0] [%less] [1] : tensor<?xf64> to tensor<?xf64>
    %squared = "soac.map"(%less, %first) ({
    ^bb0(%k: index, %e: f64):
      %b = arith.mulf %e, %e : f64
      "soac.yield"(%b) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %squared : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}

// CHECK-LABEL: func.func @shrinking_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[X:[^:]*]]: tensor<?xf64>, %[[BAR:[^:]*]]: tensor<?xf64>
// One more run tells the largest size.
// CHECK: %[[FIRST:.*]] = tensor.dim
// CHECK: %[[LARGEST:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[SO_FAR:.*]] = %[[FIRST]])
// CHECK: arith.maxsi %[[SO_FAR]], %{{.*}} : index
// CHECK: %[[ROOM:.*]] = tensor.empty(%{{.*}}, %[[LARGEST]]#1) : tensor<?x?xf64>
// CHECK: %[[LENGTHS:.*]] = tensor.empty(%{{.*}}) : tensor<?xi64>
// Each state is stored with its size.
// CHECK: %[[STATES:.*]]:3 = scf.for %[[I:.*]] = {{.*}} iter_args(%[[STATE:.*]] = %{{.*}}, %[[ROWS:.*]] = %[[ROOM]], %[[SIZES:.*]] = %[[LENGTHS]])
// CHECK: %[[SIZE:.*]] = tensor.dim %[[STATE]]
// CHECK: tensor.insert_slice %[[STATE]] into %[[ROWS]][%[[I]], 0] [1, %[[SIZE]]] [1, 1]
// CHECK: %[[NUMBER:.*]] = arith.index_cast %[[SIZE]] : index to i64
// CHECK: tensor.insert %[[NUMBER]] into %[[SIZES]][%[[I]]]
// On the way back, the adjoint grows.
// CHECK: %[[SEED:.*]] = "soac.widen"
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[SEED]])
// CHECK: %[[STORED:.*]] = tensor.extract %[[STATES]]#2
// CHECK: %[[LENGTH:.*]] = arith.index_cast %[[STORED]] : i64 to index
// CHECK: tensor.extract_slice %[[STATES]]#1[%{{.*}}, 0] [1, %[[LENGTH]]] [1, 1]
func.func @shrinking_vjp(%n: index, %x: tensor<?xf64>, %bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = "ad.vjp"(%n, %x, %bar) {
    callee = @shrinking, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (index, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
