// ad-take-steps leaves the second way of loops, too, where it is asked for.
// RUN: tapeless-opt --pass-pipeline='builtin.module(ad-take-steps{loops=true},canonicalize)' %s | filecheck %s

// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %[[X:[^:]*]]: f64, %{{.*}}: f64)
// CHECK-NEXT: %[[STEPS:.*]] = math.sin %[[X]] : f64
// CHECK-NEXT: return %[[STEPS]], %[[X]] : f64, f64
func.func @loop(%x: f64, %whole: f64) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %nothing = arith.mulf %whole, %zero : f64
  %finite = arith.cmpf oeq, %nothing, %zero {tapeless.guarded, tapeless.solved} : f64
  %r = scf.if %finite -> f64 {
    scf.yield %whole : f64
  } else {
    %a = math.sin %x : f64
    scf.yield %a : f64
  }
  %s = arith.select %finite, %whole, %x : f64
  return %r, %s : f64, f64
}
