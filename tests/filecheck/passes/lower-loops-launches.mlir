// For a target with kernels, large loops stay where they are, marked as launches.
// RUN: tapeless-opt --loops=target=cuda %s | filecheck %s

// A map is a launch with a thread for each iteration; memory of one iteration is inside.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK-NEXT: memref.alloc(
// CHECK: memref.dealloc
// CHECK-NEXT: } {tapeless.launch = "each thread", tapeless.parallel}
func.func @rows(%x: tensor<?x?xf64>, %k: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %changed = tensor.insert %zero into %row[%k] : tensor<?xf64>
    %s = tensor.extract %changed[%c0] : tensor<?xf64>
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

// A sum: threads of a block reduce every so many elements, four at a time, and combine in pairs; then one block combines the blocks,
// unless there is but one, which leaves the result itself.
// CHECK-LABEL: func.func @sum
// CHECK: %[[TABLE:.*]] = memref.alloc(
// CHECK: %[[RESULT:.*]] = memref.alloca() {tapeless.result} : memref<1xf64>
// CHECK: scf.for %[[BLOCK:.*]] = {{.*}} {
// CHECK: scf.for %[[THREAD:.*]] = %{{.*}} to %c256
// CHECK: %[[FOURS:.*]] = scf.for {{.*}} step %[[THREADS:.*]] iter_args
// CHECK: %[[PART:.*]] = scf.for {{.*}} step %[[THREADS]] iter_args(%{{.*}} = %[[FOURS]])
// CHECK: gpu.shuffle down %[[PART]]
// CHECK: %[[SHARED:.*]] = memref.alloca() : memref<32xf64, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: memref.load %[[SHARED]]
// CHECK: gpu.shuffle down
// CHECK: memref.store %{{.*}}, %[[TABLE]][%[[BLOCK]]]
// CHECK: scf.for {{.*}} to %[[ALONE:.*]] step
// CHECK: memref.store %{{.*}}, %[[RESULT]]
// CHECK: } {tapeless.launch = "each block"}
// CHECK: scf.for {{.*}} to %[[MORE:.*]] step
// CHECK: memref.store %{{.*}}, %[[RESULT]]
// CHECK: } {tapeless.launch = "each block"}
// CHECK: memref.dealloc %[[TABLE]]
// CHECK: %[[SUM:.*]] = memref.load %[[RESULT]]
// CHECK: return %[[SUM]]
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

// Elements that take many operations are not taken four at a time: there is a thread for each.
// CHECK-LABEL: func.func @heavy
// CHECK: %[[MORE:.*]] = arith.addi %{{.*}}, %c255
// CHECK: arith.divui %[[MORE]], %c256
// CHECK: scf.for %{{.*}} = %{{.*}} to %c256
// CHECK-NEXT: %[[NUMBER:.*]] = arith.addi
// CHECK-NEXT: scf.for %{{.*}} = %[[NUMBER]] to %{{.*}} iter_args
// CHECK-COUNT-8: math.exp
func.func @heavy(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = "soac.fused"(%n, %x, %zero) ({
  ^bb0(%i: index, %e: f64):
    %e1 = math.exp %e : f64
    %e2 = math.exp %e1 : f64
    %e3 = math.exp %e2 : f64
    %e4 = math.exp %e3 : f64
    %e5 = math.exp %e4 : f64
    %e6 = math.exp %e5 : f64
    %e7 = math.exp %e6 : f64
    %e8 = math.exp %e7 : f64
    "soac.yield"(%e8) : (f64) -> ()
  }, {
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf64>, f64) -> f64
  return %s : f64
}

// A sum of sums is one over all elements: a thread steps along both axes, and reads where it is.
// CHECK-LABEL: func.func @matrix
// CHECK: %[[ALL:.*]] = arith.muli
// CHECK: scf.for {{.*}} {
// CHECK: scf.for %{{.*}} to %c256
// CHECK: arith.remui
// CHECK: scf.for %{{.*}} to %[[ALL]] step %{{.*}} iter_args(%[[I:.*]] = %{{.*}}, %[[J:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}})
// CHECK-NOT: scf.for
// CHECK: memref.load %{{.*}}[%[[I]], %[[J]]]
// CHECK: arith.cmpi uge
// CHECK: scf.yield
// CHECK: } {tapeless.threads}
func.func @matrix(%x: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %s = "soac.fused"(%n, %x, %zero) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %t = "soac.reduce"(%m, %row, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      "soac.yield"(%c) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%t) : (f64) -> ()
  }, {
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?x?xf64>, f64) -> f64
  return %s : f64
}

// An operator that is not known to be commutative gets runs of neighbours.
// CHECK-LABEL: func.func @last
// CHECK: scf.for %{{.*}} to %c256
// CHECK: scf.for %{{.*}} step %c1 iter_args
func.func @last(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = "soac.reduce"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %is = arith.cmpf une, %b, %zero : f64
    %c = arith.select %is, %b, %a : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %s : f64
}

// A scan: totals of tiles, where tiles start, prefixes. Threads take two neighbours at a time, and there is nothing to
// be found out if a tile is all.
// CHECK-LABEL: func.func @prefixes
// CHECK: %[[SEVERAL:.*]] = arith.cmpi sgt, %[[TILES:.*]], %c1
// CHECK: %[[SOME:.*]] = arith.select %[[SEVERAL]], %[[TILES]], %c0
// CHECK: scf.for %{{.*}} = %c0 to %[[SOME]] step %c1 {
// CHECK: gpu.shuffle down
// CHECK: memref.alloca() : memref<32xf64, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: } {tapeless.launch = "each block"}
// CHECK: gpu.shuffle up
// CHECK: } {tapeless.launch = "each block"}
// CHECK: scf.for %{{.*}} = %c0 to %[[TILES]] step %c1 {
// CHECK: memref.store %{{.*}}, %arg1[
// CHECK: } {tapeless.launch = "each block"}
func.func @prefixes(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = "soac.scan"(%n, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {exclusive = false, reverse = false, operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> tensor<?xf64>
  return %s : tensor<?xf64>
}

// A scatter: iterations claim their places, then the winners write.
// CHECK-LABEL: func.func @scattered
// CHECK: memref.atomic_rmw maxs
// CHECK: } {tapeless.launch = "each thread"}
// CHECK: arith.cmpi eq
// CHECK: memref.store
// CHECK: } {tapeless.launch = "each thread"}
func.func @scattered(%d: tensor<?xf64>, %k: tensor<?xi64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = "soac.scatter"(%n, %d, %k, %x) : (index, tensor<?xf64>, tensor<?xi64>, tensor<?xf64>) -> tensor<?xf64>
  return %s : tensor<?xf64>
}

// A histogram of few bins: every thread of a block has a column of a table in shared memory; then blocks are combined. More bins: fewer columns.
// Many bins: the largest exponents, then sums of integers.
// CHECK-LABEL: func.func @counted
// CHECK: arith.cmpi sle, %{{.*}}, %c1535
// CHECK: scf.if
// CHECK: scf.if
// CHECK: scf.for %[[BLOCK:.*]] = {{.*}} {
// CHECK: %[[TABLE:.*]] = memref.alloca(%{{.*}}) : memref<?x32xf64, #gpu.address_space<workgroup>>
// CHECK: scf.for %[[THREAD:.*]] = %c0 to %c32 step %c1 {
// CHECK: memref.store %{{.*}}, %[[TABLE]][%{{.*}}, %[[THREAD]]]
// The values of the next round are read before those of this one are counted, keys outside in a bin of their own.
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-32: memref.load %arg1
// CHECK: %[[OUTSIDE:.*]] = arith.select
// CHECK-NEXT: %[[OLD:.*]] = memref.load %[[TABLE]][%[[OUTSIDE]], %[[THREAD]]]
// CHECK-NEXT: %[[NEW:.*]] = arith.addf %[[OLD]]
// CHECK-NEXT: memref.store %[[NEW]], %[[TABLE]][%[[OUTSIDE]], %[[THREAD]]]
// CHECK: } {tapeless.threads}
// CHECK: } {tapeless.threads}
// CHECK: } {tapeless.launch = "each block"}
// CHECK: memref.alloca(%{{.*}}, %[[COLUMNS:.*]]) : memref<?x?xf64, #gpu.address_space<workgroup>>
// CHECK: scf.for %{{.*}} = %c0 to %[[COLUMNS]] step %c1 {
// CHECK: } {tapeless.launch = "each block"}
// CHECK: memref.atomic_rmw maxs
// CHECK: } {tapeless.launch = "each thread"}
// CHECK: memref.atomic_rmw addi
// CHECK: memref.atomic_rmw addi
// CHECK: } {tapeless.launch = "each thread"}
// CHECK: arith.addf
// CHECK: } {tapeless.launch = "each thread", tapeless.parallel}
func.func @counted(%d: tensor<?xf64>, %k: tensor<?xi32>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %h = "soac.hist"(%n, %k, %d, %x, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, tensor<?xi32>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  return %h : tensor<?xf64>
}

// Sums at places that are data: into copies of small arrays; into large ones as integers, after a launch that finds the largest exponents.
// CHECK-LABEL: func.func @keyed
// CHECK: arith.cmpi sle, %{{.*}}, %c1024
// CHECK: scf.if
// CHECK: } {tapeless.launch = "each thread"}
// CHECK: } else {
// CHECK: memref.alloc(%{{.*}}) : memref<?xi32>
// CHECK: memref.alloc(%{{.*}}) : memref<?x2xi64>
// CHECK: memref.atomic_rmw maxs
// CHECK: } {tapeless.accumulating, tapeless.launch = "each thread"}
// CHECK: memref.atomic_rmw addi
// CHECK: memref.atomic_rmw addi
// CHECK: } {tapeless.accumulating, tapeless.launch = "each thread"}
func.func @keyed(%d: tensor<?xf64>, %k: tensor<?xindex>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = "soac.with_acc"(%d) ({
  ^bb0(%acc: !soac.acc<tensor<?xf64>>):
    %r = "soac.map"(%n, %k, %x, %acc) ({
    ^bb1(%i: index, %key: index, %v: f64, %a: !soac.acc<tensor<?xf64>>):
      %place = tensor.extract %k[%key] : tensor<?xindex>
      %u = "soac.update"(%a, %place, %v) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xindex>, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%r) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %s : tensor<?xf64>
}

// Rows that a map reduces: a thread, a warp or a block for each, by their length.
// CHECK-LABEL: func.func @row_sums
// CHECK: arith.cmpi sle, %{{.*}}, %c15
// CHECK: scf.if
// CHECK: } {tapeless.launch = "each thread", tapeless.parallel}
// CHECK: arith.cmpi sle, %{{.*}}, %c1023
// CHECK: gpu.shuffle down
// CHECK-NOT: gpu.barrier
// CHECK: } {tapeless.launch = "each block"}
// CHECK: gpu.shuffle down
// CHECK: gpu.barrier
// CHECK: } {tapeless.launch = "each block"}
func.func @row_sums(%x: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?xf64>
  %s = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %r = "soac.reduce"(%m, %row, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      "soac.yield"(%c) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%r) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
  return %s : tensor<?xf64>
}

// The smallest positions of those who have one: a thread for each, which looks before it updates its bin.
// CHECK-LABEL: func.func @claims
// CHECK-NOT: workgroup
// CHECK: scf.for
// CHECK: %[[OFFER:.*]] = arith.select
// CHECK: arith.cmpi slt, %[[OFFER]], %c1000_i64
// CHECK: scf.if
// CHECK: scf.if
// CHECK: %[[THERE:.*]] = memref.load
// CHECK: arith.cmpi slt, %[[OFFER]], %[[THERE]]
// CHECK: scf.if
// CHECK: memref.atomic_rmw mins %[[OFFER]]
// CHECK: } {tapeless.launch = "each thread"}
func.func @claims(%d: tensor<?xi64>, %k: tensor<?xi32>, %x: tensor<?xf64>) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %none = arith.constant 1000 : i64
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %h = "soac.fused_hist"(%n, %k, %x, %d, %none) ({
  ^bb0(%i: index, %key: i32, %v: f64):
    %place = arith.index_cast %key : i32 to index
    %own = arith.index_cast %i : index to i64
    %has = arith.cmpf oeq, %v, %zero : f64
    %offer = arith.select %has, %own, %none : i64
    "soac.yield"(%place, %offer) : (index, i64) -> ()
  }, {
  ^bb0(%a: i64, %b: i64):
    %c = arith.minsi %a, %b : i64
    "soac.yield"(%c) : (i64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 1, 1>} : (index, tensor<?xi32>, tensor<?xf64>, tensor<?xi64>, i64) -> tensor<?xi64>
  return %h : tensor<?xi64>
}
