// Maps in maps that add at places that they compute are one map over all iterations of both.
// RUN: tapeless-opt --soac-distribute-nests %s | filecheck %s

// What inner iterations leave beside is parted into rows again.
// CHECK-LABEL: func.func @both
// CHECK: %[[N:.*]] = arith.maxsi %arg3, %c0
// CHECK: %[[M:.*]] = arith.maxsi %arg4, %c0
// CHECK: %[[ALL:.*]] = arith.muli %[[N]], %[[M]] : index
// CHECK: soac.with_acc
// CHECK: "soac.map"(%[[ALL]], %{{.*}}) ({
// CHECK-NEXT: ^bb0(%[[NUMBER:.*]]: index, %[[ACC:.*]]: !soac.acc
// CHECK-DAG: %[[I:.*]] = arith.divui %[[NUMBER]], %[[M]]
// CHECK-DAG: %[[J:.*]] = arith.remui %[[NUMBER]], %[[M]]
// CHECK-DAG: %[[KEY:.*]] = tensor.extract %{{.*}}[%[[I]], %[[J]]] : tensor<?x?xindex>
// CHECK-DAG: %[[OWN:.*]] = tensor.extract %{{.*}}[%[[J]]] : tensor<?xf64>
// CHECK-NOT: soac.map
// CHECK: soac.update{{.*}}%[[ACC]], %[[KEY]]
// CHECK: tensor.reshape {{.*}} -> tensor<?x?xf64>
func.func @both(%g: tensor<?xf64>, %keys: tensor<?x?xindex>, %x: tensor<?xf64>, %n: index, %m: index) -> (tensor<?xf64>, tensor<?x?xf64>) {
  %s:2 = "soac.with_acc"(%g) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %r:2 = "soac.map"(%n, %keys, %acc) ({
    ^bb0(%i: index, %row: tensor<?xindex>, %own: !soac.acc<tensor<?xf64>>):
      %q:2 = "soac.map"(%m, %row, %x, %own) ({
      ^bb0(%j: index, %key: index, %e: f64, %mine: !soac.acc<tensor<?xf64>>):
        %f = math.exp %e : f64
        %u = "soac.update"(%mine, %key, %f) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
        "soac.yield"(%f, %u) : (f64, !soac.acc<tensor<?xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xindex>, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, !soac.acc<tensor<?xf64>>)
      "soac.yield"(%q#0, %q#1) : (tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?x?xindex>, !soac.acc<tensor<?xf64>>) -> (tensor<?x?xf64>, !soac.acc<tensor<?xf64>>)
    "soac.yield"(%r#1, %r#0) : (!soac.acc<tensor<?xf64>>, tensor<?x?xf64>) -> ()
  }) : (tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>)
  return %s#0, %s#1 : tensor<?xf64>, tensor<?x?xf64>
}

// Rows that are added at a place of the outer iteration stay rows: threads share their columns.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: arith.divui
// CHECK: return
func.func @rows(%g: tensor<?x?xf64>, %keys: tensor<?xindex>, %x: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %s = "soac.with_acc"(%g) ({
  ^bb0(%acc: !soac.acc<tensor<?x?xf64>>):
    %r = "soac.map"(%n, %keys, %x, %acc) ({
    ^bb0(%i: index, %key: index, %row: tensor<?xf64>, %own: !soac.acc<tensor<?x?xf64>>):
      %q = "soac.map"(%m, %row, %own) ({
      ^bb0(%j: index, %e: f64, %mine: !soac.acc<tensor<?x?xf64>>):
        %f = math.exp %e : f64
        %u = "soac.update"(%mine, %key, %j, %f) : (!soac.acc<tensor<?x?xf64>>, index, index, f64) -> !soac.acc<tensor<?x?xf64>>
        "soac.yield"(%u) : (!soac.acc<tensor<?x?xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>>
      "soac.yield"(%q) : (!soac.acc<tensor<?x?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xindex>, tensor<?x?xf64>, !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>>
    "soac.yield"(%r) : (!soac.acc<tensor<?x?xf64>>) -> ()
  }) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %s : tensor<?x?xf64>
}
