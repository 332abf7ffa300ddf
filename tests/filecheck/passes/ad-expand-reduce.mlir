// ad-expand on reductions: sums, products and extremes have rules of their own, others use exclusive scans.
// RUN: tapeless-opt --ad-expand --canonicalize --cse --soac-simplify --canonicalize --cse %s | filecheck %s

func.func private @total(%n: index, %xs: tensor<?xf64>, %e: f64) -> f64 {
  %y = "soac.reduce"(%n, %xs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %y : f64
}

// The adjoint of every term of a sum is that of the sum; the sum is not run.
// CHECK-LABEL: func.func @total_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK-NOT: soac.reduce
// CHECK: tensor.splat %[[BAR]][%[[N]]]
func.func @total_vjp(%n: index, %xs: tensor<?xf64>, %e: f64, %bar: f64) -> (tensor<?xf64>) {
  %r:2 = "ad.vjp"(%n, %xs, %e, %bar) {
    callee = @total, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xf64>, f64, f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// The sum of the tangents.
// CHECK-LABEL: func.func @total_jvp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[DXS:[^:]*]]: tensor<?xf64>
// CHECK: "soac.reduce"(%[[N]], %[[DXS]], %{{.*}})
func.func @total_jvp(%n: index, %xs: tensor<?xf64>, %e: f64, %dxs: tensor<?xf64>) -> (f64) {
  %r:2 = "ad.jvp"(%n, %xs, %e, %dxs) {
    callee = @total, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xf64>, f64, tensor<?xf64>) -> (f64, f64)
  return %r#1 : f64
}

func.func private @product(%n: index, %xs: tensor<?xf64>, %e: f64) -> f64 {
  %y = "soac.reduce"(%n, %xs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %y : f64
}

// The product divided by each factor; when it is zero, what stands before and after each factor.
// CHECK-LABEL: func.func @product_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK: %[[Y:.*]] = "soac.reduce"(%[[N]], %[[XS]], %[[E]])
// CHECK: %[[NOT_ZERO:.*]] = arith.cmpf une, %[[Y]]
// CHECK: %[[OK:.*]] = "soac.guard"(%[[NOT_ZERO]]) {exact = "branch-free"} : (i1) -> i1
// CHECK: scf.if %[[OK]]
// CHECK: %[[WHOLE:.*]] = arith.mulf %[[BAR]], %[[Y]]
// CHECK: "soac.map"(%[[N]], %[[XS]])
// CHECK: arith.divf %[[WHOLE]]
// CHECK: } else {
// CHECK: %[[BEFORE:.*]] = "soac.scan"(%[[N]], %[[XS]], %[[E]])
// CHECK: exclusive = true{{.*}}reverse = false
// CHECK: %[[AFTER:.*]] = "soac.scan"(%[[N]], %[[XS]], %[[E]])
// CHECK: exclusive = true{{.*}}reverse = true
func.func @product_vjp(%n: index, %xs: tensor<?xf64>, %e: f64, %bar: f64) -> (tensor<?xf64>) {
  %r:2 = "ad.vjp"(%n, %xs, %e, %bar) {
    callee = @product, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xf64>, f64, f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @largest(%n: index, %xs: tensor<?xf64>, %e: f64) -> f64 {
  %y = "soac.reduce"(%n, %xs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.maximumf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %y : f64
}

// The first element that is the result gets the adjoint.
// CHECK-LABEL: func.func @largest_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK: %[[RESULT:.*]] = "soac.reduce"(%[[N]], %[[XS]], %[[E]])
// CHECK: arith.maximumf
// CHECK: %[[PLACES:.*]] = "soac.map"(%[[N]], %[[XS]]) ({
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %[[X:.*]]: f64):
// CHECK-NEXT: %[[IS_RESULT:.*]] = arith.cmpf ueq, %[[X]], %[[RESULT]]
// CHECK-NEXT: arith.select %[[IS_RESULT]], %[[I]], %[[N]]
// CHECK: %[[FIRST:.*]] = "soac.reduce"(%[[N]], %[[PLACES]], %[[N]])
// CHECK: arith.minsi
// CHECK: ^bb0(%[[J:.*]]: index):
// CHECK-NEXT: %[[WON:.*]] = arith.cmpi eq, %[[J]], %[[FIRST]]
// CHECK-NEXT: arith.select %[[WON]], %[[BAR]], %{{.*}}
func.func @largest_vjp(%n: index, %xs: tensor<?xf64>, %e: f64, %bar: f64) -> (tensor<?xf64>) {
  %r:2 = "ad.vjp"(%n, %xs, %e, %bar) {
    callee = @largest, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xf64>, f64, f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @smallest(%n: index, %xs: tensor<?xf64>, %e: f64) -> f64 {
  %y = "soac.reduce"(%n, %xs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.minimumf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %y : f64
}

// CHECK-LABEL: func.func @smallest_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK: %[[RESULT:.*]] = "soac.reduce"(%[[N]], %[[XS]], %[[E]])
// CHECK: arith.minimumf
// CHECK: %[[PLACES:.*]] = "soac.map"(%[[N]], %[[XS]]) ({
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %[[X:.*]]: f64):
// CHECK-NEXT: %[[IS_RESULT:.*]] = arith.cmpf ueq, %[[X]], %[[RESULT]]
// CHECK-NEXT: arith.select %[[IS_RESULT]], %[[I]], %[[N]]
// CHECK: %[[FIRST:.*]] = "soac.reduce"(%[[N]], %[[PLACES]], %[[N]])
// CHECK: arith.minsi
// CHECK: ^bb0(%[[J:.*]]: index):
// CHECK-NEXT: %[[WON:.*]] = arith.cmpi eq, %[[J]], %[[FIRST]]
// CHECK-NEXT: arith.select %[[WON]], %[[BAR]], %{{.*}}
func.func @smallest_vjp(%n: index, %xs: tensor<?xf64>, %e: f64, %bar: f64) -> (tensor<?xf64>) {
  %r:2 = "ad.vjp"(%n, %xs, %e, %bar) {
    callee = @smallest, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xf64>, f64, f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @general(%n: index, %xs: tensor<?xf64>, %e: f64) -> f64 {
  %y = "soac.reduce"(%n, %xs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.mulf %a, %b : f64
    %d = arith.addf %a, %b : f64
    %g = arith.addf %c, %d : f64
    "soac.yield"(%g) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %y : f64
}

// What stands before and after each element, then the adjoint of the middle operand.
// CHECK-LABEL: func.func @general_vjp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK: %[[LEFT:.*]] = "soac.scan"(%[[N]], %[[XS]], %[[E]])
// CHECK: exclusive = true{{.*}}reverse = false
// CHECK: %[[RIGHT:.*]] = "soac.scan"(%[[N]], %[[XS]], %[[E]])
// CHECK: exclusive = true{{.*}}reverse = true
// CHECK: "soac.map"(%[[N]], %[[LEFT]], %[[RIGHT]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[L:.*]]: f64, %[[R:.*]]: f64):
// CHECK-NEXT: %[[PART:.*]] = arith.mulf %[[BAR]], %[[R]]
// CHECK-NEXT: %[[JOINED_BAR:.*]] = arith.addf %[[BAR]], %[[PART]]
// CHECK-NEXT: %[[BY_LEFT:.*]] = arith.mulf %[[JOINED_BAR]], %[[L]]
// CHECK-NEXT: arith.addf %[[JOINED_BAR]], %[[BY_LEFT]]
func.func @general_vjp(%n: index, %xs: tensor<?xf64>, %e: f64, %bar: f64) -> (tensor<?xf64>) {
  %r:2 = "ad.vjp"(%n, %xs, %e, %bar) {
    callee = @general, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xf64>, f64, f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// A reduction of pairs.
// CHECK-LABEL: func.func @general_jvp(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[XS:[^:]*]]: tensor<?xf64>, %[[E:[^:]*]]: f64, %[[DXS:[^:]*]]: tensor<?xf64>
// CHECK: "soac.reduce"(%[[N]], %[[XS]], %[[DXS]], %[[E]], %{{.*}}) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: f64, %[[DA:.*]]: f64, %[[B:.*]]: f64, %[[DB:.*]]: f64):
// CHECK: arith.mulf %[[DA]], %[[B]]
// CHECK: arith.mulf %[[DB]], %[[A]]
func.func @general_jvp(%n: index, %xs: tensor<?xf64>, %e: f64, %dxs: tensor<?xf64>) -> (f64) {
  %r:2 = "ad.jvp"(%n, %xs, %e, %dxs) {
    callee = @general, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xf64>, f64, tensor<?xf64>) -> (f64, f64)
  return %r#1 : f64
}
