// Records that threads write leave through shared memory.
// RUN: tapeless-opt --split-input-file --lower-stage-in-shared-memory %s | filecheck %s

// A block of 256 threads: its records go to shared memory, and from there to where they belong, neighbours by neighbours.
// CHECK-LABEL: func.func @triples(
// CHECK: %[[BLOCKS:.*]] = arith.ceildivsi %{{.*}}, %c256
// CHECK: scf.for %[[B:.*]] = %{{.*}} to %[[BLOCKS]]
// CHECK: %[[FIRST:.*]] = arith.muli %[[B]], %c256
// CHECK: %[[TILE:.*]] = memref.alloca() : memref<768xf64, #gpu.address_space<workgroup>>
// CHECK: scf.for %[[T:.*]] = %{{.*}} to %c256
// CHECK: %[[I:.*]] = arith.addi %[[FIRST]], %[[T]]
// CHECK: scf.if
// CHECK: %[[START:.*]] = arith.muli %[[T]], %c3
// CHECK: memref.load %{{.*}}[%[[I]]] : memref<?xf64>
// CHECK: scf.for %[[K:.*]] =
// CHECK: %[[PLACE:.*]] = arith.addi %[[START]], %[[K]]
// CHECK: memref.store %{{.*}}, %[[TILE]][%[[PLACE]]]
// CHECK: } {tapeless.threads}
// CHECK: %[[FLAT:.*]] = memref.collapse_shape
// CHECK: scf.for %[[E:.*]] =
// CHECK: %[[TO:.*]] = arith.addi %{{.*}}, %[[E]]
// CHECK: %[[V:.*]] = memref.load %[[TILE]][%[[E]]]
// CHECK: memref.store %[[V]], %[[FLAT]][%[[TO]]]
// CHECK: } {tapeless.threads}
// CHECK: } {tapeless.launch = "each block"}
func.func @triples(%x: memref<?xf64>, %r: memref<?x3xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    scf.for %k = %c0 to %c3 step %c1 {
      %w = arith.mulf %v, %v : f64
      memref.store %w, %r[%i, %k] : memref<?x3xf64>
    }
  } {tapeless.launch = "each thread"}
  return
}

// -----

// What is read before it is written is brought to shared memory first; sixteen numbers would meet in a few banks.
// CHECK-LABEL: func.func @updated(
// CHECK: memref.alloca() : memref<4352xf32, #gpu.address_space<workgroup>>
// CHECK: memref.collapse_shape
// CHECK: arith.divui
// CHECK: memref.load %collapse_shape
// CHECK: memref.store
// CHECK: } {tapeless.threads}
// CHECK: memref.collapse_shape
// CHECK: } {tapeless.launch = "each block"}
func.func @updated(%n: index, %r: memref<?x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %k = %c0 to %c16 step %c1 {
      %v = memref.load %r[%i, %k] : memref<?x16xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %r[%i, %k] : memref<?x16xf32>
    }
  } {tapeless.launch = "each thread"}
  return
}

// -----

// Records that are written in part, and rows of other threads, stay where they are.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: workgroup
// CHECK: } {tapeless.launch = "each thread"}
func.func @others(%n: index, %r: memref<?x4xf64>, %s: memref<?x4xf64>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %f = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    scf.for %k = %c0 to %c4 step %c1 {
      scf.if %c {
        memref.store %f, %r[%i, %k] : memref<?x4xf64>
      }
      %v = memref.load %s[%c0, %k] : memref<?x4xf64>
      memref.store %v, %s[%i, %k] : memref<?x4xf64>
    }
  } {tapeless.launch = "each thread"}
  return
}
