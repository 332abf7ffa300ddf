// Rows that are added where the nearest of few others is, by blocks that bring them, look for the place, and add.
// RUN: tapeless-opt --loops=target=cuda %s | filecheck %s

// A block has the rows of 128 iterations, at an odd distance, the table by rows and by columns, and what is handed on.
// CHECK-LABEL: func.func @nearest(
// CHECK-SAME: %[[X:[^:]*]]: memref<?x?xf32>, %[[Y:[^:]*]]: memref<?x?xf32>
// CHECK-NOT: memref.store
// CHECK: scf.for %[[B:.*]] = %c0
// CHECK: %[[SUMS:.*]] = memref.alloca(%{{.*}}) : memref<?x256xf32, #gpu.address_space<workgroup>>
// CHECK: %[[ROWS:.*]] = memref.alloca(%{{.*}}) : memref<?xf32, #gpu.address_space<workgroup>>
// CHECK: %[[BY_ROWS:.*]] = memref.alloca(%{{.*}}) : memref<?x128xf32, #gpu.address_space<workgroup>>
// CHECK: %[[BY_COLUMNS:.*]] = memref.alloca(%{{.*}}) : memref<?x48xf32, #gpu.address_space<workgroup>>
// CHECK: %[[HANDED:.*]] = memref.alloca() : memref<128xi64, #gpu.address_space<workgroup>>
// CHECK: scf.for %[[T:.*]] = %c0 to %c256
// CHECK: %[[E:.*]] = memref.load %[[Y]][%[[ROW:[^,]*]], %[[COLUMN:[^ ]*]]] : memref<?x?xf32>
// CHECK: memref.store %[[E]], %[[BY_ROWS]][%[[ROW]], %[[COLUMN]]]
// CHECK: memref.store %[[E]], %[[BY_COLUMNS]][%[[COLUMN]], %[[ROW]]]

// Rows arrive by themselves: those of odd length as one stretch of memory, others element by element, and places are added up.
// CHECK: %[[EVEN:.*]] = arith.cmpi sle, %{{.*}}, %c0
// CHECK: scf.if %[[EVEN]] {
// CHECK: scf.for %{{.*}} = %[[T]] to %{{.*}} step %c256
// CHECK: memref.extract_aligned_pointer_as_index %[[X]]
// CHECK: memref.extract_aligned_pointer_as_index %[[ROWS]]
// CHECK: llvm.inline_asm has_side_effects "cp.async.cg.shared.global [$0], [$1], 16;", "l,l,~{memory}"
// CHECK: scf.for %{{.*}} step %c256
// CHECK: llvm.inline_asm has_side_effects "cp.async.ca.shared.global [$0], [$1], 4;", "l,l,~{memory}"
// CHECK: } else {
// CHECK: memref.extract_aligned_pointer_as_index %[[X]]
// CHECK: memref.extract_aligned_pointer_as_index %[[ROWS]]
// CHECK-COUNT-5: llvm.inline_asm has_side_effects "cp.async.ca.shared.global [$0], [$1], 4;", "l,l,~{memory}"
// CHECK: llvm.inline_asm has_side_effects "cp.async.wait_all;"
// CHECK: gpu.barrier

// What every column needs of the place is made once: the place and a weight, in one word.
// CHECK: scf.if
// CHECK: scf.for
// CHECK: memref.load %[[ROWS]]
// CHECK: memref.load %[[BY_COLUMNS]]
// CHECK: arith.minui
// CHECK: arith.index_castui %{{.*}} : index to i32
// CHECK: %[[BOTH:.*]] = arith.ori
// CHECK: memref.store %[[BOTH]], %[[HANDED]][%[[T]]]
// CHECK: gpu.barrier

// Four iterations have what they add loaded before the first of them adds; the condition of all is no branch.
// CHECK: arith.select
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK-COUNT-4: memref.load %[[HANDED]]
// CHECK-COUNT-4: memref.load %[[BY_ROWS]]
// CHECK-COUNT-4: memref.store %{{.*}}, %[[SUMS]]
// CHECK: gpu.barrier
// CHECK: } {tapeless.launch = "each block", tapeless.resident = 5 : i32}

// Sums begin with zero where they are brought together: nothing is filled before, and nothing else is read than what blocks leave.
// CHECK: scf.for
// CHECK: %[[ALL:.*]] = scf.for %{{.*}} iter_args(%{{.*}} = %cst{{.*}}) -> (f32) {
// CHECK: memref.store %[[ALL]], %{{.*}} : memref<?x?xf32>
func.func @nearest(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %far = arith.constant 0x7F800000 : f32
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d = tensor.dim %x, %c1 : tensor<?x?xf32>
  %k = tensor.dim %y, %c0 : tensor<?x?xf32>
  %e = tensor.dim %y, %c1 : tensor<?x?xf32>
  %has = arith.cmpi sgt, %k, %c0 : index
  %zeros = tensor.splat %zero[%k, %e] : tensor<?x?xf32>
  %s = "soac.with_acc"(%zeros) ({
  ^bb0(%acc: !soac.acc<tensor<?x?xf32>>):
    %r = "soac.map"(%n, %x, %acc) ({
    ^bb1(%i: index, %p: tensor<?xf32>, %a: !soac.acc<tensor<?x?xf32>>):
      %f:2 = "soac.fused"(%k, %y, %far, %k) ({
      ^bb2(%c: index, %q: tensor<?xf32>):
        %t = "soac.fused"(%d, %p, %q, %zero) ({
        ^bb3(%j: index, %u: f32, %v: f32):
          %w = arith.subf %u, %v : f32
          %m = arith.mulf %w, %w : f32
          "soac.yield"(%m) : (f32) -> ()
        }, {
        ^bb3(%u: f32, %v: f32):
          %w = arith.addf %u, %v : f32
          "soac.yield"(%w) : (f32) -> ()
        }, {
        }) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<?xf32>, tensor<?xf32>, f32) -> f32
        "soac.yield"(%t, %c) : (f32, index) -> ()
      }, {
      ^bb2(%u: f32, %o: index, %v: f32, %c: index):
        %m = arith.minimumf %u, %v : f32
        %is = arith.cmpf olt, %v, %u : f32
        %w = arith.select %is, %c, %o : index
        "soac.yield"(%m, %w) : (f32, index) -> ()
      }, {
      }) {operandSegmentSizes = array<i32: 1, 1, 2, 0>} : (index, tensor<?x?xf32>, f32, index) -> (f32, index)
      %b = scf.if %has -> (!soac.acc<tensor<?x?xf32>>) {
        %is = arith.cmpi ult, %f#1, %k : index
        %weight = arith.select %is, %two, %zero : f32
        %last = arith.subi %k, %c1 : index
        %place = arith.minui %f#1, %last : index
        %q = tensor.extract_slice %y[%place, 0] [1, %e] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
        %all = "soac.map"(%d, %p, %q, %a) ({
        ^bb2(%j: index, %u: f32, %v: f32, %own: !soac.acc<tensor<?x?xf32>>):
          %w = arith.subf %v, %u : f32
          %m = arith.mulf %weight, %w : f32
          %g = "soac.update"(%own, %place, %j, %m) {soac.in_bounds} : (!soac.acc<tensor<?x?xf32>>, index, index, f32) -> !soac.acc<tensor<?x?xf32>>
          "soac.yield"(%g) : (!soac.acc<tensor<?x?xf32>>) -> ()
        }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xf32>, tensor<?xf32>, !soac.acc<tensor<?x?xf32>>) -> !soac.acc<tensor<?x?xf32>>
        scf.yield %all : !soac.acc<tensor<?x?xf32>>
      } else {
        scf.yield %a : !soac.acc<tensor<?x?xf32>>
      }
      "soac.yield"(%b) : (!soac.acc<tensor<?x?xf32>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?x?xf32>, !soac.acc<tensor<?x?xf32>>) -> !soac.acc<tensor<?x?xf32>>
    "soac.yield"(%r) : (!soac.acc<tensor<?x?xf32>>) -> ()
  }) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// Rows of equal elements are added by those who find the place, one number for each, and added up before all columns get them.
// CHECK-LABEL: func.func @counted(
// CHECK: memref.alloca(%{{.*}}) : memref<?x256xf32, #gpu.address_space<workgroup>>
// CHECK: %[[COUNTS:.*]] = memref.alloca(%{{.*}}) : memref<?x256xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for %[[T:.*]] = %c0 to %c256
// CHECK: gpu.barrier
// CHECK: memref.load %[[COUNTS]][%{{.*}}, %[[T]]]
// CHECK: memref.store %{{.*}}, %[[COUNTS]][%{{.*}}, %[[T]]]
// CHECK: gpu.barrier
// CHECK-NOT: %[[COUNTS]]
// CHECK: gpu.barrier
// CHECK: } {tapeless.threads}
// CHECK: scf.for %{{.*}} = %{{.*}} to %c128 step %c8 iter_args
// CHECK-NEXT: memref.load %[[COUNTS]]
// CHECK: memref.store %{{.*}}, %[[COUNTS]]
// CHECK: } {tapeless.threads}
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c1 iter_args
// CHECK: memref.load %[[COUNTS]]
// CHECK: } {tapeless.launch = "each block", tapeless.resident = 5 : i32}
func.func @counted(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %far = arith.constant 0x7F800000 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d = tensor.dim %x, %c1 : tensor<?x?xf32>
  %k = tensor.dim %y, %c0 : tensor<?x?xf32>
  %zeros = tensor.splat %zero[%k, %d] : tensor<?x?xf32>
  %s:2 = "soac.with_acc"(%zeros, %zeros) ({
  ^bb0(%acc: !soac.acc<tensor<?x?xf32>>, %counts: !soac.acc<tensor<?x?xf32>>):
    %r:2 = "soac.map"(%n, %x, %acc, %counts) ({
    ^bb1(%i: index, %p: tensor<?xf32>, %a: !soac.acc<tensor<?x?xf32>>, %b: !soac.acc<tensor<?x?xf32>>):
      %f:2 = "soac.fused"(%k, %y, %far, %c0) ({
      ^bb2(%c: index, %q: tensor<?xf32>):
        %t = "soac.fused"(%d, %p, %q, %zero) ({
        ^bb3(%j: index, %u: f32, %v: f32):
          %w = arith.subf %u, %v : f32
          %m = arith.mulf %w, %w : f32
          "soac.yield"(%m) : (f32) -> ()
        }, {
        ^bb3(%u: f32, %v: f32):
          %w = arith.addf %u, %v : f32
          "soac.yield"(%w) : (f32) -> ()
        }, {
        }) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<?xf32>, tensor<?xf32>, f32) -> f32
        "soac.yield"(%t, %c) : (f32, index) -> ()
      }, {
      ^bb2(%u: f32, %o: index, %v: f32, %c: index):
        %m = arith.minimumf %u, %v : f32
        %is = arith.cmpf olt, %v, %u : f32
        %w = arith.select %is, %c, %o : index
        "soac.yield"(%m, %w) : (f32, index) -> ()
      }, {
      }) {operandSegmentSizes = array<i32: 1, 1, 2, 0>} : (index, tensor<?x?xf32>, f32, index) -> (f32, index)
      %g = "soac.map"(%d, %p, %a) ({
      ^bb2(%j: index, %u: f32, %own: !soac.acc<tensor<?x?xf32>>):
        %h = "soac.update"(%own, %f#1, %j, %u) {soac.in_bounds} : (!soac.acc<tensor<?x?xf32>>, index, index, f32) -> !soac.acc<tensor<?x?xf32>>
        "soac.yield"(%h) : (!soac.acc<tensor<?x?xf32>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf32>, !soac.acc<tensor<?x?xf32>>) -> !soac.acc<tensor<?x?xf32>>
      %h = "soac.map"(%d, %b) ({
      ^bb2(%j: index, %own: !soac.acc<tensor<?x?xf32>>):
        %o = "soac.update"(%own, %f#1, %j, %one) {soac.in_bounds} : (!soac.acc<tensor<?x?xf32>>, index, index, f32) -> !soac.acc<tensor<?x?xf32>>
        "soac.yield"(%o) : (!soac.acc<tensor<?x?xf32>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 0, 1>} : (index, !soac.acc<tensor<?x?xf32>>) -> !soac.acc<tensor<?x?xf32>>
      "soac.yield"(%g, %h) : (!soac.acc<tensor<?x?xf32>>, !soac.acc<tensor<?x?xf32>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 2>} : (index, tensor<?x?xf32>, !soac.acc<tensor<?x?xf32>>, !soac.acc<tensor<?x?xf32>>) -> (!soac.acc<tensor<?x?xf32>>, !soac.acc<tensor<?x?xf32>>)
    "soac.yield"(%r#0, %r#1) : (!soac.acc<tensor<?x?xf32>>, !soac.acc<tensor<?x?xf32>>) -> ()
  }) : (tensor<?x?xf32>, tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  return %s#0, %s#1 : tensor<?x?xf32>, tensor<?x?xf32>
}
