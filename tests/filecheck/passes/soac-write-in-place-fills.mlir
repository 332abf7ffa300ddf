// soac-write-in-place makes a fill for every write of one, where it is written.
// RUN: tapeless-opt --soac-write-in-place %s | filecheck %s
// RUN: tapeless-opt --fuse %s | filecheck %s

// Every write of a fill gets a fill of its own.
// CHECK-LABEL: func.func @two_fills(
// CHECK: %[[F:.*]] = tensor.splat
// CHECK-NEXT: %[[W:.*]] = tensor.insert_slice %[[F]]
// CHECK-NEXT: %[[G:.*]] = tensor.splat
// CHECK-NEXT: tensor.insert_slice %[[G]] into %[[W]]
func.func @two_fills(%x: tensor<?xf64>, %n: index, %i: index, %j: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %f = tensor.splat %zero[%n] : tensor<?xf64>
  %w = tensor.insert_slice %f into %x[%i] [%n] [1] : tensor<?xf64> into tensor<?xf64>
  %v = tensor.insert_slice %f into %w[%j] [%n] [1] : tensor<?xf64> into tensor<?xf64>
  return %v : tensor<?xf64>
}

// A fill with one use moves to its write, over what is computed between.
// CHECK-LABEL: func.func @one_fill(
// CHECK: math.exp
// CHECK-NEXT: %[[F:.*]] = tensor.splat
// CHECK-NEXT: tensor.insert_slice %[[F]]
func.func @one_fill(%x: tensor<?xf64>, %n: index, %i: index, %a: f64) -> (tensor<?xf64>, f64) {
  %zero = arith.constant 0.0 : f64
  %f = tensor.splat %zero[%n] : tensor<?xf64>
  %e = math.exp %a : f64
  %w = tensor.insert_slice %f into %x[%i] [%n] [1] : tensor<?xf64> into tensor<?xf64>
  return %w, %e : tensor<?xf64>, f64
}
