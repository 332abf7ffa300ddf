// Costly iterations that add to large arrays run on threads that add atomically, where the order of sums is free.
// RUN: tapeless-opt --loops="threads=2 deterministic=false" %s | filecheck %s
// RUN: tapeless-opt --loops="threads=2 deterministic=false" --lower-to-llvm %s | filecheck %s --check-prefix=LLVM
// RUN: tapeless-opt --loops="threads=2" %s | filecheck %s --check-prefix=FIXED
// RUN: tapeless-opt --loops="deterministic=false" %s | filecheck %s --check-prefix=FIXED

!acc = !soac.acc<tensor<?xf64>>

// One loop adds as always, for one thread and for copies; the other one atomically.
// CHECK-LABEL: func.func private @deposits_part0
// CHECK: arith.addf %{{.*}} {{.*}}tapeless.accumulate
// CHECK-NOT: tapeless.atomic
// CHECK-LABEL: func.func private @deposits_part1
// CHECK: arith.addf %{{.*}} tapeless.atomic
// CHECK: memref.store
// CHECK-LABEL: func.func private @deposits_chunk1
// CHECK-LABEL: func.func @deposits
// CHECK: %[[SHARED:.*]] = arith.cmpi sge
// CHECK: scf.if %[[SHARED]] {
// CHECK: call @deposits_part1
// CHECK: call @tl_parallel
// CHECK: call @deposits_part0
// CHECK: call @deposits_part2

// LLVM-COUNT-1: llvm.atomicrmw fadd
// LLVM-NOT: llvm.atomicrmw
// LLVM-NOT: tapeless.atomic

// FIXED-NOT: tapeless.atomic
func.func @deposits(%n: index, %keys: tensor<?xi64>, %xs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.constant 100 : index
  %sum = "soac.with_acc"(%dest) ({
  ^bb0(%acc: !acc):
    %next = "soac.map"(%n, %keys, %xs, %acc) ({
    ^bb0(%i: index, %key: i64, %x: f64, %a: !acc):
      %k = arith.index_cast %key : i64 to index
      %v = scf.for %s = %c0 to %steps step %c1 iter_args(%y = %x) -> (f64) {
        %z = math.sin %y : f64
        scf.yield %z : f64
      }
      %b = "soac.update"(%a, %k, %v) : (!acc, index, f64) -> !acc
      "soac.yield"(%b) : (!acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xi64>, tensor<?xf64>, !acc) -> !acc
    "soac.yield"(%next) : (!acc) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %sum : tensor<?xf64>
}
