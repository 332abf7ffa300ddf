// ad-promises moves what ad.true_dep says from positions to the carried arrays.
// RUN: tapeless-opt --ad-promises %s | filecheck %s

// CHECK-LABEL: func.func @fill
// CHECK: scf.for {{.*}} iter_args(%[[COUNT:.*]] = %{{.*}}, %[[ARRAY:.*]] = %{{.*}})
// CHECK-NEXT: %[[PROMISED:.*]] = "ad.promise"(%[[ARRAY]])
// CHECK: tensor.insert %{{.*}} into %[[PROMISED]]
// CHECK-NOT: ad.true_dep
func.func @fill(%x: tensor<?xf64>, %n: index) -> (f64, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %z, %a = %x) -> (f64, tensor<?xf64>) {
    %b = tensor.insert %c into %a[%i] : tensor<?xf64>
    scf.yield %c, %b : f64, tensor<?xf64>
  } {ad.true_dep = array<i64: 1>}
  return %r#0, %r#1 : f64, tensor<?xf64>
}
