// lower-vectorise runs the iterations of an outer loop as vector lanes.
// RUN: tapeless-opt --lower-vectorise="vector-bits=256 unroll=1" %s | filecheck %s

// A matrix product: columns are lanes, eight rows share the loads, which come from blocks of columns packed beforehand;
// a few rows run without copies, a few columns in pairs, and a single one is summed by LLVM.
// CHECK-LABEL: func.func @matmul
// CHECK: scf.if
// CHECK: scf.if
// CHECK: %[[PANELS:.*]] = memref.alloc(%{{.*}}) {{.*}}: memref<?x?x4xf64>
// CHECK: vector.store %{{.*}}, %[[PANELS]]
// CHECK: %[[SUMS:.*]]:8 = scf.for
// CHECK-COUNT-8: memref.load %arg0
// CHECK: vector.load %[[PANELS]]
// CHECK-COUNT-8: vector.store %[[SUMS]]#
// CHECK: memref.dealloc %[[PANELS]]
// CHECK: } else {
// CHECK: vector.load %arg1
// CHECK: } else {
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: arith.cmpi sge, %{{.*}}, %[[TWO]]
// CHECK: %[[PAIRS:.*]]:8 = scf.for {{.*}} -> (vector<2xf64>
// CHECK-COUNT-8: memref.load %arg0
// CHECK: vector.load %arg1{{.*}} vector<2xf64>
// CHECK-COUNT-8: vector.store %[[PAIRS]]#
// CHECK: } else {
// CHECK-NOT: vector
// CHECK: return
func.func @matmul(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> f64 {
        %x = memref.load %a[%i, %k] : memref<?x?xf64>
        %y = memref.load %b[%k, %j] : memref<?x?xf64>
        %p = arith.mulf %x, %y : f64
        %q = arith.addf %acc, %p : f64
        scf.yield %q : f64
      }
      memref.store %s, %c[%i, %j] : memref<?x?xf64>
    } {tapeless.parallel}
  } {tapeless.parallel}
  return
}

// Both matrices transposed: lanes a stride apart are transposed as they are packed, the elements of eight rows are put
// side by side, and what has few columns is left to LLVM. Long sums are cut into stretches: they go on from where the one
// before left them, and are stored when they are whole.
// CHECK-LABEL: func.func @transposed_matmul
// CHECK: scf.if
// CHECK: arith.divui %{{.*}}, %c512
// CHECK: %[[STRETCH:.*]] = arith.maxsi
// CHECK: %[[SPARE:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : index
// CHECK: %[[ROOM:.*]] = arith.addi %{{.*}}, %[[SPARE]]
// CHECK: %[[PANELS:.*]] = memref.alloc(%{{.*}}, %[[ROOM]]) {{.*}}: memref<?x?x4xf64>
// CHECK: scf.for
// CHECK: scf.for %[[BEGIN:.*]] = %{{.*}} to
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[BEGIN]], %{{.*}} : index
// CHECK: %[[LAST:.*]] = arith.cmpi eq
// CHECK-COUNT-4: vector.load %arg1[%{{.*}}] : memref<?x?xf64>, vector<4xf64>
// CHECK-COUNT-8: vector.shuffle
// CHECK-COUNT-4: vector.store %{{.*}}, %[[PANELS]]
// CHECK: %[[TILE:.*]] = memref.alloc(%{{.*}}) {{.*}}: memref<?x?x8xf64>
// CHECK: vector.load %arg0[%{{.*}}] : memref<?x?xf64>, vector<8xf64>
// CHECK: vector.store %{{.*}}, %[[TILE]]
// CHECK: %[[START:.*]]:8 = scf.if %[[FIRST]]
// CHECK: else
// CHECK-COUNT-8: vector.load %[[PANELS]]
// CHECK: %[[SUMS:.*]]:8 = scf.for {{.*}} = %[[START]]#0
// CHECK-COUNT-8: memref.load %[[TILE]]
// CHECK: vector.load %[[PANELS]]
// CHECK: scf.if %[[LAST]]
// CHECK-COUNT-8: vector.store %[[SUMS]]#{{[0-7]}}, %arg2
// CHECK: } else {
// CHECK-COUNT-8: vector.store %[[SUMS]]#{{[0-7]}}, %[[PANELS]]
// CHECK: } else {
// CHECK-NOT: disable
// CHECK: return
func.func @transposed_matmul(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> f64 {
        %x = memref.load %a[%k, %i] : memref<?x?xf64>
        %y = memref.load %b[%j, %k] : memref<?x?xf64>
        %p = arith.mulf %x, %y : f64
        %q = arith.addf %acc, %p : f64
        scf.yield %q : f64
      }
      memref.store %s, %c[%i, %j] : memref<?x?xf64>
    } {tapeless.parallel}
  } {tapeless.parallel}
  return
}

// What the loop around writes is not packed.
// CHECK-LABEL: func.func @written_in_the_loop
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @written_in_the_loop(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> f64 {
        %x = memref.load %a[%i, %k] : memref<?x?xf64>
        %y = memref.load %b[%j, %k] : memref<?x?xf64>
        %p = arith.mulf %x, %y : f64
        %q = arith.addf %acc, %p : f64
        scf.yield %q : f64
      }
      memref.store %s, %b[%i, %j] : memref<?x?xf64>
    } {tapeless.parallel}
  } {tapeless.parallel}
  return
}

// An array that the loop adds to in two ways, at the lanes' own rows and at all rows, is in no copy of a block.
// CHECK-LABEL: func.func @added_to_in_two_ways
// CHECK-NOT: memref<?x4xf64>
// CHECK: return
func.func @added_to_in_two_ways(%a: memref<?x?xf64>, %out: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %k = %c0 to %n step %c1 {
        %x = memref.load %a[%k, %i] : memref<?x?xf64>
        %old = memref.load %out[%j, %k] : memref<?x?xf64>
        %new = arith.addf %old, %x {tapeless.accumulate} : f64
        memref.store %new, %out[%j, %k] : memref<?x?xf64>
        %own = memref.load %out[%i, %k] : memref<?x?xf64>
        %next = arith.addf %own, %x {tapeless.accumulate} : f64
        memref.store %next, %out[%i, %k] : memref<?x?xf64>
      } {tapeless.accumulating}
    } {tapeless.accumulating}
  } {tapeless.accumulating}
  return
}

// A sum over points of products with every row of a table: points are lanes, their coordinates are copied lane-major
// once per block, transposed in registers four at a time; lanes that ran before add the neutral element, and the partial
// sums are added at the end.
// CHECK-LABEL: func.func @points
// CHECK: %[[COPY:.*]] = memref.alloc(%{{.*}}) {{.*}}memref<?x4xf64>
// CHECK: scf.for
// CHECK-COUNT-4: vector.load %arg0[%{{.*}}] : memref<?x?xf64>, vector<4xf64>
// CHECK-COUNT-8: vector.shuffle
// CHECK-COUNT-4: vector.store %{{.*}}, %[[COPY]]
// CHECK: memref.store %{{.*}}, %[[COPY]]
// CHECK: vector.load %[[COPY]]
// CHECK: %[[FRESH:.*]] = arith.select %{{.*}} : vector<4xi1>, vector<4xf64>
// CHECK: arith.addf %{{.*}}, %[[FRESH]]
// CHECK: memref.dealloc %[[COPY]]
// CHECK: vector.reduction <add>
func.func @points(%x: memref<?x?xf64>, %table: memref<?x?xf64>, %n: index, %m: index, %d: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%total = %zero) -> f64 {
    %b = scf.for %j = %c0 to %m step %c1 iter_args(%product = %zero) -> f64 {
      %s = scf.for %l = %c0 to %d step %c1 iter_args(%acc = %product) -> f64 {
        %u = memref.load %x[%i, %l] : memref<?x?xf64>
        %v = memref.load %table[%j, %l] : memref<?x?xf64>
        %p = arith.mulf %u, %v : f64
        %q = arith.addf %acc, %p : f64
        scf.yield %q : f64
      }
      scf.yield %s : f64
    }
    %next = arith.addf %total, %b fastmath<reassoc> : f64
    scf.yield %next : f64
  }
  return %r : f64
}

// A batch of two products each: the lanes are columns of the products, in tiles of eight rows, not products of the batch.
// CHECK-LABEL: func.func @batch_of_products
// CHECK: scf.for %[[BATCH:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: %[[FIRST:.*]]:8 = scf.for
// CHECK-COUNT-8: vector.store %[[FIRST]]#
// CHECK: %[[SECOND:.*]]:8 = scf.for
// CHECK-COUNT-8: vector.store %[[SECOND]]#
func.func @batch_of_products(%a: memref<?x?x?xf64>, %b: memref<?x?x?xf64>, %w: memref<?x?x?xf64>,
                             %c: memref<?x?x?xf64>, %d: memref<?x?x?xf64>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %batch = %c0 to %m step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> f64 {
          %x = memref.load %w[%batch, %i, %k] : memref<?x?x?xf64>
          %y = memref.load %b[%batch, %j, %k] : memref<?x?x?xf64>
          %p = arith.mulf %x, %y : f64
          %q = arith.addf %acc, %p : f64
          scf.yield %q : f64
        }
        memref.store %s, %c[%batch, %i, %j] : memref<?x?x?xf64>
      } {tapeless.parallel}
    } {tapeless.parallel}
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> f64 {
          %x = memref.load %a[%batch, %k, %i] : memref<?x?x?xf64>
          %y = memref.load %w[%batch, %k, %j] : memref<?x?x?xf64>
          %p = arith.mulf %x, %y : f64
          %q = arith.addf %acc, %p : f64
          scf.yield %q : f64
        }
        memref.store %s, %d[%batch, %i, %j] : memref<?x?x?xf64>
      } {tapeless.parallel}
    } {tapeless.parallel}
  } {tapeless.parallel}
  return
}

// A loop that reads rows once is left to LLVM: gathering its elements would cost more than it gives.
// CHECK-LABEL: func.func @row_sums
// CHECK-NOT: vector
// CHECK: return
func.func @row_sums(%x: memref<?x?xf64>, %out: memref<?xf64>, %n: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %s = scf.for %l = %c0 to %d step %c1 iter_args(%acc = %zero) -> f64 {
      %u = memref.load %x[%i, %l] : memref<?x?xf64>
      %q = arith.addf %acc, %u : f64
      scf.yield %q : f64
    }
    memref.store %s, %out[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// Where a function is called per row, rows are copied lane-major though they are read once: the calls run on vectors.
// Long rows are left to LLVM, which runs along them.
// CHECK-LABEL: func.func @functions_of_row_sums
// CHECK: %[[MOST:.*]] = arith.constant 128 : index
// CHECK: %[[SHORT:.*]] = arith.cmpi slt, %{{.*}}, %[[MOST]]
// CHECK: %[[ENOUGH:.*]] = arith.cmpi sge
// CHECK: %[[BOTH:.*]] = arith.andi %[[ENOUGH]], %[[SHORT]]
// CHECK: scf.if %[[BOTH]]
// CHECK: %[[COPY:.*]] = memref.alloc(%{{.*}}) {{.*}}memref<?x4xf64>
// CHECK: vector.load %[[COPY]]
// CHECK: math.exp %{{.*}} : vector<4xf64>
// CHECK: else
// CHECK-NOT: vector
// CHECK: math.exp %{{.*}} : f64
func.func @functions_of_row_sums(%x: memref<?x?xf64>, %out: memref<?xf64>, %n: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %s = scf.for %l = %c0 to %d step %c1 iter_args(%acc = %zero) -> f64 {
      %u = memref.load %x[%i, %l] : memref<?x?xf64>
      %q = arith.addf %acc, %u fastmath<reassoc> : f64
      scf.yield %q : f64
    }
    %e = math.exp %s : f64
    memref.store %e, %out[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// Functions of single elements are called in the innermost loop, which LLVM vectorises.
// CHECK-LABEL: func.func @sums_of_functions
// CHECK-NOT: vector
// CHECK: return
func.func @sums_of_functions(%x: memref<?x?xf64>, %out: memref<?xf64>, %n: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %s = scf.for %l = %c0 to %d step %c1 iter_args(%acc = %zero) -> f64 {
      %u = memref.load %x[%i, %l] : memref<?x?xf64>
      %e = math.exp %u : f64
      %q = arith.addf %acc, %e fastmath<reassoc> : f64
      scf.yield %q : f64
    }
    memref.store %s, %out[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// Along a stride LLVM would call them one by one.
// CHECK-LABEL: func.func @functions_along_a_stride
// CHECK: %[[ROW:.*]] = vector.load %arg0[%{{.*}}, %{{.*}}] : memref<?x?xf64>, vector<{{.*}}xf64>
// CHECK-NEXT: math.exp %[[ROW]]
func.func @functions_along_a_stride(%x: memref<?x?xf64>, %out: memref<?x?xf64>, %n: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %l = %c0 to %d step %c1 {
      %u = memref.load %x[%l, %i] : memref<?x?xf64>
      %e = math.exp %u : f64
      memref.store %e, %out[%i, %l] : memref<?x?xf64>
    }
  } {tapeless.parallel}
  return
}

// Columns that write rows run in lanes, with a copy of the rows that is written back; LLVM would step along the stride.
// CHECK-LABEL: func.func @columns_to_rows
// CHECK: %[[COPY:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?x4xf64>
// CHECK: scf.for
// CHECK: %[[X:.*]] = vector.load %arg0[%{{.*}}, %{{.*}}] : memref<?x?xf64>, vector<4xf64>
// CHECK: %[[W:.*]] = vector.load %arg1[%{{.*}}, %{{.*}}] : memref<?x?xf64>, vector<4xf64>
// CHECK: %[[P:.*]] = arith.mulf %[[X]], %[[W]] : vector<4xf64>
// CHECK: vector.store %[[P]], %[[COPY]][
func.func @columns_to_rows(%x: memref<?x?xf64>, %w: memref<?x?xf64>, %out: memref<?x?xf64>, %n: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %l = %c0 to %d step %c1 {
      %u = memref.load %x[%l, %i] : memref<?x?xf64>
      %v = memref.load %w[%l, %i] : memref<?x?xf64>
      %p = arith.mulf %u, %v : f64
      memref.store %p, %out[%i, %l] : memref<?x?xf64>
    } {tapeless.parallel}
  } {tapeless.parallel}
  return
}

// A loop whose step is an argument may skip elements; it stays as it is.
// CHECK-LABEL: func.func @any_step
// CHECK-NOT: vector
// CHECK: return
func.func @any_step(%x: memref<?x?xf64>, %out: memref<?xf64>, %n: index, %d: index, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %step {
    %s = scf.for %l = %c0 to %d step %c1 iter_args(%acc = %zero) -> f64 {
      %u = memref.load %x[%l, %i] : memref<?x?xf64>
      %q = arith.addf %acc, %u fastmath<reassoc> : f64
      scf.yield %q : f64
    }
    memref.store %s, %out[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// An arm with a loop runs where a lane takes it.
// CHECK-LABEL: func.func @loop_in_an_arm
// CHECK: %[[SMALL:.*]] = arith.cmpf olt, %{{.*}} : vector<4xf64>
// CHECK: %[[OTHERS:.*]] = arith.xori %[[SMALL]],
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[OTHERS]] : vector<4xi1> into i1
// CHECK: %[[FOUND:.*]] = scf.if %[[ANY]] -> (vector<4xf64>) {
// CHECK: scf.for {{.*}} -> (vector<4xf64>) {
// CHECK: arith.select %[[SMALL]], %{{.*}}, %[[FOUND]] : vector<4xi1>, vector<4xf64>
func.func @loop_in_an_arm(%a: memref<?xf64>, %c: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %small = arith.cmpf olt, %x, %one : f64
    %s = scf.if %small -> f64 {
      %d = arith.addf %x, %x : f64
      scf.yield %d : f64
    } else {
      %p = scf.for %k = %c0 to %m step %c1 iter_args(%acc = %x) -> f64 {
        %q = arith.mulf %acc, %x : f64
        scf.yield %q : f64
      }
      scf.yield %p : f64
    }
    memref.store %s, %c[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// The second way of a guarded branch runs where a lane takes it.
// CHECK-LABEL: func.func @guarded
// CHECK: %[[WHOLE:.*]] = arith.divf %{{.*}} : vector<4xf64>
// CHECK: %[[FINITE:.*]] = arith.cmpf oeq, %{{.*}} : vector<4xf64>
// CHECK: %[[OTHERS:.*]] = arith.xori %[[FINITE]],
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[OTHERS]] : vector<4xi1> into i1
// CHECK: %[[FOUND:.*]] = scf.if %[[ANY]] -> (vector<4xf64>) {
// CHECK: %[[STEP:.*]] = arith.divf %{{.*}} : vector<4xf64>
// CHECK: %[[STEPS:.*]] = arith.divf %[[STEP]], %{{.*}} : vector<4xf64>
// CHECK: %[[BOTH:.*]] = arith.select %[[FINITE]], %[[WHOLE]], %[[STEPS]] : vector<4xi1>, vector<4xf64>
// CHECK: scf.yield %[[BOTH]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[WHOLE]]
// CHECK: vector.store %[[FOUND]]
func.func @guarded(%a: memref<?xf64>, %b: memref<?xf64>, %c: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = memref.load %b[%i] : memref<?xf64>
    %s = arith.mulf %y, %y : f64
    %whole = arith.divf %x, %s : f64
    %finite = "soac.guard"(%whole) {exact = "operations"} : (f64) -> i1
    %r = scf.if %finite -> f64 {
      scf.yield %whole : f64
    } else {
      %t = arith.divf %x, %y : f64
      %u = arith.divf %t, %y : f64
      scf.yield %u : f64
    }
    memref.store %r, %c[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}
