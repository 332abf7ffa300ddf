// soac-map-before-gather: products of the rows of two nested maps are nests of their own.
// RUN: tapeless-opt --soac-map-before-gather=products=true --canonicalize --cse %s | filecheck %s
// RUN: tapeless-opt --soac-map-before-gather --canonicalize --cse %s | filecheck %s --check-prefix=WITHOUT

// WITHOUT-LABEL: func.func @scaled
// WITHOUT: "soac.map"
// WITHOUT-NEXT: ^bb0
// WITHOUT-NEXT: math.sqrt
// WITHOUT: soac.reduce

// CHECK-LABEL: func.func @scaled
// CHECK: %[[TABLE:.*]] = "soac.map"(%arg0, %arg2) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[A:.*]]: tensor<?xf64>):
// CHECK-NEXT: "soac.map"(%arg1, %arg3) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[B:.*]]: tensor<?xf64>):
// CHECK-NEXT: %[[TERMS:.*]] = "soac.map"(%arg4, %[[A]], %[[B]])
// CHECK: %[[SUM:.*]] = "soac.reduce"(%arg4, %[[TERMS]], %{{.*}})
// CHECK: "soac.yield"(%[[SUM]])
// CHECK: "soac.map"(%arg0, %arg5, %[[TABLE]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[E:.*]]: f64, %[[ROW:.*]]: tensor<?xf64>):
// CHECK-NEXT: %[[ROOT:.*]] = math.sqrt %[[E]]
// CHECK-NEXT: "soac.map"(%arg1, %[[ROW]]) ({
// CHECK-NOT: soac.reduce
// CHECK: return
func.func @scaled(
    %n: index, %m: index, %a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %d: index, %s: tensor<?xf64>) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %y = "soac.map"(%n, %a, %s) ({
  ^bb0(%i: index, %row: tensor<?xf64>, %e: f64):
    %root = math.sqrt %e : f64
    %z = "soac.map"(%m, %b) ({
    ^bb0(%j: index, %column: tensor<?xf64>):
      %terms = "soac.map"(%d, %row, %column) ({
      ^bb0(%k: index, %l: f64, %r: f64):
        %p = arith.mulf %l, %r : f64
        "soac.yield"(%p) : (f64) -> ()
      }) : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      %sum = "soac.reduce"(%d, %terms, %zero) ({
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        "soac.yield"(%t) : (f64) -> ()
      }) : (index, tensor<?xf64>, f64) -> f64
      %q = arith.divf %sum, %root : f64
      "soac.yield"(%q) : (f64) -> ()
    }) : (index, tensor<?x?xf64>) -> tensor<?xf64>
    "soac.yield"(%z) : (tensor<?xf64>) -> ()
  }) : (index, tensor<?x?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// A program that hands out one number for each row gets no array of all products.
// CHECK-LABEL: func.func @largest
// CHECK: "soac.map"(%arg0, %arg2) ({
// CHECK-NOT: return
// CHECK: math.exp
// CHECK: return
func.func @largest(%n: index, %m: index, %a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %d: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %y = "soac.map"(%n, %a) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %z = "soac.map"(%m, %b) ({
    ^bb0(%j: index, %column: tensor<?xf64>):
      %terms = "soac.map"(%d, %row, %column) ({
      ^bb0(%k: index, %l: f64, %r: f64):
        %p = arith.mulf %l, %r : f64
        "soac.yield"(%p) : (f64) -> ()
      }) : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      %sum = "soac.reduce"(%d, %terms, %zero) ({
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        "soac.yield"(%t) : (f64) -> ()
      }) : (index, tensor<?xf64>, f64) -> f64
      %q = math.exp %sum : f64
      "soac.yield"(%q) : (f64) -> ()
    }) : (index, tensor<?x?xf64>) -> tensor<?xf64>
    %most = "soac.reduce"(%m, %z, %zero) ({
    ^bb0(%l: f64, %r: f64):
      %t = arith.maximumf %l, %r : f64
      "soac.yield"(%t) : (f64) -> ()
    }) : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%most) : (f64) -> ()
  }) : (index, tensor<?x?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
