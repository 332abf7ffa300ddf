// A function that is only declared, or has several blocks, is refused where its statements are needed.
// RUN: tapeless-opt --ad-expand --split-input-file --verify-diagnostics %s

func.func private @declared(f64) -> f64
func.func @reverse_mode(%x: f64, %bar: f64) -> f64 {
  // expected-error @+1 {{'ad.vjp' op needs the body of '@declared', which has no body; define it in this module}}
  %r:2 = "ad.vjp"(%x, %bar) {
    callee = @declared, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}

// -----

func.func private @declared(f64) -> f64
func.func @forward_mode(%x: f64, %dx: f64) -> f64 {
  // expected-error @+1 {{'ad.jvp' op needs the body of '@declared', which has no body; define it in this module}}
  %r:2 = "ad.jvp"(%x, %dx) {
    callee = @declared, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}

// -----

func.func private @branching(%x: f64) -> f64 {
  cf.br ^end
^end:
  return %x : f64
}
func.func @several_blocks(%x: f64, %bar: f64) -> f64 {
  // expected-error @+1 {{'ad.vjp' op needs the body of '@branching', which has 2 blocks; write it as one}}
  %r:2 = "ad.vjp"(%x, %bar) {
    callee = @branching, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}

// -----

func.func private @declared(f64) -> f64
func.func private @calls(%x: f64) -> f64 {
  // expected-error @+1 {{'func.call' op is differentiated, but its callee is not inlined and has no rule; define it or give an ad.custom_rule}}
  %y = func.call @declared(%x) : (f64) -> f64
  return %y : f64
}
func.func @called_in_reverse_mode(%x: f64, %bar: f64) -> f64 {
  %r:2 = "ad.vjp"(%x, %bar) {
    callee = @calls, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}

// -----

func.func private @declared(f64) -> f64
func.func private @calls(%x: f64) -> f64 {
  // expected-error @+1 {{'func.call' op needs the body of '@declared', which has no body; define it in this module}}
  %y = func.call @declared(%x) : (f64) -> f64
  return %y : f64
}
func.func @called_in_forward_mode(%x: f64, %dx: f64) -> f64 {
  %r:2 = "ad.jvp"(%x, %dx) {
    callee = @calls, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}

// -----

func.func private @declared(f64) -> f64
func.func private @saving(f64) -> (f64, f64)
func.func private @pulling(f64, f64) -> f64
"ad.custom_rule"() {primal = @declared, kind = "vjp", functions = [@saving, @pulling]} : () -> ()
func.func private @calls(%x: f64) -> f64 {
  // expected-error @+1 {{'func.call' op needs the body of '@saving', which has no body; define it in this module}}
  %y = func.call @declared(%x) : (f64) -> f64
  return %y : f64
}
func.func @declared_rule(%x: f64, %bar: f64) -> f64 {
  %r:2 = "ad.vjp"(%x, %bar) {
    callee = @calls, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}
