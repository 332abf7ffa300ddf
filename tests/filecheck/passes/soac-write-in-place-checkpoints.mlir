// A loop that stores every state of an array carries it in the rows of what it stores.
// RUN: tapeless-opt --soac-write-in-place %s | filecheck %s
// RUN: tapeless-opt --fuse %s | filecheck %s

// CHECK-LABEL: func.func @stored
// CHECK: %[[FIRST:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [1, %{{.*}}] [1, 1]
// CHECK: %[[ALL:.*]] = scf.for %[[I:.*]] = %{{.*}} iter_args(%[[H:.*]] = %[[FIRST]]) -> (tensor<?x?xf64>)
// CHECK-NEXT: tensor.extract_slice %[[H]][%[[I]], 0]
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %{{.*}} : index
// CHECK-NEXT: %[[PROMISED:.*]] = tensor.insert_slice %{{.*}} into %[[H]][%[[NEXT]], 0]
// CHECK-NEXT: scf.yield %[[PROMISED]] : tensor<?x?xf64>
// CHECK: tensor.extract_slice %[[ALL]][%{{.*}}, 0]
func.func @stored(%x: tensor<?xf64>, %n: index, %k: index) -> (tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?xf64>
  %rows = tensor.empty(%n, %m) : tensor<?x?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %h = %rows) -> (tensor<?xf64>, tensor<?x?xf64>) {
    %kept = tensor.insert_slice %a into %h[%i, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    %b = "soac.map"(%m, %a) ({
    ^bb0(%j: index, %u: f64):
      %v = math.sin %u : f64
      "soac.yield"(%v) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %b, %kept : tensor<?xf64>, tensor<?x?xf64>
  }
  %e = tensor.extract %r#1[%k, %k] : tensor<?x?xf64>
  return %r#0, %e : tensor<?xf64>, f64
}

// All rows are wanted, not parts of them: their number has to stay what it is.
// CHECK-LABEL: func.func @returned
// CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[H:.*]] = %{{.*}})
// CHECK: tensor.insert_slice %[[A]] into %[[H]][%[[I]], 0]
func.func @returned(%x: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?xf64>
  %rows = tensor.empty(%n, %m) : tensor<?x?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %h = %rows) -> (tensor<?xf64>, tensor<?x?xf64>) {
    %kept = tensor.insert_slice %a into %h[%i, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    %b = "soac.map"(%m, %a) ({
    ^bb0(%j: index, %u: f64):
      %v = math.sin %u : f64
      "soac.yield"(%v) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %b, %kept : tensor<?xf64>, tensor<?x?xf64>
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?x?xf64>
}

// Every second row is written: the next state would not lie in the next row.
// CHECK-LABEL: func.func @every_second
// CHECK: scf.for %{{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[H:.*]] = %{{.*}})
func.func @every_second(%x: tensor<?xf64>, %n: index, %k: index) -> (tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m = tensor.dim %x, %c0 : tensor<?xf64>
  %rows = tensor.empty(%n, %m) : tensor<?x?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c2 iter_args(%a = %x, %h = %rows) -> (tensor<?xf64>, tensor<?x?xf64>) {
    %kept = tensor.insert_slice %a into %h[%i, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    %b = "soac.map"(%m, %a) ({
    ^bb0(%j: index, %u: f64):
      %v = math.sin %u : f64
      "soac.yield"(%v) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %b, %kept : tensor<?xf64>, tensor<?x?xf64>
  }
  %e = tensor.extract %r#1[%k, %k] : tensor<?x?xf64>
  return %r#0, %e : tensor<?xf64>, f64
}

// That the next state has the size of the row is what a check before the loop says, for when it runs.
// CHECK-LABEL: func.func @checked
// CHECK: %[[FIRST:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [1, %{{.*}}] [1, 1]
// CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(%[[H:.*]] = %[[FIRST]]) -> (tensor<?x?xf64>)
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %{{.*}} : index
// CHECK-NEXT: tensor.insert_slice %{{.*}} into %[[H]][%[[NEXT]], 0]
func.func @checked(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index, %k: index) -> (tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?xf64>
  %p = tensor.dim %y, %c0 : tensor<?xf64>
  %same = arith.cmpi eq, %m, %p : index
  %idle = arith.cmpi sle, %n, %c0 : index
  %either = arith.ori %same, %idle : i1
  "soac.assert"(%either, %m, %p) {kind = "ShapeMismatch", message = "sizes {} and {} differ"} : (i1, index, index) -> ()
  %rows = tensor.empty(%n, %m) : tensor<?x?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %h = %rows) -> (tensor<?xf64>, tensor<?x?xf64>) {
    %kept = tensor.insert_slice %a into %h[%i, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    %b = "soac.map"(%p, %a, %y) ({
    ^bb0(%j: index, %u: f64, %w: f64):
      %v = arith.mulf %u, %w : f64
      "soac.yield"(%v) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %b, %kept : tensor<?xf64>, tensor<?x?xf64>
  }
  %e = tensor.extract %r#1[%k, %k] : tensor<?x?xf64>
  return %r#0, %e : tensor<?xf64>, f64
}
