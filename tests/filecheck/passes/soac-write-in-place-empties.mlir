// Arrays without contents are not shared, because a loop would copy them into memory of its own.
// RUN: tapeless-opt --soac-write-in-place %s | filecheck %s
// RUN: tapeless-opt --fuse %s | filecheck %s

// CHECK-LABEL: func.func @two_histories
// CHECK: %[[FIRST:.*]] = tensor.empty
// CHECK: %[[SECOND:.*]] = tensor.empty
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[FIRST]], %{{.*}} = %[[SECOND]]) -> (f64, tensor<?xf64>, tensor<?xf64>)
// CHECK-NOT: tensor.empty
func.func @two_histories(%x: f64, %n: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.empty(%n) : tensor<?xf64>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %h = %rows, %g = %rows) -> (f64, tensor<?xf64>, tensor<?xf64>) {
    %b = math.sin %a : f64
    %h1 = tensor.insert %a into %h[%i] : tensor<?xf64>
    %g1 = tensor.insert %b into %g[%i] : tensor<?xf64>
    scf.yield %b, %h1, %g1 : f64, tensor<?xf64>, tensor<?xf64>
  }
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}
