// soac-distribute-nests takes what branches add out of them, so that owners can sum it.
// RUN: tapeless-opt --soac-distribute-nests %s | filecheck %s

// The branch leaves a number; the rows that the addends read are read where it is taken alone.
// CHECK-LABEL: func.func @pairs
// CHECK: %[[W:.*]] = scf.if %[[C:.*]] -> (f64)
// CHECK: math.exp
// CHECK: else
// CHECK: scf.yield %{{.*}} : f64
// CHECK: "soac.map"
// CHECK: scf.if
// CHECK: tensor.extract
// CHECK-NOT: soac.update
// CHECK: else
func.func @pairs(%x: tensor<?x?xf64>, %s: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %d = tensor.dim %x, %c1 : tensor<?x?xf64>
  %zeros = tensor.splat %zero[%d] : tensor<?xf64>
  %r = "soac.with_acc"(%zeros) ({
  ^bb0(%a: !soac.acc<tensor<?xf64>>):
    %b = "soac.map"(%n, %x, %a) ({
    ^bb0(%i: index, %row: tensor<?xf64>, %a1: !soac.acc<tensor<?xf64>>):
      %e = tensor.extract %row[%c0] : tensor<?xf64>
      %c = arith.cmpf ogt, %e, %zero : f64
      %f = scf.if %c -> (!soac.acc<tensor<?xf64>>) {
        %w = math.exp %e : f64
        %g = "soac.map"(%d, %row, %a1) ({
        ^bb0(%k: index, %v: f64, %a2: !soac.acc<tensor<?xf64>>):
          %t = tensor.extract %s[%k] : tensor<?xf64>
          %u = arith.mulf %w, %t : f64
          %p = "soac.update"(%a2, %k, %u) {soac.in_bounds} : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
          "soac.yield"(%p) : (!soac.acc<tensor<?xf64>>) -> ()
        }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
        scf.yield %g : !soac.acc<tensor<?xf64>>
      } else {
        scf.yield %a1 : !soac.acc<tensor<?xf64>>
      }
      "soac.yield"(%f) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?x?xf64>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%b) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// At places that are data, what is not taken adds nothing.
// CHECK-LABEL: func.func @at_data
// CHECK: scf.if %{{.*}} -> (!soac.acc
// CHECK: soac.update
func.func @at_data(%x: tensor<?xf64>, %at: tensor<?xindex>, %m: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %zeros = tensor.splat %zero[%m] : tensor<?xf64>
  %r = "soac.with_acc"(%zeros) ({
  ^bb0(%a: !soac.acc<tensor<?xf64>>):
    %b = "soac.map"(%n, %x, %at, %a) ({
    ^bb0(%i: index, %e: f64, %place: index, %a1: !soac.acc<tensor<?xf64>>):
      %c = arith.cmpf ogt, %e, %zero : f64
      %f = scf.if %c -> (!soac.acc<tensor<?xf64>>) {
        %w = math.exp %e : f64
        %p = "soac.update"(%a1, %place, %w) : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
        scf.yield %p : !soac.acc<tensor<?xf64>>
      } else {
        scf.yield %a1 : !soac.acc<tensor<?xf64>>
      }
      "soac.yield"(%f) : (!soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 1>} : (index, tensor<?xf64>, tensor<?xindex>, !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>>
    "soac.yield"(%b) : (!soac.acc<tensor<?xf64>>) -> ()
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// An accumulation in the branch that adds to the outer array from inside of itself stays there.
// CHECK-LABEL: func.func @sums_inside
// CHECK: scf.if %{{.*}} -> (!soac.acc
// CHECK: soac.update
// CHECK: else
func.func @sums_inside(%x: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %d = tensor.dim %x, %c1 : tensor<?x?xf64>
  %zeros = tensor.splat %zero[%d] : tensor<?xf64>
  %r:2 = "soac.with_acc"(%zeros) ({
  ^bb0(%a: !soac.acc<tensor<?xf64>>):
    %b:2 = "soac.map"(%n, %x, %a) ({
    ^bb0(%i: index, %row: tensor<?xf64>, %a1: !soac.acc<tensor<?xf64>>):
      %e = tensor.extract %row[%c0] : tensor<?xf64>
      %c = arith.cmpf ogt, %e, %zero : f64
      %f:2 = scf.if %c -> (!soac.acc<tensor<?xf64>>, tensor<?xf64>) {
        %h:2 = "soac.with_acc"(%row) ({
        ^bb0(%own: !soac.acc<tensor<?xf64>>):
          %g:2 = "soac.map"(%d, %row, %own, %a1) ({
          ^bb0(%k: index, %v: f64, %own1: !soac.acc<tensor<?xf64>>, %a2: !soac.acc<tensor<?xf64>>):
            %p = "soac.update"(%own1, %k, %v) {soac.in_bounds} : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
            %q = "soac.update"(%a2, %k, %v) {soac.in_bounds} : (!soac.acc<tensor<?xf64>>, index, f64) -> !soac.acc<tensor<?xf64>>
            "soac.yield"(%p, %q) : (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) -> ()
          }) {operandSegmentSizes = array<i32: 1, 1, 2>} : (index, tensor<?xf64>, !soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) -> (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>)
          "soac.yield"(%g#0, %g#1) : (!soac.acc<tensor<?xf64>>, !soac.acc<tensor<?xf64>>) -> ()
        }) : (tensor<?xf64>) -> (tensor<?xf64>, !soac.acc<tensor<?xf64>>)
        scf.yield %h#1, %h#0 : !soac.acc<tensor<?xf64>>, tensor<?xf64>
      } else {
        scf.yield %a1, %row : !soac.acc<tensor<?xf64>>, tensor<?xf64>
      }
      "soac.yield"(%f#1, %f#0) : (tensor<?xf64>, !soac.acc<tensor<?xf64>>) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?x?xf64>, !soac.acc<tensor<?xf64>>) -> (tensor<?x?xf64>, !soac.acc<tensor<?xf64>>)
    "soac.yield"(%b#1, %b#0) : (!soac.acc<tensor<?xf64>>, tensor<?x?xf64>) -> ()
  }) : (tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?x?xf64>
}
