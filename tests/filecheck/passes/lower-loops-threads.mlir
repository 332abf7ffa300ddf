// Large outer loops run on threads: the loop moves into a function of its own, called by the pool chunk by chunk.
// RUN: tapeless-opt --loops=threads=4 %s | filecheck %s

// Temporaries of the body belong to the part; constants are repeated in it; arrays come as separate pointers. LLVM knows
// nothing of its callers.
// CHECK-LABEL: func.func private @rows_part0
// CHECK-SAME: (%[[LOW:[^:]*]]: index, %[[HIGH:[^:]*]]: index, %{{.*}}: !llvm.ptr {{{.*}}llvm.noalias
// CHECK-SAME: attributes {llvm.linkage = #llvm.linkage<external>, llvm.no_inline}
// CHECK: memref.alloc(
// CHECK: scf.for %{{.*}} = %[[LOW]] to %[[HIGH]] step
// CHECK: } {tapeless.parallel}
// CHECK: memref.dealloc
// CHECK: return
// CHECK-LABEL: func.func private @rows_chunk0
// CHECK-SAME: (%{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr)
// CHECK: call @rows_part0
// CHECK-LABEL: func.func @rows
// CHECK-NOT: memref.alloc(
// CHECK: %[[SMALL:.*]] = arith.cmpi sle
// CHECK: scf.if %[[SMALL]]
// CHECK: call @rows_part0
// CHECK: else
// CHECK: call @tl_parallel
func.func @rows(%x: tensor<?x?xf64>, %k: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %changed = tensor.insert %zero into %row[%k] : tensor<?xf64>
    %s = tensor.extract %changed[%c0] : tensor<?xf64>
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A reduction leaves one partial result per block in a table and combines them in order, in a loop that LLVM leaves as it is.
// CHECK-LABEL: func.func private @sum_part0
// CHECK: scf.for
// CHECK: %[[PART:.*]] = scf.for
// CHECK: memref.store %[[PART]]
// CHECK-LABEL: func.func @sum
// CHECK: memref.alloca() : memref<64xf64>
// CHECK: call @tl_parallel
// CHECK: scf.for
// CHECK: memref.load
// CHECK: arith.addf
// CHECK: } {loop_annotation = #{{.*}}}
func.func @sum(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = "soac.reduce"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %s : f64
}
