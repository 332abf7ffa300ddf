// lower-expand-vector-sqrt lets roots of vectors go by Newton's method where a loop would wait for them.
// RUN: tapeless-opt --lower-expand-vector-sqrt="estimates=true" %s | filecheck %s
// RUN: tapeless-opt --lower-expand-vector-sqrt %s | filecheck %s --check-prefix=PLAIN

// Every register has an estimate of its own; numbers that are not ordinary in every lane go by the instruction.
// CHECK-LABEL: func.func @inverse_cubes
// CHECK: arith.cmpf oge, %arg0
// CHECK: arith.cmpf ole, %arg0
// CHECK: %[[ALL:.*]] = vector.reduction <and>
// CHECK: %[[ROOT:.*]] = scf.if %[[ALL]] -> (vector<16xf64>) {
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.rsqrt14.pd.512"
// CHECK-COUNT-8: math.fma
// CHECK: } else {
// CHECK: math.sqrt %arg0 : vector<16xf64>
// CHECK: }
// CHECK: arith.mulf %arg0, %[[ROOT]]
// PLAIN-NOT: rsqrt14
func.func @inverse_cubes(%x: vector<16xf64>, %m: vector<16xf64>) -> vector<16xf64> {
  %r = math.sqrt %x : vector<16xf64>
  %c = arith.mulf %x, %r : vector<16xf64>
  %q = arith.divf %m, %c : vector<16xf64>
  return %q : vector<16xf64>
}

// Roots that other operations hide stay instructions, as do those of numbers, of parts of registers and of floats.
// CHECK-LABEL: func.func @others
// CHECK-NOT: rsqrt14
// CHECK: return
func.func @others(%x: vector<8xf64>, %a: f64, %b: vector<4xf64>, %c: vector<16xf32>) -> (vector<8xf64>, f64, vector<4xf64>, vector<16xf32>) {
  %r = math.sqrt %x : vector<8xf64>
  %e = math.exp %r : vector<8xf64>
  %l = math.log %e : vector<8xf64>
  %ra = math.sqrt %a : f64
  %rb = math.sqrt %b : vector<4xf64>
  %rc = math.sqrt %c : vector<16xf32>
  return %l, %ra, %rb, %rc : vector<8xf64>, f64, vector<4xf64>, vector<16xf32>
}

// Lanes run an innermost map for it; what fills no block runs one by one.
// CHECK-LABEL: func.func @map
// CHECK: scf.for %{{.*}} step %c16
// CHECK: vector.load %arg0{{.*}} vector<16xf64>
// CHECK: rsqrt14
// CHECK: arith.divf %{{.*}} : vector<16xf64>
// CHECK: math.sqrt %{{.*}} : f64
func.func @map(%x: memref<?xf64>, %y: memref<?xf64>, %n: index, %m: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf64>
    %r = math.sqrt %a : f64
    %q = arith.divf %m, %r : f64
    memref.store %q, %y[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// Loops whose lanes would not read neighbours, and those whose iterations follow one another, are left to LLVM.
// CHECK-LABEL: func.func @for_llvm
// CHECK-NOT: vector<
// CHECK: return
func.func @for_llvm(%x: memref<?x3xf64>, %y: memref<?xf64>, %n: index, %m: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i, %c1] : memref<?x3xf64>
    %r = math.sqrt %a : f64
    memref.store %r, %y[%i] : memref<?xf64>
  } {tapeless.parallel}
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %m) -> f64 {
    %a = memref.load %y[%i] : memref<?xf64>
    %r = math.sqrt %a : f64
    %u = arith.addf %t, %r : f64
    scf.yield %u : f64
  }
  memref.store %s, %y[%c0] : memref<?xf64>
  return
}
