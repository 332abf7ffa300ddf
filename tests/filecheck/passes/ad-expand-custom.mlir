// ad-expand on functions with rules of their own: forward and backward parts, or a rule for tangents.
// RUN: tapeless-opt --ad-expand --canonicalize --cse --soac-simplify --canonicalize --cse %s | filecheck %s

func.func private @cube(%x: f64) -> f64 {
  %a = arith.mulf %x, %x : f64
  %y = arith.mulf %a, %x : f64
  return %y : f64
}

func.func private @cube_fwd(%x: f64) -> (f64, f64) {
  %y = math.powf %x, %x : f64
  %kept = math.sin %x : f64
  return %y, %kept : f64, f64
}

func.func private @cube_bwd(%kept: f64, %bar: f64) -> f64 {
  %x_bar = arith.divf %bar, %kept : f64
  return %x_bar : f64
}

"ad.custom_rule"() {primal = @cube, kind = "vjp", functions = [@cube_fwd, @cube_bwd]} : () -> ()

func.func private @f(%x: f64) -> f64 {
  %y = func.call @cube(%x) : (f64) -> f64
  return %y : f64
}

// The forward part runs instead of the function; the backward part gets what it kept.
// CHECK-LABEL: func.func @rule_vjp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK-NEXT: %[[VALUE:.*]] = math.powf %[[X]], %[[X]]
// CHECK-NEXT: %[[PROMISED:.*]] = math.sin %[[X]]
// CHECK-NEXT: %[[X_BAR:.*]] = arith.divf %[[BAR]], %[[PROMISED]]
// CHECK-NEXT: return %[[VALUE]], %[[X_BAR]]
func.func @rule_vjp(%x: f64, %bar: f64) -> (f64, f64) {
  %y, %x_bar = "ad.vjp"(%x, %bar) {
    callee = @f, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %y, %x_bar : f64, f64
}

// Without a rule for tangents the function itself is differentiated.
// CHECK-LABEL: func.func @rule_jvp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[DX:[^:]*]]: f64
// CHECK-NOT: math
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: arith.mulf %[[DX]], %[[SQUARE]]
func.func @rule_jvp(%x: f64, %dx: f64) -> f64 {
  %r:2 = "ad.jvp"(%x, %dx) {
    callee = @f, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}

func.func private @root(%x: f64) -> f64 {
  %y = math.sqrt %x : f64
  return %y : f64
}

func.func private @root_push(%x: f64, %dx: f64) -> (f64, f64) {
  %y = math.sqrt %x : f64
  %dy = arith.divf %dx, %y : f64
  return %y, %dy : f64, f64
}

"ad.custom_rule"() {primal = @root, kind = "jvp", functions = [@root_push]} : () -> ()
func.func private @g(%x: f64) -> f64 {
  %y = func.call @root(%x) : (f64) -> f64
  return %y : f64
}

// A rule for tangents is linear in them; reverse mode transposes it.
// CHECK-LABEL: func.func @push_vjp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK: %[[VALUE:.*]] = math.sqrt %[[X]]
// CHECK-NEXT: %[[SLOPE:.*]] = arith.divf %{{.*}}, %[[VALUE]]
// CHECK-NEXT: arith.mulf %[[BAR]], %[[SLOPE]]
func.func @push_vjp(%x: f64, %bar: f64) -> f64 {
  %r:2 = "ad.vjp"(%x, %bar) {
    callee = @g, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}

// CHECK-LABEL: func.func @push_jvp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[DX:[^:]*]]: f64
// CHECK-NEXT: %[[VALUE:.*]] = math.sqrt %[[X]]
// CHECK-NEXT: arith.divf %[[DX]], %[[VALUE]]
// CHECK-NOT: ad.custom_rule
func.func @push_jvp(%x: f64, %dx: f64) -> f64 {
  %r:2 = "ad.jvp"(%x, %dx) {
    callee = @g, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}

// not differentiated: plain call
// Where nothing is differentiated, rules have no effect and are gone afterwards.
// CHECK-LABEL: func.func @plain(
// CHECK-SAME: %[[X:[^:]*]]: f64
// CHECK-NEXT: arith.mulf %[[X]], %[[X]]
// CHECK-NOT: ad.custom_rule
func.func @plain(%x: f64) -> f64 {
  %y = func.call @cube(%x) : (f64) -> f64
  return %y : f64
}
