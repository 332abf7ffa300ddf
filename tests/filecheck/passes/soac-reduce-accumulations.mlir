// soac-fuse turns accumulators into reductions when the loops around an update name the elements it adds to.
// RUN: tapeless-opt --soac-reduce-accumulations --soac-fuse %s | filecheck %s
// RUN: tapeless-opt --fuse %s | filecheck %s

!acc = !soac.acc<tensor<?xf64>>
!acc2 = !soac.acc<tensor<?x?xf64>>

// Each row i adds w[i, c] * x[i, j] to element (c, j): one sum over i per element.
// CHECK-LABEL: func.func @sum_of_outer_products
// CHECK-NOT: soac.with_acc
// CHECK: "soac.map"(%{{[^,]*}})
// CHECK-NEXT: ^bb0(%[[C:.*]]: index):
// CHECK: "soac.map"(%{{[^,]*}})
// CHECK-NEXT: ^bb0(%[[J:.*]]: index):
// CHECK: "soac.fused"(%{{[^,]*}}, %arg1, %{{[^,]*}})
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %[[W:.*]]: tensor<?xf64>):
// CHECK-DAG: tensor.extract %[[W]][%[[C]]]
// CHECK-DAG: tensor.extract %arg2[%[[I]], %[[J]]]
// CHECK: arith.mulf
// CHECK-NOT: soac.update
// CHECK: return
func.func @sum_of_outer_products(%n: index, %w: tensor<?x?xf64>, %x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %rows = tensor.dim %w, %c0 : tensor<?x?xf64>
  %cs = tensor.dim %w, %c1 : tensor<?x?xf64>
  %js = tensor.dim %x, %c1 : tensor<?x?xf64>
  %zeros = tensor.splat %zero[%cs, %js] : tensor<?x?xf64>
  %sum = "soac.with_acc"(%zeros) ({
  ^bb0(%acc: !acc2):
    %acc1 = "soac.map"(%rows, %w, %x, %acc) ({
    ^bb0(%i: index, %wr: tensor<?xf64>, %xr: tensor<?xf64>, %a: !acc2):
      %b = "soac.map"(%cs, %wr, %a) ({
      ^bb0(%c: index, %s: f64, %d: !acc2):
        %row = "soac.map"(%js, %xr) ({
        ^bb0(%j: index, %e: f64):
          %v = arith.mulf %s, %e : f64
          "soac.yield"(%v) : (f64) -> ()
        }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
        %f = "soac.update"(%d, %c, %row) : (!acc2, index, tensor<?xf64>) -> !acc2
        "soac.yield"(%f) : (!acc2) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !acc2) -> !acc2
      "soac.yield"(%b) : (!acc2) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?x?xf64>, tensor<?x?xf64>, !acc2) -> !acc2
    "soac.yield"(%acc1) : (!acc2) -> ()
  }) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %sum : tensor<?x?xf64>
}

// Read only through its transposition, the result is built the other way round; elements are indexed by scalars here.
// CHECK-LABEL: func.func @transposed
// CHECK-NOT: soac.with_acc
// CHECK-NOT: soac.transpose
// CHECK: "soac.map"(%{{.*}}, %arg2)
// CHECK: "soac.map"(%{{.*}}, %arg1)
// CHECK: "soac.fused"(%arg0,
// CHECK-NOT: soac.transpose
// CHECK: return
func.func @transposed(%n: index, %u: tensor<?xf64>, %v: tensor<?xf64>, %s: tensor<?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %cs = tensor.dim %u, %c0 : tensor<?xf64>
  %js = tensor.dim %v, %c0 : tensor<?xf64>
  %zeros = tensor.splat %zero[%cs, %js] : tensor<?x?xf64>
  %sum = "soac.with_acc"(%zeros) ({
  ^bb0(%acc: !acc2):
    %acc1 = "soac.map"(%n, %s, %acc) ({
    ^bb0(%i: index, %si: f64, %a: !acc2):
      %b = "soac.map"(%cs, %u, %a) ({
      ^bb0(%c: index, %uc: f64, %d: !acc2):
        %e = "soac.map"(%js, %v, %d) ({
        ^bb0(%j: index, %vj: f64, %f: !acc2):
          %p = arith.mulf %uc, %vj : f64
          %q = arith.mulf %p, %si : f64
          %g = "soac.update"(%f, %c, %j, %q) : (!acc2, index, index, f64) -> !acc2
          "soac.yield"(%g) : (!acc2) -> ()
        }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !acc2) -> !acc2
        "soac.yield"(%e) : (!acc2) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !acc2) -> !acc2
      "soac.yield"(%b) : (!acc2) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !acc2) -> !acc2
    "soac.yield"(%acc1) : (!acc2) -> ()
  }) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %turned = "soac.transpose"(%sum) {permutation = [1, 0]} : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %turned : tensor<?x?xf64>
}

// Two updates of one accumulator that starts from an array: the array plus what each adds.
// CHECK-LABEL: func.func @added_to_an_array
// CHECK-NOT: soac.with_acc
// CHECK: "soac.map"(%{{[^,]*}}, %arg3)
// CHECK-COUNT-2: arith.addf
// CHECK: return
func.func @added_to_an_array(%n: index, %u: tensor<?xf64>, %s: tensor<?xf64>, %start: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %start, %c0 : tensor<?xf64>
  %sum = "soac.with_acc"(%start) ({
  ^bb0(%acc: !acc):
    %acc1 = "soac.map"(%size, %u, %acc) ({
    ^bb0(%j: index, %uj: f64, %a: !acc):
      %b = "soac.update"(%a, %j, %uj) : (!acc, index, f64) -> !acc
      %d = arith.mulf %uj, %uj : f64
      %e = "soac.update"(%b, %j, %d) : (!acc, index, f64) -> !acc
      "soac.yield"(%e) : (!acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !acc) -> !acc
    "soac.yield"(%acc1) : (!acc) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %sum : tensor<?xf64>
}

// An element per term is read: the matrix of a product with a vector goes by once, in the order of memory.
// CHECK-LABEL: func.func @transposed_matrix_times_vector
// CHECK: soac.with_acc
// CHECK: soac.update
// CHECK: return
func.func @transposed_matrix_times_vector(%m: tensor<?x?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %rows = tensor.dim %m, %c0 : tensor<?x?xf64>
  %js = tensor.dim %m, %c1 : tensor<?x?xf64>
  %zeros = tensor.splat %zero[%js] : tensor<?xf64>
  %sum = "soac.with_acc"(%zeros) ({
  ^bb0(%acc: !acc):
    %acc1 = "soac.map"(%rows, %m, %w, %acc) ({
    ^bb0(%i: index, %row: tensor<?xf64>, %wi: f64, %a: !acc):
      %b = "soac.map"(%js, %row, %a) ({
      ^bb0(%j: index, %e: f64, %d: !acc):
        %v = arith.mulf %e, %wi : f64
        %f = "soac.update"(%d, %j, %v) : (!acc, index, f64) -> !acc
        "soac.yield"(%f) : (!acc) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !acc) -> !acc
      "soac.yield"(%b) : (!acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?x?xf64>, tensor<?xf64>, !acc) -> !acc
    "soac.yield"(%acc1) : (!acc) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %sum : tensor<?xf64>
}

// The summands of one element lie side by side: sums read the matrix in the order of memory, too.
// CHECK-LABEL: func.func @vector_times_matrix
// CHECK-NOT: soac.with_acc
// CHECK: "soac.map"(%{{[^,]*}}, %arg0)
// CHECK: "soac.fused"(
// CHECK: arith.mulf
// CHECK-NOT: soac.transpose
// CHECK: return
func.func @vector_times_matrix(%m: tensor<?x?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %is = tensor.dim %m, %c0 : tensor<?x?xf64>
  %js = tensor.dim %m, %c1 : tensor<?x?xf64>
  %zeros = tensor.splat %zero[%is] : tensor<?xf64>
  %turned = "soac.transpose"(%m) {permutation = [1, 0]} : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %sum = "soac.with_acc"(%zeros) ({
  ^bb0(%acc: !acc):
    %acc1 = "soac.map"(%js, %turned, %w, %acc) ({
    ^bb0(%j: index, %column: tensor<?xf64>, %wj: f64, %a: !acc):
      %b = "soac.map"(%is, %column, %a) ({
      ^bb0(%i: index, %e: f64, %d: !acc):
        %v = arith.mulf %e, %wj : f64
        %f = "soac.update"(%d, %i, %v) : (!acc, index, f64) -> !acc
        "soac.yield"(%f) : (!acc) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !acc) -> !acc
      "soac.yield"(%b) : (!acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?x?xf64>, tensor<?xf64>, !acc) -> !acc
    "soac.yield"(%acc1) : (!acc) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %sum : tensor<?xf64>
}

// What the outer loop computes at a cost would be computed again for every element.
// CHECK-LABEL: func.func @costly_factor
// CHECK: soac.with_acc
// CHECK: math.exp
// CHECK: soac.update
// CHECK: return
func.func @costly_factor(%n: index, %u: tensor<?xf64>, %s: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %js = tensor.dim %u, %c0 : tensor<?xf64>
  %zeros = tensor.splat %zero[%js] : tensor<?xf64>
  %sum = "soac.with_acc"(%zeros) ({
  ^bb0(%acc: !acc):
    %acc1 = "soac.map"(%n, %s, %acc) ({
    ^bb0(%i: index, %si: f64, %a: !acc):
      %x = math.exp %si : f64
      %b = "soac.map"(%js, %u, %a) ({
      ^bb0(%j: index, %e: f64, %d: !acc):
        %v = arith.mulf %e, %x : f64
        %f = "soac.update"(%d, %j, %v) : (!acc, index, f64) -> !acc
        "soac.yield"(%f) : (!acc) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !acc) -> !acc
      "soac.yield"(%b) : (!acc) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !acc) -> !acc
    "soac.yield"(%acc1) : (!acc) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %sum : tensor<?xf64>
}

// Where to add is data; a loop that is not known to reach all elements; one index for both axes.
// CHECK-LABEL: func.func @other_places
// CHECK-COUNT-3: soac.update
// CHECK: return
func.func @other_places(%n: index, %keys: tensor<?xindex>, %u: tensor<?xf64>, %p: tensor<?xf64>, %q: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>) {
  %sums:3 = "soac.with_acc"(%p, %p, %q) ({
  ^bb0(%x: !acc, %y: !acc, %z: !acc2):
    %outs:3 = "soac.map"(%n, %keys, %u, %x, %y, %z) ({
    ^bb0(%i: index, %k: index, %e: f64, %a: !acc, %b: !acc, %c: !acc2):
      %d = "soac.update"(%a, %k, %e) : (!acc, index, f64) -> !acc
      %f = "soac.update"(%b, %i, %e) : (!acc, index, f64) -> !acc
      %g = "soac.update"(%c, %i, %i, %e) : (!acc2, index, index, f64) -> !acc2
      "soac.yield"(%d, %f, %g) : (!acc, !acc, !acc2) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 3>} : (index, tensor<?xindex>, tensor<?xf64>, !acc, !acc, !acc2) -> (!acc, !acc, !acc2)
    "soac.yield"(%outs#0, %outs#1, %outs#2) : (!acc, !acc, !acc2) -> ()
  }) : (tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>)
  return %sums#0, %sums#1, %sums#2 : tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>
}

// Both indices are the same one, so only the diagonal is added to.
// CHECK-LABEL: func.func @diagonal
// CHECK: soac.with_acc
// CHECK: soac.update
func.func @diagonal(%x: tensor<8xf64>) -> tensor<8x8xf64> {
  %n = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  %zeros = tensor.splat %zero : tensor<8x8xf64>
  %result = "soac.with_acc"(%zeros) ({
  ^bb0(%acc: !soac.acc<tensor<8x8xf64>>):
    %after = "soac.map"(%n, %x, %acc) ({
    ^bb0(%i: index, %a: f64, %outer: !soac.acc<tensor<8x8xf64>>):
      %rows = "soac.map"(%n, %outer) ({
      ^bb0(%k: index, %own: !soac.acc<tensor<8x8xf64>>):
        %next = "soac.update"(%own, %k, %k, %a) : (!soac.acc<tensor<8x8xf64>>, index, index, f64) -> !soac.acc<tensor<8x8xf64>>
        "soac.yield"(%next) : (!soac.acc<tensor<8x8xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 0, 1>} : (index, !soac.acc<tensor<8x8xf64>>) -> !soac.acc<tensor<8x8xf64>>
      "soac.yield"(%rows) : (!soac.acc<tensor<8x8xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<8xf64>, !soac.acc<tensor<8x8xf64>>) -> !soac.acc<tensor<8x8xf64>>
    "soac.yield"(%after) : (!soac.acc<tensor<8x8xf64>>) -> ()
  }) : (tensor<8x8xf64>) -> tensor<8x8xf64>
  return %result : tensor<8x8xf64>
}

// Zeros of a known size are a constant once they are folded; sums start from nothing then, too.
// CHECK-LABEL: func.func @from_constant_zeros
// CHECK-NOT: soac.with_acc
// CHECK-NOT: dense<0.0
// CHECK: "soac.map"(%{{[^,]*}}) ({
// CHECK: "soac.map"(%{{[^,]*}}) ({
// CHECK: "soac.fused"
// CHECK: return
func.func @from_constant_zeros(%w: tensor<64x30xf64>, %x: tensor<64x40xf64>) -> tensor<30x40xf64> {
  %n = arith.constant 64 : index
  %cs = arith.constant 30 : index
  %js = arith.constant 40 : index
  %zeros = arith.constant dense<0.0> : tensor<30x40xf64>
  %sum = "soac.with_acc"(%zeros) ({
  ^bb0(%acc: !soac.acc<tensor<30x40xf64>>):
    %acc1 = "soac.map"(%n, %w, %x, %acc) ({
    ^bb0(%i: index, %wr: tensor<30xf64>, %xr: tensor<40xf64>, %a: !soac.acc<tensor<30x40xf64>>):
      %b = "soac.map"(%cs, %wr, %a) ({
      ^bb0(%c: index, %s: f64, %d: !soac.acc<tensor<30x40xf64>>):
        %row = "soac.map"(%js, %xr) ({
        ^bb0(%j: index, %e: f64):
          %v = arith.mulf %s, %e : f64
          "soac.yield"(%v) : (f64) -> ()
        }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<40xf64>) -> tensor<40xf64>
        %f = "soac.update"(%d, %c, %row) : (!soac.acc<tensor<30x40xf64>>, index, tensor<40xf64>) -> !soac.acc<tensor<30x40xf64>>
        "soac.yield"(%f) : (!soac.acc<tensor<30x40xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<30xf64>, !soac.acc<tensor<30x40xf64>>) -> !soac.acc<tensor<30x40xf64>>
      "soac.yield"(%b) : (!soac.acc<tensor<30x40xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<64x30xf64>, tensor<64x40xf64>, !soac.acc<tensor<30x40xf64>>) -> !soac.acc<tensor<30x40xf64>>
    "soac.yield"(%acc1) : (!soac.acc<tensor<30x40xf64>>) -> ()
  }) : (tensor<30x40xf64>) -> tensor<30x40xf64>
  return %sum : tensor<30x40xf64>
}
