// Products stay apart from several totals of a loop of four to eight iterations, which LLVM unrolls and sums side by side.
// RUN: tapeless-opt --lower-fma %s | filecheck %s

// CHECK-LABEL: func.func private @five(
// CHECK: %[[SQUARE:.*]] = arith.mulf
// CHECK-NEXT: %[[SHARE:.*]] = arith.mulf
// CHECK-NEXT: arith.addf %{{.*}}, %[[SQUARE]] fastmath<reassoc,nsz> : f64
// CHECK-NEXT: arith.addf %{{.*}}, %[[SHARE]] fastmath<reassoc,nsz> : f64
func.func private @five(%m: memref<5xf64>, %w: f64) -> (f64, f64) {
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

// CHECK-LABEL: func.func private @alone(
// CHECK: llvm.intr.fmuladd
func.func private @alone(%m: memref<5xf64>) -> f64 {
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

// CHECK-LABEL: func.func private @three(
// CHECK: llvm.intr.fmuladd
// CHECK: llvm.intr.fmuladd
func.func private @three(%m: memref<3xf64>, %w: f64) -> (f64, f64) {
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

// CHECK-LABEL: func.func private @lanes(
// CHECK: llvm.intr.fmuladd
func.func private @lanes(%m: memref<5xvector<4xf64>>, %zero: vector<4xf64>) -> vector<4xf64> {
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

// Code around parts is not the same for every number of threads: its short sums are made in order.
// CHECK-LABEL: func.func @around_parts(
// CHECK: %[[SQUARE:.*]] = arith.mulf
// CHECK-NEXT: arith.addf %{{.*}}, %[[SQUARE]] : f64
func.func @around_parts(%m: memref<9xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%t = %zero) -> (f64) {
    %x = memref.load %m[%i] : memref<9xf64>
    %p = arith.mulf %x, %x fastmath<contract> : f64
    %s = arith.addf %t, %p fastmath<reassoc,nsz,contract> : f64
    scf.yield %s : f64
  }
  return %r : f64
}


// From 16 numbers on, loops that read elements side by side stay loops until LLVM makes vectors of them, in an order of
// their own; where elements lie apart, sums are made in order.
// CHECK-LABEL: func.func @vectors(
// CHECK: scf.for
// CHECK: llvm.intr.fmuladd{{.*}}fastmathFlags = #llvm.fastmath<nsz, reassoc>
// CHECK: {loop_annotation = #loop_annotation}
// CHECK: scf.for
// CHECK: %[[SQUARE:.*]] = arith.mulf
// CHECK-NEXT: arith.addf %{{.*}}, %[[SQUARE]] : f64
func.func @vectors(%m: memref<16xf64>, %columns: memref<16x3xf64>) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%t = %zero) -> (f64) {
    %x = memref.load %m[%i] : memref<16xf64>
    %p = arith.mulf %x, %x fastmath<contract> : f64
    %s = arith.addf %t, %p fastmath<reassoc,nsz,contract> : f64
    scf.yield %s : f64
  }
  %apart = scf.for %i = %c0 to %c16 step %c1 iter_args(%t = %zero) -> (f64) {
    %x = memref.load %columns[%i, %c1] : memref<16x3xf64>
    %p = arith.mulf %x, %x fastmath<contract> : f64
    %s = arith.addf %t, %p fastmath<reassoc,nsz,contract> : f64
    scf.yield %s : f64
  }
  return %r, %apart : f64, f64
}
