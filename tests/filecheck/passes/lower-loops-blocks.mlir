// Large scans and histograms run in pieces that depend on the sizes only.
// RUN: tapeless-opt --loops %s | filecheck %s
// RUN: tapeless-opt --loops=threads=2 %s | filecheck %s --check-prefix=THREADS

// One thread: prefixes and the piece's total in one pass, eight at a time; the next piece starts from the totals.
// CHECK-LABEL: func.func @prefixes
// CHECK: scf.if
// CHECK: } else {
// CHECK: scf.for %{{.*}} iter_args(%[[START:.*]] = %{{.*}}) -> (f64)
// CHECK: %[[STARTS:.*]] = vector.broadcast %[[START]] : f64 to vector<8xf64>
// CHECK: %[[LANES:.*]]:2 = scf.for {{.*}} iter_args(%[[RUNNING:.*]] = %[[STARTS]], %[[TOTAL:.*]] = %{{.*}}) -> (vector<8xf64>, vector<8xf64>)
// CHECK: %[[X:.*]] = vector.load
// CHECK: %[[SHIFTED:.*]] = vector.shuffle %[[X]], %[[X]] [0, 0, 1, 2, 3, 4, 5, 6]
// CHECK: %[[PAIRS:.*]] = arith.addf %[[SHIFTED]], %[[X]]
// CHECK: vector.shuffle %[[X]], %[[PAIRS]] [0, 9, 10, 11, 12, 13, 14, 15]
// CHECK: %[[PREFIX:.*]] = vector.shuffle %{{.*}} [0, 1, 2, 3, 12, 13, 14, 15]
// CHECK: %[[LAST:.*]] = vector.shuffle %[[PREFIX]], %[[PREFIX]] [7, 7, 7, 7, 7, 7, 7, 7]
// CHECK: %[[STORED:.*]] = arith.addf %[[RUNNING]], %[[PREFIX]]
// CHECK: vector.store %[[STORED]]
// CHECK: arith.addf %[[RUNNING]], %[[LAST]]
// CHECK: arith.addf %[[TOTAL]], %[[LAST]]
// CHECK: %[[REST:.*]]:2 = scf.for %{{.*}} -> (f64, f64)
// CHECK: arith.addf %[[START]], %[[REST]]#1

// Threads: totals by a first part, prefixes by a second one.
// THREADS-LABEL: func.func private @prefixes_part0
// THREADS: scf.for %{{.*}} iter_args({{.*}}) -> (vector<8xf64>)
// THREADS-NOT: vector.store
// THREADS-LABEL: func.func private @prefixes_part1
// THREADS: scf.for %{{.*}} iter_args({{.*}}) -> (vector<8xf64>)
// THREADS: vector.store
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

// Minima from the right: vectors are turned around, a NaN stays, and what waits for the running value is one selection.
// CHECK-LABEL: func.func @minima_from_the_right
// CHECK: } else {
// CHECK: scf.for {{.*}} -> (vector<8xf64>, vector<8xf64>)
// CHECK: %[[LOADED:.*]] = vector.load
// CHECK: %[[X:.*]] = vector.shuffle %[[LOADED]], %[[LOADED]] [7, 6, 5, 4, 3, 2, 1, 0]
// CHECK: %[[SHIFTED:.*]] = vector.shuffle %[[X]], %[[X]] [0, 0, 1, 2, 3, 4, 5, 6]
// CHECK: %[[LESS:.*]] = arith.cmpf olt, %[[SHIFTED]], %[[X]]
// CHECK: %[[MIN:.*]] = arith.select %[[LESS]], %[[SHIFTED]], %[[X]]
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[SHIFTED]], %[[SHIFTED]]
// CHECK: arith.select %[[NAN]], %[[SHIFTED]], %[[MIN]]
// CHECK: vector.store
func.func @minima_from_the_right(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %inf = arith.constant 0x7FF0000000000000 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %y = "soac.scan"(%n, %x, %inf) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.minimumf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = true}
    : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A result that nothing reads is not stored.
// CHECK-LABEL: func.func @shifts_of_linear_maps
// CHECK-COUNT-1: memref.store
// CHECK-NOT: memref.store
// CHECK: } else {
// CHECK-COUNT-1: vector.store
// CHECK-NOT: vector.store
// CHECK: return
func.func @shifts_of_linear_maps(%x: tensor<?xf64>, %f: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %y:2 = "soac.scan"(%n, %x, %f, %zero, %one) ({
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64):
    %p = arith.mulf %b, %c : f64
    %s = arith.addf %a, %p : f64
    %q = arith.mulf %b, %d : f64
    "soac.yield"(%s, %q) : (f64, f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 2>, exclusive = false, reverse = false}
    : (index, tensor<?xf64>, tensor<?xf64>, f64, f64) -> (tensor<?xf64>, tensor<?xf64>)
  return %y#0 : tensor<?xf64>
}

// Few values are counted in place; many in blocks with histograms of their own, merged in order. In a block, values take
// turns in four of them.
// CHECK-LABEL: func.func private @counts_part0
// CHECK: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: scf.for %{{.*}} step %[[FOUR]]
// CHECK-COUNT-4: arith.cmpi ult
// CHECK: scf.for
// CHECK: arith.cmpi ult
// CHECK-LABEL: func.func @counts
// CHECK: scf.if
// CHECK: arith.cmpi ult
// CHECK: } else {
// CHECK: %[[TABLE:.*]] = memref.alloc({{.*}}) : memref<?x272xf64>
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

// Values that must be combined in order have one histogram per block.
// CHECK-LABEL: func.func private @last_values_part0
// CHECK-NOT: arith.constant 4 : index
// CHECK-COUNT-1: arith.cmpi ult
// CHECK-NOT: arith.cmpi ult
// CHECK-LABEL: func.func @last_values
func.func @last_values(%keys: tensor<?xi64>, %values: tensor<?xf64>, %flags: tensor<?xi1>) -> tensor<256xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %no = arith.constant false
  %n = tensor.dim %keys, %c0 : tensor<?xi64>
  %empty = tensor.splat %zero : tensor<256xf64>
  %none = tensor.splat %no : tensor<256xi1>
  %h:2 = "soac.hist"(%n, %keys, %empty, %none, %values, %flags, %zero, %no) ({
  ^bb0(%a: f64, %af: i1, %b: f64, %bf: i1):
    %c = arith.select %bf, %b, %a : f64
    %cf = arith.ori %af, %bf : i1
    "soac.yield"(%c, %cf) : (f64, i1) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 2, 2, 2>}
    : (index, tensor<?xi64>, tensor<256xf64>, tensor<256xi1>, tensor<?xf64>, tensor<?xi1>, f64, i1) -> (tensor<256xf64>, tensor<256xi1>)
  return %h#0 : tensor<256xf64>
}
