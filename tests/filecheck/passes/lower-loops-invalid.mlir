// RUN: tapeless-opt --loops --split-input-file --verify-diagnostics %s

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
  // expected-error @+1 {{'soac.map' op makes an array whose size is known only inside; compute the size before the operation, or make all rows of one size, as in np.where(np.arange(len(x)) < k, x, 0.0) in place of x[:k]}}
  %y = "soac.map"(%n) ({
  ^bb0(%i: index):
    %row = tensor.splat %v[%i] : tensor<?xf64>
    "soac.yield"(%row) : (tensor<?xf64>) -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// -----

// The message is where the size is computed.
func.func @f(%n: index) -> tensor<?x?xf64> {
  %v = arith.constant 1.0 : f64
  %y = "soac.map"(%n) ({
  ^bb0(%i: index):
    // expected-error @+1 {{'soac.map' op makes an array whose size is known only inside; compute the size before the operation, or make all rows of one size, as in np.where(np.arange(len(x)) < k, x, 0.0) in place of x[:k]}}
    %size = arith.muli %i, %n : index
    %row = tensor.splat %v[%size] : tensor<?xf64>
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

// -----

// Callers hand over and are given scalars and arrays of core IR, nothing else.
// expected-error @+1 {{'func.func' op takes a value of type vector<4xf32>; use f64, f32, i64, i32, i1, index, and arrays of rank 1 or more of them}}
func.func @f(%x: vector<4xf32>) -> f32 {
  %y = vector.reduction <add>, %x : vector<4xf32> into f32
  return %y : f32
}

// -----

// expected-error @+1 {{'func.func' op takes a value of type !soac.acc<tensor<4xf32>>; use f64, f32, i64, i32, i1, index, and arrays of rank 1 or more of them}}
func.func @f(%x: !soac.acc<tensor<4xf32>>, %i: index, %v: f32) {
  %y = "soac.update"(%x, %i, %v) {operandSegmentSizes = array<i32: 1, 1, 1>} : (!soac.acc<tensor<4xf32>>, index, f32) -> !soac.acc<tensor<4xf32>>
  return
}

// -----

// expected-error @+1 {{'func.func' op returns a value of type tensor<f32>; use f64, f32, i64, i32, i1, index, and arrays of rank 1 or more of them}}
func.func @f(%x: f32) -> tensor<f32> {
  %y = tensor.from_elements %x : tensor<f32>
  return %y : tensor<f32>
}

// -----

func.func @f(%x: i64) -> i64 {
  // expected-error @+1 {{'arith.extsi' op has a value of type i128; use f64, f32, i64, i32, i1, index, and arrays of rank 1 or more of them}}
  %y = arith.extsi %x : i64 to i128
  %z = arith.muli %y, %y : i128
  %w = arith.trunci %z : i128 to i64
  return %w : i64
}

// -----

func.func @f(%x: i64) -> i64 {
  // expected-error @+1 {{'math.ipowi' op has no code; multiply, or use math.fpowi}}
  %y = math.ipowi %x, %x : i64
  return %y : i64
}

// -----

func.func @f(%x: i64) -> i64 {
  // expected-error @+1 {{'arith.mulsi_extended' op gives 2 results; use operations that give one}}
  %y, %z = arith.mulsi_extended %x, %x : i64
  return %z : i64
}

// -----

func.func @f() -> tensor<4xf32> {
  // expected-error @+1 {{'arith.constant' op holds its elements elsewhere or in a sparse form; write them as dense<...>}}
  %y = arith.constant sparse<[[1]], [2.0]> : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// What regions of any operation hold is looked at before memory is planned.
func.func @f(%x: f32) -> tensor<4xf32> {
  // expected-error @+1 {{'scf.execute_region' op has no lowering to loops; rewrite it with the operations of core IR}}
  %y = scf.execute_region -> tensor<4xf32> {
    %z = tensor.splat %x : tensor<4xf32>
    scf.yield %z : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// Integers of 16 bits are the bits of floats, and functions say of which.
// expected-error @+1 {{'func.func' op takes a value of type tensor<?xi16>; use f64, f32, i64, i32, i1, index, and arrays of rank 1 or more of them}}
func.func @f(%x: tensor<?xi16>) -> f64 {
  %y = arith.constant 1.0 : f64
  return %y : f64
}
