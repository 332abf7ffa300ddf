// soac-fuse keeps products of matrices apart from other loops over rows, so that several rows can run together.
// RUN: tapeless-opt --soac-fuse %s | filecheck %s

// The product is stored and its rows are summed afterwards.
// CHECK-LABEL: func.func @sums_of_rows
// CHECK: %[[C:.*]] = "soac.map"(
// CHECK: "soac.map"(
// CHECK: "soac.fused"(
// CHECK: }) {{.*}} -> tensor<?x?xf64>
// CHECK: "soac.map"(%arg0, %[[C]])
// CHECK: "soac.reduce"(
// CHECK: return
func.func @sums_of_rows(%n: index, %m: index, %k: index, %a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %C = "soac.map"(%n, %a) ({
  ^bb0(%iC: index, %rC: tensor<?xf64>):
    %rowC = "soac.map"(%m, %b) ({
    ^bb0(%jC: index, %cC: tensor<?xf64>):
      %pC = "soac.map"(%k, %rC, %cC) ({
      ^bb0(%kC: index, %xC: f64, %yC: f64):
        %zC = arith.mulf %xC, %yC : f64
        "soac.yield"(%zC) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      %sC = "soac.reduce"(%k, %pC, %zero) ({
      ^bb0(%lC: f64, %mC: f64):
        %tC = arith.addf %lC, %mC : f64
        "soac.yield"(%tC) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
      "soac.yield"(%sC) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
    "soac.yield"(%rowC) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  %out = "soac.map"(%n, %C) ({
  ^bb0(%i: index, %r: tensor<?xf64>):
    %s = "soac.reduce"(%m, %r, %zero) ({
    ^bb0(%l: f64, %q: f64):
      %t = arith.addf %l, %q : f64
      "soac.yield"(%t) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
  return %out : tensor<?xf64>
}

// What is computed from single elements of a product becomes part of it.
// CHECK-LABEL: func.func @elements
// CHECK-COUNT-2: soac.map
// CHECK: soac.fused
// CHECK: math.exp
// CHECK-NOT: soac.map
// CHECK: return
func.func @elements(%n: index, %m: index, %k: index, %a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %C = "soac.map"(%n, %a) ({
  ^bb0(%iC: index, %rC: tensor<?xf64>):
    %rowC = "soac.map"(%m, %b) ({
    ^bb0(%jC: index, %cC: tensor<?xf64>):
      %pC = "soac.map"(%k, %rC, %cC) ({
      ^bb0(%kC: index, %xC: f64, %yC: f64):
        %zC = arith.mulf %xC, %yC : f64
        "soac.yield"(%zC) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      %sC = "soac.reduce"(%k, %pC, %zero) ({
      ^bb0(%lC: f64, %mC: f64):
        %tC = arith.addf %lC, %mC : f64
        "soac.yield"(%tC) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
      "soac.yield"(%sC) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
    "soac.yield"(%rowC) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  %out = "soac.map"(%n, %C) ({
  ^bb0(%i: index, %r: tensor<?xf64>):
    %s = "soac.map"(%m, %r) ({
    ^bb0(%l: index, %q: f64):
      %t = math.exp %q : f64
      "soac.yield"(%t) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%s) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %out : tensor<?x?xf64>
}

// Two products of the same rows only share the read of a row.
// CHECK-LABEL: func.func @two_products
// CHECK-COUNT-2: "soac.map"(%arg0, %arg3)
// CHECK: return
func.func @two_products(%n: index, %m: index, %k: index, %a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %zero = arith.constant 0.0 : f64
  %C = "soac.map"(%n, %a) ({
  ^bb0(%iC: index, %rC: tensor<?xf64>):
    %rowC = "soac.map"(%m, %b) ({
    ^bb0(%jC: index, %cC: tensor<?xf64>):
      %pC = "soac.map"(%k, %rC, %cC) ({
      ^bb0(%kC: index, %xC: f64, %yC: f64):
        %zC = arith.mulf %xC, %yC : f64
        "soac.yield"(%zC) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      %sC = "soac.reduce"(%k, %pC, %zero) ({
      ^bb0(%lC: f64, %mC: f64):
        %tC = arith.addf %lC, %mC : f64
        "soac.yield"(%tC) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
      "soac.yield"(%sC) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
    "soac.yield"(%rowC) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  %E = "soac.map"(%n, %a) ({
  ^bb0(%iE: index, %rE: tensor<?xf64>):
    %rowE = "soac.map"(%m, %c) ({
    ^bb0(%jE: index, %cE: tensor<?xf64>):
      %pE = "soac.map"(%k, %rE, %cE) ({
      ^bb0(%kE: index, %xE: f64, %yE: f64):
        %zE = arith.mulf %xE, %yE : f64
        "soac.yield"(%zE) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      %sE = "soac.reduce"(%k, %pE, %zero) ({
      ^bb0(%lE: f64, %mE: f64):
        %tE = arith.addf %lE, %mE : f64
        "soac.yield"(%tE) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
      "soac.yield"(%sE) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
    "soac.yield"(%rowE) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %C, %E : tensor<?x?xf64>, tensor<?x?xf64>
}

// Three columns are not worth storing.
// CHECK-LABEL: func.func @narrow
// CHECK: %[[OUT:.*]] = "soac.map"(%arg0, %arg1)
// CHECK-NOT: -> tensor<?x3xf64>
// CHECK: return %[[OUT]]
func.func @narrow(%n: index, %a: tensor<?x3xf64>, %b: tensor<3x3xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %three = arith.constant 3 : index
  %C = "soac.map"(%n, %a) ({
  ^bb0(%iC: index, %rC: tensor<3xf64>):
    %rowC = "soac.map"(%three, %b) ({
    ^bb0(%jC: index, %cC: tensor<3xf64>):
      %pC = "soac.map"(%three, %rC, %cC) ({
      ^bb0(%kC: index, %xC: f64, %yC: f64):
        %zC = arith.mulf %xC, %yC : f64
        "soac.yield"(%zC) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      %sC = "soac.reduce"(%three, %pC, %zero) ({
      ^bb0(%lC: f64, %mC: f64):
        %tC = arith.addf %lC, %mC : f64
        "soac.yield"(%tC) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<3xf64>, f64) -> f64
      "soac.yield"(%sC) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<3x3xf64>) -> tensor<3xf64>
    "soac.yield"(%rowC) : (tensor<3xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x3xf64>) -> tensor<?x3xf64>
  %out = "soac.map"(%n, %C) ({
  ^bb0(%i: index, %r: tensor<3xf64>):
    %s = "soac.reduce"(%three, %r, %zero) ({
    ^bb0(%l: f64, %q: f64):
      %t = arith.addf %l, %q : f64
      "soac.yield"(%t) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<3xf64>, f64) -> f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x3xf64>) -> tensor<?xf64>
  return %out : tensor<?xf64>
}

// Each row has a matrix of its own: nothing is read again in the next row.
// CHECK-LABEL: func.func @batch_of_vectors
// CHECK: %[[OUT:.*]] = "soac.map"(%arg0, %arg3, %arg4)
// CHECK-NOT: -> tensor<?x?xf64>
// CHECK: return %[[OUT]]
func.func @batch_of_vectors(%n: index, %m: index, %k: index, %a: tensor<?x?x?xf64>, %x: tensor<?x?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %C = "soac.map"(%n, %a, %x) ({
  ^bb0(%i: index, %r: tensor<?x?xf64>, %v: tensor<?xf64>):
    %row = "soac.map"(%m, %r) ({
    ^bb0(%j: index, %c: tensor<?xf64>):
      %p = "soac.map"(%k, %c, %v) ({
      ^bb0(%l: index, %y: f64, %z: f64):
        %w = arith.mulf %y, %z : f64
        "soac.yield"(%w) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      %s = "soac.reduce"(%k, %p, %zero) ({
      ^bb0(%l: f64, %q: f64):
        %t = arith.addf %l, %q : f64
        "soac.yield"(%t) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
      "soac.yield"(%s) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
    "soac.yield"(%row) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?x?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %out = "soac.map"(%n, %C) ({
  ^bb0(%i: index, %r: tensor<?xf64>):
    %s = "soac.reduce"(%m, %r, %zero) ({
    ^bb0(%l: f64, %q: f64):
      %t = arith.addf %l, %q : f64
      "soac.yield"(%t) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%s) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?xf64>
  return %out : tensor<?xf64>
}

// Of a sum that stores a number for each of its terms, no product is left to keep apart: what reads these is merged.
// CHECK-LABEL: func.func @stores_terms
// CHECK: "soac.map"(%arg0, %arg3)
// CHECK: "soac.fused"(
// CHECK-NOT: tensor<?x?x?xf64>
// CHECK: return
func.func @stores_terms(%n: index, %m: index, %k: index, %a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %C:2 = "soac.map"(%n, %a) ({
  ^bb0(%iC: index, %rC: tensor<?xf64>):
    %rowC:2 = "soac.map"(%m, %b) ({
    ^bb0(%jC: index, %cC: tensor<?xf64>):
      %pC = "soac.map"(%k, %rC, %cC) ({
      ^bb0(%kC: index, %xC: f64, %yC: f64):
        %zC = arith.mulf %xC, %yC : f64
        "soac.yield"(%zC) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      %sC = "soac.reduce"(%k, %pC, %zero) ({
      ^bb0(%lC: f64, %mC: f64):
        %tC = arith.addf %lC, %mC : f64
        "soac.yield"(%tC) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
      "soac.yield"(%sC, %pC) : (f64, tensor<?xf64>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>)
    "soac.yield"(%rowC#0, %rowC#1) : (tensor<?xf64>, tensor<?x?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?x?xf64>)
  %out = "soac.map"(%n, %C#0, %C#1) ({
  ^bb0(%i: index, %r: tensor<?xf64>, %terms: tensor<?x?xf64>):
    %s = "soac.map"(%m, %r, %terms) ({
    ^bb0(%j: index, %q: f64, %row: tensor<?xf64>):
      %largest = "soac.reduce"(%k, %row, %zero) ({
      ^bb0(%l: f64, %o: f64):
        %t = arith.maximumf %l, %o : f64
        "soac.yield"(%t) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
      %u = arith.mulf %largest, %q : f64
      "soac.yield"(%u) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?x?xf64>) -> tensor<?xf64>
    %v = "soac.reduce"(%m, %s, %zero) ({
    ^bb0(%l: f64, %q: f64):
      %t = arith.addf %l, %q : f64
      "soac.yield"(%t) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%v) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?x?xf64>, tensor<?x?x?xf64>) -> tensor<?xf64>
  return %out : tensor<?xf64>
}
