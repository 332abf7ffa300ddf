// ad-expand on loops: states are stored going forward and read in descending order going back.
// RUN: tapeless-opt --ad-expand --canonicalize --cse --soac-simplify --canonicalize --cse %s | filecheck %s

func.func private @powers(%n: index, %x: f64, %w: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (f64) {
    %a = arith.mulf %t, %w : f64
    scf.yield %a : f64
  }
  return %y : f64
}

// The state before each iteration is stored; what the body reads from outside is summed over iterations.
// CHECK-LABEL: func.func @powers_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[X:[^:]*]]: f64, %[[W:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK: %[[STATES:.*]]:2 = scf.for %[[I:.*]] = {{.*}} iter_args(%[[STATE:.*]] = %[[X]], %[[ROOM:.*]] = %{{.*}})
// CHECK: %[[NEXT:.*]] = arith.mulf %[[STATE]], %[[W]]
// CHECK: %[[STORED:.*]] = tensor.insert %[[STATE]] into %[[ROOM]][%[[I]]]
// CHECK: scf.yield %[[NEXT]], %[[STORED]]
// CHECK: %[[LAST:.*]] = arith.subi
// CHECK: %[[BARS:.*]]:2 = scf.for %[[J:.*]] = {{.*}} iter_args(%[[STATE_BAR:.*]] = %[[BAR]], %[[W_BAR:.*]] = %{{.*}})
// CHECK: %[[PLACE:.*]] = arith.subi %[[LAST]], %[[J]]
// CHECK: %[[RESTORED:.*]] = tensor.extract %[[STATES]]#1[%[[PLACE]]]
// CHECK: %[[BEFORE_BAR:.*]] = arith.mulf %[[STATE_BAR]], %[[W]]
// CHECK: %[[PART:.*]] = arith.mulf %[[STATE_BAR]], %[[RESTORED]]
// CHECK: %[[SUM:.*]] = arith.addf %[[W_BAR]], %[[PART]]
// CHECK: scf.yield %[[BEFORE_BAR]], %[[SUM]]
// CHECK: return %[[BARS]]#0, %[[BARS]]#1
func.func @powers_vjp(%n: index, %x: f64, %w: f64, %bar: f64) -> (f64, f64) {
  %r:3 = "ad.vjp"(%n, %x, %w, %bar) {
    callee = @powers, wrt = [1, 2], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, f64, f64, f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}

// Values and tangents are carried side by side.
// CHECK-LABEL: func.func @powers_jvp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[X:[^:]*]]: f64, %[[W:[^:]*]]: f64, %[[DX:[^:]*]]: f64, %[[DW:[^:]*]]: f64
// CHECK: scf.for {{.*}} iter_args(%[[STATE:.*]] = %[[X]], %[[MOVING:.*]] = %[[DX]])
// CHECK: arith.mulf %[[STATE]], %[[W]]
// CHECK: %[[BY_STATE:.*]] = arith.mulf %[[MOVING]], %[[W]]
// CHECK: %[[BY_W:.*]] = arith.mulf %[[DW]], %[[STATE]]
// CHECK: %[[TANGENT:.*]] = arith.addf %[[BY_STATE]], %[[BY_W]]
// CHECK: scf.yield %{{.*}}, %[[TANGENT]]
func.func @powers_jvp(%n: index, %x: f64, %w: f64, %dx: f64, %dw: f64) -> (f64) {
  %r:2 = "ad.jvp"(%n, %x, %w, %dx, %dw) {
    callee = @powers, wrt = [1, 2], method = "redundant", operandSegmentSizes = array<i32: 3, 2>
  } : (index, f64, f64, f64, f64) -> (f64, f64)
  return %r#1 : f64
}

func.func private @linear(%n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f64
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (f64) {
    %a = arith.mulf %t, %two : f64
    scf.yield %a : f64
  }
  return %y : f64
}

// A loop that is linear in its state stores nothing and is not run forward.
// CHECK-LABEL: func.func @linear_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[X:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK-NOT: tensor.empty
// CHECK: scf.for {{.*}} iter_args(%[[STATE_BAR:.*]] = %[[BAR]])
// CHECK: %[[BEFORE_BAR:.*]] = arith.mulf %[[STATE_BAR]]
// CHECK-NEXT: scf.yield %[[BEFORE_BAR]]
// CHECK-NOT: scf.for
func.func @linear_vjp(%n: index, %x: f64, %bar: f64) -> (f64) {
  %r:2 = "ad.vjp"(%n, %x, %bar) {
    callee = @linear, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (index, f64, f64) -> (f64, f64)
  return %r#1 : f64
}

func.func private @costly(%n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (f64) {
    %a = math.exp %t : f64
    scf.yield %a : f64
  }
  return %y : f64
}

// What cost a function is stored, and not called again.
// CHECK-LABEL: func.func @costly_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[X:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[STATE:.*]] = %[[X]], %[[ROOM:.*]] = %{{.*}})
// CHECK: %[[VALUE:.*]] = math.exp %[[STATE]]
// CHECK: tensor.insert %[[VALUE]] into %[[ROOM]][%[[I]]]
// CHECK: scf.for {{.*}} iter_args(%[[STATE_BAR:.*]] = %[[BAR]])
// CHECK-NOT: math.exp
// CHECK: %[[PROMISED:.*]] = tensor.extract
// CHECK: arith.mulf %[[STATE_BAR]], %[[PROMISED]]
func.func @costly_vjp(%n: index, %x: f64, %bar: f64) -> (f64) {
  %r:2 = "ad.vjp"(%n, %x, %bar) {
    callee = @costly, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (index, f64, f64) -> (f64, f64)
  return %r#1 : f64
}

func.func private @doubled_or_other(%doubles: i1, %n: index, %x: tensor<?xf64>, %other: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.if %doubles -> tensor<?xf64> {
    %size = tensor.dim %x, %c0 : tensor<?xf64>
    %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<?xf64>) {
      %a = "soac.map"(%size, %t) ({
      ^bb0(%k: index, %e: f64):
        %b = arith.addf %e, %e : f64
        "soac.yield"(%b) : (f64) -> ()
      }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
      scf.yield %a : tensor<?xf64>
    }
    scf.yield %y : tensor<?xf64>
  } else {
    scf.yield %other : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// What a branch has chosen has another size for all that is seen: its adjoint enters the loop with the size of the array.
// CHECK-LABEL: func.func @doubled_or_other_vjp(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf64>, %{{[^:]*}}: tensor<?xf64>, %[[BAR:[^:]*]]: tensor<?xf64>)
// CHECK: %[[SIZED:.*]] = tensor.extract_slice %[[BAR]][0] [%{{.*}}] [1]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[SIZED]]
func.func @doubled_or_other_vjp(
    %doubles: i1, %n: index, %x: tensor<?xf64>, %other: tensor<?xf64>, %bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = "ad.vjp"(%doubles, %n, %x, %other, %bar) {
    callee = @doubled_or_other, wrt = [2], method = "redundant", operandSegmentSizes = array<i32: 4, 1>
  } : (i1, index, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @scaled_products(%n: index, %k: index, %m: tensor<?x?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<?xf64>) {
    %p = "soac.map"(%k, %m) ({
    ^bb0(%j: index, %row: tensor<?xf64>):
      %terms = "soac.map"(%k, %row, %t) ({
      ^bb0(%l: index, %a: f64, %b: f64):
        %ab = arith.mulf %a, %b : f64
        "soac.yield"(%ab) : (f64) -> ()
      }) : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      %sum = "soac.reduce"(%k, %terms, %zero) ({
      ^bb0(%a: f64, %b: f64):
        %s = arith.addf %a, %b : f64
        "soac.yield"(%s) : (f64) -> ()
      }) : (index, tensor<?xf64>, f64) -> f64
      "soac.yield"(%sum) : (f64) -> ()
    }) : (index, tensor<?x?xf64>) -> tensor<?xf64>
    %q = "soac.map"(%k, %p) ({
    ^bb0(%j: index, %a: f64):
      %square = arith.mulf %a, %a : f64
      "soac.yield"(%square) : (f64) -> ()
    }) : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %q : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}

// A product with a matrix is stored: its sums are not taken again, and no state of the loop is looked at.
// CHECK-LABEL: func.func @scaled_products_vjp(
// CHECK: %[[ROWS:.*]]:3 = scf.for
// CHECK: %[[SUMS:.*]] = "soac.map"
// CHECK: "soac.reduce"
// CHECK: tensor.insert_slice %[[SUMS]] into
// CHECK: scf.for
// CHECK-NOT: "soac.reduce"
// CHECK: tensor.extract_slice %[[ROWS]]#1
// CHECK-NOT: "soac.reduce"
// CHECK: return
func.func @scaled_products_vjp(
    %n: index, %k: index, %m: tensor<?x?xf64>, %x: tensor<?xf64>, %bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = "ad.vjp"(%n, %k, %m, %x, %bar) {
    callee = @scaled_products, wrt = [3], method = "redundant", operandSegmentSizes = array<i32: 4, 1>
  } : (index, index, tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
