// soac-write-in-place moves writes behind the last look at what they overwrite.
// RUN: tapeless-opt --soac-write-in-place %s | filecheck %s
// RUN: tapeless-opt --fuse %s | filecheck %s

// The map reads the array as it was: the write waits for it.
// CHECK-LABEL: func.func @read_after_write(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf64>
// CHECK: "soac.map"(%{{[^,]*}}, %[[X]])
// CHECK: tensor.insert %{{.*}} into %[[X]]
// CHECK-NEXT: return
func.func @read_after_write(%x: tensor<?xf64>, %n: index, %v: f64, %i: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %w = tensor.insert %v into %x[%i] : tensor<?xf64>
  %a = "soac.map"(%n, %x) ({
  ^bb0(%j: index, %e: f64):
    %y = math.exp %e : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %w, %a : tensor<?xf64>, tensor<?xf64>
}

// The second write is made from the first and looks at what that overwrites: the first cannot wait for it.
// CHECK-LABEL: func.func @swapped_rows(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x?xf64>
// CHECK-DAG: %[[A:.*]] = tensor.extract_slice %[[X]][0, 0]
// CHECK-DAG: %[[B:.*]] = tensor.extract_slice %[[X]][1, 0]
// CHECK: %[[W:.*]] = tensor.insert_slice %[[B]] into %[[X]][0, 0]
// CHECK-NEXT: tensor.insert_slice %[[A]] into %[[W]][1, 0]
func.func @swapped_rows(%x: tensor<2x?xf64>, %n: index) -> tensor<2x?xf64> {
  %b = tensor.extract_slice %x[1, 0] [1, %n] [1, 1] : tensor<2x?xf64> to tensor<?xf64>
  %a = tensor.extract_slice %x[0, 0] [1, %n] [1, 1] : tensor<2x?xf64> to tensor<?xf64>
  %w = tensor.insert_slice %b into %x[0, 0] [1, %n] [1, 1] : tensor<?xf64> into tensor<2x?xf64>
  %v = tensor.insert_slice %a into %w[1, 0] [1, %n] [1, 1] : tensor<?xf64> into tensor<2x?xf64>
  return %v : tensor<2x?xf64>
}

// What a map makes of the elements before %i is written there before the element at %i is.
// CHECK-LABEL: func.func @cleared_and_added(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf64>
// CHECK: %[[M:.*]] = "soac.map"
// CHECK: %[[S:.*]] = tensor.insert_slice %[[M]] into %[[X]][0]
// CHECK-NEXT: %[[R:.*]] = tensor.insert %{{.*}} into %[[S]]
// CHECK-NEXT: return %[[R]]
func.func @cleared_and_added(%x: tensor<?xf64>, %v: f64, %i: index) -> tensor<?xf64> {
  %part = tensor.extract_slice %x[0] [%i] [1] : tensor<?xf64> to tensor<?xf64>
  %m = "soac.map"(%i, %part) ({
  ^bb0(%j: index, %e: f64):
    %y = arith.addf %e, %v : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %w = tensor.insert %v into %x[%i] : tensor<?xf64>
  %r = tensor.insert_slice %m into %w[0] [%i] [1] : tensor<?xf64> into tensor<?xf64>
  return %r : tensor<?xf64>
}

// The slice has the element in it: the order stays.
// CHECK-LABEL: func.func @meeting_writes(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf64>
// CHECK: %[[W:.*]] = tensor.insert %{{.*}} into %[[X]]
// CHECK-NEXT: tensor.insert_slice %{{.*}} into %[[W]][0]
func.func @meeting_writes(%x: tensor<?xf64>, %v: f64, %i: index, %n: index) -> tensor<?xf64> {
  %part = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf64> to tensor<?xf64>
  %m = "soac.map"(%n, %part) ({
  ^bb0(%j: index, %e: f64):
    %y = math.exp %e : f64
    "soac.yield"(%y) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  %w = tensor.insert %v into %x[%i] : tensor<?xf64>
  %r = tensor.insert_slice %m into %w[0] [%n] [1] : tensor<?xf64> into tensor<?xf64>
  return %r : tensor<?xf64>
}
