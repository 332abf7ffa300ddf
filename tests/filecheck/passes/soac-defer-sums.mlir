// soac-defer-sums lets a loop keep rows, and sums those of many iterations at once.
// RUN: tapeless-opt --split-input-file --soac-defer-sums=most-kept=4096 %s | filecheck %s

// The product is summed over the rows of a chunk: those of %xs, which go from the last one on, and those that the loop made.
// CHECK-LABEL: func.func @products_and_columns
// CHECK-SAME: %[[XS:[a-z0-9]+]]: tensor<?x?x?xf64>
// CHECK: %[[KEPT:.*]] = arith.divsi
// CHECK: %[[FEWER:.*]] = arith.minsi %[[KEPT]], %[[TRIPS:.*]] :
// CHECK: %[[STEPS:.*]] = arith.maxsi %[[FEWER]]
// CHECK: %[[ROWS:.*]] = tensor.reshape %[[XS]]
// CHECK: %[[CHUNKS:.*]] = arith.ceildivsi %[[TRIPS]], %[[STEPS]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[CHUNKS]] step %{{.*}} iter_args(%[[G:.*]] = %{{.*}}, %[[W:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK: %[[ROOM:.*]] = tensor.empty
// CHECK: %[[LEFT:.*]]:2 = scf.for %[[T:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %[[G]], %[[STACK:.*]] = %[[ROOM]])
// CHECK: %[[NEXT:.*]] = "soac.map"
// CHECK: tensor.insert_slice %[[NEXT]] into %[[STACK]]
// CHECK: scf.yield
// CHECK: }
// CHECK: %[[SOME:.*]] = tensor.extract_slice %[[ROWS]]
// CHECK: %[[MADE:.*]] = tensor.extract_slice %[[LEFT]]#1
// CHECK: %[[PRODUCT:.*]] = "soac.map"(%{{.*}}, %[[W]])
// CHECK: "soac.fused"(%{{.*}}, %[[SOME]], %[[MADE]]
// CHECK: %[[COLUMNS:.*]] = "soac.reduce"(%{{.*}}, %[[MADE]]
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[B]]
// CHECK: %[[SUM:.*]] = "soac.map"(%{{.*}}, %[[PART]], %[[COLUMNS]])
// CHECK: %[[BIAS:.*]] = tensor.insert_slice %[[SUM]] into %[[B]]
// CHECK: scf.yield %[[LEFT]]#0, %[[PRODUCT]], %[[BIAS]]
func.func @products_and_columns(%xs: tensor<?x?x?xf64>, %g: tensor<?x?xf64>, %w: tensor<?x?xf64>, %b: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %steps = tensor.dim %xs, %c0 : tensor<?x?x?xf64>
  %rows = tensor.dim %xs, %c1 : tensor<?x?x?xf64>
  %features = tensor.dim %xs, %c2 : tensor<?x?x?xf64>
  %units = tensor.dim %g, %c1 : tensor<?x?xf64>
  %last = arith.subi %steps, %c1 : index
  %out:3 = scf.for %t = %c0 to %steps step %c1 iter_args(%gt = %g, %wt = %w, %bt = %b) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>) {
    %at = arith.subi %last, %t : index
    %x = tensor.extract_slice %xs[%at, 0, 0] [1, %rows, %features] [1, 1, 1] : tensor<?x?x?xf64> to tensor<?x?xf64>
    %next = "soac.map"(%rows, %gt) ({
    ^bb0(%i: index, %r: tensor<?xf64>):
      %y = "soac.map"(%units, %r) ({
      ^bb0(%j: index, %e: f64):
        %z = arith.mulf %e, %half : f64
        "soac.yield"(%z) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
      "soac.yield"(%y) : (tensor<?xf64>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
    %sums:2 = "soac.with_acc"(%bt) ({
    ^bb0(%acc: !soac.acc<tensor<?xf64>>):
      %a = "soac.map"(%rows, %next, %acc) ({
      ^bb0(%i: index, %r: tensor<?xf64>, %acc1: !soac.acc<tensor<?xf64>>):
        %b1 = "soac.map"(%units, %r, %acc1) ({
        ^bb0(%j: index, %e: f64, %acc2: !soac.acc<tensor<?xf64>>):
          %u = "soac.update"(%acc2, %j, %e) {soac.in_bounds} : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
          "soac.yield"(%u) : (!soac.acc<tensor<?xf64>>) -> ()
        }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
        "soac.yield"(%b1) : (!soac.acc<tensor<?xf64>>) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?x?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
      "soac.yield"(%a, %next) : (!soac.acc<tensor<?xf64>>, tensor<?x?xf64>) -> ()
    }) : (tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>)
    %product = "soac.map"(%features, %wt) ({
    ^bb0(%i: index, %r: tensor<?xf64>):
      %y = "soac.map"(%units, %r) ({
      ^bb0(%j: index, %e: f64):
        %s = "soac.fused"(%rows, %x, %sums#1, %zero) ({
        ^bb0(%k: index, %p: tensor<?xf64>, %q: tensor<?xf64>):
          %p1 = tensor.extract %p[%i] : tensor<?xf64>
          %q1 = tensor.extract %q[%j] : tensor<?xf64>
          %m = arith.mulf %p1, %q1 : f64
          "soac.yield"(%m) : (f64) -> ()
        }, {
        ^bb0(%p: f64, %q: f64):
          %m = arith.addf %p, %q : f64
          "soac.yield"(%m) : (f64) -> ()
        }, {
        }) {operandSegmentSizes = array<i32: 1, 2, 1, 0>} : (index, tensor<?x?xf64>, tensor<?x?xf64>, f64) -> f64
        %z = arith.addf %e, %s : f64
        "soac.yield"(%z) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
      "soac.yield"(%y) : (tensor<?xf64>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
    scf.yield %next, %product, %sums#0 : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>
  }
  return %out#1, %out#2 : tensor<?x?xf64>, tensor<?xf64>
}

// -----

// What an iteration reads of the sum stays in the loop.
// CHECK-LABEL: func.func @read_in_the_loop
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @read_in_the_loop(%g: tensor<?x?xf64>, %w: tensor<?xf64>, %steps: index) -> (tensor<?xf64>, f64) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %g, %c0 : tensor<?x?xf64>
  %units = tensor.dim %g, %c1 : tensor<?x?xf64>
  %out:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%wt = %w, %n = %zero) -> (tensor<?xf64>, f64) {
    %next = "soac.map"(%rows, %g) ({
    ^bb0(%i: index, %r: tensor<?xf64>):
      %y = "soac.map"(%units, %r) ({
      ^bb0(%j: index, %e: f64):
        %z = arith.mulf %e, %n : f64
        "soac.yield"(%z) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
      "soac.yield"(%y) : (tensor<?xf64>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?x?xf64>) -> tensor<?x?xf64>
    %first = tensor.extract %wt[%c0] : tensor<?xf64>
    %sums = "soac.map"(%units, %wt) ({
    ^bb0(%j: index, %e: f64):
      %s = "soac.fused"(%rows, %next, %zero) ({
      ^bb0(%k: index, %q: tensor<?xf64>):
        %q1 = tensor.extract %q[%j] : tensor<?xf64>
        "soac.yield"(%q1) : (f64) -> ()
      }, {
      ^bb0(%p: f64, %q: f64):
        %m = arith.addf %p, %q : f64
        "soac.yield"(%m) : (f64) -> ()
      }, {
      }) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?x?xf64>, f64) -> f64
      %z = arith.addf %e, %s : f64
      "soac.yield"(%z) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %sums, %first : tensor<?xf64>, f64
  }
  return %out#0, %out#1 : tensor<?xf64>, f64
}
