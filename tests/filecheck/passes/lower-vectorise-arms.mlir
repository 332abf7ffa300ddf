// Branches with memory in them, which some lanes take and others do not.
// RUN: tapeless-opt --lower-vectorise='vector-bits=256 unroll=1 wide=1' %s | filecheck %s

// The arm runs where a lane takes it; rows along which an operator walks are read for all lanes, and to an element that
// the lanes share those that take the arm add.
// CHECK-LABEL: func.func @rows_and_sums
// CHECK: %[[OTHERS:.*]] = arith.cmpi ne, %{{.*}} : vector<4xindex>
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[OTHERS]] : vector<4xi1> into i1
// CHECK: scf.if %[[ANY]] {
// CHECK: scf.for
// CHECK: %[[ROW:.*]] = vector.load %{{.*}} : memref<?x4xf64>, vector<4xf64>
// CHECK: %[[SUMMAND:.*]] = arith.mulf %[[ROW]], %{{.*}} : vector<4xf64>
// CHECK: %[[FRESH:.*]] = arith.andi %[[OTHERS]], %{{.*}} : vector<4xi1>
// CHECK: %[[TAKEN:.*]] = arith.select %[[FRESH]], %[[SUMMAND]], %{{.*}} : vector<4xi1>, vector<4xf64>
// CHECK: %[[SUM:.*]] = vector.reduction <add>, %[[TAKEN]]
// CHECK: %[[OLD:.*]] = memref.load %arg1[
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]], %[[SUM]]
// CHECK: memref.store %[[NEW]], %arg1[
func.func @rows_and_sums(%x: memref<?x?xf64>, %out: memref<?xf64>, %n: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %other = arith.cmpi ne, %i, %j : index
      scf.if %other {
        scf.for %k = %c0 to %d step %c1 {
          %a = memref.load %x[%i, %k] {tapeless.walks = array<i64: 0>} : memref<?x?xf64>
          %b = memref.load %x[%j, %k] : memref<?x?xf64>
          %p = arith.mulf %a, %b : f64
          %old = memref.load %out[%k] : memref<?xf64>
          %new = arith.addf %old, %p {tapeless.accumulate} : f64
          memref.store %new, %out[%k] : memref<?xf64>
        }
      }
    }
  } {tapeless.accumulating}
  return
}

// Nothing says that the lanes which do not take the arm have a row there.
// CHECK-LABEL: func.func @rows_that_may_not_be_there
// CHECK-NOT: vector
// CHECK: return
func.func @rows_that_may_not_be_there(%x: memref<?x?xf64>, %out: memref<?xf64>, %n: index, %d: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %there = arith.cmpi slt, %i, %m : index
    %r = scf.if %there -> f64 {
      %s = scf.for %k = %c0 to %d step %c1 iter_args(%acc = %zero) -> f64 {
        %t = scf.for %l = %c0 to %d step %c1 iter_args(%inner = %acc) -> f64 {
          %a = memref.load %x[%i, %l] : memref<?x?xf64>
          %q = arith.addf %inner, %a fastmath<reassoc> : f64
          scf.yield %q : f64
        }
        scf.yield %t : f64
      }
      scf.yield %s : f64
    } else {
      scf.yield %zero : f64
    }
    memref.store %r, %out[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}

// Lanes share the element that an arm stores.
// CHECK-LABEL: func.func @shared_store
// CHECK-NOT: vector
// CHECK: return
func.func @shared_store(%x: memref<?xf64>, %out: memref<?x?xf64>, %n: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<?xf64>
    %large = arith.cmpf ogt, %a, %zero : f64
    scf.if %large {
      scf.for %k = %c0 to %d step %c1 {
        memref.store %a, %out[%k, %i] : memref<?x?xf64>
      }
    }
  } {tapeless.parallel}
  return
}
