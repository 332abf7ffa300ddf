// soac-hoist-elements computes once what inner maps make of arrays that are the same for the loop around.
// RUN: tapeless-opt --soac-hoist-elements --canonicalize --cse %s | filecheck %s

// A row of a matrix meets a vector: roots of the vector's elements are taken before the loop over rows, once; what also
// depends on the row stays.
// CHECK-LABEL: func.func @standardised
// CHECK: %[[ROOTS:.*]] = "soac.map"(%arg3, %arg1) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[V:.*]]: f64):
// CHECK-NEXT: %[[E:.*]] = arith.addf %[[V]], %arg4
// CHECK-NEXT: %[[R:.*]] = math.sqrt %[[E]]
// CHECK-NEXT: "soac.yield"(%[[R]])
// CHECK: "soac.map"(%arg2, %arg0)
// CHECK: "soac.map"(%arg3, %{{.*}}, %[[ROOTS]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:.*]]: f64, %[[ROOT:.*]]: f64):
// CHECK-NEXT: %[[Y:.*]] = arith.divf %[[X]], %[[ROOT]]
// CHECK-NEXT: "soac.yield"(%[[Y]])
func.func @standardised(%x: tensor<?x?xf64>, %v: tensor<?xf64>, %n: index, %d: index, %eps: f64) -> tensor<?x?xf64> {
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %z = "soac.map"(%d, %row, %v) ({
    ^bb0(%j: index, %a: f64, %b: f64):
      %e = arith.addf %b, %eps : f64
      %r = math.sqrt %e : f64
      %q = arith.divf %a, %r : f64
      "soac.yield"(%q) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%z) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// The same in a loop that is no map.
// CHECK-LABEL: func.func @in_steps
// CHECK: %[[SINES:.*]] = "soac.map"(%arg2, %arg1)
// CHECK: math.sin
// CHECK: scf.for
// CHECK-NOT: math.sin
// CHECK: "soac.map"(%arg2, %{{.*}}, %[[SINES]])
// CHECK: return
func.func @in_steps(%u: tensor<?xf64>, %c: tensor<?xf64>, %d: index, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %t = %c0 to %n step %c1 iter_args(%now = %u) -> tensor<?xf64> {
    %z = "soac.map"(%d, %now, %c) ({
    ^bb0(%j: index, %a: f64, %b: f64):
      %s = math.sin %b : f64
      %q = arith.mulf %a, %s : f64
      "soac.yield"(%q) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %z : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}

// Rows of a matrix that are the same for the loop around the map over them: functions of all of its elements are taken
// before.
// CHECK-LABEL: func.func @rows_of_a_matrix
// CHECK: %[[TABLE:.*]] = "soac.map"(%arg2, %arg1) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[ROW:.*]]: tensor<?xf64>):
// CHECK-NEXT: "soac.map"(%arg3, %[[ROW]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[E:.*]]: f64):
// CHECK-NEXT: math.exp %[[E]]
// CHECK: "soac.map"(%arg4, %arg0)
// CHECK: "soac.map"(%arg2, %[[TABLE]]) ({
// CHECK-NOT: math.exp
// CHECK: return
func.func @rows_of_a_matrix(%x: tensor<?x?xf64>, %s: tensor<?x?xf64>, %m: index, %d: index, %n: index) -> tensor<?x?x?xf64> {
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %point: tensor<?xf64>):
    %z = "soac.map"(%m, %s) ({
    ^bb0(%k: index, %row: tensor<?xf64>):
      %w = "soac.map"(%d, %point, %row) ({
      ^bb0(%j: index, %a: f64, %b: f64):
        %e = math.exp %b : f64
        %q = arith.mulf %a, %e : f64
        "soac.yield"(%q) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      "soac.yield"(%w) : (tensor<?xf64>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
    "soac.yield"(%z) : (tensor<?x?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?x?xf64>
  return %y : tensor<?x?x?xf64>
}

// Functions of all pairs of elements would be a matrix that there is not.
// CHECK-LABEL: func.func @all_pairs
// CHECK-NOT: soac.map
// CHECK: scf.for
// CHECK: math.exp
func.func @all_pairs(%x: tensor<?x?xf64>, %u: tensor<?xf64>, %v: tensor<?xf64>, %m: index, %d: index, %n: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %t = %c0 to %n step %c1 iter_args(%now = %x) -> tensor<?x?xf64> {
    %z = "soac.map"(%m, %now, %u) ({
    ^bb0(%k: index, %row: tensor<?xf64>, %p: f64):
      %w = "soac.map"(%d, %row, %v) ({
      ^bb0(%j: index, %a: f64, %b: f64):
        %sum = arith.addf %p, %b : f64
        %e = math.exp %sum : f64
        %q = arith.mulf %a, %e : f64
        "soac.yield"(%q) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      "soac.yield"(%w) : (tensor<?xf64>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
    scf.yield %z : tensor<?x?xf64>
  }
  return %y : tensor<?x?xf64>
}

// Sums and products are computed again, which takes no longer than reading them.
// CHECK-LABEL: func.func @cheap
// CHECK-COUNT-2: "soac.map"
// CHECK-NOT: "soac.map"
func.func @cheap(%x: tensor<?x?xf64>, %v: tensor<?xf64>, %n: index, %d: index, %eps: f64) -> tensor<?x?xf64> {
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %z = "soac.map"(%d, %row, %v) ({
    ^bb0(%j: index, %a: f64, %b: f64):
      %e = arith.mulf %b, %eps : f64
      %q = arith.divf %a, %e : f64
      "soac.yield"(%q) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    "soac.yield"(%z) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// Rows of which each has a size of its own, and a map that a branch may not reach.
// CHECK-LABEL: func.func @not_in_all_iterations
// CHECK-NEXT: "soac.map"(%arg2, %arg0, %arg4)
// CHECK: scf.if
// CHECK: math.sqrt
func.func @not_in_all_iterations(%x: tensor<?x?xf64>, %v: tensor<?xf64>, %n: index, %d: index, %use: tensor<?xi1>) -> tensor<?x?xf64> {
  %y = "soac.map"(%n, %x, %use) ({
  ^bb0(%i: index, %row: tensor<?xf64>, %wanted: i1):
    %z = scf.if %wanted -> tensor<?xf64> {
      %w = "soac.map"(%d, %row, %v) ({
      ^bb0(%j: index, %a: f64, %b: f64):
        %r = math.sqrt %b : f64
        %q = arith.divf %a, %r : f64
        "soac.yield"(%q) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      scf.yield %w : tensor<?xf64>
    } else {
      scf.yield %row : tensor<?xf64>
    }
    "soac.yield"(%z) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?x?xf64>, tensor<?xi1>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}
