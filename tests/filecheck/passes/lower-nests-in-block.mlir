// Launches whose threads run through loops have a variant with a block for each of them, which sizes decide about.
// RUN: tapeless-opt --lower-nests-in-block %s | filecheck %s

// Two loops that come from maps, an array of the iteration between them, and an element that the first thread writes.
// CHECK-LABEL: func.func @rows
// CHECK: arith.andi
// CHECK: scf.if %{{.*}} {
// CHECK: %[[ROOM:.*]] = memref.alloc(%{{.*}}) : memref<?xi8>
// CHECK: scf.for %[[BLOCK:.*]] = %{{.*}} to %{{.*}} step
// CHECK: scf.for %[[THREAD:.*]] = %{{.*}} to %c256{{.*}} step
// CHECK: %[[OWN:.*]] = memref.view %[[ROOM]][%{{.*}}]
// CHECK: scf.for %{{.*}} = %[[THREAD]] to
// CHECK: memref.store %{{.*}}, %[[OWN]]
// CHECK: gpu.barrier
// CHECK: scf.for %{{.*}} = %[[THREAD]] to
// CHECK: memref.load %[[OWN]]
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: } {tapeless.threads}
// CHECK: } {tapeless.launch = "each block"}
// CHECK: memref.dealloc %[[ROOM]]
// CHECK: } else {
// CHECK: } {tapeless.launch = "each thread", tapeless.parallel}
func.func @rows(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %z: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc(%m) : memref<?xf64>
    scf.for %j = %c0 to %m step %c1 {
      %a = memref.load %x[%i, %j] : memref<?x?xf64>
      %b = math.exp %a : f64
      memref.store %b, %t[%j] : memref<?xf64>
    } {tapeless.parallel}
    scf.for %j = %c0 to %m step %c1 {
      %k = arith.subi %m, %j : index
      %l = arith.subi %k, %c1 : index
      %a = memref.load %t[%l] : memref<?xf64>
      %b = math.sqrt %a : f64
      memref.store %b, %y[%i, %j] : memref<?x?xf64>
    } {tapeless.parallel}
    memref.store %zero, %z[%i] : memref<?xf64>
    memref.dealloc %t : memref<?xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// Plain loops are shared where all accesses to what they write move with the index: the second one is not.
// Sizes that are known decide at once.
// CHECK-LABEL: func.func @plain
// CHECK-NOT: each thread
// CHECK: scf.for %[[THREAD:.*]] = %{{.*}} to %c256{{.*}} step
// CHECK: scf.for %[[J:.*]] = %[[THREAD]] to
// CHECK: scf.for
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: scf.for
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: } {tapeless.threads}
func.func @plain(%w: memref<100x100xf64>, %y: memref<8x101xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c100 step %c1 {
      %to = arith.addi %j, %c1 : index
      scf.for %k = %c0 to %c100 step %c1 {
        %a = memref.load %w[%j, %k] : memref<100x100xf64>
        %b = memref.load %y[%i, %to] : memref<8x101xf64>
        %c = arith.addf %a, %b : f64
        memref.store %c, %y[%i, %to] : memref<8x101xf64>
      }
    }
    scf.for %j = %c0 to %c100 step %c1 {
      %to = arith.addi %j, %c1 : index
      %a = memref.load %y[%i, %j] : memref<8x101xf64>
      %b = arith.addf %a, %a : f64
      memref.store %b, %y[%i, %to] : memref<8x101xf64>
    }
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// An array that was made once for all iterations of an inner map: these come one after the other, and what fills the
// array is shared.
// CHECK-LABEL: func.func @temporary
// CHECK: scf.for %[[THREAD:.*]] = %{{.*}} to %c256{{.*}} step
// CHECK: scf.for %[[J:.*]] = %c0
// CHECK: scf.for %{{.*}} = %[[THREAD]] to
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: gpu.barrier
// CHECK: } {tapeless.threads}
func.func @temporary(%x: memref<64x1000xf64>, %y: memref<64x64xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c1000 = arith.constant 1000 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %t = memref.alloc() : memref<1000xf64>
    scf.for %j = %c0 to %c64 step %c1 {
      scf.for %k = %c0 to %c1000 step %c1 {
        %a = memref.load %x[%j, %k] : memref<64x1000xf64>
        memref.store %a, %t[%k] : memref<1000xf64>
      } {tapeless.parallel}
      %b = memref.load %t[%i] : memref<1000xf64>
      memref.store %b, %y[%i, %j] : memref<64x64xf64>
    } {tapeless.parallel}
    memref.dealloc %t : memref<1000xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// So many iterations that each is a thread, and loops of a thread that only sum, stay as they are.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: each block
// CHECK: return
func.func @kept(%x: memref<100000x64xf64>, %y: memref<64x64xf64>, %z: memref<64xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f64
  %n = arith.constant 100000 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %a = memref.load %x[%i, %j] : memref<100000x64xf64>
      %b = math.exp %a : f64
      memref.store %b, %x[%i, %j] : memref<100000x64xf64>
    } {tapeless.parallel}
    memref.store %zero, %x[%i, %c0] : memref<100000x64xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  scf.for %i = %c0 to %c64 step %c1 {
    %s = scf.for %j = %c0 to %c64 step %c1 iter_args(%t = %zero) -> (f64) {
      %a = memref.load %y[%i, %j] : memref<64x64xf64>
      %b = arith.addf %a, %t : f64
      scf.yield %b : f64
    }
    memref.store %s, %z[%i] : memref<64xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// Where a launch has few threads, an array whose size changes from panel to panel is as large as it gets.
// CHECK-LABEL: func.func @panels
// CHECK: %[[N:.*]] = memref.dim %arg0
// CHECK: %[[MOST:.*]] = arith.minsi %[[N]], %{{.*}}
// CHECK: memref.alloc(%[[MOST]])
func.func @panels(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %i = %c0 to %c1 step %c1 {
    scf.for %first = %c0 to %n step %c32 {
      %left = arith.subi %n, %first : index
      %length = arith.minsi %left, %c32 : index
      %panel = memref.alloc(%length) : memref<?xf64>
      scf.for %k = %c0 to %length step %c1 {
        %place = arith.addi %first, %k : index
        %v = memref.load %x[%place] : memref<?xf64>
        %old = memref.load %y[%c0] : memref<?xf64>
        %new = arith.addf %old, %v : f64
        memref.store %new, %panel[%c0] : memref<?xf64>
        memref.store %new, %y[%c0] : memref<?xf64>
      }
      memref.dealloc %panel : memref<?xf64>
    }
  } {tapeless.launch = "each thread"}
  return
}
