// Of the loops in vector code, LLVM unrolls short nests of known length as a whole, so that what they make stays in
// registers, and leaves long ones, and those of unknown length, as they are.
// RUN: tapeless-opt --lower-vectorise="vector-bits=256 unroll=1" %s | filecheck %s

// CHECK-DAG: #[[NO_VECTORS:.*]] = #llvm.loop_vectorize<width = 1 : i32>
// CHECK-DAG: #[[ALONE:.*]] = #llvm.loop_interleave<count = 1 : i32>
// CHECK-DAG: #[[WHOLE:.*]] = #llvm.loop_unroll<full = true>
// CHECK-DAG: #[[NEVER:.*]] = #llvm.loop_unroll<disable = true>
// CHECK-DAG: #[[LATER:.*]] = #llvm.loop_unroll<runtimeDisable = true>
// CHECK-DAG: #[[ROWS:.*]] = #llvm.loop_annotation<unroll = #[[LATER]]>
// CHECK-DAG: #[[SHORT:.*]] = #llvm.loop_annotation<vectorize = #[[NO_VECTORS]], interleave = #[[ALONE]], unroll = #[[WHOLE]]>
// CHECK-DAG: #[[LONG:.*]] = #llvm.loop_annotation<vectorize = #[[NO_VECTORS]], interleave = #[[ALONE]], unroll = #[[NEVER]]>

// CHECK-LABEL: func.func @small_matrix_times_vectors
// CHECK: vector.load
// CHECK: math.fma {{.*}}vector<4xf64>
// CHECK: } {loop_annotation = #[[SHORT]]}
// CHECK: vector.store
// CHECK: } {loop_annotation = #[[SHORT]]}
// CHECK: } {loop_annotation = #[[LONG]]}
func.func @small_matrix_times_vectors(%m: memref<4x4xf64>, %x: memref<4x?xf64>, %y: memref<4x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  scf.for %p = %c0 to %n step %c1 {
    scf.for %i = %c0 to %c4 step %c1 {
      %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> f64 {
        %a = memref.load %m[%i, %k] : memref<4x4xf64>
        %b = memref.load %x[%k, %p] : memref<4x?xf64>
        %sum = math.fma %a, %b, %acc : f64
        scf.yield %sum : f64
      }
      memref.store %s, %y[%i, %p] : memref<4x?xf64>
    }
  } {tapeless.parallel}
  return
}

// CHECK-LABEL: func.func @long_rows
// CHECK: vector.load
// CHECK: math.fma {{.*}}vector<4xf64>
// CHECK: } {loop_annotation = #[[LONG]]}
// CHECK: } {loop_annotation = #[[LONG]]}
func.func @long_rows(%m: memref<4x64xf64>, %x: memref<64x?xf64>, %y: memref<4x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f64
  scf.for %p = %c0 to %n step %c1 {
    scf.for %i = %c0 to %c4 step %c1 {
      %s = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> f64 {
        %a = memref.load %m[%i, %k] : memref<4x64xf64>
        %b = memref.load %x[%k, %p] : memref<64x?xf64>
        %sum = math.fma %a, %b, %acc : f64
        scf.yield %sum : f64
      }
      memref.store %s, %y[%i, %p] : memref<4x?xf64>
    }
  } {tapeless.parallel}
  return
}

// Where there are few rows, the copy of the loops that LLVM gets says which of them go along rows: those it vectorises.
// CHECK-LABEL: func.func @along_rows_and_across
// CHECK: scf.if
// CHECK: } else {
// CHECK: scf.for
// CHECK: memref.load %arg0[%{{.*}}, %[[K:.*]]] : memref<?x?xf64>
// CHECK: } {loop_annotation = #[[ROWS]]}
// CHECK: memref.load %arg1[%[[L:.*]], %{{.*}}] : memref<?x?xf64>
// CHECK: } {loop_annotation = #[[LONG]]}
func.func @along_rows_and_across(%x: memref<?x?xf64>, %w: memref<?x?xf64>, %out: memref<?xf64>, %n: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %s = scf.for %k = %c0 to %d step %c1 iter_args(%acc = %zero) -> f64 {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      %q = arith.addf %acc, %u fastmath<reassoc> : f64
      scf.yield %q : f64
    }
    %e = math.exp %s : f64
    %t = scf.for %l = %c0 to %d step %c1 iter_args(%acc = %e) -> f64 {
      %u = memref.load %w[%l, %i] : memref<?x?xf64>
      %q = arith.addf %acc, %u fastmath<reassoc> : f64
      scf.yield %q : f64
    }
    memref.store %t, %out[%i] : memref<?xf64>
  } {tapeless.parallel}
  return
}
