// Small launches that need nothing of each other are one.
// RUN: tapeless-opt --split-input-file --lower-launches %s | filecheck %s

// Two rows and a column of a square: the block's number says which of them it works for.
// CHECK: tapeless.plan
// CHECK-SAME: \22kernel\22: \22borders_kernel0\22, \22grid\22: [3, 1, 1], \22block\22: [256, 1, 1]
// CHECK-LABEL: gpu.func @borders_kernel0(
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: arith.cmpi ult, %[[BLOCK]], %c1
// CHECK: scf.if
// CHECK: memref.store
// CHECK: } else {
// CHECK: arith.cmpi ult, %[[BLOCK]], %c2
// CHECK: scf.if
// CHECK: memref.store
// CHECK: } else {
// CHECK: memref.store
// CHECK: gpu.return
// CHECK-NOT: gpu.func @borders_kernel1
func.func @borders(%x: memref<100x100xf64>, %y: memref<100x100xf64>) attributes {tapeless.abi = "{\"parameters\": [1], \"results\": [1]}"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c99 = arith.constant 99 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c1 step %c1 {
    scf.for %j = %c0 to %c100 step %c1 {
      %v = memref.load %x[%i, %j] : memref<100x100xf64>
      memref.store %v, %y[%i, %j] : memref<100x100xf64>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c1 step %c1 {
    %k = arith.addi %i, %c99 : index
    scf.for %j = %c0 to %c100 step %c1 {
      %v = memref.load %x[%k, %j] : memref<100x100xf64>
      memref.store %v, %y[%k, %j] : memref<100x100xf64>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c1 to %c99 step %c1 {
    scf.for %j = %c0 to %c1 step %c1 {
      %v = memref.load %x[%i, %j] : memref<100x100xf64>
      memref.store %v, %y[%i, %j] : memref<100x100xf64>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// -----

// What another launch has written is read by a launch of its own.
// CHECK-LABEL: gpu.func @after_kernel0(
// CHECK-LABEL: gpu.func @after_kernel1(
func.func @after(%x: memref<8x8xf64>, %y: memref<8x8xf64>) attributes {tapeless.abi = "{\"parameters\": [1], \"results\": [1]}"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %v = memref.load %x[%i, %j] : memref<8x8xf64>
      memref.store %v, %y[%i, %j] : memref<8x8xf64>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c1 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %v = memref.load %y[%c7, %j] : memref<8x8xf64>
      memref.store %v, %y[%i, %j] : memref<8x8xf64>
    } {tapeless.parallel}
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}
