// soac-sink-guards moves what only the second way of a guarded branch needs into it, and looks at products that
// something is divided by.
// RUN: tapeless-opt --soac-sink-guards %s | filecheck %s

// CHECK-LABEL: func.func @exponential(
// CHECK-SAME: %[[X:[^:]*]]: f64
// CHECK-NOT: math.exp
// CHECK: math.sin
// CHECK: scf.if
// CHECK: } else {
// CHECK-NEXT: %[[TWICE:.*]] = arith.addf %[[X]], %[[X]] : f64
// CHECK-NEXT: %[[E:.*]] = math.exp %[[TWICE]] : f64
// CHECK-NEXT: arith.mulf %[[E]], %{{.*}} : f64
func.func @exponential(%x: f64, %bar: f64, %whole: f64) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %twice = arith.addf %x, %x : f64
  %e = math.exp %twice : f64
  %s = math.sin %x : f64
  %finite = "soac.guard"(%whole) {exact = "operations"} : (f64) -> i1
  %r = scf.if %finite -> f64 {
    scf.yield %whole : f64
  } else {
    %a = arith.mulf %e, %bar : f64
    %b = arith.mulf %a, %s : f64
    scf.yield %b : f64
  }
  return %r, %s : f64, f64
}

// The square may overflow, and then the quotient is zero. The second way divides by the product itself, too: that is not looked at.
// CHECK-LABEL: func.func @quotient(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[Y:[^:]*]]: f64
// CHECK: %[[P:.*]] = arith.mulf %[[X]], %[[Y]] : f64
// CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf %[[P]], %[[P]] : f64
// CHECK-NEXT: %[[A:.*]] = arith.divf %[[X]], %[[SQUARE]] : f64
// CHECK-NEXT: %[[B:.*]] = arith.divf %[[A]], %[[P]] : f64
// CHECK-NEXT: "soac.guard"(%[[B]], %[[SQUARE]]) {exact = "operations"} : (f64, f64) -> i1
func.func @quotient(%x: f64, %y: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %p = arith.mulf %x, %y : f64
  %square = arith.mulf %p, %p : f64
  %a = arith.divf %x, %square : f64
  %whole = arith.divf %a, %p : f64
  %finite = "soac.guard"(%whole) {exact = "operations"} : (f64) -> i1
  %r = scf.if %finite -> f64 {
    scf.yield %whole : f64
  } else {
    %s = arith.divf %x, %p : f64
    %t = arith.divf %s, %p : f64
    %u = arith.divf %t, %p : f64
    scf.yield %u : f64
  }
  return %r : f64
}

// Sums take in signs.
// CHECK-LABEL: func.func @sign(
// CHECK-SAME: %[[X:[^:]*]]: f64
// CHECK: %[[R:.*]] = scf.if
// CHECK-NEXT: scf.yield %[[X]] : f64
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[S:.*]] = math.sin
// CHECK-NEXT: %[[T:.*]] = arith.negf %[[S]] fastmath<reassoc,contract> : f64
// CHECK-NEXT: scf.yield %[[T]] : f64
// CHECK: %[[N:.*]] = arith.negf %[[R]] fastmath<reassoc,contract> : f64
// CHECK-NEXT: return %[[N]] : f64
func.func @sign(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %whole = arith.negf %x : f64
  %finite = "soac.guard"(%whole) {exact = "operations"} : (f64) -> i1
  %r = scf.if %finite -> f64 {
    scf.yield %whole : f64
  } else {
    %s = math.sin %x : f64
    scf.yield %s : f64
  }
  return %r : f64
}

// Any other branch may take either way.
// CHECK-LABEL: func.func @another(
// CHECK-NEXT: math.exp
func.func @another(%x: f64, %p: i1) -> f64 {
  %e = math.exp %x : f64
  %r = scf.if %p -> f64 {
    scf.yield %x : f64
  } else {
    %a = arith.mulf %e, %x : f64
    scf.yield %a : f64
  }
  return %r : f64
}
