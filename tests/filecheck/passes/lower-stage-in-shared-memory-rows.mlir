// Rows that threads read, each its own, are brought by their block before.
// RUN: tapeless-opt --lower-stage-in-shared-memory %s | filecheck %s

// Threads side by side have elements side by side sent, four at a time, and wait until all are there; rows get an odd distance in shared memory, so that
// threads meet in no bank. Rows of two numbers, or such as do not fit, are read as they are.
// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[X:.*]]: memref<?x?xf64>, %[[R:.*]]: memref<?xf64>)
// CHECK: %[[LENGTH:.*]] = memref.dim %[[X]], %c1
// CHECK: %[[PITCH:.*]] = arith.ori %[[LENGTH]], %{{.*}}
// CHECK: arith.cmpi sgt, %[[LENGTH]], %c2
// CHECK: scf.if
// CHECK: %[[COUNT:.*]] = arith.muli %[[PITCH]], %c128
// CHECK: scf.for %[[B:.*]] =
// CHECK: %[[FIRST:.*]] = arith.muli %[[B]], %c128
// CHECK: %[[TILE:.*]] = memref.alloca(%[[COUNT]]) : memref<?xf64, #gpu.address_space<workgroup>>
// CHECK: memref.extract_aligned_pointer_as_index %[[X]]
// CHECK: memref.extract_aligned_pointer_as_index %[[TILE]]
// CHECK-COUNT-4: llvm.inline_asm has_side_effects "cp.async.ca.shared.global [$0], [$1], 8;"
// CHECK: scf.for %{{.*}} step %c128
// CHECK: llvm.inline_asm has_side_effects "cp.async.ca.shared.global [$0], [$1], 8;"
// CHECK: llvm.inline_asm has_side_effects "cp.async.wait_all;"
// CHECK: } {tapeless.threads}
// CHECK: scf.for %[[T:.*]] =
// CHECK: %[[I:.*]] = arith.addi %[[FIRST]], %[[T]]
// CHECK: %[[START:.*]] = arith.muli %[[T]], %[[PITCH]]
// CHECK: %[[SUM:.*]] = scf.for %[[J:[^ ]*]] =
// CHECK: %[[PLACE:.*]] = arith.addi %[[START]], %[[J]]
// CHECK: memref.load %[[TILE]][%[[PLACE]]]
// CHECK: memref.store %[[SUM]], %[[R]][%[[I]]]
// CHECK: } {tapeless.threads}
// CHECK: } {tapeless.launch = "each block"}
// CHECK: } else {
// CHECK: memref.load %[[X]][
// CHECK: } {tapeless.launch = "each thread"}
func.func @sums(%x: memref<?x?xf64>, %r: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %s = scf.for %j = %c0 to %m step %c1 iter_args(%t = %zero) -> (f64) {
      %v = memref.load %x[%i, %j] : memref<?x?xf64>
      %u = arith.addf %t, %v : f64
      scf.yield %u : f64
    }
    memref.store %s, %r[%i] : memref<?xf64>
  } {tapeless.launch = "each thread"}
  return
}
