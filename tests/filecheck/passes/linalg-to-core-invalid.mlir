// What has no translation is refused by name, at its place.
// RUN: tapeless-opt --linalg-to-core --split-input-file --verify-diagnostics %s

func.func @named(%x: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %o = tensor.empty() : tensor<4x4xf64>
  // expected-error @+1 {{'linalg.softmax' op has no translation to core IR; compute this part otherwise, or outside of the module}}
  %r = linalg.softmax dimension(1) ins(%x : tensor<4x4xf64>) outs(%o : tensor<4x4xf64>) -> tensor<4x4xf64>
  return %r : tensor<4x4xf64>
}

// -----

func.func @map(%x: tensor<4xf64>) -> tensor<8xf64> {
  %o = tensor.empty() : tensor<8xf64>
  // expected-error @+1 {{'linalg.generic' op has the index d0 floordiv 2 in a map; give sums of multiples of dimensions}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 floordiv 2)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%x : tensor<4xf64>) outs(%o : tensor<8xf64>) {
  ^bb0(%e: f64, %u: f64):
    linalg.yield %e : f64
  } -> tensor<8xf64>
  return %r : tensor<8xf64>
}

// -----

// expected-error @+1 {{'func.func' op has a value of type tensor<4xi8>; give numbers and tensors of }}
func.func @small(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}

// -----

// expected-error @+1 {{'func.func' op has a value of type memref<4xf64>; give numbers and tensors of }}
func.func @memory(%x: memref<4xf64>) {
  return
}

// -----

func.func @steps(%x: tensor<8xf64>, %n: index) -> tensor<4xf64> {
  // expected-error @+1 {{'tensor.extract_slice' op has steps that are known only when running; give constants of at least 1}}
  %r = tensor.extract_slice %x[0] [4] [%n] : tensor<8xf64> to tensor<4xf64>
  return %r : tensor<4xf64>
}

// -----

func.func @parallel(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'scf.forall' op has no translation to core IR; compute this part otherwise, or outside of the module}}
  %r = scf.forall (%i) in (4) shared_outs(%o = %x) -> (tensor<4xf64>) {
    %e = tensor.extract_slice %x[%i] [1] [1] : tensor<4xf64> to tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf64> into tensor<4xf64>
    }
  }
  return %r : tensor<4xf64>
}

// -----

// expected-error @+1 {{'func.func' op has a body of several blocks; use scf.if, scf.for and scf.while for branches and loops}}
func.func @blocks(%x: f64, %c: i1) -> f64 {
  cf.cond_br %c, ^a, ^b
^a:
  return %x : f64
^b:
  %y = arith.negf %x : f64
  return %y : f64
}

// -----

func.func @extended(%x: i64) -> i64 {
  // expected-error @+1 {{'arith.mulsi_extended' op has no translation to core IR; compute this part otherwise, or outside of the module}}
  %low, %high = arith.mulsi_extended %x, %x : i64
  return %high : i64
}

// -----

func.func @loops_of_integers(%x: f64, %n: i64) -> f64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // expected-error @+1 {{'scf.for' op counts by unsigned integers; count by index}}
  %r = scf.for unsigned %i = %zero to %n step %one iter_args(%a = %x) -> (f64) : i64 {
    scf.yield %a : f64
  }
  return %r : f64
}

// -----

func.func @taken_away(%x: tensor<4xf64>) -> tensor<3xf64> {
  %c = arith.constant 0.0 : f64
  // expected-error @+1 {{'tensor.pad' op takes elements away by negative amounts; use tensor.extract_slice}}
  %r = tensor.pad %x low[-1] high[0] {
  ^bb0(%i: index):
    tensor.yield %c : f64
  } : tensor<4xf64> to tensor<3xf64>
  return %r : tensor<3xf64>
}

// -----

func.func @several_blocks(%x: tensor<f64>, %c: i1) -> f64 {
  %e = tensor.extract %x[] : tensor<f64>
  // expected-error @+1 {{'scf.execute_region' op has a region of several blocks; use scf.if, scf.for and scf.while for branches and loops}}
  %r = scf.execute_region -> f64 {
    cf.cond_br %c, ^one, ^one
  ^one:
    scf.yield %e : f64
  }
  return %r : f64
}

// -----

func.func @steps_of_zero(%x: tensor<8xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'tensor.extract_slice' op has the steps [0]; give constants of at least 1}}
  %r = tensor.extract_slice %x[0] [4] [0] : tensor<8xf64> to tensor<4xf64>
  return %r : tensor<4xf64>
}
