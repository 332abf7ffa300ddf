// RUN: tapeless-opt --lower-loops --split-input-file --verify-diagnostics %s

func.func private @g(%x: f64) -> f64 {
  return %x : f64
}
func.func @f(%x: f64) -> f64 {
  // expected-error @+1 {{'func.call' op cannot be lowered to loops; define the function and inline it with 'soac-inline'}}
  %y = func.call @g(%x) : (f64) -> f64
  return %y : f64
}

// -----

func.func @f(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'tensor.bitcast' op has no lowering to loops; rewrite it with the operations of core IR}}
  %y = tensor.bitcast %x : tensor<4xf64> to tensor<4xi64>
  %z = tensor.bitcast %y : tensor<4xi64> to tensor<4xf64>
  return %z : tensor<4xf64>
}

// -----

// Rows whose size depends on the iteration have no place in an array.
func.func @f(%n: index) -> tensor<?x?xf64> {
  %v = arith.constant 1.0 : f64
  // expected-error @+1 {{'soac.map' op makes an array whose size is known only inside; compute the size before the operation}}
  %y = "soac.map"(%n) ({
  ^bb0(%i: index):
    %row = tensor.splat %v[%i] : tensor<?xf64>
    "soac.yield"(%row) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// -----

// The sizes of an array are known by axis, so the axis must be.
func.func @f(%x: tensor<?x?xf64>, %axis: index) -> index {
  // expected-error @+1 {{'tensor.dim' op asks for the size of an axis that is not known; give the axis as a constant}}
  %size = tensor.dim %x, %axis : tensor<?x?xf64>
  return %size : index
}

// -----

func.func @f(%x: tensor<?x?xf64>) -> index {
  %axis = arith.constant 2 : index
  // expected-error @+1 {{'tensor.dim' op asks for the size of an axis that is not known; give the axis as a constant}}
  %size = tensor.dim %x, %axis : tensor<?x?xf64>
  return %size : index
}

// -----

// A caller must know how large what comes back is.
// expected-error @+1 {{'func.func' op is recursive and gives back an array whose sizes are those of no argument; hand an array of these sizes in}}
func.func private @grow(%n: index) -> tensor<?xf64> attributes {tapeless.recursive, tapeless.sizes = array<i64: -1>} {
  %y = func.call @grow(%n) : (index) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
func.func @f(%n: index) -> tensor<?xf64> {
  %y = func.call @grow(%n) : (index) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
