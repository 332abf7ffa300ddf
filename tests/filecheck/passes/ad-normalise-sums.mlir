// ad-normalise: maps in loops hand out their long sums, which the loop can then store; short ones they keep.
// RUN: tapeless-opt --ad-normalise=backwards=true --canonicalize --cse %s | filecheck %s

// CHECK-LABEL: func.func @in_a_map
// CHECK: scf.for
// CHECK: %[[MADE:.*]]:2 = "soac.map"(%{{.*}}, %{{.*}}) ({
// CHECK: %[[SUM:.*]] = "soac.reduce"
// CHECK: %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[SUM]]
// CHECK: "soac.yield"(%[[INVERSE]], %[[SUM]])
// CHECK: scf.yield %[[MADE]]#0
func.func @in_a_map(%n: index, %k: index, %m: tensor<?x?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<?xf64>) {
    %p = "soac.map"(%k, %m) ({
    ^bb0(%j: index, %row: tensor<?xf64>):
      %sum = "soac.reduce"(%k, %row, %zero) ({
      ^bb0(%a: f64, %b: f64):
        %s = arith.addf %a, %b : f64
        "soac.yield"(%s) : (f64) -> ()
      }) : (index, tensor<?xf64>, f64) -> f64
      %inverse = arith.divf %one, %sum : f64
      "soac.yield"(%inverse) : (f64) -> ()
    }) : (index, tensor<?x?xf64>) -> tensor<?xf64>
    scf.yield %p : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}

// A sum of three, and one whose row has another length in each iteration, stay inside; so do those outside of loops.
// CHECK-LABEL: func.func @stays
// CHECK: %{{[^:]*}} = "soac.map"
// CHECK: scf.for
// CHECK: %{{[^:]*}} = "soac.map"
// CHECK: %{{[^:]*}} = "soac.map"
// CHECK: return
func.func @stays(%n: index, %k: index, %m: tensor<?x3xf64>, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %outside = "soac.map"(%k, %x) ({
  ^bb0(%j: index, %e: f64):
    %sum = "soac.reduce"(%k, %x, %e) ({
    ^bb0(%a: f64, %b: f64):
      %s = arith.addf %a, %b : f64
      "soac.yield"(%s) : (f64) -> ()
    }) : (index, tensor<?xf64>, f64) -> f64
    %inverse = arith.divf %one, %sum : f64
    "soac.yield"(%inverse) : (f64) -> ()
  }) : (index, tensor<?xf64>) -> tensor<?xf64>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<?xf64>) {
    %p = "soac.map"(%k, %m) ({
    ^bb0(%j: index, %row: tensor<3xf64>):
      %sum = "soac.reduce"(%c3, %row, %zero) ({
      ^bb0(%a: f64, %b: f64):
        %s = arith.addf %a, %b : f64
        "soac.yield"(%s) : (f64) -> ()
      }) : (index, tensor<3xf64>, f64) -> f64
      %inverse = arith.divf %one, %sum : f64
      "soac.yield"(%inverse) : (f64) -> ()
    }) : (index, tensor<?x3xf64>) -> tensor<?xf64>
    %q = "soac.map"(%k, %p) ({
    ^bb0(%j: index, %e: f64):
      %sums = "soac.map"(%j) ({
      ^bb0(%l: index):
        %sum = "soac.reduce"(%k, %x, %zero) ({
        ^bb0(%a: f64, %b: f64):
          %s = arith.addf %a, %b : f64
          "soac.yield"(%s) : (f64) -> ()
        }) : (index, tensor<?xf64>, f64) -> f64
        "soac.yield"(%sum) : (f64) -> ()
      }) : (index) -> tensor<?xf64>
      %size = tensor.dim %sums, %c0 : tensor<?xf64>
      %whole = arith.index_cast %size : index to i64
      %size_f = arith.sitofp %whole : i64 to f64
      %scaled = arith.mulf %e, %size_f : f64
      "soac.yield"(%scaled) : (f64) -> ()
    }) : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %q : tensor<?xf64>
  }
  return %outside, %y : tensor<?xf64>, tensor<?xf64>
}
