// soac-distribute-nests makes reductions of what loops add at places that they do not change.
// RUN: tapeless-opt --soac-distribute-nests %s | filecheck %s

// A loop that adds nowhere else is a reduction; one thread adds the sums at their places.
// CHECK-LABEL: func.func @parameters
// CHECK: "soac.with_acc"
// CHECK: %[[SUMS:.*]]:2 = "soac.fused"
// CHECK-NOT: soac.update
// CHECK: arith.addf
// CHECK: "soac.map"(%c1
// CHECK-DAG: "soac.update"(%{{.*}}, %c0, %[[SUMS]]#0)
// CHECK-DAG: "soac.update"(%{{.*}}, %c3, %[[SUMS]]#1)
func.func @parameters(%n: index, %p: tensor<?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %out = "soac.with_acc"(%p) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %r = "soac.map"(%n, %x, %acc) ({
    ^bb0(%i: index, %a: f64, %own: !soac.acc<tensor<?xf64>>):
      %b = math.exp %a : f64
      %1 = "soac.update"(%own, %c0, %a) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      %2 = "soac.update"(%1, %c3, %b) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%2) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%r) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %out : tensor<?xf64>
}

// What a branch adds is zero where it is not taken; a loop that adds at other places, too, leaves an array of terms.
// CHECK-LABEL: func.func @branches
// CHECK: %[[MAP:.*]]:2 = "soac.map"
// CHECK: %[[IF:.*]] = scf.if
// CHECK: scf.yield %{{.*}} : f64
// CHECK: scf.yield %{{.*}} : f64
// CHECK: "soac.update"(%{{.*}}, %{{.*}}, %{{.*}})
// CHECK: "soac.yield"(%[[IF]], %{{.*}}) : (f64, !soac.acc<tensor<?xf64>>)
// CHECK: "soac.reduce"(%{{.*}}, %[[MAP]]#0,
// CHECK: "soac.map"(%c1
// CHECK: "soac.update"(%{{.*}}, %c3,
func.func @branches(%n: index, %p: tensor<?xf64>, %q: tensor<?xf64>, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %out:2 = "soac.with_acc"(%p, %q) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>, %acc2: !soac.acc<tensor<?xf64>>):
    %r:2 = "soac.map"(%n, %x, %acc, %acc2) ({
    ^bb0(%i: index, %a: f64, %own: !soac.acc<tensor<?xf64>>, %other: !soac.acc<tensor<?xf64>>):
      %is = arith.cmpf ogt, %a, %zero : f64
      %1 = scf.if %is -> (!soac.acc<tensor<?xf64>>) {
        %e = math.exp %a : f64
        %2 = "soac.update"(%own, %c3, %e) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
        scf.yield %2 : !soac.acc<tensor<?xf64>>
      } else {
        scf.yield %own : !soac.acc<tensor<?xf64>>
      }
      %3 = "soac.update"(%other, %i, %a) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%1, %3) : (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 2>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) -> (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>)
    "soac.yield"(%r#0, %r#1) : (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %out#0, %out#1 : tensor<?xf64>, tensor<?xf64>
}
