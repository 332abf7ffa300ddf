// ad-digests gives loops with promised arrays a digest of what they read from them.
// RUN: tapeless-opt --ad-promises --ad-digests %s | filecheck %s

// The bits of the element that is read are mixed into the last carried value; the write is not looked at.
// CHECK-LABEL: func.func @chain(
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[DIGEST:.*]] = %c0_i64) -> (tensor<?xf64>, i64)
// CHECK: %[[KEPT:.*]] = "ad.promise"(%[[A]])
// CHECK: %[[E:.*]] = tensor.extract %[[KEPT]]
// CHECK: %[[F:.*]] = arith.truncf %[[E]] : f64 to f32
// CHECK: arith.bitcast %{{.*}} : f32 to i32
// CHECK: arith.addi %[[DIGEST]], %{{.*}} : i64
// CHECK: %[[W:.*]] = tensor.insert
// CHECK: scf.yield %[[W]], %{{.*}} : tensor<?xf64>, i64
// CHECK: ad.digest
// CHECK: return %[[R]]#0
func.func @chain(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf64> {
    %e = tensor.extract %a[%i] : tensor<?xf64>
    %s = math.sin %e : f64
    %j = arith.addi %i, %c1 : index
    %b = tensor.insert %s into %a[%j] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  } {ad.true_dep = array<i64: 0>}
  return %r : tensor<?xf64>
}

// Nothing is promised: the loop stays as it is.
// CHECK-LABEL: func.func @plain(
// CHECK: scf.for {{.*}} -> (tensor<?xf64>) {
// CHECK-NOT: ad.digest
// CHECK: return
func.func @plain(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf64> {
    %e = tensor.extract %a[%i] : tensor<?xf64>
    %b = tensor.insert %e into %a[%c0] : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
