// ad-normalise leaves the second way of guarded branches; others stay.
// RUN: tapeless-opt --ad-normalise --canonicalize %s | filecheck %s

// CHECK-LABEL: func.func @quotient(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[Y:[^:]*]]: f64, %{{.*}}: f64)
// CHECK-NOT: scf.if
// CHECK: %[[ONE:.*]] = arith.divf %[[X]], %[[Y]] : f64
// CHECK-NEXT: %[[TWO:.*]] = arith.divf %[[ONE]], %[[Y]] : f64
// CHECK-NEXT: return %[[TWO]], %[[ONE]] : f64, f64
func.func @quotient(%x: f64, %y: f64, %whole: f64) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %finite = "soac.guard"(%whole) {exact = "operations"} : (f64) -> i1
  %r:2 = scf.if %finite -> (f64, f64) {
    scf.yield %whole, %whole : f64, f64
  } else {
    %a = arith.divf %x, %y : f64
    %b = arith.divf %a, %y : f64
    scf.yield %b, %a : f64, f64
  }
  return %r#0, %r#1 : f64, f64
}

// One in the second way of another.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME: %[[X:[^:]*]]: f64, %{{.*}}: i1, %{{.*}}: f64)
// CHECK-NEXT: %[[TWICE:.*]] = arith.addf %[[X]], %[[X]] : f64
// CHECK-NEXT: %[[ALL:.*]] = arith.mulf %[[TWICE]], %[[X]] : f64
// CHECK-NEXT: return %[[ALL]] : f64
func.func @nested(%x: f64, %p: i1, %whole: f64) -> f64 {
  %finite = "soac.guard"(%whole) {exact = "operations"} : (f64) -> i1
  %r = scf.if %finite -> f64 {
    scf.yield %whole : f64
  } else {
    %here = "soac.guard"(%x, %whole) {exact = "operations"} : (f64, f64) -> i1
    %a = scf.if %here -> f64 {
      scf.yield %whole : f64
    } else {
      %t = arith.addf %x, %x : f64
      scf.yield %t : f64
    }
    %b = arith.mulf %a, %x : f64
    scf.yield %b : f64
  }
  return %r : f64
}

// CHECK-LABEL: func.func @another(
// CHECK: scf.if
func.func @another(%x: f64, %y: f64) -> f64 {
  %less = arith.cmpf olt, %x, %y : f64
  %r = scf.if %less -> f64 {
    %a = arith.divf %x, %y : f64
    scf.yield %a : f64
  } else {
    scf.yield %x : f64
  }
  return %r : f64
}

// Of loops as a whole, the first way.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %{{.*}}: f64, %[[WHOLE:[^:]*]]: f64)
// CHECK-NEXT: return %[[WHOLE]] : f64
func.func @loop(%x: f64, %whole: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %finite = "soac.guard"(%whole) {exact = "steps"} : (f64) -> i1
  %r = scf.if %finite -> f64 {
    scf.yield %whole : f64
  } else {
    %a = math.sin %x : f64
    scf.yield %a : f64
  }
  return %r : f64
}

// A branch that became a choice.
// CHECK-LABEL: func.func @choices(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[WHOLE:[^:]*]]: f64)
// CHECK-NEXT: return %[[X]], %[[WHOLE]] : f64, f64
func.func @choices(%x: f64, %whole: f64) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %finite = "soac.guard"(%whole) {exact = "operations"} : (f64) -> i1
  %a = arith.select %finite, %whole, %x : f64
  %solved = "soac.guard"(%whole) {exact = "steps"} : (f64) -> i1
  %b = arith.select %solved, %whole, %x : f64
  return %a, %b : f64, f64
}
