// What loops cannot be made of without a schedule, or with a wrong one on the function.
// RUN: tapeless-opt --lower-plan-storage --lower-loops --split-input-file --verify-diagnostics %s

// expected-error @+1 {{'func.func' op has no schedule; run lower-schedule before lower-loops}}
func.func @f(%x: f64) -> f64 {
  return %x : f64
}

// -----

// expected-error @+1 {{'func.func' op has tapeless.scheduled = {target = "tpu"}; make it tapeless.scheduled = {target = "cpu", threads = 1 : i64, sequential = false}}}
func.func @f(%x: f64) -> f64 attributes {tapeless.scheduled = {target = "tpu"}} {
  return %x : f64
}

// -----

func.func @f(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> attributes {tapeless.scheduled = {sequential = false, target = "cpu", threads = 1 : i64}} {
  // expected-error @+1 {{'soac.map' op has no schedule; run lower-schedule before lower-loops}}
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
