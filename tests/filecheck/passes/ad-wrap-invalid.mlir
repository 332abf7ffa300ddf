// What ad-wrap cannot differentiate is refused where it stands, with what there is.
// RUN: tapeless-opt --split-input-file --verify-diagnostics --ad-wrap="infn=f wrt=1,0" %s
// RUN: not tapeless-opt --ad-wrap="infn=f method=redundent" %s 2>&1 | filecheck %s --check-prefix=METHOD
// RUN: not tapeless-opt --ad-wrap="infn=f mode=hessian" %s 2>&1 | filecheck %s --check-prefix=MODE
// RUN: not tapeless-opt --split-input-file --ad-wrap="infn=f outfn=f" %s 2>&1 | filecheck %s --check-prefix=TAKEN
// RUN: not tapeless-opt --split-input-file --ad-wrap="infn=f wrt=0,0" %s 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: not tapeless-opt --split-input-file --ad-wrap="infn=f mode=grad wrt=0" %s 2>&1 | filecheck %s --check-prefix=GRAD
// RUN: not tapeless-opt --split-input-file --ad-wrap %s 2>&1 | filecheck %s --check-prefix=UNNAMED

// METHOD: pass 'ad-wrap' refuses its options: unknown method 'redundent'; did you mean 'redundant'?
// MODE: option 'mode' of pass 'ad-wrap' expects one of 'vjp', 'jvp', 'grad', 'value_and_grad', not 'hessian'
// TAKEN: 15:1: error: 'func.func' op cannot have the derivative @f: the name is taken; give another outfn
// TWICE: 15:1: error: 'func.func' op has argument 0 twice in wrt; name each argument once
// expected-error @+1 {{'func.func' op has argument 1 of type i64, which has no derivative; choose wrt from 0}}
func.func @f(%x: f64, %n: i64) -> f64 {
  return %x : f64
}

// -----

// expected-error @+1 {{'func.func' op has 1 arguments, and wrt names 1; count from 0}}
func.func @f(%x: f64) -> f64 {
  return %x : f64
}

// -----

// expected-error @+1 {{'builtin.module' op has no function @f; known are 'gradient', 'loss'}}
module {
  func.func private @gradient(%x: f64) -> f64 {
    return %x : f64
  }
  func.func private @loss(%x: f64) -> f64 {
    return %x : f64
  }
}

// -----

// UNNAMED: 42:1: error: 'builtin.module' op has 2 public functions (@f, @g); name one, as in infn=f
// expected-error @+2 {{'func.func' op has arguments (i64, i32), none of them a float or an array of floats}}
module {
  func.func @f(%n: i64, %m: i32) -> f64 {
    %x = arith.sitofp %n : i64 to f64
    return %x : f64
  }
  func.func @g() {
    return
  }
}

// -----

// expected-error @+1 {{'func.func' op has results (i64), none of them a float or an array of floats}}
func.func @f(%x: f64, %y: f64) -> i64 {
  %n = arith.fptosi %x : f64 to i64
  return %n : i64
}

// -----

// GRAD: 63:1: error: 'func.func' op has results (tensor<3xf64>); a gradient needs one result, a float; use mode=vjp, which takes cotangents
func.func @f(%x: f64, %y: f64) -> tensor<3xf64> {
  %xs = tensor.splat %x : tensor<3xf64>
  return %xs : tensor<3xf64>
}

// -----

// expected-error @+1 {{'func.func' op @f is only declared; give it a body, or differentiate another function}}
func.func private @f(f64, f64) -> f64

// -----

// Types of other producers are brought into core IR first.
// expected-error @+1 {{'func.func' op has a value of type tensor<f64>, which core IR has not; run --stablehlo-to-core or --linalg-to-core first}}
func.func @f(%x: f64, %y: tensor<f64>) -> f64 {
  return %x : f64
}

// -----

// expected-error @+1 {{'func.func' op has a value of type memref<2xf64>, which core IR has not; run --stablehlo-to-core or --linalg-to-core first}}
func.func @f(%x: f64, %y: memref<2xf64>) -> f64 {
  return %x : f64
}
