// Where derivatives by `coarsened` are asked for, loops that may have a closed form are left to it.
// RUN: tapeless-opt --soac-parallelise --split-input-file %s | filecheck %s

// A sum over an array is a map and a reduction, as for other methods.
// CHECK-LABEL: func.func private @squares
// CHECK-NOT: scf.for
// CHECK: "soac.map"
// CHECK: "soac.reduce"
func.func private @squares(%m: index, %a: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf64>
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
    %x = tensor.extract %a[%i] : tensor<?xf64>
    %y = arith.mulf %x, %x fastmath<contract> : f64
    %r = arith.addf %t, %y fastmath<contract> : f64
    scf.yield %r : f64
  }
  return %sum : f64
}
func.func @gradient(%n: index, %a: tensor<?xf64>, %seed: f64) -> (f64, tensor<?xf64>) {
  %r:2 = "ad.vjp"(%n, %a, %seed) {callee = @squares, method = "coarsened", operandSegmentSizes = array<i32: 2, 1>, wrt = [1]} : (index, tensor<?xf64>, f64) -> (f64, tensor<?xf64>)
  return %r#0, %r#1 : f64, tensor<?xf64>
}

// -----

// Sums of numbers alone, and sums in loops that carry numbers alone, are not.
// CHECK-LABEL: func.func private @descent
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: "soac.map"
// CHECK: return
func.func private @descent(%m: index, %a: tensor<?xf64>, %p: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf64>
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %start = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
    %k = arith.index_cast %i : index to i64
    %x = arith.sitofp %k : i64 to f64
    %y = arith.mulf %x, %p : f64
    %r = arith.addf %t, %y fastmath<contract> : f64
    scf.yield %r : f64
  }
  %end = scf.for %s = %c0 to %n step %c1 iter_args(%w = %start) -> (f64) {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> (f64) {
      %x = tensor.extract %a[%i] : tensor<?xf64>
      %y = arith.mulf %x, %w fastmath<contract> : f64
      %r = arith.addf %t, %y fastmath<contract> : f64
      scf.yield %r : f64
    }
    %next = arith.subf %w, %sum : f64
    scf.yield %next : f64
  }
  return %end : f64
}
func.func @gradient(%n: index, %a: tensor<?xf64>, %p: f64, %seed: f64) -> (f64, f64) {
  %r:2 = "ad.vjp"(%n, %a, %p, %seed) {callee = @descent, method = "coarsened", operandSegmentSizes = array<i32: 3, 1>, wrt = [2]} : (index, tensor<?xf64>, f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

// -----

// Steps of a field carry an array, and no step has a closed form: what a step does for each element is a map.
// CHECK-LABEL: func.func private @field
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: "soac.map"
// CHECK: return
func.func private @field(%n: index, %steps: index, %a: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = scf.for %s = %c0 to %steps step %c1 iter_args(%u = %a) -> (tensor<?xf64>) {
    %d = tensor.dim %u, %c0 : tensor<?xf64>
    %next = scf.for %i = %c0 to %d step %c1 iter_args(%v = %u) -> (tensor<?xf64>) {
      %x = tensor.extract %u[%i] : tensor<?xf64>
      %y = math.sin %x : f64
      %w = tensor.insert %y into %v[%i] : tensor<?xf64>
      scf.yield %w : tensor<?xf64>
    }
    scf.yield %next : tensor<?xf64>
  }
  return %end : tensor<?xf64>
}
func.func @gradient(%n: index, %steps: index, %a: tensor<?xf64>, %seed: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = "ad.vjp"(%n, %steps, %a, %seed) {callee = @field, method = "coarsened", operandSegmentSizes = array<i32: 3, 1>, wrt = [2]} : (index, index, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}
