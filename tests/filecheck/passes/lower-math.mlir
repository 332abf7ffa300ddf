// Elementary functions become calls of functions of arithmetic in the same module.
// RUN: tapeless-opt --lower-math %s | filecheck %s
// RUN: tapeless-opt --lower-math="root-steps=true" %s | filecheck %s --check-prefix=STEPS

// Code that branches on large arguments stays a call with vector variants; large lanes go to the C library.
// CHECK:       func.func private @tl.sin_f64
// CHECK-SAME:    llvm.no_inline
// CHECK-SAME:    "vector-function-abi-variant", "_ZGV_LLVM_N2v_tl.sin_f64(tl.sin_v2f64),_ZGV_LLVM_N4v_tl.sin_f64(tl.sin_v4f64)
// CHECK:         scf.if
// CHECK-NEXT:      math.sin

// Straight code is inlined by LLVM and carries no fast-math flags.
// CHECK:       func.func private @tl.exp_v8f32
// CHECK-SAME:    llvm.always_inline
// CHECK-NOT:   fastmath
// CHECK-NOT:   math.exp
// CHECK:       func.func private @tl.exp_f64
// CHECK-SAME:    llvm.always_inline

// One function serves every use of its type.
// CHECK-LABEL: func.func @twice(
// CHECK-NEXT:    %[[FIRST:.*]] = call @tl.exp_f64
// CHECK-NEXT:    %[[SECOND:.*]] = call @tl.exp_f64(%[[FIRST]])
// CHECK-NEXT:    return %[[SECOND]]
func.func @twice(%x: f64) -> f64 {
  %first = math.exp %x fastmath<contract> : f64
  %second = math.exp %first : f64
  return %second : f64
}

// CHECK-LABEL: func.func @vectors(
// CHECK-NEXT:    call @tl.exp_v8f32
func.func @vectors(%x: vector<8xf32>) -> vector<8xf32> {
  %y = math.exp %x : vector<8xf32>
  return %y : vector<8xf32>
}

// The rows of a tile call one function, whose code is there once; what a block calls less often is inlined.
// CHECK-LABEL: func.func @rows(
// CHECK-COUNT-4: call @tl.exp_v8f32({{.*}}) {no_inline}
// CHECK-NOT:   tl.exp_v8f32({{.*}}) {no_inline}
// CHECK:       return
func.func @rows(%a: vector<8xf32>, %b: vector<8xf32>, %c: vector<8xf32>, %d: vector<8xf32>, %is_more: i1) -> vector<8xf32> {
  %0 = math.exp %a : vector<8xf32>
  %1 = math.exp %b : vector<8xf32>
  %2 = math.exp %c : vector<8xf32>
  %3 = math.exp %d : vector<8xf32>
  %4 = arith.addf %0, %1 : vector<8xf32>
  %5 = arith.addf %2, %3 : vector<8xf32>
  %6 = arith.addf %4, %5 : vector<8xf32>
  %7 = scf.if %is_more -> (vector<8xf32>) {
    %8 = math.exp %6 : vector<8xf32>
    scf.yield %8 : vector<8xf32>
  } else {
    scf.yield %6 : vector<8xf32>
  }
  return %7 : vector<8xf32>
}

// Numbers are left to LLVM, which makes vectors of the loops around them.
// CHECK-LABEL: func.func @numbers(
// CHECK-NOT:   no_inline
// CHECK:       return
func.func @numbers(%a: f64) -> f64 {
  %0 = math.exp %a : f64
  %1 = math.exp %0 : f64
  %2 = math.exp %1 : f64
  %3 = math.exp %2 : f64
  return %3 : f64
}

// Vectors of higher rank go through rank 1.
// CHECK-LABEL: func.func @tiles(
// CHECK-NEXT:    vector.shape_cast
// CHECK-NEXT:    call @tl.exp_v8f32
// CHECK-NEXT:    vector.shape_cast
func.func @tiles(%x: vector<2x4xf32>) -> vector<2x4xf32> {
  %y = math.exp %x : vector<2x4xf32>
  return %y : vector<2x4xf32>
}

// CHECK-LABEL: func.func @functions_math_lacks(
// CHECK-NEXT:    call @tl.sigmoid_f64
// CHECK-NEXT:    call @tl.sin_f64
func.func @functions_math_lacks(%x: f64) -> f64 {
  %y = "soac.fn"(%x) {function = "sigmoid"} : (f64) -> f64
  %z = math.sin %y : f64
  return %z : f64
}

// What is one instruction stays.
// CHECK-LABEL: func.func @kept(
// CHECK-NEXT:    math.sqrt
// CHECK-NEXT:    math.floor
func.func @kept(%x: f64) -> f64 {
  %root = math.sqrt %x : f64
  %whole = math.floor %root : f64
  return %whole : f64
}

// What stands beside functions is left alone.
// CHECK-LABEL: func.func @with_a_rule(
// CHECK-NEXT: call @tl.exp_f64
// CHECK: "ad.custom_rule"
func.func @with_a_rule(%x: f64) -> f64 {
  %y = math.exp %x : f64
  return %y : f64
}
func.func private @push(%x: f64, %dx: f64) -> (f64, f64) {
  return %x, %dx : f64, f64
}
"ad.custom_rule"() {primal = @with_a_rule, kind = "jvp", functions = [@push]} : () -> ()

// A reciprocal root that is looked at needs neither root nor division, or lets LLVM make it of estimates; others do.
// CHECK-LABEL: func.func @reciprocal_roots(
// CHECK-NEXT:    call @tl.reciprocal_root_f64
// CHECK-NEXT:    call @tl.rsqrt_f64
// STEPS:       func.func private @tl.reciprocal_root_by_steps_f64
// STEPS:         %[[ROOT:.*]] = math.sqrt %{{.*}} fastmath<arcp> : f64
// STEPS:         arith.divf %{{.*}}, %[[ROOT]] fastmath<arcp> : f64
// STEPS:         math.fma
// STEPS:         math.fma
// STEPS-LABEL: func.func @reciprocal_roots(
// STEPS-SAME:    llvm.passthrough = {{\[\[}}"reciprocal-estimates", "sqrtd:2,vec-sqrtd:2,sqrtf:1,vec-sqrtf:1"]]
func.func @reciprocal_roots(%x: f64) -> (f64, f64) {
  %looked_at = math.rsqrt %x {tapeless.normal} : f64
  %own = math.rsqrt %x : f64
  return %looked_at, %own : f64, f64
}

// Powers by integers are powers by floats: LLVM has those with one exponent for all lanes only.
// CHECK-LABEL: func.func @whole_powers
// CHECK: %[[FLOATS:.*]] = arith.sitofp %{{.*}} : vector<8xi32> to vector<8xf64>
// CHECK: call @tl.pow_v8f64(%{{.*}}, %[[FLOATS]])
// CHECK-NOT: math.fpowi
func.func @whole_powers(%x: vector<8xf64>, %n: vector<8xi32>) -> vector<8xf64> {
  %y = math.fpowi %x, %n : vector<8xf64>, vector<8xi32>
  return %y : vector<8xf64>
}
