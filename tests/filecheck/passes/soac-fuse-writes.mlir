// soac-fuse leaves writes after the last reader of what they overwrite.
// RUN: tapeless-opt --soac-fuse --soac-write-in-place %s | filecheck %s
// RUN: tapeless-opt --fuse %s | filecheck %s

// Fusing both maps would put the write before the first one, so that a copy of the array would be needed.
// CHECK-LABEL: func.func @write_between(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x?xf64>
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[X]][0, 0]
// CHECK: %[[A:.*]] = "soac.map"(%{{[^,]*}}, %[[ROW]])
// CHECK: %[[W:.*]] = tensor.insert_slice %{{.*}} into %[[X]][1, 0]
// CHECK: %[[WRITTEN:.*]] = tensor.extract_slice %[[W]][1, 0]
// CHECK: "soac.map"(%{{[^,]*}}, %[[WRITTEN]], %[[A]])
func.func @write_between(%x: tensor<2x?xf64>, %p: tensor<?xf64>, %n: index, %m: index) -> (tensor<2x?xf64>, tensor<?xf64>) {
  %row = tensor.extract_slice %x[0, 0] [1, %n] [1, 1] : tensor<2x?xf64> to tensor<?xf64>
  %w = tensor.insert_slice %p into %x[1, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<2x?xf64>
  %a = "soac.map"(%n, %row) ({
  ^bb0(%i: index, %v: f64):
    %e = math.exp %v : f64
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %written = tensor.extract_slice %w[1, 0] [1, %n] [1, 1] : tensor<2x?xf64> to tensor<?xf64>
  %b = "soac.map"(%n, %written, %a) ({
  ^bb0(%i: index, %v: f64, %u: f64):
    %e = arith.mulf %v, %u : f64
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %w, %b : tensor<2x?xf64>, tensor<?xf64>
}

// What the second map reads of other arrays can be looked at before the first one, whose result is needed in between.
// CHECK-LABEL: func.func @slices_between
// CHECK: tensor.extract_slice %arg1
// CHECK: "soac.map"
// CHECK: tensor.insert_slice
// CHECK-NOT: "soac.map"
// CHECK: return
func.func @slices_between(%xs: tensor<9xf64>, %ys: tensor<9xf64>) -> (tensor<9xf64>, tensor<7xf64>) {
  %c7 = arith.constant 7 : index
  %x = tensor.extract_slice %xs[1] [7] [1] : tensor<9xf64> to tensor<7xf64>
  %a = "soac.map"(%c7, %x) ({
  ^bb0(%i: index, %e: f64):
    %f = arith.negf %e : f64
    "soac.yield"(%f) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<7xf64>) -> tensor<7xf64>
  %zs = tensor.insert_slice %a into %xs[1] [7] [1] : tensor<7xf64> into tensor<9xf64>
  %y = tensor.extract_slice %ys[2] [7] [1] : tensor<9xf64> to tensor<7xf64>
  %b = "soac.map"(%c7, %x, %y) ({
  ^bb0(%i: index, %e: f64, %f: f64):
    %g = arith.mulf %e, %f : f64
    "soac.yield"(%g) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<7xf64>, tensor<7xf64>) -> tensor<7xf64>
  return %zs, %b : tensor<9xf64>, tensor<7xf64>
}
