// Short loops of constant trips that map the elements of arrays they carry become straight code.
// RUN: tapeless-opt --soac-unroll-taps %s | filecheck %s

// Each iteration adds a scaled slice to all elements.
// CHECK-LABEL: func.func @taps
// CHECK-NOT:   scf.for
// CHECK:       %[[FIRST:.*]] = "soac.map"(%{{.*}}, %{{.*}}, %{{.*}})
// CHECK:       %[[SECOND:.*]] = "soac.map"(%{{.*}}, %[[FIRST]], %{{.*}})
// CHECK:       %[[LAST:.*]] = "soac.map"(%{{.*}}, %[[SECOND]], %{{.*}})
// CHECK-NOT:   soac.map
// CHECK:       return %[[LAST]]
func.func @taps(%n: index, %x: tensor<?xf64>, %w: tensor<3xf64>, %start: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %y = scf.for %k = %c0 to %c3 step %c1 iter_args(%s = %start) -> (tensor<?xf64>) {
    %slice = tensor.extract_slice %x[%k] [%n] [1] : tensor<?xf64> to tensor<?xf64>
    %wk = tensor.extract %w[%k] : tensor<3xf64>
    %t = "soac.map"(%n, %s, %slice) ({
    ^bb0(%i: index, %a: f64, %b: f64):
      %p = arith.mulf %wk, %b : f64
      %r = arith.addf %a, %p : f64
      "soac.yield"(%r) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %t : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}

// Longer loops stay, and so do those whose iterations read other elements of what they carry.
// CHECK-LABEL: func.func @steps
// CHECK:       scf.for
// CHECK:       scf.for
// CHECK:       return
func.func @steps(%n: index, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %y = scf.for %k = %c0 to %c64 step %c1 iter_args(%s = %x) -> (tensor<?xf64>) {
    %t = "soac.map"(%n, %s) ({
    ^bb0(%i: index, %a: f64):
      %r = arith.addf %a, %a : f64
      "soac.yield"(%r) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %t : tensor<?xf64>
  }
  %z = scf.for %k = %c0 to %c3 step %c1 iter_args(%s = %x) -> (tensor<?xf64>) {
    %t = "soac.map"(%n) ({
    ^bb0(%i: index):
      %a = tensor.extract %s[%i] : tensor<?xf64>
      "soac.yield"(%a) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf64>
    scf.yield %t : tensor<?xf64>
  }
  return %y, %z : tensor<?xf64>, tensor<?xf64>
}
