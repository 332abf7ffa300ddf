// RUN: tapeless-opt --ad-unroll --verify-diagnostics %s

func.func @unknown_bounds(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op is marked unroll=True, but its bounds are no constants; give numbers, or use stripmine instead of unroll}}
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (f64) {
    %a = arith.mulf %t, %x : f64
    scf.yield %a : f64
  } {ad.unroll}
  return %y : f64
}
