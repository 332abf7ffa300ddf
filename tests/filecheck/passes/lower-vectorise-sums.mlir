// Sums over the lanes of a vectorised loop: wide blocks, transposed sums, and values that are kept as sums.
// RUN: tapeless-opt --lower-vectorise="vector-bits=256 unroll=1 wide=2" %s | filecheck %s

// Blocks of two registers, then of one with a mask for the lanes that have run before. Four columns run together: their
// products are summed over the registers as multiply-adds, then transposed, and added to four neighbours at once.
// CHECK-LABEL: func.func @products
// CHECK: scf.if
// CHECK: %[[REST:.*]] = arith.remsi
// CHECK-NEXT: %[[WIDE:.*]] = arith.subi %arg2, %[[REST]]
// CHECK: scf.if
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[WIDE]] step
// CHECK: %[[W:.*]] = scf.for {{.*}} -> (vector<8xf64>)
// CHECK: scf.for
// CHECK-NOT: arith.select
// CHECK-COUNT-4: vector.load %{{.*}} : memref<?x8xf64>, vector<8xf64>
// CHECK: %[[P0:.*]] = arith.mulf %{{.*}}, %{{.*}} : vector<4xf64>
// CHECK: %[[P1:.*]] = arith.mulf %{{.*}}, %{{.*}} : vector<4xf64>
// CHECK: arith.addf %[[P0]], %[[P1]] fastmath<contract> : vector<4xf64>
// CHECK: vector.shuffle %{{.*}} [0, 4, 2, 6]
// CHECK: vector.shuffle %{{.*}} [1, 5, 3, 7]
// CHECK: vector.shuffle %{{.*}} [0, 1, 4, 5]
// CHECK: vector.shuffle %{{.*}} [2, 3, 6, 7]
// CHECK: %[[SUMS:.*]] = arith.addf {{.*}} : vector<4xf64>
// CHECK: %[[OLD:.*]] = vector.load %arg1[{{.*}}] : memref<?x?xf64>, vector<4xf64>
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]], %[[SUMS]] {{.*}} : vector<4xf64>
// CHECK: vector.store %[[NEW]], %arg1
// CHECK: scf.for
// CHECK: vector.reduction <add>
// CHECK: memref.store %{{.*}}, %arg1
// CHECK: arith.cmpi sge, {{.*}} : vector<4xindex>
// CHECK: arith.select {{.*}} : vector<4xi1>, vector<4xf64>
func.func @products(%x: memref<?x?xf64>, %out: memref<?x?xf64>, %n: index, %m: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %p = %c0 to %n step %c1 {
    scf.for %i = %c0 to %m step %c1 {
      %w = scf.for %l = %c0 to %d step %c1 iter_args(%a = %zero) -> f64 {
        %v = memref.load %x[%p, %l] : memref<?x?xf64>
        %next = arith.addf %a, %v : f64
        scf.yield %next : f64
      }
      scf.for %j = %c0 to %d step %c1 {
        %v = memref.load %x[%p, %j] : memref<?x?xf64>
        %product = arith.mulf %w, %v fastmath<contract> : f64
        %old = memref.load %out[%i, %j] : memref<?x?xf64>
        %new = arith.addf %old, %product {tapeless.accumulate} : f64
        memref.store %new, %out[%i, %j] : memref<?x?xf64>
      } {tapeless.accumulating}
    } {tapeless.accumulating}
  } {tapeless.accumulating}
  return
}

// What the lanes multiply by the same factors is summed once; the rest is a scalar loop that LLVM may vectorise, and the
// private row holds sums. Its buffer held vectors before, so it gets one of its own.
// CHECK-LABEL: func.func @linear
// CHECK: %[[ROW:.*]] = memref.alloc(%arg5) : memref<?xf64>
// CHECK: memref.alloc(%arg5) : memref<?xf64>
// CHECK: memref.alloc(%arg5) {{.*}} : memref<?x8xf64>
// CHECK: %[[W:.*]] = scf.for {{.*}} -> (vector<8xf64>)
// CHECK: %[[SUM:.*]] = vector.reduction <add>
// CHECK: memref.store %{{.*}}, %[[ROW]]
// CHECK: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[F:.*]] = memref.load %arg1
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[SUM]], %[[F]] : f64
// CHECK-NEXT: %[[OLD:.*]] = memref.load %[[ROW]]
// CHECK-NEXT: %[[NEW:.*]] = arith.addf %[[OLD]], %[[PRODUCT]] {tapeless.accumulate} : f64
// CHECK-NEXT: memref.store %[[NEW]], %[[ROW]]
// CHECK-NEXT: loop_annotation = #[[LEFT:.*]]}
// CHECK: scf.for
// CHECK-NEXT: %[[T:.*]] = memref.load %[[ROW]]
// CHECK-NEXT: %[[MINUS:.*]] = arith.negf %[[T]] : f64
// CHECK: arith.addf %{{.*}}, %[[MINUS]] {tapeless.accumulate} : f64
// CHECK: loop_annotation = #[[LEFT]]}
func.func @linear(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %out: memref<?xf64>, %n: index, %m: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %row = memref.alloc(%d) : memref<?xf64>
  scf.for %p = %c0 to %n step %c1 {
    scf.for %j = %c0 to %d step %c1 {
      %v = memref.load %x[%p, %j] : memref<?x?xf64>
      %twice = arith.addf %v, %v : f64
      memref.store %twice, %row[%j] : memref<?xf64>
    }
    %w = scf.for %l = %c0 to %d step %c1 iter_args(%a = %zero) -> f64 {
      %v = memref.load %row[%l] : memref<?xf64>
      %square = arith.mulf %v, %v : f64
      %next = arith.addf %a, %square : f64
      scf.yield %next : f64
    }
    scf.for %j = %c0 to %d step %c1 {
      memref.store %zero, %row[%j] : memref<?xf64>
    }
    scf.for %i = %c0 to %m step %c1 {
      scf.for %j = %c0 to %d step %c1 {
        %factor = memref.load %y[%i, %j] : memref<?x?xf64>
        %product = arith.mulf %w, %factor : f64
        %old = memref.load %row[%j] : memref<?xf64>
        %new = arith.addf %old, %product {tapeless.accumulate} : f64
        memref.store %new, %row[%j] : memref<?xf64>
      } {tapeless.accumulating}
    } {tapeless.accumulating}
    scf.for %j = %c0 to %d step %c1 {
      %t = memref.load %row[%j] : memref<?xf64>
      %minus = arith.negf %t : f64
      %old = memref.load %out[%j] : memref<?xf64>
      %new = arith.addf %old, %minus {tapeless.accumulate} : f64
      memref.store %new, %out[%j] : memref<?xf64>
    } {tapeless.accumulating}
  } {tapeless.accumulating}
  memref.dealloc %row : memref<?xf64>
  return
}

// Sums are not taken deeper in loops than they were, and an addition whose order matters is computed in every lane.
// CHECK-LABEL: func.func @vectors
// CHECK: %[[S:.*]] = scf.for {{.*}} -> (vector<8xf64>)
// CHECK-NOT: vector.reduction
// CHECK: scf.yield
// CHECK: %[[SHIFT:.*]] = vector.broadcast
// CHECK: %[[MOVED:.*]] = arith.addf %[[S]], %[[SHIFT]] : vector<8xf64>
// CHECK: vector.extract_strided_slice %[[MOVED]]
// CHECK: vector.reduction <add>
func.func @vectors(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %out: memref<?xf64>, %n: index, %m: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %p = %c0 to %n step %c1 {
    scf.for %i = %c0 to %m step %c1 {
      %s = scf.for %l = %c0 to %d step %c1 iter_args(%a = %zero) -> f64 {
        %v = memref.load %x[%p, %l] : memref<?x?xf64>
        %factor = memref.load %y[%i, %l] : memref<?x?xf64>
        %product = arith.mulf %v, %factor : f64
        %next = arith.addf %a, %product fastmath<reassoc> : f64
        scf.yield %next : f64
      }
      %shift = memref.load %y[%i, %c0] : memref<?x?xf64>
      %moved = arith.addf %s, %shift : f64
      %old = memref.load %out[%i] : memref<?xf64>
      %new = arith.addf %old, %moved {tapeless.accumulate} : f64
      memref.store %new, %out[%i] : memref<?xf64>
    } {tapeless.accumulating}
  } {tapeless.accumulating}
  return
}

// An innermost loop that adds functions to elements that lanes may share: functions of vectors, additions one by one.
// CHECK-LABEL: func.func @scattered_functions
// CHECK: math.exp %{{.*}} : vector<
// CHECK: vector.extract
// CHECK: tapeless.accumulate
func.func @scattered_functions(%x: memref<?xf64>, %k: memref<?xindex>, %y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf64>
    %e = math.exp %a : f64
    %place = memref.load %k[%i] : memref<?xindex>
    %old = memref.load %y[%place] : memref<?xf64>
    %new = arith.addf %old, %e fastmath<reassoc,nsz,contract> {tapeless.accumulate} : f64
    memref.store %new, %y[%place] : memref<?xf64>
  } {tapeless.accumulating}
  return
}

// Sums into neighbouring elements are LLVM's.
// CHECK-LABEL: func.func @neighbouring_functions
// CHECK-NOT: vector
// CHECK: return
func.func @neighbouring_functions(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf64>
    %e = math.exp %a : f64
    %old = memref.load %y[%i] : memref<?xf64>
    %new = arith.addf %old, %e fastmath<reassoc,nsz,contract> {tapeless.accumulate} : f64
    memref.store %new, %y[%i] : memref<?xf64>
  } {tapeless.accumulating}
  return
}

// What pairs add to both of their ends goes to memory itself: lanes summed up for the one, one by one for the other.
// CHECK-LABEL: func.func @both_ends
// CHECK: %[[TOTALS:[0-9]+]] = scf.for %[[J:arg[0-9]+]] = %c0 to %arg2 {{.*}} -> (vector<8xf64>)
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %arg1[%[[J]], %{{.*}}]
// CHECK: scf.yield %{{.*}} : vector<8xf64>
// CHECK: vector.extract %[[TOTALS]][0]
// CHECK-COUNT-8: memref.store %{{.*}}, %arg1[%{{.*}}, %c0]
func.func @both_ends(%x: memref<?x?xf64>, %bar: memref<?x?xf64>, %n: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %total = scf.for %j = %c0 to %n step %c1 iter_args(%a = %zero) -> f64 {
      %force = scf.for %c = %c0 to %d step %c1 iter_args(%b = %zero) -> f64 {
        %here = memref.load %x[%i, %c] : memref<?x?xf64>
        %there = memref.load %x[%j, %c] : memref<?x?xf64>
        %product = arith.mulf %here, %there : f64
        %old = memref.load %bar[%j, %c] : memref<?x?xf64>
        %new = arith.addf %old, %product {tapeless.accumulate} : f64
        memref.store %new, %bar[%j, %c] : memref<?x?xf64>
        %sum = arith.addf %b, %product : f64
        scf.yield %sum : f64
      }
      %next = arith.addf %a, %force : f64
      scf.yield %next : f64
    }
    %old = memref.load %bar[%i, %c0] : memref<?x?xf64>
    %new = arith.addf %old, %total {tapeless.accumulate} : f64
    memref.store %new, %bar[%i, %c0] : memref<?x?xf64>
  } {tapeless.accumulating}
  return
}

// A loop whose iterations are independent but for a sum that they carry may write memory, too.
// CHECK-LABEL: func.func @written_and_summed
// CHECK: scf.for {{.*}} -> (vector<4xf64>)
// CHECK: scf.for {{.*}} -> (vector<4xf64>)
// CHECK: vector.store
// CHECK: vector.reduction <add>
func.func @written_and_summed(%x: memref<?xf64>, %out: memref<?xf64>, %n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %total = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> f64 {
    %v = memref.load %x[%i] : memref<?xf64>
    %w = scf.for %k = %c0 to %m step %c1 iter_args(%a = %v) -> f64 {
      %next = arith.mulf %a, %v : f64
      scf.yield %next : f64
    }
    memref.store %w, %out[%i] : memref<?xf64>
    %more = arith.addf %sum, %w fastmath<reassoc,nsz,contract> : f64
    scf.yield %more : f64
  } {tapeless.reducing}
  return %total : f64
}

// Without that mark an iteration may read what another one has written.
// CHECK-LABEL: func.func @perhaps_read
// CHECK-NOT: vector<4xf64>
// CHECK: return
func.func @perhaps_read(%x: memref<?xf64>, %out: memref<?xf64>, %n: index, %m: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %total = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> f64 {
    %v = memref.load %x[%i] : memref<?xf64>
    %w = scf.for %k = %c0 to %m step %c1 iter_args(%a = %v) -> f64 {
      %next = arith.mulf %a, %v : f64
      scf.yield %next : f64
    }
    memref.store %w, %out[%i] : memref<?xf64>
    %more = arith.addf %sum, %w fastmath<reassoc,nsz,contract> : f64
    scf.yield %more : f64
  }
  return %total : f64
}
