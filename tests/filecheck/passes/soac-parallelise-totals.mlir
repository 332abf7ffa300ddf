// soac-parallelise makes scans of running totals in loops that are parallel but for them, with `bins`.
// RUN: tapeless-opt --soac-parallelise="bins=true" %s | filecheck %s
// RUN: tapeless-opt --soac-parallelise %s | filecheck %s --check-prefix=WITHOUT

// CHECK-LABEL: func.func @running
// CHECK:       %[[TERMS:.*]] = "soac.map"
// CHECK:       %[[BEFORE:.*]] = "soac.scan"(%{{.*}}, %[[TERMS]], %{{.*}}) ({
// CHECK:       arith.addf
// CHECK:       exclusive = true
// CHECK-NOT:   scf.for
// CHECK:       "soac.map"
// CHECK:       arith.mulf
// CHECK:       "soac.reduce"
// WITHOUT-LABEL: func.func @running
// WITHOUT:       scf.for
func.func @running(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %before = %zero) -> (f64, f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %y = arith.mulf %before, %e fastmath<contract> : f64
    %s = arith.addf %sum, %y fastmath<contract> : f64
    %b = arith.addf %before, %e fastmath<contract> : f64
    scf.yield %s, %b : f64, f64
  }
  return %r#0 : f64
}

// A total whose terms need what iterations hand on stays with the loop.
// CHECK-LABEL: func.func @dependent
// CHECK-NOT:   soac.scan
// CHECK:       scf.for
func.func @dependent(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %before = %zero) -> (f64, f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %y = arith.mulf %before, %e fastmath<contract> : f64
    %s = arith.addf %sum, %y fastmath<contract> : f64
    %b = arith.addf %before, %y fastmath<contract> : f64
    scf.yield %s, %b : f64, f64
  }
  return %r#0 : f64
}
