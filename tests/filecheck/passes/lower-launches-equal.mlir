// Launches with the same code are launches of one kernel, with other arguments.
// RUN: tapeless-opt --split-input-file --lower-launches %s | filecheck %s

// From x to y, from y to z, and by another number.
// CHECK: tapeless.plan
// CHECK-SAME: {\22twice_kernel0\22: {
// CHECK-SAME: \22kernel\22: \22twice_kernel0\22{{[^}]*}}\22a0\22, \22a1\22, \22o0\22
// CHECK-SAME: \22kernel\22: \22twice_kernel0\22{{[^}]*}}\22o0\22, \22a2\22, \22o1\22
// CHECK: gpu.func @twice_kernel0(
// CHECK-NOT: gpu.func
// CHECK: func.func private @twice
func.func @twice(%x: memref<?xf64>, %a: f64, %b: f64, %y: memref<?xf64>, %z: memref<?xf64>) attributes {tapeless.abi = "{\"parameters\": [1, 2, 3], \"results\": []}"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %m = memref.dim %y, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %w = arith.mulf %v, %a : f64
    memref.store %w, %y[%i] : memref<?xf64>
  } {tapeless.launch = "each thread"}
  scf.for %i = %c0 to %m step %c1 {
    %v = memref.load %y[%i] : memref<?xf64>
    %w = arith.mulf %v, %b : f64
    memref.store %w, %z[%i] : memref<?xf64>
  } {tapeless.launch = "each thread"}
  return
}

// -----

// What is constant in one of them makes it another kernel.
// CHECK: gpu.func @scaled_kernel0(
// CHECK: arith.constant 2.000000e+00
// CHECK: gpu.func @scaled_kernel1(
// CHECK: arith.constant 3.000000e+00
func.func @scaled(%x: memref<?xf64>, %y: memref<?xf64>, %z: memref<?xf64>) attributes {tapeless.abi = "{\"parameters\": [1], \"results\": []}"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %m = memref.dim %y, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %w = arith.mulf %v, %two : f64
    memref.store %w, %y[%i] : memref<?xf64>
  } {tapeless.launch = "each thread"}
  scf.for %i = %c0 to %m step %c1 {
    %v = memref.load %y[%i] : memref<?xf64>
    %w = arith.mulf %v, %three : f64
    memref.store %w, %z[%i] : memref<?xf64>
  } {tapeless.launch = "each thread"}
  return
}
