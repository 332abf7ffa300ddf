// A fill that a later write covers but for a border is a fill of the border, after the write.
// RUN: tapeless-opt --soac-simplify %s | filecheck %s

// CHECK-LABEL: func.func @border
// CHECK-SAME: (%[[X:[^:]*]]: tensor<?xf64>, %[[P:[^:]*]]: tensor<5xf64>)
// CHECK: %[[FILL:.*]] = arith.constant dense<0.000000e+00> : tensor<2xf64>
// CHECK: %[[W:.*]] = tensor.insert_slice %[[P]] into %[[X]][1] [5] [1]
// CHECK: %[[Z:.*]] = tensor.insert_slice %[[FILL]] into %[[W]][6] [2] [1]
// CHECK: return %[[Z]]
func.func @border(%x: tensor<?xf64>, %p: tensor<5xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %fill = tensor.splat %zero : tensor<5xf64>
  %a = tensor.insert_slice %fill into %x[3] [5] [1] : tensor<5xf64> into tensor<?xf64>
  %b = tensor.insert_slice %p into %a[1] [5] [1] : tensor<5xf64> into tensor<?xf64>
  return %b : tensor<?xf64>
}

// Moved along two axes: a row and a column are left.
// CHECK-LABEL: func.func @corner
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 1] [3, 3] [1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[3, 0] [1, 3] [1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[1, 0] [3, 1] [1, 1]
func.func @corner(%x: tensor<?x?xf64>, %p: tensor<3x3xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %fill = tensor.splat %zero : tensor<3x3xf64>
  %a = tensor.insert_slice %fill into %x[1, 0] [3, 3] [1, 1] : tensor<3x3xf64> into tensor<?x?xf64>
  %b = tensor.insert_slice %p into %a[0, 1] [3, 3] [1, 1] : tensor<3x3xf64> into tensor<?x?xf64>
  return %b : tensor<?x?xf64>
}

// What is filled is looked at before it is covered.
// CHECK-LABEL: func.func @looked_at
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[3] [5] [1]
func.func @looked_at(%x: tensor<?xf64>, %p: tensor<5xf64>, %i: index) -> (tensor<?xf64>, f64) {
  %zero = arith.constant 0.0 : f64
  %fill = tensor.splat %zero : tensor<5xf64>
  %a = tensor.insert_slice %fill into %x[3] [5] [1] : tensor<5xf64> into tensor<?xf64>
  %e = tensor.extract %a[%i] : tensor<?xf64>
  %b = tensor.insert_slice %p into %a[1] [5] [1] : tensor<5xf64> into tensor<?xf64>
  return %b, %e : tensor<?xf64>, f64
}

// Which of the two places comes first is not known.
// CHECK-LABEL: func.func @anywhere
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[3] [5] [1]
func.func @anywhere(%x: tensor<?xf64>, %p: tensor<5xf64>, %i: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %fill = tensor.splat %zero : tensor<5xf64>
  %a = tensor.insert_slice %fill into %x[3] [5] [1] : tensor<5xf64> into tensor<?xf64>
  %b = tensor.insert_slice %p into %a[%i] [5] [1] : tensor<5xf64> into tensor<?xf64>
  return %b : tensor<?xf64>
}

// Every second element is covered, or a place of another size.
// CHECK-LABEL: func.func @other_elements
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[3] [5] [1]
func.func @other_elements(%x: tensor<?xf64>, %p: tensor<5xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %fill = tensor.splat %zero : tensor<5xf64>
  %a = tensor.insert_slice %fill into %x[3] [5] [1] : tensor<5xf64> into tensor<?xf64>
  %b = tensor.insert_slice %p into %a[1] [5] [2] : tensor<5xf64> into tensor<?xf64>
  return %b : tensor<?xf64>
}

// Something else is written over part of the fill first, which must not be lost.
// CHECK-LABEL: func.func @written_between
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[3] [5] [1]
func.func @written_between(%x: tensor<?xf64>, %p: tensor<5xf64>, %q: tensor<2xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %fill = tensor.splat %zero : tensor<5xf64>
  %a = tensor.insert_slice %fill into %x[3] [5] [1] : tensor<5xf64> into tensor<?xf64>
  %b = tensor.insert_slice %q into %a[7] [2] [1] : tensor<2xf64> into tensor<?xf64>
  %c = tensor.insert_slice %p into %b[1] [5] [1] : tensor<5xf64> into tensor<?xf64>
  return %c : tensor<?xf64>
}

// A constant of equal numbers is a fill as well.
// CHECK-LABEL: func.func @constant(
// CHECK-SAME: %[[X:.*]]: tensor<10xf64>, %[[A:.*]]: tensor<8xf64>
// CHECK-DAG: %[[ZERO:.*]] = {{.*}} : tensor<1xf64>
// CHECK-DAG: %[[WRITTEN:.*]] = tensor.insert_slice %[[A]] into %[[X]][0] [8] [1]
// CHECK: %[[RESULT:.*]] = tensor.insert_slice %{{.*}} into %[[WRITTEN]][8] [1] [1] : tensor<1xf64>
// CHECK: return %[[RESULT]]
func.func @constant(%x: tensor<10xf64>, %a: tensor<8xf64>) -> tensor<10xf64> {
  %zeros = arith.constant dense<0.0> : tensor<8xf64>
  %0 = tensor.insert_slice %zeros into %x[1] [8] [1] : tensor<8xf64> into tensor<10xf64>
  %1 = tensor.insert_slice %a into %0[0] [8] [1] : tensor<8xf64> into tensor<10xf64>
  return %1 : tensor<10xf64>
}
