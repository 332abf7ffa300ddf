// ad-share-seeds, which ad-expand runs, moves what no seed changes out of a marked map over seeds.
// RUN: tapeless-opt --ad-expand --mlir-print-ir-before=ad-share-seeds --mlir-print-ir-after=ad-share-seeds %s -o /dev/null 2>&1 | filecheck %s

// The exponentials are the same for every seed: a map of their own makes them before; the mark goes.
// CHECK: IR Dump Before ad-share-seeds
// CHECK-LABEL: func.func @exponentials_jvp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[AS:[^:]*]]: tensor<?xf64>, %[[DXS:[^:]*]]: tensor<3xf64>
// CHECK: "soac.map"(%{{.*}}, %[[DXS]]) ({
// CHECK: math.exp
// CHECK: ad.seeds
// CHECK: IR Dump After ad-share-seeds
// CHECK-LABEL: func.func @exponentials_jvp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[AS:[^:]*]]: tensor<?xf64>, %[[DXS:[^:]*]]: tensor<3xf64>
// CHECK: %[[KEPT:.*]] = "soac.map"
// CHECK: math.exp
// CHECK: "soac.map"(%{{.*}}, %[[DXS]]) ({
// CHECK-NOT: math.exp
// CHECK: "soac.map"(%{{.*}}, %[[AS]], %[[KEPT]]) ({
// CHECK-NOT: ad.seeds
// CHECK: return
func.func private @exponentials(%x: f64, %as: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %as, %c0 : tensor<?xf64>
  %ys = "soac.map"(%n, %as) ({
  ^bb0(%i: index, %a: f64):
    %p = arith.mulf %a, %x : f64
    %e = math.exp %p : f64
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %ys : tensor<?xf64>
}
func.func @exponentials_jvp(%x: f64, %as: tensor<?xf64>, %dxs: tensor<3xf64>) -> tensor<3x?xf64> {
  %r:2 = "ad.jvp"(%x, %as, %dxs) {
    callee = @exponentials, wrt = [0], method = "redundant", seed_size = 3 : i64, operandSegmentSizes = array<i32: 2, 1>
  } : (f64, tensor<?xf64>, tensor<3xf64>) -> (tensor<?xf64>, tensor<3x?xf64>)
  return %r#1 : tensor<3x?xf64>
}
