// ad-expand on scalar operations: the seed times each partial derivative, from the tables.
// RUN: tapeless-opt --ad-expand --canonicalize --cse --soac-simplify --canonicalize --cse %s | filecheck %s

func.func private @product(%x: f64, %y: f64) -> f64 {
  %a = arith.mulf %x, %y : f64
  %b = arith.addf %a, %x : f64
  return %b : f64
}

// Each operand gets the seed times the other; contributions to one value are added.
// CHECK-LABEL: func.func @product_vjp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[Y:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK: %[[BY_PRODUCT:.*]] = arith.mulf %[[BAR]], %[[Y]]
// CHECK-NEXT: %[[X_BAR:.*]] = arith.addf %[[BAR]], %[[BY_PRODUCT]]
// CHECK-NEXT: %[[Y_BAR:.*]] = arith.mulf %[[BAR]], %[[X]]
// CHECK-NEXT: return %[[X_BAR]], %[[Y_BAR]]
func.func @product_vjp(%x: f64, %y: f64, %bar: f64) -> (f64, f64) {
  %r:3 = "ad.vjp"(%x, %y, %bar) {
    callee = @product, wrt = [0, 1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (f64, f64, f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}

// CHECK-LABEL: func.func @product_jvp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[Y:[^:]*]]: f64, %[[DX:[^:]*]]: f64, %[[DY:[^:]*]]: f64
// CHECK: %[[BY_X:.*]] = arith.mulf %[[DX]], %[[Y]]
// CHECK-NEXT: %[[BY_Y:.*]] = arith.mulf %[[DY]], %[[X]]
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.addf %[[BY_X]], %[[BY_Y]]
// CHECK-NEXT: arith.addf %[[PRODUCT]], %[[DX]]
func.func @product_jvp(%x: f64, %y: f64, %dx: f64, %dy: f64) -> (f64) {
  %r:2 = "ad.jvp"(%x, %y, %dx, %dy) {
    callee = @product, wrt = [0, 1], method = "redundant", operandSegmentSizes = array<i32: 2, 2>
  } : (f64, f64, f64, f64) -> (f64, f64)
  return %r#1 : f64
}

func.func private @exponential(%x: f64) -> f64 {
  %y = math.exp %x : f64
  return %y : f64
}

// The derivative of exp is its result, which is not computed twice.
// CHECK-LABEL: func.func @exponential_vjp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK: %[[VALUE:.*]] = math.exp %[[X]]
// CHECK-NOT: math.exp
// CHECK: arith.mulf %[[BAR]], %[[VALUE]]
func.func @exponential_vjp(%x: f64, %bar: f64) -> (f64) {
  %r:2 = "ad.vjp"(%x, %bar) {
    callee = @exponential, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}

func.func private @choice(%c: i1, %x: f64, %y: f64) -> f64 {
  %z = arith.select %c, %x, %y : f64
  return %z : f64
}

// The chosen operand gets the adjoint.
// CHECK-LABEL: func.func @choice_vjp(
// CHECK-SAME: %[[C:[^:]*]]: i1, %[[X:[^:]*]]: f64, %[[Y:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-NEXT: %[[X_BAR:.*]] = arith.select %[[C]], %[[BAR]], %[[ZERO]]
// CHECK-NEXT: %[[Y_BAR:.*]] = arith.select %[[C]], %[[ZERO]], %[[BAR]]
// CHECK-NEXT: return %[[X_BAR]], %[[Y_BAR]]
func.func @choice_vjp(%c: i1, %x: f64, %y: f64, %bar: f64) -> (f64, f64) {
  %r:3 = "ad.vjp"(%c, %x, %y, %bar) {
    callee = @choice, wrt = [1, 2], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (i1, f64, f64, f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}

// CHECK-LABEL: func.func @choice_jvp(
// CHECK-SAME: %[[C:[^:]*]]: i1, %[[X:[^:]*]]: f64, %[[Y:[^:]*]]: f64, %[[DX:[^:]*]]: f64, %[[DY:[^:]*]]: f64
// CHECK-NEXT: arith.select %[[C]], %[[DX]], %[[DY]]
func.func @choice_jvp(%c: i1, %x: f64, %y: f64, %dx: f64, %dy: f64) -> (f64) {
  %r:2 = "ad.jvp"(%c, %x, %y, %dx, %dy) {
    callee = @choice, wrt = [1, 2], method = "redundant", operandSegmentSizes = array<i32: 3, 2>
  } : (i1, f64, f64, f64, f64) -> (f64, f64)
  return %r#1 : f64
}

func.func private @cast(%x: f32) -> f64 {
  %y = arith.extf %x : f32 to f64
  return %y : f64
}

// The adjoint of a cast to a wider float is narrowed.
// CHECK-LABEL: func.func @cast_vjp(
// CHECK-SAME: %[[X:[^:]*]]: f32, %[[BAR:[^:]*]]: f64
// CHECK-NEXT: arith.truncf %[[BAR]] : f64 to f32
func.func @cast_vjp(%x: f32, %bar: f64) -> (f32) {
  %r:2 = "ad.vjp"(%x, %bar) {
    callee = @cast, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f32, f64) -> (f64, f32)
  return %r#1 : f32
}

// CHECK-LABEL: func.func @cast_jvp(
// CHECK-SAME: %[[X:[^:]*]]: f32, %[[DX:[^:]*]]: f32
// CHECK-NEXT: arith.extf %[[DX]] : f32 to f64
func.func @cast_jvp(%x: f32, %dx: f32) -> (f64) {
  %r:2 = "ad.jvp"(%x, %dx) {
    callee = @cast, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f32, f32) -> (f64, f64)
  return %r#1 : f64
}

func.func private @integer(%x: f64) -> f64 {
  %i = arith.fptosi %x : f64 to i64
  %y = arith.sitofp %i : i64 to f64
  %z = arith.mulf %y, %x : f64
  return %z : f64
}

// What goes through an integer has no derivative there.
// CHECK-LABEL: func.func @integer_vjp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK: %[[STEPS:.*]] = arith.sitofp
// CHECK-NEXT: %[[X_BAR:.*]] = arith.mulf %[[BAR]], %[[STEPS]]
// CHECK-NEXT: return %[[X_BAR]]
func.func @integer_vjp(%x: f64, %bar: f64) -> (f64) {
  %r:2 = "ad.vjp"(%x, %bar) {
    callee = @integer, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}
