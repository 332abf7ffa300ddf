// Loops become kernels, and the function a plan that launches them.
// RUN: tapeless-opt --split-input-file --lower-launches %s | filecheck %s

// A thread for every two iterations, which read and write 16 bytes; arrays come as addresses and sizes, numbers that the host knows as parameters.
// The plan says which of them are read and written.
// CHECK: \22scale_kernel0\22: {\22parameters\22: [\22ptr\22, \22i64\22, \22i64\22, \22ptr\22, \22f64\22, \22ptr\22, \22i64\22], \22reads\22: [3], \22writes\22: [5], \22work\22: [\22addi\22, {{.*}}[\22select\22, \22index\22, [\22cmpi.ule\22, \22index\22, 2, \22p1\22], 12, 80]{{.*}}], \22line\22: \22{{[^ ]+}}:27\22}
// CHECK-LABEL: gpu.func @scale_kernel0(
// CHECK-SAME: %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: i64, {{.*}}llvm.noalias{{.*}}: f64,
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[WIDTH:.*]] = gpu.block_dim x
// CHECK: %[[FIRST:.*]] = arith.muli %[[BLOCK]], %[[WIDTH]]
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: %[[NUMBER:.*]] = arith.addi %[[FIRST]], %[[THREAD]]
// CHECK: %[[ITERATION:.*]] = arith.muli %[[NUMBER]], %c2
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[ITERATION]]
// CHECK: scf.if %[[INSIDE]]
// CHECK: memref.load
// CHECK: arith.mulf
// CHECK: memref.store
// CHECK: gpu.return
// CHECK: func.func private @scale(memref<?xf64>, f64, memref<?xf64>) attributes {tapeless.abi
func.func @scale(%x: memref<?xf64>, %a: f64, %y: memref<?xf64>) attributes {tapeless.abi = "{\"parameters\": [1, 2], \"results\": []}"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %w = arith.mulf %v, %a : f64
    memref.store %w, %y[%i] : memref<?xf64>
  } {tapeless.launch = "each thread"}
  return
}

// -----

// Numbers from memory stay on the device: a kernel of one thread computes with them and leaves what is returned in a slot.
// CHECK: tapeless.plan
// CHECK-SAME: \22do\22: \22allocate\22, \22name\22: \22slots\22, \22bytes\22: 8
// CHECK-SAME: \22kernel\22: \22first_kernel0\22, \22grid\22: [1, 1, 1], \22block\22: [1, 1, 1]
// CHECK-SAME: \22values\22: [{\22read\22: \22slots\22, \22type\22: \22f64\22}]
// CHECK-LABEL: gpu.func @first_kernel0(
// CHECK: %[[LOADED:.*]] = memref.load
// CHECK: %[[SUM:.*]] = arith.addf %[[LOADED]]
// CHECK: llvm.store %[[SUM]]
func.func @first(%x: memref<4xf64>) -> f64 attributes {tapeless.abi = "{\"parameters\": [1], \"results\": []}"} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %v = memref.load %x[%c0] : memref<4xf64>
  %w = arith.addf %v, %one : f64
  return %w : f64
}

// -----

// What launches leave in branches is left where the branch hands it on: no kernel moves it, but on the side on which it was there before.
// CHECK: tapeless.plan
// CHECK-SAME: \22do\22: \22allocate\22, \22name\22: \22slots\22, \22bytes\22: 8
// CHECK-SAME: \22kernel\22: \22either_kernel0\22, {{.*}}\22arguments\22: [\22a0\22, \22a0.0\22, \22slots\22]}], \22then_yields\22: []
// CHECK-SAME: \22kernel\22: \22either_kernel2\22, \22grid\22: [1, 1, 1], \22block\22: [1, 1, 1]
// CHECK-NOT: either_kernel3
// CHECK-SAME: \22values\22: [{\22read\22: \22slots\22, \22type\22: \22f64\22}]
func.func @either(%x: memref<?xf64>, %n: index) -> f64 attributes {tapeless.abi = "{\"parameters\": [1, 0], \"results\": []}"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %few = arith.cmpi sle, %n, %c64 : index
  %small = arith.cmpi sle, %n, %c1 : index
  %r = scf.if %few -> (f64) {
    %s = scf.if %small -> (f64) {
      %left = memref.alloca() {tapeless.result} : memref<1xf64>
      scf.for %i = %c0 to %c1 step %c1 {
        %v = memref.load %x[%i] : memref<?xf64>
        memref.store %v, %left[%i] : memref<1xf64>
      } {tapeless.launch = "each thread"}
      %v = memref.load %left[%c0] : memref<1xf64>
      scf.yield %v : f64
    } else {
      %left = memref.alloca() {tapeless.result} : memref<1xf64>
      scf.for %i = %c0 to %c1 step %c1 {
        %v = memref.load %x[%i] : memref<?xf64>
        %w = arith.mulf %v, %v : f64
        memref.store %w, %left[%i] : memref<1xf64>
      } {tapeless.launch = "each thread"}
      %v = memref.load %left[%c0] : memref<1xf64>
      scf.yield %v : f64
    }
    scf.yield %s : f64
  } else {
    %zero = arith.constant 0.0 : f64
    scf.yield %zero : f64
  }
  return %r : f64
}

// -----

// Loops around launches are loops of the plan. Integers are computed by the host; a number that kernels compute is handed
// on in a slot; a condition that depends on one is read.
// CHECK: tapeless.plan
// CHECK-SAME: \22do\22: \22for\22
// CHECK-SAME: \22carried\22: {{\[\[}}\22[[COUNT:v[0-9]+]]\22, 0]]
// CHECK-SAME: \22do\22: \22read\22
// CHECK-SAME: \22do\22: \22if\22
// CHECK-SAME: \22name\22: \22[[NEXT:v[0-9]+]]\22, \22value\22: [\22addi\22, \22index\22, \22[[COUNT]]\22, 1]
// CHECK-SAME: \22then_yields\22: [\22[[NEXT]]\22]
// CHECK-SAME: \22else_yields\22: [\22[[COUNT]]\22]
func.func @steps(%x: memref<4xf64>, %n: index) -> index attributes {tapeless.abi = "{\"parameters\": [1, 2], \"results\": []}"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %limit = arith.constant 100.0 : f64
  %zero = arith.constant 0.0 : f64
  %r:2 = scf.for %t = %c0 to %n step %c1 iter_args(%count = %c0, %last = %zero) -> (index, f64) {
    %v = memref.load %x[%c0] : memref<4xf64>
    %more = arith.cmpf olt, %last, %limit : f64
    %next = scf.if %more -> index {
      scf.for %i = %c0 to %c4 step %c1 {
        %old = memref.load %x[%i] : memref<4xf64>
        %new = arith.addf %old, %v : f64
        memref.store %new, %x[%i] : memref<4xf64>
      } {tapeless.launch = "each thread"}
      %up = arith.addi %count, %c1 : index
      scf.yield %up : index
    } else {
      scf.yield %count : index
    }
    scf.yield %next, %v : index, f64
  }
  return %r#0 : index
}

// -----

// A failed check in a kernel is reported in the status buffer; kernels do nothing after one.
// CHECK-LABEL: gpu.func @checked_kernel0(
// CHECK-SAME: %[[STATUS:[^:]*]]: !llvm.ptr,
// CHECK: %[[KIND:.*]] = llvm.load %[[STATUS]]
// CHECK: %[[FAILED:.*]] = arith.cmpi ne, %[[KIND]]
// CHECK: func.call @tl_fail(%[[STATUS]],
// CHECK-LABEL: func.func private @tl_fail
// CHECK: llvm.atomicrmw xchg {{.*}} syncscope("device")
// CHECK: "llvm.nvvm.exit"
func.func private @tl_fail(i64, i64, !llvm.ptr)
func.func @checked(%x: memref<4xf64>) attributes {tapeless.abi = "{\"parameters\": [1], \"results\": []}"} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %site = arith.constant 0 : i64
  %none = llvm.mlir.zero : !llvm.ptr
  %v = memref.load %x[%c0] : memref<4xf64>
  %bad = arith.cmpf olt, %v, %zero : f64
  scf.if %bad {
    func.call @tl_fail(%site, %site, %none) : (i64, i64, !llvm.ptr) -> ()
  }
  return
}

// -----

// What is only reported goes to records behind the failure. Threads whose arrays are small have them on their stacks;
// those that allocate ask whether they got anything, and give back what they got: the plan asks for a heap.
// CHECK: heap\22: 268435456
// CHECK-LABEL: gpu.func @told_kernel0(
// CHECK-SAME: %[[STATUS:[^:]*]]: !llvm.ptr,
// CHECK: %[[OWN:.*]] = memref.alloca() : memref<64xf64>
// CHECK: %[[FITS:.*]] = arith.cmpi ule, %{{.*}}, %c64
// CHECK: %[[EITHER:.*]] = scf.if %[[FITS]] -> (memref<?xf64>) {
// CHECK: builtin.unrealized_conversion_cast %[[OWN]]
// CHECK: } else {
// CHECK: %[[ROW:.*]] = memref.alloc(
// CHECK: memref.extract_aligned_pointer_as_index %[[ROW]]
// CHECK: scf.if
// CHECK-NEXT: func.call @tl_no_memory(%[[STATUS]], %{{.*}})
// CHECK: scf.yield %[[ROW]]
// CHECK: memref.load %[[EITHER]]
// CHECK: func.call @tl_report(%[[STATUS]], %{{.*}}, %{{.*}}, %{{.*}})
// CHECK: scf.if %[[FITS]] {
// CHECK-NEXT: } else {
// CHECK-NEXT: memref.dealloc %[[EITHER]]
// CHECK-LABEL: func.func private @tl_report
// CHECK: llvm.getelementptr %{{.*}}[21]
// CHECK: llvm.atomicrmw umax {{.*}} syncscope("device") monotonic
// CHECK-LABEL: func.func private @tl_no_memory
// CHECK: "llvm.nvvm.exit"
func.func private @tl_report(i64, i64, f64)
func.func @told(%n: memref<4xi64>, %y: memref<4xf64>) attributes {tapeless.abi = "{\"parameters\": [1], \"results\": []}"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %site = arith.constant 0 : i64
  scf.for %i = %c0 to %c4 step %c1 {
    %word = memref.load %n[%i] : memref<4xi64>
    %size = arith.index_cast %word : i64 to index
    %row = memref.alloc(%size) : memref<?xf64>
    %e = memref.load %row[%c0] : memref<?xf64>
    func.call @tl_report(%site, %word, %e) : (i64, i64, f64) -> ()
    memref.store %e, %y[%i] : memref<4xf64>
    memref.dealloc %row : memref<?xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// -----

// Memory of a branch that hardly any thread takes has no share for each thread: who takes it asks the heap.
// CHECK-LABEL: gpu.func @rare_kernel0(
// CHECK: arith.cmpf oeq
// CHECK: } else {
// CHECK: } else {
// CHECK-NEXT: memref.alloc(
// CHECK-LABEL: gpu.func @usual_kernel0(
// CHECK-NOT: memref.alloc(
// CHECK: return
func.func @rare(%n: index, %x: memref<4xf64>) attributes {tapeless.abi = "{\"parameters\": [0, 1], \"results\": []}"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %x[%i] : memref<4xf64>
    %nothing = arith.mulf %v, %zero : f64
    %finite = arith.cmpf oeq, %nothing, %zero : f64
    %r = scf.if %finite -> f64 {
      scf.yield %v : f64
    } else {
      %states = memref.alloc(%n) {tapeless.heap} : memref<?xf64>
      memref.store %v, %states[%c0] : memref<?xf64>
      %e = memref.load %states[%i] : memref<?xf64>
      memref.dealloc %states : memref<?xf64>
      scf.yield %e : f64
    }
    memref.store %r, %x[%i] : memref<4xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// -----

func.func @usual(%n: index, %x: memref<4xf64>) attributes {tapeless.abi = "{\"parameters\": [0, 1], \"results\": []}"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %states = memref.alloc(%n) : memref<?xf64>
    %v = memref.load %states[%i] : memref<?xf64>
    memref.store %v, %x[%i] : memref<4xf64>
    memref.dealloc %states : memref<?xf64>
  } {tapeless.launch = "each thread", tapeless.parallel}
  return
}

// -----

// A branch that only reads is no branch in a light body: who is outside reads the first element. So four keys are read at once.
// CHECK-LABEL: gpu.func @gathered_kernel0(
// CHECK: arith.muli %{{.*}}, %c4
// CHECK: %[[KEY:.*]] = memref.load
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult
// CHECK-NOT: scf.if
// CHECK: %[[PLACE:.*]] = arith.select %[[INSIDE]]
// CHECK: %[[FOUND:.*]] = memref.load %{{.*}}[%[[PLACE]]]
// CHECK: %[[VALUE:.*]] = arith.select %[[INSIDE]], %[[FOUND]]
// CHECK: memref.store %[[VALUE]]
func.func @gathered(%keys: memref<?xi32>, %table: memref<?xf32>, %y: memref<?xf32>) attributes {tapeless.abi = "{\"parameters\": [1, 2], \"results\": []}"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %keys, %c0 : memref<?xi32>
  %m = memref.dim %table, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %key = memref.load %keys[%i] : memref<?xi32>
    %k = arith.index_cast %key : i32 to index
    %inside = arith.cmpi ult, %k, %m : index
    %v = scf.if %inside -> (f32) {
      %found = memref.load %table[%k] : memref<?xf32>
      scf.yield %found : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %v, %y[%i] : memref<?xf32>
  } {tapeless.launch = "each thread"}
  return
}

// -----

// Memory that threads of blocks allocate is planned for all of them; the same elements of all threads are neighbours.
// CHECK: allocate\22, \22name\22: \22[[V:v[0-9]+]]\22, \22bytes\22: [\22muli\22, \22i64\22, \22{{v[0-9]+}}\22, [\22muli\22, \22index\22, \22{{v[0-9]+}}\22, 256]]
// CHECK: free\22, \22name\22
// CHECK-NOT: heap
// CHECK: gpu.func @side_by_side_kernel0
// CHECK: %[[BX:.*]] = gpu.block_id x
// CHECK: %[[FIRST:.*]] = arith.muli
// CHECK: %[[ME:.*]] = arith.addi %[[FIRST]]
// CHECK: %[[GRID:.*]] = gpu.grid_dim x
// CHECK: %[[ALL:.*]] = arith.muli %[[GRID]]
// CHECK: scf.for %[[J:[^ ]+]] =
// CHECK: %[[ROW:.*]] = arith.muli %[[J]], %[[ALL]]
// CHECK-NEXT: %[[PLACE:.*]] = arith.addi %[[ROW]], %[[ME]]
// CHECK-NEXT: memref.store %{{.*}}, %[[OWN:.*]][%[[PLACE]]]
// CHECK: memref.load %[[OWN]][
// CHECK-NOT: memref.alloc(
func.func @side_by_side(%x: memref<?x?xf64>, %o: memref<?xf64>) attributes {tapeless.abi = "{\22parameters\22: [{\22kind\22: \22array\22, \22dtype\22: \22f64\22, \22dims\22: [null, null]}], \22results\22: [{\22kind\22: \22array\22, \22dtype\22: \22f64\22, \22place\22: \22out\22, \22dims\22: [[\22dim\22, 0, 0]]}]}"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  scf.for %b = %c0 to %n step %c1 {
    %own = memref.alloc(%m) : memref<?xf64>
    scf.for %t = %c0 to %c256 step %c1 {
      scf.for %j = %c0 to %m step %c1 {
        %v = memref.load %x[%b, %j] : memref<?x?xf64>
        memref.store %v, %own[%j] : memref<?xf64>
      }
      %w = memref.load %own[%c0] : memref<?xf64>
      memref.store %w, %o[%b] : memref<?xf64>
    } {tapeless.threads}
    memref.dealloc %own : memref<?xf64>
  } {tapeless.launch = "each block"}
  return
}
