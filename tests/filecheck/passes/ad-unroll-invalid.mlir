// RUN: tapeless-opt --ad-unroll=limit=100 --verify-diagnostics --split-input-file %s

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

// -----

func.func @too_many(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 1000000000000 : index
  // expected-error @+1 {{'scf.for' op is marked unroll=True and brings the iterations that are written out to 1000000000000; the limit is 100 per function; leave out unroll=True, or use stripmine instead of unroll}}
  %y = scf.for %i = %c0 to %many step %c1 iter_args(%t = %x) -> (f64) {
    %a = arith.mulf %t, %x : f64
    scf.yield %a : f64
  } {ad.unroll}
  return %y : f64
}

// -----

// Inner loops count as often as they are written out.
func.func @too_many_together(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %y = scf.for %i = %c0 to %c10 step %c1 iter_args(%t = %x) -> (f64) {
    // expected-error @+1 {{brings the iterations that are written out to 110; the limit is 100}}
    %z = scf.for %j = %c0 to %c10 step %c1 iter_args(%s = %t) -> (f64) {
      %a = arith.mulf %s, %x : f64
      scf.yield %a : f64
    } {ad.unroll}
    scf.yield %z : f64
  } {ad.unroll}
  return %y : f64
}

// -----

func.func @no_step(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  // expected-error @+1 {{'scf.for' op is marked unroll=True, but its step is 0; give a step of at least 1}}
  %y = scf.for %i = %c0 to %c3 step %c0 iter_args(%t = %x) -> (f64) {
    %a = arith.mulf %t, %x : f64
    scf.yield %a : f64
  } {ad.unroll}
  return %y : f64
}
