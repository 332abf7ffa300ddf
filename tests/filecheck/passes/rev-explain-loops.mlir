// Every loop is told how it goes back: backwards where what it carries can be found from what it makes of it.
// RUN: tapeless-opt --rev-explain-loops %s | filecheck %s

// A coupled update is undone statement by statement.
// CHECK-LABEL: func.func @leapfrog
// CHECK: rev.way = "runs backwards"
func.func @leapfrog(%q0: f64, %p0: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q, %p = scf.for %i = %c0 to %n step %c1 iter_args(%a = %q0, %b = %p0) -> (f64, f64) {
    %force = math.sin %a : f64
    %faster = arith.subf %b, %force : f64
    %further = arith.addf %a, %faster : f64
    scf.yield %further, %faster : f64, f64
  }
  return %q : f64
}

// A square has two roots.
// CHECK-LABEL: func.func @squared
// CHECK: rev.way = "stores states: carried value 0 cannot be found again from what 'arith.mulf' makes of it"
func.func @squared(%x0: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x0) -> (f64) {
    %square = arith.mulf %a, %a : f64
    scf.yield %square : f64
  }
  return %x : f64
}

// Of the older of two arrays only the inner part is read, and found again.
// CHECK-LABEL: func.func @wave
// CHECK: rev.way = "runs backwards"
func.func @wave(%u0: tensor<8xf64>, %n: index) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %u, %v = scf.for %i = %c0 to %n step %c1 iter_args(%a = %u0, %b = %u0) -> (tensor<8xf64>, tensor<8xf64>) {
    %here = tensor.extract_slice %a[1] [6] [1] : tensor<8xf64> to tensor<6xf64>
    %before = tensor.extract_slice %b[1] [6] [1] : tensor<8xf64> to tensor<6xf64>
    %next = "soac.map"(%c6, %here, %before) ({
    ^bb0(%k: index, %x: f64, %y: f64):
      %d = arith.subf %x, %y : f64
      "soac.yield"(%d) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<6xf64>, tensor<6xf64>) -> tensor<6xf64>
    %w = tensor.insert_slice %next into %a[1] [6] [1] : tensor<6xf64> into tensor<8xf64>
    scf.yield %w, %a : tensor<8xf64>, tensor<8xf64>
  }
  return %u : tensor<8xf64>
}

// It could be undone, but what comes back is rounded, and a comparison could turn out differently.
// CHECK-LABEL: func.func @decides
// CHECK: rev.way = "stores states: it compares numbers that come back rounded, which may decide differently where they are equal"
func.func @decides(%q0: f64, %p0: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q, %p = scf.for %i = %c0 to %n step %c1 iter_args(%a = %q0, %b = %p0) -> (f64, f64) {
    %force = arith.maximumf %a, %q0 : f64
    %faster = arith.subf %b, %force : f64
    %further = arith.addf %a, %faster : f64
    scf.yield %further, %faster : f64, f64
  }
  return %q : f64
}
