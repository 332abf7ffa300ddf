// ad-expand on ad.stop_gradient and ad.checkpoint, which go in the end.
// RUN: tapeless-opt --ad-expand --canonicalize --cse --soac-simplify --canonicalize --cse %s | filecheck %s

func.func private @stopped(%x: f64) -> f64 {
  %fixed = "ad.stop_gradient"(%x) : (f64) -> f64
  %y = arith.mulf %fixed, %x : f64
  return %y : f64
}

// The stopped factor gets no adjoint.
// CHECK-LABEL: func.func @stopped_vjp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK-NEXT: %[[X_BAR:.*]] = arith.mulf %[[BAR]], %[[X]]
// CHECK-NEXT: return %[[X_BAR]]
func.func @stopped_vjp(%x: f64, %bar: f64) -> f64 {
  %r:2 = "ad.vjp"(%x, %bar) {
    callee = @stopped, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}

// CHECK-LABEL: func.func @stopped_jvp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[DX:[^:]*]]: f64
// CHECK-NEXT: %[[TANGENT:.*]] = arith.mulf %[[DX]], %[[X]]
// CHECK-NEXT: return %[[TANGENT]]
func.func @stopped_jvp(%x: f64, %dx: f64) -> f64 {
  %r:2 = "ad.jvp"(%x, %dx) {
    callee = @stopped, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}

func.func private @marked(%n: index, %x: f64, %w: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = math.sin %x : f64
  %y = "ad.checkpoint"() ({
    %z = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (f64) {
      %b = arith.mulf %t, %w : f64
      scf.yield %b : f64
    }
    "ad.yield"(%z) : (f64) -> ()
  }) : () -> f64
  return %y : f64
}

// Nothing of the marked part is stored on the way forward; it runs again, storing, just before it runs back.
// CHECK-LABEL: func.func @marked_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[X:[^:]*]]: f64, %[[W:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK: %[[START:.*]] = math.sin %[[X]]
// CHECK: %[[VALUE:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[START]]) -> (f64) {
// CHECK: %[[STATES:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[START]], %{{.*}} = %{{.*}}) -> (f64, tensor<?xf64>) {
// CHECK: %[[BARS:.*]]:2 = scf.for
// CHECK: tensor.extract %[[STATES]]#1
// CHECK: return %[[VALUE]], %[[BARS]]#1
func.func @marked_vjp(%n: index, %x: f64, %w: f64, %bar: f64) -> (f64, f64) {
  %y, %w_bar = "ad.vjp"(%n, %x, %w, %bar) {
    callee = @marked, wrt = [2], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, f64, f64, f64) -> (f64, f64)
  return %y, %w_bar : f64, f64
}
