// The oracle: every array has memory of its own, every update copies, sums keep their order.
// RUN: tapeless-opt --lower-loops=sequential=true %s | filecheck %s

// CHECK-LABEL: func.func @updated
// CHECK-SAME: %[[OUT:[^:]*]]: memref<4xf64>)
// CHECK: %[[SECOND:.*]] = memref.alloca() : memref<4xf64>
// CHECK: %[[FIRST:.*]] = memref.alloca() : memref<4xf64>
// CHECK: memref.store %{{.*}}, %[[FIRST]]
// CHECK: memref.copy %[[FIRST]], %[[SECOND]]
// CHECK: memref.store %{{.*}}, %[[SECOND]]
// CHECK: memref.copy %[[SECOND]], %[[OUT]]
func.func @updated(%v: f64, %i: index) -> tensor<4xf64> {
  %old = tensor.splat %v : tensor<4xf64>
  %new = tensor.insert %v into %old[%i] : tensor<4xf64>
  return %new : tensor<4xf64>
}

// CHECK-LABEL: func.func @sum
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-NOT: reassoc
// CHECK: return
func.func @sum(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = "soac.reduce"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %s : f64
}
