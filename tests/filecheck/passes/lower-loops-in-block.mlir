// Loops of the host around launches have a variant in one block, which sizes decide about.
// RUN: tapeless-opt --lower-loops-in-block %s | filecheck %s

// Two launches and an element between them: threads wait where one of them may not have read, or written, yet.
// What decides is computed once, each number of it, too.
// CHECK-LABEL: func.func @steps
// CHECK: arith.constant 1073741824 : index
// CHECK-NOT: arith.constant 1073741824 : index
// CHECK: %[[LITTLE:.*]] = arith.andi
// CHECK: scf.if %[[LITTLE]] {
// CHECK: %[[ROOM:.*]] = memref.alloc(%{{.*}}) : memref<?xf64>
// CHECK: scf.for
// CHECK: scf.for %[[THREAD:.*]] = %{{.*}} to %{{.*}} step
// CHECK: scf.for
// CHECK: scf.for %{{.*}} = %[[THREAD]] to
// CHECK: memref.store %{{.*}}, %[[ROOM]]
// CHECK: gpu.barrier
// CHECK: %[[FIRST:.*]] = memref.load %[[ROOM]]
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: scf.for %{{.*}} = %[[THREAD]] to
// CHECK: gpu.barrier
// CHECK: } {tapeless.threads}
// CHECK: } {tapeless.launch = "each block", tapeless.meeting}
// CHECK: memref.dealloc %[[ROOM]]
// CHECK: } else {
// CHECK: tapeless.launch = "each thread"
func.func @steps(%x: memref<?xf64>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %t = %c0 to %steps step %c1 {
    %y = memref.alloc(%n) : memref<?xf64>
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.load %x[%i] : memref<?xf64>
      %b = arith.mulf %a, %a : f64
      memref.store %b, %y[%i] : memref<?xf64>
    } {tapeless.launch = "each thread", tapeless.parallel}
    %first = memref.load %y[%c0] : memref<?xf64>
    memref.store %first, %x[%c0] : memref<?xf64>
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.load %y[%i] : memref<?xf64>
      %b = arith.addf %a, %first : f64
      memref.store %b, %x[%i] : memref<?xf64>
    } {tapeless.launch = "each thread", tapeless.parallel}
    memref.dealloc %y : memref<?xf64>
  }
  return
}

// Arrays that change places are copied back to where they began.
// CHECK-LABEL: func.func @exchanged
// CHECK: %[[U:.*]] = memref.alloc() : memref<8xf64>
// CHECK: %[[V:.*]] = memref.alloc() : memref<8xf64>
// CHECK: %[[R:.*]]:2 = scf.if
// CHECK: %[[L:.*]]:2 = scf.for %{{.*}} iter_args
// CHECK: memref.load %[[L]]#0
// CHECK: memref.load %[[L]]#1
// CHECK: memref.store %{{.*}}, %[[U]]
// CHECK: memref.store %{{.*}}, %[[V]]
// CHECK: scf.yield %[[U]], %[[V]]
// CHECK: } else {
// CHECK: memref.load %[[R]]#0
func.func @exchanged(%steps: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %u = memref.alloc() : memref<8xf64>
  %v = memref.alloc() : memref<8xf64>
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%a = %u, %b = %v) -> (memref<8xf64>, memref<8xf64>) {
    scf.for %i = %c0 to %c8 step %c1 {
      %e = memref.load %a[%i] : memref<8xf64>
      memref.store %e, %b[%i] : memref<8xf64>
    } {tapeless.launch = "each thread", tapeless.parallel}
    scf.yield %b, %a : memref<8xf64>, memref<8xf64>
  }
  %s = memref.load %r#0[%c0] : memref<8xf64>
  return %s : f64
}

// So are those of a size that their types tell, which are not allocated.
// CHECK-LABEL: func.func @exchanged_in_place
// CHECK: %[[U:.*]] = memref.alloca() : memref<8xf64>
// CHECK: scf.if
// CHECK: tapeless.meeting
func.func @exchanged_in_place(%steps: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %u = memref.alloca() : memref<8xf64>
  %v = memref.alloca() : memref<8xf64>
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%a = %u, %b = %v) -> (memref<8xf64>, memref<8xf64>) {
    scf.for %i = %c0 to %c8 step %c1 {
      %e = memref.load %a[%i] : memref<8xf64>
      memref.store %e, %b[%i] : memref<8xf64>
    } {tapeless.launch = "each thread", tapeless.parallel}
    scf.yield %b, %a : memref<8xf64>, memref<8xf64>
  }
  %s = memref.load %r#0[%c0] : memref<8xf64>
  return %s : f64
}

// An array that an iteration makes for the next one, and so much work that is known before, stay with the host.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: tapeless.meeting
// CHECK: return
func.func @kept(%x: memref<100000xf64>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = arith.constant 100000 : index
  %u = memref.alloc() : memref<8xf64>
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%a = %u) -> (memref<8xf64>) {
    %b = memref.alloc() : memref<8xf64>
    scf.for %i = %c0 to %c8 step %c1 {
      %e = memref.load %a[%i] : memref<8xf64>
      memref.store %e, %b[%i] : memref<8xf64>
    } {tapeless.launch = "each thread", tapeless.parallel}
    memref.dealloc %a : memref<8xf64>
    scf.yield %b : memref<8xf64>
  }
  scf.for %t = %c0 to %steps step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %e = memref.load %x[%i] : memref<100000xf64>
      %f = arith.addf %e, %e : f64
      memref.store %f, %x[%i] : memref<100000xf64>
    } {tapeless.launch = "each thread", tapeless.parallel}
  }
  return
}

// A sequential loop takes as long in a block as in a launch of its own, and functions of numbers are no hindrance.
// CHECK-LABEL: func.func @chain
// CHECK: "soac.fn"
// CHECK: tapeless.meeting
// CHECK: return
func.func @chain(%x: memref<1000xf64>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  scf.for %t = %c0 to %steps step %c1 {
    %first = memref.load %x[%c0] : memref<1000xf64>
    %gate = "soac.fn"(%first) {function = "sigmoid"} : (f64) -> f64
    scf.for %i = %c1 to %n step %c1 {
      %before = arith.subi %i, %c1 : index
      %a = memref.load %x[%before] : memref<1000xf64>
      %b = math.exp %a : f64
      memref.store %b, %x[%i] : memref<1000xf64>
    }
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.load %x[%i] : memref<1000xf64>
      %b = arith.mulf %a, %gate : f64
      memref.store %b, %x[%i] : memref<1000xf64>
    } {tapeless.launch = "each thread", tapeless.parallel}
  }
  return
}

// Of two ways between which sizes choose, the block takes the one that it can run: the other one has memory of its own
// for a thread. Other branches keep both sides. No mark of a choice is left.
// CHECK-LABEL: func.func @chosen
// CHECK: scf.for {{.*}} to %c1
// CHECK-NOT: memref.alloc
// CHECK: arith.mulf
// CHECK: tapeless.meeting
// CHECK: } else {
// CHECK: scf.if
// CHECK: memref.alloc
// CHECK: tapeless.variants
// CHECK-NOT: tapeless.side
// CHECK: return
func.func @chosen(%x: memref<?xf64>, %y: memref<?xf64>, %steps: index, %is_little: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %t = %c0 to %steps step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %a = memref.load %x[%c0] : memref<?xf64>
      memref.store %a, %y[%i] : memref<?xf64>
    } {tapeless.launch = "each thread", tapeless.parallel}
    scf.if %is_little {
      scf.for %one = %c0 to %c1 step %c1 {
        %own = memref.alloc(%n) : memref<?xf64>
        scf.for %i = %c0 to %n step %c1 {
          %a = memref.load %x[%i] : memref<?xf64>
          %b = arith.addf %a, %a : f64
          memref.store %b, %own[%i] : memref<?xf64>
          memref.store %b, %x[%i] : memref<?xf64>
        }
        memref.dealloc %own : memref<?xf64>
      } {tapeless.launch = "each thread", tapeless.parallel}
    } else {
      scf.for %i = %c0 to %n step %c1 {
        %a = memref.load %x[%i] : memref<?xf64>
        %b = arith.mulf %a, %a : f64
        memref.store %b, %x[%i] : memref<?xf64>
      } {tapeless.launch = "each thread", tapeless.parallel}
    } {tapeless.variants}
  }
  return
}

// Slices from the end on: neither end is known to be natural, but there is a largest difference.
// CHECK-LABEL: func.func @from_the_end
// CHECK: memref.alloc
// CHECK: tapeless.meeting
// CHECK: return
func.func @from_the_end(%x: memref<?xf64>, %blocks: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %b = %c0 to %blocks step %c1 {
    %done = arith.muli %b, %c32 : index
    %last = arith.subi %n, %done : index
    %start = arith.subi %last, %c32 : index
    %low = arith.minsi %start, %n : index
    %high = arith.minsi %last, %n : index
    %size = arith.subi %high, %low : index
    %y = memref.alloc(%size) : memref<?xf64>
    scf.for %i = %c0 to %size step %c1 {
      %at = arith.addi %low, %i : index
      %a = memref.load %x[%at] : memref<?xf64>
      memref.store %a, %y[%i] : memref<?xf64>
    } {tapeless.launch = "each thread", tapeless.parallel}
    scf.for %i = %c0 to %size step %c1 {
      %a = memref.load %y[%c0] : memref<?xf64>
      memref.store %a, %x[%i] : memref<?xf64>
    } {tapeless.launch = "each thread", tapeless.parallel}
    memref.dealloc %y : memref<?xf64>
  }
  return
}
