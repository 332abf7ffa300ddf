// Loops that run once are none, and whether inner loops run is asked once per nest.
// RUN: tapeless-opt --lower-to-llvm %s | filecheck %s

// Whether the inner loop runs is asked once, before the nest; the maximum says that it does.
// CHECK-LABEL: llvm.func @nest
// CHECK: %[[SOME:.*]] = llvm.icmp "sgt" %[[M:.*]], %{{.*}} : i64
// CHECK: %[[END:.*]] = llvm.intr.smax(%[[M]], %{{.*}})
// CHECK: llvm.cond_br %[[SOME]]
// CHECK: llvm.icmp "slt" %{{.*}}, %[[END]] : i64
// CHECK-NOT: smax
func.func @nest(%x: memref<?x?xf64>, %n: index, %m: index, %a: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      memref.store %a, %x[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// There is work beside the inner loop, so the outer one runs in any case.
// CHECK-LABEL: llvm.func @beside
// CHECK-NOT: smax
func.func @beside(%x: memref<?x?xf64>, %n: index, %m: index, %a: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %a, %x[%i, %c0] : memref<?x?xf64>
    scf.for %j = %c0 to %m step %c1 {
      memref.store %a, %x[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// The outer index decides how long the inner loop is.
// CHECK-LABEL: llvm.func @triangle
// CHECK-NOT: smax
func.func @triangle(%x: memref<?x?xf64>, %n: index, %a: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      memref.store %a, %x[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// A loop that runs once is none; of its carried value, what the iteration makes is left.
// CHECK-LABEL: llvm.func @once
// CHECK-NOT: llvm.br
// CHECK: %[[SUM:.*]] = llvm.fadd %{{.*}}, %{{.*}}
// CHECK: llvm.return %[[SUM]]
func.func @once(%a: f64, %b: f64) -> f64 {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c3 to %c4 step %c2 iter_args(%s = %a) -> (f64) {
    %t = arith.addf %s, %b : f64
    scf.yield %t : f64
  }
  return %r : f64
}
