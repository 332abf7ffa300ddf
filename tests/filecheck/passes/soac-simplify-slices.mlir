// soac-simplify looks reads up in the writes before them, and drops writes that later ones overwrite.
// RUN: tapeless-opt --soac-simplify %s | filecheck %s

// Other planes are read from the array before the writes, which come after all reads.
// CHECK-LABEL: func.func @other_planes(
// CHECK-SAME: %[[X:[^:]*]]: tensor<9x?xf64>
// CHECK: %[[SIX:.*]] = tensor.extract_slice %[[X]][6, 0]
// CHECK: %[[SEVEN:.*]] = tensor.extract_slice %[[X]][7, 0]
// CHECK: "soac.reduce"(%{{.*}}, %[[SEVEN]], %{{.*}})
// CHECK: "soac.reduce"(%{{.*}}, %[[SIX]], %{{.*}})
// CHECK: %[[A:.*]] = tensor.insert_slice %{{.*}} into %[[X]][8, 0]
// CHECK: %[[B:.*]] = tensor.insert_slice %{{.*}} into %[[A]][7, 0]
// CHECK: return %[[B]]
func.func @other_planes(%x: tensor<9x?xf64>, %p: tensor<?xf64>, %n: index) -> (tensor<9x?xf64>, f64, f64) {
  %zero = arith.constant 0.0 : f64
  %a = tensor.insert_slice %p into %x[8, 0] [1, %n] [1, 1] : tensor<?xf64> into tensor<9x?xf64>
  %seven = tensor.extract_slice %a[7, 0] [1, %n] [1, 1] : tensor<9x?xf64> to tensor<?xf64>
  %b = tensor.insert_slice %p into %a[7, 0] [1, %n] [1, 1] : tensor<?xf64> into tensor<9x?xf64>
  %six = tensor.extract_slice %b[6, 0] [1, %n] [1, 1] : tensor<9x?xf64> to tensor<?xf64>
  %s = "soac.reduce"(%n, %seven, %zero) ({
  ^bb0(%l: f64, %r: f64):
    %t = arith.addf %l, %r : f64
    "soac.yield"(%t) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  %u = "soac.reduce"(%n, %six, %zero) ({
  ^bb0(%l: f64, %r: f64):
    %t = arith.mulf %l, %r : f64
    "soac.yield"(%t) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %b, %s, %u : tensor<9x?xf64>, f64, f64
}

// The same place is the part that was written, past a write elsewhere.
// CHECK-LABEL: func.func @same_place(
// CHECK-SAME: %{{[^:]*}}: tensor<?x?xf64>, %[[P:[^:]*]]: tensor<?xf64>
// CHECK: return %{{.*}}, %[[P]]
func.func @same_place(%x: tensor<?x?xf64>, %p: tensor<?xf64>, %i: index, %n: index) -> (tensor<?x?xf64>, tensor<?xf64>) {
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 : index
  %a = tensor.insert_slice %p into %x[%i, 2] [1, %n] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
  %b = tensor.insert_slice %p into %a[%j, 2] [1, %n] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
  %r = tensor.extract_slice %b[%i, 2] [1, %n] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
  return %b, %r : tensor<?x?xf64>, tensor<?xf64>
}

// An element of a written part; ranges that end before the written one; even and odd places.
// CHECK-LABEL: func.func @inside_and_outside(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf64>, %[[P:[^:]*]]: tensor<4xf64>, %[[Q:[^:]*]]: tensor<?xf64>
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: tensor.extract %[[P]][%[[C2]]]
// CHECK-DAG: tensor.extract %[[X]][%{{.*}}]
// CHECK-DAG: tensor.extract_slice %[[P]][1] [2] [1]
func.func @inside_and_outside(%x: tensor<?xf64>, %p: tensor<4xf64>, %q: tensor<?xf64>, %m: index)
    -> (tensor<?xf64>, f64, f64, tensor<2xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %a = tensor.insert_slice %p into %x[3] [4] [1] : tensor<4xf64> into tensor<?xf64>
  %inside = tensor.extract %a[%c5] : tensor<?xf64>
  %outside = tensor.extract %a[%c0] : tensor<?xf64>
  %middle = tensor.extract_slice %a[4] [2] [1] : tensor<?xf64> to tensor<2xf64>
  %odd = tensor.insert_slice %q into %a[1] [%m] [2] : tensor<?xf64> into tensor<?xf64>
  %even = tensor.extract %odd[%c0] : tensor<?xf64>
  return %odd, %inside, %outside, %middle, %even : tensor<?xf64>, f64, f64, tensor<2xf64>, f64
}

// CHECK-LABEL: func.func @reads_a_fill
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: return %{{.*}}, %[[ZERO]]
func.func @reads_a_fill(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %n = tensor.dim %y, %c0 : tensor<?xf64>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = arith.addi %n, %c2 : index
  %fill = tensor.splat %zero[%m] : tensor<?xf64>
  %a = tensor.insert_slice %fill into %x[1] [%m] [1] : tensor<?xf64> into tensor<?xf64>
  %r = tensor.extract %a[%c1] : tensor<?xf64>
  return %a, %r : tensor<?xf64>, f64
}

// Overlapping places, unknown offsets and other sizes stay reads of the written array.
// CHECK-LABEL: func.func @unknown(
// CHECK: %[[A:.*]] = tensor.insert_slice
// CHECK-DAG: tensor.extract_slice %[[A]][2]
// CHECK-DAG: tensor.extract_slice %[[A]][%{{.*}}] [%{{.*}}]
// CHECK-DAG: tensor.extract_slice %[[A]][0] [%{{.*}}]
// CHECK-DAG: tensor.extract %[[A]]
func.func @unknown(%x: tensor<?xf64>, %p: tensor<?xf64>, %n: index, %m: index, %i: index)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64) {
  %a = tensor.insert_slice %p into %x[0] [%n] [1] : tensor<?xf64> into tensor<?xf64>
  %b = tensor.extract_slice %a[2] [%n] [1] : tensor<?xf64> to tensor<?xf64>
  %c = tensor.extract_slice %a[%i] [%n] [1] : tensor<?xf64> to tensor<?xf64>
  %d = tensor.extract_slice %a[0] [%m] [1] : tensor<?xf64> to tensor<?xf64>
  %e = tensor.extract %a[%i] : tensor<?xf64>
  return %a, %b, %c, %d, %e : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64
}

// A read that is used after the written array was looked at stays: the old array would have to be kept.
// CHECK-LABEL: func.func @written_array_is_read_first(
// CHECK: %[[A:.*]] = tensor.insert_slice
// CHECK: tensor.extract_slice %[[A]][1, 0]
func.func @written_array_is_read_first(%x: tensor<2x?xf64>, %p: tensor<?xf64>, %n: index) -> (f64, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %c2 = arith.constant 2 : index
  %a = tensor.insert_slice %p into %x[0, 0] [1, %n] [1, 1] : tensor<?xf64> into tensor<2x?xf64>
  %row = tensor.extract_slice %a[1, 0] [1, %n] [1, 1] : tensor<2x?xf64> to tensor<?xf64>
  %first = "soac.map"(%c2, %a) ({
  ^bb0(%i: index, %each: tensor<?xf64>):
    %v = tensor.extract %each[%i] : tensor<?xf64>
    "soac.yield"(%v) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<2x?xf64>) -> tensor<2xf64>
  %c0 = arith.constant 0 : index
  %f = tensor.extract %first[%c0] : tensor<2xf64>
  return %f, %row : f64, tensor<?xf64>
}

// CHECK-LABEL: func.func @overwritten(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf64>
// CHECK: %[[A:.*]] = tensor.insert_slice %{{.*}} into %[[X]][%{{.*}}]
// CHECK-NEXT: %[[B:.*]] = tensor.insert_slice %{{.*}} into %[[A]][0] [8]
// CHECK-NEXT: return %[[B]]
func.func @overwritten(%x: tensor<?xf64>, %p: tensor<3xf64>, %q: tensor<8xf64>, %i: index) -> tensor<?xf64> {
  %c7 = arith.constant 7 : index
  %one = arith.constant 1.0 : f64
  %a = tensor.insert_slice %p into %x[2] [3] [1] : tensor<3xf64> into tensor<?xf64>
  %b = tensor.insert_slice %p into %a[%i] [3] [1] : tensor<3xf64> into tensor<?xf64>
  %c = tensor.insert %one into %b[%c7] : tensor<?xf64>
  %d = tensor.insert_slice %q into %c[0] [8] [1] : tensor<8xf64> into tensor<?xf64>
  return %d : tensor<?xf64>
}

// What is read in between, or not overwritten completely, stays.
// CHECK-LABEL: func.func @overwritten_in_part(
// CHECK-COUNT-3: tensor.insert_slice
func.func @overwritten_in_part(%x: tensor<?xf64>, %p: tensor<3xf64>, %q: tensor<3xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %a = tensor.insert_slice %p into %x[0] [3] [1] : tensor<3xf64> into tensor<?xf64>
  %b = tensor.insert_slice %p into %a[1] [3] [1] : tensor<3xf64> into tensor<?xf64>
  %c = tensor.insert_slice %q into %b[1] [3] [1] : tensor<3xf64> into tensor<?xf64>
  return %b, %c : tensor<?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @assembled(
// CHECK-NOT: tensor.splat
// CHECK: tensor.empty
func.func @assembled(%n: index, %p: tensor<?xf64>, %q: tensor<?xf64>) -> tensor<2x?xf64> {
  %zero = arith.constant 0.0 : f64
  %fill = tensor.splat %zero[%n] : tensor<2x?xf64>
  %a = tensor.insert_slice %p into %fill[0, 0] [1, %n] [1, 1] : tensor<?xf64> into tensor<2x?xf64>
  %b = tensor.insert_slice %q into %a[1, 0] [1, %n] [1, 1] : tensor<?xf64> into tensor<2x?xf64>
  return %b : tensor<2x?xf64>
}

// CHECK-LABEL: func.func @assembled_in_part(
// CHECK: tensor.splat
func.func @assembled_in_part(%n: index, %m: index, %p: tensor<?xf64>, %q: tensor<?xf64>) -> tensor<2x?xf64> {
  %zero = arith.constant 0.0 : f64
  %fill = tensor.splat %zero[%n] : tensor<2x?xf64>
  %a = tensor.insert_slice %p into %fill[0, 0] [1, %n] [1, 1] : tensor<?xf64> into tensor<2x?xf64>
  %b = tensor.insert_slice %q into %a[1, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<2x?xf64>
  return %b : tensor<2x?xf64>
}
