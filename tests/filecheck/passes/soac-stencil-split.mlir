// What is computed from an array after a slice of it was written is computed where the slice is, and at its borders.
// RUN: tapeless-opt --soac-stencil-split %s | filecheck %s

// One loop makes the slice and what follows from it; one element before and one behind are computed alone.
// CHECK-LABEL: func.func @undone
// CHECK-SAME: (%[[A:.*]]: tensor<10xf64>, %[[Y:.*]]: tensor<10xf64>)
// CHECK: %[[INSIDE:.*]] = "soac.map"(%{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK: arith.mulf
// CHECK: arith.subf
// CHECK: tensor<8xf64>
// CHECK: %[[FIRST:.*]] = tensor.insert_slice %[[INSIDE]] into %[[A]][1] [8] [1]
// CHECK: tensor.extract_slice %[[FIRST]][0] [1] [1]
// CHECK: arith.subf
// CHECK: %[[SECOND:.*]] = tensor.insert_slice %{{.*}} into %[[FIRST]][0] [1] [1]
// CHECK: tensor.extract_slice %[[SECOND]][9] [1] [1]
// CHECK: arith.subf
// CHECK: %[[THIRD:.*]] = tensor.insert_slice %{{.*}} into %[[SECOND]][9] [1] [1]
// CHECK: return %[[THIRD]]
func.func @undone(%a: tensor<10xf64>, %y: tensor<10xf64>) -> tensor<10xf64> {
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %s = tensor.extract_slice %a[1] [8] [1] : tensor<10xf64> to tensor<8xf64>
  %v = "soac.map"(%c8, %s) ({
  ^bb0(%i: index, %e: f64):
    %f = arith.mulf %e, %e : f64
    "soac.yield"(%f) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<8xf64>) -> tensor<8xf64>
  %x = tensor.insert_slice %v into %a[1] [8] [1] : tensor<8xf64> into tensor<10xf64>
  %z = "soac.map"(%c10, %x, %y) ({
  ^bb0(%i: index, %e: f64, %g: f64):
    %d = arith.subf %g, %e : f64
    "soac.yield"(%d) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<10xf64>, tensor<10xf64>) -> tensor<10xf64>
  return %z : tensor<10xf64>
}

// The array with the slice is a result as well: it has to be made.
// CHECK-LABEL: func.func @wanted
// CHECK: %[[X:.*]] = tensor.insert_slice
// CHECK: %[[Z:.*]] = "soac.map"(%{{.*}}, %[[X]])
// CHECK: return %[[X]], %[[Z]]
func.func @wanted(%a: tensor<10xf64>) -> (tensor<10xf64>, tensor<10xf64>) {
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %s = tensor.extract_slice %a[1] [8] [1] : tensor<10xf64> to tensor<8xf64>
  %v = "soac.map"(%c8, %s) ({
  ^bb0(%i: index, %e: f64):
    %f = arith.mulf %e, %e : f64
    "soac.yield"(%f) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<8xf64>) -> tensor<8xf64>
  %x = tensor.insert_slice %v into %a[1] [8] [1] : tensor<8xf64> into tensor<10xf64>
  %z = "soac.map"(%c10, %x) ({
  ^bb0(%i: index, %e: f64):
    %d = arith.negf %e : f64
    "soac.yield"(%d) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<10xf64>) -> tensor<10xf64>
  return %x, %z : tensor<10xf64>, tensor<10xf64>
}

// The index means another element in a slice, so the map stays whole.
// CHECK-LABEL: func.func @indexed
// CHECK: %[[X:.*]] = tensor.insert_slice
// CHECK: "soac.map"(%{{.*}}, %[[X]])
func.func @indexed(%a: tensor<10xf64>) -> tensor<10xindex> {
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %s = tensor.extract_slice %a[1] [8] [1] : tensor<10xf64> to tensor<8xf64>
  %v = "soac.map"(%c8, %s) ({
  ^bb0(%i: index, %e: f64):
    %f = arith.mulf %e, %e : f64
    "soac.yield"(%f) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<8xf64>) -> tensor<8xf64>
  %x = tensor.insert_slice %v into %a[1] [8] [1] : tensor<8xf64> into tensor<10xf64>
  %z = "soac.map"(%c10, %x) ({
  ^bb0(%i: index, %e: f64):
    %zero = arith.constant 0.0 : f64
    %c0 = arith.constant 0 : index
    %is = arith.cmpf ogt, %e, %zero : f64
    %d = arith.select %is, %i, %c0 : index
    "soac.yield"(%d) : (index) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<10xf64>) -> tensor<10xindex>
  return %z : tensor<10xindex>
}
