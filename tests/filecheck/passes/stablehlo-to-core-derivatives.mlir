// RUN: tapeless-opt %s --stablehlo-to-core | filecheck %s

// What a producer says of derivatives by composites of these names becomes what programs in the language say.

// CHECK-LABEL: func.func private @double.0(%{{.*}}: f64) -> f64
// CHECK: arith.addf
// CHECK: "ad.custom_rule"() {functions = [@forward.1, @backward.2], kind = "vjp", primal = @double.0}
// CHECK: "ad.custom_rule"() {functions = [@push.3], kind = "jvp", primal = @double.0}
func.func private @double(%x: tensor<f64>) -> tensor<f64> {
  %0 = stablehlo.add %x, %x : tensor<f64>
  return %0 : tensor<f64>
}

// CHECK-LABEL: func.func private @forward.1(%{{.*}}: f64) -> (f64, f64)
// CHECK: call @double.0
func.func private @forward(%x: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %0 = stablehlo.composite "tapeless.custom_rule" %x {
    composite_attributes = {forward = "forward", backward = "backward", jvp = "push"}, decomposition = @double
  } : (tensor<f64>) -> tensor<f64>
  return %0, %x : tensor<f64>, tensor<f64>
}

// CHECK-LABEL: func.func private @backward.2(%{{.*}}: f64, %{{.*}}: f64) -> f64
func.func private @backward(%x: tensor<f64>, %ct: tensor<f64>) -> tensor<f64> {
  %0 = stablehlo.multiply %x, %ct : tensor<f64>
  return %0 : tensor<f64>
}

// CHECK-LABEL: func.func private @push.3(%{{.*}}: f64, %{{.*}}: f64) -> (f64, f64)
func.func private @push(%x: tensor<f64>, %t: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %0 = stablehlo.multiply %x, %t : tensor<f64>
  return %x, %0 : tensor<f64>, tensor<f64>
}

// CHECK-LABEL: func.func @rules(
// CHECK: call @double.0(%{{.*}}) : (f64) -> f64
// CHECK: call @double.0(%{{.*}}) : (f64) -> f64
func.func @rules(%x: tensor<f64>) -> tensor<f64> {
  %0 = stablehlo.composite "tapeless.custom_rule" %x {
    composite_attributes = {forward = "forward", backward = "backward", jvp = "push"}, decomposition = @double
  } : (tensor<f64>) -> tensor<f64>
  %1 = stablehlo.composite "tapeless.custom_rule" %0 {
    composite_attributes = {forward = "forward", backward = "backward", jvp = "push"}, decomposition = @double
  } : (tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
}

// A rule that the producer left out is declared: derivatives that need it are refused.
// CHECK: func.func private @same.4.without_jvp_0(tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
// CHECK: "ad.custom_rule"() {functions = [@same.4.without_jvp_0], kind = "jvp", primal = @same.4}
func.func private @same(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.negate %x : tensor<3xf64>
  return %0 : tensor<3xf64>
}
func.func @without_rule(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.composite "tapeless.custom_rule" %x {
    composite_attributes = {jvp = ""}, decomposition = @same
  } : (tensor<3xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// CHECK-LABEL: func.func @stopped(
// CHECK: "ad.stop_gradient"(%{{.*}}) : (tensor<3xf64>) -> tensor<3xf64>
func.func @stopped(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.composite "tapeless.stop_gradient" %x {decomposition = @same} : (tensor<3xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// CHECK-LABEL: func.func @checkpointed(
// CHECK: "ad.checkpoint"() ({
// CHECK: soac.map
// CHECK: arith.negf
// CHECK: "ad.yield"(%{{.*}}) : (tensor<3xf64>) -> ()
func.func @checkpointed(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = stablehlo.composite "tapeless.checkpoint" %x {decomposition = @same} : (tensor<3xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
