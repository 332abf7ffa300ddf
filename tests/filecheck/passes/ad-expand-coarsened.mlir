// A segment goes back as one expression, and nothing of `phi` is left.
// RUN: tapeless-opt --ad-expand %s | filecheck %s

// All quotients have the same denominator: one reciprocal of its power is enough for the gradient. Where that is not
// finite, operations go back one by one.
// CHECK-LABEL: func.func @gradient(
// CHECK-NOT: phi.
// CHECK: arith.divf
// CHECK-NOT: {{phi\.|arith.divf}}
// CHECK: %[[FINITE:.*]] = "soac.guard"(%[[X:.*]], %[[Y:.*]]) {exact = "operations"} : (f64, f64) -> i1
// CHECK-NEXT: %[[FOUND:.*]]:2 = scf.if %[[FINITE]] -> (f64, f64) {
// CHECK-NEXT: scf.yield %[[X]], %[[Y]] : f64, f64
// CHECK-NEXT: } else {
// CHECK-NOT: phi.
// CHECK-COUNT-3: arith.divf
// CHECK-NOT: phi.
// CHECK: return %[[FOUND]]#0, %[[FOUND]]#1 : f64, f64
func.func private @quotients(%x: f64, %y: f64) -> f64 {
  %s = arith.addf %x, %y fastmath<contract> : f64
  %a = arith.divf %x, %s fastmath<contract> : f64
  %b = arith.divf %y, %s fastmath<contract> : f64
  %c = arith.mulf %a, %b fastmath<contract> : f64
  %d = arith.divf %c, %s fastmath<contract> : f64
  return %d : f64
}
func.func @gradient(%x: f64, %y: f64, %bar: f64) -> (f64, f64) {
  %r:3 = "ad.vjp"(%x, %y, %bar) {
    callee = @quotients, wrt = [0, 1], method = "coarsened", operandSegmentSizes = array<i32: 2, 1>
  } : (f64, f64, f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}

// So they do in steps of a loop.
// CHECK-LABEL: func.func @gradient_of_steps(
// CHECK: scf.for
// CHECK: %[[FINITE:.*]] = "soac.guard"(%{{.*}}) {exact = "operations"}
// CHECK-NEXT: %{{.*}}:2 = scf.if %[[FINITE]] -> (f64, f64) {
// CHECK: } else {
// CHECK-COUNT-3: arith.divf
// CHECK: return
func.func private @steps(%x: tensor<8xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 7 : index
  %zero = arith.constant 0.0 : f64
  %e = scf.for %k = %c0 to %n step %c1 iter_args(%total = %zero) -> f64 {
    %next = arith.addi %k, %c1 : index
    %z = tensor.extract %x[%k] : tensor<8xf64>
    %y = tensor.extract %x[%next] : tensor<8xf64>
    %s = arith.addf %z, %y fastmath<contract> : f64
    %a = arith.divf %z, %s fastmath<contract> : f64
    %b = arith.divf %y, %s fastmath<contract> : f64
    %c = arith.mulf %a, %b fastmath<contract> : f64
    %d = arith.divf %c, %s fastmath<contract> : f64
    %more = arith.addf %total, %d fastmath<contract> : f64
    scf.yield %more : f64
  }
  return %e : f64
}
func.func @gradient_of_steps(%x: tensor<8xf64>, %bar: f64) -> tensor<8xf64> {
  %r:2 = "ad.vjp"(%x, %bar) {
    callee = @steps, wrt = [0], method = "coarsened", operandSegmentSizes = array<i32: 1, 1>
  } : (tensor<8xf64>, f64) -> (f64, tensor<8xf64>)
  return %r#1 : tensor<8xf64>
}

// Tangents of a loop with a closed form: doubling, and steps only where that is not finite.
// CHECK-LABEL: func.func @tangent(
// CHECK: math.ctlz
// CHECK: scf.for
// CHECK: %[[SIZE:.*]] = math.absf
// CHECK: %[[FINITE:.*]] = arith.cmpf olt, %[[SIZE]], %{{.*}} : f64
// CHECK: scf.if %[[FINITE]] -> (f64) {
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.for
func.func private @recurrence(%a: f64, %b: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = scf.for %k = %c0 to %n step %c1 iter_args(%x = %b) -> f64 {
    %m = arith.mulf %a, %x fastmath<contract> : f64
    %y = arith.addf %m, %b fastmath<contract> : f64
    scf.yield %y : f64
  }
  return %d : f64
}
func.func @tangent(%a: f64, %b: f64, %n: index, %t: f64) -> f64 {
  %r:2 = "ad.jvp"(%a, %b, %n, %t) {callee = @recurrence, wrt = [0], method = "coarsened", operandSegmentSizes = array<i32: 3, 1>}
    : (f64, f64, index, f64) -> (f64, f64)
  return %r#1 : f64
}

// Adjoints of such a loop in a map: tangents beside the steps where doubling is not finite, and where these are not,
// either, the steps back by the states, as by the method `redundant`.
// CHECK-LABEL: func.func @gradient_of_loops(
// CHECK: soac.map
// CHECK: math.absf
// CHECK: scf.if
// CHECK: "soac.guard"(%{{.*}}) {exact = "steps"}
// CHECK-NEXT: scf.if
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } else {
// CHECK: tensor.insert
// CHECK: tensor.extract
// CHECK: "soac.guard"(%{{.*}}) {exact = "steps"}
// CHECK-NEXT: arith.select
// CHECK: "soac.yield"
func.func private @recurrences(%a: tensor<?xf64>, %b: f64, %n: index, %m: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = "soac.map"(%m, %a) ({
  ^bb0(%i: index, %e: f64):
    %d = scf.for %k = %c0 to %n step %c1 iter_args(%x = %b) -> f64 {
      %p = arith.mulf %e, %x fastmath<contract> : f64
      %y = arith.addf %p, %b fastmath<contract> : f64
      scf.yield %y : f64
    }
    "soac.yield"(%d) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
func.func @gradient_of_loops(%a: tensor<?xf64>, %b: f64, %n: index, %m: index, %bar: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %r:3 = "ad.vjp"(%a, %b, %n, %m, %bar) {
    callee = @recurrences, wrt = [0, 1], method = "coarsened", operandSegmentSizes = array<i32: 4, 1>
  } : (tensor<?xf64>, f64, index, index, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, f64)
  return %r#1, %r#2 : tensor<?xf64>, f64
}

// The value of a loop that only a derivative reads: by doubling, and where that is not finite by its steps as written.
// CHECK-LABEL: func.func @gradient_by_a_value(
// CHECK: math.ctlz
// CHECK: %[[FINITE:.*]] = "soac.guard"(%{{.*}}) {exact = "operations"}
// CHECK-NEXT: %[[VALUE:.*]] = scf.if %[[FINITE]] -> (f64) {
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.for
// CHECK-NEXT: arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f64
// CHECK-NEXT: arith.addf %{{.*}}, %{{.*}} fastmath<contract> : f64
// CHECK: arith.mulf %{{.*}}, %[[VALUE]]
// CHECK: return
func.func private @scaled(%a: f64, %b: f64, %scale: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = scf.for %k = %c0 to %n step %c1 iter_args(%x = %b) -> f64 {
    %m = arith.mulf %a, %x fastmath<contract> : f64
    %y = arith.addf %m, %b fastmath<contract> : f64
    scf.yield %y : f64
  }
  %r = arith.mulf %scale, %d fastmath<contract> : f64
  return %r : f64
}
func.func @gradient_by_a_value(%a: f64, %b: f64, %scale: f64, %n: index, %bar: f64) -> (f64, f64) {
  %r:3 = "ad.vjp"(%a, %b, %scale, %n, %bar) {
    callee = @scaled, wrt = [0, 2], method = "coarsened", operandSegmentSizes = array<i32: 4, 1>
  } : (f64, f64, f64, index, f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}
