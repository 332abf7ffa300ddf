// Rows that iterations add to a table: every thread leaves its own in shared memory, then the block adds them.
// RUN: tapeless-opt --loops="target=cuda deterministic=false" %s | filecheck %s
// RUN: tapeless-opt --loops=target=cuda %s | filecheck %s --check-prefix=EXACT

// A thread sums in memory of its own, and stores its row and where it belongs; of these, threads then add neighbouring elements.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for %{{.*}} {
// CHECK: %[[VALUES:.*]] = memref.alloca() : memref<1280xf64, #gpu.address_space<workgroup>>
// CHECK: %[[PLACES:.*]] = memref.alloca() : memref<256xi64, #gpu.address_space<workgroup>>
// CHECK: scf.for %{{.*}} = %c0 to %c256 step %c1 {
// CHECK: scf.if
// CHECK: %[[OWN:.*]] = memref.alloca() : memref<5xf64>
// CHECK: memref.store %c-1_i64
// CHECK: scf.for %[[J:.*]] = %c0 to %c5
// CHECK: %[[OLD:.*]] = memref.load %[[OWN]][%[[J]]]
// CHECK: memref.store %{{.*}}, %[[OWN]][%[[J]]]
// CHECK: memref.store %{{.*}}, %[[PLACES]]
// CHECK-COUNT-5: memref.store %{{.*}}, %[[VALUES]]
// CHECK: } {tapeless.threads}
// CHECK: scf.for %[[THREAD:.*]] = %c0 to %c256 step %c1 {
// CHECK: scf.for %{{.*}} = %[[THREAD]] to %{{.*}} step %c256 {
// CHECK: memref.load %[[PLACES]]
// CHECK: memref.load %[[VALUES]]
// CHECK: arith.cmpi sge
// CHECK: arith.cmpf une
// CHECK: tapeless.atomic
// CHECK: } {tapeless.threads}
// CHECK: } {tapeless.launch = "each block"}

// Where sums have the same bits in every order, both sweeps go this way.
// EXACT-LABEL: func.func @rows
// EXACT: memref.alloca() : memref<1280xf64, #gpu.address_space<workgroup>>
// EXACT: } {tapeless.threads}
// EXACT: memref.atomic_rmw maxs
// EXACT: } {tapeless.threads}
// EXACT: } {tapeless.launch = "each block"}
// EXACT: memref.alloca() : memref<1280xf64, #gpu.address_space<workgroup>>
// EXACT: memref.atomic_rmw addi
// EXACT: } {tapeless.launch = "each block"}
func.func @rows(%d: tensor<?x5xf64>, %k: tensor<?xindex>, %x: tensor<?xf64>) -> tensor<?x5xf64> {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = "soac.with_acc"(%d) ({
  ^bb0(%acc: !soac.acc<tensor<?x5xf64>>):
    %r = "soac.map"(%n, %k, %x, %acc) ({
    ^bb1(%i: index, %key: index, %v: f64, %a: !soac.acc<tensor<?x5xf64>>):
      %place = tensor.extract %k[%key] : tensor<?xindex>
      %all = "soac.map"(%c5, %a) ({
      ^bb2(%j: index, %own: !soac.acc<tensor<?x5xf64>>):
        %u = "soac.update"(%own, %place, %j, %v) {soac.in_bounds} : (!soac.acc<tensor<?x5xf64>>, index, index, f64) -> !soac.acc<tensor<?x5xf64>>
        "soac.yield"(%u) : (!soac.acc<tensor<?x5xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 0, 1>} : (index, !soac.acc<tensor<?x5xf64>>) -> !soac.acc<tensor<?x5xf64>>
      "soac.yield"(%all) : (!soac.acc<tensor<?x5xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xindex>, tensor<?xf64>, !soac.acc<tensor<?x5xf64>>) -> !soac.acc<tensor<?x5xf64>>
    "soac.yield"(%r) : (!soac.acc<tensor<?x5xf64>>) -> ()
  }) : (tensor<?x5xf64>) -> tensor<?x5xf64>
  return %s : tensor<?x5xf64>
}

// In single precision one sweep does if there are many iterations: there is a word for each level of exponents.
// EXACT-LABEL: func.func @narrow_rows
// EXACT: memref.alloc(%{{.*}}) : memref<?x33x5xi64>
// EXACT: memref.alloca() : memref<1280xf32, #gpu.address_space<workgroup>>
// EXACT: } {tapeless.threads}
// EXACT: memref.atomic_rmw addi
// EXACT-NOT: memref.atomic_rmw
// EXACT: } {tapeless.launch = "each block"}
// EXACT: scf.for %{{.*}} = %c0 to %c32
// EXACT: } else {
// EXACT: memref.atomic_rmw maxs
func.func @narrow_rows(%d: tensor<?x5xf32>, %k: tensor<?xindex>, %x: tensor<?xf32>) -> tensor<?x5xf32> {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %s = "soac.with_acc"(%d) ({
  ^bb0(%acc: !soac.acc<tensor<?x5xf32>>):
    %r = "soac.map"(%n, %k, %x, %acc) ({
    ^bb1(%i: index, %key: index, %v: f32, %a: !soac.acc<tensor<?x5xf32>>):
      %place = tensor.extract %k[%key] : tensor<?xindex>
      %all = "soac.map"(%c5, %a) ({
      ^bb2(%j: index, %own: !soac.acc<tensor<?x5xf32>>):
        %u = "soac.update"(%own, %place, %j, %v) {soac.in_bounds} : (!soac.acc<tensor<?x5xf32>>, index, index, f32) -> !soac.acc<tensor<?x5xf32>>
        "soac.yield"(%u) : (!soac.acc<tensor<?x5xf32>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 0, 1>} : (index, !soac.acc<tensor<?x5xf32>>) -> !soac.acc<tensor<?x5xf32>>
      "soac.yield"(%all) : (!soac.acc<tensor<?x5xf32>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xindex>, tensor<?xf32>, !soac.acc<tensor<?x5xf32>>) -> !soac.acc<tensor<?x5xf32>>
    "soac.yield"(%r) : (!soac.acc<tensor<?x5xf32>>) -> ()
  }) : (tensor<?x5xf32>) -> tensor<?x5xf32>
  return %s : tensor<?x5xf32>
}

// Of rows of unknown length, threads own a column each if there are few places, with a table in shared memory, and a place of a block for the sums; else every element has a thread.
// CHECK-LABEL: func.func @long_rows
// CHECK: %[[SUMS:.*]] = memref.alloc(%{{.*}}) : memref<?x?x?xf64>
// CHECK: %[[TABLE:.*]] = memref.alloca(%{{.*}}) : memref<?x256xf64, #gpu.address_space<workgroup>>
// CHECK: scf.for %[[T:.*]] = %c0 to %c256
// CHECK: memref.store %{{.*}}, %[[TABLE]][%{{.*}}, %[[T]]]
// CHECK: memref.load %[[TABLE]][%{{.*}}, %[[T]]]
// CHECK: } {tapeless.threads}
// CHECK: memref.store %{{.*}}, %[[SUMS]]
// CHECK: } {tapeless.launch = "each block"}
// CHECK: tapeless.atomic
// CHECK: tapeless.launch = "each thread"
func.func @long_rows(%d: tensor<?x?xf64>, %k: tensor<?xindex>, %x: tensor<?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %m = tensor.dim %d, %c1 : tensor<?x?xf64>
  %s = "soac.with_acc"(%d) ({
  ^bb0(%acc: !soac.acc<tensor<?x?xf64>>):
    %r = "soac.map"(%n, %k, %x, %acc) ({
    ^bb1(%i: index, %key: index, %v: f64, %a: !soac.acc<tensor<?x?xf64>>):
      %place = tensor.extract %k[%key] : tensor<?xindex>
      %all = "soac.map"(%m, %a) ({
      ^bb2(%j: index, %own: !soac.acc<tensor<?x?xf64>>):
        %u = "soac.update"(%own, %place, %j, %v) {soac.in_bounds} : (!soac.acc<tensor<?x?xf64>>, index, index, f64) -> !soac.acc<tensor<?x?xf64>>
        "soac.yield"(%u) : (!soac.acc<tensor<?x?xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 0, 1>} : (index, !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>>
      "soac.yield"(%all) : (!soac.acc<tensor<?x?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xindex>, tensor<?xf64>, !soac.acc<tensor<?x?xf64>>) -> !soac.acc<tensor<?x?xf64>>
    "soac.yield"(%r) : (!soac.acc<tensor<?x?xf64>>) -> ()
  }) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %s : tensor<?x?xf64>
}

// Neighbouring threads add neighbouring elements of rows that are as long as a warp without leaving them anywhere.
// CHECK-LABEL: func.func @wide_rows
// CHECK: scf.for %{{.*}} = %c0 to %dim_1
// CHECK-NEXT: scf.for %{{.*}} = %c0 to %c40
// CHECK: tapeless.atomic
// CHECK: } {tapeless.launch = "each thread", tapeless.parallel}
func.func @wide_rows(%d: tensor<?x40xf64>, %k: tensor<?xindex>, %x: tensor<?xf64>) -> tensor<?x40xf64> {
  %c0 = arith.constant 0 : index
  %c40 = arith.constant 40 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = "soac.with_acc"(%d) ({
  ^bb0(%acc: !soac.acc<tensor<?x40xf64>>):
    %r = "soac.map"(%n, %k, %x, %acc) ({
    ^bb1(%i: index, %key: index, %v: f64, %a: !soac.acc<tensor<?x40xf64>>):
      %place = tensor.extract %k[%key] : tensor<?xindex>
      %all = "soac.map"(%c40, %a) ({
      ^bb2(%j: index, %own: !soac.acc<tensor<?x40xf64>>):
        %u = "soac.update"(%own, %place, %j, %v) {soac.in_bounds} : (!soac.acc<tensor<?x40xf64>>, index, index, f64) -> !soac.acc<tensor<?x40xf64>>
        "soac.yield"(%u) : (!soac.acc<tensor<?x40xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 0, 1>} : (index, !soac.acc<tensor<?x40xf64>>) -> !soac.acc<tensor<?x40xf64>>
      "soac.yield"(%all) : (!soac.acc<tensor<?x40xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xindex>, tensor<?xf64>, !soac.acc<tensor<?x40xf64>>) -> !soac.acc<tensor<?x40xf64>>
    "soac.yield"(%r) : (!soac.acc<tensor<?x40xf64>>) -> ()
  }) : (tensor<?x40xf64>) -> tensor<?x40xf64>
  return %s : tensor<?x40xf64>
}

// Of few iterations, each element has a thread, too: one for each iteration would leave most of a GPU without work.
// CHECK-LABEL: func.func @few_rows
// CHECK-NOT: #gpu.address_space<workgroup>
// CHECK: scf.for %{{.*}} = %c0 to %c2500
// CHECK: scf.for %{{.*}} = %c0 to %c5
// CHECK: tapeless.atomic
// CHECK: } {tapeless.launch = "each thread", tapeless.parallel}
func.func @few_rows(%d: tensor<9000x5xf64>, %k: tensor<2500xindex>, %x: tensor<2500xf64>) -> tensor<9000x5xf64> {
  %c5 = arith.constant 5 : index
  %n = arith.constant 2500 : index
  %s = "soac.with_acc"(%d) ({
  ^bb0(%acc: !soac.acc<tensor<9000x5xf64>>):
    %r = "soac.map"(%n, %k, %x, %acc) ({
    ^bb1(%i: index, %key: index, %v: f64, %a: !soac.acc<tensor<9000x5xf64>>):
      %place = tensor.extract %k[%key] : tensor<2500xindex>
      %all = "soac.map"(%c5, %a) ({
      ^bb2(%j: index, %own: !soac.acc<tensor<9000x5xf64>>):
        %u = "soac.update"(%own, %place, %j, %v) {soac.in_bounds} : (!soac.acc<tensor<9000x5xf64>>, index, index, f64) -> !soac.acc<tensor<9000x5xf64>>
        "soac.yield"(%u) : (!soac.acc<tensor<9000x5xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 0, 1>} : (index, !soac.acc<tensor<9000x5xf64>>) -> !soac.acc<tensor<9000x5xf64>>
      "soac.yield"(%all) : (!soac.acc<tensor<9000x5xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<2500xindex>, tensor<2500xf64>, !soac.acc<tensor<9000x5xf64>>) -> !soac.acc<tensor<9000x5xf64>>
    "soac.yield"(%r) : (!soac.acc<tensor<9000x5xf64>>) -> ()
  }) : (tensor<9000x5xf64>) -> tensor<9000x5xf64>
  return %s : tensor<9000x5xf64>
}
