// RUN: tapeless-opt %s --stablehlo-to-core --split-input-file --verify-diagnostics

func.func private @double(%x: tensor<f64>) -> tensor<f64> {
  %0 = stablehlo.add %x, %x : tensor<f64>
  return %0 : tensor<f64>
}
func.func @names_no_rule(%x: tensor<f64>) -> tensor<f64> {
  // expected-error @+1 {{'stablehlo.composite' op names no rule; give it the attribute 'jvp', or 'forward' and 'backward', with names of functions}}
  %0 = stablehlo.composite "tapeless.custom_rule" %x {
    composite_attributes = {forward = "double"}, decomposition = @double
  } : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

func.func private @double(%x: tensor<f64>) -> tensor<f64> {
  %0 = stablehlo.add %x, %x : tensor<f64>
  return %0 : tensor<f64>
}
func.func @names_a_rule_that_is_not_there(%x: tensor<f64>) -> tensor<f64> {
  // expected-error @+1 {{'stablehlo.composite' op names @push, which has no body; define it in the module}}
  %0 = stablehlo.composite "tapeless.custom_rule" %x {
    composite_attributes = {jvp = "push"}, decomposition = @double
  } : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
