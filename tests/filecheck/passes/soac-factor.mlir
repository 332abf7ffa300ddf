// Sums of products whose order is free multiply what they have in common once.
// RUN: tapeless-opt --soac-factor %s | filecheck %s

// CHECK-LABEL: func.func @common_factor(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[B:[^:]*]]: f64, %[[S:[^:]*]]: f64)
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[A]], %[[B]] fastmath<reassoc,contract> : f64
// CHECK-NEXT: %[[ALL:.*]] = arith.mulf %[[SUM]], %[[S]] fastmath<contract> : f64
// CHECK-NEXT: return %[[ALL]]
func.func @common_factor(%a: f64, %b: f64, %s: f64) -> f64 {
  %0 = arith.mulf %a, %s fastmath<reassoc,contract> : f64
  %1 = arith.mulf %b, %s fastmath<reassoc,contract> : f64
  %2 = arith.addf %0, %1 fastmath<reassoc,contract> : f64
  return %2 : f64
}

// Two terms share %s, all share %t; signs go into the sums.
// CHECK-LABEL: func.func @nested_groups(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[B:[^:]*]]: f64, %[[C:[^:]*]]: f64, %[[S:[^:]*]]: f64, %[[T:[^:]*]]: f64)
// CHECK-NEXT: %[[INNER:.*]] = arith.subf %[[A]], %[[B]]
// CHECK-NEXT: %[[GROUP:.*]] = arith.mulf %[[INNER]], %[[S]]
// CHECK-NEXT: %[[OUTER:.*]] = arith.subf %[[GROUP]], %[[C]]
// CHECK-NEXT: %[[ALL:.*]] = arith.mulf %[[OUTER]], %[[T]]
// CHECK-NEXT: return %[[ALL]]
func.func @nested_groups(%a: f64, %b: f64, %c: f64, %s: f64, %t: f64) -> f64 {
  %0 = arith.mulf %a, %s fastmath<reassoc,contract> : f64
  %1 = arith.mulf %0, %t fastmath<reassoc,contract> : f64
  %2 = arith.negf %b fastmath<reassoc,contract> : f64
  %3 = arith.mulf %2, %s fastmath<reassoc,contract> : f64
  %4 = arith.mulf %3, %t fastmath<reassoc,contract> : f64
  %5 = arith.mulf %c, %t fastmath<reassoc,contract> : f64
  %6 = arith.addf %1, %4 fastmath<reassoc,contract> : f64
  %7 = arith.subf %6, %5 fastmath<reassoc,contract> : f64
  return %7 : f64
}

// A sum of nothing but negative terms is negated once.
// CHECK-LABEL: func.func @all_negative(
// CHECK-SAME: %[[A:[^:]*]]: f32, %[[B:[^:]*]]: f32, %[[S:[^:]*]]: f32)
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[A]], %[[B]]
// CHECK-NEXT: %[[ALL:.*]] = arith.mulf %[[SUM]], %[[S]]
// CHECK-NEXT: %[[NEGATED:.*]] = arith.negf %[[ALL]]
// CHECK-NEXT: return %[[NEGATED]]
func.func @all_negative(%a: f32, %b: f32, %s: f32) -> f32 {
  %0 = arith.negf %a fastmath<reassoc,contract> : f32
  %1 = arith.mulf %0, %s fastmath<reassoc,contract> : f32
  %2 = arith.mulf %b, %s fastmath<reassoc,contract> : f32
  %3 = arith.subf %1, %2 fastmath<reassoc,contract> : f32
  return %3 : f32
}

// What is common to both is not in the place of a factor, and factors are not added to each other.
// CHECK-LABEL: func.func @same_base(
// CHECK-NEXT: %[[FIRST:.*]] = arith.mulf
// CHECK-NEXT: %[[SECOND:.*]] = arith.mulf
// CHECK-NEXT: arith.addf %[[FIRST]], %[[SECOND]]
func.func @same_base(%a: f64, %s: f64, %t: f64) -> f64 {
  %0 = arith.mulf %a, %s fastmath<reassoc,contract> : f64
  %1 = arith.mulf %a, %t fastmath<reassoc,contract> : f64
  %2 = arith.addf %0, %1 fastmath<reassoc,contract> : f64
  return %2 : f64
}

// Without the flag the order is the program's.
// CHECK-LABEL: func.func @ordered(
// CHECK-NEXT: %[[FIRST:.*]] = arith.mulf
// CHECK-NEXT: %[[SECOND:.*]] = arith.mulf
// CHECK-NEXT: arith.addf %[[FIRST]], %[[SECOND]] fastmath<contract>
func.func @ordered(%a: f64, %b: f64, %s: f64) -> f64 {
  %0 = arith.mulf %a, %s fastmath<contract> : f64
  %1 = arith.mulf %b, %s fastmath<contract> : f64
  %2 = arith.addf %0, %1 fastmath<contract> : f64
  return %2 : f64
}

// Products that are needed themselves stay, and then there is nothing to gain. They lose the flag all the same: LLVM would
// multiply factors with each other.
// CHECK-LABEL: func.func @needed(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[B:[^:]*]]: f64, %[[S:[^:]*]]: f64)
// CHECK-NEXT: %[[FIRST:.*]] = arith.mulf %[[A]], %[[S]] fastmath<contract>
// CHECK-NEXT: %[[SECOND:.*]] = arith.mulf %[[B]], %[[S]] fastmath<contract>
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[FIRST]], %[[SECOND]]
// CHECK-NEXT: return %[[FIRST]], %[[SECOND]], %[[SUM]]
func.func @needed(%a: f64, %b: f64, %s: f64) -> (f64, f64, f64) {
  %0 = arith.mulf %a, %s fastmath<reassoc,contract> : f64
  %1 = arith.mulf %b, %s fastmath<reassoc,contract> : f64
  %2 = arith.addf %0, %1 fastmath<reassoc,contract> : f64
  return %0, %1, %2 : f64, f64, f64
}

// Bodies of operators are blocks of their own; a value of the block around them is a factor like any other.
// CHECK-LABEL: func.func @body(
// CHECK: "soac.map"
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[A:.*]]: f64, %[[B:.*]]: f64):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[A]], %[[B]]
// CHECK-NEXT: %[[ALL:.*]] = arith.mulf %[[SUM]], %[[S:.*]] fastmath
// CHECK-NEXT: "soac.yield"(%[[ALL]])
func.func @body(%n: index, %xs: tensor<?xf64>, %ys: tensor<?xf64>, %s: f64) -> tensor<?xf64> {
  %0 = "soac.map"(%n, %xs, %ys) ({
  ^bb0(%i: index, %x: f64, %y: f64):
    %1 = arith.mulf %x, %s fastmath<reassoc,contract> : f64
    %2 = arith.mulf %y, %s fastmath<reassoc,contract> : f64
    %3 = arith.addf %1, %2 fastmath<reassoc,contract> : f64
    "soac.yield"(%3) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

// What goes back one by one, where the first way overflows, stays as it was written: twice a number may overflow, too.
// CHECK-LABEL: func.func @second_way(
// CHECK: } else {
// CHECK-NEXT: %[[SLOPE:.*]] = arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f64
// CHECK-NEXT: %[[ONCE:.*]] = arith.mulf %[[SLOPE]], %{{.*}} fastmath<contract> : f64
// CHECK-NEXT: %[[TWICE:.*]] = arith.addf %[[ONCE]], %[[ONCE]] fastmath<reassoc,contract> : f64
// CHECK-NEXT: scf.yield %[[TWICE]]
func.func @second_way(%x: f64, %s: f64, %bar: f64, %whole: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %finite = "soac.guard"(%whole) {exact = "operations"} : (f64) -> i1
  %r = scf.if %finite -> f64 {
    scf.yield %whole : f64
  } else {
    %slope = arith.mulf %bar, %s fastmath<reassoc,contract> : f64
    %once = arith.mulf %slope, %x fastmath<reassoc,contract> : f64
    %twice = arith.addf %once, %once fastmath<reassoc,contract> : f64
    scf.yield %twice : f64
  }
  return %r : f64
}
