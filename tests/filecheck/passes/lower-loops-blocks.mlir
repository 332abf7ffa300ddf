// Large scans and histograms run in pieces that depend on the sizes only.
// RUN: tapeless-opt --lower-loops %s | filecheck %s
// RUN: tapeless-opt --lower-loops=threads=2 %s | filecheck %s --check-prefix=THREADS

// One thread: prefixes and the piece's total in one pass; the next piece starts from the totals.
// CHECK-LABEL: func.func @prefixes
// CHECK: scf.if
// CHECK: } else {
// CHECK: scf.for %{{.*}} iter_args(%[[START:.*]] = %{{.*}}) -> (f64)
// CHECK: %[[PIECE:.*]]:2 = scf.for %{{.*}} iter_args(%[[PREFIX:.*]] = %[[START]], %[[TOTAL:.*]] = %{{.*}}) -> (f64, f64)
// CHECK: %[[NEXT:.*]] = arith.addf %[[PREFIX]], %{{.*}}
// CHECK: memref.store %[[NEXT]]
// CHECK: arith.addf %[[TOTAL]], %{{.*}}
// CHECK: arith.addf %[[START]], %[[PIECE]]#1

// Threads: totals by a first part, prefixes by a second one, four pieces side by side.
// THREADS-LABEL: func.func private @prefixes_part0
// THREADS: scf.for %{{.*}} iter_args({{.*}}) -> (f64, f64, f64, f64)
// THREADS-LABEL: func.func private @prefixes_part1
// THREADS: scf.for %{{.*}} iter_args({{.*}}) -> (f64, f64, f64, f64)
// THREADS-LABEL: func.func @prefixes
// THREADS: call @tl_parallel
// THREADS: call @tl_parallel
func.func @prefixes(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %y = "soac.scan"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = false}
    : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// Few values are counted in place; many in blocks with histograms of their own, merged in order.
// CHECK-LABEL: func.func private @counts_part0
// CHECK: memref.store %{{.*}} : memref<?x?xf64>
// CHECK: arith.cmpi ult
// CHECK-LABEL: func.func @counts
// CHECK: scf.if
// CHECK: arith.cmpi ult
// CHECK: } else {
// CHECK: %[[TABLE:.*]] = memref.alloc({{.*}}) : memref<?x?xf64>
// CHECK: call @counts_part0
// CHECK: memref.load %[[TABLE]]
// CHECK: memref.dealloc %[[TABLE]]
func.func @counts(%keys: tensor<?xi64>, %values: tensor<?xf64>) -> tensor<256xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %keys, %c0 : tensor<?xi64>
  %empty = tensor.splat %zero : tensor<256xf64>
  %h = "soac.hist"(%n, %keys, %empty, %values, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}
    : (index, tensor<?xi64>, tensor<256xf64>, tensor<?xf64>, f64) -> tensor<256xf64>
  return %h : tensor<256xf64>
}
