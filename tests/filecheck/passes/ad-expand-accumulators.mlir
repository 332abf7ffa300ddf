// ad-expand on accumulators: tangents are summed beside the values, at the same indices.
// RUN: tapeless-opt --ad-expand --canonicalize --cse %s | filecheck %s

func.func private @summed(%n: index, %xs: tensor<?xf64>, %zeros: tensor<?xf64>) -> tensor<?xf64> {
  %sum = "soac.with_acc"(%zeros) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %done = "soac.map"(%n, %xs, %acc) ({
    ^bb0(%i: index, %x: f64, %part: !soac.acc<tensor<?xf64>>):
      %y = arith.mulf %x, %x : f64
      %sure = "soac.update"(%part, %i, %y) {soac.in_bounds} : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      %tried = "soac.update"(%sure, %i, %x) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%tried) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%done) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %sum : tensor<?xf64>
}

// Indices that are known to be inside are so for the tangents, and only those.
// CHECK-LABEL: func.func @summed_jvp(
// CHECK: "soac.with_acc"
// CHECK: ^bb0(%[[I:.*]]: index, %[[X:.*]]: f64, %[[DX:.*]]: f64, %[[A:.*]]: !soac{{.*}}, %[[DA:.*]]: !soac
// CHECK-DAG: %[[A1:.*]] = "soac.update"(%[[A]], %[[I]], %{{.*}}) {soac.in_bounds}
// CHECK-DAG: %[[DA1:.*]] = "soac.update"(%[[DA]], %[[I]], %{{.*}}) {soac.in_bounds}
// CHECK-DAG: %[[A2:.*]] = "soac.update"(%[[A1]], %[[I]], %[[X]]) :
// CHECK-DAG: %[[DA2:.*]] = "soac.update"(%[[DA1]], %[[I]], %[[DX]]) :
// CHECK: "soac.yield"(%[[A2]], %[[DA2]])
func.func @summed_jvp(%n: index, %xs: tensor<?xf64>, %zeros: tensor<?xf64>, %dxs: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = "ad.jvp"(%n, %xs, %zeros, %dxs) {
    callee = @summed, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}
