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

// A number that is replaced by smaller ones is the smallest of them; what is not a number is passed over.
// CHECK-LABEL: func.func @smallest_so_far
// CHECK: "soac.map"
// CHECK: %[[IS:.*]] = arith.cmpf ord, %[[X:.*]], %[[X]]
// CHECK: arith.select %[[IS]], %[[X]], %{{.*}}
// CHECK: "soac.reduce"
// CHECK: arith.minimumf
// CHECK: arith.minimumf
func.func @smallest_so_far(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %much = arith.constant 1.0e30 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%best = %much) -> f64 {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %c = arith.cmpf olt, %e, %best : f64
    %u = arith.select %c, %e, %best : f64
    scf.yield %u : f64
  }
  return %s : f64
}

// The last of equal numbers, what may begin as no number, and what is read on the way stay as they are.
// CHECK-LABEL: func.func @last_of_equals
// CHECK: scf.for
// CHECK-LABEL: func.func @from_anything
// CHECK: scf.for
// CHECK-LABEL: func.func @read_on_the_way
// CHECK: scf.for
func.func @last_of_equals(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %much = arith.constant 1.0e30 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%best = %much) -> f64 {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %c = arith.cmpf ole, %e, %best : f64
    %u = arith.select %c, %e, %best : f64
    scf.yield %u : f64
  }
  return %s : f64
}

func.func @from_anything(%x: tensor<?xf64>, %start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%best = %start) -> f64 {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %c = arith.cmpf olt, %e, %best : f64
    %u = arith.select %c, %e, %best : f64
    scf.yield %u : f64
  }
  return %s : f64
}

func.func @read_on_the_way(%x: tensor<?xf64>) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %much = arith.constant 1.0e30 : f64
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%best = %much, %t = %zero) -> (f64, f64) {
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %c = arith.cmpf olt, %e, %best : f64
    %u = arith.select %c, %e, %best : f64
    %q = arith.mulf %best, %t : f64
    %v = arith.addf %q, %e : f64
    scf.yield %u, %v : f64, f64
  }
  return %s#0, %s#1 : f64, f64
}
