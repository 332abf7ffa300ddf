// Products stay apart from several totals of a loop of four to eight iterations, which LLVM unrolls and sums side by side.
// RUN: tapeless-opt --lower-fma %s | filecheck %s

// CHECK-LABEL: func.func @five(
// CHECK: %[[SQUARE:.*]] = arith.mulf
// CHECK-NEXT: %[[SHARE:.*]] = arith.mulf
// CHECK-NEXT: arith.addf %{{.*}}, %[[SQUARE]] fastmath<reassoc,nsz> : f64
// CHECK-NEXT: arith.addf %{{.*}}, %[[SHARE]] fastmath<reassoc,nsz> : f64
func.func @five(%m: memref<5xf64>, %w: f64) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%t = %zero, %u = %zero) -> (f64, f64) {
    %x = memref.load %m[%i] : memref<5xf64>
    %p = arith.mulf %x, %x fastmath<contract> : f64
    %q = arith.mulf %x, %w fastmath<contract> : f64
    %s = arith.addf %t, %p fastmath<reassoc,nsz,contract> : f64
    %v = arith.addf %u, %q fastmath<reassoc,nsz,contract> : f64
    scf.yield %s, %v : f64, f64
  }
  return %r#0, %r#1 : f64, f64
}

// CHECK-LABEL: func.func @alone(
// CHECK: llvm.intr.fmuladd
func.func @alone(%m: memref<5xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%t = %zero) -> (f64) {
    %x = memref.load %m[%i] : memref<5xf64>
    %p = arith.mulf %x, %x fastmath<contract> : f64
    %s = arith.addf %t, %p fastmath<reassoc,nsz,contract> : f64
    scf.yield %s : f64
  }
  return %r : f64
}

// CHECK-LABEL: func.func @three(
// CHECK: llvm.intr.fmuladd
// CHECK: llvm.intr.fmuladd
func.func @three(%m: memref<3xf64>, %w: f64) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %zero, %u = %zero) -> (f64, f64) {
    %x = memref.load %m[%i] : memref<3xf64>
    %p = arith.mulf %x, %x fastmath<contract> : f64
    %q = arith.mulf %x, %w fastmath<contract> : f64
    %s = arith.addf %t, %p fastmath<reassoc,nsz,contract> : f64
    %v = arith.addf %u, %q fastmath<reassoc,nsz,contract> : f64
    scf.yield %s, %v : f64, f64
  }
  return %r#0, %r#1 : f64, f64
}

// CHECK-LABEL: func.func @lanes(
// CHECK: llvm.intr.fmuladd
func.func @lanes(%m: memref<5xvector<4xf64>>, %zero: vector<4xf64>) -> vector<4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%t = %zero) -> (vector<4xf64>) {
    %x = memref.load %m[%i] : memref<5xvector<4xf64>>
    %p = arith.mulf %x, %x fastmath<contract> : vector<4xf64>
    %s = arith.addf %t, %p fastmath<reassoc,nsz,contract> : vector<4xf64>
    scf.yield %s : vector<4xf64>
  }
  return %r : vector<4xf64>
}
