// Hints on loops are checked where IR enters: each message says what is wrong and what to do.
// RUN: tapeless-opt %s --split-input-file --verify-diagnostics
// RUN: not tapeless-opt %s 2>&1 | filecheck %s

// CHECK: ad-loop-hints-invalid.mlir:{{[0-9]+}}:8: error: 'scf.for' op has ad.stripmine = 0 : i64; make it an integer of at least 1
func.func @too_few(%n: index, %c: f64) -> f64 {
  // expected-error @+1 {{'scf.for' op has ad.stripmine = 0 : i64; make it an integer of at least 1}}
  %r = scf.for %i = %n to %n step %n iter_args(%x = %c) -> f64 {
    scf.yield %x : f64
  } {ad.stripmine = 0 : i64}
  return %r : f64
}

// -----

func.func @unknown(%n: index) {
  // expected-error @+1 {{'scf.for' op has the unknown attribute ad.strip; use one of ad.stripmine, ad.budget}}
  scf.for %i = %n to %n step %n {
  } {ad.strip = 2 : i64}
  return
}
