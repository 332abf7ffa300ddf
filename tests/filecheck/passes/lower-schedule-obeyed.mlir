// Loops are as the schedule says, whatever the pass that writes schedules would have said.
// RUN: tapeless-opt --lower-plan-storage --lower-loops %s | filecheck %s

// CHECK-NOT: tapeless.scheduled
// CHECK: func.func private @in_parts_part0
// CHECK: tapeless.parallel
// CHECK: call @in_parts_part0
// CHECK-NOT: tapeless.scheduled
func.func @in_parts(%x: tensor<8xf64>) -> tensor<8xf64> attributes {tapeless.scheduled = {sequential = false, target = "cpu", threads = 1 : i64}} {
  %n = arith.constant 8 : index
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    %s = arith.mulf %e, %e : f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>, soac.schedule = {form = "parts", smallest = 4 : i64}} : (index, tensor<8xf64>) -> tensor<8xf64>
  return %y : tensor<8xf64>
}
