// Parts of rows that all iterations of a map take, or write into rows, are parts of whole arrays.
// RUN: tapeless-opt --soac-hoist-slices %s | filecheck %s

// CHECK-LABEL: func.func @inner_points
// CHECK: %[[ROWS:.*]] = tensor.splat
// CHECK-DAG: %[[LEFT:.*]] = tensor.extract_slice %arg0[1, 0] [%arg2, %arg3] [1, 1]
// CHECK-DAG: %[[RIGHT:.*]] = tensor.extract_slice %arg0[1, 2] [%arg2, %arg3] [1, 1]
// CHECK-DAG: %[[OWN:.*]] = tensor.extract_slice %arg1[1, 1] [%arg2, %arg3] [1, 1]
// CHECK: %[[MADE:.*]] = "soac.map"(%arg2, %[[LEFT]], %[[RIGHT]], %[[OWN]]) ({
// CHECK: ^bb0(%{{.*}}: index, %[[A:.*]]: tensor<?xf64>, %[[B:.*]]: tensor<?xf64>, %[[C:.*]]: tensor<?xf64>):
// CHECK: "soac.map"(%arg3, %[[A]], %[[B]], %[[C]]) ({
// CHECK-NOT: tensor.extract
// CHECK-NOT: insert_slice
// CHECK: }) {{.*}} : (index, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
// CHECK: tensor.insert_slice %[[MADE]] into %[[ROWS]][1, 1] [%arg2, %arg3] [1, 1]
func.func @inner_points(%x: tensor<?x?xf64>, %speed: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %rows = tensor.dim %x, %c0 : tensor<?x?xf64>
  %columns = tensor.dim %x, %c1 : tensor<?x?xf64>
  %zeros = tensor.splat %zero[%rows, %columns] : tensor<?x?xf64>
  %part = tensor.extract_slice %x[1, 0] [%n, %columns] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
  %made = "soac.map"(%n, %part) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %new = tensor.splat %zero[%columns] : tensor<?xf64>
    %above = arith.addi %i, %c1 : index
    %a = tensor.extract_slice %row[0] [%m] [1] : tensor<?xf64> to tensor<?xf64>
    %b = tensor.extract_slice %row[2] [%m] [1] : tensor<?xf64> to tensor<?xf64>
    %y = "soac.map"(%m, %a, %b) ({
    ^bb0(%j: index, %p: f64, %q: f64):
      %k = arith.addi %j, %c1 : index
      %s = tensor.extract %speed[%above, %k] : tensor<?x?xf64>
      %t = arith.addf %p, %q fastmath<contract> : f64
      %u = arith.mulf %t, %s fastmath<contract> : f64
      "soac.yield"(%u) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %all = tensor.insert_slice %y into %new[1] [%m] [1] : tensor<?xf64> into tensor<?xf64>
    "soac.yield"(%all) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  %all = tensor.insert_slice %made into %zeros[1, 0] [%n, %columns] [1, 1] : tensor<?x?xf64> into tensor<?x?xf64>
  return %all : tensor<?x?xf64>
}

// What is written into may be the row of an array, which it then is as a whole; a row that is read elsewhere stays.
// CHECK-LABEL: func.func @rows_of_an_array
// CHECK: %[[MADE:.*]] = "soac.map"(%arg1, %arg0, %arg0) ({
// CHECK-NOT: insert_slice
// CHECK: "soac.yield"
// CHECK: tensor.insert_slice %[[MADE]] into %arg0[0, 1] [%arg1, 3] [1, 1]
func.func @rows_of_an_array(%x: tensor<?x?xf64>, %n: index, %y: tensor<3xf64>) -> tensor<?x?xf64> {
  %made = "soac.map"(%n, %x, %x) ({
  ^bb0(%i: index, %row: tensor<?xf64>, %other: tensor<?xf64>):
    %e = tensor.extract %other[%i] : tensor<?xf64>
    %part = tensor.splat %e : tensor<3xf64>
    %all = tensor.insert_slice %part into %row[1] [3] [1] : tensor<3xf64> into tensor<?xf64>
    "soac.yield"(%all) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %made : tensor<?x?xf64>
}
