// ad-ties makes choices of extremes whose order of operands would be lost, in modules that ask for derivatives.
// RUN: tapeless-opt --split-input-file --ad-ties %s | filecheck %s

// A constant comes first: the other operand is chosen where it is strictly larger, or not a number.
// CHECK-LABEL: func.func private @constant
// CHECK-SAME: (%[[X:.*]]: f64)
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: %[[BETTER:.*]] = arith.cmpf ugt, %[[X]], %[[ZERO]]
// CHECK: arith.select %[[BETTER]], %[[X]], %[[ZERO]]
// CHECK: arith.maximumf %[[X]], %[[ZERO]]
func.func private @constant(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %first = arith.maximumf %zero, %x : f64
  %second = arith.maximumf %x, %zero : f64
  %sum = arith.addf %first, %second : f64
  return %sum : f64
}
// Both orders of two operands: the second one stays apart.
// CHECK-LABEL: func.func private @both
// CHECK-SAME: (%[[A:.*]]: f64, %[[B:.*]]: f64)
// CHECK: arith.minimumf %[[A]], %[[B]]
// CHECK: %[[LESS:.*]] = arith.cmpf olt, %[[A]], %[[B]]
// CHECK: %[[ODD:.*]] = arith.cmpf uno, %[[A]], %[[A]]
// CHECK: %[[TAKEN:.*]] = arith.ori %[[LESS]], %[[ODD]]
// CHECK: arith.select %[[TAKEN]], %[[A]], %[[B]]
func.func private @both(%a: f64, %b: f64) -> f64 {
  %first = arith.minimumf %a, %b : f64
  %second = arith.minimumf %b, %a : f64
  %sum = arith.subf %first, %second : f64
  return %sum : f64
}
func.func @gradient(%x: f64, %seed: f64) -> f64 {
  %r:2 = "ad.vjp"(%x, %seed) {callee = @constant, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>} : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}

// -----

// Without derivatives nothing changes.
// CHECK-LABEL: func.func @plain
// CHECK: arith.maximumf
func.func @plain(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %y = arith.maximumf %zero, %x : f64
  return %y : f64
}

// -----

// With the mark of importers, equal operands share the derivative.
// CHECK-LABEL: func.func private @shared
// CHECK-SAME: (%[[A:.*]]: f64, %[[B:.*]]: f64)
// CHECK: %[[MIDDLE:.*]] = arith.addf
// CHECK: %[[SECOND:.*]] = arith.cmpf ogt, %[[B]], %[[A]]
// CHECK: %[[OTHERWISE:.*]] = arith.select %[[SECOND]], %[[B]], %[[MIDDLE]]
// CHECK: %[[FIRST:.*]] = arith.cmpf ogt, %[[A]], %[[B]]
// CHECK: arith.select %[[FIRST]], %[[A]], %[[OTHERWISE]]
func.func private @shared(%a: f64, %b: f64) -> f64 {
  %y = arith.maximumf %a, %b {ad.ties} : f64
  return %y : f64
}
func.func @gradient(%a: f64, %b: f64, %seed: f64) -> f64 {
  %r:2 = "ad.vjp"(%a, %b, %seed) {callee = @shared, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>} : (f64, f64, f64) -> (f64, f64)
  return %r#1 : f64
}
