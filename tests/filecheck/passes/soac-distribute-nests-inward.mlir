// Rows that iterations make and add to an array are added element by element.
// RUN: tapeless-opt --split-input-file --soac-distribute-nests %s | filecheck %s
// RUN: tapeless-opt --split-input-file --soac-distribute-nests --loops=target=cuda %s | filecheck %s --check-prefix=COLUMNS

// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%[[N:.*]]: index, %[[KEYS:.*]]: tensor<?xindex>, %[[X:.*]]: tensor<?x4xf64>,
// CHECK: "soac.map"(%[[N]], %[[KEYS]], %[[X]], %{{.*}})
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[KEY:.*]]: index, %[[ROW:.*]]: tensor<4xf64>, %[[ACC:.*]]: !soac.acc<tensor<?x4xf64>>):
// CHECK-NEXT: %[[SUMS:.*]] = "soac.map"(%c4, %[[ROW]], %[[ACC]])
// CHECK-NEXT: ^bb0(%[[J:.*]]: index, %[[V:.*]]: f64, %[[OWN:.*]]: !soac.acc<tensor<?x4xf64>>):
// CHECK-NEXT: %[[W:.*]] = arith.mulf %[[V]], %[[V]]
// CHECK-NEXT: "soac.update"(%[[OWN]], %[[KEY]], %[[J]], %[[W]])
// CHECK: "soac.yield"(%[[SUMS]])

// Where the array has few places, a thread sums a column in a table of its own, four iterations at a time.
// COLUMNS-LABEL: func.func @rows
// COLUMNS: %[[TABLE:.*]] = memref.alloca(%{{.*}}) : memref<?x256xf64, #gpu.address_space<workgroup>>
// COLUMNS: scf.for %[[T:.*]] = %c0 to %c256
// COLUMNS: memref.store %{{.*}}, %[[TABLE]][%{{.*}}, %[[T]]]
// COLUMNS: %[[TURN:.*]] = arith.divui %[[T]], %c4
// COLUMNS: %[[COLUMN:.*]] = arith.remui %[[T]], %c4
// COLUMNS-COUNT-4: memref.store %{{.*}}, %[[TABLE]][%{{.*}}, %[[T]]]
// COLUMNS: } {tapeless.threads}
// COLUMNS: memref.load %[[TABLE]]
// COLUMNS: } {tapeless.threads}
// COLUMNS: } {tapeless.launch = "each block"}
func.func @rows(%n: index, %k: tensor<?xindex>, %x: tensor<?x4xf64>, %d: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %c4 = arith.constant 4 : index
  %g = "soac.with_acc"(%d) ({
  ^bb0(%acc: !soac.acc<tensor<?x4xf64>>):
    %all = "soac.map"(%n, %k, %x, %acc) ({
    ^bb0(%i: index, %key: index, %row: tensor<4xf64>, %a: !soac.acc<tensor<?x4xf64>>):
      %made = "soac.map"(%c4, %row) ({
      ^bb0(%j: index, %v: f64):
        %w = arith.mulf %v, %v : f64
        "soac.yield"(%w) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<4xf64>) -> tensor<4xf64>
      %u = "soac.update"(%a, %key, %made) : (!soac.acc<tensor<?x4xf64>>, index, tensor<4xf64>) -> !soac.acc<tensor<?x4xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?x4xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xindex>, tensor<?x4xf64>, !soac.acc<tensor<?x4xf64>>) -> !soac.acc<tensor<?x4xf64>>
    "soac.yield"(%all) : (!soac.acc<tensor<?x4xf64>>) -> ()
  }) : (tensor<?x4xf64>) -> tensor<?x4xf64>
  return %g : tensor<?x4xf64>
}

// -----

// A row that something else reads, too, is made as a whole.
// CHECK-LABEL: func.func @read_twice
// CHECK: %[[ROW:.*]] = "soac.map"(%c4
// CHECK: tensor.extract %[[ROW]]
// CHECK: "soac.update"(%{{.*}}, %{{.*}}, %[[ROW]])
// COLUMNS-LABEL: func.func @read_twice
func.func @read_twice(%n: index, %k: tensor<?xindex>, %x: tensor<?x4xf64>, %d: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %c4 = arith.constant 4 : index
  %g = "soac.with_acc"(%d) ({
  ^bb0(%acc: !soac.acc<tensor<?x4xf64>>):
    %all = "soac.map"(%n, %k, %x, %acc) ({
    ^bb0(%i: index, %key: index, %row: tensor<4xf64>, %a: !soac.acc<tensor<?x4xf64>>):
      %made = "soac.map"(%c4, %row) ({
      ^bb0(%j: index, %v: f64):
        %w = arith.mulf %v, %v : f64
        "soac.yield"(%w) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<4xf64>) -> tensor<4xf64>
      %zero = arith.constant 0 : index
      %first = tensor.extract %made[%zero] : tensor<4xf64>
      %place = arith.fptosi %first : f64 to i64
      %other = arith.index_cast %place : i64 to index
      %u = "soac.update"(%a, %other, %made) : (!soac.acc<tensor<?x4xf64>>, index, tensor<4xf64>) -> !soac.acc<tensor<?x4xf64>>
      "soac.yield"(%u) : (!soac.acc<tensor<?x4xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xindex>, tensor<?x4xf64>, !soac.acc<tensor<?x4xf64>>) -> !soac.acc<tensor<?x4xf64>>
    "soac.yield"(%all) : (!soac.acc<tensor<?x4xf64>>) -> ()
  }) : (tensor<?x4xf64>) -> tensor<?x4xf64>
  return %g : tensor<?x4xf64>
}
