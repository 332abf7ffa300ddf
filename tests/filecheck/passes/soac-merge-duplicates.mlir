// soac-merge-duplicates computes once what a loop would compute twice.
// RUN: tapeless-opt --soac-merge-duplicates %s | filecheck %s
// RUN: tapeless-opt --soac-fuse %s | filecheck %s

// Two products of a matrix with equal differences, their squares and sums: one of each, through two levels of loops.
// CHECK-LABEL: func.func @squared_products
// CHECK: %[[D:.*]] = "soac.map"
// CHECK: %[[R:.*]] = "soac.fused"(%{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK: %[[Y:.*]] = "soac.fused"(%{{.*}}, %{{.*}}, %[[D]], %{{.*}}) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[A:.*]]: f64, %[[B:.*]]: f64):
// CHECK-NEXT: %[[AB:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK-NEXT: "soac.yield"(%[[AB]]) : (f64) -> ()
// CHECK: %[[S:.*]] = arith.mulf %[[Y]], %[[Y]]
// CHECK-NEXT: "soac.yield"(%[[S]]) : (f64) -> ()
// CHECK: return %[[R]], %[[R]]
func.func @squared_products(%m: tensor<?x?xf64>, %x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %d0 = "soac.map"(%n, %x, %y) ({
  ^bb0(%i: index, %a: f64, %b: f64):
    %t = arith.subf %a, %b : f64
    "soac.yield"(%t) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %r:2 = "soac.fused"(%n, %m, %zero, %zero) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %p:2 = "soac.fused"(%n, %row, %d0, %d0, %zero, %zero) ({
    ^bb0(%j: index, %a: f64, %b: f64, %c: f64):
      %ab = arith.mulf %a, %b : f64
      %ac = arith.mulf %a, %c : f64
      "soac.yield"(%ab, %ac) : (f64, f64) -> ()
    }, {
    ^bb0(%a: f64, %b: f64, %c: f64, %d: f64):
      %t0 = arith.addf %a, %c : f64
      %t1 = arith.addf %b, %d : f64
      "soac.yield"(%t0, %t1) : (f64, f64) -> ()
    }, {
    }) {operandSegmentSizes = array<i32: 1, 3, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64, f64) -> (f64, f64)
    %s0 = arith.mulf %p#0, %p#0 : f64
    %s1 = arith.mulf %p#1, %p#1 : f64
    "soac.yield"(%s0, %s1) : (f64, f64) -> ()
  }, {
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64):
    %t0 = arith.addf %a, %c : f64
    %t1 = arith.addf %b, %d : f64
    "soac.yield"(%t0, %t1) : (f64, f64) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 1, 2, 0>} : (index, tensor<?x?xf64>, f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

// The largest element and its place, twice: components that depend on each other are one when all of them agree.
// CHECK-LABEL: func.func @places_of_maxima
// CHECK: %[[R:.*]]:2 = "soac.fused"
// CHECK: }, {
// CHECK-NEXT: ^bb0(%{{.*}}: f64, %{{.*}}: index, %{{.*}}: f64, %{{.*}}: index):
// CHECK: return %[[R]]#1, %[[R]]#1
func.func @places_of_maxima(%xs: tensor<?xf64>, %n: index, %low: f64) -> (index, index) {
  %r:4 = "soac.fused"(%n, %xs, %low, %n, %low, %n) ({
  ^bb0(%i: index, %x: f64):
    "soac.yield"(%x, %i, %x, %i) : (f64, index, f64, index) -> ()
  }, {
  ^bb0(%a: f64, %i: index, %b: f64, %j: index, %c: f64, %k: index, %d: f64, %l: index):
    %t0 = arith.cmpf ogt, %c, %a : f64
    %v0 = arith.select %t0, %c, %a : f64
    %p0 = arith.select %t0, %k, %i : index
    %t1 = arith.cmpf ogt, %d, %b : f64
    %v1 = arith.select %t1, %d, %b : f64
    %p1 = arith.select %t1, %l, %j : index
    "soac.yield"(%v0, %p0, %v1, %p1) : (f64, index, f64, index) -> ()
  }, {
  }) {operandSegmentSizes = array<i32: 1, 1, 4, 0>} : (index, tensor<?xf64>, f64, index, f64, index) -> (f64, index, f64, index)
  return %r#1, %r#3 : index, index
}

// The same elements from the same start, but combined in different ways or from different starts: all three stay.
// CHECK-LABEL: func.func @different_operators
// CHECK: %[[R:.*]]:3 = "soac.reduce"
// CHECK: arith.addf
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#2
func.func @different_operators(%xs: tensor<?xf64>, %n: index, %start: f64, %other: f64) -> (f64, f64, f64) {
  %r:3 = "soac.reduce"(%n, %xs, %xs, %xs, %start, %start, %other) ({
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64, %e: f64, %f: f64):
    %t0 = arith.addf %a, %d : f64
    %t1 = arith.mulf %b, %e : f64
    %t2 = arith.addf %c, %f : f64
    "soac.yield"(%t0, %t1, %t2) : (f64, f64, f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 3, 3>} : (index, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64, f64, f64) -> (f64, f64, f64)
  return %r#0, %r#1, %r#2 : f64, f64, f64
}

// Prefix sums of rows, whose operator is a loop itself.
// CHECK-LABEL: func.func @prefixes_of_rows
// CHECK: %[[R:.*]] = "soac.scan"(%{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK: return %[[R]], %[[R]]
func.func @prefixes_of_rows(%m: tensor<?x3xf64>, %n: index, %zero: tensor<3xf64>) -> (tensor<?x3xf64>, tensor<?x3xf64>) {
  %c3 = arith.constant 3 : index
  %r:2 = "soac.scan"(%n, %m, %m, %zero, %zero) ({
  ^bb0(%a: tensor<3xf64>, %b: tensor<3xf64>, %c: tensor<3xf64>, %d: tensor<3xf64>):
    %t0 = "soac.map"(%c3, %a, %c) ({
    ^bb0(%i: index, %x: f64, %y: f64):
      %t = arith.addf %x, %y : f64
      "soac.yield"(%t) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    %t1 = "soac.map"(%c3, %b, %d) ({
    ^bb0(%i: index, %x: f64, %y: f64):
      %t = arith.addf %x, %y : f64
      "soac.yield"(%t) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    "soac.yield"(%t0, %t1) : (tensor<3xf64>, tensor<3xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 2>, exclusive = false, reverse = false} : (index, tensor<?x3xf64>, tensor<?x3xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<?x3xf64>, tensor<?x3xf64>)
  return %r#0, %r#1 : tensor<?x3xf64>, tensor<?x3xf64>
}
