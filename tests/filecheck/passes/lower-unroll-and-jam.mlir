// Four inner loops of a thread over the same shared memory are one.
// RUN: tapeless-opt --split-input-file --lower-unroll-and-jam %s | filecheck %s

// Each sum is made in its own order, four steps at a time, then they are compared one by one; what is left is done with the last four.
// CHECK-LABEL: func.func @nearest(
// CHECK-SAME: %[[Y:.*]]: memref<?x?xf32>, %[[R:.*]]: memref<?xf32>, %[[K:.*]]: index, %[[D:.*]]: index)
// CHECK: %[[ROW:.*]] = memref.alloca(
// CHECK: %[[BEYOND:.*]] = arith.remui %{{.*}}, %c4
// CHECK: %[[WITH_LAST:.*]] = arith.select %{{.*}}, %c4{{[_0-9]*}}, %c0
// CHECK: %[[END:.*]] = arith.addi %c0
// CHECK: %[[FIRST:.*]] = scf.for %[[C:.*]] = %c0 to %[[END]] step %c4{{[_0-9]*}} iter_args(%[[BEST:.*]] = %{{.*}}) -> (f32) {
// CHECK: %[[STEPS:.*]] = arith.muli %c1, %c4
// CHECK: %[[IN_FOURS:.*]]:4 = scf.for %[[J:.*]] = %c0 to %[[D_IN_FOURS:.*]] step %[[STEPS]]
// CHECK-COUNT-16: memref.load %[[Y]]
// CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f32, f32, f32, f32
// CHECK: %[[SUMS:.*]]:4 = scf.for %{{.*}} = %[[D_IN_FOURS]] to %[[D]] step %c1 iter_args(%{{.*}} = %[[IN_FOURS]]#0,
// CHECK-COUNT-4: memref.load %[[Y]]
// CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f32, f32, f32, f32
// CHECK: %[[ONE:.*]] = arith.minimumf %[[BEST]], %[[SUMS]]#0
// CHECK: %[[TWO:.*]] = arith.minimumf %[[ONE]], %[[SUMS]]#1
// CHECK: %[[THREE:.*]] = arith.minimumf %[[TWO]], %[[SUMS]]#2
// CHECK: %[[FOUR:.*]] = arith.minimumf %[[THREE]], %[[SUMS]]#3
// CHECK: scf.yield %[[FOUR]]
// CHECK: %[[LEFT:.*]] = arith.addi %[[BEYOND]], %[[WITH_LAST]]
// CHECK: %[[IS_ONE:.*]] = arith.cmpi eq, %[[LEFT]], %c1
// CHECK: %[[ALL:.*]] = scf.if %[[IS_ONE]] -> (f32) {
// CHECK: %[[LAST:.*]] = scf.for %{{.*}} to %[[D]] step %c1
// CHECK: arith.minimumf %[[FIRST]], %[[LAST]]
// CHECK: } else {
// CHECK: :2 = scf.for %{{.*}} to %[[D]] step %c1
// CHECK: :3 = scf.for %{{.*}} to %[[D]] step %c1
// CHECK: %[[FIVE:.*]]:5 = scf.for %{{.*}} to %[[D]] step %c1
// CHECK-COUNT-5: memref.load %[[Y]]
// CHECK: arith.minimumf %[[FIRST]], %[[FIVE]]#0
// CHECK: :6 = scf.for %{{.*}} to %[[D]] step %c1
// CHECK: :7 = scf.for %{{.*}} to %[[D]] step %c1
// CHECK: scf.yield %[[FIRST]]
// CHECK: memref.store %[[ALL]], %[[R]]
func.func @nearest(%y: memref<?x?xf32>, %r: memref<?xf32>, %k: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %far = arith.constant 0x7F800000 : f32
  scf.for %b = %c0 to %k step %c1 {
    %row = memref.alloca(%d) : memref<?xf32, #gpu.address_space<workgroup>>
    scf.for %t = %c0 to %c128 step %c1 {
      %m = scf.for %c = %c0 to %k step %c1 iter_args(%best = %far) -> (f32) {
        %s = scf.for %j = %c0 to %d step %c1 iter_args(%sum = %zero) -> (f32) {
          %v = memref.load %row[%j] : memref<?xf32, #gpu.address_space<workgroup>>
          %w = memref.load %y[%c, %j] : memref<?x?xf32>
          %u = arith.subf %v, %w : f32
          %n = llvm.intr.fmuladd(%u, %u, %sum) : (f32, f32, f32) -> f32
          scf.yield %n : f32
        }
        %n = arith.minimumf %best, %s : f32
        scf.yield %n : f32
      }
      memref.store %m, %r[%t] : memref<?xf32>
    } {tapeless.threads}
  } {tapeless.launch = "each block"}
  return
}

// -----

// An inner loop that needs what came out of the one before stays alone, and so does one that writes, or reads nothing that others read from shared memory.
// CHECK-LABEL: func.func @alone
// CHECK-NOT: :4 = scf.for
// CHECK: return
func.func @alone(%y: memref<?x?xf32>, %r: memref<?xf32>, %k: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  scf.for %b = %c0 to %k step %c1 {
    %row = memref.alloca(%d) : memref<?xf32, #gpu.address_space<workgroup>>
    scf.for %t = %c0 to %c128 step %c1 {
      %m = scf.for %c = %c0 to %k step %c1 iter_args(%before = %zero) -> (f32) {
        %s = scf.for %j = %c0 to %d step %c1 iter_args(%sum = %before) -> (f32) {
          %v = memref.load %row[%j] : memref<?xf32, #gpu.address_space<workgroup>>
          %w = memref.load %y[%c, %j] : memref<?x?xf32>
          %n = llvm.intr.fmuladd(%v, %w, %sum) : (f32, f32, f32) -> f32
          scf.yield %n : f32
        }
        scf.yield %s : f32
      }
      %o = scf.for %c = %c0 to %k step %c1 iter_args(%before = %m) -> (f32) {
        %s = scf.for %j = %c0 to %d step %c1 iter_args(%sum = %zero) -> (f32) {
          %v = memref.load %row[%j] : memref<?xf32, #gpu.address_space<workgroup>>
          memref.store %v, %r[%c] : memref<?xf32>
          %n = arith.addf %v, %sum : f32
          scf.yield %n : f32
        }
        %n = arith.addf %s, %before : f32
        scf.yield %n : f32
      }
      %p = scf.for %c = %c0 to %k step %c1 iter_args(%before = %o) -> (f32) {
        %s = scf.for %j = %c0 to %d step %c1 iter_args(%sum = %zero) -> (f32) {
          %v = memref.load %y[%c, %j] : memref<?x?xf32>
          %n = arith.addf %v, %sum : f32
          scf.yield %n : f32
        }
        %n = arith.addf %s, %before : f32
        scf.yield %n : f32
      }
      memref.store %p, %r[%t] : memref<?xf32>
    } {tapeless.threads}
  } {tapeless.launch = "each block"}
  return
}
