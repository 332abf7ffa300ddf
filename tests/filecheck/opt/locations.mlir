// Locations of the user's Python lines go through upstream and Python passes and come out with the errors.
// RUN: tapeless-opt %s --allow-unregistered-dialect --soac-inline --canonicalize --cse --mlir-print-debuginfo --mlir-print-local-scope | filecheck %s
// RUN: not tapeless-opt %s --allow-unregistered-dialect --canonicalize --one-shot-bufferize -o /dev/null 2>&1 | filecheck %s --check-prefix=ERROR

// CHECK-LABEL: func.func @f
// CHECK: math.sin {{.*}} loc("model.py":12:5)
// CHECK: arith.mulf {{.*}} loc("model.py":13:9)

// ERROR: model.py:14:3: error: op was not bufferized
func.func @f(%x: f64) -> f64 {
  %y = math.sin %x : f64 loc("model.py":12:5)
  %z = arith.mulf %y, %y : f64 loc("model.py":13:9)
  %t = "test.source"() : () -> tensor<4xf64> loc("model.py":14:3)
  return %z : f64
}
