// Loops of the host that launch operators have a variant in one thread, which the work of an iteration decides about.
// RUN: tapeless-opt --soac-loops-in-thread %s | filecheck %s

// CHECK-LABEL: func.func @steps
// CHECK: %[[LITTLE:.*]] = arith.andi
// CHECK: %[[X:.*]] = scf.if %[[LITTLE]] -> (tensor<?xf64>) {
// CHECK: %[[ALL:.*]] = "soac.map"(%{{.*}}) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index):
// CHECK-NEXT: %[[DONE:.*]] = scf.for
// CHECK: "soac.map"
// CHECK: "soac.yield"(%[[DONE]]) : (tensor<?xf64>) -> ()
// CHECK: -> tensor<1x?xf64>
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[ALL]][%{{.*}}, 0]
// CHECK: scf.yield %[[ROW]]
// CHECK: } else {
// CHECK: scf.for
// CHECK: tapeless.variants
// CHECK: return %[[X]]
func.func @steps(%x: tensor<?xf64>, %steps: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%s = %x) -> (tensor<?xf64>) {
    %y = "soac.map"(%n, %s) ({
    ^bb0(%i: index, %a: f64):
      %b = arith.mulf %a, %a : f64
      "soac.yield"(%b) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %y : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// So much that is known before is never done by one thread.
// CHECK-LABEL: func.func @much
// CHECK-NOT: scf.if
// CHECK: return
func.func @much(%x: tensor<1000xf64>, %steps: index) -> tensor<1000xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%s = %x) -> (tensor<1000xf64>) {
    %y = "soac.map"(%n, %s) ({
    ^bb0(%i: index, %a: f64):
      %b = arith.mulf %a, %a : f64
      "soac.yield"(%b) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<1000xf64>) -> tensor<1000xf64>
    scf.yield %y : tensor<1000xf64>
  }
  return %r : tensor<1000xf64>
}

// A loop without operators is one thread as it is; one that counts sizes stays with the host.
// CHECK-LABEL: func.func @numbers
// CHECK-NOT: scf.if
// CHECK: return
func.func @numbers(%x: f64, %steps: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%s = %x) -> (f64) {
    %y = arith.mulf %s, %s : f64
    scf.yield %y : f64
  }
  return %r : f64
}
