// Rows that iterations scale and add to a table: recipes-moments has them add their scales.
// RUN: tapeless-opt --recipes-moments %s | filecheck %s

// Two neighbouring rows are read and added to; rows are counted from the one below zero on, since places may be negative.
// CHECK-LABEL: func.func @interpolated
// CHECK-SAME: (%[[N:.*]]: index, %[[T:.*]]: tensor<?x5xf32>, %[[K:.*]]: tensor<?xindex>, %[[X:.*]]: tensor<?xf32>)
// CHECK: %[[DIM:.*]] = tensor.dim %[[T]]
// CHECK: %[[ROWS:.*]] = arith.addi %[[DIM]], %[[DIM]]
// CHECK: %[[FEW:.*]] = arith.muli %[[ROWS]], %c4
// CHECK: arith.cmpi sle, %[[FEW]], %[[N]]
// CHECK: scf.if
// CHECK: %[[SUMS:.*]] = "soac.with_acc"
// CHECK: ^bb0(%{{.*}}: !soac.acc<tensor<?x2xf32>>)
// CHECK: ^bb0(%{{.*}}: index, %[[KEY:.*]]: index, %[[SHARE:.*]]: f32
// CHECK-NOT: tensor.extract
// CHECK: "soac.update"(%{{.*}}, %[[ROW:.*]], %c0, %[[SHARE]]) {soac.in_bounds}
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[SHARE]], %[[SHARE]]
// CHECK: "soac.update"(%{{.*}}, %[[ROW]], %c1, %[[SQUARE]]) {soac.in_bounds}
// CHECK: "soac.map"(%[[DIM]]
// CHECK: "soac.map"(%c5
// CHECK: scf.if
// CHECK: tensor.extract %[[SUMS]]
// CHECK: tensor.extract %[[SUMS]]
// CHECK: arith.cmpf une
// CHECK: scf.if
// CHECK: else
// CHECK: "soac.with_acc"
// CHECK: !soac.acc<tensor<?x5xf32>>
// CHECK: tapeless.variants
func.func @interpolated(%n: index, %t: tensor<?x5xf32>, %ks: tensor<?xindex>, %xs: tensor<?xf32>) -> tensor<?x5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %dim = tensor.dim %t, %c0 : tensor<?x5xf32>
  %zeros = tensor.splat %zero[%dim] : tensor<?x5xf32>
  %g = "soac.with_acc"(%zeros) ({
  ^bb0(%acc: !soac.acc<tensor<?x5xf32>>):
    %all = "soac.map"(%n, %ks, %xs, %acc) ({
    ^bb0(%i: index, %k: index, %x: f32, %a: !soac.acc<tensor<?x5xf32>>):
      %below = arith.cmpi slt, %k, %c0 : index
      %up = arith.addi %k, %dim : index
      %p = arith.select %below, %up, %k : index
      %k1 = arith.addi %k, %c1 : index
      %below1 = arith.cmpi slt, %k1, %c0 : index
      %up1 = arith.addi %k1, %dim : index
      %p1 = arith.select %below1, %up1, %k1 : index
      %r = tensor.extract_slice %t[%p, 0] [1, 5] [1, 1] : tensor<?x5xf32> to tensor<5xf32>
      %r1 = tensor.extract_slice %t[%p1, 0] [1, 5] [1, 1] : tensor<?x5xf32> to tensor<5xf32>
      %b = "soac.map"(%c5, %r, %r1, %a) ({
      ^bb0(%j: index, %v: f32, %v1: f32, %c: !soac.acc<tensor<?x5xf32>>):
        %d = arith.subf %v1, %v fastmath<contract> : f32
        %s = arith.mulf %x, %d fastmath<contract> : f32
        %m = arith.addf %v, %s fastmath<contract> : f32
        %w = arith.mulf %x, %m fastmath<contract> : f32
        %o = arith.mulf %x, %v fastmath<contract> : f32
        %u = "soac.update"(%c, %p1, %j, %w) {soac.in_bounds} : (!soac.acc<tensor<?x5xf32>>, index, index, f32) -> !soac.acc<tensor<?x5xf32>>
        %u1 = "soac.update"(%u, %p, %j, %o) {soac.in_bounds} : (!soac.acc<tensor<?x5xf32>>, index, index, f32) -> !soac.acc<tensor<?x5xf32>>
        "soac.yield"(%u1) : (!soac.acc<tensor<?x5xf32>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<5xf32>, tensor<5xf32>, !soac.acc<tensor<?x5xf32>>) -> !soac.acc<tensor<?x5xf32>>
      "soac.yield"(%b) : (!soac.acc<tensor<?x5xf32>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xindex>, tensor<?xf32>, !soac.acc<tensor<?x5xf32>>) -> !soac.acc<tensor<?x5xf32>>
    "soac.yield"(%all) : (!soac.acc<tensor<?x5xf32>>) -> ()
  }) : (tensor<?x5xf32>) -> tensor<?x5xf32>
  return %g : tensor<?x5xf32>
}

// What may not be rounded in another way stays.
// CHECK-LABEL: func.func @as_written
// CHECK-NOT: scf.if
// CHECK: !soac.acc<tensor<9x5xf64>>
// CHECK: return
func.func @as_written(%n: index, %t: tensor<9x5xf64>, %ks: tensor<?xindex>, %xs: tensor<?xf64>) -> tensor<9x5xf64> {
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f64
  %zeros = tensor.splat %zero : tensor<9x5xf64>
  %g = "soac.with_acc"(%zeros) ({
  ^bb0(%acc: !soac.acc<tensor<9x5xf64>>):
    %all = "soac.map"(%n, %ks, %xs, %acc) ({
    ^bb0(%i: index, %k: index, %x: f64, %a: !soac.acc<tensor<9x5xf64>>):
      %r = tensor.extract_slice %t[%k, 0] [1, 5] [1, 1] : tensor<9x5xf64> to tensor<5xf64>
      %b = "soac.map"(%c5, %r, %a) ({
      ^bb0(%j: index, %v: f64, %c: !soac.acc<tensor<9x5xf64>>):
        %m = arith.mulf %x, %v : f64
        %u = "soac.update"(%c, %k, %j, %m) {soac.in_bounds} : (!soac.acc<tensor<9x5xf64>>, index, index, f64) -> !soac.acc<tensor<9x5xf64>>
        "soac.yield"(%u) : (!soac.acc<tensor<9x5xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<5xf64>, !soac.acc<tensor<9x5xf64>>) -> !soac.acc<tensor<9x5xf64>>
      "soac.yield"(%b) : (!soac.acc<tensor<9x5xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xindex>, tensor<?xf64>, !soac.acc<tensor<9x5xf64>>) -> !soac.acc<tensor<9x5xf64>>
    "soac.yield"(%all) : (!soac.acc<tensor<9x5xf64>>) -> ()
  }) : (tensor<9x5xf64>) -> tensor<9x5xf64>
  return %g : tensor<9x5xf64>
}

// Differences to numbers of a row stay: little may be left of them, which sums of each alone would lose.
// CHECK-LABEL: func.func @centred
// CHECK-NOT: scf.if
// CHECK: !soac.acc<tensor<9x5xf64>>
// CHECK: return
func.func @centred(%n: index, %t: tensor<9x5xf64>, %ks: tensor<?xindex>, %xs: tensor<?xf64>) -> tensor<9x5xf64> {
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f64
  %zeros = tensor.splat %zero : tensor<9x5xf64>
  %g = "soac.with_acc"(%zeros) ({
  ^bb0(%acc: !soac.acc<tensor<9x5xf64>>):
    %all = "soac.map"(%n, %ks, %xs, %acc) ({
    ^bb0(%i: index, %k: index, %x: f64, %a: !soac.acc<tensor<9x5xf64>>):
      %r = tensor.extract_slice %t[%k, 0] [1, 5] [1, 1] : tensor<9x5xf64> to tensor<5xf64>
      %b = "soac.map"(%c5, %r, %a) ({
      ^bb0(%j: index, %v: f64, %c: !soac.acc<tensor<9x5xf64>>):
        %m = arith.subf %v, %x fastmath<contract> : f64
        %u = "soac.update"(%c, %k, %j, %m) {soac.in_bounds} : (!soac.acc<tensor<9x5xf64>>, index, index, f64) -> !soac.acc<tensor<9x5xf64>>
        "soac.yield"(%u) : (!soac.acc<tensor<9x5xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<5xf64>, !soac.acc<tensor<9x5xf64>>) -> !soac.acc<tensor<9x5xf64>>
      "soac.yield"(%b) : (!soac.acc<tensor<9x5xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xindex>, tensor<?xf64>, !soac.acc<tensor<9x5xf64>>) -> !soac.acc<tensor<9x5xf64>>
    "soac.yield"(%all) : (!soac.acc<tensor<9x5xf64>>) -> ()
  }) : (tensor<9x5xf64>) -> tensor<9x5xf64>
  return %g : tensor<9x5xf64>
}
