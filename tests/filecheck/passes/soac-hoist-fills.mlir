// What is filled and then written at the same place in every iteration is carried, and filled once.
// RUN: tapeless-opt --soac-hoist-fills %s | filecheck %s

// CHECK-LABEL: func.func @padded
// CHECK: %[[ZEROS:.*]] = tensor.splat
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[X:.*]] = %arg0, %[[P:.*]] = %{{.*}})
// CHECK: %[[W:.*]] = tensor.insert_slice %[[X]] into %[[P]][1] [6] [1]
// CHECK: tensor.extract %[[W]]
// CHECK: scf.yield %{{.*}}, %[[W]]
// CHECK: return %[[R]]#0
func.func @padded(%x: tensor<6xf64>, %n: index) -> tensor<6xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%u = %x) -> (tensor<6xf64>) {
    %zeros = tensor.splat %zero : tensor<8xf64>
    %p = tensor.insert_slice %u into %zeros[1] [6] [1] : tensor<6xf64> into tensor<8xf64>
    %v = "soac.map"(%c6) ({
    ^bb0(%i: index):
      %e = tensor.extract %p[%i] : tensor<8xf64>
      "soac.yield"(%e) : (f64) -> ()
    }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<6xf64>
    scf.yield %v : tensor<6xf64>
  }
  return %r : tensor<6xf64>
}

// The place, or what is filled in, depends on the iteration: what was written before would stay.
// CHECK-LABEL: func.func @elsewhere
// CHECK: scf.for {{.*}} iter_args(%{{[a-z0-9]*}} = %arg0) ->
// CHECK: tensor.splat
// CHECK: scf.for {{.*}} iter_args(%{{[a-z0-9]*}} = %{{.*}}) ->
// CHECK: tensor.splat
func.func @elsewhere(%x: tensor<6xf64>, %s: f64, %n: index) -> tensor<6xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%u = %x) -> (tensor<6xf64>) {
    %zeros = tensor.splat %zero : tensor<8xf64>
    %at = arith.remui %k, %c1 : index
    %p = tensor.insert_slice %u into %zeros[%at] [6] [1] : tensor<6xf64> into tensor<8xf64>
    %v = tensor.extract_slice %p[1] [6] [1] : tensor<8xf64> to tensor<6xf64>
    scf.yield %v : tensor<6xf64>
  }
  %t = scf.for %k = %c0 to %n step %c1 iter_args(%u = %r) -> (tensor<6xf64>) {
    %first = tensor.extract %u[%c0] : tensor<6xf64>
    %fill = tensor.splat %first : tensor<8xf64>
    %p = tensor.insert_slice %u into %fill[1] [6] [1] : tensor<6xf64> into tensor<8xf64>
    %v = tensor.extract_slice %p[0] [6] [1] : tensor<8xf64> to tensor<6xf64>
    scf.yield %v : tensor<6xf64>
  }
  return %t : tensor<6xf64>
}

// The array is carried already, under another name: it is made anew.
// CHECK-LABEL: func.func @goes_on
// CHECK: scf.for {{.*}} iter_args(%{{[a-z0-9]*}} = %arg0) ->
// CHECK: tensor.splat
// CHECK: return
func.func @goes_on(%x: tensor<8xf64>, %y: tensor<6xf64>, %n: index) -> tensor<8xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%u = %x) -> (tensor<8xf64>) {
    %part = tensor.extract_slice %u[2] [6] [1] : tensor<8xf64> to tensor<6xf64>
    %zeros = tensor.splat %zero : tensor<8xf64>
    %p = tensor.insert_slice %part into %zeros[1] [6] [1] : tensor<6xf64> into tensor<8xf64>
    scf.yield %p : tensor<8xf64>
  }
  return %r : tensor<8xf64>
}
